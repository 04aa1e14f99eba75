#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# agent-gauntlet init, and holdfast init --gates: gates to start from.

load helper

setup() {
	setup_project
	# only these reviewers, whatever the machine has
	mkdir -p "$BATS_TEST_TMPDIR/tools"
	for tool in bash sh git jq cat mkdir dirname readlink ls tr wc stat grep sed cut ln rm chmod cmp cp; do
		ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/tools/$tool"
	done
	PATH=$BIN:$BATS_TEST_TMPDIR/tools
	fake claude <<<'#!/bin/sh'
	fake gemini <<<'#!/bin/sh'
}

# init_with LINES...: the answers, one a line.
init_with() { printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/answers" && run_command agent-gauntlet init <"$BATS_TEST_TMPDIR/answers"; }

# scenario: G13-54
@test "init -y writes gates for the reviewers that are there" {
	git_project
	run_command agent-gauntlet init -y
	assert_status 0
	assert_stderr_empty
	assert_stdout 'Detecting available CLI agents...
  ✓ gemini
  ✗ codex (not installed)
  ✓ claude
  ✗ github-copilot (not installed)
  ✗ cursor (not installed)

Created .gauntlet/config.yml
Created .gauntlet/reviews/code-quality.md
Created .gauntlet/run_gauntlet.md
Added gauntlet_logs/ to .git/info/exclude
Created .gemini/commands/gauntlet.toml
Created .claude/commands/gauntlet.md (symlink to .gauntlet/run_gauntlet.md)'
	[ -d .gauntlet/checks ]
	[ "$(readlink .claude/commands/gauntlet.md)" = ../../.gauntlet/run_gauntlet.md ]
	cmp .claude/commands/gauntlet.md .gauntlet/run_gauntlet.md
	assert_file_has .gauntlet/run_gauntlet.md '1. Run `agent-gauntlet run`.'
	assert_file_has .gemini/commands/gauntlet.toml '1. Run `agent-gauntlet run`.'
	assert_absent .claude/settings.local.json
	run_command agent-gauntlet validate
	assert_stdout 'All config files are valid.'
	assert_stderr_empty
	run_command agent-gauntlet list
	assert_stdout_has ' - code-quality (Tools: gemini, claude)'
	run_holdfast config --json
	assert_json '[.values[] | select(.key == "stop_hook.reverify") | .value] == [true]' '[.values[] | select(.key == "base_branch") | .value] == ["main"]'
}

@test "a directory without a configuration is left alone, and said" {
	mkdir .gauntlet
	run_command agent-gauntlet init -y
	assert_status 0
	assert_stdout_has 'It has no config.yml'
	assert_absent .gauntlet/config.yml
}

# scenario: G13-54
@test "a second init changes nothing" {
	run_command agent-gauntlet init -y
	echo '# mine' >>.gauntlet/config.yml
	run_command agent-gauntlet init -y
	assert_status 0
	assert_stdout '.gauntlet directory already exists.'
	assert_file_has .gauntlet/config.yml '# mine'
}

@test "without any reviewer nothing is written" {
	rm "$BIN/claude" "$BIN/gemini"
	run_command agent-gauntlet init -y
	assert_status 0
	assert_stdout_has 'Error: No CLI agents found. Install at least one:'
	assert_absent .gauntlet
}

@test "piped answers are all read" {
	init_with 2 src y 'make "lint" # all' yes 'npm test' 2 1 n
	assert_status 0
	assert_stdout_has $'Which CLIs would you like to use?\n  1) gemini\n  2) claude\n  3) All\n(comma-separated, e.g., 1,2): '
	assert_stdout_has 'Enter your source directory (e.g., src, lib, .) [default: .]: '
	assert_stdout_has 'Created .gauntlet/checks/unit-tests.yml'
	assert_absent .gemini
	[ -L .claude/commands/gauntlet.md ]
	assert_absent .claude/settings.local.json
	run_holdfast config --json
	assert_json '[.values[] | select(.key == "checks.lint.command") | .value] == ["make \"lint\" # all"]' \
		'[.values[] | select(.key == "checks.unit-tests.command") | .value] == ["npm test"]' \
		'[.values[] | select(.key == "cli.default_preference") | .value] == [["claude"]]' \
		'[.values[] | select(.key == "entry_points[0].path" or .key == "entry_points[0].checks") | .value] == ["src", ["lint", "unit-tests"]]' \
		'[.values[] | select(.key == "entry_points[1].path" or .key == "entry_points[1].reviews") | .value] == [".", ["code-quality"]]'
}

@test "answers that end early are the defaults" {
	init_with
	assert_status 0
	assert_stdout_has 'Skipping command installation.'
	assert_absent .claude
	run_holdfast config --json
	assert_json '[.values[] | select(.key == "cli.default_preference") | .value] == [["gemini", "claude"]]'
}

@test "a selection that is none is asked for again" {
	init_with 4 x 0 1,2 '' '' '' 9 1
	assert_stdout_has 'Invalid selection: 4'
	assert_stdout_has 'Invalid selection: x'
	assert_stdout_has 'Invalid selection: 0'
	assert_stdout_has 'Invalid selection: 9'
	assert_file_has .gauntlet/config.yml $'    - gemini\n    - claude\n'
}

@test "of a selection that was refused nothing is left" {
	init_with '' '' '' '' 2 1,9 ''
	assert_stdout_has 'Invalid selection: 9'
	assert_absent .gemini
	assert_absent .claude
}

@test "a command that is left blank leaves a project that is valid and a check that cannot pass" {
	init_with 3 . y '' y 'make test' 1 n
	assert_stdout_has 'lint: put its command into .gauntlet/checks/lint.yml, then name it in .gauntlet/config.yml'
	run_command agent-gauntlet validate
	assert_status 0
	assert_stderr_has "no entry point names the check 'lint'"
	run_holdfast config --json
	assert_json '[.values[] | select(.key == "entry_points[0].checks") | .value] == [["unit-tests"]]'
	command=$(jq -r '.values[] | select(.key == "checks.lint.command") | .value' "$OUT")
	run_command sh -c "$command"
	assert_status 1
	assert_stderr_has 'There is no command in .gauntlet/checks/lint.yml yet'
}

@test "both commands may be left blank, in any directory" {
	for source in . 'my "src"'; do
		rm -rf .gauntlet
		init_with 3 "$source" y '' y '' 1 n
		run_command agent-gauntlet validate
		assert_status 0
		assert_stderr_has "no entry point names the check 'lint'"
	done
}

@test "the log directory goes into a .gitignore that is there, once" {
	printf 'build' >.gitignore
	git_project
	run_command agent-gauntlet init -y
	assert_stdout_has 'Added gauntlet_logs/ to .gitignore'
	assert_file .gitignore $'build\ngauntlet_logs/'
	rm -r .gauntlet
	run_command agent-gauntlet init -y
	assert_stdout_lacks 'Added gauntlet_logs'
	assert_file .gitignore $'build\ngauntlet_logs/'
	for line in gauntlet_logs /gauntlet_logs/ /gauntlet_logs; do
		echo "$line" >.gitignore && rm -r .gauntlet
		run_command agent-gauntlet init -y
		assert_file .gitignore "$line"
	done
}

@test "outside a repository nothing is ignored" {
	run_command agent-gauntlet init -y
	assert_stdout_lacks 'Added'
	assert_absent .gitignore
}

@test "a command that is there is left as it is" {
	echo mine | write .claude/commands/gauntlet.md
	run_command agent-gauntlet init -y
	assert_stdout_has '  claude: .claude/commands/gauntlet.md already exists, skipping'
	assert_file .claude/commands/gauntlet.md mine
}

@test "commands for the user are files" {
	fake codex <<<'#!/bin/sh'
	init_with '' '' '' '' 3 4 n
	assert_status 0
	assert_file_has "$HOME/.claude/commands/gauntlet.md" 'Status: Retry limit exceeded'
	assert_file_has "$HOME/.codex/prompts/gauntlet.md" 'tell the user what still fails'
	assert_file_has "$HOME/.gemini/commands/gauntlet.toml" 'description = "Run the quality gates and fix what they find"'
	[ ! -L "$HOME/.claude/commands/gauntlet.md" ]
}

# scenario: G13-54
@test "the hook is put into the user's settings for the project, and nothing else is changed there" {
	printf '{\n\t"model":"x",  "hooks": {"PreToolUse": []}\n}\n' | write .claude/settings.local.json
	init_with '' '' '' '' 1 YES
	assert_stdout_has 'Stop hook installed - gauntlet will run automatically when agent stops'
	jq -e '.hooks.Stop == [{hooks: [{type: "command", command: "agent-gauntlet stop-hook", timeout: 300}]}]' .claude/settings.local.json
	assert_file_has .claude/settings.local.json $'\t"model":"x",  "hooks": {"PreToolUse": []'
}

# scenario: G13-54
@test "a hook that is there is not put in again" {
	init_with '' '' '' '' 1 y
	cp .claude/settings.local.json before
	rm -r .gauntlet
	init_with '' '' '' '' 1 y
	assert_stdout_has 'Stop hook already installed'
	cmp before .claude/settings.local.json
	jq -e '.hooks.Stop | length == 1' before
}

# scenario: G13-54
@test "the hook is indented as the settings are" {
	printf '{\n    "model": "x"\n}\n' | write .claude/settings.local.json
	init_with '' '' '' '' 1 y
	assert_status 0
	assert_file_has .claude/settings.local.json $'\n    "hooks": {\n        "Stop": [\n            {\n                "hooks": [\n'
}

@test "settings that do not parse are left alone" {
	echo '{"hooks": [' | write .claude/settings.local.json
	init_with '' '' '' '' 1 y
	assert_status 0
	assert_stdout_has 'Stop hook not installed: .claude/settings.local.json:'
	assert_file .claude/settings.local.json '{"hooks": ['
}

@test "holdfast init --gates writes gates and registers the hooks" {
	git_project
	run_holdfast init --gates
	assert_file_has .gauntlet/run_gauntlet.md '1. Run `holdfast run`.'
	assert_status 0
	assert_stdout_has 'Created .gauntlet/config.yml'
	jq -e '.hooks.Stop[0].hooks[0].command | endswith("holdfast stop-hook")' .claude/settings.json
	run_holdfast validate
	assert_status 0
}

@test "holdfast init --gates needs no reviewer, and a dry run writes nothing" {
	rm "$BIN/claude" "$BIN/gemini"
	run_holdfast init --gates --dry-run
	assert_status 0
	assert_absent .gauntlet
	run_holdfast init --gates
	assert_status 0
	assert_stdout_has 'claude is named as the reviewer'
	run_holdfast list
	assert_stdout_has ' - code-quality (Tools: claude)'
}

@test "the base branch is one that there is" {
	git_project
	holdfast init --gates >/dev/null
	assert_file_has .gauntlet/config.yml 'base_branch: main'
	rm -r .gauntlet
	git update-ref refs/remotes/origin/master HEAD
	holdfast init --gates >/dev/null
	assert_file_has .gauntlet/config.yml 'base_branch: origin/master'
	rm -r .gauntlet
	git update-ref refs/remotes/origin/main HEAD
	holdfast init --gates >/dev/null
	assert_file_has .gauntlet/config.yml 'base_branch: origin/main'
}
