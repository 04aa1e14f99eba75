/* SPDX-License-Identifier: MIT */
/* Files, directories, paths and descriptors, on a real file system. */
#include "test.h"

#include "base/buf.h"
#include "base/path.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *
path_in(struct arena *a, const char *dir, const char *name)
{
	return path_join(a, str_from(dir), str_from(name)).s;
}

static void
put(const char *path, const char *text)
{
	struct err err;

	if (fs_create(path, str_from(text), 0644, &err) < 0)
		fail_msg("%s", err.msg);
}

static struct str
get(struct arena *a, const char *path)
{
	struct err err;
	struct str text;

	if (fs_read(a, path, MIB(64), &text, &err) < 0)
		fail_msg("%s", err.msg);
	return text;
}

static size_t
count_names(struct arena *a, const char *dir)
{
	struct str_list names;
	struct err err;

	CHECK(fs_list(a, dir, 1000, &names, &err) == 0);
	return names.count;
}

static mode_t
mode_of(const char *path)
{
	struct stat st;

	CHECK(stat(path, &st) == 0);
	return st.st_mode & 07777;
}

TEST(kinds_of_files_are_distinguished_and_only_fs_kind_follows_links)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "file"), *link = path_in(&a, dir, "link"),
		   *dangling = path_in(&a, dir, "dangling"), *fifo = path_in(&a, dir, "fifo");

	put(file, "x");
	CHECK(symlink(file, link) == 0 && symlink("nowhere", dangling) == 0 && mkfifo(fifo, 0600) == 0);
	CHECK(fs_kind(file) == FS_FILE && fs_lkind(file) == FS_FILE);
	CHECK(fs_kind(dir) == FS_DIR);
	CHECK(fs_kind(link) == FS_FILE && fs_lkind(link) == FS_LINK);
	CHECK(fs_kind(dangling) == FS_NOTHING && fs_lkind(dangling) == FS_LINK);
	CHECK(fs_kind(fifo) == FS_OTHER);
	CHECK(fs_kind(path_in(&a, file, "below")) == FS_NOTHING);
}

TEST(what_is_there_and_ours_is_writable)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "file");

	CHECK(fs_is_writable(dir));
	CHECK(!fs_is_writable(file));
	put(file, "x");
	CHECK(fs_is_writable(file));
	CHECK(!fs_is_writable("/proc/version") || geteuid() == 0);
}

TEST(what_is_not_there_reads_as_absent)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "file"), *link = path_in(&a, dir, "link");

	put(file, "");
	CHECK(symlink("nowhere", link) == 0);
	CHECK(get(&a, path_in(&a, dir, "none")).s == NULL);
	CHECK(get(&a, path_in(&a, file, "below")).s == NULL);
	CHECK(get(&a, link).s == NULL);
	CHECK(get(&a, file).s != NULL && get(&a, file).n == 0);
}

TEST(what_is_no_regular_file_is_an_error_and_never_waited_for)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(fd_close) int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const char *dir = test_dir(), *fifo = path_in(&a, dir, "fifo"), *sock = path_in(&a, dir, "sock");
	const char *const paths[] = { dir, fifo, sock, "/dev/zero", "/dev/tty" };
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	memcpy(address.sun_path, sock, strlen(sock) + 1);
	CHECK(mkfifo(fifo, 0600) == 0);
	CHECK(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0);
	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		struct err err = { 0 };
		struct str text;

		CHECK_ROW(paths[i], fs_read(&a, paths[i], MIB(1), &text, &err) == -1);
		CHECK_ROW(paths[i], strstr(err.msg, paths[i]) != NULL);
		CHECK_ROW(paths[i], fs_append(paths[i], STR("x"), 0600, &err) == -1);
		CHECK_ROW(paths[i], fs_replace(&a, paths[i], STR("x"), 0600, &err) == -1);
	}
}

TEST(descriptors_are_closed_on_exec)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(fd_close) int fd = -1;
	const char *file = path_in(&a, test_dir(), "file");
	struct err err;

	put(file, "x");
	CHECK(fs_open_regular(file, &fd, &err) == 0 && fd >= 0);
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	CHECK(fs_size(fd) == 1);
}

TEST(a_file_of_the_limit_is_read_and_one_byte_more_is_not)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *file = path_in(&a, test_dir(), "file");
	static const size_t limits[] = { 5, 4, 6, 0 };
	static const int results[] = { 0, -1, 0, -1 };

	put(file, "12345");
	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		struct err err = { 0 };
		struct str text;

		CHECK(fs_read(&a, file, limits[i], &text, &err) == results[i]);
		CHECK(err.code == (results[i] ? ERR_LIMIT : ERR_NONE));
		if (results[i] == 0)
			CHECK_STR(text, "12345");
	}
}

TEST(files_that_claim_no_size_are_read_to_their_end)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK(get(&a, "/proc/self/status").n > 100);
}

/* A process that makes the file longer and shorter for as long as it lives. */
static pid_t
start_shaking(const char *file)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	int fd = open(file, O_WRONLY);
	static char block[100000];

	memset(block, 'x', sizeof(block));
	for (;;) {
		if (pwrite(fd, block, sizeof(block), 0) < 0 || ftruncate(fd, 10) < 0)
			_exit(1);
	}
}

TEST(a_file_that_grows_and_shrinks_while_it_is_read_gives_only_its_own_bytes)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *file = path_in(&a, test_dir(), "file");

	put(file, "xxxxxxxxxx");
	pid_t pid = start_shaking(file);
	bool is_own = true;

	for (int i = 0; i < 300; i++) {
		struct arena_mark mark = arena_mark(&a);

		/* What lay in memory before is not the file's. The kernel gives zeros where it shortens the page that it reads. */
		memset(arena_alloc(&a, 400000, 1), 'y', 400000);
		arena_reset(&a, mark);
		struct str text = get(&a, file);

		for (size_t k = 0; k < text.n; k++)
			is_own = is_own && (text.s[k] == 'x' || text.s[k] == '\0');
		is_own = is_own && text.n <= 100000 && text.s[text.n] == '\0';
		arena_reset(&a, mark);
	}
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	CHECK(is_own);
}

TEST(a_pipe_is_read_to_its_end_even_when_it_does_not_block)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int ends[2];
	struct err err;
	struct str text;

	CHECK(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
	pid_t pid = fork();

	if (pid == 0) {
		static char block[300000];

		memset(block, 'y', sizeof(block));
		(void)close(ends[0]);
		_exit(fd_write_all(ends[1], (struct str){ block, sizeof(block) }, &err) < 0);
	}
	(void)close(ends[1]);
	CHECK(fd_read_all(&a, ends[0], MIB(1), &text, &err) == 0);
	(void)close(ends[0]);
	int status;

	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK(text.n == 300000);
}

TEST(reading_at_an_offset_stops_at_the_end_of_the_file)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(fd_close) int fd = -1;
	const char *file = path_in(&a, test_dir(), "file");
	char bytes[8];
	size_t n;
	struct err err;

	put(file, "12345");
	CHECK(fs_open_regular(file, &fd, &err) == 0);
	CHECK(fd_read_at(fd, 3, bytes, sizeof(bytes), &n, &err) == 0 && n == 2 &&
	      memcmp(bytes, "45", 2) == 0);
	CHECK(fd_read_at(fd, 5, bytes, sizeof(bytes), &n, &err) == 0 && n == 0);
	CHECK(fd_read_at(fd, 0, bytes, 2, &n, &err) == 0 && n == 2 && memcmp(bytes, "12", 2) == 0);
}

TEST(replacing_a_file_keeps_its_mode_and_leaves_no_temporary_file)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "file");
	struct err err;

	put(file, "old");
	CHECK(chmod(file, 0751) == 0);
	CHECK(fs_replace(&a, file, STR("new"), 0600, &err) == 0);
	CHECK_STR(get(&a, file), "new");
	CHECK(mode_of(file) == 0751);
	CHECK(count_names(&a, dir) == 1);
}

TEST(replacing_what_is_not_there_creates_it_with_the_given_mode)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "file");
	mode_t mask = umask(022);
	struct err err;

	CHECK(fs_replace(&a, file, STR("new"), 0666, &err) == 0);
	(void)umask(mask);
	CHECK_STR(get(&a, file), "new");
	CHECK(mode_of(file) == 0644);
	CHECK(fs_replace(&a, path_in(&a, dir, "none/file"), STR("x"), 0600, &err) == -1);
	CHECK(count_names(&a, dir) == 1);
}

TEST(replacing_a_link_replaces_what_it_points_to)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *other = test_dir(), *file = path_in(&a, other, "file"),
		   *link = path_in(&a, dir, "link"), *dangling = path_in(&a, dir, "dangling");
	struct err err = { 0 };

	put(file, "old");
	CHECK(symlink(file, link) == 0 && symlink("nowhere", dangling) == 0);
	CHECK(fs_replace(&a, link, STR("new"), 0600, &err) == 0);
	CHECK(fs_lkind(link) == FS_LINK);
	CHECK_STR(get(&a, file), "new");
	CHECK(fs_replace(&a, dangling, STR("new"), 0600, &err) == -1 && err.sys == ENOENT);
	CHECK(fs_lkind(dangling) == FS_LINK);
	CHECK(count_names(&a, dir) == 2 && count_names(&a, other) == 1);
}

TEST(the_longest_possible_name_can_be_replaced)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char name[256];
	struct err err;

	memset(name, 'n', 255);
	name[255] = '\0';
	const char *file = path_in(&a, test_dir(), name);

	CHECK(fs_replace(&a, file, STR("1"), 0600, &err) == 0);
	CHECK(fs_replace(&a, file, STR("2"), 0600, &err) == 0);
	CHECK_STR(get(&a, file), "2");
}

TEST(a_file_is_created_only_where_nothing_is)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "file"), *link = path_in(&a, dir, "link");
	struct err err = { 0 };

	CHECK(fs_create(file, STR("1"), 0600, &err) == 0 && mode_of(file) == 0600);
	CHECK(fs_create(file, STR("2"), 0600, &err) == -1 && err.code == ERR_SYS && err.sys == EEXIST);
	CHECK(symlink("nowhere", link) == 0);
	CHECK(fs_create(link, STR("2"), 0600, &err) == -1 && err.sys == EEXIST);
	CHECK_STR(get(&a, file), "1");
}

TEST(what_is_for_the_user_alone_is_so_under_any_umask)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const mode_t masks[] = { 0, 022, 077, 0277, 0777 };
	struct err err = { 0 };

	for (size_t i = 0; i < COUNT_OF(masks); i++) {
		const char *dir = path_in(&a, test_dir(), str_fmt(&a, "dir-%zu", i).s);
		mode_t old = umask(masks[i]);
		int made = fs_make_dirs(path_in(&a, dir, "below"), 0700, &err);
		int created = fs_create(path_in(&a, dir, "file"), STR("1"), 0600, &err);
		int replaced = fs_replace(&a, path_in(&a, dir, "other"), STR("1"), 0600, &err);

		(void)umask(old);
		CHECK(made == 0 && created == 0 && replaced == 0);
		CHECK(mode_of(dir) == 0700 && mode_of(path_in(&a, dir, "below")) == 0700);
		CHECK(mode_of(path_in(&a, dir, "file")) == 0600 &&
		      mode_of(path_in(&a, dir, "other")) == 0600);
	}
}

TEST(what_is_for_others_too_is_as_the_umask_says)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *file = path_in(&a, test_dir(), "file");
	struct err err = { 0 };
	mode_t old = umask(027);
	int created = fs_create(file, STR("1"), 0644, &err);

	(void)umask(old);
	CHECK(created == 0 && mode_of(file) == 0640);
}

TEST(a_file_without_a_name_is_copied_in_place_of_another)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "file");
	CLEANUP(fd_close) int fd = -1;
	struct str_list names;
	struct err err = { 0 };
	struct buf text = BUF(&a, SIZE_MAX);

	for (int i = 0; i < 30000; i++)
		buf_addf(&text, "line %d\n", i);
	CHECK(fs_create(file, STR("old"), 0644, &err) == 0);
	CHECK(fs_open_nameless(&a, file, &fd, &err) == 0 && fd >= 0);
	CHECK(fs_list(&a, dir, 10, &names, &err) == 0 && names.count == 1);
	CHECK(fd_write_all(fd, buf_str(&text), &err) == 0);
	CHECK_STR(get(&a, file), "old");
	CHECK(fs_replace_from(&a, file, fd, &err) == 0 && mode_of(file) == 0600);
	CHECK(str_eq(get(&a, file), buf_str(&text)));
	CHECK(fs_list(&a, dir, 10, &names, &err) == 0 && names.count == 1);
}

TEST(a_file_without_a_name_needs_its_directory)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	int fd = -1;
	struct err err = { 0 };

	CHECK(fs_open_nameless(&a, path_in(&a, test_dir(), "none/file"), &fd, &err) == -1 &&
	      err.sys == ENOENT);
	CHECK(fd == -1);
}

TEST(a_copy_that_cannot_replace_the_file_is_removed)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *place = path_in(&a, dir, "place");
	CLEANUP(fd_close) int fd = -1;
	struct str_list names;
	struct err err = { 0 };

	CHECK(fs_make_dirs(path_in(&a, place, "full"), 0700, &err) == 0);
	CHECK(fs_open_nameless(&a, place, &fd, &err) == 0);
	CHECK(fs_replace_from(&a, place, fd, &err) == -1);
	CHECK(fs_list(&a, dir, 10, &names, &err) == 0 && names.count == 1);
}

TEST(when_a_file_was_written_changes_with_it)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *file = path_in(&a, test_dir(), "file");
	struct timespec times[2] = { { 1, 0 }, { 2, 5 } };
	struct err err = { 0 };

	CHECK(fs_written_at(file) == 0);
	CHECK(fs_create(file, STR("1"), 0600, &err) == 0);
	int64_t first = fs_written_at(file);

	CHECK(first > 0 && fs_written_at(file) == first);
	CHECK(utimensat(AT_FDCWD, file, times, 0) == 0 && fs_written_at(file) == 2000000005);
}

TEST(appended_lines_of_several_processes_do_not_mix)
{
	enum { PROCESSES = 4, LINES = 100, LENGTH = 500 };
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *file = path_in(&a, test_dir(), "file");
	pid_t pids[PROCESSES];
	struct err err;

	for (int i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (pids[i] != 0)
			continue;
		char line[LENGTH];

		memset(line, 'a' + i, LENGTH - 1);
		line[LENGTH - 1] = '\n';
		for (int k = 0; k < LINES; k++)
			if (fs_append(file, (struct str){ line, LENGTH }, 0600, &err) < 0)
				_exit(1);
		_exit(0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		int status;

		/* not wait(): an earlier test may have left a child that ends now */
		CHECK(waitpid(pids[i], &status, 0) == pids[i] && status == 0);
	}
	struct str rest = get(&a, file), line;
	size_t count = 0;

	for (; str_next(&rest, '\n', &line); count++) {
		CHECK(line.n == LENGTH - 1);
		for (size_t i = 1; i < line.n; i++)
			if (line.s[i] != line.s[0])
				fail_msg("line %zu is mixed", count);
	}
	CHECK(count == PROCESSES * LINES);
}

TEST(directories_are_made_with_those_above_them)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "file");
	struct err err = { 0 };

	put(file, "x");
	CHECK(fs_make_dirs(path_in(&a, dir, "a//b/c/"), 0700, &err) == 0);
	CHECK(fs_kind(path_in(&a, dir, "a/b/c")) == FS_DIR);
	CHECK(fs_make_dirs(path_in(&a, dir, "a/b/c"), 0700, &err) == 0);
	CHECK(fs_make_dirs("/", 0700, &err) == 0);
	const char *const in_the_way[] = { file, path_in(&a, file, "below"), path_in(&a, file, "far/below") };

	for (size_t i = 0; i < COUNT_OF(in_the_way); i++) {
		CHECK_ROW(in_the_way[i], fs_make_dirs(in_the_way[i], 0700, &err) == -1);
		CHECK_ROW(in_the_way[i], err.sys == ENOTDIR);
		CHECK_STR(str_from(err.msg), str_fmt(&a, "%s: Not a directory", file).s);
	}
}

TEST(removing_what_is_not_there_is_no_error)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "file"), *sub = path_in(&a, dir, "sub");
	struct err err = { 0 };

	put(file, "x");
	CHECK(fs_make_dirs(path_in(&a, sub, "full"), 0700, &err) == 0);
	CHECK(fs_remove(path_in(&a, file, "below"), &err) == 0);
	CHECK(fs_remove(file, &err) == 0 && fs_kind(file) == FS_NOTHING);
	CHECK(fs_remove(file, &err) == 0);
	CHECK(fs_remove(sub, &err) == -1 && err.sys == ENOTEMPTY);
	CHECK(fs_remove(path_in(&a, sub, "full"), &err) == 0 && fs_remove(sub, &err) == 0);
}

TEST(renaming_reports_both_names)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *one = path_in(&a, dir, "one"), *two = path_in(&a, dir, "two");
	struct err err = { 0 };

	put(one, "x");
	CHECK(fs_rename(one, two, &err) == 0 && fs_kind(two) == FS_FILE && fs_kind(one) == FS_NOTHING);
	CHECK(fs_rename(one, two, &err) == -1 && err.sys == ENOENT);
	CHECK(strstr(err.msg, one) && strstr(err.msg, two));
}

TEST(names_are_listed_in_byte_order_up_to_the_bound)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir(), *file = path_in(&a, dir, "b");
	struct str_list names = { 0 };
	struct err err = { 0 };

	CHECK(fs_list(&a, dir, 1, &names, &err) == 0 && names.count == 0);
	put(file, "");
	put(path_in(&a, dir, "a"), "");
	put(path_in(&a, dir, "B"), "");
	CHECK(fs_list(&a, dir, 3, &names, &err) == 0 && names.count == 3);
	CHECK_STR(names.items[0], "B");
	CHECK_STR(names.items[1], "a");
	CHECK_STR(names.items[2], "b");
	CHECK(fs_list(&a, dir, FS_NO_LIMIT, &names, &err) == 0 && names.count == 3);
	CHECK(fs_list(&a, dir, 2, &names, &err) == -1 && err.code == ERR_LIMIT);
	CHECK(fs_list(&a, path_in(&a, dir, "none"), 3, &names, &err) == 0 && names.count == 0);
	CHECK(fs_list(&a, file, 3, &names, &err) == -1 && err.sys == ENOTDIR);
}

TEST(a_removed_working_directory_is_absent)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	const char *dir = test_dir();
	struct str before = fs_cwd(&a);
	const char *sub = path_in(&a, dir, "sub");

	CHECK(mkdir(sub, 0700) == 0 && chdir(sub) == 0);
	CHECK_STR(fs_cwd(&a), fs_real(&a, sub).s);
	CHECK(rmdir(sub) == 0);
	struct str gone = fs_cwd(&a);

	CHECK(chdir(before.s) == 0);
	CHECK(gone.s == NULL);
	CHECK(fs_real(&a, sub).s == NULL);
}

TEST(closed_standard_descriptors_are_filled_with_what_takes_no_writes)
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)close(0);
		(void)close(1);
		fd_reserve_stdio();
		char byte;
		int next = open("/dev/null", O_RDONLY | O_CLOEXEC);

		_exit(read(0, &byte, 1) == 0 && write(1, "x", 1) == -1 && errno == EBADF && next > 2 ? 0 : 1);
	}
	int status;

	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}
