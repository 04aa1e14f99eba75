/* SPDX-License-Identifier: MIT */
/* The gates of a project: what they are by the configuration, how they ended by the record, and which of them run by the logs
 * of the run that holds the lock. */
#include "overview/overview.h"
#include "model/logname.h"
#include "os/clock.h"
#include "os/fs.h"
#include "output/failing_lines.h"
#include "record/gatelog.h"
#include "record/history.h"

#include <inttypes.h>

#define TAIL_BYTES KIB(64)
#define LOG_START_BYTES 64
#define FAILED_BYTES 2000
#define FINDINGS_SHOWN 10

struct reading {
	struct arena *arena;
	struct overview *project; /* whose configuration and record have been read */
	struct history history;
	/* The results of the record: a set of the names of gates, of each name the number of the first result, from 1, and of each
	 * result that of the next of the same name; 0: none. */
	struct strset names;
	size_t *first, *next;
	int64_t failed_us; /* when the gate ended whose failure is shown */
};

/* A log that was archived is in previous/. */
static struct str
log_path(const struct reading *r, struct str name)
{
	struct arena *a = r->arena;
	struct str paths[] = {
		path_join(a, r->project->record->logs.path, name),
		str_cat(a, r->project->record->logs.path, "/previous/", name),
	};

	for (size_t i = 0; name.n > 0 && i < COUNT_OF(paths); i++)
		if (fs_kind(paths[i].s) == FS_FILE)
			return paths[i];
	return STR_NONE;
}

static struct overview_gate *
add_gate(struct reading *r, struct str gate, struct str name)
{
	struct overview_gate *g = arena_push(r->arena, r->project->gates, r->project->gate_count);

	*g = (struct overview_gate){ .gate = gate, .name = name };
	return g;
}

/* ---- what runs ---- */

/* Every entry of a log begins with a time. */
static int64_t
log_start_us(struct arena *a, const char *path)
{
	struct str text = log_read_head(a, path, LOG_START_BYTES);
	int64_t us = 0;
	ptrdiff_t end = str_find_char(text, ']');

	return end > 1 && clock_parse(str_sub(text, 1, (size_t)end), &us) ? us : 0;
}

/* Is it the log of a gate in the run that is in progress? */
static bool
is_running_log(const struct reading *r, struct str name, struct log_name *ret)
{
	return r->project->is_running && log_name_parse(name, ret) && !ret->is_json && !ret->is_console &&
	       ret->run == r->project->record->listing.last_run;
}

/* The log of this job or slot in the current run, of which no result is known. 0: it does not run. */
static int64_t
running_since_us(const struct reading *r, struct str part, int64_t slot, struct str *ret_log)
{
	const struct log_listing *l = &r->project->record->listing;
	const struct timed_result *last = history_last(&r->history, part, slot);

	for (size_t i = 0; i < l->count; i++) {
		struct log_name n;

		if (!is_running_log(r, l->names[i], &n) || n.slot != slot || !str_eq(n.part, part))
			continue;
		*ret_log = path_join(r->arena, r->project->record->logs.path, l->names[i]);
		int64_t us = log_start_us(r->arena, ret_log->s);

		return us > 0 && (!last || last->ended_us < us) ? us : 0;
	}
	return 0;
}

/* Logs of the current run for which the record has no result yet: gates that run for the first time. */
static void
add_new_running(struct reading *r)
{
	const struct log_listing *l = &r->project->record->listing;
	const struct past_results *latest = &r->project->record->latest;
	const struct gates_config *c = r->project->config;

	for (size_t i = 0; i < l->count; i++) {
		struct log_name n;
		struct str log;
		bool is_known = false;

		if (!is_running_log(r, l->names[i], &n))
			continue;
		for (size_t k = 0; k < latest->count; k++)
			is_known |= str_eq(latest->items[k].file_part, n.part) &&
				    latest->items[k].slot == n.slot;
		int64_t us = is_known ? 0 : running_since_us(r, n.part, n.slot, &log);

		if (us == 0)
			continue;
		/* check_src_lint: what follows the last _ is the name, unless that has one itself. */
		struct str gate = n.part;

		for (size_t k = 0; k < c->check_count + c->review_count; k++) {
			struct str name = k < c->check_count ? c->checks[k].name
							     : c->reviews[k - c->check_count].name;

			if (str_ends(n.part, str_cat(r->arena, "_", name)))
				gate = name;
		}
		struct str name = n.slot > 0 ? str_cat(r->arena, gate, " (", n.adapter, "@", n.slot, ")")
					     : gate;
		struct overview_gate *g = add_gate(r, gate, name);

		g->outcome = OUTCOME_RUNNING;
		g->started_us = us;
		g->log = log;
	}
}

/* ---- what failed last ---- */

/* The gate's output without the entries that holdfast wrote around it. */
static struct str
output_of(struct arena *a, struct str log)
{
	static const char *const ours[] = { "Executing command: ", "Working directory: ", "Result: ",
					    "Command failed: " };
	struct buf b = BUF(a, TAIL_BYTES);
	struct str line;

	while (str_next(&log, '\n', &line)) {
		struct str text = gatelog_entry_text(line);
		bool is_ours = text.s && gatelog_entry_text(text).s; /* that it starts, with the time again */

		text = text.s ? text : line;
		for (size_t i = 0; i < COUNT_OF(ours); i++)
			is_ours |= str_starts(text, str_from(ours[i]));
		if (!is_ours)
			buf_cat(&b, text, "\n");
	}
	return buf_str(&b);
}

static void
note_failure(struct reading *r, const struct past_result *past, const struct overview_gate *g)
{
	struct overview *p = r->project;
	struct buf findings = BUF(r->arena, FAILED_BYTES);
	bool is_cut;

	if (p->failed_gate.s && g->ended_us <= r->failed_us)
		return;
	r->failed_us = g->ended_us;
	p->failed_gate = g->name;
	p->failed_log = g->log;
	for (size_t i = 0; i < past->open.count && i < FINDINGS_SHOWN; i++) {
		const struct finding *f = &past->open.items[i];

		buf_cat(&findings, f->file, ":", f->line, ": ", strip_escapes_line(r->arena, f->issue), "\n");
	}
	if (past->slot > 0)
		p->failed_lines = buf_str(&findings);
	else if (g->log.s)
		p->failed_lines = failing_lines(
			r->arena, output_of(r->arena, log_read_tail(r->arena, g->log.s, TAIL_BYTES, &is_cut)),
			FAILED_BYTES);
}

/* ---- all of them ---- */

static void
add_past(struct reading *r, const struct past_result *past)
{
	const struct timed_result *last = history_last(&r->history, past->file_part, past->slot);
	struct gate_result like = {
		.kind = past->kind,
		.gate = past->name,
		.entry_point = past->place,
		.dir = past->place,
		.reviewer = past->adapter,
		.slot = past->slot,
	};
	struct str label = gate_result_label(r->arena, &like), log = STR_NONE;
	struct overview_gate *g = add_gate(
		r, past->name,
		str_cat(r->arena, gate_result_title(r->arena, &like), label.s ? " " : "", label));

	g->outcome = past->outcome;
	g->usual_ms = history_usual_ms(&r->history, past->file_part, past->slot);
	if (last) {
		g->elapsed_ms = last->elapsed_ms;
		g->ended_us = last->ended_us;
		g->log = log_path(r, last->log);
	}
	if (past_is_failure(past))
		note_failure(r, past, g);
	g->started_us = running_since_us(r, past->file_part, past->slot, &log);
	if (g->started_us > 0) {
		g->outcome = OUTCOME_RUNNING;
		g->log = log;
	}
}

/* Adds the results of the gate, or the gate without any; one that runs for the first time is there already. */
static void
add_named(struct reading *r, struct str name, const struct strset *running)
{
	const struct past_results *latest = &r->project->record->latest;
	size_t number = strset_at(&r->names, name);

	if (number == r->names.count && !strset_has(running, name))
		(void)add_gate(r, name, name);
	for (size_t i = number < r->names.count ? r->first[number] : 0; i > 0; i = r->next[i - 1])
		add_past(r, &latest->items[i - 1]);
}

/* The results by the names of their gates. */
static void
index_results(struct reading *r)
{
	const struct past_results *latest = &r->project->record->latest;

	r->names = strset_new(r->arena, latest->count);
	r->first = arena_array(r->arena, latest->count, size_t);
	r->next = arena_array(r->arena, latest->count, size_t);
	for (size_t i = latest->count; i > 0; i--) {
		struct str name = latest->items[i - 1].name;

		if (!name.s)
			continue;
		(void)strset_add(&r->names, name);
		size_t *first = &r->first[strset_at(&r->names, name)];

		r->next[i - 1] = *first;
		*first = i;
	}
}

int
overview_list_gates(struct arena *a, struct overview *o, struct err *err)
{
	struct reading r = { .arena = a, .project = o };
	struct strset running = strset_new(a, 0);
	struct str lines;

	record_read_findings(o->record);
	if (journal_read(a, &o->record->journal, &lines, err) < 0)
		return -1;
	history_parse(a, lines, &r.history);
	index_results(&r);
	add_new_running(&r);
	for (size_t i = 0; i < o->gate_count; i++)
		(void)strset_add(&running, o->gates[i].gate);
	for (size_t i = 0; i < o->config->check_count; i++)
		add_named(&r, o->config->checks[i].name, &running);
	for (size_t i = 0; i < o->config->review_count; i++)
		add_named(&r, o->config->reviews[i].name, &running);
	return 0;
}
