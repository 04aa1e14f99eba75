#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# holdfast status, and turning holdfast off for a while.

load helper

setup() {
	setup_project
	write holdfast.yml <<<'gates: {test: test -e ok, docs: {run: "true", files: ["*.md"]}}'
	git_project
	git checkout -q -b work
}

@test "status tells a stranger what failed, where its log is, and what the next stop runs" {
	run_holdfast status
	assert_status 0
	assert_stdout_has 'gates     holdfast.yml: 2 checks, 0 reviews, compared with main'
	assert_stdout_has 'last run  none yet'
	assert_stdout_has 'next stop no gate runs: nothing has changed'
	echo x >a.c
	run_holdfast status
	assert_stdout_has 'next stop runs test  (a.c changed)'
	hook
	assert_block
	run_holdfast status
	assert_stdout_has ' s ago; known now: 0 passed, 1 failed'
	assert_stdout_has 'failing   test  .holdfast/check_._test.1.log'
	assert_stdout_has 'tries     1 of 3 used'
	[ -e .holdfast/check_._test.1.log ]
	touch ok
	hook '.stop_hook_active = true'
	assert_allow '.status == "passed"'
	run_holdfast status
	assert_stdout_lacks failing
	assert_stdout_lacks tries
	assert_stdout_has 'next stop no gate runs: nothing has changed since they passed'
	echo x >a.md
	run_holdfast status
	assert_stdout_has 'next stop runs test'
	assert_stdout_has '          runs docs  (a.md changed)'
}

@test "status works from a directory below, its log paths open from there, and it changes nothing" {
	echo x >a.c
	hook
	mkdir below
	local before
	before=$(find "$HOME" "$PROJECT" -type f ! -path '*/.git/*' -printf '%p %T@\n' | sort)
	cd below
	run_holdfast status
	assert_stdout_has "failing   test  $PROJECT/.holdfast/check_._test.1.log"
	assert_equal "$(find "$HOME" "$PROJECT" -type f ! -path '*/.git/*' -printf '%p %T@\n' | sort)" "$before"
}

@test "status --json has the same for scripts" {
	echo x >a.c
	hook
	run_holdfast status --json
	assert_json '.failing == [{gate: "test", in: ".", log: "'"$PROJECT"'/.holdfast/check_._test.1.log"}]' \
		'.tries_used == 1 and .tries == 3' '.running == false and .off == false' '[.next[].gate] == ["test"]'
}

@test "a run in progress is told" {
	write holdfast.yml <<-'END'
		gates:
		  test: touch "$HOME/began"; while [ ! -e "$HOME/go" ]; do sleep 0.02; done
	END
	echo x >a.c
	holdfast run >/dev/null 2>&1 3>&- &
	for ((i = 0; i < 500; i++)); do [ -e "$HOME/began" ] && break || sleep 0.02; done
	run_holdfast status
	touch "$HOME/go"
	wait
	assert_stdout_has 'running   a run is in progress'
}

@test "where nothing is configured, status says what to do" {
	rm holdfast.yml
	run_holdfast status
	assert_status 1
	assert_stderr_has 'holdfast.yml'
}

@test "off lets the agent stop and says so each time, on ends it" {
	echo x >a.c
	run_holdfast off
	assert_stdout "holdfast is off in $PROJECT until you type 'holdfast on'."
	hook
	assert_allow '.status == "off"' '.systemMessage | contains("so nothing was checked")'
	run_holdfast status
	assert_stdout_has 'next stop allowed: holdfast is off'
	mkdir below && cd below
	run_holdfast on
	assert_stdout "holdfast is on in $PROJECT."
	cd ..
	hook
	assert_block
	run_holdfast on
	assert_stdout "holdfast was on in $PROJECT."
}

@test "off --for ends by itself, and needs a unit" {
	echo x >a.c
	run_holdfast off --for 1s
	assert_stdout_has "holdfast is off in $PROJECT until 20"
	hook
	assert_allow '.status == "off"'
	sleep 1.1
	hook
	assert_block
	run_holdfast off --for 30
	assert_status 1
	assert_stderr_has "expected a time with a unit, 30m or 2h, not '30'"
}

@test "off holds for one project, also for stops in a directory below, and a loop stays where it is" {
	local loop=.claude/ralph-loop.local.md
	holdfast ralph start --max-iterations 5 go >/dev/null 2>&1
	holdfast off >/dev/null
	mkdir below
	hook ".cwd = \"$PROJECT/below\""
	assert_allow '.status == "off"'
	grep -q 'iteration: 1' "$loop"
	mkdir "$BATS_TEST_TMPDIR/other" && cd "$BATS_TEST_TMPDIR/other" && git init -q
	hook ".cwd = \"$BATS_TEST_TMPDIR/other\""
	assert_allow '.status == "no_config"'
}

@test "an agent can't turn holdfast off" {
	CLAUDECODE=1 run_holdfast off
	assert_status 1
	assert_stderr_has 'only you can turn holdfast off'
	echo x >a.c
	hook
	assert_block
}

@test "a file that says nothing turns nothing off" {
	echo x >a.c
	holdfast off >/dev/null
	for text in '' nonsense '{}' '{"project":"/elsewhere","until_ms":9223372036854775807}'; do
		echo "$text" >"$(echo "$XDG_STATE_HOME"/holdfast/off/*)"
		hook ".session_id = \"s$((++n))\""
		assert_block
	done
}
