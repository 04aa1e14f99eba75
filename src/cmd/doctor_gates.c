/* SPDX-License-Identifier: MIT */
/* doctor's look at the gates: what is configured, whether it can be used, and whether a stop would run it. */
#include "cmd/doctor.h"

#include "conf/gauntlet.h"
#include "os/fs.h"

#define PROBLEMS_SHOWN 10

static void
tell_problems(struct doctor *d, struct str root)
{
	struct gauntlet_problems problems;

	gauntlet_check_all(d->arena, root, &problems);
	for (size_t i = 0; i < problems.count && i < PROBLEMS_SHOWN; i++) {
		const struct gauntlet_problem *p = &problems.items[i];

		doctor_add(d, p->is_fatal || p->is_error ? FINDING_ERROR : FINDING_WARNING, TOPIC_ACTIVE,
			   "mend the file; 'holdfast validate' lists all that is wrong",
			   "gauntlet: " STR_FMT ":%d:%d: " STR_FMT "%s" STR_FMT, STR_ARG(p->file), p->line,
			   p->column, STR_ARG(p->field), p->field.n > 0 ? ": " : "", STR_ARG(p->text));
	}
}

static void
tell_next(struct doctor *d, const struct gauntlet_config *c)
{
	if (c->stop_hook_enabled.value == 0) {
		doctor_add(d, FINDING_WARNING, TOPIC_ACTIVE,
			   "'holdfast config' shows where stop_hook.enabled comes from",
			   "gauntlet: gates are not run at stops: stop_hook.enabled is false");
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL, "gauntlet: no gate is run");
		return;
	}
	if (c->reverifies.value == 0)
		doctor_add(d, FINDING_NOTE, TOPIC_ACTIVE,
			   "set stop_hook.reverify: true in .gauntlet/config.yml",
			   "gauntlet: the stop behind a block is let through, so that a fix is not verified");
	int64_t interval = c->run_interval_minutes.value;
	struct str unless = interval > 0
				    ? str_fmt(d->arena, ", unless they passed less than %lld minutes ago",
					      (long long)interval)
				    : STR("");

	doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL,
		   "gauntlet: runs the gates for what has changed since " STR_FMT STR_FMT,
		   STR_ARG(c->base_branch), STR_ARG(unless));
}

void
doctor_look_at_gates(struct doctor *d)
{
	struct str root = d->setup->gauntlet_root, warning;
	struct gauntlet_config config;
	struct err err;

	if (!root.s)
		return;
	struct str path = fs_join(d->arena, root, STR(".gauntlet/config.yml")),
		   shown = shown_path(path, d->cwd);

	tell_problems(d, root);
	if (gauntlet_load(d->arena, root, &config, &warning, &err) < 0) {
		/* why is among the problems */
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL,
			   "gauntlet: no gate is run until the configuration is mended");
		return;
	}
	if (warning.s)
		doctor_add(d, FINDING_WARNING, TOPIC_ACTIVE, NULL, "gauntlet: " STR_FMT, STR_ARG(warning));
	doctor_add(d, FINDING_OK, TOPIC_ACTIVE, NULL, "gauntlet: " STR_FMT ": %zu check%s, %zu review%s",
		   STR_ARG(shown), config.check_count, config.check_count == 1 ? "" : "s",
		   config.review_count, config.review_count == 1 ? "" : "s");
	if (d->setup->where.repository.s) {
		tell_next(d, &config);
		return;
	}
	doctor_add(d, FINDING_ERROR, TOPIC_ACTIVE, "git init",
		   "gauntlet: there is no git repository here, and gates need one to tell what has changed");
	doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL, "gauntlet: no gate can be run");
}
