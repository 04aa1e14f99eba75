/* SPDX-License-Identifier: MIT */
/* What the loaders of gates have in common. Collects problems and continues. */
#include "conf/loader.h"

#include "doc/yaml.h"
#include "os/fs.h"

#include "conf/builtin_prompts.h"

void
loader_begin_file(struct config_loader *l, struct str file)
{
	*arena_push(l->arena, l->problems->files.items, l->problems->files.count) = file;
	l->file = file;
}

const struct node *
item_of(const struct node *list, size_t i)
{
	return list && list->kind == NODE_LIST && i < list->count ? &list->items[i] : NULL;
}

bool
loader_read_text(struct config_loader *l, struct str *ret)
{
	struct str full = path_join(l->arena, l->root, l->file), text;
	const char *path;
	struct err err;

	if (str_cz(l->arena, full, &path, &err) < 0 ||
	    fs_read(l->arena, path, CONFIG_LIMIT_BYTES, &text, &err) < 0) {
		struct str why = str_from(err.msg);

		/* The problem already names the file. */
		if (str_starts(why, full) && str_starts(str_sub(why, full.n, why.n), STR(": ")))
			why = str_sub(why, full.n + 2, why.n);
		loader_note(l, SEVERITY_FATAL, NULL, STR(""), why);
		return false;
	}
	*ret = text;
	return text.s != NULL;
}

bool
loader_parse(struct config_loader *l, struct str text, struct node *ret)
{
	struct err err;

	if (yaml_parse(l->arena, text, ret, &err) == 0)
		return true;
	problem_add_err(l->arena, l->problems, l->file, &err);
	return false;
}

bool
loader_read_yaml(struct config_loader *l, struct node *ret)
{
	struct str text = STR_NONE;

	return loader_read_text(l, &text) && loader_parse(l, text, ret);
}

struct str
loader_leads_out(struct config_loader *l, const char *path)
{
	struct arena *a = l->arena;
	struct str out = fs_leads_out(a, path, l->root.s);

	/* .gauntlet itself may be a link to a directory that several projects share. */
	if (out.s && l->dialect)
		return fs_leads_out(a, path, path_join(a, l->root, str_from(l->dialect->dir)).s);
	return out;
}

/* ---- built-in prompts ---- */

static const struct {
	const char *name;
	struct str text;
} builtin_prompts[] = {
	{ "code-quality", STR(PROMPT_CODE_QUALITY) },
	{ "security", STR(PROMPT_SECURITY) },
	{ "error-handling", STR(PROMPT_ERROR_HANDLING) },
	{ "test-integrity", STR(PROMPT_TEST_INTEGRITY) },
	{ "task-compliance", STR(PROMPT_TASK_COMPLIANCE) },
	/* Several in one, under agent-validator's names. */
	{ "security-and-errors", STR(PROMPT_SECURITY "\n" PROMPT_ERROR_HANDLING) },
	{ "all-reviewers", STR(PROMPT_CODE_QUALITY "\n" PROMPT_SECURITY "\n" PROMPT_ERROR_HANDLING) },
};

struct str
builtin_prompt(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(builtin_prompts); i++)
		if (str_is(name, builtin_prompts[i].name))
			return builtin_prompts[i].text;
	return STR_NONE;
}

struct str
builtin_names(struct arena *a)
{
	struct buf b = BUF(a, KIB(1));

	for (size_t i = 0; i < COUNT_OF(builtin_prompts); i++)
		buf_cat(&b, i > 0 ? ", " : "", builtin_prompts[i].name);
	return buf_str(&b);
}

/* ---- reviewers ---- */

static const struct field text_item = { .type = FIELD_TEXT };

#define REVIEWER(member, key, type, ...) FIELD(struct reviewer_config, member, key, type, __VA_ARGS__)
static const char *const prompt_ways[] = { "stdin", "arg", NULL };
static const struct field reviewer_fields[] = {
	FIELD_ARRAY(
		struct reviewer_config, command, "command", text_item, struct str, .least = 1,
		DOC_WORDS("that of the known reviewer", "The program and its arguments, without a shell.")),
	REVIEWER(prompt, "prompt", FIELD_CHOICE, .choices = prompt_ways,
		 DOC("stdin", "How it gets the prompt: on its standard input or as its last argument.")),
	REVIEWER(model, "model", FIELD_TEXT, DOC_WORDS("its own", "The model that it uses.")),
	REVIEWER(allows_tool_use, "allow_tool_use", FIELD_FLAG,
		 DOC_WORDS("its own", "Whether it may use tools to read files.")),
	REVIEWER(thinking_budget, "thinking_budget", FIELD_TEXT,
		 DOC_WORDS("its own", "How much it thinks before it answers.")),
};
const struct field reviewer_item = OBJECT(reviewer_fields);
const struct reviewer_config reviewer_defaults = { .allows_tool_use = -1, .prompt = STR("stdin") };

/* A reviewer that is not built in needs a command. */
void
loader_check_reviewers(struct config_loader *l, const struct gates_config *c, const struct node *map,
		       const char *key)
{
	for (size_t i = 0; i < c->reviewer_count; i++) {
		const struct reviewer_config *r = &c->reviewers[i];
		const struct node_entry *e = &map->entries[i];

		if (r->command.count == 0 && !known_reviewer(r->name))
			loader_note(l, SEVERITY_FATAL,
				    (&(struct node){ .line = e->line, .column = e->column }),
				    str_cat(l->arena, key, ".", r->name), "missing key 'command': '", r->name,
				    "' is not a known reviewer");
	}
}
