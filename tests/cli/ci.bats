#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# ci init and ci list-jobs: the checks in GitHub Actions and in GitLab.

load helper

setup() {
	setup_project
	write .gauntlet/config.yml <<-'END'
		base_branch: origin/develop
		cli:
		  default_preference: [claude]
		entry_points:
		  - path: src
		    checks: [ok, here]
		  - path: packages/*
		    checks: [ok, top]
	END
	write .gauntlet/checks/ok.yml <<<'command: echo hello'
	write .gauntlet/checks/here.yml <<<'{command: "true", run_in_ci: false}'
	printf 'command: |\n  echo "a: b"\n  make # all\ntimeout: 1.5\nworking_directory: .\n' | write .gauntlet/checks/top.yml
	mkdir -p src packages/b packages/a
	touch packages/README.md
}

ci_yml() {
	write .gauntlet/ci.yml <<-'END'
		runtimes:
		  bun: {version: "1.2"}
		  node: 22
		  own: {image: "registry.example.org/own:1"}
		services:
		  pg:
		    image: postgres:16
		    env: {POSTGRES_PASSWORD: 1}
		    ports: ["5432:5432"]
		setup:
		  - name: S1
		    run: echo 1
		    working_directory: sub dir
		checks:
		  - name: ok
		    requires_runtimes: [bun]
		    requires_services: [pg]
		  - name: top
		    requires_runtimes: [own]
		    setup:
		      - {name: 'S "2"', run: "echo 2 # two", working_directory: x}
	END
}

# The YAML file as JSON, every scalar a string; where there is a reader other than ours.
has_yaml_reader() { python3 -c 'import yaml' 2>/dev/null; }
as_json() { python3 -c 'import json, sys, yaml; json.dump(yaml.load(open(sys.argv[1]), yaml.BaseLoader), sys.stdout)' "$1"; }

@test "list-jobs is one line of JSON with the matrix, services and runtimes" {
	ci_yml
	run_holdfast ci list-jobs
	assert_status 0
	assert_stderr_empty
	[[ $(wc -l <"$OUT") == 1 ]] || show 'not one line'
	assert_json '[.matrix[].id] == ["ok-src", "ok-packages-a", "top-packages-a", "ok-packages-b"]' \
		'.matrix[0] | keys_unsorted == ["id", "name", "entry_point", "working_directory", "command", "runtimes", "services", "setup", "global_setup"]' \
		'.matrix[0] | .name == "ok" and .entry_point == "src" and .working_directory == "src" and .command == "echo hello"' \
		'.matrix[0] | .runtimes == ["bun"] and .services == ["pg"] and .setup == ""' \
		'.matrix[0].global_setup == "echo \"::group::S1\"\n(cd \"sub dir\" && echo 1)\necho \"::endgroup::\""' \
		'.matrix[2] | .working_directory == "." and .services == []' \
		'.matrix[2].setup == "echo \"::group::S \\\"2\\\"\"\n(cd \"x\" || exit 1\necho 2 # two\n)\necho \"::endgroup::\""' \
		'.services.pg.image == "postgres:16"' '.runtimes.bun.version == "1.2"'
}

@test "the steps of a job are a script that runs" {
	ci_yml
	mkdir -p 'sub dir' x
	holdfast ci list-jobs >jobs.json
	run_command bash -e -c "$(jq -r '.matrix[2] | .global_setup + "\n" + .setup' jobs.json)"
	assert_status 0
	assert_stdout $'::group::S1\n1\n::endgroup::\n::group::S "2"\n2\n::endgroup::'
	rmdir x
	run_command bash -e -c "$(jq -r '.matrix[2].setup' jobs.json)"
	assert_failure
	assert_stdout_lacks $'\n2\n'
}

@test "an empty ci.yml has no jobs" {
	write .gauntlet/ci.yml <<<'checks:'
	run_holdfast ci list-jobs
	assert_status 0
	assert_stdout '{"matrix":[],"services":{},"runtimes":{}}'
	run_holdfast ci list-jobs --gitlab
	assert_stdout_has $'\ngauntlet:none:\n  script:\n'
}

@test "what ci.yml asks for in vain is a warning, and the JSON stays whole" {
	write .gauntlet/ci.yml <<<'checks: [{name: ok, requires_services: [db]}, {name: here}, {name: gone}]'
	run_holdfast ci list-jobs
	assert_status 0
	assert_json '.matrix | length == 3'
	assert_stderr_has "warning: ci.yml: check 'ok' needs the service 'db'"
	assert_stderr_has "warning: ci.yml: check 'here' has run_in_ci: false"
	assert_stderr_has "warning: ci.yml: there is no check 'gone'"
}

@test "list-jobs says what is missing" {
	run_holdfast ci list-jobs
	assert_status 1
	assert_stdout ''
	assert_stderr_has "holdfast: CI configuration file not found at $PROJECT/.gauntlet/ci.yml. Run 'agent-gauntlet ci init' to create it."
	write .gauntlet/ci.yml <<<'checks: [{name: ""}]'
	run_holdfast ci list-jobs
	assert_status 1
	assert_stderr_has 'holdfast: '
	rm -r .gauntlet
	run_holdfast ci list-jobs
	assert_status 1
	assert_stderr_has 'holdfast: Configuration file not found at '
	assert_stderr_has "in a project with holdfast.yml, let the CI job call 'holdfast run'"
}

@test "init says what lacks before a check runs" {
	run_holdfast ci init
	assert_stdout_has "No check runs in CI yet: name them under 'checks' in .gauntlet/ci.yml."
	run_holdfast ci init --gitlab
	assert_stdout_has 'No check runs in CI yet'
	ci_yml
	run_holdfast ci init
	assert_stdout_lacks 'No check'
	rm -r .gauntlet
	run_holdfast ci init
	assert_status 0
	assert_stdout_has "There is no .gauntlet/config.yml yet, and no job runs without one."
}

@test "for GitLab each job has its image, services, steps and command" {
	ci_yml
	run_holdfast ci list-jobs --gitlab
	assert_status 0
	assert_stderr_empty
	assert_stdout_has 'gauntlet:ok-packages-a:
  image: oven/bun:1.2
  services: # each is reached by its alias, not by localhost
    - name: postgres:16
      alias: pg
      variables:
        POSTGRES_PASSWORD: "1"
  variables:
    GIT_DEPTH: "0"
  before_script:
    # S1
    - "(cd \"sub dir\" && echo 1)"
    - "cd \"packages/a\""
  script:
    - "echo hello"
'
	assert_stdout_has 'gauntlet:top-packages-a:
  image: registry.example.org/own:1
  variables:
    GIT_DEPTH: "0"
  timeout: 2 seconds
  before_script:
    # S1
    - "(cd \"sub dir\" && echo 1)"
    # S "2"
    - "(cd \"x\" || exit 1\necho 2 # two\n)"
  script:
    - "echo \"a: b\"\nmake # all\n"'
}

@test "what GitLab has no word for is a comment in the job and a warning" {
	write .gauntlet/ci.yml <<-'END'
		runtimes: {bun: , node: 22, cobol: }
		services: {pg: {ports: [1]}}
		checks: [{name: ok, requires_runtimes: [bun, node, cobol], requires_services: [pg]}]
	END
	run_holdfast ci list-jobs --gitlab
	assert_status 0
	assert_stdout_has 'image: oven/bun:latest'
	assert_stdout_has "  # the image has 'bun' and not 'node'"
	assert_stdout_has "  # no image is known for the runtime 'cobol'"
	assert_stdout_has "  # the service 'pg' has no image"
	assert_stderr_has "warning: ok-src: the image has 'bun' and not 'node'"
}

@test "generated YAML is read as what it should be" {
	has_yaml_reader || skip 'no YAML reader here'
	ci_yml
	holdfast ci list-jobs --gitlab >jobs.yml
	holdfast ci init >/dev/null
	holdfast ci init --gitlab >/dev/null
	as_json jobs.yml >"$OUT"
	assert_json 'keys == ["gauntlet:ok-packages-a", "gauntlet:ok-packages-b", "gauntlet:ok-src", "gauntlet:top-packages-a"]' \
		'.["gauntlet:top-packages-a"].script == ["echo \"a: b\"\nmake # all\n"]' \
		'.["gauntlet:ok-src"].services[0] == {name: "postgres:16", alias: "pg", variables: {POSTGRES_PASSWORD: "1"}}'
	as_json .github/workflows/gauntlet.yml >"$OUT"
	assert_json '.name == "Gauntlet CI"' '.jobs.checks.needs == "discover"' '.jobs.checks.strategy["fail-fast"] == "false"' \
		'.jobs.checks.services.pg.ports == ["5432:5432"]' '.on.push.branches == ["develop"]' \
		'.jobs.checks.steps[-1].run == "${{ matrix.job.command }}"'
	as_json .gitlab/gauntlet.yml >"$OUT"
	assert_json '.["gauntlet:checks"].trigger.include[0] == {artifact: "gauntlet-jobs.yml", job: "gauntlet:discover"}' \
		'.["gauntlet:discover"].artifacts.paths == ["gauntlet-jobs.yml"]'
}

@test "init writes a starter and the workflow, and both are usable at once" {
	run_holdfast ci init
	assert_status 0
	assert_stderr_empty
	assert_stdout_has 'Creating starter .gauntlet/ci.yml...
Generating '"$PROJECT"'/.github/workflows/gauntlet.yml...
Successfully generated GitHub Actions workflow!'
	assert_stdout_has HOLDFAST_TARBALL
	assert_file_has .github/workflows/gauntlet.yml 'branches: [develop]'
	assert_file_has .github/workflows/gauntlet.yml "github.base_ref || 'develop'"
	assert_file_has .github/workflows/gauntlet.yml 'uses: actions/checkout@v4'
	assert_file_lacks .github/workflows/gauntlet.yml 'services:'
	assert_file_lacks .github/workflows/gauntlet.yml '@BRANCH'
	run_holdfast ci list-jobs
	assert_stdout '{"matrix":[],"services":{},"runtimes":{}}'
}

@test "init keeps ci.yml, replaces the workflow and says so" {
	ci_yml
	before=$(<.gauntlet/ci.yml)
	run_holdfast ci init
	assert_stdout_has 'Found existing .gauntlet/ci.yml'
	assert_stdout_lacks 'replaced'
	assert_file .gauntlet/ci.yml "$before"
	assert_file_has .github/workflows/gauntlet.yml '    services:
      pg:
        image: postgres:16
        env:
          POSTGRES_PASSWORD: 1
        ports:
          - "5432:5432"
    steps:'
	run_holdfast ci init
	assert_stdout_lacks 'replaced'
	echo '# mine' >>.github/workflows/gauntlet.yml
	run_holdfast ci init
	assert_status 0
	assert_stdout_has 'Its previous content was replaced'
	assert_file_lacks .github/workflows/gauntlet.yml '# mine'
}

@test "init goes on without services where ci.yml can't be read" {
	write .gauntlet/ci.yml <<<'services: ['
	run_holdfast ci init
	assert_status 0
	assert_stderr_has 'Could not load CI config to inject services. Workflow will have no services defined.'
	assert_stdout_has 'Successfully generated GitHub Actions workflow!'
	assert_file .gauntlet/ci.yml 'services: ['
	assert_file_lacks .github/workflows/gauntlet.yml 'services:'
}

@test "init for GitLab writes the pipeline and says how to include it" {
	run_holdfast ci init --gitlab
	assert_status 0
	assert_stdout_has "Generating $PROJECT/.gitlab/gauntlet.yml..."
	assert_stdout_has 'include:
  - local: .gitlab/gauntlet.yml'
	assert_stdout_has HOLDFAST_TARBALL
	assert_file_has .gitlab/gauntlet.yml 'holdfast ci list-jobs --gitlab >gauntlet-jobs.yml'
	assert_absent .gitlab-ci.yml
	assert_absent .github
	printf 'include:\n  - local: .gitlab/gauntlet.yml\n' | write .gitlab-ci.yml
	run_holdfast ci init --gitlab
	assert_stdout_has '.gitlab-ci.yml already includes it.'
	assert_stdout_lacks 'Include it'
}

@test "init is at home in the project's root, and works before there is a configuration" {
	mkdir -p src/deep && cd src/deep || return 1
	run_holdfast ci init
	assert_status 0
	cd "$PROJECT" || return 1
	assert_file .github/workflows/gauntlet.yml
	assert_absent src/deep/.github
	rm -r .gauntlet .github
	run_holdfast ci init
	assert_status 0
	assert_file_has .github/workflows/gauntlet.yml 'branches: [main]'
	assert_file_has .gauntlet/ci.yml 'runtimes:'
}

@test "a directory that can't be written is an error" {
	touch .github
	run_holdfast ci init
	assert_status 1
	assert_stderr_has 'holdfast: '
	assert_stdout_lacks 'Successfully'
}

@test "ci needs a command that it knows" {
	run_holdfast ci
	assert_status 1
	assert_stdout ''
	assert_stderr_has 'usage: holdfast ci'
	run_holdfast ci bogus
	assert_status 1
	assert_stderr_has bogus
	ci_yml
	run_command agent-gauntlet ci list-jobs
	assert_status 0
	assert_json '.matrix | length == 4'
}
