/* SPDX-License-Identifier: MIT */
/* Parses '...', $'...' and "...". */
#include "shell/parser.h"

#include "base/buf.h"
#include "base/utf8.h"

void
sh_read_single(struct sh_parser *p, struct sh_word *w)
{
	size_t start = ++p->at;

	while (!sh_is_end(p) && sh_peek(p, 0) != '\'')
		p->at++;
	if (sh_is_end(p)) {
		sh_fail(p, "a quote does not end");
		return;
	}
	sh_add_text(p, w, str_sub(p->text, start, p->at), true);
	p->at++;
}

static size_t
add_number(struct sh_parser *p, struct buf *b, unsigned base, size_t most, bool is_code_point)
{
	uint32_t value = 0;
	size_t n = 0;

	for (; n < most; n++) {
		char c = sh_peek(p, n);
		uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
				 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
				 : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
							: 99;

		if (digit >= base)
			break;
		value = value * base + digit;
	}
	p->at += n;
	if (is_code_point) {
		char bytes[4];

		buf_add(b, (struct str){ bytes, utf8_encode(value, bytes) });
	} else {
		buf_addc(b, (char)(value & 0xFF));
	}
	return n;
}

/* $'...', after the quote. */
void
sh_read_ansi(struct sh_parser *p, struct sh_word *w)
{
	static const char from[] = "abeEfnrtv\\'\"?", to[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	struct buf b = BUF(p->arena, SIZE_MAX);

	while (!sh_is_end(p) && sh_peek(p, 0) != '\'') {
		char c = sh_peek(p, 1);
		ptrdiff_t known = str_find_char(str_from(from), c);

		if (sh_peek(p, 0) != '\\') {
			buf_addc(&b, sh_peek(p, 0));
			p->at++;
			continue;
		}
		p->at += 2;
		if (c == 'x' || c == 'u' || c == 'U') {
			if (add_number(p, &b, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8, c != 'x') == 0)
				b.n = 0; /* whatever it is, it is nothing sensible */
		} else if (c >= '0' && c <= '7') {
			p->at--;
			(void)add_number(p, &b, 8, 3, false);
		} else if (c == 'c') {
			buf_addc(&b, (char)(sh_peek(p, 0) & 0x1F));
			p->at++;
		} else if (known >= 0) {
			buf_addc(&b, to[known]);
		} else {
			buf_addc(&b, '\\');
			buf_addc(&b, c);
		}
	}
	if (sh_is_end(p)) {
		sh_fail(p, "a quote does not end");
		return;
	}
	p->at++;
	/* the first NUL ends it */
	struct str text = buf_str(&b);
	ptrdiff_t nul = str_find_char(text, '\0');

	sh_add_text(p, w, nul >= 0 ? str_sub(text, 0, (size_t)nul) : text, true);
}

void
sh_read_double(struct sh_parser *p, struct sh_word *w)
{
	p->at++;
	/* "" is a word */
	sh_add_text(p, w, STR(""), true);
	sh_read_quoted(p, w, '"');
	if (sh_peek(p, 0) != '"')
		sh_fail(p, "a quote does not end");
	p->at += !p->failure;
}
