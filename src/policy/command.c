/* SPDX-License-Identifier: MIT */
/* One command of a configuration, at a stop or at any other event: its environment, its limits, and all that is said about its
 * output. */
#include "doc/json.h"
#include "policy/events.h"

/* For "Stdout: " and "Stderr: " in a reason. */
#define TITLES_BYTES 32
/* Linux allows 128 KiB for one variable. A longer text is cut; JSON, which nobody could parse then, is left out. */
#define VARIABLE_BYTES KIB(120)
#define VARIABLES_MAX 24

bool
command_is_empty(struct str run)
{
	struct str line;

	while (str_next(&run, '\n', &line)) {
		line = str_trim(line);
		if (line.n > 0 && line.s[0] != '#')
			return false;
	}
	return true;
}

struct variables {
	struct arena *arena;
	const char **items;
	size_t count;
};

/* A value with a NUL byte can't be in an environment. */
static void
add_variable(struct variables *v, const char *name, struct str value)
{
	if (!value.s || str_find_char(value, '\0') >= 0)
		return;
	if (value.n > VARIABLE_BYTES)
		value = utf8_head(value, VARIABLE_BYTES);
	v->items[v->count++] = str_cat(v->arena, "CONCLAUDE_", name, "=", value).s;
}

const char *const *
command_environment(struct stop_context *s, const struct command_variable *more, size_t count)
{
	const struct command_variable rows[] = {
		{ "CONFIG_DIR", s->policies->dir },
		{ "SESSION_ID", s->event->session_id },
		{ "TRANSCRIPT_PATH", s->event->transcript_path },
		{ "CWD", s->event->cwd },
		{ "HOOK_EVENT", s->row ? s->row->name : STR("Stop") },
		{ "AGENT", s->agent },
		{ "AGENT_NAME", s->agent },
	};
	struct variables v = { .arena = s->arena,
			       .items = arena_array(s->arena, COUNT_OF(rows) + VARIABLES_MAX, const char *) };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		add_variable(&v, rows[i].name, rows[i].value);
	for (const struct event_field *f = s->row ? s->row->fields : NULL; f && f->name; f++) {
		const struct node *n = node_get(s->payload, f->name);
		struct str value = f->variable ? event_value(s->arena, s->payload, f->name) : STR_NONE;
		bool is_json = n && (n->kind == NODE_MAP || n->kind == NODE_LIST);

		if (!is_json || value.n <= VARIABLE_BYTES)
			add_variable(&v, f->variable, value);
	}
	struct buf json = BUF(s->arena, SIZE_MAX);

	if (s->row)
		json_add_node(&json, s->payload);
	if (s->row && json.n <= VARIABLE_BYTES)
		add_variable(&v, "PAYLOAD_JSON", buf_str(&json));
	for (size_t i = 0; i < count; i++)
		add_variable(&v, more[i].name, more[i].value);
	return v.items;
}

/* ---- running it ---- */

static void
on_output(void *context, int stream, struct str bytes)
{
	struct command_end *e = context;

	if (command_shows(e->command, stream == 1 ? "stdout" : "stderr"))
		spill_add(&e->file, bytes);
}

void
command_end_close(struct command_end *e)
{
	spill_close(&e->file);
}

static struct str
shown(struct stop_context *s, const struct policy_command *c, const struct capture *output,
      const char *stream)
{
	struct str text = command_shows(c, stream) ? capture_text(output, s->arena, (size_t)c->max_lines)
						   : STR_NONE;

	return str_trim(text).n > 0 ? strip_escapes(s->arena, text) : STR_NONE;
}

int
command_execute(struct stop_context *s, const struct policy_command *c, const char *const *env,
		struct command_end *ret, struct err *err)
{
	struct command_call call = {
		.shell = COMMAND_BASH_STRICT,
		.script = c->run,
		.process = {
			.dir = s->policies->dir.s,
			.env = env,
			.timeout_ms = command_timeout_s(c) * 1000,
			.deadline_ms = s->deadline_ms,
			.grace_ms = COMMAND_GRACE_MS,
			.output = on_output,
			.owner = ret,
		},
	};

	*ret = (struct command_end){ .command = c, .file = SPILL_NONE };
	if ((command_shows(c, "stdout") || command_shows(c, "stderr")) &&
	    spill_begin(s->arena, s->event->session_id, &ret->file, err) < 0)
		ret->file_error = str_cat(s->arena, err->msg);
	if (command_run(s->arena, &call, &ret->process, err) < 0)
		return -1;
	ret->out = shown(s, c, &ret->process.out, "stdout");
	ret->err = shown(s, c, &ret->process.err, "stderr");
	return 0;
}

/* ---- what is said about it ---- */

struct str
command_name(struct stop_context *s, const struct policy_command *c)
{
	return c->shows_command
		       ? excerpt(s->arena, strip_escapes(s->arena, str_trim(c->run)), COMMAND_SHOWN_BYTES)
		       : STR("");
}

void
command_notify(struct stop_context *s, const struct event_row *row, const struct policy_command *c,
	       enum notice what, const char *words)
{
	struct str name = command_name(s, c);

	if (c->notifies)
		notify(s, row, what, str_cat(s->arena, words, name.n > 0 ? ": " : "", name));
}

void
command_notify_end(struct stop_context *s, const struct event_row *row, const struct command_end *e)
{
	if (command_passed(&e->process))
		command_notify(s, row, e->command, NOTICE_SUCCESS, "Command completed");
	else
		command_notify(s, row, e->command, NOTICE_FAILURE,
			       e->process.end == PROC_TIMED_OUT ? "Command timed out" : "Command failed");
}

static struct str
with_output(struct stop_context *s, struct str first, struct str out, struct str err)
{
	return str_cat(s->arena, first, out.s ? "\nStdout: " : "", out, err.s ? "\nStderr: " : "", err);
}

/* Keeps the file with all of the output; the sentence that names it, or a warning that there is none. */
static struct str
keep_output(struct stop_context *s, const struct command_end *e)
{
	struct err err;

	if (e->file_error.s)
		stop_warn(s, "the whole output could not be kept: ", e->file_error);
	else if (spill_keep(s->arena, &e->file, &err) < 0)
		stop_warn(s, "the whole output could not be kept: ", err.msg);
	else
		return str_cat(s->arena, "\nThe ", e->file.is_cut ? "beginning of the" : "whole",
			       " output is in ", e->file.path);
	return STR("");
}

/* Of a long output, each stream gets half of the room, and what the other does not need. */
static struct str
reason_within(struct stop_context *s, const struct command_end *e, struct str first, size_t limit)
{
	struct str text = with_output(s, first, e->out, e->err);

	if (text.n <= limit || (!e->out.s && !e->err.s))
		return text;
	first = str_cat(s->arena, first, keep_output(s, e));
	size_t room = first.n + TITLES_BYTES < limit ? limit - first.n - TITLES_BYTES : 0;

	if (room < 2 * EXCERPT_LEAST_BYTES)
		room = 2 * EXCERPT_LEAST_BYTES;
	size_t half = room / 2, for_out = e->err.n < half ? room - e->err.n : half;
	size_t for_err = e->out.n < half ? room - e->out.n : half;

	return with_output(s, first, e->out.s ? excerpt(s->arena, e->out, for_out) : STR_NONE,
			   e->err.s ? excerpt(s->arena, e->err, for_err) : STR_NONE);
}

struct verdict
command_failure(struct stop_context *s, const struct command_end *e)
{
	const struct policy_command *c = e->command;
	struct str name = command_name(s, c);
	struct str state = str_cat(s->arena, "Failed (exit code: ", command_code(&e->process), ")");
	struct str message = str_cat(s->arena, "Command failed with exit code ", command_code(&e->process));
	struct buf sections = BUF(s->arena, SIZE_MAX);
	size_t before = s->details.n;

	if (e->process.end == PROC_TIMED_OUT)
		state = message = str_cat(s->arena, "Command timed out after ", command_timeout_s(c),
					  " seconds");
	if (c->shows_command)
		message = str_cat(s->arena, message, ": ", name);
	buf_cat(&s->details, "Stop command failed:\n");
	if (c->shows_command)
		buf_cat(&s->details, "  Command: ", name, "\n");
	buf_cat(&s->details, "  Status: ", state, "\n");
	size_t limit = REASON_LIMIT_BYTES - (s->details.n - before) - 1;
	struct str reason = reason_within(s, e, c->message.s ? strip_escapes(s->arena, c->message) : message,
					  limit);

	/* conclaude gives the agent both the details and the reason: a short output is in both, a long one in one. */
	buf_cat(&sections, e->out.s ? "  Stdout:\n" : "");
	buf_lines(&sections, "    ", e->out);
	buf_cat(&sections, e->err.s ? "  Stderr:\n" : "");
	buf_lines(&sections, "    ", e->err);
	if (sections.n + reason.n <= limit)
		buf_add(&s->details, buf_str(&sections));
	return (struct verdict){ .status = STATUS_COMMAND_FAILED, .message = message, .reason = reason };
}
