/* SPDX-License-Identifier: MIT */
/* Reads the files of the journal, from the oldest to the newest. */
#include "cmd/journal/decisions.h"

#include "base/duration.h"
#include "doc/json.h"
#include "os/clock.h"
#include "os/fs.h"
#include "project/project.h"
#include "store/decisions.h"

/* Writers may add a few lines to a file that another is about to move aside. */
#define FILE_LIMIT_BYTES (8 * DECISIONS_MAX_BYTES)
#define DAY_TEXT "2026-11-15"

static bool
is_wanted(const struct decision *d, const struct decision_filter *f)
{
	const struct node *n = &d->fields;

	return (!f->project.s || str_eq(node_get_str(n, "project"), f->project)) &&
	       (!f->session.s || str_starts(node_get_str(n, "session"), f->session)) &&
	       (!f->policy.s || str_eq(node_get_str(n, "policy"), f->policy)) &&
	       (!f->event.s || str_eq(node_get_str(n, "event"), f->event)) &&
	       (!f->decision.s || str_eq(node_get_str(n, "decision"), f->decision)) &&
	       (f->since_us == 0 || d->time_us >= f->since_us) &&
	       (f->until_us == 0 || d->time_us < f->until_us);
}

bool
decision_read(struct arena *a, struct str line, const struct decision_filter *f, struct decision *ret)
{
	struct err ignored;

	return json_parse_in_place(a, line, STR_NONE, &ret->fields, &ignored) == 0 &&
	       node_get_str(&ret->fields, "decision").n > 0 &&
	       clock_parse(node_get_str(&ret->fields, "time"), &ret->time_us) && is_wanted(ret, f);
}

int
decisions_load(struct arena *a, const struct decision_filter *f, struct str_list *ret, struct err *err)
{
	size_t capacity = 0;

	*ret = (struct str_list){ 0 };
	for (int old = DECISIONS_OLD; old >= 0; old--) {
		struct str path = decisions_path(a, old), text, line;

		if (!path.s)
			return err_set(err, ERR_VALUE, "there is no home directory, and so no journal");
		if (fs_read(a, path.s, FILE_LIMIT_BYTES, &text, err) < 0)
			return -1;
		while (text.s && str_find_char(text, '\n') >= 0 && str_next(&text, '\n', &line)) {
			CLEANUP(arena_free) struct arena scratch = { 0 };
			struct decision d;

			if (!decision_read(&scratch, line, f, &d))
				continue;
			arena_make_room(a, ret->items, ret->count, &capacity);
			ret->items[ret->count++] = line;
		}
	}
	return 0;
}

struct str
decisions_project(struct arena *a)
{
	struct project_dirs where;

	project_find(&where, fs_cwd(a), WITHIN_REPOSITORY);
	return str_copy(a, project_root(&where));
}

/* 2h: so long ago; 2026-11-15 or 2026-11-15T04:17:39Z. */
static bool
parse_time(struct arena *a, struct str text, int64_t *ret_us)
{
	int64_t ms;

	if (duration_parse(text, &ms)) {
		*ret_us = clock_real_us() - ms * 1000;
		return true;
	}
	if (text.n == STR(DAY_TEXT).n)
		text = str_fmt(a, STR_FMT "T00:00:00Z", STR_ARG(text));
	return clock_parse(text, ret_us);
}

static int
read_time(struct arena *a, const struct invocation *inv, const char *option, int64_t *ret_us)
{
	struct str text = option_str(inv, option);

	if (!text.s || parse_time(a, text, ret_us))
		return 0;
	return command_misuse(
		inv, "--%s: '" STR_FMT "' is no time; write 30m, 2h, 2026-11-15 or 2026-11-15T04:17:39Z",
		option, STR_ARG(text));
}

int
decision_filter_read(struct arena *a, const struct invocation *inv, struct decision_filter *ret)
{
	struct str project = option_str(inv, "project");

	*ret = (struct decision_filter){ .session = option_str(inv, "session") };
	if (project.s && option_has(inv, "all"))
		return command_misuse(inv, "--project and --all exclude each other");
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
