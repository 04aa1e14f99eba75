/* SPDX-License-Identifier: MIT */
/* Here-documents: which lines are theirs. */
#include "shell/parser.h"

#include "base/buf.h"

void
sh_expect_here(struct sh_parser *p, struct sh_redirect *r)
{
	struct sh_here here = { .strips_tabs = r->operator.n == 3 };
	struct buf delimiter = BUF(p->arena, SIZE_MAX);

	for (size_t i = 0; i < r->target.count; i++) {
		const struct sh_part *part = &r->target.parts[i];

		here.is_literal |= part->is_quoted;
		/* $x in a delimiter stands for itself; nobody writes it */
		if (part->kind == SH_TEXT)
			buf_add(&delimiter, part->text);
		else
			sh_fail(p, "the end of a here-document is not plain text");
	}
	/* E\OF is quoted too */
	here.is_literal |= str_find_char(r->target.source, '\\') >= 0;
	here.delimiter = buf_str(&delimiter);
	here.body = r->body = arena_new(p->arena, struct sh_word);
	arena_make_room(p->arena, p->heres, p->here_count, &p->here_capacity);
	p->heres[p->here_count++] = here;
}

static struct str
without_tabs(struct str line)
{
	while (line.n > 0 && line.s[0] == '\t')
		line = str_sub(line, 1, line.n);
	return line;
}

static void
read_here(struct sh_parser *p, const struct sh_here *h)
{
	struct buf body = BUF(p->arena, SIZE_MAX);
	struct str rest = str_sub(p->text, p->at, p->text.n), line = STR("");
	bool is_over = false;

	while (!is_over && str_next(&rest, '\n', &line)) {
		struct str shown = h->strips_tabs ? without_tabs(line) : line;

		is_over = str_eq(shown, h->delimiter);
		if (!is_over) {
			buf_add(&body, shown);
			buf_addc(&body, '\n');
		}
	}
	/* a shell warns where the end is missing, and takes everything */
	p->at = p->text.n - rest.n;
	h->body->source = buf_str(&body);
	if (h->is_literal) {
		sh_add_text(p, h->body, buf_str(&body), true);
		return;
	}
	struct sh_parser inner = {
		.arena = p->arena, .text = buf_str(&body), .depth = p->depth + 1, .nodes = p->nodes
	};

	sh_read_quoted(&inner, h->body, '\0');
	if (inner.failure)
		sh_fail(p, inner.failure);
}

void
sh_read_heres(struct sh_parser *p)
{
	for (size_t i = 0; i < p->here_count && !p->failure; i++)
		read_here(p, &p->heres[i]);
	p->here_count = 0;
}
