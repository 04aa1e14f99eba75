/* SPDX-License-Identifier: MIT */
/* The sources of the values that more than one of them may set. Never fails: a source that is not right counts for
 * nothing. Part of every stop where there are gates, so it reads what it must and no more. */
#include "conf/gauntlet_sources.h"

#include "base/number.h"
#include "conf/gauntlet_collect.h"
#include "doc/yaml.h"
#include "os/env.h"
#include "os/fs.h"

static int64_t
parse_flag(struct str x)
{
	struct str word = str_trim(x);

	if (str_is_word(word, "true") || str_is_word(word, "1"))
		return 1;
	if (str_is_word(word, "false") || str_is_word(word, "0"))
		return 0;
	return NOT_GIVEN;
}

/* Digits, perhaps with a plus before them and nothing but zeros behind a point. */
static int64_t
parse_minutes(struct str x)
{
	struct str digits = str_trim(x);
	ptrdiff_t point = str_find_char(digits, '.');
	uint64_t value;

	for (size_t i = point < 0 ? digits.n : (size_t)point + 1; i < digits.n; i++)
		if (digits.s[i] != '0')
			return NOT_GIVEN;
	if (point >= 0)
		digits = str_sub(digits, 0, (size_t)point);
	if (str_starts(digits, STR("+")))
		digits = str_sub(digits, 1, digits.n);
	return number_parse(digits, &value) && value <= INT32_MAX ? (int64_t)value : NOT_GIVEN;
}

struct shared_values
sources_environment(void)
{
	struct shared_values v = shared_values_none;

	v.enabled = parse_flag(env_get("GAUNTLET_STOP_HOOK_ENABLED"));
	v.run_interval_minutes = parse_minutes(env_get("GAUNTLET_STOP_HOOK_INTERVAL_MINUTES"));
	return v;
}

bool
gauntlet_is_ci(void)
{
	return str_is(env_get("CI"), "true") || str_is(env_get("GITHUB_ACTIONS"), "true");
}

struct str
gauntlet_base_branch(const struct gauntlet_config *c, struct str given)
{
	if (given.s)
		return given;
	return gauntlet_is_ci() && env_has("GITHUB_BASE_REF") ? env_get("GITHUB_BASE_REF") : c->base_branch;
}

struct str
gauntlet_global_path(struct arena *a)
{
	struct str dir = env_xdg(a, "XDG_CONFIG_HOME", ".config");

	return dir.s ? fs_join(a, dir, STR("agent-gauntlet/config.yml")) : STR_NONE;
}

/* -1: it is there and not right. */
static int
read_global(struct arena *a, const char *path, struct shared_values *v, struct err *err)
{
	struct gauntlet_problems problems = { 0 };
	struct collector k = { .arena = a, .problems = &problems };
	struct str text;
	struct node root;

	if (fs_read(a, path, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return 0;
	if (yaml_parse(a, text, &root, err) < 0)
		return err_wrap_file(err, path);
	k.file = str_from(path);
	collect_map(&k, &root, gauntlet_global_keys.fields, gauntlet_global_keys.count, v, NULL);
	return gauntlet_problems_fail(a, STR(""), &problems, err);
}

struct shared_values
sources_global(struct arena *a, struct str *ret_warning)
{
	struct shared_values v = shared_values_none;
	struct str path = gauntlet_global_path(a);
	struct err err;

	*ret_warning = STR_NONE;
	if (!path.s || read_global(a, path.s, &v, &err) == 0)
		return v;
	*ret_warning = str_fmt(
		a, "[gauntlet] Warning: Failed to parse global config at " STR_FMT ", using defaults (%s)",
		STR_ARG(path), err.msg);
	return shared_values_none;
}

static struct sourced_int
pick(int64_t environment, int64_t project, int64_t global, int64_t otherwise)
{
	if (environment != NOT_GIVEN)
		return (struct sourced_int){ environment, SOURCE_ENVIRONMENT };
	if (project != NOT_GIVEN)
		return (struct sourced_int){ project, SOURCE_PROJECT };
	if (global != NOT_GIVEN)
		return (struct sourced_int){ global, SOURCE_GLOBAL };
	return (struct sourced_int){ otherwise, SOURCE_DEFAULT };
}

struct sourced_values
sources_resolve(const struct shared_values *environment, const struct shared_values *project,
		const struct shared_values *global)
{
#define PICK(field, otherwise) pick(environment->field, project->field, global->field, otherwise)
	return (struct sourced_values){
		.stop_hook_enabled = PICK(enabled, 1),
		.run_interval_minutes = PICK(run_interval_minutes, 10),
		.reverifies = PICK(reverify, 0),
		.debug_log_enabled = PICK(debug_enabled, 0),
		.debug_log_max_bytes = PICK(debug_max_bytes, 10 * (int64_t)MIB(1)),
	};
#undef PICK
}
