#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# detect: which gates the changes would bring, and why. Nothing is run.

load helper

setup() {
	setup_project
	unset GITHUB_ACTIONS GITHUB_BASE_REF GITHUB_SHA
	write .gauntlet/config.yml <<-'END'
		base_branch: main
		cli:
		  default_preference: [claude]
		entry_points:
		  - path: src
		    exclude: ["**/*.md"]
		    checks: [ok, tools]
		  - path: packages/*
		    checks: [ok]
		  - path: .
		    reviews: [quality]
	END
	write .gauntlet/checks/ok.yml <<<'command: "touch was-run"'
	printf 'command: "true"\nworking_directory: tools\n' | write .gauntlet/checks/tools.yml
	write .gauntlet/checks/only-ci.yml <<<'{command: "true", run_locally: false}'
	printf -- '---\nnum_reviews: 1\n---\nLook.\n' | write .gauntlet/reviews/quality.md
	write src/a.txt <<<one
	write packages/README.md <<<one
	git_project
	git checkout -q -b feat
}

jobs() { jq -r '[.jobs[].id] | join(" ")' "$OUT"; }
changes() { jq -r '.changes | join(" ")' "$OUT"; }

@test "without a change there is nothing to run" {
	run_holdfast detect
	assert_status 0
	assert_stdout $'Detecting changes...\nNo changes detected.'
	assert_stderr_empty
}

@test "the plan is shown by entry point with the reason of each gate" {
	echo two >src/a.txt
	write packages/one/x.c <<<x
	run_holdfast detect
	assert_status 0
	assert_stdout 'Detecting changes...
Found 2 changed files:
  - packages/one/x.c
  - src/a.txt
Would run 4 gate(s):

Entry point: .
  review quality  (packages/one/x.c changed)
Entry point: src
  check ok  (src/a.txt changed)
  check tools  (src/a.txt changed; runs in tools)
Entry point: packages/one
  check ok  (packages/one/x.c changed)'
	assert_stderr_empty
	assert_absent was-run
	assert_absent gauntlet_logs
}

@test "changes without a gate" {
	sed -i '/path: \.$/,$d' .gauntlet/config.yml
	git commit -qam 'no root' && git branch -f main
	echo two >packages/README.md
	echo new >src/NOTES.md
	run_holdfast detect
	assert_status 0
	assert_stdout_has 'No applicable gates for these changes.'
	assert_stdout_lacks 'Would run'
}

@test "as JSON: the changes, and each job with where, what and why" {
	echo two >src/a.txt
	run_holdfast detect --json
	assert_status 0
	assert_json '.changes == ["src/a.txt"]' '.jobs | length == 3' \
		'.jobs[0] == {id: "review:.:quality", kind: "review", gate: "quality", entry_point: ".", working_directory: ".", reason: "src/a.txt changed"}' \
		'.jobs[2] == {id: "check:tools:tools", kind: "check", gate: "tools", entry_point: "src", working_directory: "tools", reason: "src/a.txt changed"}'
	git checkout -q src/a.txt
	run_holdfast detect --json
	assert_json '.changes == []' '.jobs == []'
}

@test "committed, staged, not staged and untracked changes all count" {
	echo two >src/committed.txt && git add -A && git commit -qm two
	echo three >src/staged.txt && git add src/staged.txt
	echo four >src/a.txt
	echo five >src/untracked.txt
	run_holdfast detect --json
	assert_equal "$(changes)" 'src/a.txt src/committed.txt src/staged.txt src/untracked.txt'
	run_holdfast detect --json --uncommitted
	assert_equal "$(changes)" 'src/a.txt src/staged.txt src/untracked.txt'
	run_holdfast detect --json -c HEAD
	assert_equal "$(changes)" 'src/committed.txt'
	run_holdfast detect --json -u --commit HEAD
	assert_equal "$(changes)" 'src/committed.txt'
	run_holdfast detect --json -b HEAD
	assert_equal "$(changes)" 'src/a.txt src/staged.txt src/untracked.txt'
}

# scenario: G13-52
@test "in CI the base of the pull request and the commit under test count, and gates for CI" {
	sed -i 's/checks: \[ok, tools\]/checks: [ok, only-ci]/' .gauntlet/config.yml
	git commit -qam 'only in CI' && git branch -f main
	echo two >src/b.txt && git add -A && git commit -qm two
	echo dirty >src/c.txt
	run_holdfast detect --json
	assert_equal "$(jobs)" 'review:.:quality check:src:ok'
	CI=true GITHUB_BASE_REF=main run_holdfast detect --json
	assert_equal "$(changes)" 'src/b.txt'
	assert_equal "$(jobs)" 'review:.:quality check:src:ok check:src:only-ci'
	CI=true GITHUB_BASE_REF=main GITHUB_SHA=$(git rev-parse HEAD~1) run_holdfast detect --json
	assert_equal "$(changes)" ''
	GITHUB_ACTIONS=true run_holdfast detect --json
	assert_equal "$(changes)" 'src/b.txt'
}

@test "from a directory below, paths are still the project's" {
	echo two >src/a.txt
	mkdir -p src/deep/er && cd src/deep/er || return 1
	run_holdfast detect
	assert_status 0
	assert_stdout_has '  - src/a.txt'
	assert_stdout_has 'Entry point: src'
}

@test "the log directory is no change" {
	write gauntlet_logs/check_src_ok.1.log <<<'Result: fail'
	run_holdfast detect
	assert_stdout $'Detecting changes...\nNo changes detected.'
}

# scenario: G13-78
@test "names with blanks, newlines and escape sequences are shown and do no harm" {
	write 'src/a b.txt' <<<x
	write $'src/n\nl.txt' <<<x
	write $'src/\e[31mred.txt' <<<x
	run_holdfast detect
	assert_stdout_has '  - src/a b.txt'
	assert_stdout_has '  - src/n l.txt'
	assert_stdout_has '  - src/red.txt'
	[[ $stdout != *$'\e'* ]] || show 'an escape came through'
	run_holdfast detect --json
	assert_json '.changes == ["src/\u001b[31mred.txt", "src/a b.txt", "src/n\nl.txt"]'
}

@test "a directory that is gone is no entry point" {
	write packages/old/x.c <<<x
	git add -A && git commit -qm old && git branch -f main
	git rm -qr packages/old
	run_holdfast detect --json
	assert_equal "$(changes)" 'packages/old/x.c'
	assert_equal "$(jobs)" 'review:.:quality'
}

@test "what can't be loaded or asked is an error on stderr and exit code 1" {
	run_holdfast detect -c no-such-commit
	assert_status 1
	assert_stdout ''
	assert_stderr_has 'holdfast: '
	sed -i 's/checks: \[ok\]/checks: [nope]/' .gauntlet/config.yml
	run_holdfast detect
	assert_status 1
	assert_stderr_has 'holdfast: '
	assert_stderr_has 'nope'
	rm -r .gauntlet
	run_holdfast detect
	assert_status 1
	assert_stderr_has "holdfast: there is no holdfast.yml and no .gauntlet/config.yml in $PROJECT or above it"
	run_holdfast detect --bogus
	assert_status 1
	assert_stderr_has '--bogus'
}

@test "agent-gauntlet has it too" {
	echo two >src/a.txt
	run_command agent-gauntlet detect
	assert_status 0
	assert_stdout_has $'\n  check ok  ('
}
