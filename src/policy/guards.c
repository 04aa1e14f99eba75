/* SPDX-License-Identifier: MIT */
#include "policy/guards.h"

#include "conf/holdfast.h"
#include "policy/tries.h"

const struct guards_config *
stop_guards(struct stop_context *s)
{
	const struct holdfast_file *native = s->gates_source ? s->gates_source->native : NULL;
	const struct guards_config *guards = NULL;
	struct err ignored;

	if (!native || s->gates_source->problem.s || !node_get(&native->document, "guards") ||
	    holdfast_load_guards(s->arena, native, &guards, &ignored) < 0)
		return NULL;
	return guards;
}

struct verdict
guard_block(struct stop_context *s, enum status status, struct str names, struct str reason)
{
	const struct node *tries = node_get(&s->gates_source->native->document, "tries");
	struct tries t = {
		.root = s->gates_source->root,
		.max = tries && tries->kind == NODE_INT ? tries->integer : TRIES_DEFAULT,
	};
	struct str why;

	if (tries_count(s, &t, reason, SENT_BY_CHAIN, &why))
		return (struct verdict){ .status = status,
					 .message = str_fmt(s->arena, "✗ " STR_FMT, STR_ARG(names)),
					 .reason = reason };
	return (struct verdict){
		.status = STATUS_RETRY_LIMIT_EXCEEDED,
		.message = str_fmt(s->arena, "⚠ " STR_FMT "; the agent may stop: " STR_FMT, STR_ARG(names),
				   STR_ARG(why)),
	};
}
