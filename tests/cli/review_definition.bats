#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A review that passed has passed for its definition: another prompt, another reviewer or another threshold is asked again. The
# review covers *.c alone, so that no change of a definition is among the files that it is about.

load helper
load gates

setup() {
	setup_project
	LOGS=.holdfast
	ASKED=$BATS_TEST_TMPDIR/asked
	export ASKED
	mkdir "$ASKED"
	printf 'one\n' >a.c
	mkdir prompts
	echo 'Look at it.' >prompts/q.md
	# bot VERDICT: keeps the prompt, and answers.
	fake bot <<-'SCRIPT'
	#!/bin/bash
	cat >"$ASKED/$(($(ls "$ASKED" | wc -l) + 1))"
	[[ $1 == pass ]] && echo '{"status":"pass","message":"fine"}' ||
		echo '{"status":"fail","violations":[{"file":"a.c","line":2,"issue":"wrong","fix":"right","priority":"high"}]}'
	SCRIPT
	definition
	git_project
	git checkout -q -b work
	echo two >>a.c
}

# definition: holdfast.yml with $gate, $reviewer and $more.
definition() {
	cat >holdfast.yml <<-CONFIG
	base: main
	gates:
	  q: {${gate-prompt: look at it, by: [bot]}, files: ["*.c"]}
	reviewers:
	  bot: {${reviewer-command: [bot, pass]}}
	${more-}
	CONFIG
}
asked() { ls "$ASKED" | wc -l; }

# passed_then_failed: the review passes; then the definition that the variables describe is another one, and its reviewer rejects.
passed_then_failed() {
	hook
	assert_allow '.status == "passed"'
	hook
	assert_allow '.status == "unchanged"'
	assert_equal "$(asked)" 1
	reviewer='command: [bot, fail]' definition
	hook
	assert_block '.status == "failed"'
	assert_equal "$(asked)" 2
}

@test "another command of the reviewer is asked" { passed_then_failed; }

@test "another prompt is asked" { gate='prompt: find SQL injections, by: [bot]' passed_then_failed; }

# again: what has passed is asked again at the next stop, and then passes as it is.
again() {
	hook
	assert_allow '.status == "passed"'
	assert_equal "$(asked)" 2
	hook
	assert_allow '.status == "unchanged"'
	assert_equal "$(asked)" 2
}

@test "each change of the definition asks the reviewer again" {
	local change
	for change in \
		gate='prompt: find SQL injections, by: [bot]' \
		gate='prompt: look at it, by: [bot], model: other' \
		gate='prompt: look at it, by: [bot], timeout: 100s' \
		reviewer='command: [bot, pass, again]' \
		reviewer='command: [bot, pass], model: other' \
		reviewer='command: [bot, pass], thinking_budget: high' \
		more='rerun_new_issue_threshold: low'; do
		rm -rf "$ASKED" .holdfast "$XDG_STATE_HOME/holdfast/projects"
		mkdir "$ASKED"
		definition
		hook
		assert_allow '.status == "passed"'
		local "$change"
		definition
		echo "after $change"
		again
		unset gate reviewer more
	done
}

@test "another text in the prompt's file is asked" {
	gate='review: prompts/q.md, by: [bot]' definition
	hook
	assert_allow '.status == "passed"'
	echo 'Find SQL injections.' >prompts/q.md
	again
	grep -q 'SQL injections' "$ASKED/2"
}

@test "a reviewer that the review does not name changes nothing" {
	hook
	more='  other: {command: [bot, fail]}' definition
	hook
	assert_allow '.status == "unchanged"'
	echo '# a remark' >>holdfast.yml
	hook
	assert_allow '.status == "unchanged"'
	assert_equal "$(asked)" 1
}

@test "run --all asks the reviewer, whatever has passed" {
	hook
	for _ in 1 2; do
		run_holdfast run --all
		assert_status 0
	done
	assert_equal "$(asked)" 3
}

@test "run --all asks about a review that failed, too" {
	reviewer='command: [bot, fail]' definition
	hook
	assert_block
	run_holdfast run --all
	assert_status 1
	assert_equal "$(asked)" 2
}

@test "a slot that passed for another definition is asked again while another slot has not passed" {
	gate='prompt: look at it, by: [bot], num_reviews: 2, parallel: false' definition
	fake bot <<-'SCRIPT'
	#!/bin/bash
	number=$(($(ls "$ASKED" | wc -l) + 1))
	cat >"$ASKED/$number"
	((number != 2)) && echo '{"status":"pass","message":"fine"}' ||
		echo '{"status":"fail","violations":[{"file":"a.c","line":2,"issue":"wrong","fix":"right","priority":"high"}]}'
	SCRIPT
	hook
	assert_block
	echo three >>a.c
	gate='prompt: find SQL injections, by: [bot], num_reviews: 2, parallel: false' definition
	hook
	assert_allow
	assert_equal "$(asked)" 4
}

@test "a pass that an older version recorded without a definition is asked again" {
	hook
	assert_allow '.status == "passed"'
	sed -i 's/,"definition":"[^"]*"//g' "$(journal)"
	sed -i 's/"key":"[^"]*"/"key":"of an older version"/; s/"keys":\["[^"]*"\]/"keys":["of an older version"]/' "$(journal)"
	again
}

@test "a file with an open finding is shown after it was renamed" {
	seq 40 >>a.c
	reviewer='command: [bot, fail]' definition
	hook
	assert_block
	git mv a.c b.c
	echo new >c.c
	hook
	assert_block
	assert_equal "$(asked)" 2
	grep -q '^+two$' "$ASKED/2"
	grep -q '^+new$' "$ASKED/2"
}

@test "a file with an open finding is shown after it was renamed to a name that the review does not cover" {
	git commit -qam two
	reviewer='command: [bot, fail]' definition
	hook
	assert_block
	git mv a.c a.txt
	echo new >c.c
	hook
	assert_block
	grep -q '^+two$' "$ASKED/2"
}
