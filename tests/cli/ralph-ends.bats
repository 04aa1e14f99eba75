#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every end of a loop has one named reason, and a decision that a signal ends has a line in the journal.

load helper

LOOP=.claude/ralph-loop.local.md

setup() {
	setup_project
	TRANSCRIPT=$BATS_TEST_TMPDIR/transcript.jsonl
	printf '{"type":"assistant","timestamp":"2030-01-01T00:00:00Z","message":{"id":"m","role":"assistant","model":"claude-opus-5-5","usage":{"input_tokens":900000,"output_tokens":1}}}\n' >"$TRANSCRIPT"
}

# loop KEY: VALUE...: a loop with these keys, started long ago
loop() {
	{
		printf '%s\n' --- "session_id: $SESSION" 'started_at: "2026-11-15T02:00:00Z"' "$@" ---
		echo; echo 'Go on.'
	} | write "$LOOP"
}
stop() { hook ".transcript_path = \"$TRANSCRIPT\" | .last_assistant_message = \"${1-Well.}\""; }

# end REASON: brings a loop to that end
end() {
	case $1 in
	complete) loop 'completion_promise: X' && stop '<promise>X</promise>' ;;
	unverified) loop 'completion_promise: X' 'verify: gates' && stop '<promise>X</promise>' ;;
	stopped) loop 'promises: {GIVE UP: stopped}' && stop '<promise>GIVE UP</promise>' ;;
	stuck) loop 'stuck_after: 1' && stop same && stop same && stop same ;;
	max_iterations) loop 'max_iterations: 1' && stop ;;
	max_minutes) loop 'max_minutes: 1' && stop ;;
	max_tokens) loop 'max_tokens: 1' && stop ;;
	max_cost_usd) loop 'max_cost_usd: 0.01' && stop ;;
	cancelled) loop && holdfast ralph cancel --session "$SESSION" ;;
	replaced) loop && holdfast ralph start --session "$SESSION" --force 'Go on.' ;;
	corrupt_state) loop 'max_iterations: many' && stop ;;
	*) return 1 ;;
	esac
}

@test "every reason is in the history, at a stop in log and explain too, and in the manual and the guide" {
	local reason names n=0
	# The table itself, by the message on a wrong name.
	run_holdfast ralph history --reason nonsense
	names=$(sed -n 's/.*expected one of: //p' <<<"$stderr")
	[[ $names == *complete*corrupt_state* ]] || show "no names: $stderr"
	for reason in ${names//,/ }; do
		rm -rf .claude
		end "$reason" >/dev/null || show "the reason $reason does not come about"
		run_holdfast ralph history --reason "$reason" --json
		[[ $(jq -r 'map(.reason) | join(" ")' "$OUT") == "$reason" ]] || show "$reason is not in the history once"
		[[ $(holdfast ralph history | tail -n 1) == *" $reason "* ]] || show "$reason is not shown"
		grep -q "\`$reason\`" "$ROOT/doc/guide/ralph.md"
		grep -q "^\\.BR\\? .*\\b$reason\\b" "$ROOT/doc/man/holdfast-ralph.1"
		n=$((n + 1))
		[[ $reason != cancelled && $reason != replaced ]] || continue
		[[ $(holdfast log | tail -n 1) == *"(the loop has ended: $reason)" ]] || show "$(holdfast log | tail -n 1)"
		[[ $(holdfast log --json | tail -n 1 | jq -r .loop_end) == "$reason" ]]
		[[ $(holdfast explain) == *"The loop has ended: $reason."* ]] || show "$(holdfast explain)"
	done
	((n == 11))
}

# interrupt SIGNAL: sends it to a hook whose gate or command waits
interrupt() {
	local pid i
	mkfifo wait started
	event . >"$BATS_TEST_TMPDIR/event"
	holdfast stop-hook <"$BATS_TEST_TMPDIR/event" >"$OUT" 2>"$ERR" &
	pid=$!
	read -r i <started
	kill -s "$1" "$pid"
	wait "$pid" || true
	stdout=$(<"$OUT")
}

@test "a hook that is ended by a signal while a command runs leaves a line in the journal" {
	echo "commands: ['echo go >started; cat wait']" >holdfast.yml
	interrupt TERM
	assert_json '.decision == "approve"' '.status == "error"'
	[[ $(holdfast log --json | jq -r '[.policy, .decision, .status, .session] | join(" ")') == "commands allow error $SESSION" ]] || show "$(holdfast log --json)"
	[[ $(holdfast log) == *'interrupted before it had decided' ]]
	[[ $(holdfast explain) == *'was allowed by the stop commands (error)'* ]]
}

@test "the same while gates run, with the block of a failure that is known" {
	printf 'gates:\n  test: "! test -e red || exit 1; test ! -p started || { echo go >started; cat wait; }"\n' >holdfast.yml
	git_project && : >red
	hook && assert_json '.status == "failed"'
	rm red
	interrupt HUP
	assert_json '.decision == "block"'
	[[ $(holdfast log --json | tail -n 1 | jq -r '[.policy, .decision, .status] | join(" ")') == 'gates block failed' ]] || show "$(holdfast log --json)"
	[[ $(holdfast log --json | wc -l) == 2 ]]
}

@test "with journal: false a signal leaves no line" {
	printf 'journal: false\ncommands: ["echo go >started; cat wait"]\n' >holdfast.yml
	interrupt TERM
	assert_json '.decision == "approve"'
	[[ $(holdfast log) == 'no decision on record'* ]]
}
