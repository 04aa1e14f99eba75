/* SPDX-License-Identifier: MIT */
/* Has the promise been made? Pure. */
#ifndef LOOP_PROMISE_H
#define LOOP_PROMISE_H

#include "base/base.h"

/* Does the message have a closed <promise>…</promise> whose content is the phrase? White space at the ends does
 * not count and any run of it counts as one space, on both sides; everything else is compared byte for byte. An
 * opening tag within an open one begins anew. Without a tag nothing is a promise, nor is anything when the phrase
 * is blank. When strict, the tag must stand alone on the message's last line that is not blank. */
bool promise_is_kept(struct str message, struct str phrase, bool is_strict);

#endif
