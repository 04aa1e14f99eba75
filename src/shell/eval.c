/* SPDX-License-Identifier: MIT */
/* Walks the tree of a command line in the order in which it would run, and notes each simple command with what is known of its
 * words. A branch that may not run leaves its variables unknown. */
#include "shell/eval.h"

/* ---- variables ---- */

const struct sh_var *
sh_found(const struct sh_var *list, struct str name)
{
	while (list && !str_eq(list->name, name))
		list = list->next;
	return list;
}

struct str
sh_value(const struct sh_eval *e, struct str name)
{
	const struct sh_var *v = sh_found(e->vars, name);

	return v ? v->value : STR_NONE;
}

struct sh_var *
sh_added(struct sh_eval *e, const struct sh_var *to, struct str name, struct str value)
{
	struct sh_var *v = arena_new(e->arena, struct sh_var);

	*v = (struct sh_var){ .name = name, .value = value, .next = to };
	return v;
}

void
sh_set(struct sh_eval *e, struct str name, struct str value)
{
	e->vars = sh_added(e, e->vars, name, value);
}

/* ---- contexts ---- */

/* What a branch may have changed is unknown after it. */
static void
eval_maybe(struct sh_eval *e, const struct sh_node *n)
{
	const struct sh_var *before = e->vars;
	struct str cwd = e->now.cwd;

	sh_eval_node(e, n);
	const struct sh_var *after = e->vars;

	e->vars = before;
	for (const struct sh_var *v = after; v != before; v = v->next)
		sh_set(e, v->name, SH_UNKNOWN);
	if (e->output)
		buf_add(e->output, SH_UNKNOWN);
	if (!str_eq(e->now.cwd, cwd))
		e->now.may_be_elsewhere = true;
}

/* The right side of && and ||, whose variables are known to what follows in the same list. */
static void
eval_list(struct sh_eval *e, const struct sh_node *n)
{
	for (size_t i = 0; i < n->child_count; i++) {
		const struct sh_node *child = n->children[i];
		struct str cwd = e->now.cwd;

		(child->kind == SH_AND || child->kind == SH_OR ? eval_maybe : sh_eval_node)(e, child);
		/* cd x; rm y: the rm runs where it is if the cd fails */
		if (!str_eq(cwd, e->now.cwd))
			e->now.may_be_elsewhere = true;
	}
}

static void
eval_pipe(struct sh_eval *e, const struct sh_node *n)
{
	struct str input = e->now.input;
	const struct sh_command *selection = e->now.selection;

	for (size_t i = 0; i < n->child_count; i++) {
		bool is_last = i + 1 == n->child_count;
		struct buf output = BUF(e->arena, SHELL_LIMIT_BYTES);
		struct sh_eval inner = *e;
		size_t first = inner.script->count;

		inner.now.input = input;
		inner.now.is_piped = i > 0 || e->now.is_piped;
		inner.now.is_fed = i > 0 ? sh_has_hole(input) : e->now.is_fed;
		inner.now.selection = selection;
		inner.output = is_last ? e->output : &output;
		sh_eval_node(&inner, n->children[i]);
		input = output.is_cut ? SH_UNKNOWN : buf_str(&output);
		selection = sh_selection(e, first, i > 0 ? selection : NULL);
	}
}

static void
eval_for(struct sh_eval *e, const struct sh_node *n)
{
	struct sh_args values = { 0 };
	const struct sh_command *selection = e->now.selection;

	e->substituted = NULL;
	for (size_t i = 0; i < n->words.count; i++)
		sh_expand(e, &n->words.items[i], &values);
	if (e->substituted)
		e->now.selection = e->substituted;
	if (values.count == 0)
		sh_add_arg(e, &values, (struct sh_arg){ .text = SH_UNKNOWN });
	for (size_t i = 0; i < values.count; i++) {
		struct sh_var *v = sh_added(e, e->vars, n->name, values.items[i].text);

		v->is_matched = values.items[i].has_glob;
		e->vars = v;
		eval_maybe(e, n->children[0]);
		if (e->script->count > SHELL_COMMANDS_LIMIT)
			break;
	}
	e->now.selection = selection;
	sh_set(e, n->name, values.count == 1 ? values.items[0].text : SH_UNKNOWN);
}

/* ---- simple commands ---- */

/* The files of redirections; what a here-document says becomes the input. */
static void
add_redirects(struct sh_eval *e, const struct sh_node *n, struct sh_command *c)
{
	for_each (r, n->redirects, n->redirect_count) {
		struct str op = r->op;

		if (r->body) {
			c->input = sh_expand_one(e, r->body).text;
			c->has_text = true;
			continue;
		}
		struct sh_arg target = sh_expand_one(e, &r->target);

		if (str_is(op, "<<<")) {
			c->input = str_cat(e->arena, target.text, "\n");
			continue;
		}
		struct str fd = target.text;
		uint64_t ignored;

		/* >&2, <&3- and >&- have no file */
		fd.n -= str_ends(fd, STR("-"));
		bool is_fd = fd.n == 0 ? target.text.n > 0 : number_parse(fd, &ignored);

		if (is_fd && (str_is(op, ">&") || str_is(op, "<&")))
			continue;
		bool reads = op.s[0] == '<';

		if (reads && r->fd <= 0)
			c->input = str_is(target.text, "/dev/null") ? STR("") : SH_UNKNOWN;
		*arena_push(e->arena, c->files, c->file_count) = (struct sh_file){
			.path = target,
			.is_read = reads,
			.is_written = !reads || str_is(op, "<>"),
			.is_appended = str_ends(op, STR(">>")),
		};
	}
}

static void
eval_simple(struct sh_eval *e, const struct sh_node *n)
{
	struct sh_command c = e->now;
	struct sh_args args = { 0 };

	e->substituted = NULL;
	for_each (s, n->assigns, n->assign_count) {
		struct sh_args items = { 0 };
		struct str value = sh_expand_one(e, &s->value).text;

		for (size_t k = 0; k < s->items.count; k++)
			sh_expand(e, &s->items.items[k], &items);
		*arena_push(e->arena, c.assignments.items, c.assignments.count) = str_cat(e->arena, s->name,
											  "=", value);
	}
	for (size_t i = 0; i < n->words.count; i++)
		sh_expand(e, &n->words.items[i], &args);
	add_redirects(e, n, &c);
	if (e->substituted)
		c.selection = e->substituted;
	c.args = args.items;
	c.count = args.count;
	sh_eval_assignments(e, &c);
	if (c.count > 0) {
		sh_eval_command(e, &c);
		return;
	}
	for (size_t i = 0; i < n->assign_count; i++) {
		const struct sh_assign *s = &n->assigns[i];
		struct str old = sh_value(e, s->name);
		struct str value = str_rest(c.assignments.items[i], s->name.n + 1);

		if (s->appends)
			value = str_cat(e->arena, old.s ? old : SH_UNKNOWN, value);
		sh_set(e, s->name, s->is_list ? SH_UNKNOWN : value);
	}
	if (n->redirect_count > 0 || n->words.count > 0)
		sh_add_command(e, &c);
}

/* The redirections of a compound command are a command of their own, and the input of those in it. */
static void
eval_redirects(struct sh_eval *e, const struct sh_node *n)
{
	struct sh_command c = { .cwd = e->now.cwd,
				.may_be_elsewhere = e->now.may_be_elsewhere,
				.is_nested = e->now.is_nested };

	if (n->redirect_count == 0)
		return;
	e->substituted = NULL;
	add_redirects(e, n, &c);
	if (c.input.s) {
		e->now.input = c.input;
		e->now.is_fed = sh_has_hole(c.input);
		e->now.selection = e->substituted;
	}
	/* it does not empty a file: something is written there */
	for (size_t i = 0; i < c.file_count; i++)
		c.files[i].is_appended |= c.files[i].is_written;
	sh_add_command(e, &c);
}

/* ---- nodes ---- */

static void
eval_children(struct sh_eval *e, const struct sh_node *n, size_t from)
{
	for (size_t i = from; i < n->child_count; i++)
		eval_maybe(e, n->children[i]);
}

static void
eval_kind(struct sh_eval *e, const struct sh_node *n)
{
	const struct sh_var *before = e->vars;

	switch (n->kind) {
	case SH_SIMPLE:
		eval_simple(e, n);
		break;
	case SH_LIST:
		eval_list(e, n);
		break;
	case SH_PIPE:
		eval_pipe(e, n);
		break;
	case SH_AND:
	case SH_OR:
		sh_eval_node(e, n->children[0]);
		/* after a || b, what b sets is known only if a failed */
		(n->kind == SH_OR ? eval_maybe : sh_eval_node)(e, n->children[1]);
		break;
	case SH_SUBSHELL: {
		struct sh_eval apart = *e;

		sh_eval_node(&apart, n->children[0]);
		break;
	}
	case SH_GROUP:
	case SH_IF:
		sh_eval_node(e, n->children[0]);
		eval_children(e, n, 1);
		break;
	case SH_LOOP:
		eval_children(e, n, 0);
		/* where the body sets a variable, its second turn is not like its first */
		if (e->vars != before)
			eval_children(e, n, 0);
		break;
	case SH_FOR:
		eval_for(e, n);
		break;
	case SH_WORDS:
		for (size_t i = 0; i < n->words.count; i++)
			sh_eval_subscript(e, sh_expand_one(e, &n->words.items[i]).text);
		eval_children(e, n, 0);
		break;
	case SH_FUNCTION: {
		struct sh_var *f = sh_added(e, e->functions, n->name, STR(""));

		f->body = n->children[0];
		e->functions = f;
		break;
	}
	}
}

void
sh_eval_node(struct sh_eval *e, const struct sh_node *n)
{
	struct sh_command outer = e->now;

	if (e->depth >= SHELL_DEPTH_LIMIT || e->script->count > SHELL_COMMANDS_LIMIT ||
	    e->budget->steps == 0) {
		sh_add_problem(e, NULL, "it runs too many commands, or calls itself");
		return;
	}
	e->budget->steps--;
	e->depth++;
	if (n->kind != SH_SIMPLE)
		eval_redirects(e, n);
	eval_kind(e, n);
	e->now.input = outer.input;
	e->now.is_fed = outer.is_fed;
	e->now.selection = outer.selection;
	e->depth--;
}

void
sh_eval_text(struct sh_eval *e, struct str text)
{
	struct sh_node *tree;
	struct err err;

	if (text.n == 1 && text.s[0] == SH_HOLE && e->is_harmless)
		return;
	if (str_find_char(text, SH_HOLE) >= 0)
		sh_add_problem(e, NULL, "a part of the commands is the outcome of another command");
	else if (e->depth >= SHELL_DEPTH_LIMIT)
		sh_add_problem(e, NULL, "it is nested too deeply");
	else if (sh_parse(e->arena, text, &tree, &err) < 0)
		sh_add_problem(e, NULL, str_cat(e->arena, "it can't be parsed: ", err.msg).s);
	else {
		e->depth++;
		sh_eval_node(e, tree);
		e->depth--;
	}
}

/* ---- commands ---- */

void
sh_add_command(struct sh_eval *e, const struct sh_command *c)
{
	struct sh_script *s = e->script;

	if (s->count > SHELL_COMMANDS_LIMIT + 1)
		return;
	if (!c->problem.s)
		sh_note_written(e, c);
	struct sh_command *added = arena_push(e->arena, s->items, s->count);

	*added = *c;
	added->is_elsewhere |= e->now.is_elsewhere;
}

void
sh_add_problem(struct sh_eval *e, const struct sh_command *c, const char *problem)
{
	struct sh_command other = c ? *c : (struct sh_command){ .cwd = e->now.cwd, .is_nested = true };

	other.problem = str_from(problem);
	sh_add_command(e, &other);
}

static bool
eval_function(struct sh_eval *e, const struct sh_command *c)
{
	const struct sh_var *f = sh_found(e->functions, c->args[0].text);
	struct sh_args outer = e->positional;
	struct str input = e->now.input;

	if (!f)
		return false;
	const struct sh_var *before = e->vars;

	e->positional = sh_args_from(c, 1);
	e->now.input = c->input;
	sh_eval_node(e, f->body);
	e->positional = outer;
	e->now.input = input;
	/* what is local is as it was before */
	for (const struct sh_var *v = e->vars; v && v != before; v = v->next)
		if (v->is_local) {
			const struct sh_var *old = sh_found(before, v->name);

			sh_set(e, v->name, old ? old->value : STR("\xFE"));
		}
	return true;
}

/* The words of an alias come before the others. */
static bool
eval_alias(struct sh_eval *e, const struct sh_command *c)
{
	const struct sh_var *aliases = e->aliases, *v = sh_found(aliases, c->args[0].text);
	struct buf text = BUF(e->arena, SHELL_LIMIT_BYTES);

	if (!v)
		return false;
	buf_add(&text, v->value);
	for (size_t i = 1; i < c->count; i++)
		buf_cat(&text, " ", c->args[i].source);
	/* an alias is not looked at while it is expanded */
	e->aliases = NULL;
	sh_eval_text(e, buf_str(&text));
	e->aliases = aliases;
	return true;
}

/* "$PYTHON" -m pytest: a variable that says which of the programs of a kind stands for the usual one. */
static void
name_kind(struct sh_eval *e, struct sh_command *c)
{
	static const char kinds[] =
		"PYTHON PIP NODE NPM YARN PNPM BUN CC CXX LD AR CARGO RUSTC GO RUBY JAVA MVN "
		"GRADLE MAKE CMAKE NINJA PYTEST TSC PHP COMPOSER CLANG GCC JQ CURL";
	struct str name = str_trim_start(str_trim_start(str_trim_start(c->args[0].source, '"'), '$'), '{');
	struct sh_args args = { 0 };

	name.n = sh_name_length(name, 0);
	if (!str_is(c->args[0].text, "\xFE") || !str_is_word_of(name, kinds))
		return;
	for (size_t i = 0; i < c->count; i++)
		sh_add_arg(e, &args, c->args[i]);
	struct buf lower = BUF(e->arena, SIZE_MAX);

	for (size_t i = 0; i < name.n; i++)
		buf_addc(&lower, name.s[i] | 0x20);
	args.items[0].text = buf_str(&lower);
	args.items[0].is_unknown = false;
	c->args = args.items;
}

void
sh_eval_command(struct sh_eval *e, struct sh_command *c)
{
	name_kind(e, c);
	const struct sh_arg *program = &c->args[0];

	if (e->depth >= SHELL_DEPTH_LIMIT) {
		sh_add_problem(e, c, "it is nested too deeply");
		return;
	}
	e->depth++;
	if (sh_has_hole(path_base(program->text)) || program->has_glob)
		sh_add_problem(e, c, "the name of the program is not in the command line");
	else if (!eval_alias(e, c) && !eval_function(e, c) && !sh_eval_program(e, c)) {
		sh_add_command(e, c);
		sh_add_output(e, c);
	}
	e->depth--;
}

struct str
sh_program(const struct sh_command *c)
{
	return c->count > 0 ? path_base(c->args[0].text) : STR("");
}

struct sh_script
sh_commands(struct arena *a, struct str text, const struct sh_facts *facts)
{
	struct sh_script s = { 0 };
	struct sh_budget budget = { SHELL_STEPS_LIMIT, SHELL_EXPANDED_LIMIT_BYTES };
	struct sh_budget scripts = { SHELL_SCRIPT_STEPS_LIMIT, SHELL_SCRIPT_LIMIT_BYTES };
	struct str_list traps = { 0 };
	const struct sh_var *written = NULL;
	struct sh_eval e = { .budget = &budget,
			     .scripts = &scripts,
			     .traps = &traps,
			     .written = &written,
			     .arena = a,
			     .facts = facts,
			     .script = &s,
			     .now.cwd = facts->cwd };
	struct sh_node *tree;
	struct err err;

	if (sh_parse(a, text, &tree, &err) < 0) {
		s.problem = str_copy(a, str_from(err.msg));
		return s;
	}
	sh_eval_node(&e, tree);
	/* variables may be set after the trap is */
	for (size_t i = 0; i < traps.count; i++)
		sh_eval_text(&e, traps.items[i]);
	return s;
}
