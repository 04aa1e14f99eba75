/* SPDX-License-Identifier: MIT */
/* Finds the lines to change through the parsed tree, changes them, and compares the tree of the result with the old one.
 * Reads and writes no file. */
#include "install/claude_agents.h"

#include "client/registration.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "doc/edit.h"
#include "doc/json.h"
#include "doc/text.h"
#include "doc/yaml.h"
#include "doc/yaml_out.h"

#define EVENT "Stop"
#define NOT_BY_LINES "the hooks here are not written line by line, so they were left as they are"

bool
claude_agent_has_matter(struct str text)
{
	struct str first = utf8_skip_mark(text);

	return str_starts(first, STR("---\n")) || str_starts(first, STR("---\r\n"));
}

static size_t
block_end(const struct frontmatter *m)
{
	return (size_t)(m->block.s - m->text.s) + m->block.n;
}

int
claude_agent_read(struct arena *a, struct str text, struct claude_agent *ret, struct err *err)
{
	struct claude_agent g = { .name = STR_NONE };

	if (frontmatter_parse(text, &g.matter, err) < 0)
		return -1;
	/* From the start of the document, whose first marker YAML knows, so that lines and spans are the document's. */
	if (yaml_parse(a, str_sub(text, 0, block_end(&g.matter)), &g.root, err) < 0)
		return -1;
	if (g.root.kind != NODE_MAP && g.root.kind != NODE_NULL)
		return err_at(err, ERR_VALUE, g.root.line, g.root.column, "expected a map, found %s",
			      node_kind_name(g.root.kind));
	const struct node *name = node_get(&g.root, "name");

	if (name && name->kind != NODE_LIST && name->kind != NODE_MAP && str_trim(name->text).n > 0)
		g.name = name->text;
	g.has_hooks = node_get(&g.root, "hooks") != NULL;
	*ret = g;
	return 0;
}

/* A change to the block, by lines. */
struct block_edit {
	struct arena *arena;
	const struct claude_agent *agent;
	struct str text; /* the document up to the end of the block */
	struct edit edit;
	size_t at;          /* where the new text goes */
	struct buf add;     /* the new text, with \n */
	struct str command; /* of the new hook */
	int64_t timeout_s;
	struct err *err;
};

static struct block_edit
open_edit(struct arena *a, const struct claude_agent *g, struct err *err)
{
	size_t end = block_end(&g->matter);

	return (struct block_edit){ .arena = a,
				    .agent = g,
				    .text = str_sub(g->matter.text, 0, end),
				    .edit = { .arena = a, .text = g->matter.text },
				    .at = end,
				    .add = BUF(a, MIB(1)),
				    .err = err };
}

static int
fail_layout(const struct block_edit *e, int line, int column)
{
	return err_at(e->err, ERR_VALUE, line, column, NOT_BY_LINES);
}

static size_t
skip_spaces(struct str text, size_t at)
{
	while (at < text.n && text.s[at] == ' ')
		at++;
	return at;
}

/* The column, from 0, of the list item's dash; -1 where something else comes first on the line. */
static ptrdiff_t
dash_of(const struct block_edit *e, const struct node *item)
{
	size_t line = line_start(e->text, item->span.begin), dash = skip_spaces(e->text, line);

	return dash < item->span.begin && e->text.s[dash] == '-' &&
			       skip_spaces(e->text, dash + 1) == item->span.begin
		       ? (ptrdiff_t)(dash - line)
		       : -1;
}

/* The offset after the lines of a key or list item that begins in the line at that offset. The items of a list may be
 * indented as little as its key. */
static size_t
end_of(const struct block_edit *e, size_t line, bool is_key)
{
	size_t indent = skip_spaces(e->text, line) - line, end = line_after(e->text, line);

	for (size_t next, at = end; at < e->text.n; at = next) {
		next = line_after(e->text, at);
		struct str words = str_trim(str_sub(e->text, at, next));
		size_t n = skip_spaces(e->text, at) - at;

		if (words.n == 0 || (n <= indent && words.s[0] == '#'))
			continue;
		bool is_item = str_starts(words, STR("- ")) || str_is(words, "-");

		if (n < indent || (n == indent && !(is_key && is_item)))
			break;
		end = next;
	}
	return end;
}

static bool
is_ours(struct arena *a, const struct node *hook)
{
	struct str command = node_get_str(hook, "command");

	return command.s && hook_kind_of(a, command, node_get(hook, "args")) == HOOK_CONCLAUDE;
}

static size_t
count_ours(struct arena *a, const struct node *group)
{
	const struct node *hooks = node_get_list(group, "hooks");
	size_t count = 0;

	for (size_t i = 0; i < hooks->count; i++)
		count += is_ours(a, &hooks->items[i]);
	return count;
}

static size_t
count_all_ours(struct arena *a, const struct node *groups)
{
	size_t count = 0;

	for (size_t i = 0; i < groups->count; i++)
		count += count_ours(a, &groups->items[i]);
	return count;
}

/* The groups of the event; an empty list where there are none. */
static const struct node *
groups_of(const struct node *root)
{
	return node_get_list(node_get(root, "hooks"), EVENT);
}

/* Drops conclaude's hooks from the groups of an event; *ret_left is the number of groups that are left. */
static int
drop_ours(struct block_edit *e, const struct node *groups, size_t *ret_left)
{
	*ret_left = groups->count;
	for (size_t g = 0; g < groups->count; g++) {
		const struct node *group = &groups->items[g], *hooks = node_get_list(group, "hooks");
		size_t ours = count_ours(e->arena, group);
		bool is_whole = ours > 0 && ours == hooks->count;

		*ret_left -= is_whole;
		for (size_t i = 0; ours > 0 && i < hooks->count; i++) {
			const struct node *item = is_whole ? group : &hooks->items[i];
			size_t line = line_start(e->text, item->span.begin);

			if (!is_ours(e->arena, &hooks->items[i]) || (is_whole && i > 0))
				continue;
			if (dash_of(e, item) < 0)
				return fail_layout(e, item->line, item->column);
			edit_replace(&e->edit, line, end_of(e, line, false), STR(""));
		}
	}
	return 0;
}

static const struct node_entry *
entry_of(const struct node *map, const char *key)
{
	for (size_t i = 0; map && map->kind == NODE_MAP && i < map->count; i++)
		if (str_is(map->entries[i].key, key))
			return &map->entries[i];
	return NULL;
}

/* The new text goes after the lines of an entry, which must begin its line. */
static int
go_after(struct block_edit *e, const struct node_entry *entry)
{
	size_t line = line_start(e->text, entry->span.begin);

	if (skip_spaces(e->text, line) != entry->span.begin)
		return fail_layout(e, entry->line, entry->column);
	e->at = end_of(e, line, true);
	return 0;
}

/* The same, instead of its lines. */
static int
drop_entry(struct block_edit *e, const struct node_entry *entry)
{
	if (go_after(e, entry) < 0)
		return -1;
	edit_replace(&e->edit, line_start(e->text, entry->span.begin), e->at, STR(""));
	return 0;
}

/* A command as a YAML scalar, quoted where a plain one could be misread. */
static struct str
yaml_word(struct arena *a, struct str command)
{
	for (size_t i = 0; i < command.n; i++) {
		char c = command.s[i];

		if (!is_letter(c) && !is_digit(c) && str_find_char(i > 0 ? STR(" -_./") : STR("_./"), c) < 0)
			return yaml_quote(a, command);
	}
	return command;
}

static void
add_group(struct block_edit *e, size_t indent)
{
	struct str pad = str_fmt(e->arena, "%*s", (int)indent, "");

	buf_cat(&e->add, pad, "- hooks:\n", pad, "    - type: command\n", pad,
		"      command: ", yaml_word(e->arena, e->command), "\n", pad,
		"      timeout: ", e->timeout_s, "\n");
}

static void
add_event(struct block_edit *e, size_t indent)
{
	buf_addf(&e->add, "%*s" EVENT ":\n", (int)indent, "");
	add_group(e, indent + 2);
}

static void
add_entry(struct buf *b, const struct node_entry *entry)
{
	json_add_string(b, entry->key);
	json_add_node(b, &entry->value);
}

/* Everything but conclaude's hooks for the event, as text. An edit must not change it. */
static struct str
others(struct arena *a, const struct node *root)
{
	struct buf b = BUF(a, SIZE_MAX);
	const struct node *all = node_get(root, "hooks"), *groups = groups_of(root);

	for (size_t i = 0; i < root->count; i++)
		if (!str_is(root->entries[i].key, "hooks"))
			add_entry(&b, &root->entries[i]);
	for (size_t i = 0; all && all->kind == NODE_MAP && i < all->count; i++)
		if (!str_is(all->entries[i].key, EVENT))
			add_entry(&b, &all->entries[i]);
	for (size_t g = 0; g < groups->count; g++) {
		const struct node *group = &groups->items[g], *hooks = node_get_list(group, "hooks");
		size_t ours = count_ours(a, group);

		if (ours > 0 && ours == hooks->count)
			continue;
		for (size_t i = 0; group->kind == NODE_MAP && i < group->count; i++)
			if (!str_is(group->entries[i].key, "hooks"))
				add_entry(&b, &group->entries[i]);
		for (size_t i = 0; i < hooks->count; i++)
			if (!is_ours(a, &hooks->items[i]))
				json_add_node(&b, &hooks->items[i]);
	}
	return buf_str(&b);
}

/* Returns the new text if it parses to the same tree, apart from `ours` hooks of conclaude. */
static int
finish(struct block_edit *e, size_t ours, struct str *ret)
{
	struct str before = others(e->arena, &e->agent->root), add = buf_str(&e->add);
	struct claude_agent now;

	if (e->agent->matter.has_crlf)
		add = str_replace(e->arena, add, STR("\n"), STR("\r\n"));
	edit_replace(&e->edit, e->at, e->at, add);
	struct str text = edit_apply(&e->edit, e->arena);

	if (claude_agent_read(e->arena, text, &now, e->err) < 0)
		return err_wrap(e->err, NOT_BY_LINES);
	if (!str_eq(others(e->arena, &now.root), before) ||
	    count_all_ours(e->arena, groups_of(&now.root)) != ours)
		return fail_layout(e, e->agent->root.line, 1);
	*ret = text;
	return 0;
}

/* Is the command registered, as conclaude's only hook? */
static bool
is_there(const struct block_edit *e, const struct node *groups)
{
	bool found = false;

	for (size_t g = 0; g < groups->count; g++) {
		const struct node *hooks = node_get_list(&groups->items[g], "hooks");

		for (size_t i = 0; i < hooks->count; i++) {
			const struct node *timeout = node_get(&hooks->items[i], "timeout");

			found |= str_eq(node_get_str(&hooks->items[i], "command"), e->command) && timeout &&
				 timeout->kind == NODE_INT && timeout->integer == e->timeout_s;
		}
	}
	return found && count_all_ours(e->arena, groups) == 1;
}

static bool
is_empty(const struct node *n)
{
	return n->kind == NODE_NULL || ((n->kind == NODE_MAP || n->kind == NODE_LIST) && n->count == 0);
}

/* Adds the hook to hooks that are not empty. */
static int
put_into_hooks(struct block_edit *e, const struct node_entry *hooks)
{
	const struct node_entry *event = entry_of(&hooks->value, EVENT);
	size_t left = 0;

	if (event && !is_empty(&event->value) && event->value.kind != NODE_LIST)
		return err_at(e->err, ERR_VALUE, event->value.line, event->value.column,
			      "hooks." EVENT ": expected a list, found %s",
			      node_kind_name(event->value.kind));
	if (event && event->value.count > 0) {
		ptrdiff_t dash = dash_of(e, &event->value.items[0]);

		if (drop_ours(e, &event->value, &left) < 0)
			return -1;
		if (dash < 0)
			return fail_layout(e, event->value.line, event->value.column);
		if (left > 0) {
			add_group(e, (size_t)dash);
			return go_after(e, event);
		}
	}
	if (event && drop_entry(e, event) < 0)
		return -1;
	add_event(e, (size_t)hooks->value.entries[0].column - 1);
	return go_after(e, hooks);
}

int
claude_agent_register(struct arena *a, const struct claude_agent *g, struct str command, int64_t timeout_s,
		      struct str *ret, struct err *err)
{
	const struct node_entry *hooks = entry_of(&g->root, "hooks");
	struct block_edit e = open_edit(a, g, err);

	e.command = command;
	e.timeout_s = timeout_s;
	if (is_there(&e, groups_of(&g->root))) {
		*ret = g->matter.text;
		return 0;
	}
	if (hooks && !is_empty(&hooks->value)) {
		if (hooks->value.kind != NODE_MAP)
			return err_at(err, ERR_VALUE, hooks->value.line, hooks->value.column,
				      "hooks: expected a map, found %s", node_kind_name(hooks->value.kind));
		if (put_into_hooks(&e, hooks) < 0)
			return -1;
	} else {
		if (hooks && drop_entry(&e, hooks) < 0)
			return -1;
		buf_add(&e.add, STR("hooks:\n"));
		add_event(&e, 2);
	}
	return finish(&e, 1, ret);
}

int
claude_agent_remove(struct arena *a, const struct claude_agent *g, struct str *ret, struct err *err)
{
	const struct node_entry *hooks = entry_of(&g->root, "hooks");
	const struct node_entry *event = hooks ? entry_of(&hooks->value, EVENT) : NULL;
	struct block_edit e = open_edit(a, g, err);
	size_t left = 0;

	if (!event || count_all_ours(a, groups_of(&g->root)) == 0) {
		*ret = g->matter.text;
		return 0;
	}
	if (drop_ours(&e, &event->value, &left) < 0)
		return -1;
	if (left == 0 && drop_entry(&e, hooks->value.count == 1 ? hooks : event) < 0)
		return -1;
	return finish(&e, 0, ret);
}
