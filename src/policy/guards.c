/* SPDX-License-Identifier: MIT */
/* The guards: what their policies share, and the rules that are asked before a tool runs or when the client wants to ask its
 * user. */

#include "base/glob.h"
#include "base/path.h"
#include "client/tool.h"
#include "conf/holdfast.h"
#include "guards/rules.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "policy/events.h"

/* To ask git what a deletion would lose. */
#define GIT_MS 5000

/* ---- at a stop ---- */

const struct guards_config *
stop_guards(struct stop_context *s)
{
	const struct holdfast_file *native = s->gates_source ? s->gates_source->native : NULL;
	const struct guards_config *guards = NULL;

	if (!native || s->gates_source->problem.s ||
	    holdfast_load_guards(s->arena, native, &guards, IGNORED) < 0)
		return NULL;
	return guards;
}

struct verdict
guard_block(struct stop_context *s, enum status status, struct str names, struct str reason)
{
	struct tries t = { .max = s->gates_source->native->draft.policies.tries };
	struct str why;

	if (tries_count(s, &t, reason, SENT_BY_CHAIN, &why))
		return (struct verdict){ .status = status,
					 .message = str_cat(s->arena, "✗ ", names),
					 .reason = reason };
	return verdict_of(STATUS_RETRY_LIMIT_EXCEEDED,
			  str_cat(s->arena, "⚠ ", names, "; the agent may stop: ", why));
}

/* ---- before a tool ---- */

struct guard_request
guard_request_of(struct arena *a, const struct tool_call *tool, struct str agent, struct str root,
		 struct str cwd)
{
	struct str real_root = fs_real(a, str_copy(a, root).s), home = env_get("HOME");
	struct str here = str_starts(cwd, STR("/")) ? cwd : fs_cwd(a);
	struct str own = env_xdg(a, "XDG_CONFIG_HOME", ".config");
	const struct guards_config *users = NULL;

	/* the user's own verdicts, for all projects */
	own = own.s ? path_join(a, own, STR("holdfast")) : own;
	if (own.s && fs_kind(path_join(a, own, STR(HOLDFAST_FILE)).s) == FS_FILE &&
	    holdfast_load_guards(a, holdfast_read(a, own), &users, IGNORED) < 0)
		users = NULL;

	return (struct guard_request){
		.command = tool->kind == TOOL_SHELL ? tool->command : STR_NONE,
		.paths = tool->paths,
		.reads = tool->kind == TOOL_READ,
		.writes = tool_writes(tool),
		.tool = tool->name,
		.aliases = tool_aliases(tool),
		.agent = agent.n > 0 ? agent : STR("main"),
		.root = real_root.s ? real_root : root,
		.cwd = here.s ? here : root, /* a directory that is gone must not turn the guards off */
		.home = home.n > 0 ? home : STR_NONE,
		.own = users ? &users->verdicts : NULL,
	};
}

/* A denial wins over a question, and that over a permission. */
static void
answer_decide(struct event_answer *answer, enum tool_decision decision, struct str reason)
{
	if (decision <= answer->decision)
		return;
	answer->decision = decision;
	answer->reason = reason;
}

/* conclaude's users find on stderr what denied a tool. */
static void
explain(struct stop_context *s, struct str line)
{
	if (s->front_end == FRONT_END_CONCLAUDE)
		buf_cat(&s->details, line, "\n");
}

void
guard_rules(struct stop_context *s, struct event_answer *answer)
{
	struct guard_decision d = { .verdict = GUARD_ALLOW };
	struct guard_request request = { 0 };

	if (s->policies->guards) {
		struct str type = event_value(s->arena, s->payload, "subagent_type");
		struct str agent = s->agent.n > 0 ? s->agent : type;

		request = guard_request_of(s->arena, &s->tool, agent, s->policies->dir, s->event->cwd);
		request.deadline_ms = clock_mono_ms() + stop_wait_ms(s, GIT_MS);
		d = guard_decide(s->arena, s->policies->guards, &request);
	}
	if (d.verdict != GUARD_ALLOW) {
		const struct guard_finding *f = &d.findings[0];
		struct str path = request.command.s ? STR("") : f->subject;

		answer_decide(answer, d.verdict == GUARD_DENY ? TOOL_DENY : TOOL_ASK, d.message);
		explain(s, str_cat(s->arena, "PreToolUse blocked by ", f->rule, ": tool_name=", s->tool.name,
				   path.n > 0 ? ", file_path=" : "", path,
				   f->pattern.n > 0 ? ", pattern=" : "", f->pattern));
	}
	bool is_denied = answer->decision == TOOL_DENY;

	notify(s, s->row, is_denied ? NOTICE_FAILURE : NOTICE_SUCCESS,
	       str_cat(s->arena, "Tool '", s->tool.name, "' ",
		       is_denied ? s->policies->dialect->denied : "approved"));
}

static struct str
first_match(const struct str_list *patterns, struct str name)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (glob_match(patterns->items[i], name))
			return patterns->items[i];
	return STR_NONE;
}

/* Only a rule that names the tool lets it run without a question: `default: allow` leaves the question to the client. */
void
permission_rules(struct stop_context *s, struct event_answer *answer)
{
	const struct permissions *p = s->policies->permissions;
	struct str name = s->tool.name, why = STR_NONE;
	const char *section = s->policies->dialect->permissions_key;

	if (!p)
		return;
	struct str denied = first_match(&p->deny, name), allowed = first_match(&p->allow, name);

	if (denied.s)
		why = str_cat(s->arena, "Tool '", name, "' blocked by ", section, ".deny pattern: ", denied);
	else if (!allowed.s && str_is(p->otherwise, "deny"))
		why = str_cat(s->arena, "Tool '", name, "' blocked by ", section, ".default setting");
	if (why.s) {
		answer_decide(answer, TOOL_DENY, why);
		explain(s, str_cat(s->arena, "PermissionRequest blocked: tool_name=", name));
	} else if (allowed.s && !str_is(allowed, "*")) {
		answer_decide(answer, TOOL_ALLOW, STR_NONE);
	}
	notify(s, s->row, why.s ? NOTICE_FAILURE : NOTICE_SUCCESS,
	       why.s ? why : str_cat(s->arena, "Tool '", name, "' approved"));
}
