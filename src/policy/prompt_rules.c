/* SPDX-License-Identifier: MIT */
/* Rules for prompts: text that is added to them, and commands for slash commands. */
#include "base/glob.h"
#include "base/regex.h"
#include "os/fs.h"
#include "policy/events.h"

#define INCLUDED_BYTES MIB(1)

/* ---- context ---- */

static bool
is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The content of the file, which must be in the configuration's directory: a clone must not read the user's other files. */
static bool
include(struct stop_context *s, struct str name, struct buf *to)
{
	struct arena *a = s->arena;
	struct str path = path_relative(a, s->policies->dir, name), root = fs_real(a, s->policies->dir.s),
		   text;
	const char *z = NULL;
	struct err err;
	bool is_below = path.s && str_cz(a, path_join(a, s->policies->dir, path), &z, &err) == 0;
	struct str real = is_below ? fs_real(a, z) : STR_NONE;

	if (!is_below || (real.s && root.s && !path_is_at_or_below(real, root)))
		(void)err_set(&err, ERR_VALUE, "it is not in the configuration's directory");
	else if (!real.s)
		(void)err_set(&err, ERR_VALUE, "there is no such file");
	else if (fs_read(a, z, INCLUDED_BYTES, &text, &err) == 0) {
		buf_add(to, text);
		return true;
	}
	stop_warn(s, "Failed to expand @", name, " reference: ", err.msg);
	return false;
}

/* A dot that ends a sentence is part of a name only if there is such a file. */
static struct str
expand(struct stop_context *s, struct str text)
{
	struct buf out = BUF(s->arena, SIZE_MAX);

	for (size_t i = 0; i < text.n;) {
		size_t end = i + 1;

		while (text.s[i] == '@' && end < text.n &&
		       (is_word(text.s[end]) || str_find_char(STR("-./"), text.s[end]) >= 0))
			end++;
		struct str name = str_sub(text, i + 1, end), without = name;

		if (text.s[i] != '@' || name.n == 0) {
			buf_addc(&out, text.s[i++]);
			continue;
		}
		while (str_ends(without, STR(".")))
			without.n--;
		if (without.n < name.n && without.n > 0 &&
		    fs_kind(path_from(s->arena, s->policies->dir, name).s) != FS_FILE)
			name = without;
		end = i + 1 + name.n;
		if (!include(s, name, &out))
			buf_add(&out, str_sub(text, i, end));
		i = end;
	}
	return buf_str(&out);
}

/* ---- slash commands ---- */

/* The first line that is a slash command. A path such as /usr/bin is none. */
static bool
find_slash(struct str prompt, struct str *ret_name, struct str *ret_args)
{
	struct str line;

	while (str_next(&prompt, '\n', &line)) {
		size_t end = 1;

		line = str_trim(line);
		while (end < line.n && (is_word(line.s[end]) || line.s[end] == '-' || line.s[end] == ':'))
			end++;
		if (!str_starts(line, STR("/")) || end == 1 || (end < line.n && !str_is_blank(line.s[end])))
			continue;
		*ret_name = str_sub(line, 1, end);
		*ret_args = str_trim(str_sub(line, end, line.n));
		return true;
	}
	return false;
}

void
prompt_rules(struct stop_context *s, struct event_answer *answer)
{
	if (s->event->prompt.n == 0)
		return;
	const struct policies *config = s->policies;

	for_each (rule, config->prompts.items, config->prompts.count) {
		if (!rule->add.s || (rule->matches.s && !regex_match(s->arena, rule->matches,
								     s->event->prompt, rule->ignores_case)))
			continue;
		struct str text = expand(s, rule->add);

		answer->context = answer->context.s ? str_cat(s->arena, answer->context, "\n\n", text) : text;
	}
	const struct command_list *prompts = &s->policies->prompts;
	struct str name, args;

	if (prompts->count == 0 || !find_slash(s->event->prompt, &name, &args))
		return;
	const struct command_variable more[] = { { "SLASH_COMMAND", name }, { "SLASH_COMMAND_ARGS", args } };
	const char *const *env = command_environment(s, more, COUNT_OF(more));

	for (size_t i = 0; i < prompts->count && !answer->is_blocked; i++) {
		const struct policy_command *command = &prompts->items[i];
		struct str pattern = command->slash;

		(void)str_skip(&pattern, "/");
		if (!pattern.s || !glob_match(pattern, name) || command_is_empty(command->run) ||
		    !event_command_blocks(s, command, env, true, answer))
			continue;
		struct str shown = command_name(s, command);

		answer->is_blocked = true;
		answer->reason = command->message.s
					 ? command->message
					 : str_cat(s->arena, "Slash command blocked by hook (exit code: 2)",
						   shown.n > 0 ? ": " : "", shown);
	}
}
