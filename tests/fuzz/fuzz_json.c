/* SPDX-License-Identifier: MIT */
/* JSON against another reader and against its own writer: what is accepted is JSON to json-c too, is written on one
 * line of valid UTF-8, and reads back the same; a stream agrees whatever its pieces; any bytes make a good string. The
 * first byte is the size of the pieces. */
#include "base/utf8.h"
#include "doc/json.h"

#include <json-c/json.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static struct str
written(struct arena *a, const struct node *n)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_add_node(&b, n);
	return buf_str(&b);
}

static bool
is_json_elsewhere(struct arena *a, struct str text)
{
	struct str z = str_copy(a, str_starts(text, STR("\xEF\xBB\xBF")) ? str_sub(text, 3, text.n) : text);
	struct json_tokener *t = json_tokener_new_ex(1000);

	json_tokener_set_flags(t, JSON_TOKENER_STRICT);
	struct json_object *o = json_tokener_parse_ex(t, z.s, (int)z.n + 1);
	bool is_good = json_tokener_get_error(t) == json_tokener_success &&
		       json_tokener_get_parse_end(t) == z.n;

	json_object_put(o);
	json_tokener_free(t);
	return is_good;
}

static void
check_stream(struct arena *a, struct str text, size_t size, const struct node *whole)
{
	CLEANUP(json_stream_free) struct json_stream *j = json_stream_new();
	enum json_progress p = JSON_MORE;
	struct node n;
	struct err err;

	for (size_t at = 0; at < text.n && p == JSON_MORE; at += size)
		p = json_stream_feed(j, str_sub(text, at, at + size));
	if (whole && (whole->kind == NODE_MAP || whole->kind == NODE_LIST) && p != JSON_DONE)
		abort();
	int result = json_stream_take(j, a, &n, &err);

	if (whole && (result < 0 || !str_eq(written(a, &n), written(a, whole))))
		abort();
	if (p == JSON_BAD && result == 0)
		abort();
}

static void
check_string(struct arena *a, struct str x)
{
	struct buf b = BUF(a, SIZE_MAX), kept = BUF(a, SIZE_MAX);
	struct node n;
	struct err err;
	struct str clean = utf8_clean(a, x);

	for (size_t i = 0; i < clean.n; i++)
		if (clean.s[i])
			buf_addc(&kept, clean.s[i]);
	json_add_string(&b, x);
	if (json_parse(a, buf_str(&b), &n, &err) < 0 || !str_eq(n.text, buf_str(&kept)))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node once, twice;
	struct err err;

	if (n == 0)
		return 0;
	struct str text = { (const char *)data + 1, n - 1 };
	bool is_json = json_parse(&a, text, &once, &err) == 0;

	check_string(&a, text);
	check_stream(&a, text, 1 + data[0] % 16u, is_json ? &once : NULL);
	if (!is_json)
		return 0;
	struct str out = written(&a, &once);

	if (!is_json_elsewhere(&a, text) || !utf8_is_valid(out) || str_find_char(out, '\n') >= 0)
		abort();
	if (json_parse(&a, out, &twice, &err) < 0 || !str_eq(out, written(&a, &twice)))
		abort();
	return 0;
}
