/* SPDX-License-Identifier: MIT */
/* Does a message keep the loop's promise? Pure. */
#ifndef LOOP_PROMISE_H
#define LOOP_PROMISE_H

#include "base/base.h"

/* Does the message contain <promise>PHRASE</promise>? White space at the ends is ignored and any run of it equals one
 * space, on both sides; everything else is compared byte for byte. A second opening tag replaces the first. A blank phrase
 * is never kept. When strict, the tag must be alone on the last line that is not blank. */
bool promise_is_kept(struct str message, struct str phrase, bool is_strict);

#endif
