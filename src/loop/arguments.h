/* SPDX-License-Identifier: MIT */
/* The text after a slash command: a prompt and options in one string, which never went through a shell. Pure. */
#ifndef LOOP_ARGUMENTS_H
#define LOOP_ARGUMENTS_H

#include "base/base.h"

struct loop_arguments {
	struct str prompt; /* byte for byte, without enclosing quotes; empty: none was given */
	struct str max_iterations, completion_promise, prompt_file, mode; /* absent: not given */
	bool is_forced;
};

/* A word outside quotes that begins with -- is an option, wherever it is. Its value follows = or is the next word, which may be
 * quoted. An unknown option is an error, so that a mistyped limit never becomes part of the prompt. After a lone --
 * everything is the prompt.
 *
 * The plugin's commands put a line %% before and after the text. Where the second is missing, part of the text was lost, which
 * is an error. Between the two, the backslash that the client puts before a ! at the start of a word is removed. */
int loop_arguments_parse(struct arena *a, struct str text, struct loop_arguments *ret,
			 struct err *err) MUST_CHECK;

#endif
