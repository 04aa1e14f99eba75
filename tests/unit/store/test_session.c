/* SPDX-License-Identifier: MIT */
/* What is kept about a session. */
#include "test.h"

#include "base/path.h"
#include "os/fs.h"
#include "store/session.h"

#include <stdlib.h>

static void
use_state_directory(const char *dir)
{
	CHECK(setenv("XDG_STATE_HOME", dir, 1) == 0);
}

TEST(a_session_is_read_as_it_was_saved_until_it_is_forgotten)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct err err;

	use_state_directory(test_dir());
	for (int round = 0; round < 2; round++) {
		CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };

		CHECK(session_open(&a, STR("one/two"), true, 100, &s, &err) == 0);
		CHECK(*session_tries(&s, STR("/one")) == 2 * round && s.blocks == 3 * round &&
		      s.is_told[TOLD_UNTRUSTED] == (round == 1));
		CHECK(round == 0 ? !s.reason.s : str_is(s.reason, "abc"));
		*session_tries(&s, STR("/one")) = 2;
		s.blocks = 3;
		s.reason = STR("abc");
		s.is_told[TOLD_UNTRUSTED] = true;
		CHECK(session_save(&a, &s, &err) == 0);
	}
	CHECK(session_forget(&a, STR("one/two"), &err) == 0);
	CHECK(session_forget(&a, STR("one/two"), &err) == 0);
	CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };

	CHECK(session_open(&a, STR("one/two"), false, 100, &s, &err) == 0 && s.file.fd < 0);
	CHECK(session_open(&a, STR("one/two"), true, 100, &s, &err) == 0);
	CHECK(*session_tries(&s, STR("/one")) == 0);
}

TEST(each_project_of_a_session_has_tries_of_its_own)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct err err;

	use_state_directory(test_dir());
	for (int i = 0; i < SESSION_PROJECTS; i++) {
		CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };

		CHECK(session_open(&a, STR("s"), true, 100, &s, &err) == 0);
		CHECK(*session_tries(&s, str_cat(&a, "/", i)) == 0);
		*session_tries(&s, str_cat(&a, "/", i)) = i + 1;
		CHECK(session_save(&a, &s, &err) == 0);
	}
	CHECK(sessions_most_tries(&a, STR("/1"), true) == 2);
	CHECK(sessions_most_tries(&a, STR("/1"), false) == 0);
	CHECK(sessions_most_tries(&a, STR("/15"), false) == 16);
	CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };

	/* One has none and is not kept, so that there is room for one more; the next takes the place of the oldest. */
	CHECK(session_open(&a, STR("s"), true, 100, &s, &err) == 0);
	*session_tries(&s, STR("/new")) = 7;
	CHECK(*session_tries(&s, STR("/0")) == 1);
	*session_tries(&s, STR("/newer")) = 8;
	CHECK(*session_tries(&s, STR("/new")) == 7 && *session_tries(&s, STR("/newer")) == 8);
	CHECK(*session_tries(&s, STR("/2")) == 3);
}

TEST(two_processes_do_not_have_a_session_open_at_once)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(session_close) struct session s = { .file = LOCKED_NONE }, t = { .file = LOCKED_NONE };
	struct err err;

	use_state_directory(test_dir());
	CHECK(session_open(&a, STR("s"), true, 100, &s, &err) == 0);
	CHECK(session_open(&a, STR("s"), true, 10, &t, &err) < 0);
	CHECK(err.code == ERR_BUSY);
}

TEST(without_a_state_directory_a_session_is_kept_with_the_counters)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	CLEANUP(session_close) struct session s = { .file = LOCKED_NONE };
	const char *dir = test_dir();
	struct str file = path_join(&a, str_from(dir), STR("file"));
	struct err err;

	CHECK(fs_create(file.s, STR("x"), 0600, &err) == 0);
	use_state_directory(file.s);
	CHECK(setenv("CONCLAUDE_STATE_DIR", dir, 1) == 0);
	CHECK(session_open(&a, STR("s"), true, 100, &s, &err) == 0);
	CHECK(str_starts(str_from(s.file.path), str_from(dir)));
	CHECK(unsetenv("CONCLAUDE_STATE_DIR") == 0);
}
