/* SPDX-License-Identifier: MIT */
/* Reads what is on disk, by simple means and not with the code under test. Writes nothing. */
#include "model.h"

#include "doc/json.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>

const char *
loop_file(int i)
{
	static const char *const files[LOOPS] = {
		".claude/ralph-loop.s-one.local.md",
		".claude/ralph-loop.s-two.local.md",
		".claude/ralph-loop.local.md",
	};

	return files[i];
}

/* The value after `key: ` in the front matter, without quotes; absent: there is no such key. */
static struct str
value(struct str head, const char *key)
{
	struct str line;

	while (str_next(&head, '\n', &line)) {
		struct str name = str_from(key);

		if (!str_starts(line, name) || line.n < name.n + 2 || line.s[name.n] != ':')
			continue;
		line = str_trim(str_sub(line, name.n + 1, line.n));
		if (line.n >= 2 && line.s[0] == '"')
			line = str_sub(line, 1, line.n - 1);
		return line;
	}
	return STR_NONE;
}

static bool
number(struct str text, long *ret)
{
	if (text.n == 0 || text.n > 9)
		return false;
	*ret = 0;
	for (size_t i = 0; i < text.n; i++) {
		if (!isdigit((unsigned char)text.s[i]))
			return false;
		*ret = *ret * 10 + (text.s[i] - '0');
	}
	return true;
}

static struct loop_seen
observe_loop(const struct world *w, int i)
{
	struct loop_seen l = { .text = world_read(w, loop_file(i)) };
	ptrdiff_t end = str_find(l.text, STR("\n---\n"));

	l.is_there = l.text.s != NULL;
	l.is_broken = l.is_there;
	if (!str_starts(l.text, STR("---\n")) || end < 0)
		return l;
	struct str head = str_sub(l.text, 4, (size_t)end + 1);

	l.is_broken = !number(value(head, "iteration"), &l.iteration) ||
		      !number(value(head, "max_iterations"), &l.max) ||
		      str_trim(str_sub(l.text, (size_t)end + 5, l.text.n)).n == 0;
	l.owner = value(head, "session_id");
	l.is_paused = str_is(value(head, "active"), "false");
	l.has_promise = str_is(value(head, "completion_promise"), "DONE");
	return l;
}

static long
observe_count(const struct world *w, int session, const char *name)
{
	struct str text = world_read(w, str_fmt(w->arena, STR_FMT "/state/conclaude-%s.%s", STR_ARG(w->dir),
						session_ids[session], name)
						.s);
	long count = 0;

	if (!text.s)
		return COUNT_NONE;
	text = str_trim(text);
	if (text.n > 0 && !number(text, &count))
		return COUNT_BROKEN;
	return count > 0 ? count : COUNT_NONE;
}

struct str
session_file(const struct world *w, int session)
{
	struct str dir = str_fmt(w->arena, STR_FMT "/home/state/holdfast/sessions", STR_ARG(w->dir));

	if (session != NO_SESSION)
		return str_fmt(w->arena, STR_FMT "/%s.json", STR_ARG(dir), session_ids[session]);
	/* The project's root stands in for a session. */
	DIR *all = opendir(dir.s);
	const struct dirent *entry;
	struct str found = STR("");

	while (all && (entry = readdir(all)))
		if (str_find(str_from(entry->d_name), STR("project")) >= 0)
			found = str_fmt(w->arena, STR_FMT "/%s", STR_ARG(dir), entry->d_name);
	if (all)
		(void)closedir(all);
	return found;
}

bool
world_has_entry(const struct world *w, const char *path)
{
	DIR *dir = opendir(str_fmt(w->arena, STR_FMT "/%s", STR_ARG(w->dir), path).s);
	const struct dirent *entry;
	bool has_one = false;

	while (dir && (entry = readdir(dir)))
		has_one |= entry->d_name[0] != '.';
	if (dir)
		(void)closedir(dir);
	return has_one;
}

static struct node
read_session(const struct world *w, int session)
{
	struct str path = session_file(w, session);
	struct str text = path.n > 0 ? world_read(w, path.s) : STR_NONE;
	struct node all, none = { .kind = NODE_MAP };
	struct err ignored;

	return text.s && json_parse(w->arena, text, &all, &ignored) == 0 ? all : none;
}

static long
observe_tries(const struct node *session, struct str project)
{
	const struct node *all = node_get_list(session, "tries");

	for (size_t i = 0; i < all->count; i++)
		if (str_eq(node_get_str(&all->items[i], "project"), project))
			return (long)node_get_count(&all->items[i], "used", INT64_MAX);
	return 0;
}

uint64_t
text_hash(struct str x)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < x.n; i++)
		h = (h ^ (unsigned char)x.s[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* A sum over all files that were set aside, none of which may be lost. */
static uint64_t
observe_asides(const struct world *w)
{
	DIR *dir = opendir(world_path(w, ".claude").s);
	const struct dirent *entry;
	uint64_t sum = 0;

	while (dir && (entry = readdir(dir)))
		if (str_find(str_from(entry->d_name), STR(".local.md.corrupt-")) >= 0)
			sum += text_hash(world_read(w, str_fmt(w->arena, ".claude/%s", entry->d_name).s));
	if (dir)
		(void)closedir(dir);
	return sum;
}

struct seen
observe(const struct world *w)
{
	struct seen s = { .asides = observe_asides(w) };

	for (int i = 0; i < LOOPS; i++)
		s.loops[i] = observe_loop(w, i);
	for (int i = 0; i < SESSIONS; i++)
		s.rounds[i] = observe_count(w, i, "rounds");
	for (int i = 0; i <= SESSIONS; i++) {
		struct node session = read_session(w, i);

		s.tries[i] = observe_tries(&session, w->project);
		s.blocks[i] = (long)node_get_count(&session, "blocks", INT64_MAX);
		if (i < SESSIONS)
			s.elsewhere[i] = observe_tries(&session, world_other(w));
	}
	return s;
}

bool
loop_equal(const struct loop_seen *a, const struct loop_seen *b)
{
	if (!a->is_there || !b->is_there)
		return a->is_there == b->is_there;
	if (a->is_broken || b->is_broken)
		return a->is_broken == b->is_broken && str_eq(a->text, b->text);
	return a->iteration == b->iteration && a->max == b->max && a->is_paused == b->is_paused &&
	       a->has_promise == b->has_promise && str_eq(a->owner, b->owner);
}
