/* SPDX-License-Identifier: MIT */
/* health: is the configuration of the gates valid, and are the reviewers installed? Changes nothing. */
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "record/record.h"
#include "review/review.h"
#include "os/env.h"
#include "ui/print.h"

#define TEXT_LIMIT_BYTES MIB(4)

static void
add_reviewers(struct buf *b, const struct gates_config *c, struct str_list names)
{
	struct reviewer_pool *pool = arena_new(b->arena, struct reviewer_pool);
	struct execution_state state = { 0 };
	struct logdir logs = logdir_of(b->arena, c->root, c->log_dir, c->dialect);
	struct record record;
	bool has_state = record_load(&record, b->arena, c->root, &logs, IGNORED) == 0 &&
			 record_state(&record, &state);

	reviewer_pool_init(pool, b->arena, c, has_state ? &state : NULL, true, 0);
	reviewer_pool_check(pool, names);
	for (size_t i = 0; i < names.count; i++) {
		/* A usage limit is known from a run, or from a probe now if the configuration asks for that. */
		static const struct {
			enum style style;
			const char *word; /* NULL: its own */
		} rows[] = {
			[REVIEWER_READY] = { STYLE_GREEN, "Installed" },
			[REVIEWER_UNKNOWN] = { STYLE_YELLOW, "Unknown" },
			[REVIEWER_MISSING] = { STYLE_RED, "Missing" },
			[REVIEWER_UNHEALTHY] = { STYLE_YELLOW, NULL },
		};
		const struct pooled_reviewer *m = reviewer_pool_find(pool, names.items[i]);

		if (!m)
			continue;
		const char *word = rows[m->health].word;

		buf_addf(b, "  %-10.*s : ", STR_ARG(m->name));
		print_styled_line(b, tty_wants_colour(1), rows[m->health].style,
				  word ? str_from(word) : m->message);
	}
}

static void
add_tools(struct buf *b, const struct gates_config *c, bool is_usable)
{
	struct str_list tools = { 0 };

	print_styled_line(b, tty_wants_colour(1), STYLE_BOLD, STR("CLI Tool Health Check:"));
	if (!is_usable) {
		struct gates_config none = { .root = c->root, .dialect = gates_dialect(c->root) };

		buf_cat(b, "  (Config ", gates_find(b->arena, &c->root, 1).s ? "not valid" : "not found",
			", checking all supported agents)\n");
		none.log_dir = str_from(none.dialect->log_dir);
		for (size_t i = 0; i < known_reviewer_count; i++)
			*arena_push(b->arena, tools.items, tools.count) = str_from(known_reviewers[i].name);
		add_reviewers(b, &none, tools);
		return;
	}
	/* The reviewers of all reviews, sorted, each once. */
	for (size_t i = 0; i < c->review_count; i++) {
		const struct str_list *names = &c->reviews[i].cli_preference;

		for (size_t k = 0; k < names->count; k++)
			str_list_add_new(b->arena, &tools, names->items[k]);
	}
	sort(tools.items, tools.count, str_compare);
	add_reviewers(b, c, tools);
	if (tools.count == 0 && c->dialect->has_plain_texts)
		buf_add(b, STR("  No gate is a review, so no reviewer is needed\n"));
	else if (tools.count == 0)
		buf_add(b, STR("  No CLI tools configured\n"
			       "  No review gates found. Add review gates with cli_preference to check tool "
			       "availability.\n"));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	(void)inv;
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct config_problems problems;
	struct gates_config c;
	struct str warning;
	bool is_usable = gates_check_all(a, find_gates_root(a, NULL), &c, &problems, &warning);

	bool has_colour = tty_wants_colour(1);

	print_styled_line(&b, has_colour, STYLE_BOLD, STR("Config validation:"));
	for (size_t i = 0; i < problems.files.count; i++)
		buf_cat(&b, "  ", problems.files.items[i], "\n");
	if (problems.files.count == 0)
		buf_add(&b, STR("  No config files found\n"));
	for_each (x, problems.items, problems.count) {
		bool is_warning = x->severity == SEVERITY_WARNING;

		buf_add(&b, STR("  "));
		print_styled(&b, has_colour, is_warning ? STYLE_YELLOW : STYLE_RED,
			     is_warning ? STR("⚠") : STR("✗"));
		buf_cat(&b, " ", x->file);
		if (x->path.n > 0)
			buf_cat(&b, " (", x->path, ")");
		buf_add(&b, STR("\n    "));
		if (x->line > 0)
			buf_cat(&b, x->line, ":", x->column, ": ");
		buf_cat(&b, x->text, "\n");
	}
	if (problems.count == 0) {
		buf_add(&b, STR("  "));
		print_styled_line(&b, has_colour, STYLE_GREEN, STR("✓ All config files are valid"));
	}
	buf_addc(&b, '\n');
	add_tools(&b, &c, is_usable);
	if (is_usable && warning.s)
		buf_cat(&b, warning, "\n");
	return print_out(buf_str(&b));
}

const struct command health_command = {
	.name = "health",
	.summary = "check the configuration of the gates, and the reviewers",
	.details = "Lists the files that configure the gates with their errors and warnings. Shows which "
		   "reviewers are installed, which are paused after reaching their usage limit and, with "
		   "check_usage_limit, which do not answer. The exit code is always 0; scripts should use "
		   "'validate'.",
	.needs_cwd = true,
	.run = run,
};
