/* SPDX-License-Identifier: MIT */
/* The rules of preToolUse in .conclaude.yaml as `guards` of holdfast.yml. A rule about the text of a command line becomes one
 * about its program and leading words, where it names them. */
#include "conf/migrate_parts.h"

#include "base/glob.h"
#include "doc/yaml_out.h"

#define INDENT 2

struct guard_lines {
	struct buf protect, create, deny;
	struct str file;
	struct config_problems *notes;
};

/* A rule on one line; `key` is that of its text. */
static void
add_rule(struct buf *b, int indent, const char *key, struct str text, const struct old_map *from)
{
	const struct node_entry *agent = old_entry(from, "agent"), *message = old_entry(from, "message");
	bool has_agent = agent && agent->value.text.n > 0 && !str_is(agent->value.text, "*");
	bool has_message = message && str_trim(message->value.text).n > 0;

	buf_addf(b, "%*s- ", indent, "");
	if (has_agent || has_message)
		buf_addf(b, "{%s: ", key);
	/* in a flow map, braces and commas mean something */
	buf_add(b, yaml_quote(b->arena, text));
	if (has_agent)
		buf_addf(b, ", by: " STR_FMT, STR_ARG(yaml_quote(b->arena, agent->value.text)));
	if (has_message)
		buf_addf(b, ", message: " STR_FMT, STR_ARG(yaml_quote(b->arena, message->value.text)));
	buf_add(b, has_agent || has_message ? STR("}\n") : STR("\n"));
}

static bool
is_editor(struct str tool)
{
	return str_is(tool, "Write") || str_is(tool, "Edit") || str_is(tool, "MultiEdit") ||
	       str_is(tool, "NotebookEdit");
}

/* The leading words that a pattern of command lines names; absent: it names something else. */
static struct str
leading_words(struct str pattern)
{
	struct str words = str_trim(pattern);

	if (str_ends(words, STR("*")))
		words = str_trim(str_sub(words, 0, words.n - 1));
	return words.n > 0 && !glob_has_wildcard(words) ? words : STR_NONE;
}

static void
add_tool_rule(struct guard_lines *l, const struct conclaude_tool_rule *r, size_t index,
	      const struct old_map *from)
{
	struct arena *a = l->deny.arena;
	bool blocks = str_is(r->action, "block"), is_shell = str_is(r->tool, "Bash") || str_is(r->tool, "*");
	struct str words = leading_words(r->command_pattern);

	if (blocks && r->command_pattern.s && is_shell && words.s)
		add_rule(&l->deny, 3 * INDENT, "command", words, from);
	else if (blocks && !r->command_pattern.s && (is_editor(r->tool) || str_is(r->tool, "*")))
		add_rule(&l->protect, 2 * INDENT, "path", r->pattern, from);
	else
		migrate_note(a, l->notes, l->file, from->map,
			     str_fmt(a, "preToolUse.toolUsageValidation[%zu]", index),
			     "guards deny commands by program and leading words, and changes by path");
}

void
add_guards(struct buf *b, const struct conclaude_config *c, struct old_text *t, struct config_problems *notes)
{
	struct arena *a = b->arena;
	const struct node *pre = node_get(&c->root, "preToolUse"), *files = node_get(pre, "uneditableFiles");
	const struct node *places = node_get(pre, "preventAdditions");
	struct guard_lines l = { BUF(a, SIZE_MAX), BUF(a, SIZE_MAX), BUF(a, SIZE_MAX), t->file, notes };

	for (size_t i = 0; i < c->pre_tool_use.uneditable_files.count; i++)
		add_rule(&l.protect, 2 * INDENT, "path", c->pre_tool_use.uneditable_files.items[i].pattern,
			 &(struct old_map){ t, item_of(files, i) });
	for (size_t i = 0; places && places->kind == NODE_LIST && i < places->count; i++)
		add_rule(&l.create, 2 * INDENT, "path",
			 str_fmt(a, "!" STR_FMT, STR_ARG(places->items[i].text)),
			 &(struct old_map){ t, NULL });
	for (size_t i = 0; i < c->pre_tool_use.tool_rules.count; i++)
		add_tool_rule(&l, &c->pre_tool_use.tool_rules.items[i], i,
			      &(struct old_map){ t, item_of(node_get(pre, "toolUsageValidation"), i) });
	if (l.protect.n + l.create.n + l.deny.n == 0)
		return;
	buf_add(b, STR("guards:\n"));
	if (l.protect.n > 0)
		buf_addf(b, "  protect:\n" STR_FMT, STR_ARG(buf_str(&l.protect)));
	if (l.create.n > 0)
		buf_addf(b, "  create:\n" STR_FMT, STR_ARG(buf_str(&l.create)));
	if (l.deny.n > 0)
		buf_addf(b, "  commands:\n    deny:\n" STR_FMT, STR_ARG(buf_str(&l.deny)));
}
