/* SPDX-License-Identifier: MIT */
/* Brings together what is known about the projects. Starts no program, not even git, and changes nothing. */
#include "cmd/watch/facts.h"

#include "base/path.h"
#include "cmd/gates/gates.h"
#include "loop/loop.h"
#include "os/clock.h"
#include "os/fs.h"
#include "project/trust.h"
#include "record/journal.h"
#include "store/decisions.h"
#include "store/off.h"

/* Places per project whose changes are noticed. */
#define PLACES 5

struct gathering {
	struct arena *arena;
	struct watch_facts *facts;
	size_t capacity;
	const struct watch_decision *decisions;
	size_t decision_count;
};

void
watch_read_loops(struct arena *a, const struct project_dirs *where, struct watch_project *p)
{
	struct loop_refs refs;

	loops_find(a, where, &refs);
	p->loops = arena_array(a, refs.count, struct watch_loop);
	for (size_t i = 0; i < refs.count; i++) {
		const struct loop_ref *r = &refs.items[i];
		struct watch_loop *l = &p->loops[p->loop_count++];
		struct str prompt = str_trim(r->state.prompt), line = STR("");

		*l = (struct watch_loop){ .path = r->path };
		if (r->is_corrupt) {
			l->problem = loop_problem(a, r->path, &r->why_corrupt);
			continue;
		}
		(void)str_next(&prompt, '\n', &line);
		l->session = r->state.session_id;
		l->iteration = r->state.iteration;
		l->max = r->state.max_iterations;
		l->is_paused = r->state.is_paused;
		l->prompt = line;
		if (!r->state.started_at.s || !clock_parse(r->state.started_at, &l->started_us))
			l->started_us = 0;
	}
}

static void
add_sessions(const struct gathering *g, struct watch_project *p)
{
	p->sessions = arena_array(g->arena, g->decision_count, struct watch_session);
	for (size_t i = 0; i < g->decision_count; i++)
		if (str_eq(g->decisions[i].project, p->root))
			p->sessions[p->session_count++] = g->decisions[i].session;
}

static bool
is_known(const struct watch_facts *f, struct str root)
{
	for (size_t i = 0; i < f->project_count; i++)
		if (str_eq(f->projects[i].root, root))
			return true;
	return false;
}

static struct watch_project *
add_project(struct gathering *g, struct str root, const struct project_dirs *where, struct str gates_root)
{
	struct watch_facts *f = g->facts;
	int64_t until_ms;

	arena_make_room(g->arena, f->projects, f->project_count, &g->capacity);
	struct watch_project *p = &f->projects[f->project_count++];

	*p = (struct watch_project){ .root = root, .gates_root = gates_root };
	p->is_off = off_is_set(g->arena, root, f->now_us / 1000, &until_ms);
	watch_read_loops(g->arena, where, p);
	watch_read_gates(g->arena, p);
	add_sessions(g, p);
	return p;
}

/* Does it have more to show than gates that passed? */
static bool
is_worth_showing(const struct watch_project *p)
{
	bool is_failing = false;

	for (size_t i = 0; i < p->gate_count; i++)
		is_failing |= p->gates[i].outcome == OUTCOME_FAIL;
	return p->loop_count > 0 || p->session_count > 0 || p->is_running || is_failing;
}

static void
add_other(struct gathering *g, struct str root)
{
	struct project_dirs where;
	bool has_pins = trust_has_pins(g->arena);

	if (is_known(g->facts, root) || fs_kind(root.s) != FS_DIR)
		return;
	project_find_above(&where, root, WITHIN_REPOSITORY);
	where.count = where.count > 0 ? 1 : 0; /* what is above it is another project's */
	struct str dir = source_dir(g->arena, root, has_pins);
	bool has_gates = !dir.s || gates_find(g->arena, &dir, 1).s;

	if (!is_worth_showing(add_project(g, root, &where, has_gates ? root : STR_NONE)))
		g->facts->project_count--;
}

static void
add_here(struct gathering *g, struct str cwd)
{
	struct project_dirs *where = arena_new(g->arena, struct project_dirs);
	bool has_gates;
	struct str gates = gauntlet_root(g->arena, &has_gates);

	project_find(where, cwd, WITHIN_REPOSITORY);
	struct str root = project_root(where);

	if (root.s)
		(void)add_project(g, root, where, has_gates ? gates : STR_NONE);
}

/* A directory that does not exist yet is noticed when it is created in its parent. */
static void
list_places(struct arena *a, struct watch_facts *f)
{
	struct str journal = decisions_path(a, 0);

	f->places.items = arena_array(a, 1 + PLACES * f->project_count, struct str);
	if (journal.s)
		f->places.items[f->places.count++] = str_copy(a, path_parent(journal));
	for (size_t i = 0; i < f->project_count; i++) {
		const struct watch_project *p = &f->projects[i];
		struct str results = journal_beside(a, p->gates_root.s ? p->gates_root : p->root, "");
		struct str all[PLACES] = { p->root, path_join(a, p->root, STR(".claude")), p->gates_root,
					   p->log_dir, results };

		for (size_t k = 0; k < PLACES; k++)
			if (all[k].s)
				f->places.items[f->places.count++] = str_copy(a, all[k]);
	}
}

void
watch_gather(struct arena *a, struct str cwd, bool is_all, struct watch_facts *ret)
{
	struct gathering g = { .arena = a, .facts = ret };
	struct watch_decision *decisions;
	int64_t now_us = clock_real_us(), since_us = now_us - SESSION_AGE_US;

	*ret = (struct watch_facts){ .now_us = now_us, .is_all = is_all };
	watch_read_decisions(a, since_us, &decisions, &g.decision_count);
	g.decisions = decisions;
	if (cwd.s)
		add_here(&g, cwd);
	if (is_all) {
		struct str_list known = watch_known_projects(a, since_us);

		for (size_t i = 0; i < g.decision_count; i++)
			if (path_is_absolute(g.decisions[i].project))
				add_other(&g, g.decisions[i].project);
		for (size_t i = 0; i < known.count; i++)
			add_other(&g, known.items[i]);
	}
	list_places(a, ret);
}
