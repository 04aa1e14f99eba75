/* SPDX-License-Identifier: MIT */
/* What goes into a program and what comes out of it while it runs. */
#include "shell_program.h"

#include "base/buf.h"
#include "os/clock.h"
#include "os/proc.h"

#include <string.h>
#include <sched.h>

struct heard {
	struct buf out, err;
	int64_t first_ms, last_ms;
	size_t calls;
};

static void
hear(void *context, int stream, struct str bytes)
{
	struct heard *h = context;

	buf_add(stream == 1 ? &h->out : &h->err, bytes);
	h->last_ms = clock_mono_ms();
	if (h->calls++ == 0)
		h->first_ms = h->last_ms;
}

TEST(output_is_passed_on_as_it_arrives_and_also_kept)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct heard h = { .out = BUF(&a, MIB(1)), .err = BUF(&a, MIB(1)) };
	struct proc_result r = run(&a, (struct proc_spec){
					       .argv = SH("echo one; echo two >&2; sleep 0.3; echo three"),
					       .output = hear,
					       .owner = &h,
				       });

	CHECK_STR(buf_str(&h.out), "one\nthree\n");
	CHECK_STR(buf_str(&h.err), "two\n");
	CHECK(h.last_ms - h.first_ms >= 200);
	CHECK_STR(capture_text(&r.out, &a, 0), "one\nthree");
	CHECK_STR(capture_text(&r.err, &a, 0), "two");
}

TEST(output_left_in_the_pipe_at_the_end_is_passed_on_too)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct heard h = { .out = BUF(&a, MIB(1)), .err = BUF(&a, MIB(1)) };
	struct proc_result r = run(&a, (struct proc_spec){
					       .argv = SH("head -c 60000 /dev/zero; echo end >&2"),
					       .output = hear,
					       .owner = &h,
					       .forgets_output = true,
				       });

	CHECK(r.end == PROC_EXITED && r.code == 0);
	CHECK(buf_str(&h.out).n == 60000);
	CHECK_STR(buf_str(&h.err), "end\n");
	CHECK(r.out.bytes == 60000 && r.out.head_n == 0 && r.out.tail_n == 0);
	CHECK(r.err.bytes == 4 && r.err.head_n == 0 && r.err.tail_n == 0);
}

TEST(input_of_any_size_reaches_the_program)
{
	static const size_t sizes[] = { 0, 1, KIB(64), KIB(64) + 1, MIB(4) };
	CLEANUP(arena_free) struct arena a = { 0 };

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		char *text = arena_bytes(&a, sizes[i] + 1);

		memset(text, 'x', sizes[i]);
		struct proc_result r = run(&a, (struct proc_spec){
						       .argv = SH("wc -c"),
						       .input = { text, sizes[i] },
						       .timeout_ms = 10000,
					       });

		CHECK_STR(capture_text(&r.out, &a, 0), str_fmt(&a, "%zu", sizes[i]).s);
	}
}

TEST(input_comes_back_from_a_program_that_answers_while_it_reads)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char *text = arena_bytes(&a, MIB(3));

	memset(text, 'y', MIB(3));
	struct proc_result r = run(
		&a, (struct proc_spec){ .argv = SH("cat"), .input = { text, MIB(3) }, .timeout_ms = 20000 });

	CHECK(r.end == PROC_EXITED && r.code == 0 && r.out.bytes == MIB(3));
}

TEST(a_program_that_does_not_read_its_input_is_not_waited_for)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char *text = arena_bytes(&a, MIB(1));
	static const char *const scripts[] = { "exit 0", "head -c 1 >/dev/null; exit 0",
					       "exec 0<&-; sleep 0.2; exit 0" };

	memset(text, 'z', MIB(1));
	for (size_t i = 0; i < COUNT_OF(scripts); i++) {
		struct proc_result r = run(&a, (struct proc_spec){
						       .argv = SH(scripts[i]),
						       .input = { text, MIB(1) },
						       .timeout_ms = 10000,
					       });

		CHECK_ROW(scripts[i], r.end == PROC_EXITED && r.code == 0);
	}
	struct proc_result r = run(&a, (struct proc_spec){ .argv = SH("sleep 60"),
							   .input = { text, MIB(1) },
							   .timeout_ms = 200,
							   .grace_ms = 100 });

	CHECK(r.end == PROC_TIMED_OUT && r.elapsed_ms < 2000);
}

TEST(cores_are_those_we_may_use)
{
	cpu_set_t old, one;

	CHECK(cpu_count() >= 1);
	CHECK(sched_getaffinity(0, sizeof(old), &old) == 0);
	CHECK(cpu_count() == (size_t)CPU_COUNT(&old));
	CPU_ZERO(&one);
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &old)) {
			CPU_SET(i, &one);
			break;
		}
	CHECK(sched_setaffinity(0, sizeof(one), &one) == 0);
	size_t count = cpu_count();

	CHECK(sched_setaffinity(0, sizeof(old), &old) == 0);
	CHECK(count == 1);
}
