/* SPDX-License-Identifier: MIT */
/* .debug.log: one line for each decision, for debugging. A log that can't be written is skipped. */
#include "record/logdir.h"

#include "base/buf.h"
#include "base/escapes.h"
#include "base/path.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"

#define LINE_LIMIT_BYTES KIB(64)

struct debug_log
debug_log_of(struct arena *a, const struct sourced_values *v, const struct logdir *d)
{
	return (struct debug_log){
		.path = v->debug_log_enabled.value ? logdir_file(a, d, ".debug.log") : STR_NONE,
		.max_bytes = v->debug_log_max_bytes.value,
	};
}

static void
rotate(struct arena *a, const struct debug_log *l)
{
	CLEANUP(fd_close) int fd = -1;
	struct err ignored;

	if (fs_open_regular(l->path.s, &fd, &ignored) < 0 || fd < 0)
		return;
	uint64_t size = fs_size(fd);

	if (size > 0 && (l->max_bytes <= 0 || size >= (uint64_t)l->max_bytes))
		(void)(fs_rename(l->path.s, str_fmt(a, STR_FMT ".1", STR_ARG(l->path)).s, &ignored) == 0);
}

void
debug_log(struct arena *a, const struct debug_log *l, const char *fmt, ...)
{
	struct buf b = BUF(a, LINE_LIMIT_BYTES);
	struct err ignored;
	va_list args;

	if (!l->path.s)
		return;
	va_start(args, fmt);
	struct str text = str_vfmt(a, fmt, args);

	va_end(args);
	buf_addf(&b, "[" STR_FMT "] ", STR_ARG(clock_format_millis(a, clock_real_us())));
	buf_add(&b, strip_escapes_line(a, str_trim(text)));
	struct str line = str_fmt(a, STR_FMT "\n", STR_ARG(buf_str(&b)));

	const struct logdir parent = { .path = str_copy(a, path_parent(l->path)) };

	/* A link may lead to any file of the user's. */
	if (logdir_make(&parent, &ignored) < 0 || fs_lkind(l->path.s) == FS_LINK)
		return;
	rotate(a, l);
	(void)(fs_append(l->path.s, line, 0600, &ignored) == 0);
}
