#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The journal of decisions, `holdfast log`, and `holdfast explain`.

load helper

setup() {
	setup_project
	write holdfast.yml <<<'gates: {test: test -e ok}'
	git_project
	git checkout -q -b work
	echo x >a.c
	JOURNAL=${XDG_STATE_HOME:-$HOME/.local/state}/holdfast/decisions.jsonl
}

# One block by the gates, then a pass.
play_two_stops() {
	hook '.prompt_id = "p1"'
	assert_block
	touch ok
	hook '.stop_hook_active = true'
	assert_allow '.status == "passed"'
}

line() { sed -n "$1p" "$JOURNAL"; }

@test "every decision is a line of the journal, with who decided and why" {
	play_two_stops
	assert_equal "$(wc -l <"$JOURNAL")" 2
	assert_equal "$(stat -c %a "$JOURNAL")" 600
	line 1 | jq -e --arg dir "$PROJECT" '.decision == "block" and .status == "failed" and .policy == "gates" and .client == "claude"
		and .event == "Stop" and .project == $dir and .prompt_id == "p1" and .tries == 1 and .max_tries == 3
		and .gates == [{gate: "test", in: ".", outcome: "fail", ms: .gates[0].ms}] and (.ms | type) == "number"
		and (.message | test("test failed")) and (.time | test("^20.*Z$")) and (.session | length) > 0'
	line 2 | jq -e '.decision == "allow" and .status == "passed" and .policy == "gates" and .gates[0].outcome == "pass"'
}

@test "rounds and loops are numbered in the journal" {
	write holdfast.yml <<<'rounds: 3'
	hook
	assert_block
	line 1 | jq -e '.policy == "rounds" and .number == 1 and .of == 3'
	run_holdfast ralph start --max-iterations 5 --completion-promise DONE work
	hook
	assert_block
	line 2 | jq -e '.policy == "loop" and .number == 2 and .of == 5'
}

@test "a stop where nothing is configured leaves no line, and neither does a dry run" {
	rm holdfast.yml
	hook
	write holdfast.yml <<<'gates: {test: "false"}'
	run_holdfast stop-hook --dry-run
	[ ! -e "$JOURNAL" ]
}

@test "journal: false turns it off" {
	write holdfast.yml <<<'{gates: {test: test -e ok}, journal: false}'
	hook
	assert_block
	[ ! -e "$JOURNAL" ]
}

@test "a journal that can't be written does not change a decision" {
	mkdir -p "$JOURNAL"
	hook
	assert_block
	rm -r "$JOURNAL"
	mkfifo "$JOURNAL"
	hook '.stop_hook_active = true'
	assert_block
}

@test "a journal that has grown is moved aside, four times at most" {
	mkdir -p "${JOURNAL%/*}"
	for i in 1 2 3 4 5 6; do
		truncate -s 9M "$JOURNAL"
		echo "$i" >>"$JOURNAL"
		hook
	done
	assert_equal "$(ls "${JOURNAL%/*}" | grep -c '^decisions')" 5
	assert_equal "$(tail -n 1 "${JOURNAL%.jsonl}.1.jsonl" | tr -d '\0')" 6
	assert_equal "$(wc -l <"$JOURNAL")" 1
}

@test "twenty stops at once leave twenty whole lines" {
	write holdfast.yml <<<'rounds: 100'
	local i
	for i in {1..20}; do
		event "$(printf '.session_id = "s%d"' "$i")" >"$BATS_TEST_TMPDIR/event$i"
		holdfast stop-hook <"$BATS_TEST_TMPDIR/event$i" >/dev/null 2>&1 &
	done
	wait
	assert_equal "$(jq -r .session "$JOURNAL" | sort -u | wc -l)" 20
}

@test "log shows the decisions of this project, oldest first" {
	run_holdfast log
	assert_status 0
	assert_stdout_has 'no decision'
	play_two_stops
	run_holdfast log
	assert_status 0
	assert_equal "$(wc -l <<<"$stdout")" 2
	[[ $stdout == *'block  gates'*'test failed'*$'\n'*'allow  gates'* ]]
	cd /
	run_holdfast log
	assert_stdout_has 'no decision'
	run_holdfast log --all
	assert_equal "$(wc -l <<<"$stdout")" 2
	run_holdfast log --project "$PROJECT" --decision block
	assert_equal "$(wc -l <<<"$stdout")" 1
}

@test "log filters by session, policy, decision and time, and prints JSON" {
	play_two_stops
	hook '.session_id = "other"'
	for filter in '--session other' '--decision block' '--limit 1' '--policy gates --decision block'; do
		run_holdfast log $filter
		assert_equal "$filter: $(wc -l <<<"$stdout")" "$filter: 1"
	done
	run_holdfast log --policy loop
	assert_stdout_has 'no decision'
	run_holdfast log --since 1h
	assert_equal "$(wc -l <<<"$stdout")" 3
	run_holdfast log --since 2020-01-01 --until 2020-01-02
	assert_stdout_has 'no decision'
	run_holdfast log --json --decision block
	jq -e '.status == "failed"' <<<"$stdout"
	run_holdfast log --since yesterday
	assert_status 1
	assert_stderr_has "--since: 'yesterday' is no time"
	run_holdfast log --policy gate
	assert_status 1
	assert_stderr_has "gates"
}

@test "log reads the journals that were moved aside, and skips what is no line of its own" {
	play_two_stops
	mv "$JOURNAL" "${JOURNAL%.jsonl}.1.jsonl"
	printf 'nonsense\n{"a":1}\n{"time"' >"$JOURNAL"
	run_holdfast log
	assert_status 0
	assert_equal "$(wc -l <<<"$stdout")" 2
}

@test "log -n and explain read the end of the journal only, and go on to older files until they have enough" {
	play_two_stops
	local old=${JOURNAL%.jsonl}.1.jsonl
	stop() { printf '{"time":"2026-01-01T00:00:%02d.000Z","project":"%s","session":"%s","client":"claude","event":"Stop","policy":"rounds","decision":"block","status":"failed","message":"%s"}\n' "$@"; }
	mv "$JOURNAL" "$BATS_TEST_TMPDIR/two"
	truncate -s 1T "$old" # which nobody can read from its start
	{ echo && cat "$BATS_TEST_TMPDIR/two"; } >>"$old"
	{ stop 3 "$PROJECT" third m3 && stop 4 "$PROJECT" third-but-longer m4 && stop 5 /elsewhere other m5; } >"$JOURNAL"
	for rows in 'log -n 2:2' 'log --limit 3:3' 'log -n 1 --all:1' 'log -n 1 --decision allow:1' 'log -n 2 --session third:2'; do
		run_holdfast ${rows%:*}
		assert_status 0
		assert_equal "$rows: $(wc -l <<<"$stdout")" "$rows: ${rows#*:}"
	done
	run_holdfast log -n 3
	[[ $stdout == *passed*m3*m4 ]]
	run_holdfast explain
	assert_stdout_has 'm4'
	run_holdfast explain third
	assert_stdout_has 'The stop of session third '
	rm "$old" && mkdir "$old" # an error for whoever opens it
	run_holdfast log -n 2
	assert_status 0
	run_holdfast log -n 3
	assert_status 1
}

@test "log --follow prints decisions as they come, also after the journal was moved aside" {
	play_two_stops
	holdfast log --follow --json >"$BATS_TEST_TMPDIR/followed" 3>&- &
	local pid=$!
	for i in {1..100}; do [ "$(wc -l <"$BATS_TEST_TMPDIR/followed")" -lt 2 ] && sleep 0.05; done
	hook '.session_id = "third"'
	for i in {1..100}; do [ "$(wc -l <"$BATS_TEST_TMPDIR/followed")" -lt 3 ] && sleep 0.05; done
	mv "$JOURNAL" "${JOURNAL%.jsonl}.1.jsonl"
	hook '.session_id = "fourth"'
	for i in {1..100}; do [ "$(wc -l <"$BATS_TEST_TMPDIR/followed")" -lt 4 ] && sleep 0.05; done
	kill "$pid"
	assert_equal "$(jq -r .session "$BATS_TEST_TMPDIR/followed" | tail -n 2 | tr '\n' ' ')" 'third fourth '
}

@test "explain says why the last stop was blocked, and what would change that" {
	run_holdfast explain
	assert_status 1
	assert_stderr_has 'no decision'
	hook
	assert_block
	run_holdfast explain
	assert_status 0
	assert_stdout_has 'blocked by the gates (failed)'
	assert_stdout_has '✗ test failed'
	assert_stdout_has 'test  fail'
	assert_stdout_has 'try 1 of 3'
	assert_stdout_has "'holdfast run test'"
	run_holdfast explain --json
	jq -e '.decision == "block" and (.change | length) > 0' <<<"$stdout"
	touch ok
	hook '.stop_hook_active = true | .session_id = "second"'
	run_holdfast explain
	assert_stdout_has 'allowed by the gates (passed)'
	run_holdfast explain second
	assert_stdout_has 'allowed by the gates (passed)'
	run_holdfast explain nobody
	assert_status 1
	assert_stderr_has "no decision of a session 'nobody'"
}

@test "explain shows each policy in the order of the chain" {
	write holdfast.yml <<<'{commands: ["true"], gates: {test: test -e ok}, rounds: 4}'
	hook
	run_holdfast explain
	[[ $stdout == *'commands  '*commands_passed*'gates  '*failed* ]]
	touch ok
	hook '.stop_hook_active = true'
	run_holdfast explain
	[[ $stdout == *'commands  '*'gates  '*passed*'rounds  '*round_completed* ]]
	assert_stdout_has 'round 1 of 4'
}

@test "a tool that the guards deny is a line of the journal, and no stop" {
	write holdfast.yml <<<'guards: {protect: [locked.txt]}'
	hook '.hook_event_name = "PreToolUse" | .tool_name = "Write" | .tool_input = {file_path: "locked.txt", content: "x"}' holdfast hook PreToolUse
	hook '.hook_event_name = "PreToolUse" | .tool_name = "Write" | .tool_input = {file_path: "free.txt", content: "x"}' holdfast hook PreToolUse
	assert_equal "$(wc -l <"$JOURNAL")" 1
	line 1 | jq -e '.decision == "deny" and .policy == "guards" and .event == "PreToolUse" and .tool == "Write" and (.message | length) > 0'
	run_holdfast log --decision deny
	assert_stdout_has 'deny  guards'
	run_holdfast explain
	assert_status 1
}
