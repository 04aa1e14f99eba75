/* SPDX-License-Identifier: MIT */
/* Internal to the migration: the parts of holdfast.yml. */
#ifndef CONF_MIGRATE_PARTS_H
#define CONF_MIGRATE_PARTS_H

#include "conf/conclaude.h"
#include "conf/gauntlet_schema.h"
#include "conf/migrate_text.h"

/* A gate as it was read. */
struct old_gate {
	enum gate_kind kind;
	struct str name, new_name;
	struct old_map from;
	struct node document;
	struct check_draft check;
	struct review_draft review;
	bool is_written;
};

struct old_gates {
	struct gauntlet_loader loader; /* the first member: on_file gets it */
	struct config_draft draft;
	struct node document; /* config.yml */
	struct old_text text;
	struct old_gate *items;
	size_t count, capacity;
};

/* What is not in the new file: `n` is its place, NULL: the file as such. */
void migrate_note(struct arena *a, struct config_problems *notes, struct str file, const struct node *n,
		  struct str path, const char *fmt, ...) PRINTF_LIKE(6, 7);

/* An item of a list: the lines of a map, the first of which begins with a dash. */
void add_item(struct buf *b, struct str lines, int indent);
/* What a command is for. */
struct only_for {
	const char *key;
	struct str value; /* absent: for everything */
	const char *old_key;
	bool says_all; /* that it is for everything is written, too */
};
/* A command as an item of a list; only NULL: it is for everything. */
void add_command_item(struct buf *b, const struct conclaude_command *c, const struct old_map *from,
		      const struct only_for *only, int indent);

/* Each adds its keys, and notes what it leaves out. */
int add_gates(struct buf *b, struct old_gates *g, struct config_problems *notes, struct err *err) MUST_CHECK;
void add_policies(struct buf *b, const struct conclaude_config *c, struct old_text *t,
		  struct config_problems *notes);
void add_guards(struct buf *b, const struct conclaude_config *c, struct old_text *t,
		struct config_problems *notes);
void add_events(struct buf *b, const struct conclaude_config *c, struct old_text *t,
		struct config_problems *notes);

#endif
