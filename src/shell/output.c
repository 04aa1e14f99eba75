/* SPDX-License-Identifier: MIT */
/* What simple programs print: echo, printf, cat of a here-document, pwd, mktemp. Others print something unknown. */
#include "shell/eval.h"

#include "base/path.h"

/* A longer script is unknown. */
#define WRITTEN_LIMIT_BYTES KIB(16)

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

/* What it prints, wherever that goes. */
static struct str
printed(struct sh_eval *e, const struct sh_command *c)
{
	struct str program = sh_program(c);

	if (str_is(program, "echo"))
		return echo(e, c);
	if (str_is(program, "printf"))
		return print_format(e, c);
	if ((str_is(program, "cat") && c->input.s && (c->count == 1 || str_is(c->args[1].text, "-"))) ||
	    (str_is(program, "tee") && c->input.s))
		return c->input;
	if (str_is(program, "cat") && c->count == 2 && str_is(c->args[1].text, "/dev/null"))
		return STR("");
	if (str_is(program, "pwd"))
		return str_fmt(e->arena, STR_FMT "\n", STR_ARG(c->cwd));
	if (str_is(program, "mktemp"))
		return str_fmt(e->arena, "/tmp/" STR_FMT "\n", STR_ARG(hole));
	if (str_is(program, "which") && c->count == 2)
		return c->args[1].text;
	if (c->count == 0 || str_is(program, "true") || str_is(program, ":") || str_is(program, "test") ||
	    str_is(program, "["))
		return STR("");
	return hole;
}

void
sh_add_output(struct sh_eval *e, const struct sh_command *c)
{
	if (!e->output)
		return;
	struct str output = printed(e, c);

	buf_add(e->output, c->file_count > 0 && output.n > 0 ? hole : output);
}

/* ---- files that the line writes ---- */

static void
note_file(struct sh_eval *e, const struct sh_command *c, struct str file, struct str text, bool is_appended)
{
	struct str path = path_normalise(e->arena, path_from(e->arena, c->cwd, file));

	if (!path.s || sh_has_hole(path) || e->is_elsewhere)
		return;
	for (const struct sh_var *v = *e->written; is_appended && v; v = v->next)
		if (str_eq(v->name, path)) {
			text = str_fmt(e->arena, STR_FMT STR_FMT, STR_ARG(v->value), STR_ARG(text));
			is_appended = false;
		}
	if (text.n > WRITTEN_LIMIT_BYTES)
		text = hole;
	/* of a file that was there before, the rest is on the disk */
	if (!is_appended)
		*e->written = sh_added(e, *e->written, path, text, NULL);
}

void
sh_note_written(struct sh_eval *e, const struct sh_command *c)
{
	struct str program = sh_program(c);
	bool loads = str_is(program, "curl") || str_is(program, "wget"), is_tee = str_is(program, "tee");
	struct str text = c->is_wrapper ? hole : STR_NONE;

	for (size_t i = 0; i < c->file_count; i++) {
		if (!c->files[i].is_written)
			continue;
		/* once, however many files there are: it may be long */
		if (!text.s)
			text = printed(e, c);
		note_file(e, c, c->files[i].path.text, text, c->files[i].is_appended);
	}
	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;

		if (is_tee && !str_starts(t, STR("-")))
			note_file(e, c, t, printed(e, c), c->count > 2);
		else if (loads && i + 1 < c->count &&
			 (str_is(t, "-o") || str_is(t, "-O") || str_is(t, "--output")))
			note_file(e, c, c->args[i + 1].text, hole, false);
	}
}
