/* SPDX-License-Identifier: MIT */
/* Composes the command line of a reviewer from its row and the configuration, and reads from its output whether it
 * refused and what it cost. Pure: neither finds a program nor starts one. Every reviewer runs with a variable that
 * keeps its own hooks from starting another review. */
#include "client/reviewer.h"

#include "client/client.h"
#include "doc/json.h"

/* ---- the rows of model/reviewer.def ---- */

enum thinking_way {
	THINKING_FIXED,  /* it has no option for that */
	THINKING_TOKENS, /* MAX_THINKING_TOKENS=N */
	THINKING_EFFORT, /* -c model_reasoning_effort="WORD" */
};

/* The row of a known_reviewer has the same index. */
struct reviewer_row {
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
#define REVIEWER(name, program, ...) { __VA_ARGS__ },
#include "model/reviewer.def"
};

static const struct reviewer_row *
reviewer_row(struct str name)
{
	const struct known_reviewer *known = known_reviewer(name);

	return known ? &rows[known - known_reviewers] : NULL;
}

struct reviewer_list
reviewers(struct arena *a, const struct gates_config *c)
{
	struct reviewer_list l = { arena_array(a, COUNT_OF(rows) + c->reviewer_count, struct reviewer), 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		l.items[l.count++] = (struct reviewer){ .name = str_from(known_reviewers[i].name),
							.program = str_from(known_reviewers[i].program),
							.is_built_in = true };
	for_each (own, c->reviewers, c->reviewer_count) {
		size_t at = 0;

		if (own->command.count == 0)
			continue;
		while (at < l.count && !str_eq(l.items[at].name, own->name))
			at++;
		l.count += at == l.count;
		l.items[at] = (struct reviewer){ .name = own->name,
						 .program = own->command.items[0],
						 .takes_argument = str_is(own->prompt, "arg") };
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
	const char **items;
	size_t count;
};

static void
add_word(struct words *w, const char *z)
{
	*arena_push(w->arena, w->items, w->count) = z;
}

static const char *
argument(struct arena *a, struct str x)
{
	return str_copy(a, str_replace(a, x, STR("\0"), STR(" "))).s;
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
	return argument(a, str_cat(a, "MAX_THINKING_TOKENS=", budget));
}

void
reviewer_call(struct arena *a, const struct reviewer *r, const struct gates_config *c,
	      const struct gate *gate, struct str prompt, struct proc_spec *ret)
{
	const struct reviewer_row *row = r->is_built_in ? reviewer_row(r->name) : NULL;
	const struct reviewer_config *own = gates_config_reviewer(c, r->name);
	struct words argv = { .arena = a }, env = { .arena = a };
	bool is_probe = !prompt.s;

	if (is_probe)
		prompt = r->takes_argument ? STR("hello") : STR("hello\n");
	/* A relative path with a slash in it is relative to the project's directory. */
	add_word(&argv, argument(a, str_find_char(r->program, '/') < 0 ? r->program
								       : path_from(a, c->root, r->program)));
	for (size_t i = 1; !row && own && i < own->command.count; i++)
		add_word(&argv, argument(a, own->command.items[i]));
	if (row && is_probe) {
		add_words(&argv, row->probe, c->root);
	} else if (row) {
		struct str model = gate && gate->model.n > 0 ? gate->model : own ? own->model : STR_NONE;
		bool has_tools = !own || own->allows_tool_use != 0;

		add_words(&argv, row->first, c->root);
		add_words(&argv, has_tools ? row->with_tools : row->without_tools, c->root);
		add_words(&argv, row->further, c->root);
		if (model.n > 0 && row->model_option) {
			add_word(&argv, row->model_option);
			add_word(&argv, argument(a, model));
		}
		if (row->thinking == THINKING_EFFORT && own && own->thinking_budget.n > 0) {
			bool is_off = str_is(own->thinking_budget, "off");
			struct str level = is_off ? STR("low") : own->thinking_budget;

			add_word(&argv, "-c");
			add_word(&argv, argument(a, str_cat(a, "model_reasoning_effort=\"", level, "\"")));
		}
		add_words(&argv, row->last, c->root);
	}
	if (r->takes_argument)
		add_word(&argv, argument(a, prompt));
	add_word(&env, "GAUNTLET_STOP_HOOK_ACTIVE=1");
	if (row && own && row->thinking == THINKING_TOKENS && own->thinking_budget.n > 0)
		add_word(&env, thinking_tokens(a, own->thinking_budget));
	add_word(&argv, NULL);
	add_word(&env, NULL);
	ret->argv = argv.items;
	ret->env = env.items;
	ret->unset = client_session_vars(a);
	ret->input = r->takes_argument ? STR_NONE : prompt;
	if (str_cz(a, c->root, &ret->dir, IGNORED) < 0)
		ret->dir = NULL;
	if (is_probe)
		ret->timeout_ms = (row ? row->probe_s : 30) * 1000;
}

/* ---- outputs ---- */

/* How much of the end of an output is searched, and how many of its lines for JSON. */
#define END_BYTES KIB(2)
#define JSON_LINES 20
#define USAGE_BYTES 200
#define TOKENS_MAX (INT64_MAX / 1024 - 1)

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
		if (str_mentions(text, *phrases))
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

/* What an object of JSON says of tokens and cost; absent: nothing, or the text is none. */
static struct str
usage_in_json(struct arena *a, struct str text)
{
	struct buf b = BUF(a, USAGE_BYTES);
	struct node n;

	text = str_trim(text);
	if (!str_starts(text, STR("{")) || json_parse(a, text, &n, IGNORED) < 0)
		return STR_NONE;
	const struct node *usage = node_get(&n, "usage"), *cost = node_get(&n, "total_cost_usd");
	const struct node *models = node_get(node_get(&n, "stats"), "models"); /* Gemini: NAME.tokens */

	/* Claude counts cached input separately, Codex does not. */
	int64_t in = node_get_count(usage, "input_tokens", TOKENS_MAX) +
		     node_get_count(usage, "cache_read_input_tokens", TOKENS_MAX) +
		     node_get_count(usage, "cache_creation_input_tokens", TOKENS_MAX);
	int64_t out = node_get_count(usage, "output_tokens", TOKENS_MAX);

	for (size_t i = 0; models && models->kind == NODE_MAP && i < models->count && i < 100; i++) {
		const struct node *tokens = node_get(&models->entries[i].value, "tokens");

		in += node_get_count(tokens, "prompt", TOKENS_MAX);
		out += node_get_count(tokens, "candidates", TOKENS_MAX);
	}
	if (in > 0 || out > 0)
		buf_cat(&b, in, " tokens in, ", out, " tokens out");
	if (cost && (cost->kind == NODE_INT || cost->kind == NODE_FLOAT))
		buf_cat(&b, b.n > 0 ? ", $" : "$", cost->text);
	return b.n > 0 ? buf_str(&b) : STR_NONE;
}

/* Codex ends with `tokens used` and a number, on the same line or the next: 12,345. */
static struct str
tokens_used(struct arena *a, struct str err)
{
	struct str end = utf8_tail(err, END_BYTES), last = STR_NONE;
	uint64_t number;

	for (ptrdiff_t at; (at = str_find(end, STR("tokens used"))) >= 0;)
		last = end = str_rest(end, (size_t)at + 11);
	last = str_trim(str_rest(last, last.n > 0 && last.s[0] == ':'));
	last = str_replace(a, str_replace(a, last, STR(","), STR("")), STR("."), STR(""));
	if (!number_parse(str_sub(last, 0, str_digits(last, 0)), &number) || number == 0 ||
	    number > TOKENS_MAX)
		return STR_NONE;
	return str_cat(a, number, " tokens");
}

struct str
reviewer_usage(struct arena *a, struct str out, struct str err)
{
	struct str end = utf8_tail(err, END_BYTES), line, usage = usage_in_json(a, out);

	/* The last line that is such an object. */
	for (int i = 0; i < JSON_LINES && !usage.s && out.n > 0; i++) {
		size_t begin = (size_t)(str_find_last(out, '\n') + 1);

		usage = usage_in_json(a, str_rest(out, begin));
		out = str_sub(out, 0, begin > 0 ? begin - 1 : 0);
	}
	if (!usage.s)
		usage = tokens_used(a, err);
	/* Copilot: `Total usage est:  1 Premium request`, as it is. */
	while (!usage.s && str_next(&end, '\n', &line))
		if (str_starts(str_trim(line), STR("Total usage est")))
			usage = str_copy(a, utf8_clean(a, utf8_head(str_trim(line), USAGE_BYTES)));
	return usage;
}
