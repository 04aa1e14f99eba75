/* SPDX-License-Identifier: MIT */
/* A reader that removes comments and strings, and the search for the words of frameworks in what is left. It is no parser: a word that is not where the table expects it is not found, and no test file is ever rejected. */
#include "guards/test_marks.h"

#include "base/buf.h"
#include "base/path.h"
#include "guards/test_words.h"

const struct language *
language_of(struct str path)
{
	struct str base = path_base(path);
	size_t dot = base.n;

	while (dot > 0 && base.s[dot - 1] != '.')
		dot--;
	if (dot == 0)
		return NULL;
	for (size_t i = 0; i < test_language_count; i++) {
		struct str rest = str_from(test_languages[i].extensions), extension;

		while (str_next(&rest, ' ', &extension))
			if (str_eq(extension, str_sub(base, dot, base.n)))
				return &test_languages[i];
	}
	return NULL;
}

bool
language_has_inline_tests(const struct language *l)
{
	return l->has_inline_tests;
}

/* Is the word a part of the name: test_cart, cart.test, CartTest, but not latest? */
static bool
has_part(struct str name, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= name.n; i++) {
		bool is_hump = name.s[i] >= 'A' && name.s[i] <= 'Z';
		bool begins = i == 0 || is_hump || !is_name_char(name.s[i - 1]) || name.s[i - 1] == '_' ||
			      (name.s[i - 1] >= '0' && name.s[i - 1] <= '9');
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
	static const char *const folders[] = { "e2e", "__tests__", "testing", "features", "cypress", "t" };
	struct str rest = path, part;

	while (str_next(&rest, '/', &part)) {
		if (has_part(part, "test") || has_part(part, "spec") || str_ends(part, STR(".bats")))
			return true;
		for (size_t i = 0; rest.n > 0 && i < COUNT_OF(folders); i++)
			if (str_is(part, folders[i]))
				return true;
	}
	return false;
}

/* ---- comments and strings ---- */

struct masker {
	const struct language *language;
	struct str text;
	char *to;
	size_t at;
};

static bool
is_at(const struct masker *m, const char *z)
{
	return z && str_starts(str_sub(m->text, m->at, m->text.n), str_from(z));
}

/* Writes blanks for n bytes, and newlines for newlines. */
static void
blank(struct masker *m, size_t n)
{
	for (size_t end = m->at + n < m->text.n ? m->at + n : m->text.n; m->at < end; m->at++)
		m->to[m->at] = m->text.s[m->at] == '\n' ? '\n' : ' ';
}

static void
copy(struct masker *m, size_t n)
{
	for (size_t end = m->at + n < m->text.n ? m->at + n : m->text.n; m->at < end; m->at++)
		m->to[m->at] = m->text.s[m->at];
}

/* Up to and with `end`, or to the end of the text. */
static void
blank_until(struct masker *m, const char *end)
{
	while (m->at < m->text.n && !is_at(m, end))
		blank(m, 1);
	blank(m, strlen(end));
}

static void
mask_string(struct masker *m, bool is_long)
{
	char quote = m->text.s[m->at];

	copy(m, 1);
	while (m->at < m->text.n && m->text.s[m->at] != quote && (is_long || m->text.s[m->at] != '\n'))
		blank(m, m->text.s[m->at] == '\\' ? 2 : 1);
	if (m->at < m->text.n && m->text.s[m->at] == quote)
		copy(m, 1);
}

static bool
is_line_comment(const struct masker *m)
{
	for (size_t i = 0; i < COUNT_OF(m->language->line_comments); i++) {
		const char *comment = m->language->line_comments[i];

		if (!is_at(m, comment))
			continue;
		if (*comment != '#')
			return true;
		/* ${#x} of a shell, #[Attribute] of PHP */
		return (m->at == 0 || str_is_blank(m->text.s[m->at - 1]) || m->text.s[m->at - 1] == ';') &&
		       !is_at(m, "#[");
	}
	return false;
}

struct str
code_of(struct arena *a, const struct language *l, struct str text)
{
	struct masker m = { .language = l, .text = text, .to = arena_bytes(a, text.n + 1) };

	while (m.at < text.n) {
		char c = text.s[m.at];

		if (is_line_comment(&m)) {
			while (m.at < text.n && text.s[m.at] != '\n')
				blank(&m, 1);
		} else if (l->has_block_comments && is_at(&m, "/*")) {
			blank(&m, 2);
			blank_until(&m, "*/");
		} else if (l->has_triple_quotes && (is_at(&m, "\"\"\"") || is_at(&m, "'''"))) {
			const char *end = c == '"' ? "\"\"\"" : "'''";

			blank(&m, 3);
			blank_until(&m, end);
		} else if (l->has_lifetimes && c == '\'') {
			bool is_char = m.at + 2 < text.n &&
				       (text.s[m.at + 1] == '\\' || text.s[m.at + 2] == '\'');

			if (is_char)
				mask_string(&m, false);
			else
				copy(&m, 1);
		} else if (c != '\0' && l->long_quotes && str_find_char(str_from(l->long_quotes), c) >= 0) {
			mask_string(&m, true);
		} else if (c != '\0' && l->quotes && str_find_char(str_from(l->quotes), c) >= 0) {
			mask_string(&m, false);
		} else {
			copy(&m, 1);
		}
	}
	m.to[text.n] = '\0';
	return (struct str){ m.to, text.n };
}

/* ---- the search ---- */

/* The length of the word at the beginning of the code; 0: it is not there. */
static size_t
match_word(struct str code, const char *word)
{
	size_t n = 0;

	for (const char *w = word; *w; w++) {
		if (*w == '*') {
			while (n < code.n && (is_name_char(code.s[n]) || (w[1] == ')' && code.s[n] != ')')))
				n++;
			if (!w[1])
				return n;
		} else if (n < code.n && code.s[n] == *w) {
			n++;
		} else {
			return 0;
		}
	}
	return is_name_char(code.s[n - 1]) && n < code.n && is_name_char(code.s[n]) ? 0 : n;
}

/* The first word of the table at this place of a line. */
static const struct word *
find_word(const struct language *l, struct str code, struct str raw, size_t at, size_t *ret_n)
{
	bool is_first = str_trim(str_sub(code, 0, at)).n == 0;
	bool is_inside = at > 0 &&
			 (is_name_char(code.s[at - 1]) || code.s[at - 1] == '.' || code.s[at - 1] == '$');

	for (size_t i = 0; i < l->word_count; i++) {
		const char *word = l->words[i].text;
		struct str from = str_sub(code, at, code.n);

		if (*word == '!') {
			*ret_n = 1;
			if (at == 0 && str_starts(str_trim(raw), str_from(word + 1)))
				return &l->words[i];
			continue;
		}
		if ((*word == '^' && !is_first) || (*word != '~' && is_inside))
			continue;
		*ret_n = match_word(from, *word == '^' || *word == '~' ? word + 1 : word);
		if (*ret_n > 0)
			return &l->words[i];
	}
	return NULL;
}

/* Can it not fail? `text` begins with the assertion. */
static bool
is_trivial(struct arena *a, struct str text)
{
	/* without blanks, in small letters; one that ends in ! is the whole text */
	static const char *const always[] = {
		"expect(true)",
		"expect(1).tobe(1)",
		"expect(1).toequal(1)",
		"expect(false).tobe(false)",
		"expecttrue(true",
		"expect_true(true",
		"expect_eq(1,1)",
		"assert(true",
		"assert(1)",
		"assert(1==1",
		"assert.ok(true",
		"assert.equal(1,1)",
		"assert.equal(true,true",
		"assert.strictequal(1,1)",
		"assert.true(true",
		"assert.true(t,true",
		"require.true(t,true",
		"assert.istrue(true",
		"assert.that(true",
		"asserttrue!",
		"assert1!",
		"assert1==1!",
		"assert(1===1",
		"self.asserttrue(true",
		"self.assertequal(1,1)",
		"assert!(true",
		"assert_eq!(1,1)",
		"asserttrue(true",
		"assertequals(1,1)",
		"assertthat(true",
		"assertions.asserttrue(true",
		"assert.asserttrue(true",
		"ck_assert(1)",
		"ck_assert(true",
		"cr_assert(1)",
		"cr_assert(true",
		"assert_true(true",
		"assert_true(1)",
		"assert_eq(1,1)",
		"asserttrue(1)",
		"t.true(true",
		"t.ok(true",
		"t.pass(",
		"assertsame(1,1)",
		"assertsame(true,true",
		"asserttrue(!false",
		"asserttruetrue!",
		"assert_equal1,1!",
		"[1-eq1]",
		"[1=1]",
		"[[1==1]]",
		"[0-eq0]",
		"testtrue!",
	};
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < text.n; i++)
		if (!str_is_blank(text.s[i]))
			buf_addc(&b,
				 (char)(text.s[i] >= 'A' && text.s[i] <= 'Z' ? text.s[i] + 32 : text.s[i]));
	for (size_t i = 0; i < COUNT_OF(always); i++) {
		struct str word = str_from(always[i]);
		bool is_whole = str_ends(word, STR("!"));

		word.n -= is_whole;
		if (is_whole ? str_eq(buf_str(&b), word) : str_starts(buf_str(&b), word))
			return true;
	}
	return false;
}

/* The statement that begins at this place: several may be on one line. */
static struct str
statement(struct str code, struct str raw, size_t at)
{
	size_t end = at;

	while (end < code.n && code.s[end] != ';' && code.s[end] != '}')
		end++;
	return str_trim(str_sub(raw, at, end));
}

/* The first string of the line. */
static struct str
first_string(struct str raw)
{
	for (size_t i = 0; i < raw.n; i++)
		if (raw.s[i] == '"' || raw.s[i] == '\'' || raw.s[i] == '`') {
			struct str rest = str_sub(raw, i + 1, raw.n);
			ptrdiff_t end = str_find_char(rest, raw.s[i]);

			return end >= 0 ? str_sub(rest, 0, (size_t)end) : rest;
		}
	return STR_NONE;
}

static struct str
next_line(struct str rest)
{
	struct str line;

	while (str_next(&rest, '\n', &line))
		if (str_trim(line).n > 0)
			return str_trim(line);
	return STR_NONE;
}

/* What one line has. */
static void
read_line(struct arena *a, const struct language *l, struct str code, struct str raw, struct str after,
	  const struct mark *place, struct marks *all, size_t *capacity)
{
	for (size_t at = 0; at < code.n;) {
		size_t n = 0;
		const struct word *w = str_is_blank(code.s[at]) && at > 0 ? NULL
									  : find_word(l, code, raw, at, &n);

		if (!w) {
			at++;
			continue;
		}
		struct str text = w->kinds == MARK_ASSERTION ? statement(code, raw, at) : str_trim(raw);

		at += n;
		if (w->kinds == MARK_ASSERTION && is_trivial(a, text))
			continue;
		arena_make_room(a, all->items, all->count, capacity);
		struct mark *m = &all->items[all->count++];

		*m = *place;
		m->kinds = w->kinds;
		m->text = text;
		m->beside = first_string(raw);
		if (!m->beside.s)
			m->beside = next_line(after);
	}
}

struct marks
marks_of(struct arena *a, const struct language *l, struct str path, struct str text)
{
	struct marks all = { 0 };
	struct str code = code_of(a, l, text), code_rest = code, rest = text, line, raw;
	struct mark place = { 0 };
	size_t capacity = 0;
	/* Among other code, only what comes after the first test is about tests. */
	bool is_test = is_test_path(path);

	while (str_next(&rest, '\n', &raw) && str_next(&code_rest, '\n', &line)) {
		size_t first = all.count;

		place.line++;
		read_line(a, l, line, raw, rest, &place, &all, &capacity);
		for (size_t i = first; i < all.count; i++)
			if (all.items[i].kinds & MARK_TEST) {
				place.test = all.items[i].beside;
				is_test = true;
			}
		for (size_t i = first; i < all.count; i++)
			all.items[i].test = place.test;
		if (!is_test)
			all.count = first;
	}
	return all;
}
