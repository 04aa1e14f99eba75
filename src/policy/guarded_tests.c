/* SPDX-License-Identifier: MIT */
/* guards.tests at a stop: reads the files that changed as they were and as they are, and blocks if tests or gates are weaker. */
#include "import/gates.h"
#include "conf/holdfast.h"
#include "gates/run.h"
#include "git/git.h"
#include "guards/tests/tests.h"
#include "os/fs.h"
#include "policy/policies.h"
#include "store/baseline.h"

/* The room for the findings in a reason. */
#define FINDINGS_BYTES 6000
#define ADVICE                                                                                              \
	"\nPut back what is gone, and fix the code that the tests are about, not the tests. If the change " \
	"of a test is "                                                                                     \
	"right, say why and ask the user: an entry with 'file' and 'reason' under guards.tests.allow in "   \
	"holdfast.yml "                                                                                     \
	"lets it pass. The stop hook looks again when you stop.\n"

/* Have the definitions changed since the session began, and has the user not accepted that? */
static bool
are_definitions_new(struct stop_context *s)
{
	const struct source *source = s->gates_source;
	struct str then = STR_NONE;

	if (source->is_pinned)
		return source->differs.s != NULL;
	if (baseline_of_session(s->arena, s->event->session_id, source->root, STR_NONE, &then, IGNORED) < 0 ||
	    !then.s)
		return true;
	struct definitions old = definitions_parse(s->arena, then);

	return definitions_changed(s->arena, &old, &source->now).count > 0;
}

/* The files that matter, before and after. */
static int
read_changes(struct stop_context *s, const struct stop_changes *changes, struct file_change **ret,
	     size_t *ret_count, struct err *err)
{
	struct arena *a = s->arena;
	struct str root = s->gates_source->root;
	struct repository repository = { .root = root, .deadline_ms = s->deadline_ms };
	size_t most = changes->files.count < TESTS_FILES_LIMIT ? changes->files.count : TESTS_FILES_LIMIT;
	struct str_list paths = { arena_array(a, most, struct str), 0 };
	bool has_new_definitions = are_definitions_new(s);

	for (size_t i = 0; i < changes->files.count && paths.count < most; i++) {
		struct str path = changes->files.items[i];

		if (tests_concern(path) && (has_new_definitions || !str_is(path, HOLDFAST_FILE)))
			paths.items[paths.count++] = path;
	}
	if (paths.count == TESTS_FILES_LIMIT)
		stop_warn(s, "guards.tests has looked at the first ", TESTS_FILES_LIMIT,
			  " files that changed");
	struct str *before = arena_array(a, paths.count, struct str);

	if (changes->commit.s && git_read_texts(a, &repository, changes->commit, &paths, before, err) < 0)
		return -1;
	*ret = arena_array(a, paths.count, struct file_change);
	for (size_t i = 0; i < paths.count; i++) {
		struct file_change *c = &(*ret)[*ret_count];
		struct str path = path_join(a, root, paths.items[i]);

		*c = (struct file_change){ .path = paths.items[i], .before = before[i] };
		if (before[i].n > TESTS_FILE_BYTES || fs_kind(path.s) == FS_DIR ||
		    fs_read(a, path.s, TESTS_FILE_BYTES, &c->after, err) < 0)
			continue;
		(*ret_count)++;
	}
	return 0;
}

/* The reason why a finding is allowed; absent: it is not. */
static struct str
allowed_by(const struct guard_tests *tests, struct str file)
{
	for (size_t i = 0; i < tests->allow.count; i++) {
		struct str pattern = tests->allow.items[i].file;

		if (gate_is_for(&(struct str_list){ &pattern, 1 }, file))
			return tests->allow.items[i].reason;
	}
	return STR_NONE;
}

/* Reports the findings that are allowed, each file once, and returns the others as lines for the agent. */
static struct str
lines_of(struct stop_context *s, const struct guard_tests *tests, const struct test_findings *found,
	 size_t *ret_count)
{
	struct arena *a = s->arena;
	struct buf b = BUF(a, SIZE_MAX);
	struct str told = STR_NONE;
	size_t left_out = 0;

	for_each (f, found->items, found->count) {
		struct str reason = allowed_by(tests, f->file), file = strip_escapes_line(a, f->file);

		if (reason.s) {
			if (!str_eq(told, f->file))
				stop_warn(s, file, " weakens tests, which guards.tests allows: ",
					  strip_escapes_line(a, reason));
			told = f->file;
			continue;
		}
		++*ret_count;
		if (b.n > FINDINGS_BYTES) {
			left_out++;
			continue;
		}
		buf_cat(&b, file);
		if (f->line > 0)
			buf_cat(&b, ":", f->line);
		buf_cat(&b, ": ", strip_escapes_line(a, f->text),
			f->is_before && f->line > 0 ? " (the line before the change)" : "", "\n");
	}
	if (left_out > 0)
		buf_cat(&b, "and ", left_out, " more\n");
	return buf_str(&b);
}

bool
tests_policy(struct stop_context *s, struct verdict *ret)
{
	const struct guards_config *guards = s->is_main ? stop_guards(s) : NULL;
	struct stop_settings hook;
	struct gates_config config;
	struct stop_changes changes;
	struct file_change *files;
	size_t count = 0, found_count = 0;
	struct err err;

	if (!guards || !guards->tests || !guards->tests->is_enabled)
		return false;
	/* What is wrong with the file is the gates' to say. */
	if (source_load_gates(s->arena, s->gates_source, &hook, &err) < 0 ||
	    gates_load_rest(s->arena, &hook, &config, &err) < 0)
		return false;
	config.root = s->gates_source->root;
	find_base_branch(s->arena, &config);
	if (changes_at_stop(s->arena, &config, s->event->session_id, s->deadline_ms, &changes, &err) < 0 ||
	    read_changes(s, &changes, &files, &count, &err) < 0) {
		stop_warn(s, "guards.tests has compared nothing: ", err.msg);
		return false;
	}
	struct test_findings found = tests_compare(s->arena, files, count);
	struct str lines = lines_of(s, guards->tests, &found, &found_count);

	if (found_count == 0)
		return false;
	*ret = guard_block(s, STATUS_TESTS_WEAKENED,
			   str_cat(s->arena, "tests or gates were weakened (", found_count, " ",
				   found_count == 1 ? "finding" : "findings", ")"),
			   str_fmt(s->arena, "This change weakens the tests or the gates:\n\n" STR_FMT ADVICE,
				   STR_ARG(lines)));
	return true;
}
