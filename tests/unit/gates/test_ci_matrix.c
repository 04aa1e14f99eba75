/* SPDX-License-Identifier: MIT */
/* The checks as jobs of a CI system. */
#include "test.h"

#include "gates/ci_matrix.h"

static struct gate checks[] = {
	{ .name = STR("a"), .runs_in_ci = true, .runs_locally = true },
	{ .name = STR("b"), .runs_in_ci = true },
	{ .name = STR("here"), .runs_locally = true },
	{ .name = STR("top"), .runs_in_ci = true, .working_directory = STR(".") },
};

static struct str names_a[] = { STR("a") }, names_ab[] = { STR("a"), STR("b"), STR("here") },
		  names_top[] = { STR("top") };

static struct ci_check ci_checks[] = {
	{ .name = STR("b") },
	{ .name = STR("a") },
	{ .name = STR("here") },
	{ .name = STR("top") },
};
static struct ci_config all_checks = { .checks = ci_checks, .check_count = COUNT_OF(ci_checks) };

static struct str_list
two_directories(const void *context, struct arena *a, struct str pattern)
{
	struct str *dirs = arena_array(a, 2, struct str);

	assert_ptr_equal(context, checks);
	CHECK_STR(pattern, "pkg/*");
	dirs[0] = STR("pkg/x");
	dirs[1] = STR("pkg/y");
	return (struct str_list){ dirs, 2 };
}

static struct ci_matrix
matrix(struct arena *a, struct entry_point *entries, size_t count, const struct ci_config *ci)
{
	struct gates_config *c = arena_new(a, struct gates_config);
	struct ci_matrix m;

	*c = (struct gates_config){ .entry_points = entries,
				    .entry_point_count = count,
				    .checks = checks,
				    .check_count = COUNT_OF(checks) };
	ci_matrix(a, &(struct ci_facts){ c, ci, two_directories, checks }, &m);
	return m;
}

/* id@directory, separated by blanks. */
static struct str
shown(struct arena *a, const struct ci_matrix *m)
{
	struct str text = STR("");

	for (size_t i = 0; i < m->count; i++)
		text = str_fmt(a, STR_FMT "%s" STR_FMT "@" STR_FMT, STR_ARG(text), i ? " " : "",
			       STR_ARG(m->items[i].id), STR_ARG(m->items[i].working_directory));
	return text;
}

TEST(ci_jobs_are_entry_points_in_their_order_times_checks_in_the_order_of_ci_yml)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct entry_point entries[] = {
		{ .path = STR("src/"), .checks = { names_ab, 3 } },
		{ .path = STR("pkg/*"), .checks = { names_a, 1 } },
		{ .path = STR("docs/**/*.md"), .checks = { names_a, 1 } },
		{ .path = STR("."), .checks = { names_a, 1 } },
	};
	struct ci_matrix m = matrix(&a, entries, COUNT_OF(entries), &all_checks);

	CHECK_STR(shown(&a, &m), "b-src@src a-src@src a-pkg-x@pkg/x a-pkg-y@pkg/y "
				 "a-docs-**-*.md@docs/**/*.md a-.@.");
	CHECK_STR(m.items[2].entry_point, "pkg/x");
}

TEST(a_check_that_meets_in_one_directory_is_one_ci_job)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct entry_point entries[] = {
		{ .path = STR("src"), .checks = { names_top, 1 } },
		{ .path = STR("pkg/*"), .checks = { names_top, 1 } },
		{ .path = STR("src"), .checks = { names_a, 1 } },
		{ .path = STR("./src"), .checks = { names_a, 1 } },
	};
	struct ci_matrix m = matrix(&a, entries, COUNT_OF(entries), &all_checks);

	CHECK_STR(shown(&a, &m), "top-src@. a-src@src");
}

TEST(ci_jobs_whose_names_would_be_the_same_are_numbered)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct entry_point entries[] = {
		{ .path = STR("x/y"), .checks = { names_a, 1 } },
		{ .path = STR("x-y"), .checks = { names_a, 1 } },
	};
	struct ci_matrix m = matrix(&a, entries, COUNT_OF(entries), &all_checks);

	CHECK_STR(shown(&a, &m), "a-x-y@x/y a-x-y-2@x-y");
}

TEST(what_ci_yml_asks_for_in_vain_is_a_warning)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str runtimes[] = { STR("node"), STR("cobol") }, services[] = { STR("db") };
	struct node_entry known[] = { { .key = STR("node") } };
	struct node map = { .kind = NODE_MAP, .count = 1, .entries = known };
	struct ci_step steps[] = { { .name = STR("always"), .run = STR("x") },
				   { .name = STR("sometimes"), .run = STR("x"), .condition = STR("false") } };
	struct ci_check wrong[] = {
		{ .name = STR("a"), .runtimes = { runtimes, 2 }, .services = { services, 1 } },
		{ .name = STR("b") },
		{ .name = STR("here") },
		{ .name = STR("gone"), .setup = steps, .setup_count = 2 },
	};
	struct ci_config ci = { .runtimes = &map, .checks = wrong, .check_count = COUNT_OF(wrong) };
	struct entry_point entries[] = { { .path = STR("."), .checks = { names_a, 1 } } };
	struct ci_matrix m = matrix(&a, entries, 1, &ci);

	assert_int_equal(m.warnings.count, 6);
	CHECK_STR(m.warnings.items[0],
		  "ci.yml: check 'a' needs the runtime 'cobol', which ci.yml does not define");
	CHECK_STR(m.warnings.items[1],
		  "ci.yml: check 'a' needs the service 'db', which ci.yml does not define");
	CHECK_STR(m.warnings.items[2], "ci.yml: check 'b' has no job: no entry point uses it in a directory "
				       "that does not have it yet");
	CHECK_STR(m.warnings.items[3], "ci.yml: check 'here' has run_in_ci: false");
	CHECK_STR(m.warnings.items[4], "ci.yml: there is no check 'gone'");
	CHECK_STR(m.warnings.items[5],
		  "ci.yml: the 'if' of step 'sometimes' has no effect: the step always runs");
}

TEST(a_ci_yml_without_checks_has_no_jobs)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct entry_point entries[] = { { .path = STR("."), .checks = { names_a, 1 } } };
	struct ci_config empty = { 0 };
	struct ci_matrix m = matrix(&a, entries, 1, &empty);

	CHECK(m.count == 0 && m.warnings.count == 0);
}
