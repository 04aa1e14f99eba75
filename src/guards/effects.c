/* SPDX-License-Identifier: MIT */
/* A table of programs: which of their arguments they read, write and delete. An unknown program reads its arguments. */
#include "guards/effects.h"

#include "base/path.h"

enum how {
	NOTHING,  /* arguments are not read as files */
	READS,    /* all of them */
	WRITES,   /* all of them */
	EMPTIES,  /* all of them */
	DELETES,  /* all of them */
	DESTROYS, /* all of them, with what is below */
	COPIES,   /* reads all, writes the last */
	MOVES,    /* deletes all, writes the last */
	CHANGES, /* sed: the first is a script, unless -e or -f has it; the others are read, and written with -i */
	SEARCHES, /* grep: the first is a pattern, unless -e or -f has it; the others are read */
	UNPACKS,  /* into the directory of -C or -d */
	REPLACES, /* writes all, unless it only shows or checks */
	FORMATS,  /* reads all, and writes them if an option says so */
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
	  "file seq expr wc",
	  NOTHING, "", "" },
	{ "tee sponge mkfifo mknod dos2unix unix2dos Set-Content Add-Content Out-File Clear-Content", WRITES,
	  "", "" },
	{ "gzip gunzip bzip2 bunzip2 xz unxz black isort rustfmt sd", REPLACES, "S", "" },
	{ "prettier eslint biome clang-format yq ruff gofmt goimports shfmt stylelint rubocop", FORMATS, "",
	  "" },
	{ "touch", WRITES, "drt", "" },
	{ "truncate", EMPTIES, "sr", "" },
	{ "rm unlink rmdir srm wipe trash gio Remove-Item ri", DELETES, "n", "" },
	{ "shred rimraf del del-cli", DESTROYS, "n", "" },
	{ "cp install ln rsync scp dd link", COPIES, "mogSte", "" },
	{ "mv rename", MOVES, "St", "" },
	{ "awk gawk mawk nawk", CHANGES, "fFvi", "" },
	{ "sed gsed perl ruby", CHANGES, "efEIlMS", "" },
	{ "grep egrep fgrep rg ag ack", SEARCHES, "ABCefmgtTdDM", "" },
	{ "tar bsdtar unzip 7z cpio", UNPACKS, "fCdbIxoT", "" },
	{ "curl", NOTHING, "oXHdFuATeKbcxmwEy", "-o --output -O" },
	{ "wget", NOTHING, "OPoUtTiQ", "-O --output-document -o" },
	{ "sort uniq iconv psql tree gpg", READS, "okStTfsw", "-o --output" },
	{ "gcc cc clang g++ clang++ go rustc tsc", READS, "oIDLlxWfO", "-o" },
	{ "ed ex vi vim nvim nano emacs", WRITES, "cSuUwT", "" },
	{ "patch", WRITES, "pidDBoFrVY", "-o" },
	{ "docker podman docker-compose node", NOTHING, "", "" },
};

static const char *const readers_of_options[] = { "--env-file", "--envfile" };

static const struct program_row *
row_of(struct str program)
{
	static const struct program_row other = { "", READS, "", "" };

	ptrdiff_t at = str_find_char(program, '@');

	/* rimraf@5 */
	if (at > 0)
		program = str_sub(program, 0, (size_t)at);
	for (size_t i = 0; i < COUNT_OF(programs); i++)
		if (str_is_word_of(program, programs[i].names))
			return &programs[i];
	return &other;
}

struct effect *
effect_add(struct arena *a, struct effects *e, enum effect_kind kind, const struct sh_arg *path)
{
	arena_make_room(a, e->items, e->count, &e->capacity);
	e->items[e->count] = (struct effect){ .kind = kind, .path = *path };
	return &e->items[e->count++];
}

struct sh_arg
effect_arg_from(const struct sh_arg *arg, size_t from)
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
			bool is_written = str_is_word_of(name, row->written);

			if (is_written && equals > 0)
				*effect_add(a, e, EFFECT_WRITE, arg) = (struct effect){
					.kind = EFFECT_WRITE, .path = effect_arg_from(arg, (size_t)equals + 1)
				};
			else if (is_written && i + 1 < c->count)
				(void)effect_add(a, e, EFFECT_WRITE, &c->args[++i]);
			for (size_t k = 0; k < COUNT_OF(readers_of_options); k++)
				i += equals < 0 && str_is(name, readers_of_options[k]);
			i += equals < 0 && effect_takes_pattern(c, name);
			continue;
		}
		if (str_find_char(str_from(row->values), t.s[t.n - 1]) < 0 || i + 1 >= c->count) {
			/* -ofile */
			if (t.n > 2 && str_is_word_of(str_sub(t, 0, 2), row->written))
				(void)effect_add(a, e, EFFECT_WRITE,
						 &(struct sh_arg){ .text = str_sub(t, 2, t.n), .source = t });
			continue;
		}
		i++;
		if (str_is_word_of(str_sub(t, 0, 2), row->written) && t.n == 2)
			(void)effect_add(a, e, EFFECT_WRITE, &c->args[i]);
	}
	return list;
}

static const char *const showing[] = { "-c",      "-k",     "-l",     "-t",     "--stdout", "--keep",
				       "--check", "--diff", "--list", "--test", NULL };
static const char *const fixing[] = {
	"-i", "-w", "-a", "-A", "--write", "--fix", "--in-place", "--inplace", "--autocorrect", NULL
};

static bool
has_one(const struct sh_command *c, const char *const *options)
{
	for (; *options; options++)
		if (has_option(c, *options))
			return true;
	return false;
}

void
effect_add_all(struct arena *a, struct effects *e, enum effect_kind kind, const struct sh_arg *list,
	       size_t count, bool is_recursive)
{
	for (size_t i = 0; i < count; i++)
		effect_add(a, e, kind, &list[i])->is_recursive = is_recursive;
}

/* Is nothing in what it reads, as in `tee x </dev/null` and `dd if=/dev/null`? */
static bool
reads_nothing(const struct sh_command *c)
{
	for (size_t i = 1; i < c->count; i++)
		if (str_starts(c->args[i].text, STR("if=")))
			return str_is(c->args[i].text, "if=/dev/null") ||
			       str_is(c->args[i].text, "if=/dev/zero");
	return c->input.s && c->input.n == 0;
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
			(void)effect_add(a, e, reads_nothing(c) ? EFFECT_EMPTY : EFFECT_WRITE,
					 &(struct sh_arg){ .text = str_sub(t, 3, t.n), .source = t });
		else if (str_starts(t, STR("if=")))
			(void)effect_add(a, e, EFFECT_READ,
					 &(struct sh_arg){ .text = str_sub(t, 3, t.n), .source = t });
		else if (str_starts(t, STR("--target-directory=")) || (str_is(t, "-t") && i + 1 < c->count)) {
			struct sh_arg dir = t.n == 2 ? c->args[i + 1] : effect_arg_from(&c->args[i], 19);

			struct sh_arg *given = arena_new(a, struct sh_arg);

			*given = dir;
			target = given;
			sources = count;
		}
	}
	bool is_rsync = str_is(sh_program(c), "rsync"), deletes = false;

	for (size_t i = 1; is_rsync && i < c->count; i++) {
		deletes |= str_starts(c->args[i].text, STR("--del"));
		moves |= str_is(c->args[i].text, "--remove-source-files");
	}

	for (size_t i = 0; i < sources; i++) {
		struct effect *read = effect_add(a, e, moves ? EFFECT_DELETE : EFFECT_READ, &list[i]);

		read->is_recursive = moves;
		read->is_move = moves && !(target && str_is(target->text, "/dev/null"));
		if (!target)
			continue;
		struct effect *w = effect_add(
			a, e, str_is(list[i].text, "/dev/null") ? EFFECT_EMPTY : EFFECT_WRITE, target);

		w->may_be_dir = true;
		w->source = list[i].text;
	}
	if (deletes && target)
		effect_add(a, e, EFFECT_DELETE, target)->is_recursive = true;
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

/* echo, echo -n, echo "" */
static bool
prints_no_words(const struct sh_command *c)
{
	for (size_t i = 1; i < c->count; i++)
		if (c->args[i].text.n > 0 && !str_is(c->args[i].text, "-n"))
			return false;
	return true;
}

static void
add_files(struct arena *a, const struct sh_command *c, struct effects *e)
{
	struct str program = sh_program(c);
	/* > file, : > file, and cat /dev/null > file leave nothing */
	bool prints_nothing = (str_is(program, "echo") && prints_no_words(c)) ||
			      (str_is(program, "printf") && c->count == 2 && c->args[1].text.n == 0);
	bool copies_nothing = str_is(program, "cat") &&
			      (c->count == 1 ? reads_nothing(c)
					     : c->count == 2 && str_is(c->args[1].text, "/dev/null"));
	bool is_empty = c->count == 0 || prints_nothing || copies_nothing || str_is(program, ":") ||
			str_is(program, "true");

	for (size_t i = 0; i < c->file_count; i++) {
		const struct sh_file *f = &c->files[i];

		if (f->is_written)
			(void)effect_add(a, e, is_empty && !f->is_appended ? EFFECT_EMPTY : EFFECT_WRITE,
					 &f->path);
		if (f->is_read)
			(void)effect_add(a, e, EFFECT_READ, &f->path);
	}
}

/* What is sent elsewhere, and files of names, which some programs print in their messages. */
static void
add_lists(struct arena *a, const struct sh_command *c, struct effects *ret)
{
	struct str program = sh_program(c);

	if (str_is(program, "curl") || str_is(program, "wget"))
		effect_add_uploads(a, c, ret);
	for (size_t i = 1; i < c->count; i++) {
		struct sh_arg list_file = effect_arg_from(&c->args[i], STR("--files0-from=").n);
		bool is_next = i + 1 < c->count &&
			       ((str_is(program, "date") && str_is(c->args[i].text, "-f")) ||
				(str_is_word_of(program, "docker podman") && i == 1 &&
				 str_is(c->args[i].text, "cp")));

		if (str_starts(c->args[i].text, STR("--files0-from=")))
			(void)effect_add(a, ret, EFFECT_READ, &list_file);
		if (is_next)
			(void)effect_add(a, ret, EFFECT_READ, &c->args[i + 1]);
	}
}

void
effects_of(struct arena *a, const struct sh_command *c, struct effects *ret)
{
	struct str program = sh_program(c);
	const struct program_row *row = row_of(program);
	size_t count, first = 0;

	add_files(a, c, ret);
	if (c->count == 0 || c->is_wrapper)
		return;
	if (str_is(program, "git") || str_is(program, "find")) {
		(str_is(program, "git") ? effect_add_git : effect_add_find)(a, c, ret);
		return;
	}
	add_lists(a, c, ret);
	struct sh_arg *list = operands_of(a, c, row, &count, ret);
	bool in_place = has_option(c, "-i") || has_option(c, "--in-place");

	switch (row->how) {
	case NOTHING:
		break;
	case READS:
		effect_add_all(a, ret, EFFECT_READ, list, count, false);
		break;
	case WRITES:
		effect_add_all(a, ret, reads_nothing(c) && !has_option(c, "-a") ? EFFECT_EMPTY : EFFECT_WRITE,
			       list, count, false);
		break;
	case REPLACES:
		effect_add_all(a, ret, has_one(c, showing) ? EFFECT_READ : EFFECT_WRITE, list, count, false);
		break;
	case FORMATS:
		for (size_t i = 0; i < count; i++)
			effect_add(a, ret, has_one(c, fixing) ? EFFECT_WRITE : EFFECT_READ, &list[i])
				->must_exist = true;
		break;
	case EMPTIES:
		effect_add_all(a, ret, EFFECT_EMPTY, list, count, false);
		break;
	case DELETES:
		effect_add_all(a, ret, EFFECT_DELETE, list, count,
			       has_option(c, "-r") || has_option(c, "-R") || has_option(c, "--recursive"));
		break;
	case DESTROYS:
		effect_add_all(a, ret, EFFECT_DELETE, list, count, true);
		break;
	case COPIES:
	case MOVES:
		add_transfer(a, c, ret, list, count, row->how == MOVES);
		break;
	case CHANGES:
		for (size_t i = first_file(c); i < count; i++)
			(void)effect_add(a, ret, in_place ? EFFECT_WRITE : EFFECT_READ, &list[i]);
		break;
	case SEARCHES:
		first = first_file(c);
		for (size_t i = first; i < count; i++)
			if (!list[i].is_unknown || !effect_prints_names_only(c))
				(void)effect_add(a, ret, EFFECT_READ, &list[i]);
		break;
	case UNPACKS:
		effect_add_unpacked(a, c, ret, list, count);
		break;
	}
	effect_add_trees(a, c, ret, list + first, count > first ? count - first : 0);
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
