/* SPDX-License-Identifier: MIT */
/* The rounds file. It lies in a directory that everybody may write to, so only a file of our own counts. No fsync:
 * a count lost to a power cut is accepted. */
#include "store/rounds.h"

#include "base/number.h"
#include "model/session.h"
#include "os/env.h"
#include "os/fs.h"

#include <inttypes.h>

#define CONTENT_BYTES 32
#define DIGITS_MAX 20

struct str
rounds_path(struct arena *a, struct str session)
{
	struct str dir = env_has("CONCLAUDE_STATE_DIR") ? env_get("CONCLAUDE_STATE_DIR") : STR("/tmp");
	struct str part = session_file_part(a, session);

	return fs_join(a, dir, str_fmt(a, "conclaude-" STR_FMT ".rounds", STR_ARG(part)));
}

static bool
read_count(struct str text, uint64_t *ret)
{
	struct str digits = str_trim(text);

	*ret = 0;
	if (digits.n == 0)
		return true;
	return digits.n <= DIGITS_MAX && number_parse(digits, ret);
}

int
rounds_open(struct arena *a, struct str session, int64_t wait_ms, struct rounds *ret, struct err *err)
{
	struct locked_how how = { .creates = true, .is_in_shared = true, .timeout_ms = (int)wait_ms };
	CLEANUP(rounds_close) struct rounds r = { .file = LOCKED_NONE };
	struct str text = STR("");

	if (locked_open(rounds_path(a, session).s, &how, &r.file, err) < 0)
		return -1;
	if (locked_read(a, &r.file, CONTENT_BYTES, &text, err) < 0) {
		if (err->code != ERR_LIMIT)
			return -1;
		r.is_corrupt = true;
	}
	r.is_corrupt = r.is_corrupt || !read_count(text, &r.completed);
	*ret = r;
	r.file = LOCKED_NONE;
	return 0;
}

int
rounds_save(struct arena *a, const struct rounds *r, uint64_t completed, struct err *err)
{
	return locked_overwrite(&r->file, str_fmt(a, "%" PRIu64 "\n", completed), err);
}

int
rounds_clear(const struct rounds *r, struct err *err)
{
	return locked_remove(&r->file, err);
}

void
rounds_close(struct rounds *r)
{
	locked_close(&r->file);
}

int
rounds_forget(struct arena *a, struct str session, struct err *err)
{
	static const struct locked_how how = { .is_in_shared = true, .timeout_ms = ROUNDS_LOCK_MS };
	CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;

	if (locked_open(rounds_path(a, session).s, &how, &file, err) < 0)
		return -1;
	return file.fd < 0 ? 0 : locked_remove(&file, err);
}
