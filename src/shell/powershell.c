/* SPDX-License-Identifier: MIT */
/* Commands of PowerShell and cmd as commands of a shell: the names that delete, read, write and list files are translated; what is
 * left is run as it is. Variables are unknown. */
#include "shell/eval.h"

/* Words of a stage of a pipeline. */
#define WORDS_MAX 64

struct stage {
	struct {
		struct str text;
		bool is_quoted;
	} words[WORDS_MAX];
	size_t count;
};

/* Is it one of the parameters, or a start of its name: -rec is -Recurse? */
static bool
is_parameter(struct str word, const char *names)
{
	struct str rest = str_from(names), one;

	while (word.n > 1 && str_next(&rest, ' ', &one)) {
		size_t n = 0;

		while (n < word.n && n < one.n && (word.s[n] | 0x20) == (one.s[n] | 0x20))
			n++;
		if (n == word.n)
			return true;
	}
	return false;
}

/* ---- writing a command of a shell ---- */

static bool
is_plain(struct str word)
{
	for (size_t i = 0; i < word.n; i++) {
		char c = word.s[i];

		if (!is_letter(c) && !is_digit(c) && str_find_char(STR("_./*?:-=,@%+"), c) < 0)
			return false;
	}
	return word.n > 0;
}

static void
add_word(struct buf *b, struct str word, bool is_quoted, bool is_path)
{
	const char *quote = is_quoted || !is_plain(word) ? "'" : "";

	if (is_path)
		word = str_replace(b->arena, word, STR("\\"), STR("/"));
	buf_cat(b, " ", quote, str_replace(b->arena, word, STR("'"), STR("'\\''")), quote);
}

/* The operands of a cmdlet: values of -Path and its like, and what is no parameter. */
static void
add_operands(struct buf *b, const struct stage *s, bool takes_one)
{
	static const char flags[] =
		"-force -verbose -append -nonewline -raw -wait -directory -file -quiet -q";
	size_t added = 0;

	for (size_t i = 1; i < s->count; i++) {
		struct str w = s->words[i].text;

		if (str_is(w, ">") || str_is(w, ">>")) {
			buf_cat(b, " ", w);
			if (++i < s->count)
				add_word(b, s->words[i].text, s->words[i].is_quoted, true);
			continue;
		}
		if (s->words[i].is_quoted || w.n < 2 || (w.s[0] != '-' && !(w.s[0] == '/' && w.n == 2))) {
			if (added++ == 0 || !takes_one)
				add_word(b, w, s->words[i].is_quoted, true);
			continue;
		}
		bool is_flag = w.s[0] == '/' || str_find_char(w, ':') > 0 ||
			       (w.n > 2 && is_parameter(w, flags));

		if (!is_flag && !is_parameter(w, "-recurse -path -literalpath -filepath -destination"))
			i++; /* its value is no file */
	}
}

static bool
has_parameter(const struct stage *s, const char *name)
{
	for (size_t i = 1; i < s->count; i++)
		if (!s->words[i].is_quoted && is_parameter(s->words[i].text, name))
			return true;
	return false;
}

static bool
has_operand(const struct stage *s)
{
	for (size_t i = 1; i < s->count; i++)
		if (s->words[i].is_quoted || (s->words[i].text.n > 0 && s->words[i].text.s[0] != '-'))
			return true;
	return false;
}

static void
add_stage(struct buf *b, const struct stage *s, bool is_piped)
{
	if (s->count == 0 || has_parameter(s, "-whatif")) {
		buf_add(b, STR(" :"));
		return;
	}
	const struct sh_row *row = s->words[0].is_quoted ? NULL : sh_cmdlet(s->words[0].text);

	if (row) {
		struct str command = str_from(row->cmdlet.command);
		bool is_find = str_is(command, "find");

		/* iex (...) and ... | iex run what is not known */
		if (str_is(command, "eval") && !has_operand(s))
			buf_addc(b, SH_HOLE);
		buf_cat(b, " ", is_piped && !has_operand(s) && !is_find ? "xargs " : "", command);
		if (!is_find && has_parameter(s, "-recurse /s"))
			buf_add(b, STR(" -r"));
		add_operands(b, s, row->cmdlet.takes_one);
		return;
	}
	for (size_t i = 0; i < s->count; i++)
		if (str_is(s->words[i].text, ">") || str_is(s->words[i].text, ">>"))
			buf_cat(b, " ", s->words[i].text);
		else
			/* `if` is no word of sh */
			add_word(b, s->words[i].text, s->words[i].is_quoted || i == 0, false);
}

/* ---- reading ---- */

/* The end of a variable or of an expression that is not known: $x, $x.y, $env:X, $(...). */
static size_t
after_variable(struct str t, size_t at)
{
	if (at < t.n && t.s[at] == '(') {
		at = sh_closing(t, at + 1, '(', ')') + 1;
		return at < t.n ? at : t.n;
	}
	while (at < t.n && (is_plain(str_sub(t, at, at + 1)) && str_find_char(STR("/*?=,@%+-"), t.s[at]) < 0))
		at++;
	return at;
}

/* One word; *at is after it. */
static void
read_word(struct sh_eval *e, struct str t, size_t *at, struct stage *s)
{
	struct buf b = BUF(e->arena, SHELL_LIMIT_BYTES);
	bool is_quoted = false;
	char quote = '\0';

	for (; *at < t.n; (*at)++) {
		char c = t.s[*at];

		if (!quote && str_find_char(STR(" \t\r\n;|{}()&<>"), c) >= 0)
			break;
		if (c == '$' && quote != '\'' && *at + 1 < t.n) {
			*at = after_variable(t, *at + 1) - 1;
			buf_addc(&b, SH_HOLE_ENV);
		} else if (c == '`' && quote != '\'' && *at + 1 < t.n) {
			buf_addc(&b, t.s[++*at]);
		} else if (quote ? c == quote : c == '\'' || c == '"') {
			quote = quote ? '\0' : c;
			is_quoted = true;
		} else {
			buf_addc(&b, c);
		}
	}
	if (s->count < WORDS_MAX) {
		s->words[s->count].is_quoted = is_quoted;
		s->words[s->count++].text = buf_str(&b);
	}
}

/* $x = command */
static void
drop_assignment(struct stage *s)
{
	if (s->count < 2 || !sh_has_hole(s->words[0].text) || !str_is(s->words[1].text, "="))
		return;
	s->count -= 2;
	for (size_t i = 0; i < s->count; i++)
		s->words[i] = s->words[i + 2];
}

static struct str
translated(struct sh_eval *e, struct str t)
{
	struct buf b = BUF(e->arena, SHELL_LIMIT_BYTES);
	struct stage s = { .count = 0 };
	bool is_piped = false;

	for (size_t at = 0; at <= t.n;) {
		char c = at < t.n ? t.s[at] : '\n';

		if (c == '>') {
			size_t n = at + 1 < t.n && t.s[at + 1] == '>' ? 2 : 1;

			if (s.count < WORDS_MAX)
				s.words[s.count++].text = str_sub(t, at, at + n);
			at += n;
		} else if (c == '#') {
			while (at < t.n && t.s[at] != '\n')
				at++;
		} else if (str_find_char(STR(";|{}()&\n\r"), c) >= 0) {
			bool pipes = c == '|' && !(at + 1 < t.n && t.s[at + 1] == '|');

			drop_assignment(&s);
			add_stage(&b, &s, is_piped);
			buf_add(&b, pipes ? STR(" |") : STR("\n"));
			is_piped = pipes;
			s = (struct stage){ .count = 0 };
			at += c == '|' && !pipes ? 2 : 1;
		} else if (c == ' ' || c == '\t' || c == '<') {
			at++;
		} else {
			read_word(e, t, &at, &s);
		}
	}
	if (is_piped)
		buf_add(&b, STR(" :"));
	return buf_str(&b);
}

/* ---- the programs ---- */

/* The index of the text that is run; 0: none. */
static size_t
text_at(struct sh_eval *e, const struct sh_command *c)
{
	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;

		if (is_parameter(t, "-command"))
			return i + 1;
		if (t.n > 1 && t.s[0] != '-')
			return i;
		if (is_parameter(t, "-encodedcommand") || str_is_word(t, "-ec")) {
			sh_add_problem(e, c, "the command is encoded");
			return 0;
		}
		if (is_parameter(t, "-file"))
			return 0;
		i += str_is_word(t, "-ep") || str_is_word(t, "-wd") ||
		     is_parameter(
			     t, "-executionpolicy -workingdirectory -windowstyle -inputformat -outputformat "
				"-configurationname");
	}
	return 0;
}

static enum sh_ran
run_translated(struct sh_eval *e, const struct sh_command *c, size_t at)
{
	if (at == 0 || at >= c->count)
		return SH_RAN;
	struct str text = str_is(c->args[at].text, "-") ? c->input : sh_joined(e, sh_args_from(c, at));

	if (text.s)
		sh_run_text(e, str_find_char(text, SH_HOLE) >= 0 ? text : translated(e, text), c->input);
	return SH_RAN;
}

enum sh_ran
sh_run_powershell(struct sh_eval *e, struct sh_command *c)
{
	return run_translated(e, c, text_at(e, c));
}

/* cmd /c TEXT */
enum sh_ran
sh_run_cmd(struct sh_eval *e, struct sh_command *c)
{
	bool has_text = c->count > 2 &&
			(str_is_word(c->args[1].text, "/c") || str_is_word(c->args[1].text, "/k"));

	return run_translated(e, c, has_text ? 2 : 0);
}
