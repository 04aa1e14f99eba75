/* SPDX-License-Identifier: MIT */
/* The deciders of each event, asked about each configuration. Knows nothing about what they do. */
#include "policy/events.h"

static const struct {
	enum event_id event;
	event_fn *decide;
} deciders[] = {
	{ EVENT_PreToolUse, guard_rules },         { EVENT_PermissionRequest, permission_rules },
	{ EVENT_UserPromptSubmit, prompt_rules },  { EVENT_WorktreeCreate, worktree_command },
	{ EVENT_PostToolUse, guarded_after_tool },
};

/* The first block ends it; all decisions on a tool are asked for. */
static void
decide(const struct event_call *c, struct event_answer *answer)
{
	notify(c->stop, c->row, NOTICE_OTHER, c->stop->event->session_id);
	for (size_t i = 0; i < COUNT_OF(deciders); i++)
		if (deciders[i].event == c->row->id && !answer->is_blocked)
			deciders[i].decide(c, answer);
	if (!answer->is_blocked && answer->decision != TOOL_DENY)
		event_commands(c, answer);
}

struct event_answer
events_decide(const struct event_call *c)
{
	struct event_answer answer = { .row = c->row };
	struct stop_context *s = c->stop;
	struct verdict off;

	if (s->config_count > 0 && stop_is_off(s, &off))
		return answer;
	if (s->front_end == FRONT_END_CONCLAUDE) {
		decide(c, &answer);
		return answer;
	}
	for (size_t i = 0; i < s->config_count && !answer.is_blocked; i++) {
		s->policies = s->configs[i];
		decide(c, &answer);
	}
	return answer;
}
