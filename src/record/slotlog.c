/* SPDX-License-Identifier: MIT */
/* The text of a slot's log, taken apart. Pure: it neither reads files nor decides what a slot has come to. */
#include "record/slotlog.h"

#include "base/number.h"
#include "base/plain.h"
#include "record/gatelog.h"

enum log_outcome
slotlog_outcome(struct str log)
{
	static const struct {
		const char *word;
		enum log_outcome outcome;
	} rows[] = { { "pass", LOG_PASS }, { "fail", LOG_FAIL }, { "error", LOG_ERROR } };
	enum log_outcome last = LOG_NOTHING;
	struct str line;

	while (str_next(&log, '\n', &line)) {
		struct str entry = gatelog_entry_text(line);
		ptrdiff_t at = str_find(entry, STR("): "));

		if (!str_starts(entry, STR("Review result (")) || at < 0)
			continue;
		entry = str_sub(entry, (size_t)at + 3, entry.n);
		for (size_t i = 0; i < COUNT_OF(rows); i++)
			if (str_starts(entry, str_from(rows[i].word)))
				last = rows[i].outcome;
	}
	return last;
}

/* Ours has a line of its own; a finding that speaks of one has not. */
#define RESULT_SECTION "\n--- Parsed Result ("

static struct str
behind_last(struct str text, struct str needle)
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
slotlog_section(struct str text)
{
	return behind_last(text, STR(RESULT_SECTION));
}

struct str
slotlog_numbered(struct str line)
{
	size_t n = 0;

	while (n < line.n && line.s[n] >= '0' && line.s[n] <= '9')
		n++;
	if (n == 0 || line.n < n + 2 || line.s[n] != '.' || line.s[n + 1] != ' ')
		return STR_NONE;
	return str_sub(line, n + 2, line.n);
}

bool
slotlog_finding(struct arena *a, struct str line, struct finding *ret)
{
	ptrdiff_t dash;
	uint64_t number;

	line = slotlog_numbered(line);
	if (!line.s)
		return false;
	dash = str_find(line, STR(" - "));
	if (dash <= 0)
		return false;
	struct str place = str_sub(line, 0, (size_t)dash);
	size_t colon = place.n;

	while (colon > 0 && place.s[colon - 1] != ':')
		colon--;
	*ret = (struct finding){
		.issue = str_copy(a, str_sub(line, (size_t)dash + 3, line.n)),
		.status = FINDING_NEW,
	};
	if (colon > 1) {
		if (number_parse(str_sub(place, colon, place.n), &number) && number <= INT64_MAX)
			ret->line = (int64_t)number;
		place = str_sub(place, 0, colon - 1);
	}
	ret->file = str_copy(a, place);
	return true;
}

struct str
slotlog_status(struct str text)
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

bool
slotlog_is_about(struct arena *a, struct str line, const struct finding *v)
{
	struct str file = v->file, rest = str_trim(v->issue), issue = STR("");

	(void)str_next(&rest, '\n', &issue);
	if (str_starts(line, file) && line.n > file.n && line.s[file.n] == ':' && str_ends(line, issue))
		return true;
	file = plain_line(a, file);
	return str_starts(line, file) && line.n > file.n && line.s[file.n] == ':' &&
	       str_find(line, plain_line(a, str_trim(issue))) >= 0;
}

int64_t
slotlog_pass_run(struct str text)
{
	struct str rest = behind_last(text, STR("previously passed in iteration ")), digits;
	uint64_t number;

	if (!rest.s || !str_next(&rest, '\n', &digits) || !number_parse(str_trim(digits), &number) ||
	    number > LOG_RUN_MAX)
		return 0;
	return (int64_t)number;
}
