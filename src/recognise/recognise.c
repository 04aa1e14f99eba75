/* SPDX-License-Identifier: MIT */
/* Who may propose what: the table of what is usual for a language or a tool, scripts and targets that the project has itself, and
 * its CI. Pure. */
#include "recognise/recognise.h"

#include "base/glob.h"
#include "doc/json.h"
#include "doc/yaml.h"

#define PROPOSALS_MAX 64
#define CI_FILES ".github/workflows/* .gitlab-ci.yml"

/* What a gate is for, and its name. */
#define ROLE_TEST "test"
#define ROLE_LINT "lint"
#define ROLE_TYPES "types"
#define ROLE_FORMAT "format"

struct recognition {
	struct arena *arena;
	const struct project_files *files;
	struct proposals *proposals;
};

static bool
has(struct str text, const char *part)
{
	return str_find(text, str_from(part)) >= 0;
}

/* The first file of such a name that has the text (NULL: any); NULL: none. */
static const struct project_file *
find_file(const struct recognition *r, const char *patterns, const char *text)
{
	for_each (f, r->files->items, r->files->count)
		if (glob_match_any(patterns, f->name) && (!text || has(f->text, text)))
			return f;
	return NULL;
}

static bool
is_named(const struct proposals *p, struct str name)
{
	for (size_t i = 0; i < p->count; i++)
		if (str_eq(p->items[i].name, name))
			return true;
	return false;
}

/* Proposes the gate, which without a name gets that of its role, unless the role is taken: by a runner, by the same ecosystem, or,
 * for a runner, by anybody. A second ecosystem gets a name of its own. */
static void
offer_gate(struct recognition *r, struct proposed_gate gate)
{
	struct proposals *p = r->proposals;
	bool is_second = false;

	for_each (g, p->items, p->count) {
		if (!str_is(str_from(g->role), gate.role))
			continue;
		if (!g->ecosystem || !gate.ecosystem || str_is(str_from(g->ecosystem), gate.ecosystem))
			return;
		is_second = true;
	}
	if (!gate.name.s)
		gate.name = str_from(gate.role);
	if (is_second || is_named(p, gate.name))
		gate.name = str_cat(r->arena, gate.name, "-", gate.ecosystem ? gate.ecosystem : "all");
	if (p->count < PROPOSALS_MAX && !is_named(p, gate.name))
		*arena_push(r->arena, p->items, p->count) = gate;
}

/* ---- what is usual ---- */

/* Rows of one ecosystem and role are alternatives, the best first. */
struct row {
	const char *ecosystem; /* NULL: a runner of checks of any language */
	const char *file;      /* one of these names is there... */
	const char *has;       /* ...has this text, if there is one... */
	const char *ci;        /* ...and so has the CI */
	const char *role;
	const char *command; /* {run} and {python} are what the project's lock file asks for */
	const char *pattern;
	const char *name; /* of the gate; NULL: the role */
};

#define PYTHON_FILES "*.{py,pyi}"
#define RUST_FILES "*.rs"
#define CLIPPY "cargo clippy --all-targets -- -D warnings"
#define CMAKE "cmake -S . -B build && cmake --build build"
#define MESON "{ test -e build/build.ninja || meson setup build; } && "
#define ROW(ecosystem_, file_, has_, role_, command_, pattern_)                             \
	{                                                                                   \
		.ecosystem = (ecosystem_), .file = (file_), .has = (has_), .role = (role_), \
		.command = (command_), .pattern = (pattern_)                                \
	}
#define TEST(ecosystem_, file_, has_, command_) ROW(ecosystem_, file_, has_, ROLE_TEST, command_, NULL)
#define LINT(ecosystem_, file_, has_, command_, pattern_) \
	ROW(ecosystem_, file_, has_, ROLE_LINT, command_, pattern_)
/* Only where the CI does it too: on other projects it would fail from the first day. */
#define AS_CI(ecosystem_, file_, ci_, role_, command_, pattern_)                          \
	{                                                                                 \
		.ecosystem = (ecosystem_), .file = (file_), .ci = (ci_), .role = (role_), \
		.command = (command_), .pattern = (pattern_)                              \
	}
#define HOOKS(file_, has_, name_, command_)                                                               \
	{                                                                                                 \
		.file = (file_), .has = (has_), .role = ROLE_LINT, .command = (command_), .name = (name_) \
	}
/* Where there are no tests, it must build. */
#define BUILD(ecosystem_, file_, has_, command_)                                              \
	{                                                                                     \
		.ecosystem = (ecosystem_), .file = (file_), .has = (has_), .role = ROLE_TEST, \
		.command = (command_), .name = "build"                                        \
	}

static const struct row rows[] = {
	HOOKS("lefthook.yml .lefthook.yml lefthook.yaml", "pre-commit:", "lefthook",
	      "lefthook run pre-commit --all-files"),
	HOOKS("hk.pkl", NULL, "hk", "hk check --all"),
	HOOKS(".pre-commit-config.yaml", NULL, "pre-commit", "pre-commit run --all-files"),

	TEST("cargo", "Cargo.toml", "[workspace]", "cargo test --workspace"),
	TEST("cargo", "Cargo.toml", NULL, "cargo test"),
	LINT("cargo", "clippy.toml .clippy.toml", NULL, CLIPPY, RUST_FILES),
	AS_CI("cargo", "Cargo.toml", "clippy", ROLE_LINT, CLIPPY, RUST_FILES),
	ROW("cargo", "rustfmt.toml .rustfmt.toml", NULL, ROLE_FORMAT, "cargo fmt --check", RUST_FILES),
	AS_CI("cargo", "Cargo.toml", "cargo fmt", ROLE_FORMAT, "cargo fmt --check", RUST_FILES),

	TEST("go", "go.mod", NULL, "go test ./..."),
	LINT("go", ".golangci.y*ml .golangci.toml", NULL, "golangci-lint run", "*.go"),
	LINT("go", "go.mod", NULL, "go vet ./...", "*.go"),

	TEST("python", "pytest.ini conftest.py", NULL, "{python} -m pytest"),
	TEST("python", "pyproject.toml setup.cfg requirements*.txt Pipfile tox.ini", "pytest",
	     "{python} -m pytest"),
	TEST("python", "tox.ini", NULL, "tox"),
	TEST("python", "noxfile.py", NULL, "nox"),
	TEST("python", "tests/test_*.py", NULL, "{python} -m unittest discover -s tests -t ."),
	TEST("python", "test/test_*.py", NULL, "{python} -m unittest discover -s test -t ."),
	TEST("python", "test_*.py", NULL, "{python} -m unittest"),
	LINT("python", "ruff.toml .ruff.toml", NULL, "{run}ruff check .", PYTHON_FILES),
	LINT("python", "pyproject.toml", "[tool.ruff", "{run}ruff check .", PYTHON_FILES),
	LINT("python", ".flake8", NULL, "{run}flake8", PYTHON_FILES),
	LINT("python", "setup.cfg tox.ini", "[flake8]", "{run}flake8", PYTHON_FILES),
	ROW("python", "pyproject.toml", "[tool.ruff.format", ROLE_FORMAT, "{run}ruff format --check .",
	    PYTHON_FILES),
	ROW("python", "mypy.ini .mypy.ini", NULL, ROLE_TYPES, "{run}mypy .", PYTHON_FILES),
	ROW("python", "pyproject.toml", "[tool.mypy", ROLE_TYPES, "{run}mypy .", PYTHON_FILES),
	ROW("python", "setup.cfg", "[mypy", ROLE_TYPES, "{run}mypy .", PYTHON_FILES),

	TEST("maven", "mvnw", NULL, "./mvnw -q -B test"),
	TEST("maven", "pom.xml", NULL, "mvn -q -B test"),
	TEST("gradle", "gradlew", NULL, "./gradlew test"),
	TEST("gradle", "build.gradle*", NULL, "gradle test"),

	TEST("cmake", "CMakeLists.txt", "enable_testing",
	     CMAKE " && ctest --test-dir build --output-on-failure"),
	TEST("cmake", "CMakeLists.txt", "CTest", CMAKE " && ctest --test-dir build --output-on-failure"),
	BUILD("cmake", "CMakeLists.txt", NULL, CMAKE),
	TEST("meson", "meson.build", "test(", MESON "meson test -C build --print-errorlogs"),
	BUILD("meson", "meson.build", "project(", MESON "meson compile -C build"),

	TEST("ruby", "bin/rails", NULL, "bin/rails test"),
	TEST("ruby", ".rspec", NULL, "bundle exec rspec"),
	TEST("ruby", "Gemfile", "rspec", "bundle exec rspec"),
	TEST("ruby", "Rakefile", "TestTask", "bundle exec rake test"),
	LINT("ruby", ".rubocop.yml", NULL, "bundle exec rubocop", "*.rb"),

	TEST("php", "phpunit.xml*", NULL, "vendor/bin/phpunit"),
	TEST("php", "composer.json", "phpunit/phpunit", "vendor/bin/phpunit"),
	LINT("php", "phpstan.neon*", NULL, "vendor/bin/phpstan analyse", "*.php"),
	ROW("php", ".php-cs-fixer*.php", NULL, ROLE_FORMAT, "vendor/bin/php-cs-fixer check", "*.php"),

	TEST("dotnet", "*.sln* *.csproj *.fsproj", NULL, "dotnet test"),

	TEST("elixir", "mix.exs", NULL, "mix test"),
	LINT("elixir", ".credo.exs", NULL, "mix credo", "*.{ex,exs}"),
	ROW("elixir", ".formatter.exs", NULL, ROLE_FORMAT, "mix format --check-formatted", "*.{ex,exs}"),
};

/* How a Python project starts its tools. */
static const struct {
	const char *file, *run;
} starters[] = {
	{ "uv.lock", "uv run " },
	{ "poetry.lock", "poetry run " },
	{ "pdm.lock", "pdm run " },
	{ "Pipfile.lock", "pipenv run " },
};

static struct str
command_of(const struct recognition *r, const char *command)
{
	struct str run = STR(""), python = STR("python3");

	for (size_t i = 0; i < COUNT_OF(starters) && run.n == 0; i++)
		if (find_file(r, starters[i].file, NULL)) {
			run = str_from(starters[i].run);
			python = str_cat(r->arena, run, "python");
		}
	return str_replace(r->arena, str_replace(r->arena, str_from(command), STR("{run}"), run),
			   STR("{python}"), python);
}

static void
offer_ecosystems(struct recognition *r, bool are_runners)
{
	for_each (row, rows, COUNT_OF(rows)) {
		if ((row->ecosystem == NULL) == are_runners && find_file(r, row->file, row->has) &&
		    (!row->ci || find_file(r, CI_FILES, row->ci)))
			offer_gate(r, (struct proposed_gate){ .role = row->role,
							      .ecosystem = row->ecosystem,
							      .name = str_from(row->name),
							      .command = command_of(r, row->command),
							      .pattern = str_from(row->pattern) });
	}
}

/* ---- scripts ---- */

/* Names of scripts without their punctuation (type-check, type:check), the best for a role first. */
static const struct {
	const char *names, *role, *gate; /* gate NULL: named as the role */
} script_names[] = {
	{ "test tests testunit unittest testci", ROLE_TEST, NULL },
	{ "check", ROLE_TEST, "check" },
	{ "lint lintcheck checklint eslint", ROLE_LINT, NULL },
	{ "typecheck checktype checktypes types mypy", ROLE_TYPES, NULL },
	{ "formatcheck checkformat fmtcheck checkfmt prettiercheck", ROLE_FORMAT, NULL },
};

static struct str
bare_name(struct arena *a, struct str name)
{
	name = str_replace(a, name, STR("-"), STR(""));
	name = str_replace(a, name, STR(":"), STR(""));
	return str_replace(a, name, STR("_"), STR(""));
}

/* How scripts of these names are run: by a program in front of the name. */
struct runner {
	const char *ecosystem, *program;
	const char *test; /* what runs the script `test`; NULL: the same */
};

/* Offers, for each role, the best of the names. */
static void
offer_named(struct recognition *r, const struct str_list *names, const struct runner *how)
{
	for (size_t i = 0; i < COUNT_OF(script_names); i++) {
		struct str words = str_from(script_names[i].names), word;

		while (str_next(&words, ' ', &word))
			for (size_t k = 0; k < names->count; k++) {
				struct str name = names->items[k];
				struct str command = how->test && str_is(name, "test")
							     ? str_from(how->test)
							     : str_cat(r->arena, how->program, " ", name);

				if (str_eq(bare_name(r->arena, name), word))
					offer_gate(r, (struct proposed_gate){
							      .role = script_names[i].role,
							      .ecosystem = how->ecosystem,
							      .name = str_from(script_names[i].gate),
							      .command = command });
			}
	}
}

/* ---- package.json ---- */

static struct str_list
scripts_of(struct arena *a, struct str text, struct node *ret_document)
{
	struct str_list l = { 0 };

	*ret_document = (struct node){ 0 };
	if (!text.s || json_parse(a, text, ret_document, IGNORED) < 0)
		return l;
	const struct node *scripts = node_get(ret_document, "scripts");

	for (size_t i = 0; scripts && scripts->kind == NODE_MAP && i < scripts->count; i++) {
		const struct node *script = &scripts->entries[i].value;
		bool watches = has(script->text, "--watch") && !has(script->text, "=false");

		/* Not one that never ends, or that npm has written to say that there is none. */
		if (script->kind == NODE_STRING && !watches && !has(script->text, "no test specified"))
			*arena_push(a, l.items, l.count) = scripts->entries[i].key;
	}
	return l;
}

/* By lock file, else by the field packageManager, else npm. */
static const struct manager {
	const char *name;
	const char *files;            /* with blanks between */
	const char *test, *run, *all; /* the last is for all workspaces */
} managers[] = {
	{ "pnpm", "pnpm-lock.yaml pnpm-workspace.yaml", "pnpm test", "pnpm run", "pnpm -r --if-present run" },
	{ "yarn", "yarn.lock", "yarn test", "yarn run", "yarn workspaces run" },
	{ "bun", "bun.lock bun.lockb", "bun run test", "bun run", "bun run --filter '*'" },
	{ "npm", "package-lock.json", "npm test", "npm run", "npm run --workspaces --if-present" },
};

static const struct manager *
find_manager(const struct recognition *r, const struct node *package)
{
	struct str field = node_get_str(package, "packageManager");

	for (size_t i = 0; i < COUNT_OF(managers); i++)
		if (find_file(r, managers[i].files, NULL))
			return &managers[i];
	for (size_t i = 0; i < COUNT_OF(managers); i++)
		if (str_starts(field, str_from(managers[i].name)))
			return &managers[i];
	return &managers[COUNT_OF(managers) - 1];
}

static void
offer_node(struct recognition *r)
{
	const struct project_file *f = find_file(r, "package.json", NULL);
	struct node package, other;

	if (!f)
		return;
	struct str_list scripts = scripts_of(r->arena, f->text, &package);
	const struct manager *m = find_manager(r, &package);

	offer_named(r, &scripts, &(struct runner){ "node", m->run, m->test });
	for_each (w, r->files->items, r->files->count) {
		if (w == f || !str_ends(w->name, STR("/package.json")))
			continue;
		scripts = scripts_of(r->arena, w->text, &other);
		offer_named(r, &scripts, &(struct runner){ "node", m->all, NULL });
	}
}

/* ---- make, just ---- */

/* The names of rules: words before a colon that is not part of an assignment, at the start of a line. */
static struct str_list
targets_of(struct arena *a, struct str text)
{
	struct str_list l = { 0 };
	struct str line, word;

	while (str_next(&text, '\n', &line)) {
		ptrdiff_t colon = str_find_char(line, ':');

		if (colon <= 0 || str_is_blank(line.s[0]) || line.s[0] == '#' || line.s[0] == '.')
			continue;
		if ((size_t)colon + 1 < line.n && line.s[colon + 1] == '=')
			continue;
		struct str before = str_sub(line, 0, (size_t)colon);

		while (str_next(&before, ' ', &word))
			if (word.n > 0)
				*arena_push(a, l.items, l.count) = str_trim(word);
	}
	return l;
}

static void
offer_composer(struct recognition *r)
{
	const struct project_file *f = find_file(r, "composer.json", NULL);
	struct node document;
	struct str_list scripts = scripts_of(r->arena, f ? f->text : STR_NONE, &document);

	if (f)
		offer_named(r, &scripts, &(struct runner){ "php", "composer", NULL });
}

/* ---- CI ---- */

/* A line of a script that can be run anywhere. */
static bool
is_plain_command(struct str line)
{
	static const char *const others[] = { "${{",      "sudo ", "install", "apt-get", "docker",
					      "$GITHUB_", "curl ", "upload",  "\\" };

	for (size_t i = 0; i < COUNT_OF(others); i++)
		if (has(line, others[i]))
			return false;
	return line.n > 0 && line.s[0] != '#';
}

static void
offer_script(struct recognition *r, struct str script)
{
	struct str line;

	while (str_next(&script, '\n', &line)) {
		line = str_trim(line);
		if (!is_plain_command(line))
			continue;
		const char *role = has(line, "lint")                         ? ROLE_LINT
				   : has(line, "test") || has(line, "check") ? ROLE_TEST
									     : NULL;

		if (role)
			offer_gate(r, (struct proposed_gate){ .role = role, .command = line });
	}
}

/* `run:` and `script:` anywhere in the document. */
static void
offer_steps(struct recognition *r, const struct node *n)
{
	for (size_t i = 0; n->kind == NODE_LIST && i < n->count; i++)
		offer_steps(r, &n->items[i]);
	for (size_t i = 0; n->kind == NODE_MAP && i < n->count; i++) {
		const struct node *value = &n->entries[i].value;
		bool is_script = str_is(n->entries[i].key, "run") || str_is(n->entries[i].key, "script");

		if (is_script && value->kind == NODE_STRING)
			offer_script(r, value->text);
		for (size_t k = 0; is_script && value->kind == NODE_LIST && k < value->count; k++)
			if (value->items[k].kind == NODE_STRING)
				offer_script(r, value->items[k].text);
		offer_steps(r, value);
	}
}

void
recognise(struct arena *a, const struct project_files *files, struct proposals *ret)
{
	struct recognition r = { .arena = a, .files = files, .proposals = ret };

	*ret = (struct proposals){ 0 };
	offer_node(&r);
	static const struct {
		const char *file, *program;
	} runners[] = {
		{ "justfile", "just" },    { "Justfile", "just" }, { ".justfile", "just" },
		{ "GNUmakefile", "make" }, { "makefile", "make" }, { "Makefile", "make" },
	};

	for (size_t i = 0; i < COUNT_OF(runners); i++) {
		const struct project_file *f = find_file(&r, runners[i].file, NULL);
		struct str_list targets = targets_of(r.arena, f ? f->text : STR_NONE);

		if (f)
			offer_named(&r, &targets, &(struct runner){ NULL, runners[i].program, NULL });
	}
	offer_ecosystems(&r, true);
	offer_composer(&r);
	offer_ecosystems(&r, false);
	for (size_t i = 0; i < r.proposals->count; i++)
		if (str_is(str_from(r.proposals->items[i].role), ROLE_TEST))
			return;
	for_each (f, r.files->items, r.files->count) {
		struct node document;

		if (glob_match_any(CI_FILES, f->name) && f->text.s &&
		    yaml_parse(r.arena, f->text, &document, IGNORED) == 0)
			offer_steps(&r, &document);
	}
}
