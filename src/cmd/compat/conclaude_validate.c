/* SPDX-License-Identifier: MIT */
/* conclaude validate, and part of holdfast validate: checks .conclaude.yaml and summarizes it. Reads one
 * file and changes nothing. */
#include "base/cat.h"
#include "base/path.h"
#include "cmd/commands.h"
#include "cmd/compat/compat.h"
#include "cmd/conclaude_templates.h"
#include "os/fs.h"
#include "os/env.h"
#include "ui/print.h"

#define TEXT_LIMIT_BYTES MIB(4)

/* conclaude's words for each kind of problem, before the key's path, and common causes. */
static const struct advice {
	const char *title, *causes;
} advice[] = {
	[PROBLEM_SYNTAX] = { "YAML syntax error", SYNTAX_ERROR },
	[PROBLEM_UNKNOWN_KEY] = { "unknown field", UNKNOWN_FIELD },
	[PROBLEM_REMOVED_KEY] = { "unknown field", REMOVED_FIELD },
	[PROBLEM_DUPLICATE_KEY] = { "duplicate field", DUPLICATE_FIELD },
	[PROBLEM_MISSING_KEY] = { "missing field in", MISSING_FIELD },
	[PROBLEM_EMPTY_PATTERN] = { "Pattern key cannot be empty in", "" },
	[PROBLEM_TYPE] = { "invalid type for", INVALID_TYPE },
	[PROBLEM_RANGE] = { "Range validation failed for", "" },
};

/* Advice on a problem: its kind in the words that conclaude's users and their scripts search for, common causes, and the valid
 * names or range from the schema. */
static void
add_advice(struct buf *b, const struct config_problem *p, bool is_conclaude)
{
	const struct advice *about = &advice[p->kind];
	struct str path = p->kind == PROBLEM_MISSING_KEY ? p->outer : p->path;
	const char *before = "";

	if (!about->title)
		return;
	if (path.n == 0 && p->kind != PROBLEM_SYNTAX)
		path = STR("the document");
	buf_cat(b, about->title, path.n > 0 ? " " : "", path, "\n", about->causes, "\n");
	if (p->kind == PROBLEM_UNKNOWN_KEY || p->kind == PROBLEM_REMOVED_KEY) {
		buf_cat(b, "Valid field names", p->outer.n > 0 ? " in " : " at the top", p->outer, ":\n  ");
		for (size_t i = 0; i < p->object->field_count; i++) {
			const struct field *f = &p->object->fields[i];

			if (!f->key || f->type == FIELD_REMOVED)
				continue;
			buf_cat(b, before, f->key);
			before = ", ";
		}
		buf_add(b, STR("\n\n"));
	}
	if (p->kind == PROBLEM_RANGE && p->field->most > 0)
		buf_cat(b, "Valid range: ", p->field->least, " to ", p->field->most, "\n\n");
	if (is_conclaude)
		buf_add(b, STR("'conclaude init --config-path FILE' writes a valid file to start from.\n"));
}

static bool
is_conclaude(const struct invocation *inv)
{
	return str_is(str_from(invocation_program(inv)), "conclaude");
}

/* The first line of the report on an invalid file. */
static void
add_failed(struct buf *b)
{
	buf_addc(b, '\n');
	print_styled(b, tty_wants_colour(2), STYLE_RED, STR("[ERROR]"));
	buf_add(b, STR(" Configuration validation failed: "));
}

const char *
conclaude_keeps_root(const struct node *rules)
{
	const struct node_entry *e = import_entry(rules, "preventRootAdditions");

	return !e || e->value.boolean ? "true" : "false";
}

void
conclaude_add_places(struct buf *b, const struct project_dirs *u)
{
	buf_add(b, STR("\nSearched the following locations:\n"));
	for (size_t i = 0; i < u->count; i++) {
		struct str path = path_join(b->arena, u->dirs[i], STR(".conclaude.y"));

		buf_cat(b, "  • ", path, "aml\n  • ", path, "ml\n");
	}
	buf_add(b, STR(NO_FILE));
}

int
conclaude_open(struct arena *a, const struct invocation *inv, struct str path, struct policies *ret)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct config_problems problems = { 0 };
	enum fs_kind kind = FS_DIR;
	struct project_dirs u;
	struct str text;
	struct err err;

	if (path.s) {
		const char *z;

		if (str_cz(a, path, &z, &err) < 0)
			return command_error(inv, err.msg);
		kind = fs_kind(z);
		if (kind == FS_NOTHING)
			return command_error(inv, "Path not found: ", path);
		if (kind != FS_FILE && kind != FS_DIR)
			return command_error(inv, "Path is not a regular file or directory: ", path);
	}
	if (kind == FS_DIR) {
		struct str dir = path.s ? fs_real(a, str_copy(a, path).s) : fs_cwd(a);

		if (!dir.s)
			return command_error(inv, "the directory does not exist any more");
		project_find(&u, dir, is_conclaude(inv) ? ACROSS_REPOSITORIES : WITHIN_REPOSITORY);
		path = conclaude_find(a, u.dirs, u.count);
		if (!path.s && !is_conclaude(inv))
			return command_error(inv, "there is no .conclaude.yaml in ", u.dirs[0],
					     " or above it");
	}
	if (!path.s) {
		buf_add(&b, STR("Configuration file not found.\n"));
		conclaude_add_places(&b, &u);
	} else {
		if (conclaude_read(a, path, &text, &err) == 0 &&
		    conclaude_parse(a, path, text, ret, &problems, &err) == 0)
			return 0;
		buf_cat(&b, err.msg, "\n");
		add_failed(&b);
		if (problems_first_fatal(&problems))
			add_advice(&b, problems_first_fatal(&problems), is_conclaude(inv));
	}
	print_err(buf_str(&b));
	return 1;
}

/* Prints what is wrong in a configuration that loads, and returns the number of errors. */
static size_t
report_problems(struct arena *a, const struct policies *c)
{
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	struct config_problems found;
	const struct config_problem *first = NULL;
	size_t errors = 0;

	conclaude_check(a, c, &found);
	for (size_t i = 0; i < found.count; i++) {
		const struct config_problem *p = &found.items[i];

		buf_add(&b, problem_position(a, STR(""), p));
		if (p->severity == SEVERITY_WARNING)
			print_styled(&b, tty_wants_colour(2), STYLE_YELLOW, STR("warning: "));
		buf_cat(&b, p->path, ": ", p->text, "\n");
		if (p->severity == SEVERITY_ERROR && errors++ == 0)
			first = p;
	}
	if (first) {
		add_failed(&b);
		buf_cat(&b, "invalid pattern in ", first->path);
		if (errors > 1)
			buf_cat(&b, " and ", errors - 1, " more");
		buf_addc(&b, '\n');
	}
	print_err(buf_str(&b));
	return errors;
}

static const char *
truth(const struct node *section, const char *key)
{
	return node_get_bool(section, key) ? "true\n" : "false\n";
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct policies *c = arena_new(a, struct policies);
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);

	if (conclaude_open(a, inv, option_str(inv, "config-path"), c) != 0 || report_problems(a, c) > 0)
		return 1;
	const struct node *stop = node_get(&c->original, "stop"),
			  *rules = node_get(&c->original, "preToolUse");
	const struct node *queue = node_get(stop, "promptPrefixBlocking");
	const struct node *rounds = node_get(stop, "rounds");

	print_styled(&b, tty_wants_colour(1), STYLE_GREEN, STR("[OK]"));
	buf_cat(&b, " Configuration is valid!\n   Config file: ", c->path,
		"\n\nConfiguration summary:\n   Stop commands: ", node_get_list(stop, "commands")->count,
		"\n");
	if (queue && queue->kind == NODE_MAP)
		buf_cat(&b, "   Prompt prefix blocking: ", node_get_list(queue, "prefixes")->count,
			" pattern(s), ", node_get_list(queue, "messages")->count, " message(s), sent ",
			conclaude_messages(queue), " time(s) in all\n");
	buf_cat(&b, "   Prevent root additions: ", conclaude_keeps_root(rules),
		"\n   Uneditable files: ", node_get_list(rules, "uneditableFiles")->count,
		" pattern(s)\n   Tool usage validation: ", node_get_list(rules, "toolUsageValidation")->count,
		" rule(s)\n   Infinite mode: ", truth(stop, "infinite"));
	if (rounds && rounds->kind == NODE_INT)
		buf_cat(&b, "   Rounds: ", rounds->integer, "\n");
	buf_cat(&b, "   Notifications enabled: ", truth(node_get(&c->original, "notifications"), "enabled"));
	return print_out(buf_str(&b));
}

const struct command conclaude_validate_command = {
	.name = "validate",
	.summary = "check .conclaude.yaml",
	.details = "Reads the file that a stop would use, or the given file. Errors are reported as "
		   "FILE:LINE:COLUMN and cause exit code 1. Suspicious settings, and settings that "
		   "have no effect, are warnings. Prints a summary of the effective settings.",
	TAKES(VALUE("config-path", "PATH", "a file of any name, or a directory to start the search from")),
	.run = run,
};
