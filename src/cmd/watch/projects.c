/* SPDX-License-Identifier: MIT */
/* Which projects holdfast knows, for --all. */
#include "cmd/watch/facts.h"

#include "base/path.h"
#include "doc/json.h"
#include "os/fd.h"
#include "os/fs.h"
#include "store/state_path.h"
#include "store/trust.h"

/* The first line of a results journal names the project. */
#define LINE_BYTES KIB(8)

static struct str
root_of_journal(struct arena *a, const char *path)
{
	CLEANUP(fd_close) int fd = -1;
	char bytes[LINE_BYTES];
	struct node n;
	struct str text, line;
	struct err ignored;
	size_t count = 0;

	if (fs_open_regular(path, &fd, &ignored) < 0 || fd < 0 ||
	    fd_read_at(fd, 0, bytes, sizeof(bytes), &count, &ignored) < 0)
		return STR_NONE;
	text = (struct str){ bytes, count };
	if (!str_next(&text, '\n', &line) || json_parse(a, line, &n, &ignored) < 0)
		return STR_NONE;
	return str_copy(a, node_get_str(&n, "root"));
}

static void
add_roots_of_journals(struct arena *a, int64_t since_us, struct str_list *ret)
{
	struct str dir = state_path(a, "projects", STR(""));
	struct fs_names names;
	struct err ignored;

	if (!dir.s || fs_list(a, dir.s, FS_NO_LIMIT, &names, &ignored) < 0)
		return;
	struct str *all = arena_array(a, ret->count + names.count, struct str);

	for (size_t i = 0; i < ret->count; i++)
		all[i] = ret->items[i];
	ret->items = all;
	for (size_t i = 0; i < names.count; i++) {
		struct str path = str_fmt(a, STR_FMT STR_FMT "/results.jsonl", STR_ARG(dir),
					  STR_ARG(names.items[i]));

		if (fs_written_at(path.s) / 1000 < since_us)
			continue;
		struct str root = root_of_journal(a, path.s);

		if (path_is_absolute(root))
			ret->items[ret->count++] = root;
	}
}

struct str_list
watch_known_projects(struct arena *a, int64_t since_us)
{
	struct trust_list trusted = { 0 };
	struct str_list roots = { 0 };
	struct err ignored;

	if (trust_list(a, &trusted, &ignored) < 0)
		trusted = (struct trust_list){ 0 };
	roots.items = arena_array(a, trusted.count, struct str);
	for (size_t i = 0; i < trusted.count; i++)
		roots.items[roots.count++] = trusted.items[i].project;
	add_roots_of_journals(a, since_us, &roots);
	return roots;
}
