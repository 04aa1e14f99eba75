/* SPDX-License-Identifier: MIT */
/* A key is about a job, its definition and the files that it covers: each of these changes it, and nothing else does. */
#include "test.h"

#include "gates/plan.h"

#include <string.h>

#define COMMIT "aaaa"

struct fixture {
	struct gate check;
	struct gate review;
	struct job job;
	struct str files[4], patterns[1];
	struct changed_file contents[4];
	struct change_list changes;
};

static void
make(struct fixture *f)
{
	*f = (struct fixture){
		.check = { .name = STR("lint"), .definition = STR("d1"), .command = STR("make") },
		.review = { .name = STR("quality"), .definition = STR("d1") },
		.job = { .kind = GATE_CHECK,
			 .id = STR("check:src:lint"),
			 .entry_point = STR("src"),
			 .gate = &f->check },
		.files = { STR("doc/a"), STR("src.c"), STR("src/a.c"), STR("src/b.h") },
		.patterns = { STR("*.c") },
		.contents = { { STR("100644"), STR("0") },
			      { STR("100644"), STR("1") },
			      { STR("100644"), STR("2") },
			      { STR("100644"), STR("3") } },
		.changes = { .items = f->files, .files = f->contents, .count = 4, .commit = STR(COMMIT) },
	};
}

/* What a row does to the fixture. */
static void
change_id(struct fixture *f)
{
	f->job.id = STR("check:.:lint");
}
static void
change_definition(struct fixture *f)
{
	f->check.definition = STR("d2");
}
static void
lose_definition(struct fixture *f)
{
	f->check.definition = STR_NONE;
}
static void
change_commit(struct fixture *f)
{
	f->changes.commit = STR("bbbb");
}
static void
change_content(struct fixture *f)
{
	f->contents[2].object = STR("4");
}
static void
delete_content(struct fixture *f)
{
	f->contents[2] = (struct changed_file){ 0 };
}
static void
change_mode(struct fixture *f)
{
	f->contents[2].mode = STR("100755");
}
static void
rename_file(struct fixture *f)
{
	f->files[2] = STR("src/aa.c");
}
static void
cover_less(struct fixture *f)
{
	f->check.files = (struct str_list){ f->patterns, 1 };
}
static void
cover_all(struct fixture *f)
{
	f->job.entry_point = STR(".");
}
static void
review(struct fixture *f)
{
	f->job.kind = GATE_REVIEW;
	f->job.gate = &f->review;
	f->job.id = STR("review:src:quality");
}
static void
review_otherwise(struct fixture *f)
{
	review(f);
	f->review.definition = STR("d2");
}
static void
review_less(struct fixture *f)
{
	review(f);
	f->review.files = (struct str_list){ f->patterns, 1 };
}

static struct str
key_after(struct arena *a, void (*change)(struct fixture *f))
{
	struct fixture *f = arena_new(a, struct fixture);

	make(f);
	if (change)
		change(f);
	return job_key(a, &(struct key_memory){ 0 }, &f->job, &f->changes);
}

TEST(each_fact_of_a_job_changes_its_key)
{
	void (*const rows[])(struct fixture * f) = {
		NULL,           change_id,      change_definition, lose_definition, change_commit,
		change_content, delete_content, change_mode,       rename_file,     cover_less,
		cover_all,      review,         review_otherwise,  review_less,
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str keys[COUNT_OF(rows)];

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		keys[i] = key_after(&a, rows[i]);
		CHECK(keys[i].n == 32);
		for (size_t k = 0; k < i; k++)
			CHECK_ROW(str_fmt(&a, "rows %zu and %zu", k, i).s, !str_eq(keys[k], keys[i]));
	}
}

static void
change_other(struct fixture *f)
{
	f->contents[0].object = STR("4");
}
static void
change_neighbour(struct fixture *f) /* its name only begins like the directory */
{
	f->contents[1].object = STR("4");
}
static void
change_command(struct fixture *f)
{
	f->check.command = STR("make test");
} /* its definition says so */

TEST(what_a_job_is_not_about_does_not_change_its_key)
{
	void (*const rows[])(struct fixture * f) = { change_other, change_neighbour, change_command };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_ROW(str_fmt(&a, "row %zu", i).s, str_eq(key_after(&a, rows[i]), key_after(&a, NULL)));
}

TEST(there_is_no_key_where_it_is_not_known_what_was_compared_with)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct fixture f;

	make(&f);
	f.changes.commit = STR_NONE;
	CHECK(!job_key(&a, &(struct key_memory){ 0 }, &f.job, &f.changes).s);
	CHECK(!content_key(&a, &f.changes).s);
}

TEST(the_key_of_the_content_is_of_all_files)
{
	void (*const rows[])(struct fixture * f) = { change_other, change_content, change_mode, rename_file,
						     change_commit };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct fixture f;

	make(&f);
	struct str before = content_key(&a, &f.changes);

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		make(&f);
		rows[i](&f);
		CHECK_ROW(str_fmt(&a, "row %zu", i).s, !str_eq(content_key(&a, &f.changes), before));
	}
}

/* Jobs that follow each other are often about the same files: what is remembered must not stand for other files. */
TEST(a_key_is_the_same_whatever_was_asked_before)
{
	void (*const rows[])(struct fixture * f) = { NULL, cover_less, cover_all, review_less,
						     change_content };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		for (size_t k = 0; k < COUNT_OF(rows); k++) {
			struct fixture *first = arena_new(&a, struct fixture),
				       *second = arena_new(&a, struct fixture);
			struct key_memory memory = { 0 };

			make(first);
			make(second);
			if (rows[i])
				rows[i](first);
			if (rows[k])
				rows[k](second);
			(void)job_key(&a, &memory, &first->job, &first->changes);
			CHECK_ROW(str_fmt(&a, "%zu, then %zu", i, k).s,
				  str_eq(job_key(&a, &memory, &second->job, &second->changes),
					 key_after(&a, rows[k])));
		}
}

TEST(the_memory_is_about_the_entry_point_and_all_patterns)
{
	static const struct {
		const char *entry, *patterns[2];
	} jobs[] = {
		{ "src", { "*.c" } },        { "src", { "*.h" } },        { "src", { "*.c", "*.h" } },
		{ "src", { "*.c", "*.x" } }, { "src", { "*.x", "*.h" } }, { ".", { "*.c" } },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(jobs); i++)
		for (size_t k = 0; k < COUNT_OF(jobs); k++) {
			struct key_memory memory = { 0 };
			const size_t of[] = { i, k };
			struct str keys[2], fresh = STR_NONE;
			struct gate gates[2];
			struct str patterns[2][2];
			struct fixture f;

			make(&f);
			for (size_t n = 0; n < 2; n++) {
				gates[n] = f.check;
				gates[n].files.items = patterns[n];
				for (size_t p = 0; p < 2 && jobs[of[n]].patterns[p]; p++)
					patterns[n][gates[n].files.count++] = str_from(
						jobs[of[n]].patterns[p]);
				f.job.gate = &gates[n];
				f.job.entry_point = str_from(jobs[of[n]].entry);
				keys[n] = job_key(&a, &memory, &f.job, &f.changes);
				fresh = job_key(&a, &(struct key_memory){ 0 }, &f.job, &f.changes);
			}
			CHECK_ROW(str_fmt(&a, "%zu, then %zu", i, k).s, str_eq(keys[1], fresh));
		}
}
