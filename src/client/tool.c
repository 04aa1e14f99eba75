/* SPDX-License-Identifier: MIT */
/* The table of tools by name, and where their arguments are. */
#include "client/tool.h"

#include "doc/json.h"

/* By kind, each list ending with NULL. Claude Code's names, which Qwen Code uses too... */
static const char *const names[][6] = {
	[TOOL_OTHER] = { NULL },
	[TOOL_SHELL] = { "Bash", "PowerShell", NULL },
	[TOOL_WRITE] = { "Write", NULL },
	[TOOL_EDIT] = { "Edit", "MultiEdit", "NotebookEdit", NULL },
	[TOOL_READ] = { "Read", "NotebookRead", "Grep", "Glob", "LS", NULL },
};
/* ...and those of others. */
static const char *const other_names[][12] = {
	[TOOL_OTHER] = { NULL },
	[TOOL_SHELL] = { "shell", "local_shell", "exec_command", /* Codex */
			 "run_shell_command",                    /* Gemini CLI, Qwen Code */
			 "bash", "powershell",                   /* Copilot CLI */
			 "Shell", "runInTerminal", NULL },       /* Cursor, VS Code */
	[TOOL_WRITE] = { "write_file",                           /* Gemini CLI, Qwen Code */
			 "create",                               /* Copilot CLI */
			 "createFile", "create_file", NULL },    /* VS Code */
	[TOOL_EDIT] = { "apply_patch",                           /* Codex */
			"replace", "edit", "notebook_edit",      /* Gemini CLI, Qwen Code */
			"str_replace_editor",                    /* Copilot CLI */
			"StrReplace", "TabWrite", "Delete",      /* Cursor */
			"editFiles", "edit_file", NULL },        /* VS Code */
	[TOOL_READ] = { "read_file", "read_many_files", "list_directory", "search_file_content",
			"grep_search", "glob",  /* Gemini CLI, Qwen Code */
			"view", "grep", NULL }, /* Copilot CLI */
};

static bool
is_in(struct str name, const char *const *list)
{
	while (*list && !str_is(name, *list))
		list++;
	return *list;
}

static enum tool_kind
tool_kind(struct str name)
{
	for (enum tool_kind kind = TOOL_SHELL; kind <= TOOL_READ; kind++)
		if (is_in(name, names[kind]) || is_in(name, other_names[kind]))
			return kind;
	return TOOL_OTHER;
}

const char *const *
tool_aliases(const struct tool_call *t)
{
	return names[is_in(t->name, names[t->kind]) ? TOOL_OTHER : t->kind];
}

bool
tool_writes(const struct tool_call *t)
{
	static const char *const reading[] = {
		"read", "view", "list", "search", "find", "get", "grep", "glob"
	};

	if (t->kind != TOOL_OTHER)
		return t->kind == TOOL_WRITE || t->kind == TOOL_EDIT;
	for (size_t i = 0; i < COUNT_OF(reading); i++)
		if (str_mentions(t->name, reading[i]))
			return false;
	return true;
}

/* Some clients send the arguments as a text of JSON. */
static const struct node *
arguments(struct arena *a, const struct node *payload)
{
	static const char *const keys[] = { "tool_input", "toolArgs", "tool_args", "toolInput" };
	const struct node *n = NULL;

	for (size_t i = 0; i < COUNT_OF(keys) && !n; i++)
		n = node_get(payload, keys[i]);
	if (!n || n->kind != NODE_STRING)
		return n && n->kind == NODE_MAP ? n : NULL;
	struct node *parsed = arena_new(a, struct node);

	return json_parse(a, n->text, parsed, IGNORED) == 0 && parsed->kind == NODE_MAP ? parsed : NULL;
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
		buf_cat(&b, i > 0 ? " " : "", n->items[i].text);
	return buf_str(&b);
}

static void
add_path(struct arena *a, struct str_list *list, struct str path)
{
	path = str_trim(path);
	if (path.n > 0)
		str_list_add_new(a, list, path);
}

/* The files of Codex's patches. */
static void
add_patched(struct arena *a, struct str_list *list, struct str patch)
{
	static const char *const marks[] = { "*** Add File: ", "*** Update File: ", "*** Delete File: ",
					     "*** Move to: " };
	struct str line;

	while (str_next(&patch, '\n', &line))
		for (size_t i = 0; i < COUNT_OF(marks); i++) {
			struct str path = str_trim(line);

			if (str_skip(&path, marks[i]))
				add_path(a, list, path);
		}
}

static struct str_list
paths_of(struct arena *a, const struct tool_call *t)
{
	static const char *const keys[] = { "file_path", "notebook_path", "filePath", "absolute_path",
					    "path",      "target_file",   "files" };
	struct str_list list = { 0 };

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		const struct node *several = node_get_list(t->input, keys[i]);

		add_path(a, &list, node_get_str(t->input, keys[i]));
		for (size_t k = 0; k < several->count; k++)
			if (several->items[k].kind == NODE_STRING)
				add_path(a, &list, several->items[k].text);
	}
	if (str_is(t->name, "apply_patch")) {
		struct str patch = command_of(a, t->input);

		add_patched(a, &list, patch.s ? patch : node_get_str(t->input, "input"));
		add_patched(a, &list, node_get_str(t->input, "patch"));
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
	/* of a name that is not known: what has a command line and no file is a shell */
	struct str line = command_of(a, t.input);

	if (t.kind == TOOL_OTHER && !str_starts(t.name, STR("mcp__")) && line.s && paths_of(a, &t).count == 0)
		t.kind = TOOL_SHELL;
	if (t.kind == TOOL_SHELL)
		t.command = line;
	else
		t.paths = paths_of(a, &t);
	return t;
}
