/* SPDX-License-Identifier: MIT */
/* Command lines: parsing and evaluating them ends, within the limits, and every command has what it promises. */
#include "shell/shell.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct sh_facts facts = { .cwd = STR("/project"), .home = STR("/home/user") };
	struct sh_script s = sh_commands(&a, (struct str){ (const char *)data, n }, &facts);

	if (s.count > SHELL_COMMANDS_LIMIT + 2)
		abort();
	for (size_t i = 0; i < s.count; i++) {
		const struct sh_command *c = &s.items[i];

		if (!c->cwd.s)
			abort();
		/* a program that is known has a name that is known */
		if (!c->problem.s && c->count > 0 && sh_has_hole(sh_program(c)))
			abort();
		for (size_t k = 0; k < c->count; k++)
			if (!c->args[k].text.s || c->args[k].is_unknown != sh_has_hole(c->args[k].text))
				abort();
	}
	return 0;
}
