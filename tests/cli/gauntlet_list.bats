#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# list: the gates, their reviewers and where they apply.

load helper

setup() {
	setup_project
	write .gauntlet/config.yml <<-'END'
		cli:
		  default_preference: [claude, codex]
		entry_points:
		  - path: .
		    reviews: [quality]
		  - path: src
		    exclude: ['**/*.md']
		    checks: [ok, bad]
	END
	for name in ok bad; do echo "command: $name" | write .gauntlet/checks/$name.yml; done
	printf -- '---\n---\nLook.\n' | write .gauntlet/reviews/quality.md
	printf -- '---\nenabled: false\ncli_preference: [codex]\n---\nLook.\n' | write .gauntlet/reviews/old.md
}

# scenario: G13-54
@test "gates are sorted by name and entry points stay in their order" {
	for program in agent-gauntlet holdfast; do
		run_command $program list
		assert_status 0
		assert_stderr_empty
		assert_stdout 'Check Gates:
 - bad
 - ok

Review Gates:
 - old (Tools: codex) disabled
 - quality (Tools: claude, codex)

Entry Points:
 - .
   Reviews: quality
 - src
   Exclude: **/*.md
   Checks: ok, bad'
	done
}

@test "--json is one object with the same, --names a line for each gate" {
	run_holdfast list --json
	assert_status 0
	assert_json '.checks == [{name: "bad", command: "bad"}, {name: "ok", command: "ok"}]' \
		'.reviews == [{name: "old", enabled: false, reviewers: ["codex"]}, {name: "quality", enabled: true, reviewers: ["claude", "codex"]}]' \
		'.entry_points[1] == {path: "src", exclude: ["**/*.md"], checks: ["ok", "bad"], reviews: []}'
	echo 'command: ok' | write .gauntlet/checks/quality.yml
	run_holdfast list --names
	assert_stdout $'bad\nok\nquality\nold'
}

@test "an error is said on stderr and ends in exit code 1" {
	echo 'checks: [' >>.gauntlet/config.yml
	run_command agent-gauntlet list
	assert_status 1
	assert_stdout ''
	assert_stderr_has "Error: $PROJECT/.gauntlet/config.yml:"
}

@test "too many arguments are refused" {
	run_command agent-gauntlet list more
	assert_status 1
	assert_stdout ''
}
