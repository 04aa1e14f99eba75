/* SPDX-License-Identifier: MIT */
/* Reads the files of single gates. Notes what is wrong and goes on; never decides whether that is the end. */
#include "conf/gauntlet_gates.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "conf/gauntlet_keys.h"
#include "doc/frontmatter.h"
#include "doc/yaml.h"
#include "os/fs.h"

#include <stdlib.h>

/* A file of a gates' directory. */
struct gate_file {
	struct str name; /* of the gate */
	struct str file; /* relative to the root */
};
struct gate_files {
	struct gate_file *items;
	size_t count;
};

static bool
read_text(struct collector *k, struct str root, struct str file, struct str *ret)
{
	struct str full = fs_join(k->arena, root, file);
	const char *path;
	struct err err;

	if (str_cz(k->arena, full, &path, &err) == 0 &&
	    fs_read(k->arena, path, CONFIG_LIMIT_BYTES, ret, &err) == 0)
		return ret->s != NULL;
	struct str why = str_from(err.msg);

	/* the file is named already */
	if (str_starts(why, full) && str_starts(str_sub(why, full.n, why.n), STR(": ")))
		why = str_sub(why, full.n + 2, why.n);
	collect(k, PROBLEM_FATAL, NULL, STR(""), STR_FMT, STR_ARG(why));
	return false;
}

bool
gates_read_yaml(struct collector *k, struct str root, struct str file, struct node *ret)
{
	struct str text = STR_NONE;
	struct err err;

	if (!read_text(k, root, file, &text))
		return false;
	if (yaml_parse(k->arena, text, ret, &err) == 0)
		return true;
	collect_err(k, &err);
	return false;
}

static int
compare_files(const void *x, const void *y)
{
	const struct gate_file *a = x, *b = y;
	int by_name = str_cmp(a->name, b->name);

	return by_name ? by_name : str_cmp(a->file, b->file);
}

/* The gate of a file of that name; absent: it is none of a gate. */
static struct str
gate_name(struct str file, bool has_markdown)
{
	size_t ending = str_ends(file, STR(".yml"))                  ? 4
			: str_ends(file, STR(".yaml"))               ? 5
			: has_markdown && str_ends(file, STR(".md")) ? 3
								     : 0;

	/* a name that begins with a dot is an editor's, and ours are not empty */
	return ending > 0 && file.s[0] != '.' ? str_sub(file, 0, file.n - ending) : STR_NONE;
}

static struct gate_files
list_files(struct collector *k, struct str root, struct str dir, bool has_markdown)
{
	struct gate_files files = { NULL, 0 };
	struct fs_names names = { 0 };
	struct str path = fs_join(k->arena, root, dir);
	struct err err;

	k->file = dir;
	if (fs_list(k->arena, path.s, GATE_FILES_LIMIT, &names, &err) < 0)
		collect(k, PROBLEM_FATAL, NULL, STR(""), "%s", err.msg);
	if (names.is_cut)
		collect(k, PROBLEM_FATAL, NULL, STR(""), "out of range: more than %d files",
			GATE_FILES_LIMIT);
	if (names.count > 0)
		files.items = arena_array(k->arena, names.count, struct gate_file);
	for (size_t i = 0; i < names.count; i++) {
		struct gate_file *f = &files.items[files.count];

		f->file = fs_join(k->arena, dir, names.items[i]);
		f->name = gate_name(names.items[i], has_markdown);
		if (f->name.s && fs_kind(fs_join(k->arena, root, f->file).s) != FS_DIR)
			files.count++;
	}
	if (files.count > 0)
		qsort(files.items, files.count, sizeof(*files.items), compare_files);
	return files;
}

/* Two files of one gate: which of them counts can't be told. */
static void
check_twins(struct collector *k, const struct gate_files *files, const char *what)
{
	for (size_t i = 1; i < files->count; i++) {
		k->file = files->items[i].file;
		if (str_eq(files->items[i].name, files->items[i - 1].name))
			collect(k, PROBLEM_FATAL, NULL, STR(""),
				"the %s \"" STR_FMT "\" is in " STR_FMT " too", what,
				STR_ARG(files->items[i].name), STR_ARG(files->items[i - 1].file));
	}
}

/* The path without . and .. in it, which are resolved by the text alone. */
static struct str
plain_path(struct arena *a, struct str path)
{
	struct str out = STR("/"), rest = path, piece;

	while (str_next(&rest, '/', &piece)) {
		if (piece.n == 0 || str_is(piece, "."))
			continue;
		if (!str_is(piece, ".."))
			out = fs_join(a, out, piece);
		else if (fs_parent(out).s)
			out = fs_parent(out);
	}
	return str_copy(a, out);
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
read_reference(struct collector *k, struct str root, struct str path, const struct reference *r)
{
	struct arena *a = k->arena;
	struct str base = plain_path(a, fs_join(a, root, STR(".gauntlet")));
	struct str full = plain_path(a, fs_join(a, base, path)), text = STR_NONE, why = STR_NONE;
	bool is_below = str_starts(full, base) && full.n > base.n + 1 && full.s[base.n] == '/';
	const char *z;
	struct err err;

	if (path.s[0] == '/')
		why = str_fmt(a,
			      "%s path must be relative to .gauntlet/ directory, got absolute path: " STR_FMT,
			      r->what, STR_ARG(path));
	else if (!is_below)
		why = str_fmt(a,
			      "%s path must stay within .gauntlet/ directory and point to a file: " STR_FMT
			      " resolves to " STR_FMT,
			      r->what, STR_ARG(path), STR_ARG(full));
	else if (str_cz(a, full, &z, &err) < 0 || fs_read(a, z, CONFIG_LIMIT_BYTES, &text, &err) < 0)
		why = str_fmt(a, "%s", err.msg);
	else if (!text.s)
		why = str_fmt(a, "%s file not found: " STR_FMT, r->what, STR_ARG(full));
	if (why.s)
		collect(k, PROBLEM_FATAL, r->at, r->key, STR_FMT " (referenced by %s \"" STR_FMT "\")",
			STR_ARG(why), r->gate, STR_ARG(r->name));
	return text;
}

static void
judge_timeout(struct collector *k, const struct node *n, int64_t *timeout_ms, const char *what_then)
{
	if (*timeout_ms == 0)
		collect(k, PROBLEM_ERROR, node_get(n, "timeout"), STR("timeout"),
			"timeout must be greater than 0; as it is, %s", what_then);
	if (*timeout_ms < 0)
		*timeout_ms = 0;
}

/* ---- checks ---- */

static void
judge_check(struct collector *k, struct str root, const struct node *n, struct check_draft *d)
{
	bool is_alias = !d->fix_path.s;
	struct str path = is_alias ? d->fix_path_alias : d->fix_path;
	struct reference r = { .what = "Fix instructions", .gate = "check", .name = d->gate.name };

	if (d->gate.fails_fast && d->gate.is_parallel)
		collect(k, PROBLEM_FATAL, node_get(n, "fail_fast"), STR("fail_fast"),
			"fail_fast can only be used when parallel is false");
	if (d->fix_path.s && d->fix_path_alias.s)
		collect(k, PROBLEM_FATAL, node_get(n, "fix_instructions_file"), STR("fix_instructions_file"),
			"is another name of fix_instructions, which is there too");
	else if (path.s) {
		r.key = is_alias ? STR("fix_instructions_file") : STR("fix_instructions");
		r.at = node_get(n, r.key.s);
		d->gate.fix_instructions = read_reference(k, root, path, &r);
	}
	if (node_get(n, "fix_with_skill"))
		collect(k, PROBLEM_WARNING, node_get(n, "fix_with_skill"), STR("fix_with_skill"),
			"is not supported and has no effect");
	judge_timeout(k, n, &d->gate.timeout_ms, "there is none");
}

void
gates_load_checks(struct collector *k, struct gauntlet_config *c)
{
	struct gate_files files = list_files(k, c->root, STR(".gauntlet/checks"), false);

	check_twins(k, &files, "check");
	if (files.count > 0)
		c->checks = arena_array(k->arena, files.count, struct check_gate);
	for (size_t i = 0; i < files.count; i++) {
		struct check_draft d = check_draft_defaults;
		struct node root;

		d.gate.name = files.items[i].name;
		d.gate.file = files.items[i].file;
		collect_in(k, d.gate.file);
		if (gates_read_yaml(k, c->root, d.gate.file, &root)) {
			collect_map(k, &root, gauntlet_check_keys.fields, gauntlet_check_keys.count, &d,
				    NULL);
			judge_check(k, c->root, &root, &d);
		}
		c->checks[c->check_count++] = d.gate; /* one that could not be read makes the whole fail */
	}
}

/* ---- reviews ---- */

static void
judge_review(struct collector *k, const struct gauntlet_config *c, const struct node *n,
	     struct review_gate *g)
{
	const struct node *preference = node_get(n, "cli_preference");

	for (size_t i = 0; i < g->cli_preference.count && c->default_preference.count > 0; i++)
		if (!str_is_among(g->cli_preference.items[i], c->default_preference.items,
				  c->default_preference.count))
			collect(k, PROBLEM_FATAL, collect_item(preference, i),
				str_fmt(k->arena, "cli_preference[%zu]", i),
				"Review \"" STR_FMT "\" uses CLI tool \"" STR_FMT
				"\" which is not in the project-level allowed list (cli.default_preference).",
				STR_ARG(g->name), STR_ARG(g->cli_preference.items[i]));
	if (preference && preference->kind == NODE_LIST && preference->count == 0)
		collect(k, PROBLEM_ERROR, preference, STR("cli_preference"),
			"cli_preference if provided cannot be an empty array. Remove it to use defaults.");
	if (g->cli_preference.count == 0)
		g->cli_preference = c->default_preference;
	if (g->num_reviews < 1)
		collect(k, PROBLEM_ERROR, node_get(n, "num_reviews"), STR("num_reviews"),
			"num_reviews must be at least 1");
	judge_timeout(k, n, &g->timeout_ms, "the default is used");
}

/* Blanks may follow the marker, as everywhere. */
static bool
begins_with_marker(struct str text)
{
	struct str first = STR("");

	return str_next(&text, '\n', &first) && str_starts(first, STR("---")) &&
	       str_trim(str_sub(first, 3, first.n)).n == 0;
}

/* The front matter as a tree with the file's line numbers. False: it is not right, which is noted. */
static bool
split_markdown(struct collector *k, struct str text, struct node *ret, struct str *ret_prompt)
{
	struct frontmatter f;
	struct str start = utf8_skip_mark(text);
	struct err err;

	*ret = (struct node){ .kind = NODE_MAP, .line = 1, .column = 1 };
	*ret_prompt = start;
	if (!begins_with_marker(start)) {
		collect(k, PROBLEM_ERROR, NULL, STR(""),
			"Review gate must have YAML frontmatter; without it, all is default");
		return true;
	}
	if (frontmatter_parse(start, &f, &err) < 0) {
		collect_err(k, &err);
		return false;
	}
	struct node root;
	struct buf padded = BUF(k->arena, SIZE_MAX);

	buf_addc(&padded, '\n'); /* for the line of the opening marker */
	buf_add(&padded, f.block);
	*ret_prompt = f.body;
	if (yaml_parse(k->arena, buf_str(&padded), &root, &err) < 0) {
		collect_err(k, &err);
		return false;
	}
	if (root.kind != NODE_NULL)
		*ret = root;
	return true;
}

static bool
is_markdown(struct str file)
{
	return str_ends(file, STR(".md"));
}

bool
gates_read_review(struct collector *k, struct str root, struct str file, struct node *ret,
		  struct str *ret_prompt)
{
	struct str text = STR_NONE;

	*ret_prompt = STR_NONE;
	if (!is_markdown(file))
		return gates_read_yaml(k, root, file, ret);
	return read_text(k, root, file, &text) && split_markdown(k, text, ret, ret_prompt);
}

/* Where the prompt of a review that is all YAML comes from. */
static void
find_prompt(struct collector *k, struct str root, const struct node *n, struct review_draft *d)
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
		collect(k, PROBLEM_FATAL, n, STR(""),
			"expected one of prompt_file, skill_name and builtin, not %d of them", sources);
	else if (d->skill_name.s)
		collect(k, PROBLEM_FATAL, node_get(n, "skill_name"), STR("skill_name"),
			"not supported: put the prompt into a file and name it by prompt_file");
	else if (d->builtin.s)
		collect(k, PROBLEM_FATAL, node_get(n, "builtin"), STR("builtin"),
			"not supported: put the prompt into a file and name it by prompt_file");
	else
		d->gate.prompt = read_reference(k, root, d->prompt_file, &r);
}

static void
load_review(struct collector *k, const struct gauntlet_config *c, struct review_draft *d)
{
	bool is_yaml = !is_markdown(d->gate.file);
	const struct field_table *keys = is_yaml ? &gauntlet_review_yml_keys : &gauntlet_review_keys;
	struct node root;

	if (!gates_read_review(k, c->root, d->gate.file, &root, &d->gate.prompt))
		return;
	collect_map(k, &root, keys->fields, keys->count, d, NULL);
	if (is_yaml && root.kind == NODE_MAP)
		find_prompt(k, c->root, &root, d);
	judge_review(k, c, &root, &d->gate);
}

void
gates_load_reviews(struct collector *k, struct gauntlet_config *c)
{
	struct gate_files files = list_files(k, c->root, STR(".gauntlet/reviews"), true);

	check_twins(k, &files, "review");
	if (files.count > 0)
		c->reviews = arena_array(k->arena, files.count, struct review_gate);
	for (size_t i = 0; i < files.count; i++) {
		struct review_draft d = review_draft_defaults;

		d.gate.name = files.items[i].name;
		d.gate.file = files.items[i].file;
		collect_in(k, d.gate.file);
		load_review(k, c, &d);
		c->reviews[c->review_count++] = d.gate;
	}
}
