/* SPDX-License-Identifier: MIT */
/* holdfast init: picks the clients and the settings files, and registers the hooks there. */
#include "install/register.h"

#include "cmd/commands.h"
#include "cmd/compat/compat.h"
#include "cmd/help_texts.h"
#include "cmd/setup/init_gates.h"
#include "import/gates.h"
#include "os/fs.h"
#include "os/env.h"
#include "project/trust.h"
#include "ui/print.h"

static bool
has_scope(const struct client *c, enum settings_scope scope)
{
	return c->settings && (scope != SCOPE_LOCAL || c->settings->local_file);
}

/* Asks until the answer is one; an empty line is a yes, the end of the input a no. */
static bool
agrees(struct arena *a, struct asker *q, struct str question)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		struct str answer = ask(a, q, STR_FMT "? [Y/n] ", STR_ARG(question));

		if (q->is_over)
			break;
		if (answer.n == 0 || str_is_word(answer, "y") || str_is_word(answer, "yes"))
			return true;
		if (str_is_word(answer, "n") || str_is_word(answer, "no"))
			break;
		(void)print_out(STR("Please answer y or n.\n"));
	}
	return false;
}

/* Those that --client names, each once; else, on a terminal, those on this machine that the user agrees to; else Claude Code.
 * Returns the exit code. */
static int
pick_clients(struct arena *a, const struct invocation *inv, enum settings_scope scope,
	     const struct client *ret[CLIENTS_MAX], size_t *ret_count, struct str_list *declined)
{
	const struct client *found[CLIENTS_MAX];
	struct asker *q = arena_new(a, struct asker);
	size_t count = 0;

	*ret_count = 0;
	for (size_t i = 0; i < option_count(inv, "client"); i++) {
		const struct client *c = client_find(option_at(inv, "client", i));
		bool is_listed = false;

		if (!has_scope(c, scope))
			return usage_error(
				inv, c->title,
				" has no personal settings for a project; --local is for Claude Code only");
		for (size_t k = 0; k < *ret_count; k++)
			is_listed |= ret[k] == c;
		if (!is_listed)
			ret[(*ret_count)++] = c;
	}
	if (*ret_count > 0)
		return 0;
	for (size_t i = 0; can_ask(inv) && i < client_count; i++)
		if (has_scope(clients[i], scope) && client_is_installed(a, clients[i]))
			found[count++] = clients[i];
	if (count == 0 || (count == 1 && found[0] == &client_claude)) {
		ret[(*ret_count)++] = &client_claude;
		return 0;
	}
	declined->items = arena_array(a, count, struct str);
	for (size_t i = 0; i < count; i++) {
		if (agrees(a, q, str_cat(a, "Register holdfast with ", found[i]->title)))
			ret[(*ret_count)++] = found[i];
		else
			declined->items[declined->count++] = str_from(found[i]->name);
	}
	return *ret_count > 0 ? 0 : command_error(inv, "no client was chosen, so nothing was changed");
}

/* Where nobody could be asked, names the other clients on this machine. */
static void
note_others(struct arena *a, const struct invocation *inv, struct buf *out)
{
	struct buf names = BUF(a, KIB(1));

	if (option_has(inv, "client") || can_ask(inv))
		return;
	for (size_t i = 0; i < client_count; i++)
		if (clients[i] != &client_claude && clients[i]->settings &&
		    client_is_installed(a, clients[i]))
			buf_cat(&names, " --client ", clients[i]->name);
	if (names.n > 0)
		buf_cat(out,
			"Registered with Claude Code only, because this is not a terminal. For the other "
			"clients on this machine: holdfast init",
			buf_str(&names), "\n");
}

static int
refuse_rival(const struct register_request *r, const struct invocation *inv, const struct hook_entry *rival)
{
	struct str path = registry_own_file(r->registry, r->client, r->scope)->path;

	return command_error(
		inv, path_shown(path, r->cwd), ": ", hook_kind_name(rival->kind),
		" is already registered for ", rival->event, ": '", rival->command,
		"'; with both, each stop would be checked twice\nNothing was changed. --replace puts "
		"'holdfast ",
		always_wanted(r->client, rival->event)->words,
		"' in its place and keeps a copy of the file; --force registers holdfast in addition.");
}

/* Writes the gates where the hooks go: at the root of the repository. Below gates that are there already, none are
 * written. Returns the exit code. */
static int
write_gates(const struct register_request *r, struct project_facts *f, const struct invocation *inv,
	    struct str_list declined, struct buf *out)
{
	struct arena *a = r->arena;
	struct gauntlet_init_options o = {
		.inv = inv, .is_holdfast = true, .declined = declined, .root = str_copy(a, f->project)
	};
	bool needs_commit = f->where.repository.s && !f->gates_root.s;

	if (f->gates_root.s && !str_eq(f->gates_root, f->project)) {
		buf_cat(out, "The gates are configured in ", f->gates_root, "; nothing is added to them.\n");
		return 0;
	}
	if (r->is_dry) {
		buf_add(out, fs_lkind(path_join(a, o.root, STR(".gauntlet")).s) != FS_NOTHING
				     ? STR(".gauntlet directory already exists.\n")
				     : STR(".gauntlet (dry run: nothing is written)\n"
					   "  added     a configuration, a review, and the command "
					   "'gauntlet' for the agents\n"));
		return 0;
	}
	if (!str_eq(o.root, r->cwd) && print_out(str_cat(a, "In ", o.root, ":\n")) != 0)
		return 1;
	if (gauntlet_init(a, &o) != 0)
		return 1;
	project_facts_load(a, r->cwd, f);
	if (needs_commit)
		buf_add(out, STR("Commit these files: until then they count as changes, and the gates look "
				 "at them.\n"));
	return 0;
}

/* Who types this in a project agrees to what it defines; an agent does not agree for anybody. For all projects, that is
 * left to 'holdfast trust'. */
static void
trust_project(const struct register_request *r, struct buf *out)
{
	const struct project_facts *f = r->facts;
	struct str roots[] = { f->project, f->gates_root, path_parent(f->policies_path) };

	if (r->scope == SCOPE_USER) {
		buf_add(out,
			STR("A project runs nothing until you trust it: 'holdfast trust' in the project.\n"));
		return;
	}
	if (client_agent_runs_us(env_has))
		return;
	for (size_t i = 0; i < COUNT_OF(roots); i++) {
		struct definitions d;
		bool is_pinned;
		struct err err;

		if (roots[i].s && !str_is_among(roots[i], roots, i) &&
		    trust_root(r->arena, roots[i], PIN_AS_BEFORE, &d, &is_pinned, &err) < 0)
			buf_cat(out, "warning: the project is not trusted: ", err.msg, "\n");
	}
}

/* Guards are for a project that has none, and a holdfast.yml or nothing that is configured. */
static enum guards_wish
wish_for_guards(struct arena *a, const struct invocation *inv, enum settings_scope scope,
		const struct project_facts *f)
{
	bool is_new = !f->gates_root.s && !f->policies_path.s;
	bool is_native = f->has_policies && f->gates_root.s && gates_dialect(f->gates_root)->configures_alone;
	struct asker *q = arena_new(a, struct asker);

	if (scope == SCOPE_USER || option_has(inv, "no-guards") || option_has(inv, "gates") ||
	    !(is_new || (is_native && !f->policies.guards)))
		return GUARDS_NO;
	if (!can_ask(inv))
		return option_has(inv, "yes") ? GUARDS_YES : GUARDS_OFFERED;
	return agrees(a, q,
		      STR("Add guards, against the loss of work and the reading of secrets by the agent's "
			  "tools"))
		       ? GUARDS_YES
		       : GUARDS_NO;
}

/* Takes over from other programs, so that nothing is in the way of the hooks. Returns the exit code. */
static int
take_over(struct register_request *r, const struct invocation *inv, const struct client *const *picked,
	  size_t count, struct buf *out)
{
	unsigned kinds = 0;
	struct err err;

	for (size_t i = 0; i < count; i++) {
		r->client = picked[i];
		if (takeover_settings(r, &kinds, out, &err) == 0)
			continue;
		(void)print_out(buf_str(out));
		return command_error(inv, err.msg);
	}
	if (out->n == 0)
		buf_add(out, STR("No hook of conclaude, agent-gauntlet or the Ralph plugin was found to "
				 "replace.\n"));
	takeover_names(r, kinds, out);
	r->is_forced = true; /* a dry run has left them where they are */
	return 0;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct project_facts *facts = arena_new(a, struct project_facts);
	struct registry *registry = arena_new(a, struct registry);
	const struct client *picked[CLIENTS_MAX];
	struct str_list declined = { 0 };
	struct buf out = BUF(a, MIB(1));
	struct register_request request = { .arena = a,
					    .facts = facts,
					    .registry = registry,
					    .scope = SCOPE_PROJECT,
					    .cwd = inv->cwd,
					    .is_dry = option_has(inv, "dry-run"),
					    .is_forced = option_has(inv, "force") };
	bool is_written = false;
	size_t count, scopes = 0;
	int code = 0;

	for (int i = 0; i < SCOPE_COUNT; i++)
		if (option_has(inv, settings_scope_names[i])) {
			request.scope = (enum settings_scope)i;
			scopes++;
		}
	if (scopes > 1)
		return usage_error(inv, "give only one of --user, --project and --local");
	if (pick_clients(a, inv, request.scope, picked, &count, &declined) != 0)
		return 1;
	project_facts_load(a, request.cwd, facts);
	if (option_has(inv, "gates") && write_gates(&request, facts, inv, declined, &out) != 0)
		return 1;
	enum guards_wish guards = wish_for_guards(a, inv, request.scope, facts);

	facts->gets_guards = guards == GUARDS_YES;
	registry_load(a, facts->project, registry);
	request.message = gates_message(a, facts);
	if (option_has(inv, "replace") && take_over(&request, inv, picked, count, &out) != 0)
		return 1;
	for (size_t i = 0; i < count; i++) {
		const struct hook_entry *rival;
		struct err err;

		request.client = picked[i];
		if (register_hooks(&request, &out, &rival, &err) == 0) {
			if (!option_has(inv, "no-mcp"))
				register_server(&request, &out);
			continue;
		}
		code = rival ? refuse_rival(&request, inv, rival) : command_error(inv, err.msg);
	}
	if (code == 0 && !request.is_dry)
		trust_project(&request, &out);
	if (code == 0)
		note_others(a, inv, &out);
	if (print_out(buf_str(&out)) != 0 || code != 0)
		return 1;
	/* Gates for a project that has none. With the settings for all projects there is no project. */
	if (request.scope != SCOPE_USER && !facts->gates_root.s && !facts->policies_path.s &&
	    !option_has(inv, "gates"))
		code = propose_gates(a, inv, facts->project, guards, &is_written);
	else
		code = propose_guards(a, inv, facts->gates_root, guards);
	if (is_written)
		register_new_gates(a, request.cwd);
	else if (!request.is_dry)
		register_renew_status(registry, request.message);
	return code;
}

const struct command init_command = {
	.name = "init",
	.summary = "register the hooks and write the gates that this project asks for",
	.details = HELP_INIT,
	TAKES(VALUE("client", "NAME", "register in this client's settings; may be repeated",
		    .short_name = 'c', .choices = client_settings_names),
	      FLAG("project", "the project's settings, such as .claude/settings.json (default)"),
	      FLAG("local",
		   "your own settings for the project, .claude/settings.local.json (Claude Code only)"),
	      FLAG("user", "your settings for all projects, such as ~/.claude/settings.json"),
	      FLAG("yes", "ask nothing; write the gates that are recognised, and guards, to holdfast.yml",
		   .short_name = 'y'),
	      FLAG("no-guards", "write no guards"),
	      FLAG("no-pin", "trust the new holdfast.yml without a pinned copy"),
	      FLAG("no-mcp", "do not register 'holdfast mcp', the server for the agent's questions"),
	      FLAG("gates", "also write a starter configuration for gates to .gauntlet"),
	      FLAG("replace",
		   "take over from conclaude, agent-gauntlet and the Ralph plugin; keeps a copy of each "
		   "file"),
	      FLAG("dry-run", "only show what would be done", .short_name = 'n'),
	      FLAG("force", "register even if other hooks do the same work", .short_name = 'f')),
	.needs_cwd = true,
	.run = run,
};
