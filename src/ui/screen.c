/* SPDX-License-Identifier: MIT */
/* Draws lines on a terminal through ncurses, which alone knows how that terminal is controlled. */
#include "ui/screen.h"

#include "os/env.h"

#include <locale.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>
#undef lines /* which term.h defines */

/* A byte of Escape alone counts as the key after this time. */
#define ESCAPE_MS 25

/* What ends the modes that the screen sets, in this order. */
static const char *const endings[] = { "sgr0", "rmkx", "cnorm", "rmcup" };
static const char *ending_texts[COUNT_OF(endings)];
static struct termios saved;
static SCREEN *terminal;
static bool has_colours;
/* Of the styles that have one. */
static const short colours[] = {
	[STYLE_RED] = COLOR_RED,   [STYLE_GREEN] = COLOR_GREEN,     [STYLE_YELLOW] = COLOR_YELLOW,
	[STYLE_BLUE] = COLOR_BLUE, [STYLE_MAGENTA] = COLOR_MAGENTA,
};

int
screen_prepare(struct err *err)
{
	struct str name = env_get("TERM");
	int found = 0;

	if (setupterm(NULL, STDOUT_FILENO, &found) != OK || found != 1 || !tigetstr("cup") ||
	    tigetstr("cup") == (char *)-1)
		return err_set(err, ERR_VALUE,
			       "TERM is '" STR_FMT
			       "', a terminal that can't be drawn on or is not known here",
			       STR_ARG(name.s ? name : STR("")));
	if (tcgetattr(STDIN_FILENO, &saved) < 0)
		return err_sys(err, "the settings of the terminal");
	for (size_t i = 0; i < COUNT_OF(endings); i++) {
		const char *text = tigetstr(endings[i]);

		ending_texts[i] = text && text != (char *)-1 ? text : NULL;
	}
	return 0;
}

void
screen_restore(void)
{
	for (size_t i = 0; i < COUNT_OF(endings); i++)
		if (ending_texts[i])
			(void)putp(ending_texts[i]);
	(void)fflush(stdout);
	(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
}

int
screen_open(bool has_colour, struct err *err)
{
	/* Our texts are UTF-8, whatever the environment says. */
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		(void)setlocale(LC_CTYPE, "");
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal)
		return err_set(err, ERR_VALUE, "the terminal can't be drawn on");
	(void)cbreak();
	(void)noecho();
	(void)nonl();
	(void)keypad(stdscr, true);
	(void)nodelay(stdscr, true);
	(void)set_escdelay(ESCAPE_MS);
	(void)curs_set(0);
	if (!has_colour || !has_colors() || start_color() != OK)
		return 0;
	short background = use_default_colors() == OK ? -1 : COLOR_BLACK;

	for (short i = STYLE_RED; i < (short)COUNT_OF(colours); i++)
		(void)init_pair(i, colours[i], background);
	has_colours = true;
	return 0;
}

void
screen_suspend(void)
{
	(void)endwin();
}

void
screen_resume(void)
{
	/* The size may have changed, and what the terminal shows is not known. */
	screen_resize();
	(void)clearok(curscr, true);
	(void)refresh();
}

void
screen_close(void)
{
	if (!terminal)
		return;
	(void)endwin();
	delscreen(terminal);
	terminal = NULL;
}

void
screen_resize(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
		(void)resizeterm(size.ws_row, size.ws_col);
}

int
screen_width(void)
{
	return getmaxx(stdscr);
}

int
screen_height(void)
{
	return getmaxy(stdscr);
}

static attr_t
attributes(enum style style)
{
	if (style == STYLE_BOLD || style == STYLE_DIM)
		return style == STYLE_BOLD ? A_BOLD : A_DIM;
	return has_colours && style != STYLE_PLAIN ? (attr_t)COLOR_PAIR((int)style) : A_NORMAL;
}

/* A line that is marked is inverted as a whole, without colours. */
void
screen_show(const struct styled_line *lines, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int height = screen_height();

	(void)erase();
	for (int y = 0; y < height && (size_t)y < count; y++) {
		const struct styled_line *l = &lines[y];

		(void)move(y, 0);
		for (size_t i = 0; i < l->count; i++) {
			(void)attrset(l->is_marked ? (int)A_REVERSE : (int)attributes(l->spans[i].style));
			struct str text = strip_escapes_line(&a, l->spans[i].text);

			(void)addnstr(text.s, (int)text.n);
		}
		(void)attrset(A_NORMAL);
		if (l->is_marked && getcury(stdscr) == y)
			(void)hline(' ' | A_REVERSE, screen_width());
	}
	(void)refresh();
}

int
screen_key(void)
{
	static const struct {
		int curses;
		enum screen_key key;
	} rows[] = {
		{ KEY_UP, SCREEN_UP },           { KEY_DOWN, SCREEN_DOWN }, { KEY_PPAGE, SCREEN_PAGE_UP },
		{ KEY_NPAGE, SCREEN_PAGE_DOWN }, { KEY_HOME, SCREEN_HOME }, { KEY_END, SCREEN_END },
		{ KEY_ENTER, SCREEN_ENTER },     { '\r', SCREEN_ENTER },    { '\n', SCREEN_ENTER },
	};
	int key = getch();

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (key == rows[i].curses)
			return rows[i].key;
	return key == ERR ? SCREEN_NO_KEY : key;
}
