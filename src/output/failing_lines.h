/* SPDX-License-Identifier: MIT */
/* From the output of a failed command to the lines that say what failed and where. Pure. */
#ifndef OUTPUT_FAILING_LINES_H
#define OUTPUT_FAILING_LINES_H

#include "base/base.h"

/* What is shown at most. */
#define FAILING_LINES_MAX 20
#define FAILING_BYTES_MAX 2000

/* If the output is in formats that holdfast knows (formats.c): each failure once, its name, its message and file:line where
 * the output has them, in the order of the output; if there are more than fit, the last line says how many. Else the last
 * lines of the output. At most FAILING_LINES_MAX lines and max_bytes bytes, no escape sequences, no newline at the end. Empty
 * if the output is blank. */
struct str failing_lines(struct arena *a, struct str output, size_t max_bytes);

#endif
