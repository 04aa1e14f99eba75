/* SPDX-License-Identifier: MIT */
/* The files of counters. They are in a directory that every user may write to, so only our own files are accepted. No fsync:
 * a count lost to a power cut is acceptable. */
#include "store/counter.h"

#include "base/path.h"
#include "model/event.h"
#include "os/env.h"

#include <inttypes.h>

#define CONTENT_BYTES 32

struct str
counter_dir(void)
{
	return env_has("CONCLAUDE_STATE_DIR") ? env_get("CONCLAUDE_STATE_DIR") : STR("/tmp");
}

struct str
counter_path(struct arena *a, struct str session, const char *name)
{
	struct str part = session_slug(a, session);

	return path_join(a, counter_dir(), str_fmt(a, "conclaude-" STR_FMT ".%s", STR_ARG(part), name));
}

int
counter_open(struct arena *a, struct str path, bool creates, int64_t wait_ms, struct counter *ret,
	     struct err *err)
{
	struct locked_how how = { .creates = creates, .is_in_shared = true, .timeout_ms = (int)wait_ms };
	CLEANUP(counter_close) struct counter c = { .file = LOCKED_NONE };
	struct str text = STR("");

	c.is_corrupt = true;
	if (locked_open(path.s, &how, &c.file, err) < 0)
		return -1;
	if (c.file.fd < 0) {
		c.is_corrupt = false;
	} else if (locked_read(a, &c.file, CONTENT_BYTES, &text, err) == 0) {
		struct str digits = str_trim(text);

		c.is_corrupt = digits.n > 0 && !number_parse(digits, &c.value);
	} else if (err->code != ERR_LIMIT) {
		return -1;
	}
	*ret = c;
	c.file = LOCKED_NONE;
	return 0;
}

int
counter_save(struct arena *a, const struct counter *c, uint64_t value, struct err *err)
{
	return locked_overwrite(&c->file, str_fmt(a, "%" PRIu64 "\n", value), err);
}

int
counter_clear(const struct counter *c, struct err *err)
{
	return locked_remove(&c->file, err);
}

void
counter_close(struct counter *c)
{
	locked_close(&c->file);
}

int
counter_forget(struct str path, struct err *err)
{
	static const struct locked_how how = { .is_in_shared = true, .timeout_ms = COUNTER_LOCK_MS };
	CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;

	if (locked_open(path.s, &how, &file, err) < 0)
		return -1;
	return file.fd < 0 ? 0 : locked_remove(&file, err);
}

int
counters_forget(struct arena *a, struct str session, struct err *err)
{
	return counter_forget(counter_path(a, session, COUNTER_ROUNDS), err);
}
