/* SPDX-License-Identifier: MIT */
/* Input and output of the hook commands. Only the answer ever goes to stdout. */
#include "cmd/hook/hook_io.h"

#include "os/env.h"
#include "os/exit_reply.h"
#include "guards/protected/protected.h"
#include "policy/policies.h"
#include "store/baseline.h"
#include "store/session.h"
#include "store/spill.h"

#define DEADLINE_MAX_S 86400
/* How long after the deadline a command may ignore its signals, and a block's state may take to write. The clients' own
 * limits leave more time. */
#define LATEST_MS 4000

bool
hook_is_called_by_client(const struct invocation *inv)
{
	if (!tty_is(STDIN_FILENO))
		return true;
	(void)usage_error(inv, "this is a hook: a coding agent's client runs it with an event on stdin; "
			       "`holdfast init` registers it, `holdfast doctor` says what it would do");
	return false;
}

bool
hook_is_nested(void)
{
	return env_has("GAUNTLET_STOP_HOOK_ACTIVE");
}

static int
read_deadline(const struct invocation *inv, int64_t usual_s, int64_t *ret_ms, struct err *err)
{
	uint64_t seconds = (uint64_t)usual_s, from_env = 0;

	/* An invalid variable is ignored. */
	if (number_parse(env_get("HOLDFAST_DEADLINE_SECONDS"), &from_env) && from_env > 0 &&
	    from_env <= DEADLINE_MAX_S)
		seconds = from_env;
	if (option_number(inv, "deadline", 1, DEADLINE_MAX_S, &seconds, err) < 0)
		return -1;
	*ret_ms = (int64_t)seconds * 1000;
	return 0;
}

int
hook_deadline(const struct invocation *inv, int64_t usual_s, int64_t *ret_ms, struct err *err)
{
	int64_t allowed_ms;

	if (read_deadline(inv, usual_s, &allowed_ms, err) < 0)
		return -1;
	*ret_ms = inv->started_ms + allowed_ms;
	exit_at(*ret_ms + LATEST_MS);
	return 0;
}

const struct client *
hook_client(const struct invocation *inv, const struct node *event)
{
	const struct client *named = client_find(option_str(inv, "client"));

	return named ? named : client_recognise(event, env_has);
}

int
hook_read_event(struct arena *a, const struct invocation *inv, struct node *ret_node, struct event *ret,
		struct err *err)
{
	int64_t wait_ms;
	struct node n;

	/* Never longer than the hook itself may take. */
	if (read_deadline(inv, EVENT_DEADLINE_MS / 1000, &wait_ms, err) < 0 || wait_ms > EVENT_DEADLINE_MS)
		wait_ms = EVENT_DEADLINE_MS;
	if (event_read_json(a, STDIN_FILENO, wait_ms, &n, err) < 0)
		return -1;
	if (n.kind != NODE_MAP)
		return err_set(err, ERR_VALUE, "expected an object, not %s", node_kind_name(n.kind));
	*ret = client_event(hook_client(inv, &n), &n);
	if (ret_node)
		*ret_node = n;
	return 0;
}

int
hook_forget_session(struct arena *a, struct str session, struct err *err)
{
	static int (*const forget[])(struct arena * a, struct str session, struct err * err) = {
		rounds_forget,           spill_forget,     session_forget,
		baseline_forget_session, protected_forget, todos_forget,
	};
	int result = 0;

	/* What can't be removed does not keep the rest. The first error is reported. */
	for (size_t i = 0; i < COUNT_OF(forget); i++) {
		struct err other;

		if (forget[i](a, session, &other) < 0 && result == 0) {
			*err = other;
			result = -1;
		}
	}
	return result;
}

void
hook_print_err(struct str text)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	fd_write_some(STDERR_FILENO, tty_is(STDERR_FILENO) ? strip_escapes(&a, text) : text);
}

int
hook_answer(const struct reply *r)
{
	/* A closed or full stderr must not delay the answer. */
	hook_print_err(r->err);
	if (exit_reply_send(r->out, IGNORED) < 0)
		return 0; /* the client is gone */
	return r->exit_code;
}

struct reply_notes
hook_notes(const struct stop_context *s)
{
	return (struct reply_notes){
		.progress = buf_str(&s->progress),
		.details = buf_str(&s->details),
		.warnings = buf_str(&s->warnings),
		.terminal_sequence = s->terminal_sequence,
	};
}
