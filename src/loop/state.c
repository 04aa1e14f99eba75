/* SPDX-License-Identifier: MIT */
/* Reads and writes the text of a loop's state file. Pure: loop.c opens the file. */
#include "loop/state.h"

#include "base/buf.h"
#include "doc/yaml_out.h"

#include <inttypes.h>

#include <string.h>

/* The template that the plugin ships has the same text: a test compares them. */
static const char head[] =
	"---\n"
	"# A Ralph loop. holdfast reads this file at every stop of the session that owns it.\n"
	"# Delete it, or run `holdfast ralph cancel`, to end the loop.\n";

/* Notes a duplicate key. */
static int
read_key(struct arena *a, struct loop_state *s, const char *key, struct frontmatter_value *ret,
	 struct err *err)
{
	bool is_twice = false;

	if (frontmatter_get(a, &s->doc, key, ret, &is_twice, err) < 0)
		return -1;
	if (is_twice && !s->duplicate_key.s)
		s->duplicate_key = str_from(key);
	return 0;
}

static int
read_number(struct arena *a, struct loop_state *s, const char *key, uint64_t *ret, struct err *err)
{
	struct frontmatter_value v;

	if (read_key(a, s, key, &v, err) < 0)
		return -1;
	if (!v.is_there)
		return 0;
	uint64_t number = 0;

	if (v.is_null || !number_parse(str_trim(v.value), &number) || number > LOOP_NUMBER_MAX)
		return err_at(err, ERR_VALUE, v.line, 1,
			      "%s: expected a number from 0 to %d, not '" STR_FMT "'", key, LOOP_NUMBER_MAX,
			      STR_ARG(v.value));
	*ret = number;
	return 0;
}

/* *ret does not change if the key is missing, and is absent if its value is null. */
static int
read_text(struct arena *a, struct loop_state *s, const char *key, struct str *ret, struct err *err)
{
	struct frontmatter_value v;

	if (read_key(a, s, key, &v, err) < 0)
		return -1;
	if (v.is_there)
		*ret = v.is_null ? STR_NONE : v.value;
	return 0;
}

/* The Ralph plugin puts quotes around a promise without escaping it, and strips them again: YAML may refuse that text. */
static int
read_promise(struct arena *a, struct loop_state *s, struct err *err)
{
	if (read_text(a, s, "completion_promise", &s->promise, err) == 0)
		return 0;
	struct str raw = frontmatter_raw(&s->doc, "completion_promise");

	if (raw.n < 3 || raw.s[0] != '"' || raw.s[raw.n - 1] != '"')
		return -1;
	s->promise = str_sub(raw, 1, raw.n - 1);
	return 0;
}

static bool
is_false(struct str x)
{
	return str_is(x, "false") || str_is(x, "False") || str_is(x, "FALSE") || str_is(x, "no") ||
	       str_is(x, "off");
}

static bool
is_halted(struct str status)
{
	return str_is(status, "PAUSED") || str_is(status, "paused") || str_is(status, "CANCELLED") ||
	       str_is(status, "cancelled");
}

/* The blank line that separates the prompt from the front matter and the file's last newline are not part of it. */
static struct str
prompt_of(struct str body)
{
	if (str_starts(body, STR("\r\n")))
		body = str_sub(body, 2, body.n);
	else if (str_starts(body, STR("\n")))
		body = str_sub(body, 1, body.n);
	if (str_ends(body, STR("\n"))) {
		body.n--;
		if (str_ends(body, STR("\r")))
			body.n--;
	}
	return body;
}

static int
read_values(struct arena *a, struct loop_state *s, struct err *err)
{
	struct str active = STR_NONE, status = STR_NONE, match = STR_NONE, wait = STR_NONE;

	if (read_number(a, s, "iteration", &s->iteration, err) < 0 ||
	    read_number(a, s, "max_iterations", &s->max_iterations, err) < 0 ||
	    read_number(a, s, "waits", &s->waits, err) < 0 || read_promise(a, s, err) < 0 ||
	    read_text(a, s, "session_id", &s->session_id, err) < 0 ||
	    read_text(a, s, "started_at", &s->started_at, err) < 0 ||
	    read_text(a, s, "active", &active, err) < 0 || read_text(a, s, "status", &status, err) < 0 ||
	    read_text(a, s, "promise_match", &match, err) < 0 ||
	    read_text(a, s, "wait_for_background", &wait, err) < 0)
		return -1;
	if (str_trim(s->promise).n == 0)
		s->promise = STR_NONE;
	if (s->session_id.n == 0)
		s->session_id = STR_NONE;
	s->has_halted_status = is_halted(status);
	s->is_paused = is_false(active) || s->has_halted_status;
	s->is_strict = str_is(match, "strict");
	s->waits_for_background = !is_false(wait);
	return 0;
}

int
loop_state_parse(struct arena *a, struct str text, struct loop_state *ret, struct err *err)
{
	struct loop_state s = {
		.iteration = 1,
		.max_iterations = LOOP_DEFAULT_MAX,
		.promise = LOOP_DEFAULT_PROMISE,
	};

	if (frontmatter_parse(text, &s.doc, err) < 0 || read_values(a, &s, err) < 0 ||
	    loop_options_parse(a, &s.doc, &s.options, err) < 0)
		return -1;
	s.prompt = prompt_of(s.doc.body);
	if (str_trim(s.prompt).n == 0)
		return err_set(err, ERR_VALUE, "there is no prompt after the front matter");
	*ret = s;
	return 0;
}

static struct str
set_key(struct arena *a, struct str text, const char *key, struct str value)
{
	struct frontmatter f;
	struct err err;

	/* Can't fail: the text was parsed before, and only frontmatter_set() changed it. */
	if (frontmatter_parse(text, &f, &err) < 0)
		return text;
	return frontmatter_set(a, &f, key, value);
}

static struct str
set_keys(struct arena *a, struct str text, const struct loop_edits *edits)
{
	for (size_t i = 0; i < edits->count; i++)
		text = set_key(a, text, edits->items[i].key, edits->items[i].value);
	return text;
}

struct str
loop_state_with(struct arena *a, const struct loop_state *s, const struct loop_edits *edits)
{
	return set_keys(a, s->doc.text, edits);
}

struct str
loop_state_with_iteration(struct arena *a, const struct loop_state *s, uint64_t iteration,
			  struct str session_id, const struct loop_edits *more)
{
	struct str text = set_key(a, s->doc.text, "iteration", str_fmt(a, "%" PRIu64, iteration));

	if (s->waits > 0)
		text = set_key(a, text, "waits", STR("0"));
	text = set_keys(a, text, more);
	return session_id.s ? set_key(a, text, "session_id", yaml_quote(a, session_id)) : text;
}

struct str
loop_state_with_waits(struct arena *a, const struct loop_state *s, uint64_t waits)
{
	return set_key(a, s->doc.text, "waits", str_fmt(a, "%" PRIu64, waits));
}

struct str
loop_state_with_prompted(struct arena *a, const struct loop_state *s, enum loop_prompted p)
{
	return set_key(a, s->doc.text, "prompted", loop_prompted_text(p));
}

struct str
loop_state_with_owner(struct arena *a, const struct loop_state *s, struct str session_id)
{
	struct str value = session_id.n > 0 ? yaml_quote(a, session_id) : STR("null");

	return set_key(a, s->doc.text, "session_id", value);
}

struct str
loop_state_with_active(struct arena *a, const struct loop_state *s, bool is_active)
{
	struct str text = set_key(a, s->doc.text, "active", is_active ? STR("true") : STR("false"));

	return is_active && s->has_halted_status ? set_key(a, text, "status", STR("RUNNING")) : text;
}

struct str
loop_state_new(struct arena *a, const struct loop_spec *spec)
{
	struct buf out = BUF(a, SIZE_MAX);

	buf_add(&out, str_from(head));
	buf_add(&out, STR("# false: the loop is paused, and every stop is allowed.\n"
			  "active: true\n"
			  "# The iteration in progress.\n"
			  "iteration: 1\n"));
	if (spec->session_id.n > 0) {
		buf_add(&out, STR("# The session that owns the loop; it holds back no other session.\n"
				  "session_id: "));
		buf_add(&out, yaml_quote(a, spec->session_id));
		buf_addc(&out, '\n');
	}
	buf_addf(&out, "# Iterations in all; 0: no limit.\nmax_iterations: %" PRIu64 "\n",
		 spec->max_iterations);
	buf_add(&out, STR("# The loop ends when an answer has this text between <promise> and </promise>; "
			  "null: never.\n"
			  "completion_promise: "));
	buf_add(&out, spec->promise.s ? yaml_quote(a, spec->promise) : STR("null"));
	buf_addf(&out,
		 "\n# strict: at the end of the answer, as a sentence of its own; without this line: "
		 "anywhere.\n"
		 "promise_match: strict\nstarted_at: \"" STR_FMT "\"\n",
		 STR_ARG(spec->started_at));
	buf_add(&out, spec->options);
	buf_add(&out, STR("---\n\n"));
	buf_add(&out, spec->prompt);
	buf_addc(&out, '\n');
	return buf_str(&out);
}

#define PROMISE_SAID_BYTES KIB(4)

const struct loop_outcome *
loop_promised(struct arena *a, const struct loop_state *s, struct str message)
{
	const struct loop_options *o = &s->options;

	for (size_t i = 0; i < o->outcome_count; i++)
		if (promise_is_kept(message, o->outcomes[i].promise, s->is_strict))
			return &o->outcomes[i];
	if (o->outcome_count > 0 || !s->promise.s || !promise_is_kept(message, s->promise, s->is_strict))
		return NULL;
	struct loop_outcome *only = arena_new(a, struct loop_outcome);

	*only = (struct loop_outcome){ s->promise, .is_done = true };
	return only;
}

/* The rule for several promises. */
static struct str
outcomes_rule(struct arena *a, const struct loop_options *o)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_add(&b,
		STR("When one of these is completely true, and only then, end your answer with exactly its "
		    "line:\n"));
	for (size_t i = 0; i < o->outcome_count; i++)
		buf_addf(&b, "<promise>" STR_FMT "</promise> if %s\n", STR_ARG(o->outcomes[i].promise),
			 o->outcomes[i].is_done ? "the work is done"
						: "you can't go on; say before it what is missing");
	buf_add(&b, STR("Do not use them to get out of the loop: the same prompt is repeated until then."));
	return buf_str(&b);
}

struct str
loop_promise_rule(struct arena *a, struct str promise, const struct loop_options *o)
{
	if (o->outcome_count > 0)
		return outcomes_rule(a, o);
	if (!promise.s)
		return STR_NONE;
	return str_fmt(
		a,
		"When, and only when, it is completely true, end your answer with exactly this line:\n"
		"<promise>" STR_FMT "</promise>\n"
		"Do not write that line before, and do not use it to get out of the loop: the same prompt "
		"is repeated until the work is done.",
		STR_ARG(promise));
}

/* Does the model know how to end the loop, or can it not be told? Nobody says a promise of several pages. */
static bool
is_rule_in(const struct loop_state *s, struct str prompt)
{
	const struct loop_options *o = &s->options;

	for (size_t i = 0; i < o->outcome_count; i++)
		if (!promise_is_kept(prompt, o->outcomes[i].promise, false))
			return false;
	return o->outcome_count > 0 || !s->promise.s || s->promise.n > PROMISE_SAID_BYTES ||
	       promise_is_kept(prompt, s->promise, false);
}

/* The first prompt that the hook sends, and each of these later ones, is the whole one. */
#define FULL_EACH 10

bool
loop_is_full(const struct loop_options *o, uint64_t iteration)
{
	return !o->is_brief || iteration == 2 || iteration % FULL_EACH == 0;
}

struct str
loop_instruction(struct arena *a, const struct loop_state *s, struct str notes, struct str brief)
{
	struct str prompt = brief.s ? brief : s->prompt;
	bool has_rule = !is_rule_in(s, prompt);

	if (!has_rule && notes.n == 0)
		return prompt;
	struct str parts[4] = { notes, prompt };

	if (has_rule) {
		parts[2] = STR("\n\n");
		parts[3] = loop_promise_rule(a, s->promise, &s->options);
	}
	/* Not by a buffer that grows: a prompt may be long. */
	char *text = arena_bytes(a, parts[0].n + parts[1].n + parts[2].n + parts[3].n);
	size_t n = 0;

	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		if (parts[i].n > 0)
			memcpy(text + n, parts[i].s, parts[i].n);
		n += parts[i].n;
	}
	return (struct str){ text, n };
}
