/* SPDX-License-Identifier: MIT */
/* The content of files in a commit, asked for at once. */
#include "base/path.h"
#include "git/git_spawn.h"

/* One answer of cat-file: NAME TYPE SIZE, a newline, the content, a newline; or NAME missing. */
static int
read_answer(struct str *rest, struct str *ret, struct err *err)
{
	struct str line, size_text = STR_NONE;
	uint64_t size;

	*ret = STR_NONE;
	if (!str_next(rest, '\n', &line))
		return err_set(err, ERR_SYNTAX, "git cat-file: an answer is missing");
	size_t blank = line.n;

	while (blank > 0 && line.s[blank - 1] != ' ')
		blank--;
	size_text = str_sub(line, blank, line.n);
	if (!number_parse(size_text, &size))
		return 0;
	if (size >= rest->n)
		return err_set(err, ERR_SYNTAX, "git cat-file: an answer is cut off");
	if (str_find(line, STR(" blob ")) >= 0)
		*ret = str_sub(*rest, 0, size);
	*rest = str_sub(*rest, size + 1, rest->n);
	return 0;
}

int
git_read_texts(struct arena *a, const struct repository *r, struct str commit, const struct str_list *paths,
	       struct str *ret, struct err *err)
{
	struct buf input = BUF(a, GIT_OUTPUT_LIMIT_BYTES);
	struct git_job job = { 0 };

	if (paths->count == 0)
		return 0;
	for (size_t i = 0; i < paths->count; i++) {
		/* Git reads lines; there is no file of the other name. */
		bool can_ask = str_find_char(paths->items[i], '\n') < 0;

		buf_addf(&input, STR_FMT ":./" STR_FMT "\n", STR_ARG(commit),
			 STR_ARG(can_ask ? paths->items[i] : STR("//")));
	}
	git_args(&job, GIT_ARGS("cat-file", "--batch"));
	job.input = buf_str(&input);
	if (git_run_one(a, r, &job, err) < 0)
		return -1;
	struct str rest = buf_str(&job.out);

	for (size_t i = 0; i < paths->count; i++)
		if (read_answer(&rest, &ret[i], err) < 0)
			return -1;
	return 0;
}
