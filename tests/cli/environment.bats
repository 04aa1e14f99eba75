#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The surroundings in which agents work: what is missing there, and need not be, keeps no gate from being run.
load helper
load gates

setup() {
	setup_project
	gates lint '! grep two src/a.txt'
}

# in_base: what is in the working tree but the change in src/a.txt is in the base branch, too.
in_base() {
	git add -A && git reset -q src/a.txt && git commit -q -m 'what was there before' && git branch -f main
}

@test "a TMPDIR where nothing can be made keeps no gate from being run" {
	# For binary files of another time git needs an index of its own.
	printf 'a\0b' >src/binary
	in_base
	touch -d '2020-01-01' src/binary
	TMPDIR=$PROJECT/gone hook
	assert_block '.status == "failed"'
	rm -r "$LOGS"
	TMPDIR=$PROJECT/src/a.txt hook
	assert_block '.status == "failed"'
}

# As where the settings of a machine are those of its containers, and its programs are not.
@test "a filter of git's that is not installed keeps no gate from being run" {
	echo '*.big filter=big' >.gitattributes
	echo 1 >src/x.big
	in_base
	git config filter.big.clean /nonexistent/filter
	git config filter.big.required true
	echo 2 >src/x.big
	run_holdfast doctor
	assert_stdout_has "git can't compare what is in the files"
	hook
	assert_block '.status == "failed"'
	assert_file_has "$LOGS/console.1.log" "git can't compare what is in the files"
}
