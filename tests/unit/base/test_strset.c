/* SPDX-License-Identifier: MIT */
/* Sets of strings. */
#include "test.h"

#include "base/str.h"

TEST(a_set_has_what_was_added_once)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct strset s = strset_new(&a, 1000);

	for (int i = 0; i < 1000; i++)
		CHECK(strset_add(&s, str_fmt(&a, "%d", i)));
	for (int i = 0; i < 2000; i++)
		CHECK(strset_has(&s, str_fmt(&a, "%d", i)) == (i < 1000));
	for (int i = 0; i < 2000; i++)
		CHECK(strset_at(&s, str_fmt(&a, "%d", i)) == (size_t)(i < 1000 ? i : 1000));
	CHECK(!strset_add(&s, STR("7")) && !strset_has(&s, STR("")));
	s = strset_new(&a, 0);
	CHECK(!strset_has(&s, STR("")));
	for (size_t i = 0; i < 100; i++)
		CHECK(strset_add(&s, str_fmt(&a, "%zu", i)) &&
		      strset_at(&s, str_fmt(&a, "%zu", i / 2)) == i / 2);
	s = strset_new(&a, 1);
	CHECK(strset_add(&s, STR("")) && !strset_add(&s, STR("")) && strset_has(&s, STR("")));
}
