/* SPDX-License-Identifier: MIT */
/* The log of a review as text. Reads no file. */
#include "record/review_log.h"

#include "base/escapes.h"
#include "record/gatelog.h"

struct str
log_after_last(struct str text, struct str needle)
{
	struct str found = STR_NONE;
	ptrdiff_t at;

	while ((at = str_find(text, needle)) >= 0) {
		text = str_sub(text, (size_t)at + needle.n, text.n);
		found = text;
	}
	return found;
}

struct str
log_status(struct str text)
{
	struct str line;

	while (str_next(&text, '\n', &line)) {
		struct str entry = gatelog_entry_text(line);

		entry = entry.s ? entry : line;
		if (str_starts(entry, STR("Status: ")))
			return str_trim(str_sub(entry, 8, entry.n));
	}
	return STR_NONE;
}

enum log_end
log_review_end(struct str log)
{
	enum log_end last = LOG_END_UNKNOWN;
	struct str line;

	while (str_next(&log, '\n', &line)) {
		struct str entry = gatelog_entry_text(line);
		ptrdiff_t at = str_find(entry, STR("): "));

		if (!str_starts(entry, STR("Review result (")) || at < 0)
			continue;
		enum log_end end = log_end_parse(str_sub(entry, (size_t)at + 3, entry.n));

		if (end != LOG_END_UNKNOWN)
			last = end;
	}
	return last;
}

struct str
log_numbered(struct str line)
{
	size_t n = 0;

	while (n < line.n && line.s[n] >= '0' && line.s[n] <= '9')
		n++;
	if (n == 0 || line.n < n + 2 || line.s[n] != '.' || line.s[n + 1] != ' ')
		return STR_NONE;
	return str_sub(line, n + 2, line.n);
}

bool
log_finding(struct arena *a, struct str text, struct finding *ret)
{
	ptrdiff_t dash = str_find(text, STR(" - "));
	uint64_t number;

	if (dash <= 0)
		return false;
	struct str place = str_sub(text, 0, (size_t)dash);
	size_t colon = place.n;

	while (colon > 0 && place.s[colon - 1] != ':')
		colon--;
	*ret = (struct finding){ .issue = str_copy(a, str_sub(text, (size_t)dash + 3, text.n)) };
	if (colon > 1) {
		if (number_parse(str_sub(place, colon, place.n), &number) && number <= INT64_MAX)
			ret->line = (int64_t)number;
		place = str_sub(place, 0, colon - 1);
	}
	ret->file = str_copy(a, place);
	return true;
}

bool
log_is_about(struct arena *a, struct str line, const struct finding *f)
{
	struct str file = f->file, rest = str_trim(f->issue), issue = STR("");

	(void)str_next(&rest, '\n', &issue);
	if (str_starts(line, file) && line.n > file.n && line.s[file.n] == ':' && str_ends(line, issue))
		return true;
	file = strip_escapes_line(a, file);
	return str_starts(line, file) && line.n > file.n && line.s[file.n] == ':' &&
	       str_find(line, strip_escapes_line(a, str_trim(issue))) >= 0;
}
