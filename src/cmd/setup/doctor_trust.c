/* SPDX-License-Identifier: MIT */
/* Checks whether what is defined here may run, and from where it is read. */
#include "cmd/setup/doctor.h"

#include "base/path.h"
#include "project/trust.h"

/* Is holdfast registered for stops in the project's settings, or in those for all projects? */
static bool
is_registered(const struct doctor *d, bool is_for_all)
{
	for (size_t i = 0; i < d->registry.count; i++) {
		const struct registry_client *c = &d->registry.clients[i];

		if (is_for_all && c->has_plugin)
			return true;
		for (size_t n = 0; n < c->count; n++)
			for (size_t k = 0; k < c->files[n].hooks.count; k++) {
				const struct hook_entry *hook = &c->files[n].hooks.items[k];

				if ((c->files[n].scope == SCOPE_USER) == is_for_all &&
				    hook->kind == HOOK_HOLDFAST &&
				    client_is_stop_name(c->client, hook->event))
					return true;
			}
	}
	return false;
}

static void
check_source(struct doctor *d, struct str root)
{
	const char *command = str_fmt(d->arena, "holdfast trust " STR_FMT, STR_ARG(root)).s;
	struct source s;

	source_find(d->arena, root, &s);
	if (s.problem.s)
		doctor_add(d, FINDING_ERROR, TOPIC_ACTIVE, NULL, "trust: " STR_FMT, STR_ARG(s.problem));
	else if (s.differs.s)
		doctor_add(d, FINDING_WARNING, TOPIC_ACTIVE, command,
			   "trust: the definitions differ from the pinned ones, which are used: " STR_FMT,
			   STR_ARG(s.differs));
	else if (s.is_trusted)
		doctor_add(d, FINDING_OK, TOPIC_ACTIVE, NULL, "trust: " STR_FMT " is %s since " STR_FMT,
			   STR_ARG(root), s.is_pinned ? "pinned" : "trusted", STR_ARG(s.since));
	else if (is_registered(d, true) && !is_registered(d, false))
		doctor_add(d, FINDING_WARNING, TOPIC_ACTIVE, command,
			   "trust: " STR_FMT
			   " is not trusted, and holdfast is registered for all projects, so nothing that is "
			   "defined here runs",
			   STR_ARG(root));
}

void
doctor_check_trust(struct doctor *d)
{
	struct str gates = d->facts->gates_root;
	struct str commands = d->facts->conclaude_path.s
				      ? str_copy(d->arena, path_parent(d->facts->conclaude_path))
				      : STR_NONE;

	if (gates.s)
		check_source(d, gates);
	if (commands.s && !str_eq(commands, gates))
		check_source(d, commands);
}
