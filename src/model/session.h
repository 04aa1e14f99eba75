/* SPDX-License-Identifier: MIT */
/* A session id as part of a file name. */
#ifndef MODEL_SESSION_H
#define MODEL_SESSION_H

#include "base/base.h"

/* The id itself if it is made of A-Z a-z 0-9 . _ - and is at most 128 bytes; else every other byte becomes %XX,
 * and what is longer than 180 bytes then is its first 160 bytes, '-' and the 64-bit FNV-1a of the id in hex. Two
 * ids never get the same name, but for a collision of that hash, and no name has a slash in it. */
struct str session_file_part(struct arena *a, struct str id);

#endif
