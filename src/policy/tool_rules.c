/* SPDX-License-Identifier: MIT */
/* What .conclaude.yaml says about tools: preToolUse and permissionRequest. Paths are compared as the client sends them, relative to
 * the event's directory and to that of the configuration, and as they really are, with .. and links resolved. */
#include "base/glob.h"
#include "base/path.h"
#include "client/tool.h"
#include "git/git.h"
#include "os/fs.h"
#include "policy/events.h"

#include <string.h>

#define MARKER_LINES 100
/* A larger file is not searched for a marker. */
#define GENERATED_BYTES MIB(16)

/* A file that a tool works on, in all spellings. */
struct target {
	struct str given;
	struct str full;     /* absolute, without . and .. */
	struct str real;     /* with the links of its directory resolved */
	struct str from_cwd; /* relative to the event's directory; the full one if it is not below */
	struct str from_root;
	bool exists;
};

static struct str
below_or_full(struct arena *a, struct str dir, struct str path)
{
	struct str below = dir.n > 0 ? path_relative(a, dir, path) : STR_NONE;

	return below.s ? below : path;
}

static struct target
target_of(const struct event_call *c, struct str given)
{
	struct stop_context *s = c->stop;
	struct arena *a = s->arena;
	struct str cwd = path_is_absolute(s->event->cwd) ? s->event->cwd : fs_cwd(a);
	struct str full = path_normalise(a, path_from(a, cwd, given)), dir, root;
	struct target t = { .given = given, .full = full };
	const char *z;
	struct err ignored;

	if (str_cz(a, full, &z, &ignored) < 0)
		return t;
	t.exists = fs_lkind(z) != FS_NOTHING;
	/* A link is what it leads to; a new file is in the directory that its name leads to. */
	t.real = fs_real(a, z);
	dir = path_parent(full).s ? fs_real(a, str_copy(a, path_parent(full)).s) : STR_NONE;
	if (!t.real.s)
		t.real = dir.s ? path_join(a, dir, path_base(full)) : full;
	t.from_cwd = below_or_full(a, cwd, full);
	root = fs_real(a, s->conclaude->dir.s);
	t.from_root = below_or_full(a, root.s ? root : s->conclaude->dir, t.real);
	return t;
}

/* ./NAME is the file NAME. A pattern without a slash also matches the file's name, at any depth. */
static bool
matches(struct str pattern, const struct target *t)
{
	while (str_starts(pattern, STR("./")))
		pattern = str_sub(pattern, 2, pattern.n);
	const struct str spellings[] = { t->given, t->full, t->real, t->from_cwd, t->from_root };

	for (size_t i = 0; i < COUNT_OF(spellings); i++)
		if (spellings[i].n > 0 && glob_match(pattern, spellings[i]))
			return true;
	return str_find_char(pattern, '/') < 0 &&
	       (glob_match(pattern, path_base(t->full)) || glob_match(pattern, path_base(t->real)));
}

static bool
is_for_agent(const struct event_call *c, struct str pattern)
{
	return !pattern.s || glob_match(pattern, c->agent);
}

/* The name of the tool in messages: Claude Code's for a tool of that kind. */
static struct str
tool_title(const struct event_call *c)
{
	const char *const *names = tool_aliases(&c->tool);

	return names[0] ? str_from(names[0]) : c->tool.name;
}

static bool PRINTF_LIKE(4, 5) deny(const struct event_call *c, struct event_answer *answer,
				   struct str diagnostic, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	answer_decide(answer, TOOL_DENY, str_vfmt(c->stop->arena, fmt, args));
	va_end(args);
	if (c->stop->front_end == FRONT_END_CONCLAUDE)
		buf_addf(&c->stop->details, STR_FMT "\n", STR_ARG(diagnostic));
	return true;
}

static struct str
diagnostic(const struct event_call *c, const char *rule, struct str path, struct str pattern)
{
	return str_fmt(c->stop->arena,
		       "PreToolUse blocked by preToolUse.%s: tool_name=" STR_FMT "%s" STR_FMT "%s" STR_FMT,
		       rule, STR_ARG(c->tool.name), path.n > 0 ? ", file_path=" : "", STR_ARG(path),
		       pattern.n > 0 ? ", pattern=" : "", STR_ARG(pattern));
}

/* The text with each {name} replaced. */
static struct str
filled(struct arena *a, struct str text, const char *name, struct str value)
{
	struct str mark = str_from(name);
	struct buf b = BUF(a, SIZE_MAX);
	ptrdiff_t at;

	for (; (at = str_find(text, mark)) >= 0; text = str_sub(text, (size_t)at + mark.n, text.n)) {
		buf_add(&b, str_sub(text, 0, (size_t)at));
		buf_add(&b, value);
	}
	buf_add(&b, text);
	return buf_str(&b);
}

/* ---- toolUsageValidation ---- */

static bool
is_for_tool(const struct event_call *c, struct str tool)
{
	const char *const *names = tool_aliases(&c->tool);
	bool is_match = str_is(tool, "*") || str_eq(tool, c->tool.name);

	for (size_t i = 0; names[i] && !is_match; i++)
		is_match = str_is(tool, names[i]);
	return is_match;
}

/* prefix: does it match any number of the first words, joined by single blanks? */
static bool
matches_command(struct arena *a, struct str pattern, struct str mode, struct str command)
{
	struct buf words = BUF(a, SIZE_MAX);
	size_t i = 0;

	if (!str_is(mode, "prefix"))
		return glob_match(pattern, command);
	while (i < command.n) {
		size_t from;

		while (i < command.n && str_is_blank(command.s[i]))
			i++;
		from = i;
		while (i < command.n && !str_is_blank(command.s[i]))
			i++;
		if (i == from)
			break;
		buf_addf(&words, "%s" STR_FMT, words.n > 0 ? " " : "", STR_ARG(str_sub(command, from, i)));
		if (glob_match(pattern, buf_str(&words)))
			return true;
	}
	return false;
}

enum usage { USAGE_GOES_ON, USAGE_DENIED, USAGE_ALLOWED };

static enum usage
check_command(const struct event_call *c, const struct conclaude_tool_rule *rule, struct event_answer *answer)
{
	struct str command = str_trim(c->tool.command);
	bool is_match, is_block = str_is(rule->action, "block"), is_allow = str_is(rule->action, "allow");

	if (command.n == 0)
		return USAGE_GOES_ON;
	is_match = matches_command(c->stop->arena, rule->command_pattern, rule->match_mode, command);
	if (is_allow && is_match)
		return USAGE_ALLOWED;
	if (!((is_block && is_match) || (is_allow && !is_match)))
		return USAGE_GOES_ON;
	struct str why = diagnostic(c, "toolUsageValidation", STR(""), rule->command_pattern);

	if (rule->message.s)
		(void)deny(c, answer, why, STR_FMT, STR_ARG(rule->message));
	else if (is_block)
		(void)deny(c, answer, why,
			   "Bash command blocked by preToolUse.toolUsageValidation rule: " STR_FMT,
			   STR_ARG(rule->command_pattern));
	else
		(void)deny(c, answer, why,
			   "Bash command blocked: does not match preToolUse.toolUsageValidation allow rule "
			   "pattern: " STR_FMT,
			   STR_ARG(rule->command_pattern));
	return USAGE_DENIED;
}

static enum usage
check_paths(const struct event_call *c, const struct conclaude_tool_rule *rule, struct event_answer *answer)
{
	bool is_block = str_is(rule->action, "block"), is_allow = str_is(rule->action, "allow");

	/* A rule for command lines says nothing about files. */
	if (!rule->pattern.s)
		return USAGE_GOES_ON;
	for (size_t i = 0; i < c->tool.paths.count; i++) {
		struct target t = target_of(c, c->tool.paths.items[i]);
		bool is_match = matches(rule->pattern, &t);

		if (!((is_block && is_match) || (is_allow && !is_match)))
			continue;
		struct str why = diagnostic(c, "toolUsageValidation", t.given, rule->pattern);

		if (rule->message.s)
			(void)deny(c, answer, why, STR_FMT, STR_ARG(rule->message));
		else
			(void)deny(c, answer, why,
				   "Tool usage blocked by preToolUse.toolUsageValidation rule: " STR_FMT,
				   STR_ARG(rule->pattern));
		return USAGE_DENIED;
	}
	return USAGE_GOES_ON;
}

static bool
check_usage(const struct event_call *c, const struct conclaude_pre_tool_use *rules,
	    struct event_answer *answer)
{
	for (size_t i = 0; i < rules->tool_rules.count; i++) {
		const struct conclaude_tool_rule *rule = &rules->tool_rules.items[i];
		enum usage usage = USAGE_GOES_ON;

		if (!is_for_tool(c, rule->tool) || !is_for_agent(c, rule->agent))
			continue;
		if (c->tool.kind == TOOL_SHELL && rule->command_pattern.s)
			usage = check_command(c, rule, answer);
		else
			usage = check_paths(c, rule, answer);
		if (usage != USAGE_GOES_ON)
			return usage == USAGE_DENIED;
	}
	return false;
}

/* ---- files ---- */

static bool
check_ignored(const struct event_call *c, const struct target *t, struct event_answer *answer)
{
	const struct repository here = { .root = c->stop->conclaude->dir,
					 .deadline_ms = c->stop->deadline_ms };
	struct str pattern = path_is_absolute(t->from_root)
				     ? STR_NONE
				     : git_ignored_by(c->stop->arena, &here, t->from_root);

	if (!pattern.s)
		return false;
	return deny(
		c, answer, diagnostic(c, "preventUpdateGitIgnored", t->given, pattern),
		"File operation blocked: Path is git-ignored\n\nFile: " STR_FMT
		"\nMatched pattern in .gitignore: " STR_FMT
		"\n\nThis file is protected by 'preventUpdateGitIgnored: true'\n\nTo allow modifications:\n"
		"  1. Remove the pattern from .gitignore\n"
		"  2. Add an exception to .gitignore: !" STR_FMT "\n"
		"  3. Set 'preventUpdateGitIgnored: false' in .conclaude.yaml",
		STR_ARG(t->given), STR_ARG(pattern), STR_ARG(path_base(t->real)));
}

static bool
check_root(const struct event_call *c, const struct conclaude_pre_tool_use *rules, const struct target *t,
	   struct event_answer *answer)
{
	struct arena *a = c->stop->arena;

	if (t->exists || str_find_char(t->from_root, '/') >= 0 || t->from_root.n == 0)
		return false;
	struct str why = diagnostic(c, "preventRootAdditions", t->given, STR(""));

	if (rules->root_message.s) {
		struct str text = filled(a, rules->root_message, "{file_path}", t->given);

		return deny(c, answer, why, STR_FMT, STR_ARG(filled(a, text, "{tool}", tool_title(c))));
	}
	return deny(c, answer, why,
		    "Blocked " STR_FMT
		    " operation: preToolUse.preventRootAdditions setting prevents creating files at "
		    "repository root. File: " STR_FMT,
		    STR_ARG(tool_title(c)), STR_ARG(t->given));
}

static bool
check_uneditable(const struct event_call *c, const struct conclaude_pre_tool_use *rules,
		 const struct target *t, struct event_answer *answer)
{
	for (size_t i = 0; i < rules->uneditable_files.count; i++) {
		const struct conclaude_uneditable *rule = &rules->uneditable_files.items[i];

		if (!matches(rule->pattern, t) || !is_for_agent(c, rule->agent))
			continue;
		bool is_scoped = rule->agent.s && !str_is(rule->agent, "*");
		struct str scope = is_scoped ? str_fmt(c->stop->arena, " (agent: " STR_FMT ")",
						       STR_ARG(c->agent))
					     : STR("");
		struct str why = diagnostic(c, "uneditableFiles", t->given, rule->pattern);

		if (rule->message.n > 0)
			return deny(c, answer, why, STR_FMT STR_FMT, STR_ARG(rule->message), STR_ARG(scope));
		return deny(c, answer, why,
			    "Blocked " STR_FMT
			    " operation: file matches preToolUse.uneditableFiles pattern '" STR_FMT
			    "'" STR_FMT " File: " STR_FMT,
			    STR_ARG(tool_title(c)), STR_ARG(rule->pattern), STR_ARG(scope),
			    STR_ARG(t->given));
	}
	return false;
}

/* A pattern without a wildcard is also a directory. */
static bool
is_addition(struct arena *a, struct str pattern, const struct target *t)
{
	if (matches(pattern, t))
		return true;
	if (glob_has_wildcard(pattern))
		return false;
	while (pattern.n > 1 && pattern.s[pattern.n - 1] == '/')
		pattern.n--;
	return matches(str_fmt(a, STR_FMT "/**", STR_ARG(pattern)), t);
}

static bool
check_additions(const struct event_call *c, const struct conclaude_pre_tool_use *rules,
		const struct target *t, struct event_answer *answer)
{
	for (size_t i = 0; !t->exists && i < rules->prevented_additions.count; i++) {
		struct str pattern = rules->prevented_additions.items[i];

		if (is_addition(c->stop->arena, pattern, t))
			return deny(c, answer, diagnostic(c, "preventAdditions", t->given, pattern),
				    "Blocked " STR_FMT
				    " operation: file matches preToolUse.preventAdditions pattern '" STR_FMT
				    "'. File: " STR_FMT,
				    STR_ARG(tool_title(c)), STR_ARG(pattern), STR_ARG(t->given));
	}
	return false;
}

/* The marker as it is spelled in one of the first lines; absent: there is none. */
static struct str
generated_marker(struct arena *a, const struct target *t)
{
	static const char *const markers[] = {
		"DO NOT EDIT",    "Code generated by", "Auto-generated",         "Autogenerated",
		"Generated code", "@generated",        "This file is generated", "This file was generated"
	};
	struct str text, rest, line, head;
	size_t lines = 0;
	struct err ignored;

	if (!t->exists || fs_kind(str_copy(a, t->real).s) != FS_FILE ||
	    fs_read(a, str_copy(a, t->real).s, GENERATED_BYTES, &text, &ignored) < 0)
		return STR_NONE;
	for (rest = text; lines < MARKER_LINES && str_next(&rest, '\n', &line); lines++)
		continue;
	head = lines < MARKER_LINES ? text : str_sub(text, 0, text.n - rest.n);
	for (size_t i = 0; i < COUNT_OF(markers); i++) {
		size_t n = strlen(markers[i]);

		for (size_t k = 0; k + n <= head.n; k++)
			if (str_is_word(str_sub(head, k, k + n), markers[i]))
				return str_sub(head, k, k + n);
	}
	return STR_NONE;
}

static bool
check_generated(const struct event_call *c, const struct conclaude_pre_tool_use *rules,
		const struct target *t, struct event_answer *answer)
{
	struct arena *a = c->stop->arena;
	struct str marker = generated_marker(a, t);

	if (!marker.s)
		return false;
	struct str why = diagnostic(c, "preventGeneratedFileEdits", t->given, marker);

	if (rules->generated_message.s) {
		struct str text = filled(a, rules->generated_message, "{file_path}", t->given);

		return deny(c, answer, why, STR_FMT, STR_ARG(filled(a, text, "{marker}", marker)));
	}
	return deny(c, answer, why,
		    "BLOCKED: File '" STR_FMT "' is auto-generated (contains '" STR_FMT
		    "'). This file should NEVER be edited directly. Change what generates it, and generate "
		    "it again.",
		    STR_ARG(t->given), STR_ARG(marker));
}

/* ---- the deciders ---- */

void
tool_rules(const struct event_call *c, struct event_answer *answer)
{
	struct stop_context *s = c->stop;
	const struct conclaude_pre_tool_use *rules = &s->conclaude->pre_tool_use;
	bool is_denied = false;

	if (s->conclaude->is_native)
		return;
	is_denied = check_usage(c, rules, answer);
	for (size_t i = 0; tool_writes(&c->tool) && i < c->tool.paths.count && !is_denied; i++) {
		struct target t = target_of(c, c->tool.paths.items[i]);

		is_denied = (rules->prevents_ignored && check_ignored(c, &t, answer)) ||
			    (rules->prevents_root_additions && check_root(c, rules, &t, answer)) ||
			    check_uneditable(c, rules, &t, answer) || check_additions(c, rules, &t, answer) ||
			    (rules->prevents_generated && check_generated(c, rules, &t, answer));
	}
	notify(s, c->row, is_denied ? NOTICE_FAILURE : NOTICE_SUCCESS,
	       str_fmt(s->arena,
		       is_denied ? "Tool '" STR_FMT "' blocked by validation rules"
				 : "Tool '" STR_FMT "' approved",
		       STR_ARG(c->tool.name)));
}

static struct str
first_match(const struct str_list *patterns, struct str name)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (glob_match(patterns->items[i], name))
			return patterns->items[i];
	return STR_NONE;
}

/* Only a rule that names the tool lets it run without a question: conclaude's `default: allow` leaves the question to the client. */
void
permission_rules(const struct event_call *c, struct event_answer *answer)
{
	struct stop_context *s = c->stop;
	const struct conclaude_permissions *p = s->conclaude->permissions;
	struct str name = c->tool.name, why = STR_NONE;
	const char *section = s->conclaude->is_native ? "permissions" : "permissionRequest";

	if (!p)
		return;
	struct str denied = first_match(&p->deny, name), allowed = first_match(&p->allow, name);

	if (denied.s)
		why = str_fmt(s->arena, "Tool '" STR_FMT "' blocked by %s.deny pattern: " STR_FMT,
			      STR_ARG(name), section, STR_ARG(denied));
	else if (!allowed.s && str_is(p->otherwise, "deny"))
		why = str_fmt(s->arena, "Tool '" STR_FMT "' blocked by %s.default setting", STR_ARG(name),
			      section);
	if (why.s)
		(void)deny(c, answer,
			   str_fmt(s->arena, "PermissionRequest blocked: tool_name=" STR_FMT, STR_ARG(name)),
			   STR_FMT, STR_ARG(why));
	else if (allowed.s && !str_is(allowed, "*"))
		answer_decide(answer, TOOL_ALLOW, STR_NONE);
	notify(s, c->row, why.s ? NOTICE_FAILURE : NOTICE_SUCCESS,
	       why.s ? why : str_fmt(s->arena, "Tool '" STR_FMT "' approved", STR_ARG(name)));
}
