/* SPDX-License-Identifier: MIT */
/* Reports: a run as JSON, and the function that writes a report to a file. */
#include "ui/report.h"

#include "base/path.h"
#include "base/escapes.h"
#include "base/utf8.h"
#include "doc/json.h"
#include "os/fs.h"
#include "ui/report_text.h"

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
	if (has_extension(path, ".json"))
		*ret = REPORT_JSON;
	else if (has_extension(path, ".xml"))
		*ret = REPORT_JUNIT;
	else
		return err_set(err, ERR_USAGE,
			       "the report's name must end in .json or .xml (JUnit), not '" STR_FMT "'",
			       STR_ARG(path));
	return 0;
}

/* ---- JSON ---- */

void
report_add_seconds(struct buf *b, int64_t ms)
{
	if (ms < 0)
		ms = 0;
	buf_addf(b, "%jd.%03jd", (intmax_t)(ms / 1000), (intmax_t)(ms % 1000));
}

static void
add_text(struct buf *b, const char *key, struct str text)
{
	if (text.s)
		json_add_member(b, key, strip_escapes(b->arena, text));
}

struct str
report_output(struct arena *a, const struct gate_result *r)
{
	if (r->outcome == OUTCOME_SKIPPED || r->outcome == OUTCOME_PASS || !r->output.s)
		return STR_NONE;
	return utf8_tail(strip_escapes(a, r->output), GATE_TAIL_BYTES);
}

static void
add_result_json(struct buf *b, const struct gate_result *r)
{
	buf_addc(b, '{');
	add_text(b, "id", r->id);
	add_text(b, "slot", gate_result_label(b->arena, r));
	add_text(b, "name", r->gate);
	json_add_member(b, "kind", gate_kind_name(r->kind));
	add_text(b, "entry_point", r->entry_point);
	add_text(b, "working_directory", r->dir);
	add_text(b, "reason", r->reason);
	json_add_member(b, "outcome", gate_outcome_name(r->outcome));
	add_text(b, "message", r->message);
	json_add_key(b, "seconds");
	report_add_seconds(b, r->elapsed_ms);
	add_text(b, "log", r->log_path);
	add_text(b, "review", r->json_path);
	add_text(b, "output", report_output(b->arena, r));
	buf_addc(b, '}');
}

static void
add_totals_json(struct buf *b, const struct report *r)
{
	static const struct {
		const char *key;
		enum gate_outcome outcome;
	} parts[] = {
		{ "passed", OUTCOME_PASS },
		{ "failed", OUTCOME_FAIL },
		{ "errors", OUTCOME_ERROR },
		{ "skipped", OUTCOME_SKIPPED },
	};

	buf_addf(b, "{\"jobs\":%zu", r->count);
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		buf_addf(b, ",\"%s\":%zu", parts[i].key,
			 gate_results_count(r->results, r->count, parts[i].outcome));
	buf_addc(b, '}');
}

struct str
report_json(struct arena *a, const struct report *r)
{
	struct buf b = BUF(a, REPORT_LIMIT_BYTES);

	buf_addc(&b, '{');
	json_add_member_int(&b, "version", 1);
	json_add_member(&b, "status", status_name(r->status));
	json_add_member_bool(&b, "ok", r->is_ok);
	add_text(&b, "message", r->message);
	json_add_member_int(&b, "run", r->run_number);
	add_text(&b, "started_at", r->started_at);
	json_add_key(&b, "seconds");
	report_add_seconds(&b, r->elapsed_ms);
	add_text(&b, "console_log", r->console_log_path);
	json_add_key(&b, "totals");
	add_totals_json(&b, r);
	json_add_key(&b, "jobs");
	buf_addc(&b, '[');
	for (size_t i = 0; i < r->count; i++) {
		if (i > 0)
			buf_addc(&b, ',');
		add_result_json(&b, &r->results[i]);
	}
	buf_add(&b, STR("]}\n"));
	return buf_str(&b);
}

int
report_write(struct arena *a, const struct report *r, struct str path, struct err *err)
{
	enum report_format format;
	const char *z, *dir;

	if (report_format(path, &format, err) < 0 || str_cz(a, path, &z, err) < 0)
		return -1;
	struct str parent = path_parent(path);

	if (parent.n > 0 && (str_cz(a, parent, &dir, err) < 0 || fs_make_dirs(dir, 0755, err) < 0))
		return err_wrap(err, "the report");
	struct str text = format == REPORT_JSON ? report_json(a, r) : report_junit(a, r);

	if (fs_replace(a, z, text, 0644, err) < 0)
		return err_wrap(err, "the report");
	return 0;
}
