/* SPDX-License-Identifier: MIT */
/* The outcomes of a stop. Their names are part of the answer and never change. */
#ifndef MODEL_STATUS_H
#define MODEL_STATUS_H

#include "model/dialect.h"

enum status {
#define STATUS(id, ...) STATUS_##id,
#include "model/status.def"
	STATUS_COUNT
};

/* Who reads the message in addition to the client. AUDIENCE_LOG is a line on stderr. */
enum audience { AUDIENCE_NONE, AUDIENCE_LOG, AUDIENCE_USER };
struct status_row {
	struct str name, message;
	struct str change;        /* what would change the decision */
	struct str plain_message; /* instead of `message` where texts are plain; empty: the same */
	bool blocks;
	enum audience audience;
};
extern const struct status_row status_rows[STATUS_COUNT];
static inline bool
status_blocks(enum status s)
{
	return status_rows[s].blocks;
}
/* The message for a result of gates. */
struct str status_text(enum status s, const struct dialect *dialect);
/* What would change the decision that has the status of this name; empty: nothing is known. */
struct str status_change(struct str name);

/* What a message begins with if no decision could be made. */
#define STOP_HOOK_ERROR "⚠ Stop hook error — "

/* The decision on one stop. Whether it blocks is a property of its status. */
struct verdict {
	enum status status;
	struct str message;   /* for people; absent: that of the status, see verdict_message() */
	struct str reason;    /* for the model, sent unchanged; only for a block */
	uint64_t number;      /* of the iteration or the round; 0: it has none */
	uint64_t of;          /* how many there are; 0: no limit */
	const char *loop_end; /* the name of the reason for which a loop has ended; NULL: none has */
	bool is_quiet;        /* the user was told before: nobody but the client reads the message */
};

static inline struct verdict
verdict_of(enum status status, struct str message)
{
	return (struct verdict){ .status = status, .message = message };
}
struct str verdict_message(const struct verdict *v);

#endif
