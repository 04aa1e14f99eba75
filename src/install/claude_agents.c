/* SPDX-License-Identifier: MIT */
/* Finds the lines to change through the parsed tree, changes them, and compares the tree of the result with the old one.
 * Reads and writes no file. */
#include "install/claude_agents.h"

#include "client/registration.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "doc/json.h"
#include "doc/yaml.h"

#define EVENT "Stop"
#define NOT_BY_LINES "the hooks here are not written line by line, so they were left as they are"

bool
claude_agent_has_matter(struct str text)
{
	struct str first = utf8_skip_mark(text);

	return str_starts(first, STR("---\n")) || str_starts(first, STR("---\r\n"));
}

static size_t
count_lines(struct str text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.n; i++)
		count += text.s[i] == '\n';
	return count;
}

int
claude_agent_read(struct arena *a, struct str text, struct claude_agent *ret, struct err *err)
{
	struct claude_agent g = { .name = STR_NONE };
	struct buf padded = BUF(a, SIZE_MAX);

	if (frontmatter_parse(text, &g.matter, err) < 0)
		return -1;
	/* Empty lines in place of the text before the block, so that the tree has the document's line numbers. */
	for (size_t i = count_lines(str_sub(text, 0, (size_t)(g.matter.block.s - text.s))); i > 0; i--)
		buf_addc(&padded, '\n');
	buf_add(&padded, g.matter.block);
	if (yaml_parse(a, buf_str(&padded), &g.root, err) < 0)
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

/* A change to the lines of the block: which are dropped, and what is inserted where. */
struct edit {
	struct arena *arena;
	const struct claude_agent *agent;
	struct str *lines;
	bool *is_dropped;
	size_t count;
	int first;      /* the line number of lines[0] in the document */
	size_t at;      /* the new text comes before this line */
	struct buf add; /* the new text, with \n */
	struct err *err;
};

static void
open_edit(struct edit *e, struct arena *a, const struct claude_agent *g, struct err *err)
{
	struct str rest = g->matter.block;
	size_t lines = count_lines(rest) + 1;

	*e = (struct edit){ .arena = a, .agent = g, .add = BUF(a, MIB(1)), .err = err };
	e->lines = arena_array(a, lines, struct str);
	e->is_dropped = arena_array(a, lines, bool);
	e->first = (int)count_lines(str_sub(g->matter.text, 0, (size_t)(rest.s - g->matter.text.s))) + 1;
	while (rest.n > 0) {
		ptrdiff_t end = str_find_char(rest, '\n');
		size_t n = end < 0 ? rest.n : (size_t)end + 1;

		e->lines[e->count++] = str_sub(rest, 0, n);
		rest = str_sub(rest, n, rest.n);
	}
	e->at = e->count;
}

static size_t
indent_of(struct str line)
{
	size_t n = 0;

	while (n < line.n && line.s[n] == ' ')
		n++;
	return n;
}

static struct str
line_at(const struct edit *e, int line)
{
	int at = line - e->first;

	return at >= 0 && (size_t)at < e->count ? e->lines[at] : STR("");
}

/* The column of the list item's dash; -1 where the line begins with something else. */
static ptrdiff_t
dash_of(const struct edit *e, const struct node *item)
{
	struct str line = line_at(e, item->line);
	size_t dash = indent_of(line), n = dash + 1;

	if (dash >= line.n || line.s[dash] != '-')
		return -1;
	while (n < line.n && line.s[n] == ' ')
		n++;
	return n == (size_t)item->column - 1 ? (ptrdiff_t)dash : -1;
}

/* The line after the block that begins at that line with that indentation. A list's items may be indented as little as its
 * key. */
static size_t
end_of(const struct edit *e, int line, size_t indent, bool is_key)
{
	size_t at = (size_t)(line - e->first), end = at + 1;

	for (size_t i = at + 1; i < e->count; i++) {
		struct str words = str_trim(e->lines[i]);
		size_t n = indent_of(e->lines[i]);

		if (words.n == 0 || (n <= indent && words.s[0] == '#'))
			continue;
		bool is_item = str_starts(words, STR("- ")) || str_is(words, "-");

		if (n < indent || (n == indent && !(is_key && is_item)))
			break;
		end = i + 1;
	}
	return end;
}

static void
drop(struct edit *e, int line, size_t end)
{
	for (size_t i = (size_t)(line - e->first); i < end; i++)
		e->is_dropped[i] = true;
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
	const struct node *hooks = node_get(group, "hooks");
	size_t count = 0;

	for (size_t i = 0; hooks && hooks->kind == NODE_LIST && i < hooks->count; i++)
		count += is_ours(a, &hooks->items[i]);
	return count;
}

static int
drop_item(struct edit *e, const struct node *item)
{
	ptrdiff_t dash = dash_of(e, item);

	if (dash < 0)
		return err_at(e->err, ERR_VALUE, item->line, item->column, NOT_BY_LINES);
	drop(e, item->line, end_of(e, item->line, (size_t)dash, false));
	return 0;
}

/* Drops conclaude's hooks from the groups of an event; *ret_left is the number of groups that are left. */
static int
drop_ours(struct edit *e, const struct node *groups, size_t *ret_left)
{
	*ret_left = groups->count;
	for (size_t g = 0; g < groups->count; g++) {
		const struct node *hooks = node_get(&groups->items[g], "hooks");
		size_t ours = count_ours(e->arena, &groups->items[g]);

		if (ours > 0 && ours == hooks->count) {
			(*ret_left)--;
			if (drop_item(e, &groups->items[g]) < 0)
				return -1;
			continue;
		}
		for (size_t i = 0; ours > 0 && i < hooks->count; i++)
			if (is_ours(e->arena, &hooks->items[i]) && drop_item(e, &hooks->items[i]) < 0)
				return -1;
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

/* The line after an entry, which must begin its line. */
static int
entry_end(const struct edit *e, const struct node_entry *entry, size_t *ret)
{
	size_t indent = (size_t)entry->column - 1;

	if (indent_of(line_at(e, entry->line)) != indent)
		return err_at(e->err, ERR_VALUE, entry->line, entry->column, NOT_BY_LINES);
	*ret = end_of(e, entry->line, indent, true);
	return 0;
}

static int
drop_entry(struct edit *e, const struct node_entry *entry)
{
	size_t end = 0;

	if (entry_end(e, entry, &end) < 0)
		return -1;
	drop(e, entry->line, end);
	return 0;
}

/* A command as a YAML scalar, quoted where a plain one could be misread. */
static struct str
yaml_word(struct arena *a, struct str command)
{
	for (size_t i = 0; i < command.n; i++) {
		char c = command.s[i];
		bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
				(i > 0 && (c == ' ' || c == '-')) || c == '_' || c == '.' || c == '/';

		if (!is_plain)
			return frontmatter_quote(a, command);
	}
	return command;
}

static void
add_group(struct edit *e, size_t indent, struct str command, int64_t timeout_s)
{
	int n = (int)indent;

	buf_addf(&e->add, "%*s- hooks:\n%*s    - type: command\n", n, "", n, "");
	buf_addf(&e->add, "%*s      command: ", n, "");
	buf_add(&e->add, yaml_word(e->arena, command));
	buf_addf(&e->add, "\n%*s      timeout: %lld\n", n, "", (long long)timeout_s);
}

static void
add_event(struct edit *e, size_t indent, struct str command, int64_t timeout_s)
{
	buf_addf(&e->add, "%*s" EVENT ":\n", (int)indent, "");
	add_group(e, indent + 2, command, timeout_s);
}

static struct str
result(struct edit *e)
{
	const struct frontmatter *m = &e->agent->matter;
	size_t block = (size_t)(m->block.s - m->text.s);
	struct buf out = BUF(e->arena, SIZE_MAX);
	struct str add = buf_str(&e->add), line;

	buf_add(&out, str_sub(m->text, 0, block));
	for (size_t i = 0; i <= e->count; i++) {
		while (i == e->at && str_next(&add, '\n', &line)) {
			buf_add(&out, line);
			buf_add(&out, m->has_crlf ? STR("\r\n") : STR("\n"));
		}
		if (i < e->count && !e->is_dropped[i])
			buf_add(&out, e->lines[i]);
	}
	buf_add(&out, str_sub(m->text, block + m->block.n, m->text.n));
	return buf_str(&out);
}

static void
add_others_of_group(struct buf *b, const struct node *group)
{
	const struct node *hooks = node_get(group, "hooks");
	size_t ours = count_ours(b->arena, group);

	if (!hooks || hooks->kind != NODE_LIST) {
		json_add_node(b, group);
		return;
	}
	if (ours > 0 && ours == hooks->count)
		return;
	for (size_t i = 0; i < group->count; i++)
		if (!str_is(group->entries[i].key, "hooks")) {
			json_add_string(b, group->entries[i].key);
			json_add_node(b, &group->entries[i].value);
		}
	for (size_t i = 0; i < hooks->count; i++)
		if (!is_ours(b->arena, &hooks->items[i]))
			json_add_node(b, &hooks->items[i]);
}

/* Everything but conclaude's hooks for the event, as text. An edit must not change it. */
static struct str
others(struct arena *a, const struct node *root)
{
	struct buf b = BUF(a, SIZE_MAX);
	const struct node *hooks = node_get(root, "hooks");

	for (size_t i = 0; i < root->count; i++)
		if (!str_is(root->entries[i].key, "hooks")) {
			json_add_string(&b, root->entries[i].key);
			json_add_node(&b, &root->entries[i].value);
		}
	for (size_t i = 0; hooks && hooks->kind == NODE_MAP && i < hooks->count; i++) {
		const struct node *groups = &hooks->entries[i].value;

		if (!str_is(hooks->entries[i].key, EVENT)) {
			json_add_string(&b, hooks->entries[i].key);
			json_add_node(&b, groups);
			continue;
		}
		for (size_t g = 0; groups->kind == NODE_LIST && g < groups->count; g++)
			add_others_of_group(&b, &groups->items[g]);
	}
	return buf_str(&b);
}

static const struct node *
groups_of(const struct node *root)
{
	return node_get(node_get(root, "hooks"), EVENT);
}

static size_t
count_all_ours(struct arena *a, const struct node *groups)
{
	size_t count = 0;

	for (size_t i = 0; groups && groups->kind == NODE_LIST && i < groups->count; i++)
		count += count_ours(a, &groups->items[i]);
	return count;
}

/* Returns the new text if it parses to the same tree, apart from `ours` hooks of conclaude. */
static int
finish(struct edit *e, size_t ours, struct str *ret)
{
	struct str text = result(e), before = others(e->arena, &e->agent->root);
	struct claude_agent now;

	if (claude_agent_read(e->arena, text, &now, e->err) < 0)
		return err_wrap(e->err, NOT_BY_LINES);
	if (!str_eq(others(e->arena, &now.root), before) ||
	    count_all_ours(e->arena, groups_of(&now.root)) != ours)
		return err_at(e->err, ERR_VALUE, e->first, 1, NOT_BY_LINES);
	*ret = text;
	return 0;
}

/* Is the command registered, as conclaude's only hook? */
static bool
is_there(struct arena *a, const struct node *groups, struct str command, int64_t timeout_s)
{
	bool found = false;

	for (size_t g = 0; groups && groups->kind == NODE_LIST && g < groups->count; g++) {
		const struct node *hooks = node_get(&groups->items[g], "hooks");

		for (size_t i = 0; hooks && hooks->kind == NODE_LIST && i < hooks->count; i++) {
			const struct node *timeout = node_get(&hooks->items[i], "timeout");

			found |= str_eq(node_get_str(&hooks->items[i], "command"), command) && timeout &&
				 timeout->kind == NODE_INT && timeout->integer == timeout_s;
		}
	}
	return found && count_all_ours(a, groups) == 1;
}

static bool
is_empty(const struct node *n)
{
	return n->kind == NODE_NULL || ((n->kind == NODE_MAP || n->kind == NODE_LIST) && n->count == 0);
}

/* Adds the hook to hooks that are not empty. */
static int
put_into_hooks(struct edit *e, const struct node_entry *hooks, struct str command, int64_t timeout_s)
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
			return err_at(e->err, ERR_VALUE, event->value.line, event->value.column,
				      NOT_BY_LINES);
		if (left > 0) {
			add_group(e, (size_t)dash, command, timeout_s);
			return entry_end(e, event, &e->at);
		}
	}
	if (event && drop_entry(e, event) < 0)
		return -1;
	add_event(e, (size_t)hooks->value.entries[0].column - 1, command, timeout_s);
	return entry_end(e, hooks, &e->at);
}

int
claude_agent_register(struct arena *a, const struct claude_agent *g, struct str command, int64_t timeout_s,
		      struct str *ret, struct err *err)
{
	const struct node_entry *hooks = entry_of(&g->root, "hooks");
	struct edit e;

	if (is_there(a, groups_of(&g->root), command, timeout_s)) {
		*ret = g->matter.text;
		return 0;
	}
	open_edit(&e, a, g, err);
	if (hooks && !is_empty(&hooks->value)) {
		if (hooks->value.kind != NODE_MAP)
			return err_at(err, ERR_VALUE, hooks->value.line, hooks->value.column,
				      "hooks: expected a map, found %s", node_kind_name(hooks->value.kind));
		if (put_into_hooks(&e, hooks, command, timeout_s) < 0)
			return -1;
	} else {
		if (hooks && (drop_entry(&e, hooks) < 0 || entry_end(&e, hooks, &e.at) < 0))
			return -1;
		buf_add(&e.add, STR("hooks:\n"));
		add_event(&e, 2, command, timeout_s);
	}
	return finish(&e, 1, ret);
}

int
claude_agent_remove(struct arena *a, const struct claude_agent *g, struct str *ret, struct err *err)
{
	const struct node_entry *hooks = entry_of(&g->root, "hooks");
	const struct node_entry *event = hooks ? entry_of(&hooks->value, EVENT) : NULL;
	struct edit e;
	size_t left = 0;

	if (!event || count_all_ours(a, &event->value) == 0) {
		*ret = g->matter.text;
		return 0;
	}
	open_edit(&e, a, g, err);
	if (drop_ours(&e, &event->value, &left) < 0)
		return -1;
	if (left == 0 && drop_entry(&e, hooks->value.count == 1 ? hooks : event) < 0)
		return -1;
	return finish(&e, 0, ret);
}
