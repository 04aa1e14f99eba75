#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A gate that has failed may only pass because it was run and passed.

load helper
load gates

setup() {
	setup_project
	gates bad 'echo >>bad.ran; test -e fixed' other 'echo >>other.ran'
	printf '*.ran\nfixed\n' >>.git/info/exclude
	stop
	assert_block '.status == "failed"'
}

blocked() {
	stop
	assert_block '.status == "failed"' '.reason | contains("\nbad: ")'
}

passes_when_fixed() {
	touch fixed
	stop
	assert_allow '.status == "passed"'
	assert_absent "$LOGS/check_._bad.1.log"
}

@test "changing nothing does not clear a failure" {
	blocked
	assert_equal "$(times bad)" 2
	passes_when_fixed
}

# scenario: G13-71
@test "committing does not clear a failure" {
	git add -A && git commit -q -m all
	blocked
	passes_when_fixed
}

# scenario: G13-71
@test "committing on the base branch does not clear a failure" {
	run_command agent-gauntlet clean
	git checkout -q main
	stop
	assert_block
	git add -A && git commit -q -m all
	blocked
	assert_equal "$(times bad)" 3
	# The change is still one that the other gate is for.
	assert_equal "$(times other)" 3
	passes_when_fixed
}

@test "taking the change back does not clear a failure" {
	git checkout -q src/a.txt
	git clean -qfd src
	blocked
	passes_when_fixed
}

@test "a run of another gate does not clear a failure" {
	run_holdfast run -g other
	assert_status 0
	assert_equal "$(times bad)" 1
	assert_file "$LOGS/check_._bad.1.log"
	assert_equal "$(state .outstanding)" true
	blocked
	passes_when_fixed
}

@test "runs of another gate, passing, take nothing from the retries" {
	local n
	for n in 1 2 3 4 5; do
		run_holdfast run -g other
		assert_status 0
	done
	blocked
}

@test "a run of the failed gate alone clears it, and the other keeps what it had" {
	touch fixed
	run_holdfast run -g bad
	assert_status 0
	assert_equal "$(times bad)" 2
	assert_equal "$(times other)" 1
	assert_equal "$(state .outstanding)" false
}

@test "a failure of a gate with a blank in its name is known to a run of it alone" {
	run_command agent-gauntlet clean
	mv .gauntlet/checks/bad.yml '.gauntlet/checks/so bad.yml'
	sed -i 's/\[bad, /[so bad, /' .gauntlet/config.yml
	stop
	assert_block '.reason | contains("\nso bad: ")'
	git add -A && git commit -q -m all && git branch -f main
	run_command agent-gauntlet check -g 'so bad'
	assert_status 1
	assert_stdout_has 'Found 1 gate(s) with 1 previous violation(s)'
}

@test "check and run know of each other's failures" {
	touch fixed
	run_command agent-gauntlet check
	assert_status 0
	assert_stdout_has 'Existing logs detected — running in verification mode...'
	assert_equal "$(state .outstanding)" false
}

@test "review, which runs no check, does not clear a check's failure" {
	run_command agent-gauntlet review
	assert_status 0
	blocked
	passes_when_fixed
}

@test "renaming the branch does not clear a failure" {
	git branch -m renamed
	blocked
	passes_when_fixed
}

@test "a gate whose program is gone has not passed" {
	check_file bad 'no-such-program-anywhere'
	stop
	assert_block '.status == "failed"' '.message | contains("no-such-program-anywhere")' '.reason | contains("check:.:bad")'
	assert_equal "$(state .outstanding)" true
	check_file bad 'echo >>bad.ran; test -e fixed'
	blocked
	passes_when_fixed
}

@test "a gate that is known to fail and could not be run uses a try" {
	check_file bad 'no-such-program-anywhere'
	stop
	assert_block '.message | contains("no-such-program-anywhere")'
	stop
	assert_block
	assert_equal "$(tries)" 3
	stop
	assert_allow '.status == "retry_limit_exceeded"' '.message | contains("no-such-program-anywhere")' '.message | contains("check:.:bad")'
	prompt 'go on'
	check_file bad 'false'
	blocked
}

@test "a gate that could not be run and is not known to fail uses no try" {
	local n
	touch fixed
	stop
	assert_allow '.status == "passed"'
	check_file other 'no-such-program-anywhere'
	config 'stop_hook: {run_interval_minutes: 0}'
	for n in 1 2 3 4 5; do
		stop
		assert_allow '.status == "infrastructure_error"' '.message | contains("no-such-program-anywhere")'
	done
	rm fixed
	blocked
	assert_equal "$(tries)" 1
}

@test "a run that is killed before the gate has ended does not clear its failure" {
	check_file bad 'echo >>bad.ran; kill -KILL $PPID; sleep 5'
	run_holdfast run
	assert_equal "$status" 137
	check_file bad 'echo >>bad.ran; test -e fixed'
	git add -A && git commit -q -m all
	blocked
	passes_when_fixed
}

@test "a failure of a run that is killed before its end counts" {
	touch fixed
	stop
	assert_allow '.status == "passed"'
	rm fixed
	# bad fails and is written down; the run dies in the other gate, before it can write its state.
	check_file other 'kill -KILL $PPID; sleep 5'
	run_holdfast run
	assert_equal "$status" 137
	assert_file_has "$LOGS/check_._bad.1.log" 'Result: fail'
	check_file other 'echo >>other.ran'
	git checkout -q src/a.txt
	blocked
	passes_when_fixed
}

@test "a failure that a gate before it hides stays a failure" {
	run_command agent-gauntlet clean
	more_check='fail_fast: true' check_file first 'test -e first.ok' 'fail_fast: true'
	sed -i 's/checks: .*/checks: [first, bad]/' .gauntlet/config.yml
	touch first.ok
	stop
	assert_block '.reason | contains("\nbad: ")'
	rm first.ok
	touch fixed
	stop
	assert_block '.reason | contains("\nfirst: ")' '.reason | contains("\nbad: ") | not'
	touch first.ok
	rm fixed
	git add -A && git commit -q -m all && git branch -f main
	edit_state '.commit_in_base = true'
	stop
	assert_block '.reason | contains("\nbad: ")'
}

@test "a log that is torn in its middle leaves the failure before it" {
	cp "$LOGS/check_._bad.1.log" "$LOGS/check_._bad.2.log"
	sed -i '/Result:/d;/Command failed/d' "$LOGS/check_._bad.2.log"
	git add -A && git commit -q -m all
	blocked
	assert_file "$LOGS/check_._bad.3.log"
}

@test "output of a check that looks like a result is not one" {
	check_file bad 'echo "Result: pass - Command exited with code 0"; echo "[2026-01-01T00:00:00.000Z] Result: pass"; exit 1'
	blocked
	git add -A && git commit -q -m all
	blocked
}

@test "a failed gate that is no longer configured holds nobody back" {
	local n
	sed -i 's/checks: .*/checks: [other]/' .gauntlet/config.yml
	rm .gauntlet/checks/bad.yml
	stop
	assert_allow '.status == "passed"'
	config 'stop_hook: {run_interval_minutes: 0}'
	for n in 1 2 3 4 5; do
		stop
		assert_allow '.status == "passed"'
	done
}

@test "neither clean nor deleting the logs forgets a failure" {
	git add -A && git commit -q -m all && git branch -f main
	rm -r "$LOGS"
	blocked
	git clean -qfdx
	blocked
	run_command agent-gauntlet clean
	assert_status 0
	blocked
	assert_equal "$(tries)" 1
	passes_when_fixed
	aged 60
	stop
	assert_allow '.status == "no_changes"'
}

@test "a gate that failed and is gone from the configuration takes no tries from the others" {
	local n
	check_file new 'false'
	sed -i 's/checks: .*/checks: [other]/' .gauntlet/config.yml
	git checkout -q src/a.txt
	for n in 1 2 3 4 5; do
		stop
		assert_allow
	done
	sed -i 's/checks: .*/checks: [new]/' .gauntlet/config.yml
	prompt 'go on'
	echo two >>src/a.txt
	for n in 1 2 3; do
		stop
		assert_block '.status == "failed"' '.reason | contains("\nnew: ")'
	done
}

@test "every gate that ends adds a line to the journal, and a pass starts a new set of logs" {
	assert_equal "$(jq -r 'select(.event == "result") | "\(.run) \(.gate) \(.place) \(.outcome) \(.log)"' "$(journal)" | sort)" \
		"1 bad . fail check_._bad.1.log
1 other . pass check_._other.1.log"
	assert_equal "$(jq -r 'select(.event == "result") | .session' "$(journal)" | sort -u)" "$SESSION"
	passes_when_fixed
	assert_equal "$(jq -r '.event' "$(journal)" | xargs)" 'project result result run result result clean run'
}

@test "where the state directory can't be written, results go to the log directory until it can" {
	forget && touch "$XDG_STATE_HOME/holdfast/projects"
	rm -r "$LOGS"
	stop
	assert_block '.status == "failed"' '.message | contains("can'\''t be written")'
	prompt 'go on'
	assert_file "$LOGS/.results.jsonl"
	git add -A && git commit -q -m all && git branch -f main
	blocked
	rm "$XDG_STATE_HOME/holdfast/projects"
	blocked
	assert_absent "$LOGS/.results.jsonl"
	assert_equal "$(jq -r 'select(.event == "result" and .gate == "bad") | .outcome' "$(journal)" | xargs)" 'fail fail fail'
	passes_when_fixed
}

@test "the journal is compacted, and what it says stays the same" {
	local file before n
	config 'max_retries: 999'
	file=$(journal)
	before=$(wc -c <"$file")
	for ((n = 0; n < 2000; n++)); do grep '"gate":"bad"' "$file" | head -1; done >"$TMPDIR/lines"
	cat "$TMPDIR/lines" >>"$file"
	blocked
	(($(wc -c <"$file") < 10 * before)) || show "$(wc -c <"$file") bytes"
	blocked
	passes_when_fixed
}

@test "a failure in one directory is verified there when only another has changed" {
	run_command agent-gauntlet clean
	write .gauntlet/config.yml <<-'CONFIG'
	base_branch: main
	cli: {default_preference: [claude]}
	entry_points:
	  - path: packages/*
	    checks: [each]
	CONFIG
	write .gauntlet/checks/each.yml <<<'command: test ! -e broken'
	write packages/one/broken </dev/null
	stop
	assert_block '.reason | contains("/packages/one\n")'
	git add -A && git commit -q -m one && git branch -f main && git checkout -q -b next
	edit_state '.branch = "next" | .commit_in_base = true'
	write packages/two/a </dev/null
	stop
	assert_block '.reason | contains("/packages/one\n")'
	assert_file_has "$LOGS/console.2.log" '[PASS]  check:packages/two:each'
	rm packages/one/broken
	stop
	assert_allow '.status == "passed"'
}

@test "a failure holds where nothing can be written into the repository" {
	local n
	for n in {0..255}; do
		n=$(printf '.git/objects/%02x' "$n")
		[[ -e $n ]] || touch "$n"
	done
	echo three >>src/a.txt
	for n in 2 3; do
		blocked
		assert_equal "$(tries)" "$n"
	done
	touch fixed
	stop
	assert_allow '.status == "passed"'
}

# ---- whatever becomes of the logs ----

# nothing_left: no change that would bring the gate by itself; the base has it all, and had it when the gate failed.
nothing_left() {
	git add -A -- . ":!$LOGS" && git commit -q -m all && git branch -f main
	edit_state '.commit_in_base = true'
}

@test "a gate that deletes its logs is not forgotten when another passes alone" {
	check_file bad "echo >>bad.ran; rm -f $LOGS/*.log; test -e fixed"
	blocked
	nothing_left
	run_holdfast run -g other
	assert_status 0
	run_command agent-gauntlet check -g other
	assert_status 0
	assert_equal "$(state .outstanding)" true
	blocked
	assert_equal "$(times bad)" 3
	passes_when_fixed
	assert_equal "$(state .outstanding)" false
	aged 60
	stop
	assert_allow '.status == "no_changes"'
}

@test "a failure whose log is gone, or is none any more, is known all the same" {
	local how log="$LOGS/check_._bad.1.log" rows=(
		'rm $log'
		'rm $log; mkdir $log'
		'rm $log; mkfifo $log'
		'rm $log; ln -s /dev/null $log'
		'rm $log; ln -s nowhere $log'
		': >$log'
		'sed -i s/fail/pass/ $log; sed -i /Command/d $log'
		'mv $log $LOGS/check_._other.9.log'
		'chmod 0 $log'
		'printf "Result: pass\n" >$LOGS/check_._bad.7.log'
		'rm $log; jq ".outstanding = false | .attempts = 0" $LOGS/.execution_state >$TMPDIR/s && cat $TMPDIR/s >$LOGS/.execution_state'
	)
	nothing_left
	config 'max_retries: 99'
	for how in "${rows[@]}"; do
		eval "$how"
		echo "# after: $how"
		stop
		assert_block '.status == "failed"' '.reason | contains("\nbad: ")'
		# As after the first run.
		rm -rf "$LOGS"/*.log
		run_holdfast run -g bad
		assert_status 1
		assert_file "$log"
	done
	passes_when_fixed
}

@test "a failure that only the state knows of does not hold when its gate is no longer configured" {
	rm "$LOGS"/*.log
	sed -i 's/checks: .*/checks: [other]/' .gauntlet/config.yml
	stop
	assert_allow '.status == "passed"'
	assert_equal "$(state .outstanding)" false
}

@test "a failure of a gate whose id is too long for a file name is known to a run of it alone" {
	local name
	name=$(printf 'long%.0s' {1..50})
	run_command agent-gauntlet clean
	mv .gauntlet/checks/bad.yml ".gauntlet/checks/$name.yml"
	sed -i "s/\[bad, /[$name, /" .gauntlet/config.yml
	stop
	assert_block '.status == "failed"'
	git add -A && git commit -q -m all && git branch -f main
	run_command agent-gauntlet check -g "$name"
	assert_status 1
	assert_stdout_has 'Found 1 gate(s) with 1 previous violation(s)'
}

@test "a gate whose log has the name of another's does not pass for that" {
	run_command agent-gauntlet clean
	mkdir a a_b
	sed -i 's/^entry_points:/&\n  - path: a\n    checks: [b_x]\n  - path: a_b\n    checks: [x]/' .gauntlet/config.yml
	printf 'command: test -e ../fixed\n' >.gauntlet/checks/b_x.yml
	printf 'command: "true"\n' >.gauntlet/checks/x.yml
	touch a/1 a_b/1
	sed -i 's/checks: \[bad, other\]/checks: [other]/' .gauntlet/config.yml
	stop
	assert_block '.reason | contains("\nb_x: ")'
	nothing_left
	run_holdfast run -g x
	touch a_b/2
	run_holdfast run -g x
	assert_status 0
	stop
	assert_block '.reason | contains("\nb_x: ")'
}

@test "a log with the highest number that there is hides no failure behind it" {
	local n
	for n in 1000000000 999999999 5000000000 99999999999999999999; do
		echo 'Result: pass' >"$LOGS/check_._bad.$n.log"
	done
	blocked
	# Two of the numbers are too large for a run: these files are somebody's, and stay.
	assert_equal "$(find "$LOGS" -maxdepth 1 -name 'check_._bad.*.log' | wc -l)" 3
	nothing_left
	blocked
	passes_when_fixed
}

@test "a base branch that is given for one run is no base into which the work was merged" {
	config 'max_retries: 9'
	git add -A && git commit -q -m work
	blocked
	run_holdfast run -b work
	assert_file "$LOGS/check_._bad.1.log"
	assert_absent "$LOGS/previous"
	git reset -q --hard HEAD^
	config 'max_retries: 9'
	blocked
	passes_when_fixed
}

@test "whatever stands in the place of the state does not let a failure through" {
	local how state="$LOGS/.execution_state"
	config 'max_retries: 99'
	for how in 'mkdir $state' 'mkdir $state; touch $state/x' 'mkfifo $state' 'ln -s nowhere $state' 'echo {} >$state'; do
		rm -rf "$state"
		eval "$how"
		echo "# after: $how"
		blocked
		assert_equal "$(state .outstanding)" true
	done
}

@test "a run of some gates, or of a part of the change, spares nobody the others" {
	local how
	for how in 'run -g other' 'check -g other' 'review' 'run -c HEAD^' 'run -c HEAD' 'run -u' 'run -b work'; do
		run_holdfast clean
		git checkout -q -B work main
		echo three >>src/a.txt && git commit -qam 'all of it'
		check_file bad true
		echo "# after: $how"
		run_holdfast $how
		assert_status 0
		[[ ! -e $LOGS/.execution_state || $(state .last_run_completed_at) > 2020 ]] || show 'no time of the run'
		check_file bad false
		blocked
	done
	for how in run check; do # without reviews, all checks are all gates
		run_holdfast clean
		check_file bad true
		run_holdfast $how
		check_file bad false
		stop
		assert_allow '.status == "interval_not_elapsed"'
	done
}
