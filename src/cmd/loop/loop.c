/* SPDX-License-Identifier: MIT */
/* holdfast ralph: the table of its subcommands, what they share, and those that only read: status, list and history. */
#include "cmd/loop/loop.h"

#include "base/duration.h"
#include "client/client.h"
#include "cmd/commands.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "store/journals.h"

#include <inttypes.h>

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

/* ---- status and list ---- */

static enum ralph_text
state_word(const struct loop_ref *ref)
{
	return ref->is_corrupt ? TEXT_IS_CORRUPT : ref->state.is_paused ? TEXT_IS_PAUSED : TEXT_IS_ACTIVE;
}

static void
add_options(struct buf *out, const struct loop_state *s)
{
	const struct loop_options *o = &s->options;

	if (!o->has_own_promises)
		json_add(out, "completion_promise", s->promise);
	if (o->has_own_promises) {
		json_open(out, "promises", '{');
		for (size_t i = 0; i < o->outcome_count; i++)
			json_add(out, str_copy(out->arena, o->outcomes[i].promise).s,
				 o->outcomes[i].is_done ? "done" : "stopped");
		json_close(out, "}");
	}
	if (loop_options_verify(o)) {
		struct str all[LOOP_VERIFY_MAX + 1];
		size_t count = o->verify.count;

		for (size_t i = 0; i < count; i++)
			all[i] = o->verify.items[i];
		if (o->verifies_gates)
			all[count++] = STR("gates");
		json_add_key(out, "verify");
		json_add_strings(out, all, count);
	}
	json_add(out, "max_minutes", JSON_IF(o->max_minutes > 0, o->max_minutes), "max_tokens",
		 JSON_IF(o->max_tokens > 0, o->max_tokens), "max_cost_usd",
		 JSON_IF(o->max_cost > 0, JSON(loop_dollars_exact(out->arena, o->max_cost))),
		 "resume_after_limit", JSON_IF(o->resume_after_limit > 0, o->resume_after_limit), "resumes",
		 JSON_IF(o->limit.resumes > 0, o->limit.resumes), "limit_until",
		 JSON_IF(o->limit.until_us > 0, clock_format_seconds(out->arena, o->limit.until_us)));
	if (o->usage.read.offset > 0)
		json_add(out, "tokens", o->usage.tokens, "cost_usd",
			 JSON(loop_dollars_exact(out->arena, o->usage.cost)));
}

static struct str
progress_of(struct arena *a, const struct invocation *inv, const struct loop_state *s)
{
	return s->max_iterations > 0 ? ralph_text(a, inv, TEXT_PROGRESS, s->iteration, s->max_iterations)
				     : str_cat(a, s->iteration);
}

static void
print_one(struct arena *a, const struct invocation *inv, const struct loop_ref *ref)
{
	const struct loop_state *s = &ref->state;
	struct str elapsed = ralph_elapsed(a, s);

	if (ref->is_corrupt) {
		ralph_print(a, inv, TEXT_CORRUPT, loop_problem(a, ref->path, &ref->why_corrupt));
		return;
	}
	ralph_print(a, inv, TEXT_STATUS, progress_of(a, inv, s),
		    s->is_paused ? ralph_text(a, inv, TEXT_STATUS_PAUSED) : STR(""));
	ralph_print_loop(a, inv, ref->path, s);
	if (elapsed.s)
		ralph_print(a, inv, TEXT_RUNNING, elapsed);
	ralph_print(a, inv, TEXT_PROMPT, str_before(str_trim(s->prompt), '\n'));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct loop_refs refs = ralph_loops(a);
	struct buf out = BUF(a, SIZE_MAX);

	if (option_has(inv, "json")) {
		json_open(&out, NULL, '[');
		for_each (ref, refs.items, refs.count) {
			const struct loop_state *s = &ref->state;

			json_open(&out, NULL, '{');
			json_add(&out, "state_file", ref->path, "state",
				 ralph_text(a, NULL, state_word(ref)));
			if (ref->is_corrupt) {
				json_add(&out, "error", ref->why_corrupt.msg);
			} else {
				json_add(&out, "iteration", s->iteration, "max_iterations",
					 s->max_iterations);
				add_options(&out, s);
				json_add(&out, "session_id", s->session_id, "started_at", s->started_at,
					 "prompt", s->prompt);
			}
			json_close(&out, "}");
		}
		json_close(&out, "]\n");
		return print_out(buf_str(&out));
	}
	if (refs.count == 0)
		ralph_print(a, inv, TEXT_NONE);
	for_each (ref, refs.items, refs.count) {
		if (inv->command == &ralph_status_command) {
			print_one(a, inv, ref);
			continue;
		}
		struct str word = ralph_text(a, inv, state_word(ref));
		struct str progress = ref->is_corrupt ? STR("-") : progress_of(a, inv, &ref->state);

		print_cat(str_fmt(a, "%-8.*s %-10.*s ", STR_ARG(word), STR_ARG(progress)),
			  strip_escapes_line(a, ref->path), "\n");
	}
	return 0;
}

const struct command ralph_status_command = {
	.name = "status",
	.summary = "show the loops of this project: iteration, promise, owner, prompt",
	TAKES(FLAG("json", "print a JSON array, for scripts"), LANG_OPTION),
	.run = run,
};

const struct command ralph_list_command = {
	.name = "list",
	.summary = "list the loops of this project, one per line",
	TAKES(FLAG("json", "print a JSON array, for scripts"), LANG_OPTION),
	.run = run,
};

/* ---- the loops that have ended ---- */

static struct str
shown(struct arena *a, const struct node *n, const char *key)
{
	struct str text = node_get_str(n, key);

	return text.n > 0 ? strip_escapes_line(a, text) : STR("-");
}

static void
print_line(struct arena *a, const struct node *n, bool has_project)
{
	const struct node *passes = node_get(n, "passes"), *tokens = node_get(n, "tokens"),
			  *cost = node_get(n, "cost_usd");
	struct buf b = BUF(a, SIZE_MAX);

	buf_addf(&b, STR_FMT "  %-14.*s %4" PRId64 " iterations  " STR_FMT, STR_ARG(shown(a, n, "time")),
		 STR_ARG(shown(a, n, "reason")), passes && passes->kind == NODE_INT ? passes->integer : 0,
		 STR_ARG(shown(a, n, "session")));
	if (tokens && tokens->kind == NODE_INT)
		buf_cat(&b, "  ", tokens->integer, " tokens");
	if (cost) {
		/* With cents: the rest is in --json. */
		buf_cat(&b, ", $", str_sub(cost->text, 0, str_before(cost->text, '.').n + 3));
	}
	if (has_project)
		buf_cat(&b, "  ", shown(a, n, "project"));
	print_cat(buf_str(&b), "\n");
}

static int
run_history(struct arena *a, const struct invocation *inv)
{
	bool is_all = option_has(inv, "all"), is_json = option_has(inv, "json");
	struct str reason = option_str(inv, "reason");
	struct buf json = BUF(a, SIZE_MAX);
	struct project_dirs where;
	struct node *items;
	size_t count, printed = 0;
	struct err err;

	if (loop_journal_read(a, &items, &count, &err) < 0)
		return command_error(inv, err.msg);
	project_find(&where, fs_cwd(a), WITHIN_REPOSITORY);
	for (size_t i = 0; i < count; i++) {
		struct str project = node_get_str(&items[i], "project");

		if ((!is_all && !str_is_among(project, where.dirs, where.count)) ||
		    (reason.s && !str_eq(reason, node_get_str(&items[i], "reason"))))
			continue;
		if (is_json) {
			buf_add(&json, printed > 0 ? STR(",") : STR(""));
			json_add_node(&json, &items[i]);
		} else {
			print_line(a, &items[i], is_all);
		}
		printed++;
	}
	if (is_json)
		print_cat("[", buf_str(&json), "]\n");
	else if (printed == 0)
		print_cat("No Ralph loop has ended ", is_all ? "yet" : "in this project yet", ".\n");
	return 0;
}

const struct command ralph_history_command = {
	.name = "history",
	.summary = "list the loops of this project that have ended, and why each did",
	.details = "Oldest first: when the loop ended, the reason, its iterations, its session and, if they "
		   "were counted, its tokens and their cost.",
	TAKES(FLAG("all", "the loops of all projects"),
	      VALUE("reason", "NAME", "those that ended for this reason", .choices = loop_end_names),
	      FLAG("json", "print a JSON array, for scripts")),
	.run = run_history,
};

/* ---- all of them ---- */

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
