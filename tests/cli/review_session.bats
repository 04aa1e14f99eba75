#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A whole session with a review: what is found, what becomes of it, and what the agent is told.
bats_require_minimum_version 1.5.0
load helper
load gates
load reviews

setup() {
	setup_project
	more_config=$'stop_hook:\n  reverify: true\n  run_interval_minutes: 0'
	review_project
}

# scenario: 001-16 001-39 001-40 001-47 G13-51
@test "two findings block the stop; one is fixed and one is skipped: passed with warnings" {
	answers claude <<-'ANSWER'
	case $n in
	1) fails src/a.txt:2:high:'Two is wrong' src/b.txt:4:medium:'Four is ugly' ;;
	*) pass 'All is well' ;;
	esac
	ANSWER
	hook . agent-gauntlet stop-hook
	assert_block '.status == "failed"' \
		'.reason | contains("review:.:quality (claude@1)") and contains("Found 2 violations")' \
		'.reason | contains("'"$PROJECT/$FINDINGS"'.1.json")' \
		'.reason | contains("src/a.txt:2 - Two is wrong") and contains("src/b.txt:4 - Four is ugly")' \
		'.reason | contains("Review trust level: medium")'
	sed -i 's/two/zwei/' src/a.txt
	fixed 0 && skipped 1
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed_with_warnings"'
	assert_equal "$(asked claude)" 2
	run -0 prompt_of claude.2
	[[ $output == *"Two is wrong"* && $output == *zwei* ]]
	# The logs stay to be read, and what was skipped stands in the newest findings.
	assert_file_has "$LOGS/console.2.log" 'Status: Passed with warnings'
	assert_file_has "$LOGS/console.2.log" 'Fixed: review_._quality (1) - src/a.txt:2 Two is wrong'
	assert_file_has "$LOGS/console.2.log" 'Skipped: review_._quality (claude) - src/b.txt:4 Four is ugly'
	assert_file_has "$LOGS/console.2.log" '    Reason: not wanted'
	assert_file_has "$LOGS/console.2.log" 'Total: 1 fixed, 1 skipped, 0 failed after 2 iterations'
	assert_equal "$(jq -c '[.status, .violations[].status]' "$FINDINGS.2.json")" '["pass","skipped"]'
	assert_equal "$(state .outstanding)" false

	# The next run starts over, and what was skipped does not come up again: nothing has changed since.
	stop
	assert_allow '.status == "passed"'
	assert_equal "$(asked claude)" 2
	assert_file "$LOGS/previous/console.1.log"
}

@test "the snapshot of a run with a review has untracked files and changes neither index nor stash nor the working tree" {
	local before
	answers claude <<<'pass'
	echo staged >src/staged && git add src/staged
	echo unstaged >>src/staged
	before=$(git status --porcelain && git diff && git diff --cached && git stash list)
	stop
	assert_allow '.status == "passed"'
	assert_equal "$(git cat-file -t "$(state .working_tree_ref)")" commit
	assert_equal "$(git show "$(state .working_tree_ref):src/staged")" $'staged\nunstaged'
	assert_equal "$(git ls-tree -r --name-only "$(state .working_tree_ref)" | grep -c gauntlet_logs)" 0
	assert_equal "$(git status --porcelain -- ':!gauntlet_logs' && git diff && git diff --cached && git stash list)" "$before"
}
