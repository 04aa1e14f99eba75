/* SPDX-License-Identifier: MIT */
/* The list of event names, and session ids in file names. Pure. */
#include "model/event.h"

#include "base/buf.h"

#include <inttypes.h>

const struct str event_names[] = {
#define EVENT(name) { #name, sizeof(#name) - 1 },
#include "model/event.def"
#undef EVENT
};
const size_t event_name_count = COUNT_OF(event_names);

#define VERBATIM_BYTES 128
#define ENCODED_BYTES 180
#define CUT_BYTES 160

static bool
is_safe(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
	       c == '_' || c == '-';
}

struct str
session_slug(struct arena *a, struct str id)
{
	struct buf out = BUF(a, SIZE_MAX);
	bool is_verbatim = id.n <= VERBATIM_BYTES;

	for (size_t i = 0; i < id.n; i++) {
		if (is_safe(id.s[i])) {
			buf_addc(&out, id.s[i]);
			continue;
		}
		buf_addf(&out, "%%%02X", (unsigned)(unsigned char)id.s[i]);
		is_verbatim = false;
	}
	if (is_verbatim || out.n <= ENCODED_BYTES)
		return buf_str(&out);
	return str_fmt(a, STR_FMT "-%016" PRIx64, CUT_BYTES, out.s, str_hash(STR_HASH_START, id));
}
