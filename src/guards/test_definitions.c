/* SPDX-License-Identifier: MIT */
/* What a change of holdfast.yml does to the gates and guards that it defines. */
#include "base/duration.h"
#include "base/path.h"
#include "doc/yaml.h"
#include "guards/tests.h"

#include <inttypes.h>

bool
is_definitions(struct str path)
{
	return str_eq(path_base(path), STR("holdfast.yml"));
}

static int64_t
number_of(const struct node *map, const char *key, int64_t otherwise)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_INT ? n->integer : otherwise;
}

/* A value that turns something off. */
static bool
is_turned(const struct node *old, const struct node *new, const char *key, bool to)
{
	const struct node *was = node_get(old, key), *is = node_get(new, key);

	return is && is->kind == NODE_BOOL && is->boolean == to &&
	       !(was && was->kind == NODE_BOOL && was->boolean == to);
}

static bool
has_text(const struct node *list, struct str text)
{
	if (!list)
		return false;
	if (list->kind == NODE_STRING)
		return str_eq(list->text, text);
	for (size_t i = 0; list->kind == NODE_LIST && i < list->count; i++) {
		const struct node *item = &list->items[i];
		struct str path = item->kind == NODE_MAP ? node_get_str(item, "path") : item->text;

		if (str_eq(path, text))
			return true;
	}
	return false;
}

/* Items that a list had and has no more. */
static void
compare_list(struct arena *a, struct str file, const struct node *old, const struct node *new,
	     const char *what, struct test_findings *ret)
{
	for (size_t i = 0; old && old->kind == NODE_LIST && i < old->count; i++) {
		const struct node *item = &old->items[i];
		struct str text = item->kind == NODE_MAP ? node_get_str(item, "path") : item->text;

		if (text.s && !has_text(new, text))
			test_finding_note(a, ret, file, new ? new->line : 0, "%s no longer has '" STR_FMT "'",
					  what, STR_ARG(text));
	}
}

struct gate_pair {
	struct arena *arena;
	struct str file, name;
	const struct node *old, *new;
	struct test_findings *ret;
};

static void PRINTF_LIKE(3, 4) add_gate(const struct gate_pair *p, const char *key, const char *fmt, ...)
{
	const struct node *at = node_get(p->new, key);
	struct str text;
	va_list args;

	va_start(args, fmt);
	text = str_vfmt(p->arena, fmt, args);
	va_end(args);
	test_finding_note(p->arena, p->ret, p->file, at ? at->line : p->new->line,
			  "the gate '" STR_FMT "' " STR_FMT, STR_ARG(p->name), STR_ARG(text));
}

static void
compare_files_key(const struct gate_pair *p)
{
	const struct node *was = node_get(p->old, "files"), *is = node_get(p->new, "files");

	if (!was && is)
		add_gate(p, "files", "looks at fewer files: it had no 'files'");
	for (size_t i = 0; was && is && was->kind == NODE_LIST && i < was->count; i++)
		if (!has_text(is, was->items[i].text))
			add_gate(p, "files", "looks at fewer files: 'files' no longer has '" STR_FMT "'",
				 STR_ARG(was->items[i].text));
}

static void
compare_gate(const struct gate_pair *p)
{
	static const struct {
		const char *key;
		bool to;
		const char *text;
	} flags[] = {
		{ "enabled", false, "is turned off" },
		{ "run_locally", false, "does not run here any more" },
		{ "run_in_ci", false, "does not run in CI any more" },
	};
	struct str was = p->old->kind == NODE_MAP ? node_get_str(p->old, "run") : p->old->text;
	struct str is = p->new->kind == NODE_MAP ? node_get_str(p->new, "run") : p->new->text;
	struct str weaker = was.s ? weaker_command(p->arena, was, is) : STR_NONE;

	if (weaker.s)
		add_gate(p, "run", STR_FMT, STR_ARG(weaker));
	compare_files_key(p);
	if (number_of(p->new, "retries", 0) > number_of(p->old, "retries", 0))
		add_gate(p, "retries", "may fail more often: 'retries' is %" PRId64,
			 number_of(p->new, "retries", 0));
	for (size_t i = 0; i < COUNT_OF(flags); i++)
		if (is_turned(p->old, p->new, flags[i].key, flags[i].to))
			add_gate(p, flags[i].key, "%s", flags[i].text);
	int64_t old_ms, new_ms;
	struct str old_time = node_get_str(p->old, "timeout"), new_time = node_get_str(p->new, "timeout");

	if (old_time.s && new_time.s && duration_parse(old_time, &old_ms) &&
	    duration_parse(new_time, &new_ms) && new_ms > old_ms)
		add_gate(p, "timeout", "may take longer: 'timeout' was " STR_FMT " and is " STR_FMT,
			 STR_ARG(old_time), STR_ARG(new_time));
}

void
compare_definitions(struct arena *a, const struct file_change *c, struct test_findings *ret)
{
	struct node old, new = { 0 };
	struct err ignored;

	if (yaml_parse(a, c->before, &old, &ignored) < 0)
		return;
	if (!c->after.s || yaml_parse(a, c->after, &new, &ignored) < 0) {
		test_finding_note(a, ret, c->path, 0, "the file that defines the gates %s",
				  c->after.s ? "can't be read any more" : "is deleted");
		return;
	}
	const struct node *was = node_get(&old, "gates"), *is = node_get(&new, "gates");

	for (size_t i = 0; was && was->kind == NODE_MAP && i < was->count; i++) {
		const struct node_entry *e = &was->entries[i];
		const char *name = str_copy(a, e->key).s;
		const struct node *now = node_get(is, name);
		struct gate_pair p = { a, c->path, e->key, &e->value, now, ret };

		/* of two gates with the same name, which is an error, one counts */
		if (node_get(was, name) != &e->value)
			continue;
		if (now)
			compare_gate(&p);
		else
			test_finding_note(a, ret, c->path, is ? is->line : 0,
					  "the gate '" STR_FMT "' is gone", STR_ARG(e->key));
	}
	if (is_turned(&old, &new, "run_at_stop", false))
		test_finding_note(a, ret, c->path, node_get(&new, "run_at_stop")->line,
				  "the gates do not run at a stop any more");
	if (number_of(&new, "tries", 3) < number_of(&old, "tries", 3))
		test_finding_note(a, ret, c->path,
				  node_get(&new, "tries") ? node_get(&new, "tries")->line : 0,
				  "'tries' is lower: %" PRId64, number_of(&new, "tries", 3));
	const struct node *guarded = node_get(&old, "guards"), *guards = node_get(&new, "guards");

	compare_list(a, c->path, node_get(guarded, "protect"), node_get(guards, "protect"), "guards.protect",
		     ret);
	compare_list(a, c->path, node_get(guarded, "use"), node_get(guards, "use"), "guards.use", ret);
	if (node_get(guarded, "tests") &&
	    (!node_get(guards, "tests") || is_turned(guarded, guards, "tests", false)))
		test_finding_note(a, ret, c->path, guards ? guards->line : 0, "guards.tests is turned off");
}
