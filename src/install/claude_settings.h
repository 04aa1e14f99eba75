/* SPDX-License-Identifier: MIT */
/* Hooks and environment in Claude Code's settings, as changes to the text of a settings file: what is not ours stays byte for
 * byte. Pure: text in, text out; reading and writing the file is the caller's. */
#ifndef INSTALL_CLAUDE_SETTINGS_H
#define INSTALL_CLAUDE_SETTINGS_H

#include "client/hook_settings.h"

/* Every hook of type command, as hook_settings_list() has them. */
struct hook_list claude_settings_hooks(struct arena *a, const struct node *settings);

/* hook_settings_register() and hook_settings_remove() in the shape of Claude Code's settings. */
int claude_settings_register(struct arena *a, struct str text, struct str program,
			     const struct hook_wanted *wanted, size_t count, struct hook_change *changes,
			     struct settings_made *made, struct str *ret, struct err *err) MUST_CHECK;
int claude_settings_remove_kind(struct arena *a, struct str text, const struct hook_filter *which,
				const struct settings_made *made, size_t *ret_removed, struct str *ret,
				struct err *err) MUST_CHECK;

/* As claude_settings_register(), but older forms of the program's hooks are replaced: where those of an event are
 * not exactly the wanted one, they are taken out, and the wanted one comes behind other people's. One with a wrapper
 * before it stays and counts as the wanted one. */
int claude_settings_renew(struct arena *a, struct str text, struct str program,
			  const struct hook_wanted *wanted, size_t count, struct hook_change *changes,
			  struct settings_made *made, struct str *ret, struct err *err) MUST_CHECK;

/* The value of a variable in the settings' env; absent where there is none. Numbers come as written. */
struct str claude_settings_env(const struct node *settings, const char *name);
/* Sets it, adding the env object where there is none. */
int claude_settings_set_env(struct arena *a, struct str text, const char *name, struct str value,
			    struct settings_made *made, struct str *ret, struct err *err) MUST_CHECK;
/* Takes it out if it has that value; *ret_is_removed tells. */
int claude_settings_unset_env(struct arena *a, struct str text, const char *name, struct str value,
			      const struct settings_made *made, bool *ret_is_removed, struct str *ret,
			      struct err *err) MUST_CHECK;

/* Is a plugin of that name (whatever marketplace: NAME@...) enabled? */
bool claude_settings_has_plugin(const struct node *settings, const char *name);

#endif
