/* SPDX-License-Identifier: MIT */
/* The outcomes of a stop. Their names are part of the answer and never change. */
#ifndef MODEL_STATUS_H
#define MODEL_STATUS_H

#include "base/base.h"

enum status {
#define STATUS(id, name, decision, audience, message) STATUS_##id,
#include "model/status.def"
#undef STATUS
	STATUS_COUNT
};

struct str status_name(enum status s);
struct str status_message(enum status s);
/* The same for a project with holdfast.yml, whose gates have words of their own. */
struct str status_native_message(enum status s);
bool status_blocks(enum status s);
/* Who reads the message in addition to the client. AUDIENCE_LOG is a line on stderr. */
enum audience { AUDIENCE_NONE, AUDIENCE_LOG, AUDIENCE_USER };
enum audience status_audience(enum status s);

/* The decision on one stop. Whether it blocks is a property of its status. */
struct verdict {
	enum status status;
	struct str message;   /* for people; absent: the default of the status */
	struct str reason;    /* for the model, sent unchanged; only for a block */
	uint64_t number;      /* of the iteration or the round; 0: it has none */
	uint64_t of;          /* how many there are; 0: no limit */
	const char *loop_end; /* the name of the reason for which a loop has ended; NULL: none has */
	bool is_quiet;        /* the user was told before: nobody but the client reads the message */
};

#endif
