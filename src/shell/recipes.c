/* SPDX-License-Identifier: MIT */
/* What is run because a file says so: scripts, recipes of make and just, scripts of package.json. A script is judged apart from the line
 * that runs it: its variables and its mistakes are its own. All scripts of a line have one bound. Of make, functions and conditions are
 * not evaluated. */
#include "shell/eval.h"

#include "doc/json.h"

#define SCRIPT_COMMANDS 500
/* A script may run others. */
#define SCRIPT_DEPTH 4
/* Targets that are followed for one command. */
#define TARGETS_MAX 32
#define VARIABLE_DEPTH 4

/* ---- scripts ---- */

/* #!/bin/sh, #!/usr/bin/env bash, #!/bin/bash -e */
static bool
is_for_shell(struct str text)
{
	struct str line, word;

	if (!str_starts(text, STR("#!")) || !str_next(&text, '\n', &line))
		return false;
	(void)str_skip(&line, "#!");
	while (str_next(&line, ' ', &word))
		if (word.n > 0 && word.s[0] != '-' && str_ends(str_trim(word), STR("sh")))
			return true;
	return false;
}

struct str
sh_text_of_file(struct sh_eval *e, const struct sh_command *c, struct str file)
{
	struct str path = path_normalise(e->arena, path_from(e->arena, c->cwd, file));

	if (str_is(file, "-") || str_is(file, "/dev/stdin"))
		return c->input.s && !sh_has_hole(c->input) ? c->input : STR_NONE;
	if (!e->facts->script || !path.s || e->now.is_elsewhere || sh_has_hole(path))
		return STR_NONE;
	struct str text = e->facts->script(e->facts->data, e->arena, path);

	if (text.n > e->scripts->bytes)
		return STR_NONE;
	e->scripts->bytes -= text.n;
	return text;
}

/* The text, which a file has for the command, is run by a shell of its own: only what it does for certain counts. */
static void
eval_apart(struct sh_eval *e, const struct sh_command *c, struct str zero, struct str text,
	   struct sh_args positional)
{
	struct sh_script script = { 0 };
	struct str_list traps = { 0 };
	struct sh_eval inner = {
		.arena = e->arena,
		.budget = e->scripts,
		.scripts = e->scripts,
		.facts = e->facts,
		.script = &script,
		.traps = &traps,
		.written = e->written,
		.zero = zero,
		.positional = positional,
		.now = { .cwd = c->cwd, .may_be_elsewhere = c->may_be_elsewhere, .is_nested = true },
		.depth = e->depth,
		.script_depth = e->script_depth + 1,
	};

	if (e->script_depth < SCRIPT_DEPTH)
		sh_eval_text(&inner, text);
	for (size_t i = 0; i < script.count && i < SCRIPT_COMMANDS; i++) {
		script.items[i].is_in_script = true;
		sh_add_command(e, &script.items[i]);
	}
}

void
sh_eval_script(struct sh_eval *e, const struct sh_command *c, struct str file, size_t first)
{
	struct str path = path_normalise(e->arena, path_from(e->arena, c->cwd, file)), text = STR_NONE;
	struct sh_args args = sh_args_from(c, first), outer = e->positional;
	const struct sh_var *v = path.s && !e->now.is_elsewhere ? sh_found(*e->written, path) : NULL;

	if (v && first == 1 && str_starts(v->value, STR("#!")) && !is_for_shell(v->value))
		return;
	/* a script that the line itself has written is a part of it */
	if (v) {
		e->positional = args;
		sh_run_text(e, v->value, c->input);
		e->positional = outer;
		return;
	}
	if (e->script_depth < SCRIPT_DEPTH)
		text = sh_text_of_file(e, c, file);
	if (text.s && (first != 1 || is_for_shell(text)))
		eval_apart(e, c, file, text, args);
}

/* ---- package.json ---- */

/* A script with the arguments from `rest` on, and those that npm runs before and after it. */
static void
run_package_script(struct sh_eval *e, const struct sh_command *c, struct str name, size_t rest)
{
	static const char *const times[] = { "pre", "", "post" };
	struct str json = sh_text_of_file(e, c, STR("package.json"));
	struct node package;

	if (!json.s || json_parse(e->arena, json, &package, IGNORED) < 0)
		return;
	const struct node *scripts = node_get(&package, "scripts");

	if (!node_get_str(scripts, str_copy(e->arena, name).s).s)
		return;
	rest += rest < c->count && str_is(c->args[rest].text, "--");
	for (size_t i = 0; i < COUNT_OF(times); i++) {
		struct str script = node_get_str(scripts, str_cat(e->arena, times[i], name).s);
		struct buf text = BUF(e->arena, SHELL_LIMIT_BYTES);

		buf_add(&text, script);
		for (size_t k = rest; !*times[i] && k < c->count; k++)
			buf_cat(&text, " ", c->args[k].source);
		if (script.s)
			eval_apart(e, c, STR_NONE, buf_str(&text), (struct sh_args){ 0 });
	}
}

/* run NAME; of all but npm, NAME too */
enum sh_ran
sh_run_script(struct sh_eval *e, struct sh_command *c)
{
	struct sh_command moved = *c;
	bool is_run = false, is_npm = str_starts(sh_program(c), STR("npm"));
	bool is_node = str_is(sh_program(c), "node");

	for (struct sh_option o = sh_options(c, "CFw --prefix --cwd --dir --workspace --filter --run");
	     sh_next_option(&o);) {
		struct str t = o.value.text;

		if (is_node && o.name.s && sh_is_option(&o, " --run"))
			run_package_script(e, &moved, t, o.at);
		if (is_node && o.name.s)
			continue;
		if (is_node)
			return SH_RAN_NOTHING;
		if (sh_is_option(&o, "Fw --workspace --workspaces --filter"))
			return SH_RAN_NOTHING;
		if (sh_is_option(&o, "C --prefix --cwd --dir"))
			moved.cwd = path_from(e->arena, c->cwd, t);
		else if (!o.name.s && !is_run && str_is_word_of(t, "run run-script"))
			is_run = true;
		else if (!o.name.s && t.n > 0) {
			if (is_run || !is_npm || str_is_word_of(t, "test t start stop restart"))
				run_package_script(e, &moved, str_is(t, "t") ? STR("test") : t, o.at);
			return SH_RAN_NOTHING;
		}
	}
	return SH_RAN_NOTHING;
}

/* ---- make and just ---- */

struct book {
	struct str text;
	bool is_just;
	const struct sh_var *vars;
	struct str seen[TARGETS_MAX];
	size_t seen_count;
};

struct rule {
	struct str needs, recipe; /* lines up to the next rule */
};

static bool
is_recipe_line(const struct book *k, struct str line)
{
	return line.n > 0 && (line.s[0] == '\t' || (k->is_just && line.s[0] == ' '));
}

/* name = value, name := value; false: it is none */
static bool
read_variable(struct str line, struct str *ret_name, struct str *ret_value)
{
	ptrdiff_t equals = str_find_char(line, '=');
	size_t end = equals > 0 ? (size_t)equals : 0;

	while (end > 0 && str_find_char(STR(":?+ \t"), line.s[end - 1]) >= 0)
		end--;
	*ret_name = str_trim(str_sub(line, 0, end));
	*ret_value = str_trim(str_rest(line, (size_t)(equals + 1)));
	return equals > 0 && sh_is_name(*ret_name);
}

/* The rule of a target; of the first one if the target is absent. Its name is written to *target then. */
static bool
find_rule(const struct book *k, struct str *target, struct rule *ret)
{
	struct str rest = k->text, line;
	bool is_found = false;

	while (str_next(&rest, '\n', &line)) {
		struct str heads = str_before(line, ':'), needs = str_rest(line, heads.n + 1), name, word;
		bool is_recipe = is_recipe_line(k, line), is_it = false;

		if (is_found && is_recipe)
			ret->recipe.n = (size_t)(line.s + line.n - ret->recipe.s);
		if (is_found && !is_recipe && str_trim(line).n > 0)
			break;
		if (is_found || heads.n == 0 || heads.n == line.n || is_recipe || line.s[0] == '#' ||
		    read_variable(line, &name, &word))
			continue;
		heads = str_trim(heads);
		name = str_before(heads, ' ');
		(void)str_skip(&name, "@");
		bool is_first = !target->s && name.n > 0 && name.s[0] != '.' && str_find_char(name, '%') < 0;

		if (target->s && k->is_just)
			is_it = str_eq(name, *target);
		while (target->s && !k->is_just && !is_it && str_next(&heads, ' ', &word))
			is_it = str_eq(str_trim(word), *target);
		if (!is_first && !is_it)
			continue;
		*target = is_first ? name : *target;
		ret->needs = str_trim(needs);
		ret->recipe = (struct str){ rest.s, 0 };
		is_found = rest.s != NULL;
	}
	return is_found;
}

static bool
take_step(struct sh_eval *e)
{
	if (e->scripts->steps == 0)
		return false;
	e->scripts->steps--;
	return true;
}

/* A line of a recipe with the variables of make filled in. */
static void
expand(struct sh_eval *e, const struct book *k, struct str t, struct str target, struct str needs, int depth,
       struct buf *ret)
{
	for (size_t i = 0; i < t.n && !ret->is_cut; i++) {
		char next = i + 1 < t.n ? t.s[i + 1] : '\0';
		bool is_just = k->is_just && t.s[i] == '{' && next == '{';

		if (!is_just && (t.s[i] != '$' || k->is_just)) {
			buf_addc(ret, t.s[i]);
			continue;
		}
		i++;
		if (next == '(' || next == '{') {
			struct str rest = str_rest(t, i + 1),
				   inner = str_before(rest, next == '(' ? ')' : '}');
			const struct sh_var *v = sh_found(k->vars, str_trim(inner));

			if (depth < VARIABLE_DEPTH && take_step(e))
				expand(e, k, v ? v->value : STR("\xFE"), target, needs, depth + 1, ret);
			if (str_trim(inner).n > 0 || inner.n < rest.n)
				i += inner.n + 1;
			i += is_just;
		} else if (next == '@')
			buf_add(ret, target);
		else if (next == '<' || next == '^')
			buf_add(ret, next == '<' ? str_before(needs, ' ') : needs);
		else
			buf_addc(ret, next == '$' ? '$' : SH_HOLE_ENV);
	}
}

static void
run_target(struct sh_eval *e, const struct sh_command *c, struct book *k, struct str target)
{
	struct rule r;
	struct str line, rest, need;

	if (k->seen_count == TARGETS_MAX || !take_step(e) || !find_rule(k, &target, &r) ||
	    str_is_among(target, k->seen, k->seen_count))
		return;
	k->seen[k->seen_count++] = target;
	for (rest = r.needs; str_next(&rest, ' ', &need);)
		if (need.n > 0)
			run_target(e, c, k, need);
	struct buf text = BUF(e->arena, e->scripts->bytes);
	struct str own = str_rest(r.needs, str_before(r.needs, ';').n + 1);

	/* all: needs; recipe */
	if (own.n > 0) {
		expand(e, k, own, target, STR(""), 0, &text);
		eval_apart(e, c, STR_NONE, buf_str(&text), (struct sh_args){ 0 });
		text = BUF(e->arena, e->scripts->bytes);
	}
	for (rest = r.recipe; rest.n > 0 && str_next(&rest, '\n', &line);) {
		bool goes_on = str_ends(line, STR("\\"));

		line = str_trim(line);
		while (text.n == 0 && line.n > 0 && str_find_char(STR("@-+ "), line.s[0]) >= 0)
			line = str_rest(line, 1);
		expand(e, k, line, target, r.needs, 0, &text);
		buf_addc(&text, '\n');
		if (goes_on && rest.n > 0)
			continue;
		if (text.is_cut)
			return;
		e->scripts->bytes -= text.n;
		eval_apart(e, c, STR_NONE, buf_str(&text), (struct sh_args){ 0 });
		text = BUF(e->arena, e->scripts->bytes);
	}
}

/* make [-C DIR] [-f FILE] [NAME=VALUE] [TARGET...], and just */
enum sh_ran
sh_run_make(struct sh_eval *e, struct sh_command *c)
{
	bool is_just = str_starts(sh_program(c), STR("just"));
	struct book k = { .is_just = is_just };
	struct sh_command moved = *c;
	struct str file = STR_NONE, targets[TARGETS_MAX], name, value;
	const struct sh_var *given = NULL;
	size_t count = 0;

	/* it runs nothing */
	if (sh_has_exactly(c, is_just ? "nl --dry-run --list" : "nq --dry-run --just-print"))
		return SH_RAN_NOTHING;
	for (struct sh_option o = sh_options(c, is_just ? "fd --justfile --working-directory"
							: "Cf --directory --file --makefile");
	     sh_next_option(&o);) {
		struct str t = o.value.text;

		if (sh_is_option(&o, "Cd --directory --working-directory"))
			moved.cwd = path_from(e->arena, c->cwd, t);
		else if (sh_is_option(&o, "f --file --makefile --justfile"))
			file = t;
		/* how many at once, up to which load */
		else if (o.name.s && str_is_word_of(o.name, "-j -l") && o.at < c->count)
			o.at += str_digits(c->args[o.at].text, 0) > 0;
		else if (!o.name.s && read_variable(t, &name, &value)) {
			given = sh_added(e, given, name, value);
			if (str_is(name, "SHELL"))
				sh_add_problem(e, c, "another program runs the recipes");
		} else if (!o.name.s && t.n > 0 && count < TARGETS_MAX)
			targets[count++] = t;
	}
	struct str names = is_just ? STR("justfile .justfile Justfile")
				   : STR("GNUmakefile makefile Makefile");

	if (file.s)
		k.text = sh_text_of_file(e, &moved, file);
	while (!file.s && !k.text.s && str_next(&names, ' ', &name))
		k.text = sh_text_of_file(e, &moved, name);
	if (!k.text.s)
		return SH_RAN_NOTHING;
	k.vars = sh_added(e, NULL, STR("RM"), STR("rm -f"));
	k.vars = sh_added(e, k.vars, STR("MAKE"), STR("make"));
	for (struct str rest = k.text, line; str_next(&rest, '\n', &line);)
		if (!is_recipe_line(&k, line) && read_variable(line, &name, &value)) {
			if (is_just && value.n > 1 && value.s[0] == '"')
				value = str_sub(value, 1, value.n - 1);
			k.vars = sh_added(e, k.vars, name, value);
		}
	for (; given; given = given->next)
		k.vars = sh_added(e, k.vars, given->name, given->value);
	if (count == 0)
		run_target(e, &moved, &k, STR_NONE);
	for (size_t i = 0; i < count; i++)
		run_target(e, &moved, &k, targets[i]);
	return SH_RAN_NOTHING;
}
