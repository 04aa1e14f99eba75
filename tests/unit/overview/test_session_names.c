/* SPDX-License-Identifier: MIT */
/* How sessions are shown, and named by users. */
#include "test.h"

#include "overview/decisions.h"

TEST(a_session_is_shown_by_the_shortest_part_that_no_other_has)
{
	static const struct {
		const char *what, *id, *others[3], *shown;
	} rows[] = {
		{ "alone", "7567ea90-8f44-4f47", { NULL }, "f44-4f47" },
		{ "short", "s1", { "s2", "as1" }, "s1" },
		{ "as long as what is shown", "12345678", { "x12345678" }, "12345678" },
		{ "the same start", "01a1e699-abcd-1234", { "01a1e699-abcd-1235" }, "bcd-1234" },
		{ "the same end", "alpha--session", { "beta---session" }, "alpha--s" },
		{ "the same end and start", "abcdefgh-1-abcdefgh", { "abcdefgh-2-abcdefgh" }, "1-abcdefgh" },
		{ "an end of another", "b-12345678", { "ab-12345678" }, "b-123456" },
		{ "a start and an end of others", "12345678x", { "12345678xy", "a12345678x" }, "12345678x" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct session_names known = { 0 };
		struct str id = str_from(rows[i].id), shown;

		(void)session_names_add(&a, &known, id);
		for (size_t k = 0; k < COUNT_OF(rows[i].others) && rows[i].others[k]; k++)
			(void)session_names_add(&a, &known, str_from(rows[i].others[k]));
		size_t count = known.ids.count;

		(void)session_names_add(&a, &known, id);
		CHECK_ROW(rows[i].what, known.ids.count == count);
		shown = session_name(&known, id);
		CHECK_ROW(rows[i].what, str_is(shown, rows[i].shown));
		CHECK_ROW(rows[i].what, session_is_named(id, shown));
	}
}

TEST(a_session_is_named_by_a_start_or_by_an_end_that_is_long_enough)
{
	CHECK(session_is_named(STR("7567ea90-8f44"), STR("7")));
	CHECK(session_is_named(STR("7567ea90-8f44"), STR("7567ea90-8f44")));
	CHECK(session_is_named(STR("7567ea90-8f44"), STR("a90-8f44")));
	CHECK(!session_is_named(STR("7567ea90-8f44"), STR("90-8f44")));
	CHECK(!session_is_named(STR("7567ea90-8f44"), STR("567ea90-")));
}
