/* SPDX-License-Identifier: MIT */
/* Reviewers' answers in whatever they are wrapped: a row for each way to be right, to be wrong, and to be cut off. */
#include "test.h"

#include "base/buf.h"
#include "doc/node.h"
#include "review/answer.h"
#include "os/clock.h"

#include <string.h>

#define V(file, line, issue) "{\"file\":\"" file "\",\"line\":" line ",\"issue\":\"" issue "\"}"
#define V1 V("a.c", "1", "one")
#define V2 V("a.c", "2", "two")
#define FAIL(list) "{\"status\":\"fail\",\"violations\":[" list "]}"
#define PASS "{\"status\":\"pass\",\"message\":\"fine\"}"
#define QUOTED(text) "{\\\"status\\\":\\\"" text "\\\"}"

enum outcome { ERROR, PASSES, FAILS };

/* For a failure: how many violations, and how many were left out. -1: it names none that can be read. */
static const struct {
	const char *name, *output;
	enum outcome outcome;
	int violations;
	size_t malformed;
} rows[] = {
	/* nothing to find */
	{ "nothing", "", ERROR, 0, 0 },
	{ "prose", "Looks good to me, pass!", ERROR, 0, 0 },
	{ "an empty object", "{}", ERROR, 0, 0 },
	{ "another object", "{\"verdict\":\"pass\"}", ERROR, 0, 0 },
	{ "a list of violations", "[" V1 "]", ERROR, 0, 0 },
	{ "a word", "\"pass\"", ERROR, 0, 0 },
	{ "braces of code", "if (x) { y(); } else { {{{ } }", ERROR, 0, 0 },
	/* status */
	{ "a pass", PASS, PASSES, 0, 0 },
	{ "a pass and an empty list", "{\"status\":\"pass\",\"violations\":[]}", PASSES, 0, 0 },
	{ "a pass and null", "{\"status\":\"pass\",\"violations\":null}", PASSES, 0, 0 },
	{ "a failure", FAIL(V1), FAILS, 1, 0 },
	{ "another word", "{\"status\":\"passed\"}", ERROR, 0, 0 },
	{ "another case", "{\"status\":\"PASS\"}", ERROR, 0, 0 },
	{ "no string", "{\"status\":true}", ERROR, 0, 0 },
	{ "null", "{\"status\":null,\"violations\":[]}", ERROR, 0, 0 },
	{ "no status", "{\"violations\":[]}", ERROR, 0, 0 },
	{ "the last of two keys counts", "{\"status\":\"pass\",\"status\":\"fail\",\"violations\":[" V1 "]}",
	  FAILS, 1, 0 },
	{ "a pass with violations", "{\"status\":\"pass\",\"violations\":[" V1 "]}", ERROR, 0, 0 },
	{ "a pass with violations that can't be read", "{\"status\":\"pass\",\"violations\":[1]}", ERROR, 0,
	  0 },
	{ "a pass with violations in a map", "{\"status\":\"pass\",\"violations\":{}}", ERROR, 0, 0 },
	/* violations */
	{ "several", FAIL(V1 "," V2), FAILS, 2, 0 },
	{ "none", FAIL(""), FAILS, -1, 0 },
	{ "no list", "{\"status\":\"fail\"}", FAILS, -1, 0 },
	{ "a text for the list", "{\"status\":\"fail\",\"violations\":\"many\"}", FAILS, -1, 1 },
	{ "a map for the list", "{\"status\":\"fail\",\"violations\":" V1 "}", FAILS, -1, 1 },
	{ "a line as text", FAIL(V("a", "\"7\"", "x")), FAILS, 1, 0 },
	{ "a range of lines", FAIL(V("a", "\"7-9\"", "x")), FAILS, 1, 0 },
	{ "line and column", FAIL(V("a", "\"7:9\"", "x")), FAILS, 1, 0 },
	{ "a line of letters", FAIL(V1 "," V("a", "\"seven\"", "x")), FAILS, 1, 1 },
	{ "letters after the digits", FAIL(V1 "," V("a", "\"7x\"", "x")), FAILS, 1, 1 },
	{ "line 0", FAIL(V1 "," V("a", "0", "x")), FAILS, 1, 1 },
	{ "line 0 as text", FAIL(V1 "," V("a", "\"0\"", "x")), FAILS, 1, 1 },
	{ "a line below 0", FAIL(V1 "," V("a", "-1", "x")), FAILS, 1, 1 },
	{ "half a line", FAIL(V1 "," V("a", "1.5", "x")), FAILS, 1, 1 },
	{ "a line beyond all numbers", FAIL(V1 "," V("a", "\"99999999999999999999\"", "x")), FAILS, 1, 1 },
	{ "no file", FAIL(V1 ",{\"line\":1,\"issue\":\"x\"}"), FAILS, 1, 1 },
	{ "a blank file", FAIL(V1 "," V(" ", "1", "x")), FAILS, 1, 1 },
	{ "no line", FAIL(V1 ",{\"file\":\"a\",\"issue\":\"x\"}"), FAILS, 1, 1 },
	{ "no issue", FAIL(V1 ",{\"file\":\"a\",\"line\":1}"), FAILS, 1, 1 },
	{ "an empty issue", FAIL(V1 "," V("a", "1", "")), FAILS, 1, 1 },
	{ "no map", FAIL(V1 ",1,\"x\",null,[]"), FAILS, 1, 4 },
	{ "none that can be read", FAIL("1,2"), FAILS, -1, 2 },
	/* wrappings */
	{ "prose around it", "Here is my review.\n\n" FAIL(V1) "\n\nThat's all {really}.", FAILS, 1, 0 },
	{ "a fence", "```\n" PASS "\n```\n", PASSES, 0, 0 },
	{ "a fence with its language", "I looked:\n```json\n" FAIL(V1) "\n```", FAILS, 1, 0 },
	{ "a fence that does not end", "```json\n" FAIL(V1), FAILS, 1, 0 },
	{ "CRLF", "```json\r\n{\r\n\"status\":\r\n\"pass\"\r\n}\r\n```", PASSES, 0, 0 },
	{ "a list around it", "[" PASS "]", PASSES, 0, 0 },
	{ "an object around it that is none", "{result: " PASS "}", ERROR, 0, 0 },
	{ "braces after it that close", PASS "\nthat is {a {b} c} {}", PASSES, 0, 0 },
	{ "a brace after it that closes more", PASS "\nthat is {a} }", ERROR, 0, 0 },
	{ "the same after a failure", FAIL(V1) "}", FAILS, 1, 0 },
	{ "claude's own JSON",
	  "{\"type\":\"result\",\"result\":\"Done: " QUOTED("pass") "\",\"total_cost_usd\":0.1}", PASSES, 0,
	  0 },
	{ "claude's own JSON without an answer", "{\"type\":\"result\",\"result\":\"Not logged in\"}", ERROR,
	  0, 0 },
	{ "gemini's own JSON", "{\"response\":\"" QUOTED("pass") "\",\"stats\":{}}", PASSES, 0, 0 },
	{ "codex's events",
	  "{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"" QUOTED(
		  "pass") "\"}}\n"
			  "{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":1}}\n",
	  PASSES, 0, 0 },
	{ "the last of codex's events",
	  "{\"item\":{\"text\":\"" QUOTED("pass") "\"}}\n{\"item\":{\"text\":\"" QUOTED("fail") "\"}}\n",
	  FAILS, -1, 0 },
	{ "a wrapped pass before the end is cut off", "{\"result\":\"" QUOTED("pass") "\"}\n{\"result\":\"",
	  ERROR, 0, 0 },
	{ "a pass that has a result", "{\"status\":\"pass\",\"result\":\"all well\"}", PASSES, 0, 0 },
	/* not quite JSON */
	{ "trailing commas", "{\"status\":\"fail\",\"violations\":[" V1 ",],}", FAILS, 1, 0 },
	{ "two commas", "{\"status\":\"fail\",,\"violations\":[]}", ERROR, 0, 0 },
	{ "comments", "{ // verdict\n\"status\": /* yes */ \"pass\" // end\n}", PASSES, 0, 0 },
	{ "a comment in a string", "{\"status\":\"pass\",\"message\":\"see http://x /* y\"}", PASSES, 0, 0 },
	{ "a comment that never ends", "{\"status\":\"pass\" /* and so on }", ERROR, 0, 0 },
	{ "line breaks in a string", "{\"status\":\"fail\",\"violations\":[" V("a", "1", "two\n\tlines") "]}",
	  FAILS, 1, 0 },
	{ "a backslash too few", FAIL(V("a", "1", "\\d+ and \\u12 and \\'")), FAILS, 1, 0 },
	{ "braces in strings", FAIL(V("a", "1", "} ]} {\\\"status\\\":\\\"pass\\\"} {")), FAILS, 1, 0 },
	{ "words that are none", "{\"status\":\"pass\",\"x\":None}", ERROR, 0, 0 },
	{ "brackets that do not match", "{\"status\":\"pass\",\"x\":[}", ERROR, 0, 0 },
	{ "numbers that are none", "{\"status\":\"pass\",\"x\":01}", ERROR, 0, 0 },
	/* several */
	{ "the last one wins, pass", FAIL(V1) "\nOn second thoughts:\n" PASS, PASSES, 0, 0 },
	{ "the last one wins, failure", PASS "\n" FAIL(V1), FAILS, 1, 0 },
	{ "other objects after it", FAIL(V1) " {\"a\":1} {}", FAILS, 1, 0 },
	{ "the last one is none", PASS "{\"status\":\"unsure\"}", ERROR, 0, 0 },
	{ "the last one contradicts itself", PASS "{\"status\":\"pass\",\"violations\":[" V1 "]}", ERROR, 0,
	  0 },
	{ "one within one",
	  "{\"status\":\"fail\",\"violations\":[{\"file\":\"a\",\"line\":1,\"issue\":\"x\",\"status\":"
	  "\"pass\"}]}",
	  FAILS, 1, 0 },
	{ "one within another object", "{\"answer\":" PASS "}", ERROR, 0, 0 },
	{ "a pass next to violations", V1 "\n" PASS, ERROR, 0, 0 },
	{ "a pass before violations", PASS "\n" V1, ERROR, 0, 0 },
	{ "a failure before violations", FAIL(V1) V2, FAILS, 1, 0 },
	/* braces that never close */
	{ "an opening brace in prose", "use { here\n" PASS, PASSES, 0, 0 },
	{ "an opening brace and a quote in prose", "use {\" here\n" PASS, PASSES, 0, 0 },
	{ "an opening brace and a key in prose", "use {\"a\": here\n" PASS, PASSES, 0, 0 },
	{ "the form in prose", "I say {\"status\": \"pass\"|\"fail\"}:\n" PASS, PASSES, 0, 0 },
	{ "an open object around a pass", "{\"a\": " PASS, ERROR, 0, 0 },
	{ "an open object around a failure", "{\"a\": " FAIL(V1), FAILS, 1, 0 },
	{ "an open object after a pass", PASS " {\"a\":", ERROR, 0, 0 },
	{ "an open object after a failure", FAIL(V1) " {\"a\":", ERROR, 0, 0 },
	{ "open objects around and after a failure", "{ /* " FAIL(V1) " {\"a\":", ERROR, 0, 0 },
	/* cut off */
	{ "a pass", "{\"status\":\"pass\",\"message\":\"fi", ERROR, 0, 0 },
	{ "a pass but for its brace", "{\"status\":\"pass\"", ERROR, 0, 0 },
	{ "before the status", "{\"sta", ERROR, 0, 0 },
	{ "only the brace after a pass", PASS "\n```json\n{", ERROR, 0, 0 },
	{ "the first key after a pass", PASS "\n{\"sta", ERROR, 0, 0 },
	{ "before the first violation", "{\"status\":\"fail\",\"violations\":[{\"file\":\"a\"", ERROR, 0, 0 },
	{ "a failure before its list", PASS "{\"status\":\"fail\"", ERROR, 0, 0 },
	{ "after the first", "{\"status\":\"fail\",\"violations\":[" V1, FAILS, 1, 0 },
	{ "in the second", "{\"status\":\"fail\",\"violations\":[" V1 ",{\"file\":\"b\",\"li", FAILS, 1, 0 },
	{ "in a word of the second", "{\"status\":\"fail\",\"violations\":[" V1 ",{\"file\":\"b\",\"x\":tr",
	  FAILS, 1, 0 },
	{ "in the third", "{\"status\":\"fail\",\"violations\":[" V1 "," V2 ",{", FAILS, 2, 0 },
	{ "after the list", "{\"status\":\"fail\",\"violations\":[" V1 "]", FAILS, 1, 0 },
	{ "after a quoted pass", "An example: " PASS "\n{\"status\":\"fail\",\"violations\":[" V1 ",", FAILS,
	  1, 0 },
	{ "the status is not there yet", "{\"violations\":[" V1 ",", FAILS, 1, 0 },
	{ "the status is after the list", "{\"violations\":[" V1 "],\"status\":\"pa", FAILS, 1, 0 },
	{ "a pass with violations", "{\"status\":\"pass\",\"violations\":[" V1, ERROR, 0, 0 },
	{ "a violation that says pass",
	  "{\"status\":\"fail\",\"violations\":[{\"file\":\"a\",\"line\":1,\"issue\":\"x\",\"status\":"
	  "\"pass\"}",
	  FAILS, 1, 0 },
	{ "in an object that is none", "{\"a\": {\"status\":\"fail\",\"violations\":[" V1 ",{", FAILS, 1, 0 },
	{ "a list of another name", "{\"status\":\"fail\",\"files\":[{\"name\":\"x\"}", ERROR, 0, 0 },
	/* an answer that is broken must not be outvoted by one that is quoted */
	{ "quotes in an issue", PASS "\n{\"status\":\"fail\",\"violations\":[" V("a", "1", "a \"b\" c") "]}",
	  ERROR, 0, 0 },
	{ "a pass in an issue",
	  "{\"status\":\"fail\",\"violations\":[" V("a", "1", "it says " PASS " here") "]}", ERROR, 0, 0 },
	{ "a pass and brackets in an issue",
	  "{\"status\":\"fail\",\"violations\":[" V("a", "1", "it says \"}]} " PASS " here") "]}", ERROR, 0,
	  0 },
	{ "violations first", PASS "\n{\"violations\":[" V("a", "1", "a \"b\" c") "],\"status\":\"fail\"}",
	  ERROR, 0, 0 },
	{ "broken before the status",
	  PASS "\n{\"message\":\"a \"b\" c\",\"status\":\"fail\",\"violations\":[" V1 "]}", ERROR, 0, 0 },
	{ "a quoted failure",
	  FAIL(V1) "\n{\"status\":\"fail\",\"violations\":[" V("a", "1", "a \"b\" c") "]}", ERROR, 0, 0 },
	{ "a broken number", PASS "\n{\"status\":\"fail\",\"violations\":[" V("a", "01", "x") "]}", ERROR, 0,
	  0 },
	{ "corrected",
	  "{\"status\":\"fail\",\"violations\":[" V("a", "1", "a \"b\" c") "]}\nAgain:\n" FAIL(V1), FAILS, 1,
	  0 },
};

/* scenario: G13-43 */
TEST(answers_are_found_in_whatever_is_around_them)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct answer answer = { .is_pass = true };
		struct err err = { 0 };
		int result = answer_parse(&a, str_from(rows[i].output), &answer, &err);
		enum outcome outcome = result < 0 ? ERROR : answer.is_pass ? PASSES : FAILS;

		if (outcome != rows[i].outcome)
			fail_msg("%s: %d: %s", rows[i].name, outcome, err.msg);
		if (outcome == ERROR)
			CHECK_ROW(rows[i].name, err.msg[0] && answer.is_pass);
		if (outcome != FAILS)
			continue;
		CHECK_ROW(rows[i].name, answer.is_vague == (rows[i].violations < 0));
		CHECK_ROW(rows[i].name,
			  answer.finding_count == (answer.is_vague ? 1 : (size_t)rows[i].violations));
		CHECK_ROW(rows[i].name, answer.malformed == rows[i].malformed);
	}
}

TEST(an_answer_among_bytes_that_are_no_text_is_found)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct answer answer;
	struct err err;

	CHECK(answer_parse(&a, STR("\xFF\0\x80{\"status\":\"pass\",\"message\":\"\xFE\x01\0\"}\xC3\0"),
			   &answer, &err) == 0);
	CHECK(answer.is_pass);
	CHECK_STR(answer.message, "\xEF\xBF\xBD  ");
}

TEST(a_violation_is_read_with_all_that_it_has)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct answer answer;
	struct err err;

	CHECK(answer_parse(&a,
			   STR("{\"status\":\"fail\",\"violations\":[{\"file\":\" src/a.c "
			       "\",\"line\":\"12\",\"issue\":\" Bad\\nline \","
			       "\"fix\":\"Remove\",\"priority\":\" "
			       "HIGH\",\"status\":\"skipped\",\"result\":\"x\",\"extra\":1}]}"),
			   &answer, &err) == 0);
	const struct finding *v = &answer.findings[0];

	CHECK(answer.finding_count == 1 && !answer.is_pass && !answer.is_vague && !answer.is_cut_off);
	CHECK_STR(v->file, "src/a.c");
	CHECK(v->line == 12);
	CHECK_STR(v->issue, "Bad\nline");
	CHECK_STR(v->fix, "Remove");
	CHECK_STR(v->priority, "high");
	CHECK(v->status == FINDING_NEW);
	CHECK(v->result.s == NULL);
	CHECK(node_get(v->document, "extra") && node_get(v->document, "extra")->integer == 1);
}

TEST(a_priority_is_low_where_it_is_not_given_and_stays_where_it_is_not_known)
{
	static const struct {
		const char *given, *expected;
	} priorities[] = {
		{ "", "low" },
		{ ",\"priority\":\"\"", "low" },
		{ ",\"priority\":3", "low" },
		{ ",\"priority\":\"low\"", "low" },
		{ ",\"priority\":\"Medium\"", "medium" },
		{ ",\"priority\":\"high\"", "high" },
		{ ",\"priority\":\"CRITICAL\"", "critical" },
		{ ",\"priority\":\"Blocker\"", "Blocker" },
	};

	for (size_t i = 0; i < COUNT_OF(priorities); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct answer answer;
		struct err err;

		CHECK(answer_parse(&a,
				   str_fmt(&a,
					   "{\"status\":\"fail\",\"violations\":[{\"file\":\"a\",\"line\":1,"
					   "\"issue\":\"x\"%s}]}",
					   priorities[i].given),
				   &answer, &err) == 0);
		CHECK_STR(answer.findings[0].priority, priorities[i].expected);
	}
}

TEST(a_failure_that_names_nothing_says_what_came_instead)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct answer answer;
	struct err err;

	CHECK(answer_parse(
		      &a,
		      STR("{\"status\":\"fail\",\"violations\":[{\"file\":\"a.c\",\"issue\":\"no test\"}]}"),
		      &answer, &err) == 0);
	CHECK(answer.is_vague && answer.finding_count == 1);
	CHECK_STR(answer.findings[0].file, "unknown");
	CHECK(answer.findings[0].line == 0);
	CHECK(str_ends(answer.findings[0].issue, STR("{\"file\":\"a.c\",\"issue\":\"no test\"}")));
	CHECK(answer.findings[0].status == FINDING_NEW);
	CHECK(answer_parse(&a, STR("{\"status\":\"fail\"}"), &answer, &err) == 0);
	CHECK_STR(answer.findings[0].issue, "The reviewer says that the change fails, and does not say why.");
}

TEST(what_is_wrong_with_an_answer_is_said)
{
	static const struct {
		const char *output, *message;
	} wrongs[] = {
		{ "nothing here", "No valid JSON object found in output" },
		{ "{\"a\":1}", "Invalid JSON: missing or invalid \"status\" field" },
		{ "{\"status\":\"maybe\"}", "Invalid JSON: missing or invalid \"status\" field" },
		{ "{\"status\":\"pass\",\"violations\":[1]}", "the answer is a pass with violations" },
		{ "{\"status\":\"pass\"", "the output is cut off" },
		{ PASS "}", "the answer is a pass within something else" },
		{ PASS V1, "the answer is a pass next to a violation" },
		{ "{\"status\":\"fail\",nonsense}" PASS,
		  "the answer is a pass next to a failure that can't be read" },
		{ PASS "{\"status\":\"fail\",nonsense}", "the last answer in the output can't be read" },
		{ "{\"status\":\"fail\",nonsense}", "the answer in the output is no valid JSON" },
	};

	for (size_t i = 0; i < COUNT_OF(wrongs); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct answer answer;
		struct err err = { 0 };

		CHECK_ROW(wrongs[i].output, answer_parse(&a, str_from(wrongs[i].output), &answer, &err) < 0);
		CHECK_STR(str_from(err.msg), wrongs[i].message);
	}
}

TEST(an_answer_cut_off_at_any_byte_is_never_a_pass)
{
	static const char *const wholes[] = {
		"{\"status\":\"pass\",\"violations\":[],\"message\":\"fine {\\\"status\\\":\\\"pass\\\"}\"}",
		"{\"message\":\"" QUOTED("pass") "\",\"violations\":[" V1 "," V2 "],\"status\":\"fail\"}",
		"{\"status\":\"fail\",\"violations\":[{\"file\":\"a\",\"line\":1,\"issue\":\"x\",\"status\":"
		"\"pass\",\"fix\":\"{}\"}," V2 "]}",
		"{\"result\":\"" QUOTED("pass") "\"}",
	};

	for (size_t i = 0; i < COUNT_OF(wholes); i++) {
		for (size_t n = 0; n < strlen(wholes[i]); n++) {
			CLEANUP(arena_free) struct arena a = { 0 };
			struct answer answer;
			struct err err;

			if (answer_parse(&a, (struct str){ wholes[i], n }, &answer, &err) == 0)
				CHECK_ROW(wholes[i], !answer.is_pass && answer.is_cut_off);
		}
	}
}

/* ---- the time it takes ---- */

static struct str
repeated(struct arena *a, const char *piece, size_t bytes, const char *end)
{
	struct buf b = BUF(a, SIZE_MAX);

	while (b.n < bytes)
		buf_add(&b, str_from(piece));
	buf_add(&b, str_from(end));
	return buf_str(&b);
}

TEST(ten_megabytes_of_anything_are_searched_in_linear_time)
{
	static const struct {
		const char *piece;
		bool is_found; /* the pass after them */
	} noises[] = {
		{ "x", true },
		{ "{", true },
		{ "}", true },
		{ "{ ", true },
		{ "{}", true },
		{ "{\"a\":1}", true },
		{ "{\"", true },
		{ "\"", true },
		{ "{\"a\":\"", true },
		{ "/*", true },
		{ "{/**", false },
		{ "{/*", false },
		{ "{//", false },
		{ "{\"a\":{", true },
		{ "{\"a\":", false },
		{ "{\"a\":[", false },
		{ "{\"a\":1,", true },
		{ "{\"a\":1 // ", false },
		{ "// {\"a\":1 //\n", false },
		{ "{\"status\":\"pass\"}", true },
		{ "{\"status\":", false },
		{ "{\"issue\":1}", false },
		{ "{\"result\":\"\"}", true },
		{ "int f(void) { return \"x\"; }\n", true },
	};

	for (size_t i = 0; i < COUNT_OF(noises); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str output = repeated(&a, noises[i].piece, MIB(10), "\n" PASS);
		struct answer answer;
		struct err err;
		int64_t started = clock_mono_ms();
		bool is_found = answer_parse(&a, output, &answer, &err) == 0;

		if (clock_mono_ms() - started > 60000)
			fail_msg("%s: %d ms", noises[i].piece, (int)(clock_mono_ms() - started));
		CHECK_ROW(noises[i].piece, is_found == noises[i].is_found);
	}
}

TEST(an_answer_with_ten_thousand_violations_is_read)
{
	static const char fix[] =
		"as long as most are, so that there are 24 bytes for each key and value of it, which is what "
		"reading JSON in a small multiple of its size asks for";
	CLEANUP(arena_free) struct arena a = { 0 };
	struct answer answer;
	struct err err;
	struct buf b = BUF(&a, SIZE_MAX);

	buf_add(&b, STR("{\"status\":\"fail\",\"violations\":["));
	for (size_t i = 0; i < 10000; i++)
		buf_addf(&b, "{\"file\":\"a.c\",\"line\":1,\"issue\":\"one\",\"fix\":\"%s\"},\n", fix);
	CHECK(answer_parse(&a, buf_str(&b), &answer, &err) == 0);
	CHECK(answer.finding_count == 10000 && answer.is_cut_off);
	buf_add(&b, STR("]}"));
	CHECK(answer_parse(&a, buf_str(&b), &answer, &err) == 0);
	CHECK(answer.finding_count == 10000 && !answer.is_cut_off);
}
