/* SPDX-License-Identifier: MIT */
/* One settings file of a client: what it holds, what the record says was put into it, and the text that is to replace it. */
#ifndef INSTALL_SETTINGS_FILE_H
#define INSTALL_SETTINGS_FILE_H

#include "install/settings_edit.h"

struct settings_file {
	struct arena *arena;
	const struct client *client;
	struct str path;
	struct str text; /* absent: there is no file */
	struct install_record record;
	bool has_record;
	struct str new_text; /* absent: the file is to be removed */
};

/* Reads the file and its record. new_text is the text. */
int settings_file_open(struct arena *a, const struct client *c, struct str path, struct settings_file *ret,
		       struct err *err) MUST_CHECK;
/* The same for a file that is not JSON: its text is not looked at. */
int settings_file_open_text(struct arena *a, const struct client *c, struct str path,
			    struct settings_file *ret, struct err *err) MUST_CHECK;
/* The tree of the text; a null node where there is no file or it is blank. Large: for an arena that is freed soon. */
struct node settings_file_tree(const struct settings_file *f, struct arena *a);
/* A record none of whose hooks are left in the file, because somebody removed them by hand, would undo the wrong things: it
 * is emptied. For those who register. */
void settings_file_drop_stale_record(struct settings_file *f);
/* An edit of new_text, which notes in the record what it changes. The caller puts the result into new_text. */
struct settings_edit settings_file_edit(struct settings_file *f);
bool settings_file_is_changed(const struct settings_file *f);

/* Makes the directories, saves the record and writes new_text. Where the record can't be saved, *ret_note says why (absent
 * otherwise), and the file is written all the same. An error, and nothing is written, where the file is read-only or was
 * changed by another program since it was read. */
int settings_file_save(struct settings_file *f, struct str *ret_note, struct err *err) MUST_CHECK;
/* Writes new_text alone, with the same errors. */
int settings_file_write(struct settings_file *f, struct err *err) MUST_CHECK;

#endif
