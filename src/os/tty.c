/* SPDX-License-Identifier: MIT */
/* Terminals. Only asks; never changes a terminal's settings. */
#include "os/tty.h"

#include "base/number.h"
#include "os/env.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_WIDTH 80
#define MAX_WIDTH 10000

bool
tty_is(int fd)
{
	return isatty(fd) == 1;
}

bool
tty_wants_colour(int fd)
{
	if (env_has("CLICOLOR_FORCE") && !str_is(env_get("CLICOLOR_FORCE"), "0"))
		return true;
	return tty_is(fd) && !env_has("NO_COLOR") && !str_is(env_get("TERM"), "dumb");
}

int
tty_width(int fd)
{
	struct winsize size;
	uint64_t columns;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	if (number_parse(env_get("COLUMNS"), &columns) && columns > 0 && columns <= MAX_WIDTH)
		return (int)columns;
	return DEFAULT_WIDTH;
}
