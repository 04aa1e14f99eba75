/* SPDX-License-Identifier: MIT */
/* holdfast ralph status and list. They only read. */
#include "base/escapes.h"
#include "cmd/commands.h"
#include "cmd/loop/loop.h"
#include "ui/print.h"
#include "doc/json.h"
#include "os/clock.h"

#include <inttypes.h>

static enum ralph_text
state_word(const struct loop_ref *ref)
{
	return ref->is_corrupt ? TEXT_IS_CORRUPT : ref->state.is_paused ? TEXT_IS_PAUSED : TEXT_IS_ACTIVE;
}

static void
add_dollars(struct buf *out, const char *key, int64_t billionths)
{
	json_add_key(out, key);
	buf_addf(out, "%" PRId64 ".%09" PRId64, billionths / 1000000000, billionths % 1000000000);
}

static void
add_options(struct buf *out, const struct loop_state *s)
{
	const struct loop_options *o = &s->options;

	if (s->promise.s && o->outcome_count == 0)
		json_add_member(out, "completion_promise", s->promise);
	if (o->outcome_count > 0) {
		json_add_key(out, "promises");
		buf_addc(out, '{');
		for (size_t i = 0; i < o->outcome_count; i++) {
			json_add_key(out, str_copy(out->arena, o->outcomes[i].promise).s);
			json_add_string(out, o->outcomes[i].is_done ? STR("done") : STR("stopped"));
		}
		buf_addc(out, '}');
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
	if (o->max_minutes > 0)
		json_add_member_int(out, "max_minutes", (int64_t)o->max_minutes);
	if (o->max_tokens > 0)
		json_add_member_int(out, "max_tokens", (int64_t)o->max_tokens);
	if (o->max_cost > 0)
		add_dollars(out, "max_cost_usd", o->max_cost);
	if (o->resume_after_limit > 0)
		json_add_member_int(out, "resume_after_limit", (int64_t)o->resume_after_limit);
	if (o->limit.resumes > 0)
		json_add_member_int(out, "resumes", (int64_t)o->limit.resumes);
	if (o->limit.until_us > 0)
		json_add_member(out, "limit_until", clock_format_seconds(out->arena, o->limit.until_us));
	if (o->usage.read.offset > 0) {
		json_add_member_int(out, "tokens", o->usage.tokens);
		add_dollars(out, "cost_usd", o->usage.cost);
	}
}

static void
print_json(struct arena *a, const struct loop_refs *refs)
{
	struct buf out = BUF(a, SIZE_MAX);

	buf_addc(&out, '[');
	for (size_t i = 0; i < refs->count; i++) {
		const struct loop_ref *ref = &refs->items[i];
		const struct loop_state *s = &ref->state;

		buf_add(&out, i ? STR(",{") : STR("{"));
		json_add_member(&out, "state_file", ref->path);
		json_add_member(&out, "state", ralph_text(a, NULL, state_word(ref), STR_NONE, STR_NONE));
		if (ref->is_corrupt) {
			json_add_member(&out, "error", str_from(ref->why_corrupt.msg));
		} else {
			json_add_member_int(&out, "iteration", (int64_t)s->iteration);
			json_add_member_int(&out, "max_iterations", (int64_t)s->max_iterations);
			add_options(&out, s);
			if (s->session_id.s)
				json_add_member(&out, "session_id", s->session_id);
			if (s->started_at.s)
				json_add_member(&out, "started_at", s->started_at);
			json_add_member(&out, "prompt", s->prompt);
		}
		buf_addc(&out, '}');
	}
	print_outf(STR_FMT "]\n", STR_ARG(buf_str(&out)));
}

static struct str
progress_of(struct arena *a, const struct invocation *inv, const struct loop_state *s)
{
	struct str iteration = ralph_number(a, s->iteration);

	return s->max_iterations > 0
		       ? ralph_text(a, inv, TEXT_PROGRESS, iteration, ralph_number(a, s->max_iterations))
		       : iteration;
}

static void
print_one(struct arena *a, const struct invocation *inv, const struct loop_ref *ref)
{
	const struct loop_state *s = &ref->state;
	struct str elapsed = ralph_elapsed(a, s), paused = STR(""), prompt = str_trim(s->prompt),
		   line = STR("");

	if (ref->is_corrupt) {
		ralph_print(a, inv, TEXT_CORRUPT, loop_problem(a, ref->path, &ref->why_corrupt));
		return;
	}
	if (s->is_paused)
		paused = ralph_text(a, inv, TEXT_STATUS_PAUSED, STR_NONE, STR_NONE);
	print_outf(STR_FMT "\n", STR_ARG(ralph_text(a, inv, TEXT_STATUS, progress_of(a, inv, s), paused)));
	ralph_print_loop(a, inv, ref->path, s);
	if (elapsed.s)
		ralph_print(a, inv, TEXT_RUNNING, elapsed);
	(void)str_next(&prompt, '\n', &line);
	ralph_print(a, inv, TEXT_PROMPT, line);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct loop_refs refs;
	struct project_dirs where;

	ralph_where(a, &where);
	loops_find(a, &where, &refs);
	if (option_has(inv, "json")) {
		print_json(a, &refs);
		return 0;
	}
	if (refs.count == 0)
		ralph_print(a, inv, TEXT_NONE, STR_NONE);
	for (size_t i = 0; i < refs.count; i++) {
		const struct loop_ref *ref = &refs.items[i];

		if (inv->command == &ralph_status_command) {
			print_one(a, inv, ref);
			continue;
		}
		struct str word = ralph_text(a, inv, state_word(ref), STR_NONE, STR_NONE);
		struct str progress = ref->is_corrupt ? STR("-") : progress_of(a, inv, &ref->state);
		struct str path = strip_escapes_line(a, ref->path);

		print_outf("%-8.*s %-10.*s " STR_FMT "\n", STR_ARG(word), STR_ARG(progress), STR_ARG(path));
	}
	return 0;
}

static const struct option_row options[] = {
	{ .name = "json", .help = "print a JSON array, for scripts" },
	LANG_OPTION,
};

const struct command ralph_status_command = {
	.name = "status",
	.summary = "show the loops of this project: iteration, promise, owner, prompt",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};

const struct command ralph_list_command = {
	.name = "list",
	.summary = "list the loops of this project, one per line",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
