/* SPDX-License-Identifier: MIT */
/* Completion for bash, zsh and fish. The scripts in share/completions/scripts ask the program itself, by 'completions
 * candidates', what may stand at the cursor, so that all of them follow the table of commands. */
#include "base/buf.h"
#include "cmd/commands.h"
#include "cmd/completion_scripts.h"
#include "ui/print.h"

#define LIMIT_BYTES MIB(1)

/* A candidate, and what it means. */
static void
add(struct buf *b, const char *before, const char *word, const char *summary)
{
	buf_cat(b, before, word, "\t", summary, "\n");
}

static void
add_choices(struct buf *b, const char *const *choices)
{
	for (size_t i = 0; choices && choices[i]; i++)
		add(b, "", choices[i], "");
}

/* What may stand at the last of the words after the program's name. */
static void
add_candidates(struct buf *b, const struct command *root, const struct str *words, size_t count)
{
	const struct command *at = root;
	struct str previous = count > 1 ? words[count - 2] : STR("");

	for (size_t i = 0; i + 1 < count; i++) {
		const struct command *sub = command_find(at, words[i]);

		if (sub && !sub->is_hidden)
			at = sub;
	}
	for (size_t i = 0; i < at->option_count; i++) {
		const struct option_row *row = &at->options[i];

		if (row->arg_name && (str_eq(previous, str_cat(b->arena, "--", row->name)) ||
				      (row->short_name && previous.n == 2 && previous.s[0] == '-' &&
				       previous.s[1] == row->short_name))) {
			/* The values of an option: its choices, the output of a command, or files. */
			struct str name = str_from(row->arg_name);

			if (row->choices)
				add_choices(b, row->choices);
			else if (row->source)
				buf_cat(b, ":run ", row->source, "\n");
			else if (str_is(name, "FILE") || str_is(name, "DIRECTORY") || str_is(name, "PATH"))
				buf_add(b, STR(":files\n"));
			return;
		}
	}
	if (str_starts(words[count - 1], STR("-"))) {
		add(b, "--", "help", "show help");
		if (at == root)
			add(b, "--", "version", "print the version");
		for (size_t i = 0; i < at->option_count; i++)
			add(b, "--", at->options[i].name, at->options[i].help);
		return;
	}
	if (at->arg_source) {
		buf_cat(b, ":run ", at->arg_source, "\n");
		return;
	}
	const struct command *from = at->has_command_args ? root : at;

	for (size_t i = 0; i < from->sub_count; i++)
		if (!from->subs[i]->is_hidden)
			add(b, "", from->subs[i]->name, from->subs[i]->summary);
	add_choices(b, at->arg_choices);
}

static const struct {
	const char *name, *script;
} shells[] = { { "bash", BASH_SCRIPT }, { "zsh", ZSH_SCRIPT }, { "fish", FISH_SCRIPT } };

static int
run(struct arena *a, const struct invocation *inv)
{
	const char *program = inv->path[0]->name;
	struct str function = str_replace(a, str_cat(a, "_", program), STR("-"), STR("_"));
	struct buf b = BUF(a, LIMIT_BYTES);

	if (str_is(inv->args[0], "candidates") && inv->arg_count > 1) {
		add_candidates(&b, inv->path[0], inv->args + 1, inv->arg_count - 1);
		return print_out(buf_str(&b));
	}
	for (size_t i = 0; i < COUNT_OF(shells) && inv->arg_count == 1; i++)
		if (str_is(inv->args[0], shells[i].name)) {
			struct str text = str_replace(a, str_from(shells[i].script), STR("@PROGRAM@"),
						      str_from(program));

			return print_out(str_replace(a, text, STR("@FUNCTION@"), function));
		}
	return usage_error(inv, "unknown shell '", inv->args[0], "'; expected one of: bash, zsh, fish");
}

static const char *const shell_names[] = { "bash", "zsh", "fish", NULL };

const struct command completions_command = {
	.name = "completions",
	.summary = "print a completion script for a shell",
	.details = "Prints the script on standard output. To load it:\n"
		   "\n"
		   "  bash   source <(holdfast completions bash), in ~/.bashrc\n"
		   "  zsh    holdfast completions zsh > DIR/_holdfast, where DIR is in $fpath\n"
		   "  fish   holdfast completions fish > ~/.config/fish/completions/holdfast.fish",
	.args = "bash|zsh|fish",
	.least_args = 1,
	.most_args = ARGS_ANY,
	.arg_choices = shell_names,
	.run = run,
};
