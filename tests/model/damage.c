/* SPDX-License-Identifier: MIT */
/* Changes to the project from outside: work, git, and damage. Tells the model what the program may lose by them. */
#include "model.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void
toggle(const struct play *p, const char *name)
{
	if (world_has(&p->world, name))
		(void)unlink(world_path(&p->world, name).s);
	else
		world_write(&p->world, name, STR("x\n"));
}

static void
edit(struct play *p, const struct event *e)
{
	struct str check = str_fmt(p->arena, "src/c%d", e->how % CHECKS_MOST);

	struct str package = str_fmt(p->arena, "packages/%s/%s", package_names[e->how % PACKAGES],
				     e->how % 3 ? "c" : "other");

	switch (e->what % 10) {
	case 7:
		world_write(&p->world, package.s, STR("bad\n"));
		break;
	case 8:
		world_write(&p->world, package.s, STR("good\n"));
		break;
	case EDIT_NOTE:
		world_write(&p->world, "src/note", str_fmt(p->arena, "note %d\n", e->how));
		break;
	case 0:
		world_write(&p->world, "docs/page", str_fmt(p->arena, "page %d\n", e->how));
		break;
	case EDIT_NEW:
		toggle(p, "src/new");
		break;
	case 2:
		(void)unlink(world_path(&p->world, check.s).s);
		break;
	case 3:
	case 4:
		world_write(&p->world, check.s, STR("bad\n"));
		break;
	default:
		/* Undoes what a check has written while it ran. */
		if (e->what % 10 == EDIT_UNDO && unlink(world_path(&p->world, "src/written").s) == 0)
			break;
		world_write(&p->world, check.s, e->how % 40 == 0 ? STR("hang\n") : STR("good\n"));
	}
}

static void
flag(const struct play *p, const struct event *e)
{
	static const char *const names[] = { ".broken0", ".broken1", ".litter", "made.txt", ".broken0" };

	if (e->what % 40 == 0 || world_has(&p->world, ".slow"))
		toggle(p, ".slow"); /* takes a second each time */
	else if (e->what % 5 != 3 || world_has(&p->world, "made.txt"))
		toggle(p, names[e->what % 5]);
}

/* Results are in the journal, outside of the project. Only findings are lost: without their files a failed review starts
 * over. */
static void
lose_findings(struct play *p)
{
	struct review *v = &p->model.gates.review;

	if (!v->has_passed)
		v->tree = STR_NONE;
	v->mark = MARK_BROKEN;
}

/* A file with counts, which the caller removes or damages: then they start at zero. */
static struct str
damaged_count(struct play *p, const struct event *e)
{
	int session = e->session % SESSIONS;

	if (e->how % 3)
		return str_fmt(p->arena, STR_FMT "/state/conclaude-%s.rounds", STR_ARG(p->world.dir),
			       session_ids[session]);
	p->model.blocks[session] = 0;
	p->model.trust.is_told[session] = NO;
	return session_file(&p->world, session);
}

static struct str
database(const struct play *p)
{
	return str_fmt(p->arena, STR_FMT "/home/share/conclaude/conclaude.db", STR_ARG(p->world.dir));
}

static void
remove_file(struct play *p, const struct event *e)
{
	struct model *m = &p->model;

	switch (e->what % 7) {
	case 0:
		(void)world_sh(&p->world, "rm -f %s/*.log", p->world.logs);
		lose_findings(p);
		break;
	case 1:
		(void)world_sh(&p->world, "rm -rf %s/.execution_state", p->world.logs);
		break;
	case 2:
		if (m->is_shut)
			break;
		(void)world_sh(&p->world, "rm -rf %s", p->world.logs);
		lose_findings(p);
		m->gates.has_foreign_lock = false;
		break;
	case 3:
		(void)unlink(damaged_count(p, e).s);
		break;
	case 4:
		(void)world_sh(&p->world, "rm -f " STR_FMT "*", STR_ARG(database(p)));
		m->is_db_broken = false;
		for (int i = 0; i < SESSIONS; i++)
			m->has_prompt[i] = false;
		break;
	case 5:
		(void)world_sh(&p->world, "rm -f gauntlet_logs/.gauntlet-run.lock");
		m->gates.has_foreign_lock &= world_has(&p->world, "gauntlet_logs/.gauntlet-run.lock");
		break;
	default:
		(void)unlink(world_path(&p->world, loop_file(e->how % LOOPS)).s);
	}
}

static void
corrupt_loop(struct play *p, const struct event *e)
{
	static const struct str texts[] = {
		STR(""),
		STR("no front matter\n"),
		STR("---\niteration: 1\nmax_iterations: 3\n"),
		STR("---\niteration: many\nmax_iterations: 3\n---\n\nGo on\n"),
		STR("---\niteration: 1\nmax_iterations: 99999999999999999999\n---\n\nGo on\n"),
		STR("---\niteration: 1\nmax_iterations: 3\n---\n\n  \n"),
		STR("\xff\xfe\x00\x01---\n"),
	};

	world_write(&p->world, loop_file(e->how % LOOPS), texts[(size_t)e->how / 8 % COUNT_OF(texts)]);
}

static void
corrupt_state(struct play *p, const struct event *e)
{
	static const struct str texts[] = {
		STR(""), STR("{}"), STR("[]"), STR("{\"branch\": 1}"), STR("{\"last_run"), STR("\xff\x00")
	};

	const char *file = str_fmt(p->arena, "%s/.execution_state", p->world.logs).s;

	if (!world_has(&p->world, p->world.logs))
		return;
	(void)world_sh(&p->world, "rm -rf %s", file);
	if (e->how % 7 == 6)
		(void)mkdir(world_path(&p->world, file).s, 0700);
	else
		world_write(&p->world, file, texts[e->how % 7]);
}

static void
corrupt_lock(struct play *p, const struct event *e)
{
	static const struct str texts[] = { STR("1"), STR(""), STR("999999999") };

	if (!world_has(&p->world, "gauntlet_logs") || p->model.is_shut || p->config.is_native)
		return;
	world_write(&p->world, "gauntlet_logs/.gauntlet-run.lock", texts[e->how % 3]);
	p->model.gates.has_foreign_lock = e->how % 3 == 1; /* believed while it is young */
	if (e->how % 3 != 1)
		p->world.is_lenient = true; /* the lock stays until a run takes it over */
}

static void
corrupt(struct play *p, const struct event *e)
{
	switch (e->what % 9) {
	case 0:
		corrupt_state(p, e);
		break;
	case 1:
		corrupt_lock(p, e);
		break;
	case 2:
		world_write(&p->world, damaged_count(p, e).s, e->how % 2 ? STR("three\n") : STR("-1\n"));
		break;
	case 3:
		if (world_has(&p->world, database(p).s)) {
			/* SQLite would roll back from a journal. */
			(void)world_sh(&p->world, "rm -f " STR_FMT "-journal", STR_ARG(database(p)));
			world_write(&p->world, database(p).s,
				    STR("this is no database, and never was one\n"));
			p->model.is_db_broken = true;
		}
		break;
	case 4:
		(void)world_sh(&p->world,
			       "for f in %s/check_*.log; do [ ! -e \"$f\" ] || echo x >\"$f\"; done",
			       p->world.logs);
		break;
	case 5:
		(void)world_sh(&p->world, "cd %s && { rm -rf previous; echo x >previous; }", p->world.logs);
		p->world.is_lenient = true;
		break;
	default:
		corrupt_loop(p, e);
	}
}

static void
shut(struct play *p, const struct event *e)
{
	const char *const dirs[] = { ".claude", p->world.logs, "../state" };
	mode_t mode = p->model.is_shut ? 0700 : 0500;

	for (size_t i = 0; i < COUNT_OF(dirs); i++)
		if (p->model.is_shut || i == (size_t)e->what % COUNT_OF(dirs))
			(void)chmod(world_path(&p->world, dirs[i]).s, mode);
	p->model.is_shut = !p->model.is_shut;
	p->model.gates.is_untracked = true;
	p->model.gates.unknown_keys = ~0u;
}

static void
break_yaml(struct play *p)
{
	static const struct str broken = STR("stop: [\n");

	if (!p->config.has_yaml)
		return;
	if (p->is_written_broken)
		(void)world_sh(&p->world, "mv ../kept.yaml .conclaude.yaml");
	else
		(void)world_sh(&p->world, "mv .conclaude.yaml ../kept.yaml");
	p->is_written_broken = !p->is_written_broken;
	if (p->is_written_broken)
		world_write(&p->world, ".conclaude.yaml", broken);
	trust_choose_config(p);
}

/* Changes some values of the configuration. */
static void
configure(struct play *p, const struct event *e)
{
	struct config *c = &p->written;

	if (p->is_written_broken)
		return;
	c->max_retries = e->what % 4 + c->is_native;
	c->reverifies = c->is_native || e->what % 3 > 0;
	c->interval = e->how % 2 && !c->is_native ? INTERVAL_MINUTES : 0;
	c->rounds = e->how % 5;
	if (e->how % 4 == 0)
		c->check_count = 1 + e->how % CHECKS_MOST;
	if (e->what % 5 < 4)
		c->checks[e->how % c->check_count].variant = e->what;
	if (e->what % 5 == 4)
		c->checks[e->how % c->check_count].is_rerun = e->what % 2;
	world_configure(&p->world, c);
	trust_choose_config(p);
}

/* Makes the last run end about one interval ago, on either side of the bound. */
static void
pass_time(struct play *p, const struct event *e)
{
	int seconds = INTERVAL_MINUTES * 60 + (e->what % 3 ? 30 : -30);

	(void)world_sh(
		&p->world,
		"t=$(date -u -d '%d seconds ago' +%%Y-%%m-%%dT%%H:%%M:%%S.000Z); find ../home/state/holdfast "
		"-type f -exec sed -i \"s/\\(_completed_at\\\": *\\\"\\)[^\\\"]*/\\1$t/\" {} +",
		seconds);
	p->model.gates.is_interval_over = e->what % 3 > 0;
}

/* ---- the reviewer, and the agent that edits its findings ---- */

static void
choose_answer(struct play *p, const struct event *e)
{
	static const char *const answers[] = { [0] = "pass",
					       [1] = "pass",
					       [2] = "pass",
					       [ANSWER_PASSES] = "pass",
					       [4] = "finds",
					       [5] = "finds",
					       [ANSWER_FINDS] = "finds",
					       [7] = "fails",
					       [8] = "prose",
					       [ANSWER_EMPTY] = "empty" };
	const char *answer = e->how % 25 == 0 ? "limited" : answers[(size_t)e->what % COUNT_OF(answers)];

	world_write(&p->world, p->world.answer.s, str_fmt(p->arena, "%s\n", answer));
}

static void
mark_findings(struct play *p, const struct event *e)
{
	static const char *const scripts[MARK_COUNT] = {
		[MARK_FIXED] = "sed -i 's/\"status\": \"new\"/\"status\": \"fixed\", \"result\": \"done\"/'",
		[MARK_SKIPPED] =
			"sed -i 's/\"status\": \"new\"/\"status\": \"skipped\", \"result\": \"not wanted\"/'",
		[MARK_SKIPPED_WITHOUT_REASON] = "sed -i 's/\"status\": \"new\"/\"status\": \"skipped\"/'",
		[MARK_BROKEN] = "truncate -s 20",
	};
	static const enum mark marks[] = { MARK_FIXED, MARK_FIXED, MARK_SKIPPED, MARK_SKIPPED_WITHOUT_REASON,
					   MARK_BROKEN };
	enum mark mark = marks[(size_t)e->what % COUNT_OF(marks)];
	struct gates *g = &p->model.gates;
	struct str file = world_sh(&p->world, "ls -v gauntlet_logs/review_*.json 2>/dev/null | tail -n 1");

	if (file.n == 0 || p->model.is_shut || g->review.mark != MARK_NEW || !(g->outstanding & JOB_REVIEW))
		return;
	(void)world_sh(&p->world, "%s " STR_FMT, scripts[mark], STR_ARG(file));
	g->review.mark = mark;
	if (mark == MARK_SKIPPED)
		g->review.skipped_files = g->review.files;
}

void
play_damage(struct play *p, const struct event *e)
{
	switch (e->kind) {
	case EV_EDIT:
		edit(p, e);
		break;
	case EV_FLAG:
		flag(p, e);
		break;
	case EV_UNSEEN:
		play_unseen(p, e);
		break;
	case EV_DELETE:
		remove_file(p, e);
		break;
	case EV_CORRUPT:
		corrupt(p, e);
		break;
	case EV_CONFIGURE:
		configure(p, e);
		break;
	case EV_TIME:
		pass_time(p, e);
		break;
	case EV_SHUT:
		shut(p, e);
		break;
	case EV_ANSWER:
		choose_answer(p, e);
		break;
	case EV_MARK:
		mark_findings(p, e);
		break;
	default:
		break_yaml(p);
	}
}
