/* SPDX-License-Identifier: MIT */
/* Text that can't command a terminal. */
#include "test.h"

#include "base/escapes.h"

#include <string.h>

#define BAD "\xEF\xBF\xBD"

TEST(what_commands_a_terminal_is_taken_out_of_text)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "", "" },
		{ "plain\ttext\n", "plain\ttext\n" },
		{ "\xC3\xA4 \xE2\x94\x81 \xF0\x9F\x98\x80", "\xC3\xA4 \xE2\x94\x81 \xF0\x9F\x98\x80" },
		{ "\033[31mred\033[0m", "red" },
		{ "\033[38;5;12;1mx\033[K", "x" },
		{ "\033[?25lhidden\033[?25h", "hidden" },
		{ "\033[1 qcursor", "cursor" },
		{ "\033]0;title\atext", "text" },
		{ "\033]8;;http://x\033\\link\033]8;;\033\\", "link" },
		{ "\033Pdevice\033\\text", "text" },
		{ "\033]0;never ends\nnext", "\nnext" },
		{ "\033]0;never ends", "" },
		{ "\033(Bcharset", "charset" },
		{ "\033cfull reset", "full reset" },
		{ "\033", "" },
		{ "\033[", "" },
		{ "\033[12", "" },
		{ "\033\033[1mx", "x" },
		{ "\033\xC3\xA4", "\xC3\xA4" },
		{ "\xC2\x9B"
		  "31mred",
		  "red" },
		{ "\xC2\x9Dx", BAD "x" },
		{ "a\rb", "a\nb" },
		{ "a\r\nb", "a\nb" },
		{ "a\bb\x7F"
		  "c\x01",
		  "a" BAD "b" BAD "c" BAD },
		{ "bad \xFF byte", "bad " BAD " byte" },
		{ "half \xE2\x94", "half " BAD BAD },
		{ "~ \xC2\xA0", "~ \xC2\xA0" },
		{ "\xE2\x80\xAE"
		  "bidi\xE2\x80\xAC \xE2\x81\xA6x\xE2\x81\xA9",
		  BAD "bidi" BAD " " BAD "x" BAD },
		{ "\xE2\x80\xA9 \xE2\x81\xA5", "\xE2\x80\xA9 \xE2\x81\xA5" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_STR(strip_escapes(&a, str_from(rows[i].in)), rows[i].out);
	struct str nul = strip_escapes(&a, STR("a\0b"));

	CHECK_STR(nul, "a" BAD "b");
}

TEST(each_byte_is_judged_wherever_it_stands)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char text[24];

	for (size_t at = 0; at < sizeof(text); at++) {
		for (int byte = 0; byte < 256; byte++) {
			memset(text, byte % 2 ? '~' : ' ', sizeof(text));
			text[at] = (char)byte;
			struct str x = { text, sizeof(text) };
			bool is_printable = byte >= ' ' && byte <= '~';

			CHECK((strip_escapes_line(&a, x).s == text) == is_printable);
			CHECK((strip_escapes(&a, x).s == text) ==
			      (is_printable || byte == '\n' || byte == '\t'));
		}
	}
}

TEST(text_that_is_plain_is_not_copied)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str x = STR("nothing to do\n");

	CHECK(strip_escapes(&a, x).s == x.s);
}

TEST(a_line_has_neither_newlines_nor_tabs)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str x = STR("one line");

	CHECK(strip_escapes_line(&a, x).s == x.s);
	CHECK_STR(strip_escapes_line(&a, STR("a\nb\tc\r\nd\033[1m\n")), "a b c d ");
}
