/* SPDX-License-Identifier: MIT */
/* validate --prove: can each check fail? Runs all of them three times in a copy of the work tree: as it is, with a failing test in every
 * test file, and with every source file broken. A check that always passes checks nothing. One that fails with failing tests runs again
 * with passing ones in their place: if it fails with these, too, it does not even build them. Never writes to the work tree. */
#include "cmd/gates/gates.h"

#include "doc/json.h"
#include "git/git.h"
#include "guards/tests/marks.h"
#include "guards/tests/tests.h"
#include "os/env.h"
#include "os/fs.h"
#include "os/proc.h"
#include "os/tempdir.h"
#include "os/warden.h"
#include "ui/print.h"

#define REPORT_BYTES MIB(64)
#define FILE_BYTES MIB(2)
#define INDEX_BYTES MIB(256)
/* How often a gate that stops at the first failure runs again to find the next one. */
#define ROUNDS_MAX 8
/* No language takes this. */
#define BREAK ")]} holdfast has planted a break here {[(\n"

enum proof { PROOF_NONE, PROOF_FAILS, PROOF_PASSES };
static const char *const proof_names[] = { "unknown", "fails", "passes" };

/* A kind of break, and the files that have it. */
enum kind { KIND_TEST, KIND_SYNTAX, KIND_COUNT };
static const struct {
	const char *name, *words;
} kinds[KIND_COUNT] = { { "test", "a failing test" }, { "syntax", "a syntax error" } };

struct check_proof {
	const struct gate *check;
	struct {
		enum proof proof; /* PROOF_NONE: nothing was planted, or it could not run */
		struct str file;  /* one of those that are for the check; absent: there is none */
		size_t count;
	} by[KIND_COUNT];
	size_t noticed;         /* of the failing tests */
	bool is_least;          /* more may have been noticed */
	bool fails_with_passed; /* it fails with passing tests in place of the failing ones, too */
	enum proof proof;
	struct str why; /* of PROOF_NONE */
};

/* What a file was before a break was planted in it. */
struct original {
	struct str path, file, text;
};

struct prover {
	struct arena *arena;
	const struct gates_config *config;
	struct tempdir temp;
	struct str copy, state;
	struct check_proof *items;
	size_t count;
	struct change_list files; /* of the work tree, relative to it */
	struct original *originals;
	size_t original_count;
};

static void
progress(struct str text)
{
	if (tty_is(2))
		print_err(text);
}

/* Its exit code; -1: it did not end by itself. ret_output, its stdout, may be NULL. */
static int
run_program(struct arena *a, const char *const *argv, const char *dir, const char *const *env,
	    struct str *ret_output, struct err *err)
{
	static const char *const unset[] = { "GAUNTLET_STOP_HOOK_ACTIVE", "GIT_DIR", "GIT_WORK_TREE",
					     "GIT_INDEX_FILE", NULL };
	struct proc_spec spec = { .argv = argv, .dir = dir, .env = env, .unset = unset };
	struct proc_result r;

	if (proc_run(a, &spec, &r, err) < 0)
		return -1;
	if (ret_output)
		*ret_output = capture_text(&r.out, a, 0);
	return r.end == PROC_EXITED ? r.code : err_set(err, ERR_VALUE, "%s: did not end by itself", argv[0]);
}

/* ---- the copy ---- */

/* --preserve=mode would ask for extended attributes of each file. */
#define COPY "umask 0 && exec cp -dR --preserve=timestamps,links --reflink=auto -t \"$@\""

/* Gives the copy the project's index, and the objects that it names where they are: git compares the files with them instead of storing
 * each once more. False: it has none of its own for just this directory, or nobody can read it. */
static bool
share_index(struct prover *p, const char *index, const char *alternates)
{
	static const char *const ask[] = { "git",   "rev-parse",  "--show-prefix", "--git-path",
					   "index", "--git-path", "objects",       NULL };
	static const char *const refresh[] = { "git", "update-index", "-q", "--refresh", NULL };
	struct str answer, prefix, file, objects, root = p->config->root, text = STR_NONE;
	struct arena *a = p->arena;

	if (run_program(a, ask, root.s, NULL, &answer, IGNORED) != 0 || !str_next(&answer, '\n', &prefix) ||
	    prefix.n > 0 || !str_next(&answer, '\n', &file) || !str_next(&answer, '\n', &objects))
		return false;
	objects = fs_real(a, path_from(a, root, objects).s);
	return objects.s && fs_read(a, path_from(a, root, file).s, INDEX_BYTES, &text, IGNORED) == 0 &&
	       text.s && fs_create(alternates, str_cat(a, objects, "\n"), 0600, IGNORED) == 0 &&
	       fs_create(index, text, 0600, IGNORED) == 0 &&
	       run_program(a, refresh, p->copy.s, NULL, NULL, IGNORED) >= 0;
}

static int
make_repository(struct prover *p, struct err *err)
{
	static const char *const init[] = { "git", "init", "-q", NULL };
	static const char *const add[] = { "git", "add", "-A", NULL };
	const char *dir = p->copy.s, *index = str_cat(p->arena, p->copy, "/.git/index").s,
		   *alternates = str_cat(p->arena, p->copy, "/.git/objects/info/alternates").s;

	if (run_program(p->arena, init, dir, NULL, NULL, err) != 0)
		return -1;
	if (share_index(p, index, alternates) && run_program(p->arena, add, dir, NULL, NULL, err) == 0)
		return 0;
	bool is_alone = fs_remove(index, err) == 0 && fs_remove(alternates, err) == 0;

	return is_alone && run_program(p->arena, add, dir, NULL, NULL, err) == 0 ? 0 : -1;
}

/* Everything but the repository and the logs; git-ignored files too, since gates may need what is installed there. Where the file system
 * can, files share their blocks; they never share an inode, since a gate may write into them. */
static int
copy_tree(struct prover *p, struct err *err)
{
	struct arena *a = p->arena;
	struct str_list names;

	if (fs_make_dirs(p->copy.s, 0700, err) < 0 ||
	    fs_list(a, p->config->root.s, FS_NO_LIMIT, &names, err) < 0)
		return -1;
	const char *const begin[] = { "sh", "-c", COPY, "cp", p->copy.s, "--" };
	const char **argv = arena_array(a, COUNT_OF(begin) + names.count + 1, const char *);
	size_t n = COUNT_OF(begin);

	memcpy(argv, begin, sizeof(begin));
	for (size_t i = 0; i < names.count; i++)
		if (!str_is(names.items[i], ".git") && !str_eq(names.items[i], path_tidy(p->config->log_dir)))
			argv[n++] = names.items[i].s;
	if (run_program(a, argv, p->config->root.s, NULL, NULL, err) != 0)
		return err_set(err, ERR_VALUE, "the work tree can't be copied to " STR_FMT, STR_ARG(p->copy));
	if (make_repository(p, err) < 0)
		return err_set(err, ERR_VALUE, "git can't make a repository of " STR_FMT, STR_ARG(p->copy));
	return 0;
}

/* ---- breaking ---- */

/* A file that a command names is what runs, not what is checked. */
static bool
is_named(const struct prover *p, struct str path)
{
	for (size_t i = 0; i < p->count; i++)
		if (str_find(p->items[i].check->command, path) >= 0 ||
		    str_find(p->items[i].check->command, path_base(path)) >= 0)
			return true;
	return false;
}

/* A test concerns every gate, and another file those that are for it. */
static void
note_file(struct prover *p, enum kind kind, struct str path)
{
	for_each (item, p->items, p->count) {
		if (kind != KIND_TEST && !gate_is_for(&item->check->files, path))
			continue;
		if (item->by[kind].count++ == 0)
			item->by[kind].file = path;
	}
}

/* The text with a syntax error at the beginning, where a shell comes to it, too; after a line that says which program reads the file. */
static struct str
broken(struct arena *a, struct str text)
{
	struct str first = STR("");

	if (str_starts(text, STR("#!")) || str_starts(text, STR("<?")))
		first = str_sub(text, 0, str_before(text, '\n').n + 1);
	return str_cat(a, first, BREAK, str_rest(text, first.n));
}

/* Puts a break of this kind into every file that can have it. */
static void
plant(struct prover *p, enum kind kind)
{
	struct arena *a = p->arena;

	p->original_count = 0;
	for (size_t i = 0; i < p->files.count; i++) {
		struct str path = p->files.items[i], file = path_join(a, p->copy, path), text, planted;
		/* A script that a command names is the runner of the tests, and not one of them. */
		bool is_out = kind == KIND_TEST ? str_ends(path, STR("sh")) && is_named(p, path)
						: !language_of(path) || is_named(p, path);

		if (is_out || fs_lkind(file.s) != FS_FILE ||
		    fs_read(a, file.s, FILE_BYTES, &text, IGNORED) < 0 || !text.s)
			continue;
		planted = kind == KIND_TEST
				  ? planted_test(a, path, text, p->original_count + 1, /* fails= */ true)
				  : broken(a, text);
		if (!planted.s || fs_replace_unsynced(a, file.s, planted, 0644, IGNORED) < 0)
			continue;
		*arena_push(a, p->originals, p->original_count) = (struct original){ path, file, text };
		note_file(p, kind, path);
	}
}

/* ---- running ---- */

/* The worst outcome of a check, in all its directories; absent: it was not run. */
static struct str
outcome_of(const struct node *report, struct str name)
{
	static const char *const order[] = { "fail", "error", "skipped", "pass" };
	const struct node *jobs = node_get_list(report, "jobs");
	size_t worst = COUNT_OF(order);

	for (size_t i = 0; i < jobs->count; i++)
		for (size_t k = 0; str_eq(node_get_str(&jobs->items[i], "name"), name) && k < worst; k++)
			if (str_is(node_get_str(&jobs->items[i], "outcome"), order[k]))
				worst = k;
	return worst < COUNT_OF(order) ? str_from(order[worst]) : STR_NONE;
}

static int
run_checks(struct prover *p, const struct check_proof *items, size_t count, struct node *ret, struct err *err)
{
	struct arena *a = p->arena;
	const char *env[] = { str_cat(a, "XDG_STATE_HOME=", p->state).s, NULL }, *report = p->temp.file;
	const char *const begin[] = { env_self(a).s, "run", "--all", "--report", report };
	const char **argv = arena_array(a, COUNT_OF(begin) + count + 1, const char *);
	struct str text = STR_NONE;

	memcpy(argv, begin, sizeof(begin));
	for (size_t i = 0; i < count; i++)
		argv[COUNT_OF(begin) + i] = str_copy(a, items[i].check->name).s;
	if (fs_remove(report, err) < 0 || run_program(a, argv, p->copy.s, env, NULL, err) < 0 ||
	    fs_read(a, report, REPORT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return err_set(err, ERR_VALUE, "the gates could not be run in a copy of the work tree");
	return json_parse(a, text, ret, err);
}

/* What the check has printed, in all its directories. */
static struct str
output_of(struct prover *p, const struct node *report, struct str name)
{
	const struct node *jobs = node_get_list(report, "jobs");
	struct str all = STR("");

	for (size_t i = 0; i < jobs->count; i++) {
		struct str log = node_get_str(&jobs->items[i], "log"), text = STR_NONE;

		if (str_eq(node_get_str(&jobs->items[i], "name"), name) && log.n > 0 &&
		    fs_read(p->arena, path_from(p->arena, p->copy, log).s, REPORT_BYTES, &text, IGNORED) ==
			    0 &&
		    text.s)
			all = str_cat(p->arena, all, text);
	}
	return all;
}

/* Puts a failing test, or a passing one in its place, into the file of this number. */
static int
replant(struct prover *p, size_t i, bool fails, struct err *err)
{
	const struct original *o = &p->originals[i];
	struct str text = planted_test(p->arena, o->path, o->text, i + 1, fails);

	return fs_replace_unsynced(p->arena, o->file.s, text, 0644, err);
}

/* Gives each failing test that the gate's output names a passing one in its place; where it names none, all of them. Returns how many;
 * 0: there are no failing ones any more. */
static int
silence_noticed(struct prover *p, struct check_proof *item, struct str output, bool *is_silent,
		struct err *err)
{
	int changed = 0;

	for (int any = output.s ? 0 : 1; any < 2 && changed == 0; any++) {
		for (size_t i = 0; i < p->original_count; i++) {
			bool is_named = !any && str_find(output, planted_words(p->arena, i + 1)) >= 0;

			if (is_silent[i] || !(any || is_named))
				continue;
			if (replant(p, i, false, err) < 0)
				return -1;
			is_silent[i] = true;
			changed++;
			if (is_named && item->noticed++ == 0)
				item->by[KIND_TEST].file = p->originals[i].path;
			item->is_least |= any != 0;
		}
	}
	return changed;
}

/* Runs a check that fails with failing tests again, without those that it has noticed, until it passes. */
static int
count_noticed(struct prover *p, struct check_proof *item, struct node report, struct err *err)
{
	struct arena *a = p->arena;
	bool *is_silent = arena_array(a, p->original_count, bool);
	struct str name = item->check->name;

	item->by[KIND_TEST].file = STR_NONE;
	for (int round = 0; !str_is(outcome_of(&report, name), "pass"); round++) {
		struct str output = round < ROUNDS_MAX ? output_of(p, &report, name) : STR_NONE;
		int changed = silence_noticed(p, item, output, is_silent, err);

		if (changed < 0)
			return -1;
		item->fails_with_passed = changed == 0;
		if (changed == 0)
			break;
		progress(str_cat(a, "running ", name, " without the failures that it has noticed\n"));
		if (run_checks(p, item, 1, &report, err) < 0)
			return -1;
	}
	if (item->noticed == 0)
		item->noticed = 1; /* it has failed, and does not any more */
	item->is_least &= item->noticed < p->original_count;
	for (size_t i = 0; i < p->original_count; i++)
		if (is_silent[i] && replant(p, i, true, err) < 0)
			return -1;
	return 0;
}

static void
judge(struct prover *p, const struct node *before, const struct node after[KIND_COUNT])
{
	for_each (item, p->items, p->count) {
		struct str was = outcome_of(before, item->check->name);
		bool fails = false;

		for (size_t k = 0; k < KIND_COUNT; k++) {
			struct str is = item->by[k].count > 0 ? outcome_of(&after[k], item->check->name)
							      : STR("");

			if (k == KIND_TEST && item->fails_with_passed)
				is = STR("");
			item->by[k].proof = str_is(is, "fail")   ? PROOF_FAILS
					    : str_is(is, "pass") ? PROOF_PASSES
								 : PROOF_NONE;
			fails |= item->by[k].proof == PROOF_FAILS;
		}
		if (!was.s)
			item->why = STR("it does not run here");
		else if (!str_is(was, "pass"))
			item->why = STR("it does not pass in a copy of the work tree as it is, so that a "
					"failure proves nothing");
		else if (fails)
			item->proof = PROOF_FAILS;
		else if (item->fails_with_passed)
			item->why = STR("it fails with passing tests planted, too, so that failing ones "
					"prove nothing");
		else if (item->by[KIND_SYNTAX].count == 0)
			item->why = STR("no source file that it is for can be broken");
		else if (item->by[KIND_SYNTAX].proof == PROOF_PASSES)
			item->proof = PROOF_PASSES;
		else
			item->why = STR("it could not run with broken files");
	}
}

static int
prove(struct prover *p, struct err *err)
{
	struct repository repository = { .root = p->config->root };
	struct change_spec everything = { .mode = CHANGES_SINCE,
					  .commit = STR(GIT_EMPTY_TREE),
					  .log_dir = p->config->log_dir };
	struct node before, after[KIND_COUNT] = { 0 };
	struct arena *a = p->arena;

	progress(STR("copying the work tree\n"));
	if (copy_tree(p, err) < 0 || git_changes(a, &repository, &everything, &p->files, err) < 0)
		return -1;
	progress(str_cat(a, "running ", p->count, " gates as they are\n"));
	if (run_checks(p, p->items, p->count, &before, err) < 0)
		return -1;
	plant(p, KIND_TEST);
	if (p->original_count > 0) {
		progress(str_cat(a, "running them with a failing test in ", p->original_count, " files\n"));
		if (run_checks(p, p->items, p->count, &after[KIND_TEST], err) < 0)
			return -1;
	}
	for (size_t i = 0; p->original_count > 0 && i < p->count; i++) {
		struct check_proof *item = &p->items[i];

		if (str_is(outcome_of(&before, item->check->name), "pass") &&
		    str_is(outcome_of(&after[KIND_TEST], item->check->name), "fail") &&
		    count_noticed(p, item, after[KIND_TEST], err) < 0)
			return -1;
	}
	for_each (o, p->originals, p->original_count)
		if (fs_replace_unsynced(a, o->file.s, o->text, 0644, err) < 0)
			return -1;
	plant(p, KIND_SYNTAX);
	progress(str_cat(a, "running them with ", p->original_count, " files broken\n"));
	if (run_checks(p, p->items, p->count, &after[KIND_SYNTAX], err) < 0)
		return -1;
	judge(p, &before, after);
	return 0;
}

/* ---- the result ---- */

/* The kinds of break with which the gate ended so: "a failing test in a (1 of 2 planted failures was noticed) and a syntax error in b
 * and 2 more". */
static void
add_kinds(struct buf *b, const struct check_proof *item, enum proof proof, const char *before)
{
	bool is_first = true;

	for (size_t k = 0; k < KIND_COUNT; k++) {
		struct str file = item->by[k].file;

		if (item->by[k].count == 0 || item->by[k].proof != proof)
			continue;
		buf_cat(b, is_first ? before : " and ", kinds[k].words, file.s ? " in " : "", file);
		if (k == KIND_TEST && proof == PROOF_FAILS)
			buf_cat(b, item->is_least ? " (at least " : " (", item->noticed, " of ",
				item->by[k].count, " planted failures ", item->noticed == 1 ? "was" : "were",
				" noticed)");
		else if (item->by[k].count > 1)
			buf_cat(b, " and ", item->by[k].count - 1, " more");
		is_first = false;
	}
}

static void
add_text(struct buf *b, const struct prover *p, size_t bad)
{
	for_each (item, p->items, p->count) {
		buf_cat(b, item->check->name, ": ");
		if (item->proof == PROOF_NONE)
			buf_cat(b, "not proved: ", item->why);
		else if (item->proof == PROOF_FAILS)
			add_kinds(b, item, PROOF_FAILS, "fails, as it should, with ");
		if (item->proof != PROOF_NONE)
			add_kinds(b, item, PROOF_PASSES,
				  item->proof == PROOF_FAILS ? "; passes with " : "PASSES with ");
		if (item->proof != PROOF_NONE && item->fails_with_passed)
			buf_cat(b,
				"; failing tests prove nothing, as it fails with passing ones planted, too");
		buf_addc(b, '\n');
	}
	if (bad > 0)
		buf_cat(b, bad, " of ", p->count, " gates can't fail.\n");
}

int
prove_gates(struct arena *a, const struct gates_config *config, bool is_json, struct err *err)
{
	struct prover p = { .arena = a,
			    .config = config,
			    .items = arena_array(a, config->check_count, struct check_proof),
			    .count = config->check_count };
	struct buf b = BUF(a, SIZE_MAX);
	size_t bad = 0;

	for (size_t i = 0; i < p.count; i++)
		p.items[i].check = &config->checks[i];
	if (p.count == 0)
		return err_set(err, ERR_VALUE,
			       "there is no gate with a command, so that nothing can be proved");
	if (tempdir_make(&p.temp, a, "report.json", err) < 0)
		return -1;
	const char *all = str_cat(a, p.temp.path, "/").s;

	warden_register_file(all);
	p.copy = str_cat(a, p.temp.path, "/copy");
	p.state = str_cat(a, p.temp.path, "/state");
	int result = prove(&p, err);

	(void)(fs_remove_tree(p.copy.s, IGNORED) == 0);
	(void)(fs_remove_tree(p.state.s, IGNORED) == 0);
	warden_unregister_file(all);
	tempdir_clear(&p.temp);
	if (result < 0)
		return -1;
	for (size_t i = 0; i < p.count; i++)
		bad += p.items[i].proof == PROOF_PASSES;
	if (is_json) {
		json_open(&b, NULL, '{');
		json_open(&b, "gates", '[');
		for_each (item, p.items, p.count) {
			json_open(&b, NULL, '{');
			json_add(&b, "gate", item->check->name, "broken", proof_names[item->proof], "files",
				 item->by[KIND_SYNTAX].count);
			for (size_t k = 0; !item->why.s && k < KIND_COUNT; k++)
				if (item->by[k].count > 0)
					json_add(&b, kinds[k].name, proof_names[item->by[k].proof]);
			if (item->by[KIND_TEST].proof == PROOF_FAILS)
				json_add(&b, "planted", item->by[KIND_TEST].count, "noticed", item->noticed);
			json_add(&b, "why", item->why);
			json_close(&b, "}");
		}
		json_close(&b, "]}\n");
	} else
		add_text(&b, &p, bad);
	return print_out(buf_str(&b)) != 0 || bad > 0;
}
