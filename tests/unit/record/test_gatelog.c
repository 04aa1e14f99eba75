/* SPDX-License-Identifier: MIT */
/* The log of a gate, and its last lines. */
#include "test.h"

#include "record/gatelog.h"
#include "os/fd.h"
#include "os/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct logdir
new_logs(struct arena *a)
{
	return logdir_of(a, str_from(test_dir()), STR("./"), &dialects[DIALECT_GAUNTLET]);
}

/* The log's text with every time in it as T. */
static struct str
text_of(struct arena *a, const struct logdir *d, const char *name)
{
	struct str text, line, all = STR("");
	struct err err;

	CHECK(fs_read(a, logdir_file(a, d, name).s, MIB(8), &text, &err) == 0 && text.s);
	while (str_next(&text, '\n', &line)) {
		struct str entry = gatelog_entry_text(line);

		all = entry.s ? str_fmt(a, STR_FMT "T " STR_FMT "\n", STR_ARG(all), STR_ARG(entry))
			      : str_fmt(a, STR_FMT STR_FMT "\n", STR_ARG(all), STR_ARG(line));
	}
	return all;
}

TEST(a_gate_log_has_entries_with_a_time_and_output_in_one_of_them)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct gatelog l;
	struct err err;

	CHECK(gatelog_open(&a, &d, STR("check_src_bad"), 12, &l, &err) == 0);
	CHECK_STR(l.path, "./check_src_bad.12.log");
	CHECK(fcntl(l.fd, F_GETFD) & FD_CLOEXEC);
	gatelog_entry(&l, STR("Starting check: bad"));
	gatelog_entry(&l, STR("Working directory: src\n\n"));
	gatelog_output(&l, STR(""));
	gatelog_output(&l, STR("one\ntw"));
	gatelog_output(&l, STR("o\nthree"));
	gatelog_entry(&l, STR("\nCommand failed: x"));
	gatelog_output(&l, STR("late\n"));
	gatelog_entry(&l, STR("Result: fail - Exited with code 3"));
	gatelog_close(&l);
	CHECK(l.fd == -1);
	gatelog_entry(&l, STR("into a closed one"));
	gatelog_output(&l, STR("into a closed one"));
	gatelog_close(&l);
	CHECK_STR(text_of(&a, &d, "check_src_bad.12.log"), "T Starting check: bad\n"
							   "T Working directory: src\n\n"
							   "T one\ntwo\nthree\n"
							   "T \nCommand failed: x\n"
							   "T late\n"
							   "T Result: fail - Exited with code 3\n");
}

TEST(output_is_in_the_log_as_soon_as_it_came)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct gatelog l;
	struct err err;

	CHECK(gatelog_open(&a, &d, STR("x"), 1, &l, &err) == 0);
	gatelog_output(&l, STR("half a line"));
	CHECK_STR(text_of(&a, &d, "x.1.log"), "T half a line\n");
	gatelog_close(&l);
}

TEST(a_gate_log_is_never_a_file_that_was_there)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	const char *target = logdir_file(&a, &d, "target").s;
	struct gatelog l = { .fd = -1 };
	struct err err = { 0 };

	CHECK(fs_create(logdir_file(&a, &d, "x.1.log").s, STR("old"), 0600, &err) == 0);
	CHECK(gatelog_open(&a, &d, STR("x"), 1, &l, &err) == -1 && err.sys == EEXIST && l.fd == -1);
	CHECK(symlink(target, logdir_file(&a, &d, "x.2.log").s) == 0);
	CHECK(gatelog_open(&a, &d, STR("x"), 2, &l, &err) == -1 && err.sys == EEXIST);
	CHECK(fs_lkind(target) == FS_NOTHING);
}

TEST(of_an_output_that_is_too_long_the_log_has_beginning_and_end)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct gatelog l;
	struct err err;

	/* At the limit all is there. */
	CHECK(gatelog_open(&a, &d, STR("x"), 1, &l, &err) == 0 && l.limit == GATE_LOG_LIMIT_BYTES);
	l.limit = 10;
	gatelog_output(&l, STR("12345"));
	gatelog_output(&l, STR("67890"));
	gatelog_entry(&l, STR("Result: pass"));
	gatelog_close(&l);
	CHECK_STR(text_of(&a, &d, "x.1.log"), "T 1234567890\nT Result: pass\n");

	/* Beyond it, what the end has room for. */
	CHECK(gatelog_open(&a, &d, STR("x"), 2, &l, &err) == 0);
	l.limit = 10;
	gatelog_output(&l, STR("123456789\nA"));
	gatelog_entry(&l, STR("Result: pass"));
	gatelog_close(&l);
	CHECK_STR(text_of(&a, &d, "x.2.log"), "T 123456789\nA\nT Result: pass\n");

	/* And beyond that, only the end, also where no entry follows. */
	char line[1000];

	memset(line, 'z', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	CHECK(gatelog_open(&a, &d, STR("x"), 3, &l, &err) == 0);
	l.limit = 10;
	gatelog_output(&l, STR("123456789\n"));
	for (int i = 0; i < 1000; i++)
		gatelog_output(&l, (struct str){ line, sizeof(line) });
	gatelog_output(&l, STR("the end"));
	gatelog_close(&l);
	struct str text = text_of(&a, &d, "x.3.log");

	CHECK(str_starts(text, STR("T 123456789\n... (")) && str_find(text, STR(" lines omitted)\nzzz")) > 0);
	CHECK(str_ends(text, STR("z\nthe end\n")));
	CHECK(text.n > GATE_LOG_TAIL_BYTES / 2 && text.n < GATE_LOG_TAIL_BYTES + 1000);
}

TEST(a_full_disk_does_not_end_the_gate)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct logdir d = new_logs(&a);
	struct gatelog l;
	struct err err;

	CHECK(gatelog_open(&a, &d, STR("x"), 1, &l, &err) == 0);
	fd_close(&l.fd);
	l.fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	CHECK(l.fd >= 0);
	gatelog_entry(&l, STR("Starting"));
	gatelog_output(&l, STR("out\n"));
	gatelog_entry(&l, STR("Result: pass"));
	gatelog_close(&l);
}
