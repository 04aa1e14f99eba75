/* SPDX-License-Identifier: MIT */
/* The program that a command starts with. Only a shell can read its language: this looks only at a first word that
 * every shell reads the same way, and gives no answer for any other. */
#include "gates/check.h"

#include "base/path.h"
#include "os/env.h"
#include "os/fs.h"

#include <string.h>

/* The words that the common shells know without a file. A word that a shell lacks does no harm here. */
static const char *const shell_words[] = {
	"!",        "-",         ".",        ":",       "[",       "[[",     "alias",   "bg",
	"bind",     "break",     "builtin",  "case",    "cd",      "chdir",  "command", "compgen",
	"complete", "compopt",   "continue", "coproc",  "declare", "dirs",   "disown",  "do",
	"done",     "echo",      "elif",     "else",    "enable",  "esac",   "eval",    "exec",
	"exit",     "export",    "false",    "fc",      "fg",      "fi",     "for",     "function",
	"getopts",  "hash",      "help",     "history", "if",      "in",     "jobs",    "kill",
	"let",      "local",     "logout",   "mapfile", "popd",    "printf", "pushd",   "pwd",
	"read",     "readarray", "readonly", "return",  "select",  "set",    "shift",   "shopt",
	"source",   "suspend",   "test",     "then",    "time",    "times",  "trap",    "true",
	"type",     "typeset",   "ulimit",   "umask",   "unalias", "unset",  "until",   "wait",
	"while",    "{",         "}",
};

static bool
is_shell_word(struct str word)
{
	for (size_t i = 0; i < COUNT_OF(shell_words); i++)
		if (str_is(word, shell_words[i]))
			return true;
	return false;
}

static bool
is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && memchr("_-./+@%:,", c, 9));
}

/* NAME=value, without quotes. */
static bool
is_assignment(struct str word)
{
	ptrdiff_t at = str_find_char(word, '=');

	if (at <= 0 || (word.s[0] >= '0' && word.s[0] <= '9'))
		return false;
	for (size_t i = 0; i < (size_t)at; i++)
		if (!is_word_char(word.s[i]) || memchr("-./+@%:,", word.s[i], 8))
			return false;
	return true;
}

/* The first word that is not an assignment; absent where quotes, expansions or the like come before its end. */
static struct str
first_word(struct str command)
{
	for (;;) {
		size_t n = 0;

		command = str_trim(command);
		while (n < command.n && (is_word_char(command.s[n]) || command.s[n] == '='))
			n++;
		bool is_whole_word = n == command.n || memchr(" \t\n;&|", command.s[n], 6);
		struct str word = str_sub(command, 0, n);

		if (n == 0 || !is_whole_word)
			return STR_NONE;
		if (str_find_char(word, '=') < 0)
			return word;
		if (!is_assignment(word) || n == command.n || !memchr(" \t", command.s[n], 2) ||
		    str_starts(word, STR("PATH=")))
			return STR_NONE;
		command = str_sub(command, n, command.n);
	}
}

/* Does PATH mean the same in every directory? */
static bool
is_path_absolute(void)
{
	struct str rest = env_get("PATH"), dir;

	if (rest.n == 0 || rest.s[rest.n - 1] == ':')
		return false;
	while (str_next(&rest, ':', &dir))
		if (!str_starts(dir, STR("/")))
			return false;
	return true;
}

struct str
check_program(struct str command)
{
	struct str word = first_word(command);

	return word.s && !is_shell_word(word) ? word : STR_NONE;
}

struct str
check_missing_program(struct arena *a, struct str command, struct str dir)
{
	struct str word = check_program(command);
	const char *path;
	struct err ignored;

	if (!word.s)
		return STR_NONE;
	word = str_copy(a, word);
	if (str_find_char(word, '/') < 0)
		return !is_path_absolute() || env_find_program(a, word.s).s ? STR_NONE : word;
	struct str full = path_from(a, dir, word);

	if (str_cz(a, full, &path, &ignored) < 0 || fs_lkind(path) != FS_NOTHING)
		return STR_NONE;
	return word;
}
