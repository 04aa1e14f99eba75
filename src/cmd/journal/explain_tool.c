/* SPDX-License-Identifier: MIT */
/* holdfast explain --command, --tool: what the guards of the project would say about a tool or a command line, and why. Runs nothing. */
#include "client/tool.h"
#include "cmd/gates/gates.h"
#include "cmd/journal/journal.h"
#include "conf/holdfast.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "policy/policies.h"
#include "project/trust.h"
#include "ui/print.h"

#define TEXT_LIMIT_BYTES MIB(4)
#define GIT_MS 5000

struct explanation {
	struct arena *arena;
	const struct guards_config *guards;
	struct guard_request request;
	struct guard_decision decision;
	bool has_colour;
};

/* ---- the question ---- */

/* A command line, or the event of a tool as a client sends it. */
static int
read_request(struct arena *a, const struct invocation *inv, struct str root, struct explanation *x,
	     struct err *err)
{
	struct str tool = option_str(inv, "tool"), agent = option_str(inv, "agent"), cwd = fs_cwd(a);
	struct node *event = arena_new(a, struct node);

	if (!cwd.s)
		return err_set(err, ERR_VALUE, "the current directory no longer exists");
	if (!tool.s) {
		struct tool_call line = { .name = STR("Bash"),
					  .kind = TOOL_SHELL,
					  .command = option_str(inv, "command") };

		x->request = guard_request_of(a, &line, agent, root, cwd);
		return 0;
	}
	if (json_parse(a, tool, event, err) < 0)
		return -1;
	struct tool_call call = tool_read(a, event);

	if (!call.name.s)
		return err_set(err, ERR_VALUE, "--tool: expected an object with tool_name and tool_input");
	if (node_get_str(event, "cwd").s)
		cwd = node_get_str(event, "cwd");
	if (!agent.s)
		agent = event_value(a, event, "subagent_type");
	x->request = guard_request_of(a, &call, agent, root, cwd);
	return 0;
}

/* ---- the answer ---- */

static void
add_rule(struct buf *b, const struct explanation *x, struct str rule, struct str text)
{
	const struct guard_decision *d = &x->decision;
	size_t i = 0;

	while (i < d->count && !str_eq(d->findings[i].rule, rule))
		i++;
	buf_addf(b, "  %-5s  " STR_FMT, i < d->count ? guard_verdict_name(d->findings[i].verdict) : "-",
		 STR_ARG(rule));
	buf_cat(b, text.n > 0 ? "  " : "", text, "\n");
}

static void
add_list(struct buf *b, const struct explanation *x, const char *name, const struct guard_rule_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		add_rule(b, x, str_cat(x->arena, name, "[", i, "]"), guard_rule_text(&list->items[i]));
}

static struct str
as_text(const struct explanation *x)
{
	struct arena *a = x->arena;
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	const struct guard_decision *d = &x->decision;

	if (x->request.command.s) {
		buf_add(&b, STR("Commands:\n"));
		for (size_t i = 0; i < d->script.count; i++) {
			const struct sh_command *c = &d->script.items[i];

			buf_cat(&b, "  ", guard_shown(a, c));
			for (size_t k = 0; k < c->file_count; k++)
				buf_cat(&b, c->count + k > 0 ? "  " : "",
					c->files[k].is_appended  ? ">>"
					: c->files[k].is_written ? ">"
								 : "<",
					" ", c->files[k].path.source);
			if (c->count > 0 || !c->problem.s)
				buf_cat(&b, "  (in ", c->cwd, ")");
			if (c->problem.s)
				buf_cat(&b, "  unknown: ", c->problem);
			buf_addc(&b, '\n');
		}
		if (d->script.problem.s)
			buf_cat(&b, "  can't be parsed: ", d->script.problem, "\n");
	}
	buf_add(&b, STR("Rules:\n"));
	const struct guards_config *g = x->guards;

	for (size_t i = 0; i < g->use.count; i++)
		add_rule(&b, x, g->use.items[i], STR(""));
	add_list(&b, x, "protect", &g->protect);
	add_list(&b, x, "create", &g->create);
	add_list(&b, x, "commands.deny", &g->commands.deny);
	add_list(&b, x, "commands.ask", &g->commands.ask);
	add_list(&b, x, "commands.allow", &g->commands.allow);
	add_rule(&b, x, STR("unknown"), g->unknown);
	buf_add(&b, STR("Verdict: "));
	print_styled_line(&b, x->has_colour, d->verdict == GUARD_ALLOW ? STYLE_GREEN : STYLE_RED,
			  str_from(guard_verdict_name(d->verdict)));
	if (d->message.s)
		buf_cat(&b, d->message, "\n");
	return buf_str(&b);
}

static struct str
as_json(const struct explanation *x)
{
	struct buf b = BUF(x->arena, TEXT_LIMIT_BYTES);
	const struct guard_decision *d = &x->decision;

	json_open(&b, NULL, '{');
	json_add(&b, "verdict", guard_verdict_name(d->verdict), "message", d->message, "unparsed",
		 d->script.problem);
	json_open(&b, "commands", '[');
	for (size_t i = 0; i < d->script.count; i++) {
		const struct sh_command *c = &d->script.items[i];

		json_add_object(&b, NULL, "command", guard_shown(x->arena, c), "cwd", c->cwd, "nested",
				c->is_nested, "unknown", c->problem);
	}
	json_close(&b, "]");
	json_open(&b, "findings", '[');
	for (size_t i = 0; i < d->count; i++) {
		const struct guard_finding *f = &d->findings[i];

		json_add_object(&b, NULL, "rule", f->rule, "verdict", guard_verdict_name(f->verdict),
				"subject", f->subject, "message", f->message);
	}
	json_close(&b, "]}\n");
	return buf_str(&b);
}

int
explain_tool(struct arena *a, const struct invocation *inv)
{
	struct explanation x = { .arena = a, .has_colour = tty_wants_colour(1) };
	bool is_there;
	struct str root = find_gates_root(a, &is_there);
	struct source source;
	struct err err;

	if (option_has(inv, "tool") == option_has(inv, "command"))
		return usage_error(inv, "--tool and --command exclude each other");
	if (!is_there)
		return command_error(inv,
				     "there is no holdfast.yml here or above; 'holdfast init' writes one");
	source_find(a, root, &source);
	if (source.problem.s)
		return command_error(inv, source.problem);
	if (source.native && holdfast_load_guards(a, source.native, &x.guards, &err) < 0)
		return command_error(inv, err.msg);
	if (!x.guards)
		return command_error(inv, root, "/holdfast.yml has no guards");
	if (read_request(a, inv, root, &x, &err) < 0)
		return command_error(inv, err.msg);
	x.request.deadline_ms = clock_mono_ms() + GIT_MS;
	x.decision = guard_decide(a, x.guards, &x.request);
	return print_out(option_has(inv, "json") ? as_json(&x) : as_text(&x));
}
