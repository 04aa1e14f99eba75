/* SPDX-License-Identifier: MIT */
/* Reviewers: the exact command lines, what their environment has and lacks, and what they print besides a review. */
#include "test.h"

#include "client/reviewer.h"
#include "base/buf.h"

#include <string.h>

static struct str
joined(struct arena *a, const char *const *words)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (; *words; words++)
		buf_addf(&b, "%s%s", b.n ? " | " : "", *words);
	return buf_str(&b);
}

static struct gates_config
config_with(struct reviewer_config *own, size_t count)
{
	return (struct gates_config){ .root = STR("/srv/my project"),
				      .reviewers = own,
				      .reviewer_count = count };
}

static struct proc_spec
call_with(struct arena *a, const struct reviewer *r, const struct gates_config *c, const struct gate *gate,
	  struct str prompt)
{
	struct proc_spec call = { 0 };

	reviewer_call(a, r, c, gate, prompt, &call);
	return call;
}

static struct proc_spec
probe(struct arena *a, const struct reviewer *r, const struct gates_config *c)
{
	return call_with(a, r, c, NULL, STR_NONE);
}

static struct proc_spec
call_of(struct arena *a, const struct gates_config *c, const char *name, const struct gate *gate)
{
	struct reviewer_list l = reviewers(a, c);
	const struct reviewer *r = reviewer_find(&l, str_from(name));

	assert_non_null(r);
	return call_with(a, r, c, gate, STR("the prompt"));
}

#define TOOLS_COPILOT                                                                                       \
	"--allow-tool | shell(cat) | --allow-tool | shell(grep) | --allow-tool | shell(ls) | --allow-tool " \
	"| "                                                                                                \
	"shell(find) | --allow-tool | shell(head) | --allow-tool | shell(tail)"
#define CODEX \
	"codex | exec | --cd | /srv/my project | --sandbox | read-only | -c | ask_for_approval=\"never\""
#define GEMINI_TOOLS "--allowed-tools | read_file,list_directory,glob,search_file_content"

static const struct {
	const char *name, *plain, *set_up, *trial;
	int64_t trial_ms;
} rows[] = {
	{ "gemini", "gemini | --sandbox | " GEMINI_TOOLS " | --output-format | text",
	  "gemini | --sandbox | --output-format | text | -m | M",
	  "gemini | --sandbox | --output-format | text", 30000 },
	{ "codex", CODEX " | -",
	  CODEX " | --disable | shell_tool | -m | M | -c | model_reasoning_effort=\"high\" | -", CODEX " | -",
	  10000 },
	{ "claude", "claude | -p | --allowedTools | Read,Glob,Grep | --max-turns | 10",
	  "claude | -p | --tools |  | --max-turns | 10 | --model | M", "claude | -p | --max-turns | 1",
	  30000 },
	{ "github-copilot", "copilot | " TOOLS_COPILOT, "copilot | --model | M",
	  "copilot | --allow-tool | shell(echo)", 10000 },
	{ "cursor", "agent", "agent | --model | M", "agent", 10000 },
};

TEST(each_built_in_reviewer_is_called_as_its_tool_wants)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gates_config plain = config_with(NULL, 0);
	struct reviewer_list l = reviewers(&a, &plain);

	CHECK(l.count == COUNT_OF(rows));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct reviewer_config own = { .name = str_from(rows[i].name),
					       .model = STR("M"),
					       .thinking_budget = STR("high"),
					       .allows_tool_use = 0 };
		struct gates_config set_up = config_with(&own, 1);
		struct proc_spec call = call_of(&a, &plain, rows[i].name, NULL);
		struct proc_spec trial = probe(&a, &l.items[i], &plain);

		CHECK_STR(l.items[i].name, rows[i].name);
		CHECK(l.items[i].is_built_in && !l.items[i].takes_argument);
		CHECK_STR(joined(&a, call.argv), rows[i].plain);
		CHECK_STR(call.input, "the prompt");
		CHECK(call.timeout_ms == 0);
		CHECK_STR(joined(&a, call_of(&a, &set_up, rows[i].name, NULL).argv), rows[i].set_up);
		CHECK_STR(joined(&a, trial.argv), rows[i].trial);
		CHECK_STR(trial.input, "hello\n");
		CHECK(trial.timeout_ms == rows[i].trial_ms);
	}
}

TEST(the_gates_model_comes_before_the_reviewers)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct reviewer_config own = { .name = STR("claude"), .model = STR("own"), .allows_tool_use = -1 };
	struct gates_config with = config_with(&own, 1), without = config_with(NULL, 0);
	struct gate gate = { .model = STR("gates") }, silent = { .name = STR("x") };

#define CLAUDE "claude | -p | --allowedTools | Read,Glob,Grep | --max-turns | 10"
	CHECK_STR(joined(&a, call_of(&a, &with, "claude", &gate).argv), CLAUDE " | --model | gates");
	CHECK_STR(joined(&a, call_of(&a, &with, "claude", &silent).argv), CLAUDE " | --model | own");
	CHECK_STR(joined(&a, call_of(&a, &without, "claude", &gate).argv), CLAUDE " | --model | gates");
	CHECK_STR(joined(&a, call_of(&a, &without, "claude", &silent).argv), CLAUDE);
}

TEST(a_thinking_budget_is_told_in_the_tools_own_way)
{
	static const struct {
		const char *name, *budget, *expected;
	} budgets[] = {
		{ "claude", "off", "MAX_THINKING_TOKENS=0" },
		{ "claude", "low", "MAX_THINKING_TOKENS=8000" },
		{ "claude", "medium", "MAX_THINKING_TOKENS=16000" },
		{ "claude", "high", "MAX_THINKING_TOKENS=31999" },
		{ "claude", "1234", "MAX_THINKING_TOKENS=1234" },
		{ "codex", "off", "model_reasoning_effort=\"low\"" },
		{ "codex", "low", "model_reasoning_effort=\"low\"" },
		{ "codex", "xhigh", "model_reasoning_effort=\"xhigh\"" },
	};

	for (size_t i = 0; i < COUNT_OF(budgets); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct reviewer_config own = { .name = str_from(budgets[i].name),
					       .thinking_budget = str_from(budgets[i].budget),
					       .allows_tool_use = -1 };
		struct gates_config c = config_with(&own, 1);
		struct proc_spec call = call_of(&a, &c, budgets[i].name, NULL);
		struct str all = str_fmt(&a, STR_FMT " | " STR_FMT " | ", STR_ARG(joined(&a, call.env)),
					 STR_ARG(joined(&a, call.argv)));

		CHECK_ROW(budgets[i].expected, str_find(all, str_fmt(&a, "%s | ", budgets[i].expected)) >= 0);
	}
}

static bool
has_word(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

TEST(every_reviewer_is_kept_out_of_the_session_that_it_reviews_and_keeps_its_credentials)
{
	static const char *const gone[] = {
		"CLAUDECODE",
		"CLAUDE_CODE_ENTRYPOINT",
		"CLAUDE_CODE_SESSION_ID",
		"CLAUDE_PROJECT_DIR",
		"GEMINI_CLI",
		"CURSOR_AGENT",
		"CODEX_THREAD_ID",
		"CODEX_SESSION_ID",
		"QWEN_CODE_SESSION_ID",
		"COPILOT_AGENT_SESSION_ID",
	};
	static const char *const kept[] = { "CLAUDE_CODE_OAUTH_TOKEN",
					    "CLAUDE_CODE_USE_BEDROCK",
					    "CLAUDE_CONFIG_DIR",
					    "ANTHROPIC_API_KEY",
					    "CODEX_HOME",
					    "OPENAI_API_KEY",
					    "GEMINI_API_KEY",
					    "GITHUB_TOKEN",
					    "CURSOR_API_KEY",
					    "PATH",
					    "HOME" };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str command[] = { STR("mine") };
	struct reviewer_config own = { .name = STR("mine"),
				       .command = { command, 1 },
				       .allows_tool_use = -1 };
	struct gates_config c = config_with(&own, 1);
	struct reviewer_list l = reviewers(&a, &c);

	CHECK(l.count == COUNT_OF(rows) + 1);
	for (size_t i = 0; i < l.count; i++) {
		struct proc_spec calls[] = { call_with(&a, &l.items[i], &c, NULL, STR("x")),
					     probe(&a, &l.items[i], &c) };

		for (size_t k = 0; k < COUNT_OF(calls); k++) {
			CHECK(has_word(calls[k].env, "GAUNTLET_STOP_HOOK_ACTIVE=1"));
			for (size_t n = 0; n < COUNT_OF(gone); n++)
				CHECK_ROW(gone[n], has_word(calls[k].unset, gone[n]));
			for (size_t n = 0; n < COUNT_OF(kept); n++)
				CHECK_ROW(kept[n], !has_word(calls[k].unset, kept[n]));
		}
	}
}

TEST(a_reviewer_of_the_user_is_called_by_its_command)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str by_input[] = { STR("ollama"), STR("run"), STR("a model") };
	struct str by_argument[] = { STR("tools/review.sh"), STR("--fast") };
	struct str absolute[] = { STR("/opt/claude") };
	struct reviewer_config own[] = {
		{ .name = STR("local"), .command = { by_input, 3 }, .allows_tool_use = -1 },
		{ .name = STR("script"),
		  .command = { by_argument, 2 },
		  .prompt = STR("arg"),
		  .allows_tool_use = -1 },
		{ .name = STR("claude"),
		  .command = { absolute, 1 },
		  .model = STR("x"),
		  .allows_tool_use = -1 },
		{ .name = STR("gemini"), .model = STR("x"), .allows_tool_use = -1 },
		{ .name = STR("nobody"), .model = STR("x"), .allows_tool_use = -1 },
	};
	struct gates_config c = config_with(own, COUNT_OF(own));
	struct reviewer_list l = reviewers(&a, &c);
	struct proc_spec local = call_of(&a, &c, "local", NULL), script = call_of(&a, &c, "script", NULL);

	CHECK(l.count == COUNT_OF(rows) + 2 && !reviewer_find(&l, STR("nobody")));
	CHECK(!reviewer_find(&l, STR("claude"))->is_built_in &&
	      reviewer_find(&l, STR("gemini"))->is_built_in);
	CHECK_STR(joined(&a, local.argv), "ollama | run | a model");
	CHECK_STR(local.input, "the prompt");
	CHECK_STR(joined(&a, script.argv), "/srv/my project/tools/review.sh | --fast | the prompt");
	CHECK(script.input.s == NULL);
	CHECK_STR(joined(&a, call_of(&a, &c, "claude", NULL).argv), "/opt/claude");
	CHECK_STR(joined(&a, probe(&a, reviewer_find(&l, STR("script")), &c).argv),
		  "/srv/my project/tools/review.sh | --fast | hello");
	CHECK_STR(probe(&a, reviewer_find(&l, STR("local")), &c).input, "hello\n");
}

TEST(a_prompt_that_is_an_argument_holds_no_nul)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str command[] = { STR("x") };
	struct reviewer_config own = { .name = STR("x"), .command = { command, 1 }, .prompt = STR("arg") };
	struct gates_config c = config_with(&own, 1);
	struct reviewer_list l = reviewers(&a, &c);
	struct proc_spec call = call_with(&a, reviewer_find(&l, STR("x")), &c, NULL, STR("a\0b"));

	CHECK_STR(joined(&a, call.argv), "x | a b");
}

/* ---- refusals ---- */

static const struct {
	const char *name;
	int exit_code;
	const char *out, *err;
	enum reviewer_refusal refusal;
} refusals[] = {
	{ "claude", 0, "", "", REFUSAL_NONE },
	{ "claude", 1, "It broke", "stack trace", REFUSAL_NONE },
	{ "claude", 1, "Claude AI Usage Limit reached|1763190000", "", REFUSAL_USAGE_LIMIT },
	{ "claude", 0, "Credit balance is too low", "", REFUSAL_USAGE_LIMIT },
	{ "claude", 0, "You've hit your limit - resets 3pm", "", REFUSAL_USAGE_LIMIT },
	{ "codex", 1, "", "ERROR: You've hit your usage limit. Try again later.", REFUSAL_USAGE_LIMIT },
	{ "codex", 1, "", "You've hit your limit", REFUSAL_NONE },
	{ "gemini", 1, "", "Quota exceeded for quota metric 'x'", REFUSAL_USAGE_LIMIT },
	{ "gemini", 1, "", "Your quota will reset after 3h", REFUSAL_USAGE_LIMIT },
	{ "gemini", 1, "", "status: RESOURCE_EXHAUSTED", REFUSAL_USAGE_LIMIT },
	{ "cursor", 1, "you are out of extra usage", "", REFUSAL_USAGE_LIMIT },
	{ "cursor", 1, "you are OUT OF USAGE", "", REFUSAL_USAGE_LIMIT },
	{ "mine", 1, "usage limit", "", REFUSAL_USAGE_LIMIT },
	{ "claude", 1, "Invalid API key - Please run /login", "", REFUSAL_NOT_LOGGED_IN },
	{ "claude", 1, "Not logged in", "", REFUSAL_NOT_LOGGED_IN },
	{ "codex", 1, "", "unexpected status 401 Unauthorized", REFUSAL_NOT_LOGGED_IN },
	{ "gemini", 41, "", "Please set an Auth method in your settings.json", REFUSAL_NOT_LOGGED_IN },
	{ "github-copilot", 1, "", "Error: No authentication information found.", REFUSAL_NOT_LOGGED_IN },
	{ "cursor", 1, "Run 'agent login' first", "", REFUSAL_NOT_LOGGED_IN },
	{ "mine", 1, "Run 'agent login' first", "", REFUSAL_NONE },
	/* A tool that succeeded and mentions limits on stderr. */
	{ "gemini", 0, "My review.", "retrying: quota exceeded", REFUSAL_NONE },
	{ "gemini", 0, "", "quota exceeded", REFUSAL_USAGE_LIMIT },
	{ "claude", 1, "usage limi", "t", REFUSAL_NONE },
};

TEST(usage_limits_and_missing_logins_are_recognised)
{
	for (size_t i = 0; i < COUNT_OF(refusals); i++) {
		struct reviewer r = { .name = str_from(refusals[i].name) };
		enum reviewer_refusal refusal = reviewer_refusal(
			&r, refusals[i].exit_code, str_from(refusals[i].out), str_from(refusals[i].err));

		if (refusal != refusals[i].refusal)
			fail_msg("%zu: %s%s", i, refusals[i].out, refusals[i].err);
	}
}

TEST(what_a_tool_repeats_of_the_prompt_is_no_refusal)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct reviewer r = { .name = STR("codex") };
	struct buf b = BUF(&a, SIZE_MAX);

	buf_add(&b, STR("+ the usage limit is reached\n"));
	for (int i = 0; i < 300; i++)
		buf_add(&b, STR("+ a line\n"));
	CHECK(reviewer_refusal(&r, 1, STR(""), buf_str(&b)) == REFUSAL_NONE);
	buf_add(&b, STR("ERROR: usage limit\n"));
	CHECK(reviewer_refusal(&r, 1, STR(""), buf_str(&b)) == REFUSAL_USAGE_LIMIT);
}

/* ---- cost ---- */

static const struct {
	const char *out, *err, *expected;
} usages[] = {
	{ "", "", NULL },
	{ "{\"status\":\"pass\"}", "tokens used", NULL },
	{ "x", "codex\nfine\ntokens used\n12,345\n", "12345 tokens" },
	{ "x", "[2025] tokens used: 99", "99 tokens" },
	{ "x", "tokens used\n1\nmore\ntokens used\n2\n", "2 tokens" },
	{ "x", "tokens used\n0\n", NULL },
	{ "x", "tokens used\n99999999999999999999999999\n", NULL },
	{ "{\"type\":\"result\",\"total_cost_usd\":0.0123,\"usage\":{\"input_tokens\":10,\"cache_read_input_"
	  "tokens\":5,"
	  "\"cache_creation_input_tokens\":1,\"output_tokens\":7}}\n",
	  "", "16 tokens in, 7 tokens out, $0.0123" },
	{ "{\"total_cost_usd\":1}", "", "$1" },
	{ "{\"type\":\"item.completed\"}\n{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":10,"
	  "\"cached_input_tokens\":5,\"output_tokens\":7}}\n",
	  "", "10 tokens in, 7 tokens out" },
	{ "{\"response\":\"x\",\n\"stats\":{\"models\":{\"a\":{\"tokens\":{\"prompt\":3,\"candidates\":1}},"
	  "\"b\":{\"tokens\":{\"prompt\":4,\"candidates\":1}}}}}",
	  "", "7 tokens in, 2 tokens out" },
	{ "{\"usage\":{\"input_tokens\":-1,\"output_tokens\":\"x\"}}", "", NULL },
	{ "{\"usage\":7,\"total_cost_usd\":\"free\"}", "", NULL },
	{ "x", "\n  Total usage est:       1 Premium request\n", "Total usage est:       1 Premium request" },
};

TEST(tokens_and_cost_are_told_where_the_tool_tells_them)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(usages); i++) {
		struct str usage = reviewer_usage(&a, str_from(usages[i].out), str_from(usages[i].err));

		if (usages[i].expected)
			CHECK_STR(usage, usages[i].expected);
		else
			CHECK_ROW(usages[i].out, usage.s == NULL);
	}
}
