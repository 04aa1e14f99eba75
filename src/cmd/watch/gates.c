/* SPDX-License-Identifier: MIT */
/* The gates of a project: what they are by the configuration, how they ended by the record, and which of them run by the logs
 * of the run that holds the lock. */
#include "base/buf.h"
#include "base/escapes.h"
#include "base/path.h"
#include "cmd/watch/facts.h"
#include "conf/gates.h"
#include "model/logname.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "output/failing_lines.h"
#include "project/trust.h"
#include "record/gatelog.h"
#include "record/history.h"

#include <inttypes.h>

#define TAIL_BYTES KIB(64)
#define LOG_START_BYTES 64
#define FAILED_BYTES 2000
#define FINDINGS_SHOWN 10

struct reading {
	struct arena *arena;
	struct watch_project *project;
	struct gates_config config;
	struct record record;
	struct history history;
	size_t capacity;
	int64_t failed_us; /* when the gate ended whose failure is shown */
};

static struct str
shown_name(struct arena *a, const struct past_result *r)
{
	struct gate_result g = {
		.kind = r->kind,
		.gate = r->name,
		.entry_point = r->place,
		.dir = r->place,
		.reviewer = r->adapter,
		.slot = r->slot,
	};
	struct str title = gate_result_title(a, &g), label = gate_result_label(a, &g);

	return label.s ? str_fmt(a, STR_FMT " " STR_FMT, STR_ARG(title), STR_ARG(label)) : title;
}

/* A log that was archived is in previous/. */
static struct str
log_path(const struct reading *r, struct str name)
{
	struct arena *a = r->arena;
	struct str paths[] = {
		path_join(a, r->record.logs.path, name),
		str_fmt(a, STR_FMT "/previous/" STR_FMT, STR_ARG(r->record.logs.path), STR_ARG(name)),
	};

	for (size_t i = 0; name.n > 0 && i < COUNT_OF(paths); i++)
		if (fs_kind(paths[i].s) == FS_FILE)
			return paths[i];
	return STR_NONE;
}

static struct watch_gate *
add_gate(struct reading *r, struct str gate, struct str name)
{
	struct watch_project *p = r->project;

	arena_make_room(r->arena, p->gates, p->gate_count, &r->capacity);
	p->gates[p->gate_count] = (struct watch_gate){ .gate = gate, .name = name };
	return &p->gates[p->gate_count++];
}

/* ---- what runs ---- */

/* Every entry of a log begins with a time. */
static int64_t
log_start_us(const char *path)
{
	CLEANUP(fd_close) int fd = -1;
	char bytes[LOG_START_BYTES];
	struct err ignored;
	int64_t us = 0;
	size_t n = 0;

	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0 ||
	    fd_read_at(fd, 0, bytes, sizeof(bytes), &n, &ignored) < 0)
		return 0;
	struct str text = { bytes, n };
	ptrdiff_t end = str_find_char(text, ']');

	return end > 1 && clock_parse(str_sub(text, 1, (size_t)end), &us) ? us : 0;
}

/* The log of this job or slot in the current run, of which no result is known. 0: it does not run. */
static int64_t
running_since_us(const struct reading *r, struct str part, int64_t slot, struct str *ret_log)
{
	const struct log_listing *l = &r->record.listing;
	const struct timed_result *last = history_last(&r->history, part, slot);

	for (size_t i = 0; r->project->is_running && i < l->count; i++) {
		struct log_name n;

		if (!log_name_parse(l->names[i], &n) || n.is_json || n.is_console || n.run != l->last_run ||
		    n.slot != slot || !str_eq(n.part, part))
			continue;
		*ret_log = path_join(r->arena, r->record.logs.path, l->names[i]);
		int64_t us = log_start_us(ret_log->s);

		return us > 0 && (!last || last->ended_us < us) ? us : 0;
	}
	return 0;
}

/* Logs of the current run for which the record has no result yet: gates that run for the first time. */
static void
add_new_running(struct reading *r)
{
	const struct log_listing *l = &r->record.listing;

	for (size_t i = 0; r->project->is_running && i < l->count; i++) {
		struct log_name n;
		struct str log;
		bool is_known = false;

		if (!log_name_parse(l->names[i], &n) || n.is_json || n.is_console || n.run != l->last_run)
			continue;
		for (size_t k = 0; k < r->record.latest.count; k++)
			is_known |= str_eq(r->record.latest.items[k].file_part, n.part) &&
				    r->record.latest.items[k].slot == n.slot;
		int64_t us = is_known ? 0 : running_since_us(r, n.part, n.slot, &log);

		if (us == 0)
			continue;
		/* check_src_lint: what follows the last _ is the name, unless that has one itself. */
		struct str gate = n.part;

		for (size_t k = 0; k < r->config.check_count + r->config.review_count; k++) {
			struct str name = k < r->config.check_count
						  ? r->config.checks[k].name
						  : r->config.reviews[k - r->config.check_count].name;

			if (str_ends(n.part, str_fmt(r->arena, "_" STR_FMT, STR_ARG(name))))
				gate = name;
		}
		struct str name = n.slot > 0 ? str_fmt(r->arena, STR_FMT " (" STR_FMT "@%" PRId64 ")",
						       STR_ARG(gate), STR_ARG(n.adapter), n.slot)
					     : gate;
		struct watch_gate *g = add_gate(r, gate, name);

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
			buf_addf(&b, STR_FMT "\n", STR_ARG(text));
	}
	return buf_str(&b);
}

static struct str
findings_of(struct arena *a, const struct past_result *r)
{
	struct buf b = BUF(a, FAILED_BYTES);

	for (size_t i = 0; i < r->violation_count && i < FINDINGS_SHOWN; i++) {
		const struct finding *f = &r->violations[i];

		buf_addf(&b, STR_FMT ":%" PRId64 ": " STR_FMT "\n", STR_ARG(f->file), f->line,
			 STR_ARG(strip_escapes_line(a, f->issue)));
	}
	return buf_str(&b);
}

static void
note_failure(struct reading *r, const struct past_result *past, const struct watch_gate *g)
{
	struct watch_project *p = r->project;
	bool is_cut;

	if (p->failed_gate.s && g->ended_us <= r->failed_us)
		return;
	r->failed_us = g->ended_us;
	p->failed_gate = g->name;
	p->failed_log = g->log;
	if (past->slot > 0)
		p->failed_lines = findings_of(r->arena, past);
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
	struct watch_gate *g = add_gate(r, past->name, shown_name(r->arena, past));
	struct str log = STR_NONE;

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

static void
add_named(struct reading *r, struct str name)
{
	size_t before = r->project->gate_count;

	for (size_t i = 0; i < r->record.latest.count; i++)
		if (str_eq(r->record.latest.items[i].name, name))
			add_past(r, &r->record.latest.items[i]);
	for (size_t i = 0; i < before; i++)
		if (str_eq(r->project->gates[i].gate, name))
			return; /* one that runs for the first time */
	if (r->project->gate_count == before)
		(void)add_gate(r, name, name);
}

/* -1: the reason is in err. */
static int
load(struct reading *r, struct err *err)
{
	struct arena *a = r->arena;
	struct watch_project *p = r->project;
	struct source *source = arena_new(a, struct source);
	struct gauntlet_hook_config *hook = arena_new(a, struct gauntlet_hook_config);
	struct str lines;

	source_find(a, p->gates_root, source);
	if (source->problem.s)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(source->problem));
	if (source_load_gates(a, source, hook, err) < 0 || gates_load_rest(a, hook, &r->config, err) < 0)
		return -1;
	struct logdir logs = logdir_of(a, p->gates_root, r->config.log_dir);

	p->log_dir = logs.path;
	p->runs_at_stop = r->config.sourced.stop_hook_enabled.value != 0;
	p->is_running = logdir_lock_state(a, &logs) == PIDFILE_HELD;
	if (record_load(&r->record, a, p->gates_root, &logs, err) < 0)
		return -1;
	record_read_findings(&r->record);
	if (journal_read(a, &r->record.journal, &lines, err) < 0)
		return -1;
	history_parse(a, lines, &r->history);
	return 0;
}

void
watch_read_gates(struct arena *a, struct watch_project *p)
{
	struct reading *r = arena_new(a, struct reading);
	struct err err;

	*r = (struct reading){ .arena = a, .project = p };
	if (!p->gates_root.s)
		return;
	if (load(r, &err) < 0) {
		p->problem = str_copy(a, str_from(err.msg));
		return;
	}
	add_new_running(r);
	for (size_t i = 0; i < r->config.check_count; i++)
		add_named(r, r->config.checks[i].name);
	for (size_t i = 0; i < r->config.review_count; i++)
		add_named(r, r->config.reviews[i].name);
}
