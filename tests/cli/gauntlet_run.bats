#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# run, check, review and clean: what they print, what they leave, in which order gates run.

load helper
load gates
load reviews

teardown() { end_survivors; }

# scenario: G13-24 G13-50
@test "run says everything on stderr, and nothing on stdout" {
	gates ok 'echo fine' bad 'echo out; echo bad >&2; exit 3'
	run_command agent-gauntlet run
	assert_status 1
	assert_stdout ''
	assert_equal "$(sed -E 's/\([0-9]+\.[0-9]{2}s\)/(T)/' "$ERR")" "[START] check:.:ok
[PASS]  check:.:ok (T)
[START] check:.:bad
[FAIL]  check:.:bad (T) - Exited with code 3
      Log: gauntlet_logs/check_._bad.1.log

━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
RESULTS SUMMARY
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
Total: 0 fixed, 0 skipped, 1 failed
Status: Failed
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━"
	assert_equal "$(<"$LOGS/console.1.log")" "$(<"$ERR")"
}

# scenario: G13-50
@test "the same by the name of agent-gauntlet" {
	gates ok 'true'
	run_command agent-gauntlet run
	assert_status 0
	assert_stdout ''
	assert_stderr_has '[PASS]  check:.:ok'
	assert_stderr_has 'Status: Passed'
}

# scenario: G13-24
@test "the console log has what check tells on stdout and on stderr" {
	gates bad 'exit 3'
	run_holdfast check
	assert_status 1
	assert_equal "$(<"$LOGS/console.1.log")" "$(cat "$OUT" "$ERR")"
	run_holdfast check
	assert_equal "$(head -5 "$LOGS/console.2.log")" "$(<"$OUT")"
}

# scenario: G13-73
@test "check tells on stdout what it finds, and fails where a check does" {
	gates bad 'exit 3'
	run_command agent-gauntlet check
	assert_status 1
	assert_stdout $'Detecting changes...\nFound 1 changed files.\nRunning 1 check(s)...'
	assert_stderr_has '[FAIL]  check:.:bad'
	assert_stderr_has 'Status: Failed'
	assert_file "$LOGS/check_._bad.1.log"
	run_command agent-gauntlet check
	assert_status 1
	assert_stdout_has 'Existing logs detected — running in verification mode...'
	assert_stdout_has 'Found 1 gate(s) with 1 previous violation(s)'
	assert_file "$LOGS/check_._bad.2.log"
}

# scenario: G13-73
@test "check and review with nothing to do say so and succeed" {
	gates ok 'true'
	run_command agent-gauntlet review
	assert_status 0
	assert_stdout_has 'No applicable reviews for these changes.'
	git checkout -q src/a.txt
	run_command agent-gauntlet check
	assert_status 0
	assert_stdout_has 'No changes detected.'
	echo else >elsewhere
	run_command agent-gauntlet check
	assert_status 0
	assert_stdout_has 'No applicable checks for these changes.'
	assert_equal "$(ls -A "$LOGS")" .execution_state
}

@test "run with nothing to do says so, leaves no log and where it was, and succeeds" {
	gates ok 'true'
	git checkout -q src/a.txt
	run_holdfast run
	assert_status 0
	assert_equal "$stderr" '[INFO][gauntlet.run] No changes detected.'
	echo else >elsewhere
	run_holdfast run
	assert_status 0
	assert_equal "$stderr" '[WARNING][gauntlet.run] No applicable gates for these changes.'
	assert_equal "$(ls -A "$LOGS")" .execution_state
	assert_equal "$(jq -c '[.seen, .partial, .outstanding]' "$LOGS/.execution_state")" "[\"$(git rev-parse HEAD)\",true,false]"
}

# scenario: G13-48
@test "the exit code of run is 1 for every end that is no success" {
	gates bad 'false'
	local run
	for run in 1 2 3 4 5; do
		run_holdfast run
		assert_status 1
		assert_stderr_has 'Status: Failed'
	done
	assert_file "$LOGS/check_._bad.5.log"
	check_file bad 'no-such-program-anywhere'
	run_holdfast run
	assert_status 1
	assert_stderr_has 'Status: Error'
}

@test "a configuration that is wrong is told with its place, by run and check" {
	gates ok 'true'
	config 'max_retries: many'
	run_holdfast run
	assert_status 1
	assert_stderr_has "$PROJECT/.gauntlet/config.yml:"
	assert_stderr_has 'many'
	run_command agent-gauntlet check
	assert_status 1
	assert_stderr_has 'many'
	assert_absent "$LOGS"
}

# scenario: G13-22 G13-24
@test "numbers of runs are shared by all gates and go on after what is there" {
	gates one 'false' two 'true'
	run_holdfast run
	assert_file "$LOGS/check_._one.1.log"
	assert_file "$LOGS/check_._two.1.log"
	assert_file "$LOGS/console.1.log"
	run_holdfast run -g one
	assert_file "$LOGS/check_._one.2.log"
	assert_absent "$LOGS/check_._two.2.log"
	touch "$LOGS/console.7.log"
	run_holdfast run
	assert_file "$LOGS/check_._one.8.log"
	assert_file "$LOGS/check_._two.8.log"
	assert_file "$LOGS/console.8.log"
}

@test "the log of a check has command, directory, output and result" {
	local t='\[[0-9T:.-]+Z\]'
	gates bad 'echo out; exit 3'
	write .gauntlet/fix.md <<<'Do the fix.'
	echo 'fix_instructions: fix.md' >>.gauntlet/checks/bad.yml
	run_holdfast run
	sed -E "s/$t/T/g" "$LOGS/check_._bad.1.log" >"$TMPDIR/log"
	assert_equal "$(<"$TMPDIR/log")" "T T Starting check: bad
T Executing command: echo out; exit 3
T Working directory: .

T out
T 
Command failed: echo out; exit 3
T Result: fail - Exited with code 3
T 
--- Fix Instructions ---
Do the fix."
	check_file bad 'true'
	run_holdfast run
	assert_file_has "$LOGS/previous/check_._bad.2.log" 'Result: pass - Command exited with code 0'
}

@test "output is in the log while the check runs" {
	gates slow 'echo first; until test -e go; do sleep 0.05; done'
	marked holdfast run 2>/dev/null &
	eventually 5 grep -q first "$LOGS/check_._slow.1.log"
	touch go
	wait $!
	assert_file_has "$LOGS/previous/check_._slow.1.log" 'first'
}

# scenario: G13-45
@test "the base branch is put into the command as it is, not into what it means" {
	gates base 'echo "<${BASE_BRANCH}>"; echo "<$OTHER>"'
	git branch 'odd;touch$IFS-owned'
	run_holdfast run
	assert_file_has "$LOGS/previous/check_._base.1.log" '<main>'
	run_holdfast run -b 'odd;touch$IFS-owned'
	assert_status 0
	assert_file_has "$LOGS/previous/check_._base.1.log" '<odd;touch$IFS-owned>'
	assert_absent -owned
}

# scenario: G13-45
@test "a check reads nothing from stdin, and knows that it runs in a gate" {
	gates input 'cat; echo "<$GAUNTLET_STOP_HOOK_ACTIVE>"; echo "<${CLAUDECODE-unset}>"'
	run_command env CLAUDECODE=1 holdfast run <<<'not for you'
	assert_status 0
	assert_file_lacks "$LOGS/previous/check_._input.1.log" 'not for you'
	assert_file_has "$LOGS/previous/check_._input.1.log" '<1>'
	assert_file_has "$LOGS/previous/check_._input.1.log" '<unset>'
}

@test "a check runs in its entry point, or where it says" {
	gates here 'pwd' there 'pwd'
	write .gauntlet/checks/here.yml <<<'command: pwd'
	write .gauntlet/checks/there.yml <<<$'command: pwd\nworking_directory: src/deep'
	mkdir src/deep
	run_holdfast run
	assert_status 0
	assert_file_has "$LOGS/previous/check_src_here.1.log" "$PROJECT/src"
	assert_file_has "$LOGS/previous/check_src_deep_there.1.log" "$PROJECT/src/deep"
}

# scenario: G13-45
@test "a working directory that is missing is an error of the gate" {
	gates here 'pwd'
	write .gauntlet/checks/here.yml <<<$'command: pwd\nworking_directory: nowhere'
	run_holdfast run
	assert_status 1
	assert_stderr_has '[ERROR] check:nowhere:here'
	assert_stderr_has 'Status: Error'
	assert_file_has "$LOGS/check_nowhere_here.1.log" 'Result: error'
}

# scenario: G13-45
@test "a missing program, a signal and a crash are each told" {
	gates missing 'no-such-program-anywhere' killed 'kill -KILL $$' crashed 'kill -SEGV $$'
	run_holdfast run
	assert_status 1
	assert_stderr_has 'Missing command: no-such-program-anywhere'
	assert_stderr_has '[ERROR] check:.:killed'
	assert_stderr_has '[FAIL]  check:.:crashed'
	assert_stderr_has 'Status: '
}

@test "commands from a subdirectory are about the whole project" {
	gates ok 'pwd'
	mkdir -p src/deep
	cd src/deep
	run_holdfast run
	assert_status 0
	assert_file_has "$PROJECT/$LOGS/previous/check_._ok.1.log" "$PROJECT"
	assert_absent "$LOGS"
}

# scenario: G13-21
@test "two entry points that meet in a working directory run their check once" {
	gates ok 'echo >>ok.ran'
	echo ok.ran >>.git/info/exclude
	sed -i 's/^  - path: src$/  - path: .\n    checks: [ok]\n&/' .gauntlet/config.yml
	run_holdfast run
	assert_status 0
	assert_equal "$(times ok)" 1
}

# scenario: G13-16
@test "gates of directories run where something changed, once each" {
	gates each 'pwd'
	sed -i 's,path: src,path: packages/*,' .gauntlet/config.yml
	write .gauntlet/checks/each.yml <<<'command: pwd'
	write packages/one/a </dev/null
	write packages/one/b </dev/null
	write packages/two/a </dev/null
	write packages/README.md </dev/null
	write 'packages/with blank/ä' </dev/null
	run_holdfast run
	assert_status 0
	assert_equal "$(grep -c '^\[PASS\]' "$ERR")" 3
	assert_stderr_has 'check:packages/one:each'
	assert_stderr_has 'check:packages/two:each'
	assert_stderr_has 'check:packages/with blank:each'
}

# scenario: G13-78
@test "names with blanks and other letters are changes like others" {
	gates ok 'true'
	git checkout -q src/a.txt
	touch $'src/ä b\n"c"'
	run_holdfast run
	assert_status 0
	assert_stderr_has '[PASS]  check:.:ok'
}

# scenario: G13-77
@test "the log directory is never a change, ignored or not" {
	gates ok 'false'
	sed -i 's,path: src,path: .,' .gauntlet/config.yml
	git add -A && git commit -q -m all && git branch -f main
	mkdir "$LOGS" && touch "$LOGS/note.txt"
	run_holdfast run
	assert_status 0
	assert_stderr_has 'No changes detected.'
}

@test "a commit is checked for what it changed, and uncommitted changes alone for what they are" {
	gates ok 'echo >>ok.ran'
	echo ok.ran >>.git/info/exclude
	echo .ran >>.git/info/exclude && echo '*.ran' >>.git/info/exclude
	git commit -q -a -m 'in src'
	git commit -q --allow-empty -m 'nothing'
	run_holdfast run -c HEAD
	assert_status 0
	assert_equal "$(times ok)" 0
	run_holdfast run -c HEAD~1
	assert_status 0
	assert_equal "$(times ok)" 1
	run_holdfast run -u
	assert_equal "$(times ok)" 1
	echo three >>src/a.txt
	run_holdfast run -u
	assert_equal "$(times ok)" 2
}

@test "a gate of another name is not run" {
	gates one 'echo >>one.ran' two 'echo >>two.ran'
	run_holdfast run -g one
	assert_status 0
	assert_equal "$(times one) $(times two)" '1 0'
	run_holdfast run -g none
	assert_stderr_has "there is no gate 'none'; did you mean 'one'? The gates are: one, two"
	assert_status 1
}

@test "a gate that was mistyped or is of the other kind is told" {
	gates lint true tests true
	echo 'Look.' | write .gauntlet/reviews/quality.md
	run_holdfast run -g lnt
	assert_stderr_has "there is no gate 'lnt'; did you mean 'lint'?"
	run_holdfast check -g quality
	assert_stderr_has "'quality' is a review; 'run' runs both kinds"
	run_holdfast review -g lint
	assert_stderr_has "'lint' is a check"
	run_holdfast check -g lint
	assert_status 0
}

@test "a base branch that does not exist is told, and the gates run all the same" {
	gates ok 'true'
	sed -i 's/base_branch: main/base_branch: origin\/gone/' .gauntlet/config.yml
	run_holdfast run
	assert_status 0
	assert_stderr_has 'origin/gone'
	assert_stderr_has '[PASS]  check:.:ok'
}

@test "outside a repository run says what is missing" {
	gates ok 'true'
	rm -rf .git
	run_holdfast run
	assert_status 1
	assert_stderr_has 'holdfast: '
	stop
	assert_allow '.status == "error"'
}

# ---- lanes ----

# Every check writes when it begins and when it ends.
lane() { echo "echo '+$1' >>order; sleep ${2:-0.15}; echo '-$1' >>order"; }

@test "without parallel gates run one after the other" {
	gates one "$(lane 1)" two "$(lane 2)" three "$(lane 3 0)"
	run_holdfast run
	assert_status 0
	assert_file order $'+1\n-1\n+2\n-2\n+3\n-3'
}

@test "parallel gates run side by side, and the lane beside them" {
	more_check='parallel: true' gates one 'touch 1; until test -e 2 -a -e 3; do sleep 0.02; done' two 'touch 2; until test -e 1 -a -e 3; do sleep 0.02; done'
	check_file three 'touch 3; until test -e 1 -a -e 2; do sleep 0.02; done'
	sed -i 's/checks: .*/checks: [one, two, three]\nmax_parallel: 3/' .gauntlet/config.yml
	run_command timeout 300 holdfast run
	assert_status 0
}

# scenario: G13-49
@test "allow_parallel: false makes them wait for each other" {
	more_check='parallel: true' gates one "$(lane 1)" two "$(lane 2 0)"
	config 'allow_parallel: false'
	run_holdfast run
	assert_file order $'+1\n-1\n+2\n-2'
}

@test "no more run at once than max_parallel allows" {
	more_check='parallel: true' gates one "$(lane 1)" two "$(lane 2)" three "$(lane 3)" four "$(lane 4)" five "$(lane 5)"
	config 'max_parallel: 2'
	run_holdfast run
	assert_status 0
	assert_equal "$(wc -l <order)" 10
	awk '{ running += /^\+/ ? 1 : -1 } running > 2 { exit 1 }' order || show "$(<order)"
}

# scenario: G13-49
@test "a check that fails fast ends its lane, not what runs beside it" {
	gates first 'exit 1' later 'echo >>later.ran' beside 'sleep 0.3; echo >>beside.ran'
	check_file first 'sleep 0.1; exit 1' 'fail_fast: true'
	check_file beside 'sleep 0.3; echo >>beside.ran' 'parallel: true'
	config 'max_parallel: 4'
	run_holdfast run
	assert_status 1
	assert_equal "$(times later) $(times beside)" '0 1'
	assert_stderr_lacks 'check:.:later'
	assert_stderr_has '[PASS]  check:.:beside'
}

@test "what ended at its timeout has failed, and says after how long" {
	gates slow 'sleep 60'
	echo 'timeout: 0.3' >>.gauntlet/checks/slow.yml
	run_holdfast run
	assert_status 1
	assert_stderr_has '[FAIL]  check:.:slow'
	assert_stderr_has 'Timed out after 0.3s'
	assert_stderr_has 'Status: Failed'
}

# ---- the summary ----

# scenario: G13-51
@test "the summary tells what was fixed in which run" {
	gates one 'test -e one.fixed' two 'test -e two.fixed'
	run_holdfast run
	assert_stderr_has 'Total: 0 fixed, 0 skipped, 2 failed'
	touch one.fixed
	run_holdfast run
	assert_stderr_has $'Iteration 2:\n  ✓ Fixed: check_._one - 1 violations resolved'
	assert_stderr_has 'Total: 1 fixed, 0 skipped, 1 failed after 2 iterations'
	assert_stderr_has 'Status: Failed'
	touch two.fixed
	run_holdfast run
	assert_status 0
	assert_stderr_has $'Iteration 3:\n  ✓ Fixed: check_._two - 1 violations resolved'
	assert_stderr_has 'Total: 2 fixed, 0 skipped, 0 failed after 3 iterations'
	assert_stderr_has 'Status: Passed'
}

# ---- the lock ----

# scenario: 001-34 G13-26
@test "while a run is under way a second one is refused, in words and with the lock's path" {
	gates slow 'touch started; until test -e go; do sleep 0.05; done'
	marked holdfast run 2>/dev/null &
	eventually 5 test -e started
	assert_equal "$(readlink "/proc/$(<"$LOGS/.gauntlet-run.lock")/exe")" "$(readlink -f "$BIN/holdfast")"
	for command in run check review clean; do
		run_command agent-gauntlet "$command"
		assert_status 1
		assert_equal "$(tail -n 2 "$ERR")" "Error: A gauntlet run is already in progress (lock file: $PROJECT/$LOGS/.gauntlet-run.lock).
If no run is actually in progress, delete the lock file manually."
	done
	assert_absent "$LOGS/console.2.log"
	stop
	assert_allow '.status == "lock_exists"' '.message | contains("already in progress")'
	assert_stderr_has 'already in progress'
	touch go
	wait $!
	assert_absent "$LOGS/.gauntlet-run.lock"
}

# scenario: G13-27
@test "a lock of another program holds while that lives" {
	gates ok 'true'
	mkdir "$LOGS"
	of_the_original &
	printf %s $! >"$LOGS/.gauntlet-run.lock"
	stop
	assert_allow '.status == "lock_exists"'
	run_holdfast run
	assert_status 1
	kill $! && wait $! || :
	stop
	assert_allow '.status == "passed"'
	assert_absent "$LOGS/.gauntlet-run.lock"
}

# scenario: G13-27
@test "the lock of a process that was killed does not hold" {
	gates ok 'true'
	check_file ok 'kill -KILL $PPID; sleep 5'
	run_holdfast run
	assert_equal "$status" 137
	assert_file "$LOGS/.gauntlet-run.lock"
	check_file ok 'true'
	stop
	assert_allow '.status == "passed"'
	assert_absent "$LOGS/.gauntlet-run.lock"
}

@test "an empty lock holds for the moment in which its number may be written, and a word holds nobody" {
	gates ok 'true'
	config 'stop_hook: {run_interval_minutes: 0}'
	mkdir "$LOGS"
	: >"$LOGS/.gauntlet-run.lock"
	stop
	assert_allow '.status == "lock_exists"' '.systemMessage | contains("already in progress")'
	touch -d '11 seconds ago' "$LOGS/.gauntlet-run.lock"
	stop
	assert_allow '.status == "passed"'
	echo two >>src/a.txt
	echo nonsense >"$LOGS/.gauntlet-run.lock"
	stop
	assert_allow '.status == "passed"'
}

@test "log directories that are nested are made" {
	gates bad 'false'
	config 'log_dir: var/log/gates'
	run_holdfast run
	assert_file var/log/gates/check_._bad.1.log
	assert_stderr_has 'Log: var/log/gates/check_._bad.1.log'
	assert_absent var/log/gates/.gauntlet-run.lock
}

# ---- clean ----

# scenario: 001-23 G13-29
@test "clean moves logs and state into previous, in place of what was there" {
	gates bad 'false'
	config 'debug_log: {enabled: true}'
	run_holdfast run
	run_command agent-gauntlet clean
	assert_status 0
	assert_stdout 'Logs archived successfully.'
	assert_equal "$(ls -A "$LOGS" | sort | xargs)" '.debug.log previous'
	assert_equal "$(ls -A "$LOGS/previous" | sort | xargs)" '.execution_state check_._bad.1.log console.1.log'
	run_holdfast run -g bad
	touch "$LOGS/console.5.log"
	run_command agent-gauntlet clean
	assert_file "$LOGS/previous/console.5.log"
	run_command agent-gauntlet clean
	assert_status 0
	assert_stdout 'Logs archived successfully.'
	assert_file "$LOGS/previous/console.5.log"
}

# scenario: G13-29
@test "clean where nothing was ever run makes no directory" {
	gates ok 'true'
	run_command agent-gauntlet clean
	assert_status 0
	assert_absent "$LOGS"
}

@test "clean needs no gates: neither right ones nor any, where there are logs" {
	gates bad 'false'
	config 'log_dir: logs/here'
	run_holdfast run
	echo 'command: [' >.gauntlet/checks/bad.yml
	config 'max_retries: many'
	run_command agent-gauntlet clean
	assert_status 0
	assert_stdout 'Logs archived successfully.'
	assert_file logs/here/previous/check_._bad.1.log
	rm -r .gauntlet
	run_command agent-gauntlet clean
	assert_status 1
	assert_stderr_has "Configuration file not found at $PROJECT/.gauntlet/config.yml"
	mkdir "$LOGS" && touch "$LOGS/check_._bad.1.log"
	run_command agent-gauntlet clean
	assert_status 0
	assert_stdout 'Logs archived successfully.'
	assert_file "$LOGS/previous/check_._bad.1.log"
}

@test "what else is in the log directory stays where it is" {
	gates ok 'true'
	mkdir -p "$LOGS/mine" && touch "$LOGS/mine/a.log" "$LOGS/notes.txt"
	run_holdfast run
	assert_status 0
	assert_file "$LOGS/mine/a.log"
	assert_file "$LOGS/notes.txt"
}

# ---- the debug log ----

# scenario: G13-53
@test "the debug log has the command and every event of a run, with their times" {
	gates ok 'true' bad 'false'
	config 'debug_log: {enabled: true}'
	run_holdfast run -g bad -b main
	run_holdfast run
	check_file bad 'true'
	stop
	run_command agent-gauntlet clean
	sed -E 's/^\[[0-9T:.-]+Z\] //;s/duration=[0-9]+\.[0-9]{2}s/duration=T/' "$LOGS/.debug.log" >"$TMPDIR/debug"
	assert_file_has "$TMPDIR/debug" 'COMMAND run -b main -g bad'
	assert_file_has "$TMPDIR/debug" $'\nCOMMAND run\n'
	assert_file_has "$TMPDIR/debug" 'RUN_START mode=full base_ref=main files_changed=2 files_new=0 files_modified=2 files_deleted=0 lines_added=2 lines_removed=0 gates=1'
	assert_file_has "$TMPDIR/debug" 'RUN_START mode=verification'
	assert_file_has "$TMPDIR/debug" 'GATE_RESULT check:.:bad status=fail duration=T'
	assert_file_has "$TMPDIR/debug" 'GATE_RESULT check:.:ok status=pass duration=T'
	assert_file_has "$TMPDIR/debug" 'RUN_END status=fail fixed=0 skipped=0 failed=1 iterations=2'
	assert_file_has "$TMPDIR/debug" 'RUN_END status=pass fixed=1 skipped=0 failed=0 iterations=3'
	assert_file_has "$TMPDIR/debug" 'COMMAND stop-hook'
	assert_file_has "$TMPDIR/debug" 'STOP_HOOK decision=allow reason=passed'
	assert_file_has "$TMPDIR/debug" 'CLEAN type=auto reason=all_passed'
	assert_file_has "$TMPDIR/debug" 'COMMAND clean'
	assert_file_has "$TMPDIR/debug" 'CLEAN type=manual reason=user_request'
	! grep -vE '^\[[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z\] [A-Z_]+' "$LOGS/.debug.log"
}

# started FIELDS: so much the newest run has counted, as base, files, new, modified, deleted, lines added and removed.
started() {
	local line
	line=$(grep -o 'RUN_START .*' "$LOGS/.debug.log" | tail -1 | sed -E 's/RUN_START mode=([a-z]+)/\1/;s/ (base_ref|files_[a-z]+|lines_[a-z]+)=/ /g;s/ gates=.*//')
	assert_equal "$line" "$1"
}

# scenario: G13-52
@test "the debug log counts what has changed since the last run, if there was one" {
	gates ok 'test ! -e src/broken'
	config 'debug_log: {enabled: true}'
	# Only a review needs a snapshot, and changes are counted since it.
	export ANSWERS=$BATS_TEST_TMPDIR/answers ASKED=$BATS_TEST_TMPDIR/asked
	mkdir -p "$ANSWERS" "$ASKED"
	answers claude <<<'pass'
	write .gauntlet/reviews/quality.md <<<'Look for bugs.'
	sed -i 's/ *checks: \[ok\]/&\n    reviews: [quality]/' .gauntlet/config.yml
	git add -A && git commit -qm work
	touch src/broken
	printf '\0one\n' >src/binary
	run_holdfast run
	started 'full main 5 3 2 0 4 0'
	run_holdfast run
	started "verification $(state .working_tree_ref) 0 0 0 0 0 0"
	local tree=$(state .working_tree_ref)
	printf '\0two\n' >src/binary
	printf '1\n2\n3\n' >src/b.txt
	git add src/b.txt && git commit -qm b
	echo new >src/new.txt
	rm src/broken
	run_holdfast run -u
	started "verification $tree 4 2 1 1 3 0"
	tree=$(state .working_tree_ref)
	echo more >>src/a.txt
	run_holdfast run
	started "full $tree 1 0 1 0 1 0"
	run_holdfast run -c HEAD
	started 'full HEAD^ 1 1 0 0 3 0'
	edit_state '.working_tree_ref = ("1" * 40)'
	run_holdfast run
	started "full $(git rev-parse HEAD) 3 2 1 0 1 0"
	touch src/broken
	run_holdfast run
	edit_state '.working_tree_ref = ("1" * 40)'
	run_holdfast run
	started "verification $(printf '1%.0s' {1..40}) 0 0 0 0 0 0"
	assert_stderr_has 'Status: Failed'
}

# scenario: G13-53
@test "check and review begin with the short form in the debug log" {
	gates bad 'false'
	config 'debug_log: {enabled: true}'
	run_holdfast check
	run_holdfast check
	assert_file_has "$LOGS/.debug.log" 'COMMAND check'
	assert_file_has "$LOGS/.debug.log" 'RUN_START mode=full changes=2 gates=1'
	assert_file_has "$LOGS/.debug.log" 'RUN_START mode=verification changes=2 gates=1'
}

# scenario: G13-53
@test "a full debug log is rotated once" {
	gates ok 'true'
	config 'debug_log: {enabled: true, max_size_mb: 0.01}'
	mkdir "$LOGS"
	head -c 11000 /dev/zero | tr '\0' x >"$LOGS/.debug.log"
	run_holdfast run
	assert_equal "$(stat -c %s "$LOGS/.debug.log.1")" 11000
	[[ $(stat -c %s "$LOGS/.debug.log") -lt 2000 ]]
	assert_file_has "$LOGS/.debug.log" 'RUN_END status=pass'
}

# scenario: G13-53
@test "without the setting there is no debug log" {
	gates ok 'true'
	run_holdfast run
	assert_absent "$LOGS/.debug.log"
}

@test "an error that quotes the configuration does not command the terminal" {
	gates ok 'true'
	sed -i 's/^base_branch: .*/base_branch: "a..b\\e]0;owned\\a"/' .gauntlet/config.yml
	on_terminal holdfast run </dev/null || :
	grep -q "holdfast: base branch 'a..b" "$OUT" || show 'no error'
	if grep -q $'[\x1b\x07]' "$OUT"; then cat -v "$OUT"; show 'it commands the terminal'; fi
}

# ---- descriptors ----

# many_gates N COMMAND: N checks with that command, all of which may run at once.
many_gates() {
	local i list=()
	for ((i = 1; i <= $1; i++)); do list+=("c$i" "$2"); done
	more_config='max_parallel: 64' more_check='parallel: true' gates "${list[@]}"
}

@test "a low limit on open files lowers the parallelism and fails no gate" {
	many_gates 24 'sleep 0.1'
	(ulimit -n 48 && run_holdfast run && assert_status 0)
	assert_file_has "$LOGS/previous/console.1.log" '[PASS]  check:.:c24'
}

@test "a soft limit on open files is raised for holdfast and not for its gates" {
	many_gates 24 'test "$(ulimit -Sn)" = 40'
	(ulimit -Sn 40 && run_holdfast run && assert_status 0)
}

# ---- reports ----

@test "a report is written as JSON or JUnit XML, also of a failure" {
	gates ok 'true' bad 'echo wrong; exit 3'
	run_holdfast run --report "$TMPDIR/report.json"
	assert_status 1
	jq -e '.status == "failed"' "$TMPDIR/report.json"
	run_holdfast run --report "$TMPDIR/report.xml"
	assert_file_has "$TMPDIR/report.xml" '<testsuite'
	assert_file_has "$TMPDIR/report.xml" 'wrong'
	run_holdfast run --report "$TMPDIR/report.txt"
	assert_status 1
	assert_absent "$TMPDIR/report.txt"
}

# scenario: G13-47
@test "the totals of a report are numbers, and zero where nothing was run" {
	local totals='[.status, .totals.jobs, .totals.passed, .totals.failed, .totals.errors, .totals.skipped, (.jobs | length)]'
	gates ok 'true' bad 'false'
	run_holdfast run --report "$TMPDIR/some.json"
	assert_equal "$(jq -c "$totals" "$TMPDIR/some.json")" '["failed",2,1,1,0,0,2]'
	check_file bad 'true'
	run_holdfast run
	git add -A && git commit -qm all && git branch -f main
	run_holdfast run --report "$TMPDIR/none.json"
	assert_status 0
	assert_equal "$(jq -c "$totals" "$TMPDIR/none.json")" '["no_changes",0,0,0,0,0,0]'
}
