/* SPDX-License-Identifier: MIT */
/* Gates of holdfast.yml as commands write them: proposed by 'holdfast init', added by 'holdfast add gate'. */
#ifndef CMD_SETUP_INIT_GATES_H
#define CMD_SETUP_INIT_GATES_H

#include "base/buf.h"
#include "project/trust.h"

struct invocation;

enum propose_how {
	PROPOSE_TELL, /* only says what it would write: nobody can be asked */
	PROPOSE_ASK,  /* on a terminal */
	PROPOSE_YES,
	PROPOSE_DRY,
};
struct propose_request {
	const struct invocation *inv;
	struct str root, cwd;
	enum propose_how how;
	bool is_unpinned; /* the user does not want a pinned copy */
};
/* What holdfast recognises in the project becomes gates: writes holdfast.yml, trusts it, runs each gate once. Returns the
 * exit code. */
int propose_gates(struct arena *a, const struct propose_request *r);

/* Records that the user agrees to what the directory defines now, and adds a line about that. An agent does not agree for
 * anybody. */
void trust_written(struct arena *a, struct str root, enum pin_wish wish, struct buf *out);
/* The same after a change, unless the definitions differed before it: what differed is for the user to read. */
void trust_added(struct arena *a, const struct source *before, enum pin_wish wish, struct buf *out);
/* Runs the command of a gate once and prints how that ended. False: it did not pass. */
bool try_gate(struct arena *a, struct str root, struct str name, struct str command);
/* Writes the JSON schema that the first line of holdfast.yml names. A failure is ignored: only editors need it. */
void write_editor_schema(struct arena *a, struct str root);

#endif
