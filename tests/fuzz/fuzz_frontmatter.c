/* SPDX-License-Identifier: MIT */
/* Front matter: its parts are the text, a value that is set is the value that is read, and what is around it stays.
 * The first byte is the length of the value, which comes before the text. */
#include "base/utf8.h"
#include "doc/frontmatter.h"
#include "doc/yaml_out.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void
check_parts(const struct frontmatter *f)
{
	const char *begin = f->text.s, *end = f->text.s + f->text.n;

	if (f->block.s < begin || f->block.s + f->block.n > f->body.s || f->body.s + f->body.n != end)
		abort();
	if (f->block.n > 0 && f->block.s[f->block.n - 1] != '\n')
		abort();
}

/* The value of every other key must be what it was. */
static void
check_others(struct arena *a, const struct frontmatter *before, const struct frontmatter *after)
{
	struct frontmatter_value was, is;
	struct err err;
	bool was_twice, is_twice;

	if (frontmatter_get(a, before, "k", &was, &was_twice, &err) < 0)
		return;
	if (frontmatter_get(a, after, "k", &is, &is_twice, &err) < 0 || was.is_there != is.is_there ||
	    !str_eq(was.value, is.value) || was_twice != is_twice)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct frontmatter f, g;
	struct frontmatter_value v;
	struct err err;
	bool is_twice;

	if (n == 0)
		return 0;
	struct str all = { (const char *)data + 1, n - 1 };
	struct str value = str_sub(all, 0, data[0]), text = str_sub(all, value.n, all.n);

	if (frontmatter_parse(text, &f, &err) < 0)
		return 0;
	check_parts(&f);
	struct str with = frontmatter_set(&a, &f, "iteration", yaml_quote(&a, value));

	if (frontmatter_parse(with, &g, &err) < 0 || !str_eq(f.body, g.body))
		abort();
	check_parts(&g);
	if (frontmatter_get(&a, &g, "iteration", &v, &is_twice, &err) < 0 || !v.is_there || v.is_null)
		abort();
	if (!str_eq(v.value, utf8_clean(&a, value)))
		abort();
	check_others(&a, &f, &g);
	return 0;
}
