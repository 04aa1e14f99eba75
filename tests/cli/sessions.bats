#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Sessions: their tries in each project, which prompts give them back, the allowed stops in the journal, and how a session is shown.

load helper
load gates

setup() {
	setup_project
	write holdfast.yml <<<'gates: {test: test -e ok}'
	git_project
	git checkout -q -b work
	echo x >a.c
}

# stops COUNT [COMMAND...]: so many stops, each followed by a prompt that nobody typed; how many were blocked.
stops() {
	local i blocked=0 count=$1
	shift
	for ((i = 0; i < count; i++)); do
		hook '.crons = [] | .context_limit = 1' holdfast stop-hook --client "$CLIENT"
		! grep -q '"block"' <<<"$stdout" || blocked=$((blocked + 1))
		"$@"
	done
	echo "$blocked"
}
empty_prompt() { prompt "${1-}" holdfast hook UserPromptSubmit --client "$CLIENT"; }
parts() { hook ".prompt = $1" holdfast hook UserPromptSubmit --client generic; }
last() { tail -n 1 "$XDG_STATE_HOME/holdfast/decisions.jsonl"; }

@test "the empty prompt that Qwen Code sends after each tool gives no tries back" {
	CLIENT=qwen
	assert_equal "$(stops 6 empty_prompt)" 3
	assert_equal "$(stops 2 empty_prompt $' \n')" 0
	empty_prompt 'go on'
	assert_equal "$(stops 6 empty_prompt)" 3
}

@test "with it, stop commands still block 20 stops in a row and no more" {
	CLIENT=qwen
	write holdfast.yml <<<'commands: ["false"]'
	assert_equal "$(stops 20 empty_prompt)" 20
	assert_equal "$(stops 1 empty_prompt)" 0
}

@test "a prompt in parts is the user's where one of them is text, as Kimi Code sends it" {
	CLIENT=generic
	assert_equal "$(stops 5 parts '[{type: "tool_result", output: "done"}]')" 3
	parts '[{type: "text", text: "go on"}]'
	assert_equal "$(stops 5 parts '[]')" 3
}

@test "each project has tries of its own in a session, and a pass in one gives the other none back" {
	local first=$PWD other=$BATS_TEST_TMPDIR/other
	hook && assert_block
	hook '.stop_hook_active = true' && assert_block
	mkdir -p "$other" && cd "$other"
	write holdfast.yml <<<'gates: {test: test -e ok}'
	git_project
	git checkout -q -b work && echo x >a.c
	for i in 1 2 3; do
		hook ".cwd = \"$other\"" && assert_block
	done
	hook ".cwd = \"$other\"" && assert_allow '.status == "retry_limit_exceeded"'
	assert_equal "$(tries)" 5
	touch ok
	hook ".cwd = \"$other\"" && assert_allow '.status == "passed"'
	assert_equal "$(tries)" 2
	cd "$first"
	run_holdfast status
	assert_stdout_has '2 of 3 used'
	hook && assert_block
	hook && assert_allow '.status == "retry_limit_exceeded"'
	prompt 'go on'
	assert_equal "$(tries)" 0
}

# What all that read the journal say of the last stop.
assert_last_allowed() {
	last | jq -e '.decision == "allow" and .event == "Stop" and .policy == "none"' || show "$(last)"
	run_holdfast explain
	assert_stdout_has 'was allowed'
	run_holdfast watch --once --json
	assert_json '.projects[0].sessions[0].decision == "allow"'
	run_holdfast report --json
	assert_json '.sessions[0].iterations[-1].decision == "allow"'
}

@test "the stop that is allowed after the follow-ups is in the journal" {
	write holdfast.yml <<<'follow_ups: {messages: [Go on.]}'
	prompt go
	hook && assert_block
	hook '.stop_hook_active = true' && assert_allow
	assert_last_allowed
	run_holdfast report
	assert_stdout_has '2 stops: 1 blocked, 1 allowed'
}

@test "the stop that is allowed after protected files were restored is in the journal" {
	write holdfast.yml <<<'guards: {protect: [a.c]}'
	prompt go
	echo y >a.c
	hook && assert_block
	run_holdfast restore
	hook '.stop_hook_active = true' && assert_allow
	assert_last_allowed
}

@test "the allowed stop is in the journal where there are only guards" {
	write holdfast.yml <<<'guards: {use: [destructive]}'
	hook '.hook_event_name = "PreToolUse" | .tool_name = "Bash" | .tool_input = {command: "git push --force"}' holdfast hook PreToolUse
	last | jq -e '.policy == "guards"'
	hook && assert_allow
	assert_last_allowed
}

@test "sessions whose ids begin or end alike are told apart, and explain and log take what they show" {
	local ids=(01a1e699-1b2c-7abc-8def-0123456789ab 01a1e699-1b2c-7abd-8def-fedcba987654 session_0f8fad5b-d9cb-469f-a165-70867728950e
		session_7c9e6679-7425-40de-944b-e07fc1f90ae7 7c9e6679-7425-40de-944b-e07fc1f90ae7) id names
	for id in "${ids[@]}"; do hook ".session_id = \"$id\""; done
	names=$(holdfast log | awk '{print $2}')
	assert_equal "$(sort -u <<<"$names" | wc -l)" 5
	assert_equal "$(head -n 3 <<<"$names" | tr '\n' ' ')" '456789ab ba987654 7728950e '
	run_holdfast watch --once
	for id in $names; do
		assert_stdout_has " $id "
		[ "$(holdfast log --session "$id" --json | jq -r .session)" = "${ids[0]}" ] || show "$id is not ${ids[0]}"
		[[ $(holdfast explain "$id") == "The stop of session "*" (claude)"* ]]
		[ "$(holdfast report --session "$id" --json | jq -r '.sessions[].name')" = "$id" ]
		ids=("${ids[@]:1}")
	done
	run_holdfast explain 01a1e699
	assert_status 1
	assert_stderr_has "'01a1e699' could be each of these sessions: ba987654, 456789ab"
	run_holdfast explain 01a1e699-1b2c-7abd
	assert_status 0
}

@test "what sessions leave that never end goes after 30 days, some of it at each start, and never that of one in use" {
	local state=$XDG_STATE_HOME/holdfast i
	prompt 'Go.' # the first session
	for ((i = 0; i < 200; i++)); do
		mkdir -p "$state/definitions/sessions/old-$i" "$state/sessions" "$state/todos" "$state/output"
		echo x >"$state/definitions/sessions/old-$i/project"
		echo '{}' | tee "$state/sessions/old-$i.json" >"$state/todos/old-$i.json"
		echo x >"$state/output/old-$i.log"
	done
	cp -r "$state/definitions/sessions/old-0" "$state/definitions/sessions/young"
	echo '{}' >"$state/sessions/young.json"
	touch -d '31 days ago' "$state"/{definitions/sessions,sessions,todos,output}/old-* "$state/definitions/sessions/young/project" "$state/sessions/young.json"
	touch -d '29 days ago' "$state/definitions/sessions/young"
	exec 8<"$state/sessions/old-7.json"
	flock 8
	SESSION=second prompt 'Go.'
	left=$(ls -d "$state"/definitions/sessions/old-* | wc -l)
	((left < 200 && left > 0)) || show "$left sessions of 200 are left"
	for ((i = 0; i < 60; i++)); do SESSION=later-$i prompt 'Go.'; done
	assert_equal "$(ls "$state"/{definitions/sessions,sessions,todos,output} | grep -c '^old-')" 1
	assert_file "$state/sessions/old-7.json"
	assert_file "$state/sessions/young.json"
	assert_file "$state/definitions/sessions/young/project"
}

@test "a session is in use while it has events" {
	local mark
	prompt 'Go.'
	mark=$(echo "$XDG_STATE_HOME"/holdfast/definitions/sessions/*)
	touch -d '29 days ago' "$mark"
	hook
	(($(stat -c %Y "$mark") > EPOCHSECONDS - 86400)) || show 'the time of the session is as it was'
}
