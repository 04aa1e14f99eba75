/* SPDX-License-Identifier: MIT */
/* What the subcommands of `holdfast ralph` share: their texts in two languages, and where the loops are. */
#ifndef CMD_LOOP_LOOP_H
#define CMD_LOOP_LOOP_H

#include "cmd/command.h"
#include "loop/loop.h"
#include "ui/print.h"

#define LANG_OPTION VALUE("lang", "LANG", "the language of the output", .choices = ralph_languages)

extern const char *const ralph_languages[];

enum ralph_text {
#define TEXT(name, en, fr) TEXT_##name,
#include "cmd/loop/texts.def"
	TEXT_COUNT
};
/* ralph_text(a, inv, TEXT_ADOPTED, progress, session): the text in the language of --lang, LC_ALL, LC_MESSAGES or LANG, or in
 * English without an invocation (NULL), with the values filled in, which are pieces as of str_cat(). Control characters are
 * removed from them, and those that the text does not use are ignored. */
#define ralph_text(a, inv, text, ...) \
	ralph_text_of((a), (inv), (text), CAT_PIECES(__VA_OPT__(__VA_ARGS__, ) ""))
struct str ralph_text_of(struct arena *a, const struct invocation *inv, enum ralph_text text,
			 const struct str *values);
/* The same as a line on stdout. */
#define ralph_print(a, inv, ...) print_cat(ralph_text((a), (inv), __VA_ARGS__), "\n")

/* The loops of the project, as seen from the current directory. */
struct loop_refs ralph_loops(struct arena *a);
/* --session, else the session in which the command runs; absent when neither is known. */
struct str ralph_session(const struct invocation *inv);

/* ralph resume --wait */
int ralph_wait(struct arena *a, const struct invocation *inv);
/* The lines about a loop that `start` and `status` share. Those of `start` are English (NULL), because the model reads them. */
void ralph_print_loop(struct arena *a, const struct invocation *inv, struct str path,
		      const struct loop_state *s);
/* "50 iterations, 90 min, $2.00"; empty: there is no limit. */
struct str ralph_limits(struct arena *a, uint64_t iterations, uint64_t minutes, uint64_t tokens,
			int64_t cost);
/* Writes the new text of a loop's file. */
int ralph_write(struct arena *a, struct loop *l, struct str path, struct str text, struct err *err);

/* "1 h 02 min" since the loop began; absent when that is not known. */
struct str ralph_elapsed(struct arena *a, const struct loop_state *s);

#endif
