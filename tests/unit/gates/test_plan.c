/* SPDX-License-Identifier: MIT */
/* The plan: which gates a set of changes brings, where, in which order and why. */
#include "test.h"

#include "gates/plan.h"

#include <string.h>

#define LIST_MAX 8
#define ENTRY_MAX 4

/* An entry point in a table: words separated by blanks. */
struct entry_row {
	const char *path, *exclude, *checks, *reviews;
};

static struct str_list
words(struct arena *a, const char *text)
{
	struct str rest = str_from(text ? text : ""), piece;
	struct str_list list = { .items = arena_array(a, LIST_MAX, struct str) };

	while (str_next(&rest, ' ', &piece))
		list.items[list.count++] = piece;
	return list;
}

/* lint and test run in the entry point, top in ".", word in "entrypoint", there in "tools"; ci only in CI, local only
 * outside. */
static struct gate checks[] = {
	{ .name = STR("ci"), .runs_in_ci = true },
	{ .name = STR("lint"), .runs_in_ci = true, .runs_locally = true },
	{ .name = STR("local"), .runs_locally = true },
	{ .name = STR("test"), .runs_in_ci = true, .runs_locally = true },
	{ .name = STR("there"),
	  .runs_in_ci = true,
	  .runs_locally = true,
	  .working_directory = STR("./tools/") },
	{ .name = STR("top"), .runs_in_ci = true, .runs_locally = true, .working_directory = STR(".") },
	{ .name = STR("word"),
	  .runs_in_ci = true,
	  .runs_locally = true,
	  .working_directory = STR("entrypoint") },
};
static struct gate reviews[] = {
	{ .name = STR("ci"), .runs_in_ci = true, .is_enabled = true },
	{ .name = STR("local"), .runs_locally = true, .is_enabled = true },
	{ .name = STR("off"), .runs_in_ci = true, .runs_locally = true },
	{ .name = STR("quality"), .runs_in_ci = true, .runs_locally = true, .is_enabled = true },
};

static bool
is_no_file(const void *context, struct str path)
{
	const char *const *files = context;

	for (; *files; files++)
		if (str_is(path, *files))
			return false;
	return true;
}

/* The ids, separated by blanks; changes too. */
static struct str
ids(struct arena *a, const struct entry_row *rows, const char *changes, struct plan_facts facts)
{
	struct entry_point entries[ENTRY_MAX];
	struct gates_config config = {
		.entry_points = entries,
		.checks = checks,
		.check_count = COUNT_OF(checks),
		.reviews = reviews,
		.review_count = COUNT_OF(reviews),
	};
	struct str_list files = words(a, changes);
	struct str text = STR("");

	for (size_t i = 0; i < ENTRY_MAX && rows[i].path; i++)
		entries[config.entry_point_count++] = (struct entry_point){
			.path = str_from(rows[i].path),
			.exclude = words(a, rows[i].exclude),
			.checks = words(a, rows[i].checks),
			.reviews = words(a, rows[i].reviews),
		};
	facts.config = &config;
	facts.changes = files.items;
	facts.change_count = files.count;
	struct job_list jobs = plan_jobs(a, &facts);

	for (size_t i = 0; i < jobs.count; i++)
		text = str_fmt(a, STR_FMT "%s" STR_FMT, STR_ARG(text), i ? " " : "",
			       STR_ARG(jobs.items[i].id));
	return text;
}

static const struct {
	const char *name;
	struct entry_row entries[ENTRY_MAX];
	const char *changes, *jobs;
} reached[] = {
	{ "the root by any change", { { ".", 0, "lint", 0 } }, "a/b", "check:.:lint" },
	{ "nothing without a change", { { ".", 0, "lint", 0 }, { "src", 0, "lint", 0 } }, "", "" },
	{ "the root with a slash", { { "./", 0, "lint", 0 } }, "a", "check:.:lint" },
	{ "a directory by a file in it",
	  { { "apps/api", 0, "lint", 0 }, { "apps/web", 0, "lint", 0 } },
	  "apps/api/src/index.ts",
	  "check:apps/api:lint" },
	{ "not by a longer name", { { "app", 0, "lint", 0 } }, "apple/x", "" },
	{ "not by a file above", { { "app/a", 0, "lint", 0 } }, "app", "" },
	{ "a file by itself", { { "go.mod", 0, "top", 0 } }, "go.mod", "check:.:top" },
	{ "a slash behind the path", { { "src/", 0, "lint", 0 } }, "src/a", "check:src:lint" },
	{ "a dot before the path", { { "./src", 0, "lint", 0 } }, "src/a", "check:src:lint" },
	/* a star at the end */
	{ "children with changes, once each",
	  { { "packages/*", 0, "lint", 0 } },
	  "packages/a/x packages/a/y packages/b/z/w other/c/x",
	  "check:packages/a:lint check:packages/b:lint" },
	{ "children in any order of the changes",
	  { { "packages/*", 0, "lint", 0 } },
	  "packages/b/x packages/a/x packages/b/y",
	  "check:packages/b:lint check:packages/a:lint" },
	{ "a file is no child", { { "packages/*", 0, "lint", 0 } }, "packages/README.md", "" },
	{ "nor is the parent", { { "packages/*", 0, "lint", 0 } }, "packages", "" },
	{ "no deeper than a child", { { "p/*", 0, "lint", 0 } }, "p/a/b/c", "check:p/a:lint" },
	{ "a star alone",
	  { { "*", 0, "lint", 0 } },
	  "README src/a lib/b/c",
	  "check:src:lint check:lib:lint" },
	{ "a star behind letters",
	  { { "pkg-*", 0, "lint", 0 } },
	  "pkg-a/x pkg-b other/x",
	  "check:pkg-a:lint" },
	{ "several parents",
	  { { "{apps,libs}/*", 0, "lint", 0 } },
	  "apps/a/x libs/b/y docs/c/z apps/f",
	  "check:apps/a:lint check:libs/b:lint" },
	{ "two stars", { { "p/*/*", 0, "lint", 0 } }, "p/a/b/c p/a/f", "check:p/a/b:lint" },
	{ "a child that is gone", { { "p/*", 0, "lint", 0 } }, "p/gone/x p/a/x", "check:p/a:lint" },
	/* patterns for files */
	{ "one level only",
	  { { "openspec/changes/*/tasks.md", 0, "top", 0 } },
	  "openspec/changes/one/tasks.md",
	  "check:.:top" },
	{ "not two levels",
	  { { "openspec/changes/*/tasks.md", 0, "top", 0 } },
	  "openspec/changes/one/two/tasks.md",
	  "" },
	{ "the pattern is the path",
	  { { "src/**/*.c", 0, 0, "quality" } },
	  "src/a.c",
	  "review:src/**/*.c:quality" },
	{ "two stars at the end", { { "src/**", 0, "top", 0 } }, "src/a/b", "check:.:top" },
	/* exclusions */
	{ "another change than the excluded",
	  { { "src", "src/a", "lint", 0 } },
	  "src/a src/b",
	  "check:src:lint" },
	{ "only the excluded file", { { "src", "src/a", "lint", 0 } }, "src/a", "" },
	{ "an excluded directory", { { "src", "src/gen", "lint", 0 } }, "src/gen/a src/gen/b/c", "" },
	{ "an excluded directory with a slash", { { "src", "src/gen/", "lint", 0 } }, "src/gen/a", "" },
	{ "an excluded directory with a dot", { { "src", "./src/gen", "lint", 0 } }, "src/gen/a", "" },
	{ "not a longer name than the excluded",
	  { { "src", "src/gen", "lint", 0 } },
	  "src/gene",
	  "check:src:lint" },
	{ "an excluded pattern", { { "src", "**/*.md", "lint", 0 } }, "src/a.md src/b/c.md", "" },
	{ "not all of an excluded pattern",
	  { { "src", "**/*.md", "lint", 0 } },
	  "src/a.md src/b",
	  "check:src:lint" },
	{ "excluded of the root", { { ".", "**/*.lock", "lint", 0 } }, "yarn.lock a/b.lock", "" },
	{ "an exclusion is its entry's own",
	  { { "src", "src/a", "lint", 0 }, { ".", 0, "top", 0 } },
	  "src/a",
	  "check:.:top" },
	{ "children by what is not excluded",
	  { { "packages/*", "**/test/**", "lint", 0 } },
	  "packages/a/x packages/b/test/y",
	  "check:packages/a:lint" },
	{ "the second of two exclusions", { { ".", "a b", "lint", 0 } }, "b", "" },
	/* order */
	{ "the root first, then as configured, checks before reviews",
	  { { "src", 0, "test lint", "quality" }, { "lib", 0, "lint", 0 }, { ".", 0, "lint", "quality" } },
	  "lib/a src/b",
	  "check:.:lint review:.:quality check:src:test check:src:lint review:src:quality check:lib:lint" },
	/* several for one place */
	{ "two entries for the root",
	  { { ".", 0, "lint", 0 }, { ".", 0, 0, "quality" } },
	  "a",
	  "check:.:lint review:.:quality" },
	{ "two entries for the root, each with its exclusion",
	  { { ".", "a", "lint", 0 }, { ".", 0, 0, "quality" } },
	  "a",
	  "review:.:quality" },
	{ "one check, one working directory",
	  { { "a", 0, "top", 0 }, { "b", 0, "top", 0 } },
	  "a/x b/x",
	  "check:.:top" },
	{ "a working directory that is another's entry point",
	  { { "tools", 0, "there", 0 }, { "a", 0, "there", 0 } },
	  "a/x tools/x",
	  "check:tools:there" },
	{ "one check, two working directories",
	  { { "a", 0, "lint", 0 }, { "b", 0, "word", 0 }, { "c", 0, "lint word", 0 } },
	  "a/x b/x c/x",
	  "check:a:lint check:b:word check:c:lint check:c:word" },
	{ "a review for each entry",
	  { { "a", 0, 0, "quality" }, { "b", 0, 0, "quality" } },
	  "a/x b/x",
	  "review:a:quality review:b:quality" },
	{ "the same entry twice",
	  { { "a", 0, "lint", "quality" }, { "a/", 0, "lint test", "quality" } },
	  "a/x",
	  "check:a:lint review:a:quality check:a:test" },
	{ "a name that is no gate", { { "a", 0, "none lint", "none" } }, "a/x", "check:a:lint" },
	{ "a review that is switched off", { { "a", 0, 0, "off quality" } }, "a/x", "review:a:quality" },
};

/* scenario: G13-14 G13-15 G13-16 G13-17 G13-18 G13-19 G13-20 G13-21 */
TEST(changes_reach_entry_points_and_bring_their_gates)
{
	static const char *const files[] = { "packages/README.md", "p/gone", NULL };
	const struct plan_facts facts = {
		.has_checks = true, .has_reviews = true, .is_directory = is_no_file, .context = files
	};

	for (size_t i = 0; i < COUNT_OF(reached); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str got = ids(&a, reached[i].entries, reached[i].changes, facts);

		if (!str_is(got, reached[i].jobs))
			fail_msg("%s: '" STR_FMT "' is not '%s'", reached[i].name, STR_ARG(got),
				 reached[i].jobs);
	}
}

static const struct entry_row everything[ENTRY_MAX] = {
	{ "src", 0, "ci lint local", "ci local quality" },
	{ "lib", 0, "lint", "quality" },
};
static struct str named[] = { STR("lint"), STR("local"), STR("ci"), STR("lin"), STR("") };
static const struct {
	const char *name;
	struct plan_facts facts;
	const char *jobs;
} filters[] = {
	{ "here",
	  { .has_checks = true, .has_reviews = true },
	  "check:src:lint check:src:local review:src:local review:src:quality check:lib:lint "
	  "review:lib:quality" },
	{ "in CI",
	  { .has_checks = true, .has_reviews = true, .is_ci = true },
	  "check:src:ci check:src:lint review:src:ci review:src:quality check:lib:lint review:lib:quality" },
	{ "checks", { .has_checks = true }, "check:src:lint check:src:local check:lib:lint" },
	{ "reviews", { .has_reviews = true }, "review:src:local review:src:quality review:lib:quality" },
	{ "neither", { .is_ci = true }, "" },
	{ "one gate, all its entries",
	  { .has_checks = true, .has_reviews = true, .gates = { &named[0], 1 } },
	  "check:src:lint check:lib:lint" },
	{ "a name of both kinds",
	  { .has_checks = true, .has_reviews = true, .gates = { &named[1], 1 } },
	  "check:src:local review:src:local" },
	{ "two gates",
	  { .has_checks = true, .has_reviews = true, .gates = { named, 2 } },
	  "check:src:lint check:src:local review:src:local check:lib:lint" },
	{ "a gate that is not for here",
	  { .has_checks = true, .has_reviews = true, .gates = { &named[2], 1 } },
	  "" },
	{ "no part of a name", { .has_checks = true, .has_reviews = true, .gates = { &named[3], 1 } }, "" },
	{ "no gate's name", { .has_checks = true, .has_reviews = true, .gates = { &named[4], 1 } }, "" },
};

TEST(kind_place_and_name_choose_among_the_gates)
{
	for (size_t i = 0; i < COUNT_OF(filters); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str got = ids(&a, everything, "lib/x src/x", filters[i].facts);

		if (!str_is(got, filters[i].jobs))
			fail_msg("%s: '" STR_FMT "' is not '%s'", filters[i].name, STR_ARG(got),
				 filters[i].jobs);
	}
}

/* One entry point with one gate of each kind. */
static struct job_list
jobs_at(struct arena *a, struct str path, const char *check, struct str change)
{
	struct entry_point *e = arena_new(a, struct entry_point);
	struct gates_config *config = arena_new(a, struct gates_config);

	*e = (struct entry_point){ .path = path, .checks = words(a, check), .reviews = words(a, "quality") };
	*config = (struct gates_config){
		.entry_points = e,
		.entry_point_count = 1,
		.checks = checks,
		.check_count = COUNT_OF(checks),
		.reviews = reviews,
		.review_count = COUNT_OF(reviews),
	};
	return plan_jobs(a, &(struct plan_facts){ .config = config,
						  .changes = &change,
						  .change_count = 1,
						  .has_checks = true,
						  .has_reviews = true });
}

/* scenario: G13-21 */
TEST(a_job_says_what_it_is_where_it_runs_and_why)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct job_list jobs = jobs_at(&a, STR("pkg/*"), "there", STR("pkg/a/x y.c"));

	assert_int_equal(jobs.count, 2);
	CHECK(jobs.items[0].kind == GATE_CHECK && jobs.items[1].kind == GATE_REVIEW);
	CHECK_STR(jobs.items[0].id, "check:tools:there");
	CHECK_STR(jobs.items[0].file_part, "check_tools_there");
	CHECK_STR(jobs.items[0].entry_point, "pkg/a");
	CHECK_STR(jobs.items[0].dir, "tools");
	CHECK_STR(jobs.items[0].reason, "pkg/a/x y.c changed");
	CHECK(jobs.items[0].gate ==
	      gates_config_gate(&(struct gates_config){ .checks = checks, .check_count = COUNT_OF(checks) },
				GATE_CHECK, STR("there")));
	CHECK_STR(jobs.items[1].gate->name, "quality");
	CHECK_STR(jobs.items[1].id, "review:pkg/a:quality");
	CHECK_STR(jobs.items[1].entry_point, "pkg/a");
	CHECK_STR(jobs.items[1].dir, ".");
}

static const struct {
	const char *id, *part;
} parts[] = {
	{ "check:src:lint", "check_src_lint" },           { "review:.:quality", "review_._quality" },
	{ "check:pkg/a:ok", "check_pkg_a_ok" },           { "check:A-Z_0.9:x", "check_A-Z_0.9_x" },
	{ "check:my dir:\xC3\xA4*", "check_my_dir____" },
};

/* scenario: G13-23 */
TEST(an_id_is_made_part_of_a_file_name)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(parts); i++)
		CHECK_STR(plan_file_part(&a, str_from(parts[i].id)), parts[i].part);
	CHECK_STR(plan_file_part(&a, (struct str){ "a\0b", 3 }), "a_b");
}

TEST(two_ids_never_share_a_file_name)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gates_config config = { .checks = checks, .check_count = COUNT_OF(checks) };
	struct plan_facts facts = { .config = &config, .has_checks = true };
	struct plan_builder b = plan_builder(&a, &facts, &(struct job_list){ 0 });
	struct entry_point e = { .checks = words(&a, "lint") };
	static const char *const paths[] = { "a/b", "a_b", "a b", "a/b" };

	for (size_t i = 0; i < COUNT_OF(paths); i++)
		plan_add_entry(&b, &e, str_from(paths[i]), STR("it failed before"));
	assert_int_equal(b.jobs.count, 3);
	CHECK_STR(b.jobs.items[0].file_part, "check_a_b_lint");
	CHECK_STR(b.jobs.items[1].file_part, "check_a_b_lint_2");
	CHECK_STR(b.jobs.items[2].file_part, "check_a_b_lint_3");
	CHECK_STR(b.jobs.items[2].reason, "it failed before");
}

TEST(the_file_name_of_a_long_id_is_cut_and_still_its_own)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char id[400];

	memset(id, 'a', sizeof(id));
	struct str most = plan_file_part(&a, (struct str){ id, 180 });
	struct str cut = plan_file_part(&a, (struct str){ id, 181 });
	struct str longer = plan_file_part(&a, (struct str){ id, sizeof(id) });

	CHECK(str_eq(most, (struct str){ id, 180 }));
	assert_int_equal(cut.n, 180);
	assert_int_equal(longer.n, 180);
	CHECK(str_starts(cut, (struct str){ id, 171 }) && cut.s[171] == '_');
	CHECK(!str_eq(cut, longer));
}

TEST(a_plan_may_have_more_jobs_than_it_has_room_for_at_first)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str list = STR("");

	for (int i = 0; i < 100; i++)
		list = str_fmt(&a, STR_FMT "p/%d/x ", STR_ARG(list), i);
	struct str *changes = arena_array(&a, 100, struct str);
	size_t count = 0;

	while (str_next(&list, ' ', &changes[count]) && ++count < 100)
		;
	struct str names[] = { STR("lint") };
	struct entry_point e = { .path = STR("p/*"), .checks = { names, 1 } };
	struct gates_config config = {
		.entry_points = &e, .entry_point_count = 1, .checks = checks, .check_count = COUNT_OF(checks)
	};
	struct job_list jobs = plan_jobs(&a, &(struct plan_facts){ .config = &config,
								   .changes = changes,
								   .change_count = count,
								   .has_checks = true });

	assert_int_equal(jobs.count, 100);
	CHECK_STR(jobs.items[0].id, "check:p/0:lint");
	CHECK_STR(jobs.items[99].id, "check:p/99:lint");
}

TEST(a_native_gate_applies_when_a_changed_file_matches)
{
	static struct str js[] = { STR("*.js"), STR("!dist") };
	static struct str names[] = { STR("all"), STR("js"), STR("packages") };
	static struct gate gates[] = {
		{ .name = STR("all"), .runs_locally = true },
		{ .name = STR("js"), .runs_locally = true, .files = { js, 2 } },
		{ .name = STR("packages"), .runs_locally = true, .files = { js, 2 } },
	};
	static struct entry_point entries[] = {
		{ .path = STR("."), .checks = { &names[0], 1 } },
		{ .path = STR("."), .checks = { &names[1], 1 } },
		{ .path = STR("packages/*"), .checks = { &names[2], 1 } },
	};
	static const struct {
		const char *changes, *jobs;
	} rows[] = {
		{ "", "" },
		{ "a.c", "check:.:all" },
		{ "a.c b.js", "check:.:all check:.:js" },
		{ "dist/b.js", "check:.:all" },
		{ "packages/a/x.c packages/b/y.js", "check:.:all check:.:js check:packages/b:packages" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct gates_config config = { .dialect = &dialects[DIALECT_HOLDFAST],
				       .checks = gates,
				       .check_count = COUNT_OF(gates),
				       .entry_points = entries,
				       .entry_point_count = COUNT_OF(entries) };

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str_list files = words(&a, rows[i].changes);
		struct plan_facts facts = { .config = &config,
					    .has_checks = true,
					    .changes = files.items,
					    .change_count = files.count };
		struct job_list jobs = plan_jobs(&a, &facts);
		struct str text = STR("");

		for (size_t k = 0; k < jobs.count; k++)
			text = str_fmt(&a, STR_FMT "%s" STR_FMT, STR_ARG(text), k ? " " : "",
				       STR_ARG(jobs.items[k].id));
		if (!str_is(text, rows[i].jobs))
			fail_msg("%s: %s", rows[i].changes, text.s);
	}
}
