/* SPDX-License-Identifier: MIT */
/* What simple programs print: echo, printf, cat of a here-document, pwd, mktemp. Others print something unknown. */
#include "shell/eval.h"

/* A longer script is unknown. */
#define WRITTEN_LIMIT_BYTES KIB(16)

static bool
is_echo_option(struct str text)
{
	size_t i = 1;

	while (i < text.n && str_find_char(STR("neE"), text.s[i]) >= 0)
		i++;
	return i > 1 && i == text.n && text.s[0] == '-';
}

static struct str
print_words(struct arena *a, const struct sh_command *c)
{
	struct buf b = BUF(a, SHELL_LIMIT_BYTES);
	size_t first = 1;
	bool has_escapes = false, ends_line = true;

	while (first < c->count && is_echo_option(c->args[first].text)) {
		has_escapes |= str_find_char(c->args[first].text, 'e') >= 0;
		ends_line &= str_find_char(c->args[first].text, 'n') < 0;
		first++;
	}
	for (size_t i = first; i < c->count; i++) {
		if ((has_escapes && str_find_char(c->args[i].text, '\\') >= 0) || c->args[i].has_glob)
			return SH_UNKNOWN;
		buf_cat(&b, i > first ? " " : "", c->args[i].text);
	}
	buf_add(&b, ends_line ? STR("\n") : STR(""));
	return buf_str(&b);
}

/* A format with %s, %% and \n only. */
static struct str
print_format(struct arena *a, const struct sh_command *c)
{
	struct buf b = BUF(a, SHELL_LIMIT_BYTES);
	size_t next = 2;

	if (c->count < 2 || str_starts(c->args[1].text, STR("-")))
		return SH_UNKNOWN;
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
				return SH_UNKNOWN;
			next += format.s[i] == '%' && follows == 's';
			i++;
		}
		if (next == used)
			break;
	} while (next < c->count);
	return buf_str(&b);
}

struct str
sh_printed(struct arena *a, const struct sh_command *c, struct str root)
{
	const struct sh_row *row = sh_row_of(c, SH_PRINTS);
	struct str input = c->input.s ? c->input : SH_UNKNOWN;
	struct str first = c->count > 1 ? c->args[1].text : STR("-");

	if (!row)
		return c->count == 0 ? STR("") : SH_UNKNOWN;
	switch (row->prints) {
	case SH_PRINTS_WORDS:
		return print_words(a, c);
	case SH_PRINTS_FORMAT:
		return print_format(a, c);
	case SH_PRINTS_FILES:
		if (c->count == 2 && str_is(first, "/dev/null"))
			return STR("");
		return str_is(first, "-") ? input : SH_UNKNOWN;
	case SH_PRINTS_INPUT:
		return input;
	case SH_PRINTS_DIRECTORY:
		return str_cat(a, c->cwd, "\n");
	case SH_PRINTS_ROOT:
		return root.s && c->count == 3 && str_is(c->args[2].text, "--show-toplevel")
			       ? str_cat(a, root, "\n")
			       : SH_UNKNOWN;
	case SH_PRINTS_TEMPORARY:
		return str_cat(a, "/tmp/", SH_UNKNOWN, "\n");
	case SH_PRINTS_NAME:
		return c->count == 2 ? first : SH_UNKNOWN;
	case SH_PRINTS_NOTHING:
		break;
	}
	return STR("");
}

void
sh_add_output(struct sh_eval *e, const struct sh_command *c)
{
	if (!e->output)
		return;
	struct str output = sh_printed(e->arena, c, e->facts->root);

	buf_add(e->output, c->file_count > 0 && output.n > 0 ? SH_UNKNOWN : output);
}

/* ---- files that the line writes ---- */

static void
note_file(struct sh_eval *e, const struct sh_command *c, struct str file, struct str text, bool is_appended)
{
	struct str path = path_normalise(e->arena, path_from(e->arena, c->cwd, file));

	if (!path.s || sh_has_hole(path) || e->now.is_elsewhere)
		return;
	const struct sh_var *before = is_appended ? sh_found(*e->written, path) : NULL;

	if (before)
		text = str_cat(e->arena, before->value, text);
	if (text.n > WRITTEN_LIMIT_BYTES)
		text = SH_UNKNOWN;
	/* of a file that was there before, the rest is on the disk */
	if (!is_appended || before)
		*e->written = sh_added(e, *e->written, path, text);
}

/* A copy of what the line has written or loaded. */
static void
note_copy(struct sh_eval *e, const struct sh_command *c, const struct sh_words *w)
{
	struct str to = w->count > 2 ? w->items[w->count - 1] : STR("");

	(void)str_skip(&to, "of=");
	for (size_t i = 1; i + 1 < w->count; i++) {
		struct str from = w->items[i];

		/* a file of another machine is loaded */
		bool is_remote = str_find_char(str_before(from, '/'), ':') > 0;

		(void)str_skip(&from, "if=");
		struct str path = sh_path(e, c->cwd, from);
		const struct sh_var *v = path.s ? sh_found(*e->written, path) : NULL;

		if (v || is_remote)
			note_file(e, c, to, v ? v->value : SH_UNKNOWN, false);
	}
}

void
sh_note_written(struct sh_eval *e, const struct sh_command *c)
{
	struct str text = c->is_wrapper ? SH_UNKNOWN : STR_NONE;
	struct sh_words w = sh_words_of(c);
	const struct sh_row *row = sh_files_of(&w);

	for (size_t i = 0; i < c->file_count; i++) {
		if (!c->files[i].is_written)
			continue;
		/* once, however many files there are: it may be long */
		if (!text.s)
			text = sh_printed(e->arena, c, e->facts->root);
		note_file(e, c, c->files[i].path.text, text, c->files[i].is_appended);
	}
	for (struct sh_option o = sh_options(c, row->options); sh_next_option(&o);)
		if (row->files.does == SH_TEES && !o.name.s)
			note_file(e, c, o.value.text, sh_printed(e->arena, c, e->facts->root), c->count > 2);
		else if (row->files.does == SH_LOADS && sh_is_option(&o, row->files.written))
			note_file(e, c, o.value.text, SH_UNKNOWN, false);
		else if (row->files.does == SH_LOADS && !o.name.s && str_find_char(o.value.text, '/') >= 0 &&
			 (str_is(w.items[0], "wget") || sh_has_option(c, "OJ --remote-name")))
			note_file(e, c, path_base(o.value.text), SH_UNKNOWN, false);
	if (w.count > 0 &&
	    (row->files.does == SH_COPIES || row->files.does == SH_MOVES || str_is(w.items[0], "dd")))
		note_copy(e, c, &w);
}
