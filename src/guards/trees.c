/* SPDX-License-Identifier: MIT */
/* Programs that read whole directories: which options make them do so, and what they leave out. */
#include "guards/effects.h"

/* Lists of options are separated by blanks. */
struct tree_row {
	const char *names;
	const char *recursive; /* one of these makes it read directories; NULL: it always does */
	const char *quiet;     /* with one of these it prints no content */
	const char *except;    /* their values are patterns of what it leaves out */
	const char *only;      /* their values are patterns of what it reads */
	const char *untold;    /* what these leave out is not followed: then nothing is said */
	const char *how;       /* the option that leaves out a name */
	bool is_here;          /* without operands it reads the working directory */
	bool has_target;       /* the last operand is written */
};

static const struct tree_row trees[] = {
	{ "grep egrep fgrep", "-r -R --recursive --dereference-recursive",
	  "-l -L -c -q --files-with-matches --files-without-match --count --quiet --silent",
	  "--exclude --exclude-dir", "--include", "--exclude-from", "--exclude='", true, false },
	{ "rg", NULL, "-l -c -q --files --files-with-matches --count --quiet --type-list", "",
	  "-g --glob --iglob", "-t --type -f", "-g '!", true, false },
	{ "ag", NULL, "-l -L -c --files-with-matches --count", "--ignore --ignore-dir", "", "-G",
	  "--ignore '", true, false },
	{ "cp", "-r -R -a --recursive --archive", "", "", "", "", NULL, false, true },
	{ "rsync", "-r -a --recursive --archive", "-n --dry-run", "--exclude", "",
	  "--exclude-from --filter -f -F --files-from -C --cvs-exclude --include", "--exclude='", false,
	  true },
	{ "scp", "-r", "", "", "", "", NULL, false, true },
	{ "tar bsdtar", "-c -r -u --create --append --update", "", "--exclude", "",
	  "--exclude-from -X --exclude-vcs-ignores --exclude-ignore --files-from -T", "--exclude='", false,
	  false },
	{ "zip", "-r -R --recurse-paths", "", "-x --exclude", "-i --include", "-x@ -i@", "-x '", false,
	  false },
	{ "7z 7za 7zr", NULL, "", "-x! -xr!", "", "-x@ -xr@", "-xr!'", false, false },
	{ "diff", "-r --recursive", "-q --brief", "-x --exclude", "", "-X --exclude-from", "--exclude='",
	  false, false },
};

static const struct tree_row *
row_of(struct str program)
{
	for (size_t i = 0; i < COUNT_OF(trees); i++)
		if (str_is_word_of(program, trees[i].names))
			return &trees[i];
	return NULL;
}

/* Is one of the options there: a long one as it is, a short one in a cluster too? */
static bool
has_one_of(const struct sh_command *c, const char *list)
{
	struct str rest = str_from(list), one;

	while (str_next(&rest, ' ', &one))
		for (size_t i = 1; one.n > 0 && i < c->count; i++) {
			struct str t = c->args[i].text;
			ptrdiff_t equals = str_find_char(t, '=');
			struct str name = equals > 0 ? str_sub(t, 0, (size_t)equals) : t;
			bool is_cluster = one.n == 2 && t.n > 2 && t.s[0] == '-' && t.s[1] != '-';

			if (str_is(t, "--"))
				break;
			if (str_eq(name, one) || (is_cluster && str_find_char(t, one.s[1]) > 0))
				return true;
		}
	return false;
}

static void
add(struct arena *a, struct str_list *list, size_t *capacity, struct str value)
{
	arena_make_room(a, list->items, list->count, capacity);
	list->items[list->count++] = value;
}

/* The values of these options: --x=v, --x v, -xv. */
static struct str_list
values_of(struct arena *a, const struct sh_command *c, const char *options, bool takes_many)
{
	struct str_list list = { 0 };
	size_t capacity = 0;

	for (size_t i = 1; i < c->count; i++) {
		struct str rest = str_from(options), one, t = c->args[i].text;

		while (str_next(&rest, ' ', &one)) {
			bool is_long = str_starts(one, STR("--"));

			if (one.n == 0 || !str_starts(t, one))
				continue;
			if (t.n > one.n && (!is_long || t.s[one.n] == '='))
				add(a, &list, &capacity, str_sub(t, one.n + is_long, t.n));
			if (t.n > one.n)
				continue;
			do {
				i++;
				if (i < c->count)
					add(a, &list, &capacity, c->args[i].text);
			} while (takes_many && i + 1 < c->count &&
				 !str_starts(c->args[i + 1].text, STR("-")));
			break;
		}
	}
	return list;
}

/* rg -g '!x' leaves x out. */
static void
split_globs(struct arena *a, struct effect_filter *f)
{
	struct str_list all = f->only;
	size_t capacity = 0, kept = 0;

	f->except = (struct str_list){ 0 };
	for (size_t i = 0; i < all.count; i++)
		if (str_starts(all.items[i], STR("!")))
			add(a, &f->except, &capacity, str_sub(all.items[i], 1, all.items[i].n));
		else
			all.items[kept++] = all.items[i];
	f->only = (struct str_list){ all.items, kept };
}

static struct effect_filter
filter_of(struct arena *a, const struct sh_command *c, const struct tree_row *row)
{
	bool is_zip = str_is_word_of(sh_program(c), "zip"), is_rg = str_is_word_of(sh_program(c), "rg");
	struct effect_filter f = {
		.except = values_of(a, c, row->except, is_zip),
		.only = values_of(a, c, row->only, is_zip),
		.how = row->how,
	};

	if (is_rg)
		split_globs(a, &f);
	if (is_rg || str_is_word_of(sh_program(c), "ag")) {
		bool is_free = has_one_of(c,
					  is_rg ? "-u --unrestricted --no-ignore" : "-u --unrestricted -U");
		bool is_very_free = !is_rg && has_one_of(c, "-u --unrestricted");

		for (size_t i = 1; is_rg && i < c->count; i++)
			is_very_free |= str_is(c->args[i].text, "-uu") || str_is(c->args[i].text, "-uuu");
		f.skips_ignored = !is_free;
		f.skips_hidden = !is_very_free && !has_one_of(c, is_rg ? "--hidden -." : "--hidden");
	}
	return f;
}

bool
effect_takes_pattern(const struct sh_command *c, struct str option)
{
	const struct tree_row *row = row_of(sh_program(c));

	return row && (str_is_word_of(option, row->except) || str_is_word_of(option, row->only));
}

bool
effect_prints_names_only(const struct sh_command *c)
{
	const struct tree_row *row = row_of(sh_program(c));

	return row && has_one_of(c, row->quiet);
}

void
effect_add_trees(struct arena *a, const struct sh_command *c, struct effects *e, const struct sh_arg *list,
		 size_t count)
{
	static const struct sh_arg here = { .text = STR("."), .source = STR(".") };
	const struct tree_row *row = row_of(sh_program(c));
	bool is_tar = str_is_word_of(sh_program(c), "tar bsdtar");

	if (!row || has_one_of(c, row->quiet) || has_one_of(c, row->untold))
		return;
	if (row->recursive && !has_one_of(c, row->recursive) &&
	    !(is_tar && c->count > 1 && str_find_char(c->args[1].text, 'c') >= 0))
		return;
	/* what it reads from a pipe is not here */
	if (count == 0 && row->is_here && (row->recursive || !c->is_piped)) {
		list = &here;
		count = 1;
	} else if (row->has_target && count > 0) {
		count--;
	}
	struct effect_filter filter = filter_of(a, c, row);

	for (size_t i = 0; i < count; i++) {
		struct effect *made = effect_add(a, e, EFFECT_READ, &list[i]);

		made->is_recursive = true;
		made->filter = filter;
	}
}
