/* SPDX-License-Identifier: MIT */
/* Reads what a reviewer found: from the JSON file, which the agent edits, else from the log. What can't be read counts
 * as failed, never as passed: breaking a file must not lose what is in it. */
#include "record/history_review.h"

#include "doc/json.h"
#include "record/slotlog.h"
#include "os/fd.h"
#include "os/fs.h"

struct reading {
	struct arena *arena;
	const struct logdir *dir;
	const struct log_set *set;
	struct str shown; /* the file's path, for messages */
	struct log_result *result;
	struct arena *scratch;  /* for the files' texts and documents, which nothing points into in the end */
	struct str log;         /* absent: not read yet */
	struct str log_trouble; /* why it can't be read; absent: it can, or there is none */
	bool is_log_cut;        /* it is longer than what is read */
	size_t warning_capacity;
};

static void PRINTF_LIKE(2, 3) warn(struct reading *x, const char *fmt, ...)
{
	struct str_list *l = &x->result->warnings;
	va_list args;

	arena_make_room(x->arena, l->items, l->count, &x->warning_capacity);
	va_start(args, fmt);
	l->items[l->count++] = str_vfmt(x->arena, fmt, args);
	va_end(args);
}

static void
fail_with(struct reading *x, struct finding v)
{
	struct log_result *r = x->result;

	r->outcome = LOG_FAIL;
	r->violations = arena_new(x->arena, struct finding);
	r->violations[0] = v;
	r->violation_count = 1;
}

/* Of the log, further down. */
static struct str failed_section(struct reading *x);
static bool fail_by_log(struct reading *x);
static void put_back(struct reading *x);

/* The file of findings is lost; what its log told of them is not. */
static void
fail_unreadable(struct reading *x, struct str why)
{
	warn(x, STR_FMT, STR_ARG(why));
	x->result->is_unreadable = true;
	x->result->trouble = why;
	x->result->is_unconfirmed = !fail_by_log(x);
	if (x->result->is_unconfirmed)
		fail_with(x, (struct finding){ .file = str_copy(x->arena, x->set->json),
					       .issue = STR("unreadable"),
					       .status = FINDING_NEW });
}

static void
fail_unknown(struct reading *x)
{
	fail_with(x, (struct finding){ .file = STR("unknown"), .issue = STR("?"), .status = FINDING_NEW });
}

/* ---- JSON ---- */

static enum finding_status
status_of(struct reading *x, const struct node *map)
{
	const struct node *n = node_get(map, "status");
	enum finding_status status;

	if (!n || n->kind == NODE_NULL)
		return FINDING_NEW;
	if (n->kind != NODE_STRING || !finding_status_parse(n->text, &status)) {
		struct str word = n->kind == NODE_STRING ? n->text : str_from(node_kind_name(n->kind));

		warn(x,
		     "Unexpected status \"" STR_FMT "\" for violation in " STR_FMT ". Treating as \"new\".",
		     STR_ARG(word), STR_ARG(x->set->part));
		return FINDING_NEW;
	}
	if (status == FINDING_SKIPPED && str_trim(node_get_str(map, "result")).n == 0) {
		warn(x,
		     "A violation in " STR_FMT
		     " is skipped without a reason in \"result\". Treating as \"new\".",
		     STR_ARG(x->shown));
		return FINDING_NEW;
	}
	return status;
}

static struct str
text_of(struct reading *x, const struct node *map, const char *key)
{
	struct str text = node_get_str(map, key);

	return text.s ? str_copy(x->arena, text) : text;
}

static const struct node *
with_own_keys(struct reading *x, const struct node *map)
{
	for (size_t i = 0; i < map->count; i++) {
		if (finding_has_key(map->entries[i].key))
			continue;
		struct node *copy = arena_new(x->arena, struct node);

		*copy = node_copy(x->arena, map);
		return copy;
	}
	return NULL;
}

static struct finding
violation_of(struct reading *x, const struct node *n)
{
	if (n->kind != NODE_MAP)
		return (struct finding){ .file = STR("unknown"),
					 .issue = STR("unreadable"),
					 .status = FINDING_NEW };
	return (struct finding){
		.file = text_of(x, n, "file"),
		.line = finding_line(node_get(n, "line")),
		.issue = text_of(x, n, "issue"),
		.fix = text_of(x, n, "fix"),
		.priority = text_of(x, n, "priority"),
		.status = status_of(x, n),
		.result = text_of(x, n, "result"),
		.document = with_own_keys(x, n),
	};
}

static void
read_violations(struct reading *x, const struct node *document)
{
	const struct node *list = node_get(document, "violations");
	struct log_result *r = x->result;

	r->outcome = LOG_FAIL;
	r->is_unconfirmed = !failed_section(x).s;
	if (!list || list->kind != NODE_LIST || list->count == 0) {
		if (!fail_by_log(x))
			fail_unknown(x);
		return;
	}
	r->violations = arena_array(x->arena, list->count, struct finding);
	for (size_t i = 0; i < list->count; i++)
		r->violations[r->violation_count++] = violation_of(x, &list->items[i]);
	put_back(x);
}

/* Of a pass only what was skipped before counts. */
static void
read_skipped(struct reading *x, const struct node *document)
{
	const struct node *list = node_get(document, "violations");
	struct log_result *r = x->result;

	if (!list || list->kind != NODE_LIST)
		return;
	r->violations = arena_array(x->arena, list->count, struct finding);
	for (size_t i = 0; i < list->count; i++) {
		struct finding v = violation_of(x, &list->items[i]);

		if (v.status == FINDING_SKIPPED)
			r->violations[r->violation_count++] = v;
	}
}

/* The end of the file, which has the result; what a reviewer said before it may be longer than what is read. */
static int
read_end(struct reading *x, const char *path, struct err *err)
{
	CLEANUP(fd_close) int fd = -1;
	size_t n;

	if (fs_open_regular(path, &fd, err) < 0)
		return -1;
	if (fd < 0)
		return err_set(err, ERR_SYS, "%s leads nowhere", path);
	uint64_t size = fs_size(fd), from = size > REVIEW_LIMIT_BYTES ? size - REVIEW_LIMIT_BYTES : 0;
	char *bytes = arena_bytes(x->scratch, (size_t)(size - from) + 1);

	if (fd_read_at(fd, from, bytes, (size_t)(size - from), &n, err) < 0)
		return -1;
	x->log = (struct str){ bytes, n };
	x->is_log_cut = from > 0;
	return 0;
}

/* The text of the slot's log; empty: there is none that can be read. */
static struct str
log_text(struct reading *x)
{
	struct err err;

	if (x->log.s)
		return x->log;
	x->log = STR("");
	if (x->set->log.s && read_end(x, fs_join(x->scratch, x->dir->path, x->set->log).s, &err) < 0)
		x->log_trouble = str_copy(x->arena, str_from(err.msg));
	return x->log;
}

/* What the log has against what the file says. */
static struct str
denial(struct reading *x, const char *says)
{
	if (x->log_trouble.s)
		return str_fmt(x->arena,
			       "The JSON review file " STR_FMT
			       " says that %s, its log can't be read: " STR_FMT,
			       STR_ARG(x->shown), says, STR_ARG(x->log_trouble));
	return str_fmt(x->arena, "The JSON review file " STR_FMT " says that %s, its log that it failed",
		       STR_ARG(x->shown), says);
}

static void
judge_document(struct reading *x, const struct node *document)
{
	struct str status = node_get_str(document, "status"), adapter = node_get_str(document, "adapter");
	const struct node *since = node_get(document, "passIteration");
	struct log_result *r = x->result;
	bool is_error = str_is(status, "error");

	if (adapter.n > 0)
		r->adapter = str_copy(x->arena, adapter);
	if (str_is(status, "fail")) {
		read_violations(x, document);
	} else if (!is_error && !str_is(status, "pass") && !str_is(status, "skipped_prior_pass")) {
		fail_unreadable(x, str_fmt(x->arena,
					   "Failed to read JSON review file: " STR_FMT
					   ":%d:%d: status: expected pass, fail or error",
					   STR_ARG(x->shown), document->line, document->column));
	} else if (slotlog_outcome(log_text(x)) == LOG_FAIL || x->log_trouble.s) {
		fail_unreadable(x, denial(x, is_error ? "it could not be asked" : "it passed"));
	} else if (is_error) {
		r->outcome = LOG_ERROR;
	} else {
		r->outcome = LOG_PASS;
		read_skipped(x, document);
		if (since && since->kind == NODE_INT && since->integer > 0)
			r->pass_run = since->integer;
	}
}

static void
read_json(struct reading *x)
{
	struct str text = STR_NONE;
	struct node document;
	struct err err;

	x->result->path = fs_join(x->arena, x->dir->path, x->set->json);
	if (fs_read(x->scratch, x->result->path.s, REVIEW_LIMIT_BYTES, &text, &err) < 0) {
		fail_unreadable(x, str_fmt(x->arena, "Failed to read JSON review file: %s", err.msg));
	} else if (json_parse(x->scratch, text, &document, &err) < 0) {
		fail_unreadable(x, str_fmt(x->arena, "Failed to parse JSON review file: " STR_FMT ":%s",
					   STR_ARG(x->shown), err.msg));
	} else {
		judge_document(x, &document);
	}
}

/* ---- the log alone ---- */

static void
read_numbered(struct reading *x, struct str section)
{
	struct log_result *r = x->result;
	size_t capacity = 0;
	struct finding v;
	struct str line;

	r->outcome = LOG_FAIL;
	while (str_next(&section, '\n', &line)) {
		struct str fix = str_trim(line);

		if (slotlog_finding(x->arena, line, &v)) {
			arena_make_room(x->arena, r->violations, r->violation_count, &capacity);
			r->violations[r->violation_count++] = v;
		} else if (str_starts(fix, STR("Fix: ")) && r->violation_count > 0) {
			r->violations[r->violation_count - 1].fix = str_copy(x->arena,
									     str_sub(fix, 5, fix.n));
		}
	}
	if (r->violation_count == 0)
		fail_unknown(x);
}

/* What the log tells of a failure; absent: nothing. */
static struct str
failed_section(struct reading *x)
{
	struct str section = slotlog_section(log_text(x));

	return section.s && str_is(slotlog_status(section), "FAIL") ? section : STR_NONE;
}

static bool
fail_by_log(struct reading *x)
{
	struct str section = failed_section(x);

	if (section.s)
		read_numbered(x, section);
	return section.s != NULL;
}

static void
put_one_back(struct reading *x, struct str line)
{
	struct log_result *r = x->result;
	size_t capacity = r->violation_count;
	struct finding v;

	if (!slotlog_finding(x->arena, line, &v))
		return;
	arena_make_room(x->arena, r->violations, r->violation_count, &capacity);
	r->violations[r->violation_count++] = v;
	warn(x, "A violation was taken out of " STR_FMT ". Treating as \"new\": " STR_FMT, STR_ARG(x->shown),
	     STR_ARG(line));
}

/* A violation that the log tells of and the file lacks was taken out of it: it is still there. Both have one order, so
 * that each is mostly found where the last one was. */
static void
put_back(struct reading *x)
{
	struct str section = failed_section(x), line;
	const struct finding *listed = x->result->violations;
	size_t count = x->result->violation_count, at = 0;

	while (str_next(&section, '\n', &line)) {
		struct str text = slotlog_numbered(line);
		size_t tried = 0;

		if (!text.s)
			continue;
		while (tried < count && !slotlog_is_about(x->scratch, text, &listed[(at + tried) % count]))
			tried++;
		if (tried == count)
			put_one_back(x, line);
		else
			at = (at + tried + 1) % count;
	}
}

static void
read_log(struct reading *x)
{
	struct str text = log_text(x), section = slotlog_section(text);
	struct str word = slotlog_status(section.s ? section : text);
	bool has_output = x->is_log_cut || str_find(text, STR(SLOTLOG_OUTPUT)) >= 0;
	struct log_result *r = x->result;

	r->path = fs_join(x->arena, x->dir->path, x->set->log);
	if (section.s && str_is(word, "PASS") && has_output) {
		r->outcome = LOG_PASS;
	} else if (section.s && str_is(word, "FAIL")) {
		read_numbered(x, section);
	} else if (slotlog_outcome(text) == LOG_FAIL) {
		fail_unknown(x);
	} else if (!section.s && !has_output && str_is(word, "skipped_prior_pass")) {
		r->outcome = LOG_PASS;
		r->pass_run = slotlog_pass_run(text);
	} else {
		/* No answer was understood. The result is that of all slots: only if all passed, this one did. */
		enum log_outcome gate = log_read_outcome(x->arena, r->path.s);

		r->outcome = gate == LOG_FAIL ? LOG_ERROR : gate;
	}
}

void
review_read(struct arena *a, const struct logdir *d, const struct log_set *s, struct log_result *r)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	struct reading x = { .arena = a, .dir = d, .set = s, .result = r, .scratch = &scratch };

	x.shown = fs_join(a, d->shown, s->json.s ? s->json : s->log);
	if (s->json.s)
		read_json(&x);
	else if (s->log.s)
		read_log(&x);
}
