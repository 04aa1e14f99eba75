/* SPDX-License-Identifier: MIT */
/* holdfast doctor: what is active here and why, and what is wrong. It changes nothing. */
#include "cmd/setup/doctor.h"

#include "base/buf.h"
#include "cmd/commands.h"
#include "doc/json.h"
#include "os/fs.h"
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
doctor_add(struct doctor *d, enum finding_level level, const char *topic, const char *fix, const char *fmt,
	   ...)
{
	va_list args;

	if (d->count == FINDINGS_MAX)
		return;
	va_start(args, fmt);
	d->findings[d->count++] = (struct doctor_finding){ level, topic, str_vfmt(d->arena, fmt, args), fix };
	va_end(args);
}

/* The other checks know nothing of these files, so this comes first. */
static void
report_bad_files(struct doctor *d)
{
	for (size_t i = 0; i < d->registry.count; i++) {
		const struct registry_client *c = &d->registry.clients[i];

		for (size_t n = 0; n < c->count; n++)
			if (c->files[n].is_bad)
				doctor_add(d, FINDING_ERROR, TOPIC_HOOKS,
					   str_fmt(d->arena, "fix the file: %s can't read it either",
						   c->client->title)
						   .s,
					   "%s", c->files[n].why_bad.msg);
	}
}

static bool
is_healthy(const struct doctor *d)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->findings[i].level >= FINDING_WARNING)
			return false;
	return true;
}

static struct str
as_json(const struct doctor *d)
{
	struct buf b = BUF(d->arena, MIB(4));

	buf_addc(&b, '{');
	json_add_member_bool(&b, "ok", is_healthy(d));
	json_add_member(&b, "project", d->facts->project);
	json_add_key(&b, "findings");
	buf_addc(&b, '[');
	for (size_t i = 0; i < d->count; i++) {
		const struct doctor_finding *f = &d->findings[i];

		buf_add(&b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(&b, "level", str_from(levels[f->level].name));
		json_add_member(&b, "topic", str_from(f->topic));
		json_add_member(&b, "text", f->text);
		if (f->fix)
			json_add_member(&b, "fix", str_from(f->fix));
		buf_addc(&b, '}');
	}
	buf_add(&b, STR("]}\n"));
	return buf_str(&b);
}

/* On a terminal, text is wrapped and may have colours; elsewhere each finding is one line. */
struct layout {
	bool has_colour;
	int width; /* 0: no limit */
};

#define FINDING_INDENT 11

static void
add_text(struct buf *b, struct str text, size_t indent, const struct layout *l)
{
	if (l->width > 0)
		print_wrapped(b, text, indent, l->width);
	else
		buf_addf(b, STR_FMT "\n", STR_ARG(text));
}

static void
add_topic(struct buf *b, const struct doctor *d, const char *topic, const struct layout *l)
{
	print_styled(b, l->has_colour, STYLE_BOLD, str_from(topic));
	buf_addc(b, '\n');
	for (size_t i = 0; i < d->count; i++) {
		const struct doctor_finding *f = &d->findings[i];

		if (!str_is(str_from(f->topic), topic))
			continue;
		buf_add(b, STR("  "));
		print_styled(b, l->has_colour, levels[f->level].style,
			     str_fmt(d->arena, "%-7s", levels[f->level].name));
		buf_add(b, STR("  "));
		add_text(b, f->text, FINDING_INDENT, l);
		if (!f->fix)
			continue;
		buf_addf(b, "%*s-> ", FINDING_INDENT, "");
		add_text(b, str_from(f->fix), FINDING_INDENT + 3, l);
	}
}

static struct str
as_text(const struct doctor *d)
{
	struct layout l = { tty_wants_colour(1), tty_is(1) ? print_width(1) : 0 };
	static const char *const topics[] = { TOPIC_HOOKS, TOPIC_ACTIVE, TOPIC_NEXT };
	struct buf b = BUF(d->arena, MIB(4));
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT_OF(topics); i++)
		add_topic(&b, d, topics[i], &l);
	for (size_t i = 0; i < d->count; i++)
		wrong += d->findings[i].level >= FINDING_WARNING;
	if (wrong == 0)
		buf_add(&b, STR("No problems found.\n"));
	else
		buf_addf(&b, "%zu %s.\n", wrong, wrong == 1 ? "problem" : "problems");
	return buf_str(&b);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct doctor *d = arena_new(a, struct doctor);

	d->arena = a;
	d->root = inv->path[0];
	d->cwd = fs_cwd(a);
	d->facts = arena_new(a, struct project_facts);
	if (!d->cwd.s)
		return command_fail(inv, "the current directory no longer exists");
	project_facts_load(a, d->cwd, d->facts);
	registry_load(a, d->facts->project, &d->registry);
	report_bad_files(d);
	doctor_check_hooks(d);
	doctor_check_trust(d);
	doctor_check_policies(d);
	doctor_check_cap(d);
	struct str out = option_has(inv, "json") ? as_json(d) : as_text(d);

	return print_out(out) != 0 || !is_healthy(d);
}

static const struct option_row options[] = {
	{ .name = "json", .help = "print one JSON object, for scripts" },
};

const struct command doctor_command = {
	.name = "doctor",
	.summary = "show what is active here and why, and what is wrong",
	.details = "Inspects the clients' settings, the loops and the configuration that a stop in "
		   "this directory would use. Changes nothing. The exit code is 1 if there is a "
		   "warning or an error.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
