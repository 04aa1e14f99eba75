/* SPDX-License-Identifier: MIT */
/* Results of gates. Pure. */
#include "model/gate_result.h"

struct str
gate_outcome_name(enum gate_outcome outcome)
{
	static const char *const names[OUTCOME_COUNT] = {
		[OUTCOME_WAITING] = "waiting", [OUTCOME_RUNNING] = "running", [OUTCOME_PASS] = "pass",
		[OUTCOME_FAIL] = "fail",       [OUTCOME_ERROR] = "error",     [OUTCOME_SKIPPED] = "skipped",
	};

	return str_from(names[outcome]);
}

struct gate_result
gate_result_of(const struct job *j)
{
	return (struct gate_result){
		.kind = j->kind,
		.id = j->id,
		.file_part = j->file_part,
		.gate = j->gate->name,
		.entry_point = j->entry_point,
		.dir = j->dir,
		.command = j->kind == GATE_CHECK ? j->gate->command : STR_NONE,
		.hint = j->kind == GATE_CHECK ? j->gate->fix_instructions : STR_NONE,
		.reason = j->reason,
		.key = j->key,
		.definition = j->gate->definition,
	};
}

struct str
gate_ids_shown(struct arena *a, const struct str_list *ids, bool shows_ids)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < ids->count; i++) {
		struct str rest = ids->items[i], kind, place;

		buf_cat(&b, i > 0 ? ", " : "");
		if (shows_ids || !str_next(&rest, ':', &kind) || !str_next(&rest, ':', &place) || rest.n == 0)
			buf_add(&b, ids->items[i]);
		else if (place.n == 0 || str_is(place, "."))
			buf_add(&b, rest);
		else
			buf_cat(&b, rest, " in ", place);
	}
	return buf_str(&b);
}

struct str
gate_result_title(struct arena *a, const struct gate_result *r)
{
	struct str place = r->kind == GATE_REVIEW ? r->entry_point : r->dir;

	if (place.n == 0 || str_is(place, "."))
		return r->gate;
	return str_cat(a, r->gate, " in ", place);
}

struct str
gate_result_label(struct arena *a, const struct gate_result *r)
{
	if (!r->reviewer.s)
		return STR_NONE;
	return str_cat(a, "(", r->reviewer, "@", r->slot, ")");
}

struct str
gate_result_name(struct arena *a, const struct gate_result *r)
{
	/* Names of directories are in it. */
	struct str id = strip_escapes_line(a, r->title.s ? r->title : r->id);

	return r->reviewer.s ? str_cat(a, id, " ", gate_result_label(a, r)) : id;
}

struct str
gate_result_file(const struct gate_result *r, const char **ret_title)
{
	bool has_findings = r->outcome == OUTCOME_FAIL && r->json_path.s;

	*ret_title = has_findings ? "Review" : "Log";
	return has_findings ? r->json_path : r->log_path;
}

size_t
gate_results_count(const struct gate_result *results, size_t count, enum gate_outcome outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += results[i].outcome == outcome;
	return n;
}
