/* SPDX-License-Identifier: MIT */
/* conclaude's hook in the front matter of an agent's file (.claude/agents/NAME.md), as changes to its text: the body
 * and what is not ours in the front matter stay byte for byte. Pure: text in, text out. */
#ifndef INSTALL_CLAUDE_AGENTS_H
#define INSTALL_CLAUDE_AGENTS_H

#include "doc/frontmatter.h"
#include "doc/node.h"

struct claude_agent {
	struct frontmatter matter;
	struct node root; /* the front matter; lines are those of the document */
	struct str name;  /* what it calls itself; absent where it does not */
	bool has_hooks;
};

/* Does the text begin with front matter at all? */
bool claude_agent_has_matter(struct str text);
/* The error begins with LINE:COLUMN. */
int claude_agent_read(struct arena *a, struct str text, struct claude_agent *ret, struct err *err) MUST_CHECK;

/* The document with the command for the event Stop, behind other people's hooks and in the place of all of
 * conclaude's own for that event; the same bytes where it is there already. Every other event stays as it is. Where
 * the hooks are written in a way that can't be changed line by line, such as {...}, it is an error. */
int claude_agent_register(struct arena *a, const struct claude_agent *g, struct str command,
			  int64_t timeout_s, struct str *ret, struct err *err) MUST_CHECK;
/* Without conclaude's hooks for Stop, and without what has become empty by that; the same bytes where there are
 * none. After a registration in a file without hooks this gives the bytes from before. */
int claude_agent_remove(struct arena *a, const struct claude_agent *g, struct str *ret,
			struct err *err) MUST_CHECK;

#endif
