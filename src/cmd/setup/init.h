/* SPDX-License-Identifier: MIT */
/* The hooks that holdfast registers, for init, uninstall and doctor. */
#ifndef CMD_SETUP_INIT_H
#define CMD_SETUP_INIT_H

#include "install/claude_settings.h"
#include "client/client.h"

#define HOOKS_WANTED_MAX 8

/* A settings file as it is: its text (absent where there is no file) and its tree (a null node without one). The
 * error begins with the file, and has the line and column where it does not parse. */
int settings_read(struct arena *a, struct str path, struct str *ret_text, struct node *ret_root,
		  struct err *err) MUST_CHECK;

/* The new text (absent: none, and the file goes) in the place of the one that was read. An error, and nothing is done,
 * where the file is protected, or where it is another one by now: then somebody else's change would be lost. */
int settings_write(struct arena *a, struct str path, struct str old, struct str new,
		   struct err *err) MUST_CHECK;

/* What was put into that file. A record that no longer fits, because somebody took the hooks out by hand, would undo
 * the wrong things: then it is an empty one. */
int settings_record(struct arena *a, const struct client *c, struct str path, const struct node *root,
		    struct installed *ret, struct err *err) MUST_CHECK;

/* Makes the directories that the settings file is to be in, and notes those that are holdfast's making in the record. */
int settings_make_dirs(struct arena *a, struct str path, struct installed *record,
		       struct err *err) MUST_CHECK;

/* Another program's hook for an event that is ours too: both would act on the same stop. NULL: none. */
const struct hook_found *settings_rival(const struct client *c, const struct hook_list *list);
/* The whole of `agent-gauntlet init`; is_asking: put the questions, else take the defaults. Where no reviewer is installed
 * nothing is done, or, with needs_no_reviewer, claude is named all the same. Returns the exit code. */
int gauntlet_init(struct arena *a, bool is_asking, bool needs_no_reviewer);

/* What a kind of hook is called. */
const char *hook_kind_name(enum hook_kind kind);

#endif
