/* SPDX-License-Identifier: MIT */
/* The lines of the journal, written and read. A line that can't be read is passed over. */
#include "doc/json.h"
#include "os/clock.h"
#include "record/fold.h"

void
line_begin(struct buf *b, const char *event)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };

	buf_addc(b, '{');
	json_add_member(b, "time", clock_format_millis(&scratch, clock_real_us()));
	json_add_member(b, "event", str_from(event));
}

static void
add_text(struct buf *b, const char *key, struct str text)
{
	if (text.s)
		json_add_member(b, key, text);
}

static void
add_origin(struct buf *b, const struct past_result *p)
{
	json_add_member_int(b, "run", p->run);
	json_add_member(b, "kind", gate_kind_name(p->kind));
	add_text(b, "gate", p->name);
	add_text(b, "place", p->place);
	json_add_member(b, "part", p->file_part);
	json_add_member_int(b, "slot", p->slot);
	add_text(b, "reviewer", p->adapter);
}

void
line_add_result(struct buf *b, const struct new_result *n, struct str_list fixed)
{
	const struct past_result *p = &n->result;

	line_begin(b, "result");
	add_origin(b, p);
	add_text(b, "job", n->job);
	json_add_member(b, "outcome", gate_outcome_name(p->outcome));
	if (p->outcome == OUTCOME_PASS && p->pass_run > 0 && p->pass_run != p->run)
		json_add_member_int(b, "passed_in", p->pass_run);
	add_text(b, "key", p->key);
	add_text(b, "program", p->program);
	add_text(b, "tree", n->tree);
	add_text(b, "base", p->base);
	json_add_member_int(b, "ms", n->elapsed_ms);
	add_text(b, "session", n->session);
	add_text(b, "log", p->log);
	add_text(b, "file", p->file);
	if (p->finding_ids.count > 0) {
		json_add_key(b, "findings");
		json_add_strings(b, p->finding_ids.items, p->finding_ids.count);
	}
	if (fixed.count > 0) {
		json_add_key(b, "fixed");
		json_add_strings(b, fixed.items, fixed.count);
	}
	buf_add(b, STR("}\n"));
}

void
line_add_skip(struct buf *b, const struct past_result *p, const struct finding *v)
{
	line_begin(b, "skip");
	add_origin(b, p);
	add_text(b, "file", v->file);
	json_add_member_int(b, "line", v->line);
	add_text(b, "issue", v->issue);
	add_text(b, "fix", v->fix);
	add_text(b, "priority", v->priority);
	add_text(b, "reason", v->result);
	buf_add(b, STR("}\n"));
}

void
line_add_state(struct record *r, struct buf *b, const struct execution_state *s, const struct str_list *keys)
{
	struct node state = state_node(r->arena, s);

	line_begin(b, "run");
	json_add_key(b, "keys");
	json_add_strings(b, keys->items, keys->count);
	json_add_key(b, "state");
	json_add_node(b, &state);
	buf_add(b, STR("}\n"));
}

/* A text of the line that is being read. */
static struct str
keep(struct record *r, struct str text)
{
	return str_keep(r->arena, text, r->fold->lines[r->fold->line_count - 1].text);
}

static struct str
get_text(struct record *r, const struct node *n, const char *key)
{
	return keep(r, node_get_str(n, key));
}

static int64_t
get_int(const struct node *n, const char *key)
{
	const struct node *value = node_get(n, key);

	return value && value->kind == NODE_INT && value->integer >= 0 ? value->integer : 0;
}

static struct str_list
get_list(struct record *r, const struct node *n, const char *key)
{
	const struct node *list = node_get(n, key);
	struct str_list l = { 0 };

	if (!list || list->kind != NODE_LIST)
		return l;
	l.items = arena_array(r->arena, list->count, struct str);
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind == NODE_STRING)
			l.items[l.count++] = keep(r, list->items[i].text);
	return l;
}

/* False: the line does not say what a result must say. */
static bool
origin_of(struct record *r, const struct node *n, struct past_result *ret)
{
	*ret = (struct past_result){
		.kind = str_is(node_get_str(n, "kind"), "review") ? GATE_REVIEW : GATE_CHECK,
		.name = get_text(r, n, "gate"),
		.place = get_text(r, n, "place"),
		.file_part = get_text(r, n, "part"),
		.slot = get_int(n, "slot"),
		.adapter = get_text(r, n, "reviewer"),
		.run = get_int(n, "run"),
	};
	return ret->file_part.s != NULL;
}

static void
read_result(struct record *r, const struct node *n, size_t line)
{
	static const struct {
		const char *name;
		enum gate_outcome outcome;
	} rows[] = { { "pass", OUTCOME_PASS }, { "fail", OUTCOME_FAIL }, { "error", OUTCOME_ERROR } };
	struct str outcome = node_get_str(n, "outcome");
	struct past_result p;
	size_t i = 0;

	while (i < COUNT_OF(rows) && !str_is(outcome, rows[i].name))
		i++;
	if (i == COUNT_OF(rows) || !origin_of(r, n, &p))
		return;
	p.outcome = rows[i].outcome;
	p.log = get_text(r, n, "log");
	p.file = get_text(r, n, "file");
	p.finding_ids = get_list(r, n, "findings");
	p.key = get_text(r, n, "key");
	p.program = get_text(r, n, "program");
	p.base = get_text(r, n, "base");
	p.is_unconfirmed = true;
	if (p.outcome == OUTCOME_PASS) {
		p.pass_run = get_int(n, "passed_in");
		p.pass_run = p.pass_run ? p.pass_run : p.run;
	}
	struct str_list fixed = get_list(r, n, "fixed");

	for (i = 0; i < fixed.count; i++)
		fold_report_fixed(r, &p, fixed.items[i]);
	/* What was fixed is reported for as long as the logs are kept, so such a line stays. */
	fold_result(r, &p, fixed.count > 0 ? 0 : line);
	if (fixed.count > 0)
		r->fold->lines[line - 1].is_needed = true;
}

static void
add_skipped(struct record *r, struct past_result *p, const struct finding *v)
{
	struct finding *all = arena_array(r->arena, p->skipped_count + 1, struct finding);

	for (size_t i = 0; i < p->skipped_count; i++)
		all[i] = p->skipped[i];
	all[p->skipped_count++] = *v;
	p->skipped = all;
}

static void
read_skip(struct record *r, const struct node *n, size_t line)
{
	struct past_result p, *of;
	struct finding v = {
		.file = get_text(r, n, "file"),
		.line = get_int(n, "line"),
		.issue = get_text(r, n, "issue"),
		.fix = get_text(r, n, "fix"),
		.priority = get_text(r, n, "priority"),
		.status = FINDING_SKIPPED,
		.result = get_text(r, n, "reason"),
	};

	if (!origin_of(r, n, &p) || !(of = fold_find(r, &p)))
		return;
	add_skipped(r, of, &v);
	fold_report_skipped(r, &p, &v);
	r->fold->lines[line - 1].is_needed = true;
}

static void
read_run(struct record *r, const struct node *n, size_t line)
{
	const struct node *document = node_get(n, "state");
	struct node *copy = arena_new(r->arena, struct node);

	struct str_list keys = get_list(r, n, "keys");
	int64_t ended_us = 0;

	(void)clock_parse(node_get_str(n, "time"), &ended_us);
	fold_run_end(r, &keys, ended_us / 1000);
	if (!document)
		return;
	*copy = node_copy(r->arena, document);
	if (!state_from_node(r->arena, copy, &r->state))
		return;
	r->has_state = true;
	fold_set_source(r, &r->fold->state_source, line, false);
}

void
fold_read_line(struct record *r, struct arena *scratch, struct str text)
{
	struct record_fold *f = r->fold;
	struct node n;
	struct err ignored;

	arena_make_room(f->of_lines, f->lines, f->line_count, &f->line_capacity);
	f->lines[f->line_count++] = (struct journal_line){ .text = text };
	if (json_parse_in_place(scratch, text, STR_NONE, &n, &ignored) < 0)
		return;
	struct str event = node_get_str(&n, "event");

	if (str_is(event, "result"))
		read_result(r, &n, f->line_count);
	else if (str_is(event, "skip"))
		read_skip(r, &n, f->line_count);
	else if (str_is(event, "run"))
		read_run(r, &n, f->line_count);
	else if (str_is(event, "clean"))
		fold_clear(r, node_get_bool(&n, "state"), f->line_count);
}
