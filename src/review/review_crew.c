/* SPDX-License-Identifier: MIT */
/* Reviewers are looked at here and nowhere else: found in PATH, asked for their limits where the configuration wants
 * that, and left in peace while they rest. It never runs a review. */
#include "review/review_crew.h"

#include "base/buf.h"
#include "base/plain.h"
#include "base/utf8.h"
#include "os/access.h"
#include "os/clock.h"
#include "os/fs.h"
#include "os/proc.h"

#define TRY_GRACE_MS 1000
#define MESSAGE_BYTES 200

#define USAGE_LIMIT "Usage limit exceeded"
#define NOT_LOGGED_IN "Not logged in; start it by hand once, and log in"

void
crew_open(struct crew *c, struct arena *a, const struct gauntlet_config *config,
	  const struct execution_state *state, bool tries, int64_t deadline_ms)
{
	*c = (struct crew){
		.arena = a,
		.config = config,
		.reviewers = reviewers(a, config),
		.state = state,
		.tries = tries && config->checks_usage_limit,
		.deadline_ms = deadline_ms,
	};
}

struct member *
crew_member(struct crew *c, struct str name)
{
	for (size_t i = 0; i < c->count; i++)
		if (str_eq(c->items[i].name, name))
			return &c->items[i];
	return NULL;
}

static void
set(struct member *m, enum member_state state, struct str message)
{
	m->state = state;
	m->message = message;
}

/* ---- looking ---- */

static bool
is_there(struct crew *c, struct str program)
{
	const char *z;
	struct err ignored;

	if (str_cz(c->arena, program, &z, &ignored) < 0)
		return false;
	if (str_find_char(program, '/') < 0)
		return access_find_program(c->arena, z).s;
	return fs_kind(program.s[0] == '/' ? z : fs_join(c->arena, c->config->root, program).s) == FS_FILE;
}

static const struct resting_reviewer *
rest_of(const struct crew *c, struct str name)
{
	for (size_t i = 0; c->state && i < c->state->resting_count; i++)
		if (str_eq(c->state->resting[i].name, name))
			return &c->state->resting[i];
	return NULL;
}

/* How much of the rest is left; a time that is not over because the clock was set back counts as over. */
static int64_t
rest_left_us(const struct resting_reviewer *r)
{
	int64_t marked_us, now_us = clock_real_us();

	if (!r || !clock_parse(r->marked_at, &marked_us) || marked_us > now_us ||
	    now_us - marked_us >= REVIEWER_REST_US)
		return 0;
	return marked_us + REVIEWER_REST_US - now_us;
}

static void
look(struct crew *c, struct member *m)
{
	const struct resting_reviewer *rest = rest_of(c, m->name);
	int64_t left_us = rest_left_us(rest);

	m->reviewer = reviewer_find(&c->reviewers, m->name);
	if (!m->reviewer) {
		set(m, MEMBER_STRANGER, STR("Unknown reviewer"));
	} else if (!is_there(c, m->reviewer->program)) {
		set(m, MEMBER_MISSING, STR("Command not found"));
	} else if (left_us > 0) {
		m->marked_at = rest->marked_at;
		set(m, MEMBER_UNWELL,
		    str_fmt(c->arena, USAGE_LIMIT " (rests for %d more minutes)",
			    (int)((left_us + 59999999) / 60000000)));
	} else {
		set(m, MEMBER_READY, STR_NONE);
	}
}

/* ---- trying ---- */

static struct str
first_line(struct arena *a, struct str text)
{
	struct str rest = str_trim(text), line = STR("");

	(void)str_next(&rest, '\n', &line);
	return utf8_head(plain_line(a, str_trim(line)), MESSAGE_BYTES);
}

static void
judge_trial(struct crew *c, struct member *m, const struct proc_result *r)
{
	struct str out = capture_text(&r->out, c->arena, 0), err = capture_text(&r->err, c->arena, 0);
	bool is_exited = r->end == PROC_EXITED;
	enum reviewer_refusal refusal = reviewer_refusal(m->reviewer, is_exited ? r->code : -1, out, err);

	if (refusal != REFUSAL_NONE)
		crew_give_up(c, m, refusal);
	else if (r->end == PROC_TIMED_OUT || r->end == PROC_DEADLINE)
		set(m, MEMBER_UNWELL, STR("Error: Health check timed out"));
	else if (!is_exited || r->code != 0)
		set(m, MEMBER_UNWELL,
		    str_fmt(c->arena, "Error: " STR_FMT,
			    STR_ARG(first_line(c->arena, str_trim(err).n > 0 ? err : out))));
}

static void
start_trial(struct crew *c, struct member *m, struct procset *trials)
{
	struct reviewer_call call = reviewer_probe(c->arena, m->reviewer, c->config);
	const char *dir;
	struct err err;
	struct proc_spec spec = {
		.argv = call.argv,
		.env = call.env,
		.unset = call.unset,
		.input = call.input,
		.timeout_ms = call.timeout_ms,
		.deadline_ms = c->deadline_ms,
		.grace_ms = TRY_GRACE_MS,
		.owner = m,
	};

	if (str_cz(c->arena, c->config->root, &dir, &err) == 0)
		spec.dir = dir;
	if (procset_start(trials, &spec, &err) < 0)
		set(m, MEMBER_UNWELL, str_fmt(c->arena, "Error: %s", err.msg));
}

static void
try_all(struct crew *c, size_t from)
{
	struct procset trials;
	struct proc_result result;

	procset_init(&trials, c->arena, c->count - from);
	for (size_t i = from; i < c->count; i++)
		if (c->items[i].state == MEMBER_READY)
			start_trial(c, &c->items[i], &trials);
	while (trials.count > 0) {
		procset_wait(&trials, INT64_MAX);
		while (procset_take(&trials, &result))
			judge_trial(c, result.owner, &result);
	}
}

/* Members are pointed to: there is room for all that the configuration can name from the first. */
static void
make_room(struct crew *c)
{
	size_t room = c->config->default_preference.count;

	for (size_t i = 0; i < c->config->review_count; i++)
		room += c->config->reviews[i].cli_preference.count;
	c->capacity = room + c->reviewers.count + c->config->reviewer_count;
	c->items = arena_array(c->arena, c->capacity, struct member);
}

void
crew_look_at(struct crew *c, struct str_list names)
{
	size_t from;

	if (!c->items)
		make_room(c);
	from = c->count;
	for (size_t i = 0; i < names.count && c->count < c->capacity; i++) {
		if (crew_member(c, names.items[i]))
			continue;
		c->items[c->count] = (struct member){ .name = names.items[i] };
		look(c, &c->items[c->count++]);
	}
	if (c->tries)
		try_all(c, from);
}

/* ---- choosing ---- */

static bool
is_ready(struct crew *c, struct str name)
{
	const struct member *m = crew_member(c, name);

	return m && m->state == MEMBER_READY;
}

static size_t
count_ready(struct crew *c, struct str_list names)
{
	size_t count = 0;

	for (size_t i = 0; i < names.count; i++)
		count += is_ready(c, names.items[i]);
	return count;
}

struct member *
crew_pick(struct crew *c, struct str_list names, size_t i)
{
	size_t ready = count_ready(c, names), left;

	if (ready == 0)
		return NULL;
	left = i % ready;
	for (size_t k = 0; k < names.count; k++)
		if (is_ready(c, names.items[k]) && left-- == 0)
			return crew_member(c, names.items[k]);
	return NULL;
}

struct str
crew_troubles(struct crew *c, struct str_list names)
{
	struct buf b = BUF(c->arena, SIZE_MAX);

	for (size_t i = 0; i < names.count; i++) {
		const struct member *m = crew_member(c, names.items[i]);

		if (m && m->state != MEMBER_READY)
			buf_addf(&b, "%s" STR_FMT ": " STR_FMT, b.n ? "; " : "", STR_ARG(m->name),
				 STR_ARG(m->message));
	}
	return buf_str(&b);
}

/* ---- rest ---- */

void
crew_give_up(struct crew *c, struct member *m, enum reviewer_refusal refusal)
{
	bool is_limit = refusal == REFUSAL_USAGE_LIMIT;

	if (is_limit)
		m->marked_at = clock_format_millis(c->arena, clock_real_us());
	set(m, MEMBER_UNWELL, is_limit ? STR(USAGE_LIMIT) : STR(NOT_LOGGED_IN));
}

void
crew_leave(struct crew *c, struct execution_state *s)
{
	struct resting_reviewer *all = arena_array(c->arena, s->resting_count + c->count,
						   struct resting_reviewer);
	size_t count = 0;

	for (size_t i = 0; i < s->resting_count; i++) {
		const struct member *m = crew_member(c, s->resting[i].name);

		if (!(m && m->marked_at.s) && rest_left_us(&s->resting[i]) > 0)
			all[count++] = s->resting[i];
	}
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].marked_at.s)
			all[count++] = (struct resting_reviewer){ c->items[i].name, c->items[i].marked_at,
								  STR(USAGE_LIMIT) };
	s->resting = all;
	s->resting_count = count;
}
