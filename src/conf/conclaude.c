/* SPDX-License-Identifier: MIT */
/* Finds and loads conclaude's configuration. Looking for it is part of every stop, so it does nothing but ask for
 * the names; what the file says is left to the tables. */
#include "conf/conclaude.h"

#include "conf/conclaude_keys.h"
#include "doc/yaml.h"
#include "os/fs.h"

static struct str
look_in(struct arena *a, struct str dir)
{
	static const char *const names[] = { ".conclaude.yaml", ".conclaude.yml" };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (fs_has(dir, names[i]))
			return fs_join(a, dir, str_from(names[i]));
	return STR_NONE;
}

struct str
conclaude_find(struct arena *a, const struct str *dirs, size_t count)
{
	struct str found = STR_NONE;

	for (size_t i = 0; i < count && !found.s; i++)
		found = look_in(a, dirs[i]);
	return found;
}

int
conclaude_parse(struct arena *a, struct str path, struct str text, struct conclaude_config *ret,
		struct err *err)
{
	struct conclaude_config c = conclaude_defaults;
	struct str dir = fs_parent(path);

	if (yaml_parse(a, text, &c.root, err) < 0 ||
	    decode_map(a, &c.root, conclaude_root.fields, conclaude_root.count, &c, NULL, err) < 0)
		return err_wrap_file(err, str_copy(a, path).s);
	c.path = path;
	c.dir = str_copy(a, dir.s ? dir : STR("."));
	*ret = c;
	return 0;
}

int
conclaude_load(struct arena *a, struct str path, struct conclaude_config *ret, struct err *err)
{
	const char *name;
	struct str text;

	if (str_cz(a, path, &name, err) < 0 || fs_read(a, name, CONFIG_LIMIT_BYTES, &text, err) < 0)
		return -1;
	if (!text.s)
		return err_set(err, ERR_VALUE, STR_FMT ": there is no such file", STR_ARG(path));
	return conclaude_parse(a, path, text, ret, err);
}

uint64_t
conclaude_sends(const struct conclaude_config *c)
{
	const struct conclaude_prefix_blocking *p = c->stop.prefix_blocking;
	uint64_t sum = 0;

	if (!c->database.is_enabled || !p || p->prefixes.count == 0)
		return 0;
	const struct conclaude_message *messages = p->messages.items;

	for (size_t i = 0; i < p->messages.count; i++)
		sum += (uint64_t)messages[i].times;
	return sum;
}

bool
conclaude_has_follow_ups(const struct conclaude_config *c)
{
	return conclaude_sends(c) > 0;
}
