/* SPDX-License-Identifier: MIT */
/* Expands words: variables that the line sets, braces, splitting. What is not known becomes a hole. */
#include "shell/eval.h"

#define BRACES_LIMIT 256

/* Why a byte is there. */
enum { PLAIN = 'p', QUOTED = 'q', EXPANDED = 'x', MATCHED = 'm' };

/* A word on its way: bytes, and for each of them why it is there. */
struct flat {
	struct buf text, why;
	bool is_quoted; /* "" is a word */
};

static const struct str env_hole = { "\xFE", 1 };

bool
sh_has_hole(struct str text)
{
	return str_find_char(text, SH_HOLE) >= 0 || str_find_char(text, SH_HOLE_ENV) >= 0;
}

static void
add(struct flat *f, struct str text, char why)
{
	buf_add(&f->text, text);
	for (size_t i = 0; i < text.n; i++)
		buf_addc(&f->why, why);
}

/* Its bytes [from, to). */
static void
add_range(struct flat *f, const struct flat *other, size_t from, size_t to)
{
	buf_add(&f->text, str_sub(buf_str(&other->text), from, to));
	buf_add(&f->why, str_sub(buf_str(&other->why), from, to));
}

/* ---- parameters ---- */

/* Does it stand for a file that a pattern matches? Then it does so in quotes, too. */
static bool
is_matched(const struct sh_eval *e, struct str name)
{
	const struct sh_var *v = sh_found(e->vars, name);
	uint64_t n;

	if (v)
		return v->is_matched;
	return number_parse(name, &n) && n > 0 && n <= e->positional.count &&
	       e->positional.items[n - 1].has_glob;
}

/* The value of a parameter without an operator; absent: the line does not set it. */
static struct str
plain_value(struct sh_eval *e, struct str name)
{
	struct str value = sh_value(e, name);
	const struct sh_args *args = &e->positional;
	uint64_t n;

	if (value.s)
		return value;
	if (str_is(name, "IFS"))
		return STR(" \t\n");
	if (str_is(name, "HOME") && e->facts->home.s)
		return e->facts->home;
	if (str_is(name, "PWD"))
		return e->now.cwd;
	if (str_is(name, "TMPDIR"))
		return STR("/tmp");
	if (number_parse(name, &n))
		return n == 0 && e->zero.s         ? e->zero
		       : n > 0 && n <= args->count ? args->items[n - 1].text
						   : env_hole;
	if (!str_is(name, "@") && !str_is(name, "*"))
		return STR_NONE;
	return args->count > 0 ? sh_joined(e, *args) : env_hole;
}

static struct str
parameter(struct sh_eval *e, const struct sh_part *p)
{
	struct str value = plain_value(e, p->text), op = p->op;
	struct str word = p->word ? sh_expand_one(e, p->word).text : STR("");

	if (op.n == 0)
		return value.s ? value : env_hole;
	if (str_is_word_of(op, ":- - := =")) {
		bool is_empty = !value.s || (value.n == 0 && op.s[0] == ':');

		if (is_empty && str_ends(op, STR("=")))
			sh_set(e, p->text, word);
		return is_empty ? word : value;
	}
	/* ${x@P} expands the value as a prompt */
	if (str_is(op, "@") && str_is(word, "P") && value.s && !sh_has_hole(value))
		sh_run_text(e, str_cat(e->arena, ": \"", value, "\""), STR_NONE);
	/* it is not empty */
	if (str_is_word_of(op, ":? ?"))
		return value.n > 0 ? value : SH_UNKNOWN;
	return str_is_word_of(op, ":+ +") && value.n > 0 ? word : SH_UNKNOWN;
}

/* ---- parts ---- */

/* What a substitution puts in its place. It is a shell of its own. */
static struct str
output_of(struct sh_eval *e, const struct sh_node *list)
{
	struct buf output = BUF(e->arena, SHELL_LIMIT_BYTES);
	struct sh_eval inner = *e;
	size_t first = e->script->count;

	inner.output = &output;
	sh_eval_node(&inner, list);
	e->substituted = sh_selection(e, first, NULL);
	const struct sh_command *c = e->script->count == first + 1 ? &e->script->items[first] : NULL;

	/* an installed tool, which is not one that prints files */
	e->is_harmless = c && sh_row_of(c, SH_SETTINGS_OF) && !sh_row_of(c, SH_PRINTS) &&
			 str_find_char(c->args[0].text, '/') < 0 &&
			 !*sh_files_of(&(struct sh_words){ .count = 1, .items = { sh_program(c) } })->names;
	while (output.n > 0 && output.s[output.n - 1] == '\n')
		output.n--;
	return output.is_cut ? SH_UNKNOWN : buf_str(&output);
}

static void
add_part(struct sh_eval *e, struct flat *f, const struct sh_part *p)
{
	char why = p->is_quoted ? QUOTED : EXPANDED;
	struct str input = e->now.input;

	f->is_quoted |= p->is_quoted;
	switch (p->kind) {
	case SH_TEXT:
		add(f, p->text, p->is_quoted ? QUOTED : PLAIN);
		break;
	case SH_PARAM:
		/* "$@" is several words */
		add(f, parameter(e, p),
		    str_is(p->text, "@")                     ? EXPANDED
		    : p->is_quoted && is_matched(e, p->text) ? MATCHED
							     : why);
		break;
	case SH_COMMAND:
		add(f, output_of(e, p->list), why);
		break;
	case SH_PROCESS:
		/* what is written there, it reads */
		if (p->is_written)
			e->now.input = SH_UNKNOWN;
		(void)output_of(e, p->list);
		e->now.input = input;
		add(f, STR("/dev/fd/\xFF"), QUOTED);
		break;
	case SH_ARITH:
		(void)sh_expand_one(e, p->word);
		add(f, SH_UNKNOWN, why);
		break;
	}
}

static struct flat
flatten(struct sh_eval *e, const struct sh_word *w)
{
	struct flat f = { BUF(e->arena, SHELL_LIMIT_BYTES), BUF(e->arena, SHELL_LIMIT_BYTES), false };

	for (size_t i = 0; i < w->count; i++)
		add_part(e, &f, &w->parts[i]);
	/* x=$x$x grows fast */
	if (f.text.n > e->budget->bytes || f.text.is_cut) {
		f.text.n = f.why.n = 0;
		add(&f, SH_UNKNOWN, QUOTED);
	}
	e->budget->bytes -= f.text.n;
	return f;
}

static struct sh_arg
arg_of(struct sh_eval *e, struct str text, struct str why, struct str source)
{
	struct sh_arg arg = { .text = text, .source = source };

	/* ~ and ~/ at the start; ~name is not known */
	if (text.n > 0 && text.s[0] == '~' && why.s[0] == PLAIN) {
		size_t name = str_before(text, '/').n;
		struct str home = name == 1 && e->facts->home.s ? e->facts->home : SH_UNKNOWN;

		arg.text = str_cat(e->arena, home, str_rest(text, name));
	}
	arg.is_unknown = sh_has_hole(arg.text);
	for (size_t i = 0; i < text.n; i++)
		arg.has_glob |= why.s[i] != QUOTED &&
				(text.s[i] == '*' || text.s[i] == '?' ||
				 (text.s[i] == '[' && str_find_char(str_rest(text, i), ']') > 0));
	return arg;
}

struct sh_arg
sh_expand_one(struct sh_eval *e, const struct sh_word *w)
{
	struct flat f = flatten(e, w);

	return arg_of(e, buf_str(&f.text), buf_str(&f.why), w->source);
}

/* ---- splitting ---- */

void
sh_add_arg(struct sh_eval *e, struct sh_args *to, struct sh_arg arg)
{
	*arena_push(e->arena, to->items, to->count) = arg;
}

/* At blanks that come from a variable or a command. */
static void
split(struct sh_eval *e, struct str text, struct str why, bool is_quoted, const struct sh_word *w,
      struct sh_args *ret)
{
	struct str between = plain_value(e, STR("IFS"));
	size_t from = 0;
	bool has_some = false;

	for (size_t i = 0; i <= text.n; i++) {
		bool is_between = i < text.n && why.s[i] == EXPANDED &&
				  str_find_char(between, text.s[i]) >= 0;

		if (i < text.n && !is_between)
			continue;
		if (i > from || (i == text.n && is_quoted && !has_some)) {
			sh_add_arg(e, ret,
				   arg_of(e, str_sub(text, from, i), str_sub(why, from, i), w->source));
			has_some = true;
		}
		from = i + 1;
	}
}

/* The brace that closes the one at `open`, if there is a comma or .. between them; 0: none. */
static size_t
closing_brace(struct str text, struct str why, size_t open)
{
	int level = 0;
	bool is_expanded = false;

	for (size_t i = open; i < text.n; i++) {
		if (why.s[i] != PLAIN)
			continue;
		level += text.s[i] == '{';
		is_expanded |= level == 1 && (text.s[i] == ',' || str_starts(str_rest(text, i), STR("..")));
		if (text.s[i] == '}' && --level == 0)
			return is_expanded ? i : 0;
	}
	return 0;
}

/* prefix{a,b}suffix: each alternative in turn. */
static void
expand_braces(struct sh_eval *e, const struct flat *f, const struct sh_word *w, struct sh_args *ret)
{
	struct str text = buf_str(&f->text), why = buf_str(&f->why);
	size_t open = 0, close = 0, from;
	int level = 0;

	for (; open < text.n && !close; open++)
		if (text.s[open] == '{' && why.s[open] == PLAIN)
			close = closing_brace(text, why, open);
	if (!close || ret->count > BRACES_LIMIT) {
		split(e, text, why, f->is_quoted, w, ret);
		return;
	}
	/* open is the byte after the brace now */
	from = open;
	for (size_t i = open; i <= close; i++) {
		char c = why.s[i] == PLAIN && i < close ? text.s[i] : '\0';

		level += c == '{' ? 1 : c == '}' ? -1 : 0;
		if (i < close && !(c == ',' && level == 0))
			continue;
		struct flat one = { BUF(e->arena, SHELL_LIMIT_BYTES), BUF(e->arena, SHELL_LIMIT_BYTES),
				    f->is_quoted };

		add_range(&one, f, 0, open - 1);
		if (from == open && i == close)
			add(&one, SH_UNKNOWN, PLAIN);
		else
			add_range(&one, f, from, i);
		add_range(&one, f, close + 1, text.n);
		expand_braces(e, &one, w, ret);
		from = i + 1;
	}
}

void
sh_expand(struct sh_eval *e, const struct sh_word *w, struct sh_args *ret)
{
	struct flat f = flatten(e, w);

	expand_braces(e, &f, w, ret);
}
