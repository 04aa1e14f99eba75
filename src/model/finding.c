/* SPDX-License-Identifier: MIT */
/* Findings. The only file that knows the names of priorities and statuses, and when two findings are the same. */
#include "model/finding.h"

#include "doc/node.h"

#include <inttypes.h>

/* ---- words ---- */

static const char *const status_names[] = {
	[FINDING_NEW] = "new",
	[FINDING_FIXED] = "fixed",
	[FINDING_SKIPPED] = "skipped",
};

const char *
finding_status_name(enum finding_status status)
{
	return status_names[status];
}

bool
finding_status_parse(struct str name, enum finding_status *ret)
{
	for (size_t i = 0; i < COUNT_OF(status_names); i++)
		if (str_is(name, status_names[i])) {
			*ret = (enum finding_status)i;
			return true;
		}
	return false;
}

const char *const finding_priorities[] = { "critical", "high", "medium", "low", NULL };

struct str
finding_priority(struct str word)
{
	for (size_t i = 0; finding_priorities[i]; i++)
		if (str_is_word(word, finding_priorities[i]))
			return str_from(finding_priorities[i]);
	return word;
}

bool
finding_is_below(const struct finding *f, struct str threshold)
{
	bool is_past_threshold = false;

	for (size_t i = 0; finding_priorities[i]; i++) {
		if (str_is(f->priority, finding_priorities[i]))
			return is_past_threshold;
		is_past_threshold |= str_is(threshold, finding_priorities[i]);
	}
	return false;
}

/* ---- fields ---- */

int64_t
finding_line(const struct node *n)
{
	uint64_t number;

	if (n && n->kind == NODE_INT && n->integer > 0)
		return n->integer;
	if (!n || n->kind != NODE_STRING)
		return 0;
	struct str text = str_trim(n->text);
	size_t digits = str_digits(text, 0);

	if (digits < text.n && str_find_char(STR("-:, "), text.s[digits]) < 0)
		return 0;
	return number_parse(str_sub(text, 0, digits), &number) && number <= INT64_MAX ? (int64_t)number : 0;
}

/* Called for every member of every finding: the lengths and first letters of the keys differ. */
enum finding_key
finding_key(struct str key)
{
	static const struct str keys[] = {
		[FINDING_KEY_FILE] = STR("file"),         [FINDING_KEY_LINE] = STR("line"),
		[FINDING_KEY_ISSUE] = STR("issue"),       [FINDING_KEY_FIX] = STR("fix"),
		[FINDING_KEY_PRIORITY] = STR("priority"), [FINDING_KEY_STATUS] = STR("status"),
		[FINDING_KEY_RESULT] = STR("result"),
	};

	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (key.n == keys[i].n && key.s[0] == keys[i].s[0])
			return str_eq(key, keys[i]) ? (enum finding_key)i : FINDING_KEY_OTHER;
	return FINDING_KEY_OTHER;
}

/* ---- comparing ---- */

static struct str
comparable_file(const struct finding *f)
{
	struct str file = f->file;

	while (str_skip(&file, "./"))
		;
	return file;
}

/* Empty where the line is not known. */
static struct str
line_text(struct arena *a, const struct finding *f)
{
	return f->line > 0 ? str_cat(a, f->line) : STR("");
}

/* The issue without differences in blanks, and with a # for the finding's own line. */
static struct str
comparable_issue(struct arena *a, const struct finding *f)
{
	struct str issue = str_trim(f->issue), own_line = line_text(a, f);
	char *s = arena_bytes(a, issue.n);
	size_t n = 0;

	for (size_t i = 0; i < issue.n;) {
		if (is_digit(issue.s[i])) {
			struct str number = str_sub(issue, i, i + str_digits(issue, i));

			i += number.n;
			number = str_eq(number, own_line) ? STR("#") : number;
			memcpy(s + n, number.s, number.n);
			n += number.n;
		} else if (!str_is_blank(issue.s[i])) {
			s[n++] = issue.s[i++];
		} else {
			s[n++] = ' ';
			while (str_is_blank(issue.s[i])) /* it does not end in a blank */
				i++;
		}
	}
	return (struct str){ s, n };
}

/* What two findings are compared by. */
enum { BY_LINE = 1, BY_ISSUE = 2 };

static uint64_t
hash_of(struct arena *scratch, const struct finding *f, unsigned by)
{
	struct arena_mark mark = arena_mark(scratch);
	uint64_t hash = str_hash(str_hash(STR_HASH_START, comparable_file(f)), STR("\0"));

	if (by & BY_LINE)
		hash = str_hash(hash, line_text(scratch, f));
	if (by & BY_ISSUE)
		hash = str_hash(hash, comparable_issue(scratch, f));
	arena_reset(scratch, mark);
	return hash;
}

struct str
finding_id(struct arena *a, const struct finding *f)
{
	return str_fmt(a, "%016" PRIx64, hash_of(a, f, BY_ISSUE));
}

/* ---- pairing ---- */

struct match {
	struct arena *scratch;
	struct finding_list now, before;
	size_t *pairs;   /* of each of `now` */
	bool *is_paired; /* of each of `before` */
	unsigned by;
};

struct key {
	uint64_t hash;
	int64_t line;
	size_t index;
};

static int
compare_keys(const void *left, const void *right)
{
	const struct key *x = left, *y = right;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void
pair(struct match *m, const struct key *now, const struct key *before)
{
	const struct finding *x = &m->now.items[now->index], *y = &m->before.items[before->index];
	struct arena_mark mark = arena_mark(m->scratch);

	/* Hashes may collide. */
	if (str_eq(comparable_file(x), comparable_file(y)) && (!(m->by & BY_LINE) || x->line == y->line) &&
	    (m->by != BY_LINE || x->line > 0) &&
	    (!(m->by & BY_ISSUE) ||
	     str_eq(comparable_issue(m->scratch, x), comparable_issue(m->scratch, y)))) {
		m->pairs[now->index] = before->index;
		m->is_paired[before->index] = true;
	}
	arena_reset(m->scratch, mark);
}

static int64_t
distance(const struct key *x, const struct key *y)
{
	return x->line > y->line ? x->line - y->line : y->line - x->line;
}

/* Both groups have the same key and are sorted by line. Each finding of the shorter group gets the nearest one of the longer
 * group that leaves enough for the rest. */
static void
pair_groups(struct match *m, const struct key *now, size_t now_count, const struct key *before,
	    size_t before_count)
{
	bool is_now_shorter = now_count < before_count;
	const struct key *few = is_now_shorter ? now : before, *many = is_now_shorter ? before : now;
	size_t few_count = is_now_shorter ? now_count : before_count;
	size_t spare = (is_now_shorter ? before_count : now_count) - few_count;

	for (size_t i = 0, at = 0; i < few_count; i++, at++) {
		while (spare > 0 && distance(&few[i], &many[at + 1]) < distance(&few[i], &many[at])) {
			at++;
			spare--;
		}
		pair(m, is_now_shorter ? &few[i] : &many[at], is_now_shorter ? &many[at] : &few[i]);
	}
}

/* Identical findings count as one, however often they are repeated. */
static void
pair_identical(struct match *m, const struct key *now, size_t now_count, const struct key *before,
	       size_t before_count)
{
	for (size_t i = 0; i < now_count || i < before_count; i++)
		pair(m, &now[i < now_count ? i : now_count - 1],
		     &before[i < before_count ? i : before_count - 1]);
}

static size_t
group_size(const struct key *keys, size_t count)
{
	size_t n = 0;

	while (n < count && keys[n].hash == keys[0].hash)
		n++;
	return n;
}

static size_t
sort_keys(struct match *m, struct finding_list list, const size_t *pairs, const bool *is_paired,
	  struct key *ret)
{
	size_t count = 0;

	for (size_t i = 0; i < list.count; i++) {
		const struct finding *f = &list.items[i];

		if ((pairs ? pairs[i] != FINDING_NONE : is_paired[i]) || (m->by == BY_LINE && f->line <= 0))
			continue;
		ret[count++] = (struct key){ hash_of(m->scratch, f, m->by), f->line, i };
	}
	sort(ret, count, compare_keys);
	return count;
}

const size_t *
findings_match(struct arena *a, struct finding_list now, struct finding_list before, bool *is_paired)
{
	static const unsigned passes[] = { BY_LINE | BY_ISSUE, BY_ISSUE, BY_LINE };
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct key *x = arena_array(&scratch, now.count, struct key);
	struct key *y = arena_array(&scratch, before.count, struct key);
	struct match m = {
		.scratch = &scratch,
		.now = now,
		.before = before,
		.pairs = arena_array(a, now.count, size_t),
		.is_paired = is_paired ? is_paired : arena_array(&scratch, before.count, bool),
	};

	for (size_t i = 0; i < now.count; i++)
		m.pairs[i] = FINDING_NONE;
	for (size_t p = 0; p < COUNT_OF(passes); p++) {
		m.by = passes[p];
		size_t x_count = sort_keys(&m, now, m.pairs, NULL, x);
		size_t y_count = sort_keys(&m, before, NULL, m.is_paired, y);

		for (size_t i = 0, k = 0; i < x_count && k < y_count;) {
			size_t x_group = group_size(&x[i], x_count - i),
			       y_group = group_size(&y[k], y_count - k);

			if (x[i].hash < y[k].hash) {
				i += x_group;
			} else if (x[i].hash > y[k].hash) {
				k += y_group;
			} else {
				(p == 0 ? pair_identical : pair_groups)(&m, &x[i], x_group, &y[k], y_group);
				i += x_group;
				k += y_group;
			}
		}
	}
	return m.pairs;
}
