#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# notify: the user is told that a loop has ended or a gate has failed, after the answer and in the background.

load helper

setup() {
	setup_project
	TOLD=$BATS_TEST_TMPDIR/told
	unset DISPLAY WAYLAND_DISPLAY
}

# configure LINE...: holdfast.yml with these lines after a gate that fails while there is a file `red`
configure() { printf '%s\n' 'gates: {test: "! test -e red"}' "$@" >holdfast.yml && git_project; }
# until_told N: waits for the background
until_told() {
	local i
	for ((i = 0; i < 500; i++)); do
		[[ $(wc -l <"$TOLD" 2>/dev/null || echo 0) -lt $1 ]] || return 0
		sleep 0.02
	done
	show "told only: $(cat "$TOLD" 2>/dev/null)"
}
# The command writes its file in one step.
COMMAND='{ printf "%s|%s|%s|%s|%s|" "$HOLDFAST_EVENT" "$HOLDFAST_STATUS" "$HOLDFAST_DECISION" "$HOLDFAST_LOOP_END" "$HOLDFAST_SESSION"; cat; } >"$TOLD.new"; cat "$TOLD.new" >>"$TOLD"'

@test "a command is told when a gate turns red, once, and again after it was green" {
	configure 'notify:' '  command: |' "    $COMMAND"
	export TOLD
	: >ok && : >red
	hook && assert_json '.decision == "block"' '.status == "failed"' '.terminalSequence == null'
	until_told 1
	[[ $(<"$TOLD") == 'gate_failed|failed|block||test-session|{"time":"'* ]] || show "$(<"$TOLD")"
	sed 's/^[^{]*//' "$TOLD" | jq -e --arg p "$PROJECT" '.event == "gate_failed" and .project == $p and .session == "test-session" and .client == "claude" and (.message | contains("test"))'
	echo 1 >ok
	hook && assert_json '.status == "failed"' # still red: no news
	rm red && hook && assert_json '.status == "passed"'
	: >red && hook && assert_json '.status == "failed"'
	until_told 2
	[[ $(wc -l <"$TOLD") == 2 ]]
}

@test "a command is told why a loop has ended; on says what else" {
	configure 'notify:' '  on: [loop_ended, stop_allowed]' '  command: |' "    $COMMAND"
	export TOLD
	holdfast ralph start --session "$SESSION" --max-iterations 2 'Go on.' >/dev/null
	hook && assert_json '.status == "loop_continues"'
	hook && assert_json '.decision == "approve"'
	until_told 2
	grep -q '^loop_ended|[a-z_]*|allow|max_iterations|test-session|{.*"loop_end":"max_iterations"' "$TOLD"
	grep -q '^stop_allowed|' "$TOLD"
}

@test "the client's terminal gets a sequence that it passes on, without anything of the message that is one" {
	local esc=$'\033'
	configure 'notify: {terminal: true}'
	: >red && hook
	assert_json '.terminalSequence | startswith("\u001b]9;holdfast: project: ") and endswith("\u0007") and ([match("[\u0000-\u001f]"; "g")] | length == 2)'
	sed -i 's/terminal: true/terminal: osc777/' holdfast.yml && rm red && hook && : >red && hook
	assert_json '.terminalSequence | startswith("\u001b]777;notify;holdfast;project: ") and ([match(";"; "g")] | length == 3)'
	sed -i 's/terminal: osc777/terminal: bell/' holdfast.yml && rm red && hook && : >red && hook
	assert_json '.terminalSequence == "\u0007"'
	sed -i 's/terminal: bell/terminal: osc99/' holdfast.yml && rm red && hook && : >red && hook '.' holdfast stop-hook --client codex
	[[ $stdout != *terminalSequence* ]] || show 'Codex refuses fields that it does not know'
	[[ $stdout != *"$esc"* ]]
}

@test "a semicolon at the start of the project's name ends no field of the terminal's sequence" {
	PROJECT=$BATS_TEST_TMPDIR/';;;project' && mkdir "$PROJECT" && cd "$PROJECT"
	configure 'notify: {terminal: osc777}'
	: >red && hook
	assert_json '.terminalSequence | startswith("\u001b]777;notify;holdfast;,,,project: ") and ([match(";"; "g")] | length == 3)'
}

@test "notify-send is run where there is a display" {
	configure 'notify: {desktop: true}'
	fake notify-send <<-END
		#!/bin/sh
		printf '%s|' "\$@" | tr '\n' ' ' >>"$TOLD.new"; echo >>"$TOLD.new"; cat "$TOLD.new" >"$TOLD"
	END
	: >red && hook
	rm red && hook
	: >red && DISPLAY=:9 hook
	until_told 1
	[[ $(<"$TOLD") == *'--urgency=critical|--|holdfast: project|'*test* ]] || show "$(<"$TOLD")"
}

@test "a notice never delays or changes the answer, holds nothing of the hook's, and is not sent by an untrusted project" {
	mkfifo "$BATS_TEST_TMPDIR/gate"
	configure 'notify:' "  command: 'cat $BATS_TEST_TMPDIR/gate >/dev/null; ls -l /proc/self/fd >$TOLD.new; mv $TOLD.new $TOLD; exit 7'"
	: >red
	# The pipe is at its end although the command still waits.
	event . >"$BATS_TEST_TMPDIR/event"
	holdfast stop-hook <"$BATS_TEST_TMPDIR/event" 2>&1 | cat >"$OUT"
	grep -q '"decision":"block"' "$OUT"
	[[ ! -e $TOLD ]]
	echo go >"$BATS_TEST_TMPDIR/gate"
	until_told 3
	! grep -q "$OUT\|pipe:.*\[0-9\] -> pipe" "$TOLD"
	rm "$TOLD"
	echo "notify: {command: 'echo x >$TOLD'}" >holdfast.yml
	run_command holdfast stop-hook --user <"$BATS_TEST_TMPDIR/event"
	[[ ! -e $TOLD ]]
}

@test "a dry run tells nobody, and mistakes in notify have their place" {
	configure "notify: {on: stop_allowed, command: 'echo x >$TOLD'}"
	hook . holdfast stop-hook --dry-run
	echo 'notify: {on: loop_end}' >holdfast.yml
	run_holdfast validate
	[[ $stderr == *"holdfast.yml:1:14: notify.on: expected one of loop_ended, gate_failed, stop_allowed, not the string \"loop_end\""* ]] || show "$stderr"
	[[ ! -e $TOLD ]]
}

@test "trust shows the command, those of events, and what runs without a question" {
	printf '%s\n' 'notify: {command: say hello}' 'events: {session_start: make prepare}' 'permissions: {allow: "Web*"}' \
		'gates: {t: "true"}' >holdfast.yml
	run_holdfast trust
	[[ $stdout == *notify*'say hello'* && $stdout == *SessionStart*'make prepare'* && $stdout == *allows*'Web*'* ]] || show
}

@test "a notification does not make the client's worktrees its own" {
	configure 'notify: {on: [gate_failed], at: [all], terminal: bell}'
	run holdfast init --yes --no-mcp
	assert_status 0
	jq -e '.hooks.Stop and (.hooks | has("WorktreeCreate") | not) and .hooks.PostToolUse' .claude/settings.json
}
