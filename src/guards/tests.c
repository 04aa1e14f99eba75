/* SPDX-License-Identifier: MIT */
/* Compares the marks of test files. A mark that is gone from one file and new in another has been moved. */
#include "guards/tests.h"

#include "base/path.h"
#include "guards/test_marks.h"

#include <stdlib.h>

/* Names in a sentence. */
#define NAMES_SHOWN 3
#define NAME_SHOWN_BYTES 100
/* How far a helper's assertions may be from its first line. */
#define HELPER_LINES 40

struct test_file {
	const struct file_change *change;
	const struct language *language;
	struct marks before, after;
};

void
test_finding_add(struct arena *a, struct test_findings *all, struct test_finding finding)
{
	arena_make_room(a, all->items, all->count, &all->capacity);
	all->items[all->count++] = finding;
}

bool
tests_concern(struct str path)
{
	const struct language *l = language_of(path);

	return (l && (language_has_inline_tests(l) || is_test_path(path))) || settings_concern(path);
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

	if (p->mark->kinds != q->mark->kinds)
		return p->mark->kinds < q->mark->kinds ? -1 : 1;
	int order = str_cmp(p->mark->text, q->mark->text);

	if (order != 0)
		return order;
	return p->file != q->file ? (p->file < q->file ? -1 : 1) : p->is_after - q->is_after;
}

static bool
is_alike(const struct place *p, const struct place *q)
{
	return p->mark->kinds == q->mark->kinds && str_eq(p->mark->text, q->mark->text);
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
	size_t total = 0, n = 0;

	for (size_t i = 0; i < count; i++)
		total += files[i].before.count + files[i].after.count;
	struct place *all = arena_array(a, total, struct place);

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < files[i].before.count; k++)
			all[n++] = (struct place){ &files[i].before.items[k], i, false };
		for (size_t k = 0; k < files[i].after.count; k++)
			all[n++] = (struct place){ &files[i].after.items[k], i, true };
	}
	if (n > 0)
		qsort(all, n, sizeof(*all), compare_places);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && is_alike(&all[from], &all[to]);)
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

/* Those that are only on this side. */
static size_t
count_open(const struct marks *m, unsigned kind)
{
	size_t count = 0;

	for (size_t i = 0; i < m->count; i++)
		count += (m->items[i].kinds & kind) && !m->items[i].is_matched;
	return count;
}

/* Rows of a table that the old text does not have, where there is a new test that runs for each row. */
static size_t
count_rows(struct arena *a, const struct test_file *f)
{
	struct str rest = f->change->after, old = f->change->before, line;
	struct strset known = strset_new(a, old.n / 2 + 2);
	size_t count = 0;

	if (count_all(&f->after, MARK_TABLE) <= count_all(&f->before, MARK_TABLE))
		return 0;
	while (str_next(&old, '\n', &line))
		if (str_trim(line).n > 0)
			(void)strset_add(&known, str_trim(line));
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
	size_t count = 0, total = count_open(m, kind);

	for (size_t i = 0; i < m->count && count < NAMES_SHOWN; i++) {
		if (!(m->items[i].kinds & kind) || m->items[i].is_matched)
			continue;
		names = str_fmt(a, STR_FMT "%s'" STR_FMT "'", STR_ARG(names), count > 0 ? ", " : "",
				STR_ARG(shown(m->items[i].text)));
		count++;
	}
	return total > count ? str_fmt(a, STR_FMT " and %zu more", STR_ARG(names), total - count) : names;
}

static const struct mark *
first_open(const struct marks *m, unsigned kind)
{
	for (size_t i = 0; i < m->count; i++)
		if ((m->items[i].kinds & kind) && !m->items[i].is_matched)
			return &m->items[i];
	return NULL;
}

/* `spare`: tests of new files, which may stand for those of files that are gone. */
static bool
find_lost_tests(struct arena *a, const struct test_file *f, size_t *spare, struct test_findings *ret)
{
	size_t lost = count_open(&f->before, MARK_TEST), made = count_open(&f->after, MARK_TEST);
	bool is_gone = count_all(&f->after, MARK_TEST) == 0;

	if (lost <= made || (!is_gone && lost <= made + count_rows(a, f)))
		return false;
	if (is_gone) {
		size_t used = lost < *spare ? lost : *spare;

		*spare -= used;
		if (used == lost)
			return false;
	}
	const struct mark *first = first_open(&f->before, MARK_TEST);
	const char *what = !f->change->after.s ? "the file is deleted, and with it"
			   : is_gone           ? "the file has no tests any more; gone are"
					       : "tests are gone:";

	test_finding_add(
		a, ret,
		(struct test_finding){
			.file = f->change->path,
			.line = first->line,
			.is_before = true,
			.text = str_fmt(a, "%s " STR_FMT, what, STR_ARG(names_of(a, &f->before, MARK_TEST))),
		});
	return true;
}

/* ---- assertions that are gone ---- */

/* Is a function of this name defined in the new text, with an assertion in its first lines? */
static bool
is_helper(const struct test_file *f, struct str name)
{
	static const char *const before[] = { "def ",   "function ", "func ", "fn ", "void ",
					      "const ", "let ",      "fun ",  "" };
	struct str rest = f->change->after, line;

	for (int64_t number = 1; str_next(&rest, '\n', &line); number++) {
		ptrdiff_t at = str_find(line, name);
		struct str lead = at < 0 ? STR_NONE : str_sub(line, 0, (size_t)at);
		size_t end = at < 0 ? 0 : (size_t)at + name.n;
		bool is_defined = false;

		if (at < 0 || (end < line.n && is_name_char(line.s[end])))
			continue;
		for (size_t i = 0; i < COUNT_OF(before); i++)
			is_defined |= before[i][0] ? str_ends(lead, str_from(before[i]))
						   : lead.n == 0 && str_starts(str_sub(line, end, line.n),
									       STR("()"));
		for (size_t i = 0; is_defined && i < f->after.count; i++)
			if ((f->after.items[i].kinds & MARK_ASSERTION) && f->after.items[i].line >= number &&
			    f->after.items[i].line <= number + HELPER_LINES)
				return true;
	}
	return false;
}

/* Does the line call such a function? */
static bool
calls_helper(const struct test_file *files, size_t count, struct str line)
{
	for (size_t i = 0; i < line.n; i++) {
		size_t end = i;

		if (i > 0 && is_name_char(line.s[i - 1]))
			continue;
		while (end < line.n && is_name_char(line.s[end]))
			end++;
		if (end == i)
			continue;
		for (size_t k = 0; k < count; k++)
			if (is_helper(&files[k], str_sub(line, i, end)))
				return true;
		i = end;
	}
	return false;
}

/* The lines of the new text that belong to a test, and that the old text does not have, call a helper that asserts. */
static bool
test_calls_helper(const struct test_file *f, const struct test_file *files, size_t count, struct str test)
{
	struct str rest = f->change->after, line;
	int64_t from = 0, to = INT64_MAX;

	for (size_t i = 0; i < f->after.count; i++) {
		const struct mark *m = &f->after.items[i];

		if (!(m->kinds & MARK_TEST))
			continue;
		if (from == 0 && str_eq(m->beside, test))
			from = m->line;
		else if (from > 0 && m->line > from && to == INT64_MAX)
			to = m->line;
	}
	for (int64_t number = 1; from > 0 && str_next(&rest, '\n', &line); number++)
		if (number > from && number < to && str_trim(line).n > 0 &&
		    str_find(f->change->before, str_trim(line)) < 0 && calls_helper(files, count, line))
			return true;
	return false;
}

/* Has the test got another assertion? */
static bool
is_replaced(const struct test_file *f, const struct mark *lost)
{
	for (size_t i = 0; i < f->after.count; i++) {
		const struct mark *m = &f->after.items[i];

		if ((m->kinds & MARK_ASSERTION) && !m->is_matched && m->test.s && str_eq(m->test, lost->test))
			return true;
	}
	return false;
}

static void
find_lost_assertions(struct arena *a, const struct test_file *f, const struct test_file *files, size_t count,
		     struct test_findings *ret)
{
	size_t lost = count_open(&f->before, MARK_ASSERTION), made = count_open(&f->after, MARK_ASSERTION);

	if (lost <= made ||
	    (count_all(&f->after, MARK_TABLE) > count_all(&f->before, MARK_TABLE) && made > 0))
		return;
	for (size_t i = 0; i < f->before.count; i++) {
		const struct mark *m = &f->before.items[i];

		if (!(m->kinds & MARK_ASSERTION) || m->is_matched || is_replaced(f, m) ||
		    (m->test.s && test_calls_helper(f, files, count, m->test)))
			continue;
		test_finding_add(
			a, ret,
			(struct test_finding){
				.file = f->change->path,
				.line = m->line,
				.is_before = true,
				.text = str_fmt(a,
						"an assertion is gone, and none replaces it: '" STR_FMT "'",
						STR_ARG(shown(m->text))),
			});
	}
}

/* ---- tests that no longer count ---- */

/* Was the mark there before, with other words? */
static bool
was_there(const struct test_file *f, const struct mark *mark, unsigned kind)
{
	for (size_t i = 0; i < f->before.count; i++)
		if ((f->before.items[i].kinds & kind) && !f->before.items[i].is_matched &&
		    str_eq(f->before.items[i].beside, mark->beside))
			return true;
	return false;
}

static void
find_new_marks(struct arena *a, const struct test_file *f, struct test_findings *ret)
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
	size_t new_tests = count_open(&f->after, MARK_TEST), lost_tests = count_open(&f->before, MARK_TEST);

	for (size_t i = 0; i < f->after.count; i++) {
		const struct mark *m = &f->after.items[i];

		for (size_t k = 0; k < COUNT_OF(bad); k++) {
			if (!(m->kinds & bad[k].kind) || m->is_matched || was_there(f, m, bad[k].kind))
				continue;
			if (bad[k].kind == MARK_EXPECTED_ERROR && new_tests > lost_tests)
				continue;
			test_finding_add(a, ret,
					 (struct test_finding){
						 .file = f->change->path,
						 .line = m->line,
						 .text = str_fmt(a, "%s: '" STR_FMT "'", bad[k].text,
								 STR_ARG(shown(m->text))),
					 });
			break;
		}
	}
}

struct test_findings
tests_compare(struct arena *a, const struct file_change *changes, size_t count)
{
	struct test_file *files = arena_array(a, count, struct test_file);
	struct test_findings all = { 0 };
	size_t n = 0, spare = 0;

	for (size_t i = 0; i < count; i++) {
		const struct file_change *c = &changes[i];
		const struct language *l = language_of(c->path);

		if (!l || !(language_has_inline_tests(l) || is_test_path(c->path)))
			continue;
		files[n++] = (struct test_file){
			.change = c,
			.language = l,
			.before = c->before.s ? marks_of(a, l, c->path, c->before) : (struct marks){ 0 },
			.after = c->after.s ? marks_of(a, l, c->path, c->after) : (struct marks){ 0 },
		};
	}
	match_marks(a, files, n);
	for (size_t i = 0; i < n; i++)
		if (!files[i].change->before.s)
			spare += count_open(&files[i].after, MARK_TEST);
	for (size_t i = 0; i < n; i++) {
		bool has_lost = find_lost_tests(a, &files[i], &spare, &all);

		if (!has_lost && files[i].change->after.s)
			find_lost_assertions(a, &files[i], files, n, &all);
		find_new_marks(a, &files[i], &all);
	}
	settings_compare(a, changes, count, &all);
	return all;
}
