/* SPDX-License-Identifier: MIT */
/* holdfast migrate: holdfast.yml from the configuration of the programs that holdfast replaces. */
#include "cmd/commands.h"
#include "cmd/setup/init_gates.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "import/conclaude.h"
#include "import/migrate.h"
#include "install/gate_file.h"
#include "os/fs.h"
#include "project/project.h"
#include "ui/print.h"

/* The directory with the old files. Returns the exit code. */
static int
find_root(struct arena *a, const struct invocation *inv, struct str *ret)
{
	struct str cwd = inv->cwd, gates, conclaude, native = STR_NONE;
	struct project_dirs where;

	project_find(&where, cwd, WITHIN_REPOSITORY);
	gates = gates_find(a, where.dirs, where.count);
	conclaude = conclaude_find(a, where.dirs, where.count);
	for (size_t i = 0; i < where.count && !native.s; i++)
		if (gates_dialect(where.dirs[i])->configures_alone)
			native = where.dirs[i];
	if (native.s)
		return command_error(inv, native,
				     "/" HOLDFAST_FILE
				     " exists and is not changed; 'holdfast migrate --dry-run' in a copy "
				     "without it shows what it would be");
	if (!gates.s && !conclaude.s)
		return command_error(inv, "there is no .gauntlet, .validator or .conclaude.yaml here or "
					  "above; 'holdfast init' proposes gates");
	struct str dir = conclaude.s ? str_copy(a, path_parent(conclaude)) : gates;

	if (gates.s && !str_eq(gates, dir))
		return command_error(inv, path_join(a, gates, gates_file(gates)), " and ", conclaude,
				     " are in different directories, and a holdfast.yml in one of them would "
				     "end the effect of the other: move them together first");
	*ret = dir;
	return 0;
}

static struct str
notes_text(struct arena *a, const struct config_problems *notes, const char *word)
{
	struct buf b = BUF(a, MIB(1));

	for (size_t i = 0; i < notes->count; i++)
		buf_cat(&b, word, problem_position(a, STR(""), &notes->items[i]),
			problem_text(a, &notes->items[i]), "\n");
	return buf_str(&b);
}

static struct str
file_text(struct arena *a, const struct migration *m)
{
	return str_cat(a, GATE_FILE_SCHEMA_LINE "# From ", str_list_join(a, &m->from, " and "),
		       " by 'holdfast migrate'.\n", m->text);
}

static int
write_file(struct arena *a, const struct invocation *inv, struct str root, const struct migration *m)
{
	struct str path = path_join(a, root, STR(HOLDFAST_FILE)), names = str_list_join(a, &m->from, " and ");
	bool is_one = m->from.count == 1;
	const char *it = is_one ? "it" : "them";
	struct buf out = BUF(a, MIB(1));
	struct source source;
	struct err err;

	source_find(a, root, &source);
	if (fs_create(path.s, file_text(a, m), 0644, &err) < 0)
		return command_error(inv, err.msg);
	write_editor_schema(a, root);
	buf_cat(&out, path_shown(path, inv->cwd), ": written from ", names, "\n",
		notes_text(a, &m->notes, "not in it: "), "It counts alone from now on: ", names,
		" no longer ", is_one ? "has" : "have", " an effect, and nothing of ", it,
		" was changed. Remove ", it, " when you have read holdfast.yml: git rm -r ",
		str_list_join(a, &m->from, " "), "\n");
	if (str_starts(m->from.items[m->from.count - 1], STR(".conclaude")))
		buf_add(&out, STR("A hook that is registered as 'conclaude' still reads the old file: "
				  "'holdfast doctor' shows what is registered.\n"));
	trust_added(a, &source, PIN_AS_BEFORE, &out);
	return print_out(buf_str(&out));
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct migration *m = arena_new(a, struct migration);
	struct str root;
	struct err err;

	if (find_root(a, inv, &root) != 0)
		return 1;
	if (migrate(a, root, m, &err) < 0) {
		if (problems_first_fatal(&m->problems)) {
			print_err(notes_text(a, &m->problems, ""));
			return command_error(inv, "fix that first; nothing was written");
		}
		return command_error(inv, "holdfast.yml can't express this: ", err.msg,
				     "; nothing was written");
	}
	if (!m->text.s) {
		print_err(notes_text(a, &m->notes, ""));
		return command_error(inv, str_list_join(a, &m->from, " and "),
				     " has nothing that holdfast acts on; nothing was written");
	}
	if (!option_has(inv, "dry-run"))
		return write_file(a, inv, root, m);
	print_err(notes_text(a, &m->notes, "not in it: "));
	return print_out(file_text(a, m));
}

const struct command migrate_command = {
	.name = "migrate",
	.summary = "write holdfast.yml from .gauntlet, .validator and .conclaude.yaml",
	.details =
		"Translates the old files of a project into one holdfast.yml that decides the same, with "
		"their comments. What is not in it is named with file and line. The old files are not "
		"changed; they have no effect beside a holdfast.yml. One that exists is never overwritten.",
	TAKES(FLAG("dry-run", "print the file, and write nothing")),
	.needs_cwd = true,
	.run = run,
};
