/* SPDX-License-Identifier: MIT */
/* Collects the tests and runs them. An argument selects tests: a part of their names, or a share such as 2/3. */
#include "test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct CMUnitTest tests[4096];
static size_t test_count;
static char *dirs[4096];
static size_t dir_count;

void
test_register(const char *name, CMUnitTestFunction fn)
{
	if (test_count < COUNT_OF(tests))
		tests[test_count++] = (struct CMUnitTest){ .name = name, .test_func = fn };
}

void
test_check_str(struct str value, const char *expected, const char *file, int line)
{
	if (str_is(value, expected))
		return;
	print_error("'" STR_FMT "' is not '%s'\n", STR_ARG(value), expected);
	_fail(file, line);
}

const char *
test_dir(void)
{
	char template[] = "/tmp/holdfast-unit-XXXXXX";

	if (!mkdtemp(template) || dir_count == COUNT_OF(dirs))
		abort();
	dirs[dir_count] = strdup(template);
	return dirs[dir_count++];
}

/* No test reads or writes the user's own files. */
static void
use_home(const char *dir)
{
	static const char *const below_home[] = { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
						  "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR" };

	if (setenv("HOME", dir, 1) < 0 || setenv("CONCLAUDE_STATE_DIR", dir, 1) < 0)
		abort();
	for (size_t i = 0; i < COUNT_OF(below_home); i++)
		(void)unsetenv(below_home[i]);
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

int
main(int argc, char **argv)
{
	size_t kept = 0, part = 1, parts = 1;
	bool is_part = argc > 1 && sscanf(argv[1], "%zu/%zu", &part, &parts) == 2 && parts > 0;

	for (size_t i = 0; i < test_count; i++)
		if (is_part ? i % parts == part % parts : argc < 2 || strstr(tests[i].name, argv[1]))
			tests[kept++] = tests[i];
	(void)unsetenv("FORCE_COLOR"); /* a CI system may have set it */
	use_home(test_dir());
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = _cmocka_run_group_tests("unit", tests, kept, NULL, NULL);

	for (size_t i = 0; i < dir_count; i++) {
		(void)nftw(dirs[i], remove_one, 16, FTW_DEPTH | FTW_PHYS);
		free(dirs[i]);
	}
	return failed != 0;
}
