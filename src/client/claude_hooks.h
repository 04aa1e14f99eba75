/* SPDX-License-Identifier: MIT */
/* What a hook in a client's settings runs. */
#ifndef CLIENT_CLAUDE_HOOKS_H
#define CLIENT_CLAUDE_HOOKS_H

#include "client/shell_words.h"
#include "doc/node.h"

/* What a hook's command runs. */
enum hook_kind {
	HOOK_OTHER,
	HOOK_HOLDFAST,     /* holdfast stop-hook, holdfast hook EVENT */
	HOOK_LOOP_ALONE,   /* holdfast ralph hook, or the shim that calls it */
	HOOK_CONCLAUDE,    /* conclaude EVENT, conclaude Hooks EVENT */
	HOOK_GAUNTLET,     /* agent-gauntlet stop-hook */
	HOOK_RALPH_SCRIPT, /* the script of the Ralph plugin */
};

/* One hook of the settings, and where it stands: hooks.EVENT[group].hooks[index]. */
struct hook_found {
	struct str event;
	size_t group, index;
	enum hook_kind kind;
	struct str command; /* as it is there, without args */
	int64_t timeout_s;  /* 0: not given */
};
struct hook_list {
	struct hook_found *items;
	size_t count;
};

/* What the command (and the words of `args`, which may be NULL) runs: a word whose last path component is one
 * of the programs above, followed by the command that makes it a hook, whatever wrapper stands before it. */
enum hook_kind claude_hook_kind(struct arena *a, struct str command, const struct node *args);

/* Does the command begin with holdfast itself, nothing but `exec` before it? Then *ret is that word. */
bool claude_hook_is_plain(struct arena *a, struct str command, const struct node *args,
			  struct shell_word *ret);

#endif
