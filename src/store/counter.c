/* SPDX-License-Identifier: MIT */
/* The files of counters. They are in a directory that every user may write to, so only our own files are accepted. No fsync:
 * a count lost to a power cut is acceptable. */
#include "store/counter.h"

#include "base/path.h"
#include "model/event.h"
#include "os/env.h"

#define CONTENT_BYTES 32

struct str
counter_dir(void)
{
	return env_has("CONCLAUDE_STATE_DIR") ? env_get("CONCLAUDE_STATE_DIR") : STR("/tmp");
}

struct str
counter_path(struct arena *a, struct str session, const char *name)
{
	return path_join(a, counter_dir(), str_cat(a, "conclaude-", session_slug(a, session), ".", name));
}

int
counter_open(struct arena *a, struct str path, bool creates, int64_t wait_ms, struct counter *ret,
	     struct err *err)
{
	struct locked_how how = { .creates = creates, .is_in_shared = true, .timeout_ms = (int)wait_ms };
	CLEANUP(counter_close) struct counter c = { .file = LOCKED_NONE };
	struct str text = STR("");

	if (locked_open(path.s, &how, &c.file, err) < 0)
		return -1;
	if (c.file.fd >= 0 && locked_read(a, &c.file, CONTENT_BYTES, &text, err) < 0) {
		if (err->code != ERR_LIMIT)
			return -1;
		c.is_corrupt = true;
	}
	text = str_trim(text);
	c.is_corrupt |= text.n > 0 && !number_parse(text, &c.value);
	*ret = c;
	c.file = LOCKED_NONE;
	return 0;
}

int
counter_save(struct arena *a, const struct counter *c, uint64_t value, struct err *err)
{
	return locked_overwrite(&c->file, str_cat(a, value, "\n"), err);
}

void
counter_close(struct counter *c)
{
	locked_close(&c->file);
}

int
counters_forget(struct arena *a, struct str session, struct err *err)
{
	static const struct locked_how how = { .is_in_shared = true, .timeout_ms = COUNTER_LOCK_MS };
	CLEANUP(locked_close) struct locked_file file = LOCKED_NONE;

	if (locked_open(counter_path(a, session, COUNTER_ROUNDS).s, &how, &file, err) < 0)
		return -1;
	return file.fd < 0 ? 0 : locked_remove(&file, err);
}
