/* SPDX-License-Identifier: MIT */
/* holdfast explain --command, --tool: what the guards of the project would say about a tool or a command line, and why. Runs nothing. */
#include "client/tool.h"
#include "cmd/gates/gates.h"
#include "cmd/journal/explain.h"
#include "conf/holdfast.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "policy/guard_rules.h"
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

		x->request = guard_request_of(a, &line, agent.n > 0 ? agent : STR("main"), root, cwd);
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
	x->request = guard_request_of(a, &call, agent.n > 0 ? agent : STR("main"), root, cwd);
	return 0;
}

static int
load(struct arena *a, struct explanation *x, struct str *ret_root, struct err *err)
{
	bool is_there;
	struct str root = gauntlet_root(a, &is_there);
	struct source source;

	if (!is_there || !root.s)
		return err_set(err, ERR_VALUE,
			       "there is no holdfast.yml here or above; 'holdfast init' writes one");
	source_find(a, root, &source);
	if (source.problem.s)
		return err_set(err, ERR_VALUE, STR_FMT, STR_ARG(source.problem));
	if (source.native && holdfast_load_guards(a, source.native, &x->guards, err) < 0)
		return -1;
	if (!x->guards)
		return err_set(err, ERR_VALUE, STR_FMT "/holdfast.yml has no guards", STR_ARG(root));
	*ret_root = root;
	return 0;
}

/* ---- the answer ---- */

static const struct guard_finding *
finding_of(const struct explanation *x, struct str rule)
{
	for (size_t i = 0; i < x->decision.count; i++)
		if (str_eq(x->decision.findings[i].rule, rule))
			return &x->decision.findings[i];
	return NULL;
}

static void
add_rule(struct buf *b, const struct explanation *x, struct str rule, struct str text)
{
	const struct guard_finding *f = finding_of(x, rule);

	buf_addf(b, "  %-5s  " STR_FMT, f ? guard_verdict_name(f->verdict) : "-", STR_ARG(rule));
	if (text.n > 0)
		buf_addf(b, "  " STR_FMT, STR_ARG(text));
	buf_addc(b, '\n');
}

static void
add_list(struct buf *b, const struct explanation *x, const char *name, const struct guard_rule_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		add_rule(b, x, str_fmt(x->arena, "%s[%zu]", name, i), guard_rule_text(&list->items[i]));
}

static void
add_rules(struct buf *b, const struct explanation *x)
{
	const struct guards_config *g = x->guards;

	for (size_t i = 0; i < g->use.count; i++)
		add_rule(b, x, g->use.items[i], STR(""));
	add_list(b, x, "protect", &g->protect);
	add_list(b, x, "create", &g->create);
	add_list(b, x, "commands.deny", &g->commands.deny);
	add_list(b, x, "commands.ask", &g->commands.ask);
	add_list(b, x, "commands.allow", &g->commands.allow);
	add_rule(b, x, STR("unknown"), g->unknown);
}

static struct str
files_of(struct arena *a, const struct sh_command *c)
{
	struct buf b = BUF(a, KIB(4));

	for (size_t i = 0; i < c->file_count; i++)
		buf_addf(&b, "%s%s " STR_FMT, c->count + i > 0 ? "  " : "",
			 c->files[i].is_appended  ? ">>"
			 : c->files[i].is_written ? ">"
						  : "<",
			 STR_ARG(c->files[i].path.source));
	return buf_str(&b);
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

			buf_addf(&b, "  " STR_FMT STR_FMT, STR_ARG(guard_shown(a, c)),
				 STR_ARG(files_of(a, c)));
			if (c->count > 0 || !c->problem.s)
				buf_addf(&b, "  (in " STR_FMT ")", STR_ARG(c->cwd));
			if (c->problem.s)
				buf_addf(&b, "  unknown: " STR_FMT, STR_ARG(c->problem));
			buf_addc(&b, '\n');
		}
		if (d->script.problem.s)
			buf_addf(&b, "  can't be parsed: " STR_FMT "\n", STR_ARG(d->script.problem));
	}
	buf_add(&b, STR("Rules:\n"));
	add_rules(&b, x);
	buf_add(&b, STR("Verdict: "));
	print_styled(&b, x->has_colour, d->verdict == GUARD_ALLOW ? STYLE_GREEN : STYLE_RED,
		     str_from(guard_verdict_name(d->verdict)));
	buf_addc(&b, '\n');
	if (d->message.s)
		buf_addf(&b, STR_FMT "\n", STR_ARG(d->message));
	return buf_str(&b);
}

static void
add_commands_json(struct buf *b, const struct explanation *x)
{
	const struct sh_script *s = &x->decision.script;

	json_add_key(b, "commands");
	buf_addc(b, '[');
	for (size_t i = 0; i < s->count; i++) {
		const struct sh_command *c = &s->items[i];

		buf_add(b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(b, "command", guard_shown(x->arena, c));
		json_add_member(b, "cwd", c->cwd);
		json_add_member_bool(b, "nested", c->is_nested);
		if (c->problem.s)
			json_add_member(b, "unknown", c->problem);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

static struct str
as_json(const struct explanation *x)
{
	struct buf b = BUF(x->arena, TEXT_LIMIT_BYTES);
	const struct guard_decision *d = &x->decision;

	buf_addc(&b, '{');
	json_add_member(&b, "verdict", str_from(guard_verdict_name(d->verdict)));
	if (d->message.s)
		json_add_member(&b, "message", d->message);
	if (d->script.problem.s)
		json_add_member(&b, "unparsed", d->script.problem);
	add_commands_json(&b, x);
	json_add_key(&b, "findings");
	buf_addc(&b, '[');
	for (size_t i = 0; i < d->count; i++) {
		buf_add(&b, i > 0 ? STR(",{") : STR("{"));
		json_add_member(&b, "rule", d->findings[i].rule);
		json_add_member(&b, "verdict", str_from(guard_verdict_name(d->findings[i].verdict)));
		json_add_member(&b, "subject", d->findings[i].subject);
		json_add_member(&b, "message", d->findings[i].message);
		buf_addc(&b, '}');
	}
	buf_add(&b, STR("]}\n"));
	return buf_str(&b);
}

int
explain_tool(struct arena *a, const struct invocation *inv)
{
	struct explanation x = { .arena = a, .has_colour = tty_wants_colour(1) };
	struct str root;
	struct err err;

	if (option_has(inv, "tool") == option_has(inv, "command"))
		return command_misuse(inv, "--tool and --command exclude each other");
	if (load(a, &x, &root, &err) < 0 || read_request(a, inv, root, &x, &err) < 0)
		return command_fail(inv, "%s", err.msg);
	x.decision = guards_ask(a, x.guards, &x.request, clock_mono_ms() + GIT_MS);
	return print_out(option_has(inv, "json") ? as_json(&x) : as_text(&x));
}
