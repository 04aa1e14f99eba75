/* SPDX-License-Identifier: MIT */
/* Edits hooks and environment in the text of Claude Code's settings. It reads and writes no file. */
#include "install/claude_settings.h"

#include "client/client.h"
#include "client/settings_text.h"

static const struct hook_shape *
shape(void)
{
	return &client_claude.settings->shape;
}

struct hook_list
claude_settings_hooks(struct arena *a, const struct node *settings)
{
	return hook_settings_list(a, shape(), settings);
}

int
claude_settings_register(struct arena *a, struct str text, struct str program,
			 const struct hook_wanted *wanted, size_t count, struct hook_change *changes,
			 struct settings_made *made, struct str *ret, struct err *err)
{
	const struct hooks_request request = { shape(), program, wanted, count };

	return hook_settings_register(a, text, &request, changes, made, ret, err);
}

int
claude_settings_remove_kind(struct arena *a, struct str text, const struct hook_filter *which,
			    const struct settings_made *made, size_t *ret_removed, struct str *ret,
			    struct err *err)
{
	return hook_settings_remove(a, shape(), text, which, made, ret_removed, ret, err);
}

struct str
claude_settings_env(const struct node *settings, const char *name)
{
	const struct node *value = node_get(node_get(settings, "env"), name);

	return value ? value->text : STR_NONE;
}

int
claude_settings_set_env(struct arena *a, struct str text, const char *name, struct str value,
			struct settings_made *made, struct str *ret, struct err *err)
{
	const struct jsonedit_step path[] = { STEP("env"), STEP(name) };
	struct str begun, quoted = settings_json_string(a, value);
	struct node root;

	if (settings_open(a, text, &begun, &root, err) < 0)
		return -1;
	const struct node *env = node_get(&root, "env");

	if (env && env->kind != NODE_MAP)
		return err_set(err, ERR_VALUE, "%d:%d: env: expected an object, found %s", env->line,
			       env->column, node_kind_name(env->kind));
	if (node_get(env, name))
		return jsonedit_replace(a, begun, path, 2, quoted, ret, err);
	settings_note_document(made, text, &root);
	if (!env) {
		settings_made_note(made, STR("env"), STR_NONE);
		return jsonedit_append(a, begun, path, 0, "env",
				       str_fmt(a, "{\n  \"%s\": " STR_FMT "\n}", name, STR_ARG(quoted)), ret,
				       err);
	}
	if (settings_is_empty(env))
		settings_made_note(made, STR("env"), jsonedit_find(begun, path, 1));
	return jsonedit_append(a, begun, path, 1, name, quoted, ret, err);
}

int
claude_settings_unset_env(struct arena *a, struct str text, const char *name, struct str value,
			  const struct settings_made *made, bool *ret_is_removed, struct str *ret,
			  struct err *err)
{
	const struct jsonedit_step path[] = { STEP("env"), STEP(name) };
	struct node root;

	if (jsonedit_check(a, text, &root, err) < 0)
		return -1;
	struct str now = claude_settings_env(&root, name);

	*ret_is_removed = now.s && str_eq(now, value);
	if (*ret_is_removed) {
		if (jsonedit_remove(a, text, path, 2, &text, err) < 0)
			return -1;
		if (node_get(&root, "env")->count == 1 &&
		    settings_tidy_member(a, &text, path, 1, STR("env"), made, err) < 0)
			return -1;
		if (jsonedit_check(a, text, &root, err) < 0)
			return -1;
		text = settings_tidy_document(text, &root, made);
	}
	*ret = text;
	return 0;
}

bool
claude_settings_has_plugin(const struct node *settings, const char *name)
{
	const struct node *plugins = node_get(settings, "enabledPlugins");

	for (size_t i = 0; plugins && plugins->kind == NODE_MAP && i < plugins->count; i++) {
		struct str key = plugins->entries[i].key, plugin;

		if (!str_next(&key, '@', &plugin) || !str_is(plugin, name))
			continue;
		const struct node *value = &plugins->entries[i].value;

		if (value->kind != NODE_BOOL || value->boolean)
			return true;
	}
	return false;
}
