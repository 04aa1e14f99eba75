/* SPDX-License-Identifier: MIT */
/* Asks git for diffs, and again for what its answer hides: files after one that is too long, and text that an attribute, a
 * setting or its size makes binary. Names what stays hidden. */
#include "review/diff_answers.h"

#include "base/buf.h"
#include "base/path.h"
#include "os/fd.h"
#include "os/fs.h"

#include <string.h>

/* How many files are excluded from a diff that is too long, and from how many bytes on: more than a reviewer is ever
 * shown, so that the part that is kept of one is never taken for all of it. */
#define LONG_FILES_MAX 6
#define LONG_FILE_BYTES (2 * DIFF_SHOWN_LIMIT_BYTES)
/* How many files that git takes for binary are asked for as text. */
#define TEXT_FILES_MAX 500
/* Where git looks for a NUL, too. */
#define BINARY_HEAD_BYTES 8000

static struct diff_answer *
find_answer(struct diff_answer *all, const struct change_spec *spec, struct str path)
{
	for (struct diff_answer *x = all; x; x = x->next)
		if (x->spec.mode == spec->mode && str_eq(x->spec.base, spec->base) &&
		    str_eq(x->spec.head, spec->head) && str_eq(x->spec.commit, spec->commit) &&
		    !x->path.s == !path.s && str_eq(x->path, path))
			return x;
	return NULL;
}

static struct diff_answer *
add_answer(struct arena *a, struct diff_answer **all, struct diff_answer answer)
{
	struct diff_answer *x = arena_new(a, struct diff_answer);

	*x = answer;
	x->next = *all;
	*all = x;
	return x;
}

/* ---- files that are too long ---- */

/* The last file of a diff if it is a long one: then it is the one that was cut. NULL: it is not long. */
static const struct diff_section *
long_end(struct arena *a, struct str diff)
{
	struct diff_sections l = diff_split(a, diff);
	const struct diff_section *last = l.count > 0 ? &l.items[l.count - 1] : NULL;

	return last && last->file.s && last->text.n >= LONG_FILE_BYTES ? last : NULL;
}

/* One file that is too long must not hide those after it: git is asked again without it, and more of it is kept than a
 * reviewer is shown. Where there are simply too many files, some are missing. */
static int
ask_git(struct arena *a, const struct repository *r, struct diff_answer *x, struct err *err)
{
	struct buf all = BUF(a, SIZE_MAX), parts = BUF(a, SIZE_MAX);
	struct str files[LONG_FILES_MAX];
	struct change_spec now = x->spec;
	struct diff_text found;

	now.except = (struct str_list){ files, 0 };
	for (;;) {
		if (git_diff(a, r, &now, x->path, DIFF_READ_LIMIT_BYTES, &found, err) < 0)
			return -1;
		const struct diff_section *cut = found.is_cut ? long_end(a, found.text) : NULL;

		if (!cut || now.except.count == LONG_FILES_MAX)
			break;
		files[now.except.count++] = cut->file;
		buf_add(&parts, str_sub(cut->text, 0, LONG_FILE_BYTES));
		buf_addc(&parts, '\n');
	}
	x->text = found.text;
	x->has_more = found.is_cut;
	x->hidden = found.hidden;
	if (parts.n == 0)
		return 0;
	buf_add(&all, found.text);
	buf_add(&all, buf_str(&parts));
	x->text = buf_str(&all);
	return 0;
}

/* ---- files that are, or seem to be, binary ---- */

static bool
has_nul(struct str text)
{
	return str_find_char(text, '\0') >= 0;
}

/* Is the file binary as it is now? False also if there is none. */
static bool
is_binary_file(struct arena *a, const struct repository *r, struct str file)
{
	CLEANUP(fd_close) int fd = -1;
	char head[BINARY_HEAD_BYTES];
	const char *path;
	size_t n;
	struct err ignored;

	if (str_cz(a, path_join(a, r->root, file), &path, &ignored) < 0 ||
	    fs_open_regular(path, &fd, &ignored) < 0 || fd < 0)
		return false;
	return fs_size(fd) > CONTENT_LIMIT_BYTES ||
	       (fd_read_at(fd, 0, head, sizeof(head), &n, &ignored) == 0 && memchr(head, '\0', n));
}

/* Does git show no lines of it although it may be text? */
static bool
may_be_text(struct arena *a, const struct repository *r, const struct diff_answer *x,
	    const struct diff_section *s)
{
	bool has_files = x->spec.mode != CHANGES_CI && x->spec.mode != CHANGES_COMMIT;

	return s->is_binary && s->file.s && !(has_files && is_binary_file(a, r, s->file));
}

/* The sections of these files with all lines; what git could not show is not among them. */
static struct diff_sections
ask_for_text(struct arena *a, const struct repository *r, const struct diff_answer *x, struct str_list files)
{
	struct change_spec spec = x->spec;
	struct diff_text found;
	struct err ignored;

	spec.only = files;
	spec.is_text = true;
	if (files.count == 0 || git_diff(a, r, &spec, STR("."), DIFF_READ_LIMIT_BYTES, &found, &ignored) < 0)
		return (struct diff_sections){ 0 };
	struct diff_sections l = diff_split(a, found.text);

	l.count -= found.is_cut && l.count > 0; /* the last one is not complete */
	return l;
}

static const struct diff_section *
find_section(const struct diff_sections *l, struct str file)
{
	for (size_t i = 0; i < l->count; i++)
		if (str_eq(l->items[i].file, file))
			return &l->items[i];
	return NULL;
}

/* The section without its lines. */
static void
add_as_binary(struct buf *b, const struct diff_section *s)
{
	ptrdiff_t lines = str_find(s->text, STR("\n--- "));

	buf_add(b, str_sub(s->text, 0, lines < 0 ? 0 : (size_t)lines + 1));
	buf_addf(b, "Binary files a/" STR_FMT " and b/" STR_FMT " differ\n", STR_ARG(s->file),
		 STR_ARG(s->file));
}

/* Shows as text what is text, and as binary what is not. */
static void
settle_binary(struct arena *a, const struct repository *r, struct diff_answer *x)
{
	struct str_list files = { arena_array(a, x->sections.count, struct str), 0 };
	struct buf b = BUF(a, SIZE_MAX);
	bool is_any = has_nul(x->text);

	for (size_t i = 0; i < x->sections.count && files.count < TEXT_FILES_MAX; i++)
		if (may_be_text(a, r, x, &x->sections.items[i]))
			files.items[files.count++] = x->sections.items[i].file;
	if (files.count == 0 && !is_any)
		return;
	struct diff_sections texts = ask_for_text(a, r, x, files);

	for (size_t i = 0; i < x->sections.count; i++) {
		const struct diff_section *s = &x->sections.items[i];
		const struct diff_section *text = s->is_binary ? find_section(&texts, s->file) : s;

		if (text && !has_nul(text->text))
			buf_add(&b, text->text);
		else if (s->is_binary || !s->file.s)
			buf_add(&b, s->text);
		else
			add_as_binary(&b, s);
	}
	x->text = buf_str(&b);
	x->sections = diff_split(a, x->text);
}

static void
add_hidden(struct arena *a, struct hidden_files *l, size_t *capacity, struct str path, const char *why)
{
	for (size_t i = 0; i < l->count; i++)
		if (str_eq(l->items[i].path, path))
			return;
	arena_make_room(a, l->items, l->count, capacity);
	l->items[l->count++] = (struct hidden_file){ path, why };
}

static void
list_hidden(struct arena *a, struct diff_answer *x)
{
	struct hidden_files l = { 0 };
	size_t capacity = 0;

	for (size_t i = 0; i < x->sections.count; i++) {
		const struct diff_section *s = &x->sections.items[i];

		if (s->file.s && (s->is_binary || s->is_repository))
			add_hidden(a, &l, &capacity, s->file, s->is_binary ? "binary" : HIDDEN_REPOSITORY);
	}
	for (size_t i = 0; i < x->hidden.count; i++)
		add_hidden(a, &l, &capacity, x->hidden.items[i].path, x->hidden.items[i].why);
	x->hidden = l;
}

/* ---- answers ---- */

/* Completes an answer of which git has said everything. */
static const struct diff_answer *
keep_answer(struct arena *a, const struct repository *r, struct diff_answer **all, struct diff_answer fresh)
{
	fresh.sections = diff_split(a, fresh.text);
	settle_binary(a, r, &fresh);
	list_hidden(a, &fresh);
	return add_answer(a, all, fresh);
}

void
diff_answers_prepare(struct arena *a, const struct repository *r, struct diff_answer **all,
		     const struct change_spec specs[2])
{
	struct diff_text found[2];
	struct err ignored;

	if (find_answer(*all, &specs[0], STR(".")) || find_answer(*all, &specs[1], STR(".")) ||
	    git_diff_pair(a, r, specs, DIFF_READ_LIMIT_BYTES, found, &ignored) < 0)
		return;
	for (size_t i = 0; i < COUNT_OF(found); i++)
		if (!found[i].is_cut)
			(void)keep_answer(a, r, all,
					  (struct diff_answer){ .spec = specs[i],
								.path = STR("."),
								.text = found[i].text,
								.hidden = found[i].hidden });
}

int
diff_answer(struct arena *a, const struct repository *r, struct diff_answer **all,
	    const struct change_spec *spec, struct str path, const struct diff_answer **ret, struct err *err)
{
	struct diff_answer fresh = { .spec = *spec, .path = path };
	const struct diff_answer *known = find_answer(*all, spec, path);

	if (!known) {
		if (ask_git(a, r, &fresh, err) < 0)
			return -1;
		known = keep_answer(a, r, all, fresh);
	}
	*ret = known;
	return 0;
}

int
changes_answer(struct arena *a, const struct repository *r, struct diff_answer **all,
	       const struct change_spec *spec, const struct change_list **ret, struct err *err)
{
	struct diff_answer fresh = { .spec = *spec };
	const struct diff_answer *known = find_answer(*all, spec, STR_NONE);

	if (!known) {
		struct err ignored;

		fresh.is_there = git_changes(a, r, spec, &fresh.changes, err) == 0;
		if (!fresh.is_there && git_has_commit(a, r, spec->commit, &ignored) != ANSWER_NO)
			return -1;
		known = add_answer(a, all, fresh);
	}
	*ret = known->is_there ? &known->changes : NULL;
	return 0;
}
