/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/buf.h"
#include "install/settings.h"
#include "doc/json.h"
#include "model/block_cap.h"
#include "doc/jsonedit.h"

static const struct {
	const char *command;
	enum hook_kind kind;
} commands[] = {
	{ "holdfast stop-hook", HOOK_HOLDFAST },
	{ "holdfast hook SessionEnd", HOOK_HOLDFAST },
	{ "/usr/local/bin/holdfast stop-hook --deadline 300", HOOK_HOLDFAST },
	{ "'/opt/my tools/holdfast' stop-hook", HOOK_HOLDFAST },
	{ "\"$HOME/bin/holdfast\" stop-hook", HOOK_HOLDFAST },
	{ "HOLDFAST_LOG=debug exec holdfast stop-hook", HOOK_HOLDFAST },
	{ "cd sub && holdfast stop-hook", HOOK_HOLDFAST },
	{ "timeout 60 holdfast  stop-hook", HOOK_HOLDFAST },
	{ "holdfast", HOOK_OTHER },
	{ "holdfast doctor", HOOK_OTHER },
	{ "holdfast; stop-hook", HOOK_OTHER },
	{ "holdfast-other stop-hook", HOOK_OTHER },
	{ "notify 'holdfast stop-hook ran'", HOOK_OTHER },
	{ "command -v holdfast >/dev/null || exit 0; exec holdfast stop-hook", HOOK_HOLDFAST },
	{ "command -v holdfast >/dev/null || exit 0; exec holdfast doctor", HOOK_OTHER },
	{ "", HOOK_OTHER },
	{ "   ", HOOK_OTHER },
	{ "holdfast ralph hook", HOOK_LOOP_ALONE },
	{ "holdfast ralph status", HOOK_OTHER },
	{ "holdfast ralph | hook", HOOK_OTHER },
	{ "bash /x/hooks/ralph-stop-hook.sh", HOOK_LOOP_ALONE },
	{ "conclaude Stop", HOOK_CONCLAUDE },
	{ "conclaude Hooks Stop --agent x", HOOK_CONCLAUDE },
	{ "/opt/conclaude PreToolUse", HOOK_CONCLAUDE },
	{ "conclaude validate", HOOK_OTHER },
	{ "agent-gauntlet stop-hook", HOOK_GAUNTLET },
	{ "npx agent-gauntlet stop-hook", HOOK_GAUNTLET },
	{ "agent-gauntlet run", HOOK_OTHER },
	{ "bash ~/.claude/plugins/ralph-wiggum/hooks/stop-hook.sh", HOOK_RALPH_SCRIPT },
	{ "bash ./hooks/stop-hook.sh", HOOK_OTHER },
};

/* A text, and what is noted of it; NULL: nothing is. */
struct document {
	struct arena *arena;
	struct str text;
	struct undo_log *undo;
};

static struct document
document(struct arena *a, struct str text, struct undo_log *undo)
{
	return (struct document){ a, text, undo };
}

/* In the shape of Claude Code's settings. */
static struct settings_file
file_of(struct document d)
{
	struct settings_file f = {
		.arena = d.arena, .client = &client_claude, .text = d.text, .new_text = d.text
	};

	if (d.undo)
		f.record.undo = *d.undo;
	settings_look(&f);
	return f;
}

static struct settings_goal
hooks_of(struct str program, const struct hook_wanted *wanted, size_t count)
{
	return (struct settings_goal){
		.program = program, .kind = HOOK_HOLDFAST, .hooks = wanted, .count = count
	};
}

static int
put_hooks(struct document d, struct settings_goal w, struct hook_change *changes, struct str *ret,
	  struct err *err)
{
	struct settings_file f = file_of(d);
	struct settings_done done;
	int result = settings_edit(&f, &w, &done, err);

	for (size_t i = 0; result == 0 && i < w.count; i++)
		changes[i] = done.changes[i];
	*d.undo = f.record.undo;
	*ret = f.new_text;
	return result;
}

static int
take_out(struct document d, struct settings_goal g, struct settings_done *done, struct str *ret,
	 struct err *err)
{
	struct settings_file f = file_of(d);

	g.forgets = !d.undo;
	int result = settings_edit(&f, &g, done, err);

	*ret = f.new_text;
	return result;
}

/* Of these events; NULL: of all. */
static int
remove_ours(struct document d, const struct str_list *events, size_t *ret_removed, struct str *ret,
	    struct err *err)
{
	const struct settings_goal goal = { .forgets = !d.undo };
	struct settings_file f = file_of(d);
	struct settings_done done;

	for (size_t i = 0; i < f.hooks.count; i++)
		f.hooks.items[i].is_unwanted = f.hooks.items[i].kind == HOOK_HOLDFAST &&
					       (!events || str_list_has(events, f.hooks.items[i].event));
	int result = settings_edit(&f, &goal, &done, err);

	*ret_removed = done.hooks;
	*ret = f.new_text;
	return result;
}

static int
set_env(struct document d, struct str value, struct str *ret, struct err *err)
{
	return put_hooks(d, (struct settings_goal){ .cap = value }, NULL, ret, err);
}

static int
unset_env(struct document d, struct str value, bool *ret_is_removed, struct str *ret, struct err *err)
{
	struct settings_done taken;
	int result = take_out(d, (struct settings_goal){ .old_cap = value }, &taken, ret, err);

	*ret_is_removed = taken.has_cap;
	return result;
}

TEST(each_command_line_is_recognised_by_what_it_runs)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(commands); i++)
		CHECK_ROW(commands[i].command,
			  hook_kind_of(&a, str_from(commands[i].command), NULL) == commands[i].kind);
}

TEST(a_command_with_args_is_not_split)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node args;
	struct err err;

	CHECK(json_parse(&a, STR("[\"stop-hook\"]"), &args, &err) == 0);
	CHECK(hook_kind_of(&a, STR("/opt/my tools/holdfast"), &args) == HOOK_HOLDFAST);
	CHECK(hook_kind_of(&a, STR("/opt/my tools/other"), &args) == HOOK_OTHER);
	CHECK(hook_kind_of(&a, STR("holdfast stop-hook"), &args) == HOOK_OTHER);
}

TEST(a_word_is_quoted_for_the_shell_only_where_it_must_be)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(shell_quote(&a, STR("/usr/bin/holdfast")), "/usr/bin/holdfast");
	CHECK_STR(shell_quote(&a, STR("/my tools/holdfast")), "'/my tools/holdfast'");
	CHECK_STR(shell_quote(&a, STR("it's")), "'it'\\''s'");
	CHECK_STR(shell_quote(&a, STR("")), "''");
	CHECK_STR(shell_quote(&a, STR("a$b")), "'a$b'");
}

static const struct hook_wanted wanted[] = {
	{ .event = "Stop", .words = "stop-hook", .timeout_s = 600 },
	{ .event = "SessionEnd", .words = "hook SessionEnd", .timeout_s = 30 },
};

/* Settings as people have them. */
static const char *const documents[] = {
	"",
	"\n",
	"{}",
	"{}\n",
	"{ }\n",
	"{\n}\n",
	"{\n  \"model\": \"opus\"\n}\n",
	"{\n  \"model\": \"opus\"\n}",
	"{\n    \"model\": \"opus\",\n    \"env\": {\n        \"A\": \"b\"\n    }\n}\n",
	"{\n\t\"model\": \"opus\",\n\t\"permissions\": {\n\t\t\"allow\": []\n\t}\n}\n",
	"{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"{\"model\":\"opus\"}",
	"{\"model\":\"opus\",\"hooks\":{}}",
	"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]}}\n",
	"{\n  \"hooks\": {}\n}\n",
	"{\n  \"hooks\": { },\n  \"model\": \"opus\"\n}\n",
	"{\n  \"hooks\": {\n  },\n  \"model\": \"opus\"\n}\n",
	"{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
	"{\"hooks\":{  }}",
	"{\"hooks\":{\n\n}}\n",
	"{\"hooks\":{\"Stop\":[  ],\"SessionEnd\":[\n\n]}}\n",
	"{\n  \"hooks\": {\n\n      },\n  \"model\": \"opus\"\n}\n",
	"{\n  \"hooks\": {\n    \"Stop\": [\n\n  ],\n    \"SessionEnd\": [   ]\n  }\n}\n",
	"{\n  \"hooks\": {\n    \"Stop\": [ ],\n    \"SessionEnd\": [\n    ]\n  }\n}\n",
	"{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": "
	"\"command\", \"command\": "
	"\"say done\" }\n        ]\n      }\n    ]\n  },\n  \"unknown\": [1, 2.50, null]\n}\n",
	"{\n  // mine\n  \"model\": \"opus\", /* why */\n  \"env\": {},\n}\n",
	("{\n  \"hooks\": {\n    // a note\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \"hooks\": "
	 "[] },\n    ],\n  },\n}\n"),
	"\xEF\xBB\xBF{\n  \"model\": \"opus\"\n}\n",
};

TEST(a_removal_restores_every_byte_and_a_second_registration_changes_nothing)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(documents); i++) {
		struct undo_log made = { 0 }, again = { 0 };
		struct hook_change changes[2];
		struct str text = str_from(documents[i]), with, twice, without;
		struct err err;
		struct node root;
		size_t removed;

		if (put_hooks(document(&a, text, &made), hooks_of(STR("holdfast"), wanted, 2), changes, &with,
			      &err) < 0)
			fail_msg("%s: %s", documents[i], err.msg);
		CHECK_ROW(documents[i], changes[0].kind == CHANGE_ADDED && changes[1].kind == CHANGE_ADDED);
		CHECK_ROW(documents[i], jsonedit_check(&a, with, &root, &err) == 0);
		struct hook_list list = hooks_list(&a, &client_claude.settings->shape, &root);
		size_t ours = 0;

		for (size_t k = 0; k < list.count; k++)
			ours += list.items[k].kind == HOOK_HOLDFAST;
		CHECK_ROW(documents[i], ours == 2);
		CHECK_ROW(documents[i],
			  put_hooks(document(&a, with, &again), hooks_of(STR("holdfast"), wanted, 2), changes,
				    &twice, &err) == 0);
		CHECK_ROW(documents[i], str_eq(with, twice));
		CHECK_ROW(documents[i], changes[0].kind == CHANGE_NONE && changes[1].kind == CHANGE_NONE);
		CHECK_ROW(documents[i],
			  remove_ours(document(&a, with, &made), NULL, &removed, &without, &err) == 0);
		CHECK_ROW(documents[i], removed == 2);
		if (!str_eq(without, text))
			fail_msg("'%s'\nbecame\n'" STR_FMT "'\nby\n'" STR_FMT "'", documents[i],
				 STR_ARG(without), STR_ARG(with));
	}
}

TEST(a_cap_on_blocks_is_set_and_removed_without_a_trace)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(documents); i++) {
		struct undo_log made = { 0 };
		struct hook_change changes[2];
		struct str text = str_from(documents[i]), with, without;
		struct err err;
		struct node root;
		size_t removed;
		bool is_removed;

		CHECK_ROW(documents[i],
			  put_hooks(document(&a, text, &made), hooks_of(STR("holdfast"), wanted, 2), changes,
				    &with, &err) == 0);
		CHECK_ROW(documents[i], set_env(document(&a, with, &made), STR("50"), &with, &err) == 0);
		CHECK_ROW(documents[i], jsonedit_check(&a, with, &root, &err) == 0);
		CHECK_STR(node_get_str(node_get(&root, "env"), CLAUDE_BLOCK_CAP_NAME), "50");
		CHECK_ROW(documents[i],
			  remove_ours(document(&a, with, &made), NULL, &removed, &without, &err) == 0);
		CHECK_ROW(documents[i], unset_env(document(&a, without, &made), STR("9"), &is_removed,
						  &without, &err) == 0);
		CHECK_ROW(documents[i], !is_removed);
		CHECK_ROW(documents[i], unset_env(document(&a, without, &made), STR("50"), &is_removed,
						  &without, &err) == 0);
		CHECK_ROW(documents[i], is_removed);
		if (!str_eq(without, text))
			fail_msg("'%s'\nbecame\n'" STR_FMT "'", documents[i], STR_ARG(without));
	}
}

TEST(a_document_that_did_not_exist_is_absent_again)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct undo_log made = { 0 };
	struct hook_change changes[2];
	struct str with, without;
	struct err err;
	size_t removed;

	CHECK(put_hooks(document(&a, STR_NONE, &made), hooks_of(STR("/opt/my tools/holdfast"), wanted, 1),
			changes, &with, &err) == 0);
	CHECK_STR(with, "{\n"
			"  \"hooks\": {\n"
			"    \"Stop\": [\n"
			"      {\n"
			"        \"hooks\": [\n"
			"          {\n"
			"            \"type\": \"command\",\n"
			"            \"command\": \"'/opt/my tools/holdfast' stop-hook\",\n"
			"            \"timeout\": 600\n"
			"          }\n"
			"        ]\n"
			"      }\n"
			"    ]\n"
			"  }\n"
			"}\n");
	CHECK_STR(changes[0].command, "'/opt/my tools/holdfast' stop-hook");
	CHECK(remove_ours(document(&a, with, &made), NULL, &removed, &without, &err) == 0);
	CHECK(!without.s);
}

static const struct {
	const char *before, *after;
	enum change_kind kind;
} updates[] = {
	{ "{\"type\":\"command\",\"command\":\"/old/holdfast stop-hook\",\"timeout\":600}",
	  "{\"type\":\"command\",\"command\":\"/new/holdfast stop-hook\",\"timeout\":600}", CHANGE_UPDATED },
	{ "{\"type\":\"command\",\"command\":\"holdfast stop-hook --client generic\", \"timeout\": 60}",
	  "{\"type\":\"command\",\"command\":\"/new/holdfast stop-hook --client generic\", \"timeout\": 600}",
	  CHANGE_UPDATED },
	{ "{\"type\":\"command\",\"command\":\"/new/holdfast stop-hook\",\"timeout\":601}",
	  "{\"type\":\"command\",\"command\":\"/new/holdfast stop-hook\",\"timeout\":600}", CHANGE_UPDATED },
	{ "{\"type\":\"command\",\"command\":\"/new/holdfast stop-hook\",\"timeout\":600}",
	  "{\"type\":\"command\",\"command\":\"/new/holdfast stop-hook\",\"timeout\":600}", CHANGE_NONE },
	{ "{\"command\":\"cd x && /old/holdfast stop-hook\",\"timeout\":600}",
	  "{\"command\":\"cd x && /old/holdfast stop-hook\",\"timeout\":600}", CHANGE_NONE },
	{ "{\"command\":\"/old/holdfast\",\"args\":[\"stop-hook\"],\"timeout\":600}",
	  "{\"command\":\"/new/holdfast\",\"args\":[\"stop-hook\"],\"timeout\":600}", CHANGE_UPDATED },
};

TEST(an_existing_hook_of_ours_is_updated_in_place)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(updates); i++) {
		struct undo_log made = { 0 };
		struct hook_change change;
		struct err err;
		struct str text = str_fmt(&a, "{\"hooks\":{\"Stop\":[{\"hooks\":[%s]}]}}", updates[i].before),
			   got;

		CHECK_ROW(updates[i].before,
			  put_hooks(document(&a, text, &made), hooks_of(STR("/new/holdfast"), wanted, 1),
				    &change, &got, &err) == 0);
		CHECK_ROW(updates[i].before, change.kind == updates[i].kind);
		CHECK_STR(got, str_fmt(&a, "{\"hooks\":{\"Stop\":[{\"hooks\":[%s]}]}}", updates[i].after).s);
	}
}

#define GUARD(program) "command -v " program " >/dev/null || exit 0; "
static const struct {
	const char *before, *after;
} guarded[] = {
	{ "holdfast stop-hook", GUARD("holdfast") "exec holdfast stop-hook" },
	{ "exec holdfast stop-hook 2>/dev/null", GUARD("holdfast") "exec holdfast stop-hook 2>/dev/null" },
	{ "holdfast stop-hook || true", GUARD("holdfast") "holdfast stop-hook || true" },
	{ "/old/holdfast stop-hook --client x", GUARD("holdfast") "exec holdfast stop-hook --client x" },
	{ GUARD("/old/holdfast") "exec /old/holdfast stop-hook",
	  GUARD("holdfast") "exec holdfast stop-hook" },
	{ GUARD("holdfast") "exec holdfast stop-hook", GUARD("holdfast") "exec holdfast stop-hook" },
	{ "timeout 60 holdfast stop-hook", "timeout 60 holdfast stop-hook" },
};

#define HOOK_FORM                                                                \
	"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"%s\",\"timeout\":600," \
	"\"statusMessage\":\"%s\"}]}]}}"

TEST(an_existing_hook_gets_the_guard_and_the_status_message)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(guarded); i++) {
		struct hook_wanted w = wanted[0];
		struct settings_goal r = hooks_of(STR("holdfast"), &w, 1);
		struct undo_log made = { 0 };
		struct hook_change change;
		struct str text = str_fmt(&a, HOOK_FORM, guarded[i].before, "holdfast: gates (old)"), got;
		struct settings_done taken;
		struct err err;

		w.status_message = "holdfast: gates (new)";
		r.is_guarded = true;
		CHECK_ROW(guarded[i].before,
			  put_hooks(document(&a, text, &made), r, &change, &got, &err) == 0);
		CHECK_STR(got, str_fmt(&a, HOOK_FORM, guarded[i].after, "holdfast: gates (new)").s);
		CHECK_ROW(guarded[i].before, take_out(document(&a, got, &made), (struct settings_goal){ 0 },
						      &taken, &got, &err) == 0);
		CHECK_STR(got, text.s);
	}
}

TEST(members_that_a_hook_got_are_removed_with_their_commas)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str text = STR("{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"holdfast stop-hook\"}]}]}}"),
		   got;
	struct hook_wanted w = wanted[0];
	struct undo_log made = { 0 };
	struct hook_change change;
	struct settings_done taken;
	struct err err;

	w.status_message = "holdfast: gates (test)";
	CHECK(put_hooks(document(&a, text, &made), hooks_of(STR("holdfast"), &w, 1), &change, &got, &err) ==
	      0);
	CHECK(take_out(document(&a, got, &made), (struct settings_goal){ 0 }, &taken, &got, &err) == 0);
	CHECK_STR(got, text.s);
}

TEST(a_status_message_of_the_user_is_kept)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct undo_log made = { 0 };
	struct str text = STR("{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"holdfast stop-hook\","
			      "\"statusMessage\":\"one moment\"}]}]}}");
	struct settings_file f = file_of(document(&a, text, &made));
	const struct settings_goal goal = { .status = "holdfast: gates (test)" };
	struct settings_done done;
	struct err err;

	CHECK(settings_edit(&f, &goal, &done, &err) == 0);
	CHECK_STR(f.new_text, text.s);
}

TEST(people_are_shown_the_command_without_the_guard)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(hook_shown(&a, STR(GUARD("'/a b/holdfast'") "exec '/a b/holdfast' stop-hook")),
		  "'/a b/holdfast' stop-hook");
	CHECK_STR(hook_shown(&a, STR("holdfast stop-hook")), "holdfast stop-hook");
	CHECK_STR(hook_shown(&a, STR("command -v x")), "command -v x");
}

TEST(a_missing_timeout_is_added)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct undo_log made = { 0 };
	struct hook_change change;
	struct str got;
	struct node root;
	struct err err;

	CHECK(put_hooks(document(&a,
				 STR("{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\","
				     "\"command\":\"holdfast stop-hook\"}]}]}}"),
				 &made),
			hooks_of(STR("holdfast"), wanted, 1), &change, &got, &err) == 0);
	CHECK(change.kind == CHANGE_UPDATED && made.count == 1);
	CHECK_STR(made.items[0].place, "Stop.timeout");
	CHECK(!made.items[0].text.s);
	CHECK_STR(made.items[0].now, "600");
	CHECK(jsonedit_check(&a, got, &root, &err) == 0);
	struct hook_list list = hooks_list(&a, &client_claude.settings->shape, &root);

	CHECK(list.count == 1 && list.items[0].timeout_s == 600);
}

static const struct {
	const char *text, *error;
} bad_documents[] = {
	{ "{\"hooks\":[]}", "1:10: hooks: expected an object, found a list" },
	{ "{\"hooks\":null}", "1:10: hooks: expected an object, found null" },
	{ "{\"hooks\":{\n \"Stop\":{}}}", "2:9: hooks.Stop: expected a list, found a map" },
	{ "{\"hooks\":{\"Stop\":\"x\"}}", "1:18: hooks.Stop: expected a list, found a string" },
};

TEST(hooks_of_another_shape_are_an_error)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(bad_documents); i++) {
		struct undo_log made = { 0 };
		struct hook_change changes[2];
		struct str got;
		struct err err;

		CHECK(put_hooks(document(&a, str_from(bad_documents[i].text), &made),
				hooks_of(STR("holdfast"), wanted, 2), changes, &got, &err) < 0);
		CHECK_STR(str_from(err.msg), bad_documents[i].error);
		CHECK_STR(got, bad_documents[i].text);
	}
	struct undo_log made = { 0 };
	struct hook_change changes[2];
	struct str got;
	struct err err;

	CHECK(put_hooks(document(&a, STR("{\n  \"a\": }\n"), &made), hooks_of(STR("holdfast"), wanted, 2),
			changes, &got, &err) < 0);
	CHECK(str_starts(str_from(err.msg), STR("2:8: ")));
	CHECK(set_env(document(&a, STR("{\"env\":[]}"), &made), STR("b"), &got, &err) < 0);
	CHECK_STR(str_from(err.msg), "1:8: env: expected an object, found a list");
}

TEST(only_the_named_events_are_removed_and_other_hooks_stay)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct undo_log none = { 0 };
	struct str event = STR("SessionEnd");
	const struct str_list events = { &event, 1 };
	struct str got;
	struct err err;
	size_t removed;
	struct str text = STR("{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"holdfast stop-hook\"}]}],"
			      "\"SessionEnd\":[{\"hooks\":[{\"command\":\"x\"},{\"command\":\"holdfast hook "
			      "SessionEnd\"}]}]}}");

	CHECK(remove_ours(document(&a, text, &none), &events, &removed, &got, &err) == 0);
	CHECK(removed == 1);
	CHECK_STR(got, "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"holdfast stop-hook\"}]}],"
		       "\"SessionEnd\":[{\"hooks\":[{\"command\":\"x\"}]}]}}");
	/* With a record that does not name it, an emptied list stays; without a record it goes. */
	CHECK(remove_ours(document(&a, got, &none), NULL, &removed, &got, &err) == 0);
	CHECK_STR(got, "{\"hooks\":{\"Stop\":[],\"SessionEnd\":[{\"hooks\":[{\"command\":\"x\"}]}]}}");
	CHECK(remove_ours(document(&a, text, NULL), NULL, &removed, &got, &err) == 0);
	CHECK_STR(got, "{\"hooks\":{\"SessionEnd\":[{\"hooks\":[{\"command\":\"x\"}]}]}}");
}

static const struct {
	const char *settings, *commands; /* of the hooks that are found, with a blank after each */
} listed[] = {
	{ "{\"hooks\":{\"stop\":[{\"command\":\"a\"},{\"command\":\"b\"}]}}", "a b " },
	{ "{\"hooks\":{\"stop\":[{\"command\":\"a\",\"hooks\":[]},{\"command\":\"b\",\"hooks\":[]}]}}",
	  "a b " },
	{ "{\"hooks\":{\"stop\":[{\"command\":\"a\",\"hooks\":[{\"command\":\"inner\"}]}]}}", "a " },
	{ "{\"hooks\":{\"stop\":[{\"command\":\"holdfast stop-hook\"}],\"stop\":[{\"command\":\"b\"}]}}",
	  "b " },
	{ "{\"hooks\":{\"stop\":[{\"command\":\"conclaude Stop\"}],\"stop\":[]}}", "" },
	{ "{\"hooks\":{\"stop\":[{\"command\":\"holdfast hook X\"}],\"stop\":7}}", "" },
	{ "{\"hooks\":{\"stop\":[{\"command\":\"a\"}],\"stop\":[{\"command\":\"holdfast hook X\"}]}}",
	  "a holdfast hook X " },
	{ "{\"hooks\":{\"stop\":{\"command\":\"a\"}}}", "" },
	{ "{\"hooks\":[]}", "" },
};

TEST(hooks_without_groups_are_found_whatever_else_is_in_them)
{
	static const struct hook_shape flat = { .command_key = "command",
						.timeout_key = "timeout",
						.timeout_units = 1 };

	for (size_t i = 0; i < COUNT_OF(listed); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct buf found = BUF(&a, KIB(1));
		struct node root;
		struct err err;

		CHECK_ROW(listed[i].settings, json_parse(&a, str_from(listed[i].settings), &root, &err) == 0);
		struct hook_list list = hooks_list(&a, &flat, &root);

		for (size_t k = 0; k < list.count; k++)
			buf_addf(&found, STR_FMT " ", STR_ARG(list.items[k].command));
		CHECK_ROW(listed[i].settings, str_is(buf_str(&found), listed[i].commands));
	}
}
