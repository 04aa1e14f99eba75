/* SPDX-License-Identifier: MIT */
/* Reads and writes the text of a loop's state file. Pure: files are loop.c's matter. */
#include "loop/state.h"

#include "base/buf.h"
#include "base/number.h"

#include <inttypes.h>

/* The template that the plugin ships is this text too: a test compares them. */
static const char head[] =
	"---\n"
	"# A Ralph loop. holdfast reads this file at every stop of the session that owns it.\n"
	"# Delete it, or run `holdfast ralph cancel`, to end the loop.\n";

/* Keeps in mind a key that stands twice. */
static int
get(struct arena *a, struct loop_state *s, const char *key, struct frontmatter_value *ret, struct err *err)
{
	bool is_twice = false;

	if (frontmatter_get(a, &s->doc, key, ret, &is_twice, err) < 0)
		return -1;
	if (is_twice && !s->doubled_key.s)
		s->doubled_key = str_from(key);
	return 0;
}

static int
read_number(struct arena *a, struct loop_state *s, const char *key, uint64_t *ret, struct err *err)
{
	struct frontmatter_value v;

	if (get(a, s, key, &v, err) < 0)
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

/* *ret is left alone where the key is not there, and is absent where its value is null. */
static int
read_text(struct arena *a, struct loop_state *s, const char *key, struct str *ret, struct err *err)
{
	struct frontmatter_value v;

	if (get(a, s, key, &v, err) < 0)
		return -1;
	if (v.is_there)
		*ret = v.is_null ? STR_NONE : v.value;
	return 0;
}

/* The plugin writes a promise between two quotes as it is: what YAML would refuse, it reads by taking them off. */
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
is_one_of(struct str x, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (str_is(x, words[i]))
			return true;
	return false;
}

static bool
is_false(struct str x)
{
	static const char *const words[] = { "false", "False", "FALSE", "no", "off" };

	return is_one_of(x, words, COUNT_OF(words));
}

static bool
is_halted(struct str status)
{
	static const char *const words[] = { "PAUSED", "paused", "CANCELLED", "cancelled" };

	return is_one_of(status, words, COUNT_OF(words));
}

static struct str
drop_line_end(struct str x)
{
	if (str_ends(x, STR("\n")))
		x.n--;
	if (str_ends(x, STR("\r")))
		x.n--;
	return x;
}

/* The blank line that separates the prompt from the front matter and the file's last newline are not part of it. */
static struct str
prompt_of(struct str body)
{
	if (str_starts(body, STR("\r\n")))
		body = str_sub(body, 2, body.n);
	else if (str_starts(body, STR("\n")))
		body = str_sub(body, 1, body.n);
	return str_ends(body, STR("\n")) ? drop_line_end(body) : body;
}

static int
read_values(struct arena *a, struct loop_state *s, struct err *err)
{
	struct str active = STR_NONE, status = STR_NONE, match = STR_NONE, wait = STR_NONE;

	if (read_number(a, s, "iteration", &s->iteration, err) < 0 ||
	    read_number(a, s, "max_iterations", &s->max_iterations, err) < 0 || read_promise(a, s, err) < 0 ||
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

	if (frontmatter_parse(text, &s.doc, err) < 0 || read_values(a, &s, err) < 0)
		return -1;
	s.prompt = prompt_of(s.doc.body);
	if (str_trim(s.prompt).n == 0)
		return err_set(err, ERR_VALUE, "there is no prompt behind the front matter");
	*ret = s;
	return 0;
}

static struct str
with(struct arena *a, struct str text, const char *key, struct str value)
{
	struct frontmatter f;
	struct err err;

	/* What was parsed once, and changed by frontmatter_set only, parses again. */
	if (frontmatter_parse(text, &f, &err) < 0)
		return text;
	return frontmatter_set(a, &f, key, value);
}

struct str
loop_state_with_iteration(struct arena *a, const struct loop_state *s, uint64_t iteration,
			  struct str session_id)
{
	struct str text = with(a, s->doc.text, "iteration", str_fmt(a, "%" PRIu64, iteration));

	return session_id.s ? with(a, text, "session_id", frontmatter_quote(a, session_id)) : text;
}

struct str
loop_state_with_active(struct arena *a, const struct loop_state *s, bool is_active)
{
	struct str text = with(a, s->doc.text, "active", is_active ? STR("true") : STR("false"));

	return is_active && s->has_halted_status ? with(a, text, "status", STR("RUNNING")) : text;
}

struct str
loop_state_new(struct arena *a, const struct loop_spec *spec)
{
	struct buf out = BUF(a, SIZE_MAX);

	buf_add(&out, str_from(head));
	buf_add(&out, STR("# false: the loop is paused, and every stop is allowed.\n"
			  "active: true\n"
			  "# The pass that is in progress.\n"
			  "iteration: 1\n"));
	if (spec->session_id.n > 0) {
		buf_add(&out, STR("# The session that owns the loop; no other session is held back by it.\n"
				  "session_id: "));
		buf_add(&out, frontmatter_quote(a, spec->session_id));
		buf_addc(&out, '\n');
	}
	buf_addf(&out,
		 "# How often the prompt is worked on in all; 0: without end.\nmax_iterations: %" PRIu64 "\n",
		 spec->max_iterations);
	buf_add(&out, STR("# The loop ends when an answer has this text between <promise> and </promise>; "
			  "null: never.\n"
			  "completion_promise: "));
	buf_add(&out, spec->promise.s ? frontmatter_quote(a, spec->promise) : STR("null"));
	buf_addf(&out, "\nstarted_at: \"" STR_FMT "\"\n---\n\n", STR_ARG(spec->started_at));
	buf_add(&out, spec->prompt);
	buf_addc(&out, '\n');
	return buf_str(&out);
}
