/* SPDX-License-Identifier: MIT */
/* The tokens that a session has used and what they cost, from its transcript in Claude Code's format. Each message counts once,
 * however many lines it has. A stop reads only the lines that were added since the last one. */
#ifndef CLIENT_USAGE_H
#define CLIENT_USAGE_H

#include "client/new_lines.h"

/* In billionths of a US dollar per token, which is dollars per million tokens times 1000. */
struct model_price {
	struct str model; /* the beginning of its name */
	int64_t input, output, cache_read;
};

/* Of a message, or of several. */
struct token_counts {
	int64_t input, output, cache_write, cache_write_1h, cache_read;
};

/* The newest messages of the last reading, whose lines may go on in the next. */
#define USAGE_LAST_MAX 8
struct usage_message {
	uint64_t id; /* a hash of it */
	struct token_counts counts;
};

struct usage {
	struct read_place read;
	int64_t tokens; /* input, output and written to the cache; what is read from it was sent before */
	int64_t cost;   /* in billionths of a US dollar */
	struct str unknown_model; /* has no price, so the cost lacks its messages; absent: none */
	struct usage_message last[USAGE_LAST_MAX];
	size_t last_count;
};

/* The price of a model: the longest name in either list that it begins with, the user's first. NULL: there is none. Pure. */
const struct model_price *price_of(struct str model, const struct model_price *own, size_t own_count);

/* A span of time: the messages after the end of the span before, up to its own. */
struct usage_span {
	int64_t until_us;
	int64_t first_us; /* of its first message; 0: it has none */
	int64_t tokens, cost;
};
struct usage_request {
	int64_t since_us; /* messages before that do not count; 0: all do */
	const struct model_price *own;
	size_t own_count;
	struct usage_span *spans; /* to be counted too; in order */
	size_t span_count;
};
/* Adds to *u, and to the spans, what is new in the transcript. */
int usage_read(struct arena *a, const char *path, const struct usage_request *request, struct usage *u,
	       struct err *err) MUST_CHECK;

#endif
