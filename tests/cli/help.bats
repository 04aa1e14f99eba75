#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Help, versions, and what a wrong command line gets.

load helper

@test "help lists every command with a line about it" {
	run_holdfast help
	assert_status 0
	assert_stderr_empty
	local name
	for name in stop-hook hook ralph init uninstall doctor completions help version; do
		grep -qE "^  $name +[a-z]" "$OUT" || show "no line for $name"
	done
	cp "$OUT" first
	run_holdfast --help
	cmp first "$OUT"
	run_holdfast -h
	cmp first "$OUT"
}

@test "every command has help, by both names for it, with exit code 0" {
	local kind name count=0
	while IFS=$'\t' read -r kind name _; do
		[[ $kind == command && $name != holdfast ]] || continue
		run_holdfast ${name#holdfast } --help
		assert_status 0
		assert_stderr_empty
		assert_stdout_has "usage: $name"
		cp "$OUT" page
		run_holdfast ${name#holdfast } -h
		cmp page "$OUT"
		run_holdfast help ${name#holdfast }
		cmp page "$OUT"
		count=$((count + 1))
	done < <(holdfast help --names)
	((count > 10))
}

@test "help names every option of a command" {
	local kind name option count=0
	while IFS=$'\t' read -r kind name option; do
		[[ $kind == option ]] || continue
		count=$((count + 1))
		holdfast ${name#holdfast } --help | grep -qE -- "$option( |\$)" || show "$name: $option"
	done < <(holdfast help --names)
	((count > 10))
}

# scenario: G13-54
@test "agent-gauntlet's help names its commands, and run, check and review have the same selection" {
	local name option
	run_command agent-gauntlet help
	assert_status 0
	for name in run check review clean stop-hook detect ci list health init validate help; do
		grep -qE "^  $name +[a-z]" "$OUT" || show "no line for $name"
	done
	for name in run check review; do
		run_command agent-gauntlet $name --help
		assert_status 0
		for option in '-b, --base-branch' '-g, --gate' '-c, --commit' '-u, --uncommitted'; do
			assert_stdout_has "  $option "
		done
	done
}

@test "help --all has all pages" {
	run_holdfast help --all
	assert_status 0
	assert_stdout_has 'usage: holdfast COMMAND'
	assert_stdout_has 'usage: holdfast ralph start'
	assert_stdout_has 'usage: holdfast uninstall'
}

@test "lines fit 80 columns in a pipe, and there is no colour" {
	run_holdfast help --all
	assert_status 0
	assert_stdout_lacks $'\033'
	assert_equal "$(awk 'length($0) > 80' "$OUT")" ''
}

@test "colour on request" {
	CLICOLOR_FORCE=1 run_holdfast help
	grep -q $'\033\[1m' "$OUT"
}

@test "the version is that of the program's name" {
	run_holdfast --version
	assert_status 0
	[[ $stdout =~ ^holdfast\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || show version
	local version=${stdout#holdfast }
	run_holdfast -V
	assert_stdout "holdfast $version"
	run_holdfast version
	assert_stdout "holdfast $version"
	run_command conclaude --version
	assert_stdout "conclaude $version"
	run_command agent-gauntlet -V
	assert_stdout "agent-gauntlet $version"
}

@test "another name for the file is holdfast" {
	ln -s "$BIN/holdfast" "$BIN/other"
	run_command other --version
	[[ $stdout == holdfast\ * ]] || show name
}

@test "no command: usage on stderr, exit 1; agent-gauntlet's own is its help" {
	local program
	for program in holdfast conclaude; do
		run_command $program
		assert_status 1
		assert_stdout ''
		assert_stderr_has "usage: $program COMMAND"
	done
	run_holdfast ralph
	assert_status 1
	assert_stderr_has 'usage: holdfast ralph COMMAND'
	run_command agent-gauntlet help
	local page=$stdout
	run_command agent-gauntlet
	assert_status 0
	assert_stdout "$page"
	assert_stderr_empty
}

@test "an unknown command: the nearest names, exit 1" {
	run_holdfast stop-hok
	assert_status 1
	assert_stdout ''
	assert_stderr_has "unknown command 'stop-hok'; did you mean 'stop-hook'?"
	run_holdfast ralph strat
	assert_status 1
	assert_stderr_has "did you mean 'start'"
	run_holdfast help stop-hok
	assert_status 1
	run_command conclaude Stpo
	assert_status 1
	assert_stderr_has 'Stop'
}

@test "an unknown option is an error and never an argument" {
	run_holdfast init --dry-rum
	assert_status 1
	assert_stderr_has "unknown option '--dry-rum'; did you mean '--dry-run'?"
	assert_absent .claude
	run_holdfast ralph start fix it --max-iteration 5
	assert_status 1
	assert_stderr_has "did you mean '--max-iterations'?"
	assert_absent .claude
}

@test "a missing value, and an option in the place of one, are errors" {
	run_holdfast ralph start fix it --max-iterations
	assert_status 1
	assert_stderr_has '--max-iterations needs a value'
	run_holdfast ralph start fix it --completion-promise --max-iterations 5
	assert_status 1
	assert_stderr_has "'--max-iterations' looks like an option"
	assert_absent .claude
}

@test "arguments that a command does not take are an error" {
	run_holdfast doctor please
	assert_status 1
	assert_stderr_has "unexpected argument 'please'"
}

@test "output that can't be written is an error" {
	[[ -e /dev/full ]] || skip
	status=0
	holdfast help >/dev/full 2>"$ERR" || status=$?
	stderr=$(<"$ERR")
	assert_status 1
	assert_stderr_has 'cannot write'
}

@test "a command that is misspelt behind help is suggested" {
	run_holdfast help ralph strat
	assert_status 1
	assert_stderr_has "'holdfast ralph' has no command 'strat'; did you mean 'start'"
}

@test "help says where to begin" {
	run_holdfast help
	[[ $(tr '\n' ' ' <"$OUT") == *"'holdfast init' writes gates and registers the hooks"*"'holdfast doctor' shows"* ]] || show 'no beginning is named'
}

@test "the beginning of an option or a command is understood, but not acted on" {
	run_holdfast ralph start x --max-iter 5
	assert_status 1
	assert_stderr_has "unknown option '--max-iter'; did you mean '--max-iterations'?"
	run_holdfast complet
	assert_status 1
	assert_stderr_has "unknown command 'complet'; did you mean 'completions'?"
}
