#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# todos: done. The transcript has the lines that Claude Code writes for its tools TodoWrite, TaskCreate, TaskUpdate and TaskList.

load helper

setup() {
	setup_project
	TRANSCRIPT=$PROJECT/../transcript.jsonl CALLS=0
	: >"$TRANSCRIPT"
	echo 'todos: done' >holdfast.yml
}

# call NAME INPUT [TEXT [RESULT [is_error]]]: a tool's call and its result
call() {
	CALLS=$((CALLS + 1))
	jq -nc --arg id "toolu_$CALLS" --arg name "$1" --argjson input "$2" --arg text "${3-ok}" --argjson result "${4-null}" --argjson error "${5-false}" '
		{parentUuid: "p", isSidechain: false, sessionId: "s", version: "2.1.325", type: "assistant", uuid: "a", timestamp: "2026-11-16T10:00:00.000Z",
		 message: {id: "msg_\($id)", type: "message", role: "assistant", model: "claude-opus-5-5",
			content: [{type: "tool_use", id: $id, name: $name, input: $input, caller: {type: "direct"}}], usage: {input_tokens: 1, output_tokens: 1}}},
		{parentUuid: "a", isSidechain: false, sessionId: "s", version: "2.1.325", type: "user", uuid: "u", timestamp: "2026-11-16T10:00:01.000Z",
		 message: {role: "user", content: [{tool_use_id: $id, type: "tool_result", content: $text} + if $error then {is_error: true} else {} end]},
		 toolUseResult: $result}' >>"$TRANSCRIPT"
}
# todos CONTENT=STATUS...: a call of TodoWrite
todos() {
	local list
	list=$(printf '%s\n' "$@" | jq -Rnc '[inputs | capture("^(?<content>.*)=(?<status>.*)$") + {activeForm: "Doing"}]')
	call TodoWrite "{\"todos\":$list}" 'Todos have been modified successfully.' "{\"oldTodos\":[],\"newTodos\":$list}"
}
# create ID SUBJECT; update ID STATUS
create() { call TaskCreate "$(jq -nc --arg s "$2" '{subject: $s, description: "All of it."}')" "Task #$1 created successfully: $2" "$(jq -nc --arg i "$1" --arg s "$2" '{task: {id: $i, subject: $s}}')"; }
update() {
	call TaskUpdate "{\"taskId\":\"$1\",\"status\":\"$2\"}" "Updated task #$1 status" \
		"{\"success\":true,\"taskId\":\"$1\",\"updatedFields\":[\"status\"],\"statusChange\":{\"from\":\"pending\",\"to\":\"$2\"}}"
}
stop() { hook ".transcript_path = \"$TRANSCRIPT\" | ${1:-.}"; }
is_blocked() { assert_json '.decision == "block"' '.status == "todos_open"' "$@"; }
is_allowed() { assert_json '.decision != "block"' ".status == \"$1\"" "${@:2}"; }

@test "open items of TodoWrite hold the agent back and are named, and the newest list counts" {
	stop && is_allowed todos_done
	todos 'Write the parser=pending' 'Test it=in_progress' 'Read the docs=completed'
	stop
	is_blocked '.reason | startswith("2 items of your todo list are open:\n\n- Write the parser\n- Test it\n\n")' '.reason | contains("Read the docs") | not' \
		'.message == "2 of the agent'\''s todos are open"'
	todos 'Write the parser=completed' 'Test it=cancelled'
	stop && is_allowed todos_done
}

@test "open tasks hold the agent back: created, updated, deleted, listed" {
	create 1 'Write the parser'
	create 2 'Test it'
	create 3 'Not needed'
	update 1 in_progress
	update 3 deleted
	stop && is_blocked '.reason | contains("- #1 Write the parser\n- #2 Test it\n") and (contains("Not needed") | not)'
	update 1 completed
	stop && is_blocked '.reason | contains("1 item of your todo list is open:\n\n- #2 Test it\n")'
	call TaskList '{}' list '{"tasks":[{"id":"2","subject":"Test it","status":"completed","blockedBy":[]},{"id":"4","subject":"From the list","status":"pending","blockedBy":[]}]}'
	stop && is_blocked '.reason | contains("- #4 From the list") and (contains("#2") | not)'
	update 4 completed
	stop && is_allowed todos_done
}

@test "a call that failed changes nothing, and a subagent has a list of its own" {
	create 1 'Write the parser'
	call TaskUpdate '{"taskId":"1","status":"completed"}' 'the tests fail' '{"success":false,"taskId":"1","updatedFields":[],"error":"the tests fail"}'
	call TaskUpdate '{"taskId":"1","status":"completed"}' 'denied' '"Error: denied"' true
	stop && is_blocked '.reason | contains("#1 Write the parser")'
	update 1 completed
	todos 'Of the subagent=pending'
	sed -i '/Of the subagent/s/"isSidechain":false/"isSidechain":true/' "$TRANSCRIPT"
	# What a program printed is no list.
	call Bash '{"command":"cat log"}' "$(head -n 1 "$TRANSCRIPT")" '{"stdout":"{\"tasks\":[{\"id\":\"9\",\"status\":\"pending\"}]}"}'
	stop && is_allowed todos_done
}

@test "what other tools answer is no list, and calls of one message have results of their own" {
	create 1 'Write the parser'
	call mcp__jobs__list '{}' 'none' '{"tasks":[]}'
	call mcp__jobs__done '{"taskId":"1"}' 'done' '{"success":true,"taskId":"1","statusChange":{"to":"completed"}}'
	call Bash '{"command":"cat log"}' 'Task #8 created successfully: Of the log' '{"stdout":"","task":{"id":"9","subject":"Of a program"}}'
	call mcp__jobs__plan '{}' 'ok' '{"newTodos":[{"content":"Of a program","status":"pending"}]}'
	stop && is_blocked '.reason | startswith("1 item of your todo list is open:\n\n- #1 Write the parser\n")'
	jq -nc '{type: "assistant", message: {content: [{type: "tool_use", id: "c2", name: "TaskCreate", input: {subject: "two"}}]}},
		{type: "assistant", message: {content: [{type: "tool_use", id: "c3", name: "TaskCreate", input: {subject: "three"}}, {type: "tool_use", id: "b", name: "Bash", input: {}}]}},
		{type: "user", message: {content: [{type: "tool_result", tool_use_id: "c2", content: "Task #2 created successfully: two"},
			{type: "tool_result", tool_use_id: "c3", content: "Task #3 created successfully: three"},
			{type: "tool_result", tool_use_id: "b", content: "Task #4 created successfully: four"}]}}' >>"$TRANSCRIPT"
	stop && is_blocked '.reason | startswith("3 items of your todo list are open:\n\n- #1 Write the parser\n- #2 two\n- #3 three\n")'
}

@test "only what was added is read, and the list is the same however a transcript is cut into stops" {
	create 1 one && stop && is_blocked
	local n
	for n in 2 3 4; do
		create $n "task $n" && stop && is_blocked ".reason | contains(\"#$n task $n\") and contains(\"#1 one\")"
	done
	printf x | dd of="$TRANSCRIPT" bs=1 seek=3 conv=notrunc status=none # what was read is not read again
	update 1 completed && update 3 completed
	stop && is_blocked '.reason | startswith("2 items of your todo list are open:\n\n- #2 task 2\n- #4 task 4\n\n")'
	# another transcript is read from its start
	: >"$TRANSCRIPT"
	create 7 other && stop && is_blocked '.reason | contains("#7 other") and (contains("#2") | not)'
	head -c -20 "$TRANSCRIPT" >"$TMPDIR/half" && cp "$TMPDIR/half" "$TRANSCRIPT"
	stop && assert_status 0
}

@test "a line over the limit hides nothing that is before it" {
	create 1 'Write the parser'
	{ printf '{"type":"user","x":"' && head -c 17M /dev/zero | tr '\0' x && printf '"}\n'; } >>"$TRANSCRIPT"
	create 2 'Test it'
	stop && is_blocked '.reason | contains("- #1 Write the parser\n- #2 Test it\n")'
	update 2 completed
	{ printf '{"type":"user","x":"' && head -c 17M /dev/zero | tr '\0' x; } >>"$TRANSCRIPT"
	stop && is_blocked '.reason | contains("- #1 Write the parser") and (contains("#2") | not)'
	echo '"}' >>"$TRANSCRIPT"
	update 1 completed
	stop && is_allowed todos_done
}

@test "a list that does not change holds the agent back as often as tries says, once more after each prompt" {
	printf 'todos: done\ntries: 2\n' >holdfast.yml
	create 1 one
	stop && is_blocked
	hook ".transcript_path = \"$TRANSCRIPT\"" holdfast stop-hook --dry-run
	[[ $stdout == *'would be blocked (todos_open)'* ]]
	stop && is_blocked
	stop && is_allowed todos_left '.systemMessage | contains("1 of the agent'\''s todos is open, and the list is the same as at the last 2 blocks")'
	stop && is_allowed todos_left
	create 2 two && stop && is_blocked
	stop '.prompt_id = "next"' && is_blocked
	printf 'todos: done\ntries: 0\n' >holdfast.yml
	stop && is_allowed todos_left
}

@test "the longest list is counted like any other" {
	printf 'todos: done\ntries: 1\n' >holdfast.yml
	jq -nc '[range(600) | {content: ("\(.)" + "\u0001" * 200), status: "pending"}] as $list
		| {type: "assistant", message: {content: [{type: "tool_use", id: "t", name: "TodoWrite", input: {todos: $list}}]}}' >>"$TRANSCRIPT"
	stop && is_blocked '.reason | startswith("500 items of your todo list are open:")'
	stop && is_allowed todos_left
}

@test "a list that changes at each stop blocks three times as often as tries says, and then the gates have their turn" {
	printf '%s\n' 'todos: done' 'tries: 2' 'gates: {unit: {run: "echo it is broken; exit 1"}}' >holdfast.yml
	git_project && echo change >code.txt
	local n
	for n in {1..6}; do
		todos "wording $n=pending" && stop && is_blocked
	done
	for n in {7..8}; do
		todos "wording $n=pending" && stop
		assert_json '.decision == "block"' '.status == "failed"' '.reason | contains("it is broken")'
	done
	todos 'wording 9=pending' && stop && assert_json '.decision != "block"' '.systemMessage | contains("unit")' \
		'.systemMessage | contains("the list has blocked 6 times since the last prompt")'
	todos 'wording 10=pending' && stop '.prompt_id = "next"' && is_blocked
}

@test "the gates have their turn well before the limit of blocks in a row, even if each stop has another prompt" {
	printf '%s\n' 'todos: done' 'tries: 30' 'gates: {unit: {run: "echo it is broken; exit 1"}}' >holdfast.yml
	git_project && echo change >code.txt
	local n
	for n in {1..10}; do
		todos "wording $n=pending" && stop ".prompt_id = \"$n\"" && is_blocked
	done
	todos 'wording 11=pending' && stop '.prompt_id = "11"'
	assert_json '.decision == "block"' '.status == "failed"' '.reason | contains("it is broken")' '.message | contains("10 stops in a row were blocked")'
}

@test "the stop is allowed where the list can't be read or counted, and while background work goes on" {
	create 1 one
	hook '.transcript_path = ""' && is_allowed todos_unknown '.message | contains("the event names no transcript")'
	hook '.transcript_path = "/nonexistent"' && is_allowed todos_unknown
	stop '.background_tasks = [{id: "b", type: "subagent", status: "running"}]' && is_allowed todos_left
	stop '.session_id = "gemini" | .hook_event_name = "AfterAgent" | .prompt_response = "x"' && assert_status 0
	[[ $stdout != *'"block"'* ]]
	local state=$HOME/.local/state/holdfast/todos
	mkdir -p "${state%/*}" && rm -rf "$state" && : >"$state"
	stop && is_allowed todos_left '.message | contains("can'\''t be counted")'
	rm "$state" && stop && is_blocked
	hook '.hook_event_name = "SessionEnd"' holdfast hook SessionEnd
	[[ -z $(ls "$state") ]]
}

@test "a teammate's task is the teammate's" {
	create 1 one
	call TaskUpdate '{"taskId":"1","owner":"reviewer"}' 'Updated task #1 owner' '{"success":true,"taskId":"1","updatedFields":["owner"]}'
	stop && is_allowed todos_done
	stop && is_allowed todos_done
	call TaskUpdate '{"taskId":"1","owner":""}' 'Updated task #1 owner' '{"success":true,"taskId":"1","updatedFields":["owner"]}'
	stop && is_blocked
}

@test "with todos: done, a loop's promise counts only if no todo is open" {
	echo 'loop: {todos: done, max_iterations: 9}' >holdfast.yml
	holdfast ralph start --session "$SESSION" 'Go on.' >/dev/null
	grep -q '^todos: "done"' .claude/ralph-loop.local.md
	create 1 'Write the parser'
	stop '.last_assistant_message = "<promise>COMPLETE</promise>"'
	assert_json '.status == "loop_continues"' '.reason | startswith("You gave <promise>COMPLETE</promise>, and it is not true yet: 1 item of your todo list is open:\n\n- #1 Write the parser")'
	update 1 completed
	stop '.last_assistant_message = "<promise>COMPLETE</promise>"'
	assert_json '.status == "loop_complete"' '.message | contains("was given, and all todos are done")'
	holdfast ralph start --session "$SESSION" 'Go on.' >/dev/null
	hook '.last_assistant_message = "<promise>COMPLETE</promise>"'
	assert_json '.status == "loop_stopped"' '.message | contains("not verified: the agent'\''s todo list can'\''t be read")'
	printf '%s\n' --- 'todos: all' --- Go >.claude/ralph-loop.local.md
	run_holdfast ralph status --json; [[ $stdout == *"2:8: todos: expected 'done', not 'all'"* ]]
}

@test "the journal and explain name the todos, and the keys have errors with their place" {
	create 1 one
	stop && is_blocked
	run_holdfast log --json && grep -q '"policy":"todos"' <<<"$stdout"
	run_holdfast explain && [[ $stdout == *todos* ]]
	echo 'todos: all' >holdfast.yml
	run_holdfast validate && assert_failure
	[[ $stderr$stdout == *'1:8: todos: expected one of done, not the string "all"'* ]] || show
}
