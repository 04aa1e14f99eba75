/* SPDX-License-Identifier: MIT */
/* What was put into each settings file, so that exactly that can be removed again. One JSON line per file in
 * holdfast/installed.jsonl under the XDG state directory. */
#ifndef INSTALL_RECORD_H
#define INSTALL_RECORD_H

#include "doc/node.h"

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
/* NULL where the log has none. */
const struct undo_entry *undo_log_find(const struct undo_log *log, struct str place);

/* A list in which each name is once. */
void name_set_add(struct arena *a, struct str_list *set, struct str x);
bool name_set_has(const struct str_list *set, struct str x);

/* All paths are absolute. */
struct install_record {
	struct str settings; /* the settings file */
	struct str_list events;
	struct str_list conclaude_events; /* for which conclaude's hook was registered */
	struct str_list agents;           /* agents' files in which conclaude's hook was registered */
	struct str_list dirs;             /* directories that were made for the settings file */
	struct undo_log undo;
	struct str cap;  /* the limit on blocks that was set; absent: none was */
	bool has_server; /* `holdfast mcp` was added */
};

/* The file, read once; a change to it reads it again, under its lock. */
struct install_records {
	struct arena *arena;
	struct node *items; /* lines that are JSON */
	size_t count;
	bool is_bad; /* the file is there and can't be read */
	struct err why_bad;
};
void install_records_load(struct arena *a, struct install_records *ret);

/* False where that settings file has no record. */
bool install_record_find(const struct install_records *all, struct str settings, struct install_record *ret);
/* Was the directory made for another settings file, which still exists? */
bool install_records_have_dir(const struct install_records *all, struct str dir, struct str other_than);
/* Replaces an older record of the same settings file. */
int install_record_save(struct install_records *all, const struct install_record *r,
			struct err *err) MUST_CHECK;
int install_record_delete(struct install_records *all, struct str settings, struct err *err) MUST_CHECK;

#endif
