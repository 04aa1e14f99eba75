/* SPDX-License-Identifier: MIT */
/* Reports of a run. Every text of the XML goes through add_xml(), which escapes or replaces what XML does not allow. */
#include "ui/report.h"

#include "doc/json.h"
#include "os/fs.h"

/* More than any run can produce: a truncated report would be useless. */
#define REPORT_LIMIT_BYTES MIB(2048)

static bool
has_extension(struct str path, const char *extension)
{
	struct str base = path_base(path);
	size_t n = strlen(extension);

	return base.n > n && str_is_word(str_sub(base, base.n - n, base.n), extension);
}

int
report_format(struct str path, enum report_format *ret, struct err *err)
{
	bool is_json = has_extension(path, ".json");

	if (!is_json && !has_extension(path, ".xml"))
		return err_set(err, ERR_USAGE,
			       "the report's name must end in .json or .xml (JUnit), not '" STR_FMT "'",
			       STR_ARG(path));
	*ret = is_json ? REPORT_JSON : REPORT_JUNIT;
	return 0;
}

/* 1.234 */
static struct str
seconds(struct arena *a, int64_t ms)
{
	ms = ms < 0 ? 0 : ms;
	return str_fmt(a, "%jd.%03jd", (intmax_t)(ms / 1000), (intmax_t)(ms % 1000));
}

/* The end of a gate's output; absent where it passed or never started. */
static struct str
output_of(struct arena *a, const struct gate_result *r)
{
	if (r->outcome == OUTCOME_SKIPPED || r->outcome == OUTCOME_PASS || !r->output.s)
		return STR_NONE;
	return utf8_tail(strip_escapes(a, r->output), GATE_TAIL_BYTES);
}

/* ---- JSON ---- */

static size_t
count_of(const struct report *r, enum gate_outcome outcome)
{
	return gate_results_count(r->results, r->count, outcome);
}

struct str
report_json(struct arena *a, const struct report *r)
{
	struct buf b = BUF(a, REPORT_LIMIT_BYTES);

	json_open(&b, NULL, '{');
	json_add(&b, "version", 1, "status", status_rows[r->status].name, "ok", r->is_ok, "message",
		 strip_escapes(a, r->message), "run", r->run_number, "started_at",
		 strip_escapes(a, r->started_at), "seconds", JSON(seconds(a, r->elapsed_ms)), "console_log",
		 strip_escapes(a, r->console_log_path));
	json_open(&b, "totals", '{');
	json_add(&b, "jobs", r->count, "passed", count_of(r, OUTCOME_PASS), "failed",
		 count_of(r, OUTCOME_FAIL), "errors", count_of(r, OUTCOME_ERROR), "skipped",
		 count_of(r, OUTCOME_SKIPPED));
	json_close(&b, "}");
	json_open(&b, "jobs", '[');
	for_each (g, r->results, r->count) {
		json_open(&b, NULL, '{');
		json_add(&b, "id", strip_escapes(a, g->id), "slot", strip_escapes(a, gate_result_label(a, g)),
			 "name", strip_escapes(a, g->gate), "kind", gate_kind_name(g->kind), "entry_point",
			 strip_escapes(a, g->entry_point), "working_directory", strip_escapes(a, g->dir),
			 "reason", strip_escapes(a, g->reason), "outcome", gate_outcome_name(g->outcome));
		json_add(&b, "message", strip_escapes(a, g->message), "seconds",
			 JSON(seconds(a, g->elapsed_ms)), "log", strip_escapes(a, g->log_path), "review",
			 strip_escapes(a, g->json_path), "output", strip_escapes(a, output_of(a, g)));
		json_close(&b, "}");
	}
	json_close(&b, "]}\n");
	return buf_str(&b);
}

/* ---- JUnit XML ---- */

/* For text and for attributes in double quotes. White space that a reader would normalise is written as references. */
static void
add_xml(struct buf *b, struct str x)
{
	static const char *const named[] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"
	};
	size_t n;

	for (; x.n > 0; x = str_sub(x, n, x.n)) {
		uint32_t c = utf8_decode(x, &n);

		if (c < COUNT_OF(named) && named[c])
			buf_cat(b, named[c]);
		else if (c == '\t' || c == '\n' || c == '\r')
			buf_cat(b, "&#", c, ";");
		else if (c < 0x20 || c == 0xFFFE || c == 0xFFFF || c == UTF8_REPLACEMENT)
			buf_add(b, UTF8_REPLACEMENT_TEXT);
		else
			buf_add(b, str_sub(x, 0, n));
	}
}

/* The same for the text of an element, line by line. */
static void
add_xml_lines(struct buf *b, struct str text)
{
	struct str rest = strip_escapes(b->arena, text), line;

	while (str_next(&rest, '\n', &line)) {
		add_xml(b, line);
		buf_addc(b, '\n');
	}
}

static void
add_attribute(struct buf *b, const char *name, struct str value)
{
	buf_cat(b, " ", name, "=\"");
	add_xml(b, strip_escapes(b->arena, value));
	buf_addc(b, '"');
}

static void
add_time(struct buf *b, int64_t ms)
{
	buf_cat(b, " time=\"", seconds(b->arena, ms), "\"");
}

/* Why it did not pass: the message, the log or review file, and the end of the output. */
static void
add_failure(struct buf *b, const char *element, const struct gate_result *r)
{
	struct str output = output_of(b->arena, r);

	buf_cat(b, "      <", element);
	add_attribute(b, "message", r->message.s ? r->message : STR(""));
	add_attribute(b, "type", gate_kind_name(r->kind));
	buf_addc(b, '>');
	add_xml_lines(b, r->message.s ? r->message : STR(""));
	if (r->log_path.s)
		add_xml_lines(b, str_cat(b->arena, "Log: ", r->log_path));
	if (r->json_path.s)
		add_xml_lines(b, str_cat(b->arena, "Review: ", r->json_path));
	if (output.n > 0) {
		buf_addc(b, '\n');
		add_xml_lines(b, output);
	}
	buf_cat(b, "</", element, ">\n");
}

static void
add_case(struct buf *b, const struct gate_result *r)
{
	buf_add(b, STR("    <testcase"));
	add_attribute(b, "name", gate_result_name(b->arena, r));
	add_attribute(b, "classname", gate_kind_name(r->kind));
	add_time(b, r->elapsed_ms);
	if (r->outcome == OUTCOME_PASS) {
		buf_add(b, STR("/>\n"));
		return;
	}
	buf_add(b, STR(">\n"));
	if (r->outcome != OUTCOME_SKIPPED) {
		add_failure(b, r->outcome == OUTCOME_FAIL ? "failure" : "error", r);
	} else {
		buf_add(b, STR("      <skipped"));
		add_attribute(b, "message", r->message.s ? r->message : STR("not started"));
		buf_add(b, STR("/>\n"));
	}
	buf_add(b, STR("    </testcase>\n"));
}

static void
add_counts(struct buf *b, const struct report *r, bool is_error_of_run)
{
	buf_cat(b, " tests=\"", r->count + is_error_of_run, "\" failures=\"", count_of(r, OUTCOME_FAIL),
		"\" errors=\"", count_of(r, OUTCOME_ERROR) + is_error_of_run, "\" skipped=\"",
		count_of(r, OUTCOME_SKIPPED), "\"");
	add_time(b, r->elapsed_ms);
}

static void
add_property(struct buf *b, const char *name, struct str value)
{
	if (!value.s)
		return;
	buf_cat(b, "      <property name=\"", name, "\"");
	add_attribute(b, "value", value);
	buf_add(b, STR("/>\n"));
}

struct str
report_junit(struct arena *a, const struct report *r)
{
	struct buf b = BUF(a, REPORT_LIMIT_BYTES);
	/* No gate failed, but the run did: the retry limit, a lock, a configuration that can't be read. */
	bool is_error_of_run = !r->is_ok && count_of(r, OUTCOME_FAIL) + count_of(r, OUTCOME_ERROR) == 0;

	buf_add(&b, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"holdfast\""));
	add_counts(&b, r, is_error_of_run);
	buf_cat(&b, ">\n  <testsuite name=\"run ", r->run_number, "\"");
	add_counts(&b, r, is_error_of_run);
	if (r->started_at.s) /* without fraction and zone, as most readers want it */
		add_attribute(&b, "timestamp", str_sub(r->started_at, 0, 19));
	buf_add(&b, STR(">\n    <properties>\n"));
	add_property(&b, "status", status_rows[r->status].name);
	add_property(&b, "message", r->message);
	add_property(&b, "console_log", r->console_log_path);
	buf_add(&b, STR("    </properties>\n"));
	for (size_t i = 0; i < r->count; i++)
		add_case(&b, &r->results[i]);
	if (is_error_of_run) {
		buf_add(&b, STR("    <testcase name=\"run\" classname=\"holdfast\" time=\"0.000\">\n      "
				"<error"));
		add_attribute(&b, "message", r->message.s ? r->message : status_rows[r->status].message);
		add_attribute(&b, "type", status_rows[r->status].name);
		buf_add(&b, STR("/>\n    </testcase>\n"));
	}
	buf_add(&b, STR("  </testsuite>\n</testsuites>\n"));
	return buf_str(&b);
}

int
report_write(struct arena *a, const struct report *r, struct str path, struct err *err)
{
	enum report_format format = REPORT_JSON;
	const char *z;

	if (report_format(path, &format, err) < 0 || str_cz(a, path, &z, err) < 0)
		return -1;
	struct str text = format == REPORT_JSON ? report_json(a, r) : report_junit(a, r);

	if ((path_parent(path).n > 0 && fs_make_parents(a, path, 0755, err) < 0) ||
	    fs_replace(a, z, text, 0644, err) < 0)
		return err_wrap(err, "the report");
	return 0;
}
