/* SPDX-License-Identifier: MIT */
/* doctor's look at the registrations: ours, other programs' for the same events, and the client's own limits. */
#include "cmd/doctor.h"

#include "base/number.h"
#include "cmd/init.h"
#include "os/access.h"
#include "os/env.h"
#include "os/fs.h"

/* Where our hook for an event is registered. */
struct registration {
	const struct hook_found *hook; /* NULL: nowhere */
	const struct doctor_settings *where;
	size_t count;
};

static struct registration
find_registration(const struct doctor *d, const char *event)
{
	struct registration r = { 0 };

	for (int i = 0; i < SCOPE_COUNT; i++)
		for (size_t k = 0; k < d->settings[i].hooks.count; k++) {
			const struct hook_found *f = &d->settings[i].hooks.items[k];

			if (f->kind != HOOK_HOLDFAST || !str_is(f->event, event))
				continue;
			/* Claude Code runs identical command lines once. */
			if (r.hook && str_eq(r.hook->command, f->command))
				continue;
			r.count++;
			r.hook = f;
			r.where = &d->settings[i];
		}
	return r;
}

static bool
has_plugin(const struct doctor *d, const char *name)
{
	for (int i = 0; i < SCOPE_COUNT; i++)
		if (claude_settings_has_plugin(&d->settings[i].root, name))
			return true;
	return false;
}

/* Is there a program where the command says? Only a plain command line can be judged. */
static void
check_program(struct doctor *d, const struct registration *r)
{
	struct shell_word word;
	const char *path;
	struct err err;

	if (!claude_hook_is_plain(d->arena, r->hook->command, NULL, &word))
		return;
	if (str_is(word.text, "holdfast")) {
		struct str found = access_find_program(d->arena, "holdfast");

		if (!found.s)
			doctor_add(d, FINDING_ERROR, TOPIC_HOOKS, "install holdfast into a directory of PATH",
				   "'" STR_FMT "' can't be run: holdfast is not in PATH",
				   STR_ARG(r->hook->command));
		return;
	}
	if (word.text.n == 0 || word.text.s[0] != '/' || str_cz(d->arena, word.text, &path, &err) < 0)
		return;
	if (fs_kind(path) != FS_FILE)
		doctor_add(d, FINDING_ERROR, TOPIC_HOOKS,
			   "run 'holdfast init' again: it puts the right path in",
			   "'" STR_FMT "' can't be run: there is no such file", STR_ARG(r->hook->command));
}

/* How bad it is when an event is missing depends on what is set up. */
static enum finding_level
missing_level(const struct doctor *d, const char *event)
{
	const struct setup *s = d->setup;

	if (str_is(str_from(event), "Stop"))
		return FINDING_ERROR;
	if (!s->has_conclaude)
		return FINDING_NOTE;
	if (str_is(str_from(event), "UserPromptSubmit"))
		return conclaude_has_follow_ups(&s->conclaude) ? FINDING_ERROR : FINDING_NOTE;
	return s->conclaude.stop.rounds > 0 ? FINDING_WARNING : FINDING_NOTE;
}

static void
check_event(struct doctor *d, const struct hook_wanted *w)
{
	struct registration r = find_registration(d, w->event);

	if (r.count == 0) {
		doctor_add(d, missing_level(d, w->event), TOPIC_HOOKS, "holdfast init",
			   "%s is not registered", w->event);
		return;
	}
	doctor_add(d, FINDING_OK, TOPIC_HOOKS, NULL, "%s: " STR_FMT " (" STR_FMT ")", w->event,
		   STR_ARG(r.hook->command), STR_ARG(r.where->shown));
	if (r.count > 1)
		doctor_add(d, FINDING_ERROR, TOPIC_HOOKS,
			   "keep one of them: 'holdfast uninstall' or --user, --local",
			   "%s is registered %zu times with different command lines, and each of them runs",
			   w->event, r.count);
	if (r.hook->timeout_s > 0 && r.hook->timeout_s < w->timeout_s &&
	    str_find(r.hook->command, STR("--deadline")) < 0)
		doctor_add(d, FINDING_WARNING, TOPIC_HOOKS, "holdfast init",
			   "%s: the client gives up after %lld s, and holdfast counts on %lld s", w->event,
			   (long long)r.hook->timeout_s, (long long)w->timeout_s);
	check_program(d, &r);
}

static void
check_rivals(struct doctor *d)
{
	for (int i = 0; i < SCOPE_COUNT; i++)
		for (size_t k = 0; k < d->settings[i].hooks.count; k++) {
			const struct hook_found *f = &d->settings[i].hooks.items[k];
			struct hook_list one = { &d->settings[i].hooks.items[k], 1 };

			if (!settings_rival(&one))
				continue;
			doctor_add(d, FINDING_ERROR, TOPIC_HOOKS, "take that entry out of the file",
				   STR_FMT ": %s is registered too: '" STR_FMT "' (" STR_FMT
					   "); each of them judges the same stop",
				   STR_ARG(f->event), hook_kind_name(f->kind), STR_ARG(f->command),
				   STR_ARG(d->settings[i].shown));
		}
}

static void
check_plugins(struct doctor *d)
{
	static const char *const names[] = { "ralph-wiggum", "ralph-loop" };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (has_plugin(d, names[i]))
			doctor_add(d, FINDING_ERROR, TOPIC_HOOKS,
				   "disable the plugin in Claude Code: /plugin",
				   "the plugin '%s' has a Stop hook of its own for the same loop file: both "
				   "would count and "
				   "block",
				   names[i]);
}

static void
check_switches(struct doctor *d)
{
	for (int i = 0; i < SCOPE_COUNT; i++)
		if (node_get_bool(&d->settings[i].root, "disableAllHooks"))
			doctor_add(d, FINDING_ERROR, TOPIC_HOOKS, "take the key out",
				   STR_FMT ": disableAllHooks is true, so no hook runs at all",
				   STR_ARG(d->settings[i].shown));
}

void
doctor_look_at_hooks(struct doctor *d)
{
	if (has_plugin(d, "holdfast"))
		doctor_add(d, FINDING_OK, TOPIC_HOOKS, NULL,
			   "the plugin 'holdfast' is enabled and registers the hooks");
	else
		for (size_t i = 0; i < client_claude.settings->wanted_count; i++)
			check_event(d, &client_claude.settings->wanted[i]);
	check_rivals(d);
	check_plugins(d);
	check_switches(d);
}

/* The cap that holds: the settings' own environment first, the later file before the earlier. */
static struct str
find_cap(const struct doctor *d, struct str *ret_where)
{
	for (int i = SCOPE_COUNT; i-- > 0;) {
		struct str cap = claude_settings_env(&d->settings[i].root, BLOCK_CAP_NAME);

		*ret_where = d->settings[i].shown;
		if (cap.s)
			return cap;
	}
	*ret_where = STR("the environment");
	return env_get(BLOCK_CAP_NAME);
}

void
doctor_look_at_cap(struct doctor *d)
{
	uint64_t blocks = setup_blocks(d->setup), cap = BLOCK_CAP_DEFAULT;
	struct str where, text = find_cap(d, &where);

	if (text.s && !number_parse(text, &cap))
		cap = str_starts(text, STR("-")) ? 0 : BLOCK_CAP_DEFAULT;
	if (cap == 0 || blocks <= cap)
		return;
	doctor_add(d, FINDING_WARNING, TOPIC_NEXT, text.s ? "raise the number" : "holdfast init",
		   "%llu stops in a row may be turned back, and Claude Code ends the turn after %llu without "
		   "a tool call (%s" STR_FMT ")",
		   (unsigned long long)blocks, (unsigned long long)cap,
		   text.s ? BLOCK_CAP_NAME " in " : "its default", STR_ARG(text.s ? where : STR("")));
}
