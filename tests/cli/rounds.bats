#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Rounds where a sequence of cases is not enough: many stops at once, and files that are not ours to use.

load helper

setup() {
	setup_project
	FILE=$STATE/conclaude-$SESSION.rounds
}

rounds() { printf 'stop:\n  rounds: %s\n' "$1" >.conclaude.yaml; }

# at_once COUNT COMMAND...: that many at the same time, each with the event as its input.
at_once() {
	local count=$1 i
	shift
	event '.transcript_path = "/t"' >"$BATS_TEST_TMPDIR/event"
	mkdir -p "$BATS_TEST_TMPDIR/many"
	for ((i = 1; i <= count; i++)); do
		(
			code=0
			"$@" <"$BATS_TEST_TMPDIR/event" >"$BATS_TEST_TMPDIR/many/$i.out" 2>"$BATS_TEST_TMPDIR/many/$i.err" || code=$?
			echo "$code" >"$BATS_TEST_TMPDIR/many/$i.code"
		) 3>&- &
	done
	wait
}
codes() { cat "$BATS_TEST_TMPDIR"/many/*.code | sort | uniq -c | sed 's/^ *//'; }
without_privileges() {
	if ((EUID)); then "$@"; else setpriv --bounding-set=-all --inh-caps=-all "$@"; fi
}

@test "20 stops at once count exactly 20 rounds, each once" {
	rounds 100
	at_once 20 holdfast stop-hook
	assert_equal "$(codes)" '20 0'
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.out | jq -r .reason | sort -V)" "$(for i in {1..20}; do echo "Round $i/100 completed, continuing..."; done)"
	assert_file "$FILE" 20
}

@test "50 stops at once through conclaude count exactly 50 rounds" {
	rounds 100
	at_once 50 conclaude Stop
	assert_equal "$(codes)" '50 2'
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.err | sort -V)" "$(for i in {1..50}; do echo "Round $i/100 completed, continuing..."; done)"
	assert_file "$FILE" 50
}

@test "200 stops at once: none fails, none is lost" {
	rounds 1000
	at_once 200 holdfast stop-hook
	assert_equal "$(codes)" '200 0'
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.out | jq -r .reason | sort -u | wc -l)" 200
	assert_file "$FILE" 200
}

@test "20 stops at once past the last round: every series is whole" {
	rounds 3
	at_once 20 holdfast stop-hook
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.out | jq -r .status | sort | uniq -c | sed 's/^ *//')" $'14 round_completed\n6 rounds_finished'
	assert_file "$FILE" 2
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.err | grep -c warning || true)" 0
}

@test "the file is for the user alone, whatever the umask" {
	local mask
	for mask in 000 022 077 277 777; do
		rm -f "$FILE"
		rounds 3
		(umask "$mask" && hook)
		assert_mode "$FILE" 600
		hook . without_privileges holdfast stop-hook
		assert_block '.reason == "Round 2/3 completed, continuing..."'
	done
}

@test "a file of another user is not used, and stays" {
	((EUID == 0)) || skip "only root can give files away"
	rounds 3
	echo 1 >"$FILE"
	chown 54321 "$FILE"
	chmod 666 "$FILE"
	hook
	assert_allow '.status == "rounds_finished"' '.message | contains("rounds state unavailable")'
	assert_file "$FILE" 1
	hook '.hook_event_name = "SessionEnd"' holdfast hook SessionEnd
	assert_status 0
	assert_file "$FILE" 1
}

@test "a file that may not be written: the agent may stop" {
	rounds 3
	echo 1 >"$FILE"
	chmod 400 "$FILE"
	hook . without_privileges holdfast stop-hook
	assert_allow '.status == "rounds_finished"' '.message | contains("rounds state unavailable")'
	assert_file "$FILE" 1
	hook '.transcript_path = "/t"' without_privileges conclaude Stop
	assert_status 0
	assert_stderr_has "Warning: rounds state unavailable: $FILE: "
}

@test "a directory that may not be written to: the agent may stop" {
	rounds 3
	chmod 500 "$STATE"
	hook . without_privileges holdfast stop-hook
	chmod 700 "$STATE"
	assert_allow '.status == "rounds_finished"' '.message | contains("rounds state unavailable")'
	assert_absent "$FILE"
}

# scenario: 003-04
@test "a full disk: a count that can't be written does not hold back" {
	rounds 3
	hook . bash -c '{ ulimit -f 0; exec holdfast stop-hook 2>/dev/null; } | cat'
	assert_allow '.status == "rounds_finished"' '.message | contains("rounds state unavailable")'
}

# scenario: 003-04
@test "a file that another process keeps locked: after two seconds the agent may stop" {
	rounds 3
	echo 1 >"$FILE"
	exec {held}<>"$FILE"
	flock "$held"
	local began=$SECONDS
	hook
	((SECONDS - began <= 4)) || show "it took $((SECONDS - began)) s"
	assert_allow '.status == "rounds_finished"' '.message | contains("rounds state unavailable")'
	exec {held}>&-
	assert_file "$FILE" 1
	hook
	assert_block '.reason == "Round 2/3 completed, continuing..."'
}

@test "a file that another process has locked for a moment is waited for" {
	rounds 3
	echo 1 >"$FILE"
	flock "$FILE" sleep 0.5 3>&- &
	sleep 0.1
	hook
	assert_block '.reason == "Round 2/3 completed, continuing..."'
}

@test "a locked file does not make the hook miss its own deadline" {
	rounds 3
	echo 1 >"$FILE"
	exec {held}<>"$FILE"
	flock "$held"
	local began=${EPOCHREALTIME/./}
	hook . holdfast stop-hook --deadline 1
	local took=$((${EPOCHREALTIME/./} - began))
	exec {held}>&-
	assert_allow '.message | contains("rounds state unavailable")'
	((took < 1900000)) || show "it took $took us"
}

@test "TMPDIR does not move the file" {
	rounds 3
	unset CONCLAUDE_STATE_DIR
	SESSION=holdfast-test-$$-$RANDOM
	hook
	assert_block
	assert_file "/tmp/conclaude-$SESSION.rounds" 1
	assert_equal "$(ls -A "$TMPDIR")" ''
	hook '.hook_event_name = "SessionEnd" | .transcript_path = "/t" | .reason = "exit"' conclaude SessionEnd
	assert_absent "/tmp/conclaude-$SESSION.rounds"
}

@test "a session that ends while its stops run leaves no file with a wrong count" {
	rounds 100
	local i
	event >"$BATS_TEST_TMPDIR/event"
	for ((i = 0; i < 10; i++)); do
		holdfast stop-hook <"$BATS_TEST_TMPDIR/event" >/dev/null 2>&1 3>&- &
		holdfast hook SessionEnd <"$BATS_TEST_TMPDIR/event" >/dev/null 2>&1 3>&- &
	done
	wait
	[[ ! -e $FILE ]] || grep -Eqx '[0-9]+' "$FILE"
	hook '.hook_event_name = "SessionEnd"' holdfast hook SessionEnd
	assert_absent "$FILE"
	hook
	assert_block '.reason == "Round 1/100 completed, continuing..."'
}

@test "at the end of a session what can't be removed does not keep the rest" {
	local output=$XDG_STATE_HOME/holdfast/output/$SESSION.log counts=$XDG_STATE_HOME/holdfast/sessions/$SESSION.json command
	for command in holdfast\ hook conclaude; do
		ln -sf "$HOME/elsewhere" "$FILE"
		echo '{"tries":1}' | write "$counts"
		echo x | write "$output"
		hook '.hook_event_name = "SessionEnd" | .transcript_path = "/t" | .reason = "exit"' $command SessionEnd
		assert_status 0
		assert_stderr_has 'is a symbolic link'
		assert_absent "$counts"
		assert_absent "$output"
		[[ -L $FILE ]] || show 'the link is gone'
	done
}
