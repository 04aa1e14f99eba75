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

/* What is between (( and )), with what is expanded in it. */
static bool
read_math(struct sh_parser *p, struct sh_node *n)
{
	size_t start = p->at + 2, end;

	if (!sh_looks_at(p, "(("))
		return false;
	end = sh_closing(p->text, start, '(', ')');
	/* ((a); (b)) is two subshells */
	if (!str_starts(str_rest(p->text, end), STR("))")))
		return false;
	struct sh_word *w = sh_new_word(p, &n->words);

	w->source = str_sub(p->text, start, end);
	sh_read_apart(p, w, w->source);
	if (!p->failure)
		p->at = end + 2;
	return true;
}

static void
read_do(struct sh_parser *p, struct sh_node *n)
{
	expect(p, "do");
	add_list(p, n);
	expect(p, "done");
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
	read_do(p, n);
}

static struct sh_node *
read_for(struct sh_parser *p)
{
	struct sh_node *n = sh_new_node(p, SH_FOR);
	size_t end;

	if (read_math(p, n)) {
		n->kind = SH_WORDS;
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
	for (bool has_list = sh_take_keyword(p, "in");
	     has_list && !sh_is_end(p) && !sh_ends_word(sh_peek(p, 0)); sh_skip_blanks(p))
		sh_read_word(p, sh_new_word(p, &n->words));
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
	sh_expect(p, ')', "a pattern does not end");
}

static struct sh_node *
read_case(struct sh_parser *p)
{
	struct sh_node *n = sh_new_node(p, SH_WORDS);

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
	struct sh_node *n = sh_new_node(p, SH_WORDS);

	for (sh_skip_lines(p); !sh_is_end(p) && !sh_is_keyword(p, "]]"); sh_skip_lines(p)) {
		if (!sh_ends_word(sh_peek(p, 0)) || sh_looks_at(p, "<(") || sh_looks_at(p, ">("))
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
	struct sh_node *math = sh_new_node(p, SH_WORDS), *n;

	if (read_math(p, math))
		return math;
	n = sh_new_node(p, SH_SUBSHELL);
	p->at++;
	add_list(p, n);
	sh_skip_lines(p);
	sh_expect(p, ')', "a subshell does not end");
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
	else if (sh_take_keyword(p, "while") || sh_take_keyword(p, "until")) {
		n = sh_new_node(p, SH_LOOP);
		add_list(p, n);
		read_do(p, n);
	} else if (sh_take_keyword(p, "for") || sh_take_keyword(p, "select"))
		n = read_for(p);
	else if (sh_take_keyword(p, "case"))
		n = read_case(p);
	else if (sh_take_keyword(p, "[["))
		n = read_test(p);
	else if (sh_take_keyword(p, "{")) {
		n = sh_new_node(p, SH_GROUP);
		add_list(p, n);
		expect(p, "}");
	}
	return n;
}
