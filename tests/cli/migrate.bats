#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# holdfast migrate: holdfast.yml from the files of agent-gauntlet and conclaude. That it decides the same is compared over all
# case files by tests/lib/run-cases --migrated.

load helper

# put PATH: the input as a file.
put() { mkdir -p "$(dirname "$1")" && cat >"$1"; }

gauntlet() {
	put .gauntlet/config.yml <<-'END'
		# yaml-language-server: $schema=x
		# Our gates
		base_branch: main  # the trunk
		max_retries: 5
		cli:
		  default_preference: [claude, mine]
		  adapters:
		    mine: {command: [ollama, run, "a b"]}
		entry_points:
		  # the frontend
		  - path: web
		    exclude: [web/dist]
		    checks: [lint, test]
		  - path: "packages/*"
		    checks: [lint]
		  - path: .
		    reviews: [quality]
		stop_hook:
		  run_interval_minutes: 5
		  reverify: false
		log_dir: logs
		# the end
	END
	put .gauntlet/checks/lint.yml <<-'END'
		# with our rules
		command: "npx eslint . # all"  # fast
		timeout: 90
		fix_instructions: fix.md
		# parallel: true
	END
	put .gauntlet/checks/test.yml <<-'END'
		command: |
		  npm ci
		  # no comment
		  npm test
	END
	put .gauntlet/checks/unused.yml <<<'command: make'
	put .gauntlet/fix.md <<<'Read the guide.'
	printf -- '---\n# twice\nnum_reviews: 2\n---\n# Quality\n\nLook for bugs.\n' | put .gauntlet/reviews/quality.md
}

conclaude() {
	put .conclaude.yaml <<-'END'
		stop:
		  # before every stop
		  commands:
		    # blanks
		    - run: git diff --check
		    - run: make docs
		      message: The docs do not build.
		      timeout: 90
		      showStdout: true
		      maxOutputLines: 20
		  rounds: 3  # three
		  promptPrefixBlocking:
		    prefixes: ["implement *"]
		    messages:
		      - text: Simplify it.
		      - text: Look again.
		        times: 2
		notifications:
		  enabled: true
	END
}

@test "both become one file, with their comments" {
	gauntlet
	conclaude
	run_holdfast migrate --dry-run
	assert_status 0
	assert_absent holdfast.yml
	cat >expected <<-'END'
		# yaml-language-server: $schema=.holdfast/schema.json
		# From .gauntlet and .conclaude.yaml by 'holdfast migrate'.
		# Our gates
		base: main  # the trunk
		tries: 5
		reviewers:
		  mine:
		    command:
		      - ollama
		      - run
		      - "a b"
		gates:
		  quality:
		    prompt: |
		      # Quality

		      Look for bugs.
		    by: [claude, mine]
		    # twice
		    num_reviews: 2
		  # the frontend
		  lint:
		    # with our rules
		    run: "npx eslint . # all"  # fast
		    in: [{path: web, except: [web/dist]}, "packages/*"]
		    timeout: 90s
		    parallel: false
		    hint: |
		      Read the guide.
		    # parallel: true
		  test:
		    run: |
		      npm ci
		      # no comment
		      npm test
		    in: {path: web, except: [web/dist]}
		    parallel: false
		follow_ups:
		  when: ["implement *"]
		  messages:
		    - text: Simplify it.
		    - text: Look again.
		      times: 2
		# before every stop
		commands:
		  # blanks
		  - run: git diff --check
		    output: false
		  - run: make docs
		    message: The docs do not build.
		    timeout: 90s
		    output: stdout
		    max_lines: 20
		keep_root_clean: true
		rounds: 3  # three

		# Comments of .gauntlet/config.yml:
		# the end
	END
	diff -u expected "$OUT"
}

@test "what is not in the file is named with its place" {
	gauntlet
	conclaude
	run_holdfast migrate --dry-run
	assert_equal "$stderr" 'not in it: .gauntlet/config.yml:21:10: log_dir: logs are in .holdfast
not in it: .gauntlet/config.yml:19:25: stop_hook.run_interval_minutes: there is no interval: every change is checked at the next stop, and a gate that passed is not run again while its files are unchanged
not in it: .gauntlet/config.yml:20:13: stop_hook.reverify: fixes are always verified
not in it: .gauntlet/checks/unused.yml: no entry point names the check '\''unused'\'', so it never ran
not in it: .conclaude.yaml:19:3: notifications: it shows nothing: it has no hooks'
}

@test "rules for prompts, permissions, worktrees and notifications are in it, and what of them does nothing is named" {
	write .conclaude.yaml <<-'END'
		permissionRequest:
		  default: allow # as ever
		  # readers
		  allow: ["Re*"]
		  deny: [Bash, "a**"]
		notifications: {enabled: true, hooks: [Stop, "*", Foo], showErrors: true}
		userPromptSubmit:
		  contextRules:
		    # tests
		    - pattern: "(test|spec)s?\\b"
		      prompt: "Read this: @notes.md"
		    - {pattern: test, enabled: false, prompt: never}
		    - {pattern: "(", caseInsensitive: true, prompt: never}
		  slashCommands:
		    commands:
		      "/dep*": [{run: exit 2, message: No deploys.}]
		      "*": [{run: "true", notifyPerCommand: true}]
		  commands:
		    - {run: date, pattern: "^what", caseInsensitive: true, showStdout: true}
		    - {run: date, pattern: "[", showStdout: true}
		worktreeCreate:
		  command: echo trees
		  timeout: 90
		messageDisplay: {onlyFinal: false, commands: [{run: date}]}
		preToolUse: {preventRootAdditions: true}
	END
	run_holdfast migrate --dry-run
	assert_status 0
	sed 1,2d "$OUT" >got
	cat >expected <<-'END'
		guards:
		  rules:
		    - file: root
		  unknown: allow
		permissions:
		  default: ask  # as ever
		  # readers
		  allow: ["Re*"]
		  deny: [Bash]
		prompts:
		  # tests
		  - matches: (test|spec)s?\b
		    add: "Read this: @notes.md"
		  - run: "true"
		    slash: "*"
		    output: false
		    notify: true
		  - run: exit 2
		    slash: dep*
		    message: No deploys.
		    output: false
		  - run: date
		    matches: ^what
		    ignore_case: true
		    output: stdout
		    max_lines: 0
		events:
		  worktree_create:
		    - run: echo trees
		      timeout: 90s
		  message_display:
		    - run: date
		      output: false
		notify:
		  at: [stop, all]
		  show: [failed, started]
	END
	diff -u expected got
	sed 's/^not in it: .conclaude.yaml:[0-9]*:[0-9]*: //; s/: it matches nothing: .*/: it matches nothing/' "$ERR" >got
	cat >expected <<-'END'
		permissionRequest.deny[1]: it matches nothing
		userPromptSubmit.contextRules[1]: it is turned off
		userPromptSubmit.contextRules[2]: it matches nothing
		userPromptSubmit.commands[1]: it matches nothing
		notifications.hooks[2]: there is no event 'Foo'
		messageDisplay.onlyFinal: with holdfast.yml the commands run for the last piece of a message only
	END
	diff -u expected got
}

@test "the file is written once, the old ones stay, and only the new one counts" {
	gauntlet
	git_project
	before=$(find .gauntlet -type f -exec cat {} + | cksum)
	mkdir sub
	cd sub
	run_holdfast migrate
	assert_status 0
	assert_stderr_empty
	assert_stdout_has '/holdfast.yml: written from .gauntlet'
	assert_stdout_has 'It counts alone from now on: .gauntlet no longer has an effect, and nothing of it was changed.'
	assert_stdout_has 'git rm -r .gauntlet'
	cd ..
	assert_equal "$(find .gauntlet -type f -exec cat {} + | cksum)" "$before"
	run_holdfast validate
	assert_status 0
	assert_stderr_has '.gauntlet/config.yml: warning: has no effect'
	run_holdfast list
	assert_stdout_has 'lint '
	cmp .holdfast/schema.json "$ROOT/share/holdfast-schema.json"
	before=$(cksum <holdfast.yml)
	for option in '' --dry-run; do
		run_holdfast migrate $option
		assert_status 1
		assert_stderr_has '/holdfast.yml exists and is not changed'
	done
	assert_equal "$(cksum <holdfast.yml)" "$before"
}

@test "with a mistake in an old file nothing is written, and every mistake is named" {
	gauntlet
	echo 'timeout: soon' >>.gauntlet/checks/test.yml
	echo 'command: ""' >.gauntlet/checks/lint.yml
	run_holdfast migrate
	assert_status 1
	assert_stderr_has '.gauntlet/checks/test.yml:5:10: timeout: expected a number, not the string "soon"'
	assert_stderr_has '.gauntlet/checks/lint.yml:1:10: command: expected a text, not an empty one'
	assert_stderr_has 'fix that first; nothing was written'
	assert_absent holdfast.yml
	rm -r .gauntlet
	printf 'stop: {rounds: many}\n' >.conclaude.yaml
	run_holdfast migrate
	assert_status 1
	assert_stderr_has '.conclaude.yaml:1:16: stop.rounds: expected an integer'
	assert_absent holdfast.yml
}

@test "without old files, or with nothing in them that has an effect, nothing is written" {
	run_holdfast migrate
	assert_status 1
	assert_stderr_has "there is no .gauntlet, .validator or .conclaude.yaml here or above; 'holdfast init' proposes gates"
	printf 'notifications: {enabled: true}\n' >.conclaude.yaml
	run_holdfast migrate
	assert_status 1
	assert_stderr_has '.conclaude.yaml has nothing that holdfast acts on; nothing was written'
	assert_absent holdfast.yml
}

@test "old files in different directories are not torn apart" {
	gauntlet
	git_project
	mkdir sub
	printf 'stop: {rounds: 2}\n' >sub/.conclaude.yaml
	cd sub
	run_holdfast migrate
	assert_status 1
	assert_stderr_has 'are in different directories'
	assert_absent holdfast.yml ../holdfast.yml
}

@test "a check and a review of one name get two" {
	put .gauntlet/config.yml <<-'END'
		cli: {default_preference: [claude]}
		entry_points: [{path: ., checks: [quality], reviews: [quality]}]
	END
	put .gauntlet/checks/quality.yml <<<'command: make'
	printf -- '---\n---\nLook.\n' | put .gauntlet/reviews/quality.md
	run_holdfast migrate
	assert_status 0
	assert_stdout_has "not in it: .gauntlet/reviews/quality.md: the review is 'quality-review' now, because there is a check 'quality'"
	run_holdfast list
	assert_stdout_has 'quality '
	assert_stdout_has 'quality-review '
}

@test "an agent that runs it trusts nothing" {
	gauntlet
	CLAUDECODE=1 run_holdfast migrate
	assert_status 0
	assert_stdout_has "type 'holdfast trust --pin' in a terminal of your own"
	assert_equal "$(holdfast trust --list)" 'No project is trusted.'
}

@test "rules for tools become guards" {
	cat >.conclaude.yaml <<-'END'
		preToolUse:
		  # the root is ours
		  preventRootAdditions: true
		  preventRootAdditionsMessage: "Not here: {file_path}"
		  preventUpdateGitIgnored: true
		  uneditableFiles:
		    - package.json
		    - {pattern: "locked/**", message: Ask the team., agent: "test-*"}
		  preventAdditions: ["dist/**"]
		  toolUsageValidation:
		    - {tool: Bash, commandPattern: "git push *", matchMode: prefix, action: block, message: Open a pull request.}
		    - {tool: Edit, pattern: "*.lock", action: block}
		    - {tool: Bash, commandPattern: "*--force*", action: block}
		    # only our sources
		    - {tool: Write, pattern: "src/**", action: allow}
		    - {tool: Write, pattern: "doc/**", action: deny}
	END
	run_holdfast migrate --dry-run
	assert_status 0
	sed 1,2d "$OUT" >got
	cat >expected <<-'END'
		guards:
		  rules:
		    - tool: Bash
		      command: git push *
		      match: prefix
		      message: Open a pull request.
		    - tool: Edit
		      path: "*.lock"
		    - tool: Bash
		      command: "*--force*"
		    # only our sources
		    - tool: Write
		      path: src/**
		      action: only
		    - file: ignored
		    # the root is ours
		    - file: root
		      message: "Not here: {file_path}"
		    - path: package.json
		    - path: locked/**
		      by: ["test-*"]
		      message: Ask the team.
		    - file: new
		      path: dist/**
		  unknown: allow
	END
	diff -u expected got
	assert_equal "$stderr" "not in it: .conclaude.yaml:16:7: preToolUse.toolUsageValidation[4]: its action is neither 'block' nor 'allow', so it does nothing"
	run_holdfast migrate
	run_holdfast validate
	assert_status 0
}
