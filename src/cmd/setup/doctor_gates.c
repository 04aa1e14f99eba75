/* SPDX-License-Identifier: MIT */
/* Checks the gates: what is configured, whether it can run, and whether a stop would run it. */
#include "cmd/setup/doctor.h"

#include "base/buf.h"
#include "base/path.h"
#include "cmd/gates/gates.h"
#include "gates/check.h"
#include "record/logdir.h"
#include "review/reviewer_pool.h"
#include "gates/run.h"
#include "os/fs.h"

#define PROBLEMS_SHOWN 10

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
	for (size_t i = 0; i < c->check_count; i++) {
		const struct gate *check = &c->checks[i];
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
can_write_logs(struct doctor *d, const struct gates_config *c)
{
	struct str path = logdir_of(d->arena, c->root, c->log_dir, c->dialect).path, there = path;

	while (there.s && fs_lkind(str_copy(d->arena, there).s) == FS_NOTHING)
		there = path_parent(there);
	const char *z = str_copy(d->arena, there.s ? there : STR("/")).s;

	if (fs_kind(z) == FS_DIR && fs_is_writable(z))
		return true;
	doctor_add(d, FINDING_ERROR,
		   c->dialect->has_plain_texts
			   ? "make it a writable directory"
			   : "make it a writable directory, or set another log_dir in .gauntlet/config.yml",
		   "gates: the log directory is not writable: ", shown_path(path, d->cwd));
	return false;
}

/* What a run at the next stop would start from; false: not known. */
static bool
check_run(struct doctor *d, const struct gates_config *c, struct run_preview *ret)
{
	struct err err;

	if (preview_run(d->arena, c, ret, &err) < 0) {
		doctor_add(d, FINDING_ERROR, NULL, "gates: can't determine what has changed: ", err.msg);
		return false;
	}
	if (ret->warning.s)
		doctor_add(d, FINDING_NOTE,
			   c->dialect->has_plain_texts ? "set base in holdfast.yml"
						       : "set base_branch in .gauntlet/config.yml",
			   "gates: ", ret->warning);
	if (ret->fallback_reason.s)
		doctor_add(d, FINDING_WARNING,
			   "run 'git diff' for the reason; a filter such as git-lfs must be installed, and a "
			   "partial clone must be able to fetch",
			   "gates: ", ret->fallback_reason);
	if (ret->outstanding.count > 0)
		doctor_add(d, FINDING_WARNING, "fix what failed, then run 'holdfast run'",
			   "gates: ", gate_ids_shown(d->arena, &ret->outstanding, c->dialect->shows_ids), " ",
			   ret->outstanding.count == 1 ? "has" : "have", " failed and not passed since");
	return true;
}

/* What else may block, so that the next stop is one after a block; absent: only the gates. */
static struct str
other_blocks(struct doctor *d)
{
	const struct project_facts *s = d->facts;
	const struct policies *stop = &s->policies;
	bool has_loop = false;

	for (size_t i = 0; i < s->loops.count; i++)
		has_loop |= !s->loops.items[i].is_corrupt && !s->loops.items[i].state.is_paused;
	const struct {
		bool is_on;
		const char *what;
	} all[] = {
		{ has_loop, "an iteration of the loop" },
		{ s->has_policies && policies_follow_ups(&s->policies) > 0, "a follow-up" },
		{ s->has_policies && stop->commands.count > 0, "a failed stop command" },
		{ s->has_policies && stop->rounds > 1, "a round" },
		{ s->has_policies && stop->is_infinite, "infinite mode sent the agent on" },
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
predict_stop(struct doctor *d, const struct gates_config *c, const struct run_preview *o)
{
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
	doctor_next(d, "gates: runs the gates on changes since ", o->base, unless);
}

void
doctor_check_gates(struct doctor *d)
{
	struct str root = d->facts->gates_root, warning;
	struct gates_config config;
	struct config_problems problems;
	struct run_preview next;

	if (!root.s)
		return;
	struct str path = path_join(d->arena, root, gates_file(root)), shown = shown_path(path, d->cwd);

	bool is_usable = gates_check_all(d->arena, root, &config, &problems, &warning);

	for (size_t i = 0; i < problems.count && i < PROBLEMS_SHOWN; i++) {
		const struct config_problem *p = &problems.items[i];
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
	if (!is_usable) {
		doctor_next(d, "gates: no gate runs until the configuration is fixed");
		return;
	}
	/* A holdfast.yml may have other policies alone. */
	if (config.dialect->configures_alone && config.check_count + config.review_count == 0)
		return;
	find_base_branch(d->arena, &config);
	if (warning.s)
		doctor_add(d, FINDING_WARNING, NULL, "gates: ", warning);
	doctor_add(d, FINDING_OK, NULL, "gates: ", shown, ": ", config.check_count, " check",
		   config.check_count == 1 ? "" : "s", ", ", config.review_count, " review",
		   config.review_count == 1 ? "" : "s");
	check_checks(d, &config);
	check_reviews(d, &config);
	if (!d->facts->where.repository.s)
		doctor_add(d, FINDING_ERROR, "git init",
			   "gates: there is no git repository here, and gates need one to find what changed");
	if (can_write_logs(d, &config) && d->facts->where.repository.s && check_run(d, &config, &next))
		predict_stop(d, &config, &next);
	else
		doctor_next(d, "gates: no gate can run");
}
