/* SPDX-License-Identifier: MIT */
/* May a session adopt a loop whose file names no session? */
#ifndef LOOP_ADOPT_H
#define LOOP_ADOPT_H

#include "base/base.h"

/* Why not; absent: it may. Not a file that came with the repository, nor one that somebody else could have written: its
 * prompt would become the agent's. */
struct str loop_adoption_problem(struct arena *a, struct str path);

#endif
