/* SPDX-License-Identifier: MIT */
/* Counts the new lines of a transcript. Memory is bounded by the longest line and the number of new messages. */
#include "client/usage.h"

#include "doc/json.h"
#include "os/clock.h"

/* In a message. */
#define TOKENS_MAX ((INT64_C(1) << 40) - 1)

#define PRICE(model, input, output, cache_read)                               \
	{                                                                     \
		{ model, sizeof(model) - 1 }, (input), (output), (cache_read) \
	}
/* As published in November 2026. Where a model has several prices, or none that is known here, the user has to say. */
static const struct model_price prices[] = {
	PRICE("claude-opus-5-5", 4000, 20000, 200),   PRICE("claude-opus-5", 5000, 25000, 500),
	PRICE("claude-opus-4-8", 5000, 25000, 500),   PRICE("claude-opus-4-7", 5000, 25000, 500),
	PRICE("claude-opus-4-6", 5000, 25000, 500),   PRICE("claude-opus-4-5", 5000, 25000, 500),
	PRICE("claude-opus-4-1", 15000, 75000, 1500), PRICE("claude-sonnet-5", 2000, 10000, 200),
	PRICE("claude-sonnet-4", 3000, 15000, 300),   PRICE("claude-haiku-4-5", 1000, 5000, 100),
	PRICE("claude-fable-5", 10000, 50000, 1000),
};

static const struct model_price *
longest(struct str model, const struct model_price *list, size_t count)
{
	const struct model_price *best = NULL;

	for (size_t i = 0; i < count; i++) {
		struct str name = list[i].model;
		/* 4-1 is not the beginning of 4-15 */
		bool is_it = str_starts(model, name) &&
			     (model.n == name.n || model.s[name.n] < '0' || model.s[name.n] > '9');

		if (is_it && (!best || name.n > best->model.n))
			best = &list[i];
	}
	return best;
}

const struct model_price *
price_of(struct str model, const struct model_price *own, size_t own_count)
{
	const struct model_price *p = longest(model, own, own_count);

	return p ? p : longest(model, prices, COUNT_OF(prices));
}

/* ---- messages ---- */

/* Those that were seen, by the hash of their id: open addressing, never more than half full. */
struct seen {
	struct usage_message *slots;
	size_t count, capacity; /* a power of two */
};

static struct usage_message *
slot_of(const struct seen *s, uint64_t id)
{
	size_t at = (size_t)id & (s->capacity - 1);

	while (s->slots[at].id != 0 && s->slots[at].id != id)
		at = (at + 1) & (s->capacity - 1);
	return &s->slots[at];
}

/* The message, which is new if it has no counts. */
static struct usage_message *
find_message(struct arena *a, struct seen *s, uint64_t id)
{
	if (2 * (s->count + 1) > s->capacity) {
		struct seen larger = { .count = s->count, .capacity = s->capacity ? 2 * s->capacity : 64 };

		larger.slots = arena_array(a, larger.capacity, struct usage_message);
		for (size_t i = 0; i < s->capacity; i++)
			if (s->slots[i].id != 0)
				*slot_of(&larger, s->slots[i].id) = s->slots[i];
		*s = larger;
	}
	struct usage_message *m = slot_of(s, id);

	if (m->id == 0) {
		m->id = id;
		s->count++;
	}
	return m;
}

/* Takes the larger value, and returns by how much it is larger than what was counted. */
static int64_t
raise_to(int64_t *counted, int64_t value)
{
	int64_t more = value > *counted ? value - *counted : 0;

	*counted += more;
	return more;
}

struct counting {
	struct arena *arena;
	const struct usage_request *request;
	struct usage *usage;
	struct seen seen;
	struct usage_message last[USAGE_LAST_MAX];
	size_t last_count;
};

static void
note_last(struct counting *c, uint64_t id)
{
	for (size_t i = 0; i < c->last_count; i++)
		if (c->last[i].id == id)
			return;
	if (c->last_count < USAGE_LAST_MAX)
		c->last[c->last_count++].id = id;
}

/* A message is written line by line as it grows, with the counts so far: what this one adds counts. */
static void
count_message(struct counting *c, const struct node *message)
{
	const struct node *usage = node_get(message, "usage");
	struct str id = node_get_str(message, "id"), model = node_get_str(message, "model");
	uint64_t hash = str_hash(STR_HASH_START, id) | 1;

	if (!usage || id.n == 0 || str_is(model, "<synthetic>"))
		return;
	const struct model_price *p = price_of(model, c->request->own, c->request->own_count);
	struct token_counts *counted = &find_message(c->arena, &c->seen, hash)->counts;
	int64_t in = node_get_count(usage, "input_tokens", TOKENS_MAX);
	int64_t out = node_get_count(usage, "output_tokens", TOKENS_MAX);
	int64_t read = node_get_count(usage, "cache_read_input_tokens", TOKENS_MAX);
	int64_t written = node_get_count(usage, "cache_creation_input_tokens", TOKENS_MAX);
	int64_t hour = node_get_count(node_get(usage, "cache_creation"), "ephemeral_1h_input_tokens",
				      TOKENS_MAX);

	in = raise_to(&counted->input, in);
	out = raise_to(&counted->output, out);
	read = raise_to(&counted->cache_read, read);
	written = raise_to(&counted->cache_write, written > hour ? written - hour : 0);
	hour = raise_to(&counted->cache_write_1h, hour);
	note_last(c, hash);
	c->usage->tokens += in + out + written + hour;
	if (p)
		c->usage->cost += in * p->input + out * p->output + read * p->cache_read +
				  written * p->input * 5 / 4 + hour * p->input * 2;
	else if (in + out + written + hour + read > 0)
		c->usage->unknown_model = str_copy(c->arena, model);
}

/* False: the message is from before the time that counts, and so are those above it. */
static bool
count_line(struct counting *c, struct str text)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	const struct usage_request *q = c->request;
	struct node line;
	int64_t time_us = 0, tokens = c->usage->tokens, cost = c->usage->cost;

	if (str_find(text, STR("\"usage\"")) < 0 || json_parse(&scratch, text, &line, IGNORED) < 0 ||
	    !str_is(node_get_str(&line, "type"), "assistant"))
		return true;
	bool has_time = (q->since_us > 0 || q->span_count > 0) &&
			clock_parse(node_get_str(&line, "timestamp"), &time_us);

	if (has_time && time_us < q->since_us)
		return false;
	count_message(c, node_get(&line, "message"));
	size_t i = has_time ? q->span_count : 0;

	while (i > 0 && q->spans[i - 1].until_us >= time_us)
		i--;
	if (has_time && i < q->span_count) {
		/* The transcript is read backwards, so that a span's last one is its first. */
		q->spans[i].first_us = time_us;
		q->spans[i].tokens += c->usage->tokens - tokens;
		q->spans[i].cost += c->usage->cost - cost;
	}
	return true;
}

/* ---- the file ---- */

int
usage_read(struct arena *a, const char *path, const struct usage_request *request, struct usage *u,
	   struct err *err)
{
	CLEANUP(new_lines_close) struct new_lines lines = NEW_LINES_NONE;
	struct counting c = { .arena = a, .request = request, .usage = u };
	struct str line;

	if (new_lines_open(&lines, path, &u->read, err) < 0)
		return -1;
	if (lines.is_other)
		*u = (struct usage){ 0 };
	for (size_t i = 0; i < u->last_count; i++)
		*find_message(a, &c.seen, u->last[i].id) = u->last[i];
	do {
		if (new_lines_next(&lines, &line, err) < 0)
			return -1;
	} while (line.s && count_line(&c, line));
	u->read = new_lines_place(&lines);
	/* The newest are first; older ones fill the rest. */
	for (size_t i = 0; i < u->last_count; i++)
		note_last(&c, u->last[i].id);
	for (size_t i = 0; i < c.last_count; i++)
		u->last[i] = *slot_of(&c.seen, c.last[i].id);
	u->last_count = c.last_count;
	return 0;
}
