/* SPDX-License-Identifier: MIT */
/* holdfast ralph: the table of its subcommands, and what they share. */
#include "cmd/loop/loop.h"

#include "client/client.h"
#include "base/buf.h"
#include "base/duration.h"
#include "base/escapes.h"
#include "cmd/commands.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"

const char *const ralph_languages[] = { "en", "fr", NULL };

static const struct {
	const char *en, *fr;
} texts[TEXT_COUNT] = {
#define TEXT(name, en, fr) { en, fr },
#include "cmd/loop/texts.def"
};

struct str
ralph_text_of(struct arena *a, const struct invocation *inv, enum ralph_text text, const struct str *values)
{
	static const char *const names[] = { "LC_ALL", "LC_MESSAGES", "LANG" };
	struct str language = inv ? option_str(inv, "lang") : STR("en");
	struct buf out = BUF(a, SIZE_MAX);

	for (size_t i = 0; !language.s && i < COUNT_OF(names); i++)
		if (env_has(names[i]))
			language = env_get(names[i]);
	struct str rest = str_from(str_starts(language, STR("fr")) ? texts[text].fr : texts[text].en);

	for (ptrdiff_t at; (at = str_find(rest, STR("{}"))) >= 0; values++) {
		buf_cat(&out, str_sub(rest, 0, (size_t)at), strip_escapes_line(a, *values));
		rest = str_rest(rest, (size_t)at + 2);
	}
	buf_add(&out, rest);
	return buf_str(&out);
}

struct loop_refs
ralph_loops(struct arena *a)
{
	struct project_dirs where;
	struct loop_refs refs;

	project_find(&where, fs_cwd(a), WITHIN_REPOSITORY);
	loops_find(a, &where, &refs);
	return refs;
}

struct str
ralph_session(const struct invocation *inv)
{
	struct str session = option_str(inv, "session");

	return session.s ? session : client_session(env_get);
}

struct str
ralph_limits(struct arena *a, uint64_t iterations, uint64_t minutes, uint64_t tokens, int64_t cost)
{
	struct buf b = BUF(a, KIB(1));

	if (iterations > 0)
		buf_cat(&b, iterations, " iterations");
	if (minutes > 0)
		buf_cat(&b, b.n > 0 ? ", " : "", minutes, " min");
	if (tokens > 0)
		buf_cat(&b, b.n > 0 ? ", " : "", tokens, " tokens");
	if (cost > 0)
		buf_cat(&b, b.n > 0 ? ", " : "", "$", loop_dollars(a, cost));
	return buf_str(&b);
}

void
ralph_print_loop(struct arena *a, const struct invocation *inv, struct str path, const struct loop_state *s)
{
	const struct loop_options *o = &s->options;
	struct str promises = loop_promises(a, o, "</promise>, <promise>");
	struct str limits = ralph_limits(a, 0, o->max_minutes, o->max_tokens, o->max_cost);

	ralph_print(a, inv, TEXT_STATE_FILE, path);
	ralph_print(a, inv, TEXT_OWNER,
		    s->session_id.n > 0 ? s->session_id : ralph_text(a, inv, TEXT_OWNER_FIRST));
	ralph_print(a, inv,
		    promises.s              ? TEXT_ENDS_BY_PROMISE
		    : s->max_iterations > 0 ? TEXT_ENDS_AT_LIMIT
					    : TEXT_ENDS_NEVER,
		    promises);
	for (size_t i = 0; i < o->verify.count; i++)
		ralph_print(a, inv, TEXT_VERIFIED_BY, o->verify.items[i]);
	if (o->verifies_gates)
		ralph_print(a, inv, TEXT_VERIFIED_BY, ralph_text(a, inv, TEXT_GATES));
	if (limits.n > 0)
		ralph_print(a, inv, TEXT_LIMITS, limits);
	if (o->usage.read.offset > 0)
		ralph_print(a, inv, TEXT_USED, (uint64_t)o->usage.tokens, loop_dollars(a, o->usage.cost));
	if (o->limit.until_us > 0)
		ralph_print(a, inv, TEXT_WAITS, clock_format_seconds(a, o->limit.until_us));
}

struct str
ralph_elapsed(struct arena *a, const struct loop_state *s)
{
	int64_t seconds = (clock_real_us() - s->started_us) / 1000000;

	if (s->started_us == 0 || seconds < 0)
		return STR_NONE; /* not known; or the clock was set back, or the file was edited */
	return seconds < 60 ? str_cat(a, seconds, " s") : duration_span(a, seconds * 1000);
}

static const struct command *const subs[] = {
	&ralph_start_command,  &ralph_status_command,  &ralph_list_command,  &ralph_pause_command,
	&ralph_resume_command, &ralph_cancel_command,  &ralph_steer_command, &ralph_extend_command,
	&ralph_adopt_command,  &ralph_history_command, &ralph_hook_command,
};

const struct command ralph_command = {
	.name = "ralph",
	.summary = "manage Ralph loops: repeat a prompt until the agent makes a promise",
	.details =
		"A loop is a file in the project, .claude/ralph-loop.local.md. At each stop of the session "
		"that owns it, the agent gets the prompt again, until its answer contains the completion "
		"promise between <promise> and </promise>, or the loop reaches its limit of iterations.",
	SUBCOMMANDS(subs),
};
