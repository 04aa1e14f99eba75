/* SPDX-License-Identifier: MIT */
/* Commands of PowerShell and cmd as commands of a shell: the names that delete, read, write and list files are translated; what is
 * left is run as it is. Variables are unknown. */
#include "shell/eval.h"

/* Words of a stage of a pipeline. */
#define WORDS_MAX 64

static const struct {
	const char *names, *command;
	bool takes_one; /* only the first operand is a file */
} cmdlets[] = {
	{ "remove-item ri rm del erase rd rmdir", "rm -f", false },
	{ "get-content gc cat type", "cat", false },
	{ "select-string sls", "cat", false },
	{ "set-content sc out-file add-content ac new-item ni", "tee", true },
	{ "clear-content clc", "truncate -s 0", false },
	{ "copy-item cpi copy cp", "cp", false },
	{ "move-item mi move mv", "mv", false },
	{ "get-childitem gci dir ls", "find", true },
	{ "invoke-expression iex", "eval", false },
};

struct stage {
	struct str words[WORDS_MAX];
	bool is_quoted[WORDS_MAX];
	size_t count;
};

static bool
is_named(const char *list, struct str word)
{
	struct str rest = str_from(list), one;

	while (str_next(&rest, ' ', &one)) {
		char name[32];

		memcpy(name, one.s, one.n);
		name[one.n] = '\0';
		if (str_is_word(word, name))
			return true;
	}
	return false;
}

/* Is it the parameter, or a start of its name: -rec is -Recurse? */
static bool
is_parameter(struct str word, const char *name)
{
	struct str full = str_from(name);
	char start[32];

	if (word.n < 2 || word.n > full.n)
		return false;
	memcpy(start, full.s, word.n);
	start[word.n] = '\0';
	return str_is_word(word, start);
}

/* ---- writing a command of a shell ---- */

static bool
is_plain(struct str word)
{
	for (size_t i = 0; i < word.n; i++) {
		char c = word.s[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		      str_find_char(STR("_./*?:-=,@%+"), c) >= 0))
			return false;
	}
	return word.n > 0;
}

static void
add_word(struct buf *b, struct str word, bool is_quoted, bool is_path)
{
	bool is_plain_word = !is_quoted && is_plain(word);

	buf_addc(b, ' ');
	buf_add(b, is_plain_word ? STR("") : STR("'"));
	for (size_t i = 0; i < word.n; i++)
		if (word.s[i] == '\'')
			buf_add(b, STR("'\\''"));
		else
			buf_addc(b, is_path && word.s[i] == '\\' ? '/' : word.s[i]);
	buf_add(b, is_plain_word ? STR("") : STR("'"));
}

/* The operands of a cmdlet: values of -Path and its like, and what is no parameter. */
static void
add_operands(struct buf *b, const struct stage *s, bool takes_one)
{
	static const char *const flags[] = { "-force", "-verbose",   "-append", "-nonewline", "-raw",
					     "-wait",  "-directory", "-file",   "-quiet",     "-q" };
	size_t added = 0;

	for (size_t i = 1; i < s->count; i++) {
		struct str w = s->words[i];
		bool is_flag = false;

		if (str_is(w, ">") || str_is(w, ">>")) {
			buf_addf(b, " " STR_FMT, STR_ARG(w));
			if (++i < s->count)
				add_word(b, s->words[i], s->is_quoted[i], true);
			continue;
		}
		if (s->is_quoted[i] || w.n < 2 || (w.s[0] != '-' && !(w.s[0] == '/' && w.n == 2))) {
			if (added++ == 0 || !takes_one)
				add_word(b, w, s->is_quoted[i], true);
			continue;
		}
		for (size_t k = 0; k < COUNT_OF(flags); k++)
			is_flag |= is_parameter(w, flags[k]) && w.n > 2;
		is_flag |= w.s[0] == '/' || str_find_char(w, ':') > 0;
		if (is_parameter(w, "-recurse") || str_is_word(w, "/s"))
			continue;
		bool is_place = is_parameter(w, "-path") || is_parameter(w, "-literalpath") ||
				is_parameter(w, "-filepath") || is_parameter(w, "-destination");

		if (!is_flag && !is_place)
			i++; /* its value is no file */
	}
}

static bool
has_parameter(const struct stage *s, const char *name)
{
	for (size_t i = 1; i < s->count; i++)
		if (!s->is_quoted[i] && is_parameter(s->words[i], name))
			return true;
	return false;
}

static bool
has_operand(const struct stage *s)
{
	for (size_t i = 1; i < s->count; i++)
		if (s->is_quoted[i] || (s->words[i].n > 0 && s->words[i].s[0] != '-'))
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
	for (size_t i = 0; i < COUNT_OF(cmdlets); i++) {
		bool is_find = str_is(str_from(cmdlets[i].command), "find");

		if (s->is_quoted[0] || !is_named(cmdlets[i].names, s->words[0]))
			continue;
		/* iex (...) and ... | iex run what is not known */
		if (str_is(str_from(cmdlets[i].command), "eval") && !has_operand(s))
			buf_addc(b, SH_HOLE);
		buf_addf(b, " %s%s", is_piped && !has_operand(s) && !is_find ? "xargs " : "",
			 cmdlets[i].command);
		if (!is_find && (has_parameter(s, "-recurse") || has_parameter(s, "/s")))
			buf_add(b, STR(" -r"));
		add_operands(b, s, cmdlets[i].takes_one);
		return;
	}
	for (size_t i = 0; i < s->count; i++)
		if (str_is(s->words[i], ">") || str_is(s->words[i], ">>"))
			buf_addf(b, " " STR_FMT, STR_ARG(s->words[i]));
		else
			add_word(b, s->words[i], s->is_quoted[i] || i == 0,
				 false); /* `if` is no word of sh */
}

/* ---- reading ---- */

/* The end of a variable or of an expression that is not known: $x, $x.y, $env:X, $(...). */
static size_t
after_variable(struct str t, size_t at)
{
	if (at < t.n && t.s[at] == '(') {
		int level = 0;

		do {
			level += t.s[at] == '(' ? 1 : t.s[at] == ')' ? -1 : 0;
			at++;
		} while (at < t.n && level > 0);
		return at;
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
		s->is_quoted[s->count] = is_quoted;
		s->words[s->count++] = buf_str(&b);
	}
}

/* $x = command */
static void
drop_assignment(struct stage *s)
{
	if (s->count < 2 || !sh_has_hole(s->words[0]) || !str_is(s->words[1], "="))
		return;
	s->count -= 2;
	for (size_t i = 0; i < s->count; i++) {
		s->words[i] = s->words[i + 2];
		s->is_quoted[i] = s->is_quoted[i + 2];
	}
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
				s.words[s.count++] = str_sub(t, at, at + n);
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

static bool
is_shell_of_windows(struct str program, const char *name)
{
	struct str plain = str_ends(program, STR(".exe")) ? str_sub(program, 0, program.n - 4) : program;

	return str_is_word(plain, name);
}

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
		i += is_parameter(t, "-executionpolicy") || str_is_word(t, "-ep") ||
		     is_parameter(t, "-workingdirectory") || str_is_word(t, "-wd") ||
		     is_parameter(t, "-windowstyle") || is_parameter(t, "-inputformat") ||
		     is_parameter(t, "-outputformat") || is_parameter(t, "-configurationname");
	}
	return 0;
}

bool
sh_eval_powershell(struct sh_eval *e, const struct sh_command *c)
{
	struct str program = sh_program(c), text;
	size_t at = 0;

	if (is_shell_of_windows(program, "pwsh") || is_shell_of_windows(program, "powershell"))
		at = text_at(e, c);
	else if (!is_shell_of_windows(program, "cmd"))
		return false;
	else if (c->count > 2 && (str_is_word(c->args[1].text, "/c") || str_is_word(c->args[1].text, "/k")))
		at = 2;
	if (at == 0 || at >= c->count)
		return true;
	text = str_is(c->args[at].text, "-") ? c->input : sh_joined(e, c, at);
	if (text.s)
		sh_run_text(e, str_find_char(text, SH_HOLE) >= 0 ? text : translated(e, text), c->input);
	return true;
}
