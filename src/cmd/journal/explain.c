/* SPDX-License-Identifier: MIT */
/* holdfast explain: why the last stop was blocked or allowed, and what would change that; and what the guards of the project would say
 * about a tool or a command line, and why. Runs nothing. */
#include "base/duration.h"
#include "client/tool.h"
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/gates/gates.h"
#include "cmd/journal/journal.h"
#include "conf/holdfast.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/fs.h"
#include "overview/activity.h"
#include "policy/chain.h"
#include "policy/policies.h"
#include "project/trust.h"
#include "ui/print.h"

/* ---- --command, --tool ---- */

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

static bool
is_of_set(const char *set, struct str name)
{
	bool is_apart = strcmp(set, "secrets") == 0 || strcmp(set, "settings") == 0;

	return str_is(name, set) || (!is_apart && str_is(name, "destructive"));
}

static void
add_rule(struct buf *b, const struct explanation *x, struct str rule, struct str text)
{
	const struct guard_decision *d = &x->decision;
	size_t i = 0;

	while (i < d->count && !(d->findings[i].set ? is_of_set(d->findings[i].set, rule)
						    : str_eq(d->findings[i].rule, rule)))
		i++;
	if (i < d->count && d->findings[i].set)
		text = d->findings[i].rule;
	buf_addf(b, "  %-5s  " STR_FMT, i < d->count ? guard_verdict_name(d->findings[i].verdict) : "-",
		 STR_ARG(rule));
	buf_cat(b, text.n > 0 ? "  " : "", text, "\n");
}

static struct str
guards_as_text(const struct explanation *x)
{
	struct arena *a = x->arena;
	struct buf b = BUF(a, TEXT_LIMIT_BYTES);
	const struct guard_decision *d = &x->decision;

	if (x->request.command.s) {
		buf_add(&b, STR("Commands:\n"));
		for_each (c, d->script.items, d->script.count) {
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
	const struct {
		const char *name;
		const struct guard_rule_list *rules;
	} lists[] = { { "protect", &g->protect },
		      { "create", &g->create },
		      { "commands.deny", &g->commands.deny },
		      { "commands.ask", &g->commands.ask },
		      { "commands.allow", &g->commands.allow } };

	for (size_t i = 0; i < g->use.count; i++)
		add_rule(&b, x, g->use.items[i], STR(""));
	for (size_t k = 0; k < COUNT_OF(lists); k++)
		for (size_t i = 0; i < lists[k].rules->count; i++)
			add_rule(&b, x, str_cat(a, lists[k].name, "[", i, "]"),
				 guard_rule_text(&lists[k].rules->items[i]));
	add_rule(&b, x, STR("unknown"), g->unknown);
	for (size_t i = 0; i < d->known.count; i++)
		buf_cat(&b, i == 0 ? "Known:\n" : "", "  ", d->known.items[i], "\n");
	buf_add(&b, STR("Verdict: "));
	print_styled_line(&b, x->has_colour, d->verdict == GUARD_ALLOW ? STYLE_GREEN : STYLE_RED,
			  str_from(guard_verdict_name(d->verdict)));
	if (d->message.s)
		buf_cat(&b, d->message, "\n");
	return buf_str(&b);
}

static struct str
guards_as_json(const struct explanation *x)
{
	struct buf b = BUF(x->arena, TEXT_LIMIT_BYTES);
	const struct guard_decision *d = &x->decision;

	json_open(&b, NULL, '{');
	json_add(&b, "verdict", guard_verdict_name(d->verdict), "message", d->message, "unparsed",
		 d->script.problem);
	json_open(&b, "commands", '[');
	for_each (c, d->script.items, d->script.count) {
		json_add_object(&b, NULL, "command", guard_shown(x->arena, c), "cwd", c->cwd, "nested",
				c->is_nested, "unknown", c->problem);
	}
	json_close(&b, "]");
	json_open(&b, "findings", '[');
	for_each (f, d->findings, d->count)
		json_add_object(&b, NULL, "rule", f->rule, "set", f->set ? str_from(f->set) : STR_NONE,
				"verdict", guard_verdict_name(f->verdict), "subject", f->subject, "message",
				f->message);
	json_close(&b, "]");
	json_add(&b, "known", &d->known);
	json_close(&b, "}\n");
	return buf_str(&b);
}

static int
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
	return print_out(option_has(inv, "json") ? guards_as_json(&x) : guards_as_text(&x));
}

/* ---- a stop ---- */

#define NAMES_SHOWN 10

static const char *const deciders[POLICY_COUNT] = {
#define POLICY(id, name, front_ends, asks, in_help, in_words) in_words,
#define OTHER(id, name, in_words) in_words,
#include "policy/policy.def"
};

static struct str
text_of(struct arena *a, const struct node *n, const char *key)
{
	return strip_escapes_line(a, node_get_str(n, key));
}

/* "iteration 2 of 5, try 1 of 3"; empty: nothing is counted. */
static struct str
counts_of(struct arena *a, const struct node *n)
{
	int64_t number = node_get_count(n, "number", INT64_MAX), of = node_get_count(n, "of", INT64_MAX),
		tries = node_get_count(n, "max_tries", INT64_MAX);
	struct str policy = node_get_str(n, "policy");
	struct buf b = BUF(a, SIZE_MAX);

	if (number > 0)
		buf_cat(&b,
			str_is(policy, "loop")    ? "iteration"
			: str_is(policy, "todos") ? "block"
						  : "round",
			" ", number);
	if (number > 0 && of > 0)
		buf_cat(&b, " of ", of);
	if (tries > 0)
		buf_cat(&b, b.n > 0 ? ", " : "", "try ", node_get_count(n, "tries", INT64_MAX), " of ",
			tries);
	return buf_str(&b);
}

/* What runs the failed gates by hand; empty: none failed. */
static struct str
rerun_text(struct arena *a, const struct node *gates)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct str last = STR_NONE;

	for (size_t i = 0; i < gates->count; i++) {
		struct str name = text_of(a, &gates->items[i], "gate");

		if (!str_is(node_get_str(&gates->items[i], "outcome"), "fail") || str_eq(name, last))
			continue;
		buf_cat(&b, b.n > 0 ? " " : "'holdfast run ", name);
		last = name;
	}
	if (b.n > 0)
		buf_add(&b, STR("' runs what failed by hand."));
	return buf_str(&b);
}

static struct str
as_text(struct arena *a, const struct decision *d, struct session_names *known, bool has_colour)
{
	const struct node *n = &d->fields, *steps = node_get(n, "policies"),
			  *gates = node_get_list(n, "gates");
	bool blocks = str_is(node_get_str(n, "decision"), "block");
	struct str change = status_change(node_get_str(n, "status")), counts = counts_of(a, n);
	struct str end = text_of(a, n, "loop_end"), decider = text_of(a, n, "policy");
	struct str rerun = rerun_text(a, gates);
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < POLICY_COUNT; i++)
		if (str_is(decider, policy_names[i])) {
			decider = str_from(deciders[i]);
			break;
		}
	buf_cat(&b, "The stop of session ",
		strip_escapes_line(a, session_name(known, node_get_str(n, "session"))), " (",
		text_of(a, n, "client"), ") at ", clock_format_seconds(a, d->time_us), " was ");
	print_styled(&b, has_colour, STYLE_BOLD, blocks ? STR("blocked") : STR("allowed"));
	buf_cat(&b, " by ", decider, " (", text_of(a, n, "status"), ").\n");
	/* A line with one policy does not list it. */
	bool has_steps = steps && steps->kind == NODE_LIST;

	for (size_t i = 0; i < (has_steps ? steps->count : 1); i++) {
		const struct node *step = has_steps ? &steps->items[i] : n;
		struct str policy = text_of(a, step, "policy");

		buf_addf(&b, "  %-11.*s  " STR_FMT ": " STR_FMT "\n", STR_ARG(policy),
			 STR_ARG(text_of(a, step, "status")), STR_ARG(text_of(a, step, "message")));
		for (size_t k = 0; k < gates->count && str_is(policy, policy_names[POLICY_GATES]); k++) {
			const struct node *g = &gates->items[k];
			const struct activity_gate like = { .name = node_get_str(g, "gate"),
							    .in = node_get_str(g, "in"),
							    .reviewer = node_get_str(g, "reviewer") };

			buf_cat(&b, "               ", activity_gate_title(a, &like), "  ",
				text_of(a, g, "outcome"), "  ",
				duration_text(a, node_get_count(g, "ms", INT64_MAX)), "\n");
		}
	}
	if (end.n > 0)
		buf_cat(&b, "The loop has ended: ", end, ".\n");
	if (counts.n > 0)
		buf_cat(&b, "This was ", counts, ".\n");
	if (change.n > 0)
		buf_cat(&b, change, "\n");
	if (blocks && rerun.n > 0)
		buf_cat(&b, rerun, "\n");
	return buf_str(&b);
}

/* The user named a session with this text, and it means several. */
static int
several(struct arena *a, const struct invocation *inv, struct str text, struct session_names *known)
{
	struct buf names = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < known->ids.count && i < NAMES_SHOWN; i++)
		buf_cat(&names, i > 0 ? ", " : "",
			strip_escapes_line(a, session_name(known, known->ids.items[i])));
	if (known->ids.count > NAMES_SHOWN)
		buf_cat(&names, " and ", known->ids.count - NAMES_SHOWN, " more");
	return command_error(inv, "'", text, "' could be each of these sessions: ", buf_str(&names));
}

struct stop_search {
	struct arena *arena;
	struct decision_filter filter;
	struct str line; /* of the last stop; absent: there is none */
	bool is_exact;   /* the session has just the name that was given */
	struct session_names known;
};

/* Goes on only where a name may mean several sessions. */
static bool
take_stop(void *context, struct str line, const struct decision *d)
{
	struct stop_search *x = context;
	struct str id = node_get_str(&d->fields, "session");

	x->is_exact = str_eq(id, x->filter.session);
	if (!x->line.s || x->is_exact)
		x->line = str_copy(x->arena, line);
	(void)session_names_add(x->arena, &x->known, id);
	return x->filter.session.s && !x->is_exact;
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct stop_search x = { .arena = a, .filter.event = STR("Stop") };
	struct decision_filter *filter = &x.filter;
	struct decision d;
	struct err err;

	if (option_has(inv, "tool") || option_has(inv, "command"))
		return inv->arg_count > 0 ? usage_error(inv, "the guards are the same for every session")
					  : explain_tool(a, inv);
	if (inv->arg_count > 0)
		filter->session = inv->args[0];
	else
		filter->project = decisions_project(a);
	if (decisions_each_back(filter, take_stop, &x, &err) < 0)
		return command_error(inv, err.msg);
	if (!x.line.s && inv->arg_count > 0)
		return command_error(inv, "no decision of a session '", inv->args[0], "' is on record");
	if (!x.line.s)
		return command_error(inv, "no decision is on record in ", filter->project,
				     "; 'holdfast doctor' shows what is active there");
	if (!x.is_exact && x.known.ids.count > 1)
		return several(a, inv, filter->session, &x.known);
	if (!decision_read(a, x.line, filter, &d))
		return command_error(inv, "the last line of the journal can't be read");
	if (!option_has(inv, "json"))
		return print_out(as_text(a, &d, &x.known, tty_wants_colour(1)));
	struct buf b = BUF(a, SIZE_MAX);

	buf_add(&b, str_sub(x.line, 0, x.line.n - 1)); /* without the brace that closes it */
	json_add(&b, "change", status_change(node_get_str(&d.fields, "status")));
	json_close(&b, "}\n");
	return print_out(buf_str(&b));
}

const struct command explain_command = {
	.name = "explain",
	.summary = "why the last stop was blocked or allowed, or what the guards say",
	.details = HELP_EXPLAIN,
	.args = "[SESSION]",
	.most_args = 1,
	TAKES(VALUE("command", "LINE", "what the guards say about this command line"),
	      VALUE("tool", "JSON", "what they say about the event of a tool, as a client sends it"),
	      VALUE("agent", "TYPE", "as if an agent of this type asked them; by default main"),
	      FLAG("json", "print JSON, for scripts")),
	.run = run,
};
