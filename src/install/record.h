/* SPDX-License-Identifier: MIT */
/* What was put into each settings file, so that exactly that can be removed again. One JSON line per file in
 * holdfast/installed.jsonl under the XDG state directory. */
#ifndef INSTALL_RECORD_H
#define INSTALL_RECORD_H

#include "base/base.h"

/* What a place contained before it was changed. The removal needs it to restore the same bytes. For an object or list that
 * was empty or missing, places are "" (the document), "hooks", "hooks.EVENT", "env", "mcpServers" and "version". For the command and the
 * timeout of a hook that was there, they are "EVENT.KEY". */
struct undo_entry {
	struct str place;
	struct str text; /* absent: there was no such member */
	struct str now;  /* of a hook's member: what it was changed to, as JSON. Another text is the user's */
};
#define UNDO_ENTRIES_MAX 32
struct undo_log {
	struct undo_entry items[UNDO_ENTRIES_MAX];
	size_t count;
};
/* Of the entries for a place, the first text and the last `now` count. */
void undo_log_add(struct undo_log *log, struct undo_entry entry);
/* NULL where the log, which may be NULL itself, has none. */
const struct undo_entry *undo_log_find(const struct undo_log *log, struct str place);

/* Was a hook for that event changed? */
bool undo_log_has_event(const struct undo_log *log, struct str event);

struct name_set {
	struct str *items;
	size_t count, capacity;
};
void name_set_add(struct arena *a, struct name_set *set, struct str x);
bool name_set_has(const struct name_set *set, struct str x);

/* All paths are absolute. */
struct install_record {
	struct str settings; /* the settings file */
	struct name_set events;
	struct name_set conclaude_events; /* for which conclaude's hook was registered */
	struct name_set agents;           /* agents' files in which conclaude's hook was registered */
	struct name_set dirs;             /* directories that were made for the settings file */
	struct undo_log undo;
	struct str cap;  /* the limit on blocks that was set; absent: none was */
	bool has_server; /* `holdfast mcp` was added */
};

/* *ret_is_there is false where that settings file has no record, or none that can be read. */
int install_record_find(struct arena *a, struct str settings, struct install_record *ret, bool *ret_is_there,
			struct err *err) MUST_CHECK;
/* Was the directory made for another settings file, which still exists? */
bool install_record_has_dir(struct str dir, struct str other_than);
/* Replaces an older record of the same settings file. */
int install_record_save(const struct install_record *r, struct err *err) MUST_CHECK;
int install_record_delete(struct str settings, struct err *err) MUST_CHECK;

#endif
