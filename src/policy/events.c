/* SPDX-License-Identifier: MIT */
/* The deciders of each event, asked about each configuration. Knows nothing about what they do. */
#include "policy/events.h"

#include "client/tool.h"

#define MAIN_AGENT "main"

static const struct {
	enum event_id event;
	event_fn *decide;
} deciders[] = {
	{ EVENT_PreToolUse, tool_rules },
	{ EVENT_PreToolUse, guard_rules },
	{ EVENT_PermissionRequest, permission_rules },
	{ EVENT_UserPromptSubmit, prompt_rules },
	{ EVENT_WorktreeCreate, worktree_command },
	{ EVENT_PostToolUse, guarded_after_tool },
};

void
event_call_init(struct event_call *c)
{
	struct arena *a = c->stop->arena;
	struct str type = event_value(a, c->payload, "subagent_type");

	c->tool = tool_read(a, c->payload);
	c->agent = c->stop->agent.n > 0 ? c->stop->agent : type.n > 0 ? type : STR(MAIN_AGENT);
}

void
answer_decide(struct event_answer *answer, enum tool_decision decision, struct str reason)
{
	if (decision <= answer->decision)
		return;
	answer->decision = decision;
	answer->reason = reason;
}

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
		s->conclaude = s->configs[i];
		decide(c, &answer);
	}
	return answer;
}
