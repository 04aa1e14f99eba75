/* SPDX-License-Identifier: MIT */
/* Composes the command line of a reviewer from its row and the configuration, and reads from its output whether it
 * refused and what it cost. Pure: neither finds a program nor starts one. Every reviewer runs with a variable that
 * keeps its own hooks from starting another review. */
#include "client/reviewer.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "client/client.h"
#include "doc/json.h"

#include <inttypes.h>
#include <string.h>

/* ---- the rows of model/reviewer.def ---- */

enum thinking_way {
	THINKING_FIXED,  /* it has no option for that */
	THINKING_TOKENS, /* MAX_THINKING_TOKENS=N */
	THINKING_EFFORT, /* -c model_reasoning_effort="WORD" */
};

struct reviewer_row {
	const char *name, *program;
	/* Each list ends with NULL. */
	const char *const *first, *const *with_tools, *const *without_tools, *const *further;
	const char *model_option;
	enum thinking_way thinking;
	const char *const *last, *const *probe;
	int64_t probe_s;
	const char *const *limits, *const *logins;
};

/* Stands for the project's directory among words. */
#define PROJECT "{project}"

#define NO_WORDS ((const char *const[]){ NULL })
#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct reviewer_row rows[] = {
#define REVIEWER(...) { __VA_ARGS__ },
#include "model/reviewer.def"
#undef REVIEWER
};

static const struct reviewer_row *
reviewer_row(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (str_is(name, rows[i].name))
			return &rows[i];
	return NULL;
}

static const struct reviewer_config *
own_command(const struct gates_config *c, struct str name)
{
	const struct reviewer_config *own = gates_config_reviewer(c, name);

	return own && own->command.count > 0 ? own : NULL;
}

static struct reviewer
own_reviewer(const struct reviewer_config *own)
{
	return (struct reviewer){ .name = own->name,
				  .program = own->command.items[0],
				  .way = str_is(own->prompt, "arg") ? PROMPT_ARGUMENT : PROMPT_STDIN };
}

struct reviewer_list
reviewers(struct arena *a, const struct gates_config *c)
{
	struct reviewer_list l = { arena_array(a, COUNT_OF(rows) + c->reviewer_count, struct reviewer), 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct reviewer_config *own = own_command(c, str_from(rows[i].name));

		l.items[l.count++] = own ? own_reviewer(own)
					 : (struct reviewer){ .name = str_from(rows[i].name),
							      .program = str_from(rows[i].program),
							      .way = PROMPT_STDIN,
							      .is_built_in = true };
	}
	for (size_t i = 0; i < c->reviewer_count; i++) {
		const struct reviewer_config *own = &c->reviewers[i];

		if (own->command.count > 0 && !reviewer_find(&l, own->name))
			l.items[l.count++] = own_reviewer(own);
	}
	return l;
}

const struct reviewer *
reviewer_find(const struct reviewer_list *l, struct str name)
{
	for (size_t i = 0; i < l->count; i++)
		if (str_eq(l->items[i].name, name))
			return &l->items[i];
	return NULL;
}

/* ---- words ---- */

struct words {
	struct arena *arena;
	const char **items; /* NULL-terminated, once there is one */
	size_t count, capacity;
};

static void
add_word(struct words *w, const char *z)
{
	arena_make_room(w->arena, w->items, w->count, &w->capacity);
	w->items[w->count++] = z;
	arena_make_room(w->arena, w->items, w->count, &w->capacity);
}

static const char *
argument(struct arena *a, struct str x)
{
	char *z = arena_bytes(a, x.n + 1);

	for (size_t i = 0; i < x.n; i++)
		z[i] = x.s[i] ? x.s[i] : ' ';
	z[x.n] = '\0';
	return z;
}

static void
add_words(struct words *w, const char *const *list, struct str project)
{
	for (; *list; list++)
		add_word(w, str_is(str_from(*list), PROJECT) ? argument(w->arena, project) : *list);
}

/* ---- calls ---- */

static const char *
thinking_tokens(struct arena *a, struct str budget)
{
	static const struct {
		const char *word, *tokens;
	} levels[] = { { "off", "0" }, { "low", "8000" }, { "medium", "16000" }, { "high", "31999" } };

	for (size_t i = 0; i < COUNT_OF(levels); i++)
		if (str_is(budget, levels[i].word))
			budget = str_from(levels[i].tokens);
	return argument(a, str_fmt(a, "MAX_THINKING_TOKENS=" STR_FMT, STR_ARG(budget)));
}

static void
add_row(struct words *w, const struct reviewer_row *row, const struct gates_config *c,
	const struct review_gate *gate)
{
	const struct reviewer_config *own = gates_config_reviewer(c, str_from(row->name));
	struct str model = gate && gate->model.n > 0 ? gate->model : own ? own->model : STR_NONE;
	bool has_tools = !own || own->allows_tool_use != 0;

	add_words(w, row->first, c->root);
	add_words(w, has_tools ? row->with_tools : row->without_tools, c->root);
	add_words(w, row->further, c->root);
	if (model.n > 0 && row->model_option) {
		add_word(w, row->model_option);
		add_word(w, argument(w->arena, model));
	}
	if (row->thinking == THINKING_EFFORT && own && own->thinking_budget.n > 0) {
		struct str level = str_is(own->thinking_budget, "off") ? STR("low") : own->thinking_budget;

		add_word(w, "-c");
		add_word(w, argument(w->arena, str_fmt(w->arena, "model_reasoning_effort=\"" STR_FMT "\"",
						       STR_ARG(level))));
	}
	add_words(w, row->last, c->root);
}

/* A relative path with a slash in it is relative to the project's directory. */
static const char *
program_of(struct arena *a, const struct reviewer *r, const struct gates_config *c)
{
	if (r->program.n == 0 || r->program.s[0] == '/' || str_find_char(r->program, '/') < 0)
		return argument(a, r->program);
	return argument(a, str_fmt(a, STR_FMT "/" STR_FMT, STR_ARG(c->root), STR_ARG(r->program)));
}

static struct reviewer_call
call_of(struct arena *a, const struct reviewer *r, const struct gates_config *c,
	const struct review_gate *gate, struct str prompt, bool is_probe)
{
	const struct reviewer_row *row = r->is_built_in ? reviewer_row(r->name) : NULL;
	const struct reviewer_config *own = gates_config_reviewer(c, r->name);
	struct words argv = { .arena = a }, env = { .arena = a };

	add_word(&argv, program_of(a, r, c));
	if (row && is_probe)
		add_words(&argv, row->probe, c->root);
	else if (row)
		add_row(&argv, row, c, gate);
	for (size_t i = 1; !row && own && i < own->command.count; i++)
		add_word(&argv, argument(a, own->command.items[i]));
	if (r->way == PROMPT_ARGUMENT)
		add_word(&argv, argument(a, prompt));
	add_word(&env, "GAUNTLET_STOP_HOOK_ACTIVE=1");
	if (row && own && row->thinking == THINKING_TOKENS && own->thinking_budget.n > 0)
		add_word(&env, thinking_tokens(a, own->thinking_budget));
	return (struct reviewer_call){ .argv = argv.items,
				       .input = r->way == PROMPT_ARGUMENT ? STR_NONE : prompt,
				       .env = env.items,
				       .unset = client_session_vars(a),
				       .timeout_ms = is_probe ? (row ? row->probe_s : 30) * 1000 : 0 };
}

struct reviewer_call
reviewer_call(struct arena *a, const struct reviewer *r, const struct gates_config *c,
	      const struct review_gate *gate, struct str prompt)
{
	return call_of(a, r, c, gate, prompt, false);
}

struct reviewer_call
reviewer_probe(struct arena *a, const struct reviewer *r, const struct gates_config *c)
{
	return call_of(a, r, c, NULL, r->way == PROMPT_ARGUMENT ? STR("hello") : STR("hello\n"), true);
}

/* ---- outputs ---- */

/* How much of the end of an output is searched, and how many of its lines for JSON. */
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
mentions(struct str text, const char *const *phrases)
{
	for (; *phrases; phrases++)
		for (size_t i = 0, n = strlen(*phrases); i + n <= text.n; i++)
			if (str_is_word(str_sub(text, i, i + n), *phrases))
				return true;
	return false;
}

enum reviewer_refusal
reviewer_refusal(const struct reviewer *r, int exit_code, struct str out, struct str err)
{
	const struct reviewer_row *row = reviewer_row(r->name);
	struct str out_end = utf8_tail(str_trim(out), END_BYTES);
	struct str err_end = utf8_tail(str_trim(err), END_BYTES);
	const struct {
		enum reviewer_refusal refusal;
		const char *const *phrases;
	} all[] = {
		{ REFUSAL_USAGE_LIMIT, common_limits },
		{ REFUSAL_USAGE_LIMIT, row ? row->limits : NO_WORDS },
		{ REFUSAL_NOT_LOGGED_IN, common_logins },
		{ REFUSAL_NOT_LOGGED_IN, row ? row->logins : NO_WORDS },
	};

	/* A tool that exits with 0 reports on stdout, unless that is empty. */
	if (exit_code == 0 && out_end.n > 0)
		err_end = STR("");
	for (size_t i = 0; i < COUNT_OF(all); i++)
		if (mentions(out_end, all[i].phrases) || mentions(err_end, all[i].phrases))
			return all[i].refusal;
	return REFUSAL_NONE;
}

/* ---- cost ---- */

struct usage {
	int64_t in, out, total; /* tokens; 0: unknown */
	struct str cost;        /* in dollars, as written; absent: unknown */
};

static int64_t
count_in(const struct node *map, const char *key)
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

		u->in += count_in(tokens, "prompt");
		u->out += count_in(tokens, "candidates");
	}
}

static struct usage
usage_of(const struct node *n)
{
	const struct node *usage = node_get(n, "usage"), *cost = node_get(n, "total_cost_usd");
	struct usage u = { .in = count_in(usage, "input_tokens"), .out = count_in(usage, "output_tokens") };

	/* Claude counts cached input separately, Codex does not. */
	u.in += count_in(usage, "cache_read_input_tokens") + count_in(usage, "cache_creation_input_tokens");
	add_models(&u, node_get(node_get(n, "stats"), "models"));
	if (cost && (cost->kind == NODE_INT || cost->kind == NODE_FLOAT))
		u.cost = cost->text;
	return u;
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
	return ret->in > 0 || ret->out > 0 || ret->cost.s;
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
format_usage(struct arena *a, const struct usage *u)
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
		return format_usage(a, &u);
	return premium.s ? str_copy(a, utf8_clean(a, premium)) : STR_NONE;
}
