/* SPDX-License-Identifier: MIT */
/* Formats verdicts and answers to other events. Decides nothing, and knows no client. */
#include "client/reply.h"

#include "doc/json.h"

#define PROGRAM "holdfast"

struct str
reply_message(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct buf out = BUF(a, SIZE_MAX);
	struct str warnings = notes->warnings, line;

	/* a message has the size of what it names, which can be long */
	buf_add(&out, verdict_message(v));
	while (str_next(&warnings, '\n', &line))
		buf_cat(&out, " (warning: ", line, ")");
	return buf_str(&out);
}

/* The beginning of stderr: the warnings. */
static struct buf
warnings_after(struct arena *a, const char *prefix, const struct reply_notes *notes)
{
	struct buf err = BUF(a, SIZE_MAX);

	buf_lines(&err, prefix, notes->warnings);
	return err;
}

struct reply
reply_with(struct arena *a, const struct verdict *v, const struct reply_notes *notes, struct str out)
{
	struct buf err = warnings_after(a, PROGRAM ": warning: ", notes);

	if (status_rows[v->status].audience != AUDIENCE_NONE && !v->is_quiet)
		buf_lines(&err, PROGRAM ": ", verdict_message(v));
	return (struct reply){ out, buf_str(&err), 0 };
}

static bool
is_for_user(const struct verdict *v)
{
	return status_rows[v->status].audience == AUDIENCE_USER && !v->is_quiet;
}

struct str
reply_user_message(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct str message = is_for_user(v) ? verdict_message(v) : STR(""), rest = notes->warnings, line;
	struct buf out = BUF(a, SIZE_MAX);

	if (notes->warnings.n == 0 && message.n == 0)
		return STR_NONE;
	if (!notes->speaker)
		return reply_message(a, v, notes);
	while (str_next(&rest, '\n', &line))
		if (str_starts(line, STR("/"))) /* it is about a place in a file */
			buf_cat(&out, line, "; ");
	buf_add(&out, message);
	for (rest = notes->warnings; str_next(&rest, '\n', &line);)
		if (!str_starts(line, STR("/")))
			buf_addf(&out, message.n > 0 ? " (warning: " STR_FMT ")" : STR_FMT "; ",
				 STR_ARG(line));
	if (str_ends(buf_str(&out), STR("; ")))
		out.n -= 2;
	struct str text = buf_str(&out);
	/* agent-gauntlet's messages and those of loops name the speaker themselves. */
	bool is_named = str_find(text, STR("auntlet")) >= 0 || str_starts(text, STR("Ralph loop")) ||
			str_starts(text, STR(PROGRAM));

	return is_named ? text : str_cat(a, notes->speaker, ": ", text);
}

/* Decision and reason of a block, systemMessage where `shown` is present. */
static struct str
object(struct arena *a, const struct verdict *v, struct str shown)
{
	bool blocks = status_blocks(v->status);

	return json_line(a, "decision", blocks ? STR("block") : STR_NONE, "reason",
			 blocks ? v->reason : STR_NONE, "systemMessage", shown);
}

/* The object, or nothing where it has no members. */
static struct str
or_silence(struct str object)
{
	return str_is(object, "{}\n") ? STR("") : object;
}

struct reply
reply_object(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	return reply_with(a, v, notes, object(a, v, reply_user_message(a, v, notes)));
}

struct reply
reply_object_or_silence(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	return reply_with(a, v, notes, or_silence(object(a, v, reply_user_message(a, v, notes))));
}

struct reply
reply_block_or_silence(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	return reply_with(a, v, notes, or_silence(object(a, v, STR_NONE)));
}

struct reply
reply_ralph(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	return reply_with(a, v, notes,
			  or_silence(object(a, v, is_for_user(v) ? verdict_message(v) : STR_NONE)));
}

/* ---- events other than a stop ---- */

const char *
tool_decision_name(enum tool_decision d)
{
	static const char *const names[] = {
		[TOOL_PASS] = NULL, [TOOL_ALLOW] = "allow", [TOOL_ASK] = "ask", [TOOL_DENY] = "deny"
	};

	return names[d];
}

struct reply
reply_event_block(struct arena *a, const struct event_answer *e)
{
	return (struct reply){ json_line(a, "decision", "block", "reason", e->reason),
			       str_cat(a, e->reason, "\n"), 2 };
}

struct reply
reply_event_object(struct arena *a, struct str object, const struct reply_notes *notes)
{
	struct buf err = warnings_after(a, PROGRAM ": warning: ", notes);

	buf_add(&err, notes->details);
	return (struct reply){ or_silence(object), buf_str(&err), 0 };
}

struct str
reply_unasked(struct arena *a, struct str reason)
{
	return str_cat(a, reason,
		       " (a rule of this project asks the user first, and this client can't ask: tell the "
		       "user what you want to run)");
}

/* hookSpecificOutput; absent: it would have no members. */
static struct str
specific(struct arena *a, const struct event_answer *e)
{
	struct str decision = str_from(tool_decision_name(e->decision)), reason = STR_NONE,
		   request = STR_NONE;

	if (e->decision == TOOL_PASS && !e->context.s)
		return STR_NONE;
	if (e->decision != TOOL_PASS && e->row->id == EVENT_PermissionRequest) {
		reason = e->reason.s ? e->reason : STR("");
		request = json_object(a, "behavior", decision, "message",
				      JSON_IF(e->decision == TOOL_DENY, reason));
		decision = reason = STR_NONE;
	} else if (e->decision != TOOL_PASS) {
		reason = e->reason;
	}
	return json_object(a, "hookEventName", e->row->name, "decision", JSON(request), "permissionDecision",
			   decision, "permissionDecisionReason", reason, "additionalContext", e->context);
}

struct reply
reply_event_claude(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	if (e->is_blocked)
		return (struct reply){ STR(""), reply_event_block(a, e).err, 2 };
	struct reply r = reply_event_object(a, json_line(a, "hookSpecificOutput", JSON(specific(a, e))),
					    notes);

	if (e->output.s)
		r.out = str_cat(a, e->output, "\n");
	return r;
}

struct reply
reply_event_without_ask(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	struct event_answer sure = *e;

	if (e->decision == TOOL_ASK) {
		sure.decision = TOOL_DENY;
		sure.reason = reply_unasked(a, e->reason);
	}
	/* An explicit permission is the absence of an objection. */
	if (sure.decision == TOOL_ALLOW && e->row->id == EVENT_PreToolUse)
		sure.decision = TOOL_PASS;
	return e->is_blocked ? reply_event_block(a, e) : reply_event_claude(a, &sure, notes);
}

/* ---- conclaude ---- */

/* Its lines, and its JSON as the last of them. At a prompt and at the start of a session the client adds all of stdout to the
 * conversation, so there is nothing, or one JSON object. */
struct reply
reply_event_conclaude(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	bool blocks = e->is_blocked || e->decision == TOOL_DENY;
	bool is_context = e->row->id == EVENT_UserPromptSubmit || e->row->id == EVENT_SessionStart;
	struct buf out = BUF(a, SIZE_MAX), err = warnings_after(a, "Warning: ", notes);

	buf_add(&err, notes->details);
	if (e->output.s) {
		buf_cat(&out, e->output, "\n");
		return (struct reply){ buf_str(&out), buf_str(&err), 0 };
	}
	/* A decision is JSON, which must be all of stdout. */
	if (!blocks && (e->decision != TOOL_PASS || (is_context && !e->context.s)))
		return (struct reply){ reply_event_claude(a, e, notes).out, buf_str(&err), 0 };
	if (!is_context)
		buf_add(&out, notes->progress);
	if (!(is_context && blocks)) {
		struct json_value null = JSON(STR("null"));

		buf_cat(&out,
			json_object(a, "message", blocks && e->reason.s ? json_text(e->reason) : null,
				    "blocked", blocks, "system_prompt",
				    e->context.s ? json_text(e->context) : null, "hookSpecificOutput",
				    JSON(e->context.s ? specific(a, e) : STR_NONE)),
			"\n");
	}
	if (blocks)
		buf_cat(&err, e->reason, "\n");
	return (struct reply){ buf_str(&out), buf_str(&err), blocks ? 2 : 0 };
}

struct reply
reply_conclaude(struct arena *a, const struct verdict *v, const struct reply_notes *notes)
{
	struct event_answer stop = { .row = &event_rows[EVENT_Stop],
				     .is_blocked = status_blocks(v->status),
				     .reason = v->reason };
	struct reply r = reply_event_conclaude(a, &stop, notes);
	struct buf err = BUF(a, SIZE_MAX);

	/* A gate that could not run is our own error, which lets the agent stop. */
	if (v->status != STATUS_INFRASTRUCTURE_ERROR && v->status != STATUS_ERROR)
		return r;
	buf_add(&err, r.err);
	buf_lines(&err, "", verdict_message(v));
	return (struct reply){ notes->progress, buf_str(&err), 1 };
}
