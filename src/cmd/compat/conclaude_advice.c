/* SPDX-License-Identifier: MIT */
/* What may help with an error in .conclaude.yaml. The phrases are those that conclaude's users and their scripts look
 * for; what is valid comes from the table of keys. It decides nothing. */
#include "cmd/compat/conclaude.h"

static const char name_causes[] =
	"  - a name that is spelled in another way\n"
	"  - a field that belongs into another section\n"
	"  - snake_case where camelCase is meant: infinite_message, infiniteMessage\n";
static const char type_causes[] = "  - quotes around a boolean or a number: \"true\", true\n"
				  "  - yes, no, on or off where true or false is meant\n"
				  "  - a single value where a list is meant, or a list where a map is meant\n"
				  "\n"
				  "Examples of correct formatting:\n"
				  "  Boolean:  infinite: true\n"
				  "  Number:   timeout: 60\n"
				  "  String:   message: \"the tests fail\"\n"
				  "  Array:    prefixes: [\"PLAN*\", \"ULTRATHINK*\"]\n";
static const char syntax_causes[] =
	"  - tabs in the indentation, or lines of one level that are indented differently\n"
	"  - no blank behind a colon or a dash\n"
	"  - a text with a colon, # or quotes in it that is not quoted itself\n";
static const char required_causes[] = "  - the field stands in another entry of the list\n"
				      "  - its value is empty: run: \"npm test\"\n";
static const char twice_causes[] = "  - a section that was begun a second time further down\n";
static const char removed_causes[] = "  - the file was made for an older version\n";

enum extra { EXTRA_NONE, EXTRA_NAMES, EXTRA_RANGE };

/* By how decode_map() begins what is wrong, behind the place or the key. */
static const struct kind {
	const char *phrase;
	const char *said; /* before the key's path; conclaude's words for it */
	const char *causes;
	enum extra extra;
} kinds[] = {
	{ ": unknown key ", "unknown field", name_causes, EXTRA_NAMES },
	{ ": removed key ", "unknown field", removed_causes, EXTRA_NAMES },
	{ ": duplicate key ", "duplicate field", twice_causes, EXTRA_NONE },
	{ ": missing key ", "missing field in", required_causes, EXTRA_NONE },
	{ ": out of range: ", "Range validation failed for", NULL, EXTRA_RANGE },
	{ ": pattern key ", "Pattern key cannot be empty in", NULL, EXTRA_NONE },
	{ ": expected ", "invalid type for", type_causes, EXTRA_NONE },
};
static const struct kind syntax = { "", "YAML syntax error", syntax_causes, EXTRA_NONE };

/* Where in the text what is wrong begins; the one that begins first counts, since values come behind it. */
static const struct kind *
kind_of(struct str text, enum err_code code, size_t *ret_at)
{
	const struct kind *found = NULL;

	for (size_t i = 0; i < COUNT_OF(kinds) && code == ERR_VALUE; i++) {
		ptrdiff_t at = str_find(text, str_from(kinds[i].phrase));

		if (at >= 0 && (!found || (size_t)at + 2 < *ret_at)) {
			found = &kinds[i];
			*ret_at = (size_t)at + 2;
		}
	}
	return code == ERR_SYNTAX ? &syntax : found;
}

/* The path of the key, out of `:LINE:COL: path.to.key: what is wrong`; empty for the document itself. */
static struct str
key_path(struct str text, size_t at)
{
	struct str head = str_sub(text, 0, at);
	size_t from = 0;

	for (size_t i = 2; i + 1 < head.n && from == 0; i++)
		if (head.s[i] == ':' && head.s[i + 1] == ' ' && head.s[i - 1] >= '0' && head.s[i - 1] <= '9')
			from = i + 2;
	return head.n >= from + 2 ? str_sub(head, from, head.n - 2) : STR("");
}

/* The map that the key stands in, as the list of keys spells it: stop.commands[0].runn is in stop.commands[]. */
static struct str
parent_of(struct arena *a, struct str path)
{
	struct buf b = BUF(a, KIB(4));
	size_t end = path.n;

	while (end > 0 && path.s[end - 1] != '.')
		end--;
	for (size_t i = 0; i + 1 < end; i++) {
		if (path.s[i] != '[') {
			buf_addc(&b, path.s[i]);
			continue;
		}
		/* a pattern's list is one with its items */
		if (!str_ends(buf_str(&b), STR("[]")))
			buf_add(&b, STR("[]"));
		while (i + 1 < end && path.s[i] != ']')
			i++;
	}
	return buf_str(&b);
}

static bool
is_directly_in(struct str path, struct str parent)
{
	size_t from = parent.n > 0 ? parent.n + 1 : 0;

	return path.n > from && str_starts(path, parent) && (from == 0 || path.s[parent.n] == '.') &&
	       str_find_char(str_sub(path, from, path.n), '.') < 0;
}

static size_t
count_in(const struct conclaude_keys *keys, struct str parent)
{
	size_t count = 0;

	for (size_t i = 0; i < keys->count; i++)
		count += is_directly_in(keys->items[i].path, parent);
	return count;
}

static void
add_names(struct buf *b, struct str path)
{
	struct conclaude_keys keys = conclaude_keys(b->arena);
	struct str parent = parent_of(b->arena, path), before = STR("");

	/* An object that several sections use is listed with the first of them. */
	if (count_in(&keys, parent) == 0)
		parent = STR("stop.commands[]");
	buf_addf(b, "Valid field names%s" STR_FMT ":\n  ", parent.n > 0 ? " in " : " at the top",
		 STR_ARG(parent));
	for (size_t i = 0; i < keys.count; i++) {
		struct str name = keys.items[i].path;

		if (!is_directly_in(name, parent))
			continue;
		name = str_sub(name, parent.n > 0 ? parent.n + 1 : 0, name.n);
		buf_addf(b, STR_FMT STR_FMT, STR_ARG(before), STR_ARG(name));
		before = STR(", ");
	}
	buf_addc(b, '\n');
}

/* `out of range: 0 is not in 1..10000` */
static void
add_range(struct buf *b, struct str wrong)
{
	ptrdiff_t at = str_find(wrong, STR(" is not in "));
	struct str range = at < 0 ? STR("") : str_sub(wrong, (size_t)at + 11, wrong.n);
	ptrdiff_t dots = str_find(range, STR(".."));

	if (dots < 0)
		return;
	struct str least = str_sub(range, 0, (size_t)dots), most = str_sub(range, (size_t)dots + 2, range.n);

	buf_addf(b, "Valid range: " STR_FMT " to " STR_FMT "\n", STR_ARG(least), STR_ARG(most));
}

void
conclaude_advise(struct buf *b, struct str file, const struct err *err)
{
	/* The file's name may have any words in it. */
	struct str text = str_from(err->msg);
	size_t at = 0;

	if (str_starts(text, file))
		text = str_sub(text, file.n, text.n);
	const struct kind *kind = kind_of(text, err->code, &at);

	if (!kind)
		return;
	struct str path = key_path(text, at);

	if (path.n == 0 && kind != &syntax)
		path = STR("the document");
	buf_addf(b, "%s%s" STR_FMT "\n", kind->said, path.n > 0 ? " " : "", STR_ARG(path));
	if (kind->causes)
		buf_addf(b, "\nCommon causes:\n%s", kind->causes);
	buf_addc(b, '\n');
	if (kind->extra == EXTRA_NAMES)
		add_names(b, path);
	if (kind->extra == EXTRA_RANGE)
		add_range(b, str_sub(text, at, text.n));
	if (kind->extra != EXTRA_NONE)
		buf_addc(b, '\n');
	buf_add(b, STR("'conclaude init --config-path FILE' writes a valid file to start from.\n"));
}
