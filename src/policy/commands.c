/* SPDX-License-Identifier: MIT */
/* Stop commands: the user's own checks, run one after the other. The first that fails blocks the stop; so do files that
 * the commands leave in the project's root, where that is forbidden. */
#include "policy/events.h"

#include "git/git.h"
#include "os/fs.h"

#define ROOT_NAMES_MAX 100000

static size_t
count_of(const struct command_list *commands)
{
	size_t count = 0;

	for (size_t i = 0; i < commands->count; i++)
		count += !command_is_empty(commands->items[i].run);
	return count;
}

/* False: it passed. */
static bool
run_command(struct stop_context *s, const struct policy_command *c, const char *const *env,
	    struct verdict *ret)
{
	CLEANUP(command_end_close) struct command_end end;
	const struct event_row *row = &event_rows[EVENT_Stop];
	struct err err;

	if (command_execute(s, c, env, &end, &err) < 0) {
		*ret = verdict_of(STATUS_INFRASTRUCTURE_ERROR, str_cat(s->arena, err.msg));
		command_notify(s, row, c, NOTICE_FAILURE, "Command failed");
		return true;
	}
	if (end.process.end == PROC_DEADLINE)
		*ret = verdict_of(STATUS_INFRASTRUCTURE_ERROR,
				  STR("the stop commands did not end before the hook's deadline"));
	else if (end.process.end == PROC_LOST)
		*ret = verdict_of(STATUS_INFRASTRUCTURE_ERROR,
				  STR("the result of a stop command could not be read"));
	else if (!command_passed(&end.process))
		*ret = command_failure(s, &end);
	command_notify_end(s, row, &end);
	return !command_passed(&end.process);
}

bool
stop_commands_run(struct stop_context *s, const struct command_list *commands, struct verdict *ret)
{
	const char *const *env = command_environment(s, NULL, 0);
	size_t number = 0, total = count_of(commands);

	for_each (c, commands->items, commands->count) {
		if (command_is_empty(c->run))
			continue;
		buf_cat(&s->progress, "Executing command ", ++number, "/", total,
			c->shows_command ? ": " : "",
			c->shows_command ? strip_escapes(s->arena, str_trim(c->run)) : STR(""), "\n");
		if (run_command(s, c, env, ret))
			return true;
	}
	return false;
}

/* ---- the project's root ---- */

/* False, with a warning: the names can't be read. */
static bool
list_root(struct stop_context *s, struct str_list *ret)
{
	struct err err;

	if (fs_list(s->arena, s->policies->dir.s, ROOT_NAMES_MAX, ret, &err) == 0)
		return true;
	stop_warn(s, "can't check for files added to the project's root: ", err.msg);
	return false;
}

/* What the commands left in the root and git does not ignore; empty: nothing. */
static struct str
root_additions(struct stop_context *s, const struct str_list *before)
{
	const struct repository here = { .root = s->policies->dir, .deadline_ms = s->deadline_ms };
	struct buf list = BUF(s->arena, SIZE_MAX);
	struct str_list added = { 0 };
	struct str_list after;
	size_t at = 0, more = 0;

	if (!list_root(s, &after))
		return STR("");
	/* Both lists are sorted. Names that begin with a dot do not count. */
	for (size_t k = 0; k < after.count; k++) {
		struct str name = after.items[k];

		while (at < before->count && str_cmp(before->items[at], name) < 0)
			at++;
		if ((at >= before->count || !str_eq(before->items[at], name)) && name.s[0] != '.')
			*arena_push(s->arena, added.items, added.count) = name;
	}
	if (added.count > 0)
		added = git_not_ignored(s->arena, &here, &added);
	for (size_t i = 0; i < added.count; i++) {
		struct str name = strip_escapes_line(s->arena, added.items[i]);

		if (list.n + name.n > REASON_LIMIT_BYTES / 2)
			more++;
		else
			buf_cat(&list, list.n ? ", " : "", name);
	}
	if (more > 0)
		buf_cat(&list, " and ", more, " more");
	return buf_str(&list);
}

bool
commands_policy(struct stop_context *s, struct verdict *ret)
{
	struct str_list before = { 0 };

	if (!s->policies)
		return false;
	const struct command_list *commands = &s->policies->commands;
	const struct dialect *dialect = s->policies->dialect;
	size_t total = count_of(commands);

	for (size_t i = 0; s->is_dry && i < commands->count; i++)
		if (!command_is_empty(commands->items[i].run))
			buf_cat(&s->would_run, "stop command: ",
				strip_escapes_line(s->arena, str_trim(commands->items[i].run)), "\n");
	if (!s->is_dry || total == 0)
		buf_cat(&s->progress, "Executing ", total, " stop hook commands\n");
	if (total == 0) {
		buf_cat(&s->progress, "All stop hook commands completed successfully\n");
		return false;
	}
	*ret = verdict_of(STATUS_COMMANDS_PASSED, STR_NONE);
	if (s->is_dry)
		return true;
	if (s->front_end == FRONT_END_HOLDFAST)
		stop_prepare_interrupted(s);
	bool watches_root = s->policies->keeps_root_clean && list_root(s, &before);

	if (stop_commands_run(s, commands, ret))
		return true;
	buf_cat(&s->progress, "All stop hook commands completed successfully\n");
	struct str names = watches_root ? root_additions(s, &before) : STR("");

	if (names.n == 0)
		return true;
	struct str text = str_cat(s->arena, "Unauthorized root additions detected: ", names);

	*ret = (struct verdict){ .status = STATUS_ROOT_ADDITIONS, .message = text, .reason = text };
	if (s->front_end == FRONT_END_HOLDFAST)
		ret->message = str_cat(s->arena, text, " (", dialect->additions_key, ": false in ",
				       dialect->file, " allows them; files that git ignores do not count)");
	return true;
}
