/* SPDX-License-Identifier: MIT */
/* Reads the options that say which decisions a command is about. */
#include "cmd/journal/journal.h"

#include "base/duration.h"
#include "os/clock.h"
#include "os/fs.h"
#include "project/project.h"

#define DAY_TEXT "2026-11-15"

struct str
decisions_project(struct arena *a)
{
	struct project_dirs where;

	project_find(&where, fs_cwd(a), WITHIN_REPOSITORY);
	return str_copy(a, project_root(&where));
}

/* 2h: so long ago; 2026-11-15 or 2026-11-15T04:17:39Z. */
static int
read_time(struct arena *a, const struct invocation *inv, const char *option, int64_t *ret_us)
{
	struct str text = option_str(inv, option);
	int64_t ms;

	if (duration_parse(text, &ms))
		*ret_us = clock_real_us() - ms * 1000;
	else if (text.s &&
		 !clock_parse(text.n == STR(DAY_TEXT).n ? str_cat(a, text, "T00:00:00Z") : text, ret_us))
		return usage_error(inv, "--", option, ": '", text,
				   "' is no time; write 30m, 2h, 2026-11-15 or 2026-11-15T04:17:39Z");
	return 0;
}

int
decision_filter_read(struct arena *a, const struct invocation *inv, struct decision_filter *ret)
{
	struct str project = option_str(inv, "project");

	*ret = (struct decision_filter){ .session = option_str(inv, "session") };
	if (project.s && option_has(inv, "all"))
		return usage_error(inv, "--project and --all exclude each other");
	if (project.s) {
		ret->project = fs_real(a, project.s);
		if (!ret->project.s)
			ret->project = project; /* a project that is gone may have had decisions */
	} else if (!option_has(inv, "all")) {
		ret->project = decisions_project(a);
	}
	return read_time(a, inv, "since", &ret->since_us) != 0 ||
			       read_time(a, inv, "until", &ret->until_us) != 0
		       ? 1
		       : 0;
}
