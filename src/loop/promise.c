/* SPDX-License-Identifier: MIT */
/* The completion promise. Pure: no allocation, one pass over the message. */
#include "loop/decide.h"

#include "base/utf8.h"

#define OPENING STR("<promise>")
#define CLOSING STR("</promise>")

static bool
is_space(uint32_t cp)
{
	return cp == ' ' || (cp >= '\t' && cp <= '\r') || cp == 0x85 || cp == 0xA0 || cp == 0x1680 ||
	       (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 || cp == 0x2029 || cp == 0x202F ||
	       cp == 0x205F || cp == 0x3000;
}

static struct str
skip_space(struct str x)
{
	size_t n;

	while (x.n > 0 && is_space(utf8_decode(x, &n)))
		x = str_sub(x, n, x.n);
	return x;
}

/* Takes the next unit off: a code point, or a run of white space as one space. False at the end, before which white space
 * is ignored. */
static bool
take_unit(struct str *x, struct str *ret_unit)
{
	struct str rest = skip_space(*x);
	size_t n;

	if (rest.n == 0)
		return false;
	if (rest.n < x->n) {
		*ret_unit = STR(" ");
		*x = rest;
		return true;
	}
	(void)utf8_decode(rest, &n);
	*ret_unit = str_sub(rest, 0, n);
	*x = str_sub(rest, n, rest.n);
	return true;
}

static bool
is_same_text(struct str a, struct str b)
{
	struct str in_a, in_b;

	a = skip_space(a);
	b = skip_space(b);
	for (;;) {
		bool more_a = take_unit(&a, &in_a), more_b = take_unit(&b, &in_b);

		if (!more_a || !more_b)
			return more_a == more_b;
		if (!str_eq(in_a, in_b))
			return false;
	}
}

/* The message's last line that is not blank. */
static struct str
last_line(struct str message)
{
	struct str line, last = STR("");

	while (str_next(&message, '\n', &line))
		if (skip_space(line).n > 0)
			last = line;
	return str_trim(last);
}

static bool
is_alone(struct str line, struct str phrase)
{
	if (!str_starts(line, OPENING) || !str_ends(line, CLOSING) || line.n < OPENING.n + CLOSING.n)
		return false;
	return is_same_text(str_sub(line, OPENING.n, line.n - CLOSING.n), phrase);
}

bool
promise_is_kept(struct str message, struct str phrase, bool is_strict)
{
	if (skip_space(phrase).n == 0)
		return false;
	if (is_strict)
		return is_alone(last_line(message), phrase);
	for (;;) {
		ptrdiff_t close = str_find(message, CLOSING);

		if (close < 0)
			return false;
		struct str before = str_sub(message, 0, (size_t)close), content = STR_NONE;

		/* The last opening tag before the closing one counts. */
		for (ptrdiff_t at; (at = str_find(before, OPENING)) >= 0;)
			content = before = str_sub(before, (size_t)at + OPENING.n, before.n);
		if (content.s && is_same_text(content, phrase))
			return true;
		message = str_sub(message, (size_t)close + CLOSING.n, message.n);
	}
}
