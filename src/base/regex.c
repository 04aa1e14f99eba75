/* SPDX-License-Identifier: MIT */
/* Users' regular expressions. The only file that knows PCRE2; each pattern is compiled, used and released within
 * one call. A pattern comes from a file that anybody may have written, so nothing is run without bounds. */
#include "base/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

static void
code_free(pcre2_code **code)
{
	pcre2_code_free(*code);
}

static void
compile_context_free(pcre2_compile_context **c)
{
	pcre2_compile_context_free(*c);
}

static void
match_context_free(pcre2_match_context **c)
{
	pcre2_match_context_free(*c);
}

static void
match_data_free(pcre2_match_data **d)
{
	pcre2_match_data_free(*d);
}

static int
no_memory(struct err *err)
{
	return err_set(err, ERR_LIMIT, "no memory for a regular expression");
}

static const char *
describe(int code, char *to, size_t n)
{
	if (pcre2_get_error_message(code, (PCRE2_UCHAR *)to, n) < 0)
		return "unknown error";
	return to;
}

static int
compile(struct str pattern, bool ignore_case, pcre2_code **ret, struct err *err)
{
	CLEANUP(compile_context_free) pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_MATCH_INVALID_UTF |
			   (ignore_case ? PCRE2_CASELESS : 0);
	char text[256];
	PCRE2_SIZE at = 0;
	int code = 0;

	if (!context)
		return no_memory(err);
	(void)pcre2_set_max_pattern_length(context, REGEX_PATTERN_LIMIT_BYTES);
	(void)pcre2_set_parens_nest_limit(context, REGEX_NESTING_LIMIT);
	if (pattern.n > REGEX_PATTERN_LIMIT_BYTES)
		return err_set(err, ERR_LIMIT, "a regular expression of %zu bytes, at most %zu are allowed",
			       pattern.n, REGEX_PATTERN_LIMIT_BYTES);
	pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)(pattern.s ? pattern.s : ""), pattern.n, options,
					     &code, &at, context);

	if (!compiled)
		return err_set(err, ERR_SYNTAX, "%s at offset %zu", describe(code, text, sizeof(text)), at);
	*ret = compiled;
	return 0;
}

int
regex_check(struct str pattern, bool ignore_case, struct err *err)
{
	CLEANUP(code_free) pcre2_code *code = NULL;

	return compile(pattern, ignore_case, &code, err);
}

int
regex_match(struct str pattern, bool ignore_case, struct str text, bool *ret_is_match, struct err *err)
{
	CLEANUP(code_free) pcre2_code *code = NULL;
	CLEANUP(match_context_free) pcre2_match_context *context = NULL;
	CLEANUP(match_data_free) pcre2_match_data *data = NULL;
	char why[256];

	if (compile(pattern, ignore_case, &code, err) < 0)
		return -1;
	context = pcre2_match_context_create(NULL);
	data = pcre2_match_data_create(1, NULL);
	if (!context || !data)
		return no_memory(err);
	(void)pcre2_set_match_limit(context, REGEX_MATCH_LIMIT);
	(void)pcre2_set_depth_limit(context, REGEX_DEPTH_LIMIT);
	(void)pcre2_set_heap_limit(context, REGEX_HEAP_LIMIT_KIB);
	int found = pcre2_match(code, (PCRE2_SPTR)(text.s ? text.s : ""), text.n, 0, 0, data, context);

	if (found < 0 && found != PCRE2_ERROR_NOMATCH)
		return err_set(err, ERR_LIMIT, "%s", describe(found, why, sizeof(why)));
	*ret_is_match = found >= 0;
	return 0;
}
