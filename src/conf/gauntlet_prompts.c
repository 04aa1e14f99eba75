/* SPDX-License-Identifier: MIT */
/* The prompts of reviews: front matter apart, built-in ones, and what is put into them. */
#include "conf/gauntlet_schema.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "conf/builtin.h"
#include "doc/frontmatter.h"
#include "doc/yaml.h"

/* Spaces may follow the marker. */
static bool
starts_with_marker(struct str text)
{
	struct str first = STR("");

	return str_next(&text, '\n', &first) && str_starts(first, STR("---")) &&
	       str_trim(str_sub(first, 3, first.n)).n == 0;
}

bool
loader_split_markdown(struct gauntlet_loader *l, struct str text, struct node *ret, struct str *ret_prompt)
{
	struct frontmatter f;
	struct str start = utf8_skip_mark(text);
	struct err err;

	*ret = (struct node){ .kind = NODE_MAP, .line = 1, .column = 1 };
	*ret_prompt = start;
	if (!starts_with_marker(start)) {
		loader_note(l, SEVERITY_ERROR, NULL, STR(""),
			    "Review gate must have YAML frontmatter; without it, every key has its default");
		return true;
	}
	if (frontmatter_parse(start, &f, &err) < 0) {
		problem_add_err(l->arena, l->problems, l->file, &err);
		return false;
	}
	struct node root;
	struct buf padded = BUF(l->arena, SIZE_MAX);

	buf_addc(&padded, '\n'); /* for the line of the opening marker */
	buf_add(&padded, f.block);
	*ret_prompt = f.body;
	if (yaml_parse(l->arena, buf_str(&padded), &root, &err) < 0) {
		problem_add_err(l->arena, l->problems, l->file, &err);
		return false;
	}
	if (root.kind != NODE_NULL)
		*ret = root;
	return true;
}

struct str
loader_builtin(struct gauntlet_loader *l, const struct node *n, struct str name)
{
	const struct builtin_prompt *prompt = builtin_prompt(name);

	if (prompt)
		return prompt->text;
	loader_note(l, SEVERITY_FATAL, node_get(n, "builtin"), STR("builtin"),
		    "there is no built-in review '" STR_FMT "'; these are: " STR_FMT, STR_ARG(name),
		    STR_ARG(builtin_names(l->arena)));
	return STR_NONE;
}

struct str
loader_without_context(struct gauntlet_loader *l, struct str prompt)
{
	struct str mark = STR("{{CONTEXT}}");
	struct buf b = BUF(l->arena, SIZE_MAX);
	ptrdiff_t at;

	if (!l->kind->is_validator || str_find(prompt, mark) < 0)
		return prompt;
	while ((at = str_find(prompt, mark)) >= 0) {
		buf_add(&b, str_sub(prompt, 0, (size_t)at));
		prompt = str_sub(prompt, (size_t)at + mark.n, prompt.n);
	}
	buf_add(&b, prompt);
	return buf_str(&b);
}
