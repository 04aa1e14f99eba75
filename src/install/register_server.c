/* SPDX-License-Identifier: MIT */
/* Registers `holdfast mcp` in the project's file of a client, which may be the one that has the hooks. A server of that name
 * that starts another program is the user's, and stays. */
#include "install/register.h"

#include "base/path.h"
#include "doc/json.h"
#include "doc/jsonedit.h"
#include "install/server_toml.h"
#include "install/settings_file.h"
#include "os/env.h"

/* What the file already has. */
enum server_state { SERVER_MISSING, SERVER_OURS, SERVER_OTHER };

static enum server_state
find_server(const struct settings_file *f, struct arena *a, struct str *ret_command)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct node root = settings_file_tree(f, &scratch);

	if (!settings_server(&root, ret_command))
		return SERVER_MISSING;
	if (!ret_command->s)
		return SERVER_OTHER;
	*ret_command = str_copy(a, *ret_command);
	return SERVER_OURS;
}

static int
add_server(const struct register_request *r, struct settings_file *f, struct str command, struct str *note,
	   struct err *err)
{
	settings_file_drop_stale_record(f);
	struct settings_edit edit = settings_file_edit(f);

	if (settings_edit_add_server(&edit, command, err) < 0)
		return err_wrap_file(err, str_copy(r->arena, f->path).s);
	f->new_text = edit.text;
	f->record.has_server = true;
	return r->is_dry ? 0 : settings_file_save(f, note, err);
}

/* Only the program: the user may have added to the entry. */
static int
update_server(const struct register_request *r, struct settings_file *f, struct str command, struct err *err)
{
	struct buf b = BUF(r->arena, KIB(8));
	struct jsonedit j;
	struct str now;

	if (jsonedit_open(r->arena, f->text, &j, err) < 0)
		return -1;
	json_add_string(&b, command);
	jsonedit_replace(&j, node_get(settings_server(&j.root, &now), "command"), buf_str(&b));
	f->new_text = edit_apply(&j.edit, r->arena);
	return r->is_dry ? 0 : settings_file_write(f, err);
}

/* What is said of a server, after a change or where there was nothing to change. */
static void
report(const struct register_request *r, struct buf *out, struct str shown, enum server_state was,
       bool is_current, struct str command)
{
	bool is_toml = str_ends(shown, STR(".toml"));

	buf_addf(out, STR_FMT "%s\n  %-9s %s.holdfast  " STR_FMT " mcp\n", STR_ARG(shown),
		 r->is_dry ? " (dry run: nothing is written)" : "",
		 is_current           ? "kept"
		 : was == SERVER_OURS ? "updated"
				      : "added",
		 is_toml ? "mcp_servers" : SERVERS_KEY, STR_ARG(command));
}

static int
put_server(const struct register_request *r, struct settings_file *f, enum server_state was,
	   struct str command, struct str *note, struct err *err)
{
	return was == SERVER_MISSING ? add_server(r, f, command, note, err)
				     : update_server(r, f, command, err);
}

/* The same in a file of TOML. */
static int
put_toml_server(const struct register_request *r, struct settings_file *f, enum server_state was,
		struct str command, struct str *note, struct err *err)
{
	struct str text = was == SERVER_OURS ? toml_server_remove(r->arena, f->text) : f->text;

	f->new_text = toml_server_add(r->arena, text, command);
	if (was == SERVER_OURS)
		return r->is_dry ? 0 : settings_file_write(f, err);
	f->record = (struct install_record){ .settings = f->path, .has_server = true };
	if (!f->text.s)
		undo_log_add(&f->record.undo, (struct undo_entry){ STR(""), STR_NONE, STR_NONE });
	return r->is_dry ? 0 : settings_file_save(f, note, err);
}

static enum server_state
find_toml_server(const struct settings_file *f, struct arena *a, struct str *ret_command)
{
	static const enum server_state states[] = {
		[TOML_MISSING] = SERVER_MISSING, [TOML_OURS] = SERVER_OURS, [TOML_OTHERS] = SERVER_OTHER
	};

	return states[toml_server_find(a, f->text, ret_command)];
}

void
register_server(const struct register_request *r, struct buf *out)
{
	const struct client_settings *s = r->client->settings;
	struct str path = s->server_file ? path_join(r->arena, r->facts->project, str_from(s->server_file))
					 : STR_NONE;
	struct str self = env_self(r->arena), now, note = STR_NONE;
	struct str command = env_find_program(r->arena, "holdfast").s || !self.s ? STR("holdfast") : self;
	bool is_toml = str_ends(path, STR(".toml"));
	struct settings_file f;
	struct err err;

	if (!path.s || r->scope != SCOPE_PROJECT)
		return;
	struct str shown = shown_path(path, r->cwd);

	if ((is_toml ? settings_file_open_text(r->arena, r->client, path, &f, &err)
		     : settings_file_open(r->arena, r->client, path, &f, &err)) < 0) {
		buf_addf(out, "warning: %s; the server 'holdfast mcp' was not registered\n", err.msg);
		return;
	}
	enum server_state state = is_toml ? find_toml_server(&f, r->arena, &now)
					  : find_server(&f, r->arena, &now);
	bool is_current = state == SERVER_OURS && str_eq(now, command);

	if (state == SERVER_OTHER) {
		buf_addf(out, "warning: " STR_FMT ": %s; it was left alone\n", STR_ARG(shown),
			 is_toml ? "it has a server 'holdfast', or servers to which no table can be added"
				 : "the server 'holdfast' starts another program than holdfast");
		return;
	}
	if (!is_current && (is_toml ? put_toml_server(r, &f, state, command, &note, &err)
				    : put_server(r, &f, state, command, &note, &err)) < 0) {
		buf_addf(out, "warning: %s; the server 'holdfast mcp' was not registered\n", err.msg);
		return;
	}
	report(r, out, shown, state, is_current, command);
	if (note.s)
		buf_addf(out, "  %-9s " STR_FMT "\n", "note", STR_ARG(note));
	if (s->server_note && !is_current)
		buf_addf(out, "  %-9s %s\n", "note", s->server_note);
}
