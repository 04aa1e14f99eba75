/* SPDX-License-Identifier: MIT */
/* The grammar of Rust's regex crate. One pass over a pattern finds what the crate refuses (look-around, backreferences, unknown
 * escapes, unbalanced brackets, repetitions of nothing) and writes the rest in PCRE2's grammar: PCRE2 gets no construct that this
 * file has not written, and matches within limits that hold for any pattern and any text. */
#include "base/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Of a pattern in PCRE2's grammar. */
#define PATTERN_LIMIT_BYTES KIB(64)
#define DEPTH_LIMIT 100
#define NO_LIMIT UINT32_MAX

/* In place of a character. */
enum { UNKNOWN_CHARACTER = -1, IS_SET = -2, IS_ASSERTION = -3 };

enum item { ITEM_NONE, ITEM_CHARACTER, ITEM_GROUP, ITEM_ASSERTION, ITEM_REPEATED };

struct flags {
	bool is_verbose; /* x: blanks and comments are ignored */
	bool ignores_case;
};

struct translation {
	struct arena *arena;
	struct str rest;     /* of the pattern */
	const char *problem; /* NULL: none yet */
	const char *problem_at;
	struct buf out;
	bool is_unsupported; /* valid, but PCRE2 has nothing like it */
	struct flags flags;
	enum item last; /* the kind of the last item, and where it begins in `out` */
	size_t last_at;
	size_t depth; /* open groups */
	struct {
		size_t at;
		struct flags before;
	} groups[DEPTH_LIMIT];
};

static int
fail(struct translation *t, const char *at, const char *what)
{
	t->problem = what;
	t->problem_at = at;
	return UNKNOWN_CHARACTER;
}

static bool
is_among(char c, const char *set)
{
	return c && strchr(set, c);
}

/* The byte here; 0: the end. */
static char
peek(const struct translation *t)
{
	return t->rest.n > 0 ? t->rest.s[0] : '\0';
}

static bool
follows(const struct translation *t, const char *text)
{
	return str_starts(t->rest, str_from(text));
}

static bool
take(struct translation *t, const char *text)
{
	return str_skip(&t->rest, text);
}

static struct str
take_bytes(struct translation *t, size_t n)
{
	struct str bytes = str_sub(t->rest, 0, n);

	t->rest = str_rest(t->rest, n);
	return bytes;
}

/* The text up to c, which is taken, too. Absent: there is no c. */
static struct str
take_until(struct translation *t, char c)
{
	bool is_there = str_find_char(t->rest, c) >= 0;
	struct str text = str_before(t->rest, c);

	t->rest = str_rest(t->rest, text.n + is_there);
	return is_there ? text : STR_NONE;
}

static void
begin_item(struct translation *t, enum item item)
{
	t->last = item;
	t->last_at = t->out.n;
}

/* ---- escapes ---- */

/* PCRE2 knows the general categories by their short names only, and case has no influence on them. */
static struct str
property(const struct translation *t, char c, struct str name)
{
	static const struct {
		const char *name, *shortened;
		bool has_cases;
	} rows[] = {
		{ "Letter", "L", false },      { "Mark", "M", false },      { "Number", "N", false },
		{ "Punctuation", "P", false }, { "Symbol", "S", false },    { "Separator", "Z", false },
		{ "Other", "C", false },       { "Lu", "L&", true },        { "Ll", "L&", true },
		{ "Uppercase", "L&", true },   { "Lowercase", "L&", true },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (str_is_word(name, rows[i].name) && (!rows[i].has_cases || t->flags.ignores_case))
			name = str_from(rows[i].shortened);
	return str_cat(t->arena, "\\", c, "{", name, "}");
}

/* At a backslash. Returns the character, or writes PCRE2's word for the set or the assertion to *ret. */
static int
take_escape(struct translation *t, bool is_in_class, struct str *ret)
{
	static const struct {
		const char *name, *text;
	} assertions[] = {
		{ "b{start}", "\\b(?=\\w)" },
		{ "b{end}", "\\b(?<=\\w)" },
		{ "b{start-half}", "(?<!\\w)" },
		{ "b{end-half}", "(?!\\w)" },
		{ "b", "\\b" },
		{ "B", "\\B" },
		{ "A", "\\A" },
		{ "z", "\\z" },
		{ "<", "\\b(?=\\w)" },
		{ ">", "\\b(?<=\\w)" },
	};
	static const char letters[] = "aftnrv", characters[] = "\a\f\t\n\r\v";
	const char *from = take_bytes(t, 1).s;
	char c = peek(t);

	if (t->rest.n == 0)
		return fail(t, from, "incomplete escape sequence, reached end of pattern prematurely");
	if (is_digit(c))
		return fail(t, from, "backreferences are not supported");
	for (size_t i = 0; i < COUNT_OF(assertions); i++) {
		if (!take(t, assertions[i].name))
			continue;
		*ret = str_from(assertions[i].text);
		return is_in_class ? fail(t, from, "invalid escape sequence found in character class")
				   : IS_ASSERTION;
	}
	(void)take_bytes(t, 1);
	if (is_among(c, letters))
		return characters[strchr(letters, c) - letters];
	if (is_among(c, "dswDSW")) {
		*ret = str_cat(t->arena, "\\", c);
		return IS_SET;
	}
	if (is_among(c, "pPxuU")) {
		size_t digits = c == 'U' ? 8 : c == 'u' ? 4 : c == 'x' ? 2 : 1;
		struct str name = take(t, "{") ? take_until(t, '}') : take_bytes(t, digits);
		uint32_t value;

		if (!name.s)
			return fail(t, from,
				    "incomplete escape sequence, reached end of pattern prematurely");
		if (digits == 1) {
			*ret = property(t, c, name);
			return IS_SET;
		}
		if (number_parse_hex(name, &value) && value <= 0x10FFFF)
			return (int)value;
		t->is_unsupported = true;
		return UNKNOWN_CHARACTER;
	}
	if (is_letter(c) || (unsigned char)c >= 0x80)
		return fail(t, from, "unrecognized escape sequence");
	return c;
}

/* A character or an escape, as take_escape(). */
static int
take_character(struct translation *t, bool is_in_class, struct str *ret)
{
	return peek(t) == '\\' ? take_escape(t, is_in_class, ret) : (int)utf8_take(&t->rest);
}

/* ---- classes ---- */

static void
skip_blanks(struct translation *t)
{
	while (t->flags.is_verbose && (str_is_blank(peek(t)) || peek(t) == '#'))
		if (take_bytes(t, 1).s[0] == '#')
			(void)take_until(t, '\n');
}

/* [:alpha:] and the like: ASCII alone, as PCRE2's are not if \w knows Unicode. */
static bool
take_named_class(struct translation *t)
{
	static const struct {
		const char *name, *members, *others;
	} classes[] = {
		{ "alnum", "0-9A-Za-z", "\\x{0}-/:-@\\[-`{-\\x{10ffff}" },
		{ "alpha", "A-Za-z", "\\x{0}-@\\[-`{-\\x{10ffff}" },
		{ "ascii", "\\x{0}-\\x{7f}", "\\x{80}-\\x{10ffff}" },
		{ "blank", "\\x{9}\\x{20}", "\\x{0}-\\x{8}\\x{a}-\\x{1f}!-\\x{10ffff}" },
		{ "cntrl", "\\x{0}-\\x{1f}\\x{7f}", "\\x{20}-~\\x{80}-\\x{10ffff}" },
		{ "digit", "0-9", "\\x{0}-/:-\\x{10ffff}" },
		{ "graph", "!-~", "\\x{0}-\\x{20}\\x{7f}-\\x{10ffff}" },
		{ "lower", "a-z", "\\x{0}-`{-\\x{10ffff}" },
		{ "print", "\\x{20}-~", "\\x{0}-\\x{1f}\\x{7f}-\\x{10ffff}" },
		{ "punct", "!-/:-@\\[-`{-~", "\\x{0}-\\x{20}0-9A-Za-z\\x{7f}-\\x{10ffff}" },
		{ "space", "\\x{9}-\\x{d}\\x{20}", "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{10ffff}" },
		{ "upper", "A-Z", "\\x{0}-@\\[-\\x{10ffff}" },
		{ "word", "0-9A-Z_a-z", "\\x{0}-/:-@\\[-\\^`{-\\x{10ffff}" },
		{ "xdigit", "0-9A-Fa-f", "\\x{0}-/:-@G-`g-\\x{10ffff}" },
	};
	struct str from = t->rest;

	if (!take(t, "[:"))
		return false;
	bool is_negated = take(t, "^");

	for (size_t i = 0; i < COUNT_OF(classes); i++)
		if (take(t, classes[i].name)) {
			if (!take(t, ":]"))
				break;
			buf_cat(&t->out, is_negated ? classes[i].others : classes[i].members);
			return true;
		}
	t->rest = from;
	return false;
}

/* A character or escape of a class, or a range of two. */
static void
parse_range(struct translation *t)
{
	const char *from = t->rest.s;
	struct str set = STR_NONE;
	int first = take_character(t, true, &set), last = first;

	if (!follows(t, "-]") && !follows(t, "--") && !t->problem && take(t, "-") && t->rest.n > 0) {
		last = take_character(t, true, &set);
		if (t->problem)
			return;
		if (first == IS_SET || last == IS_SET)
			(void)fail(t, from, "invalid range boundary, must be a literal");
		else if (last >= 0 && first > last)
			(void)fail(t, from, "invalid character class range, the start must be <= the end");
	}
	if (set.s)
		buf_add(&t->out, set);
	else
		buf_addf(&t->out, "\\x{%x}-\\x{%x}", (unsigned)first, (unsigned)last);
}

/* Moves past the start of a class, in which a first ']' is a character. */
static void
open_class(struct translation *t)
{
	(void)take(t, "[");
	buf_cat(&t->out, take(t, "^") ? "[^" : "[");
	skip_blanks(t);
	if (take(t, "]"))
		buf_cat(&t->out, "\\]");
	while (take(t, "-"))
		buf_cat(&t->out, "\\-");
}

/* Classes may be nested, which PCRE2 does not know. */
static void
parse_class(struct translation *t)
{
	const char *from = t->rest.s;
	int depth = 1;

	begin_item(t, ITEM_CHARACTER);
	open_class(t);
	while (depth > 0 && !t->problem) {
		skip_blanks(t);
		if (t->rest.n == 0) {
			(void)fail(t, from, "unclosed character class");
		} else if (take(t, "]")) {
			depth--;
		} else if (take(t, "&&") || take(t, "--") || take(t, "~~")) {
			t->is_unsupported = true;
		} else if (peek(t) != '[') {
			parse_range(t);
		} else if (!take_named_class(t)) {
			open_class(t);
			depth++;
			t->is_unsupported = true;
		}
	}
	buf_addc(&t->out, ']');
}

/* ---- groups and repetitions ---- */

static int
open_group(struct translation *t)
{
	const char *from = take_bytes(t, 1).s;
	struct flags before = t->flags;

	begin_item(t, ITEM_NONE);
	buf_cat(&t->out, "(?");
	if (follows(t, "?=") || follows(t, "?!") || follows(t, "?<=") || follows(t, "?<!"))
		return fail(t, from, "look-around, including look-ahead and look-behind, is not supported");
	if (take(t, "?P<") || take(t, "?<")) {
		if (!take_until(t, '>').s)
			return fail(t, from, "unclosed capture group name");
	} else if (take(t, "?")) {
		/* Flags that PCRE2 has in the same sense are passed on; the others do not change whether a pattern matches. */
		bool is_on = true, has_off = false;

		while (is_among(peek(t), "imsUuxR-")) {
			char flag = take_bytes(t, 1).s[0];

			is_on &= flag != '-';
			if (flag == 'x')
				t->flags.is_verbose = is_on;
			if (flag == 'i')
				t->flags.ignores_case = is_on;
			if (is_among(flag, "ims")) {
				buf_cat(&t->out, is_on || has_off ? "" : "-", flag);
				has_off |= !is_on;
			}
		}
		if (t->rest.s == from + 2 && peek(t) == ')')
			return fail(t, from, "repetition operator missing expression");
		if (take(t, ")")) {
			buf_addc(&t->out, ')');
			return 0;
		}
		if (!take(t, ":"))
			return fail(t, t->rest.s, t->rest.n == 0 ? "unclosed group" : "unrecognized flag");
	}
	buf_addc(&t->out, ':');
	if (t->depth < DEPTH_LIMIT) {
		t->groups[t->depth].at = t->last_at;
		t->groups[t->depth].before = before;
	}
	t->is_unsupported |= ++t->depth > DEPTH_LIMIT;
	return 0;
}

static bool
take_count(struct translation *t, uint32_t *ret)
{
	uint64_t count;

	if (!number_parse(take_bytes(t, str_digits(t->rest, 0)), &count) || count > UINT32_MAX)
		return false;
	*ret = (uint32_t)count;
	return true;
}

/* Repeats the last item, by the operator here. A repetition may be repeated. */
static int
parse_repetition(struct translation *t)
{
	const char *from = t->rest.s;
	uint32_t least = 0, most = NO_LIMIT;

	if (t->last == ITEM_NONE)
		return fail(t, from, "repetition operator missing expression");
	if (take(t, "+")) {
		least = 1;
	} else if (take(t, "?")) {
		most = 1;
	} else if (!take(t, "*")) {
		(void)take(t, "{");
		if (!take_count(t, &least))
			return fail(t, from, "repetition quantifier expects a valid decimal");
		if (!take(t, ","))
			most = least;
		else if (peek(t) != '}' && !take_count(t, &most))
			return fail(t, from, "repetition quantifier expects a valid decimal");
		if (!take(t, "}"))
			return fail(t, from, "unclosed counted repetition");
		if (least > most)
			return fail(t, from, "invalid repetition count range, the start must be <= the end");
	}
	struct str item = str_copy(t->arena, str_rest(buf_str(&t->out), t->last_at));

	t->out.n = t->last_at;
	if (t->last == ITEM_REPEATED || t->last == ITEM_ASSERTION)
		item = str_cat(t->arena, "(?:", item, ")");
	/* In `x+`, PCRE2's matcher counts the x, so that it has a state for each place where a match may begin; in `xx*` it does
	 * not. */
	if (t->last == ITEM_CHARACTER && most == NO_LIMIT && least > 0) {
		buf_cat(&t->out, item, "{", least, "}");
		least = 0;
	}
	buf_cat(&t->out, item, "{", least, ",");
	if (most != NO_LIMIT)
		buf_cat(&t->out, most);
	buf_addc(&t->out, '}');
	t->last = ITEM_REPEATED;
	/* Whether it takes as few as possible does not change whether it matches. */
	skip_blanks(t);
	(void)take(t, "?");
	return 0;
}

/* ---- patterns ---- */

static void
parse_element(struct translation *t)
{
	char c = peek(t);
	struct str text = STR_NONE;

	if (is_among(c, "*+?{")) {
		(void)parse_repetition(t);
	} else if (c == '(') {
		(void)open_group(t);
	} else if (c == ')') {
		if (t->depth == 0) {
			(void)fail(t, t->rest.s, "unopened group");
		} else if (--t->depth < DEPTH_LIMIT) {
			t->last_at = t->groups[t->depth].at;
			t->flags = t->groups[t->depth].before;
		}
		t->last = ITEM_GROUP;
		buf_add(&t->out, take_bytes(t, 1));
	} else if (c == '[') {
		parse_class(t);
	} else if (is_among(c, "^$|.")) {
		begin_item(t, c == '.' ? ITEM_CHARACTER : c == '|' ? ITEM_NONE : ITEM_ASSERTION);
		buf_add(&t->out, take_bytes(t, 1));
	} else {
		int character = take_character(t, false, &text);

		begin_item(t, character == IS_ASSERTION ? ITEM_ASSERTION : ITEM_CHARACTER);
		/* as a number, so that no character means something else to PCRE2 */
		if (character >= 0)
			buf_addf(&t->out, "\\x{%x}", (unsigned)character);
		buf_add(&t->out, text);
	}
}

/* *ret is the pattern in PCRE2's grammar; absent if PCRE2 has nothing like it, or if it is too large. */
static int
translate(struct arena *a, struct str pattern, bool ignores_case, struct str *ret, struct err *err)
{
	struct translation t = { .arena = a,
				 .rest = pattern,
				 .out = BUF(a, PATTERN_LIMIT_BYTES),
				 .flags.ignores_case = ignores_case };

	for (skip_blanks(&t); t.rest.n > 0 && !t.problem; skip_blanks(&t))
		parse_element(&t);
	if (!t.problem && t.depth > 0)
		(void)fail(&t, t.rest.s, "unclosed group");
	if (t.problem)
		return err_set(err, ERR_SYNTAX, "%s at offset %td", t.problem, t.problem_at - pattern.s);
	*ret = t.is_unsupported || t.out.is_cut ? STR_NONE : buf_str(&t.out);
	return 0;
}

int
regex_check(struct str pattern, struct err *err)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str ignored;

	return translate(&a, pattern, false, &ignored, err);
}

/* ---- matching ---- */

/* pcre2_dfa_match() moves all states of a pattern over the text at once, and compares them with each other at each character. It
 * fails if there are more states than it has room for. */
#define STATES_LIMIT 4000
#define INTS_OF_A_STATE 6
#define WORK_LIMIT 10000000000u

bool
regex_match(struct arena *a, struct str pattern, struct str text, bool ignores_case)
{
	uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_ANCHORED | PCRE2_DOLLAR_ENDONLY |
			   PCRE2_ALT_CIRCUMFLEX | (ignores_case ? PCRE2_CASELESS : 0);
	size_t states = STATES_LIMIT, where;
	struct str translated;
	int why, result = PCRE2_ERROR_NOMATCH;

	if (translate(a, pattern, ignores_case, &translated, IGNORED) < 0 || !translated.s)
		return false;
	text = utf8_clean(a, utf8_head(text, REGEX_TEXT_BYTES));
	/* The pattern itself skips the text before the match, so that one pass is enough. */
	translated = str_cat(a, "(*LF)(*LIMIT_MATCH=1000000)(*LIMIT_DEPTH=100)(*LIMIT_HEAP=1024)(?s:.*?)(?:",
			     translated, ")");
	while (states * states > WORK_LIMIT / (text.n + 1))
		states /= 2;
	size_t room = states * INTS_OF_A_STATE;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)translated.s, translated.n, options, &why, &where, NULL);
	pcre2_match_data *data = pcre2_match_data_create(1, NULL);

	if (code && data)
		result = pcre2_dfa_match(code, (PCRE2_SPTR)(text.n > 0 ? text.s : ""), text.n, 0,
					 PCRE2_DFA_SHORTEST, data, NULL, arena_array(a, room, int), room);
	pcre2_match_data_free(data);
	pcre2_code_free(code);
	return result >= 0;
}
