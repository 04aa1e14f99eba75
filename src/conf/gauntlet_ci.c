/* SPDX-License-Identifier: MIT */
/* .gauntlet/ci.yml: what a CI system needs to know about the checks. */
#include "conf/gauntlet_collect.h"
#include "conf/gauntlet_gates.h"
#include "conf/gauntlet_keys.h"
#include "os/fs.h"

#define CI_FILE ".gauntlet/ci.yml"

static void
take_checks(struct arena *a, const struct ci_draft *d, struct ci_config *c)
{
	const struct ci_check_draft *drafts = d->checks.items;

	if (d->checks.count > 0)
		c->checks = arena_array(a, d->checks.count, struct ci_check);
	for (; c->check_count < d->checks.count; c->check_count++) {
		const struct ci_check_draft *from = &drafts[c->check_count];
		struct ci_check *to = &c->checks[c->check_count];

		*to = from->check;
		to->setup = from->setup.items;
		to->setup_count = from->setup.count;
	}
}

void
gates_check_ci(struct collector *k, struct str root)
{
	struct ci_draft d = { 0 };
	struct node document;

	if (fs_kind(fs_join(k->arena, root, STR(CI_FILE)).s) == FS_NOTHING)
		return;
	collect_in(k, STR(CI_FILE));
	if (gates_read_yaml(k, root, k->file, &document) && document.kind != NODE_NULL)
		collect_map(k, &document, gauntlet_ci_keys.fields, gauntlet_ci_keys.count, &d, NULL);
}

int
gauntlet_load_ci(struct arena *a, struct str root, struct ci_config *ret, struct err *err)
{
	struct gauntlet_problems problems = { 0 };
	struct collector k = { .arena = a, .problems = &problems, .file = STR(CI_FILE) };
	struct str path = fs_join(a, root, k.file);
	struct ci_draft d = { 0 };
	struct node *document = arena_new(a, struct node);

	if (fs_kind(path.s) == FS_NOTHING)
		return err_set(err, ERR_VALUE,
			       "CI configuration file not found at " STR_FMT
			       ". Run 'agent-gauntlet ci init' to create it.",
			       STR_ARG(path));
	/* a file of comments is one that says nothing */
	if (gates_read_yaml(&k, root, k.file, document) && document->kind != NODE_NULL)
		collect_map(&k, document, gauntlet_ci_keys.fields, gauntlet_ci_keys.count, &d, NULL);
	if (gauntlet_problems_fail(a, root, &problems, err) < 0)
		return -1;
	d.config.setup = d.setup.items;
	d.config.setup_count = d.setup.count;
	take_checks(a, &d, &d.config);
	*ret = d.config;
	return 0;
}
