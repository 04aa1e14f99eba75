/* SPDX-License-Identifier: MIT */
/* Gates of holdfast.yml as commands write them: proposed by 'holdfast init', added by 'holdfast add gate'. */
#ifndef CMD_SETUP_INIT_GATES_H
#define CMD_SETUP_INIT_GATES_H

#include "project/trust.h"

struct invocation;

/* Can somebody on a terminal be asked? Not where --yes answers everything. */
bool can_ask(const struct invocation *inv);

/* Does the project get the usual guards from 'holdfast init'? */
enum guards_wish {
	GUARDS_NO,
	GUARDS_OFFERED, /* nobody could be asked: it says how to get them */
	GUARDS_YES,
};

/* What holdfast recognises in the project at the root becomes gates, as the options of 'holdfast init' want it: writes
 * holdfast.yml with them and the guards, trusts it, runs each gate once. Where nobody can be asked, only says what it would
 * write. Returns the exit code; *ret_is_written is true once the file is there. */
int propose_gates(struct arena *a, const struct invocation *inv, struct str root, enum guards_wish guards,
		  bool *ret_is_written);
/* The guards for a holdfast.yml that is there and has none: adds them in place, or says how. Returns the exit code. */
int propose_guards(struct arena *a, const struct invocation *inv, struct str root, enum guards_wish guards);

/* Records that the user agrees to what the directory defines now, if it is safe to run. */
int trust_root(struct arena *a, struct str root, enum pin_wish wish, struct definitions *ret,
	       bool *ret_is_pinned, struct err *err) MUST_CHECK;
/* The same, and adds a line about that. An agent does not agree for anybody. */
void trust_written(struct arena *a, struct str root, enum pin_wish wish, struct buf *out);
/* The same after a change, unless the definitions differed before it: what differed is for the user to read. */
void trust_added(struct arena *a, const struct source *before, enum pin_wish wish, struct buf *out);
/* Writes the JSON schema that the first line of holdfast.yml names. A failure is ignored: only editors need it. */
void write_editor_schema(struct arena *a, struct str root);

#endif
