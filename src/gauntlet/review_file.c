/* SPDX-License-Identifier: MIT */
/* Writes what a slot leaves behind. The status of a finding is ours and the agent's; a reviewer has no say in it. */
#include "gauntlet/review_file.h"

#include "base/buf.h"
#include "base/excerpt.h"
#include "base/plain.h"
#include "doc/json.h"

#include <ctype.h>
#include <inttypes.h>

struct members {
	struct node_entry *items;
	size_t count;
};

static struct node
text_node(struct str text)
{
	return (struct node){ .kind = NODE_STRING, .text = text };
}

static struct node
int_node(int64_t value)
{
	return (struct node){ .kind = NODE_INT, .integer = value };
}

static void
add(struct members *m, const char *key, struct node value)
{
	m->items[m->count++] = (struct node_entry){ .key = str_from(key), .value = value };
}

static void
add_text(struct members *m, const char *key, struct str text)
{
	if (text.s)
		add(m, key, text_node(text));
}

static struct node
map_of(const struct members *m)
{
	return (struct node){ .kind = NODE_MAP, .count = m->count, .entries = m->items };
}

#define KNOWN_KEYS 7

/* What is known of it first, in the order that the original has, then the reviewer's own keys. */
static struct node
violation_node(struct arena *a, const struct violation *v, bool is_open, bool has_extras)
{
	size_t extras = has_extras && v->document && v->document->kind == NODE_MAP ? v->document->count : 0;
	struct members m = { arena_array(a, KNOWN_KEYS + extras, struct node_entry), 0 };

	add_text(&m, "file", v->file);
	if (v->line > 0)
		add(&m, "line", int_node(v->line));
	add_text(&m, "issue", v->issue);
	add_text(&m, "fix", v->fix);
	add_text(&m, "priority", v->priority);
	add_text(&m, "status", is_open ? STR("new") : v->status);
	if (!is_open)
		add_text(&m, "result", v->result);
	for (size_t i = 0; i < extras; i++)
		if (!is_violation_key(v->document->entries[i].key))
			m.items[m.count++] = v->document->entries[i];
	return map_of(&m);
}

static struct str
write_json(struct arena *a, const struct review_file *f, bool has_extras)
{
	struct node *list = arena_array(a, f->open_count + f->skipped_count, struct node);
	struct members m = { arena_array(a, KNOWN_KEYS, struct node_entry), 0 };
	struct buf b = BUF(a, REVIEW_LIMIT_BYTES);
	size_t count = 0;

	for (size_t i = 0; i < f->open_count; i++)
		list[count++] = violation_node(a, &f->open[i], true, has_extras);
	for (size_t i = 0; i < f->skipped_count; i++)
		list[count++] = violation_node(a, &f->skipped[i], false, has_extras);
	add_text(&m, "adapter", f->adapter);
	add_text(&m, "timestamp", f->timestamp);
	add_text(&m, "status", f->status);
	add_text(&m, "rawOutput", has_extras ? excerpt(a, f->raw_output, ANSWER_RAW_BYTES) : STR(""));
	add(&m, "violations", (struct node){ .kind = NODE_LIST, .count = count, .items = list });
	if (f->pass_run > 0)
		add(&m, "passIteration", int_node(f->pass_run));
	struct node all = map_of(&m);

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
review_finding(struct arena *a, const struct violation *v)
{
	return str_fmt(a, STR_FMT ":%" PRId64 " - " STR_FMT, STR_ARG(plain_line(a, v->file)), v->line,
		       STR_ARG(str_trim(plain_line(a, v->issue))));
}

static void
add_findings(struct arena *a, const struct review_file *f, struct buf *b)
{
	buf_add(b, STR("Violations:\n"));
	for (size_t i = 0; i < f->open_count; i++) {
		const struct violation *v = &f->open[i];

		buf_addf(b, "%zu. " STR_FMT "\n", i + 1, STR_ARG(review_finding(a, v)));
		if (v->fix.n > 0)
			buf_addf(b, "   Fix: " STR_FMT "\n", STR_ARG(plain_line(a, v->fix)));
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
		buf_addf(&b, "Message: " STR_FMT "\n", STR_ARG(plain_line(a, message)));
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
