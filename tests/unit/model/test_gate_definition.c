/* SPDX-License-Identifier: MIT */
/* The digest of a definition: whatever is written changes it, and how it is written does not. */
#include "test.h"

#include "doc/yaml.h"
#include "model/gate_definition.h"

#include <string.h>

/* A definition as it would be read; each row of a table changes one of its facts. */
struct written {
	const char *dialect, *gate, *text, *names, *named, *threshold;
};

static struct str
digest_of_written(struct arena *a, const struct written *w)
{
	struct node *nodes = arena_array(a, 3, struct node);
	const char *texts[] = { w->gate, w->names, w->named };
	struct err err;

	for (size_t i = 0; i < COUNT_OF(texts); i++)
		CHECK_ROW(texts[i], yaml_parse(a, str_from(texts[i]), &nodes[i], &err) == 0);
	struct gate_definition d = {
		.dialect = str_from(w->dialect),
		.gate = &nodes[0],
		.text = str_from(w->text),
		.names = { arena_array(a, nodes[1].count, struct str), nodes[1].count },
		.named = &nodes[2],
		.threshold = str_from(w->threshold),
	};

	for (size_t i = 0; i < nodes[1].count; i++)
		d.names.items[i] = nodes[1].items[i].text;
	return gate_definition_digest(a, &d);
}

#define GATE "{prompt: look, by: [bot], files: [a, b], timeout: 5, enabled: true, model: }"
#define BOT "{command: [bot, -x], model: m, prompt: arg, thinking_budget: low}"
static const struct written base = {
	.dialect = "holdfast.yml",
	.gate = GATE,
	.text = "Look.",
	.names = "[bot, cat]",
	.named = "{bot: " BOT ", cat: {model: m}, other: {model: x}}",
	.threshold = "high",
};

/* The base with one member replaced. */
struct change {
	size_t member;
	const char *value;
};
#define SET(member_, value_)                              \
	{                                                 \
		offsetof(struct written, member_), value_ \
	}

static struct str
digest_after(struct arena *a, const struct change *c)
{
	struct written w = base;

	memcpy((char *)&w + c->member, &c->value, sizeof(c->value));
	return digest_of_written(a, &w);
}

TEST(each_fact_of_a_definition_changes_its_digest)
{
	static const struct change rows[] = {
		SET(text, "Look."), /* as it is */
		SET(dialect, ".gauntlet"),
		SET(text, "Find SQL injections."),
		SET(text, ""),
		SET(text, NULL),
		SET(threshold, "low"),
		SET(threshold, NULL),
		/* the gate's own value: keys, values, kinds, order, and keys that nobody knows yet */
		SET(gate, "look"),
		SET(gate, "{prompt: look}"),
		SET(gate, "{prompt: Look, by: [bot], files: [a, b], timeout: 5, enabled: true, model: }"),
		SET(gate, "{prompt: look, by: [bot], files: [b, a], timeout: 5, enabled: true, model: }"),
		SET(gate, "{prompt: look, by: [bot], files: [ab], timeout: 5, enabled: true, model: }"),
		SET(gate, "{prompt: look, by: [bot], files: [a, b], timeout: 6, enabled: true, model: }"),
		SET(gate, "{prompt: look, by: [bot], files: [a, b], timeout: 5, enabled: false, model: }"),
		SET(gate, "{prompt: look, by: [bot], files: [a, b], timeout: 5, enabled: true, model: x}"),
		SET(gate, "{prompt: look, by: [bot], files: [a, b], timeout: 5, enabled: true, mode: }"),
		SET(gate, "{prompt: look, by: [bot], files: [a, b], timeout: '5', enabled: true, model: }"),
		SET(gate, "{prompt: look, by: [bot], files: [a, [b]], timeout: 5, enabled: true, model: }"),
		SET(gate, "{prompt: look, by: [bot], files: [[a], b], timeout: 5, enabled: true, model: }"),
		SET(gate, "{prompt: look, by: [bot], files: [[a, b]], timeout: 5, enabled: true, model: }"),
		SET(gate,
		    "{prompt: look, by: [bot], files: [a, b], timeout: 5, enabled: true, model: , new: 1}"),
		/* the reviewers that it may ask */
		SET(names, "[bot]"),
		SET(names, "[bot, other]"),
		SET(names, "[bot, unknown]"),
		SET(named, "{bot: {command: [bot, -y], model: m, prompt: arg, thinking_budget: low}, cat: "
			   "{model: m}}"),
		SET(named, "{bot: {command: [bot, -x], model: n, prompt: arg, thinking_budget: low}, cat: "
			   "{model: m}}"),
		SET(named, "{bot: {command: [bot, -x], model: m, prompt: stdin, thinking_budget: low}, cat: "
			   "{model: m}}"),
		SET(named, "{bot: {command: [bot, -x], model: m, prompt: arg, thinking_budget: high}, cat: "
			   "{model: m}}"),
		SET(named, "{bot: " BOT "}"),
		SET(named, "{}"),
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str digests[COUNT_OF(rows)];

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		digests[i] = digest_after(&a, &rows[i]);
		for (size_t k = 0; k < i; k++)
			CHECK_ROW(str_fmt(&a, "rows %zu and %zu", k, i).s, !str_eq(digests[k], digests[i]));
	}
}

TEST(how_a_definition_is_written_does_not_change_its_digest)
{
	static const struct change rows[] = {
		SET(text, "Look."), /* as it is */
		SET(gate, "# a remark\n{prompt:   'look',\n by: [\"bot\"], files: [a, b], timeout: 5, "
			  "enabled: true, model: }"),
		SET(gate, "prompt: look\nby:\n- bot\nfiles: [a, b]\ntimeout: 5\nenabled: true\nmodel:\n"),
		SET(names, "[cat, bot]"),
		SET(named, "{other: 3, cat: {model: m}, bot: " BOT "}"),
	};
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str expected = digest_after(&a, &rows[0]);

	for (size_t i = 1; i < COUNT_OF(rows); i++)
		CHECK_ROW(str_fmt(&a, "row %zu", i).s, str_eq(digest_after(&a, &rows[i]), expected));
}

TEST(a_definition_without_a_document_has_a_digest)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node null = { .kind = NODE_NULL };
	struct str none = gate_definition_digest(&a, &(struct gate_definition){ 0 });

	CHECK(none.n == 32);
	CHECK(!str_eq(none, gate_definition_digest(&a, &(struct gate_definition){ .gate = &null })));
}

/* Not every reader of documents keeps the text of a boolean. */
TEST(a_boolean_is_its_value)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node yes = { .kind = NODE_BOOL, .boolean = true }, no = { .kind = NODE_BOOL };

	CHECK(!str_eq(gate_definition_digest(&a, &(struct gate_definition){ .gate = &yes }),
		      gate_definition_digest(&a, &(struct gate_definition){ .gate = &no })));
}

TEST(reviewers_that_are_no_map_define_none)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct node empty = node_map(&a, 0), value = { .kind = NODE_NULL };
	struct str name = STR("bot");
	struct node_entry entry = { .key = name, .value = value };
	struct node list = { .kind = NODE_LIST, .count = 1, .entries = &entry };
	struct gate_definition d = { .names = { &name, 1 }, .named = &empty };
	struct str expected = gate_definition_digest(&a, &d);

	d.named = NULL;
	CHECK(str_eq(gate_definition_digest(&a, &d), expected));
	d.named = &list;
	CHECK(str_eq(gate_definition_digest(&a, &d), expected));
}
