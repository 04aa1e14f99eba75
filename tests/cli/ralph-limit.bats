#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# resume_after_limit: what a usage limit leaves in the loop's file, and how ralph resume --wait goes on, with a client that is a script.

load helper

LOOP=.claude/ralph-loop.local.md

setup() {
	setup_project
	export TZ=UTC
	{
		printf '%s\n' --- "session_id: $SESSION" 'max_iterations: 9' 'completion_promise: DONE' "resume_after_limit: ${LIMIT:-2}" ---
		echo; echo 'Go on with the plan.'
	} | write "$LOOP"
}

# fails MESSAGE [ERROR]: the event as Claude Code sends it when an error has ended the turn
fails() {
	hook ".hook_event_name = \"StopFailure\" | .error = \"${2-rate_limit}\" | .last_assistant_message = \"$1\"" holdfast hook StopFailure
	assert_status 0
	[[ -z $stdout ]]
}
until_of() { holdfast ralph status --json | jq -r '.[0].limit_until // "-"'; }
# client < script: what `claude` does; each start is a line of $TMPDIR/starts
client() {
	{
		printf '#!/bin/bash\nprintf "%%s|" "$@" >>%q; echo >>%q\nevent() { jq -nc --arg s "$HOLDFAST_SESSION" "{session_id: \\$s, cwd: \\"$PWD\\"} + $1"; }\n' "$TMPDIR/starts" "$TMPDIR/starts"
		cat
	} | fake claude
}

@test "a usage limit is noted with the time at which it passes, other errors are not" {
	fails 'API Error: 529 overloaded' overloaded && [[ $(until_of) == - ]]
	fails "Claude AI usage limit reached|1893456000" && [[ $(until_of) == 2030-01-01T00:00:00Z ]]
	fails "You've hit your session limit · resets 10:10pm (UTC)" && [[ $(until_of) == *T22:10:00Z ]]
	fails "You've hit your weekly limit · resets Mar 3, 12am" && [[ $(until_of) == *-03-03T00:00:00Z ]]
	fails "You've hit your limit · resets at 9am" && [[ $(until_of) == *T09:00:00Z ]]
	[[ $(date -d "$(until_of)" +%s) -gt $(date +%s) ]]
	[[ $(holdfast ralph status) == *'waits    for a usage limit, until '* ]]
	fails 'Rate limit reached' && [[ $(date -d "$(until_of)" +%s) -gt $(($(date +%s) + 600)) ]]
	SESSION=other fails "Claude AI usage limit reached|1893456000" && [[ $(until_of) != 2030* ]]
}

@test "resume --wait goes on with the session, as often as the key says, and counts each start before it" {
	fails 'usage limit reached|1700000000'
	client <<-'END'
		grep -q '"resumes":[12]' .claude/ralph-loop.local.md || exit 9
		event '{hook_event_name: "StopFailure", error: "rate_limit", last_assistant_message: "usage limit reached|1700000000"}' | holdfast hook StopFailure
		echo "the client says hello"
	END
	run_holdfast ralph resume --wait
	assert_failure
	[[ $stderr == *"the session was resumed 2 times, and 'resume_after_limit' allows no more"* ]] || show
	[[ $stdout == *'Resuming session test-session (2 of 2).'*'the client says hello' ]] || show
	[[ $(grep -c . "$TMPDIR/starts") -ge 2 ]]
	grep -q "^--resume|test-session|-p|Go on with the plan." "$TMPDIR/starts"
	[[ $(holdfast ralph status --json | jq '.[0].resumes') == 2 ]]
}

@test "it ends when the loop has ended, and says so when the client ended for another reason" {
	fails 'usage limit reached|1700000000'
	client <<-'END'
		event '{hook_event_name: "Stop", last_assistant_message: "<promise>DONE</promise>"}' | holdfast stop-hook >/dev/null 2>&1
	END
	run_holdfast ralph resume --wait
	assert_status 0
	[[ $stdout == *'The Ralph loop has ended'* ]] || show
	[[ $(holdfast ralph history) == *complete* ]]
	setup && fails 'usage limit reached|1700000000'
	run_holdfast ralph resume --wait -- sh -c 'echo "$HOLDFAST_SESSION: $HOLDFAST_PROMPT" | head -n 1'
	assert_failure
	[[ $stdout == *'test-session: Go on with the plan.'* && $stderr == *'no usage limit is noted'* ]] || show
}

@test "without a limit, or without the key, nothing is started" {
	client </dev/null
	run_holdfast ralph resume --wait && assert_failure && [[ $stderr == *'waits for no usage limit'* ]]
	sed -i '/^resume_after_limit/d' "$LOOP"
	fails 'usage limit reached|1700000000' && [[ $(until_of) == - ]]
	run_holdfast ralph resume --wait && assert_failure && [[ $stderr == *"'resume_after_limit' is not set"* ]]
	[[ ! -e $TMPDIR/starts ]]
	run_holdfast ralph resume x && assert_failure
}

@test "init registers the event that the limit comes with" {
	rm -r .claude && git_project
	echo 'loop: {resume_after_limit: 3}' >holdfast.yml
	run_holdfast init --yes
	jq -e '.hooks.StopFailure' .claude/settings.json
}
