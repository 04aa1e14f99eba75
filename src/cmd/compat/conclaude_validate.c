/* SPDX-License-Identifier: MIT */
/* conclaude validate, part of holdfast validate, and conclaude visualize: checks .conclaude.yaml, summarizes it, and shows its rules with
 * the files that they match. Changes nothing. */
#include "base/glob.h"
#include "cmd/commands.h"
#include "cmd/compat/compat.h"
#include "cmd/conclaude_templates.h"
#include "os/env.h"
#include "os/fs.h"
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
		for_each (f, p->object->fields, p->object->field_count) {
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

/* preToolUse.preventRootAdditions, which is true unless the file says otherwise. */
static const char *
keeps_root(const struct node *rules)
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
		if (conclaude_load(a, path, STR_NONE, ret, &problems, &err) == 0)
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
	for_each (p, found.items, found.count) {
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
	buf_cat(&b, "   Prevent root additions: ", keeps_root(rules),
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

/* ---- visualize ---- */

#define FILES_MAX 100000
#define DEPTH_MAX 64

struct view {
	struct arena *arena;
	const struct policies *config;
	const struct node *rules, *stop, *follow_ups; /* sections of the file; NULL: there is none */
	const struct node *list;                      /* of the rule that is shown */
	bool shows_matches;
	struct buf out;
};

/* The files below a directory, as paths relative to where the walk began; links are not followed. */
static void
walk(struct view *v, struct str dir, struct str below, int depth, struct str_list *files)
{
	struct str_list names;

	if (depth > DEPTH_MAX || fs_list(v->arena, dir.s, FS_NO_LIMIT, &names, IGNORED) < 0)
		return; /* a directory that can't be read has no matches to show */
	for (size_t i = 0; i < names.count && files->count < FILES_MAX; i++) {
		struct str path = path_join(v->arena, dir, names.items[i]);
		struct str shown = path_join(v->arena, below, names.items[i]);

		if (str_is(names.items[i], ".git"))
			continue;
		if (fs_lkind(path.s) == FS_DIR)
			walk(v, path, shown, depth + 1, files);
		else
			*arena_push(v->arena, files->items, files->count) = shown;
	}
}

/* A rule matches the path as it is given, relative or absolute. */
static void
add_matches(struct view *v, struct str pattern, const struct str_list *files)
{
	size_t count = 0;

	for (size_t i = 0; i < files->count; i++) {
		struct arena_mark mark = arena_mark(v->arena);
		bool is_match = glob_match(pattern, files->items[i]) ||
				glob_match(pattern, str_cat(v->arena, "./", files->items[i])) ||
				glob_match(pattern, path_join(v->arena, v->config->dir, files->items[i]));

		arena_reset(v->arena, mark);
		if (is_match)
			buf_cat(&v->out, count++ == 0 ? "   Matching files:\n" : "", "      ",
				files->items[i], "\n");
	}
	if (count == 0)
		buf_add(&v->out, STR("   No matching files\n"));
}

static void
show_uneditable(struct view *v)
{
	static const char *const labels[][2] = { { "message", "Message" }, { "agent", "Agent" } };
	struct str_list files = { 0 };

	if (v->shows_matches && v->list->count > 0)
		walk(v, v->config->dir, STR(""), 0, &files);
	for_each (rule, v->list->items, v->list->count) {
		struct str pattern = rule->kind == NODE_MAP ? import_text(rule, "pattern") : rule->text;

		buf_cat(&v->out, "   Pattern: ", pattern, "\n");
		for (size_t k = 0; k < COUNT_OF(labels); k++)
			if (import_text(rule, labels[k][0]).s)
				buf_cat(&v->out, "   ", labels[k][1], ": ", import_text(rule, labels[k][0]),
					"\n");
		if (v->shows_matches)
			add_matches(v, pattern, &files);
		buf_addc(&v->out, '\n');
	}
}

static void
show_root_additions(struct view *v)
{
	struct str_list names;

	buf_cat(&v->out, "   Enabled: ", keeps_root(v->rules), "\n   Root: ", v->config->dir,
		"\n   New files that a stop's commands leave there keep the agent at work.\n");
	if (!v->shows_matches)
		return;
	buf_add(&v->out, STR("   There already:\n"));
	if (fs_list(v->arena, str_copy(v->arena, v->config->dir).s, FS_NO_LIMIT, &names, IGNORED) == 0)
		for (size_t i = 0; i < names.count; i++)
			buf_cat(&v->out, "      ", names.items[i], "\n");
}

static void
show_tool_rules(struct view *v)
{
	for_each (rule, v->list->items, v->list->count) {
		struct str file = import_text(rule, "pattern");

		buf_cat(&v->out, "   Tool: ", import_text(rule, "tool"),
			" | Pattern: ", file.s ? file : import_text(rule, "commandPattern"),
			" | Action: ", import_text(rule, "action"), "\n");
	}
}

static void
show_commands(struct view *v)
{
	for (size_t i = 0; i < v->list->count; i++) {
		const struct node *command = &v->list->items[i];
		struct str run = str_trim(import_text(command, "run"));
		struct str line = str_trim(str_before(run, '\n'));

		buf_cat(&v->out, "   ", i + 1, ". ", line, run.n > line.n ? " ..." : "");
		if (import_text(command, "timeout").s)
			buf_cat(&v->out, " | Timeout: ", import_text(command, "timeout"), " s");
		if (str_trim(import_text(command, "message")).n > 0)
			buf_cat(&v->out, " | Message: ", import_text(command, "message"));
		buf_addc(&v->out, '\n');
	}
}

static void
show_follow_ups(struct view *v)
{
	const struct node *prefixes = node_get_list(v->follow_ups, "prefixes");
	const struct node *messages = node_get_list(v->follow_ups, "messages");

	if (!v->follow_ups) {
		buf_add(&v->out, STR("No follow-up messages are configured.\n"));
		return;
	}
	for (size_t i = 0; i < prefixes->count; i++)
		buf_cat(&v->out, "   Pattern: ", prefixes->items[i].text, "\n");
	for (size_t i = 0; i < messages->count; i++) {
		struct str times = import_text(&messages->items[i], "times");

		buf_cat(&v->out, "   ", i + 1, ". Times: ", times.s ? times : STR("1"),
			" | Message: ", import_text(&messages->items[i], "text"), "\n");
	}
	if (policies_follow_ups(v->config) == 0)
		buf_add(&v->out, STR("\nNone of it is sent; 'conclaude validate' explains why.\n"));
}

static const struct rule {
	const char *name, *title;
	const char *none; /* said where its list is empty; NULL: the rule is no list */
	void (*show)(struct view *v);
} rules[] = {
	{ "uneditableFiles", "Uneditable Files", "No uneditable files are configured.\n", show_uneditable },
	{ "preventRootAdditions", "Prevent Root Additions", NULL, show_root_additions },
	{ "toolUsageValidation", "Tool Usage Validation", "No tool usage rules are configured.\n",
	  show_tool_rules },
	{ "commands", "Stop Commands", "No stop commands are configured.\n", show_commands },
	{ "promptPrefixBlocking", "Prompt Prefix Blocking", NULL, show_follow_ups },
};

static void
add_title(struct view *v, const char *title)
{
	print_styled(&v->out, tty_wants_colour(1), STYLE_BOLD, str_from(title));
	buf_add(&v->out, STR("\n\n"));
}

static void
show_overview(struct view *v)
{
	const struct node *rounds = node_get(v->stop, "rounds");

	add_title(v, "Configuration Overview");
	buf_cat(&v->out, "Config File: ", v->config->path, "\nPrevent Root Additions: ", keeps_root(v->rules),
		"\nUneditable Files: ", node_get_list(v->rules, "uneditableFiles")->count,
		" patterns\nTool Usage Validation: ", node_get_list(v->rules, "toolUsageValidation")->count,
		" rules\nStop Commands: ", node_get_list(v->stop, "commands")->count, "\n");
	if (v->follow_ups)
		buf_cat(&v->out, "Prompt Prefix Blocking: ", node_get_list(v->follow_ups, "prefixes")->count,
			" patterns, ", node_get_list(v->follow_ups, "messages")->count, " messages\n");
	if (rounds && rounds->kind == NODE_INT)
		buf_cat(&v->out, "Rounds Mode: ", rounds->integer, " rounds\n");
	buf_cat(&v->out, "Infinite Mode: ", node_get_bool(v->stop, "infinite") ? "true" : "false",
		"\n\nUse --rule NAME to see one rule:");
	for (size_t i = 0; i < COUNT_OF(rules); i++)
		buf_cat(&v->out, i > 0 ? ", " : " ", rules[i].name);
	buf_add(&v->out, STR("\nUse --show-matches to see the files that it matches.\n"));
}

static int
visualize(struct arena *a, const struct invocation *inv)
{
	struct policies *c = arena_new(a, struct policies);
	struct str name = option_str(inv, "rule");
	struct view v = { .arena = a,
			  .config = c,
			  .shows_matches = option_has(inv, "show-matches"),
			  .out = BUF(a, MIB(64)) };
	size_t i = 0;

	if (conclaude_open(a, inv, STR_NONE, c) != 0)
		return 1;
	v.rules = node_get(&c->original, "preToolUse");
	v.stop = node_get(&c->original, "stop");
	v.follow_ups = node_get(v.stop, "promptPrefixBlocking");
	if (v.follow_ups && v.follow_ups->kind != NODE_MAP)
		v.follow_ups = NULL;
	while (i < COUNT_OF(rules) && !str_is(name, rules[i].name))
		i++;
	if (!name.s)
		show_overview(&v);
	else if (i < COUNT_OF(rules)) {
		const struct rule *rule = &rules[i];

		v.list = node_get_list(rule->show == show_commands ? v.stop : v.rules, rule->name);
		add_title(&v, rule->title);
		if (rule->none && v.list->count == 0)
			buf_cat(&v.out, rule->none);
		else
			rule->show(&v);
	} else {
		/* as in conclaude, a name that no rule has is not a failure */
		print_err(str_cat(a, invocation_program(inv), ": Unknown rule: ", name, "\n"));
		buf_add(&v.out, STR("Available rules:\n"));
		for (i = 0; i < COUNT_OF(rules); i++)
			buf_cat(&v.out, "   - ", rules[i].name, "\n");
	}
	return print_out(buf_str(&v.out));
}

const struct command conclaude_visualize_command = {
	.name = "visualize",
	.summary = "show the rules of .conclaude.yaml",
	.details = "Without --rule, shows an overview. Reads the file that a stop would use.",
	TAKES(VALUE("rule", "NAME", "show one rule in full", .short_name = 'r'),
	      FLAG("show-matches", "also show the files that match the rule")),
	.run = visualize,
};
