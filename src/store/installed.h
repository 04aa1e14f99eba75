/* SPDX-License-Identifier: MIT */
/* The settings files that holdfast was registered in: one JSON line each in holdfast/installed.jsonl under the XDG
 * state directory. */
#ifndef STORE_INSTALLED_H
#define STORE_INSTALLED_H

#include "model/installed.h"

/* The record of that settings file. *ret_is_there is false where there is none, or none that can be read. */
int installed_find(struct arena *a, struct str settings, struct installed *ret, bool *ret_is_there,
		   struct err *err) MUST_CHECK;
/* Was the directory made for another settings file than that, one that is still there? */
bool installed_made_for_another(struct arena *a, struct str dir, struct str settings);
/* Puts the record in the place of the older one of the same file. */
int installed_save(struct arena *a, const struct installed *i, struct err *err) MUST_CHECK;
int installed_forget(struct arena *a, struct str settings, struct err *err) MUST_CHECK;

#endif
