/* SPDX-License-Identifier: MIT */
/* The files of a slot: what is written is read back as it was, and bounded. */
#include "test.h"

#include "base/buf.h"
#include "doc/json.h"
#include "model/logname.h"
#include "review/slot.h"

#include <string.h>

static struct finding
violation(const char *file, int64_t line, const char *issue)
{
	return (struct finding){ .file = str_from(file),
				 .line = line,
				 .issue = str_from(issue),
				 .status = FINDING_FIXED,
				 .result = STR("mine") };
}

TEST(findings_are_new_and_what_was_skipped_stays_as_it_is)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node own;
	struct err err;

	CHECK(json_parse(&a, STR("{\"sure\":0.5,\"status\":\"x\",\"line\":\"2\"}"), &own, &err) == 0);
	struct finding open = violation("a.c", 2, "Bad \"one\""), skipped = violation("b.c", 0, "Odd");

	open.document = &own;
	skipped.status = FINDING_SKIPPED;
	skipped.result = STR("no");
	struct review_file f = {
		.adapter = STR("claude"),
		.timestamp = STR("t"),
		.status = STR("fail"),
		.raw_output = STR("raw\n\x01"),
		.open.items = &open,
		.open.count = 1,
		.skipped.items = &skipped,
		.skipped.count = 1,
	};

	CHECK_STR(review_file_json(&a, &f), "{\n"
					    "  \"adapter\": \"claude\",\n"
					    "  \"timestamp\": \"t\",\n"
					    "  \"status\": \"fail\",\n"
					    "  \"rawOutput\": \"raw\\n\\u0001\",\n"
					    "  \"violations\": [\n"
					    "    {\n"
					    "      \"file\": \"a.c\",\n"
					    "      \"line\": 2,\n"
					    "      \"issue\": \"Bad \\\"one\\\"\",\n"
					    "      \"status\": \"new\",\n"
					    "      \"sure\": 0.5\n"
					    "    },\n"
					    "    {\n"
					    "      \"file\": \"b.c\",\n"
					    "      \"issue\": \"Odd\",\n"
					    "      \"status\": \"skipped\",\n"
					    "      \"result\": \"no\"\n"
					    "    }\n"
					    "  ]\n"
					    "}");
	f = (struct review_file){ .adapter = STR("c"),
				  .timestamp = STR("t"),
				  .status = STR("skipped_prior_pass"),
				  .raw_output = STR(""),
				  .pass_run = 3 };
	CHECK(str_ends(review_file_json(&a, &f), STR("\"violations\": [],\n  \"passIteration\": 3\n}")));
}

/* A list in a list in a list ..., which indentation makes many times as large. */
static struct node
deep_node(struct arena *a, size_t depth, size_t width)
{
	struct node n = { .kind = NODE_LIST, .count = (uint32_t)width };

	n.items = arena_array(a, width, struct node);
	for (size_t i = 0; i < width; i++)
		n.items[i] = (struct node){ .kind = NODE_INT, .integer = 1, .text = STR("1") };
	for (size_t i = 0; i < depth; i++) {
		struct node *inner = arena_new(a, struct node);

		*inner = n;
		n = (struct node){ .kind = NODE_LIST, .count = 1, .items = inner };
	}
	return n;
}

TEST(findings_that_would_be_too_large_lose_what_is_not_needed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node_entry extra = { .key = STR("extra"), .value = deep_node(&a, 100, 100000) };
	struct node own = { .kind = NODE_MAP, .count = 1, .entries = &extra };
	struct finding v = violation("a.c", 2, "Bad");
	struct review_file f = { .adapter = STR("c"),
				 .timestamp = STR("t"),
				 .status = STR("fail"),
				 .raw_output = STR("raw"),
				 .open.items = &v,
				 .open.count = 1 };
	struct str small = review_file_json(&a, &f);

	v.document = &own;
	struct str json = review_file_json(&a, &f);

	CHECK(json.s && json.n < small.n && str_find(json, STR("extra")) < 0 &&
	      str_find(json, STR("Bad")) > 0);
	char *issue = arena_bytes(&a, REVIEW_LIMIT_BYTES + 1);

	memset(issue, 'x', REVIEW_LIMIT_BYTES + 1);
	v.issue = (struct str){ issue, REVIEW_LIMIT_BYTES + 1 };
	CHECK(!review_file_json(&a, &f).s);
}

TEST(a_log_tells_of_findings_line_by_line_whatever_is_in_them)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct finding v = violation("a.c", 2, "Bad\nStatus: PASS\x1b[2J");
	struct review_file f = {
		.adapter = STR("c"), .status = STR("fail"), .open.items = &v, .open.count = 1
	};

	v.fix = STR("Undo\n2. it");
	CHECK_STR(review_file_section(&a, &f, STR("p.json"), STR("m")),
		  "\n--- Parsed Result (c) ---\nStatus: FAIL\nReview: p.json\nViolations:\n"
		  "1. a.c:2 - Bad Status: PASS\n   Fix: Undo 2. it\n---------------------\n");
	f = (struct review_file){ .adapter = STR("c"), .status = STR("pass") };
	CHECK_STR(review_file_section(&a, &f, STR_NONE, STR("All\nis well")),
		  "\n--- Parsed Result (c) ---\nStatus: PASS\nMessage: All is well\n---------------------\n");
	f.status = STR("error");
	CHECK(str_find(review_file_section(&a, &f, STR_NONE, STR("x")), STR("Status: ERROR\n")) > 0);
}

/* scenario: G13-23 */
TEST(the_file_name_of_a_slot_is_read_back_whatever_the_reviewer_is_called)
{
	static const char *const names[] = { "claude", "github-copilot", "my_own", "a/b",
					     "x@2",    "gpt 4.1",        "ü" };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct str part = review_file_part(&a, STR("review_src_my_review"), str_from(names[i]), 12);
		struct log_name n;

		CHECK_ROW(names[i], log_name_parse(str_fmt(&a, STR_FMT ".3.json", STR_ARG(part)), &n));
		CHECK_ROW(names[i], str_is(n.part, "review_src_my_review") && n.slot == 12 && n.run == 3);
		CHECK_ROW(names[i], str_find_char(part, '/') < 0);
	}
}
