/* SPDX-License-Identifier: MIT */
/* holdfast trust: shows what a project would run, and records that the user agrees. */
#include "client/client.h"
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/setup/init_gates.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "import/conclaude.h"
#include "install/registry.h"
#include "doc/json.h"
#include "os/env.h"
#include "os/fs.h"
#include "project/project.h"
#include "project/trust.h"
#include "ui/print.h"

/* One thing that a project runs. */
struct runs {
	const char *kind; /* such as check, review, command, event, guards, loop */
	struct str name;  /* of a gate */
	struct str what;  /* the command, or the reviewers */
};

/* A directory with definitions. */
struct shown {
	struct str root, repository;
	struct definitions definitions;
	struct runs *items;
	size_t count;
	struct str_list problems;
};

static void
add_runs(struct arena *a, struct shown *s, const char *kind, struct str name, struct str what)
{
	if (what.s)
		*arena_push(a, s->items, s->count) = (struct runs){ kind, name, what };
}

static void
add_gates(struct arena *a, struct shown *s)
{
	struct gates_config c;
	struct str warning;
	struct err err;

	if (!gates_find(a, &s->root, 1).s)
		return;
	if (gates_load(a, s->root, &c, &warning, &err) < 0) {
		*arena_push(a, s->problems.items, s->problems.count) = str_cat(a, err.msg);
		return;
	}
	for (size_t i = 0; i < c.check_count; i++) {
		add_runs(a, s, "check", c.checks[i].name, c.checks[i].command);
		add_runs(a, s, "rerun", c.checks[i].name, c.checks[i].rerun_command);
		add_runs(a, s, "fix", c.checks[i].name, c.checks[i].fix_command);
	}
	for (size_t i = 0; i < c.review_count; i++)
		add_runs(a, s, "review", c.reviews[i].name,
			 str_list_join(a, &c.reviews[i].cli_preference, ", "));
	for (size_t i = 0; i < c.reviewer_count; i++) {
		struct str command = str_list_join(a, &c.reviewers[i].command, " ");

		if (command.n > 0)
			add_runs(a, s, "reviewer", c.reviewers[i].name, command);
	}
}

/* What they are for, and where the client does not ask them. */
static void
add_guards(struct arena *a, struct shown *s, const struct policies *c)
{
	struct project_facts f = { .project = s->repository, .policies = *c };
	struct str off = guards_off_lines(a, &f), line;

	add_runs(a, s, "guards", STR_NONE, guards_text(a, c->guards));
	while (str_next(&off, '\n', &line))
		*arena_push(a, s->problems.items, s->problems.count) = str_cat(a, "the guards are ", line);
}

static void
add_commands(struct arena *a, struct shown *s)
{
	const struct holdfast_file *native = s->definitions.native;
	struct str path = native ? STR_NONE : conclaude_find(a, &s->root, 1);
	struct policies c;
	struct err err;

	if (!path.s && !native)
		return;
	if ((native ? holdfast_load_policies(a, native, s->root, &c, &err)
		    : conclaude_load(a, path, STR_NONE, &c, NULL, &err)) < 0) {
		if (!native) /* else it was the gates' problem already */
			*arena_push(a, s->problems.items, s->problems.count) = str_cat(a, err.msg);
		return;
	}
	for (size_t i = 0; i < c.commands.count; i++)
		add_runs(a, s, "command", STR_NONE, c.commands.items[i].run);
	for (size_t e = 0; e <= EVENT_COUNT; e++) {
		const struct command_list *commands = e < EVENT_COUNT ? &c.at[e] : &c.prompts;
		const struct event_row *row = &event_rows[e < EVENT_COUNT ? e : EVENT_UserPromptSubmit];

		for (size_t i = 0; i < commands->count; i++)
			add_runs(a, s, "event", row->name, commands->items[i].run);
	}
	/* What runs without a question to the user. */
	for (size_t i = 0; c.permissions && i < c.permissions->allow.count; i++)
		add_runs(a, s, "allows", STR_NONE, c.permissions->allow.items[i]);
	if (c.notify)
		add_runs(a, s, "notify", STR_NONE, c.notify->command);
	if (policies_guard_tools(&c))
		add_guards(a, s, &c);
	struct holdfast_loop loop;

	if (!native || holdfast_load_loop(a, native, &loop, &err) < 0)
		return;
	for (size_t i = 0; i < loop.verify.count; i++)
		if (!str_is(loop.verify.items[i], "gates"))
			add_runs(a, s, "loop", STR_NONE, loop.verify.items[i]);
}

/* ---- output ---- */

/* Of a command, each line is indented. */
static void
add_lines(struct buf *b, struct str text)
{
	struct str line;
	bool is_first = true;

	while (str_next(&text, '\n', &line)) {
		buf_cat(b, is_first ? "" : "                    ", strip_escapes_line(b->arena, line), "\n");
		is_first = false;
	}
}

static void
add_shown_text(struct buf *b, const struct shown *s, bool is_pinned)
{
	buf_cat(b, strip_escapes_line(b->arena, s->root), " runs at a stop:\n");
	for (size_t i = 0; i < s->count; i++) {
		buf_addf(b, "  %-8s  ", s->items[i].kind);
		if (s->items[i].name.s)
			buf_cat(b, strip_escapes_line(b->arena, s->items[i].name), ": ");
		add_lines(b, s->items[i].what);
	}
	if (s->count == 0)
		buf_cat(b, "  nothing yet\n");
	for (size_t i = 0; i < s->problems.count; i++) {
		buf_cat(b, "  warning   ");
		add_lines(b, s->problems.items[i]);
	}
	buf_cat(b, is_pinned ? "Trusted and pinned" : "Trusted", " (", s->definitions.count, " ",
		s->definitions.count == 1 ? "file" : "files",
		"). 'holdfast trust --revoke' takes that back.\n");
}

static void
add_shown_json(struct buf *b, const struct shown *s, bool is_pinned)
{
	json_open(b, NULL, '{');
	json_add(b, "project", s->root, "pinned", is_pinned);
	json_open(b, "runs", '[');
	for (size_t i = 0; i < s->count; i++) {
		json_add_object(b, NULL, "kind", s->items[i].kind, "name", s->items[i].name, "command",
				s->items[i].what);
	}
	json_close(b, "]");
	json_add(b, "problems", &s->problems);
	json_open(b, "definitions", '[');
	for_each (d, s->definitions.items, s->definitions.count)
		json_add_object(b, NULL, "file", d->name, "digest", definition_digest(b->arena, d));
	json_close(b, "]}");
}

/* ---- the forms of the command ---- */

/* The directories from DIR (default: the current one) upwards that have definitions, or are trusted and had some. */
static int
trust_dirs(struct arena *a, const struct invocation *inv, bool is_json, struct buf *out)
{
	enum pin_wish wish = option_has(inv, "pin")      ? PIN_YES
			     : option_has(inv, "no-pin") ? PIN_NO
							 : PIN_AS_BEFORE;
	struct str dir = inv->arg_count > 0 ? inv->args[0] : STR(".");
	struct str start = fs_real(a, str_copy(a, dir).s);
	struct project_dirs all;
	bool is_any = false;

	if (!start.s || fs_kind(start.s) != FS_DIR)
		return command_error(inv, "'", dir, "' is not a directory");
	project_find_above(&all, start, WITHIN_REPOSITORY);
	for (size_t i = 0; i < all.count; i++) {
		struct shown s = { .root = str_copy(a, all.dirs[i]) };

		s.repository = all.repository.s ? str_copy(a, all.repository) : s.root;
		struct trust t;
		bool is_pinned = false;
		struct err err;

		if (!definitions_exist(s.root) && (project_record(a, s.root, &t, &err) < 0 || !t.project.s))
			continue;
		is_any = true;
		if (trust_root(a, s.root, wish, &s.definitions, &is_pinned, &err) < 0)
			return command_error(inv, err.msg, "; nothing was trusted in ", s.root);
		add_gates(a, &s);
		add_commands(a, &s);
		if (s.definitions.native)
			write_editor_schema(a, s.root);
		if (is_json)
			add_shown_json(out, &s, is_pinned);
		else
			add_shown_text(out, &s, is_pinned);
	}
	if (!is_any)
		return command_error(inv, start,
				     " defines nothing that runs: there is no .gauntlet/config.yml, no "
				     ".conclaude.yaml and no holdfast.yml");
	return 0;
}

static int
revoke_dirs(struct arena *a, const struct invocation *inv, struct buf *out)
{
	struct str dir = inv->arg_count > 0 ? inv->args[0] : STR(".");
	struct str given = str_copy(a, dir), real = fs_real(a, given.s);
	struct str cwd = fs_cwd(a), start = real.s ? real : cwd.s ? path_from(a, cwd, given) : given;
	struct project_dirs all;

	project_find_above(&all, start, WITHIN_REPOSITORY);
	for (size_t i = 0; i < all.count; i++) {
		bool was_there;
		struct err err;

		if (project_revoke(a, all.dirs[i], &was_there, &err) < 0)
			return command_error(inv, err.msg);
		if (was_there)
			buf_cat(out, all.dirs[i], " is no longer trusted.\n");
	}
	return out->n > 0 ? 0 : command_error(inv, start, " was not trusted");
}

static int
list_all(struct arena *a, const struct invocation *inv, bool is_json, struct buf *out)
{
	struct trust_list list;
	struct err err;

	if (trust_list(a, &list, &err) < 0)
		return command_error(inv, err.msg);
	for_each (t, list.items, list.count) {
		struct definitions now = { 0 }, then = definitions_parse(a, t->definitions);
		bool is_known = definitions_read(a, t->root, &now, &err) == 0, is_pinned = t->copy.s != NULL;
		struct str changed = is_known ? definitions_changed_text(a, &then, &now)
					      : STR("the definitions can't be read");

		if (is_json) {
			json_add_object(out, NULL, "project", t->root, "since", t->since, "pinned", is_pinned,
					"from", t->from, "changed", changed);
			continue;
		}
		buf_cat(out, strip_escapes_line(a, t->root), "  ", is_pinned ? "pinned" : "trusted",
			t->from.s ? " to " : "", strip_escapes_line(a, t->from), " since ", t->since,
			changed.s ? "; changed since: " : "", changed, "\n");
	}
	if (list.count == 0 && !is_json)
		buf_cat(out, "No project is trusted.\n");
	return 0;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	bool is_list = option_has(inv, "list"), is_revoke = option_has(inv, "revoke");
	bool is_json = option_has(inv, "json") && !is_revoke;
	struct buf out = BUF(a, MIB(16));

	if (is_list + is_revoke + option_has(inv, "pin") + option_has(inv, "no-pin") > 1)
		return usage_error(inv, "give only one of --pin, --no-pin, --list and --revoke");
	if (!is_list && client_agent_runs_us(env_has))
		return command_error(inv,
				     "an agent runs this command, and only you can decide what is trusted; "
				     "type it in a terminal of your own");
	if (is_json) {
		json_open(&out, NULL, '{');
		json_open(&out, "projects", '[');
	}
	if ((is_list     ? list_all(a, inv, is_json, &out)
	     : is_revoke ? revoke_dirs(a, inv, &out)
			 : trust_dirs(a, inv, is_json, &out)) != 0)
		return 1;
	if (is_json)
		json_close(&out, "]}\n");
	return print_out(buf_str(&out));
}

const struct command trust_command = {
	.name = "trust",
	.summary = "agree to what a project runs at a stop",
	.details = HELP_TRUST,
	.args = "[DIR]",
	.most_args = 1,
	TAKES(FLAG("pin", "also keep a copy of the definitions, which is used until you accept others"),
	      FLAG("no-pin", "remove the copy: the definitions in the working tree are used"),
	      FLAG("list", "list the projects that are trusted"),
	      FLAG("revoke", "trust the project no longer"),
	      FLAG("json", "print one JSON object, for scripts")),
	.run = run,
};
