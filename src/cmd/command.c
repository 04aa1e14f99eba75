/* SPDX-License-Identifier: MIT */
/* Reads a command line by the table, runs its command, and reports usage errors. */
#include "cmd/command.h"

#include "base/nearest.h"
#include "cmd/commands.h"
#include "cmd/version_text.h"
#include "os/clock.h"
#include "os/fs.h"
#include "ui/print.h"

/* ---- the command line ---- */

#define NAMES_MAX 128

/* One command line being read. */
struct reader {
	struct arena *arena;
	char *const *argv;
	int argc, at; /* the next word */
	struct invocation *inv;
	struct err *err;
};

const struct command *
command_find(const struct command *c, struct str name)
{
	for (size_t i = 0; i < c->sub_count; i++)
		if (str_is(name, c->subs[i]->name))
			return c->subs[i];
	return NULL;
}

/* "; did you mean 'a' or 'b'?" or nothing. */
static struct str
suggestion(struct arena *a, const char *dashes, struct str word, const struct str *names, size_t count)
{
	struct str near[NEAREST_MAX];
	size_t n = nearest(word, names, count, near);
	struct buf b = BUF(a, KIB(1));

	for (size_t i = 0; i < n; i++)
		buf_cat(&b,
			i == 0       ? "; did you mean "
			: i + 1 == n ? " or "
				     : ", ",
			"'", dashes, near[i], "'");
	if (n > 0)
		buf_addc(&b, '?');
	return buf_str(&b);
}

struct str
command_suggestion(struct arena *a, const struct command *c, struct str word)
{
	struct str names[NAMES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < c->sub_count && count < NAMES_MAX; i++)
		names[count++] = str_from(c->subs[i]->name);
	return suggestion(a, "", word, names, count);
}

static int
fail_unknown_option(struct reader *r, struct str word)
{
	const struct command *c = r->inv->command;
	struct str names[NAMES_MAX] = { STR("help") };
	struct str bare = word;
	size_t count = 1;

	while (bare.n > 0 && bare.s[0] == '-')
		bare = str_sub(bare, 1, bare.n);
	if (r->inv->depth == 1)
		names[count++] = STR("version");
	for (size_t i = 0; i < c->option_count && count < NAMES_MAX; i++)
		names[count++] = str_from(c->options[i].name);
	struct str hint = suggestion(r->arena, "--", bare, names, count);

	if (hint.n == 0 && c->most_args > 0)
		hint = STR("; -- ends the options");
	return err_set(r->err, ERR_USAGE, "unknown option '" STR_FMT "'" STR_FMT, STR_ARG(word),
		       STR_ARG(hint));
}

/* The next word as the value of an option that needs one. */
static int
take_value(struct reader *r, const struct option_row *row, struct str *ret)
{
	if (r->at == r->argc)
		return err_set(r->err, ERR_USAGE, "--%s needs a value: --%s=%s", row->name, row->name,
			       row->arg_name);
	struct str value = str_from(r->argv[r->at]);

	if (value.n > 1 && value.s[0] == '-')
		return err_set(r->err, ERR_USAGE,
			       "--%s needs a value, but '" STR_FMT
			       "' looks like an option; to use it as the value: --%s=" STR_FMT,
			       row->name, STR_ARG(value), row->name, STR_ARG(value));
	r->at++;
	*ret = value;
	return 0;
}

/* Adds an option with the value that its word has; absent: the word has none. */
static int
add_option(struct reader *r, const struct option_row *row, struct str value)
{
	struct invocation *inv = r->inv;
	struct buf choices = BUF(r->arena, KIB(1));
	bool is_choice = !row->choices;

	if (!row->arg_name && value.s)
		return err_set(r->err, ERR_USAGE, "--%s takes no value, but '" STR_FMT "' was given",
			       row->name, STR_ARG(value));
	if (row->arg_name && !value.s && take_value(r, row, &value) < 0)
		return -1;
	for (size_t i = 0; row->choices && row->choices[i]; i++) {
		is_choice |= str_is(value, row->choices[i]);
		buf_cat(&choices, i > 0 ? ", " : "", row->choices[i]);
	}
	if (!is_choice)
		return err_set(r->err, ERR_USAGE, "invalid --%s '" STR_FMT "'; expected one of: " STR_FMT,
			       row->name, STR_ARG(value), STR_ARG(buf_str(&choices)));
	if (!inv->options)
		inv->options = arena_array(r->arena, (size_t)r->argc * 2, struct option_value);
	/* There can be more bundled flags than words. */
	if (inv->option_count == (size_t)r->argc * 2)
		return err_set(r->err, ERR_USAGE, "too many options");
	inv->options[inv->option_count++] = (struct option_value){ row, value };
	return 0;
}

/* The option of that long name, or else of that letter; NULL: there is none. */
static const struct option_row *
find_option(const struct command *c, struct str name, char letter)
{
	for (size_t i = 0; i < c->option_count; i++)
		if (letter ? c->options[i].short_name == letter : str_is(name, c->options[i].name))
			return &c->options[i];
	return NULL;
}

static int
read_option(struct reader *r, struct str word)
{
	const struct command *c = r->inv->command;
	struct str name = str_before(word, '='), value = STR_NONE;

	if (word.s[1] == '-') {
		const struct option_row *row = find_option(c, str_rest(name, 2), 0);

		if (name.n < word.n)
			value = str_rest(word, name.n + 1);
		return row ? add_option(r, row, value) : fail_unknown_option(r, name);
	}
	for (size_t at = 1; at < word.n; at++) {
		const struct option_row *row = find_option(c, STR(""), word.s[at]);

		if (!row)
			return fail_unknown_option(r, word);
		if (row->arg_name && at + 1 < word.n) {
			value = str_rest(word, at + 1 + (word.s[at + 1] == '='));
			at = word.n;
		}
		if (add_option(r, row, value) < 0)
			return -1;
	}
	return 0;
}

/* Goes down the table if the word names a command. 0: it does not, and is an argument. */
static int
read_command(struct reader *r, struct str word)
{
	struct invocation *inv = r->inv;
	const struct command *next = command_find(inv->command, word);

	if (!next && inv->command->run && inv->command->most_args > 0)
		return 0;
	if (!next) {
		struct str hint = command_suggestion(r->arena, inv->command, word);

		return err_set(r->err, ERR_USAGE, "unknown command '" STR_FMT "'" STR_FMT, STR_ARG(word),
			       STR_ARG(hint));
	}
	if (inv->depth == COMMAND_DEPTH_MAX)
		return err_set(r->err, ERR_USAGE, "too many commands");
	inv->path[inv->depth++] = next;
	inv->command = next;
	return 1;
}

int
options_parse(struct arena *a, const struct command *root, int argc, char *const *argv,
	      struct invocation *ret, enum parsed *ret_parsed, struct err *err)
{
	struct reader r = {
		.arena = a, .argv = argv, .argc = argc, .at = argc > 0 ? 1 : 0, .inv = ret, .err = err
	};
	bool is_over = false, names_commands = true;

	*ret = (struct invocation){ .path = { root }, .depth = 1, .command = root };
	*ret_parsed = PARSED_RUN;
	while (r.at < argc) {
		struct str word = str_from(argv[r.at++]);
		bool is_option = !is_over && word.n > 1 && word.s[0] == '-';
		int result = 0;

		if (is_option && (str_is(word, "--help") || str_is(word, "-h")))
			*ret_parsed = PARSED_HELP;
		else if (is_option && ret->depth == 1 && (str_is(word, "--version") || str_is(word, "-V")))
			*ret_parsed = PARSED_VERSION;
		if (*ret_parsed != PARSED_RUN)
			return 0;
		names_commands = names_commands && !is_option && ret->command->sub_count > 0;
		if (is_option && !ret->command->run)
			result = fail_unknown_option(&r, word);
		else if (is_option && word.n == 2 && word.s[1] == '-')
			is_over = true;
		else if (is_option)
			result = read_option(&r, word);
		else if (names_commands)
			result = read_command(&r, word);
		if (result < 0)
			return -1;
		if (is_option || result > 0)
			continue;
		names_commands = false;
		if (!ret->args)
			ret->args = arena_array(a, (size_t)argc, struct str);
		ret->args[ret->arg_count++] = word;
	}
	const struct command *c = ret->command;

	if (!c->run)
		return err_set(err, ERR_USAGE, "a command is missing");
	if (ret->arg_count < c->least_args)
		return err_set(err, ERR_USAGE, "%s is missing", c->args ? c->args : "an argument");
	if (ret->arg_count > c->most_args)
		return err_set(err, ERR_USAGE, "unexpected argument '" STR_FMT "'",
			       STR_ARG(ret->args[c->most_args]));
	return 0;
}

/* An option that the table lacks is a bug in the caller; it counts as not given. */
size_t
option_count(const struct invocation *inv, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < inv->option_count; i++)
		count += str_is(str_from(name), inv->options[i].row->name);
	return count;
}

bool
option_has(const struct invocation *inv, const char *name)
{
	return option_count(inv, name) > 0;
}

struct str
option_at(const struct invocation *inv, const char *name, size_t i)
{
	for (size_t k = 0; k < inv->option_count; k++)
		if (str_is(str_from(name), inv->options[k].row->name) && i-- == 0)
			return inv->options[k].value;
	return STR_NONE;
}

struct str
option_str(const struct invocation *inv, const char *name)
{
	size_t count = option_count(inv, name);

	return count > 0 ? option_at(inv, name, count - 1) : STR_NONE;
}

int
option_number(const struct invocation *inv, const char *name, uint64_t least, uint64_t most, uint64_t *ret,
	      struct err *err)
{
	struct str text = option_str(inv, name);
	uint64_t value;

	if (!text.s)
		return 0;
	if (!number_parse(text, &value) || value < least || value > most)
		return err_set(err, ERR_USAGE,
			       "invalid --%s '" STR_FMT "'; expected an integer from %llu to %llu", name,
			       STR_ARG(text), (unsigned long long)least, (unsigned long long)most);
	*ret = value;
	return 0;
}

/* ---- the command ---- */

const char *
invocation_program(const struct invocation *inv)
{
	return inv->path[0]->name;
}

struct str
invocation_name(struct arena *a, const struct invocation *inv)
{
	struct buf b = BUF(a, KIB(1));

	for (size_t i = 0; i < inv->depth; i++)
		buf_cat(&b, i > 0 ? " " : "", inv->path[i]->name);
	return buf_str(&b);
}

int
command_error_list(const struct invocation *inv, const struct str *pieces, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	print_err(str_cat(&a, invocation_program(inv), ": ", str_cat_list(&a, pieces, count), "\n"));
	return 1;
}

int
usage_error_list(const struct invocation *inv, const struct str *pieces, size_t count)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, KIB(16));

	(void)command_error_list(inv, pieces, count);
	buf_cat(&b, help_usage(&a, inv), "\n");
	if (inv->command->sub_count > 0)
		print_paragraph(&b, help_command_names(&a, inv->command), print_width(2));
	buf_cat(&b, "See '", invocation_name(&a, inv), " --help'.\n");
	print_err(buf_str(&b));
	return 1;
}

static int
print_version(struct arena *a, const struct invocation *inv)
{
	return print_out(str_cat(a, invocation_program(inv), " ", VERSION_TEXT, "\n"));
}

const struct command version_command = {
	.name = "version",
	.summary = "print the version",
	.run = print_version,
};

int
command_main(struct arena *a, const struct command *root, int argc, char *const *argv)
{
	int64_t started_ms = clock_mono_ms();
	struct invocation inv;
	enum parsed parsed;
	struct err err;

	if (options_parse(a, root, argc, argv, &inv, &parsed, &err) < 0)
		return usage_error(&inv, err.msg);
	inv.started_ms = started_ms;
	switch (parsed) {
	case PARSED_HELP:
		return help_show(a, &inv);
	case PARSED_VERSION:
		return print_version(a, &inv);
	case PARSED_RUN:
		break;
	}
	if (inv.command->needs_cwd) {
		inv.cwd = fs_cwd(a);
		if (!inv.cwd.s)
			return command_error(&inv, "the current directory no longer exists");
	}
	int code = inv.command->run(a, &inv);

	return code != 0 ? code : print_end();
}
