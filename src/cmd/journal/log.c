/* SPDX-License-Identifier: MIT */
/* The options that say which decisions a command is about, and holdfast log: the decisions of the journal, a line each. */
#include "cmd/journal/journal.h"

#include "base/duration.h"
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fd.h"
#include "os/fs.h"
#include "policy/chain.h"
#include "project/project.h"
#include "store/journals.h"
#include "ui/print.h"

/* ---- which decisions ---- */

struct str
decisions_project(struct arena *a)
{
	struct project_dirs where;

	project_find(&where, fs_cwd(a), WITHIN_REPOSITORY);
	return str_copy(a, project_root(&where));
}

/* 2h: so long ago; 2026-11-15 or 2026-11-15T04:17:39Z. */
static int
read_time(struct arena *a, const struct invocation *inv, const char *option, int64_t *ret_us)
{
	struct str text = option_str(inv, option);
	int64_t ms;

	if (duration_parse(text, &ms))
		*ret_us = clock_real_us() - ms * 1000;
	else if (text.s &&
		 !clock_parse(text.n == STR("2026-11-15").n ? str_cat(a, text, "T00:00:00Z") : text, ret_us))
		return usage_error(inv, "--", option, ": '", text,
				   "' is no time; write 30m, 2h, 2026-11-15 or 2026-11-15T04:17:39Z");
	return 0;
}

int
decision_filter_read(struct arena *a, const struct invocation *inv, struct decision_filter *ret)
{
	struct str project = option_str(inv, "project");

	*ret = (struct decision_filter){ .session = option_str(inv, "session") };
	if (project.s && option_has(inv, "all"))
		return usage_error(inv, "--project and --all exclude each other");
	if (project.s) {
		ret->project = fs_real(a, project.s);
		if (!ret->project.s)
			ret->project = project; /* a project that is gone may have had decisions */
	} else if (!option_has(inv, "all")) {
		ret->project = decisions_project(a);
	}
	if (read_time(a, inv, "since", &ret->since_us) != 0)
		return 1;
	return read_time(a, inv, "until", &ret->until_us);
}

/* ---- holdfast log ---- */

/* How often --follow looks for new lines. */
#define FOLLOW_MS 200
#define FOLLOW_BYTES KIB(64)

struct log_view {
	struct arena *arena;
	const struct invocation *inv;
	struct decision_filter filter;
	bool has_colour;
	struct session_names known;
	struct str_list last; /* the lines that --limit leaves, the newest first */
	uint64_t limit;
	bool is_over; /* nobody reads any more */
	size_t count; /* of those shown */
};

static void
add_cell(struct buf *b, struct str text, int width)
{
	buf_addf(b, "%-*.*s  ", width, STR_ARG(text)); /* at least so wide */
}

/* TIME  SESSION  DECISION  POLICY  MESSAGE */
static struct str
as_text(struct arena *a, struct log_view *v, const struct decision *d)
{
	const struct node *n = &d->fields;
	struct buf b = BUF(a, SIZE_MAX);
	struct str decision = node_get_str(n, "decision"), end = node_get_str(n, "loop_end");

	add_cell(&b, clock_format_seconds(a, d->time_us), 20);
	add_cell(&b, strip_escapes_line(a, session_name(&v->known, node_get_str(n, "session"))), 8);
	print_styled(&b, v->has_colour, str_is(decision, "allow") ? STYLE_GREEN : STYLE_YELLOW,
		     strip_escapes_line(a, decision));
	buf_add(&b, STR("  "));
	add_cell(&b, strip_escapes_line(a, node_get_str(n, "policy")), 11);
	if (option_has(v->inv, "all"))
		buf_cat(&b, strip_escapes_line(a, node_get_str(n, "project")), ": ");
	buf_add(&b, strip_escapes_line(a, node_get_str(n, "message")));
	if (end.n > 0)
		buf_cat(&b, " (the loop has ended: ", strip_escapes_line(a, end), ")");
	return buf_str(&b);
}

static bool
take_name(void *context, struct str line, const struct decision *d)
{
	struct log_view *v = context;

	(void)line;
	(void)session_names_add(v->arena, &v->known, node_get_str(&d->fields, "session"));
	return true;
}

static bool
take_last(void *context, struct str line, const struct decision *d)
{
	struct log_view *v = context;

	*arena_push(v->arena, v->last.items, v->last.count) = str_copy(v->arena, line);
	return take_name(v, line, d) && v->last.count < v->limit;
}

/* False: nobody reads any more. */
static bool
show(void *context, struct str line, const struct decision *d)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct log_view *v = context;

	(void)session_names_add(v->arena, &v->known, node_get_str(&d->fields, "session"));
	struct str text = option_has(v->inv, "json") ? line : as_text(&scratch, v, d);

	v->count++;
	v->is_over = print_out(str_cat(&scratch, text, "\n")) != 0;
	return !v->is_over;
}

static bool
show_line(struct log_view *v, struct str line)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct decision d;

	return !decision_read(&scratch, line, &v->filter, &d) || show(v, line, &d);
}

/* All of them in two passes, as the names of sessions depend on all of them; the last ones from the end of the journal. */
static int
show_past(struct log_view *v, struct err *err)
{
	if (v->limit == UINT64_MAX)
		return (!option_has(v->inv, "json") && decisions_each(&v->filter, take_name, v, err) < 0)
			       ? -1
			       : decisions_each(&v->filter, show, v, err);
	if (decisions_each_back(&v->filter, take_last, v, err) < 0)
		return -1;
	for (size_t i = v->last.count; i-- > 0 && !v->is_over;)
		(void)show_line(v, v->last.items[i]);
	return 0;
}

/* Shows what is appended to the journal from now on, until nobody reads or a signal comes. */
static int
follow(struct arena *a, struct log_view *v, uint64_t offset)
{
	struct str path = decisions_path(a, 0);
	CLEANUP(fd_close) int fd = -1;
	struct buf part = BUF(a, SIZE_MAX);
	struct err err;

	for (;;) {
		char bytes[FOLLOW_BYTES];
		size_t n = 0;

		if (fd < 0 && fs_open_regular(path.s, &fd, &err) < 0)
			return command_error(v->inv, err.msg);
		if (fd >= 0 && fd_read_at(fd, offset, bytes, sizeof(bytes), &n, &err) < 0)
			return command_error(v->inv, err.msg);
		offset += n;
		for (size_t i = 0; i < n; i++) {
			buf_addc(&part, bytes[i]);
			if (bytes[i] != '\n')
				continue;
			if (!show_line(v, str_sub(buf_str(&part), 0, part.n - 1)))
				return 1;
			part.n = 0;
		}
		if (n > 0)
			continue;
		if (fd >= 0 && !fs_is_at(fd, path.s)) {
			/* it was moved aside: the next decision makes a new one */
			fd_close(&fd);
			offset = 0;
			part.n = 0;
		}
		clock_sleep_ms(FOLLOW_MS);
	}
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct log_view v = {
		.arena = a, .inv = inv, .has_colour = tty_wants_colour(1), .limit = UINT64_MAX
	};
	struct str path = decisions_path(a, 0);
	struct fs_facts facts;
	/* What is written after this moment, --follow shows. */
	uint64_t size = path.s && fs_facts(path.s, &facts) == FS_FILE ? facts.size : 0;
	struct err err;

	if (option_number(inv, "limit", 1, INT32_MAX, &v.limit, &err) < 0)
		return usage_error(inv, err.msg);
	if (decision_filter_read(a, inv, &v.filter) != 0)
		return 1;
	v.filter.policy = option_str(inv, "policy");
	v.filter.decision = option_str(inv, "decision");
	if (show_past(&v, &err) < 0)
		return command_error(inv, err.msg);
	if (v.is_over)
		return 1;
	if (option_has(inv, "follow"))
		return follow(a, &v, size);
	if (v.count == 0 && !option_has(inv, "json"))
		print_cat("no decision on record", v.filter.project.s ? " in " : "",
			  v.filter.project.s ? v.filter.project : STR(""), "\n");
	return 0;
}

const struct command log_command = {
	.name = "log",
	.summary = "show what was decided: when, in which session, by which policy, why",
	.details = HELP_LOG,
	TAKES(DECISION_PLACE_OPTIONS,
	      VALUE("policy", "POLICY", "that this policy made", .choices = policy_names),
	      VALUE("decision", "DECISION",
		    "of this kind: allow or block a stop, deny a tool or ask about it",
		    CHOICES("allow", "block", "deny", "ask")),
	      DECISION_TIME_OPTIONS, VALUE("limit", "N", "the last N of them", .short_name = 'n'),
	      FLAG("follow", "then show decisions as they are made", .short_name = 'f'),
	      FLAG("json", "print the lines of the journal, for scripts")),
	.run = run,
};
