/* SPDX-License-Identifier: MIT */
/* Finds gates and reviewers by name, and decides which files a gate is for. Pure. */
#include "model/gate.h"

#include "base/pathglob.h"

const struct known_reviewer known_reviewers[] = {
#define REVIEWER(name, program, ...) { name, program },
#include "model/reviewer.def"
};
const size_t known_reviewer_count = COUNT_OF(known_reviewers);

const struct known_reviewer *
known_reviewer(struct str name)
{
	for (size_t i = 0; i < known_reviewer_count; i++)
		if (str_is(name, known_reviewers[i].name))
			return &known_reviewers[i];
	return NULL;
}

struct str_list
known_reviewer_list(struct arena *a)
{
	struct str_list names = { arena_array(a, known_reviewer_count, struct str), known_reviewer_count };

	for (size_t i = 0; i < known_reviewer_count; i++)
		names.items[i] = str_from(known_reviewers[i].name);
	return names;
}

const struct gate *
gates_config_gate(const struct gates_config *c, enum gate_kind kind, struct str name)
{
	struct gate_list list = gates_config_list(c, kind);

	for (size_t i = 0; i < list.count; i++)
		if (str_eq(list.items[i].name, name))
			return &list.items[i];
	return NULL;
}

bool
gates_config_uses(const struct gates_config *c, enum gate_kind kind, struct str name)
{
	for (size_t i = 0; i < c->entry_point_count; i++)
		if (entry_point_names(&c->entry_points[i], kind, name))
			return true;
	return false;
}

const struct reviewer_config *
gates_config_reviewer(const struct gates_config *c, struct str name)
{
	for (size_t i = 0; i < c->reviewer_count; i++)
		if (str_eq(c->reviewers[i].name, name))
			return &c->reviewers[i];
	return NULL;
}

const char *
value_source_name(enum value_source source)
{
	static const char *const names[] = {
		[SOURCE_DEFAULT] = "default",
		[SOURCE_GLOBAL] = "global",
		[SOURCE_PROJECT] = "project",
		[SOURCE_ENVIRONMENT] = "environment",
	};

	return names[source];
}

struct gate_pattern {
	struct pathglob glob;
	bool takes_out;
	bool is_name; /* of a file or directory anywhere; else a path from the root */
};

/* Does the pattern match the path, or a directory above it? */
static bool
is_or_has(const struct gate_pattern *x, struct str path)
{
	size_t from = 0;

	for (size_t i = 1; i <= path.n; i++) {
		if (i < path.n && path.s[i] != '/')
			continue;
		if (pathglob_matches(&x->glob, str_sub(path, from, i)))
			return true;
		if (x->is_name)
			from = i + 1;
	}
	return false;
}

struct gate_patterns
gate_patterns_of(struct arena *a, const struct str_list *files)
{
	struct gate_patterns g = { arena_array(a, files->count, struct gate_pattern), files->count };

	for (size_t i = 0; i < files->count; i++) {
		struct str pattern = files->items[i];
		struct gate_pattern *x = &g.items[i];

		x->takes_out = str_skip(&pattern, "!");
		pattern = str_trim_end(pattern, '/');
		if (str_starts(pattern, STR("./")))
			pattern = str_rest(pattern, 1);
		x->is_name = str_find_char(pattern, '/') < 0;
		(void)str_skip(&pattern, "/");
		x->glob = pathglob_compile(a, pattern);
	}
	return g;
}

bool
gate_patterns_have(const struct gate_patterns *g, struct str path)
{
	/* Where the first pattern takes out, it takes out of everything. */
	bool is_in = g->count == 0 || g->items[0].takes_out;

	for (size_t i = 0; i < g->count; i++)
		if (is_in == g->items[i].takes_out && is_or_has(&g->items[i], path))
			is_in = !g->items[i].takes_out;
	return is_in;
}

bool
gate_is_for(const struct str_list *files, struct str path)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct gate_patterns g = gate_patterns_of(&scratch, files);

	return gate_patterns_have(&g, path);
}

struct str
gate_kind_name(enum gate_kind kind)
{
	return kind == GATE_CHECK ? STR("check") : STR("review");
}
