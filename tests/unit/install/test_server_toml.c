/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "install/settings.h"

#define TABLE                                                            \
	"# Added by 'holdfast init'; 'holdfast uninstall' removes it.\n" \
	"[mcp_servers.holdfast]\ncommand = \"holdfast\"\nargs = [\"mcp\"]\n"

TEST(a_table_is_added_at_the_end_and_taken_out_byte_for_byte)
{
	static const char *const texts[] = {
		"",
		"\n",
		"a = 1",
		"a = 1\n",
		"a = 1\n\n",
		"a = 1\r\n",
		"# a comment",
		"[x]\ny = [\n1\n]",
		"[mcp_servers.db]\ncommand = \"db\"\n",
		"[mcp_servers.db]\ncommand = \"holdfast-db\"",
		"# [mcp_servers.holdfast]\n",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str before = str_from(texts[i]), command;

		CHECK_ROW(texts[i], toml_server_find(&a, before, &command) == SERVER_MISSING && !command.s);
		struct str text = toml_server_add(&a, before, STR("holdfast"));

		CHECK_ROW(texts[i], str_starts(text, before) && str_ends(text, STR(TABLE)));
		CHECK_ROW(texts[i], toml_server_find(&a, text, &command) == SERVER_OURS);
		CHECK_STR(command, "holdfast");
		CHECK_ROW(texts[i], str_eq(toml_server_remove(&a, text), before));
		/* what the user adds after it stays */
		struct str more = str_fmt(&a, STR_FMT "\n[x.y]\nz = 1\n", STR_ARG(text));

		CHECK_ROW(texts[i], toml_server_find(&a, more, &command) == SERVER_OURS);
		CHECK_ROW(texts[i], str_ends(toml_server_remove(&a, more), STR("\n[x.y]\nz = 1\n")));
	}
}

TEST(what_the_user_wrote_about_servers_is_left_alone)
{
	static const char *const texts[] = {
		"[mcp_servers.holdfast]\ncommand = \"holdfast\"\nargs = [\"mcp\"]\n",
		"[ mcp_servers . \"holdfast\" ]\n",
		"mcp_servers.holdfast.command = \"x\"\n",
		"mcp_servers = { db = { command = \"db\" } }\n",
		"\"mcp_servers\" = {}\n",
		"[[mcp_servers]]\n",
		"[mcp_servers]\nholdfast = { command = \"x\" }\n",
		"[mcp_servers]\n\"holdfast\" = { command = \"x\" }\n",
		/* ours, and a key that belongs to it */
		TABLE "env = { A = \"b\" }\n",
		TABLE "# a comment\nenv = { A = \"b\" }\n",
		TABLE "[mcp_servers.holdfast.env]\nA = \"b\"\n",
		TABLE "\n[x]\ny = 1\n[mcp_servers.holdfast.env]\nA = \"b\"\n",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str text = str_from(texts[i]), command;

		CHECK_ROW(texts[i], toml_server_find(&a, text, &command) == SERVER_OTHER && !command.s);
		CHECK_ROW(texts[i], str_eq(toml_server_remove(&a, text), text));
	}
}

TEST(a_program_with_odd_characters_in_its_path_is_quoted)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str path = STR("/a \"b\"\\c/holdfast"), command;
	struct str text = toml_server_add(&a, STR_NONE, path);

	CHECK(toml_server_find(&a, text, &command) == SERVER_OURS && str_eq(command, path));
	CHECK(toml_server_remove(&a, text).n == 0);
}
