/* SPDX-License-Identifier: MIT */
/* The environment, and what a terminal is asked. */
#include "test.h"

#include "os/env.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Sets a variable for the rest of a block; NULL takes it out. */
struct kept {
	const char *name;
	char *old;
};

static struct kept
set(const char *name, const char *value)
{
	const char *now = getenv(name);
	struct kept k = { name, now ? strdup(now) : NULL };

	if (value)
		(void)setenv(name, value, 1);
	else
		(void)unsetenv(name);
	return k;
}

static void
restore(struct kept *k)
{
	if (k->old)
		(void)setenv(k->name, k->old, 1);
	else
		(void)unsetenv(k->name);
	free(k->old);
}

TEST(an_unset_variable_is_absent_and_an_empty_one_is_not)
{
	CLEANUP(restore) struct kept k = set("HOLDFAST_TEST", NULL);

	CHECK(env_get("HOLDFAST_TEST").s == NULL && !env_has("HOLDFAST_TEST"));
	(void)setenv("HOLDFAST_TEST", "", 1);
	CHECK(env_get("HOLDFAST_TEST").s != NULL && !env_has("HOLDFAST_TEST"));
	(void)setenv("HOLDFAST_TEST", "x", 1);
	CHECK_STR(env_get("HOLDFAST_TEST"), "x");
	CHECK(env_has("HOLDFAST_TEST"));
}

TEST(home_is_the_variable_if_it_is_absolute_or_else_what_the_user_database_says)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(restore) struct kept k = set("HOME", "/somewhere");
	const struct passwd *row = getpwuid(getuid());

	CHECK_STR(env_home(&a), "/somewhere");
	CHECK(row);
	(void)setenv("HOME", "", 1);
	CHECK_STR(env_home(&a), row->pw_dir);
	(void)setenv("HOME", "somewhere", 1);
	CHECK_STR(env_home(&a), row->pw_dir);
	(void)unsetenv("HOME");
	CHECK_STR(env_home(&a), row->pw_dir);
}

TEST(base_directories_are_absolute_or_below_home)
{
	static const struct {
		const char *value, *expected;
	} rows[] = {
		{ "/x/state", "/x/state" },
		{ NULL, "/h/.local/state" },
		{ "", "/h/.local/state" },
		{ "relative", "/h/.local/state" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(restore) struct kept home = set("HOME", "/h/");

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(restore) struct kept k = set("HOLDFAST_TEST_XDG", rows[i].value);

		CHECK_STR(env_xdg(&a, "HOLDFAST_TEST_XDG", ".local/state"), rows[i].expected);
	}
}

static int
open_terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct winsize size = { .ws_row = 24, .ws_col = 132 };

	CHECK(slave >= 0 && ioctl(slave, TIOCSWINSZ, &size) == 0);
	return slave; /* the other side stays open for as long as the tests run */
}

TEST(colour_is_for_terminals_that_did_not_decline_it)
{
	static const struct {
		const char *name, *no_color, *term, *force, *level;
		bool on_terminal, elsewhere;
	} rows[] = {
		{ "plain", NULL, "xterm", NULL, NULL, true, false },
		{ "no TERM", NULL, NULL, NULL, NULL, true, false },
		{ "empty NO_COLOR", "", "xterm", NULL, NULL, true, false },
		{ "NO_COLOR", "1", "xterm", NULL, NULL, false, false },
		{ "dumb", NULL, "dumb", NULL, NULL, false, false },
		{ "forced", NULL, "dumb", "1", NULL, true, true },
		{ "forced by 0", NULL, "xterm", "0", NULL, true, false },
		{ "forced by nothing", NULL, "xterm", "", NULL, true, false },
		{ "a level of 0", NULL, "xterm", "1", "0", false, false },
		{ "a level of false", NULL, "xterm", NULL, "false", false, false },
		{ "a level of 1", "1", "dumb", NULL, "1", true, true },
		{ "a level of 3", NULL, "xterm", "0", "3", true, true },
		{ "an empty level", NULL, "xterm", NULL, "", true, false },
	};
	int terminal = open_terminal(), null = open("/dev/null", O_RDWR | O_CLOEXEC);

	CHECK(tty_is(terminal) && !tty_is(null));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(restore) struct kept no = set("NO_COLOR", rows[i].no_color);
		CLEANUP(restore) struct kept term = set("TERM", rows[i].term);
		CLEANUP(restore) struct kept force = set("CLICOLOR_FORCE", rows[i].force);
		CLEANUP(restore) struct kept level = set("FORCE_COLOR", rows[i].level);

		CHECK_ROW(rows[i].name, tty_wants_colour(terminal) == rows[i].on_terminal);
		CHECK_ROW(rows[i].name, tty_wants_colour(null) == rows[i].elsewhere);
	}
	(void)close(terminal);
	(void)close(null);
}

TEST(the_height_is_the_terminals_or_that_of_lines_or_24)
{
	CLEANUP(restore) struct kept k = set("LINES", "99");
	int terminal = open_terminal(), null = open("/dev/null", O_RDWR | O_CLOEXEC);

	CHECK(tty_height(terminal) == 24);
	CHECK(tty_height(null) == 99);
	(void)setenv("LINES", "0", 1);
	CHECK(tty_height(null) == 24);
	(void)unsetenv("LINES");
	CHECK(tty_height(null) == 24);
	(void)close(terminal);
	(void)close(null);
}

TEST(a_dumb_terminal_and_a_file_can_not_be_redrawn)
{
	int terminal = open_terminal(), null = open("/dev/null", O_RDWR | O_CLOEXEC);
	CLEANUP(restore) struct kept k = set("TERM", "xterm");

	CHECK(tty_can_redraw(terminal) && !tty_can_redraw(null));
	(void)setenv("TERM", "dumb", 1);
	CHECK(!tty_can_redraw(terminal));
	(void)unsetenv("TERM");
	CHECK(!tty_can_redraw(terminal));
	(void)close(terminal);
	(void)close(null);
}

TEST(the_width_is_the_terminals_or_that_of_columns_or_80)
{
	CLEANUP(restore) struct kept k = set("COLUMNS", "99");
	int terminal = open_terminal(), null = open("/dev/null", O_RDWR | O_CLOEXEC);

	CHECK(tty_width(terminal) == 132);
	CHECK(tty_width(null) == 99);
	(void)setenv("COLUMNS", "0", 1);
	CHECK(tty_width(null) == 80);
	(void)setenv("COLUMNS", "10001", 1);
	CHECK(tty_width(null) == 80);
	(void)unsetenv("COLUMNS");
	CHECK(tty_width(null) == 80);
	(void)close(terminal);
	(void)close(null);
}
