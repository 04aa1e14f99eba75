/* SPDX-License-Identifier: MIT */
/* Gathers what a decision needs, and no more: what costs time is only asked where it can change the decision. */
#include "loop/loop.h"

#include "client/client.h"
#include "git/git.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "project/project.h"

/* How long to wait for an answer that the client has not written to the transcript yet. */
#define ANSWER_MS 1000
#define GIT_MS 5000

/* ---- does the loop get anywhere? What can't be found out counts for progress ---- */

struct loop_stuck
loop_stuck_next(const struct loop_stuck *before, const struct loop_trace *now)
{
	bool is_same_message = now->message != 0 && now->message == before->message;
	bool is_same_tree = now->tree != 0 && now->tree == before->tree;

	return (struct loop_stuck){
		.message = now->message,
		.tree = now->tree,
		.without_tool = now->has_no_tool ? before->without_tool + 1 : 0,
		.same_message = now->message == 0 ? 0
				: is_same_message ? before->same_message + 1
						  : 1,
		.same_tree = is_same_tree ? before->same_tree + 1 : 0,
	};
}

uint64_t
loop_stuck_longest(const struct loop_stuck *s, const char **ret_what)
{
	uint64_t most = s->without_tool;

	*ret_what = "called no tool";
	if (s->same_message > most) {
		most = s->same_message;
		*ret_what = "ended with the same answer";
	}
	if (s->same_tree > most) {
		most = s->same_tree;
		*ret_what = "changed no file";
	}
	return most;
}

/* The commit, and all that differs from it, but for the loops' own files. */
static uint64_t
tree_hash(struct arena *a, struct str root)
{
	const struct repository r = { .root = root, .deadline_ms = clock_mono_ms() + GIT_MS };
	const struct change_spec spec = { .mode = CHANGES_UNCOMMITTED };
	struct change_list changes;
	uint64_t hash = str_hash(STR_HASH_START, git_commit_now(a, root));

	if (git_changes(a, &r, &spec, &changes, IGNORED) < 0 ||
	    git_read_contents(a, &r, &changes, IGNORED) < 0)
		return 0;
	for (size_t i = 0; i < changes.count; i++) {
		if (str_find(changes.items[i], STR(".claude/ralph-loop")) >= 0)
			continue;
		hash = str_hash(hash, changes.items[i]);
		hash = str_hash(hash, changes.files[i].mode);
		hash = str_hash(hash, changes.files[i].object);
	}
	return hash | 1;
}

/* ---- the facts ---- */

static void
add_edit(struct loop_decision *d, const char *key, struct str value)
{
	d->edits.items[d->edits.count++] = (struct loop_edit){ key, value };
}

/* Counts tokens and cost, if they are limited. */
static void
count_usage(struct arena *a, const struct loop_state *s, const struct event *event, struct loop_decision *d)
{
	const struct loop_options *o = &s->options;
	const struct client *client = event->client ? event->client : client_default;
	struct usage_request request = { .since_us = s->started_us,
					 .own = o->prices,
					 .own_count = o->price_count };
	const char *path;
	struct err err;

	d->usage = o->usage;
	if (o->max_tokens == 0 && o->max_cost == 0)
		return;
	if (client->transcript != &claude_transcript || event->transcript_path.n == 0) {
		d->uncounted = str_cat(a, "tokens are not counted, because ",
				       event->transcript_path.n == 0
					       ? "the event names no transcript"
					       : "this client's transcript has another format");
		return;
	}
	if (str_cz(a, event->transcript_path, &path, &err) < 0 ||
	    usage_read(a, path, &request, &d->usage, &err) < 0) {
		d->usage = o->usage;
		d->uncounted = str_cat(a, "tokens are not counted: ", err.msg);
		return;
	}
	if (o->max_cost > 0 && d->usage.unknown_model.s)
		d->uncounted = str_cat(a, "max_cost_usd does not hold: the price of '",
				       d->usage.unknown_model, "' is not known; set it in `prices`");
	add_edit(d, "usage", loop_usage_text(a, &d->usage));
}

/* For how many iterations the loop has got nowhere. */
static void
look_for_progress(struct arena *a, const struct loop_options *o, struct str path, const struct event *event,
		  struct loop_decision *d)
{
	if (o->stuck_after == 0)
		return;
	struct str text = str_trim(client_final_message(a, event, ANSWER_MS));
	const struct loop_trace trace = {
		.message = text.n > 0 ? str_hash(STR_HASH_START, text) | 1 : 0,
		.tree = tree_hash(a, str_copy(a, path_parent(path_parent(path)))),
		.has_no_tool = client_called_no_tool(a, event),
	};
	struct loop_stuck stuck = loop_stuck_next(&o->stuck, &trace);

	add_edit(d, "progress", loop_stuck_text(a, &stuck));
	d->stuck_for = loop_stuck_longest(&stuck, &d->stuck_how);
	if (d->stuck_for < o->stuck_after)
		d->stuck_how = NULL;
}

struct loop_decision
loop_gather(struct arena *a, const struct loop_state *s, struct str path, struct str refusal,
	    const struct event *event, enum loop_proof proof)
{
	struct loop_facts facts = {
		.session = event->session_id,
		.is_nested = s->session_id.n == 0 && client_is_nested(a, event, env_get),
		.is_refused = refusal.s != NULL,
		.background_tasks = event->background_tasks + event->wake_ups,
		.proof = proof,
	};
	struct loop_decision d = { .step = loop_decide(s, &facts) };

	/* Reading the message takes time, so it is only read where it can change the decision. */
	if (s->options.outcome_count > 0 &&
	    (d.step == LOOP_CONTINUES || d.step == LOOP_LIMIT || d.step == LOOP_HELD)) {
		d.promised = loop_promised(s, client_final_message(a, event, ANSWER_MS));
		if (d.promised)
			facts.promised = d.promised->is_done ? PROMISED_DONE : PROMISED_STOPPED;
		if (facts.proof == PROOF_NOT_ASKED && loop_options_verify(&s->options))
			facts.proof = PROOF_DUE;
		d.step = loop_decide(s, &facts);
	}
	/* The history has what an ended loop has used. */
	if (d.step == LOOP_CONTINUES || loop_step_reason(d.step))
		count_usage(a, s, event, &d);
	if (d.step != LOOP_CONTINUES)
		return d;
	if (s->options.steer.s)
		add_edit(&d, "steer", STR("null")); /* once */
	int64_t us = clock_real_us() - s->started_us;

	look_for_progress(a, &s->options, path, event, &d);
	facts.minutes = s->started_us > 0 && us > 0 ? (uint64_t)us / 60000000 : 0;
	facts.tokens = (uint64_t)d.usage.tokens;
	facts.cost = d.usage.cost;
	facts.idle = d.stuck_for;
	d.step = loop_decide(s, &facts);
	return d;
}

/* ---- adoption ---- */

struct str
loop_adoption_problem(struct arena *a, struct str path)
{
	struct str claude = str_copy(a, path_parent(path)), root = str_copy(a, path_parent(claude));
	struct repository r = { .root = root, .deadline_ms = clock_mono_ms() + GIT_MS };
	struct project_dirs where;
	struct err err;

	/* Who may write to the root can put another .claude there, but then it is not ours. */
	if (fs_check_safe(a, str_copy(a, path).s, &err) < 0 || fs_check_safe(a, claude.s, &err) < 0)
		return str_cat(a, err.msg);
	project_find_above(&where, root, WITHIN_REPOSITORY);
	if (!where.repository.s)
		return STR_NONE;
	enum git_answer is_tracked = git_tracks(a, &r, path, &err);

	if (is_tracked == ANSWER_UNKNOWN)
		return str_cat(a, "whether git tracks it is not known: ", err.msg);
	return is_tracked == ANSWER_NO
		       ? STR_NONE
		       : STR("git tracks it, so it came with the repository; 'git rm --cached' changes that");
}
