/* SPDX-License-Identifier: MIT */
/* Composes the command line of a reviewer from its row and the configuration. Pure: neither looks a program up nor
 * starts one. Every reviewer is told that it runs inside of us, so that its own hooks do not begin another review. */
#include "client/reviewer.h"

#include "client/reviewer_row.h"

#define NO_WORDS ((const char *const[]){ NULL })
#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct reviewer_row rows[] = {
#define REVIEWER(...) { __VA_ARGS__ },
#include "model/reviewer.def"
#undef REVIEWER
};

/* What clients set for what runs within one of their sessions. Settings and credentials of the same prefixes, such as
 * CLAUDE_CODE_OAUTH_TOKEN or CODEX_HOME, are the user's. */
static const char *const session_variables[] = {
	"CLAUDECODE",
	"CLAUDE_CODE_CHILD_SESSION",
	"CLAUDE_CODE_ENTRYPOINT",
	"CLAUDE_CODE_SESSION_ATTENDED",
	"CLAUDE_CODE_SESSION_ID",
	"CLAUDE_CODE_SSE_PORT",
	"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP",
	"CLAUDE_EFFORT",
	"CLAUDE_ENV_FILE",
	"CLAUDE_PID",
	"CLAUDE_PLUGIN_DATA",
	"CLAUDE_PLUGIN_ROOT",
	"CLAUDE_PROJECT_DIR",
	"AI_AGENT",
	"PLUGIN_ROOT",
	"CODEX_CI",
	"CODEX_INTERNAL_ORIGINATOR_OVERRIDE",
	"CODEX_SESSION_ID",
	"CODEX_THREAD_ID",
	"GEMINI_CLI",
	"GEMINI_CWD",
	"GEMINI_PROJECT_DIR",
	"GEMINI_SESSION_ID",
	"QWEN_CODE",
	"QWEN_CODE_SESSION_ID",
	"QWEN_PROJECT_DIR",
	"COPILOT_AGENT_SESSION_ID",
	"COPILOT_PROJECT_DIR",
	"CURSOR_AGENT",
	"CURSOR_PROJECT_DIR",
	"CURSOR_TRACE_ID",
	"CURSOR_VERSION",
	NULL,
};

const struct reviewer_row *
reviewer_row(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (str_is(name, rows[i].name))
			return &rows[i];
	return NULL;
}

static const struct reviewer_config *
own_command(const struct gauntlet_config *c, struct str name)
{
	const struct reviewer_config *own = gauntlet_reviewer(c, name);

	return own && own->command.count > 0 ? own : NULL;
}

static struct reviewer
own_reviewer(const struct reviewer_config *own)
{
	return (struct reviewer){ .name = own->name,
				  .program = own->command.items[0],
				  .way = own->is_prompt_argument ? PROMPT_ARGUMENT : PROMPT_STDIN };
}

struct reviewer_list
reviewers(struct arena *a, const struct gauntlet_config *c)
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

#define WORDS_MAX 40

struct words {
	struct arena *arena;
	const char **items;
	size_t count, capacity;
};

static struct words
words_new(struct arena *a, size_t capacity)
{
	return (struct words){ a, arena_array(a, capacity + 1, const char *), 0, capacity };
}

/* The list stays NULL-terminated. What is beyond its capacity is dropped, which the callers' counts rule out. */
static void
word(struct words *w, const char *z)
{
	if (w->count < w->capacity)
		w->items[w->count++] = z;
}

/* An argument can't hold a NUL. */
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
		word(w, str_is(str_from(*list), PROJECT) ? argument(w->arena, project) : *list);
}

/* ---- calls ---- */

static const char *
effort(struct arena *a, struct str budget)
{
	struct str level = str_is(budget, "off") ? STR("low") : budget;

	return argument(a, str_fmt(a, "model_reasoning_effort=\"" STR_FMT "\"", STR_ARG(level)));
}

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
add_row(struct words *w, const struct reviewer_row *row, const struct gauntlet_config *c,
	const struct review_gate *gate)
{
	const struct reviewer_config *own = gauntlet_reviewer(c, str_from(row->name));
	struct str model = gate && gate->model.n > 0 ? gate->model : own ? own->model : STR_NONE;
	bool has_tools = !own || own->allows_tool_use != 0;

	add_words(w, row->first, c->root);
	add_words(w, has_tools ? row->with_tools : row->without_tools, c->root);
	add_words(w, row->further, c->root);
	if (model.n > 0 && row->model_option) {
		word(w, row->model_option);
		word(w, argument(w->arena, model));
	}
	if (row->thinking == THINKING_EFFORT && own && own->thinking_budget.n > 0) {
		word(w, "-c");
		word(w, effort(w->arena, own->thinking_budget));
	}
	add_words(w, row->last, c->root);
}

static const char *const *
environment(struct arena *a, const struct reviewer_row *row, const struct gauntlet_config *c)
{
	struct words env = words_new(a, 2);
	const struct reviewer_config *own = row ? gauntlet_reviewer(c, str_from(row->name)) : NULL;

	word(&env, "GAUNTLET_STOP_HOOK_ACTIVE=1");
	if (own && row->thinking == THINKING_TOKENS && own->thinking_budget.n > 0)
		word(&env, thinking_tokens(a, own->thinking_budget));
	return env.items;
}

/* A relative path with a slash in it is one from the project's directory. */
static const char *
program_of(struct arena *a, const struct reviewer *r, const struct gauntlet_config *c)
{
	if (r->program.n == 0 || r->program.s[0] == '/' || str_find_char(r->program, '/') < 0)
		return argument(a, r->program);
	return argument(a, str_fmt(a, STR_FMT "/" STR_FMT, STR_ARG(c->root), STR_ARG(r->program)));
}

static struct reviewer_call
own_call(struct arena *a, const struct reviewer *r, const struct gauntlet_config *c, struct str prompt)
{
	const struct reviewer_config *own = own_command(c, r->name);
	size_t count = own ? own->command.count : 1;
	struct words w = words_new(a, count + 1);

	word(&w, program_of(a, r, c));
	for (size_t i = 1; i < count; i++)
		word(&w, argument(a, own->command.items[i]));
	if (r->way == PROMPT_ARGUMENT)
		word(&w, argument(a, prompt));
	return (struct reviewer_call){ .argv = w.items,
				       .input = r->way == PROMPT_ARGUMENT ? STR_NONE : prompt,
				       .env = environment(a, NULL, c),
				       .unset = session_variables };
}

static struct reviewer_call
row_call(struct arena *a, const struct reviewer_row *row, const struct gauntlet_config *c, struct words *w,
	 struct str prompt)
{
	return (struct reviewer_call){
		.argv = w->items, .input = prompt, .env = environment(a, row, c), .unset = session_variables
	};
}

struct reviewer_call
reviewer_call(struct arena *a, const struct reviewer *r, const struct gauntlet_config *c,
	      const struct review_gate *gate, struct str prompt)
{
	const struct reviewer_row *row = r->is_built_in ? reviewer_row(r->name) : NULL;

	if (!row)
		return own_call(a, r, c, prompt);
	struct words w = words_new(a, WORDS_MAX);

	word(&w, program_of(a, r, c));
	add_row(&w, row, c, gate);
	return row_call(a, row, c, &w, prompt);
}

struct reviewer_call
reviewer_probe(struct arena *a, const struct reviewer *r, const struct gauntlet_config *c)
{
	const struct reviewer_row *row = r->is_built_in ? reviewer_row(r->name) : NULL;
	struct reviewer_call call;

	if (row) {
		struct words w = words_new(a, WORDS_MAX);

		word(&w, program_of(a, r, c));
		add_words(&w, row->trial, c->root);
		call = row_call(a, row, c, &w, STR("hello\n"));
	} else {
		call = own_call(a, r, c, r->way == PROMPT_ARGUMENT ? STR("hello") : STR("hello\n"));
	}
	call.timeout_ms = (row ? row->trial_s : 30) * 1000;
	return call;
}
