/* SPDX-License-Identifier: MIT */
#include "ui/ask.h"

#include "base/buf.h"
#include "os/env.h"
#include "os/fd.h"
#include "ui/print.h"

struct str
ask(struct arena *a, struct asker *q, const char *fmt, ...)
{
	struct buf line = BUF(a, KIB(64));
	enum input_state state = INPUT_END;
	struct err err;
	va_list args;

	va_start(args, fmt);
	(void)print_out(str_vfmt(a, fmt, args));
	va_end(args);
	while (!q->is_over) {
		if (q->begin == q->end) {
			q->begin = q->end = 0;
			q->is_over = fd_read_until(0, q->bytes, sizeof(q->bytes), INT64_MAX, &q->end, &state,
						   &err) < 0 ||
				     state != INPUT_BYTES;
		}
		struct str rest = { q->bytes + q->begin, q->end - q->begin };
		ptrdiff_t at = str_find_char(rest, '\n');

		buf_add(&line, str_sub(rest, 0, at < 0 ? rest.n : (size_t)at));
		q->begin += at < 0 ? rest.n : (size_t)at + 1;
		if (at >= 0)
			break;
	}
	/* piped answers are not echoed, so the line is ended here */
	if (!tty_is(0))
		(void)print_out(STR("\n"));
	return str_trim(buf_str(&line));
}

bool
ask_yes(struct arena *a, struct asker *q, const char *question)
{
	struct str answer = ask(a, q, "%s", question);

	return str_is_word(answer, "y") || str_is_word(answer, "yes");
}
