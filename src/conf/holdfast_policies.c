/* SPDX-License-Identifier: MIT */
/* What holdfast.yml says besides its gates, as the structs that .conclaude.yaml is read into: one executor for both. */
#include "conf/gauntlet_schema.h"
#include "conf/holdfast.h"

#include "base/path.h"

#define WORKTREE_TIMEOUT_S 60

static struct conclaude_command
as_command(const struct holdfast_command *c)
{
	bool shows_all = str_is(c->output, "true");

	return (struct conclaude_command){
		.run = c->run,
		.message = c->message,
		.shows_stdout = shows_all || str_is(c->output, "stdout"),
		.shows_stderr = shows_all || str_is(c->output, "stderr"),
		.shows_command = c->shows_command,
		.max_output_lines = c->max_lines,
		.timeout_s = (c->timeout_ms + 999) / 1000,
		.notifies = c->notifies,
	};
}

/* `match` is for the event's subject, else for its tool. */
static void
load_event(struct arena *a, const struct event_row *row, const struct holdfast_event_command *items,
	   size_t count, struct conclaude_section *ret)
{
	ret->commands = arena_array(a, count, struct conclaude_command);
	for (size_t i = 0; i < count; i++) {
		struct conclaude_command c = as_command(&items[i].command);

		c.subject = row->subject ? items[i].match : STR_NONE;
		c.tool = row->subject ? STR_NONE : items[i].match;
		c.files = items[i].files;
		c.is_background = items[i].is_background;
		c.is_gate = items[i].is_gate;
		ret->commands[ret->count++] = c;
	}
}

/* ---- prompts ---- */

/* Those with the same pattern run in the order of the file. */
static void
add_slash_command(struct arena *a, const struct holdfast_prompt *p, size_t most, struct conclaude_section *s)
{
	size_t i = 0;

	while (i < s->pattern_count && !str_eq(s->patterns[i].pattern, p->slash))
		i++;
	if (i == s->pattern_count)
		s->patterns[s->pattern_count++] = (struct conclaude_patterns){
			.pattern = p->slash, .commands = arena_array(a, most, struct conclaude_command)
		};
	s->patterns[i].commands[s->patterns[i].count++] = as_command(&p->command);
}

static void
load_prompts(struct arena *a, const struct holdfast_draft *d, struct conclaude_config *ret)
{
	struct conclaude_section *at_prompt = &ret->sections[EVENT_UserPromptSubmit];
	size_t count = d->prompts.count, at_all = at_prompt->count;
	struct conclaude_command *commands = arena_array(a, count + at_all, struct conclaude_command);
	size_t command_count = 0;

	ret->context_rules.items = arena_array(a, count, struct conclaude_context_rule);
	ret->slash_commands.patterns = arena_array(a, count, struct conclaude_patterns);
	for (size_t i = 0; i < count; i++) {
		const struct holdfast_prompt *p = &d->prompts.items[i];

		if (p->add.s) {
			ret->context_rules.items[ret->context_rules.count++] =
				(struct conclaude_context_rule){ .pattern = p->matches.s ? p->matches
											 : STR(""),
								 .prompt = p->add,
								 .is_enabled = true,
								 .ignores_case = p->ignores_case };
		} else if (p->slash.s) {
			add_slash_command(a, p, count, &ret->slash_commands);
		} else {
			struct conclaude_command *c = &commands[command_count++];

			*c = as_command(&p->command);
			c->pattern = p->matches;
			c->ignores_case = p->ignores_case;
		}
	}
	for (size_t i = 0; i < at_all; i++)
		commands[command_count++] = at_prompt->commands[i];
	*at_prompt = (struct conclaude_section){ .commands = commands, .count = command_count };
}

/* ---- notifications ---- */

static bool
has(const struct str_list *list, const char *word)
{
	return str_is_among(str_from(word), list->items, list->count);
}

static struct conclaude_notifications
as_notifications(struct arena *a, const struct notify_config *n)
{
	struct conclaude_notifications ret = { .is_enabled = n->at.count > 0,
					       .shows_errors = has(&n->show, "failed"),
					       .shows_success = has(&n->show, "passed"),
					       .shows_system_events = has(&n->show, "started") };

	ret.hooks.items = arena_array(a, n->at.count, struct str);
	for (size_t i = 0; i < n->at.count; i++) {
		struct str name = STR("*");

		for (size_t e = 0; e < EVENT_COUNT; e++)
			if (str_is(n->at.items[i], event_rows[e].native))
				name = event_rows[e].name;
		ret.hooks.items[ret.hooks.count++] = name;
	}
	return ret;
}

/* ---- all of it ---- */

static void
load_commands(struct arena *a, const struct holdfast_draft *d, struct conclaude_config *ret)
{
	size_t at_stop = d->events[EVENT_Stop].count;

	ret->stop.commands.items = arena_array(a, d->command_count + at_stop + 1, struct conclaude_command);
	for (size_t i = 0; i < d->command_count; i++)
		ret->stop.commands.items[ret->stop.commands.count++] = as_command(&d->commands[i]);
	for (size_t i = 0; i < at_stop; i++)
		ret->stop.commands.items[ret->stop.commands.count++] = as_command(
			&d->events[EVENT_Stop].items[i].command);
	for (size_t e = 0; e < EVENT_COUNT; e++)
		if (e != EVENT_Stop && e != EVENT_WorktreeCreate && d->events[e].count > 0)
			load_event(a, &event_rows[e], d->events[e].items, d->events[e].count,
				   &ret->sections[e]);
	if (d->events[EVENT_WorktreeCreate].count > 0) {
		struct conclaude_command c = as_command(&d->events[EVENT_WorktreeCreate].items[0].command);

		ret->worktree_command = c.run;
		ret->worktree_timeout_s = c.timeout_s > 0 ? c.timeout_s : WORKTREE_TIMEOUT_S;
	}
	if (d->prompts.count > 0)
		load_prompts(a, d, ret);
}

static int
read_draft(struct arena *a, const struct holdfast_file *file, struct holdfast_draft *ret, struct err *err)
{
	struct config_problems problems = { 0 };

	if (!file->is_parsed) {
		*err = file->err;
		return -1;
	}
	*ret = holdfast_draft_defaults;
	schema_read(a, &holdfast_schema, &file->document, ret, STR(HOLDFAST_FILE), &problems);
	return problems_fail(a, file->dir, &problems, err);
}

int
holdfast_load_policies(struct arena *a, const struct holdfast_file *file, struct str root,
		       struct conclaude_config *ret, struct err *err)
{
	struct holdfast_draft d;

	if (read_draft(a, file, &d, err) < 0)
		return -1;
	*ret = (struct conclaude_config){
		.path = path_join(a, file->dir, STR(HOLDFAST_FILE)),
		.dir = root,
		.root = file->document,
		.is_native = true,
		.shows_only_final = true,
		.guards = d.guards,
		.permissions = d.permissions,
		.stop = {
			.is_infinite = d.is_infinite,
			.infinite_message = d.infinite_message,
			.rounds = d.rounds,
			.rounds_message = d.rounds_message,
			.prefix_blocking = d.follow_ups,
		},
		.pre_tool_use.prevents_root_additions = d.keeps_root_clean,
		.database.is_enabled = true,
		.tries = d.tries,
		.needs_todos_done = d.todos.s != NULL,
		.notify = d.notify,
		.resumes_after_limit = d.loop.resume_after_limit > 0,
	};
	if (d.notify)
		ret->notifications = as_notifications(a, d.notify);
	load_commands(a, &d, ret);
	return 0;
}

int
holdfast_load_loop(struct arena *a, const struct holdfast_file *file, struct holdfast_loop *ret,
		   struct err *err)
{
	struct holdfast_draft d;

	if (read_draft(a, file, &d, err) < 0)
		return -1;
	*ret = d.loop;
	ret->node = node_get(&file->document, "loop");
	return 0;
}

/* ---- checks ---- */

static void
check_prompt(struct gauntlet_loader *l, const struct node *at, const struct holdfast_prompt *p, size_t i)
{
	struct arena *a = l->arena;

	if (p->add.s && p->command.run.s)
		loader_note(l, SEVERITY_FATAL, node_get(at, "run"), str_fmt(a, "prompts[%zu].run", i),
			    "a rule adds a text or runs a command, and 'add' is set too");
	if (p->slash.s && p->add.s)
		loader_note(l, SEVERITY_FATAL, node_get(at, "slash"), str_fmt(a, "prompts[%zu].slash", i),
			    "it is for commands; for a text write matches: '^/" STR_FMT "'",
			    STR_ARG(p->slash));
	if (p->slash.s && p->matches.s)
		loader_note(
			l, SEVERITY_FATAL, node_get(at, "matches"), str_fmt(a, "prompts[%zu].matches", i),
			"a rule is for a slash command or for prompts that match, and 'slash' is set too");
}

/* One command makes the worktree and prints its path, so what decides whether a command runs has no meaning. */
static void
check_worktree(struct gauntlet_loader *l, const struct node *n, size_t count)
{
	static const char *const keys[] = { "match", "files", "background" };
	const struct node *one = n && n->kind == NODE_LIST && n->count > 0 ? &n->items[0] : n;

	if (count > 1)
		loader_note(l, SEVERITY_FATAL, n, STR("events.worktree_create"),
			    "one command makes the worktree and prints its path");
	for (size_t i = 0; one && i < COUNT_OF(keys); i++)
		if (node_get(one, keys[i]))
			loader_note(l, SEVERITY_FATAL, node_get(one, keys[i]),
				    str_fmt(l->arena, "events.worktree_create.%s", keys[i]),
				    "the command that makes the worktree always runs");
}

void
holdfast_check_events(struct gauntlet_loader *l, const struct node *document, const struct holdfast_draft *d)
{
	const struct node *events = node_get(document, "events"), *prompts = node_get(document, "prompts");

	for (size_t e = 0; e < EVENT_COUNT; e++)
		for (size_t i = 0; i < d->events[e].count; i++)
			if (d->events[e].items[i].is_gate && e != EVENT_SubagentStop &&
			    e != EVENT_TaskCompleted && e != EVENT_TeammateIdle)
				loader_note(l, SEVERITY_FATAL, node_get(events, event_rows[e].native),
					    str_fmt(l->arena, "events.%s", event_rows[e].native),
					    "only subagent_stop, task_completed and teammate_idle can have a "
					    "gate");
	check_worktree(l, node_get(events, event_rows[EVENT_WorktreeCreate].native),
		       d->events[EVENT_WorktreeCreate].count);
	for (size_t i = 0; i < d->prompts.count; i++)
		check_prompt(l, prompts->kind == NODE_LIST ? &prompts->items[i] : prompts,
			     &d->prompts.items[i], i);
}
