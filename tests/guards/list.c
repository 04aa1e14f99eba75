/* SPDX-License-Identifier: MIT */
/* Prints the simple commands of the command line on stdin, as the parser reads them: a line of JSON each, with words and
 * redirections. What is only known when it runs is U+FFFC. For tests/guards/compare. */
#include "base/buf.h"
#include "doc/json.h"
#include "os/fd.h"
#include "shell/syntax.h"

#include <stdio.h>

static void list_node(struct arena *a, const struct sh_node *n);

static void
list_word(struct arena *a, const struct sh_word *w)
{
	for (size_t i = 0; w && i < w->count; i++) {
		list_word(a, w->parts[i].word);
		if (w->parts[i].list)
			list_node(a, w->parts[i].list);
	}
}

static void
add_word(struct buf *b, const struct sh_word *w)
{
	struct buf text = BUF(b->arena, SIZE_MAX);

	for (size_t i = 0; i < w->count; i++)
		buf_add(&text, w->parts[i].kind == SH_TEXT ? w->parts[i].text : STR("\xEF\xBF\xBC"));
	json_add_string(b, buf_str(&text));
}

static void
list_redirects(struct arena *a, struct buf *b, const struct sh_node *n)
{
	for (size_t i = 0; i < n->redirect_count; i++) {
		const struct sh_redirect *r = &n->redirects[i];

		buf_add(b, i > 0 ? STR(",[") : STR("["));
		json_add_string(b, r->op);
		buf_addc(b, ',');
		add_word(b, &r->target);
		if (r->body) {
			buf_addc(b, ',');
			add_word(b, r->body);
		}
		buf_addc(b, ']');
		list_word(a, &r->target);
		list_word(a, r->body);
	}
}

static void
list_node(struct arena *a, const struct sh_node *n)
{
	struct buf b = BUF(a, SIZE_MAX);

	buf_add(&b, STR("{\"words\":["));
	for (size_t i = 0; n->kind == SH_SIMPLE && i < n->words.count; i++) {
		buf_add(&b, i > 0 ? STR(",") : STR(""));
		add_word(&b, &n->words.items[i]);
	}
	buf_add(&b, STR("],\"redirects\":["));
	list_redirects(a, &b, n);
	buf_add(&b, STR("]}"));
	if (n->kind == SH_SIMPLE ? n->words.count + n->redirect_count > 0 : n->redirect_count > 0)
		(void)printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
	for (size_t i = 0; i < n->words.count; i++)
		list_word(a, &n->words.items[i]);
	for (size_t i = 0; i < n->assign_count; i++) {
		list_word(a, &n->assigns[i].value);
		for (size_t k = 0; k < n->assigns[i].items.count; k++)
			list_word(a, &n->assigns[i].items.items[k]);
	}
	for (size_t i = 0; i < n->child_count; i++)
		list_node(a, n->children[i]);
}

int
main(void)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	static char text[1 << 20];
	size_t n = fread(text, 1, sizeof(text), stdin);
	struct sh_node *tree;
	struct err err;

	if (sh_parse(&a, (struct str){ text, n }, &tree, &err) < 0) {
		(void)printf("%s\n", err.msg);
		return 1;
	}
	list_node(&a, tree);
	return 0;
}
