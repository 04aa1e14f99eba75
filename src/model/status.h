/* SPDX-License-Identifier: MIT */
/* What a stop came to. The names are part of the answer and never change. */
#ifndef MODEL_STATUS_H
#define MODEL_STATUS_H

#include "base/base.h"

enum status {
#define STATUS(id, name, decision, telling, message) STATUS_##id,
#include "model/status.def"
#undef STATUS
	STATUS_COUNT
};

struct str status_name(enum status s);
struct str status_message(enum status s);
bool is_blocking_status(enum status s);
/* Who hears of it beside the client: nobody, whoever reads stderr, or the user too. */
enum telling { TELLING_QUIET, TELLING_LOG, TELLING_TELL };
enum telling status_telling(enum status s);

#endif
