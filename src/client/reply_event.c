/* SPDX-License-Identifier: MIT */
/* Answers to events other than a stop. Decides nothing. */
#include "client/reply.h"

#include "doc/json.h"

const char *
tool_decision_name(enum tool_decision d)
{
	static const char *const names[] = {
		[TOOL_PASS] = "", [TOOL_ALLOW] = "allow", [TOOL_ASK] = "ask", [TOOL_DENY] = "deny"
	};

	return names[d];
}

struct str
reply_event_stderr(struct arena *a, const struct reply_notes *notes)
{
	struct buf err = BUF(a, SIZE_MAX);

	reply_add_lines(&err, "holdfast: warning: ", notes->warnings);
	buf_add(&err, notes->details);
	return buf_str(&err);
}

struct reply
reply_event_block(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	struct buf out = BUF(a, SIZE_MAX), err = BUF(a, SIZE_MAX);

	(void)notes; /* stderr is the reason, and nothing else */
	buf_addc(&out, '{');
	json_add_member(&out, "decision", STR("block"));
	json_add_member(&out, "reason", e->reason);
	buf_add(&out, STR("}\n"));
	buf_addf(&err, STR_FMT "\n", STR_ARG(e->reason));
	return (struct reply){ buf_str(&out), buf_str(&err), 2 };
}

struct str
reply_unasked(struct arena *a, struct str reason)
{
	return str_fmt(a,
		       STR_FMT
		       " (a rule of this project asks the user first, and this client can't ask: tell the "
		       "user what you want to run)",
		       STR_ARG(reason));
}

/* The members of hookSpecificOutput; empty: there are none. */
static struct str
specific(struct arena *a, const struct event_answer *e)
{
	struct buf out = BUF(a, SIZE_MAX);
	struct str decision = str_from(tool_decision_name(e->decision));

	if (e->decision == TOOL_PASS && !e->context.s)
		return STR("");
	buf_addc(&out, '{');
	json_add_member(&out, "hookEventName", e->row->name);
	if (e->decision != TOOL_PASS && e->row->id == EVENT_PermissionRequest) {
		json_add_key(&out, "decision");
		buf_addc(&out, '{');
		json_add_member(&out, "behavior", decision);
		if (e->decision == TOOL_DENY)
			json_add_member(&out, "message", e->reason);
		buf_addc(&out, '}');
	} else if (e->decision != TOOL_PASS) {
		json_add_member(&out, "permissionDecision", decision);
		if (e->reason.s)
			json_add_member(&out, "permissionDecisionReason", e->reason);
	}
	if (e->context.s)
		json_add_member(&out, "additionalContext", e->context);
	buf_addc(&out, '}');
	return buf_str(&out);
}

struct reply
reply_event_claude(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	struct str members = specific(a, e);
	struct buf out = BUF(a, SIZE_MAX);

	if (e->is_blocked)
		return (struct reply){ STR(""), reply_event_block(a, e, notes).err, 2 };
	if (e->output.s)
		buf_addf(&out, STR_FMT "\n", STR_ARG(e->output));
	else if (members.n > 0)
		buf_addf(&out, "{\"hookSpecificOutput\":" STR_FMT "}\n", STR_ARG(members));
	return (struct reply){ buf_str(&out), reply_event_stderr(a, notes), 0 };
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
	return e->is_blocked ? reply_event_block(a, e, notes) : reply_event_claude(a, &sure, notes);
}

/* Its lines, and its JSON as the last of them. At a prompt and at the start of a session the client adds all of stdout to the
 * conversation, so there is nothing, or one JSON object. */
struct reply
reply_event_conclaude(struct arena *a, const struct event_answer *e, const struct reply_notes *notes)
{
	bool blocks = e->is_blocked || e->decision == TOOL_DENY;
	bool is_context = e->row->id == EVENT_UserPromptSubmit || e->row->id == EVENT_SessionStart;
	struct buf out = BUF(a, SIZE_MAX), err = BUF(a, SIZE_MAX);

	reply_add_lines(&err, "Warning: ", notes->warnings);
	buf_add(&err, notes->details);
	if (e->output.s) {
		buf_addf(&out, STR_FMT "\n", STR_ARG(e->output));
		return (struct reply){ buf_str(&out), buf_str(&err), 0 };
	}
	/* A decision is JSON, which must be all of stdout. */
	if (!blocks && (e->decision != TOOL_PASS || (is_context && !e->context.s)))
		return (struct reply){ reply_event_claude(a, e, notes).out, buf_str(&err), 0 };
	if (!is_context)
		buf_add(&out, notes->progress);
	if (!(is_context && blocks)) {
		buf_add(&out, STR("{\"message\":"));
		if (blocks)
			json_add_string(&out, e->reason);
		else
			buf_add(&out, STR("null"));
		buf_addf(&out, ",\"blocked\":%s,\"system_prompt\":", blocks ? "true" : "false");
		if (e->context.s)
			json_add_string(&out, e->context);
		else
			buf_add(&out, STR("null"));
		if (e->context.s)
			buf_addf(&out, ",\"hookSpecificOutput\":" STR_FMT, STR_ARG(specific(a, e)));
		buf_add(&out, STR("}\n"));
	}
	if (blocks)
		buf_addf(&err, STR_FMT "\n", STR_ARG(e->reason));
	return (struct reply){ buf_str(&out), buf_str(&err), blocks ? 2 : 0 };
}
