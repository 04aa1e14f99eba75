/* SPDX-License-Identifier: MIT */
/* Lays out new hooks. It knows no file. */
#include "install/hook_text.h"

#include "base/buf.h"
#include "client/shell_words.h"
#include "doc/json.h"

struct str
json_string(struct arena *a, struct str x)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	json_add_string(&b, x);
	return buf_str(&b);
}

static struct str
indented(struct arena *a, struct str value)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	for (size_t i = 0; i < value.n; i++) {
		buf_addc(&b, value.s[i]);
		if (value.s[i] == '\n')
			buf_add(&b, STR("  "));
	}
	return buf_str(&b);
}

struct str
hook_command_line(struct arena *a, struct str program, const struct hook_wanted *w)
{
	struct str word = shell_quote(a, program);

	return str_fmt(a, "%s" STR_FMT " %s", w->is_exec ? "exec " : "", STR_ARG(word), w->words);
}

struct str
hook_text(struct arena *a, const struct hook_shape *shape, struct str program, const struct hook_wanted *w)
{
	struct str command = json_string(a, hook_command_line(a, program, w));
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	buf_add(&b, STR("{\n"));
	if (shape->has_type)
		buf_add(&b, STR("  \"type\": \"command\",\n"));
	buf_addf(&b, "  \"%s\": " STR_FMT ",\n  \"%s\": %lld", shape->command_key, STR_ARG(command),
		 shape->timeout_key, (long long)(w->timeout_s * shape->timeout_units));
	if (w->more)
		buf_addf(&b, ",\n  %s", w->more);
	buf_add(&b, STR("\n}"));
	if (!shape->has_groups)
		return buf_str(&b);
	struct str hook = indented(a, indented(a, buf_str(&b)));

	return str_fmt(a, "{\n  \"hooks\": [\n    " STR_FMT "\n  ]\n}", STR_ARG(hook));
}

struct str
hook_event_text(struct arena *a, const struct hook_shape *shape, struct str program,
		const struct hook_wanted *w)
{
	struct str hook = indented(a, hook_text(a, shape, program, w));

	return str_fmt(a, "[\n  " STR_FMT "\n]", STR_ARG(hook));
}

struct str
hooks_text(struct arena *a, const struct hook_shape *shape, const struct hooks_request *r)
{
	struct buf b = BUF(a, SETTINGS_LIMIT_BYTES);

	buf_addc(&b, '{');
	for (size_t i = 0; i < r->count; i++) {
		struct str event = indented(a, hook_event_text(a, shape, r->program, &r->wanted[i]));

		buf_addf(&b, "%s\n  \"%s\": " STR_FMT, i > 0 ? "," : "", r->wanted[i].event, STR_ARG(event));
	}
	buf_add(&b, STR("\n}"));
	return buf_str(&b);
}
