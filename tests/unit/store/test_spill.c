/* SPDX-License-Identifier: MIT */
/* Outputs that are kept: how much of them. */
#include "test.h"

#include "base/limits.h"
#include "base/path.h"
#include "os/fs.h"
#include "store/spill.h"

TEST(an_output_is_kept_up_to_its_limit_and_then_known_to_be_cut)
{
	static const struct {
		const char *name, *more, *kept;
		uint64_t room;
		bool is_cut;
	} rows[] = {
		{ "less", "ab", "abend", 6, false },       { "just enough", "abc", "abcend", 6, false },
		{ "nothing more", "abc", "abc", 3, true }, { "too much", "abcd", "abc", 3, true },
		{ "full", "abcd", "", 0, true },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(spill_close) struct spill o = SPILL_NONE;
		struct str text = STR("");
		struct err err;

		o.path = path_join(&a, str_from(test_dir()), STR("output"));
		o.written = SPILL_LIMIT_BYTES - rows[i].room;
		CHECK(fs_open_nameless(&a, o.path.s, &o.fd, &err) == 0);
		spill_add(&o, str_from(rows[i].more));
		spill_add(&o, STR("end"));
		CHECK(spill_keep(&a, &o, &err) == 0);
		CHECK(fs_read(&a, o.path.s, 100, &text, &err) == 0);
		CHECK_ROW(rows[i].name, str_is(text, rows[i].kept));
		CHECK_ROW(rows[i].name, o.is_cut == rows[i].is_cut);
	}
}
