/* SPDX-License-Identifier: MIT */
/* Inside schema_read(): noting what is wrong, and reading single values. */
#ifndef CONF_READ_H
#define CONF_READ_H

#include "conf/schema.h"

struct reader {
	struct walker walk;
	struct arena *arena;
	const struct schema *schema;
	struct str file;
	struct config_problems *problems; /* NULL: not wanted */
};

/* Would another problem be noted? Else its text need not be composed. */
bool reader_wants(const struct reader *r);
/* Notes a problem where the value is; without one where its key is; without that where the map is that lacks it. */
void reader_note(struct reader *r, const struct visit *v, enum severity severity, enum problem_kind kind,
		 const char *fmt, ...) PRINTF_LIKE(5, 6);
/* `expected WHAT, not the string "x"`; WHAT is by default what the row wants. */
void reader_fail_type(struct reader *r, const struct visit *v, const char *what);
/* What a row wants: "a boolean", "one of a, b". */
const char *reader_wanted(const struct reader *r, const struct field *f);
/* One line of a name or value from a file, cut where it is long. */
struct str reader_shown(const struct reader *r, struct str text);

/* A glob or regular expression that is malformed is an error; the rest of the file can still be used. */
void reader_check_pattern(struct reader *r, const struct visit *v, enum field_type type, struct str pattern);
/* Stores the value of a row that is not an object, list or map. */
void reader_read_scalar(struct reader *r, const struct visit *v);

#endif
