/* SPDX-License-Identifier: MIT */
/* Compares the entries that a settings file should have with those that it has, and edits the difference. Before something is
 * put into an empty or missing object or list, that is noted, so that its removal restores the same bytes. */
#include "install/settings.h"

/* An edit in progress, for which all that is added to one object or list is collected. */
struct editing {
	struct settings_file *file;
	const struct settings_goal *goal;
	const struct hook_shape *shape;
	struct arena *scratch;
	struct jsonedit edit;
	const struct node *hooks;    /* NULL: the document has none */
	struct json_item members[4]; /* that are added to the document */
	size_t member_count;
	const struct node **unwanted; /* hooks and members that go */
	size_t unwanted_count;
};

static struct str
text_of(const struct editing *e, const struct node *n)
{
	return n ? str_sub(e->edit.edit.text, n->span.begin, n->span.end) : STR_NONE;
}

/* A blank text becomes an empty document. */
static int
open_text(struct editing *e, struct err *err)
{
	struct str text = e->file->new_text;

	if (jsonedit_open(e->scratch, str_trim(text).n == 0 ? STR("{}\n") : text, &e->edit, err) < 0)
		return -1;
	e->shape = &e->file->client->settings->shape;
	e->hooks = node_get(&e->edit.root, hooks_key(e->shape));
	return 0;
}

/* The hook in the tree; *ret_group is where it is, or the hook itself in a file without groups. */
static const struct node *
hook_at(const struct editing *e, const struct hook_entry *h, const struct node **ret_group)
{
	*ret_group = &e->hooks->entries[h->nth].value.items[h->group];
	return e->shape->has_groups ? &node_get(*ret_group, "hooks")->items[h->index] : *ret_group;
}

/* False: nothing changes. Else the tree is gone before the new text is read, since that of a large file is larger. */
static bool
apply(struct editing *e)
{
	if (e->edit.edit.count == 0)
		return false;
	e->file->new_text = edit_apply(&e->edit.edit, e->file->arena);
	arena_free(e->scratch);
	settings_look(e->file);
	return true;
}

/* ---- what goes ---- */

/* Only used on texts without strings in them. */
static bool
differ_in_blanks_only(struct arena *a, struct str x, struct str y)
{
	const struct str texts[] = { x, y };
	struct buf bare[] = { BUF(a, SIZE_MAX), BUF(a, SIZE_MAX) };

	for (size_t i = 0; i < COUNT_OF(texts); i++)
		for (size_t k = 0; k < texts[i].n; k++)
			if (!str_is_blank(texts[i].s[k]))
				buf_addc(&bare[i], texts[i].s[k]);
	return str_eq(buf_str(&bare[0]), buf_str(&bare[1]));
}

/* What the record has noted; NULL: nothing, or it does not count. */
static const struct undo_entry *
find_old(const struct editing *e, struct str place)
{
	return e->goal->forgets ? NULL : undo_log_find(&e->file->record.undo, place);
}

/* Does an object or list go when nothing is left of it? Otherwise it was there, and empty, before the registration. */
static bool
goes_empty(const struct editing *e, struct str place)
{
	const struct undo_entry *was = find_old(e, place);

	return e->goal->forgets || !place.s || (was && !was->text.s);
}

/* Removes what is unwanted from an object or list, and returns how much is left. `place` is absent below the groups of an
 * event: a group without hooks has nothing left. */
static size_t
prune(struct editing *e, const struct node *n, struct str place)
{
	bool *is_gone = arena_array(e->scratch, n->count, bool), is_map = n->kind == NODE_MAP;
	size_t left = n->count;

	for (size_t i = 0; i < n->count; i++) {
		const struct node *child = is_map ? &n->entries[i].value : &n->items[i];
		struct str inner = is_map && place.s ? str_cat(e->scratch, place, ".", n->entries[i].key)
						     : STR_NONE;

		for (size_t k = 0; k < e->unwanted_count; k++)
			is_gone[i] |= e->unwanted[k] == child;
		if (!is_gone[i] && (child->kind == NODE_MAP || child->kind == NODE_LIST) && child->count > 0)
			is_gone[i] = prune(e, child, inner) == 0 && goes_empty(e, inner);
		left -= is_gone[i];
	}
	if (left == n->count)
		return left;
	jsonedit_remove(&e->edit, n, is_gone);
	const struct undo_entry *was = place.s && left == 0 ? find_old(e, place) : NULL;

	if (was && was->text.s &&
	    differ_in_blanks_only(e->scratch, edit_apply_span(&e->edit.edit, e->scratch, n->span), was->text))
		jsonedit_replace(&e->edit, n, was->text);
	return is_map && !place.s ? 0 : left;
}

/* Removes all that is unwanted, and returns how many members the document has left. */
static size_t
prune_document(struct editing *e, bool has_unwanted_hooks)
{
	const struct node *root = &e->edit.root;
	struct str key = str_from(hooks_key(e->shape));
	const struct undo_entry *version = find_old(e, STR("version"));
	bool *is_gone = arena_array(e->scratch, root->count, bool), drops_version = false;
	size_t left = root->count;

	for (size_t i = 0; e->unwanted_count > 0 && i < root->count; i++) {
		const struct node_entry *m = &root->entries[i];
		size_t before = m->value.kind == NODE_MAP ? m->value.count : 0;
		size_t rest = before > 0 ? prune(e, &m->value, m->key) : 0;

		is_gone[i] = before > 0 && rest == 0 && goes_empty(e, m->key);
		/* Hooks from before our registration did without a version; later ones may need it. */
		if (has_unwanted_hooks && &m->value == e->hooks)
			drops_version = version && !version->text.s && (rest == 0 || !find_old(e, key));
	}
	for (size_t i = 0; i < root->count; i++) {
		is_gone[i] |= drops_version && &root->entries[i].value == node_get(root, "version");
		left -= is_gone[i];
	}
	jsonedit_remove(&e->edit, root, is_gone);
	return left;
}

/* Gives the members of a hook their old text, where they still are what the registration made them. False: none is. */
static bool
restore_hook(struct editing *e, const struct hook_entry *h)
{
	const char *const keys[] = { e->shape->command_key, e->shape->timeout_key, STATUS_KEY };
	const struct node *group, *hook = hook_at(e, h, &group);
	bool *is_gone = arena_array(e->scratch, hook->count, bool), is_restored = false;

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		const struct undo_entry *was = find_old(e, str_cat(e->scratch, h->event, ".", keys[i]));
		const struct node *now = node_get(hook, keys[i]);

		if (!was || !was->now.s || !now || !str_eq(was->now, text_of(e, now)))
			continue;
		is_restored = true;
		if (was->text.s)
			jsonedit_replace(&e->edit, now, was->text);
		for (size_t k = 0; !was->text.s && k < hook->count; k++)
			is_gone[k] |= &hook->entries[k].value == now; /* it was not there */
	}
	jsonedit_remove(&e->edit, hook, is_gone);
	return is_restored;
}

static int
take_out(struct editing *e, struct settings_done *ret, struct err *err)
{
	const struct settings_goal *g = e->goal;
	struct settings_file *f = e->file;
	const struct undo_entry *was = find_old(e, STR(""));

	if (open_text(e, err) < 0)
		return -1;
	e->unwanted = arena_array(e->scratch, f->hooks.count + 2, const struct node *);
	for_each (h, f->hooks.items, f->hooks.count) {
		const struct node *group;

		if (h->is_unwanted)
			e->unwanted[e->unwanted_count++] = hook_at(e, h, &group);
		else if (!g->replaces_older && h->kind == HOOK_HOLDFAST)
			ret->restored += restore_hook(e, h);
	}
	ret->hooks = e->unwanted_count;
	ret->has_cap = g->old_cap.s && f->cap.s && str_eq(f->cap, g->old_cap);
	if (ret->has_cap)
		e->unwanted[e->unwanted_count++] = node_get(node_get(&e->edit.root, "env"),
							    f->client->block_cap_env);
	ret->has_server = g->removes_server && f->server == SERVER_OURS;
	if (ret->has_server)
		e->unwanted[e->unwanted_count++] = node_get(node_get(&e->edit.root, SERVERS_KEY),
							    SERVER_NAME);
	if (g->disables_ralph) {
		const char *key = e->file->client->settings->plugins_key;
		const struct node *plugins = key ? node_get(&e->edit.root, key) : NULL;

		for (size_t i = 0; plugins && plugins->kind == NODE_MAP && i < plugins->count; i++) {
			const struct node_entry *entry = &plugins->entries[i];

			if (!str_is_word_of(plugin_enabled(entry), RALPH_PLUGINS))
				continue;
			jsonedit_replace(&e->edit, &entry->value, STR("false"));
			str_list_add_new(e->file->arena, &ret->plugins, str_copy(e->file->arena, entry->key));
		}
	}
	size_t left = prune_document(e, ret->hooks > 0);

	/* If nothing is left, the document becomes what it was before the registration. */
	if (apply(e) && was && left == 0 &&
	    differ_in_blanks_only(e->scratch, f->new_text,
				  str_trim(was->text).n == 0 ? STR("{}") : was->text))
		f->new_text = was->text;
	return 0;
}

/* ---- what is added and updated ---- */

static int
expect(const struct node *n, enum node_kind kind, const char *what, struct err *err)
{
	if (!n || n->kind == kind)
		return 0;
	return err_at(err, ERR_VALUE, n->line, n->column, "%s: expected %s, found %s", what,
		      kind == NODE_MAP ? "an object" : "a list", node_kind_name(n->kind));
}

/* Notes what the place contained before the edit; absent: nothing. */
static void
note_old(struct editing *e, struct str place, struct str text)
{
	struct undo_log *undo = &e->file->record.undo;

	if (!undo_log_find(undo, place))
		undo_log_add(undo, (struct undo_entry){ place, text, STR_NONE });
}

/* Notes the object or list (NULL: it is missing) if it is empty. */
static void
note_if_empty(struct editing *e, const char *place, const struct node *n)
{
	if (!n || n->count == 0)
		note_old(e, str_from(place), text_of(e, n));
}

/* Changes a member of a hook that is there, and notes what it was and what it is now. */
static void
set_member(struct editing *e, const struct node *hook, const char *key, struct str value,
	   struct hook_change *change)
{
	struct arena *a = e->file->arena;
	const struct node *old = node_get(hook, key);
	struct str was = text_of(e, old);

	change->kind = CHANGE_UPDATED;
	change->old = str_cat(a, change->old, change->old.s ? ", " : "", key, " was ",
			      old ? was : STR("missing"));
	undo_log_add(&e->file->record.undo,
		     (struct undo_entry){ str_cat(a, change->event, ".", key), was, str_copy(a, value) });
	if (old)
		jsonedit_replace(&e->edit, old, value);
	else
		jsonedit_append(&e->edit, hook, &(struct json_item){ key, value }, 1);
}

/* A message that is missing, or an older one of ours, becomes this one. */
static void
set_status(struct editing *e, const struct node *hook, const char *message, struct hook_change *change)
{
	const struct node *now = node_get(hook, STATUS_KEY);

	if (message && (!now || str_starts(now->text, STR(STATUS_PREFIX))) &&
	    !str_is(node_get_str(hook, STATUS_KEY), message))
		set_member(e, hook, STATUS_KEY, entry_string(e->scratch, str_from(message)), change);
}

/* Gives the program's hook the wanted program, timeout, status message and matcher. */
static void
update_hook(struct editing *e, const struct hook_entry *found, const struct hook_wanted *w,
	    struct hook_change *change)
{
	const struct hook_shape *shape = e->shape;
	const struct node *group, *hook = hook_at(e, found, &group);
	struct str now = command_renewed(e->scratch, found, node_get(hook, "args"), e->goal->program,
					 e->goal->is_guarded);
	struct str matcher = node_get_str(group, "matcher"),
		   wanted = w->matcher ? str_from(w->matcher) : STR("");

	change->kind = CHANGE_NONE;
	change->command = str_copy(e->file->arena, now);
	if (!str_eq(now, found->command))
		set_member(e, hook, shape->command_key, entry_string(e->scratch, now), change);
	if (found->timeout_s != w->timeout_s)
		set_member(e, hook, shape->timeout_key,
			   str_cat(e->scratch, w->timeout_s * shape->timeout_units), change);
	set_status(e, hook, w->status_message, change);
	/* Only of a group that has no other hook; an empty matcher lets everything through. A matcher of the user's for an
	 * event that is always registered stays. */
	if (group != hook && node_get(group, "hooks")->count == 1 && !str_eq(matcher, wanted) &&
	    (w->matcher || (matcher.n > 0 && w->is_optional)))
		set_member(e, group, "matcher", entry_string(e->scratch, wanted), change);
}

/* Updates the first hook of the program's for the event, or else adds one; an event that the document lacks becomes *ret_event. */
static int
put_hook(struct editing *e, const struct hook_wanted *w, struct hook_change *change,
	 struct json_item *ret_event, struct err *err)
{
	const struct settings_file *f = e->file;
	const struct node *groups = node_get(e->hooks, w->event);
	const char *place = str_cat(f->arena, hooks_key(e->shape), ".", w->event).s;
	struct str command = command_line(f->arena, e->goal->program, e->goal->is_guarded, w);

	*change = (struct hook_change){ w->event, change->kind == CHANGE_NONE ? CHANGE_ADDED : CHANGE_UPDATED,
					command, STR_NONE };
	if (expect(groups, NODE_LIST, place, err) < 0)
		return -1;
	for (size_t i = 0; i < f->hooks.count; i++)
		if (f->hooks.items[i].kind == e->goal->kind && str_is(f->hooks.items[i].event, w->event)) {
			update_hook(e, &f->hooks.items[i], w, change);
			return 0;
		}
	note_if_empty(e, place, groups);
	struct str text = entry_of_hook(e->scratch, e->shape, command, w);

	if (groups)
		jsonedit_append(&e->edit, groups, &(struct json_item){ NULL, text }, 1);
	else
		*ret_event = (struct json_item){ w->event, str_cat(e->scratch, "[\n  ",
								   entry_indented(e->scratch, text), "\n]") };
	return 0;
}

static int
put_hooks(struct editing *e, struct hook_change *changes, struct err *err)
{
	const char *key = hooks_key(e->shape);
	struct json_item *events = arena_array(e->scratch, e->goal->count, struct json_item);
	size_t count = 0;

	if (expect(e->hooks, NODE_MAP, key, err) < 0)
		return -1;
	if (e->shape->version > 0 && !node_get(&e->edit.root, "version")) {
		note_old(e, STR("version"), STR_NONE);
		e->members[e->member_count++] = (struct json_item){ "version",
								    str_cat(e->scratch, e->shape->version) };
	}
	note_if_empty(e, key, e->hooks);
	for (size_t i = 0; i < e->goal->count; i++) {
		if (put_hook(e, &e->goal->hooks[i], &changes[i], &events[count], err) < 0)
			return -1;
		count += events[count].key != NULL;
	}
	if (e->hooks)
		jsonedit_append(&e->edit, e->hooks, events, count);
	else
		e->members[e->member_count++] = (struct json_item){ key,
								    entry_object(e->scratch, events, count) };
	return 0;
}

/* Sets a member of an object of the document, adding the object where it is missing. `key` is the part of an old value
 * that changes; NULL: all of it. */
static int
put_member(struct editing *e, const char *object, struct json_item item, const char *key, struct str value,
	   struct err *err)
{
	const struct node *map = node_get(&e->edit.root, object), *old = node_get(map, item.key);

	if (expect(map, NODE_MAP, object, err) < 0)
		return -1;
	note_if_empty(e, object, map);
	if (old)
		jsonedit_replace(&e->edit, key ? node_get(old, key) : old, value);
	else if (map)
		jsonedit_append(&e->edit, map, &item, 1);
	else
		e->members[e->member_count++] = (struct json_item){ object,
								    entry_object(e->scratch, &item, 1) };
	return 0;
}

static int
put_in(struct editing *e, struct hook_change *changes, struct err *err)
{
	const struct settings_goal *g = e->goal;
	struct settings_file *f = e->file;
	struct str cap = entry_string(e->scratch, g->cap), server = entry_string(e->scratch, g->server);
	const struct json_item cap_item = { f->client->block_cap_env, cap };
	const struct json_item server_item = { SERVER_NAME, str_cat(e->scratch, "{\n  \"command\": ", server,
								    ",\n  \"args\": [\"mcp\"]\n}") };

	if (open_text(e, err) < 0)
		return -1;
	if (e->edit.root.count == 0)
		note_old(e, STR(""), f->new_text);
	if ((g->count > 0 && put_hooks(e, changes, err) < 0) ||
	    (g->cap.s && put_member(e, "env", cap_item, NULL, cap, err) < 0) ||
	    (g->server.s && put_member(e, SERVERS_KEY, server_item, "command", server, err) < 0))
		return -1;
	for (size_t i = 0; g->status && i < f->hooks.count; i++) {
		const struct hook_entry *h = &f->hooks.items[i];
		struct hook_change change = { .event = f->client->settings->wanted[0].event };
		const struct node *group;

		if (h->kind == HOOK_HOLDFAST && str_is(h->event, change.event))
			set_status(e, hook_at(e, h, &group), g->status, &change);
	}
	jsonedit_append(&e->edit, &e->edit.root, e->members, e->member_count);
	apply(e);
	struct str_list *added = g->kind == HOOK_CONCLAUDE ? &f->record.conclaude_events : &f->record.events;

	for (size_t i = 0; i < g->count; i++)
		if (changes[i].kind == CHANGE_ADDED ||
		    (g->replaces_older && changes[i].kind == CHANGE_UPDATED))
			str_list_add_new(f->arena, added, str_from(g->hooks[i].event));
	return 0;
}

/* Where the program's hooks for an event differ from the wanted one, and none of them is wrapped, they are unwanted, and the
 * wanted one will be an update. */
static void
mark_older(struct editing *e, struct hook_change *changes)
{
	struct arena *a = e->scratch;
	struct hook_list *list = &e->file->hooks;

	for (size_t k = 0; k < e->goal->count; k++) {
		const struct hook_wanted *w = &e->goal->hooks[k];
		struct str command = command_line(a, e->goal->program, e->goal->is_guarded, w);
		enum hook_kind kind = e->goal->kind;
		size_t exact = 0, others = 0;
		bool is_wrapped = false;

		for_each (h, list->items, list->count) {
			if (h->kind != kind || !str_is(h->event, w->event))
				continue;
			/* Does it begin with the program, whatever its path? */
			struct shell_words words = shell_words(a, h->command);
			struct str program = words.count > 0 ? words.items[0].text : STR_NONE;

			is_wrapped |= hook_kind_of(a, str_cat(a, shell_quote(a, program), " Stop"), NULL) !=
				      kind;
			bool is_exact = str_eq(h->command, command) && h->timeout_s == w->timeout_s;

			exact += is_exact;
			others += !is_exact;
		}
		if (is_wrapped || (others == 0 && exact < 2))
			continue;
		changes[k].kind = CHANGE_UPDATED;
		for (size_t i = 0; i < list->count; i++)
			list->items[i].is_unwanted |= list->items[i].kind == kind &&
						      str_is(list->items[i].event, w->event);
	}
}

int
settings_edit(struct settings_file *f, const struct settings_goal *g, struct settings_done *ret,
	      struct err *err)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct editing e = { .file = f, .goal = g, .scratch = &scratch };
	struct str before = f->new_text;
	bool is_new_server = g->server.s && f->server == SERVER_MISSING;
	bool adds = g->count > 0 || g->cap.s || g->server.s || g->status;

	*ret = (struct settings_done){ .changes = arena_array(f->arena, g->count, struct hook_change) };
	if (g->replaces_older)
		mark_older(&e, ret->changes);
	if (settings_is_toml(f)) {
		const struct undo_entry *was = undo_log_find(&f->record.undo, STR(""));

		ret->has_server = g->removes_server && f->server == SERVER_OURS;
		if (f->server == SERVER_OURS && (ret->has_server || g->server.s))
			f->new_text = toml_server_remove(f->arena, f->new_text);
		if (ret->has_server && f->new_text.n == 0 && (g->forgets || (was && !was->text.s)))
			f->new_text = STR_NONE; /* there was no file */
		if (g->server.s) {
			f->new_text = toml_server_add(f->arena, f->new_text, g->server);
			if (!f->text.s)
				undo_log_add(&f->record.undo,
					     (struct undo_entry){ STR(""), STR_NONE, STR_NONE });
		}
		settings_look(f);
	} else if (((!adds || g->replaces_older) && take_out(&e, ret, err) < 0) ||
		   (adds && put_in(&e, ret->changes, err) < 0)) {
		f->new_text = before;
		return -1;
	}
	if (g->cap.s)
		f->record.cap = g->cap;
	/* In an entry that is there, only the program changes: the user may have added to it. */
	f->record.has_server |= is_new_server;
	return 0;
}
