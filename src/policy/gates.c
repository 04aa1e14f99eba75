/* SPDX-License-Identifier: MIT */
/* Gates as a policy: gathers what decides whether they run at this stop, runs them, and turns the result into a
 * verdict. */
#include "policy/policies.h"

#include "import/gates.h"
#include "conf/holdfast.h"
#include "record/record.h"
#include "record/journal.h"
#include "git/git.h"
#include "os/clock.h"

#include <inttypes.h>

#define MINUTE_S 60
/* Of the configuration, at each stop. */
#define WARNINGS_SHOWN 3

/* What this stop knows about the gates. */
struct gates_stop {
	struct str root; /* absent: no project with gates */
	struct tries tries;
	struct stop_settings config;
	struct logdir logs;
	struct record record; /* see known_record() */
	struct execution_state state;
	struct gates_facts facts;
};

static const struct dialect *
dialect_of(const struct gates_stop *h)
{
	return h->config.dialect ? h->config.dialect
	       : h->root.s       ? gates_dialect(h->root)
				 : &dialects[DIALECT_GAUNTLET];
}

/* What earlier runs left, read again only if somebody has written to it since; NULL: it can't be read. */
static struct record *
known_record(struct stop_context *s, struct gates_stop *h)
{
	if (!journal_is_as_read(&h->record.journal) &&
	    record_load(&h->record, s->arena, h->root, &h->logs, IGNORED) < 0)
		return NULL;
	return &h->record;
}

static int
gather_facts(struct stop_context *s, struct gates_stop *h, struct err *err)
{
	struct gates_facts *f = &h->facts;
	int64_t completed_us;

	f->is_stop_hook_active = s->event->is_stop_hook_active;
	f->has_config = s->gates_source != NULL;
	if (!f->has_config)
		return 0;
	h->root = s->gates_source->root;
	if (s->gates_source->problem.s)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(s->gates_source->problem));
	if (source_load_gates(s->arena, s->gates_source, &h->config, err) < 0)
		return -1;
	if (h->config.warning.s)
		stop_warn(s, h->config.warning);
	h->logs = logdir_of(s->arena, h->root, h->config.log_dir, h->config.dialect);
	f->reverifies = h->config.sourced.reverifies.value != 0;
	f->is_enabled = h->config.sourced.stop_hook_enabled.value != 0;
	f->interval_minutes = h->config.sourced.run_interval_minutes.value;
	if (!f->is_enabled || (f->is_stop_hook_active && !f->reverifies))
		return 0;
	f->is_locked = !h->config.dialect->waits_for_run &&
		       (logdir_lock_state(s->arena, &h->logs) == PIDFILE_HELD ||
			logdir_has_live_marker(s->arena, &h->logs));
	const struct record *known = f->is_locked ? NULL : known_record(s, h);

	if (!known || !record_state(known, &h->state))
		return 0;
	f->is_outstanding = h->state.is_outstanding;
	if (f->interval_minutes == 0 || h->state.is_partial ||
	    !clock_parse(h->state.completed_at, &completed_us))
		return 0;
	struct str branch = git_branch_now(s->arena, h->root);

	f->has_state = true;
	f->since_last_run_us = clock_real_us() - completed_us;
	f->is_other_branch = branch.s && !str_eq(branch, h->state.branch);
	return 0;
}

void
gates_note_start(struct stop_context *s)
{
	for (size_t i = 0; i < s->gates.count; i++) {
		struct str root = s->gates.items[i]->root, branch = git_branch_now(s->arena, root);
		struct str commit = branch.s ? git_commit_now(s->arena, root) : STR_NONE;
		struct str session = start_key_of_session(s->arena, s->event->session_id);
		struct err err;

		if ((commit.s && !str_is(branch, "HEAD") &&
		     start_note(s->arena, root, branch, commit, false, &err) < 0) ||
		    (commit.s && session.s && start_note(s->arena, root, session, commit, false, &err) < 0))
			stop_warn(s, err.msg);
	}
}

static struct verdict
too_soon(struct stop_context *s, const struct gates_stop *h)
{
	struct repository repository = { .root = h->root, .deadline_ms = s->deadline_ms };
	int64_t interval = h->facts.interval_minutes;
	int64_t left = interval * MINUTE_S - h->facts.since_last_run_us / 1000000;

	if (!content_is(s->arena, &repository, h->config.log_dir, h->state.content_commit,
			h->state.content_key))
		stop_warn(s, "the files may have changed since the gates last ran; the gates have not "
			     "checked them");

	return verdict_of(STATUS_INTERVAL_NOT_ELAPSED, str_fmt(s->arena,
							       "⏭ Gauntlet skipped — run interval (%" PRId64
							       " min) not elapsed since last run (%" PRId64
							       " min %02" PRId64 " s remaining).",
							       interval, left / MINUTE_S, left % MINUTE_S));
}

/* ---- a failure that is known, and a gate that could not run ---- */

/* With `config`, of the gates that are still in it. */
static struct str_list
read_failures(struct stop_context *s, struct gates_stop *h, const struct gates_config *config)
{
	const struct record *r = known_record(s, h);

	if (!r)
		return (struct str_list){ 0 };
	return config ? outstanding_gates(s->arena, config, &r->latest) : record_failures(r);
}

static struct verdict
known_failure(struct stop_context *s, struct str names, struct str error)
{
	return (struct verdict){
		.status = STATUS_FAILED,
		.message = str_cat(s->arena, error, "; ", names, " had failed before and must pass"),
		.reason = str_cat(s->arena, names, " failed before, and could not be run again:\n\n", error,
				  "\n\nRemove what keeps it from running, fix the failure, then stop: the "
				  "stop hook runs the gates again.\n"),
	};
}

static struct str
names_of(const struct stop_context *s, const struct gates_stop *h, const struct str_list *ids)
{
	return gate_ids_shown(s->arena, ids, dialect_of(h)->shows_ids);
}

/* An unknown result allows the stop, except where a gate is known to fail: then it blocks, as often as there are tries. */
static struct verdict
unknown_verdict(struct stop_context *s, struct gates_stop *h, struct verdict v, struct str_list failures)
{
	struct str names = names_of(s, h, &failures), why;
	struct str error = verdict_message(&v);

	if (failures.count == 0)
		return v;
	struct verdict block = known_failure(s, names, error);

	if (tries_count(s, &h->tries, block.reason, SENT_BY_CHAIN, &why))
		return block;
	return verdict_of(
		STATUS_RETRY_LIMIT_EXCEEDED,
		str_cat(s->arena, error, "; ", names, " had failed before; allowing the stop: ", why));
}

/* Why the gates could not be checked, which is no reason to forget their failures. */
static struct verdict
error_verdict(struct stop_context *s, struct gates_stop *h, const char *message, struct str_list failures)
{
	const char *what = dialect_of(h)->has_plain_texts ? "⚠ gates were not checked: " : STOP_HOOK_ERROR;

	return unknown_verdict(s, h, verdict_of(STATUS_ERROR, str_cat(s->arena, what, message)), failures);
}

/* A known failure must not be lost when a signal ends this process: the try is counted first, and then the block is
 * prepared. */
static void
prepare_known_failure(struct stop_context *s, struct gates_stop *h, const struct gates_config *config)
{
	struct str_list failures = read_failures(s, h, config);
	struct str why;

	stop_prepare_interrupted(s);
	if (failures.count == 0)
		return;
	struct verdict v = known_failure(s, names_of(s, h, &failures),
					 STR("⚠ The gates were interrupted before they had run"));

	if (tries_count(s, &h->tries, v.reason, SENT_BY_SIGNAL, &why))
		stop_prepare(s, &v);
}

/* "✗ test, lint failed" */
static struct str
failed_text(struct arena *a, const struct run_result *r)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str last = STR_NONE;

	for_each (g, r->results, r->result_count) {
		struct str name = gate_result_title(a, g);

		if (g->outcome != OUTCOME_FAIL || str_eq(name, last))
			continue;
		buf_cat(&b, b.n > 0 ? ", " : "✗ ", strip_escapes_line(a, name));
		last = name;
	}
	buf_cat(&b, " failed");
	return buf_str(&b);
}

static struct verdict
verdict_of_run(struct stop_context *s, struct gates_stop *h, const struct run_result *r)
{
	bool is_plain = h->config.dialect->has_plain_texts;
	const struct reason_facts facts = { .root = h->root,
					    .reverifies = h->facts.reverifies,
					    .is_gauntlet = s->front_end == FRONT_END_GAUNTLET && !is_plain };
	struct str why;

	if (r->status == STATUS_ERROR)
		return error_verdict(s, h, r->error_message.s, r->outstanding);
	if (r->status == STATUS_INFRASTRUCTURE_ERROR)
		return unknown_verdict(s, h, verdict_of(r->status, r->message), r->outstanding);
	if (!status_blocks(r->status))
		return verdict_of(r->status,
				  r->status == STATUS_PASSED_WITH_WARNINGS ? r->message : STR_NONE);
	struct str reason = gates_reason(s->arena, r, &facts);

	if (tries_count(s, &h->tries, reason, SENT_BY_CHAIN, &why))
		return (struct verdict){
			.status = r->status,
			.message = is_plain ? failed_text(s->arena, r) : STR_NONE,
			.reason = reason,
		};
	struct str names = names_of(s, h, &r->outstanding);
	const char *fails = r->outstanding.count == 1 ? " still fails" : " still fail";

	return verdict_of(STATUS_RETRY_LIMIT_EXCEEDED,
			  is_plain ? str_cat(s->arena, "⚠ ", names, fails, "; the agent may stop: ", why)
				   : str_cat(s->arena, "⚠ Gauntlet terminated — retry limit exceeded (", why,
					     "); human review may be needed: ", names, fails, "."));
}

/* What run_gates() would run. */
static struct verdict
preview(struct stop_context *s, struct gates_stop *h, const struct gates_config *config)
{
	struct run_preview p;
	struct err err;

	if (preview_run(s->arena, config, &p, &err) < 0)
		return error_verdict(s, h, err.msg, read_failures(s, h, config));
	for (size_t i = 0; i < p.jobs.count; i++) {
		struct gate_result g = gate_result_of(&p.jobs.items[i]);

		buf_cat(&s->would_run, "gate ", strip_escapes_line(s->arena, gate_result_title(s->arena, &g)),
			" (", strip_escapes_line(s->arena, g.reason), ")\n");
	}
	if (p.jobs.count > 0 && tries_are_used_up(s, &h->tries))
		stop_warn(s, "the tries of this session are used up, so a gate that fails would not block");
	enum status status = p.jobs.count > 0     ? STATUS_PASSED
			     : p.reused_count > 0 ? STATUS_UNCHANGED
			     : p.change_count > 0 ? STATUS_NO_APPLICABLE_GATES
						  : STATUS_NO_CHANGES;

	return (struct verdict){ .status = status, .is_quiet = true };
}

/* What the user should know about a run, whatever its result is. */
static void
warn_of_run(struct stop_context *s, const struct gates_stop *h, const struct run_result *r)
{
	if (r->warning.s)
		stop_warn(s, r->warning);
	for (size_t i = 0; i < r->notes.count; i++)
		stop_warn(s, r->notes.items[i]);
	if (r->hidden.count > 0)
		stop_warn(s, "git was told to ignore changes of ",
			  strip_escapes_line(s->arena, r->hidden.items[0]),
			  r->hidden.count > 1 ? str_cat(s->arena, " and ", r->hidden.count - 1, " more").s
					      : "",
			  ", so the gates do not see them; 'git update-index --no-assume-unchanged "
			  "--no-skip-worktree FILE', or 'git sparse-checkout disable' if it is gone, ends "
			  "that");
	if (r->ignored.s)
		stop_warn(s, "git ignores files by rules that are new, so no gate runs for them: ",
			  strip_escapes_line(s->arena, r->ignored));
	if (r->forgotten.count > 0)
		stop_warn(s, names_of(s, h, &r->forgotten), " failed and is no longer configured");
}

static struct verdict
run_gates(struct stop_context *s, struct gates_stop *h)
{
	struct gates_config config;
	struct err err;

	if (gates_load_rest(s->arena, &h->config, &config, &err) < 0)
		return error_verdict(s, h, err.msg, read_failures(s, h, NULL));
	config.root = h->root; /* the files may be a pinned copy's */
	find_base_branch(s->arena, &config);
	for (size_t i = 0; i < config.warning_count && i < WARNINGS_SHOWN; i++)
		stop_warn(s, config.warnings[i].position, config.warnings[i].text);
	if (config.warning_count > WARNINGS_SHOWN)
		stop_warn(s, "'holdfast validate' shows ", config.warning_count - WARNINGS_SHOWN,
			  " more warnings");
	h->tries.max = config.max_retries;
	if (s->unread.s)
		return unknown_verdict(s, h, verdict_of(STATUS_INVALID_INPUT, s->unread),
				       read_failures(s, h, &config));
	if (s->is_dry)
		return preview(s, h, &config);
	struct debug_log log = debug_log_of(s->arena, &config.sourced, &h->logs);

	debug_log(s->arena, &log, "COMMAND stop-hook");
	prepare_known_failure(s, h, &config);
	struct run_options options = {
		.has_checks = true,
		.has_reviews = true,
		.is_silent = true,
		.is_hook = true,
		.is_last_try = tries_are_used_up(s, &h->tries),
		.session = s->event->session_id,
		.definitions = &s->gates_source->now,
		.record = &h->record,
		.deadline_ms = s->deadline_ms,
	};
	struct run_result r = execute_run(s->arena, &config, &options);

	/* The run has changed the results in memory, also where it could not write them. */
	h->record = (struct record){ 0 };

	s->is_gate_turned_red |= (r.status == STATUS_FAILED || r.status == STATUS_RETRY_LIMIT_EXCEEDED) &&
				 !h->facts.is_outstanding;
	s->results = r.results;
	s->result_count = r.result_count;
	stop_prepare_interrupted(s);
	warn_of_run(s, h, &r);
	if (r.status == STATUS_ERROR && r.outstanding.count == 0)
		r.outstanding = read_failures(s, h, &config);
	/* The run may have found that the tries are used up: it says so in its own log. */
	if (r.status == STATUS_RETRY_LIMIT_EXCEEDED)
		r.status = STATUS_FAILED;
	struct verdict v = verdict_of_run(s, h, &r);

	if (!status_blocks(v.status))
		tries_give_back(s, &h->tries,
				v.status == STATUS_PASSED || v.status == STATUS_PASSED_WITH_WARNINGS);
	return v;
}

/* A failure that is known, and a configuration that does not let it be checked again: the user has to know. */
static void
warn_unchecked(struct stop_context *s, struct gates_stop *h, const char *why)
{
	struct str_list failures = h->facts.has_config ? read_failures(s, h, NULL) : (struct str_list){ 0 };

	if (failures.count > 0)
		stop_warn(s, names_of(s, h, &failures), " has failed and was not run again: ", why);
}

static struct verdict
decide(struct stop_context *s, struct gates_stop *h)
{
	enum value_source source = h->config.sourced.stop_hook_enabled.source;
	struct str where;

	switch (gates_decide(&h->facts)) {
	case GATES_NO_CONFIG:
		return verdict_of(STATUS_NO_CONFIG,
				  STR("○ Not a gauntlet project — no .gauntlet/config.yml found."));
	case GATES_ACTIVE:
		warn_unchecked(s, h, "stop_hook.reverify is off");
		return verdict_of(STATUS_STOP_HOOK_ACTIVE, STR_NONE);
	case GATES_DISABLED:
		warn_unchecked(s, h, "stop_hook.enabled is off");
		/* Where that was said may be far from the project. */
		where = source == SOURCE_ENVIRONMENT ? STR("GAUNTLET_STOP_HOOK_ENABLED")
			: source == SOURCE_GLOBAL    ? gauntlet_global_path(s->arena)
						     : str_from(h->config.dialect->file);
		return verdict_of(STATUS_STOP_HOOK_DISABLED,
				  str_cat(s->arena, "○ Stop hook is disabled via configuration (", where,
					  "), so no gate was run."));
	case GATES_LOCKED:
		return verdict_of(STATUS_LOCK_EXISTS, STR_NONE);
	case GATES_TOO_SOON:
		return too_soon(s, h);
	case GATES_RUN:
		break;
	}
	return run_gates(s, h);
}

bool
gates_policy(struct stop_context *s, struct verdict *ret)
{
	struct gates_stop h = { .tries.max = TRIES_DEFAULT };
	struct gates_config config;
	struct err err;

	if (gather_facts(s, &h, &err) < 0) {
		h.logs = logdir_of(s->arena, h.root, str_from(dialect_of(&h)->log_dir), dialect_of(&h));
		*ret = error_verdict(s, &h, err.msg, read_failures(s, &h, NULL));
		return true;
	}
	/* A valid file may have rounds or follow-ups alone. What is wrong with one is reported here, whatever it has. */
	if (h.facts.has_config && h.config.dialect->configures_alone &&
	    !node_get(&h.config.document, "gates") &&
	    gates_load_rest(s->arena, &h.config, &config, &err) == 0)
		return false;
	*ret = decide(s, &h);
	if (!ret->message.s && h.config.dialect && h.config.dialect->has_plain_texts)
		ret->message = status_text(ret->status, h.config.dialect);
	if (!h.facts.has_config)
		return s->front_end == FRONT_END_GAUNTLET;
	if (ret->status == STATUS_STOP_HOOK_ACTIVE || s->is_dry)
		return true;
	struct debug_log log = debug_log_of(s->arena, &h.config.sourced, &h.logs);
	struct str why = ret->status == STATUS_ERROR ? ret->message : STR_NONE;

	debug_log(s->arena, &log, "STOP_HOOK decision=%s reason=" STR_FMT "%s" STR_FMT,
		  status_blocks(ret->status) ? "block" : "allow", STR_ARG(status_rows[ret->status].name),
		  why.s ? ": " : "", STR_ARG(why));
	return true;
}
