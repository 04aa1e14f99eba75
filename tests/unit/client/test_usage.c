/* SPDX-License-Identifier: MIT */
/* Prices of models. What is counted in a transcript is tested in tests/cli/ralph-budget.bats. */
#include "test.h"

#include "client/usage.h"

TEST(a_model_has_the_price_of_the_longest_name_that_it_begins_with)
{
	static const struct model_price own[] = {
		{ { "mine", 4 }, 1, 2, 3 },
		{ { "mine-2", 6 }, 4, 5, 6 },
		{ { "claude-opus-5-5", 15 }, 7, 8, 9 },
	};
	static const struct {
		const char *model;
		int64_t input; /* 0: not known */
	} cases[] = {
		{ "mine", 1 },
		{ "mine-1", 1 },
		{ "mine-2", 4 },
		{ "mine-2-20261101", 4 },
		{ "mine-20", 1 },
		{ "mine2", 0 },
		{ "min", 0 },
		{ "", 0 },
		{ "claude-opus-5-5", 7 },
		{ "claude-opus-5", 5000 },
		{ "claude-opus-5-20260724", 5000 },
		{ "claude-opus-4-1-20250805", 15000 },
		{ "claude-opus-4-15", 0 },
		{ "claude-sonnet-5-5", 2000 },
		{ "claude-haiku-9", 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct model_price *p = price_of(str_from(cases[i].model), own, COUNT_OF(own));

		CHECK_ROW(cases[i].model, (p ? p->input : 0) == cases[i].input);
	}
}
