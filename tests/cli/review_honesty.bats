#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A review that has failed passes because a reviewer has looked again and found nothing, or because what it found was
# skipped with a reason. Every other way stays blocked.
bats_require_minimum_version 1.5.0
load helper
load gates
load reviews

# The reviewer finds two things when it is first asked; then it would let everything through.
# fails_first [COMMAND]: a run with two findings, by a reviewer that finds nothing when asked again. It says what the command
# prints before its answer.
fails_first() {
	answers claude <<-ANSWER
	${1-}
	case \$n in
	1) fails src/a.txt:2:high:'Two is wrong' src/b.txt:4:medium:'Four is ugly' ;;
	*) pass ;;
	esac
	ANSWER
	run_holdfast run
	assert_status 1
}

setup() {
	setup_project
	more_config=$'stop_hook:\n  reverify: true\n  run_interval_minutes: 0\nmax_retries: 9'
	review_project
	fails_first
}

stays_blocked() {
	stop '.stop_hook_active = true'
	assert_block '.status == "failed"' '.reason | contains("Found 2 violations")'
	assert_equal "$(asked claude)" "${1:-1}"
	assert_equal "$(jq -c '[.status, .violations[].status]' "$(newest_findings)")" '["fail","new","new"]'
}

# scenario: G13-70
@test "nothing was edited: it stays failed, and the findings are carried on" {
	stays_blocked
	assert_file_has "$LOGS/console.2.log" 'Found 2 violations (nothing has changed since)'
	assert_file_has "$LOGS/console.2.log" "Review: $FINDINGS.2.json"
	assert_equal "$(jq -c '.violations[0]' "$FINDINGS.2.json")" "$(jq -c '.violations[0]' "$FINDINGS.1.json")"
	stays_blocked
}

# scenario: G13-71
@test "the change was committed: it stays failed" {
	git add src && git commit -qm 'all of it'
	stays_blocked
}

# scenario: G13-71
@test "the change was committed to the base branch itself: it stays failed" {
	git add src && git commit -qm 'all of it' && git branch -qf main
	stays_blocked
}

# unseen: the state does not say which tree the review has seen, as where another of its slots could not be asked.
unseen() {
	edit_state 'del(.reviewed)'
}

@test "all of the change was taken back, and nobody knows what the review has seen: the reviewer is shown that, and decides" {
	unseen
	git checkout -q src
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"'
	assert_equal "$(asked claude)" 2
	assert_equal "$(prompt_of claude.2 | grep -cxE -- '-two|-four')" 2
}

@test "all of the change is in the base, and nobody knows what the review has seen: the reviewer is shown what it found, and decides" {
	unseen
	git add src && git commit -qm 'all of it' && git branch -qf main
	answers claude <<<"fails src/a.txt:2:low:'Two is wrong' src/b.txt:4:low:'Four is ugly'"
	stays_blocked 2
	assert_equal "$(prompt_of claude.2 | grep -cxE '[+](two|four)')" 2
}

@test "the findings were deleted: the log knows them" {
	rm "$FINDINGS.1.json"
	stays_blocked
	assert_equal "$(jq -r '.violations[1] | "\(.file):\(.line) \(.issue) / \(.fix)"' "$FINDINGS.2.json")" \
		'src/b.txt:4 Four is ugly / Undo it'
}

@test "findings and log were deleted: the whole change is reviewed again" {
	rm "$FINDINGS".1.*
	answers claude <<<"fails src/a.txt:2:low:'Two is still wrong'"
	stop '.stop_hook_active = true'
	assert_block
	assert_equal "$(asked claude)" 2
	run -0 prompt_of claude.2
	[[ $output == *two* && $output == *four* ]]
}

@test "everything was marked as fixed and nothing was touched: it stays failed" {
	fixed 0 && fixed 1
	stays_blocked
}

@test "the findings were emptied: the log knows them" {
	jq '.violations = []' "$FINDINGS.1.json" >x && mv x "$FINDINGS.1.json"
	stays_blocked
}

@test "one finding was taken out: it is put back" {
	jq 'del(.violations[0])' "$FINDINGS.1.json" >x && mv x "$FINDINGS.1.json"
	stop '.stop_hook_active = true'
	assert_block '.reason | contains("Two is wrong")'
	assert_file_has "$LOGS/console.2.log" "A violation was taken out of $FINDINGS.1.json"
}

@test "the findings were made to say pass: the log knows better" {
	jq '.status = "pass" | .violations = []' "$FINDINGS.1.json" >x && mv x "$FINDINGS.1.json"
	stays_blocked
}

@test "the findings were broken: line and column are named, and all of them are new again" {
	sed -i '6s/.*/    { "file" "src\/a.txt",/' "$FINDINGS.1.json"
	echo more >>src/a.txt
	stop '.stop_hook_active = true'
	assert_block '.status == "failed"' '.reason | contains("'"$FINDINGS.1.json:6:5"'")'
	assert_equal "$(asked claude)" 1
	assert_equal "$(jq -c '[.violations[] | [.file, .line, .issue, .status]]' "$FINDINGS.2.json")" \
		'[["src/a.txt",2,"Two is wrong","new"],["src/b.txt",4,"Four is ugly","new"]]'
	# With the new file the same work is verified as if nothing had happened.
	fixed 0 && fixed 1
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"'
	assert_equal "$(asked claude)" 2
}

@test "skipped without a reason is not skipped" {
	skipped 0
	finding 1 '.status = "skipped"'
	stop '.stop_hook_active = true'
	assert_block '.reason | contains("Four is ugly")'
	assert_file_has "$LOGS/console.2.log" 'is skipped without a reason in "result"'
}

@test "a finding that nobody has touched or marked stays, whatever the reviewer says" {
	echo more >>src/a.txt
	fixed 0
	stop '.stop_hook_active = true'
	assert_block '.reason | contains("Found 1 violations (1 neither fixed nor skipped)")'
	assert_equal "$(asked claude)" 2
	assert_equal "$(jq -c '[.violations[].issue]' "$FINDINGS.2.json")" '["Four is ugly"]'
}

@test "a finding whose file was touched is confirmed by the reviewer, marked or not" {
	echo more >>src/a.txt && echo more >>src/b.txt
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"'
	assert_equal "$(asked claude)" 2
}

@test "a finding whose file is gone does not stay" {
	rm src/a.txt src/b.txt
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"'
}

@test "an edit elsewhere and everything marked as fixed: the reviewer is shown the files of the findings, and decides" {
	echo new >other.txt
	fixed 0 && fixed 1
	answers claude <<<"fails src/a.txt:2:low:'Two is wrong' src/b.txt:4:low:'Four is ugly'"
	stays_blocked 2
	run -0 prompt_of claude.2
	[[ $output == *'+two'* && $output == *'+four'* && $output == *'+new'* ]]
}

@test "an answer that nobody can read leaves the failure as it is" {
	echo more >>src/a.txt
	fixed 0 && fixed 1
	answers claude <<<'echo "I am not sure."'
	run_holdfast run
	assert_status 1
	assert_stderr_has '[ERROR]  review:.:quality (claude@1)'
	git checkout -q src/a.txt && printf 'one\ntwo\n' >src/a.txt
	stays_blocked 2
}

@test "a check that passes says nothing about the review" {
	check_file ok true
	sed -i 's/    reviews:/    checks: [ok]\n    reviews:/' .gauntlet/config.yml
	run_holdfast check
	assert_status 0
	git checkout -q .gauntlet/config.yml && rm .gauntlet/checks/ok.yml
	stays_blocked
}

@test "a review of one commit does not clear what was found in all of them" {
	git add src && git commit -qm 'all of it'
	git commit -q --allow-empty -m nothing
	run_holdfast review --commit HEAD
	assert_stderr_lacks 'Status: Passed'
	stays_blocked
}

@test "a review of one commit is shown that commit and what was found, and does not stand for the rest" {
	echo commit >src/c.txt && git add src/c.txt && git commit -qm c
	echo later >src/later.txt
	run_holdfast review --commit HEAD
	run -0 prompt_of claude.2
	[[ $output == *'+commit'* && $output == *'+two'* && $output == *'+four'* && $output == *'Two is wrong'* ]]
	[[ $output != *'+later'* ]]
	assert_file_lacks "$FINDINGS.2.log" 'Changes since'
	stays_blocked 3
	echo more >>src/a.txt && echo more >>src/b.txt
	fixed 0 && fixed 1
	git commit -qam mended
	run_holdfast review --commit HEAD
	assert_status 0
	answers claude <<<"fails src/later.txt:1:high:'It is late'"
	stop
	assert_block '.reason | contains("It is late")'
}

@test "an attribute that hides the lines of the diff hides no finding" {
	answers claude <<<"fails src/a.txt:2:high:'Two is still wrong'"
	echo '* -diff' >.git/info/attributes
	run_holdfast clean
	stop
	assert_block '.status == "failed"' '.reason | contains("Found 1 violations")'
}

@test "what was skipped stays skipped when it is told again" {
	echo more >>src/a.txt
	fixed 0 && skipped 1
	answers claude <<<"fails src/b.txt:4:high:'Four is not pretty'"
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed_with_warnings"'
}

@test "all skipped and nothing touched: passed with warnings, and nobody is asked" {
	skipped 0 && skipped 1
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed_with_warnings"'
	assert_equal "$(asked claude)" 1
}

# scenario: G13-56
@test "what was skipped is told as a warning" {
	skipped 0 && skipped 1
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed_with_warnings"' '.stopReason == .message' \
		'.message == "✓ Gauntlet completed — passed with warnings (some issues were skipped)."'
}

@test "what was skipped is carried over runs while something else fails" {
	skipped 1
	stop '.stop_hook_active = true'
	assert_block '.reason | contains("Found 1 violations")'
	assert_equal "$(jq -c '[.violations[].status]' "$FINDINGS.2.json")" '["new","skipped"]'
	sed -i 2d src/a.txt
	fixed 0
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed_with_warnings"'
}

@test "clean starts over: the whole change is reviewed again" {
	run_holdfast clean
	answers claude <<<"fails src/b.txt:4:low:'Four is ugly'"
	stop
	assert_block
	assert_equal "$(asked claude)" 2
}

@test "with the state that agent-gauntlet leaves, its snapshot counts" {
	# One that was in the base when it was recorded would be taken for merged.
	git commit -q --allow-empty -m work
	original_state() {
		jq --arg commit "$(git rev-parse HEAD)" '{last_run_completed_at, branch, $commit, working_tree_ref}' "$LOGS/.execution_state" >x
		mv x "$LOGS/.execution_state"
		forget
	}
	original_state
	stays_blocked
	original_state
	echo more >>src/a.txt && echo more >>src/b.txt
	fixed 0 && fixed 1
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"'
	run -0 prompt_of claude.2
	[[ $output == *'+more'* ]]
}

@test "without any state the reviewer sees the whole change, and what was found" {
	rm "$LOGS/.execution_state" && forget
	fixed 0 && fixed 1
	answers claude <<<"fails src/a.txt:2:low:'Two is wrong' src/b.txt:4:low:'Four is ugly'"
	stays_blocked 2
	run -0 prompt_of claude.2
	[[ $output == *'+two'* && $output == *'Four is ugly'* ]]
}

# scenario: G13-33
@test "the state names a tree that is no commit: the reviewer sees the whole change" {
	edit_state --arg tree "$(git rev-parse HEAD:src)" '.reviewed[].tree = $tree'
	answers claude <<<"fails src/a.txt:2:low:'Two is still wrong'"
	stop '.stop_hook_active = true'
	assert_block '.status == "failed"'
	assert_equal "$(asked claude)" 2
	assert_file_has "$LOGS/console.2.log" 'garbage collected, using the whole change as fallback'
}

# gone [FILTER]: git has collected the trees that the state names.
gone() {
	edit_state ".working_tree_ref = (\"1\" * 40) | .reviewed[].tree = (\"1\" * 40) | ${1:-.}"
}

# scenario: G13-33
@test "the tree that a review has passed is gone: the whole change is reviewed, not what came after the recorded commit" {
	git add -A && git commit -q -m work
	run_holdfast clean
	run_holdfast review
	assert_status 0
	assert_equal "$(jq -r '.reviewed[].passed' "$LOGS/.execution_state")" true
	gone
	echo three >>src/a.txt
	run_holdfast review
	assert_status 0
	assert_equal "$(grep -c 'Session stash was garbage collected, using the whole change as fallback' "$ERR")" 1
	run -0 prompt_of claude.3
	[[ $output == *'+two'* && $output == *'+three'* && $output == *'+four'* ]]
}

# scenario: G13-33
@test "all of the change was taken back, and the trees are gone: what came after the recorded commit is shown" {
	git add src && git commit -qm 'all of it'
	stays_blocked
	git revert --no-edit HEAD >/dev/null
	gone '.commit = ("2" * 40)'
	stays_blocked
	[[ $(<"$LOGS/console.3.log") != *'as fallback'* ]]
	gone ".commit = \"$(git rev-parse HEAD^)\""
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"'
	assert_equal "$(asked claude)" 2
	assert_equal "$(prompt_of claude.2 | grep -cxE -- '-two|-four')" 2
	assert_file_has "$LOGS/previous/console.4.log" 'Session stash was garbage collected, using commit as fallback'
}

# ---- whatever becomes of the logs ----

made_to_pass() { jq '.status = "pass" | .violations = []' "$1" >"$TMPDIR/findings" && cat "$TMPDIR/findings" >"$1"; }

# talks: two findings again, from a reviewer that talks for longer than is read of a log.
talks() {
	run_holdfast clean
	rm -rf "$ASKED"
	fails_first "yes 'I am looking at the code, and looking, and looking' | head -c 20000000"
	(($(stat -c %s "$FINDINGS.1.log") > 17000000))
}

@test "the log of a reviewer that talks a lot knows better than findings that were made to say pass" {
	talks
	made_to_pass "$FINDINGS.1.json"
	rm "$LOGS/.execution_state"
	stop '.stop_hook_active = true'
	assert_block '.status == "failed"' '.reason | contains("Found 2 violations")'
	assert_equal "$(asked claude)" 1
}

@test "the log of a reviewer that talks a lot knows findings that were deleted" {
	talks
	rm "$FINDINGS.1.json"
	stays_blocked
}

# asked_again: the whole change is put to the reviewer again, and it finds something.
asked_again() {
	rm -rf "$ASKED"
	stop '.stop_hook_active = true'
	assert_block '.status == "failed"' '.reason | contains("still")'
	assert_equal "$(asked claude)" 1
	assert_equal "$(prompt_of claude.1 | grep -cxE '\+two|\+four')" 2
}

# What the log says of the findings can't be known any more: that is as if they were deleted, and no pass.
@test "findings without a log that tells of them do not count, whatever they say" {
	local log findings
	sed -i 's/^max_retries: .*/max_retries: 99/' .gauntlet/config.yml
	cp -r "$LOGS" "$TMPDIR/kept"
	answers claude <<<"fails src/a.txt:2:high:'Two is still wrong'"
	for log in 'rm' ': >' 'rm $1; mkdir' 'rm $1; mkfifo' 'rm $1; ln -s /dev/zero' 'rm $1; ln -s nowhere'; do
		for findings in '.status = "pass" | .violations = []' '.violations = []' 'del(.violations[0]) | .violations[0].status = "fixed"' '.status = "no"'; do
			rm -rf "$LOGS" && cp -r "$TMPDIR/kept" "$LOGS"
			jq "$findings" "$FINDINGS.1.json" >"$TMPDIR/findings" && cat "$TMPDIR/findings" >"$FINDINGS.1.json"
			set -- "$FINDINGS.1.log"
			eval "$log \$1"
			echo "# after: $log, $findings"
			prompt 'go on' # 20 blocks in a row would be the last
			asked_again
		done
	done
}

@test "findings whose log is gone are not taken for all that there were, not even a run later" {
	rm "$FINDINGS.1.log"
	jq 'del(.violations[0])' "$FINDINGS.1.json" >"$TMPDIR/findings" && cat "$TMPDIR/findings" >"$FINDINGS.1.json"
	answers claude <<<'echo "I am not sure."'
	run_holdfast run
	assert_status 1
	echo new >>other.txt
	answers claude <<<"fails src/a.txt:2:high:'Two is still wrong'"
	asked_again
}

@test "of two reviewers, the one that has found something is asked again when its findings are made to say pass" {
	local how second=gauntlet_logs/review_._quality_claude@2
	run_holdfast clean
	sed -i 's/num_reviews: 1/num_reviews: 2/' .gauntlet/reviews/quality.md
	config 'allow_parallel: false'
	answers claude <<-'ANSWER'
	case $n in
	1) pass ;;
	*) fails src/a.txt:2:high:'Two is wrong' ;;
	esac
	ANSWER
	rm -rf "$ASKED"
	run_holdfast run
	assert_status 1
	assert_equal "$(jq -r .status "$FINDINGS.1.json") $(jq -r .status "$second.1.json")" 'pass fail'
	cp -r "$LOGS" "$TMPDIR/kept"
	for how in 'rm $second.1.log' ': >$second.1.log' 'sed -i s/fail/pass/ $second.1.log' 'rm $second.1.*'; do
		rm -rf "$LOGS" && cp -r "$TMPDIR/kept" "$LOGS"
		made_to_pass "$second.1.json"
		eval "$how"
		# What is asked next is the third question, and finds something.
		rm -rf "$ASKED" && mkdir -p "$ASKED/claude.1" "$ASKED/claude.2"
		echo "# after: $how"
		stop '.stop_hook_active = true'
		assert_block '.status == "failed"' '.reason | contains("claude@2")' '.reason | contains("Two is wrong")'
	done
}

@test "findings that were made to say that nobody could be asked do not clear what was found" {
	jq '.status = "error"' "$FINDINGS.1.json" >x && mv x "$FINDINGS.1.json"
	rm "$LOGS/.execution_state"
	stays_blocked
}

@test "a finding that speaks of a heading of the log hides none" {
	run_holdfast clean
	rm -rf "$ASKED"
	answers claude <<<"fails src/a.txt:2:high:'Two is wrong' src/b.txt:4:high:'It says --- Parsed Result (claude) ---'"
	run_holdfast run
	assert_status 1
	rm "$FINDINGS.1.json"
	stays_blocked
}

@test "a change that is committed on the base branch itself is reviewed, and stays failed until the fix is" {
	git checkout -q src && git checkout -q main
	# Of what failed nothing is left.
	run_holdfast run
	assert_status 0
	answers claude <<<'fails src/a.txt:2:high:Bad'
	printf 'one\nquestionable\n' >src/a.txt && git commit -q -a -m all
	run_holdfast run
	assert_status 1
	assert_equal "$(asked claude)" 2
	[[ $(prompt_of claude.2) == *'+questionable'* ]] || show 'it was not shown'
	# nothing was done about it, or something else
	run_holdfast run
	assert_status 1
	assert_equal "$(asked claude)" 2
	echo more >more.txt && git add more.txt && git commit -q -m more
	run_holdfast run
	assert_status 1
	answers claude <<<'pass'
	printf 'one\ngood\n' >src/a.txt && git commit -q -a -m good
	fixed 0
	run_holdfast run
	assert_status 0
	assert_stderr_has 'Status: Passed'
	run_holdfast run
	assert_stderr_has 'No changes detected.'
}

# ---- whatever becomes of the base ----

# reads_prompt: the reviewer finds "two" where the prompt has it as an added line.
reads_prompt() {
	answers claude <<-'ANSWER'
	if grep -qx '+two' "$ASKED/$name.$n/prompt"; then fails src/a.txt:2:high:'Two is wrong'; else pass; fi
	ANSWER
	rm -rf "$ASKED"
}

still_found() {
	stop '.stop_hook_active = true'
	assert_block '.status == "failed"' '.reason | contains("Two is wrong")'
	prompt_of "claude.$(asked claude)" | grep -qx '+two'
}

@test "a failed review whose logs were archived is compared with the base that it failed against" {
	reads_prompt
	git add src && git commit -qm 'all of it'
	run_holdfast clean
	git branch -qf main
	still_found
	git checkout -q main
	still_found
	run_holdfast clean
	git checkout -q -b another
	still_found
	sed -i 2d src/a.txt
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"'
	stop
	assert_allow
}

@test "a file with an open finding is shown from the base that it was found against, wherever that branch is now" {
	reads_prompt
	git add src && git commit -qm 'all of it' && git branch -qf main
	echo more >>src/a.txt && echo more >>src/b.txt
	fixed 0 && fixed 1
	still_found
}

@test "a change that was taken back leaves nothing to find after the logs were archived" {
	reads_prompt
	run_holdfast clean
	git checkout -q src
	stop
	assert_allow
	printf 'one\ntwo\n' >src/a.txt
	still_found
}
