/* SPDX-License-Identifier: MIT */
/* Compares an iteration with the one before. What can't be found out counts for progress. */
#include "loop/stuck.h"

#include "client/client.h"
#include "git/git.h"
#include "os/clock.h"

#define GIT_MS 5000

struct loop_stuck
loop_stuck_next(const struct loop_stuck *before, const struct loop_trace *now)
{
	bool is_same_message = now->message != 0 && now->message == before->message;
	bool is_same_tree = now->tree != 0 && now->tree == before->tree;

	return (struct loop_stuck){
		.message = now->message,
		.tree = now->tree,
		.without_tool = now->has_no_tool ? before->without_tool + 1 : 0,
		.same_message = now->message == 0 ? 0
				: is_same_message ? before->same_message + 1
						  : 1,
		.same_tree = is_same_tree ? before->same_tree + 1 : 0,
	};
}

uint64_t
loop_stuck_longest(const struct loop_stuck *s, const char **ret_what)
{
	uint64_t most = s->without_tool;

	*ret_what = "called no tool";
	if (s->same_message > most) {
		most = s->same_message;
		*ret_what = "ended with the same answer";
	}
	if (s->same_tree > most) {
		most = s->same_tree;
		*ret_what = "changed no file";
	}
	return most;
}

/* The commit, and all that differs from it, but for the loops' own files. */
static uint64_t
tree_hash(struct arena *a, struct str root)
{
	const struct repository r = { .root = root, .deadline_ms = clock_mono_ms() + GIT_MS };
	const struct change_spec spec = { .mode = CHANGES_UNCOMMITTED };
	struct change_list changes;
	uint64_t hash = str_hash(STR_HASH_START, git_commit_now(a, root));
	struct err ignored;

	if (git_changes(a, &r, &spec, &changes, &ignored) < 0 ||
	    git_read_contents(a, &r, &changes, &ignored) < 0)
		return 0;
	for (size_t i = 0; i < changes.count; i++) {
		if (str_find(changes.items[i], STR(".claude/ralph-loop")) >= 0)
			continue;
		hash = str_hash(hash, changes.items[i]);
		hash = str_hash(hash, changes.files[i].mode);
		hash = str_hash(hash, changes.files[i].object);
	}
	return hash | 1;
}

struct loop_trace
loop_trace(struct arena *a, struct str root, const struct event *event, struct str message)
{
	struct str text = str_trim(message);

	return (struct loop_trace){
		.message = text.n > 0 ? str_hash(STR_HASH_START, text) | 1 : 0,
		.tree = tree_hash(a, root),
		.has_no_tool = client_called_no_tool(a, event),
	};
}
