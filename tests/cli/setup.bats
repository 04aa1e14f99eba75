#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Setting up: where things go, that what was there comes back, and that no advice leads in a circle.

load helper
load gates

setup() {
	setup_project
	# only these reviewers, whatever the machine has
	mkdir -p "$BATS_TEST_TMPDIR/tools"
	local tool
	for tool in bash sh git jq cat mkdir readlink ls tr wc stat grep sed ln rm cmp cp mv chmod find script; do
		ln -s "$(command -v "$tool")" "$BATS_TEST_TMPDIR/tools/$tool"
	done
	PATH=$BIN:$BATS_TEST_TMPDIR/tools
}

@test "init --gates in a subdirectory writes everything at the root of the repository" {
	git_project
	mkdir -p a/b
	cd a/b
	run_holdfast init --gates
	assert_status 0
	assert_absent .gauntlet
	assert_absent .claude
	assert_file "$PROJECT/.gauntlet/config.yml"
	assert_file "$PROJECT/.claude/settings.json"
	assert_file_has "$PROJECT/.git/info/exclude" gauntlet_logs/
	[ -L "$PROJECT/.claude/commands/gauntlet.md" ]
	cd "$PROJECT"
	hook
	assert_answer '.status != "no_config"'
	# and where the gates are in a subdirectory already, the root gets none
	mv .gauntlet a/
	cd a/b
	run_holdfast init --gates
	assert_stdout_has "The gates are configured in $PROJECT/a"
	assert_absent "$PROJECT/.gauntlet"
}

@test "uninstall gives the old bytes back where init updated a hook" {
	local settings=.claude/settings.json
	write $settings <<<'{ "hooks": {"Stop": [ {"hooks": [{"type":"command", "command":"/old/holdfast stop-hook","timeout" : 300 }]} ] } }'
	cp $settings before
	run_holdfast init
	assert_stdout_has 'timeout was 300'
	assert_equal "$(jq '.hooks.Stop[0].hooks[0].timeout' $settings)" 600
	run_holdfast init # and again
	run_holdfast uninstall
	assert_status 0
	cmp before $settings
	# a timeout that was missing is missing again; one that was changed since stays
	write $settings <<<'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"holdfast stop-hook"}]}]}}'
	cp $settings before
	run_holdfast init
	run_holdfast uninstall
	cmp before $settings
	run_holdfast init
	sed -i 's/600/900/' $settings
	run_holdfast uninstall
	assert_equal "$(jq -c . $settings)" '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"holdfast stop-hook","timeout":900}]}]}}'
}

@test "init --gates writes a configuration into a .gauntlet that has none" {
	local start
	git_project
	for start in 'holdfast ci init' 'mkdir -p .gauntlet/checks'; do
		rm -rf .gauntlet .claude .github
		$start
		run_holdfast run
		assert_stderr_has "'holdfast init' writes holdfast.yml"
		run_holdfast init --gates
		assert_status 0
		assert_file .gauntlet/config.yml
		run_holdfast validate
		assert_status 0
	done
}

@test "what stands in a .gauntlet without a configuration stays" {
	git_project
	write .gauntlet/reviews/code-quality.md <<<'Look at it.'
	run_holdfast init --gates
	assert_stdout_has '.gauntlet/reviews/code-quality.md already exists'
	assert_file .gauntlet/reviews/code-quality.md 'Look at it.'
	assert_file .gauntlet/config.yml
}

@test "init --gates says that its files are a change until they are committed" {
	git_project
	run_holdfast init --gates
	assert_stdout_has 'Commit these files: until then they count as changes'
	run_holdfast detect
	assert_stdout_has .gauntlet/config.yml
	git add -A && git commit -qm gates
	run_holdfast detect
	assert_stdout_lacks .gauntlet/config.yml
}

@test "a loop's file is no change, and git does not add it" {
	gates lint true
	git stash -q
	holdfast ralph start 'fix it' --max-iterations 3 >/dev/null
	run_holdfast detect
	assert_stdout_lacks ralph-loop
	git add -A
	assert_equal "$(git status --porcelain)" ''
}

@test "from a subdirectory a run names logs that can be opened there" {
	gates lint false
	mkdir -p src/deep
	cd src/deep
	run_holdfast run
	assert_status 1
	[[ $stderr =~ Log:\ ([^[:space:]]+) ]]
	assert_file "${BASH_REMATCH[1]}"
}

@test "a client that is declined gets no command and does not review" {
	fake gemini <<<'#!/bin/sh'
	fake claude <<<'#!/bin/sh'
	git_project
	printf 'y\nn\n' | on_terminal holdfast init --gates
	assert_file .claude/settings.json
	assert_absent .gemini
	assert_file_lacks .gauntlet/config.yml '- gemini'
	assert_file_has .gauntlet/config.yml '- claude'
}

@test "an answer that is neither yes nor no is asked for again" {
	mkdir "$HOME/.claude" "$HOME/.gemini"
	printf 'maybe\nn\ny\n' | on_terminal holdfast init
	grep -q 'Please answer y or n' "$OUT"
	assert_absent .claude
	assert_file .gemini/settings.json
}

@test "validate and doctor say that ci.yml names a check that does not exist" {
	gates lint true
	write .gauntlet/ci.yml <<<$'checks:\n  - name: lint\n  - name: tpyo'
	run_holdfast validate
	assert_status 0
	assert_stderr_has ".gauntlet/ci.yml:3:5: warning: checks[1]: there is no check 'tpyo'"
	assert_stderr_lacks "'lint'"
	run_holdfast doctor
	assert_stdout_has "there is no check 'tpyo'"
}
