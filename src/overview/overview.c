/* SPDX-License-Identifier: MIT */
/* Brings together what is known about the projects. */
#include "overview/overview.h"

#include "doc/json.h"
#include "import/gates.h"
#include "os/clock.h"
#include "os/fs.h"
#include "project/trust.h"
#include "record/gatelog.h"
#include "record/journal.h"
#include "store/journals.h"
#include "store/off.h"
#include "store/session.h"
#include "store/state_path.h"
#include "store/trust.h"

/* Places per project whose changes are noticed. */
#define PLACES 5
/* The first line of a results journal names the project. */
#define LINE_BYTES KIB(8)

/* ---- one project ---- */

struct str
overview_gates_root(struct arena *a, const struct project_dirs *where)
{
	bool has_pins = trust_has_pins(a);

	for (size_t i = 0; i < where->count; i++) {
		struct str dir = source_dir(a, where->dirs[i], has_pins);

		if (!dir.s || gates_find(a, &dir, 1).s)
			return str_copy(a, where->dirs[i]);
	}
	return STR_NONE;
}

int
overview_load_gates(struct arena *a, struct str root, struct gates_config *ret, struct str_list *ret_warnings,
		    struct err *err)
{
	struct source *source = arena_new(a, struct source);
	struct stop_settings *hook = arena_new(a, struct stop_settings);

	*ret_warnings = (struct str_list){ .items = arena_array(a, 2, struct str) };
	source_find(a, root, source);
	if (source->problem.s)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(source->problem));
	if (source->differs.s)
		ret_warnings->items[ret_warnings->count++] = str_cat(
			a, "warning: the definitions differ from the pinned ones, which are used: ",
			source->differs, "; 'holdfast trust' accepts the change");
	if (source_load_gates(a, source, hook, err) < 0 || gates_load_rest(a, hook, ret, err) < 0)
		return -1;
	ret->root = root; /* the files may be a pinned copy's */
	if (hook->warning.s)
		ret_warnings->items[ret_warnings->count++] = hook->warning;
	return 0;
}

static int
read_gates(struct arena *a, struct overview *o, unsigned parts, struct err *err)
{
	struct str warning = STR_NONE;

	o->config = arena_new(a, struct gates_config);
	if (parts & OVERVIEW_PROBLEMS) {
		(void)gates_check_all(a, o->gates_root, o->config, &o->problems, &warning);
		if (warning.s)
			str_list_add_new(a, &o->warnings, warning);
		if (problems_fail(a, o->gates_root, &o->problems, err) < 0)
			return -1;
	} else if (overview_load_gates(a, o->gates_root, o->config, &o->warnings, err) < 0) {
		return -1;
	}
	o->logs = logdir_of(a, o->gates_root, o->config->log_dir, o->config->dialect);
	o->is_running = logdir_lock_state(a, &o->logs) == PIDFILE_HELD;
	o->runs_at_stop = o->config->sourced.stop_hook_enabled.value != 0;
	if (parts & (OVERVIEW_RECORD | OVERVIEW_GATES)) {
		o->record = arena_new(a, struct record);
		if (record_load(o->record, a, o->gates_root, &o->logs, err) < 0)
			return -1;
	}
	if ((parts & OVERVIEW_GATES) && overview_list_gates(a, o, err) < 0)
		return -1;
	if (parts & OVERVIEW_NEXT) {
		find_base_branch(a, o->config);
		o->tries = sessions_most_tries(a, o->gates_root, /* resets= */ false);
		return preview_run(a, o->config, &o->next, err);
	}
	return 0;
}

/* The project and its gates have been found. */
static void
read_parts(struct arena *a, struct overview *o, unsigned parts)
{
	int64_t until_ms;
	struct err err;

	if (parts & OVERVIEW_OFF)
		o->is_off = off_is_set(a, o->root, clock_real_us() / 1000, &until_ms);
	if (parts & OVERVIEW_LOOPS)
		loops_find(a, &o->where, &o->loops);
	if (o->gates_root.s && (parts & (OVERVIEW_RECORD | OVERVIEW_GATES | OVERVIEW_NEXT)) &&
	    read_gates(a, o, parts, &err) < 0)
		o->problem = str_copy(a, str_from(err.msg));
}

void
overview_read(struct arena *a, struct str dir, unsigned parts, struct overview *ret)
{
	*ret = (struct overview){ 0 };
	project_find(&ret->where, dir, WITHIN_REPOSITORY);
	ret->root = project_root(&ret->where);
	ret->gates_root = overview_gates_root(a, &ret->where);
	read_parts(a, ret, parts);
}

/* ---- several projects ---- */

#define OF_SEVERAL (OVERVIEW_OFF | OVERVIEW_LOOPS | OVERVIEW_GATES)

static void
add_project(struct arena *a, struct overviews *all, const struct overview *o)
{
	struct overview *p = arena_push(a, all->projects, all->project_count);

	*p = *o;
	p->sessions = arena_array(a, all->session_count, struct overview_session);
	for (size_t i = 0; i < all->session_count; i++)
		if (str_eq(all->sessions[i].project, p->root))
			p->sessions[p->session_count++] = all->sessions[i];
}

/* One that has more to show than gates that passed. */
static void
add_other(struct arena *a, struct overviews *all, struct str root)
{
	struct overview o = { .root = root };
	bool is_failing = false;

	for (size_t i = 0; i < all->project_count; i++)
		if (str_eq(all->projects[i].root, root))
			return;
	if (fs_kind(root.s) != FS_DIR)
		return;
	project_find_above(&o.where, root, WITHIN_REPOSITORY);
	o.where.count = o.where.count > 0 ? 1 : 0; /* what is above it is another project's */
	o.gates_root = overview_gates_root(a, &(struct project_dirs){ .dirs = { root }, .count = 1 });
	read_parts(a, &o, OF_SEVERAL);
	for (size_t i = 0; i < o.gate_count; i++)
		is_failing |= o.gates[i].outcome == OUTCOME_FAIL;
	add_project(a, all, &o);
	const struct overview *p = &all->projects[all->project_count - 1];

	if (p->loops.count == 0 && p->session_count == 0 && !p->is_running && !is_failing)
		all->project_count--;
}

static struct str
root_of_journal(struct arena *a, const char *path)
{
	struct node n;
	struct str line = str_before(log_read_head(a, path, LINE_BYTES), '\n');

	return json_parse(a, line, &n, IGNORED) == 0 ? node_get_str(&n, "root") : STR_NONE;
}

/* The projects with sessions, those that are trusted, and those in which gates have run since that time. */
static void
add_others(struct arena *a, struct overviews *all, int64_t since_us)
{
	struct str dir = state_path(a, "projects", STR(""));
	struct trust_list trusted = { 0 };
	struct str_list names;

	for (size_t i = 0; i < all->session_count; i++)
		if (path_is_absolute(all->sessions[i].project))
			add_other(a, all, all->sessions[i].project);
	if (trust_list(a, &trusted, IGNORED) < 0)
		trusted = (struct trust_list){ 0 };
	for (size_t i = 0; i < trusted.count; i++)
		add_other(a, all, trusted.items[i].root);
	if (!dir.s || fs_list(a, dir.s, FS_NO_LIMIT, &names, IGNORED) < 0)
		return;
	for (size_t i = 0; i < names.count; i++) {
		struct str path = str_cat(a, dir, names.items[i], "/results.jsonl"), root = STR_NONE;

		if (fs_written_at(path.s) / 1000 >= since_us)
			root = root_of_journal(a, path.s);
		if (path_is_absolute(root))
			add_other(a, all, root);
	}
}

void
overviews_read(struct arena *a, struct str cwd, bool is_all, struct overviews *ret)
{
	int64_t now_us = clock_real_us(), since_us = now_us - SESSION_AGE_US;
	struct overview here;

	*ret = (struct overviews){ .now_us = now_us, .is_all = is_all };
	overview_read_sessions(a, since_us, &ret->sessions, &ret->session_count);
	if (cwd.s) {
		overview_read(a, cwd, OF_SEVERAL, &here);
		if (here.root.s)
			add_project(a, ret, &here);
	}
	if (is_all)
		add_others(a, ret, since_us);
	/* A directory that does not exist yet is noticed when it is created in its parent. */
	struct str journal = decisions_path(a, 0);

	ret->places.items = arena_array(a, 1 + PLACES * ret->project_count, struct str);
	if (journal.s)
		ret->places.items[ret->places.count++] = str_copy(a, path_parent(journal));
	for_each (p, ret->projects, ret->project_count) {
		struct str results = journal_beside(a, p->gates_root.s ? p->gates_root : p->root, "");
		struct str all[PLACES] = { p->root, path_join(a, p->root, STR(".claude")), p->gates_root,
					   p->logs.path, results };

		for (size_t k = 0; k < PLACES; k++)
			if (all[k].s)
				ret->places.items[ret->places.count++] = str_copy(a, all[k]);
	}
}
