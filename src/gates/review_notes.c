/* SPDX-License-Identifier: MIT */
/* What the user is told about the results of a run in addition to its status. Pure. */
#include "gates/console.h"

#include "base/buf.h"
#include "base/escapes.h"

/* Files or findings that a note names. */
#define NAMED_MAX 10

/* Adds the names to a list in the text, each once. */
static void
add_names(struct buf *b, struct str_list names, struct strset *known, size_t *count)
{
	for (size_t i = 0; i < names.count; i++)
		if (strset_add(known, names.items[i]) && ++*count <= NAMED_MAX)
			buf_addf(b, "%s" STR_FMT, *count > 1 ? ", " : "",
				 STR_ARG(strip_escapes_line(b->arena, names.items[i])));
}

static void
add_rest(struct buf *b, size_t count)
{
	if (count > NAMED_MAX)
		buf_addf(b, " and %zu more", count - NAMED_MAX);
}

static struct str
note_of_hidden(struct arena *a, const struct gate_result *results, size_t count)
{
	struct buf b = BUF(a, SIZE_MAX);
	size_t total = 0, named = 0;

	for (size_t i = 0; i < count; i++)
		total += results[i].not_shown.count;
	if (total == 0)
		return STR_NONE;
	struct strset known = strset_new(a, total);

	buf_add(&b, STR("the reviewer was not shown "));
	for (size_t i = 0; i < count; i++)
		add_names(&b, results[i].not_shown, &known, &named);
	add_rest(&b, named);
	return buf_str(&b);
}

static struct str
note_of_asides(struct arena *a, const struct gate_result *g)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct strset known = strset_new(a, g->asides.count);
	size_t named = 0;

	buf_addf(&b, STR_FMT " reports, but not on a line that the change adds: ",
		 STR_ARG(strip_escapes_line(a, gate_result_name(a, g))));
	add_names(&b, g->asides, &known, &named);
	add_rest(&b, named);
	return buf_str(&b);
}

struct str
changed_files(struct arena *a, const struct gate_result *g)
{
	struct buf b = BUF(a, SIZE_MAX);
	struct strset known = strset_new(a, g->changed.count);
	size_t named = 0;

	add_names(&b, g->changed, &known, &named);
	add_rest(&b, named);
	return buf_str(&b);
}

struct str_list
review_notes(struct arena *a, const struct gate_result *results, size_t count)
{
	struct str_list notes = { arena_array(a, 4 * count + 1, struct str), 0 };
	struct str hidden = note_of_hidden(a, results, count);

	if (hidden.s)
		notes.items[notes.count++] = hidden;
	for (size_t i = 0; i < count; i++)
		if (results[i].asides.count > 0)
			notes.items[notes.count++] = note_of_asides(a, &results[i]);
	return notes;
}

void
add_check_notes(struct arena *a, const struct gate_result *results, size_t count, struct str_list *notes)
{
	for (size_t i = 0; i < count; i++) {
		struct str name = strip_escapes_line(a, results[i].gate);

		if (results[i].changed.count > 0)
			notes->items[notes->count++] = str_fmt(a, "the fix of " STR_FMT " changed " STR_FMT,
							       STR_ARG(name),
							       STR_ARG(changed_files(a, &results[i])));
		if (results[i].is_flaky)
			notes->items[notes->count++] = str_fmt(a, STR_FMT " passed on a retry: it is flaky",
							       STR_ARG(name));
	}
}
