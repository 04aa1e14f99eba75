/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <string.h>

#include "base/buf.h"
#include "cmd/command.h"

static int
run_nothing(struct arena *a, const struct invocation *inv)
{
	(void)a;
	(void)inv;
	return 0;
}

static const char *const colours[] = { "red", "green", NULL };
static const struct option_row paint_options[] = {
	{ .name = "force", .short_name = 'f', .help = "do it" },
	{ .name = "quiet", .short_name = 'q', .help = "say nothing" },
	{ .name = "count", .short_name = 'n', .arg_name = "N", .help = "how often" },
	{ .name = "colour", .arg_name = "COLOUR", .help = "which", .choices = colours },
};
static const struct command paint = {
	.name = "paint",
	.summary = "paint",
	.args = "WALL [DOOR]",
	.least_args = 1,
	.most_args = 2,
	.options = paint_options,
	.option_count = COUNT_OF(paint_options),
	.run = run_nothing,
};
static const struct command plain = { .name = "plain", .summary = "plain", .run = run_nothing };
static const struct command secret = {
	.name = "pain", .summary = "x", .run = run_nothing, .is_hidden = true
};
static const struct command start = {
	.name = "start", .summary = "start", .args = "[WORD...]", .most_args = ARGS_ANY, .run = run_nothing
};
static const struct command *const loop_subs[] = { &start };
static const struct command loop = { .name = "loop", .summary = "loop", .subs = loop_subs, .sub_count = 1 };
static const struct command show = {
	.name = "show", .summary = "show", .subs = loop_subs, .sub_count = 1, .run = run_nothing
};
static const struct command *const root_subs[] = { &paint, &plain, &secret, &loop, &show };
static const struct command root = {
	.name = "prog", .summary = "prog", .subs = root_subs, .sub_count = COUNT_OF(root_subs)
};

/* The invocation as one line: path | options | arguments, or the error. */
static struct str
parse(struct arena *a, const char *words)
{
	static char line[512];
	char *argv[32];
	int argc = 0;
	size_t n = strlen(words);
	struct invocation inv;
	enum parsed parsed;
	struct err err;
	struct buf b = BUF(a, KIB(8));

	CHECK(n < sizeof(line));
	memcpy(line, words, n + 1);
	argv[argc++] = line;
	for (char *c = line; *c; c++)
		if (*c == ' ') {
			*c = '\0';
			argv[argc++] = c + 1;
		}
	if (options_parse(a, &root, argc, argv, &inv, &parsed, &err) < 0) {
		CHECK(err.code == ERR_USAGE);
		return str_fmt(a, "%s: %s", inv.command->name, err.msg);
	}
	for (size_t i = 1; i < inv.depth; i++)
		buf_addf(&b, "%s%s", i > 1 ? " " : "", inv.path[i]->name);
	if (parsed != PARSED_RUN)
		buf_add(&b, parsed == PARSED_HELP ? STR(" HELP") : STR(" VERSION"));
	for (size_t i = 0; i < inv.option_count; i++) {
		buf_addf(&b, " --%s", inv.options[i].row->name);
		if (inv.options[i].value.s)
			buf_addf(&b, "='" STR_FMT "'", STR_ARG(inv.options[i].value));
	}
	for (size_t i = 0; i < inv.arg_count; i++)
		buf_addf(&b, " '" STR_FMT "'", STR_ARG(inv.args[i]));
	return buf_str(&b);
}

static const struct {
	const char *words, *expected;
} lines[] = {
	/* commands */
	{ "prog plain", "plain" },
	{ "prog loop start", "loop start" },
	{ "prog show", "show" },
	{ "prog show start a", "show start 'a'" },
	{ "prog pain", "pain" },
	{ "prog", "prog: a command is missing" },
	{ "prog loop", "loop: a command is missing" },
	{ "prog pant", "prog: unknown command 'pant'; did you mean 'paint' or 'pain'?" },
	{ "prog zzzzzzzz", "prog: unknown command 'zzzzzzzz'" },
	{ "prog loop strt", "loop: unknown command 'strt'; did you mean 'start'?" },
	{ "prog show nothing", "show: unknown command 'nothing'" },
	{ "prog plain extra", "plain: unexpected argument 'extra'" },
	/* options */
	{ "prog paint --count=3 w", "paint --count='3' 'w'" },
	{ "prog paint --count 3 w", "paint --count='3' 'w'" },
	{ "prog paint w --count 3", "paint --count='3' 'w'" },
	{ "prog paint -n 3 w", "paint --count='3' 'w'" },
	{ "prog paint -n3 w", "paint --count='3' 'w'" },
	{ "prog paint -n=3 w", "paint --count='3' 'w'" },
	{ "prog paint -fq w", "paint --force --quiet 'w'" },
	{ "prog paint -fn3 w", "paint --force --count='3' 'w'" },
	{ "prog paint --count= w", "paint --count='' 'w'" },
	{ "prog paint --count=a=b w", "paint --count='a=b' 'w'" },
	{ "prog paint --count=-1 w", "paint --count='-1' 'w'" },
	{ "prog paint --count - w", "paint --count='-' 'w'" },
	{ "prog paint --count 1 --count 2 w", "paint --count='1' --count='2' 'w'" },
	{ "prog paint --force --force w", "paint --force --force 'w'" },
	{ "prog paint --colour green w", "paint --colour='green' 'w'" },
	{ "prog paint --colour=blue w", "paint: invalid --colour 'blue'; expected one of: red, green" },
	{ "prog paint --colour= w", "paint: invalid --colour ''; expected one of: red, green" },
	{ "prog paint w --count", "paint: --count needs a value: --count=N" },
	{ "prog paint w -n", "paint: --count needs a value: --count=N" },
	{ "prog paint w --count --force", "paint: --count needs a value, but '--force' looks like an option; "
					  "to use it as the value: --count=--force" },
	{ "prog paint w --count -- x",
	  "paint: --count needs a value, but '--' looks like an option; to use it as the value: --count=--" },
	{ "prog paint w -n -1",
	  "paint: --count needs a value, but '-1' looks like an option; to use it as the value: --count=-1" },
	{ "prog paint --force=yes w", "paint: --force takes no value, but 'yes' was given" },
	{ "prog paint --forced w", "paint: unknown option '--forced'; did you mean '--force'?" },
	{ "prog paint --frce=1 w", "paint: unknown option '--frce'; did you mean '--force'?" },
	{ "prog paint --xxxxxxxxxx w", "paint: unknown option '--xxxxxxxxxx'; -- ends the options" },
	{ "prog plain --xxxxxxxxxx", "plain: unknown option '--xxxxxxxxxx'" },
	{ "prog paint -fx w", "paint: unknown option '-fx'; -- ends the options" },
	{ "prog --forced", "prog: unknown option '--forced'" },
	{ "prog --versio", "prog: unknown option '--versio'; did you mean '--version'?" },
	{ "prog plain --version", "plain: unknown option '--version'" },
	/* arguments */
	{ "prog paint", "paint: WALL [DOOR] is missing" },
	{ "prog paint a b", "paint 'a' 'b'" },
	{ "prog paint a b c", "paint: unexpected argument 'c'" },
	{ "prog paint -- --force", "paint '--force'" },
	{ "prog paint -- -- -h", "paint '--' '-h'" },
	{ "prog paint -", "paint '-'" },
	{ "prog loop start a b c d", "loop start 'a' 'b' 'c' 'd'" },
	/* questions */
	{ "prog --help", " HELP" },
	{ "prog -h", " HELP" },
	{ "prog --version", " VERSION" },
	{ "prog -V", " VERSION" },
	{ "prog loop -h", "loop HELP" },
	{ "prog show --help", "show HELP" },
	{ "prog paint --help", "paint HELP" },
	{ "prog paint --count 3 -h --nonsense", "paint HELP --count='3'" },
};

TEST(every_command_line_is_read_as_the_table_says)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct str got = parse(&a, lines[i].words);

		if (!str_is(got, lines[i].expected))
			fail_msg("%s:\n got '" STR_FMT "'\nnot '%s'", lines[i].words, STR_ARG(got),
				 lines[i].expected);
	}
}

TEST(no_command_line_at_all_is_a_missing_command)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct invocation inv;
	enum parsed parsed;
	struct err err;

	CHECK(options_parse(&a, &root, 0, NULL, &inv, &parsed, &err) < 0);
	CHECK_STR(str_from(err.msg), "a command is missing");
}

/* The bound is twice as many options as there are words; bundles reach it. */
TEST(more_bundled_flags_than_there_is_room_for_are_an_error)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct invocation inv;
	enum parsed parsed;
	struct err err;
	char *fits[] = { (char[]){ "prog" }, (char[]){ "paint" }, (char[]){ "-ffffffff" }, (char[]){ "w" } };
	char *too_many[] = { (char[]){ "prog" }, (char[]){ "paint" }, (char[]){ "-fffffffff" },
			     (char[]){ "w" } };

	CHECK(options_parse(&a, &root, 4, fits, &inv, &parsed, &err) == 0);
	CHECK(inv.option_count == 8);
	CHECK(options_parse(&a, &root, 4, too_many, &inv, &parsed, &err) < 0);
	CHECK_STR(str_from(err.msg), "too many options");
}

TEST(options_are_asked_for_by_name)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct invocation inv;
	enum parsed parsed;
	struct err err;
	char *argv[] = { (char[]){ "prog" }, (char[]){ "paint" }, (char[]){ "-n1" },
			 (char[]){ "-n2" },  (char[]){ "-f" },    (char[]){ "w" } };

	CHECK(options_parse(&a, &root, COUNT_OF(argv), argv, &inv, &parsed, &err) == 0);
	CHECK(option_has(&inv, "force") && option_has(&inv, "count") && !option_has(&inv, "quiet"));
	CHECK(option_count(&inv, "count") == 2 && option_count(&inv, "force") == 1 &&
	      option_count(&inv, "quiet") == 0);
	CHECK_STR(option_str(&inv, "count"), "2");
	CHECK_STR(option_at(&inv, "count", 0), "1");
	CHECK_STR(option_at(&inv, "count", 1), "2");
	CHECK(!option_at(&inv, "count", 2).s);
	CHECK(!option_str(&inv, "force").s && !option_str(&inv, "colour").s);
}

TEST(a_number_is_taken_within_its_bounds)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const struct {
		const char *word;
		bool is_good;
		uint64_t value;
	} rows[] = {
		{ "-n2", true, 2 },    { "-n5", true, 5 },
		{ "-n1", false, 0 },   { "-n6", false, 0 },
		{ "-n", false, 0 },    { "-n2x", false, 0 },
		{ "-n=-2", false, 0 }, { "-n99999999999999999999", false, 0 },
		{ "-f", true, 7 },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char word[64];
		char *argv[] = { (char[]){ "prog" }, (char[]){ "paint" }, (char[]){ "w" }, word };
		struct invocation inv;
		enum parsed parsed;
		struct err err;
		uint64_t value = 7;

		memcpy(word, rows[i].word, strlen(rows[i].word) + 1);
		int result = options_parse(&a, &root, 4, argv, &inv, &parsed, &err);

		if (result == 0)
			result = option_number(&inv, "count", 2, 5, &value, &err);
		CHECK_ROW(rows[i].word, (result == 0) == rows[i].is_good);
		CHECK_ROW(rows[i].word, value == (rows[i].is_good ? rows[i].value : 7));
	}
}
