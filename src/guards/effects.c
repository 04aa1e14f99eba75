/* SPDX-License-Identifier: MIT */
/* What a command does to files, by the rows FILES of shell/programs.def, and below directories, by the rows TREE. An unknown program reads
 * its arguments. */
#include "guards/effects.h"

#include "base/path.h"

struct effect *
effect_add(struct effects *e, enum effect_kind kind, struct sh_arg path)
{
	struct effect *effect = arena_push(e->arena, e->items, e->count);

	effect->kind = kind;
	effect->path = path;
	return effect;
}

/* The argument without its first bytes. */
static struct sh_arg
arg_from(const struct sh_arg *arg, size_t from)
{
	struct sh_arg made = *arg;

	made.text = str_rest(arg->text, from);
	return made;
}

/* Is nothing in what it reads, as in `tee x </dev/null` and `dd if=/dev/null`? */
static bool
reads_nothing(const struct sh_command *c)
{
	for (size_t i = 1; i < c->count; i++)
		if (str_starts(c->args[i].text, STR("if=")))
			return str_is_word_of(c->args[i].text, "if=/dev/null if=/dev/zero");
	return c->input.s && c->input.n == 0;
}

/* ---- directories ---- */

/* The values of these options: --x=v, --x v, -xv. Each argument is one value at most. */
static struct str_list
values_of(struct arena *a, const struct sh_command *c, const char *options, bool takes_many)
{
	struct str_list list = { arena_array(a, c->count, struct str), 0 };

	for (size_t i = 1; i < c->count; i++) {
		struct str rest = str_from(options), one, t = c->args[i].text;

		while (str_next(&rest, ' ', &one)) {
			bool is_long = str_starts(one, STR("--"));

			if (one.n == 0 || !str_starts(t, one))
				continue;
			if (t.n > one.n && (!is_long || t.s[one.n] == '='))
				list.items[list.count++] = str_rest(t, one.n + is_long);
			if (t.n > one.n)
				continue;
			do {
				if (++i < c->count)
					list.items[list.count++] = c->args[i].text;
			} while (takes_many && i + 1 < c->count &&
				 !str_starts(c->args[i + 1].text, STR("-")));
			break;
		}
	}
	return list;
}

static struct effect_filter
filter_of(struct arena *a, const struct sh_command *c, const struct sh_row *row)
{
	bool takes_many = row->tree.flags & SH_MANY, is_rg = row->tree.flags & SH_RIPGREP;
	struct effect_filter f = {
		.except = values_of(a, c, row->tree.except, takes_many),
		.only = values_of(a, c, row->tree.only, takes_many),
		.how = row->tree.how,
	};

	/* rg -g '!x' leaves x out */
	if (is_rg) {
		struct str_list all = f.only;

		f.except.items = arena_array(a, all.count, struct str);
		f.except.count = f.only.count = 0;
		for (size_t i = 0; i < all.count; i++) {
			struct str_list *to = str_skip(&all.items[i], "!") ? &f.except : &f.only;

			to->items[to->count++] = all.items[i];
		}
	}
	if (row->tree.flags & (SH_RIPGREP | SH_SILVER)) {
		bool is_very_free = !is_rg && sh_has_exactly(c, "u --unrestricted");

		for (size_t i = 1; is_rg && i < c->count; i++)
			is_very_free |= str_is_word_of(c->args[i].text, "-uu -uuu");
		f.skips_ignored = !sh_has_exactly(c, is_rg ? "u --unrestricted --no-ignore"
							   : "uU --unrestricted");
		f.skips_hidden = !is_very_free && !sh_has_exactly(c, is_rg ? ". --hidden" : " --hidden");
	}
	return f;
}

/* What the command reads below directories, which are among the files of the list. */
static void
add_trees(const struct sh_command *c, const struct sh_arg *list, size_t count, struct str search,
	  struct effects *e)
{
	static const struct sh_arg here = { .text = STR("."), .source = STR(".") };
	const struct sh_row *row = sh_row_of(c, SH_TREE);
	unsigned flags = row ? row->tree.flags : 0;

	if (!row || sh_has_exactly(c, row->tree.quiet) || sh_has_exactly(c, row->tree.untold))
		return;
	if (row->options && !sh_has_exactly(c, row->options) &&
	    !((flags & SH_OLD_STYLE) && c->count > 1 && str_find_char(c->args[1].text, 'c') >= 0))
		return;
	/* what it reads from a pipe is not here */
	if (count == 0 && (flags & SH_HERE) && (row->options || !c->is_piped)) {
		list = &here;
		count = 1;
	} else if ((flags & SH_TO_LAST) && count > 0) {
		count--;
	}
	struct effect_filter filter = filter_of(e->arena, c, row);
	struct str dir = STR_NONE;

	for (struct sh_option o = sh_options(c, "fCbIT --file --directory --exclude");
	     (flags & SH_OLD_STYLE) && sh_next_option(&o);)
		dir = sh_is_value(&o, "C --directory") ? o.value.text : dir;
	for (size_t i = 0; i < count; i++) {
		struct effect *tree = effect_add(e, EFFECT_READ, list[i]);

		/* tar -C dir */
		if (dir.s && !path_is_absolute(list[i].text))
			tree->path.text = path_join(e->arena, dir, list[i].text);
		tree->is_recursive = true;
		tree->search = search;
		tree->filter = filter;
	}
}

/* ---- operands ---- */

/* A command, its row, and its operands. */
struct work {
	const struct sh_command *command;
	const struct sh_row *row;
	struct sh_arg *operands;
	size_t count;
};

/* A file that an option names; - is standard output. */
static void
add_output(struct effects *e, const struct sh_arg *file, bool is_recursive)
{
	if (!str_is(file->text, "-"))
		effect_add(e, EFFECT_WRITE, *file)->is_recursive = is_recursive;
}

/* The arguments that are not options, nor the values of those. Values that are files are added to the effects. */
static struct work
work_of(const struct sh_command *c, const struct sh_row *row, struct effects *e)
{
	struct work w = { c, row, arena_array(e->arena, c->count, struct sh_arg), 0 };
	const char *written = row->files.written, *read = row->files.read;

	for (struct sh_option o = sh_options(c, row->options); sh_next_option(&o);) {
		ptrdiff_t equals = str_find_char(o.value.text, '=');
		struct str key = str_sub(o.value.text, 0, (size_t)(equals + 1));

		if (sh_is_value(&o, written))
			add_output(e, &o.value, false);
		else if (sh_is_value(&o, read) || (o.value.text.s && str_is(o.name, "--files0-from")))
			effect_add(e, EFFECT_READ, o.value);
		else if (o.name.s && !o.value.text.s && str_is_word_of(o.name, "--env-file --envfile"))
			o.at++;
		else if (!o.name.s && str_is_word_of(key, read))
			effect_add(e, EFFECT_READ, arg_from(&o.value, key.n));
		else if (!o.name.s && str_is_word_of(key, written))
			effect_add(e, reads_nothing(c) ? EFFECT_EMPTY : EFFECT_WRITE,
				   arg_from(&o.value, key.n));
		else if (!o.name.s)
			w.operands[w.count++] = o.value;
	}
	return w;
}

/* cp, mv, ln, install, rsync: to the last operand, or into the directory of -t */
static void
add_transfer(const struct work *w, struct effects *e)
{
	const struct sh_command *c = w->command;
	struct sh_arg target = w->count > 1 ? w->operands[w->count - 1] : (struct sh_arg){ 0 };
	size_t sources = w->count > 0 ? w->count - 1 : 0;
	bool moves = w->row->files.does == SH_MOVES || sh_has_exactly(c, " --remove-source-files");

	for (struct sh_option o = sh_options(c, w->row->options); sh_next_option(&o);)
		if (o.value.text.s && sh_is_option(&o, "t --target-directory")) {
			target = o.value;
			sources = w->count;
		}
	for (size_t i = 0; i < sources; i++) {
		struct sh_arg source = w->operands[i];
		struct effect *from = effect_add(e, moves ? EFFECT_DELETE : EFFECT_READ, source), *to;

		from->is_recursive = moves;
		from->is_move = moves && !str_is(target.text, "/dev/null");
		if (!target.text.s)
			continue;
		to = effect_add(e, str_is(source.text, "/dev/null") ? EFFECT_EMPTY : EFFECT_WRITE, target);
		to->may_be_dir = true;
		to->is_move = moves;
		to->is_edit = sh_has_exactly(c,
					     "nu --no-clobber --update --dry-run --append --ignore-existing");
		to->source = source.text;
	}
	if (target.text.s && !sh_has_exactly(c, "n --list-only") &&
	    sh_has_option(c, " --delete --del --delete-before --delete-after "
			     "--delete-during --delete-delay --delete-excluded"))
		effect_add(e, EFFECT_DELETE, target)->is_recursive = true;
}

/* tar and its like */
static void
add_archive(const struct work *w, struct effects *e)
{
	const struct sh_command *c = w->command;
	bool creates = c->count > 1 &&
		       (sh_has_option(c, "c --create") || str_starts(c->args[1].text, STR("c")));
	bool removes = sh_has_option(c, " --remove-files");

	for (size_t i = 0; creates && i < w->count; i++)
		effect_add(e, removes ? EFFECT_DELETE : EFFECT_READ, w->operands[i])->is_recursive = removes;
	for (struct sh_option o = sh_options(c, w->row->options); sh_next_option(&o);)
		if (o.value.text.s && sh_is_option(&o, creates ? "f --file" : "Cd --directory"))
			add_output(e, &o.value, !creates);
	/* tar cf FILE, without a dash */
	if (creates && c->count > 2 && c->args[1].text.s[0] == 'c' && str_ends(c->args[1].text, STR("f")))
		add_output(e, &c->args[2], false);
}

/* curl -d @file, -F 'x=@file;type=T', -F 'x=<file', -T file; wget --post-file file */
static void
add_uploads(const struct sh_command *c, struct effects *e)
{
	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;
		ptrdiff_t at = str_find_char(t, '@');

		if (at < 0)
			at = str_find_char(t, '<');
		if (at >= 0 && (at == 0 || t.s[at - 1] == '=')) {
			struct sh_arg path = arg_from(&c->args[i], (size_t)at + 1);
			ptrdiff_t end = str_find(path.text, STR(";type="));

			if (end > 0)
				path.text.n = (size_t)end;
			effect_add(e, EFFECT_READ, path);
		}
		if (str_starts(t, STR("file://")))
			effect_add(e, EFFECT_READ, arg_from(&c->args[i], STR("file://").n));
	}
}

/* git: what it does to files that are named. */
static void
add_git(const struct sh_words *w, struct effects *e)
{
	const struct sh_command *c = w->command;
	struct str sub = w->count > 1 ? w->items[1] : STR("");
	bool is_checkout = str_is(sub, "checkout");
	enum effect_kind kind = str_is_word_of(sub, "rm mv clean")     ? EFFECT_DELETE
				: str_is_word_of(sub, "restore apply") ? EFFECT_WRITE
				: is_checkout                          ? EFFECT_EMPTY
								       : EFFECT_READ;
	/* what is added goes to the remote with the next push */
	bool reads = str_is_word_of(sub, "show diff cat-file blame grep archive hash-object") ||
		     (str_is_word_of(sub, "log stash") && sh_has_option(c, "p --patch")) ||
		     (str_is(sub, "add") && sh_has_option(c, "f --force"));
	/* these change the index alone */
	bool is_cached = sh_has_option(c, " --cached") ||
			 (str_is(sub, "restore") && sh_has_option(c, " --staged") &&
			  !sh_has_option(c, " --worktree"));

	for (size_t i = 1; i < c->count; i++)
		if (str_starts(c->args[i].text, STR("--output=")))
			effect_add(e, EFFECT_WRITE, arg_from(&c->args[i], STR("--output=").n));
		else if (str_is(sub, "archive") && str_is(c->args[i].text, "-o") && i + 1 < c->count)
			effect_add(e, EFFECT_WRITE, c->args[i + 1]);
	for (size_t i = 1; !is_cached && (kind != EFFECT_READ || reads) && i < c->count; i++) {
		struct str t = c->args[i].text;
		ptrdiff_t colon = reads ? str_find_char(t, ':') : -1;

		if (str_eq(t, sub) || (t.n > 0 && t.s[0] == '-'))
			continue;
		/* REVISION:path; what git would lose is in the table of acts */
		struct effect *named = effect_add(e, kind,
						  arg_from(&c->args[i], colon > 0 ? (size_t)colon + 1 : 0));

		named->is_recursive = named->is_move = kind == EFFECT_DELETE;
		if (str_is(sub, "mv") && i + 1 < c->count) {
			struct effect *to = effect_add(e, EFFECT_WRITE, c->args[c->count - 1]);

			to->may_be_dir = to->is_move = to->is_edit = true;
			to->source = t;
			continue;
		}
		named->must_exist = true;
	}
}

/* ---- all of them ---- */

/* sed and grep: is the first operand a script or pattern? */
static size_t
first_file(const struct sh_command *c)
{
	return sh_has_option(c, "ef --expression --regexp --file") ? 0 : 1;
}

/* The pattern of grep; empty, which matches every line: it is not known. */
static struct str
pattern_of(const struct work *w)
{
	struct str found = STR_NONE;

	for (struct sh_option o = sh_options(w->command, w->row->options); sh_next_option(&o);)
		if (sh_is_value(&o, "e --regexp"))
			found = found.s ? STR("") : o.value.text;
	if (!found.s && first_file(w->command) == 1 && w->count > 0)
		found = w->operands[0].text;
	return found.s && !sh_has_hole(found) ? found : STR("");
}

/* sed -i d: every line is deleted? */
static bool
deletes_all_lines(const struct work *w)
{
	struct str script = w->count > 0 ? w->operands[0].text : STR("");

	for (struct sh_option o = sh_options(w->command, w->row->options); sh_next_option(&o);)
		if (sh_is_value(&o, "e --expression"))
			script = o.value.text;
	return str_is_word_of(script, "d 1,$d 0,$d /^/d /.*/d");
}

static void
add_operands(const struct work *w, struct effects *e)
{
	const struct sh_command *c = w->command;
	enum sh_does does = w->row->files.does;
	bool is_script = does == SH_CHANGES || does == SH_AWK,
	     is_output = does == SH_WRITES || does == SH_TEES;
	const struct sh_row *tree = does == SH_SEARCHES ? sh_row_of(c, SH_TREE) : NULL;
	/* grep -l: what is in a file is not shown */
	bool names_only = tree && sh_has_exactly(c, tree->tree.quiet);
	/* a program that is not known reads its arguments; a text with blanks names no file */
	bool is_unknown = !*w->row->names;
	enum effect_kind kind = is_unknown ? EFFECT_USE : EFFECT_READ;

	if (does == SH_DELETES || does == SH_DESTROYS)
		kind = EFFECT_DELETE;
	else if (does == SH_EMPTIES || (is_output && reads_nothing(c) && !sh_has_option(c, "a")))
		kind = EFFECT_EMPTY;
	else if (does == SH_MAKES)
		kind = EFFECT_MAKE;
	else if (is_script && sh_has_option(c, "i --in-place") && deletes_all_lines(w))
		kind = EFFECT_EMPTY;
	else if (is_output || (is_script && sh_has_option(c, "i --in-place")) ||
		 (does == SH_REPLACES &&
		  !sh_has_option(c, "cklt --stdout --keep --check --diff --list --test")) ||
		 (does == SH_FORMATS &&
		  sh_has_option(c, "iwaA --write --fix --in-place --inplace --autocorrect")))
		kind = EFFECT_WRITE;
	for (size_t i = is_script || does == SH_SEARCHES ? first_file(c) : 0; i < w->count; i++) {
		if (names_only && w->operands[i].is_unknown)
			continue;
		struct effect *operand = effect_add(e, kind, w->operands[i]);

		operand->is_recursive = does == SH_DESTROYS ||
					(does == SH_DELETES && sh_has_option(c, "rR --recursive"));
		/* rmdir leaves what is in a directory, and rm -i asks */
		operand->is_move = kind == EFFECT_DELETE &&
				   ((str_is(sh_program(c), "rmdir") && !str_is(w->operands[0].text, "/s")) ||
				    (!c->is_piped && str_is(sh_program(c), "rm") &&
				     sh_has_exactly(c, "i --interactive") &&
				     !sh_has_exactly(c, "f --force")));
		operand->must_exist = does == SH_FORMATS ||
				      (is_unknown && str_find_char(w->operands[i].text, ' ') >= 0);
		/* an editor, a formatter or sed changes a part; tee -a adds */
		operand->is_edit = kind == EFFECT_WRITE &&
				   (does != SH_TEES || sh_has_option(c, "a --append"));
		operand->is_printed = !is_unknown;
		operand->search = does == SH_SEARCHES ? pattern_of(w) : STR_NONE;
	}
}

static void
add_find(const struct sh_words *w, struct effects *e)
{
	const struct sh_command *c = w->command;

	for (struct sh_option o = sh_options(c, sh_files_of(w)->options); sh_next_option(&o);)
		if (!o.name.s)
			continue;
		else if (str_is_word_of(o.name, "-exec -execdir -ok -okdir"))
			/* its arguments are no tests */
			while (o.at < c->count && !str_is_word_of(c->args[o.at].text, "; +"))
				o.at++;
		else if (str_is(o.name, "-delete"))
			effects_of_selection(c, &(struct effect){ .kind = EFFECT_DELETE }, e);
		else if (o.at < c->count && str_is_word_of(o.name, "-fprint -fprintf -fls -fprint0"))
			effect_add(e, EFFECT_WRITE, c->args[o.at]);
}

struct effects
effects_of(struct arena *a, const struct sh_words *w)
{
	const struct sh_command *c = w->command;
	const struct sh_row *row = sh_files_of(w);
	enum sh_does does = row->files.does;
	struct effects e = { .arena = a };
	/* > file, : > file, and cat /dev/null > file leave nothing */
	bool is_empty = c->file_count > 0 && str_trim(sh_printed(a, c, STR_NONE)).n == 0;

	for_each (f, c->files, c->file_count) {
		if (f->is_written)
			effect_add(&e, is_empty && !f->is_appended ? EFFECT_EMPTY : EFFECT_WRITE, f->path)
				->is_edit = f->is_appended || c->has_text;
		if (f->is_read)
			effect_add(&e, EFFECT_READ, f->path);
	}
	if (c->count == 0 || c->is_wrapper || sh_is_dry(w))
		return e;
	if (does == SH_GIT || does == SH_FINDS) {
		(does == SH_GIT ? add_git : add_find)(w, &e);
		return e;
	}
	struct work work = work_of(c, row, &e);

	if (does == SH_LOADS)
		add_uploads(c, &e);
	else if (does == SH_COPIES || does == SH_MOVES)
		add_transfer(&work, &e);
	else if (does == SH_UNPACKS)
		add_archive(&work, &e);
	else if (does != SH_NOTHING)
		add_operands(&work, &e);
	/* the pattern is no file */
	size_t first = does == SH_SEARCHES ? first_file(c) : 0;

	add_trees(c, work.operands + first, work.count > first ? work.count - first : 0,
		  does == SH_SEARCHES ? pattern_of(&work) : STR_NONE, &e);
	return e;
}
