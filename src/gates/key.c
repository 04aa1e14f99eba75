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
	struct digest k;

	if (m->changes == changes && str_eq(m->entry, entry) && is_same_list(m->patterns, patterns))
		return m->key;
	struct plan_reach reach = plan_reach_of(a, entry);
	struct gate_patterns files = gate_patterns_of(a, patterns);

	digest_begin(&k);
	digest_add_text(&k, changes->commit);
	for (const struct change_list *l = changes; l; l = l->unseen) {
		struct plan_range range = plan_range_of(&reach, l->items, l->count);

		for (size_t i = range.from; i < range.to; i++) {
			if (!plan_reaches(&reach, l->items[i]) || !gate_patterns_have(&files, l->items[i]))
				continue;
			digest_add_text(&k, l->items[i]);
			digest_add_text(&k, l->files[i].mode);
			digest_add_text(&k, l->files[i].object);
		}
	}
	*m = (struct key_memory){ changes, entry, patterns, digest_end(a, &k) };
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
