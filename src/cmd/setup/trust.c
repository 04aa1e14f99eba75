/* SPDX-License-Identifier: MIT */
/* holdfast trust: shows what a project would run, and records that the user agrees. */
#include "base/buf.h"
#include "base/escapes.h"
#include "base/path.h"
#include "client/client.h"
#include "cmd/commands.h"
#include "cmd/setup/init_gates.h"
#include "conf/conclaude.h"
#include "conf/gates.h"
#include "conf/holdfast.h"
#include "doc/json.h"
#include "os/env.h"
#include "os/fs.h"
#include "project/project.h"
#include "project/trust.h"
#include "ui/print.h"

/* One thing that a project runs. */
struct runs {
	const char *kind; /* check, rerun, fix, review, reviewer, command, event, allows, notify, loop */
	struct str name;  /* of a gate */
	struct str what;  /* the command, or the reviewers */
};

/* A directory with definitions. */
struct shown {
	struct str root;
	struct definitions definitions;
	struct runs *items;
	size_t count, capacity;
	struct str_list problems;
	size_t problem_capacity;
};

static void
add_runs(struct arena *a, struct shown *s, const char *kind, struct str name, struct str what)
{
	arena_make_room(a, s->items, s->count, &s->capacity);
	s->items[s->count++] = (struct runs){ kind, name, what };
}

static void
add_problem(struct arena *a, struct shown *s, struct str text)
{
	arena_make_room(a, s->problems.items, s->problems.count, &s->problem_capacity);
	s->problems.items[s->problems.count++] = text;
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
		add_problem(a, s, str_copy(a, str_from(err.msg)));
		return;
	}
	for (size_t i = 0; i < c.check_count; i++) {
		add_runs(a, s, "check", c.checks[i].name, c.checks[i].command);
		if (c.checks[i].rerun_command.s)
			add_runs(a, s, "rerun", c.checks[i].name, c.checks[i].rerun_command);
		if (c.checks[i].fix_command.s)
			add_runs(a, s, "fix", c.checks[i].name, c.checks[i].fix_command);
	}
	for (size_t i = 0; i < c.review_count; i++) {
		struct buf b = BUF(a, SIZE_MAX);

		for (size_t k = 0; k < c.reviews[i].cli_preference.count; k++)
			buf_addf(&b, "%s" STR_FMT, k > 0 ? ", " : "",
				 STR_ARG(c.reviews[i].cli_preference.items[k]));
		add_runs(a, s, "review", c.reviews[i].name, buf_str(&b));
	}
	for (size_t i = 0; i < c.reviewer_count; i++) {
		struct buf b = BUF(a, SIZE_MAX);

		for (size_t k = 0; k < c.reviewers[i].command.count; k++)
			buf_addf(&b, "%s" STR_FMT, k > 0 ? " " : "",
				 STR_ARG(c.reviewers[i].command.items[k]));
		if (b.n > 0)
			add_runs(a, s, "reviewer", c.reviewers[i].name, buf_str(&b));
	}
}

static void
add_section(struct arena *a, struct shown *s, const struct event_row *row,
	    const struct conclaude_section *section)
{
	for (size_t i = 0; i < section->count; i++)
		add_runs(a, s, "event", row->name, section->commands[i].run);
	for (size_t i = 0; i < section->pattern_count; i++)
		for (size_t k = 0; k < section->patterns[i].count; k++)
			add_runs(a, s, "event", row->name, section->patterns[i].commands[k].run);
}

static void
add_commands(struct arena *a, struct shown *s)
{
	bool is_native = gates_are_native(s->root);
	struct str path = is_native ? STR_NONE : conclaude_find(a, &s->root, 1);
	struct conclaude_config c;
	struct err err;

	if (!path.s && !is_native)
		return;
	if ((is_native ? holdfast_load_policies(a, holdfast_read(a, s->root), s->root, &c, &err)
		       : conclaude_load(a, path, &c, &err)) < 0) {
		if (!is_native) /* else it was the gates' problem already */
			add_problem(a, s, str_copy(a, str_from(err.msg)));
		return;
	}
	for (size_t i = 0; i < c.stop.commands.count; i++)
		add_runs(a, s, "command", STR_NONE, c.stop.commands.items[i].run);
	for (size_t e = 0; e < EVENT_COUNT; e++)
		add_section(a, s, &event_rows[e], &c.sections[e]);
	add_section(a, s, &event_rows[EVENT_UserPromptSubmit], &c.slash_commands);
	if (c.worktree_command.s)
		add_runs(a, s, "event", event_rows[EVENT_WorktreeCreate].name, c.worktree_command);
	/* What runs without a question to the user. */
	for (size_t i = 0; c.permissions && i < c.permissions->allow.count; i++)
		add_runs(a, s, "allows", STR_NONE, c.permissions->allow.items[i]);
	if (c.notify && c.notify->command.s)
		add_runs(a, s, "notify", STR_NONE, c.notify->command);
	struct holdfast_loop loop;

	if (!is_native || holdfast_load_loop(a, holdfast_read(a, s->root), &loop, &err) < 0)
		return;
	for (size_t i = 0; i < loop.verify.count; i++)
		if (!str_is(loop.verify.items[i], "gates"))
			add_runs(a, s, "loop", STR_NONE, loop.verify.items[i]);
}

static int
show_dir(struct arena *a, struct str root, struct shown *ret, struct err *err)
{
	*ret = (struct shown){ .root = root };
	if (definitions_read(a, root, &ret->definitions, err) < 0 ||
	    definitions_check_safe(a, root, &ret->definitions, err) < 0)
		return -1;
	add_gates(a, ret);
	add_commands(a, ret);
	return 0;
}

/* ---- output ---- */

/* Of a command, each line is indented. */
static void
add_lines(struct buf *b, struct str text)
{
	struct str line;
	bool is_first = true;

	while (str_next(&text, '\n', &line)) {
		buf_addf(b, "%s", is_first ? "" : "                    ");
		buf_add(b, strip_escapes_line(b->arena, line));
		buf_addc(b, '\n');
		is_first = false;
	}
}

static struct str
shown_as_text(struct arena *a, const struct shown *s)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_add(&b, strip_escapes_line(a, s->root));
	buf_add(&b, STR(" runs at a stop:\n"));
	for (size_t i = 0; i < s->count; i++) {
		buf_addf(&b, "  %-8s  ", s->items[i].kind);
		if (s->items[i].name.s) {
			buf_add(&b, strip_escapes_line(a, s->items[i].name));
			buf_add(&b, STR(": "));
		}
		add_lines(&b, s->items[i].what);
	}
	if (s->count == 0)
		buf_add(&b, STR("  nothing yet\n"));
	for (size_t i = 0; i < s->problems.count; i++) {
		buf_add(&b, STR("  warning   "));
		add_lines(&b, s->problems.items[i]);
	}
	return buf_str(&b);
}

static void
add_definitions_json(struct buf *b, const struct definitions *d)
{
	json_add_key(b, "definitions");
	buf_addc(b, '[');
	for (size_t i = 0; i < d->count; i++) {
		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "file", d->items[i].name);
		json_add_member(b, "digest", definition_digest(b->arena, &d->items[i]));
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static void
add_shown_json(struct buf *b, const struct shown *s, bool is_pinned)
{
	buf_addc(b, '{');
	json_add_member(b, "project", s->root);
	json_add_member_bool(b, "pinned", is_pinned);
	json_add_key(b, "runs");
	buf_addc(b, '[');
	for (size_t i = 0; i < s->count; i++) {
		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "kind", str_from(s->items[i].kind));
		if (s->items[i].name.s)
			json_add_member(b, "name", s->items[i].name);
		json_add_member(b, "command", s->items[i].what);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
	json_add_key(b, "problems");
	json_add_strings(b, s->problems.items, s->problems.count);
	add_definitions_json(b, &s->definitions);
	buf_addc(b, '}');
}

/* ---- the forms of the command ---- */

/* An agent must not agree in the user's place. */
static int
refuse_agent(const struct invocation *inv)
{
	return command_fail(inv,
			    "an agent runs this command, and only you can decide what is trusted; type it "
			    "in a terminal of your own");
}

/* The directories from DIR (default: the current one) upwards that have definitions, or are trusted and had some. */
static int
find_dirs(struct arena *a, const struct invocation *inv, struct project_dirs *ret)
{
	struct str dir = inv->arg_count > 0 ? inv->args[0] : STR(".");
	struct str start = fs_real(a, str_copy(a, dir).s);
	struct project_dirs all;

	ret->count = 0;
	if (!start.s || fs_kind(start.s) != FS_DIR)
		return command_fail(inv, "'" STR_FMT "' is not a directory", STR_ARG(dir));
	project_find_above(&all, start, WITHIN_REPOSITORY);
	for (size_t i = 0; i < all.count; i++) {
		struct trust t;
		bool is_there = false;
		struct err ignored;

		if (definitions_exist(all.dirs[i]) ||
		    (trust_find(a, all.dirs[i], &t, &is_there, &ignored) == 0 && is_there))
			ret->dirs[ret->count++] = str_copy(a, all.dirs[i]);
	}
	if (ret->count == 0)
		return command_fail(inv,
				    STR_FMT
				    " defines nothing that runs: there is no .gauntlet/config.yml, no "
				    ".conclaude.yaml and no holdfast.yml",
				    STR_ARG(start));
	return 0;
}

static int
trust_dirs(struct arena *a, const struct invocation *inv)
{
	bool is_json = option_has(inv, "json");
	struct buf out = BUF(a, MIB(16));
	struct project_dirs dirs;

	if (find_dirs(a, inv, &dirs) != 0)
		return 1;
	buf_add(&out, is_json ? STR("{\"projects\":[") : STR(""));
	for (size_t i = 0; i < dirs.count; i++) {
		struct shown s;
		bool is_pinned = false;
		struct err err;

		if (show_dir(a, dirs.dirs[i], &s, &err) < 0 ||
		    project_trust(a, s.root, &s.definitions,
				  option_has(inv, "pin")      ? PIN_YES
				  : option_has(inv, "no-pin") ? PIN_NO
							      : PIN_AS_BEFORE,
				  &is_pinned, &err) < 0)
			return command_fail(inv, "%s; nothing was trusted in " STR_FMT, err.msg,
					    STR_ARG(dirs.dirs[i]));
		if (gates_are_native(s.root))
			write_editor_schema(a, s.root);
		if (is_json) {
			buf_add(&out, i > 0 ? STR(",") : STR(""));
			add_shown_json(&out, &s, is_pinned);
			continue;
		}
		buf_add(&out, shown_as_text(a, &s));
		buf_addf(&out, "%s (%zu %s). 'holdfast trust --revoke' takes that back.\n",
			 is_pinned ? "Trusted and pinned" : "Trusted", s.definitions.count,
			 s.definitions.count == 1 ? "file" : "files");
	}
	buf_add(&out, is_json ? STR("]}\n") : STR(""));
	return print_out(buf_str(&out));
}

static int
revoke_dirs(struct arena *a, const struct invocation *inv)
{
	struct str dir = inv->arg_count > 0 ? inv->args[0] : STR(".");
	struct str given = str_copy(a, dir), real = fs_real(a, given.s);
	struct str cwd = fs_cwd(a), start = real.s ? real : cwd.s ? path_from(a, cwd, given) : given;
	struct project_dirs all;
	struct buf out = BUF(a, MIB(1));

	project_find_above(&all, start, WITHIN_REPOSITORY);
	for (size_t i = 0; i < all.count; i++) {
		bool was_there;
		struct err err;

		if (trust_revoke(a, all.dirs[i], &was_there, &err) < 0)
			return command_fail(inv, "%s", err.msg);
		if (was_there)
			buf_addf(&out, STR_FMT " is no longer trusted.\n", STR_ARG(all.dirs[i]));
	}
	if (out.n == 0)
		return command_fail(inv, STR_FMT " was not trusted", STR_ARG(start));
	return print_out(buf_str(&out));
}

static int
list_all(struct arena *a, const struct invocation *inv)
{
	bool is_json = option_has(inv, "json");
	struct buf out = BUF(a, MIB(16));
	struct trust_list list;
	struct err err;

	if (trust_list(a, &list, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	buf_add(&out, is_json ? STR("{\"projects\":[") : STR(""));
	for (size_t i = 0; i < list.count; i++) {
		const struct trust *t = &list.items[i];
		struct definitions now = { 0 }, then = definitions_parse(a, t->definitions);
		bool is_known = definitions_read(a, t->project, &now, &err) == 0;
		struct str changed = is_known ? definitions_changed_text(a, &then, &now)
					      : STR("the definitions can't be read");

		if (is_json) {
			buf_add(&out, i > 0 ? STR(",{") : STR("{"));
			json_add_member(&out, "project", t->project);
			json_add_member(&out, "since", t->since);
			json_add_member_bool(&out, "pinned", t->copy.s != NULL);
			if (changed.s)
				json_add_member(&out, "changed", changed);
			buf_addc(&out, '}');
			continue;
		}
		buf_add(&out, strip_escapes_line(a, t->project));
		buf_addf(&out, "  %s since " STR_FMT, t->copy.s ? "pinned" : "trusted", STR_ARG(t->since));
		if (changed.s)
			buf_addf(&out, "; changed since: " STR_FMT, STR_ARG(changed));
		buf_addc(&out, '\n');
	}
	if (list.count == 0 && !is_json)
		buf_add(&out, STR("No project is trusted.\n"));
	buf_add(&out, is_json ? STR("]}\n") : STR(""));
	return print_out(buf_str(&out));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	if (option_has(inv, "list") + option_has(inv, "revoke") + option_has(inv, "pin") +
		    option_has(inv, "no-pin") >
	    1)
		return command_misuse(inv, "give only one of --pin, --no-pin, --list and --revoke");
	if (option_has(inv, "list"))
		return list_all(a, inv);
	if (client_agent_runs_us(env_has))
		return refuse_agent(inv);
	return option_has(inv, "revoke") ? revoke_dirs(a, inv) : trust_dirs(a, inv);
}

static const struct option_row options[] = {
	{ .name = "pin",
	  .help = "also keep a copy of the definitions, which is used until you accept others" },
	{ .name = "no-pin", .help = "remove the copy: the definitions in the working tree are used" },
	{ .name = "list", .help = "list the projects that are trusted" },
	{ .name = "revoke", .help = "trust the project no longer" },
	{ .name = "json", .help = "print one JSON object, for scripts" },
};

const struct command trust_command = {
	.name = "trust",
	.summary = "agree to what a project runs at a stop",
	.details = "Shows the checks, reviews and commands that are defined in DIR (default: here) and the "
		   "directories above it, up to the repository's root, and records that they may run. "
		   "Where holdfast is registered for all projects, by 'holdfast init --user' or by the "
		   "plugin, a project that is not trusted runs nothing.\n\n"
		   "With --pin, a copy of the definitions is kept and used until 'holdfast trust' accepts "
		   "others, or until the base branch on the remote has the same ones. So an agent that "
		   "changes a gate does not change what it must pass.\n\n"
		   "An agent can't run this command for you.",
	.args = "[DIR]",
	.most_args = 1,
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
