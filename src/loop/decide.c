/* SPDX-License-Identifier: MIT */
/* The loop's rules, in their order, and its promise. Pure: no clock, no file, no environment, no allocation. */
#include "loop/state.h"

enum loop_step
loop_decide(const struct loop_state *s, const struct loop_facts *f)
{
	const struct loop_options *o = &s->options;
	uint64_t max = s->max_iterations > 0 ? s->max_iterations : LOOP_NUMBER_MAX;
	/* A loop with an owner is closed to every other session. One without belongs to the next session that stops,
	 * unless another session's agent started that one: such helpers stop before the session that the user sees. */
	bool is_foreign = s->session_id.n > 0 ? !str_eq(s->session_id, f->session)
					      : f->is_nested || f->is_refused;

	if (is_foreign)
		return LOOP_NOT_OWNED;
	if (s->is_paused)
		return LOOP_PAUSED;
	if (s->waits_for_background && f->background_tasks > 0 && s->waits < LOOP_WAITS_MAX)
		return LOOP_WAITS;
	/* Promises come before the limit: the last iteration may keep one. */
	if (f->promised == PROMISED_STOPPED)
		return LOOP_STOPPED;
	if (f->promised == PROMISED_DONE && f->proof == PROOF_DUE)
		return LOOP_VERIFIES;
	if (f->promised == PROMISED_DONE && f->proof == PROOF_UNKNOWN)
		return LOOP_UNVERIFIED;
	if (f->promised == PROMISED_DONE && f->proof != PROOF_FAILED)
		return LOOP_COMPLETE;
	if (o->prompted == PROMPTED_NOW)
		return LOOP_HELD;
	if (s->iteration >= max)
		return LOOP_LIMIT;
	if (o->max_minutes > 0 && f->minutes >= o->max_minutes)
		return LOOP_TIME;
	if (o->max_tokens > 0 && f->tokens >= o->max_tokens)
		return LOOP_TOKENS;
	if (o->max_cost > 0 && f->cost >= o->max_cost)
		return LOOP_COST;
	return o->stuck_after > 0 && f->idle / 2 >= o->stuck_after ? LOOP_STUCK : LOOP_CONTINUES;
}

const char *const loop_end_names[] = {
	"complete",   "unverified",   "stopped",      "stuck",       "max_iterations",   "max_minutes",
	"max_tokens", "max_cost_usd", LOOP_CANCELLED, LOOP_REPLACED, LOOP_CORRUPT_STATE, NULL,
};

const char *
loop_step_reason(enum loop_step step)
{
	return step >= LOOP_COMPLETE && step < LOOP_CONTINUES ? loop_end_names[step - LOOP_COMPLETE] : NULL;
}

/* ---- the promise: one pass over the message ---- */

#define OPENING STR("<promise>")
#define CLOSING STR("</promise>")

static bool
is_space(uint32_t cp)
{
	return cp == ' ' || (cp >= '\t' && cp <= '\r') || cp == 0x85 || cp == 0xA0 || cp == 0x1680 ||
	       (cp >= 0x2000 && cp <= 0x200A) || cp == 0x2028 || cp == 0x2029 || cp == 0x202F ||
	       cp == 0x205F || cp == 0x3000;
}

static struct str
skip_space(struct str x)
{
	size_t n;

	while (x.n > 0 && is_space(utf8_decode(x, &n)))
		x = str_rest(x, n);
	return x;
}

/* Every run of white space equals one space, and none at either end counts. A continuation byte never begins one. */
static bool
is_same_text(struct str a, struct str b)
{
	a = skip_space(a);
	b = skip_space(b);
	for (;;) {
		struct str in_a = skip_space(a), in_b = skip_space(b);

		if (in_a.n == 0 || in_b.n == 0)
			return in_a.n == in_b.n;
		if ((in_a.n < a.n) != (in_b.n < b.n) || in_a.s[0] != in_b.s[0])
			return false;
		a = str_rest(in_a, 1);
		b = str_rest(in_b, 1);
	}
}

/* What follows the last opening tag; absent: there is none. */
static struct str
after_opening(struct str text)
{
	struct str content = STR_NONE;

	for (ptrdiff_t at; (at = str_find(text, OPENING)) >= 0;)
		content = text = str_rest(text, (size_t)at + OPENING.n);
	return content;
}

/* Without the blanks at the end, and without those of these characters that are there. */
static struct str
without_end(struct str x, const char *characters)
{
	x = str_trim(x);
	while (x.n > 0 && str_find_char(str_from(characters), x.s[x.n - 1]) >= 0)
		x = str_trim(str_sub(x, 0, x.n - 1));
	return x;
}

/* Is the tag, at the end of the line, a sentence of its own? Emphasis around it does not matter. */
static bool
ends_with_promise(struct str line, struct str phrase)
{
	line = without_end(line, "*_.!");
	if (!str_ends(line, CLOSING))
		return false;
	struct str content = after_opening(str_sub(line, 0, line.n - CLOSING.n));

	if (!content.s || !is_same_text(content, phrase))
		return false;
	struct str ahead = without_end(str_sub(line, 0, (size_t)(content.s - line.s) - OPENING.n), "*_");

	/* An ellipsis and a question leave open whether the promise is made. The last is the ideographic full stop. */
	bool ends_sentence = (str_ends(ahead, STR(".")) && !str_ends(ahead, STR(".."))) ||
			     str_ends(ahead, STR("!")) || str_ends(ahead, STR("\xE3\x80\x82"));

	return ahead.n == 0 ||
	       (ends_sentence && str_find(ahead, STR("not yet")) < 0 && str_find(ahead, STR("Not yet")) < 0);
}

bool
promise_is_kept(struct str message, struct str phrase, bool is_strict)
{
	if (skip_space(phrase).n == 0)
		return false;
	if (is_strict) {
		struct str line, last = STR("");

		while (str_next(&message, '\n', &line))
			if (skip_space(line).n > 0)
				last = line;
		return ends_with_promise(str_trim(last), phrase);
	}
	for (ptrdiff_t close; (close = str_find(message, CLOSING)) >= 0;) {
		struct str content = after_opening(str_sub(message, 0, (size_t)close));

		if (content.s && is_same_text(content, phrase))
			return true;
		message = str_rest(message, (size_t)close + CLOSING.n);
	}
	return false;
}
