/* SPDX-License-Identifier: MIT */
/* What `agent-gauntlet init` installs for the agents: the command `gauntlet`, and Claude Code's Stop hook. Existing files are
 * never replaced. */
#include "cmd/compat/gauntlet_init.h"

#include "base/path.h"
#include "doc/frontmatter.h"
#include "doc/json.h"
#include "install/settings_file.h"
#include "os/env.h"
#include "os/fs.h"

/* Where an agent looks for commands; NULL: it has no such directory. */
static const struct command_place {
	const char *reviewer, *project_dir, *user_dir, *file;
	bool is_toml;
} places[] = {
	{ "gemini", ".gemini/commands", ".gemini/commands", "gauntlet.toml", true },
	{ "codex", NULL, ".codex/prompts", "gauntlet.md", false },
	{ "claude", ".claude/commands", ".claude/commands", "gauntlet.md", false },
};

/* The command in Gemini's format: description and text as TOML strings. */
static struct str
toml_text(const struct init *i)
{
	struct arena *a = i->arena;
	struct buf b = BUF(a, KIB(64));
	struct frontmatter f;
	struct frontmatter_value description = { .value = STR("") };
	struct str body = init_command_text(i);
	bool is_twice;
	struct err err;

	if (frontmatter_parse(body, &f, &err) == 0) {
		body = f.body;
		if (frontmatter_get(a, &f, "description", &description, &is_twice, &err) < 0)
			description.value = STR("");
	}
	buf_add(&b, STR("description = "));
	json_add_string(&b, description.value);
	buf_add(&b, STR("\nprompt = \"\"\"\n"));
	for (size_t k = 0; k < body.n; k++) {
		bool is_third = body.s[k] == '"' && k >= 2 && body.s[k - 1] == '"' && body.s[k - 2] == '"';

		if (body.s[k] == '\\' || is_third)
			buf_addc(&b, '\\');
		buf_addc(&b, body.s[k]);
	}
	buf_add(&b, STR("\"\"\"\n"));
	return buf_str(&b);
}

static int
write_command(const struct init *i, const struct command_place *p, const char *path, bool is_project,
	      struct err *err)
{
	if (p->is_toml)
		return fs_create(path, toml_text(i), 0644, err);
	/* in the project, a change of the text is a change of the command */
	if (is_project)
		return fs_symlink("../../.gauntlet/run_gauntlet.md", path, err);
	return fs_create(path, init_command_text(i), 0644, err);
}

static void
install(const struct init *i, const struct command_place *p, bool is_project)
{
	struct str home = is_project ? STR("") : env_home(i->arena);
	struct str dir = path_join(i->arena, home, str_from(is_project ? p->project_dir : p->user_dir));
	struct str path = path_join(i->arena, dir, str_from(p->file));
	bool is_link = is_project && !p->is_toml;
	struct err err;

	if (fs_lkind(path.s) != FS_NOTHING)
		init_print(i, "  %s: " STR_FMT " already exists, skipping\n", p->reviewer, STR_ARG(path));
	else if (fs_make_dirs(dir.s, 0755, &err) < 0 || write_command(i, p, path.s, is_project, &err) < 0)
		init_print(i, "  %s: Could not create command - %s\n", p->reviewer, err.msg);
	else
		init_print(i, "Created " STR_FMT "%s\n", STR_ARG(path),
			   is_link ? " (symlink to .gauntlet/run_gauntlet.md)" : "");
}

/* The command directories of the chosen reviewers at that level. */
static size_t
find_places(const struct init *i, bool is_project, const struct command_place *ret[COUNT_OF(places)])
{
	size_t count = 0;

	for (size_t k = 0; k < i->reviewer_count; k++)
		for (size_t n = 0; n < COUNT_OF(places); n++)
			if (str_is(str_from(i->reviewers[k]->name), places[n].reviewer) &&
			    (is_project ? places[n].project_dir : places[n].user_dir))
				ret[count++] = &places[n];
	return count;
}

/* 1: none, 2: in the project, 3: for the user. */
static uint64_t
ask_level(struct init *i)
{
	init_print(i, "Where would you like to install the /gauntlet command?\n"
		      "  1) Don't install commands\n"
		      "  2) Project level (this repository)\n"
		      "  3) User level (all your projects)\n");
	for (int try = 0; try < TRIES_MAX; try++) {
		struct str answer = ask(i->arena, &i->asker, "Select option [1-3]: ");

		if (answer.n == 1 && answer.s[0] >= '1' && answer.s[0] <= '3')
			return (uint64_t)(answer.s[0] - '0');
		if (answer.n == 0)
			break;
		init_print(i, "Invalid selection: " STR_FMT "\n", STR_ARG(answer));
	}
	return 1;
}

static void
ask_agents(struct init *i, const struct command_place *const *there, size_t count, bool *is_chosen)
{
	const char *names[COUNT_OF(places)];

	for (size_t k = 0; k < count; k++)
		names[k] = there[k]->reviewer;
	(void)init_ask_choice(
		i, "Which agents should have it?", names, count,
		str_fmt(i->arena, "Select options (comma-separated, e.g., 1,2 or %zu for all): ", count + 1),
		is_chosen);
}

void
init_install_commands(struct init *i)
{
	const struct command_place *there[COUNT_OF(places)];
	bool is_chosen[COUNT_OF(places)] = { false };
	uint64_t level = i->is_asking ? ask_level(i) : 2;
	size_t count = level > 1 ? find_places(i, level == 2, there) : 0;

	if (level == 1) {
		init_print(i, "Skipping command installation.\n");
		return;
	}
	if (i->is_asking && count > 0)
		ask_agents(i, there, count, is_chosen);
	for (size_t k = 0; k < count; k++)
		if (is_chosen[k] || !i->is_asking)
			install(i, there[k], level == 2);
}

/* ---- the hook ---- */

static int
register_hook(const struct init *i, struct str path, struct err *err)
{
	static const struct hook_wanted wanted = { .event = "Stop", .words = "stop-hook", .timeout_s = 300 };
	const struct hooks_request request = { .program = STR("agent-gauntlet"),
					       .wanted = &wanted,
					       .count = 1 };
	struct hook_change change;
	struct settings_file file;

	if (settings_file_open(i->arena, &client_claude, path, &file, err) < 0)
		return -1;
	struct settings_edit edit = settings_file_edit(&file);
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root = settings_file_tree(&file, &scratch);
	struct hook_list list = hooks_list(&scratch, edit.shape, &root);

	for (size_t k = 0; k < list.count; k++) {
		enum hook_kind kind = list.items[k].kind;

		/* holdfast's own hook runs the gates, too */
		if (str_is(list.items[k].event, "Stop") && (kind == HOOK_GAUNTLET || kind == HOOK_HOLDFAST)) {
			init_print(i, "Stop hook already installed\n");
			return 0;
		}
	}
	arena_free(&scratch);
	if (settings_edit_register(&edit, &request, &change, err) < 0)
		return err_wrap(err, STR_FMT, STR_ARG(path));
	file.new_text = edit.text;
	if (fs_make_dirs(".claude", 0755, err) < 0 || settings_file_write(&file, err) < 0)
		return -1;
	init_print(i, "Stop hook installed - gauntlet will run automatically when agent stops\n");
	return 0;
}

void
init_install_hook(struct init *i)
{
	struct err err;

	if (!ask_yes(i->arena, &i->asker, "Install Claude Code stop hook? (y/n): "))
		return;
	if (register_hook(i, STR(".claude/settings.local.json"), &err) < 0)
		init_print(i, "Stop hook not installed: %s\n", err.msg);
}
