/* SPDX-License-Identifier: MIT */
/* From what holdfast recognises in a project to a holdfast.yml whose gates have been tried. */
#include "cmd/setup/init_gates.h"

#include "base/capture.h"
#include "base/path.h"
#include "client/client.h"
#include "cmd/command.h"
#include "cmd/compat/gauntlet_init.h"
#include "conf/file_schemas.h"
#include "conf/holdfast.h"
#include "gates/check.h"
#include "install/gate_file.h"
#include "install/project_facts.h"
#include "os/env.h"
#include "os/fs.h"
#include "os/proc.h"
#include "output/failing_lines.h"
#include "recognise/recognise.h"
#include "record/logdir.h"
#include "ui/print.h"

#define TRY_TIMEOUT_MS (10 * 60 * 1000)
#define GRACE_MS 2000

void
write_editor_schema(struct arena *a, struct str root)
{
	struct logdir logs = logdir_of(a, root, STR(HOLDFAST_LOG_DIR));
	struct str path = path_join(a, root, STR(GATE_FILE_SCHEMA));
	struct str text = file_schema_json(a, file_schema(STR("holdfast"))), old = STR_NONE;
	struct err ignored;

	if (logdir_make(&logs, &ignored) < 0 || fs_read(a, path.s, MIB(1), &old, &ignored) < 0 ||
	    (old.s && str_eq(old, text)))
		return;
	(void)(fs_replace(a, path.s, text, 0644, &ignored) == 0);
}

void
trust_written(struct arena *a, struct str root, enum pin_wish wish, struct buf *out)
{
	struct definitions d;
	bool is_pinned;
	struct err err;

	if (client_agent_runs_us(env_has))
		buf_add(out,
			STR("It is not trusted yet, because an agent ran this command: type 'holdfast trust "
			    "--pin' in a terminal of your own.\n"));
	else if (definitions_read(a, root, &d, &err) < 0 || definitions_check_safe(a, root, &d, &err) < 0 ||
		 project_trust(a, root, &d, wish, &is_pinned, &err) < 0)
		buf_addf(out, "warning: the project is not trusted: %s\n", err.msg);
	else if (is_pinned)
		buf_add(out,
			STR("It is pinned: changes to it count when you accept them by 'holdfast trust'.\n"));
}

void
trust_added(struct arena *a, const struct source *before, enum pin_wish wish, struct buf *out)
{
	if (before->differs.s)
		buf_addf(out,
			 "It is not pinned yet, because these had changed before: " STR_FMT
			 ". 'holdfast trust' accepts all of it.\n",
			 STR_ARG(before->differs));
	else
		trust_written(a, before->root, wish, out);
}

/* ---- trying a gate ---- */

static void
on_output(void *owner, int stream, struct str bytes)
{
	(void)stream;
	capture_put(owner, bytes);
}

static struct str
seconds_text(struct arena *a, int64_t ms)
{
	return str_fmt(a, "%lld.%lld s", (long long)(ms / 1000), (long long)(ms % 1000 / 100));
}

static struct str
failure_text(struct arena *a, const struct proc_result *r)
{
	if (r->end == PROC_TIMED_OUT)
		return str_fmt(a, "it was still running after " STR_FMT,
			       STR_ARG(seconds_text(a, TRY_TIMEOUT_MS)));
	if (r->end == PROC_SIGNALED)
		return str_fmt(a, "killed by signal %d", r->code);
	if (r->end == PROC_EXITED)
		return str_fmt(a, "exit code %d", r->code);
	return STR("its result could not be read");
}

bool
try_gate(struct arena *a, struct str root, struct str name, struct str command)
{
	static const char *const env[] = { "GAUNTLET_STOP_HOOK_ACTIVE=1", NULL };
	static const char *const unset[] = { "CLAUDECODE", NULL };
	struct capture output;
	struct buf out = BUF(a, SIZE_MAX);
	struct proc_result r;
	const char *script, *dir;
	struct err err;

	capture_init(&output, a, CAPTURE_HEAD_BYTES, CAPTURE_TAIL_BYTES);
	if (str_cz(a, command, &script, &err) < 0 || str_cz(a, root, &dir, &err) < 0) {
		(void)print_out(str_fmt(a, STR_FMT " could not run: %s\n", STR_ARG(name), err.msg));
		return false;
	}
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	const struct proc_spec spec = { .argv = argv,
					.dir = dir,
					.env = env,
					.unset = unset,
					.timeout_ms = TRY_TIMEOUT_MS,
					.grace_ms = GRACE_MS,
					.output = on_output,
					.owner = &output,
					.forgets_output = true };

	if (proc_run(a, &spec, &r, &err) < 0) {
		(void)print_out(str_fmt(a, STR_FMT " could not run: %s\n", STR_ARG(name), err.msg));
		return false;
	}
	struct str time = seconds_text(a, r.elapsed_ms);

	if (r.end == PROC_EXITED && r.code == 0) {
		(void)print_out(str_fmt(a, STR_FMT " passed in " STR_FMT "\n", STR_ARG(name), STR_ARG(time)));
		return true;
	}
	buf_addf(&out, STR_FMT " failed in " STR_FMT ": " STR_FMT "\n", STR_ARG(name), STR_ARG(time),
		 STR_ARG(failure_text(a, &r)));
	struct str lines = failing_lines(a, capture_text(&output, a, 0), SIZE_MAX), line;

	while (str_next(&lines, '\n', &line))
		buf_addf(&out, "  " STR_FMT "\n", STR_ARG(line));
	(void)print_out(buf_str(&out));
	return false;
}

/* ---- proposing ---- */

static void
add_proposal(struct buf *b, const struct proposed_gate *g, size_t width)
{
	buf_addf(b, "  %-*.*s  " STR_FMT, (int)width, STR_ARG(g->name), STR_ARG(g->command));
	if (g->files.count > 0)
		buf_addf(b, "  (changes of " STR_FMT ")", STR_ARG(g->files.items[0]));
	buf_addc(b, '\n');
}

static struct str
proposals_text(struct arena *a, const struct proposals *p)
{
	struct buf b = BUF(a, SIZE_MAX);
	size_t width = 0;

	for (size_t i = 0; i < p->count; i++)
		width = p->items[i].name.n > width ? p->items[i].name.n : width;
	for (size_t i = 0; i < p->count; i++)
		add_proposal(&b, &p->items[i], width);
	return buf_str(&b);
}

/* Takes out the gates whose program is not installed, as they could only be reported as broken, and names them. */
static void
drop_missing(struct arena *a, struct str root, bool is_silent, struct proposals *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct proposed_gate *g = &p->items[i];
		struct str missing = check_missing_program(a, g->command, root);

		if (!missing.s)
			p->items[kept++] = *g;
		else if (!is_silent)
			(void)print_out(str_fmt(a,
						"Left out: " STR_FMT " (" STR_FMT "), because '" STR_FMT
						"' is not installed.\n",
						STR_ARG(g->name), STR_ARG(g->command), STR_ARG(missing)));
	}
	p->count = kept;
}

static bool
is_yes(struct str answer)
{
	return answer.n == 0 || (answer.s[0] | 0x20) == 'y';
}

/* Asks for each; an empty answer is a yes. */
static void
ask_for_each(struct arena *a, struct asker *q, struct proposals *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct proposed_gate *g = &p->items[i];
		struct str answer = ask(a, q, "Add the gate '" STR_FMT "' (" STR_FMT ")? [Y/n] ",
					STR_ARG(g->name), STR_ARG(g->command));

		if (!q->is_over && is_yes(answer))
			p->items[kept++] = *g;
	}
	p->count = kept;
}

static int
write_file(struct arena *a, const struct propose_request *r, const struct proposals *p, enum pin_wish wish)
{
	struct gate_entry *gates = arena_array(a, p->count, struct gate_entry);
	struct str path = path_join(a, r->root, STR(HOLDFAST_FILE));
	struct buf out = BUF(a, KIB(64));
	struct err err;

	for (size_t i = 0; i < p->count; i++)
		gates[i] = (struct gate_entry){ .name = p->items[i].name,
						.command = p->items[i].command,
						.files = p->items[i].files };
	if (fs_create(path.s, gate_file_new(a, gates, p->count), 0644, &err) < 0)
		return command_fail(r->inv, "%s", err.msg);
	write_editor_schema(a, r->root);
	buf_addf(&out, "\n" STR_FMT "\n" STR_FMT, STR_ARG(shown_path(path, r->cwd)),
		 STR_ARG(proposals_text(a, p)));
	trust_written(a, r->root, wish, &out);
	return print_out(buf_str(&out));
}

static int
write_and_try(struct arena *a, const struct propose_request *r, struct proposals *p, enum pin_wish wish)
{
	size_t failed = 0;

	if (write_file(a, r, p, wish) != 0)
		return 1;
	(void)print_out(STR("Trying each gate once:\n"));
	for (size_t i = 0; i < p->count; i++)
		failed += !try_gate(a, r->root, p->items[i].name, p->items[i].command);
	bool has_git = fs_lkind(path_join(a, r->root, STR(".git")).s) != FS_NOTHING;

	if (failed > 0)
		return print_out(
			STR("Then fix what failed, or change holdfast.yml and run 'holdfast trust': a gate "
			    "that fails blocks the agent. 'holdfast run' runs the gates.\n"));
	return print_out(str_fmt(a, "Then %slet your agent work: at its next stop these gates must pass.\n",
				 has_git ? "commit these files and " : ""));
}

int
propose_gates(struct arena *a, const struct propose_request *r)
{
	struct project_files files;
	struct proposals p;
	struct asker *q = arena_new(a, struct asker);
	enum pin_wish wish = r->is_unpinned ? PIN_NO : PIN_YES;

	project_files_read(a, r->root, &files);
	recognise(a, &files, &p);
	drop_missing(a, r->root, r->how == PROPOSE_TELL || r->how == PROPOSE_DRY, &p);
	if (p.count == 0)
		return r->how == PROPOSE_YES ? print_out(STR("No tests or linters were recognised here. "
							     "'holdfast add gate test -- "
							     "COMMAND' adds a gate.\n"))
					     : 0;
	if (r->how == PROPOSE_TELL || r->how == PROPOSE_DRY)
		return print_out(
			str_fmt(a,
				"This project has no gates yet. 'holdfast init --yes' would write these to "
				"holdfast.yml:\n" STR_FMT,
				STR_ARG(proposals_text(a, &p))));
	if (r->how == PROPOSE_ASK) {
		ask_for_each(a, q, &p);
		if (p.count == 0)
			return print_out(STR(
				"No gates were written. 'holdfast add gate NAME -- COMMAND' adds one.\n"));
		if (wish == PIN_YES &&
		    !is_yes(ask(a, q, "Pin them, so that an agent can't loosen them? [Y/n] ")))
			wish = PIN_NO;
	}
	return write_and_try(a, r, &p, wish);
}
