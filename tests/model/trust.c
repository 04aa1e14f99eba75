/* SPDX-License-Identifier: MIT */
/* Whose definitions run, in the model (doc/decisions/0024). Which earlier definitions are kept is seen by whether there is a
 * file; what is in it is known from when it appeared. */
#include "model.h"

#define STATE "home/state/holdfast/"

/* Of all files that hold definitions: a line for each, in the order of their names. */
static struct str
definitions_now(const struct world *w)
{
	static const char *const files[] = {
		".conclaude.yaml",
		".gauntlet/checks/k0.yml",
		".gauntlet/checks/k1.yml",
		".gauntlet/checks/k2.yml",
		".gauntlet/config.yml",
		".gauntlet/reviews/quality.md",
		"holdfast.yml",
	};
	struct buf b = BUF(w->arena, SIZE_MAX);

	for (size_t i = 0; i < COUNT_OF(files); i++) {
		struct str text = world_read(w, files[i]);

		if (text.s)
			buf_addf(&b, "%s %016llx\n", files[i], (unsigned long long)text_hash(text));
	}
	return str_copy(w->arena, buf_str(&b));
}

/* The files that differ, as the message lists them. */
static struct str
changed_names(const struct world *w, struct str then)
{
	struct str now = definitions_now(w), rest = now, line;
	struct buf b = BUF(w->arena, SIZE_MAX);

	/* No event removes one of them. */
	while (str_next(&rest, '\n', &line))
		if (str_find(then, line) < 0)
			buf_addf(&b, "%s" STR_FMT, b.n > 0 ? ", " : "",
				 STR_ARG(str_sub(line, 0, (size_t)str_find_char(line, ' '))));
	return buf_str(&b);
}

static bool
is_registered_in_project(const struct world *w)
{
	return str_find(world_read(w, ".claude/settings.json"), STR("stop-hook")) >= 0;
}

bool
trust_has_source(const struct model *m, enum front_end front_end)
{
	bool is_all = front_end == BY_STOP_HOOK || front_end == BY_HOOK_STOP || front_end == BY_CODEX;

	return (m->config->has_gates && (is_all || front_end == BY_GAUNTLET)) ||
	       (m->config->has_yaml && is_all);
}

bool
trust_allows(const struct model *m, enum front_end front_end)
{
	if (!m->config->is_for_all || !trust_has_source(m, front_end) || front_end == BY_GAUNTLET)
		return true;
	return m->trust.is_trusted || is_registered_in_project(m->world);
}

void
trust_choose_config(struct play *p)
{
	struct model *m = &p->model;
	const struct config *next = m->trust.is_pinned ? &p->pinned : &p->written;
	bool is_same_count = next->check_count == p->config.check_count;

	p->config = *next;
	m->is_yaml_broken = m->trust.is_pinned ? p->is_pinned_broken : p->is_written_broken;
	/* The next run drops the failure of a gate that is no longer configured. */
	if (!is_same_count && m->gates.outstanding) {
		m->gates.outstanding &= config_jobs(&p->config);
		m->gates.is_untracked = true;
	}
}

void
trust_accepted(struct play *p, bool is_pinned)
{
	struct trust *t = &p->model.trust;

	t->is_trusted = true;
	t->is_pinned = is_pinned;
	p->pinned = p->written;
	p->is_pinned_broken = p->is_written_broken;
	t->pinned = definitions_now(&p->world);
	if (t->at_failure.s)
		t->at_failure = t->pinned;
	trust_choose_config(p);
}

void
play_trust(struct play *p, const struct event *e)
{
	enum form { TRUST, PIN, NO_PIN, REVOKE };
	static const enum form forms[] = { TRUST, PIN, PIN, REVOKE, NO_PIN, TRUST, REVOKE };
	enum form what = forms[(size_t)e->what % COUNT_OF(forms)];
	static const char *const options[] = { NULL, "--pin", "--no-pin", "--revoke" };
	struct trust *t = &p->model.trust;
	struct call c = { .argv = { "holdfast", "trust", options[what] }, .input = STR("") };
	bool has_any = p->config.has_gates || p->config.has_yaml || t->is_trusted;

	play_call(p, &c);
	expect_exit(p, &c, what == REVOKE ? !t->is_trusted : !has_any);
	if (what == REVOKE) {
		t->is_trusted = t->is_pinned = false;
		trust_choose_config(p);
	} else if (has_any) {
		trust_accepted(p, what == PIN || (what == TRUST && t->is_pinned));
	}
}

void
trust_observe(struct play *p)
{
	struct trust *t = &p->model.trust;
	struct str now = definitions_now(&p->world);

	for (int i = 0; i < SESSIONS; i++) {
		bool is_kept = world_has_entry(
			&p->world, str_fmt(p->arena, STATE "definitions/sessions/%s", session_ids[i]).s);

		if (!is_kept || !t->at_session[i].s)
			t->at_session[i] = is_kept ? now : STR_NONE;
	}
	bool is_kept = world_has_entry(&p->world, STATE "definitions/failures");

	if (!is_kept || !t->at_failure.s)
		t->at_failure = is_kept ? now : STR_NONE;
}

struct str
trust_words(const struct play *p, const struct event *e)
{
	const struct trust *t = &p->model.trust;
	struct str then = e->session == NO_SESSION ? STR_NONE : t->at_session[e->session], names;

	if (t->is_pinned) {
		names = changed_names(&p->world, t->pinned);
		return names.n > 0 ? str_fmt(p->arena,
					     "differ from the pinned ones, which are used: " STR_FMT ";",
					     STR_ARG(names))
				   : STR("");
	}
	names = t->at_failure.s ? changed_names(&p->world, t->at_failure) : STR("");
	if (names.n > 0)
		return str_fmt(p->arena,
			       "have changed since a gate failed that has not passed since: " STR_FMT,
			       STR_ARG(names));
	names = then.s ? changed_names(&p->world, then) : STR("");
	return names.n > 0
		       ? str_fmt(p->arena, "have changed since the session began: " STR_FMT, STR_ARG(names))
		       : STR("");
}

/* Of a stop in a project that is not trusted: the user is told once in a session. */
static void
judge_untrusted(struct play *p, const struct event *e, const struct answer *a)
{
	struct trust *t = &p->model.trust;
	bool is_told = str_find(a->told, STR("holdfast trust ")) >= 0;
	enum maybe was_told = e->session == NO_SESSION ? NO : t->is_told[e->session];

	if (a->is_block)
		return;
	if (was_told == (is_told ? YES : NO))
		complain(p, "that the project is not trusted was %s", is_told ? "told again" : "not told");
	if (e->session != NO_SESSION)
		t->is_told[e->session] = YES;
}

void
trust_judge(struct play *p, const struct event *e, const struct answer *a, struct str words)
{
	static const struct str any[] = { STR("have changed since a gate"),
					  STR("have changed since the session"),
					  STR("differ from the pinned ones") };
	const struct model *m = &p->model;

	/* What was told may have been noted, or not. */
	if (m->is_shut && e->session != NO_SESSION)
		p->model.trust.is_told[e->session] = PERHAPS;
	if (!trust_has_source(m, e->front_end) || m->is_shut)
		return;
	if (!trust_allows(m, e->front_end)) {
		judge_untrusted(p, e, a);
		words = STR("");
	}
	if (words.n > 0 && str_find(a->told, words) < 0)
		complain(p, "it does not tell that definitions " STR_FMT ": " STR_FMT, STR_ARG(words),
			 STR_ARG(a->told));
	for (size_t i = 0; i < COUNT_OF(any) && words.n == 0; i++)
		if (str_find(a->told, any[i]) >= 0)
			complain(p, "it tells of definitions: " STR_FMT, STR_ARG(a->told));
}
