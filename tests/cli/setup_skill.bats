#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The plugin's skill that sets holdfast up from inside the client: its commands, run as the client's agent runs them.

load helper

SKILL=share/claude-plugin/skills/setup/SKILL.md

# The commands in its fenced blocks.
commands() { sed -n '/^```sh$/,/^```$/p' "$ROOT/$SKILL" | grep -v '^```'; }
front() { sed -n "2,/^---\$/ s/^$1: //p" "$ROOT/$SKILL"; }

@test "the setup skill has the name of its folder and says when to use it" {
	[[ $(head -1 "$ROOT/$SKILL") == --- ]]
	[[ $(front name) == setup ]]
	[[ $(front description) == *'Use when'* ]]
	(($(front description | wc -c) <= 1024)) || show 'the description is too long for a client'
}

@test "the setup skill allows exactly the commands that it names" {
	local allowed line
	allowed=$(front allowed-tools | sed 's/, /\n/g' | sed -n 's/^Bash(\(.*\):\*)$/\1/p')
	while IFS= read -r line; do
		grep -qxF -e "$(cut -d' ' -f1-2 <<<"$line")" -e "$(cut -d' ' -f1-3 <<<"$line")" <<<"$allowed" || show "'$line' is not allowed"
	done < <(commands)
	while IFS= read -r line; do
		awk 'dashes == 2; /^---$/ { dashes++ }' "$ROOT/$SKILL" | grep -qF "$line" || show "'$line' is allowed and not used"
	done <<<"$allowed"
	[[ $allowed != *trust* ]]
}

@test "the setup skill's commands lead from nothing to a blocked stop" {
	local command
	export CLAUDECODE=1
	printf 'test:\n\t@test ! -e broken || { echo "cart.c:7: error: no total"; exit 1; }\n' >Makefile
	git_project
	run_holdfast init --dry-run
	assert_stdout_has 'test    make test'
	[[ -z $(git status --porcelain) ]] || show 'a dry run has written something'
	while IFS= read -r command; do
		[[ $command != *'NAME -- COMMAND' ]] || command="holdfast add gate style --files '*.c' -- '! grep -n TODO *.c'"
		run_command bash -c "$command"
		assert_status 0
	done < <(commands)
	run_holdfast list
	assert_stdout_has 'test   make test'
	assert_stdout_has 'style  ! grep -n TODO *.c  (for *.c)'
	unset CLAUDECODE
	touch broken
	hook
	assert_block '.reason | contains("cart.c:7: error: no total")'
}
