#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `holdfast statusline`: one line for Claude Code's status line.

load helper

setup() {
	setup_project
	write holdfast.yml <<<'gates: {test: test -e ok, lint: "true"}'
	git_project
	git checkout -q -b work
	echo x >a.c
}

# statusline [FILTER]: with what Claude Code sends, changed by a jq filter.
statusline() {
	jq -nc --arg dir "$PROJECT" --arg id "$SESSION" '{session_id: $id, transcript_path: "/t.jsonl", cwd: $dir,
		model: {id: "claude-opus", display_name: "Opus"}, workspace: {current_dir: $dir, project_dir: $dir},
		version: "2.1.0", cost: {total_cost_usd: 0.5, total_duration_ms: 100}} | '"${1:-.}" >"$BATS_TEST_TMPDIR/input"
	run_holdfast statusline <"$BATS_TEST_TMPDIR/input"
	assert_status 0
	assert_equal "$stderr" ''
}

@test "a closed or full output is no failure" {
	echo 'gates: {t: "true"}' >holdfast.yml
	echo '{}' | holdfast statusline >&-
	echo '{}' | holdfast statusline >/dev/full
}

@test "it has the gates that failed and passed, and what the next stop will do" {
	statusline
	assert_equal "$stdout" 'next stop: gates for what changed'
	hook
	assert_block
	statusline
	assert_equal "$stdout" '✗ test · ✓ lint · next stop: test must pass'
	touch ok
	hook '.stop_hook_active = true'
	statusline
	assert_equal "$stdout" '✓ test, lint · next stop: gates for what changed'
}

@test "it has the iteration of the session's own loop" {
	CLAUDE_CODE_SESSION_ID=$SESSION holdfast ralph start --max-iterations 5 work >/dev/null 2>&1
	statusline
	assert_equal "$stdout" 'loop 1/5 · next stop: iteration 2'
	hook
	assert_block
	statusline
	assert_equal "$stdout" 'loop 2/5 · next stop: iteration 3'
	statusline '.session_id = "another"'
	assert_equal "$stdout" 'next stop: gates for what changed'
	holdfast ralph pause >/dev/null
	statusline
	assert_equal "$stdout" 'loop 2/5 paused · next stop: gates for what changed'
}

@test "where nothing is configured it prints nothing, and bad input is no error" {
	rm holdfast.yml
	statusline
	assert_equal "$stdout" ''
	local input
	for input in '' '{' '[]' '{"workspace":7}' '{"workspace":{"current_dir":"/nowhere"}}'; do
		run_holdfast statusline <<<"$input"
		assert_status 0
		assert_equal "$stdout$stderr" ''
	done
}

@test "it finds the project from a subdirectory, and starts no program" {
	mkdir -p src/deep
	hook
	fake git <<<'exit 1'
	cd /
	statusline '.workspace.current_dir += "/src/deep"'
	assert_equal "$stdout" '✗ test · ✓ lint · next stop: test must pass'
}

@test "it says that holdfast is off, and what is wrong with the configuration" {
	holdfast off >/dev/null
	statusline
	assert_equal "$stdout" 'holdfast is off'
	holdfast on >/dev/null
	write holdfast.yml <<<'gates: {test: {runn: x}}'
	statusline
	[[ $stdout == '✗ '*holdfast.yml:1:* ]]
}

@test "colours only if they are asked for" {
	hook
	FORCE_COLOR=1 statusline
	[[ $stdout == $'\e[31m✗ test\e[0m'* ]]
}
