/* SPDX-License-Identifier: MIT */
/* From what holdfast recognises in a project to a holdfast.yml whose gates have been tried. */
#include "cmd/setup/init_gates.h"

#include "client/client.h"
#include "cmd/command.h"
#include "import/gates.h"
#include "conf/holdfast.h"
#include "gates/check.h"
#include "install/gate_file.h"
#include "os/env.h"
#include "os/fs.h"
#include "output/failing_lines.h"
#include "recognise/recognise.h"
#include "record/logdir.h"
#include "task/command.h"
#include "ui/print.h"

#define TRY_TIMEOUT_MS (10 * 60 * 1000)
#define GRACE_MS 2000
#define NO_GATES "No gates were written. 'holdfast add gate test -- COMMAND' adds a gate.\n"

void
write_editor_schema(struct arena *a, struct str root)
{
	struct logdir logs = logdir_of(a, root, str_from(dialects[DIALECT_HOLDFAST].log_dir),
				       &dialects[DIALECT_HOLDFAST]);
	struct str path = path_join(a, root, STR(GATE_FILE_SCHEMA));
	struct str text = file_schema_json(a, STR("holdfast")), old = STR_NONE;

	if (logdir_make(&logs, IGNORED) < 0 || fs_read(a, path.s, MIB(1), &old, IGNORED) < 0 ||
	    (old.s && str_eq(old, text)))
		return;
	(void)(fs_replace(a, path.s, text, 0644, IGNORED) == 0);
}

int
trust_root(struct arena *a, struct str root, enum pin_wish wish, struct definitions *ret, bool *ret_is_pinned,
	   struct err *err)
{
	if (definitions_read(a, root, ret, err) < 0 || definitions_check_safe(a, root, ret, err) < 0)
		return -1;
	return project_trust(a, root, ret, wish, ret_is_pinned, err);
}

void
trust_written(struct arena *a, struct str root, enum pin_wish wish, struct buf *out)
{
	struct definitions d;
	bool is_pinned;
	struct err err;

	if (client_agent_runs_us(env_has))
		buf_add(out, STR("It is not trusted yet, because an agent ran this command: type 'holdfast "
				 "trust --pin' in a terminal of your own.\n"));
	else if (trust_root(a, root, wish, &d, &is_pinned, &err) < 0)
		buf_cat(out, "warning: the project is not trusted: ", err.msg, "\n");
	else if (is_pinned)
		buf_add(out,
			STR("It is pinned: changes to it count when you accept them by 'holdfast trust'.\n"));
}

void
trust_added(struct arena *a, const struct source *before, enum pin_wish wish, struct buf *out)
{
	if (before->differs.s)
		buf_cat(out, "It is not pinned yet, because these had changed before: ", before->differs,
			". 'holdfast trust' accepts all of it.\n");
	else
		trust_written(a, before->root, wish, out);
}

/* ---- trying a gate ---- */

static struct str
seconds_text(struct arena *a, int64_t ms)
{
	return str_cat(a, ms / 1000, ".", ms % 1000 / 100, " s");
}

/* Runs the command of a gate once and prints how that ended. False: it did not pass. */
static bool
try_gate(struct arena *a, struct str root, struct str name, struct str command)
{
	static const char *const unset[] = { "CLAUDECODE", NULL };
	struct capture output;
	struct buf out = BUF(a, SIZE_MAX);
	struct command_call call = {
		.script = command,
		.output = &output,
		.process = { .unset = unset,
			     .timeout_ms = TRY_TIMEOUT_MS,
			     .grace_ms = GRACE_MS,
			     .ends_daemons = true },
	};
	struct proc_result r;
	struct err err;

	if (str_cz(a, root, &call.process.dir, &err) < 0 || command_run(a, &call, &r, &err) < 0) {
		print_cat(name, " could not run: ", err.msg, "\n");
		return false;
	}
	struct str time = seconds_text(a, r.elapsed_ms);

	if (r.end == PROC_EXITED && r.code == 0) {
		print_cat(name, " passed in ", time, "\n");
		return true;
	}
	struct str why = r.end == PROC_TIMED_OUT
				 ? str_cat(a, "it was still running after ", seconds_text(a, TRY_TIMEOUT_MS))
			 : r.end == PROC_SIGNALED ? str_cat(a, "killed by signal ", r.code)
			 : r.end == PROC_EXITED   ? str_cat(a, "exit code ", r.code)
						  : STR("its result could not be read");

	buf_cat(&out, name, " failed in ", time, ": ", why, "\n");
	struct str lines = failing_lines(a, capture_text(&output, a, 0), SIZE_MAX), line;

	while (str_next(&lines, '\n', &line))
		buf_cat(&out, "  ", line, "\n");
	(void)print_out(buf_str(&out));
	return false;
}

/* ---- proposing ---- */

static struct str
proposals_text(struct arena *a, const struct proposals *p, enum guards_wish guards)
{
	struct buf b = BUF(a, SIZE_MAX);
	size_t width = guards == GUARDS_NO ? 0 : strlen("guards");

	for (size_t i = 0; i < p->count; i++)
		width = p->items[i].name.n > width ? p->items[i].name.n : width;
	for (size_t i = 0; i < p->count; i++) {
		buf_addf(&b, "  %-*.*s  " STR_FMT, (int)width, STR_ARG(p->items[i].name),
			 STR_ARG(p->items[i].command));
		if (p->items[i].pattern.s)
			buf_cat(&b, "  (changes of ", p->items[i].pattern, ")");
		buf_addc(&b, '\n');
	}
	if (guards != GUARDS_NO)
		buf_addf(&b, "  %-*s  against the loss of work and the reading of secrets\n", (int)width,
			 "guards");
	return buf_str(&b);
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

	for_each (g, p->items, p->count) {
		struct str answer = ask(a, q, "Add the gate '" STR_FMT "' (" STR_FMT ")? [Y/n] ",
					STR_ARG(g->name), STR_ARG(g->command));

		if (!q->is_over && is_yes(answer))
			p->items[kept++] = *g;
	}
	p->count = kept;
}

static int
write_and_try(struct arena *a, const struct invocation *inv, struct str root, const struct proposals *p,
	      enum guards_wish guards, enum pin_wish wish, bool *ret_is_written)
{
	struct gate_entry *gates = arena_array(a, p->count, struct gate_entry);
	struct str path = path_join(a, root, STR(HOLDFAST_FILE));
	struct buf out = BUF(a, KIB(64));
	size_t failed = 0;
	struct err err;

	for (size_t i = 0; i < p->count; i++)
		gates[i] = (struct gate_entry){ .name = p->items[i].name,
						.command = p->items[i].command,
						.files = { &p->items[i].pattern,
							   p->items[i].pattern.s != NULL } };
	if (fs_create(path.s, gate_file_new(a, gates, p->count, guards == GUARDS_YES), 0644, &err) < 0)
		return command_error(inv, err.msg);
	*ret_is_written = true;
	write_editor_schema(a, root);
	buf_cat(&out, "\n", path_shown(path, inv->cwd), "\n", proposals_text(a, p, guards));
	trust_written(a, root, wish, &out);
	if (print_out(buf_str(&out)) != 0)
		return 1;
	if (p->count == 0)
		return print_out(STR(NO_GATES));
	(void)print_out(STR("Trying each gate once:\n"));
	for (size_t i = 0; i < p->count; i++)
		failed += !try_gate(a, root, p->items[i].name, p->items[i].command);
	bool has_git = fs_lkind(path_join(a, root, STR(".git")).s) != FS_NOTHING;

	if (failed > 0)
		return print_out(STR("Then fix what failed, or change holdfast.yml and run 'holdfast trust': "
				     "a gate that fails blocks the agent. 'holdfast run' runs the gates.\n"));
	return print_out(str_cat(a, "Then ", has_git ? "commit these files and " : "",
				 "let your agent work: at its next stop these gates must pass.\n"));
}

bool
can_ask(const struct invocation *inv)
{
	return tty_is(0) && tty_is(1) && !option_has(inv, "yes");
}

int
propose_guards(struct arena *a, const struct invocation *inv, struct str root, enum guards_wish guards)
{
	struct str path = path_join(a, root, STR(HOLDFAST_FILE)), text, changed;
	struct proposals none = { 0 };
	struct source source;
	struct buf out = BUF(a, KIB(64));
	struct err err;

	if (guards == GUARDS_NO)
		return 0;
	if (guards == GUARDS_OFFERED || option_has(inv, "dry-run"))
		return print_out(str_cat(a, "'holdfast init --yes' would add this to ",
					 path_shown(path, inv->cwd), ":\n",
					 proposals_text(a, &none, guards)));
	source_find(a, root, &source);
	if (fs_read(a, path.s, CONFIG_LIMIT_BYTES, &text, &err) < 0 ||
	    gate_file_add_guards(a, text, &changed, &err) < 0 ||
	    fs_replace(a, path.s, changed, 0644, &err) < 0)
		return command_error(inv, err.msg);
	buf_cat(&out, path_shown(path, inv->cwd), ": added guards\n", proposals_text(a, &none, guards));
	trust_added(a, &source, PIN_AS_BEFORE, &out);
	return print_out(buf_str(&out));
}

int
propose_gates(struct arena *a, const struct invocation *inv, struct str root, enum guards_wish guards,
	      bool *ret_is_written)
{
	bool is_dry = option_has(inv, "dry-run"), is_yes_to_all = option_has(inv, "yes");
	bool only_tells = is_dry || (!is_yes_to_all && !can_ask(inv));
	enum pin_wish wish = option_has(inv, "no-pin") ? PIN_NO : PIN_YES;
	struct asker *q = arena_new(a, struct asker);
	struct project_files files;
	struct proposals p;

	project_files_read(a, root, &files);
	recognise(a, &files, &p);
	/* A gate whose program is not installed could only be reported as broken. */
	size_t kept = 0;

	for_each (g, p.items, p.count) {
		struct str missing = check_missing_program(a, g->command, root);

		if (!missing.s)
			p.items[kept++] = *g;
		else if (!only_tells)
			print_cat("Left out: ", g->name, " (", g->command, "), because '", missing,
				  "' is not installed.\n");
	}
	p.count = kept;
	if (p.count == 0 && is_yes_to_all && !is_dry)
		(void)print_out(STR("No tests or linters were recognised here.\n"));
	if (p.count == 0 && guards == GUARDS_NO)
		return is_yes_to_all && !is_dry ? print_out(STR(NO_GATES)) : 0;
	if (only_tells)
		return print_out(str_cat(a,
					 "This project has no gates yet. 'holdfast init --yes' would write ",
					 p.count + (guards != GUARDS_NO) == 1 ? "this" : "these",
					 " to holdfast.yml:\n", proposals_text(a, &p, guards)));
	if (!is_yes_to_all) {
		ask_for_each(a, q, &p);
		if (p.count == 0 && guards == GUARDS_NO)
			return print_out(STR(NO_GATES));
		if (wish == PIN_YES &&
		    !is_yes(ask(a, q, "Pin them, so that an agent can't loosen them? [Y/n] ")))
			wish = PIN_NO;
	}
	return write_and_try(a, inv, root, &p, guards, wish, ret_is_written);
}
