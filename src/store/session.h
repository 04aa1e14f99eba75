/* SPDX-License-Identifier: MIT */
/* What a session of a client has been through: one small file under the user's state directory, outside of every
 * project, so that `git clean` and a change of branch do not reach it. Where that directory can't be written, the file is
 * where every user may write. It is locked from session_open() to session_close(). */
#ifndef STORE_SESSION_H
#define STORE_SESSION_H

#include "os/locked.h"

#define SESSION_LOCK_MS 2000

/* Projects of one session whose tries are known; one more takes the place of the oldest. */
#define SESSION_PROJECTS 16

enum session_told { TOLD_UNTRUSTED, TOLD_OF_LOOP, TOLD_OF_GUARDS, TOLD_COUNT };

struct session {
	struct locked_file file;
	/* Blocks by gates since the user's last prompt, in each project. */
	struct session_tries {
		struct str project; /* its root */
		int64_t used;
	} tries[SESSION_PROJECTS];
	size_t tries_count;
	int64_t blocks;    /* blocks in a row by gates and stop commands */
	struct str reason; /* a hash of the last reason that was sent; absent: none was */
	/* What the user has been told: that the project is not trusted, that another session owns a loop here, and that the
	 * guards are off. */
	bool is_told[TOLD_COUNT];
};

/* `id` is the client's; without one, the project's root stands in. A file that can't be understood starts again at
 * zero. Unless it `creates` one, file.fd is -1 where there is none. */
int session_open(struct arena *a, struct str id, bool creates, int64_t wait_ms, struct session *ret,
		 struct err *err) MUST_CHECK;
int session_save(struct arena *a, const struct session *s, struct err *err) MUST_CHECK;
/* The tries that the session has used in the project with this root, to be read and set. */
int64_t *session_tries(struct session *s, struct str root);
/* The CLEANUP function. */
void session_close(struct session *s);
/* The most tries that a session has used in the project; 0: none has used any. Where it `resets` them, all start again at zero. */
int64_t sessions_most_tries(struct arena *a, struct str root, bool resets);
/* At the end of a session. */
int session_forget(struct arena *a, struct str id, struct err *err) MUST_CHECK;

/* Files that every program finds, /tmp/conclaude-<session>.<name>: CONCLAUDE_STATE_DIR, else /tmp. TMPDIR is ignored, so that all
 * processes of a session agree. Every user may write there, so only our own files are accepted. */
struct str session_shared_dir(void);
struct str session_shared_path(struct arena *a, struct str id, const char *name);

#endif
