/* SPDX-License-Identifier: MIT */
/* What the table of commands says of itself: help pages, the help command, and completion for bash, zsh and fish. The scripts in
 * share/completions/scripts ask the program, by 'completions candidates', what may stand at the cursor. Knows nothing about any command. */
#include "cmd/command.h"

#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/completion_scripts.h"
#include "cmd/help_texts.h"
#include "import/gates.h"
#include "model/status.h"
#include "os/env.h"
#include "ui/print.h"

#define PAGE_LIMIT_BYTES MIB(1)
#define ROWS_MAX 128

struct str
help_usage(struct arena *a, const struct invocation *inv)
{
	const struct command *c = inv->command;
	struct buf b = BUF(a, KIB(1));

	buf_add(&b, STR("usage: "));
	buf_add(&b, invocation_name(a, inv));
	if (c->sub_count > 0)
		buf_cat(&b, c->run ? " [COMMAND]" : " COMMAND");
	if (c->option_count > 0)
		buf_add(&b, STR(" [OPTIONS]"));
	if (c->args)
		buf_cat(&b, " ", c->args);
	return buf_str(&b);
}

struct str
help_command_names(struct arena *a, const struct command *c)
{
	struct buf b = BUF(a, KIB(4));

	for (size_t i = 0; i < c->sub_count; i++)
		if (!c->subs[i]->is_hidden)
			buf_cat(&b, b.n == 0 ? "commands: " : ", ", c->subs[i]->name);
	return buf_str(&b);
}

static void
add_options(struct buf *b, const struct invocation *inv, int width, bool has_colour)
{
	const struct command *c = inv->command;
	struct print_row rows[ROWS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < c->option_count && count + 2 < ROWS_MAX; i++) {
		const struct option_row *row = &c->options[i];
		struct buf label = BUF(b->arena, KIB(1)), text = BUF(b->arena, KIB(4));

		if (row->short_name)
			buf_cat(&label, "-", row->short_name, ", ");
		buf_cat(&label, "--", row->name, row->arg_name ? " " : "", row->arg_name);
		buf_cat(&text, row->help);
		for (size_t k = 0; row->choices && row->choices[k]; k++)
			buf_cat(&text, k == 0 ? " [" : ", ", row->choices[k]);
		if (row->choices)
			buf_addc(&text, ']');
		rows[count++] = (struct print_row){ buf_str(&label), buf_str(&text) };
	}
	rows[count++] = (struct print_row){ STR("-h, --help"), STR("show this help") };
	if (inv->depth == 1)
		rows[count++] = (struct print_row){ STR("-V, --version"), STR("print the version") };
	print_styled(b, has_colour, STYLE_BOLD, STR("\nOptions\n"));
	print_rows(b, rows, count, width, has_colour);
}

/* The page for the command at the end of the invocation's path, laid out for `width` columns. */
static struct str
help_page(struct arena *a, const struct invocation *inv, int width, bool has_colour)
{
	const struct command *c = inv->command;
	struct buf b = BUF(a, PAGE_LIMIT_BYTES);
	struct str name = invocation_name(a, inv);

	print_paragraph(&b, str_cat(a, name, ": ", c->summary), width);
	buf_addc(&b, '\n');
	buf_add(&b, help_usage(a, inv));
	buf_addc(&b, '\n');
	if (c->details) {
		buf_addc(&b, '\n');
		print_paragraph(&b, str_from(c->details), width);
	}
	const struct command_group all = { "Commands", c->sub_count };
	const struct command_group *group = c->groups ? c->groups : &all;
	size_t from = 0;

	for (; from < c->sub_count; from += group->count, group++) {
		struct print_row rows[ROWS_MAX];
		size_t count = 0;

		for (size_t i = from; i < from + group->count && count < ROWS_MAX; i++)
			if (!c->subs[i]->is_hidden)
				rows[count++] = (struct print_row){ str_from(c->subs[i]->name),
								    str_from(c->subs[i]->summary) };
		if (count == 0)
			continue;
		print_styled(&b, has_colour, STYLE_BOLD, str_cat(b.arena, "\n", group->title, "\n"));
		print_rows(&b, rows, count, width, has_colour);
	}
	add_options(&b, inv, width, has_colour);
	if (c->sub_count > 0)
		buf_cat(&b, "\nSee '", name, " COMMAND --help' for each command.\n");
	return buf_str(&b);
}

static struct invocation
below(const struct invocation *inv, const struct command *sub)
{
	struct invocation next = *inv;

	next.path[next.depth++] = sub;
	next.command = sub;
	return next;
}

/* Every page, commands before their subcommands. */
static void
add_all_pages(struct buf *b, const struct invocation *inv, int width, bool has_colour)
{
	buf_add(b, help_page(b->arena, inv, width, has_colour));
	for (size_t i = 0; i < inv->command->sub_count && inv->depth < COMMAND_DEPTH_MAX; i++) {
		struct invocation next = below(inv, inv->command->subs[i]);

		if (next.command->is_hidden)
			continue;
		buf_addc(b, '\n');
		add_all_pages(b, &next, width, has_colour);
	}
}

/* One line for each command and option, for scripts. */
static void
add_names(struct buf *b, const struct invocation *inv)
{
	struct str name = invocation_name(b->arena, inv);

	buf_cat(b, "command\t", name, "\n");
	for (size_t i = 0; i < inv->command->option_count; i++)
		buf_cat(b, "option\t", name, "\t--", inv->command->options[i].name, "\n");
	for (size_t i = 0; i < inv->command->sub_count && inv->depth < COMMAND_DEPTH_MAX; i++) {
		struct invocation next = below(inv, inv->command->subs[i]);

		if (!next.command->is_hidden)
			add_names(b, &next);
	}
}

int
help_show(struct arena *a, const struct invocation *inv)
{
	return print_out(help_page(a, inv, print_width(1), tty_wants_colour(1)));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct invocation about = { .path = { inv->path[0] }, .depth = 1, .command = inv->path[0] };
	struct buf b = BUF(a, PAGE_LIMIT_BYTES);

	for (size_t i = 0; i < inv->arg_count; i++) {
		const struct command *sub = command_find(about.command, inv->args[i]);
		struct str name = invocation_name(a, &about);
		struct str hint = command_suggestion(a, about.command, inv->args[i]);

		if (!sub || about.depth == COMMAND_DEPTH_MAX)
			return usage_error(&about, "'", name, "' has no command '", inv->args[i], "'", hint);
		about = below(&about, sub);
	}
	if (option_has(inv, "names")) {
		add_names(&b, &about);
		if (inv->arg_count == 0) {
			/* What else the documentation must list: every key of .conclaude.yaml and of .gauntlet, and every status. */
			struct schema_keys keys = { 0 };

			schema_add_keys(b.arena, &conclaude_schema, &keys);
			for (size_t i = 0; i < keys.count; i++)
				buf_cat(&b, "key\t", keys.items[i].path, "\n");
			struct schema_keys gates = gates_keys(b.arena);

			for (size_t i = 0; i < gates.count; i++)
				buf_cat(&b, "gate-key\t", gates.items[i].file, "\t", gates.items[i].path,
					"\n");
			for (int i = 0; i < STATUS_COUNT; i++)
				buf_cat(&b, "status\t", status_rows[i].name, "\n");
		}
	} else if (option_has(inv, "all"))
		add_all_pages(&b, &about, print_width(1), tty_wants_colour(1));
	else
		return help_show(a, &about);
	return print_out(buf_str(&b));
}

const struct command help_command = {
	.name = "help",
	.summary = "show the help of a command",
	.args = "[COMMAND...]",
	.most_args = 2,
	.has_command_args = true,
	TAKES(FLAG("all", "also show the help of all its subcommands", .short_name = 'a'),
	      FLAG("names",
		   "print only names, one per line, for scripts: commands, options, keys, statuses")),
	.run = run,
};

/* ---- completion ---- */

/* A candidate, and what it means. */
static void
add_candidate(struct buf *b, const char *before, const char *word, const char *summary)
{
	buf_cat(b, before, word, "\t", summary, "\n");
}

static void
add_choices(struct buf *b, const char *const *choices)
{
	for (size_t i = 0; choices && choices[i]; i++)
		add_candidate(b, "", choices[i], "");
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
	for_each (row, at->options, at->option_count) {
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
		add_candidate(b, "--", "help", "show help");
		if (at == root)
			add_candidate(b, "--", "version", "print the version");
		for (size_t i = 0; i < at->option_count; i++)
			add_candidate(b, "--", at->options[i].name, at->options[i].help);
		return;
	}
	if (at->arg_source) {
		buf_cat(b, ":run ", at->arg_source, "\n");
		return;
	}
	const struct command *from = at->has_command_args ? root : at;

	for (size_t i = 0; i < from->sub_count; i++)
		if (!from->subs[i]->is_hidden)
			add_candidate(b, "", from->subs[i]->name, from->subs[i]->summary);
	add_choices(b, at->arg_choices);
}

static const char *const shells[] = { "bash", "zsh", "fish", NULL };
static const char *const scripts[] = { BASH_SCRIPT, ZSH_SCRIPT, FISH_SCRIPT };

static int
print_completions(struct arena *a, const struct invocation *inv)
{
	const char *program = inv->path[0]->name;
	struct str function = str_replace(a, str_cat(a, "_", program), STR("-"), STR("_"));
	struct buf b = BUF(a, MIB(1));

	if (str_is(inv->args[0], "candidates") && inv->arg_count > 1) {
		add_candidates(&b, inv->path[0], inv->args + 1, inv->arg_count - 1);
		return print_out(buf_str(&b));
	}
	for (size_t i = 0; shells[i] && inv->arg_count == 1; i++)
		if (str_is(inv->args[0], shells[i])) {
			struct str text = str_replace(a, str_from(scripts[i]), STR("@PROGRAM@"),
						      str_from(program));

			return print_out(str_replace(a, text, STR("@FUNCTION@"), function));
		}
	return usage_error(inv, "unknown shell '", inv->args[0], "'; expected one of: bash, zsh, fish");
}

const struct command completions_command = {
	.name = "completions",
	.summary = "print a completion script for a shell",
	.details = HELP_COMPLETIONS,
	.args = "bash|zsh|fish",
	.least_args = 1,
	.most_args = ARGS_ANY,
	.arg_choices = shells,
	.run = print_completions,
};
