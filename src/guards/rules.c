/* SPDX-License-Identifier: MIT */
/* The decision: every rule is asked about every command and every path; the strictest answer counts. */
#include "guards/rules.h"

#include "base/glob.h"

const char *
guard_verdict_name(enum guard_verdict verdict)
{
	static const char *const names[] = { "allow", "ask", "deny" };

	return names[verdict];
}

bool
guard_find(struct guard_case *c, enum guard_verdict verdict, struct str rule, struct str message)
{
	struct guard_decision *d = c->decision;

	for (size_t i = 0; i < d->count; i++)
		if (str_eq(d->findings[i].rule, rule) && str_eq(d->findings[i].message, message))
			return false;
	d->verdict = verdict > d->verdict ? verdict : d->verdict;
	*arena_push(c->arena, d->findings, d->count) = (struct guard_finding){
		.verdict = verdict, .rule = rule, .subject = c->subject, .message = message
	};
	return true;
}

/* What the lists say about a name; -1: nothing. */
static int
verdict_in(const struct guard_verdicts *v, const char *name)
{
	const struct str_list *const lists[] = { &v->allow, &v->ask, &v->deny };
	int found = -1;

	for (int i = 0; i < (int)COUNT_OF(lists); i++)
		if (str_is_among(str_from(name), lists[i]->items, lists[i]->count))
			found = i;
	return found;
}

/* The user's word counts before the project's, and that about a rule before that about its set. */
static enum guard_verdict
verdict_of(const struct guard_case *c, const struct sh_act *act)
{
	const struct guards_config *g = c->config;
	bool is_apart = strcmp(act->set, "secrets") == 0 || strcmp(act->set, "settings") == 0;
	const struct guard_verdicts *lists[] = { c->request->own, &g->verdicts };
	const char *names[] = { act->name, act->set, is_apart ? act->set : "destructive" };

	if (!str_is_among(str_from(act->set), g->use.items, g->use.count) &&
	    (is_apart || !str_is_among(STR("destructive"), g->use.items, g->use.count)))
		return GUARD_ALLOW;
	for (size_t i = 0; i < COUNT_OF(lists); i++)
		for (size_t k = 0; lists[i] && k < COUNT_OF(names); k++) {
			int found = verdict_in(lists[i], names[k]);

			if (found >= 0)
				return (enum guard_verdict)found;
		}
	return act->verdict == SH_DENY ? GUARD_DENY : GUARD_ASK;
}

bool
guard_has(const struct guard_case *c, enum sh_act_id id)
{
	return verdict_of(c, sh_act(id)) != GUARD_ALLOW;
}

static void
break_rule(struct guard_case *c, const struct sh_act *act, struct str text)
{
	enum guard_verdict verdict = verdict_of(c, act);
	struct guard_decision *d = c->decision;
	struct str message = str_cat(c->arena, text, ". Instead: ", act->instead, ". (", act->name, ")");

	if (verdict != GUARD_ALLOW && guard_find(c, verdict, str_from(act->name), message))
		d->findings[d->count - 1].set = act->set;
}

void
guard_break(struct guard_case *c, enum sh_act_id id, struct str text)
{
	break_rule(c, sh_act(id), text);
}

void
guard_loses(struct guard_case *c, enum sh_act_id id, struct str path, struct str name, bool tracked_only)
{
	bool is_late = false;

	/* one example is enough */
	for (size_t i = 0; i < c->decision->count; i++)
		if (str_is(c->decision->findings[i].rule, sh_act(id)->name))
			return;
	if (!guard_has(c, id))
		return;
	struct str file = guard_unsaved(c, path, name, tracked_only, &is_late);

	if (is_late)
		guard_find(c, GUARD_ASK, str_from(sh_act(id)->name),
			   str_cat(c->arena, "git has not said in time what would be lost of ", path, ". (",
				   sh_act(id)->name, ")"));
	else if (file.s)
		guard_break(c, id,
			    str_cat(c->arena, "This ", sh_act(id)->what, " ", file,
				    ", whose content git does not have"));
}

bool
guard_is_for(const struct guard_case *c, const struct guard_rule *rule)
{
	bool is_list = rule->by && rule->by->kind == NODE_LIST;
	const struct node *items = is_list ? rule->by->items : rule->by;
	size_t count = is_list ? rule->by->count : rule->by != NULL;

	for (size_t i = 0; i < count; i++)
		if (glob_match(items[i].text, c->request->agent))
			return true;
	return count == 0;
}

struct str
guard_fill(struct arena *a, struct str text, const char *with)
{
	text = str_replace(a, text, STR("\xFF"), str_from(with));
	return str_replace(a, text, STR("\xFE"), str_from(with));
}

struct str
guard_shown(struct arena *a, const struct sh_command *c)
{
	struct buf b = BUF(a, COMMAND_SHOWN_BYTES);

	for (size_t i = 0; i < c->count && !b.is_cut; i++) {
		struct str text = str_sub(c->args[i].text, 0, COMMAND_SHOWN_BYTES + 1);

		buf_cat(&b, i > 0 ? " " : "", c->args[i].is_unknown ? guard_fill(a, text, "…") : text);
	}
	for (size_t i = 0; i < c->file_count && c->count == 0 && !b.is_cut; i++)
		buf_cat(&b, c->files[i].is_written ? ">" : "<", " ", c->files[i].path.source);
	return buf_str(&b);
}

void
guard_unknown(struct guard_case *c, struct str why)
{
	const struct guards_config *g = c->config;
	enum guard_verdict verdict = str_is(g->unknown, "deny")  ? GUARD_DENY
				     : str_is(g->unknown, "ask") ? GUARD_ASK
								 : GUARD_ALLOW;

	/* without a rule that it could break, it may be anything */
	if (verdict == GUARD_ALLOW || c->ignores_unknown ||
	    g->use.count + g->protect.count + g->commands.deny.count + g->commands.ask.count == 0)
		return;
	guard_find(c, verdict, STR("unknown"),
		   str_cat(c->arena, "holdfast can't tell what this does: ", why,
			   ". Write the command plainly, with the names that it works on."));
}

/* ---- commands ---- */

enum match { NO, MAYBE, YES };

/* The words of a rule, in this order; its options anywhere. A rule that allows has to name all words, or end in *. */
static enum match
match_command(const struct sh_words *w, struct str rule, bool is_whole)
{
	const struct sh_command *c = w->command;
	struct str rest = rule, one, last = STR("");
	enum match result = YES;
	size_t at = 0;

	while (result != NO && str_next(&rest, ' ', &one)) {
		bool is_there = false, is_unknown = false;

		if (one.n == 0)
			continue;
		last = one;
		if (one.n > 1 && one.s[0] == '-') {
			for (size_t i = 1; i < c->count; i++)
				is_there |= glob_match(one, c->args[i].text);
		} else {
			bool is_path = at == 0 && path_is_absolute(one) && c->count > 0;
			struct str word = is_path ? c->args[0].text : at < w->count ? w->items[at] : STR_NONE;

			/* most rules have no wildcard, and there may be many */
			is_there = word.s &&
				   (glob_has_wildcard(one) ? glob_match(one, word) : str_eq(one, word));
			is_unknown = sh_has_hole(word);
			at++;
		}
		if (!is_there)
			result = is_unknown ? MAYBE : NO;
	}
	bool is_part = result != YES || (at < w->count && !str_is(last, "*"));

	return is_whole && is_part ? NO : result;
}

/* Does the rule match the command, and is it for the agent? */
static enum match
match_rule(const struct guard_case *c, const struct sh_words *w, const struct node *item, bool is_whole,
	   struct guard_rule *ret)
{
	struct str program = w->count > 0 && !sh_has_hole(w->items[0]) ? w->items[0] : STR("");
	struct str text = guard_rule_text(item);

	/* of a thousand rules, most are for another program: one of the letters at the start differs */
	for (size_t i = 0; program.n > 0 && i < text.n && text.s[i] >= 'a' && text.s[i] <= 'z'; i++)
		if (i == program.n || text.s[i] != program.s[i])
			return NO;
	*ret = guard_rule_of(item);
	return guard_is_for(c, ret) ? match_command(w, ret->text, is_whole) : NO;
}

static void
check_list(struct guard_case *c, const struct sh_words *w, const struct guard_rule_list *list,
	   const char *name, enum guard_verdict verdict)
{
	for (size_t i = 0; i < list->count; i++) {
		struct guard_rule rule;
		enum match m = match_rule(c, w, &list->items[i], false, &rule);

		if (m == YES)
			guard_find(c, verdict, str_cat(c->arena, "commands.", name, "[", i, "]"),
				   rule.message.s ? rule.message
				   : verdict == GUARD_DENY
					   ? str_cat(c->arena, "`", c->subject, "` is denied by '", rule.text,
						     "' in holdfast.yml. Do it another way, or ask the user "
						     "to do it.")
					   : str_cat(c->arena, "`", c->subject,
						     "` needs the user's consent ('", rule.text,
						     "' in holdfast.yml)."));
		else if (m == MAYBE)
			guard_unknown(c, str_cat(c->arena, "it may be '", rule.text, "'"));
	}
}

static void
check_command(struct guard_case *c, const struct sh_command *command)
{
	const struct guards_config *g = c->config;
	struct sh_words w = sh_words_of(command);
	struct guard_rule allow = { .text = STR_NONE };
	const char *option = NULL;
	const struct sh_act *act = sh_act_of(&w, &option);
	bool is_allowed = false;

	c->subject = guard_shown(c->arena, command);
	for (size_t i = 0; i < g->commands.allow.count && !is_allowed; i++)
		is_allowed = match_rule(c, &w, &g->commands.allow.items[i], true, &allow) == YES;
	c->loads |= sh_files_of(&w)->files.does == SH_LOADS;
	if (command->problem.s && c->loads && guard_has(c, SH_REMOTE_CODE))
		guard_break(c, SH_REMOTE_CODE,
			    str_cat(c->arena, "This ", sh_act(SH_REMOTE_CODE)->what, ": ", command->problem));
	else if (command->problem.s)
		guard_unknown(c, command->problem);
	if (!is_allowed && command->count > 0) {
		check_list(c, &w, &g->commands.deny, "deny", GUARD_DENY);
		check_list(c, &w, &g->commands.ask, "ask", GUARD_ASK);
	}
	struct effects effects = effects_of(c->arena, &w);
	bool destroys = act != NULL;

	for (size_t i = 0; i < effects.count; i++)
		destroys |= effects.items[i].kind == EFFECT_DELETE && effects.items[i].is_recursive &&
			    !effects.items[i].is_move;
	/* what it does there can't be seen from here: if it would destroy something here, it may there */
	if (command->is_elsewhere && !is_allowed && destroys && guard_has(c, SH_UNSAVED))
		guard_unknown(c, STR("it deletes or overwrites on another machine or in a container"));
	if (command->is_elsewhere)
		return;
	if (act && !(is_allowed && (!option || str_find(allow.text, str_from(option)) >= 0)))
		break_rule(c, act, str_cat(c->arena, "`", c->subject, "` ", act->what));
	for (size_t i = 0; i < effects.count; i++)
		guard_check_effect(c, command, &effects.items[i]);
	guard_check_code(c, &w);
}

/* A command in a script that the line runs. People wrote it for purposes of their own, so only what it does for certain counts:
 * rules about commands, destroyed work, and changes of protected files. */
void
guard_check_scripted(struct guard_case *c, const struct sh_command *command)
{
	struct guard_case inner = *c;
	bool is_known = !sh_has_hole(command->cwd) && !command->may_be_elsewhere;

	for (size_t i = 0; i < command->count; i++)
		is_known &= !command->args[i].is_unknown;
	for (size_t i = 0; i < command->file_count; i++)
		is_known &= !command->files[i].path.is_unknown;
	if (!is_known)
		return;
	inner.ignores_secrets = true;
	inner.ignores_unknown = inner.ignores_new = true;
	check_command(&inner, command);
}

/* ---- the decision ---- */

/* Has the message of the same rule been said? One example is enough for an agent. */
static bool
is_said(const struct guard_decision *d, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (d->findings[i].verdict == d->verdict &&
		    (d->findings[at].set ? str_eq(d->findings[i].rule, d->findings[at].rule)
					 : str_eq(d->findings[i].message, d->findings[at].message)))
			return true;
	return false;
}

/* Of a line that can't be parsed, and that no shell would run either: would something in it be stopped if it were read without quotes and
 * operators? */
static bool
is_risky(struct guard_case *c, struct str text)
{
	struct guard_decision found = { .verdict = GUARD_ALLOW };
	struct guard_case inner = *c;
	struct buf plain = BUF(c->arena, SHELL_LIMIT_BYTES);

	/* > names a file that is written */
	text = str_replace(c->arena, text, STR(">"), STR("\ntee "));
	for (size_t i = 0; i < text.n; i++)
		buf_addc(&plain, str_find_char(STR("(){}`;|&\n"), text.s[i]) >= 0  ? '\n'
				 : str_find_char(STR("'\"$<>\\#"), text.s[i]) >= 0 ? ' '
										   : text.s[i]);
	struct sh_script s = sh_commands(
		c->arena, buf_str(&plain),
		&(struct sh_facts){ .cwd = c->request->cwd, .home = c->request->home });

	inner.decision = &found;
	for (size_t i = 0; i < s.count; i++)
		check_command(&inner, &s.items[i]);
	return s.problem.s || plain.is_cut || found.verdict != GUARD_ALLOW;
}

struct guard_decision
guard_decide(struct arena *a, const struct guards_config *config, const struct guard_request *request)
{
	struct guard_decision d = { .verdict = GUARD_ALLOW };
	struct buf all = BUF(a, REASON_LIMIT_BYTES);
	struct guard_case c = {
		.arena = a,
		.config = config,
		.request = request,
		.repository = { .root = request->root, .deadline_ms = request->deadline_ms },
		.decision = &d,
		.memory = &(struct guard_memory){ .questions = 0 },
	};

	if (config->rules.count > 0)
		guard_check_tool(&c);
	if (request->command.s) {
		c.subject = request->command;
		d.script = sh_commands(
			a, request->command,
			&(struct sh_facts){ request->cwd, request->home, guard_script, &c, request->root });
		if (d.script.problem.s && is_risky(&c, request->command))
			guard_unknown(&c, str_cat(a, "it can't be parsed: ", d.script.problem));
		for_each (one, d.script.items, d.script.count)
			(one->is_in_script ? guard_check_scripted : check_command)(&c, one);
	}
	for (size_t i = 0; i < request->paths.count; i++) {
		struct str given = request->paths.items[i];
		struct str path = path_normalise(a, path_from(a, request->cwd, given));

		c.subject = given;
		if (path.s && request->writes)
			guard_check_path(&c, EFFECT_WRITE, guard_real(a, path));
		if (path.s && request->reads)
			guard_check_path(&c, EFFECT_READ, guard_real(a, path));
	}
	/* the messages of the strictest findings, each once */
	for (size_t i = 0; i < d.count; i++)
		if (d.findings[i].verdict == d.verdict && !is_said(&d, i))
			buf_cat(&all, all.n > 0 ? "\n" : "", d.findings[i].message);
	d.message = all.n > 0 ? buf_str(&all) : STR_NONE;
	return d;
}
