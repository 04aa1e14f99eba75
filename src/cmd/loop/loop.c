/* SPDX-License-Identifier: MIT */
/* holdfast ralph: the table of its subcommands, and what they share. */
#include "cmd/loop/loop.h"

#include "client/client.h"
#include "base/escapes.h"
#include "cmd/commands.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "loop/loop.h"

#include <inttypes.h>
#include <stdio.h>

const char *const ralph_languages[] = { "en", "fr", NULL };

static const struct {
	const char *en, *fr;
} texts[TEXT_COUNT] = {
	[TEXT_NONE] = { "No active Ralph loop found.", "Aucune boucle Ralph active." },
	[TEXT_FOREIGN] = { "The loop in %s belongs to session %s; `--session ID` or `--all` reaches it.",
			   "La boucle dans %s appartient à la session %s ; `--session ID` ou `--all` "
			   "l'atteint." },
	[TEXT_OWNERLESS] = { "The loop in %s belongs to no session; without `--session`, or with `--all`, it "
			     "is reached.",
			     "La boucle dans %s n'appartient à aucune session ; sans `--session`, ou avec "
			     "`--all`, elle est atteinte." },
	[TEXT_AMBIGUOUS] = { "There are %zu loops here: name one with --session ID, or take --all.",
			     "Il y a %zu boucles ici : choisissez-en une par --session ID, ou --all." },
	[TEXT_CANCELLED] = { "Cancelled Ralph loop (was at iteration %" PRIu64 ").",
			     "Boucle Ralph annulée (elle en était à l'itération %" PRIu64 ")." },
	[TEXT_CANCELLED_CORRUPT] = { "Cancelled Ralph loop.", "Boucle Ralph annulée." },
	[TEXT_COMPLETED] = { "Iterations completed: %" PRIu64 "%s%s",
			     "Itérations terminées : %" PRIu64 "%s%s" },
	[TEXT_PAUSED] = { "Paused Ralph loop at iteration %" PRIu64 "; `holdfast ralph resume` goes on.",
			  "Boucle Ralph en pause à l'itération %" PRIu64
			  " ; `holdfast ralph resume` la reprend." },
	[TEXT_RESUMED] = { "Resumed Ralph loop at iteration %" PRIu64 ".",
			   "Boucle Ralph reprise à l'itération %" PRIu64 "." },
	[TEXT_NOT_PAUSED] = { "The Ralph loop is not paused; it is at iteration %" PRIu64 ".",
			      "La boucle Ralph n'est pas en pause ; elle en est à l'itération %" PRIu64 "." },
	[TEXT_PASS] = { "Ralph loop: pass %s%s", "Boucle Ralph : passe %s%s" },
	[TEXT_PASS_NUMBER] = { "%" PRIu64 " of %" PRIu64, "%" PRIu64 " sur %" PRIu64 },
	[TEXT_PASS_PAUSED] = { ", paused", ", en pause" },
	[TEXT_STATE_FILE] = { "  state    %s", "  état     %s" },
	[TEXT_OWNER] = { "  owner    %s", "  session  %s" },
	[TEXT_OWNER_FIRST] = { "the first session that stops here", "la première qui s'arrête ici" },
	[TEXT_ENDS_BY_PROMISE] = { "  ends     when an answer has <promise>%s</promise>",
				   "  fin      quand une réponse contient <promise>%s</promise>" },
	[TEXT_ENDS_AT_LIMIT] = { "  ends     at its limit; it has no completion promise",
				 "  fin      à sa limite ; elle n'a pas de promesse" },
	[TEXT_ENDS_NEVER] = { "  ends     never by itself: it has neither a limit nor a completion promise",
			      "  fin      jamais d'elle-même : elle n'a ni limite ni promesse" },
	[TEXT_RUNNING] = { "  running  for %s", "  durée    %s" },
	[TEXT_PROMPT] = { "  prompt   %s", "  consigne %s" },
	[TEXT_IS_ACTIVE] = { "active", "active" },
	[TEXT_IS_PAUSED] = { "paused", "en pause" },
	[TEXT_IS_CORRUPT] = { "corrupt", "illisible" },
	[TEXT_CORRUPT] = { "The loop can't be understood: %s", "La boucle est illisible : %s" },
};

static struct str
language(const struct invocation *inv)
{
	static const char *const names[] = { "LC_ALL", "LC_MESSAGES", "LANG" };
	struct str chosen = option_str(inv, "lang");

	for (size_t i = 0; !chosen.s && i < COUNT_OF(names); i++)
		if (env_has(names[i]))
			chosen = env_get(names[i]);
	return chosen;
}

const char *
ralph_text(const struct invocation *inv, enum ralph_text text)
{
	return inv && str_starts(language(inv), STR("fr")) ? texts[text].fr : texts[text].en;
}

void
ralph_where(struct arena *a, struct project_dirs *ret)
{
	project_find(ret, fs_cwd(a), WITHIN_REPOSITORY);
}

struct str
ralph_session(const struct invocation *inv)
{
	struct str session = option_str(inv, "session");

	return session.s ? session : client_session(env_get);
}

void
ralph_print_line(struct arena *a, const struct invocation *inv, enum ralph_text text, struct str what)
{
	(void)printf(ralph_text(inv, text), str_copy(a, strip_escapes_line(a, what)).s);
	(void)printf("\n");
}

void
ralph_print(struct arena *a, const struct invocation *inv, struct str path, struct str owner,
	    struct str promise, uint64_t max_iterations)
{
	enum ralph_text without_promise = max_iterations > 0 ? TEXT_ENDS_AT_LIMIT : TEXT_ENDS_NEVER;

	ralph_print_line(a, inv, TEXT_STATE_FILE, path);
	ralph_print_line(a, inv, TEXT_OWNER,
			 owner.n > 0 ? owner : str_from(ralph_text(inv, TEXT_OWNER_FIRST)));
	ralph_print_line(a, inv, promise.s ? TEXT_ENDS_BY_PROMISE : without_promise, promise);
}

void
ralph_print_corrupt(struct arena *a, const struct invocation *inv, struct str path, const struct err *why)
{
	(void)printf(ralph_text(inv, TEXT_CORRUPT),
		     str_copy(a, strip_escapes_line(a, loop_problem(a, path, why))).s);
	(void)printf("\n");
}

struct str
ralph_elapsed(struct arena *a, const struct loop_state *s)
{
	int64_t started_us;

	if (!s->started_at.s || !clock_parse(s->started_at, &started_us))
		return STR_NONE;
	int64_t seconds = (clock_real_us() - started_us) / 1000000;

	if (seconds < 0)
		return STR_NONE; /* the clock was set back, or somebody edited the file */
	if (seconds < 60)
		return str_fmt(a, "%" PRId64 " s", seconds);
	if (seconds < 3600)
		return str_fmt(a, "%" PRId64 " min %02" PRId64 " s", seconds / 60, seconds % 60);
	return str_fmt(a, "%" PRId64 " h %02" PRId64 " min", seconds / 3600, seconds % 3600 / 60);
}

static const struct command *const subs[] = {
	&ralph_start_command,  &ralph_status_command, &ralph_list_command, &ralph_pause_command,
	&ralph_resume_command, &ralph_cancel_command, &ralph_hook_command,
};

const struct command ralph_command = {
	.name = "ralph",
	.summary = "manage Ralph loops: repeat a prompt until the agent makes a promise",
	.details = "A loop is a file in the project, .claude/ralph-loop.local.md. At each stop of "
		   "the session that owns it, the agent gets the prompt again, until its answer "
		   "contains the completion promise between <promise> and </promise>, or the loop "
		   "reaches its limit of iterations.",
	.subs = subs,
	.sub_count = COUNT_OF(subs),
};
