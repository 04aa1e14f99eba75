/* SPDX-License-Identifier: MIT */
/* The environment and terminals. Variables are looked up without getenv(), which compares the whole name with each of them: a
 * stop looks up many. Never changes a terminal's settings. Reads /etc/passwd itself, because name services load libraries,
 * which a static binary can't. */
#include "os/env.h"

#include "os/fs.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_WIDTH 80
#define DEFAULT_HEIGHT 24
#define MAX_SIZE 10000

struct str
env_get(const char *name)
{
	for (char *const *e = environ; e && *e; e++) {
		size_t n = 0;

		while (name[n] != '\0' && (*e)[n] == name[n])
			n++;
		if (name[n] == '\0' && (*e)[n] == '=')
			return str_from(*e + n + 1);
	}
	return STR_NONE;
}

bool
env_has(const char *name)
{
	return env_get(name).n > 0;
}

struct str
env_home(struct arena *a)
{
	struct str home = env_get("HOME");
	struct passwd *row;

	if (str_starts(home, STR("/")))
		return home;
	FILE *f = fopen("/etc/passwd", "re");

	home = STR_NONE;
	while (f && !home.s && (row = fgetpwent(f)))
		if (row->pw_uid == getuid() && row->pw_dir && row->pw_dir[0] != '\0')
			home = str_copy(a, str_from(row->pw_dir));
	if (f)
		(void)fclose(f);
	return home;
}

struct str
env_xdg(struct arena *a, const char *name, const char *fallback)
{
	struct str value = env_get(name);

	if (str_starts(value, STR("/")))
		return value;
	struct str home = env_home(a);

	return home.s ? path_join(a, home, str_from(fallback)) : STR_NONE;
}

static bool
is_in_any(struct arena *a, struct str path, const struct str_list *dirs)
{
	struct str real = dirs->count > 0 ? fs_real(a, str_copy(a, path).s) : STR_NONE;
	bool is_in = false;

	for (size_t i = 0; real.s && i < dirs->count; i++)
		is_in |= path_is_at_or_below(real, dirs->items[i]);
	return is_in;
}

struct str
env_find_program(struct arena *a, const char *name)
{
	return env_find_program_outside(a, name, &(struct str_list){ 0 });
}

struct str
env_find_program_outside(struct arena *a, const char *name, const struct str_list *dirs)
{
	struct str rest = env_get("PATH"), dir;

	while (str_next(&rest, ':', &dir)) {
		struct str path = path_join(a, dir, str_from(name));

		/* A relative directory depends on where the caller is. */
		if (path_is_absolute(dir) && fs_kind(path.s) == FS_FILE &&
		    faccessat(AT_FDCWD, path.s, X_OK, AT_EACCESS) == 0 && !is_in_any(a, dir, dirs))
			return path;
	}
	return STR_NONE;
}

struct str
env_self(struct arena *a)
{
	return fs_real(a, "/proc/self/exe");
}

bool
tty_is(int fd)
{
	return isatty(fd) == 1;
}

bool
tty_wants_colour(int fd)
{
	/* Its value is the number of colours. */
	if (env_has("FORCE_COLOR"))
		return !str_is(env_get("FORCE_COLOR"), "0") && !str_is(env_get("FORCE_COLOR"), "false");
	if (env_has("CLICOLOR_FORCE") && !str_is(env_get("CLICOLOR_FORCE"), "0"))
		return true;
	return tty_is(fd) && !env_has("NO_COLOR") && !str_is(env_get("TERM"), "dumb");
}

static int
size_or(int size, const char *name, int fallback)
{
	uint64_t n;

	if (size > 0)
		return size;
	return number_parse(env_get(name), &n) && n > 0 && n <= MAX_SIZE ? (int)n : fallback;
}

int
tty_width(int fd)
{
	struct winsize size;

	return size_or(ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0, "COLUMNS", DEFAULT_WIDTH);
}

int
tty_height(int fd)
{
	struct winsize size;

	return size_or(ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0, "LINES", DEFAULT_HEIGHT);
}

bool
tty_can_redraw(int fd)
{
	return tty_is(fd) && env_has("TERM") && !str_is(env_get("TERM"), "dumb");
}
