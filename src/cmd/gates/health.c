/* SPDX-License-Identifier: MIT */
/* health: is the configuration of the gates valid, and are the reviewers installed? Changes nothing. */
#include "base/buf.h"
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "record/record.h"
#include "review/reviewer_pool.h"
#include "os/env.h"
#include "ui/print.h"

#include <stdlib.h>

#define TEXT_LIMIT_BYTES MIB(4)

static void
add_heading(struct buf *b, struct str text)
{
	print_styled(b, tty_wants_colour(1), STYLE_BOLD, text);
	buf_addc(b, '\n');
}

static void
add_config(struct buf *b, const struct config_problems *p)
{
	bool has_colour = tty_wants_colour(1);

	add_heading(b, STR("Config validation:"));
	for (size_t i = 0; i < p->files.count; i++)
		buf_addf(b, "  " STR_FMT "\n", STR_ARG(p->files.items[i]));
	if (p->files.count == 0)
		buf_add(b, STR("  No config files found\n"));
	for (size_t i = 0; i < p->count; i++) {
		const struct config_problem *x = &p->items[i];
		bool is_warning = x->severity == SEVERITY_WARNING;

		buf_add(b, STR("  "));
		print_styled(b, has_colour, is_warning ? STYLE_YELLOW : STYLE_RED,
			     is_warning ? STR("⚠") : STR("✗"));
		buf_addf(b, " " STR_FMT, STR_ARG(x->file));
		if (x->path.n > 0)
			buf_addf(b, " (" STR_FMT ")", STR_ARG(x->path));
		buf_add(b, STR("\n    "));
		if (x->line > 0)
			buf_addf(b, "%d:%d: ", x->line, x->column);
		buf_addf(b, STR_FMT "\n", STR_ARG(x->text));
	}
	if (p->count == 0) {
		buf_add(b, STR("  "));
		print_styled(b, has_colour, STYLE_GREEN, STR("✓ All config files are valid"));
		buf_addc(b, '\n');
	}
}

/* A usage limit is known from a run, or from a probe now if the configuration asks for that. */
static void
add_reviewer(struct buf *b, const struct pooled_reviewer *m)
{
	static const struct {
		enum style style;
		const char *word; /* NULL: its own */
	} rows[] = {
		[REVIEWER_READY] = { STYLE_GREEN, "Installed" },
		[REVIEWER_UNKNOWN] = { STYLE_YELLOW, "Unknown" },
		[REVIEWER_MISSING] = { STYLE_RED, "Missing" },
		[REVIEWER_UNHEALTHY] = { STYLE_YELLOW, NULL },
	};
	const char *word = rows[m->health].word;

	buf_addf(b, "  %-10.*s : ", STR_ARG(m->name));
	print_styled(b, tty_wants_colour(1), rows[m->health].style, word ? str_from(word) : m->message);
	buf_addc(b, '\n');
}

static void
add_reviewers(struct buf *b, const struct gates_config *c, struct str_list names)
{
	struct reviewer_pool *pool = arena_new(b->arena, struct reviewer_pool);
	struct execution_state state = { 0 };
	struct logdir logs = logdir_of(b->arena, c->root, c->log_dir.s ? c->log_dir : STR(GAUNTLET_LOG_DIR));
	bool has_state = record_read_state(b->arena, c->root, &logs, &state);

	reviewer_pool_init(pool, b->arena, c, has_state ? &state : NULL, true, 0);
	reviewer_pool_check(pool, names);
	for (size_t i = 0; i < names.count; i++) {
		const struct pooled_reviewer *m = reviewer_pool_find(pool, names.items[i]);

		if (m)
			add_reviewer(b, m);
	}
}

/* The reviewers of all reviews, sorted, each once. */
static struct str_list
tools_of(struct arena *a, const struct gates_config *c)
{
	struct str_list all = { NULL, 0 };
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < c->review_count; i++)
		count += c->reviews[i].cli_preference.count;
	if (count == 0)
		return all;
	all.items = arena_array(a, count, struct str);
	for (size_t i = 0; i < c->review_count; i++)
		for (size_t k = 0; k < c->reviews[i].cli_preference.count; k++)
			all.items[all.count++] = c->reviews[i].cli_preference.items[k];
	qsort(all.items, all.count, sizeof(*all.items), str_compare);
	for (size_t i = 0; i < all.count; i++)
		if (kept == 0 || !str_eq(all.items[kept - 1], all.items[i]))
			all.items[kept++] = all.items[i];
	all.count = kept;
	return all;
}

static struct str_list
known_names(struct arena *a)
{
	struct str_list all = { arena_array(a, known_reviewer_count, struct str), known_reviewer_count };

	for (size_t i = 0; i < known_reviewer_count; i++)
		all.items[i] = str_from(known_reviewers[i].name);
	return all;
}

static void
add_tools(struct buf *b, const struct gates_config *c, bool is_usable)
{
	add_heading(b, STR("CLI Tool Health Check:"));
	if (!is_usable) {
		buf_addf(b, "  (Config %s, checking all supported agents)\n",
			 gates_find(b->arena, &c->root, 1).s ? "not valid" : "not found");
		add_reviewers(b, &(struct gates_config){ .root = c->root }, known_names(b->arena));
		return;
	}
	struct str_list tools = tools_of(b->arena, c);

	add_reviewers(b, c, tools);
	if (tools.count == 0 && c->is_native)
		buf_add(b, STR("  No gate is a review, so no reviewer is needed\n"));
	else if (tools.count == 0)
		buf_add(b, STR("  No CLI tools configured\n"
			       "  No review gates found. Add review gates with cli_preference to check tool "
			       "availability.\n"));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct str root = gauntlet_root(a, NULL), warning;
	struct config_problems problems;
	struct gates_config c;

	if (!root.s)
		return command_fail(inv, "the current directory no longer exists");
	bool is_usable = gates_check_all(a, root, &c, &problems, &warning);

	add_config(&b, &problems);
	buf_addc(&b, '\n');
	add_tools(&b, &c, is_usable);
	if (is_usable && warning.s)
		buf_addf(&b, STR_FMT "\n", STR_ARG(warning));
	return print_out(buf_str(&b));
}

const struct command gauntlet_health_command = {
	.name = "health",
	.summary = "check the configuration of the gates, and the reviewers",
	.details = "Lists the files that configure the gates with their errors and warnings. Shows which "
		   "reviewers are installed, which are paused after reaching their usage limit and, "
		   "with check_usage_limit, which do not answer. The exit code is always 0; scripts "
		   "should use 'validate'.",
	.run = run,
};
