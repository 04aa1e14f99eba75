/* SPDX-License-Identifier: MIT */
/* Formats verdicts. Decides nothing, and knows no client. */
#include "client/reply.h"

#include "doc/json.h"

#define PROGRAM "holdfast"

static struct str
message_of(const struct verdict *v)
{
	return v->message.s ? v->message : status_message(v->status);
}

struct str
reply_message(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct buf out = BUF(a, SIZE_MAX);
	struct str warnings = notes->warnings, line;

	/* a message has the size of what it names, which can be long */
	if (warnings.n == 0)
		return message_of(v);
	buf_add(&out, message_of(v));
	while (str_next(&warnings, '\n', &line))
		buf_addf(&out, " (warning: " STR_FMT ")", STR_ARG(line));
	return buf_str(&out);
}

void
reply_add_lines(struct buf *out, const char *prefix, struct str lines)
{
	struct str line;

	while (str_next(&lines, '\n', &line))
		buf_addf(out, "%s" STR_FMT "\n", prefix, STR_ARG(line));
}

struct str
reply_stderr(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct buf err = BUF(a, SIZE_MAX);

	reply_add_lines(&err, PROGRAM ": warning: ", notes->warnings);
	if (status_audience(v->status) != AUDIENCE_NONE && !v->is_quiet)
		reply_add_lines(&err, PROGRAM ": ", message_of(v));
	return buf_str(&err);
}

static bool
is_for_user(const struct verdict *v)
{
	return status_audience(v->status) == AUDIENCE_USER && !v->is_quiet;
}

/* Is the warning about a place in a file? */
static bool
is_mistake(struct str warning)
{
	return str_starts(warning, STR("/"));
}

/* agent-gauntlet's messages and those of loops name the speaker themselves. */
static bool
names_speaker(struct str message)
{
	return str_find(message, STR("auntlet")) >= 0 || str_starts(message, STR("Ralph loop")) ||
	       str_starts(message, STR(PROGRAM));
}

struct str
reply_user_message(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct str message = is_for_user(v) ? message_of(v) : STR(""), rest = notes->warnings, line;
	struct buf out = BUF(a, SIZE_MAX);

	if (notes->warnings.n == 0 && message.n == 0)
		return STR_NONE;
	if (!notes->speaker)
		return reply_message(a, v, notes);
	while (str_next(&rest, '\n', &line))
		if (is_mistake(line))
			buf_addf(&out, STR_FMT "; ", STR_ARG(line));
	buf_add(&out, message);
	for (rest = notes->warnings; str_next(&rest, '\n', &line);)
		if (!is_mistake(line))
			buf_addf(&out, message.n > 0 ? " (warning: " STR_FMT ")" : STR_FMT "; ",
				 STR_ARG(line));
	if (str_ends(buf_str(&out), STR("; ")))
		out.n -= 2;
	if (names_speaker(buf_str(&out)))
		return buf_str(&out);
	return str_fmt(a, "%s: " STR_FMT, notes->speaker, STR_ARG(buf_str(&out)));
}

struct str
reply_object(struct arena *a, const struct verdict *v, struct str user_message)
{
	struct buf out = BUF(a, SIZE_MAX);

	buf_addc(&out, '{');
	if (status_blocks(v->status)) {
		json_add_member(&out, "decision", STR("block"));
		json_add_member(&out, "reason", v->reason);
	}
	if (user_message.s)
		json_add_member(&out, "systemMessage", user_message);
	buf_add(&out, STR("}\n"));
	return buf_str(&out);
}

struct reply
reply_block_or_silence(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct str out = status_blocks(v->status) ? reply_object(a, v, STR_NONE) : STR("");

	return (struct reply){ out, reply_stderr(a, v, notes), 0 };
}

struct reply
reply_ralph(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct str message = is_for_user(v) ? message_of(v) : STR_NONE;
	bool is_empty = !status_blocks(v->status) && !message.s;

	return (struct reply){ is_empty ? STR("") : reply_object(a, v, message), reply_stderr(a, v, notes),
			       0 };
}

struct reply
reply_conclaude(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	bool blocks = status_blocks(v->status);
	struct buf out = BUF(a, SIZE_MAX), err = BUF(a, SIZE_MAX);

	buf_add(&out, notes->progress);
	reply_add_lines(&err, "Warning: ", notes->warnings);
	buf_add(&err, notes->details);
	/* A gate that could not run is our own error, which lets the agent stop. */
	if (v->status == STATUS_INFRASTRUCTURE_ERROR || v->status == STATUS_ERROR) {
		reply_add_lines(&err, "", message_of(v));
		return (struct reply){ buf_str(&out), buf_str(&err), 1 };
	}
	buf_add(&out, STR("{\"message\":"));
	if (blocks)
		json_add_string(&out, v->reason);
	else
		buf_add(&out, STR("null"));
	buf_addf(&out, ",\"blocked\":%s,\"system_prompt\":null}\n", blocks ? "true" : "false");
	if (blocks) {
		buf_add(&err, v->reason);
		buf_addc(&err, '\n');
	}
	return (struct reply){ buf_str(&out), buf_str(&err), blocks ? 2 : 0 };
}
