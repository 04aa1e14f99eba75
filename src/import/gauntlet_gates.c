/* SPDX-License-Identifier: MIT */
/* Reads the files of gates in checks/ and reviews/, and gates in config.yml. Collects problems and continues. */
#include "import/gauntlet_schema.h"

#include "doc/frontmatter.h"
#include "model/gate_definition.h"
#include "os/fs.h"

struct gate_file {
	struct str name; /* of the gate */
	struct str file; /* relative to the root */
};
struct gate_files {
	struct gate_file *items;
	size_t count;
};

static int
compare_files(const void *x, const void *y)
{
	const struct gate_file *a = x, *b = y;
	int by_name = str_cmp(a->name, b->name);

	return by_name ? by_name : str_cmp(a->file, b->file);
}

/* Absent: not the file of a gate. */
static struct str
gate_name(struct str file, enum gate_kind kind)
{
	size_t ending = str_ends(file, STR(".yml"))                         ? 4
			: str_ends(file, STR(".yaml"))                      ? 5
			: kind == GATE_REVIEW && str_ends(file, STR(".md")) ? 3
									    : 0;

	/* Files whose names start with a dot are temporary files of editors. */
	return ending > 0 && file.s[0] != '.' ? str_sub(file, 0, file.n - ending) : STR_NONE;
}

static struct gate_files
list_files(struct config_loader *l, struct str dir, enum gate_kind kind)
{
	struct gate_files files = { NULL, 0 };
	struct str_list names = { 0 };
	struct str path = path_join(l->arena, l->root, dir);
	struct err err;

	l->file = dir;
	if (fs_list(l->arena, path.s, GATE_FILES_LIMIT, &names, &err) < 0)
		loader_note(l, SEVERITY_FATAL, NULL, STR(""), err.msg);
	if (names.count > 0)
		files.items = arena_array(l->arena, names.count, struct gate_file);
	for (size_t i = 0; i < names.count; i++) {
		struct gate_file *f = &files.items[files.count];

		f->file = path_join(l->arena, dir, names.items[i]);
		f->name = gate_name(names.items[i], kind);
		if (f->name.s && fs_kind(path_join(l->arena, l->root, f->file).s) != FS_DIR)
			files.count++;
	}
	sort(files.items, files.count, compare_files);
	/* Two files must not define the same gate. */
	for (size_t i = 1; i < files.count; i++) {
		const struct gate_file *f = &files.items[i];

		l->file = f->file;
		if (str_eq(f->name, f[-1].name))
			loader_note(l, SEVERITY_FATAL, NULL, STR(""), "the ", gate_kind_name(kind).s, " \"",
				    f->name, "\" is in ", f[-1].file, " too");
	}
	return files;
}

/* ---- what a gate refers to ---- */

/* Gates run in their directory, so it must be in the project. */
static void
check_directory(struct config_loader *l, const struct gate_draft *d)
{
	struct str dir = d->gate.working_directory, root = path_normalise(l->arena, loader_project(l));

	if (!dir.s || str_is(dir, "entrypoint") ||
	    path_is_at_or_below(path_normalise(l->arena, path_from(l->arena, root, dir)), root))
		return;
	loader_note_key(l, SEVERITY_FATAL, &d->node, "working_directory", "'", dir,
			"' is outside the project; name a directory from the project's root");
}

/* The text of the file that this key of a gate names. */
static struct str
read_reference(struct config_loader *l, const struct gate_draft *d, const char *key, struct str path)
{
	struct arena *a = l->arena;
	const char *dir = l->dialect->dir, *what = d->gate.kind == GATE_CHECK ? "Fix instructions" : "Prompt";
	struct str base = path_normalise(a, path_join(a, l->root, str_from(dir)));
	struct str full = path_normalise(a, path_join(a, base, path)), text = STR_NONE, why = STR_NONE, out;
	const char *z;
	struct err err;

	if (path.s[0] == '/')
		why = str_cat(a, what, " path must be relative to ", dir,
			      "/ directory, got absolute path: ", path);
	else if (!path_below(full, base).s)
		why = str_cat(a, what, " path must stay within ", dir,
			      "/ directory and point to a file: ", path, " resolves to ", full);
	else if (str_cz(a, full, &z, &err) < 0)
		why = str_cat(a, err.msg);
	else if ((out = loader_leads_out(l, z)).s)
		why = str_cat(a, what, " must be in the project: ", path, " leads to ", out, " by a link");
	else if (fs_read(a, z, CONFIG_LIMIT_BYTES, &text, &err) < 0)
		why = str_cat(a, err.msg);
	else if (!text.s)
		why = str_cat(a, what, " file not found: ", full);
	if (why.s)
		loader_note(l, SEVERITY_FATAL, node_get(&d->node, key), str_from(key), why,
			    " (referenced by ", gate_kind_name(d->gate.kind).s, " \"", d->gate.name, "\")");
	return text;
}

/* The prompt of a review that is YAML, or Markdown that names another file. */
static void
find_prompt(struct config_loader *l, struct gate_draft *d)
{
	struct str builtin = builtin_prompt(d->builtin);
	const struct node *n = &d->node;
	int sources = !!d->prompt_file.s + !!d->skill_name.s + !!d->builtin.s;

	if (sources != 1)
		loader_note(l, SEVERITY_FATAL, n, STR(""),
			    "expected one of prompt_file, skill_name and builtin, not ", sources, " of them");
	else if (d->skill_name.s)
		loader_note_key(l, SEVERITY_FATAL, n, "skill_name",
				"not supported: put the prompt into a file and name it by prompt_file");
	else if (d->prompt_file.s)
		d->gate.prompt = read_reference(l, d, "prompt_file", d->prompt_file);
	else if (builtin.s)
		d->gate.prompt = builtin;
	else
		loader_note_key(l, SEVERITY_FATAL, n, "builtin", "there is no built-in review '", d->builtin,
				"'; these are: ", builtin_names(l->arena));
}

/* The prompt of a Markdown file. *text becomes its front matter, with the file's line numbers. False: it does not parse, which is
 * added as a problem. */
static bool
split_markdown(struct config_loader *l, struct str *text, struct str *ret_prompt)
{
	struct frontmatter f = { .body = utf8_skip_mark(*text) };
	struct str first = str_before(f.body, '\n');
	struct err err;

	/* Spaces may follow the marker. */
	if (!str_starts(first, STR("---")) || str_trim(str_rest(first, 3)).n > 0)
		loader_note(l, SEVERITY_ERROR, NULL, STR(""),
			    "Review gate must have YAML frontmatter; without it, every key has its default");
	else if (frontmatter_parse(f.body, &f, &err) < 0) {
		problem_add_err(l->arena, l->problems, l->file, &err);
		return false;
	}
	/* an empty line is for the opening marker */
	*text = f.block.s ? str_cat(l->arena, "\n", f.block) : STR("");
	*ret_prompt = f.body;
	return true;
}

/* ---- a gate ---- */

static void
check_check(struct config_loader *l, struct gate_draft *d)
{
	const struct node *n = &d->node;

	if (d->gate.fails_fast && d->gate.is_parallel)
		loader_note_key(l, SEVERITY_FATAL, n, "fail_fast",
				"fail_fast can only be used when parallel is false");
	if (d->fix_path.s && d->fix_path_alias.s)
		loader_note_key(l, SEVERITY_FATAL, n, "fix_instructions_file",
				"is another name of fix_instructions, which is set too");
	else if (d->fix_path.s)
		d->gate.fix_instructions = read_reference(l, d, "fix_instructions", d->fix_path);
	else if (d->fix_path_alias.s)
		d->gate.fix_instructions = read_reference(l, d, "fix_instructions_file", d->fix_path_alias);
	if (node_get(n, "fix_with_skill"))
		loader_note_key(l, SEVERITY_WARNING, n, "fix_with_skill",
				"is not supported and has no effect");
}

static void
check_review(struct config_loader *l, const struct gates_config *c, struct gate_draft *d)
{
	const struct str_list *allowed = &c->default_preference;
	const struct node *preference = node_get(&d->node, "cli_preference");
	struct str_list *names = &d->gate.cli_preference;

	for (size_t i = 0; i < names->count && allowed->count > 0; i++)
		if (names->items[i].s && !str_is_among(names->items[i], allowed->items, allowed->count))
			loader_note(l, SEVERITY_FATAL, item_of(preference, i),
				    str_cat(l->arena, "cli_preference[", i, "]"), "Review \"", d->gate.name,
				    "\" uses CLI tool \"", names->items[i],
				    "\" which is not in the project-level allowed list "
				    "(cli.default_preference).");
	if (preference && preference->kind == NODE_LIST && preference->count == 0)
		loader_note(
			l, SEVERITY_ERROR, preference, STR("cli_preference"),
			"cli_preference if provided cannot be an empty array. Remove it to use defaults.");
	if (names->count == 0)
		*names = *allowed;
	if (d->gate.num_reviews < 1)
		loader_note_key(l, SEVERITY_ERROR, &d->node, "num_reviews", "num_reviews must be at least 1");
}

struct gate_reader {
	struct config_loader *loader;
	const struct node *document; /* config.yml; NULL: it could not be read */
	enum gate_kind kind;
	struct config_draft *draft;
};

static struct gate_draft
new_gate(const struct gate_reader *r, struct str name, struct str file)
{
	const struct dialect *dialect = r->loader->dialect;
	bool is_check = r->kind == GATE_CHECK;

	return (struct gate_draft){
		.gate = { .name = name,
			  .kind = r->kind,
			  .file = file,
			  .is_parallel = !is_check || dialect->checks_are_parallel,
			  .runs_locally = true,
			  .runs_in_ci = true,
			  .timeout_ms = is_check ? dialect->check_timeout_ms : -1,
			  .reuses = true,
			  .num_reviews = 1,
			  .is_enabled = true },
	};
}

/* `n` has its values. */
static void
read_values(const struct gate_reader *r, const struct schema *s, const struct node *n, struct gate_draft *d)
{
	struct config_loader *l = r->loader;
	const struct gates_config *c = &r->draft->config;
	struct gate *g = &d->gate;
	bool is_check = g->kind == GATE_CHECK;
	bool needs_prompt = s == &gauntlet_review_yml_schema;

	d->schema = s;
	d->node = *n;
	schema_read(l->arena, s, n, d, l->file, l->problems);
	if (!is_check && n->kind == NODE_MAP && (needs_prompt || d->prompt_file.s || d->skill_name.s))
		find_prompt(l, d);
	/* agent-validator puts a text of its command line into prompts; there is none at a stop. */
	if (l->dialect->drops_context_mark && g->prompt.s)
		g->prompt = str_replace(l->arena, g->prompt, STR("{{CONTEXT}}"), STR(""));
	if (is_check)
		check_check(l, d);
	else
		check_review(l, c, d);
	if (g->timeout_ms == 0)
		loader_note_key(l, SEVERITY_ERROR, n, "timeout", "timeout must be greater than 0; as it is, ",
				is_check ? "there is none" : "the default is used");
	if (g->timeout_ms < 0)
		g->timeout_ms = 0;
	check_directory(l, d);
	g->definition = gate_definition_digest(
		l->arena, &(const struct gate_definition){
				  .dialect = str_from(l->dialect->dir),
				  .gate = n,
				  .text = is_check ? g->fix_instructions : g->prompt,
				  .names = g->cli_preference,
				  .named = node_get(node_get(r->document, "cli"), "adapters"),
				  .threshold = is_check ? STR_NONE : c->rerun_threshold,
			  });
	*arena_push(l->arena, r->draft->gates, r->draft->gate_count) = *d;
}

static void
read_file(const struct gate_reader *r, struct gate_draft *d)
{
	struct config_loader *l = r->loader;
	bool is_markdown = str_ends(d->gate.file, STR(".md"));
	struct str path = path_join(l->arena, l->root, d->gate.file), out = STR_NONE;
	struct node root;

	loader_begin_file(l, d->gate.file);
	/* Its text is sent to a reviewer. */
	if (is_markdown && (out = loader_leads_out(l, path.s)).s) {
		loader_note(l, SEVERITY_FATAL, NULL, STR(""), "must be in the project, but leads to ", out,
			    " by a link");
		return;
	}
	if (!loader_read_text(l, &d->yaml) ||
	    (is_markdown && !split_markdown(l, &d->yaml, &d->gate.prompt)) ||
	    !loader_parse(l, d->yaml, &root))
		return;
	if (is_markdown && root.kind == NODE_NULL)
		root = (struct node){ .kind = NODE_MAP, .line = 1, .column = 1 };
	read_values(r,
		    r->kind == GATE_CHECK ? &gauntlet_check_schema
		    : is_markdown         ? &gauntlet_review_schema
					  : &gauntlet_review_yml_schema,
		    &root, d);
}

/* A gate that is defined in the list of an entry point: a map from its name. */
static void
read_inline(const struct gate_reader *r, const struct node_entry *e, struct gate_list *list)
{
	struct config_loader *l = r->loader;
	struct gate_draft d = new_gate(r, e->key, str_from(l->dialect->file));
	size_t same = 0;

	l->file = d.gate.file;
	while (same < list->count && !str_eq(list->items[same].name, e->key))
		same++;
	if (same < list->count) {
		loader_note(l, SEVERITY_FATAL, (&(struct node){ .line = e->line, .column = e->column }),
			    STR(""), "the ", gate_kind_name(r->kind).s, " \"", e->key, "\" is in ",
			    list->items[same].file, " too");
		return;
	}
	read_values(r, r->kind == GATE_CHECK ? &gauntlet_check_schema : &gauntlet_review_yml_schema,
		    &e->value, &d);
	*arena_push(l->arena, list->items, list->count) = d.gate;
}

void
loader_read_gates(struct config_loader *l, const struct node *document, enum gate_kind kind,
		  struct config_draft *draft)
{
	const struct gate_reader r = { l, document, kind, draft };
	const struct node *entries = node_get_list(document, "entry_points");
	struct gates_config *c = &draft->config;
	struct gate_files files = list_files(
		l, str_from(kind == GATE_CHECK ? l->dialect->checks : l->dialect->reviews), kind);
	struct gate_list list = { 0 };

	for (size_t i = 0; i < files.count; i++) {
		struct gate_draft d = new_gate(&r, files.items[i].name, files.items[i].file);

		read_file(&r, &d);
		*arena_push(l->arena, list.items, list.count) = d.gate;
	}
	for (size_t i = 0; i < entries->count; i++) {
		const struct node *gates = node_get_list(&entries->items[i], gate_list_key(kind));

		for (size_t k = 0; k < gates->count; k++)
			if (gates->items[k].kind == NODE_MAP && gates->items[k].count == 1)
				read_inline(&r, &gates->items[k].entries[0], &list);
	}
	sort(list.items, list.count, str_compare);
	*(kind == GATE_CHECK ? &c->checks : &c->reviews) = list.items;
	*(kind == GATE_CHECK ? &c->check_count : &c->review_count) = list.count;
}
