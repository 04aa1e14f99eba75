/* SPDX-License-Identifier: MIT */
/* Notices: of what came of a stop, and, for conclaude's users, desktop notifications of its events. They never change an answer. */
#include "policy/chain.h"

#include "doc/json.h"
#include "os/clock.h"
#include "os/detach.h"
#include "os/env.h"
#include "policy/events.h"
#include "task/command.h"

#define COMMAND_MS 60000
#define DESKTOP_MS 10000
#define TEXT_BYTES 200
#define NOTIFY_MS 2000
#define BODY_BYTES 500

/* ---- on the desktop ---- */

static int
notify_send(struct stop_context *s, bool is_urgent, const char *title, const char *text,
	    struct proc_spec limits, struct err *err)
{
	const char *const argv[] = { "notify-send",
				     "--app-name=holdfast",
				     is_urgent ? "--urgency=critical" : "--urgency=normal",
				     "--",
				     title,
				     text,
				     NULL };
	struct command_call call = { .process = limits };
	struct proc_result r;

	call.process.argv = argv;
	call.process.forgets_output = true;
	if (command_run(s->arena, &call, &r, err) < 0)
		return -1;
	return command_passed(&r) ? 0 : err_set(err, ERR_VALUE, "notify-send failed");
}

/* Events that happen too often, or are answered by a decision, say nothing when they only begin. */
static bool
is_said_to_begin(enum event_id id)
{
	return id != EVENT_PreToolUse && id != EVENT_PostToolUse && id != EVENT_PostToolUseFailure &&
	       id != EVENT_Notification && id != EVENT_Stop && id != EVENT_StopFailure &&
	       id != EVENT_PermissionRequest;
}

void
notify(struct stop_context *s, const struct event_row *row, enum notice what, struct str context)
{
	static const struct {
		struct str key; /* in notify.show */
		const char *said;
	} words[] = {
		[NOTICE_SUCCESS] = { STR("passed"), "success" },
		[NOTICE_FAILURE] = { STR("failed"), "failure" },
		[NOTICE_OTHER] = { STR("started"), "running" },
	};
	const struct policies *c = s->policies;
	struct arena *a = s->arena;
	struct err err;

	if (!c || !policies_notify(c, row->id) ||
	    !str_is_among(words[what].key, c->notify->show.items, c->notify->show.count) ||
	    (what == NOTICE_OTHER && !is_said_to_begin(row->id)))
		return;
	struct str body = excerpt(a, strip_escapes(a, context), BODY_BYTES);
	const char *title = str_cat(a, c->dialect->app, " - ", row->name).s;
	const char *text, *all = what == NOTICE_FAILURE ? "Command failed" : "All checks passed";

	if (body.n == 0)
		text = all;
	else if (str_cz(a, str_cat(a, words[what].said, ": ", body), &text, &err) < 0)
		return;
	if (notify_send(s, what == NOTICE_FAILURE, title, text,
			(struct proc_spec){
				.timeout_ms = NOTIFY_MS, .deadline_ms = s->deadline_ms, .grace_ms = 100 },
			&err) == 0)
		return;
	buf_cat(&s->details, "Failed to send system notification for hook '", row->name, "': ", err.msg,
		"\n");
}

/* ---- what came of a stop. What goes wrong is not reported: the answer is sent already ---- */

enum { NOTICE_LOOP_ENDED, NOTICE_GATE_FAILED, NOTICE_STOP_ALLOWED };
static const char *const names[STOP_NOTICES] = {
	[NOTICE_LOOP_ENDED] = "loop_ended",
	[NOTICE_GATE_FAILED] = "gate_failed",
	[NOTICE_STOP_ALLOWED] = "stop_allowed",
};

static const struct notify_config *
config_of(const struct stop_context *s)
{
	for (size_t i = 0; i < s->config_count; i++)
		if (s->configs[i]->notify)
			return s->configs[i]->notify;
	return NULL;
}

static const struct stop_step *
step_of(const struct stop_context *s, enum stop_policy policy)
{
	for (size_t i = 0; i < s->step_count; i++)
		if (s->steps[i].policy == policy)
			return &s->steps[i];
	return NULL;
}

/* For people, on one line without anything that a terminal would take for a command. */
static void
add(struct stop_context *s, const struct notify_config *c, int which, const struct verdict *v)
{
	if (str_is_among(str_from(names[which]), c->on.items, c->on.count))
		s->notices[which] = excerpt(s->arena, strip_escapes_line(s->arena, verdict_message(v)),
					    TEXT_BYTES);
}

/* A sequence of the few that Claude Code passes on: OSC 9, 99 and 777, or the bell. A semicolon ends a field of OSC 777. */
static struct str
sequence_of(struct stop_context *s, struct str how, struct str text)
{
	struct arena *a = s->arena;

	if (str_is(how, "bell"))
		return STR("\a");
	text = str_cat(a, strip_escapes_line(a, path_base(project_root(&s->where))), ": ", text);
	if (str_is(how, "osc777"))
		return str_cat(a, "\033]777;notify;holdfast;", str_replace(a, text, STR(";"), STR(",")),
			       "\a");
	return str_cat(a, str_is(how, "osc99") ? "\033]99;;holdfast: " : "\033]9;holdfast: ", text, "\a");
}

void
notices_find(struct stop_context *s, const struct verdict *v)
{
	const struct notify_config *c = config_of(s);
	const struct stop_step *loop = step_of(s, POLICY_LOOP), *gates = step_of(s, POLICY_GATES);
	struct str all = STR_NONE;

	if (!c)
		return;
	s->decided = v->status;
	if (loop && loop->verdict.loop_end)
		add(s, c, NOTICE_LOOP_ENDED, &loop->verdict);
	if (s->is_gate_turned_red)
		add(s, c, NOTICE_GATE_FAILED, gates ? &gates->verdict : loop ? &loop->verdict : v);
	if (!status_blocks(v->status) && s->step_count > 0)
		add(s, c, NOTICE_STOP_ALLOWED, v);
	for (size_t i = 0; i < STOP_NOTICES; i++)
		if (s->notices[i].s && !str_eq(s->notices[i], all))
			all = all.s ? str_cat(s->arena, all, "; ", s->notices[i]) : s->notices[i];
	if (all.s && c->terminal.s && !str_is(c->terminal, "false"))
		s->terminal_sequence = sequence_of(s, c->terminal, all);
}

/* ---- in the background ---- */

static void
run_command(struct stop_context *s, struct str script, int which)
{
	struct arena *a = s->arena;
	bool is_block = status_blocks(s->decided);
	const struct stop_step *loop = step_of(s, POLICY_LOOP);
	struct str end = loop && loop->verdict.loop_end ? str_from(loop->verdict.loop_end) : STR("");
	const struct {
		const char *key, *name;
		struct str value;
	} facts[] = {
		{ "event", "HOLDFAST_EVENT", str_from(names[which]) },
		{ "status", "HOLDFAST_STATUS", status_rows[s->decided].name },
		{ "decision", "HOLDFAST_DECISION", is_block ? STR("block") : STR("allow") },
		{ "message", "HOLDFAST_MESSAGE", s->notices[which] },
		{ "loop_end", "HOLDFAST_LOOP_END", end },
		{ "project", "HOLDFAST_PROJECT", project_root(&s->where) },
		{ "session", "HOLDFAST_SESSION", s->event->session_id },
		{ "client", "HOLDFAST_CLIENT", str_from(s->client->name) },
	};
	const char *env[COUNT_OF(facts) + 1];
	struct buf input = BUF(a, SIZE_MAX);

	json_open(&input, NULL, '{');
	json_add(&input, "time", clock_format_millis(a, clock_real_us()));
	for (size_t i = 0; i < COUNT_OF(facts); i++) {
		/* A NUL ends the variable. */
		env[i] = str_cat(a, facts[i].name, "=", facts[i].value).s;
		if (facts[i].value.n > 0)
			json_add(&input, facts[i].key, facts[i].value);
	}
	json_close(&input, "}\n");
	env[COUNT_OF(facts)] = NULL;
	struct command_call call = {
		.shell = COMMAND_BASH,
		.script = script,
		.process = { .dir = str_copy(a, project_root(&s->where)).s,
			     .env = env,
			     .input = buf_str(&input),
			     .timeout_ms = COMMAND_MS,
			     .grace_ms = COMMAND_GRACE_MS,
			     .forgets_output = true },
	};
	struct proc_result r;

	(void)(command_run(a, &call, &r, IGNORED) == 0);
}

static void
send_all(void *context)
{
	struct stop_context *s = context;
	struct arena *a = s->arena;
	const struct notify_config *c = config_of(s);
	struct str root = project_root(&s->where);
	bool has_display = env_has("DISPLAY") || env_has("WAYLAND_DISPLAY");
	const char *title = str_cat(a, "holdfast: ", strip_escapes_line(a, path_base(root))).s;
	const char *dir = str_copy(a, root).s;

	for (int i = 0; i < STOP_NOTICES; i++) {
		if (!s->notices[i].s)
			continue;
		if (c->is_on_desktop && has_display)
			(void)(notify_send(s, i == NOTICE_GATE_FAILED, title, str_copy(a, s->notices[i]).s,
					   (struct proc_spec){ .dir = dir,
							       .timeout_ms = DESKTOP_MS,
							       .grace_ms = COMMAND_GRACE_MS },
					   IGNORED) == 0);
		if (c->command.s)
			run_command(s, c->command, i);
	}
}

void
notices_send(struct stop_context *s)
{
	const struct notify_config *c = config_of(s);
	bool has_any = false;

	for (size_t i = 0; i < STOP_NOTICES; i++)
		has_any |= s->notices[i].s != NULL;
	if (has_any && (c->is_on_desktop || c->command.s))
		(void)(detach(send_all, s, IGNORED) == 0);
}
