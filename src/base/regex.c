/* SPDX-License-Identifier: MIT */
/* Users' regular expressions. The only file that knows PCRE2; each pattern is compiled and released within one call. A
 * pattern comes from a file that anybody may have written, so its length and nesting are bounded. */
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

static const char *
describe(int code, char *to, size_t n)
{
	if (pcre2_get_error_message(code, (PCRE2_UCHAR *)to, n) < 0)
		return "unknown error";
	return to;
}

int
regex_check(struct str pattern, struct err *err)
{
	CLEANUP(compile_context_free) pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_MATCH_INVALID_UTF;
	char text[256];
	PCRE2_SIZE at = 0;
	int code = 0;

	if (!context)
		return err_set(err, ERR_LIMIT, "no memory for a regular expression");
	(void)pcre2_set_parens_nest_limit(context, REGEX_NESTING_LIMIT);
	if (pattern.n > REGEX_PATTERN_LIMIT_BYTES)
		return err_set(err, ERR_LIMIT, "a regular expression of %zu bytes, at most %zu are allowed",
			       pattern.n, REGEX_PATTERN_LIMIT_BYTES);
	CLEANUP(code_free)
	pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)(pattern.s ? pattern.s : ""), pattern.n, options,
					     &code, &at, context);

	if (!compiled)
		return err_set(err, ERR_SYNTAX, "%s at offset %zu", describe(code, text, sizeof(text)), at);
	return 0;
}
