/* SPDX-License-Identifier: MIT */
/* Advice on a problem in .conclaude.yaml. The phrases are those that conclaude's users and their scripts look for; the
 * valid names and ranges come from the schema. */
#include "cmd/compat/conclaude.h"

#include <stdint.h>

static const char name_causes[] =
	"  - a misspelled name\n"
	"  - a field of another section\n"
	"  - snake_case where camelCase is meant: infinite_message, infiniteMessage\n";
static const char type_causes[] = "  - quotes around a boolean or a number: \"true\", true\n"
				  "  - yes, no, on or off where true or false is meant\n"
				  "  - a single value where a list is meant, or a list where a map is meant\n"
				  "\n"
				  "Examples of correct formatting:\n"
				  "  Boolean:  infinite: true\n"
				  "  Number:   timeout: 60\n"
				  "  String:   message: \"the tests fail\"\n"
				  "  Array:    prefixes: [\"PLAN*\", \"ULTRATHINK*\"]\n";
static const char syntax_causes[] =
	"  - tabs in the indentation, or lines of one level that are indented differently\n"
	"  - no space after a colon or a dash\n"
	"  - an unquoted text that contains a colon, # or quotes\n";
static const char required_causes[] = "  - the field is in another entry of the list\n"
				      "  - its value is empty: run: \"npm test\"\n";
static const char twice_causes[] = "  - a section that begins a second time further down\n";
static const char removed_causes[] = "  - the file was written for an older version\n";

/* conclaude's words for each kind of problem, before the key's path. */
static const struct advice {
	const char *title;
	const char *causes; /* NULL: none to name */
} advice[] = {
	[PROBLEM_SYNTAX] = { "YAML syntax error", syntax_causes },
	[PROBLEM_UNKNOWN_KEY] = { "unknown field", name_causes },
	[PROBLEM_REMOVED_KEY] = { "unknown field", removed_causes },
	[PROBLEM_DUPLICATE_KEY] = { "duplicate field", twice_causes },
	[PROBLEM_MISSING_KEY] = { "missing field in", required_causes },
	[PROBLEM_EMPTY_PATTERN] = { "Pattern key cannot be empty in", NULL },
	[PROBLEM_TYPE] = { "invalid type for", type_causes },
	[PROBLEM_RANGE] = { "Range validation failed for", NULL },
};

static void
add_names(struct buf *b, const struct config_problem *p)
{
	const char *before = "";

	buf_addf(b, "Valid field names%s" STR_FMT ":\n  ", p->outer.n > 0 ? " in " : " at the top",
		 STR_ARG(p->outer));
	for (size_t i = 0; i < p->object->field_count; i++) {
		const struct field *f = &p->object->fields[i];

		if (!f->key || f->type == FIELD_REMOVED)
			continue;
		buf_addf(b, "%s%s", before, f->key);
		before = ", ";
	}
	buf_add(b, STR("\n\n"));
}

void
conclaude_advise(struct buf *b, const struct config_problem *p)
{
	const struct advice *about = &advice[p->kind];
	struct str path = p->kind == PROBLEM_MISSING_KEY ? p->outer : p->path;

	if (!about->title)
		return;
	if (path.n == 0 && p->kind != PROBLEM_SYNTAX)
		path = STR("the document");
	buf_addf(b, "%s%s" STR_FMT "\n", about->title, path.n > 0 ? " " : "", STR_ARG(path));
	if (about->causes)
		buf_addf(b, "\nCommon causes:\n%s", about->causes);
	buf_addc(b, '\n');
	if (p->kind == PROBLEM_UNKNOWN_KEY || p->kind == PROBLEM_REMOVED_KEY)
		add_names(b, p);
	if (p->kind == PROBLEM_RANGE && p->field->most > 0)
		buf_addf(b, "Valid range: %jd to %jd\n\n", (intmax_t)p->field->least,
			 (intmax_t)p->field->most);
	buf_add(b, STR("'conclaude init --config-path FILE' writes a valid file to start from.\n"));
}
