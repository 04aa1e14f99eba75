#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Whole sessions with gates: what an agent lives through from its first stop to its last.

load helper
load gates

setup() {
	setup_project
	gates lint 'test -e src/fixed || { echo "src/a.txt:2: two is wrong"; exit 3; }' fine 'true'
}

# scenario: 001-15 001-18 001-19 001-20 001-44 001-56
@test "with reverify a session goes from failure over the reason and the fix to a pass" {
	config 'stop_hook: {reverify: true}'
	stop
	assert_block '.status == "failed"' '.message | contains("failed")' '.reason | contains("src/a.txt:2: two is wrong")' \
		'.reason | contains("\nlint: ")' ".reason | contains(\"$PROJECT/$LOGS/check_._lint.1.log\")" \
		'.stopReason == .reason' '.systemMessage == .message' 'keys_unsorted[:4] == ["decision", "status", "message", "reason"]'

	stop '.stop_hook_active = true'
	assert_block '.status == "failed"' ".reason | contains(\"$PROJECT/$LOGS/check_._lint.2.log\")"

	touch src/fixed
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"' '.message == "✓ Gauntlet passed — all gates completed successfully."'
	assert_file "$LOGS/previous/check_._lint.3.log"
	assert_file_has "$LOGS/previous/console.3.log" 'Fixed: check_._lint'
	assert_file_has "$LOGS/previous/console.3.log" 'Status: Passed'
	assert_equal "$(state .outstanding)" false
}

# scenario: 001-03 001-53
@test "by default the stop after a block is let through, and the next one without the flag is checked" {
	stop
	assert_block '.status == "failed"'
	stop '.stop_hook_active = true'
	assert_allow '.status == "stop_hook_active"' '.message | contains("infinite loop")'
	assert_absent "$LOGS/check_._lint.2.log"
	stop
	assert_block '.status == "failed"'
	touch src/fixed
	stop
	assert_allow '.status == "passed"'
}

# scenario: 001-17 001-48 G13-56 G13-74 G13-48
@test "after three tries the agent may stop and the user is told, until the next prompt or clean" {
	local run
	check_file lint 'echo >>lint.ran; exit 1'
	for run in 1 2 3; do
		stop
		assert_block '.status == "failed"' ".reason | contains(\"check_._lint.$run.log\")"
		assert_equal "$(tries)" "$run"
	done
	stop
	assert_allow '.status == "retry_limit_exceeded"' '.message | contains("retry limit exceeded")' '.message | contains("human review")' \
		'.message | contains("check:.:lint")' '.message | contains("clean") | not'
	assert_file_has "$LOGS/console.4.log" 'Status: Retry limit exceeded'

	# The gates still run: they may have been fixed.
	stop
	assert_allow '.status == "retry_limit_exceeded"'
	assert_equal "$(times lint)" 5

	prompt 'Try once more'
	stop
	assert_block '.status == "failed"'
	assert_equal "$(tries)" 1
	stop
	stop
	stop
	assert_allow '.status == "retry_limit_exceeded"'
	run_command agent-gauntlet clean
	assert_status 0
	stop
	assert_block '.status == "failed"'
	assert_equal "$(tries)" 1
}

@test "tries are those of a session, and a pass gives them back" {
	stop
	stop
	assert_equal "$(tries)" 2
	SESSION=other
	stop
	assert_block '.status == "failed"'
	assert_equal "$(tries)" 1
	touch src/fixed
	stop
	assert_allow '.status == "passed"'
	assert_equal "$(tries)" 0
}

@test "a prompt that the client sends by itself gives no tries back" {
	config 'max_retries: 1'
	stop
	assert_block
	prompt "$(jq -r .reason "$OUT")"
	prompt '<task-notification>done</task-notification>'
	hook '.hook_event_name = "UserPromptSubmit" | .prompt = "go on" | .source = "hook"' holdfast hook UserPromptSubmit
	assert_equal "$(tries)" 1
	stop
	assert_allow '.status == "retry_limit_exceeded"'
	hook '.hook_event_name = "UserPromptSubmit" | .prompt = "go on" | .source = "user"' holdfast hook UserPromptSubmit
	stop
	assert_block '.status == "failed"'
}

# scenario: G13-48
@test "the last retry passes where the gates do" {
	config 'max_retries: 1'
	stop
	assert_block
	touch src/fixed
	stop
	assert_allow '.status == "passed"'
	rm src/fixed
	aged 60
	stop
	assert_block '.status == "failed"'
	assert_file "$LOGS/check_._lint.1.log"
}

@test "without retries the first failure is the limit" {
	config 'max_retries: 0'
	stop
	assert_allow '.status == "retry_limit_exceeded"'
	assert_file_has "$LOGS/console.1.log" 'Status: Retry limit exceeded'
}

# scenario: 001-24 G13-34
@test "on another branch the logs start again, and the tries go on" {
	stop
	stop
	assert_block '.status == "failed"'
	git checkout -q -b other
	stop
	assert_block '.status == "failed"'
	assert_file "$LOGS/check_._lint.1.log"
	assert_absent "$LOGS/check_._lint.2.log"
	assert_file "$LOGS/previous/check_._lint.2.log"
	assert_file "$LOGS/previous/.execution_state"
	assert_equal "$(state .branch)" other
	assert_equal "$(tries)" 3
}

# bounded: three blocks, each counted, and then the limit.
bounded() {
	local run
	for run in 1 2 3; do
		stop
		assert_block '.status == "failed"'
		assert_equal "$(tries)" "$run"
		assert_equal "$(state .outstanding)" true
	done
	stop
	assert_allow '.status == "retry_limit_exceeded"'
}

@test "a gate that leaves another branch behind with every failure is bounded" {
	check_file lint 'git checkout -q -b "on-$(git rev-parse --abbrev-ref HEAD)"; exit 1'
	bounded
}

@test "a branch whose name is not UTF-8 is the same one at the next stop" {
	git checkout -q -b "$(printf 'caf\351')"
	bounded
	run_command agent-gauntlet clean
	touch src/fixed
	stop
	assert_allow '.status == "passed"'
	stop
	assert_allow '.status == "interval_not_elapsed"'
}

@test "a failure in a directory with a newline in its name is bounded" {
	sed -i 's|path: src|path: packages/*|; s|checks: .*|checks: [lint]|' .gauntlet/config.yml
	write .gauntlet/checks/lint.yml <<<'command: exit 1'
	write $'packages/one\ntwo/a' </dev/null
	bounded
}

@test "a gate that deletes its log is bounded, and its failure does not wait for the interval" {
	check_file lint "rm -f $LOGS/*.log; exit 1"
	bounded
}

@test "a gate that deletes the log directory is bounded, and the next gate has a log" {
	check_file lint 'echo the end of it; git clean -fdxq; exit 1'
	bounded
	run_command agent-gauntlet clean
	stop
	assert_block '.reason | contains("the end of it")'
	check_file lint 'git clean -fdxq'
	run_command agent-gauntlet clean
	stop
	assert_allow '.status == "passed"'
	assert_file "$LOGS/previous/check_._fine.1.log"
}

@test "a pass is that of the branch on which the gates began" {
	check_file lint 'git checkout -q -b other'
	stop
	assert_allow '.status == "passed"'
	assert_equal "$(state .branch)" work
}

@test "another branch does not wait for the interval of the first" {
	touch src/fixed
	stop
	assert_allow '.status == "passed"'
	stop
	assert_allow '.status == "interval_not_elapsed"'
	git checkout -q -b other
	stop
	assert_allow '.status == "passed"'
}

# scenario: 001-25
@test "when the work is merged what was left of it is archived" {
	git add -A && git commit -q -m work
	stop
	assert_block '.status == "failed"'
	git branch -f main work
	echo three >>src/a.txt
	stop
	assert_block '.status == "failed"'
	assert_file "$LOGS/check_._lint.1.log"
	assert_absent "$LOGS/check_._lint.2.log"
	assert_file "$LOGS/previous/check_._lint.1.log"
	assert_file "$LOGS/previous/.execution_state"
}

@test "work on the base branch itself keeps its failures and its tries" {
	git checkout -q main
	stop
	assert_block '.status == "failed"'
	git add -A && git commit -q -m 'straight to main'
	stop
	assert_block '.status == "failed"'
	assert_file "$LOGS/check_._lint.2.log"
	assert_equal "$(tries)" 2
}

# scenario: 001-26
@test "on the same branch, not merged, nothing is archived and the failures are verified" {
	git add -A && git commit -q -m work
	stop
	assert_block '.status == "failed"'
	stop
	assert_block '.status == "failed"'
	assert_absent "$LOGS/previous"
	assert_file "$LOGS/check_._lint.1.log"
	assert_file "$LOGS/check_._lint.2.log"
	assert_file_has "$LOGS/console.2.log" 'Found 1 gate(s) with 1 previous violation(s)'
}

# scenario: 001-27 G13-34
@test "without a state nothing is archived" {
	stop
	assert_block '.status == "failed"'
	rm "$LOGS/.execution_state" && forget
	git checkout -q -b other
	stop
	assert_block '.status == "failed"'
	assert_absent "$LOGS/previous"
	assert_file "$LOGS/check_._lint.2.log"
}

# scenario: 001-21 G13-31
@test "the state of a pass has time, branch and commit" {
	local before after
	touch src/fixed
	before=$(date -u +%Y-%m-%dT%H:%M:%S)
	stop
	after=$(date -u +%Y-%m-%dT%H:%M:%S.999Z)
	assert_allow '.status == "passed"'
	assert_equal "$(state .branch)" work
	assert_equal "$(state .commit)" "$(git rev-parse HEAD)"
	[[ $(state .last_run_completed_at) =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$ ]]
	[[ ! $(state .last_run_completed_at) < $before && ! $(state .last_run_completed_at) > $after ]]
}

# scenario: 001-22
@test "the state of a failure has the same fields" {
	stop
	assert_block '.status == "failed"'
	assert_equal "$(state .branch)" work
	assert_equal "$(state .commit)" "$(git rev-parse HEAD)"
	[[ $(state .last_run_completed_at) == 20*Z ]]
}

@test "on a detached head the session goes on" {
	git checkout -q --detach
	stop
	assert_block '.status == "failed"'
	assert_equal "$(state .branch)" HEAD
	stop
	assert_block '.status == "failed"'
	assert_file "$LOGS/check_._lint.2.log"
}

# scenario: 001-31 001-49 002-11 G13-60
@test "within the interval a stop is let through, after it the gates are run" {
	touch src/fixed
	config 'stop_hook: {run_interval_minutes: 10}'
	stop
	assert_allow '.status == "passed"'
	aged 5
	stop
	assert_allow '.status == "interval_not_elapsed"' '.message | contains("(10 min)")' '.message | test("[45] min [0-9]+ s remaining")'
	assert_stderr_has 'not elapsed'
	assert_equal "$(ls "$LOGS")" previous
	aged 15
	stop
	assert_allow '.status == "passed"'
}

# scenario: G13-60
@test "the interval never delays a fix" {
	stop
	assert_block '.status == "failed"'
	touch src/fixed
	stop
	assert_allow '.status == "passed"'
}

@test "a session of the gauntlet's own command is the same" {
	hook . agent-gauntlet stop-hook
	assert_block '.status == "failed"'
	touch src/fixed
	hook . agent-gauntlet stop-hook
	assert_allow '.status == "passed"'
	hook . agent-gauntlet stop-hook
	assert_allow '.status == "interval_not_elapsed"'
}

# scenario: G13-72
@test "stops with nothing to do use no tries" {
	local n
	git checkout -q src/a.txt
	config 'stop_hook: {run_interval_minutes: 0}'
	git commit -q -a -m config
	git branch -f main
	for n in 1 2 3 4 5; do
		stop
		assert_allow '.status == "no_changes"'
	done
	echo two >>src/a.txt
	stop
	assert_block '.status == "failed"'
	assert_equal "$(tries)" 1
}
