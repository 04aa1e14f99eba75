#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What the commands about the gates' configuration say: config, validate and health.

load helper

setup() {
	setup_project
	# only these reviewers, whatever the machine has
	mkdir -p "$BATS_TEST_TMPDIR/tools"
	for tool in bash sh git jq cat mkdir dirname readlink ls tr wc stat grep sed cut ln rm chmod mkfifo; do
		ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/tools/$tool"
	done
	PATH=$BIN:$BATS_TEST_TMPDIR/tools
	write .gauntlet/config.yml <<-'END'
		cli:
		  default_preference: [claude, codex]
		entry_points:
		  - path: .
		    checks: [lint]
		    reviews: [quality]
	END
	echo 'command: make lint' | write .gauntlet/checks/lint.yml
	printf -- '---\nnum_reviews: 1\n---\nLook.\n' | write .gauntlet/reviews/quality.md
}

@test "config shows each value, and the file and line that set it" {
	run_holdfast config
	assert_status 0
	grep -qxE 'cli.default_preference +\["claude","codex"\]  \(project, .gauntlet/config.yml:2\)' "$OUT"
	grep -qxE 'checks.lint.command +"make lint"  \(project, .gauntlet/checks/lint.yml:1\)' "$OUT"
	grep -qxE 'stop_hook.enabled +true  \(default\)' "$OUT"
	GAUNTLET_STOP_HOOK_ENABLED=0 run_holdfast config
	grep -qxE 'stop_hook.enabled +false  \(environment, GAUNTLET_STOP_HOOK_ENABLED\)' "$OUT"
}

@test "config in CI shows the base branch of the pull request" {
	CI=true GITHUB_BASE_REF=release run_holdfast config --json
	assert_json '[.values[] | select(.key == "base_branch") | .value, .source, .origin] == ["release", "environment", "GITHUB_BASE_REF"]'
	GITHUB_BASE_REF=release run_holdfast config --json
	assert_json '[.values[] | select(.key == "base_branch") | .value, .source] == ["origin/main", "default"]'
}

@test "config without a project shows what would count" {
	rm -r .gauntlet
	run_holdfast config
	assert_status 0
	assert_stdout_has 'No holdfast.yml or .gauntlet/config.yml here or above'
	grep -qxE 'stop_hook.run_interval_minutes +10  \(default\)' "$OUT"
	run_holdfast config --json
	assert_json '.root == null' '.values | length == 6'
}

@test "config fails where the configuration is wrong" {
	echo 'command: ""' >.gauntlet/checks/lint.yml
	run_holdfast config
	assert_status 1
	assert_stdout ''
	assert_stderr_has "$PROJECT/.gauntlet/checks/lint.yml:1:10: command: expected a text, not an empty one"
}

@test "a file that cannot be read is a problem and no surprise" {
	rm .gauntlet/checks/lint.yml && mkfifo .gauntlet/checks/lint.yml
	run_command agent-gauntlet validate
	assert_status 1
	assert_stderr_has ".gauntlet/checks/lint.yml: not a regular file"
}

@test "health lists the files and what is wrong or suspicious in them" {
	run_command agent-gauntlet health
	assert_status 0
	assert_stdout_has $'Config validation:\n  .gauntlet/config.yml\n  .gauntlet/checks/lint.yml\n  .gauntlet/reviews/quality.md\n  ✓ All config files are valid\n'
	printf 'command: x\ntimeout: 0\n' >.gauntlet/checks/lint.yml
	printf 'No front matter.\n' >.gauntlet/reviews/quality.md
	echo '  - path: docs' >>.gauntlet/config.yml
	run_command agent-gauntlet health
	assert_status 0
	assert_stdout_has $'  ✗ .gauntlet/checks/lint.yml (timeout)\n    2:10: timeout must be greater than 0'
	assert_stdout_has $'  ✗ .gauntlet/reviews/quality.md\n    Review gate must have YAML frontmatter'
	assert_stdout_has $'  ⚠ .gauntlet/config.yml (entry_points[1])\n    7:5: Entry point at "docs" has no checks or reviews configured'
	assert_stdout_lacks 'All config files are valid'
	# none of it stops a run
	run_command agent-gauntlet validate
	assert_status 0
}

@test "health tells which reviewers are installed, by name" {
	fake claude <<<'#!/bin/sh'
	cat >.gauntlet/config.yml <<-'END'
		cli:
		  default_preference: [mine, codex, claude, nobody]
		  adapters:
		    mine: {command: [my-reviewer]}
		entry_points: [{path: ., reviews: [quality]}]
	END
	fake my-reviewer <<<'#!/bin/sh'
	run_command agent-gauntlet health
	assert_status 0
	assert_stdout_has $'CLI Tool Health Check:\n  claude     : Installed\n  codex      : Missing\n  mine       : Installed\n  nobody     : Unknown'
	assert_stdout_has 'Invalid CLI tool "nobody" in default_preference. Valid options are: gemini, codex, claude, github-copilot, cursor'
}

@test "health without reviews, and without a configuration" {
	rm .gauntlet/reviews/quality.md
	sed -i '/reviews:/d' .gauntlet/config.yml
	run_command agent-gauntlet health
	assert_stdout_has $'  No CLI tools configured\n  No review gates found. Add review gates with cli_preference to check tool availability.'
	rm -r .gauntlet
	fake agent <<<'#!/bin/sh'
	run_command agent-gauntlet health
	assert_status 0
	assert_stdout_has $'  No config files found\n'
	assert_stdout_has $'  (Config not found, checking all supported agents)\n  gemini     : Missing\n  codex      : Missing\n  claude     : Missing\n  github-copilot : Missing\n  cursor     : Installed'
}

@test "config --json is JSON however long a value is" {
	printf "command: '%600000s'\n" x | tr ' ' '"' | sed 's/"/ /' >.gauntlet/checks/lint.yml
	run_holdfast config --json
	assert_status 0
	assert_equal "$(jq '.values[] | select(.key == "checks.lint.command").value | length' "$OUT")" 600000
}
