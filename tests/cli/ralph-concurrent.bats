#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The Ralph loop while many hooks, commands and people change its file at the same time.

load helper

LOOP=.claude/ralph-loop.local.md

# loop ITERATION [LINE]...: a state file of $SESSION without a limit, with further lines in its front matter.
loop() {
	write "$LOOP" < <(
		printf '%s\n' --- "iteration: $1" "session_id: $SESSION" 'max_iterations: 0' "${@:2}" --- '' 'Make every test pass.'
	)
}

iteration() { sed -n 's/^iteration: //p' "$LOOP"; }

# stops N: that many hooks at once; their answers are in $TMPDIR/answer.1 and so on.
stops() {
	local n pids=()
	event >"$TMPDIR/event"
	rm -f "$TMPDIR"/answer.*
	for ((n = 1; n <= $1; n++)); do
		holdfast stop-hook <"$TMPDIR/event" >"$TMPDIR/answer.$n" 2>/dev/null &
		pids+=($!)
	done
	for n in "${pids[@]}"; do wait "$n" || { echo "a hook failed: $?" >&2 && return 1; }; done
}

answers() { cat "$TMPDIR"/answer.* | jq -r .status | sort | uniq -c | awk '{ print $1, $2 }' | paste -sd ,; }

only_the_loop_is_left() { [[ $(ls -A .claude) == "${LOOP##*/}" ]] || show ".claude has: $(ls -A .claude)"; }

@test "2, 4, 20 and 50 stops at once are each counted" {
	local n
	for n in 2 4 20 50; do
		loop 1
		stops "$n"
		assert_equal "$(answers)" "$n loop_continues"
		assert_equal "$(iteration)" $((1 + n))
		only_the_loop_is_left
	done
}

@test "every one of 50 stops at once is told another pass" {
	loop 1
	stops 50
	assert_equal "$(cat "$TMPDIR"/answer.* | grep -o 'iteration [0-9]*;' | sort -u | wc -l)" 50
}

@test "of 20 stops at once as many are blocked as the limit allows" {
	loop 1
	sed -i 's/^max_iterations: .*/max_iterations: 6/' "$LOOP"
	stops 20
	assert_equal "$(answers)" '5 loop_continues,1 loop_limit_reached,14 no_config'
	assert_absent "$LOOP"
	assert_equal "$(jq -r .reason "$XDG_STATE_HOME/holdfast/loops.jsonl")" max_iterations
}

@test "an ownerless loop is adopted by one of many sessions that stop at once" {
	local n
	loop 1
	sed -i '/^session_id/d' "$LOOP"
	for n in {1..20}; do
		SESSION=s$n event | holdfast stop-hook >"$TMPDIR/answer.$n" 2>/dev/null &
	done
	wait
	assert_equal "$(answers)" '1 loop_continues,19 loop_not_owned'
	assert_equal "$(iteration)" 2
	assert_equal "$(grep -c '^session_id' "$LOOP")" 1
}

@test "a loop that is deleted while many hooks run never comes back" {
	local round
	for round in {1..10}; do
		loop 9
		stops 8 &
		sleep "0.00$((RANDOM % 10))"
		rm "$LOOP"
		wait $!
		assert_absent "$LOOP"
		assert_equal "$(ls -A .claude)" ''
	done
}

@test "a loop that is cancelled while many hooks run never comes back" {
	local round
	for round in {1..10}; do
		loop 98
		stops 8 &
		sleep "0.00$((RANDOM % 10))"
		run_holdfast ralph cancel
		wait $!
		assert_stdout_has Cancelled
		assert_absent "$LOOP"
		assert_equal "$(ls -A .claude)" ''
	done
	assert_equal "$(jq -r .reason "$XDG_STATE_HOME/holdfast/loops.jsonl" | sort | uniq -c | awk '{ print $1, $2 }')" '10 cancelled'
}

@test "an edit while many hooks run stays, and is counted on from" {
	local round
	for round in {1..10}; do
		loop 8
		stops 8 &
		sleep "0.00$((RANDOM % 10))"
		{ printf '%s\n' --- 'iteration: 500' "session_id: $SESSION" "note: edit $round" 'max_iterations: 0' --- '' 'Another prompt.'; } >"$TMPDIR/edit"
		mv "$TMPDIR/edit" "$LOOP"
		wait $!
		assert_file_has "$LOOP" "note: edit $round"
		assert_file_has "$LOOP" 'Another prompt.'
		(($(iteration) >= 500 && $(iteration) <= 508)) || show "iteration $(iteration)"
		only_the_loop_is_left
	done
}

@test "a pause while many hooks run holds" {
	loop 8
	stops 8 &
	run_holdfast ralph pause
	wait $!
	assert_status 0
	hook
	assert_allow '.status == "loop_paused"'
}

@test "of many starts at once one begins a loop" {
	local n
	for n in {1..10}; do
		{ holdfast ralph start "prompt $n" >"$TMPDIR/start.$n" 2>/dev/null || :; } &
	done
	wait
	assert_equal "$(grep -l '^Ralph loop started' "$TMPDIR"/start.* | wc -l)" 1
	hook
	assert_block
	only_the_loop_is_left
}

@test "a loop that begins while hooks run is never taken for a corrupt one" {
	local round
	event >"$TMPDIR/event"
	(while [[ ! -e $TMPDIR/enough ]]; do holdfast stop-hook <"$TMPDIR/event"; done >"$TMPDIR/answers" 2>/dev/null) &
	for round in {1..60}; do
		holdfast ralph start --prompt-file "$ROOT/LICENSE" >/dev/null 2>&1
		holdfast ralph cancel >/dev/null
	done
	touch "$TMPDIR/enough"
	wait $!
	assert_equal "$(grep -c loop_corrupt "$TMPDIR/answers")" 0
	assert_equal "$(ls -A .claude)" ''
}

@test "a hook that is killed at any point leaves a valid file and a count that never goes back" {
	local try pid before after
	event >"$TMPDIR/event"
	loop 95
	for try in {1..50}; do
		before=$(iteration)
		holdfast stop-hook <"$TMPDIR/event" >/dev/null 2>&1 &
		pid=$!
		sleep "0.000$((RANDOM % 10))$((RANDOM % 10))"
		kill -9 "$pid" 2>/dev/null || :
		wait "$pid" || :
		after=$(iteration)
		[[ $after == "$before" || $after == $((before + 1)) ]] || show "from $before to '$after'"
		run_holdfast ralph status --json
		jq -e '.[0].state == "active" and .[0].prompt == "Make every test pass."' "$OUT" >/dev/null || show 'the file is not valid'
	done
	before=$(iteration)
	hook
	assert_block
	assert_equal "$(iteration)" $((before + 1))
}

@test "a hook that is killed while the number gets longer leaves the old file or the new one" {
	local try pid
	event >"$TMPDIR/event"
	for try in {1..50}; do
		loop 9 'note: kept'
		holdfast stop-hook <"$TMPDIR/event" >/dev/null 2>&1 &
		pid=$!
		sleep "0.000$((RANDOM % 10))$((RANDOM % 10))"
		kill -9 "$pid" 2>/dev/null || :
		wait "$pid" || :
		[[ $(sed 's/^iteration: 10$/iteration: 9/' "$LOOP" | cksum) == "$(loop 9 'note: kept' && cksum <"$LOOP")" ]] ||
			show "the file is: $(<"$LOOP")"
	done
}

@test "a lock that nobody gives back lets the agent stop and says so" {
	loop 3
	flock "$LOOP" sleep 20 &
	local pid=$!
	while flock -n "$LOOP" true; do sleep 0.05; done
	hook
	kill "$pid" $(pgrep -P "$pid") || :
	assert_allow '.status == "loop_unwritable"' '.message | contains("lock")'
	assert_equal "$(iteration)" 3
}

@test "a transcript that grows while it is read does no harm" {
	local n line='{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"working"}]}}'
	loop 1
	echo '{"type":"user","message":{"content":"go"}}' >t.jsonl
	(while [[ ! -e $TMPDIR/enough ]]; do echo "$line" >>t.jsonl && sleep 0.001; done) &
	for n in {1..10}; do
		hook ".transcript_path = \"$PROJECT/t.jsonl\""
		assert_block '.status == "loop_continues"'
	done
	touch "$TMPDIR/enough"
	wait
	assert_equal "$(iteration)" 11
}

@test "a transcript that is truncated while it is read does no harm" {
	local n
	loop 1
	(while [[ ! -e $TMPDIR/enough ]]; do
		head -c 300000 /dev/zero | tr '\0' x >t.jsonl
		: >t.jsonl
		sleep 0.001
	done) &
	for n in {1..10}; do
		hook ".transcript_path = \"$PROJECT/t.jsonl\""
		assert_block '.status == "loop_continues"'
	done
	touch "$TMPDIR/enough"
	wait
	assert_equal "$(iteration)" 11
}

# The hook waits a tenth of a second. On a busy machine the writer may take longer: then the try does not count.
@test "a state file that is being written anew in place is waited for, not set aside" {
	local begun ended n=0 tries
	loop 7
	cp "$LOOP" "$TMPDIR/loop"
	for ((tries = 0; n < 3 && tries < 200; tries++)); do
		cp "$TMPDIR/loop" "$LOOP"
		(
			begun=${EPOCHREALTIME/./}
			: >"$LOOP"
			sleep 0.02
			cat "$TMPDIR/loop" >"$LOOP"
			echo $((${EPOCHREALTIME/./} - begun)) >"$TMPDIR/took"
		) &
		while [[ -s $LOOP && ! -e $TMPDIR/took ]]; do :; done
		hook
		wait
		ended=$(<"$TMPDIR/took")
		rm "$TMPDIR/took"
		((ended < 90000)) || { rm -f "$LOOP"*; continue; }
		n=$((n + 1))
		assert_block '.status == "loop_continues"'
		only_the_loop_is_left
	done
	assert_equal $n 3
}

@test "an edit in place while the transcript is searched is not lost" {
	loop 9
	# The pass gets another digit, so the whole file would be written anew.
	head -c 100000000 /dev/zero | tr '\0' '\n' >"$TMPDIR/transcript"
	event ".transcript_path = \"$TMPDIR/transcript\"" >"$TMPDIR/event"
	holdfast stop-hook <"$TMPDIR/event" >"$OUT" 2>"$ERR" &
	until [[ $(ls -l /proc/$!/fd 2>/dev/null) == *transcript* ]]; do kill -0 $! || break; done
	sed 's/Make every test pass./An edited prompt./' "$LOOP" >"$TMPDIR/edited"
	cat "$TMPDIR/edited" >"$LOOP"
	wait $!
	status=$?
	assert_file_has "$LOOP" 'An edited prompt.'
	assert_block '.reason | startswith("An edited prompt.\n\nWhen, and only when, ")'
	assert_equal "$(iteration)" 10
}

@test "a hook that something holds past its deadline answers all the same" {
	loop 1
	head -c 100000000 /dev/zero | tr '\0' '\n' >"$TMPDIR/transcript"
	event ".transcript_path = \"$TMPDIR/transcript\"" >"$TMPDIR/event"
	holdfast stop-hook --deadline 1 <"$TMPDIR/event" >"$OUT" 2>"$ERR" &
	until [[ $(ls -l /proc/$!/fd 2>/dev/null) == *transcript* ]]; do kill -0 $! || break; done
	kill -STOP $!
	sleep 5.5 # the deadline, and the four seconds that a command's end may take
	kill -CONT $!
	wait $!
	status=$?
	assert_allow '.status == "error"'
	assert_equal "$(iteration)" 1
	hook
	assert_block '.status == "loop_continues"'
}

@test "the next start of a loop removes what a killed one left behind, and nothing else" {
	mkdir -p .claude
	touch -d '2 minutes ago' .claude/{ralph-loop.local.md.4711.tmp,.ralph-loop.local.md.aB3_-x,.ralph-loop.s1.local.md.aB3_-x}
	touch -d '2 minutes ago' .claude/{ralph-loop.local.md.mine.tmp,.ralph-loop.local.md.longer7,ralph-loop.md.4711.tmp}
	touch .claude/ralph-loop.local.md.4712.tmp # may be written just now
	run_holdfast ralph start 'Make every test pass.'
	assert_status 0
	assert_equal "$(ls -A .claude | sort | xargs)" "$(printf '%s\n' ralph-loop.local.md ralph-loop.local.md.mine.tmp .ralph-loop.local.md.longer7 ralph-loop.md.4711.tmp ralph-loop.local.md.4712.tmp | sort | xargs)"
}

@test "what a killed start of the same process id left behind is in nobody's way" {
	mkdir -p .claude
	run_command bash -c 'echo half >.claude/ralph-loop.local.md.$$.tmp; exec holdfast ralph start "Make every test pass."'
	assert_status 0
	assert_file_has "$LOOP" 'Make every test pass.'
	only_the_loop_is_left
}
