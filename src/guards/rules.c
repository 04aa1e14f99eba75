/* SPDX-License-Identifier: MIT */
/* The decision: every rule is asked about every command and every path; the strictest answer counts. */
#include "guards/rules.h"

#include "base/glob.h"
#include "base/path.h"
#include "guards/effects.h"

const char *
guard_verdict_name(enum guard_verdict verdict)
{
	static const char *const names[] = { "allow", "ask", "deny" };

	return names[verdict];
}

void
guard_find(struct guard_case *c, enum guard_verdict verdict, struct str rule, struct str subject,
	   struct str message)
{
	struct guard_decision *d = c->decision;

	for (size_t i = 0; i < d->count; i++)
		if (str_eq(d->findings[i].rule, rule) && str_eq(d->findings[i].message, message))
			return;
	arena_make_room(c->arena, d->findings, d->count, &d->capacity);
	d->findings[d->count++] = (struct guard_finding){ verdict, rule, subject, message };
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
guard_shown(struct arena *a, const struct sh_command *c)
{
	struct buf b = BUF(a, COMMAND_SHOWN_BYTES);

	for (size_t i = 0; i < c->count && !b.is_cut; i++) {
		buf_add(&b, i > 0 ? STR(" ") : STR(""));
		for (size_t k = 0; k < c->args[i].text.n && !b.is_cut; k++) {
			char byte = c->args[i].text.s[k];

			if (byte == SH_HOLE || byte == SH_HOLE_ENV)
				buf_add(&b, STR("…"));
			else
				buf_addc(&b, byte);
		}
	}
	for (size_t i = 0; i < c->file_count && c->count == 0 && !b.is_cut; i++)
		buf_addf(&b, "%s " STR_FMT, c->files[i].is_written ? ">" : "<",
			 STR_ARG(c->files[i].path.source));
	return buf_str(&b);
}

void
guard_unknown(struct guard_case *c, struct str subject, struct str why)
{
	const struct guards_config *g = c->config;
	enum guard_verdict verdict = str_is(g->unknown, "deny")  ? GUARD_DENY
				     : str_is(g->unknown, "ask") ? GUARD_ASK
								 : GUARD_ALLOW;

	/* without a rule that it could break, it may be anything */
	if (verdict == GUARD_ALLOW || c->ignores_unknown ||
	    g->use.count + g->protect.count + g->commands.deny.count + g->commands.ask.count == 0)
		return;
	guard_find(c, verdict, STR("unknown"), subject,
		   str_fmt(c->arena,
			   "holdfast can't tell what this does: " STR_FMT
			   ". Write the command plainly, with the names that it "
			   "works on.",
			   STR_ARG(why)));
}

/* ---- commands ---- */

enum match { NO, MAYBE, YES };

static enum match
match_word(struct str pattern, struct str word, bool is_unknown)
{
	/* most rules have none, and there may be many */
	if (glob_has_wildcard(pattern) ? glob_match(pattern, word) : str_eq(pattern, word))
		return YES;
	return is_unknown ? MAYBE : NO;
}

/* The words of a rule, in this order; its options anywhere. A rule that allows has to name all words, or end in *. */
static enum match
match_command(const struct sh_command *c, const struct words *w, struct str rule, bool is_whole)
{
	struct str rest = rule, one, last = STR("");
	enum match result = YES;
	size_t at = 0;

	while (str_next(&rest, ' ', &one)) {
		enum match m;

		if (one.n == 0)
			continue;
		last = one;
		if (one.n > 1 && one.s[0] == '-') {
			bool is_there = false;

			for (size_t i = 1; i < c->count; i++)
				is_there |= glob_match(one, c->args[i].text);
			m = is_there ? YES : NO;
		} else {
			if (at == 0 && path_is_absolute(one) && c->count > 0)
				m = match_word(one, c->args[0].text, sh_has_hole(c->args[0].text));
			else
				m = at < w->count ? match_word(one, w->items[at], w->unknown >> at & 1) : NO;
			at++;
		}
		if (m < result)
			result = m;
		if (result == NO)
			return NO;
	}
	if (is_whole && (result != YES || (at < w->count && !str_is(last, "*"))))
		return NO;
	return result;
}

/* The name of the program; empty: not known. */
static struct str
program_of(const struct words *w)
{
	return w->count > 0 && !(w->unknown & 1) ? w->items[0] : STR("");
}

/* Of a thousand rules, most are for another program: one of the letters at the start differs. */
static bool
is_for_another(struct str program, struct str rule)
{
	for (size_t i = 0; program.n > 0 && i < rule.n && rule.s[i] >= 'a' && rule.s[i] <= 'z'; i++)
		if (i == program.n || rule.s[i] != program.s[i])
			return true;
	return false;
}

static bool
rule_names(struct str rule, const char *option)
{
	return option && str_find(rule, str_from(option)) >= 0;
}

/* The text of the rule that allows the command; absent: none does. */
static struct str
allowing(struct guard_case *c, const struct sh_command *command, const struct words *w)
{
	const struct guard_rule_list *list = &c->config->commands.allow;
	struct str program = program_of(w);

	for (size_t i = 0; i < list->count; i++) {
		struct guard_rule rule = guard_rule_of(&list->items[i]);

		if (!is_for_another(program, rule.text) && guard_is_for(c, &rule) &&
		    match_command(command, w, rule.text, true) == YES)
			return rule.text;
	}
	return STR_NONE;
}

static void
check_list(struct guard_case *c, const struct sh_command *command, const struct words *w,
	   const struct guard_rule_list *list, const char *name, enum guard_verdict verdict)
{
	struct str program = program_of(w);

	for (size_t i = 0; i < list->count; i++) {
		if (is_for_another(program, guard_rule_text(&list->items[i])))
			continue;
		struct guard_rule rule = guard_rule_of(&list->items[i]);
		enum match m = guard_is_for(c, &rule) ? match_command(command, w, rule.text, false) : NO;
		struct str shown = m == NO ? STR("") : guard_shown(c->arena, command);

		if (m == YES)
			guard_find(c, verdict, str_fmt(c->arena, "commands.%s[%zu]", name, i), shown,
				   rule.message.s ? rule.message
				   : verdict == GUARD_DENY
					   ? str_fmt(c->arena,
						     "`" STR_FMT "` is denied by '" STR_FMT
						     "' in holdfast.yml. Do it another way, or ask "
						     "the user to do it.",
						     STR_ARG(shown), STR_ARG(rule.text))
					   : str_fmt(c->arena,
						     "`" STR_FMT "` needs the user's consent ('" STR_FMT
						     "' in holdfast.yml).",
						     STR_ARG(shown), STR_ARG(rule.text)));
		else if (m == MAYBE)
			guard_unknown(c, shown,
				      str_fmt(c->arena, "it may be '" STR_FMT "'", STR_ARG(rule.text)));
	}
}

/* Texts in quotes in the code of another language are looked at as paths. */
static void
check_code(struct guard_case *c, const struct sh_command *command)
{
	struct str code = inline_code(command), shown = guard_shown(c->arena, command);
	bool writes;

	if (!code.s)
		return;
	if (c->is_destructive && code_destroys(code))
		guard_unknown(c, shown, STR("the code deletes files or runs commands"));
	if (c->is_destructive && code.n == 1 && code.s[0] == SH_HOLE)
		guard_unknown(c, shown, STR("the code is the outcome of another command"));
	writes = code_writes(code);
	for (size_t i = 0; i < code.n; i++) {
		size_t end = i + 1;

		if (code.s[i] != '\'' && code.s[i] != '"' && code.s[i] != '`')
			continue;
		while (end < code.n && code.s[end] != code.s[i] && code.s[end] != '\n')
			end++;
		struct sh_arg path = { .text = str_sub(code, i + 1, end), .source = STR("code") };
		struct effect e = { .kind = writes ? EFFECT_WRITE : EFFECT_READ, .path = path };

		if (end < code.n && path.text.n > 0 && path.text.n < PATH_LIMIT_BYTES &&
		    str_find_char(path.text, ' ') < 0) {
			/* new files are not told from other texts */
			struct guards_config rest = *c->config;
			struct guard_case inner = *c;

			rest.create = (struct guard_rule_list){ 0 };
			inner.config = &rest;
			guard_check_effect(&inner, command, &e);
			e.kind = EFFECT_READ;
			guard_check_effect(&inner, command, &e);
		}
		i = end;
	}
}

/* What a command does on another machine or in a container can't be seen from here: if it would destroy something here, it may there. */
static void
check_elsewhere(struct guard_case *c, const struct sh_command *command, const struct act *act,
		struct str shown)
{
	struct effects effects = { 0 };
	bool destroys = act != NULL;

	effects_of(c->arena, command, &effects);
	for (size_t i = 0; i < effects.count; i++)
		destroys |= effects.items[i].kind == EFFECT_DELETE && effects.items[i].is_recursive &&
			    !effects.items[i].is_move;
	if (c->is_destructive && destroys)
		guard_unknown(c, shown, STR("it deletes or overwrites on another machine or in a container"));
}

static void
check_command(struct guard_case *c, const struct sh_command *command)
{
	struct words w = words_of(command);
	struct str allow = allowing(c, command, &w);
	const struct act *act = c->is_destructive ? act_of(command) : NULL;
	struct str shown = guard_shown(c->arena, command);
	struct effects effects = { 0 };

	if (command->problem.s)
		guard_unknown(c, shown, command->problem);
	if (!allow.s && command->count > 0) {
		check_list(c, command, &w, &c->config->commands.deny, "deny", GUARD_DENY);
		check_list(c, command, &w, &c->config->commands.ask, "ask", GUARD_ASK);
	}
	if (command->is_elsewhere) {
		if (!allow.s)
			check_elsewhere(c, command, act, shown);
		return;
	}
	if (act && !(allow.s && (!act->option || rule_names(allow, act->option))))
		guard_find(c, act->verdict == ACT_DENY ? GUARD_DENY : GUARD_ASK, STR("destructive"), shown,
			   str_fmt(c->arena, "`" STR_FMT "` %s. Instead: %s.", STR_ARG(shown), act->what,
				   act->instead));
	effects_of(c->arena, command, &effects);
	for (size_t i = 0; i < effects.count; i++)
		guard_check_effect(c, command, &effects.items[i]);
	check_code(c, command);
}

/* A command in a script that the line runs. People wrote it for purposes of their own, so only what it does for certain counts:
 * rules about commands, destroyed work, and changes of protected files. */
static void
check_scripted(struct guard_case *c, const struct sh_command *command)
{
	struct guards_config rest = *c->config;
	struct guard_case inner = *c;
	bool is_known = !sh_has_hole(command->cwd) && !command->may_be_elsewhere;

	for (size_t i = 0; i < command->count; i++)
		is_known &= !command->args[i].is_unknown;
	for (size_t i = 0; i < command->file_count; i++)
		is_known &= !command->files[i].path.is_unknown;
	if (!is_known)
		return;
	rest.create = (struct guard_rule_list){ 0 };
	inner.config = &rest;
	inner.has_secrets = false;
	inner.ignores_unknown = true;
	check_command(&inner, command);
}

/* ---- the decision ---- */

static void
check_paths(struct guard_case *c)
{
	const struct guard_request *r = c->request;

	for (size_t i = 0; i < r->paths.count; i++) {
		struct str path = path_normalise(c->arena, path_from(c->arena, r->cwd, r->paths.items[i]));

		if (!path.s)
			continue;
		path = c->world->real(c->world->data, c->arena, path);
		if (r->writes)
			guard_check_write(c, path, r->paths.items[i]);
		if (r->reads)
			guard_check_read(c, path, r->paths.items[i]);
	}
}

static bool
uses(const struct guards_config *g, const char *set)
{
	for (size_t i = 0; i < g->use.count; i++)
		if (str_is(g->use.items[i], set))
			return true;
	return false;
}

/* The messages of the strictest findings, each once. */
static void
conclude(struct arena *a, struct guard_decision *d)
{
	struct buf b = BUF(a, REASON_LIMIT_BYTES);

	for (size_t i = 0; i < d->count; i++)
		if (d->findings[i].verdict > d->verdict)
			d->verdict = d->findings[i].verdict;
	for (size_t i = 0; i < d->count; i++)
		if (d->findings[i].verdict == d->verdict && d->verdict != GUARD_ALLOW &&
		    str_find(buf_str(&b), d->findings[i].message) < 0)
			buf_addf(&b, "%s" STR_FMT, b.n > 0 ? "\n" : "", STR_ARG(d->findings[i].message));
	d->message = b.n > 0 ? buf_str(&b) : STR_NONE;
}

struct guard_decision
guard_decide(struct arena *a, const struct guards_config *config, const struct guard_request *request,
	     const struct guard_world *world)
{
	struct guard_decision d = { .verdict = GUARD_ALLOW };
	struct guard_case c = {
		.arena = a,
		.config = config,
		.request = request,
		.world = world,
		.decision = &d,
		.is_destructive = uses(config, "destructive"),
		.has_secrets = uses(config, "secrets"),
	};

	if (request->command.s) {
		d.script = sh_commands(
			a, request->command,
			&(struct sh_facts){ request->cwd, request->home, world->script, world->data });
		if (d.script.problem.s)
			guard_unknown(&c, request->command,
				      str_fmt(a, "it can't be parsed: " STR_FMT, STR_ARG(d.script.problem)));
		for (size_t i = 0; i < d.script.count; i++)
			(d.script.items[i].is_in_script ? check_scripted : check_command)(&c,
											  &d.script.items[i]);
	}
	check_paths(&c);
	conclude(a, &d);
	return d;
}
