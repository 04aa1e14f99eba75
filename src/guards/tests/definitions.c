/* SPDX-License-Identifier: MIT */
/* What a change of holdfast.yml does to the gates and guards that it defines. */
#include "base/duration.h"
#include "base/path.h"
#include "doc/yaml.h"
#include "guards/tests/tests.h"

bool
is_definitions(struct str path)
{
	return str_is(path_base(path), "holdfast.yml");
}

static int64_t
number_of(const struct node *map, const char *key, int64_t otherwise)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_INT ? n->integer : otherwise;
}

static bool
is_turned_off(const struct node *old, const struct node *new, const char *key)
{
	const struct node *was = node_get(old, key), *is = node_get(new, key);

	return is && is->kind == NODE_BOOL && !is->boolean &&
	       !(was && was->kind == NODE_BOOL && !was->boolean);
}

/* The text of an item of a list: a pattern, or a map with one. */
static struct str
text_of(const struct node *item)
{
	return item->kind == NODE_MAP ? node_get_str(item, "path") : item->text;
}

static bool
has_text(const struct node *list, struct str text)
{
	if (list && list->kind == NODE_STRING)
		return str_eq(list->text, text);
	for (size_t i = 0; list && list->kind == NODE_LIST && i < list->count; i++)
		if (str_eq(text_of(&list->items[i]), text))
			return true;
	return false;
}

/* Items that a list had and has no more. */
static void
compare_list(struct str file, const struct node *old, const struct node *new, const char *what,
	     struct test_findings *ret)
{
	for (size_t i = 0; old && old->kind == NODE_LIST && i < old->count; i++) {
		struct str text = text_of(&old->items[i]);

		if (text.s && !has_text(new, text))
			test_finding_add(ret, file, new ? new->line : 0,
					 str_cat(ret->arena, what, " no longer has '", text, "'"));
	}
}

struct gate_pair {
	struct str file, name;
	const struct node *old, *new;
	struct test_findings *ret;
};

static void
add_gate(const struct gate_pair *p, const char *key, struct str text)
{
	const struct node *at = node_get(p->new, key);

	test_finding_add(p->ret, p->file, at ? at->line : p->new->line,
			 str_cat(p->ret->arena, "the gate '", p->name, "' ", text));
}

static void
compare_gate(const struct gate_pair *p)
{
	static const char *const flags[][2] = {
		{ "enabled", "is turned off" },
		{ "run_locally", "does not run here any more" },
		{ "run_in_ci", "does not run in CI any more" },
	};
	struct arena *a = p->ret->arena;
	struct str was = p->old->kind == NODE_MAP ? node_get_str(p->old, "run") : p->old->text;
	struct str is = p->new->kind == NODE_MAP ? node_get_str(p->new, "run") : p->new->text;
	struct str weaker = was.s ? weaker_command(a, was, is) : STR_NONE;

	if (weaker.s)
		add_gate(p, "run", weaker);
	const struct node *had = node_get(p->old, "files"), *has = node_get(p->new, "files");

	if (!had && has)
		add_gate(p, "files", STR("looks at fewer files: it had no 'files'"));
	for (size_t i = 0; had && has && had->kind == NODE_LIST && i < had->count; i++)
		if (!has_text(has, had->items[i].text))
			add_gate(p, "files",
				 str_cat(a, "looks at fewer files: 'files' no longer has '",
					 had->items[i].text, "'"));
	int64_t retries = number_of(p->new, "retries", 0), old_ms, new_ms;

	if (retries > number_of(p->old, "retries", 0))
		add_gate(p, "retries", str_cat(a, "may fail more often: 'retries' is ", retries));
	for (size_t i = 0; i < COUNT_OF(flags); i++)
		if (is_turned_off(p->old, p->new, flags[i][0]))
			add_gate(p, flags[i][0], str_from(flags[i][1]));
	struct str old_time = node_get_str(p->old, "timeout"), new_time = node_get_str(p->new, "timeout");

	if (old_time.s && new_time.s && duration_parse(old_time, &old_ms) &&
	    duration_parse(new_time, &new_ms) && new_ms > old_ms)
		add_gate(p, "timeout",
			 str_cat(a, "may take longer: 'timeout' was ", old_time, " and is ", new_time));
}

void
compare_definitions(const struct file_change *c, struct test_findings *ret)
{
	struct arena *a = ret->arena;
	struct node old, new = { 0 };
	struct err ignored;

	if (yaml_parse(a, c->before, &old, &ignored) < 0)
		return;
	if (!c->after.s || yaml_parse(a, c->after, &new, &ignored) < 0) {
		test_finding_add(ret, c->path, 0,
				 str_cat(a, "the file that defines the gates ",
					 c->after.s ? "can't be read any more" : "is deleted"));
		return;
	}
	const struct node *was = node_get(&old, "gates"), *is = node_get(&new, "gates");

	for (size_t i = 0; was && was->kind == NODE_MAP && i < was->count; i++) {
		const struct node_entry *e = &was->entries[i];
		const char *name = str_copy(a, e->key).s;
		struct gate_pair p = { c->path, e->key, &e->value, node_get(is, name), ret };

		/* of two gates with the same name, which is an error, one counts */
		if (node_get(was, name) != &e->value)
			continue;
		if (p.new)
			compare_gate(&p);
		else
			test_finding_add(ret, c->path, is ? is->line : 0,
					 str_cat(a, "the gate '", e->key, "' is gone"));
	}
	if (is_turned_off(&old, &new, "run_at_stop"))
		test_finding_add(ret, c->path, node_get(&new, "run_at_stop")->line,
				 STR("the gates do not run at a stop any more"));
	int64_t tries = number_of(&new, "tries", 3);
	const struct node *at = node_get(&new, "tries");

	if (tries < number_of(&old, "tries", 3))
		test_finding_add(ret, c->path, at ? at->line : 0, str_cat(a, "'tries' is lower: ", tries));
	const struct node *guarded = node_get(&old, "guards"), *guards = node_get(&new, "guards");

	compare_list(c->path, node_get(guarded, "protect"), node_get(guards, "protect"), "guards.protect",
		     ret);
	compare_list(c->path, node_get(guarded, "use"), node_get(guards, "use"), "guards.use", ret);
	if (node_get(guarded, "tests") &&
	    (!node_get(guards, "tests") || is_turned_off(guarded, guards, "tests")))
		test_finding_add(ret, c->path, guards ? guards->line : 0, STR("guards.tests is turned off"));
}
