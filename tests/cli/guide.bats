#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The guide's examples and the demo do what they show.

load helper

# page PATH: its examples run as they are shown, in a project of their own; there is at least one.
page() {
	run_command "$ROOT/tests/demo/run-page" "$ROOT/$1"
	assert_stderr_empty
	assert_status 0
	((stdout > 0)) || show "$1 has no example that is run"
}

@test "the examples of the README run" { page README.md; }
@test "the examples on getting started run" { page doc/guide/getting-started.md; }
@test "the examples on Ralph loops run" { page doc/guide/ralph.md; }
@test "the examples on the morning after run" { page doc/guide/report.md; }
@test "the examples on follow-ups run" { page doc/guide/follow-ups.md; }
@test "the examples on stop commands run" { page doc/guide/stop-commands.md; }
@test "the examples on gates run" { page doc/guide/gates.md; }
@test "the examples on reviews run" { page doc/guide/reviews.md; }
@test "the examples on agent-gauntlet run" { page doc/guide/agent-gauntlet.md; }
@test "the examples on conclaude run" { page doc/guide/conclaude.md; }
@test "the examples on holdfast mcp run" { page doc/guide/mcp.md; }
@test "the examples on events run" { page doc/guide/events.md; }
@test "the examples on holdfast.yml run" { page doc/guide/holdfast-yml.md; }
@test "the examples on notifications run" { page doc/guide/notifications.md; }
@test "the examples on watch run" { page doc/guide/watch.md; }
@test "the examples on rounds and infinite mode run" { page doc/guide/rounds-and-infinite.md; }
@test "the examples on switching run" { page doc/guide/switching.md; }
@test "the examples on guards run" { page doc/guide/guards.md; }
@test "the examples on todos run" { page doc/guide/todos.md; }
@test "the examples on honest tests run" { page doc/guide/honest-tests.md; }
@test "the examples on protected files run" { page doc/guide/protected-files.md; }
@test "the examples on trust run" { page doc/guide/trust.md; }
@test "the examples on troubleshooting run" { page doc/guide/troubleshooting.md; }

@test "no page of the guide is forgotten here" {
	local path
	for path in "$ROOT"/doc/guide/*.md; do
		grep -qF "page ${path#"$ROOT"/};" "$BATS_TEST_FILENAME" || show "nothing runs ${path##*/}"
	done
}

@test "only the pages about other tools have examples with their files" {
	local path
	for path in "$ROOT"/README.md "$ROOT"/doc/guide/*.md; do
		case ${path##*/} in agent-gauntlet.md | conclaude.md | switching.md) continue ;; esac
		! grep -nE '^(<!-- file: |\$ ).*(\.gauntlet|\.conclaude|\.validator)' "$path" || show "${path##*/} has an example with another tool's file"
	done
}

@test "the guide's table of statuses is the program's list" {
	holdfast help --names | awk -F '\t' '$1 == "status" { print $2 }' | sort >names
	sed -n 's/^| `\([a-z_]*\)` | \(block\|allow\) |.*/\1/p' "$ROOT/doc/guide/troubleshooting.md" | sort >table
	[[ -s names ]] || show 'the program names no status'
	diff names table || show 'they differ'
}

@test "an example that prints something else, or fails, is noticed" {
	local fence='```' shown
	for shown in 'one' $'one\ntwo\nthree' $'one\n...\nfour' $'one\ntw…x' ''; do
		printf '%s\n' '<!-- run -->' '' "$fence" "\$ printf 'one\ntwo\n'" ${shown:+"$shown"} "$fence" >page.md
		run_command "$ROOT/tests/demo/run-page" page.md
		assert_status 1
		assert_stderr_has 'page.md:'
		assert_stderr_has 'does not print what is shown'
	done
	for shown in $'one\ntwo' '...' $'one\n...' $'o…e\n...\ntwo' $'…\n…o'; do
		printf '%s\n' '<!-- run -->' "$fence" "\$ printf 'one\ntwo\n'" "$shown" "$fence" >page.md
		run_command "$ROOT/tests/demo/run-page" page.md
		assert_stderr_empty
		assert_stdout 1
	done
	printf '%s\n' '<!-- run -->' "$fence" '$ false' "$fence" >page.md
	run_command "$ROOT/tests/demo/run-page" page.md
	assert_stderr_has "'false' has exit code 1, not 0"
	printf '%s\n' '<!-- run: exit 1 -->' "$fence" 'false' "$fence" >page.md
	run_command "$ROOT/tests/demo/run-page" page.md
	assert_status 0
}

@test "a page's files are written, its examples share a shell, and other blocks are left alone" {
	local fence='```'
	printf '%s\n' '<!-- file: a/b -->' "${fence}yaml" 'a: [*]' "$fence" "${fence}sh" 'touch never' "$fence" \
		'<!-- run -->' "${fence}sh" 'cd a' 'x="$(cat b)"' "$fence" \
		'<!-- run -->' 'Words between: the mark is for the block that follows it at once.' "${fence}sh" 'touch never' "$fence" \
		'<!-- run -->' "${fence}console" '$ echo "$x" \' '> two' 'a: [*] two' "$fence" >page.md
	run_command "$ROOT/tests/demo/run-page" page.md
	assert_stderr_empty
	assert_stdout 2
	assert_file a/b 'a: [*]'
	assert_absent a/never
	assert_absent never
}

@test "the demo plays to its end and leaves nothing behind" {
	HOLDFAST_BIN=$BIN/holdfast run_command "$ROOT/tests/demo/demo.sh"
	assert_stderr_empty
	assert_status 0
	assert_stdout_has 'BLOCK    failed'
	assert_stdout_has 'cart.c:1: error: the total ignores the count'
	assert_stdout_has '✓ gates passed'
	assert_stdout_has 'BLOCK    command_failed'
	assert_stdout_has 'complete after 3 iterations'
	assert_stdout_has 'BLOCK    follow_up'
	assert_stdout_has 'BLOCK    round_completed'
	assert_stdout_lacks $'\e'
	assert_stdout_lacks "$TMPDIR"
	[[ -z $(ls -A "$TMPDIR" "$HOME" "$STATE" | grep -v -e : -e '^$' -e .gitconfig) ]] || show 'something was left behind'
	awk 'length($0) > 100 { print; bad = 1 } END { exit bad }' "$OUT" || show 'a line is too long for a terminal'
}

@test "the demo fails when an answer is not the expected one" {
	fake approves <<-'END'
		#!/bin/sh
		echo '{"decision":"approve","status":"no_config","message":"m"}'
	END
	HOLDFAST_BIN=$BIN/approves run_command "$ROOT/tests/demo/demo.sh"
	assert_status 1
	assert_stderr_has 'expected block/failed'
}

@test "the picture in the README is the demo as it is now" {
	HOLDFAST_BIN=$BIN/holdfast DEMO_COLOUR=always run_command "$ROOT/tests/demo/demo.sh"
	"$ROOT/tests/demo/svg" 2 3 <"$OUT" >"$BATS_TEST_TMPDIR/demo.svg"
	cmp "$BATS_TEST_TMPDIR/demo.svg" "$ROOT/doc/demo.svg" ||
		show 'make it again: DEMO_COLOUR=always tests/demo/demo.sh | tests/demo/svg 2 3 >doc/demo.svg'
	(($(stat -c %s "$ROOT/doc/demo.svg") < 40000)) || show 'it is too big'
}
