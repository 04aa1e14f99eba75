#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Runs that are killed, and checks that do not want to end.

load helper
load gates

setup() { setup_project; }
teardown() { end_survivors; }

# Every file of the log directory is whole: the state parses, and a log that has a result has its beginning.
assert_nothing_torn() {
	local file
	if [[ -e $LOGS/.execution_state ]]; then
		jq -e '.branch == "work" and (.commit | length == 40) and (.last_run_completed_at | length == 24)' "$LOGS/.execution_state" >/dev/null ||
			show "the state is torn: $(<"$LOGS/.execution_state")"
	fi
	for file in "$LOGS"/check_*.log; do
		[[ ! -e $file ]] || ! grep -q 'Result:' "$file" || grep -q 'Starting check:' "$file" || show "$file is torn: $(<"$file")"
	done
}

# killed_after MICROSECONDS COMMAND...: the command, killed so long after its start; its children must die by themselves.
killed_after() {
	local us=$1
	shift
	marked "$@" <"$TMPDIR/event" >/dev/null 2>&1 &
	sleep "$(printf '0.%06d' "$us")"
	kill -KILL $! 2>/dev/null || :
	wait $! 2>/dev/null || :
}

@test "a run that is killed at 50 random points leaves no process and no torn state, and the next stop works" {
	local n
	more_check='parallel: true' gates one 'echo out; sleep 0.02; sleep 300 & setsid sleep 300 & exit 1' two 'test ! -e stubborn || trap "" TERM; sleep 0.03; echo more; test -e src/fixed' three 'sleep 0.01'
	config 'max_retries: 1000' 'max_parallel: 3'
	event >"$TMPDIR/event"
	RANDOM=20261115
	for n in {1..50}; do
		((n % 8)) || touch stubborn
		if ((n % 2)); then killed_after $((RANDOM * 5 % 150000)) holdfast run; else killed_after $((RANDOM * 5 % 150000)) holdfast stop-hook; fi
		rm -f stubborn
		assert_none_survives 3
		assert_nothing_torn
		if ((n % 5 == 0)); then
			prompt 'go on' # 20 blocks in a row would be the last
			stop
			assert_block '.status == "failed"' '.reason | contains("\none: ")'
			assert_nothing_torn
			assert_absent "$LOGS/.gauntlet-run.lock"
			assert_absent "$LOGS/.stop-hook-active"
		fi
	done
	check_file one true
	touch src/fixed
	stop
	assert_allow '.status == "passed"'
	assert_equal "$(ls -A "$LOGS" | xargs)" '.execution_state previous'
}

# In a container the session began outside, and has no number inside.
@test "a run that is killed in a PID namespace leaves no process, not even one with a group of its own" {
	local inside='unshare --user --map-root-user --pid --fork --mount-proc'
	$inside true 2>/dev/null || skip 'this machine forbids namespaces'
	gates slow 'timeout 300 sleep 300 & touch started; sleep 300'
	# PID 1 reaps orphans; what it still has after the kill is left over.
	run_command $inside bash -c '
		holdfast run </dev/null >/dev/null 2>&1 &
		until [[ -e started ]]; do sleep 0.02; done
		kill -KILL $!
		for try in {1..100}; do
			left=$(cat /proc/[0-9]*/comm 2>/dev/null | grep -xE "sleep|timeout|sh|holdfast.*")
			[[ $left ]] || exit 0
			read -rt 0.05 <> <(:)
		done
		echo "left: $left" >&2
		exit 1'
	assert_status 0
}

# What a run of $1 leaves when it gets the signal $2 in the middle.
ended_by() {
	local signal=$1
	gates slow 'echo $$ >slow.pid; trap "" INT; sleep 300 & setsid sleep 300 & touch started; sleep 300' quick 'touch quick.ran'
	marked holdfast run </dev/null >"$OUT" 2>"$ERR" &
	eventually 10 test -e started
	kill "-$signal" "$(cat "$LOGS/.gauntlet-run.lock")"
	status=0
	wait $! || status=$?
	[[ $status != 0 ]]
	[[ ! -s $OUT ]] || show "something is on stdout"
	grep -qxF 'Interrupted: the running gates were ended.' "$ERR" || show 'it is not said'
	assert_none_survives 5
	assert_absent "$LOGS/.gauntlet-run.lock"
	assert_absent "$LOGS/.execution_state"
	assert_absent quick.ran
	assert_nothing_torn
}

@test "TERM to a run leaves no lock, no child and no state" { ended_by TERM; }
@test "INT to a run leaves no lock, no child and no state" { ended_by INT; }
@test "HUP to a run leaves no lock, no child and no state" { ended_by HUP; }

# scenario: G13-79
@test "TERM to the hook is answered, and leaves neither lock nor marker nor child" {
	gates slow 'touch started; sleep 300'
	event >"$TMPDIR/event"
	marked holdfast stop-hook <"$TMPDIR/event" >"$OUT" 2>"$ERR" &
	eventually 10 test -e started
	assert_file "$LOGS/.stop-hook-active"
	kill -TERM "$(cat "$LOGS/.gauntlet-run.lock")"
	status=0
	wait $! || status=$?
	assert_allow '.status == "error"' '.message == "⚠ Stop hook error — the hook was interrupted before it had decided"'
	assert_none_survives 5
	assert_absent "$LOGS/.gauntlet-run.lock"
	assert_absent "$LOGS/.stop-hook-active"
	check_file slow 'true'
	stop
	assert_allow '.status == "passed"'
}

# ---- checks that do not want to end ----

# ends_within SECONDS: a run that takes no longer, in less than 64 MiB, and leaves no process. $status and $stderr are the run's.
ends_within() {
	local began=$SECONDS peak
	status=0
	marked timeout $(($1 + 20)) "$BATS_TEST_TMPDIR/peak" "$TMPDIR/peak.kib" holdfast run </dev/null >"$OUT" 2>"$ERR" || status=$?
	stderr=$(<"$ERR") stdout=$(<"$OUT")
	((SECONDS - began <= $1)) || show "it took $((SECONDS - began)) s"
	peak=$(<"$TMPDIR/peak.kib")
	((peak < 65536)) || show "it took $peak KiB"
	assert_none_survives 2
}

# The most memory that the command itself has had, asked of the kernel while it runs; its children are not in it.
make_peak() {
	cat >"$BATS_TEST_TMPDIR/peak" <<-'SCRIPT'
	#!/usr/bin/env bash
	out=$1
	shift
	most=0
	"$@" &
	while kill -0 $! 2>/dev/null; do
		now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$!/status" 2>/dev/null)
		((${now:-0} > most)) && most=$now
		sleep 0.05
	done
	echo "$most" >"$out"
	wait $!
	SCRIPT
	chmod 755 "$BATS_TEST_TMPDIR/peak"
}

# stubborn COMMAND [SECONDS]: a check with a timeout of that, 1 by default.
stubborn() {
	make_peak
	gates check "$1"
	echo "timeout: ${2:-1}" >>.gauntlet/checks/check.yml
}

@test "a daemon that a check leaves in a session of its own does not hold it, and is ended" {
	stubborn 'setsid sleep 301 & setsid sleep 302 >/dev/null 2>&1 & sleep 303 & setsid sh -c "setsid sleep 304 & touch .begun; wait" & until test -e .begun; do :; done' 60
	ends_within 10
	assert_status 0
	assert_stderr_has '[PASS]  check:.:check'
}

@test "a daemon without an environment is ended too" {
	stubborn 'env -i PATH="$PATH" setsid sh -c "echo \$\$ >bare.pid; exec sleep 300" & until test -s bare.pid; do :; done' 60
	ends_within 10
	assert_status 0
	! kill -0 "$(<bare.pid)" || show 'the daemon is alive'
}

@test "at its timeout a daemon of a check is ended with it" {
	stubborn 'setsid sleep 300 & sleep 300'
	ends_within 6
	assert_stderr_has 'Timed out after 1s'
}

@test "at the deadline of a stop a daemon of a check is ended with it, and one without an environment" {
	gates slow 'setsid sleep 300 & env -i PATH="$PATH" setsid sh -c "echo \$\$ >bare.pid; exec sleep 300" & sleep 300'
	event >"$TMPDIR/event"
	marked holdfast stop-hook --deadline 2 <"$TMPDIR/event" >"$OUT" 2>"$ERR"
	assert_none_survives
	[[ ! -s bare.pid ]] || ! kill -0 "$(<bare.pid)" || show 'the daemon is alive'
}

@test "the end of a check does not end the daemon of another one that runs" {
	make_peak
	gates one true
	rm -r .gauntlet
	write holdfast.yml <<-'YML'
		gates:
		  one: "until test -e two.begun; do :; done"
		  after_one: { run: "touch one.ended", needs: [one] }
		  two: "env -i PATH=\"$PATH\" setsid sh -c 'touch two.begun; until test -e one.ended; do :; done; touch two.lived' & until test -e two.lived; do sleep 0.1; done"
	YML
	ends_within 60
	assert_status 0
}

# scenario: G13-45
@test "a process that a check leaves in the background does not hold it, and is ended" {
	stubborn 'sleep 300 & (sleep 300 &) ; exit 3' 60
	ends_within 10
	assert_stderr_has 'Exited with code 3'
}

@test "a check that ignores TERM is ended within its timeout plus five seconds" {
	stubborn 'trap "" TERM INT HUP; while :; do sleep 1; done'
	ends_within 6
	assert_status 1
	assert_stderr_has 'Timed out after 1s'
}

# scenario: G13-45
@test "a check whose children ignore TERM is ended whole" {
	stubborn '(trap "" TERM; sleep 300) & (trap "" TERM; exec sleep 300) & wait'
	ends_within 6
	assert_stderr_has 'Timed out after 1s'
}

# The children must hear of it as well, so that they can put their things away.
@test "at its timeout all that a check has started gets TERM, and time to end" {
	stubborn 'bash -c "trap \"echo bye >\$PWD/child.end; exit\" TERM; touch child.begun; while :; do sleep 0.05; done" & wait'
	ends_within 6
	assert_stderr_has 'Timed out after 1s'
	assert_file child.begun
	assert_equal "$(<child.end)" bye
}

# scenario: G13-45
@test "a check that writes a gigabyte passes in little memory, and its log says what was left out" {
	stubborn 'echo first; head -c 1073741824 /dev/zero; echo; echo last' 60
	ends_within 60
	assert_status 0
	grep -aq first "$LOGS/previous/check_._check.1.log"
	grep -aq last "$LOGS/previous/check_._check.1.log"
	(($(stat -c %s "$LOGS/previous/check_._check.1.log") < 65 * 1048576)) || show "the log has $(stat -c %s "$LOGS/previous/check_._check.1.log") bytes"
	stop
	assert_allow
}

@test "a check that writes without end is ended at its timeout" {
	stubborn 'yes "$(head -c 1000 /dev/zero | tr "\0" x)"'
	ends_within 6
	assert_stderr_has 'Timed out after 1s'
}

@test "a check that closes its pipes early is waited for" {
	stubborn 'exec >&- 2>&-; sleep 0.7; touch ended; exit 4' 10
	ends_within 8
	assert_file ended
	assert_stderr_has 'Exited with code 4'
}

@test "a check that closes its pipes and does not end is ended at its timeout" {
	stubborn 'exec >&- 2>&-; sleep 300'
	ends_within 6
	assert_stderr_has 'Timed out after 1s'
}

@test "a check that stops itself is ended at its timeout" {
	stubborn 'sleep 300 & kill -STOP $$; echo never'
	ends_within 6
	assert_stderr_has 'Timed out after 1s'
}

@test "a check whose children are stopped is ended whole" {
	stubborn 'sleep 300 & kill -STOP $!; wait'
	ends_within 6
	assert_stderr_has 'Timed out after 1s'
}

@test "a check that kills the run is no success, and the next stop works" {
	gates check 'kill -TERM $PPID; sleep 5'
	stop
	assert_allow '.status == "error"'
	check_file check 'exit 1'
	stop
	assert_block '.status == "failed"'
}

@test "thirty-two checks that never end are ended together" {
	local n names=()
	make_peak
	gates first 'sleep 300'
	for n in {1..32}; do
		check_file "c$n" 'trap "" TERM; sleep 300; sleep 300' $'parallel: true\ntimeout: 1'
		names+=("c$n")
	done
	sed -i "s/checks: .*/checks: [$(IFS=, && echo "${names[*]}")]\nmax_parallel: 32/" .gauntlet/config.yml
	ends_within 9
	assert_status 1
	assert_equal "$(grep -c 'Timed out after 1s' "$ERR")" 32
}
