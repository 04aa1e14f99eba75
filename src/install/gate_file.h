/* SPDX-License-Identifier: MIT */
/* The text of holdfast.yml: a new one, or one more gate or the usual guards in one that is there. Pure. */
#ifndef INSTALL_GATE_FILE_H
#define INSTALL_GATE_FILE_H

#include "base/base.h"

struct gate_entry {
	struct str name, command;
	struct str_list files; /* none: every change */
	struct str dir;        /* absent: the root */
};

/* The first line, for editors. A path on this machine would be wrong on another one, so the schema is next to the logs:
 * write_editor_schema() puts it there. */
#define GATE_FILE_SCHEMA ".holdfast/schema.json"
#define GATE_FILE_SCHEMA_LINE "# yaml-language-server: $schema=" GATE_FILE_SCHEMA "\n"

/* With no gates, there are guards alone. */
struct str gate_file_new(struct arena *a, const struct gate_entry *gates, size_t count, bool has_guards);
/* The text with the gate after its last one; all other bytes stay. Fails if there is a gate of this name, or if the text is
 * not one that can be changed in place. */
int gate_file_add(struct arena *a, struct str text, const struct gate_entry *gate, struct str *ret,
		  struct err *err) MUST_CHECK;
/* The text with the usual guards at its end, with the same errors. */
int gate_file_add_guards(struct arena *a, struct str text, struct str *ret, struct err *err) MUST_CHECK;

#endif
