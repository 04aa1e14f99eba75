#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Verdicts are about content: ordinary commands that once let failing work go.

load helper
load gates
load reviews

# A repository with one check on src/ that fails while it has BAD in it, on a branch with a change that fails.
setup() {
	setup_project
	printf '%s\n' '#!/bin/sh' 'touch started' 'if [ -e slow ]; then sleep 60; fi' '! grep -q BAD src/*.txt' | write t.sh
	chmod +x t.sh
	more_config=$'stop_hook: {reverify: true, run_interval_minutes: 0}' gates t './t.sh'
	printf '%s\n' started slow >>.git/info/exclude
}
teardown() { end_survivors; }

bad() { echo BAD >>src/a.txt; }
good() { sed -i /BAD/d src/a.txt; }
again() { stop '.stop_hook_active = true'; }
blocked() {
	again
	assert_block '.status == "failed"' '.reason | test("check[:_][.][:_]t")'
}
# The failure is known.
bad_stop() {
	bad
	stop
	assert_block '.status == "failed"'
}
passes() {
	again
	assert_allow '.status == "passed"'
}

# ---- refs ----

@test "failing work that is merged into the base branch still blocks, until it is fixed there" {
	bad_stop
	git commit -q -a -m x && git checkout -q main && git merge -q work
	blocked
	good
	passes
}

@test "failing work that is pushed to the base branch still blocks" {
	git init -q --bare ../origin && git remote add origin ../origin && git push -q origin main && git fetch -q
	bad_stop
	git commit -q -a -m x && git push -q origin HEAD:main
	blocked
	git checkout -q main && git pull -q origin main
	blocked
	good
	passes
}

@test "on the base branch clean forgets no failure" {
	git stash -q && git checkout -q main && git stash pop -q
	bad_stop
	git commit -q -a -m x
	run_holdfast clean
	assert_status 0
	blocked
	good
	passes
}

@test "on the base branch clean does not forget which commit was seen" {
	git stash -q && git checkout -q main
	stop
	assert_allow '.status == "no_changes"'
	bad && git commit -q -a -m break
	run_holdfast clean
	stop
	assert_block '.status == "failed"'
}

@test "a failure that was committed on the base branch outlives clean" {
	git stash -q && git checkout -q main
	stop
	bad && git commit -q -a -m break
	stop
	assert_block '.status == "failed"'
	run_holdfast clean
	stop
	assert_block '.status == "failed"'
	good && git commit -q -a -m fix
	stop
	assert_allow '.status == "passed"'
}

@test "a failure is known on a branch that was made afterwards, and on one without the change" {
	bad_stop
	git checkout -q -b other
	blocked
	git checkout -q src/a.txt && git checkout -q main
	# What failed is not here.
	passes
}

# reviewed: instead of the check, a review that finds something as long as it is shown BAD.
reviewed() {
	rm -r .git .gauntlet src
	more_config=$'stop_hook: {reverify: true, run_interval_minutes: 0}' review_project
	answers claude <<-'ANSWER'
	if grep -q '^+BAD' "$ASKED/claude.$n/prompt"; then fails src/a.txt:3:high:'BAD is wrong'; else pass; fi
	ANSWER
	bad
	stop
	assert_block '.status == "failed"' '.reason | contains("BAD is wrong")'
}
still_reviewed() {
	again
	assert_block '.status == "failed"' '.reason | contains("BAD is wrong")'
}

@test "a failed review of work that is merged into the base branch is asked about that work again" {
	reviewed
	git add src && git commit -q -m x && git checkout -q main && git merge -q work
	still_reviewed
	git checkout -q -b next
	still_reviewed
	good
	passes
}

@test "a failed review of work that is pushed to the base branch, or after clean, is asked about that work again" {
	reviewed
	git add src && git commit -q -m x && git branch -f main
	still_reviewed
	run_holdfast clean
	still_reviewed
	good
	passes
}

@test "a reviewer that is gone allows the stop and is named, unless its review had failed" {
	reviewed
	rm "$BIN/claude"
	PATH=$BIN:/usr/bin:/bin
	echo two >>src/b.txt
	again
	assert_block '.status == "failed"' '.reason | contains("review:.:quality")' '.message | contains("claude")'
	forget
	rm -r "$LOGS"
	again
	assert_allow '.status == "infrastructure_error"' '.systemMessage | contains("claude: Command not found")'
}

# ---- a known failure, and whatever keeps its gate from running ----

@test "a broken configuration does not release a gate that is known to fail" {
	bad_stop
	echo '}}}' >>.gauntlet/config.yml
	again
	assert_block '.status == "failed"' '.message | contains("config.yml:")' '.reason | contains("check:.:t")' '.reason | contains("config.yml:")'
	again
	assert_block
	again
	assert_allow '.status == "retry_limit_exceeded"' '.message | contains("config.yml:")' '.message | contains("check:.:t")'
	sed -i '$d' .gauntlet/config.yml
	prompt 'go on'
	good
	passes
}

@test "a broken holdfast.yml does not release a gate that is known to fail, within the tries" {
	rm -r .gauntlet
	printf 'base: main\ngates:\n  t: ./t.sh\ntries: 2\n' >holdfast.yml
	bad_stop
	echo '}}}' >>holdfast.yml
	again
	assert_block '.status == "failed"' '.message | contains("holdfast.yml:")' '.reason | contains("t failed before")'
	sed -i '$d' holdfast.yml
	again
	assert_allow '.status == "retry_limit_exceeded"'
	prompt 'go on'
	run_holdfast clean
	git checkout -q -b other
	again
	assert_block '.status == "failed"'
	good
	passes
}

@test "a broken configuration where nothing is known to fail allows the stop and says so" {
	echo '}}}' >>.gauntlet/config.yml
	stop
	assert_allow '.status == "error"' '.message | contains("config.yml:")'
}

@test "a broken gate definition does not release a gate that is known to fail" {
	bad_stop
	echo '}}}' >>.gauntlet/checks/t.yml
	again
	assert_block '.status == "failed"' '.message | contains("t.yml:")' '.reason | contains("check:.:t")'
}

@test "without its repository a gate that is known to fail blocks" {
	local harm undo
	bad_stop
	# Not a repository, a bare one, a broken index, a format of the future.
	for harm in 'mv .git .gitx' 'git config core.bare true' 'cp .git/index index.kept; echo junk >.git/index' 'git config core.repositoryformatversion 9'; do
		eval "$harm"
		echo "# after: $harm"
		again
		assert_block '.status == "failed"' '.reason | contains("check:.:t")' '.message | contains("git")'
		case $harm in
			mv*) mv .gitx .git ;;
			cp*) mv index.kept .git/index ;;
			*bare*) sed -i '/bare/d' .git/config ;;
			*) sed -i '/repositoryformatversion/d' .git/config ;;
		esac
		prompt 'go on'
	done
	good
	passes
}

# interrupted SIGNAL: a stop in which the hook gets the signal while the gate runs.
interrupted() {
	rm -f started
	event '.stop_hook_active = true' >"$TMPDIR/event"
	marked holdfast stop-hook <"$TMPDIR/event" >"$OUT" 2>"$ERR" &
	eventually 10 test -e started
	kill "-$1" "$(cat "$LOGS/.gauntlet-run.lock")"
	status=0
	wait $! || status=$?
	stdout=$(<"$OUT") stderr=$(<"$ERR")
	assert_none_survives 5
}

@test "TERM while the gates run does not release a gate that is known to fail, within the tries" {
	bad_stop
	touch slow
	interrupted TERM
	assert_block '.status == "failed"' '.reason | contains("check:.:t")' '.reason | contains("interrupted")'
	assert_equal "$(tries)" 2
	interrupted INT
	assert_block '.status == "failed"'
	interrupted TERM
	assert_allow '.status == "error"' '.message | contains("interrupted")'
	rm slow
	prompt 'go on'
	blocked
	good
	passes
}

@test "TERM after clean does not release a gate that is known to fail either" {
	bad_stop
	run_holdfast clean
	touch slow
	interrupted TERM
	assert_block '.status == "failed"' '.reason | test("check[:_][.][:_]t")'
}

@test "TERM where nothing is known to fail allows the stop and uses no try" {
	touch slow
	interrupted TERM
	assert_allow '.status == "error"'
	rm slow
	bad_stop
	assert_equal "$(tries)" 1
}

@test "at the deadline a gate that is known to fail blocks" {
	bad_stop
	touch slow
	event '.stop_hook_active = true' >"$TMPDIR/event"
	run_command holdfast stop-hook --deadline 1 <"$TMPDIR/event"
	assert_block '.status == "failed"' '.message | contains("timed out")' '.reason | contains("check:.:t")'
}

@test "a gate that kills its own shell has not passed" {
	bad_stop
	check_file t 'kill -KILL $$'
	blocked
}

@test "a script that git tracks and that is gone is a failure, known or not" {
	local remove
	for remove in 'rm t.sh' 'git rm -q t.sh' 'git rm -q t.sh && git commit -q -m gone'; do
		eval "$remove"
		echo "# after: $remove"
		forget
		prompt 'go on'
		stop
		assert_block '.status == "failed"' '.reason | contains("Missing command: ./t.sh")' '.reason | contains("git")'
		run_holdfast run
		assert_status 1
		assert_stderr_has 'Status: Failed'
		git checkout -q main -- t.sh
		rm -f started
		passes
	done
}

@test "a program that was there when the gate last ran and is gone is a failure" {
	printf '#!/bin/sh\n' | fake linter
	check_file t 'linter src'
	stop
	assert_allow '.status == "passed"'
	rm "$BIN/linter"
	stop
	assert_block '.status == "failed"' '.reason | contains("Missing command: linter")'
	# Not so for another program that never was.
	check_file t 'no-such-linter src'
	printf '#!/bin/sh\n' | fake linter
	check_file u 'linter src'
	sed -i 's/checks: .*/checks: [u]/' .gauntlet/config.yml
	stop
	assert_allow '.status == "passed"'
	check_file u 'no-such-linter src'
	stop
	assert_allow '.status == "infrastructure_error"' '.message | contains("Missing command: no-such-linter")'
}

@test "a script below the entry point's directory that git tracks is a failure, too" {
	printf '#!/bin/sh\n' | write src/own.sh
	chmod +x src/own.sh
	git add -A && git commit -q -m own
	printf 'command: ./own.sh\n' >.gauntlet/checks/t.yml
	stop
	assert_allow '.status == "passed"'
	rm src/own.sh && forget
	stop
	assert_block '.status == "failed"' '.reason | contains("Missing command: ./own.sh")'
}

# ---- blocks have a bound ----

# blocks_of COMMAND [CLIENT]: how many of 30 stops in a row are blocked, with the command between two of them.
blocks_of() {
	local n count=0
	event '.stop_hook_active = true | .turn_id = "1"' >"$TMPDIR/event"
	for n in {1..30}; do
		run_command holdfast stop-hook --client "${2:-codex}" <"$TMPDIR/event"
		[[ $stdout != *'"block"'* ]] || count=$((count + 1))
		eval "$1"
	done
	echo "$count"
}

@test "gates block no more often than there are tries, whatever is deleted between stops" {
	bad
	assert_equal "$(blocks_of 'git clean -xfdq')" 3
	prompt 'go on'
	assert_equal "$(blocks_of "rm -rf $LOGS")" 3
}

@test "a new branch for each attempt gives no tries back" {
	bad
	assert_equal "$(blocks_of 'git checkout -q -b "b$n"')" 3
	prompt 'go on'
	git branch two
	assert_equal "$(blocks_of 'git checkout -q two; git branch -f work; git checkout -q work')" 3
}

@test "a stop command that cleans up the project gives no tries back" {
	bad
	printf 'stop:\n  commands:\n    - run: git clean -xfdq\n' >.conclaude.yaml
	git add -A && git commit -q -m commands
	assert_equal "$(blocks_of :)" 3
}

@test "stop commands block 20 stops in a row at the most, with every client" {
	printf 'stop:\n  commands:\n    - run: touch "left$RANDOM$RANDOM"\n' >.conclaude.yaml
	rm -r .gauntlet
	assert_equal "$(blocks_of 'rm -f left*' claude)" 29
	printf 'stop:\n  commands:\n    - run: "false"\n' >.conclaude.yaml
	prompt 'go on'
	assert_equal "$(blocks_of : codex)" 29
	assert_equal "$(blocks)" 9
}

@test "many retries are bounded by 20 blocks in a row, and the user is told" {
	local n
	bad
	config 'max_retries: 99'
	for n in {1..20}; do
		again
		assert_block '.status == "failed"'
	done
	again
	assert_allow '.status == "block_limit_reached"' '.systemMessage | contains("20 stops in a row were blocked")'
}

# ---- runs by hand ----

@test "runs by hand use no tries, and a fix is verified by hand" {
	local n
	bad
	for n in 1 2 3 4 5; do
		run_holdfast run
		assert_status 1
		assert_stderr_has 'Status: Failed'
	done
	SESSION=new
	stop
	assert_block '.status == "failed"'
	assert_equal "$(tries)" 1
	good
	run_holdfast run
	assert_status 0
	assert_stderr_has 'Status: Passed'
	stop
	assert_allow '.status == "passed"'
	assert_equal "$(tries)" 0
}

@test "after the last try a fix is still verified, by hand and at a stop" {
	bad
	stop
	stop
	stop
	stop
	assert_allow '.status == "retry_limit_exceeded"' '.systemMessage | contains("check:.:t")'
	run_holdfast run
	assert_status 1
	good
	stop
	assert_allow '.status == "passed"'
	bad
	stop
	assert_block '.status == "failed"'
}

# ---- the journal ----

@test "a pass that can't be recorded does not end a failure" {
	bad_stop
	# The journal is the only file that is longer than the limit, and a directory is in the place of its substitute.
	printf '{"padding":"%020000d"}\n' 0 >>"$(journal)"
	mkdir "$LOGS/.results.jsonl"
	good
	trap '' XFSZ
	ulimit -S -f 16
	again
	ulimit -S -f unlimited
	trap - XFSZ
	assert_block '.status == "failed"' '.reason | test("had failed|failed before")'
	rmdir "$LOGS/.results.jsonl"
	passes
}

# ---- an event that can't be read ----

# unread SHAPE: a stop with an event that is too deep or has too many values.
unread() {
	{
		printf '{"hook_event_name":"Stop","session_id":"%s","cwd":"%s","x":[' "$SESSION" "$PROJECT"
		if [[ $1 == deep ]]; then printf '[%.0s' {1..1000}; else head -c 1000000 /dev/zero | sed 's/\x00/0,/g'; fi
		printf '0]}'
	} >"$TMPDIR/event"
	run_command holdfast stop-hook <"$TMPDIR/event"
}

@test "an event with too many values or too deep does not release a gate that is known to fail, within the tries" {
	unread values
	assert_allow '.status == "invalid_input"' '.message | contains("too many values), so nothing was checked")' \
		'.systemMessage | contains("too many values")'
	bad_stop
	unread values
	assert_block '.status == "failed"' '.reason | contains("too many values")' '.reason | test("check[:_][.][:_]t")'
	unread deep
	assert_block '.reason | contains("nested too deeply")'
	unread deep
	assert_block
	unread deep
	assert_allow '.status == "retry_limit_exceeded"' '.message | contains("tries used: 3 of 3")'
	good
	passes
	unread deep
	assert_allow '.status == "invalid_input"'
}

@test "an event that can't be read belongs to no loop, no follow-up and no round, and holdfast off is obeyed" {
	printf '%s\n' 'gates: {t: ./t.sh}' 'rounds: 3' >holdfast.yml
	bad_stop
	unread values
	assert_block '.status == "failed"'
	holdfast off
	unread values
	assert_allow '.status == "off"'
	holdfast on
	good
	stop
	assert_block '.status == "round_completed"'
	unread values
	assert_allow '.status == "invalid_input"'
}
