/* SPDX-License-Identifier: MIT */
/* What a terminal is given. */
#include "test.h"

#include "ui/print.h"

TEST(a_terminal_is_given_our_styles_and_nobody_elses_commands)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "", "" },
		{ "plain\n", "plain\n" },
		{ "\033[1mbold\033[0m\n", "\033[1mbold\033[0m\n" },
		{ "\033[31mred\033[0m and \033[2mdim\033[0m", "\033[31mred\033[0m and \033[2mdim\033[0m" },
		{ "\033[0m", "\033[0m" },
		{ "\033]0;title\ax", "x" },
		{ "\033[2J\033[1mx\033[0m\033[H", "\033[1mx\033[0m" },
		{ "\033[8mhidden", "hidden" },
		{ "\033]0;open\033[0mend", "\033[0mend" },
		{ "\033", "" },
		{ "a\033[", "a" },
		{ "a\rb\n", "a\nb\n" },
		{ "\xFF", "\xEF\xBF\xBD" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };

		CHECK_ROW(rows[i].in, str_is(print_harmless(&a, str_from(rows[i].in)), rows[i].out));
	}
}
