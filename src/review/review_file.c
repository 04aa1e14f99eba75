/* SPDX-License-Identifier: MIT */
/* Formats the files of a slot. Only we and the agent set the status of a finding, never the reviewer. */
#include "review/slot.h"

#include "base/capture.h"
#include "doc/json.h"

#define KNOWN_KEYS 7

/* The known keys in the order of the original, then those that the reviewer added. */
static struct node
violation_node(struct arena *a, const struct finding *v, bool is_open, bool has_extras)
{
	size_t extras = has_extras && v->document && v->document->kind == NODE_MAP ? v->document->count : 0;
	struct node map = node_map(a, KNOWN_KEYS + extras);

	node_add_text(&map, "file", v->file);
	if (v->line > 0)
		node_add(&map, STR("line"), node_int(v->line));
	node_add_text(&map, "issue", v->issue);
	node_add_text(&map, "fix", v->fix);
	node_add_text(&map, "priority", v->priority);
	node_add_text(&map, "status", str_from(finding_status_name(is_open ? FINDING_NEW : v->status)));
	if (!is_open)
		node_add_text(&map, "result", v->result);
	for (size_t i = 0; i < extras; i++)
		if (finding_key(v->document->entries[i].key) == FINDING_KEY_OTHER)
			node_add(&map, v->document->entries[i].key, v->document->entries[i].value);
	return map;
}

static void
add_key(struct buf *b, const char *key)
{
	buf_cat(b, b->n > 1 ? ",\n  \"" : "\n  \"", str_from(key), "\": ");
}

static void
add_text(struct buf *b, const char *key, struct str text)
{
	if (!text.s)
		return;
	add_key(b, key);
	json_add_string(b, text);
}

static struct str
write_json(struct arena *a, const struct review_file *f, bool has_extras)
{
	struct str raw = has_extras ? excerpt(a, f->raw_output, ANSWER_RAW_BYTES) : STR("");
	struct buf b = BUF(a, REVIEW_LIMIT_BYTES);

	buf_addc(&b, '{');
	add_text(&b, "adapter", f->adapter);
	add_text(&b, "timestamp", f->timestamp);
	add_text(&b, "status", f->status);
	add_text(&b, "rawOutput", raw);
	/* One tree at a time: those of all findings would take several times the memory of the text. */
	size_t count = f->open.count + f->skipped.count;

	add_key(&b, "violations");
	buf_addc(&b, '[');
	for (size_t i = 0; i < count && !b.is_cut; i++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		bool is_open = i < f->open.count;
		const struct finding *v = is_open ? &f->open.items[i] : &f->skipped.items[i - f->open.count];
		struct node n = violation_node(&scratch, v, is_open, has_extras);

		buf_add(&b, i > 0 ? STR(",\n    ") : STR("\n    "));
		json_add_node_indented(&b, &n, 2);
	}
	buf_add(&b, count > 0 ? STR("\n  ]") : STR("]"));
	if (f->pass_run > 0) {
		add_key(&b, "passIteration");
		buf_cat(&b, f->pass_run);
	}
	buf_add(&b, STR("\n}"));
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
	return str_cat(a, strip_escapes_line(a, v->file), ":", v->line, " - ",
		       str_trim(strip_escapes_line(a, v->issue)));
}

/* The buffer is large: nothing else may be allocated from its arena, or growing would copy it. */
struct str
review_file_section(struct arena *a, const struct review_file *f, struct str path, struct str message)
{
	struct buf b = BUF(a, SIZE_MAX);
	bool is_fail = str_is(f->status, "fail");
	const char *word = is_fail ? "FAIL" : str_is(f->status, "pass") ? "PASS" : "ERROR";

	buf_cat(&b, "\n--- Parsed Result (", f->adapter, ") ---\nStatus: ", word, "\n");
	if (!is_fail)
		buf_cat(&b, "Message: ", strip_escapes_line(a, message), "\n");
	if (path.s)
		buf_cat(&b, "Review: ", path, "\n");
	if (is_fail)
		buf_add(&b, STR("Violations:\n"));
	for (size_t i = 0; is_fail && i < f->open.count; i++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };
		const struct finding *v = &f->open.items[i];

		buf_cat(&b, i + 1, ". ", review_finding(&scratch, v), "\n");
		if (v->fix.n > 0)
			buf_cat(&b, "   Fix: ", strip_escapes_line(&scratch, v->fix), "\n");
	}
	for (size_t i = 0; i < f->skipped.count; i++) {
		CLEANUP(arena_free) struct arena scratch = { 0 };

		buf_cat(&b, "Skipped: ", review_finding(&scratch, &f->skipped.items[i]), "\n");
	}
	buf_add(&b, STR("---------------------\n"));
	return buf_str(&b);
}

struct str
review_file_part(struct arena *a, struct str part, struct str adapter, int64_t slot)
{
	char *name = arena_bytes(a, adapter.n);

	for (size_t i = 0; i < adapter.n; i++)
		name[i] = is_letter(adapter.s[i]) || is_digit(adapter.s[i]) || adapter.s[i] == '.'
				  ? adapter.s[i]
				  : '-';
	return str_cat(a, part, "_", ((struct str){ name, adapter.n }), "@", slot);
}
