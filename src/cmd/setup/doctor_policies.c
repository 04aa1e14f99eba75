/* SPDX-License-Identifier: MIT */
/* Checks whether what is defined here may run, and what turns the policies on, and predicts the next stop from the facts that
 * the policies read. Runs nothing and counts nothing. */
#include "cmd/setup/doctor.h"

#include "gates/check.h"
#include "gates/run.h"
#include "import/conclaude.h"
#include "import/gates.h"
#include "model/block_cap.h"
#include "os/env.h"
#include "os/fs.h"
#include "overview/overview.h"
#include "project/trust.h"
#include "review/review.h"
#include "store/queue.h"
#include "store/session.h"

#define SHOWN_MAX 60
#define PROBLEMS_SHOWN 10

static void
check_source(struct doctor *d, struct str root)
{
	const char *command = str_cat(d->arena, "holdfast trust ", root).s;
	struct source s;

	source_find(d->arena, root, &s);
	if (s.problem.s)
		doctor_add(d, FINDING_ERROR, NULL, "trust: ", s.problem);
	else if (s.differs.s)
		doctor_add(d, FINDING_WARNING, command,
			   "trust: the definitions differ from the pinned ones, which are used: ", s.differs);
	else if (s.is_trusted || s.is_pinned)
		doctor_add(d, FINDING_OK, NULL, "trust: ", root, " is ", s.is_pinned ? "pinned" : "trusted",
			   s.from.s ? " to " : "", s.from, " since ", s.since);
	else if (registry_has_stop(&d->registry, NULL, true) && !registry_has_stop(&d->registry, NULL, false))
		doctor_add(d, FINDING_WARNING, command, "trust: ", root,
			   " is not trusted, and holdfast is registered for all projects, so nothing that is "
			   "defined here runs");
}

static void
check_loop(struct doctor *d, const struct loop_ref *l)
{
	struct str shown = path_shown(l->path, d->cwd);
	const struct loop_state *s = &l->state;

	if (l->is_corrupt) {
		doctor_add(d, FINDING_ERROR, "fix the file, or run 'holdfast ralph cancel'",
			   "loop: ", loop_problem(d->arena, shown, &l->why_corrupt));
		return;
	}
	struct str limit = s->max_iterations > 0 ? str_cat(d->arena, " of ", s->max_iterations)
						 : STR(", no limit");
	struct str promises = loop_promises(d->arena, &s->options, "</promise> or <promise>");
	struct str until = promises.s ? str_cat(d->arena, "until <promise>", promises, "</promise>")
				      : STR("no promise");

	doctor_add(d, FINDING_OK, NULL, "loop: ", shown, ": iteration ", s->iteration, limit, ", ", until,
		   s->is_paused ? ", paused" : "");
	if (s->max_iterations == 0 && !promises.s)
		doctor_add(d, FINDING_WARNING, "set max_iterations or completion_promise in the file",
			   "loop: ", shown, ": only you can end this loop");
	if (s->duplicate_key.s)
		doctor_add(d, FINDING_WARNING, "remove one of them", "loop: ", shown, ": the key '",
			   s->duplicate_key, "' appears twice; the first counts");
}

static void
check_conclaude(struct doctor *d)
{
	const struct project_facts *s = d->facts;
	const struct policies *stop = &s->policies;
	struct str shown = path_shown(s->policies_path, d->cwd);

	if (s->policies_path.s && !s->has_policies) {
		doctor_add(d, FINDING_ERROR,
			   "fix the file (see 'holdfast validate'); until then its policies are skipped",
			   s->why_bad.msg);
		return;
	}
	if (!s->has_policies)
		return;
	if (policies_follow_ups(stop) > 0) {
		size_t messages = stop->follow_ups->messages.count;
		size_t patterns = stop->follow_ups->prefixes.count;

		doctor_add(d, FINDING_OK, NULL, "follow-ups: ", shown, ": ", messages, " ",
			   messages == 1 ? "message" : "messages", " for ", patterns, " ",
			   patterns == 1 ? "pattern" : "patterns");
		struct str path = queue_path(d->arena, stop->database_path, stop->dir);
		struct err err;

		if (!path.s)
			doctor_add(d, FINDING_ERROR, "set HOME or CONCLAUDE_DATA_DIR",
				   "follow-ups: there is no home directory for the database");
		else if (queue_probe(d->arena, path, &err) < 0)
			doctor_add(d, FINDING_ERROR, "make the directory writable, or set database.path",
				   "follow-ups: the database is not writable: ", err.msg);
		else
			doctor_add(d, FINDING_OK, NULL, "follow-ups: the database is ", path);
	}
	if (policies_guard_tools(stop))
		doctor_add(d, FINDING_OK, NULL, "guards: ", shown, ": ", guards_text(d->arena, stop->guards));
	if (stop->todos.s)
		doctor_add(d, FINDING_OK, NULL, "todos: ", shown, ": open items block");
	if (stop->commands.count > 0) {
		doctor_add(d, FINDING_OK, NULL, "commands: ", shown, ": ", stop->commands.count, " stop ",
			   stop->commands.count == 1 ? "command" : "commands");
		/* Without PATH the system searches default directories. */
		if (env_has("PATH") && !env_find_program(d->arena, "bash").s)
			doctor_add(d, FINDING_ERROR, "install bash",
				   "commands: bash is not in PATH, so they can't run");
	}
	if (stop->rounds > 0) {
		doctor_add(d, FINDING_OK, NULL, "rounds: ", shown, ": ", stop->rounds, " a session");
		struct str dir = session_shared_dir();

		if (!fs_is_writable(str_copy(d->arena, dir).s))
			doctor_add(d, FINDING_ERROR, "make it writable", "rounds: ", dir,
				   " is not writable, so rounds can't be counted");
	}
	if (stop->is_infinite)
		doctor_add(d, FINDING_OK, NULL, "infinite: ", shown,
			   ": the client's own limit is the only end");
	if (stop->dialect->configures_alone)
		return;
	struct config_problems found;

	conclaude_check(d->arena, stop, &found);
	for_each (p, found.items, found.count) {
		/* doctor_check_cap() reports that with the limit in force. */
		if (str_find(p->text, STR(CLAUDE_BLOCK_CAP_NAME)) < 0)
			doctor_add(d, p->severity == SEVERITY_ERROR ? FINDING_ERROR : FINDING_WARNING, NULL,
				   shown, ":", p->line, ":", p->column, ": ", p->path, ": ", p->text);
	}
}

/* ---- gates ---- */

/* Is one of the reviewers of each review installed? Cooldowns and logins are reported by 'health'. */
static void
check_reviews(struct doctor *d, const struct gates_config *c)
{
	struct reviewer_pool *pool = arena_new(d->arena, struct reviewer_pool);

	reviewer_pool_init(pool, d->arena, c, NULL, false, 0);
	for (size_t i = 0; i < c->review_count; i++) {
		struct str_list names = c->reviews[i].cli_preference;
		bool has_one = names.count == 0 || !gates_config_uses(c, GATE_REVIEW, c->reviews[i].name);

		if (!has_one)
			reviewer_pool_check(pool, names);
		for (size_t k = 0; k < names.count && !has_one; k++) {
			const struct pooled_reviewer *m = reviewer_pool_find(pool, names.items[k]);

			has_one = m && m->health != REVIEWER_UNKNOWN && m->health != REVIEWER_MISSING;
		}
		if (has_one)
			continue;
		doctor_add(d, FINDING_WARNING,
			   c->dialect->has_plain_texts
				   ? "install one of them, or name others under 'by'; "
				     "'holdfast health' checks each of them"
				   : "install one of them, or name others under "
				     "cli_preference; 'holdfast health' checks each of them",
			   "gates: review '", c->reviews[i].name,
			   "' can't run: none of its reviewers is installed (looked for ",
			   str_list_join(d->arena, &names, ", "), ")");
	}
}

/* Programs must be in PATH. A path with a slash depends on where the check runs, so it is not checked. */
static void
check_checks(struct doctor *d, const struct gates_config *c)
{
	for_each (check, c->checks, c->check_count) {
		struct str missing = check_missing_program(d->arena, check->command, c->root);

		if (!missing.s || str_find_char(missing, '/') >= 0 ||
		    !gates_config_uses(c, GATE_CHECK, check->name))
			continue;
		doctor_add(d, FINDING_WARNING,
			   str_cat(d->arena, "install it, or fix the command in ", check->file).s,
			   "gates: check '", check->name, "' can't run: '", missing, "' is not in PATH");
	}
}

/* Checks the log directory, or the parent in which it would be created: without it no gate runs. */
static bool
can_write_logs(struct doctor *d, const struct overview *o)
{
	struct str there = o->logs.path;

	while (there.s && fs_lkind(str_copy(d->arena, there).s) == FS_NOTHING)
		there = path_parent(there);
	const char *z = str_copy(d->arena, there.s ? there : STR("/")).s;

	if (fs_kind(z) == FS_DIR && fs_is_writable(z))
		return true;
	doctor_add(d, FINDING_ERROR,
		   o->config->dialect->has_plain_texts
			   ? "make it a writable directory"
			   : "make it a writable directory, or set another log_dir in .gauntlet/config.yml",
		   "gates: the log directory is not writable: ", path_shown(o->logs.path, d->cwd));
	return false;
}

/* What a run at the next stop would start from; false: not known. */
static bool
check_run(struct doctor *d, const struct overview *o)
{
	const struct dialect *dialect = o->config->dialect;
	const struct run_preview *next = &o->next;

	if (o->problem.s) {
		doctor_add(d, FINDING_ERROR, NULL, "gates: can't determine what has changed: ", o->problem);
		return false;
	}
	if (next->warning.s)
		doctor_add(d, FINDING_NOTE,
			   dialect->has_plain_texts ? "set base in holdfast.yml"
						    : "set base_branch in .gauntlet/config.yml",
			   "gates: ", next->warning);
	if (next->fallback_reason.s)
		doctor_add(d, FINDING_WARNING,
			   "run 'git diff' for the reason; a filter such as git-lfs must be installed, and a "
			   "partial clone must be able to fetch",
			   "gates: ", next->fallback_reason);
	if (next->outstanding.count > 0)
		doctor_add(d, FINDING_WARNING, "fix what failed, then run 'holdfast run'",
			   "gates: ", gate_ids_shown(d->arena, &next->outstanding, dialect->shows_ids), " ",
			   next->outstanding.count == 1 ? "has" : "have", " failed and not passed since");
	return true;
}

/* What else may block, so that the next stop is one after a block; absent: only the gates. */
static struct str
other_blocks(struct doctor *d)
{
	const struct loop_refs *loops = &d->facts->loops;
	const struct policies *stop = &d->facts->policies;
	bool has_loop = false;

	for (size_t i = 0; i < loops->count; i++)
		has_loop |= !loops->items[i].is_corrupt && !loops->items[i].state.is_paused;
	const struct {
		bool is_on;
		const char *what;
	} all[] = {
		{ has_loop, "an iteration of the loop" },
		{ policies_follow_ups(stop) > 0, "a follow-up" },
		{ stop->commands.count > 0, "a failed stop command" },
		{ stop->rounds > 1, "a round" },
		{ stop->is_infinite, "infinite mode sent the agent on" },
	};
	struct buf b = BUF(d->arena, KIB(1));
	size_t left = 0;

	for (size_t i = 0; i < COUNT_OF(all); i++)
		left += all[i].is_on;
	for (size_t i = 0; i < COUNT_OF(all); i++) {
		if (!all[i].is_on)
			continue;
		buf_cat(&b, b.n == 0 ? "" : left == 1 ? " or " : ", ", all[i].what);
		left--;
	}
	return b.n > 0 ? buf_str(&b) : STR_NONE;
}

static void
predict_gates(struct doctor *d, const struct overview *o)
{
	const struct gates_config *c = o->config;
	int64_t interval = c->sourced.run_interval_minutes.value;
	struct str unless = interval > 0 ? str_cat(d->arena, ", unless they passed less than ", interval,
						   " minutes ago")
					 : STR("");

	if (c->sourced.stop_hook_enabled.value == 0) {
		doctor_add(d, FINDING_WARNING, "'holdfast config' shows where stop_hook.enabled comes from",
			   "gates: gates do not run at stops: stop_hook.enabled is false");
		doctor_next(d, "gates: no gate runs");
		return;
	}
	if (c->sourced.reverifies.value == 0) {
		struct str others = other_blocks(d);

		doctor_add(d, others.s ? FINDING_WARNING : FINDING_NOTE,
			   "set stop_hook.reverify: true in .gauntlet/config.yml",
			   "gates: the stop after a block is not checked, so ",
			   others.s ? "gates do not run after " : "fixes are never verified", others);
	}
	doctor_next(d, "gates: runs the gates on changes since ", o->next.base, unless);
}

static void
check_gates(struct doctor *d)
{
	struct str root = d->facts->gates_root;
	struct overview *o = arena_new(d->arena, struct overview);

	if (!root.s)
		return;
	struct str path = path_join(d->arena, root, gates_file(root)), shown = path_shown(path, d->cwd);

	overview_read(d->arena, root, OVERVIEW_PROBLEMS | OVERVIEW_NEXT, o);
	const struct gates_config *c = o->config;

	for (size_t i = 0; i < o->problems.count && i < PROBLEMS_SHOWN; i++) {
		const struct config_problem *p = &o->problems.items[i];
		struct str place = problem_position(d->arena, STR(""), p), text = problem_text(d->arena, p);

		doctor_add(d, p->severity == SEVERITY_WARNING ? FINDING_WARNING : FINDING_ERROR,
			   "fix the file; 'holdfast validate' lists every problem", "gates: ", place, text);
	}
	/* Old files beside holdfast.yml. */
	struct str_list replaced = gates_replaced(d->arena, root);

	for (size_t i = 0; i < replaced.count; i++)
		doctor_add(d, FINDING_WARNING, "move what you need into holdfast.yml and remove the file",
			   "gates: ", replaced.items[i],
			   " has no effect: holdfast.yml configures this project alone");
	if (problems_first_fatal(&o->problems)) {
		doctor_next(d, "gates: no gate runs until the configuration is fixed");
		return;
	}
	/* A holdfast.yml may have other policies alone. */
	if (c->dialect->configures_alone && c->check_count + c->review_count == 0)
		return;
	for (size_t i = 0; i < o->warnings.count; i++)
		doctor_add(d, FINDING_WARNING, NULL, "gates: ", o->warnings.items[i]);
	doctor_add(d, FINDING_OK, NULL, "gates: ", shown, ": ", c->check_count, " check",
		   c->check_count == 1 ? "" : "s", ", ", c->review_count, " review",
		   c->review_count == 1 ? "" : "s");
	check_checks(d, c);
	check_reviews(d, c);
	if (!o->where.repository.s)
		doctor_add(d, FINDING_ERROR, "git init",
			   "gates: there is no git repository here, and gates need one to find what changed");
	if (can_write_logs(d, o) && o->where.repository.s && check_run(d, o))
		predict_gates(d, o);
	else
		doctor_next(d, "gates: no gate can run");
}

/* ---- the next stop ---- */

static void
predict_stop(struct doctor *d)
{
	const struct project_facts *s = d->facts;
	const struct policies *stop = &s->policies;
	size_t before = d->count;

	for_each (l, s->loops.items, s->loops.count) {
		struct str who = l->state.session_id.n > 0
					 ? str_cat(d->arena, "session ", l->state.session_id)
					 : STR("the first session that stops");

		struct str prompt = str_trim(l->state.prompt), line = str_before(prompt, '\n');

		if (l->is_corrupt)
			continue;
		if (l->state.is_paused)
			doctor_next(d, "loop: ", who, " may stop: its loop is paused");
		else if (l->state.max_iterations > 0 && l->state.iteration >= l->state.max_iterations)
			doctor_next(d, "loop: the loop of ", who, " ends: this is its last iteration");
		else
			doctor_next(d, "loop: ", who, " gets the prompt again",
				    l->state.options.outcome_count > 0 ? " unless it keeps the promise" : "",
				    ": ", utf8_head(line, SHOWN_MAX),
				    line.n < prompt.n || line.n > SHOWN_MAX ? "..." : "");
	}
	if (policies_follow_ups(stop) > 0)
		doctor_next(d, "follow-ups: a session whose first prompt matches gets its next message");
	if (stop->todos.s)
		doctor_next(d, "todos: open items of the agent's list block");
	if (stop->commands.count > 0)
		doctor_next(d, "commands: they run, and the first failure blocks");
	check_gates(d);
	if (stop->rounds > 1)
		doctor_next(d, "rounds: blocks until the session has completed ", stop->rounds);
	if (stop->is_infinite)
		doctor_next(d, "infinite: blocks with '", stop->infinite_message, "'");
	if (d->count == before && !s->gates_root.s)
		doctor_next(d, "the agent may stop: nothing is configured to block it");
}

void
doctor_check_policies(struct doctor *d)
{
	static const char fix[] = "'holdfast init' writes gates; 'holdfast ralph start PROMPT' starts a loop";
	const struct project_facts *s = d->facts;
	struct str last = s->where.count > 0 ? s->where.dirs[s->where.count - 1] : s->project;

	struct str gates = d->facts->gates_root, policies = d->facts->policies_path;

	if (gates.s)
		check_source(d, gates);
	if (policies.s && !str_eq(path_parent(policies), gates))
		check_source(d, str_copy(d->arena, path_parent(policies)));
	size_t before = d->count;

	for (size_t i = 0; i < s->loops.count; i++)
		check_loop(d, &s->loops.items[i]);
	check_conclaude(d);
	bool is_nothing = d->count == before && !s->gates_root.s;

	if (is_nothing && s->has_policies)
		doctor_add(d, FINDING_NOTE, fix, "nothing: ", path_shown(s->policies_path, d->cwd),
			   " turns nothing on");
	else if (is_nothing)
		doctor_add(d, FINDING_NOTE, fix, "nothing: there is no holdfast.yml and no Ralph loop ",
			   str_eq(last, d->cwd) ? "in " : "from here up to ", last);
	predict_stop(d);
}
