/* SPDX-License-Identifier: MIT */
/* Findings. The only file that knows the names of priorities and statuses, and when two findings are the same. */
#include "model/finding.h"

#include "doc/node.h"

#include <stdlib.h>

#define FINDING_ID_BYTES 16

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
	for (size_t i = 0; i < COUNT_OF(status_names); i++) {
		if (str_is(name, status_names[i])) {
			*ret = (enum finding_status)i;
			return true;
		}
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
	size_t digits = 0;

	if (n && n->kind == NODE_INT && n->integer > 0)
		return n->integer;
	if (!n || n->kind != NODE_STRING)
		return 0;
	struct str text = str_trim(n->text);

	while (digits < text.n && text.s[digits] >= '0' && text.s[digits] <= '9')
		digits++;
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

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		size_t n = 0;

		if (key.n != keys[i].n || key.s[0] != keys[i].s[0])
			continue;
		while (n < key.n && key.s[n] == keys[i].s[n])
			n++;
		return n == key.n ? (enum finding_key)i : FINDING_KEY_OTHER;
	}
	return FINDING_KEY_OTHER;
}

/* ---- comparing ---- */

static struct str
comparable_file(const struct finding *f)
{
	struct str file = f->file;

	while (str_starts(file, STR("./")))
		file = str_sub(file, 2, file.n);
	return file;
}

/* Reads an issue in the form in which it is compared, without copying it. */
struct issue_reader {
	const char *at, *end;
	char digits[20]; /* of the finding's own line number */
	struct str own_line;
	bool was_digit;
};

static void
issue_reader_init(struct issue_reader *r, const struct finding *f)
{
	struct str issue = str_trim(f->issue);
	size_t n = sizeof(r->digits);

	r->at = issue.s;
	r->end = issue.n > 0 ? issue.s + issue.n : issue.s;
	r->was_digit = false;
	for (int64_t line = f->line; line > 0; line /= 10)
		r->digits[--n] = (char)('0' + line % 10);
	r->own_line = (struct str){ r->digits + n, sizeof(r->digits) - n };
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* -1 at the end. */
static inline int
next_byte(struct issue_reader *r)
{
	if (r->at == r->end)
		return -1;
	char c = *r->at++;

	if ((unsigned char)c > ' ' && !is_digit(c)) {
		r->was_digit = false;
	} else if (str_is_blank(c)) {
		while (r->at < r->end && str_is_blank(*r->at))
			r->at++;
		c = ' ';
		r->was_digit = false;
	} else if (is_digit(c) && !r->was_digit) {
		const char *begin = r->at - 1, *end = r->at;

		while (end < r->end && is_digit(*end))
			end++;
		r->was_digit = true;
		if (str_eq((struct str){ begin, (size_t)(end - begin) }, r->own_line)) {
			r->at = end;
			return '#';
		}
	}
	return (unsigned char)c;
}

static bool
has_same_issue(const struct finding *x, const struct finding *y)
{
	struct issue_reader left, right;
	int c;

	issue_reader_init(&left, x);
	issue_reader_init(&right, y);
	do {
		c = next_byte(&left);
		if (c != next_byte(&right))
			return false;
	} while (c >= 0);
	return true;
}

/* What two findings are compared by. */
enum { BY_LINE = 1, BY_ISSUE = 2 };

static bool
agree(const struct finding *x, const struct finding *y, unsigned by)
{
	return str_eq(comparable_file(x), comparable_file(y)) && (!(by & BY_LINE) || x->line == y->line) &&
	       (by != BY_LINE || x->line > 0) && (!(by & BY_ISSUE) || has_same_issue(x, y));
}

/* Does next_byte() return this byte unchanged? Digits are not included; a single space is. */
static inline bool
is_unchanged(const char *at, const char *end)
{
	unsigned char c = (unsigned char)*at;

	/* The first test is true for most. */
	return c > '9' || (c == ' ' ? at + 1 < end && (unsigned char)at[1] > ' ' : c > ' ' && c < '0');
}

static uint64_t
hash_of(const struct finding *f, unsigned by)
{
	uint64_t hash = str_hash(STR_HASH_START, comparable_file(f));
	struct issue_reader issue;

	issue_reader_init(&issue, f);
	hash = str_hash(hash, (struct str){ "", 1 });
	if (by & BY_LINE)
		hash = str_hash(hash, issue.own_line);
	while ((by & BY_ISSUE) && issue.at < issue.end) {
		const char *at = issue.at;

		/* The fast path for most bytes. */
		for (; at < issue.end && is_unchanged(at, issue.end); at++)
			hash = str_hash(hash, (struct str){ at, 1 });
		if (at > issue.at)
			issue.was_digit = false;
		issue.at = at;
		int c = next_byte(&issue);

		if (c >= 0)
			hash = str_hash(hash, (struct str){ (const char[]){ (char)c }, 1 });
	}
	return hash;
}

struct str
finding_id(struct arena *a, const struct finding *f)
{
	uint64_t hash = hash_of(f, BY_ISSUE);
	char *id = arena_bytes(a, FINDING_ID_BYTES);

	for (size_t i = FINDING_ID_BYTES; i-- > 0; hash >>= 4)
		id[i] = "0123456789abcdef"[hash & 15];
	return (struct str){ id, FINDING_ID_BYTES };
}

/* ---- pairing ---- */

struct match {
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
	/* Hashes may collide. */
	if (!agree(&m->now.items[now->index], &m->before.items[before->index], m->by))
		return;
	m->pairs[now->index] = before->index;
	m->is_paired[before->index] = true;
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
sort_keys(struct finding_list list, const size_t *pairs, const bool *is_paired, unsigned by, struct key *ret)
{
	size_t count = 0;

	for (size_t i = 0; i < list.count; i++) {
		const struct finding *f = &list.items[i];

		if ((pairs ? pairs[i] != FINDING_NONE : is_paired[i]) || (by == BY_LINE && f->line <= 0))
			continue;
		ret[count++] = (struct key){ hash_of(f, by), f->line, i };
	}
	if (count > 1)
		qsort(ret, count, sizeof(*ret), compare_keys);
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
		.now = now,
		.before = before,
		.pairs = arena_array(a, now.count, size_t),
		.is_paired = is_paired ? is_paired : arena_array(&scratch, before.count, bool),
	};

	for (size_t i = 0; i < now.count; i++)
		m.pairs[i] = FINDING_NONE;
	for (size_t p = 0; p < COUNT_OF(passes); p++) {
		m.by = passes[p];
		size_t x_count = sort_keys(now, m.pairs, NULL, m.by, x);
		size_t y_count = sort_keys(before, NULL, m.is_paired, m.by, y);

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
