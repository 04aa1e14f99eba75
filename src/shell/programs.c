/* SPDX-License-Identifier: MIT */
/* The one reader of programs.def: how its columns are compared with a command. */
#include "shell/programs.h"

/* Options that take a value, of many programs. */
#define USUAL                                                                                         \
	"ntpsocef --name --with --python --project --directory --package --env-file --extra --group " \
	"--prefix --output"
#define CONTAINER                                                                                      \
	" --env --env-file --user --workdir --name --volume --mount --network --entrypoint --publish " \
	"--platform --label --memory --cpus --container --namespace"

#define POWERSHELL                                                                                \
	" -Command -command -c -C -ExecutionPolicy -ep -WorkingDirectory -wd -WindowStyle -File " \
	"-OutputFormat"

/* The columns of each kind of row. */
#define NAMES(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}
#define VERBS(names_, words_, values) \
	{ .kind = SH_VERBS, .names = NAMES names_, .words = words_, .options = values },
#define RUN(names, words, how, operands, values, text, flags) \
	{ SH_RUN, NAMES names, words, values, .run = { SH_RUNS_##how, operands, text, flags, NULL } },
#define BY(names, handler) { SH_RUN, NAMES names, "", "", .run = { SH_RUNS_NOTHING, 0, "", 0, handler } },
#define SAYS(names, options, starts, is_fed) \
	{ SH_SAYS, NAMES names, "", options, .says = { starts, is_fed } },
#define PRINTS(names, words, what) { SH_PRINTS, NAMES names, words, "", .prints = SH_PRINTS_##what },
#define SELECTS(names, words, option, how) { SH_SELECTS, NAMES names, words, option, .chooses = how },
#define FILTERS(names_) { .kind = SH_FILTERS, .names = NAMES names_, .words = "", .options = "" },
#define SETTINGS_OF(names_, words_) \
	{ .kind = SH_SETTINGS_OF, .names = NAMES names_, .words = words_, .options = "" },
#define FILES(names, words, does, values, written, read) \
	{ SH_FILES, NAMES names, words, values, .files = { SH_##does, written, read } },
#define TREE(names, recursive, quiet, except, only, untold, how, flags) \
	{ SH_TREE, NAMES names, "", recursive, .tree = { quiet, except, only, untold, how, flags } },
#define CODE(names_, words_, options_) \
	{ .kind = SH_CODE, .names = NAMES names_, .words = words_, .options = options_ },
#define ACT(names, words, with, without, allows, id) \
	{ SH_ACT, NAMES names, words, with, .act = { without, allows, SH_##id, NULL, NULL } },
#define ACT_ARG(names, words, args, without, allows, id) \
	{ SH_ACT, NAMES names, words, "", .act = { without, allows, SH_##id, args, NULL } },
#define ACT_IF(names, words, when, without, allows, id) \
	{ SH_ACT, NAMES names, words, "", .act = { without, allows, SH_##id, NULL, when } },

static const struct sh_row rows[] = {
#include "shell/programs.def"
};

/* ---- words ---- */

/* What may follow a name: a version, as in python3.11, gcc-12 and rimraf@5, or .exe. */
static bool
is_version(struct str rest)
{
	if (rest.n == 0 || rest.s[0] == '@' || str_is(rest, ".exe"))
		return true;
	for (size_t i = 0; i < rest.n; i++)
		if ((rest.s[i] < '0' || rest.s[i] > '9') &&
		    (i + 1 == rest.n || str_find_char(STR(".-"), rest.s[i]) < 0))
			return false;
	return true;
}

/* Does the word begin so? To ignore case, the text must be in small letters. */
static bool
begins(struct str word, struct str text, bool ignores_case)
{
	bool is_same = word.n >= text.n;

	for (size_t i = 0; is_same && i < text.n; i++)
		is_same = text.s[i] == word.s[i] || (ignores_case && text.s[i] == (word.s[i] | 0x20));
	return is_same;
}

bool
sh_is_listed(struct str list, struct str word, bool ignores_case)
{
	struct str one;

	while (str_next(&list, '|', &one)) {
		bool is_end = str_skip(&one, "*"), is_start = str_ends(one, STR("*"));

		one.n -= is_start;
		/* where it may begin: at the start, at the end, anywhere */
		size_t at = is_end && !is_start && word.n > one.n ? word.n - one.n : 0;
		size_t last = !is_end ? 0 : word.n - (one.n < word.n ? one.n : word.n);

		for (; at <= last; at++)
			if (begins(str_rest(word, at), one, ignores_case) &&
			    (is_start || at + one.n == word.n))
				return true;
	}
	return false;
}

static bool
is_program(struct str program, const char *const *names)
{
	for (; program.n > 0 && *names; names++) {
		const char *name = *names;
		size_t n = 0;

		if (*name != program.s[0] && *name != '*')
			continue;
		while (n < program.n && name[n] == program.s[n])
			n++;
		if (name[n] == '*' || (!name[n] && is_version(str_rest(program, n))))
			return true;
	}
	return false;
}

/* Is the command what the first columns of the row say? */
static bool
is_about(const struct sh_row *row, const struct sh_words *w, size_t *ret_next)
{
	bool is_anywhere = false;
	size_t i = 1;

	if (w->count == 0 || !is_program(w->items[0], row->names))
		return false;
	struct str rest = str_from(row->words), one;

	for (; str_next(&rest, ' ', &one); i++) {
		if (str_is(one, "...")) {
			is_anywhere = true;
			i--;
			continue;
		}
		while (i < w->count && !sh_is_listed(one, w->items[i], is_anywhere))
			i = is_anywhere ? i + 1 : w->count;
		if (i >= w->count)
			return false;
	}
	if (ret_next)
		*ret_next = w->at[i - 1] + 1U;
	return true;
}

#define LETTER(c) (UINT64_C(1) << ((c)&63))

const struct sh_row *
sh_next_row(const struct sh_words *w, enum sh_row_kind kind, const struct sh_row *after, size_t *ret_next)
{
	/* the rows of each kind are chained by their numbers, which begin at 1; the first letters of the names rule out most */
	static uint16_t first[SH_ACT + 1], next[COUNT_OF(rows) + 1];
	static uint64_t letters[COUNT_OF(rows) + 1];

	for (uint16_t i = COUNT_OF(rows); first[rows[0].kind] != 1; i--) {
		next[i] = first[rows[i - 1].kind];
		first[rows[i - 1].kind] = i;
		for (const char *const *name = rows[i - 1].names; *name; name++)
			letters[i] |= LETTER(**name);
	}
	uint64_t own = LETTER('*') | (w->count > 0 && w->items[0].n > 0 ? LETTER(w->items[0].s[0]) : 0);

	for (size_t i = after ? next[after - rows + 1] : first[kind]; i > 0; i = next[i])
		if ((letters[i] & own) && is_about(&rows[i - 1], w, ret_next))
			return &rows[i - 1];
	return NULL;
}

const struct sh_row *
sh_row_of(const struct sh_command *c, enum sh_row_kind kind)
{
	struct sh_words w = sh_words_of(c);

	return sh_next_row(&w, kind, NULL, NULL);
}

const struct sh_row *
sh_files_of(const struct sh_words *w)
{
	static const char *const none[] = { NULL };
	static const struct sh_row other = {
		.names = none, .words = "", .options = "", .files = { SH_READS, "", "" }
	};
	const struct sh_row *row = sh_next_row(w, SH_FILES, NULL, NULL);

	return row ? row : &other;
}

struct sh_words
sh_words_of(const struct sh_command *c)
{
	struct sh_words w;

	w.command = c;
	w.count = 0;
	w.own = w.values = "";
	for (size_t i = 0; i < c->count && i < UINT8_MAX && w.count < COUNT_OF(w.items); i++) {
		struct str t = i == 0 ? sh_program(c) : c->args[i].text;

		if (i > 0 && t.n > 1 && t.s[0] == '-') {
			struct sh_option o = sh_options(c, w.values);

			o.at = i;
			(void)sh_next_option(&o);
			i = o.at - 1;
			continue;
		}
		/* cargo +nightly */
		if (w.count == 1 && t.n > 1 && t.s[0] == '+' && strchr(w.values, '+'))
			continue;
		w.at[w.count] = (uint8_t)i;
		w.items[w.count++] = t;
		if (w.count == 2)
			w.values = "";
		for (const struct sh_row *row = NULL;
		     w.count < 4 && (row = sh_next_row(&w, SH_VERBS, row, NULL));)
			if (w.count == 1)
				w.own = w.values = row->options;
			else if (*row->words)
				w.values = row->options;
	}
	return w;
}

/* ---- options ---- */

/* Is it one of the long options, or the beginning of one, of this length or more? Programs take abbreviations; --h is too short to be
 * meant. */
static bool
is_long(struct str t, struct str list, size_t shortest)
{
	struct str one;

	while (str_next(&list, ' ', &one))
		if (str_eq(t, one) || (t.n >= shortest && str_starts(one, t)))
			return true;
	return false;
}

bool
sh_is_option(const struct sh_option *o, const char *options)
{
	size_t letters = strcspn(options, " ");

	return o->letter ? memchr(options, o->letter, letters) != NULL
			 : o->name.s && is_long(o->name, str_from(options + letters), 6);
}

/* The offset of the value in an option, its length if it is the next argument; 0: the option takes none. */
static size_t
value_at(struct str t, const char *values, char *ret_letter)
{
	bool is_joined = values[0] != '='; /* -xvf is -x -v -f */
	size_t letters = strcspn(is_joined ? values : ++values, " ");
	ptrdiff_t equals = str_find_char(t, '=');

	if (t.s[1] == '-' && equals > 0)
		return (size_t)equals + 1;
	if (values[letters] && is_long(t, str_from(values + letters), 6))
		return t.n;
	if (t.s[1] == '-')
		return 0;
	for (size_t i = 1; i < (is_joined ? t.n : 2); i++) {
		const char *letter = memchr(values, t.s[i], letters);

		/* of -i.bak, the rest is no letters */
		if (letter && letter[1] == '?')
			return 0;
		if (letter) {
			*ret_letter = t.s[i];
			return i + 1 + (!is_joined && equals == (ptrdiff_t)i + 1); /* -o=FILE of Go */
		}
	}
	return 0;
}

bool
sh_is_value(const struct sh_option *o, const char *options)
{
	return o->name.s && o->value.text.s && sh_is_option(o, options);
}

struct sh_option
sh_options(const struct sh_command *c, const char *values)
{
	return (struct sh_option){ .command = c, .values = values, .at = 1 };
}

bool
sh_next_option(struct sh_option *o)
{
	const struct sh_command *c = o->command;

	if (o->at >= c->count)
		return false;
	const struct sh_arg *arg = &c->args[o->at++];
	struct str t = arg->text;

	o->name = STR_NONE;
	o->letter = '\0';
	o->value = *arg;
	if (o->is_over || t.n < 2 || t.s[0] != '-')
		return true;
	o->is_over = str_is(t, "--");
	size_t from = value_at(t, o->values, &o->letter);

	o->name = t;
	o->value = (struct sh_arg){ 0 };
	if (from > 0 && (from < t.n || t.s[from - 1] == '=')) {
		o->name = t.s[1] == '-' ? str_sub(t, 0, from - 1) : t;
		o->value = *arg;
		o->value.text = str_rest(t, from);
	} else if (from > 0 && o->at < c->count) {
		o->value = c->args[o->at++];
	}
	return true;
}

bool
sh_has(const struct sh_words *w, const char *options)
{
	const struct sh_command *c = w->command;
	size_t letters = strcspn(options, " "), verb = w->count > 1 ? w->at[1] : 0;

	for (struct sh_option o = sh_options(c, w->own); sh_next_option(&o) && !o.is_over;) {
		o.values = o.at > verb ? w->values : o.values;
		if (!o.name.s)
			continue;
		/* of a cluster, up to the one that takes the rest as its value */
		for (size_t k = 1; o.name.s[1] != '-' && k < o.name.n; k++) {
			if (memchr(options, o.name.s[k], letters))
				return true;
			if (o.name.s[k] == o.letter)
				break;
		}
		if (is_long(str_before(o.name, '='), str_from(options + letters), 4))
			return true;
	}
	return false;
}

bool
sh_is_dry(const struct sh_words *w)
{
	static const char dry[] =
		"--dry-run --dryrun --help --version --what-if --whatif --no-act --dry -WhatIf";

	for (struct sh_option o = sh_options(w->command, w->values); sh_next_option(&o) && !o.is_over;)
		if (o.name.s && str_is_word_of(str_before(o.name, '='), dry) &&
		    !str_is_word_of(o.value.text, "none false"))
			return true;
	return false;
}

static bool
has_one(const struct sh_command *c, const char *options, size_t shortest)
{
	size_t letters = strcspn(options, " ");

	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;

		if (str_is(t, "--"))
			return false;
		if (t.n < 2 || t.s[0] != '-')
			continue;
		for (size_t k = 1; t.s[1] != '-' && k < t.n; k++)
			if (memchr(options, t.s[k], letters))
				return true;
		if (is_long(str_before(t, '='), str_from(options + letters), shortest))
			return true;
	}
	return false;
}

bool
sh_has_option(const struct sh_command *c, const char *options)
{
	return has_one(c, options, 5);
}

bool
sh_has_exactly(const struct sh_command *c, const char *options)
{
	return has_one(c, options, SIZE_MAX);
}
