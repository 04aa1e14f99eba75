/* SPDX-License-Identifier: MIT */
/* list: the gates and where they apply. */
#include "base/buf.h"
#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "doc/json.h"
#include "os/env.h"
#include "ui/print.h"

static void
add_names(struct buf *b, const char *label, const struct str_list *names)
{
	if (names->count == 0)
		return;
	buf_addf(b, "   %s: ", label);
	gauntlet_add_names(b, names);
	buf_addc(b, '\n');
}

static void
add_gates(struct buf *b, const struct gates_config *c, bool has_colour)
{
	print_styled(b, has_colour, STYLE_BOLD, STR("Check Gates:"));
	buf_addc(b, '\n');
	for (size_t i = 0; i < c->check_count; i++)
		buf_addf(b, " - " STR_FMT "\n", STR_ARG(c->checks[i].name));
	buf_addc(b, '\n');
	print_styled(b, has_colour, STYLE_BOLD, STR("Review Gates:"));
	buf_addc(b, '\n');
	for (size_t i = 0; i < c->review_count; i++) {
		buf_addf(b, " - " STR_FMT " (Tools: ", STR_ARG(c->reviews[i].name));
		gauntlet_add_names(b, &c->reviews[i].cli_preference);
		buf_addf(b, ")%s\n", c->reviews[i].is_enabled ? "" : " disabled");
	}
}

/* A gate of holdfast.yml in a line: what it is, and where it applies. */
static void
add_native_gate(struct buf *b, const struct gates_config *c, const struct entry_point *e, int width)
{
	bool is_check = e->checks.count > 0;
	struct str name = is_check ? e->checks.items[0] : e->reviews.items[0], rest, line = STR("");
	const struct check_gate *check = gates_config_check(c, name);
	const struct review_gate *review = gates_config_review(c, name);
	const struct str_list *files = is_check ? &check->files : &review->files;

	buf_addf(b, "%-*.*s  ", width, STR_ARG(name));
	if (is_check) {
		rest = str_trim(check->command);
		(void)str_next(&rest, '\n', &line);
		buf_addf(b, STR_FMT "%s", STR_ARG(line), rest.n > 0 ? " ..." : "");
	} else {
		buf_addf(b, "review " STR_FMT " by ", STR_ARG(review->file));
		gauntlet_add_names(b, &review->cli_preference);
	}
	bool has_place = !str_is(e->path, ".");

	if (has_place)
		buf_addf(b, "  (in " STR_FMT, STR_ARG(e->path));
	if (files->count > 0) {
		buf_add(b, has_place ? STR("; for ") : STR("  (for "));
		gauntlet_add_names(b, files);
	}
	buf_add(b, has_place || files->count > 0 ? STR(")\n") : STR("\n"));
}

static struct str
as_native_text(struct arena *a, const struct gates_config *c)
{
	struct buf b = BUF(a, MIB(4));
	size_t width = 0;

	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *e = &c->entry_points[i];
		struct str name = e->checks.count > 0 ? e->checks.items[0] : e->reviews.items[0];

		width = name.n > width ? name.n : width;
	}
	for (size_t i = 0; i < c->entry_point_count; i++)
		add_native_gate(&b, c, &c->entry_points[i], (int)width);
	return buf_str(&b);
}

static struct str
as_text(struct arena *a, const struct gates_config *c)
{
	struct buf b = BUF(a, MIB(4));
	bool has_colour = tty_wants_colour(1);

	if (c->is_native)
		return as_native_text(a, c);
	add_gates(&b, c, has_colour);
	buf_addc(&b, '\n');
	print_styled(&b, has_colour, STYLE_BOLD, STR("Entry Points:"));
	buf_addc(&b, '\n');
	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *p = &c->entry_points[i];

		buf_addf(&b, " - " STR_FMT "\n", STR_ARG(p->path));
		add_names(&b, "Exclude", &p->exclude);
		add_names(&b, "Checks", &p->checks);
		add_names(&b, "Reviews", &p->reviews);
	}
	return buf_str(&b);
}

static void
add_list(struct buf *b, const char *key, const struct str_list *names)
{
	json_add_key(b, key);
	json_add_strings(b, names->items, names->count);
}

static struct str
as_json(struct arena *a, const struct gates_config *c)
{
	struct buf b = BUF(a, MIB(4));

	buf_addc(&b, '{');
	json_add_key(&b, "checks");
	for (size_t i = 0; i < c->check_count; i++) {
		buf_add(&b, i > 0 ? STR(",{") : STR("[{"));
		json_add_member(&b, "name", c->checks[i].name);
		json_add_member(&b, "command", c->checks[i].command);
		buf_addc(&b, '}');
	}
	buf_add(&b, c->check_count > 0 ? STR("]") : STR("[]"));
	json_add_key(&b, "reviews");
	for (size_t i = 0; i < c->review_count; i++) {
		buf_add(&b, i > 0 ? STR(",{") : STR("[{"));
		json_add_member(&b, "name", c->reviews[i].name);
		json_add_member_bool(&b, "enabled", c->reviews[i].is_enabled);
		add_list(&b, "reviewers", &c->reviews[i].cli_preference);
		buf_addc(&b, '}');
	}
	buf_add(&b, c->review_count > 0 ? STR("]") : STR("[]"));
	json_add_key(&b, "entry_points");
	for (size_t i = 0; i < c->entry_point_count; i++) {
		buf_add(&b, i > 0 ? STR(",{") : STR("[{"));
		json_add_member(&b, "path", c->entry_points[i].path);
		add_list(&b, "exclude", &c->entry_points[i].exclude);
		add_list(&b, "checks", &c->entry_points[i].checks);
		add_list(&b, "reviews", &c->entry_points[i].reviews);
		buf_addc(&b, '}');
	}
	buf_add(&b, c->entry_point_count > 0 ? STR("]}\n") : STR("[]}\n"));
	return buf_str(&b);
}

/* A check and a review of the same name are one line. */
static struct str
as_names(struct arena *a, const struct gates_config *c)
{
	struct buf b = BUF(a, MIB(4));

	for (size_t i = 0; i < c->check_count; i++)
		buf_addf(&b, STR_FMT "\n", STR_ARG(c->checks[i].name));
	for (size_t i = 0; i < c->review_count; i++)
		if (!gates_config_check(c, c->reviews[i].name))
			buf_addf(&b, STR_FMT "\n", STR_ARG(c->reviews[i].name));
	return buf_str(&b);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct gates_config c;

	if (gauntlet_open(a, invocation_program(inv), &c) < 0)
		return 1;
	if (option_has(inv, "json"))
		return print_out(as_json(a, &c));
	return print_out(option_has(inv, "names") ? as_names(a, &c) : as_text(a, &c));
}

static const struct option_row options[] = {
	{ .name = "json", .help = "print one JSON object, for scripts" },
	{ .name = "names", .help = "print only the names, one per line" },
};

const struct command gauntlet_list_command = {
	.name = "list",
	.summary = "list configured gates",
	.details = "Prints the checks, the reviews with their reviewers, and where they apply.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
