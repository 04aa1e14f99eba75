/* SPDX-License-Identifier: MIT */
/* Programs that run a command on another machine or in a container. */
#include "shell/eval.h"

/* Programs that run a command on another machine or in a container, after certain words and an operand: the host, the container, the
 * image. */
static const struct {
	const char *program, *word; /* NULL: none */
	const char *values;         /* letters of options that take a value */
	bool is_text;               /* what follows is joined, and a shell there reads it */
} remotes[] = {
	{ "ssh", NULL, "BbcDEeFIiJLlmOopQRSWw", true },
	{ "docker", "exec", "euw", false },
	{ "docker", "run", "aceghlmpuvw", false },
	{ "podman", "exec", "euw", false },
	{ "podman", "run", "aceghlmpuvw", false },
	{ "docker-compose", "exec", "euw", false },
	{ "docker-compose", "run", "epuvw", false },
	{ "kubectl", "exec", "cfn", false },
	{ "oc", "exec", "cfn", false },
};

static const char *const long_remote[] = { "--env",        "--env-file", "--user",      "--workdir",
					   "--name",       "--volume",   "--mount",     "--network",
					   "--entrypoint", "--publish",  "--platform",  "--label",
					   "--memory",     "--cpus",     "--container", "--namespace" };

static bool
is_long_with_value(struct str text)
{
	for (size_t i = 0; i < COUNT_OF(long_remote); i++)
		if (str_is(text, long_remote[i]))
			return true;
	return false;
}

/* The first word of the command there; c->count: there is none. */
static size_t
remote_command(const struct sh_command *c, size_t i, const char *values)
{
	bool has_place = false;

	for (; i < c->count; i++) {
		struct str t = c->args[i].text;

		if (str_is(t, "--") && has_place)
			return i + 1;
		if (t.n > 1 && t.s[0] == '-') {
			bool is_short = t.s[1] != '-';

			i += is_short ? str_find_char(str_from(values), t.s[t.n - 1]) >= 0
				      : is_long_with_value(t);
		} else if (has_place) {
			return i;
		} else {
			has_place = true;
		}
	}
	return c->count;
}

bool
sh_eval_elsewhere(struct sh_eval *e, const struct sh_command *c)
{
	struct str program = sh_program(c);
	/* docker compose exec is docker-compose exec */
	size_t first = str_is(program, "docker") && c->count > 1 && str_is(c->args[1].text, "compose") ? 2
												       : 1;
	struct sh_eval there = *e; /* what it sets, and where it goes, is not so here */

	there.is_elsewhere = true;
	if (first == 2)
		program = STR("docker-compose");
	for (size_t i = 0; i < COUNT_OF(remotes); i++) {
		if (!str_is(program, remotes[i].program) ||
		    (remotes[i].word && (c->count <= first || !str_is(c->args[first].text, remotes[i].word))))
			continue;
		size_t at = remote_command(c, first + (remotes[i].word != NULL), remotes[i].values);

		if (at >= c->count)
			return false;
		if (remotes[i].is_text)
			sh_run_text(&there, sh_joined(&there, c, at), c->input);
		else
			sh_run_rest(&there, c, at);
		return true;
	}
	return false;
}
