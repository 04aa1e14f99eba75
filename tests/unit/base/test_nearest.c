/* SPDX-License-Identifier: MIT */
/* Suggestions for misspelled names. */
#include "test.h"

#include "base/nearest.h"

#include <string.h>

#define MAX_NAMES 8

static const struct {
	const char *word;
	const char *names[MAX_NAMES];
	const char *expected[NEAREST_MAX];
} cases[] = {
	{ "showStdOut", { "run", "message", "showStderr", "showStdout" }, { "showStdout" } },
	{ "showStdot", { "run", "message", "showStderr", "showStdout" }, { "showStdout" } },
	{ "INFINITE", { "commands", "infinite", "infiniteMessage" }, { "infinite" } },
	{ "infinit", { "infinite", "infiniteMessage" }, { "infinite" } },
	{ "infinte", { "infinite" }, { "infinite" } },
	{ "enable", { "enabled", "hooks" }, { "enabled" } },
	{ "preventRootAddition", { "preventAdditions", "preventRootAdditions" }, { "preventRootAdditions" } },
	{ "messag", { "messages", "message" }, { "message", "messages" } },
	{ "wxyz", { "run", "message", "timeout" }, { NULL } },
	/* the order among equals is the given one */
	{ "cat", { "bat", "hat", "mat", "rat" }, { "bat", "hat", "mat" } },
	/* the nearest three of more */
	{ "abcdeg", { "abcxyz", "abcdxy", "abcdex", "abcdef", "abcde" }, { "abcdex", "abcdef", "abcde" } },
	/* no other name if one differs only in case */
	{ "ABCDEF", { "abcdex", "abcdef", "abcde" }, { "abcdef" } },
	/* one more than the nearest is as likely, two more is not */
	{ "abcdef", { "abcdxyf", "abcdxf", "abcxyz" }, { "abcdxf", "abcdxyf" } },
	/* distance 3 is near, 4 is not */
	{ "abcdefgh", { "abcdexyz", "abcdwxyz" }, { "abcdexyz" } },
	/* a name that shares nothing is none, whatever its length */
	{ "xyz", { "run", "ab", "xun" }, { "xun" } },
	{ "", { "a", "ab", "abc" }, { NULL } },
	/* one that begins with the word is far away and meant all the same, if no other is near */
	{ "max-iter", { "force", "max-iterations", "max-retries-all" }, { "max-iterations" } },
	{ "MAX", { "maximum", "Maxwell", "maxilla", "maximal" }, { "maximum", "Maxwell", "maxilla" } },
	{ "infinit", { "infiniteMessage", "infinite" }, { "infinite" } },
	{ "stop", { "stop-hook", "hook", "help" }, { "stop-hook" } },
	{ "hook", { "hooked-all", "hoox" }, { "hoox" } },
	{ "hook", { "hooked-all", "hxxk" }, { "hooked-all" } },
	/* two letters begin too much */
	{ "ma", { "maximum" }, { NULL } },
	{ "mas", { "maximum" }, { NULL } },
	/* code points, not bytes */
	{ "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F", { "\xC3\xA4xyz", "abcd" }, { "\xC3\xA4xyz" } },
	{ "\xFF\xFE", { "run" }, { NULL } },
};

TEST(the_nearest_names_come_first_and_at_most_three)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct str names[MAX_NAMES], found[NEAREST_MAX];
		size_t count = 0, expected = 0;

		while (count < MAX_NAMES && cases[i].names[count]) {
			names[count] = str_from(cases[i].names[count]);
			count++;
		}
		while (expected < NEAREST_MAX && cases[i].expected[expected])
			expected++;
		CHECK_ROW(cases[i].word, nearest(str_from(cases[i].word), names, count, found) == expected);
		for (size_t k = 0; k < expected; k++)
			CHECK_ROW(cases[i].word, str_is(found[k], cases[i].expected[k]));
	}
}

TEST(very_long_words_are_near_to_nothing)
{
	char text[66];
	struct str found[NEAREST_MAX];

	memset(text, 'x', sizeof(text));
	struct str names[] = { { text, 64 }, { text, 65 } };

	CHECK(nearest((struct str){ text, 64 }, names, 2, found) == 1);
	CHECK(found[0].n == 64);
	CHECK(nearest((struct str){ text, 65 }, names, 2, found) == 0);
	CHECK(nearest(STR("a"), NULL, 0, found) == 0);
}
