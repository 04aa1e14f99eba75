/* SPDX-License-Identifier: MIT */
/* The line of a decision in the journal. */
#include "policy/chain.h"

#include "base/utf8.h"
#include "conf/holdfast.h"
#include "doc/json.h"
#include "os/clock.h"
#include "policy/events.h"
#include "store/decisions.h"

/* Of each message, which may quote what a command printed. */
#define MESSAGE_BYTES KIB(1)
#define GATES_SHOWN 200

static struct str
message_of(const struct verdict *v)
{
	return utf8_head(v->message.s ? v->message : status_message(v->status), MESSAGE_BYTES);
}

static void
add_steps(struct buf *b, const struct stop_context *s)
{
	json_add_key(b, "policies");
	buf_addc(b, '[');
	for (size_t i = 0; i < s->step_count; i++) {
		const struct stop_step *step = &s->steps[i];

		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "policy", str_from(policy_names[step->policy]));
		json_add_member(b, "status", status_name(step->verdict.status));
		json_add_member(b, "message", message_of(&step->verdict));
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static void
add_gates(struct buf *b, const struct stop_context *s)
{
	json_add_key(b, "gates");
	buf_addc(b, '[');
	for (size_t i = 0; i < s->result_count && i < GATES_SHOWN; i++) {
		const struct gate_result *g = &s->results[i];

		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "gate", g->gate);
		json_add_member(b, "in", g->dir.s ? g->dir : g->entry_point);
		if (g->reviewer.s)
			json_add_member(b, "reviewer", g->reviewer);
		json_add_member(b, "outcome", gate_outcome_name(g->outcome));
		json_add_member_int(b, "ms", g->elapsed_ms);
		if (g->pass_run > 0)
			json_add_member_bool(b, "reused", true);
		if (g->is_flaky)
			json_add_member_bool(b, "flaky", true);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static bool
is_turned_off(const struct stop_context *s)
{
	for (size_t i = 0; i < s->source_count; i++)
		if (s->sources[i].native && holdfast_keeps_no_journal(s->sources[i].native))
			return true;
	return false;
}

/* The last step whose verdict it is; the chain may have added the news of earlier ones to its message. */
static const struct stop_step *
deciding_step(const struct stop_context *s, const struct verdict *v)
{
	for (size_t i = s->step_count; i-- > 0;)
		if (s->steps[i].verdict.status == v->status)
			return &s->steps[i];
	return NULL;
}

/* What every line begins with. */
static void
add_start(struct buf *b, const struct stop_context *s, struct str event, enum stop_policy policy,
	  struct str decision)
{
	buf_addc(b, '{');
	json_add_member(b, "time", clock_format_millis(s->arena, clock_real_us()));
	json_add_member(b, "project", project_root(&s->where));
	json_add_member(b, "session", s->event->session_id);
	json_add_member(b, "client", str_from(s->client->name));
	json_add_member(b, "event", event);
	json_add_member(b, "policy", str_from(policy_names[policy]));
	json_add_member(b, "decision", decision);
}

static void
add_end(struct buf *b, const struct stop_context *s, int64_t started_ms)
{
	if (s->event->transcript_path.n > 0) /* its tokens are counted by who asks for them */
		json_add_member(b, "transcript", s->event->transcript_path);
	if (s->event->prompt_id.n > 0)
		json_add_member(b, "prompt_id", s->event->prompt_id);
	json_add_member_int(b, "ms", clock_mono_ms() - started_ms);
	buf_add(b, STR("}\n"));
	decisions_add(s->arena, buf_str(b));
}

void
stop_note_prepare(const struct stop_context *s, const struct verdict *v)
{
	struct buf b = BUF(s->arena, SIZE_MAX);

	if (s->is_dry || is_turned_off(s))
		return;
	add_start(&b, s, STR("Stop"), s->asked, status_blocks(v->status) ? STR("block") : STR("allow"));
	json_add_member(&b, "status", status_name(v->status));
	json_add_member(&b, "message", message_of(v));
	buf_add(&b, STR("}\n"));
	decisions_prepare(s->arena, buf_str(&b));
}

void
stop_note(const struct stop_context *s, const struct verdict *v, int64_t started_ms)
{
	const struct stop_step *step = deciding_step(s, v);
	struct buf b = BUF(s->arena, SIZE_MAX);

	if (!step || is_turned_off(s))
		return;
	add_start(&b, s, STR("Stop"), step->policy, status_blocks(v->status) ? STR("block") : STR("allow"));
	json_add_member(&b, "status", status_name(v->status));
	json_add_member(&b, "message", message_of(v));
	if (v->number > 0) {
		json_add_member_int(&b, "number", (int64_t)v->number);
		json_add_member_int(&b, "of", (int64_t)v->of);
	}
	for (size_t i = 0; i < s->step_count; i++)
		if (s->steps[i].verdict.loop_end)
			json_add_member(&b, "loop_end", str_from(s->steps[i].verdict.loop_end));
	if (s->max_tries > 0) {
		json_add_member_int(&b, "tries", s->tries);
		json_add_member_int(&b, "max_tries", s->max_tries);
	}
	if (s->result_count > 0)
		add_gates(&b, s);
	if (s->step_count > 1) /* else it says the same once more */
		add_steps(&b, s);
	add_end(&b, s, started_ms);
}

void
event_note(const struct event_call *c, const struct event_answer *answer, int64_t started_ms)
{
	const struct stop_context *s = c->stop;
	bool is_tools = answer->decision == TOOL_DENY || answer->decision == TOOL_ASK;
	struct buf b = BUF(s->arena, SIZE_MAX);

	if ((!is_tools && !answer->is_blocked) || is_turned_off(s))
		return;
	add_start(&b, s, c->row->name, is_tools ? POLICY_GUARDS : POLICY_EVENTS,
		  !is_tools                       ? STR("block")
		  : answer->decision == TOOL_DENY ? STR("deny")
						  : STR("ask"));
	json_add_member(&b, "message", utf8_head(answer->reason.s ? answer->reason : STR(""), MESSAGE_BYTES));
	if (c->tool.name.s)
		json_add_member(&b, "tool", c->tool.name);
	add_end(&b, s, started_ms);
}
