#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `holdfast watch`, driven in tmux as a person would: what is on the screen, what the keys do, and the terminal afterwards.

load helper
load gates
load reviews

setup() {
	setup_project
	unset TMUX
	TMUX_SOCKET=$(mktemp -u hf-XXXXXXXX)
	write holdfast.yml <<<'gates: {test: "test -e ok || { echo a.c:1: error: bad >&2; false; }", slow: "test ! -e hold || cat hold"}'
	git_project
	git checkout -q -b work
	echo x >a.c
}

teardown() { in_tmux kill-server 2>/dev/null || :; }

in_tmux() { tmux -u -L "$TMUX_SOCKET" -f /dev/null "$@" 3>&- 4>&-; }

# terminal WIDTH HEIGHT: a shell in a terminal of that size.
terminal() {
	in_tmux new-session -d -x "$1" -y "$2" env PS1='ready> ' ENV= sh
	wait_for_prompt
}

# keys KEY...: types them; text is typed as it is.
keys() { in_tmux send-keys "$@"; }

# watch [OPTION...]: types the command, and waits for the screen.
watch() {
	keys "holdfast watch $*" Enter
	wait_for 'q quit'
}

screen() { in_tmux capture-pane -p; }

# wait_for TEXT, wait_for_line REGEX, wait_until_gone TEXT: until the screen has it, or no longer has it.
# After a text has gone the screen may be empty for a moment: what comes next is waited for as well.
wait_for() { wait_screen 0 -F "$1"; }
wait_for_line() { wait_screen 0 -E "$1"; }
# An empty prompt: the shell reads again. What is typed while a program ends may be lost with it.
wait_for_prompt() { wait_for_line '^ready>$'; }
wait_until_gone() { wait_screen 1 -F "$1"; }
wait_screen() {
	local i code
	for ((i = 0; i < 2400; i++)); do # two minutes, for busy machines
		code=0
		screen | grep -q "$2" -- "$3" || code=1
		[[ $code == "$1" ]] && return
		sleep 0.05
	done
	printf 'never seen as wanted: %s\n' "$3" >&2
	screen >&2
	return 1
}

# loops COUNT: as many, each of a session of its own. The first is started, the others are copies of its file.
loops() {
	local i session
	CLAUDE_CODE_SESSION_ID=loop0001-x holdfast ralph start --max-iterations 20 "Work on part 1" >/dev/null 2>&1
	for ((i = 2; i <= $1; i++)); do
		printf -v session 'loop%04d-x' "$i"
		sed "s/loop0001-x/$session/; s/part 1/part $i/" .claude/ralph-loop.local.md >".claude/ralph-loop.$session.local.md"
	done
}

# The process that draws, and the one that keeps the terminal.
keeper() { child_of "$(in_tmux display -p '#{pane_pid}')"; }
worker() { child_of "$(keeper)"; }
child_of() {
	local file
	file=$(grep -lE "^PPid:[[:blank:]]$1\$" /proc/[0-9]*/status 2>/dev/null)
	file=${file%/status}
	echo "${file##*/}"
}

# The shell has its prompt, and the terminal is as it was before.
assert_restored() {
	wait_for_prompt
	keys 'stty -a; echo end-of-"stty"' Enter
	wait_for end-of-stty
	wait_for_line '(^| )icanon '
	wait_for_line '(^| )echo '
	assert_equal "$(in_tmux display -p '#{alternate_on} #{cursor_flag} #{keypad_cursor_flag}')" '0 1 0'
}

# assert_gone PID...: no such process is left.
assert_gone() {
	local pid i
	for pid; do
		for ((i = 0; i < 6000; i++)); do
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.02
		done
		((i < 6000))
	done
}

# fits WIDTH HEIGHT: the screen has that many lines, and none is wider.
fits() {
	[ "$(screen | wc -l)" = "$2" ]
	[ "$(screen | wc -L)" -le "$1" ]
}

@test "at 80x24 there are loops, gates with their times, sessions, and what failed last" {
	loops 1
	hook
	assert_block
	terminal 80 24
	watch
	fits 80 24
	wait_for_line '^holdfast  .*1 loop, 1 failing  ..:..:.. UTC$'
	wait_for_line '^  ↻ 1 of 20 +[0-9.]+ m?s +op0001-x  no stop yet +Work on part 1$'
	wait_for_line '^  ✗ test +failed [0-9]+ s ago +[0-9.]+ m?s +usually [0-9.]+ m?s$'
	wait_for_line '^  ✓ slow +passed [0-9]+ s ago'
	wait_for_line '^    -session  claude +blocked [0-9]+ s ago +gates +'
	wait_for_line '^LAST FAILURE  test  \.holdfast/check_\._test\.1\.log$'
	wait_for '    a.c:1: error: bad'
	wait_for_line '^ p pause  r resume  c cancel  g run gate  l log  \? help  q quit$'
	keys q
	assert_restored
}

@test "it fills 200x50, and follows a resize" {
	loops 1
	terminal 200 50
	watch
	fits 200 50
	wait_for 'has not run'
	in_tmux resize-window -x 60 -y 12
	wait_for 'q quit'
	fits 60 12
	in_tmux resize-window -x 100 -y 30
	wait_for 'Work on part 1'
	fits 100 30
	in_tmux resize-window -x 12 -y 2
	in_tmux resize-window -x 80 -y 24
	wait_for 'Work on part 1'
}

@test "where nothing is configured it says so, and a loop that starts then appears by itself" {
	rm holdfast.yml
	terminal 80 24
	watch
	wait_for 'No loop, no gates'
	loops 1
	wait_for 'Work on part 1'
	wait_for '1 loop'
}

@test "of 50 loops those around the selected one are shown" {
	loops 50
	terminal 80 24
	watch
	wait_for '50 loops'
	wait_for 'op0001-x'
	fits 80 24
	keys End
	wait_for 'slow'
	keys Home NPage
	wait_for 'op0013-x'
	keys Home
	wait_for 'LOOPS'
}

@test "--all has the loops of every project, this one first" {
	loops 1
	mkdir ../other && cd ../other && git init -q
	holdfast ralph start --max-iterations 7 Elsewhere >/dev/null 2>&1
	hook ".cwd = \"$PWD\""
	cd ../project
	terminal 200 50
	watch --all
	wait_for "${BATS_TEST_TMPDIR}/other"
	wait_for '2 of 7'
	screen | grep -n 'Work on part 1\|Elsewhere' | cut -d: -f1 | sort -n -c
	wait_for '2 loops'
}

@test "p pauses a loop, r resumes it, c cancels it after a question" {
	loops 1
	terminal 80 24
	watch
	keys p
	wait_for 'the loop is paused at iteration 1'
	wait_for '‖ 1 of 20'
	grep -q '^active: false' .claude/ralph-loop*.local.md
	keys r
	wait_for '↻ 1 of 20'
	keys c
	wait_for 'cancel this loop?'
	keys n
	wait_for 'the loop goes on'
	[ -e .claude/ralph-loop.local.md ]
	keys c
	wait_for 'cancel this loop?'
	keys y
	wait_for 'the loop is cancelled'
	wait_until_gone 'Work on part 1'
	[ ! -e .claude/ralph-loop.local.md ]
}

@test "g runs a gate in the background, and what runs is shown against its usual time" {
	holdfast run slow >/dev/null 2>&1
	mkfifo hold
	terminal 80 24
	watch
	keys j
	keys g
	wait_for '▶ slow'
	wait_for 'a run is in progress'
	wait_for ' times'
	wait_for_line '▶ slow +■+ +[0-9.]+ m?s +usually [0-9.]+ m?s +[0-9.]+ times$'
	keys g
	wait_for 'wait until it has ended'
	keys q
	wait_for_prompt
	watch
	wait_for '▶ slow'
	echo done >hold
	wait_for '✓ slow'
	assert_equal "$(grep -c '"event":"result".*"gate":"slow".*"pass"' "$XDG_STATE_HOME"/holdfast/projects/*/results.jsonl)" 2
}

@test "l opens the log of a gate with PAGER, and then the screen is back" {
	hook
	assert_block
	fake pager <<-'SCRIPT'
	#!/bin/sh
	echo "paging $1" && cat "${1:--}" && stty -a </dev/tty | grep -o ' echo ' && read -r line </dev/tty
	SCRIPT
	export PAGER=pager
	terminal 80 24
	watch
	keys l
	wait_for 'paging '
	wait_for 'Executing command: '
	keys Enter
	wait_for 'LAST FAILURE'
	keys End Enter
	wait_until_gone 'LAST FAILURE'
	wait_for_line 'Z  -session  block'
	keys Enter
	wait_for 'LAST FAILURE'
	keys q
	assert_restored
}

@test "? explains the keys" {
	terminal 80 24
	watch
	keys '?'
	wait_for 'end the selected loop, after a question'
	keys x
	wait_for GATES
}

@test "the terminal is restored after every signal, even if one of its processes is killed" {
	terminal 80 24
	local row pids
	for row in 'TERM 1' 'INT 1' 'HUP 1' 'QUIT 1' 'KILL 1' 'SEGV 1' 'TERM 0' 'KILL 0'; do
		watch
		pids=("$(keeper)" "$(worker)")
		kill "-${row% *}" "${pids[${row#* }]}"
		assert_gone "${pids[@]}"
		# The shell's prompt may have come before the other process restored the screen, which hides it.
		[[ $row != 'KILL 0' ]] || keys Enter
		assert_restored
		keys clear Enter
		wait_until_gone end-of-stty
	done
}

# A name that a stranger chose changes nothing: the log, or the session, is open when the signal comes.
@test "TERM ends it while a pager is open, in a project with a hostile name, and the pager with it" {
	local row pids name=$'b\e[41md \xe2\x80\xae"\x27$(touch x)\xc2\x9b;'
	mkdir "../$name" && cp -a . "../$name/" && cd "../$name"
	hook '.cwd = env.PWD'
	assert_block
	fake pager <<<$'#!/bin/sh\ntest -r "${1:--}" || cat\necho "paging $$"\ntrap "" INT\nread -r line </dev/tty'
	export PAGER=pager
	terminal 80 24
	watch
	wait_for 'b'
	LC_ALL=C.UTF-8 screen | python3 -c 'import re, sys; sys.exit(bool(re.search("\\^\\[|[\u202a-\u202e\x80-\x9f]", sys.stdin.read())))' || show 'the name controls the screen'
	keys q
	wait_for_prompt
	for row in 'TERM 0 l' 'TERM 1 Enter' 'HUP 0 l' 'KILL 0 l' 'TERM 0 End l'; do
		watch
		pids=("$(keeper)" "$(worker)")
		keys ${row#* * }
		wait_for_line 'paging [0-9]+$'
		pids+=("$(screen | sed -n 's/^.*paging \([0-9]*\)$/\1/p' | tail -n 1)")
		set -- $row
		kill "-$1" "${pids[$2]}"
		assert_gone "${pids[@]}"
		# As above.
		[[ $1 != KILL ]] || keys Enter
		wait_for_prompt
		keys clear Enter
		wait_until_gone paging
	done
}

@test "it ends with its terminal, and a pager that is open does, whether or not it heeds the signal" {
	local shown pids
	hook
	fake pager <<<$'#!/bin/sh\ntrap "" HUP TERM\necho "paging $$"\nwhile :; do sleep 1; done'
	export PAGER=pager
	for shown in screen pager; do
		terminal 80 24
		watch
		pids=("$(keeper)" "$(worker)")
		if [[ $shown == pager ]]; then
			keys l
			wait_for_line 'paging [0-9]+$'
			pids+=("$(screen | sed -n 's/^.*paging \([0-9]*\)$/\1/p' | tail -n 1)")
		fi
		in_tmux kill-server
		assert_gone "${pids[@]}"
	done
}

@test "a gate that ends while a pager is open is said to have ended" {
	local i passed='"event":"result".*"gate":"slow".*"pass"'
	mkfifo hold
	holdfast run test >/dev/null 2>&1 || :
	fake pager <<<$'#!/bin/sh\necho paging\nread -r line </dev/tty'
	export PAGER=pager
	terminal 80 24
	watch
	keys j g
	wait_for '▶ slow'
	keys k l
	wait_for paging
	echo done >hold
	for ((i = 0; i < 2400; i++)); do
		! grep -qs "$passed" "$XDG_STATE_HOME"/holdfast/projects/*/results.jsonl || break
		sleep 0.05
	done
	((i < 2400)) || show 'the gate has not ended'
	keys Enter
	wait_for '✓ slow'
	keys j g
	wait_for '▶ slow'
	echo done >hold
	wait_for '✓ slow'
}

@test "Ctrl-C quits, and Ctrl-Z gives the terminal back until fg" {
	terminal 80 24
	watch
	keys C-z
	wait_for 'Stopped'
	assert_restored
	keys fg Enter
	wait_for 'q quit'
	keys C-c
	assert_restored
}

# wait_stopped: until the shell's job, of one process or two, is stopped.
wait_stopped() {
	local i
	for ((i = 0; i < 2400; i++)); do
		grep -q '^State:.T' "/proc/$(keeper)/status" 2>/dev/null && return
		sleep 0.05
	done
	return 1
}

@test "in the background it waits for the terminal" {
	terminal 80 24
	keys 'holdfast watch &' Enter
	wait_stopped
	wait_until_gone 'q quit'
	keys 'clear; fg' Enter
	wait_for 'q quit'
	keys C-z
	wait_for 'Stopped'
	keys 'clear; bg' Enter
	wait_until_gone 'Stopped'
	wait_stopped
	wait_until_gone 'q quit'
	keys fg Enter
	wait_for 'q quit'
	keys q
	assert_restored
}

@test "on an unknown terminal it prints the view as text, and says why" {
	terminal 80 24
	keys 'TERM=no-such-terminal holdfast watch' Enter
	wait_for "TERM is 'no-such-terminal'"
	wait_for 'has not run'
	TERM=xterm run_holdfast watch
	assert_status 0
	[[ $stdout == GATES* ]]
}

@test "NO_COLOR turns colours off" {
	hook
	terminal 80 24
	watch
	in_tmux capture-pane -p -e | grep -q $'\e\\[31m'
	keys q
	wait_for_prompt
	keys 'clear; export NO_COLOR=1' Enter
	watch
	! in_tmux capture-pane -p -e | grep -q $'\e\\[3[1-6]m'
}

@test "--once prints text, and --json an object for scripts" {
	loops 1
	hook
	run_holdfast watch --once
	assert_status 0
	[[ $stdout == LOOPS*GATES*SESSIONS*'LAST FAILURE  test'* && $stdout != *$'\e'* ]]
	run_holdfast watch --json
	assert_json '.projects | length == 1' '.projects[0].loops[0] | .iteration == 1 and .max_iterations == 20 and .session == "loop0001-x"' \
		'.projects[0].gates | map(.gate) == ["test", "slow"]' '.projects[0].gates[0] | .outcome == "fail" and .usual_ms >= 0 and (.log | test("check_._test.1.log$"))' \
		'.projects[0].sessions[0] | .decision == "block" and .policy == "gates" and .status == "failed"'
}

@test "a review has a row for each slot, and its findings are what failed last" {
	rm -rf holdfast.yml .git
	review_project
	answers claude <<-'SCRIPT'
	echo '{"status":"fail","violations":[{"file":"src/a.txt","line":2,"issue":"Bad line","fix":"Remove","priority":"high"}]}'
	SCRIPT
	hook
	assert_block
	run_holdfast watch --once
	[[ $stdout =~ '✗ quality (claude@1)  failed ' && $stdout == *'LAST FAILURE  quality (claude@1)'*'    src/a.txt:2: Bad line'* ]] || show 'no finding'
}

@test "a broken holdfast.yml and a broken loop file are named" {
	loops 1
	sed -i 's/^iteration: .*/iteration: many/' .claude/ralph-loop.local.md
	write holdfast.yml <<<'gates: {test: {runn: x}}'
	run_holdfast watch --once
	assert_status 0
	[[ $stdout == *'ralph-loop.local.md:'*many* && $stdout == *holdfast.yml:1:* ]]
}
