/* SPDX-License-Identifier: MIT */
/* Checks what turns the policies on, and predicts the next stop from the facts that the policies read. Runs nothing and counts
 * nothing. */
#include "cmd/setup/doctor.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "model/block_cap.h"
#include "os/env.h"
#include "os/fs.h"
#include "loop/loop.h"
#include "store/counter.h"
#include "store/queue.h"

#define SHOWN_MAX 60

/* The beginning of a text, on one line. */
static struct str
shortened(struct arena *a, struct str x)
{
	struct buf b = BUF(a, SHOWN_MAX * 4);
	struct str line;

	x = str_trim(x);
	if (!str_next(&x, '\n', &line))
		return STR("");
	bool is_cut = x.n > 0 || line.n > SHOWN_MAX;

	buf_add(&b, utf8_head(line, SHOWN_MAX));
	if (is_cut)
		buf_add(&b, STR("..."));
	return buf_str(&b);
}

static void
check_loop(struct doctor *d, const struct loop_ref *l)
{
	struct str shown = shown_path(l->path, d->cwd);
	const struct loop_state *s = &l->state;

	if (l->is_corrupt) {
		doctor_add(d, FINDING_ERROR, TOPIC_ACTIVE, "fix the file, or run 'holdfast ralph cancel'",
			   "loop: " STR_FMT, STR_ARG(loop_problem(d->arena, shown, &l->why_corrupt)));
		return;
	}
	struct str limit = s->max_iterations > 0
				   ? str_fmt(d->arena, " of %llu", (unsigned long long)s->max_iterations)
				   : STR(", no limit");
	struct str promise = s->promise.s ? str_fmt(d->arena, "until <promise>" STR_FMT "</promise>",
						    STR_ARG(s->promise))
					  : STR("no promise");

	doctor_add(d, FINDING_OK, TOPIC_ACTIVE, NULL,
		   "loop: " STR_FMT ": iteration %llu" STR_FMT ", " STR_FMT "%s", STR_ARG(shown),
		   (unsigned long long)s->iteration, STR_ARG(limit), STR_ARG(promise),
		   s->is_paused ? ", paused" : "");
	if (s->max_iterations == 0 && !s->promise.s)
		doctor_add(d, FINDING_WARNING, TOPIC_ACTIVE,
			   "set max_iterations or completion_promise in the file",
			   "loop: " STR_FMT ": only you can end this loop", STR_ARG(shown));
	if (s->duplicate_key.s)
		doctor_add(d, FINDING_WARNING, TOPIC_ACTIVE, "remove one of them",
			   "loop: " STR_FMT ": the key '" STR_FMT "' appears twice; the first counts",
			   STR_ARG(shown), STR_ARG(s->duplicate_key));
}

static void
add_findings(struct doctor *d)
{
	const struct project_facts *s = d->facts;
	struct str shown = shown_path(s->conclaude_path, d->cwd);
	struct config_problems found;

	conclaude_check(d->arena, &s->conclaude, &found);
	for (size_t i = 0; i < found.count; i++) {
		const struct config_problem *p = &found.items[i];

		/* doctor_check_cap() reports that with the limit in force. */
		if (str_find(p->text, STR(CLAUDE_BLOCK_CAP_NAME)) >= 0)
			continue;
		doctor_add(d, p->severity == SEVERITY_ERROR ? FINDING_ERROR : FINDING_WARNING, TOPIC_ACTIVE,
			   NULL, STR_FMT ":%d:%d: " STR_FMT ": " STR_FMT, STR_ARG(shown), p->line, p->column,
			   STR_ARG(p->path), STR_ARG(p->text));
	}
}

static void
check_database(struct doctor *d)
{
	const struct conclaude_config *c = &d->facts->conclaude;
	struct str path = queue_path(d->arena, c->database.path, c->dir);
	struct err err;

	if (!path.s)
		doctor_add(d, FINDING_ERROR, TOPIC_ACTIVE, "set HOME or CONCLAUDE_DATA_DIR",
			   "follow-ups: there is no home directory for the database");
	else if (queue_probe(d->arena, path, &err) < 0)
		doctor_add(d, FINDING_ERROR, TOPIC_ACTIVE,
			   "make the directory writable, or set database.path",
			   "follow-ups: the database is not writable: %s", err.msg);
	else
		doctor_add(d, FINDING_OK, TOPIC_ACTIVE, NULL, "follow-ups: the database is " STR_FMT,
			   STR_ARG(path));
}

static void
check_rounds_dir(struct doctor *d)
{
	struct str dir = counter_dir();

	if (!fs_is_writable(str_copy(d->arena, dir).s))
		doctor_add(d, FINDING_ERROR, TOPIC_ACTIVE, "make it writable",
			   "rounds: " STR_FMT " is not writable, so rounds can't be counted", STR_ARG(dir));
}

static void
check_bash(struct doctor *d)
{
	/* Without PATH the system searches default directories. */
	if (env_has("PATH") && !env_find_program(d->arena, "bash").s)
		doctor_add(d, FINDING_ERROR, TOPIC_ACTIVE, "install bash",
			   "commands: bash is not in PATH, so they can't run");
}

static void
check_conclaude(struct doctor *d)
{
	const struct project_facts *s = d->facts;
	const struct conclaude_stop *stop = &s->conclaude.stop;
	struct str shown = shown_path(s->conclaude_path, d->cwd);

	if (s->is_conclaude_bad) {
		doctor_add(d, FINDING_ERROR, TOPIC_ACTIVE,
			   "fix the file (see 'holdfast validate'); until then its policies are skipped",
			   "%s", s->why_bad.msg);
		return;
	}
	if (!s->has_conclaude)
		return;
	if (conclaude_follow_ups(&s->conclaude) > 0) {
		size_t messages = stop->prefix_blocking->messages.count;
		size_t patterns = stop->prefix_blocking->prefixes.count;

		doctor_add(d, FINDING_OK, TOPIC_ACTIVE, NULL, "follow-ups: " STR_FMT ": %zu %s for %zu %s",
			   STR_ARG(shown), messages, messages == 1 ? "message" : "messages", patterns,
			   patterns == 1 ? "pattern" : "patterns");
		check_database(d);
	}
	if (s->conclaude.needs_todos_done)
		doctor_add(d, FINDING_OK, TOPIC_ACTIVE, NULL, "todos: " STR_FMT ": open items block",
			   STR_ARG(shown));
	if (stop->commands.count > 0) {
		doctor_add(d, FINDING_OK, TOPIC_ACTIVE, NULL, "commands: " STR_FMT ": %zu stop %s",
			   STR_ARG(shown), stop->commands.count,
			   stop->commands.count == 1 ? "command" : "commands");
		check_bash(d);
	}
	if (stop->rounds > 0) {
		doctor_add(d, FINDING_OK, TOPIC_ACTIVE, NULL, "rounds: " STR_FMT ": %lld a session",
			   STR_ARG(shown), (long long)stop->rounds);
		check_rounds_dir(d);
	}
	if (stop->is_infinite)
		doctor_add(d, FINDING_OK, TOPIC_ACTIVE, NULL,
			   "infinite: " STR_FMT ": the client's own limit is the only end", STR_ARG(shown));
	if (!s->is_native)
		add_findings(d);
}

static void
predict_loop(struct doctor *d, const struct loop_ref *l)
{
	struct str who = l->state.session_id.n > 0
				 ? str_fmt(d->arena, "session " STR_FMT, STR_ARG(l->state.session_id))
				 : STR("the first session that stops");
	struct str prompt = shortened(d->arena, l->state.prompt);

	if (l->is_corrupt)
		return;
	if (l->state.is_paused)
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL,
			   "loop: " STR_FMT " may stop: its loop is paused", STR_ARG(who));
	else if (l->state.max_iterations > 0 && l->state.iteration >= l->state.max_iterations)
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL,
			   "loop: the loop of " STR_FMT " ends: this is its last iteration", STR_ARG(who));
	else
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL,
			   "loop: " STR_FMT " gets the prompt again%s: " STR_FMT, STR_ARG(who),
			   l->state.promise.s ? " unless it keeps the promise" : "", STR_ARG(prompt));
}

static void
predict_stop(struct doctor *d)
{
	const struct project_facts *s = d->facts;
	const struct conclaude_stop *stop = &s->conclaude.stop;
	size_t before = d->count;

	for (size_t i = 0; i < s->loops.count; i++)
		predict_loop(d, &s->loops.items[i]);
	if (s->has_conclaude && conclaude_follow_ups(&s->conclaude) > 0)
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL,
			   "follow-ups: a session whose first prompt matches gets its next message");
	if (s->has_conclaude && s->conclaude.needs_todos_done)
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL, "todos: open items of the agent's list block");
	if (s->has_conclaude && stop->commands.count > 0)
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL,
			   "commands: they run, and the first failure blocks");
	doctor_check_gates(d);
	if (s->has_conclaude && stop->rounds > 1)
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL,
			   "rounds: blocks until the session has completed %lld", (long long)stop->rounds);
	if (s->has_conclaude && stop->is_infinite)
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL, "infinite: blocks with '" STR_FMT "'",
			   STR_ARG(stop->infinite_message));
	if (d->count == before && !s->gates_root.s)
		doctor_add(d, FINDING_NOTE, TOPIC_NEXT, NULL,
			   "the agent may stop: nothing is configured to block it");
}

static void
report_nothing(struct doctor *d)
{
	static const char fix[] = "'holdfast init' writes gates; 'holdfast ralph start PROMPT' starts a loop";
	const struct project_facts *s = d->facts;
	struct str last = s->where.count > 0 ? s->where.dirs[s->where.count - 1] : s->project;

	if (s->has_conclaude)
		doctor_add(d, FINDING_NOTE, TOPIC_ACTIVE, fix, "nothing: " STR_FMT " turns nothing on",
			   STR_ARG(shown_path(s->conclaude_path, d->cwd)));
	else
		doctor_add(d, FINDING_NOTE, TOPIC_ACTIVE, fix,
			   "nothing: there is no holdfast.yml and no Ralph loop %s" STR_FMT,
			   str_eq(last, d->cwd) ? "in " : "from here up to ", STR_ARG(last));
}

void
doctor_check_policies(struct doctor *d)
{
	size_t before = d->count;

	for (size_t i = 0; i < d->facts->loops.count; i++)
		check_loop(d, &d->facts->loops.items[i]);
	check_conclaude(d);
	if (d->count == before && !d->facts->gates_root.s)
		report_nothing(d);
	predict_stop(d);
}
