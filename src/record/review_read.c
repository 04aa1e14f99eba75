/* SPDX-License-Identifier: MIT */
/* The agent may change two things in a review file: the status of a finding, and why it was skipped. The findings
 * themselves are known from the journal, or from the log where there is no journal. */
#include "record/fold.h"

#include "doc/json.h"
#include "os/fs.h"
#include "model/logname.h"

#define RESULT_SECTION "\n--- Parsed Result ("

/* ---- the log as text ---- */

/* The text after the last `needle`; absent: it is not there. */
static struct str
log_after_last(struct str text, struct str needle)
{
	struct str found = STR_NONE;
	ptrdiff_t at;

	while ((at = str_find(text, needle)) >= 0) {
		text = str_rest(text, (size_t)at + needle.n);
		found = text;
	}
	return found;
}

/* The word after `Status: ` on a line of its own, with a time before it or not; absent: there is none. */
static struct str
log_status(struct str text)
{
	struct str line;

	while (str_next(&text, '\n', &line)) {
		struct str entry = gatelog_entry_text(line);

		entry = entry.s ? entry : line;
		if (str_skip(&entry, "Status: "))
			return str_trim(entry);
	}
	return STR_NONE;
}

/* How a slot ended: the last `Review result (adapter@k): fail - ...`. */
static enum gate_outcome
log_review_end(struct str log)
{
	enum gate_outcome last = OUTCOME_WAITING;
	struct str line;

	while (str_next(&log, '\n', &line)) {
		struct str entry = gatelog_entry_text(line);
		ptrdiff_t at = str_starts(entry, STR("Review result (")) ? str_find(entry, STR("): ")) : -1;
		enum gate_outcome end = at >= 0 ? log_end_parse(str_rest(entry, (size_t)at + 3))
						: OUTCOME_WAITING;

		last = end != OUTCOME_WAITING ? end : last;
	}
	return last;
}

/* The text after `3. ` on a line; absent: the line is not numbered. */
static struct str
log_numbered(struct str line)
{
	size_t n = str_digits(line, 0);

	if (n == 0 || line.n < n + 2 || line.s[n] != '.' || line.s[n + 1] != ' ')
		return STR_NONE;
	return str_rest(line, n + 2);
}

/* `file:line - issue` */
static bool
log_finding(struct arena *a, struct str text, struct finding *ret)
{
	ptrdiff_t dash = str_find(text, STR(" - "));
	uint64_t number;

	if (dash <= 0)
		return false;
	struct str place = str_sub(text, 0, (size_t)dash);
	size_t colon = (size_t)(str_find_last(place, ':') + 1);

	*ret = (struct finding){ .issue = str_copy(a, str_rest(text, (size_t)dash + 3)) };
	if (colon > 1) {
		if (number_parse(str_rest(place, colon), &number) && number <= INT64_MAX)
			ret->line = (int64_t)number;
		place = str_sub(place, 0, colon - 1);
	}
	ret->file = str_copy(a, place);
	return true;
}

static bool
has_file(struct str line, struct str file)
{
	return str_starts(line, file) && line.n > file.n && line.s[file.n] == ':';
}

/* Is a line of the log about this finding? Of an issue of several lines the log may have the first alone. */
static bool
log_is_about(struct arena *a, struct str line, const struct finding *f)
{
	struct str file = f->file, rest = str_trim(f->issue), issue = STR("");

	(void)str_next(&rest, '\n', &issue);
	if (has_file(line, file) && str_ends(line, issue))
		return true;
	return has_file(line, strip_escapes_line(a, file)) &&
	       str_find(line, strip_escapes_line(a, str_trim(issue))) >= 0;
}

/* An item of a list of findings that is being read. */
struct item {
	struct finding finding;
	struct node status;
	bool has_other_keys;
};

struct reading {
	struct arena *arena;
	struct arena *scratch; /* for texts and documents that the result does not point into */
	const struct logdir *logs;
	const struct past_result *of;
	struct str shown; /* the file's path, for messages */
	struct slot_read *result;
	struct str log; /* absent: not read yet */
	bool is_log_cut;
	/* The file's list of findings, whether it counts or not, and the warnings about them. */
	struct item next;
	struct arena *list; /* for the list alone, so that it grows in place */
	struct finding *listed;
	size_t listed_count;
	struct str_list mark_warnings;
};

static void
warn(struct reading *x, struct str_list *warnings, struct str text)
{
	*arena_push(x->arena, warnings->items, warnings->count) = text;
}

static void
add_finding(struct reading *x, struct finding f)
{
	*arena_push(x->arena, x->result->findings, x->result->count) = f;
}

/* ---- the log ---- */

static struct str
log_text(struct reading *x)
{
	struct str path = path_join(x->scratch, x->logs->path, x->of->log);

	if (!x->log.s)
		x->log = x->of->log.s ? log_read_tail(x->scratch, path.s, REVIEW_LIMIT_BYTES, &x->is_log_cut)
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
	struct str section = failed_section(x), rest = section, line;
	struct slot_read *r = x->result;
	struct finding f;

	r->end = OUTCOME_FAIL;
	while (str_next(&rest, '\n', &line)) {
		struct str text = log_numbered(line), fix = str_trim(line);

		if (text.s && log_finding(x->arena, text, &f))
			add_finding(x, f);
		else if (str_starts(fix, STR("Fix: ")) && r->count > 0)
			r->findings[r->count - 1].fix = str_copy(x->arena, str_rest(fix, 5));
	}
	if (section.s && r->count == 0)
		add_unknown(x);
	return section.s;
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
			warn(x, &x->result->warnings,
			     str_cat(x->arena, "A violation was taken out of ", x->shown,
				     ". Treating as \"new\": ", line));
			listed = x->result->findings;
		}
	}
}

/* ---- the file, and its list as it is read ---- */

static enum finding_status
status_of(struct reading *x, const struct node *n, struct str result)
{
	enum finding_status status = FINDING_NEW;
	struct str why = STR_NONE;

	if (n->kind == NODE_NULL)
		return status;
	struct str word = n->kind == NODE_STRING ? n->text : str_from(node_kind_name(n->kind));

	if (n->kind != NODE_STRING || !finding_status_parse(word, &status))
		why = str_cat(x->arena, "Unexpected status \"", word, "\" for violation in ",
			      x->of->file_part, ". Treating as \"new\".");
	else if (status == FINDING_SKIPPED && str_trim(result).n == 0)
		why = str_cat(x->arena, "A violation in ", x->shown,
			      " is skipped without a reason in \"result\". Treating as \"new\".");
	if (!why.s)
		return status;
	warn(x, &x->mark_warnings, why);
	return FINDING_NEW;
}

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

	if (item->kind != NODE_MAP)
		f = (struct finding){ .file = STR("unknown"), .issue = STR("unreadable") };
	else
		f.status = status_of(x, &x->next.status, f.result);
	if (x->next.has_other_keys) {
		struct node *copy = arena_new(x->arena, struct node);

		if (json_parse(x->arena, str_sub(text, item->span.begin, item->span.end), copy, IGNORED) == 0)
			f.document = copy;
	}
	*arena_push(x->list, x->listed, x->listed_count) = f;
	x->next = (struct item){ 0 };
}

/* ---- what counts of it ---- */

/* Does the file have everything that was found? */
static bool
has_all(struct reading *x)
{
	const struct str_list *ids = &x->of->finding_ids;
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
	sort(wanted, ids->count, str_compare);
	sort(found, r->count, str_compare);
	for (size_t i = 0; i < r->count && at < ids->count; i++)
		at += str_eq(found[i], wanted[at]);
	return at == ids->count;
}

/* The list counts, or what was skipped of it. */
static void
take_list(struct reading *x, bool takes_skipped_only)
{
	for (size_t i = 0; i < x->mark_warnings.count; i++)
		warn(x, &x->result->warnings, x->mark_warnings.items[i]);
	for (size_t i = 0; i < x->listed_count; i++)
		if (!takes_skipped_only || x->listed[i].status == FINDING_SKIPPED)
			add_finding(x, x->listed[i]);
}

static void
take_findings(struct reading *x, const struct node *document)
{
	struct slot_read *r = x->result;

	r->end = OUTCOME_FAIL;
	if (node_get_list(document, "violations")->count == 0) {
		r->is_incomplete = !take_from_log(x);
		if (r->is_incomplete)
			add_unknown(x);
		return;
	}
	take_list(x, false);
	arena_free(x->list);
	if (x->of->finding_ids.count > 0 && has_all(x))
		return;
	r->is_incomplete = !failed_section(x).s;
	restore_from_log(x);
}

/* The review file can't be used: the findings are those of the log. */
static void
fail_without_file(struct reading *x, struct str why)
{
	warn(x, &x->result->warnings, why);
	x->result->file_error = why;
	if (take_from_log(x))
		return;
	x->result->is_incomplete = true;
	add_finding(x,
		    (struct finding){ .file = str_copy(x->arena, x->of->file), .issue = STR("unreadable") });
}

static void
judge_document(struct reading *x, const struct node *document)
{
	struct str status = node_get_str(document, "status"), adapter = node_get_str(document, "adapter");
	bool is_error = str_is(status, "error");
	struct slot_read *r = x->result;

	if (adapter.n > 0)
		r->adapter = str_copy(x->arena, adapter);
	if (str_is(status, "fail")) {
		take_findings(x, document);
	} else if (!is_error && !str_is(status, "pass") && !str_is(status, "skipped_prior_pass")) {
		fail_without_file(x, str_cat(x->arena, "Failed to read JSON review file: ", x->shown, ":",
					     document->line, ":", document->column,
					     ": status: expected pass, fail or error"));
	} else if (x->of->finding_ids.count > 0 || log_review_end(log_text(x)) == OUTCOME_FAIL) {
		fail_without_file(x, str_cat(x->arena, "The JSON review file ", x->shown, " says that ",
					     is_error ? "the review could not be run" : "the review passed",
					     ", but it failed"));
	} else if (is_error) {
		r->end = OUTCOME_ERROR;
	} else {
		r->end = OUTCOME_PASS;
		if (node_get_list(document, "violations")->count > 0)
			take_list(x, true);
		r->pass_run = node_get_count(document, "passIteration", INT64_MAX);
	}
}

static void
read_file(struct reading *x)
{
	const char *path = path_join(x->scratch, x->logs->path, x->of->file).s;
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

	if (fs_read(x->scratch, path, REVIEW_LIMIT_BYTES, &text, &err) < 0)
		fail_without_file(x, str_cat(x->arena, "Failed to read JSON review file: ", err.msg));
	else if (!text.s)
		x->result->is_incomplete = !take_from_log(x); /* deleted */
	else if (json_parse_items(x->scratch, text, &items, &document, &err) < 0)
		fail_without_file(
			x, str_cat(x->arena, "Failed to parse JSON review file: ", x->shown, ":", err.msg));
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

	if (x->of->finding_ids.count > 0 || (section.s && str_is(word, "FAIL"))) {
		r->is_incomplete = !take_from_log(x);
	} else if (section.s && str_is(word, "PASS") && has_output) {
		r->end = OUTCOME_PASS;
	} else if (log_review_end(text) == OUTCOME_FAIL) {
		r->end = OUTCOME_FAIL;
		add_unknown(x);
	} else if (!section.s && !has_output && str_is(word, "skipped_prior_pass")) {
		struct str rest = log_after_last(text, STR("previously passed in iteration ")), digits;
		uint64_t number;

		r->end = OUTCOME_PASS;
		if (str_next(&rest, '\n', &digits) && number_parse(str_trim(digits), &number) &&
		    number <= LOG_RUN_MAX)
			r->pass_run = (int64_t)number;
	} else {
		/* No answer was understood. The result is that of all slots: only if all passed, this one did. */
		enum gate_outcome all = log_last_result(text, str_starts(text, STR("[")) || x->is_log_cut);

		r->end = all == OUTCOME_FAIL ? OUTCOME_ERROR : all;
	}
}

void
slot_read(struct arena *a, const struct logdir *logs, const struct past_result *p, struct slot_read *ret)
{
	CLEANUP(arena_free) struct arena scratch = { 0 };
	CLEANUP(arena_free) struct arena list = { 0 };
	struct reading x = {
		.arena = a, .scratch = &scratch, .logs = logs, .of = p, .result = ret, .list = &list
	};

	*ret = (struct slot_read){ 0 };
	x.shown = path_join(a, logs->shown, p->file.s ? p->file : p->log);
	if (p->file.s)
		read_file(&x);
	else
		judge_log(&x);
}
