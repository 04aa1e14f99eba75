/* SPDX-License-Identifier: MIT */
/* Reads the journal of decisions: all of it from the oldest to the newest, or its end, the newest first. */
#include "overview/decisions.h"

#include "doc/json.h"
#include "doc/reverse_lines.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/fs.h"
#include "overview/overview.h"
#include "store/journals.h"

/* Writers may add a few lines to a file that another is about to move aside. */
#define FILE_LIMIT_BYTES (8 * DECISIONS_MAX_BYTES)
/* Of the end of each file: a few thousand decisions. */
#define SCAN_BYTES MIB(2)
#define SESSIONS_MAX 500

bool
decision_read(struct arena *a, struct str line, const struct decision_filter *f, struct decision *ret)
{
	const struct node *n = &ret->fields;

	return json_parse_in_place(a, line, STR_NONE, &ret->fields, IGNORED) == 0 &&
	       node_get_str(n, "decision").n > 0 && clock_parse(node_get_str(n, "time"), &ret->time_us) &&
	       (!f->project.s || str_eq(node_get_str(n, "project"), f->project)) &&
	       (!f->session.s || session_is_named(node_get_str(n, "session"), f->session)) &&
	       (!f->policy.s || str_eq(node_get_str(n, "policy"), f->policy)) &&
	       (!f->event.s || str_eq(node_get_str(n, "event"), f->event)) &&
	       (!f->decision.s || str_eq(node_get_str(n, "decision"), f->decision)) &&
	       (f->since_us == 0 || ret->time_us >= f->since_us) &&
	       (f->until_us == 0 || ret->time_us < f->until_us);
}

int
decisions_load(struct arena *a, const struct decision_filter *f, struct str_list *ret,
	       struct str_list *ret_known, struct err *err)
{
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
			*arena_push(a, ret->items, ret->count) = line;
			session_names_add(a, ret_known, node_get_str(&d.fields, "session"));
		}
	}
	return 0;
}

/* ---- the newest of each session ---- */

/* False: what follows is older. */
static bool
take_line(struct arena *a, struct str line, int64_t since_us, struct overview_session **items, size_t *count)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct decision d;

	if (!decision_read(&scratch, line, &(struct decision_filter){ 0 }, &d))
		return true;
	if (d.time_us < since_us)
		return false;
	const struct node *n = &d.fields;
	struct str project = node_get_str(n, "project"), id = node_get_str(n, "session");

	for (size_t i = 0; i < *count; i++)
		if (str_eq((*items)[i].id, id) && str_eq((*items)[i].project, project))
			return true; /* a newer one is known */
	*arena_push(a, *items, *count) = (struct overview_session){
		.project = str_copy(a, project),
		.id = str_copy(a, id),
		.client = str_copy(a, node_get_str(n, "client")),
		.decision = str_copy(a, node_get_str(n, "decision")),
		.policy = str_copy(a, node_get_str(n, "policy")),
		.status = str_copy(a, node_get_str(n, "status")),
		.message = str_copy(a, node_get_str(n, "message")),
		.time_us = d.time_us,
	};
	return true;
}

void
overview_read_sessions(struct arena *a, int64_t since_us, struct overview_session **ret, size_t *ret_count)
{
	bool is_over = false;

	*ret = NULL;
	*ret_count = 0;
	for (int old = 0; old <= 1 && !is_over; old++) {
		CLEANUP(fd_close) int fd = -1;
		CLEANUP(reverse_lines_free) struct reverse_lines lines = { 0 };
		enum reverse_lines_end end = LINES_LINE;
		struct str path = decisions_path(a, old), line;

		if (!path.s || fs_open_regular(path.s, &fd, IGNORED) < 0 || fd < 0)
			continue;
		reverse_lines_init(&lines, fd_read_at_of, &fd, fs_size(fd));
		lines.scan_limit_bytes = SCAN_BYTES;
		while (!is_over && *ret_count < SESSIONS_MAX &&
		       reverse_lines_next(&lines, &line, &end, IGNORED) == 0 && end == LINES_LINE)
			is_over = !take_line(a, line, since_us, ret, ret_count);
	}
}
