#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The stop hook and its gates among other processes, other directories, full disks and short deadlines.

load helper
load gates

setup() {
	setup_project
	gates lint 'echo >>lint.ran; test -e src/fixed'
}

teardown() {
	end_survivors
	chmod -R u+rwX "$BATS_TEST_TMPDIR"
}

# ---- nested stops ----

# scenario: G13-57 G13-58
@test "the stop of an agent that a gate runs is let through before its event is read" {
	GAUNTLET_STOP_HOOK_ACTIVE=1 run_command timeout 5 holdfast stop-hook < <(sleep 30)
	assert_allow '.status == "stop_hook_active"'
	assert_absent "$LOGS"
	GAUNTLET_STOP_HOOK_ACTIVE=0 stop
	assert_allow '.status == "stop_hook_active"'
	GAUNTLET_STOP_HOOK_ACTIVE='' stop
	assert_block '.status == "failed"'
}

@test "a gate that stops as an agent does is not gated itself" {
	check_file lint 'echo "{}" | holdfast stop-hook >nested.json; echo >>lint.ran'
	stop
	assert_allow '.status == "passed"'
	assert_equal "$(jq -r .status nested.json)" stop_hook_active
	assert_equal "$(times lint)" 1
}

@test "a gate that stops without saying that it is nested finds the lock" {
	check_file lint 'echo "{}" | env -u GAUNTLET_STOP_HOOK_ACTIVE holdfast stop-hook >nested.json; echo >>lint.ran'
	stop
	assert_allow '.status == "passed"'
	assert_equal "$(jq -r .status nested.json)" lock_exists
	assert_equal "$(times lint)" 1
}

# scenario: G13-58
@test "a marker counts while its process lives, and no longer" {
	mkdir "$LOGS"
	of_the_original &
	printf %s $! >"$LOGS/.stop-hook-active"
	stop
	assert_allow '.status == "lock_exists" or .status == "stop_hook_active"'
	assert_equal "$(times lint)" 0
	kill $! && wait $! || :
	stop
	assert_block '.status == "failed"'
	assert_absent "$LOGS/.stop-hook-active"
}

# ---- the client's side ----

# scenario: G13-75
@test "the answer comes while the client still holds its end open" {
	{ event && sleep 20; } | timeout 10 holdfast stop-hook >"$OUT" 2>"$ERR" &
	eventually 5 test -s "$OUT"
	status=0
	assert_block '.status == "failed"'
}

# scenario: G13-75
@test "what is no event is answered as soon as its line ends, the client's end being open or not" {
	{ echo null && sleep 20; } | timeout 15 holdfast stop-hook >"$OUT" 2>"$ERR" &
	eventually 10 test -s "$OUT"
	status=0
	assert_allow '.status == "invalid_input"' '.message | contains("expected an object, not null")'
}

# scenario: 001-01 G13-76
@test "the event's directory is the project's, wherever the hook runs" {
	cd /
	hook ".cwd = \"$PROJECT\""
	assert_block '.status == "failed"'
	assert_file "$PROJECT/$LOGS/check_._lint.1.log"
	assert_equal "$(jq -r .branch "$PROJECT/$LOGS/.execution_state")" work
	cd "$PROJECT"
	assert_equal "$(times lint)" 1
	mkdir -p src/deep
	hook ".cwd = \"$PROJECT/src/deep\""
	assert_block '.status == "failed"'
	assert_equal "$(times lint)" 2
}

# scenario: 001-08
@test "nothing of the gates' output is on the hook's stdout or stderr, and all of it in the logs" {
	check_file lint 'echo secret-out; echo secret-err >&2; exit 1'
	stop
	assert_block '.status == "failed"'
	assert_equal "$(wc -l <"$OUT")" 1
	assert_stderr_lacks secret
	assert_stderr_lacks START
	assert_file_has "$LOGS/check_._lint.1.log" secret-out
	assert_file_has "$LOGS/check_._lint.1.log" secret-err
	assert_file_has "$LOGS/console.1.log" '[START] check:.:lint'
	assert_file_has "$LOGS/console.1.log" 'Status: Failed'
}

@test "no gate has the hook's own output" {
	check_file lint 'sleep 30 & exit 1'
	marked holdfast stop-hook <"$(event >"$TMPDIR/event" && echo "$TMPDIR/event")" | timeout 10 cat >"$OUT"
	status=0
	assert_block '.status == "failed"'
	assert_none_survives
}

# scenario: G13-80
@test "two stops at once: one runs the gates, the other is let through" {
	check_file lint 'echo >>lint.ran; sleep 0.7; exit 1'
	event >"$TMPDIR/event"
	holdfast stop-hook <"$TMPDIR/event" >"$TMPDIR/one" 2>/dev/null &
	holdfast stop-hook <"$TMPDIR/event" >"$TMPDIR/two" 2>/dev/null &
	wait
	assert_equal "$(cat "$TMPDIR/one" "$TMPDIR/two" | jq -r .status | sort | xargs)" 'failed lock_exists'
	assert_equal "$(times lint)" 1
}

# scenario: G13-80
@test "of twenty stops at once exactly one runs the gates" {
	local n pids=()
	check_file lint 'echo >>lint.ran; sleep 1.5; exit 1'
	event >"$TMPDIR/event"
	for n in {1..20}; do
		holdfast stop-hook <"$TMPDIR/event" >"$TMPDIR/answer.$n" 2>/dev/null &
		pids+=($!)
	done
	for n in "${pids[@]}"; do wait "$n"; done
	assert_equal "$(cat "$TMPDIR"/answer.* | jq -r .status | sort | uniq -c | awk '{ print $1, $2 }' | paste -sd ,)" '1 failed,19 lock_exists'
	assert_equal "$(times lint)" 1
	assert_equal "$(tries)" 1
}

# ---- one executor ----

# scenario: 001-07
@test "the hook runs the gates itself, not by another process of it" {
	check_file lint 'echo "$PPID $(cat gauntlet_logs/.gauntlet-run.lock)" >parent; exit 1'
	event >"$TMPDIR/event"
	holdfast stop-hook <"$TMPDIR/event" >"$OUT" 2>"$ERR" &
	wait $!
	assert_equal "$(<parent)" "$! $!"
}

# both STATUS: the hook's status and that of run's report are this one, and so is the exit code of run. The interval is off.
both() {
	local code=1
	rm -f "$TMPDIR/report.json"
	run_holdfast run --report "$TMPDIR/report.json"
	[[ $1 != passed && $1 != no_* ]] || code=0
	assert_status "$code"
	assert_equal "$(jq -r .status "$TMPDIR/report.json")" "$1"
	jq -e '.message | length > 0' "$TMPDIR/report.json" >/dev/null || show 'the result has no message'
	stop
	assert_answer ".status == \"$1\""
}

# scenario: 001-10 001-11 001-13 001-14
@test "run and the hook end with the same statuses, and the caller of each goes on after them" {
	config 'stop_hook: {run_interval_minutes: 0}' 'max_retries: 2'
	both failed
	jq -e --arg log "$PROJECT/$LOGS/console.1.log" '.console_log == $log' "$TMPDIR/report.json" || show "$(<"$TMPDIR/report.json")"
	both failed
	stop
	assert_allow '.status == "retry_limit_exceeded"'
	# Runs by hand are never refused.
	run_holdfast run --report "$TMPDIR/report.json"
	jq -e '.status == "failed"' "$TMPDIR/report.json"
	touch src/fixed
	both passed
	check_file lint no-such-program-anywhere
	both infrastructure_error
	run_holdfast clean
	git add -A && git commit -q -m all && git branch -f main
	SESSION=next # this one would be asked about what it has put into the base
	both no_changes
	touch elsewhere
	both no_applicable_gates
	mkdir -p "$LOGS"
	of_the_original &
	printf %s $! >"$LOGS/.gauntlet-run.lock"
	both lock_exists
	kill $! && wait $! || :
	rm "$LOGS/.gauntlet-run.lock"
	mv .git git
	both error
	jq -e '.message | contains("git")' "$TMPDIR/report.json" || show "$(<"$TMPDIR/report.json")"
	! grep -nE '\b(_?exit|_Exit|abort|quick_exit) *\(' "$ROOT"/src/{record,task,review,gates}/*.c
}

# ---- deadlines ----

# scenario: 001-09 001-51
@test "at its deadline the hook ends its gates and lets the agent stop" {
	check_file lint 'trap "" TERM; sleep 60; sleep 60'
	local began=$SECONDS
	event >"$TMPDIR/event"
	run_command env RUN_MARK="$BATS_TEST_TMPDIR" holdfast stop-hook --deadline 1 <"$TMPDIR/event"
	assert_allow '.status == "infrastructure_error"' '.message | contains("timed out")' '.message | contains("check:.:lint")'
	((SECONDS - began <= 5)) || show "it took $((SECONDS - began)) s"
	assert_none_survives
	assert_absent "$LOGS/.execution_state"
	assert_absent "$LOGS/.gauntlet-run.lock"
	assert_absent "$LOGS/.stop-hook-active"
}

@test "a failure that was found before the deadline blocks, and is counted" {
	local n
	gates_before_the_deadline() {
		check_file first 'exit 1'
		check_file lint 'sleep 60'
		sed -i 's/checks: .*/checks: [first, lint]/' .gauntlet/config.yml
	}
	gates_before_the_deadline
	event >"$TMPDIR/event"
	for n in 1 2 3; do
		run_command holdfast stop-hook --deadline 1 <"$TMPDIR/event"
		assert_block '.status == "failed"' '.reason | contains("\nfirst: ")'
		assert_equal "$(tries)" "$n"
	done
	run_command holdfast stop-hook --deadline 1 <"$TMPDIR/event"
	assert_allow '.status == "retry_limit_exceeded"'
}

@test "the deadline can come from the environment" {
	check_file lint 'sleep 60'
	HOLDFAST_DEADLINE_SECONDS=1 stop
	assert_allow '.status == "infrastructure_error"'
}

# ---- what can't be written ----

# Permissions do not bind root: such tests run without its capabilities.
bound() {
	if ((EUID)); then "$@"; else setpriv --bounding-set=-all --inh-caps=-all "$@"; fi
}
needs_bounds() { ((EUID)) || setpriv --bounding-set=-all --inh-caps=-all true 2>/dev/null || skip 'capabilities cannot be dropped here'; }

# scenario: 001-54
@test "a log directory that can't be written lets the agent stop and says so" {
	needs_bounds
	mkdir "$LOGS"
	chmod 555 "$LOGS"
	event >"$TMPDIR/event"
	run_command bound timeout 300 holdfast stop-hook <"$TMPDIR/event"
	assert_allow '.status == "error"' '.message | contains("ermission denied")' '.systemMessage | contains("ermission denied")'
	assert_equal "$(times lint)" 0
}

@test "a project where no log directory can be made lets the agent stop and says so" {
	needs_bounds
	chmod 555 .
	event >"$TMPDIR/event"
	run_command bound timeout 300 holdfast stop-hook <"$TMPDIR/event"
	assert_allow '.status == "error"' '.message | contains("ermission denied")'
	chmod 755 .
}

# As where root has set up the project under a narrow umask.
@test "gates in a directory that may not be searched let the agent stop, and it is said why" {
	needs_bounds
	event >"$TMPDIR/event"
	chmod 000 .gauntlet
	run_command bound timeout 300 holdfast stop-hook <"$TMPDIR/event"
	assert_allow '.status == "error"' '.message | contains("/.gauntlet: Permission denied")'
	run_command bound timeout 300 holdfast doctor
	assert_stdout_has 'Permission denied'
	chmod 755 .gauntlet
	# In a project without gates nobody asks for what is behind a door.
	rm -r .gauntlet
	mkdir door
	chmod 000 door
	run_command bound timeout 300 holdfast stop-hook <"$TMPDIR/event"
	assert_allow '.status == "no_config"'
}

@test "a log directory that is a file lets the agent stop and says so" {
	touch "$LOGS"
	stop
	assert_allow '.status == "error"' ".message | contains(\"$LOGS\")"
}

# on_disk SIZE SCRIPT: runs the script with a file system of that size over the log directory, for it alone.
on_disk() {
	local how=(unshare -m)
	((EUID == 0)) || how=(unshare -rm)
	mkdir -p "$LOGS"
	"${how[@]}" mount -t tmpfs none "$LOGS" 2>/dev/null || skip 'nothing can be mounted here'
	event >"$TMPDIR/event"
	run_command "${how[@]}" bash -euc 'mount -t tmpfs -o "$1" none "$2" && eval "$3"' - "$1" "$PROJECT/$LOGS" "$2"
}

@test "a full log directory lets the agent stop and says so, unless a gate has failed" {
	on_disk size=16k "cat /dev/zero >$LOGS/filler 2>/dev/null || :; timeout 300 holdfast stop-hook <\"\$TMPDIR/event\""
	assert_allow '.status == "error"' '.message | contains("No space left")'
	check_file lint 'cat /dev/zero >gauntlet_logs/filler 2>/dev/null; exit 1'
	on_disk size=32k 'timeout 300 holdfast stop-hook <"$TMPDIR/event"'
	# It gets full while the gate fails: the failure is known, and its tries are counted elsewhere.
	assert_block '.status == "failed"' '.message | contains("No space left")' '.reason | contains("\nlint: ")'
}

@test "without inodes, too" {
	on_disk size=1m,nr_inodes=1 'timeout 300 holdfast stop-hook <"$TMPDIR/event"'
	assert_allow '.status == "error"' '.message | contains("No space left")'
}

@test "a log directory on a read-only file system, too" {
	on_disk ro 'timeout 300 holdfast stop-hook <"$TMPDIR/event"'
	assert_allow '.status == "error"' '.message | contains("ead-only")'
	assert_equal "$(times lint)" 0
}

@test "output that does not fit on the disk does not hang the gate" {
	check_file lint 'yes | head -c 10000000; exit 0'
	on_disk size=256k 'timeout 300 holdfast stop-hook <"$TMPDIR/event"'
	assert_allow
}

@test "a project without git is told" {
	rm -rf .git
	stop
	assert_allow '.status == "error"' '.message | contains("git")'
}

@test "without the git program the agent may stop and is told" {
	local dir=$BATS_TEST_TMPDIR/few
	mkdir "$dir"
	for name in sh bash env jq; do ln -s "$(command -v $name)" "$dir/$name"; done
	event >"$TMPDIR/event"
	run_command env PATH="$dir" "$BIN/holdfast" stop-hook <"$TMPDIR/event"
	assert_allow '.status == "error"' '.message | contains("git")'
}

@test "a program of a gate that is missing lets the agent stop, names it, and writes no success" {
	check_file lint 'no-such-program-anywhere --all'
	stop
	assert_allow '.status == "infrastructure_error"' '.message | contains("no-such-program-anywhere")'
	assert_file_has "$LOGS/check_._lint.1.log" 'Result: error'
}

@test "a failure beside a missing program blocks" {
	check_file missing 'no-such-program-anywhere'
	sed -i 's/checks: .*/checks: [missing, lint]/' .gauntlet/config.yml
	stop
	assert_block '.status == "failed"' '.reason | contains("\nlint: ")'
}

# ---- with the other policies ----

@test "rounds only count once the gates hold" {
	write .conclaude.yaml <<<$'stop:\n  rounds: 2'
	stop
	assert_block '.status == "failed"'
	assert_absent "$STATE/conclaude-$SESSION.rounds"
	touch src/fixed
	stop
	assert_block '.status == "round_completed"'
}

@test "the reason stays below 9000 bytes, whatever the gates print" {
	local n names=() list
	for n in {1..30}; do
		check_file "gate-$n" 'head -c 300000 /dev/urandom | base64; exit 1'
		names+=("gate-$n")
	done
	list=$(IFS=, && echo "${names[*]}")
	sed -i "s/checks: .*/checks: [$list]/" .gauntlet/config.yml
	stop
	assert_block '.status == "failed"' '.reason | utf8bytelength < 9000' '.reason | contains("more: `holdfast status` names them")'
	hook . agent-gauntlet stop-hook
	assert_block '.status == "failed"' '.reason | utf8bytelength < 9000' '.reason | contains("Termination conditions")' '.reason | contains("Console log:")'
}

@test "bytes that are no text come into the reason as text" {
	check_file lint 'printf "\377\376\033[31mred\033[0m\n\001\n"; exit 1'
	stop
	assert_block '.status == "failed"' '.reason | contains("red")' '.reason | test("[\u0000-\u0008\u001b]") | not'
}
