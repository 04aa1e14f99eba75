/* SPDX-License-Identifier: MIT */
/* The texts that are put into settings files: entries of JSON, and a table of TOML with the server. */
#include "install/settings.h"

#include "doc/json.h"

/* ---- JSON ---- */

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

/* ---- TOML: a table of its own, added at the end, where it can't change what comes before it. The text is not parsed otherwise ---- */

#define SERVERS "mcp_servers"
#define NAME "holdfast"
#define BEGIN \
	"# Added by 'holdfast init'; 'holdfast uninstall' removes it.\n[" SERVERS "." NAME "]\ncommand = "
#define END "\nargs = [\"mcp\"]\n"

/* The table as it stands in the text: from its comment to its last line. */
struct table {
	size_t from, to;
	struct str command; /* with its quotes */
};

/* Does a line say something about our server, or define servers in one value, to which a table can't be added? What looks so in a text of
 * several lines counts as well: then nothing is changed. */
static bool
mentions(struct str line)
{
	ptrdiff_t at = str_find(line, STR(SERVERS));

	if (at < 0 || str_starts(str_trim(line), STR("#")))
		return false;
	struct str rest = str_trim(str_sub(line, (size_t)at + STR(SERVERS).n, line.n));

	/* "mcp_servers" = {...}, or [[mcp_servers]] */
	while (rest.n > 0 && (rest.s[0] == '"' || rest.s[0] == '\'' || str_is_blank(rest.s[0])))
		rest = str_sub(rest, 1, rest.n);
	return str_starts(rest, STR("=")) || str_find(str_trim(line), STR("[[")) == 0 ||
	       str_find(line, STR(NAME)) >= 0;
}

/* Does the table end there? Another key below it, or a table below it such as mcp_servers.holdfast.env, is the user's. */
static bool
ends_at(struct str rest)
{
	struct str line;
	bool is_known = false, is_end = true;

	while (str_next(&rest, '\n', &line)) {
		line = str_trim(line);
		if (mentions(line))
			return false;
		if (!is_known && line.n > 0 && line.s[0] != '#') {
			is_known = true;
			is_end = line.s[0] == '[';
		}
	}
	return is_end;
}

static bool
find_table(struct str text, struct table *ret)
{
	ptrdiff_t begin = str_find(text, STR(BEGIN));

	if (begin < 0 || (begin > 0 && text.s[begin - 1] != '\n'))
		return false;
	struct str rest = str_sub(text, (size_t)begin + STR(BEGIN).n, text.n);
	ptrdiff_t end = str_find(rest, STR(END)), line = str_find_char(rest, '\n');

	if (end < 0 || end != line || !ends_at(str_sub(rest, (size_t)end + STR(END).n, rest.n)))
		return false;
	*ret = (struct table){ .from = (size_t)begin,
			       .to = (size_t)begin + STR(BEGIN).n + (size_t)end + STR(END).n,
			       .command = str_sub(rest, 0, (size_t)end) };
	return true;
}

enum server_state
toml_server_find(struct arena *a, struct str text, struct str *ret_command)
{
	struct table t;
	struct str line;
	struct node command;
	bool is_servers = false; /* below [mcp_servers], its keys are servers */

	*ret_command = STR_NONE;
	if (find_table(text, &t)) {
		/* A basic string of TOML is one of JSON, for what a path consists of. */
		if (json_parse(a, t.command, &command, IGNORED) < 0 || command.kind != NODE_STRING)
			return SERVER_OTHER;
		*ret_command = command.text;
		return SERVER_OURS;
	}
	while (str_next(&text, '\n', &line)) {
		struct str trimmed = str_trim(line);

		if (str_starts(trimmed, STR("\"")) || str_starts(trimmed, STR("'")))
			trimmed = str_sub(trimmed, 1, trimmed.n);
		if (mentions(line) || (is_servers && str_starts(trimmed, STR(NAME))))
			return SERVER_OTHER;
		if (str_starts(trimmed, STR("[")))
			is_servers = str_find(trimmed, STR(SERVERS)) >= 0;
	}
	return SERVER_MISSING;
}

struct str
toml_server_add(struct arena *a, struct str text, struct str command)
{
	struct buf b = BUF(a, SIZE_MAX);

	/* One newline more, whether or not the last line has one: so the removal need not know. */
	buf_cat(&b, text, text.n > 0 ? "\n" : "", STR(BEGIN));
	json_add_string(&b, command);
	buf_add(&b, STR(END));
	return buf_str(&b);
}

struct str
toml_server_remove(struct arena *a, struct str text)
{
	struct table t;

	if (!find_table(text, &t))
		return text;
	return str_cat(a, str_sub(text, 0, t.from > 0 ? t.from - 1 : 0), str_rest(text, t.to));
}
