/* SPDX-License-Identifier: MIT */
/* Digests, compared with what `b2sum -l 128` prints. */
#include "test.h"

#include "base/digest.h"

TEST(a_digest_is_that_of_b2sum_also_around_the_ends_of_blocks)
{
	static const struct {
		const char *name, *digest;
		size_t letters; /* so many times 'a' */
	} rows[] = {
		{ "nothing", "cae66941d9efbd404e4d88758ea67670", 0 },
		{ "less than a block", "2228006d5107a5239e500da574466288", 127 },
		{ "a block", "1271d28e731afb57bdfba6bdaf3501be", 128 },
		{ "more than a block", "68b7bafbad5055c4ebe6eb170a0f8524", 129 },
		{ "two blocks", "2dbe331c95d600bb74dcd669f0618bd7", 256 },
		{ "several blocks", "a0e5a332e985551c28a377c40f4139c3", 1000 },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	char letters[1000];

	memset(letters, 'a', sizeof(letters));
	CHECK(str_is(digest_of(&a, STR("abc")), "cf4ab791c62b8d2b2109c90275287816"));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str text = { letters, rows[i].letters }, piece = { letters, 7 };
		struct digest d;

		CHECK_ROW(rows[i].name, str_is(digest_of(&a, text), rows[i].digest));
		digest_begin(&d);
		for (size_t left = text.n; left > 0; left -= piece.n) {
			piece.n = left < 7 ? left : 7;
			digest_add(&d, piece);
		}
		CHECK_ROW(rows[i].name, str_is(digest_end(&a, &d), rows[i].digest));
	}
}
