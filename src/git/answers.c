/* SPDX-License-Identifier: MIT */
/* Answers of git about commits by their names, which never change: kept from one process to the next. What makes them change is part
 * of a key: where the history ends in a shallow clone, grafts, and where the project is in its repository. A file that was cut or
 * damaged has fewer answers, and no other ones. */
#include "git/git_spawn.h"

#include "base/digest.h"
#include "base/path.h"
#include "os/fs.h"

/* An answer in the file, and the file: then it starts over. */
#define ANSWER_LIMIT_BYTES KIB(512)
#define FILE_LIMIT_BYTES MIB(1)
#define HISTORY_LIMIT_BYTES MIB(4)

struct answer {
	struct str key, text;
	struct str digest; /* of the text, by the file; absent: it was asked for now */
	struct answer *next;
};

struct answers {
	struct answer *list; /* the last one first */
	size_t file_bytes;   /* its limit, if it is damaged */
};

/* Each is "KEY DIGEST LENGTH", a newline, the text and a newline. */
static void
load(struct arena *a, struct git_known *k)
{
	struct str text = STR_NONE, line, field[3];

	k->answers = arena_new(a, struct answers);
	k->answers->file_bytes = FILE_LIMIT_BYTES;
	if (!k->answer_file.s || fs_read(a, k->answer_file.s, 2 * FILE_LIMIT_BYTES, &text, IGNORED) < 0)
		return;
	size_t file_bytes = text.n;

	while (str_next(&text, '\n', &line)) {
		struct answer *found = arena_new(a, struct answer);
		uint64_t length;

		for (size_t i = 0; i < COUNT_OF(field); i++)
			if (!str_next(&line, ' ', &field[i]))
				return;
		if (!number_parse(field[2], &length) || length >= text.n)
			return;
		*found = (struct answer){ field[0], str_sub(text, 0, (size_t)length), field[1],
					  k->answers->list };
		k->answers->list = found;
		text = str_rest(text, (size_t)length + 1);
	}
	k->answers->file_bytes = file_bytes;
}

/* Absent: the answer may change. */
static struct str
key_of(struct arena *a, const struct repository *r, const struct question *q)
{
	static const char *const files[] = { "shallow", "info/grafts" };
	struct str dir = r->known ? git_common_dir(a, r->root) : STR_NONE, top = find_top(r->root);
	struct digest d;

	if (!dir.s || !is_object_name(q->one) || !is_object_name(q->other))
		return STR_NONE;
	digest_begin(&d);
	digest_add_text(&d, str_from(q->what));
	digest_add_text(&d, q->one);
	digest_add_text(&d, q->other);
	digest_add_text(&d, path_below(r->root, top));
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		struct str text = STR_NONE;

		if (fs_read(a, path_join(a, dir, str_from(files[i])).s, HISTORY_LIMIT_BYTES, &text, IGNORED) <
		    0)
			return STR_NONE;
		digest_add_text(&d, text);
	}
	return digest_end(a, &d);
}

struct str
answer_known(struct arena *a, const struct repository *r, struct question *q)
{
	q->key = key_of(a, r, q);
	if (!q->key.s)
		return STR_NONE;
	if (!r->known->answers)
		load(a, r->known);
	for (const struct answer *x = r->known->answers->list; x; x = x->next)
		if (str_eq(x->key, q->key) && (!x->digest.s || str_eq(digest_of(a, x->text), x->digest)))
			return x->text;
	return STR_NONE;
}

void
answer_keep(struct arena *a, const struct repository *r, const struct question *q, struct str text)
{
	struct git_known *k = r->known;
	struct answer *x;

	/* The history may have become longer since the question. */
	if (!q->key.s || !str_eq(q->key, key_of(a, r, q)))
		return;
	x = arena_new(a, struct answer);
	*x = (struct answer){ .key = q->key, .text = text, .next = k->answers->list };
	k->answers->list = x;
	if (k->is_read_only || !k->answer_file.s || text.n > ANSWER_LIMIT_BYTES)
		return;
	struct str record = str_cat(a, q->key, " ", digest_of(a, text), " ", text.n, "\n", text, "\n");
	bool starts_over = k->answers->file_bytes + record.n > FILE_LIMIT_BYTES;

	k->answers->file_bytes = record.n + (starts_over ? 0 : k->answers->file_bytes);
	if (fs_make_parents(a, k->answer_file, 0700, IGNORED) < 0)
		return;
	(void)((starts_over ? fs_replace_unsynced(a, k->answer_file.s, record, 0600, IGNORED)
			    : fs_append(k->answer_file.s, record, 0600, IGNORED)) == 0);
}
