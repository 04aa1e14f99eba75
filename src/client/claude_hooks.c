/* SPDX-License-Identifier: MIT */
/* Recognises hooks by what they run. */
#include "client/claude_hooks.h"

#include "os/fs.h"

/* A command line longer than this is nobody's that we know. */
#define COMMAND_LIMIT_BYTES KIB(16)

/* The kind of `program first second`, each of which may be absent. */
static enum hook_kind
kind_of_words(struct str program, struct str first, struct str second)
{
	struct str name = fs_base(program);

	if (str_is(name, "holdfast")) {
		if (str_is(first, "stop-hook") || str_is(first, "hook"))
			return HOOK_HOLDFAST;
		return str_is(first, "ralph") && str_is(second, "hook") ? HOOK_LOOP_ALONE : HOOK_OTHER;
	}
	if (str_is(name, "ralph-stop-hook.sh"))
		return HOOK_LOOP_ALONE;
	if (str_is(name, "conclaude"))
		return first.n > 0 && first.s[0] >= 'A' && first.s[0] <= 'Z' ? HOOK_CONCLAUDE : HOOK_OTHER;
	if (str_is(name, "agent-gauntlet"))
		return str_is(first, "stop-hook") ? HOOK_GAUNTLET : HOOK_OTHER;
	if (str_is(name, "stop-hook.sh") && str_find(program, STR("ralph")) >= 0)
		return HOOK_RALPH_SCRIPT;
	return HOOK_OTHER;
}

/* The words of a hook: those of its command line, or, where it has args, the command and the args as they are. */
static struct shell_words
hook_words(struct arena *a, struct str command, const struct node *args)
{
	struct shell_words words = { 0 };

	if (command.n > COMMAND_LIMIT_BYTES)
		return words;
	if (!args || args->kind != NODE_LIST)
		return shell_words(a, command);
	words.items = arena_array(a, args->count + 1, struct shell_word);
	words.items[words.count++] = (struct shell_word){ .text = command, .to = command.n };
	for (size_t i = 0; i < args->count; i++)
		if (args->items[i].kind == NODE_STRING)
			words.items[words.count++].text = args->items[i].text;
	return words;
}

static struct str
word_at(const struct shell_words *words, size_t i)
{
	return i < words->count ? words->items[i].text : STR_NONE;
}

static enum hook_kind
kind_at(const struct shell_words *words, size_t i)
{
	return kind_of_words(word_at(words, i), word_at(words, i + 1), word_at(words, i + 2));
}

enum hook_kind
claude_hook_kind(struct arena *a, struct str command, const struct node *args)
{
	struct shell_words words = hook_words(a, command, args);
	enum hook_kind kind = HOOK_OTHER;

	for (size_t i = 0; i < words.count && kind == HOOK_OTHER; i++)
		kind = kind_at(&words, i);
	return kind;
}

bool
claude_hook_is_plain(struct arena *a, struct str command, const struct node *args, struct shell_word *ret)
{
	struct shell_words words = hook_words(a, command, args);

	size_t at = !args && str_is(word_at(&words, 0), "exec");

	if (at >= words.count || kind_at(&words, at) != HOOK_HOLDFAST)
		return false;
	*ret = words.items[at];
	return true;
}
