/* SPDX-License-Identifier: MIT */
/* A diff that is too long for a reviewer, cut so that what is left is whole files and nothing is left out in silence. */
#include "review/difflines.h"

#include "base/buf.h"
#include "base/plain.h"
#include "base/utf8.h"
#include "review/diff_read.h"

/* The note has at most a quarter of the room, and no more than this. */
#define NOTE_LIMIT_BYTES KIB(4)
/* Behind the last name that has room: ` * and N more` and a bracket. */
#define MORE_BYTES 40

/* Sections of one file that follow each other are named once. False: there is none to name. */
static bool
add_names(struct arena *a, struct buf *b, const struct diff_sections *l, const bool *is_left_out,
	  size_t limit)
{
	struct str before = STR_NONE;
	size_t named = 0, unnamed = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct diff_section *s = &l->items[i];

		if (!is_left_out[i] || (s->file.s && str_eq(s->file, before)))
			continue;
		before = s->file;
		struct str name = s->file.s ? plain_line(a, s->file)
					    : STR("(a file that the diff does not name)");

		if (unnamed || b->n + name.n + 4 + MORE_BYTES > limit)
			unnamed++;
		else
			buf_addf(b, " * " STR_FMT "\n", STR_ARG(name));
		named++;
	}
	if (unnamed)
		buf_addf(b, " * %s%zu more\n", unnamed < named ? "and " : "", unnamed);
	return named > 0;
}

static struct str
note_of(struct arena *a, const struct diff_sections *l, const bool *is_left_out, bool is_first_cut,
	bool has_more, size_t limit)
{
	struct buf b = BUF(a, limit);

	buf_add(&b, STR("\n(This diff is not complete: it was too long."));
	if (is_first_cut)
		buf_add(&b, STR(" The file above is cut off."));
	if (has_more)
		buf_add(&b, STR(" Further files have changed that are not named here."));
	size_t fixed = b.n;

	buf_add(&b, STR(" Left out are the changes of:\n"));
	if (!add_names(a, &b, l, is_left_out, limit))
		b.n = fixed;
	buf_add(&b, STR(")\n"));
	return buf_str(&b);
}

/* As much of the text as has room, up to the end of a line. */
static struct str
head_lines(struct str text, size_t limit)
{
	size_t n = limit < text.n ? limit : text.n;

	while (n > 0 && text.s[n - 1] != '\n')
		n--;
	return n > 0 ? str_sub(text, 0, n) : utf8_head(text, limit);
}

struct str
diff_cut(struct arena *a, struct str diff, size_t limit, bool has_more, bool *ret_is_cut)
{
	struct buf b = BUF(a, limit);
	size_t note_limit = limit / 4 < NOTE_LIMIT_BYTES ? limit / 4 : NOTE_LIMIT_BYTES;
	bool is_first_cut = false;

	*ret_is_cut = has_more || diff.n > limit;
	if (!*ret_is_cut)
		return diff;
	struct diff_sections l = diff_split(a, diff);
	bool *is_left_out = arena_array(a, l.count, bool);

	for (size_t i = 0; i < l.count; i++) {
		is_left_out[i] = l.items[i].text.n > limit - note_limit - b.n;
		if (!is_left_out[i])
			buf_add(&b, l.items[i].text);
	}
	if (b.n == 0 && l.count > 0 && limit >= DIFF_CUT_LEAST) {
		buf_add(&b, head_lines(l.items[0].text, limit - note_limit));
		is_first_cut = true;
		is_left_out[0] = false;
	}
	buf_add(&b, note_of(a, &l, is_left_out, is_first_cut, has_more, note_limit));
	return buf_str(&b);
}
