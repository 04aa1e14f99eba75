/* SPDX-License-Identifier: MIT */
/* Finds definitions and decides which of them this stop uses. Nothing of a project that is not trusted is loaded. */
#include "policy/sources.h"

#include "base/path.h"
#include "client/client.h"
#include "conf/gates.h"
#include "conf/holdfast.h"
#include "os/clock.h"
#include "os/fs.h"
#include "record/record.h"
#include "store/baseline.h"
#include "store/session.h"

/* To ask git about a pinned copy. */
#define GIT_MS 5000

/* The source of a directory, which is examined once. */
static struct source *
source_of(struct stop_context *s, struct str root)
{
	for (size_t i = 0; i < s->source_count; i++)
		if (str_eq(s->sources[i].root, root))
			return &s->sources[i];
	struct source *source = &s->sources[s->source_count++];

	source_find(s->arena, root, source);
	return source;
}

static bool
has_source(struct source *const *list, size_t count, const struct source *source)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == source)
			return true;
	return false;
}

static bool
has_gates(struct arena *a, struct str dir)
{
	return gates_find(a, &dir, 1).s != NULL;
}

/* holdfast.yml configures a project alone. */
static bool
has_policies(struct arena *a, struct str dir)
{
	return gates_are_native(dir) || conclaude_find(a, &dir, 1).s != NULL;
}

/* Adds the first of the directories that has such a configuration. */
static void
add_first(struct stop_context *s, const struct project_dirs *where, bool has_pins,
	  bool (*has)(struct arena *, struct str), struct source *list[STOP_CONFIGS], size_t *count)
{
	for (size_t i = 0; i < where->count; i++) {
		struct str dir = source_dir(s->arena, where->dirs[i], has_pins);

		if (dir.s && !has(s->arena, dir))
			continue;
		struct source *source = source_of(s, where->dirs[i]);

		if (!has_source(list, *count, source))
			list[(*count)++] = source;
		return;
	}
}

/* Has the user agreed, or has the client asked: is holdfast registered in the project itself, or called in a way that has
 * nothing to do with a registration for all projects? */
static bool
may_run(struct stop_context *s, const struct source *source)
{
	if (source->is_trusted || s->front_end != FRONT_END_HOLDFAST)
		return true;
	if (!s->is_registration_known) {
		s->is_registration_known = true;
		s->is_registered_for_all = (s->is_for_all_projects ||
					    registered_for_all(s->arena, s->event)) &&
					   !registered_in_project(s->arena, s->event);
	}
	return !s->is_registered_for_all;
}

bool
stop_may_run(struct stop_context *s, struct str root)
{
	struct source source;

	source_find(s->arena, root, &source);
	return may_run(s, &source);
}

/* Drops the sources that may not run. */
static size_t
keep_trusted(struct stop_context *s, struct source **list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (may_run(s, list[i]))
			list[kept++] = list[i];
		else if (!s->untrusted_root.s)
			s->untrusted_root = list[i]->root;
	}
	return kept;
}

/* Before a tool, a mistake somewhere else in the file does not turn the guards off; one in the guards does, and is told. */
static bool
load_guards(struct stop_context *s, const struct holdfast_file *native, struct str root,
	    struct conclaude_config *ret)
{
	struct err err;

	if (!str_is(s->event->name, "PreToolUse"))
		return false;
	*ret = (struct conclaude_config){ .dir = root, .is_native = true };
	if (holdfast_load_guards(s->arena, native, &ret->guards, &err) == 0)
		return true;
	stop_warn(s, "%s; the guards are off until it is fixed", err.msg);
	return false;
}

/* The gates report what is wrong with holdfast.yml. It must be certain that there is one: a file system that does not answer
 * must not silence .conclaude.yaml. */
static void
load_policies(struct stop_context *s, const struct source *source)
{
	struct conclaude_config *config = arena_new(s->arena, struct conclaude_config);
	const struct holdfast_file *native = source->native;

	if (!native && fs_kind(path_join(s->arena, source->dir, STR(HOLDFAST_FILE)).s) != FS_NOTHING)
		native = holdfast_read(s->arena, source->dir);
	struct str path = native ? STR_NONE : conclaude_find(s->arena, &source->dir, 1);
	/* What was compared with earlier definitions is what is used. */
	struct str kept = path.s && !source->is_pinned ? definitions_kept(&source->now, path_base(path))
						       : STR_NONE;
	struct err err;

	if (native) {
		if (!source->problem.s &&
		    (holdfast_load_policies(s->arena, native, source->root, config, &err) == 0 ||
		     load_guards(s, native, source->root, config)))
			s->configs[s->config_count++] = config;
	} else if (source->problem.s) {
		stop_warn(s, STR_FMT, STR_ARG(source->problem));
	} else if (!path.s) {
		return;
	} else if ((kept.s ? conclaude_parse(s->arena, path, kept, config, NULL, &err)
			   : conclaude_load(s->arena, path, config, &err)) < 0) {
		stop_warn(s, "%s; its policies are skipped", err.msg);
	} else {
		config->dir = source->root;
		s->configs[s->config_count++] = config;
	}
}

/* Nobody reads what is said to another event. */
static bool
is_stop(const struct stop_context *s)
{
	return s->event->name.n == 0 || str_is(s->event->name, "Stop");
}

/* The copy is used, unless the remote's base branch has what differs from it. */
static void
warn_of_pinned(struct stop_context *s, struct source *source)
{
	struct str differs = source->differs, base;
	int64_t deadline_ms = clock_mono_ms() + stop_wait_ms(s, GIT_MS);

	if (!differs.s || !is_stop(s))
		return;
	if (!s->is_dry && source_renew(s->arena, source, deadline_ms, &base))
		stop_warn(s, STR_FMT " has the same definitions, so they are pinned now: " STR_FMT,
			  STR_ARG(base), STR_ARG(differs));
	else
		stop_warn(s, STOP_PINNED_DIFFER, STR_ARG(differs), STR_ARG(source->root));
}

/* What has changed since the session began or, as that may be longer ago, since a failure that is outstanding. */
static void
warn_of_changes(struct stop_context *s, struct source *source)
{
	struct arena *a = s->arena;
	struct str session = s->event->session_id, now = STR_NONE, then = STR_NONE, at_failure;
	struct err err;
	int result = baseline_of_session(a, session, source->root, STR_NONE, &then, &err);

	if (!then.s && (is_stop(s) || session.n > 0)) {
		now = definitions_text(a, &source->now);
		if (result == 0)
			result = baseline_of_session(a, session, source->root, s->is_dry ? STR_NONE : now,
						     &then, &err);
	}
	if (result < 0)
		stop_warn(s, "changes of the definitions can't be noticed: %s", err.msg);
	if (!then.s)
		then = now;
	if (!is_stop(s))
		return;
	at_failure = baseline_of_failure(a, source->root);
	struct definitions old = definitions_parse(a, at_failure.s ? at_failure : then);
	struct str changed = definitions_changed_text(a, &old, &source->now);

	if (changed.s && at_failure.s) {
		stop_warn(s,
			  "the definitions in " STR_FMT
			  " have changed since a gate failed that has not passed since: " STR_FMT,
			  STR_ARG(source->root), STR_ARG(changed));
		return;
	}
	old = definitions_parse(a, then);
	changed = definitions_changed_text(a, &old, &source->now);
	if (changed.s)
		stop_warn(s, "the definitions in " STR_FMT " have changed since the session began: " STR_FMT,
			  STR_ARG(source->root), STR_ARG(changed));
}

/* There are no gates any more, and there were some that failed. */
static void
warn_of_missing(struct stop_context *s, struct str root)
{
	struct logdir logs;
	struct execution_state state;

	if (!root.s || !is_stop(s) || !baseline_of_failure(s->arena, root).s)
		return;
	root = str_copy(s->arena, root);
	logs = logdir_of(s->arena, root, STR(GAUNTLET_LOG_DIR));
	if (record_read_state(s->arena, root, &logs, &state) && state.is_outstanding)
		stop_warn(s,
			  "the gates of " STR_FMT
			  " are gone, and one of them had failed and has not passed since",
			  STR_ARG(root));
}

/* The project that the client names comes first: it always counts. */
void
stop_find_sources(struct stop_context *s, struct str start)
{
	struct str named = project_named_by(s->event->client);
	bool has_pins = trust_has_pins(s->arena);
	struct source *policies[STOP_CONFIGS];
	struct project_dirs where[2];
	size_t count = 0;

	project_find_above(&where[0], named, WITHIN_REPOSITORY);
	project_find_above(&where[1], start, WITHIN_REPOSITORY);
	for (size_t i = 0; i < COUNT_OF(where); i++) {
		add_first(s, &where[i], has_pins, has_gates, s->gates, &s->gates_count);
		if (s->front_end == FRONT_END_HOLDFAST)
			add_first(s, &where[i], has_pins, has_policies, policies, &count);
	}
	if (s->gates_count == 0) {
		warn_of_missing(s, where[0].count > 0 ? where[0].dirs[0] : STR_NONE);
		if (!str_eq(where[1].repository, where[0].count > 0 ? where[0].dirs[0] : STR_NONE))
			warn_of_missing(s, where[1].repository);
	}
	s->gates_count = keep_trusted(s, s->gates, s->gates_count);
	count = keep_trusted(s, policies, count);
	for (size_t i = 0; i < s->source_count; i++)
		if (has_source(s->gates, s->gates_count, &s->sources[i]) ||
		    has_source(policies, count, &s->sources[i]))
			(s->sources[i].is_pinned ? warn_of_pinned : warn_of_changes)(s, &s->sources[i]);
	for (size_t i = 0; i < count; i++)
		load_policies(s, policies[i]);
}

struct verdict
not_trusted_verdict(struct stop_context *s)
{
	struct str root = s->untrusted_root;

	return (struct verdict){
		.status = STATUS_NOT_TRUSTED,
		.message = str_fmt(
			s->arena,
			STR_FMT
			" is not trusted, so nothing that it defines was run; 'holdfast trust " STR_FMT
			"' shows what that is and allows it",
			STR_ARG(root), STR_ARG(root)),
		.is_quiet = stop_told_before(s, STOP_NOTICE_UNTRUSTED),
	};
}
