/* SPDX-License-Identifier: MIT */
/* A key is a digest of the definition and of the files. */
#include "gates/plan.h"

#include "base/digest.h"

static bool
is_same_list(const struct str_list *x, const struct str_list *y)
{
	bool is_same = x->count == y->count;

	for (size_t i = 0; i < x->count && is_same; i++)
		is_same = str_eq(x->items[i], y->items[i]);
	return is_same;
}

/* A digest of the files that a job is about. Jobs that follow each other are often about the same files. */
static struct str
files_key(struct arena *a, struct key_memory *m, struct str entry, const struct str_list *patterns,
	  const struct change_list *changes)
{
	struct digest digest;

	if (m->changes == changes && str_eq(m->entry, entry) && is_same_list(m->patterns, patterns))
		return m->key;
	struct plan_reach reach = plan_reach_of(a, entry);
	struct gate_patterns files = gate_patterns_of(a, patterns);
	const struct change_list none = { 0 }, *unseen = changes->unseen ? changes->unseen : &none;
	struct plan_range own = plan_range_of(&reach, changes->items, changes->count);
	struct plan_range more = plan_range_of(&reach, unseen->items, unseen->count);
	size_t i = own.from, k = more.from;

	digest_begin(&digest);
	digest_add_text(&digest, changes->commit);
	/* Both lists are sorted, and share no file: that it is staged or committed must not count. */
	while (i < own.to || k < more.to) {
		bool is_own = k == more.to ||
			      (i < own.to && str_cmp(changes->items[i], unseen->items[k]) < 0);
		const struct change_list *l = is_own ? changes : unseen;
		size_t at = is_own ? i++ : k++;

		if (!plan_reaches(&reach, l->items[at]) || !gate_patterns_have(&files, l->items[at]))
			continue;
		digest_add_text(&digest, l->items[at]);
		digest_add_text(&digest, l->files[at].mode);
		digest_add_text(&digest, l->files[at].object);
	}
	*m = (struct key_memory){ changes, entry, patterns, digest_end(a, &digest) };
	return m->key;
}

struct str
content_key(struct arena *a, const struct change_list *changes)
{
	struct key_memory none = { 0 };

	return changes->commit.s ? files_key(a, &none, STR("."), &(struct str_list){ 0 }, changes) : STR_NONE;
}

struct str
job_key(struct arena *a, struct key_memory *m, const struct job *job, const struct change_list *changes)
{
	struct digest k;

	if (!changes->commit.s)
		return STR_NONE;
	digest_begin(&k);
	digest_add_text(&k, job->id);
	digest_add_text(&k, job->gate->definition);
	digest_add_text(&k, files_key(a, m, job->entry_point, &job->gate->files, changes));
	return digest_end(a, &k);
}
