/* SPDX-License-Identifier: MIT */
/* conclaude validate and conclaude schema, and part of holdfast validate: checks .conclaude.yaml and summarizes it. Reads one
 * file and changes nothing. */
#include "base/path.h"
#include "cmd/commands.h"
#include "cmd/compat/conclaude.h"
#include "conf/file_schemas.h"
#include "os/fs.h"
#include "os/env.h"
#include "ui/print.h"

static const char name_causes[] =
	"  - a misspelled name\n"
	"  - a field of another section\n"
	"  - snake_case where camelCase is meant: infinite_message, infiniteMessage\n";
static const char type_causes[] = "  - quotes around a boolean or a number: \"true\", true\n"
				  "  - yes, no, on or off where true or false is meant\n"
				  "  - a single value where a list is meant, or a list where a map is meant\n"
				  "\n"
				  "Examples of correct formatting:\n"
				  "  Boolean:  infinite: true\n"
				  "  Number:   timeout: 60\n"
				  "  String:   message: \"the tests fail\"\n"
				  "  Array:    prefixes: [\"PLAN*\", \"ULTRATHINK*\"]\n";
static const char syntax_causes[] =
	"  - tabs in the indentation, or lines of one level that are indented differently\n"
	"  - no space after a colon or a dash\n"
	"  - an unquoted text that contains a colon, # or quotes\n";
static const char required_causes[] = "  - the field is in another entry of the list\n"
				      "  - its value is empty: run: \"npm test\"\n";
static const char twice_causes[] = "  - a section that begins a second time further down\n";
static const char removed_causes[] = "  - the file was written for an older version\n";

/* conclaude's words for each kind of problem, before the key's path. */
static const struct advice {
	const char *title;
	const char *causes; /* NULL: none to name */
} advice[] = {
	[PROBLEM_SYNTAX] = { "YAML syntax error", syntax_causes },
	[PROBLEM_UNKNOWN_KEY] = { "unknown field", name_causes },
	[PROBLEM_REMOVED_KEY] = { "unknown field", removed_causes },
	[PROBLEM_DUPLICATE_KEY] = { "duplicate field", twice_causes },
	[PROBLEM_MISSING_KEY] = { "missing field in", required_causes },
	[PROBLEM_EMPTY_PATTERN] = { "Pattern key cannot be empty in", NULL },
	[PROBLEM_TYPE] = { "invalid type for", type_causes },
	[PROBLEM_RANGE] = { "Range validation failed for", NULL },
};

static void
add_names(struct buf *b, const struct config_problem *p)
{
	const char *before = "";

	buf_addf(b, "Valid field names%s" STR_FMT ":\n  ", p->outer.n > 0 ? " in " : " at the top",
		 STR_ARG(p->outer));
	for (size_t i = 0; i < p->object->field_count; i++) {
		const struct field *f = &p->object->fields[i];

		if (!f->key || f->type == FIELD_REMOVED)
			continue;
		buf_addf(b, "%s%s", before, f->key);
		before = ", ";
	}
	buf_add(b, STR("\n\n"));
}

/* Advice on a problem: its kind in the words that conclaude's users and their scripts search for, common causes, and the valid
 * names or range from the schema. */
static void
add_advice(struct buf *b, const struct config_problem *p, bool is_conclaude)
{
	const struct advice *about = &advice[p->kind];
	struct str path = p->kind == PROBLEM_MISSING_KEY ? p->outer : p->path;

	if (!about->title)
		return;
	if (path.n == 0 && p->kind != PROBLEM_SYNTAX)
		path = STR("the document");
	buf_addf(b, "%s%s" STR_FMT "\n", about->title, path.n > 0 ? " " : "", STR_ARG(path));
	if (about->causes)
		buf_addf(b, "\nCommon causes:\n%s", about->causes);
	buf_addc(b, '\n');
	if (p->kind == PROBLEM_UNKNOWN_KEY || p->kind == PROBLEM_REMOVED_KEY)
		add_names(b, p);
	if (p->kind == PROBLEM_RANGE && p->field->most > 0)
		buf_addf(b, "Valid range: %jd to %jd\n\n", (intmax_t)p->field->least,
			 (intmax_t)p->field->most);
	if (is_conclaude)
		buf_add(b, STR("'conclaude init --config-path FILE' writes a valid file to start from.\n"));
}

#define TEXT_LIMIT_BYTES MIB(4)

static bool
is_conclaude(const struct invocation *inv)
{
	return str_is(str_from(invocation_program(inv)), "conclaude");
}

void
conclaude_places(struct project_dirs *u, const struct invocation *inv, struct str dir)
{
	project_find(u, dir, is_conclaude(inv) ? ACROSS_REPOSITORIES : WITHIN_REPOSITORY);
}

/* The first line of the report on an invalid file. */
static void
add_failed(struct buf *b)
{
	bool has_colour = tty_wants_colour(2);

	buf_addc(b, '\n');
	print_styled(b, has_colour, STYLE_RED, STR("[ERROR]"));
	buf_add(b, STR(" Configuration validation failed: "));
}

void
conclaude_add_places(struct buf *b, const struct project_dirs *u)
{
	buf_add(b, STR("\nSearched the following locations:\n"));
	for (size_t i = 0; i < u->count; i++) {
		struct str yaml = path_join(b->arena, u->dirs[i], STR(".conclaude.yaml"));
		struct str yml = path_join(b->arena, u->dirs[i], STR(".conclaude.yml"));

		buf_addf(b, "  • " STR_FMT "\n  • " STR_FMT "\n", STR_ARG(yaml), STR_ARG(yml));
	}
	buf_add(b,
		STR("\nCreate a .conclaude.yaml or .conclaude.yml file with stop and preToolUse sections.\n"
		    "Run 'conclaude init' to generate a template configuration.\n"));
}

static int
fail_not_found(struct arena *a, const struct invocation *inv, const struct project_dirs *u)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);

	if (!is_conclaude(inv))
		return command_fail(inv, "there is no .conclaude.yaml in " STR_FMT " or above it",
				    STR_ARG(u->dirs[0]));
	buf_add(&b, STR("Configuration file not found.\n"));
	conclaude_add_places(&b, u);
	print_err(buf_str(&b));
	return 1;
}

static int
load(struct arena *a, const struct invocation *inv, struct str path, struct conclaude_config *ret)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct config_problems problems = { 0 };
	struct str text;
	struct err err;

	if (conclaude_read(a, path, &text, &err) == 0 &&
	    conclaude_parse(a, path, text, ret, &problems, &err) == 0)
		return 0;
	buf_addf(&b, "%s\n", err.msg);
	add_failed(&b);
	if (problems.count > 0)
		add_advice(&b, problems_first_fatal(&problems), is_conclaude(inv));
	print_err(buf_str(&b));
	return 1;
}

int
conclaude_open(struct arena *a, const struct invocation *inv, struct str path, struct conclaude_config *ret)
{
	enum fs_kind kind = FS_DIR;
	struct project_dirs u;
	struct err err;

	if (path.s) {
		const char *z;

		if (str_cz(a, path, &z, &err) < 0)
			return command_fail(inv, "%s", err.msg);
		kind = fs_kind(z);
		if (kind == FS_NOTHING)
			return command_fail(inv, "Path not found: " STR_FMT, STR_ARG(path));
		if (kind != FS_FILE && kind != FS_DIR)
			return command_fail(inv, "Path is not a regular file or directory: " STR_FMT,
					    STR_ARG(path));
	}
	if (kind == FS_FILE)
		return load(a, inv, path, ret);
	struct str dir = path.s ? fs_real(a, str_copy(a, path).s) : fs_cwd(a);

	if (!dir.s)
		return command_fail(inv, "the directory does not exist any more");
	conclaude_places(&u, inv, dir);
	path = conclaude_find(a, u.dirs, u.count);
	return path.s ? load(a, inv, path, ret) : fail_not_found(a, inv, &u);
}

static void
add_problem(struct buf *b, const struct config_problem *p, struct str text)
{
	buf_add(b, problem_position(b->arena, STR(""), p));
	if (p->severity == SEVERITY_WARNING)
		print_styled(b, tty_wants_colour(2), STYLE_YELLOW, STR("warning: "));
	buf_addf(b, STR_FMT ": " STR_FMT "\n", STR_ARG(p->path), STR_ARG(text));
}

/* Prints what is wrong in a configuration that loads, and returns the number of errors. */
static size_t
report_problems(struct arena *a, const struct conclaude_config *c)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct config_problems found;
	const struct config_problem *first = NULL;
	size_t errors = 0;

	conclaude_check(a, c, &found);
	for (size_t i = 0; i < found.count; i++) {
		add_problem(&b, &found.items[i], found.items[i].text);
		if (found.items[i].severity == SEVERITY_ERROR && errors++ == 0)
			first = &found.items[i];
	}
	if (first) {
		add_failed(&b);
		buf_addf(&b, "invalid pattern in " STR_FMT, STR_ARG(first->path));
		if (errors > 1)
			buf_addf(&b, " and %zu more", errors - 1);
		buf_addc(&b, '\n');
	}
	print_err(buf_str(&b));
	return errors;
}

static const char *
truth(bool x)
{
	return x ? "true" : "false";
}

static void
add_queue(struct buf *b, const struct conclaude_config *c)
{
	const struct conclaude_prefix_blocking *p = c->stop.prefix_blocking;

	if (!p)
		return;
	const struct conclaude_message *messages = p->messages.items;
	uint64_t sends = 0;

	for (size_t i = 0; i < p->messages.count; i++)
		sends += (uint64_t)messages[i].times;
	buf_addf(b, "   Prompt prefix blocking: %zu pattern(s), %zu message(s), sent %ju time(s) in all\n",
		 p->prefixes.count, p->messages.count, (uintmax_t)sends);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct conclaude_config *c = arena_new(a, struct conclaude_config);
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);

	if (conclaude_open(a, inv, option_str(inv, "config-path"), c) != 0 || report_problems(a, c) > 0)
		return 1;
	print_styled(&b, tty_wants_colour(1), STYLE_GREEN, STR("[OK]"));
	buf_addf(&b, " Configuration is valid!\n   Config file: " STR_FMT "\n\nConfiguration summary:\n",
		 STR_ARG(c->path));
	buf_addf(&b, "   Stop commands: %zu\n", c->stop.commands.count);
	add_queue(&b, c);
	buf_addf(&b, "   Prevent root additions: %s\n", truth(c->pre_tool_use.prevents_root_additions));
	buf_addf(&b, "   Uneditable files: %zu pattern(s)\n", c->pre_tool_use.uneditable_files.count);
	buf_addf(&b, "   Tool usage validation: %zu rule(s)\n", c->pre_tool_use.tool_rules.count);
	buf_addf(&b, "   Infinite mode: %s\n", truth(c->stop.is_infinite));
	if (c->stop.rounds > 0)
		buf_addf(&b, "   Rounds: %jd\n", (intmax_t)c->stop.rounds);
	buf_addf(&b, "   Notifications enabled: %s\n",
		 truth(node_get_bool(node_get(&c->root, "notifications"), "enabled")));
	return print_out(buf_str(&b));
}

static const struct option_row options[] = {
	{ .name = "config-path",
	  .arg_name = "PATH",
	  .help = "a file of any name, or a directory to start the search from" },
};

const struct command conclaude_validate_command = {
	.name = "validate",
	.summary = "check .conclaude.yaml",
	.details = "Reads the file that a stop would use, or the given file. Errors are reported as "
		   "FILE:LINE:COLUMN and cause exit code 1. Suspicious settings, and settings that "
		   "have no effect, are warnings. Prints a summary of the effective settings.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};

/* A JSON Schema for editors. Not in the help: share/conclaude-schema.json is its output. */
static int
print_schema(struct arena *a, const struct invocation *inv)
{
	(void)inv;
	return print_out(file_schema_json(a, file_schema(STR("conclaude"))));
}

const struct command conclaude_schema_command = {
	.name = "schema",
	.summary = "print a JSON Schema of .conclaude.yaml",
	.is_hidden = true,
	.run = print_schema,
};
