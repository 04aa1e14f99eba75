/* SPDX-License-Identifier: MIT */
/* Finds the lines to change through the parsed tree, changes them, and compares the tree of the result with the old one.
 * Reads and writes no file. */
#include "install/claude_agents.h"

#include "client/registration.h"
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

int
claude_agent_read(struct arena *a, struct str text, struct claude_agent *ret, struct err *err)
{
	struct claude_agent g = { .arena = a, .edit = { .arena = a, .text = text }, .add = BUF(a, MIB(1)) };

	if (frontmatter_parse(text, &g.matter, err) < 0)
		return -1;
	g.at = (size_t)(g.matter.block.s - text.s) + g.matter.block.n;
	g.text = str_sub(text, 0, g.at);
	/* From the start of the document, whose first marker YAML knows, so that lines and spans are the document's. */
	if (yaml_parse(a, g.text, &g.root, err) < 0)
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

static size_t
skip_spaces(struct str text, size_t at)
{
	while (at < text.n && text.s[at] == ' ')
		at++;
	return at;
}

/* The column, from 0, of the list item's dash; -1 where something else comes first on the line. */
static ptrdiff_t
dash_of(const struct claude_agent *g, const struct node *item)
{
	size_t line = line_start(g->text, item->span.begin), dash = skip_spaces(g->text, line);

	return dash < item->span.begin && g->text.s[dash] == '-' &&
			       skip_spaces(g->text, dash + 1) == item->span.begin
		       ? (ptrdiff_t)(dash - line)
		       : -1;
}

/* The offset after the lines of a key or list item that begins in the line at that offset. The items of a list may be
 * indented as little as its key. */
static size_t
end_of(const struct claude_agent *g, size_t line, bool is_key)
{
	size_t indent = skip_spaces(g->text, line) - line, end = line_after(g->text, line);

	for (size_t next, at = end; at < g->text.n; at = next) {
		next = line_after(g->text, at);
		struct str words = str_trim(str_sub(g->text, at, next));
		size_t n = skip_spaces(g->text, at) - at;

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
drop_ours(struct claude_agent *g, const struct node *groups, size_t *ret_left, struct err *err)
{
	*ret_left = groups->count;
	for (size_t k = 0; k < groups->count; k++) {
		const struct node *group = &groups->items[k], *hooks = node_get_list(group, "hooks");
		size_t ours = count_ours(g->arena, group);
		bool is_whole = ours > 0 && ours == hooks->count;

		*ret_left -= is_whole;
		for (size_t i = 0; ours > 0 && i < hooks->count; i++) {
			const struct node *item = is_whole ? group : &hooks->items[i];
			size_t line = line_start(g->text, item->span.begin);

			if (!is_ours(g->arena, &hooks->items[i]) || (is_whole && i > 0))
				continue;
			if (dash_of(g, item) < 0)
				return err_at(err, ERR_VALUE, item->line, item->column, NOT_BY_LINES);
			edit_replace(&g->edit, line, end_of(g, line, false), STR(""));
		}
	}
	return 0;
}

/* The new text goes after the lines of an entry, which must begin its line. */
static int
go_after(struct claude_agent *g, const struct node_entry *entry, struct err *err)
{
	size_t line = line_start(g->text, entry->span.begin);

	if (skip_spaces(g->text, line) != entry->span.begin)
		return err_at(err, ERR_VALUE, entry->line, entry->column, NOT_BY_LINES);
	g->at = end_of(g, line, true);
	return 0;
}

/* The same, instead of its lines. */
static int
drop_entry(struct claude_agent *g, const struct node_entry *entry, struct err *err)
{
	if (go_after(g, entry, err) < 0)
		return -1;
	edit_replace(&g->edit, line_start(g->text, entry->span.begin), g->at, STR(""));
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
add_group(struct claude_agent *g, size_t indent)
{
	struct str pad = str_fmt(g->arena, "%*s", (int)indent, "");

	buf_cat(&g->add, pad, "- hooks:\n", pad, "    - type: command\n", pad,
		"      command: ", yaml_word(g->arena, g->command), "\n", pad,
		"      timeout: ", g->timeout_s, "\n");
}

static void
add_event(struct claude_agent *g, size_t indent)
{
	buf_addf(&g->add, "%*s" EVENT ":\n", (int)indent, "");
	add_group(g, indent + 2);
}

static void
add_members(struct buf *b, const struct node *map, const char *except)
{
	for (size_t i = 0; map && map->kind == NODE_MAP && i < map->count; i++) {
		if (str_is(map->entries[i].key, except))
			continue;
		json_add_string(b, map->entries[i].key);
		json_add_node(b, &map->entries[i].value);
	}
}

/* Everything but conclaude's hooks for the event, as text. An edit must not change it. */
static struct str
others(struct arena *a, const struct node *root)
{
	struct buf b = BUF(a, SIZE_MAX);
	const struct node *groups = groups_of(root);

	add_members(&b, root, "hooks");
	add_members(&b, node_get(root, "hooks"), EVENT);
	for (size_t k = 0; k < groups->count; k++) {
		const struct node *group = &groups->items[k], *hooks = node_get_list(group, "hooks");
		size_t ours = count_ours(a, group);

		if (ours > 0 && ours == hooks->count)
			continue;
		add_members(&b, group, "hooks");
		for (size_t i = 0; i < hooks->count; i++)
			if (!is_ours(a, &hooks->items[i]))
				json_add_node(&b, &hooks->items[i]);
	}
	return buf_str(&b);
}

/* Returns the new text if it parses to the same tree, apart from `ours` hooks of conclaude. */
static int
finish(struct claude_agent *g, size_t ours, struct str *ret, struct err *err)
{
	struct str before = others(g->arena, &g->root), add = buf_str(&g->add);
	struct claude_agent now;

	if (g->matter.has_crlf)
		add = str_replace(g->arena, add, STR("\n"), STR("\r\n"));
	edit_replace(&g->edit, g->at, g->at, add);
	struct str text = edit_apply(&g->edit, g->arena);

	if (claude_agent_read(g->arena, text, &now, err) < 0)
		return err_wrap(err, NOT_BY_LINES);
	if (!str_eq(others(g->arena, &now.root), before) ||
	    count_all_ours(g->arena, groups_of(&now.root)) != ours)
		return err_at(err, ERR_VALUE, g->root.line, 1, NOT_BY_LINES);
	*ret = text;
	return 0;
}

/* Is the command registered, as conclaude's only hook? */
static bool
is_there(const struct claude_agent *g, const struct node *groups)
{
	bool found = false;

	for (size_t k = 0; k < groups->count; k++) {
		const struct node *hooks = node_get_list(&groups->items[k], "hooks");

		for_each (hook, hooks->items, hooks->count)
			found |= str_eq(node_get_str(hook, "command"), g->command) &&
				 node_get_count(hook, "timeout", INT64_MAX) == g->timeout_s;
	}
	return found && count_all_ours(g->arena, groups) == 1;
}

static bool
is_empty(const struct node *n)
{
	return n->kind == NODE_NULL || ((n->kind == NODE_MAP || n->kind == NODE_LIST) && n->count == 0);
}

/* Adds the hook to hooks that are not empty. */
static int
put_into_hooks(struct claude_agent *g, const struct node_entry *hooks, struct err *err)
{
	const struct node_entry *event = node_find(&hooks->value, STR(EVENT));
	size_t left = 0;

	if (event && !is_empty(&event->value) && event->value.kind != NODE_LIST)
		return err_at(err, ERR_VALUE, event->value.line, event->value.column,
			      "hooks." EVENT ": expected a list, found %s",
			      node_kind_name(event->value.kind));
	if (event && event->value.count > 0) {
		ptrdiff_t dash = dash_of(g, &event->value.items[0]);

		if (drop_ours(g, &event->value, &left, err) < 0)
			return -1;
		if (dash < 0)
			return err_at(err, ERR_VALUE, event->value.line, event->value.column, NOT_BY_LINES);
		if (left > 0) {
			add_group(g, (size_t)dash);
			return go_after(g, event, err);
		}
	}
	if (event && drop_entry(g, event, err) < 0)
		return -1;
	add_event(g, (size_t)hooks->value.entries[0].column - 1);
	return go_after(g, hooks, err);
}

int
claude_agent_register(struct claude_agent *g, struct str command, int64_t timeout_s, struct str *ret,
		      struct err *err)
{
	const struct node_entry *hooks = node_find(&g->root, STR("hooks"));

	g->command = command;
	g->timeout_s = timeout_s;
	if (is_there(g, groups_of(&g->root))) {
		*ret = g->matter.text;
		return 0;
	}
	if (hooks && !is_empty(&hooks->value)) {
		if (hooks->value.kind != NODE_MAP)
			return err_at(err, ERR_VALUE, hooks->value.line, hooks->value.column,
				      "hooks: expected a map, found %s", node_kind_name(hooks->value.kind));
		if (put_into_hooks(g, hooks, err) < 0)
			return -1;
	} else {
		if (hooks && drop_entry(g, hooks, err) < 0)
			return -1;
		buf_add(&g->add, STR("hooks:\n"));
		add_event(g, 2);
	}
	return finish(g, 1, ret, err);
}

int
claude_agent_remove(struct claude_agent *g, struct str *ret, struct err *err)
{
	const struct node_entry *hooks = node_find(&g->root, STR("hooks"));
	const struct node_entry *event = hooks ? node_find(&hooks->value, STR(EVENT)) : NULL;
	size_t left = 0;

	if (!event || count_all_ours(g->arena, groups_of(&g->root)) == 0) {
		*ret = g->matter.text;
		return 0;
	}
	if (drop_ours(g, &event->value, &left, err) < 0)
		return -1;
	if (left == 0 && drop_entry(g, hooks->value.count == 1 ? hooks : event, err) < 0)
		return -1;
	return finish(g, 0, ret, err);
}
