#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# conclaude visualize: the overview, each rule, and what it matches.
load helper

visualize() { run_command conclaude visualize "$@"; }

setup() {
	setup_project
	write .conclaude.yaml <<-'END'
		stop:
		  infinite: true
		  rounds: 4
		  commands:
		    - run: npm test
		      timeout: 60
		      message: fix it
		    - run: |

		        first line
		        second line
		  promptPrefixBlocking:
		    prefixes: ["PLAN*", "/x*"]
		    messages:
		      - {text: once more, times: 2}
		      - text: and now
		preToolUse:
		  preventRootAdditions: true
		  uneditableFiles:
		    - "src/*.c"
		    - {pattern: "package.json", message: leave it, agent: "co*"}
		    - "./Makefile"
		  toolUsageValidation:
		    - {tool: Bash, commandPattern: "rm *", action: block}
		    - {tool: Write, pattern: "*.md", action: allow}
	END
	mkdir -p src .git/src
	touch src/a.c src/b.h package.json Makefile .git/src/c.c
}

@test "without a rule there is an overview" {
	visualize
	assert_status 0
	assert_stderr_empty
	for line in 'Prevent Root Additions: true' 'Uneditable Files: 3 patterns' 'Tool Usage Validation: 2 rules' \
		'Infinite Mode: true' 'Rounds Mode: 4 rounds' 'Stop Commands: 2' 'Prompt Prefix Blocking: 2 patterns, 2 messages' \
		'Use --rule' 'Use --show-matches'; do
		assert_stdout_has "$line"
	done
}

@test "what is not configured is not in the overview" {
	echo '{}' >.conclaude.yaml
	visualize
	assert_status 0
	assert_stdout_lacks 'Rounds Mode'
	assert_stdout_lacks 'Prompt Prefix Blocking:'
	for rule in uneditableFiles toolUsageValidation commands promptPrefixBlocking; do
		visualize --rule $rule
		assert_status 0
		assert_stdout_has 'configured.'
	done
}

@test "the uneditable files, with message and agent" {
	visualize --rule uneditableFiles
	assert_status 0
	assert_stdout_has $'   Pattern: src/*.c\n'
	assert_stdout_has $'   Pattern: package.json\n   Message: leave it\n   Agent: co*\n'
	assert_stdout_lacks 'atching files'
}

@test "the files that they match, without what is git's own" {
	visualize -r uneditableFiles --show-matches
	assert_status 0
	assert_stdout_has $'Pattern: src/*.c\n   Matching files:\n      src/a.c\n\n'
	assert_stdout_has $'co*\n   Matching files:\n      package.json\n'
	assert_stdout_has $'Pattern: ./Makefile\n   Matching files:\n      Makefile'
	assert_stdout_lacks c.c
	rm src/a.c
	ln -s .. src/up
	visualize -r uneditableFiles --show-matches
	assert_status 0
	assert_stdout_has $'Pattern: src/*.c\n   No matching files\n'
}

@test "the root, and what is there" {
	cd src
	visualize --rule preventRootAdditions
	assert_status 0
	assert_stdout_has $'Enabled: true\n   Root: '"$PROJECT"
	assert_stdout_lacks Makefile
	visualize --rule preventRootAdditions --show-matches
	assert_stdout_has $'      Makefile\n      package.json\n      src'
}

@test "the rules for tools" {
	visualize --rule toolUsageValidation
	assert_status 0
	assert_stdout_has '   Tool: Bash | Pattern: rm * | Action: block'
	assert_stdout_has '   Tool: Write | Pattern: *.md | Action: allow'
}

@test "the stop commands and the follow-up messages" {
	visualize --rule commands
	assert_status 0
	assert_stdout_has '   1. npm test | Timeout: 60 s | Message: fix it'
	assert_stdout_has '   2. first line ...'
	visualize --rule promptPrefixBlocking
	assert_status 0
	assert_stdout_has $'   Pattern: PLAN*\n   Pattern: /x*\n   1. Times: 2 | Message: once more\n   2. Times: 1 | Message: and now'
	assert_stdout_lacks 'None of it is sent'
	echo 'stop: {promptPrefixBlocking: {prefixes: ["A*"]}}' >.conclaude.yaml
	visualize --rule promptPrefixBlocking
	assert_stdout_has 'None of it is sent'
}

@test "a rule that there is none of is said, and the rules are listed" {
	visualize --rule nosuch
	assert_status 0
	assert_stderr_has 'Unknown rule: nosuch'
	for rule in uneditableFiles preventRootAdditions toolUsageValidation commands promptPrefixBlocking; do
		assert_stdout_has "   - $rule"
	done
}

@test "no configuration, or a wrong one, ends in 1" {
	echo 'stop: 1' >.conclaude.yaml
	visualize
	assert_status 1
	assert_stderr_has "$PROJECT/.conclaude.yaml:1:7: stop: "
	rm .conclaude.yaml
	visualize
	assert_status 1
	assert_stderr_has 'Configuration file not found'
}

@test "the manual has each command of conclaude and its options" {
	conclaude help --names | grep -P '^(command|option)\tconclaude (init|validate|visualize|Hooks|completions|help)(\t|$)' >names
	assert_equal "$(wc -l <names)" 15
	while IFS=$'\t' read -r _ name option; do
		page=$(sed 's/\\-/-/g; s/\\f[A-Z]//g' "$ROOT/doc/man/conclaude.1" |
			awk -v name="$name" '/^\.S[SH] / { is_in = $0 ~ "^.SS " name "( |$)" } is_in')
		[[ -n $page && $page == *"$option"* ]] || show "the manual lacks: $name $option"
	done <names
}
