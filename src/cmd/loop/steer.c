/* SPDX-License-Identifier: MIT */
/* holdfast ralph steer and extend: change what a running loop says next, and how far it goes. Both hold the loop's lock. */
#include "base/buf.h"
#include "base/utf8.h"
#include "cmd/commands.h"
#include "cmd/loop/loop.h"
#include "doc/yaml_out.h"
#include "ui/print.h"

#include <inttypes.h>

/* A text that the agent reads in addition to its prompt. */
#define STEER_LIMIT_BYTES KIB(64)

static int
check_sound(struct arena *a, const struct loop *l, struct str path, struct err *err)
{
	return l->is_corrupt
		       ? err_set(err, ERR_VALUE, STR_FMT, STR_ARG(loop_problem(a, path, &l->why_corrupt)))
		       : 0;
}

/* ---- steer ---- */

static int
steer(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, struct err *err)
{
	struct buf text = BUF(a, STEER_LIMIT_BYTES);
	struct loop_edits edits = { .count = 1 };

	if (check_sound(a, l, path, err) < 0)
		return -1;
	/* What was said before and not sent yet comes first. */
	if (l->state.options.steer.s)
		buf_addf(&text, STR_FMT "\n\n", STR_ARG(l->state.options.steer));
	for (size_t i = 0; i < inv->arg_count; i++)
		buf_addf(&text, "%s" STR_FMT, i > 0 ? " " : "", STR_ARG(inv->args[i]));
	if (text.is_cut)
		return err_set(err, ERR_LIMIT, "the text is longer than %zu KiB", STEER_LIMIT_BYTES / 1024);
	edits.items[0] = (struct loop_edit){ "steer", yaml_quote(a, buf_str(&text)) };
	if (ralph_write(a, l, path, loop_state_with(a, &l->state, &edits), err) < 0)
		return -1;
	ralph_print(a, inv, TEXT_STEERED, ralph_number(a, l->state.iteration));
	return 0;
}

static int
run_steer(struct arena *a, const struct invocation *inv)
{
	bool is_blank = true;

	for (size_t i = 0; i < inv->arg_count; i++) {
		if (!utf8_is_valid(inv->args[i]))
			return command_misuse(inv, "the text is not valid UTF-8");
		is_blank = is_blank && str_trim(inv->args[i]).n == 0;
	}
	return is_blank ? command_misuse(inv, "the text is empty") : ralph_change(a, inv, steer);
}

/* ---- extend ---- */

/* The new value of a limit: N, or +N more than now. */
static int
new_limit(const struct invocation *inv, const char *option, uint64_t now, uint64_t *ret, struct err *err)
{
	struct str text = option_str(inv, option);
	bool is_more = str_starts(text, STR("+"));
	uint64_t number;

	*ret = now;
	if (!text.s)
		return 0;
	if (!number_parse(is_more ? str_sub(text, 1, text.n) : text, &number) || number > LOOP_NUMBER_MAX)
		return err_set(err, ERR_USAGE,
			       "--%s: expected a number from 0 to %d, or + and a number, not '" STR_FMT "'",
			       option, LOOP_NUMBER_MAX, STR_ARG(text));
	if (is_more && now == 0)
		return err_set(err, ERR_USAGE,
			       "--%s: the loop has no such limit, so nothing can be added to it", option);
	*ret = is_more ? now + number : number;
	return 0;
}

/* The same for dollars. */
static int
new_cost(const struct invocation *inv, int64_t now, int64_t *ret, struct err *err)
{
	struct str text = option_str(inv, "max-cost-usd");
	bool is_more = str_starts(text, STR("+"));
	int64_t number;

	*ret = now;
	if (!text.s)
		return 0;
	if (!loop_dollars_parse(is_more ? str_sub(text, 1, text.n) : text, &number))
		return err_set(
			err, ERR_USAGE,
			"--max-cost-usd: expected a number of US dollars such as 2.50, or + and a number, "
			"not '" STR_FMT "'",
			STR_ARG(text));
	if (is_more && now == 0)
		return err_set(err, ERR_USAGE,
			       "--max-cost-usd: the loop has no such limit, so nothing can be added to it");
	*ret = is_more ? now + number : number;
	return 0;
}

static struct str
limits_text(struct arena *a, uint64_t iterations, uint64_t minutes, uint64_t tokens, int64_t cost)
{
	struct buf b = BUF(a, KIB(1));

	if (iterations > 0)
		buf_addf(&b, "%" PRIu64 " iterations", iterations);
	if (minutes > 0)
		buf_addf(&b, "%s%" PRIu64 " min", b.n > 0 ? ", " : "", minutes);
	if (tokens > 0)
		buf_addf(&b, "%s%" PRIu64 " tokens", b.n > 0 ? ", " : "", tokens);
	if (cost > 0)
		buf_addf(&b, "%s$" STR_FMT, b.n > 0 ? ", " : "", STR_ARG(loop_dollars(a, cost)));
	return b.n > 0 ? buf_str(&b) : STR("-");
}

static int
extend(struct arena *a, const struct invocation *inv, struct loop *l, struct str path, struct err *err)
{
	const struct loop_options *o = &l->state.options;
	uint64_t iterations, minutes, tokens;
	int64_t cost;
	struct loop_edits edits = { 0 };

	if (check_sound(a, l, path, err) < 0 || new_cost(inv, o->max_cost, &cost, err) < 0 ||
	    new_limit(inv, "max-iterations", l->state.max_iterations, &iterations, err) < 0 ||
	    new_limit(inv, "max-minutes", o->max_minutes, &minutes, err) < 0 ||
	    new_limit(inv, "max-tokens", o->max_tokens, &tokens, err) < 0)
		return -1;
	const struct {
		const char *key;
		uint64_t before, now;
	} rows[] = {
		{ "max_iterations", l->state.max_iterations, iterations },
		{ "max_minutes", o->max_minutes, minutes },
		{ "max_tokens", o->max_tokens, tokens },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (rows[i].now != rows[i].before)
			edits.items[edits.count++] = (struct loop_edit){ rows[i].key,
									 ralph_number(a, rows[i].now) };
	if (cost != o->max_cost)
		edits.items[edits.count++] = (struct loop_edit){
			"max_cost_usd",
			str_fmt(a, "%" PRId64 ".%09" PRId64, cost / 1000000000, cost % 1000000000),
		};
	if (edits.count > 0 && ralph_write(a, l, path, loop_state_with(a, &l->state, &edits), err) < 0)
		return -1;
	print_outf(STR_FMT "\n",
		   STR_ARG(ralph_text(a, inv, TEXT_EXTENDED, ralph_number(a, l->state.iteration),
				      limits_text(a, iterations, minutes, tokens, cost))));
	return 0;
}

static int
run_extend(struct arena *a, const struct invocation *inv)
{
	if (!option_has(inv, "max-iterations") && !option_has(inv, "max-minutes") &&
	    !option_has(inv, "max-tokens") && !option_has(inv, "max-cost-usd"))
		return command_misuse(inv, "give a new limit, such as --max-iterations +10");
	return ralph_change(a, inv, extend);
}

static const struct option_row steer_options[] = {
	SESSION_OPTION,
	{ .name = "all", .help = "all loops of this project" },
	LANG_OPTION,
};
static const struct option_row extend_options[] = {
	{ .name = "max-iterations",
	  .arg_name = "N",
	  .help = "iterations in all; +N: so many more; 0: no limit" },
	{ .name = "max-minutes",
	  .arg_name = "N",
	  .help = "minutes since the start; +N: so many more; 0: no limit" },
	{ .name = "max-tokens",
	  .arg_name = "N",
	  .help = "tokens since the start; +N: so many more; 0: no limit" },
	{ .name = "max-cost-usd",
	  .arg_name = "N",
	  .help = "US dollars since the start; +N: so many more; 0: no limit" },
	SESSION_OPTION,
	{ .name = "all", .help = "all loops of this project" },
	LANG_OPTION,
};

const struct command ralph_steer_command = {
	.name = "steer",
	.summary = "say something to the agent before the loop's next prompt, once",
	.details =
		"The text is all arguments, joined by spaces. A second text before the next stop is added to "
		"the first. Example:\n\n"
		"    holdfast ralph steer \"Leave the parser alone, start with the tests\"",
	.args = "TEXT...",
	.least_args = 1,
	.most_args = ARGS_ANY,
	.options = steer_options,
	.option_count = COUNT_OF(steer_options),
	.run = run_steer,
};

const struct command ralph_extend_command = {
	.name = "extend",
	.summary = "change the limits of a running loop",
	.details = "Examples:\n\n"
		   "    holdfast ralph extend --max-iterations +10\n"
		   "    holdfast ralph extend --max-minutes 480",
	.options = extend_options,
	.option_count = COUNT_OF(extend_options),
	.run = run_extend,
};
