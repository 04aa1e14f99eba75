/* SPDX-License-Identifier: MIT */
/* Clones of a team's repository that registers holdfast itself, and a worktree of one of them: which definitions hold there
 * (doc/decisions/0038). They have a state directory of their own. The gate of a strict definition always fails, and that of a loose one
 * always passes, so that each answer tells which one was used. */
#include "model.h"

#include <string.h>

#define DEFINITIONS 4 /* the odd ones are loose */
#define DIFFER "differ from the pinned ones, which are used: holdfast.yml;"
#define NOBODY "were accepted by nobody, so those of origin/main are pinned"
#define RENEWED "origin/main has the same definitions, so they are pinned now: holdfast.yml"

enum act {
	ACT_STOP,
	ACT_PROMPT,
	ACT_WRITE,
	ACT_REMOVE,
	ACT_PUSH,
	ACT_UPDATE_REF,
	ACT_FETCH_OWN, /* what it has itself, into the place of what the remote has */
	ACT_TEAM,
	ACT_FETCH,
	ACT_TRUST,
};

static const char *const place_names[CLONE_PLACES] = { "first", "tree", "second" };

static struct clone *
clone_of(struct play *p, int place)
{
	return &p->clones.clones[place == CLONE_PLACES - 1];
}

static struct str
definition(struct arena *a, int which)
{
	return which % 2 ? str_fmt(a, "gates:\n  test: \"true %d\"\n", which)
			 : str_fmt(a, "gates:\n  test: test -e missing%d\n", which);
}

/* The world as it is in one of the places. */
static struct world
world_at(const struct world *w, const char *name)
{
	struct world there = *w;
	size_t n = 0;

	while (w->env[n])
		n++;
	const char **env = arena_array(w->arena, n + 1, const char *);

	for (size_t i = 0; i < n; i++)
		env[i] = str_starts(str_from(w->env[i]), STR("XDG_STATE_HOME="))
				 ? str_fmt(w->arena, "XDG_STATE_HOME=" STR_FMT "/clones/state",
					   STR_ARG(w->dir))
					   .s
				 : w->env[i];
	there.env = env;
	there.project = str_fmt(w->arena, STR_FMT "/clones/%s", STR_ARG(w->dir), name);
	return there;
}

/* The definition in a commit; CLONE_NOTHING: another or none. */
static int
definition_at(const struct world *there, const char *commit)
{
	struct str text = world_sh(there, "git show %s:holdfast.yml", commit);

	for (int i = 0; i < DEFINITIONS; i++)
		if (str_eq(text, str_trim(definition(there->arena, i))))
			return i;
	return CLONE_NOTHING;
}

static void
make_clones(struct play *p)
{
	const struct world *w = &p->world;
	struct clones *c = &p->clones;

	(void)world_sh(w,
		       "mkdir -p ../clones/maker/.claude && cd ../clones/maker && git init -q -b main . && "
		       "echo '{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":"
		       "\"holdfast stop-hook\"}]}]}}' >.claude/settings.json");
	struct world maker = world_at(w, "maker");

	world_write(&maker, "holdfast.yml", definition(p->arena, 0));
	(void)world_sh(&maker,
		       "git add -A && git commit -q -m start && cd .. && git clone -q --bare maker team && "
		       "git -C maker remote add origin \"$PWD/team\" && "
		       "for c in first second; do git clone -q team $c; done; "
		       "git -C first checkout -q -b work; git -C second checkout -q -b other; "
		       "git -C first worktree add -q -b more ../tree; "
		       "for c in first tree second; do echo work >$c/work; done");
	*c = (struct clones){ .are_there = true };
	for (size_t i = 0; i < COUNT_OF(c->clones); i++)
		c->clones[i].pinned = CLONE_NOTHING;
}

/* ---- a stop ---- */

/* The definition that must be used there; CLONE_NOTHING: there is none. */
static int
expect_definition(const struct clones *c, struct clone *of, int place, bool *ret_is_renewed)
{
	int written = c->written[place];

	*ret_is_renewed = of->pinned != CLONE_NOTHING && of->pinned != written && of->fetched == written &&
			  of->ref == written;
	if (of->pinned == CLONE_NOTHING && !of->is_accepted)
		of->pinned = of->fetched;
	else if (*ret_is_renewed)
		of->pinned = written;
	return of->pinned == CLONE_NOTHING ? written : of->pinned;
}

static void
expect_words(struct play *p, const struct answer *a, const char *words, bool is_told)
{
	if ((str_find(a->told, str_from(words)) >= 0) != is_told)
		complain(p, "'%s' is %s: " STR_FMT, words, is_told ? "not told" : "told", STR_ARG(a->told));
}

static struct call
call_there(struct play *p, const struct world *there, struct call c, const char *event)
{
	struct world here = p->world;

	if (event)
		c.input = str_fmt(p->arena,
				  "{\"session_id\":\"c-%zu\",\"cwd\":\"" STR_FMT
				  "\",\"hook_event_name\":\"%s\",\"prompt\":\"Go on.\"}",
				  p->at, STR_ARG(there->project), event);
	p->world = *there;
	play_call(p, &c);
	p->world = here;
	return c;
}

static void
stop_there(struct play *p, const struct world *there, int place)
{
	struct clones *c = &p->clones;
	struct clone *of = clone_of(p, place);
	bool is_renewed, was_told = of->is_told;
	int used = expect_definition(c, of, place, &is_renewed);
	struct call call = { .argv = { "holdfast", "stop-hook" } };
	struct answer a;

	/* What was pushed is no change to the branch that it was pushed to. */
	world_write(there, "work", str_fmt(p->arena, "%zu\n", p->at));
	call = call_there(p, there, call, "Stop");
	if (!answer_read(p, &(struct event){ .front_end = BY_STOP_HOOK }, &call, &a))
		return;
	buf_addf(&p->story, " -> " STR_FMT, STR_ARG(a.status));
	if (a.is_block != (used != CLONE_NOTHING && used % 2 == 0))
		complain(p, "the stop in %s was %s, and definition %d counts: " STR_FMT, place_names[place],
			 a.is_block ? "blocked" : "allowed", used, STR_ARG(a.status));
	of->is_told |= of->pinned != CLONE_NOTHING;
	expect_words(p, &a, NOBODY, of->is_told && !was_told && !of->is_accepted);
	expect_words(p, &a, RENEWED, is_renewed);
	expect_words(p, &a, DIFFER, of->pinned != CLONE_NOTHING && of->pinned != c->written[place]);
}

/* ---- what happens in between ---- */

static void
write_there(struct play *p, const struct world *there, int place, int which)
{
	world_write(there, "holdfast.yml", definition(p->arena, which));
	p->clones.written[place] = which;
}

/* Afterwards the clone has this commit of its own as what the remote has. No fetch has brought it. */
static void
move_ref(struct play *p, const struct world *there, int place, const char *command)
{
	if (p->clones.written[place] == CLONE_NOTHING)
		return;
	(void)world_sh(there, "git add -A; git commit -q -m work; %s", command);
	clone_of(p, place)->ref = definition_at(there, "origin/main");
}

static void
fetch_there(struct play *p, const struct world *there, int place)
{
	struct clone *of = clone_of(p, place);
	bool has_moved = world_sh(there, "a=$(git rev-parse origin/main); git fetch -q; "
					 "[ $a = $(git rev-parse origin/main) ] || echo moved")
				 .n > 0;

	of->ref = definition_at(there, "origin/main");
	if (has_moved)
		of->fetched = of->ref;
}

static void
trust_there(struct play *p, const struct world *there, int place, bool pins)
{
	struct clone *of = clone_of(p, place);
	struct call call = { .argv = { "holdfast", "trust", pins ? "--pin" : NULL }, .input = STR("") };

	if (p->clones.written[place] == CLONE_NOTHING)
		return;
	call = call_there(p, there, call, NULL);
	expect_exit(p, &call, 0);
	of->is_accepted = true;
	if (pins || of->pinned != CLONE_NOTHING)
		of->pinned = p->clones.written[place];
}

void
play_clone(struct play *p, const struct event *e)
{
	static const enum act acts[] = { ACT_STOP,   ACT_WRITE, ACT_STOP,       ACT_PUSH,      ACT_STOP,
					 ACT_REMOVE, ACT_STOP,  ACT_UPDATE_REF, ACT_STOP,      ACT_WRITE,
					 ACT_TEAM,   ACT_STOP,  ACT_FETCH,      ACT_FETCH_OWN, ACT_STOP,
					 ACT_PROMPT, ACT_TRUST, ACT_WRITE,      ACT_FETCH,     ACT_STOP };
	int place = e->how % CLONE_PLACES, which = e->how / CLONE_PLACES % DEFINITIONS;
	struct world there = world_at(&p->world, place_names[place]), maker = world_at(&p->world, "maker");

	if (!p->clones.are_there)
		make_clones(p);
	switch (acts[(size_t)e->what % COUNT_OF(acts)]) {
	case ACT_STOP:
		stop_there(p, &there, place);
		break;
	case ACT_PROMPT:
		(void)call_there(p, &there,
				 (struct call){ .argv = { "holdfast", "hook", "UserPromptSubmit" } },
				 "UserPromptSubmit");
		if (clone_of(p, place)->pinned == CLONE_NOTHING && !clone_of(p, place)->is_accepted)
			clone_of(p, place)->pinned = clone_of(p, place)->fetched;
		break;
	case ACT_WRITE:
		write_there(p, &there, place, which);
		break;
	case ACT_REMOVE:
		(void)world_sh(&there, "rm -f holdfast.yml");
		p->clones.written[place] = CLONE_NOTHING;
		break;
	case ACT_PUSH:
		move_ref(p, &there, place, "git push -q -f origin HEAD:main");
		break;
	case ACT_UPDATE_REF:
		move_ref(p, &there, place, "git update-ref refs/remotes/origin/main HEAD");
		break;
	case ACT_FETCH_OWN:
		move_ref(p, &there, place, "git fetch -q . +HEAD:refs/remotes/origin/main");
		break;
	case ACT_TEAM:
		world_write(&maker, "holdfast.yml", definition(p->arena, which));
		(void)world_sh(&maker, "git add -A; git commit -q --allow-empty -m team; "
				       "git push -q -f origin main");
		break;
	case ACT_FETCH:
		fetch_there(p, &there, place);
		break;
	case ACT_TRUST:
		trust_there(p, &there, place, e->how % 2);
	}
}
