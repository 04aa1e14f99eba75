/* SPDX-License-Identifier: MIT */
/* The clients: whose event it is, what its fields mean, how it is answered, and how its transcript is read, by what the
 * clients themselves have sent (tests/fixtures). */
#include "test.h"

#include "client/client.h"
#include "doc/json.h"
#include "os/fs.h"

#include <stdlib.h>
#include <string.h>

static struct str
fixture(struct arena *a, const char *name)
{
	struct str text;
	struct err err;

	if (fs_read(a, str_fmt(a, "%s/%s", FIXTURES, name).s, MIB(1), &text, &err) < 0 || !text.s)
		fail_msg("%s can't be read", name);
	return text;
}

static struct node
parsed(struct arena *a, struct str text)
{
	struct node n;
	struct err err;

	if (json_parse(a, text, &n, &err) < 0)
		fail_msg("%s", err.msg);
	return n;
}

static const char *variable; /* the only one that is set */

static bool
has_env(const char *name)
{
	return variable && str_is(str_from(name), variable);
}

TEST(a_client_is_told_by_its_event)
{
	static const struct {
		const char *file, *variable, *client;
	} cases[] = {
		{ "claude/Stop-1.json", NULL, "claude" },
		{ "claude/Stop-2-active.json", NULL, "claude" },
		{ "claude/Stop-v1.0.60.json", NULL, "claude" },
		{ "claude/Stop-v2.1.42.json", NULL, "claude" },
		{ "claude/Stop-v2.1.100.json", NULL, "claude" },
		{ "claude/Stop-v2.1.197.json", NULL, "claude" },
		{ "claude/SubagentStop.json", NULL, "claude" },
		{ "claude/UserPromptSubmit.json", NULL, "claude" },
		{ "codex/Stop-1.json", NULL, "codex" },
		{ "codex/Stop-2-active.json", NULL, "codex" },
		{ "codex/UserPromptSubmit.json", NULL, "codex" },
		{ "gemini/AfterAgent-1.json", NULL, "gemini" },
		{ "gemini/BeforeAgent.json", NULL, "gemini" },
		{ "gemini/SessionEnd.json", "GEMINI_PROJECT_DIR", "gemini" },
		{ "qwen/Stop-1.json", NULL, "qwen" },
		{ "qwen/Stop-2-active.json", NULL, "qwen" },
		{ "copilot/agentStop-1.json", NULL, "copilot" },
		{ "copilot/Stop-1.json", NULL, "copilot" },
		{ "cursor/stop-1.json", NULL, "cursor" },
		{ "antigravity/Stop-1.json", NULL, "antigravity" },
		{ "antigravity/Stop-1.json", "GEMINI_PROJECT_DIR", "antigravity" },
		/* A client that was started by another one has that one's variables. */
		{ "claude/Stop-1.json", "GEMINI_PROJECT_DIR", "claude" },
		{ "codex/Stop-1.json", "QWEN_PROJECT_DIR", "codex" },
		{ "gemini/AfterAgent-1.json", "COPILOT_PROJECT_DIR", "gemini" },
		{ "copilot/Stop-1.json", "GEMINI_PROJECT_DIR", "copilot" },
		{ "cursor/stop-1.json", "QWEN_PROJECT_DIR", "cursor" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct node n = parsed(&a, fixture(&a, cases[i].file));

		variable = cases[i].variable;
		const struct client *c = client_recognise(&n, has_env);

		if (!str_is(str_from(c->name), cases[i].client))
			fail_msg("%s with %s: %s", cases[i].file, variable ? variable : "nothing", c->name);
	}
}

/* Other clients send the fields of Claude Code, too, and validate the answer strictly. */
TEST(another_clients_mark_counts_more_than_claude_codes)
{
	static const struct {
		const char *event, *client;
	} cases[] = {
		{ "{\"turn_id\":\"t\",\"effort\":\"high\"}", "codex" },
		{ "{\"effort\":\"high\",\"session_crons\":[],\"turn_id\":\"t\"}", "codex" },
		{ "{\"effort\":\"high\",\"cursor_version\":\"1\"}", "cursor" },
		{ "{\"effort\":\"high\"}", "claude" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	variable = "GEMINI_PROJECT_DIR";
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct node n = parsed(&a, str_from(cases[i].event));

		CHECK_STR(str_from(client_recognise(&n, has_env)->name), cases[i].client);
	}
}

TEST(an_event_without_marks_goes_by_the_environment)
{
	static const struct {
		const char *variable, *client;
	} cases[] = {
		{ NULL, "claude" },
		{ "CLAUDE_PROJECT_DIR", "claude" },
		{ "GEMINI_PROJECT_DIR", "gemini" },
		{ "QWEN_PROJECT_DIR", "qwen" },
		{ "COPILOT_PROJECT_DIR", "copilot" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node plain = parsed(&a, STR("{\"hook_event_name\":\"Stop\",\"session_id\":\"s\"}"));
	struct node empty = parsed(&a, STR("{}"));
	struct node odd = parsed(&a, STR("{\"turn_id\":7,\"cursor_version\":null,\"sessionId\":[]}"));

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		variable = cases[i].variable;
		CHECK_STR(str_from(client_recognise(&plain, has_env)->name), cases[i].client);
		CHECK_STR(str_from(client_recognise(&empty, has_env)->name), cases[i].client);
		CHECK_STR(str_from(client_recognise(&odd, has_env)->name), cases[i].client);
		CHECK_STR(str_from(client_recognise(NULL, has_env)->name), cases[i].client);
	}
}

#define SOME(x) ((x) ? str_from(x) : STR_NONE)

TEST(fields_are_read_by_the_clients_own_names)
{
	static const struct {
		const char *file, *name, *session, *message;
		bool is_active;
	} cases[] = {
		{ "claude/Stop-1.json", "Stop", "7567ea90-8f44-4f47-9965-4b350360eac9", "first answer",
		  false },
		{ "claude/Stop-v1.0.60.json", "Stop", NULL, NULL, false },
		{ "codex/Stop-1.json", "Stop", "01a1dced-111f-75d1-a429-7948c3329e9b", "answer one", false },
		{ "codex/Stop-2-active.json", "Stop", "01a1dced-111f-75d1-a429-7948c3329e9b", "answer two",
		  true },
		{ "gemini/AfterAgent-1.json", "Stop", "7d598b16-f5f5-4db3-8ac8-640d4f4aad65", "answer one",
		  false },
		{ "gemini/AfterAgent-2-active.json", "Stop", "7d598b16-f5f5-4db3-8ac8-640d4f4aad65",
		  "answer one\nanswer two", true },
		{ "gemini/BeforeAgent.json", "BeforeAgent", "7d598b16-f5f5-4db3-8ac8-640d4f4aad65", NULL,
		  false },
		{ "qwen/Stop-2-active.json", "Stop", "ebf2dfef-0f72-4a4f-ac8e-34d542f9e4a7", "answer two",
		  true },
		{ "copilot/agentStop-1.json", NULL, "49f2251f-32bb-4b48-8b54-f4ffc8c57d22", NULL, false },
		{ "copilot/agentStop-2-active.json", NULL, "49f2251f-32bb-4b48-8b54-f4ffc8c57d22", NULL,
		  true },
		{ "copilot/Stop-1.json", "Stop", "4b7f85be-1add-4967-bfde-150ab42801b1", NULL, false },
		{ "cursor/stop-1.json", "Stop", "668320d2-2fd8-4888-b33c-2a466fec86e7", NULL, false },
		{ "antigravity/Stop-1.json", NULL, "2bb3613b-f2a2-4573-9282-e389ac224bda", NULL, false },
	};

	variable = NULL;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct node n = parsed(&a, fixture(&a, cases[i].file));
		struct event e = client_event(client_recognise(&n, has_env), &n);
		const char *file = cases[i].file;

		CHECK_ROW(file, str_eq(e.name, SOME(cases[i].name)) && !e.name.s == !cases[i].name);
		CHECK_ROW(file, !cases[i].session || str_is(e.session_id, cases[i].session));
		CHECK_ROW(file, str_eq(e.last_message, SOME(cases[i].message)) &&
					!e.last_message.s == !cases[i].message);
		CHECK_ROW(file, e.is_stop_hook_active == cases[i].is_active);
		CHECK_ROW(file, str_starts(e.cwd, STR("/home/user/")) && !e.is_subagent && !e.is_given_up);
		CHECK_ROW(file, str_starts(e.transcript_path, STR("/home/user/")) || !e.transcript_path.s);
	}
}

TEST(prompts_and_subagents_are_known_with_every_client)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node prompt = parsed(&a, fixture(&a, "gemini/BeforeAgent.json"));
	struct node sub = parsed(&a, STR("{\"hook_event_name\":\"SubagentStop\"}"));
	struct node camel = parsed(&a, STR("{\"hook_event_name\":\"subagentStop\"}"));

	for (size_t i = 0; i < client_count; i++) {
		CHECK_STR(client_event(clients[i], &prompt).prompt, "hello");
		CHECK_ROW(clients[i]->name, client_event(clients[i], &sub).is_subagent);
		CHECK_ROW(clients[i]->name, client_event(clients[i], &camel).is_subagent);
	}
	/* Copilot's subagent stops as an agent does, with a session of its own. */
	struct node copilot = parsed(&a, fixture(&a, "copilot/agentStop-subagent.json"));

	CHECK(client_event(&client_copilot, &copilot).is_subagent);
}

static const char *const *variables; /* NAME, VALUE, ..., NULL */

static struct str
get_env(const char *name)
{
	for (const char *const *v = variables; *v; v += 2)
		if (strcmp(v[0], name) == 0)
			return str_from(v[1]);
	return STR_NONE;
}

TEST(a_command_knows_the_session_it_runs_in_by_one_variable_alone)
{
	static const struct {
		const char *variables[7], *session;
	} cases[] = {
		{ { NULL }, NULL },
		{ { "CLAUDE_CODE_SESSION_ID", "a" }, "a" },
		{ { "CODEX_SESSION_ID", "b" }, "b" },
		{ { "QWEN_CODE_SESSION_ID", "c" }, "c" },
		{ { "CODEX_SESSION_ID", "" }, NULL },
		{ { "CLAUDE_CODE_SESSION_ID", "", "CODEX_SESSION_ID", "b" }, "b" },
		/* of a subagent's own */
		{ { "CODEX_THREAD_ID", "b" }, NULL },
		{ { "COPILOT_AGENT_SESSION_ID", "d" }, NULL },
		/* one client within another */
		{ { "CLAUDE_CODE_SESSION_ID", "a", "CODEX_SESSION_ID", "b" }, NULL },
		{ { "CLAUDE_CODE_SESSION_ID", "a", "CODEX_SESSION_ID", "b", "QWEN_CODE_SESSION_ID", "c" },
		  NULL },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		variables = cases[i].variables;
		struct str session = client_session(get_env);

		assert_true(!session.s == !cases[i].session);
		assert_true(str_eq(session, SOME(cases[i].session)));
	}
}

TEST(a_client_that_an_agent_has_started_is_known_by_the_variable_of_another_session)
{
	static const struct {
		const struct client *client;
		const char *variables[5];
		bool is_within;
	} cases[] = {
		{ &client_codex, { NULL }, false },
		{ &client_codex, { "CODEX_SESSION_ID", "mine" }, false },
		{ &client_codex, { "CODEX_SESSION_ID", "" }, false },
		{ &client_codex, { "CODEX_SESSION_ID", "other" }, true },
		{ &client_codex, { "CLAUDE_CODE_SESSION_ID", "other" }, true },
		{ &client_codex, { "CODEX_SESSION_ID", "mine", "QWEN_CODE_SESSION_ID", "other" }, true },
		{ &client_gemini, { "CODEX_SESSION_ID", "other" }, true },
		{ &client_gemini, { "GEMINI_SESSION_ID", "other" }, false },
		/* their own hooks have it */
		{ &client_claude, { "CLAUDE_CODE_SESSION_ID", "mine" }, false },
		{ &client_claude, { "CODEX_SESSION_ID", "other" }, true },
		{ &client_qwen, { "QWEN_CODE_SESSION_ID", "mine" }, false },
		{ &client_qwen, { "QWEN_CODE_SESSION_ID", "another of the same process" }, false },
		{ &client_qwen, { "CLAUDE_CODE_SESSION_ID", "other" }, true },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	assert_int_equal(unsetenv("CLAUDE_PID"), 0); /* this test's own client, if it has one */
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct event e = { .client = cases[i].client, .session_id = STR("mine") };

		variables = cases[i].variables;
		assert_true(client_is_nested(&a, &e, get_env) == cases[i].is_within);
	}
}

TEST(a_prompt_is_what_was_typed_not_what_a_command_made_of_it)
{
	static const struct {
		const char *event, *prompt;
	} cases[] = {
		{ "{\"prompt\":\"long\",\"submitted_prompt\":\"/short\"}", "/short" },
		{ "{\"prompt\":\"hello\",\"submitted_prompt\":\"hello\"}", "hello" },
		/* older versions, and what a hook or a subagent was given */
		{ "{\"prompt\":\"hello\"}", "hello" },
		{ "{\"prompt\":\"\"}", "" },
		{ "{\"prompt\":\"hello\",\"submitted_prompt\":\"\"}", "hello" },
		{ "{\"prompt\":\"hello\",\"submitted_prompt\":1}", "hello" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node recorded = parsed(&a, fixture(&a, "qwen/UserPromptSubmit-slash.json"));

	CHECK_STR(client_event(&client_qwen, &recorded).prompt, "/plan an offline mode");
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct node n = parsed(&a, str_from(cases[i].event));

		CHECK_ROW(cases[i].event, str_is(client_event(&client_qwen, &n).prompt, cases[i].prompt));
	}
}

TEST(a_prompt_in_parts_is_its_first_text)
{
	static const struct {
		const char *event, *prompt;
	} cases[] = {
		{ "{\"prompt\":[{\"type\":\"text\",\"text\":\"go on\"},{\"type\":\"image\"}]}", "go on" },
		{ "{\"prompt\":[{\"type\":\"image\"},{\"type\":\"text\",\"text\":\"like this\"}]}",
		  "like this" },
		{ "{\"prompt\":[{\"type\":\"tool_result\",\"output\":\"ok\"}]}", "" },
		{ "{\"prompt\":[]}", "" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct node n = parsed(&a, str_from(cases[i].event));

		CHECK_ROW(cases[i].event, str_is(client_event(&client_generic, &n).prompt, cases[i].prompt));
	}
}

TEST(cursor_counts_follow_ups_and_says_how_a_turn_ended)
{
	static const struct {
		const char *text;
		uint64_t follow_ups;
		bool is_given_up;
	} cases[] = {
		{ "{\"status\":\"completed\",\"loop_count\":9}", 9, false },
		{ "{\"status\":\"aborted\",\"loop_count\":0}", 0, true },
		{ "{\"status\":\"error\"}", 0, true },
		{ "{\"loop_count\":-1}", 0, false },
		{ "{\"loop_count\":\"3\"}", 0, false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct node n = parsed(&a, str_from(cases[i].text));
		struct event e = client_event(&client_cursor, &n);

		CHECK_ROW(cases[i].text, e.follow_ups == cases[i].follow_ups);
		CHECK_ROW(cases[i].text, e.is_given_up == cases[i].is_given_up);
	}
}

TEST(antigravity_says_how_a_turn_ended_and_whether_something_still_runs)
{
	static const struct {
		const char *text;
		bool is_given_up;
		size_t background_tasks;
	} cases[] = {
		{ "{\"terminationReason\":\"NO_TOOL_CALL\",\"error\":\"\",\"fullyIdle\":true}", false, 0 },
		{ "{\"terminationReason\":\"model_stop\"}", false, 0 },
		{ "{\"terminationReason\":\"ERROR\"}", true, 0 },
		{ "{\"terminationReason\":\"error\"}", true, 0 },
		{ "{\"terminationReason\":\"USER_CANCELED\"}", true, 0 },
		{ "{\"terminationReason\":\"MAX_INVOCATIONS\"}", true, 0 },
		{ "{\"terminationReason\":\"NO_TOOL_CALL\",\"error\":\"quota\"}", true, 0 },
		{ "{\"fullyIdle\":false}", false, 1 },
		{ "{\"fullyIdle\":\"no\"}", false, 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct node n = parsed(&a, str_from(cases[i].text));
		struct event e = client_event(&client_antigravity, &n);

		CHECK_ROW(cases[i].text, e.is_given_up == cases[i].is_given_up);
		CHECK_ROW(cases[i].text, e.background_tasks == cases[i].background_tasks);
	}
}

TEST(each_client_gets_the_answer_that_it_understands)
{
	static const struct verdict block = { .status = STATUS_COMMAND_FAILED,
					      .reason = { "do\n\"it\"", 7 } };
	static const struct verdict allow = { .status = STATUS_NO_CONFIG };
	static const struct verdict notice = { .status = STATUS_ROUNDS_FINISHED };
#define BLOCK "{\"decision\":\"block\",\"reason\":\"do\\n\\\"it\\\"\"}\n"
#define BLOCK_SHOWN                                                                                  \
	"{\"decision\":\"block\",\"reason\":\"do\\n\\\"it\\\"\",\"systemMessage\":\"a stop command " \
	"failed\"}\n"
#define NOTICE "{\"systemMessage\":\"all rounds are finished\"}\n"
	static const struct {
		const struct client *client;
		const struct verdict *verdict;
		const char *out;
		int exit_code;
	} cases[] = {
		{ &client_codex, &block, BLOCK_SHOWN, 0 },
		{ &client_codex, &allow, "", 0 },
		{ &client_codex, &notice, NOTICE, 0 },
		{ &client_copilot, &block, BLOCK, 0 },
		{ &client_copilot, &allow, "", 0 },
		{ &client_copilot, &notice, "", 0 },
		{ &client_qwen, &block, BLOCK_SHOWN, 0 },
		{ &client_qwen, &allow, "{}\n", 0 },
		{ &client_qwen, &notice, NOTICE, 0 },
		{ &client_gemini, &block, BLOCK_SHOWN, 0 },
		{ &client_gemini, &allow, "{}\n", 0 },
		{ &client_gemini, &notice, NOTICE, 0 },
		{ &client_cursor, &block, "{\"followup_message\":\"do\\n\\\"it\\\"\"}\n", 0 },
		{ &client_cursor, &allow, "{}\n", 0 },
		{ &client_cursor, &notice, "{}\n", 0 },
		{ &client_antigravity, &block, "{\"decision\":\"continue\",\"reason\":\"do\\n\\\"it\\\"\"}\n",
		  0 },
		{ &client_antigravity, &allow, "{}\n", 0 },
		{ &client_antigravity, &notice, "{}\n", 0 },
		{ &client_generic, &block, BLOCK, 2 },
		{ &client_generic, &allow, "", 0 },
		{ &client_generic, &notice, "", 0 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct reply_notes none = { 0 };
		struct reply r = cases[i].client->reply(&a, cases[i].verdict, &none);

		CHECK_STR(r.out, cases[i].out);
		CHECK_ROW(cases[i].client->name, r.exit_code == cases[i].exit_code);
		if (cases[i].exit_code == 2)
			CHECK_STR(r.err, "do\n\"it\"");
	}
}

TEST(the_user_is_told_who_speaks_and_first_what_is_wrong_with_a_file)
{
	static const struct {
		enum status status;
		const char *message, *warnings, *text;
	} cases[] = {
		{ STATUS_NO_CONFIG, NULL, "", NULL },
		{ STATUS_FAILED, "✗ test failed", "", "holdfast: ✗ test failed" },
		{ STATUS_FAILED, "✗ test failed", "x changed\n",
		  "holdfast: ✗ test failed (warning: x changed)" },
		{ STATUS_NO_CONFIG, NULL, "/p/a.yml:2:3: unknown key\n",
		  "holdfast: /p/a.yml:2:3: unknown key" },
		{ STATUS_NO_CONFIG, NULL, "x changed\ny changed\n", "holdfast: x changed; y changed" },
		{ STATUS_PASSED, "✓ gates passed", "x changed\n/p/a.yml:2:3: unknown key\n",
		  "holdfast: /p/a.yml:2:3: unknown key; ✓ gates passed (warning: x changed)" },
		{ STATUS_FAILED, "✗ Gauntlet failed", "", "✗ Gauntlet failed" },
		{ STATUS_LOOP_COMPLETE, "Ralph loop: complete", "", "Ralph loop: complete" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct verdict v = { .status = cases[i].status };
		struct reply_notes notes = { .warnings = str_from(cases[i].warnings), .speaker = "holdfast" };

		if (cases[i].message)
			v.message = str_from(cases[i].message);
		struct str text = reply_user_message(&a, &v, &notes);

		if (cases[i].text)
			CHECK_STR(text, cases[i].text);
		else
			CHECK(!text.s);
	}
}

TEST(after_a_tool_qwen_passes_on_additional_context_alone)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct event_answer e = { .row = &event_rows[EVENT_PostToolUse],
				  .is_blocked = true,
				  .reason = STR("r") };
	struct reply_notes notes = { 0 };
	struct reply r = client_qwen.event_reply(&a, &e, &notes);

	CHECK_STR(
		r.out,
		"{\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\",\"additionalContext\":\"r\"}}\n");
	CHECK(r.exit_code == 0);
	e.row = &event_rows[EVENT_PreToolUse];
	CHECK(client_qwen.event_reply(&a, &e, &notes).exit_code == 2);
}

TEST(nobody_is_told_not_to_continue)
{
	for (size_t i = 0; i < client_count; i++)
		for (int s = 0; s < STATUS_COUNT; s++) {
			CLEANUP(arena_free) struct arena a = { 0 };
			struct verdict v = { .status = (enum status)s, .reason = STR("r") };
			struct reply_notes notes = { .warnings = STR("w\n") };
			struct reply r = clients[i]->reply(&a, &v, &notes);

			CHECK_ROW(clients[i]->name, str_find(r.out, STR("\"continue\":")) < 0);
			/* Exit code 2 is a block and nothing else. */
			CHECK_ROW(clients[i]->name,
				  r.exit_code == 0 || (r.exit_code == 2 && status_blocks(v.status)));
		}
}

TEST(the_last_answer_is_found_in_every_clients_transcript)
{
	static const struct {
		const struct client *client;
		const char *file, *message;
	} cases[] = {
		{ &client_claude, "claude/transcript.trimmed.jsonl", "second answer" },
		{ &client_codex, "codex/rollout.trimmed.jsonl", "answer two" },
		{ &client_gemini, "gemini/chat.trimmed.jsonl", "answer two" },
		{ &client_qwen, "qwen/chat.trimmed.jsonl", "answer two" },
		{ &client_copilot, "copilot/events.trimmed.jsonl", "answer two" },
		{ &client_cursor, "cursor/agent-transcript.jsonl", "answer two" },
		{ &client_antigravity, "antigravity/transcript.jsonl", "answer two" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct event e = { .client = cases[i].client,
				   .transcript_path = str_fmt(&a, "%s/%s", FIXTURES, cases[i].file) };

		CHECK_STR(client_final_message(&a, &e, 0), cases[i].message);
	}
}

/* A transcript of these lines, and what is found in it. */
static struct str
final_of(struct arena *a, const struct client *c, const char *lines)
{
	struct str path = str_fmt(a, "%s/transcript.jsonl", test_dir());
	struct event e = { .client = c, .transcript_path = path };
	struct err err;

	CHECK(fs_replace(a, path.s, str_from(lines), 0600, &err) == 0);
	return client_final_message(a, &e, 0);
}

TEST(prompts_end_the_search_and_other_lines_do_not)
{
#define CODEX(role, text)                                                                                   \
	"{\"type\":\"response_item\",\"payload\":{\"type\":\"message\",\"role\":\"" role "\",\"content\":[" \
	"{\"type\":\"output_text\",\"text\":\"" text "\"}]}}\n"
#define GEMINI(type, text) "{\"id\":\"i\",\"type\":\"" type "\",\"content\":\"" text "\"}\n"
#define QWEN(type, part) "{\"type\":\"" type "\",\"message\":{\"parts\":[" part "]}}\n"
#define ANTIGRAVITY(type, text) "{\"source\":\"MODEL\",\"type\":\"" type "\",\"content\":\"" text "\"}\n"
#define COPILOT(type, more, text) "{\"type\":\"" type "\",\"data\":{" more "\"content\":\"" text "\"}}\n"
	static const struct {
		const char *name;
		const struct client *client;
		const char *lines, *message;
	} cases[] = {
		{ "codex: an earlier turn", &client_codex, CODEX("assistant", "old") CODEX("user", "next"),
		  "" },
		{ "codex: a tool's call after the answer", &client_codex,
		  CODEX("assistant",
			"a") "{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call\","
			     "\"role\":\"assistant\"}}\n",
		  "a" },
		{ "codex: events are no messages", &client_codex,
		  CODEX("assistant",
			"a") "{\"type\":\"event_msg\",\"payload\":{\"type\":\"message\",\"role\":"
			     "\"assistant\",\"content\":\"x\"}}\n",
		  "a" },
		{ "gemini: an earlier turn", &client_gemini, GEMINI("gemini", "old") GEMINI("user", "next"),
		  "" },
		{ "gemini: a call without text", &client_gemini, GEMINI("gemini", "a") GEMINI("gemini", ""),
		  "a" },
		{ "gemini: the later of two lines", &client_gemini,
		  GEMINI("gemini", "a") GEMINI("gemini", "b"), "b" },
		{ "gemini: messages that were replaced", &client_gemini,
		  GEMINI("gemini", "old") "{\"$set\":{\"messages\":[{\"type\":\"user\"}]}}\n", "" },
		{ "qwen: an earlier turn", &client_qwen,
		  QWEN("assistant", "{\"text\":\"old\"}") QWEN("user", "{\"text\":\"next\"}"), "" },
		{ "qwen: thoughts are no text", &client_qwen,
		  QWEN("assistant", "{\"text\":\"t\",\"thought\":true},{\"text\":\"a\"}"), "a" },
		{ "qwen: a tool's result is no prompt", &client_qwen,
		  QWEN("assistant", "{\"text\":\"a\"}") QWEN("user", "{\"functionResponse\":{}}"), "a" },
		{ "copilot: an earlier turn", &client_copilot,
		  COPILOT("assistant.message", "", "old") COPILOT("user.message", "", "next"), "" },
		{ "copilot: a call without text", &client_copilot,
		  COPILOT("assistant.message", "", "a") COPILOT("assistant.message", "", ""), "a" },
		{ "copilot: a subagent's message", &client_copilot,
		  COPILOT("assistant.message", "", "a")
			  COPILOT("assistant.message", "\"parentToolCallId\":\"x\",", "b"),
		  "a" },
		{ "cursor: a tool's result is no prompt", &client_cursor,
		  "{\"role\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}\n"
		  "{\"role\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\"}]}}\n",
		  "a" },
		{ "antigravity: an earlier turn", &client_antigravity,
		  ANTIGRAVITY("PLANNER_RESPONSE", "old") ANTIGRAVITY("USER_INPUT", "next"), "" },
		{ "antigravity: before a block", &client_antigravity,
		  ANTIGRAVITY("PLANNER_RESPONSE", "old") ANTIGRAVITY("SYSTEM_MESSAGE", "go on"), "" },
		{ "antigravity: a tool's result is no answer", &client_antigravity,
		  ANTIGRAVITY("PLANNER_RESPONSE", "a") ANTIGRAVITY("RUN_COMMAND", "b"), "a" },
		{ "torn", &client_copilot, COPILOT("assistant.message", "", "a") "{\"type\":\"user.mess",
		  "a" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str got = final_of(&a, cases[i].client, cases[i].lines);

		if (!str_is(got, cases[i].message))
			fail_msg("%s: got '" STR_FMT "'", cases[i].name, STR_ARG(got));
	}
}

TEST(of_answers_in_one_piece_the_last_is_taken_where_the_transcript_tells)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node n = parsed(&a, fixture(&a, "gemini/AfterAgent-2-active.json"));
	struct event e = client_event(&client_gemini, &n);

	/* No transcript at that path: all of it. */
	CHECK_STR(client_final_message(&a, &e, 0), "answer one\nanswer two");
	e.transcript_path = str_fmt(&a, "%s/gemini/chat.trimmed.jsonl", FIXTURES);
	CHECK_STR(client_final_message(&a, &e, 0), "answer two");
	/* A transcript that is not up to date, and one of something else. */
	e.last_message = STR("answer one\nanswer two\nanswer three");
	CHECK_STR(client_final_message(&a, &e, 0), "answer one\nanswer two\nanswer three");
	/* clients 3: the first stop of a turn joins what was said before a tool call, too. */
	e.last_message = STR("one\nanswer two");
	e.is_stop_hook_active = false;
	CHECK_STR(client_final_message(&a, &e, 0), "answer two");
}

/* The number after --deadline in the words of a hook; 0: there is none. */
static int64_t
deadline_in(const char *words)
{
	const char *at = strstr(words, "--deadline ");
	int64_t n = 0;

	for (at = at ? at + sizeof("--deadline ") - 1 : ""; *at >= '0' && *at <= '9'; at++)
		n = n * 10 + (*at - '0');
	return n;
}

TEST(we_answer_before_the_client_gives_up_and_no_longer_than_it_shows)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < client_count; i++) {
		const struct client *c = clients[i];

		CHECK_ROW(c->name, c->deadline_s > 0 && c->deadline_s < c->timeout_s);
		CHECK_ROW(c->name, c->reason_limit_bytes == 0 || c->reason_limit_bytes > REASON_LIMIT_BYTES);
		CHECK_ROW(c->name,
			  str_is(str_from(client_names[i]), c->name) && client_find(str_from(c->name)) == c);
		if (!c->settings)
			continue;
		const struct hook_wanted *stop = &c->settings->wanted[0];
		int64_t deadline_s = deadline_in(stop->words);

		CHECK_ROW(c->name, str_is_word_of(str_from(stop->event), c->stop_names));
		CHECK_ROW(c->name, (deadline_s ? deadline_s : c->deadline_s) < stop->timeout_s);
		/* Every client but Claude Code is named, so that its event need not be recognised. */
		CHECK_ROW(c->name,
			  c == &client_claude ||
				  str_find(str_from(stop->words), str_fmt(&a, " --client %s", c->name)) >= 0);
	}
	CHECK(client_names[client_count] == NULL && !client_find(STR("other")) && !client_find(STR_NONE));
}
