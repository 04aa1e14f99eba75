/* SPDX-License-Identifier: MIT */
/* Programs whose arguments say more about files than a row of a table can: git, find, tar, curl. */
#include "guards/effects.h"

void
effect_add_unpacked(struct arena *a, const struct sh_command *c, struct effects *e, const struct sh_arg *list,
		    size_t count)
{
	bool creates = c->count > 1 && (has_option(c, "-c") || has_option(c, "--create") ||
					(c->args[1].text.n > 0 && c->args[1].text.s[0] == 'c'));

	if (creates)
		effect_add_all(a, e, has_option(c, "--remove-files") ? EFFECT_DELETE : EFFECT_READ, list,
			       count, has_option(c, "--remove-files"));
	for (size_t i = 1; !creates && i + 1 < c->count; i++)
		if (str_is(c->args[i].text, "-C") || str_is(c->args[i].text, "-d") ||
		    str_is(c->args[i].text, "--directory"))
			effect_add(a, e, EFFECT_WRITE, &c->args[i + 1])->is_recursive = true;
	for (size_t i = 1; creates && i + 1 < c->count; i++)
		if (str_ends(c->args[i].text, STR("f")) && !str_starts(c->args[i].text, STR("--")))
			(void)effect_add(a, e, EFFECT_WRITE, &c->args[i + 1]);
}

/* git: what it does to files that are named. */
void
effect_add_git(struct arena *a, const struct sh_command *c, struct effects *e)
{
	struct words w = words_of(c);
	struct str sub = w.count > 1 ? w.items[1] : STR("");
	bool is_cached = has_option(c, "--cached");
	bool restores = str_is(sub, "checkout") || str_is(sub, "restore");
	enum effect_kind kind = str_is(sub, "rm") || str_is(sub, "mv") || str_is(sub, "clean") ? EFFECT_DELETE
				: restores || str_is(sub, "apply")                             ? EFFECT_WRITE
											       : EFFECT_READ;
	static const char *const showing[] = { "show", "diff", "cat-file", "blame", "grep", "archive" };
	bool reads = false;

	for (size_t i = 0; i < COUNT_OF(showing); i++)
		reads |= str_is(sub, showing[i]);
	reads |= (str_is(sub, "log") || str_is(sub, "stash")) &&
		 (has_option(c, "-p") || has_option(c, "--patch"));
	/* what is added goes to the remote with the next push */
	reads |= str_is(sub, "hash-object") ||
		 (str_is(sub, "add") && (has_option(c, "-f") || has_option(c, "--force")));
	for (size_t i = 1; i < c->count; i++) {
		struct sh_arg output = effect_arg_from(&c->args[i], STR("--output=").n);

		if (str_starts(c->args[i].text, STR("--output=")))
			(void)effect_add(a, e, EFFECT_WRITE, &output);
		else if (str_is(sub, "archive") && str_is(c->args[i].text, "-o") && i + 1 < c->count)
			(void)effect_add(a, e, EFFECT_WRITE, &c->args[i + 1]);
	}
	/* these change the index alone */
	is_cached |= str_is(sub, "restore") && has_option(c, "--staged") && !has_option(c, "--worktree");
	if (is_cached || (kind == EFFECT_READ && !reads))
		return;
	for (size_t i = 1; i < c->count; i++) {
		struct str t = c->args[i].text;
		ptrdiff_t colon = str_find_char(t, ':');

		if (str_eq(t, sub) || (t.n > 0 && t.s[0] == '-'))
			continue;
		/* REVISION:path */
		struct sh_arg path = reads && colon > 0 ? effect_arg_from(&c->args[i], (size_t)colon + 1)
							: c->args[i];

		struct effect *made = effect_add(a, e, str_is(sub, "checkout") ? EFFECT_EMPTY : kind, &path);

		/* what git would lose is in the table of acts */
		made->is_recursive = made->is_move = kind == EFFECT_DELETE;
		made->must_exist = true;
	}
}

void
effect_add_find(struct arena *a, const struct sh_command *c, struct effects *e)
{
	static const char *const outputs[] = { "-fprint", "-fprintf", "-fls", "-fprint0" };

	for (size_t i = 1; i < c->count; i++) {
		if (str_is(c->args[i].text, "-delete"))
			effects_of_selection(a, c, &(struct effect){ .kind = EFFECT_DELETE }, e);
		for (size_t k = 0; k < COUNT_OF(outputs) && i + 1 < c->count; k++)
			if (str_is(c->args[i].text, outputs[k]))
				(void)effect_add(a, e, EFFECT_WRITE, &c->args[i + 1]);
	}
}

/* curl -d @file, -F 'x=@file;type=T', -F 'x=<file', -T file; wget --post-file file */
void
effect_add_uploads(struct arena *a, const struct sh_command *c, struct effects *e)
{
	static const struct str starts[] = { STR("file://"), STR("--post-file="), STR("--body-file=") };

	for (size_t i = 1; i < c->count; i++) {
		ptrdiff_t at = str_find_char(c->args[i].text, '@');
		struct str before = c->args[i - 1].text;

		if (at < 0)
			at = str_find_char(c->args[i].text, '<');
		if (at >= 0 && (at == 0 || c->args[i].text.s[at - 1] == '=')) {
			struct sh_arg path = effect_arg_from(&c->args[i], (size_t)at + 1);
			ptrdiff_t end = str_find(path.text, STR(";type="));

			if (end > 0)
				path.text = str_sub(path.text, 0, (size_t)end);
			(void)effect_add(a, e, EFFECT_READ, &path);
		}
		if (str_is_word_of(before, "-T --upload-file -K --config --post-file --body-file"))
			(void)effect_add(a, e, EFFECT_READ, &c->args[i]);
		for (size_t k = 0; k < COUNT_OF(starts); k++)
			if (str_starts(c->args[i].text, starts[k])) {
				struct sh_arg path = effect_arg_from(&c->args[i], starts[k].n);

				(void)effect_add(a, e, EFFECT_READ, &path);
			}
	}
}
