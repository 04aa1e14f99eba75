/* SPDX-License-Identifier: MIT */
/* Hooks in a client's settings, as changes to the text of the file: what is not ours stays byte for byte. How an entry
 * looks there is the client's shape. Pure: text in, text out; reading and writing the file is the caller's. */
#ifndef CLIENT_HOOK_SETTINGS_H
#define CLIENT_HOOK_SETTINGS_H

#include "client/claude_hooks.h"
#include "doc/node.h"
#include "model/installed.h"

/* How a client writes a hook down: hooks.EVENT is a list of hooks, or of groups with a list `hooks`. */
struct hook_shape {
	bool has_groups;
	bool has_type; /* "type": "command" */
	const char *command_key, *timeout_key;
	int64_t timeout_units; /* in a second: 1000 where the file has milliseconds */
	int version;           /* "version" that the document must have; 0: none */
};

/* A hook that is to be there: `PROGRAM WORDS`, such as `holdfast hook SessionEnd`. */
struct hook_wanted {
	const char *event;
	const char *words;
	const char *user_words; /* the same in the user's own settings; NULL: no other */
	int64_t timeout_s;
	bool is_exec;     /* the shell that is asked to run it is to become it: `exec PROGRAM WORDS` */
	const char *more; /* further members of the entry as JSON; NULL: none */
};

/* All that is to be there. */
struct hooks_request {
	const struct hook_shape *shape;
	struct str program;
	const struct hook_wanted *wanted;
	size_t count;
};

enum change_kind { CHANGE_NONE, CHANGE_ADDED, CHANGE_UPDATED };

struct hook_change {
	const char *event;
	enum change_kind kind;
	struct str command; /* as it is there now */
};

/* Every hook that runs a command, in the order of the document. Entries of another shape are passed over.
 * Of an event that stands twice, the hooks of a known kind are those of the last. */
struct hook_list hook_settings_list(struct arena *a, const struct hook_shape *shape,
				    const struct node *settings);

/* Which hooks a program of that name has for its own: those of conclaude, or else those of holdfast. */
enum hook_kind hook_wanted_kind(struct arena *a, struct str program, const struct hook_wanted *w);

/* Puts the hooks into the text (absent or blank: an empty document). One of ours that is there already for the
 * event is brought to the wanted program and timeout in place, with further words behind its command kept; a
 * wrapped one is left as it is. `changes` has as many elements as are wanted; to `made` is added what was made. The text
 * comes back unchanged where there was nothing to do. -1 where the text does not parse (the message begins with
 * LINE:COLUMN) or its hooks are not shaped as hooks. */
int hook_settings_register(struct arena *a, struct str text, const struct hooks_request *request,
			   struct hook_change *changes, struct settings_made *made, struct str *ret,
			   struct err *err) MUST_CHECK;

/* Which hooks are to be taken out. */
struct hook_filter {
	enum hook_kind kind;
	const struct str_set *events; /* NULL: all of them */
};
/* Takes them out, and then what has become empty by it: as `made` says, or, without it, altogether. A removal after a
 * registration gives the text from before, which is absent where there was none. */
int hook_settings_remove(struct arena *a, const struct hook_shape *shape, struct str text,
			 const struct hook_filter *which, const struct settings_made *made,
			 size_t *ret_removed, struct str *ret, struct err *err) MUST_CHECK;

#endif
