/* SPDX-License-Identifier: MIT */
/* Writes gates as people write them: a string where the command is all there is to say. */
#include "install/gate_file.h"

#include "doc/edit.h"
#include "doc/text.h"
#include "doc/yaml.h"
#include "doc/yaml_out.h"

/* Without quotes if YAML reads the same text then. */
static struct str
text_of(struct arena *a, struct str x)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct buf b = BUF(a, SIZE_MAX);
	struct node n;

	if (yaml_parse(&scratch, str_cat(&scratch, "x: ", x, "\n"), &n, IGNORED) == 0 &&
	    str_eq(node_get_str(&n, "x"), x))
		return x;
	yaml_add_string(&b, x);
	return buf_str(&b);
}

static void
add_patterns(struct buf *b, const struct str_list *files)
{
	for (size_t i = 0; i < files->count; i++)
		buf_cat(b, i > 0 ? ", " : "[", yaml_quote(b->arena, files->items[i]));
	buf_addc(b, ']');
}

/* Lines, each indented by that many blanks. */
static void
add_gate(struct buf *b, const struct gate_entry *g, int indent)
{
	struct str line = str_fmt(b->arena, "\n%*s", indent + 2, "");
	bool is_short = g->files.count == 0 && !g->dir.s;

	buf_addf(b, "%*s", indent, "");
	yaml_add_string(b, g->name);
	buf_cat(b, ":", is_short ? STR(" ") : line, is_short ? "" : "run: ", text_of(b->arena, g->command));
	if (g->files.count > 0) {
		buf_cat(b, line, "files: ");
		add_patterns(b, &g->files);
	}
	if (g->dir.s)
		buf_cat(b, line, "in: ", text_of(b->arena, g->dir));
	buf_addc(b, '\n');
}

/* The usual guards, and how one of their rules is turned off. */
#define GUARDS                                                                                          \
	"# What the agent's tools may not do: destroy work that git does not have, read secrets, and\n" \
	"# change the agent's own settings and hooks. A denial ends in the name of its rule, as does\n" \
	"# 'holdfast explain --command LINE'; that turns one off, or lets it ask:\n"                    \
	"#   verdicts: { allow: [git-stash-drop], ask: [git-push-force] }\n"                            \
	"guards:\n"                                                                                     \
	"  use: [destructive, secrets, settings]\n"

struct str
gate_file_new(struct arena *a, const struct gate_entry *gates, size_t count, bool has_guards)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_add(&b, STR(GATE_FILE_SCHEMA_LINE));
	if (count > 0)
		buf_add(&b, STR("# What must pass before a coding agent may stop. 'man holdfast-config' has "
				"all keys.\ngates:\n"));
	for (size_t i = 0; i < count; i++)
		add_gate(&b, &gates[i], 2);
	if (has_guards)
		buf_cat(&b, count > 0 ? "\n" : "", GUARDS);
	return buf_str(&b);
}

static void
insert_lines(struct edit *e, size_t at, struct str lines)
{
	bool needs_newline = at > 0 && e->text.s[at - 1] != '\n';

	edit_replace(e, at, at, str_cat(e->arena, needs_newline ? "\n" : "", lines));
}

static int
insert_gate(struct edit *e, const struct node *document, const struct gate_entry *gate, struct err *err)
{
	const struct node_entry *entry = node_find(document, STR("gates"));
	const struct node *gates = entry ? &entry->value : NULL;
	struct buf b = BUF(e->arena, SIZE_MAX);

	if (document->kind != NODE_MAP && !(document->kind == NODE_NULL && document->is_empty))
		return err_set(err, ERR_VALUE, "expected a map, found %s", node_kind_name(document->kind));
	if (!gates) {
		buf_add(&b, STR("gates:\n"));
		add_gate(&b, gate, 2);
		insert_lines(e, e->text.n, buf_str(&b));
	} else if (gates->kind == NODE_NULL && gates->is_empty) {
		add_gate(&b, gate, entry->column + 1);
		insert_lines(e, line_after(e->text, entry->span.end - 1), buf_str(&b));
	} else if (gates->kind != NODE_MAP) {
		return err_at(err, ERR_VALUE, gates->line, gates->column, "'gates' must be a map, not %s",
			      node_kind_name(gates->kind));
	} else if (e->text.s[gates->span.begin] == '{') {
		/* The same between braces. */
		buf_cat(&b, gates->count > 0 ? ", " : "");
		yaml_add_string(&b, gate->name);
		buf_cat(&b, ": {run: ", yaml_quote(b.arena, gate->command));
		if (gate->files.count > 0) {
			buf_add(&b, STR(", files: "));
			add_patterns(&b, &gate->files);
		}
		if (gate->dir.s)
			buf_cat(&b, ", in: ", yaml_quote(b.arena, gate->dir));
		buf_addc(&b, '}');
		edit_replace(e, gates->span.end - 1, gates->span.end - 1, buf_str(&b));
	} else {
		const struct node_entry *last = &gates->entries[gates->count - 1];
		size_t end = last->value.span.end > last->span.end ? last->value.span.end : last->span.end;

		add_gate(&b, gate, gates->entries[0].column - 1);
		insert_lines(e, line_after(e->text, end - 1), buf_str(&b));
	}
	return 0;
}

int
gate_file_add(struct arena *a, struct str text, const struct gate_entry *gate, struct str *ret,
	      struct err *err)
{
	struct edit e = { .arena = a, .text = text };
	struct node before, after;

	if (yaml_parse(a, text, &before, err) < 0)
		return -1;
	const struct node *gates = node_get(&before, "gates");
	const struct node_entry *same = node_find(gates, gate->name);

	if (same)
		return err_at(err, ERR_VALUE, same->line, same->column,
			      "there is already a gate '" STR_FMT "'", STR_ARG(gate->name));
	if (insert_gate(&e, &before, gate, err) < 0)
		return -1;
	*ret = edit_apply(&e, a);
	size_t count = gates && gates->kind == NODE_MAP ? gates->count : 0;
	const struct node *now = yaml_parse(a, *ret, &after, err) == 0 ? node_get(&after, "gates") : NULL;
	const struct node_entry *entry = now && now->count == count + 1 ? node_find(now, gate->name) : NULL;

	if (!entry ||
	    !str_eq(entry->value.kind == NODE_MAP ? node_get_str(&entry->value, "run") : entry->value.text,
		    gate->command))
		return err_set(err, ERR_VALUE, "the gate can't be added in place; add it with an editor");
	return 0;
}

int
gate_file_add_guards(struct arena *a, struct str text, struct str *ret, struct err *err)
{
	struct node before, after;
	const char *space = text.n == 0 ? "" : str_ends(text, STR("\n")) ? "\n" : "\n\n";

	if (yaml_parse(a, text, &before, err) < 0)
		return -1;
	*ret = str_cat(a, text, space, GUARDS);
	if (node_get(&before, "guards") || yaml_parse(a, *ret, &after, IGNORED) < 0 ||
	    after.count != before.count + 1 || !node_get(node_get(&after, "guards"), "use"))
		return err_set(err, ERR_VALUE,
			       "guards can't be added to holdfast.yml in place; add them with an "
			       "editor");
	return 0;
}
