#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Stop commands as processes: what becomes of them at a timeout, a deadline and a signal, and how much of what they
# print is kept where.

load helper

setup() {
	setup_project
	# An argument that no other process on the machine has.
	MARK=holdfast-mark-$$-$RANDOM$RANDOM
	LOG=$XDG_STATE_HOME/holdfast/output/$SESSION.log
}

teardown() {
	local pid
	for pid in $(marked); do kill -KILL "$pid" 2>/dev/null || true; done
}

# command_is SCRIPT [KEY: VALUE]...: the configuration with this one stop command.
command_is() {
	{
		printf 'stop:\n  commands:\n    - run: |\n'
		sed 's/^/          /' <<<"$1"
		shift
		(($# == 0)) || printf '      %s\n' "$@"
	} >.conclaude.yaml
}

# The processes that carry the mark: a sleep that is called by that name. The brackets keep grep from finding itself.
marked() {
	local file
	for file in $(grep -lzxs -- "[h]${MARK#h}" /proc/[0-9]*/cmdline); do
		file=${file%/cmdline}
		# One that has ended and only waits to be reaped is gone.
		grep -q '^State:[[:space:]]*Z' "$file/status" 2>/dev/null || echo "${file#/proc/}"
	done
}
sleeper() { printf 'exec -a %s sleep 300' "$MARK"; }

# within SECONDS COMMAND...: becomes true in that time.
within() {
	local until=$((${EPOCHREALTIME/./} + $1 * 1000000))
	shift
	until "$@"; do
		((${EPOCHREALTIME/./} < until)) || return 1
		sleep 0.02
	done
}
all_gone() { [[ -z $(marked) ]]; }
some_run() { [[ -n $(marked) ]]; }
assert_gone() { within "${1:-1}" all_gone || show "still running: $(marked | xargs)"; }

refute() { if "$@" >&2; then show "should not be so: $*"; fi; }

now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }
# took_less MS COMMAND...
took_less() {
	local limit=$1 began
	shift
	began=$(now_ms)
	"$@"
	local took=$(($(now_ms) - began))
	((took < limit)) || show "it took $took ms, not less than $limit"
}

# start_hook [COMMAND...]: in the background, as $hook_pid; it ends in $OUT, $ERR, and in $code after wait_hook.
start_hook() {
	(($#)) || set -- holdfast stop-hook
	event '.transcript_path = "/t"' >"$BATS_TEST_TMPDIR/event"
	"$@" <"$BATS_TEST_TMPDIR/event" >"$OUT" 2>"$ERR" 3>&- &
	hook_pid=$!
}
wait_hook() {
	status=0
	wait "$hook_pid" || status=$?
	stdout=$(<"$OUT") stderr=$(<"$ERR")
}

@test "a timeout ends the command and its children within a second" {
	command_is "( $(sleeper) ) & ( ( $(sleeper) ) & wait ) & $(sleeper)" 'timeout: 1'
	took_less 2000 hook
	assert_gone 0
	assert_block '.status == "command_failed"' '.reason | startswith("Command timed out after 1 seconds: ")'
}

@test "a timeout ends a command that ignores TERM, within a second" {
	command_is "trap '' TERM HUP INT; ( $(sleeper) ) & wait; wait; sleep 300" 'timeout: 1'
	took_less 2500 hook
	assert_gone 0
	assert_block '.status == "command_failed"'
}

@test "a timeout ends what left the process group, as timeout(1) does" {
	command_is "timeout 250 bash -c '$(sleeper)' & wait" 'timeout: 1'
	took_less 2500 hook
	assert_gone 0
	assert_block
}

@test "a timeout ends a command that is stopped" {
	command_is "( $(sleeper) ) & kill -STOP \$! \$\$; wait" 'timeout: 1'
	took_less 2500 hook
	assert_gone 0
	assert_block
}

@test "a command may end in order when its time is up: it is told before it is killed" {
	command_is 'trap "touch .told; exit 0" TERM; sleep 300 & wait' 'timeout: 1'
	hook
	assert_block '.reason | startswith("Command timed out")'
	assert_file .told
}

@test "a child in the background that holds the output open does not keep the hook" {
	command_is "( $(sleeper) ) & echo done"
	took_less 3000 hook
	assert_allow '.status == "commands_passed"'
	assert_gone
}

@test "a failing command with a child in the background: its output is there at once" {
	command_is "( $(sleeper) ) & echo before the end; exit 3" 'showStdout: true'
	took_less 3000 hook
	assert_block '.reason | endswith("\nStdout: before the end")'
	assert_gone
}

@test "a daemon that a command leaves: the hook's own output ends with the hook" {
	command_is "setsid bash -c '$(sleeper)' & sleep 0.2; exit 3"
	event >"$BATS_TEST_TMPDIR/event"
	local began
	began=$(now_ms)
	# A reader of both streams sees their end only when nobody has them any more.
	holdfast stop-hook <"$BATS_TEST_TMPDIR/event" 2>&1 | cat >"$OUT"
	(($(now_ms) - began < 3000)) || show 'the output stayed open'
	grep -q '"status":"command_failed"' "$OUT"
	some_run || show 'the daemon is gone'
}

@test "no command has a descriptor of the hook's: only its own three" {
	command_is 'ls -l /proc/$$/fd >.fds; readlink /proc/$$/fd/0 >.in; readlink /proc/$$/fd/1 /proc/$$/fd/2 >.outs'
	event >"$BATS_TEST_TMPDIR/event"
	exec {extra}>"$BATS_TEST_TMPDIR/extra"
	holdfast stop-hook <"$BATS_TEST_TMPDIR/event" >"$OUT" 2>"$ERR"
	exec {extra}>&-
	assert_file .in /dev/null
	refute grep -e "$OUT" -e "$ERR" -e "$BATS_TEST_TMPDIR/extra" -e "$BATS_TEST_TMPDIR/event" .fds
	assert_equal "$(grep -c pipe: .outs)" 2
}

@test "a command leads a process group of its own and has no terminal" {
	# The fifth and seventh field: process group and terminal.
	command_is 'cut -d" " -f5,7 /proc/$$/stat >.ids; echo $$ >.pid; ! : 2>/dev/null >/dev/tty'
	hook
	assert_allow '.status == "commands_passed"'
	assert_equal "$(xargs <.ids)" "$(<.pid) 0"
}

@test "a command that closes its output is still waited for" {
	command_is 'exec >&- 2>&-; sleep 0.3; touch .end; exit 3' 'showStdout: true' 'showStderr: true'
	hook
	assert_block '.reason | startswith("Command failed with exit code 3")'
	assert_file .end
}

@test "a deadline of the hook lets the agent stop and ends the command" {
	command_is "( $(sleeper) ) & $(sleeper)"
	took_less 2500 hook . holdfast stop-hook --deadline 1
	assert_allow '.status == "infrastructure_error"' '.message | contains("deadline")'
	assert_gone 0
}

# late_event FILE: the event of FILE, once the hook has waited for it for 1.5 seconds.
late_event() { sleep 1.5; cat "$1"; }

@test "the deadline begins with the hook, not with its event, under each name" {
	command_is "$(sleeper)"
	event '.transcript_path = "/t"' >"$BATS_TEST_TMPDIR/event"
	took_less 4000 run_command holdfast stop-hook --deadline 3 < <(late_event "$BATS_TEST_TMPDIR/event")
	took_less 4000 run_command conclaude Stop --deadline 3 < <(late_event "$BATS_TEST_TMPDIR/event")
	assert_gone 0
}

@test "a deadline ends the commands together, not each for itself" {
	printf 'stop:\n  commands:\n    - run: sleep 0.7\n    - run: sleep 0.7\n    - run: touch .third\n' >.conclaude.yaml
	took_less 2500 hook . holdfast stop-hook --deadline 1
	assert_allow '.status == "infrastructure_error"'
	assert_absent .third
}

@test "a deadline that makes no sense is said, and the agent may stop" {
	command_is 'true'
	local value
	for value in 0 -1 x 86401 ''; do
		hook . holdfast stop-hook "--deadline=$value"
		assert_allow '.status == "error"' '.message | contains("deadline")'
	done
	HOLDFAST_DEADLINE_SECONDS=x hook
	assert_allow '.status == "commands_passed"'
}

@test "no bash: the agent may stop, and it is said why" {
	command_is 'true'
	local path=$BATS_TEST_TMPDIR/empty
	mkdir "$path"
	hook . env PATH="$path" "$BIN/holdfast" stop-hook
	assert_allow '.status == "infrastructure_error"' '.message | contains("bash")'
	hook '.transcript_path = "/t"' env PATH="$path" "$BIN/conclaude" Stop
	assert_status 1
	assert_stderr_has bash
}

@test "a bash that is no program: the agent may stop" {
	command_is 'true'
	fake bash <<<'not a program'
	chmod 644 "$BIN/bash"
	hook . env PATH="$BIN" "$BIN/holdfast" stop-hook
	assert_allow '.status == "infrastructure_error"' '.message | contains("bash")'
}

@test "no process to be had: the agent may stop" {
	((EUID)) || skip 'root has no limit of processes'
	command_is 'true'
	hook . bash -c 'ulimit -u 1; exec holdfast stop-hook'
	assert_allow '.status == "infrastructure_error"'
}

for_each_signal() {
	local signal
	for signal in TERM INT HUP QUIT; do "$@" "$signal"; done
}

# SIGINT and SIGQUIT are ignored by what a shell without job control starts in the background, so perl starts it.
signalled() {
	command_is "( $(sleeper) ) & trap '' TERM; $(sleeper)"
	start_hook perl -e '$SIG{$_} = "DEFAULT" for qw(INT QUIT); exec @ARGV' holdfast stop-hook
	within 5 some_run || show 'nothing ran'
	kill "-$1" "$hook_pid"
	took_less 1500 wait_hook
	assert_allow '.status == "error"' '.message | contains("interrupted")'
	assert_gone 1
}

@test "a signal to the hook during a command: one answer, and all of the command is gone" {
	for_each_signal signalled
}

@test "a signal to conclaude during a command: exit code 1, nothing held back, all of the command gone" {
	command_is "( $(sleeper) ) & $(sleeper)"
	start_hook conclaude Stop
	within 5 some_run || show 'nothing ran'
	kill -TERM "$hook_pid"
	took_less 1500 wait_hook
	assert_status 1
	assert_stdout_lacks '"blocked":true'
	assert_gone 1
}

@test "a hook that is killed takes its command with it" {
	command_is "( $(sleeper) ) & trap '' TERM; $(sleeper)"
	start_hook
	within 5 some_run || show 'nothing ran'
	kill -KILL "$hook_pid"
	wait_hook
	assert_gone 1
}

@test "after a stop no warden is left" {
	command_is "( $(sleeper) ) & exit 0"
	hook
	assert_allow '.status == "commands_passed"'
	# A process of this test has its home in its environment.
	ours() { grep -lsF "HOME=$HOME" /proc/[0-9]*/environ | xargs -r -n 1 dirname | sed 's|$|/comm|' | xargs -r cat 2>/dev/null | grep warden; }
	within 1 eval '[[ -z $(ours) ]]' || show "a warden is left"
}

# ---- output ----

@test "a hundred megabytes: little memory, a short reason, its end, and the file that holds the whole" {
	command_is 'echo the first line; yes "a line of some length, as tests print them" | head -c 104857600; echo; echo the last line; touch .written; while [ ! -e .seen ]; do sleep 0.02; done; exit 1' 'showStdout: true' 'showCommand: false'
	start_hook
	within 25 test -e .written || show 'it was never written'
	local peak
	peak=$(awk '/^VmHWM:/ { print $2 }' "/proc/$hook_pid/status")
	touch .seen
	wait_hook
	((peak < 65536)) || show "the hook took $peak KiB"
	assert_block '.reason | utf8bytelength < 9000' '.reason | endswith("\nthe last line")' '.reason | contains("\nStdout: the first line\n")' \
		".reason | contains(\"\nThe whole output is in $LOG\n\")"
	assert_equal "$(stat -c %s "$LOG")" $((104857600 + 15 + 14 + 1))
	assert_equal "$(head -n 1 "$LOG")" 'the first line'
	assert_equal "$(tail -n 1 "$LOG")" 'the last line'
	assert_mode "$LOG" 600
	assert_mode "${LOG%/*}" 700
}

@test "conclaude: a long output is there once, with its end, and below 9,000 bytes" {
	command_is 'seq -f "line %g" 1 20000; echo the last line >&2; exit 1' 'showStdout: true' 'showStderr: true'
	hook '.transcript_path = "/t"' conclaude Stop
	assert_status 2
	(($(wc -c <"$ERR") < 9000)) || show "stderr has $(wc -c <"$ERR") bytes"
	assert_stderr_has 'Stop command failed:'
	assert_stderr_has 'Status: Failed (exit code: 1)'
	assert_stderr_has "The whole output is in $LOG"
	assert_equal "$(grep -c '^ *line 20000$' "$ERR")" 1
	assert_equal "$(tail -n 1 "$ERR")" 'Stderr: the last line'
	assert_equal "$(grep -c '^line' "$LOG")" 20000
}

@test "on both sides of the bound: the whole output in the reason, or the file and below 9,000 bytes" {
	local n wholes=0 files=0
	for n in 100 8000 8880 8890 8900 8910 8920 8930 8940 8950 8960 8970 8980 8990 9000 9100 20000; do
		rm -f "$LOG"
		command_is "printf '%*s' $n '' | tr ' ' x; exit 1" 'showStdout: true' 'showCommand: false'
		hook
		assert_block '.reason | utf8bytelength < 9000'
		if [[ -e $LOG ]]; then
			files=$((files + 1))
			jq -e --arg log "$LOG" '.reason | contains("The whole output is in \($log)")' "$OUT" >/dev/null || show "$n: the file is not named"
			assert_equal "$(stat -c %s "$LOG")" "$n"
		else
			wholes=$((wholes + 1))
			((files == 0)) || show "$n: whole, though fewer were not"
			jq -e --argjson n "$n" '.reason | [match("x"; "g")] | length == $n + 1' "$OUT" >/dev/null || show "$n: not whole"
		fi
	done
	((wholes > 1 && files > 1))
}

@test "both streams are long: each has its end in the reason" {
	command_is 'seq -f "out %g" 1 5000; seq -f "err %g" 1 5000 >&2; exit 1' 'showStdout: true' 'showStderr: true' 'showCommand: false'
	hook
	assert_block '.reason | utf8bytelength < 9000' '.reason | contains("\nout 5000\nStderr: err 1\n")' '.reason | endswith("\nerr 5000")'
	assert_equal "$(grep -c '^out' "$LOG")" 5000
	assert_equal "$(grep -c '^err' "$LOG")" 5000
}

@test "one stream is long and one is short: the short one is whole" {
	command_is 'seq 1 5000; seq -f "err %g" 1 100 >&2; exit 1' 'showStdout: true' 'showStderr: true' 'showCommand: false'
	hook
	assert_block '.reason | utf8bytelength < 9000' '.reason | utf8bytelength > 8000' '[.reason | match("err [0-9]+"; "g")] | length == 100'
}

@test "what is not shown is in no file either" {
	command_is 'seq 1 5000; echo secret >&2; exit 1' 'showStdout: true'
	hook
	assert_block
	assert_file_lacks "$LOG" secret
	rm "$LOG"
	command_is 'seq 1 5000; exit 1'
	hook
	assert_block '.reason | utf8bytelength < 9000'
	assert_absent "$LOG"
}

@test "an output that fits, or that is not needed, leaves no file" {
	command_is 'echo short; exit 1' 'showStdout: true'
	hook
	assert_block
	command_is 'seq 1 50000' 'showStdout: true'
	hook
	assert_allow
	assert_equal "$(ls -A "${LOG%/*}")" ''
}

@test "one line of a megabyte without an end is shortened in the middle" {
	command_is "head -c 1048576 /dev/zero | tr '\\0' x; printf end; exit 1" 'showStdout: true'
	hook
	assert_block '.reason | utf8bytelength < 9000' '.reason | contains("bytes omitted")' '.reason | endswith("xend")'
	assert_equal "$(stat -c %s "$LOG")" 1048579
}

@test "characters of many bytes are never cut in half" {
	command_is 'for ((i = 0; i < 9000; i++)); do printf "é😀"; done; exit 1' 'showStdout: true' 'showCommand: false'
	hook
	assert_block '.reason | utf8bytelength < 9000' '.reason | contains("\ufffd") | not'
}

@test "lines that are longer than the reason: maxOutputLines holds, and the bytes too" {
	command_is 'for i in 1 2 3 4 5 6; do printf "%d%*s\n" $i 4000 "" | tr " " x; done; exit 1' 'showStdout: true' 'maxOutputLines: 3' 'showCommand: false'
	hook
	assert_block '.reason | utf8bytelength < 9000' '.reason | contains("The whole output is in ")'
	assert_equal "$(wc -l <"$LOG")" 6
}

@test "of 3,000 lines with maxOutputLines 3000 nothing is left out, of one more one line is" {
	command_is 'yes | head -n 3000; exit 1' 'showStdout: true' 'maxOutputLines: 3000'
	hook
	assert_block '.reason | contains("omitted") | not' '[.reason | match("\ny"; "g")] | length == 2999'
	command_is 'yes | head -n 3001; exit 1' 'showStdout: true' 'maxOutputLines: 3000'
	hook
	assert_block '.reason | contains("\n... (1 lines omitted)\n")' '[.reason | match("\ny"; "g")] | length == 2999'
}

@test "the file is one a session, replaced each time, and gone with it" {
	command_is 'seq -f "first %g" 1 5000; exit 1' 'showStdout: true'
	hook
	assert_file_has "$LOG" 'first 5000'
	command_is 'seq -f "second %g" 1 5000; exit 1' 'showStdout: true'
	hook
	assert_file_lacks "$LOG" 'first'
	assert_equal "$(ls -A "${LOG%/*}")" "$SESSION.log"
	hook '.hook_event_name = "SessionEnd"' holdfast hook SessionEnd
	assert_absent "$LOG"
}

@test "two stops at once: the file is that of one of them, and whole" {
	command_is 'seq -f "line %g" 1 5000; exit 1' 'showStdout: true'
	event >"$BATS_TEST_TMPDIR/event"
	local i
	for i in 1 2 3 4; do holdfast stop-hook <"$BATS_TEST_TMPDIR/event" >"$BATS_TEST_TMPDIR/$i.out" 2>/dev/null 3>&- & done
	wait
	for i in 1 2 3 4; do jq -e '.decision == "block"' "$BATS_TEST_TMPDIR/$i.out"; done
	assert_equal "$(sha256sum <"$LOG")" "$(seq -f 'line %g' 1 5000 | sha256sum)"
	assert_equal "$(ls -A "${LOG%/*}")" "$SESSION.log"
}

@test "a hook that is killed during a long output leaves no file" {
	command_is "seq 1 50000; ( $(sleeper) ) & wait" 'showStdout: true'
	start_hook
	within 5 some_run || show 'nothing ran'
	kill -KILL "$hook_pid"
	wait_hook
	assert_gone 1
	assert_equal "$(ls -A "${LOG%/*}")" ''
}

@test "no place for the file: the excerpt is there, and a warning" {
	command_is 'seq 1 5000; echo the end; exit 1' 'showStdout: true'
	mkdir -p "$HOME/.local"
	touch "$HOME/.local/state"
	hook
	assert_block '.reason | utf8bytelength < 9000' '.reason | endswith("\nthe end")' '.message | contains("could not be kept")'
}

@test "terminal escapes and control characters leave valid JSON" {
	command_is "printf '\\033[31mred\\033[0m\\r\\b\\001\\n'; exit 1" 'showStdout: true' 'showCommand: false'
	hook
	assert_block '.reason | contains("red")'
}

@test "both streams are read at once: a command that fills both does not hang" {
	command_is 'for ((i = 0; i < 200; i++)); do head -c 10000 /dev/zero; head -c 10000 /dev/zero >&2; done; exit 1' 'showStderr: true' 'timeout: 20'
	hook
	assert_block '.reason | startswith("Command failed with exit code 1")'
}

@test "three hundred commands are run, and the last one decides" {
	{
		printf 'stop:\n  commands:\n'
		for ((i = 1; i < 300; i++)); do printf '    - run: ":"\n'; done
		printf '    - run: exit 7\n'
	} >.conclaude.yaml
	hook '.transcript_path = "/t"' conclaude Stop
	assert_status 2
	assert_stdout_has 'Executing command 300/300: exit 7'
	assert_stderr_has 'Command failed with exit code 7'
}

@test "at a timeout the children of a command get TERM as well, and time to end" {
	command_is 'bash -c "trap \"touch .ended; exit\" TERM; touch .begun; while :; do sleep 0.05; done" & wait' 'timeout: 1'
	hook
	assert_block '.status == "command_failed"'
	assert_file .begun
	assert_file .ended
}
