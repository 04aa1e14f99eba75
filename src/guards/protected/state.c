/* SPDX-License-Identifier: MIT */
/* Keeps what protected files were: holdfast/protected/PROJECT under the state directory, with a file for each session, and the contents
 * by their digests. Nothing is written into the project or its repository, except by protected_restore(). */
#include "guards/protected/protected.h"
#include "model/event.h"
#include "os/clock.h"
#include "store/state_path.h"

#define HEADER "holdfast protected 1\n"
#define STATE_BYTES MIB(64)
#define SUFFIX ".state"
/* All copies of one state. */
#define COPIES_BYTES MIB(256)
/* A session that has sent nothing for so long is over. */
#define FORGOTTEN_NS (30LL * 24 * 3600 * 1000000000)

static struct str
project_dir(struct arena *a, struct str root)
{
	return state_path(a, "protected", project_slug(a, root));
}

static struct str
state_file(struct arena *a, struct str root, struct str owner)
{
	struct str dir = project_dir(a, root);

	return dir.s ? str_cat(a, dir, "/", session_slug(a, owner), SUFFIX) : STR_NONE;
}

/* Absent: the digest is, or there is no home directory. */
static struct str
content_file(struct arena *a, struct str root, struct str digest)
{
	struct str dir = project_dir(a, root);

	return dir.s && digest.n > 0 ? str_cat(a, dir, "/content/", digest) : STR_NONE;
}

struct str
protected_content(struct arena *a, struct str root, struct str digest)
{
	struct str path = content_file(a, root, digest), text = STR_NONE;

	return path.s && fs_read(a, path.s, CONTENT_LIMIT_BYTES, &text, IGNORED) == 0 ? text : STR_NONE;
}

/* ---- reading ---- */

static bool
read_numbers(struct str line, struct protected_file *f)
{
	uint64_t numbers[8];
	struct str word;

	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		if (!str_next(&line, ' ', &word) || !number_parse(word, &numbers[i]))
			return false;
	*f = (struct protected_file){
		.kind = (enum fs_kind)numbers[0],
		.facts = { .mode = (uint32_t)numbers[1],
			   .size = numbers[2],
			   .changed_ns = (int64_t)numbers[3],
			   .written_ns = (int64_t)numbers[4],
			   .inode = numbers[5] },
		.is_settled = numbers[6] != 0,
		.is_violated = numbers[7] != 0,
	};
	return true;
}

static bool
read_state(struct arena *a, struct str text, struct protected_state *ret)
{
	struct str taken, line;
	uint64_t taken_us;

	if (!str_skip(&text, HEADER) || !str_next(&text, '\0', &ret->root) ||
	    !str_next(&text, '\0', &ret->owner) || !str_next(&text, '\0', &taken) ||
	    !number_parse(taken, &taken_us) || !str_next(&text, '\0', &ret->told))
		return false;
	ret->taken_us = (int64_t)taken_us;
	while (str_next(&text, '\0', &line)) {
		struct protected_file *f = arena_push(a, ret->files.items, ret->files.count);

		if (!read_numbers(line, f) || !str_next(&text, '\0', &f->path) ||
		    !str_next(&text, '\0', &f->digest) || !str_next(&text, '\0', &f->target) ||
		    f->path.n == 0 || path_is_outside(f->path))
			return false;
		if (f->digest.n == 0)
			f->digest = STR_NONE;
	}
	return true;
}

/* False: there is no state at the path, or it can't be understood. */
static bool
load_file(struct arena *a, struct str path, struct protected_state *ret)
{
	struct str text = STR_NONE;

	*ret = (struct protected_state){ .exists = true };
	return fs_read(a, path.s, STATE_BYTES, &text, IGNORED) == 0 && text.s && read_state(a, text, ret);
}

void
protected_load(struct arena *a, struct str root, struct str owner, struct protected_state *ret)
{
	struct str path = state_file(a, root, owner);

	if (!path.s || !load_file(a, path, ret) || !str_eq(ret->root, root) || !str_eq(ret->owner, owner))
		*ret = (struct protected_state){ .root = root, .owner = owner };
}

void
protected_load_newest(struct arena *a, struct str root, struct protected_state *ret)
{
	struct str dir = project_dir(a, root);
	struct str_list names = { 0 };

	*ret = (struct protected_state){ .root = root };
	if (!dir.s || fs_list(a, dir.s, FS_NO_LIMIT, &names, IGNORED) < 0)
		return;
	for (size_t i = 0; i < names.count; i++) {
		struct protected_state s;

		if (str_ends(names.items[i], STR(SUFFIX)) &&
		    load_file(a, path_join(a, dir, names.items[i]), &s) && str_eq(s.root, root) &&
		    (!ret->exists || s.taken_us > ret->taken_us))
			*ret = s;
	}
}

/* ---- writing ---- */

/* A file for the user alone, and its directories. */
static int
put_private(struct arena *a, struct str path, struct str text, struct err *err)
{
	return fs_make_parents(a, path, 0700, err) < 0 ? -1 : fs_replace_unsynced(a, path.s, text, 0600, err);
}

/* Copies the content of each file that has no copy yet. A file that can't be copied is still compared. */
static int
copy_contents(struct arena *a, const struct protected_state *s, struct err *err)
{
	uint64_t total = 0;

	for (size_t i = 0; i < s->files.count; i++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		const struct protected_file *f = &s->files.items[i];
		struct str to = content_file(&scratch, s->root, f->digest), text = STR_NONE;

		total += f->facts.size;
		if (!to.s || f->facts.size > CONTENT_LIMIT_BYTES || total > COPIES_BYTES ||
		    fs_lkind(to.s) == FS_FILE ||
		    fs_read(&scratch, path_join(&scratch, s->root, f->path).s, CONTENT_LIMIT_BYTES, &text,
			    IGNORED) < 0)
			continue;
		if (text.s && put_private(a, to, text, err) < 0)
			return -1;
	}
	return 0;
}

/* States of sessions that are over, and contents that no state names. */
static void
sweep(struct arena *a, struct str dir, struct str root)
{
	struct str_list names = { 0 }, contents = { 0 };
	struct str content_dir = path_join(a, dir, STR("content"));
	struct strset used = strset_new(a, 100000);
	size_t states = 0;

	if (fs_list(a, dir.s, FS_NO_LIMIT, &names, IGNORED) < 0 ||
	    fs_list(a, content_dir.s, 100000, &contents, IGNORED) < 0)
		return;
	for (size_t i = 0; i < names.count; i++) {
		struct str path = path_join(a, dir, names.items[i]);
		struct protected_state s;

		if (!str_ends(path, STR(SUFFIX)))
			continue;
		if (clock_real_us() * 1000 - fs_written_at(path.s) > FORGOTTEN_NS) {
			(void)(fs_remove(path.s, IGNORED) == 0);
			continue;
		}
		states++;
		if (load_file(a, path, &s) && str_eq(s.root, root))
			for (size_t k = 0; k < s.files.count && k < 50000; k++)
				if (s.files.items[k].digest.s)
					(void)strset_add(&used, s.files.items[k].digest);
	}
	if (states == 0) {
		(void)(fs_remove_tree(dir.s, IGNORED) == 0);
		return;
	}
	for (size_t i = 0; i < contents.count; i++)
		if (!strset_has(&used, contents.items[i]))
			(void)(fs_remove(path_join(a, content_dir, contents.items[i]).s, IGNORED) == 0);
}

int
protected_save(struct arena *a, const struct protected_state *s, struct err *err)
{
	struct str path = state_file(a, s->root, s->owner);
	const struct str nul = { "", 1 };
	struct buf b = BUF(a, STATE_BYTES);

	if (!path.s)
		return err_set(err, ERR_VALUE, "there is no home directory, so that nothing can be kept");
	if (copy_contents(a, s, err) < 0)
		return -1;
	buf_cat(&b, HEADER, s->root, nul, s->owner, nul, s->taken_us, nul, s->told, nul);
	for_each (f, s->files.items, s->files.count) {
		buf_cat(&b, (int)f->kind, " ", f->facts.mode, " ", f->facts.size, " ", f->facts.changed_ns,
			" ", f->facts.written_ns, " ", f->facts.inode, " ", (int)f->is_settled, " ",
			(int)f->is_violated, nul);
		buf_cat(&b, f->path, nul, f->digest, nul, f->target, nul);
	}
	if (b.is_cut)
		return err_set(err, ERR_LIMIT, "guards.protect covers too many files");
	return put_private(a, path, buf_str(&b), err);
}

int
protected_forget(struct arena *a, struct str owner, struct err *err)
{
	struct str all = state_path(a, "protected", STR(""));
	struct str_list projects = { 0 };

	if (!all.s)
		return 0;
	if (fs_list(a, all.s, FS_NO_LIMIT, &projects, err) < 0)
		return -1;
	for (size_t i = 0; i < projects.count; i++) {
		struct str dir = path_join(a, all, projects.items[i]);
		struct str file = str_cat(a, dir, "/", session_slug(a, owner), SUFFIX);
		struct protected_state s;

		if (!load_file(a, file, &s) || !str_eq(s.owner, owner))
			continue;
		if (fs_remove(file.s, err) < 0)
			return -1;
		sweep(a, dir, s.root);
	}
	return 0;
}

/* ---- putting back ---- */

/* Keeps what is at the path now, since to put a file back is to overwrite it. */
static int
keep_present(struct arena *a, struct str root, const struct protected_file *now, struct str full,
	     struct str *ret_kept, struct err *err)
{
	struct str text = STR_NONE, dir = project_dir(a, root);
	char letters[FS_TEMP_LETTERS + 1];

	if (!now || now->kind != FS_FILE)
		return 0;
	if (fs_read(a, full.s, CONTENT_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return 0;
	fs_random_letters(letters, FS_TEMP_LETTERS);
	*ret_kept = str_cat(a, dir, "/replaced/", path_base(full), ".", letters);
	return put_private(a, *ret_kept, text, err);
}

/* Directories that are missing, or that are no directories any more, on the way to a file. Links that were there when the state was
 * taken are files of the state themselves, and come before. */
static int
make_way(struct arena *a, struct str root, struct str path, const struct protected_change *c, struct err *err)
{
	for (size_t i = 1; i < path.n; i++) {
		struct str way = path_join(a, root, str_sub(path, 0, i));
		enum fs_kind kind;

		if (path.s[i] != '/')
			continue;
		kind = fs_lkind(way.s);
		if (kind == FS_DIR || (kind == FS_LINK && c->now && fs_kind(way.s) == FS_DIR))
			continue;
		if (kind == FS_FILE)
			return err_set(err, ERR_VALUE,
				       STR_FMT ": a file is in the place of this directory; move it away",
				       STR_ARG(way));
		if ((kind != FS_NOTHING && fs_remove(way.s, err) < 0) || fs_make_dirs(way.s, 0777, err) < 0)
			return -1;
	}
	return 0;
}

int
protected_restore(struct arena *a, struct str root, const struct protected_change *c, struct str *ret_kept,
		  struct err *err)
{
	struct str path = protected_path(c), full = path_join(a, root, path), content = STR_NONE;
	const struct protected_file *then = c->how == PROTECTED_APPEARED ? NULL : c->then;

	*ret_kept = STR_NONE;
	if (then && then->kind != FS_FILE && then->kind != FS_LINK)
		return err_set(err, ERR_VALUE,
			       STR_FMT ": was neither a file nor a link, and can't be put back",
			       STR_ARG(path));
	if (then)
		content = protected_content(a, root, then->digest);
	if (then && then->kind == FS_FILE && !content.s)
		return err_set(err, ERR_VALUE,
			       STR_FMT
			       ": there is no copy of its content (it was too large, or could not be read)",
			       STR_ARG(path));
	if (fs_lkind(full.s) == FS_DIR)
		return err_set(err, ERR_VALUE, STR_FMT ": a directory is in its place; move it away",
			       STR_ARG(path));
	if (keep_present(a, root, c->now, full, ret_kept, err) < 0)
		return -1;
	if (!then)
		return fs_remove(full.s, err);
	if (make_way(a, root, path, c, err) < 0)
		return -1;
	if (then->kind == FS_FILE)
		return fs_put(a, full.s, content, then->facts.mode, err);
	if (fs_put_link(a, full.s, then->target, err) < 0)
		return -1;
	/* What a link leads to may have been changed through it. */
	return content.s && fs_kind(full.s) == FS_FILE ? fs_replace_unsynced(a, full.s, content, 0644, err)
						       : 0;
}
