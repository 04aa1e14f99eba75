/* SPDX-License-Identifier: MIT */
/* Puts the text of entries together. */
#include "install/settings.h"

#include "base/buf.h"
#include "doc/json.h"

struct str
entry_string(struct arena *a, struct str x)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	json_add_string(&b, x);
	return buf_str(&b);
}

struct str
entry_indented(struct arena *a, struct str value)
{
	return str_replace(a, value, STR("\n"), STR("\n  "));
}

struct str
entry_object(struct arena *a, const struct json_item *items, size_t count)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	for (size_t i = 0; i < count; i++)
		buf_cat(&b, i > 0 ? "," : "{", "\n  \"", items[i].key,
			"\": ", entry_indented(a, items[i].value));
	buf_add(&b, STR("\n}"));
	return buf_str(&b);
}

struct str
command_line(struct arena *a, struct str program, bool is_guarded, const struct hook_wanted *w)
{
	struct str word = shell_quote(a, program);

	if (!is_guarded)
		return str_cat(a, word, " ", w->words);
	return str_cat(a, hook_guard(a, word), w->always_succeeds ? "" : "exec ", word, " ", w->words,
		       w->always_succeeds ? " || true" : "");
}

struct str
entry_of_hook(struct arena *a, const struct hook_shape *shape, struct str command,
	      const struct hook_wanted *w)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	buf_cat(&b, "{\n", shape->has_type ? "  \"type\": \"command\",\n" : "", "  \"", shape->command_key,
		"\": ", entry_string(a, command), ",\n  \"", shape->timeout_key,
		"\": ", w->timeout_s * shape->timeout_units);
	if (w->more)
		buf_cat(&b, ",\n  ", w->more);
	if (w->status_message)
		buf_cat(&b, ",\n  \"" STATUS_KEY "\": ", entry_string(a, str_from(w->status_message)));
	buf_add(&b, STR("\n}"));
	if (!shape->has_groups)
		return buf_str(&b);
	struct str matcher = w->matcher
				     ? str_cat(a, "\n  \"matcher\": ", entry_string(a, str_from(w->matcher)),
					       ",")
				     : STR("");

	return str_cat(a, "{", matcher, "\n  \"hooks\": [\n    ",
		       entry_indented(a, entry_indented(a, buf_str(&b))), "\n  ]\n}");
}

struct str
command_renewed(struct arena *a, const struct hook_entry *found, const struct node *args, struct str program,
		bool is_guarded)
{
	struct str command = found->command;
	struct shell_word first;

	if (!hook_runs_holdfast_first(a, command, args, &first))
		return command;
	if (args)
		return str_eq(first.text, program) ? command : program;
	size_t guard = hook_guard_length(a, command);
	struct str before = str_sub(command, guard, first.from);
	struct str word = str_eq(first.text, program) ? str_sub(command, first.from, first.to)
						      : shell_quote(a, program);

	is_guarded |= guard > 0;
	if (guard == 0 && is_guarded && before.n == 0 && found->is_plain)
		before = STR("exec ");
	return str_cat(a, is_guarded ? hook_guard(a, word) : STR(""), before, word,
		       str_sub(command, first.to, command.n));
}
