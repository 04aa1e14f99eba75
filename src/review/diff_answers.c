/* SPDX-License-Identifier: MIT */
/* Asks git for diffs, and again for what its answer hides: files after one that is too long, and text that an attribute, a
 * setting or its size makes binary. Names what stays hidden. */
#include "review/slot.h"

#include "os/fd.h"
#include "os/fs.h"

/* How many files are excluded from a diff that is too long, and from how many bytes on: more than a reviewer is ever
 * shown, so that the part that is kept of one is never taken for all of it. */
#define LONG_FILES_MAX 6
#define LONG_FILE_BYTES (2 * DIFF_SHOWN_LIMIT_BYTES)
/* How many files that git takes for binary are asked for as text. */
#define TEXT_FILES_MAX 500
/* Where git looks for a NUL, too. */
#define BINARY_HEAD_BYTES 8000

static struct diff_answer *
find_answer(const struct diff_answers *x, const struct change_spec *spec, struct str path)
{
	struct diff_answer *d = x->all;

	while (d && (d->spec.mode != spec->mode || !str_eq(d->spec.base, spec->base) ||
		     !str_eq(d->spec.head, spec->head) || !str_eq(d->spec.commit, spec->commit) ||
		     !d->path.s != !path.s || !str_eq(d->path, path)))
		d = d->next;
	return d;
}

static struct diff_answer *
add_answer(struct diff_answers *x, struct diff_answer answer)
{
	struct diff_answer *d = arena_new(x->arena, struct diff_answer);

	*d = answer;
	d->next = x->all;
	x->all = d;
	return d;
}

/* ---- files that are too long ---- */

/* One file that is too long must not hide those after it: git is asked again without it, and more of it is kept than a
 * reviewer is shown. Where there are simply too many files, some are missing. */
static int
ask_git(struct diff_answers *x, struct diff_answer *d, struct err *err)
{
	struct buf parts = BUF(x->arena, SIZE_MAX);
	struct str files[LONG_FILES_MAX];
	struct change_spec now = d->spec;
	struct diff_text found;

	now.except = (struct str_list){ files, 0 };
	for (;;) {
		if (git_diff(x->arena, x->repository, &now, d->path, DIFF_READ_LIMIT_BYTES, &found, err) < 0)
			return -1;
		if (!found.is_cut || now.except.count == LONG_FILES_MAX)
			break;
		struct diff_sections l = diff_split(x->arena, found.text);
		const struct diff_section *last = l.count > 0 ? &l.items[l.count - 1] : NULL;

		/* If the last file is a long one, it is the one that was cut. */
		if (!last || !last->file.s || last->text.n < LONG_FILE_BYTES)
			break;
		files[now.except.count++] = last->file;
		buf_cat(&parts, str_sub(last->text, 0, LONG_FILE_BYTES), "\n");
	}
	d->text = parts.n > 0 ? str_cat(x->arena, found.text, buf_str(&parts)) : found.text;
	d->has_more = found.is_cut;
	d->hidden = found.hidden;
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
is_binary_file(const struct diff_answers *x, struct str file)
{
	CLEANUP(fd_close) int fd = -1;
	char head[BINARY_HEAD_BYTES];
	const char *path;
	size_t n;

	if (str_cz(x->arena, path_join(x->arena, x->repository->root, file), &path, IGNORED) < 0 ||
	    fs_open_regular(path, &fd, IGNORED) < 0 || fd < 0)
		return false;
	return fs_size(fd) > CONTENT_LIMIT_BYTES ||
	       (fd_read_at(fd, 0, head, sizeof(head), &n, IGNORED) == 0 && memchr(head, '\0', n));
}

/* The sections of these files with all lines; what git could not show is not among them. */
static struct diff_sections
ask_for_text(struct diff_answers *x, struct change_spec spec, struct str_list files)
{
	struct diff_text found;

	spec.only = files;
	spec.is_text = true;
	if (files.count == 0 ||
	    git_diff(x->arena, x->repository, &spec, STR("."), DIFF_READ_LIMIT_BYTES, &found, IGNORED) < 0)
		return (struct diff_sections){ 0 };
	struct diff_sections l = diff_split(x->arena, found.text);

	l.count -= found.is_cut && l.count > 0; /* the last one is not complete */
	return l;
}

/* Shows as text what is text, and as binary what is not. */
static void
settle_binary(struct diff_answers *x, struct diff_answer *d)
{
	bool has_files = d->spec.mode != CHANGES_CI && d->spec.mode != CHANGES_COMMIT;
	struct str_list files = { arena_array(x->arena, d->sections.count, struct str), 0 };
	struct buf b = BUF(x->arena, SIZE_MAX);

	for (size_t i = 0; i < d->sections.count && files.count < TEXT_FILES_MAX; i++) {
		const struct diff_section *s = &d->sections.items[i];

		if (s->is_binary && s->file.s && !(has_files && is_binary_file(x, s->file)))
			files.items[files.count++] = s->file;
	}
	if (files.count == 0 && !has_nul(d->text))
		return;
	struct diff_sections texts = ask_for_text(x, d->spec, files);

	for_each (s, d->sections.items, d->sections.count) {
		const struct diff_section *text = s->is_binary ? NULL : s;

		for (size_t k = 0; k < texts.count && !text; k++)
			if (str_eq(texts.items[k].file, s->file))
				text = &texts.items[k];
		if (text && !has_nul(text->text)) {
			buf_add(&b, text->text);
		} else if (s->is_binary || !s->file.s) {
			buf_add(&b, s->text);
		} else {
			ptrdiff_t lines = str_find(s->text, STR("\n--- "));

			buf_add(&b, str_sub(s->text, 0, lines < 0 ? 0 : (size_t)lines + 1));
			buf_cat(&b, "Binary files a/", s->file, " and b/", s->file, " differ\n");
		}
	}
	d->text = buf_str(&b);
	d->sections = diff_split(x->arena, d->text);
}

static void
add_hidden(struct arena *a, struct hidden_files *l, struct str path, const char *why)
{
	for (size_t i = 0; i < l->count; i++)
		if (str_eq(l->items[i].path, path))
			return;
	*arena_push(a, l->items, l->count) = (struct hidden_file){ path, why };
}

/* ---- answers ---- */

int
diff_answer(struct diff_answers *x, const struct change_spec *spec, struct str path,
	    const struct diff_answer **ret, struct err *err)
{
	struct diff_answer fresh = { .spec = *spec, .path = path };
	struct hidden_files hidden = { 0 };

	*ret = find_answer(x, spec, path);
	if (*ret)
		return 0;
	if (ask_git(x, &fresh, err) < 0)
		return -1;
	fresh.sections = diff_split(x->arena, fresh.text);
	settle_binary(x, &fresh);
	for_each (s, fresh.sections.items, fresh.sections.count)
		if (s->file.s && (s->is_binary || s->is_repository))
			add_hidden(x->arena, &hidden, s->file, s->is_binary ? "binary" : HIDDEN_REPOSITORY);
	for (size_t i = 0; i < fresh.hidden.count; i++)
		add_hidden(x->arena, &hidden, fresh.hidden.items[i].path, fresh.hidden.items[i].why);
	fresh.hidden = hidden;
	*ret = add_answer(x, fresh);
	return 0;
}

int
changes_answer(struct diff_answers *x, const struct change_spec *spec, const struct change_list **ret,
	       struct err *err)
{
	struct diff_answer fresh = { .spec = *spec };
	const struct diff_answer *known = find_answer(x, spec, STR_NONE);

	if (!known) {
		fresh.is_there = git_changes(x->arena, x->repository, spec, &fresh.changes, err) == 0;
		if (!fresh.is_there &&
		    git_has_commit(x->arena, x->repository, spec->commit, IGNORED) != ANSWER_NO)
			return -1;
		known = add_answer(x, fresh);
	}
	*ret = known->is_there ? &known->changes : NULL;
	return 0;
}
