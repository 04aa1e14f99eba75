/* SPDX-License-Identifier: MIT */
/* The files that `agent-gauntlet init` writes into .gauntlet, and the line that keeps the logs out of git. */
#include "cmd/compat/gauntlet_init.h"

#include "cmd/gauntlet_templates.h"
#include "conf/gauntlet.h"
#include "doc/yaml_out.h"
#include "git/git.h"
#include "os/fs.h"

#define LOG_DIR GAUNTLET_LOG_DIR

/* How many of the wanted checks have a command, or have none yet. */
static size_t
count_checks(const struct init *i, bool has_command)
{
	size_t count = 0;

	for (size_t k = 0; k < INIT_CHECKS; k++)
		count += i->checks[k].is_wanted && (i->checks[k].command.n > 0) == has_command;
	return count;
}

/* A check without a command is only a comment, so that the configuration is valid and no check passes without running. */
static void
add_checks(const struct init *i, struct buf *b)
{
	if (count_checks(i, true) + count_checks(i, false) == 0)
		return;
	buf_add(b, count_checks(i, true) > 0 ? STR("    checks:\n") : STR("    # checks:\n"));
	for (size_t k = 0; k < INIT_CHECKS; k++) {
		const struct init_check *c = &i->checks[k];

		if (c->is_wanted && c->command.n > 0)
			buf_addf(b, "      - %s\n", c->name);
		else if (c->is_wanted)
			buf_addf(b, "      # - %s # once its command is in checks/%s.yml\n", c->name,
				 c->name);
	}
}

static void
add_entry_points(const struct init *i, struct buf *b)
{
	bool has_filled = count_checks(i, true) > 0, is_root = str_is(i->source, ".");
	struct str path = yaml_quote(i->arena, i->source);

	buf_add(b, STR("# Which gates a part of the project has. A check is a file: with 'command: make "
		       "test' in\n"
		       "# checks/test.yml next to this file, 'checks: [test]' below runs it.\n"
		       "entry_points:\n"));
	if (has_filled && !is_root) {
		buf_addf(b, "  - path: " STR_FMT "\n", STR_ARG(path));
		add_checks(i, b);
	}
	buf_add(b, STR("  - path: \".\"\n    reviews:\n      - code-quality\n"));
	if (is_root)
		add_checks(i, b);
	else if (!has_filled && count_checks(i, false) > 0) {
		buf_addf(b, "  # - path: " STR_FMT "\n", STR_ARG(path));
		add_checks(i, b);
	}
}

/* The first usual name that exists; the default where none does. */
static struct str
base_branch(const struct init *i)
{
	static const char *const usual[] = { "origin/main", "origin/master", "main", "master" };
	struct repository r = { .root = i->root };
	struct err ignored;

	for (size_t k = 0; k < COUNT_OF(usual); k++)
		if (git_has_commit(i->arena, &r, str_from(usual[k]), &ignored) == ANSWER_YES)
			return str_from(usual[k]);
	return STR("origin/main");
}

static struct str
config_text(const struct init *i)
{
	struct buf b = BUF(i->arena, KIB(64));

	buf_addf(&b,
		 "# What changes are compared with, and where logs are written.\nbase_branch: " STR_FMT "\n",
		 STR_ARG(base_branch(i)));
	buf_add(&b, STR("log_dir: " LOG_DIR "\n"
			"\n"
			"# Gates that are parallel run at the same time.\n"
			"# allow_parallel: true\n"
			"\n"
			"cli:\n"
			"  # Who reviews, in the order of preference.\n"
			"  default_preference:\n"));
	for (size_t k = 0; k < i->reviewer_count; k++)
		buf_addf(&b, "    - %s\n", i->reviewers[k]->name);
	buf_add(&b, STR("  # Ask each reviewer for a short answer before it is used; that costs tokens.\n"
			"  # check_usage_limit: false\n"
			"\n"));
	add_entry_points(i, &b);
	buf_add(&b, STR("\n"
			"stop_hook:\n"
			"  # An agent that was sent back stops a second time when it has fixed what failed. "
			"With true, the\n"
			"  # gates run again then and the fix is verified, max_retries times at most; with "
			"false, the second\n"
			"  # stop is let through as it is.\n"
			"  reverify: true\n"));
	return buf_str(&b);
}

static struct str
check_text(const struct init *i, const struct init_check *c)
{
	struct buf b = BUF(i->arena, KIB(64));
	struct str command = c->command;

	buf_addf(&b, "name: %s\n", c->name);
	if (command.n == 0) {
		command = str_fmt(i->arena,
				  "echo 'There is no command in .gauntlet/checks/%s.yml yet' >&2; exit 1",
				  c->name);
		buf_addf(&b,
			 "# Put the command here, and then name %s among the checks of an entry point in "
			 "../config.yml.\n",
			 c->name);
	}
	command = yaml_quote(i->arena, command);
	buf_addf(&b, "command: " STR_FMT "\n", STR_ARG(command));
	buf_add(&b, STR("# working_directory: entrypoint\n"
			"# parallel: false\n"
			"# run_in_ci: true\n"
			"# run_locally: true\n"
			"# timeout: 300\n"
			"# fail_fast: false\n"
			"# fix_instructions: fix.md\n"));
	return buf_str(&b);
}

static int
create(const struct init *i, struct str path, struct str text, struct err *err)
{
	if (fs_lkind(path.s) != FS_NOTHING) {
		init_print(i, STR_FMT " already exists, skipping\n", STR_ARG(path));
		return 0;
	}
	if (fs_create(path.s, text, 0644, err) < 0)
		return -1;
	init_print(i, "Created " STR_FMT "\n", STR_ARG(path));
	return 0;
}

struct str
init_command_text(const struct init *i)
{
	struct buf b = BUF(i->arena, KIB(64));
	struct str rest = STR(RUN_GAUNTLET_TEMPLATE), name = STR("@PROGRAM@");

	for (ptrdiff_t at; (at = str_find(rest, name)) >= 0;
	     rest = str_sub(rest, (size_t)at + name.n, rest.n)) {
		buf_add(&b, str_sub(rest, 0, (size_t)at));
		buf_add(&b, i->program);
	}
	buf_add(&b, rest);
	return buf_str(&b);
}

int
init_write_files(const struct init *i, struct err *err)
{
	if (fs_make_dirs(".gauntlet/checks", 0755, err) < 0 ||
	    fs_make_dirs(".gauntlet/reviews", 0755, err) < 0 ||
	    create(i, STR(".gauntlet/config.yml"), config_text(i), err) < 0)
		return -1;
	for (size_t k = 0; k < INIT_CHECKS; k++) {
		const struct init_check *c = &i->checks[k];
		struct str path = str_fmt(i->arena, ".gauntlet/checks/%s.yml", c->name);

		if (!c->is_wanted)
			continue;
		if (create(i, path, check_text(i, c), err) < 0)
			return -1;
		if (c->command.n == 0)
			init_print(i,
				   "  %s: put its command into " STR_FMT
				   ", then name it in .gauntlet/config.yml\n",
				   c->name, STR_ARG(path));
	}
	if (create(i, STR(".gauntlet/reviews/code-quality.md"), STR(CODE_QUALITY_TEMPLATE), err) < 0)
		return -1;
	return create(i, STR(".gauntlet/run_gauntlet.md"), init_command_text(i), err);
}

/* Does the text ignore the directory already? */
static bool
is_ignored(struct str text)
{
	struct str rest = text, line;

	while (str_next(&rest, '\n', &line)) {
		line = str_trim(line);
		if (str_starts(line, STR("/")))
			line = str_sub(line, 1, line.n);
		if (str_ends(line, STR("/")))
			line = str_sub(line, 0, line.n - 1);
		if (str_is(line, LOG_DIR))
			return true;
	}
	return false;
}

static void
ignore_in(const struct init *i, const char *path)
{
	struct str text;
	struct err err;

	if (fs_read(i->arena, path, CONFIG_LIMIT_BYTES, &text, &err) == 0) {
		bool has_end = text.n == 0 || str_ends(text, STR("\n"));

		if (is_ignored(text))
			return;
		if (fs_append(path, has_end ? STR(LOG_DIR "/\n") : STR("\n" LOG_DIR "/\n"), 0644, &err) ==
		    0) {
			init_print(i, "Added " LOG_DIR "/ to %s\n", path);
			return;
		}
	}
	init_print(i, LOG_DIR "/ could not be added to %s: %s\n", path, err.msg);
}

void
init_ignore_logs(const struct init *i)
{
	if (fs_kind(".gitignore") == FS_FILE || fs_kind(".git") == FS_FILE)
		ignore_in(i, ".gitignore");
	else if (fs_kind(".git/info") == FS_DIR)
		ignore_in(i, ".git/info/exclude");
}
