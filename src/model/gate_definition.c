/* SPDX-License-Identifier: MIT */
/* Each text is preceded by its length, and each list and map by its count, so that no two definitions look alike. */
#include "model/gate_definition.h"

#include "base/digest.h"

static void
add_node(struct digest *d, const struct node *n)
{
	digest_add_number(d, n ? (uint64_t)n->kind : UINT64_MAX);
	if (!n)
		return;
	digest_add_text(d, n->kind == NODE_BOOL ? n->boolean ? STR("true") : STR("false") : n->text);
	digest_add_number(d, n->count);
	for (size_t i = 0; i < n->count; i++) {
		if (n->kind == NODE_MAP)
			digest_add_text(d, n->entries[i].key);
		add_node(d, n->kind == NODE_MAP ? &n->entries[i].value : &n->items[i]);
	}
}

struct str
gate_definition_digest(struct arena *a, const struct gate_definition *d)
{
	struct str *names = arena_array(a, d->names.count, struct str);
	struct digest k;

	digest_begin(&k);
	digest_add_text(&k, d->dialect);
	add_node(&k, d->gate);
	digest_add_text(&k, d->text);
	digest_add_text(&k, d->threshold);
	digest_add_number(&k, d->names.count);
	for (size_t i = 0; i < d->names.count; i++)
		names[i] = d->names.items[i];
	sort(names, d->names.count, str_compare);
	for (size_t i = 0; i < d->names.count; i++) {
		size_t at = 0, count = d->named && d->named->kind == NODE_MAP ? d->named->count : 0;

		while (at < count && !str_eq(d->named->entries[at].key, names[i]))
			at++;
		digest_add_text(&k, names[i]);
		add_node(&k, at < count ? &d->named->entries[at].value : NULL);
	}
	return digest_end(a, &k);
}
