/* SPDX-License-Identifier: MIT */
/* Parses git's output. Every field ends in a NUL or a known blank, so that a path may contain any byte. */
#include "git/parse.h"

#include "base/buf.h"
#include "base/path.h"

#include <stdlib.h>

/* The state file of a loop changes at each stop, and is nobody's work. */
static bool
is_loop_file(struct str path)
{
	struct str folder = STR(".claude/ralph-loop.");
	ptrdiff_t at = str_find(path, folder);
	struct str name = at < 0 ? STR("") : str_sub(path, (size_t)at + folder.n, path.n);

	return (at == 0 || (at > 0 && path.s[at - 1] == '/')) && str_find_char(name, '/') < 0 &&
	       (str_starts(name, STR("local.md")) || str_find(name, STR(".local.md")) >= 0);
}

static bool
is_hidden(const struct change_set *set, struct str path)
{
	return (set->hidden.s && path_is_at_or_below(path, set->hidden)) || is_loop_file(path);
}

void
change_set_add(struct change_set *set, struct change_entry entry)
{
	if (entry.path.n == 0 || is_hidden(set, entry.path))
		return;
	arena_make_room(set->arena, set->items, set->count, &set->capacity);
	set->items[set->count++] = entry;
}

/* ":<old mode> <new mode> <old object> <new object> <letter>", and after the NUL the path. */
static bool
read_raw(struct change_set *set, struct str head, struct str *rest)
{
	struct str fields = str_sub(head, 1, head.n), field[5], path;
	size_t n = 0;

	while (n < COUNT_OF(field) && str_next(&fields, ' ', &field[n]))
		n++;
	if (n < COUNT_OF(field) || fields.n > 0 || field[4].n == 0 || !str_next(rest, '\0', &path))
		return false;
	/* A rename or a copy has two paths; rename detection is off. */
	if (field[4].s[0] == 'R' || field[4].s[0] == 'C')
		return false;
	struct change_entry entry = {
		.path = path,
		.status = field[4].s[0],
		.mode = field[0],
		.object = field[2],
		.new_mode = field[1],
	};

	/* Zeros stand for a file that git has not hashed. */
	for (size_t i = 0; i < field[3].n; i++)
		if (field[3].s[i] != '0')
			entry.new_object = field[3];
	entry.is_uncertain = entry.status == 'M' && str_eq(field[0], field[1]) && !entry.new_object.s;
	change_set_add(set, entry);
	return true;
}

/* "<added> TAB <removed> TAB <path>"; dashes for binary files. These records are in the order of the raw ones but may skip
 * some: `at` is the position among them. */
static bool
read_counts(struct change_set *set, struct str record, size_t *at)
{
	struct str path = record, added, removed;
	uint64_t lines_added = 0, lines_removed = 0;

	if (!str_next(&path, '\t', &added) || !str_next(&path, '\t', &removed) || path.n == 0)
		return false;
	bool is_binary = str_is(added, "-") && str_is(removed, "-");

	if (!is_binary && (!number_parse(added, &lines_added) || !number_parse(removed, &lines_removed)))
		return false;
	if (is_hidden(set, path))
		return true;
	while (*at < set->count && !str_eq(set->items[*at].path, path))
		(*at)++;
	if (*at < set->count) {
		set->items[*at].counts = is_binary ? COUNTS_BINARY : COUNTS_LINES;
		set->items[*at].lines_removed = lines_removed;
	}
	set->lines_added += lines_added;
	set->lines_removed += lines_removed;
	return true;
}

int
change_set_read_diff(struct change_set *set, struct str answer, struct err *err)
{
	struct str rest = answer, record;
	size_t at = set->count;

	while (str_next(&rest, '\0', &record)) {
		bool is_raw = record.n > 0 && record.s[0] == ':';

		if (!(is_raw ? read_raw(set, record, &rest) : read_counts(set, record, &at)))
			return err_set(err, ERR_SYNTAX, "git diff: unexpected output");
	}
	return 0;
}

void
change_set_read_untracked(struct change_set *set, struct str answer)
{
	struct str rest = answer, path;

	while (str_next(&rest, '\0', &path)) {
		struct change_entry entry = { .path = path, .status = '?' };

		if (str_ends(path, STR("/"))) {
			entry.path.n--;
			entry.mode = STR("160000");
		}
		change_set_add(set, entry);
	}
}

void
change_set_sift(struct change_set *set, struct change_set *ret_open)
{
	size_t n = 0;

	for (size_t i = 0; i < set->count; i++) {
		struct change_entry entry = set->items[i];

		if (!entry.is_uncertain || entry.counts == COUNTS_LINES)
			set->items[n++] = entry;
		else if (entry.counts == COUNTS_BINARY || str_is(entry.mode, "160000"))
			change_set_add(ret_open, entry);
	}
	set->count = n;
}

static int
compare_entries(const void *left, const void *right)
{
	const struct change_entry *l = left, *r = right;

	return str_cmp(l->path, r->path);
}

void
change_set_settle(struct change_set *set)
{
	size_t n = 0;

	if (set->count > 1)
		qsort(set->items, set->count, sizeof(*set->items), compare_entries);
	for (size_t i = 0; i < set->count; i++) {
		struct change_entry *last = n > 0 ? &set->items[n - 1] : NULL;

		if (!last || !str_eq(last->path, set->items[i].path))
			set->items[n++] = set->items[i];
		else if (last->status != set->items[i].status)
			*last = (struct change_entry){ .path = last->path, .status = 'M' };
	}
	set->count = n;
}

struct str
branch_of_ref(struct str ref)
{
	struct str heads = STR("refs/heads/");

	return str_starts(ref, heads) && ref.n > heads.n ? str_sub(ref, heads.n, ref.n) : ref;
}

static bool
is_object_name(struct str x)
{
	for (size_t i = 0; i < x.n; i++)
		if (!((x.s[i] >= '0' && x.s[i] <= '9') || (x.s[i] >= 'a' && x.s[i] <= 'f')))
			return false;
	return x.n == 40 || x.n == 64;
}

struct str
branch_of_head(struct str text)
{
	struct str line = str_trim(text);

	if (is_object_name(line))
		return STR("HEAD");
	if (!str_starts(line, STR("ref:")))
		return STR_NONE;
	struct str ref = str_trim(str_sub(line, STR("ref:").n, line.n));

	/* Git writes this if refs are not kept in files. */
	if (ref.n == 0 || str_is(ref, "refs/heads/.invalid"))
		return STR_NONE;
	return branch_of_ref(ref);
}
