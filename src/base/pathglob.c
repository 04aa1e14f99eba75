/* SPDX-License-Identifier: MIT */
/* Path patterns. The alternatives of braces are patterns of their own; each backtracks only to the last star. The work is
 * counted, so that no pattern can hang a run. */
#include "base/pathglob.h"

#include "base/glob.h"

/* Steps of a match, and the bytes of the patterns that braces turn into. */
#define WORK_MAX 1000000
#define PARTS_BYTES MIB(4)
#define GROUPS_MAX 16

bool
pathglob_is_pattern(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (memchr("*?[{", text.s[i], 4))
			return true;
	return false;
}

/* The length of the class at the start, with both brackets; 0 if it does not end. Its first character belongs to it even if
 * it is a bracket. */
static size_t
class_length(struct str p)
{
	bool is_negated = p.n > 1 && (p.s[1] == '!' || p.s[1] == '^');
	size_t i = is_negated ? 2 : 1;
	bool is_first = true;

	while (i < p.n && (is_first || p.s[i] != ']')) {
		i += p.s[i] == '\\' && i + 1 < p.n ? 2 : 1;
		is_first = false;
	}
	return i < p.n ? i + 1 : 0;
}

/* The length of the element at the start: an escape, a class, or one byte. 0: a class that does not end. */
static size_t
element_length(struct str p)
{
	if (p.s[0] == '\\')
		return p.n > 1 ? 2 : 1;
	return p.s[0] == '[' ? class_length(p) : 1;
}

bool
pathglob_is_valid(struct str p)
{
	size_t depth = 0, n;

	if (p.n > PATHGLOB_BYTES)
		return false;
	for (size_t i = 0; i < p.n; i += n) {
		n = 1;
		/* Most characters are none of [ \ ] and { | }, which differ by one bit, and are neighbours. */
		if ((unsigned char)((p.s[i] | 0x20) - '{') > '}' - '{')
			continue;
		n = element_length(str_rest(p, i));
		if (n == 0)
			return false;
		depth += p.s[i] == '{';
		depth -= p.s[i] == '}' && depth > 0;
	}
	return depth == 0;
}

/* Does the first element of the pattern, which is not a star, match the first character of the text? *ret_p and *ret_t are
 * their lengths. */
static bool
matches_one(struct str p, struct str t, size_t *ret_p, size_t *ret_t)
{
	uint32_t c = utf8_decode(t, ret_t);

	*ret_p = 1;
	if (p.s[0] == '?')
		return t.s[0] != '/';
	if (p.s[0] == '[') {
		bool is_negated = p.s[1] == '!' || p.s[1] == '^';

		*ret_p = class_length(p);
		return t.s[0] != '/' &&
		       glob_class_has(str_sub(p, 1 + is_negated, *ret_p - 1), c, true) != is_negated;
	}
	bool is_escaped = p.s[0] == '\\' && p.n > 1;
	struct str literal = str_rest(p, is_escaped);
	size_t n;

	(void)utf8_decode(literal, &n);
	*ret_p = is_escaped + n;
	return str_eq(str_sub(literal, 0, n), str_sub(t, 0, *ret_t));
}

/* Is ** here, as a component of its own? */
static bool
is_deep(struct str p, size_t at)
{
	struct str here = str_rest(p, at);

	return str_starts(here, STR("**")) && (at == 0 || p.s[at - 1] == '/') &&
	       (here.n == 2 || here.s[2] == '/');
}

/* Where to continue if the last star or ** takes more; pattern is SIZE_MAX if there was none. */
struct back {
	size_t pattern, text;
};

static bool
go_back(struct str t, struct back *star, struct back *deep, size_t *pi, size_t *ti)
{
	if (star->pattern != SIZE_MAX && star->text < t.n && t.s[star->text] != '/') {
		size_t n;

		(void)utf8_decode(str_rest(t, star->text), &n);
		star->text += n;
		*pi = star->pattern, *ti = star->text;
		return true;
	}
	ptrdiff_t slash = deep->pattern == SIZE_MAX ? -1 : str_find_char(str_rest(t, deep->text), '/');

	if (slash < 0)
		return false;
	deep->text += (size_t)slash + 1;
	*pi = deep->pattern, *ti = deep->text;
	star->pattern = SIZE_MAX;
	return true;
}

/* For a pattern without braces; *work counts the steps. */
static bool
matches_simple(struct str p, struct str t, size_t *work)
{
	size_t pi = 0, ti = 0, in_p, in_t;
	struct back star = { SIZE_MAX, 0 }, deep = { SIZE_MAX, 0 };

	while (ti < t.n || pi < p.n) {
		if (++*work > WORK_MAX)
			return false;
		if (pi < p.n && is_deep(p, pi)) {
			if (pi + 2 == p.n)
				return ti < t.n;
			pi += 3; /* with its slash: it may match no component */
			deep = (struct back){ pi, ti };
			star.pattern = SIZE_MAX;
		} else if (pi < p.n && p.s[pi] == '*') {
			while (pi < p.n && p.s[pi] == '*')
				pi++;
			star = (struct back){ pi, ti };
		} else if (pi < p.n && ti < t.n &&
			   matches_one(str_rest(p, pi), str_rest(t, ti), &in_p, &in_t)) {
			pi += in_p, ti += in_t;
		} else if (!go_back(t, &star, &deep, &pi, &ti)) {
			return false;
		}
	}
	return true;
}

/* The end of the alternative that starts at `from`: its comma or closing brace. */
static size_t
alternative_end(struct str p, size_t from)
{
	size_t depth = 0, i = from;

	while (depth > 0 || (p.s[i] != ',' && p.s[i] != '}')) {
		depth += p.s[i] == '{';
		depth -= p.s[i] == '}';
		i += element_length(str_rest(p, i));
	}
	return i;
}

/* Adds the alternatives of the pattern to the parts. False: there are too many, or more than GROUPS_MAX pairs of braces. */
static bool
add_parts(struct pathglob *g, struct arena *a, struct str p, int group, size_t *bytes)
{
	size_t begin = 0, end;

	*bytes += p.n + 1;
	if (*bytes > PARTS_BYTES || group > GROUPS_MAX)
		return false;
	while (begin < p.n && p.s[begin] != '{')
		begin += element_length(str_rest(p, begin));
	if (begin == p.n) {
		*arena_push(a, g->parts, g->count) = p;
		return true;
	}
	for (end = begin; p.s[end] != '}' || end == begin;)
		end = alternative_end(p, end + 1);
	for (size_t from = begin + 1, to; from <= end; from = to + 1) {
		to = alternative_end(p, from);
		struct str one = str_cat(a, str_sub(p, 0, begin), str_sub(p, from, to), str_rest(p, end + 1));

		if (!add_parts(g, a, one, group + 1, bytes))
			return false;
	}
	return true;
}

static bool
is_special(char c)
{
	return c == '*' || c == '?' || c == '[' || c == '\\';
}

/* What each path that matches the pattern, which has no braces, begins and ends with. */
static void
find_literals(struct str p, struct str *ret_prefix, struct str *ret_suffix)
{
	size_t prefix = 0, suffix = p.n;

	while (prefix < p.n && !is_special(p.s[prefix]))
		prefix++;
	while (suffix > 0 && !is_special(p.s[suffix - 1]) && p.s[suffix - 1] != ']')
		suffix--;
	/* A character after a backslash is part of the escape. */
	suffix += suffix > 0 && p.s[suffix - 1] == '\\' && suffix < p.n;
	*ret_prefix = str_sub(p, 0, prefix);
	*ret_suffix = str_rest(p, suffix);
	/* The slash after ** goes with it: it may match no component. */
	if (suffix > 1 && str_starts(*ret_suffix, STR("/")) && is_deep(p, suffix - 2))
		*ret_suffix = str_rest(*ret_suffix, 1);
}

struct pathglob
pathglob_compile(struct arena *a, struct str pattern)
{
	struct pathglob g = { .prefix = STR(""), .suffix = STR("") };
	size_t bytes = 0;

	for (; pattern.n > 0 && pattern.s[0] == '!'; pattern = str_rest(pattern, 1))
		g.is_negated = !g.is_negated;
	g.is_valid = pathglob_is_valid(pattern) && add_parts(&g, a, pattern, 0, &bytes);
	for (size_t i = 0; g.is_valid && !g.is_negated && i < g.count; i++) {
		struct str prefix, suffix;
		size_t n = 0;

		find_literals(g.parts[i], &prefix, &suffix);
		if (i == 0) {
			g.prefix = prefix;
			g.suffix = g.count == 1 ? suffix : STR("");
		}
		while (n < prefix.n && n < g.prefix.n && prefix.s[n] == g.prefix.s[n])
			n++;
		g.prefix.n = n;
	}
	return g;
}

bool
pathglob_matches(const struct pathglob *g, struct str path)
{
	size_t work = 0;

	if (!g->is_valid || !str_starts(path, g->prefix) || !str_ends(path, g->suffix))
		return false;
	for (size_t i = 0; i < g->count && work <= WORK_MAX; i++)
		if (matches_simple(g->parts[i], path, &work))
			return !g->is_negated;
	return work <= WORK_MAX && g->is_negated;
}

bool
pathglob_match(struct str pattern, struct str path)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct pathglob g = pathglob_compile(&a, pattern);

	return pathglob_matches(&g, path);
}
