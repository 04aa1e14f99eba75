/* SPDX-License-Identifier: MIT */
/* Checks whether what is defined here may run, and what turns the policies on, and predicts the next stop from the facts that
 * the policies read. Runs nothing and counts nothing. */
#include "cmd/setup/doctor.h"

#include "base/cat.h"
#include "base/path.h"
#include "base/utf8.h"
#include "import/conclaude.h"
#include "model/block_cap.h"
#include "os/env.h"
#include "os/fs.h"
#include "loop/loop.h"
#include "project/trust.h"
#include "store/counter.h"
#include "store/queue.h"

#define SHOWN_MAX 60

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
	else if (s.is_trusted)
		doctor_add(d, FINDING_OK, NULL, "trust: ", root, " is ", s.is_pinned ? "pinned" : "trusted",
			   " since ", s.since);
	else if (registry_has_stop(&d->registry, NULL, true) && !registry_has_stop(&d->registry, NULL, false))
		doctor_add(d, FINDING_WARNING, command, "trust: ", root,
			   " is not trusted, and holdfast is registered for all projects, so nothing that is "
			   "defined here runs");
}

void
doctor_check_trust(struct doctor *d)
{
	struct str gates = d->facts->gates_root, policies = d->facts->policies_path;

	if (gates.s)
		check_source(d, gates);
	if (policies.s && !str_eq(path_parent(policies), gates))
		check_source(d, str_copy(d->arena, path_parent(policies)));
}

static void
check_loop(struct doctor *d, const struct loop_ref *l)
{
	struct str shown = shown_path(l->path, d->cwd);
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
	struct str shown = shown_path(s->policies_path, d->cwd);

	if (s->policies_path.s && !s->has_policies) {
		doctor_add(d, FINDING_ERROR,
			   "fix the file (see 'holdfast validate'); until then its policies are skipped",
			   s->why_bad.msg);
		return;
	}
	if (!s->has_policies)
		return;
	if (policies_follow_ups(&s->policies) > 0) {
		size_t messages = stop->follow_ups->messages.count;
		size_t patterns = stop->follow_ups->prefixes.count;

		doctor_add(d, FINDING_OK, NULL, "follow-ups: ", shown, ": ", messages, " ",
			   messages == 1 ? "message" : "messages", " for ", patterns, " ",
			   patterns == 1 ? "pattern" : "patterns");
		struct str path = queue_path(d->arena, s->policies.database_path, s->policies.dir);
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
	if (s->policies.todos.s)
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
		struct str dir = counter_dir();

		if (!fs_is_writable(str_copy(d->arena, dir).s))
			doctor_add(d, FINDING_ERROR, "make it writable", "rounds: ", dir,
				   " is not writable, so rounds can't be counted");
	}
	if (stop->is_infinite)
		doctor_add(d, FINDING_OK, NULL, "infinite: ", shown,
			   ": the client's own limit is the only end");
	if (s->policies.dialect->configures_alone)
		return;
	struct config_problems found;

	conclaude_check(d->arena, &s->policies, &found);
	for (size_t i = 0; i < found.count; i++) {
		const struct config_problem *p = &found.items[i];

		/* doctor_check_cap() reports that with the limit in force. */
		if (str_find(p->text, STR(CLAUDE_BLOCK_CAP_NAME)) < 0)
			doctor_add(d, p->severity == SEVERITY_ERROR ? FINDING_ERROR : FINDING_WARNING, NULL,
				   shown, ":", p->line, ":", p->column, ": ", p->path, ": ", p->text);
	}
}

static void
predict_stop(struct doctor *d)
{
	const struct project_facts *s = d->facts;
	const struct policies *stop = &s->policies;
	size_t before = d->count;

	for (size_t i = 0; i < s->loops.count; i++) {
		const struct loop_ref *l = &s->loops.items[i];
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
	if (s->has_policies && policies_follow_ups(&s->policies) > 0)
		doctor_next(d, "follow-ups: a session whose first prompt matches gets its next message");
	if (s->has_policies && s->policies.todos.s)
		doctor_next(d, "todos: open items of the agent's list block");
	if (s->has_policies && stop->commands.count > 0)
		doctor_next(d, "commands: they run, and the first failure blocks");
	doctor_check_gates(d);
	if (s->has_policies && stop->rounds > 1)
		doctor_next(d, "rounds: blocks until the session has completed ", stop->rounds);
	if (s->has_policies && stop->is_infinite)
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
	size_t before = d->count;

	for (size_t i = 0; i < s->loops.count; i++)
		check_loop(d, &s->loops.items[i]);
	check_conclaude(d);
	bool is_nothing = d->count == before && !s->gates_root.s;

	if (is_nothing && s->has_policies)
		doctor_add(d, FINDING_NOTE, fix, "nothing: ", shown_path(s->policies_path, d->cwd),
			   " turns nothing on");
	else if (is_nothing)
		doctor_add(d, FINDING_NOTE, fix, "nothing: there is no holdfast.yml and no Ralph loop ",
			   str_eq(last, d->cwd) ? "in " : "from here up to ", last);
	predict_stop(d);
}
