/* SPDX-License-Identifier: MIT */
/* Parses git's output. Every field ends in a NUL or a known blank, so that a path may contain any byte. */
#include "git/git_spawn.h"

/* The state file of a loop changes at each stop, and is nobody's work. */
static bool
is_loop_file(struct str path)
{
	struct str folder = STR(".claude/ralph-loop.");
	ptrdiff_t at = str_find(path, folder);
	struct str name = at < 0 ? STR("") : str_rest(path, (size_t)at + folder.n);

	return (at == 0 || (at > 0 && path.s[at - 1] == '/')) && str_find_char(name, '/') < 0 &&
	       (str_starts(name, STR("local.md")) || str_find(name, STR(".local.md")) >= 0);
}

void
change_set_add(struct change_set *set, struct change_entry entry)
{
	if (entry.path.n == 0 || is_loop_file(entry.path) ||
	    (set->hidden.s && path_is_at_or_below(entry.path, set->hidden)))
		return;
	*arena_push(set->arena, set->items, set->count) = entry;
}

/* Absent where git writes zeros: for what does not exist, and for a file that it has not hashed. */
static struct str
unless_zero(struct str field)
{
	for (size_t i = 0; i < field.n; i++)
		if (field.s[i] != '0')
			return field;
	return STR_NONE;
}

static struct changed_file
side_of(struct str mode, struct str object)
{
	return (struct changed_file){ unless_zero(mode), unless_zero(object) };
}

/* Splits the fields, each ended by a blank, from the path. */
static bool
read_fields(struct str *record, struct str *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!str_next(record, ' ', &fields[i]))
			return false;
	return true;
}

int
change_set_read_diff(struct change_set *set, struct str answer, struct err *err)
{
	struct str rest = answer, head, path;

	/* ":<old mode> <new mode> <old object> <new object> <letter>", and after the NUL the path. A rename or a copy has two
	 * paths; rename detection is off. */
	while (str_next(&rest, '\0', &head)) {
		struct str field[5];

		if (!str_skip(&head, ":") || !read_fields(&head, field, COUNT_OF(field)) || head.n > 0 ||
		    field[4].n == 0 || field[4].s[0] == 'R' || field[4].s[0] == 'C' ||
		    !str_next(&rest, '\0', &path))
			return err_set(err, ERR_SYNTAX, "git diff: unexpected output");
		change_set_add(set, (struct change_entry){
					    .path = path,
					    .status = field[4].s[0],
					    .old = side_of(field[0], field[2]),
					    .new = side_of(field[1], field[3]),
				    });
	}
	return 0;
}

/* "1 <XY> <sub> <mH> <mI> <mW> <hH> <hI> <path>": of HEAD, index and working tree. */
static bool
read_ordinary(struct str record, struct change_entry *ret)
{
	struct str f[8];

	if (!read_fields(&record, f, COUNT_OF(f)) || f[1].n != 2)
		return false;
	char staged = f[1].s[0], now = f[1].s[1];

	*ret = (struct change_entry){ .path = record, .status = 'M', .old = side_of(f[3], f[6]) };
	if (now == '.')
		ret->new = side_of(f[4], f[7]);
	else if (now != 'D')
		ret->new = side_of(f[5], STR(""));
	ret->is_compared = staged == '.';
	return true;
}

/* "u <XY> <sub> <m1> <m2> <m3> <mW> <h1> <h2> <h3> <path>": a conflict. */
static bool
read_conflict(struct str record, struct change_entry *ret)
{
	struct str f[10];

	if (!read_fields(&record, f, COUNT_OF(f)))
		return false;
	*ret = (struct change_entry){ .path = record, .status = 'U', .new = side_of(f[6], STR("")) };
	return true;
}

static struct change_entry
untracked(struct str path)
{
	struct change_entry entry = { .path = path, .status = '?' };

	if (str_ends(path, STR("/"))) {
		entry.path.n--;
		entry.new.mode = STR("160000");
	}
	return entry;
}

int
change_set_read_status(struct change_set *set, struct str answer, struct str prefix, struct err *err)
{
	struct str rest = answer, record;

	while (str_next(&rest, '\0', &record)) {
		struct change_entry entry;
		char kind = record.n > 1 && record.s[1] == ' ' ? record.s[0] : '\0';
		bool is_read = kind == '1' ? read_ordinary(record, &entry)
					   : kind == 'u' && read_conflict(record, &entry);

		if (kind == '#')
			continue;
		if (kind == '?') {
			entry = untracked(str_rest(record, 2));
			is_read = true;
		}
		if (!is_read || !str_starts(entry.path, prefix))
			return err_set(err, ERR_SYNTAX, "git status: unexpected output");
		entry.path = str_rest(entry.path, prefix.n);
		change_set_add(set, entry);
	}
	return 0;
}

struct str
head_of_status(struct str answer)
{
	struct str record;

	while (str_next(&answer, '\0', &record))
		if (str_skip(&record, "# branch.oid "))
			return str_starts(record, STR("(")) ? STR_NONE : record;
	return STR_NONE;
}

void
change_set_read_untracked(struct change_set *set, struct str answer)
{
	struct str rest = answer, path;

	while (str_next(&rest, '\0', &path))
		change_set_add(set, untracked(path));
}

/* An untracked file comes after what git knows about its path. */
static int
compare_entries(const void *left, const void *right)
{
	const struct change_entry *l = left, *r = right;
	int order = str_cmp(l->path, r->path);

	return order != 0 ? order : (l->status == '?') - (r->status == '?');
}

void
change_set_settle(struct change_set *set)
{
	size_t n = 0;

	sort(set->items, set->count, compare_entries);
	for (size_t i = 0; i < set->count; i++) {
		struct change_entry *last = n > 0 ? &set->items[n - 1] : NULL;

		if (!last || !str_eq(last->path, set->items[i].path))
			set->items[n++] = set->items[i];
		else if (last->status != set->items[i].status)
			*last = (struct change_entry){
				.path = last->path,
				.status = set->items[i].status == '?' ? '?' : 'M',
				.old = last->old,
				.new = set->items[i].new,
			};
	}
	set->count = n;
}

/* ---- joining ---- */

enum judgement { IS_CHANGE, IS_NONE, IS_OPEN };

/* *e has both sides, and the letter of the working tree. */
static enum judgement
judge(struct change_entry *e, const struct join_rules *rules)
{
	bool is_untracked = e->status == '?';

	if (is_untracked && !e->old.mode.s)
		return IS_CHANGE;
	if (e->status == 'U' || is_untracked) {
		e->status = 'M';
		return is_untracked && rules->compares_untracked ? IS_OPEN : IS_CHANGE;
	}
	e->status = !e->new.mode.s ? 'D' : !e->old.mode.s ? 'A' : 'M';
	if (!e->new.mode.s && !e->old.mode.s)
		return IS_NONE;
	if (e->status != 'M' || !str_eq(e->old.mode, e->new.mode) || e->is_compared)
		return IS_CHANGE;
	if (!e->new.object.s)
		return IS_OPEN;
	return str_eq(e->old.object, e->new.object) ? IS_NONE : IS_CHANGE;
}

void
change_set_join(const struct change_set *trees, const struct change_set *files,
		const struct join_rules *rules, struct change_set *ret, struct change_set *ret_open)
{
	size_t i = 0, k = 0;

	while (i < trees->count || k < files->count) {
		const struct change_entry *tree = i < trees->count ? &trees->items[i] : NULL;
		const struct change_entry *file = k < files->count ? &files->items[k] : NULL;
		int order = !tree ? 1 : !file ? -1 : str_cmp(tree->path, file->path);

		struct change_entry e = order >= 0 ? *file : *tree;

		if (order == 0) {
			e.old = tree->old;
			e.is_compared = false;
		}
		enum judgement judgement = judge(&e, rules);

		if (order >= 0 && rules->keeps_staged)
			judgement = IS_CHANGE;
		if (judgement != IS_NONE)
			change_set_add(judgement == IS_OPEN ? ret_open : ret, e);
		i += order <= 0;
		k += order >= 0;
	}
}

bool
numstat_read(struct str record, struct str *ret_path, struct line_counts *ret)
{
	struct str path = record, added, removed;
	struct line_counts c = { 0 };

	if (!str_next(&path, '\t', &added) || !str_next(&path, '\t', &removed) || path.n == 0)
		return false;
	if (!(str_is(added, "-") && str_is(removed, "-")) &&
	    (!number_parse(added, &c.added) || !number_parse(removed, &c.removed)))
		return false;
	*ret_path = path;
	*ret = c;
	return true;
}

struct str
branch_of_ref(struct str ref)
{
	struct str name = ref;

	return str_skip(&name, "refs/heads/") && name.n > 0 ? name : ref;
}

bool
is_object_name(struct str x)
{
	for (size_t i = 0; i < x.n; i++)
		if (!is_digit(x.s[i]) && (x.s[i] < 'a' || x.s[i] > 'f'))
			return false;
	return x.n == 40 || x.n == 64;
}

struct str
branch_of_head(struct str text)
{
	struct str line = str_trim(text);

	if (is_object_name(line))
		return STR("HEAD");
	if (!str_skip(&line, "ref:"))
		return STR_NONE;
	struct str ref = str_trim(line);

	/* Git writes this if refs are not kept in files. */
	if (ref.n == 0 || str_is(ref, "refs/heads/.invalid"))
		return STR_NONE;
	return branch_of_ref(ref);
}
