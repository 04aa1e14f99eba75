/* SPDX-License-Identifier: MIT */
/* Who may propose what. Pure. */
#include "base/glob.h"
#include "recognise/rules.h"

#define PROPOSALS_MAX 64

const struct project_file *
find_file(const struct recognition *r, const char *pattern, const char *text)
{
	for (size_t i = 0; i < r->files->count; i++) {
		const struct project_file *f = &r->files->items[i];

		if (glob_match(str_from(pattern), f->name) &&
		    (!text || str_find(f->text, str_from(text)) >= 0))
			return f;
	}
	return NULL;
}

bool
is_ci_file(struct str name)
{
	return str_starts(name, STR(".github/workflows/")) || str_is(name, ".gitlab-ci.yml");
}

bool
ci_has(const struct recognition *r, const char *text)
{
	for (size_t i = 0; i < r->files->count; i++)
		if (is_ci_file(r->files->items[i].name) &&
		    str_find(r->files->items[i].text, str_from(text)) >= 0)
			return true;
	return false;
}

static bool
is_named(const struct proposals *p, struct str name)
{
	for (size_t i = 0; i < p->count; i++)
		if (str_eq(p->items[i].name, name))
			return true;
	return false;
}

void
offer_gate(struct recognition *r, const struct offer *o)
{
	struct proposals *p = r->proposals;
	bool is_second = false;

	for (size_t i = 0; i < p->count; i++) {
		const struct proposed_gate *g = &p->items[i];

		if (!str_is(str_from(g->role), o->role))
			continue;
		if (!g->ecosystem || !o->ecosystem || str_is(str_from(g->ecosystem), o->ecosystem))
			return;
		is_second = true;
	}
	struct str name = str_from(o->name ? o->name : o->role);

	if (is_second || is_named(p, name))
		name = str_cat(r->arena, name, "-", o->ecosystem ? o->ecosystem : "all");
	if (p->count == PROPOSALS_MAX || is_named(p, name))
		return;
	struct proposed_gate *g = arena_push(r->arena, p->items, p->count);

	*g = (struct proposed_gate){
		.name = name,
		.command = o->command,
		.from = o->from,
		.role = o->role,
		.ecosystem = o->ecosystem,
	};
	if (o->pattern) {
		g->files.items = arena_array(r->arena, 1, struct str);
		g->files.items[g->files.count++] = str_from(o->pattern);
	}
}

void
recognise(struct arena *a, const struct project_files *files, struct proposals *ret)
{
	struct recognition r = { .arena = a, .files = files, .proposals = ret };

	*ret = (struct proposals){ 0 };
	offer_node(&r);
	offer_targets(&r);
	offer_ecosystems(&r, true);
	offer_composer(&r);
	offer_ecosystems(&r, false);
	offer_ci(&r);
}
