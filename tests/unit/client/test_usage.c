/* SPDX-License-Identifier: MIT */
/* Prices of models, and the spans of a transcript. What else is counted in it is tested in tests/cli/ralph-budget.bats. */
#include "test.h"

#include "base/buf.h"
#include "base/path.h"
#include "client/usage.h"
#include "os/clock.h"
#include "os/fs.h"

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

TEST(tokens_are_counted_for_spans_of_time)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str path = path_join(&a, str_from(test_dir()), STR("transcript.jsonl"));
	struct buf text = BUF(&a, KIB(8));
	struct usage_span spans[3] = { 0 };
	struct usage_request request = { .spans = spans, .span_count = COUNT_OF(spans) };
	struct usage all = { 0 };
	struct err err;
	int64_t start;
	/* The seconds of messages, each with its id: the third goes on in a second line. */
	static const struct {
		int second;
		const char *id, *model;
		int tokens;
	} lines[] = {
		{ 1, "a", "claude-opus-5", 10 },      { 9, "b", "claude-opus-5", 20 },
		{ 11, "c", "claude-opus-5", 5 },      { 12, "c", "claude-opus-5", 40 },
		{ 35, "d", "nobody-knows-this", 80 }, { 50, "e", "claude-opus-5", 160 },
	};

	CHECK(clock_parse(STR("2026-11-15T22:00:00Z"), &start));
	for (size_t i = 0; i < COUNT_OF(lines); i++)
		buf_addf(&text,
			 "{\"type\":\"assistant\",\"timestamp\":\"2026-11-15T22:00:%02d.000Z\",\"message\":{"
			 "\"id\":"
			 "\"%s\",\"model\":\"%s\",\"usage\":{\"input_tokens\":%d,\"output_tokens\":0}}}\n",
			 lines[i].second, lines[i].id, lines[i].model, lines[i].tokens);
	CHECK(fs_create(path.s, buf_str(&text), 0600, &err) == 0);
	for (size_t i = 0; i < COUNT_OF(spans); i++)
		spans[i].until_us = start + ((int64_t)i + 1) * 10000000; /* up to 10, 20 and 30 seconds */
	CHECK(usage_read(&a, path.s, &request, &all, &err) == 0);
	CHECK(spans[0].tokens == 30 && spans[0].first_us == start + 1000000 && spans[0].cost == 30 * 5000);
	CHECK(spans[1].tokens == 40 && spans[1].first_us == start + 11000000);
	CHECK(spans[2].tokens == 0 && spans[2].first_us == 0);
	CHECK(all.tokens == 310 && str_is(all.unknown_model, "nobody-knows-this"));
	CHECK(usage_read(&a, "/nowhere", &request, &all, &err) < 0);
}
