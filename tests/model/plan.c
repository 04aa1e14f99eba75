/* SPDX-License-Identifier: MIT */
/* Makes a configuration and a list of events from a seed, and from nothing else. */
#include "model.h"

#include <signal.h>

const char *const session_ids[SESSIONS + 1] = { "s-one", "s-two", "" };

static const char *const kind_names[] = {
#define EVENT(id, weight, name) name,
#include "events.def"
};
static const int weights[] = {
#define EVENT(id, weight, name) weight,
#include "events.def"
};
static const char *const front_end_names[BY_COUNT] = {
	"stop-hook",  "hook Stop",      "agent-gauntlet stop-hook",
	"ralph hook", "conclaude Stop", "stop-hook --client codex"
};

/* splitmix64 */
static uint64_t
next(uint64_t *x)
{
	uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static int
below(uint64_t *x, int n)
{
	return (int)(next(x) % (uint64_t)n);
}

/* True in n of 100 draws. */
static bool
percent(uint64_t *x, int n)
{
	return below(x, 100) < n;
}

static void
draw_config(uint64_t *x, struct config *c)
{
	c->has_gates = percent(x, 65);
	c->has_git = c->has_gates || percent(x, 50);
	c->is_on_base = percent(x, 45);
	c->has_yaml = percent(x, 70);
	c->rounds = percent(x, 50) ? below(x, 5) : 0;
	c->is_infinite = percent(x, 8);
	c->message_count = percent(x, 50) ? 1 + below(x, MESSAGES_MOST) : 0;
	for (int i = 0; i < MESSAGES_MOST; i++)
		c->times[i] = percent(x, 70) ? 1 : below(x, 4);
	c->command_count = percent(x, 45) ? 1 + below(x, 2) : 0;
	c->is_codex = percent(x, 20);
	c->blocks = percent(x, 70) ? BLOCKS_MOST - below(x, 6) : 0;
	c->check_count = 1 + below(x, CHECKS_MOST);
	for (int i = 0; i < CHECKS_MOST; i++)
		c->checks[i] = (struct check){
			.entry = (enum entry)below(x, ENTRY_COUNT),
			.manner = percent(x, 50) ? MANNER_PLAIN : (enum manner)below(x, MANNER_COUNT),
			.is_parallel = percent(x, 40),
			.is_fail_fast = percent(x, 20),
		};
	for (int i = 0; i < CHECKS_MOST; i++)
		c->checks[i].is_fail_fast &= !c->checks[i].is_parallel;
	c->has_review = percent(x, 50);
	c->review_entry = (enum entry)below(x, ENTRY_DOCS);
	/* A check that removes logs or switches branches would remove the findings of the review. */
	for (int i = 0; i < CHECKS_MOST && c->has_review; i++)
		if (c->checks[i].manner >= MANNER_CLEANS)
			c->checks[i].manner = MANNER_PLAIN;
	c->reverifies = percent(x, 70);
	c->is_enabled = percent(x, 95);
	c->ignores_logs = percent(x, 50);
	c->max_retries = percent(x, 20) ? 0 : 1 + below(x, 4);
	c->interval = percent(x, 40) ? INTERVAL_MINUTES : 0;
}

/* What came later is drawn after all the rest. */
static void
draw_later(uint64_t *x, struct config *c)
{
	c->is_native = percent(x, 50);
	c->names_base = percent(x, 50);
	c->is_for_all = percent(x, 25) && !c->is_codex;
	c->is_registered = c->is_for_all && percent(x, 50);
	for (int i = 0; i < CHECKS_MOST; i++) {
		struct check *k = &c->checks[i];

		k->files = percent(x, 50) ? FILES_ALL : (enum files)below(x, FILES_COUNT);
		k->has_timeout = percent(x, 30);
		k->is_rerun = percent(x, 20);
		if (percent(x, 20) && c->is_native)
			k->manner = MANNER_WRITES;
		if (c->is_native)
			k->is_parallel = k->is_fail_fast = false;
		else
			k->has_timeout = false;
	}
	if (!c->is_native)
		return;
	c->has_gates = c->has_git = c->reverifies = c->is_enabled = true;
	c->has_yaml = c->has_review = c->ignores_logs = false;
	c->interval = 0;
	c->conversion = percent(x, 60) ? (enum conversion)below(x, CONVERSION_COUNT) : CONVERTS_NOTHING;
	c->max_retries += c->max_retries == 0;
}

static enum kind
draw_kind(uint64_t *x)
{
	int all = 0, kind = 0;

	for (size_t i = 0; i < COUNT_OF(weights); i++)
		all += weights[i];
	for (int at = below(x, all); at >= weights[kind]; kind++)
		at -= weights[kind];
	return (enum kind)kind;
}

/* Every event takes the same number of draws. */
static struct event
draw_event(uint64_t *x)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGKILL, SIGINT, SIGHUP };
	struct event e = { .kind = draw_kind(x) };

	e.session = percent(x, 4) ? NO_SESSION : percent(x, 70) ? 0 : 1;
	e.front_end = percent(x, 75) ? BY_STOP_HOOK : (enum front_end)below(x, BY_CODEX);
	e.is_active = percent(x, 55);
	e.has_promise = percent(x, 15);
	e.what = below(x, 1000);
	e.how = below(x, 1000);
	e.signal = signals[below(x, COUNT_OF(signals))];
	e.after_us = percent(x, 50) ? below(x, 1500) : below(x, 60000);
	return e;
}

struct sequence {
	size_t count;
	struct {
		enum kind kind;
		int what; /* ANY: as drawn */
	} steps[9];
};
#define ANY (-1)
#define UNDO_SEQUENCE 0

/* Events that a random list rarely has in a row. */
static const struct sequence sequences[] = {
	/* A check that has written into what it covers has not passed for what was there. */
	[UNDO_SEQUENCE] = { 4,
			    { { EV_EDIT, EDIT_NOTE },
			      { EV_STOP, ANY },
			      { EV_EDIT, EDIT_UNDO },
			      { EV_STOP, ANY } } },
	/* Compared with the base branch, a commit on it is no change, and the gates must run all the same. */
	{ 5, { { EV_STOP, ANY }, { EV_EDIT, ANY }, { EV_COMMIT, ANY }, { EV_EDIT, ANY }, { EV_STOP, ANY } } },
	/* A question that git did not answer must not count as answered. */
	{ 5,
	  { { EV_STOP, ANY }, { EV_EDIT, ANY }, { EV_COMMIT, ANY }, { EV_NO_GIT, ANY }, { EV_STOP, ANY } } },
	/* A finding stays open while the reviewer can't be asked, and until its file changes. */
	{ 9,
	  { { EV_ANSWER, ANSWER_FINDS },
	    { EV_EDIT, EDIT_NOTE },
	    { EV_STOP, ANY },
	    { EV_ANSWER, ANSWER_EMPTY },
	    { EV_EDIT, EDIT_NEW },
	    { EV_STOP, ANY },
	    { EV_ANSWER, ANSWER_PASSES },
	    { EV_EDIT, ANY },
	    { EV_STOP, ANY } } },
	/* A pass counts for its content, whatever git does in between. */
	{ 5, { { EV_EDIT, ANY }, { EV_STOP, ANY }, { EV_GIT, ANY }, { EV_GIT, ANY }, { EV_STOP, ANY } } },
	{ 4, { { EV_STOP, ANY }, { EV_EDIT, ANY }, { EV_STOP, ANY }, { EV_STOP, ANY } } },
	/* Who loosens a gate is found out. */
	{ 5,
	  { { EV_STOP, ANY },
	    { EV_CONFIGURE, ANY },
	    { EV_STOP, ANY },
	    { EV_TRUST, ANY },
	    { EV_STOP, ANY } } },
	/* What holds in a clone, where the agent tries in several ways to loosen it. */
	{ 9,
	  { { EV_CLONE, ANY },
	    { EV_CLONE, ANY },
	    { EV_CLONE, ANY },
	    { EV_CLONE, ANY },
	    { EV_CLONE, ANY },
	    { EV_CLONE, ANY },
	    { EV_CLONE, ANY },
	    { EV_CLONE, ANY },
	    { EV_CLONE, ANY } } },
	/* Nor does it for what git takes to be the same. */
	{ 6,
	  { { EV_EDIT, ANY },
	    { EV_STOP, ANY },
	    { EV_UNSEEN, ANY },
	    { EV_STOP, ANY },
	    { EV_UNSEEN, ANY },
	    { EV_STOP, ANY } } },
	{ 5, { { EV_EDIT, ANY }, { EV_STOP, ANY }, { EV_EDIT, ANY }, { EV_WAIT, ANY }, { EV_WAIT, ANY } } },
};

static bool
has_writer(const struct config *c)
{
	bool has_one = false;

	for (int i = 0; i < c->check_count; i++)
		has_one |= c->checks[i].manner == MANNER_WRITES;
	return has_one;
}

static void
draw_sequences(uint64_t *x, struct plan *p)
{
	bool is_written = has_writer(&p->config);

	for (size_t i = 0; i < p->count && p->config.has_gates; i++) {
		int which = percent(x, 50) && is_written ? UNDO_SEQUENCE : below(x, COUNT_OF(sequences));
		const struct sequence *s = &sequences[which];

		if (!percent(x,
			     p->config.is_on_base || p->config.has_review || p->config.is_native ? 12 : 4) ||
		    i + s->count > p->count)
			continue;
		for (size_t k = 0; k < s->count; k++) {
			struct event *e = &p->events[i + k];

			e->kind = s->steps[k].kind;
			e->is_active = false;
			if (s->steps[k].what != ANY)
				e->what = s->steps[k].what;
		}
		i += s->count - 1;
	}
}

/* Events that mean nothing with holdfast.yml make room for those that its results depend on. */
static void
draw_native(struct plan *p)
{
	static const enum kind kinds[] = { EV_STOP, EV_EDIT, EV_GIT,  EV_STOP, EV_WAIT,
					   EV_GIT,  EV_EDIT, EV_STOP, EV_WAIT, EV_CONFIGURE };

	for (size_t i = 0; i < p->count; i++) {
		struct event *e = &p->events[i];

		if (e->kind == EV_ANSWER || e->kind == EV_MARK || e->kind == EV_YAML || e->kind == EV_TIME ||
		    e->kind == EV_FLAG || ((e->kind == EV_ENDED || e->kind == EV_TWO) && e->what % 3 > 0))
			e->kind = kinds[(size_t)e->how % COUNT_OF(kinds)];
	}
}

void
plan_draw(struct plan *p, uint64_t seed)
{
	uint64_t x = seed;

	*p = (struct plan){ .seed = seed };
	draw_config(&x, &p->config);
	draw_later(&x, &p->config);
	p->count = (size_t)(20 + below(&x, EVENTS_MOST - 20 + 1));
	for (size_t i = 0; i < p->count; i++)
		p->events[i] = draw_event(&x);
	if (p->config.is_native)
		draw_native(p);
	draw_sequences(&x, p);
	/* Where nothing is trusted, there is little to see. */
	if (p->config.is_for_all && percent(&x, 75))
		p->events[below(&x, 8)] = (struct event){ .kind = EV_TRUST, .what = below(&x, 3) };
	/* `hook Stop` does not say that it is registered for all projects. */
	for (size_t i = 0; p->config.is_for_all && !p->config.is_registered && i < p->count; i++)
		if (p->events[i].front_end == BY_HOOK_STOP)
			p->events[i].front_end = BY_STOP_HOOK;
	for (size_t i = 0; p->config.is_codex && i < p->count; i++)
		if (p->events[i].front_end == BY_STOP_HOOK)
			p->events[i].front_end = BY_CODEX;
}

struct str
event_text(struct arena *a, const struct event *e)
{
	const char *who = e->session == NO_SESSION ? "no session" : session_ids[e->session];

	if (e->kind == EV_WAIT)
		return str_fmt(a, "%s %d.%d", kind_names[e->kind], e->what, e->how);
	if (e->kind != EV_STOP && e->kind != EV_ENDED && e->kind != EV_TWO)
		return str_fmt(a, "%s %d.%d of %s", kind_names[e->kind], e->what, e->how, who);
	return str_fmt(a, "%s by %s of %s%s%s%s", kind_names[e->kind], front_end_names[e->front_end], who,
		       e->is_active ? ", again" : "", e->has_promise ? ", with the promise" : "",
		       e->kind == EV_ENDED ? str_fmt(a, ", %d.%d, signal %d after %d us", e->what, e->how,
						     e->signal, e->after_us)
						     .s
		       : e->kind == EV_TWO ? str_fmt(a, ", %d.%d", e->what, e->how).s
					   : "");
}

struct str
config_text(struct arena *a, const struct config *c)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_addf(&b, "%s%s", c->has_git ? "repository" : "no repository", c->is_codex ? ", Codex" : "");
	buf_addf(&b, "%s", c->has_git && c->is_on_base ? " on main" : "");
	if (c->has_yaml) {
		buf_addf(&b, "; rounds %d%s, %d commands, messages", c->rounds,
			 c->is_infinite ? ", infinite" : "", c->command_count);
		for (int i = 0; i < c->message_count; i++)
			buf_addf(&b, " x%d", c->times[i]);
	}
	if (c->conversion != CONVERTS_NOTHING)
		buf_addf(&b, "; conversion %d", c->conversion);
	if (c->is_for_all)
		buf_addf(&b, "; for all projects%s", c->is_registered ? " by the settings" : "");
	if (c->has_gates) {
		buf_addf(&b, "%s", c->is_native ? "; holdfast.yml" : "");
		buf_addf(&b, "; gates: retries %d, interval %d%s%s%s, checks", c->max_retries, c->interval,
			 c->reverifies ? ", reverify" : "", c->is_enabled ? "" : ", disabled",
			 c->ignores_logs ? ", logs ignored" : "");
		for (int i = 0; i < c->check_count; i++)
			buf_addf(&b, " (entry %d, manner %d, files %d%s%s%s%s)", c->checks[i].entry,
				 c->checks[i].manner, c->checks[i].files,
				 c->checks[i].is_parallel ? ", parallel" : "",
				 c->checks[i].is_fail_fast ? ", fail fast" : "",
				 c->checks[i].has_timeout ? ", timeout" : "",
				 c->checks[i].is_rerun ? ", no reuse" : "");
		if (c->has_review)
			buf_addf(&b, ", review (entry %d)", c->review_entry);
	}
	return buf_str(&b);
}
