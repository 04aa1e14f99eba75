/* SPDX-License-Identifier: MIT */
/* JUnit XML: the test cases with a failure or an error. Not a parser of XML: it looks for the few elements that matter, and
 * what is no XML yields nothing. */
#include "output/formats.h"

#define MESSAGE_LINES 4

static bool
decode_number(struct str name, uint32_t *ret)
{
	uint64_t n;

	if (str_skip(&name, "#x"))
		return number_parse_hex(name, ret);
	if (!str_skip(&name, "#") || !number_parse(name, &n) || n > UINT32_MAX)
		return false;
	*ret = (uint32_t)n;
	return true;
}

/* With the references of XML replaced; an unknown one stays, and none becomes a control character. */
static struct str
decode(struct arena *a, struct str x)
{
	static const struct {
		const char *name, *text;
	} known[] = { { "lt", "<" }, { "gt", ">" }, { "amp", "&" }, { "quot", "\"" }, { "apos", "'" } };
	struct buf out = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < x.n; i++) {
		ptrdiff_t end = x.s[i] == '&' ? str_find_char(str_sub(x, i, i + 12), ';') : -1;
		struct str name = end > 0 ? str_sub(x, i + 1, i + (size_t)end) : STR_NONE, text = STR_NONE;
		uint32_t cp;
		char bytes[4];

		for (size_t k = 0; k < COUNT_OF(known); k++)
			if (name.s && str_is(name, known[k].name))
				text = str_from(known[k].text);
		if (name.s && decode_number(name, &cp))
			text = (struct str){ bytes, utf8_encode(cp, bytes) };
		if (text.s) {
			buf_add(&out, text);
			i += (size_t)end;
		} else {
			buf_addc(&out, x.s[i]);
		}
	}
	return strip_escapes(a, buf_str(&out));
}

/* The value of an attribute in the text of a tag; absent: it has none. */
static struct str
attribute(struct arena *a, struct str tag, const char *name)
{
	struct str start = str_cat(a, " ", name, "=");
	ptrdiff_t at = str_find(tag, start);
	size_t from = (size_t)at + start.n;

	if (at < 0 || from >= tag.n || (tag.s[from] != '"' && tag.s[from] != '\''))
		return STR_NONE;
	ptrdiff_t end = str_find_char(str_rest(tag, from + 1), tag.s[from]);

	return end < 0 ? STR_NONE : decode(a, str_sub(tag, from + 1, from + 1 + (size_t)end));
}

/* The text up to the end of a tag, which is outside of quotes. */
static struct str
tag_text(struct str x)
{
	char quote = 0;

	for (size_t i = 0; i < x.n; i++) {
		if (quote)
			quote = x.s[i] == quote ? 0 : quote;
		else if (x.s[i] == '"' || x.s[i] == '\'')
			quote = x.s[i];
		else if (x.s[i] == '>')
			return str_sub(x, 0, i);
	}
	return x;
}

static struct str
from_text(struct str x, struct str text)
{
	ptrdiff_t at = str_find(x, text);

	return at < 0 ? STR_NONE : str_rest(x, (size_t)at);
}

static void
pick_case(struct arena *a, struct failure_sink *sink, struct str tag, struct str body)
{
	struct str failure = from_text(body, STR("<failure")), error = from_text(body, STR("<error"));
	struct str element = failure.s ? failure : error;

	if (!element.s || from_text(body, STR("<skipped")).s)
		return;
	struct str name = attribute(a, tag, "name"), class = attribute(a, tag, "classname");
	struct str file = attribute(a, tag, "file"), line = attribute(a, tag, "line");
	struct str head = tag_text(element), message = attribute(a, head, "message");
	ptrdiff_t end = str_find(element, failure.s ? STR("</failure>") : STR("</error>"));
	struct str text = end < 0 ? STR("") : decode(a, str_sub(element, head.n + 1, (size_t)end));
	struct buf title = BUF(a, KIB(4));

	buf_cat(&title, class, class.n > 0 ? ": " : "", name);
	if (file.n > 0)
		buf_cat(&title, " (", file, line.n > 0 ? ":" : "", line, ")");
	sink_begin(sink, strip_escapes_line(a, buf_str(&title)));
	struct str rest = message.n > 0 ? message : text;

	for (size_t left = MESSAGE_LINES; left > 0 && str_next(&rest, '\n', &line);)
		if (str_trim(line).n > 0) {
			sink_line(sink, line);
			left--;
		}
	/* the lines that name a file of the project */
	while (str_next(&text, '\n', &line))
		if (line_has_place(line) && !line_is_foreign(line))
			sink_line(sink, line);
}

void
junit_pick(struct arena *a, struct str output, struct failure_sink *sink)
{
	struct str rest = output, tag;

	while ((rest = from_text(rest, STR("<testcase"))).s) {
		tag = tag_text(rest);
		rest = str_rest(rest, tag.n);
		ptrdiff_t end = str_find(rest, STR("</testcase>"));

		if (!str_ends(tag, STR("/")) && end >= 0)
			pick_case(a, sink, tag, str_sub(rest, 1, (size_t)end));
	}
}
