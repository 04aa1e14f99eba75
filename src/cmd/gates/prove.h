/* SPDX-License-Identifier: MIT */
/* Can gates fail? */
#ifndef CMD_GATES_PROVE_H
#define CMD_GATES_PROVE_H

#include "model/gate.h"

/* Runs every check in a copy of the work tree with all source files broken, and prints which pass all the same. The exit code: 1 if one
 * does; -1 with the reason if nothing could be proved. */
int prove_gates(struct arena *a, const struct gates_config *config, bool is_json, struct err *err) MUST_CHECK;

#endif
