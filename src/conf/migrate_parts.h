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

/* Each adds its keys, and notes what it leaves out. */
int add_gates(struct buf *b, struct old_gates *g, struct config_problems *notes, struct err *err) MUST_CHECK;
void add_policies(struct buf *b, const struct conclaude_config *c, struct old_text *t,
		  struct config_problems *notes);
void add_guards(struct buf *b, const struct conclaude_config *c, struct old_text *t,
		struct config_problems *notes);

#endif
