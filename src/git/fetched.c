/* SPDX-License-Identifier: MIT */
/* What the remote has brought, by the logs of remote-tracking refs, read without running git. They say how a ref was moved, and we
 * believe only what git writes itself: who forges a log runs as the user. */
#include "git/git_spawn.h"

#define LOG_LIMIT_BYTES MIB(16)
#define REF_LIMIT_BYTES KIB(8)
#define REMOTE "refs/remotes/"
#define REMOTE_HEAD REMOTE "origin/HEAD"

static struct str
read_shared(struct arena *a, struct str root, struct str name, size_t limit)
{
	struct str dir = git_common_dir(a, root), text = STR_NONE;

	if (!dir.s || fs_read(a, path_join(a, dir, name).s, limit, &text, IGNORED) < 0)
		return STR_NONE;
	return text;
}

/* Is it "fetch origin: fast-forward", "pull --rebase: ..." or "clone: from URL"? A refspec on the command line, which has a colon,
 * may bring any commit from anywhere. */
static bool
is_from_remote(struct str message)
{
	static const char *const actions[] = { "fetch", "pull", "clone" };
	ptrdiff_t end = str_find(message, STR(": "));
	struct str words = str_sub(message, 0, end < 0 ? 0 : (size_t)end), action = str_before(words, ' ');

	for (size_t i = 0; i < COUNT_OF(actions); i++)
		if (str_is(action, actions[i]))
			return str_find_char(words, ':') < 0;
	return false;
}

/* The commit of the last line that says so: OLD NEW NAME <ADDRESS> TIME ZONE, a tab, the message. */
static struct str
last_brought(struct arena *a, struct str root, struct str ref)
{
	struct str log = read_shared(a, root, path_join(a, STR("logs"), ref), LOG_LIMIT_BYTES);
	struct str line, commit = STR_NONE;

	while (str_next(&log, '\n', &line)) {
		struct str names = str_before(line, '\t');
		struct str new = str_before(str_rest(names, str_before(names, ' ').n + 1), ' ');

		if (is_object_name(new) && is_from_remote(str_rest(line, names.n + 1)))
			commit = new;
	}
	return commit;
}

struct str
git_remote_default(struct arena *a, struct str root)
{
	static const char *const usual[] = { "origin/main", "origin/master" };
	struct str head = str_trim(read_shared(a, root, STR(REMOTE_HEAD), REF_LIMIT_BYTES));

	if (str_skip(&head, "ref: " REMOTE) && str_starts(head, STR("origin/")))
		return head;
	for (size_t i = 0; i < COUNT_OF(usual); i++)
		if (last_brought(a, root, str_cat(a, REMOTE, usual[i])).s)
			return str_from(usual[i]);
	return STR_NONE;
}

/* A clone writes its line into the log of origin/HEAD alone. */
struct str
git_fetched(struct arena *a, struct str root, struct str branch)
{
	struct str commit = last_brought(a, root, str_cat(a, REMOTE, branch));

	if (!commit.s && str_eq(git_remote_default(a, root), branch))
		commit = last_brought(a, root, STR(REMOTE_HEAD));
	return commit;
}
