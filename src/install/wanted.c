/* SPDX-License-Identifier: MIT */
/* Reads what a project configures, and chooses hooks by that, so that no process starts for nothing. */
#include "install/registry.h"

#include "conf/holdfast.h"
#include "import/conclaude.h"
#include "import/gates.h"
#include "model/block_cap.h"

#define TIMEOUT_S 600
#define STATUS_NAMES_BYTES 60 /* the message stays on a line */

void
project_facts_load(struct arena *a, struct str dir, struct project_facts *f)
{
	*f = (struct project_facts){ 0 };
	project_find(&f->where, dir, WITHIN_REPOSITORY);
	f->project = f->where.repository.s ? f->where.repository : dir;
	loops_find(a, &f->where, &f->loops);
	f->policies_path = conclaude_find(a, f->where.dirs, f->where.count);
	if (f->policies_path.s && gates_replace(f->where.dirs, f->where.count, f->policies_path))
		f->policies_path = STR_NONE;
	if (f->policies_path.s)
		f->has_policies = conclaude_load(a, f->policies_path, STR_NONE, &f->policies, NULL,
						 &f->why_bad) == 0;
	f->gates_root = gates_find(a, f->where.dirs, f->where.count);
	/* What is wrong with it, the gates' own check tells. */
	if (!f->policies_path.s && f->gates_root.s && gates_dialect(f->gates_root)->configures_alone &&
	    holdfast_load_policies(a, holdfast_read(a, f->gates_root), f->gates_root, &f->policies,
				   IGNORED) == 0) {
		f->has_policies = true;
		f->policies_path = f->policies.path;
	}
}

uint64_t
project_facts_blocks(const struct project_facts *f)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < f->loops.count; i++) {
		uint64_t iterations = f->loops.items[i].state.max_iterations;

		if (f->loops.items[i].is_corrupt)
			continue;
		if (iterations == 0)
			return BLOCKS_ENDLESS;
		if (iterations - 1 > blocks)
			blocks = iterations - 1; /* the last one may stop */
	}
	int64_t rounds = f->policies.rounds;

	return blocks + policies_follow_ups(&f->policies) + (rounds > 0 ? (uint64_t)rounds - 1 : 0);
}

/* ---- hooks ---- */

/* Are guards asked at the event, about every tool of the client? Any project may have guards, where no certain one counts. What is in
 * force though nobody wrote it is no reason to start a process for every tool. */
static bool
is_for_guards(const struct project_facts *f, enum event_id id)
{
	return (id == EVENT_PreToolUse || id == EVENT_PostToolUse) &&
	       (!f || f->gets_guards || policies_guard_tools(&f->policies));
}

/* Does the configuration use the event, and is it not one that is always registered? */
static bool
is_used(const struct project_facts *f, enum event_id id)
{
	if (is_for_guards(f, id))
		return true;
	if (!f || !f->has_policies || id == EVENT_Stop || id == EVENT_UserPromptSubmit ||
	    id == EVENT_SessionEnd)
		return false;
	const struct policies *c = &f->policies;

	if (c->at[id].count > 0)
		return true;
	/* Whoever answers WorktreeCreate makes the worktree: a notification alone must not. */
	if (policies_notify(c, id) && id != EVENT_WorktreeCreate)
		return true;
	return (id == EVENT_PermissionRequest && c->permissions) ||
	       (id == EVENT_StopFailure && c->resumes_after_limit);
}

/* ---- matchers ---- */

/* Claude Code watches only the paths that the matcher names: here the pattern itself, or the directory before its first
 * wildcard. It also takes the matcher for a regular expression, to which the file's name is compared: the empty alternative at
 * the end matches the name of every file below the paths. */
static struct str
watched_paths(struct arena *a, const struct command_list *commands)
{
	struct str_list paths = { 0 };

	for (size_t i = 0; i < commands->count; i++) {
		struct str pattern = commands->items[i].match;
		size_t end = 0, slash = 0;

		while (end < pattern.n && str_find_char(STR("*?[](){}\\+^$|"), pattern.s[end]) < 0) {
			slash = pattern.s[end] == '/' ? end : slash;
			end++;
		}
		struct str path = str_sub(pattern, 0, end == pattern.n ? end : slash);

		str_list_add_new(a, &paths,
				 path.n == 0 ? STR(".") : str_cat(a, path.s[0] == '/' ? "" : "./", path));
	}
	return str_cat(a, paths.count > 0 ? str_list_join(a, &paths, "|") : STR("."), "|");
}

/* A matcher of Claude Code for what the commands are for, such as tools: `Edit|Write`; absent: no such, or all. A name that it would take
 * for a regular expression matches everything here. */
static struct str
matcher_for(struct arena *a, const struct policies *c, enum event_id event)
{
	const struct command_list *commands = &c->at[event];
	struct str_list names = { 0 };
	bool is_all = policies_notify(c, event);
	/* Is the subject of the event's patterns what the matcher is compared with? */
	bool is_matched = event == EVENT_SubagentStart || event == EVENT_PostCompact ||
			  event == EVENT_ConfigChange || event == EVENT_Setup ||
			  event == EVENT_PermissionDenied || event == EVENT_UserPromptExpansion ||
			  event == EVENT_Elicitation || event == EVENT_ElicitationResult ||
			  event == EVENT_PostToolUse;

	if (event == EVENT_FileChanged)
		return watched_paths(a, commands);
	for (size_t i = 0; is_matched && i < commands->count; i++) {
		struct str name = commands->items[i].match;

		for (size_t k = 0; k < name.n; k++)
			is_all |= !is_letter(name.s[k]) && !is_digit(name.s[k]) && name.s[k] != '_' &&
				  name.s[k] != '-';
		is_all |= name.n == 0;
		str_list_add_new(a, &names, name);
	}
	return is_all || names.count == 0 ? STR_NONE : str_cat(a, str_list_join(a, &names, "|"));
}

/* Are there commands for the event, and does nobody wait for any of them? */
static bool
is_background(const struct policies *c, enum event_id event)
{
	const struct command_list *commands = &c->at[event];
	bool all = commands->count > 0;

	for (size_t i = 0; i < commands->count; i++)
		all &= commands->items[i].is_background;
	return all;
}

void
hooks_wanted(struct arena *a, const struct client *c, const struct project_facts *facts,
	     struct hooks_wanted *ret)
{
	const struct client_settings *s = c->settings;
	struct str option = c == client_default ? STR("") : str_cat(a, " --client ", c->name);

	*ret = (struct hooks_wanted){ .count = s->wanted_count };
	memcpy(ret->items, s->wanted, s->wanted_count * sizeof(*s->wanted));
	for_each (row, event_rows, EVENT_COUNT) {
		const char *name = is_used(facts, row->id) ? hook_event_name(c, row->id) : NULL;
		bool narrows = s->has_matchers && !is_for_guards(facts, row->id);

		for (size_t k = 0; name && k < ret->count; k++)
			if (str_is(str_from(ret->items[k].event), name))
				name = NULL;
		if (!name)
			continue;
		ret->items[ret->count++] = (struct hook_wanted){
			.event = name,
			.words = str_cat(a, "hook ", row->name, option).s,
			.timeout_s = TIMEOUT_S,
			.always_succeeds = c->settings->wanted[1].always_succeeds,
			.matcher = narrows ? matcher_for(a, &facts->policies, row->id).s : NULL,
			.is_optional = true,
			.more = narrows && is_background(&facts->policies, row->id) ? "\"async\": true"
										    : NULL,
		};
	}
}

bool
hook_is_known(const struct client *c, struct str event)
{
	const struct client_settings *s = c->settings;

	if (always_wanted(c, event))
		return true;
	for (size_t i = 0; s->events && i < s->event_count; i++)
		if (str_is(event, s->events[i].name))
			return true;
	return !s->events && event_find(event);
}

struct str
hooks_missing(struct arena *a, const struct client *c, const struct project_facts *facts)
{
	struct buf b = BUF(a, KIB(4));

	for (size_t i = 0; i < EVENT_COUNT; i++)
		if (is_used(facts, event_rows[i].id) && !hook_event_name(c, event_rows[i].id))
			buf_cat(&b, b.n > 0 ? ", " : "", event_rows[i].name);
	return buf_str(&b);
}

struct str
guards_text(struct arena *a, const struct guards_config *g)
{
	struct str sets = str_cat(a, str_list_join(a, &g->use, ", "));
	size_t own = g->protect.count + g->create.count + g->rules.count + g->commands.deny.count +
		     g->commands.ask.count;

	return own == 0 ? sets
			: str_cat(a, sets, sets.n > 0 ? ", " : "", own, own == 1 ? " rule" : " rules",
				  " of the project");
}

struct str
guards_off_lines(struct arena *a, const struct project_facts *facts)
{
	struct buf b = BUF(a, KIB(4));

	for (size_t i = 0; policies_guard_tools(&facts->policies) && i < client_count; i++) {
		struct str line = hook_guards_off(a, facts->project, clients[i]);

		buf_cat(&b, line, line.s ? "\n" : "");
	}
	return buf_str(&b);
}

const char *
gates_message(struct arena *a, const struct project_facts *facts)
{
	struct gates_config config;
	struct buf names = BUF(a, KIB(4));
	struct str warning;

	if (!facts->gates_root.s || gates_load(a, facts->gates_root, &config, &warning, IGNORED) < 0)
		return NULL;
	size_t count = config.check_count + config.review_count;

	for (size_t i = 0; i < count; i++) {
		struct str name = i < config.check_count ? config.checks[i].name
							 : config.reviews[i - config.check_count].name;

		if (names.n + name.n > STATUS_NAMES_BYTES) {
			buf_cat(&names, i > 0 ? " and " : "", count - i, " more");
			break;
		}
		buf_cat(&names, i > 0 ? ", " : "", name);
	}
	return count == 0 ? NULL : str_cat(a, STATUS_PREFIX "gates (", buf_str(&names), ")").s;
}
