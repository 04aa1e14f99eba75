/* SPDX-License-Identifier: MIT */
/* The lines of the journal, written and read. A line that can't be read is passed over. */
#include "doc/json.h"
#include "os/clock.h"
#include "record/fold.h"

void
line_begin(struct buf *b, const char *event)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };

	json_open(b, NULL, '{');
	json_add(b, "time", clock_format_millis(&scratch, clock_real_us()), "event", event);
}

static void
add_origin(struct buf *b, const struct past_result *p)
{
	json_add(b, "run", p->run, "kind", gate_kind_name(p->kind), "gate", p->name, "place", p->place,
		 "part", p->file_part, "slot", p->slot, "reviewer", p->adapter);
}

void
line_add_result(struct buf *b, const struct new_result *n, struct str_list fixed)
{
	const struct past_result *p = &n->result;

	line_begin(b, "result");
	add_origin(b, p);
	json_add(b, "job", n->job, "outcome", gate_outcome_name(p->outcome));
	if (p->outcome == OUTCOME_PASS && p->pass_run > 0 && p->pass_run != p->run)
		json_add(b, "passed_in", p->pass_run);
	json_add(b, "key", p->key, "definition", p->definition, "program", p->program, "tree", n->tree,
		 "base", p->base);
	json_add(b, "ms", n->elapsed_ms, "session", n->session, "log", p->log, "file", p->file);
	json_add(b, "findings", JSON_IF(p->finding_ids.count > 0, &p->finding_ids), "fixed",
		 JSON_IF(fixed.count > 0, &fixed));
	json_close(b, "}\n");
}

void
line_add_skip(struct buf *b, const struct past_result *p, const struct finding *v)
{
	line_begin(b, "skip");
	add_origin(b, p);
	json_add(b, "file", v->file, "line", v->line, "issue", v->issue, "fix", v->fix, "priority",
		 v->priority, "reason", v->result);
	json_close(b, "}\n");
}

void
line_add_state(struct record *r, struct buf *b, const struct execution_state *s, const struct str_list *keys)
{
	struct node state = state_node(r->arena, s);

	line_begin(b, "run");
	json_add(b, "keys", keys);
	json_add_key(b, "state");
	json_add_node(b, &state);
	json_close(b, "}\n");
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

static struct str_list
get_list(struct record *r, const struct node *n, const char *key)
{
	const struct node *list = node_get_list(n, key);
	struct str_list l = { arena_array(r->arena, list->count, struct str), 0 };

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
		.slot = node_get_count(n, "slot", INT64_MAX),
		.adapter = get_text(r, n, "reviewer"),
		.run = node_get_count(n, "run", INT64_MAX),
	};
	return ret->file_part.s != NULL;
}

static void
read_result(struct record *r, const struct node *n, size_t line)
{
	struct str word = node_get_str(n, "outcome");
	enum gate_outcome outcome = OUTCOME_PASS;
	struct past_result p;

	while (outcome <= OUTCOME_ERROR && !str_eq(word, gate_outcome_name(outcome)))
		outcome++;
	if (outcome > OUTCOME_ERROR || !origin_of(r, n, &p))
		return;
	p.outcome = outcome;
	p.log = get_text(r, n, "log");
	p.file = get_text(r, n, "file");
	p.finding_ids = get_list(r, n, "findings");
	p.key = get_text(r, n, "key");
	p.definition = get_text(r, n, "definition");
	p.program = get_text(r, n, "program");
	p.base = get_text(r, n, "base");
	p.is_unconfirmed = true;
	if (p.outcome == OUTCOME_PASS) {
		p.pass_run = node_get_count(n, "passed_in", INT64_MAX);
		p.pass_run = p.pass_run ? p.pass_run : p.run;
	}
	struct str_list fixed = get_list(r, n, "fixed");

	fold_report_fixed(r, &p, fixed);
	/* What was fixed is reported for as long as the logs are kept, so such a line stays. */
	fold_result(r, &p, fixed.count > 0 ? 0 : line);
	if (fixed.count > 0)
		r->fold->lines[line - 1].is_needed = true;
}

static void
read_skip(struct record *r, const struct node *n, size_t line)
{
	struct past_result p, *of;
	struct finding v = {
		.file = get_text(r, n, "file"),
		.line = node_get_count(n, "line", INT64_MAX),
		.issue = get_text(r, n, "issue"),
		.fix = get_text(r, n, "fix"),
		.priority = get_text(r, n, "priority"),
		.status = FINDING_SKIPPED,
		.result = get_text(r, n, "reason"),
	};

	if (!origin_of(r, n, &p) || !(of = fold_find(r, &p)))
		return;
	struct finding *all = arena_array(r->arena, of->skipped.count + 1, struct finding);

	for (size_t i = 0; i < of->skipped.count; i++)
		all[i] = of->skipped.items[i];
	all[of->skipped.count++] = v;
	of->skipped.items = all;
	fold_report_skipped(r, &p, &v);
	r->fold->lines[line - 1].is_needed = true;
}

static void
read_run(struct record *r, const struct node *n, size_t line)
{
	const struct node *document = node_get(n, "state");
	struct str_list keys = get_list(r, n, "keys");
	int64_t ended_us = 0;

	(void)clock_parse(node_get_str(n, "time"), &ended_us);
	fold_run_end(r, &keys, ended_us / 1000);
	if (!document)
		return;
	struct node *copy = arena_new(r->arena, struct node);

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

	*arena_push(f->of_lines, f->lines, f->line_count) = (struct journal_line){ .text = text };
	if (json_parse_in_place(scratch, text, STR_NONE, &n, IGNORED) < 0)
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
