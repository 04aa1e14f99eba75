/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/path.h"

TEST(paths_are_joined_by_exactly_one_slash)
{
	static const struct {
		struct str dir, name;
		const char *joined;
	} rows[] = {
		{ STR("a"), STR("b"), "a/b" },     { STR("a/"), STR("b"), "a/b" },
		{ STR("a//"), STR("//b"), "a/b" }, { STR("/"), STR("b"), "/b" },
		{ STR("//"), STR("b"), "/b" },     { STR(""), STR("b"), "b" },
		{ STR(""), STR("/b"), "/b" },      { STR("/a/b"), STR("c/d"), "/a/b/c/d" },
		{ STR("a"), STR(""), "a/" },       { STR_NONE, STR("b"), "b" },
	};
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_STR(path_join(&a, rows[i].dir, rows[i].name), rows[i].joined);
}

TEST(the_parent_of_a_path_is_all_but_its_last_component)
{
	static const struct {
		const char *path, *parent;
	} rows[] = {
		{ "/a/b", "/a" }, { "/a/b/", "/a" }, { "/a//b", "/a" }, { "/a", "/" },
		{ "//a", "/" },   { "a/b", "a" },    { "/", NULL },     { "//", NULL },
		{ "a", NULL },    { "a/", NULL },    { "", NULL },      { "./a", "." },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str parent = path_parent(str_from(rows[i].path));

		CHECK_ROW(rows[i].path, (parent.s == NULL) == (rows[i].parent == NULL));
		CHECK_ROW(rows[i].path, str_eq(parent, str_from(rows[i].parent)));
	}
}

TEST(a_path_is_made_relative_to_the_root)
{
	static const struct {
		const char *root, *path, *relative; /* NULL: absent */
	} rows[] = {
		{ "/p", "logs", "logs" },
		{ "/p", "./logs/", "logs" },
		{ "/p", "a//b/./c", "a/b/c" },
		{ "/p", "a/../logs", "logs" },
		{ "/p", "a/b/../../logs", "logs" },
		{ "/p", "../logs", NULL },
		{ "/p", "a/../../logs", NULL },
		{ "/p", ".", NULL },
		{ "/p", "", NULL },
		{ "/p", "/p/logs", "logs" },
		{ "/p/", "/p//x/logs/", "x/logs" },
		{ "/p", "/p", NULL },
		{ "/p", "/p2/logs", NULL },
		{ "/p/q", "/p/logs", NULL },
		{ "/", "/logs", "logs" },
		{ "/p", "/p/../p/logs", "logs" },
		{ "/p", "/../p/logs", "logs" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str relative = path_relative(&a, str_from(rows[i].root), str_from(rows[i].path));

		CHECK_ROW(rows[i].path,
			  str_eq(relative, str_from(rows[i].relative)) && !relative.s == !rows[i].relative);
	}
}

TEST(the_base_of_a_path_is_its_last_component)
{
	static const struct {
		const char *path, *base;
	} rows[] = {
		{ "/a/b", "b" }, { "a", "a" }, { "a/b//", "b" }, { "/", "" }, { "", "" }, { "./.x", ".x" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		CHECK_STR(path_base(str_from(rows[i].path)), rows[i].base);
}

TEST(an_absolute_path_ignores_where_it_is_named)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(path_from(&a, STR("/p"), STR("x/y")), "/p/x/y");
	CHECK_STR(path_from(&a, STR("/p"), STR("/x")), "/x");
	CHECK_STR(path_from(&a, STR(""), STR("x")), "x");
	CHECK(path_is_absolute(STR("/")) && !path_is_absolute(STR("a/")) && !path_is_absolute(STR("")));
}

TEST(a_path_is_tidied_and_normalised)
{
	static const struct {
		const char *path, *tidy, *normal; /* NULL: absent */
	} rows[] = {
		{ "a", "a", "a" },
		{ "./a/", "a", "a" },
		{ "././/a//", "a", "a" },
		{ "./", ".", "." },
		{ "./.", ".", "." },
		{ ".//", ".", "." },
		{ ".", ".", "." },
		{ "", "", "." },
		{ "/", "/", "/" },
		{ "//", "/", "/" },
		{ "/a/./b/..", "/a/./b/..", "/a" },
		{ "/..", "/..", "/" },
		{ "/../a", "/../a", "/a" },
		{ "a/../b", "a/../b", "b" },
		{ "a/..", "a/..", "." },
		{ "../a", "../a", NULL },
		{ "a/../..", "a/../..", NULL },
		{ ".a", ".a", ".a" },
		{ "..a/b", "..a/b", "..a/b" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str path = str_from(rows[i].path), normal = path_normalise(&a, path);

		CHECK_ROW(rows[i].path, str_is(path_tidy(path), rows[i].tidy));
		CHECK_ROW(rows[i].path,
			  str_eq(normal, str_from(rows[i].normal)) && !normal.s == !rows[i].normal);
	}
}

TEST(a_path_is_below_a_directory_by_complete_names)
{
	static const struct {
		const char *path, *dir;
		bool is_at_or_below;
		const char *below; /* NULL: absent */
	} rows[] = {
		{ "/a/b", "/a", true, "b" },   { "/a/b/c", "/a/", true, "b/c" }, { "/a//b", "/a", true, "b" },
		{ "/a", "/a", true, NULL },    { "/a/", "/a", true, NULL },      { "/ab", "/a", false, NULL },
		{ "/a", "/a/b", false, NULL }, { "/a", "/", true, "a" },         { "/", "/", true, NULL },
		{ "a/b", "a", true, "b" },     { "a", "", false, NULL },         { "", "a", false, NULL },
		{ "a", "/", false, NULL },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct str path = str_from(rows[i].path), dir = str_from(rows[i].dir),
			   rest = path_below(path, dir);

		CHECK_ROW(rows[i].path, path_is_at_or_below(path, dir) == rows[i].is_at_or_below);
		CHECK_ROW(rows[i].path, str_eq(rest, str_from(rows[i].below)) && !rest.s == !rows[i].below);
	}
}

TEST(the_way_up_has_a_step_for_each_name)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(path_up(&a, STR_NONE), "");
	CHECK_STR(path_up(&a, STR("")), "");
	CHECK_STR(path_up(&a, STR("a")), "../");
	CHECK_STR(path_up(&a, STR("a/b//c/")), "../../../");
}
