/* SPDX-License-Identifier: MIT */
/* Notices of a stop. What goes wrong with them is not reported: the answer is sent already. */
#include "policy/notices.h"

#include "base/escapes.h"
#include "base/path.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/detach.h"
#include "os/env.h"
#include "os/proc.h"

#define COMMAND_MS 60000
#define DESKTOP_MS 10000
#define GRACE_MS 500
#define TEXT_BYTES 200

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
static struct str
text_of(struct stop_context *s, const struct verdict *v)
{
	struct str message = v->message.s ? v->message : status_message(v->status);

	return excerpt(s->arena, strip_escapes_line(s->arena, message), TEXT_BYTES);
}

static void
add(struct stop_context *s, const struct notify_config *c, int which, const struct verdict *v)
{
	if (str_is_among(str_from(names[which]), c->on.items, c->on.count))
		s->notices[which] = text_of(s, v);
}

/* A sequence of the few that Claude Code passes on: OSC 9, 99 and 777, or the bell. */
static struct str
sequence_of(struct stop_context *s, struct str how, struct str text)
{
	struct str project = strip_escapes_line(s->arena, path_base(project_root(&s->where)));
	struct buf b = BUF(s->arena, SIZE_MAX);

	if (str_is(how, "bell"))
		return STR("\a");
	buf_add(&b, str_is(how, "osc777")  ? STR("\033]777;notify;holdfast;")
		    : str_is(how, "osc99") ? STR("\033]99;;holdfast: ")
					   : STR("\033]9;holdfast: "));
	buf_addf(&b, STR_FMT ": " STR_FMT, STR_ARG(project), STR_ARG(text));
	for (size_t i = 0; str_is(how, "osc777") && i < b.n; i++)
		if (i > sizeof("\033]777;notify;holdfast;") && b.s[i] == ';')
			b.s[i] = ',';
	buf_addc(&b, '\a');
	return buf_str(&b);
}

void
notices_find(struct stop_context *s, const struct verdict *v)
{
	const struct notify_config *c = config_of(s);
	const struct stop_step *loop = step_of(s, POLICY_LOOP), *gates = step_of(s, POLICY_GATES);
	struct str all = STR_NONE;

	if (!c)
		return;
	if (loop && loop->verdict.loop_end)
		add(s, c, NOTICE_LOOP_ENDED, &loop->verdict);
	if (s->is_gate_turned_red)
		add(s, c, NOTICE_GATE_FAILED, gates ? &gates->verdict : loop ? &loop->verdict : v);
	if (!status_blocks(v->status) && s->step_count > 0)
		add(s, c, NOTICE_STOP_ALLOWED, v);
	for (size_t i = 0; i < STOP_NOTICES; i++)
		if (s->notices[i].s && !str_eq(s->notices[i], all))
			all = all.s ? str_fmt(s->arena, STR_FMT "; " STR_FMT, STR_ARG(all),
					      STR_ARG(s->notices[i]))
				    : s->notices[i];
	if (all.s && c->terminal.s && !str_is(c->terminal, "false"))
		s->terminal_sequence = sequence_of(s, c->terminal, all);
}

/* ---- in the background ---- */

struct sending {
	struct stop_context *stop;
	const struct verdict *verdict;
	const struct notify_config *config;
};

static void
run(struct stop_context *s, struct proc_spec spec)
{
	struct proc_result r;
	struct err ignored;

	spec.grace_ms = GRACE_MS;
	spec.forgets_output = true;
	spec.dir = str_copy(s->arena, project_root(&s->where)).s;
	(void)(proc_run(s->arena, &spec, &r, &ignored) == 0);
}

/* Of a value that goes to a program: a NUL would end it. */
static const char *
variable(struct arena *a, const char *name, struct str value)
{
	struct str all = str_fmt(a, "%s=" STR_FMT, name, STR_ARG(value.s ? value : STR("")));

	return str_copy(a, str_sub(all, 0,
				   str_find_char(all, '\0') < 0 ? all.n : (size_t)str_find_char(all, '\0')))
		.s;
}

static void
run_command(const struct sending *n, int which)
{
	struct stop_context *s = n->stop;
	struct arena *a = s->arena;
	const struct stop_step *loop = step_of(s, POLICY_LOOP);
	struct str end = loop && loop->verdict.loop_end ? str_from(loop->verdict.loop_end) : STR("");
	const struct {
		const char *key, *name;
		struct str value;
	} facts[] = {
		{ "event", "HOLDFAST_EVENT", str_from(names[which]) },
		{ "status", "HOLDFAST_STATUS", status_name(n->verdict->status) },
		{ "decision", "HOLDFAST_DECISION",
		  status_blocks(n->verdict->status) ? STR("block") : STR("allow") },
		{ "message", "HOLDFAST_MESSAGE", s->notices[which] },
		{ "loop_end", "HOLDFAST_LOOP_END", end },
		{ "project", "HOLDFAST_PROJECT", project_root(&s->where) },
		{ "session", "HOLDFAST_SESSION", s->event->session_id },
		{ "client", "HOLDFAST_CLIENT", str_from(s->client->name) },
	};
	const char *env[COUNT_OF(facts) + 2];
	struct buf input = BUF(a, SIZE_MAX);
	const char *script;
	struct err ignored;

	buf_addc(&input, '{');
	json_add_member(&input, "time", clock_format_millis(a, clock_real_us()));
	for (size_t i = 0; i < COUNT_OF(facts); i++) {
		env[i] = variable(a, facts[i].name, facts[i].value);
		if (facts[i].value.n > 0)
			json_add_member(&input, facts[i].key, facts[i].value);
	}
	buf_add(&input, STR("}\n"));
	/* An agent that the command runs stops too, and that stop must not send notices. */
	env[COUNT_OF(facts)] = "GAUNTLET_STOP_HOOK_ACTIVE=1";
	env[COUNT_OF(facts) + 1] = NULL;
	if (str_cz(a, n->config->command, &script, &ignored) < 0)
		return;
	const char *const argv[] = { "bash", "-c", script, NULL };

	run(s, (struct proc_spec){
		       .argv = argv, .env = env, .input = buf_str(&input), .timeout_ms = COMMAND_MS });
}

static void
run_notify_send(const struct sending *n, int which)
{
	struct arena *a = n->stop->arena;
	struct str project = strip_escapes_line(a, path_base(project_root(&n->stop->where)));
	const char *const argv[] = { "notify-send",
				     "--app-name=holdfast",
				     which == NOTICE_GATE_FAILED ? "--urgency=critical" : "--urgency=normal",
				     "--",
				     str_fmt(a, "holdfast: " STR_FMT, STR_ARG(project)).s,
				     str_copy(a, n->stop->notices[which]).s,
				     NULL };

	run(n->stop, (struct proc_spec){ .argv = argv, .timeout_ms = DESKTOP_MS });
}

static void
send_all(void *context)
{
	const struct sending *n = context;
	bool has_display = env_get("DISPLAY").n > 0 || env_get("WAYLAND_DISPLAY").n > 0;

	for (int i = 0; i < STOP_NOTICES; i++) {
		if (!n->stop->notices[i].s)
			continue;
		if (n->config->is_on_desktop && has_display)
			run_notify_send(n, i);
		if (n->config->command.s)
			run_command(n, i);
	}
}

void
notices_send(struct stop_context *s, const struct verdict *v)
{
	struct sending n = { s, v, config_of(s) };
	bool has_any = false;
	struct err ignored;

	for (size_t i = 0; i < STOP_NOTICES; i++)
		has_any |= s->notices[i].s != NULL;
	if (has_any && (n.config->is_on_desktop || n.config->command.s))
		(void)(detach(send_all, &n, &ignored) == 0);
}
