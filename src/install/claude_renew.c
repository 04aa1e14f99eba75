/* SPDX-License-Identifier: MIT */
/* Replaces older forms of a program's hooks in Claude Code's settings. It reads and writes no file. */
#include "install/claude_settings.h"
#include "client/shell_words.h"
#include "doc/jsonedit.h"

/* Does the command begin with the program, whatever its path? A wrapped one does not. */
static bool
is_plain(struct arena *a, const struct hook_found *f)
{
	struct shell_words words = shell_words(a, f->command);
	struct str program = words.count > 0 && words.items[0].text.s ? words.items[0].text : STR("");
	/* With an event behind it, the first word alone tells the kind. */
	struct str alone = str_fmt(a, STR_FMT " Stop", STR_ARG(shell_quote(a, program)));

	return claude_hook_kind(a, alone, NULL) == f->kind;
}

/* Are the event's hooks of that kind to be taken out? */
static bool
is_stale(struct arena *a, const struct hook_list *list, enum hook_kind kind, struct str command,
	 const struct hook_wanted *w)
{
	size_t exact = 0, others = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct hook_found *f = &list->items[i];

		if (f->kind != kind || !str_is(f->event, w->event))
			continue;
		if (!is_plain(a, f))
			return false;
		bool is_exact = str_eq(f->command, command) && f->timeout_s == w->timeout_s;

		exact += is_exact;
		others += !is_exact;
	}
	return exact + others > 0 && !(exact == 1 && others == 0);
}

int
claude_settings_renew(struct arena *a, struct str text, struct str program, const struct hook_wanted *wanted,
		      size_t count, struct hook_change *changes, struct settings_made *made, struct str *ret,
		      struct err *err)
{
	struct str word = shell_quote(a, program);
	struct str_set events = { 0 };
	const struct hook_filter which = { hook_wanted_kind(a, program, &wanted[0]), &events };
	struct node root = { .kind = NODE_NULL };
	size_t removed;

	if (str_trim(text).n > 0 && jsonedit_check(a, text, &root, err) < 0)
		return -1;
	struct hook_list list = claude_settings_hooks(a, &root);

	for (size_t i = 0; i < count; i++) {
		struct str command = str_fmt(a, STR_FMT " %s", STR_ARG(word), wanted[i].words);

		if (is_stale(a, &list, which.kind, command, &wanted[i]))
			str_set_add(a, &events, str_from(wanted[i].event));
	}
	if (events.count > 0 && claude_settings_remove_kind(a, text, &which, made, &removed, &text, err) < 0)
		return -1;
	if (claude_settings_register(a, text, program, wanted, count, changes, made, ret, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (str_set_has(&events, str_from(wanted[i].event)))
			changes[i].kind = CHANGE_UPDATED;
	return 0;
}
