/* SPDX-License-Identifier: MIT */
/* holdfast ralph: the table of its subcommands, and what they share. */
#include "cmd/loop/loop.h"
#include "ui/print.h"

#include "client/client.h"
#include "base/buf.h"
#include "base/escapes.h"
#include "cmd/commands.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"

#include <inttypes.h>

const char *const ralph_languages[] = { "en", "fr", NULL };

/* {} stands for a value. */
static const struct {
	const char *en, *fr;
} texts[TEXT_COUNT] = {
	[TEXT_NONE] = { "No active Ralph loop found.", "Aucune boucle Ralph active." },
	[TEXT_FOREIGN] = { "The loop in {} belongs to session {}; use `--session ID` or `--all` for it.",
			   "La boucle dans {} appartient à la session {} ; `--session ID` ou `--all` "
			   "l'atteint." },
	[TEXT_OWNERLESS] = { "The loop in {} belongs to no session; for it, leave out `--session` or use "
			     "`--all`.",
			     "La boucle dans {} n'appartient à aucune session ; sans `--session`, ou avec "
			     "`--all`, elle est atteinte." },
	[TEXT_AMBIGUOUS] = { "There are {} loops here: choose one with --session ID, or use --all.",
			     "Il y a {} boucles ici : choisissez-en une par --session ID, ou --all." },
	[TEXT_CANCELLED] = { "Cancelled Ralph loop (was at iteration {}).",
			     "Boucle Ralph annulée (elle en était à l'itération {})." },
	[TEXT_CANCELLED_CORRUPT] = { "Cancelled Ralph loop.", "Boucle Ralph annulée." },
	[TEXT_COMPLETED] = { "Iterations completed: {}", "Itérations terminées : {}" },
	[TEXT_PAUSED] = { "Paused Ralph loop at iteration {}; `holdfast ralph resume` continues it.",
			  "Boucle Ralph en pause à l'itération {}"
			  " ; `holdfast ralph resume` la reprend." },
	[TEXT_RESUMED] = { "Resumed Ralph loop at iteration {}.", "Boucle Ralph reprise à l'itération {}." },
	[TEXT_NOT_PAUSED] = { "The Ralph loop is not paused; it is at iteration {}.",
			      "La boucle Ralph n'est pas en pause ; elle en est à l'itération {}." },
	[TEXT_STEERED] = { "The text goes before the next prompt of the Ralph loop, which is at iteration "
			   "{}.",
			   "Le texte précédera la prochaine consigne de la boucle Ralph, qui en est à "
			   "l'itération {}." },
	[TEXT_EXTENDED] = { "The Ralph loop is at iteration {}; its limits are now: {}",
			    "La boucle Ralph en est à l'itération {} ; ses limites sont : {}" },
	[TEXT_ADOPTED] = { "The Ralph loop at iteration {} now belongs to session {}.",
			   "La boucle Ralph à l'itération {} appartient maintenant à la session {}." },
	[TEXT_ADOPTED_BY_NEXT] = { "The Ralph loop at iteration {} now belongs to the next session that "
				   "stops here.",
				   "La boucle Ralph à l'itération {} appartient maintenant à la prochaine "
				   "session "
				   "qui s'arrête ici." },
	[TEXT_ALREADY_OWNED] = { "The Ralph loop already belongs to {}.",
				 "La boucle Ralph appartient déjà à {}." },
	[TEXT_AMBIGUOUS_OWNER] = { "There are {} loops here: choose one with --from ID.",
				   "Il y a {} boucles ici : choisissez-en une par --from ID." },
	[TEXT_STATUS] = { "Ralph loop: iteration {}{}", "Boucle Ralph : itération {}{}" },
	[TEXT_PROGRESS] = { "{} of {}", "{} sur {}" },
	[TEXT_STATUS_PAUSED] = { ", paused", ", en pause" },
	[TEXT_STATE_FILE] = { "  state    {}", "  état     {}" },
	[TEXT_OWNER] = { "  owner    {}", "  session  {}" },
	[TEXT_OWNER_FIRST] = { "the first session that stops here", "la première qui s'arrête ici" },
	[TEXT_ENDS_BY_PROMISE] = { "  ends     when an answer has <promise>{}</promise>",
				   "  fin      quand une réponse contient <promise>{}</promise>" },
	[TEXT_ENDS_AT_LIMIT] = { "  ends     at its limit; it has no completion promise",
				 "  fin      à sa limite ; elle n'a pas de promesse" },
	[TEXT_ENDS_NEVER] = { "  ends     never by itself: it has neither a limit nor a completion promise",
			      "  fin      jamais d'elle-même : elle n'a ni limite ni promesse" },
	[TEXT_VERIFIED_BY] = { "  verify   {}", "  preuve   {}" },
	[TEXT_GATES] = { "the gates", "les gates" },
	[TEXT_LIMITS] = { "  limits   {}", "  limites  {}" },
	[TEXT_USED] = { "  used     {} tokens, ${}", "  utilisés {} jetons, {} $" },
	[TEXT_WAITS] = { "  waits    for a usage limit, until {}; `holdfast ralph resume --wait` goes on "
			 "then",
			 "  attend   une limite d'utilisation, jusqu'à {} ; puis `holdfast ralph resume "
			 "--wait`" },
	[TEXT_RUNNING] = { "  running  for {}", "  durée    {}" },
	[TEXT_PROMPT] = { "  prompt   {}", "  consigne {}" },
	[TEXT_IS_ACTIVE] = { "active", "active" },
	[TEXT_IS_PAUSED] = { "paused", "en pause" },
	[TEXT_IS_CORRUPT] = { "corrupt", "illisible" },
	[TEXT_CORRUPT] = { "The loop's file is corrupt: {}", "La boucle est illisible : {}" },
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

struct str
ralph_text(struct arena *a, const struct invocation *inv, enum ralph_text text, struct str first,
	   struct str second)
{
	bool is_french = inv && str_starts(language(inv), STR("fr"));
	struct str rest = str_from(is_french ? texts[text].fr : texts[text].en);
	struct buf out = BUF(a, SIZE_MAX);
	struct str value = first;

	for (ptrdiff_t at; (at = str_find(rest, STR("{}"))) >= 0; value = second) {
		buf_add(&out, str_sub(rest, 0, (size_t)at));
		buf_add(&out, strip_escapes_line(a, value));
		rest = str_sub(rest, (size_t)at + 2, rest.n);
	}
	buf_add(&out, rest);
	return buf_str(&out);
}

void
ralph_print(struct arena *a, const struct invocation *inv, enum ralph_text text, struct str value)
{
	print_outf(STR_FMT "\n", STR_ARG(ralph_text(a, inv, text, value, STR_NONE)));
}

struct str
ralph_number(struct arena *a, uint64_t number)
{
	return str_fmt(a, "%" PRIu64, number);
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

/* The promises, as the text between the first and the last tag. */
static struct str
promises_of(struct arena *a, const struct loop_state *s)
{
	struct str all = s->options.outcome_count > 0 ? s->options.outcomes[0].promise : s->promise;

	for (size_t i = 1; i < s->options.outcome_count; i++)
		all = str_fmt(a, STR_FMT "</promise>, <promise>" STR_FMT, STR_ARG(all),
			      STR_ARG(s->options.outcomes[i].promise));
	return all;
}

static void
print_limits(struct arena *a, const struct invocation *inv, const struct loop_options *o)
{
	struct buf b = BUF(a, KIB(1));

	if (o->max_minutes > 0)
		buf_addf(&b, "%" PRIu64 " min", o->max_minutes);
	if (o->max_tokens > 0)
		buf_addf(&b, "%s%" PRIu64 " tokens", b.n > 0 ? ", " : "", o->max_tokens);
	if (o->max_cost > 0)
		buf_addf(&b, "%s$" STR_FMT, b.n > 0 ? ", " : "", STR_ARG(loop_dollars(a, o->max_cost)));
	if (b.n > 0)
		ralph_print(a, inv, TEXT_LIMITS, buf_str(&b));
	if (o->usage.read.offset > 0)
		print_outf(STR_FMT "\n",
			   STR_ARG(ralph_text(a, inv, TEXT_USED, ralph_number(a, (uint64_t)o->usage.tokens),
					      loop_dollars(a, o->usage.cost))));
}

void
ralph_print_loop(struct arena *a, const struct invocation *inv, struct str path, const struct loop_state *s)
{
	struct str first = ralph_text(a, inv, TEXT_OWNER_FIRST, STR_NONE, STR_NONE);
	struct str promises = promises_of(a, s);
	const struct loop_options *o = &s->options;

	ralph_print(a, inv, TEXT_STATE_FILE, path);
	ralph_print(a, inv, TEXT_OWNER, s->session_id.n > 0 ? s->session_id : first);
	ralph_print(a, inv,
		    promises.s              ? TEXT_ENDS_BY_PROMISE
		    : s->max_iterations > 0 ? TEXT_ENDS_AT_LIMIT
					    : TEXT_ENDS_NEVER,
		    promises);
	for (size_t i = 0; i < o->verify.count; i++)
		ralph_print(a, inv, TEXT_VERIFIED_BY, o->verify.items[i]);
	if (o->verifies_gates)
		ralph_print(a, inv, TEXT_VERIFIED_BY, ralph_text(a, inv, TEXT_GATES, STR_NONE, STR_NONE));
	print_limits(a, inv, o);
	if (o->limit.until_us > 0)
		ralph_print(a, inv, TEXT_WAITS, clock_format_seconds(a, o->limit.until_us));
}

struct str
ralph_elapsed(struct arena *a, const struct loop_state *s)
{
	int64_t started_us;

	if (!s->started_at.s || !clock_parse(s->started_at, &started_us))
		return STR_NONE;
	int64_t seconds = (clock_real_us() - started_us) / 1000000;

	if (seconds < 0)
		return STR_NONE; /* the clock was set back, or the file was edited */
	if (seconds < 60)
		return str_fmt(a, "%" PRId64 " s", seconds);
	if (seconds < 3600)
		return str_fmt(a, "%" PRId64 " min %02" PRId64 " s", seconds / 60, seconds % 60);
	return str_fmt(a, "%" PRId64 " h %02" PRId64 " min", seconds / 3600, seconds % 3600 / 60);
}

static const struct command *const subs[] = {
	&ralph_start_command,  &ralph_status_command,  &ralph_list_command,  &ralph_pause_command,
	&ralph_resume_command, &ralph_cancel_command,  &ralph_steer_command, &ralph_extend_command,
	&ralph_adopt_command,  &ralph_history_command, &ralph_hook_command,
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
