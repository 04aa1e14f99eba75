/* SPDX-License-Identifier: MIT */
/* What simple programs print: echo, printf, cat of a here-document, pwd, mktemp. Others print something unknown. */
#include "shell/eval.h"

static const struct str hole = { "\xFF", 1 };

static bool
is_echo_option(struct str text)
{
	if (text.n < 2 || text.s[0] != '-')
		return false;
	for (size_t i = 1; i < text.n; i++)
		if (text.s[i] != 'n' && text.s[i] != 'e' && text.s[i] != 'E')
			return false;
	return true;
}

static struct str
echo(struct sh_eval *e, const struct sh_command *c)
{
	struct buf b = BUF(e->arena, SHELL_LIMIT_BYTES);
	size_t first = 1;
	bool has_escapes = false, ends_line = true;

	while (first < c->count && is_echo_option(c->args[first].text)) {
		has_escapes |= str_find_char(c->args[first].text, 'e') >= 0;
		ends_line &= str_find_char(c->args[first].text, 'n') < 0;
		first++;
	}
	for (size_t i = first; i < c->count; i++) {
		if ((has_escapes && str_find_char(c->args[i].text, '\\') >= 0) || c->args[i].has_glob)
			return hole;
		buf_add(&b, i > first ? STR(" ") : STR(""));
		buf_add(&b, c->args[i].text);
	}
	buf_add(&b, ends_line ? STR("\n") : STR(""));
	return buf_str(&b);
}

/* A format with %s, %% and \n only. */
static struct str
print_format(struct sh_eval *e, const struct sh_command *c)
{
	struct buf b = BUF(e->arena, SHELL_LIMIT_BYTES);
	size_t next = 2;

	if (c->count < 2 || str_starts(c->args[1].text, STR("-")))
		return hole;
	do {
		struct str format = c->args[1].text;
		size_t used = next;

		for (size_t i = 0; i < format.n; i++) {
			char follows = i + 1 < format.n ? format.s[i + 1] : '\0';

			if (format.s[i] != '%' && format.s[i] != '\\') {
				buf_addc(&b, format.s[i]);
				continue;
			}
			if (format.s[i] == '%' && follows == 's')
				buf_add(&b, next < c->count ? c->args[next].text : STR(""));
			else if (follows == '%' || (format.s[i] == '\\' && follows == '\\'))
				buf_addc(&b, follows);
			else if (format.s[i] == '\\' && follows == 'n')
				buf_addc(&b, '\n');
			else
				return hole;
			next += format.s[i] == '%' && follows == 's';
			i++;
		}
		if (next == used)
			break;
	} while (next < c->count);
	return buf_str(&b);
}

void
sh_add_output(struct sh_eval *e, const struct sh_command *c)
{
	struct str program = sh_program(c), output = hole;

	if (!e->output)
		return;
	if (str_is(program, "echo"))
		output = echo(e, c);
	else if (str_is(program, "printf"))
		output = print_format(e, c);
	else if (str_is(program, "cat") && c->input.s && (c->count == 1 || str_is(c->args[1].text, "-")))
		output = c->input;
	else if (str_is(program, "cat") && c->count == 2 && str_is(c->args[1].text, "/dev/null"))
		output = STR("");
	else if (str_is(program, "pwd"))
		output = str_fmt(e->arena, STR_FMT "\n", STR_ARG(c->cwd));
	else if (str_is(program, "mktemp"))
		output = str_fmt(e->arena, "/tmp/" STR_FMT "\n", STR_ARG(hole));
	else if (str_is(program, "which") && c->count == 2)
		output = c->args[1].text;
	else if (str_is(program, "true") || str_is(program, ":") || str_is(program, "test") ||
		 str_is(program, "["))
		output = STR("");
	buf_add(e->output, c->file_count > 0 && output.n > 0 ? hole : output);
}
