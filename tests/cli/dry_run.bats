#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# stop-hook --dry-run: says what a stop would come to, and changes nothing.

load helper

# All that is on disk, but for the files of this test.
everything() {
	find "$PROJECT" "$HOME" "$STATE" "$TMPDIR" -printf '%p %y %m %s\n' | sort
	find "$PROJECT" "$HOME" "$STATE" "$TMPDIR" -type f -print0 | sort -z | xargs -0r sha256sum
}

# dry [FILTER]: plays the event; nothing on disk may change.
dry() {
	local before
	before=$(everything)
	hook "${1:-.}" holdfast stop-hook --dry-run
	assert_status 0
	assert_equal "$(everything)" "$before"
	assert_equal "${stdout##*$'\n'}" 'Nothing was run, counted or written.'
}

native() {
	cat >holdfast.yml
	git_project
	git checkout -q -b work
	echo 1 >change.txt
}

@test "gates and stop commands do not run; it says which would, and what comes then" {
	native <<-'END'
		commands: ['echo command >>"$HOME/ran"']
		gates:
		  test: 'echo test >>"$HOME/ran"; exit 1'
		  lint: { run: "true", files: ["*.py"] }
	END
	dry
	assert_stdout $'This stop would run:
  stop command: echo command >>"$HOME/ran"
  gate test (change.txt changed)
If all of it passes, the stop would be allowed.
Nothing was run, counted or written.'
	assert_absent "$HOME/ran"
}

@test "no try is counted, before and after a failure" {
	native <<<$'tries: 1\ngates: {test: "false"}'
	dry
	hook
	assert_block
	dry '.stop_hook_active = true'
	assert_stdout_has '  gate test (change.txt changed)'
	assert_stderr_has 'the tries of this session are used up, so a gate that fails would not block'
	touch ok
	dry
}

@test "what passed for the same content would not run" {
	native <<<'gates: {test: "true"}'
	hook
	assert_allow '.status == "passed"'
	dry
	assert_stdout_has 'The stop would be allowed (unchanged): nothing to check: unchanged since it passed'
}

@test "a loop is not counted and not ended" {
	git_project
	run_holdfast ralph start 'Fix it' --max-iterations 2
	dry
	assert_stdout_has 'The stop would be blocked (loop_continues): Ralph loop: iteration 2 of 2'
	assert_stdout_has $'The agent would be told:\n  Fix it'
	hook
	assert_block '.status == "loop_continues"'
	dry
	assert_stdout_has 'would be allowed (loop_limit_reached)'
	dry '.last_assistant_message = "<promise>COMPLETE</promise>"'
	assert_stdout_has 'would be allowed (loop_complete)'
	echo '---' >.claude/ralph-loop.local.md
	dry
	assert_stdout_has '(loop_corrupt)'
}

@test "follow-ups and rounds are not counted" {
	write .conclaude.yaml <<-'END'
		stop:
		  rounds: 2
		  promptPrefixBlocking:
		    prefixes: ["go*"]
		    messages: [{text: next}]
	END
	prompt 'go on'
	dry
	assert_stdout_has $'(follow_up): follow-up message 1 of 1\nThe agent would be told:\n  next'
	hook
	assert_block '.reason == "next"'
	dry
	assert_stdout_has '(round_completed): Round 1/2 completed, continuing...'
	hook
	assert_block '.status == "round_completed"'
	dry
	assert_stdout_has '(rounds_finished)'
	hook
	assert_allow '.status == "rounds_finished"'
}

@test "a broken configuration is said and counted nowhere" {
	native <<<'gates: {test: "false"}'
	hook
	assert_block
	echo 'gates: [' >holdfast.yml
	dry
	assert_stdout_has 'The stop would be blocked (failed): '
	assert_stdout_has 'holdfast.yml:'
}

@test "an untrusted project is said each time" {
	native <<<'gates: {test: "false"}'
	run_command holdfast stop-hook --dry-run --user <<<"$(event)"
	assert_stdout_has 'The stop would be allowed (not_trusted): '
	run_command holdfast stop-hook --dry-run --user <<<"$(event)"
	assert_stdout_has 'The stop would be allowed (not_trusted): '
}

@test "without an event on stdin it makes one, also on a terminal and in a directory below" {
	native <<<$'rounds: 2\ngates: {test: "true"}'
	mkdir sub
	cd sub
	run_command holdfast stop-hook --dry-run </dev/null
	assert_status 0
	assert_stdout_has 'gate test (change.txt changed)'
	assert_stdout_has 'If all of it passes, the stop would be blocked (round_completed): Round 1/2'
	on_terminal holdfast stop-hook --dry-run
	grep -q 'gate test (change.txt changed)' "$OUT"
	run_command holdfast stop-hook --dry-run <<<'{'
	assert_status 1
	assert_equal "$stderr" "holdfast: the event on stdin can't be read: the input ends before the event is complete"
}

@test "with .gauntlet it is the same" {
	mkdir -p .gauntlet/checks
	printf 'base_branch: main\ncli: {default_preference: [claude]}\nentry_points:\n  - {path: ., checks: [t]}\n' >.gauntlet/config.yml
	echo 'command: touch "$HOME/ran"' >.gauntlet/checks/t.yml
	git_project && git checkout -q -b work && echo 1 >change.txt
	dry
	assert_stdout_has '  gate t (change.txt changed)'
	assert_absent "$HOME/ran"
	run_holdfast run
	dry
	assert_stdout_has '(interval_not_elapsed)'
}
