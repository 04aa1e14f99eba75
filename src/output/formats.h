/* SPDX-License-Identifier: MIT */
/* The formats of test runners, compilers and linters: a table with a row for each. */
#ifndef OUTPUT_FORMATS_H
#define OUTPUT_FORMATS_H

#include "base/base.h"

/* What is asked of a line. */
enum line_test {
	LINE_STARTS,   /* with one of the texts, at its very start */
	LINE_WORD,     /* with one of them, after blanks */
	LINE_HAS,      /* one of them, anywhere */
	LINE_PLACE,    /* with file:line, at its very start */
	LINE_CODE,     /* with the code of a rule, as F401 is one, at its very start */
	LINE_CODED,    /* with file:line and the code of a rule */
	LINE_ITEM,     /* with line:column, after blanks; the file is named above it */
	LINE_FRAME,    /* it is a line of source code that is shown with its number */
	LINE_FOREIGN,  /* it names a file that is not the project's: a library, the language's own */
	LINE_INDENTED, /* with a blank */
};

/* What becomes of the line. A group is what is shown of one failure. */
enum line_action {
	LINE_DROP,
	LINE_BEGIN, /* the first line of a group */
	LINE_HOLD, /* begins a group that counts only if its name, the line's last word, begins another one later */
	LINE_OPEN,     /* begins a group that has no title, unless one is open */
	LINE_SHOW,     /* a line of the group that is open */
	LINE_ALONE,    /* a group of its own */
	LINE_FALLBACK, /* the same, shown only if there is no other group */
	LINE_JOIN,     /* the same, after the file that is named above */
	LINE_END,      /* the group is complete */
	LINE_CANCEL,   /* the group is no failure */
};

/* The first rule that fits a line decides. */
struct line_rule {
	enum line_test test;
	const char *texts[10]; /* alternatives; none: does not matter */
	const char *also[3];   /* one of them is in the line too; none: does not matter */
	enum line_action action;
};

struct failure_sink;

struct output_format {
	const char *name;
	const struct line_rule *marks; /* a line that one of them fits has this format; no action */
	size_t mark_count;
	const char *from; /* only lines after the last one with this text count; NULL: all do */
	const struct line_rule *rules;
	size_t rule_count;
	bool shows_rest;      /* lines of a group that no rule fits are shown */
	bool is_deepest_last; /* of two places in a group, the later is closer to the failure */
	/* Instead of rules. */
	void (*pick)(struct arena *a, struct str output, struct failure_sink *sink);
};
extern const struct output_format output_formats[];
extern const size_t output_format_count;

/* Does the rule fit the line? */
bool line_fits(const struct line_rule *r, struct str line);
/* Does the line name a file with a line number? */
bool line_has_place(struct str line);
bool line_is_foreign(struct str line);

/* What is shown of a failure: lines, each of them bounded. A new group begins where another ends. */
void sink_begin(struct failure_sink *sink, struct str title);
void sink_line(struct failure_sink *sink, struct str line);

/* JUnit XML. */
void junit_pick(struct arena *a, struct str output, struct failure_sink *sink);

#endif
