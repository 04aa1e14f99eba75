/* SPDX-License-Identifier: MIT */
/* Terminals. Only asks; never changes a terminal's settings. */
#include "os/tty.h"

#include "base/number.h"
#include "os/env.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_WIDTH 80
#define DEFAULT_HEIGHT 24
#define MAX_SIZE 10000

bool
tty_is(int fd)
{
	return isatty(fd) == 1;
}

bool
tty_wants_colour(int fd)
{
	/* By the number of colours; 0 is none. */
	if (env_has("FORCE_COLOR"))
		return !str_is(env_get("FORCE_COLOR"), "0") && !str_is(env_get("FORCE_COLOR"), "false");
	if (env_has("CLICOLOR_FORCE") && !str_is(env_get("CLICOLOR_FORCE"), "0"))
		return true;
	return tty_is(fd) && !env_has("NO_COLOR") && !str_is(env_get("TERM"), "dumb");
}

static int
size_from(const char *name, int otherwise)
{
	uint64_t n;

	return number_parse(env_get(name), &n) && n > 0 && n <= MAX_SIZE ? (int)n : otherwise;
}

int
tty_width(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return size_from("COLUMNS", DEFAULT_WIDTH);
}

int
tty_height(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0)
		return size.ws_row;
	return size_from("LINES", DEFAULT_HEIGHT);
}

bool
tty_can_redraw(int fd)
{
	return tty_is(fd) && env_has("TERM") && !str_is(env_get("TERM"), "dumb");
}
