/* SPDX-License-Identifier: MIT */
/* Documents that begin with a block of `key: value` lines between two `---` lines. A change keeps all other bytes: line
 * endings, comments and unknown keys. */
#ifndef DOC_FRONTMATTER_H
#define DOC_FRONTMATTER_H

#include "doc/node.h"

struct frontmatter {
	struct str text;  /* all of the document */
	struct str block; /* the lines between the markers, with their line endings */
	struct str body;  /* everything after the closing marker's line */
	bool has_crlf;    /* the opening marker's line ends in CR LF: new lines end like it */
};

/* Blank lines, comment lines and a byte order mark may come before the opening marker; blanks may follow a
 * marker. The error names the line. */
int frontmatter_parse(struct str text, struct frontmatter *ret, struct err *err) MUST_CHECK;

struct frontmatter_value {
	bool is_there;
	bool is_null;     /* null, ~ or no text, not quoted */
	struct str value; /* unquoted and unescaped, without a trailing comment */
	int line;         /* in the document, from 1 */
};
/* The first line with that key, at no indentation. Plain, '...' and "..." scalars and the block scalars | and >.
 * *ret_is_twice: another line has the same key. A quoted scalar that never closes is an error. */
int frontmatter_get(struct arena *a, const struct frontmatter *f, const char *key,
		    struct frontmatter_value *ret, bool *ret_is_twice, struct err *err) MUST_CHECK;

/* The keys at no indentation, one after another: the next from *at on, which begins at 0. False: there is none. */
bool frontmatter_next_key(const struct frontmatter *f, size_t *at, struct str *ret);
/* The value of the first line with that key as YAML, for a key that may have a list or a map, also on the lines that follow. Lines
 * and columns are those of the document. A missing key is null. */
int frontmatter_get_node(struct arena *a, const struct frontmatter *f, const char *key, struct node *ret,
			 struct err *err) MUST_CHECK;

/* The rest of the key's line after the colon, as it is written, without blanks around it; absent where the key is missing. */
struct str frontmatter_raw(const struct frontmatter *f, const char *key);

/* The document with the key's value replaced, comment and line ending kept, or with a line added at the end of
 * the block. `value` is written as it is: the caller quotes it. */
struct str frontmatter_set(struct arena *a, const struct frontmatter *f, const char *key, struct str value);

#endif
