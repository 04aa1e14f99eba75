/* SPDX-License-Identifier: MIT */
/* The whole of an output of which an answer could only hold an excerpt: one file a session, replaced each time,
 * under the XDG state directory. */
#ifndef STORE_OUTPUT_H
#define STORE_OUTPUT_H

#include "base/base.h"

/* *ret_path names the file. */
int output_keep(struct arena *a, struct str session, struct str text, struct str *ret_path,
		struct err *err) MUST_CHECK;
/* At the end of a session. */
int output_forget(struct arena *a, struct str session, struct err *err) MUST_CHECK;

#endif
