/* SPDX-License-Identifier: MIT */
/* The agent may change two things in a review file: the status of a finding, and why it was skipped. The findings
 * themselves are known from the journal, or from the log where there is no journal. */
#include "record/review_read.h"

#include "base/path.h"
#include "doc/json.h"
#include "os/fd.h"
#include "os/fs.h"
#include "model/logname.h"
#include "record/review_log.h"

#include <stdlib.h>
#include <string.h>

#define RESULT_SECTION "\n--- Parsed Result ("

/* An item of a list of findings that is being read. */
struct item {
	struct finding finding;
	struct node status;
	bool has_other_keys;
};

struct reading {
	struct arena *arena;
	struct arena *scratch; /* for texts and documents that the result does not point into */
	const struct slot_files *files;
	struct str shown;   /* the file's path, for messages */
	struct buf *buffer; /* for the bytes of the file */
	struct slot_read *result;
	struct str log; /* absent: not read yet */
	bool is_log_cut;
	size_t warning_capacity, capacity;
	/* The file's list of findings, whether it counts or not, and the warnings about them. */
	struct item next;
	struct arena *list; /* for the list alone, so that it grows in place */
	struct finding *listed;
	size_t listed_count, listed_capacity;
	struct str_list mark_warnings;
	size_t mark_warning_capacity;
};

static void
add_warning(struct reading *x, struct str text)
{
	struct str_list *l = &x->result->warnings;

	arena_make_room(x->arena, l->items, l->count, &x->warning_capacity);
	l->items[l->count++] = text;
}

static void PRINTF_LIKE(2, 3) warn(struct reading *x, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_warning(x, str_vfmt(x->arena, fmt, args));
	va_end(args);
}

static void PRINTF_LIKE(2, 3) warn_of_mark(struct reading *x, const char *fmt, ...)
{
	va_list args;

	arena_make_room(x->arena, x->mark_warnings.items, x->mark_warnings.count, &x->mark_warning_capacity);
	va_start(args, fmt);
	x->mark_warnings.items[x->mark_warnings.count++] = str_vfmt(x->arena, fmt, args);
	va_end(args);
}

static void
add_finding(struct reading *x, struct finding f)
{
	struct slot_read *r = x->result;

	arena_make_room(x->arena, r->findings, r->count, &x->capacity);
	r->findings[r->count++] = f;
}

/* ---- the log ---- */

static struct str
log_text(struct reading *x)
{
	const struct slot_files *f = x->files;

	if (!x->log.s)
		x->log = f->log.s ? log_read_tail(x->scratch, path_join(x->scratch, f->logs->path, f->log).s,
						  REVIEW_LIMIT_BYTES, &x->is_log_cut)
				  : STR("");
	return x->log;
}

/* The section of a failure's log that lists the findings; absent: there is none. */
static struct str
failed_section(struct reading *x)
{
	struct str section = log_after_last(log_text(x), STR(RESULT_SECTION));

	return section.s && str_is(log_status(section), "FAIL") ? section : STR_NONE;
}

static void
add_unknown(struct reading *x)
{
	add_finding(x, (struct finding){ .file = STR("unknown"), .issue = STR("?") });
}

/* A failure as its log has it. False: the log does not list what was found. */
static bool
take_from_log(struct reading *x)
{
	struct str section = failed_section(x), line;
	bool has_section = section.s != NULL;
	struct slot_read *r = x->result;
	struct finding f;

	r->end = LOG_END_FAIL;
	while (str_next(&section, '\n', &line)) {
		struct str text = log_numbered(line), fix = str_trim(line);

		if (text.s && log_finding(x->arena, text, &f))
			add_finding(x, f);
		else if (str_starts(fix, STR("Fix: ")) && r->count > 0)
			r->findings[r->count - 1].fix = str_copy(x->arena, str_sub(fix, 5, fix.n));
	}
	if (has_section && r->count == 0)
		add_unknown(x);
	return has_section;
}

/* A finding that the log has and the file lacks was taken out of the file: it counts. Both have the same order, so that
 * each is mostly found where the last one was. */
static void
restore_from_log(struct reading *x)
{
	struct str section = failed_section(x), line;
	const struct finding *listed = x->result->findings;
	size_t count = x->result->count, at = 0;
	struct finding f;

	while (str_next(&section, '\n', &line)) {
		struct str text = log_numbered(line);
		size_t tried = 0;

		if (!text.s)
			continue;
		while (tried < count && !log_is_about(x->scratch, text, &listed[(at + tried) % count]))
			tried++;
		if (tried < count) {
			at = (at + tried + 1) % count;
		} else if (log_finding(x->arena, text, &f)) {
			add_finding(x, f);
			warn(x, "A violation was taken out of " STR_FMT ". Treating as \"new\": " STR_FMT,
			     STR_ARG(x->shown), STR_ARG(line));
			listed = x->result->findings;
		}
	}
}

/* ---- the file ---- */

static enum finding_status
status_of(struct reading *x, const struct node *n, struct str result)
{
	enum finding_status status;

	if (n->kind == NODE_NULL)
		return FINDING_NEW;
	struct str word = n->kind == NODE_STRING ? n->text : str_from(node_kind_name(n->kind));

	if (n->kind != NODE_STRING || !finding_status_parse(word, &status)) {
		warn_of_mark(x,
			     "Unexpected status \"" STR_FMT "\" for violation in " STR_FMT
			     ". Treating as \"new\".",
			     STR_ARG(word), STR_ARG(x->files->part));
		return FINDING_NEW;
	}
	if (status == FINDING_SKIPPED && str_trim(result).n == 0) {
		warn_of_mark(x,
			     "A violation in " STR_FMT
			     " is skipped without a reason in \"result\". Treating as \"new\".",
			     STR_ARG(x->shown));
		return FINDING_NEW;
	}
	return status;
}

/* ---- the file's list, as it is read ---- */

static void
begin_list(void *context)
{
	struct reading *x = context;

	x->listed_count = x->mark_warnings.count = 0;
}

static void
take_member(void *context, struct str key, const struct node *value)
{
	struct reading *x = context;
	struct finding *f = &x->next.finding;
	struct str *texts[FINDING_KEY_OTHER] = {
		[FINDING_KEY_FILE] = &f->file,     [FINDING_KEY_ISSUE] = &f->issue,
		[FINDING_KEY_FIX] = &f->fix,       [FINDING_KEY_PRIORITY] = &f->priority,
		[FINDING_KEY_RESULT] = &f->result,
	};
	enum finding_key which = finding_key(key);

	if (which == FINDING_KEY_OTHER)
		x->next.has_other_keys = true;
	else if (which == FINDING_KEY_LINE)
		f->line = finding_line(value);
	else if (which == FINDING_KEY_STATUS)
		x->next.status = *value;
	else
		*texts[which] = value->kind == NODE_STRING ? str_copy(x->arena, value->text) : STR_NONE;
}

static void
end_item(void *context, const struct node *item, struct str text)
{
	struct reading *x = context;
	struct finding f = x->next.finding;
	struct err ignored;

	if (item->kind != NODE_MAP)
		f = (struct finding){ .file = STR("unknown"), .issue = STR("unreadable") };
	else
		f.status = status_of(x, &x->next.status, f.result);
	if (x->next.has_other_keys) {
		struct node *copy = arena_new(x->arena, struct node);

		if (json_parse(x->arena, str_sub(text, item->span.begin, item->span.end), copy, &ignored) ==
		    0)
			f.document = copy;
	}
	arena_make_room(x->list, x->listed, x->listed_count, &x->listed_capacity);
	x->listed[x->listed_count++] = f;
	x->next = (struct item){ 0 };
}

/* ---- what counts of it ---- */

/* Does the file have everything that was found? */
static bool
has_all(struct reading *x)
{
	const struct str_list *ids = x->files->finding_ids;
	const struct slot_read *r = x->result;
	struct str *found = arena_array(x->scratch, r->count, struct str);
	struct str *wanted = arena_array(x->scratch, ids->count, struct str);
	size_t at = 0;

	if (r->count < ids->count)
		return false;
	for (size_t i = 0; i < r->count; i++) {
		found[i] = finding_id(x->scratch, &r->findings[i]);
		/* Mostly the file has them in the same order. */
		at += at == i && at < ids->count && str_eq(found[i], ids->items[i]);
	}
	if (at == ids->count)
		return true;
	at = 0;
	memcpy(wanted, ids->items, ids->count * sizeof(*wanted));
	qsort(wanted, ids->count, sizeof(*wanted), str_compare);
	qsort(found, r->count, sizeof(*found), str_compare);
	for (size_t i = 0; i < r->count && at < ids->count; i++)
		at += str_eq(found[i], wanted[at]);
	return at == ids->count;
}

/* The warnings about a list that counts. */
static void
add_mark_warnings(struct reading *x)
{
	for (size_t i = 0; i < x->mark_warnings.count; i++)
		add_warning(x, x->mark_warnings.items[i]);
}

static void
take_findings(struct reading *x, const struct node *document)
{
	const struct node *list = node_get(document, "violations");
	const struct str_list *ids = x->files->finding_ids;
	struct slot_read *r = x->result;

	r->end = LOG_END_FAIL;
	if (!list || list->kind != NODE_LIST || list->count == 0) {
		r->is_incomplete = !take_from_log(x);
		if (r->is_incomplete)
			add_unknown(x);
		return;
	}
	add_mark_warnings(x);
	r->findings = arena_array(x->arena, x->listed_count, struct finding);
	r->count = x->capacity = x->listed_count;
	memcpy(r->findings, x->listed, x->listed_count * sizeof(*x->listed));
	arena_free(x->list);
	if (ids && has_all(x))
		return;
	r->is_incomplete = !failed_section(x).s;
	restore_from_log(x);
}

/* Of a pass only what was skipped before counts. */
static void
take_skipped(struct reading *x, const struct node *document)
{
	const struct node *list = node_get(document, "violations");

	if (!list || list->kind != NODE_LIST)
		return;
	add_mark_warnings(x);
	for (size_t i = 0; i < x->listed_count; i++)
		if (x->listed[i].status == FINDING_SKIPPED)
			add_finding(x, x->listed[i]);
}

/* The review file can't be used: the findings are those of the log. */
static void
fail_without_file(struct reading *x, struct str why)
{
	warn(x, STR_FMT, STR_ARG(why));
	x->result->file_error = why;
	if (take_from_log(x))
		return;
	x->result->is_incomplete = true;
	add_finding(x, (struct finding){ .file = str_copy(x->arena, x->files->file),
					 .issue = STR("unreadable") });
}

static void
judge_document(struct reading *x, const struct node *document)
{
	struct str status = node_get_str(document, "status"), adapter = node_get_str(document, "adapter");
	const struct node *since = node_get(document, "passIteration");
	bool is_error = str_is(status, "error");
	struct slot_read *r = x->result;

	if (adapter.n > 0)
		r->adapter = str_copy(x->arena, adapter);
	if (str_is(status, "fail")) {
		take_findings(x, document);
	} else if (!is_error && !str_is(status, "pass") && !str_is(status, "skipped_prior_pass")) {
		fail_without_file(x, str_fmt(x->arena,
					     "Failed to read JSON review file: " STR_FMT
					     ":%d:%d: status: expected pass, fail or error",
					     STR_ARG(x->shown), document->line, document->column));
	} else if (x->files->finding_ids || log_review_end(log_text(x)) == LOG_END_FAIL) {
		fail_without_file(x, str_fmt(x->arena,
					     "The JSON review file " STR_FMT " says that %s, but it failed",
					     STR_ARG(x->shown),
					     is_error ? "the review could not be run" : "the review passed"));
	} else if (is_error) {
		r->end = LOG_END_ERROR;
	} else {
		r->end = LOG_END_PASS;
		take_skipped(x, document);
		if (since && since->kind == NODE_INT && since->integer > 0)
			r->pass_run = since->integer;
	}
}

/* As fs_read(), into the buffer. */
static int
read_text(struct buf *b, const char *path, struct str *ret, struct err *err)
{
	CLEANUP(fd_close) int fd = -1;
	size_t n;

	if (fs_open_regular(path, &fd, err) < 0)
		return -1;
	if (fd < 0) {
		*ret = STR_NONE;
		return 0;
	}
	uint64_t size = fs_size(fd);

	if (size > REVIEW_LIMIT_BYTES)
		return err_set(err, ERR_LIMIT, "%s: more than %zu bytes", path, REVIEW_LIMIT_BYTES);
	buf_reserve(b, (size_t)size + 1);
	if (fd_read_at(fd, 0, b->s, (size_t)size, &n, err) < 0)
		return err_wrap(err, "%s", path);
	*ret = (struct str){ b->s, n };
	return 0;
}

static void
read_file(struct reading *x)
{
	const char *path = path_join(x->scratch, x->files->logs->path, x->files->file).s;
	struct json_items items = {
		.raw_key = STR("rawOutput"),
		.list_key = STR("violations"),
		.begin = begin_list,
		.member = take_member,
		.end = end_item,
		.context = x,
	};
	struct node document;
	struct str text;
	struct err err;

	if (read_text(x->buffer, path, &text, &err) < 0)
		fail_without_file(x, str_fmt(x->arena, "Failed to read JSON review file: %s", err.msg));
	else if (!text.s)
		x->result->is_incomplete = !take_from_log(x); /* deleted */
	else if (json_parse_items(x->scratch, text, &items, &document, &err) < 0)
		fail_without_file(x, str_fmt(x->arena, "Failed to parse JSON review file: " STR_FMT ":%s",
					     STR_ARG(x->shown), err.msg));
	else
		judge_document(x, &document);
}

/* ---- a log without a file ---- */

static void
judge_log(struct reading *x)
{
	struct str text = log_text(x), section = log_after_last(text, STR(RESULT_SECTION));
	struct str word = log_status(section.s ? section : text);
	bool has_output = x->is_log_cut || str_find(text, STR("--- Review Output")) >= 0;
	struct slot_read *r = x->result;

	if (x->files->finding_ids || (section.s && str_is(word, "FAIL"))) {
		r->is_incomplete = !take_from_log(x);
	} else if (section.s && str_is(word, "PASS") && has_output) {
		r->end = LOG_END_PASS;
	} else if (log_review_end(text) == LOG_END_FAIL) {
		r->end = LOG_END_FAIL;
		add_unknown(x);
	} else if (!section.s && !has_output && str_is(word, "skipped_prior_pass")) {
		struct str rest = log_after_last(text, STR("previously passed in iteration ")), digits;
		uint64_t number;

		r->end = LOG_END_PASS;
		if (str_next(&rest, '\n', &digits) && number_parse(str_trim(digits), &number) &&
		    number <= LOG_RUN_MAX)
			r->pass_run = (int64_t)number;
	} else {
		/* No answer was understood. The result is that of all slots: only if all passed, this one did. */
		enum log_end all = log_last_result(text, str_starts(text, STR("[")) || x->is_log_cut);

		r->end = all == LOG_END_FAIL ? LOG_END_ERROR : all;
	}
}

void
slot_read(struct arena *a, struct buf *buffer, const struct slot_files *f, struct slot_read *ret)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	CLEANUP(arena_free) struct arena list = { 0 };
	struct reading x = {
		.arena = a, .scratch = &scratch, .files = f, .buffer = buffer, .result = ret, .list = &list
	};

	*ret = (struct slot_read){ 0 };
	x.shown = path_join(a, f->logs->shown, f->file.s ? f->file : f->log);
	if (f->file.s)
		read_file(&x);
	else
		judge_log(&x);
}
