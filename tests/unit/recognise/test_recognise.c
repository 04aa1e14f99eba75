/* SPDX-License-Identifier: MIT */
/* Which gates are proposed for which files. */
#include "test.h"

#include "base/buf.h"
#include "recognise/recognise.h"

#define FILES_MAX 6

struct given {
	const char *name, *text;
};

static const struct {
	const char *title;
	struct given files[FILES_MAX];
	const char *gates; /* a line for each: name: command [patterns] */
} rows[] = {
	{ "nothing", { { "README.md", NULL } }, "" },
	{ "npm",
	  { { "package.json", "{\"scripts\":{\"test\":\"jest\",\"lint\":\"eslint .\",\"start\":\"x\"}}" } },
	  "test: npm test\nlint: npm run lint\n" },
	{ "pnpm",
	  { { "package.json", "{\"scripts\":{\"test\":\"vitest\",\"type-check\":\"tsc\"}}" },
	    { "pnpm-lock.yaml", NULL } },
	  "test: pnpm test\ntypes: pnpm run type-check\n" },
	{ "yarn",
	  { { "package.json", "{\"scripts\":{\"check:format\":\"x\"}}" }, { "yarn.lock", NULL } },
	  "format: yarn run check:format\n" },
	{ "bun",
	  { { "package.json", "{\"scripts\":{\"test\":\"x\"}}" }, { "bun.lock", NULL } },
	  "test: bun run test\n" },
	{ "the field packageManager",
	  { { "package.json", "{\"packageManager\":\"pnpm@9\",\"scripts\":{\"test\":\"x\"}}" } },
	  "test: pnpm test\n" },
	{ "what npm writes for no tests",
	  { { "package.json", "{\"scripts\":{\"test\":\"echo \\\"Error: no test "
			      "specified\\\" && exit 1\"}}" } },
	  "" },
	{ "a script that watches",
	  { { "package.json", "{\"scripts\":{\"test\":\"jest --watch\",\"test:ci\":\"jest\"}}" } },
	  "test: npm run test:ci\n" },
	{ "a package.json that is none", { { "package.json", "{" } }, "" },
	{ "workspaces",
	  { { "package.json", "{\"scripts\":{\"lint\":\"x\"}}" },
	    { "packages/a/package.json", "{\"scripts\":{\"test\":\"x\",\"lint\":\"x\"}}" },
	    { "packages/b/package.json", "{\"scripts\":{\"test\":\"x\"}}" } },
	  "lint: npm run lint\ntest: npm run --workspaces --if-present test\n" },
	{ "make",
	  { { "Makefile", "X := 1\ntests:\n\tx\nall lint: y\n.PHONY: test\n# test:\n" } },
	  "test: make tests\nlint: make lint\n" },
	{ "make check", { { "Makefile", "check: all\n\t./t\n" } }, "check: make check\n" },
	{ "make test before make check", { { "Makefile", "check: test\ntest:\n" } }, "test: make test\n" },
	{ "just",
	  { { "justfile", "test *args:\n    cargo test\nfmt-check:\n    x\nversion := '1'\n" } },
	  "test: just test\nformat: just fmt-check\n" },
	{ "a runner speaks for the languages",
	  { { "Makefile", "test:\n" }, { "Cargo.toml", "[package]" } },
	  "test: make test\n" },
	{ "the scripts of a package come before make",
	  { { "Makefile", "test:\nlint:\n" }, { "package.json", "{\"scripts\":{\"test\":\"x\"}}" } },
	  "test: npm test\nlint: make lint\n" },
	{ "two languages",
	  { { "Cargo.toml", "[package]" }, { "package.json", "{\"scripts\":{\"test\":\"x\"}}" } },
	  "test: npm test\ntest-cargo: cargo test\n" },
	{ "cargo", { { "Cargo.toml", "[workspace]" } }, "test: cargo test --workspace\n" },
	{ "cargo as the CI uses it",
	  { { "Cargo.toml", "" },
	    { ".github/workflows/ci.yml", "- run: cargo clippy\n- run: cargo fmt --check" } },
	  "test: cargo test\nlint: cargo clippy --all-targets -- -D warnings [*.rs]\nformat: cargo fmt "
	  "--check [*.rs]\n" },
	{ "go", { { "go.mod", NULL } }, "test: go test ./...\nlint: go vet ./... [*.go]\n" },
	{ "golangci-lint",
	  { { "go.mod", NULL }, { ".golangci.yml", NULL } },
	  "test: go test ./...\nlint: golangci-lint run [*.go]\n" },
	{ "pytest, ruff and mypy",
	  { { "pyproject.toml",
	      "[tool.pytest.ini_options]\n[tool.ruff]\n[tool.ruff.format]\n[tool.mypy]\n" } },
	  "test: python3 -m pytest\nlint: ruff check . [*.{py,pyi}]\nformat: ruff format --check . "
	  "[*.{py,pyi}]\n"
	  "types: mypy . [*.{py,pyi}]\n" },
	{ "uv",
	  { { "pyproject.toml", "dev = ['pytest']" }, { "uv.lock", NULL }, { "ruff.toml", NULL } },
	  "test: uv run python -m pytest\nlint: uv run ruff check . [*.{py,pyi}]\n" },
	{ "poetry",
	  { { "pyproject.toml", "pytest" }, { "poetry.lock", NULL } },
	  "test: poetry run python -m pytest\n" },
	{ "the second of two lists of requirements",
	  { { "requirements-dev.txt", "pytest" }, { "requirements.txt", "flask" } },
	  "test: python3 -m pytest\n" },
	{ "tox", { { "tox.ini", "[tox]\n" } }, "test: tox\n" },
	{ "tox with pytest", { { "tox.ini", "commands = pytest\n" } }, "test: python3 -m pytest\n" },
	{ "unittest",
	  { { "setup.py", NULL }, { "tests/test_a.py", NULL } },
	  "test: python3 -m unittest discover -s tests -t .\n" },
	{ "maven", { { "pom.xml", NULL } }, "test: mvn -q -B test\n" },
	{ "maven's wrapper", { { "pom.xml", NULL }, { "mvnw", NULL } }, "test: ./mvnw -q -B test\n" },
	{ "gradle", { { "build.gradle.kts", NULL } }, "test: gradle test\n" },
	{ "gradle's wrapper", { { "build.gradle", NULL }, { "gradlew", NULL } }, "test: ./gradlew test\n" },
	{ "cmake",
	  { { "CMakeLists.txt", "enable_testing()" } },
	  "test: cmake -S . -B build && cmake --build build && ctest --test-dir build "
	  "--output-on-failure\n" },
	{ "cmake without tests",
	  { { "CMakeLists.txt", "project(x C)" } },
	  "build: cmake -S . -B build && cmake --build build\n" },
	{ "meson",
	  { { "meson.build", "project('a')\ntest('x', y)" } },
	  "test: { test -e build/build.ninja || meson setup build; } && meson test -C build "
	  "--print-errorlogs\n" },
	{ "rspec and rubocop",
	  { { "Gemfile", "gem 'rspec'" }, { ".rubocop.yml", NULL } },
	  "test: bundle exec rspec\nlint: bundle exec rubocop [*.rb]\n" },
	{ "rake", { { "Rakefile", "Rake::TestTask.new" } }, "test: bundle exec rake test\n" },
	{ "rails", { { "Gemfile", "rails" }, { "bin/rails", NULL } }, "test: bin/rails test\n" },
	{ "composer",
	  { { "composer.json", "{\"scripts\":{\"test\":\"phpunit\"}}" }, { "phpstan.neon", NULL } },
	  "test: composer test\nlint: vendor/bin/phpstan analyse [*.php]\n" },
	{ "phpunit",
	  { { "composer.json", "{}" }, { "phpunit.xml.dist", NULL } },
	  "test: vendor/bin/phpunit\n" },
	{ ".NET", { { "Cart.sln", NULL } }, "test: dotnet test\n" },
	{ "elixir",
	  { { "mix.exs", NULL }, { ".formatter.exs", NULL } },
	  "test: mix test\nformat: mix format --check-formatted [*.{ex,exs}]\n" },
	{ "lefthook",
	  { { "lefthook.yml", "pre-commit:\n" }, { "go.mod", NULL } },
	  "lefthook: lefthook run pre-commit --all-files\ntest: go test ./...\n" },
	{ "lefthook that only pushes", { { "lefthook.yml", "pre-push:\n" } }, "" },
	{ "hk", { { "hk.pkl", NULL } }, "hk: hk check --all\n" },
	{ "pre-commit",
	  { { ".pre-commit-config.yaml", NULL }, { "ruff.toml", NULL } },
	  "pre-commit: pre-commit run --all-files\n" },
	{ "only a CI",
	  { { ".github/workflows/ci.yml",
	      "jobs:\n  t:\n    steps:\n      - run: sudo apt-get install test\n      - run: |\n          "
	      "./lint.sh\n"
	      "          ./run-tests --all\n      - run: ./test ${{ matrix.x }}\n" } },
	  "lint: ./lint.sh\ntest: ./run-tests --all\n" },
	{ "only GitLab's CI",
	  { { ".gitlab-ci.yml", "unit:\n  script:\n    - ./configure\n    - ./check all\n" } },
	  "test: ./check all\n" },
	{ "a CI of a project that says itself how to test",
	  { { ".github/workflows/ci.yml", "jobs:\n  t:\n    steps:\n      - run: ./other-test\n" },
	    { "go.mod", NULL } },
	  "test: go test ./...\nlint: go vet ./... [*.go]\n" },
};

static struct str
gates_text(struct arena *a, const struct proposals *p)
{
	struct buf b = BUF(a, SIZE_MAX);

	for (size_t i = 0; i < p->count; i++) {
		const struct proposed_gate *g = &p->items[i];

		buf_addf(&b, STR_FMT ": " STR_FMT, STR_ARG(g->name), STR_ARG(g->command));
		if (g->pattern.s)
			buf_addf(&b, " [" STR_FMT "]", STR_ARG(g->pattern));
		buf_addc(&b, '\n');
	}
	return buf_str(&b);
}

TEST(the_gates_of_a_project_are_recognised_by_its_files)
{
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct project_file items[FILES_MAX];
		struct project_files files = { .items = items };
		struct proposals p;

		for (size_t k = 0; k < FILES_MAX && rows[i].files[k].name; k++)
			items[files.count++] = (struct project_file){ str_from(rows[i].files[k].name),
								      str_from(rows[i].files[k].text) };
		recognise(&a, &files, &p);
		struct str text = gates_text(&a, &p);

		if (!str_is(text, rows[i].gates))
			fail_msg("%s: proposed is\n" STR_FMT, rows[i].title, STR_ARG(text));
	}
}

TEST(the_files_of_a_project_are_read_with_its_workspaces_and_its_ci)
{
	static const struct {
		const char *project, *gates;
	} projects[] = {
		{ "workspaces", "lint: npm run lint\ntest: npm run --workspaces --if-present test\n" },
		{ "shell", "test: sh tests/run.sh\n" },
		{ "python", "test: python3 -m unittest discover -s tests -t .\n" },
		{ "no-such-project", "" },
	};

	for (size_t i = 0; i < COUNT_OF(projects); i++) {
		CLEANUP(arena_free) struct arena a = { 0 };
		struct project_files files;
		struct proposals p;

		project_files_read(&a, str_fmt(&a, FIXTURES "/projects/%s", projects[i].project), &files);
		recognise(&a, &files, &p);
		struct str text = gates_text(&a, &p);

		if (!str_is(text, projects[i].gates))
			fail_msg("%s: proposed is\n" STR_FMT, projects[i].project, STR_ARG(text));
	}
}
