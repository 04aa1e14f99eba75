/* SPDX-License-Identifier: MIT */
/* The lexer under everything that reads JSON: blanks and comments, strings, and where they begin and end. Any bytes are
 * survived. */
#ifndef DOC_JSON_LEX_H
#define DOC_JSON_LEX_H

#include "doc/json.h"

struct json_lexer {
	const char *at, *end;
	enum json_syntax syntax;
	int line;
	const char *line_start; /* moved on by each byte that does not begin a code point, for the column */
};

struct json_string {
	struct str raw; /* between the quotes */
	bool has_escape, has_control, is_ascii;
};
enum json_string_end { JSON_CLOSED, JSON_OPEN, JSON_CONTROL };

struct json_lexer json_lexer(struct str text, enum json_syntax syntax);
/* Skips blanks and, if the syntax has them, comments. False: a comment never ends; the lexer stays where it begins. */
bool json_lex_blanks(struct json_lexer *l);
/* From the opening quote to after the closing one. Stays at the quote of a string that never ends, and stops at a
 * control character that the syntax does not allow. */
enum json_string_end json_lex_string(struct json_lexer *l, struct json_string *ret);

/* The first byte that is a quote, a backslash, a control character or not ASCII; or the end. */
const char *json_skip_plain(const char *at, const char *end);
/* The offset after the comment that begins at `at`: before the newline of a line comment. `at` itself when there is no
 * comment, SIZE_MAX when it never ends. */
size_t json_comment_end(struct str text, size_t at);
/* The value of a string: without its escapes and, except in settings, as valid UTF-8. False: *ret_bad is an escape that JSON does not know. */
bool json_unescape(struct arena *a, const struct json_string *s, enum json_syntax syntax, struct str *ret,
		   const char **ret_bad);

#endif
