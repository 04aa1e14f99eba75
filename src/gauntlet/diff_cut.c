/* SPDX-License-Identifier: MIT */
/* A diff that is too long for a reviewer, cut so that what is left is whole files and nothing is left out in silence. */
#include "gauntlet/difflines.h"

#include "base/buf.h"
#include "base/plain.h"
#include "base/utf8.h"
#include "gauntlet/diff_read.h"

/* The note has at most a quarter of the room, and no more than this. */
#define NOTE_LIMIT_BYTES KIB(4)
/* Behind the last name that has room: ` * and N more` and a bracket. */
#define MORE_BYTES 40

struct section {
	struct str text, file; /* file absent: it does not tell */
	bool is_left_out;
};

struct sections {
	struct section *items;
	size_t count, capacity;
};

static struct section *
push(struct arena *a, struct sections *l)
{
	arena_make_room(a, l->items, l->count, &l->capacity);
	return &l->items[l->count++];
}

static void
split(struct arena *a, struct str diff, struct sections *ret)
{
	struct diff_reader r = diff_reader(a, diff);
	struct section *now = NULL;
	enum diff_event event;

	while ((event = diff_read(&r)) != DIFF_END) {
		if (!now || event == DIFF_SECTION) {
			now = push(a, ret);
			now->text.s = diff.s + r.at;
		}
		if ((event == DIFF_SECTION || event == DIFF_NAME) && r.file.s)
			now->file = r.file;
		now->text.n = (size_t)(r.rest.s - now->text.s);
	}
	if (now)
		now->text.n = (size_t)(diff.s + diff.n - now->text.s);
}

/* Sections of one file that follow each other are named once. False: there is none to name. */
static bool
add_names(struct arena *a, struct buf *b, const struct sections *l, size_t limit)
{
	struct str before = STR_NONE;
	size_t named = 0, unnamed = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct section *s = &l->items[i];

		if (!s->is_left_out || (s->file.s && str_eq(s->file, before)))
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
note_of(struct arena *a, const struct sections *l, bool is_first_cut, size_t limit)
{
	struct buf b = BUF(a, limit);

	buf_add(&b, STR("\n(This diff is not complete: it was too long."));
	if (is_first_cut)
		buf_add(&b, STR(" The file above is cut off."));
	size_t fixed = b.n;

	buf_add(&b, STR(" Left out are the changes of:\n"));
	if (!add_names(a, &b, l, limit))
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
diff_cut(struct arena *a, struct str diff, size_t limit, bool *ret_is_cut)
{
	struct sections l = { 0 };
	struct buf b = BUF(a, limit);
	size_t note_limit = limit / 4 < NOTE_LIMIT_BYTES ? limit / 4 : NOTE_LIMIT_BYTES;
	bool is_first_cut = false;

	*ret_is_cut = diff.n > limit;
	if (!*ret_is_cut)
		return diff;
	split(a, diff, &l);
	for (size_t i = 0; i < l.count; i++) {
		struct section *s = &l.items[i];

		s->is_left_out = s->text.n > limit - note_limit - b.n;
		if (!s->is_left_out)
			buf_add(&b, s->text);
	}
	if (b.n == 0 && limit >= DIFF_CUT_LEAST) {
		buf_add(&b, head_lines(l.items[0].text, limit - note_limit));
		is_first_cut = true;
		l.items[0].is_left_out = false;
	}
	buf_add(&b, note_of(a, &l, is_first_cut, note_limit));
	return buf_str(&b);
}
