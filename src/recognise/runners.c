/* SPDX-License-Identifier: MIT */
/* Scripts and targets that the project has itself: package.json, justfile, Makefile, composer.json, and the CI. Pure. */
#include "doc/json.h"
#include "doc/yaml.h"
#include "recognise/rules.h"

/* Names of scripts without their punctuation (type-check, type:check), the best for a role first. */
static const struct {
	const char *name, *role, *gate;
} script_names[] = {
	{ "test", ROLE_TEST, NULL },          { "tests", ROLE_TEST, NULL },
	{ "testunit", ROLE_TEST, NULL },      { "unittest", ROLE_TEST, NULL },
	{ "testci", ROLE_TEST, NULL },        { "check", ROLE_TEST, "check" },
	{ "lint", ROLE_LINT, NULL },          { "lintcheck", ROLE_LINT, NULL },
	{ "checklint", ROLE_LINT, NULL },     { "eslint", ROLE_LINT, NULL },
	{ "typecheck", ROLE_TYPES, NULL },    { "checktype", ROLE_TYPES, NULL },
	{ "checktypes", ROLE_TYPES, NULL },   { "types", ROLE_TYPES, NULL },
	{ "mypy", ROLE_TYPES, NULL },         { "formatcheck", ROLE_FORMAT, NULL },
	{ "checkformat", ROLE_FORMAT, NULL }, { "fmtcheck", ROLE_FORMAT, NULL },
	{ "checkfmt", ROLE_FORMAT, NULL },    { "prettiercheck", ROLE_FORMAT, NULL },
};

static struct str
bare_name(struct arena *a, struct str name)
{
	name = str_replace(a, name, STR("-"), STR(""));
	name = str_replace(a, name, STR(":"), STR(""));
	return str_replace(a, name, STR("_"), STR(""));
}

/* How scripts of these names are run: by a program in front of the name. */
struct runner {
	const char *ecosystem, *program;
	const char *test; /* what runs the script `test`; NULL: the same */
};

/* Offers, for each role, the best of the names. */
static void
offer_named(struct recognition *r, const struct str_list *names, struct str from, const struct runner *how)
{
	for (size_t i = 0; i < COUNT_OF(script_names); i++)
		for (size_t k = 0; k < names->count; k++) {
			struct str name = names->items[k];

			if (!str_is(bare_name(r->arena, name), script_names[i].name))
				continue;
			offer_gate(r, &(struct offer){
					      .role = script_names[i].role,
					      .ecosystem = how->ecosystem,
					      .name = script_names[i].gate,
					      .command = how->test && str_is(name, "test")
								 ? str_from(how->test)
								 : str_cat(r->arena, how->program, " ", name),
					      .from = from });
		}
}

/* ---- package.json ---- */

static struct str_list
scripts_of(struct arena *a, struct str text, struct node *ret_document)
{
	struct str_list l = { 0 };
	struct err ignored;

	*ret_document = (struct node){ 0 };
	if (!text.s || json_parse(a, text, ret_document, &ignored) < 0)
		return l;
	const struct node *scripts = node_get(ret_document, "scripts");

	for (size_t i = 0; scripts && scripts->kind == NODE_MAP && i < scripts->count; i++) {
		const struct node *script = &scripts->entries[i].value;
		bool watches = str_find(script->text, STR("--watch")) >= 0 &&
			       str_find(script->text, STR("=false")) < 0;

		/* Not one that never ends, or that npm has written to say that there is none. */
		if (script->kind == NODE_STRING && !watches &&
		    str_find(script->text, STR("no test specified")) < 0)
			*arena_push(a, l.items, l.count) = scripts->entries[i].key;
	}
	return l;
}

/* By lock file, else by the field packageManager, else npm. */
static const struct manager {
	const char *name;
	const char *files[2];
	const char *test, *run, *all; /* the last is for all workspaces */
} managers[] = {
	{ "pnpm",
	  { "pnpm-lock.yaml", "pnpm-workspace.yaml" },
	  "pnpm test",
	  "pnpm run",
	  "pnpm -r --if-present run" },
	{ "yarn", { "yarn.lock", NULL }, "yarn test", "yarn run", "yarn workspaces run" },
	{ "bun", { "bun.lock", "bun.lockb" }, "bun run test", "bun run", "bun run --filter '*'" },
	{ "npm", { "package-lock.json", NULL }, "npm test", "npm run", "npm run --workspaces --if-present" },
};

static const struct manager *
find_manager(const struct recognition *r, const struct node *package)
{
	struct str field = node_get_str(package, "packageManager");

	for (size_t i = 0; i < COUNT_OF(managers); i++)
		for (size_t k = 0; k < COUNT_OF(managers[i].files); k++)
			if (managers[i].files[k] && find_file(r, managers[i].files[k], NULL))
				return &managers[i];
	for (size_t i = 0; i < COUNT_OF(managers); i++)
		if (str_starts(field, str_from(managers[i].name)))
			return &managers[i];
	return &managers[COUNT_OF(managers) - 1];
}

void
offer_node(struct recognition *r)
{
	const struct project_file *f = find_file(r, "package.json", NULL);
	struct node package, other;

	if (!f)
		return;
	struct str_list scripts = scripts_of(r->arena, f->text, &package);
	const struct manager *m = find_manager(r, &package);

	offer_named(r, &scripts, f->name, &(struct runner){ "node", m->run, m->test });
	for (size_t i = 0; i < r->files->count; i++) {
		const struct project_file *w = &r->files->items[i];

		if (w == f || !str_ends(w->name, STR("/package.json")))
			continue;
		scripts = scripts_of(r->arena, w->text, &other);
		offer_named(r, &scripts, w->name, &(struct runner){ "node", m->all, NULL });
	}
}

/* ---- make, just ---- */

/* The names of rules: words before a colon that is not part of an assignment, at the start of a line. */
static struct str_list
targets_of(struct arena *a, struct str text)
{
	struct str_list l = { 0 };
	struct str line, word;

	while (str_next(&text, '\n', &line)) {
		ptrdiff_t colon = str_find_char(line, ':');

		if (colon <= 0 || str_is_blank(line.s[0]) || line.s[0] == '#' || line.s[0] == '.')
			continue;
		if ((size_t)colon + 1 < line.n && line.s[colon + 1] == '=')
			continue;
		struct str before = str_sub(line, 0, (size_t)colon);

		while (str_next(&before, ' ', &word))
			if (word.n > 0)
				*arena_push(a, l.items, l.count) = str_trim(word);
	}
	return l;
}

void
offer_targets(struct recognition *r)
{
	static const struct {
		const char *file, *program;
	} runners[] = {
		{ "justfile", "just" },    { "Justfile", "just" }, { ".justfile", "just" },
		{ "GNUmakefile", "make" }, { "makefile", "make" }, { "Makefile", "make" },
	};

	for (size_t i = 0; i < COUNT_OF(runners); i++) {
		const struct project_file *f = find_file(r, runners[i].file, NULL);
		struct str_list targets = targets_of(r->arena, f ? f->text : STR_NONE);

		if (f)
			offer_named(r, &targets, f->name, &(struct runner){ NULL, runners[i].program, NULL });
	}
}

void
offer_composer(struct recognition *r)
{
	const struct project_file *f = find_file(r, "composer.json", NULL);
	struct node document;
	struct str_list scripts = scripts_of(r->arena, f ? f->text : STR_NONE, &document);

	if (f)
		offer_named(r, &scripts, f->name, &(struct runner){ "php", "composer", NULL });
}

/* ---- CI ---- */

static bool
has_word(struct str line, const char *text)
{
	return str_find(line, str_from(text)) >= 0;
}

/* A line of a script that can be run anywhere. */
static bool
is_plain_command(struct str line)
{
	static const char *const others[] = { "${{",      "sudo ", "install", "apt-get", "docker",
					      "$GITHUB_", "curl ", "upload",  "\\" };

	for (size_t i = 0; i < COUNT_OF(others); i++)
		if (has_word(line, others[i]))
			return false;
	return line.n > 0 && line.s[0] != '#';
}

static void
offer_script(struct recognition *r, struct str script, struct str from)
{
	struct str line;

	while (str_next(&script, '\n', &line)) {
		line = str_trim(line);
		if (!is_plain_command(line))
			continue;
		const char *role = has_word(line, "lint")                              ? ROLE_LINT
				   : has_word(line, "test") || has_word(line, "check") ? ROLE_TEST
										       : NULL;

		if (role)
			offer_gate(r, &(struct offer){ .role = role, .command = line, .from = from });
	}
}

/* `run:` and `script:` anywhere in the document. */
static void
offer_steps(struct recognition *r, const struct node *n, struct str from)
{
	for (size_t i = 0; n->kind == NODE_LIST && i < n->count; i++)
		offer_steps(r, &n->items[i], from);
	for (size_t i = 0; n->kind == NODE_MAP && i < n->count; i++) {
		const struct node *value = &n->entries[i].value;
		bool is_script = str_is(n->entries[i].key, "run") || str_is(n->entries[i].key, "script");

		if (is_script && value->kind == NODE_STRING)
			offer_script(r, value->text, from);
		for (size_t k = 0; is_script && value->kind == NODE_LIST && k < value->count; k++)
			if (value->items[k].kind == NODE_STRING)
				offer_script(r, value->items[k].text, from);
		offer_steps(r, value, from);
	}
}

void
offer_ci(struct recognition *r)
{
	for (size_t i = 0; i < r->proposals->count; i++)
		if (str_is(str_from(r->proposals->items[i].role), ROLE_TEST))
			return;
	for (size_t i = 0; i < r->files->count; i++) {
		const struct project_file *f = &r->files->items[i];
		struct node document;
		struct err ignored;

		if (is_ci_file(f->name) && f->text.s &&
		    yaml_parse(r->arena, f->text, &document, &ignored) == 0)
			offer_steps(r, &document, f->name);
	}
}
