/* SPDX-License-Identifier: MIT */
/* The only place that decides whether a reviewer can be asked: finds its program, respects its cooldown and, where the
 * configuration asks for it, probes it. Never runs a review. */
#include "review/review.h"

#include "os/env.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/proc.h"

#define PROBE_GRACE_MS 1000
#define MESSAGE_BYTES 200

#define USAGE_LIMIT "Usage limit exceeded"
#define NOT_LOGGED_IN "Not logged in; start it once by hand and log in"

void
reviewer_pool_init(struct reviewer_pool *p, struct arena *a, const struct gates_config *config,
		   const struct execution_state *state, bool may_probe, int64_t deadline_ms)
{
	*p = (struct reviewer_pool){
		.arena = a,
		.config = config,
		.known = reviewers(a, config),
		.state = state,
		.probes = may_probe && config->checks_usage_limit,
		.deadline_ms = deadline_ms,
	};
	/* Slots point to the items, so there is room for every name in the configuration from the start. */
	p->capacity = config->default_preference.count + p->known.count + config->reviewer_count;
	for (size_t i = 0; i < config->review_count; i++)
		p->capacity += config->reviews[i].cli_preference.count;
	p->items = arena_array(a, p->capacity, struct pooled_reviewer);
}

struct pooled_reviewer *
reviewer_pool_find(struct reviewer_pool *p, struct str name)
{
	for (size_t i = 0; i < p->count; i++)
		if (str_eq(p->items[i].name, name))
			return &p->items[i];
	return NULL;
}

static void
set_health(struct pooled_reviewer *m, enum reviewer_health health, struct str message)
{
	m->health = health;
	m->message = message;
}

/* ---- checking ---- */

static bool
is_installed(struct reviewer_pool *p, struct str program)
{
	const char *z;

	if (str_cz(p->arena, program, &z, IGNORED) < 0)
		return false;
	if (str_find_char(program, '/') < 0)
		return env_find_program(p->arena, z).s;
	return fs_kind(path_from(p->arena, p->config->root, program).s) == FS_FILE;
}

/* A cooldown that began in the future, because the clock was set back, is over. */
static int64_t
cooldown_left_us(const struct cooldown *r)
{
	int64_t marked_us, now_us = clock_real_us();

	if (!clock_parse(r->marked_at, &marked_us) || marked_us > now_us ||
	    now_us - marked_us >= REVIEWER_COOLDOWN_US)
		return 0;
	return marked_us + REVIEWER_COOLDOWN_US - now_us;
}

static void
check(struct reviewer_pool *p, struct pooled_reviewer *m)
{
	const struct cooldown *cooldown = NULL;

	for (size_t i = 0; p->state && i < p->state->cooldown_count && !cooldown; i++)
		if (str_eq(p->state->cooldowns[i].name, m->name))
			cooldown = &p->state->cooldowns[i];
	int64_t left_us = cooldown ? cooldown_left_us(cooldown) : 0;

	m->reviewer = reviewer_find(&p->known, m->name);
	if (!m->reviewer) {
		set_health(m, REVIEWER_UNKNOWN, STR("Unknown reviewer"));
	} else if (!is_installed(p, m->reviewer->program)) {
		set_health(m, REVIEWER_MISSING, STR("Command not found"));
	} else if (left_us > 0) {
		m->cooldown_since = cooldown->marked_at;
		set_health(m, REVIEWER_UNHEALTHY,
			   str_cat(p->arena, USAGE_LIMIT " (not asked for another ",
				   (int)((left_us + 59999999) / 60000000), " minutes)"));
	} else {
		set_health(m, REVIEWER_READY, STR_NONE);
	}
}

/* ---- probing ---- */

static void
judge_probe(struct reviewer_pool *p, struct pooled_reviewer *m, const struct proc_result *r)
{
	struct str out = capture_text(&r->out, p->arena, 0), err = capture_text(&r->err, p->arena, 0);
	int code = r->end == PROC_EXITED ? r->code : -1;
	enum reviewer_refusal refusal = reviewer_refusal(m->reviewer, code, out, err);

	if (refusal != REFUSAL_NONE) {
		reviewer_pool_retire(p, m, refusal);
	} else if (r->end == PROC_TIMED_OUT || r->end == PROC_DEADLINE) {
		set_health(m, REVIEWER_UNHEALTHY, STR("Error: Health check timed out"));
	} else if (code != 0) {
		struct str text = str_trim(str_trim(err).n > 0 ? err : out), line = STR("");

		(void)str_next(&text, '\n', &line);
		line = utf8_head(strip_escapes_line(p->arena, str_trim(line)), MESSAGE_BYTES);
		set_health(m, REVIEWER_UNHEALTHY, str_cat(p->arena, "Error: ", line));
	}
}

void
reviewer_pool_check(struct reviewer_pool *p, struct str_list names)
{
	struct procset probes;
	struct proc_result result;
	size_t from = p->count;

	for (size_t i = 0; i < names.count && p->count < p->capacity; i++) {
		if (reviewer_pool_find(p, names.items[i]))
			continue;
		p->items[p->count] = (struct pooled_reviewer){ .name = names.items[i] };
		check(p, &p->items[p->count++]);
	}
	if (!p->probes)
		return;
	procset_init(&probes, p->arena, p->count - from);
	for (size_t i = from; i < p->count; i++) {
		struct pooled_reviewer *m = &p->items[i];
		struct proc_spec spec = {
			.deadline_ms = p->deadline_ms,
			.grace_ms = PROBE_GRACE_MS,
			.owner = m,
		};
		struct err err;

		if (m->health != REVIEWER_READY)
			continue;
		reviewer_call(p->arena, m->reviewer, p->config, NULL, STR_NONE, &spec);
		if (procset_start(&probes, &spec, &err) < 0)
			set_health(m, REVIEWER_UNHEALTHY, str_cat(p->arena, "Error: ", err.msg));
	}
	while (probes.count > 0) {
		procset_wait(&probes, INT64_MAX);
		while (procset_take(&probes, &result))
			judge_probe(p, result.owner, &result);
	}
}

/* ---- choosing ---- */

struct pooled_reviewer *
reviewer_pool_pick(struct reviewer_pool *p, struct str_list names, size_t i)
{
	struct pooled_reviewer **ready = arena_array(p->arena, names.count, struct pooled_reviewer *);
	size_t count = 0;

	for (size_t k = 0; k < names.count; k++) {
		struct pooled_reviewer *m = reviewer_pool_find(p, names.items[k]);

		if (m && m->health == REVIEWER_READY)
			ready[count++] = m;
	}
	return count > 0 ? ready[i % count] : NULL;
}

struct str
reviewer_pool_problems(struct reviewer_pool *p, struct str_list names)
{
	struct buf b = BUF(p->arena, SIZE_MAX);

	for (size_t i = 0; i < names.count; i++) {
		const struct pooled_reviewer *m = reviewer_pool_find(p, names.items[i]);

		if (m && m->health != REVIEWER_READY)
			buf_cat(&b, b.n ? "; " : "", m->name, ": ", m->message);
	}
	return buf_str(&b);
}

/* ---- cooldown ---- */

void
reviewer_pool_retire(struct reviewer_pool *p, struct pooled_reviewer *m, enum reviewer_refusal refusal)
{
	bool is_limit = refusal == REFUSAL_USAGE_LIMIT;

	if (is_limit)
		m->cooldown_since = clock_format_millis(p->arena, clock_real_us());
	set_health(m, REVIEWER_UNHEALTHY, is_limit ? STR(USAGE_LIMIT) : STR(NOT_LOGGED_IN));
}

void
reviewer_pool_store(struct reviewer_pool *p, struct execution_state *s)
{
	struct cooldown *all = arena_array(p->arena, s->cooldown_count + p->count, struct cooldown);
	size_t count = 0;

	for (size_t i = 0; i < s->cooldown_count; i++) {
		const struct pooled_reviewer *m = reviewer_pool_find(p, s->cooldowns[i].name);

		if (!(m && m->cooldown_since.s) && cooldown_left_us(&s->cooldowns[i]) > 0)
			all[count++] = s->cooldowns[i];
	}
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].cooldown_since.s)
			all[count++] = (struct cooldown){ p->items[i].name, p->items[i].cooldown_since,
							  STR(USAGE_LIMIT) };
	s->cooldowns = all;
	s->cooldown_count = count;
}
