/* SPDX-License-Identifier: MIT */
/* Decides between the working tree and the pinned copy. */
#include "project/trust.h"
#include "base/digest.h"

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

/* Of the two, the pinned one counts: a record of the path alone may be older than trust by repository. */
int
project_record(struct arena *a, struct str root, struct trust *ret, struct err *err)
{
	struct str real = real_root(a, root), shared = git_shared_root(a, real);
	struct trust own;

	if (trust_find(a, shared, ret, err) < 0)
		return -1;
	if (ret->copy.s || str_eq(shared, real))
		return 0;
	if (trust_find(a, real, &own, err) < 0)
		return -1;
	if (own.copy.s || !ret->project.s)
		*ret = own;
	return 0;
}

int
project_revoke(struct arena *a, struct str root, bool *ret_was_there, struct err *err)
{
	struct str real = real_root(a, root), shared = git_shared_root(a, real);
	bool had_own = false;

	if (!str_eq(shared, real) && trust_revoke(a, real, &had_own, err) < 0)
		return -1;
	if (trust_revoke(a, shared, ret_was_there, err) < 0)
		return -1;
	*ret_was_there |= had_own;
	return 0;
}

struct str
source_dir(struct arena *a, struct str root, bool has_pins)
{
	struct trust t;

	if (!has_pins || project_record(a, root, &t, IGNORED) < 0 || !t.copy.s)
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
	bool is_known = project_record(a, root, &t, &err) == 0;

	s.is_trusted = t.project.s && !t.from.s;
	s.since = t.since;
	s.from = t.from;
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

/* In place of the record of the path alone, too: what was accepted last counts. */
static int
keep_record(struct arena *a, struct str root, const struct definitions *d,
	    const struct trust_copied_file *files, struct str from, struct err *err)
{
	struct str real = real_root(a, root), shared = git_shared_root(a, real);
	struct trust t = { .project = shared, .definitions = definitions_text(a, d), .from = from };
	bool was_there;

	/* A bare repository has no files. */
	if (!str_eq(shared, real) && !git_branch_now(a, shared).s)
		t.root = real;
	if (trust_record(a, &t, files, files ? d->count : 0, err) < 0 ||
	    (!str_eq(shared, real) && trust_revoke(a, real, &was_there, err) < 0))
		return -1;
	baseline_accept(a, real, t.definitions);
	return 0;
}

/* The files as they are in the working tree. */
static int
copy_files(struct arena *a, struct str root, const struct definitions *d, struct trust_copied_file *files,
	   struct err *err)
{
	for (size_t i = 0; i < d->count; i++) {
		struct str path = path_join(a, root, d->items[i].path), content = STR_NONE;

		/* What is pinned is what was shown. */
		if (fs_read(a, path.s, CONFIG_LIMIT_BYTES, &content, err) < 0)
			return err_wrap(err, "can't be pinned");
		if (!str_eq(digest_of(a, content), definition_digest(a, &d->items[i])))
			return err_set(err, ERR_VALUE,
				       STR_FMT ": it has changed meanwhile, and is not pinned",
				       STR_ARG(path));
		files[i] = (struct trust_copied_file){ d->items[i].path, content };
	}
	return 0;
}

static int
accept_files(struct arena *a, struct str root, const struct definitions *d, bool is_pinned, struct str from,
	     struct err *err)
{
	struct trust_copied_file *files = is_pinned ? arena_array(a, d->count + 1, struct trust_copied_file)
						    : NULL;

	if (is_pinned && copy_files(a, root, d, files, err) < 0)
		return -1;
	return keep_record(a, root, d, files, from, err);
}

int
project_trust(struct arena *a, struct str root, const struct definitions *d, enum pin_wish wish,
	      bool *ret_is_pinned, struct err *err)
{
	struct trust old;

	if (project_record(a, root, &old, err) < 0)
		return -1;
	*ret_is_pinned = wish == PIN_YES || (wish == PIN_AS_BEFORE && old.copy.s);
	return accept_files(a, root, d, *ret_is_pinned, STR_NONE, err);
}

bool
source_renew(struct arena *a, struct source *source, int64_t deadline_ms, struct str *ret_ref)
{
	struct repository r = { .root = source->root, .deadline_ms = deadline_ms };
	struct str_list files = { .items = arena_array(a, source->now.count + 1, struct str) };
	struct str base = source->from.s ? source->from : STR("main"), warning;
	struct gates_config c;

	if (!source->from.s && gates_load(a, source->dir, &c, &warning, IGNORED) == 0)
		base = c.base_branch.s ? c.base_branch : git_usual_base(a, &r);
	if (!str_starts(base, STR("origin/")))
		base = str_cat(a, "origin/", base);
	for (size_t i = 0; i < source->now.count; i++)
		files.items[files.count++] = source->now.items[i].path;
	struct str commits[] = { git_fetched(a, source->root, base), str_cat(a, "refs/remotes/", base) };

	if (source->problem.s || files.count == 0 || !commits[0].s ||
	    definitions_check_safe(a, source->root, &source->now, IGNORED) < 0)
		return false;
	/* What a fetch once brought may be gone from the branch, and what is on the branch may be our own push. */
	for (size_t i = 0; i < COUNT_OF(commits); i++)
		if (git_commit_has(a, &r, commits[i], definitions_paths(a, &source->now), &files, IGNORED) !=
		    ANSWER_YES)
			return false;
	if (accept_files(a, source->root, &source->now, true, source->from, IGNORED) < 0)
		return false;
	source_find(a, source->root, source);
	*ret_ref = base;
	return true;
}

/* The definitions of a commit, with their texts. */
static int
read_committed(struct arena *a, const struct repository *r, struct str commit, struct definitions *ret,
	       struct err *err)
{
	struct str file = STR(HOLDFAST_FILE), text = STR_NONE;
	struct str_list native = { .items = &file, .count = 1 }, prompts = { 0 }, paths;
	struct definitions named = { 0 };

	if (git_read_texts(a, r, commit, &native, &text, err) < 0)
		return -1;
	if (text.s)
		prompts = holdfast_prompts(a, holdfast_parse(a, r->root, text));
	for (size_t i = 0; i < prompts.count; i++)
		*arena_push(a, named.items, named.count) = (struct definition){ .path = prompts.items[i] };
	if (git_commit_files(a, r, commit, definitions_paths(a, &named), &paths, err) < 0)
		return -1;
	struct str *texts = arena_array(a, paths.count + 1, struct str);

	if (git_read_texts(a, r, commit, &paths, texts, err) < 0)
		return -1;
	return definitions_of_texts(a, r->root, &paths, texts, ret, err);
}

void
source_pin_fetched(struct arena *a, struct str root, int64_t deadline_ms)
{
	struct repository r = { .root = root, .deadline_ms = deadline_ms };
	struct str branch = git_remote_default(a, root);
	struct str commit = branch.s ? git_fetched(a, root, branch) : STR_NONE;
	struct definitions d = { 0 }, none = { 0 };

	if (!commit.s || definitions_check_safe(a, root, &none, IGNORED) < 0 ||
	    read_committed(a, &r, commit, &d, IGNORED) < 0 || d.count == 0)
		return;
	struct trust_copied_file *files = arena_array(a, d.count, struct trust_copied_file);

	for (size_t i = 0; i < d.count; i++)
		files[i] = (struct trust_copied_file){ d.items[i].path, d.items[i].text };
	(void)(keep_record(a, root, &d, files, branch, IGNORED) == 0); /* else the next stop tries again */
}
