#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The whole chain at once, and the promise to the client while it works: exactly one answer on every path.

load helper

setup() {
	setup_project
	write .conclaude.yaml <<-'YAML'
		stop:
		  promptPrefixBlocking:
		    prefixes: ["ULTRATHINK*"]
		    messages:
		      - text: first
		        times: 3
		      - text: second
		        times: 5
		  commands:
		    - run: echo ran >>.ran
		  rounds: 100
	YAML
	DB=$XDG_DATA_HOME/conclaude/conclaude.db
}

place() { sqlite3 -cmd '.timeout 5000' "$DB" "SELECT queue_position || '|' || times_remaining FROM prompt_prefix_sessions"; }

@test "20 stops at once go through the chain: every message once, then commands and rounds, none lost" {
	local i
	prompt 'ULTRATHINK'
	event >"$BATS_TEST_TMPDIR/event"
	for ((i = 1; i <= 20; i++)); do
		holdfast stop-hook <"$BATS_TEST_TMPDIR/event" >"$BATS_TEST_TMPDIR/$i.out" 2>"$BATS_TEST_TMPDIR/$i.err" 3>&- &
	done
	wait
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/*.out | jq -r .status | sort | uniq -c | sed 's/^ *//')" $'8 follow_up\n12 round_completed'
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/*.out | jq -r .reason | sort | uniq -c | sort -rn | sed 's/^ *//' | head -n 2)" $'5 second\n3 first'
	assert_equal "$(wc -l <.ran)" 12
	assert_file "$STATE/conclaude-$SESSION.rounds" 12
	assert_equal "$(place)" '2|0'
}

@test "a chain of three systems through both doors, stop by stop" {
	prompt 'ULTRATHINK'
	local i want
	for ((i = 1; i <= 10; i++)); do
		case $i in [123]) want=first ;; [45678]) want=second ;; *) want="Round $((i - 8))/100 completed, continuing..." ;; esac
		if ((i % 2)); then
			hook
			assert_block ".reason == \"$want\""
		else
			hook '.transcript_path = "/t"' conclaude Hooks Stop
			assert_status 2
			assert_equal "$stderr" "$want"
			assert_equal "$(tail -n 1 "$OUT" | jq -r .message)" "$want"
		fi
	done
}

@test "a signal at any moment: one whole answer, exit code 0, and nothing is counted twice" {
	prompt 'ULTRATHINK'
	event >"$BATS_TEST_TMPDIR/event"
	local i blocks=0
	for ((i = 0; i < 40; i++)); do
		status=0
		timeout --preserve-status -s TERM "0.00$((i % 9))5" holdfast stop-hook <"$BATS_TEST_TMPDIR/event" >"$OUT" 2>"$ERR" || status=$?
		stdout=$(<"$OUT") stderr=$(<"$ERR")
		# Before the hook has begun to listen a signal just ends it, which is no answer and lets the agent stop.
		if ((status == 143)); then
			assert_stdout ''
			continue
		fi
		assert_answer
		[[ $(jq -r .status "$OUT") != follow_up ]] || blocks=$((blocks + 1))
	done
	# A message whose place was written but whose answer a signal took is lost; none is ever sent twice.
	((blocks <= 8)) || show "$blocks messages were sent"
	assert_equal "$(sqlite3 "$DB" 'PRAGMA integrity_check')" ok
}

@test "closed stdout: nothing that is meant for it lands in a file" {
	prompt 'ULTRATHINK'
	event >"$BATS_TEST_TMPDIR/event"
	status=0
	holdfast stop-hook <"$BATS_TEST_TMPDIR/event" >&- 2>"$ERR" || status=$?
	assert_status 0
	assert_equal "$(sqlite3 "$DB" 'PRAGMA integrity_check')" ok
	assert_equal "$(grep -rl '"reason"' "$HOME" "$STATE" "$PROJECT")" ''
	hook
	assert_block
}

@test "closed stderr and closed stdin: an answer all the same" {
	prompt 'ULTRATHINK'
	event >"$BATS_TEST_TMPDIR/event"
	run_command bash -c 'holdfast stop-hook 2>&- <"$1"' - "$BATS_TEST_TMPDIR/event"
	assert_block '.status == "follow_up"'
	run_command bash -c 'holdfast stop-hook <&-'
	assert_allow '.status == "invalid_input"'
}

@test "a stderr that nobody reads and that is full does not keep the answer back" {
	printf 'stop:\n  rounds: 3\n' >.conclaude.yaml
	mkfifo "$TMPDIR/full"
	exec 9<>"$TMPDIR/full"
	head -c 65536 /dev/zero >&9
	event >"$TMPDIR/event"
	status=0
	timeout 300 holdfast stop-hook <"$TMPDIR/event" >"$OUT" 2>&9 || status=$?
	assert_block '.status == "round_completed"'
	timeout 300 conclaude Stop <"$TMPDIR/event" >"$OUT" 2>&9 || status=$? # no transcript: an error
	assert_status 1
	event '.transcript_path = "/t"' >"$TMPDIR/event"
	timeout 300 conclaude Stop <"$TMPDIR/event" >"$OUT" 2>&9 || status=$?
	exec 9>&-
	assert_status 2
	assert_equal "$(<"$STATE/conclaude-$SESSION.rounds")" 2
}

@test "a reader that is gone does not make the hook fail" {
	prompt 'ULTRATHINK'
	event >"$BATS_TEST_TMPDIR/event"
	run_command bash -c 'set -o pipefail; { sleep 0.1; holdfast stop-hook <"$1"; } | true' - "$BATS_TEST_TMPDIR/event"
	assert_status 0
}

# scenario: G13-75
@test "the answer comes when the event is complete, also where stdin stays open" {
	prompt 'ULTRATHINK'
	mkfifo "$BATS_TEST_TMPDIR/in"
	holdfast stop-hook <"$BATS_TEST_TMPDIR/in" >"$OUT" 2>"$ERR" 3>&- &
	local pid=$!
	exec {in}>"$BATS_TEST_TMPDIR/in"
	event >&"$in"
	wait "$pid"
	status=0
	exec {in}>&-
	assert_block '.status == "follow_up"'
}

@test "one event after the other, each its own process: prompt, stops, the end of the session" {
	prompt 'ULTRATHINK' conclaude UserPromptSubmit
	assert_status 1
	assert_stderr_has 'Missing required field: transcript_path'
	hook '.hook_event_name = "UserPromptSubmit" | .transcript_path = "/t" | .prompt = "ULTRATHINK"' conclaude UserPromptSubmit
	assert_status 0
	assert_stdout ''
	local i
	for ((i = 0; i < 9; i++)); do hook; done
	assert_file "$STATE/conclaude-$SESSION.rounds" 1
	hook '.hook_event_name = "SessionEnd" | .transcript_path = "/t" | .reason = "exit"' conclaude Hooks SessionEnd
	assert_status 0
	assert_absent "$STATE/conclaude-$SESSION.rounds"
	assert_equal "$(place)" '2|0'
}

@test "an event that never ends is not waited for longer than the hook's deadline" {
	mkfifo "$BATS_TEST_TMPDIR/input"
	exec 9<>"$BATS_TEST_TMPDIR/input"
	printf '{' >&9
	run_command holdfast stop-hook --deadline 1 <&9
	exec 9>&-
	assert_allow '.status == "invalid_input"' '.message | contains("no complete event within 1 s")'
}

@test "without a deadline of its own the hook waits for an event for five seconds" {
	mkfifo "$BATS_TEST_TMPDIR/input"
	exec 9<>"$BATS_TEST_TMPDIR/input"
	printf '{' >&9
	run_command timeout 300 holdfast stop-hook <&9
	exec 9>&-
	assert_allow '.status == "invalid_input"' '.message | contains("no complete event within 5 s")'
}
