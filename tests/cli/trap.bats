#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Nobody is trapped: whatever is configured and whatever fails, stops in a row are blocked no more often than doc/security.md
# says, and every stop is answered by one JSON object.

load helper
load gates

setup() {
	setup_project
	T=$BATS_TEST_TMPDIR
	between='' prefix=() kinds=()
}
teardown() { end_survivors; }

# again NUMBER [STOPS]: stops 60 times, or so often; $between runs before each stop, and $prefix is put before the hook. So many
# blocks come in a row; fewer do with a fault.
again() {
	local most=$1 stops=${2:-60} i row=0 longest=0
	event '.stop_hook_active = true' >"$T/event"
	: >"$T/answers"
	for ((i = 0; i < stops; i++)); do
		eval "$between"
		# through a pipe: a file would be limited by what limits the hook's own
		marked "${prefix[@]}" holdfast stop-hook <"$T/event" 2>/dev/null | cat >"$T/answer"
		((PIPESTATUS[0] == 0)) || show "stop $i: exit code ${PIPESTATUS[*]}"
		cat "$T/answer" >>"$T/answers"
		if [[ $(<"$T/answer") == '{"decision":"block"'* ]]; then row=$((row + 1)); else row=0; fi
		((row <= longest)) || longest=$row
	done
	jq -es --argjson n "$stops" 'length == $n and all(type == "object" and (.decision == "block" or .decision == "approve"))' "$T/answers" >/dev/null ||
		show "the answers are not $stops JSON objects: $(head -c 2000 "$T/answers")"
	if [[ -n ${fault-} ]]; then
		((longest <= most)) || show "$fault: $longest blocks in a row, not at most $most: $(tail -n 1 "$T/answers")"
	else
		((longest == most)) || show "$longest blocks in a row, not $most: $(tail -n 1 "$T/answers")"
	fi
}

@test "where another policy used up the blocks, the user is told that the gates have not run" {
	printf '%s\n' 'commands: ["false"]' 'gates: {t: "touch ran"}' >holdfast.yml
	git_project
	again 20 21
	jq -se '.[20] | .status == "block_limit_reached" and (.systemMessage | contains("and the gates have not run"))' "$T/answers" >/dev/null || show "$(tail -n 1 "$T/answers")"
	[[ ! -e ran ]]
}

# The configurations, each with something that always fails.
gauntlet() {
	gates lint "${1:-false}"
	config "${2:-max_retries: 3}" 'stop_hook: {reverify: true, run_interval_minutes: 0}'
}
native() {
	printf 'base: main\ngates:\n  lint: "%s"\ntries: %s\n' "${1:-false}" "${2:-3}" >holdfast.yml
	git_project
	echo two >new
}
commands() { printf 'stop:\n  commands:\n    - run: "%s"\n' "${1:-false}" >.conclaude.yaml; }

@test "gates block as often as there are tries" {
	gauntlet
	again 3 15
}

@test "gates of holdfast.yml block as often as there are tries" {
	native
	again 3 15
}

@test "gates with a hundred tries block 20 stops in a row" {
	gauntlet false 'max_retries: 100'
	again 20 45
}

@test "gates of holdfast.yml with a hundred tries block 20 stops in a row" {
	native false 100
	again 20 25
}

@test "stop commands block 20 stops in a row" {
	commands
	again 20
}

@test "additions to the root block 20 stops in a row, also if each is removed" {
	printf 'preToolUse:\n  preventRootAdditions: true\n' >.conclaude.yaml
	commands 'touch left'
	between='rm -f left'
	again 20 30
}

@test "stop commands and gates together block 20 stops in a row" {
	gauntlet false 'max_retries: 100'
	printf 'stop:\n  commands:\n    - run: test ! -e fails || rm fails\n    - run: test ! -e ../odd\n' >.conclaude.yaml
	# the commands fail at every second stop, the gates at the others
	between='if ((i % 2)); then touch ../odd; else rm -f ../odd; fi'
	again 20 25
}

@test "rounds block as often as they say" {
	printf 'stop:\n  rounds: 5\n' >.conclaude.yaml
	again 4
}

@test "follow-ups block as often as they say" {
	printf 'stop:\n  promptPrefixBlocking:\n    prefixes: ["*"]\n    messages:\n      - {text: on, times: 4}\n      - {text: and on, times: 2}\n' >.conclaude.yaml
	prompt 'do it'
	again 6
}

@test "commands of holdfast.yml block 20 stops in a row, and its rounds and follow-ups as often as they say" {
	git_project
	printf 'commands: ["false"]\n' >holdfast.yml
	again 20 25
	printf 'rounds: {count: 5}\n' >holdfast.yml
	again 4 12
	printf 'follow_ups: {messages: [{text: on, times: 4}, and on]}\n' >holdfast.yml
	SESSION=other
	prompt 'do it'
	again 5 12
}

@test "a loop blocks until its last iteration" {
	holdfast ralph start 'do it' --max-iterations 7 --session "$SESSION" >/dev/null
	again 6
}

@test "a loop, then gates: the iterations, and then the tries" {
	gauntlet
	holdfast ralph start 'do it' --max-iterations 4 --session "$SESSION" >/dev/null
	again 6 20
}

@test "of two configurations, a pass of the first gives the second no tries back" {
	gauntlet
	mkdir nested
	(cd nested && PROJECT=$PWD && printf 'base: main\ngates:\n  lint: "true"\n' >holdfast.yml && git_project && echo two >new)
	export CLAUDE_PROJECT_DIR=$PROJECT
	PROJECT=$PROJECT/nested
	again 3 8
	cd nested
	sed -i 's/"true"/"false"/' holdfast.yml
	(cd .. && check_file lint true)
	SESSION=other
	again 3 8
}

@test "a gate that kills the hook blocks 20 stops in a row" {
	gauntlet false 'max_retries: 100'
	hook # the failure is known
	check_file lint 'kill -TERM $PPID; sleep 5'
	again 19 23
}

@test "state that is deleted by gates, commands and the agent bounds blocks all the same" {
	gauntlet 'rm -rf gauntlet_logs; git checkout -q -B b$RANDOM; false'
	between='git clean -fdxq'
	again 3 15
}

# each_fault NAME COMMANDS [STOPS [CLEAN-UP]]: a fault, with both kinds of gates and, in $kinds, with stop commands.
each_fault() {
	local kind most
	for kind in 'gauntlet 3' 'native 3' "${kinds[@]}"; do
		read -r kind most <<<"$kind"
		cd "$T" && rm -rf "$PROJECT" "$XDG_STATE_HOME" && mkdir "$PROJECT" && cd "$PROJECT"
		$kind
		prompt 'do it'
		fault="$1 ($kind)"
		eval "$2"
		again "$most" "${3:-$((most + 2))}"
		eval "${4:-:}"
	done
}
results() { compgen -G "$XDG_STATE_HOME/holdfast/projects/*/*" || :; }
sessions() { mkdir -p "$XDG_STATE_HOME/holdfast/sessions" && echo "$XDG_STATE_HOME/holdfast/sessions/$SESSION.json"; }

@test "a state directory that can't be written" {
	kinds=('commands 20')
	each_fault 'no state directory' 'rm -rf "$XDG_STATE_HOME"; touch "$XDG_STATE_HOME"' '' 'rm "$XDG_STATE_HOME"'
}

@test "no place at all for counts" {
	kinds=('commands 20')
	each_fault 'no place' 'rm -rf "$XDG_STATE_HOME"; touch "$XDG_STATE_HOME"; CONCLAUDE_STATE_DIR=/dev/null/x' '' 'rm "$XDG_STATE_HOME"; CONCLAUDE_STATE_DIR=$STATE'
}

@test "a full disk" {
	prefix=(bash -c 'ulimit -f 0; exec "$@"' -) kinds=('commands 20')
	each_fault 'no file may grow' :
}

@test "a disk that is full after a while" {
	prefix=(bash -c 'ulimit -f 1; exec "$@"' -)
	each_fault 'no file may have more than 1 KiB' :
}

# small_disk PAGES: from now on the hook runs where the state and the logs lie on file systems of their own, with so many pages left.
small_disk() {
	local dir
	RUN_MARK=$BATS_TEST_TMPDIR unshare --user --map-root-user --mount sleep 600 3>&- & # in a subshell it would not be $!
	disk=$!
	prefix=(nsenter -t "$disk" --user --mount --preserve-credentials --wd="$PROJECT")
	mkdir -p "$XDG_STATE_HOME" gauntlet_logs .holdfast
	for dir in "$XDG_STATE_HOME" gauntlet_logs .holdfast; do
		eventually 5 in_other_namespace && eventually 2 "${prefix[@]}" mount -t tmpfs -o size=256k,mode=700 small "$dir" ||
			skip 'this machine forbids namespaces'
		"${prefix[@]}" sh -c 'head -c $((262144 - 4096 * $1)) /dev/zero >"$2/filler"' - "$1" "$dir" 2>/dev/null || :
	done
}
in_other_namespace() { [[ $(readlink "/proc/$disk/ns/mnt") != "$(readlink /proc/self/ns/mnt)" ]]; }

@test "a file system that is full" {
	each_fault 'no page is left' 'small_disk 0' '' 'kill "$disk"'
	grep -q 'No space left on device' "$T/answers" || show 'there was room'
}

@test "a file system that is full after some pages" {
	each_fault 'some pages are left' 'small_disk 6' '' 'kill "$disk"'
}

@test "no git, and a git that fails" {
	local tool
	mkdir "$T/tools"
	for tool in bash sh sleep rm cat ps; do ln -s "$(command -v "$tool")" "$T/tools/$tool"; done
	prefix=(env "PATH=$BIN:$T/tools")
	each_fault 'no git' :
	printf '#!/bin/sh\nexit 1\n' >"$T/tools/git"
	chmod 755 "$T/tools/git"
	each_fault 'git fails' :
}

@test "broken files of the session" {
	kinds=('commands 20')
	each_fault 'garbage' 'echo garbage >"$(sessions)"'
	kinds=()
	each_fault 'a count that is none' 'echo "{\"tries\":-5,\"blocks\":\"x\"}" >"$(sessions)"'
	each_fault 'a directory' 'rm -f "$(sessions)"; mkdir "$(sessions)"'
	each_fault 'a link' 'ln -sfn /dev/null "$(sessions)"'
}

@test "a broken record of results" {
	each_fault 'garbage' 'hook; for f in $(results); do echo garbage >"$f"; done'
	each_fault 'half of it' 'hook; for f in $(results); do truncate -s -9 "$f"; done'
	each_fault 'directories' 'hook; for f in $(results); do rm "$f"; mkdir "$f"; done'
}

@test "broken repositories" {
	each_fault 'no HEAD' 'hook; rm -f .git/HEAD'
	each_fault 'no objects' 'hook; rm -rf .git/objects'
	each_fault 'no repository' 'hook; rm -rf .git'
}

@test "broken configurations" {
	each_fault 'no YAML' 'hook; for f in holdfast.yml .gauntlet/config.yml .conclaude.yaml; do [[ ! -e $f ]] || echo "}: [" >>$f; done'
	each_fault 'log directories that are files' 'rm -rf gauntlet_logs .holdfast; touch gauntlet_logs .holdfast'
}

@test "a file of the session that another process holds" {
	each_fault 'a lock' 'echo "{}" >"$(sessions)"; (exec 9<>"$(sessions)"; flock 9; RUN_MARK=$T exec sleep 60 3>&-) & sleep 0.1; export HOLDFAST_DEADLINE_SECONDS=1' 2 'kill $!'
}

@test "a loop file, a count of rounds and a queue that are garbage" {
	fault='garbage'
	holdfast ralph start 'do it' --max-iterations 4 --session "$SESSION" >/dev/null
	for f in .claude/ralph-loop*.md; do echo garbage >"$f"; done
	again 3 10
	printf 'stop:\n  rounds: 5\n  promptPrefixBlocking:\n    prefixes: ["*"]\n    messages:\n      - {text: on, times: 4}\n' >.conclaude.yaml
	prompt 'do it'
	hook
	for f in "$STATE"/* "$XDG_DATA_HOME"/conclaude/*; do echo garbage >"$f"; done
	again 4 15
}
