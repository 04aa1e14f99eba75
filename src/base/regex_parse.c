/* SPDX-License-Identifier: MIT */
/* Turns a regular expression of Rust's regex crate into a program. Of Unicode it knows what patterns for prompts need: letters above
 * ASCII are letters, and upper and lower case of Latin-1, Greek and Cyrillic. */
#include "base/regex_read.h"

#define PROGRAM_MAX 4096
#define DEPTH_MAX 100
#define NO_LIMIT (-1)

enum part_kind { PART_EMPTY, PART_ONE, PART_SEQUENCE, PART_CHOICE, PART_REPEAT };
struct part {
	enum part_kind kind;
	struct instruction one;
	struct part *left, *right;
	int least, most;
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

	regex_add_range(r, c, c);
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
	if (!regex_take_escape(r, &c))
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
		return one(r, regex_parse_class(r));
	if (take(r, "\\"))
		return parse_escaped(r);
	if (take(r, "^"))
		return one(r,
			   (struct instruction){ .op = r->flags.is_multi_line ? OP_LINE_START : OP_START });
	if (take(r, "$"))
		return one(r, (struct instruction){ .op = r->flags.is_multi_line ? OP_LINE_END : OP_END });
	if (take(r, ".")) {
		if (!r->flags.dot_takes_all)
			regex_add_range(r, '\n', '\n');
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
