/* SPDX-License-Identifier: MIT */
/* Finds, asks and picks. It changes nothing. */
#include "cmd/setup/init_clients.h"

#include "cmd/compat/gauntlet_init.h"
#include "os/tty.h"

static bool
has_scope(const struct client *c, enum settings_scope scope)
{
	return c->settings && (scope != SCOPE_LOCAL || c->settings->local_file);
}

static bool
is_listed(const struct client *const *list, size_t count, const struct client *c)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == c)
			return true;
	return false;
}

/* The clients that are named, each once. */
static int
pick_named(const struct invocation *inv, enum settings_scope scope, const struct client *ret[CLIENTS_MAX],
	   size_t *ret_count)
{
	for (size_t i = 0; i < option_count(inv, "client"); i++) {
		const struct client *c = client_find(option_at(inv, "client", i));

		if (!has_scope(c, scope))
			return command_misuse(inv,
					      "%s has no settings of your own for a project: --local is "
					      "for Claude Code",
					      c->title);
		if (!is_listed(ret, *ret_count, c))
			ret[(*ret_count)++] = c;
	}
	return 0;
}

static bool
can_ask(void)
{
	return tty_is(0) && tty_is(1);
}

/* An empty answer is a yes. */
static bool
is_wanted(struct arena *a, struct asker *q, const struct client *c)
{
	struct str answer = ask(a, q, "Register holdfast with %s? [Y/n] ", c->title);

	return !q->is_over && (answer.n == 0 || (answer.s[0] | 0x20) == 'y');
}

static int
pick_asked(struct arena *a, const struct invocation *inv, enum settings_scope scope,
	   const struct client *ret[CLIENTS_MAX], size_t *ret_count)
{
	const struct client *found[CLIENTS_MAX];
	struct asker *q = arena_new(a, struct asker);
	size_t count = 0;

	for (size_t i = 0; i < client_count; i++)
		if (has_scope(clients[i], scope) && setup_has_client(a, clients[i]))
			found[count++] = clients[i];
	if (count == 0 || (count == 1 && found[0] == &client_claude)) {
		ret[(*ret_count)++] = &client_claude;
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		if (is_wanted(a, q, found[i]))
			ret[(*ret_count)++] = found[i];
	return *ret_count > 0 ? 0 : command_fail(inv, "no client was chosen, so nothing was changed");
}

int
init_pick_clients(struct arena *a, const struct invocation *inv, enum settings_scope scope,
		  const struct client *ret[CLIENTS_MAX], size_t *ret_count)
{
	*ret_count = 0;
	if (option_has(inv, "client"))
		return pick_named(inv, scope, ret, ret_count);
	if (can_ask())
		return pick_asked(a, inv, scope, ret, ret_count);
	ret[(*ret_count)++] = &client_claude;
	return 0;
}

void
init_note_others(struct arena *a, const struct invocation *inv, struct buf *out)
{
	struct buf names = BUF(a, KIB(1));

	if (option_has(inv, "client") || can_ask())
		return;
	for (size_t i = 0; i < client_count; i++)
		if (clients[i] != &client_claude && clients[i]->settings && setup_has_client(a, clients[i]))
			buf_addf(&names, " --client %s", clients[i]->name);
	if (names.n > 0)
		buf_addf(out,
			 "Registered with Claude Code alone, because nobody can be asked here; for the "
			 "others on "
			 "this machine: holdfast init" STR_FMT "\n",
			 STR_ARG(buf_str(&names)));
}
