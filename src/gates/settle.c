/* SPDX-License-Identifier: MIT */
/* Compares what the gates looked at with what is there when they have ended. The kernel gives a file that is written, replaced or
 * put back a new time that no program can set, so what was away for a moment is noticed, too. */
#include "gates/settle.h"

#include "gates/run_inspect.h"
#include "os/clock.h"

#define HEAD_NAME "HEAD"

/* Of a file that does not exist, those of its directory: one that comes and goes leaves no other trace. */
static struct fs_facts
look_at(struct buf *name, const struct run *r, struct str path)
{
	struct fs_facts facts = { 0 };

	name->n = 0;
	buf_cat(name, r->config->root, "/", path, STR("\0"));
	enum fs_kind kind = fs_facts(buf_str(name).s, &facts);

	if (kind == FS_NOTHING) {
		name->n = (size_t)str_find_last(str_sub(buf_str(name), 0, name->n - 1), '/');
		buf_add(name, STR("\0"));
		(void)fs_facts(buf_str(name).s, &facts);
	}
	/* A repository of its own changes with what git does not look at. */
	return kind == FS_DIR ? (struct fs_facts){ 0 } : facts;
}

/* The same for a file of a list, which has them if its content was looked at. */
static struct fs_facts
facts_of(struct buf *name, const struct run *r, const struct change_list *l, size_t i)
{
	bool is_known = l->facts && l->facts[i].inode != 0 && l->files[i].object.s;

	return is_known ? l->facts[i] : look_at(name, r, l->items[i]);
}

void
settle_begin(struct run *r)
{
	const struct change_list *changes = &r->look.changes;
	struct buf name = BUF(r->arena, SIZE_MAX);

	if (!r->content_key.s)
		return;
	r->ground.facts = arena_array(r->arena, changes->count, struct fs_facts);
	for (size_t i = 0; i < changes->count; i++)
		r->ground.facts[i] = facts_of(&name, r, changes, i);
	r->ground.head = git_head_mark(r->arena, r->config->root);
	r->ground.began_ns = clock_file_ns();
}

static bool
is_in(struct str path, const struct str *sorted, size_t count)
{
	return count > 0 && bsearch(&path, sorted, count, sizeof(path), str_compare);
}

/* In order, each once. */
static void
tidy(struct str_list *l)
{
	size_t kept = 0;

	sort(l->items, l->count, str_compare);
	for (size_t i = 0; i < l->count; i++)
		if (kept == 0 || !str_eq(l->items[i], l->items[kept - 1]))
			l->items[kept++] = l->items[i];
	l->count = kept;
}

struct way {
	struct str dir; /* of the file before, as most files share theirs with it */
	bool was_moved;
};

/* Was a directory that leads to the file moved? That leaves what is in it as it was. A name that comes or goes in a directory sets both
 * of its times. */
static bool
came_back(const struct run *r, struct way *w, struct str path)
{
	struct str dir = path_parent(path);

	if (str_eq(w->dir, dir))
		return w->was_moved;
	*w = (struct way){ .dir = dir };
	for (; dir.n > 0 && !w->was_moved; dir = path_parent(dir)) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		struct fs_facts facts = { 0 };

		(void)fs_facts(path_join(&scratch, r->config->root, dir).s, &facts);
		w->was_moved = facts.changed_ns > r->ground.began_ns && facts.changed_ns != facts.written_ns;
	}
	return w->was_moved;
}

/* Notes what moved. */
static void
compare_files(struct run *r, const struct change_list *now, const struct str_list *tracked)
{
	const struct change_list *before = &r->look.changes;
	struct str_list moved = git_differences(r->arena, before, now);
	struct settling *s = &r->settling;
	struct buf name = BUF(r->arena, SIZE_MAX);
	struct way way = { 0 };
	size_t at = 0;

	s->is_own_work = true;
	for (size_t i = 0; i < moved.count; i++)
		s->is_own_work &= !is_in(moved.items[i], tracked->items, tracked->count);
	for (size_t i = 0; i < before->count; i++) {
		while (at < now->count && str_cmp(now->items[at], before->items[i]) < 0)
			at++;
		bool is_there = at < now->count && str_eq(now->items[at], before->items[i]);
		struct fs_facts facts = is_there ? facts_of(&name, r, now, at)
						 : look_at(&name, r, before->items[i]);

		if (!fs_is_same(&facts, &r->ground.facts[i]) || came_back(r, &way, before->items[i]))
			*arena_push(r->arena, moved.items, moved.count) = before->items[i];
	}
	for (size_t i = 0; i < tracked->count; i++)
		if (!is_in(tracked->items[i], before->items, before->count) &&
		    (look_at(&name, r, tracked->items[i]).changed_ns > r->ground.began_ns ||
		     came_back(r, &way, tracked->items[i])))
			*arena_push(r->arena, moved.items, moved.count) = tracked->items[i];
	if (git_head_moved(r->arena, r->config->root, &r->ground.head))
		*arena_push(r->arena, moved.items, moved.count) = STR(HEAD_NAME);
	tidy(&moved);
	s->moved = moved;
}

/* Does the job cover one of the files that moved? */
static bool
has_moved(const struct run *r, const struct job *job)
{
	struct plan_reach reach = plan_reach_of(r->arena, job->entry_point);
	struct gate_patterns files = gate_patterns_of(r->arena, &job->gate->files);

	for (size_t i = 0; i < r->settling.moved.count; i++) {
		struct str path = r->settling.moved.items[i];

		if (str_is(path, HEAD_NAME) ||
		    (plan_reaches(&reach, path) && gate_patterns_have(&files, path)))
			return true;
	}
	return false;
}

/* Has the job a result that lets the agent stop? */
static bool
has_passed(const struct run *r, const struct job *job)
{
	for (size_t i = 0; i < r->task_count; i++)
		if (str_eq(r->results[i].id, job->id) && r->results[i].outcome != OUTCOME_PASS)
			return false;
	return true;
}

/* Is it certain that nothing moved since the repository was looked at? */
static bool
has_stayed(struct run *r)
{
	const struct change_list *changes = &r->look.changes;
	struct buf name = BUF(r->arena, SIZE_MAX);

	for (size_t i = 0; i < changes->count; i++) {
		struct fs_facts facts = look_at(&name, r, changes->items[i]);

		if (!fs_is_same(&facts, &r->ground.facts[i]) || facts.changed_ns >= r->ground.looked_ns)
			return false;
	}
	return str_eq(r->ground.head.commit, r->look.head.commit) &&
	       !git_head_moved(r->arena, r->config->root, &r->ground.head) &&
	       git_stayed(r->arena, &r->repository, r->config->log_dir, r->ground.looked_ns);
}

static void
look_again(struct run *r)
{
	struct settling *s = &r->settling;
	struct str_list tracked;
	struct change_list now;
	struct key_memory memory = { 0 };

	*s = (struct settling){ 0 };
	if (!r->content_key.s)
		return;
	if (has_stayed(r)) {
		s->is_known = true;
		for (size_t i = 0; i < r->jobs.count; i++)
			*arena_push(r->arena, s->keys.items, s->keys.count) = r->jobs.items[i].key;
		return;
	}
	if (git_tracked_files(r->arena, &r->repository, r->config->log_dir, &tracked, IGNORED) < 0 ||
	    !run_changes_since(r, r->look.changes.commit, &now) ||
	    git_read_contents(r->arena, &r->repository, &now, IGNORED) < 0)
		return;
	s->is_known = true;
	compare_files(r, &now, &tracked);
	for_each (job, r->jobs.items, r->jobs.count) {
		if (!has_moved(r, job))
			*arena_push(r->arena, s->keys.items, s->keys.count) = job->key;
		else if (has_passed(r, job))
			str_list_add_new(r->arena, &s->gates, job->id);
	}
	for_each (job, r->reused.items, r->reused.count)
		if (has_moved(r, job) && !str_eq(job_key(r->arena, &memory, job, &now), job->key))
			str_list_add_new(r->arena, &s->gates, job->id);
}

/* How often gates run again at most because files moved. */
#define ROUNDS_MAX 2

void
settle_end(struct run *r)
{
	struct settling *s = &r->settling;

	look_again(r);
	/* In two rounds in a row, what moved was as before or is not in git: the gates themselves write it. */
	if (s->gates.count > 0 && s->is_own_work && r->was_own_work) {
		r->writes_files = true;
		s->gates.count = 0;
		/* A run by hand tells the user nothing at a stop, so its passes do not count there. */
		for (size_t i = 0; r->options->is_hook && i < r->jobs.count; i++)
			*arena_push(r->arena, s->keys.items, s->keys.count) = r->jobs.items[i].key;
	}
	record_confirm(&r->record, &s->keys);
	r->has_outstanding = run_has_failures(r);
	r->has_skipped = past_skipped(&r->record.latest) > 0;
	r->is_unsettled = s->gates.count > 0 || (r->content_key.s && !s->is_known);
	r->is_repeated = s->gates.count > 0 && r->round < ROUNDS_MAX && !r->is_interrupted &&
			 run_count(r, OUTCOME_FAIL) + run_count(r, OUTCOME_ERROR) == 0;
}

struct str
settle_problem(const struct run *r)
{
	if (!r->settling.is_known)
		return STR("git can't say whether files changed while the gates ran");
	return str_cat(r->arena, "files changed while the gates ran, so what passed is not what is there: ",
		       name_some(r->arena, r->settling.moved));
}

void
settle_note(struct run *r, struct str_list *notes)
{
	struct str moved = name_some(r->arena, r->settling.moved);
	struct str note = STR_NONE;

	if (r->is_repeated)
		console_warn(&r->console, "run", moved, " changed while the gates ran: running ",
			     gate_ids_shown(r->arena, &r->settling.gates, r->config->dialect->shows_ids),
			     " again");
	else if (r->is_unsettled)
		console_warn(&r->console, "run", settle_problem(r));
	if (!r->writes_files)
		return;
	note = str_cat(
		r->arena,
		"what changes whenever the gates run makes them run twice at each stop; let git ignore it: ",
		moved);
	console_warn(&r->console, "run", note);
	*arena_push(r->arena, notes->items, notes->count) = note;
}

void
settle_results(struct run *r)
{
	const struct gate_result *earlier = r->before ? r->before->results : NULL;
	size_t before = r->before ? r->before->result_count : 0, count = 0;
	struct gate_result *all = arena_array(r->arena, before + r->task_count, struct gate_result);

	for_each (old, earlier, before) {
		size_t k = 0;

		while (k < r->task_count &&
		       (!str_eq(r->results[k].id, old->id) || r->results[k].slot != old->slot))
			k++;
		if (k == r->task_count) {
			all[count++] = *old;
			continue;
		}
		r->results[k].is_fixed |= old->is_fixed && r->results[k].outcome == OUTCOME_PASS;
		r->results[k].is_flaky |= old->is_flaky && r->results[k].outcome == OUTCOME_PASS;
	}
	for (size_t i = 0; i < r->task_count; i++)
		all[count++] = r->results[i];
	r->results = all;
	r->task_count = count;
}
