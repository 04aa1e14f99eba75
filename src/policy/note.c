/* SPDX-License-Identifier: MIT */
/* The line of a decision in the journal. */
#include "policy/chain.h"

#include "conf/holdfast.h"
#include "doc/json.h"
#include "os/clock.h"
#include "policy/events.h"
#include "store/journals.h"

/* Of each message, which may quote what a command printed. */
#define MESSAGE_BYTES KIB(1)
#define GATES_SHOWN 200

/* A member that every line has. */
static struct str
present(struct str x)
{
	return x.s ? x : STR("");
}

static void
add_verdict(struct buf *b, const struct verdict *v)
{
	json_add(b, "status", status_rows[v->status].name, "message",
		 present(utf8_head(verdict_message(v), MESSAGE_BYTES)));
}

static bool
is_turned_off(const struct stop_context *s)
{
	for (size_t i = 0; i < s->source_count; i++)
		if (s->sources[i].native && !s->sources[i].native->draft.keeps_journal)
			return true;
	return false;
}

/* What every line begins with. */
static void
add_start(struct buf *b, const struct stop_context *s, struct str event, enum stop_policy policy,
	  struct str decision)
{
	json_open(b, NULL, '{');
	json_add(b, "time", clock_format_millis(s->arena, clock_real_us()), "project",
		 present(project_root(&s->where)), "session", present(s->event->session_id), "client",
		 s->client->name, "event", event, "policy", policy_names[policy], "decision", decision);
}

static void
add_stop(struct buf *b, const struct stop_context *s, enum stop_policy policy, const struct verdict *v)
{
	add_start(b, s, STR("Stop"), policy, status_blocks(v->status) ? STR("block") : STR("allow"));
	add_verdict(b, v);
}

static void
add_end(struct buf *b, const struct stop_context *s, int64_t started_ms)
{
	if (s->event->transcript_path.n > 0) /* its tokens are counted by who asks for them */
		json_add(b, "transcript", s->event->transcript_path);
	if (s->event->prompt_id.n > 0)
		json_add(b, "prompt_id", s->event->prompt_id);
	json_add(b, "ms", clock_mono_ms() - started_ms);
	json_close(b, "}\n");
	decisions_add(s->arena, buf_str(b));
}

void
stop_note_prepare(const struct stop_context *s, const struct verdict *v)
{
	struct buf b = BUF(s->arena, SIZE_MAX);

	if (is_turned_off(s))
		return;
	add_stop(&b, s, s->asked, v);
	json_close(&b, "}\n");
	decisions_prepare(s->arena, buf_str(&b));
}

void
stop_note(const struct stop_context *s, const struct verdict *v, int64_t started_ms)
{
	const struct stop_step *step = NULL;
	struct buf b = BUF(s->arena, SIZE_MAX);

	/* The last step whose verdict it is; the chain may have added the news of earlier ones to its message. */
	for (size_t i = 0; i < s->step_count; i++)
		if (s->steps[i].verdict.status == v->status)
			step = &s->steps[i];
	if (!step || is_turned_off(s))
		return;
	add_stop(&b, s, step->policy, v);
	if (v->number > 0)
		json_add(&b, "number", v->number, "of", v->of);
	for (size_t i = 0; i < s->step_count; i++)
		json_add(&b, "loop_end", s->steps[i].verdict.loop_end);
	if (s->max_tries > 0)
		json_add(&b, "tries", s->tries, "max_tries", s->max_tries);
	if (s->result_count > 0) {
		json_open(&b, "gates", '[');
		for (size_t i = 0; i < s->result_count && i < GATES_SHOWN; i++) {
			const struct gate_result *g = &s->results[i];

			json_add_object(&b, NULL, "gate", present(g->gate), "in",
					present(g->dir.s ? g->dir : g->entry_point), "reviewer", g->reviewer,
					"outcome", gate_outcome_name(g->outcome), "ms", g->elapsed_ms,
					"reused", JSON_IF(g->pass_run > 0, g->pass_run > 0), "flaky",
					JSON_IF(g->is_flaky, g->is_flaky));
		}
		json_close(&b, "]");
	}
	if (s->step_count > 1) { /* else it says the same once more */
		json_open(&b, "policies", '[');
		for (size_t i = 0; i < s->step_count; i++) {
			json_open(&b, NULL, '{');
			json_add(&b, "policy", policy_names[s->steps[i].policy]);
			add_verdict(&b, &s->steps[i].verdict);
			json_close(&b, "}");
		}
		json_close(&b, "]");
	}
	add_end(&b, s, started_ms);
}

void
event_note(struct stop_context *s, const struct event_answer *answer, int64_t started_ms)
{
	bool is_tools = answer->decision == TOOL_DENY || answer->decision == TOOL_ASK;
	struct buf b = BUF(s->arena, SIZE_MAX);

	if ((!is_tools && !answer->is_blocked) || is_turned_off(s))
		return;
	add_start(&b, s, s->row->name, is_tools ? POLICY_GUARDS : POLICY_EVENTS,
		  !is_tools                       ? STR("block")
		  : answer->decision == TOOL_DENY ? STR("deny")
						  : STR("ask"));
	json_add(&b, "message", utf8_head(present(answer->reason), MESSAGE_BYTES), "tool", s->tool.name);
	add_end(&b, s, started_ms);
}
