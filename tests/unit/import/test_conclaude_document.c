/* SPDX-License-Identifier: MIT */
/* conclaude's configuration in the words of holdfast.yml. */
#include "test.h"

#include "base/cat.h"
#include "doc/json.h"
#include "import/conclaude.h"

static struct import
import(struct arena *a, const char *yaml)
{
	struct node *document = arena_new(a, struct node);
	struct config_problems problems;
	struct err err;

	if (conclaude_document(a, STR("f"), str_from(yaml), document, &problems, &err) < 0)
		fail_msg("%s\nin:\n%s", err.msg, yaml);
	return conclaude_import(a, STR("f"), document);
}

/* Each row: a text, and the document as JSON. */
static const struct {
	const char *yaml, *document;
} imported[] = {
	{ "", "{}" },
	{ "stop: {commands: [{run: a}], rounds: 2, infinite: true, infiniteMessage: ' '}",
	  "{\"commands\":[{\"run\":\"a\",\"output\":false}],\"keep_root_clean\":true,\"rounds\":2,"
	  "\"infinite\":true}" },
	{ "stop: {commands: [{run: a, showStdout: true, showStderr: true, timeout: 90}]}\n"
	  "preToolUse: {preventRootAdditions: false}",
	  "{\"commands\":[{\"run\":\"a\",\"timeout\":\"90s\",\"max_lines\":0}]}" },
	{ "stop: {infinite: false, infiniteMessage: never}", "{}" },
	/* the default of preToolUse counts where there is such a section */
	{ "preToolUse: {}", "{\"guards\":{\"rules\":[{\"file\":\"root\"}],\"unknown\":\"allow\"}}" },
	{ "preToolUse: {preventRootAdditionsMessage: a, preventUpdateGitIgnored: true,\n"
	  "  preventGeneratedFileEdits: true, generatedFileMessage: b, uneditableFiles: [c], "
	  "preventAdditions: [d]}",
	  "{\"guards\":{\"rules\":[{\"file\":\"ignored\"},{\"file\":\"root\",\"message\":\"a\"},{\"path\":"
	  "\"c\"},"
	  "{\"file\":\"new\",\"path\":\"d\"},{\"file\":\"generated\",\"message\":\"b\"}],\"unknown\":"
	  "\"allow\"}}" },
	/* commands by pattern are in the order in which they run */
	{ "setup: {commands: {b: [{run: b}], '*': [{run: all}], a: [{run: a}]}}",
	  "{\"events\":{\"setup\":[{\"run\":\"all\",\"output\":false},"
	  "{\"run\":\"a\",\"match\":\"a\",\"output\":false},{\"run\":\"b\",\"match\":\"b\",\"output\":false}]"
	  "}}" },
	{ "postToolUse: {commands: [{run: a, tool: '*'}, {run: b, tool: Edit}]}",
	  "{\"events\":{\"post_tool_use\":[{\"run\":\"a\",\"output\":false},"
	  "{\"run\":\"b\",\"match\":\"Edit\",\"output\":false}]}}" },
	{ "permissionRequest: {default: Allow, allow: null, deny: [a]}",
	  "{\"permissions\":{\"default\":\"ask\",\"deny\":[\"a\"]}}" },
	/* a queue without its database sends nothing */
	{ "stop: {promptPrefixBlocking: {prefixes: [a], messages: [{text: b, times: 0}, {text: c}]}}",
	  "{\"follow_ups\":{\"when\":[\"a\"],\"messages\":[{\"text\":\"b\",\"times\":0},{\"text\":\"c\"}]}"
	  "}" },
	{ "stop: {promptPrefixBlocking: {prefixes: [a], messages: [{text: b}]}}\ndatabase: {enabled: false}",
	  "{}" },
};

TEST(what_conclaude_is_told_is_said_in_the_words_of_holdfast_yml)
{
	for (size_t i = 0; i < COUNT_OF(imported); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct import m = import(&a, imported[i].yaml);
		struct buf b = BUF(&a, KIB(8));

		json_add_node(&b, &m.document);
		CHECK_STR(buf_str(&b), imported[i].document);
	}
}

TEST(what_has_no_effect_is_named_with_its_place)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct import m = import(&a, "stop: {commands: [{run: ' '}]}\n"
				     "subagentStop:\n"
				     "  commands:\n"
				     "    coder:\n"
				     "      - run: ' '\n"
				     "preToolUse:\n"
				     "  toolUsageValidation:\n"
				     "    - {tool: ' ', pattern: a, action: block}\n"
				     "database: {path: here}\n");
	static const char *const expected[] = {
		"1:19 stop.commands[0]: it runs nothing",
		"8:7 preToolUse.toolUsageValidation[0]: its tool is blank",
		"5:9 subagentStop.commands[\"coder\"][0]: it runs nothing",
		"9:18 database.path: follow-ups are counted in holdfast's own directory",
	};

	CHECK(m.notes.count == COUNT_OF(expected));
	for (size_t i = 0; i < COUNT_OF(expected); i++) {
		const struct config_problem *p = &m.notes.items[i];

		CHECK_STR(str_cat(&a, p->line, ":", p->column, " ", p->path, ": ", p->text), expected[i]);
	}
}

TEST(keys_and_items_keep_their_places)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct import m = import(&a, "stop:\n  rounds: 3\n  commands:\n    - run: a\n      timeout: 5\n");
	const struct node_entry *commands = import_entry(&m.document, "commands");
	const struct node_entry *rounds = import_entry(&m.document, "rounds");
	const struct node *command = &commands->value.items[0];

	CHECK(commands->line == 3 && commands->column == 3);
	CHECK(rounds->line == 2 && rounds->value.line == 2 && rounds->value.column == 11);
	CHECK(command->line == 4 && import_entry(command, "timeout")->value.line == 5);
	CHECK(import_entry(&m.document, "keep_root_clean")->line == 0);
}
