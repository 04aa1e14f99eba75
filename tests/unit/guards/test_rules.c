/* SPDX-License-Identifier: MIT */
#include "git_repository.h"

#include "guards/rules.h"
#include "os/clock.h"

/* The decision about a line that deletes src, of which git has all. */
static struct guard_decision
decide(struct arena *a, const struct repository *r, int64_t deadline_ms)
{
	static struct str use[] = { STR("destructive") };
	const struct guards_config config = { .use = { use, 1 }, .unknown = STR("ask") };
	const struct guard_request request = {
		.command = STR("rm -rf src"),
		.agent = STR("main"),
		.root = r->root,
		.cwd = r->root,
		.deadline_ms = deadline_ms,
	};

	return guard_decide(a, &config, &request);
}

TEST(without_an_answer_of_git_in_time_the_user_is_asked_and_told_why)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct repository r = make_repository(
		&a, "git init -q -b main; mkdir src; echo one >src/a; git add .; git commit -qm one");
	struct guard_decision late = decide(&a, &r, /* deadline_ms= */ 1),
			      good = decide(&a, &r, clock_mono_ms() + 60000);

	CHECK(late.verdict == GUARD_ASK && str_find(late.message, STR("git has not said in time")) == 0);
	CHECK(good.verdict == GUARD_ALLOW && good.known.count == 1);
	CHECK_STR(good.known.items[0], "src: git has it, or ignores it");
}
