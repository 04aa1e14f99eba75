/* SPDX-License-Identifier: MIT */
/* What a result is about: a gate's definition and the files that it covers, as they were. Pure. */
#ifndef GATES_KEY_H
#define GATES_KEY_H

#include "git/git.h"

/* Of everything that changed; absent where what it was compared with is not known. The contents must have been read. */
struct str content_key(struct arena *a, const struct change_list *changes);
/* The files that the last job was about. */
struct key_memory {
	const struct change_list *changes; /* NULL: there was no job yet */
	struct str entry;
	const struct str_list *patterns;
	struct str key;
};
/* Of a job; absent likewise. */
struct str job_key(struct arena *a, struct key_memory *m, const struct job *job,
		   const struct change_list *changes);

#endif
