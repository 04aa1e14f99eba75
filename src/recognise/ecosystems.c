/* SPDX-License-Identifier: MIT */
/* What is usual for a language or a tool: a table. Rows of one ecosystem and role are alternatives, the best first. */
#include "recognise/rules.h"

struct row {
	const char *ecosystem; /* NULL: a runner of checks of any language */
	const char *file;      /* it is there... */
	const char *has;       /* ...has this text, if there is one... */
	const char *ci;        /* ...and so has the CI */
	const char *role;
	const char *command; /* {run} and {python} are what the project's lock file asks for */
	const char *pattern;
	const char *name; /* of the gate; NULL: the role */
};

#define PYTHON_FILES "*.{py,pyi}"
#define RUST_FILES "*.rs"
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

static const struct row rows[] = {
	HOOKS("lefthook.yml", "pre-commit:", "lefthook", "lefthook run pre-commit --all-files"),
	HOOKS(".lefthook.yml", "pre-commit:", "lefthook", "lefthook run pre-commit --all-files"),
	HOOKS("lefthook.yaml", "pre-commit:", "lefthook", "lefthook run pre-commit --all-files"),
	HOOKS("hk.pkl", NULL, "hk", "hk check --all"),
	HOOKS(".pre-commit-config.yaml", NULL, "pre-commit", "pre-commit run --all-files"),

	TEST("cargo", "Cargo.toml", "[workspace]", "cargo test --workspace"),
	TEST("cargo", "Cargo.toml", NULL, "cargo test"),
	LINT("cargo", "clippy.toml", NULL, "cargo clippy --all-targets -- -D warnings", RUST_FILES),
	LINT("cargo", ".clippy.toml", NULL, "cargo clippy --all-targets -- -D warnings", RUST_FILES),
	AS_CI("cargo", "Cargo.toml", "clippy", ROLE_LINT, "cargo clippy --all-targets -- -D warnings",
	      RUST_FILES),
	ROW("cargo", "rustfmt.toml", NULL, ROLE_FORMAT, "cargo fmt --check", RUST_FILES),
	ROW("cargo", ".rustfmt.toml", NULL, ROLE_FORMAT, "cargo fmt --check", RUST_FILES),
	AS_CI("cargo", "Cargo.toml", "cargo fmt", ROLE_FORMAT, "cargo fmt --check", RUST_FILES),

	TEST("go", "go.mod", NULL, "go test ./..."),
	LINT("go", ".golangci.y*ml", NULL, "golangci-lint run", "*.go"),
	LINT("go", ".golangci.toml", NULL, "golangci-lint run", "*.go"),
	LINT("go", "go.mod", NULL, "go vet ./...", "*.go"),

	TEST("python", "pyproject.toml", "pytest", "{python} -m pytest"),
	TEST("python", "pytest.ini", NULL, "{python} -m pytest"),
	TEST("python", "conftest.py", NULL, "{python} -m pytest"),
	TEST("python", "setup.cfg", "pytest", "{python} -m pytest"),
	TEST("python", "requirements*.txt", "pytest", "{python} -m pytest"),
	TEST("python", "Pipfile", "pytest", "{python} -m pytest"),
	TEST("python", "tox.ini", "pytest", "{python} -m pytest"),
	TEST("python", "tox.ini", NULL, "tox"),
	TEST("python", "noxfile.py", NULL, "nox"),
	TEST("python", "tests/test_*.py", NULL, "{python} -m unittest discover -s tests -t ."),
	TEST("python", "test/test_*.py", NULL, "{python} -m unittest discover -s test -t ."),
	TEST("python", "test_*.py", NULL, "{python} -m unittest"),
	LINT("python", "ruff.toml", NULL, "{run}ruff check .", PYTHON_FILES),
	LINT("python", ".ruff.toml", NULL, "{run}ruff check .", PYTHON_FILES),
	LINT("python", "pyproject.toml", "[tool.ruff", "{run}ruff check .", PYTHON_FILES),
	LINT("python", ".flake8", NULL, "{run}flake8", PYTHON_FILES),
	LINT("python", "setup.cfg", "[flake8]", "{run}flake8", PYTHON_FILES),
	LINT("python", "tox.ini", "[flake8]", "{run}flake8", PYTHON_FILES),
	ROW("python", "pyproject.toml", "[tool.ruff.format", ROLE_FORMAT, "{run}ruff format --check .",
	    PYTHON_FILES),
	ROW("python", "mypy.ini", NULL, ROLE_TYPES, "{run}mypy .", PYTHON_FILES),
	ROW("python", ".mypy.ini", NULL, ROLE_TYPES, "{run}mypy .", PYTHON_FILES),
	ROW("python", "pyproject.toml", "[tool.mypy", ROLE_TYPES, "{run}mypy .", PYTHON_FILES),
	ROW("python", "setup.cfg", "[mypy", ROLE_TYPES, "{run}mypy .", PYTHON_FILES),

	TEST("maven", "mvnw", NULL, "./mvnw -q -B test"),
	TEST("maven", "pom.xml", NULL, "mvn -q -B test"),
	TEST("gradle", "gradlew", NULL, "./gradlew test"),
	TEST("gradle", "build.gradle*", NULL, "gradle test"),

	TEST("cmake", "CMakeLists.txt", "enable_testing",
	     "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure"),
	TEST("cmake", "CMakeLists.txt", "CTest",
	     "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure"),
	{ .ecosystem = "cmake",
	  .file = "CMakeLists.txt",
	  .role = ROLE_TEST,
	  .command = "cmake -S . -B build && cmake --build build",
	  .name = "build" },
	TEST("meson", "meson.build", "test(",
	     "{ test -e build/build.ninja || meson setup build; } && meson test -C build --print-errorlogs"),
	{ .ecosystem = "meson",
	  .file = "meson.build",
	  .has = "project(",
	  .role = ROLE_TEST,
	  .command = "{ test -e build/build.ninja || meson setup build; } && meson compile -C build",
	  .name = "build" },

	TEST("ruby", "bin/rails", NULL, "bin/rails test"),
	TEST("ruby", ".rspec", NULL, "bundle exec rspec"),
	TEST("ruby", "Gemfile", "rspec", "bundle exec rspec"),
	TEST("ruby", "Rakefile", "TestTask", "bundle exec rake test"),
	LINT("ruby", ".rubocop.yml", NULL, "bundle exec rubocop", "*.rb"),

	TEST("php", "phpunit.xml*", NULL, "vendor/bin/phpunit"),
	TEST("php", "composer.json", "phpunit/phpunit", "vendor/bin/phpunit"),
	LINT("php", "phpstan.neon*", NULL, "vendor/bin/phpstan analyse", "*.php"),
	ROW("php", ".php-cs-fixer*.php", NULL, ROLE_FORMAT, "vendor/bin/php-cs-fixer check", "*.php"),

	TEST("dotnet", "*.sln*", NULL, "dotnet test"),
	TEST("dotnet", "*.csproj", NULL, "dotnet test"),
	TEST("dotnet", "*.fsproj", NULL, "dotnet test"),

	TEST("elixir", "mix.exs", NULL, "mix test"),
	LINT("elixir", ".credo.exs", NULL, "mix credo", "*.{ex,exs}"),
	ROW("elixir", ".formatter.exs", NULL, ROLE_FORMAT, "mix format --check-formatted", "*.{ex,exs}"),
};

/* How a Python project starts its tools. */
static const struct {
	const char *file, *run, *python;
} starters[] = {
	{ "uv.lock", "uv run ", "uv run python" },
	{ "poetry.lock", "poetry run ", "poetry run python" },
	{ "pdm.lock", "pdm run ", "pdm run python" },
	{ "Pipfile.lock", "pipenv run ", "pipenv run python" },
};

static struct str
command_of(const struct recognition *r, const char *command)
{
	const char *run = "", *python = "python3";
	struct str text = str_from(command);

	for (size_t i = 0; i < COUNT_OF(starters); i++)
		if (find_file(r, starters[i].file, NULL)) {
			run = starters[i].run;
			python = starters[i].python;
			break;
		}
	if (str_starts(text, STR("{run}")))
		return str_cat(r->arena, run, command + 5);
	if (str_starts(text, STR("{python}")))
		return str_cat(r->arena, python, command + 8);
	return text;
}

void
offer_ecosystems(struct recognition *r, bool are_runners)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct row *row = &rows[i];
		const struct project_file *f = find_file(r, row->file, row->has);

		if (!f || (row->ecosystem == NULL) != are_runners)
			continue;
		if (row->ci && !ci_has(r, row->ci))
			continue;
		offer_gate(r, &(struct offer){ .role = row->role,
					       .ecosystem = row->ecosystem,
					       .name = row->name,
					       .command = command_of(r, row->command),
					       .pattern = row->pattern,
					       .from = f->name });
	}
}
