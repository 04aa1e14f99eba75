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
	if (names->count > 0)
		buf_cat(b, "   ", label, ": ", str_list_join(b->arena, names, ", "), "\n");
}

/* Each gate of holdfast.yml in a line: what it is, and where it applies. */
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
	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *e = &c->entry_points[i];
		bool is_check = e->checks.count > 0, has_place = !str_is(e->path, ".");
		struct str name = is_check ? e->checks.items[0] : e->reviews.items[0], rest, line = STR("");
		const struct gate *gate = gates_config_gate(c, is_check ? GATE_CHECK : GATE_REVIEW, name);
		const struct str_list *files = &gate->files;

		buf_addf(&b, "%-*.*s  ", (int)width, STR_ARG(name));
		if (is_check) {
			rest = str_trim(gate->command);
			(void)str_next(&rest, '\n', &line);
			buf_cat(&b, line, rest.n > 0 ? " ..." : "");
		} else {
			buf_cat(&b, "review ", gate->file, " by ",
				str_list_join(a, &gate->cli_preference, ", "));
		}
		if (has_place)
			buf_cat(&b, "  (in ", e->path);
		if (files->count > 0)
			buf_cat(&b, has_place ? "; for " : "  (for ", str_list_join(a, files, ", "));
		buf_cat(&b, has_place || files->count > 0 ? ")\n" : "\n");
	}
	return buf_str(&b);
}

static struct str
as_text(struct arena *a, const struct gates_config *c)
{
	struct buf b = BUF(a, MIB(4));
	bool has_colour = tty_wants_colour(1);

	if (c->dialect->has_plain_texts)
		return as_native_text(a, c);
	print_styled_line(&b, has_colour, STYLE_BOLD, STR("Check Gates:"));
	for (size_t i = 0; i < c->check_count; i++)
		buf_cat(&b, " - ", c->checks[i].name, "\n");
	buf_addc(&b, '\n');
	print_styled_line(&b, has_colour, STYLE_BOLD, STR("Review Gates:"));
	for (size_t i = 0; i < c->review_count; i++)
		buf_cat(&b, " - ", c->reviews[i].name,
			" (Tools: ", str_list_join(a, &c->reviews[i].cli_preference, ", "), ")",
			c->reviews[i].is_enabled ? "" : " disabled", "\n");
	buf_addc(&b, '\n');
	print_styled_line(&b, has_colour, STYLE_BOLD, STR("Entry Points:"));
	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *p = &c->entry_points[i];

		buf_cat(&b, " - ", p->path, "\n");
		add_names(&b, "Exclude", &p->exclude);
		add_names(&b, "Checks", &p->checks);
		add_names(&b, "Reviews", &p->reviews);
	}
	return buf_str(&b);
}

static struct str
as_json(struct arena *a, const struct gates_config *c)
{
	struct buf b = BUF(a, MIB(4));

	json_open(&b, NULL, '{');
	json_open(&b, "checks", '[');
	for (size_t i = 0; i < c->check_count; i++)
		json_add_object(&b, NULL, "name", c->checks[i].name, "command", c->checks[i].command);
	json_close(&b, "]");
	json_open(&b, "reviews", '[');
	for (size_t i = 0; i < c->review_count; i++)
		json_add_object(&b, NULL, "name", c->reviews[i].name, "enabled", c->reviews[i].is_enabled,
				"reviewers", &c->reviews[i].cli_preference);
	json_close(&b, "]");
	json_open(&b, "entry_points", '[');
	for (size_t i = 0; i < c->entry_point_count; i++) {
		const struct entry_point *e = &c->entry_points[i];

		json_add_object(&b, NULL, "path", e->path, "exclude", &e->exclude, "checks", &e->checks,
				"reviews", &e->reviews);
	}
	json_close(&b, "]}\n");
	return buf_str(&b);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct buf names = BUF(a, MIB(4));
	struct gates_config c;

	if (gates_open(a, invocation_program(inv), &c) < 0)
		return 1;
	if (option_has(inv, "json") || !option_has(inv, "names"))
		return print_out(option_has(inv, "json") ? as_json(a, &c) : as_text(a, &c));
	/* A check and a review of the same name are one line. */
	for (size_t i = 0; i < c.check_count; i++)
		buf_cat(&names, c.checks[i].name, "\n");
	for (size_t i = 0; i < c.review_count; i++)
		if (!gates_config_gate(&c, GATE_CHECK, c.reviews[i].name))
			buf_cat(&names, c.reviews[i].name, "\n");
	return print_out(buf_str(&names));
}

const struct command list_command = {
	.name = "list",
	.summary = "list configured gates",
	.details = "Prints the checks, the reviews with their reviewers, and where they apply.",
	TAKES(FLAG("json", "print one JSON object, for scripts"),
	      FLAG("names", "print only the names, one per line")),
	.run = run,
};
