/* SPDX-License-Identifier: MIT */
/* Compares the marks of test files. A mark that is gone from one file and new in another has been moved. */
#include "guards/tests/tests.h"

#include "guards/tests/marks.h"

/* Names in a sentence. */
#define NAMES_SHOWN 3
#define NAME_SHOWN_BYTES 100
/* How far a helper's assertions may be from its first line. */
#define HELPER_LINES 40

struct test_file {
	const struct file_change *change;
	struct marks before, after;
};

struct test_finding *
test_finding_add(struct test_findings *all, struct str file, int64_t line, struct str text)
{
	struct test_finding *f = arena_push(all->arena, all->items, all->count);

	*f = (struct test_finding){ file, line, false, text };
	return f;
}

bool
tests_concern(struct str path)
{
	return language_of_tests(path) || settings_concern(path);
}

/* ---- what was moved ---- */

/* A mark of any file, to be sorted. */
struct place {
	struct mark *mark;
	size_t file;
	bool is_after;
};

static int
compare_places(const void *x, const void *y)
{
	const struct place *p = x, *q = y;

	int order = str_cmp(p->mark->text, q->mark->text);

	if (p->mark->kinds != q->mark->kinds)
		return p->mark->kinds < q->mark->kinds ? -1 : 1;
	if (order == 0 && p->file != q->file)
		return p->file < q->file ? -1 : 1;
	return order != 0 ? order : p->is_after - q->is_after;
}

/* Within a run of equal marks, an old one and a new one are the same mark: first those of one file, then of any two. */
static void
match_run(struct place *items, size_t count)
{
	for (int any = 0; any < 2; any++) {
		size_t old = 0, new = 0;

		while (old < count && new < count) {
			if (items[old].is_after || items[old].mark->is_matched) {
				old++;
			} else if (!items[new].is_after || items[new].mark->is_matched ||
				   (!any && items[new].file < items[old].file)) {
				new ++;
			} else if (!any && items[new].file > items[old].file) {
				old++;
			} else {
				items[old++].mark->is_matched = true;
				items[new ++].mark->is_matched = true;
			}
		}
	}
}

static void
match_marks(struct arena *a, struct test_file *files, size_t count)
{
	struct place *all = NULL;
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < files[i].before.count; k++)
			*arena_push(a, all, n) = (struct place){ &files[i].before.items[k], i, false };
		for (size_t k = 0; k < files[i].after.count; k++)
			*arena_push(a, all, n) = (struct place){ &files[i].after.items[k], i, true };
	}
	sort(all, n, compare_places);
	for (size_t from = 0, to; from < n; from = to) {
		const struct mark *m = all[from].mark;

		for (to = from + 1;
		     to < n && all[to].mark->kinds == m->kinds && str_eq(all[to].mark->text, m->text);)
			to++;
		match_run(&all[from], to - from);
	}
}

/* ---- counting ---- */

static size_t
count_all(const struct marks *m, unsigned kind)
{
	size_t count = 0;

	for (size_t i = 0; i < m->count; i++)
		count += (m->items[i].kinds & kind) != 0;
	return count;
}

/* The next mark from *at on that is only on this side; NULL: there is none. *at is then after it. */
static const struct mark *
next_open(const struct marks *m, unsigned kind, size_t *at)
{
	while (*at < m->count) {
		const struct mark *one = &m->items[(*at)++];

		if ((one->kinds & kind) && !one->is_matched)
			return one;
	}
	return NULL;
}

static size_t
count_open(const struct marks *m, unsigned kind)
{
	size_t count = 0, at = 0;

	while (next_open(m, kind, &at))
		count++;
	return count;
}

/* What those that are only on this side are about, or the tests that they are in. */
static struct strset
open_subjects(struct arena *a, const struct marks *m, unsigned kind, bool of_tests)
{
	struct strset all = strset_new(a, m->count + 1);
	const struct mark *one;

	for (size_t at = 0; (one = next_open(m, kind, &at));)
		if ((of_tests ? one->test : one->beside).s)
			(void)strset_add(&all, of_tests ? one->test : one->beside);
	return all;
}

struct strset
lines_of_text(struct arena *a, struct str text)
{
	struct strset all = strset_new(a, str_count(text, '\n') + 1);
	struct str line;

	while (str_next(&text, '\n', &line))
		if (str_trim(line).n > 0)
			(void)strset_add(&all, str_trim(line));
	return all;
}

/* Rows of a table that the old text does not have, where there is a new test that runs for each row. */
static size_t
count_rows(struct arena *a, const struct test_file *f)
{
	struct str rest = f->change->after, line;
	size_t count = 0;

	if (count_all(&f->after, MARK_TABLE) <= count_all(&f->before, MARK_TABLE))
		return 0;
	struct strset known = lines_of_text(a, f->change->before);

	while (str_next(&rest, '\n', &line)) {
		line = str_trim(line);
		bool is_row = line.n > 2 && str_find_char(STR("[{(\"'`0123456789#"), line.s[0]) >= 0;

		count += is_row && !strset_has(&known, line);
	}
	/* A loop over a list on one line, or in another place, replaces at least two. */
	return count > 0 ? count : 2;
}

/* ---- tests that are gone ---- */

static struct str
shown(struct str name)
{
	return str_sub(name, 0, NAME_SHOWN_BYTES);
}

/* 'a', 'b' and 3 more */
static struct str
names_of(struct arena *a, const struct marks *m, unsigned kind)
{
	struct str names = STR("");
	size_t count = 0;
	const struct mark *one;

	for (size_t at = 0; (one = next_open(m, kind, &at)); count++)
		if (count < NAMES_SHOWN)
			names = str_cat(a, names, count > 0 ? ", " : "", "'", shown(one->text), "'");
	return count > NAMES_SHOWN ? str_cat(a, names, " and ", count - NAMES_SHOWN, " more") : names;
}

/* A program that uses no framework is one test, and only its assertions are known. */
static bool
is_program(const struct marks *m)
{
	return count_all(m, MARK_TEST) == 0 && count_open(m, MARK_ASSERTION) > 0;
}

/* `spare`: tests of new files, which may stand for those of files that are gone. */
static bool
find_lost_tests(const struct test_file *f, size_t *spare, struct test_findings *ret)
{
	struct arena *a = ret->arena;
	bool is_lost_program = !f->change->after.s && is_program(&f->before);
	unsigned kind = is_lost_program ? MARK_ASSERTION : MARK_TEST;
	size_t lost = is_lost_program ? 1 : count_open(&f->before, MARK_TEST), at = 0;
	size_t made = count_open(&f->after, MARK_TEST);
	bool is_gone = count_all(&f->after, MARK_TEST) == 0;
	size_t used = !is_gone ? 0 : lost < *spare ? lost : *spare;

	if (lost <= made || (!is_gone && lost <= made + count_rows(a, f)))
		return false;
	*spare -= used;
	if (used == lost)
		return false;
	test_finding_add(ret, f->change->path, next_open(&f->before, kind, &at)->line,
			 str_cat(a,
				 !f->change->after.s ? "the file is deleted, and with it"
				 : is_gone           ? "the file has no tests any more; gone are"
						     : "tests are gone:",
				 " ", names_of(a, &f->before, kind)))
		->is_before = true;
	return true;
}

/* ---- assertions that are gone ---- */

/* The name that a line defines as a function; absent: none. */
static struct str
defined_name(struct str line)
{
	struct str words = STR("def |function |func |fn |void |const |let |fun "), word;
	size_t from = 0, end;

	while (from == 0 && str_next(&words, '|', &word)) {
		ptrdiff_t at = str_find(line, word);

		from = at >= 0 ? (size_t)at + word.n : 0;
	}
	for (end = from; end < line.n && is_name_char(line.s[end]);)
		end++;
	/* without such a word: a function of a shell */
	bool is_defined = end > from && (from > 0 || str_starts(str_rest(line, end), STR("()")));

	return is_defined ? str_sub(line, from, end) : STR_NONE;
}

/* The functions that the new texts define, with an assertion in their first lines. */
static struct strset
find_helpers(struct arena *a, const struct test_file *files, size_t count)
{
	size_t lines = 1;

	for (size_t i = 0; i < count; i++)
		lines += str_count(files[i].change->after, '\n');
	struct strset helpers = strset_new(a, lines + count);

	for (size_t i = 0; i < count; i++) {
		const struct marks *marks = &files[i].after;
		struct str rest = files[i].change->after, line;
		size_t next = 0;

		for (int64_t number = 1; str_next(&rest, '\n', &line); number++) {
			while (next < marks->count && (marks->items[next].line < number ||
						       !(marks->items[next].kinds & MARK_ASSERTION)))
				next++;
			if (next == marks->count)
				break;
			struct str name = defined_name(line);

			if (name.s && marks->items[next].line <= number + HELPER_LINES)
				(void)strset_add(&helpers, name);
		}
	}
	return helpers;
}

static bool
has_name_of(const struct strset *names, struct str line)
{
	for (size_t i = 0, end; i < line.n; i = end + 1) {
		for (end = i; end < line.n && is_name_char(line.s[end]);)
			end++;
		if (end > i && strset_has(names, str_sub(line, i, end)))
			return true;
	}
	return false;
}

/* The tests of the new text in which a new line calls a helper that asserts. */
static struct strset
tests_with_helpers(struct arena *a, const struct test_file *f, const struct strset *helpers)
{
	struct strset tests = strset_new(a, f->after.count + 1), known = lines_of_text(a, f->change->before);
	struct str rest = f->change->after, line, test = STR_NONE;
	size_t next = 0;

	for (int64_t number = 1; str_next(&rest, '\n', &line); number++) {
		struct str trimmed = str_trim(line);

		for (; next < f->after.count && f->after.items[next].line <= number; next++)
			if (f->after.items[next].kinds & MARK_TEST)
				test = f->after.items[next].beside;
		if (test.s && trimmed.n > 0 && !strset_has(&known, trimmed) && has_name_of(helpers, trimmed))
			(void)strset_add(&tests, test);
	}
	return tests;
}

static void
find_lost_assertions(const struct test_file *f, const struct strset *helpers, struct test_findings *ret)
{
	struct arena *a = ret->arena;
	size_t lost = count_open(&f->before, MARK_ASSERTION), made = count_open(&f->after, MARK_ASSERTION);
	const struct mark *m;

	if (lost <= made ||
	    (count_all(&f->after, MARK_TABLE) > count_all(&f->before, MARK_TABLE) && made > 0))
		return;
	struct strset replaced = open_subjects(a, &f->after, MARK_ASSERTION, true),
		      helped = tests_with_helpers(a, f, helpers);

	for (size_t at = 0; (m = next_open(&f->before, MARK_ASSERTION, &at));)
		if (!m->test.s || !(strset_has(&replaced, m->test) || strset_has(&helped, m->test)))
			test_finding_add(ret, f->change->path, m->line,
					 str_cat(a, "an assertion is gone, and none replaces it: '",
						 shown(m->text), "'"))
				->is_before = true;
}

/* ---- tests that no longer count ---- */

static void
find_new_marks(const struct test_file *f, struct test_findings *ret)
{
	static const struct {
		unsigned kind;
		const char *text;
	} bad[] = {
		{ MARK_SKIP, "a test is skipped" },
		{ MARK_EXPECTED_FAILURE, "a test is marked as an expected failure" },
		{ MARK_FOCUS, "only this test runs, and the others do not" },
		{ MARK_EXPECTED_ERROR, "a test expects an error now, in place of a result" },
	};
	bool has_new_tests = count_open(&f->after, MARK_TEST) > count_open(&f->before, MARK_TEST);
	struct strset before[COUNT_OF(bad)];

	for (size_t k = 0; k < COUNT_OF(bad); k++)
		before[k] = open_subjects(ret->arena, &f->before, bad[k].kind, false);
	for_each (m, f->after.items, f->after.count) {
		size_t k = m->is_matched ? COUNT_OF(bad) : 0;

		while (k < COUNT_OF(bad) &&
		       (!(m->kinds & bad[k].kind) || (m->beside.s && strset_has(&before[k], m->beside)) ||
			(bad[k].kind == MARK_EXPECTED_ERROR && has_new_tests)))
			k++;
		if (k < COUNT_OF(bad))
			test_finding_add(ret, f->change->path, m->line,
					 str_cat(ret->arena, bad[k].text, ": '", shown(m->text), "'"));
	}
}

struct test_findings
tests_compare(struct arena *a, const struct file_change *changes, size_t count)
{
	struct test_file *files = arena_array(a, count, struct test_file);
	struct test_findings all = { .arena = a };
	size_t n = 0, spare = 0;

	for_each (c, changes, count) {
		const struct language *l = language_of_tests(c->path);

		if (l)
			files[n++] = (struct test_file){ c, marks_of(a, l, c->path, c->before),
							 marks_of(a, l, c->path, c->after) };
	}
	match_marks(a, files, n);
	for (size_t i = 0; i < n; i++)
		if (!files[i].change->before.s)
			spare += count_open(&files[i].after, MARK_TEST) + is_program(&files[i].after);
	struct strset helpers = find_helpers(a, files, n);

	for (size_t i = 0; i < n; i++) {
		bool has_lost = find_lost_tests(&files[i], &spare, &all);

		if (!has_lost && files[i].change->after.s)
			find_lost_assertions(&files[i], &helpers, &all);
		find_new_marks(&files[i], &all);
	}
	settings_compare(changes, count, &all);
	return all;
}
