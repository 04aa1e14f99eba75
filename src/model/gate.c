/* SPDX-License-Identifier: MIT */
/* Finds gates and reviewers by name. Pure. */
#include "model/gate.h"

const struct known_reviewer known_reviewers[] = {
#define REVIEWER(name, program, ...) { name, program },
#include "model/reviewer.def"
#undef REVIEWER
};
const size_t known_reviewer_count = COUNT_OF(known_reviewers);

const struct known_reviewer *
known_reviewer(struct str name)
{
	for (size_t i = 0; i < known_reviewer_count; i++)
		if (str_is(name, known_reviewers[i].name))
			return &known_reviewers[i];
	return NULL;
}

const struct check_gate *
gates_config_check(const struct gates_config *c, struct str name)
{
	for (size_t i = 0; i < c->check_count; i++)
		if (str_eq(c->checks[i].name, name))
			return &c->checks[i];
	return NULL;
}

const struct review_gate *
gates_config_review(const struct gates_config *c, struct str name)
{
	for (size_t i = 0; i < c->review_count; i++)
		if (str_eq(c->reviews[i].name, name))
			return &c->reviews[i];
	return NULL;
}

const struct reviewer_config *
gates_config_reviewer(const struct gates_config *c, struct str name)
{
	for (size_t i = 0; i < c->reviewer_count; i++)
		if (str_eq(c->reviewers[i].name, name))
			return &c->reviewers[i];
	return NULL;
}

const char *
value_source_name(enum value_source source)
{
	static const char *const names[] = {
		[SOURCE_DEFAULT] = "default",
		[SOURCE_GLOBAL] = "global",
		[SOURCE_PROJECT] = "project",
		[SOURCE_ENVIRONMENT] = "environment",
	};

	return names[source];
}

struct str
gate_kind_name(enum gate_kind kind)
{
	return kind == GATE_CHECK ? STR("check") : STR("review");
}

struct str
job_name(const struct job *j)
{
	return j->kind == GATE_CHECK ? j->check->name : j->review->name;
}
