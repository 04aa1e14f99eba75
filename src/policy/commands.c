/* SPDX-License-Identifier: MIT */
/* Stop commands: the user's own checks, run one after the other. The first that fails blocks the stop; so do files that
 * the commands leave in the project's root, where that is forbidden. */
#include "policy/commands.h"

#include "base/escapes.h"
#include "base/path.h"
#include "client/client.h"
#include "git/git.h"

/* From TERM to KILL: all processes of a command are gone within a second of its timeout. */
#define GRACE_MS 500
#define ROOT_NAMES_MAX 100000

/* Only blank lines and comments: nothing to run. */
static bool
is_empty_script(struct str run)
{
	struct str line;

	while (str_next(&run, '\n', &line)) {
		line = str_trim(line);
		if (line.n > 0 && line.s[0] != '#')
			return false;
	}
	return true;
}

/* ---- one command ---- */

static const char *const *
environment(struct stop_context *s)
{
	const struct {
		const char *name;
		struct str value;
	} rows[] = {
		{ "CONCLAUDE_CONFIG_DIR", s->conclaude->dir },
		{ "CONCLAUDE_SESSION_ID", s->event->session_id },
		{ "CONCLAUDE_TRANSCRIPT_PATH", s->event->transcript_path },
		{ "CONCLAUDE_CWD", s->event->cwd },
		{ "CONCLAUDE_HOOK_EVENT", STR("Stop") },
		{ "CONCLAUDE_AGENT", s->agent },
		{ "CONCLAUDE_AGENT_NAME", s->agent },
		/* An agent that a command runs stops too, and that stop must not run the commands again. */
		{ "GAUNTLET_STOP_HOOK_ACTIVE", STR("1") },
	};
	const char **env = arena_array(s->arena, COUNT_OF(rows) + 1, const char *);
	size_t count = 0;

	/* A value with a NUL byte can't be in an environment. */
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (rows[i].value.s && str_find_char(rows[i].value, '\0') < 0)
			env[count++] =
				str_fmt(s->arena, "%s=" STR_FMT, rows[i].name, STR_ARG(rows[i].value)).s;
	return env;
}

static void
on_output(void *context, int stream, struct str bytes)
{
	struct command_output *o = context;

	if (stream == 1 ? o->command->shows_stdout : o->command->shows_stderr)
		spill_add(&o->file, bytes);
}

static void
close_output(struct command_output *o)
{
	spill_close(&o->file);
}

static struct verdict
infrastructure_error(struct stop_context *s, const char *message)
{
	return (struct verdict){ .status = STATUS_INFRASTRUCTURE_ERROR,
				 .message = str_copy(s->arena, str_from(message)) };
}

/* False: it passed. */
static bool
run_command(struct stop_context *s, const struct conclaude_command *c, const char *const *env,
	    struct verdict *ret)
{
	CLEANUP(close_output) struct command_output output = { .command = c, .file = SPILL_NONE };
	struct err err;
	const char *script;

	if ((c->shows_stdout || c->shows_stderr) &&
	    spill_begin(s->arena, s->event->session_id, &output.file, &err) < 0)
		output.file_error = str_copy(s->arena, str_from(err.msg));
	if (str_cz(s->arena, c->run, &script, &err) < 0) {
		*ret = infrastructure_error(s, err.msg);
		return true;
	}
	const char *const argv[] = { "bash", "-e", "-c", script, NULL };
	struct proc_spec spec = {
		.argv = argv,
		.dir = s->conclaude->dir.s,
		.env = env,
		.timeout_ms = c->timeout_s * 1000,
		.deadline_ms = s->deadline_ms,
		.grace_ms = GRACE_MS,
		.output = on_output,
		.owner = &output,
	};
	struct proc_result r;

	if (proc_run(s->arena, &spec, &r, &err) < 0)
		*ret = infrastructure_error(s, err.msg);
	else if (r.end == PROC_EXITED && r.code == 0)
		return false;
	else if (r.end == PROC_DEADLINE)
		*ret = infrastructure_error(s, "the stop commands did not end before the hook's deadline");
	else if (r.end == PROC_LOST)
		*ret = infrastructure_error(s, "the result of a stop command could not be read");
	else
		*ret = command_failure(s, &output, &r);
	return true;
}

/* False: all passed. */
static bool
run_commands(struct stop_context *s, const struct conclaude_command *commands, size_t count, size_t total,
	     struct verdict *ret)
{
	const char *const *env = environment(s);
	size_t number = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_empty_script(commands[i].run))
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
		total += !is_empty_script(commands[i].run);
		if (s->is_dry && !is_empty_script(commands[i].run))
			buf_addf(&s->would_run, "stop command: " STR_FMT "\n",
				 STR_ARG(strip_escapes_line(s->arena, str_trim(commands[i].run))));
	}
	if (s->is_dry && total > 0) {
		*ret = (struct verdict){ .status = STATUS_COMMANDS_PASSED };
		return true;
	}
	buf_addf(&s->progress, "Executing %zu stop hook commands\n", total);
	bool watches_root = total > 0 && s->conclaude->pre_tool_use.prevents_root_additions &&
			    list_root(s, &before);

	if (total > 0 && run_commands(s, commands, count, total, ret))
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
