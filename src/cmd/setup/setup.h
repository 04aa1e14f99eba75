/* SPDX-License-Identifier: MIT */
/* What is set up for a project: looked at without locking, changing or deciding anything. For init and doctor. */
#ifndef CMD_SETUP_SETUP_H
#define CMD_SETUP_SETUP_H

#include "client/client.h"
#include "conf/conclaude.h"
#include "os/upward.h"
#include "loop/find.h"

struct setup {
	struct upward where;
	struct str project; /* the repository's root, or the directory where there is none */
	struct loop_refs loops;
	struct str conclaude_path; /* absent: there is none */
	struct conclaude_config conclaude;
	bool has_conclaude;    /* it is there and could be loaded */
	bool is_conclaude_bad; /* it could not */
	struct err why_bad;
	struct str gauntlet_root; /* that has .gauntlet/config.yml; absent: there is none */
};

/* From the directory on, as a stop would look. */
void setup_look(struct arena *a, struct str dir, struct setup *ret);

/* How many stops in a row what is set up may turn back: the largest loop, the queue of follow-ups and the rounds
 * together; BLOCKS_ENDLESS with a loop that has no limit. Infinite mode is not counted: the client's limit is its end. */
uint64_t setup_blocks(const struct setup *s);

/* The settings files of a client, in the order in which the later one counts more. */
enum settings_scope { SCOPE_USER, SCOPE_PROJECT, SCOPE_LOCAL, SCOPE_COUNT };
extern const char *const settings_scope_names[SCOPE_COUNT]; /* user, project, local */
/* Where holdfast is registered. Absent where there is no home, or the client has no such file. */
struct str settings_path(struct arena *a, struct str project, const struct client *c,
			 enum settings_scope scope);
/* Every file of that scope that the client reads hooks from, the one above first; at most SETTINGS_FILES_MAX. */
#define SETTINGS_FILES_MAX 32
size_t settings_files(struct arena *a, struct str project, const struct client *c, enum settings_scope scope,
		      struct str ret[SETTINGS_FILES_MAX]);

/* Is the client on this machine: its program in PATH, or its directory in the home? */
bool setup_has_client(struct arena *a, const struct client *c);

/* A path as it is shown: relative to the directory where it is below it, else as it is. */
struct str shown_path(struct str path, struct str dir);

#endif
