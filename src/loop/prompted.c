/* SPDX-License-Identifier: MIT */
/* A prompt that a person types while a loop runs. The loop lets the stop through that answers it, and goes on after the next. */
#include "loop/loop.h"

/* Notes the prompt in a loop that the session owns. The one that the user starts the loop with belongs to its first iteration. */
static int
note_prompt(struct arena *a, struct str path, struct str session, struct err *err)
{
	CLEANUP(loop_close) struct loop l = { .file = LOCKED_NONE };
	bool is_gone;

	if (loop_open(a, path, &l, err) < 0)
		return -1;
	const struct loop_state *s = &l.state;

	if (l.file.fd < 0 || l.is_corrupt || s->is_paused || s->iteration < 2 ||
	    !str_eq(s->session_id, session))
		return 0;
	enum loop_prompted now = s->options.prompted == PROMPTED_OVER ? PROMPTED_NOT : PROMPTED_NOW;

	/* If another program has changed the loop meanwhile, the prompt does not hold it. */
	return s->options.prompted == now ? 0
					  : locked_change(a, &l.file, l.text,
							  loop_state_with_prompted(a, s, now), &is_gone, err);
}

int
loop_note_prompt(struct arena *a, const struct project_dirs *where, struct str session, struct err *err)
{
	for (size_t i = 0; session.n > 0 && i < where->count; i++)
		if (note_prompt(a, loop_session_path(a, where->dirs[i], session), session, err) < 0 ||
		    note_prompt(a, loop_path(a, where->dirs[i]), session, err) < 0)
			return -1;
	return 0;
}
