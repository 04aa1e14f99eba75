/* SPDX-License-Identifier: MIT */
/* The sentence about a client's limit on blocks, and when it is due. */
#include "test.h"

#include "model/block_cap.h"

static const struct {
	uint64_t blocks, cap;
	bool is_low;
} bounds[] = {
	{ 8, 8, false },
	{ 9, 8, true },
	{ 0, 0, false },
	{ 0, 1, false },
	{ 1, 1, false },
	{ 2, 1, true },
	/* no limit at all */
	{ 1000, 0, false },
	{ BLOCKS_ENDLESS, 0, false },
	/* no end */
	{ BLOCKS_ENDLESS, 8, true },
};

TEST(a_cap_is_low_when_more_stops_may_be_turned_back_than_it_lets_through)
{
	for (size_t i = 0; i < COUNT_OF(bounds); i++) {
		const struct block_cap c = { .blocks = bounds[i].blocks, .cap = bounds[i].cap };

		CHECK(block_cap_is_low(&c) == bounds[i].is_low);
	}
}

static const struct {
	struct block_cap cap;
	const char *text;
} texts[] = {
	{ { .blocks = 9, .title = "Qwen Code", .cap = 7 },
	  "9 stops in a row may be blocked, and Qwen Code ends the turn after 7" },
	{ { .blocks = 49, .title = "Claude Code", .cap = 8, .is_reset_by_a_tool = true },
	  "49 stops in a row may be blocked, and Claude Code ends the turn after 8 with no tool call "
	  "between them" },
	{ { .blocks = BLOCKS_ENDLESS, .title = "Cursor", .cap = 10 },
	  "any number of stops in a row may be blocked, and Cursor ends the turn after 10" },
	{ { .blocks = 9, .parts = { " (9 by rounds)", 14 }, .title = "X", .cap = 8 },
	  "9 stops in a row may be blocked (9 by rounds), and X ends the turn after 8" },
};

TEST(the_same_sentence_warns_of_every_clients_cap)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(texts); i++)
		CHECK(str_is(block_cap_text(&a, &texts[i].cap), texts[i].text));
}
