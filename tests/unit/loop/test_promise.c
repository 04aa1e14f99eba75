/* SPDX-License-Identifier: MIT */
/* Promises, and the text behind a slash command. */
#include "test.h"

#include "base/buf.h"
#include "loop/loop.h"

/* scenario: 004-AC4 */
TEST(a_promise_is_a_closed_tag_with_the_phrase)
{
	static const struct {
		const char *message, *phrase;
		bool is_kept;
	} cases[] = {
		{ "<promise>COMPLETE</promise>", "COMPLETE", true },
		{ "all done. <promise>COMPLETE</promise> bye", "COMPLETE", true },
		{ "```\n<promise>COMPLETE</promise>\n```", "COMPLETE", true },
		{ "**<promise>COMPLETE</promise>**", "COMPLETE", true },
		{ "`<promise>COMPLETE</promise>`", "COMPLETE", true },
		{ "<promise>\n  ALL\n\tGREEN \n</promise>", "ALL GREEN", true },
		{ "<promise>ALL GREEN</promise>", "  ALL   GREEN ", true },
		{ "<promise>ALL\xC2\xA0GREEN</promise>", "ALL GREEN", true },
		{ "<promise>x</promise> <promise>DONE</promise>", "DONE", true },
		{ "<promise>DONE</promise> <promise>x</promise>", "DONE", true },
		{ "<promise>a<promise>DONE</promise>", "DONE", true },
		{ "<promise>a</promise>DONE</promise>", "DONE", false },
		{ "<promise>DONE", "DONE", false },
		{ "</promise>DONE<promise>", "DONE", false },
		{ "</promise><promise>DONE</promise>", "DONE", true },
		{ "<promise></promise>", "DONE", false },
		{ "<promise></promise>", "", false },
		{ "<promise>  </promise>", " ", false },
		{ "<promise id=\"1\">DONE</promise>", "DONE", false },
		{ "<PROMISE>DONE</PROMISE>", "DONE", false },
		{ "<promise>done</promise>", "DONE", false },
		{ "&lt;promise&gt;DONE&lt;/promise&gt;", "DONE", false },
		{ "<pro\nmise>DONE</promise>", "DONE", false },
		{ "DONE", "DONE", false },
		{ "", "DONE", false },
		{ "<promise>DONE!</promise>", "DONE", false },
		{ "<promise>DON</promise>", "DONE", false },
		{ "<promise>a*b?[c]</promise>", "a*b?[c]", true },
		{ "<promise>aXb?[c]</promise>", "a*b?[c]", false },
		{ "<promise>say \"hi\" \\ # : 'x'</promise>", "say \"hi\" \\ # : 'x'", true },
		{ "<promise>null</promise>", "null", true },
		{ "<promise>\xF0\x9F\x8E\x89 fini</promise>", "\xF0\x9F\x8E\x89 fini", true },
		/* no Unicode normalisation: a composed e with acute is not e and a combining acute */
		{ "<promise>\xC3\xA9</promise>", "e\xCC\x81", false },
		{ "<promise>\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D</promise>", "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D",
		  true },
		{ "<promise>\xFF</promise>", "\xFF", true },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		CHECK_ROW(cases[i].message,
			  promise_is_kept(str_from(cases[i].message), str_from(cases[i].phrase), false) ==
				  cases[i].is_kept);
}

TEST(what_is_white_space_in_a_promise_and_what_is_not)
{
	static const char *const spaces[] = { "\x09",         "\x0D",         "\x20",         "\xC2\x85",
					      "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x8A",
					      "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F",
					      "\xE3\x80\x80" },
				 *const others[] = { "\x08",         "\x0E",         "\xC2\x84",
						     "\xC2\x86",     "\xC2\xA1",     "\xE1\x99\xBF",
						     "\xE1\x9A\x81", "\xE1\xBF\xBF", "\xE2\x80\x8B",
						     "\xE2\x80\xA7", "\xE2\x80\xAA", "\xE2\x80\xAE",
						     "\xE2\x80\xB0", "\xE2\x81\x9E", "\xE2\x81\xA0",
						     "\xE2\xBF\xBF", "\xE3\x80\x81" };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(spaces); i++)
		CHECK(promise_is_kept(str_fmt(&a, "<promise>ALL%sGREEN</promise>", spaces[i]),
				      STR("ALL GREEN"), false));
	for (size_t i = 0; i < COUNT_OF(others); i++)
		CHECK(!promise_is_kept(str_fmt(&a, "<promise>ALL%sGREEN</promise>", others[i]),
				       STR("ALL GREEN"), false));
}

/* an answer that says that it is not done may quote the promise. */
TEST(a_strict_promise_is_a_sentence_of_its_own_at_the_end)
{
	static const struct {
		const char *message;
		bool is_kept;
	} cases[] = {
		{ "done\n<promise>DONE</promise>", true },
		{ "done\n  <promise> DONE </promise>  \n\n", true },
		{ "<promise>DONE</promise>", true },
		{ "<promise>DONE</promise>.", true },
		{ "**<promise>DONE</promise>**", true },
		{ "That was the last. <promise>DONE</promise>", true },
		{ "All green! **<promise>DONE</promise>**", true },
		{ "\xE5\xAE\x8C\xE4\xBA\x86\xE3\x80\x82<promise>DONE</promise>", true },
		{ "I must not say <promise>DONE</promise> before. Now I may.\n<promise>DONE</promise>",
		  true },
		{ "<promise>x</promise>. <promise>DONE</promise>", true },
		{ "<promise>x<promise>DONE</promise>", false },
		{ "I must not say <promise>DONE</promise> yet", false },
		{ "I must not say <promise>DONE</promise> yet.", false },
		{ "I must not say yet: <promise>DONE</promise>", false },
		{ "I will say <promise>DONE</promise> when it is done, not now.", false },
		{ "It is not time for <promise>DONE</promise>.", false },
		{ "Not yet: <promise>DONE</promise>", false },
		{ "Not yet. <promise>DONE</promise>", false },
		{ "It is not yet green. <promise>DONE</promise>", false },
		{ "<promise>DONE</promise>? Not yet.", false },
		{ "May I? <promise>DONE</promise>", false },
		{ "And then... <promise>DONE</promise>", false },
		{ "`<promise>DONE</promise>`", false },
		{ "Later I say this. `<promise>DONE</promise>`", false },
		{ "```\n<promise>DONE</promise>\n```", false },
		{ "<promise>DONE</promise>\nis what I will say.", false },
		{ "> <promise>DONE</promise>", false },
		{ "<promise>\nDONE\n</promise>", false },
		{ "<promise>done</promise>", false },
		{ "I will not say <promise>DONE</promise>", false },
		{ "<promise>DONE</promise> yet", false },
		{ "<promise>DONE</promise>\nor so", false },
		{ "<promise></promise>", false },
		{ "</promise>", false },
		{ "", false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		CHECK_ROW(cases[i].message,
			  promise_is_kept(str_from(cases[i].message), STR("DONE"), true) == cases[i].is_kept);
}

TEST(a_promise_of_ten_kilobytes_among_many_tags_is_found)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf phrase = BUF(&a, SIZE_MAX), message = BUF(&a, SIZE_MAX);

	for (int i = 0; i < 1000; i++)
		buf_addf(&phrase, "word%06d ", i);
	for (int i = 0; i < 1000; i++)
		buf_add(&message, STR("<promise>"));
	buf_add(&message, buf_str(&phrase));
	CHECK(!promise_is_kept(buf_str(&message), buf_str(&phrase), false));
	buf_add(&message, STR("</promise>"));
	CHECK(promise_is_kept(buf_str(&message), buf_str(&phrase), false));
}

TEST(the_text_behind_a_slash_command_is_prompt_and_options)
{
	static const struct {
		const char *text, *prompt, *max, *promise;
		bool is_forced;
	} cases[] = {
		{ "fix it", "fix it", NULL, NULL, false },
		{ "\"fix it\" --max-iterations 5", "fix it", "5", NULL, false },
		{ "--max-iterations=5 fix it", "fix it", "5", NULL, false },
		{ "fix --max-iterations 5 it", "fix it", "5", NULL, false },
		{ "\"fix it\" --completion-promise \"ALL DONE\" --max-iterations 20", "fix it", "20",
		  "ALL DONE", false },
		{ "--completion-promise='x y' a", "a", NULL, "x y", false },
		{ "--completion-promise=--x a", "a", NULL, "--x", false },
		{ "say --force as", "say as", NULL, NULL, true },
		{ "x --max-iterations 5 x", "x x", "5", NULL, false },
		{ "it's \"quoted\" here", "it's \"quoted\" here", NULL, NULL, false },
		{ "\"use --verbose\" --force", "use --verbose", NULL, NULL, true },
		{ "a \"use --verbose\" b", "a \"use --verbose\" b", NULL, NULL, false },
		{ "line one\nline  two\n\n- item", "line one\nline  two\n\n- item", NULL, NULL, false },
		{ "run $(rm -rf /) `x` # not a comment", "run $(rm -rf /) `x` # not a comment", NULL, NULL,
		  false },
		{ "-- --anything goes", "--anything goes", NULL, NULL, false },
		{ "a -- b --c", "a b --c", NULL, NULL, false },
		{ "  padded  ", "padded", NULL, NULL, false },
		{ "'tis open", "'tis open", NULL, NULL, false },
		{ "", "", NULL, NULL, false },
		{ "--max-iterations 3", "", "3", NULL, false },
		{ "--", "", NULL, NULL, false },
		{ "\"", "\"", NULL, NULL, false },
		{ "%%\nfix it --max-iterations 5\n%%\n", "fix it", "5", NULL, false },
		{ "%%\nfix it\n\nnow\n%%\n", "fix it\n\nnow", NULL, NULL, false },
		{ "%%\n\n%%\n", "", NULL, NULL, false },
		{ "%%\n%%\n", "", NULL, NULL, false },
		{ "%%\na\n%%\nb\n%%\n", "a\n%%\nb", NULL, NULL, false },
		{ "%%\n\\!a wow! x\\!y \\!! \\! b\n\\!c \\\\! \\d\n%%\n",
		  "!a wow! x\\!y !! ! b\n!c \\\\! \\d", NULL, NULL, false },
		{ "wait \\!", "wait \\!", NULL, NULL, false },
		{ "%%x\ny", "%%x\ny", NULL, NULL, false },
		{ "%%", "%%", NULL, NULL, false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct loop_arguments got;
		struct err err;

		CHECK_ROW(cases[i].text, loop_arguments_parse(&a, str_from(cases[i].text), &got, &err) == 0);
		CHECK_STR(got.prompt, cases[i].prompt);
		CHECK_ROW(cases[i].text, str_eq(got.max_iterations, str_from(cases[i].max)));
		CHECK_ROW(cases[i].text, str_eq(got.completion_promise, str_from(cases[i].promise)));
		CHECK_ROW(cases[i].text, got.is_forced == cases[i].is_forced);
	}
}

TEST(what_was_cut_off_on_its_way_is_no_prompt)
{
	static const char *const cases[] = { "%%\nfix it\n",   "%%\nfix it",  "%%\n",
					     "%%\nfix it\n%%", "%%\nfix%%\n", "%%\nfix\n%%x\n",
					     "%%\nfix\n %%\n" };

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct loop_arguments got;
		struct err err;

		CHECK_ROW(cases[i], loop_arguments_parse(&a, str_from(cases[i]), &got, &err) == -1);
		CHECK_STR(str_from(err.msg), "the text is cut off, perhaps by three backquotes in it; pass "
					     "the prompt with --prompt-file");
	}
}

TEST(a_mistyped_option_never_becomes_part_of_the_prompt)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "fix it --max-iteration 5",
		  "unknown option '--max-iteration'; did you mean '--max-iterations'?" },
		{ "fix it --verbose",
		  "unknown option '--verbose'; if it is part of the prompt, put the prompt in quotes" },
		{ "--completion-promise --max-iterations 5", "--completion-promise needs a value" },
		{ "fix --max-iterations", "--max-iterations needs a value" },
		{ "fix --max-iterations=", "--max-iterations needs a value" },
		{ "fix --force=yes", "--force takes no value" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct loop_arguments got;
		struct err err;

		CHECK_ROW(cases[i].text, loop_arguments_parse(&a, str_from(cases[i].text), &got, &err) == -1);
		CHECK_STR(str_from(err.msg), cases[i].error);
	}
}
