/* SPDX-License-Identifier: MIT */
/* Git's name for what a file has on disk, without git: that of `git hash-object --no-filters`. Nothing is stored. */
#include "git/git_spawn.h"

#include "base/sha.h"
#include "os/fd.h"

#include <inttypes.h>
#include <stdio.h>

#define CONFIG_BYTES MIB(1)

/* Git itself reads this setting from no other file. */
size_t
object_name_chars(struct arena *a, const struct repository *r)
{
	struct str dir = git_common_dir(a, r->root), text = STR_NONE, line;

	if (dir.s && fs_read(a, path_join(a, dir, STR("config")).s, CONFIG_BYTES, &text, IGNORED) < 0)
		return SHA1_CHARS;
	while (str_next(&text, '\n', &line)) {
		struct str name = str_before(line, '=');

		if (str_is_word(str_trim(name), "objectformat") &&
		    str_is_word(str_trim(str_rest(line, name.n + 1)), "sha256"))
			return SHA256_CHARS;
	}
	return SHA1_CHARS;
}

int
object_name_of_file(struct arena *a, const char *path, size_t chars, struct str *ret, struct err *err)
{
	CLEANUP(fd_close) int fd = -1;
	char bytes[KIB(64)], header[32];
	uint64_t size, done = 0;
	struct sha s;

	if (fs_open_sized(path, &fd, &size, err) < 0)
		return -1;
	if (fd < 0)
		return err_set(err, ERR_SYS, "%s: it was removed while it was compared", path);
	int n = snprintf(header, sizeof(header), "blob %" PRIu64, size);

	sha_begin(&s, chars == SHA256_CHARS);
	sha_add(&s, (struct str){ header, (size_t)n + 1 });
	while (done < size) {
		uint64_t left = size - done;
		size_t got, wanted = left < sizeof(bytes) ? (size_t)left : sizeof(bytes);

		if (fd_read_at(fd, done, bytes, wanted, &got, err) < 0)
			return err_wrap(err, "%s", path);
		if (got == 0)
			break;
		sha_add(&s, (struct str){ bytes, got });
		done += got;
	}
	if (done < size)
		return err_set(err, ERR_SYS, "%s: it was cut off while it was read", path);
	*ret = sha_end(a, &s);
	return 0;
}
