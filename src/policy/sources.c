/* SPDX-License-Identifier: MIT */
/* Finds definitions and decides which of them this stop uses. Nothing of a project that is not trusted is loaded. */
#include "policy/chain.h"

#include "client/client.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "git/git.h"
#include "import/conclaude.h"
#include "os/clock.h"
#include "os/fs.h"
#include "record/record.h"
#include "store/baseline.h"

/* To ask git about a pinned copy. */
#define GIT_MS 5000

static bool
has_source(const struct source_list *list, const struct source *source)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i] == source)
			return true;
	return false;
}

/* Adds the first of the directories that has gates, or policies. A holdfast.yml configures both alone. */
static void
add_first(struct stop_context *s, const struct project_dirs *where, bool has_pins, bool of_policies,
	  struct source_list *list)
{
	for (size_t i = 0; i < where->count; i++) {
		struct str dir = source_dir(s->arena, where->dirs[i], has_pins);

		if (dir.s && !(of_policies ? gates_dialect(dir)->configures_alone ||
						     conclaude_find(s->arena, &dir, 1).s
					   : gates_find(s->arena, &dir, 1).s != NULL))
			continue;
		struct source *source = s->sources;

		/* Each directory is examined once. */
		while (source < s->sources + s->source_count && !str_eq(source->root, where->dirs[i]))
			source++;
		if (source == s->sources + s->source_count) {
			source_find(s->arena, where->dirs[i], source);
			s->source_count++;
		}
		if (!has_source(list, source))
			list->items[list->count++] = source;
		return;
	}
}

/* Nobody reads what is said to another event. */
static bool
is_stop(const struct stop_context *s)
{
	return s->event->name.n == 0 || str_is(s->event->name, "Stop");
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
		s->is_registered_for_all = registered_for_all_alone(s);
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

/* Nobody has accepted what these directories define, but the client may run it: it is pinned before an agent has changed it, and
 * also where the working tree has no definitions any more. */
static void
pin_clones(struct stop_context *s, const struct project_dirs *where)
{
	struct arena *a = s->arena;

	if (s->is_dry || s->front_end != FRONT_END_HOLDFAST ||
	    (!is_stop(s) && !str_is_word_of(s->event->name, "SessionStart UserPromptSubmit")))
		return;
	for (size_t i = 0; i < where->count; i++) {
		struct source source = { .root = str_copy(a, where->dirs[i]) };
		struct trust t;

		if ((definitions_exist(source.root) || str_eq(source.root, where->repository)) &&
		    project_record(a, source.root, &t, IGNORED) == 0 && !t.project.s &&
		    git_remote_default(a, source.root).s && may_run(s, &source))
			source_pin_fetched(a, source.root, clock_mono_ms() + stop_wait_ms(s, GIT_MS));
	}
}

/* Drops the sources that may not run. */
static void
keep_trusted(struct stop_context *s, struct source_list *list)
{
	size_t count = list->count;

	list->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (may_run(s, list->items[i]))
			list->items[list->count++] = list->items[i];
		else if (!s->untrusted_root.s)
			s->untrusted_root = list->items[i]->root;
	}
}

/* Before a tool, a mistake somewhere else in the file does not turn the guards off; one in the guards does, and is told. */
static bool
load_guards(struct stop_context *s, const struct holdfast_file *native, struct str root, struct policies *ret)
{
	struct err err;

	if (!str_is(s->event->name, "PreToolUse"))
		return false;
	*ret = (struct policies){ .dir = root, .dialect = &dialects[DIALECT_HOLDFAST] };
	if (holdfast_load_guards(s->arena, native, &ret->guards, &err) == 0)
		return true;
	stop_warn(s, err.msg, "; the guards are off until it is fixed");
	return false;
}

/* The gates report what is wrong with holdfast.yml. It must be certain that there is one: a file system that does not answer
 * must not silence .conclaude.yaml. */
static void
load_policies(struct stop_context *s, const struct source *source)
{
	struct policies *config = arena_new(s->arena, struct policies);
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
		stop_warn(s, source->problem);
	} else if (!path.s) {
		return;
	} else if (conclaude_load(s->arena, path, kept, config, NULL, &err) < 0) {
		stop_warn(s, err.msg, "; its policies are skipped");
	} else {
		config->dir = source->root;
		s->configs[s->config_count++] = config;
	}
}

/* The copy is used, unless a fetch has brought what differs from it. */
static void
warn_of_pinned(struct stop_context *s, struct source *source)
{
	struct str differs = source->differs, base;
	int64_t deadline_ms = clock_mono_ms() + stop_wait_ms(s, GIT_MS);

	if (!is_stop(s))
		return;
	if (source->from.s && !s->is_dry && trust_tell_first(s->arena, source->dir))
		stop_warn(s, "the definitions in ", source->root, " were accepted by nobody, so those of ",
			  source->from, " are pinned; 'holdfast trust ", source->root,
			  "' accepts those in the working tree");
	if (!differs.s)
		return;
	if (!s->is_dry && source_renew(s->arena, source, deadline_ms, &base)) {
		(void)trust_tell_first(s->arena, source->dir);
		stop_warn(s, base, " has the same definitions, so they are pinned now: ", differs);
	} else {
		stop_warn_pinned(s, differs, source->root);
	}
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
		stop_warn(s, "changes of the definitions can't be noticed: ", err.msg);
	if (!then.s)
		then = now;
	if (!is_stop(s))
		return;
	at_failure = baseline_of_failure(a, source->root);
	const struct {
		struct str then;
		const char *since;
	} times[] = { { at_failure, "a gate failed that has not passed since: " },
		      { then, "the session began: " } };

	for (size_t i = at_failure.s ? 0 : 1; i < COUNT_OF(times); i++) {
		struct definitions old = definitions_parse(a, times[i].then);
		struct str changed = definitions_changed_text(a, &old, &source->now);

		if (!changed.s)
			continue;
		stop_warn(s, "the definitions in ", source->root, " have changed since ", times[i].since,
			  changed);
		return;
	}
}

/* There are no gates any more, and there were some that failed. */
static void
warn_of_missing(struct stop_context *s, struct str root)
{
	struct execution_state state;
	struct record record;
	struct logdir logs;

	if (!root.s || !is_stop(s) || !baseline_of_failure(s->arena, root).s)
		return;
	root = str_copy(s->arena, root);
	logs = logdir_of(s->arena, root, str_from(dialects[DIALECT_GAUNTLET].log_dir),
			 &dialects[DIALECT_GAUNTLET]);
	if (record_load(&record, s->arena, root, &logs, IGNORED) == 0 && record_state(&record, &state) &&
	    state.is_outstanding)
		stop_warn(s, "the gates of ", root,
			  " are gone, and one of them had failed and has not passed since");
}

/* The project that the client names comes first: it always counts. */
void
stop_find_sources(struct stop_context *s, struct str start)
{
	struct str named = project_named_by(s->event->client);
	struct source_list policies = { .count = 0 };
	struct project_dirs where[2];

	project_find_above(&where[0], named, WITHIN_REPOSITORY);
	project_find_above(&where[1], start, WITHIN_REPOSITORY);
	for (size_t i = 0; i < COUNT_OF(where); i++)
		pin_clones(s, &where[i]);
	bool has_pins = trust_has_pins(s->arena);

	for (size_t i = 0; i < COUNT_OF(where); i++) {
		add_first(s, &where[i], has_pins, false, &s->gates);
		if (s->front_end == FRONT_END_HOLDFAST)
			add_first(s, &where[i], has_pins, true, &policies);
	}
	if (s->gates.count == 0) {
		struct str first = where[0].count > 0 ? where[0].dirs[0] : STR_NONE;

		warn_of_missing(s, first);
		if (!str_eq(where[1].repository, first))
			warn_of_missing(s, where[1].repository);
	}
	keep_trusted(s, &s->gates);
	keep_trusted(s, &policies);
	for_each (source, s->sources, s->source_count) {
		if (!has_source(&s->gates, source) && !has_source(&policies, source))
			continue;
		if (source->is_pinned)
			warn_of_pinned(s, source);
		else
			warn_of_changes(s, source);
	}
	for (size_t i = 0; i < policies.count; i++)
		load_policies(s, policies.items[i]);
	if (is_stop(s))
		warn_of_guards_off(s);
}

struct verdict
not_trusted_verdict(struct stop_context *s)
{
	struct str root = s->untrusted_root;

	return (struct verdict){
		.status = STATUS_NOT_TRUSTED,
		.message = str_cat(s->arena, root,
				   " is not trusted, so nothing that it defines was run; 'holdfast trust ",
				   root, "' shows what that is and allows it"),
		.is_quiet = stop_told_before(s, TOLD_UNTRUSTED),
	};
}
