/* SPDX-License-Identifier: MIT */
/* Internal to schema_read(): adds problems and reads single values. */
#ifndef CONF_READ_H
#define CONF_READ_H

#include "conf/schema.h"

struct reader {
	struct walker walk;
	struct arena *arena;
	const struct schema *schema;
	struct str file;
	struct config_problems *problems; /* may be NULL */
};

/* Would another problem be added? If not, its text need not be composed. */
bool reader_wants(const struct reader *r);
/* Adds a problem, a text of pieces, at the position of the value, else of its key, else of the map that lacks it. */
#define reader_note(r, v, severity, kind, ...) \
	(reader_wants(r) ? reader_note_text(r, v, severity, kind, str_cat((r)->arena, __VA_ARGS__)) : (void)0)
void reader_note_text(struct reader *r, const struct visit *v, enum severity severity, enum problem_kind kind,
		      struct str text);
/* `expected WHAT, not the string "x"`; NULL: reader_wanted(). */
void reader_fail_type(struct reader *r, const struct visit *v, const char *what);
/* The expected value of a row: "a boolean", "one of a, b". */
const char *reader_wanted(const struct reader *r, const struct field *f);
/* A name or value from a file on one line, cut if it is long. */
struct str reader_shown(const struct reader *r, struct str text);

/* A malformed glob or regular expression is an error, but the file can be used. */
void reader_check_pattern(struct reader *r, const struct visit *v, enum field_type type, struct str pattern);
/* Stores the value of a row that is not an object, list or map. */
void reader_read_scalar(struct reader *r, const struct visit *v);

#endif
