/* SPDX-License-Identifier: MIT */
/* The commits that were made in a work tree, from the reflog of its HEAD: that is kept for each work tree, whatever branch is
 * checked out now, and names what was done. */
#include "git/git_spawn.h"

#define OUTPUT_LIMIT_BYTES MIB(64)
/* A commit is four rows, of which the first begins with a byte that no row of a file begins with. */
#define COMMIT '\x01'
#define FORMAT "--format=%x01%H%x00%ct%x00%gs%x00%s"

/* Does this action of the reflog make a commit? A checkout, a reset, a pull and the steps of a rebase around its commits only
 * move HEAD. */
static bool
makes_commit(struct str action)
{
	static const char *const names[] = { "commit", "cherry-pick", "revert", "rebase", "am", "merge" };

	if (str_starts(action, STR("rebase")) &&
	    (str_find(action, STR("(start)")) >= 0 || str_find(action, STR("(finish)")) >= 0 ||
	     str_find(action, STR("(abort)")) >= 0))
		return false;
	if (str_starts(action, STR("merge")) && str_ends(action, STR("Fast-forward")))
		return false;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (str_starts(action, str_from(names[i])))
			return true;
	return false;
}

/* "<added> TAB <removed> TAB <path>"; dashes for binary files. */
static void
read_file(struct arena *a, struct str row, struct made_commit *c, size_t *capacity)
{
	struct str added, removed;
	uint64_t n;

	if (!str_next(&row, '\t', &added) || !str_next(&row, '\t', &removed) || row.n == 0)
		return;
	c->added += number_parse(added, &n) ? n : 0;
	c->removed += number_parse(removed, &n) ? n : 0;
	arena_make_room(a, c->files.items, c->files.count, capacity);
	c->files.items[c->files.count++] = str_copy(a, row);
}

struct reading {
	struct arena *arena;
	struct made_commit *items;
	size_t count, capacity, file_capacity;
	struct strset names;
	bool is_amended; /* the entry before, which is newer, replaced the commit of this one */
	bool is_kept;    /* the files that follow belong to the last item */
};

static void
read_entry(struct reading *r, struct str hash, struct str *rest)
{
	struct str time, action, subject;
	uint64_t seconds;
	bool was_amended = r->is_amended;

	r->is_kept = false;
	if (!str_next(rest, '\0', &time) || !str_next(rest, '\0', &action) ||
	    !str_next(rest, '\0', &subject) || !number_parse(time, &seconds) || seconds > INT32_MAX * 4ll)
		return;
	r->is_amended = str_starts(action, STR("commit (amend)"));
	if (was_amended || !makes_commit(action) || strset_has(&r->names, hash))
		return;
	hash = str_copy(r->arena, hash);
	(void)strset_add(&r->names, hash);
	arena_make_room(r->arena, r->items, r->count, &r->capacity);
	r->items[r->count++] = (struct made_commit){ .hash = hash,
						     .time_us = (int64_t)seconds * 1000000,
						     .subject = str_copy(r->arena, subject) };
	r->file_capacity = 0;
	r->is_kept = true;
}

static size_t
count_char(struct str text, char c)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += text.s[i] == c;
	return n;
}

/* From the newest entry first to the oldest commit first. Those of one second stay in the order of the reflog, which is nearly that of
 * their times. */
static void
sort_by_time(struct made_commit *items, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct made_commit other = items[i];

		items[i] = items[count - 1 - i];
		items[count - 1 - i] = other;
	}
	for (size_t i = 1; i < count; i++) {
		struct made_commit c = items[i];
		size_t k = i;

		for (; k > 0 && items[k - 1].time_us > c.time_us; k--)
			items[k] = items[k - 1];
		items[k] = c;
	}
}

int
git_made_commits(struct arena *a, const struct repository *r, int64_t since_us, int64_t until_us,
		 struct made_commit **ret, size_t *ret_count, struct err *err)
{
	struct git_job job = { .limit = OUTPUT_LIMIT_BYTES, .may_be_cut = true };
	struct str rest, row;

	git_args(&job, GIT_ARGS("log", "-g", FORMAT, "--numstat", "-z", "--no-renames", "--no-ext-diff",
				"--no-textconv"));
	git_arg(&job, str_fmt(a, "--since=@%lld +0000", (long long)(since_us / 1000000)).s);
	git_arg(&job, str_fmt(a, "--until=@%lld +0000", (long long)(until_us / 1000000 + 1)).s);
	git_args(&job, GIT_ARGS("HEAD", "--"));
	if (git_run_one(a, r, &job, err) < 0)
		return -1;
	rest = buf_str(&job.out);
	struct reading reading = { .arena = a, .names = strset_new(a, count_char(rest, COMMIT)) };

	while (str_next(&rest, '\0', &row)) {
		if (row.n > 0 && row.s[0] == '\n')
			row = str_sub(row, 1, row.n);
		if (row.n > 0 && row.s[0] == COMMIT)
			read_entry(&reading, str_sub(row, 1, row.n), &rest);
		else if (reading.is_kept)
			read_file(a, row, &reading.items[reading.count - 1], &reading.file_capacity);
	}
	sort_by_time(reading.items, reading.count);
	*ret = reading.items;
	*ret_count = reading.count;
	return 0;
}
