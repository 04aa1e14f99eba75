/* SPDX-License-Identifier: MIT */
/* A reader that removes comments and strings, and the search for the words of frameworks in what is left. It is no parser: a word that is not where the table expects it is not found, and no test file is ever rejected. */
#include "guards/tests/marks.h"

const struct language *
language_of(struct str path)
{
	struct str base = path_base(path);
	size_t dot = (size_t)(str_find_last(base, '.') + 1);

	for (size_t i = 0; dot > 0 && i < test_language_count; i++)
		if (str_is_word_of(str_rest(base, dot), test_languages[i].extensions))
			return &test_languages[i];
	return NULL;
}

const struct language *
language_of_tests(struct str path)
{
	const struct language *l = language_of(path);

	return l && ((l->flags & INLINE_TESTS) || is_test_path(path)) ? l : NULL;
}

/* Is the word a part of the name: test_cart, cart.test, CartTest, but not latest? */
static bool
has_part(struct str name, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= name.n; i++) {
		bool is_hump = name.s[i] >= 'A' && name.s[i] <= 'Z';
		bool begins = i == 0 || is_hump || !is_letter(name.s[i - 1]);
		size_t end = i + n;

		if (!begins || !str_is_word(str_sub(name, i, end), word))
			continue;
		end += end < name.n && name.s[end] == 's';
		if (end == name.n || name.s[end] < 'a' || name.s[end] > 'z')
			return true;
	}
	return false;
}

bool
is_test_path(struct str path)
{
	struct str rest = path, part;

	while (str_next(&rest, '/', &part)) {
		if (has_part(part, "test") || has_part(part, "spec") || str_ends(part, STR(".bats")))
			return true;
		if (rest.n > 0 && str_is_word_of(part, "e2e __tests__ testing features cypress t"))
			return true;
	}
	return false;
}

/* ---- comments and strings ---- */

static bool
is_line_comment(const struct language *l, struct str text, size_t at)
{
	struct str rest = str_from(l->line_comments), comment, here = str_rest(text, at);

	while (str_next(&rest, ' ', &comment)) {
		if (!str_starts(here, comment))
			continue;
		if (!str_is(comment, "#"))
			return true;
		/* ${#x} of a shell, #[Attribute] of PHP */
		return (at == 0 || str_is_blank(text.s[at - 1]) || text.s[at - 1] == ';') &&
		       !str_starts(here, STR("#["));
	}
	return false;
}

/* The offset after the mark that ends a comment, which is looked for from `at` on; the length of the text if it is not there. */
static size_t
after_mark(struct str text, size_t at, struct str mark)
{
	ptrdiff_t found = str_find(str_rest(text, at), mark);

	return found < 0 ? text.n : at + (size_t)found + mark.n;
}

/* The text with blanks in place of comments and strings; newlines and quotes stay. */
static struct str
code_of(struct arena *a, const struct language *l, struct str text)
{
	char *to = memcpy(arena_bytes(a, text.n + 1), text.n > 0 ? text.s : "", text.n);

	for (size_t at = 0, from, end; at < text.n;) {
		char c = text.s[at];
		struct str rest = str_rest(text, at);
		bool is_long = str_find_char(str_from(l->long_quotes), c) >= 0;
		/* of Rust: 'a' is a character, 'a a lifetime */
		bool is_char = (l->flags & LIFETIMES) && c == '\'' && rest.n > 2 &&
			       (rest.s[1] == '\\' || rest.s[2] == '\'');

		from = end = at;
		if (is_line_comment(l, text, at))
			end += str_before(rest, '\n').n;
		else if ((l->flags & BLOCK_COMMENTS) && str_starts(rest, STR("/*")))
			end = after_mark(text, at + 2, STR("*/"));
		else if ((l->flags & TRIPLE_QUOTES) &&
			 (str_starts(rest, STR("\"\"\"")) || str_starts(rest, STR("'''"))))
			end = after_mark(text, at + 3, str_sub(rest, 0, 3));
		else if (is_char || is_long || str_find_char(str_from(l->quotes), c) >= 0)
			for (from = end = at + 1;
			     end < text.n && text.s[end] != c && (is_long || text.s[end] != '\n');)
				end += text.s[end] == '\\' ? 2 : 1;
		for (size_t i = from; i < end && i < text.n; i++)
			to[i] = text.s[i] == '\n' ? '\n' : ' ';
		/* the byte after a string is its quote, or its newline */
		at = end + (end == at || from > at);
	}
	to[text.n] = '\0';
	return (struct str){ to, text.n };
}

/* ---- the search ---- */

/* The length of the word at the beginning of the code; 0: it is not there. */
static size_t
match_word(struct str code, struct str word)
{
	size_t n = 0;

	for (size_t i = 0; i < word.n; i++) {
		if (word.s[i] == '*') {
			bool is_last = i + 1 == word.n, is_list = !is_last && word.s[i + 1] == ')';

			while (n < code.n && (is_name_char(code.s[n]) || (is_list && code.s[n] != ')')))
				n++;
			if (is_last)
				return n;
		} else if (n < code.n && code.s[n] == word.s[i]) {
			n++;
		} else {
			return 0;
		}
	}
	return is_name_char(code.s[n - 1]) && n < code.n && is_name_char(code.s[n]) ? 0 : n;
}

/* A word of the table. */
struct word {
	unsigned kinds;
	char mark; /* ^, ~ or !, which is in front of it; else 0 */
	struct str text;
};

struct reader {
	struct arena *arena;
	struct word *words;
	size_t word_count;
	struct marks marks;
};

/* The first word of the table at this place of a line. */
static const struct word *
find_word(const struct reader *r, struct str code, struct str raw, size_t at, size_t *ret_n)
{
	bool is_first = str_trim(str_sub(code, 0, at)).n == 0;
	bool is_inside = at > 0 &&
			 (is_name_char(code.s[at - 1]) || code.s[at - 1] == '.' || code.s[at - 1] == '$');
	struct str from = str_rest(code, at);

	for (const struct word *w = r->words; w < r->words + r->word_count; w++) {
		*ret_n = 0;
		if (w->mark == '!')
			*ret_n = at == 0 && str_starts(str_trim(raw), w->text);
		else if ((w->mark != '^' || is_first) && (w->mark == '~' || !is_inside))
			*ret_n = match_word(from, w->text);
		if (*ret_n > 0)
			return w;
	}
	return NULL;
}

/* Assertions that can't fail: without blanks, in small letters; one that ends in ! is the whole text. */
static const char trivial[] =
	"expect(true)|expect(1).tobe(1)|expect(1).toequal(1)|expect(false).tobe(false)|expecttrue(true|"
	"expect_true(true|"
	"expect_eq(1,1)|assert(true|assert(1)|assert(1==1|assert.ok(true|assert.equal(1,1)|assert.equal(true,"
	"true|"
	"assert.strictequal(1,1)|assert.true(true|assert.true(t,true|require.true(t,true|assert.istrue(true|"
	"assert.that(true|asserttrue!|assert1!|assert1==1!|assert(1===1|self.asserttrue(true|self."
	"assertequal(1,1)|"
	"assert!(true|assert_eq!(1,1)|asserttrue(true|assertequals(1,1)|assertthat(true|assertions."
	"asserttrue(true|"
	"assert.asserttrue(true|ck_assert(1)|ck_assert(true|cr_assert(1)|cr_assert(true|assert_true(true|"
	"assert_true(1)|"
	"assert_eq(1,1)|asserttrue(1)|t.true(true|t.ok(true|t.pass(|assertsame(1,1)|assertsame(true,true|"
	"asserttrue(!false|asserttruetrue!|assert_equal1,1!|[1-eq1]|[1=1]|[[1==1]]|[0-eq0]|testtrue!";

/* Is it one of them? `text` begins with the assertion. */
static bool
is_trivial(struct arena *a, struct str text)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str rest = str_from(trivial), word;

	for (size_t i = 0; i < text.n; i++)
		if (!str_is_blank(text.s[i]))
			buf_addc(&b, (char)(is_letter(text.s[i]) ? text.s[i] | 0x20 : text.s[i]));
	while (str_next(&rest, '|', &word)) {
		bool is_whole = str_ends(word, STR("!"));

		word.n -= is_whole;
		if (is_whole ? str_eq(buf_str(&b), word) : str_starts(buf_str(&b), word))
			return true;
	}
	return false;
}

/* What one line has. */
static void
read_line(struct reader *r, struct str code, struct str raw, struct str after, const struct mark *place)
{
	for (size_t at = 0; at < code.n;) {
		size_t n = 0;
		const struct word *w = str_is_blank(code.s[at]) && at > 0 ? NULL
									  : find_word(r, code, raw, at, &n);

		if (!w) {
			at++;
			continue;
		}
		struct str text = str_trim(raw);

		/* of an assertion, the statement: several may be on one line */
		if (w->kinds == MARK_ASSERTION) {
			size_t end = at + str_before(str_before(str_rest(code, at), ';'), '}').n;

			text = str_trim(str_sub(raw, at, end));
		}
		at += n;
		if (w->kinds == MARK_ASSERTION && is_trivial(r->arena, text))
			continue;
		struct mark *m = arena_push(r->arena, r->marks.items, r->marks.count);

		*m = *place;
		m->kinds = w->kinds;
		m->text = text;
		/* the first string of the line */
		for (size_t i = 0; i < raw.n && !m->beside.s; i++)
			if (str_find_char(STR("\"'`"), raw.s[i]) >= 0)
				m->beside = str_before(str_rest(raw, i + 1), raw.s[i]);
		for (struct str rest = after, line; !m->beside.s && str_next(&rest, '\n', &line);)
			if (str_trim(line).n > 0)
				m->beside = str_trim(line);
	}
}

struct marks
marks_of(struct arena *a, const struct language *l, struct str path, struct str text)
{
	struct reader r = { .arena = a };
	struct marks *all = &r.marks;
	struct str code = code_of(a, l, text), code_rest = code, rest = text, line, raw;
	struct mark place = { 0 };
	/* Among other code, only what comes after the first test is about tests. */
	bool is_test = is_test_path(path);

	for (size_t i = 0; i < l->word_count; i++)
		for (struct str list = str_from(l->words[i].texts), word; str_next(&list, '|', &word);) {
			bool is_marked = str_find_char(STR("^~!"), word.s[0]) >= 0;

			*arena_push(a, r.words, r.word_count) = (struct word){ l->words[i].kinds,
									       is_marked ? word.s[0] : '\0',
									       str_rest(word, is_marked) };
		}
	while (str_next(&rest, '\n', &raw) && str_next(&code_rest, '\n', &line)) {
		size_t first = all->count;

		place.line++;
		read_line(&r, line, raw, rest, &place);
		for (size_t i = first; i < all->count; i++)
			if (all->items[i].kinds & MARK_TEST) {
				place.test = all->items[i].beside;
				is_test = true;
			}
		for (size_t i = first; i < all->count; i++)
			all->items[i].test = place.test;
		if (!is_test)
			all->count = first;
	}
	return *all;
}
