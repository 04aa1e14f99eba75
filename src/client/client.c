/* SPDX-License-Identifier: MIT */
/* The table of clients, and what is done with any row of it. */
#include "client/client.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fd.h"

/* Big enough for an ordinary event in one read. */
#define PIECE_BYTES KIB(64)

const struct client *const clients[] = {
#define CLIENT(name) &client_##name,
#include "client/client.def"
};
const size_t client_count = COUNT_OF(clients);
const struct client *const client_default = &client_claude;
_Static_assert(COUNT_OF(clients) <= CLIENTS_MAX, "CLIENTS_MAX bounds the lists of clients");

const char *const client_names[] = {
#define CLIENT(name) #name,
#include "client/client.def"
	NULL,
};
const char *const client_settings_names[] = {
#define CLIENT(name) #name,
#define CLIENTS_WITH_SETTINGS
#include "client/client.def"
	NULL,
};

const struct client *
client_find(struct str name)
{
	for (size_t i = 0; i < client_count; i++)
		if (str_is(name, clients[i]->name))
			return clients[i];
	return NULL;
}

static bool
has_sent(const struct client *c, const struct node *event)
{
	return (c->mark && node_get_str(event, c->mark).s) || (c->is_event && c->is_event(event));
}

const struct client *
client_recognise(const struct node *event, bool (*has_env)(const char *name))
{
	for (size_t i = 0; event && i < client_count; i++)
		if (clients[i] != client_default && has_sent(clients[i], event))
			return clients[i];
	if (event && has_sent(client_default, event))
		return client_default;
	for (size_t i = 0; i < client_count; i++)
		if (clients[i] != client_default && clients[i]->project_env &&
		    has_env(clients[i]->project_env))
			return clients[i];
	return client_default;
}

struct str client_session(struct str (*get_env)(const char *name))
{
	struct str session = STR_NONE;

	for (size_t i = 0; i < client_count; i++) {
		struct str one = clients[i]->session_env ? get_env(clients[i]->session_env) : STR_NONE;

		if (one.n > 0 && session.n > 0)
			return STR_NONE;
		if (one.n > 0)
			session = one;
	}
	return session;
}

bool
client_is_nested(struct arena *a, const struct event *e, struct str (*get_env)(const char *name))
{
	for (size_t i = 0; i < client_count; i++) {
		const struct client *c = clients[i];

		if (!c->session_env)
			continue;
		struct str session = get_env(c->session_env);
		bool is_own_kind = c == e->client && c->is_nested_in_own_kind;

		if (is_own_kind ? c->is_nested_in_own_kind(a)
				: session.n > 0 && !str_eq(session, e->session_id))
			return true;
	}
	return false;
}

bool
client_agent_runs_us(bool (*has_env)(const char *name))
{
	for (size_t i = 0; i < client_count; i++) {
		const struct client *c = clients[i];

		if ((c->session_env && has_env(c->session_env)) || (c->agent_env && has_env(c->agent_env)))
			return true;
	}
	return false;
}

const char *const *
client_session_vars(struct arena *a)
{
	const char **all = NULL;
	size_t count = 0;

	for (size_t i = 0; i < client_count; i++)
		for (const char *const *v = clients[i]->session_vars; v && *v; v++)
			*arena_push(a, all, count) = *v;
	*arena_push(a, all, count) = NULL;
	return all;
}

int
event_read_json(struct arena *a, int fd, int64_t wait_ms, struct node *ret, struct err *err)
{
	CLEANUP(json_stream_free) struct json_stream *stream = json_stream_new();
	int64_t deadline = clock_mono_ms() + wait_ms;
	char *piece = arena_bytes(a, PIECE_BYTES);
	bool is_empty = true;

	for (;;) {
		size_t n = 0;
		enum input_state state;

		if (fd_read_until(fd, piece, PIECE_BYTES, deadline, &n, &state, err) < 0)
			return -1;
		if (state == INPUT_TIMEOUT)
			return err_set(err, ERR_SYNTAX, "no complete event within %d s",
				       (int)(wait_ms / 1000));
		if (state == INPUT_END)
			return err_set(err, ERR_SYNTAX,
				       is_empty ? EVENT_EMPTY
						: "the input ends before the event is complete");
		is_empty = false;
		if (json_stream_feed(stream, (struct str){ piece, n }) != JSON_MORE)
			return json_stream_take(stream, a, ret, err);
	}
}

/* Tasks that have ended do not count; a task without a status is taken to run. Nor do shells: a server in the background
 * never ends. */
static size_t
count_running(const struct node *tasks)
{
	size_t count = 0;

	for (size_t i = 0; i < tasks->count; i++) {
		struct str status = node_get_str(&tasks->items[i], "status");
		bool runs = !status.s || str_is_word_of(status, "running pending");

		count += runs && !str_is(node_get_str(&tasks->items[i], "type"), "shell");
	}
	return count;
}

/* A flag of an unexpected type counts as set unless it is plainly off: a client that reports a stop after a block in an
 * odd way must not be blocked again and again. */
static bool
is_set(const struct node *n)
{
	if (!n || n->kind == NODE_NULL)
		return false;
	if (n->kind == NODE_BOOL)
		return n->boolean;
	if (n->kind == NODE_INT)
		return n->integer != 0;
	return n->kind != NODE_STRING || n->text.n > 0;
}

/* Kimi Code sends a list of parts: its first text counts. A tool's result has none. */
static struct str
prompt_of(const struct node *n)
{
	const struct node *parts = node_get(n, "prompt");

	if (!parts || parts->kind != NODE_LIST)
		return node_get_str(n, "prompt");
	for (size_t i = 0; i < parts->count; i++)
		if (node_get_str(&parts->items[i], "text").s)
			return node_get_str(&parts->items[i], "text");
	return STR("");
}

static void
read_other(struct str *field, const struct node *n, const char *name)
{
	if (!field->s && name)
		*field = node_get_str(n, name);
}

struct event
client_event(const struct client *c, const struct node *n)
{
	const struct node *directories = node_get_list(n, c->fields.directories ? c->fields.directories : "");
	struct event e = {
		.client = c,
		.name = node_get_str(n, "hook_event_name"),
		.session_id = node_get_str(n, "session_id"),
		.cwd = node_get_str(n, "cwd"),
		.transcript_path = node_get_str(n, "transcript_path"),
		.last_message = node_get_str(n, "last_assistant_message"),
		.prompt = prompt_of(n),
		.prompt_source = node_get_str(n, "source"),
		.prompt_id = node_get_str(n, "prompt_id"),
		.timestamp_ms = node_get_count(n, "timestamp", INT64_MAX),
		.agent_id = node_get_str(n, "agent_id"),
		.is_stop_hook_active = is_set(node_get(n, "stop_hook_active")),
		.background_tasks = count_running(node_get_list(n, "background_tasks")),
		.wake_ups = node_get_list(n, "session_crons")->count,
	};

	read_other(&e.session_id, n, c->fields.session_id);
	read_other(&e.transcript_path, n, c->fields.transcript_path);
	read_other(&e.agent_id, n, c->fields.agent_id);
	read_other(&e.last_message, n, c->fields.last_message);
	if (!e.cwd.s && directories->count > 0 && directories->items[0].kind == NODE_STRING)
		e.cwd = directories->items[0].text;
	if (c->read)
		c->read(n, &e);
	/* Whichever client sent it: some send the names of others. */
	e.is_subagent = e.agent_id.n > 0 || str_is_word_of(e.name, "SubagentStop subagentStop");
	if (str_is_word_of(e.name, c->stop_names))
		e.name = STR("Stop");
	return e;
}

static struct str
from_transcript(struct arena *a, const struct event *e, int64_t wait_ms)
{
	const struct client *c = e->client ? e->client : client_default;
	struct transcript_reader reader = { .form = c->transcript };
	const char *path;
	struct str text;

	if (c->marks_stops && e->timestamp_ms > 0)
		reader.mark = str_cat(a, e->timestamp_ms);
	if (!c->transcript || e->transcript_path.n == 0 ||
	    str_cz(a, e->transcript_path, &path, IGNORED) < 0 ||
	    transcript_last_message(a, path, &reader, wait_ms, &text, IGNORED) < 0)
		return STR("");
	return text;
}

struct str
client_final_message(struct arena *a, const struct event *e, int64_t wait_ms)
{
	if (!e->last_message.s)
		return from_transcript(a, e, wait_ms);
	if (!e->client || !e->client->accumulates_messages)
		return e->last_message;
	struct str last = from_transcript(a, e, wait_ms);

	return str_trim(last).n > 0 && str_ends(str_trim(e->last_message), str_trim(last)) ? last
											   : e->last_message;
}

bool
client_called_no_tool(struct arena *a, const struct event *e)
{
	const struct client *c = e->client ? e->client : client_default;
	const char *path;

	return c->transcript && e->transcript_path.n > 0 &&
	       str_cz(a, e->transcript_path, &path, IGNORED) == 0 &&
	       transcript_has_no_tool(path, c->transcript);
}
