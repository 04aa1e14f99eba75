/* SPDX-License-Identifier: MIT */
/* holdfast restore: puts protected files back as they were when the user sent the last prompt. */
#include "client/client.h"
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "doc/json.h"
#include "guards/protected/protected.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "project/project.h"
#include "project/trust.h"
#include "ui/print.h"

struct restore {
	struct arena *arena;
	const struct invocation *inv;
	struct source source;
	struct protected_rules rules;
	struct protected_state state;
	struct protected_files now;
	struct protected_changes changes;
};

/* The project around the current directory with the guards that count, and what is known of its files. */
static int
find(struct restore *r, struct err *err)
{
	struct arena *a = r->arena;
	const struct guards_config *guards = NULL;
	struct project_dirs where;
	struct str cwd = fs_cwd(a), session = client_session(env_get);

	project_find(&where, cwd, WITHIN_REPOSITORY);
	struct str root = gates_find(a, where.dirs, where.count);

	if (root.s)
		source_find(a, str_copy(a, root), &r->source);
	if (r->source.problem.s)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(r->source.problem));
	if (root.s && r->source.native && holdfast_load_guards(a, r->source.native, &guards, err) < 0)
		return -1;
	if (!guards || guards->protect.count == 0)
		return err_set(err, ERR_VALUE,
			       "nothing is protected here: no holdfast.yml in " STR_FMT
			       " or above it has guards.protect",
			       STR_ARG(cwd));
	r->rules = protected_rules_of(a, r->source.root, &guards->protect);
	if (session.n > 0)
		protected_load(a, r->source.root, session, &r->state);
	if (!r->state.exists)
		protected_load_newest(a, r->source.root, &r->state);
	if (!r->state.exists)
		return err_set(err, ERR_VALUE,
			       "no session has begun in " STR_FMT
			       " yet, so that nothing is known of its files",
			       STR_ARG(r->source.root));
	if (protected_look(a, &r->rules, &r->state.files, false, &r->now, err) < 0)
		return -1;
	r->changes = protected_compare(a, &r->state.files, &r->now);
	return 0;
}

/* Leaves the changes at or below the paths of the command line. Fails if one of them has not changed. */
static int
select_paths(struct restore *r, struct err *err)
{
	struct arena *a = r->arena;
	size_t kept = 0;
	bool *is_wanted = arena_array(a, r->changes.count, bool);

	if (r->inv->arg_count == 0)
		return 0;
	for (size_t i = 0; i < r->inv->arg_count; i++) {
		struct str full = path_normalise(a, path_from(a, fs_cwd(a), r->inv->args[i]));
		struct str path = path_relative(a, r->source.root, full);
		bool is_found = false;

		for (size_t k = 0; k < r->changes.count; k++)
			if (!path.s || path_is_at_or_below(protected_path(&r->changes.items[k]), path))
				is_found = is_wanted[k] = true;
		if (!is_found)
			return err_set(err, ERR_VALUE, "'" STR_FMT "' is as it was, or is not protected",
				       STR_ARG(r->inv->args[i]));
	}
	for (size_t k = 0; k < r->changes.count; k++)
		if (is_wanted[k])
			r->changes.items[kept++] = r->changes.items[k];
	r->changes.count = kept;
	return 0;
}

static int
list(const struct restore *r)
{
	struct arena *a = r->arena;
	struct buf b = BUF(a, SIZE_MAX);
	bool is_json = option_has(r->inv, "json");

	if (is_json) {
		json_open(&b, NULL, '{');
		json_add(&b, "root", r->source.root, "taken", clock_format_seconds(a, r->state.taken_us));
		json_open(&b, "files", '[');
	}
	for_each (c, r->changes.items, r->changes.count) {
		if (is_json)
			json_add_object(&b, NULL, "path", protected_path(c), "change", protected_words(a, c));
		else
			buf_cat(&b, protected_path(c), " ", protected_words(a, c), "\n");
	}
	if (is_json)
		json_close(&b, "]}\n");
	else if (r->changes.count == 0)
		buf_cat(&b, "All protected files are as they were at ",
			clock_format_seconds(a, r->state.taken_us), ".\n");
	return print_out(buf_str(&b));
}

/* They count as they are now. */
static int
accept(struct restore *r)
{
	struct err err;

	if (client_agent_runs_us(env_has))
		return command_error(r->inv, "an agent runs this command, and only you can accept a change; "
					     "type it in a terminal of your own");
	protected_accept(r->arena, &r->state.files, &r->changes);
	if (protected_save(r->arena, &r->state, &err) < 0)
		return command_error(r->inv, err.msg);
	for (size_t i = 0; i < r->changes.count; i++)
		print_cat("accepted ", protected_path(&r->changes.items[i]), "\n");
	return 0;
}

static int
put_back(struct restore *r)
{
	int exit_code = 0;

	for_each (c, r->changes.items, r->changes.count) {
		const char *verb = c->how == PROTECTED_APPEARED ? "removed" : "restored";
		struct str kept;
		struct err err;

		if (option_has(r->inv, "dry-run")) {
			print_cat("would be ", verb, ": ", protected_path(c), "\n");
			continue;
		}
		if (protected_restore(r->arena, r->source.root, c, &kept, &err) < 0) {
			exit_code = command_error(r->inv, err.msg);
			continue;
		}
		print_cat(verb, " ", protected_path(c), kept.s ? " (what was there is in " : "",
			  kept.s ? kept : STR(""), kept.s ? ")" : "", "\n");
	}
	return exit_code;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct restore r = { .arena = a, .inv = inv };
	struct err err;

	if (option_has(inv, "json") && !option_has(inv, "list"))
		return usage_error(inv, "--json is for --list");
	if (find(&r, &err) < 0 || select_paths(&r, &err) < 0)
		return command_error(inv, err.msg);
	if (option_has(inv, "list") || r.changes.count == 0)
		return list(&r);
	return option_has(inv, "accept") ? accept(&r) : put_back(&r);
}

const struct command restore_command = {
	.name = "restore",
	.summary = "put protected files back as they were",
	.details = HELP_RESTORE,
	.args = "[PATH...]",
	.most_args = ARGS_ANY,
	TAKES(FLAG("list", "only say which files are not as they were", .short_name = 'l'),
	      FLAG("dry-run", "say what would be put back, and change nothing"),
	      FLAG("accept", "keep the files as they are now; an agent can't do that"),
	      FLAG("json", "with --list: a JSON object")),
	.run = run,
};
