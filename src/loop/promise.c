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

/* Without the blanks at the end, and without those of these characters that are there. */
static struct str
without_end(struct str x, const char *characters)
{
	x = str_trim(x);
	while (x.n > 0 && str_find_char(str_from(characters), x.s[x.n - 1]) >= 0)
		x = str_trim(str_sub(x, 0, x.n - 1));
	return x;
}

/* An ellipsis and a question leave open whether the promise is made. */
static bool
ends_sentence(struct str x)
{
	return (str_ends(x, STR(".")) && !str_ends(x, STR(".."))) || str_ends(x, STR("!")) ||
	       str_ends(x, STR("\xE3\x80\x82")); /* the ideographic full stop */
}

static bool
has_not_yet(struct str x)
{
	return str_find(x, STR("not yet")) >= 0 || str_find(x, STR("Not yet")) >= 0;
}

/* Is the tag, at the end of the line, a sentence of its own? Emphasis around it does not matter. */
static bool
ends_with_promise(struct str line, struct str phrase)
{
	line = without_end(line, "*_.!");
	if (!str_ends(line, CLOSING))
		return false;
	struct str before = str_sub(line, 0, line.n - CLOSING.n), content = STR_NONE, ahead = STR("");

	for (ptrdiff_t at; (at = str_find(before, OPENING)) >= 0;) {
		ahead = str_sub(line, 0, (size_t)(before.s + at - line.s));
		content = before = str_sub(before, (size_t)at + OPENING.n, before.n);
	}
	if (!content.s || !is_same_text(content, phrase))
		return false;
	ahead = without_end(ahead, "*_");
	return ahead.n == 0 || (ends_sentence(ahead) && !has_not_yet(ahead));
}

bool
promise_is_kept(struct str message, struct str phrase, bool is_strict)
{
	if (skip_space(phrase).n == 0)
		return false;
	if (is_strict)
		return ends_with_promise(last_line(message), phrase);
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
