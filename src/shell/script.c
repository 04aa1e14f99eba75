/* SPDX-License-Identifier: MIT */
/* Scripts in files. A script is judged apart from the line that runs it: its variables and its mistakes are its own. All
 * scripts of a line have one bound. */
#include "shell/eval.h"

#include "base/path.h"

#define SCRIPT_COMMANDS 500
/* A script may run others. */
#define SCRIPT_DEPTH 4

/* #!/bin/sh, #!/usr/bin/env bash, #!/bin/bash -e */
static bool
is_for_shell(struct str text)
{
	struct str line, word;

	if (!str_starts(text, STR("#!")) || !str_next(&text, '\n', &line))
		return false;
	line = str_sub(line, 2, line.n);
	while (str_next(&line, ' ', &word))
		if (word.n > 0 && word.s[0] != '-' && str_ends(str_trim(word), STR("sh")))
			return true;
	return false;
}

struct str
sh_text_of_file(struct sh_eval *e, const struct sh_command *c, struct str file)
{
	struct str path = path_normalise(e->arena, path_from(e->arena, c->cwd, file));

	if (str_is(file, "-") || str_is(file, "/dev/stdin"))
		return c->input.s && !sh_has_hole(c->input) ? c->input : STR_NONE;
	if (!e->facts->script || !path.s || e->is_elsewhere || sh_has_hole(path))
		return STR_NONE;
	struct str text = e->facts->script(e->facts->data, e->arena, path);

	if (text.n > e->scripts->bytes)
		return STR_NONE;
	e->scripts->bytes -= text.n;
	return text;
}

/* A script that the line itself has written is a part of it. */
static bool
eval_written(struct sh_eval *e, const struct sh_command *c, struct str path, size_t first)
{
	struct sh_args outer = e->positional;
	const struct sh_var *v = *e->written;

	while (v && !str_eq(v->name, path))
		v = v->next;
	if (!v)
		return false;
	if (first == 1 && str_starts(v->value, STR("#!")) && !is_for_shell(v->value))
		return true;
	e->positional = first < c->count ? (struct sh_args){ c->args + first, c->count - first, 0 }
					 : (struct sh_args){ 0 };
	sh_run_text(e, v->value, c->input);
	e->positional = outer;
	return true;
}

/* The text is run by a shell of its own. */
static void
eval_apart(struct sh_eval *e, const struct sh_command *c, struct str zero, struct str text,
	   struct sh_args positional)
{
	struct sh_script script = { 0 };
	struct sh_traps traps = { .count = 0 };
	struct sh_eval inner = {
		.arena = e->arena,
		.budget = e->scripts,
		.scripts = e->scripts,
		.facts = e->facts,
		.script = &script,
		.traps = &traps,
		.written = e->written,
		.zero = zero,
		.positional = positional,
		.cwd = c->cwd,
		.may_be_elsewhere = c->may_be_elsewhere,
		.depth = e->depth,
		.script_depth = e->script_depth + 1,
		.is_nested = true,
	};

	sh_eval_text(&inner, text);
	for (size_t i = 0; i < script.count && i < SCRIPT_COMMANDS; i++) {
		script.items[i].is_in_script = true;
		sh_add_command(e, &script.items[i]);
	}
}

void
sh_eval_recipe(struct sh_eval *e, const struct sh_command *c, struct str text)
{
	if (e->script_depth < SCRIPT_DEPTH)
		eval_apart(e, c, STR_NONE, text, (struct sh_args){ 0 });
}

void
sh_eval_script(struct sh_eval *e, const struct sh_command *c, struct str file, size_t first)
{
	struct str path = path_normalise(e->arena, path_from(e->arena, c->cwd, file)), text = STR_NONE;

	if (path.s && !e->is_elsewhere && eval_written(e, c, path, first))
		return;
	if (e->script_depth < SCRIPT_DEPTH)
		text = sh_text_of_file(e, c, file);
	if (!text.s || (first == 1 && !is_for_shell(text)))
		return;
	eval_apart(e, c, file, text,
		   first < c->count ? (struct sh_args){ c->args + first, c->count - first, 0 }
				    : (struct sh_args){ 0 });
}
