/* SPDX-License-Identifier: MIT */
/* The table of clients, and what is done with any row of it. */
#include "client/client.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/fd.h"

#include <inttypes.h>

/* Big enough for an ordinary event in one read. */
#define PIECE_BYTES KIB(64)

const struct client *const clients[] = {
#define CLIENT(name) &client_##name,
#include "client/client.def"
#undef CLIENT
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
#define CLIENTS_WITH_SETTINGS
#include "client/client.def"
#undef CLIENTS_WITH_SETTINGS
#undef CLIENT
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

const struct client *
client_recognise(const struct node *event, bool (*has_env)(const char *name))
{
	for (size_t i = 0; event && i < client_count; i++)
		if (clients[i] != client_default && clients[i]->is_event && clients[i]->is_event(event))
			return clients[i];
	if (event && client_default->is_event(event))
		return client_default;
	for (size_t i = 0; i < client_count; i++)
		if (clients[i]->env_mark && has_env(clients[i]->env_mark))
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
		if (c == e->client && c->is_nested_in_own_kind) {
			if (c->is_nested_in_own_kind(a))
				return true;
			continue;
		}
		struct str session = get_env(c->session_env);

		if (session.n > 0 && !str_eq(session, e->session_id))
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
	size_t count = 0;

	for (size_t i = 0; i < client_count; i++)
		for (const char *const *v = clients[i]->session_vars; v && *v; v++)
			count++;
	const char **all = arena_array(a, count + 1, const char *);

	count = 0;
	for (size_t i = 0; i < client_count; i++)
		for (const char *const *v = clients[i]->session_vars; v && *v; v++)
			all[count++] = *v;
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

	if (!tasks || tasks->kind != NODE_LIST)
		return 0;
	for (size_t i = 0; i < tasks->count; i++) {
		struct str status = node_get_str(&tasks->items[i], "status");
		bool runs = !status.s || str_is(status, "running") || str_is(status, "pending");

		count += runs && !str_is(node_get_str(&tasks->items[i], "type"), "shell");
	}
	return count;
}

bool
client_is_stop_name(const struct client *c, struct str name)
{
	for (size_t i = 0; c->stop_names[i]; i++)
		if (str_is(name, c->stop_names[i]))
			return true;
	return false;
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

struct event
client_event(const struct client *c, const struct node *n)
{
	const struct node *crons = node_get(n, "session_crons");
	struct event e = {
		.client = c,
		.name = node_get_str(n, "hook_event_name"),
		.session_id = node_get_str(n, "session_id"),
		.cwd = node_get_str(n, "cwd"),
		.transcript_path = node_get_str(n, "transcript_path"),
		.last_message = node_get_str(n, "last_assistant_message"),
		.prompt = node_get_str(n, "prompt"),
		.prompt_source = node_get_str(n, "source"),
		.prompt_id = node_get_str(n, "prompt_id"),
		.agent_id = node_get_str(n, "agent_id"),
		.is_stop_hook_active = is_set(node_get(n, "stop_hook_active")),
		.background_tasks = count_running(node_get(n, "background_tasks")),
		.wake_ups = crons && crons->kind == NODE_LIST ? crons->count : 0,
	};

	if (c->read)
		c->read(n, &e);
	e.is_subagent = e.agent_id.n > 0;
	/* Whichever client sent it: some send the names of others. */
	for (size_t i = 0; i < client_count; i++)
		e.is_subagent |= clients[i]->subagent_stop_name &&
				 str_is(e.name, clients[i]->subagent_stop_name);
	if (client_is_stop_name(c, e.name))
		e.name = STR("Stop");
	return e;
}

static struct str
from_transcript(struct arena *a, const struct event *e, int64_t wait_ms)
{
	const struct client *c = e->client ? e->client : client_default;
	struct transcript_reader reader = { .line = c->transcript_line };
	const char *path;
	struct str text;
	struct err ignored;

	if (c->marks_stops && e->timestamp_ms > 0)
		reader.mark = str_fmt(a, "%" PRId64, e->timestamp_ms);
	if (!c->transcript_line || e->transcript_path.n == 0 ||
	    str_cz(a, e->transcript_path, &path, &ignored) < 0 ||
	    transcript_last_message(a, path, &reader, wait_ms, &text, &ignored) < 0)
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
	struct err ignored;

	return c->transcript_line && e->transcript_path.n > 0 &&
	       str_cz(a, e->transcript_path, &path, &ignored) == 0 &&
	       transcript_has_no_tool(path, c->transcript_line);
}
