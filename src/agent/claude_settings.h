/* SPDX-License-Identifier: MIT */
/* Hooks in Claude Code's settings, as changes to the text of a settings file: what is not ours stays byte for
 * byte. Pure: text in, text out; reading and writing the file is the caller's. */
#ifndef AGENT_CLAUDE_SETTINGS_H
#define AGENT_CLAUDE_SETTINGS_H

#include "agent/claude_hooks.h"
#include "doc/node.h"
#include "model/installed.h"

/* A hook that is to be there: `PROGRAM WORDS`, such as `holdfast hook SessionEnd`. */
struct hook_wanted {
	const char *event;
	const char *words;
	int64_t timeout_s;
};

enum change_kind { CHANGE_NONE, CHANGE_ADDED, CHANGE_UPDATED };

struct hook_change {
	const char *event;
	enum change_kind kind;
	struct str command; /* as it is there now */
};

/* Which hooks a program of that name has for its own: those of conclaude, or else those of holdfast. */
enum hook_kind hook_wanted_kind(struct arena *a, struct str program, const struct hook_wanted *w);

/* Puts the hooks into the text (absent or blank: an empty document). One of ours that is there already for the
 * event is brought to the wanted program and timeout in place, with further words behind its command kept; a
 * wrapped one is left as it is. `changes` has `count` elements; to `made` is added what was made. The text comes
 * back unchanged where there was nothing to do. -1 where the text does not parse (the message begins with
 * LINE:COLUMN) or its hooks are not shaped as hooks. */
int claude_settings_register(struct arena *a, struct str text, struct str program,
			     const struct hook_wanted *wanted, size_t count, struct hook_change *changes,
			     struct settings_made *made, struct str *ret, struct err *err) MUST_CHECK;

/* Takes out the hooks of kind HOOK_HOLDFAST for the events in `events` (NULL: for all), and then what has become
 * empty by it: as `made` says, or, without it, altogether. A removal after a registration gives the text from
 * before, which is absent where there was none. */
int claude_settings_remove(struct arena *a, struct str text, const struct str *events, size_t count,
			   const struct settings_made *made, size_t *ret_removed, struct str *ret,
			   struct err *err) MUST_CHECK;

/* The same for the hooks of one kind. */
struct hook_filter {
	enum hook_kind kind;
	const struct str *events; /* NULL: all of them */
	size_t count;
};
int claude_settings_remove_kind(struct arena *a, struct str text, const struct hook_filter *which,
				const struct settings_made *made, size_t *ret_removed, struct str *ret,
				struct err *err) MUST_CHECK;

/* As claude_settings_register(), but older forms of the program's hooks are replaced: where those of an event are
 * not exactly the wanted one, they are taken out, and the wanted one comes behind other people's. One with a wrapper
 * before it stays and counts as the wanted one. */
int claude_settings_renew(struct arena *a, struct str text, struct str program,
			  const struct hook_wanted *wanted, size_t count, struct hook_change *changes,
			  struct settings_made *made, struct str *ret, struct err *err) MUST_CHECK;

#define BLOCK_CAP_NAME "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
#define BLOCK_CAP_DEFAULT 8

/* The value of a variable in the settings' env; absent where there is none. Numbers come as written. */
struct str claude_settings_env(const struct node *settings, const char *name);
/* Sets it, adding the env object where there is none. */
int claude_settings_set_env(struct arena *a, struct str text, const char *name, struct str value,
			    struct settings_made *made, struct str *ret, struct err *err) MUST_CHECK;
/* Takes it out if it has that value; *ret_is_removed tells. */
int claude_settings_unset_env(struct arena *a, struct str text, const char *name, struct str value,
			      const struct settings_made *made, bool *ret_is_removed, struct str *ret,
			      struct err *err) MUST_CHECK;

/* Is a plugin of that name (whatever marketplace: NAME@...) enabled? */
bool claude_settings_has_plugin(const struct node *settings, const char *name);

#endif
