/* SPDX-License-Identifier: MIT */
/* Settings that decide whether tests count: coverage thresholds, the scripts that run tests, CI, and the gates and guards of
 * holdfast.yml. */
#include "base/duration.h"
#include "doc/json.h"
#include "doc/yaml.h"
#include "guards/tests/marks.h"
#include "guards/tests/tests.h"
#include "model/gate.h"

#define VALUE_SHOWN_BYTES 100

/* Is the file one of those, which are separated by blanks? */
static bool
is_file_of(const char *patterns, struct str path)
{
	struct str rest = str_from(patterns), one;

	while (str_next(&rest, ' ', &one))
		if (gate_is_for(&(struct str_list){ &one, 1 }, path))
			return true;
	return false;
}

/* ---- coverage ---- */

/* Files that may have thresholds, and what they are called there: a number follows, perhaps after : = > ( quotes or blanks. */
static const char threshold_files[] =
	"package.json jest.config.* vitest.config.* vite.config.* .nycrc .nycrc.json .c8rc .c8rc.json "
	"nyc.config.* karma.conf.* pyproject.toml .coveragerc setup.cfg tox.ini pytest.ini Makefile makefile "
	"justfile codecov.yml .codecov.yml build.gradle build.gradle.kts pom.xml spec_helper.rb "
	"rails_helper.rb test_helper.rb .simplecov composer.json phpunit.xml phpunit.xml.dist tarpaulin.toml "
	".tarpaulin.toml *.csproj Directory.Build.props coverlet.runsettings";
static const char threshold_names[] =
	"branches functions lines statements fail_under --cov-fail-under --fail-under --fail-under-lines "
	"minimum minimum_coverage refuse_coverage_drop target --min Threshold minimum_coverage_by_file";

struct threshold {
	struct str name;
	int64_t line;
	int64_t value; /* in millionths */
	struct str shown;
	bool is_matched;
};
struct thresholds {
	struct threshold *items;
	size_t count;
};

/* The number after the name. */
static bool
read_threshold(struct str rest, struct threshold *ret)
{
	size_t i = 0, begin;
	int64_t unit = 1000000; /* of the next digit, if it comes after the point */

	while (i < rest.n && str_find_char(STR(" \t:=>(\"'{"), rest.s[i]) >= 0)
		i++;
	for (begin = i; i < rest.n && i < begin + 12; i++)
		if (rest.s[i] == '.' && unit == 1000000)
			unit /= 10;
		else if (!is_digit(rest.s[i]))
			break;
		else if (unit == 1000000)
			ret->value = ret->value * 10 + (rest.s[i] - '0') * unit;
		else {
			ret->value += (rest.s[i] - '0') * unit;
			unit /= 10;
		}
	ret->shown = str_sub(rest, begin, i);
	return i > begin;
}

static struct thresholds
thresholds_of(struct arena *a, struct str text)
{
	struct thresholds all = { 0 };
	struct str line;

	for (int64_t number = 1; str_next(&text, '\n', &line); number++)
		for (struct str names = str_from(threshold_names), name; str_next(&names, ' ', &name);) {
			ptrdiff_t at = str_find(line, name);
			struct threshold t = { .name = name, .line = number };
			struct str rest = str_rest(line, (size_t)at + name.n);
			char before = at > 0 ? line.s[at - 1] : ' ', after = rest.n > 0 ? rest.s[0] : ' ';

			/* the names have - in them, too */
			if (at >= 0 && !is_name_char(before) && before != '-' && !is_name_char(after) &&
			    after != '-' && read_threshold(rest, &t))
				*arena_push(a, all.items, all.count) = t;
		}
	return all;
}

/* Has another file got it? */
static bool
is_moved(struct arena *a, const struct file_change *changes, size_t count, const struct file_change *from,
	 const struct threshold *t)
{
	for (size_t i = 0; i < count; i++) {
		bool is_other = &changes[i] != from && is_file_of(threshold_files, changes[i].path);
		struct thresholds other = thresholds_of(a, is_other ? changes[i].after : STR_NONE);

		for (size_t k = 0; k < other.count; k++)
			if (str_eq(other.items[k].name, t->name) && other.items[k].value >= t->value)
				return true;
	}
	return false;
}

/* The n-th of a name is compared with the n-th. */
static void
compare_thresholds(const struct file_change *changes, size_t count, const struct file_change *c,
		   struct test_findings *ret)
{
	struct arena *a = ret->arena;
	struct thresholds old = thresholds_of(a, c->before), new = thresholds_of(a, c->after);

	for_each (t, old.items, old.count) {
		struct threshold *now = NULL;

		for (size_t k = 0; k < new.count && !now; k++)
			if (!new.items[k].is_matched && str_eq(new.items[k].name, t->name))
				now = &new.items[k];
		if (now)
			now->is_matched = true;
		if (now ? now->value >= t->value : is_moved(a, changes, count, c, t))
			continue;
		/* Lines and functions are words that other settings use, too. */
		if (!now && t->name.s[0] != '-' && str_find(c->before, STR("over")) < 0)
			continue;
		struct str text = now ? str_cat(a, "a threshold is lower: '", t->name, "' was ", t->shown,
						" and is ", now->shown)
				      : str_cat(a, "a threshold is gone: '", t->name, "', which was ",
						t->shown);

		test_finding_add(ret, c->path, now ? now->line : t->line, text)->is_before = !now;
	}
}

/* ---- commands that can't fail ---- */

/* The text that makes a command succeed in any case; absent: none. */
static struct str
excuse_of(struct str command)
{
	struct str rest = STR("|| true,||true,|| :,|| exit 0,|| echo,; true,; exit 0,|| /bin/true,|| ok"),
		   one;

	while (str_next(&rest, ',', &one))
		if (str_find(command, one) >= 0)
			return one;
	return STR_NONE;
}

static bool
is_empty_command(struct str command)
{
	command = str_trim(command);
	return command.n == 0 || str_is(command, "exit 0") ||
	       str_is_word_of(command, "true : /bin/true exit echo") ||
	       (str_starts(command, STR("echo ")) && str_find_char(command, '|') < 0 &&
		str_find_char(command, '&') < 0 && str_find_char(command, ';') < 0);
}

/* What is worse about a command now, to follow its name; absent: nothing. */
static struct str
weaker_command(struct arena *a, struct str before, struct str after)
{
	struct str excuse = excuse_of(after);

	if (is_empty_command(after) && !is_empty_command(before))
		return str_cat(a, "checks nothing now: '", str_sub(str_trim(after), 0, VALUE_SHOWN_BYTES),
			       "'");
	return excuse.s && !excuse_of(before).s
		       ? str_cat(a, "can't fail any more: '", excuse, "' is in it now")
		       : STR_NONE;
}

static void
compare_scripts(const struct file_change *c, struct test_findings *ret)
{
	struct arena *a = ret->arena;
	struct node old, new = { 0 };

	if (json_parse(a, c->before, &old, IGNORED) < 0 ||
	    (c->after.s && json_parse(a, c->after, &new, IGNORED) < 0))
		return;
	const struct node *was = node_get(&old, "scripts"), *is = node_get(&new, "scripts");

	for (size_t i = 0; was && was->kind == NODE_MAP && i < was->count; i++) {
		const struct node_entry *e = &was->entries[i];
		const struct node *now = node_get(is, str_copy(a, e->key).s);
		bool is_there = now && now->kind == NODE_STRING;

		/* test, test:unit, ... */
		if (!str_is_word_of(str_before(e->key, ':'),
				    "test lint check typecheck type-check verify ci coverage") ||
		    e->value.kind != NODE_STRING || is_empty_command(e->value.text))
			continue;
		struct str weaker = is_there ? weaker_command(a, e->value.text, now->text) : STR("is gone");

		if (weaker.s)
			test_finding_add(ret, c->path,
					 is_there ? now->line
					 : is     ? is->line
						  : 0,
					 str_cat(a, "the script '", e->key, "' ", weaker));
	}
}

/* ---- CI, makefiles and scripts, line by line ---- */

static const char line_files[] =
	".github/workflows .gitlab-ci.yml .circleci/config.yml azure-pipelines.yml Jenkinsfile .travis.yml "
	"bitbucket-pipelines.yml .pre-commit-config.yaml Makefile makefile GNUmakefile justfile Justfile "
	"Taskfile.yml tox.ini noxfile.py lefthook.yml .husky .githooks /scripts /bin /ci *.mk";

static void
compare_lines(const struct file_change *c, struct test_findings *ret)
{
	static const char forgiving[] = "continue-on-error: true|allow_failure: true|fail_ci_if_error: false|"
					"if: false|if: ${{ false }}|when: never";
	struct arena *a = ret->arena;
	struct strset before = lines_of_text(a, c->before);
	struct str rest = c->after, line, one;

	for (int64_t number = 1; str_next(&rest, '\n', &line); number++) {
		line = str_trim(line);
		if (line.n == 0 || line.s[0] == '#' || strset_has(&before, line))
			continue;
		struct str excuse = excuse_of(line), shown = str_sub(line, 0, VALUE_SHOWN_BYTES);

		for (struct str list = str_from(forgiving); str_next(&list, '|', &one);)
			if (str_ends(line, one))
				test_finding_add(
					ret, c->path, number,
					str_cat(a, "a failure does not count any more: '", shown, "'"));
		/* the line was there without the excuse */
		ptrdiff_t at = excuse.s ? str_find(line, excuse) : 0;
		struct str lead = str_trim(str_sub(line, 0, (size_t)at));

		if ((lead.n > 0 && strset_has(&before, lead)) ||
		    (line.s[0] == '-' && line.n > 1 && line.s[1] != ' ' &&
		     str_find(c->path, STR("akefile")) >= 0 &&
		     strset_has(&before, str_trim(str_rest(line, 1)))))
			test_finding_add(ret, c->path, number,
					 str_cat(a, "a command can't fail any more: '", shown, "'"));
	}
}

/* ---- holdfast.yml ---- */

static int64_t
number_of(const struct node *map, const char *key, int64_t otherwise)
{
	const struct node *n = node_get(map, key);

	return n && n->kind == NODE_INT ? n->integer : otherwise;
}

static bool
is_turned_off(const struct node *old, const struct node *new, const char *key)
{
	const struct node *was = node_get(old, key), *is = node_get(new, key);

	return is && is->kind == NODE_BOOL && !is->boolean &&
	       !(was && was->kind == NODE_BOOL && !was->boolean);
}

/* The text of an item of a list: a pattern, or a map with one. */
static struct str
text_of(const struct node *item)
{
	return item->kind == NODE_MAP ? node_get_str(item, "path") : item->text;
}

static bool
has_text(const struct node *list, struct str text)
{
	if (list && list->kind == NODE_STRING)
		return str_eq(list->text, text);
	for (size_t i = 0; list && list->kind == NODE_LIST && i < list->count; i++)
		if (str_eq(text_of(&list->items[i]), text))
			return true;
	return false;
}

/* Items that a list had and has no more. */
static void
compare_list(struct str file, const struct node *old, const struct node *new, struct str what,
	     struct test_findings *ret)
{
	for (size_t i = 0; old && old->kind == NODE_LIST && i < old->count; i++) {
		struct str text = text_of(&old->items[i]);

		if (text.s && !has_text(new, text))
			test_finding_add(ret, file, new ? new->line : 0,
					 str_cat(ret->arena, what, " no longer has '", text, "'"));
	}
}

struct gate_pair {
	struct str file, name;
	const struct node *old, *new;
	struct test_findings *ret;
};

static void
add_gate(const struct gate_pair *p, const char *key, struct str text)
{
	const struct node *at = node_get(p->new, key);

	test_finding_add(p->ret, p->file, at ? at->line : p->new->line,
			 str_cat(p->ret->arena, "the gate '", p->name, "' ", text));
}

static void
compare_gate(const struct gate_pair *p)
{
	static const char *const flags[][2] = {
		{ "enabled", "is turned off" },
		{ "run_locally", "does not run here any more" },
		{ "run_in_ci", "does not run in CI any more" },
	};
	struct arena *a = p->ret->arena;
	struct str was = p->old->kind == NODE_MAP ? node_get_str(p->old, "run") : p->old->text;
	struct str is = p->new->kind == NODE_MAP ? node_get_str(p->new, "run") : p->new->text;
	struct str weaker = was.s ? weaker_command(a, was, is) : STR_NONE;

	if (weaker.s)
		add_gate(p, "run", weaker);
	const struct node *had = node_get(p->old, "files"), *has = node_get(p->new, "files");

	if (!had && has)
		add_gate(p, "files", STR("looks at fewer files: it had no 'files'"));
	else if (has)
		compare_list(p->file, had, has,
			     str_cat(a, "the gate '", p->name, "' looks at fewer files: 'files'"), p->ret);
	int64_t retries = number_of(p->new, "retries", 0), old_ms, new_ms;

	if (retries > number_of(p->old, "retries", 0))
		add_gate(p, "retries", str_cat(a, "may fail more often: 'retries' is ", retries));
	for (size_t i = 0; i < COUNT_OF(flags); i++)
		if (is_turned_off(p->old, p->new, flags[i][0]))
			add_gate(p, flags[i][0], str_from(flags[i][1]));
	struct str old_time = node_get_str(p->old, "timeout"), new_time = node_get_str(p->new, "timeout");

	if (old_time.s && new_time.s && duration_parse(old_time, &old_ms) &&
	    duration_parse(new_time, &new_ms) && new_ms > old_ms)
		add_gate(p, "timeout",
			 str_cat(a, "may take longer: 'timeout' was ", old_time, " and is ", new_time));
}

static void
compare_definitions(const struct file_change *c, struct test_findings *ret)
{
	struct arena *a = ret->arena;
	struct node old, new = { 0 };

	if (yaml_parse(a, c->before, &old, IGNORED) < 0)
		return;
	if (!c->after.s || yaml_parse(a, c->after, &new, IGNORED) < 0) {
		test_finding_add(ret, c->path, 0,
				 str_cat(a, "the file that defines the gates ",
					 c->after.s ? "can't be read any more" : "is deleted"));
		return;
	}
	const struct node *was = node_get(&old, "gates"), *is = node_get(&new, "gates");

	for (size_t i = 0; was && was->kind == NODE_MAP && i < was->count; i++) {
		const struct node_entry *e = &was->entries[i];
		const char *name = str_copy(a, e->key).s;
		struct gate_pair p = { c->path, e->key, &e->value, node_get(is, name), ret };

		/* of two gates with the same name, which is an error, one counts */
		if (node_get(was, name) != &e->value)
			continue;
		if (p.new)
			compare_gate(&p);
		else
			test_finding_add(ret, c->path, is ? is->line : 0,
					 str_cat(a, "the gate '", e->key, "' is gone"));
	}
	if (is_turned_off(&old, &new, "run_at_stop"))
		test_finding_add(ret, c->path, node_get(&new, "run_at_stop")->line,
				 STR("the gates do not run at a stop any more"));
	int64_t tries = number_of(&new, "tries", 3);
	const struct node *at = node_get(&new, "tries");

	if (tries < number_of(&old, "tries", 3))
		test_finding_add(ret, c->path, at ? at->line : 0, str_cat(a, "'tries' is lower: ", tries));
	const struct node *guarded = node_get(&old, "guards"), *guards = node_get(&new, "guards");

	compare_list(c->path, node_get(guarded, "protect"), node_get(guards, "protect"),
		     STR("guards.protect"), ret);
	compare_list(c->path, node_get(guarded, "use"), node_get(guards, "use"), STR("guards.use"), ret);
	if (node_get(guarded, "tests") &&
	    (!node_get(guards, "tests") || is_turned_off(guarded, guards, "tests")))
		test_finding_add(ret, c->path, guards ? guards->line : 0, STR("guards.tests is turned off"));
}

/* ---- all of them ---- */

bool
settings_concern(struct str path)
{
	return str_is(path_base(path), "holdfast.yml") || is_file_of(threshold_files, path) ||
	       is_file_of(line_files, path);
}

void
settings_compare(const struct file_change *changes, size_t count, struct test_findings *ret)
{
	for_each (c, changes, count) {
		if (!c->before.s)
			continue;
		if (str_is(path_base(c->path), "holdfast.yml"))
			compare_definitions(c, ret);
		if (str_is(path_base(c->path), "package.json"))
			compare_scripts(c, ret);
		if (is_file_of(threshold_files, c->path))
			compare_thresholds(changes, count, c, ret);
		if (c->after.s && is_file_of(line_files, c->path))
			compare_lines(c, ret);
	}
}
