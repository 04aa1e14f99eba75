/* SPDX-License-Identifier: MIT */
/* holdfast doctor: what is active here and why, and what is wrong. It changes nothing. */
#include "cmd/setup/doctor.h"

#include "cmd/commands.h"
#include "doc/json.h"
#include "os/env.h"
#include "ui/print.h"

static const struct {
	const char *name;
	enum style style;
} levels[FINDING_LEVEL_COUNT] = {
	[FINDING_OK] = { "ok", STYLE_GREEN },
	[FINDING_NOTE] = { "note", STYLE_DIM },
	[FINDING_WARNING] = { "warning", STYLE_YELLOW },
	[FINDING_ERROR] = { "error", STYLE_RED },
};

void
doctor_add_text(struct doctor *d, enum finding_level level, const char *topic, const char *fix,
		struct str text)
{
	if (d->count < FINDINGS_MAX)
		d->findings[d->count++] = (struct doctor_finding){ level, topic, text, fix };
}

static size_t
count_problems(const struct doctor *d)
{
	size_t count = 0;

	for (size_t i = 0; i < d->count; i++)
		count += d->findings[i].level >= FINDING_WARNING;
	return count;
}

static struct str
as_json(const struct doctor *d)
{
	struct buf b = BUF(d->arena, MIB(4));

	json_open(&b, NULL, '{');
	json_add(&b, "ok", (bool)(count_problems(d) == 0), "project", d->facts->project);
	json_open(&b, "findings", '[');
	for_each (f, d->findings, d->count)
		json_add_object(&b, NULL, "level", levels[f->level].name, "topic", f->topic, "text", f->text,
				"fix", f->fix);
	json_close(&b, "]}\n");
	return buf_str(&b);
}

#define FINDING_INDENT 11

/* On a terminal, text is wrapped and may have colours; elsewhere (width 0) each finding is one line. */
static void
add_text(struct buf *b, struct str text, size_t indent, int width)
{
	if (width > 0)
		print_wrapped(b, text, indent, width);
	else
		buf_cat(b, text, "\n");
}

static struct str
as_text(const struct doctor *d)
{
	static const char *const topics[] = { TOPIC_HOOKS, TOPIC_ACTIVE, TOPIC_NEXT };
	bool has_colour = tty_wants_colour(1);
	int width = tty_is(1) ? print_width(1) : 0;
	struct buf b = BUF(d->arena, MIB(4));
	size_t wrong = count_problems(d);

	for (size_t t = 0; t < COUNT_OF(topics); t++) {
		print_styled(&b, has_colour, STYLE_BOLD, str_from(topics[t]));
		buf_addc(&b, '\n');
		for_each (f, d->findings, d->count) {
			if (!str_is(str_from(f->topic), topics[t]))
				continue;
			buf_add(&b, STR("  "));
			print_styled(&b, has_colour, levels[f->level].style,
				     str_fmt(d->arena, "%-7s", levels[f->level].name));
			buf_add(&b, STR("  "));
			add_text(&b, f->text, FINDING_INDENT, width);
			if (!f->fix)
				continue;
			buf_addf(&b, "%*s-> ", FINDING_INDENT, "");
			add_text(&b, str_from(f->fix), FINDING_INDENT + 3, width);
		}
	}
	if (wrong == 0)
		buf_add(&b, STR("No problems found.\n"));
	else
		buf_cat(&b, wrong, " ", wrong == 1 ? "problem" : "problems", ".\n");
	return buf_str(&b);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct doctor *d = arena_new(a, struct doctor);

	d->arena = a;
	d->root = inv->path[0];
	d->cwd = inv->cwd;
	d->facts = arena_new(a, struct project_facts);
	project_facts_load(a, d->cwd, d->facts);
	registry_load(a, d->facts->project, &d->registry);
	d->topic = TOPIC_HOOKS;
	doctor_check_hooks(d);
	d->topic = TOPIC_ACTIVE;
	doctor_check_policies(d);
	d->topic = TOPIC_NEXT;
	doctor_check_cap(d);
	struct str out = option_has(inv, "json") ? as_json(d) : as_text(d);

	return print_out(out) != 0 || count_problems(d) > 0;
}

const struct command doctor_command = {
	.name = "doctor",
	.summary = "show what is active here and why, and what is wrong",
	.details =
		"Inspects the clients' settings, the loops and the configuration that a stop in this "
		"directory would use. Changes nothing. The exit code is 1 if there is a warning or an error.",
	TAKES(FLAG("json", "print one JSON object, for scripts")),
	.needs_cwd = true,
	.run = run,
};
