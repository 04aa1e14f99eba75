/* SPDX-License-Identifier: MIT */
/* Lines from the end: every byte arrives once and in order, whatever the chunk, and the limits hold on both sides. */
#include "test.h"

#include "base/buf.h"
#include "doc/reverse_lines.h"

#include <string.h>

struct memory {
	struct str text;
	size_t reads, shrink_to; /* after the first read the file is this long; 0: as it was */
	bool fails;
};

static int
read_memory(void *file, uint64_t offset, char *to, size_t n, size_t *ret_n, struct err *err)
{
	struct memory *m = file;

	if (m->fails)
		return err_set(err, ERR_SYS, "read failed");
	if (m->reads++ > 0 && m->shrink_to > 0 && m->shrink_to < m->text.n)
		m->text.n = m->shrink_to;
	struct str piece = str_sub(m->text, offset, offset + n);

	if (piece.n)
		memcpy(to, piece.s, piece.n);
	*ret_n = piece.n;
	return 0;
}

/* The lines in the order they come, each in brackets, and why it ended. */
static struct str
all_lines(struct arena *a, struct reverse_lines *l)
{
	static const char *const ends[] = { "", ".", "long", "far" };
	struct buf out = BUF(a, MIB(1));
	enum reverse_lines_end end;
	struct str line;
	struct err err;

	for (;;) {
		if (reverse_lines_next(l, &line, &end, &err) < 0)
			return str_copy(a, str_from(err.msg));
		if (end != LINES_LINE)
			break;
		buf_addc(&out, '[');
		buf_add(&out, line);
		buf_addc(&out, ']');
	}
	enum reverse_lines_end again;

	CHECK(reverse_lines_next(l, &line, &again, &err) == 0 && again == end);
	buf_add(&out, str_from(ends[end]));
	return buf_str(&out);
}

TEST(lines_come_from_the_last_to_the_first_whatever_the_chunk)
{
	static const struct {
		const char *text, *lines;
	} cases[] = {
		{ "", "." },
		{ "\n", "[]." },
		{ "\n\n", "[][]." },
		{ "a", "[a]." },
		{ "a\n", "[a]." },
		{ "\na", "[a][]." },
		{ "a\n\n", "[][a]." },
		{ "a\nb", "[b][a]." },
		{ "one\ntwo\nthree\n", "[three][two][one]." },
		{ "one\ntwo\nthr", "[thr][two][one]." },
		{ "a\r\nb\r\n", "[b\r][a\r]." },
		{ "a long line that spans chunks\nx\n", "[x][a long line that spans chunks]." },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		for (size_t chunk = 1; chunk < 40; chunk++) {
			CLEANUP(arena_free) struct arena a = { 0 };
			struct memory m = { .text = str_from(cases[i].text) };
			CLEANUP(reverse_lines_free) struct reverse_lines l;

			reverse_lines_init(&l, read_memory, &m, m.text.n);
			l.chunk_bytes = chunk;
			struct str lines = all_lines(&a, &l);

			if (!str_is(lines, cases[i].lines))
				fail_msg("row %zu, chunk %zu: " STR_FMT, i, chunk, STR_ARG(lines));
		}
	}
}

TEST(lines_longer_than_the_limit_end_the_search)
{
	static const struct {
		const char *text, *lines; /* with a limit of 4 */
	} cases[] = {
		{ "x\n1234\n", "[1234][x]." }, { "x\n12345\n", "long" },      { "1234", "[1234]." },
		{ "12345", "long" },           { "12345\nab\n", "[ab]long" }, { "1234\nab\n", "[ab][1234]." },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		for (size_t chunk = 1; chunk < 12; chunk++) {
			CLEANUP(arena_free) struct arena a = { 0 };
			struct memory m = { .text = str_from(cases[i].text) };
			CLEANUP(reverse_lines_free) struct reverse_lines l;

			reverse_lines_init(&l, read_memory, &m, m.text.n);
			l.chunk_bytes = chunk;
			l.line_limit_bytes = 4;
			CHECK_STR(all_lines(&a, &l), cases[i].lines);
		}
	}
}

TEST(lines_beyond_the_scan_limit_are_not_read)
{
	static const struct {
		uint64_t limit;
		const char *lines;
	} cases[] = {
		{ 0, "far" },
		{ 1, "far" },
		{ 3, "far" },
		{ 4, "[cd]far" },
		{ 6, "[cd]far" },
		{ 7, "[cd][ab]far" },
		{ 8, "[cd][ab]far" },
		{ 9, "[cd][ab]far" },
		{ 10, "[cd][ab][xyz]." },
		{ 99, "[cd][ab][xyz]." },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		for (size_t chunk = 1; chunk < 12; chunk++) {
			CLEANUP(arena_free) struct arena a = { 0 };
			struct memory m = { .text = STR("xyz\nab\ncd\n") };
			CLEANUP(reverse_lines_free) struct reverse_lines l;

			reverse_lines_init(&l, read_memory, &m, m.text.n);
			l.chunk_bytes = chunk;
			l.scan_limit_bytes = cases[i].limit;
			struct str lines = all_lines(&a, &l);

			if (!str_is(lines, cases[i].lines))
				fail_msg("limit %zu, chunk %zu: " STR_FMT, (size_t)cases[i].limit, chunk,
					 STR_ARG(lines));
		}
	}
}

TEST(lines_of_a_file_that_shrinks_are_read_from_its_new_end)
{
	static const struct {
		size_t size, shrink_to;
		const char *lines; /* of aa\nbb\ncc\ndd\n, chunks of 4 */
	} cases[] = {
		{ 12, 7, "[dd][c][bb][aa]." }, { 12, 6, "[dd][bb][aa]." },     { 12, 5, "[dd][bb][aa]." },
		{ 12, 2, "[dd][aa]." },        { 40, 0, "[dd][cc][bb][aa]." },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct memory m = { .text = STR("aa\nbb\ncc\ndd\n"), .shrink_to = cases[i].shrink_to };
		CLEANUP(reverse_lines_free) struct reverse_lines l;

		reverse_lines_init(&l, read_memory, &m, cases[i].size);
		l.chunk_bytes = 4;
		CHECK_STR(all_lines(&a, &l), cases[i].lines);
	}
	CLEANUP(arena_free) struct arena a = { 0 };
	struct memory gone = { .text = STR("") };
	CLEANUP(reverse_lines_free) struct reverse_lines l;

	reverse_lines_init(&l, read_memory, &gone, 10);
	CHECK_STR(all_lines(&a, &l), ".");
}

TEST(lines_report_a_failing_read)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct memory m = { .text = STR("a\n"), .fails = true };
	CLEANUP(reverse_lines_free) struct reverse_lines l;

	reverse_lines_init(&l, read_memory, &m, m.text.n);
	CHECK_STR(all_lines(&a, &l), "read failed");
}

TEST(lines_of_a_long_file_take_little_memory)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf text = BUF(&a, MIB(4));
	CLEANUP(reverse_lines_free) struct reverse_lines l;
	struct str line;
	struct err err;
	enum reverse_lines_end end;
	size_t count = 0;

	for (int i = 0; i < 100000; i++)
		buf_addf(&text, "%d line\n", i);
	struct memory m = { .text = buf_str(&text) };

	reverse_lines_init(&l, read_memory, &m, m.text.n);
	while (reverse_lines_next(&l, &line, &end, &err) == 0 && end == LINES_LINE)
		count++;
	CHECK(count == 100000 && end == LINES_START);
	CHECK_STR(line, "0 line");
	CHECK(l.capacity <= 2 * TRANSCRIPT_CHUNK_BYTES);
}
