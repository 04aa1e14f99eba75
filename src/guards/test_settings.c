/* SPDX-License-Identifier: MIT */
/* Settings that decide whether tests count: coverage thresholds, the scripts that run tests, and CI. */
#include "base/path.h"
#include "doc/json.h"
#include "guards/tests.h"
#include "model/gate.h"

#define VALUE_SHOWN_BYTES 100

void
test_finding_note(struct arena *a, struct test_findings *all, struct str file, int64_t line, const char *fmt,
		  ...)
{
	va_list args;

	va_start(args, fmt);
	test_finding_add(a, all, (struct test_finding){ file, line, false, str_vfmt(a, fmt, args) });
	va_end(args);
}

/* ---- coverage ---- */

/* Files that may have thresholds, and what they are called there: a number follows, perhaps after : = > ( quotes or blanks. */
static struct str threshold_file_items[] = {
	STR("package.json"),
	STR("jest.config.*"),
	STR("vitest.config.*"),
	STR("vite.config.*"),
	STR(".nycrc"),
	STR(".nycrc.json"),
	STR(".c8rc"),
	STR(".c8rc.json"),
	STR("nyc.config.*"),
	STR("karma.conf.*"),
	STR("pyproject.toml"),
	STR(".coveragerc"),
	STR("setup.cfg"),
	STR("tox.ini"),
	STR("pytest.ini"),
	STR("Makefile"),
	STR("makefile"),
	STR("justfile"),
	STR("codecov.yml"),
	STR(".codecov.yml"),
	STR("build.gradle"),
	STR("build.gradle.kts"),
	STR("pom.xml"),
	STR("spec_helper.rb"),
	STR("rails_helper.rb"),
	STR("test_helper.rb"),
	STR(".simplecov"),
	STR("composer.json"),
	STR("phpunit.xml"),
	STR("phpunit.xml.dist"),
	STR("tarpaulin.toml"),
	STR(".tarpaulin.toml"),
	STR("*.csproj"),
	STR("Directory.Build.props"),
	STR("coverlet.runsettings"),
};
static const struct str_list threshold_files = { threshold_file_items, COUNT_OF(threshold_file_items) };
static const char *const threshold_names[] = {
	"branches",
	"functions",
	"lines",
	"statements",
	"fail_under",
	"--cov-fail-under",
	"--fail-under",
	"--fail-under-lines",
	"minimum",
	"minimum_coverage",
	"refuse_coverage_drop",
	"target",
	"--min",
	"Threshold",
	"minimum_coverage_by_file",
};

struct threshold {
	struct str name;
	int64_t line;
	int64_t value; /* in millionths */
	struct str shown;
	bool is_matched;
};
struct thresholds {
	struct threshold *items;
	size_t count, capacity;
};

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-';
}

/* The number after the name. */
static bool
read_threshold(struct str rest, struct threshold *ret)
{
	size_t i = 0, begin;
	int64_t scale = 1000000;

	while (i < rest.n && str_find_char(STR(" \t:=>(\"'{"), rest.s[i]) >= 0)
		i++;
	begin = i;
	for (; i < rest.n && i < begin + 12 &&
	       ((rest.s[i] >= '0' && rest.s[i] <= '9') || (rest.s[i] == '.' && scale == 1000000));
	     i++) {
		if (rest.s[i] == '.') {
			scale = 100000;
			continue;
		}
		ret->value = scale == 1000000 ? ret->value * 10 + (rest.s[i] - '0') * scale
					      : ret->value + (rest.s[i] - '0') * scale;
		if (scale < 1000000)
			scale /= 10;
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
		for (size_t k = 0; k < COUNT_OF(threshold_names); k++) {
			struct str name = str_from(threshold_names[k]);
			ptrdiff_t at = str_find(line, name);
			struct threshold t = { .name = name, .line = number };

			if (at < 0 || (at > 0 && is_name_char(line.s[at - 1])) ||
			    ((size_t)at + name.n < line.n && is_name_char(line.s[(size_t)at + name.n])) ||
			    !read_threshold(str_sub(line, (size_t)at + name.n, line.n), &t))
				continue;
			arena_make_room(a, all.items, all.count, &all.capacity);
			all.items[all.count++] = t;
		}
	return all;
}

/* Has another file got it? */
static bool
is_moved(struct arena *a, const struct file_change *changes, size_t count, const struct file_change *from,
	 const struct threshold *t)
{
	for (size_t i = 0; i < count; i++) {
		if (&changes[i] == from || !changes[i].after.s ||
		    !gate_is_for(&threshold_files, changes[i].path))
			continue;
		struct thresholds other = thresholds_of(a, changes[i].after);

		for (size_t k = 0; k < other.count; k++)
			if (str_eq(other.items[k].name, t->name) && other.items[k].value >= t->value)
				return true;
	}
	return false;
}

/* The n-th of a name is compared with the n-th. */
static void
compare_thresholds(struct arena *a, const struct file_change *changes, size_t count,
		   const struct file_change *c, struct test_findings *ret)
{
	struct thresholds old = thresholds_of(a, c->before), new = thresholds_of(a, c->after);

	for (size_t i = 0; i < old.count; i++) {
		const struct threshold *t = &old.items[i];
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
		if (now)
			test_finding_note(a, ret, c->path, now->line,
					  "a threshold is lower: '" STR_FMT "' was " STR_FMT
					  " and is " STR_FMT,
					  STR_ARG(t->name), STR_ARG(t->shown), STR_ARG(now->shown));
		else
			test_finding_add(
				a, ret,
				(struct test_finding){
					c->path, t->line, true,
					str_fmt(a, "a threshold is gone: '" STR_FMT "', which was " STR_FMT,
						STR_ARG(t->name), STR_ARG(t->shown)) });
	}
}

/* ---- commands that can't fail ---- */

/* The text that makes a command succeed in any case; absent: none. */
static struct str
excuse_of(struct str command)
{
	static const char *const excuses[] = { "|| true", "||true",   "|| :",         "|| exit 0", "|| echo",
					       "; true",  "; exit 0", "|| /bin/true", "|| ok" };

	for (size_t i = 0; i < COUNT_OF(excuses); i++)
		if (str_find(command, str_from(excuses[i])) >= 0)
			return str_from(excuses[i]);
	return STR_NONE;
}

static bool
is_empty_command(struct str command)
{
	static const char *const empty[] = { "", "true", ":", "exit 0", "/bin/true", "exit", "echo" };

	command = str_trim(command);
	for (size_t i = 0; i < COUNT_OF(empty); i++)
		if (str_is(command, empty[i]))
			return true;
	return str_starts(command, STR("echo ")) && str_find_char(command, '|') < 0 &&
	       str_find_char(command, '&') < 0 && str_find_char(command, ';') < 0;
}

/* What is worse about a command now; absent: nothing. */
struct str
weaker_command(struct arena *a, struct str before, struct str after)
{
	struct str excuse = excuse_of(after);

	if (is_empty_command(after) && !is_empty_command(before))
		return str_fmt(a, "checks nothing now: '" STR_FMT "'",
			       STR_ARG(str_sub(str_trim(after), 0, VALUE_SHOWN_BYTES)));
	if (excuse.s && !excuse_of(before).s)
		return str_fmt(a, "can't fail any more: '" STR_FMT "' is in it now", STR_ARG(excuse));
	return STR_NONE;
}

static bool
is_test_script(struct str name)
{
	static const char *const names[] = { "test",       "lint",   "check", "typecheck",
					     "type-check", "verify", "ci",    "coverage" };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct str first = str_from(names[i]);

		if (str_starts(name, first) && (name.n == first.n || name.s[first.n] == ':'))
			return true;
	}
	return false;
}

static void
compare_scripts(struct arena *a, const struct file_change *c, struct test_findings *ret)
{
	struct node old, new = { 0 };
	struct err ignored;

	if (json_parse(a, c->before, &old, &ignored) < 0)
		return;
	if (c->after.s && json_parse(a, c->after, &new, &ignored) < 0)
		return;
	const struct node *was = node_get(&old, "scripts"), *is = node_get(&new, "scripts");

	for (size_t i = 0; was && was->kind == NODE_MAP && i < was->count; i++) {
		const struct node_entry *e = &was->entries[i];
		struct str command = str_copy(a, e->key), weaker;

		if (!is_test_script(e->key) || e->value.kind != NODE_STRING ||
		    is_empty_command(e->value.text))
			continue;
		const struct node *now = node_get(is, command.s);

		if (!now || now->kind != NODE_STRING)
			test_finding_note(a, ret, c->path, is ? is->line : 0,
					  "the script '" STR_FMT "' is gone", STR_ARG(e->key));
		else if ((weaker = weaker_command(a, e->value.text, now->text)).s)
			test_finding_note(a, ret, c->path, now->line, "the script '" STR_FMT "' " STR_FMT,
					  STR_ARG(e->key), STR_ARG(weaker));
	}
}

/* ---- CI, makefiles and scripts, line by line ---- */

static struct str line_file_items[] = {
	STR(".github/workflows"),
	STR(".gitlab-ci.yml"),
	STR(".circleci/config.yml"),
	STR("azure-pipelines.yml"),
	STR("Jenkinsfile"),
	STR(".travis.yml"),
	STR("bitbucket-pipelines.yml"),
	STR(".pre-commit-config.yaml"),
	STR("Makefile"),
	STR("makefile"),
	STR("GNUmakefile"),
	STR("justfile"),
	STR("Justfile"),
	STR("Taskfile.yml"),
	STR("tox.ini"),
	STR("noxfile.py"),
	STR("lefthook.yml"),
	STR(".husky"),
	STR(".githooks"),
	STR("/scripts"),
	STR("/bin"),
	STR("/ci"),
	STR("*.mk"),
};
static const struct str_list line_files = { line_file_items, COUNT_OF(line_file_items) };

/* Was the line there without the excuse? */
static bool
had_without(const struct strset *before, struct str line, struct str excuse)
{
	ptrdiff_t at = str_find(line, excuse);
	struct str lead = str_trim(str_sub(line, 0, at < 0 ? line.n : (size_t)at));

	return lead.n > 0 && strset_has(before, lead);
}

static void
compare_lines(struct arena *a, const struct file_change *c, struct test_findings *ret)
{
	static const char *const forgiving[] = { "continue-on-error: true", "allow_failure: true",
						 "fail_ci_if_error: false", "if: false",
						 "if: ${{ false }}",        "when: never" };
	struct strset before = lines_of_text(a, c->before);
	struct str rest = c->after, line;

	for (int64_t number = 1; str_next(&rest, '\n', &line); number++) {
		line = str_trim(line);
		if (line.n == 0 || line.s[0] == '#' || strset_has(&before, line))
			continue;
		struct str excuse = excuse_of(line), shown = str_sub(line, 0, VALUE_SHOWN_BYTES);

		for (size_t i = 0; i < COUNT_OF(forgiving); i++)
			if (str_ends(line, str_from(forgiving[i])))
				test_finding_note(a, ret, c->path, number,
						  "a failure does not count any more: '" STR_FMT "'",
						  STR_ARG(shown));
		if ((excuse.s && had_without(&before, line, excuse)) ||
		    (line.s[0] == '-' && line.n > 1 && line.s[1] != ' ' &&
		     str_find(c->path, STR("akefile")) >= 0 &&
		     strset_has(&before, str_trim(str_sub(line, 1, line.n)))))
			test_finding_note(a, ret, c->path, number,
					  "a command can't fail any more: '" STR_FMT "'", STR_ARG(shown));
	}
}

/* ---- all of them ---- */

static bool
is_package(struct str path)
{
	return str_eq(path_base(path), STR("package.json"));
}

bool
settings_concern(struct str path)
{
	return is_definitions(path) || is_package(path) || gate_is_for(&threshold_files, path) ||
	       gate_is_for(&line_files, path);
}

void
settings_compare(struct arena *a, const struct file_change *changes, size_t count, struct test_findings *ret)
{
	for (size_t i = 0; i < count; i++) {
		const struct file_change *c = &changes[i];

		if (!c->before.s)
			continue;
		if (is_definitions(c->path))
			compare_definitions(a, c, ret);
		if (is_package(c->path))
			compare_scripts(a, c, ret);
		if (gate_is_for(&threshold_files, c->path))
			compare_thresholds(a, changes, count, c, ret);
		if (c->after.s && gate_is_for(&line_files, c->path))
			compare_lines(a, c, ret);
	}
}
