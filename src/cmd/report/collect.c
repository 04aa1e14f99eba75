/* SPDX-License-Identifier: MIT */
/* Reads what a report is about: the journal of decisions, the history of loops, those that run, results, transcripts, and the
 * reflog of each project. */
#include "base/path.h"
#include "client/client.h"
#include "client/transcript.h"
#include "client/usage.h"
#include "cmd/report/facts.h"
#include "loop/loop.h"
#include "os/clock.h"
#include "os/fs.h"
#include "project/project.h"
#include "store/loop_journal.h"

#define GIT_MS 60000

static void PRINTF_LIKE(2, 3) add_note(struct facts *f, const char *fmt, ...)
{
	va_list args;

	arena_make_room(f->arena, f->notes.items, f->notes.count, &f->note_capacity);
	va_start(args, fmt);
	f->notes.items[f->notes.count++] = str_vfmt(f->arena, fmt, args);
	va_end(args);
}

static int
read_decisions(struct facts *f, const struct decision_filter *filter, struct err *err)
{
	struct str_list lines;

	if (decisions_load(f->arena, filter, &lines, err) < 0)
		return -1;
	for (size_t i = 0; i < lines.count; i++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		struct decision d;

		if (decision_read(&scratch, lines.items[i], filter, &d))
			facts_add_decision(f, &d);
	}
	return 0;
}

static void
read_ended_loops(struct facts *f, const struct decision_filter *filter)
{
	struct node *items;
	size_t count;
	struct err err;

	if (loop_journal_read(f->arena, &items, &count, &err) < 0) {
		add_note(f, "the history of loops: %s", err.msg);
		return;
	}
	for (size_t i = 0; i < count; i++)
		facts_add_loop(f, &items[i], filter);
}

/* Loops that have not ended are in the project. */
static void
read_running_loops(struct facts *f, struct str project, const struct decision_filter *filter)
{
	struct project_dirs where;
	struct loop_refs refs;

	project_find_above(&where, project, WITHIN_REPOSITORY);
	loops_find(f->arena, &where, &refs);
	for (size_t i = 0; i < refs.count; i++) {
		const struct loop_state *s = &refs.items[i].state;
		struct facts_loop l = {
			.project = path_parent(path_parent(refs.items[i].path)),
			.session = s->session_id.s ? s->session_id : STR(""),
			.reason = s->is_paused ? STR("paused") : STR("running"),
			.iterations = s->iteration > 0 ? (int64_t)s->iteration - 1 : 0,
			.most = (int64_t)s->max_iterations,
			.usage = { .is_known = s->options.usage.read.offset > 0,
				   .tokens = s->options.usage.tokens,
				   .cost = s->options.usage.cost },
		};

		if (refs.items[i].is_corrupt)
			continue;
		(void)clock_parse(s->started_at, &l.started_us);
		if (filter->until_us > 0 && l.started_us >= filter->until_us)
			continue;
		arena_make_room(f->arena, f->loops, f->loop_count, &f->loop_capacity);
		f->loops[f->loop_count++] = l;
	}
}

static bool
has_counted_transcript(const struct facts_session *s)
{
	const struct client *c = client_find(s->client);

	return s->transcript.s && c && c->transcript_line == claude_transcript_line;
}

static void
read_usage(struct facts *f, struct facts_session *s)
{
	struct usage_span *spans = arena_array(f->arena, s->iteration_count + 1, struct usage_span);
	struct usage all;
	struct err err;

	for (size_t n = 0; n < s->iteration_count; n++)
		spans[n].until_us = s->iterations[n].time_us;
	if (!has_counted_transcript(s) || fs_kind(s->transcript.s) == FS_NOTHING)
		return;
	if (usage_read_spans(f->arena, s->transcript.s, spans, s->iteration_count, &all, &err) < 0) {
		add_note(f, "tokens: %s", err.msg);
		return;
	}
	s->unknown_model = all.unknown_model;
	for (size_t n = 0; n < s->iteration_count; n++) {
		s->iterations[n].first_message_us = spans[n].first_us;
		s->iterations[n].usage = (struct facts_usage){ spans[n].first_us > 0, spans[n].tokens,
							       spans[n].cost };
		s->usage.is_known |= spans[n].first_us > 0;
		s->usage.tokens += spans[n].tokens;
		s->usage.cost += spans[n].cost;
	}
}

/* The projects of all sessions, each once; of the filter, too, which may have no sessions. */
static struct str_list
projects_of(const struct facts *f)
{
	struct str_list l = { .items = arena_array(f->arena, f->session_count + 1, struct str) };

	if (f->project.s)
		l.items[l.count++] = f->project;
	for (size_t k = 0; k < f->session_count; k++)
		if (!str_is_among(f->sessions[k].project, l.items, l.count))
			l.items[l.count++] = f->sessions[k].project;
	return l;
}

static void
read_commits(struct facts *f, struct str project)
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
		add_note(f, "commits of " STR_FMT ": %s", STR_ARG(project), err.msg);
	else
		facts_add_commits(f, project, commits, count);
}

static void
read_flaky(struct facts *f, struct str project)
{
	struct flaky_gates flaky;
	struct err err;

	if (flaky_read(f->arena, project, f->since_us, f->until_us, &flaky, &err) < 0)
		add_note(f, "flaky gates of " STR_FMT ": %s", STR_ARG(project), err.msg);
	else
		facts_add_flaky(f, project, &flaky);
}

int
facts_collect(struct facts *f, const struct decision_filter *filter, struct err *err)
{
	/* Another session may have made the commits of this one's time. */
	struct decision_filter all = *filter;

	all.session = STR_NONE;
	f->project = filter->project;
	f->since_us = filter->since_us;
	f->until_us = filter->until_us;
	f->now_us = clock_real_us();
	if (read_decisions(f, &all, err) < 0)
		return -1;
	read_ended_loops(f, &all);
	struct str_list projects = projects_of(f);

	for (size_t i = 0; i < projects.count; i++)
		read_running_loops(f, projects.items[i], &all);
	for (size_t k = 0; k < f->session_count; k++)
		read_usage(f, &f->sessions[k]);
	facts_fold_times(f);
	for (size_t i = 0; i < projects.count; i++)
		read_commits(f, projects.items[i]);
	if (filter->session.s)
		facts_keep_session(f, filter->session);
	for (size_t i = 0; i < projects.count; i++)
		read_flaky(f, projects.items[i]);
	facts_fold_gates(f);
	facts_fold_sums(f);
	return 0;
}
