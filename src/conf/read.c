/* SPDX-License-Identifier: MIT */
/* Reads a document into a struct by the rows of a schema. Continues after a problem: the value keeps its default and the rest
 * is read, so that loading and validating are the same walk. Never prints, and does not know what a key means. */
#include "conf/read.h"

#include "base/nearest.h"
#include "base/pathglob.h"

#include <assert.h>
#include <stdint.h>

/* Rows of an object: one bit each. */
#define ROWS_MAX 64
#define NAMES_SHOWN_BYTES 400

/* ---- objects ---- */

static void
fail_unknown(struct reader *r, const struct visit *key)
{
	const struct field *object = key->outer->field;
	bool has_others = object->fields[object->field_count - 1].type == FIELD_OTHERS;
	struct str names[ROWS_MAX], near[NEAREST_MAX], name = reader_shown(r, key->entry->key);
	struct buf list = BUF(r->arena, NAMES_SHOWN_BYTES);
	size_t count = 0;

	for (size_t i = 0; i < object->field_count; i++)
		if (object->fields[i].key && object->fields[i].type != FIELD_REMOVED)
			names[count++] = str_from(object->fields[i].key);
	size_t near_count = nearest(key->entry->key, names, count, near);

	for (size_t i = 0; i < near_count; i++)
		buf_addf(&list, "%s'" STR_FMT "'%s",
			 i == 0                ? ", did you mean "
			 : i + 1 == near_count ? " or "
					       : ", ",
			 STR_ARG(near[i]), i + 1 == near_count ? "?" : "");
	if (!has_others && !r->schema->allows_unknown) {
		for (size_t i = 0; i < count && near_count == 0; i++)
			buf_addf(&list, "%s" STR_FMT, i == 0 ? "; valid keys: " : ", ", STR_ARG(names[i]));
		reader_note(r, key, SEVERITY_FATAL, PROBLEM_UNKNOWN_KEY, "unknown key '", name, "'",
			    buf_str(&list));
	} else if (has_others || near_count > 0) {
		reader_note(r, key, SEVERITY_WARNING, PROBLEM_UNKNOWN_KEY, "unknown key '", name,
			    "' has no effect", buf_str(&list));
	}
}

/* Reports unknown and duplicate keys, and a missing one of any_of. */
static void
check_keys(struct reader *r, const struct visit *v)
{
	const struct field *object = v->field;
	const char *const *any_of = object->any_of;
	bool has_any = !any_of;
	uint64_t seen = 0;

	assert(object->field_count > 0 && object->field_count <= ROWS_MAX);
	for (size_t i = 0; i < v->node->count && reader_wants(r); i++) {
		const struct node_entry *e = &v->node->entries[i];
		const struct field *row = field_row(object, e->key);
		struct config_path at = { .outer = v->at, .name = e->key };
		struct visit key = { .field = row, .at = &at, .outer = v, .entry = e };
		uint64_t bit = row ? (uint64_t)1 << (row - object->fields) : 0;

		if (!row)
			fail_unknown(r, &key);
		else if (seen & bit)
			reader_note(r, &key, SEVERITY_FATAL, PROBLEM_DUPLICATE_KEY, "duplicate key '",
				    row->key, "'");
		seen |= bit;
		for (size_t k = 0; any_of && any_of[k]; k++)
			has_any |= e->value.kind != NODE_NULL && str_is(e->key, any_of[k]);
	}
	if (!has_any) {
		struct config_path at = { .outer = v->at, .name = str_from(any_of[0]) };
		struct visit key = { .field = field_row(object, at.name), .at = &at, .outer = v };

		reader_note(r, &key, SEVERITY_FATAL, PROBLEM_MISSING_KEY, "missing key '", any_of[0],
			    "' (or '", any_of[1], "')");
	}
}

/* Is the value of this kind? If null is the same as absent, an empty value counts as an empty collection. */
static bool
has_kind(struct reader *r, const struct visit *v, enum node_kind kind)
{
	const struct node *n = v->node;
	bool is_null = n->kind == NODE_NULL;

	if (n->kind == kind)
		return true;
	if (is_null && (v->field->is_nullable || (n->is_empty && r->schema->null_is_unset)))
		return !v->field->is_nullable;
	reader_fail_type(r, v, NULL);
	return false;
}

static void *
new_items(struct reader *r, const struct field *f, size_t count)
{
	char *items = arena_alloc(r->arena, count, f->size);

	for (size_t i = 0; i < count && f->defaults; i++)
		memcpy(items + i * f->size, f->defaults, f->size);
	return items;
}

/* Where the fields of an object are: in a struct of its own, or in that of the object around it. */
static char *
object_of(struct reader *r, const struct visit *v)
{
	const struct field *f = v->field;
	void *object;

	if (!v->member || !f->has_member || f->size == 0)
		return v->member;
	object = new_items(r, f, 1);
	memcpy(v->member, &object, sizeof(object));
	return object;
}

static bool
read_object(struct reader *r, const struct visit *v)
{
	const struct field *f = v->field;
	bool is_unset = v->node->kind == NODE_NULL && f->is_nullable;

	if (f->short_key && v->node->kind != NODE_MAP && !is_unset) {
		const struct field *row = field_row(f, str_from(f->short_key));
		struct visit text = *v;

		if (v->node->kind == NODE_STRING ||
		    (row->type == FIELD_INTEGER && v->node->kind == NODE_INT) ||
		    ((row->type == FIELD_FLAG || row->type == FIELD_BOOL) && v->node->kind == NODE_BOOL)) {
			char *object = object_of(r, v);

			text.field = row;
			text.member = object ? object + row->offset : NULL;
			reader_read_scalar(r, &text);
		} else {
			reader_fail_type(r, v, str_cat(r->arena, reader_wanted(r, row), " or a map").s);
		}
		return false;
	}
	if (!has_kind(r, v, NODE_MAP))
		return false;
	(void)object_of(r, v);
	check_keys(r, v);
	return true;
}

/* ---- lists and maps ---- */

/* Allocates the items, if they are stored and not those of the document. */
static char *
store_items(struct reader *r, const struct visit *v)
{
	const struct field *f = v->field;
	bool is_one = f->takes_one && v->node->kind != NODE_LIST;
	size_t count = is_one ? 1 : v->node->count;
	const struct node *nodes = is_one ? v->node : v->node->items;
	void *items = !v->member || count == 0 ? NULL
		      : f->is_in_place         ? (void *)(size_t)nodes
					       : new_items(r, f, count);

	if (v->member) {
		memcpy(v->member, &items, sizeof(items));
		*(size_t *)(v->member - f->offset + f->count_offset) = count;
	}
	return items;
}

static bool
read_list(struct reader *r, const struct visit *v)
{
	if (v->field->takes_one && v->node->kind != NODE_LIST && v->node->kind != NODE_NULL) {
		(void)store_items(r, v);
		return true;
	}
	if (!has_kind(r, v, NODE_LIST))
		return false;
	if (v->node->count < (size_t)v->field->least) {
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_TYPE, "expected a list of at least ",
			    v->field->least, ", not of ", v->node->count);
		return false;
	}
	if (v->field->item->type == FIELD_OBJECT && v->node->count > CONFIG_OBJECTS_LIMIT) {
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_RANGE, "out of range: more than ",
			    CONFIG_OBJECTS_LIMIT, " items");
		return false;
	}
	(void)store_items(r, v);
	return true;
}

/* Stores the items of a list as long as they are unquoted texts, in which nothing can be wrong: nearly all items of a long list
 * are, and need no visit. */
static size_t
take_texts(const struct visit *v, size_t from)
{
	const struct field *f = v->field, *item = f->item;
	const struct field *row = item->short_key ? field_row(item, str_from(item->short_key)) : item;
	size_t offset = item->offset + (row == item ? 0 : row->offset), i = from;
	char *items = NULL;

	if (item->has_member ||
	    (row->type != FIELD_STRING && row->type != FIELD_TEXT && row->type != FIELD_PATH_GLOB))
		return 0;
	if (v->member && !f->is_in_place)
		memcpy(&items, v->member, sizeof(items));
	for (; i < v->node->count; i++) {
		const struct node *n = &v->node->items[i];

		/* it has no NUL and is not blank */
		if (n->kind != NODE_STRING || !n->is_plain ||
		    (row->type == FIELD_PATH_GLOB && !pathglob_is_valid(n->text)))
			break;
		if (items)
			*(struct str *)(items + offset + i * f->size) = n->text;
	}
	return i - from;
}

static void
check_item_key(struct reader *r, const struct visit *v, size_t i, struct strset *seen)
{
	const struct node_entry *e = &v->node->entries[i];
	bool is_pattern = v->field->has_pattern_keys, is_blank = is_pattern && str_trim(e->key).n == 0;
	struct config_path at = { .outer = v->at, .name = e->key, .is_pattern = is_pattern };
	struct visit key = { .at = is_blank ? v->at : &at, .outer = v, .entry = e };

	if (is_blank)
		reader_note(r, &key, SEVERITY_FATAL, PROBLEM_EMPTY_PATTERN, "pattern key cannot be empty");
	if (is_pattern) {
		reader_check_pattern(r, &key, FIELD_GLOB, e->key);
		return;
	}
	if (!strset_add(seen, e->key))
		reader_note(r, &key, SEVERITY_FATAL, PROBLEM_DUPLICATE_KEY, "duplicate key '",
			    reader_shown(r, e->key), "'");
}

static bool
read_map(struct reader *r, const struct visit *v)
{
	if (!has_kind(r, v, NODE_MAP))
		return false;
	if (v->node->count > CONFIG_MAP_LIMIT) {
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_RANGE, "out of range: more than ", CONFIG_MAP_LIMIT,
			    " keys");
		return false;
	}
	char *items = store_items(r, v);
	struct strset seen = strset_new(r->arena, v->node->count);

	for (size_t i = 0; i < v->node->count; i++) {
		check_item_key(r, v, i, &seen);
		if (items)
			*(struct str *)(items + i * v->field->size) = v->node->entries[i].key;
	}
	return true;
}

/* ---- one row ---- */

static bool
read_row(struct walker *w, const struct visit *v)
{
	struct reader *r = (struct reader *)w;
	const struct field *f = v->field;
	bool is_null = v->node && v->node->kind == NODE_NULL;

	if (f->is_required && (!v->node || (is_null && r->schema->null_is_unset)))
		reader_note(r, v, SEVERITY_FATAL, PROBLEM_MISSING_KEY, "missing key '", f->key, "'",
			    v->node ? ": it has no value" : "");
	else if (f->type == FIELD_REMOVED && v->node) {
		struct visit key = *v;

		key.node = NULL;
		reader_note(r, &key, SEVERITY_FATAL, PROBLEM_REMOVED_KEY, "removed key '", f->key,
			    "': ", f->help);
	} else if (!v->node || f->type == FIELD_ANY || f->type == FIELD_REMOVED)
		return false;
	else if (f->type == FIELD_OBJECT)
		return read_object(r, v);
	else if (f->type == FIELD_LIST)
		return read_list(r, v);
	else if (f->type == FIELD_MAP)
		return read_map(r, v);
	else if (f->type == FIELD_NODE && has_kind(r, v, NODE_MAP) && v->member)
		memcpy(v->member, &v->node, sizeof(v->node));
	else if (f->type < FIELD_OBJECT && !is_null)
		reader_read_scalar(r, v);
	else if (f->type < FIELD_OBJECT && !(r->schema->null_is_unset && f->key))
		reader_fail_type(r, v, NULL);
	return false;
}

static bool
comes_after(const struct config_problem *x, const struct config_problem *y)
{
	bool x_missing = x->kind == PROBLEM_MISSING_KEY, y_missing = y->kind == PROBLEM_MISSING_KEY;

	if (x_missing != y_missing)
		return x_missing;
	return x->line > y->line || (x->line == y->line && x->column > y->column);
}

/* In the order of the file. Missing keys come last: a key is often only misspelled, and then the unknown key explains more. */
static void
sort_problems(struct config_problem *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct config_problem p = items[i];
		size_t k = i;

		for (; k > 0 && comes_after(&items[k - 1], &p); k--)
			items[k] = items[k - 1];
		items[k] = p;
	}
}

void
schema_read(struct arena *a, const struct schema *s, const struct node *document, void *to, struct str file,
	    struct config_problems *problems)
{
	struct reader r = {
		.walk = { .enter = read_row, .take = take_texts, .has_document = true },
		.arena = a,
		.schema = s,
		.file = file,
		.problems = problems,
	};
	size_t first = problems ? problems->count : 0;

	schema_walk(&r.walk, &(struct visit){ .field = &s->root, .node = document, .member = to });
	if (problems && problems->count > first)
		sort_problems(problems->items + first, problems->count - first);
}
