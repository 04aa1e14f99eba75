/* SPDX-License-Identifier: MIT */
/* Reads the files of gates in checks/ and reviews/. Collects problems and continues. */
#include "conf/gauntlet_schema.h"

#include "base/path.h"
#include "doc/yaml.h"
#include "os/fs.h"

#include <stdlib.h>

/* The default of agent-validator, for checks. */
#define VALIDATOR_TIMEOUT_MS (300 * 1000)

struct gate_file {
	struct str name; /* of the gate */
	struct str file; /* relative to the root */
};
struct gate_files {
	struct gate_file *items;
	size_t count;
};

void
loader_begin_file(struct gauntlet_loader *l, struct str file)
{
	struct config_problems *p = l->problems;

	arena_make_room(l->arena, p->files.items, p->files.count, &p->file_capacity);
	p->files.items[p->files.count++] = file;
	l->file = file;
}

void
loader_note(struct gauntlet_loader *l, enum severity severity, const struct node *n, struct str path,
	    const char *fmt, ...)
{
	const struct problem_at at = { severity, l->file, path, n };
	va_list args;

	va_start(args, fmt);
	problem_add(l->arena, l->problems, &at, fmt, args);
	va_end(args);
}

const struct node *
item_of(const struct node *list, size_t i)
{
	return list && list->kind == NODE_LIST && i < list->count ? &list->items[i] : NULL;
}

static bool
read_text(struct gauntlet_loader *l, struct str *ret)
{
	struct str full = path_join(l->arena, l->root, l->file), text;
	const char *path;
	struct err err;

	if (str_cz(l->arena, full, &path, &err) < 0 ||
	    fs_read(l->arena, path, CONFIG_LIMIT_BYTES, &text, &err) < 0) {
		struct str why = str_from(err.msg);

		/* The problem already names the file. */
		if (str_starts(why, full) && str_starts(str_sub(why, full.n, why.n), STR(": ")))
			why = str_sub(why, full.n + 2, why.n);
		loader_note(l, SEVERITY_FATAL, NULL, STR(""), STR_FMT, STR_ARG(why));
		return false;
	}
	*ret = text;
	return text.s != NULL;
}

bool
loader_read_yaml(struct gauntlet_loader *l, struct node *ret)
{
	struct str text = STR_NONE;
	struct err err;

	if (!read_text(l, &text))
		return false;
	if (yaml_parse(l->arena, text, ret, &err) == 0)
		return true;
	problem_add_err(l->arena, l->problems, l->file, &err);
	return false;
}

static int
compare_files(const void *x, const void *y)
{
	const struct gate_file *a = x, *b = y;
	int by_name = str_cmp(a->name, b->name);

	return by_name ? by_name : str_cmp(a->file, b->file);
}

/* Absent: not the file of a gate. */
static struct str
gate_name(struct str file, bool has_markdown)
{
	size_t ending = str_ends(file, STR(".yml"))                  ? 4
			: str_ends(file, STR(".yaml"))               ? 5
			: has_markdown && str_ends(file, STR(".md")) ? 3
								     : 0;

	/* Files whose names start with a dot are temporary files of editors. */
	return ending > 0 && file.s[0] != '.' ? str_sub(file, 0, file.n - ending) : STR_NONE;
}

static struct gate_files
list_files(struct gauntlet_loader *l, struct str dir, bool has_markdown)
{
	struct gate_files files = { NULL, 0 };
	struct fs_names names = { 0 };
	struct str path = path_join(l->arena, l->root, dir);
	struct err err;

	l->file = dir;
	if (fs_list(l->arena, path.s, GATE_FILES_LIMIT, &names, &err) < 0)
		loader_note(l, SEVERITY_FATAL, NULL, STR(""), "%s", err.msg);
	if (names.count > 0)
		files.items = arena_array(l->arena, names.count, struct gate_file);
	for (size_t i = 0; i < names.count; i++) {
		struct gate_file *f = &files.items[files.count];

		f->file = path_join(l->arena, dir, names.items[i]);
		f->name = gate_name(names.items[i], has_markdown);
		if (f->name.s && fs_kind(path_join(l->arena, l->root, f->file).s) != FS_DIR)
			files.count++;
	}
	if (files.count > 0)
		qsort(files.items, files.count, sizeof(*files.items), compare_files);
	return files;
}

/* Two files must not define the same gate. */
static void
check_duplicates(struct gauntlet_loader *l, const struct gate_files *files, const char *what)
{
	for (size_t i = 1; i < files->count; i++) {
		l->file = files->items[i].file;
		if (str_eq(files->items[i].name, files->items[i - 1].name))
			loader_note(l, SEVERITY_FATAL, NULL, STR(""),
				    "the %s \"" STR_FMT "\" is in " STR_FMT " too", what,
				    STR_ARG(files->items[i].name), STR_ARG(files->items[i - 1].file));
	}
}

/* ---- gates in config.yml ---- */

/* Definitions in the lists of entry points: a map from the gate's name. */
struct inline_gates {
	const struct node_entry **items;
	size_t count, capacity;
};

static struct inline_gates
find_inline(struct gauntlet_loader *l, const struct node *document, const char *key)
{
	const struct node *entries = document ? node_get(document, "entry_points") : NULL;
	struct inline_gates found = { 0 };

	for (size_t i = 0; item_of(entries, i); i++) {
		const struct node *list = node_get(item_of(entries, i), key), *item;

		for (size_t k = 0; (item = item_of(list, k)); k++) {
			if (item->kind != NODE_MAP || item->count != 1)
				continue;
			arena_make_room(l->arena, found.items, found.count, &found.capacity);
			found.items[found.count++] = &item->entries[0];
		}
	}
	return found;
}

static void
note_twice(struct gauntlet_loader *l, const struct node_entry *e, const char *what, struct str file)
{
	loader_note(l, SEVERITY_FATAL, &(struct node){ .line = e->line, .column = e->column }, STR(""),
		    "the %s \"" STR_FMT "\" is in " STR_FMT " too", what, STR_ARG(e->key), STR_ARG(file));
}

/* A file that a gate refers to. */
struct reference {
	const char *what; /* "Fix instructions" */
	const char *gate; /* "check" */
	struct str name;  /* of the gate */
	struct str key;
	const struct node *at;
};

static struct str
read_reference(struct gauntlet_loader *l, struct str path, const struct reference *r)
{
	struct arena *a = l->arena;
	const char *dir = l->kind->dir;
	struct str base = path_normalise(a, path_join(a, l->root, str_from(dir)));
	struct str full = path_normalise(a, path_join(a, base, path)), text = STR_NONE, why = STR_NONE, out;
	const char *z;
	struct err err;

	if (path.s[0] == '/')
		why = str_fmt(a, "%s path must be relative to %s/ directory, got absolute path: " STR_FMT,
			      r->what, dir, STR_ARG(path));
	else if (!path_below(full, base).s)
		why = str_fmt(a,
			      "%s path must stay within %s/ directory and point to a file: " STR_FMT
			      " resolves to " STR_FMT,
			      r->what, dir, STR_ARG(path), STR_ARG(full));
	else if (str_cz(a, full, &z, &err) < 0)
		why = str_fmt(a, "%s", err.msg);
	else if ((out = loader_leads_out(l, z)).s)
		why = str_fmt(a, "%s must be in the project: " STR_FMT " leads to " STR_FMT " by a link",
			      r->what, STR_ARG(path), STR_ARG(out));
	else if (fs_read(a, z, CONFIG_LIMIT_BYTES, &text, &err) < 0)
		why = str_fmt(a, "%s", err.msg);
	else if (!text.s)
		why = str_fmt(a, "%s file not found: " STR_FMT, r->what, STR_ARG(full));
	if (why.s)
		loader_note(l, SEVERITY_FATAL, r->at, r->key, STR_FMT " (referenced by %s \"" STR_FMT "\")",
			    STR_ARG(why), r->gate, STR_ARG(r->name));
	return text;
}

static void
check_timeout(struct gauntlet_loader *l, const struct node *n, int64_t *timeout_ms, const char *effect)
{
	if (*timeout_ms == 0)
		loader_note(l, SEVERITY_ERROR, node_get(n, "timeout"), STR("timeout"),
			    "timeout must be greater than 0; as it is, %s", effect);
	if (*timeout_ms < 0)
		*timeout_ms = 0;
}

/* ---- checks ---- */

static void
check_check(struct gauntlet_loader *l, const struct node *n, struct check_draft *d)
{
	bool is_alias = !d->fix_path.s;
	struct str path = is_alias ? d->fix_path_alias : d->fix_path;
	struct reference r = { .what = "Fix instructions", .gate = "check", .name = d->gate.name };

	if (d->gate.fails_fast && d->gate.is_parallel)
		loader_note(l, SEVERITY_FATAL, node_get(n, "fail_fast"), STR("fail_fast"),
			    "fail_fast can only be used when parallel is false");
	if (d->fix_path.s && d->fix_path_alias.s)
		loader_note(l, SEVERITY_FATAL, node_get(n, "fix_instructions_file"),
			    STR("fix_instructions_file"),
			    "is another name of fix_instructions, which is set too");
	else if (path.s) {
		r.key = is_alias ? STR("fix_instructions_file") : STR("fix_instructions");
		r.at = node_get(n, r.key.s);
		d->gate.fix_instructions = read_reference(l, path, &r);
	}
	if (node_get(n, "fix_with_skill"))
		loader_note(l, SEVERITY_WARNING, node_get(n, "fix_with_skill"), STR("fix_with_skill"),
			    "is not supported and has no effect");
	check_timeout(l, n, &d->gate.timeout_ms, "there is none");
	loader_check_directory(l, n, d->gate.working_directory);
}

/* Calls on_file for a gate, whose values are below checks.NAME or reviews.NAME. */
static void
call_on_file(struct gauntlet_loader *l, const struct schema *s, const char *kind, struct str name,
	     const struct node *document, void *values)
{
	struct config_path outer = { .name = str_from(kind) }, at = { .outer = &outer, .name = name };

	if (l->on_file && !problems_first_fatal(l->problems))
		l->on_file(l, s, &at, document, values);
}

static struct check_draft
new_check(const struct gauntlet_loader *l, struct str name, struct str file)
{
	struct check_draft d = check_draft_defaults;

	d.gate.name = name;
	d.gate.file = file;
	if (l->kind->is_validator) {
		d.gate.is_parallel = true;
		d.gate.timeout_ms = VALIDATOR_TIMEOUT_MS;
	}
	return d;
}

static struct check_gate
read_check(struct gauntlet_loader *l, const struct node *root, struct check_draft d)
{
	schema_read(l->arena, &gauntlet_check_schema, root, &d, l->file, l->problems);
	check_check(l, root, &d);
	call_on_file(l, &gauntlet_check_schema, "checks", d.gate.name, root, &d);
	return d.gate;
}

void
loader_read_checks(struct gauntlet_loader *l, const struct node *document, struct gates_config *c)
{
	struct gate_files files = list_files(l, str_from(l->kind->checks), false);
	struct inline_gates inlined = find_inline(l, document, "checks");

	check_duplicates(l, &files, "check");
	c->checks = arena_array(l->arena, files.count + inlined.count, struct check_gate);
	for (size_t i = 0; i < files.count; i++) {
		struct check_draft d = new_check(l, files.items[i].name, files.items[i].file);
		struct node root;

		loader_begin_file(l, d.gate.file);
		c->checks[c->check_count++] = loader_read_yaml(l, &root) ? read_check(l, &root, d) : d.gate;
	}
	for (size_t i = 0; i < inlined.count; i++) {
		const struct node_entry *e = inlined.items[i];
		const struct check_gate *same = gates_config_check(c, e->key);

		l->file = str_from(l->kind->config);
		if (same)
			note_twice(l, e, "check", same->file);
		else
			c->checks[c->check_count++] = read_check(l, &e->value, new_check(l, e->key, l->file));
	}
	if (inlined.count > 0 && c->check_count > 1)
		qsort(c->checks, c->check_count, sizeof(*c->checks), str_compare);
}

/* ---- reviews ---- */

static void
check_review(struct gauntlet_loader *l, const struct gates_config *c, const struct node *n,
	     struct review_gate *g)
{
	const struct node *preference = node_get(n, "cli_preference");

	for (size_t i = 0; i < g->cli_preference.count && c->default_preference.count > 0; i++)
		if (g->cli_preference.items[i].s &&
		    !str_is_among(g->cli_preference.items[i], c->default_preference.items,
				  c->default_preference.count))
			loader_note(
				l, SEVERITY_FATAL, item_of(preference, i),
				str_fmt(l->arena, "cli_preference[%zu]", i),
				"Review \"" STR_FMT "\" uses CLI tool \"" STR_FMT
				"\" which is not in the project-level allowed list (cli.default_preference).",
				STR_ARG(g->name), STR_ARG(g->cli_preference.items[i]));
	if (preference && preference->kind == NODE_LIST && preference->count == 0)
		loader_note(
			l, SEVERITY_ERROR, preference, STR("cli_preference"),
			"cli_preference if provided cannot be an empty array. Remove it to use defaults.");
	if (g->cli_preference.count == 0)
		g->cli_preference = c->default_preference;
	if (g->num_reviews < 1)
		loader_note(l, SEVERITY_ERROR, node_get(n, "num_reviews"), STR("num_reviews"),
			    "num_reviews must be at least 1");
	check_timeout(l, n, &g->timeout_ms, "the default is used");
}

/* The prompt of a review that is YAML, or Markdown that names another file. */
static void
find_prompt(struct gauntlet_loader *l, const struct node *n, struct review_draft *d)
{
	struct reference r = {
		.what = "Prompt",
		.gate = "review",
		.name = d->gate.name,
		.key = STR("prompt_file"),
		.at = node_get(n, "prompt_file"),
	};
	int sources = !!d->prompt_file.s + !!d->skill_name.s + !!d->builtin.s;

	if (sources != 1)
		loader_note(l, SEVERITY_FATAL, n, STR(""),
			    "expected one of prompt_file, skill_name and builtin, not %d of them", sources);
	else if (d->skill_name.s)
		loader_note(l, SEVERITY_FATAL, node_get(n, "skill_name"), STR("skill_name"),
			    "not supported: put the prompt into a file and name it by prompt_file");
	else if (d->builtin.s)
		d->gate.prompt = loader_builtin(l, n, d->builtin);
	else
		d->gate.prompt = read_reference(l, d->prompt_file, &r);
}

static void
read_review(struct gauntlet_loader *l, const struct gates_config *c, struct review_draft *d)
{
	bool is_markdown = str_ends(d->gate.file, STR(".md"));
	const struct schema *s = is_markdown ? &gauntlet_review_schema : &gauntlet_review_yml_schema;
	struct str text = STR_NONE;
	struct node root;

	if (is_markdown) {
		/* Its text is sent to a reviewer. */
		struct str path = path_join(l->arena, l->root, l->file), out = loader_leads_out(l, path.s);

		if (out.s) {
			loader_note(l, SEVERITY_FATAL, NULL, STR(""),
				    "must be in the project, but leads to " STR_FMT " by a link",
				    STR_ARG(out));
			return;
		}
	}
	if (is_markdown ? !read_text(l, &text) || !loader_split_markdown(l, text, &root, &d->gate.prompt)
			: !loader_read_yaml(l, &root))
		return;
	schema_read(l->arena, s, &root, d, l->file, l->problems);
	if (root.kind == NODE_MAP && (!is_markdown || d->prompt_file.s || d->skill_name.s))
		find_prompt(l, &root, d);
	d->gate.prompt = loader_without_context(l, d->gate.prompt);
	check_review(l, c, &root, &d->gate);
	call_on_file(l, s, "reviews", d->gate.name, &root, d);
}

static void
read_inline_review(struct gauntlet_loader *l, const struct gates_config *c, const struct node *root,
		   struct review_draft *d)
{
	schema_read(l->arena, &gauntlet_review_yml_schema, root, d, l->file, l->problems);
	if (root->kind == NODE_MAP)
		find_prompt(l, root, d);
	d->gate.prompt = loader_without_context(l, d->gate.prompt);
	check_review(l, c, root, &d->gate);
	call_on_file(l, &gauntlet_review_yml_schema, "reviews", d->gate.name, root, d);
}

void
loader_read_reviews(struct gauntlet_loader *l, const struct node *document, struct gates_config *c)
{
	struct gate_files files = list_files(l, str_from(l->kind->reviews), true);
	struct inline_gates inlined = find_inline(l, document, "reviews");

	check_duplicates(l, &files, "review");
	c->reviews = arena_array(l->arena, files.count + inlined.count, struct review_gate);
	for (size_t i = 0; i < files.count; i++) {
		struct review_draft d = review_draft_defaults;

		d.gate.name = files.items[i].name;
		d.gate.file = files.items[i].file;
		loader_begin_file(l, d.gate.file);
		read_review(l, c, &d);
		c->reviews[c->review_count++] = d.gate;
	}
	for (size_t i = 0; i < inlined.count; i++) {
		const struct node_entry *e = inlined.items[i];
		const struct review_gate *same = gates_config_review(c, e->key);
		struct review_draft d = review_draft_defaults;

		l->file = str_from(l->kind->config);
		if (same) {
			note_twice(l, e, "review", same->file);
			continue;
		}
		d.gate.name = e->key;
		d.gate.file = l->file;
		read_inline_review(l, c, &e->value, &d);
		c->reviews[c->review_count++] = d.gate;
	}
	if (inlined.count > 0 && c->review_count > 1)
		qsort(c->reviews, c->review_count, sizeof(*c->reviews), str_compare);
}
