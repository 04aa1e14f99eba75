/* SPDX-License-Identifier: MIT */
/* conclaude visualize: the rules of .conclaude.yaml, and the files that they match. Looks and changes nothing. */
#include "base/glob.h"
#include "base/path.h"
#include "cmd/commands.h"
#include "cmd/compat/conclaude.h"
#include "os/fs.h"
#include "os/env.h"
#include "ui/print.h"

#define TEXT_LIMIT_BYTES MIB(64)
#define FILES_MAX 100000
#define DEPTH_MAX 64

struct view {
	struct arena *arena;
	const struct invocation *inv;
	const struct conclaude_config *config;
	bool shows_matches;
	struct buf out;
};

static void
add_title(struct view *v, const char *title)
{
	print_styled(&v->out, tty_wants_colour(1), STYLE_BOLD, str_from(title));
	buf_add(&v->out, STR("\n\n"));
}

static void
add_not_acted_on(struct view *v)
{
	buf_add(&v->out, STR("(It is checked, and has no effect in holdfast.)\n"));
}

/* The files below a directory, as paths relative to where the walk began; links are not followed. */
static void
walk(struct view *v, struct str dir, struct str below, int depth, struct str_list *files)
{
	struct fs_names names;
	struct err err;

	if (depth > DEPTH_MAX || fs_list(v->arena, dir.s, FS_NO_LIMIT, &names, &err) < 0)
		return; /* a directory that can't be read has no matches to show */
	for (size_t i = 0; i < names.count && files->count < FILES_MAX; i++) {
		struct str path = path_join(v->arena, dir, names.items[i]);
		struct str shown = path_join(v->arena, below, names.items[i]);

		if (str_is(names.items[i], ".git"))
			continue;
		if (fs_lkind(path.s) == FS_DIR)
			walk(v, path, shown, depth + 1, files);
		else
			files->items[files->count++] = shown;
	}
}

/* A rule matches the path as it is given, relative or absolute. */
static bool
is_matched(struct view *v, struct str pattern, struct str file)
{
	return glob_match(pattern, file) ||
	       glob_match(pattern, str_fmt(v->arena, "./" STR_FMT, STR_ARG(file))) ||
	       glob_match(pattern, path_join(v->arena, v->config->dir, file));
}

static void
add_matches(struct view *v, struct str pattern, const struct str_list *files)
{
	size_t count = 0;

	for (size_t i = 0; i < files->count; i++) {
		struct arena_mark mark = arena_mark(v->arena);
		bool is_match = is_matched(v, pattern, files->items[i]);

		arena_reset(v->arena, mark);
		if (is_match)
			buf_addf(&v->out, "%s      " STR_FMT "\n", count++ == 0 ? "   Matching files:\n" : "",
				 STR_ARG(files->items[i]));
	}
	if (count == 0)
		buf_add(&v->out, STR("   No matching files\n"));
}

static void
show_uneditable(struct view *v)
{
	const struct conclaude_uneditable *rules = v->config->pre_tool_use.uneditable_files.items;
	size_t count = v->config->pre_tool_use.uneditable_files.count;
	struct str_list files = { 0 };

	add_title(v, "Uneditable Files");
	if (count == 0) {
		buf_add(&v->out, STR("No uneditable files are configured.\n"));
		return;
	}
	if (v->shows_matches) {
		files.items = arena_array(v->arena, FILES_MAX, struct str);
		walk(v, v->config->dir, STR(""), 0, &files);
	}
	for (size_t i = 0; i < count; i++) {
		buf_addf(&v->out, "   Pattern: " STR_FMT "\n", STR_ARG(rules[i].pattern));
		if (rules[i].message.s)
			buf_addf(&v->out, "   Message: " STR_FMT "\n", STR_ARG(rules[i].message));
		if (rules[i].agent.s)
			buf_addf(&v->out, "   Agent: " STR_FMT "\n", STR_ARG(rules[i].agent));
		if (v->shows_matches)
			add_matches(v, rules[i].pattern, &files);
		buf_addc(&v->out, '\n');
	}
	add_not_acted_on(v);
}

static void
show_root_additions(struct view *v)
{
	struct fs_names names;
	struct err err;

	add_title(v, "Prevent Root Additions");
	buf_addf(&v->out, "   Enabled: %s\n   Root: " STR_FMT "\n",
		 v->config->pre_tool_use.prevents_root_additions ? "true" : "false", STR_ARG(v->config->dir));
	buf_add(&v->out, STR("   New files that a stop's commands leave there keep the agent at work.\n"));
	if (!v->shows_matches)
		return;
	buf_add(&v->out, STR("   There already:\n"));
	if (fs_list(v->arena, str_copy(v->arena, v->config->dir).s, FS_NO_LIMIT, &names, &err) < 0)
		return;
	for (size_t i = 0; i < names.count; i++)
		buf_addf(&v->out, "      " STR_FMT "\n", STR_ARG(names.items[i]));
}

static void
show_tool_rules(struct view *v)
{
	const struct conclaude_tool_rule *rules = v->config->pre_tool_use.tool_rules.items;
	size_t count = v->config->pre_tool_use.tool_rules.count;

	add_title(v, "Tool Usage Validation");
	if (count == 0) {
		buf_add(&v->out, STR("No tool usage rules are configured.\n"));
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct str pattern = rules[i].pattern.s ? rules[i].pattern : rules[i].command_pattern;

		buf_addf(&v->out, "   Tool: " STR_FMT " | Pattern: " STR_FMT " | Action: " STR_FMT "\n",
			 STR_ARG(rules[i].tool), STR_ARG(pattern), STR_ARG(rules[i].action));
	}
	buf_addc(&v->out, '\n');
	add_not_acted_on(v);
}

/* The first line of a text that may have several. */
static struct str
first_line(struct str text)
{
	struct str line = STR("");

	while (str_trim(line).n == 0 && str_next(&text, '\n', &line))
		;
	return str_trim(line);
}

static void
show_commands(struct view *v)
{
	const struct conclaude_command *commands = v->config->stop.commands.items;

	add_title(v, "Stop Commands");
	if (v->config->stop.commands.count == 0)
		buf_add(&v->out, STR("No stop commands are configured.\n"));
	for (size_t i = 0; i < v->config->stop.commands.count; i++) {
		struct str line = first_line(commands[i].run);

		buf_addf(&v->out, "   %zu. " STR_FMT "%s", i + 1, STR_ARG(line),
			 str_trim(commands[i].run).n > line.n ? " ..." : "");
		if (commands[i].timeout_s > 0)
			buf_addf(&v->out, " | Timeout: %jd s", (intmax_t)commands[i].timeout_s);
		if (commands[i].message.s)
			buf_addf(&v->out, " | Message: " STR_FMT, STR_ARG(commands[i].message));
		buf_addc(&v->out, '\n');
	}
}

static void
show_follow_ups(struct view *v)
{
	const struct conclaude_prefix_blocking *p = v->config->stop.prefix_blocking;

	add_title(v, "Prompt Prefix Blocking");
	if (!p) {
		buf_add(&v->out, STR("No follow-up messages are configured.\n"));
		return;
	}
	const struct str *prefixes = p->prefixes.items;
	const struct conclaude_message *messages = p->messages.items;

	for (size_t i = 0; i < p->prefixes.count; i++)
		buf_addf(&v->out, "   Pattern: " STR_FMT "\n", STR_ARG(prefixes[i]));
	for (size_t i = 0; i < p->messages.count; i++)
		buf_addf(&v->out, "   %zu. Times: %jd | Message: " STR_FMT "\n", i + 1,
			 (intmax_t)messages[i].times, STR_ARG(messages[i].text));
	if (conclaude_follow_ups(v->config) == 0)
		buf_add(&v->out, STR("\nNone of it is sent; 'conclaude validate' explains why.\n"));
}

static const struct {
	const char *name;
	void (*show)(struct view *v);
} rules[] = {
	{ "uneditableFiles", show_uneditable },      { "preventRootAdditions", show_root_additions },
	{ "toolUsageValidation", show_tool_rules },  { "commands", show_commands },
	{ "promptPrefixBlocking", show_follow_ups },
};

static void
show_overview(struct view *v)
{
	const struct conclaude_config *c = v->config;

	add_title(v, "Configuration Overview");
	buf_addf(&v->out, "Config File: " STR_FMT "\n", STR_ARG(c->path));
	buf_addf(&v->out, "Prevent Root Additions: %s\n",
		 c->pre_tool_use.prevents_root_additions ? "true" : "false");
	buf_addf(&v->out, "Uneditable Files: %zu patterns\n", c->pre_tool_use.uneditable_files.count);
	buf_addf(&v->out, "Tool Usage Validation: %zu rules\n", c->pre_tool_use.tool_rules.count);
	buf_addf(&v->out, "Stop Commands: %zu\n", c->stop.commands.count);
	if (c->stop.prefix_blocking)
		buf_addf(&v->out, "Prompt Prefix Blocking: %zu patterns, %zu messages\n",
			 c->stop.prefix_blocking->prefixes.count, c->stop.prefix_blocking->messages.count);
	if (c->stop.rounds > 0)
		buf_addf(&v->out, "Rounds Mode: %jd rounds\n", (intmax_t)c->stop.rounds);
	buf_addf(&v->out, "Infinite Mode: %s\n", c->stop.is_infinite ? "true" : "false");
	buf_add(&v->out, STR("\nUse --rule NAME to see one rule:"));
	for (size_t i = 0; i < COUNT_OF(rules); i++)
		buf_addf(&v->out, "%s %s", i > 0 ? "," : "", rules[i].name);
	buf_add(&v->out, STR("\nUse --show-matches to see the files that it matches.\n"));
}

/* A name that there is no rule for is no failure here, as it is none in conclaude. */
static int
list_rules(struct view *v, struct str name)
{
	print_err(str_fmt(v->arena, "%s: Unknown rule: " STR_FMT "\n", invocation_program(v->inv),
			  STR_ARG(name)));
	buf_add(&v->out, STR("Available rules:\n"));
	for (size_t i = 0; i < COUNT_OF(rules); i++)
		buf_addf(&v->out, "   - %s\n", rules[i].name);
	return print_out(buf_str(&v->out));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct conclaude_config *c = arena_new(a, struct conclaude_config);
	struct str name = option_str(inv, "rule");
	struct view v = { .arena = a,
			  .inv = inv,
			  .config = c,
			  .shows_matches = option_has(inv, "show-matches"),
			  .out = BUF(a, TEXT_LIMIT_BYTES) };

	if (conclaude_open(a, inv, STR_NONE, c) != 0)
		return 1;
	if (!name.s) {
		show_overview(&v);
		return print_out(buf_str(&v.out));
	}
	for (size_t i = 0; i < COUNT_OF(rules); i++)
		if (str_is(name, rules[i].name)) {
			rules[i].show(&v);
			return print_out(buf_str(&v.out));
		}
	return list_rules(&v, name);
}

static const struct option_row options[] = {
	{ .name = "rule", .short_name = 'r', .arg_name = "NAME", .help = "show one rule in full" },
	{ .name = "show-matches", .help = "also show the files that match the rule" },
};

const struct command conclaude_visualize_command = {
	.name = "visualize",
	.summary = "show the rules of .conclaude.yaml",
	.details = "Without --rule, shows an overview. Reads the file that a stop would use.",
	.options = options,
	.option_count = COUNT_OF(options),
	.run = run,
};
