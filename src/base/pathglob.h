/* SPDX-License-Identifier: MIT */
/* Patterns for paths in the gates' configuration: * and ? do not match a slash; ** as a component matches any number of
 * components (at least one at the end); [abc] [a-z] [!a] [^a] match one character other than a slash; {a,b/c} matches each of
 * its alternatives and may be nested; \ quotes the next character; a leading ! negates. The pattern must match all of the
 * path. A leading dot is not special, and ./ is not removed. */
#ifndef BASE_PATHGLOB_H
#define BASE_PATHGLOB_H

#include "base/base.h"

/* A malformed pattern (an open [ or {) matches nothing, negated or not. The work is bounded: a pattern longer than PATHGLOB_BYTES,
 * with more than sixteen pairs of braces or with too many alternatives matches nothing either. */
#define PATHGLOB_BYTES 4096
bool pathglob_match(struct str pattern, struct str path);

/* A pattern that is matched with many paths. */
struct pathglob {
	bool is_negated, is_valid;
	struct str *parts; /* without braces: the path matches one of them */
	size_t count;
	struct str prefix; /* every path that matches begins with it; empty if the pattern is negated */
	struct str suffix; /* likewise ends */
};
/* The pattern must outlive it. */
struct pathglob pathglob_compile(struct arena *a, struct str pattern);
bool pathglob_matches(const struct pathglob *g, struct str path);
/* False: it is malformed or too long. */
bool pathglob_is_valid(struct str pattern);
/* Does it contain any of * ? [ { ? */
bool pathglob_is_pattern(struct str text);

#endif
