/* SPDX-License-Identifier: MIT */
/* Desktop notifications, by notify-send. What goes wrong is reported and changes nothing. */
#include "base/escapes.h"
#include "os/env.h"
#include "os/proc.h"
#include "policy/events.h"

#define NOTIFY_MS 2000
#define BODY_BYTES 500

/* Events that happen too often, or are answered by a decision, say nothing when they only begin. */
static bool
is_system_event(enum event_id id)
{
	return id != EVENT_PreToolUse && id != EVENT_PostToolUse && id != EVENT_PostToolUseFailure &&
	       id != EVENT_Notification && id != EVENT_Stop && id != EVENT_StopFailure &&
	       id != EVENT_PermissionRequest;
}

static bool
is_wanted(const struct conclaude_notifications *n, const struct event_row *row, enum notice what)
{
	bool is_listed = false;

	for (size_t i = 0; i < n->hooks.count; i++)
		is_listed |= str_is(n->hooks.items[i], "*") || str_eq(n->hooks.items[i], row->name);
	if (!n->is_enabled || !is_listed)
		return false;
	return what == NOTICE_FAILURE   ? n->shows_errors
	       : what == NOTICE_SUCCESS ? n->shows_success
					: n->shows_system_events && is_system_event(row->id);
}

void
notify(struct stop_context *s, const struct event_row *row, enum notice what, struct str context)
{
	static const char *const words[] = {
		[NOTICE_SUCCESS] = "success", [NOTICE_FAILURE] = "failure", [NOTICE_OTHER] = "running"
	};
	struct arena *a = s->arena;
	struct proc_result r;
	struct err err;

	if (!s->conclaude || !is_wanted(&s->conclaude->notifications, row, what))
		return;
	struct str body = excerpt(a, strip_escapes(a, context), BODY_BYTES);
	const char *title = str_fmt(a, "%s - " STR_FMT, s->conclaude->is_native ? "holdfast" : "Conclaude",
				    STR_ARG(row->name))
				    .s;
	const char *text, *all = what == NOTICE_FAILURE ? "Command failed" : "All checks passed";

	if (body.n == 0)
		text = all;
	else if (str_cz(a, str_fmt(a, "%s: " STR_FMT, words[what], STR_ARG(body)), &text, &err) < 0)
		return;
	const char *const argv[] = { "notify-send",
				     "--app-name=holdfast",
				     what == NOTICE_FAILURE ? "--urgency=critical" : "--urgency=normal",
				     "--",
				     title,
				     text,
				     NULL };
	struct proc_spec spec = { .argv = argv,
				  .timeout_ms = NOTIFY_MS,
				  .deadline_ms = s->deadline_ms,
				  .grace_ms = 100,
				  .forgets_output = true };

	if (proc_run(a, &spec, &r, &err) < 0)
		;
	else if (r.end != PROC_EXITED || r.code != 0)
		(void)err_set(&err, ERR_VALUE, "notify-send failed");
	else
		return;
	buf_addf(&s->details, "Failed to send system notification for hook '" STR_FMT "': %s\n",
		 STR_ARG(row->name), err.msg);
}
