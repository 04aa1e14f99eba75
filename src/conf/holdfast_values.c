/* SPDX-License-Identifier: MIT */
/* Lists the values of a configuration and the lines where they are set. */
#include "conf/holdfast.h"

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

static bool
list_value(struct walker *w, const struct visit *v)
{
	struct value_lister *l = (struct value_lister *)w;
	const struct field *f = v->field;
	int line = line_of(v);
	/* Does it belong to an item that is a node of the document? */
	bool is_in_place = v->outer && v->outer->outer && v->outer->outer->field->is_in_place;

	if (f->key && !f->help)
		return false;
	if (f->type == FIELD_OBJECT || f->type == FIELD_MAP ||
	    (f->type == FIELD_LIST && f->item->type == FIELD_OBJECT))
		return true;
	if ((!v->member && !is_in_place) || (line == 0 && v->outer->at && !l->lists_defaults))
		return false;
	*arena_push(l->arena, l->values.items, l->values.count) = (struct config_value){
		.key = config_path_text(l->arena, v->at),
		.json = v->member ? member_json(l->arena, f, v->member) : node_json(l->arena, v),
		.source = line > 0 ? SOURCE_PROJECT : SOURCE_DEFAULT,
		.origin = line > 0 ? str_cat(l->arena, l->file, ":", line) : STR(""),
	};
	return false;
}

void
list_values(struct value_lister *l, const struct schema *s, const struct config_path *at,
	    const struct node *document, void *values)
{
	l->walk = (struct walker){ .enter = list_value, .has_document = true };
	schema_walk(&l->walk,
		    &(struct visit){ .field = &s->root, .at = at, .node = document, .member = values });
}

int
holdfast_values(struct arena *a, struct str root, struct config_values *ret, struct err *err)
{
	const struct holdfast_file *file = holdfast_read(a, root);
	struct value_lister l = { .arena = a, .file = path_join(a, root, STR(HOLDFAST_FILE)) };
	struct holdfast_draft d = file->draft;
	struct stop_settings hook;
	struct gates_config ignored;

	if (holdfast_load_hook(file, &hook, err) < 0 || holdfast_load_rest(a, &hook, &ignored, err) < 0)
		return -1;
	list_values(&l, &holdfast_schema, NULL, &file->document, &d);
	*ret = l.values;
	return 0;
}
