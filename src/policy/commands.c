/* SPDX-License-Identifier: MIT */
/* Stop commands: the user's own checks, run one after the other. The first that fails blocks the stop; so do files that
 * the commands leave in the project's root, where that is forbidden. */
#include "policy/commands.h"

#include "base/escapes.h"
#include "base/path.h"
#include "client/client.h"
#include "git/git.h"
#include "policy/events.h"

#define ROOT_NAMES_MAX 100000

/* ---- one command ---- */

static struct verdict
infrastructure_error(struct stop_context *s, const char *message)
{
	return (struct verdict){ .status = STATUS_INFRASTRUCTURE_ERROR,
				 .message = str_copy(s->arena, str_from(message)) };
}

/* Returns false, for the caller that has nothing more to say. */
static bool
notify_of_command(struct stop_context *s, const struct conclaude_command *c, enum notice what,
		  const char *words)
{
	struct str name = c->shows_command ? command_name(s, c) : STR("");

	if (c->notifies)
		notify(s, &event_rows[EVENT_Stop], what,
		       str_fmt(s->arena, "%s%s" STR_FMT, words, name.n > 0 ? ": " : "", STR_ARG(name)));
	return false;
}

/* False: it passed. */
static bool
run_command(struct stop_context *s, const struct conclaude_command *c, const char *const *env,
	    struct verdict *ret)
{
	CLEANUP(command_output_close) struct command_output output = { .command = c, .file = SPILL_NONE };
	struct proc_result r;
	struct err err;

	if (command_execute(s, c, env, &output, &r, &err) < 0)
		*ret = infrastructure_error(s, err.msg);
	else if (r.end == PROC_EXITED && r.code == 0)
		return notify_of_command(s, c, NOTICE_SUCCESS, "Command completed");
	else if (r.end == PROC_DEADLINE)
		*ret = infrastructure_error(s, "the stop commands did not end before the hook's deadline");
	else if (r.end == PROC_LOST)
		*ret = infrastructure_error(s, "the result of a stop command could not be read");
	else
		*ret = command_failure(s, &output, &r);
	(void)notify_of_command(s, c, NOTICE_FAILURE,
				r.end == PROC_TIMED_OUT ? "Command timed out" : "Command failed");
	return true;
}

bool
stop_commands_run(struct stop_context *s, const struct event_call *call,
		  const struct conclaude_command *commands, size_t count, struct verdict *ret)
{
	const char *const *env = command_environment(s, call, NULL, 0);
	size_t number = 0, total = 0;

	for (size_t i = 0; i < count; i++)
		total += !command_is_empty(commands[i].run);
	for (size_t i = 0; i < count; i++) {
		if (command_is_empty(commands[i].run))
			continue;
		buf_addf(&s->progress, "Executing command %zu/%zu", ++number, total);
		if (commands[i].shows_command)
			buf_addf(&s->progress, ": " STR_FMT,
				 STR_ARG(strip_escapes(s->arena, str_trim(commands[i].run))));
		buf_addc(&s->progress, '\n');
		if (run_command(s, &commands[i], env, ret))
			return true;
	}
	return false;
}

/* ---- the project's root ---- */

/* False, with a warning: the names can't be read. */
static bool
list_root(struct stop_context *s, struct fs_names *ret)
{
	struct err err;

	if (fs_list(s->arena, s->conclaude->dir.s, ROOT_NAMES_MAX, ret, &err) == 0)
		return true;
	stop_warn(s, "can't check for files added to the project's root: %s", err.msg);
	return false;
}

/* Both lists are sorted. Names that begin with a dot do not count. */
static struct str_list
added_names(struct arena *a, const struct fs_names *before, const struct fs_names *after)
{
	struct str_list added = { .items = arena_array(a, after->count + 1, struct str) };
	size_t i = 0;

	for (size_t k = 0; k < after->count; k++) {
		struct str name = after->items[k];

		while (i < before->count && str_cmp(before->items[i], name) < 0)
			i++;
		if ((i >= before->count || !str_eq(before->items[i], name)) && name.s[0] != '.')
			added.items[added.count++] = name;
	}
	return added;
}

/* What the commands left in the root and git does not ignore; empty: nothing. */
static struct str
root_additions(struct stop_context *s, const struct fs_names *before)
{
	const struct repository here = { .root = s->conclaude->dir, .deadline_ms = s->deadline_ms };
	struct buf list = BUF(s->arena, SIZE_MAX);
	struct fs_names after;
	size_t more = 0;

	if (!list_root(s, &after))
		return STR("");
	struct str_list added = added_names(s->arena, before, &after);

	if (added.count > 0)
		added = git_not_ignored(s->arena, &here, &added);
	for (size_t i = 0; i < added.count; i++) {
		struct str name = strip_escapes_line(s->arena, added.items[i]);

		if (list.n + name.n > REASON_LIMIT_BYTES / 2)
			more++;
		else
			buf_addf(&list, "%s" STR_FMT, list.n ? ", " : "", STR_ARG(name));
	}
	if (more > 0)
		buf_addf(&list, " and %zu more", more);
	return buf_str(&list);
}

/* ---- the policy ---- */

static bool
decide(struct stop_context *s, struct verdict *ret)
{
	const struct conclaude_command *commands = s->conclaude->stop.commands.items;
	size_t count = s->conclaude->stop.commands.count, total = 0;
	struct fs_names before = { 0 };

	for (size_t i = 0; i < count; i++) {
		total += !command_is_empty(commands[i].run);
		if (s->is_dry && !command_is_empty(commands[i].run))
			buf_addf(&s->would_run, "stop command: " STR_FMT "\n",
				 STR_ARG(strip_escapes_line(s->arena, str_trim(commands[i].run))));
	}
	if (s->is_dry && total > 0) {
		*ret = (struct verdict){ .status = STATUS_COMMANDS_PASSED };
		return true;
	}
	buf_addf(&s->progress, "Executing %zu stop hook commands\n", total);
	if (total > 0 && s->front_end == FRONT_END_HOLDFAST)
		stop_prepare_interrupted(s);
	bool watches_root = total > 0 && s->conclaude->pre_tool_use.prevents_root_additions &&
			    list_root(s, &before);

	if (total > 0 && stop_commands_run(s, NULL, commands, count, ret))
		return true;
	buf_add(&s->progress, STR("All stop hook commands completed successfully\n"));
	if (total == 0)
		return false;
	*ret = (struct verdict){ .status = STATUS_COMMANDS_PASSED };
	struct str names = watches_root ? root_additions(s, &before) : STR("");

	if (names.n > 0) {
		struct str text = str_fmt(s->arena, "Unauthorized root additions detected: " STR_FMT,
					  STR_ARG(names));

		*ret = (struct verdict){ .status = STATUS_ROOT_ADDITIONS, .message = text, .reason = text };
		if (s->front_end == FRONT_END_HOLDFAST)
			ret->message = str_fmt(
				s->arena, STR_FMT " (%s allows them; files that git ignores do not count)",
				STR_ARG(text),
				str_is(path_base(s->conclaude->path), "holdfast.yml")
					? "keep_root_clean: false in holdfast.yml"
					: "preToolUse.preventRootAdditions: false in .conclaude.yaml");
	}
	return true;
}

bool
commands_policy(struct stop_context *s, struct verdict *ret)
{
	return s->conclaude && decide(s, ret);
}
