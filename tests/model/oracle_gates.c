/* SPDX-License-Identifier: MIT */
/* The gates' part of the model. Which checks failed is known from what they wrote into the trace, what has changed from
 * git; holdfast's own logs and state are not looked at. */
#include "model.h"

#include <string.h>

#define UNTRACKED "git ls-files --others --exclude-standard"

static unsigned
bit(int i)
{
	return 1u << i;
}

static struct str
branch_now(const struct world *w)
{
	return world_sh(w, "git symbolic-ref -q --short HEAD || echo HEAD");
}

struct repository
repository_look(const struct model *m, enum scope scope)
{
	static const char *const commands[SCOPE_COUNT] = {
		"git diff --name-only $(git merge-base main HEAD) && " UNTRACKED,
		"git diff --name-only HEAD && " UNTRACKED,
		"git diff-tree --root --no-commit-id --name-only -r HEAD",
	};
	const struct world *w = m->world;
	struct repository r = { .branch = branch_now(w),
				.commit = world_sh(w, "git rev-parse HEAD"),
				.is_commit = scope == SCOPE_COMMIT };
	struct str names = world_sh(w, "%s", commands[scope]), name;

	r.is_in_base = world_sh(w, "git merge-base --is-ancestor HEAD main && echo yes").n > 0;
	if (m->gates.commit.n > 0)
		r.is_recorded_in_base =
			world_sh(w, "git merge-base --is-ancestor %s main && echo yes", m->gates.commit.s).n >
			0;
	while (str_next(&names, '\n', &name)) {
		if (str_starts(name, STR("gauntlet_logs/")))
			continue;
		r.has_changes = true;
		r.changed |= bit(ENTRY_ALL);
		if (str_starts(name, STR("src/")))
			r.changed |= bit(ENTRY_SRC);
		if (str_starts(name, STR("docs/")))
			r.changed |= bit(ENTRY_DOCS);
	}
	return r;
}

static bool
begins_anew(const struct gates *g, const struct repository *r)
{
	return g->has_state && (!str_eq(g->branch, r->branch) || (!g->was_in_base && r->is_recorded_in_base));
}

unsigned
checks_failing(const struct model *m)
{
	unsigned failing = 0;

	for (int i = 0; i < m->config->check_count; i++)
		if (!str_is(world_read(m->world, str_fmt(m->world->arena, "src/c%d", i).s), "good\n"))
			failing |= bit(i);
	return failing;
}

/* The commits of the base branch itself, and those that were merged into it. */
static bool
is_unsure(const struct gates *g, const struct repository *r)
{
	return r->is_in_base && (g->has_moved || (g->first.n > 0 && !str_eq(g->first, r->commit)));
}

static void
note_commit(struct gates *g, struct str commit)
{
	if (g->first.n == 0)
		g->first = commit;
	g->has_moved |= !str_eq(g->first, commit);
}

struct gates_step
gates_expect(const struct model *m, const struct repository *r, int only)
{
	const struct gates *g = &m->gates;
	bool is_anew = begins_anew(g, r);
	unsigned planned = is_anew || r->is_commit ? 0 : g->in_state | g->in_logs;
	long attempt = is_anew ? 1 : g->attempts + 1;

	if (attempt > m->config->max_retries + 1)
		return (struct gates_step){ .status = "retry_limit_exceeded",
					    .is_unsure = is_unsure(g, r),
					    .runs = true,
					    .repository = *r };
	for (int i = 0; i < m->config->check_count; i++)
		if (r->changed & bit((int)m->config->checks[i].entry))
			planned |= bit(i);
	if (only >= 0)
		planned &= bit(only);
	if (planned == 0)
		return (struct gates_step){ .status = r->has_changes ? "no_applicable_gates" : "no_changes",
					    .is_unsure = is_unsure(g, r),
					    .runs = true,
					    .repository = *r };
	struct gates_step step = { .status = "passed",
				   .is_unsure = is_unsure(g, r),
				   .runs = true,
				   .planned = planned,
				   .repository = *r };

	if (planned & checks_failing(m))
		step.status = attempt > m->config->max_retries ? "retry_limit_exceeded" : "failed";
	return step;
}

struct gates_step
gates_expect_stop(const struct model *m, const struct event *e)
{
	const struct gates *g = &m->gates;
	const struct config *c = m->config;

	if (!c->has_gates)
		return (struct gates_step){ 0 };
	if (e->is_active && !c->reverifies)
		return (struct gates_step){ .status = "stop_hook_active", .is_certain = true };
	if (!c->is_enabled)
		return (struct gates_step){ .status = "stop_hook_disabled", .is_certain = true };
	if (g->has_foreign_lock)
		return (struct gates_step){ .status = "lock_exists", .is_certain = true };
	struct repository r = repository_look(m, SCOPE_ALL);

	if (c->interval > 0 && g->has_state && !g->is_partial && !(g->in_state | g->in_logs) &&
	    str_eq(g->branch, r.branch))
		return (struct gates_step){ .status = "interval_not_elapsed", .repository = r };
	return gates_expect(m, &r, -1);
}

struct gates_ran
gates_trace(const struct world *w)
{
	struct str text = world_read(w, w->trace.s), line;
	struct gates_ran r = { 0 };

	while (str_next(&text, '\n', &line)) {
		if (line.n < 3)
			continue;
		r.ran |= bit(line.s[0] - '0');
		if (str_ends(line, STR("fail")))
			r.failed |= bit(line.s[0] - '0');
	}
	return r;
}

static bool
has_manner(const struct config *c, enum manner manner)
{
	for (int i = 0; i < c->check_count; i++)
		if (c->checks[i].manner == manner)
			return true;
	return false;
}

void
gates_forget(struct model *m)
{
	bool has_lock = m->gates.has_foreign_lock;

	m->gates = (struct gates){ .has_foreign_lock = has_lock };
	m->blocks = 0;
}

void
gates_after(struct model *m, const struct repository *before, const struct gates_ran *r, bool is_partial)
{
	struct gates *g = &m->gates;
	struct str branch = branch_now(m->world);

	if (begins_anew(g, before))
		gates_forget(m);
	note_commit(g, before->commit);
	if (r->ran == 0)
		return; /* over the limit, or nothing to do: no state is written */
	g->in_state = ((g->in_state | g->in_logs) & ~r->ran) | r->failed;
	g->in_logs = (g->in_logs & ~r->ran) | r->failed;
	g->attempts = r->failed ? g->attempts + 1 : g->in_state ? g->attempts : 0;
	g->has_state = true;
	g->is_partial = is_partial;
	/* A check that fails may have gone to another branch: that does not begin anew. */
	g->branch = r->failed && !str_is(branch, "HEAD") ? branch : before->branch;
	g->commit = before->commit;
	g->was_in_base = before->is_in_base;
}

bool
gates_have_run(const struct model *m, const struct gates_ran *r, unsigned planned)
{
	for (int i = 0; i < m->config->check_count; i++)
		if (m->config->checks[i].is_fail_fast && (r->failed & bit(i)))
			return (r->ran & ~planned) == 0;
	return r->ran == planned;
}

void
gates_doubt(struct model *m, const struct gates_ran *r)
{
	struct repository now = repository_look(m, SCOPE_ALL);

	/* A failure that was traced may not have been heard of; one that was known before may have passed. */
	m->gates.in_state &= ~r->ran;
	m->gates.in_logs &= ~r->ran;
	/* Together with a check that forgets or goes away, so does what bounds the blocks. */
	bool is_lost = r->ran &&
		       (has_manner(m->config, MANNER_FORGETS) || has_manner(m->config, MANNER_SWITCHES));

	if (is_lost)
		m->blocks = 0;
	if (is_lost || begins_anew(&m->gates, &now))
		m->gates.in_state = m->gates.in_logs = 0;
	note_commit(&m->gates, now.commit);
	m->gates.is_in_doubt = true;
}
