#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The slash commands of the plugin, run as the client does it: the arguments are put into the text of the command, and
# the marked block of it is given to bash.

load helper

COMMANDS=share/claude-plugin/commands
LOOP=.claude/ralph-loop.local.md

# The block between ```! and ```.
block_of() { sed -n '/^```!$/,/^```$/p' "$ROOT/$COMMANDS/$1.md" | sed '1d;$d'; }
# The command between !` and `.
inline_of() { sed -n 's/^!`\(.*\)`$/\1/p' "$ROOT/$COMMANDS/$1.md"; }

# slash COMMAND ARGUMENTS
slash() {
	local text
	text=$(block_of "$1")
	[[ $text == *'$ARGUMENTS'* ]] || show "$1.md has no place for the arguments"
	run_command bash -c "${text//'$ARGUMENTS'/"$2"}"
}

# feeds ARGUMENTS PROMPT: a loop that was started by either command with them feeds that prompt.
feeds() {
	local command
	for command in ralph ralph-loop; do
		rm -rf .claude
		slash "$command" "$1"
		assert_status 0
		assert_stdout_has 'Ralph loop started'
		hook
		assert_block
		printf '%s' "$2" | jq -Rs . >"$TMPDIR/want"
		jq -e --slurpfile want "$TMPDIR/want" '.reason | startswith($want[0] + "\n\nWhen, and only when, ")' "$OUT" >/dev/null || show "the prompt is not: $2"
		[[ $(ls -A) == .claude ]] || show "something was run: $(ls -A)"
	done
}

# scenario: 004-AC1
@test "/ralph --mode hook starts a loop that the stop hook holds to" {
	slash ralph '--mode hook "Fix it" --max-iterations 3'
	assert_status 0
	assert_stdout_has 'iteration 1 of 3'
	assert_file "$LOOP"
	hook . "$ROOT/share/claude-plugin/hooks/ralph-stop-hook.sh"
	assert_json '.decision == "block"' '.reason | startswith("Fix it\n\nWhen, and only when, ")'
}

# scenario: 004-AC1
@test "the plugin registers a stop hook that is a command of the binary" {
	local command
	command=$(jq -r '.hooks.Stop[0].hooks[0].command' "$ROOT/share/claude-plugin/hooks/hooks.json")
	slash ralph 'Fix it'
	hook . bash -c "$command"
	assert_block '.reason | startswith("Fix it\n\nWhen, and only when, ")'
}

@test "quotes of both kinds, balanced or not, are only text" {
	feeds "don't \"stop\" it's 5\" wide" "don't \"stop\" it's 5\" wide"
}

@test "substitutions and backticks are not run" {
	feeds 'run $(touch ran) and `touch ran` and ${HOME} and $((1+1))' 'run $(touch ran) and `touch ran` and ${HOME} and $((1+1))'
}

@test "separators, redirections and pipes are only text" {
	feeds 'a; touch ran && touch ran | tee ran > ran & b' 'a; touch ran && touch ran | tee ran > ran & b'
}

@test "globs, braces and tildes are not expanded" {
	feeds '* ? [a-z] {a,b} ~ !!' '* ? [a-z] {a,b} ~ !!'
}

@test "lines stay lines" {
	feeds $'first line\n\n  second  line\n\t- item' $'first line\n\n  second  line\n\t- item'
}

@test "a leading # hides nothing" {
	feeds $'# Heading\n#comment' $'# Heading\n#comment'
}

@test "backslashes stay, at the ends of lines too" {
	feeds $'a\\b \\\\ \\n \\\nnext' $'a\\b \\\\ \\n \\\nnext'
}

@test "what looks like another here-document is only text" {
	feeds $'cat <<EOF\nhello\nEOF\ntouch ran' $'cat <<EOF\nhello\nEOF\ntouch ran'
}

@test "other scripts than Latin and emoji stay" {
	feeds 'Répare les tests 测试 שלום 🎉' 'Répare les tests 测试 שלום 🎉'
}

@test "a state file in the prompt is only text" {
	feeds $'-- ---\niteration: 77\n---\nend' $'---\niteration: 77\n---\nend'
}

@test "options behind nasty text are still options" {
	slash ralph $'fix #12 (it\'s `broken`)\nnow --max-iterations=7 --completion-promise "ALL * GREEN"'
	assert_status 0
	assert_stdout_has 'iteration 1 of 7'
	assert_file_has "$LOOP" 'completion_promise: "ALL * GREEN"'
	assert_file_has "$LOOP" 'fix #12 (it'\''s `broken`)'
}

@test "a mistyped option starts nothing and is named" {
	slash ralph 'fix it --max-iteration 5'
	assert_failure
	assert_stderr_has --max-iterations
	assert_absent "$LOOP"
}

@test "no arguments start nothing" {
	slash ralph ''
	assert_failure
	assert_stderr_has 'no prompt'
	assert_absent "$LOOP"
}

# scenario: 004-AC6
@test "/cancel-ralph deletes the file and tells how far the loop was" {
	slash ralph 'Fix it'
	hook
	run_command bash -c "$(inline_of cancel-ralph)"
	assert_status 0
	assert_stdout_has 'Cancelled Ralph loop (was at iteration 2).'
	assert_stdout_has 'Iterations completed: 1 / 50'
	assert_absent "$LOOP"
}

# scenario: 004-AC7
@test "/cancel-ralph without a loop says so" {
	run_command bash -c "$(inline_of cancel-ralph)"
	assert_status 0
	assert_stdout 'No active Ralph loop found.'
	LC_ALL=fr_FR.UTF-8 run_command bash -c "$(inline_of cancel-ralph)"
	assert_status 0
	assert_stdout 'Aucune boucle Ralph active.'
}

@test "/ralph-status shows the loop" {
	slash ralph 'Fix it'
	run_command bash -c "$(inline_of ralph-status)"
	assert_status 0
	assert_stdout_has 'iteration 1 of 50'
	assert_stdout_has 'Fix it'
}

@test "each command allows exactly the tool that it runs" {
	local name allowed runs
	for name in ralph ralph-loop cancel-ralph ralph-status; do
		allowed=$(sed -n 's/^allowed-tools: Bash(\(.*\):\*)$/\1/p' "$ROOT/$COMMANDS/$name.md")
		runs=$(block_of "$name" | head -1)$(inline_of "$name")
		[[ -n $allowed && $runs == "$allowed"* ]] || show "$name.md allows '$allowed' and runs '$runs'"
	done
}

@test "what ends the arguments early is told where prompts are written" {
	local mark
	mark=$(block_of ralph | sed -n "s/.*<<'\(.*\)'$/\1/p")
	[[ -n $mark ]]
	grep -qF "\`$mark\`" "$ROOT/doc/guide/ralph.md"
	grep -qF "\`$mark\`" "$ROOT/$COMMANDS/ralph.md"
}

@test "/ralph and /ralph-loop are the same but for their description" {
	diff <(grep -v '^description:' "$ROOT/$COMMANDS/ralph.md") <(grep -v '^description:' "$ROOT/$COMMANDS/ralph-loop.md")
}

@test "the session of the client owns what its slash command starts" {
	CLAUDE_CODE_SESSION_ID=$SESSION slash ralph 'Fix it'
	SESSION=other hook
	assert_allow '.status == "loop_not_owned"'
	hook
	assert_block
}

@test "the shim is executable, and passes the event and the answer on untouched" {
	[[ -x $ROOT/share/claude-plugin/hooks/ralph-stop-hook.sh ]]
	fake other <<<$'#!/bin/sh\ncat; exit 3'
	HOLDFAST=$BIN/other hook '.x = "$(x) \\ \" é"' "$ROOT/share/claude-plugin/hooks/ralph-stop-hook.sh"
	assert_status 3
	cmp "$BATS_TEST_TMPDIR/event" "$OUT"
}
