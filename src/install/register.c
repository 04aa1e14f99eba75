/* SPDX-License-Identifier: MIT */
/* Plans the change to a settings file, reports it, and writes it unless it is a dry run. A file that does not parse is
 * left alone. */
#include "install/register.h"

#include "conf/gates.h"
#include "install/settings_file.h"
#include "install/wanted.h"
#include "model/block_cap.h"
#include "os/env.h"

#include <string.h>

#define STATUS_NAMES_BYTES 60 /* the message stays on a line */

struct plan {
	const struct register_request *request;
	struct settings_file file;
	struct hooks_wanted wanted;
	struct hook_change changes[HOOKS_WANTED_MAX]; /* one per wanted hook */
	bool has_cap_change;
	struct str why_cap;
	struct buf *out;
};

static void add_line(struct plan *p, const char *what, const char *fmt, ...) PRINTF_LIKE(3, 4);

static void
add_line(struct plan *p, const char *what, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	struct str text = str_vfmt(p->request->arena, fmt, args);

	va_end(args);
	buf_addf(p->out, "  %-9s " STR_FMT "\n", what, STR_ARG(text));
}

/* Claude Code ends a turn without a word after its limit of blocks, so the limit is raised to what is configured. A limit
 * that the user has set, in whatever file, is kept. */
static int
raise_cap(struct plan *p, struct err *err)
{
	const struct register_request *r = p->request;
	const struct client *c = r->client;
	uint64_t blocks = project_facts_blocks(r->facts), have = 0;
	struct cap_warning warning;

	if (!c->settings->has_env || blocks == BLOCKS_ENDLESS ||
	    !registry_cap_is_low(r->arena, r->registry, c, blocks, r->cwd, &warning) ||
	    registry_cap_is_users(r->arena, r->registry, c))
		return 0;
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root = settings_file_tree(&p->file, &scratch);
	struct str now = settings_env(&root, c->block_cap_env);

	if (node_get(node_get(&root, "env"), c->block_cap_env) &&
	    (!now.s || !install_record_has_cap(r->arena, p->file.path, now) || !number_parse(now, &have) ||
	     have >= blocks))
		return 0;
	arena_free(&scratch);
	struct settings_edit edit = settings_file_edit(&p->file);

	p->file.record.cap = str_fmt(r->arena, "%llu", (unsigned long long)blocks);
	if (settings_edit_set_env(&edit, c->block_cap_env, p->file.record.cap, err) < 0)
		return -1;
	p->file.new_text = edit.text;
	p->has_cap_change = true;
	p->why_cap = warning.text;
	return 0;
}

/* What the client shows while the stop hook runs: the gates, as far as they fit. NULL: there are none. */
static const char *
message_of_gates(struct arena *a, const struct project_facts *facts)
{
	struct gates_config config;
	struct buf names = BUF(a, KIB(4));
	struct str warning;
	struct err ignored;

	if (!facts->gates_root.s || gates_load(a, facts->gates_root, &config, &warning, &ignored) < 0)
		return NULL;
	size_t count = config.check_count + config.review_count;

	for (size_t i = 0; i < count; i++) {
		struct str name = i < config.check_count ? config.checks[i].name
							 : config.reviews[i - config.check_count].name;

		if (names.n + name.n > STATUS_NAMES_BYTES) {
			buf_addf(&names, "%s%zu more", i > 0 ? " and " : "", count - i);
			break;
		}
		buf_addf(&names, "%s" STR_FMT, i > 0 ? ", " : "", STR_ARG(name));
	}
	return count == 0 ? NULL
			  : str_fmt(a, STATUS_PREFIX "gates (" STR_FMT ")", STR_ARG(buf_str(&names))).s;
}

static int
plan_changes(struct plan *p, struct err *err)
{
	const struct register_request *r = p->request;
	const struct client_settings *s = r->client->settings;
	struct settings_edit edit = settings_file_edit(&p->file);
	struct hooks_wanted *wanted = &p->wanted;
	struct str self = env_self(r->arena);
	/* The bare name where the shell finds it, else this program's own path. */
	bool is_in_path = env_find_program(r->arena, "holdfast").s || !self.s;

	hooks_wanted(r->arena, r->client, r->scope == SCOPE_USER ? NULL : r->facts, wanted);
	const struct hooks_request request = { .program = is_in_path ? STR("holdfast") : self,
					       .wanted = wanted->items,
					       .count = wanted->count,
					       .is_guarded = true };

	for (size_t i = 0; i < wanted->count; i++)
		if (r->scope == SCOPE_USER && wanted->items[i].user_words)
			wanted->items[i].words = wanted->items[i].user_words;
	if (s->has_status_message && r->scope != SCOPE_USER)
		wanted->items[0].status_message = message_of_gates(r->arena, r->facts);
	if (settings_edit_register(&edit, &request, p->changes, err) < 0)
		return -1;
	p->file.new_text = edit.text;
	if (raise_cap(p, err) < 0)
		return -1;
	for (size_t i = 0; i < wanted->count; i++)
		if (p->changes[i].kind == CHANGE_ADDED)
			name_set_add(r->arena, &p->file.record.events, str_from(p->changes[i].event));
	return 0;
}

/* ---- the report ---- */

static void
report_cap(struct plan *p)
{
	const struct register_request *r = p->request;
	struct cap_warning warning;

	if (p->has_cap_change)
		add_line(p, "set", "env %s=" STR_FMT ": " STR_FMT, r->client->block_cap_env,
			 STR_ARG(p->file.record.cap), STR_ARG(p->why_cap));
	if (p->has_cap_change)
		registry_override_cap(r->registry, r->client, p->file.path, p->file.record.cap);
	if (registry_cap_is_low(r->arena, r->registry, r->client, project_facts_blocks(r->facts), r->cwd,
				&warning))
		add_line(p, "note", STR_FMT "; %s", STR_ARG(warning.text), warning.fix);
}

/* Another of the client's files registers holdfast with a different command line, so the client runs both. */
static void
report_duplicate(struct plan *p)
{
	const struct register_request *r = p->request;

	for (size_t i = 0; i < p->wanted.count; i++) {
		const struct hook_change *c = &p->changes[i];
		const struct registry_file *other = registry_duplicate(r->registry, r->client, p->file.path,
								       c->event, c->command);

		if (!other)
			continue;
		add_line(p, "note",
			 STR_FMT
			 " registers holdfast for %s with another command line, and both run; " KEEP_ONE_LINE,
			 STR_ARG(shown_path(other->path, r->cwd)), c->event);
		return; /* the other events are most likely duplicated, too */
	}
}

/* A rival in the file itself is refused; one in another of the client's files is only reported. */
static void
report_rivals(struct plan *p)
{
	const struct register_request *r = p->request;
	const struct registry_client *row = registry_find(r->registry, r->client);

	for (size_t i = 0; i < row->count; i++) {
		const struct registry_file *file = &row->files[i];
		const struct hook_entry *rival = find_rival(r->client, &file->hooks);

		if (rival && !str_eq(file->path, p->file.path))
			add_line(
				p, "note",
				"%s is registered for " STR_FMT " in " STR_FMT ": '" STR_FMT
				"'; each stop would be checked twice; 'holdfast init --replace%s' removes it",
				hook_kind_name(rival->kind), STR_ARG(rival->event),
				STR_ARG(shown_path(file->path, r->cwd)), STR_ARG(rival->command),
				file->scope == SCOPE_USER ? " --user" : "");
	}
}

/* In full only where it was changed. */
static struct str
shown_command(struct arena *a, const struct hook_change *c)
{
	return c->kind == CHANGE_UPDATED ? c->command : hook_shown(a, c->command);
}

static void
report(struct plan *p)
{
	static const char *const words[] = {
		[CHANGE_NONE] = "kept",
		[CHANGE_ADDED] = "added",
		[CHANGE_UPDATED] = "updated",
	};
	const struct register_request *r = p->request;
	size_t count = p->wanted.count;
	const char *plugin = registry_ralph_plugin(r->registry);
	const struct registry_file *off = registry_disabled_by(r->registry);
	bool has_plugins = r->client->settings->plugins_key != NULL;
	int width = 16;

	for (size_t i = 0; i < count; i++)
		if ((int)strlen(p->changes[i].event) > width)
			width = (int)strlen(p->changes[i].event);
	buf_addf(p->out, STR_FMT "%s\n", STR_ARG(shown_path(p->file.path, r->cwd)),
		 r->is_dry ? " (dry run: nothing is written)" : "");
	for (size_t i = 0; i < count; i++)
		add_line(p, words[p->changes[i].kind], "%-*s  " STR_FMT "%s" STR_FMT "%s", width,
			 p->changes[i].event, STR_ARG(shown_command(r->arena, &p->changes[i])),
			 p->changes[i].old.s ? " (" : "", STR_ARG(p->changes[i].old),
			 p->changes[i].old.s ? ")" : "");
	struct str missing = r->scope == SCOPE_USER ? STR("") : hooks_missing(r->arena, r->client, r->facts);

	if (missing.n > 0)
		add_line(p, "note", "%s has no event for what is configured at " STR_FMT, r->client->title,
			 STR_ARG(missing));
	report_cap(p);
	report_duplicate(p);
	report_rivals(p);
	if (plugin && has_plugins)
		add_line(p, "note",
			 "the plugin '%s' has a Stop hook of its own for the same loop file; disable it in "
			 "%s: /plugin",
			 plugin, r->client->title);
	if (off && r->client->settings->disable_key)
		add_line(p, "note", "%s is true in " STR_FMT ", so no hook runs at all; remove that key",
			 r->client->settings->disable_key, STR_ARG(shown_path(off->path, r->cwd)));
}

/* Appends to the message, because FILE:LINE:COLUMN must begin it. */
static int
not_changed(struct err *err)
{
	struct err why = *err;

	return err_set(err, why.code, "%s; the settings were not changed", why.msg);
}

/* A rival in the file itself; NULL: none. */
static const struct hook_entry *
find_rival_in(const struct plan *p)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct register_request *r = p->request;
	struct node root = settings_file_tree(&p->file, &scratch);
	struct hook_list hooks = hooks_list(&scratch, &r->client->settings->shape, &root);
	const struct hook_entry *found = find_rival(r->client, &hooks);

	if (!found)
		return NULL;
	struct hook_entry *rival = arena_new(r->arena, struct hook_entry);

	*rival = *found;
	rival->event = str_copy(r->arena, found->event);
	rival->command = str_copy(r->arena, found->command);
	return rival;
}

int
register_hooks(const struct register_request *r, struct buf *out, const struct hook_entry **ret_rival,
	       struct err *err)
{
	struct plan *p = arena_new(r->arena, struct plan);
	struct str path = settings_path(r->arena, r->facts->project, r->client, r->scope), note;
	size_t reported = out->n;

	*p = (struct plan){ .request = r, .out = out };
	*ret_rival = NULL;
	if (!path.s)
		return err_set(err, ERR_VALUE, "there is no home directory, so there are no user settings");
	if (settings_file_open(r->arena, r->client, path, &p->file, err) < 0)
		return not_changed(err);
	settings_file_drop_stale_record(&p->file);
	*ret_rival = r->is_forced ? NULL : find_rival_in(p);
	if (*ret_rival)
		return -1;
	if (plan_changes(p, err) < 0) {
		(void)err_wrap_file(err, str_copy(r->arena, path).s);
		return not_changed(err);
	}
	report(p);
	if (!settings_file_is_changed(&p->file)) {
		buf_add(out, STR("Nothing to change.\n"));
	} else if (!r->is_dry) {
		if (settings_file_save(&p->file, &note, err) < 0) {
			out->n = reported;
			return -1;
		}
		if (note.s)
			add_line(p, "note", STR_FMT, STR_ARG(note));
		buf_addf(out, "Next: %s. Run 'holdfast doctor' to see what is active.\n",
			 r->client->settings->next);
	}
	return 0;
}

static int
renew_status(struct arena *a, const struct client *c, struct str path, const char *message, struct err *err)
{
	struct settings_file f;
	struct str note;

	if (settings_file_open(a, c, path, &f, err) < 0)
		return -1;
	if (!f.has_record || str_trim(f.text).n == 0)
		return 0; /* somebody registered the hook by hand */
	struct settings_edit edit = settings_file_edit(&f);

	if (settings_edit_set_status(&edit, c->settings->wanted[0].event, message, err) < 0)
		return -1;
	f.new_text = edit.text;
	return settings_file_is_changed(&f) ? settings_file_save(&f, &note, err) : 0;
}

void
register_renew_status(struct arena *a, struct str cwd)
{
	static const enum settings_scope scopes[] = { SCOPE_PROJECT, SCOPE_LOCAL };
	struct project_facts *facts = arena_new(a, struct project_facts);

	project_facts_load(a, cwd, facts);
	const char *message = message_of_gates(a, facts);

	for (size_t i = 0; message && i < client_count; i++)
		for (size_t k = 0; k < COUNT_OF(scopes); k++) {
			const struct client_settings *s = clients[i]->settings;
			struct str path = s && s->has_status_message
						  ? settings_path(a, facts->project, clients[i], scopes[k])
						  : STR_NONE;
			struct err ignored; /* only the words in the client are older then */

			if (path.s)
				(void)renew_status(a, clients[i], path, message, &ignored);
		}
}
