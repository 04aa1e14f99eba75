/* SPDX-License-Identifier: MIT */
/* agent-gauntlet init: gates to start from, the command `gauntlet` for the agents, and Claude Code's Stop hook. Asks, or takes the
 * defaults; never changes a .gauntlet that is there, and never replaces a file. */
#include "cmd/compat/compat.h"

#include "cmd/commands.h"
#include "cmd/gates/gates.h"
#include "cmd/gauntlet_templates.h"
#include "doc/yaml_out.h"
#include "git/git.h"
#include "install/settings.h"
#include "os/env.h"
#include "os/fs.h"
#include "ui/print.h"

#define REVIEWERS_MAX 8
#define LOG_DIR "gauntlet_logs"

/* A check that was asked for. */
struct init_check {
	const char *name, *question, *command_question;
	bool is_wanted;
	struct str command; /* empty: to be filled in later */
};
#define INIT_CHECKS 2

struct init {
	struct arena *arena;
	const struct gauntlet_init_options *options;
	struct asker asker;
	struct str root;                                       /* where .gauntlet goes */
	const struct known_reviewer *reviewers[REVIEWERS_MAX]; /* those to configure */
	size_t reviewer_count;
	struct str source;
	struct init_check checks[INIT_CHECKS];
};

/* ---- questions ---- */

/* Lists the names, and asks for numbers such as "1,3", where one more than `count` selects all, until the answer is valid. The
 * chosen ones as bits; 0: there was no valid answer. */
static unsigned
ask_choice(struct init *i, const char *title, const char *const *names, size_t count, struct str question)
{
	print_cat(title, "\n");
	for (size_t k = 0; k < count; k++)
		print_cat("  ", k + 1, ") ", names[k], "\n");
	print_cat("  ", count + 1, ") All\n");
	for (int try = 0; try < TRIES_MAX; try++) {
		struct str rest = ask(i->arena, &i->asker, STR_FMT, STR_ARG(question)), piece = STR("");
		bool is_valid = rest.n > 0;
		unsigned chosen = 0;
		uint64_t number;

		if (!is_valid)
			break;
		while (is_valid && str_next(&rest, ',', &piece)) {
			piece = str_trim(piece);
			is_valid = number_parse(piece, &number) && number >= 1 && number <= count + 1;
			if (is_valid)
				chosen |= number > count ? (1U << count) - 1 : 1U << (number - 1);
		}
		if (is_valid)
			return chosen;
		print_cat("Invalid selection: ", piece, "\n");
	}
	return 0;
}

static void
ask_all(struct init *i)
{
	const char *names[REVIEWERS_MAX];
	size_t kept = 0;

	for (size_t k = 0; k < i->reviewer_count; k++)
		names[k] = i->reviewers[k]->name;
	unsigned chosen = ask_choice(i, "Which CLIs would you like to use?", names, i->reviewer_count,
				     STR("(comma-separated, e.g., 1,2): "));

	for (size_t k = 0; chosen && k < i->reviewer_count; k++)
		if (chosen >> k & 1)
			i->reviewers[kept++] = i->reviewers[k];
	i->reviewer_count = chosen ? kept : i->reviewer_count;
	struct str source = ask(i->arena, &i->asker,
				"Enter your source directory (e.g., src, lib, .) [default: .]: ");

	if (source.n > 0)
		i->source = source;
	for_each (c, i->checks, INIT_CHECKS) {
		c->is_wanted = ask_yes(i->arena, &i->asker, c->question);
		if (c->is_wanted)
			c->command = ask(i->arena, &i->asker, "%s", c->command_question);
	}
}

/* Fills `reviewers`. False: there is none, which is reported. */
static bool
find_reviewers(struct init *i)
{
	const struct gauntlet_init_options *o = i->options;
	struct buf b = BUF(i->arena, KIB(4));

	print_cat("Detecting available CLI agents...\n");
	for_each (r, known_reviewers, known_reviewer_count) {
		bool is_there = env_find_program(i->arena, r->program).s != NULL, is_wanted = is_there;

		/* A reviewer has its client's name, or that of its maker before it. */
		for (size_t n = 0; n < o->declined.count; n++)
			is_wanted &= !str_ends(str_from(r->name), o->declined.items[n]);
		if (is_wanted && i->reviewer_count < REVIEWERS_MAX)
			i->reviewers[i->reviewer_count++] = r;
		print_cat(is_there ? "  ✓ " : "  ✗ ", r->name, is_there ? "\n" : " (not installed)\n");
	}
	print_cat("\n");
	if (i->reviewer_count == 0 && o->is_holdfast) {
		print_cat(o->declined.count > 0 ? "None of them is left" : "None of them is installed",
			  "; claude is named as the reviewer.\n");
		i->reviewers[i->reviewer_count++] = known_reviewer(STR("claude"));
	}
	if (i->reviewer_count > 0)
		return true;
	print_styled(&b, tty_wants_colour(1), STYLE_RED,
		     STR("Error: No CLI agents found. Install at least one:"));
	buf_add(&b, STR("\n  - Claude: https://docs.anthropic.com/en/docs/claude-code\n"
			"  - Gemini: https://github.com/google-gemini/gemini-cli\n"
			"  - Codex: https://github.com/openai/codex\n"));
	print_cat(buf_str(&b));
	return false;
}

/* ---- the files in .gauntlet ---- */

/* True: a .gauntlet is there that is left as it is, which is reported. */
static bool
has_gates(const struct init *i)
{
	if (gates_dialect(i->root)->configures_alone) {
		print_cat("holdfast.yml is there and configures the gates; no .gauntlet is written.\n");
		return true;
	}
	if (fs_lkind(".gauntlet") == FS_NOTHING)
		return false;
	bool has_config = fs_lkind(".gauntlet/config.yml") != FS_NOTHING;

	if (!has_config && i->options->is_holdfast && fs_kind(".gauntlet") == FS_DIR)
		return false;
	print_cat(".gauntlet directory already exists.\n");
	if (!has_config)
		print_cat("It has no config.yml: write one ('man holdfast-config'), or move .gauntlet "
			  "away and run this again.\n");
	return true;
}

static struct str
command_text(const struct init *i)
{
	return str_replace(i->arena, STR(RUN_GAUNTLET_TEMPLATE), STR("@PROGRAM@"),
			   str_from(invocation_program(i->options->inv)));
}

/* A check without a command is only a comment, so that the configuration is valid and no check passes without running. */
static struct str
entry_points(const struct init *i)
{
	struct arena *a = i->arena;
	struct buf items = BUF(a, KIB(64));
	struct str root = STR("  - path: \".\"\n    reviews:\n      - code-quality\n"), checks = STR("");
	struct str path = str_cat(a, "- path: ", yaml_quote(a, i->source), "\n");
	bool has_filled = false;

	for_each (c, i->checks, INIT_CHECKS) {
		has_filled |= c->command.n > 0;
		if (c->is_wanted && c->command.n > 0)
			buf_cat(&items, "      - ", c->name, "\n");
		else if (c->is_wanted)
			buf_cat(&items, "      # - ", c->name, " # once its command is in checks/", c->name,
				".yml\n");
	}
	if (items.n > 0)
		checks = str_cat(a, has_filled ? "    checks:\n" : "    # checks:\n", buf_str(&items));
	if (str_is(i->source, ".") || items.n == 0)
		return str_cat(a, root, checks);
	return has_filled ? str_cat(a, "  ", path, checks, root) : str_cat(a, root, "  # ", path, checks);
}

static struct str
config_text(const struct init *i)
{
	static const char *const usual[] = { "origin/main", "origin/master", "main", "master" };
	struct repository r = { .root = i->root };
	struct buf reviewers = BUF(i->arena, KIB(64));
	size_t k = 0;

	/* The first usual name that exists; the default where none does. */
	while (k < COUNT_OF(usual) && git_has_commit(i->arena, &r, str_from(usual[k]), IGNORED) != ANSWER_YES)
		k++;
	struct str text = str_replace(i->arena, STR(CONFIG_TEMPLATE), STR("@BASE@"),
				      str_from(usual[k < COUNT_OF(usual) ? k : 0]));

	for (k = 0; k < i->reviewer_count; k++)
		buf_cat(&reviewers, "    - ", i->reviewers[k]->name, "\n");
	text = str_replace(i->arena, text, STR("@REVIEWERS@"), buf_str(&reviewers));
	return str_replace(i->arena, text, STR("@ENTRY_POINTS@"), entry_points(i));
}

static struct str
check_text(struct arena *a, const struct init_check *c)
{
	struct str command = c->command, note = STR("");

	if (command.n == 0) {
		command = str_cat(a, "echo 'There is no command in .gauntlet/checks/", c->name,
				  ".yml yet' >&2; exit 1");
		note = str_cat(a, "# Put the command here, and then name ", c->name,
			       " among the checks of an entry point in ../config.yml.\n");
	}
	struct str text = str_replace(a, STR(CHECK_TEMPLATE), STR("@NAME@"), str_from(c->name));

	text = str_replace(a, text, STR("@NOTE@"), note);
	return str_replace(a, text, STR("@COMMAND@"), yaml_quote(a, command));
}

static int
create(struct str path, struct str text, struct err *err)
{
	bool is_there = fs_lkind(path.s) != FS_NOTHING;

	if (!is_there && fs_create(path.s, text, 0644, err) < 0)
		return -1;
	print_cat(is_there ? "" : "Created ", path, is_there ? " already exists, skipping\n" : "\n");
	return 0;
}

static int
write_files(const struct init *i, struct err *err)
{
	if (fs_make_dirs(".gauntlet/checks", 0755, err) < 0 ||
	    fs_make_dirs(".gauntlet/reviews", 0755, err) < 0 ||
	    create(STR(".gauntlet/config.yml"), config_text(i), err) < 0)
		return -1;
	for_each (c, i->checks, INIT_CHECKS) {
		struct str path = str_cat(i->arena, ".gauntlet/checks/", c->name, ".yml");

		if (!c->is_wanted)
			continue;
		if (create(path, check_text(i->arena, c), err) < 0)
			return -1;
		if (c->command.n == 0)
			print_cat("  ", c->name, ": put its command into ", path,
				  ", then name it in .gauntlet/config.yml\n");
	}
	if (create(STR(".gauntlet/reviews/code-quality.md"), STR(CODE_QUALITY_TEMPLATE), err) < 0)
		return -1;
	return create(STR(".gauntlet/run_gauntlet.md"), command_text(i), err);
}

/* Adds the log directory to .gitignore, where there is a repository. */
static void
ignore_logs(struct arena *a)
{
	const char *path = fs_kind(".gitignore") == FS_FILE || fs_kind(".git") == FS_FILE ? ".gitignore"
			   : fs_kind(".git/info") == FS_DIR ? ".git/info/exclude"
							    : NULL;
	struct str text, line;
	struct err err;

	if (!path)
		return;
	if (fs_read(a, path, CONFIG_LIMIT_BYTES, &text, &err) == 0) {
		bool has_end = text.n == 0 || str_ends(text, STR("\n"));

		while (str_next(&text, '\n', &line)) {
			line = str_trim(line);
			(void)str_skip(&line, "/");
			if (str_is(line, LOG_DIR) || str_is(line, LOG_DIR "/"))
				return;
		}
		if (fs_append(path, has_end ? STR(LOG_DIR "/\n") : STR("\n" LOG_DIR "/\n"), 0644, &err) ==
		    0) {
			print_cat("Added " LOG_DIR "/ to ", path, "\n");
			return;
		}
	}
	print_cat(LOG_DIR "/ could not be added to ", path, ": ", err.msg, "\n");
}

/* ---- the agents' command ---- */

/* Where an agent looks for commands; NULL: it has no such directory. */
static const struct command_place {
	const char *reviewer, *project_dir, *user_dir, *file;
	bool is_toml;
} places[] = {
	{ "gemini", ".gemini/commands", ".gemini/commands", "gauntlet.toml", true },
	{ "codex", NULL, ".codex/prompts", "gauntlet.md", false },
	{ "claude", ".claude/commands", ".claude/commands", "gauntlet.md", false },
};

static void
install_command(const struct init *i, const struct command_place *p, bool is_project)
{
	struct str home = is_project ? STR("") : env_home(i->arena), text = command_text(i);
	struct str dir = path_join(i->arena, home, str_from(is_project ? p->project_dir : p->user_dir));
	struct str path = path_join(i->arena, dir, str_from(p->file));
	/* In the project, a change of the text is a change of the command. */
	bool is_link = is_project && !p->is_toml;
	struct err err;

	/* Gemini's format has the text without its front matter, as a string of TOML: it has no backslash, and nowhere three quotation
	 * marks. */
	if (p->is_toml) {
		struct str body = str_rest(text, 4);

		body = str_rest(body, (size_t)str_find(body, STR("---\n")) + 4);
		text = str_replace(i->arena, STR(GEMINI_COMMAND_TEMPLATE), STR("@BODY@"), body);
	}
	if (fs_lkind(path.s) != FS_NOTHING)
		print_cat("  ", p->reviewer, ": ", path, " already exists, skipping\n");
	else if (fs_make_dirs(dir.s, 0755, &err) < 0 ||
		 (is_link ? fs_symlink("../../.gauntlet/run_gauntlet.md", path.s, &err)
			  : fs_create(path.s, text, 0644, &err)) < 0)
		print_cat("  ", p->reviewer, ": Could not create command - ", err.msg, "\n");
	else
		print_cat("Created ", path, is_link ? " (symlink to .gauntlet/run_gauntlet.md)\n" : "\n");
}

enum level { LEVEL_NONE = 1, LEVEL_PROJECT, LEVEL_USER };

static enum level
ask_level(struct init *i)
{
	print_cat("Where would you like to install the /gauntlet command?\n"
		  "  1) Don't install commands\n"
		  "  2) Project level (this repository)\n"
		  "  3) User level (all your projects)\n");
	for (int try = 0; try < TRIES_MAX; try++) {
		struct str answer = ask(i->arena, &i->asker, "Select option [1-3]: ");

		if (answer.n == 1 && answer.s[0] >= '1' && answer.s[0] <= '3')
			return (enum level)(answer.s[0] - '0');
		if (answer.n == 0)
			break;
		print_cat("Invalid selection: ", answer, "\n");
	}
	return LEVEL_NONE;
}

/* Installs the command for the agents that the user picks. A file that can't be written is reported. */
static void
install_commands(struct init *i)
{
	enum level level = i->options->is_asking ? ask_level(i) : LEVEL_PROJECT;
	const struct command_place *there[COUNT_OF(places)];
	const char *names[COUNT_OF(places)];
	unsigned chosen = ~0U;
	size_t count = 0;

	if (level == LEVEL_NONE) {
		print_cat("Skipping command installation.\n");
		return;
	}
	for (size_t k = 0; k < i->reviewer_count; k++)
		for (size_t n = 0; n < COUNT_OF(places); n++)
			if (str_is(str_from(i->reviewers[k]->name), places[n].reviewer) &&
			    (level == LEVEL_USER || places[n].project_dir)) {
				names[count] = places[n].reviewer;
				there[count++] = &places[n];
			}
	if (i->options->is_asking && count > 0)
		chosen = ask_choice(i, "Which agents should have it?", names, count,
				    str_cat(i->arena, "Select options (comma-separated, e.g., 1,2 or ",
					    count + 1, " for all): "));
	for (size_t k = 0; k < count; k++)
		if (chosen >> k & 1)
			install_command(i, there[k], level == LEVEL_PROJECT);
}

/* ---- the hook ---- */

static int
register_hook(const struct init *i, struct str path, struct err *err)
{
	static const struct hook_wanted stop = { .event = "Stop", .words = "stop-hook", .timeout_s = 300 };
	const struct settings_goal goal = {
		.program = STR("agent-gauntlet"), .kind = HOOK_HOLDFAST, .hooks = &stop, .count = 1
	};
	struct install_records records;
	struct settings_done done;
	struct settings_file file;

	install_records_load(i->arena, &records);
	settings_open(i->arena, &records, &client_claude, path, &file);
	if (settings_check(&file, err) < 0)
		return -1;
	for (size_t k = 0; k < file.hooks.count; k++) {
		enum hook_kind kind = file.hooks.items[k].kind;

		/* holdfast's own hook runs the gates, too */
		if (str_is(file.hooks.items[k].event, "Stop") &&
		    (kind == HOOK_GAUNTLET || kind == HOOK_HOLDFAST)) {
			print_cat("Stop hook already installed\n");
			return 0;
		}
	}
	if (settings_edit(&file, &goal, &done, err) < 0)
		return err_wrap(err, STR_FMT, STR_ARG(path));
	if (fs_make_dirs(".claude", 0755, err) < 0 || settings_write(&file, err) < 0)
		return -1;
	print_cat("Stop hook installed - gauntlet will run automatically when agent stops\n");
	return 0;
}

/* ---- all of it ---- */

int
gauntlet_init(struct arena *a, const struct gauntlet_init_options *o)
{
	struct init *i = arena_new(a, struct init);
	struct err err;

	*i = (struct init){
		.arena = a,
		.options = o,
		.root = o->root.s ? o->root : fs_cwd(a),
		.source = STR("."),
		.checks = { { .name = "lint",
			      .question = "Would you like to add a linting check? [y/N]: ",
			      .command_question = "Enter lint command (blank to fill later): " },
			    { .name = "unit-tests",
			      .question = "Would you like to add a unit test check? [y/N]: ",
			      .command_question = "Enter test command (blank to fill later): " } },
	};
	if (!i->root.s)
		return gates_error(o->inv, "the current directory no longer exists");
	if (o->root.s && fs_enter(o->root.s, &err) < 0)
		return gates_error(o->inv, err.msg);
	if (has_gates(i) || !find_reviewers(i))
		return 0;
	if (i->options->is_asking)
		ask_all(i);
	if (write_files(i, &err) < 0)
		return gates_error(o->inv, err.msg);
	ignore_logs(a);
	install_commands(i);
	if (i->options->is_asking && ask_yes(a, &i->asker, "Install Claude Code stop hook? (y/n): ") &&
	    register_hook(i, STR(".claude/settings.local.json"), &err) < 0)
		print_cat("Stop hook not installed: ", err.msg, "\n");
	return 0;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	return gauntlet_init(
		a, &(struct gauntlet_init_options){ .inv = inv, .is_asking = !option_has(inv, "yes") });
}

const struct command gauntlet_init_command = {
	.name = "init",
	.summary = "initialize .gauntlet configuration",
	.details = "Writes .gauntlet with a starter configuration and a review, keeps the log "
		   "directory out of the repository, and installs the command 'gauntlet' for the "
		   "agents. Asks a few questions; the answers may be piped in. Registers the Stop "
		   "hook if you want it, and keeps all other settings byte for byte.",
	TAKES(FLAG("yes", "skip prompts and use defaults (all available CLIs, source: ., no extra checks)",
		   .short_name = 'y')),
	.run = run,
};
