/* SPDX-License-Identifier: MIT */
/* conclaude init: writes a configuration to start from and registers the hooks, in Claude Code's settings and in the
 * files of its agents. All is read and planned before the first byte is written. */
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/conclaude_templates.h"
#include "install/claude_agents.h"
#include "install/settings.h"
#include "os/env.h"
#include "os/fs.h"
#include "ui/print.h"

#define SCHEMA_URL \
	"https://github.com/connerohnesorge/conclaude/releases/latest/download/conclaude-schema.json"
#define TIMEOUT_S 600
#define AGENTS_MAX 4096
#define AGENT_DEPTH_MAX 16

static const struct hook_wanted wanted[] = {
#define HOOK(name) .event = name, .words = "Hooks " name, .timeout_s = TIMEOUT_S
	{ HOOK("Stop") },
	{ HOOK("UserPromptSubmit") },
	{ HOOK("SessionEnd") },
	/* for the rules of the template */
	{ HOOK("PreToolUse"), .matcher = "Edit|MultiEdit|NotebookEdit|Write", .is_optional = true },
};

struct job {
	struct arena *arena;
	const struct invocation *inv;
	struct str cwd, program;
	struct str config, claude_dir, settings; /* as they are shown; the last is absolute */
	struct str url;                          /* of the schema */
	bool has_force;
	struct install_records records;
	struct settings_file file;
	struct hook_wanted wanted[COUNT_OF(wanted)]; /* without those that holdfast handles already */
	size_t wanted_count;
	struct str worktree_hook; /* an entry for WorktreeCreate in the settings; absent: there is none */
	size_t agents_found, agents_changed, agents_failed; /* files */
	struct buf out, problems;
};

static void
report_done(struct job *j, const char *what)
{
	print_styled(&j->out, tty_wants_colour(1), STYLE_GREEN, STR("[OK]"));
	buf_cat(&j->out, " ", what, ":\n");
}

static void
report_problem(struct job *j, const char *word, struct str text)
{
	print_styled(&j->problems, tty_wants_colour(2), STYLE_YELLOW, str_from(word));
	buf_cat(&j->problems, " ", text, "\n");
}
/* A warning made of pieces. */
#define warn(j, ...) report_problem((j), "WARNING:", str_cat((j)->arena, __VA_ARGS__))

static int
read_options(struct job *j, struct err *err)
{
	struct str config = option_str(j->inv, "config-path"), dir = option_str(j->inv, "claude-path");
	struct str url = option_str(j->inv, "schema-url");
	const char *z;

	j->url = url.s ? url : STR(SCHEMA_URL);
	if (j->url.n == 0)
		return err_set(err, ERR_USAGE, "--schema-url: an empty URL");
	for (size_t i = 0; i < j->url.n; i++)
		if (j->url.s[i] <= ' ' || j->url.s[i] == 0x7F)
			return err_set(err, ERR_USAGE, "--schema-url: a URL has no blanks or line ends");
	j->config = config.s ? config : STR(".conclaude.yaml");
	j->claude_dir = dir.s ? dir : STR(".claude");
	if (j->config.n == 0 || j->claude_dir.n == 0)
		return err_set(err, ERR_USAGE, "an empty path names nothing");
	while (j->claude_dir.n > 1 && j->claude_dir.s[j->claude_dir.n - 1] == '/')
		j->claude_dir.n--;
	if (str_cz(j->arena, j->config, &z, err) < 0 || str_cz(j->arena, j->claude_dir, &z, err) < 0)
		return -1;
	j->claude_dir = str_from(z);
	/* The record is kept under the real path, as 'holdfast uninstall' looks it up. */
	struct str full = path_from(j->arena, j->cwd, j->claude_dir),
		   real = dir.s ? fs_real(j->arena, full.s) : STR_NONE;

	j->settings = path_join(j->arena, real.s ? real : full, STR("settings.json"));
	return 0;
}

static int
plan_settings(struct job *j, struct err *err)
{
	install_records_load(j->arena, &j->records);
	settings_open(j->arena, &j->records, &client_claude, j->settings, &j->file);
	if (settings_check(&j->file, err) < 0)
		return -1;
	settings_drop_stale_record(&j->file);
	if (fs_is_read_only(j->settings.s))
		return err_set(err, ERR_VALUE, STR_FMT ": is read-only", STR_ARG(j->settings));
	struct hook_list list = j->file.hooks;

	/* Skips events that holdfast is registered for: both would act on them. */
	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		const struct hook_entry *rival = NULL;

		for (size_t k = 0; k < list.count && !rival; k++)
			if (list.items[k].kind == HOOK_HOLDFAST &&
			    (wanted[i].is_optional || str_is(list.items[k].event, wanted[i].event)))
				rival = &list.items[k];
		if (rival)
			warn(j, wanted[i].event, " is not registered: '",
			     hook_shown(j->arena, rival->command),
			     "' is, and acts on this configuration too");
		else
			j->wanted[j->wanted_count++] = wanted[i];
	}
	/* An entry that the template has no command for would leave Claude Code without worktrees. */
	for (size_t i = 0; i < list.count; i++)
		if (list.items[i].kind == HOOK_CONCLAUDE && str_is(list.items[i].event, "WorktreeCreate"))
			j->worktree_hook = str_copy(j->arena, list.items[i].command);
	if (j->wanted_count == 0)
		return 0;
	const struct settings_goal all = { .program = j->program,
					   .kind = HOOK_CONCLAUDE,
					   .hooks = j->wanted,
					   .count = j->wanted_count,
					   .replaces_older = true };
	struct settings_done done;

	if (settings_edit(&j->file, &all, &done, err) < 0)
		return err_wrap_file(err, str_copy(j->arena, j->settings).s);
	return 0;
}

static int
write_config(struct job *j, struct err *err)
{
	struct arena *a = j->arena;
	struct str text = str_cat(a, "# yaml-language-server: $schema=", j->url, "\n", CONCLAUDE_TEMPLATE);
	struct str path = str_copy(a, j->config);

	if (path_parent(path).s && fs_make_parents(a, path, 0755, err) < 0)
		return -1;
	if ((j->has_force ? fs_replace(a, path.s, text, 0644, err) : fs_create(path.s, text, 0644, err)) < 0)
		return -1;
	/* Of two names in one directory, .yaml has precedence, and .yml would be ignored without a message. */
	struct str other = str_cat(a, str_sub(path, 0, path.n - 4), "yml");

	if (str_ends(path, STR(".conclaude.yaml")) && fs_kind(other.s) != FS_NOTHING)
		warn(j, other, " is not read any more: ", path, " goes before it");
	report_done(j, "Created configuration file");
	buf_cat(&j->out, "   ", path, "\n   Schema URL: ", j->url, "\n");
	return 0;
}

static int
write_settings(struct job *j, struct err *err)
{
	bool is_changed = settings_is_changed(&j->file), is_new = !j->file.text.s;
	struct str note = STR_NONE;

	if (j->wanted_count == 0)
		return 0;
	if (is_changed && settings_save(&j->file, &note, err) < 0)
		return -1;
	if (note.s)
		warn(j, note);
	report_done(j, is_new       ? "Created Claude Code settings"
		       : is_changed ? "Updated Claude Code settings"
				    : "Nothing to change in the Claude Code settings");
	buf_cat(&j->out, "   ", j->settings, "\n\nConfigured hooks:\n");
	for (size_t i = 0; i < j->wanted_count; i++)
		buf_cat(&j->out, "   - ", j->wanted[i].event, "\n");
	return 0;
}

/* ---- agents ---- */

/* The file's text with the hook; absent where there is nothing to write. */
static int
plan_agent(struct job *j, struct str path, struct str *ret, struct err *err)
{
	struct claude_agent agent;
	struct str text;

	*ret = STR_NONE;
	if (fs_read(j->arena, path.s, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s || !claude_agent_has_matter(text)) {
		warn(j, path, ": has no front matter, so it was passed over");
		return 0;
	}
	if (claude_agent_read(j->arena, text, &agent, err) < 0)
		return -1;
	struct str file = path_base(path), name = agent.name.s ? agent.name : str_sub(file, 0, file.n - 3);

	if (!agent.name.s)
		warn(j, path, ": has no name, so the file's is taken: ", name);
	if (agent.has_hooks && !j->has_force) {
		buf_cat(&j->out, "   Agent '", name, "' already has hooks, skipping.\n");
		return 0;
	}
	struct str command = str_cat(j->arena, shell_quote(j->arena, j->program), " Hooks Stop --agent ",
				     shell_quote(j->arena, name));

	if (claude_agent_register(&agent, command, TIMEOUT_S, ret, err) < 0)
		return -1;
	if (str_eq(*ret, text))
		*ret = STR_NONE;
	buf_cat(&j->out, "   Agent '", name, "': ", ret->s ? "hooks added\n" : "has its hooks already\n");
	return 0;
}

static void
put_into_agent(struct job *j, struct str path)
{
	struct str text;
	struct err err;
	bool is_planned = plan_agent(j, path, &text, &err) == 0;

	j->agents_found++;
	if (is_planned && !text.s)
		return;
	if (is_planned && fs_replace(j->arena, path.s, text, 0644, &err) == 0) {
		str_list_add_new(j->arena, &j->file.record.agents, path_from(j->arena, j->cwd, path));
		j->agents_changed++;
		return;
	}
	j->agents_failed++;
	/* Before LINE:COLUMN there is no blank. */
	report_problem(j, "[ERROR]",
		       str_cat(j->arena, "Failed to inject hooks into ", path,
			       is_digit(err.msg[0]) ? ":" : ": ", err.msg));
}

/* Links to directories are not followed: they may form a cycle. */
static void
walk_agents(struct job *j, struct str dir, int depth)
{
	struct arena *a = j->arena;
	struct str_list names;
	struct err err;

	if (fs_list(a, dir.s, FS_NO_LIMIT, &names, &err) < 0) {
		warn(j, err.msg);
		return;
	}
	for (size_t i = 0; i < names.count && j->agents_found < AGENTS_MAX; i++) {
		struct str path = path_join(a, dir, names.items[i]);

		if (fs_lkind(path.s) == FS_DIR && depth < AGENT_DEPTH_MAX)
			walk_agents(j, path, depth + 1);
		else if (str_ends(path, STR(".md")) && names.items[i].n > 3 && fs_kind(path.s) == FS_FILE)
			put_into_agent(j, path);
	}
}

static void
register_in_agents(struct job *j)
{
	struct str dir = path_join(j->arena, j->claude_dir, STR("agents"));

	buf_addc(&j->out, '\n');
	if (fs_kind(dir.s) != FS_DIR) {
		buf_cat(&j->out, "No agents directory found, skipping agent hook injection.\n");
		return;
	}
	walk_agents(j, dir, 0);
	if (j->agents_found == 0)
		buf_cat(&j->out, "No agent files found in ", dir, "\n");
	if (j->agents_failed > 0)
		buf_cat(&j->out, j->agents_failed, j->agents_failed == 1 ? " agent file" : " agent files",
			" could not be changed.\n");
	struct err err;

	if (j->agents_changed > 0 &&
	    install_record_save(&j->records, j->file.path, &j->file.record, &err) < 0)
		warn(j, "the change could not be recorded for 'holdfast uninstall': ", err.msg);
}

static int
finish(struct job *j, const struct err *err)
{
	print_err(buf_str(&j->problems));
	if (!err)
		buf_add(&j->out, STR("\nYou can now use Claude Code with conclaude hook handling.\n"));
	int code = print_out(buf_str(&j->out));

	return err ? command_error(j->inv, err->msg) : code;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct job *j = arena_new(a, struct job);
	struct str self = env_self(a);
	struct str link = self.s ? path_join(a, path_parent(self), STR("conclaude")) : STR_NONE;
	/* by its name where the shell finds it, else the link next to this program */
	bool has_link = link.s && fs_kind(link.s) == FS_FILE && !env_find_program(a, "conclaude").s;
	struct err err;

	*j = (struct job){ .arena = a,
			   .inv = inv,
			   .cwd = fs_cwd(a),
			   .program = has_link ? link : STR("conclaude"),
			   .has_force = option_has(inv, "force"),
			   .out = BUF(a, MIB(4)),
			   .problems = BUF(a, MIB(4)) };
	if (!j->cwd.s)
		return command_error(inv, "the current directory no longer exists");
	if (read_options(j, &err) < 0)
		return usage_error(inv, err.msg);
	if (!j->has_force && fs_lkind(str_copy(a, j->config).s) != FS_NOTHING) {
		warn(j, "Configuration file already exists:");
		buf_cat(&j->problems, "   ", j->config,
			"\n\nUse --force to overwrite existing configuration.\n");
		print_err(buf_str(&j->problems));
		return 1;
	}
	if (plan_settings(j, &err) < 0)
		return command_error(inv, err.msg);
	buf_add(&j->out, STR("Initializing conclaude configuration...\n\n"));
	if (write_config(j, &err) < 0 || write_settings(j, &err) < 0)
		return finish(j, &err);
	if (j->worktree_hook.s)
		warn(j, "with '", j->worktree_hook,
		     "' in the settings and no 'worktreeCreate.command', no worktree is made: "
		     "take it out, and Claude Code makes them itself");
	register_in_agents(j);
	return finish(j, NULL);
}

const struct command conclaude_init_command = {
	.name = "init",
	.summary = "write a starter configuration and register the hooks",
	.details = HELP_CONCLAUDE_INIT,
	TAKES(VALUE("config-path", "FILE", "the configuration file to write (default .conclaude.yaml)"),
	      VALUE("claude-path", "DIRECTORY", "the directory of Claude Code's settings (default .claude)"),
	      FLAG("force", "overwrite an existing configuration", .short_name = 'f'),
	      VALUE("schema-url", "URL", "the URL of the configuration's schema, for editors")),
	.run = run,
};
