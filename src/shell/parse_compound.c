/* SPDX-License-Identifier: MIT */
/* Parses compound commands: if, loops, case, groups, subshells, [[ ]] and (( )). */
#include "shell/parser.h"

static void
expect(struct sh_parser *p, const char *word)
{
	sh_skip_lines(p);
	if (!sh_is_keyword(p, word))
		sh_fail(p, "a compound command does not end");
	p->at += p->failure ? 0 : str_from(word).n;
}

static void
add_list(struct sh_parser *p, struct sh_node *n)
{
	sh_add_child(p, n, sh_read_list(p));
}

static struct sh_node *
read_if(struct sh_parser *p)
{
	struct sh_node *n = sh_new_node(p, SH_IF);

	do {
		add_list(p, n);
		expect(p, "then");
		add_list(p, n);
		sh_skip_lines(p);
	} while (sh_take_keyword(p, "elif"));
	if (sh_take_keyword(p, "else"))
		add_list(p, n);
	expect(p, "fi");
	return n;
}

static struct sh_node *
read_loop(struct sh_parser *p)
{
	struct sh_node *n = sh_new_node(p, SH_LOOP);

	add_list(p, n);
	expect(p, "do");
	add_list(p, n);
	expect(p, "done");
	return n;
}

/* What is between (( and )), with what is expanded in it. */
static bool
read_math(struct sh_parser *p, struct sh_node *n)
{
	struct sh_parser trial = *p;
	size_t start = p->at + 2;
	int open = 0;

	if (!sh_looks_at(p, "(("))
		return false;
	for (trial.at = start; trial.at < p->text.n; trial.at++) {
		char c = p->text.s[trial.at];

		if (c == '(')
			open++;
		else if (c == ')' && open > 0)
			open--;
		else if (c == ')')
			break;
		else if (c == '\n' || c == ';')
			open += 0;
	}
	/* ((a); (b)) is two subshells */
	if (!sh_looks_at(&trial, "))"))
		return false;
	struct sh_parser inner = { .arena = p->arena,
				   .text = str_sub(p->text, start, trial.at),
				   .depth = p->depth + 1,
				   .nodes = p->nodes };
	struct sh_word *w = sh_new_word(p, &n->words);

	w->source = inner.text;
	sh_read_quoted(&inner, w, '\0');
	if (inner.failure)
		sh_fail(p, inner.failure);
	else
		p->at = trial.at + 2;
	return true;
}

static void
read_body(struct sh_parser *p, struct sh_node *n)
{
	sh_skip_blanks(p);
	if (sh_peek(p, 0) == ';')
		p->at++;
	sh_skip_lines(p);
	if (sh_take_keyword(p, "{")) {
		add_list(p, n);
		expect(p, "}");
		return;
	}
	expect(p, "do");
	add_list(p, n);
	expect(p, "done");
}

static struct sh_node *
read_for(struct sh_parser *p)
{
	struct sh_node *n = sh_new_node(p, SH_FOR);
	size_t end;

	if (read_math(p, n)) {
		n->kind = SH_MATH;
		read_body(p, n);
		return n;
	}
	for (end = p->at; end < p->text.n && !sh_ends_word(p->text.s[end]); end++)
		;
	n->name = str_sub(p->text, p->at, end);
	if (!sh_is_name(n->name))
		sh_fail(p, "a loop has no variable");
	p->at = p->failure ? p->at : end;
	sh_skip_lines(p);
	if (sh_take_keyword(p, "in")) {
		n->has_list = true;
		for (sh_skip_blanks(p); !sh_is_end(p) && !sh_ends_word(sh_peek(p, 0)); sh_skip_blanks(p))
			sh_read_word(p, sh_new_word(p, &n->words));
	}
	read_body(p, n);
	return n;
}

static void
read_patterns(struct sh_parser *p, struct sh_node *n)
{
	if (sh_peek(p, 0) == '(')
		p->at++;
	for (;;) {
		size_t before;

		sh_skip_lines(p);
		before = p->at;
		sh_read_word(p, sh_new_word(p, &n->words));
		if (p->at == before)
			sh_fail(p, "a pattern is missing");
		sh_skip_lines(p);
		if (sh_peek(p, 0) != '|')
			break;
		p->at++;
	}
	if (sh_peek(p, 0) != ')')
		sh_fail(p, "a pattern does not end");
	p->at++;
}

static struct sh_node *
read_case(struct sh_parser *p)
{
	struct sh_node *n = sh_new_node(p, SH_CASE);

	sh_read_word(p, sh_new_word(p, &n->words));
	expect(p, "in");
	for (sh_skip_lines(p); !sh_is_end(p) && !sh_is_keyword(p, "esac"); sh_skip_lines(p)) {
		read_patterns(p, n);
		add_list(p, n);
		sh_skip_lines(p);
		if (sh_looks_at(p, ";;&"))
			p->at += 3;
		else if (sh_looks_at(p, ";;") || sh_looks_at(p, ";&"))
			p->at += 2;
		else if (!sh_is_keyword(p, "esac"))
			sh_fail(p, "a branch of case does not end");
	}
	expect(p, "esac");
	return n;
}

/* Operators of [[ ]] are words here, or are skipped: nothing depends on them. */
static struct sh_node *
read_test(struct sh_parser *p)
{
	struct sh_node *n = sh_new_node(p, SH_TEST);

	for (sh_skip_lines(p); !sh_is_end(p) && !sh_is_keyword(p, "]]"); sh_skip_lines(p)) {
		bool is_word = !sh_ends_word(sh_peek(p, 0)) || sh_looks_at(p, "<(") || sh_looks_at(p, ">(");

		if (is_word)
			sh_read_word(p, sh_new_word(p, &n->words));
		else
			p->at++;
	}
	if (!sh_is_keyword(p, "]]"))
		sh_fail(p, "[[ does not end");
	p->at += 2;
	return n;
}

static struct sh_node *
read_parentheses(struct sh_parser *p)
{
	struct sh_node *math = sh_new_node(p, SH_MATH), *n;

	if (read_math(p, math))
		return math;
	n = sh_new_node(p, SH_SUBSHELL);
	p->at++;
	add_list(p, n);
	sh_skip_lines(p);
	if (sh_peek(p, 0) != ')')
		sh_fail(p, "a subshell does not end");
	p->at++;
	return n;
}

struct sh_node *
sh_read_compound(struct sh_parser *p)
{
	struct sh_node *n = NULL;

	if (sh_peek(p, 0) == '(')
		n = read_parentheses(p);
	else if (sh_take_keyword(p, "if"))
		n = read_if(p);
	else if (sh_take_keyword(p, "while") || sh_take_keyword(p, "until"))
		n = read_loop(p);
	else if (sh_take_keyword(p, "for") || sh_take_keyword(p, "select"))
		n = read_for(p);
	else if (sh_take_keyword(p, "case"))
		n = read_case(p);
	else if (sh_take_keyword(p, "[["))
		n = read_test(p);
	else if (sh_is_keyword(p, "{")) {
		n = sh_new_node(p, SH_GROUP);
		p->at++;
		add_list(p, n);
		expect(p, "}");
	}
	/* a failure has moved the position to the end */
	if (p->failure)
		p->at = p->text.n;
	return n;
}
