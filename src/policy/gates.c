/* SPDX-License-Identifier: MIT */
/* Gates as a policy: gathers what decides whether they run at this stop, runs them, and turns the result into a
 * verdict. */
#include "policy/gates.h"

#include "conf/gauntlet.h"
#include "record/record.h"
#include "git/git.h"
#include "os/clock.h"
#include "policy/policies.h"

#include <inttypes.h>

#define MINUTE_S 60

/* What this stop knows about the gates. */
struct gates_stop {
	struct str root; /* absent: no project with gates */
	struct gauntlet_hook_config config;
	struct logdir logs;
	struct execution_state state;
	struct gates_facts facts;
};

static struct verdict
verdict_of(enum status status, struct str message)
{
	return (struct verdict){ .status = status, .message = message };
}

static struct verdict
error_verdict(struct stop_context *s, const char *message)
{
	return verdict_of(STATUS_ERROR, str_fmt(s->arena, "⚠ Stop hook error — %s", message));
}

/* Only the interval needs the state. */
static void
read_state(struct stop_context *s, struct gates_stop *h)
{
	struct gates_facts *f = &h->facts;
	int64_t completed_us;

	if (f->interval_minutes == 0 || !record_read_state(s->arena, h->root, &h->logs, &h->state) ||
	    h->state.is_partial || !clock_parse(h->state.completed_at, &completed_us))
		return;
	struct str branch = git_branch_now(s->arena, h->root);

	f->has_state = true;
	f->since_last_run_us = clock_real_us() - completed_us;
	f->is_outstanding = h->state.is_outstanding;
	f->is_other_branch = branch.s && !str_eq(branch, h->state.branch);
}

static int
gather_facts(struct stop_context *s, struct gates_stop *h, struct err *err)
{
	struct gates_facts *f = &h->facts;

	f->is_stop_hook_active = s->event->is_stop_hook_active;
	h->root = gauntlet_find(s->arena, s->where.dirs, s->where.count);
	f->has_config = h->root.s != NULL;
	if (!f->has_config)
		return 0;
	if (gauntlet_load_hook(s->arena, h->root, &h->config, err) < 0)
		return -1;
	if (h->config.warning.s)
		stop_warn(s, STR_FMT, STR_ARG(h->config.warning));
	h->logs = logdir_of(s->arena, h->root, h->config.log_dir);
	f->reverifies = h->config.sourced.reverifies.value != 0;
	f->is_enabled = h->config.sourced.stop_hook_enabled.value != 0;
	f->interval_minutes = h->config.sourced.run_interval_minutes.value;
	if (!f->is_enabled || (f->is_stop_hook_active && !f->reverifies))
		return 0;
	f->is_locked = logdir_lock_state(s->arena, &h->logs) == PIDFILE_HELD ||
		       logdir_has_live_marker(s->arena, &h->logs);
	if (!f->is_locked)
		read_state(s, h);
	return 0;
}

static struct verdict
too_soon(struct stop_context *s, const struct gates_stop *h)
{
	int64_t interval = h->facts.interval_minutes;
	int64_t left = interval * MINUTE_S - h->facts.since_last_run_us / 1000000;

	return verdict_of(STATUS_INTERVAL_NOT_ELAPSED, str_fmt(s->arena,
							       "⏭ Gauntlet skipped — run interval (%" PRId64
							       " min) not elapsed since last run (%" PRId64
							       " min %02" PRId64 " s remaining).",
							       interval, left / MINUTE_S, left % MINUTE_S));
}

static struct verdict
run_gates(struct stop_context *s, const struct gates_stop *h)
{
	struct gates_config config;
	struct err err;

	if (gauntlet_load_rest(s->arena, &h->config, &config, &err) < 0)
		return error_verdict(s, err.msg);
	struct debug_log log = debug_log_of(s->arena, &config.sourced, &h->logs);

	debug_log(s->arena, &log, "COMMAND stop-hook");
	struct run_options options = {
		.has_checks = true,
		.has_reviews = true,
		.is_silent = true,
		.is_hook = true,
		.session = s->event->session_id,
		.deadline_ms = s->deadline_ms,
	};
	struct run_result r = execute_run(s->arena, &config, &options);

	if (r.warning.s)
		stop_warn(s, STR_FMT, STR_ARG(r.warning));
	if (r.status == STATUS_ERROR)
		return error_verdict(s, r.error_message.s);
	struct verdict v = verdict_of(r.status,
				      r.status == STATUS_INFRASTRUCTURE_ERROR ? r.message : STR_NONE);

	if (status_blocks(r.status))
		v.reason = gates_reason(s->arena, &r);
	return v;
}

static void
log_decision(struct stop_context *s, const struct gates_stop *h, const struct verdict *v)
{
	struct debug_log log = debug_log_of(s->arena, &h->config.sourced, &h->logs);
	struct str message = v->status == STATUS_ERROR ? v->message : STR_NONE;

	debug_log(s->arena, &log, "STOP_HOOK decision=%s reason=" STR_FMT "%s" STR_FMT,
		  status_blocks(v->status) ? "block" : "allow", STR_ARG(status_name(v->status)),
		  message.s ? ": " : "", STR_ARG(message));
}

static bool
decide(struct stop_context *s, struct gates_stop *h, struct verdict *ret)
{
	switch (gates_decide(&h->facts)) {
	case GATES_NO_CONFIG:
		*ret = verdict_of(STATUS_NO_CONFIG,
				  STR("○ Not a gauntlet project — no .gauntlet/config.yml found."));
		return s->front_end == FRONT_END_GAUNTLET;
	case GATES_ACTIVE:
		*ret = verdict_of(STATUS_STOP_HOOK_ACTIVE, STR_NONE);
		return h->facts.has_config || s->front_end == FRONT_END_GAUNTLET;
	case GATES_DISABLED:
		*ret = verdict_of(STATUS_STOP_HOOK_DISABLED, STR_NONE);
		return true;
	case GATES_LOCKED:
		*ret = verdict_of(STATUS_LOCK_EXISTS, STR_NONE);
		return true;
	case GATES_TOO_SOON:
		*ret = too_soon(s, h);
		return true;
	case GATES_RUN:
		break;
	}
	*ret = run_gates(s, h);
	return true;
}

bool
gates_policy(struct stop_context *s, struct verdict *ret)
{
	struct gates_stop h = { 0 };
	struct err err;

	if (gather_facts(s, &h, &err) < 0) {
		*ret = error_verdict(s, err.msg);
		return true;
	}
	bool is_mine = decide(s, &h, ret);

	if (h.facts.has_config && ret->status != STATUS_STOP_HOOK_ACTIVE)
		log_decision(s, &h, ret);
	return is_mine;
}
