/* SPDX-License-Identifier: MIT */
/* What a stop must do according to the guide: the policies in their order; the first that blocks decides. Depends only on
 * what was on disk before the stop. */
#include "model.h"

#include <string.h>

static void
set_status(struct expected *x, const char *status, bool is_block)
{
	x->status = status;
	x->other_status = NULL;
	x->is_block = is_block;
}

static bool
is_for(const struct event *e, enum front_end only)
{
	return e->front_end == BY_STOP_HOOK || e->front_end == BY_HOOK_STOP || e->front_end == BY_CODEX ||
	       e->front_end == only;
}

/* ---- the loop ---- */

/* False: the loop belongs to another session. */
static bool
expect_loop(const struct event *e, struct loop_seen *l, struct expected *x)
{
	if (l->is_broken) {
		x->seen.asides += text_hash(l->text);
		*l = (struct loop_seen){ 0 };
		set_status(x, "loop_corrupt", false);
		return true;
	}
	if (l->owner.n > 0 && !str_is(l->owner, session_ids[e->session])) {
		set_status(x, "loop_not_owned", false);
		return false;
	}
	if (l->is_paused) {
		set_status(x, "loop_paused", false);
		return true;
	}
	bool is_kept = l->has_promise && e->has_promise;

	if (is_kept || (l->max > 0 && l->iteration >= l->max)) {
		*l = (struct loop_seen){ 0 };
		set_status(x, is_kept ? "loop_complete" : "loop_limit_reached", false);
		return true;
	}
	l->iteration++;
	if (l->owner.n == 0)
		l->owner = str_from(session_ids[e->session]);
	set_status(x, "loop_continues", true);
	return true;
}

static void
expect_loops(const struct event *e, struct expected *x)
{
	struct loop_seen *own = e->session < SESSIONS ? &x->seen.loops[e->session] : NULL;
	struct loop_seen *shared = &x->seen.loops[LOOP_MAIN];

	if (own && own->is_there && expect_loop(e, own, x))
		return;
	if (shared->is_there)
		(void)expect_loop(e, shared, x);
}

/* ---- .conclaude.yaml ---- */

int
messages_in_all(const struct config *c)
{
	int all = 0;

	for (int i = 0; i < c->message_count; i++)
		all += c->times[i];
	return all;
}

static void
expect_follow_up(const struct model *m, const struct event *e, bool is_not_due, struct expected *x)
{
	int all = messages_in_all(m->config);

	if (e->session == NO_SESSION || m->is_db_broken || !m->has_prompt[e->session] ||
	    !m->is_wanted[e->session] || !(m->places[e->session] & ((UINT64_C(1) << all) - 1)))
		return;
	if (is_not_due && (m->places[e->session] >> all & 1))
		return; /* the number of messages sent is not known */
	x->follow_up = e->session;
	set_status(x, "follow_up", true);
}

static const char *
expected_commands(const struct model *m)
{
	const struct world *w = m->world;

	if (world_has(w, ".slow"))
		return "command_failed";
	for (int i = 0; i < m->config->command_count; i++)
		if (world_has(w, str_fmt(w->arena, ".broken%d", i).s))
			return "command_failed";
	return world_has(w, ".litter") && !world_has(w, "made.txt") ? "root_additions" : "commands_passed";
}

/* ---- gates ---- */

static bool
is_one_of(const char *status, const char *a, const char *b)
{
	return strcmp(status, a) == 0 || strcmp(status, b) == 0;
}

/* A failure blocks as often as there are tries. */
static void
expect_gates(const struct model *m, const struct event *e, const struct reply *h, struct expected *x)
{
	long *tries = &x->seen.tries[e->session];

	gates_settle(m, &x->gates, h->ran);
	const char *status = x->gates.is_certain || !h->gates ? x->gates.status : h->gates;

	if (strcmp(status, "failed") == 0 && !h->gates && *tries >= m->config->max_retries)
		status = "retry_limit_exceeded";
	if (strcmp(status, "failed") == 0)
		(*tries)++;
	else if (is_one_of(status, "passed", "passed_with_warnings"))
		*tries = 0;
	x->asks_gates = true;
	set_status(x, status, strcmp(status, "failed") == 0);
	x->other_status = h->gates ? NULL : x->gates.other_status;
	x->is_final = is_one_of(status, "infrastructure_error", "error");
}

/* ---- all blocks in a row ---- */

static void
expect_limit(const struct event *e, struct expected *x)
{
	long *blocks = &x->seen.blocks[e->session];
	bool is_counted = is_one_of(x->status, "command_failed", "root_additions") ||
			  strcmp(x->status, "failed") == 0;

	if (!x->is_block || (is_counted && *blocks >= BLOCKS_MOST))
		*blocks = 0;
	else if (is_counted)
		(*blocks)++;
	if (x->is_block && is_counted && *blocks == 0)
		set_status(x, "block_limit_reached", false);
}

static void
expect_rounds(const struct model *m, const struct event *e, struct expected *x)
{
	int rounds = m->config->rounds;

	if (rounds == 0 || e->session == NO_SESSION)
		return;
	long *done = &x->seen.rounds[e->session];

	long round = *done == COUNT_NONE ? 1 : *done + 1;

	if (rounds == 1) {
		set_status(x, "rounds_finished", false);
	} else if (*done == COUNT_BROKEN || round >= rounds) {
		*done = COUNT_NONE;
		set_status(x, "rounds_finished", false);
	} else {
		*done = round;
		set_status(x, "round_completed", true);
	}
}

/* ---- trust ---- */

/* The user is told once in a session; after that, what became of a loop is the news. */
static void
expect_untrusted(const struct model *m, const struct event *e, struct expected *x)
{
	const char *loop = x->status;
	bool is_told = e->session != NO_SESSION && m->trust.is_told[e->session] != NO;

	set_status(x, "not_trusted", false);
	if (is_told && strncmp(loop, "loop_", 5) == 0)
		x->other_status = loop;
}

/* ---- all of them ---- */

struct facts
facts_gather(const struct model *m, const struct event *e)
{
	return (struct facts){ observe(m->world), expected_commands(m), gates_expect_stop(m, e),
			       unseen_read(m) };
}

struct expected
expect_stop(const struct model *m, const struct event *e, const struct facts *f, const struct reply *h)
{
	struct expected x = { .status = e->is_active ? "stop_hook_active" : "no_config",
			      .seen = f->seen,
			      .follow_up = -1,
			      .gates = f->gates,
			      .is_untrusted = !trust_allows(m, e->front_end) };
	bool has_yaml = m->config->has_yaml && !m->is_yaml_broken && is_for(e, BY_CONCLAUDE) &&
			!(e->front_end == BY_CONCLAUDE && e->session == NO_SESSION) && !x.is_untrusted;

	if (is_for(e, BY_RALPH))
		expect_loops(e, &x);
	if (has_yaml && !x.is_block)
		expect_follow_up(m, e, h->is_not_due, &x);
	if (has_yaml && !x.is_block && m->config->command_count > 0)
		set_status(&x, f->commands, strcmp(f->commands, "commands_passed") != 0);
	if (is_for(e, BY_GAUNTLET) && !x.is_block && f->gates.status)
		expect_gates(m, e, h, &x);
	if (has_yaml && !x.is_block && !x.is_final)
		expect_rounds(m, e, &x);
	if (has_yaml && !x.is_block && !x.is_final && m->config->is_infinite)
		set_status(&x, "infinite", true);
	if (x.is_untrusted && !x.is_block)
		expect_untrusted(m, e, &x);
	expect_limit(e, &x);
	return x;
}
