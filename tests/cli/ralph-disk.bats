#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The Ralph loop on disks and under permissions that refuse, and with an output that nobody reads.

load helper

LOOP=.claude/ralph-loop.local.md

loop() {
	write "$LOOP" < <(printf '%s\n' --- "iteration: $1" "session_id: $SESSION" 'max_iterations: 50' 'completion_promise: DONE' --- '' 'go')
}

# Permissions do not bind root: such tests run without its capabilities, or as whoever runs them.
bound() {
	if ((EUID)); then "$@"; else setpriv --bounding-set=-all --inh-caps=-all "$@"; fi
}

setup() {
	setup_project
	((EUID)) || setpriv --bounding-set=-all --inh-caps=-all true 2>/dev/null || skip 'capabilities cannot be dropped here'
}

teardown() { chmod -R u+rwX "$BATS_TEST_TMPDIR"; }

# on_disk SIZE SCRIPT: runs the script in a file system of that size, mounted over the project for it alone.
on_disk() {
	local how=(unshare -m)
	((EUID == 0)) || how=(unshare -rm)
	"${how[@]}" mount -t tmpfs none "$PROJECT" 2>/dev/null || skip 'nothing can be mounted here'
	event >"$TMPDIR/event"
	event '.last_assistant_message = "<promise>DONE</promise>"' >"$TMPDIR/promise"
	run_command "${how[@]}" bash -euc 'mount -t tmpfs -o size="$1" none "$2" && cd "$2" && eval "$3"' - "$1" "$PROJECT" "$2"
}
state_of_nine='mkdir .claude; printf "%s\n" --- "iteration: 9" "session_id: test-session" "completion_promise: DONE" --- "" go >.claude/ralph-loop.local.md; cp .claude/ralph-loop.local.md "$TMPDIR/before"'
fill='cat /dev/zero >filler 2>/dev/null || :'
unchanged='cmp "$TMPDIR/before" .claude/ralph-loop.local.md && [[ $(ls -A .claude) == ralph-loop.local.md ]]'

@test "a full disk lets the agent stop, says so, and leaves the file as it was" {
	on_disk 32k "$state_of_nine; $fill; holdfast stop-hook <\"\$TMPDIR/event\"; $unchanged"
	assert_allow '.status == "loop_unwritable"' '.message | contains("No space left")' '.systemMessage | contains("No space left")'
	assert_stderr_has 'No space left'
}

@test "a loop goes on once there is space again" {
	on_disk 32k "$state_of_nine; $fill; holdfast stop-hook <\"\$TMPDIR/event\" >/dev/null; rm filler; holdfast stop-hook <\"\$TMPDIR/event\"; grep -qx 'iteration: 10' .claude/ralph-loop.local.md"
	assert_block '.status == "loop_continues"'
}

@test "a full disk does not keep a loop from ending" {
	on_disk 32k "$state_of_nine; $fill; holdfast stop-hook <\"\$TMPDIR/promise\"; [[ ! -e .claude/ralph-loop.local.md ]]"
	assert_allow '.status == "loop_complete"'
}

@test "start on a full disk fails and leaves no file" {
	on_disk 32k "mkdir .claude; $fill; code=0; holdfast ralph start Fix it || code=\$?; [[ \$code == 1 && -z \$(ls -A .claude) ]]"
	assert_status 0
	assert_stderr_has 'No space left'
}

@test "a read-only file system lets the agent stop and says so" {
	on_disk 32k "$state_of_nine; mount -o remount,ro \"\$PWD\"; holdfast stop-hook <\"\$TMPDIR/event\"; $unchanged"
	assert_allow '.status == "loop_unwritable"' '.message | contains("read-only")'
}

@test "a promise on a read-only file system is said to be kept, and that the file stays" {
	on_disk 32k "$state_of_nine; mount -o remount,ro \"\$PWD\"; holdfast stop-hook <\"\$TMPDIR/promise\"; $unchanged"
	assert_allow '.status == "loop_complete"' '.message | contains("could not be removed")'
}

@test "cancel on a read-only file system is an error that says why" {
	on_disk 32k "$state_of_nine; mount -o remount,ro \"\$PWD\"; code=0; holdfast ralph cancel || code=\$?; $unchanged; exit \$code"
	assert_status 1
	assert_stderr_has 'Read-only file system'
	assert_stdout_lacks Cancelled
}

@test "a corrupt file on a read-only file system lets the agent stop at every stop" {
	on_disk 32k "mkdir .claude; echo x >.claude/ralph-loop.local.md; mount -o remount,ro \"\$PWD\"; holdfast stop-hook <\"\$TMPDIR/event\""
	assert_allow '.status == "loop_corrupt"' '.message | contains("could not be set aside")'
}

@test "a file that cannot be read lets the agent stop and is left alone" {
	loop 9
	chmod 0000 "$LOOP"
	hook . bound holdfast stop-hook
	assert_allow '.status == "loop_unwritable"' '.message | contains("could not be read") and contains("Permission denied")'
	assert_mode "$LOOP" 0
}

@test "a directory that cannot be read lets the agent stop and is left alone" {
	loop 9
	chmod 0000 .claude
	hook . bound holdfast stop-hook
	assert_allow '.status == "loop_unwritable"' '.message | contains("could not be read") and contains("Permission denied")'
	chmod 0755 .claude
	assert_file_has "$LOOP" 'iteration: 9'
}

@test "a file that cannot be written lets the agent stop and is left alone" {
	loop 3
	chmod 0400 "$LOOP"
	hook . bound holdfast stop-hook
	assert_allow '.status == "loop_unwritable"' '.message | contains("read-only")'
	assert_file_has "$LOOP" 'iteration: 3'
}

@test "a directory that cannot be written lets the agent stop when the number gets longer" {
	loop 9
	chmod 0555 .claude
	hook . bound holdfast stop-hook
	assert_allow '.status == "loop_unwritable"' '.message | contains("Permission denied")'
	assert_file_has "$LOOP" 'iteration: 9'
}

@test "at the limit a directory that cannot be written never makes a block" {
	loop 50
	chmod 0555 .claude
	hook . bound holdfast stop-hook
	assert_allow '.status == "loop_limit_reached"' '.message | contains("could not be removed")'
	hook . bound holdfast stop-hook
	assert_allow '.status == "loop_limit_reached"'
}

@test "a directory that cannot be searched is no loop" {
	loop 3
	chmod 0000 .claude
	hook . bound holdfast stop-hook
	assert_answer '.decision == "approve"'
}

@test "start in a directory that cannot be written fails and says where" {
	chmod 0555 .
	run_command bound holdfast ralph start Fix it
	assert_status 1
	assert_stderr_has .claude
	assert_absent .claude
}

@test "a transcript that cannot be read lets the loop go on" {
	loop 3
	echo '{"type":"assistant","message":{"content":"<promise>DONE</promise>"}}' >t.jsonl
	chmod 0000 t.jsonl
	hook ".transcript_path = \"$PROJECT/t.jsonl\"" bound holdfast stop-hook
	assert_block '.status == "loop_continues"'
}

@test "a file of another user that may be written is a loop like any other" {
	((EUID == 0)) || skip 'only root can give files away'
	loop 3
	chown 65534 "$LOOP"
	chmod 0666 "$LOOP"
	hook . bound holdfast stop-hook
	assert_block
	assert_file_has "$LOOP" 'iteration: 4'
}

@test "a file of another user stays that user's when the number gets longer" {
	((EUID == 0)) || skip 'only root can give files away'
	loop 9
	chown 65534:65534 "$LOOP"
	hook
	assert_block
	assert_equal "$(stat -c %u:%g "$LOOP")" 65534:65534
}

@test "a reader that is gone, a closed output and a full one never make exit code 2" {
	local codes
	loop 3
	event >"$TMPDIR/event"
	codes=$(
		holdfast stop-hook <"$TMPDIR/event" 2>/dev/null | true
		echo "${PIPESTATUS[0]}"
		holdfast stop-hook <"$TMPDIR/event" >&- 2>/dev/null
		echo $?
		holdfast stop-hook <"$TMPDIR/event" >/dev/full 2>/dev/null
		echo $?
		holdfast stop-hook <"$TMPDIR/event" 2>&- >/dev/null
		echo $?
		holdfast ralph hook <"$TMPDIR/event" >&- 2>&-
		echo $?
	)
	assert_equal "$codes" "$(printf '0\n0\n0\n0\n0')"
}

@test "closed standard error does not end up in the answer" {
	loop 3
	event >"$TMPDIR/event"
	status=0
	holdfast stop-hook <"$TMPDIR/event" >"$OUT" 2>&- || status=$?
	assert_block
}

@test "a closed standard input never blocks" {
	loop 3
	run_command holdfast stop-hook <&-
	assert_allow '.status == "invalid_input"'
	assert_file_has "$LOOP" 'iteration: 3'
}

@test "a home that is missing does not keep a loop from ending" {
	loop 3
	event '.last_assistant_message = "<promise>DONE</promise>"' >"$TMPDIR/event"
	run_command env -u XDG_STATE_HOME HOME=/proc/missing holdfast stop-hook <"$TMPDIR/event"
	assert_allow '.status == "loop_complete"'
	assert_absent "$LOOP"
}

@test "a prompt with every byte but NUL makes a valid answer" {
	local byte
	mkdir .claude
	{
		printf -- '---\nsession_id: %s\n---\n\n' "$SESSION"
		for byte in {1..255}; do printf "\\x$(printf %x "$byte")"; done
		echo
	} >"$LOOP"
	hook
	assert_block '.reason | length >= 255'
}

@test "what can't be printed is an error, whatever the command did" {
	local command
	for command in 'start go' 'status' 'status --json' 'list' 'pause' 'resume' 'cancel' 'status'; do
		status=0
		holdfast ralph $command >/dev/full 2>"$ERR" || status=$?
		((status == 1)) || show "ralph $command: exit code $status"
		grep -q 'cannot write the output: .*No space left' "$ERR" || show "ralph $command does not say why"
	done
	assert_absent "$LOOP"
}
