#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# One review and its files: who is asked, what, and what becomes of each kind of answer.
bats_require_minimum_version 1.5.0
load helper
load gates
load reviews

# scenario: G13-39
@test "a review that passes: its line, its files, and the archive" {
	review_project
	answers claude <<<'pass'
	run_holdfast run
	assert_status 0
	assert_stdout ''
	assert_stderr_has '[START] review:.:quality'
	[[ $stderr =~ '[PASS]  review:.:quality (claude@1) ('[0-9.]+'s) - No problems found' ]] || show 'no line of the slot'
	assert_stderr_has 'Status: Passed'
	assert_absent "$FINDINGS.1.json"
	run -0 ls "$LOGS/previous"
	assert_equal "$output" $'console.1.log\nreview_._quality_claude@1.1.json\nreview_._quality_claude@1.1.log'
	assert_equal "$(jq -c '[keys_unsorted, .status, .violations]' "$LOGS/previous/review_._quality_claude@1.1.json")" \
		'[["adapter","timestamp","status","rawOutput","violations"],"pass",[]]'
}

# scenario: G13-39 G13-43
@test "a review that fails: findings for the agent, a log for people" {
	review_project
	answers claude <<-'ANSWER'
	echo 'I looked at it.'
	echo '{"status":"fail","violations":[{"file":"src/a.txt","line":"2","issue":"Bad line","fix":"Remove","priority":"high","status":"fixed","result":"mine","confidence":0.9}]}'
	ANSWER
	run_holdfast run
	assert_status 1
	[[ $stderr =~ '[FAIL]  review:.:quality (claude@1) ('[0-9.]+'s) - Found 1 violations'$'\n'"      Review: $FINDINGS.1.json" ]] || show 'no lines of the slot'
	assert_stderr_has 'Total: 0 fixed, 0 skipped, 1 failed'
	assert_stderr_has 'Status: Failed'
	# The status is ours, whatever the reviewer says; its own keys are kept; there is no newline at the end.
	assert_equal "$(jq -c '.violations' "$FINDINGS.1.json")" \
		'[{"file":"src/a.txt","line":2,"issue":"Bad line","fix":"Remove","priority":"high","status":"new","confidence":0.9}]'
	assert_equal "$(head -2 "$FINDINGS.1.json")" $'{\n  "adapter": "claude",'
	assert_equal "$(tail -c1 "$FINDINGS.1.json")" '}'
	assert_equal "$(jq -r '.rawOutput' "$FINDINGS.1.json" | head -1)" 'I looked at it.'
	run -0 cat "$FINDINGS.1.log"
	for line in 'Starting review: quality' 'Entry point: .' 'Base branch: main' \
		'Dispatching 1 review(s) via round-robin: claude@1' '[START] review:.:quality (claude@1)' \
		'--- Review Output (claude) ---' 'I looked at it.' '--- Parsed Result (claude) ---' 'Status: FAIL' \
		"Review: $FINDINGS.1.json" '1. src/a.txt:2 - Bad line' '   Fix: Remove' \
		'Review result (claude@1): fail - Found 1 violations' 'Result: fail - Found 1 violations'; do
		[[ $output == *"$line"* ]] || show "the log lacks: $line"
	done
	run -0 find "$LOGS" -name 'review_*' -not -name '*_claude@1.1.*'
	assert_equal "$output" ''
}

@test "what a reviewer is asked, where, and with which environment" {
	review_project
	answers claude <<<'pass'
	CLAUDECODE=1 run_holdfast review
	assert_status 0
	run -0 prompt_of claude.1
	[[ $output == 'Look for bugs.'* && $output == *'+two'* && $output == *'+four'* ]]
	assert_equal "$(<"$ASKED/claude.1/dir")" "$(pwd -P)"
	grep -qx 'GAUNTLET_STOP_HOOK_ACTIVE=1' "$ASKED/claude.1/env"
	run ! grep -q '^CLAUDECODE=' "$ASKED/claude.1/env"
}

# scenario: G13-41
@test "reviewers take the slots in turn, in the order in which they are preferred" {
	reviewers='claude, codex, gemini' num_reviews=4 review_project
	for name in claude codex gemini; do answers $name <<<pass; done
	run_holdfast review
	assert_status 0
	assert_file_has "$LOGS/previous/review_._quality_gemini@3.1.log" \
		'Dispatching 4 review(s) via round-robin: claude@1, codex@2, gemini@3, claude@4'
	assert_equal "$(asked claude) $(asked codex) $(asked gemini)" '2 1 1'
}

# scenario: G13-41 G13-44
@test "a reviewer that is missing is left out" {
	reviewers='claude, codex, gemini' num_reviews=3 review_project
	answers claude <<<pass
	answers gemini <<<pass
	run_holdfast review
	assert_status 0
	assert_file_has "$LOGS/previous/review_._quality_claude@3.1.log" 'Skipping codex: Command not found'
	assert_file_has "$LOGS/previous/review_._quality_claude@3.1.log" 'claude@1, gemini@2, claude@3'
}

# scenario: G13-41 G13-44
@test "one reviewer takes all slots; with none the gate can't be run" {
	reviewers='claude, codex' num_reviews=2 review_project
	answers codex <<<pass
	run_holdfast review
	assert_status 0
	assert_equal "$(asked codex)" 2
	rm "$BIN/codex"
	echo more >>src/a.txt
	run_holdfast review
	assert_status 1
	assert_stderr_has 'Review dispatch failed: no healthy adapters available (claude: Command not found; codex: Command not found)'
	assert_stderr_has 'Status: Error'
	config 'stop_hook:' '  run_interval_minutes: 0'
	stop
	assert_allow '.status == "infrastructure_error"' '.message | contains("no healthy adapters")'
}

# scenario: G13-22 G13-23
@test "each slot has files of its own, and checks and reviews one number of the run, whoever reviews" {
	entry=src num_reviews=2 reviewers='claude, github-copilot' review_project
	check_file lint false
	sed -i 's/    reviews:/    checks: [lint]\n    reviews:/' .gauntlet/config.yml
	answers claude <<<'fails src/a.txt:2:high:Bad'
	run_holdfast run
	run -0 find "$LOGS" -name '*.log' -printf '%f\n'
	assert_equal "$(sort <<<"$output")" \
		$'check_._lint.1.log\nconsole.1.log\nreview_src_quality_claude@1.1.log\nreview_src_quality_claude@2.1.log'
	run_holdfast check
	assert_file "$LOGS/check_._lint.2.log"
	rm "$BIN/claude"
	answers github-copilot copilot <<<'fails src/a.txt:2:high:Bad'
	echo more >>src/a.txt
	run_holdfast run
	run -0 find "$LOGS" -name '*.3.log' -printf '%f\n'
	assert_equal "$(sort <<<"$output")" \
		$'check_._lint.3.log\nconsole.3.log\nreview_src_quality_github-copilot@1.3.log\nreview_src_quality_github-copilot@2.3.log'
}

# scenario: G13-37 G13-42
@test "slots that passed are skipped by their index while another has failed" {
	reviewers='claude, codex' num_reviews=2 review_project
	answers claude <<<"fails src/a.txt:2:high:Bad"
	answers codex <<<pass
	run_holdfast review
	assert_status 1
	assert_stderr_has '(codex@2)'
	# Another reviewer would have slot 2 now.
	sed -i 's/\[claude, codex\]/[codex, claude]/' .gauntlet/config.yml
	sed -i 's/two/zwei/' src/a.txt
	fixed 0
	run_holdfast review
	assert_status 0
	[[ $stderr =~ '[PASS]  review:.:quality (codex@2) ('[0-9.]+'s) - Skipped: previously passed in iteration 1' ]] || show 'slot 2 is not skipped'
	assert_equal "$(asked claude) $(asked codex)" '1 2'
	local spared=$LOGS/previous/review_._quality_codex@2.2
	assert_equal "$(jq -c '[.status, .violations, .passIteration, .rawOutput]' "$spared.json")" '["skipped_prior_pass",[],1,""]'
	for line in 'Review skipped: previously passed in iteration 1' 'Adapter: codex' 'Review index: @2' \
		'Status: skipped_prior_pass' 'Skipping @2: previously passed in iteration 1 (num_reviews > 1)'; do
		assert_file_has "$spared.log" "$line"
	done
}

# scenario: G13-37
@test "the iteration in which a slot passed is carried on" {
	reviewers='claude, codex' num_reviews=2 review_project
	answers claude <<<'fails src/a.txt:2:high:"Bad $n"'
	answers codex <<<pass
	run_holdfast review
	echo more >>src/a.txt
	run_holdfast review
	echo more >>src/a.txt
	run_holdfast review
	assert_stderr_has 'Skipped: previously passed in iteration 1'
	assert_equal "$(asked claude) $(asked codex)" '3 1'
}

# scenario: G13-37 G13-42
@test "where all slots have passed the first is run again, for what has changed since" {
	reviewers='claude, codex' num_reviews=2 review_project
	answers claude <<<pass
	answers codex <<<pass
	check_file bad 'test ! -e fail'
	sed -i 's/    reviews:/    checks: [bad]\n    reviews:/' .gauntlet/config.yml
	touch fail
	run_holdfast run
	assert_status 1
	# Nothing has changed for the reviewers: nobody is asked, and nothing is written.
	run_holdfast run
	assert_status 1
	[[ $stderr =~ '[PASS]  review:.:quality ('[0-9.]+'s)' ]] || show 'no line of the review'
	assert_equal "$(asked claude) $(asked codex)" '1 1'
	rm fail
	run_holdfast run
	assert_status 0
	assert_equal "$(asked claude) $(asked codex)" '2 1'
	assert_file_has "$LOGS/previous/review_._quality_claude@1.3.log" 'Running @1: safety latch (all slots previously passed)'
}

# scenario: G13-42
@test "a review with one slot is never skipped" {
	review_project
	answers claude <<<pass
	check_file bad 'test ! -e fail'
	sed -i 's/    reviews:/    checks: [bad]\n    reviews:/' .gauntlet/config.yml
	touch fail
	run_holdfast run
	rm fail
	run_holdfast run
	assert_status 0
	assert_equal "$(asked claude)" 2
}

# scenario: G13-33
@test "after a pass only what has changed since is reviewed, and nothing if nothing has" {
	review_project
	answers claude <<<pass
	run_holdfast run
	run_holdfast run
	assert_status 0
	assert_equal "$(asked claude)" 1
	echo three >>src/a.txt
	run_holdfast run
	assert_status 0
	run -0 prompt_of claude.2
	[[ $output == *'+three'* && $output != *'+two'* && $output != *'+four'* ]]
	# A pass of something else says nothing: what was not reviewed is reviewed.
	run_holdfast clean
	run_holdfast review
	assert_equal "$(asked claude)" 3
	run -0 prompt_of claude.3
	[[ $output == *'+two'* ]]
}

@test "an entry point is all that its reviewer sees; patterns count" {
	entry='src/[b].txt' review_project
	answers claude <<<pass
	run_holdfast review
	assert_status 0
	run -0 prompt_of claude.1
	[[ $output == *'+four'* && $output != *'+two'* ]]
}

# What an answer looks like, and what comes of it.
# scenario: G13-43
@test "answers of every shape" {
	local pass='{"status":"pass","message":"Fine"}' v='{"file":"src/a.txt","line":2,"issue":"Bad","priority":"high"}'
	local row shape expected
	review_project
	while IFS='|' read -r shape expected row; do
		run_holdfast clean
		rm -rf "$LOGS" && mkdir "$LOGS"
		printf '%b' "$row" >"$BATS_TEST_TMPDIR/row"
		answers claude <<<"cat '$BATS_TEST_TMPDIR/row'"
		run_holdfast review
		[[ $stderr =~ \[(PASS|FAIL|ERROR)\]\ +review:.:quality\ \(claude@1\)\ \([0-9.]+s\)\ -\ ([^$'\n']*) ]]
		[[ "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}" == "$expected"* ]] || show "$shape: ${BASH_REMATCH[1]} ${BASH_REMATCH[2]} instead of $expected"
	done <<-ROWS
	bare|PASS Fine|$pass
	fenced|PASS Fine|Here:\n\`\`\`json\n$pass\n\`\`\`\nBye.
	prose around it|PASS Fine|I think { so }.\n$pass\nThat is all.
	no message|PASS Passed|{"status":"pass"}
	no JSON|ERROR |All is well.
	nothing|ERROR |
	another status|ERROR |{"status":"maybe"}
	a brace that never closes|ERROR |{{{{{{ and so on
	fail without a list|FAIL Found some violations|{"status":"fail"}
	fail|FAIL Found 1 violations|{"status":"fail","violations":[$v]}
	a trailing comma|FAIL Found 1 violations|{"status":"fail","violations":[$v,],}
	out of the diff|PASS Passed (1 out-of-scope violations filtered)|{"status":"fail","violations":[{"file":"src/a.txt","line":1,"issue":"Old","priority":"high"}]}
	one in and one out|FAIL Found 1 violations|{"status":"fail","violations":[$v,{"file":"src/z.txt","line":1,"issue":"Old","priority":"high"}]}
	ROWS
}

# scenario: G13-40
@test "on a rerun new findings below the threshold do not count, and those told again do" {
	more_config='rerun_new_issue_threshold: high' review_project
	answers claude <<-'ANSWER'
	case $n in
	1) fails src/a.txt:2:low:'Two is wrong' ;;
	2) fails src/a.txt:2:low:'Two is wrong' src/a.txt:3:medium:Middling src/a.txt:3:low:Little src/a.txt:3:high:Large src/a.txt:3:critical:Huge ;;
	*) fails src/a.txt:4:medium:Middling ;;
	esac
	ANSWER
	run_holdfast review
	assert_stderr_has 'Found 1 violations'
	echo three >>src/a.txt
	run_holdfast review
	assert_stderr_has 'Found 3 violations'
	assert_equal "$(jq -c '[.violations[].issue]' "$FINDINGS.2.json")" '["Two is wrong","Large","Huge"]'
	assert_file_has "$FINDINGS.2.log" 'Note: 2 new violations filtered due to rerun threshold (high)'
	echo four >>src/a.txt
	run_holdfast review
	assert_status 0
	assert_stderr_has 'Passed (1 below-threshold violations filtered)'
}

@test "a reviewer that the project defines works like any other, with the prompt as input or as argument" {
	reviewers='mine, my_other' num_reviews=2 \
		more_cli=$'  adapters:\n    mine: {command: [./tools/mine, --quick]}\n    my_other: {command: [other], prompt: arg}' review_project
	answers mine <<<pass
	answers my_other other <<<"takes_argument=1; pass"
	sed -i 's/^name=/takes_argument=1 name=/' "$BIN/other"
	mkdir tools && mv "$BIN/mine" tools/mine
	run_holdfast review
	assert_status 0
	assert_equal "$(<"$ASKED/mine.1/argv")" --quick
	[[ $(prompt_of mine.1) == 'Look for bugs.'* && $(prompt_of my_other.1) == 'Look for bugs.'* ]]
	# The name is such that the files of the slot are found again.
	assert_file "$LOGS/previous/review_._quality_my-other@2.1.json"
	assert_equal "$(jq -r .adapter "$LOGS/previous/review_._quality_my-other@2.1.json")" my_other
}

@test "a dry run prints command line and prompt of each slot, and runs and writes nothing" {
	reviewers='claude, codex' num_reviews=2 review_project
	answers claude <<<"fails src/a.txt:2:high:Bad"
	answers codex <<<pass
	run_holdfast review --dry-run
	assert_status 0
	assert_stdout_has 'review:.:quality (claude@1)'
	assert_stdout_has 'argv: claude -p'
	assert_stdout_has 'review:.:quality (codex@2)'
	assert_stdout_has 'Look for bugs.'
	assert_equal "$(asked claude)" 0
	assert_absent "$LOGS"
	local shown=$stdout
	run_holdfast review
	assert_equal "$(asked claude)" 1
	# To the letter.
	local prompt
	prompt=$(prompt_of claude.1)
	[[ $shown == *"$prompt"* ]] || show 'it was asked something else'
	run_holdfast review --dry-run
	assert_stdout_has 'stays failed'
	assert_stdout_has 'is skipped: it passed before'
	rm "$BIN/claude" "$BIN/codex"
	echo more >>src/a.txt
	run_holdfast review --dry-run
	assert_status 0
	assert_stdout_has 'no healthy adapters available'
}

@test "health says of each reviewer whether it is there and well" {
	reviewers='claude, codex, gemini, cursor' more_cli='  check_usage_limit: true' review_project
	answers claude <<<'echo hello'
	answers codex <<<'echo "You have hit your usage limit." >&2; exit 1'
	answers gemini <<<'echo "no network" >&2; exit 3'
	run_holdfast health
	assert_status 0
	assert_stdout_has '  claude     : Installed'
	assert_stdout_has '  codex      : Usage limit exceeded'
	assert_stdout_has '  cursor     : Missing'
	assert_stdout_has '  gemini     : Error: no network'
	sed -i /check_usage/d .gauntlet/config.yml
	run_holdfast health
	assert_stdout_has '  codex      : Installed'
}

@test "the report has a job for each slot" {
	reviewers='claude, codex' num_reviews=2 review_project
	answers claude <<<"fails src/a.txt:2:high:Bad"
	answers codex <<<pass
	run_holdfast review --report "$TMPDIR/report.json"
	assert_status 1
	assert_equal "$(jq -c '[.. | objects | select(has("outcome")) | .outcome]' "$TMPDIR/report.json")" '["fail","pass"]'
	assert_file_has "$TMPDIR/report.json" "$FINDINGS.1.json"
}
