/* SPDX-License-Identifier: MIT */
/* Turns a regular expression of Rust's regex crate into a program. Of Unicode it knows what patterns for prompts need: letters above
 * ASCII are letters, and upper and lower case of Latin-1, Greek and Cyrillic. */
#include "base/regex_program.h"

#include "base/utf8.h"

#include <string.h>

#define PROGRAM_MAX 4096
#define RANGES_MAX 2048
#define DEPTH_MAX 100
#define NO_LIMIT (-1)

enum part_kind { PART_EMPTY, PART_ONE, PART_SEQUENCE, PART_CHOICE, PART_REPEAT };
struct part {
	enum part_kind kind;
	struct instruction one;
	struct part *left, *right;
	int least, most;
};

struct flags {
	bool ignores_case, dot_takes_all, is_multi_line, is_verbose;
};

struct regex {
	struct arena *arena;
	struct str text;
	size_t at;
	struct flags flags;
	int depth;
	bool is_bad; /* not supported, or too large */
	struct range *ranges;
	int range_count;
	struct instruction *program;
	int count;
};

static struct part *parse_choice(struct regex *r);

static struct part *
new_part(struct regex *r, enum part_kind kind, struct part *left, struct part *right)
{
	struct part *p = arena_new(r->arena, struct part);

	*p = (struct part){ .kind = kind, .left = left, .right = right };
	return p;
}

static struct part *
one(struct regex *r, struct instruction i)
{
	struct part *p = new_part(r, PART_ONE, NULL, NULL);

	i.ignores_case = r->flags.ignores_case;
	p->one = i;
	return p;
}

static char
peek(const struct regex *r)
{
	return r->at < r->text.n ? r->text.s[r->at] : '\0';
}

static bool
is_at_end(const struct regex *r)
{
	return r->at >= r->text.n || r->is_bad;
}

static bool
take(struct regex *r, const char *text)
{
	if (!str_starts(str_sub(r->text, r->at, r->text.n), str_from(text)))
		return false;
	r->at += strlen(text);
	return true;
}

static uint32_t
take_character(struct regex *r)
{
	size_t n;
	uint32_t c = utf8_decode(str_sub(r->text, r->at, r->text.n), &n);

	r->at += n;
	return c;
}

/* ---- classes ---- */

static void
add_range(struct regex *r, uint32_t from, uint32_t to)
{
	if (r->range_count == RANGES_MAX)
		r->is_bad = true;
	else if (from <= to)
		r->ranges[r->range_count++] = (struct range){ from, to };
}

static const struct range digits[] = { { '0', '9' } };
static const struct range blanks[] = { { '\t', '\r' },     { ' ', ' ' },       { 0x85, 0x85 },
				       { 0xA0, 0xA0 },     { 0x1680, 0x1680 }, { 0x2000, 0x200A },
				       { 0x2028, 0x2029 }, { 0x202F, 0x202F }, { 0x205F, 0x205F },
				       { 0x3000, 0x3000 } };
static const struct range letters[] = { { 'A', 'Z' },
					{ 'a', 'z' },
					{ 0xAA, 0xAA },
					{ 0xB5, 0xB5 },
					{ 0xBA, 0xBA },
					{ 0xC0, 0x1FFF },
					{ 0x2C00, LAST_CHARACTER } };
const struct range regex_words[] = { { '0', '9' },   { 'A', 'Z' },     { '_', '_' },
				     { 'a', 'z' },   { 0xAA, 0xAA },   { 0xB5, 0xB5 },
				     { 0xBA, 0xBA }, { 0xC0, 0x1FFF }, { 0x2C00, LAST_CHARACTER } };
const struct range regex_upper[] = { { 'A', 'Z' }, { 0xC0, 0xDE }, { 0x391, 0x3A9 }, { 0x410, 0x42F } };
const struct range regex_lower[] = { { 'a', 'z' }, { 0xDF, 0xFF }, { 0x3B1, 0x3C9 }, { 0x430, 0x44F } };
const size_t regex_word_count = COUNT_OF(regex_words), regex_upper_count = COUNT_OF(regex_upper),
	     regex_lower_count = COUNT_OF(regex_lower);
static const struct range punctuation[] = {
	{ '!', '/' }, { ':', '@' }, { '[', '`' }, { '{', '~' }, { 0x2010, 0x2027 }
};

/* The table is sorted. */
static void
add_table(struct regex *r, const struct range *table, size_t count, bool is_negated)
{
	uint32_t next = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_negated)
			add_range(r, table[i].from, table[i].to);
		else if (table[i].from > next)
			add_range(r, next, table[i].from - 1);
		next = table[i].to + 1;
	}
	if (is_negated && next <= LAST_CHARACTER)
		add_range(r, next, LAST_CHARACTER);
}
#define ADD_TABLE(r, table, is_negated) add_table(r, table, COUNT_OF(table), is_negated)

static void
add_property(struct regex *r, bool is_negated)
{
	struct str name;

	if (take(r, "{")) {
		size_t from = r->at;

		while (!is_at_end(r) && peek(r) != '}')
			r->at++;
		name = str_sub(r->text, from, r->at++);
	} else {
		name = str_sub(r->text, r->at, r->at + 1);
		r->at++;
	}
	if (str_starts(name, STR("^"))) {
		name = str_sub(name, 1, name.n);
		is_negated = !is_negated;
	}
	if (str_is_word(name, "L") || str_is_word(name, "Letter") || str_is_word(name, "Alphabetic"))
		ADD_TABLE(r, letters, is_negated);
	else if (str_is_word(name, "Lu") || str_is_word(name, "Uppercase"))
		ADD_TABLE(r, regex_upper, is_negated);
	else if (str_is_word(name, "Ll") || str_is_word(name, "Lowercase"))
		ADD_TABLE(r, regex_lower, is_negated);
	else if (str_is_word(name, "N") || str_is_word(name, "Nd") || str_is_word(name, "Number"))
		ADD_TABLE(r, digits, is_negated);
	else if (str_is_word(name, "P") || str_is_word(name, "Punctuation"))
		ADD_TABLE(r, punctuation, is_negated);
	else
		r->is_bad = true;
}

static uint32_t
take_hex(struct regex *r, size_t digits_wanted)
{
	bool has_brace = take(r, "{");
	uint32_t value = 0;

	for (size_t i = 0; !is_at_end(r) && (has_brace ? peek(r) != '}' : i < digits_wanted); i++) {
		char c = r->text.s[r->at++];
		uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
				 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
				 : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
							: 16;

		if (digit == 16 || value > LAST_CHARACTER)
			r->is_bad = true;
		value = value * 16 + digit;
	}
	if (has_brace)
		r->at++;
	return value;
}

/* After a backslash. True: it was a set, whose ranges are added. False: it is the character *ret. */
static bool
take_escape(struct regex *r, uint32_t *ret)
{
	uint32_t c = take_character(r);
	bool is_negated = c < 128 && strchr("DSWP", (int)c) && c;

	switch (c) {
	case 'd':
	case 'D':
		ADD_TABLE(r, digits, is_negated);
		return true;
	case 's':
	case 'S':
		ADD_TABLE(r, blanks, is_negated);
		return true;
	case 'w':
	case 'W':
		ADD_TABLE(r, regex_words, is_negated);
		return true;
	case 'p':
	case 'P':
		add_property(r, is_negated);
		return true;
	case 'n':
		c = '\n';
		break;
	case 't':
		c = '\t';
		break;
	case 'r':
		c = '\r';
		break;
	case 'f':
		c = '\f';
		break;
	case 'v':
		c = '\v';
		break;
	case 'a':
		c = '\a';
		break;
	case 'x':
		c = take_hex(r, 2);
		break;
	case 'u':
		c = take_hex(r, 4);
		break;
	case 'U':
		c = take_hex(r, 8);
		break;
	default:
		break;
	}
	*ret = c;
	return false;
}

static bool
take_named_class(struct regex *r)
{
	static const struct {
		const char *name;
		const struct range ranges[5];
	} classes[] = {
		{ "alpha", { { 'A', 'Z' }, { 'a', 'z' } } },
		{ "digit", { { '0', '9' } } },
		{ "alnum", { { '0', '9' }, { 'A', 'Z' }, { 'a', 'z' } } },
		{ "upper", { { 'A', 'Z' } } },
		{ "lower", { { 'a', 'z' } } },
		{ "space", { { '\t', '\r' }, { ' ', ' ' } } },
		{ "blank", { { '\t', '\t' }, { ' ', ' ' } } },
		{ "punct", { { '!', '/' }, { ':', '@' }, { '[', '`' }, { '{', '~' } } },
		{ "word", { { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' } } },
		{ "xdigit", { { '0', '9' }, { 'A', 'F' }, { 'a', 'f' } } },
	};
	size_t start = r->at;

	if (!take(r, "[:"))
		return false;
	bool is_negated = take(r, "^");

	for (size_t i = 0; i < COUNT_OF(classes); i++) {
		size_t at = r->at, count = 0;

		if (!take(r, classes[i].name) || !take(r, ":]")) {
			r->at = at;
			continue;
		}
		while (count < COUNT_OF(classes[i].ranges) && classes[i].ranges[count].to)
			count++;
		add_table(r, classes[i].ranges, count, is_negated);
		return true;
	}
	r->at = start;
	return false;
}

/* After the opening bracket. */
static struct instruction
parse_class(struct regex *r)
{
	struct instruction i = { .op = OP_CLASS, .x = r->range_count };
	bool is_first = true;

	i.is_negated = take(r, "^");
	for (; !is_at_end(r) && (peek(r) != ']' || is_first); is_first = false) {
		uint32_t from, to;

		if (take_named_class(r))
			continue;
		/* Sets of sets are not supported. */
		if (peek(r) == '[' || (!is_first && (take(r, "&&") || take(r, "~~") || take(r, "--")))) {
			r->is_bad = true;
			break;
		}
		if (take(r, "\\")) {
			if (take_escape(r, &from))
				continue;
		} else {
			from = take_character(r);
		}
		to = from;
		if (peek(r) == '-' && r->at + 1 < r->text.n && r->text.s[r->at + 1] != ']') {
			r->at++;
			if (take(r, "\\")) {
				if (take_escape(r, &to))
					r->is_bad = true;
			} else {
				to = take_character(r);
			}
		}
		add_range(r, from, to);
	}
	r->at++;
	i.y = r->range_count;
	return i;
}

/* ---- the pattern ---- */

/* After `(?`: the flags. True: a group follows. */
static bool
parse_flags(struct regex *r)
{
	bool is_on = true;

	while (!is_at_end(r)) {
		switch (r->text.s[r->at++]) {
		case '-':
			is_on = false;
			break;
		case 'i':
			r->flags.ignores_case = is_on;
			break;
		case 's':
			r->flags.dot_takes_all = is_on;
			break;
		case 'm':
			r->flags.is_multi_line = is_on;
			break;
		case 'x':
			r->flags.is_verbose = is_on;
			break;
		case ':':
			return true;
		case ')':
			return false;
		default:
			break; /* U, u and R do not change whether it matches, as far as is known here */
		}
	}
	return false;
}

static struct part *
parse_group(struct regex *r)
{
	struct flags before = r->flags;

	if (take(r, "?P<") || take(r, "?<")) {
		while (!is_at_end(r) && r->text.s[r->at++] != '>')
			continue;
	} else if (take(r, "?") && !parse_flags(r)) {
		return new_part(r, PART_EMPTY, NULL,
				NULL); /* the flags stay set to the end of the outer group */
	}
	if (++r->depth > DEPTH_MAX)
		r->is_bad = true;
	struct part *inner = r->is_bad ? new_part(r, PART_EMPTY, NULL, NULL) : parse_choice(r);

	r->depth--;
	r->at++; /* the closing parenthesis */
	r->flags = before;
	return inner;
}

static struct part *
character(struct regex *r, uint32_t c)
{
	int first = r->range_count;

	add_range(r, c, c);
	return one(r, (struct instruction){ .op = OP_CLASS, .x = first, .y = r->range_count });
}

static struct part *
parse_escaped(struct regex *r)
{
	int first = r->range_count;
	uint32_t c;

	if (take(r, "b{start}") || take(r, "b{end}") || take(r, "b{start-half}") || take(r, "b{end-half}") ||
	    take(r, "b") || take(r, "<") || take(r, ">"))
		return one(r, (struct instruction){ .op = OP_WORD });
	if (take(r, "B"))
		return one(r, (struct instruction){ .op = OP_NOT_WORD });
	if (take(r, "A"))
		return one(r, (struct instruction){ .op = OP_START });
	if (take(r, "z"))
		return one(r, (struct instruction){ .op = OP_END });
	if (!take_escape(r, &c))
		return character(r, c);
	return one(r, (struct instruction){ .op = OP_CLASS, .x = first, .y = r->range_count });
}

static struct part *
parse_atom(struct regex *r)
{
	int first = r->range_count;

	if (take(r, "("))
		return parse_group(r);
	if (take(r, "["))
		return one(r, parse_class(r));
	if (take(r, "\\"))
		return parse_escaped(r);
	if (take(r, "^"))
		return one(r,
			   (struct instruction){ .op = r->flags.is_multi_line ? OP_LINE_START : OP_START });
	if (take(r, "$"))
		return one(r, (struct instruction){ .op = r->flags.is_multi_line ? OP_LINE_END : OP_END });
	if (take(r, ".")) {
		if (!r->flags.dot_takes_all)
			add_range(r, '\n', '\n');
		return one(r, (struct instruction){
				      .op = OP_CLASS, .x = first, .y = r->range_count, .is_negated = true });
	}
	return character(r, take_character(r));
}

static int
take_number(struct regex *r)
{
	int value = 0;

	while (!is_at_end(r) && peek(r) >= '0' && peek(r) <= '9') {
		value = value * 10 + (r->text.s[r->at++] - '0');
		if (value > PROGRAM_MAX)
			r->is_bad = true;
	}
	return value;
}

static struct part *
repeat(struct regex *r, struct part *p, int least, int most)
{
	struct part *all = new_part(r, PART_REPEAT, p, NULL);

	all->least = least;
	all->most = most;
	(void)take(r, "?"); /* whether it takes as few as possible does not change whether it matches */
	return all;
}

static struct part *
parse_repeats(struct regex *r, struct part *p)
{
	while (!is_at_end(r)) {
		if (take(r, "*")) {
			p = repeat(r, p, 0, NO_LIMIT);
		} else if (take(r, "+")) {
			p = repeat(r, p, 1, NO_LIMIT);
		} else if (take(r, "?")) {
			p = repeat(r, p, 0, 1);
		} else if (take(r, "{")) {
			int least = take_number(r), most = least;

			if (take(r, ","))
				most = peek(r) == '}' ? NO_LIMIT : take_number(r);
			r->at++;
			p = repeat(r, p, least, most);
		} else {
			break;
		}
	}
	return p;
}

static void
skip_verbose(struct regex *r)
{
	while (r->flags.is_verbose && !is_at_end(r) && (str_is_blank(peek(r)) || peek(r) == '#')) {
		bool is_comment = peek(r) == '#';

		r->at++;
		while (is_comment && !is_at_end(r) && peek(r) != '\n')
			r->at++;
	}
}

static struct part *
parse_sequence(struct regex *r)
{
	struct part *all = new_part(r, PART_EMPTY, NULL, NULL);

	for (skip_verbose(r); !is_at_end(r) && peek(r) != '|' && peek(r) != ')'; skip_verbose(r)) {
		struct part *next = parse_repeats(r, parse_atom(r));

		all = new_part(r, PART_SEQUENCE, all, next);
	}
	return all;
}

static struct part *
parse_choice(struct regex *r)
{
	struct part *all = parse_sequence(r);

	while (!is_at_end(r) && take(r, "|"))
		all = new_part(r, PART_CHOICE, all, parse_sequence(r));
	return all;
}

/* ---- the program ---- */

static int
emit(struct regex *r, struct instruction i)
{
	if (r->count == PROGRAM_MAX) {
		r->is_bad = true;
		return 0;
	}
	r->program[r->count] = i;
	return r->count++;
}

static void compile(struct regex *r, const struct part *p);

static void
compile_repeat(struct regex *r, const struct part *p)
{
	int split;

	for (int i = 0; i < p->least && !r->is_bad; i++)
		compile(r, p->left);
	if (p->most == NO_LIMIT) {
		split = emit(r, (struct instruction){ .op = OP_SPLIT });
		compile(r, p->left);
		int jump = emit(r, (struct instruction){ .op = OP_JUMP, .x = split });

		r->program[split].x = split + 1;
		r->program[split].y = jump + 1;
		return;
	}
	for (int i = p->least; i < p->most && !r->is_bad; i++) {
		split = emit(r, (struct instruction){ .op = OP_SPLIT });
		compile(r, p->left);
		r->program[split].x = split + 1;
		r->program[split].y = r->count;
	}
}

static void
compile(struct regex *r, const struct part *p)
{
	int split, jump;

	if (r->is_bad)
		return;
	switch (p->kind) {
	case PART_EMPTY:
		break;
	case PART_ONE:
		(void)emit(r, p->one);
		break;
	case PART_SEQUENCE:
		compile(r, p->left);
		compile(r, p->right);
		break;
	case PART_CHOICE:
		split = emit(r, (struct instruction){ .op = OP_SPLIT });
		compile(r, p->left);
		jump = emit(r, (struct instruction){ .op = OP_JUMP });
		r->program[split].x = split + 1;
		r->program[split].y = r->count;
		compile(r, p->right);
		r->program[jump].x = r->count;
		break;
	case PART_REPEAT:
		compile_repeat(r, p);
		break;
	}
}

bool
regex_compile(struct arena *a, struct str pattern, bool ignores_case, struct regex_program *ret)
{
	struct regex r = { .arena = a,
			   .text = pattern,
			   .flags.ignores_case = ignores_case,
			   .ranges = arena_array(a, RANGES_MAX, struct range),
			   .program = arena_array(a, PROGRAM_MAX + 1, struct instruction) };
	const struct part *all = parse_choice(&r);

	compile(&r, all);
	r.program[r.count++] = (struct instruction){ .op = OP_MATCH };
	*ret = (struct regex_program){ r.ranges, r.program, r.count };
	return !r.is_bad;
}
