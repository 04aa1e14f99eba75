/* SPDX-License-Identifier: MIT */
/* What make, just and npm run because a file of the project says so: recipes of targets and scripts of package.json. A simple reading:
 * functions of make and conditions are not evaluated, and nothing is run. */
#include "shell/eval.h"

#include "base/path.h"

/* Targets that are followed for one command. */
#define TARGETS_MAX 32
#define VARIABLE_DEPTH 4

/* ---- package.json ---- */

/* The string of JSON at `at`, which is its first quote; *at is after it. Absent: it is none. */
static struct str
json_string(struct sh_eval *e, struct str t, size_t *at)
{
	struct buf b = BUF(e->arena, SHELL_LIMIT_BYTES);

	if (*at >= t.n || t.s[*at] != '"')
		return STR_NONE;
	for ((*at)++; *at < t.n && t.s[*at] != '"'; (*at)++) {
		char c = t.s[*at];

		if (c == '\\' && *at + 1 < t.n) {
			c = t.s[++*at];
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
		}
		buf_addc(&b, c);
	}
	(*at)++;
	return buf_str(&b);
}

static size_t
after_blanks(struct str t, size_t at, const char *others)
{
	while (at < t.n &&
	       (str_find_char(STR(" \t\r\n"), t.s[at]) >= 0 || str_find_char(str_from(others), t.s[at]) >= 0))
		at++;
	return at;
}

/* The member of that name in the object at `at`; absent: there is none. */
static struct str
member_of(struct sh_eval *e, struct str json, size_t at, struct str name)
{
	if (at >= json.n || json.s[at] != '{')
		return STR_NONE;
	for (at = after_blanks(json, at + 1, ","); at < json.n && json.s[at] != '}';
	     at = after_blanks(json, at, ",")) {
		struct str key = json_string(e, json, &at);

		at = after_blanks(json, at, ":");
		struct str value = json_string(e, json, &at);

		if (!key.s || !value.s)
			return STR_NONE;
		if (str_eq(key, name))
			return value;
	}
	return STR_NONE;
}

/* The script of that name; absent: there is none. "scripts" may be a word elsewhere in the file. */
static struct str
script_of(struct sh_eval *e, struct str json, struct str name)
{
	struct str key = STR("\"scripts\""), found = STR_NONE;
	size_t at = 0;

	while (!found.s && at < json.n) {
		ptrdiff_t start = str_find(str_sub(json, at, json.n), key);

		if (start < 0)
			break;
		at += (size_t)start + key.n;
		found = member_of(e, json, after_blanks(json, at, ":"), name);
	}
	return found;
}

static void
run_package_script(struct sh_eval *e, const struct sh_command *c, struct str name, size_t rest)
{
	struct str json = sh_text_of_file(e, c, STR("package.json")), script, before, after;
	struct buf text = BUF(e->arena, SHELL_LIMIT_BYTES);

	script = json.s ? script_of(e, json, name) : STR_NONE;
	if (!script.s)
		return;
	before = script_of(e, json, str_fmt(e->arena, "pre" STR_FMT, STR_ARG(name)));
	after = script_of(e, json, str_fmt(e->arena, "post" STR_FMT, STR_ARG(name)));
	buf_add(&text, script);
	rest += rest < c->count && str_is(c->args[rest].text, "--");
	for (; rest < c->count; rest++)
		buf_addf(&text, " " STR_FMT, STR_ARG(c->args[rest].source));
	if (before.s)
		sh_eval_recipe(e, c, before);
	sh_eval_recipe(e, c, buf_str(&text));
	if (after.s)
		sh_eval_recipe(e, c, after);
}

/* npm run NAME, yarn NAME */
static void
run_npm(struct sh_eval *e, const struct sh_command *c)
{
	bool is_npm = str_is(sh_program(c), "npm"), is_run = false;
	struct sh_command moved = *c;

	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text, next = i + 1 < c->count ? c->args[i + 1].text : STR("");
		bool is_verb = str_is(t, "test") || str_is(t, "t") || str_is(t, "start") ||
			       str_is(t, "stop") || str_is(t, "restart");

		if (str_is(t, "-C") || str_is(t, "--prefix") || str_is(t, "--cwd") || str_is(t, "--dir")) {
			moved.cwd = path_from(e->arena, c->cwd, next);
			i++;
		} else if (str_is(t, "-w") || str_starts(t, STR("--workspace")) || str_is(t, "--filter"))
			return;
		else if (!is_run && (str_is(t, "run") || str_is(t, "run-script")))
			is_run = true;
		else if (t.n > 0 && t.s[0] != '-') {
			if (is_run || !is_npm || is_verb)
				run_package_script(e, &moved, str_is(t, "t") ? STR("test") : t, i + 1);
			return;
		}
	}
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
	*ret_value = str_trim(str_sub(line, (size_t)(equals + 1), line.n));
	return equals > 0 && sh_is_name(*ret_name);
}

static bool
has_word(struct str list, struct str word)
{
	struct str one;

	while (str_next(&list, ' ', &one))
		if (str_eq(str_trim(one), word))
			return true;
	return false;
}

/* The rule of a target; of the first one if the target is absent. Its name is written to *target then. */
static bool
find_rule(const struct book *k, struct str *target, struct rule *ret)
{
	struct str rest = k->text, line;
	bool is_found = false;

	while (str_next(&rest, '\n', &line)) {
		ptrdiff_t colon = str_find_char(line, ':');
		struct str name, value;

		if (is_found && is_recipe_line(k, line)) {
			ret->recipe.n = (size_t)(line.s + line.n - ret->recipe.s);
			continue;
		}
		if (is_found && str_trim(line).n == 0)
			continue;
		if (is_found)
			break;
		if (colon <= 0 || is_recipe_line(k, line) || line.s[0] == '#' ||
		    read_variable(line, &name, &value))
			continue;
		struct str heads = str_trim(str_sub(line, 0, (size_t)colon));
		struct str first = heads;

		(void)str_next(&first, ' ', &name);
		if (str_starts(name, STR("@")))
			name = str_sub(name, 1, name.n);
		bool is_first = !target->s && name.n > 0 && name.s[0] != '.' && str_find_char(name, '%') < 0;

		if (!is_first &&
		    !(target->s && (k->is_just ? str_eq(name, *target) : has_word(heads, *target))))
			continue;
		*target = name.n > 0 && is_first ? name : *target;
		ret->needs = str_trim(str_sub(line, (size_t)colon + 1, line.n));
		ret->recipe = (struct str){ rest.s, 0 };
		is_found = rest.s != NULL;
	}
	return is_found;
}

static struct str
value_of(const struct book *k, struct str name)
{
	for (const struct sh_var *v = k->vars; v; v = v->next)
		if (str_eq(v->name, name))
			return v->value;
	return str_is(name, "RM") ? STR("rm -f") : str_is(name, "MAKE") ? STR("make") : STR("\xFE");
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
			struct str rest = str_sub(t, i + 1, t.n);
			ptrdiff_t end = str_find_char(rest, next == '(' ? ')' : '}');
			struct str name = str_trim(str_sub(rest, 0, end < 0 ? rest.n : (size_t)end));
			struct str value = sh_is_name(name) ? value_of(k, name) : STR("\xFE");

			if (depth < VARIABLE_DEPTH && take_step(e))
				expand(e, k, value, target, needs, depth + 1, ret);
			i += name.n > 0 || end >= 0 ? (size_t)(end < 0 ? (ptrdiff_t)rest.n : end) + 1 : 0;
			i += is_just;
		} else if (next == '@')
			buf_add(ret, target);
		else if (next == '<' || next == '^') {
			struct str rest = needs, first = needs;

			if (next == '<')
				(void)str_next(&rest, ' ', &first);
			buf_add(ret, first);
		} else
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

	for (rest = r.recipe; rest.n > 0 && str_next(&rest, '\n', &line);) {
		bool goes_on = str_ends(line, STR("\\"));

		line = str_trim(line);
		while (text.n == 0 && line.n > 0 && str_find_char(STR("@-+ "), line.s[0]) >= 0)
			line = str_sub(line, 1, line.n);
		expand(e, k, line, target, r.needs, 0, &text);
		buf_addc(&text, '\n');
		if (goes_on && rest.n > 0)
			continue;
		if (text.is_cut)
			return;
		e->scripts->bytes -= text.n;
		sh_eval_recipe(e, c, buf_str(&text));
		text = BUF(e->arena, e->scripts->bytes);
	}
}

static void
read_variables(struct sh_eval *e, struct book *k)
{
	struct str rest = k->text, line, name, value;

	while (str_next(&rest, '\n', &line))
		if (!is_recipe_line(k, line) && read_variable(line, &name, &value)) {
			if (k->is_just && value.n > 1 && value.s[0] == '"')
				value = str_sub(value, 1, value.n - 1);
			k->vars = sh_added(e, k->vars, name, value, NULL);
		}
}

static void
open_book(struct sh_eval *e, const struct sh_command *c, struct str file, struct book *ret)
{
	static const struct str names[] = { STR("GNUmakefile"), STR("makefile"),  STR("Makefile"),
					    STR("justfile"),    STR(".justfile"), STR("Justfile") };

	ret->text = file.s ? sh_text_of_file(e, c, file) : STR_NONE;
	for (size_t i = ret->is_just ? 3 : 0; !file.s && !ret->text.s && i < (ret->is_just ? 6U : 3U); i++)
		ret->text = sh_text_of_file(e, c, names[i]);
}

/* make [-C DIR] [-f FILE] [NAME=VALUE] [TARGET...] */
static void
run_make(struct sh_eval *e, const struct sh_command *c, bool is_just)
{
	struct book k = { .is_just = is_just };
	struct sh_command moved = *c;
	struct str file = STR_NONE, targets[TARGETS_MAX], name, value;
	const struct sh_var *given = NULL;
	size_t count = 0;

	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text, next = i + 1 < c->count ? c->args[i + 1].text : STR("");

		if (str_is(t, "-C") || str_is(t, "--directory"))
			moved.cwd = path_from(e->arena, c->cwd, c->args[++i < c->count ? i : i - 1].text);
		else if (str_starts(t, STR("-C")) || str_starts(t, STR("--directory=")))
			moved.cwd = path_from(e->arena, c->cwd, str_sub(t, t.s[1] == 'C' ? 2 : 12, t.n));
		else if (str_is(t, "-f") || str_is(t, "--file") || str_is(t, "--makefile") ||
			 str_is(t, "--justfile")) {
			file = next;
			i++;
		} else if (str_starts(t, STR("-f")) || str_starts(t, STR("--file=")) ||
			   str_starts(t, STR("--makefile=")))
			file = str_sub(t, t.s[1] == 'f' ? 2 : (size_t)str_find_char(t, '=') + 1, t.n);
		/* how many at once, up to which load */
		else if (!is_just && (str_is(t, "-j") || str_is(t, "-l")))
			i += next.n > 0 && next.s[0] >= '0' && next.s[0] <= '9';
		/* it runs nothing */
		else if (str_is(t, "-n") || str_is(t, "--dry-run") || str_is(t, "--just-print") ||
			 (!is_just && str_is(t, "-q")) || str_is(t, "--list") || str_is(t, "-l"))
			return;
		else if (read_variable(t, &name, &value))
			given = sh_added(e, given, name, value, NULL);
		else if (t.n > 0 && t.s[0] != '-' && count < TARGETS_MAX)
			targets[count++] = t;
	}
	open_book(e, &moved, file, &k);
	if (!k.text.s)
		return;
	read_variables(e, &k);
	for (; given; given = given->next)
		k.vars = sh_added(e, k.vars, given->name, given->value, NULL);
	if (count == 0)
		run_target(e, &moved, &k, STR_NONE);
	for (size_t i = 0; i < count; i++)
		run_target(e, &moved, &k, targets[i]);
}

void
sh_run_recipes(struct sh_eval *e, const struct sh_command *c)
{
	struct str program = sh_program(c);

	if (str_is(program, "make") || str_is(program, "gmake") || str_is(program, "just"))
		run_make(e, c, str_is(program, "just"));
	else if (str_is(program, "npm") || str_is(program, "pnpm") || str_is(program, "yarn") ||
		 str_is(program, "bun"))
		run_npm(e, c);
}
