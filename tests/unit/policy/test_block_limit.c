/* SPDX-License-Identifier: MIT */
/* Which prompts are a person's. */
#include "test.h"

#include "policy/policies.h"

TEST(only_a_persons_prompt_resets_the_tries)
{
	static const struct {
		const char *name, *source, *prompt;
		bool is_users;
	} rows[] = {
		{ "typed", NULL, "go on", true },
		{ "typed, with a source", "user", "go on", true },
		{ "by a program of the user's", "sdk", "go on", true },
		{ "of the client", "system", "go on", false },
		{ "a wake-up", "schedule_wakeup", "go on", false },
		{ "a task's end", NULL, " <task-notification>done</task-notification>", false },
		{ "our own reason", NULL, "fix it\n", false },
		{ "after a tool's result", NULL, "", false },
		{ "blank", NULL, " \n", false },
		{ "a client that does not send the text", NULL, NULL, true },
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str reason = reason_hash(&a, STR("fix it"));

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct event e = { .prompt = str_from(rows[i].prompt),
				   .prompt_source = str_from(rows[i].source) };

		CHECK_ROW(rows[i].name, prompt_is_users(&a, &e, reason) == rows[i].is_users);
	}
}
