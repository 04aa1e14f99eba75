#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What a person sees who types 'holdfast run' in a project with holdfast.yml.

load helper

# native < holdfast.yml: on a branch of its own, with one change.
native() {
	cat >holdfast.yml
	git_project
	git checkout -q -b work
	echo 1 >change.txt
}

@test "what failed is shown with its command, its failing lines and a log that can be opened from here" {
	mkdir sub
	native <<-'END'
		gates:
		  test: "printf 'noise\nsrc/a.c:3:5: error: no such thing\n'; exit 3"
		  lint: "true"
	END
	run_holdfast run
	assert_status 1
	assert_stdout ''
	[[ $stderr == *'✗ test failed in '*' s: Exited with code 3
    $ printf '*'
    src/a.c:3:5: error: no such thing
    log: .holdfast/check_._test.1.log'* ]]
	assert_stderr_has '✓ lint passed in '
	assert_equal "${stderr##*$'\n'}" '2 gates: 1 passed, 1 failed'
	assert_stderr_lacks noise$'\n'
	assert_stderr_lacks RESULTS
	cd sub
	run_holdfast run
	[[ $stderr =~ log:\ ([^$'\n']*) ]]
	assert_file "${BASH_REMATCH[1]}"
}

@test "a terminal shows the same lines" {
	native <<<'gates: {test: "echo why it failed; exit 1", lint: "true"}'
	on_terminal holdfast run || true
	grep -q 'test failed in .*: Exited with code 1' "$OUT"
	grep -q '    why it failed' "$OUT"
	grep -q '2 gates: 1 passed, 1 failed' "$OUT"
}

@test "gates that are named run, whatever has changed, and no others" {
	native <<-'END'
		gates:
		  a: 'echo a >>"$HOME/ran"'
		  b: { run: 'echo b {files} >>"$HOME/ran"', files: ["*.py"] }
		  c: 'echo c >>"$HOME/ran"'
	END
	run_holdfast run a b
	assert_status 0
	assert_equal "$(sort "$HOME/ran")" $'a\nb .'
	assert_equal "${stderr##*$'\n'}" '2 gates: 2 passed'
	echo x >x.py
	git add x.py && git commit -qm py && git checkout -q main && git merge -q work
	: >"$HOME/ran"
	run_holdfast run -- b
	assert_file "$HOME/ran" 'b x.py'
}

@test "--all runs every gate on a tree without changes, in all of its directories" {
	mkdir -p packages/{one,two}
	touch packages/one/x packages/two/y
	native <<-'END'
		gates:
		  a: 'echo a >>"$HOME/ran"'
		  b: { run: 'echo b >>"$HOME/ran"', files: ["*.py"] }
		  c: { run: 'echo c ${PWD##*/} >>"$HOME/ran"', in: packages/* }
	END
	rm change.txt
	run_holdfast run
	assert_status 0
	assert_equal "$stderr" "nothing to check: no changes since main; 'holdfast run --all' runs every gate"
	assert_absent "$HOME/ran"
	run_holdfast run --all
	assert_status 0
	assert_equal "$(sort "$HOME/ran")" $'a\nb\nc one\nc two'
	assert_equal "${stderr##*$'\n'}" '4 gates: 4 passed'
	assert_stderr_has '✓ c in packages/one passed in '
	run_holdfast run --all c
	assert_equal "${stderr##*$'\n'}" '2 gates: 2 passed'
	run_holdfast run --all --uncommitted
	assert_status 1
	assert_stderr_has "holdfast: --all can't be combined with --uncommitted"
}

@test "an unknown gate is an error that names the nearest and lists what exists" {
	native <<<'gates: {test: "true", lint: "true"}'
	for words in tset '--gate tset' 'lint tset' '--all tset'; do
		run_holdfast run $words
		assert_status 1
		assert_stderr_has "there is no gate 'tset'; did you mean 'test'? The gates are: test, lint"
	done
	run_holdfast run xyz
	assert_stderr_has "there is no gate 'xyz'; the gates are: test, lint"
	assert_absent .holdfast
}

@test "a run of single gates is recorded, and the gates that did not run still run at the stop" {
	native <<-'END'
		gates:
		  a: 'echo a >>"$HOME/ran"'
		  b: 'echo b >>"$HOME/ran"; exit 1'
	END
	run_holdfast run a
	assert_status 0
	hook
	assert_block '.reason | contains("b: Exited with code 1")'
	assert_equal "$(sort "$HOME/ran")" $'a\nb'
	run_holdfast run b
	assert_status 1
	hook '.stop_hook_active = true'
	assert_block
}

@test "what a fix changed is named, on the terminal, to the user and to the agent" {
	native <<-'END'
		gates:
		  format: { run: test -e formatted, fix: 'echo x >>change.txt; touch formatted' }
		  bad: { run: 'false', fix: 'rm -f tracked' }
	END
	run_holdfast run format
	assert_status 0
	assert_stderr_has ' s: its fix changed change.txt, formatted'
	assert_equal "${stderr##*$'\n'}" '1 gate: 1 fixed'
	touch tracked
	rm formatted
	hook
	assert_block '.reason | contains("changed by its fix: tracked")' \
		'.systemMessage | contains("the fix of format changed change.txt, formatted")'
}

@test "what passes on a retry is counted as flaky, and what needs a failed gate as not run" {
	native <<-'END'
		gates:
		  flaky: { run: 'echo x >>"$HOME/ran"; [ $(wc -l <"$HOME/ran") -ge 2 ]', retries: 1 }
		  test: "false"
		  deploy: { run: "true", needs: [test] }
		  missing: no-such-program
	END
	run_holdfast run
	assert_status 1
	assert_stderr_has '- deploy not run: it needs test, which has not passed'
	assert_stderr_has '! missing could not run: Missing command: no-such-program'
	assert_equal "${stderr##*$'\n'}" '4 gates: 1 flaky, 1 failed, 1 not run, 1 could not run'
}

@test "gates whose results are reused at a stop are counted in its console log" {
	native <<-'END'
		gates:
		  a: "true"
		  b: { run: "exit 1", reuse: false }
	END
	run_holdfast run a
	hook
	assert_block
	grep -qx '2 gates: 1 reused, 1 failed' .holdfast/console.*.log
}

@test "with .gauntlet the lines are agent-gauntlet's, and holdfast adds the failing lines" {
	mkdir -p .gauntlet/checks
	printf 'base_branch: main\ncli: {default_preference: [claude]}\nentry_points:\n  - {path: ., checks: [t]}\n' >.gauntlet/config.yml
	echo 'command: "echo why; exit 1"' >.gauntlet/checks/t.yml
	git_project && git checkout -q -b work && echo 1 >change.txt
	run_holdfast run
	assert_stderr_has $'      Log: gauntlet_logs/check_._t.1.log\n      why\n'
	assert_stderr_has 'Total: 0 fixed, 0 skipped, 1 failed'
	run_command agent-gauntlet run
	assert_stderr_has '[FAIL]  check:.:t'
	assert_stderr_lacks $'\n      why'
}
