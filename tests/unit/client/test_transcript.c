/* SPDX-License-Identifier: MIT */
/* The final message of a transcript, over lines in memory. */
#include "test.h"

#include "client/client.h"
#include "doc/json.h"

#include <string.h>

static int
read_memory(void *file, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err)
{
	struct str rest = str_sub(*(struct str *)file, (size_t)offset, SIZE_MAX);

	(void)err;
	*ret_n = rest.n < n ? rest.n : n;
	if (*ret_n)
		memcpy(to, rest.s, *ret_n);
	return 0;
}

static struct str
scanned(struct arena *a, const struct client *client, struct str mark, struct str text, bool *ret_is_pending)
{
	struct transcript_reader reader = { .form = client->transcript, .mark = mark };
	CLEANUP(reverse_lines_free) struct reverse_lines lines;
	struct str message = STR_NONE;
	struct err err;

	reverse_lines_init(&lines, read_memory, &text, text.n);
	CHECK(transcript_scan(a, &lines, &reader, &message, ret_is_pending, &err) == 0);
	return message;
}

static struct str
last_message(struct arena *a, struct str text)
{
	bool is_pending;

	return scanned(a, &client_claude, STR_NONE, text, &is_pending);
}

#define USER(text) "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"" text "\"}}\n"
#define META(text) \
	"{\"type\":\"user\",\"isMeta\":true,\"message\":{\"role\":\"user\",\"content\":\"" text "\"}}\n"
#define RESULT(text)                                                                                \
	"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"," \
	"\"content\":\"" text "\"}]}}\n"
#define BLOCK(id, kind, key, text)                          \
	"{\"type\":\"assistant\",\"message\":{\"id\":\"" id \
	"\",\"role\":\"assistant\",\"content\":[{\"type\":\"" kind "\",\"" key "\":\"" text "\"}]}}\n"
#define SAYS(id, text) BLOCK(id, "text", "text", text)
#define TOOL(id) BLOCK(id, "tool_use", "name", "Bash")
#define THINKS(id, text) BLOCK(id, "thinking", "thinking", text)
#define OTHER "{\"type\":\"attachment\",\"attachment\":{\"type\":\"date\"}}\n"

TEST(a_line_with_too_many_values_may_be_a_prompt_and_ends_the_search)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf text = BUF(&a, MIB(1));

	buf_add(&text, STR(SAYS("1", "old") "{\"type\":\"user\",\"message\":["));
	for (int i = 0; i < 20000; i++)
		buf_add(&text, STR("1,"));
	buf_add(&text, STR("1]}\n" TOOL("2")));
	CHECK_STR(last_message(&a, buf_str(&text)), "");
}

TEST(the_final_message_is_the_newest_with_text_of_this_turn)
{
	static const struct {
		const char *name, *text, *message;
	} cases[] = {
		{ "plain", USER("hi") SAYS("1", "hello"), "hello" },
		{ "newest of two", USER("hi") SAYS("1", "a") TOOL("1") RESULT("r") SAYS("2", "b"), "b" },
		{ "tool after text", USER("hi") SAYS("1", "a") TOOL("1") RESULT("r"), "a" },
		{ "thinking after text", USER("hi") SAYS("1", "a") THINKS("1", "b"), "a" },
		{ "one message over several lines", USER("hi") SAYS("1", "a") OTHER TOOL("1") SAYS("1", "b"),
		  "a\nb" },
		{ "text of another message is not joined", USER("hi") SAYS("1", "a") SAYS("2", "b"), "b" },
		{ "earlier turn", SAYS("1", "old") USER("next") TOOL("2") RESULT("r"), "" },
		{ "hook feedback ends the turn", SAYS("1", "old") META("Stop hook feedback:\\ngo") TOOL("2"),
		  "" },
		{ "other meta lines do not", USER("hi") SAYS("1", "a") META("note") TOOL("2"), "a" },
		{ "no answer yet", USER("hi"), "" },
		{ "nothing", "", "" },
		{ "no trailing newline", "{\"type\":\"assistant\",\"message\":{\"content\":\"x\"}}", "x" },
		{ "string content", USER("hi") "{\"type\":\"assistant\",\"message\":{\"content\":\"x\"}}\n",
		  "x" },
		{ "empty content",
		  USER("hi") SAYS("1", "a") "{\"type\":\"assistant\",\"message\":{\"content\":[]}}\n", "a" },
		{ "torn last line", USER("hi") SAYS("1", "a") "{\"type\":\"assistant\",\"mess", "a" },
		{ "torn line in the middle", USER("hi") SAYS("1", "a") "{\"type\":\"assistant\"\n" TOOL("1"),
		  "a" },
		{ "sidechain",
		  USER("hi") SAYS("1", "a") "{\"type\":\"assistant\",\"isSidechain\":true,\"message\":{"
					    "\"content\":\"x\"}}\n",
		  "a" },
		{ "sidechain prompt",
		  USER("hi") SAYS(
			  "1",
			  "a") "{\"type\":\"user\",\"isSidechain\":true,\"message\":{\"content\":\"x\"}}\n",
		  "a" },
		{ "error of the API",
		  USER("hi") SAYS("1", "a") "{\"type\":\"assistant\",\"isApiErrorMessage\":true,\"message\":{"
					    "\"content\":\"x\"}}\n",
		  "a" },
		{ "spaces and another order of keys",
		  "{ \"message\" : { \"content\" : \"x\" } , \"type\" : \"assistant\" }\n", "x" },
		{ "role without a type", "{\"message\":{\"role\":\"assistant\",\"content\":\"x\"}}\n", "x" },
		{ "CRLF", "{\"type\":\"assistant\",\"message\":{\"content\":\"x\"}}\r\n", "x" },
		{ "invalid UTF-8", "{\"type\":\"assistant\",\"message\":{\"content\":\"x\xFF\"}}\n",
		  "x\xEF\xBF\xBD" },
		{ "a user who quotes the tag", SAYS("1", "a") USER("<promise>X</promise>"), "" },
		{ "a result that has the tag", USER("hi") SAYS("1", "a") RESULT("<promise>X</promise>"),
		  "a" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str got = last_message(&a, str_from(cases[i].text));

		if (!str_is(got, cases[i].message))
			fail_msg("%s: got '" STR_FMT "'", cases[i].name, STR_ARG(got));
	}
}

/* clients 1: Copilot CLI and Claude Code 2.1.40 write the answer after they have started the hook. */
TEST(a_transcript_that_ends_with_a_prompt_or_a_tool_lacks_its_answer)
{
#define COPILOT(type, more, text) "{\"type\":\"" type "\",\"data\":{" more "\"content\":\"" text "\"}}\n"
#define HOOK(timestamp)                                                                                     \
	"{\"type\":\"hook.start\",\"data\":{\"hookType\":\"agentStop\",\"input\":{\"timestamp\":" timestamp \
	"}}}\n"
#define CALL "\"toolRequests\":[{\"name\":\"bash\"}],"
	static const struct {
		const char *name;
		const struct client *client;
		const char *text;
		bool is_pending;
		const char *mark;
	} cases[] = {
		{ "prompt", &client_claude, USER("hi"), true, NULL },
		{ "hook feedback", &client_claude, SAYS("1", "a") META("Stop hook feedback:\\ngo"), true,
		  NULL },
		{ "answer", &client_claude, USER("hi") SAYS("1", "a"), false, NULL },
		{ "call", &client_claude, USER("hi") SAYS("1", "a") TOOL("1"), true, NULL },
		{ "result", &client_claude, USER("hi") SAYS("1", "a") TOOL("1") RESULT("r"), true, NULL },
		{ "answer to a result", &client_claude, USER("hi") TOOL("1") RESULT("r") SAYS("2", "b"),
		  false, NULL },
		{ "thoughts before the answer", &client_claude, USER("hi") THINKS("1", "b"), true, NULL },
		{ "thoughts after the answer", &client_claude, USER("hi") SAYS("1", "a") THINKS("1", "b"),
		  false, NULL },
		{ "something else after the answer", &client_claude, USER("hi") SAYS("1", "a") OTHER, false,
		  NULL },
		{ "a note after the answer", &client_claude, USER("hi") SAYS("1", "a") META("note"), false,
		  NULL },
		{ "a note after the prompt", &client_claude, USER("hi") META("note"), true, NULL },
		{ "nothing", &client_claude, "", false, NULL },
		{ "copilot: prompt", &client_copilot,
		  COPILOT("assistant.message", "", "a") COPILOT("user.message", "", "go"), true, NULL },
		{ "copilot: answer", &client_copilot,
		  COPILOT("user.message", "", "go") COPILOT("assistant.message", "", "a"), false, NULL },
		{ "copilot: call with text", &client_copilot,
		  COPILOT("user.message", "", "go") COPILOT("assistant.message", CALL, "a"), true, NULL },
		{ "copilot: answer to an earlier stop", &client_copilot,
		  COPILOT("assistant.message", "", "a") HOOK("1794708670193"), true, "1794708670194" },
		{ "copilot: answer to this stop", &client_copilot,
		  COPILOT("assistant.message", "", "a") HOOK("1794708670194"), false, "1794708670194" },
		{ "copilot: nothing", &client_copilot, "", true, "1794708670194" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		bool is_pending;

		(void)scanned(&a, cases[i].client, str_from(cases[i].mark), str_from(cases[i].text),
			      &is_pending);
		CHECK_ROW(cases[i].name, is_pending == cases[i].is_pending);
	}
}

TEST(text_before_many_tool_lines_is_found)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf text = BUF(&a, SIZE_MAX);

	buf_add(&text, STR(USER("hi") SAYS("1", "found")));
	for (int i = 0; i < 1500; i++)
		buf_add(&text, STR(TOOL("1") RESULT("r")));
	CHECK_STR(last_message(&a, buf_str(&text)), "found");
}

static struct event
event_of(struct arena *a, const char *text)
{
	struct node n;
	struct err err;

	CHECK(json_parse(a, str_from(text), &n, &err) == 0);
	return client_event(&client_claude, &n);
}

TEST(fields_of_an_event_that_have_another_type_were_not_sent)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct event e = event_of(&a,
				  "{\"session_id\":7,\"cwd\":null,\"stop_hook_active\":null,"
				  "\"last_assistant_message\":[],\"background_tasks\":{},\"agent_id\":\"\"}");

	CHECK(!e.session_id.s && !e.cwd.s && !e.last_message.s && !e.name.s);
	CHECK(!e.is_stop_hook_active && e.background_tasks == 0 && !e.is_subagent);
}

TEST(the_flag_of_a_stop_that_a_hook_caused_is_on_unless_it_is_plainly_off)
{
	static const struct {
		const char *event;
		bool is_active;
	} rows[] = {
		{ "{}", false },
		{ "{\"stop_hook_active\":null}", false },
		{ "{\"stop_hook_active\":false}", false },
		{ "{\"stop_hook_active\":0}", false },
		{ "{\"stop_hook_active\":\"\"}", false },
		{ "{\"stop_hook_active\":true}", true },
		{ "{\"stop_hook_active\":-1}", true },
		{ "{\"stop_hook_active\":0.5}", true },
		{ "{\"stop_hook_active\":\"no\"}", true },
		{ "{\"stop_hook_active\":[]}", true },
		{ "{\"stop_hook_active\":{}}", true },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_ROW(rows[i].event,
			  event_of(&a, rows[i].event).is_stop_hook_active == rows[i].is_active);
}

TEST(subagents_and_running_tasks_are_recognised)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK(event_of(&a, "{\"hook_event_name\":\"SubagentStop\"}").is_subagent);
	CHECK(event_of(&a, "{\"hook_event_name\":\"Stop\",\"agent_id\":\"x\"}").is_subagent);
	CHECK(!event_of(&a, "{\"hook_event_name\":\"Stop\"}").is_subagent);
	/* clients 2: a server that an agent leaves running never ends */
	CHECK(event_of(&a, "{\"background_tasks\":[{\"type\":\"shell\",\"status\":\"running\"},"
			   "{\"type\":\"subagent\",\"status\":\"running\"}]}")
		      .background_tasks == 1);
	CHECK(event_of(&a, "{\"background_tasks\":[{\"status\":\"running\"},{\"status\":\"completed\"},{}]}")
		      .background_tasks == 2);
	CHECK(event_of(&a, "{\"last_assistant_message\":\"\"}").last_message.s);
}
