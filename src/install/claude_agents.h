/* SPDX-License-Identifier: MIT */
/* Edits conclaude's hook in the front matter of an agent's file (.claude/agents/NAME.md). All other bytes stay as they are.
 * Pure: text in, text out. */
#ifndef INSTALL_CLAUDE_AGENTS_H
#define INSTALL_CLAUDE_AGENTS_H

#include "doc/edit.h"
#include "doc/frontmatter.h"

struct claude_agent {
	struct arena *arena;
	struct frontmatter matter;
	struct node root; /* the front matter, with the document's line numbers */
	struct str name;  /* the key `name`; absent: it has none */
	bool has_hooks;
	/* ---- private: the one change that is made to it, by lines ---- */
	struct str text; /* the document up to the end of the block */
	struct edit edit;
	size_t at;          /* where the new text goes */
	struct buf add;     /* the new text, with \n */
	struct str command; /* of the new hook */
	int64_t timeout_s;
};

bool claude_agent_has_matter(struct str text);
/* The error begins with LINE:COLUMN. */
int claude_agent_read(struct arena *a, struct str text, struct claude_agent *ret, struct err *err) MUST_CHECK;

/* Registers the command for the event Stop, after other hooks and instead of all of conclaude's own for that event. It is
 * an error if the hooks can't be changed line by line, as with {...}. */
int claude_agent_register(struct claude_agent *g, struct str command, int64_t timeout_s, struct str *ret,
			  struct err *err) MUST_CHECK;
/* Removes conclaude's hooks for Stop, and what becomes empty. After a registration in a file without hooks, this restores
 * the same bytes. */
int claude_agent_remove(struct claude_agent *g, struct str *ret, struct err *err) MUST_CHECK;

#endif
