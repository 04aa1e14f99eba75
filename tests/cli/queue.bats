#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The follow-up queue where a sequence of cases is not enough: many stops at once, databases that can't be used, and
# the language of the patterns.

load helper

setup() {
	setup_project
	DB=$XDG_DATA_HOME/conclaude/conclaude.db
}

# queue TEXT=TIMES...: the configuration, with all that is in $prefixes (a YAML list).
queue() {
	local message
	{
		printf 'stop:\n  promptPrefixBlocking:\n    prefixes: %s\n    messages:\n' "${prefixes:-["ULTRATHINK*"]}"
		for message; do printf '      - text: "%s"\n        times: %s\n' "${message%=*}" "${message##*=}"; done
	} >.conclaude.yaml
}
commands() { printf '  commands:\n    - run: %s\n' "$1" >>.conclaude.yaml; }

sql() { sqlite3 -cmd '.timeout 5000' "$DB" "$1"; }
place() { sql "SELECT queue_position || '|' || times_remaining FROM prompt_prefix_sessions WHERE session_id = '$SESSION'"; }

# at_once COUNT COMMAND...: that many at the same moment, all with the event in $BATS_TEST_TMPDIR/event; what they say
# is in many/N.out, many/N.err and many/N.code.
at_once() {
	local count=$1 i pids=()
	shift
	mkdir -p "$BATS_TEST_TMPDIR/many"
	rm -f "$BATS_TEST_TMPDIR"/many/*
	mkfifo "$BATS_TEST_TMPDIR/gate"
	for ((i = 1; i <= count; i++)); do
		(
			read -r _ <"$BATS_TEST_TMPDIR/gate"
			code=0
			"$@" <"$BATS_TEST_TMPDIR/event" >"$BATS_TEST_TMPDIR/many/$i.out" 2>"$BATS_TEST_TMPDIR/many/$i.err" || code=$?
			echo "$code" >"$BATS_TEST_TMPDIR/many/$i.code"
		) 3>&- &
		pids+=($!)
	done
	# Opening it for both is no wait; the lines are there when each of them looks.
	exec {gate}<>"$BATS_TEST_TMPDIR/gate"
	for ((i = 1; i <= count; i++)); do echo go >&"$gate"; done
	wait "${pids[@]}"
	exec {gate}>&-
	rm "$BATS_TEST_TMPDIR/gate"
}

# Every process said one JSON object and ended with 0.
assert_all_answered() {
	local count=$1
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.code | sort | uniq -c | tr -s ' ')" " $count 0"
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.out | jq -s length)" "$count"
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.out | wc -l)" "$count"
	assert_equal "$(grep -h warning "$BATS_TEST_TMPDIR"/many/*.err)" ''
}
sent() { cat "$BATS_TEST_TMPDIR"/many/*.out | jq -r '.reason // .status' | sort | uniq -c | sed 's/^ *//'; }

# lock_db [HOW]: locks the database in a process of its own until unlock_db; IMMEDIATE lets others read.
lock_db() {
	mkfifo "$BATS_TEST_TMPDIR/holder"
	sqlite3 "$DB" <"$BATS_TEST_TMPDIR/holder" >"$BATS_TEST_TMPDIR/held" 3>&- &
	holder=$!
	exec {hold}>"$BATS_TEST_TMPDIR/holder"
	printf "BEGIN %s;\nSELECT 'held';\n" "${1:-EXCLUSIVE}" >&"$hold"
	until [[ -s $BATS_TEST_TMPDIR/held ]]; do sleep 0.01; done
}
unlock_db() {
	exec {hold}>&-
	wait "$holder" || true
}

# Without the right to go past file modes, also where the tests run as root.
without_privileges() {
	if ((EUID)); then "$@"; else setpriv --bounding-set=-all --inh-caps=-all "$@"; fi
}

@test "20 stops at once: each message is sent exactly as often as it says, and the queue ends where it should" {
	queue first=5 never=0 second=1 third=14 left=7
	prompt 'ULTRATHINK'
	event >"$BATS_TEST_TMPDIR/event"
	at_once 20 holdfast stop-hook
	assert_all_answered 20
	assert_equal "$(sent)" $'5 first\n1 second\n14 third'
	assert_equal "$(place)" '4|7'
}

@test "20 stops at once with 20 messages: each is sent once" {
	local i messages=()
	for ((i = 1; i <= 20; i++)); do messages+=("message-$i=1"); done
	queue "${messages[@]}"
	prompt 'ULTRATHINK'
	event >"$BATS_TEST_TMPDIR/event"
	at_once 20 holdfast stop-hook
	assert_all_answered 20
	assert_equal "$(sent | cut -d' ' -f1 | sort -u)" 1
	assert_equal "$(sent | wc -l)" 20
	assert_equal "$(place)" '20|0'
	hook
	assert_allow
}

@test "20 stops at once through conclaude: each message is sent exactly as often as it says" {
	queue first=5 second=10
	prompt 'ULTRATHINK'
	event '.transcript_path = "/t"' >"$BATS_TEST_TMPDIR/event"
	at_once 20 conclaude Hooks Stop
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.code | sort | uniq -c | tr -s ' ')" $' 5 0\n 15 2'
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.err | sort | uniq -c | sed 's/^ *//')" $'5 first\n10 second'
	assert_equal "$(place)" '2|0'
}

@test "200 stops at once: none fails, none is lost" {
	queue first=50 second=100 third=100
	prompt 'ULTRATHINK'
	event >"$BATS_TEST_TMPDIR/event"
	at_once 200 holdfast stop-hook
	assert_all_answered 200
	assert_equal "$(sent)" $'50 first\n100 second\n50 third'
	assert_equal "$(place)" '2|50'
}

@test "20 first prompts at once leave one row, and the database is whole" {
	queue first=5
	event '.hook_event_name = "UserPromptSubmit" | .prompt = "ULTRATHINK"' >"$BATS_TEST_TMPDIR/event"
	at_once 20 holdfast hook UserPromptSubmit
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.code | sort -u)" 0
	assert_equal "$(cat "$BATS_TEST_TMPDIR"/many/*.out "$BATS_TEST_TMPDIR"/many/*.err)" ''
	assert_equal "$(sql 'SELECT count(*), queue_position, times_remaining FROM prompt_prefix_sessions')" '1|0|5'
	assert_equal "$(sql 'PRAGMA integrity_check')" ok
	assert_mode "$DB" 600
}

@test "prompts and stops of 20 sessions at once do not get in each other's way" {
	local i
	queue first=2
	for ((i = 1; i <= 20; i++)); do
		(
			SESSION=session-$i
			event '.hook_event_name = "UserPromptSubmit" | .prompt = "ULTRATHINK"' | holdfast hook UserPromptSubmit
			for _ in 1 2 3; do event | holdfast stop-hook; done
		) >"$BATS_TEST_TMPDIR/$i.out" 2>"$BATS_TEST_TMPDIR/$i.err" 3>&- &
	done
	wait
	for ((i = 1; i <= 20; i++)); do
		assert_equal "$(jq -r '.status' "$BATS_TEST_TMPDIR/$i.out" | tr '\n' ' ')" 'follow_up follow_up no_config '
	done
	assert_equal "$(sql 'SELECT count(*) FROM prompt_prefix_sessions WHERE queue_position = 1')" 20
}

@test "a database that somebody else writes to for a while is waited for" {
	queue first=1
	prompt 'ULTRATHINK'
	lock_db
	(
		sleep 1
		kill "$holder"
	) 3>&- &
	hook
	exec {hold}>&-
	assert_block '.reason == "first"' '.message | contains("warning") | not'
	assert_equal "$(place)" '1|0'
}

@test "a database that stays locked: after the timeout the stop goes on without it" {
	queue first=1
	commands 'touch .ran'
	prompt 'ULTRATHINK'
	lock_db
	local began=$SECONDS
	hook
	((SECONDS - began <= 8)) || show "it took $((SECONDS - began)) s"
	assert_allow '.status == "commands_passed"' '.message | contains("prompt prefix state unavailable") and contains("database is locked") and (contains("by hand") | not)'
	assert_file .ran
	prompt 'ULTRATHINK'
	assert_status 0
	assert_stderr_has 'Failed to store initial prompt'
	hook '.transcript_path = "/t"' conclaude Stop
	assert_status 0
	assert_stderr_has 'Warning: prompt prefix state unavailable'
	unlock_db
	assert_equal "$(place)" '0|1'
	hook
	assert_block '.reason == "first"'
}

@test "a session without follow-ups does not wait for one that writes" {
	queue first=1
	prompt 'ULTRATHINK'
	lock_db IMMEDIATE
	hook '.session_id = "another"'
	assert_allow '.message | contains("unavailable") | not'
	unlock_db
}

@test "a stop that waits for another one sleeps until that has written" {
	queue first=1 second=1
	prompt 'ULTRATHINK'
	# The holder lives as long as its lock: /proc/locks hides locks of processes that it can't name.
	flock "${DB%/*}" sh -c 'touch "$1/held"; while [ ! -e "$1/over" ]; do sleep 0.01; done' - "$BATS_TEST_TMPDIR" 3>&- &
	holder=$!
	until [[ -e $BATS_TEST_TMPDIR/held ]]; do sleep 0.01; done
	hook >/dev/null 3>&- &
	waiter=$!
	until grep -q -- "-> FLOCK .*:$(stat -c %i "${DB%/*}") " /proc/locks; do
		kill -0 "$waiter" || show 'it did not wait'
		sleep 0.01
	done
	touch "$BATS_TEST_TMPDIR/over"
	wait "$waiter" "$holder"
	assert_equal "$(place)" '1|1'
}

@test "a locked database does not make the hook miss its own deadline" {
	queue first=1
	prompt 'ULTRATHINK'
	lock_db
	local began=${EPOCHREALTIME/./}
	hook . holdfast stop-hook --deadline 1
	local took=$((${EPOCHREALTIME/./} - began))
	unlock_db
	assert_allow '.message | contains("prompt prefix state unavailable")'
	((took < 2500000)) || show "it took $took us"
}

@test "a database that may only be read: the same message is not sent for ever" {
	queue first=3
	commands 'touch .ran'
	prompt 'ULTRATHINK'
	chmod 400 "$DB"
	hook . without_privileges holdfast stop-hook
	assert_allow '.status == "commands_passed"' '.message | contains("prompt prefix state unavailable")'
	assert_file .ran
	prompt 'ULTRATHINK' without_privileges holdfast hook UserPromptSubmit
	assert_status 0
	SESSION=other prompt 'ULTRATHINK' without_privileges holdfast hook UserPromptSubmit
	assert_status 0
	assert_stderr_has 'Failed to store initial prompt'
	chmod 600 "$DB"
	assert_equal "$(place)" '0|3'
	hook
	assert_block '.reason == "first"'
}

@test "a database that may not be read is a warning" {
	queue first=3
	commands 'touch .ran'
	prompt 'ULTRATHINK'
	chmod 000 "$DB"
	hook . without_privileges holdfast stop-hook
	assert_allow '.status == "commands_passed"' '.message | contains("prompt prefix state unavailable")'
	hook '.transcript_path = "/t"' without_privileges conclaude Stop
	assert_status 0
	assert_stderr_has "Warning: prompt prefix state unavailable: $DB: "
}

@test "a directory that may not be written to: no message is sent whose place can't be kept" {
	queue first=3
	commands 'touch .ran'
	prompt 'ULTRATHINK'
	chmod 500 "${DB%/*}"
	hook . without_privileges holdfast stop-hook
	chmod 700 "${DB%/*}"
	assert_allow '.status == "commands_passed"' '.message | contains("prompt prefix state unavailable")'
	assert_equal "$(place)" '0|3'
}

@test "a place where no directory can be made is a warning for the prompt and nothing for the stop" {
	queue first=3
	commands 'touch .ran'
	mkdir -p "$XDG_DATA_HOME"
	chmod 500 "$XDG_DATA_HOME"
	prompt 'ULTRATHINK' without_privileges holdfast hook UserPromptSubmit
	assert_status 0
	assert_stdout ''
	assert_stderr_has 'Failed to store initial prompt'
	hook . without_privileges holdfast stop-hook
	assert_allow '.status == "commands_passed"' '.message | contains("warning") | not'
	chmod 700 "$XDG_DATA_HOME"
	assert_absent "${DB%/*}"
}

@test "directory and file are for the user alone, whatever the umask" {
	queue first=2
	local mask
	for mask in 000 022 077 277 777; do
		chmod -R u+rwx "$HOME/.local" 2>/dev/null || true
		rm -rf "$HOME/.local"
		(umask "$mask" && prompt 'ULTRATHINK')
		assert_mode "$DB" 600
		assert_mode "${DB%/*}" 700
		hook
		assert_block '.reason == "first"'
	done
}

@test "without HOME the home of the user database counts, and nothing in the project is touched" {
	queue first=1
	printf 'database:\n  path: here/q.db\n' >>.conclaude.yaml
	hook '.hook_event_name = "UserPromptSubmit" | .prompt = "ULTRATHINK"' env -u HOME -u XDG_DATA_HOME holdfast hook UserPromptSubmit
	assert_status 0
	hook . env -u HOME -u XDG_DATA_HOME holdfast stop-hook
	assert_block '.reason == "first"'
	assert_file here/q.db
}

@test "no home at all: a warning, and the stop goes on" {
	needs_homeless
	queue first=1
	commands 'touch .ran'
	prompt 'ULTRATHINK' "${HOMELESS[@]}" hook UserPromptSubmit
	assert_status 0
	assert_stderr_has 'Failed to store initial prompt: no home directory'
	hook . "${HOMELESS[@]}" stop-hook
	assert_allow '.status == "commands_passed"' '.message | contains("prompt prefix state unavailable: no home directory")'
	printf 'database:\n  path: ~/q.db\n' >>.conclaude.yaml
	prompt 'ULTRATHINK' "${HOMELESS[@]}" hook UserPromptSubmit
	assert_stderr_has 'Failed to store initial prompt: no home directory'
	hook . "${HOMELESS[@]}" stop-hook
	assert_allow '.message | contains("prompt prefix state unavailable: no home directory")'
	assert_absent '~'
}

@test "a full disk: the place can't be kept, so no message is sent" {
	queue first=3
	commands 'true'
	prompt 'ULTRATHINK'
	hook . bash -c '{ ulimit -f 0; exec holdfast stop-hook 2>/dev/null; } | cat'
	assert_allow '.status == "commands_passed"' '.message | contains("prompt prefix state unavailable")'
	assert_equal "$(place)" '0|3'
	hook
	assert_block '.reason == "first"'
}

@test "a hook that is killed between two stops loses and repeats nothing" {
	queue first=2 second=1
	prompt 'ULTRATHINK'
	local i
	for ((i = 0; i < 5; i++)); do
		event | timeout -s KILL 0.00$i holdfast stop-hook >/dev/null 2>&1 || true
	done
	sql 'PRAGMA integrity_check' | grep -qx ok
	local before
	before=$(place)
	[[ $before == @('0|2'|'0|1'|'1|1'|'2|0') ]] || show "place is $before"
	hook
	case $before in
	'0|'*) assert_block '.reason == "first"' ;;
	'1|1') assert_block '.reason == "second"' ;;
	*) assert_allow ;;
	esac
}

# Rows of pattern, prompt, and whether it matches: the language of the patterns, both sides of each rule.
@test "patterns match what they should and nothing else" {
	local row pattern text want number=0
	while IFS='~' read -r pattern text want; do
		number=$((number + 1)) SESSION=glob-$number
		prefixes=$(jq -nc --arg p "$pattern" '[$p]') queue text=1
		prompt "$(printf '%b' "$text")"
		hook
		row="pattern '$pattern', prompt '$text'"
		case $want in
		yes) jq -e '.status == "follow_up"' "$OUT" >/dev/null || show "$row: does not match" ;;
		no) jq -e '.status == "no_config" and (.message | contains("warning") | not)' "$OUT" >/dev/null || show "$row: matches" ;;
		bad) jq -e '.decision == "approve" and (.message | contains("prefixes[0]"))' "$OUT" >/dev/null || show "$row: no warning" ;;
		esac
	done <<-'ROWS'
		EXACT~EXACT~yes
		EXACT~EXACT x~no
		EXACT~xEXACT~no
		*DEEP_WORK*~please DEEP_WORK now~yes
		*DEEP_WORK*~deep_work~no
		MODE? *~MODE1 go~yes
		MODE? *~MODE go~no
		MODE? *~MODE12 go~no
		MODE[ABC] *~MODEB go~yes
		MODE[ABC] *~MODED go~no
		MODE[A-C] *~MODEC go~yes
		MODE[C-A] *~MODEB go~no
		MODE[!A]*~MODEB~yes
		MODE[!A]*~MODEA~no
		MODE[^A]*~MODE^~yes
		MODE[^A]*~MODEB~no
		[]]x~]x~yes
		[!]]x~ax~yes
		[a-]x~-x~yes
		[-a]x~-x~yes
		[*]x~*x~yes
		[*]x~ax~no
		{a,b}~a~no
		{a,b}~{a,b}~yes
		*~anything\nat all/with.dots~yes
		?~é~yes
		?~😀~yes
		é*~É~no
		[à-é]~á~yes
		/spectr:proposal*~/spectr:proposal add x~yes
		/spectr:proposal~/spectr:proposal add x~no
		src/**~src/a/b~yes
		src/**~src~no
		**/x~x~yes
		**/x~a/b/x~yes
		**/x~ax~no
		**~a/b~yes
		a**~ab~bad
		**a~ba~bad
		***~a~bad
		[a~a~bad
		[]~a~bad
		[!]~a~bad
		a\\b~a\\\\b~yes
		*a*a*a*a*a*a*a*a*a*b~aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa~no
	ROWS
	((number == 45)) || show "$number rows"
}
