/* SPDX-License-Identifier: MIT */
/* The text behind a slash command: a prompt and options in one string, which never went through a shell. Pure. */
#ifndef LOOP_ARGUMENTS_H
#define LOOP_ARGUMENTS_H

#include "base/base.h"

struct loop_arguments {
	struct str prompt; /* byte for byte, without quotes around the whole of it; empty: none was given */
	struct str max_iterations, completion_promise, prompt_file, mode; /* absent: not given */
	bool is_forced;
};

/* A word that begins with -- is an option wherever it stands outside of quotes, with its value behind = or as the
 * next word, which may be quoted; one that is not known is an error, so that a mistyped limit never becomes part
 * of the prompt. A lone -- makes all that follows the prompt.
 *
 * The plugin's commands put a line %% before the text and one behind it. Where the second is missing, a part of the text was
 * lost on its way: an error. Between them the client's own backslash before a ! that begins a word is taken away. */
int loop_arguments_parse(struct arena *a, struct str text, struct loop_arguments *ret,
			 struct err *err) MUST_CHECK;

#endif
