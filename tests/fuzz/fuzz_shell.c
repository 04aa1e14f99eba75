/* SPDX-License-Identifier: MIT */
/* Command lines: parsing and evaluating them ends, within the limits, and every command has what it promises. */
#include "shell/shell.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Every file has this text: a script, a Makefile, a package.json. */
static struct str
script(void *data, struct arena *a, struct str path)
{
	(void)a;
	(void)path;
	return *(struct str *)data;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str line = { (const char *)data, n }, file = STR_NONE;
	struct sh_facts facts = {
		.cwd = STR("/project"), .home = STR("/home/user"), .script = script, .data = &file
	};
	ptrdiff_t end = str_find_char(line, '\0');

	/* what follows a NUL is the file */
	if (end >= 0) {
		file = str_sub(line, (size_t)end + 1, line.n);
		line.n = (size_t)end;
	}
	struct sh_script s = sh_commands(&a, line, &facts);

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
