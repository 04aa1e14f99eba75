/* SPDX-License-Identifier: MIT */
/* Decides between the working tree and the pinned copy. */
#include "project/trust.h"

#include "base/path.h"
#include "os/fs.h"

static struct str
real_root(struct arena *a, struct str root)
{
	struct str given = str_copy(a, root), real = fs_real(a, given.s);

	return real.s ? real : given;
}

/* Uses the copy, whatever is in the working tree. */
static void
use_copy(struct arena *a, const struct trust *t, struct source *s)
{
	struct definitions then = definitions_parse(a, t->definitions);

	s->is_pinned = true;
	s->dir = t->copy;
	s->differs = definitions_changed_text(a, &then, &s->now);
	if (fs_kind(t->copy.s) != FS_DIR)
		s->problem = str_fmt(a,
				     "the pinned copy of the definitions is gone (" STR_FMT
				     "); 'holdfast trust --pin " STR_FMT "' makes another",
				     STR_ARG(t->copy), STR_ARG(s->root));
}

void
source_find(struct arena *a, struct str root, struct source *ret)
{
	struct source s = { .root = str_copy(a, root) };
	struct trust t;
	struct err err;

	s.dir = s.root;
	if (trust_find(a, real_root(a, root), &t, &s.is_trusted, &err) < 0)
		s.problem = str_fmt(a, "whether the project is trusted can't be read: %s", err.msg);
	else if (definitions_read(a, s.root, &s.now, &err) < 0)
		s.problem = str_fmt(a, "the definitions can't be read: %s", err.msg);
	else if (s.is_trusted && t.copy.s)
		use_copy(a, &t, &s);
	else if (definitions_check_safe(a, s.root, &s.now, &err) < 0)
		s.problem = str_fmt(a, "the definitions are not used: %s", err.msg);
	*ret = s;
}

int
project_trust(struct arena *a, struct str root, const struct definitions *d, enum pin_wish wish,
	      bool *ret_is_pinned, struct err *err)
{
	struct trust old, t = { .project = real_root(a, root), .definitions = definitions_text(a, d) };
	struct trust_copied_file *files = arena_array(a, d->count + 1, struct trust_copied_file);
	size_t count = 0;
	bool was_there;

	if (trust_find(a, t.project, &old, &was_there, err) < 0)
		return -1;
	*ret_is_pinned = wish == PIN_YES || (wish == PIN_AS_BEFORE && was_there && old.copy.s);
	for (size_t i = 0; *ret_is_pinned && i < d->count; i++) {
		if (!d->items[i].content.s)
			return err_set(err, ERR_VALUE,
				       STR_FMT "/" STR_FMT ": can't be read, and so not pinned",
				       STR_ARG(root), STR_ARG(d->items[i].name));
		files[count++] = (struct trust_copied_file){ d->items[i].path, d->items[i].content };
	}
	return trust_record(a, &t, *ret_is_pinned ? files : NULL, count, err);
}
