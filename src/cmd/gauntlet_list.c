/* SPDX-License-Identifier: MIT */
/* list: the gates and where they apply. */
#include "base/buf.h"
#include "cmd/commands.h"
#include "cmd/gauntlet.h"
#include "os/tty.h"
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
add_gates(struct buf *b, const struct gauntlet_config *c, bool has_colour)
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

static int
run(struct arena *a, const struct invocation *inv)
{
	struct buf b = BUF(a, MIB(4));
	struct gauntlet_config c;
	bool has_colour = tty_wants_colour(1);

	(void)inv;
	if (gauntlet_open(a, &c) < 0)
		return 1;
	add_gates(&b, &c, has_colour);
	buf_addc(&b, '\n');
	print_styled(&b, has_colour, STYLE_BOLD, STR("Entry Points:"));
	buf_addc(&b, '\n');
	for (size_t i = 0; i < c.entry_point_count; i++) {
		const struct entry_point *p = &c.entry_points[i];

		buf_addf(&b, " - " STR_FMT "\n", STR_ARG(p->path));
		add_names(&b, "Exclude", &p->exclude);
		add_names(&b, "Checks", &p->checks);
		add_names(&b, "Reviews", &p->reviews);
	}
	return print_out(buf_str(&b));
}

const struct command gauntlet_list_command = {
	.name = "list",
	.summary = "list configured gates",
	.details = "Prints the checks, the reviews with their reviewers, and which of them apply where.",
	.run = run,
};
