/* SPDX-License-Identifier: MIT */
/* holdfast add gate: one more gate in holdfast.yml, in place. */
#include "client/shell_words.h"
#include "cmd/commands.h"
#include "cmd/setup/init_gates.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "install/gate_file.h"
#include "install/register.h"
#include "os/fs.h"
#include "ui/print.h"

static struct gate_entry
entry_of(struct arena *a, const struct invocation *inv)
{
	struct gate_entry g = { .name = str_trim(inv->args[0]), .dir = option_str(inv, "in") };
	struct buf words = BUF(a, SIZE_MAX);

	/* One word is a command as a shell reads it; several are the words of one. */
	for (size_t i = 1; i < inv->arg_count; i++)
		buf_cat(&words, i > 1 ? " " : "", shell_quote(a, inv->args[i]));
	g.command = inv->arg_count == 2 ? str_trim(inv->args[1]) : buf_str(&words);
	g.files.items = arena_array(a, option_count(inv, "files") + 1, struct str);
	for (size_t i = 0; i < option_count(inv, "files"); i++)
		g.files.items[g.files.count++] = option_at(inv, "files", i);
	return g;
}

/* Where holdfast.yml is, or goes: at the repository's root. Returns the exit code. */
static int
find_root(struct arena *a, const struct invocation *inv, struct str *ret)
{
	struct project_facts *f = arena_new(a, struct project_facts);

	project_facts_load(a, inv->cwd, f);
	if (f->gates_root.s && !gates_dialect(f->gates_root)->configures_alone)
		return command_error(inv, f->gates_root,
				     " has its gates in .gauntlet; with a holdfast.yml they would not run "
				     "any more; 'holdfast migrate' writes one from them");
	if (!f->gates_root.s && f->policies_path.s)
		return command_error(inv, f->policies_path,
				     " would have no effect any more beside a holdfast.yml; 'holdfast "
				     "migrate' writes one from it");
	*ret = str_copy(a, f->gates_root.s ? f->gates_root : f->project);
	return 0;
}

/* The new text must be valid as a whole. */
static int
change_file(struct arena *a, struct str path, const struct gate_entry *g, bool *ret_is_new, struct err *err)
{
	struct str text, changed;

	if (fs_read(a, path.s, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	*ret_is_new = !text.s;
	if (!text.s)
		return fs_create(path.s, gate_file_new(a, g, 1, /* has_guards= */ false), 0644, err);
	if (gate_file_add(a, text, g, &changed, err) < 0)
		return err_wrap_file(err, path.s);
	return fs_replace(a, path.s, changed, 0644, err);
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct gate_entry g = entry_of(a, inv);
	struct str root, path;
	struct source source;
	struct buf out = BUF(a, KIB(64));
	bool is_new;
	struct err err;

	if (g.name.n == 0 || g.command.n == 0)
		return usage_error(inv, "a gate has a name and a command");
	if (find_root(a, inv, &root) != 0)
		return 1;
	path = path_join(a, root, STR(HOLDFAST_FILE));
	source_find(a, root, &source);
	if (change_file(a, path, &g, &is_new, &err) < 0)
		return command_error(inv, err.msg);
	write_editor_schema(a, root);
	register_new_gates(a, root);
	buf_cat(&out, path_shown(path, inv->cwd), ": added the gate '", g.name, "': ", g.command, "\n");
	trust_added(a, &source, is_new ? PIN_YES : PIN_AS_BEFORE, &out);
	return print_out(buf_str(&out));
}

static const struct command gate_command = {
	.name = "gate",
	.summary = "add a command that must pass before the agent may stop",
	.details = "Adds the gate to holdfast.yml and keeps everything else there; writes the file if there "
		   "is none. Several words are the words of the command; one word is a line for the shell, "
		   "as in: holdfast add gate test -- 'make && make test'. The file is trusted as it is then, "
		   "and a pinned copy is renewed, unless an agent runs this.",
	.args = "NAME -- COMMAND...",
	.least_args = 2,
	.most_args = ARGS_ANY,
	TAKES(VALUE("files", "PATTERN", "run it only for changes of such files; may be repeated"),
	      VALUE("in", "DIR", "where it runs, from the project's root")),
	.needs_cwd = true,
	.run = run,
};
static const struct command *const subs[] = { &gate_command };

const struct command add_command = {
	.name = "add",
	.summary = "add to holdfast.yml",
	SUBCOMMANDS(subs),
};
