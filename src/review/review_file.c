/* SPDX-License-Identifier: MIT */
/* Formats the files of a slot. Only we and the agent set the status of a finding, never the reviewer. */
#include "review/review_file.h"

#include "base/buf.h"
#include "base/excerpt.h"
#include "base/escapes.h"
#include "doc/json.h"

#include <ctype.h>
#include <inttypes.h>

#define KNOWN_KEYS 7

/* The known keys in the order of the original, then those that the reviewer added. */
static struct node
violation_node(struct arena *a, const struct finding *v, bool is_open, bool has_extras)
{
	size_t extras = has_extras && v->document && v->document->kind == NODE_MAP ? v->document->count : 0;
	struct node map = node_map(a, KNOWN_KEYS + extras);

	node_add_text(&map, "file", v->file);
	if (v->line > 0)
		node_add_int(&map, "line", v->line);
	node_add_text(&map, "issue", v->issue);
	node_add_text(&map, "fix", v->fix);
	node_add_text(&map, "priority", v->priority);
	node_add_text(&map, "status", str_from(finding_status_name(is_open ? FINDING_NEW : v->status)));
	if (!is_open)
		node_add_text(&map, "result", v->result);
	for (size_t i = 0; i < extras; i++)
		if (!finding_has_key(v->document->entries[i].key))
			node_add(&map, v->document->entries[i].key, v->document->entries[i].value);
	return map;
}

static struct str
write_json(struct arena *a, const struct review_file *f, bool has_extras)
{
	struct node *list = arena_array(a, f->open_count + f->skipped_count, struct node);
	struct node all = node_map(a, KNOWN_KEYS);
	struct buf b = BUF(a, REVIEW_LIMIT_BYTES);
	size_t count = 0;

	for (size_t i = 0; i < f->open_count; i++)
		list[count++] = violation_node(a, &f->open[i], true, has_extras);
	for (size_t i = 0; i < f->skipped_count; i++)
		list[count++] = violation_node(a, &f->skipped[i], false, has_extras);
	node_add_text(&all, "adapter", f->adapter);
	node_add_text(&all, "timestamp", f->timestamp);
	node_add_text(&all, "status", f->status);
	node_add_text(&all, "rawOutput", has_extras ? excerpt(a, f->raw_output, ANSWER_RAW_BYTES) : STR(""));
	node_add(&all, STR("violations"),
		 (struct node){ .kind = NODE_LIST, .count = (uint32_t)count, .items = list });
	if (f->pass_run > 0)
		node_add_int(&all, "passIteration", f->pass_run);
	json_add_node_indented(&b, &all);
	return b.is_cut ? STR_NONE : buf_str(&b);
}

struct str
review_file_json(struct arena *a, const struct review_file *f)
{
	struct arena_mark mark = arena_mark(a);
	struct str text = write_json(a, f, true);

	if (text.s)
		return text;
	arena_reset(a, mark);
	return write_json(a, f, false);
}

struct str
review_finding(struct arena *a, const struct finding *v)
{
	return str_fmt(a, STR_FMT ":%" PRId64 " - " STR_FMT, STR_ARG(strip_escapes_line(a, v->file)), v->line,
		       STR_ARG(str_trim(strip_escapes_line(a, v->issue))));
}

static void
add_findings(struct arena *a, const struct review_file *f, struct buf *b)
{
	buf_add(b, STR("Violations:\n"));
	for (size_t i = 0; i < f->open_count; i++) {
		const struct finding *v = &f->open[i];

		buf_addf(b, "%zu. " STR_FMT "\n", i + 1, STR_ARG(review_finding(a, v)));
		if (v->fix.n > 0)
			buf_addf(b, "   Fix: " STR_FMT "\n", STR_ARG(strip_escapes_line(a, v->fix)));
	}
}

struct str
review_file_section(struct arena *a, const struct review_file *f, struct str path, struct str message)
{
	struct buf b = BUF(a, SIZE_MAX);
	bool is_fail = str_is(f->status, "fail"), is_pass = str_is(f->status, "pass");

	buf_addf(&b, "\n--- Parsed Result (" STR_FMT ") ---\nStatus: %s\n", STR_ARG(f->adapter),
		 is_fail   ? "FAIL"
		 : is_pass ? "PASS"
			   : "ERROR");
	if (!is_fail)
		buf_addf(&b, "Message: " STR_FMT "\n", STR_ARG(strip_escapes_line(a, message)));
	if (path.s)
		buf_addf(&b, "Review: " STR_FMT "\n", STR_ARG(path));
	if (is_fail)
		add_findings(a, f, &b);
	for (size_t i = 0; i < f->skipped_count; i++)
		buf_addf(&b, "Skipped: " STR_FMT "\n", STR_ARG(review_finding(a, &f->skipped[i])));
	buf_add(&b, STR("---------------------\n"));
	return buf_str(&b);
}

struct str
review_file_part(struct arena *a, struct str part, struct str adapter, int64_t slot)
{
	char *name = arena_bytes(a, adapter.n);

	for (size_t i = 0; i < adapter.n; i++)
		name[i] = isalnum((unsigned char)adapter.s[i]) || adapter.s[i] == '.' ? adapter.s[i] : '-';
	return str_fmt(a, STR_FMT "_" STR_FMT "@%" PRId64, STR_ARG(part),
		       STR_ARG(((struct str){ name, adapter.n })), slot);
}
