/* SPDX-License-Identifier: MIT */
/* agent-gauntlet init: gates to start from. Asks, or takes the defaults; never changes a .gauntlet that is there. */
#include "cmd/compat/gauntlet_init.h"

#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "os/env.h"
#include "os/fs.h"
#include "os/fd.h"
#include "ui/print.h"

#include <string.h>

void
init_print(const struct init *i, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	struct str text = str_vfmt(i->arena, fmt, args);

	va_end(args);
	/* the files are written even if nobody reads the output */
	(void)print_out(text);
}

/* ---- questions ---- */

/* More bytes, or the end. */
static void
fill(struct asker *q)
{
	enum input_state state = INPUT_END;
	struct err err;

	q->begin = q->end = 0;
	if (fd_read_until(0, q->bytes, sizeof(q->bytes), INT64_MAX, &q->end, &state, &err) < 0 ||
	    state != INPUT_BYTES)
		q->is_over = true;
}

struct str
ask(struct arena *a, struct asker *q, const char *fmt, ...)
{
	struct buf line = BUF(a, KIB(64));
	va_list args;

	va_start(args, fmt);
	(void)print_out(str_vfmt(a, fmt, args));
	va_end(args);
	while (!q->is_over) {
		if (q->begin == q->end)
			fill(q);
		struct str rest = { q->bytes + q->begin, q->end - q->begin };
		ptrdiff_t at = str_find_char(rest, '\n');

		buf_add(&line, str_sub(rest, 0, at < 0 ? rest.n : (size_t)at));
		q->begin += at < 0 ? rest.n : (size_t)at + 1;
		if (at >= 0)
			break;
	}
	/* piped answers are not echoed, so the line is ended here */
	if (!tty_is(0))
		(void)print_out(STR("\n"));
	return str_trim(buf_str(&line));
}

bool
ask_yes(struct arena *a, struct asker *q, const char *question)
{
	struct str answer = ask(a, q, "%s", question);

	return str_is_word(answer, "y") || str_is_word(answer, "yes");
}

/* Parses numbers such as "1,3", counted from 1; one more than `count` selects all. -1: *ret_wrong is not such a number. */
static int
parse_choice(struct str answer, size_t count, bool *ret, struct str *ret_wrong)
{
	struct str rest = answer, piece;

	memset(ret, 0, count * sizeof(*ret));
	while (str_next(&rest, ',', &piece)) {
		uint64_t number;

		piece = str_trim(piece);
		if (!number_parse(piece, &number) || number < 1 || number > count + 1) {
			*ret_wrong = piece;
			return -1;
		}
		for (size_t i = 0; i < count; i++)
			ret[i] |= number == count + 1 || number == i + 1;
	}
	return 0;
}

bool
init_ask_choice(struct init *i, const char *title, const char *const *names, size_t count,
		struct str question, bool *ret)
{
	init_print(i, "%s\n", title);
	for (size_t k = 0; k < count; k++)
		init_print(i, "  %zu) %s\n", k + 1, names[k]);
	init_print(i, "  %zu) All\n", count + 1);
	for (int try = 0; try < TRIES_MAX; try++) {
		struct str answer = ask(i->arena, &i->asker, STR_FMT, STR_ARG(question)), wrong;

		if (answer.n == 0)
			break;
		if (parse_choice(answer, count, ret, &wrong) == 0)
			return true;
		init_print(i, "Invalid selection: " STR_FMT "\n", STR_ARG(wrong));
	}
	memset(ret, 0, count * sizeof(*ret));
	return false;
}

/* ---- reviewers ---- */

/* A reviewer has its client's name, or that of its maker before it. */
static bool
is_declined(const struct known_reviewer *r, const struct str_list *declined)
{
	for (size_t i = 0; i < declined->count; i++)
		if (str_ends(str_from(r->name), declined->items[i]))
			return true;
	return false;
}

static void
find_reviewers(struct init *i, const struct str_list *declined)
{
	init_print(i, "Detecting available CLI agents...\n");
	for (size_t k = 0; k < known_reviewer_count; k++) {
		bool is_there = env_find_program(i->arena, known_reviewers[k].program).s != NULL;

		if (is_there && i->reviewer_count < REVIEWERS_MAX &&
		    !is_declined(&known_reviewers[k], declined))
			i->reviewers[i->reviewer_count++] = &known_reviewers[k];
		init_print(i, is_there ? "  ✓ %s\n" : "  ✗ %s (not installed)\n", known_reviewers[k].name);
	}
	init_print(i, "\n");
}

static void
print_none_found(const struct init *i)
{
	struct buf b = BUF(i->arena, KIB(4));

	print_styled(&b, tty_wants_colour(1), STYLE_RED,
		     STR("Error: No CLI agents found. Install at least one:"));
	buf_add(&b, STR("\n  - Claude: https://docs.anthropic.com/en/docs/claude-code\n"
			"  - Gemini: https://github.com/google-gemini/gemini-cli\n"
			"  - Codex: https://github.com/openai/codex\n"));
	init_print(i, STR_FMT, STR_ARG(buf_str(&b)));
}

static void
ask_reviewers(struct init *i)
{
	const char *names[REVIEWERS_MAX];
	bool is_chosen[REVIEWERS_MAX];
	size_t kept = 0;

	for (size_t k = 0; k < i->reviewer_count; k++)
		names[k] = i->reviewers[k]->name;
	if (!init_ask_choice(i, "Which CLIs would you like to use?", names, i->reviewer_count,
			     STR("(comma-separated, e.g., 1,2): "), is_chosen))
		return;
	for (size_t k = 0; k < i->reviewer_count; k++)
		if (is_chosen[k])
			i->reviewers[kept++] = i->reviewers[k];
	i->reviewer_count = kept;
}

/* ---- all of it ---- */

static void
ask_all(struct init *i)
{
	ask_reviewers(i);
	struct str source = ask(i->arena, &i->asker,
				"Enter your source directory (e.g., src, lib, .) [default: .]: ");

	if (source.n > 0)
		i->source = source;
	for (size_t k = 0; k < INIT_CHECKS; k++) {
		struct init_check *c = &i->checks[k];

		c->is_wanted = ask_yes(i->arena, &i->asker, c->question);
		if (c->is_wanted)
			c->command = ask(i->arena, &i->asker, "%s", c->command_question);
	}
}

/* True: a .gauntlet is there that is left as it is, which is reported. */
static bool
has_gates(const struct init *i, bool is_holdfast)
{
	if (gates_are_native(i->root)) {
		init_print(i, "holdfast.yml is there and configures the gates; no .gauntlet is written.\n");
		return true;
	}
	if (fs_lkind(".gauntlet") == FS_NOTHING)
		return false;
	bool has_config = fs_lkind(".gauntlet/config.yml") != FS_NOTHING;

	if (!has_config && is_holdfast && fs_kind(".gauntlet") == FS_DIR)
		return false;
	init_print(i, ".gauntlet directory already exists.\n");
	if (!has_config)
		init_print(i, "It has no config.yml: write one ('man holdfast-config'), or move .gauntlet "
			      "away and run this again.\n");
	return true;
}

int
gauntlet_init(struct arena *a, const struct gauntlet_init_options *o)
{
	struct init *i = arena_new(a, struct init);
	struct err err;

	*i = (struct init){
		.arena = a,
		.program = str_from(o->program),
		.is_asking = o->is_asking,
		.root = o->root.s ? o->root : fs_cwd(a),
		.source = STR("."),
		.checks = { { .name = "lint",
			      .question = "Would you like to add a linting check? [y/N]: ",
			      .command_question = "Enter lint command (blank to fill later): " },
			    { .name = "unit-tests",
			      .question = "Would you like to add a unit test check? [y/N]: ",
			      .command_question = "Enter test command (blank to fill later): " } },
	};
	if (!i->root.s)
		return gauntlet_fail(o->program, "the current directory no longer exists");
	if (o->root.s && fs_enter(o->root.s, &err) < 0)
		return gauntlet_fail(o->program, "%s", err.msg);
	if (has_gates(i, o->is_holdfast))
		return 0;
	find_reviewers(i, &o->declined);
	if (i->reviewer_count == 0 && o->is_holdfast) {
		init_print(i, "%s; claude is named as the reviewer.\n",
			   o->declined.count > 0 ? "None of them is left" : "None of them is installed");
		i->reviewers[i->reviewer_count++] = known_reviewer(STR("claude"));
	}
	if (i->reviewer_count == 0) {
		print_none_found(i);
		return 0;
	}
	if (i->is_asking)
		ask_all(i);
	if (init_write_files(i, &err) < 0)
		return gauntlet_fail(o->program, "%s", err.msg);
	init_ignore_logs(i);
	init_install_commands(i);
	if (i->is_asking)
		init_install_hook(i);
	return 0;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	return gauntlet_init(a, &(struct gauntlet_init_options){ .program = invocation_program(inv),
								 .is_asking = !option_has(inv, "yes") });
}

static const struct option_row options[] = {
	{ .name = "yes",
	  .short_name = 'y',
	  .help = "skip prompts and use defaults (all available CLIs, source: ., no extra checks)" },
};

const struct command gauntlet_init_command = {
	.name = "init",
	.summary = "initialize .gauntlet configuration",
	.details = "Writes .gauntlet with a starter configuration and a review, keeps the log "
		   "directory out of the repository, and installs the command 'gauntlet' for the "
		   "agents. Asks a few questions; the answers may be piped in. Registers the Stop "
		   "hook if you want it, and keeps all other settings byte for byte.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
