/* SPDX-License-Identifier: MIT */
/* .execution_state: what one run leaves for the next. Read leniently, replaced as a whole; a file that is not what it
 * should be is as good as none. */
#include "record/logdir.h"

#include "doc/json.h"
#include "record/logname.h"
#include "os/fs.h"

#define STATE ".execution_state"
#define LEGACY ".session_ref" /* of versions that had no state */
#define OUTPUT_LIMIT MIB(2)

/* The keys that we write; others are kept as they are. */
static const char *const keys[] = {
	"last_run_completed_at",
	"branch",
	"commit",
	"working_tree_ref",
	"seen",
	"commit_in_base",
	"partial",
	"outstanding",
	"attempts",
	"unhealthy_adapters",
	"reviewed",
	"failed",
};

static bool
read_flag(const struct node *map, const char *key, bool *ret_is_there)
{
	const struct node *n = node_get(map, key);

	*ret_is_there = n && n->kind == NODE_BOOL;
	return *ret_is_there && n->boolean;
}

static size_t
count_members(const struct node *map)
{
	return map && map->kind == NODE_MAP ? map->count : 0;
}

static void
read_resting(struct arena *a, const struct node *map, struct execution_state *s)
{
	size_t count = count_members(map);

	s->resting = arena_array(a, count, struct resting_reviewer);
	for (size_t i = 0; i < count; i++) {
		const struct node *value = &map->entries[i].value;
		struct resting_reviewer r = {
			.name = map->entries[i].key,
			.marked_at = node_get_str(value, "marked_at"),
			.reason = node_get_str(value, "reason"),
		};

		if (r.marked_at.s)
			s->resting[s->resting_count++] = r;
	}
}

static void
read_reviewed(struct arena *a, const struct node *map, struct execution_state *s)
{
	size_t count = count_members(map);

	s->reviewed = arena_array(a, count, struct reviewed_tree);
	for (size_t i = 0; i < count; i++) {
		const struct node *value = &map->entries[i].value;
		struct reviewed_tree r = {
			.part = map->entries[i].key,
			.tree = node_get_str(value, "tree"),
			.is_pass = node_get_bool(value, "passed"),
		};

		if (r.tree.s)
			s->reviewed[s->reviewed_count++] = r;
	}
}

static int64_t
read_number(const struct node *map, const char *key)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_INT && n->integer >= 0 && n->integer <= LOG_RUN_MAX ? n->integer : -1;
}

static void
read_failed(struct arena *a, const struct node *list, struct execution_state *s)
{
	size_t count = list && list->kind == NODE_LIST ? list->count : 0;

	s->failed = arena_array(a, count, struct failed_job);
	for (size_t i = 0; i < count; i++) {
		const struct node *row = &list->items[i];
		struct failed_job f = {
			.part = node_get_str(row, "part"),
			.name = node_get_str(row, "gate"),
			.place = node_get_str(row, "place"),
			.slot = read_number(row, "slot"),
			.run = read_number(row, "run"),
		};

		if (f.part.s && f.name.s && f.place.s && f.slot >= 0 && f.run >= 0)
			s->failed[s->failed_count++] = f;
	}
}

bool
logdir_read_state(struct arena *a, const struct logdir *d, struct execution_state *ret)
{
	struct node *document = arena_new(a, struct node);
	struct str text;
	struct err ignored;

	if (fs_read(a, logdir_file(a, d, STATE).s, CONFIG_LIMIT_BYTES, &text, &ignored) < 0 || !text.s ||
	    json_parse(a, text, document, &ignored) < 0)
		return false;
	struct execution_state s = {
		.completed_at = node_get_str(document, "last_run_completed_at"),
		.branch = node_get_str(document, "branch"),
		.commit = node_get_str(document, "commit"),
		.working_tree_ref = node_get_str(document, "working_tree_ref"),
		.seen = node_get_str(document, "seen"),
		.attempts = read_number(document, "attempts"),
		.document = document,
	};

	s.was_in_base = read_flag(document, "commit_in_base", &s.has_was_in_base);
	s.is_partial = node_get_bool(document, "partial");
	s.is_outstanding = read_flag(document, "outstanding", &s.has_outstanding);
	if (!s.completed_at.s || !s.branch.s || !s.commit.s)
		return false;
	read_resting(a, node_get(document, "unhealthy_adapters"), &s);
	read_reviewed(a, node_get(document, "reviewed"), &s);
	read_failed(a, node_get(document, "failed"), &s);
	s.is_outstanding |= s.failed_count > 0;
	*ret = s;
	return true;
}

/* ---- writing ---- */

static void
add_reviews(struct arena *a, struct node *to, const struct execution_state *s)
{
	struct node resting = node_map(a, s->resting_count), reviewed = node_map(a, s->reviewed_count);

	for (size_t i = 0; i < s->resting_count; i++) {
		const struct resting_reviewer *r = &s->resting[i];
		struct node row = node_map(a, 2);

		node_add_text(&row, "marked_at", r->marked_at);
		node_add_text(&row, "reason", r->reason.s ? r->reason : STR(""));
		node_add(&resting, r->name, row);
	}
	for (size_t i = 0; i < s->reviewed_count; i++) {
		struct node row = node_map(a, 2);

		node_add_text(&row, "tree", s->reviewed[i].tree);
		node_add_bool(&row, "passed", s->reviewed[i].is_pass);
		node_add(&reviewed, s->reviewed[i].part, row);
	}
	if (resting.count > 0)
		node_add(to, STR("unhealthy_adapters"), resting);
	if (reviewed.count > 0)
		node_add(to, STR("reviewed"), reviewed);
}

static void
add_failed(struct arena *a, struct node *to, const struct execution_state *s)
{
	struct node *rows = arena_array(a, s->failed_count, struct node);

	if (s->failed_count == 0)
		return;
	for (size_t i = 0; i < s->failed_count; i++) {
		const struct failed_job *f = &s->failed[i];

		rows[i] = node_map(a, 5);
		node_add_text(&rows[i], "gate", f->name);
		node_add_text(&rows[i], "place", f->place);
		node_add_text(&rows[i], "part", f->part);
		node_add_int(&rows[i], "slot", f->slot);
		node_add_int(&rows[i], "run", f->run);
	}
	node_add(to, STR("failed"),
		 (struct node){ .kind = NODE_LIST, .count = (uint32_t)s->failed_count, .items = rows });
}

static bool
is_ours(struct str key)
{
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (str_is(key, keys[i]))
			return true;
	return false;
}

static struct str
text_of(struct arena *a, const struct execution_state *s)
{
	size_t others = count_members(s->document);
	struct node all = node_map(a, COUNT_OF(keys) + others);
	struct buf b = BUF(a, OUTPUT_LIMIT);

	node_add_text(&all, "last_run_completed_at", s->completed_at);
	node_add_text(&all, "branch", s->branch);
	node_add_text(&all, "commit", s->commit);
	node_add_text(&all, "working_tree_ref", s->working_tree_ref);
	if (s->seen.s)
		node_add_text(&all, "seen", s->seen);
	if (s->has_was_in_base)
		node_add_bool(&all, "commit_in_base", s->was_in_base);
	if (s->is_partial)
		node_add_bool(&all, "partial", true);
	if (s->has_outstanding)
		node_add_bool(&all, "outstanding", s->is_outstanding);
	if (s->attempts >= 0)
		node_add_int(&all, "attempts", s->attempts);
	add_reviews(a, &all, s);
	add_failed(a, &all, s);
	for (size_t i = 0; i < others; i++)
		if (!is_ours(s->document->entries[i].key))
			node_add(&all, s->document->entries[i].key, s->document->entries[i].value);
	json_add_node_indented(&b, &all);
	return buf_str(&b);
}

int
logdir_write_state(struct arena *a, const struct logdir *d, const struct execution_state *s, struct err *err)
{
	const char *path = logdir_file(a, d, STATE).s;
	struct err ignored;

	if (logdir_make(d, err) < 0)
		return -1;
	/* Whatever else stands in its place must not keep a block from being counted; a link is replaced, not what it
	 * leads to. */
	enum fs_kind kind = fs_lkind(path);

	if (kind != FS_NOTHING && kind != FS_FILE && fs_remove_tree(path, err) < 0)
		return -1;
	if (fs_replace_unsynced(a, path, text_of(a, s), 0644, err) < 0)
		return -1;
	(void)(fs_remove(logdir_file(a, d, LEGACY).s, &ignored) == 0);
	return 0;
}
