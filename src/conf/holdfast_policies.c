/* SPDX-License-Identifier: MIT */
/* Reads what holdfast.yml says besides its gates, and checks what its schema can't. */
#include "conf/loader.h"
#include "conf/holdfast.h"

uint64_t
policies_follow_ups(const struct policies *c)
{
	const struct follow_ups *f = c->follow_ups;
	uint64_t sum = 0;

	for (size_t i = 0; f && f->prefixes.count > 0 && i < f->messages.count; i++)
		sum += (uint64_t)f->messages.items[i].times;
	return sum;
}

bool
policies_notify(const struct policies *c, enum event_id event)
{
	const struct str_list *at = c->notify ? &c->notify->at : NULL;

	return at && (str_is_among(STR("all"), at->items, at->count) ||
		      str_is_among(str_from(event_rows[event].native), at->items, at->count));
}

bool
policies_guard_tools(const struct policies *c)
{
	const struct guards_config *g = c->has_usual_guards ? NULL : c->guards;

	return g && g->use.count + g->protect.count + g->create.count + g->rules.count +
				    g->commands.deny.count + g->commands.ask.count >
			    0;
}

/* Sets what is no key of its own. */
static void
complete(struct arena *a, const struct node *document, const struct holdfast_loop *loop, struct policies *c)
{
	struct command_list *all = &c->commands, *more = &c->at[EVENT_Stop];
	struct policy_command *items = arena_array(a, all->count + more->count + 1, struct policy_command);

	c->document = *document;
	c->resumes_after_limit = loop->resume_after_limit > 0;
	/* Commands at the event Stop run after the stop commands. */
	for (size_t i = 0; more->count > 0 && i < all->count + more->count; i++)
		items[i] = i < all->count ? all->items[i] : more->items[i - all->count];
	if (more->count > 0)
		*all = (struct command_list){ items, all->count + more->count };
	*more = (struct command_list){ 0 };
}

int
policies_read(struct arena *a, const struct node *document, struct str file, struct holdfast_draft *d,
	      struct err *err)
{
	struct config_problems problems = { 0 };

	*d = holdfast_draft_defaults;
	schema_read(a, &holdfast_import_schema, document, d, file, &problems);
	complete(a, document, &d->loop, &d->policies);
	return problems_fail(a, STR(""), &problems, err);
}

static int
check_values(struct arena *a, const struct holdfast_file *file, struct err *err)
{
	if (file->is_parsed)
		return problems_fail(a, file->dir, &file->problems, err);
	*err = file->err;
	return -1;
}

int
holdfast_load_policies(struct arena *a, const struct holdfast_file *file, struct str root,
		       struct policies *ret, struct err *err)
{
	if (check_values(a, file, err) < 0)
		return -1;
	*ret = file->draft.policies;
	complete(a, &file->document, &file->draft.loop, ret);
	ret->path = path_join(a, file->dir, STR(HOLDFAST_FILE));
	ret->dir = root;
	ret->dialect = &dialects[DIALECT_HOLDFAST];
	return 0;
}

int
holdfast_load_loop(struct arena *a, const struct holdfast_file *file, struct holdfast_loop *ret,
		   struct err *err)
{
	if (check_values(a, file, err) < 0)
		return -1;
	*ret = file->draft.loop;
	ret->node = node_get(&file->document, "loop");
	return 0;
}

/* ---- checks ---- */

static void
check_prompt(struct config_loader *l, const struct node *at, const struct policy_command *p, size_t i)
{
	struct arena *a = l->arena;

	if (p->add.s && p->run.s)
		loader_note(l, SEVERITY_FATAL, node_get(at, "run"), str_cat(a, "prompts[", i, "].run"),
			    "a rule adds a text or runs a command, and 'add' is set too");
	if (p->slash.s && p->add.s)
		loader_note(l, SEVERITY_FATAL, node_get(at, "slash"), str_cat(a, "prompts[", i, "].slash"),
			    "it is for commands; for a text write matches: '^/", p->slash, "'");
	if (p->slash.s && p->matches.s)
		loader_note(
			l, SEVERITY_FATAL, node_get(at, "matches"), str_cat(a, "prompts[", i, "].matches"),
			"a rule is for a slash command or for prompts that match, and 'slash' is set too");
}

/* One command makes the worktree and prints its path, so what decides whether a command runs has no meaning. */
static void
check_worktree(struct config_loader *l, const struct node *n, size_t count)
{
	static const char *const keys[] = { "match", "files", "background" };
	const struct node *one = n && n->kind == NODE_LIST && n->count > 0 ? &n->items[0] : n;

	if (count > 1)
		loader_note(l, SEVERITY_FATAL, n, STR("events.worktree_create"),
			    "one command makes the worktree and prints its path");
	for (size_t i = 0; one && i < COUNT_OF(keys); i++)
		if (node_get(one, keys[i]))
			loader_note(l, SEVERITY_FATAL, node_get(one, keys[i]),
				    str_cat(l->arena, "events.worktree_create.", keys[i]),
				    "the command that makes the worktree always runs");
}

void
holdfast_check_events(struct config_loader *l, const struct node *document, const struct policies *c)
{
	const struct node *events = node_get(document, "events"), *prompts = node_get(document, "prompts");

	for (size_t e = 0; e < EVENT_COUNT; e++)
		for (size_t i = 0; i < c->at[e].count; i++)
			if (c->at[e].items[i].is_gate && e != EVENT_SubagentStop &&
			    e != EVENT_TaskCompleted && e != EVENT_TeammateIdle)
				loader_note(l, SEVERITY_FATAL, node_get(events, event_rows[e].native),
					    str_cat(l->arena, "events.", event_rows[e].native),
					    "only subagent_stop, task_completed and teammate_idle can have a "
					    "gate");
	check_worktree(l, node_get(events, event_rows[EVENT_WorktreeCreate].native),
		       c->at[EVENT_WorktreeCreate].count);
	for (size_t i = 0; i < c->prompts.count; i++)
		check_prompt(l, prompts->kind == NODE_LIST ? &prompts->items[i] : prompts,
			     &c->prompts.items[i], i);
}
