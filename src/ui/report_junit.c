/* SPDX-License-Identifier: MIT */
/* The report as JUnit XML. Every text goes through add_xml(), which escapes or replaces what XML does not allow. */
#include "base/buf.h"
#include "base/escapes.h"
#include "base/utf8.h"
#include "ui/report_text.h"

/* Does XML 1.0 allow the character at all? */
static bool
is_xml_char(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

/* For text and for attributes in double quotes. White space that a reader would normalise is written as references. */
static void
add_xml(struct buf *b, struct str x)
{
	size_t n;

	for (; x.n > 0; x = str_sub(x, n, x.n)) {
		uint32_t c = utf8_decode(x, &n);

		if (c == '&')
			buf_add(b, STR("&amp;"));
		else if (c == '<')
			buf_add(b, STR("&lt;"));
		else if (c == '>')
			buf_add(b, STR("&gt;"));
		else if (c == '"')
			buf_add(b, STR("&quot;"));
		else if (c == '\t' || c == '\n' || c == '\r')
			buf_addf(b, "&#%u;", (unsigned)c);
		else if (!is_xml_char(c) || c == UTF8_REPLACEMENT)
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
	buf_addf(b, " %s=\"", name);
	add_xml(b, strip_escapes(b->arena, value));
	buf_addc(b, '"');
}

static void
add_time(struct buf *b, int64_t ms)
{
	buf_add(b, STR(" time=\""));
	report_add_seconds(b, ms);
	buf_addc(b, '"');
}

/* Why it did not pass: the message, the log or review file, and the end of the output. */
static void
add_failure(struct buf *b, const char *element, const struct gate_result *r)
{
	struct str output = report_output(b->arena, r);

	buf_addf(b, "      <%s", element);
	add_attribute(b, "message", r->message.s ? r->message : STR(""));
	add_attribute(b, "type", gate_kind_name(r->kind));
	buf_addc(b, '>');
	add_xml_lines(b, r->message.s ? r->message : STR(""));
	if (r->log_path.s)
		add_xml_lines(b, str_fmt(b->arena, "Log: " STR_FMT, STR_ARG(r->log_path)));
	if (r->json_path.s)
		add_xml_lines(b, str_fmt(b->arena, "Review: " STR_FMT, STR_ARG(r->json_path)));
	if (output.n > 0) {
		buf_addc(b, '\n');
		add_xml_lines(b, output);
	}
	buf_addf(b, "</%s>\n", element);
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
	if (r->outcome == OUTCOME_SKIPPED) {
		buf_add(b, STR("      <skipped"));
		add_attribute(b, "message", r->message.s ? r->message : STR("not started"));
		buf_add(b, STR("/>\n"));
	} else {
		add_failure(b, r->outcome == OUTCOME_FAIL ? "failure" : "error", r);
	}
	buf_add(b, STR("    </testcase>\n"));
}

static void
add_counts(struct buf *b, const struct report *r, bool is_error_of_run)
{
	size_t errors = gate_results_count(r->results, r->count, OUTCOME_ERROR);

	buf_addf(b, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
		 r->count + is_error_of_run, gate_results_count(r->results, r->count, OUTCOME_FAIL),
		 errors + is_error_of_run, gate_results_count(r->results, r->count, OUTCOME_SKIPPED));
	add_time(b, r->elapsed_ms);
}

static void
add_property(struct buf *b, const char *name, struct str value)
{
	if (!value.s)
		return;
	buf_addf(b, "      <property name=\"%s\"", name);
	add_attribute(b, "value", value);
	buf_add(b, STR("/>\n"));
}

struct str
report_junit(struct arena *a, const struct report *r)
{
	struct buf b = BUF(a, REPORT_LIMIT_BYTES);
	/* No gate failed, but the run did: the retry limit, a lock, a configuration that can't be read. */
	bool is_error_of_run = !r->is_ok && gate_results_count(r->results, r->count, OUTCOME_FAIL) == 0 &&
			       gate_results_count(r->results, r->count, OUTCOME_ERROR) == 0;

	buf_add(&b, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"holdfast\""));
	add_counts(&b, r, is_error_of_run);
	buf_addf(&b, ">\n  <testsuite name=\"run %jd\"", (intmax_t)r->run_number);
	add_counts(&b, r, is_error_of_run);
	if (r->started_at.s) /* without fraction and zone, as most readers want it */
		add_attribute(&b, "timestamp", str_sub(r->started_at, 0, 19));
	buf_add(&b, STR(">\n    <properties>\n"));
	add_property(&b, "status", status_name(r->status));
	add_property(&b, "message", r->message);
	add_property(&b, "console_log", r->console_log_path);
	buf_add(&b, STR("    </properties>\n"));
	for (size_t i = 0; i < r->count; i++)
		add_case(&b, &r->results[i]);
	if (is_error_of_run) {
		buf_add(&b, STR("    <testcase name=\"run\" classname=\"holdfast\" time=\"0.000\">\n      "
				"<error"));
		add_attribute(&b, "message", r->message.s ? r->message : status_message(r->status));
		add_attribute(&b, "type", status_name(r->status));
		buf_add(&b, STR("/>\n    </testcase>\n"));
	}
	buf_add(&b, STR("  </testsuite>\n</testsuites>\n"));
	return buf_str(&b);
}
