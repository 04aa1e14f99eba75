/* SPDX-License-Identifier: MIT */
/* Rules for prompts: text that is added to them, and commands for slash commands. */
#include "base/glob.h"
#include "base/path.h"
#include "base/regex.h"
#include "base/utf8.h"
#include "os/fs.h"
#include "policy/commands.h"
#include "policy/events.h"

#include <stdlib.h>

#define INCLUDED_BYTES MIB(1)

/* ---- context ---- */

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       (unsigned char)c >= 0x80;
}

static bool
is_path_byte(char c)
{
	return is_word(c) || c == '-' || c == '.' || c == '/';
}

/* The content of the file, which must be in the configuration's directory: a clone must not read the user's other files. */
static bool
include(struct stop_context *s, struct str name, struct buf *to)
{
	struct arena *a = s->arena;
	struct str path = path_relative(a, s->conclaude->dir, name), real,
		   root = fs_real(a, s->conclaude->dir.s), text;
	const char *z;
	struct err err;

	if (!path.s || str_cz(a, path_join(a, s->conclaude->dir, path), &z, &err) < 0) {
		stop_warn(s,
			  "Failed to expand @" STR_FMT
			  " reference: it is not in the configuration's directory",
			  STR_ARG(name));
		return false;
	}
	real = fs_real(a, z);
	if (real.s && root.s && !path_is_at_or_below(real, root))
		(void)err_set(&err, ERR_VALUE, "it is not in the configuration's directory");
	else if (!real.s)
		(void)err_set(&err, ERR_VALUE, "there is no such file");
	else if (fs_read(a, z, INCLUDED_BYTES, &text, &err) == 0) {
		buf_add(to, text);
		return true;
	}
	stop_warn(s, "Failed to expand @" STR_FMT " reference: %s", STR_ARG(name), err.msg);
	return false;
}

/* A dot that ends a sentence is part of a name only if there is such a file. */
static struct str
expand(struct stop_context *s, struct str text)
{
	struct buf out = BUF(s->arena, SIZE_MAX);

	for (size_t i = 0; i < text.n;) {
		size_t end = i + 1;

		while (text.s[i] == '@' && end < text.n && is_path_byte(text.s[end]))
			end++;
		struct str name = str_sub(text, i + 1, end), without = name;

		if (text.s[i] != '@' || name.n == 0) {
			buf_addc(&out, text.s[i++]);
			continue;
		}
		while (str_ends(without, STR(".")))
			without.n--;
		if (without.n < name.n && without.n > 0 &&
		    fs_kind(path_from(s->arena, s->conclaude->dir, name).s) != FS_FILE)
			name = without;
		end = i + 1 + name.n;
		if (!include(s, name, &out))
			buf_add(&out, str_sub(text, i, end));
		i = end;
	}
	return buf_str(&out);
}

static void
add_context(const struct event_call *c, struct event_answer *answer)
{
	struct stop_context *s = c->stop;
	const struct conclaude_config *config = s->conclaude;

	for (size_t i = 0; i < config->context_rules.count; i++) {
		const struct conclaude_context_rule *rule = &config->context_rules.items[i];

		if (!rule->is_enabled ||
		    !regex_match(s->arena, rule->pattern, s->event->prompt, rule->ignores_case))
			continue;
		struct str text = expand(s, rule->prompt);

		answer->context = answer->context.s ? str_fmt(s->arena, STR_FMT "\n\n" STR_FMT,
							      STR_ARG(answer->context), STR_ARG(text))
						    : text;
	}
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

static int
compare_patterns(const void *x, const void *y)
{
	const struct conclaude_patterns *const *p = x, *const *q = y;
	bool p_all = str_is((*p)->pattern, "*"), q_all = str_is((*q)->pattern, "*");

	return p_all != q_all ? (p_all ? -1 : 1) : str_cmp((*p)->pattern, (*q)->pattern);
}

static void
block(const struct event_call *c, const struct conclaude_command *command, struct event_answer *answer)
{
	struct stop_context *s = c->stop;
	struct str name = command->shows_command ? command_name(s, command) : STR("");

	answer->is_blocked = true;
	answer->reason = command->message.s
				 ? command->message
				 : str_fmt(s->arena, "Slash command blocked by hook (exit code: 2)%s" STR_FMT,
					   name.n > 0 ? ": " : "", STR_ARG(name));
}

static void
run_slash_commands(const struct event_call *c, struct event_answer *answer)
{
	struct stop_context *s = c->stop;
	const struct conclaude_section *section = &s->conclaude->slash_commands;
	const struct conclaude_patterns **sorted = arena_array(s->arena, section->pattern_count + 1,
							       const struct conclaude_patterns *);
	struct str name, args;
	size_t count = 0;

	if (section->pattern_count == 0 || !find_slash(s->event->prompt, &name, &args))
		return;
	for (size_t i = 0; i < section->pattern_count; i++) {
		struct str pattern = section->patterns[i].pattern;

		if (str_starts(pattern, STR("/")))
			pattern = str_sub(pattern, 1, pattern.n);
		if (glob_match(pattern, name))
			sorted[count++] = &section->patterns[i];
	}
	qsort(sorted, count, sizeof(*sorted), compare_patterns);
	const struct command_variable more[] = { { "SLASH_COMMAND", name }, { "SLASH_COMMAND_ARGS", args } };
	const char *const *env = command_environment(s, c, more, COUNT_OF(more));

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sorted[i]->count && !answer->is_blocked; k++) {
			const struct conclaude_command *command = &sorted[i]->commands[k];

			if (!command_is_empty(command->run) &&
			    event_command_blocks(c, command, env, true, answer))
				block(c, command, answer);
		}
}

void
prompt_rules(const struct event_call *c, struct event_answer *answer)
{
	if (c->stop->event->prompt.n == 0)
		return;
	add_context(c, answer);
	run_slash_commands(c, answer);
}
