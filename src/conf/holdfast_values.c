/* SPDX-License-Identifier: MIT */
/* Lists the values of holdfast.yml and the lines where they are set. */
#include "conf/gauntlet_schema.h"
#include "conf/holdfast.h"

#include "base/path.h"

struct value_walk {
	struct walker walk;
	struct arena *arena;
	struct str path; /* of the file */
	struct gauntlet_values values;
};

/* The line where the key is set; 0: it is not. A short form, such as a string for a gate, sets one key. */
static int
line_of(const struct visit *v)
{
	const struct visit *o = v->outer;
	const char *short_key = o ? o->field->short_key : NULL;

	if (short_key && o->node && o->node->kind != NODE_MAP)
		return str_is(str_from(v->field->key), short_key) ? o->node->line : 0;
	return v->entry ? v->entry->line : 0;
}

/* Does the value belong to an item that is a node of the document? */
static bool
is_in_place(const struct visit *v)
{
	return v->outer && v->outer->outer && v->outer->outer->field->is_in_place;
}

/* A text or a list of texts in such an item. The short form of an item is its text. */
static struct str
node_json(struct arena *a, const struct visit *v)
{
	const struct node *n = v->node ? v->node : v->outer->node;
	struct str_list texts = { arena_array(a, n->count + 1, struct str), 0 };

	for (size_t i = 0; n->kind == NODE_LIST && i < n->count; i++)
		texts.items[texts.count++] = n->items[i].text;
	if (n->kind != NODE_LIST)
		texts.items[texts.count++] = n->kind == NODE_NULL ? STR_NONE : n->text;
	return member_json(a, v->field,
			   v->field->type == FIELD_LIST ? (const void *)&texts : (const void *)texts.items);
}

/* Keys that are not set are left out, except those at the top. */
static bool
list_value(struct walker *w, const struct visit *v)
{
	struct value_walk *l = (struct value_walk *)w;
	const struct field *f = v->field;
	int line = line_of(v);
	struct gauntlet_values *values = &l->values;

	if (f->type == FIELD_OBJECT || f->type == FIELD_MAP ||
	    (f->type == FIELD_LIST && f->item->type == FIELD_OBJECT))
		return true;
	if ((!v->member && !is_in_place(v)) || (line == 0 && v->outer->at))
		return false;
	arena_make_room(l->arena, values->items, values->count, &values->capacity);
	values->items[values->count++] = (struct gauntlet_value){
		.key = config_path_text(l->arena, v->at),
		.json = v->member ? member_json(l->arena, f, v->member) : node_json(l->arena, v),
		.source = line > 0 ? SOURCE_PROJECT : SOURCE_DEFAULT,
		.origin = line > 0 ? str_fmt(l->arena, STR_FMT ":%d", STR_ARG(l->path), line) : STR(""),
	};
	return false;
}

int
holdfast_values(struct arena *a, struct str root, struct gauntlet_values *ret, struct err *err)
{
	const struct holdfast_file *file = holdfast_read(a, root);
	struct config_problems problems = { 0 };
	struct gauntlet_loader l = {
		.arena = a, .root = root, .file = STR(HOLDFAST_FILE), .problems = &problems
	};
	struct value_walk w = {
		.walk = { .enter = list_value, .has_document = true },
		.arena = a,
		.path = path_join(a, root, STR(HOLDFAST_FILE)),
	};
	struct holdfast_draft d = holdfast_draft_defaults;
	struct gates_config ignored;

	if (!file->is_parsed) {
		*err = file->err;
		return -1;
	}
	holdfast_interpret(&l, &file->document, &d, &ignored);
	if (problems_fail(a, root, &problems, err) < 0)
		return -1;
	schema_walk(&w.walk, &(struct visit){ .field = &holdfast_schema.root,
					      .node = &file->document,
					      .member = (char *)&d });
	*ret = w.values;
	return 0;
}
