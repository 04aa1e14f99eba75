/* SPDX-License-Identifier: MIT */
/* The environment, and the terminals that people see. */
#ifndef OS_ENV_H
#define OS_ENV_H

#include "base/base.h"

/* Absent if unset. */
struct str env_get(const char *name);
/* Is it set and not empty? */
bool env_has(const char *name);
/* HOME if it is an absolute path, else the home directory in /etc/passwd; absent if there is neither. */
struct str env_home(struct arena *a);
/* An XDG base directory: the value of `name` if it is an absolute path, else HOME/fallback; absent without a home. */
struct str env_xdg(struct arena *a, const char *name, const char *fallback);
/* The absolute path of the program in PATH; absent if there is none. */
struct str env_find_program(struct arena *a, const char *name);
/* The same, but in none of these directories, nor below one, whatever links lead there. Their paths are real. */
struct str env_find_program_outside(struct arena *a, const char *name, const struct str_list *dirs);
/* The executable of this process; absent if it can't be read. */
struct str env_self(struct arena *a);

bool tty_is(int fd);
/* Colour on a terminal, unless NO_COLOR is set or TERM is dumb; CLICOLOR_FORCE forces it, and FORCE_COLOR overrides all. */
bool tty_wants_colour(int fd);
/* In columns; COLUMNS, else 80, if fd is not a terminal. */
int tty_width(int fd);
/* In lines; LINES, else 24, if fd is not a terminal. */
int tty_height(int fd);
/* Is it a terminal on which lines can be overwritten? */
bool tty_can_redraw(int fd);

#endif
