/* SPDX-License-Identifier: MIT */
/* Asks the guards of holdfast.yml before a tool runs. */
#include "policy/guard_rules.h"

#include "client/tool.h"
#include "guards/world.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "policy/events.h"

/* To ask git what a deletion would lose. */
#define GIT_MS 5000

struct guard_request
guard_request_of(struct arena *a, const struct tool_call *tool, struct str agent, struct str root,
		 struct str cwd)
{
	struct str real_root = fs_real(a, str_copy(a, root).s), home = env_get("HOME");

	return (struct guard_request){
		.command = tool->kind == TOOL_SHELL ? tool->command : STR_NONE,
		.paths = tool->paths,
		.reads = tool->kind == TOOL_READ,
		.writes = tool_writes(tool),
		.agent = agent,
		.root = real_root.s ? real_root : root,
		.cwd = str_starts(cwd, STR("/")) ? cwd : fs_cwd(a),
		.home = home.n > 0 ? home : STR_NONE,
	};
}

struct guard_decision
guards_ask(struct arena *a, const struct guards_config *guards, const struct guard_request *request,
	   int64_t deadline_ms)
{
	struct guard_files files = { .root = request->root, .deadline_ms = deadline_ms };
	struct guard_world world = guard_world_of(&files);

	return guard_decide(a, guards, request, &world);
}

static void
ask(const struct event_call *c, const struct guards_config *guards, struct event_answer *answer)
{
	struct stop_context *s = c->stop;
	struct guard_request request = guard_request_of(s->arena, &c->tool, c->agent, s->conclaude->dir,
							s->event->cwd);
	if (!request.cwd.s)
		return;
	struct guard_decision d = guards_ask(s->arena, guards, &request,
					     clock_mono_ms() + stop_wait_ms(s, GIT_MS));

	if (d.verdict != GUARD_ALLOW)
		answer_decide(answer, d.verdict == GUARD_DENY ? TOOL_DENY : TOOL_ASK, d.message);
}

void
guard_rules(const struct event_call *c, struct event_answer *answer)
{
	struct stop_context *s = c->stop;
	const struct conclaude_config *config = s->conclaude;

	if (config->guards)
		ask(c, config->guards, answer);
	if (!config->is_native || !config->notifications.is_enabled)
		return;
	bool is_denied = answer->decision == TOOL_DENY;

	notify(s, c->row, is_denied ? NOTICE_FAILURE : NOTICE_SUCCESS,
	       str_fmt(s->arena, "Tool '" STR_FMT "' %s", STR_ARG(c->tool.name),
		       is_denied ? "denied" : "approved"));
}
