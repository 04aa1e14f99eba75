/* SPDX-License-Identifier: MIT */
/* JSON in and out. The only file that knows json-c. Input is RFC 8259, any byte sequence is survived: invalid
 * UTF-8 and unpaired surrogates become U+FFFD, a raw NUL is an error. Of a key that stands twice the last counts. */
#ifndef DOC_JSON_H
#define DOC_JSON_H

#include "base/buf.h"
#include "doc/node.h"

/* One value and nothing but blanks around it. The error says LINE:COLUMN. */
int json_parse(struct arena *a, struct str text, struct node *ret, struct err *err) MUST_CHECK;

/* A value that arrives in pieces. Feed until it says it is complete; bytes behind the value are not looked at. */
struct json_stream;
enum json_progress { JSON_MORE, JSON_DONE, JSON_BAD };
struct json_stream *json_stream_new(void);
enum json_progress json_stream_feed(struct json_stream *j, struct str piece);
/* After JSON_DONE: the value. */
int json_stream_take(struct json_stream *j, struct arena *a, struct node *ret, struct err *err) MUST_CHECK;
/* The CLEANUP function. */
void json_stream_free(struct json_stream **j);

/* Output: valid JSON whatever the bytes, on one line. Invalid UTF-8 becomes U+FFFD, U+0000 is dropped. */
void json_add_string(struct buf *b, struct str x);
/* `"key":"value"` behind a comma where one is needed, into an object that the caller opened with '{'. */
void json_add_member(struct buf *b, const char *key, struct str value);
void json_add_member_int(struct buf *b, const char *key, int64_t value);
void json_add_member_bool(struct buf *b, const char *key, bool value);
/* `"key":` and then whatever the caller adds. */
void json_add_key(struct buf *b, const char *key);

#endif
