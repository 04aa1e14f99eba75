/* SPDX-License-Identifier: MIT */
/* Stop commands: the user's own checks, run one after the other; the first that fails holds the agent back. Then
 * a look at what they left behind in the project's root. */
#include "base/excerpt.h"
#include "os/fs.h"
#include "os/proc.h"
#include "policy/failures.h"
#include "store/output.h"

#include <inttypes.h>

/* From TERM to KILL: all of a command's processes are gone within a second of its timeout. */
#define GRACE_MS 500
#define ROOT_NAMES_MAX 100000
/* What stands before the two outputs in a reason. */
#define TITLES_BYTES 32

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

static void
add_variable(struct arena *a, const char **env, size_t *count, const char *name, struct str value)
{
	/* What can't be in an environment, a NUL byte, is left out. */
	if (value.s && str_find_char(value, '\0') < 0)
		env[(*count)++] = str_fmt(a, "%s=" STR_FMT, name, STR_ARG(value)).s;
}

static const char *const *
environment(struct stop_context *s)
{
	const char **env = arena_array(s->arena, 9, const char *);
	size_t count = 0;

	add_variable(s->arena, env, &count, "CONCLAUDE_CONFIG_DIR", s->conclaude->dir);
	add_variable(s->arena, env, &count, "CONCLAUDE_SESSION_ID", s->event->session_id);
	add_variable(s->arena, env, &count, "CONCLAUDE_TRANSCRIPT_PATH", s->event->transcript_path);
	add_variable(s->arena, env, &count, "CONCLAUDE_CWD", s->event->cwd);
	add_variable(s->arena, env, &count, "CONCLAUDE_HOOK_EVENT", STR("Stop"));
	add_variable(s->arena, env, &count, "CONCLAUDE_AGENT", s->agent);
	add_variable(s->arena, env, &count, "CONCLAUDE_AGENT_NAME", s->agent);
	/* An agent that a command runs stops too, and that stop must not run the commands again, and so on. */
	add_variable(s->arena, env, &count, "GAUNTLET_STOP_HOOK_ACTIVE", STR("1"));
	return env;
}

struct outputs {
	struct str out, err; /* absent: not to be shown, or blank */
};

static struct outputs
shown(struct stop_context *s, const struct conclaude_command *c, const struct proc_result *r)
{
	struct outputs o = { STR_NONE, STR_NONE };
	struct str out = capture_text(&r->out, s->arena, (size_t)c->max_output_lines);
	struct str err = capture_text(&r->err, s->arena, (size_t)c->max_output_lines);

	if (c->shows_stdout && str_trim(out).n > 0)
		o.out = out;
	if (c->shows_stderr && str_trim(err).n > 0)
		o.err = err;
	return o;
}

/* What is shown of a command's output, as it comes. */
struct listener {
	const struct conclaude_command *command;
	struct output output;
	struct str no_output_why; /* absent: there is one */
};

static void
listen(void *context, int stream, struct str bytes)
{
	struct listener *l = context;

	if (stream == 1 ? l->command->shows_stdout : l->command->shows_stderr)
		output_add(&l->output, bytes);
}

static struct str
command_shown(struct stop_context *s, const struct conclaude_command *c)
{
	return excerpt(s->arena, str_trim(c->run), COMMAND_SHOWN_BYTES);
}

static void
add_section(struct buf *to, const char *title, struct str text)
{
	struct str line;

	if (!text.s)
		return;
	buf_addf(to, "  %s:\n", title);
	while (str_next(&text, '\n', &line)) {
		buf_add(to, STR("    "));
		buf_add(to, line);
		buf_addc(to, '\n');
	}
}

static struct str
join(struct stop_context *s, struct str first, struct outputs o)
{
	struct buf text = BUF(s->arena, SIZE_MAX);

	buf_add(&text, first);
	if (o.out.s) {
		buf_add(&text, STR("\nStdout: "));
		buf_add(&text, o.out);
	}
	if (o.err.s) {
		buf_add(&text, STR("\nStderr: "));
		buf_add(&text, o.err);
	}
	return buf_str(&text);
}

/* Both within so many bytes: a half each, and what one of them does not need is the other's. */
static struct outputs
fit(struct stop_context *s, struct outputs o, size_t room)
{
	size_t half = room / 2, for_out = o.err.n < half ? room - o.err.n : half;
	size_t for_err = o.out.n < half ? room - o.out.n : half;

	if (o.out.s)
		o.out = excerpt(s->arena, o.out, for_out);
	if (o.err.s)
		o.err = excerpt(s->arena, o.err, for_err);
	return o;
}

/* Where all of the output is that an answer could not hold. */
static struct str
kept(struct stop_context *s, const struct listener *l)
{
	struct err err;
	const char *how_much = l->output.is_cut ? "beginning of the" : "whole";

	if (l->no_output_why.s) {
		stop_warn(s, "the whole output could not be kept: " STR_FMT, STR_ARG(l->no_output_why));
		return STR("");
	}
	if (output_keep(s->arena, &l->output, &err) < 0) {
		stop_warn(s, "the whole output could not be kept: %s", err.msg);
		return STR("");
	}
	return str_fmt(s->arena, "\nThe %s output is in " STR_FMT, how_much, STR_ARG(l->output.path));
}

/* The message and the outputs that are shown, in so many bytes. */
static struct str
reason_of(struct stop_context *s, const struct listener *l, struct str first, struct outputs o, size_t limit)
{
	struct str whole = join(s, first, o);

	if (whole.n <= limit || (!o.out.s && !o.err.s))
		return whole;
	struct buf head = BUF(s->arena, SIZE_MAX);

	buf_add(&head, first);
	buf_add(&head, kept(s, l));
	size_t room = head.n + TITLES_BYTES < limit ? limit - head.n - TITLES_BYTES : 0;

	return join(s, buf_str(&head),
		    fit(s, o, room > 2 * EXCERPT_LEAST_BYTES ? room : 2 * EXCERPT_LEAST_BYTES));
}

/* `what` is the sentence for the case that the user has no message of his own. */
static struct verdict
failed(struct stop_context *s, const struct listener *l, const struct outputs *o, struct str state,
       struct str what)
{
	const struct conclaude_command *c = l->command;
	struct buf sections = BUF(s->arena, SIZE_MAX);
	size_t before = s->details.n;

	buf_add(&s->details, STR("Stop command failed:\n"));
	if (c->shows_command)
		buf_addf(&s->details, "  Command: " STR_FMT "\n", STR_ARG(command_shown(s, c)));
	buf_addf(&s->details, "  Status: " STR_FMT "\n", STR_ARG(state));
	size_t limit = REASON_LIMIT_BYTES - (s->details.n - before) - 1;
	struct str reason = reason_of(s, l, c->message.s ? c->message : what, *o, limit);

	/* Where both go to the agent, as with conclaude, the output is there twice if it is short, and once if not. */
	add_section(&sections, "Stdout", o->out);
	add_section(&sections, "Stderr", o->err);
	if (sections.n + reason.n <= limit)
		buf_add(&s->details, buf_str(&sections));
	return (struct verdict){ .status = STATUS_COMMAND_FAILED, .message = what, .reason = reason };
}

static struct str
with_command(struct stop_context *s, const struct conclaude_command *c, struct str what)
{
	if (!c->shows_command)
		return what;
	return str_fmt(s->arena, STR_FMT ": " STR_FMT, STR_ARG(what), STR_ARG(command_shown(s, c)));
}

static struct verdict
infrastructure(struct stop_context *s, const char *what)
{
	return (struct verdict){ .status = STATUS_INFRASTRUCTURE_ERROR,
				 .message = str_copy(s->arena, str_from(what)) };
}

static struct verdict
judge(struct stop_context *s, const struct listener *l, const struct proc_result *r)
{
	const struct conclaude_command *c = l->command;
	struct outputs o = shown(s, c, r);
	int code = r->end == PROC_EXITED ? r->code : 1;

	if (r->end == PROC_DEADLINE)
		return infrastructure(s, "the stop commands did not end before the hook's deadline");
	if (r->end == PROC_TIMED_OUT) {
		struct str what = str_fmt(s->arena, "Command timed out after %" PRId64 " seconds",
					  c->timeout_s);

		return failed(s, l, &o, what, with_command(s, c, what));
	}
	return failed(s, l, &o, str_fmt(s->arena, "Failed (exit code: %d)", code),
		      with_command(s, c, str_fmt(s->arena, "Command failed with exit code %d", code)));
}

static void
listener_close(struct listener *l)
{
	output_close(&l->output);
}

/* False: it passed. */
static bool
run_one(struct stop_context *s, const struct conclaude_command *c, const char *const *env,
	struct verdict *ret)
{
	CLEANUP(listener_close) struct listener listener = { .command = c, .output = OUTPUT_NONE };
	struct err err;
	const char *script;

	if ((c->shows_stdout || c->shows_stderr) &&
	    output_begin(s->arena, s->event->session_id, &listener.output, &err) < 0)
		listener.no_output_why = str_copy(s->arena, str_from(err.msg));
	if (str_cz(s->arena, c->run, &script, &err) < 0) {
		*ret = infrastructure(s, err.msg);
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
		.output = listen,
		.owner = &listener,
	};
	struct proc_result r;

	if (proc_run(s->arena, &spec, &r, &err) < 0) {
		*ret = infrastructure(s, err.msg);
		return true;
	}
	if (r.end == PROC_EXITED && r.code == 0)
		return false;
	*ret = judge(s, &listener, &r);
	return true;
}

/* Both are sorted. Names that begin with a dot do not count. */
static struct str
additions(struct arena *a, const struct fs_names *before, const struct fs_names *after)
{
	struct buf list = BUF(a, SIZE_MAX);
	size_t i = 0, more = 0;

	for (size_t k = 0; k < after->count; k++) {
		struct str name = after->items[k];

		while (i < before->count && str_cmp(before->items[i], name) < 0)
			i++;
		if ((i < before->count && str_eq(before->items[i], name)) || name.s[0] == '.')
			continue;
		if (list.n + name.n > REASON_LIMIT_BYTES / 2)
			more++;
		else
			buf_addf(&list, "%s" STR_FMT, list.n ? ", " : "", STR_ARG(name));
	}
	if (more > 0)
		buf_addf(&list, " and %zu more", more);
	return buf_str(&list);
}

static bool
look_at_root(struct stop_context *s, const struct fs_names *before, struct verdict *ret)
{
	struct fs_names after;
	struct err err;

	if (fs_list(s->arena, s->conclaude->dir.s, ROOT_NAMES_MAX, &after, &err) < 0) {
		stop_warn(s, "root additions can't be looked for: %s", err.msg);
		return false;
	}
	struct str names = additions(s->arena, before, &after);

	if (names.n == 0)
		return false;
	struct str text = str_fmt(s->arena, "Unauthorized root additions detected: " STR_FMT, STR_ARG(names));

	*ret = (struct verdict){ .status = STATUS_ROOT_ADDITIONS, .message = text, .reason = text };
	return true;
}

/* False: all passed. */
static bool
run_all(struct stop_context *s, const struct conclaude_command *commands, size_t count, size_t total,
	struct verdict *ret)
{
	const char *const *env = environment(s);
	size_t number = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_empty_script(commands[i].run))
			continue;
		buf_addf(&s->progress, "Executing command %zu/%zu", ++number, total);
		if (commands[i].shows_command)
			buf_addf(&s->progress, ": " STR_FMT, STR_ARG(str_trim(commands[i].run)));
		buf_addc(&s->progress, '\n');
		if (run_one(s, &commands[i], env, ret))
			return true;
	}
	return false;
}

static bool
decide(struct stop_context *s, struct verdict *ret)
{
	const struct conclaude_command *commands = s->conclaude->stop.commands.items;
	size_t count = s->conclaude->stop.commands.count, total = 0;
	bool watches_root = s->conclaude->pre_tool_use.prevents_root_additions;
	struct fs_names before = { 0 };
	struct err err;

	for (size_t i = 0; i < count; i++)
		total += !is_empty_script(commands[i].run);
	buf_addf(&s->progress, "Executing %zu stop hook commands\n", total);
	if (total > 0 && watches_root &&
	    fs_list(s->arena, s->conclaude->dir.s, ROOT_NAMES_MAX, &before, &err) < 0) {
		stop_warn(s, "root additions can't be looked for: %s", err.msg);
		watches_root = false;
	}
	if (total > 0 && run_all(s, commands, count, total, ret))
		return true;
	buf_add(&s->progress, STR("All stop hook commands completed successfully\n"));
	if (total == 0)
		return false;
	if (watches_root && look_at_root(s, &before, ret))
		return true;
	*ret = (struct verdict){ .status = STATUS_COMMANDS_PASSED };
	return true;
}

bool
commands_policy(struct stop_context *s, struct verdict *ret)
{
	struct verdict v;

	if (!s->conclaude || !decide(s, &v))
		return false;
	*ret = failures_bound(s, v);
	return true;
}
