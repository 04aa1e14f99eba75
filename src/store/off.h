/* SPDX-License-Identifier: MIT */
/* Projects in which the user has turned holdfast off: a small file for each, holdfast/off/ under the state directory, so that
 * neither git nor the project knows of it. */
#ifndef STORE_OFF_H
#define STORE_OFF_H

#include "base/base.h"

#define OFF_NO_END INT64_MAX

/* Is holdfast off in the project at this time, in milliseconds on the real clock? *ret_until_ms is when that ends. A file that
 * can't be read or understood turns nothing off. */
bool off_is_set(struct arena *a, struct str root, int64_t now_ms, int64_t *ret_until_ms);
int off_set(struct arena *a, struct str root, int64_t until_ms, struct err *err) MUST_CHECK;
/* *ret_was_there: there was one, even one that was over. */
int off_clear(struct arena *a, struct str root, bool *ret_was_there, struct err *err) MUST_CHECK;

#endif
