/* SPDX-License-Identifier: MIT */
/* Reports: what is in them, and that they stay JSON and XML whatever the bytes. */
#include "test.h"

#include "base/path.h"
#include "base/utf8.h"
#include "doc/json.h"
#include "os/fs.h"
#include "ui/report.h"

#include <stdio.h>
#include <string.h>

static const struct gate_result all_outcomes[] = {
	{ .kind = GATE_CHECK,
	  .id = STR("check:src:ok"),
	  .gate = STR("ok"),
	  .entry_point = STR("src"),
	  .dir = STR("src"),
	  .reason = STR("src/a.c changed"),
	  .outcome = OUTCOME_PASS,
	  .message = STR("Command exited with code 0"),
	  .elapsed_ms = 12,
	  .log_path = STR("gauntlet_logs/check_src_ok.3.log"),
	  .output = STR("not shown") },
	{ .kind = GATE_CHECK,
	  .id = STR("check:src:bad"),
	  .gate = STR("bad"),
	  .outcome = OUTCOME_FAIL,
	  .message = STR("Exited with code 3"),
	  .elapsed_ms = 61002,
	  .log_path = STR("gauntlet_logs/check_src_bad.3.log"),
	  .output = STR("one < two\n\x1b[31mred\x1b[0m ]]> &amp;\n") },
	{ .kind = GATE_REVIEW,
	  .id = STR("review:.:quality"),
	  .reviewer = STR("claude"),
	  .slot = 1,
	  .gate = STR("quality"),
	  .outcome = OUTCOME_ERROR,
	  .message = STR("Command timed out"),
	  .json_path = STR("gauntlet_logs/review.json") },
	{ .kind = GATE_CHECK,
	  .id = STR("check:.:late"),
	  .gate = STR("late"),
	  .outcome = OUTCOME_SKIPPED,
	  .elapsed_ms = -1 },
};
static const struct report failed = {
	.status = STATUS_FAILED,
	.message = STR("Gates failed"),
	.run_number = 3,
	.started_at = STR("2026-11-15T01:26:52.653Z"),
	.elapsed_ms = 61234,
	.console_log_path = STR("/p/gauntlet_logs/console.3.log"),
	.results = all_outcomes,
	.count = COUNT_OF(all_outcomes),
};

TEST(the_report_as_json_says_all_that_is_known)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(report_json(&a, &failed),
		  "{\"version\":1,\"status\":\"failed\",\"ok\":false,\"message\":\"Gates failed\",\"run\":3,"
		  "\"started_at\":\"2026-11-15T01:26:52.653Z\",\"seconds\":61.234,"
		  "\"console_log\":\"/p/gauntlet_logs/console.3.log\","
		  "\"totals\":{\"jobs\":4,\"passed\":1,\"failed\":1,\"errors\":1,\"skipped\":1},\"jobs\":["
		  "{\"id\":\"check:src:ok\",\"name\":\"ok\",\"kind\":\"check\",\"entry_point\":\"src\","
		  "\"working_directory\":\"src\",\"reason\":\"src/a.c changed\",\"outcome\":\"pass\","
		  "\"message\":\"Command exited with code 0\",\"seconds\":0.012,"
		  "\"log\":\"gauntlet_logs/check_src_ok.3.log\"},"
		  "{\"id\":\"check:src:bad\",\"name\":\"bad\",\"kind\":\"check\",\"outcome\":\"fail\","
		  "\"message\":\"Exited with code 3\",\"seconds\":61.002,"
		  "\"log\":\"gauntlet_logs/check_src_bad.3.log\","
		  "\"output\":\"one < two\\nred ]]> &amp;\\n\"},"
		  "{\"id\":\"review:.:quality\",\"slot\":\"(claude@1)\",\"name\":\"quality\","
		  "\"kind\":\"review\",\"outcome\":\"error\",\"message\":\"Command timed out\","
		  "\"seconds\":0.000,\"review\":\"gauntlet_logs/review.json\"},"
		  "{\"id\":\"check:.:late\",\"name\":\"late\",\"kind\":\"check\",\"outcome\":\"skipped\","
		  "\"seconds\":0.000}]}\n");
}

TEST(the_report_as_junit_says_what_ci_systems_show)
{
	CLEANUP(arena_free) struct arena a = { 0 };

	CHECK_STR(report_junit(&a, &failed),
		  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		  "<testsuites name=\"holdfast\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" "
		  "time=\"61.234\">\n"
		  "  <testsuite name=\"run 3\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" "
		  "time=\"61.234\" timestamp=\"2026-11-15T01:26:52\">\n"
		  "    <properties>\n"
		  "      <property name=\"status\" value=\"failed\"/>\n"
		  "      <property name=\"message\" value=\"Gates failed\"/>\n"
		  "      <property name=\"console_log\" value=\"/p/gauntlet_logs/console.3.log\"/>\n"
		  "    </properties>\n"
		  "    <testcase name=\"check:src:ok\" classname=\"check\" time=\"0.012\"/>\n"
		  "    <testcase name=\"check:src:bad\" classname=\"check\" time=\"61.002\">\n"
		  "      <failure message=\"Exited with code 3\" type=\"check\">Exited with code 3\n"
		  "Log: gauntlet_logs/check_src_bad.3.log\n"
		  "\n"
		  "one &lt; two\n"
		  "red ]]&gt; &amp;amp;\n"
		  "</failure>\n"
		  "    </testcase>\n"
		  "    <testcase name=\"review:.:quality (claude@1)\" classname=\"review\" time=\"0.000\">\n"
		  "      <error message=\"Command timed out\" type=\"review\">Command timed out\n"
		  "Review: gauntlet_logs/review.json\n"
		  "</error>\n"
		  "    </testcase>\n"
		  "    <testcase name=\"check:.:late\" classname=\"check\" time=\"0.000\">\n"
		  "      <skipped message=\"not started\"/>\n"
		  "    </testcase>\n"
		  "  </testsuite>\n"
		  "</testsuites>\n");
}

TEST(a_run_that_failed_without_a_gate_is_an_error_for_ci_and_a_good_one_is_none)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct report locked = { .status = STATUS_LOCK_EXISTS, .message = STR("busy") };
	struct report idle = { .status = STATUS_NO_CHANGES, .is_ok = true };
	struct report passed = {
		.status = STATUS_PASSED, .is_ok = true, .results = all_outcomes, .count = 1
	};
	struct report limit = { .status = STATUS_RETRY_LIMIT_EXCEEDED, .results = all_outcomes, .count = 1 };

	CHECK(str_find(report_junit(&a, &locked),
		       STR("tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\"")) > 0);
	CHECK(str_find(report_junit(&a, &locked), STR("<error message=\"busy\" type=\"lock_exists\"/>")) > 0);
	CHECK(str_find(report_junit(&a, &idle),
		       STR("tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\"")) > 0);
	CHECK(str_find(report_junit(&a, &idle), STR("<error")) < 0);
	CHECK(str_find(report_junit(&a, &passed),
		       STR("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\"")) > 0);
	CHECK(str_find(report_junit(&a, &limit), STR("type=\"retry_limit_exceeded\"/>")) > 0);
	CHECK(str_find(report_json(&a, &idle), STR("\"jobs\":[]}")) > 0);
}

/* ---- well-formedness, by a reader that knows only what XML 1.0 demands ---- */

struct xml {
	struct str rest;
	struct str open[16];
	size_t depth, elements;
};

static bool
is_xml_text(struct str text)
{
	if (!utf8_is_valid(text) || str_find(text, STR("]]>")) >= 0 || str_find_char(text, '<') >= 0)
		return false;
	for (size_t n; text.n > 0; text = str_sub(text, n, text.n)) {
		uint32_t c = utf8_decode(text, &n);

		if (c != '\t' && c != '\n' && c != '\r' && (c < 0x20 || c == 0xFFFE || c == 0xFFFF))
			return false;
		if (c == '&' && !str_starts(text, STR("&amp;")) && !str_starts(text, STR("&lt;")) &&
		    !str_starts(text, STR("&gt;")) && !str_starts(text, STR("&quot;")) &&
		    !str_starts(text, STR("&#9;")) && !str_starts(text, STR("&#10;")) &&
		    !str_starts(text, STR("&#13;")))
			return false;
	}
	return true;
}

/* The name and attributes of a tag. */
static bool
read_tag(struct xml *x, struct str tag)
{
	bool is_empty = str_ends(tag, STR("/"));
	size_t n = 0;

	if (is_empty)
		tag = str_sub(tag, 0, tag.n - 1);
	while (n < tag.n && tag.s[n] != ' ')
		n++;
	if (n == 0)
		return false;
	if (!is_empty) {
		if (x->depth == COUNT_OF(x->open))
			return false;
		x->open[x->depth++] = str_sub(tag, 0, n);
	}
	x->elements++;
	for (tag = str_sub(tag, n, tag.n); tag.n > 0;) {
		ptrdiff_t equals = str_find(tag, STR("=\"")), end;

		if (tag.s[0] != ' ' || equals < 2)
			return false;
		tag = str_sub(tag, (size_t)equals + 2, tag.n);
		end = str_find_char(tag, '"');
		if (end < 0 || !is_xml_text(str_sub(tag, 0, (size_t)end)))
			return false;
		tag = str_sub(tag, (size_t)end + 1, tag.n);
	}
	return true;
}

static bool
is_well_formed(struct str text, size_t elements)
{
	static const struct str prolog = STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	struct xml x = { .rest = str_sub(text, prolog.n, text.n) };

	if (!str_starts(text, prolog))
		return false;
	while (x.rest.n > 0) {
		ptrdiff_t open = str_find_char(x.rest, '<'), close;

		if (open < 0)
			return x.depth == 0 && str_trim(x.rest).n == 0 && x.elements == elements;
		if (!is_xml_text(str_sub(x.rest, 0, (size_t)open)))
			return false;
		x.rest = str_sub(x.rest, (size_t)open + 1, x.rest.n);
		close = str_find_char(x.rest, '>');
		if (close < 1)
			return false;
		struct str tag = str_sub(x.rest, 0, (size_t)close);

		x.rest = str_sub(x.rest, (size_t)close + 1, x.rest.n);
		if (tag.s[0] != '/' && !read_tag(&x, tag))
			return false;
		if (tag.s[0] == '/' && (x.depth == 0 || !str_eq(x.open[--x.depth], str_sub(tag, 1, tag.n))))
			return false;
	}
	return false;
}

static struct report
report_of(struct gate_result *job, struct str text)
{
	*job = (struct gate_result){ .kind = GATE_CHECK,
				     .id = text,
				     .reviewer = text,
				     .gate = text,
				     .entry_point = text,
				     .dir = text,
				     .reason = text,
				     .outcome = OUTCOME_FAIL,
				     .message = text,
				     .log_path = text,
				     .json_path = text,
				     .output = text };
	return (struct report){ .status = STATUS_FAILED,
				.message = text,
				.started_at = text,
				.console_log_path = text,
				.results = job,
				.count = 1 };
}

TEST(whatever_the_bytes_the_report_is_json_and_xml)
{
	for (unsigned first = 0; first < 256; first++)
		for (unsigned second = 0; second < 256;
		     second += first == ']' || first == 0xEF || first == 0xC2 ? 1 : 17) {
			CLEANUP(arena_free) struct arena a = { 0 };
			const char bytes[] = { 'a',    (char)first, (char)second, '\xBF',
					       '\xBE', '>',         '\n',         (char)first };
			struct gate_result job;
			struct report r = report_of(&job, (struct str){ bytes, sizeof(bytes) });
			struct node node;
			struct err err;
			char row[32];

			(void)snprintf(row, sizeof(row), "%02x %02x", first, second);
			CHECK_ROW(row, is_well_formed(report_junit(&a, &r), 8));
			CHECK_ROW(row, json_parse(&a, report_json(&a, &r), &node, &err) == 0);
		}
}

static const struct {
	const char *name;
	struct str in;
	const char *message; /* the attribute */
} texts[] = {
	{ "markup", STR("<a b=\"c\"> & 'd'"), "&lt;a b=&quot;c&quot;&gt; &amp; 'd'" },
	{ "the end of a CDATA section", STR("]]>"), "]]&gt;" },
	{ "lines", STR("a\n\tb"), "a&#10;&#9;b" },
	{ "bad UTF-8", STR("a\xFFz"), "a\xEF\xBF\xBDz" },
	{ "half a character at the end", STR("\xC3"), "\xEF\xBF\xBD" },
	{ "a surrogate", STR("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
	{ "a noncharacter", STR("\xEF\xBF\xBE\xEF\xBF\xBF"), "\xEF\xBF\xBD\xEF\xBF\xBD" },
	{ "NUL", STR("a\0b"),
	  "a\xEF\xBF\xBD"
	  "b" },
	{ "a colour", STR("\x1b[1;31mred\x1b[0m"), "red" },
	{ "beyond the basic plane", STR("\xF0\x9F\x8E\x89"), "\xF0\x9F\x8E\x89" },
};

TEST(texts_stand_in_attributes_by_the_rules_of_xml)
{
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct gate_result job;
		struct report r = report_of(&job, texts[i].in);
		struct str expected = str_fmt(&a, "<failure message=\"%s\"", texts[i].message);

		CHECK_ROW(texts[i].name, str_find(report_junit(&a, &r), expected) > 0);
	}
}

TEST(of_a_long_output_the_end_is_in_the_report)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	char *text = arena_bytes(&a, GATE_TAIL_BYTES + 1);
	struct gate_result job;

	memset(text, 'x', GATE_TAIL_BYTES + 1);
	text[0] = 'b';
	struct report r = report_of(&job, STR(""));

	job.output = (struct str){ text, GATE_TAIL_BYTES + 1 };
	CHECK(str_find(report_json(&a, &r), STR("\"output\":\"xx")) > 0);
	job.output = (struct str){ text, GATE_TAIL_BYTES };
	CHECK(str_find(report_json(&a, &r), STR("\"output\":\"bx")) > 0);
}

static const struct {
	const char *path;
	int format; /* -1: none */
} paths[] = {
	{ "a.json", REPORT_JSON }, { "dir/a.b.xml", REPORT_JUNIT },
	{ "A.XML", REPORT_JUNIT }, { "a.Json", REPORT_JSON },
	{ "a.txt", -1 },           { "json", -1 },
	{ ".json", -1 },           { "a.xml/b", -1 },
	{ "a.json.gz", -1 },       { "", -1 },
	{ "dir/.xml", -1 },
};

TEST(the_extension_chooses_the_form_of_a_report)
{
	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		enum report_format format = REPORT_JSON;
		struct err err = { 0 };
		int got = report_format(str_from(paths[i].path), &format, &err);

		CHECK_ROW(paths[i].path, got == (paths[i].format < 0 ? -1 : 0));
		CHECK_ROW(paths[i].path, got < 0 ? err.code == ERR_USAGE : (int)format == paths[i].format);
	}
}

TEST(a_report_is_written_with_its_directory_or_says_why_not)
{
	CLEANUP(arena_free) struct arena a = { 0 };
	struct str dir = path_join(&a, str_from(test_dir()), STR("reports/deep")), text;
	struct str json = path_join(&a, dir, STR("r.json")), xml = path_join(&a, dir, STR("r.xml"));
	struct err err;

	assert_int_equal(report_write(&a, &failed, json, &err), 0);
	assert_int_equal(report_write(&a, &failed, xml, &err), 0);
	assert_int_equal(fs_read(&a, json.s, MIB(1), &text, &err), 0);
	CHECK(str_eq(text, report_json(&a, &failed)));
	assert_int_equal(fs_read(&a, xml.s, MIB(1), &text, &err), 0);
	CHECK(str_eq(text, report_junit(&a, &failed)));
	assert_int_equal(report_write(&a, &failed, path_join(&a, json, STR("below.json")), &err), -1);
	CHECK(str_starts(str_from(err.msg), STR("the report: ")));
	assert_int_equal(report_write(&a, &failed, path_join(&a, dir, STR("r.txt")), &err), -1);
	CHECK(err.code == ERR_USAGE);
}
