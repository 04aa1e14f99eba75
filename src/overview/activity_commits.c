/* SPDX-License-Identifier: MIT */
/* Which commit was made in which iteration, and what sessions and projects have committed. Pure. */
#include "overview/activity.h"

/* Adds the commits of a span, whose files count once. */
static void
add_commits(struct activity_count *to, const struct made_commit *commits, size_t count)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct strset seen = strset_new(&scratch, 0);

	to->commits += count;
	for (size_t i = 0; i < count; i++) {
		to->added += commits[i].added;
		to->removed += commits[i].removed;
		for (size_t k = 0; k < commits[i].files.count; k++)
			to->files += strset_add(&seen, commits[i].files.items[k]);
	}
}

/* The time of a commit has no fraction: it may have been made at any moment of its second. */
#define SECOND_US 1000000

/* A session while commits are looked at, from the oldest to the newest. */
struct worker {
	struct activity_session *session;
	struct activity_iteration *before, *at; /* `at`: the first that did not stop before the commit */
};

/* When its work can have begun, at the earliest; INT64_MAX: nobody knows. */
static int64_t
begin_of(const struct activity_iteration *before, const struct activity_iteration *i)
{
	return i->from_us > 0 ? i->from_us : before ? before->time_us : INT64_MAX;
}

/* The iteration of a session in which a commit was made; NULL: none. A commit in the second of a stop belongs to the work after it only
 * if that before it can't be. */
static struct activity_iteration *
maker_in(const struct worker *w, const struct made_commit *c)
{
	struct activity_iteration *before = w->before, *i = w->at;

	for (; i; before = i, i = i->next) {
		int64_t from_us = begin_of(before, i);

		if (from_us < c->time_us + SECOND_US)
			return i;
		if (from_us < INT64_MAX)
			break;
	}
	return NULL;
}

/* When a session can have made its first commit. */
static int64_t
begin_of_session(const struct activity_session *s)
{
	return s->iterations->from_us > 0 ? s->iterations->from_us
	       : s->iterations->next      ? s->iterations->time_us
					  : INT64_MAX;
}

static int
by_begin(const void *x, const void *y)
{
	const struct worker *v = x, *w = y;
	int64_t a = begin_of_session(v->session), b = begin_of_session(w->session);

	return a != b ? (a > b) - (a < b) : (v->session > w->session) - (v->session < w->session);
}

/* Of several sessions in the same work tree, the one that stopped first after it. Leaves out those that have ended. */
static struct activity_iteration *
maker_of(struct worker *workers, size_t *count, const struct made_commit *c)
{
	struct activity_iteration *best = NULL;
	size_t kept = 0;

	for (size_t k = 0; k < *count; k++) {
		struct worker w = workers[k];

		for (; w.at && w.at->time_us < c->time_us; w.at = w.at->next)
			w.before = w.at;
		if (!w.at)
			continue;
		struct activity_iteration *maker = maker_in(&w, c);

		workers[kept++] = w;
		if (maker && (!best || best->time_us > maker->time_us))
			best = maker;
	}
	*count = kept;
	return best;
}

/* Of a session, to those of others: a file counts once whichever session changed it. */
static void
list_commits(struct arena *a, const struct activity_session *s, struct made_commit **all, size_t *n)
{
	for (const struct activity_iteration *i = s->iterations; i; i = i->next)
		for (size_t c = 0; c < i->count.commits; c++)
			*arena_push(a, *all, *n) = i->commits[c];
}

void
activity_add_commits(struct activity *f, struct str project, const struct made_commit *commits, size_t count)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct activity_iteration **makers = arena_array(&scratch, count, struct activity_iteration *);
	struct worker *all = arena_array(&scratch, f->session_count, struct worker),
		      *now = arena_array(&scratch, f->session_count, struct worker);
	size_t all_count = 0, begun = 0, now_count = 0;

	for (size_t k = 0; k < f->session_count && count > 0; k++) {
		struct activity_session *s = &f->sessions[k];

		if (s->iterations && str_eq(s->project, project))
			all[all_count++] = (struct worker){ s, NULL, s->iterations };
	}
	sort(all, all_count, by_begin);
	for (size_t c = 0; c < count; c++) {
		while (begun < all_count &&
		       begin_of_session(all[begun].session) < commits[c].time_us + SECOND_US)
			now[now_count++] = all[begun++];
		makers[c] = maker_of(now, &now_count, &commits[c]);
	}
	/* Those of one iteration lie next to each other, except for those of other sessions. */
	for (size_t c = 0; c < count; c++) {
		struct activity_iteration *maker = makers[c];
		size_t n = 0;

		if (!maker || maker->commits)
			continue;
		for (size_t i = c; i < count && commits[i].time_us <= maker->time_us; i++)
			if (makers[i] == maker)
				*arena_push(f->arena, maker->commits, n) = commits[i];
		add_commits(&maker->count, maker->commits, n);
	}
	for (size_t k = 0; k < all_count; k++) {
		struct made_commit *list = NULL;
		size_t n = 0;

		list_commits(&scratch, all[k].session, &list, &n);
		add_commits(&all[k].session->count, list, n);
	}
}

void
activity_sum_commits(struct activity *f)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct strset projects = strset_new(&scratch, 0);

	for (size_t k = 0; k < f->session_count; k++)
		(void)strset_add(&projects, f->sessions[k].project);
	for (size_t p = 0; p < projects.count; p++) {
		struct made_commit *all = NULL;
		size_t n = 0;

		for (size_t k = 0; k < f->session_count; k++)
			if (strset_at(&projects, f->sessions[k].project) == p)
				list_commits(&scratch, &f->sessions[k], &all, &n);
		add_commits(&f->count, all, n);
	}
}
