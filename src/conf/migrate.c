/* SPDX-License-Identifier: MIT */
/* Reads the old files by their own schemas, writes holdfast.yml, and reads that back. */
#include "conf/migrate.h"

#include "base/path.h"
#include "base/utf8.h"
#include "conf/gates.h"
#include "conf/holdfast.h"
#include "conf/migrate_parts.h"
#include "doc/frontmatter.h"
#include "doc/yaml.h"
#include "os/fs.h"

void
migrate_note(struct arena *a, struct config_problems *notes, struct str file, const struct node *n,
	     struct str path, const char *fmt, ...)
{
	const struct problem_at at = { SEVERITY_WARNING, file, path, n };
	va_list args;

	va_start(args, fmt);
	problem_add(a, notes, &at, fmt, args);
	va_end(args);
}

/* ---- .gauntlet ---- */

static struct str
read_file(struct arena *a, struct str root, struct str file)
{
	struct str path = path_join(a, root, file), text = STR_NONE;
	struct err ignored;

	if (fs_read(a, path.s, CONFIG_LIMIT_BYTES, &text, &ignored) < 0 || !text.s)
		return STR("");
	return text;
}

/* Of a Markdown file, what is read as YAML: the front matter, after an empty line for its marker. */
static struct str
yaml_of(struct arena *a, struct str file, struct str text)
{
	struct frontmatter f;
	struct err ignored;

	if (!str_ends(file, STR(".md")))
		return text;
	if (frontmatter_parse(utf8_skip_mark(text), &f, &ignored) < 0 || !f.block.s)
		return STR("");
	return str_fmt(a, "\n" STR_FMT, STR_ARG(f.block));
}

static void
on_file(struct gauntlet_loader *l, const struct schema *s, const struct config_path *at,
	const struct node *document, void *values)
{
	struct old_gates *g = (struct old_gates *)l;
	struct arena *a = l->arena;

	if (s == &gauntlet_config_schema)
		return;
	bool is_inline = str_eq(l->file, g->text.file);

	arena_make_room(a, g->items, g->count, &g->capacity);
	struct old_gate *o = &g->items[g->count++];

	*o = (struct old_gate){ .name = at->name, .document = *document };
	if (s == &gauntlet_check_schema) {
		o->check = *(const struct check_draft *)values;
	} else {
		o->kind = GATE_REVIEW;
		o->review = *(const struct review_draft *)values;
	}
	o->from.text = is_inline ? &g->text : arena_new(a, struct old_text);
	if (!is_inline)
		*o->from.text = old_text_of(a, l->file, yaml_of(a, l->file, read_file(a, l->root, l->file)),
					    document);
}

static int
read_gates(struct arena *a, struct str root, struct old_gates *g, struct config_problems *problems,
	   struct err *err)
{
	struct gauntlet_hook_config *hook = arena_new(a, struct gauntlet_hook_config);

	if (gauntlet_load_hook(a, root, hook, err) < 0)
		return -1;
	g->loader = (struct gauntlet_loader){
		.arena = a, .root = root, .kind = hook->kind, .problems = problems, .on_file = on_file
	};
	g->draft = config_draft_of(hook->kind);
	g->draft.config.root = root;
	g->document = hook->document;
	g->text = old_text_of(a, gates_file(root), read_file(a, root, gates_file(root)), &g->document);
	loader_read_all(&g->loader, &g->document, &g->draft);
	/* The list of gates has moved while it grew. */
	for (size_t i = 0; i < g->count; i++)
		g->items[i].from.map = &g->items[i].document;
	return problems_fail(a, root, problems, err);
}

/* ---- both ---- */

static int
read_back(struct arena *a, struct str root, struct str text, struct err *err)
{
	struct config_problems problems = { 0 };
	struct gauntlet_loader l = {
		.arena = a, .root = root, .file = STR(HOLDFAST_FILE), .problems = &problems
	};
	struct holdfast_draft *d = arena_new(a, struct holdfast_draft);
	struct gates_config ignored;
	struct node document;

	*d = holdfast_draft_defaults;
	if (yaml_parse(a, text, &document, err) < 0)
		return err_wrap(err, HOLDFAST_FILE);
	holdfast_interpret(&l, &document, d, &ignored);
	return problems_fail(a, STR(""), &problems, err);
}

static void
add_from(struct migration *m, struct str name)
{
	m->from.items[m->from.count++] = name;
}

int
migrate(struct arena *a, struct str root, struct migration *ret, struct err *err)
{
	struct old_gates *g = arena_new(a, struct old_gates);
	struct conclaude_config *c = arena_new(a, struct conclaude_config);
	struct str path = conclaude_find(a, &root, 1), text = STR_NONE;
	struct old_text conclaude_text = { 0 };
	struct buf b = BUF(a, CONFIG_LIMIT_BYTES);

	*ret = (struct migration){ .from = { arena_array(a, 2, struct str), 0 } };
	if (gates_find(a, &root, 1).s) {
		add_from(ret, path_parent(gates_file(root)));
		if (read_gates(a, root, g, &ret->problems, err) < 0 || add_gates(&b, g, &ret->notes, err) < 0)
			return -1;
	}
	if (path.s) {
		add_from(ret, path_base(path));
		if (conclaude_read(a, path, &text, err) < 0 ||
		    conclaude_parse(a, path, text, c, &ret->problems, err) < 0)
			return -1;
		conclaude_text = old_text_of(a, path_base(path), text, &c->root);
		add_policies(&b, c, &conclaude_text, &ret->notes);
	}
	if (b.n == 0)
		return 0;
	add_other_comments(&b, &g->text, 0, "Comments of");
	add_other_comments(&b, &conclaude_text, 0, "Comments of");
	ret->text = buf_str(&b);
	return read_back(a, root, ret->text, err);
}
