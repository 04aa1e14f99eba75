/* SPDX-License-Identifier: MIT */
/* Whenever a session begins, some names are looked at, each time others. So what is left stays bounded, and no event waits for all
 * of it. A session is in use as long as one of its files is young. */
#include "store/prune.h"

#include "os/clock.h"
#include "os/fs.h"
#include "os/locked.h"
#include "store/state_path.h"

#define DAY_NS (INT64_C(24) * 60 * 60 * 1000000000)
/* In each directory. */
#define LOOKED_AT 32

static const struct {
	const char *dir, *suffix;
	bool is_dir;
} places[] = {
	{ "definitions/sessions", "", true },
	{ "sessions", ".json", false },
	{ "todos", ".json", false },
	{ "output", ".log", false },
};

static const char *
path_of(struct arena *a, size_t place, struct str slug)
{
	return state_path(a, places[place].dir, str_cat(a, slug, places[place].suffix)).s;
}

static int64_t
now_ns(void)
{
	return clock_real_us() * 1000;
}

static bool
is_in_use(struct arena *a, struct str slug)
{
	struct fs_facts facts;

	for (size_t i = 0; i < COUNT_OF(places); i++)
		if (fs_facts(path_of(a, i, slug), &facts) != FS_NOTHING &&
		    facts.written_ns > now_ns() - SESSION_KEPT_DAYS * DAY_NS)
			return true;
	return false;
}

/* A file that another process has locked stays. */
static void
forget(struct arena *a, struct str slug)
{
	static const struct locked_how how = { 0 };

	for (size_t i = 0; i < COUNT_OF(places); i++) {
		CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;
		const char *path = path_of(a, i, slug);

		if (places[i].is_dir)
			(void)(fs_remove_tree(path, IGNORED) == 0);
		else if (locked_open(path, &how, &file, IGNORED) == 0 && file.fd >= 0)
			(void)(locked_remove(&file, IGNORED) == 0);
	}
}

void
sessions_prune(struct arena *a)
{
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		struct str dir = state_path(a, places[i].dir, STR(""));
		struct str_list names = { 0 };

		if (!dir.s || fs_list(&scratch, dir.s, FS_NO_LIMIT, &names, IGNORED) < 0)
			continue;
		size_t from = names.count > 0 ? (size_t)(now_ns() / 1000000) % names.count : 0;

		for (size_t k = 0; k < LOOKED_AT && k < names.count; k++) {
			struct str name = names.items[(from + k) % names.count];
			struct str suffix = str_from(places[i].suffix);
			struct str slug = str_sub(name, 0, name.n - suffix.n);

			if (str_ends(name, suffix) && !is_in_use(&scratch, slug))
				forget(&scratch, slug);
		}
	}
}

void
session_mark_used(const char *mark)
{
	struct fs_facts facts;

	if (fs_facts(mark, &facts) == FS_DIR && facts.written_ns < now_ns() - DAY_NS)
		(void)(fs_set_written_at(mark, now_ns(), IGNORED) == 0);
}
