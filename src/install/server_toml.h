/* SPDX-License-Identifier: MIT */
/* `holdfast mcp` in the text of a TOML file: a table of its own, added at the end, where it can't change what comes before it. The text is not
 * parsed otherwise. Pure: the caller reads and writes the file. */
#ifndef INSTALL_SERVER_TOML_H
#define INSTALL_SERVER_TOML_H

#include "base/base.h"

/* What a text says about the server. */
enum toml_server {
	TOML_MISSING,
	TOML_OURS,   /* the table, as toml_server_add() writes it */
	TOML_OTHERS, /* another one of that name, or servers in a form to which no table can be added */
};
/* *ret_command is the program of ours; absent otherwise. */
enum toml_server toml_server_find(struct arena *a, struct str text, struct str *ret_command);

/* The text with the table, which must be missing; the text may be absent. */
struct str toml_server_add(struct arena *a, struct str text, struct str command);
/* The text without the table, which must be ours: the same bytes as before it was added. */
struct str toml_server_remove(struct arena *a, struct str text);

#endif
