/* SPDX-License-Identifier: MIT */
/* A key is a digest. All that goes into it is preceded by its length, so that no two lists of texts look alike. */
#include "gates/key.h"

#include "base/digest.h"
#include "gates/plan.h"

#include <inttypes.h>

static void
add_text(struct digest *d, struct str text)
{
	char length[sizeof(uint64_t)];
	uint64_t n = text.s ? text.n : UINT64_MAX;

	for (size_t i = 0; i < sizeof(length); i++)
		length[i] = (char)(n >> 8 * i);
	digest_add(d, (struct str){ length, sizeof(length) });
	digest_add(d, text);
}

static void
add_number(struct arena *a, struct digest *k, int64_t number)
{
	add_text(k, str_fmt(a, "%" PRId64, number));
}

static void
add_list(struct arena *a, struct digest *k, const struct str_list *l)
{
	add_number(a, k, (int64_t)l->count);
	for (size_t i = 0; i < l->count; i++)
		add_text(k, l->items[i]);
}

static void
add_files(struct digest *k, const struct change_list *changes, struct str entry,
	  const struct str_list *patterns)
{
	add_text(k, changes->commit);
	for (size_t i = 0; i < changes->count; i++) {
		if (!plan_reaches(entry, changes->items[i]) || !gate_is_for(patterns, changes->items[i]))
			continue;
		add_text(k, changes->items[i]);
		add_text(k, changes->files[i].mode);
		add_text(k, changes->files[i].object);
	}
}

struct str
content_key(struct arena *a, const struct change_list *changes)
{
	struct digest k;

	if (!changes->commit.s)
		return STR_NONE;
	digest_begin(&k);
	add_files(&k, changes, STR("."), &(struct str_list){ 0 });
	return digest_end(a, &k);
}

struct str
job_key(struct arena *a, const struct job *job, const struct change_list *changes)
{
	struct digest k;

	if (!changes->commit.s)
		return STR_NONE;
	digest_begin(&k);
	add_text(&k, job->id);
	if (job->check) {
		add_text(&k, job->check->command);
		add_text(&k, job->check->rerun_command);
		add_number(a, &k, job->check->timeout_ms);
	} else {
		add_text(&k, job->review->prompt);
		add_text(&k, job->review->model);
		add_list(a, &k, &job->review->cli_preference);
		add_number(a, &k, job->review->num_reviews);
	}
	const struct str_list *files = job->check ? &job->check->files : &job->review->files;

	add_list(a, &k, files);
	add_files(&k, changes, job->entry_point, files);
	return digest_end(a, &k);
}
