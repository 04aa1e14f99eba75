/* SPDX-License-Identifier: MIT */
/* Is a person looking? */
#ifndef OS_TTY_H
#define OS_TTY_H

#include "base/base.h"

bool tty_is(int fd);
/* Colour on a terminal, unless NO_COLOR is set or TERM is dumb; CLICOLOR_FORCE forces it, and FORCE_COLOR decides. */
bool tty_wants_colour(int fd);
/* In columns; COLUMNS, else 80, where fd is no terminal. */
int tty_width(int fd);
/* In lines; LINES, else 24, where fd is no terminal. */
int tty_height(int fd);
/* A terminal on which what was written can be taken back: not a dumb one. */
bool tty_can_redraw(int fd);

#endif
