/* SPDX-License-Identifier: MIT */
/* Reading by a schema: defaults, types, ranges, null and empty, keys that are not stored, and every error message. */
#include "test.h"

#include "base/buf.h"
#include "conf/schema.h"
#include "doc/json.h"
#include "doc/yaml.h"

struct command {
	struct str run;
	int64_t timeout;
	bool is_shown;
};

struct section {
	struct str default_;
	struct str_list allow;
};

struct named {
	struct str name, model;
};

struct config {
	struct command stop;
	struct {
		struct command *items;
		size_t count;
	} commands;
	struct str_list names, levels;
	struct {
		struct named *items;
		size_t count;
	} people;
	struct section *section;
	const struct node *tree;
	bool flag;
	int64_t on, any, times, whole, floor, ceiling, timeout_ms, bytes;
	struct str word, text, filled, level;
};

static const char *const levels[] = { "low", "High", NULL };
static const char *const either[] = { "run", "script", NULL };
static const struct command command_defaults = { .timeout = 30, .is_shown = true };

static const struct field string_item = { .type = FIELD_STRING };
static const struct field level_item = { .type = FIELD_CHOICE, .choices = levels };
static const struct field command_fields[] = {
	FIELD(struct command, run, "run", FIELD_STRING, .is_required = true, DOC(NULL, "Run.")),
	FIELD(struct command, timeout, "timeout", FIELD_INTEGER, .least = 1, .most = 3600,
	      DOC("30", "Seconds.")),
	FIELD(struct command, is_shown, "show", FIELD_BOOL),
};
static const struct field command_item = { .type = FIELD_OBJECT, KEYS(command_fields) };
static const struct field command_list = { .type = FIELD_LIST, .item = &command_item };
static const struct field either_fields[] = {
	FIELD(struct command, run, "run", FIELD_GLOB),
	CHECKED("script", FIELD_STRING),
	{ .type = FIELD_OTHERS },
};
static const struct field either_item = {
	.type = FIELD_OBJECT, .short_key = "run", .any_of = either, KEYS(either_fields)
};
static const struct field named_fields[] = { FIELD(struct named, model, "model", FIELD_STRING,
						   DOC(NULL, "M.")) };
static const struct field named_item = { .type = FIELD_OBJECT, KEYS(named_fields) };
static const struct field section_fields[] = {
	FIELD(struct section, default_, "default", FIELD_STRING, .is_required = true),
	FIELD_ITEMS(struct section, allow.items, allow.count, "allow", FIELD_LIST, .item = &string_item,
		    .size = sizeof(struct str)),
};
static const struct field loose_fields[] = {
	FIELD(struct command, timeout, "timeout", FIELD_INTEGER, .least = 1, .most = 3600),
};
static const struct field shared_fields[] = { FIELD(struct config, on, "on", FIELD_FLAG) };

#define LIST(member, key, item_, type)                                                            \
	FIELD_ITEMS(struct config, member.items, member.count, key, FIELD_LIST, .item = &(item_), \
		    .size = sizeof(type))
#define PLAIN(member, key, type, ...) FIELD(struct config, member, key, type, __VA_ARGS__)

static const struct field fields[] = {
	PLAIN(stop, "stop", FIELD_OBJECT, KEYS(loose_fields)),
	FIELD_ITEMS(struct config, commands.items, commands.count, "commands", FIELD_LIST,
		    .item = &command_item, .size = sizeof(struct command), .defaults = &command_defaults,
		    DOC("[]", "C.")),
	LIST(names, "names", string_item, struct str),
	LIST(levels, "levels", level_item, struct str),
	CHECKED("table", FIELD_MAP, .item = &command_list, .has_pattern_keys = true, DOC("{}", "T.")),
	CHECKED("either", FIELD_LIST, .item = &either_item),
	FIELD_ITEMS(struct config, people.items, people.count, "people", FIELD_MAP, .item = &named_item,
		    .size = sizeof(struct named), .is_nullable = true, DOC("{}", "P.")),
	PLAIN(section, "section", FIELD_OBJECT, .is_nullable = true, .size = sizeof(struct section),
	      KEYS(section_fields)),
	CHECKED("shared", FIELD_OBJECT, KEYS(shared_fields)),
	PLAIN(tree, "tree", FIELD_NODE, .is_nullable = true),
	PLAIN(flag, "flag", FIELD_BOOL),
	PLAIN(any, "any", FIELD_INTEGER),
	PLAIN(times, "times", FIELD_INTEGER, .most = 9, .is_clamped = true),
	PLAIN(whole, "whole", FIELD_WHOLE, .least = 1, .most = 9),
	PLAIN(floor, "floor", FIELD_FLOOR),
	PLAIN(ceiling, "ceiling", FIELD_CEILING),
	PLAIN(timeout_ms, "timeout", FIELD_SECONDS),
	PLAIN(bytes, "megabytes", FIELD_MEGABYTES),
	PLAIN(word, "word", FIELD_STRING),
	PLAIN(text, "text", FIELD_TEXT),
	PLAIN(filled, "filled", FIELD_FILLED),
	PLAIN(level, "level", FIELD_CHOICE, .choices = levels),
	CHECKED("regex", FIELD_REGEX),
	CHECKED("nothing", FIELD_ANY),
	CHECKED("rules", FIELD_REMOVED, .help = "use 'commands'"),
};

#define ALL_NAMES                                                                                         \
	"stop, commands, names, levels, table, either, people, section, shared, tree, flag, any, times, " \
	"whole, "                                                                                         \
	"floor, ceiling, timeout, megabytes, word, text, filled, level, regex, nothing"

#define ROOT                                       \
	{                                          \
		.type = FIELD_OBJECT, KEYS(fields) \
	}
/* As .conclaude.yaml is read, as .gauntlet is, and as neither. */
static const struct schema lenient = {
	.file = "lenient.yml",
	.root = { .type = FIELD_OBJECT, .is_nullable = true, KEYS(fields) },
	.null_is_unset = true,
	.allows_nul = true,
};
static const struct schema open_schema = { .root = ROOT, .allows_unknown = true };
static const struct schema strict = { .root = ROOT };

static const struct config defaults = { .flag = true, .any = 7, .word = { "w", 1 }, .filled = { "f", 1 } };

static struct config_problems
read_yaml(struct arena *a, const struct schema *s, struct str text, struct config *c)
{
	struct config_problems problems = { 0 };
	struct node *n = arena_new(a, struct node);
	struct err err;

	*c = defaults;
	if (yaml_parse(a, text, n, &err) < 0)
		fail_msg("%s in %s", err.msg, text.s);
	schema_read(a, s, n, c, STR("f"), &problems);
	return problems;
}

/* `f!LINE:COL: path: text` for a fatal problem, e for an error, w for a warning; empty: there is none. */
static struct str
first_problem(struct arena *a, const struct schema *s, const char *text)
{
	struct config c;
	struct config_problems found = read_yaml(a, s, str_from(text), &c);
	const struct config_problem *p = found.items;

	if (found.count == 0)
		return STR("");
	struct str place = problem_position(a, STR(""), p), what = problem_text(a, p);

	return str_fmt(a, "%c" STR_FMT STR_FMT, "we!"[p->severity], (int)place.n - 2, place.s + 2,
		       STR_ARG(what));
}

struct example {
	const char *text, *problem;
};

static void
check_examples(const struct schema *s, const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct str found = first_problem(&a, s, examples[i].text);

		if (!str_is(found, examples[i].problem))
			fail_msg("%s\ngives:    %s\nexpected: %s", examples[i].text, str_copy(&a, found).s,
				 examples[i].problem);
	}
}

TEST(a_problem_has_place_path_value_and_names)
{
	static const struct example examples[] = {
		{ "commands:\n  - run: a\n    timout: 5",
		  "!3:5: commands[0].timout: unknown key 'timout', did you mean 'timeout'?" },
		{ "nothing_like_it: 1",
		  "!1:1: nothing_like_it: unknown key 'nothing_like_it'; valid keys: " ALL_NAMES },
		{ "lavel: 1", "!1:1: lavel: unknown key 'lavel', did you mean 'level' or 'levels'?" },
		{ "stop:\n  run: x", "!2:3: stop.run: unknown key 'run'; valid keys: timeout" },
		{ "rules: []", "!1:1: rules: removed key 'rules': use 'commands'" },
		{ "rules:", "!1:1: rules: removed key 'rules': use 'commands'" },
		{ "flag: true\nany: 1\nflag: true", "!3:1: flag: duplicate key 'flag'" },
		{ "any: x\nflag: x", "!1:6: any: expected an integer, not the string \"x\"" },
		{ "flag: \"true\"", "!1:7: flag: expected a boolean, not the string \"true\"" },
		{ "flag: yes", "!1:7: flag: expected a boolean, not the string \"yes\"" },
		{ "flag: 1", "!1:7: flag: expected a boolean, not the integer 1" },
		{ "flag: [1]", "!1:7: flag: expected a boolean, not a list" },
		{ "any: 1.5", "!1:6: any: expected an integer, not the number 1.5" },
		{ "any: 7.0", "!1:6: any: expected an integer, not the number 7.0" },
		{ "any: true", "!1:6: any: expected an integer, not the boolean true" },
		{ "any: '5'", "!1:6: any: expected an integer, not the string \"5\"" },
		{ "any: 007", "!1:6: any: expected an integer, not the string \"007\"" },
		{ "any: 9223372036854775808", "!1:6: any: out of range: 9223372036854775808 is not in "
					      "-9223372036854775808..9223372036854775807" },
		{ "stop: {timeout: 0}", "!1:17: stop.timeout: out of range: 0 is not in 1..3600" },
		{ "stop: {timeout: 3601}", "!1:17: stop.timeout: out of range: 3601 is not in 1..3600" },
		{ "stop: {timeout: -99999999999999999999}",
		  "!1:17: stop.timeout: out of range: -99999999999999999999 is not in 1..3600" },
		{ "times: 10", "w1:8: times: 10 counts as 9" },
		{ "times: -1", "!1:8: times: out of range: -1 is not in 0..9" },
		{ "whole: 10", "!1:8: whole: out of range: 10 is not in 1..9" },
		{ "whole: 1.5", "!1:8: whole: expected an integer, not the number 1.5" },
		{ "whole: x", "!1:8: whole: expected an integer, not the string \"x\"" },
		{ "floor: .inf", "!1:8: floor: expected a finite number, not the number .inf" },
		{ "floor: x", "!1:8: floor: expected a number, not the string \"x\"" },
		{ "floor: 1e10", "!1:8: floor: out of range: 1e10 is not in -1000000000..1000000000" },
		{ "timeout: -1", "!1:10: timeout: out of range: timeout must be greater than 0, not -1" },
		{ "word: [a]", "!1:7: word: expected a string, not a list" },
		{ "text: ''", "!1:7: text: expected a text, not an empty one" },
		{ "text: ' '", "!1:7: text: expected a text, not a blank one" },
		{ "filled: ' '", "w1:9: filled: is blank, so the default is used" },
		{ "level: medium", "!1:8: level: expected one of low, High, not the string \"medium\"" },
		{ "level: []", "!1:8: level: expected one of low, High, not a list" },
		{ "levels: [low, hi]", "!1:15: levels[1]: expected one of low, High, not the string \"hi\"" },
		{ "names: a", "!1:8: names: expected a list of strings, not the string \"a\"" },
		{ "names: [a, ~]", "!1:12: names[1]: expected a string, not null" },
		{ "names:\n  - a\n  -\n", "!3:4: names[1]: expected a string, not null" },
		{ "names: [[a]]", "!1:9: names[0]: expected a string, not a list" },
		{ "names: ~", "!1:8: names: expected a list of strings, not null" },
		{ "commands: null", "!1:11: commands: expected a list, not null" },
		{ "stop: ~", "!1:7: stop: expected a map, not null" },
		{ "stop: 5", "!1:7: stop: expected a map, not the integer 5" },
		{ "table: null", "!1:8: table: expected a map, not null" },
		{ "tree: []", "!1:7: tree: expected a map, not a list" },
		{ "commands: [{}]", "!1:12: commands[0].run: missing key 'run'" },
		{ "commands: [{run: }]", "!1:18: commands[0].run: missing key 'run': it has no value" },
		{ "commands: [{run: ~}]", "!1:18: commands[0].run: missing key 'run': it has no value" },
		{ "commands: [~]", "!1:12: commands[0]: expected a map, not null" },
		{ "commands: [a]", "!1:12: commands[0]: expected a map, not the string \"a\"" },
		{ "commands:\n  -\n", "!2:4: commands[0].run: missing key 'run'" },
		{ "section: {}", "!1:10: section.default: missing key 'default'" },
		{ "table:\n  coder:\n  - {run: a, timeout: 0}",
		  "!3:23: table[\"coder\"][0].timeout: out of range: 0 is not in 1..3600" },
		{ "table: {'  ': []}", "!1:9: table: pattern key cannot be empty" },
		{ "table: {'': []}", "!1:9: table: pattern key cannot be empty" },
		{ "table: {a: ~}", "!1:12: table[\"a\"]: expected a list, not null" },
		{ "table: {'[': []}",
		  "e1:9: table[\"[\"]: '[': Pattern syntax error near position 0: invalid range "
		  "pattern" },
		{ "either: [5]", "!1:10: either[0]: expected a pattern or a map, not the integer 5" },
		{ "either: ['[']",
		  "e1:10: either[0]: '[': Pattern syntax error near position 0: invalid range pattern" },
		{ "either: [{}]", "!1:10: either[0].run: missing key 'run' (or 'script')" },
		{ "either: [{run: ~}]", "!1:10: either[0].run: missing key 'run' (or 'script')" },
		{ "either: [{script: a, wxyz: 1}]",
		  "w1:22: either[0].wxyz: unknown key 'wxyz' has no effect" },
		{ "people: {a: {}, b: {}, a: {}}", "!1:24: people.a: duplicate key 'a'" },
		{ "people: {a: {model: []}}", "!1:21: people.a.model: expected a string, not a list" },
		{ "regex: '(?=a)'", "e1:8: regex: invalid regular expression '(?=a)': look-around, including "
				    "look-ahead and look-behind, is not supported at offset 0" },
		{ "regex: []", "!1:8: regex: expected a pattern, not a list" },
		{ "[1]", "!1:1: expected a map, not a list" },
		{ "\"zzzzzzz\\nyyyyyyy\": 1",
		  "!1:1: zzzzzzz yyyyyyy: unknown key 'zzzzzzz yyyyyyy'; valid keys: " ALL_NAMES },
		{ "flag: 0123456789012345678901234567890123456789012345678901234567890123456789",
		  "!1:7: flag: expected a boolean, not the string "
		  "\"012345678901234567890123456789012345678901234567890123456789...\"" },
	};

	check_examples(&lenient, examples, COUNT_OF(examples));
}

TEST(null_and_unknown_keys_are_what_the_schema_makes_of_them)
{
	static const struct example closed[] = {
		{ "", "!1:1: expected a map, not null" },
		{ "word:", "!1:6: word: expected a string, not null" },
		{ "word: ~", "!1:7: word: expected a string, not null" },
		{ "level: ~", "!1:8: level: expected one of low, High, not null" },
		{ "stop:", "!1:6: stop: expected a map, not null" },
		{ "names:", "!1:7: names: expected a list of strings, not null" },
		{ "commands: [{run: }]", "!1:18: commands[0].run: expected a string, not null" },
		{ "section: ~\ntree: ~\npeople: ~\nnothing: ~\n", "" },
		{ "word: \"a\\0b\"", "!1:7: word: expected a text without a NUL byte" },
		{ "lavel: 1", "!1:1: lavel: unknown key 'lavel', did you mean 'level' or 'levels'?" },
	};
	static const struct example open_examples[] = {
		{ "nothing_like_it: 1", "" },
		{ "txt: 1", "w1:1: txt: unknown key 'txt' has no effect, did you mean 'text'?" },
		{ "flag: true\nflag: true", "!2:1: flag: duplicate key 'flag'" },
	};

	check_examples(&strict, closed, COUNT_OF(closed));
	check_examples(&open_schema, open_examples, COUNT_OF(open_examples));
}

TEST(every_kind_of_member_is_filled)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct config c;
	struct config_problems found = read_yaml(
		&a, &lenient,
		STR("stop: {timeout: 3600}\n"
		    "commands:\n- run: make\n- {run: 123, timeout: 1, show: false}\n"
		    "names: [a, 12, true, 0x1F, 'null']\n"
		    "table:\n  x: [{run: 1}]\n  y:\n  x: [{run: 2}, {run: 3}]\n"
		    "levels: [LOW, high]\npeople: {ann: {model: m}, bob: {}}\n"
		    "section: {default: d, allow: [e]}\nshared: {on: true}\ntree: {a: {b: 5}}\n"
		    "flag: false\nany: -5\ntimes: 12\nwhole: 7.0\nfloor: 2.9\nceiling: 2.1\n"
		    "timeout: 1.5\nmegabytes: 0.5\n"
		    "word: 1.50\ntext: t\nfilled: g\nlevel: HIGH\nnothing: [1]\n"),
		&c);

	CHECK(found.count == 1); /* times is clamped */
	CHECK(c.stop.timeout == 3600 && c.commands.count == 2 && c.names.count == 5 && c.people.count == 2);
	CHECK_STR(c.commands.items[0].run, "make");
	CHECK(c.commands.items[0].timeout == 30 && c.commands.items[0].is_shown);
	CHECK_STR(c.commands.items[1].run, "123");
	CHECK(c.commands.items[1].timeout == 1 && !c.commands.items[1].is_shown);
	CHECK_STR(c.names.items[1], "12");
	CHECK_STR(c.names.items[2], "true");
	CHECK_STR(c.names.items[3], "0x1F");
	CHECK_STR(c.names.items[4], "null");
	CHECK_STR(c.levels.items[0], "low");
	CHECK_STR(c.levels.items[1], "High");
	CHECK_STR(c.people.items[0].name, "ann");
	CHECK_STR(c.people.items[0].model, "m");
	CHECK(str_is(c.people.items[1].name, "bob") && !c.people.items[1].model.s);
	CHECK_STR(c.section->default_, "d");
	CHECK(c.section->allow.count == 1 && c.on == 1 && !c.flag && c.any == -5);
	CHECK(node_get(node_get(c.tree, "a"), "b")->integer == 5);
	CHECK(c.times == 9 && c.whole == 7 && c.floor == 2 && c.ceiling == 3);
	CHECK(c.timeout_ms == 1500 && c.bytes == (int64_t)MIB(1) / 2);
	CHECK_STR(c.word, "1.50");
	CHECK(str_is(c.text, "t") && str_is(c.filled, "g"));
	CHECK_STR(c.level, "High");
}

TEST(numbers_are_rounded_into_their_unit)
{
	static const struct {
		const char *text;
		int64_t floor, ceiling, timeout_ms, bytes;
	} cases[] = {
		{ "-1.5", 0, 0, 0, 0 },
		{ "0", 0, 0, 0, 0 },
		{ "0.0001", 0, 1, 1, 105 },
		{ "2", 2, 2, 2000, 2 << 20 },
		{ "2.0006", 2, 3, 2001, 2097782 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct config c;
		const char *x = cases[i].text;
		struct str text = str_fmt(&a, "floor: %s\nceiling: %s\nmegabytes: %s\n%s%s", x, x, x,
					  *x == '-' ? "" : "timeout: ", *x == '-' ? "" : x);

		CHECK_ROW(x, read_yaml(&a, &strict, text, &c).count == 0);
		CHECK_ROW(x, c.floor == cases[i].floor && c.ceiling == cases[i].ceiling);
		CHECK_ROW(x, c.timeout_ms == cases[i].timeout_ms && c.bytes == cases[i].bytes);
	}
}

TEST(absent_null_and_empty_keep_the_defaults)
{
	static const char *const texts[] = {
		"",
		"{}",
		"~",
		("stop:\ncommands:\nnames:\ntable:\nlevels:\nsection:\npeople:\ntree:\n"
		 "flag:\nany:\nwhole:\nword:\nlevel:\nfilled:\n"),
		"section: ~\npeople: ~\nflag: ~\nany: ~\nfloor: null\nword: ~\nlevel: ~\nfilled: ~\n",
		"filled: ' '\n",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct config c;
		struct config_problems found = read_yaml(&a, &lenient, str_from(texts[i]), &c);

		CHECK_ROW(texts[i], !problems_first_fatal(&found));
		CHECK_ROW(texts[i], c.flag && c.any == 7 && !c.section && c.people.count == 0);
		CHECK_ROW(texts[i], c.names.count == 0 && c.commands.count == 0 && !c.tree);
		CHECK_ROW(texts[i], str_is(c.word, "w") && !c.level.s && c.stop.timeout == 0);
		CHECK_ROW(texts[i], str_is(c.filled, "f"));
	}
}

TEST(a_range_includes_both_its_ends)
{
	static const struct {
		const char *text;
		bool is_good;
	} cases[] = {
		{ "stop: {timeout: 1}", true },
		{ "stop: {timeout: 3600}", true },
		{ "stop: {timeout: 0}", false },
		{ "stop: {timeout: 3601}", false },
		{ "whole: 1", true },
		{ "whole: 9.0", true },
		{ "whole: 0", false },
		{ "whole: 10", false },
		{ "floor: 1000000000", true },
		{ "floor: 1000000001", false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct config c;

		CHECK_ROW(cases[i].text, (read_yaml(&a, &lenient, str_from(cases[i].text), &c).count == 0) ==
						 cases[i].is_good);
	}
}

TEST(a_json_number_is_no_string)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct config_problems found = { 0 };
	struct config c = defaults;
	struct node n;
	struct err err;

	CHECK(json_parse(&a, STR("{\"word\":\n 5}"), &n, &err) == 0);
	schema_read(&a, &lenient, &n, &c, STR("f"), &found);
	CHECK(problems_fail(&a, STR("/d"), &found, &err) == -1 && err.line == 2 && err.column == 2);
	CHECK_STR(str_from(err.msg), "/d/f:2:2: word: expected a string, not the integer 5");
}

TEST(a_map_has_a_bounded_number_of_keys)
{
	for (int count = CONFIG_MAP_LIMIT; count <= CONFIG_MAP_LIMIT + 1; count++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct buf b = BUF(&a, MIB(1));
		struct config c;

		buf_add(&b, STR("table:\n"));
		for (int i = 0; i < count; i++)
			buf_addf(&b, "  p%d: []\n", i);
		CHECK((read_yaml(&a, &lenient, buf_str(&b), &c).count == 0) == (count == CONFIG_MAP_LIMIT));
	}
}

TEST(the_list_of_problems_is_bounded_and_keeps_a_fatal_one)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct buf b = BUF(&a, MIB(1));
	struct config c;

	buf_add(&b, STR("either:\n"));
	for (int i = 0; i < CONFIG_PROBLEM_LIMIT + 10; i++)
		buf_add(&b, STR("- '['\n"));
	struct config_problems found = read_yaml(&a, &lenient, buf_str(&b), &c);

	CHECK(found.count == CONFIG_PROBLEM_LIMIT && !problems_first_fatal(&found));
	buf_add(&b, STR("flag: 1\nany: x\n"));
	found = read_yaml(&a, &lenient, buf_str(&b), &c);
	CHECK(found.count == CONFIG_PROBLEM_LIMIT);
	CHECK_STR(problems_first_fatal(&found)->path, "flag");
}

TEST(problems_are_in_the_order_of_the_file)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static const char *const paths[] = { "word", "zzzzz", "names[0]", "flag", "flag" };
	struct config c;
	struct config_problems found = read_yaml(
		&a, &lenient, STR("word: []\nzzzzz: 1\nnames: [{}]\nflag: 1\nflag: 2\n"), &c);

	CHECK(found.count == COUNT_OF(paths));
	for (size_t i = 0; i < found.count; i++)
		CHECK_STR(found.items[i].path, paths[i]);
}

TEST(keys_are_listed_with_what_stands_for_any_item)
{
	static const char *const paths[] = { "commands", "commands[].run", "commands[].timeout",
					     "table",    "people",         "people.NAME.model" };
	CLEANUP(arena_free) struct arena a = { 0 };
	struct schema_keys keys = { 0 };

	schema_add_keys(&a, &lenient, &keys);
	CHECK(keys.count == COUNT_OF(paths));
	for (size_t i = 0; i < keys.count; i++) {
		CHECK_STR(keys.items[i].path, paths[i]);
		CHECK_STR(str_from(keys.items[i].file), "lenient.yml");
	}
}
