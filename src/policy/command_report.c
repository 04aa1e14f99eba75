/* SPDX-License-Identifier: MIT */
/* The report on a stop command that failed, for the agent and the user: its status and its output, within the limit of an
 * answer. */
#include "base/capture.h"
#include "base/escapes.h"
#include "policy/commands.h"

#include <inttypes.h>

/* For "Stdout: " and "Stderr: " in a reason. */
#define TITLES_BYTES 32

static struct str
shown_output(struct stop_context *s, const struct capture *c, bool is_shown, int64_t max_lines)
{
	struct str text = is_shown ? capture_text(c, s->arena, (size_t)max_lines) : STR_NONE;

	return str_trim(text).n > 0 ? strip_escapes(s->arena, text) : STR_NONE;
}

struct command_shown
command_shown(struct stop_context *s, const struct conclaude_command *c, const struct proc_result *r)
{
	return (struct command_shown){
		.out = shown_output(s, &r->out, c->shows_stdout, c->max_output_lines),
		.err = shown_output(s, &r->err, c->shows_stderr, c->max_output_lines),
	};
}

struct str
command_name(struct stop_context *s, const struct conclaude_command *c)
{
	return excerpt(s->arena, strip_escapes(s->arena, str_trim(c->run)), COMMAND_SHOWN_BYTES);
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
join(struct stop_context *s, struct str first, struct command_shown o)
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

/* Each gets half of the room, and what the other does not need. */
static struct command_shown
cut_to_fit(struct stop_context *s, struct command_shown o, size_t room)
{
	size_t half = room / 2, for_out = o.err.n < half ? room - o.err.n : half;
	size_t for_err = o.out.n < half ? room - o.out.n : half;

	if (o.out.s)
		o.out = excerpt(s->arena, o.out, for_out);
	if (o.err.s)
		o.err = excerpt(s->arena, o.err, for_err);
	return o;
}

/* Keeps the file with all of the output; the sentence that names it, or a warning that there is none. */
static struct str
keep_output(struct stop_context *s, const struct command_output *output)
{
	struct err err;

	if (output->file_error.s)
		stop_warn(s, "the whole output could not be kept: " STR_FMT, STR_ARG(output->file_error));
	else if (spill_keep(s->arena, &output->file, &err) < 0)
		stop_warn(s, "the whole output could not be kept: %s", err.msg);
	else
		return str_fmt(s->arena, "\nThe %s output is in " STR_FMT,
			       output->file.is_cut ? "beginning of the" : "whole",
			       STR_ARG(output->file.path));
	return STR("");
}

static struct str
reason_within(struct stop_context *s, const struct command_output *output, struct str first,
	      struct command_shown o, size_t limit)
{
	struct str text = join(s, first, o);

	if (text.n <= limit || (!o.out.s && !o.err.s))
		return text;
	struct str kept = keep_output(s, output);

	first = str_fmt(s->arena, STR_FMT STR_FMT, STR_ARG(first), STR_ARG(kept));
	size_t room = first.n + TITLES_BYTES < limit ? limit - first.n - TITLES_BYTES : 0;

	return join(s, first,
		    cut_to_fit(s, o, room > 2 * EXCERPT_LEAST_BYTES ? room : 2 * EXCERPT_LEAST_BYTES));
}

struct verdict
command_failure(struct stop_context *s, const struct command_output *output, const struct proc_result *r)
{
	const struct conclaude_command *c = output->command;
	int code = r->end == PROC_EXITED ? r->code : 1;
	struct command_shown o = command_shown(s, c, r);
	struct str state = str_fmt(s->arena, "Failed (exit code: %d)", code);
	struct str message = str_fmt(s->arena, "Command failed with exit code %d", code);
	struct buf sections = BUF(s->arena, SIZE_MAX);
	size_t before = s->details.n;

	if (r->end == PROC_TIMED_OUT)
		state = message = str_fmt(s->arena, "Command timed out after %" PRId64 " seconds",
					  c->timeout_s);
	if (c->shows_command)
		message = str_fmt(s->arena, STR_FMT ": " STR_FMT, STR_ARG(message),
				  STR_ARG(command_name(s, c)));
	buf_add(&s->details, STR("Stop command failed:\n"));
	if (c->shows_command)
		buf_addf(&s->details, "  Command: " STR_FMT "\n", STR_ARG(command_name(s, c)));
	buf_addf(&s->details, "  Status: " STR_FMT "\n", STR_ARG(state));
	size_t limit = REASON_LIMIT_BYTES - (s->details.n - before) - 1;
	struct str reason = reason_within(
		s, output, c->message.s ? strip_escapes(s->arena, c->message) : message, o, limit);

	/* conclaude gives the agent both the details and the reason: a short output is in both, a long one in one. */
	add_section(&sections, "Stdout", o.out);
	add_section(&sections, "Stderr", o.err);
	if (sections.n + reason.n <= limit)
		buf_add(&s->details, buf_str(&sections));
	return (struct verdict){ .status = STATUS_COMMAND_FAILED, .message = message, .reason = reason };
}
