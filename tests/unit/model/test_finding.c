/* SPDX-License-Identifier: MIT */
/* Findings: their words, their lines, and when two are the same one. */
#include "test.h"

#include "base/buf.h"
#include "doc/json.h"
#include "model/finding.h"

#include <string.h>

static struct finding
finding(const char *file, int64_t line, const char *issue)
{
	return (struct finding){ .file = str_from(file), .line = line, .issue = str_from(issue) };
}

static bool
is_same(const struct finding *x, const struct finding *y)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	return findings_match(&a, (struct finding_list){ x, 1 }, (struct finding_list){ y, 1 }, NULL)[0] == 0;
}

TEST(two_findings_are_the_same_by_file_and_either_text_or_line)
{
	static const struct {
		const char *file;
		int64_t line;
		const char *issue;
		bool is_same, has_same_id;
	} rows[] = {
		{ "a.c", 12, "Line 12 is bad", true, true },
		{ "./a.c", 12, "Line 12 is bad", true, true },
		{ "a.c", 12, "  Line\n12  is bad\n", true, true },
		/* shifted */
		{ "a.c", 14, "Line 14 is bad", true, true },
		{ "a.c", 14, "Line 12 is bad", false, false },
		{ "a.c", 0, "Line 12 is bad", false, false },
		/* reworded */
		{ "a.c", 12, "It leaks", true, false },
		{ "a.c", 13, "It leaks", false, false },
		{ "a.c", 12, "", true, false },
		{ "b.c", 12, "Line 12 is bad", false, false },
		{ "a.c", 12, "Line 112 is bad", true, false },
		{ "a.c", 12, "Line 121 is bad", true, false },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct finding first = finding("a.c", 12, "Line 12 is bad");

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct finding f = finding(rows[i].file, rows[i].line, rows[i].issue);
		const char *name = str_fmt(&a, "%zu: %s", i, rows[i].issue).s;

		CHECK_ROW(name, is_same(&first, &f) == rows[i].is_same);
		CHECK_ROW(name, is_same(&f, &first) == rows[i].is_same);
		CHECK_ROW(name, str_eq(finding_id(&a, &first), finding_id(&a, &f)) == rows[i].has_same_id);
	}
	first.line = 0;
	struct finding other = finding("a.c", 0, "It leaks");

	CHECK(!is_same(&first, &other));
	CHECK(is_same(&first, &first));
	CHECK(finding_id(&a, &other).n == 16);
}

/* A finding as a line number and a letter for its text; `?` is an unknown line. */
static struct finding_list
list_of(struct arena *a, const char *text)
{
	struct str rest = str_from(text), word;
	struct finding *items = arena_array(a, rest.n, struct finding);
	struct finding_list l = { .items = items };

	while (str_next(&rest, ' ', &word)) {
		struct node n = { .kind = NODE_STRING, .text = str_sub(word, 0, word.n - 1) };

		items[l.count++] = (struct finding){ .file = STR("a.c"),
						     .line = finding_line(&n),
						     .issue = str_sub(word, word.n - 1, word.n) };
	}
	return l;
}

TEST(each_finding_is_paired_with_the_closest_one)
{
	static const struct {
		const char *now, *before, *pairs; /* of each of `now`, the index in `before` */
	} rows[] = {
		{ "1a", "", "-" },
		{ "", "1a", "" },
		{ "1a 2b", "2b 1a", "10" },
		{ "1a 1b", "1b 1a", "10" },
		{ "1b", "1a 1b", "1" },
		/* all lines shifted, the texts are the same */
		{ "13a 14a 15a", "10a 11a 12a", "012" },
		{ "12a 42a", "10a 40a", "01" },
		{ "38a 68a", "10a 40a", "01" },
		/* one of them is gone */
		{ "42a", "10a 40a", "1" },
		{ "12a", "10a 40a", "0" },
		{ "12a 90a", "10a 40a 91a", "02" },
		{ "10a 42a 90a", "40a", "-0-" },
		{ "41a 42a", "10a 20a 40a", "12" },
		/* reworded, and another text on that line */
		{ "1x", "1a", "0" },
		{ "1x 1y", "1a", "0-" },
		{ "1x 2a", "1a", "-0" },
		{ "1x 2a", "1a 2b", "-0" },
		/* repeated */
		{ "1a 1a 1a", "1a", "000" },
		{ "1a", "1a 1a", "1" },
		{ "?a ?a", "?a", "00" },
		/* an unknown line is not a common one */
		{ "?x", "?a", "-" },
		{ "?a", "7a", "0" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct finding_list now = list_of(&a, rows[i].now), before = list_of(&a, rows[i].before);
		bool *is_paired = arena_array(&a, before.count, bool);
		const size_t *pairs = findings_match(&a, now, before, is_paired);
		const char *name = str_fmt(&a, "%s / %s", rows[i].now, rows[i].before).s;

		CHECK_ROW(name, strlen(rows[i].pairs) == now.count);
		for (size_t k = 0; k < now.count; k++) {
			char c = rows[i].pairs[k];

			CHECK_ROW(name, pairs[k] == (c == '-' ? FINDING_NONE : (size_t)(c - '0')));
			CHECK_ROW(name, c == '-' || is_paired[c - '0']);
		}
	}
	struct finding_list repeated = list_of(&a, "1a 1a 1b");
	bool is_paired[3] = { false };

	(void)findings_match(&a, list_of(&a, "1a"), repeated, is_paired);
	CHECK(is_paired[0] && is_paired[1] && !is_paired[2]);
}

TEST(a_hundred_thousand_findings_are_paired_at_once)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	size_t count = 100000;
	struct finding *now = arena_array(&a, count, struct finding),
		       *before = arena_array(&a, count, struct finding);

	for (size_t i = 0; i < count; i++) {
		now[i] = finding("a.c", (int64_t)i + 100, i % 2 ? "odd" : "even");
		before[i] = finding("a.c", (int64_t)i + 1, i % 2 ? "even" : "odd");
	}
	const size_t *pairs = findings_match(&a, (struct finding_list){ now, count },
					     (struct finding_list){ before, count }, NULL);
	size_t paired = 0;

	for (size_t i = 0; i < count; i++)
		paired += pairs[i] != FINDING_NONE;
	CHECK(paired == count);
}

TEST(a_line_is_read_as_models_write_it)
{
	static const struct {
		const char *json;
		int64_t line;
	} rows[] = {
		{ "12", 12 },        { "\"12\"", 12 },   { "\" 12 \"", 12 },
		{ "\"12-15\"", 12 }, { "\"12:3\"", 12 }, { "\"12, 15\"", 12 },
		{ "0", 0 },          { "-3", 0 },        { "\"-3\"", 0 },
		{ "\"12a\"", 0 },    { "\"\"", 0 },      { "1.5", 0 },
		{ "null", 0 },       { "[12]", 0 },      { "\"99999999999999999999\"", 0 },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct node n;
		struct err err;

		CHECK(json_parse(&a, str_from(rows[i].json), &n, &err) == 0);
		CHECK_ROW(rows[i].json, finding_line(&n) == rows[i].line);
	}
	CHECK(finding_line(NULL) == 0);
}

TEST(priorities_and_statuses_are_known_by_their_words)
{
	enum finding_status status = FINDING_SKIPPED;
	struct finding f = { .priority = STR("medium") };

	CHECK_STR(finding_priority(STR("HIGH")), "high");
	CHECK_STR(finding_priority(STR("Blocker")), "Blocker");
	CHECK(finding_is_below(&f, STR("high")) && !finding_is_below(&f, STR("medium")) &&
	      !finding_is_below(&f, STR("low")));
	f.priority = STR("Blocker");
	CHECK(!finding_is_below(&f, STR("critical")));
	CHECK(finding_status_parse(STR("new"), &status) && status == FINDING_NEW);
	CHECK(!finding_status_parse(STR("New"), &status) && status == FINDING_NEW);
	CHECK(strcmp(finding_status_name(FINDING_SKIPPED), "skipped") == 0);
}
