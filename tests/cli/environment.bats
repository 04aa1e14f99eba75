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
	assert_stdout_has "git can't compare the contents of files"
	hook
	assert_block '.status == "failed"'
	assert_file_has "$LOGS/console.1.log" "git can't compare the contents of files"
}

# As in most containers: the project is mounted, and belongs to somebody else.
@test "a repository of another user is told of with what lets git use it" {
	export GIT_TEST_ASSUME_DIFFERENT_OWNER=1
	hook
	assert_allow '.status == "error"' ".message | contains(\"git config --global --add safe.directory '$PROJECT'\")"
	run_holdfast doctor
	assert_stdout_has "safe.directory '$PROJECT'"
	git config --global --add safe.directory "$PROJECT"
	hook
	assert_block '.status == "failed"'
}

@test "a worktree without its repository is told of, and where that should be" {
	git commit -q -a -m change
	git worktree add -q ../tree -b tree
	mv .git ../away
	cd ../tree
	PROJECT=$PWD hook
	assert_allow '.status == "error"' '.message | contains("/project/.git/worktrees/tree") and (contains("git init") | not)'
	mv ../away ../project/.git
	PROJECT=$PWD hook
	assert_block '.status == "failed"'
}

# One of before 2.24, when options did not end by a word; it is the oldest that fails.
@test "a git that is too old is told of, and one that is just not new runs the gates" {
	local git refused='--merge-base | --diff-merges* | --sparse'
	git=$(command -v git)
	old_git() {
		fake git <<-END
			#!/bin/sh
			for word; do case \$word in $1) echo "error: invalid option: \$word" >&2; exit 129 ;; esac; done
			exec $git "\$@"
		END
	}
	old_git "$refused"
	hook
	assert_block '.status == "failed"'
	rm -r "$LOGS" "$XDG_STATE_HOME/holdfast/projects"
	old_git "$refused | --end-of-options"
	hook
	assert_allow '.status == "error"' '.message | contains("git 2.34 or newer is required")'
	run_holdfast doctor
	assert_stdout_has 'git 2.34 or newer is required'
}
