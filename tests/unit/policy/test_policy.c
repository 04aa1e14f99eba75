/* SPDX-License-Identifier: MIT */
/* The rules of rounds and of the follow-up queue, statuses, answers, and session ids in file names. */
#include "test.h"

#include "client/client.h"
#include "base/buf.h"
#include "base/capture.h"
#include "doc/json.h"
#include "model/event.h"
#include "policy/policies.h"

#include <string.h>

TEST(a_round_blocks_until_it_is_the_last)
{
	static const struct {
		uint64_t completed, max;
		bool is_last;
		uint64_t round;
	} cases[] = {
		{ 0, 1, true, 1 },  { 0, 2, false, 1 },
		{ 1, 2, true, 2 },  { 0, 3, false, 1 },
		{ 1, 3, false, 2 }, { 2, 3, true, 3 },
		{ 7, 3, true, 8 },  { UINT64_MAX, 3, true, UINT64_MAX },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct rounds_step step = rounds_decide(cases[i].completed, cases[i].max);

		CHECK(step.is_last == cases[i].is_last && step.round == cases[i].round);
	}
}

/* Every queue of up to four messages with 0 to 3 sends each: each message comes exactly as often as configured,
 * in order, and then never again. */
TEST(every_small_queue_is_sent_exactly)
{
	for (size_t count = 1; count <= 4; count++)
		for (unsigned code = 0; code < 1u << (2 * count); code++) {
			struct follow_up items[4] = { 0 };
			const struct follow_ups all = { .messages = { items, count } };

			for (size_t i = 0; i < count; i++)
				items[i].times = code >> (2 * i) & 3;
			struct queue_row at = { .remaining = items[0].times };

			for (size_t i = 0; i < count; i++)
				for (int64_t k = 0; k < items[i].times; k++)
					CHECK(follow_up_take(&at, &all) == &items[i]);
			CHECK(!follow_up_take(&at, &all));
		}
}

TEST(rows_of_other_versions_and_configurations_are_made_sense_of)
{
	static struct follow_up items[] = { { .times = 2 }, { .times = 1 } };
	static const struct follow_ups all = { .messages = { items, COUNT_OF(items) } }, none = { 0 };
	static const struct {
		const char *name;
		struct queue_row at;
		bool is_due;
		size_t message;
		struct queue_row next;
	} cases[] = {
		{ "fresh", { { 0 }, 0, 2 }, true, 0, { { 0 }, 0, 1 } },
		{ "first sent once", { { 0 }, 0, 1 }, true, 0, { { 0 }, 1, 1 } },
		{ "second", { { 0 }, 1, 1 }, true, 1, { { 0 }, 2, 0 } },
		{ "used up", { { 0 }, 2, 0 }, false, 0, { { 0 }, 0, 0 } },
		{ "done but not advanced", { { 0 }, 0, 0 }, true, 1, { { 0 }, 2, 0 } },
		{ "times lowered", { { 0 }, 0, 9 }, true, 0, { { 0 }, 0, 1 } },
		{ "negative place", { { 0 }, -5, 2 }, true, 0, { { 0 }, 0, 1 } },
		{ "negative remainder", { { 0 }, 0, -1 }, true, 1, { { 0 }, 2, 0 } },
		{ "queue shortened", { { 0 }, 7, 3 }, false, 0, { { 0 }, 0, 0 } },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct queue_row row = cases[i].at;
		const struct follow_up *due = follow_up_take(&row, &all);

		CHECK_ROW(cases[i].name, (due != NULL) == cases[i].is_due);
		CHECK_ROW(cases[i].name, !due || (due == &items[cases[i].message] &&
						  row.position == cases[i].next.position &&
						  row.remaining == cases[i].next.remaining));
	}
	CHECK(!follow_up_take(&(struct queue_row){ .remaining = 1 }, &none));
}

TEST(session_ids_become_file_names_that_never_leave_the_directory)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf longest = BUF(&a, SIZE_MAX), longer = BUF(&a, SIZE_MAX), odd = BUF(&a, SIZE_MAX);

	for (int i = 0; i < 128; i++)
		buf_addc(&longest, 'a');
	for (int i = 0; i < 300; i++)
		buf_addc(&longer, 'a');
	for (int i = 0; i < 100; i++)
		buf_addc(&odd, '/');
	CHECK_STR(session_slug(&a, STR("7567ea90-8f44-4f47-9965-4b350360eac9")),
		  "7567ea90-8f44-4f47-9965-4b350360eac9");
	CHECK_STR(session_slug(&a, STR("..")), "..");
	CHECK_STR(session_slug(&a, STR("../../etc/x")), "..%2F..%2Fetc%2Fx");
	CHECK_STR(session_slug(&a, STR("a%2Fb c\n")), "a%252Fb%20c%0A");
	CHECK_STR(session_slug(&a, STR("a\0b")), "a%00b");
	CHECK(str_eq(session_slug(&a, buf_str(&longest)), buf_str(&longest)));
	CHECK(session_slug(&a, buf_str(&longer)).n == 160 + 1 + 16);
	CHECK(session_slug(&a, buf_str(&odd)).n == 160 + 1 + 16);
	CHECK(str_find_char(session_slug(&a, buf_str(&odd)), '/') == -1);
	buf_addc(&longer, 'b');
	struct str one = session_slug(&a, buf_str(&longer));

	longer.s[longer.n - 1] = 'c';
	CHECK(!str_eq(one, session_slug(&a, buf_str(&longer))));
}

/* scenario: 001-12 */
TEST(only_the_listed_statuses_block)
{
	static const enum status blocking[] = { STATUS_LOOP_CONTINUES,  STATUS_FOLLOW_UP,
						STATUS_COMMAND_FAILED,  STATUS_ROOT_ADDITIONS,
						STATUS_ROUND_COMPLETED, STATUS_INFINITE,
						STATUS_FAILED,          STATUS_PROTECTED_CHANGED,
						STATUS_TESTS_WEAKENED,  STATUS_TODOS_OPEN };
	size_t count = 0;

	for (int s = 0; s < STATUS_COUNT; s++)
		count += status_blocks((enum status)s);
	CHECK(count == COUNT_OF(blocking));
	for (size_t i = 0; i < COUNT_OF(blocking); i++)
		CHECK(status_blocks(blocking[i]));
}

TEST(every_status_has_an_answer_of_one_line_of_json)
{
	for (int s = 0; s < STATUS_COUNT; s++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct verdict v = { .status = (enum status)s, .reason = STR("do\nthis \xFF\0 \"now\"") };
		struct reply_notes notes = { .warnings = STR("one\ntwo\n") };
		struct reply r = client_claude.reply(&a, &v, &notes);
		struct node n;
		struct err err;

		CHECK(r.exit_code == 0);
		CHECK(str_find_char(r.out, '\n') == (ptrdiff_t)r.out.n - 1);
		CHECK(json_parse(&a, r.out, &n, &err) == 0 && n.kind == NODE_MAP);
		CHECK(str_eq(node_get_str(&n, "status"), status_rows[s].name));
		CHECK_STR(n.entries[0].key, "decision");
		CHECK_STR(n.entries[1].key, "status");
		CHECK_STR(n.entries[2].key, "message");
		CHECK((node_get(&n, "reason") != NULL) == status_blocks((enum status)s));
		CHECK(str_find(node_get_str(&n, "message"), STR("(warning: two)")) > 0);
	}
}

TEST(the_loops_own_dialect_is_silent_where_there_is_nothing_to_say)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct reply_notes none = { 0 };
	struct verdict v = { .status = STATUS_NO_CONFIG };

	CHECK_STR(reply_ralph(&a, &v, &none).out, "");
	v = (struct verdict){ .status = STATUS_LOOP_NOT_OWNED, .message = STR("m"), .is_quiet = true };
	CHECK_STR(reply_ralph(&a, &v, &none).out, "");
	CHECK_STR(reply_ralph(&a, &v, &none).err, "");
	v.is_quiet = false;
	CHECK_STR(reply_ralph(&a, &v, &none).out, "{\"systemMessage\":\"m\"}\n");
	v = (struct verdict){ .status = STATUS_LOOP_COMPLETE, .message = STR("m") };
	CHECK_STR(reply_ralph(&a, &v, &none).out, "{\"systemMessage\":\"m\"}\n");
	v = (struct verdict){ .status = STATUS_LOOP_CONTINUES, .message = STR("m"), .reason = STR("r") };
	CHECK_STR(reply_ralph(&a, &v, &none).out,
		  "{\"decision\":\"block\",\"reason\":\"r\",\"systemMessage\":\"m\"}\n");
}

TEST(conclaudes_dialect_blocks_by_exit_code_two)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct reply_notes notes = { .progress = STR("p\n"), .details = STR("d\n"), .warnings = STR("w\n") };
	struct verdict v = { .status = STATUS_COMMAND_FAILED, .reason = STR("r") };
	struct reply r = reply_conclaude(&a, &v, &notes);

	CHECK(r.exit_code == 2);
	CHECK_STR(r.out, "p\n{\"message\":\"r\",\"blocked\":true,\"system_prompt\":null}\n");
	CHECK_STR(r.err, "Warning: w\nd\nr\n");
	v.status = STATUS_COMMANDS_PASSED;
	r = reply_conclaude(&a, &v, &notes);
	CHECK(r.exit_code == 0);
	CHECK_STR(r.out, "p\n{\"message\":null,\"blocked\":false,\"system_prompt\":null}\n");
	v = (struct verdict){ .status = STATUS_INFRASTRUCTURE_ERROR, .message = STR("no bash") };
	r = reply_conclaude(&a, &v, &notes);
	CHECK(r.exit_code == 1);
	CHECK_STR(r.err, "Warning: w\nd\nno bash\n");
}

TEST(an_excerpt_keeps_beginning_and_end_within_its_bound)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf text = BUF(&a, SIZE_MAX);

	for (int i = 0; i < 1000; i++)
		buf_addf(&text, "line %d\n", i);
	struct str cut = excerpt(&a, buf_str(&text), 600);

	CHECK(cut.n <= 600);
	CHECK(str_starts(cut, STR("line 0\n")) && str_ends(cut, STR("line 999\n")));
	CHECK(str_find(cut, STR("bytes omitted)\n")) > 0);
	CHECK(str_eq(excerpt(&a, buf_str(&text), text.n), buf_str(&text)));
	CHECK(excerpt(&a, buf_str(&text), text.n - 1).n < text.n);
	CHECK(excerpt(&a, buf_str(&text), EXCERPT_LEAST_BYTES).n <= EXCERPT_LEAST_BYTES);
}
