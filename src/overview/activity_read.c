/* SPDX-License-Identifier: MIT */
/* Reads what a report is about: the journal of decisions, the history of loops, those that run, results, transcripts, and the
 * reflog of each project. */
#include "client/client.h"
#include "client/usage.h"
#include "loop/loop.h"
#include "os/clock.h"
#include "os/fs.h"
#include "overview/activity.h"
#include "store/journals.h"

#define GIT_MS 60000

#define add_note(f, ...) \
	(*arena_push((f)->arena, (f)->notes.items, (f)->notes.count) = str_cat((f)->arena, __VA_ARGS__))

/* Loops that have not ended are in the project. */
static void
read_running_loops(struct activity *f, struct str project, const struct decision_filter *filter)
{
	struct project_dirs where;
	struct loop_refs loops;

	project_find_above(&where, project, WITHIN_REPOSITORY);
	loops_find(f->arena, &where, &loops);
	for (size_t i = 0; i < loops.count; i++) {
		const struct loop_state *l = &loops.items[i].state;
		const struct usage *usage = &l->options.usage;

		if (loops.items[i].is_corrupt || (filter->until_us > 0 && l->started_us >= filter->until_us))
			continue;
		*arena_push(f->arena, f->loops, f->loop_count) = (struct activity_loop){
			.project = path_parent(path_parent(loops.items[i].path)),
			.session = l->session_id.s ? l->session_id : STR(""),
			.reason = l->is_paused ? STR("paused") : STR("running"),
			.started_us = l->started_us,
			.iterations = l->iteration > 0 ? (int64_t)l->iteration - 1 : 0,
			.most = (int64_t)l->max_iterations,
			.usage = { usage->read.offset > 0, usage->tokens, usage->cost },
		};
	}
}

/* Only Claude Code's transcripts count tokens. */
static void
read_usage(struct activity *f, struct activity_session *s)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct client *c = client_find(s->client);
	struct usage all = { 0 };
	struct err err;

	if (!s->transcript.s || !c || c->transcript != &claude_transcript ||
	    fs_kind(s->transcript.s) == FS_NOTHING)
		return;
	struct usage_span *spans = arena_array(&scratch, s->iteration_count + 1, struct usage_span),
			  *span = spans;
	struct usage_request request = { .spans = spans, .span_count = s->iteration_count };

	for (const struct activity_iteration *i = s->iterations; i; i = i->next)
		(span++)->until_us = i->time_us;
	if (usage_read(f->arena, s->transcript.s, &request, &all, &err) < 0) {
		add_note(f, "tokens: ", err.msg);
		return;
	}
	s->unknown_model = all.unknown_model;
	span = spans;
	for (struct activity_iteration *i = s->iterations; i; i = i->next, span++) {
		i->first_message_us = span->first_us;
		i->usage = (struct activity_usage){ span->first_us > 0, span->tokens, span->cost };
		s->usage.is_known |= span->first_us > 0;
		s->usage.tokens += span->tokens;
		s->usage.cost += span->cost;
	}
}

static void
read_commits(struct activity *f, struct str project)
{
	struct repository r = { .root = project, .deadline_ms = clock_mono_ms() + GIT_MS };
	struct project_dirs where;
	struct made_commit *commits;
	size_t count;
	struct err err;

	project_find_above(&where, project, WITHIN_REPOSITORY);
	if (f->last_us == 0 || !where.repository.s || !git_commit_now(f->arena, where.repository).s)
		return;
	if (git_made_commits(f->arena, &r, f->first_us, f->last_us, &commits, &count, &err) < 0)
		add_note(f, "commits of ", project, ": ", err.msg);
	else
		activity_add_commits(f, project, commits, count);
}

static bool
take(void *context, struct str line, const struct decision *d)
{
	(void)line;
	activity_add_decision(context, d);
	return true;
}

int
activity_collect(struct activity *f, const struct decision_filter *filter, struct err *err)
{
	/* Another session may have made the commits of this one's time. */
	struct decision_filter all = *filter;
	struct strset projects = strset_new(f->arena, 0);
	struct node *loops;
	size_t loop_count;
	struct err why;

	all.session = STR_NONE;
	f->project = filter->project;
	f->since_us = filter->since_us;
	f->until_us = filter->until_us;
	f->now_us = clock_real_us();
	if (decisions_each(&all, take, f, err) < 0)
		return -1;
	if (loop_journal_read(f->arena, &loops, &loop_count, &why) < 0) {
		add_note(f, "the history of loops: ", why.msg);
		loop_count = 0;
	}
	for (size_t i = 0; i < loop_count; i++)
		activity_add_loop(f, &loops[i], &all);
	/* The projects of all sessions, each once; of the filter, too, which may have no sessions. */
	if (f->project.s)
		(void)strset_add(&projects, f->project);
	for (size_t k = 0; k < f->session_count; k++)
		(void)strset_add(&projects, f->sessions[k].project);
	for (size_t i = 0; i < projects.count; i++)
		read_running_loops(f, projects.items[i], &all);
	for (size_t k = 0; k < f->session_count; k++)
		read_usage(f, &f->sessions[k]);
	activity_fold_times(f);
	for (size_t i = 0; i < projects.count; i++)
		read_commits(f, projects.items[i]);
	if (filter->session.s)
		activity_keep_session(f, filter->session);
	for (size_t i = 0; i < projects.count; i++) {
		struct flaky_gates flaky;

		if (flaky_read(f->arena, projects.items[i], f->since_us, f->until_us, &flaky, &why) < 0)
			add_note(f, "flaky gates of ", projects.items[i], ": ", why.msg);
		else
			activity_add_flaky(f, projects.items[i], &flaky);
	}
	activity_fold_gates(f);
	activity_fold_sums(f);
	return 0;
}
