/* SPDX-License-Identifier: MIT */
/* The state as a document. It is read leniently: a document that lacks what every state has is not one. */
#include "record/state.h"

#include "doc/json.h"
#include "os/fs.h"

#define STATE ".execution_state"
#define LEGACY ".session_ref" /* of versions that had no state */
#define OUTPUT_LIMIT MIB(2)

/* The keys that we write; others are kept as they are. The last two are of older versions, which import.c reads. */
#define KEYS_MAX 14
static const char keys[] =
	"last_run_completed_at branch commit working_tree_ref seen content_commit content_key "
	"commit_in_base partial outstanding unhealthy_adapters reviewed attempts failed";

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

bool
state_from_node(struct arena *a, const struct node *document, struct execution_state *ret)
{
	struct execution_state s = {
		.completed_at = node_get_str(document, "last_run_completed_at"),
		.branch = node_get_str(document, "branch"),
		.commit = node_get_str(document, "commit"),
		.working_tree_ref = node_get_str(document, "working_tree_ref"),
		.seen = node_get_str(document, "seen"),
		.content_commit = node_get_str(document, "content_commit"),
		.content_key = node_get_str(document, "content_key"),
		.document = document,
	};

	s.was_in_base = read_flag(document, "commit_in_base", &s.has_was_in_base);
	s.is_partial = node_get_bool(document, "partial");
	s.is_outstanding = read_flag(document, "outstanding", &s.has_outstanding);
	if (!s.completed_at.s || !s.branch.s || !s.commit.s)
		return false;
	const struct node *map = node_get(document, "unhealthy_adapters");
	size_t count = count_members(map);

	s.cooldowns = arena_array(a, count, struct cooldown);
	for (size_t i = 0; i < count; i++) {
		const struct node *value = &map->entries[i].value;
		struct cooldown r = {
			.name = map->entries[i].key,
			.marked_at = node_get_str(value, "marked_at"),
			.reason = node_get_str(value, "reason"),
		};

		if (r.marked_at.s)
			s.cooldowns[s.cooldown_count++] = r;
	}
	map = node_get(document, "reviewed");
	count = count_members(map);
	s.reviewed = arena_array(a, count, struct reviewed_tree);
	for (size_t i = 0; i < count; i++) {
		const struct node *value = &map->entries[i].value;
		struct reviewed_tree r = {
			.part = map->entries[i].key,
			.tree = node_get_str(value, "tree"),
			.definition = node_get_str(value, "definition"),
			.is_pass = node_get_bool(value, "passed"),
		};

		if (r.tree.s)
			s.reviewed[s.reviewed_count++] = r;
	}
	*ret = s;
	return true;
}

bool
state_read(struct arena *a, const struct logdir *d, struct execution_state *ret)
{
	struct node *document = arena_new(a, struct node);
	struct str text;

	return fs_read(a, logdir_file(a, d, STATE).s, CONFIG_LIMIT_BYTES, &text, IGNORED) == 0 && text.s &&
	       json_parse(a, text, document, IGNORED) == 0 && state_from_node(a, document, ret);
}

/* ---- writing ---- */

struct node
state_node(struct arena *a, const struct execution_state *s)
{
	size_t others = count_members(s->document);
	struct node all = node_map(a, KEYS_MAX + others);

	node_add_text(&all, "last_run_completed_at", s->completed_at);
	node_add_text(&all, "branch", s->branch);
	node_add_text(&all, "commit", s->commit);
	node_add_text(&all, "working_tree_ref", s->working_tree_ref);
	node_add_text(&all, "seen", s->seen);
	node_add_text(&all, "content_commit", s->content_commit);
	node_add_text(&all, "content_key", s->content_key);
	if (s->has_was_in_base)
		node_add_bool(&all, "commit_in_base", s->was_in_base);
	if (s->is_partial)
		node_add_bool(&all, "partial", true);
	if (s->has_outstanding)
		node_add_bool(&all, "outstanding", s->is_outstanding);
	struct node cooldowns = node_map(a, s->cooldown_count), reviewed = node_map(a, s->reviewed_count);

	for_each (r, s->cooldowns, s->cooldown_count) {
		struct node row = node_map(a, 2);

		node_add_text(&row, "marked_at", r->marked_at);
		node_add_text(&row, "reason", r->reason.s ? r->reason : STR(""));
		node_add(&cooldowns, r->name, row);
	}
	for (size_t i = 0; i < s->reviewed_count; i++) {
		struct node row = node_map(a, 3);

		node_add_text(&row, "tree", s->reviewed[i].tree);
		node_add_text(&row, "definition", s->reviewed[i].definition);
		node_add_bool(&row, "passed", s->reviewed[i].is_pass);
		node_add(&reviewed, s->reviewed[i].part, row);
	}
	if (cooldowns.count > 0)
		node_add(&all, STR("unhealthy_adapters"), cooldowns);
	if (reviewed.count > 0)
		node_add(&all, STR("reviewed"), reviewed);
	for (size_t i = 0; i < others; i++)
		if (!str_is_word_of(s->document->entries[i].key, keys))
			node_add(&all, s->document->entries[i].key, s->document->entries[i].value);
	return all;
}

int
state_write(struct arena *a, const struct logdir *d, const struct execution_state *s, struct err *err)
{
	const char *path = logdir_file(a, d, STATE).s;
	struct node document = state_node(a, s);
	struct buf text = BUF(a, OUTPUT_LIMIT);

	json_add_node_indented(&text, &document, 0);

	if (logdir_make(d, err) < 0)
		return -1;
	/* A directory or a link in its place is replaced, the link's target is not. */
	enum fs_kind kind = fs_lkind(path);

	if (kind != FS_NOTHING && kind != FS_FILE && fs_remove_tree(path, err) < 0)
		return -1;
	if (fs_replace_unsynced(a, path, buf_str(&text), 0600, err) < 0)
		return -1;
	(void)(fs_remove(logdir_file(a, d, LEGACY).s, IGNORED) == 0);
	return 0;
}
