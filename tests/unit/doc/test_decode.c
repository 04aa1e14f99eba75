/* SPDX-License-Identifier: MIT */
/* Tables: defaults, types, ranges, null and empty, and the words of every error. */
#include "test.h"

#include "doc/decode.h"
#include "doc/json.h"
#include "doc/yaml.h"

struct command {
	struct str run;
	int64_t timeout;
	bool is_shown;
};

struct section {
	struct str default_;
	struct decode_list allow;
};

struct config {
	struct command stop;
	struct decode_list commands;
	struct decode_list names;
	struct decode_list table;
	struct decode_list levels;
	struct section *section;
	bool flag;
	int64_t any;
	double number;
	struct str word, level;
};

static const char *const levels[] = { "low", "High", NULL };
static const struct command command_defaults = { .timeout = 30, .is_shown = true };

static const struct field command_fields[] = {
	FIELD(struct command, run, "run", decode_str, .is_required = true),
	FIELD(struct command, timeout, "timeout", decode_int, .least = 1, .most = 3600),
	FIELD(struct command, is_shown, "show", decode_bool),
};

static const struct field section_fields[] = {
	FIELD(struct section, default_, "default", decode_str, .is_required = true),
	FIELD(struct section, allow, "allow", decode_list),
	FIELD_OTHERS,
};

static const struct field loose_command_fields[] = {
	FIELD(struct command, timeout, "timeout", decode_int, .least = 1, .most = 3600),
};

#define COMMANDS                                                           \
	.fields = command_fields, .field_count = COUNT_OF(command_fields), \
	.item_size = sizeof(struct command), .item_defaults = &command_defaults

static const struct field fields[] = {
	FIELD(struct config, stop, "stop", decode_object, .fields = loose_command_fields,
	      .field_count = COUNT_OF(loose_command_fields)),
	FIELD(struct config, commands, "commands", decode_list, COMMANDS),
	FIELD(struct config, names, "names", decode_list),
	FIELD(struct config, table, "table", decode_table, COMMANDS),
	FIELD(struct config, levels, "levels", decode_list, .read_item = decode_choice, .choices = levels,
	      .item_size = sizeof(struct str)),
	FIELD(struct config, section, "section", decode_opt_object, .fields = section_fields,
	      .field_count = COUNT_OF(section_fields), .item_size = sizeof(struct section)),
	FIELD(struct config, flag, "flag", decode_bool),
	FIELD(struct config, any, "any", decode_int),
	FIELD(struct config, number, "number", decode_number, .least = 0, .most = 10),
	FIELD(struct config, word, "word", decode_str),
	FIELD(struct config, level, "level", decode_choice, .choices = levels),
	FIELD_REMOVED("rules", "use 'commands'"),
};

static const struct config defaults = { .flag = true, .any = 7, .number = 1.5, .word = { "w", 1 } };

static int
decode_yaml(struct arena *a, struct str text, struct config *c, struct err *err)
{
	struct node n;

	*c = defaults;
	if (yaml_parse(a, text, &n, err) < 0)
		return -1;
	return decode_map(a, &n, fields, COUNT_OF(fields), c, NULL, err);
}

TEST(decode_errors_say_place_path_value_and_names)
{
	static const struct {
		const char *text, *msg;
	} cases[] = {
		{ "commands:\n  - run: a\n    timout: 5",
		  "3:5: commands[0].timout: unknown key 'timout', did you mean 'timeout'?" },
		{ "nothing_like_it: 1", "1:1: nothing_like_it: unknown key 'nothing_like_it'; valid keys: "
					"stop, commands, names, table, levels, "
					"section, flag, any, number, word, level" },
		{ "lavel: 1", "1:1: lavel: unknown key 'lavel', did you mean 'level' or 'levels'?" },
		{ "stop:\n  run: x", "2:3: stop.run: unknown key 'run'; valid keys: timeout" },
		{ "rules: []", "1:1: rules: removed key 'rules': use 'commands'" },
		{ "flag: true\nany: 1\nflag: true", "3:1: flag: duplicate key 'flag'" },
		{ "flag: \"true\"", "1:7: flag: expected a boolean, not the string \"true\"" },
		{ "flag: yes", "1:7: flag: expected a boolean, not the string \"yes\"" },
		{ "flag: 1", "1:7: flag: expected a boolean, not the integer 1" },
		{ "flag: [1]", "1:7: flag: expected a boolean, not a list" },
		{ "any: 1.5", "1:6: any: expected an integer, not the number 1.5" },
		{ "any: true", "1:6: any: expected an integer, not the boolean true" },
		{ "any: '5'", "1:6: any: expected an integer, not the string \"5\"" },
		{ "any: 007", "1:6: any: expected an integer, not the string \"007\"" },
		{ "any: 9223372036854775808", "1:6: any: out of range: 9223372036854775808 is not in "
					      "-9223372036854775808..9223372036854775807" },
		{ "stop: {timeout: 0}", "1:17: stop.timeout: out of range: 0 is not in 1..3600" },
		{ "stop: {timeout: 3601}", "1:17: stop.timeout: out of range: 3601 is not in 1..3600" },
		{ "stop: {timeout: -99999999999999999999}",
		  "1:17: stop.timeout: out of range: -99999999999999999999 is not in 1..3600" },
		{ "number: 10.5", "1:9: number: out of range: 10.5 is not in 0..10" },
		{ "number: -1", "1:9: number: out of range: -1 is not in 0..10" },
		{ "number: .inf", "1:9: number: expected a finite number, not the number .inf" },
		{ "number: x", "1:9: number: expected a number, not the string \"x\"" },
		{ "word: [a]", "1:7: word: expected a string, not a list" },
		{ "level: medium", "1:8: level: expected one of low, High, not the string \"medium\"" },
		{ "level: []", "1:8: level: expected one of low, High, not a list" },
		{ "levels: [low, hi]", "1:15: levels[1]: expected one of low, High, not the string \"hi\"" },
		{ "names: a", "1:8: names: expected a list, not the string \"a\"" },
		{ "names: [a, ~]", "1:12: names[1]: expected a string, not null" },
		{ "names:\n  - a\n  -\n", "3:4: names[1]: expected a string, not null" },
		{ "names: [[a]]", "1:9: names[0]: expected a string, not a list" },
		{ "names: ~", "1:8: names: expected a list, not null" },
		{ "commands: null", "1:11: commands: expected a list, not null" },
		{ "stop: ~", "1:7: stop: expected a map, not null" },
		{ "stop: 5", "1:7: stop: expected a map, not the integer 5" },
		{ "table: null", "1:8: table: expected a map, not null" },
		{ "commands: [{}]", "1:12: commands[0]: missing key 'run'" },
		{ "commands: [{run: }]", "1:18: commands[0]: missing key 'run': there is no value" },
		{ "commands: [{run: ~}]", "1:18: commands[0]: missing key 'run': there is no value" },
		{ "commands: [~]", "1:12: commands[0]: expected a map, not null" },
		{ "commands: [a]", "1:12: commands[0]: expected a map, not the string \"a\"" },
		{ "commands:\n  -\n", "2:4: commands[0]: missing key 'run'" },
		{ "section: {}", "1:10: section: missing key 'default'" },
		{ "table:\n  coder:\n  - {run: a, timeout: 0}",
		  "3:23: table[\"coder\"][0].timeout: out of range: 0 is not in 1..3600" },
		{ "table: {'  ': []}", "1:9: table: pattern key cannot be empty" },
		{ "table: {'': []}", "1:9: table: pattern key cannot be empty" },
		{ "table: {a: ~}", "1:12: table[\"a\"]: expected a list, not null" },
		{ "[1]", "1:1: expected a map, not a list" },
		{ "\"zzzzzzz\\nyyyyyyy\": 1", "1:1: zzzzzzz yyyyyyy: unknown key 'zzzzzzz yyyyyyy'; valid "
					      "keys: stop, commands, names, table, levels, section, "
					      "flag, any, number, word, level" },
		{ "flag: 0123456789012345678901234567890123456789012345678901234567890123456789",
		  "1:7: flag: expected a boolean, not the string "
		  "\"012345678901234567890123456789012345678901234567890123456789...\"" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct config c;
		struct err err = { .msg = "" };

		CHECK_ROW(cases[i].text, decode_yaml(&a, str_from(cases[i].text), &c, &err) == -1);
		if (!str_is(str_from(err.msg), cases[i].msg))
			fail_msg("%s gives %s", cases[i].text, err.msg);
	}
}

TEST(decode_fills_every_kind_of_member)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct config c;
	struct err err;

	CHECK(decode_yaml(&a,
			  STR("stop: {timeout: 3600}\n"
			      "commands:\n- run: make\n- {run: 123, timeout: 1, show: false}\n"
			      "names: [a, 12, true, 0x1F, 'null']\n"
			      "table:\n  x: [{run: 1}]\n  y:\n  x: [{run: 2}, {run: 3}]\n"
			      "levels: [LOW, high]\n"
			      "section: {default: d, allow: [e], other: [1, {a: b}], other: 2}\n"
			      "flag: false\nany: -5\nnumber: 2.5\nword: 1.50\nlevel: HIGH\n"),
			  &c, &err) == 0);
	const struct command *commands = c.commands.items;
	const struct str *names = c.names.items, *words = c.levels.items;
	const struct decode_pattern *patterns = c.table.items;

	CHECK(c.stop.timeout == 3600 && c.commands.count == 2 && c.names.count == 5 && c.table.count == 2);
	CHECK_STR(commands[0].run, "make");
	CHECK(commands[0].timeout == 30 && commands[0].is_shown);
	CHECK_STR(commands[1].run, "123");
	CHECK(commands[1].timeout == 1 && !commands[1].is_shown);
	CHECK_STR(names[1], "12");
	CHECK_STR(names[2], "true");
	CHECK_STR(names[3], "0x1F");
	CHECK_STR(names[4], "null");
	CHECK_STR(patterns[0].pattern, "x");
	CHECK(patterns[0].list.count == 2 && patterns[0].line == 9 && patterns[0].column == 3);
	CHECK_STR(((const struct command *)patterns[0].list.items)[1].run, "3");
	CHECK(str_is(patterns[1].pattern, "y") && patterns[1].list.count == 0 && !patterns[1].list.items);
	CHECK_STR(words[0], "low");
	CHECK_STR(words[1], "High");
	CHECK_STR(c.section->default_, "d");
	CHECK(c.section->allow.count == 1 && !c.flag && c.any == -5 && c.number == 2.5);
	CHECK_STR(c.word, "1.50");
	CHECK_STR(c.level, "High");
}

TEST(decode_leaves_defaults_for_what_is_absent_null_or_empty)
{
	static const char *const texts[] = {
		"",
		"{}",
		"~",
		("stop:\ncommands:\nnames:\ntable:\nlevels:\nsection:\n"
		 "flag:\nany:\nnumber:\nword:\nlevel:\n"),
		"section: ~\nflag: ~\nany: ~\nnumber: null\nword: ~\nlevel: ~\n",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct config c;
		struct err err;

		CHECK_ROW(texts[i], decode_yaml(&a, str_from(texts[i]), &c, &err) == 0);
		CHECK_ROW(texts[i], c.flag && c.any == 7 && c.number == 1.5 && !c.section);
		CHECK_ROW(texts[i], c.names.count == 0 && c.commands.count == 0 && c.table.count == 0);
		CHECK_ROW(texts[i], str_is(c.word, "w") && !c.level.s && c.stop.timeout == 0);
	}
}

TEST(decode_accepts_both_ends_of_a_range)
{
	static const struct {
		const char *text;
		bool is_good;
	} cases[] = {
		{ "stop: {timeout: 1}", true },  { "stop: {timeout: 3600}", true },
		{ "stop: {timeout: 0}", false }, { "stop: {timeout: 3601}", false },
		{ "number: 0", true },           { "number: 10.0", true },
		{ "number: -0.1", false },       { "number: 10.1", false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct config c;
		struct err err;

		CHECK_ROW(cases[i].text,
			  (decode_yaml(&a, str_from(cases[i].text), &c, &err) == 0) == cases[i].is_good);
	}
}

TEST(decode_takes_a_json_number_for_no_string)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct config c = defaults;
	struct node n;
	struct err err;

	CHECK(json_parse(&a, STR("{\"word\":\n 5}"), &n, &err) == 0);
	CHECK(decode_map(&a, &n, fields, COUNT_OF(fields), &c, NULL, &err) == -1);
	CHECK_STR(str_from(err.msg), "2:2: word: expected a string, not the integer 5");
	CHECK(json_parse(&a, STR("{\"word\":\"x\",\"names\":null}"), &n, &err) == 0);
	CHECK(decode_map(&a, &n, fields, COUNT_OF(fields), &c, NULL, &err) == -1);
	CHECK_STR(str_from(err.msg), "1:21: names: expected a list, not null");
}

TEST(decode_refuses_a_table_of_too_many_patterns)
{
	for (int count = DECODE_PATTERN_LIMIT; count <= DECODE_PATTERN_LIMIT + 1; count++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct buf b = BUF(&a, MIB(1));
		struct config c;
		struct err err;

		buf_add(&b, STR("table:\n"));
		for (int i = 0; i < count; i++)
			buf_addf(&b, "  p%d: []\n", i);
		CHECK((decode_yaml(&a, buf_str(&b), &c, &err) == 0) == (count == DECODE_PATTERN_LIMIT));
	}
}
