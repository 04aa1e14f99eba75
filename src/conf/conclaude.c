/* SPDX-License-Identifier: MIT */
/* Finds, loads and checks conclaude's configuration. Every stop searches for it, so the search only tests whether names exist. */
#include "conf/conclaude.h"

#include "base/buf.h"
#include "base/glob.h"
#include "base/path.h"
#include "doc/yaml.h"
#include "model/block_cap.h"
#include "os/fs.h"

static const struct conclaude_config defaults = {
	.stop = { .infinite_message = STR("continue working on the task") },
	.pre_tool_use = { .prevents_root_additions = true },
	.database = { .is_enabled = true },
	.notifications = { .shows_system_events = true },
	.worktree_timeout_s = 60,
	.shows_only_final = true,
};

struct str
conclaude_find(struct arena *a, const struct str *dirs, size_t count)
{
	static const char *const names[] = { ".conclaude.yaml", ".conclaude.yml" };

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < COUNT_OF(names); k++)
			if (fs_has(dirs[i], names[k]))
				return path_join(a, dirs[i], str_from(names[k]));
	return STR_NONE;
}

int
conclaude_parse(struct arena *a, struct str path, struct str text, struct conclaude_config *ret,
		struct config_problems *ret_problems, struct err *err)
{
	struct conclaude_config c = defaults;
	struct str dir = path_parent(path);
	struct err syntax;

	if (yaml_parse(a, text, &c.root, &syntax) < 0)
		problem_add_err(a, &c.problems, path, &syntax);
	else
		schema_read(a, &conclaude_schema, &c.root, &c, path, &c.problems);
	if (ret_problems)
		*ret_problems = c.problems;
	if (problems_fail(a, STR(""), &c.problems, err) < 0)
		return -1;
	c.path = path;
	c.dir = str_copy(a, dir.s ? dir : STR("."));
	*ret = c;
	return 0;
}

int
conclaude_read(struct arena *a, struct str path, struct str *ret, struct err *err)
{
	struct str text;
	const char *name;

	if (str_cz(a, path, &name, err) < 0 || fs_read(a, name, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return err_set(err, ERR_VALUE, STR_FMT ": no such file", STR_ARG(path));
	*ret = text;
	return 0;
}

int
conclaude_load(struct arena *a, struct str path, struct conclaude_config *ret, struct err *err)
{
	struct str text;

	if (conclaude_read(a, path, &text, err) < 0)
		return -1;
	return conclaude_parse(a, path, text, ret, NULL, err);
}

uint64_t
conclaude_follow_ups(const struct conclaude_config *c)
{
	const struct conclaude_prefix_blocking *p = c->stop.prefix_blocking;
	uint64_t sum = 0;

	if (!c->database.is_enabled || !p || p->prefixes.count == 0)
		return 0;
	for (size_t i = 0; i < p->messages.count; i++)
		sum += (uint64_t)p->messages.items[i].times;
	return sum;
}

/* ---- problems of several keys ---- */

struct checker {
	struct arena *arena;
	const struct conclaude_config *config;
	struct config_problems *problems;
};

static void PRINTF_LIKE(4, 5)
	warn(struct checker *k, const struct node *n, const char *path, const char *fmt, ...)
{
	const struct problem_at at = { SEVERITY_WARNING, k->config->path, str_from(path), n };
	va_list args;

	va_start(args, fmt);
	problem_add(k->arena, k->problems, &at, fmt, args);
	va_end(args);
}

static void
check_prefixes(struct checker *k, const struct node *list)
{
	for (size_t i = 0; list && i < list->count; i++) {
		const struct node *n = &list->items[i];
		const char *path = str_fmt(k->arena, "stop.promptPrefixBlocking.prefixes[%zu]", i).s;

		if (glob_min_length(n->text) > CONCLAUDE_PROMPT_CHARS)
			warn(k, n, path,
			     "never matches: only the first %d characters of a prompt are compared",
			     CONCLAUDE_PROMPT_CHARS);
		else if (!glob_has_wildcard(n->text))
			warn(k, n, path,
			     "matches only a prompt that is exactly '" STR_FMT
			     "'; to match its start write '" STR_FMT "*'",
			     STR_ARG(n->text), STR_ARG(n->text));
	}
}

static void
check_queue(struct checker *k, const struct node *queue)
{
	const struct conclaude_config *c = k->config;
	const struct conclaude_prefix_blocking *p = c->stop.prefix_blocking;
	const char *path = "stop.promptPrefixBlocking";

	if (!p)
		return;
	check_prefixes(k, node_get(queue, "prefixes"));
	if (!c->database.is_enabled)
		warn(k, node_get(node_get(&c->root, "database"), "enabled"), "database.enabled",
		     "is false, so stop.promptPrefixBlocking does nothing");
	else if (p->prefixes.count == 0)
		warn(k, queue, path, "does nothing: it has no prefixes");
	else if (conclaude_follow_ups(c) == 0)
		warn(k, queue, path, "does nothing: it has no message that is sent at least once");
}

static void
check_cap(struct checker *k, const struct node *stop)
{
	const struct conclaude_config *c = k->config;
	uint64_t sends = conclaude_follow_ups(c),
		 rounds = c->stop.rounds > 0 ? (uint64_t)c->stop.rounds - 1 : 0;
	const struct block_cap cap = {
		.blocks = sends + rounds,
		.parts = str_fmt(k->arena, " (%ju by messages, %ju by rounds)", (uintmax_t)sends,
				 (uintmax_t)rounds),
		.title = "Claude Code",
		.cap = CLAUDE_BLOCK_CAP,
		.is_reset_by_a_tool = true,
	};
	struct str text = block_cap_text(k->arena, &cap);

	if (block_cap_is_low(&cap))
		warn(k, node_get(stop, rounds > 0 ? "rounds" : "promptPrefixBlocking"),
		     rounds > 0 ? "stop.rounds" : "stop.promptPrefixBlocking",
		     STR_FMT "; " CLAUDE_BLOCK_CAP_NAME " changes that", STR_ARG(text));
}

static bool
is_one_of(const struct node *n, const char *one, const char *other)
{
	return !n || n->kind == NODE_NULL || str_is(n->text, one) || str_is(n->text, other);
}

static void
check_tool_rules(struct checker *k, const struct node *list)
{
	for (size_t i = 0; list && i < list->count; i++) {
		const struct node *action = node_get(&list->items[i], "action");
		const struct node *mode = node_get(&list->items[i], "matchMode");
		const char *path = str_fmt(k->arena, "preToolUse.toolUsageValidation[%zu]", i).s;

		if (!is_one_of(action, "block", "allow"))
			warn(k, action, path,
			     "action '" STR_FMT "' is neither 'block' nor 'allow', so the rule does nothing",
			     STR_ARG(action->text));
		if (!is_one_of(mode, "full", "prefix"))
			warn(k, mode, path,
			     "matchMode '" STR_FMT "' is neither 'full' nor 'prefix', so it counts as 'full'",
			     STR_ARG(mode->text));
	}
}

void
conclaude_check(struct arena *a, const struct conclaude_config *c, struct config_problems *ret)
{
	struct checker k = { .arena = a, .config = c, .problems = ret };
	const struct node *stop = node_get(&c->root, "stop");

	*ret = c->problems;
	/* added problems go into a new array */
	ret->capacity = ret->count;
	check_queue(&k, node_get(stop, "promptPrefixBlocking"));
	check_tool_rules(&k, node_get(node_get(&c->root, "preToolUse"), "toolUsageValidation"));
	if (c->stop.rounds > 0 && c->stop.is_infinite)
		warn(&k, node_get(stop, "rounds"), "stop.rounds", ROUNDS_AND_INFINITE);
	check_cap(&k, stop);
}

/* ---- what the configuration is for ---- */

static bool
notifies_of(const struct conclaude_config *c, enum event_id event)
{
	const struct conclaude_notifications *n = &c->notifications;

	for (size_t i = 0; n->is_enabled && i < n->hooks.count; i++)
		if (str_is(n->hooks.items[i], "*") || str_eq(n->hooks.items[i], event_rows[event].name))
			return true;
	return false;
}

/* A default alone is no reason to start a process for every tool. */
static bool
has_tool_rules(const struct conclaude_config *c)
{
	const struct conclaude_pre_tool_use *p = &c->pre_tool_use;

	return (p->prevents_root_additions && node_get(&c->root, "preToolUse")) || p->prevents_ignored ||
	       p->prevents_generated || p->prevented_additions.count > 0 || p->uneditable_files.count > 0 ||
	       p->tool_rules.count > 0;
}

/* Does one of the guards decide before a tool runs? */
static bool
guards_tools(const struct guards_config *g)
{
	return g && g->use.count + g->protect.count + g->create.count + g->commands.deny.count +
				    g->commands.ask.count >
			    0;
}

/* Protected files are compared after a tool. */
static bool
protects_files(const struct guards_config *g)
{
	return g && g->protect.count > 0;
}

bool
conclaude_uses(const struct conclaude_config *c, enum event_id event)
{
	const struct conclaude_section *s = &c->sections[event];

	if (s->count > 0 || s->pattern_count > 0)
		return true;
	switch (event) {
	case EVENT_Stop:
		return true;
	case EVENT_UserPromptSubmit:
		return c->context_rules.count > 0 || c->slash_commands.pattern_count > 0 ||
		       c->stop.prefix_blocking || notifies_of(c, event);
	case EVENT_PreToolUse:
		return (!c->is_native && has_tool_rules(c)) || guards_tools(c->guards) ||
		       notifies_of(c, event);
	case EVENT_PostToolUse:
		return protects_files(c->guards) || notifies_of(c, event);
	case EVENT_PermissionRequest:
		return c->permissions || notifies_of(c, event);
	case EVENT_StopFailure:
		return c->resumes_after_limit || notifies_of(c, event);
	case EVENT_WorktreeCreate:
		return c->worktree_command.s;
	default:
		return notifies_of(c, event);
	}
}

/* ---- matchers ---- */

struct names {
	struct buf text;
	bool is_all;
};

static void
add_once(struct names *n, struct str name)
{
	struct str all = buf_str(&n->text), one;

	while (str_next(&all, '|', &one))
		if (str_eq(one, name))
			return;
	buf_addf(&n->text, "%s" STR_FMT, n->text.n > 0 ? "|" : "", STR_ARG(name));
}

/* A name that a client would take for a regular expression matches everything here. */
static void
add_name(struct names *n, struct str name)
{
	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];
		bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
				c == '_' || c == '-';

		n->is_all |= !is_plain;
	}
	n->is_all |= name.n == 0;
	add_once(n, name);
}

/* Claude Code watches only the paths that the matcher names: here the pattern itself, or the directory before its first
 * wildcard. It also takes the matcher for a regular expression, to which the file's name is compared. */
static void
add_watched(struct arena *a, struct names *n, struct str pattern)
{
	size_t end = 0, slash = 0;

	while (end < pattern.n && str_find_char(STR("*?[](){}\\+^$|"), pattern.s[end]) < 0) {
		slash = pattern.s[end] == '/' ? end : slash;
		end++;
	}
	struct str path = str_sub(pattern, 0, end == pattern.n ? end : slash);

	if (path.n == 0)
		add_once(n, STR("."));
	else
		add_once(n, str_fmt(a, "%s" STR_FMT, path.s[0] == '/' ? "" : "./", STR_ARG(path)));
}

/* The empty alternative at the end matches the name of every file below the paths. */
static struct str
watched_paths(struct arena *a, const struct conclaude_section *s)
{
	struct names n = { .text = BUF(a, KIB(4)) };

	for (size_t i = 0; i < s->pattern_count; i++)
		add_watched(a, &n, s->patterns[i].pattern);
	for (size_t i = 0; i < s->count; i++)
		add_watched(a, &n, s->commands[i].subject);
	if (n.text.n == 0)
		add_once(&n, STR("."));
	return str_fmt(a, STR_FMT "|", STR_ARG(buf_str(&n.text)));
}

static void
add_tool_names(struct names *n, const struct conclaude_config *c)
{
	static const char *const writing[] = { "Edit", "MultiEdit", "NotebookEdit", "Write" };
	const struct conclaude_pre_tool_use *p = &c->pre_tool_use;
	bool edits = p->uneditable_files.count > 0 || p->prevents_ignored || p->prevents_generated;

	n->is_all |= guards_tools(c->guards);
	for (size_t i = 0; !c->is_native && i < COUNT_OF(writing); i++)
		if (edits || p->prevents_root_additions || p->prevented_additions.count > 0)
			add_name(n, str_from(writing[i]));
	for (size_t i = 0; i < p->tool_rules.count; i++)
		add_name(n, p->tool_rules.items[i].tool);
}

/* Is the subject of the event's patterns what the client's matcher is compared with? */
static bool
is_matched_by_subject(enum event_id e)
{
	return e == EVENT_SubagentStart || e == EVENT_PostCompact || e == EVENT_ConfigChange ||
	       e == EVENT_Setup || e == EVENT_PermissionDenied || e == EVENT_UserPromptExpansion ||
	       e == EVENT_Elicitation || e == EVENT_ElicitationResult;
}

struct str
conclaude_matcher(struct arena *a, const struct conclaude_config *c, enum event_id event)
{
	const struct conclaude_section *s = &c->sections[event];
	struct names n = { .text = BUF(a, KIB(4)), .is_all = notifies_of(c, event) };

	if (event == EVENT_FileChanged)
		return watched_paths(a, s);
	if (event == EVENT_PreToolUse)
		add_tool_names(&n, c);
	else if (event == EVENT_PostToolUse && !protects_files(c->guards))
		for (size_t i = 0; i < s->count; i++)
			add_name(&n, s->commands[i].tool);
	else if (is_matched_by_subject(event))
		for (size_t i = 0; i < s->pattern_count; i++)
			add_name(&n, s->patterns[i].pattern);
	return n.is_all || n.text.n == 0 ? STR_NONE : str_copy(a, buf_str(&n.text)); /* it ends in NUL */
}

bool
conclaude_is_background(const struct conclaude_config *c, enum event_id event)
{
	const struct conclaude_section *s = &c->sections[event];
	bool is_background = s->count > 0 && s->pattern_count == 0 &&
			     !(event == EVENT_PostToolUse && protects_files(c->guards));

	for (size_t i = 0; i < s->count; i++)
		is_background &= s->commands[i].is_background;
	return is_background;
}

/* ---- keys that holdfast.yml does not have ---- */

/* An empty value, or a boolean that is false, needs no warning. */
static bool
is_set(const struct node *n)
{
	bool found = n->kind != NODE_NULL && n->kind != NODE_LIST && n->kind != NODE_MAP &&
		     (n->kind != NODE_BOOL || n->boolean);

	for (size_t i = 0; n->kind == NODE_LIST && i < n->count && !found; i++)
		found = is_set(&n->items[i]);
	for (size_t i = 0; n->kind == NODE_MAP && i < n->count && !found; i++)
		found = is_set(&n->entries[i].value);
	return found;
}

/* It becomes one of events, prompts or permissions. */
static bool
is_event_section(struct str key)
{
	for (size_t i = 0; i < EVENT_COUNT; i++)
		if (event_rows[i].section && str_is(key, event_rows[i].section))
			return true;
	return false;
}

static void
add_inactive(struct checker *k, const struct node *map, const char *before, const char *const *active)
{
	for (size_t i = 0; map && i < map->count; i++) {
		const struct node_entry *e = &map->entries[i];
		struct node key = { .line = e->line, .column = e->column };
		size_t row = 0;

		while (active[row] && !str_is(e->key, active[row]))
			row++;
		if (!active[row] && !is_event_section(e->key) && is_set(&e->value))
			warn(k, &key, str_fmt(k->arena, "%s" STR_FMT, before, STR_ARG(e->key)).s, "%s", "");
	}
}

void
conclaude_inactive(struct arena *a, const struct conclaude_config *c, struct config_problems *ret)
{
	static const char *const rules[] = { "preventRootAdditions", NULL };
	static const char *const sections[] = { "stop", "database", "preToolUse", "notifications", NULL };
	struct checker k = { .arena = a, .config = c, .problems = ret };

	*ret = (struct config_problems){ 0 };
	add_inactive(&k, node_get(&c->root, "preToolUse"), "preToolUse.", rules);
	add_inactive(&k, &c->root, "", sections);
}
