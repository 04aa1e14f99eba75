/* SPDX-License-Identifier: MIT */
/* Reads and writes the text of a loop's state file. Pure: loop.c opens the file. */
#include "loop/state.h"

#include "doc/yaml_out.h"
#include "os/clock.h"

/* The template that the plugin ships has the same text: a test compares them. */
static const char head[] =
	"---\n"
	"# A Ralph loop. holdfast reads this file at every stop of the session that owns it.\n"
	"# Delete it, or run `holdfast ralph cancel`, to end the loop.\n";

static bool
is_false(struct str x)
{
	return str_is_word_of(x, "false False FALSE no off");
}

/* The blank line that separates the prompt from the front matter and the file's last newline are not part of it. */
static struct str
prompt_of(struct str body)
{
	if (!str_skip(&body, "\r\n"))
		(void)str_skip(&body, "\n");
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
	const struct {
		const char *key;
		struct str *text; /* absent if the value is null; NULL: it is a number */
		uint64_t *number;
	} rows[] = {
		{ "iteration", NULL, &s->iteration },
		{ "max_iterations", NULL, &s->max_iterations },
		{ "waits", NULL, &s->waits },
		{ "completion_promise", &s->promise, NULL },
		{ "session_id", &s->session_id, NULL },
		{ "started_at", &s->started_at, NULL },
		{ "active", &active, NULL },
		{ "status", &status, NULL },
		{ "promise_match", &match, NULL },
		{ "wait_for_background", &wait, NULL },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const char *key = rows[i].key;
		struct frontmatter_value v;
		bool is_twice = false;

		if (frontmatter_get(a, &s->doc, key, &v, &is_twice, err) < 0) {
			struct str raw = frontmatter_raw(&s->doc, key);

			/* The Ralph plugin puts quotes around a promise without escaping it, and strips them again: YAML
			 * may refuse that text. */
			if (rows[i].text != &s->promise || raw.n < 3 || raw.s[0] != '"' ||
			    raw.s[raw.n - 1] != '"')
				return -1;
			s->promise = str_sub(raw, 1, raw.n - 1);
			continue;
		}
		if (is_twice && !s->duplicate_key.s)
			s->duplicate_key = str_from(key);
		if (v.is_there && rows[i].text)
			*rows[i].text = v.is_null ? STR_NONE : v.value;
		else if (v.is_there && (v.is_null || !number_parse(str_trim(v.value), rows[i].number) ||
					*rows[i].number > LOOP_NUMBER_MAX))
			return err_at(err, ERR_VALUE, v.line, 1,
				      "%s: expected a number from 0 to %d, not '" STR_FMT "'", key,
				      LOOP_NUMBER_MAX, STR_ARG(v.value));
	}
	if (str_trim(s->promise).n == 0)
		s->promise = STR_NONE;
	if (s->session_id.n == 0)
		s->session_id = STR_NONE;
	if (!clock_parse(s->started_at, &s->started_us))
		s->started_us = 0;
	s->has_halted_status = str_is_word_of(status, "PAUSED paused CANCELLED cancelled");
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
	if (s.promise.s && !s.options.has_own_promises)
		*arena_push(a, s.options.outcomes,
			    s.options.outcome_count) = (struct loop_outcome){ s.promise, .is_done = true };
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

	/* Can't fail: the text was parsed before, and only frontmatter_set() changed it. */
	if (frontmatter_parse(text, &f, IGNORED) < 0)
		return text;
	return frontmatter_set(a, &f, key, value);
}

struct str
loop_text_with(struct arena *a, struct str text, const struct loop_edits *edits)
{
	for (size_t i = 0; i < edits->count; i++)
		text = set_key(a, text, edits->items[i].key, edits->items[i].value);
	return text;
}

struct str
loop_state_with_iteration(struct arena *a, const struct loop_state *s, uint64_t iteration,
			  struct str session_id, const struct loop_edits *more)
{
	struct str text = set_key(a, s->doc.text, "iteration", str_cat(a, iteration));

	if (s->waits > 0)
		text = set_key(a, text, "waits", STR("0"));
	text = loop_text_with(a, text, more);
	return session_id.s ? set_key(a, text, "session_id", yaml_quote(a, session_id)) : text;
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
	struct str session = STR("");

	if (spec->session_id.n > 0)
		session = str_cat(a, "# The session that owns the loop; it holds back no other session.\n",
				  "session_id: ", yaml_quote(a, spec->session_id), "\n");
	return str_cat(a, head,
		       "# false: the loop is paused, and every stop is allowed.\n"
		       "active: true\n"
		       "# The iteration in progress.\n"
		       "iteration: 1\n",
		       session,
		       "# Iterations in all; 0: no limit.\n"
		       "max_iterations: ",
		       spec->max_iterations,
		       "\n# The loop ends when an answer has this text between <promise> and </promise>; "
		       "null: never.\n"
		       "completion_promise: ",
		       spec->promise.s ? yaml_quote(a, spec->promise) : STR("null"),
		       "\n# strict: at the end of the answer, as a sentence of its own; without this line: "
		       "anywhere.\n"
		       "promise_match: strict\n"
		       "started_at: \"",
		       spec->started_at, "\"\n", spec->options, "---\n\n", spec->prompt, "\n");
}

#define PROMISE_SAID_BYTES KIB(4)

const struct loop_outcome *
loop_promised(const struct loop_state *s, struct str message)
{
	const struct loop_options *o = &s->options;

	for (size_t i = 0; i < o->outcome_count; i++)
		if (promise_is_kept(message, o->outcomes[i].promise, s->is_strict))
			return &o->outcomes[i];
	return NULL;
}

struct str
loop_promises(struct arena *a, const struct loop_options *o, const char *between)
{
	struct str all = o->outcome_count > 0 ? o->outcomes[0].promise : STR_NONE;

	for (size_t i = 1; i < o->outcome_count; i++)
		all = str_cat(a, all, between, o->outcomes[i].promise);
	return all;
}

struct str
loop_promise_rule(struct arena *a, const struct loop_options *o)
{
	struct buf b = BUF(a, SIZE_MAX);

	if (o->outcome_count == 0)
		return STR_NONE;
	if (!o->has_own_promises)
		return str_cat(a,
			       "When, and only when, it is completely true, end your answer with exactly "
			       "this line:\n<promise>",
			       o->outcomes[0].promise,
			       "</promise>\nDo not write that line before, and do not use it to get out of "
			       "the loop: the same prompt is repeated until the work is done.");
	buf_cat(&b, "When one of these is completely true, and only then, end your answer with exactly its "
		    "line:\n");
	for (size_t i = 0; i < o->outcome_count; i++)
		buf_cat(&b, "<promise>", o->outcomes[i].promise, "</promise> if ",
			o->outcomes[i].is_done ? "the work is done"
					       : "you can't go on; say before it what is missing",
			"\n");
	buf_cat(&b, "Do not use them to get out of the loop: the same prompt is repeated until then.");
	return buf_str(&b);
}

/* Does the model know how to end the loop, or can it not be told? Nobody says a promise of several pages. */
static bool
is_rule_in(const struct loop_options *o, struct str prompt)
{
	for (size_t i = 0; i < o->outcome_count; i++) {
		struct str promise = o->outcomes[i].promise;
		bool can_be_said = o->has_own_promises || promise.n <= PROMISE_SAID_BYTES;

		if (can_be_said && !promise_is_kept(prompt, promise, false))
			return false;
	}
	return true;
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

	if (is_rule_in(&s->options, prompt))
		return notes.n > 0 ? str_cat(a, notes, prompt) : prompt;
	return str_cat(a, notes, prompt, "\n\n", loop_promise_rule(a, &s->options));
}
