/* SPDX-License-Identifier: MIT */
/* Finds, reads and compares definitions. Runs nothing. */
#include "project/definitions.h"

#include "base/digest.h"
#include "conf/holdfast.h"
#include "os/fs.h"

/* Links may lead round in a circle. */
#define DEPTH_LIMIT 8
#define NAMES_SHOWN 5
#define UNREADABLE "-"

#define SINGLE_FILES 3
static const char *const usual_paths[] = { HOLDFAST_FILE, ".conclaude.yaml", ".conclaude.yml",
					   ".gauntlet",   ".validator",      NULL };

struct reader {
	struct arena *arena;
	struct str root;
	struct str log_dir; /* relative to the root; absent: none below it */
	bool is_log_dir_known;
	struct definitions all;
	size_t bytes;
};

struct str
definition_digest(struct arena *a, struct definition *d)
{
	if (!d->digest.s)
		d->digest = digest_of(a, d->text);
	return d->digest;
}

/* An absent content can't be read. If it is kept, its digest is computed when it is asked for. */
static int
add_content(struct reader *r, struct str path, struct str content, bool is_kept, struct err *err)
{
	struct definition d = { .path = path, .digest = STR(UNREADABLE) };
	struct buf name = BUF(r->arena, SIZE_MAX);

	/* Names end up in messages and in lines of text. */
	for (size_t i = 0; i < path.n; i++)
		buf_addc(&name, (unsigned char)path.s[i] < ' ' || path.s[i] == 0x7f ? '?' : path.s[i]);
	d.name = buf_str(&name);
	if (content.s)
		d.digest = is_kept ? STR_NONE : digest_of(r->arena, content);
	if (is_kept)
		d.text = content;
	r->bytes += content.n;
	if (r->all.count == DEFINITIONS_LIMIT || r->bytes > DEFINITIONS_LIMIT_BYTES)
		return err_set(err, ERR_LIMIT, STR_FMT ": more than %d files or %zu MiB of definitions",
			       STR_ARG(r->root), DEFINITIONS_LIMIT, DEFINITIONS_LIMIT_BYTES >> 20);
	*arena_push(r->arena, r->all.items, r->all.count) = d;
	return 0;
}

/* One that is kept is loaded next, from the text whose digest is taken. */
static int
add_file(struct reader *r, struct str path, bool is_kept, struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct arena *a = is_kept ? r->arena : &scratch;
	struct str content = STR_NONE;

	if (fs_read(a, path_join(a, r->root, path).s, CONFIG_LIMIT_BYTES, &content, IGNORED) == 0 &&
	    !content.s)
		return 0; /* removed meanwhile, or a link to nothing */
	return add_content(r, path, content, is_kept, err);
}

static bool
is_below_usual(struct str path)
{
	for (size_t i = 0; usual_paths[i]; i++)
		if (path_is_at_or_below(path, str_from(usual_paths[i])))
			return true;
	return false;
}

static int
add_native(struct reader *r, struct err *err)
{
	if (!fs_has(r->root, HOLDFAST_FILE))
		return 0;
	r->all.native = holdfast_read(r->arena, r->root);
	if (add_content(r, STR(HOLDFAST_FILE), r->all.native->text, true, err) < 0)
		return -1;
	struct str_list prompts = holdfast_prompts(r->arena, r->all.native);

	for (size_t i = 0; i < prompts.count; i++)
		if (!is_below_usual(prompts.items[i]) && add_file(r, prompts.items[i], false, err) < 0)
			return -1;
	return 0;
}

/* The line `log_dir: PATH` of the configuration; any other way to write it only makes logs count as definitions. */
static struct str
find_log_dir(struct reader *r, struct str dir)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str path = path_join(&scratch, r->root, path_join(&scratch, dir, STR("config.yml"))),
		   text = STR_NONE, line;
	struct str key = STR("log_dir:");

	if (fs_read(&scratch, path.s, CONFIG_LIMIT_BYTES, &text, IGNORED) < 0)
		return STR_NONE;
	while (str_next(&text, '\n', &line)) {
		struct str value = str_trim(str_rest(line, key.n));

		if (!str_starts(line, key))
			continue;
		if (value.n > 2 && (value.s[0] == '"' || value.s[0] == '\'') &&
		    value.s[value.n - 1] == value.s[0])
			value = str_sub(value, 1, value.n - 1);
		return path_relative(r->arena, r->root, str_copy(r->arena, value));
	}
	return STR_NONE;
}

/* Asked about each directory in .gauntlet; those that every project has are no log directories. */
static bool
is_log_dir(struct reader *r, struct str path)
{
	struct str dir = path, name;

	(void)str_next(&dir, '/', &name);
	if (dir.n == 0 || str_is(dir, "checks") || str_is(dir, "reviews"))
		return false;
	if (!r->is_log_dir_known)
		r->log_dir = find_log_dir(r, name);
	r->is_log_dir_known = true;
	return r->log_dir.s && str_eq(path, r->log_dir);
}

/* Adds a file, or all files of a directory. */
static int
add_all(struct reader *r, struct str path, int depth, struct err *err)
{
	struct str full = path_join(r->arena, r->root, path);
	struct str_list names;

	bool is_config = str_is(path, dialects[DIALECT_GAUNTLET].file) ||
			 str_is(path, dialects[DIALECT_VALIDATOR].file);

	if (fs_kind(full.s) != FS_DIR)
		return add_file(r, path, is_config, err);
	if (depth == DEPTH_LIMIT || is_log_dir(r, path))
		return 0;
	if (fs_list(r->arena, full.s, DEFINITIONS_LIMIT, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++)
		if (add_all(r, path_join(r->arena, path, names.items[i]), depth + 1, err) < 0)
			return -1;
	return 0;
}

/* All of them, sorted, each once. */
static struct definitions
settle(struct reader *r)
{
	struct definitions all = { .items = r->all.items, .native = r->all.native };

	sort(all.items, r->all.count, str_compare);
	for (size_t i = 0; i < r->all.count; i++)
		if (i == 0 || !str_eq(r->all.items[i].path, r->all.items[i - 1].path))
			all.items[all.count++] = r->all.items[i];
	return all;
}

int
definitions_of_texts(struct arena *a, struct str root, const struct str_list *paths, const struct str *texts,
		     struct definitions *ret, struct err *err)
{
	struct reader r = { .arena = a, .root = root };

	for (size_t i = 0; i < paths->count; i++)
		if (texts[i].s && add_content(&r, paths->items[i], texts[i], true, err) < 0)
			return -1;
	*ret = settle(&r);
	return 0;
}

int
definitions_read(struct arena *a, struct str root, struct definitions *ret, struct err *err)
{
	struct reader r = { .arena = a, .root = root };

	if (add_native(&r, err) < 0)
		return -1;
	for (size_t i = 1; i < SINGLE_FILES; i++)
		if (fs_has(root, usual_paths[i]) && add_file(&r, str_from(usual_paths[i]), true, err) < 0)
			return -1;
	for (size_t i = SINGLE_FILES; usual_paths[i]; i++) {
		r.is_log_dir_known = false;
		if (fs_has(root, usual_paths[i]) && add_all(&r, str_from(usual_paths[i]), 0, err) < 0)
			return -1;
	}
	*ret = settle(&r);
	return 0;
}

struct str
definitions_kept(const struct definitions *d, struct str path)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->items[i].text.s && str_eq(d->items[i].path, path))
			return d->items[i].text;
	return STR_NONE;
}

const char *const *
definitions_paths(struct arena *a, const struct definitions *d)
{
	const char **paths = arena_array(a, COUNT_OF(usual_paths) + d->count, const char *);
	size_t count = 0;

	for (; usual_paths[count]; count++)
		paths[count] = usual_paths[count];
	for (size_t i = 0; i < d->count; i++)
		if (!is_below_usual(d->items[i].path))
			paths[count++] = str_copy(a, d->items[i].path).s;
	return paths;
}

bool
definitions_exist(struct str root)
{
	for (size_t i = 0; i < SINGLE_FILES; i++)
		if (fs_has(root, usual_paths[i]))
			return true;
	return fs_has(root, dialects[DIALECT_GAUNTLET].file) ||
	       fs_has(root, dialects[DIALECT_VALIDATOR].file);
}

int
definitions_check_safe(struct arena *a, struct str root, const struct definitions *d, struct err *err)
{
	struct str checked = STR(""); /* the directory of the file before: files are sorted */

	if (fs_check_safe(a, str_copy(a, root).s, err) < 0)
		return -1;
	for (size_t i = 0; i < d->count; i++) {
		struct str path = d->items[i].path, dir = path_parent(path);

		if (fs_check_safe(a, path_join(a, root, path).s, err) < 0)
			return -1;
		for (; dir.s && !str_eq(dir, checked); dir = path_parent(dir))
			if (fs_check_safe(a, path_join(a, root, dir).s, err) < 0)
				return -1;
		checked = path_parent(path);
	}
	return 0;
}

struct str
definitions_text(struct arena *a, const struct definitions *d)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < d->count; i++)
		buf_cat(&b, definition_digest(a, &d->items[i]), " ", d->items[i].name, "\n");
	return buf_str(&b);
}

struct definitions
definitions_parse(struct arena *a, struct str text)
{
	struct definitions d = { 0 };
	struct str line;

	while (str_next(&text, '\n', &line)) {
		struct str digest = str_before(line, ' ');

		if (digest.n < line.n)
			*arena_push(a, d.items, d.count) = (struct definition){
				.digest = digest,
				.name = str_rest(line, digest.n + 1),
			};
	}
	sort(d.items, d.count, str_compare);
	return d;
}

struct str_list
definitions_changed(struct arena *a, const struct definitions *old, const struct definitions *new)
{
	struct str_list names = { .items = arena_array(a, old->count + new->count + 1, struct str) };
	size_t i = 0, k = 0;

	while (i < old->count || k < new->count) {
		int order = i == old->count   ? 1
			    : k == new->count ? -1
					      : str_cmp(old->items[i].name, new->items[k].name);

		if (order != 0 ||
		    !str_eq(definition_digest(a, &old->items[i]), definition_digest(a, &new->items[k])))
			names.items[names.count++] = order <= 0 ? old->items[i].name : new->items[k].name;
		i += order <= 0;
		k += order >= 0;
	}
	return names;
}

struct str
definitions_changed_text(struct arena *a, const struct definitions *old, const struct definitions *new)
{
	struct str_list names = definitions_changed(a, old, new);
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < names.count && i < NAMES_SHOWN; i++)
		buf_cat(&b, i > 0 ? ", " : "", names.items[i]);
	if (names.count > NAMES_SHOWN)
		buf_cat(&b, " and ", names.count - NAMES_SHOWN, " more");
	return names.count > 0 ? buf_str(&b) : STR_NONE;
}
