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

struct reading {
	struct arena *arena;
	struct made_commit *items;
	size_t count;
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
	*arena_push(r->arena, r->items, r->count) = (struct made_commit){
		.hash = hash,
		.time_us = (int64_t)seconds * 1000000,
		.subject = str_copy(r->arena, subject),
	};
	r->is_kept = true;
}

int
git_made_commits(struct arena *a, const struct repository *r, int64_t since_us, int64_t until_us,
		 struct made_commit **ret, size_t *ret_count, struct err *err)
{
	struct git_job job = {
		.args = { "log", "-g", FORMAT, "--numstat", "-z", "--no-renames", "--no-ext-diff",
			  "--no-textconv", str_cat(a, "--since=@", since_us / 1000000, " +0000").s,
			  str_cat(a, "--until=@", until_us / 1000000 + 1, " +0000").s, "HEAD", "--" },
		.limit = OUTPUT_LIMIT_BYTES,
		.may_be_cut = true,
	};
	struct str rest, row, path;
	struct line_counts lines;

	if (git_run_good(a, r, &job, 1, err) < 0)
		return -1;
	rest = buf_str(&job.out);
	struct reading reading = { .arena = a, .names = strset_new(a, str_count(rest, COMMIT)) };

	while (str_next(&rest, '\0', &row)) {
		(void)str_skip(&row, "\n");
		if (row.n > 0 && row.s[0] == COMMIT) {
			read_entry(&reading, str_rest(row, 1), &rest);
		} else if (reading.is_kept && numstat_read(row, &path, &lines)) {
			struct made_commit *c = &reading.items[reading.count - 1];

			c->added += lines.added;
			c->removed += lines.removed;
			*arena_push(a, c->files.items, c->files.count) = str_copy(a, path);
		}
	}
	/* From the newest entry first to the oldest commit first. Those of one second stay in the order of the reflog, which is nearly
	 * that of their times. */
	struct made_commit *items = arena_array(a, reading.count, struct made_commit);

	for (size_t i = 0; i < reading.count; i++) {
		const struct made_commit *c = &reading.items[reading.count - 1 - i];
		size_t k = i;

		for (; k > 0 && items[k - 1].time_us > c->time_us; k--)
			items[k] = items[k - 1];
		items[k] = *c;
	}
	*ret = items;
	*ret_count = reading.count;
	return 0;
}
