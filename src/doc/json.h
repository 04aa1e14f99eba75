/* SPDX-License-Identifier: MIT */
/* JSON in and out. Input is RFC 8259 to the letter, any byte sequence is survived: invalid UTF-8 and unpaired
 * surrogates become U+FFFD, a raw NUL is an error, a byte order mark at the start is skipped. Of a key that stands
 * twice both are in the tree, and the last counts for node_get(). */
#ifndef DOC_JSON_H
#define DOC_JSON_H

#include "base/buf.h"
#include "doc/node.h"

/* One value and nothing but blanks around it. The tree is in the arena and does not point into the text. The error
 * says LINE:COLUMN. */
int json_parse(struct arena *a, struct str text, struct node *ret, struct err *err) MUST_CHECK;

/* A value that arrives in pieces. Feed until it says it is complete: with the bracket that closes an object or a
 * list, any other value with the end of its line. Bytes behind the value are not looked at. It may be as long as an
 * event. JSON_BAD comes as early as it can be told cheaply; that a value is well formed is told by json_stream_take(). */
struct json_stream;
enum json_progress { JSON_MORE, JSON_DONE, JSON_BAD };
struct json_stream *json_stream_new(void);
enum json_progress json_stream_feed(struct json_stream *j, struct str piece);
/* After JSON_DONE: the value; after anything else: the error that says why there is none. */
int json_stream_take(struct json_stream *j, struct arena *a, struct node *ret, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void json_stream_free(struct json_stream **j);

/* Output: valid JSON whatever the bytes, on one line. Invalid UTF-8 becomes U+FFFD, U+0000 is dropped. The buffer's
 * limit must be above what is added: a cut text is no JSON. */
void json_add_string(struct buf *b, struct str x);
/* A list of them. */
void json_add_strings(struct buf *b, const struct str *items, size_t count);
/* `"key":"value"` behind a comma where one is needed, into an object that the caller opened with '{'. */
void json_add_member(struct buf *b, const char *key, struct str value);
void json_add_member_int(struct buf *b, const char *key, int64_t value);
void json_add_member_bool(struct buf *b, const char *key, bool value);
/* `"key":` and then whatever the caller adds. */
void json_add_key(struct buf *b, const char *key);
/* A whole tree. A number that JSON has no spelling for, such as YAML's .inf, is written as a string. */
void json_add_node(struct buf *b, const struct node *n);
/* The same for people: a line for each member, two blanks for each depth, no newline at the end. */
void json_add_node_indented(struct buf *b, const struct node *n);

#endif
