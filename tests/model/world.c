/* SPDX-License-Identifier: MIT */
/* The temporary project: its files, which of them are the user's, and git. Changes nothing outside of it. */
#include "model.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TREE_FDS 16

static _Noreturn void
give_up(const char *what)
{
	perror(what);
	exit(1);
}

struct str
world_path(const struct world *w, const char *path)
{
	if (path[0] == '/')
		return str_copy(w->arena, str_from(path));
	return str_fmt(w->arena, STR_FMT "/%s", STR_ARG(w->project), path);
}

bool
world_has(const struct world *w, const char *path)
{
	struct stat st;

	return lstat(world_path(w, path).s, &st) == 0;
}

struct str
world_read(const struct world *w, const char *path)
{
	int fd = open(world_path(w, path).s, O_RDONLY | O_CLOEXEC);
	struct buf text = BUF(w->arena, SIZE_MAX);
	char piece[65536];
	ssize_t n;

	if (fd < 0)
		return STR_NONE;
	while ((n = read(fd, piece, sizeof(piece))) > 0)
		buf_add(&text, (struct str){ piece, (size_t)n });
	(void)close(fd);
	return n < 0 ? STR_NONE : str_copy(w->arena, buf_str(&text));
}

void
world_write(const struct world *w, const char *path, struct str text)
{
	FILE *f = fopen(world_path(w, path).s, "w");

	/* The directory is closed, or there is a directory of that name. */
	if (!f)
		return;
	(void)fwrite(text.s, 1, text.n, f);
	(void)fclose(f);
}

struct str
world_sh(const struct world *w, const char *fmt, ...)
{
	struct buf out = BUF(w->arena, SIZE_MAX);
	char piece[4096];
	va_list args;
	int ends[2];
	ssize_t n;

	va_start(args, fmt);
	struct str script = str_vfmt(w->arena, fmt, args);

	va_end(args);
	if (pipe2(ends, O_CLOEXEC) < 0)
		give_up("model: no pipe");
	pid_t pid = fork();

	if (pid == 0) {
		const char *argv[] = { "sh", "-c", script.s, NULL };

		(void)close(2); /* no messages about closed directories */
		if (dup2(ends[1], 1) >= 0 && chdir(w->project.s) == 0)
			(void)execve("/bin/sh", (char *const *)(uintptr_t)argv,
				     (char *const *)(uintptr_t)w->env);
		_exit(126);
	}
	(void)close(ends[1]);
	while ((n = read(ends[0], piece, sizeof(piece))) > 0)
		buf_add(&out, (struct str){ piece, (size_t)n });
	(void)close(ends[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return str_copy(w->arena, str_trim(buf_str(&out)));
}

/* ---- files of the user ---- */

/* nftw() passes no context to its callback. */
static struct {
	const struct world *world;
	struct buf list;
} walk;

static bool
matches(struct str path, const char *begin, const char *end)
{
	return str_starts(path, str_from(begin)) && str_ends(path, str_from(end));
}

/* Is it a file that holdfast writes? `path` is relative to the world's directory. */
static bool
is_ours(const struct world *w, struct str path)
{
	static const char *const names[][2] = {
		{ "project/.claude/ralph-loop.", ".local.md" },
		{ "project/gauntlet_logs/check_", ".log" },
		{ "project/gauntlet_logs/review_", "" },
		{ "project/gauntlet_logs/console.", ".log" },
		{ "project/gauntlet_logs/.execution_", "state" },
		{ "project/gauntlet_logs/previous", "" },
		{ "project/.holdfast/", "" },
		{ "project/src/written", "" },
		{ "state/conclaude-s-", ".rounds" },
		{ "project/made", ".txt" },
		{ "project/.claude/settings", ".json" },
		{ "project/.mcp", ".json" },
		{ "home/share/conclaude/conclaude.db", "" },
		{ "home/state/holdfast/", "" },
	};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (matches(path, names[i][0], names[i][1]))
			return true;
	if (str_find(path, STR(".local.md.corrupt-")) >= 0)
		return true;
	if (w->was_ended && str_starts(path, STR("project/gauntlet_logs/.archiving/")))
		return true;
	/* A killed process may leave temporary files, which the next archive removes. */
	return w->is_lenient &&
	       (str_starts(path, STR("project/gauntlet_logs/.")) || matches(path, "project/.claude/.", "") ||
		matches(path, "project/.claude/ralph-loop.", ".tmp"));
}

static int
add_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
	const struct world *w = walk.world;
	struct str name = str_sub(str_from(path), w->dir.n + 1, SIZE_MAX);

	(void)st;
	(void)at;
	if (type != FTW_D && !str_starts(name, STR("project/.git/")) && !is_ours(w, name))
		buf_addf(&walk.list, "%016llx " STR_FMT "\n",
			 (unsigned long long)text_hash(world_read(w, path)), STR_ARG(name));
	return 0;
}

struct str
world_list(const struct world *w)
{
	static const char *const dirs[] = { "project", "tmp", "state", "home" };

	walk.world = w;
	walk.list = BUF(w->arena, SIZE_MAX);
	for (size_t i = 0; i < COUNT_OF(dirs); i++)
		(void)nftw(str_fmt(w->arena, STR_FMT "/%s", STR_ARG(w->dir), dirs[i]).s, add_file, TREE_FDS,
			   FTW_PHYS);
	return buf_str(&walk.list);
}

struct str
world_difference(const struct world *w, struct str before, struct str after)
{
	struct buf out = BUF(w->arena, SIZE_MAX);

	for (int i = 0; i < 2; i++) {
		struct str rest = i ? after : before, others = i ? before : after, line;

		while (str_next(&rest, '\n', &line))
			if (str_find(others, line) < 0)
				buf_addf(&out, " %c" STR_FMT, i ? '+' : '-', STR_ARG(line));
	}
	return buf_str(&out);
}

struct str
world_other(const struct world *w)
{
	return str_fmt(w->arena, STR_FMT "/other", STR_ARG(w->dir));
}

/* ---- making and removing it ---- */

static int
open_up(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)at;
	if (type == FTW_D || type == FTW_DNR)
		(void)chmod(path, 0700);
	return 0;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	(void)remove(path);
	return 0;
}

void
world_remove(struct str dir)
{
	(void)nftw(dir.s, open_up, TREE_FDS, FTW_PHYS);
	(void)nftw(dir.s, remove_one, TREE_FDS, FTW_PHYS | FTW_DEPTH);
}

static const char *const *
environment(const struct world *w)
{
	static const char *const own[][2] = {
		{ "HOME", "/home" },
		{ "TMPDIR", "/tmp" },
		{ "XDG_CONFIG_HOME", "/home/.config" },
		{ "XDG_DATA_HOME", "/home/share" },
		{ "XDG_STATE_HOME", "/home/state" },
		{ "CLAUDE_CONFIG_DIR", "/home/.claude" },
		{ "CONCLAUDE_STATE_DIR", "/state" },
	};
	static const char *const kept[] = { "ASAN_OPTIONS", "UBSAN_OPTIONS" };
	const char **env = arena_array(w->arena, COUNT_OF(own) + COUNT_OF(kept) + 4, const char *);
	size_t n = 0;

	for (size_t i = 0; i < COUNT_OF(own); i++)
		env[n++] = str_fmt(w->arena, "%s=" STR_FMT "%s", own[i][0], STR_ARG(w->dir), own[i][1]).s;
	/* bin/git exists only while git must fail. */
	env[n++] = str_fmt(w->arena, "PATH=" STR_FMT "/bin:%s", STR_ARG(w->dir), getenv("PATH")).s;
	for (size_t i = 0; i < COUNT_OF(kept); i++)
		if (getenv(kept[i]))
			env[n++] = str_fmt(w->arena, "%s=%s", kept[i], getenv(kept[i])).s;
	env[n++] = "LANG=C.UTF-8";
	env[n++] = "GIT_CONFIG_NOSYSTEM=1";
	return env;
}

void
world_make(struct world *w, struct arena *a, const char *binary, struct str dir, const struct config *c)
{
	static const char *const dirs[] = {
		"",
		"/bin",
		"/home",
		"/home/state",
		"/home/state/holdfast",
		"/home/state/holdfast/sessions",
		"/tmp",
		"/state",
		"/project",
		"/project/src",
		"/project/docs",
		"/project/.claude",
		"/project/packages",
		"/project/packages/a",
		"/project/packages/b",
	};

	*w = (struct world){ .arena = a, .binary = binary, .dir = dir };
	w->logs = c->is_native ? ".holdfast" : "gauntlet_logs";
	w->project = str_fmt(a, STR_FMT "/project", STR_ARG(dir));
	w->trace = str_fmt(a, STR_FMT "/trace", STR_ARG(dir));
	w->answer = str_fmt(a, STR_FMT "/answer", STR_ARG(dir));
	for (size_t i = 0; i < COUNT_OF(dirs); i++)
		if (mkdir(str_fmt(a, STR_FMT "%s", STR_ARG(dir), dirs[i]).s, 0700) < 0)
			give_up("model: the project can't be made");
	w->env = environment(w);
	for (int i = 0; i < CHECKS_MOST; i++)
		world_write(w, str_fmt(a, "src/c%d", i).s, STR("good\n"));
	for (int i = 0; i < PACKAGES; i++)
		world_write(w, str_fmt(a, "packages/%s/c", package_names[i]).s, STR("good\n"));
	world_write(w, "docs/page", STR("a page\n"));
	world_write(w, ".claude/notes.md", STR("the user's\n"));
	if (c->has_gates) {
		world_write_check(w);
		world_write_reviewer(w);
	}
	if (c->has_gates && !c->is_native) {
		(void)mkdir(world_path(w, ".gauntlet").s, 0700);
		(void)mkdir(world_path(w, ".gauntlet/checks").s, 0700);
		(void)mkdir(world_path(w, "gauntlet_logs").s, 0700);
		(void)mkdir(world_path(w, ".gauntlet/reviews").s, 0700);
		if (c->has_review)
			world_write(w, ".gauntlet/reviews/quality.md",
				    STR("---\nnum_reviews: 1\n---\nLook for bugs.\n"));
	}
	world_configure(w, c);
	if (c->blocks > 0)
		world_write(w, session_file(w, 0).s, str_fmt(a, "{\"blocks\":%d}\n", c->blocks));
	if (c->is_registered) {
		(void)mkdir(str_fmt(a, STR_FMT "/home/.claude", STR_ARG(dir)).s, 0700);
		world_write(w, str_fmt(a, STR_FMT "/home/.claude/settings.json", STR_ARG(dir)).s,
			    STR("{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\","
				"\"command\":\"holdfast stop-hook\"}]}]}}\n"));
	}
	world_write(w, str_fmt(a, STR_FMT "/home/.gitconfig", STR_ARG(dir)).s,
		    STR("[user]\n\tname = test\n\temail = test@example.org\n"));
	/* Files of loops and the configuration must not count as changes. */
	if (c->has_git)
		(void)world_sh(
			w,
			"git init -q -b main . && "
			"printf '%%s\\n' '.claude/ralph-loop*' .conclaude.yaml .gauntlet holdfast.yml %s "
			">.git/info/exclude && "
			"%s git add -A && git commit -q -m start%s",
			c->ignores_logs ? "gauntlet_logs" : "", unseen_setting(c),
			c->is_on_base ? "" : " && git checkout -q -b work");
	if (c->has_gates && !c->is_native)
		world_write(w, "gauntlet_logs/notes.txt", STR("the user's\n"));
}
