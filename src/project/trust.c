/* SPDX-License-Identifier: MIT */
/* Decides between the working tree and the pinned copy. */
#include "project/trust.h"
#include "base/digest.h"

#include "base/path.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "git/git.h"
#include "os/fs.h"
#include "store/baseline.h"

static struct str
real_root(struct arena *a, struct str root)
{
	struct str given = str_copy(a, root), real = fs_real(a, given.s);

	return real.s ? real : given;
}

struct str
source_dir(struct arena *a, struct str root, bool has_pins)
{
	struct trust t;

	if (!has_pins || trust_find(a, real_root(a, root), &t, IGNORED) < 0 || !t.copy.s)
		return root;
	return fs_kind(t.copy.s) == FS_DIR ? t.copy : STR_NONE;
}

void
source_find(struct arena *a, struct str root, struct source *ret)
{
	struct source s = { .root = str_copy(a, root) };
	struct trust t;
	struct err err;

	s.dir = s.root;
	bool is_known = trust_find(a, real_root(a, root), &t, &err) == 0;

	s.is_trusted = t.project.s != NULL;
	s.since = t.since;
	if (!is_known)
		s.problem = str_cat(a, "whether the project is trusted can't be read: ", err.msg);
	else if (definitions_read(a, s.root, &s.now, &err) < 0)
		s.problem = str_cat(a, "the definitions can't be read: ", err.msg);
	else if (t.copy.s)
		s.is_pinned = true;
	else if (definitions_check_safe(a, s.root, &s.now, &err) < 0)
		s.problem = str_cat(a, "the definitions are not used: ", err.msg);
	/* Whoever asks what it says must not have to know whether it is pinned: then the copy counts, whatever is in the
	 * working tree. */
	if (!s.is_pinned) {
		s.native = s.now.native;
	} else {
		struct definitions then = definitions_parse(a, t.definitions);

		s.dir = t.copy;
		s.differs = definitions_changed_text(a, &then, &s.now);
		if (fs_kind(t.copy.s) != FS_DIR)
			s.problem = str_cat(a, "the pinned copy of the definitions is gone (", t.copy,
					    "); 'holdfast trust --pin ", s.root, "' makes another");
		else if (fs_has(s.dir, HOLDFAST_FILE))
			s.native = holdfast_read(a, s.dir);
	}
	*ret = s;
}

static int
load_gates(struct arena *a, const struct source *s, struct stop_settings *ret, struct err *err)
{
	if (s->native)
		return holdfast_load_hook(s->native, ret, err);
	for (int i = DIALECT_GAUNTLET; i <= DIALECT_VALIDATOR && !s->is_pinned; i++) {
		struct str text = definitions_kept(&s->now, str_from(dialects[i].file));

		if (text.s)
			return gauntlet_parse_hook(a, s->dir, &dialects[i], text, ret, err);
	}
	return gates_load_hook(a, s->dir, ret, err);
}

int
source_load_gates(struct arena *a, const struct source *source, struct stop_settings *ret, struct err *err)
{
	int result = load_gates(a, source, ret, err);

	ret->project = source->root;
	return result;
}

bool
source_renew(struct arena *a, struct source *source, int64_t deadline_ms, struct str *ret_ref)
{
	struct repository r = { .root = source->root, .deadline_ms = deadline_ms };
	struct str_list files = { .items = arena_array(a, source->now.count + 1, struct str) };
	struct str base = STR("main"), warning;
	struct gates_config c;
	bool is_pinned;

	if (gates_load(a, source->dir, &c, &warning, IGNORED) == 0)
		base = c.base_branch.s ? c.base_branch : git_usual_base(a, &r);
	if (!str_starts(base, STR("origin/")))
		base = str_cat(a, "origin/", base);
	for (size_t i = 0; i < source->now.count; i++)
		files.items[files.count++] = source->now.items[i].path;
	if (source->problem.s || files.count == 0 ||
	    definitions_check_safe(a, source->root, &source->now, IGNORED) < 0 ||
	    git_commit_has(a, &r, str_cat(a, "refs/remotes/", base), definitions_paths(a, &source->now),
			   &files, IGNORED) != ANSWER_YES ||
	    project_trust(a, source->root, &source->now, PIN_YES, &is_pinned, IGNORED) < 0)
		return false;
	source_find(a, source->root, source);
	*ret_ref = base;
	return true;
}

int
project_trust(struct arena *a, struct str root, const struct definitions *d, enum pin_wish wish,
	      bool *ret_is_pinned, struct err *err)
{
	struct trust old, t = { .project = real_root(a, root), .definitions = definitions_text(a, d) };
	struct trust_copied_file *files = arena_array(a, d->count + 1, struct trust_copied_file);
	size_t count = 0;

	if (trust_find(a, t.project, &old, err) < 0)
		return -1;
	*ret_is_pinned = wish == PIN_YES || (wish == PIN_AS_BEFORE && old.copy.s);
	for (size_t i = 0; *ret_is_pinned && i < d->count; i++) {
		struct str path = path_join(a, root, d->items[i].path), content = STR_NONE;

		/* What is pinned is what was shown. */
		if (fs_read(a, path.s, CONFIG_LIMIT_BYTES, &content, err) < 0)
			return err_wrap(err, "can't be pinned");
		if (!str_eq(digest_of(a, content), definition_digest(a, &d->items[i])))
			return err_set(err, ERR_VALUE,
				       STR_FMT ": it has changed meanwhile, and is not pinned",
				       STR_ARG(path));
		files[count++] = (struct trust_copied_file){ d->items[i].path, content };
	}
	if (trust_record(a, &t, *ret_is_pinned ? files : NULL, count, err) < 0)
		return -1;
	baseline_accept(a, t.project, t.definitions);
	return 0;
}
