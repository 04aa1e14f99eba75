/* SPDX-License-Identifier: MIT */
/* What each slot of a review does, row by row. */
#include "test.h"

#include "review/review_plan.h"

#include <string.h>

/* Slots as letters: u(nknown), p(assed), f(ailed), a(ll skipped), b(roken). Steps: A(sk), N(othing), S(kip), K(eep),
 * W(ith warnings accepted). */
static struct slot_facts
slot_of(char letter)
{
	switch (letter) {
	case 'p':
		return (struct slot_facts){ SLOT_PASSED, 0 };
	case 'f':
		return (struct slot_facts){ SLOT_FAILED, 2 };
	case 'a':
		return (struct slot_facts){ SLOT_FAILED, 0 };
	case 'b':
		return (struct slot_facts){ SLOT_BROKEN, 1 };
	default:
		return (struct slot_facts){ SLOT_UNKNOWN, 0 };
	}
}

/* scenario: G13-37 */
TEST(each_slot_of_a_review_does_what_its_past_and_the_changes_ask_for)
{
	static const struct {
		const char *slots;
		bool is_changed, is_empty;
		const char *steps;
		bool is_latched;
	} rows[] = {
		{ "u", true, false, "A", false },     { "u", true, true, "N", false },
		{ "p", true, false, "A", false },     { "p", false, true, "N", false },
		{ "f", true, false, "A", false },     { "f", false, true, "K", false },
		{ "f", false, false, "K", false },    { "f", true, true, "K", false },
		{ "a", true, false, "A", false },     { "a", false, true, "W", false },
		{ "a", true, true, "W", false },      { "b", true, false, "K", false },
		{ "b", false, true, "K", false },     { "uu", true, false, "AA", false },
		{ "uu", true, true, "NN", false },    { "pu", true, false, "SA", false },
		{ "pf", true, false, "SA", false },   { "pf", false, true, "SK", false },
		{ "fp", true, false, "AS", false },   { "pa", false, true, "SW", false },
		{ "pb", true, false, "SK", false },   { "pp", true, false, "AS", true },
		{ "pp", false, true, "NN", false },   { "ppp", true, false, "ASS", true },
		{ "ppf", true, false, "SSA", false }, { "", true, false, "", false },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct slot_facts slots[4];
		enum slot_step steps[4];
		struct review_situation now = { rows[i].is_changed, rows[i].is_empty };
		size_t count = strlen(rows[i].slots);
		bool is_latched;

		for (size_t k = 0; k < count; k++)
			slots[k] = slot_of(rows[i].slots[k]);
		review_plan(slots, count, &now, steps, &is_latched);
		for (size_t k = 0; k < count; k++)
			CHECK_ROW(rows[i].slots, "ANSKW"[steps[k]] == rows[i].steps[k]);
		CHECK_ROW(rows[i].slots, is_latched == rows[i].is_latched);
	}
}
