/* SPDX-License-Identifier: MIT */
/* What can be asked of a line of output. Pure; knows no format. */
#include "output/formats.h"

/* Paths of libraries and of the languages themselves. */
static const char *const foreign[] = {
	"node_modules/",  "(node:",         "node:internal",   "/rustc/",         "/.cargo/registry/",
	"site-packages/", "dist-packages/", "/usr/lib/",       "/usr/local/lib/", "/usr/local/go/",
	"/go/pkg/mod/",   "<frozen ",       "file:///usr/lib", "jdk.internal.",   "java.base/",
};

bool
line_is_foreign(struct str line)
{
	for (size_t i = 0; i < COUNT_OF(foreign); i++)
		if (str_find(line, str_from(foreign[i])) >= 0)
			return true;
	return false;
}

/* Is there a file with an extension right before `end`? */
static bool
ends_in_file(struct str line, size_t end)
{
	size_t at = end;

	while (at > 0 && (is_letter(line.s[at - 1]) || is_digit(line.s[at - 1]) || line.s[at - 1] == '+'))
		at--;
	return at < end && is_letter(line.s[at]) && at > 1 && line.s[at - 1] == '.' &&
	       !str_is_blank(line.s[at - 2]);
}

bool
line_has_place(struct str line)
{
	for (size_t i = 1; i + 1 < line.n; i++)
		if ((line.s[i] == ':' || line.s[i] == '(') && is_digit(line.s[i + 1]) &&
		    ends_in_file(line, i))
			return true;
	/* Python, and bats */
	ptrdiff_t at = str_find(line, STR(", line "));

	return at >= 0 && is_digit(((size_t)at + 7 < line.n) ? line.s[at + 7] : ' ');
}

/* The length of file:line: or file:line:column: at the start; 0: there is none. */
static size_t
place_length(struct str line)
{
	ptrdiff_t colon = str_find_char(line, ':');
	size_t n, at;

	if (colon <= 0 || str_is_blank(line.s[0]) || str_find_char(str_sub(line, 0, (size_t)colon), ' ') >= 0)
		return 0;
	at = (size_t)colon + 1;
	if ((n = str_digits(line, at)) == 0)
		return 0;
	at += n;
	if (at < line.n && line.s[at] == ':' && (n = str_digits(line, at + 1)) > 0)
		at += n + 1;
	return at < line.n && line.s[at] == ':' ? at + 1 : 0;
}

/* F401, PLR0913, SIM102: capitals and at least three digits, then a blank or a colon. */
static bool
starts_with_code(struct str x)
{
	size_t letters = 0, digits;

	while (letters < x.n && x.s[letters] >= 'A' && x.s[letters] <= 'Z')
		letters++;
	digits = str_digits(x, letters);
	return letters >= 1 && letters <= 6 && digits >= 3 && letters + digits < x.n &&
	       (x.s[letters + digits] == ' ' || x.s[letters + digits] == ':');
}

/* 12:5 and a blank. */
static bool
is_item(struct str line)
{
	struct str x = str_trim(line);
	size_t n = str_digits(x, 0);

	if (n == 0 || n >= x.n || x.s[n] != ':' || !str_is_blank(line.s[0]))
		return false;
	size_t column = str_digits(x, n + 1);

	return column > 0 && n + 1 + column < x.n && x.s[n + 1 + column] == ' ';
}

/* "12 | code", "> 12 | code", "12| code" and "   | ^^^" */
static bool
is_frame(struct str line)
{
	struct str x = str_trim(line);

	(void)str_skip(&x, ">");
	x = str_trim(x);
	return str_starts(str_trim(str_rest(x, str_digits(x, 0))), STR("|"));
}

/* Has the line one of the texts, where the test looks for it? */
static bool
has_one(enum line_test test, struct str line, const char *const *texts, size_t count)
{
	struct str begin = test == LINE_WORD ? str_trim(line) : line;

	for (size_t i = 0; i < count && texts[i]; i++)
		if (test == LINE_HAS ? str_find(line, str_from(texts[i])) >= 0
				     : str_starts(begin, str_from(texts[i])))
			return true;
	return false;
}

bool
line_fits(const struct line_rule *r, struct str line)
{
	size_t n;

	if (r->also[0] && !has_one(LINE_HAS, line, r->also, COUNT_OF(r->also)))
		return false;
	switch (r->test) {
	case LINE_STARTS:
	case LINE_WORD:
	case LINE_HAS:
		return has_one(r->test, line, r->texts, COUNT_OF(r->texts));
	case LINE_PLACE:
		return place_length(line) > 0;
	case LINE_CODE:
		return starts_with_code(line);
	case LINE_CODED:
		return (n = place_length(line)) > 0 && starts_with_code(str_trim(str_rest(line, n)));
	case LINE_ITEM:
		return is_item(line);
	case LINE_FRAME:
		return is_frame(line);
	case LINE_FOREIGN:
		return line_is_foreign(line);
	case LINE_INDENTED:
		return line.n > 0 && str_is_blank(line.s[0]);
	}
	return false;
}
