/* SPDX-License-Identifier: MIT */
/* holdfast ralph start: writes the state file of a new loop. Replaces an existing loop only with --force. */
#include "cmd/commands.h"
#include "cmd/help_texts.h"
#include "cmd/loop/loop.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "doc/json.h"
#include "git/git.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "install/registry.h"

#include <errno.h>
#include <inttypes.h>

#define GIT_MS 5000
/* A temporary file that is older belongs to no process that still writes it. */
#define LEFT_OVER_US INT64_C(60000000)
/* Beyond this, clients show the model only a preview of a hook's output. */
#define PROMPT_PREVIEW_CHARACTERS 50000

/* Reads the command line, or the text after a slash command from stdin. */
static int
read_arguments(struct arena *a, const struct invocation *inv, struct loop_arguments *ret, struct err *err)
{
	const struct str_list words = { inv->args, inv->arg_count };
	struct str text;

	if (!option_has(inv, "arguments-from-stdin")) {
		*ret = (struct loop_arguments){
			.prompt = str_sub(str_list_join(a, &words, " "), 0, STATE_LIMIT_BYTES / 2),
			.max_iterations = option_str(inv, "max-iterations"),
			.completion_promise = option_str(inv, "completion-promise"),
			.prompt_file = option_str(inv, "prompt-file"),
			.mode = option_str(inv, "mode"),
			.is_forced = option_has(inv, "force"),
		};
		return 0;
	}
	/* Other options would be ignored, a limit among them. */
	if (inv->arg_count > 0 ||
	    inv->option_count > option_count(inv, "arguments-from-stdin") + option_count(inv, "session"))
		return err_set(err, ERR_USAGE,
			       "--arguments-from-stdin reads everything from standard input; only --session "
			       "may be given as well");
	if (fd_read_all(a, 0, STATE_LIMIT_BYTES / 2, &text, err) < 0)
		return -1;
	return loop_arguments_parse(a, text, ret, err);
}

/* What the command line does not say, the project's holdfast.yml may. */
static int
add_defaults(struct arena *a, struct str dir, struct loop_arguments *args, struct str *ret_options,
	     struct err *err)
{
	struct buf options = BUF(a, FRONT_MATTER_LIMIT_BYTES);
	struct project_dirs where;
	struct holdfast_loop loop;
	struct str root;

	project_find_above(&where, dir, WITHIN_REPOSITORY);
	root = gates_find(a, where.dirs, where.count);
	if (!root.s || !gates_dialect(root)->configures_alone)
		return 0;
	if (holdfast_load_loop(a, holdfast_read(a, root), &loop, err) < 0)
		return -1;
	if (!args->max_iterations.s && loop.max_iterations >= 0)
		args->max_iterations = str_cat(a, loop.max_iterations);
	if (!args->completion_promise.s)
		args->completion_promise = loop.promise;
	if (args->prompt.n == 0 && !args->prompt_file.s && loop.prompt.s)
		args->prompt = loop.prompt;
	/* A loop's file has the other keys, too, a line each. */
	for (size_t i = 0; loop.node && loop.node->kind == NODE_MAP && i < loop.node->count; i++) {
		const struct node_entry *e = &loop.node->entries[i];

		if (str_is_word_of(e->key, "max_iterations promise prompt") || e->value.kind == NODE_NULL)
			continue;
		buf_cat(&options, e->key, ": ");
		json_add_node(&options, &e->value);
		buf_addc(&options, '\n');
	}
	*ret_options = buf_str(&options);
	return 0;
}

/* /ralph and /ralph-loop, also with a plugin's name: /holdfast:ralph. */
static bool
begins_with_command(struct str prompt)
{
	struct str word = str_before(str_before(str_before(prompt, ' '), '\n'), '\t');
	ptrdiff_t colon = str_find_char(word, ':');

	if (!str_skip(&word, "/"))
		return false;
	if (colon > 0)
		word = str_rest(word, (size_t)colon);
	return str_is(word, "ralph") || str_is(word, "ralph-loop");
}

static int
read_prompt(struct arena *a, const struct loop_arguments *args, struct str *ret, struct err *err)
{
	const char *path;

	if (args->prompt_file.s && args->prompt.n > 0)
		return err_set(err, ERR_USAGE, "give either a prompt or --prompt-file, not both");
	*ret = args->prompt;
	if (args->prompt_file.s) {
		if (str_cz(a, args->prompt_file, &path, err) < 0 ||
		    fs_read(a, path, STATE_LIMIT_BYTES / 2, ret, err) < 0)
			return -1;
		if (!ret->s)
			return err_set(err, ERR_USAGE, "--prompt-file: '%s' does not exist", path);
	} else if (str_is(args->prompt, "-")) {
		if (fd_read_all(a, 0, STATE_LIMIT_BYTES / 2, ret, err) < 0)
			return -1;
	}
	if (str_ends(*ret, STR("\n")))
		ret->n--;
	struct str trimmed = str_trim(*ret);

	if (trimmed.n == 0)
		return err_set(err, ERR_USAGE,
			       "no prompt: give it as arguments, with --prompt-file, or as - to read "
			       "standard input");
	if (str_find_char(*ret, '\0') >= 0)
		return err_set(err, ERR_USAGE, "the prompt contains a NUL byte");
	/* A client that passes its own slash command on as text would start loops within the loop. */
	if (begins_with_command(trimmed))
		return err_set(err, ERR_USAGE, "the prompt begins with the command's own name");
	return 0;
}

static int
read_spec(struct arena *a, const struct invocation *inv, const struct loop_arguments *args,
	  struct loop_spec *ret, struct err *err)
{
	struct str limit = args->max_iterations;

	ret->session_id = ralph_session(inv);
	ret->max_iterations = LOOP_DEFAULT_MAX;
	ret->started_at = clock_format_seconds(a, clock_real_us());
	if (args->mode.s && !str_is(args->mode, "hook"))
		return err_set(err, ERR_USAGE,
			       "--mode " STR_FMT ": a fresh session for each iteration is not in this "
			       "version; without --mode the session is kept",
			       STR_ARG(args->mode));
	if (limit.s && (!number_parse(limit, &ret->max_iterations) || ret->max_iterations > LOOP_NUMBER_MAX))
		return err_set(err, ERR_USAGE,
			       "--max-iterations: expected a number from 0 to %d, not '" STR_FMT "'",
			       LOOP_NUMBER_MAX, STR_ARG(limit));
	ret->promise = args->completion_promise.s ? args->completion_promise : LOOP_DEFAULT_PROMISE;
	if (str_trim(ret->promise).n == 0)
		return err_set(err, ERR_USAGE,
			       "--completion-promise: the text is empty; `null` means no promise");
	for (size_t i = 0; i < ret->promise.n; i++)
		if ((unsigned char)ret->promise.s[i] < 0x20 || ret->promise.s[i] == 0x7f)
			return err_set(err, ERR_USAGE,
				       "--completion-promise: the text contains a control character");
	if (!utf8_is_valid(ret->promise))
		return err_set(err, ERR_USAGE, "--completion-promise: the text is not valid UTF-8");
	/* Such a text can't be between tags, so the promise could never be kept. */
	if (str_find(ret->promise, STR("<promise>")) >= 0 || str_find(ret->promise, STR("</promise>")) >= 0)
		return err_set(err, ERR_USAGE,
			       "--completion-promise: give the text only; the tags are added");
	if (str_is(ret->promise, "null"))
		ret->promise = STR_NONE;
	return read_prompt(a, args, &ret->prompt, err);
}

/* A second session's loop in the same project gets a file of its own. */
static int
choose_path(struct arena *a, bool is_forced, struct str dir, struct str session, struct str *ret,
	    struct err *err)
{
	const struct str paths[] = { loop_path(a, dir, STR("")), loop_path(a, dir, session) };

	for (size_t i = 0; i < (session.n > 0 ? 2 : 1); i++) {
		CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };

		if (loop_open(a, paths[i], &l, err) < 0)
			return -1;
		bool is_foreign = l.file.fd >= 0 && !l.is_corrupt && l.state.session_id.n > 0 &&
				  !str_eq(l.state.session_id, session);

		if (is_foreign && i == 0 && session.n > 0)
			continue;
		if (l.file.fd >= 0 && !is_forced)
			return err_set(err, ERR_USAGE,
				       STR_FMT ": already has a loop, at iteration %" PRIu64
					       "; `holdfast ralph cancel` ends it, --force replaces it",
				       STR_ARG(paths[i]), l.state.iteration);
		*ret = paths[i];
		return 0;
	}
	return err_set(err, ERR_USAGE, "another session already has a loop here");
}

/* Removes temporary files that a process has left which was killed in the moment before it named them. */
static void
remove_left_overs(struct arena *a, struct str dir)
{
	struct str_list names = { 0 };

	if (fs_list(a, str_copy(a, dir).s, FS_NO_LIMIT, &names, IGNORED) < 0)
		return;
	for (size_t i = 0; i < names.count; i++) {
		struct str name = names.items[i], path = path_join(a, dir, name);
		ptrdiff_t at = str_find(name, STR(".local.md."));
		struct str end = at < 0 ? STR("") : str_rest(name, (size_t)at + 10);
		uint64_t number;
		/* The names of fs_replace() and locked_create() for a loop. */
		bool is_left_over = str_starts(name, STR(".ralph-loop."))
					    ? end.n == FS_TEMP_LETTERS
					    : str_starts(name, STR("ralph-loop.")) &&
						      str_ends(end, STR(".tmp")) &&
						      number_parse(str_sub(end, 0, end.n - 4), &number);

		if (is_left_over && fs_lkind(path.s) == FS_FILE &&
		    clock_real_us() - fs_written_at(path.s) / 1000 > LEFT_OVER_US)
			(void)(fs_remove(path.s, IGNORED) == 0);
	}
}

static int
write_state(struct arena *a, bool is_forced, struct str dir, struct str path, struct str text,
	    struct err *err)
{
	struct repository r = { .root = dir, .deadline_ms = clock_mono_ms() + GIT_MS };
	struct project_dirs where;
	struct err warning;

	if (fs_make_parents(a, path, 0755, err) < 0)
		return -1;
	remove_left_overs(a, path_parent(path));
	if (is_forced ? loop_replace(a, path, text, err) < 0 : locked_create(a, path.s, text, 0644, err) < 0)
		return !is_forced && err->sys == EEXIST
			       ? err_set(err, ERR_BUSY, STR_FMT ": another loop was started just now",
					 STR_ARG(path))
			       : -1;
	/* Keeps `git add -A` from committing the loop. */
	project_find_above(&where, dir, WITHIN_REPOSITORY);
	if (where.repository.s && git_ignore(a, &r, path, "**/.claude/ralph-loop*.local.md*", &warning) < 0)
		print_err_cat("warning: git does not ignore the loop's file: ", warning.msg, "\n");
	return 0;
}

/* A slash command comes from the plugin, which registers the hooks, unless the user has copied the command's file. */
static bool
is_from_plugin(struct arena *a, const struct invocation *inv, struct str dir)
{
	static const char *const files[] = { "commands/ralph.md", "commands/ralph-loop.md" };

	if (!option_has(inv, "arguments-from-stdin"))
		return false;
	for (int scope = 0; scope < SCOPE_COUNT; scope++) {
		struct str settings = settings_path(a, dir, &client_claude, (enum settings_scope)scope);

		for (size_t i = 0; settings.s && i < COUNT_OF(files); i++)
			if (fs_has(path_parent(settings), files[i]))
				return false;
	}
	return true;
}

/* Warns where no hook is registered, or the client ends the turn before the loop does. */
static void
warn_of_clients(struct arena *a, const struct invocation *inv, struct str dir)
{
	struct project_facts *facts = arena_new(a, struct project_facts);
	struct registry *r = arena_new(a, struct registry);

	project_facts_load(a, dir, facts);
	registry_load(a, facts->project, r);
	if (!registry_has_loop_hook(r) && !str_eq(dir, facts->project))
		registry_load(a, dir, r); /* the client may have been started below the repository's root */
	for (size_t i = 0; i < r->count; i++)
		if (r->clients[i].client == &client_claude)
			r->clients[i].has_plugin |= is_from_plugin(a, inv, dir);
	bool has_hook = registry_has_loop_hook(r);
	const struct hook_entry *other = registry_foreign_stop(r);

	if (!has_hook && other)
		print_err_cat("warning: '", other->command,
			      "' is registered for stops and ignores loops, so the prompt is not repeated -> "
			      "remove that entry from the settings, then 'holdfast init'\n");
	else if (!has_hook)
		print_err_cat("warning: holdfast is not registered in the settings, so without the plugin "
			      "the prompt is not repeated -> holdfast init\n");
	for (size_t i = 0; i < r->count; i++) {
		const struct client *c = r->clients[i].client;
		struct cap_warning cap;

		if (!registry_cap_matters(r, c) ||
		    !registry_cap_is_low(a, r, c, project_facts_blocks(facts), dir, &cap))
			continue;
		/* without a hook, 'holdfast init' was suggested already, and it raises the limit, too */
		if (has_hook || !str_is(str_from(cap.fix), "holdfast init"))
			print_err_cat("warning: ", cap.text, " -> ", cap.fix, "\n");
	}
}

static int
run(struct arena *a, const struct invocation *inv)
{
	struct loop_arguments args;
	struct loop_spec spec = { 0 };
	struct str path = STR_NONE, dir = project_named_by(NULL), text;
	struct project_dirs where;
	struct loop_state state;
	bool is_dry = option_has(inv, "dry-run");
	struct err err;

	/* Where the hook looks, whatever the agent's directory: the client's project, else the repository, else here. */
	if (!path_is_absolute(dir) || fs_kind(dir.s) != FS_DIR) {
		project_find(&where, fs_cwd(a), WITHIN_REPOSITORY);
		dir = where.repository.s ? where.repository : fs_cwd(a);
	}
	if (!dir.s)
		return command_error(inv, "the current directory no longer exists");
	if (read_arguments(a, inv, &args, &err) < 0 || add_defaults(a, dir, &args, &spec.options, &err) < 0 ||
	    read_spec(a, inv, &args, &spec, &err) < 0)
		return err.code == ERR_USAGE ? usage_error(inv, err.msg) : command_error(inv, err.msg);
	text = loop_state_new(a, &spec);
	if (loop_state_parse(a, text, &state, &err) < 0 ||
	    choose_path(a, args.is_forced, dir, spec.session_id, &path, &err) < 0 ||
	    (!is_dry && write_state(a, args.is_forced, dir, path, text, &err) < 0))
		return command_error(inv, err.msg);
	if (spec.max_iterations == 0)
		print_err_cat("warning: without a limit only ", spec.promise.s ? "the promise or " : "",
			      "`holdfast ralph cancel` ends this loop\n");
	if (utf8_length(spec.prompt) > PROMPT_PREVIEW_CHARACTERS)
		print_err_cat("warning: the model may get only a preview of a prompt of more than ",
			      PROMPT_PREVIEW_CHARACTERS, " characters\n");
	for (size_t i = 0; i < client_count; i++)
		if (clients[i]->reason_limit_bytes > 0 && spec.prompt.n > clients[i]->reason_limit_bytes &&
		    client_is_installed(a, clients[i]))
			print_err_cat("warning: ", clients[i]->title, " shows the model about ",
				      clients[i]->reason_limit_bytes,
				      " bytes of a prompt and puts the rest into a file\n");
	warn_of_clients(a, inv, dir);
	struct str rule = loop_promise_rule(a, &state.options);

	print_cat("Ralph loop ", is_dry ? "that would be started" : "started", ": iteration ",
		  loop_progress(a, 1, state.max_iterations), "\n");
	ralph_print_loop(a, NULL, path, &state);
	print_cat(is_dry ? "" : "  status   holdfast ralph status\n  cancel   holdfast ralph cancel\n", "\n",
		  state.prompt, "\n");
	if (rule.s)
		print_cat("\n", rule, "\n");
	if (is_dry)
		print_cat("\nNothing was written.\n");
	return 0;
}

const struct command ralph_start_command = {
	.name = "start",
	.summary = "start a loop in this project",
	.details = HELP_RALPH_START,
	.args = "[PROMPT... | -]",
	.most_args = ARGS_ANY,
	TAKES(VALUE("max-iterations", "N", "number of iterations (default 50; 0 for no limit)"),
	      VALUE("completion-promise", "TEXT",
		    "the promise that ends the loop (default COMPLETE; null for none)"),
	      VALUE("prompt-file", "FILE", "read the prompt from a file"),
	      VALUE("session", "ID",
		    "the session that owns the loop (default: the one that runs the command)"),
	      FLAG("arguments-from-stdin", "read options and prompt as one text from standard input; only "
					   "--session may be given with it"),
	      FLAG("force", "replace an active loop"),
	      FLAG("dry-run", "show the loop and every warning, and write nothing"),
	      VALUE("mode", "MODE", "how iterations run; only hook, the default, is supported",
		    CHOICES("hook", "script"))),
	.run = run,
};
