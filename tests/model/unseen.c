/* SPDX-License-Identifier: MIT */
/* What git does not show of the files, in the model (doc/decisions/0037): bytes and modes that a conversion hides, files that git was
 * told not to look at, and rules by which it ignores new files. A check sees what is on disk, so results are about that. */
#include "model.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define CAN_RUN 0100u

const char *
unseen_setting(const struct config *c)
{
	static const char *const settings[CONVERSION_COUNT] = {
		[CONVERTS_NOTHING] = "",
		[CONVERTS_LINE_ENDS] = "echo '* text=auto' >.git/info/attributes;",
		[CONVERTS_KEYWORDS] = "echo '* ident' >.git/info/attributes;",
		[CONVERTS_BY_FILTER] = ("echo '* filter=x' >.git/info/attributes; "
					"git config filter.x.clean 'sed s/^bad$/good/';"),

		[CONVERTS_MODES] = "git config core.fileMode false;",
	};

	return settings[c->conversion];
}

bool
check_is_good(const struct world *w, const char *file)
{
	struct str text = world_read(w, file), rest = text, line;
	bool has_good = false;
	struct stat st;

	while (str_next(&rest, '\n', &line))
		has_good |= str_is(line, "good");
	return has_good && str_find(text, STR("bad")) < 0 && stat(world_path(w, file).s, &st) == 0 &&
	       !(st.st_mode & CAN_RUN);
}

struct str
files_on_disk(const struct world *w, struct str names)
{
	struct buf b = BUF(w->arena, SIZE_MAX);
	struct str name;

	while (str_next(&names, '\n', &name)) {
		const char *path = str_copy(w->arena, name).s;
		struct str text = world_read(w, path);
		struct stat st;

		if (text.s && stat(world_path(w, path).s, &st) == 0)
			buf_addf(&b, "%d %016llx\t%s\n", (st.st_mode & CAN_RUN) > 0,
				 (unsigned long long)text_hash(text), path);
	}
	return buf_str(&b);
}

/* ---- edits that git does not show ---- */

/* Has the file changed since git wrote or compared it? The texts are lines of git's list. */
static bool
is_newer(const struct world *w, const char *path, struct str changed, struct str written)
{
	struct stat st;

	if (stat(world_path(w, path).s, &st) < 0)
		return false;
	struct str now[] = {
		str_fmt(w->arena, "  ctime: %lld:%ld", (long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec),
		str_fmt(w->arena, "  mtime: %lld:%ld", (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec)
	};

	return !str_eq(now[0], changed) || !str_eq(now[1], written);
}

/* Where git writes what it compares, any difference from the index and the base is an edit. With the other conversions it is one if the file
 * has changed since git wrote or compared it. */
struct str
unseen_changes(const struct model *m, struct str compared)
{
	const struct world *w = m->world;
	struct buf b = BUF(w->arena, SIZE_MAX);
	struct str list, line, flag, mode, object, base, times[2];

	if (m->config->conversion == CONVERTS_NOTHING)
		return STR("");
	struct str disk = world_sh(
		w, "git ls-files | while read -r f; do [ ! -f $f ] || echo $f; done >../names; "
		   "git hash-object --no-filters --stdin-paths <../names | paste -d' ' - ../names");

	disk = str_fmt(w->arena, STR_FMT "\n", STR_ARG(disk));
	base = str_fmt(w->arena, STR_FMT "\n",
		       STR_ARG(world_sh(w, "git ls-tree -r " STR_FMT, STR_ARG(compared))));
	list = world_sh(w, "git ls-files -v -s --debug");
	while (str_next(&list, '\n', &line)) {
		ptrdiff_t tab = str_find_char(line, '\t');

		if (str_starts(line, STR(" ")) || tab < 0 || !str_next(&list, '\n', &times[0]) ||
		    !str_next(&list, '\n', &times[1]))
			continue;
		const char *path = str_copy(w->arena, str_rest(line, (size_t)tab + 1)).s;
		struct stat st;

		if (!str_next(&line, ' ', &flag) || !str_next(&line, ' ', &mode) ||
		    !str_next(&line, ' ', &object) || !str_is(flag, "H") ||
		    stat(world_path(w, path).s, &st) < 0)
			continue;
		const char *now = st.st_mode & CAN_RUN ? "100755" : "100644";
		ptrdiff_t at = str_find(disk, str_fmt(w->arena, " %s\n", path)) - (ptrdiff_t)object.n;
		struct str bytes = str_sub(disk, at < 0 ? 0 : (size_t)at,
					   (size_t)(at < 0 ? 0 : at) + object.n);
		bool is_same = (str_is(mode, now) && str_eq(bytes, object)) ||
			       str_find(base, str_fmt(w->arena, "%s blob " STR_FMT "\t%s\n", now,
						      STR_ARG(bytes), path)) >= 0;

		if (!is_same &&
		    (m->config->conversion == CONVERTS_LINE_ENDS || is_newer(w, path, times[0], times[1])))
			buf_addf(&b, "%s\n", path);
	}
	return buf_str(&b);
}

/* Changes what is on disk so that git compares it as equal, or back. */
static void
edit_unseen(struct play *p, const char *file)
{
	static const struct str others[CONVERSION_COUNT][2] = {
		[CONVERTS_LINE_ENDS] = { STR("good\n"), STR("good\r\n") },
		[CONVERTS_KEYWORDS] = { STR("good\n$Id$\n"), STR("good\n$Id: bad $\n") },
		[CONVERTS_BY_FILTER] = { STR("good\n"), STR("bad\n") },
	};
	const struct str *texts = others[p->config.conversion];
	struct stat st;

	if (p->config.conversion == CONVERTS_MODES && stat(world_path(&p->world, file).s, &st) == 0)
		(void)chmod(world_path(&p->world, file).s, (st.st_mode ^ CAN_RUN) & 0777);
	else if (texts[0].n > 0)
		world_write(&p->world, file, texts[check_is_good(&p->world, file)]);
}

void
play_unseen(struct play *p, const struct event *e)
{
	static const char *const scripts[] = {
		"git update-index --skip-worktree $f; echo bad >$f",
		"git update-index --skip-worktree $f; rm -f $f",
		"git update-index --assume-unchanged $f; echo bad >$f",
		"git sparse-checkout set --no-cone '/*' '!/$f'",
		("git sparse-checkout disable; git update-index --no-skip-worktree src/c? docs/page; "
		 "git update-index --no-assume-unchanged src/c? docs/page"),
		"echo '*' >src/.gitignore",
		"echo new >>.git/info/exclude",
		"rm -f src/.gitignore; sed -i /^new$/d .git/info/exclude",
	};
	const char *file = str_fmt(p->arena, "src/c%d", e->how % CHECKS_MOST).s;
	size_t what = (size_t)e->what % (2 * COUNT_OF(scripts));

	if (!p->config.is_native || p->model.is_shut)
		return;
	if (what < COUNT_OF(scripts))
		(void)world_sh(&p->world, "f=%s; %s", file, scripts[what]);
	else
		edit_unseen(p, file);
	/* Then git takes the file for unchanged. */
	if (what >= COUNT_OF(scripts) && e->how / CHECKS_MOST % 3 == 0)
		(void)world_sh(&p->world, "git add src");
}

/* ---- what a stop tells about it ---- */

struct unseen_facts
unseen_read(const struct model *m)
{
	const struct world *w = m->world;
	struct unseen_facts f = { .first = STR("") };
	struct str list, line;

	if (!m->config->is_native)
		return f;
	list = world_sh(w, "git ls-files -v | grep '^[a-zS]'");
	while (str_next(&list, '\n', &line))
		if (f.count++ == 0)
			f.first = str_copy(w->arena, str_rest(line, 2));
	f.is_sparse = str_is(world_sh(w, "git config --get core.sparseCheckout"), "true");
	f.hides_new = world_sh(w, "[ ! -e src/.gitignore ] || git ls-files -o -i -X src/.gitignore src | "
				  "grep -v .gitignore")
			      .n > 0;
	return f;
}

void
unseen_judge(struct play *p, const struct unseen_facts *f, struct str told)
{
	struct str hidden = STR("git was told to ignore changes of "), rules = STR("by rules that are new");
	struct str words = str_fmt(p->arena, STR_FMT STR_FMT, STR_ARG(hidden), STR_ARG(f->first));

	if (f->count > 1)
		words = str_fmt(p->arena, STR_FMT " and %zu more", STR_ARG(words), f->count - 1);
	if (f->is_sparse)
		words = hidden;
	if (f->count > 0 ? str_find(told, words) < 0 : !f->is_sparse && str_find(told, hidden) >= 0)
		complain(p, "git is told not to look at %zu files, the first is '" STR_FMT "': " STR_FMT,
			 f->count, STR_ARG(f->first), STR_ARG(told));
	if (f->hides_new && str_find(told, rules) < 0)
		complain(p, "new rules hide new files, and that is not told: " STR_FMT, STR_ARG(told));
}
