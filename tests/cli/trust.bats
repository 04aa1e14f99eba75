#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Trust: which definitions may run, and who may change them.

load helper
load gates

setup() {
	setup_project
	AT=$XDG_STATE_HOME/holdfast/trust
}

# ---- the command ----

@test "trust shows what a project would run and records it" {
	gates lint 'make lint' unit $'one\ntwo'
	printf 'stop:\n  commands:\n    - run: make check\n' >.conclaude.yaml
	run_holdfast trust
	assert_status 0
	assert_stdout_has "$PROJECT runs at a stop:"
	assert_stdout_has 'check     lint: make lint'
	assert_stdout_has 'command   make check'
	assert_stdout_has 'Trusted (4 files)'
	run_holdfast trust --list
	assert_stdout_has "$PROJECT  trusted since 2"
	assert_equal "$(stat -c %a "$AT"/project-*.json)" 600
	assert_absent "$AT/pinned"
}

@test "trust takes a directory, and finds the project above the current one" {
	gates t true
	cd /
	run_holdfast trust "$PROJECT/src"
	assert_status 0
	assert_stdout_has "$PROJECT runs"
	cd "$PROJECT/src"
	run_holdfast trust --revoke
	assert_stdout "$PROJECT is no longer trusted."
	run_holdfast trust --revoke
	assert_status 1
	assert_stderr_has 'was not trusted'
	run_holdfast trust --list
	assert_stdout 'No project is trusted.'
}

@test "trust of a directory that defines nothing is an error" {
	run_holdfast trust
	assert_status 1
	assert_stderr_has 'defines nothing that runs'
	run_holdfast trust missing
	assert_status 1
	assert_stderr_has "'missing' is not a directory"
	run_holdfast trust --pin --list
	assert_status 1
}

@test "trust --pin keeps a copy, trust renews it, --no-pin and --revoke remove it" {
	gates t true
	run_holdfast trust --pin
	assert_stdout_has 'Trusted and pinned (2 files)'
	cmp .gauntlet/checks/t.yml "$AT"/pinned/project-*/*/.gauntlet/checks/t.yml
	check_file t false
	run_holdfast trust --list
	assert_stdout_has 'changed since: .gauntlet/checks/t.yml'
	run_holdfast trust
	assert_stdout_has 'Trusted and pinned'
	cmp .gauntlet/checks/t.yml "$AT"/pinned/project-*/*/.gauntlet/checks/t.yml
	run_holdfast trust --no-pin
	assert_stdout_has 'Trusted (2'
	assert_absent "$AT/pinned"
	run_holdfast trust --pin
	run_holdfast trust --revoke
	assert_absent "$AT/pinned"
	assert_equal "$(find "$AT" -type f)" ''
}

@test "trust --json is one object" {
	gates t 'echo "x"'
	run_holdfast trust --json --pin
	assert_json '.projects | length == 1' ".projects[0].project == \"$PROJECT\"" '.projects[0].pinned' \
		'.projects[0].runs == [{"kind":"check","name":"t","command":"echo \"x\""}]' \
		'.projects[0].definitions | map(.file) == [".gauntlet/checks/t.yml", ".gauntlet/config.yml"]'
	run_holdfast trust --list --json
	assert_json '.projects | length == 1' '.projects[0].pinned' '.projects[0] | has("changed") | not'
}

@test "an agent can't trust a project in the user's place" {
	local variable
	gates t true
	for variable in CLAUDECODE CLAUDE_CODE_SESSION_ID CODEX_SESSION_ID GEMINI_CLI QWEN_CODE CURSOR_AGENT COPILOT_AGENT_SESSION_ID; do
		run_command env $variable=1 holdfast trust
		assert_status 1
		assert_stderr_has 'only you can decide'
		run_command env $variable=1 holdfast trust --revoke
		assert_status 1
	done
	assert_absent "$AT"
	run_command env CLAUDECODE=1 holdfast trust --list
	assert_status 0
}

@test "definitions that others may write to are not trusted (attacks 2)" {
	gates t true
	chmod 777 .gauntlet/checks
	run_holdfast trust
	assert_status 1
	assert_stderr_has "everybody may write to $PROJECT/.gauntlet/checks; 'chmod o-w' changes that"
	assert_absent "$AT"
}

@test "commands of a project can't control the terminal of who looks at them" {
	gates t $'printf \'\e[2J\' \e]0;x\a'
	run_holdfast trust
	assert_status 0
	[[ $stdout != *$'\e'* ]] || show 'an escape came through'
}

@test "without a home nothing can be trusted, and that is said" {
	gates t true
	needs_homeless
	chmod 755 "$PROJECT"
	run_command "${HOMELESS[@]}" trust
	assert_status 1
	assert_stderr_has 'no home directory'
}
