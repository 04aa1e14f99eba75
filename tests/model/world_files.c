/* SPDX-License-Identifier: MIT */
/* The files of the temporary project that say what runs: configurations, the check and the reviewer. */
#include "model.h"

#include <stdio.h>

static void
write_yaml(const struct world *w, const struct config *c)
{
	struct buf b = BUF(w->arena, SIZE_MAX);

	buf_addf(&b, "stop:\n  infinite: %s\n  infiniteMessage: never\n", c->is_infinite ? "true" : "false");
	if (c->rounds > 0)
		buf_addf(&b, "  rounds: %d\n", c->rounds);
	if (c->message_count > 0)
		buf_add(&b, STR("  promptPrefixBlocking:\n    prefixes: [\"/plan*\"]\n    messages:\n"));
	for (int i = 0; i < c->message_count; i++)
		buf_addf(&b, "      - text: message %d\n        times: %d\n", i, c->times[i]);
	if (c->command_count > 0)
		buf_add(&b, STR("  commands:\n"));
	for (int i = 0; i < c->command_count; i++)
		buf_addf(&b,
			 "    - run: |\n        sleep 60 &\n        [ ! -e .slow ] || sleep 60\n"
			 "        [ ! -e .litter ] || touch made.txt\n        echo said\n"
			 "        [ ! -e .broken%d ]\n      timeout: 1\n      showStdout: true\n",
			 i);
	world_write(w, ".conclaude.yaml", buf_str(&b));
}

static void
write_gates(const struct world *w, const struct config *c)
{
	static const char *const paths[ENTRY_COUNT] = { ".", "src", "docs", "packages/*" };
	struct buf b = BUF(w->arena, SIZE_MAX);

	buf_addf(&b,
		 "base_branch: main\nmax_retries: %d\ncli:\n  default_preference: [mine]\n"
		 "  adapters:\n    mine: {command: [sh, " STR_FMT "/reviewer], prompt: stdin}\nstop_hook:\n"
		 "  enabled: %s\n  run_interval_minutes: %d\n  reverify: %s\nentry_points:\n",
		 c->max_retries, STR_ARG(w->dir), c->is_enabled ? "true" : "false", c->interval,
		 c->reverifies ? "true" : "false");
	for (int entry = ENTRY_ALL; entry < ENTRY_COUNT; entry++) {
		struct buf checks = BUF(w->arena, SIZE_MAX);
		bool has_review = c->has_review && (int)c->review_entry == entry;

		for (int i = 0; i < c->check_count; i++)
			if ((int)c->checks[i].entry == entry)
				buf_addf(&checks, "%sk%d", checks.n > 0 ? ", " : "", i);
		if (checks.n > 0 || has_review)
			buf_addf(&b, "  - path: \"%s\"\n", paths[entry]);
		if (checks.n > 0)
			buf_addf(&b, "    checks: [" STR_FMT "]\n", STR_ARG(buf_str(&checks)));
		if (has_review)
			buf_add(&b, STR("    reviews: [quality]\n"));
	}
	world_write(w, ".gauntlet/config.yml", buf_str(&b));
	for (int i = 0; i < c->check_count; i++)
		world_write(w, str_fmt(w->arena, ".gauntlet/checks/k%d.yml", i).s,
			    str_fmt(w->arena,
				    "command: sh " STR_FMT "/check %d %d 0 %d\nparallel: %s\nfail_fast: %s\n",
				    STR_ARG(w->dir), i, c->checks[i].manner, c->checks[i].variant,
				    c->checks[i].is_parallel ? "true" : "false",
				    c->checks[i].is_fail_fast ? "true" : "false"));
}

static void
write_native(const struct world *w, const struct config *c)
{
	static const char *const places[ENTRY_COUNT] = { NULL, "src", "docs", "packages/*" };
	static const char *const files[FILES_COUNT] = { NULL, "\"c*\"", "src", "\"!note\"",
							"\"!src\", \"src/c*\"" };
	struct buf b = BUF(w->arena, SIZE_MAX);

	buf_addf(&b, "%stries: %d\ngates:\n", c->names_base ? "base: main\n" : "", c->max_retries);
	for (int i = 0; i < c->check_count; i++) {
		const struct check *k = &c->checks[i];
		struct str command = str_fmt(w->arena, "sh " STR_FMT "/check %d %d %d %d", STR_ARG(w->dir), i,
					     k->manner, k->has_timeout, k->variant);
		bool is_short = k->entry == ENTRY_ALL && k->files == FILES_ALL && !k->has_timeout &&
				!k->is_rerun;

		buf_addf(&b, "  k%d:%s" STR_FMT "\n", i, is_short ? " " : "\n    run: ", STR_ARG(command));
		if (places[k->entry])
			buf_addf(&b, "    in: \"%s\"\n", places[k->entry]);
		if (files[k->files])
			buf_addf(&b, "    files: [%s]\n", files[k->files]);
		if (k->has_timeout)
			buf_add(&b, STR("    timeout: 3s\n"));
		if (k->is_rerun)
			buf_add(&b, STR("    reuse: false\n"));
	}
	world_write(w, "holdfast.yml", buf_str(&b));
}

/* The check writes what it does into the trace, for the model. */
void
world_write_check(const struct world *w)
{
	struct str text = str_fmt(
		w->arena,
		"file=src/c$1 package=-\n"
		"case $PWD in */packages/*) package=${PWD##*/} file=packages/$package/c ;; esac\n"
		"cd " STR_FMT "\n"
		"if [ \"$(cat ../hold)\" = $1 ]; then : >../hold.held; while [ -e ../hold ]; do sleep 0.02; "
		"done; fi\n"
		"[ $3 = 0 ] || ! grep -qx hang $file || { echo $1 fail $package >>" STR_FMT "; sleep 60; }\n"
		"if grep -qx good $file && ! grep -q bad $file && [ ! -x $file ]; then result=pass; else "
		"result=fail; fi\n"
		"echo $1 $result $package >>" STR_FMT "\n"
		"if [ \"$(cat ../hold.end)\" = $1 ]; then : >../hold.end.held; while [ -e ../hold.end ]; do "
		"sleep 0.02; "
		"done; fi\n"
		"case $2 in\n%d) sleep 60 & ;;\n"
		"%d) rm -f %s/*.log ;;\n"
		"%d) cd %s && rm -rf *.log .e* .*.lock; cd .. ;;\n"
		"%d) git checkout -q -b moved$$ ;;\n"
		"%d) " GIT_ADD "; git commit -q -m checked ;;\n"
		"%d) echo $$ >>src/written ;;\nesac\n"
		"[ $result = fail ] || exit 0\n"
		"[ $2 != %d ] || kill -SEGV $$\n"
		"exit 1\n",
		STR_ARG(w->project), STR_ARG(w->trace), STR_ARG(w->trace), MANNER_BACKGROUND, MANNER_CLEANS,
		w->logs, MANNER_FORGETS, w->logs, MANNER_SWITCHES, MANNER_COMMITS, MANNER_WRITES,
		MANNER_CRASH);

	world_write(w, str_fmt(w->arena, STR_FMT "/check", STR_ARG(w->dir)).s, text);
}

/* The reviewer gives the answer that the model chose. Only findings on added lines count: it reports one on the first added
 * line of the diff, and passes if there is none. */
void
world_write_reviewer(const struct world *w)
{
	static const char script[] =
		"place=$(awk '/^\\+\\+\\+ b\\// { file = substr($0, 7); next } /^\\+\\+\\+ / { file = \"\"; "
		"next }\n"
		"	/^@@ / { split($3, part, \",\"); line = part[1] + 0; next }\n"
		"	file != \"\" && /^\\+/ && place == \"\" { place = file \"\\\", \\\"line\\\": \" line "
		"}\n"
		"	/^[+ ]/ { line++ } END { print place }')\n"
		"[ $answer != finds ] || [ -n \"$place\" ] || answer=pass\n"
		"case $answer in empty|prose) shown=fails ;; *) shown=$answer ;; esac\n"
		"echo r $shown ${place%%\\\"*} >>$trace\n"
		"case $answer in\n"
		"pass) echo '{\"status\": \"pass\", \"message\": \"Nothing found\"}' ;;\n"
		"finds) echo '{\"status\": \"fail\", \"violations\": [{\"file\": \"'\"$place\"', \"issue\": "
		"\"wrong\", \"fix\": \"undo it\", "
		"\"priority\": \"high\", \"status\": \"new\"}]}' ;;\n"
		"limited) echo 'usage limit reached' >&2 && exit 1 ;;\n"
		"empty) ;;\n"
		"prose) echo 'It looks fine to me.' ;;\n"
		"*) echo 'no idea' && exit 1 ;;\nesac\n";

	world_write(w, str_fmt(w->arena, STR_FMT "/reviewer", STR_ARG(w->dir)).s,
		    str_fmt(w->arena, "trace=" STR_FMT "\nanswer=$(cat " STR_FMT ")\n%s", STR_ARG(w->trace),
			    STR_ARG(w->answer), script));
	world_write(w, w->answer.s, STR("pass\n"));
}

void
world_configure(const struct world *w, const struct config *c)
{
	if (c->has_yaml)
		write_yaml(w, c);
	if (c->is_native)
		write_native(w, c);
	else if (c->has_gates)
		write_gates(w, c);
}
