#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What attacks and first trials have found: each test names the finding.
load helper
load gates

@test "attacks 1: files in the log directory that are not logs of gates are never moved or deleted" {
	gates lint true
	config 'log_dir: data' 'stop_hook: {run_interval_minutes: 0}'
	mkdir -p data/previous
	echo '{"precious":1}' >data/users.json
	echo x >data/server.log
	echo y >data/server.1.log
	echo thesis >data/previous/thesis.tex
	for i in 1 2 3; do
		echo "$i" >>src/a.txt
		stop
		assert_allow '.status == "passed"'
	done
	run_holdfast clean
	assert_status 0
	for i in users.json server.log server.1.log previous/thesis.tex; do assert_file "data/$i"; done
	assert_equal "$(ls data/previous)" thesis.tex
	assert_file data/previous.2/check_._lint.1.log
}

@test "attacks 1: validate says that other files are in the log directory, and that they are left alone" {
	gates lint true
	config 'log_dir: data'
	mkdir -p data/previous
	touch data/users.json data/check_src_lint.1.log data/console.1.log data/.execution_state
	run_holdfast validate
	assert_status 0
	assert_stderr_has "$PROJECT/.gauntlet/config.yml:8:10: warning: log_dir: 'data' also holds 1 file that no gate wrote, such as 'users.json'; they are left alone"
}

@test "B7: a gate that no entry point names is a warning of validate, doctor and run" {
	gates lint true
	check_file extra false
	run_holdfast validate
	assert_status 0
	assert_stderr_has ".gauntlet/checks/extra.yml: warning: no entry point names the check 'extra', so it never runs; add it to checks of an entry point in .gauntlet/config.yml"
	run_holdfast doctor
	assert_stdout_has "no entry point names the check 'extra'"
	run_holdfast run
	assert_status 0
	assert_stderr_has "no entry point names the check 'extra'"
}

@test "B7: a gate that does not exist is an error, with the name that was probably meant" {
	local words
	gates lint true
	for words in run check; do
		run_holdfast $words -g lnt
		assert_status 1
		assert_stderr_has "Error: --gate: 'lnt' is not a check or review; did you mean 'lint'?"
	done
	run_holdfast review -g lint
	assert_status 1
	assert_stderr_has "is a check; 'holdfast run' runs both kinds"
	assert_absent "$LOGS/console.1.log"
}

@test "B17: run and the stop's message show the warnings about the configuration" {
	gates lint true
	sed -i 's/    checks:/    check:/' .gauntlet/config.yml
	run_holdfast run
	assert_stderr_has ".gauntlet/config.yml:6:5: warning: entry_points[0].check: unknown key"
	stop
	assert_allow '.message | contains(".gauntlet/config.yml:6:5: warning: entry_points[0].check: unknown key")'
}
