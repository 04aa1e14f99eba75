#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What is left behind by commands that are ended at any moment: whole files, and after a signal that can be held back
# none but those of the usual names.

load helper

# interrupt SIGNAL COMMAND...: runs the command 40 times, and ends it each time a little later.
interrupt() {
	local signal=$1 n
	shift
	for ((n = 0; n < 40; n++)); do
		"$@" >/dev/null 2>&1 &
		sleep "0.00$((n % 10))"
		kill "-$signal" $! 2>/dev/null || true
		wait $! || true
	done
}

@test "init that is interrupted leaves no half-made file beside the settings" {
	local signal
	write .claude/settings.json <<<'{ "model": "x" }'
	for signal in TERM INT KILL; do
		interrupt "$signal" bash -c 'holdfast init; exec holdfast uninstall'
		jq -e '.model == "x"' .claude/settings.json
		[[ $signal != KILL ]] || rm -f .claude/.settings.json.*
		assert_equal "$(ls -A .claude)" settings.json
	done
	run_holdfast init
	run_holdfast uninstall
	assert_file .claude/settings.json '{ "model": "x" }'
}

@test "a hook that is interrupted while the pass gets another digit leaves no half-made file" {
	local signal
	mkdir -p .claude
	for signal in TERM HUP INT; do
		event >"$TMPDIR/event"
		interrupt "$signal" bash -c '
			printf "%s\n" --- "iteration: 9" "max_iterations: 0" --- "" "Go on." >.claude/next &&
				mv .claude/next .claude/ralph-loop.local.md && exec holdfast stop-hook <"$TMPDIR/event"'
		rm -f .claude/next
		assert_equal "$(ls -A .claude)" ralph-loop.local.md
	done
}

@test "init among ten thousand hooks, and in a directory whose name is no text, is taken back to the last byte" {
	local dir name
	for name in plain $'not \xff text'; do
		dir=$PROJECT/$name
		mkdir -p "$dir/.claude"
		git init -q "$dir"
		cd "$dir"
		jq -n '{hooks: {Stop: [range(10000) | {hooks: [{type: "command", command: "echo \(.)"}]}]}}' >.claude/settings.json
		cp .claude/settings.json "$TMPDIR/before"
		run_holdfast init
		assert_status 0
		run_holdfast init
		assert_stdout_has 'Nothing to change.'
		run_holdfast uninstall
		cmp .claude/settings.json "$TMPDIR/before"
		rm .claude/settings.json
		run_holdfast init
		run_holdfast uninstall
		assert_absent .claude/settings.json
	done
}
