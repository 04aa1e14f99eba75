/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "install/claude_settings.h"

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

TEST(older_hooks_of_conclaude_are_replaced_once_and_behind_other_peoples)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct settings_made made = { 0 }, again = { 0 };
		struct hook_change changes[2];
		struct str with, twice;
		struct err err;

		if (claude_settings_renew(&a, str_from(rows[i].before), STR("conclaude"), wanted, 2, changes,
					  &made, &with, &err) < 0)
			fail_msg("%s: %s", rows[i].name, err.msg);
		if (!str_is(squeezed(&a, with), rows[i].after))
			fail_msg("%s: %.*s", rows[i].name, STR_ARG(with));
		CHECK_ROW(rows[i].name, changes[0].kind == rows[i].stop && changes[1].kind == rows[i].end);
		CHECK_ROW(rows[i].name, claude_settings_renew(&a, with, STR("conclaude"), wanted, 2, changes,
							      &again, &twice, &err) == 0);
		CHECK_ROW(rows[i].name, str_eq(with, twice));
	}
}

TEST(what_conclaude_registered_is_taken_out_again_byte_for_byte)
{
	static const char *const texts[] = { "", "{}", "{\n  \"model\": \"x\"\n}\n", "{ \"hooks\": { } }\n",
					     "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n" };
	struct str events[] = { STR("Stop"), STR("SessionEnd") };
	const struct str_set both = { events, 2, 2 };
	const struct hook_filter which = { HOOK_CONCLAUDE, &both }, others = { .kind = HOOK_HOLDFAST };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct settings_made made = { 0 };
		struct hook_change changes[2];
		struct str with, without;
		struct err err;
		size_t removed;

		CHECK(claude_settings_renew(&a, str_from(texts[i]), STR("conclaude"), wanted, 2, changes,
					    &made, &with, &err) == 0);
		CHECK(claude_settings_remove_kind(&a, with, &others, &made, &removed, &without, &err) == 0);
		CHECK_ROW(texts[i], removed == 0 && str_eq(with, without));
		CHECK(claude_settings_remove_kind(&a, with, &which, &made, &removed, &without, &err) == 0);
		CHECK_ROW(texts[i], removed == 2 && str_is(without, texts[i]));
	}
}
