/* SPDX-License-Identifier: MIT */
/* The loop's rules and its state file. */
#include "test.h"

#include "loop/state.h"

#include <string.h>

#define OWN .s.session_id = { "me", 2 }, .in.session = { "me", 2 }
#define RUNNING .s.waits_for_background = true, .s.iteration = 3, .s.max_iterations = 5

static const struct loop_edits no_edits = { 0 };

TEST(every_end_of_a_loop_has_a_name_in_the_table)
{
	for (int step = 0; step <= LOOP_CONTINUES; step++) {
		const char *name = loop_step_reason((enum loop_step)step);
		size_t i = 0;

		while (name && loop_end_names[i] && !str_is(str_from(name), loop_end_names[i]))
			i++;
		CHECK(!name || loop_end_names[i]);
	}
	CHECK(!loop_step_reason(LOOP_VERIFIES) && !loop_step_reason(LOOP_CONTINUES));
	CHECK_STR(str_from(loop_step_reason(LOOP_COMPLETE)), "complete");
	CHECK_STR(str_from(loop_step_reason(LOOP_STUCK)), "stuck");
	CHECK_STR(str_from(loop_step_reason(LOOP_COST)), "max_cost_usd");
}

TEST(the_loop_goes_on_until_a_rule_says_otherwise)
{
	static const struct {
		const char *name;
		enum loop_step step;
		struct loop_state s;
		struct loop_facts in;
	} cases[] = {
		{ "owned", LOOP_CONTINUES, OWN, RUNNING },
		{ "nobody's", LOOP_CONTINUES, RUNNING, .in.session = { "me", 2 } },
		{ "nobody's, stop without a session", LOOP_CONTINUES, RUNNING },
		{ "another's", LOOP_NOT_OWNED, RUNNING, .s.session_id = { "you", 3 },
		  .in.session = { "me", 2 } },
		{ "another's, of one byte", LOOP_NOT_OWNED, RUNNING, .s.session_id = { "y", 1 },
		  .in.session = { "me", 2 } },
		{ "another's, stop without a session", LOOP_NOT_OWNED, RUNNING,
		  .s.session_id = { "you", 3 } },
		{ "another's, paused", LOOP_NOT_OWNED, .s.is_paused = true, .s.session_id = { "you", 3 } },
		{ "nobody's, stop within another session", LOOP_NOT_OWNED, RUNNING, .in.session = { "me", 2 },
		  .in.is_nested = true },
		{ "nobody's, promised within another session", LOOP_NOT_OWNED, RUNNING, .in.is_nested = true,
		  .in.promised = PROMISED_DONE },
		{ "own, within another session", LOOP_CONTINUES, OWN, RUNNING, .in.is_nested = true },
		{ "nobody's, not to be adopted", LOOP_NOT_OWNED, RUNNING, .in.is_refused = true },
		{ "own, not to be adopted", LOOP_CONTINUES, OWN, RUNNING, .in.is_refused = true },
		{ "paused", LOOP_PAUSED, OWN, RUNNING, .s.is_paused = true },
		{ "paused and promised", LOOP_PAUSED, OWN, RUNNING, .s.is_paused = true,
		  .in.promised = PROMISED_DONE },
		{ "background", LOOP_WAITS, OWN, RUNNING, .in.background_tasks = 1 },
		{ "background, for the tenth time", LOOP_WAITS, OWN, RUNNING, .in.background_tasks = 1,
		  .s.waits = LOOP_WAITS_MAX - 1 },
		{ "background, once too often", LOOP_CONTINUES, OWN, RUNNING, .in.background_tasks = 1,
		  .s.waits = LOOP_WAITS_MAX },
		{ "background, not waited for", LOOP_CONTINUES, OWN, .s.iteration = 3, .s.max_iterations = 5,
		  .in.background_tasks = 1 },
		{ "promised", LOOP_COMPLETE, OWN, RUNNING, .in.promised = PROMISED_DONE },
		{ "promised on the last pass", LOOP_COMPLETE, OWN, .s.iteration = 5, .s.max_iterations = 5,
		  .in.promised = PROMISED_DONE },
		{ "promised, proof due", LOOP_VERIFIES, OWN, RUNNING, .in.promised = PROMISED_DONE,
		  .in.proof = PROOF_DUE },
		{ "promised and proved", LOOP_COMPLETE, OWN, RUNNING, .in.promised = PROMISED_DONE,
		  .in.proof = PROOF_PASSED },
		{ "promised and refuted", LOOP_CONTINUES, OWN, RUNNING, .in.promised = PROMISED_DONE,
		  .in.proof = PROOF_FAILED },
		{ "refuted on the last pass", LOOP_LIMIT, OWN, .s.iteration = 5, .s.max_iterations = 5,
		  .in.promised = PROMISED_DONE, .in.proof = PROOF_FAILED },
		{ "promised, not to be verified", LOOP_UNVERIFIED, OWN, RUNNING, .in.promised = PROMISED_DONE,
		  .in.proof = PROOF_UNKNOWN },
		{ "nothing promised, proof due", LOOP_CONTINUES, OWN, RUNNING, .in.proof = PROOF_DUE },
		{ "given up", LOOP_STOPPED, OWN, RUNNING, .in.promised = PROMISED_STOPPED,
		  .in.proof = PROOF_DUE },
		{ "held", LOOP_HELD, OWN, RUNNING, .s.options.prompted = PROMPTED_NOW },
		{ "held at the limit", LOOP_HELD, OWN, .s.iteration = 5, .s.max_iterations = 5,
		  .s.options.prompted = PROMPTED_NOW },
		{ "held and promised", LOOP_COMPLETE, OWN, RUNNING, .s.options.prompted = PROMPTED_NOW,
		  .in.promised = PROMISED_DONE },
		{ "minutes left", LOOP_CONTINUES, OWN, RUNNING, .in.minutes = 9,
		  .s.options.max_minutes = 10 },
		{ "no minutes left", LOOP_TIME, OWN, RUNNING, .in.minutes = 10, .s.options.max_minutes = 10 },
		{ "tokens left", LOOP_CONTINUES, OWN, RUNNING, .in.tokens = 9, .s.options.max_tokens = 10 },
		{ "no tokens left", LOOP_TOKENS, OWN, RUNNING, .in.tokens = 10, .s.options.max_tokens = 10 },
		{ "money left", LOOP_CONTINUES, OWN, RUNNING, .in.cost = 9, .s.options.max_cost = 10 },
		{ "no money left", LOOP_COST, OWN, RUNNING, .in.cost = 10, .s.options.max_cost = 10 },
		{ "idle, and warned", LOOP_CONTINUES, OWN, RUNNING, .in.idle = 5,
		  .s.options.stuck_after = 3 },
		{ "idle for too long", LOOP_STUCK, OWN, RUNNING, .in.idle = 6, .s.options.stuck_after = 3 },
		{ "idle, and that is all right", LOOP_CONTINUES, OWN, RUNNING, .in.idle = 60 },
		{ "no limits", LOOP_CONTINUES, OWN, RUNNING, .in.minutes = 9, .in.tokens = 9, .in.cost = 9 },
		{ "last but one", LOOP_CONTINUES, OWN, .s.iteration = 4, .s.max_iterations = 5 },
		{ "last", LOOP_LIMIT, OWN, .s.iteration = 5, .s.max_iterations = 5 },
		{ "beyond", LOOP_LIMIT, OWN, .s.iteration = 6, .s.max_iterations = 5 },
		{ "one pass", LOOP_LIMIT, OWN, .s.iteration = 1, .s.max_iterations = 1 },
		{ "no limit", LOOP_CONTINUES, OWN, .s.iteration = 1000000, .s.max_iterations = 0 },
		{ "no limit, one more can be counted", LOOP_CONTINUES, OWN,
		  .s.iteration = LOOP_NUMBER_MAX - 1, .s.max_iterations = 0 },
		{ "no limit, no more can be counted", LOOP_LIMIT, OWN, .s.iteration = LOOP_NUMBER_MAX,
		  .s.max_iterations = 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		CHECK_ROW(cases[i].name, loop_decide(&cases[i].s, &cases[i].in) == cases[i].step);
}

static struct loop_state
parsed(struct arena *a, const char *text)
{
	struct loop_state s = { 0 };
	struct err err;

	if (loop_state_parse(a, str_from(text), &s, &err) < 0)
		fail_msg("%s: %s", text, err.msg);
	return s;
}

/* scenario: 004-AC3 */
TEST(the_three_keys_of_the_specification_are_enough)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct loop_state s = parsed(
		&a, "---\niteration: 1\nmax_iterations: 50\ncompletion_promise: \"COMPLETE\"\n---\n"
		    "[Original prompt content here]\n");

	CHECK(s.iteration == 1 && s.max_iterations == 50);
	CHECK_STR(s.promise, "COMPLETE");
	CHECK_STR(s.prompt, "[Original prompt content here]");
	CHECK(!s.session_id.s && !s.is_paused && s.waits_for_background && !s.is_strict);
}

TEST(numbers_in_a_state_file_are_decimal_and_bounded)
{
	static const struct {
		const char *text;
		int64_t value; /* -1: refused */
	} cases[] = {
		{ "1", 1 },
		{ "0", 0 },
		{ "08", 8 },
		{ "010", 10 },
		{ " 3 ", 3 },
		{ "\"3\"", 3 },
		{ "'3'", 3 },
		{ "3 # x", 3 },
		{ "2147483647", 2147483647 },
		{ "2147483648", -1 },
		{ "9223372036854775807", -1 },
		{ "123456789012345678901234567890", -1 },
		{ "-1", -1 },
		{ "1.5", -1 },
		{ "1e3", -1 },
		{ "x", -1 },
		{ "null", -1 },
		{ "~", -1 },
		{ "\"\"", -1 },
		{ "0x10", -1 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct loop_state s;
		struct err err;
		struct str text = str_fmt(&a, "---\niteration: %s\n---\ngo\n", cases[i].text);
		bool is_read = loop_state_parse(&a, text, &s, &err) == 0;

		CHECK_ROW(cases[i].text, is_read == (cases[i].value >= 0));
		CHECK_ROW(cases[i].text, !is_read || s.iteration == (uint64_t)cases[i].value);
		CHECK_ROW(cases[i].text, is_read || str_find(str_from(err.msg), STR("2:1: iteration")) == 0);
	}
}

TEST(missing_keys_have_defaults)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct loop_state s = parsed(&a, "---\n---\ngo");

	CHECK(s.iteration == 1 && s.max_iterations == LOOP_DEFAULT_MAX);
	CHECK_STR(s.promise, "COMPLETE");
	CHECK_STR(s.prompt, "go");
}

TEST(no_promise_is_said_in_several_ways)
{
	static const char *const none[] = { "null", "~", "\"\"", "", "\"  \"" };
	static const char *const some[] = { "\"null\"", "'~'", "true", "DONE" };

	for (size_t i = 0; i < COUNT_OF(none); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };

		CHECK_ROW(none[i], !parsed(&a, str_fmt(&a, "---\ncompletion_promise: %s\n---\ngo", none[i]).s)
					    .promise.s);
	}
	for (size_t i = 0; i < COUNT_OF(some); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };

		CHECK_ROW(
			some[i],
			parsed(&a, str_fmt(&a, "---\ncompletion_promise: %s\n---\ngo", some[i]).s).promise.s);
	}
}

TEST(pauses_are_said_in_several_ways)
{
	static const struct {
		const char *line;
		bool is_paused;
	} cases[] = {
		{ "active: false", true },  { "active: true", false },     { "active: False", true },
		{ "status: PAUSED", true }, { "status: CANCELLED", true }, { "status: RUNNING", false },
		{ "active:", false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };

		CHECK_ROW(cases[i].line,
			  parsed(&a, str_fmt(&a, "---\n%s\n---\ngo", cases[i].line).s).is_paused ==
				  cases[i].is_paused);
	}
}

TEST(the_prompt_keeps_all_but_the_separator_and_the_last_newline)
{
	static const struct {
		const char *body, *prompt;
	} cases[] = {
		{ "go", "go" },
		{ "go\n", "go" },
		{ "\ngo\n", "go" },
		{ "\n\ngo\n\n", "\ngo\n" },
		{ "\r\ngo\r\n", "go" },
		{ "a\n---\nb\n", "a\n---\nb" },
		{ "a\n---\niteration: 77\n---\nb", "a\n---\niteration: 77\n---\nb" },
		{ "  indented", "  indented" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct loop_state s = parsed(&a, str_fmt(&a, "---\niteration: 2\n---\n%s", cases[i].body).s);

		CHECK_STR(s.prompt, cases[i].prompt);
	}
}

TEST(a_state_file_without_a_prompt_or_an_end_is_corrupt)
{
	static const char *const texts[] = {
		"",
		"go",
		"---\niteration: 1\n",
		"---\niteration: 1\n---\n",
		"---\niteration: 1\n---\n  \n\t\n",
		"----\niteration: 1\n----\ngo",
		" ---\niteration: 1\n ---\ngo",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct loop_state s;
		struct err err;

		CHECK_ROW(texts[i], loop_state_parse(&a, str_from(texts[i]), &s, &err) == -1);
	}
}

TEST(counting_changes_the_number_and_nothing_else)
{
	static const char before[] =
		"\xEF\xBB\xBF# by hand\n---\r\n# note\r\niteration: 9 # nine\r\nkey with: [odd, 'stuff']\r\n"
		"max_iterations: 50\r\n---\r\n\r\niteration: 77\r\n---\r\nrest";
	static const char after[] =
		"\xEF\xBB\xBF# by hand\n---\r\n# note\r\niteration: 10 # nine\r\nkey with: [odd, 'stuff']\r\n"
		"max_iterations: 50\r\n---\r\n\r\niteration: 77\r\n---\r\nrest";
	CLEANUP(arena_free) struct arena a = { 0 };
	struct loop_state s = parsed(&a, before);

	CHECK(s.iteration == 9);
	CHECK_STR(loop_state_with_iteration(&a, &s, 10, STR_NONE, &no_edits), after);
}

TEST(a_new_iteration_forgets_the_waits)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct loop_state s = parsed(&a, "---\niteration: 1\n---\ngo\n");

	s = parsed(&a, str_copy(&a, frontmatter_set(&a, &s.doc, "waits", STR("3"))).s);
	CHECK(s.waits == 3);
	CHECK_STR(s.doc.text, "---\niteration: 1\nwaits: 3\n---\ngo\n");
	CHECK_STR(loop_state_with_iteration(&a, &s, 2, STR_NONE, &no_edits),
		  "---\niteration: 2\nwaits: 0\n---\ngo\n");
}

TEST(the_model_is_told_the_promise_unless_the_prompt_has_it)
{
#define RULE                                                                                           \
	"\n\nWhen, and only when, it is completely true, end your answer with exactly this line:\n"    \
	"<promise>ALL GREEN</promise>\n"                                                               \
	"Do not write that line before, and do not use it to get out of the loop: the same prompt is " \
	"repeated until the work is done."
	static const struct {
		const char *text, *instruction;
	} cases[] = {
		{ "---\ncompletion_promise: ALL GREEN\n---\ngo", "go" RULE },
		{ "---\ncompletion_promise: ALL GREEN\n---\ngo\n\n", "go\n" RULE },
		{ "---\ncompletion_promise: ALL GREEN\n---\nSay ALL GREEN at the end.",
		  "Say ALL GREEN at the end." RULE },
		{ "---\ncompletion_promise: ALL GREEN\n---\nSay <promise>DONE</promise>.",
		  "Say <promise>DONE</promise>." RULE },
		{ "---\ncompletion_promise: ALL GREEN\n---\nSay `<promise>ALL GREEN</promise>`.",
		  "Say `<promise>ALL GREEN</promise>`." },
		{ "---\ncompletion_promise: null\n---\ngo", "go" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct loop_state s = parsed(&a, cases[i].text);

		CHECK_STR(loop_instruction(&a, &s, STR_NONE, STR_NONE), cases[i].instruction);
	}
}

TEST(adoption_adds_the_owner_at_the_end_of_the_block)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct loop_state s = parsed(&a, "---\niteration: 1\n---\ngo\n");

	CHECK_STR(loop_state_with_iteration(&a, &s, 2, STR("a\"b"), &no_edits),
		  "---\niteration: 2\nsession_id: \"a\\\"b\"\n---\ngo\n");
	s = parsed(&a, "---\nsession_id:\niteration: 1\n---\ngo\n");
	CHECK(!s.session_id.s);
	s = parsed(&a, str_copy(&a, loop_state_with_iteration(&a, &s, 2, STR("me"), &no_edits)).s);
	CHECK_STR(s.session_id, "me");
	CHECK(s.iteration == 2);
}

TEST(a_key_that_stands_twice_counts_once)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct loop_state s = parsed(&a, "---\niteration: 3\niteration: 7\n---\ngo");

	CHECK(s.iteration == 3);
	CHECK_STR(s.duplicate_key, "iteration");
}

TEST(a_new_state_file_reads_back_as_it_was_meant)
{
	static const char *const phrases[] = { "COMPLETE", "say \"hi\" \\ # : x", "caf\xC3\xA9", "null", "'",
					       NULL };

	for (size_t i = 0; i < COUNT_OF(phrases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct loop_spec spec = {
			.prompt = STR("a\n\n---\niteration: 5\nb"),
			.max_iterations = 7,
			.promise = str_from(phrases[i]),
			.session_id = STR("s-1"),
			.started_at = STR("2026-11-15T04:17:39Z"),
		};
		struct loop_state s = parsed(&a, str_copy(&a, loop_state_new(&a, &spec)).s);

		CHECK(str_eq(s.prompt, spec.prompt) && str_eq(s.promise, spec.promise));
		CHECK(s.iteration == 1 && s.max_iterations == 7 && !s.is_paused && s.is_strict);
		CHECK_STR(s.session_id, "s-1");
		CHECK_STR(s.started_at, "2026-11-15T04:17:39Z");
	}
}
