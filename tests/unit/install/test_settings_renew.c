/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "install/settings.h"

static const struct hook_wanted wanted[] = {
	{ .event = "Stop", .words = "Hooks Stop", .timeout_s = 600 },
	{ .event = "SessionEnd", .words = "Hooks SessionEnd", .timeout_s = 600 },
};

#define HOOK(command, more) "{\"hooks\":[{\"type\":\"command\",\"command\":\"" command "\"" more "}]}"
#define OURS HOOK("conclaude Hooks Stop", ",\"timeout\":600")
#define END "\"SessionEnd\":[" HOOK("conclaude Hooks SessionEnd", ",\"timeout\":600") "]"
#define STOPS(groups) "{\"hooks\":{\"Stop\":[" groups "]," END "}}"

/* Settings on one line, so that the result is one as well. */
static const struct {
	const char *name, *before, *after;
	enum change_kind stop, end;
} rows[] = {
	{ "nothing there", "{\"a\":1}", "{\"a\":1,\"hooks\":{\"Stop\":[" OURS "]," END "}}", CHANGE_ADDED,
	  CHANGE_ADDED },
	{ "all there", STOPS(OURS), STOPS(OURS), CHANGE_NONE, CHANGE_NONE },
	{ "the short form", STOPS(HOOK("conclaude Stop", "")), STOPS(OURS), CHANGE_UPDATED, CHANGE_NONE },
	{ "no timeout", STOPS(HOOK("conclaude Hooks Stop", "")), STOPS(OURS), CHANGE_UPDATED, CHANGE_NONE },
	{ "another timeout", STOPS(HOOK("conclaude Hooks Stop", ",\"timeout\":599")), STOPS(OURS),
	  CHANGE_UPDATED, CHANGE_NONE },
	{ "with a path", STOPS(HOOK("/opt/conclaude Hooks Stop", ",\"timeout\":600")), STOPS(OURS),
	  CHANGE_UPDATED, CHANGE_NONE },
	{ "twice", STOPS(OURS "," OURS), STOPS(OURS), CHANGE_UPDATED, CHANGE_NONE },
	{ "both forms and somebody's", STOPS(HOOK("conclaude Stop", "") "," HOOK("mine", "") "," OURS),
	  STOPS(HOOK("mine", "") "," OURS), CHANGE_UPDATED, CHANGE_NONE },
	{ "before somebody's, and right", STOPS(OURS "," HOOK("mine", "")), STOPS(OURS "," HOOK("mine", "")),
	  CHANGE_NONE, CHANGE_NONE },
	{ "wrapped", STOPS(HOOK("nice conclaude Stop", ",\"timeout\":600")),
	  STOPS(HOOK("nice conclaude Stop", ",\"timeout\":600")), CHANGE_NONE, CHANGE_NONE },
	{ "holdfast's own", STOPS(HOOK("holdfast stop-hook", "")),
	  STOPS(HOOK("holdfast stop-hook", "") "," OURS), CHANGE_ADDED, CHANGE_NONE },
	{ "another event's", "{\"hooks\":{\"PreToolUse\":[" HOOK("conclaude PreToolUse", "") "]}}",
	  "{\"hooks\":{\"PreToolUse\":[" HOOK("conclaude PreToolUse", "") "],\"Stop\":[" OURS "]," END "}}",
	  CHANGE_ADDED, CHANGE_ADDED },
	{ "other keys around it",
	  "{\"x\":[1,2.50],\"hooks\":{\"Stop\":[" HOOK("conclaude Stop", "") "]," END "},\"y\":null}",
	  "{\"x\":[1,2.50],\"hooks\":{\"Stop\":[" OURS "]," END "},\"y\":null}", CHANGE_UPDATED,
	  CHANGE_NONE },
};

static int
renew(struct arena *a, struct str text, struct undo_log *undo, struct hook_change *changes, struct str *ret,
      struct err *err)
{
	const struct settings_goal all = { .program = STR("conclaude"),
					   .kind = HOOK_CONCLAUDE,
					   .hooks = wanted,
					   .count = COUNT_OF(wanted),
					   .replaces_older = true };
	struct settings_file f = { .arena = a, .client = &client_claude, .new_text = text };
	struct settings_done done;

	settings_look(&f);
	int result = settings_edit(&f, &all, &done, err);

	for (size_t i = 0; result == 0 && i < all.count; i++)
		changes[i] = done.changes[i];
	*undo = f.record.undo;
	*ret = f.new_text;
	return result;
}

/* Those of conclaude for these events (NULL: holdfast's own hooks). */
static int
remove_hooks(struct arena *a, struct str text, const struct str_list *conclaude_events, struct undo_log *undo,
	     size_t *ret_removed, struct str *ret)
{
	const struct settings_goal goal = { 0 };
	struct settings_file f = { .arena = a, .client = &client_claude, .new_text = text };
	struct settings_done done;
	struct err err;

	f.record.undo = *undo;
	settings_look(&f);
	for (size_t i = 0; i < f.hooks.count; i++)
		f.hooks.items[i].is_unwanted = conclaude_events ? f.hooks.items[i].kind == HOOK_CONCLAUDE &&
									  str_list_has(conclaude_events,
										       f.hooks.items[i].event)
								: f.hooks.items[i].kind == HOOK_HOLDFAST;
	int result = settings_edit(&f, &goal, &done, &err);

	*ret_removed = done.hooks;
	*ret = f.new_text;
	return result;
}

/* Without blanks outside strings. */
static struct str
squeezed(struct arena *a, struct str json)
{
	char *to = arena_bytes(a, json.n + 1);
	bool is_in_string = false;
	size_t n = 0;

	for (size_t i = 0; i < json.n; i++) {
		is_in_string ^= json.s[i] == '"';
		if (is_in_string || str_trim(str_sub(json, i, i + 1)).n > 0)
			to[n++] = json.s[i];
	}
	return (struct str){ to, n };
}

TEST(older_hooks_of_conclaude_are_replaced_once_and_after_those_of_others)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct undo_log made = { 0 }, again = { 0 };
		struct hook_change changes[2];
		struct str with, twice;
		struct err err;

		if (renew(&a, str_from(rows[i].before), &made, changes, &with, &err) < 0)
			fail_msg("%s: %s", rows[i].name, err.msg);
		if (!str_is(squeezed(&a, with), rows[i].after))
			fail_msg("%s: %.*s", rows[i].name, STR_ARG(with));
		CHECK_ROW(rows[i].name, changes[0].kind == rows[i].stop && changes[1].kind == rows[i].end);
		CHECK_ROW(rows[i].name, renew(&a, with, &again, changes, &twice, &err) == 0);
		CHECK_ROW(rows[i].name, str_eq(with, twice));
	}
}

TEST(removing_what_conclaude_registered_restores_every_byte)
{
	static const char *const texts[] = { "", "{}", "{\n  \"model\": \"x\"\n}\n", "{ \"hooks\": { } }\n",
					     "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n" };
	struct str events[] = { STR("Stop"), STR("SessionEnd") };
	const struct str_list both = { events, 2 };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct undo_log made = { 0 };
		struct hook_change changes[2];
		struct str with, without;
		struct err err;
		size_t removed;

		CHECK(renew(&a, str_from(texts[i]), &made, changes, &with, &err) == 0);
		CHECK(remove_hooks(&a, with, NULL, &made, &removed, &without) == 0);
		CHECK_ROW(texts[i], removed == 0 && str_eq(with, without));
		CHECK(remove_hooks(&a, with, &both, &made, &removed, &without) == 0);
		CHECK_ROW(texts[i], removed == 2 && str_is(without, texts[i]));
	}
}
