/* SPDX-License-Identifier: MIT */
/* What a reviewer's output says beside a review: that it can't, and what it has cost. Pure. */
#include "client/reviewer.h"

#include "client/reviewer_row.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/utf8.h"
#include "doc/json.h"

#include <inttypes.h>
#include <string.h>

/* How much of the end of an output is looked at, and how many lines of it for JSON. */
#define END_BYTES KIB(2)
#define JSON_LINES 20
#define USAGE_BYTES 200

static const char *const common_limits[] = {
	"usage limit",
	"quota exceeded",
	"quota will reset",
	"credit balance is too low",
	"out of extra usage",
	"out of usage",
	NULL,
};
static const char *const common_logins[] = {
	"not logged in",
	"invalid api key",
	"authentication_error",
	"401 unauthorized",
	"authentication required",
	"please log in",
	NULL,
};

static bool
has_phrase(struct str text, const char *phrase)
{
	size_t n = strlen(phrase);

	for (size_t i = 0; i + n <= text.n; i++)
		if (str_is_word(str_sub(text, i, i + n), phrase))
			return true;
	return false;
}

static bool
has_any(struct str text, const char *const *phrases)
{
	for (; *phrases; phrases++)
		if (has_phrase(text, *phrases))
			return true;
	return false;
}

static bool
says(struct str out, struct str err, const char *const *common, const char *const *own)
{
	return has_any(out, common) || has_any(err, common) ||
	       (own && (has_any(out, own) || has_any(err, own)));
}

enum reviewer_trouble
reviewer_trouble(const struct reviewer *r, int exit_code, struct str out, struct str err)
{
	const struct reviewer_row *row = reviewer_row(r->name);
	struct str out_end = utf8_tail(str_trim(out), END_BYTES);
	struct str err_end = utf8_tail(str_trim(err), END_BYTES);

	/* A tool that ends well has said what it has to say on its output, unless there is none. */
	if (exit_code == 0 && out_end.n > 0)
		err_end = STR("");
	if (says(out_end, err_end, common_limits, row ? row->limits : NULL))
		return REVIEWER_USAGE_LIMIT;
	if (says(out_end, err_end, common_logins, row ? row->logins : NULL))
		return REVIEWER_NOT_LOGGED_IN;
	return REVIEWER_FINE;
}

/* ---- what it has cost ---- */

struct usage {
	int64_t in, out, total; /* tokens; 0: not told */
	struct str cost;        /* in dollars, as written; absent: not told */
};

static int64_t
whole(const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_INT && n->integer > 0 && n->integer < INT64_MAX / 1024 ? n->integer : 0;
}

/* Gemini: stats.models.NAME.tokens */
static void
add_models(struct usage *u, const struct node *models)
{
	for (size_t i = 0; models && models->kind == NODE_MAP && i < models->count && i < 100; i++) {
		const struct node *tokens = node_get(&models->entries[i].value, "tokens");

		u->in += whole(tokens, "prompt");
		u->out += whole(tokens, "candidates");
	}
}

static struct usage
usage_of(const struct node *n)
{
	const struct node *usage = node_get(n, "usage"), *cost = node_get(n, "total_cost_usd");
	struct usage u = { .in = whole(usage, "input_tokens"), .out = whole(usage, "output_tokens") };

	/* Claude counts what it has in its cache apart, Codex does not. */
	u.in += whole(usage, "cache_read_input_tokens") + whole(usage, "cache_creation_input_tokens");
	add_models(&u, node_get(node_get(n, "stats"), "models"));
	if (cost && (cost->kind == NODE_INT || cost->kind == NODE_FLOAT))
		u.cost = cost->text;
	return u;
}

static bool
is_told(const struct usage *u)
{
	return u->in > 0 || u->out > 0 || u->total > 0 || u->cost.s;
}

static bool
read_json(struct arena *a, struct str text, struct usage *ret)
{
	struct node n;
	struct err ignored;

	text = str_trim(text);
	if (text.n == 0 || text.s[0] != '{' || json_parse(a, text, &n, &ignored) < 0)
		return false;
	*ret = usage_of(&n);
	return is_told(ret);
}

static bool
read_json_lines(struct arena *a, struct str out, struct usage *ret)
{
	size_t end = out.n;

	for (int i = 0; i < JSON_LINES && end > 0; i++) {
		size_t begin = end;

		while (begin > 0 && out.s[begin - 1] != '\n')
			begin--;
		if (read_json(a, str_sub(out, begin, end), ret))
			return true;
		end = begin > 0 ? begin - 1 : 0;
	}
	return false;
}

/* Codex ends with `tokens used` and a number, on the same line or the next: 12,345. */
static bool
read_tokens_used(struct str err, struct usage *ret)
{
	char digits[20];
	size_t count = 0;
	struct str end = utf8_tail(err, END_BYTES), last = STR_NONE;
	uint64_t number;

	for (ptrdiff_t at; (at = str_find(end, STR("tokens used"))) >= 0;)
		last = end = str_sub(end, (size_t)at + 11, end.n);
	last = str_trim(str_sub(last, last.n > 0 && last.s[0] == ':', last.n));
	for (size_t i = 0; i < last.n && count < sizeof(digits); i++) {
		if (last.s[i] >= '0' && last.s[i] <= '9')
			digits[count++] = last.s[i];
		else if (last.s[i] != ',' && last.s[i] != '.')
			break;
	}
	if (!number_parse((struct str){ digits, count }, &number) || number == 0 || number > INT64_MAX / 1024)
		return false;
	*ret = (struct usage){ .total = (int64_t)number };
	return true;
}

/* Copilot: `Total usage est:  1 Premium request`, as it is. */
static struct str
premium_line(struct str err)
{
	struct str end = utf8_tail(err, END_BYTES), line;

	while (str_next(&end, '\n', &line))
		if (str_starts(str_trim(line), STR("Total usage est")))
			return utf8_head(str_trim(line), USAGE_BYTES);
	return STR_NONE;
}

static struct str
told(struct arena *a, const struct usage *u)
{
	struct buf b = BUF(a, USAGE_BYTES);

	if (u->in > 0 || u->out > 0)
		buf_addf(&b, "%" PRId64 " tokens in, %" PRId64 " tokens out", u->in, u->out);
	else if (u->total > 0)
		buf_addf(&b, "%" PRId64 " tokens", u->total);
	if (u->cost.s)
		buf_addf(&b, "%s$" STR_FMT, b.n > 0 ? ", " : "", STR_ARG(u->cost));
	return buf_str(&b);
}

struct str
reviewer_usage(struct arena *a, struct str out, struct str err)
{
	struct str premium = premium_line(err);
	struct usage u = { 0 };

	if (read_json(a, out, &u) || read_json_lines(a, out, &u) || read_tokens_used(err, &u))
		return told(a, &u);
	return premium.s ? str_copy(a, utf8_clean(a, premium)) : STR_NONE;
}
