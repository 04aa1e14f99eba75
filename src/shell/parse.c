/* SPDX-License-Identifier: MIT */
/* Parses lists, pipelines and simple commands. */
#include "shell/parser.h"

/* ---- the position ---- */

void
sh_fail(struct sh_parser *p, const char *failure)
{
	if (p->failure)
		return;
	p->failure = failure;
	p->failed_at = p->at < p->text.n ? p->at : p->text.n;
	p->at = p->text.n;
}

bool
sh_enter(struct sh_parser *p)
{
	if (++p->depth > SHELL_DEPTH_LIMIT)
		sh_fail(p, "it is nested too deeply");
	return !p->failure;
}

void
sh_expect(struct sh_parser *p, char c, const char *failure)
{
	if (sh_peek(p, 0) != c || p->at >= p->text.n)
		sh_fail(p, failure);
	p->at += !p->failure;
}

bool
sh_looks_at(const struct sh_parser *p, const char *text)
{
	struct str t = str_from(text);

	return !p->failure && p->at + t.n <= p->text.n && memcmp(p->text.s + p->at, t.s, t.n) == 0;
}

void
sh_skip_blanks(struct sh_parser *p)
{
	for (;;) {
		if (sh_peek(p, 0) == ' ' || sh_peek(p, 0) == '\t')
			p->at++;
		else if (sh_looks_at(p, "\\\n"))
			p->at += 2;
		else
			break;
	}
	/* every caller is between two words */
	if (sh_peek(p, 0) == '#')
		while (p->at < p->text.n && p->text.s[p->at] != '\n')
			p->at++;
}

/* ---- here-documents ---- */

static void
read_here(struct sh_parser *p, const struct sh_here *h)
{
	struct buf body = BUF(p->arena, SIZE_MAX);
	struct str rest = str_rest(p->text, p->at), line = STR("");
	bool is_over = false;

	while (!is_over && str_next(&rest, '\n', &line)) {
		if (h->strips_tabs)
			line = str_trim_start(line, '\t');
		is_over = str_eq(line, h->delimiter);
		if (!is_over)
			buf_cat(&body, line, "\n");
	}
	/* a shell warns where the end is missing, and takes everything */
	p->at = p->text.n - rest.n;
	if (h->is_literal)
		sh_add_text(p, h->body, buf_str(&body), true);
	else
		sh_read_apart(p, h->body, buf_str(&body));
}

static void
read_heres(struct sh_parser *p)
{
	for (size_t i = 0; i < p->here_count && !p->failure; i++)
		read_here(p, &p->heres[i]);
	p->here_count = 0;
}

/* The body of the redirection is read after the end of the line. */
static void
expect_here(struct sh_parser *p, struct sh_redirect *r)
{
	struct sh_here here = { .strips_tabs = r->op.n == 3 };
	struct buf delimiter = BUF(p->arena, SIZE_MAX);

	for_each (part, r->target.parts, r->target.count) {
		here.is_literal |= part->is_quoted;
		/* $x in a delimiter stands for itself; nobody writes it */
		if (part->kind == SH_TEXT)
			buf_add(&delimiter, part->text);
		else
			sh_fail(p, "the end of a here-document is not plain text");
	}
	/* E\OF is quoted too */
	here.is_literal |= str_find_char(r->target.source, '\\') >= 0;
	here.delimiter = buf_str(&delimiter);
	here.body = r->body = arena_new(p->arena, struct sh_word);
	*arena_push(p->arena, p->heres, p->here_count) = here;
}

void
sh_skip_lines(struct sh_parser *p)
{
	sh_skip_blanks(p);
	while (sh_peek(p, 0) == '\n') {
		p->at++;
		read_heres(p);
		sh_skip_blanks(p);
	}
}

bool
sh_ends_word(char c)
{
	static const bool ends[256] = {
		['\0'] = true, [' '] = true, ['\t'] = true, ['\n'] = true, [';'] = true, ['&'] = true,
		['|'] = true,  ['<'] = true, ['>'] = true,  ['('] = true,  [')'] = true,
	};

	return ends[(unsigned char)c];
}

bool
sh_is_keyword(const struct sh_parser *p, const char *word)
{
	size_t n = str_from(word).n;

	return sh_looks_at(p, word) &&
	       (sh_ends_word(sh_peek(p, n)) || (sh_peek(p, n) == '\\' && sh_peek(p, n + 1) == '\n'));
}

bool
sh_take_keyword(struct sh_parser *p, const char *word)
{
	if (!sh_is_keyword(p, word))
		return false;
	p->at += str_from(word).n;
	sh_skip_blanks(p);
	return true;
}

/* ---- the tree ---- */

struct sh_node *
sh_new_node(struct sh_parser *p, enum sh_kind kind)
{
	struct sh_node *n = arena_new(p->arena, struct sh_node);

	n->kind = kind;
	if (++*p->nodes > SHELL_NODES_LIMIT)
		sh_fail(p, "it has too many parts");
	return n;
}

void
sh_add_child(struct sh_parser *p, struct sh_node *n, struct sh_node *child)
{
	*arena_push(p->arena, n->children, n->child_count) = child;
}

struct sh_word *
sh_new_word(struct sh_parser *p, struct sh_word_list *list)
{
	if (++*p->nodes > SHELL_NODES_LIMIT)
		sh_fail(p, "it has too many parts");
	return arena_push(p->arena, list->items, list->count);
}

static struct sh_node *
of_one(struct sh_parser *p, enum sh_kind kind, struct sh_node *child)
{
	struct sh_node *n = sh_new_node(p, kind);

	sh_add_child(p, n, child);
	return n;
}

/* ---- simple commands ---- */

static const char *const redirect_operators[] = { "&>>", "&>", "<<<", "<<-", "<<", "<>",
						  "<&",  "<",  ">>",  ">&",  ">|", ">" };

/* Digits or {name} directly before an operator; -1: none. */
static int
read_fd(struct sh_parser *p)
{
	size_t n;
	uint64_t fd;

	if (sh_peek(p, 0) == '{') {
		n = 1 + sh_name_length(p->text, p->at + 1);
		if (n > 1 && sh_peek(p, n) == '}' && (sh_peek(p, n + 1) == '<' || sh_peek(p, n + 1) == '>')) {
			p->at += n + 1;
			return -2;
		}
		return -1;
	}
	n = str_digits(p->text, p->at);
	if (n > 4 || !number_parse(str_sub(p->text, p->at, p->at + n), &fd) ||
	    (sh_peek(p, n) != '<' && sh_peek(p, n) != '>'))
		return -1;
	p->at += n;
	return (int)fd;
}

bool
sh_read_redirect(struct sh_parser *p, struct sh_node *n)
{
	size_t start = p->at, i = 0;
	int fd = read_fd(p);

	while (i < COUNT_OF(redirect_operators) && !sh_looks_at(p, redirect_operators[i]))
		i++;
	/* <( and >( begin a word, but only without a blank before the parenthesis */
	if (i == COUNT_OF(redirect_operators) || sh_looks_at(p, "<(") || sh_looks_at(p, ">(")) {
		p->at = start;
		return false;
	}
	struct sh_redirect *r = arena_push(p->arena, n->redirects, n->redirect_count);

	r->op = str_from(redirect_operators[i]);
	r->fd = fd;
	p->at += r->op.n;
	sh_skip_blanks(p);
	sh_read_word(p, &r->target);
	if (r->target.source.n == 0)
		sh_fail(p, "a redirection has no target");
	if (str_is(r->op, "<<") || str_is(r->op, "<<-"))
		expect_here(p, r);
	sh_skip_blanks(p);
	return true;
}

static void
read_assignment(struct sh_parser *p, struct sh_node *n, size_t end, bool appends, bool has_index)
{
	struct sh_assign *s = arena_push(p->arena, n->assigns, n->assign_count);
	size_t name_end = p->at + sh_name_length(p->text, p->at);

	*s = (struct sh_assign){ .name = str_sub(p->text, p->at, name_end),
				 .appends = appends,
				 .is_list = has_index };
	p->at = end;
	if (sh_peek(p, 0) != '(') {
		sh_read_word(p, &s->value);
		return;
	}
	p->at++;
	s->is_list = true;
	for (sh_skip_lines(p); !sh_is_end(p) && sh_peek(p, 0) != ')'; sh_skip_lines(p)) {
		size_t before = p->at;

		sh_read_word(p, sh_new_word(p, &s->items));
		if (p->at == before)
			sh_fail(p, "a list of values has something that is not a word");
	}
	sh_expect(p, ')', "a list of values does not end");
}

static struct sh_node *
read_simple(struct sh_parser *p)
{
	struct sh_node *n = sh_new_node(p, SH_SIMPLE);

	while (!sh_is_end(p)) {
		bool is_first = n->words.count == 0, appends, has_index;

		sh_skip_blanks(p);
		if (sh_read_redirect(p, n))
			continue;
		size_t end = sh_assignment_end(p, &appends, &has_index);

		/* words after declare and its relatives may be assignments with lists */
		if (end > 0 && (is_first || (end < p->text.n && p->text.s[end] == '(' &&
					     str_is_word_of(n->words.items[0].source,
							    "declare typeset local export readonly")))) {
			read_assignment(p, n, end, appends, has_index);
			continue;
		}
		if (sh_ends_word(sh_peek(p, 0)) && !sh_looks_at(p, "<(") && !sh_looks_at(p, ">("))
			break;
		sh_read_word(p, sh_new_word(p, &n->words));
	}
	return n;
}

/* name(): the length of the name; 0: it is no definition of a function. */
static size_t
function_name(const struct sh_parser *p)
{
	size_t n = 0, after;

	while (!sh_ends_word(sh_peek(p, n)) && str_find_char(STR("'\"$\\`="), sh_peek(p, n)) < 0)
		n++;
	for (after = n; sh_peek(p, after) == ' ' || sh_peek(p, after) == '\t'; after++)
		;
	if (n == 0 || sh_peek(p, after) != '(')
		return 0;
	for (after++; sh_peek(p, after) == ' ' || sh_peek(p, after) == '\t'; after++)
		;
	return sh_peek(p, after) == ')' ? n : 0;
}

static struct sh_node *
read_function(struct sh_parser *p)
{
	bool has_word = sh_take_keyword(p, "function");
	size_t n = function_name(p), length = n;

	if (n == 0 && !has_word)
		return NULL;
	while (n == 0 && !sh_ends_word(sh_peek(p, length)))
		length++;
	struct sh_node *f = sh_new_node(p, SH_FUNCTION), *body;

	f->name = str_sub(p->text, p->at, p->at + length);
	p->at += length;
	if (n > 0)
		p->at += str_before(str_rest(p->text, p->at), ')').n + 1;
	sh_skip_lines(p);
	body = sh_read_compound(p);
	if (!body)
		sh_fail(p, "a function has no body");
	else
		sh_add_child(p, f, body);
	do
		sh_skip_blanks(p);
	while (body && sh_read_redirect(p, body));
	return f;
}

static struct sh_node *
read_command(struct sh_parser *p)
{
	struct sh_node *n;

	sh_skip_blanks(p);
	if (!sh_enter(p))
		return sh_new_node(p, SH_LIST);
	if (sh_take_keyword(p, "coproc")) {
		size_t name = sh_name_length(p->text, p->at), at = p->at;

		/* coproc NAME { ...; } */
		p->at += name;
		sh_skip_blanks(p);
		if (name == 0 || (sh_peek(p, 0) != '{' && sh_peek(p, 0) != '('))
			p->at = at;
		n = of_one(p, SH_SUBSHELL, read_command(p));
	} else if ((n = sh_read_compound(p))) {
		sh_skip_blanks(p);
		while (sh_read_redirect(p, n))
			;
	} else if (!(n = read_function(p))) {
		n = read_simple(p);
		if (n->words.count == 0 && n->assign_count == 0 && n->redirect_count == 0)
			sh_fail(p, "a command is missing");
	}
	p->depth--;
	return n;
}

/* ---- pipelines and lists ---- */

static bool
ends_command(const struct sh_parser *p)
{
	return sh_is_end(p) || str_find_char(STR("\n;&|)"), sh_peek(p, 0)) >= 0;
}

static struct sh_node *
read_pipeline(struct sh_parser *p)
{
	bool is_negated = false, is_timed = false;
	struct sh_node *first, *n;

	sh_skip_blanks(p);
	while (sh_is_keyword(p, "!") || sh_is_keyword(p, "time")) {
		is_negated ^= sh_is_keyword(p, "!");
		is_timed |= sh_is_keyword(p, "time");
		(void)(sh_take_keyword(p, "!") || sh_take_keyword(p, "time"));
		while (sh_take_keyword(p, "-p") || sh_take_keyword(p, "--"))
			;
	}
	first = n = is_timed && ends_command(p) ? sh_new_node(p, SH_LIST) : read_command(p);
	sh_skip_blanks(p);
	while (sh_peek(p, 0) == '|' && sh_peek(p, 1) != '|') {
		if (n == first)
			n = of_one(p, SH_PIPE, first);
		p->at += sh_peek(p, 1) == '&' ? 2 : 1;
		sh_skip_lines(p);
		sh_add_child(p, n, read_command(p));
		sh_skip_blanks(p);
	}
	return is_negated ? of_one(p, SH_GROUP, n) : n;
}

static struct sh_node *
read_and_or(struct sh_parser *p)
{
	struct sh_node *left = read_pipeline(p);

	while (sh_looks_at(p, "&&") || sh_looks_at(p, "||")) {
		struct sh_node *n = of_one(p, sh_peek(p, 0) == '&' ? SH_AND : SH_OR, left);

		p->at += 2;
		sh_skip_lines(p);
		sh_add_child(p, n, read_pipeline(p));
		left = n;
	}
	return left;
}

static bool
ends_list(const struct sh_parser *p)
{
	size_t n = 0;

	while (!sh_ends_word(sh_peek(p, n)))
		n++;
	return sh_is_end(p) || sh_peek(p, 0) == ')' || sh_looks_at(p, ";;") || sh_looks_at(p, ";&") ||
	       str_is_word_of(str_sub(p->text, p->at, p->at + n), "then else elif fi do done esac }");
}

struct sh_node *
sh_read_list(struct sh_parser *p)
{
	struct sh_node *list = sh_new_node(p, SH_LIST);

	if (!sh_enter(p))
		return list;
	for (sh_skip_lines(p); !ends_list(p); sh_skip_lines(p)) {
		struct sh_node *n = read_and_or(p);

		if (sh_peek(p, 0) == '&') {
			n = of_one(p, SH_SUBSHELL, n);
			p->at++;
		} else if (sh_peek(p, 0) == ';' && sh_peek(p, 1) != ';' && sh_peek(p, 1) != '&') {
			p->at++;
		} else if (sh_peek(p, 0) != '\n' && !ends_list(p)) {
			sh_fail(p, "there is something after a command");
		}
		sh_add_child(p, list, n);
	}
	p->depth--;
	return list;
}

/* ---- the whole text ---- */

static struct sh_node *
read_all(struct sh_parser *p)
{
	struct sh_node *list = sh_read_list(p);

	if (!sh_is_end(p))
		sh_fail(p, "a command begins with what ends another one");
	read_heres(p);
	return list;
}

struct sh_node *
sh_read_nested(struct sh_parser *p, struct str text)
{
	struct sh_parser inner = {
		.arena = p->arena, .text = text, .depth = p->depth + 1, .nodes = p->nodes
	};
	struct sh_node *n = read_all(&inner);

	if (inner.failure)
		sh_fail(p, inner.failure);
	return n;
}

int
sh_parse(struct arena *a, struct str text, struct sh_node **ret, struct err *err)
{
	size_t nodes = 0;
	struct sh_parser p = { .arena = a, .text = text, .nodes = &nodes };

	if (text.n > SHELL_LIMIT_BYTES)
		return err_set(err, ERR_VALUE, "it is longer than %zu bytes", (size_t)SHELL_LIMIT_BYTES);
	if (str_find_char(text, '\0') >= 0)
		return err_set(err, ERR_VALUE, "it contains a NUL byte");
	*ret = read_all(&p);
	if (!p.failure)
		return 0;
	text.n = p.failed_at;
	return err_set(err, ERR_VALUE, "%zu:%zu: %s", str_count(text, '\n') + 1,
		       text.n - (size_t)(str_find_last(text, '\n') + 1) + 1, p.failure);
}
