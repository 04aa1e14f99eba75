/* SPDX-License-Identifier: MIT */
/* Scripts of sed and programs of awk: the commands that they run, and the files that they read and write. */
#include "shell/eval.h"

/* The offset of the delimiter that ends the part which begins at `at`; the length of the text if none does. In a pattern, it may
 * be in brackets. */
static size_t
part_end(struct str t, size_t at, char delimiter, bool is_pattern)
{
	bool is_class = false;

	for (; at < t.n && (is_class || t.s[at] != delimiter); at++) {
		is_class = is_pattern && (t.s[at] == '[' || (is_class && t.s[at] != ']'));
		at += t.s[at] == '\\' && !is_class;
	}
	return at < t.n ? at : t.n;
}

/* An address: 3, $, 2~4, /x/, \cxc, with I and M after it. */
static size_t
after_address(struct str t, size_t at)
{
	if (at < t.n && (t.s[at] == '/' || t.s[at] == '\\')) {
		size_t from = at + 1 + (t.s[at] == '\\');
		char delimiter = t.s[at] == '/' ? '/' : at + 1 < t.n ? t.s[at + 1] : '/';

		at = part_end(t, from < t.n ? from : t.n, delimiter, true) + 1;
		while (at < t.n && (t.s[at] == 'I' || t.s[at] == 'M'))
			at++;
	}
	while (at < t.n && str_find_char(STR("0123456789$~+"), t.s[at]) >= 0)
		at++;
	return at;
}

static size_t
line_end(struct str t, size_t at)
{
	return at + str_before(str_rest(t, at), '\n').n;
}

void
sh_add_file(struct sh_eval *e, const struct sh_command *c, struct str name, bool is_read)
{
	struct sh_command own = { .cwd = c->cwd, .may_be_elsewhere = c->may_be_elsewhere, .is_nested = true };
	struct str path = str_trim(name);

	if (path.n == 0)
		return;
	*arena_push(e->arena, own.files, own.file_count) = (struct sh_file){
		.path = { path, path, sh_has_hole(path), false },
		.is_read = is_read,
		.is_written = !is_read,
		.is_appended = !is_read,
	};
	sh_add_command(e, &own);
}

/* s/x/y/e runs what it has made, and w writes it. */
static size_t
after_substitution(struct sh_eval *e, const struct sh_command *c, struct str t, size_t at)
{
	char delimiter = at < t.n ? t.s[at] : '\0';
	size_t middle = part_end(t, at + 1, delimiter, true),
	       last = part_end(t, middle + 1, delimiter, false);
	size_t end = last + 1;

	for (; end < t.n && str_find_char(STR(";}\n# "), t.s[end]) < 0; end++) {
		if (t.s[end] == 'w') {
			size_t line = line_end(t, end);

			sh_add_file(e, c, str_sub(t, end + 1, line), false);
			return line;
		}
		if (t.s[end] == 'e') {
			sh_run_text(e, str_sub(t, middle + 1, last), STR_NONE);
			sh_add_problem(e, c, "sed runs the text that it has made");
			return t.n;
		}
	}
	return end;
}

/* The commands of a script: `e` runs the rest of its line, and without one what it has read. */
static void
run_sed_script(struct sh_eval *e, const struct sh_command *c, struct str t)
{
	size_t at = 0, line = 0;

	while ((at = after_address(t, at)) < t.n) {
		/* once for each line: a script of one line may be long */
		if (at >= line)
			line = line_end(t, at);
		char command = t.s[at++];

		if (command == 'e') {
			struct str rest = str_trim(str_sub(t, at, line));

			if (rest.n == 0 || rest.s[0] == ';' || rest.s[0] == '}')
				sh_add_problem(e, c, "sed runs what it has read");
			else
				sh_run_text(e, rest, STR_NONE);
			at = line;
		} else if (command == 's')
			at = after_substitution(e, c, t, at);
		else if (command == 'y') {
			char delimiter = at < t.n ? t.s[at] : '\0';

			at = part_end(t, part_end(t, at + 1, delimiter, false) + 1, delimiter, false) + 1;
		} else if (str_find_char(STR("rRwW"), command) >= 0) {
			sh_add_file(e, c, str_sub(t, at, line), command == 'r' || command == 'R');
			at = line;
		} else if (str_find_char(STR("aic"), command) >= 0)
			/* the text goes on while lines end in a backslash */
			for (at = line; at < t.n && at > 0 && t.s[at - 1] == '\\';)
				at = line_end(t, at + 1);
		else if (str_find_char(STR("btT:"), command) >= 0)
			while (at < line && t.s[at] != ';' && t.s[at] != '}')
				at++;
		else if (command == '#')
			at = line;
	}
}

enum sh_ran
sh_run_sed(struct sh_eval *e, struct sh_command *c)
{
	bool has_script = false;

	for (struct sh_option o = sh_options(c, "efli? --expression --file --line-length");
	     sh_next_option(&o);) {
		bool is_file = sh_is_option(&o, "f --file");
		struct str script = STR_NONE;

		if (is_file)
			script = sh_text_of_file(e, c, o.value.text);
		else if (sh_is_option(&o, "e --expression") || (!o.name.s && !has_script))
			script = o.value.text;
		if (script.s)
			run_sed_script(e, c, script);
		has_script |= is_file || script.s;
	}
	return SH_RAN_NOTHING;
}

/* ---- awk ---- */

struct str
sh_awk_program(const struct sh_command *c)
{
	for (struct sh_option o = sh_options(c, "Fvilef --source --file"); sh_next_option(&o);) {
		if (sh_is_option(&o, "f --file"))
			return STR_NONE;
		if (!o.name.s || sh_is_option(&o, "e --source"))
			return o.value.text;
	}
	return STR_NONE;
}

/* print | "cmd", "cmd" | getline, system("cmd"). What is added to the text is unknown. */
enum sh_ran
sh_run_awk(struct sh_eval *e, struct sh_command *c)
{
	struct str t = sh_awk_program(c);
	ptrdiff_t call = str_find(t, STR("system($"));

	if (call >= 0)
		sh_add_problem(e, c, "it runs what it has read");
	for (size_t i = 0; i < t.n; i++) {
		struct buf text = BUF(e->arena, SHELL_LIMIT_BYTES);
		size_t from = i;

		if (t.s[i] != '"')
			continue;
		for (i++; i < t.n && t.s[i] != '"'; i++) {
			i += t.s[i] == '\\' && i + 1 < t.n;
			buf_addc(&text, t.s[i]);
		}
		/* no more than a few blanks: each string of a long program comes here */
		struct str before = str_trim(str_sub(t, from > 32 ? from - 32 : 0, from));
		size_t next = i + 1;

		while (next < t.n && (t.s[next] == ' ' || t.s[next] == '\t'))
			next++;
		char after = next < t.n ? t.s[next] : '\0';
		bool is_run = str_ends(before, STR("|")) || after == '|' ||
			      str_ends(before, STR("system(")) || str_ends(before, STR("system ("));

		/* "cmd " $1 | getline */
		is_run |= str_find(str_sub(t, i, i + 32 < t.n ? i + 32 : t.n), STR("| getline")) >= 0;
		if (is_run && str_find_char(STR(")|;}\n"), after) < 0)
			buf_addc(&text, SH_HOLE_ENV);
		if (is_run)
			sh_run_text(e, buf_str(&text), STR_NONE);
	}
	return SH_RAN_NOTHING;
}
