/* SPDX-License-Identifier: MIT */
/* What counts as changed where the comparison with the base shows nothing: work that was committed on the base branch, or that
 * has come into it before a gate has seen it. */
#include "gates/run_inspect.h"

#include "import/gates.h"
#include "record/journal.h"

static void
note_unanswered(struct run *r, const struct err *err)
{
	if (!r->has_unanswered)
		r->unanswered = *err;
	r->has_unanswered = true;
}

static bool
is_ancestor(struct run *r, struct str commit, struct str of)
{
	struct err err;
	enum git_answer answer = git_is_ancestor(r->arena, &r->repository, commit, of, &err);

	if (answer == ANSWER_UNKNOWN)
		note_unanswered(r, &err);
	return answer == ANSWER_YES;
}

/* Is there a commit on the base branch that no gate has seen, and that the comparison with the base does not tell of? One of
 * what has passed before it was committed has been seen. */
static bool
has_unseen_commit(struct run *r, struct str seen)
{
	const struct execution_state *s = &r->record.state;
	struct str head = r->look.head.commit, base = git_branch_ref(r->arena, r->look.changes.base_used);
	bool has_passed = r->record.has_state && !s->is_partial && !s->is_outstanding;

	return seen.s && head.s && !str_eq(seen, head) &&
	       (is_ancestor(r, head, base) || str_is(seen, GIT_EMPTY_TREE) || is_ancestor(r, seen, base)) &&
	       !(has_passed &&
		 content_is(r->arena, &r->repository, r->config->log_dir, s->content_commit, s->content_key));
}

/* The last commit of this branch at which all gates had passed, or where work on it started; absent: not known. */
static struct str
seen_commit(const struct run *r)
{
	const struct execution_state *s = &r->record.state;

	if (s->seen.s && str_eq(s->branch, r->look.head.branch))
		return s->seen;
	struct str start = start_commit(r->arena, r->config->root, r->look.head.branch);

	return start.s || !r->config->dialect->starts_with_all_files ? start : STR(GIT_EMPTY_TREE);
}

/* On another branch, too, what is in the base is no change, whoever has put it there. Where nothing else has changed, it is
 * compared with the commit at which this session started; absent: that is not needed. Where HEAD is no successor of that,
 * the base may have been rewritten: then it is where work on the base started. */
static struct str
hidden_start(struct run *r)
{
	struct str head = r->look.head.commit, root = r->config->root, base = r->look.changes.base_used;
	struct str session = start_key_of_session(r->arena, r->options->session);
	struct str start = session.s ? start_commit(r->arena, root, session) : STR_NONE;

	if (r->look.changes.count > 0 || !start.s || !head.s || str_eq(start, head))
		return STR_NONE;
	/* A commit that no longer exists is no answer. */
	if (git_has_commit(r->arena, &r->repository, start, IGNORED) == ANSWER_YES &&
	    is_ancestor(r, start, head))
		return start;
	start = start_commit(r->arena, root,
			     str_starts(base, STR("origin/")) ? str_sub(base, 7, base.n) : base);
	if (!start.s || git_has_commit(r->arena, &r->repository, start, IGNORED) != ANSWER_YES ||
	    is_ancestor(r, start, git_branch_ref(r->arena, base)))
		return STR_NONE;
	return start;
}

int
run_look_at_base(struct run *r, struct err *err)
{
	struct str branch = r->look.head.branch, base = r->look.changes.base_used;
	struct str seen = seen_commit(r);
	struct change_list found;

	r->is_on_base = branch.s &&
			(str_eq(branch, base) || str_eq(str_cat(r->arena, "origin/", branch), base));
	if (r->look.is_in_base == ANSWER_UNKNOWN && !r->is_on_base && str_eq(r->record.state.branch, branch))
		note_unanswered(r, &r->look.in_base_err);
	if (r->requested_changes.mode != CHANGES_LOCAL || !run_covers_all_changes(r->options))
		return 0;
	if (!r->is_on_base)
		seen = hidden_start(r);
	if (r->is_on_base ? !has_unseen_commit(r, seen) : !seen.s)
		return 0;
	struct change_spec spec = run_since(r, seen);

	/* Only a commit that no longer exists may be ignored. */
	if (git_changes(r->arena, &r->repository, &spec, &found, err) < 0)
		return git_has_commit(r->arena, &r->repository, seen, IGNORED) == ANSWER_NO ? 0 : -1;
	found.warning = r->look.changes.warning;
	r->look.changes = found;
	r->requested_changes = r->all_changes = spec;
	return 0;
}

/* As much of a commit as a person needs. */
#define SHOWN_COMMIT 12

struct str
run_base_name(const struct run *r)
{
	const struct change_spec *spec = &r->requested_changes;

	if (spec->mode == CHANGES_UNCOMMITTED)
		return STR("the last commit");
	if (spec->mode != CHANGES_SINCE)
		return r->look.changes.base_used;
	if (str_is(spec->commit, GIT_EMPTY_TREE))
		return STR("the beginning, as they have never run here");
	return str_sub(spec->commit, 0, SHOWN_COMMIT);
}
