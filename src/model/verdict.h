/* SPDX-License-Identifier: MIT */
/* The decision on one stop. Whether it blocks is the status's own property. */
#ifndef MODEL_VERDICT_H
#define MODEL_VERDICT_H

#include "model/status.h"

struct verdict {
	enum status status;
	struct str message; /* for people; absent: the status's own */
	struct str reason;  /* for the model, word for word; only of a block */
};

#endif
