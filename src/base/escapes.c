/* SPDX-License-Identifier: MIT */
/* Removes control characters, bidirectional ones included, and the escape sequences of ECMA-48 from text. Pure. */
#include "base/escapes.h"

#define ESCAPE 0x1Bu
#define BELL 0x07u
#define CSI 0x9Bu /* the one-character form of ESC [ */

bool
is_control(uint32_t cp)
{
	return (cp < 0x20 && cp != '\n' && cp != '\t') || (cp >= 0x7F && cp <= 0x9F) || cp == 0x061C ||
	       cp == 0x200E || cp == 0x200F || (cp >= 0x202A && cp <= 0x202E) ||
	       (cp >= 0x2066 && cp <= 0x2069);
}

/* The number of bytes from `at` on that are in [from, to]. */
static size_t
count_in(struct str x, size_t at, unsigned char from, unsigned char to)
{
	size_t n = 0;

	while (at + n < x.n && (unsigned char)x.s[at + n] >= from && (unsigned char)x.s[at + n] <= to)
		n++;
	return n;
}

#define EACH_BYTE(x) (UINT64_MAX / 0xFF * (x))

/* Skips printable ASCII, eight bytes at a time: the test is true if the highest bit of a byte is set in the word, in the word
 * plus one (DEL), or in the word minus a blank (control characters). */
size_t
skip_printable(struct str x, size_t at)
{
	uint64_t word;

	for (; x.n - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, x.s + at, sizeof(word));
		if ((word | (word + EACH_BYTE(1)) | (word - EACH_BYTE(' '))) & EACH_BYTE(0x80))
			break;
	}
	return at + count_in(x, at, ' ', '~');
}

static bool
is_clean(struct str x)
{
	for (size_t at = skip_printable(x, 0); at < x.n; at = skip_printable(x, at)) {
		size_t n;
		uint32_t cp = utf8_decode(str_rest(x, at), &n);

		if (is_control(cp) || utf8_is_bad(cp, n))
			return false;
		at += n;
	}
	return true;
}

/* Skips parameters, intermediates and a final byte, which start at `at`. */
static size_t
skip_control_sequence(struct str x, size_t at)
{
	at += count_in(x, at, 0x30, 0x3F);
	at += count_in(x, at, 0x20, 0x2F);
	return at < x.n && x.s[at] >= 0x40 && x.s[at] <= 0x7E ? at + 1 : at;
}

/* The length of the escape sequence at the start of x. */
static size_t
skip_escape(struct str x)
{
	size_t at = 2;

	if (x.n < 2)
		return x.n;
	switch (x.s[1]) {
	case '[':
		return skip_control_sequence(x, 2);
	case ']': /* operating system command: a title, a link */
	case 'P':
	case 'X':
	case '^':
	case '_':
		/* Up to BEL or ESC \, or, without these, up to the end of the line. */
		for (; at < x.n && x.s[at] != '\n'; at++) {
			if ((unsigned char)x.s[at] == BELL)
				return at + 1;
			if ((unsigned char)x.s[at] == ESCAPE && at + 1 < x.n && x.s[at + 1] == '\\')
				return at + 2;
		}
		return at;
	default:
		break;
	}
	at = 1 + count_in(x, 1, 0x20, 0x2F);
	return at < x.n && x.s[at] >= 0x30 && x.s[at] <= 0x7E ? at + 1 : at;
}

struct str
strip_escapes(struct arena *a, struct str x)
{
	struct buf out = BUF(a, SIZE_MAX);

	if (is_clean(x))
		return x;
	while (x.n > 0) {
		size_t n;
		uint32_t cp = utf8_decode(x, &n);

		if (cp == ESCAPE) {
			n = skip_escape(x);
		} else if (cp == CSI) {
			n = skip_control_sequence(x, n);
		} else if (cp == '\r') {
			n = str_starts(x, STR("\r\n")) ? 2 : 1;
			buf_addc(&out, '\n');
		} else if (is_control(cp) || utf8_is_bad(cp, n)) {
			buf_add(&out, UTF8_REPLACEMENT_TEXT);
		} else {
			buf_add(&out, str_sub(x, 0, n));
		}
		x = str_rest(x, n);
	}
	return buf_str(&out);
}

struct str
strip_escapes_line(struct arena *a, struct str x)
{
	struct buf out = BUF(a, SIZE_MAX);

	if (skip_printable(x, 0) == x.n)
		return x;
	x = strip_escapes(a, x);
	if (str_find_char(x, '\n') < 0 && str_find_char(x, '\t') < 0)
		return x;
	for (size_t i = 0; i < x.n; i++)
		buf_addc(&out, x.s[i] == '\n' || x.s[i] == '\t' ? ' ' : x.s[i]);
	return buf_str(&out);
}
