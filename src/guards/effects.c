/* SPDX-License-Identifier: MIT */
/* A table of programs: which of their arguments they read, write and delete. An unknown program reads its arguments. */
#include "guards/effects.h"

#include "base/path.h"

enum how {
	NOTHING, /* arguments are not read as files */
	READS,   /* all of them */
	WRITES,  /* all of them */
	EMPTIES, /* all of them */
	DELETES, /* all of them */
	COPIES,  /* reads all, writes the last */
	MOVES,   /* deletes all, writes the last */
	CHANGES, /* sed: the first is a script, unless -e or -f has it; the others are read, and written with -i */
	SEARCHES, /* grep: the first is a pattern, unless -e or -f has it; the others are read */
	UNPACKS,  /* into the directory of -C or -d */
};

struct program_row {
	const char *names; /* separated by blanks */
	enum how how;
	const char *values;  /* letters of options that take a value */
	const char *written; /* options whose value is a file that is written, separated by blanks */
};

static const struct program_row programs[] = {
	{ "echo printf true false : ls tree stat test [ basename dirname pwd which type command mkdir "
	  "realpath readlink date "
	  "sleep kill exit return set shopt ulimit umask wait export declare local alias cd pushd popd read "
	  "unset hash help du df chmod chown chgrp "
	  "file seq expr",
	  NOTHING, "", "" },
	{ "tee sponge Set-Content Add-Content Out-File Clear-Content", WRITES, "", "" },
	{ "touch", WRITES, "drt", "" },
	{ "truncate", EMPTIES, "sr", "" },
	{ "rm unlink rmdir shred trash rimraf del gio Remove-Item ri", DELETES, "n", "" },
	{ "cp install ln rsync scp dd link", COPIES, "mogSte", "" },
	{ "mv rename", MOVES, "St", "" },
	{ "awk gawk", CHANGES, "fFvi", "" },
	{ "sed gsed perl ruby", CHANGES, "efEIlMS", "" },
	{ "grep egrep fgrep rg ag ack", SEARCHES, "ABCefmgtTdDM", "" },
	{ "tar bsdtar unzip 7z cpio", UNPACKS, "fCdbIxoT", "" },
	{ "curl", NOTHING, "oXHdFuATeKbcxmwEy", "-o --output -O" },
	{ "wget", NOTHING, "OPoUtTiQ", "-O --output-document -o" },
	{ "sort uniq", READS, "okStTfsw", "-o --output" },
	{ "gcc cc clang g++ clang++ go rustc tsc", READS, "oIDLlxWfO", "-o" },
	{ "ed ex vi vim nvim nano emacs", WRITES, "cSuUwT", "" },
	{ "patch", WRITES, "pidDBoFrVY", "-o" },
	{ "docker podman docker-compose node", NOTHING, "", "" },
};

static const char *const readers_of_options[] = { "--env-file", "--envfile" };

static bool
has_word(const char *list, struct str word)
{
	struct str rest = str_from(list), one;

	while (str_next(&rest, ' ', &one))
		if (one.n > 0 && str_eq(one, word))
			return true;
	return false;
}

static const struct program_row *
row_of(struct str program)
{
	static const struct program_row other = { "", READS, "", "" };

	for (size_t i = 0; i < COUNT_OF(programs); i++)
		if (has_word(programs[i].names, program))
			return &programs[i];
	return &other;
}

static struct effect *
add(struct arena *a, struct effects *e, enum effect_kind kind, const struct sh_arg *path)
{
	arena_make_room(a, e->items, e->count, &e->capacity);
	e->items[e->count] = (struct effect){ .kind = kind, .path = *path };
	return &e->items[e->count++];
}

static struct sh_arg
arg_from(const struct sh_arg *arg, size_t from)
{
	struct sh_arg made = *arg;

	made.text = str_sub(arg->text, from, arg->text.n);
	return made;
}

bool
has_option(const struct sh_command *c, const char *option)
{
	struct str o = str_from(option);
	bool is_long = str_starts(o, STR("--"));

	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;
		ptrdiff_t equals = str_find_char(t, '=');
		struct str name = equals > 0 ? str_sub(t, 0, (size_t)equals) : t;

		if (str_is(t, "--"))
			return false;
		/* programs take abbreviations; --h is too short to be meant */
		if (is_long ? name.n >= 5 && str_starts(o, name)
			    : t.n > 1 && t.s[0] == '-' && t.s[1] != '-' && str_find_char(t, o.s[1]) > 0)
			return true;
	}
	return false;
}

/* ---- operands ---- */

/* The arguments that are not options, nor the values of those. Values that are files are added to the effects. */
static struct sh_arg *
operands_of(struct arena *a, const struct sh_command *c, const struct program_row *row, size_t *ret_count,
	    struct effects *e)
{
	struct sh_arg *list = arena_array(a, c->count, struct sh_arg);
	bool is_over = false;

	*ret_count = 0;
	for (size_t i = 1; i < c->count; i++) {
		const struct sh_arg *arg = &c->args[i];
		struct str t = arg->text;
		ptrdiff_t equals = str_find_char(t, '=');

		if (is_over || t.n < 2 || t.s[0] != '-') {
			list[(*ret_count)++] = *arg;
			continue;
		}
		is_over = str_is(t, "--");
		if (t.s[1] == '-') {
			struct str name = equals > 0 ? str_sub(t, 0, (size_t)equals) : t;
			bool is_written = has_word(row->written, name);

			if (is_written && equals > 0)
				*add(a, e, EFFECT_WRITE,
				     arg) = (struct effect){ .kind = EFFECT_WRITE,
							     .path = arg_from(arg, (size_t)equals + 1) };
			else if (is_written && i + 1 < c->count)
				(void)add(a, e, EFFECT_WRITE, &c->args[++i]);
			for (size_t k = 0; k < COUNT_OF(readers_of_options); k++)
				i += equals < 0 && str_is(name, readers_of_options[k]);
			continue;
		}
		if (str_find_char(str_from(row->values), t.s[t.n - 1]) < 0 || i + 1 >= c->count) {
			/* -ofile */
			if (t.n > 2 && has_word(row->written, str_sub(t, 0, 2)))
				(void)add(a, e, EFFECT_WRITE,
					  &(struct sh_arg){ .text = str_sub(t, 2, t.n), .source = t });
			continue;
		}
		i++;
		if (has_word(row->written, str_sub(t, 0, 2)) && t.n == 2)
			(void)add(a, e, EFFECT_WRITE, &c->args[i]);
	}
	return list;
}

static void
add_all(struct arena *a, struct effects *e, enum effect_kind kind, const struct sh_arg *list, size_t count,
	bool is_recursive)
{
	for (size_t i = 0; i < count; i++)
		add(a, e, kind, &list[i])->is_recursive = is_recursive;
}

/* cp, mv, ln, install, rsync, dd */
static void
add_transfer(struct arena *a, const struct sh_command *c, struct effects *e, const struct sh_arg *list,
	     size_t count, bool moves)
{
	const struct sh_arg *target = count > 1 ? &list[count - 1] : NULL;
	size_t sources = count > 0 ? count - 1 : 0;

	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;

		if (str_starts(t, STR("of=")))
			(void)add(a, e, EFFECT_WRITE,
				  &(struct sh_arg){ .text = str_sub(t, 3, t.n), .source = t });
		else if (str_starts(t, STR("if=")))
			(void)add(a, e, EFFECT_READ,
				  &(struct sh_arg){ .text = str_sub(t, 3, t.n), .source = t });
		else if (str_starts(t, STR("--target-directory=")) || (str_is(t, "-t") && i + 1 < c->count)) {
			struct sh_arg dir = t.n == 2 ? c->args[i + 1] : arg_from(&c->args[i], 19);

			struct sh_arg *given = arena_new(a, struct sh_arg);

			*given = dir;
			target = given;
			sources = count;
		}
	}
	bool deletes = str_is(sh_program(c), "rsync") &&
		       (has_option(c, "--delete") || has_option(c, "--delete-before"));

	for (size_t i = 0; i < sources; i++) {
		struct effect *read = add(a, e, moves ? EFFECT_DELETE : EFFECT_READ, &list[i]);

		read->is_recursive = moves;
		read->is_move = moves && !(target && str_is(target->text, "/dev/null"));
		if (!target)
			continue;
		struct effect *w = add(a, e, str_is(list[i].text, "/dev/null") ? EFFECT_EMPTY : EFFECT_WRITE,
				       target);

		w->may_be_dir = true;
		w->source = list[i].text;
	}
	if (deletes && target)
		add(a, e, EFFECT_DELETE, target)->is_recursive = true;
}

/* The files that the w command of a sed script writes: s/a/b/w FILE, /x/w FILE. Other texts look like it, so they must exist. */
static void
add_sed_files(struct arena *a, struct effects *e, struct str script)
{
	struct str line;

	while (str_next(&script, '\n', &line))
		for (size_t i = 0; i + 2 < line.n; i++) {
			bool is_after = i == 0 ||
					str_find_char(STR(" ;{}/|,#!$gpiIeM0123456789"), line.s[i - 1]) >= 0;

			if ((line.s[i] != 'w' && line.s[i] != 'W') || !is_after || line.s[i + 1] != ' ')
				continue;
			struct sh_arg file = { .text = str_trim(str_sub(line, i + 1, line.n)),
					       .source = line };

			add(a, e, EFFECT_WRITE, &file)->must_exist = true;
		}
}

/* sed and grep: is the first operand a script or pattern? */
static size_t
first_file(const struct sh_command *c)
{
	return has_option(c, "-e") || has_option(c, "-f") || has_option(c, "--expression") ||
			       has_option(c, "--file")
		       ? 0
		       : 1;
}

static void
add_unpacked(struct arena *a, const struct sh_command *c, struct effects *e, const struct sh_arg *list,
	     size_t count)
{
	bool creates = c->count > 1 && (has_option(c, "-c") || has_option(c, "--create") ||
					(c->args[1].text.n > 0 && c->args[1].text.s[0] == 'c'));

	if (creates)
		add_all(a, e, EFFECT_READ, list, count, true);
	for (size_t i = 1; !creates && i + 1 < c->count; i++)
		if (str_is(c->args[i].text, "-C") || str_is(c->args[i].text, "-d") ||
		    str_is(c->args[i].text, "--directory"))
			add(a, e, EFFECT_WRITE, &c->args[i + 1])->is_recursive = true;
	for (size_t i = 1; creates && i + 1 < c->count; i++)
		if (str_ends(c->args[i].text, STR("f")) && !str_starts(c->args[i].text, STR("--")))
			(void)add(a, e, EFFECT_WRITE, &c->args[i + 1]);
}

/* git: what it does to files that are named. */
static void
add_git(struct arena *a, const struct sh_command *c, struct effects *e)
{
	struct words w = words_of(c);
	struct str sub = w.count > 1 ? w.items[1] : STR("");
	bool is_cached = has_option(c, "--cached");
	bool restores = str_is(sub, "checkout") || str_is(sub, "restore");
	enum effect_kind kind = str_is(sub, "rm") || str_is(sub, "mv") || str_is(sub, "clean") ? EFFECT_DELETE
				: restores || str_is(sub, "apply")                             ? EFFECT_WRITE
											       : EFFECT_READ;
	static const char *const showing[] = { "show", "diff", "cat-file", "blame", "grep", "archive" };
	bool reads = false;

	for (size_t i = 0; i < COUNT_OF(showing); i++)
		reads |= str_is(sub, showing[i]);
	/* these change the index alone */
	is_cached |= str_is(sub, "restore") && has_option(c, "--staged") && !has_option(c, "--worktree");
	if (is_cached || (kind == EFFECT_READ && !reads))
		return;
	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;
		ptrdiff_t colon = str_find_char(t, ':');

		if (str_eq(t, sub) || (t.n > 0 && t.s[0] == '-'))
			continue;
		/* REVISION:path */
		struct sh_arg path = reads && colon > 0 ? arg_from(&c->args[i], (size_t)colon + 1)
							: c->args[i];

		struct effect *made = add(a, e, str_is(sub, "checkout") ? EFFECT_EMPTY : kind, &path);

		/* what git would lose is in the table of acts */
		made->is_recursive = made->is_move = kind == EFFECT_DELETE;
		made->must_exist = true;
	}
}

static void
add_find(struct arena *a, const struct sh_command *c, struct effects *e)
{
	static const char *const outputs[] = { "-fprint", "-fprintf", "-fls", "-fprint0" };

	struct str name = STR_NONE;

	for (size_t i = 1; i + 1 < c->count; i++)
		if (str_is(c->args[i].text, "-name") || str_is(c->args[i].text, "-iname"))
			name = c->args[i + 1].text;
	for (size_t i = 1; i < c->count; i++) {
		if (str_is(c->args[i].text, "-delete") && (!c->is_selected || name.n > 0)) {
			struct sh_arg here = { .text = STR("."), .source = STR(".") };
			bool has_start = !str_starts(c->args[1].text, STR("-"));
			struct effect *made = add(a, e, EFFECT_DELETE, has_start ? &c->args[1] : &here);

			made->is_recursive = true;
			/* of a find that chooses by name, the rest stays */
			made->named = c->is_selected ? name : STR_NONE;
		}
		for (size_t k = 0; k < COUNT_OF(outputs) && i + 1 < c->count; k++)
			if (str_is(c->args[i].text, outputs[k]))
				(void)add(a, e, EFFECT_WRITE, &c->args[i + 1]);
	}
}

/* curl -d @file, -F x=@file, -T file */
static void
add_uploads(struct arena *a, const struct sh_command *c, struct effects *e)
{
	for (size_t i = 1; i < c->count; i++) {
		ptrdiff_t at = str_find_char(c->args[i].text, '@');
		struct str before = c->args[i - 1].text;

		if (at >= 0 && (at == 0 || c->args[i].text.s[at - 1] == '=')) {
			struct sh_arg path = arg_from(&c->args[i], (size_t)at + 1);

			(void)add(a, e, EFFECT_READ, &path);
		}
		if (str_is(before, "-T") || str_is(before, "--upload-file"))
			(void)add(a, e, EFFECT_READ, &c->args[i]);
	}
}

static void
add_files(struct arena *a, const struct sh_command *c, struct effects *e)
{
	struct str program = sh_program(c);
	/* > file, : > file, and cat /dev/null > file leave nothing */
	bool prints_nothing = (str_is(program, "echo") && c->count == 1) ||
			      (str_is(program, "printf") && c->count == 2 && c->args[1].text.n == 0);
	bool is_empty = c->count == 0 || prints_nothing || str_is(program, ":") || str_is(program, "true") ||
			(str_is(program, "cat") && c->count == 2 && str_is(c->args[1].text, "/dev/null"));

	for (size_t i = 0; i < c->file_count; i++) {
		const struct sh_file *f = &c->files[i];

		if (f->is_written)
			(void)add(a, e, is_empty && !f->is_appended ? EFFECT_EMPTY : EFFECT_WRITE, &f->path);
		if (f->is_read)
			(void)add(a, e, EFFECT_READ, &f->path);
	}
}

void
effects_of(struct arena *a, const struct sh_command *c, struct effects *ret)
{
	struct str program = sh_program(c);
	const struct program_row *row = row_of(program);
	size_t count;

	add_files(a, c, ret);
	if (c->count == 0 || c->is_wrapper)
		return;
	if (str_is(program, "git")) {
		add_git(a, c, ret);
		return;
	}
	if (str_is(program, "find")) {
		add_find(a, c, ret);
		return;
	}
	if (str_is(program, "curl"))
		add_uploads(a, c, ret);
	struct sh_arg *list = operands_of(a, c, row, &count, ret);
	bool in_place = has_option(c, "-i") || has_option(c, "--in-place");

	switch (row->how) {
	case NOTHING:
		break;
	case READS:
		add_all(a, ret, EFFECT_READ, list, count, false);
		break;
	case WRITES:
		add_all(a, ret, EFFECT_WRITE, list, count, false);
		break;
	case EMPTIES:
		add_all(a, ret, EFFECT_EMPTY, list, count, false);
		break;
	case DELETES:
		add_all(a, ret, EFFECT_DELETE, list, count,
			has_option(c, "-r") || has_option(c, "-R") || has_option(c, "--recursive") ||
				str_is(program, "rimraf") || str_is(program, "del") ||
				str_is(program, "shred"));
		break;
	case COPIES:
	case MOVES:
		add_transfer(a, c, ret, list, count, row->how == MOVES);
		break;
	case CHANGES:
		for (size_t i = 1; str_ends(program, STR("sed")) && i < c->count; i++)
			add_sed_files(a, ret, c->args[i].text);
		for (size_t i = first_file(c); i < count; i++)
			(void)add(a, ret, in_place ? EFFECT_WRITE : EFFECT_READ, &list[i]);
		break;
	case SEARCHES:
		for (size_t i = first_file(c); i < count; i++)
			(void)add(a, ret, EFFECT_READ, &list[i]);
		break;
	case UNPACKS:
		add_unpacked(a, c, ret, list, count);
		break;
	}
}

struct words
words_of(const struct sh_command *c)
{
	struct words w = { .count = 0 };
	bool is_git = str_is(sh_program(c), "git");

	for (size_t i = 0; i < c->count && w.count < COUNT_OF(w.items); i++) {
		struct str t = c->args[i].text;

		if (i == 0) {
			w.items[w.count++] = sh_program(c);
			continue;
		}
		if (t.n > 1 && t.s[0] == '-') {
			/* options of git itself, before its command */
			if (is_git && w.count == 1)
				i += str_is(t, "-C") || str_is(t, "-c") || str_is(t, "--git-dir") ||
				     str_is(t, "--work-tree") || str_is(t, "--namespace") ||
				     str_is(t, "--config-env");
			continue;
		}
		w.items[w.count++] = t;
	}
	for (size_t i = 0; i < w.count; i++)
		w.unknown |= (uint64_t)sh_has_hole(w.items[i]) << i;
	return w;
}
