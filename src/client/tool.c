/* SPDX-License-Identifier: MIT */
/* The table of tools by name, and where their arguments are. */
#include "client/tool.h"

#include "doc/json.h"

static const struct {
	const char *name;
	enum tool_kind kind;
} tools[] = {
	/* Claude Code, Qwen Code */
	{ "Bash", TOOL_SHELL },
	{ "PowerShell", TOOL_SHELL },
	{ "Write", TOOL_WRITE },
	{ "Edit", TOOL_EDIT },
	{ "MultiEdit", TOOL_EDIT },
	{ "NotebookEdit", TOOL_EDIT },
	{ "Read", TOOL_READ },
	{ "NotebookRead", TOOL_READ },
	{ "Grep", TOOL_READ },
	{ "Glob", TOOL_READ },
	{ "LS", TOOL_READ },
	/* Codex */
	{ "apply_patch", TOOL_EDIT },
	{ "shell", TOOL_SHELL },
	{ "local_shell", TOOL_SHELL },
	{ "exec_command", TOOL_SHELL },
	/* Gemini CLI, Qwen Code */
	{ "run_shell_command", TOOL_SHELL },
	{ "write_file", TOOL_WRITE },
	{ "replace", TOOL_EDIT },
	{ "edit", TOOL_EDIT },
	{ "notebook_edit", TOOL_EDIT },
	{ "read_file", TOOL_READ },
	{ "read_many_files", TOOL_READ },
	{ "list_directory", TOOL_READ },
	{ "search_file_content", TOOL_READ },
	{ "grep_search", TOOL_READ },
	{ "glob", TOOL_READ },
	/* Copilot CLI */
	{ "bash", TOOL_SHELL },
	{ "powershell", TOOL_SHELL },
	{ "create", TOOL_WRITE },
	{ "str_replace_editor", TOOL_EDIT },
	{ "view", TOOL_READ },
	{ "grep", TOOL_READ },
	/* Cursor, VS Code */
	{ "Shell", TOOL_SHELL },
	{ "runInTerminal", TOOL_SHELL },
	{ "createFile", TOOL_WRITE },
	{ "create_file", TOOL_WRITE },
	{ "StrReplace", TOOL_EDIT },
	{ "TabWrite", TOOL_EDIT },
	{ "Delete", TOOL_EDIT },
	{ "editFiles", TOOL_EDIT },
	{ "edit_file", TOOL_EDIT },
};

enum tool_kind
tool_kind(struct str name)
{
	for (size_t i = 0; i < COUNT_OF(tools); i++)
		if (str_is(name, tools[i].name))
			return tools[i].kind;
	return TOOL_OTHER;
}

struct str
tool_pattern(struct arena *a, struct str name)
{
	enum tool_kind kind = tool_kind(name);
	struct str all = str_copy(a, name);

	for (size_t i = 0; kind != TOOL_OTHER && i < COUNT_OF(tools); i++)
		if (tools[i].kind == kind && !str_is(name, tools[i].name))
			all = str_fmt(a, STR_FMT "|%s", STR_ARG(all), tools[i].name);
	return all;
}

const char *const *
tool_kind_names(enum tool_kind kind)
{
	static const char *const names[][6] = {
		[TOOL_OTHER] = { NULL },
		[TOOL_SHELL] = { "Bash", "PowerShell", NULL },
		[TOOL_WRITE] = { "Write", NULL },
		[TOOL_EDIT] = { "Edit", "MultiEdit", "NotebookEdit", NULL },
		[TOOL_READ] = { "Read", "NotebookRead", "Grep", "Glob", "LS", NULL },
	};

	return names[kind];
}

const char *const *
tool_aliases(const struct tool_call *t)
{
	const char *const *names = tool_kind_names(t->kind);

	for (size_t i = 0; names[i]; i++)
		if (str_is(t->name, names[i]))
			return tool_kind_names(TOOL_OTHER);
	return names;
}

bool
tool_writes(const struct tool_call *t)
{
	static const char *const reading[] = {
		"read", "view", "list", "search", "find", "get", "grep", "glob"
	};

	if (t->kind != TOOL_OTHER)
		return t->kind == TOOL_WRITE || t->kind == TOOL_EDIT;
	for (size_t i = 0; i < COUNT_OF(reading); i++) {
		size_t n = str_from(reading[i]).n;

		for (size_t k = 0; k + n <= t->name.n; k++)
			if (str_is_word(str_sub(t->name, k, k + n), reading[i]))
				return false;
	}
	return true;
}

/* Some clients send the arguments as a text of JSON. */
static const struct node *
arguments(struct arena *a, const struct node *payload)
{
	static const char *const keys[] = { "tool_input", "toolArgs", "tool_args", "toolInput" };
	const struct node *n = NULL;
	struct err ignored;

	for (size_t i = 0; i < COUNT_OF(keys) && !n; i++)
		n = node_get(payload, keys[i]);
	if (!n || n->kind != NODE_STRING)
		return n && n->kind == NODE_MAP ? n : NULL;
	struct node *parsed = arena_new(a, struct node);

	return json_parse(a, n->text, parsed, &ignored) == 0 && parsed->kind == NODE_MAP ? parsed : NULL;
}

/* A command line, or its words. */
static struct str
command_of(struct arena *a, const struct node *input)
{
	static const char *const keys[] = { "command", "cmd", "script" };
	const struct node *n = NULL;
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < COUNT_OF(keys) && !n; i++)
		n = node_get(input, keys[i]);
	if (!n || n->kind != NODE_LIST)
		return n && n->kind == NODE_STRING ? n->text : STR_NONE;
	for (size_t i = 0; i < n->count; i++)
		buf_addf(&b, "%s" STR_FMT, i > 0 ? " " : "", STR_ARG(n->items[i].text));
	return buf_str(&b);
}

static void
add_path(struct arena *a, struct str_list *list, size_t *capacity, struct str path)
{
	path = str_trim(path);
	if (path.n == 0 || str_is_among(path, list->items, list->count))
		return;
	arena_make_room(a, list->items, list->count, capacity);
	list->items[list->count++] = path;
}

/* The files of Codex's patches. */
static void
add_patched(struct arena *a, struct str_list *list, size_t *capacity, struct str patch)
{
	static const char *const marks[] = { "*** Add File: ", "*** Update File: ", "*** Delete File: ",
					     "*** Move to: " };
	struct str line;

	while (str_next(&patch, '\n', &line))
		for (size_t i = 0; i < COUNT_OF(marks); i++) {
			struct str mark = str_from(marks[i]);

			if (str_starts(str_trim(line), mark))
				add_path(a, list, capacity,
					 str_sub(str_trim(line), mark.n, str_trim(line).n));
		}
}

static struct str_list
paths_of(struct arena *a, const struct tool_call *t)
{
	static const char *const keys[] = { "file_path", "notebook_path", "filePath", "absolute_path",
					    "path",      "target_file",   "files" };
	struct str_list list = { 0 };
	size_t capacity = 0;

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		const struct node *n = node_get(t->input, keys[i]);

		if (n && n->kind == NODE_STRING)
			add_path(a, &list, &capacity, n->text);
		for (size_t k = 0; n && n->kind == NODE_LIST && k < n->count; k++)
			if (n->items[k].kind == NODE_STRING)
				add_path(a, &list, &capacity, n->items[k].text);
	}
	if (str_is(t->name, "apply_patch")) {
		struct str patch = command_of(a, t->input);

		add_patched(a, &list, &capacity, patch.s ? patch : node_get_str(t->input, "input"));
		add_patched(a, &list, &capacity, node_get_str(t->input, "patch"));
	}
	return list;
}

struct tool_call
tool_read(struct arena *a, const struct node *payload)
{
	struct tool_call t = { .name = node_get_str(payload, "tool_name"), .input = arguments(a, payload) };

	if (!t.name.s)
		t.name = node_get_str(payload, "toolName");
	if (!t.name.s && node_get_str(payload, "command").s)
		t = (struct tool_call){ .name = STR("Bash"), .input = payload };
	else if (!t.name.s && node_get_str(payload, "file_path").s && node_get(payload, "edits"))
		t = (struct tool_call){ .name = STR("Edit"), .input = payload };
	t.kind = tool_kind(t.name);
	if (t.kind == TOOL_SHELL)
		t.command = command_of(a, t.input);
	if (t.kind != TOOL_SHELL)
		t.paths = paths_of(a, &t);
	return t;
}
