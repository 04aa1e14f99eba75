/* SPDX-License-Identifier: MIT */
/* Runs one command of a configuration, at a stop or at any other event: its environment, its shell, its limits. Does not know what
 * its end means. */
#include "base/utf8.h"
#include "doc/json.h"
#include "policy/commands.h"
#include "policy/events.h"

/* From TERM to KILL: all processes of a command are gone within a second of its timeout. */
#define GRACE_MS 500
/* Linux allows 128 KiB for one variable. A longer text is cut; JSON, which nobody could parse then, is left out. */
#define VARIABLE_BYTES KIB(120)
#define VARIABLES_MAX 24

/* Only blank lines and comments: nothing to run. */
bool
command_is_empty(struct str run)
{
	struct str line;

	while (str_next(&run, '\n', &line)) {
		line = str_trim(line);
		if (line.n > 0 && line.s[0] != '#')
			return false;
	}
	return true;
}

struct variables {
	struct arena *arena;
	const char **items;
	size_t count;
};

/* A value with a NUL byte can't be in an environment. */
static void
add_variable(struct variables *v, const char *prefix, const char *name, struct str value)
{
	if (!value.s || str_find_char(value, '\0') >= 0)
		return;
	if (value.n > VARIABLE_BYTES)
		value = utf8_head(value, VARIABLE_BYTES);
	v->items[v->count++] = str_fmt(v->arena, "%s%s=" STR_FMT, prefix, name, STR_ARG(value)).s;
}

/* Lists and objects are JSON. */
static void
add_field(struct variables *v, const struct node *payload, const struct event_field *f)
{
	const struct node *n = node_get(payload, f->name);
	struct str value = f->variable ? event_value(v->arena, payload, f->name) : STR_NONE;
	bool is_json = n && (n->kind == NODE_MAP || n->kind == NODE_LIST);

	if (!is_json || value.n <= VARIABLE_BYTES)
		add_variable(v, "CONCLAUDE_", f->variable, value);
}

static struct str
payload_json(struct arena *a, const struct node *payload)
{
	struct buf b = BUF(a, SIZE_MAX);

	json_add_node(&b, payload);
	return b.n <= VARIABLE_BYTES ? buf_str(&b) : STR_NONE;
}

const char *const *
command_environment(struct stop_context *s, const struct event_call *call,
		    const struct command_variable *more, size_t count)
{
	const struct command_variable rows[] = {
		{ "CONFIG_DIR", s->conclaude->dir },
		{ "SESSION_ID", s->event->session_id },
		{ "TRANSCRIPT_PATH", s->event->transcript_path },
		{ "CWD", s->event->cwd },
		{ "HOOK_EVENT", call ? call->row->name : STR("Stop") },
		{ "AGENT", s->agent },
		{ "AGENT_NAME", s->agent },
	};
	struct variables v = { .arena = s->arena,
			       .items = arena_array(s->arena, COUNT_OF(rows) + VARIABLES_MAX, const char *) };

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		add_variable(&v, "CONCLAUDE_", rows[i].name, rows[i].value);
	for (const struct event_field *f = call ? call->row->fields : NULL; f && f->name; f++)
		add_field(&v, call->payload, f);
	if (call)
		add_variable(&v, "CONCLAUDE_", "PAYLOAD_JSON", payload_json(s->arena, call->payload));
	for (size_t i = 0; i < count; i++)
		add_variable(&v, "CONCLAUDE_", more[i].name, more[i].value);
	/* An agent that a command runs stops too, and that stop must not run the commands again. */
	add_variable(&v, "", "GAUNTLET_STOP_HOOK_ACTIVE", STR("1"));
	return v.items;
}

static void
on_output(void *context, int stream, struct str bytes)
{
	struct command_output *o = context;

	if (stream == 1 ? o->command->shows_stdout : o->command->shows_stderr)
		spill_add(&o->file, bytes);
}

void
command_output_close(struct command_output *o)
{
	spill_close(&o->file);
}

int
command_execute(struct stop_context *s, const struct conclaude_command *c, const char *const *env,
		struct command_output *output, struct proc_result *ret, struct err *err)
{
	const char *script;

	*output = (struct command_output){ .command = c, .file = SPILL_NONE };
	if ((c->shows_stdout || c->shows_stderr) &&
	    spill_begin(s->arena, s->event->session_id, &output->file, err) < 0)
		output->file_error = str_copy(s->arena, str_from(err->msg));
	if (str_cz(s->arena, c->run, &script, err) < 0)
		return -1;
	const char *const argv[] = { "bash", "-e", "-c", script, NULL };
	struct proc_spec spec = {
		.argv = argv,
		.dir = s->conclaude->dir.s,
		.env = env,
		.timeout_ms = c->timeout_s * 1000,
		.deadline_ms = s->deadline_ms,
		.grace_ms = GRACE_MS,
		.output = on_output,
		.owner = output,
	};

	return proc_run(s->arena, &spec, ret, err);
}
