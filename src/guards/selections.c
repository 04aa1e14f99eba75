/* SPDX-License-Identifier: MIT */
/* The files that find, fd, ls and git ls-files choose, as effects: where they are, and a pattern for their names. What can't be told
 * from the arguments is left out of the pattern, so that it stands for more files, not for fewer. Pure. */
#include "guards/effects.h"

#include "shell/syntax.h"

/* Tests of find that are followed. */
#define PATTERNS_MAX 16
/* Parentheses of find that are followed. */
#define GROUPS_MAX 16

static const struct sh_arg here = { .text = STR("."), .source = STR(".") };

/* What was chosen below the place: files of such a name; absent: all. */
static void
add_chosen(struct effects *e, const struct effect *like, const struct sh_arg *where, struct str named)
{
	struct effect *chosen = effect_add(e, like->kind, *where);

	chosen->is_recursive = chosen->is_chosen = true;
	chosen->takes_below = like->takes_below;
	chosen->filter = like->filter;
	chosen->search = like->search;
	chosen->named = named;
}

/* ---- patterns ---- */

/* -iname: each letter in both cases */
static struct str
in_both_cases(struct arena *a, struct str pattern)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < pattern.n; i++) {
		char c = pattern.s[i];

		if (is_letter(c))
			buf_addf(&b, "[%c%c]", c | 0x20, c & ~0x20);
		else
			buf_addc(&b, c);
	}
	return buf_str(&b);
}

/* A glob that matches what the regular expression matches, and perhaps more. */
static struct str
glob_of_regex(struct arena *a, struct str regex)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < regex.n;) {
		char c = regex.s[i++], byte = c;

		if (c == '\\' && i < regex.n) {
			byte = regex.s[i++];
			c = str_find_char(STR("(|"), byte) >= 0 ? byte : 'x';
		} else if (c == '.' || c == '+' || c == '*' || c == '?' || c == '{')
			byte = '?';
		if (c == '|')
			return STR("*");
		if (c == '^' || c == '$')
			continue;
		if (c == '(' || c == '[') {
			i = sh_closing(regex, i, c, c == '(' ? ')' : ']') + 1;
			byte = '*';
		}
		/* a byte that may be there many times, or not at all */
		bool is_repeated = i < regex.n && str_find_char(STR("*+?{"), regex.s[i]) >= 0;

		if (is_repeated) {
			i = regex.s[i] == '{' ? sh_closing(regex, i + 1, '{', '}') + 1 : i + 1;
			byte = '*';
		}
		buf_addc(&b, byte);
	}
	return buf_str(&b);
}

/* A pattern for paths below the start, as struct effect has it; absent: it matches none. */
static struct str
below_start(struct arena *a, struct str pattern, struct str start)
{
	if (str_starts(pattern, start))
		pattern = str_rest(pattern, start.n);
	else if (str_starts(pattern, STR("*/")))
		return str_cat(a, "/*", str_rest(pattern, 2));
	else if (str_starts(pattern, STR("?/")) && str_is(start, "."))
		pattern = str_rest(pattern, 1);
	else if (pattern.n == 0 || str_find_char(STR("*?["), pattern.s[0]) < 0)
		return STR_NONE;
	/* ** would be another pattern */
	return str_starts(pattern, STR("/"))
		       ? pattern
		       : str_cat(a, str_starts(pattern, STR("*")) ? "/" : "/*", pattern);
}

/* ---- find ---- */

struct tests {
	struct str_list names, paths;   /* of -name; of -path and -regex */
	bool has_or, is_empty, is_open; /* open: a part of the choice is not followed */
};

static const char or_words[] = "-o -or ,";

static bool
is_not(struct str test)
{
	return str_is(test, "!") || str_is(test, "-not");
}

/* Is the test at `i` one that takes files out? */
static bool
takes_out(const struct sh_command *c, size_t i)
{
	struct str after = i + 2 < c->count ? c->args[i + 2].text : STR("");

	/* -prune -o: what comes after it; else it is what is chosen */
	bool is_pruned = str_is(after, "-prune") && i + 3 < c->count &&
			 str_is_word_of(c->args[i + 3].text, or_words);

	return is_not(c->args[i - 1].text) || is_pruned;
}

static const char narrowing[] =
	"-name -iname -path -ipath -wholename -iwholename -regex -iregex -empty -prune";

/* Has every branch of the expression at *at a test by name, which is not negated? *at is then the parenthesis that ends it, or the
 * end. */
static bool
is_narrow(const struct sh_command *c, size_t *at, int depth)
{
	bool is_every = true, is_branch = false;

	for (; *at < c->count && depth < GROUPS_MAX; ++*at) {
		struct str test = c->args[*at].text;
		bool is_negated = is_not(test) && *at + 1 < c->count;

		test = is_negated ? c->args[++*at].text : test;
		if (str_is(test, ")"))
			break;
		if (str_is_word_of(test, or_words)) {
			is_every &= is_branch;
			is_branch = false;
		} else if (str_is(test, "(")) {
			++*at;
			bool is_group = is_narrow(c, at, depth + 1);

			is_branch |= is_group && !is_negated;
		} else {
			is_branch |= str_is_word_of(test, narrowing) && !is_negated;
		}
	}
	return is_every && is_branch && depth < GROUPS_MAX;
}

static struct tests
tests_of(struct arena *a, const struct sh_command *c, bool below)
{
	size_t first = 1;
	struct tests t = { 0 };

	for (size_t i = 1; i < c->count; i++) {
		struct str test = c->args[i].text, pattern = i + 1 < c->count ? c->args[i + 1].text : STR("");
		bool is_name = str_is_word_of(test, "-name -iname"),
		     is_regex = str_is_word_of(test, "-regex -iregex");
		bool is_path = is_regex || str_is_word_of(test, "-path -ipath -wholename -iwholename");

		t.has_or |= str_is_word_of(test, or_words);
		/* -delete leaves directories that are not empty */
		t.is_empty |= !takes_out(c, i) && (str_is(test, "-empty") ||
						   (str_is(test, "-type") && str_is(pattern, "d") && !below));
		if ((!is_name && !is_path) || takes_out(c, i))
			continue;
		struct str_list *patterns = is_name ? &t.names : &t.paths;

		if (patterns->count == PATTERNS_MAX || sh_has_hole(pattern)) {
			t.is_open = true;
			continue;
		}
		if (is_regex)
			pattern = glob_of_regex(a, pattern);
		if (str_starts(test, STR("-i")))
			pattern = in_both_cases(a, pattern);
		*arena_push(a, patterns->items, patterns->count) = pattern;
	}
	t.is_open |= !is_narrow(c, &first, 0);
	return t;
}

static void
add_found(struct effects *e, const struct effect *like, const struct sh_arg *start, const struct tests *t)
{
	/* where all tests must hold, one of them is enough to look at */
	size_t names = t->has_or || t->names.count == 0 ? 0 : t->names.count - 1;

	if (t->is_open || t->names.count + t->paths.count == 0) {
		add_chosen(e, like, start, STR_NONE);
		return;
	}
	for (size_t i = names; i < t->names.count; i++)
		add_chosen(e, like, start, t->names.items[i]);
	for (size_t i = 0; i < t->paths.count && (t->has_or || t->names.count == 0); i++) {
		struct str named = below_start(e->arena, t->paths.items[i], start->text);

		if (named.s)
			add_chosen(e, like, start, named);
	}
}

static void
add_find(const struct sh_command *c, const struct effect *like, struct effects *e)
{
	struct tests t = tests_of(e->arena, c, like->takes_below || like->kind != EFFECT_DELETE);
	size_t starts = 0;

	if (t.is_empty && !t.has_or)
		return;
	for (size_t i = 1; i < c->count; i++) {
		struct str text = c->args[i].text;

		if (str_is_word_of(text, "-H -L -P"))
			continue;
		if (text.n == 0 || text.s[0] == '-' || text.s[0] == '(' || text.s[0] == '!')
			break;
		add_found(e, like, &c->args[i], &t);
		starts++;
	}
	if (starts == 0)
		add_found(e, like, &here, &t);
}

/* ---- fd, ls, git ---- */

/* fd [-e ext] [pattern] [dir...] */
static void
add_fd(const struct sh_command *c, const struct effect *like, struct effects *e)
{
	struct str named = STR_NONE;
	size_t operands = 0, before = e->count;
	struct effect own = *like;

	own.filter.skips_ignored |= !sh_has_option(c, "Iu --no-ignore");
	own.filter.skips_hidden |= !sh_has_option(c, "Hu --hidden");
	for (size_t i = 1; i + 1 < c->count; i++)
		if (str_is(c->args[i].text, "-e"))
			named = str_cat(e->arena, "*.", c->args[i + 1].text);
		else if (str_is(c->args[i].text, "-g"))
			named = c->args[i + 1].text;
	for (size_t i = 1; i < c->count; i++) {
		if (c->args[i].text.n == 2 && str_find_char(STR("eEdtSc"), c->args[i].text.s[1]) >= 0) {
			i++;
			continue;
		}
		if (!str_starts(c->args[i].text, STR("-")) && operands++ > 0)
			add_chosen(e, &own, &c->args[i], named);
	}
	if (e->count == before)
		add_chosen(e, &own, &here, named);
}

static void
add_ls(const struct sh_command *c, const struct effect *like, struct effects *e)
{
	static const struct sh_arg all[] = { { STR("*"), STR("*"), false, true },
					     { STR(".*"), STR(".*"), false, true } };
	size_t before = e->count, defaults;

	/* of a directory, it lists what is in it */
	for (size_t i = 1; i < c->count; i++)
		if (!str_starts(c->args[i].text, STR("-")))
			add_chosen(e, like, &c->args[i], STR_NONE);
	defaults = e->count > before ? 0 : sh_has_option(c, "aA") ? 2 : 1;
	for (size_t i = 0; i < defaults; i++) {
		struct effect *entry = effect_add(e, like->kind, all[i]);

		entry->is_recursive = like->takes_below;
		if (i == 0)
			entry->filter = like->filter;
	}
}

/* git ls-files [path...], git diff --name-only [-- path...] */
static void
add_git(const struct sh_command *c, const struct effect *like, struct effects *e)
{
	struct sh_words w = sh_words_of(c);
	bool is_list = w.count > 1 && str_is(w.items[1], "ls-files"), is_over = false;
	size_t before = e->count;

	/* what git tracks is no secret */
	if (like->kind == EFFECT_READ && !sh_has_option(c, "o --others"))
		return;
	for (size_t i = 2; i < c->count; i++) {
		struct str t = c->args[i].text;

		is_over |= str_is(t, "--");
		if (str_starts(t, STR("-")) || str_is(t, "ls-files") || (!is_list && !is_over))
			continue;
		bool is_pattern = str_find_char(t, '*') >= 0;

		if (is_pattern && str_find_char(t, '/') >= 0)
			t = str_cat(e->arena, "/", t);
		add_chosen(e, like, is_pattern ? &here : &c->args[i], is_pattern ? t : STR_NONE);
	}
	if (e->count == before)
		add_chosen(e, like, &here, STR_NONE);
}

void
effects_of_selection(const struct sh_command *selection, const struct effect *like, struct effects *ret)
{
	static void (*const adders[])(const struct sh_command *c, const struct effect *like,
				      struct effects *e) = {
		[SH_BY_FIND] = add_find, [SH_BY_FD] = add_fd, [SH_BY_LS] = add_ls, [SH_BY_GIT] = add_git
	};
	const struct sh_row *row = sh_row_of(selection, SH_SELECTS);

	if (row)
		adders[row->chooses](selection, like, ret);
}
