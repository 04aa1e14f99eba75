/* SPDX-License-Identifier: MIT */
/* Looks at protected files. Follows no link on its way down, apart from those that a rule names itself; each of these is looked at,
 * too. */
#include "guards/protected/protected.h"

#include "base/digest.h"
#include "base/pathglob.h"
#include "git/git.h"
#include "model/gate.h"
#include "os/clock.h"

#include <inttypes.h>

/* Names that are looked at, and the depth of directories. */
#define NAMES_MAX 200000
#define DEPTH_MAX 100

/* ---- rules ---- */

/* The directory or file that all paths of a pattern are at or below; absent: they may be anywhere. */
static struct str
base_of(struct arena *a, struct str pattern)
{
	struct str base = STR(""), part;
	size_t parts = 0;

	pattern = path_tidy(pattern);
	if (str_find_char(pattern, '/') < 0)
		return STR_NONE;
	(void)str_skip(&pattern, "/");
	for (; str_next(&pattern, '/', &part) && !pathglob_is_pattern(part) && str_find_char(part, '\\') < 0;
	     parts++)
		base = path_join(a, base, part);
	return parts > 0 && !path_is_outside(base) ? base : STR_NONE;
}

struct protected_rules
protected_rules_of(struct arena *a, struct str root, const struct guard_rule_list *list)
{
	struct protected_rules r = { .root = root, .list = list };
	struct str_list texts = { 0 };

	for (size_t i = 0; i < list->count; i++) {
		struct guard_rule rule = guard_rule_of(&list->items[i]);
		struct str text = rule.text, base;

		if (rule.by)
			continue;
		*arena_push(a, texts.items, texts.count) = text;
		if (str_starts(text, STR("!")))
			continue;
		base = base_of(a, text);
		if (base.s)
			*arena_push(a, r.bases.items, r.bases.count) = base;
		else
			r.is_wide = true;
	}
	r.patterns = arena_new(a, struct gate_patterns);
	*r.patterns = gate_patterns_of(a, &texts);
	return r;
}

struct str
protected_message(const struct protected_rules *rules, struct str path)
{
	for (size_t i = 0; i < rules->list->count; i++) {
		struct guard_rule rule = guard_rule_of(&rules->list->items[i]);

		if (rule.message.s && !str_starts(rule.text, STR("!")) &&
		    gate_is_for(&(struct str_list){ &rule.text, 1 }, path))
			return rule.message;
	}
	return STR_NONE;
}

/* ---- looking ---- */

struct look {
	struct arena *arena;
	const struct protected_rules *rules;
	const struct protected_files *then;
	struct protected_files *ret;
	size_t names;
	int64_t now_ns;
	bool has_times;        /* every change leaves a new time */
	struct strset ignored; /* directories that git ignores, which are searched for no names */
};

static int
compare_files(const void *x, const void *y)
{
	const struct protected_file *p = x, *q = y;

	return str_cmp(p->path, q->path);
}

static const struct protected_file *
find(const struct protected_files *files, struct str path)
{
	const struct protected_file key = { .path = path };

	return files->count > 0 ? bsearch(&key, files->items, files->count, sizeof(key), compare_files)
				: NULL;
}

/* The digest of a file's content; a large one is known by size, time and inode. Absent: it can't be read. */
static struct str
digest_file(struct arena *a, const char *path, const struct fs_facts *facts)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct str text = STR_NONE;

	if (facts->size > CONTENT_LIMIT_BYTES)
		return str_cat(a, facts->size, "-", facts->changed_ns, "-", facts->inode);
	if (fs_read(&scratch, path, CONTENT_LIMIT_BYTES, &text, IGNORED) < 0 || !text.s)
		return STR_NONE;
	return digest_of(a, text);
}

static void
add_file(struct look *l, struct str path, enum fs_kind kind, const struct fs_facts *facts)
{
	struct arena *a = l->arena;
	struct str full = path_join(a, l->rules->root, path);
	const struct protected_file *old = l->then ? find(l->then, path) : NULL;

	struct protected_file *f = arena_push(a, l->ret->items, l->ret->count);

	*f = (struct protected_file){ .path = str_copy(a, path), .kind = kind, .facts = *facts };
	if (kind == FS_FILE && l->has_times && old && old->kind == FS_FILE && old->is_settled &&
	    old->digest.s && fs_is_same(&old->facts, facts)) {
		f->digest = old->digest;
		f->is_settled = true;
	} else if (kind == FS_FILE) {
		f->digest = digest_file(a, full.s, facts);
		f->is_settled = fs_is_settled(facts, l->now_ns);
	} else if (kind == FS_LINK) {
		struct str leads_to = fs_real(a, full.s);
		struct fs_facts there;

		f->target = fs_read_link(a, full.s);
		if (leads_to.s && fs_facts(leads_to.s, &there) == FS_FILE)
			f->digest = digest_file(a, leads_to.s, &there);
	}
}

static int look_below(struct look *l, struct str path, size_t depth, struct err *err);

/* What is at the path, and below it. */
static int
look_at(struct look *l, struct str path, size_t depth, struct err *err)
{
	struct str full = path_join(l->arena, l->rules->root, path);
	struct fs_facts facts;
	enum fs_kind kind = fs_facts(full.s, &facts);

	if (kind == FS_NOTHING)
		return 0;
	if (kind == FS_DIR)
		return look_below(l, path, depth, err);
	if (l->rules->patterns->count > 0 && gate_patterns_have(l->rules->patterns, path))
		add_file(l, path, kind, &facts);
	return 0;
}

static int
look_below(struct look *l, struct str path, size_t depth, struct err *err)
{
	struct str dir = path_join(l->arena, l->rules->root, path);
	struct str_list names;

	if (depth > DEPTH_MAX)
		return err_set(err, ERR_LIMIT, STR_FMT ": more than %d directories deep", STR_ARG(path),
			       DEPTH_MAX);
	if (fs_list(l->arena, dir.s, NAMES_MAX, &names, err) < 0) {
		/* Files that were there before are missing then. */
		return err->code == ERR_LIMIT ? -1 : 0;
	}
	l->names += names.count;
	if (l->names > NAMES_MAX)
		return err_set(err, ERR_LIMIT,
			       "guards.protect covers directories with more than %d files; a pattern with a "
			       "path, such as /src/*.lock, covers fewer",
			       NAMES_MAX);
	for (size_t i = 0; i < names.count; i++) {
		struct arena_mark mark = arena_mark(l->arena);
		size_t count = l->ret->count;
		struct str name = names.items[i], inner = path_join(l->arena, path, name);
		bool is_left_out = str_is(name, ".git") || (path.n == 0 && str_is(name, ".holdfast")) ||
				   (l->ignored.slots && strset_has(&l->ignored, inner));

		if (!is_left_out && look_at(l, inner, depth + 1, err) < 0)
			return -1;
		if (l->ret->count == count)
			arena_reset(l->arena, mark);
	}
	return 0;
}

/* Installed packages have lock files of their own, so directories that git ignores are left out. */
static int
look_everywhere(struct look *l, struct err *err)
{
	struct repository repository = { .root = l->rules->root };
	struct str_list dirs;

	if (git_ignored_dirs(l->arena, &repository, &dirs, err) < 0)
		return -1;
	l->ignored = strset_new(l->arena, dirs.count + 1);
	for (size_t i = 0; i < dirs.count; i++)
		(void)strset_add(&l->ignored, dirs.items[i]);
	return look_below(l, STR(""), 0, err);
}

/* What a rule names, and links on the way to it, which may be turned elsewhere. A directory that it names may be a link, too. */
static int
look_at_base(struct look *l, struct str base, struct err *err)
{
	bool is_dir = fs_kind(path_join(l->arena, l->rules->root, base).s) == FS_DIR;

	for (size_t i = 1; i <= base.n; i++) {
		struct str way = str_sub(base, 0, i);
		struct fs_facts facts;

		if ((i < base.n ? base.s[i] == '/' : is_dir) &&
		    fs_facts(path_join(l->arena, l->rules->root, way).s, &facts) == FS_LINK)
			add_file(l, way, FS_LINK, &facts);
	}
	return is_dir ? look_below(l, base, 0, err) : look_at(l, base, 0, err);
}

static void
sort_files(struct protected_files *files)
{
	size_t kept = 0;

	sort(files->items, files->count, compare_files);
	for (size_t i = 0; i < files->count; i++)
		if (i == 0 || !str_eq(files->items[i].path, files->items[kept - 1].path))
			files->items[kept++] = files->items[i];
	files->count = kept;
}

int
protected_look(struct arena *a, const struct protected_rules *rules, const struct protected_files *then,
	       bool is_quick, struct protected_files *ret, struct err *err)
{
	struct look l = { .arena = a,
			  .rules = rules,
			  .then = then,
			  .ret = ret,
			  .now_ns = clock_real_us() * 1000,
			  .has_times = fs_notes_all_writes(rules->root.s) };

	*ret = (struct protected_files){ 0 };
	for (size_t i = 0; i < rules->bases.count; i++)
		if (look_at_base(&l, rules->bases.items[i], err) < 0)
			return -1;
	if (rules->is_wide && !(is_quick && then) && look_everywhere(&l, err) < 0)
		return -1;
	for (size_t i = 0; rules->is_wide && is_quick && then && i < then->count; i++)
		if (look_at(&l, then->items[i].path, 0, err) < 0)
			return -1;
	sort_files(ret);
	return 0;
}

/* ---- comparing ---- */

/* What has become of a file, of which then or now, but not both, may be NULL; false: nothing. */
static bool
is_changed(const struct protected_file *then, const struct protected_file *now, enum protected_how *ret_how)
{
	bool was_there = then && then->kind != FS_NOTHING;

	*ret_how = !was_there                ? PROTECTED_APPEARED
		   : !now                    ? PROTECTED_VANISHED
		   : then->kind != now->kind ? PROTECTED_TYPE
		   : !str_eq(then->digest, now->digest) || !str_eq(then->target, now->target)
			   ? PROTECTED_CHANGED
			   : PROTECTED_MODE;
	if (!was_there)
		return now != NULL;
	return *ret_how != PROTECTED_MODE || (then->kind != FS_LINK && then->facts.mode != now->facts.mode);
}

struct protected_changes
protected_compare(struct arena *a, const struct protected_files *then, const struct protected_files *now)
{
	struct protected_changes all = { 0 };
	size_t i = 0, k = 0;

	while (i < then->count || k < now->count) {
		int order = i == then->count  ? 1
			    : k == now->count ? -1
					      : str_cmp(then->items[i].path, now->items[k].path);
		struct protected_change c = { .then = order <= 0 ? &then->items[i] : NULL,
					      .now = order >= 0 ? &now->items[k] : NULL };

		if (is_changed(c.then, c.now, &c.how))
			*arena_push(a, all.items, all.count) = c;
		i += order <= 0;
		k += order >= 0;
	}
	return all;
}

static bool
has_changed(const struct protected_changes *changes, const struct protected_file *then)
{
	size_t i = 0;

	while (i < changes->count && changes->items[i].then != then)
		i++;
	return i < changes->count;
}

void
protected_mark(struct arena *a, struct protected_files *files, const struct protected_changes *changes)
{
	struct protected_files all = { 0 };

	for (size_t i = 0; i < files->count; i++) {
		*arena_push(a, all.items, all.count) = files->items[i];
		all.items[i].is_violated = has_changed(changes, &files->items[i]);
	}
	for (size_t i = 0; i < changes->count; i++)
		if (!changes->items[i].then)
			*arena_push(a, all.items, all.count) = (struct protected_file){
				.path = changes->items[i].now->path, .kind = FS_NOTHING, .is_violated = true
			};
	sort_files(&all);
	*files = all;
}

void
protected_accept(struct arena *a, struct protected_files *files, const struct protected_changes *changes)
{
	struct protected_files all = { 0 };

	for (size_t i = 0; i < files->count; i++)
		if (!has_changed(changes, &files->items[i]))
			*arena_push(a, all.items, all.count) = files->items[i];
	for (size_t k = 0; k < changes->count; k++)
		if (changes->items[k].now)
			*arena_push(a, all.items, all.count) = *changes->items[k].now;
	sort_files(&all);
	*files = all;
}

struct protected_files
protected_renew(struct arena *a, const struct protected_files *then, const struct protected_files *now)
{
	struct protected_files all = { 0 };
	struct protected_changes changes = protected_compare(a, then, now);

	for (size_t i = 0; i < now->count; i++) {
		const struct protected_file *old = find(then, now->items[i].path);
		bool stays = old && old->is_violated && has_changed(&changes, old);

		*arena_push(a, all.items, all.count) = stays ? *old : now->items[i];
	}
	for (size_t i = 0; i < changes.count; i++)
		if (changes.items[i].how == PROTECTED_VANISHED && changes.items[i].then->is_violated)
			*arena_push(a, all.items, all.count) = *changes.items[i].then;
	sort_files(&all);
	return all;
}

struct str
protected_path(const struct protected_change *c)
{
	return c->then ? c->then->path : c->now->path;
}

static const char *
kind_words(enum fs_kind kind)
{
	return kind == FS_FILE ? "a file" : kind == FS_LINK ? "a symbolic link" : "neither a file nor a link";
}

struct str
protected_words(struct arena *a, const struct protected_change *c)
{
	switch (c->how) {
	case PROTECTED_APPEARED:
		return STR("is new");
	case PROTECTED_VANISHED:
		return STR("is gone");
	case PROTECTED_TYPE:
		return str_cat(a, "was ", kind_words(c->then->kind), " and is ", kind_words(c->now->kind));
	case PROTECTED_MODE:
		return str_fmt(a, "had mode %04" PRIo32 " and has %04" PRIo32, c->then->facts.mode,
			       c->now->facts.mode);
	case PROTECTED_CHANGED:
		break;
	}
	if (!str_eq(c->then->target, c->now->target))
		return str_cat(a, "led to '", c->then->target, "' and leads to '", c->now->target, "'");
	return c->now->digest.s ? STR("was changed") : STR("can no longer be read");
}

/* How many bytes the texts have in common at their start, or at their end, in complete lines. */
static size_t
common_lines(struct str x, struct str y, bool at_end)
{
	size_t same = 0;

	for (size_t n = 0; n < x.n && n < y.n; n++) {
		char c = x.s[at_end ? x.n - 1 - n : n];

		if (c != y.s[at_end ? y.n - 1 - n : n])
			break;
		if (c == '\n' && (n > 0 || !at_end))
			same = at_end ? n : n + 1;
	}
	return same;
}

static void
add_lines(struct buf *b, char sign, struct str text, size_t most)
{
	struct str line;
	size_t count = 0;

	while (str_next(&text, '\n', &line))
		if (count++ < most)
			buf_cat(b, sign, str_sub(line, 0, 200), "\n");
	if (count > most)
		buf_cat(b, sign, "... (", count - most, " lines more)\n");
}

struct str
protected_diff(struct arena *a, struct str then, struct str now, size_t lines)
{
	struct buf b = BUF(a, SIZE_MAX);

	if (str_find_char(str_sub(then, 0, 8000), '\0') >= 0 ||
	    str_find_char(str_sub(now, 0, 8000), '\0') >= 0)
		return STR("");
	size_t start = common_lines(then, now, false), number = 1 + str_count(str_sub(then, 0, start), '\n');

	then = str_rest(then, start);
	now = str_rest(now, start);
	size_t end = common_lines(then, now, true);

	buf_cat(&b, "@@ line ", number, "\n");
	add_lines(&b, '-', str_sub(then, 0, then.n - end), lines / 2);
	add_lines(&b, '+', str_sub(now, 0, now.n - end), lines / 2);
	return buf_str(&b);
}
