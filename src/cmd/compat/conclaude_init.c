/* SPDX-License-Identifier: MIT */
/* conclaude init: writes a configuration to start from and registers the hooks, in Claude Code's settings and in the
 * files of its agents. All is read and planned before the first byte is written. */
#include "base/buf.h"
#include "base/path.h"
#include "cmd/commands.h"
#include "cmd/conclaude_template.h"
#include "install/claude_agents.h"
#include "install/settings_file.h"
#include "os/env.h"
#include "os/fs.h"
#include "ui/print.h"

#define SCHEMA_URL \
	"https://github.com/connerohnesorge/conclaude/releases/latest/download/conclaude-schema.json"
#define TIMEOUT_S 600
#define AGENTS_MAX 4096
#define AGENT_DEPTH_MAX 16

static const struct hook_wanted wanted[] = {
	{ .event = "Stop", .words = "Hooks Stop", .timeout_s = TIMEOUT_S },
	{ .event = "UserPromptSubmit", .words = "Hooks UserPromptSubmit", .timeout_s = TIMEOUT_S },
	{ .event = "SessionEnd", .words = "Hooks SessionEnd", .timeout_s = TIMEOUT_S },
	/* for the rules of the template */
	{ .event = "PreToolUse",
	  .words = "Hooks PreToolUse",
	  .timeout_s = TIMEOUT_S,
	  .matcher = "Edit|MultiEdit|NotebookEdit|Write",
	  .is_optional = true },
};

struct job {
	struct arena *arena;
	const struct invocation *inv;
	struct str cwd, program;
	struct str config, claude_dir, settings; /* as they are shown; the last is absolute */
	bool has_force;
	struct settings_file file;
	struct hook_wanted wanted[COUNT_OF(wanted)]; /* without those that holdfast handles already */
	struct hook_change changes[COUNT_OF(wanted)];
	size_t wanted_count;
	size_t agents_found, agents_changed, agents_failed; /* files */
	struct buf out, problems;
};

static void
report_done(struct job *j, const char *what)
{
	print_styled(&j->out, tty_wants_colour(1), STYLE_GREEN, STR("[OK]"));
	buf_addf(&j->out, " %s:\n", what);
}

static void report_problem(struct job *j, const char *word, const char *fmt, ...) PRINTF_LIKE(3, 4);

static void
report_problem(struct job *j, const char *word, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	struct str text = str_vfmt(j->arena, fmt, args);

	va_end(args);
	print_styled(&j->problems, tty_wants_colour(2), STYLE_YELLOW, str_from(word));
	buf_addf(&j->problems, " " STR_FMT "\n", STR_ARG(text));
}

/* `conclaude` where the shell finds it, else the link next to this program. */
static struct str
program(struct arena *a)
{
	struct str self = env_self(a), dir = self.s ? path_parent(self) : STR_NONE;
	struct str neighbour = dir.s ? path_join(a, dir, STR("conclaude")) : STR_NONE;

	if (env_find_program(a, "conclaude").s || !neighbour.s || fs_kind(neighbour.s) != FS_FILE)
		return STR("conclaude");
	return neighbour;
}

static struct str
absolute(struct job *j, struct str path)
{
	return path.n > 0 && path.s[0] == '/' ? path : path_join(j->arena, j->cwd, path);
}

static int
pick_paths(struct job *j, struct err *err)
{
	struct str config = option_str(j->inv, "config-path"), dir = option_str(j->inv, "claude-path");
	const char *z;

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
	struct str full = absolute(j, j->claude_dir), real = dir.s ? fs_real(j->arena, full.s) : STR_NONE;

	j->settings = path_join(j->arena, real.s ? real : full, STR("settings.json"));
	return 0;
}

static int
check_url(struct str url, struct err *err)
{
	for (size_t i = 0; i < url.n; i++)
		if (url.s[i] <= ' ' || url.s[i] == 0x7F)
			return err_set(err, ERR_USAGE, "--schema-url: a URL has no blanks or line ends");
	return url.n > 0 ? 0 : err_set(err, ERR_USAGE, "--schema-url: an empty URL");
}

/* Skips events that holdfast is registered for: both would act on them. */
static void
pick_events(struct job *j)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root = settings_file_tree(&j->file, &scratch);
	struct hook_list list = hooks_list(&scratch, &client_claude.settings->shape, &root);

	for (size_t i = 0; i < COUNT_OF(wanted); i++) {
		const struct hook_entry *rival = NULL;

		for (size_t k = 0; k < list.count && !rival; k++)
			if (list.items[k].kind == HOOK_HOLDFAST &&
			    (wanted[i].is_optional || str_is(list.items[k].event, wanted[i].event)))
				rival = &list.items[k];
		if (rival)
			report_problem(j, "WARNING:",
				       "%s is not registered: '" STR_FMT
				       "' is, and acts on this configuration too",
				       wanted[i].event, STR_ARG(hook_shown(j->arena, rival->command)));
		else
			j->wanted[j->wanted_count++] = wanted[i];
	}
}

static int
plan_settings(struct job *j, struct err *err)
{
	if (settings_file_open(j->arena, &client_claude, j->settings, &j->file, err) < 0)
		return -1;
	settings_file_drop_stale_record(&j->file);
	if (fs_is_read_only(j->settings.s))
		return err_set(err, ERR_VALUE, STR_FMT ": is read-only", STR_ARG(j->settings));
	pick_events(j);
	if (j->wanted_count == 0)
		return 0;
	const struct hooks_request request = { .program = j->program,
					       .wanted = j->wanted,
					       .count = j->wanted_count };
	struct settings_edit edit = settings_file_edit(&j->file);

	if (settings_edit_renew(&edit, &request, j->changes, err) < 0)
		return err_wrap_file(err, str_copy(j->arena, j->settings).s);
	j->file.new_text = edit.text;
	for (size_t i = 0; i < j->wanted_count; i++)
		if (j->changes[i].kind != CHANGE_NONE)
			name_set_add(j->arena, &j->file.record.conclaude_events,
				     str_from(j->wanted[i].event));
	return 0;
}

/* Of two names in one directory, .yaml has precedence, and .yml would be ignored without a message. */
static void
warn_of_other_name(struct job *j, struct str path)
{
	struct str other = str_fmt(j->arena, STR_FMT "yml", STR_ARG(str_sub(path, 0, path.n - 4)));

	if (str_ends(path, STR(".conclaude.yaml")) && fs_kind(other.s) != FS_NOTHING)
		report_problem(j, "WARNING:", STR_FMT " is not read any more: " STR_FMT " goes before it",
			       STR_ARG(other), STR_ARG(path));
}

static int
write_config(struct job *j, struct str url, struct err *err)
{
	struct str text = str_fmt(j->arena, "# yaml-language-server: $schema=" STR_FMT "\n%s", STR_ARG(url),
				  CONCLAUDE_TEMPLATE);
	struct str path = str_copy(j->arena, j->config);

	if (path_parent(path).s && fs_make_parents(j->arena, path, 0755, err) < 0)
		return -1;
	if ((j->has_force ? fs_replace(j->arena, path.s, text, 0644, err)
			  : fs_create(path.s, text, 0644, err)) < 0)
		return -1;
	warn_of_other_name(j, path);
	report_done(j, "Created configuration file");
	buf_addf(&j->out, "   " STR_FMT "\n   Schema URL: " STR_FMT "\n", STR_ARG(path), STR_ARG(url));
	return 0;
}

static int
write_settings(struct job *j, struct err *err)
{
	bool is_changed = settings_file_is_changed(&j->file);
	struct str note = STR_NONE;

	if (j->wanted_count == 0)
		return 0;
	if (is_changed && settings_file_save(&j->file, &note, err) < 0)
		return -1;
	if (note.s)
		report_problem(j, "WARNING:", STR_FMT, STR_ARG(note));
	report_done(j, !j->file.text.s ? "Created Claude Code settings"
		       : is_changed    ? "Updated Claude Code settings"
				       : "Nothing to change in the Claude Code settings");
	buf_addf(&j->out, "   " STR_FMT "\n\nConfigured hooks:\n", STR_ARG(j->settings));
	for (size_t i = 0; i < j->wanted_count; i++)
		buf_addf(&j->out, "   - %s\n", j->wanted[i].event);
	return 0;
}

/* An older entry for it, which the template has no command for, would leave Claude Code without worktrees. */
static void
warn_of_worktrees(struct job *j)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root = settings_file_tree(&j->file, &scratch);
	struct hook_list list = hooks_list(&scratch, &client_claude.settings->shape, &root);

	for (size_t i = 0; i < list.count; i++)
		if (list.items[i].kind == HOOK_CONCLAUDE && str_is(list.items[i].event, "WorktreeCreate"))
			report_problem(j, "WARNING:",
				       "with '" STR_FMT "' in the settings and no 'worktreeCreate.command', "
				       "no worktree is made: take it "
				       "out, and Claude Code makes them itself",
				       STR_ARG(list.items[i].command));
}

/* ---- agents ---- */

/* The file's text with the hook; *ret_is_changed is false where there is nothing to write. */
static int
plan_agent(struct job *j, struct str path, bool *ret_is_changed, struct str *ret, struct err *err)
{
	struct claude_agent agent;
	struct str text;

	*ret_is_changed = false;
	if (fs_read(j->arena, path.s, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s || !claude_agent_has_matter(text)) {
		report_problem(j, "WARNING:", STR_FMT ": has no front matter, so it was passed over",
			       STR_ARG(path));
		return 0;
	}
	if (claude_agent_read(j->arena, text, &agent, err) < 0)
		return -1;
	struct str file = path_base(path), name = agent.name.s ? agent.name : str_sub(file, 0, file.n - 3);

	if (!agent.name.s)
		report_problem(j, "WARNING:", STR_FMT ": has no name, so the file's is taken: " STR_FMT,
			       STR_ARG(path), STR_ARG(name));
	if (agent.has_hooks && !j->has_force) {
		buf_addf(&j->out, "   Agent '" STR_FMT "' already has hooks, skipping.\n", STR_ARG(name));
		return 0;
	}
	struct str word = shell_quote(j->arena, j->program), quoted = shell_quote(j->arena, name);
	struct str command = str_fmt(j->arena, STR_FMT " Hooks Stop --agent " STR_FMT, STR_ARG(word),
				     STR_ARG(quoted));

	if (claude_agent_register(j->arena, &agent, command, TIMEOUT_S, ret, err) < 0)
		return -1;
	*ret_is_changed = !str_eq(*ret, text);
	buf_addf(&j->out, "   Agent '" STR_FMT "': %s\n", STR_ARG(name),
		 *ret_is_changed ? "hooks added" : "has its hooks already");
	return 0;
}

static void
put_into_agent(struct job *j, struct str path)
{
	bool is_changed;
	struct str text;
	struct err err;

	j->agents_found++;
	if (plan_agent(j, path, &is_changed, &text, &err) == 0) {
		if (!is_changed)
			return;
		if (fs_replace(j->arena, path.s, text, 0644, &err) == 0) {
			name_set_add(j->arena, &j->file.record.agents, absolute(j, path));
			j->agents_changed++;
			return;
		}
	}
	j->agents_failed++;
	bool has_place = err.msg[0] >= '0' && err.msg[0] <= '9';

	report_problem(j, "[ERROR]", "Failed to inject hooks into " STR_FMT ":%s%s", STR_ARG(path),
		       has_place ? "" : " ", err.msg);
}

/* Links to directories are not followed: they may form a cycle. */
static void
walk_agents(struct job *j, struct str dir, int depth)
{
	struct arena *a = j->arena;
	struct fs_names names;
	struct err err;

	if (fs_list(a, dir.s, FS_NO_LIMIT, &names, &err) < 0) {
		report_problem(j, "WARNING:", "%s", err.msg);
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
		buf_add(&j->out, STR("No agents directory found, skipping agent hook injection.\n"));
		return;
	}
	walk_agents(j, dir, 0);
	if (j->agents_found == 0)
		buf_addf(&j->out, "No agent files found in " STR_FMT "\n", STR_ARG(dir));
	if (j->agents_failed > 0)
		buf_addf(&j->out, "%zu agent file%s could not be changed.\n", j->agents_failed,
			 j->agents_failed == 1 ? "" : "s");
	struct err err;

	if (j->agents_changed > 0 && install_record_save(&j->file.record, &err) < 0)
		report_problem(j, "WARNING:", "the change could not be recorded for 'holdfast uninstall': %s",
			       err.msg);
}

static int
finish(struct job *j, const struct err *err)
{
	print_err(buf_str(&j->problems));
	if (!err)
		buf_add(&j->out, STR("\nYou can now use Claude Code with conclaude hook handling.\n"));
	int code = print_out(buf_str(&j->out));

	return err ? command_fail(j->inv, "%s", err->msg) : code;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct job *j = arena_new(a, struct job);
	struct str url = option_str(inv, "schema-url");
	struct err err;

	*j = (struct job){ .arena = a,
			   .inv = inv,
			   .cwd = fs_cwd(a),
			   .program = program(a),
			   .has_force = option_has(inv, "force"),
			   .out = BUF(a, MIB(4)),
			   .problems = BUF(a, MIB(4)) };
	if (!url.s)
		url = STR(SCHEMA_URL);
	if (!j->cwd.s)
		return command_fail(inv, "the current directory no longer exists");
	if (check_url(url, &err) < 0 || pick_paths(j, &err) < 0)
		return command_misuse(inv, "%s", err.msg);
	if (!j->has_force && fs_lkind(str_copy(a, j->config).s) != FS_NOTHING) {
		report_problem(j, "WARNING:", "Configuration file already exists:");
		buf_addf(&j->problems, "   " STR_FMT "\n\nUse --force to overwrite existing configuration.\n",
			 STR_ARG(j->config));
		print_err(buf_str(&j->problems));
		return 1;
	}
	if (plan_settings(j, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	buf_add(&j->out, STR("Initializing conclaude configuration...\n\n"));
	if (write_config(j, url, &err) < 0 || write_settings(j, &err) < 0)
		return finish(j, &err);
	warn_of_worktrees(j);
	register_in_agents(j);
	return finish(j, NULL);
}

static const struct option_row options[] = {
	{ .name = "config-path",
	  .arg_name = "FILE",
	  .help = "the configuration file to write (default .conclaude.yaml)" },
	{ .name = "claude-path",
	  .arg_name = "DIRECTORY",
	  .help = "the directory of Claude Code's settings (default .claude)" },
	{ .name = "force", .short_name = 'f', .help = "overwrite an existing configuration" },
	{ .name = "schema-url",
	  .arg_name = "URL",
	  .help = "the URL of the configuration's schema, for editors" },
};

const struct command conclaude_init_command = {
	.name = "init",
	.summary = "write a starter configuration and register the hooks",
	.details =
		"Writes .conclaude.yaml, and registers the hooks Stop, UserPromptSubmit, "
		"SessionEnd and PreToolUse in Claude Code's settings and the hook Stop in the files of its "
		"agents. Existing conclaude entries for these events are replaced; all other "
		"settings are kept byte for byte. With --force, the hook is also added to agents "
		"that already have hooks. 'holdfast uninstall' removes what was added.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
