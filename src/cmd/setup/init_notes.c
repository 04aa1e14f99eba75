/* SPDX-License-Identifier: MIT */
/* Looks at what else is registered and says what is in the way. Changes nothing and refuses nothing. */
#include "cmd/setup/init_notes.h"

#include "cmd/setup/init.h"

void
init_tell(struct arena *a, struct buf *out, const char *what, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	struct str text = str_vfmt(a, fmt, args);

	va_end(args);
	buf_addf(out, "  %-9s " STR_FMT "\n", what, STR_ARG(text));
}

/* A second line of ours that the client runs as well: program and options differ, so it is not the same to it. */
static void
note_double(const struct init_place *p, struct buf *out)
{
	for (size_t i = 0; i < p->client->settings->wanted_count; i++) {
		const struct hook_change *c = &p->changes[i];
		const struct registered_file *other = registered_beside(p->registered, p->client, p->path,
									c->event, c->command);

		if (!other)
			continue;
		init_tell(p->arena, out, "note",
			  STR_FMT " has another line of ours for %s, and each of them runs; " KEEP_ONE_LINE,
			  STR_ARG(shown_path(other->path, p->cwd)), c->event);
		return; /* it is the same with the others */
	}
}

/* A rival in the file itself is refused; one in another of the client's files is told. */
static void
note_rivals(const struct init_place *p, struct buf *out)
{
	const struct registered_client *row = registered_of(p->registered, p->client);

	for (size_t i = 0; i < row->count; i++) {
		const struct registered_file *file = &row->files[i];
		const struct hook_found *rival = settings_rival(p->client, &file->hooks);

		if (!rival || str_eq(file->path, p->path))
			continue;
		init_tell(p->arena, out, "note",
			  "%s is registered for " STR_FMT " in " STR_FMT ": '" STR_FMT
			  "'; with both, each stop is judged twice: take that entry out",
			  hook_kind_name(rival->kind), STR_ARG(rival->event),
			  STR_ARG(shown_path(file->path, p->cwd)), STR_ARG(rival->command));
	}
}

/* What else in Claude Code's settings keeps our hooks from working as they should. */
static void
note_obstacles(const struct init_place *p, struct buf *out)
{
	const char *plugin = registered_ralph_plugin(p->registered);
	const struct registered_file *off = registered_off_switch(p->registered);

	if (plugin)
		init_tell(p->arena, out, "note",
			  "the plugin '%s' has a Stop hook of its own for the same loop file; disable it in "
			  "Claude Code: /plugin",
			  plugin);
	if (off)
		init_tell(p->arena, out, "note",
			  "disableAllHooks is true in " STR_FMT ", so no hook runs at all; take the key out",
			  STR_ARG(shown_path(off->path, p->cwd)));
}

void
init_note_settings(const struct init_place *p, struct buf *out)
{
	note_double(p, out);
	note_rivals(p, out);
	if (p->client == &client_claude)
		note_obstacles(p, out);
}
