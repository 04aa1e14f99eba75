/* SPDX-License-Identifier: MIT */
/* What is suspicious in a .conclaude.yaml that loads: keys that contradict each other or have no effect. */
#include "import/conclaude.h"

#include "base/cat.h"
#include "base/glob.h"
#include "model/block_cap.h"

uint64_t
conclaude_messages(const struct node *queue)
{
	const struct node *messages = import_list(queue, "messages");
	uint64_t sum = 0;

	for (size_t i = 0; i < messages->count; i++) {
		const struct node_entry *times = import_entry(&messages->items[i], "times");

		sum += !times                             ? 1
		       : times->value.integer < INT32_MAX ? (uint64_t)times->value.integer
							  : INT32_MAX;
	}
	return sum;
}

static void
check_prefixes(struct import *k, const struct node *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct node *n = &list->items[i];
		struct str path = str_cat(k->arena, "stop.promptPrefixBlocking.prefixes[", i, "]");

		if (glob_min_length(n->text) > PROMPT_CHARS)
			import_note(k, n, path, "never matches: only the first ", PROMPT_CHARS,
				    " characters of a prompt are compared");
		else if (!glob_has_wildcard(n->text))
			import_note(k, n, path, "matches only a prompt that is exactly '", n->text,
				    "'; to match its start write '", n->text, "*'");
	}
}

/* Returns how many stops the queue can block. */
static uint64_t
check_queue(struct import *k, const struct policies *c, const struct node *queue)
{
	const struct node_entry *enabled = import_entry(node_get(&c->original, "database"), "enabled");
	struct str path = STR("stop.promptPrefixBlocking");
	uint64_t sends = conclaude_messages(queue);

	if (!queue || queue->kind != NODE_MAP)
		return 0;
	check_prefixes(k, import_list(queue, "prefixes"));
	if (enabled && !enabled->value.boolean)
		import_note(k, &enabled->value, STR("database.enabled"),
			    "is false, so stop.promptPrefixBlocking does nothing");
	else if (import_list(queue, "prefixes")->count == 0)
		import_note(k, queue, path, "does nothing: it has no prefixes");
	else if (sends == 0)
		import_note(k, queue, path, "does nothing: it has no message that is sent at least once");
	else
		return sends;
	return 0;
}

static void
check_cap(struct import *k, const struct policies *c, const struct node *stop, uint64_t sends)
{
	uint64_t rounds = c->rounds > 0 ? (uint64_t)c->rounds - 1 : 0;
	const struct block_cap cap = {
		.blocks = sends + rounds,
		.parts = str_cat(k->arena, " (", sends, " by messages, ", rounds, " by rounds)"),
		.title = "Claude Code",
		.cap = CLAUDE_BLOCK_CAP,
		.is_reset_by_a_tool = true,
	};
	struct str text = block_cap_text(k->arena, &cap);
	const char *key = rounds > 0 ? "rounds" : "promptPrefixBlocking";

	if (block_cap_is_low(&cap))
		import_note(k, node_get(stop, key), str_cat(k->arena, "stop.", key), text,
			    "; " CLAUDE_BLOCK_CAP_NAME " changes that");
}

static bool
is_one_of(struct str text, const char *one, const char *other)
{
	return !text.s || str_is(text, one) || str_is(text, other);
}

static void
check_tool_rules(struct import *k, const struct node *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct str action = import_text(&list->items[i], "action");
		struct str mode = import_text(&list->items[i], "matchMode");
		struct str path = str_cat(k->arena, "preToolUse.toolUsageValidation[", i, "]");

		if (!is_one_of(action, "block", "allow"))
			import_note(k, node_get(&list->items[i], "action"), path, "action '", action,
				    "' is neither 'block' nor 'allow', so the rule does nothing");
		if (!is_one_of(mode, "full", "prefix"))
			import_note(k, node_get(&list->items[i], "matchMode"), path, "matchMode '", mode,
				    "' is neither 'full' nor 'prefix', so it counts as 'full'");
	}
}

void
conclaude_check(struct arena *a, const struct policies *c, struct config_problems *ret)
{
	struct import k = { .arena = a, .file = c->path, .notes = c->found };
	const struct node *stop = node_get(&c->original, "stop");

	/* added problems go into a new array */
	k.notes.capacity = k.notes.count;
	uint64_t sends = check_queue(&k, c, node_get(stop, "promptPrefixBlocking"));

	check_tool_rules(&k, import_list(node_get(&c->original, "preToolUse"), "toolUsageValidation"));
	if (c->rounds > 0 && c->is_infinite)
		import_note(&k, node_get(stop, "rounds"), STR("stop.rounds"), ROUNDS_AND_INFINITE);
	check_cap(&k, c, stop, sends);
	*ret = k.notes;
}
