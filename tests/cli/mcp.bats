#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# holdfast mcp: the protocol, line by line, and what each tool does.

load helper
load gates
load reviews
load mcp

setup() { setup_project; }
teardown() { end_survivors; }

# native YAML-LINE...: a project with holdfast.yml, on a branch with a change
native() {
	LOGS=.holdfast
	printf '%s\n' 'base: main' "$@" >holdfast.yml
	mkdir -p src && echo one >src/a.c
	git_project && git checkout -q -b work && echo BAD >>src/a.c
	holdfast trust >/dev/null </dev/null
}

# Of what the server has started, only its warden is left.
is_alone() { [[ $(survivors | wc -w) == 2 ]]; }

@test "a client gets the version that it asks for, or else the newest" {
	local version
	for version in 2024-11-05 2025-03-26 2025-06-18 2025-11-25; do
		serve $version
		assert_said ".result.protocolVersion == \"$version\"" '.result.capabilities.tools' '.result.serverInfo.name == "holdfast"' '.result.instructions | length > 0'
		leave
	done
	serve 1999-01-01
	assert_said '.result.protocolVersion == "2025-11-25"'
	ask ping
	assert_said '.result == {}'
	leave
}

@test "what is no request gets the error of JSON-RPC, and the next request its answer" {
	local lines=$TMPDIR/lines
	cat >"$lines" <<-'LINES'
	-32700	{"jsonrpc":"2.0","id":1,
	-32700	not JSON
	-32700	{"jsonrpc":"2.0","id":1,"method":"ping"} x
	-32600	1
	-32600	"ping"
	-32600	null
	-32600	{}
	-32600	{"jsonrpc":"1.0","id":1,"method":"ping"}
	-32600	{"jsonrpc":"2.0","id":1}
	-32600	{"jsonrpc":"2.0","id":null,"method":"ping"}
	-32600	{"jsonrpc":"2.0","id":{},"method":"ping"}
	-32600	{"jsonrpc":"2.0","id":1,"method":7}
	-32600	[{"jsonrpc":"2.0","id":1,"method":"ping"}]
	-32601	{"jsonrpc":"2.0","id":1,"method":"resources/list"}
	-32601	{"jsonrpc":"2.0","id":1,"method":""}
	-32602	{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}
	-32602	{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
	-32602	{"jsonrpc":"2.0","id":1,"method":"tools/call"}
	-32602	{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}
	-32602	{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":[]}}
	LINES
	# Notifications, answers and empty lines are answered by nothing.
	printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/other"}' '{"jsonrpc":"2.0","method":"ping"}' '{"jsonrpc":"2.0","id":5,"result":{}}' '' ' ' >"$TMPDIR/more"
	{ cut -f2- "$lines" && cat "$TMPDIR/more" && printf '{"jsonrpc":"2.0","id":"Grüße \\"x\\"","method":"ping"}'; } | holdfast mcp >"$OUT"
	jq -se 'map(select(.error)) | all(.jsonrpc == "2.0" and has("id") and (.error.message | length > 0))' "$OUT" >/dev/null
	assert_equal "$(jq '.error.code // empty' "$OUT")" "$(cut -f1 "$lines")"
	assert_equal "$(tail -n 1 "$OUT")" '{"jsonrpc":"2.0","id":"Grüße \"x\"","result":{}}'
	assert_equal "$(wc -l <"$OUT")" $(($(wc -l <"$lines") + 1))
}

@test "a list of messages is answered by a list, in the version that has lists" {
	native 'gates: {test: "exit 1"}'
	serve 2025-03-26
	say '[]'
	hear
	assert_said '.error.code == -32600'
	say '[{"jsonrpc":"2.0","method":"notifications/other"}]'
	say '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_gates"}},{"jsonrpc":"2.0","id":2,"method":"ping"},7,{"jsonrpc":"2.0","method":"x"}]'
	hear
	assert_said 'length == 3' 'map(select(.id == 2))[0].result == {}' 'map(select(.id == 1))[0].result.structuredContent.passed == false' 'map(select(.id == null))[0].error.code == -32600'
	say '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_gates"}},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cancel_run"}}]'
	hear
	assert_said 'map([.id, .result.isError]) | sort == [[1,true],[2,false]]'
	leave
}

@test "messages of a megabyte are answered, longer ones refused, and hostile ones survived" {
	local i
	head -c 1000000 /dev/zero | tr '\0' x >"$TMPDIR/x"
	{
		printf '{"jsonrpc":"2.0","id":"' && cat "$TMPDIR/x" && printf '","method":"ping"}\n'
		printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mark_finding","arguments":{"gate":"' && cat "$TMPDIR/x" && printf '"}}}\n'
		for i in 1 2 3 4 5 6; do cat "$TMPDIR/x"; done && echo
		head -c 100000 /dev/zero | tr '\0' '[' && echo
		printf '{"jsonrpc":"2.0","id":"\xff\\u0000\\ud800","method":"\x80"}\na\0b\n'
		printf '{"jsonrpc":"2.0","id":9,"method":"ping"}\n'
	} | holdfast mcp >"$OUT"
	assert_equal "$(jq -r 'if .error then .error.code else .result.isError end' "$OUT" | xargs)" 'null true -32600 -32700 -32600 -32700 null'
	assert_equal "$(head -n 1 "$OUT" | wc -c)" 1000038
	assert_equal "$(tail -n 1 "$OUT")" '{"jsonrpc":"2.0","id":9,"result":{}}'
}

@test "every tool has a description and a schema, and says what is wrong with its arguments" {
	local name arguments
	native 'gates: {test: "exit 1"}'
	serve
	ask tools/list
	assert_said '[.result.tools[].name] == ["status","list_gates","run_gates","cancel_run","read_log","mark_finding"]' \
		'.result.tools | all((.description | length) > 0 and .inputSchema.type == "object" and (.annotations | has("readOnlyHint")))'
	while read -r name arguments; do
		tool "$name" "$arguments"
		assert_said '.result.isError' '.result.content[0].text | length > 10'
	done <<-'CALLS'
	run_gates {"gates":"test"}
	run_gates {"gates":[1]}
	run_gates {"gates":[""]}
	run_gates {"gates":["tset"]}
	run_gates {"gates":["--all"]}
	run_gates {"gates":["test\u0000"]}
	cancel_run {}
	read_log {}
	read_log {"gate":"nothing"}
	read_log {"gate":"../../etc/passwd"}
	mark_finding {"gate":"test"}
	mark_finding {"gate":"test","finding":"x","status":"new"}
	mark_finding {"gate":"test","finding":"x","status":"skipped"}
	mark_finding {"gate":"test","finding":"x","status":"skipped","reason":" "}
	mark_finding {"gate":"test","finding":"x","status":"fixed"}
	CALLS
	tool run_gates '{"gates":["tset"]}'
	assert_said '.result.content[0].text | contains("did you mean")'
	leave
}

@test "where there are no gates, the tools say so" {
	serve
	tool status
	assert_said '.result.isError' '.result.content[0].text | contains("holdfast.yml")'
	tool read_log '{"gate":"test"}'
	assert_said '.result.isError' '.result.content[0].text | contains("holdfast.yml")'
	leave
}

@test "the status says what failed, what the next stop runs, and why the last one was blocked" {
	native 'gates: {test: "! grep -n BAD src/a.c", lint: "true"}' 'tries: 3'
	prompt go
	hook
	assert_block
	serve
	tool status
	assert_said '.result.structuredContent | .failing[0].gate == "test" and .tries_used == 1 and .tries == 3 and (.next | length) == 1' \
		'.result.structuredContent.last_stop | .decision == "block" and .status == "failed" and (.change | length) > 0' \
		'(.result.content[0].text | fromjson) == .result.structuredContent'
	tool list_gates
	assert_said '[.result.structuredContent.checks[].name] == ["test","lint"]'
	leave
}

@test "run_gates runs what holdfast run runs, tells its progress, and is recorded like any other run" {
	native 'gates: {test: "echo >>test.ran; ! grep -n BAD src/a.c", lint: "echo >>lint.ran"}'
	echo '*.ran' >.gitignore && git add .gitignore && git commit -qm ignore .gitignore
	serve
	ask tools/call '{"name":"run_gates","_meta":{"progressToken":"p1"}}'
	assert_said '.result.isError == false' '.result.structuredContent | .passed == false and .status == "failed"' \
		'[.result.structuredContent.gates[] | [.gate, .outcome]] == [["test","fail"],["lint","pass"]]' \
		'.result.content[0].text | contains("2:BAD")' '.result.structuredContent.text | contains("2:BAD")'
	jq -se 'length >= 3 and all(.method == "notifications/progress" and .params.progressToken == "p1") and ([.[].params.progress] | . == (unique | sort))' <<<"$notes" || show "$notes"
	jq -se 'map(select(.event == "result")) | map([.gate, .outcome]) | sort == [["lint","pass"],["test","fail"]]' "$(journal)"
	echo good >src/a.c
	tool run_gates '{"gates":["test"]}'
	assert_equal "$notes" ''
	assert_said '.result.structuredContent | .passed and (.gates | length) == 1'
	assert_equal "$(times test) $(times lint)" '2 1'
	leave
}

@test "a run is cancelled with all its children, by the tool or by the client, and the server goes on" {
	native 'gates: {slow: "touch begun; sleep 300 & sleep 300"}'
	marked serve
	start_tool run_gates
	eventually 10 test -e begun
	tool run_gates
	assert_said '.result.isError' '.result.content[0].text | contains("in progress")'
	start_tool cancel_run
	answer_to $((ID - 2))
	assert_said '.result.isError' '.result.content[0].text | contains("cancelled")'
	hear
	assert_said ".id == $ID" '.result.structuredContent.cancelled'
	assert_absent .holdfast/.run.lock
	eventually 5 is_alone || show "still running: $(survivors)"

	rm begun
	start_tool run_gates
	eventually 10 test -e begun
	say "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":$ID,\"reason\":\"enough\"}}"
	eventually 10 test ! -e .holdfast/.run.lock
	tool status
	assert_equal "$notes" ''
	assert_said '.result.structuredContent.running == false'
	leave
	assert_none_survives
}

@test "when its input ends, or it is killed, no process and no lock is left" {
	local how
	native 'gates: {slow: "touch begun; trap \"\" TERM; sleep 300 & sleep 300"}'
	for how in end TERM INT KILL; do
		rm -f begun
		marked serve
		start_tool run_gates
		eventually 10 test -e begun
		if [[ $how == end ]]; then leave; else kill -$how "$SERVER_PID" && wait "$SERVER_PID" || :; fi
		assert_none_survives 8
		holdfast status --json | jq -e '.running == false'
	done
}

@test "a log is read page by page, and no other file" {
	local text='' offset=0
	native 'gates: {test: "seq 2000; printf \"Grüße\\n%.0s\" {1..2000}; exit 1"}'
	serve
	tool run_gates
	while [[ $offset != null ]]; do
		tool read_log "{\"gate\":\"test\",\"offset\":$offset,\"limit\":4999}"
		text+=$(jq -r '.result.structuredContent.text + "."' <<<"$answer")
		text=${text%.}
		offset=$(jq .result.structuredContent.next_offset <<<"$answer")
	done
	assert_equal "$text" "$(cat .holdfast/check_._test.1.log)"$'\n'
	tool read_log '{"gate":"test","offset":-20}'
	assert_said '.result.structuredContent | .size - .offset == 20 and has("next_offset") == false and .outcome == "fail"' '.result.content[0].text | contains("code 1")'
	tool read_log '{"gate":"test","offset":99999999,"limit":-5}'
	assert_said '.result.structuredContent.text == ""'
	ln -sf /etc/passwd .holdfast/check_._test.1.log
	tool read_log '{"gate":"test"}'
	assert_said '.result.isError' '.result.content[0].text | contains("link")'
	rm .holdfast/check_._test.1.log
	tool read_log '{"gate":"test"}'
	assert_said '.result.isError' '.result.content[0].text | contains("deleted")'
	leave
}

@test "of a gate that runs in several directories, the one that failed is shown, or a name is asked for" {
	native 'gates: {test: {run: "! grep BAD *.c", in: "src/*"}}'
	mkdir -p src/one src/two && echo fine | tee src/one/a.c >src/two/a.c
	echo BAD >src/two/a.c
	serve
	tool run_gates
	tool read_log '{"gate":"test"}'
	assert_said '.result.structuredContent | .outcome == "fail" and (.log | contains("two"))'
	tool read_log '{"gate":"test","in":"src/one"}'
	assert_said '.result.structuredContent.outcome == "pass"'
	echo BAD >src/one/a.c
	tool run_gates
	tool read_log '{"gate":"test"}'
	assert_said '.result.isError' ".result.content[0].text | contains(\"in 'src/one'\") and contains(\"in 'src/two'\")"
	leave
}

@test "a finding is marked where the agent marks it, and a reviewer decides" {
	local id
	more_config='stop_hook: {reverify: true}' review_project
	answers claude <<-'SHELL'
	if grep -q '^+two' "$ASKED/$name.$n/prompt"; then fails src/a.txt:2:high:Bad src/b.txt:4:low:Odd; else pass; fi
	SHELL
	holdfast trust >/dev/null </dev/null
	serve
	tool run_gates
	assert_said '.result.structuredContent.passed == false'
	tool status
	assert_said '[.result.structuredContent.findings[] | [.file, .line, .issue, .status]] == [["src/a.txt",2,"Bad","new"],["src/b.txt",4,"Odd","new"]]'
	id=$(jq -r '.result.structuredContent.findings[0].id' <<<"$answer")
	tool mark_finding "{\"gate\":\"quality\",\"finding\":\"$id\",\"status\":\"fixed\",\"reason\":\"it is gone\"}"
	assert_said '.result.structuredContent.marked'
	jq -e '[.violations[] | [.status, .result]] == [["fixed","it is gone"],["new",null]]' "$(newest_findings)"
	tool run_gates # nothing was changed
	assert_said '.result.structuredContent.passed == false'
	tool status
	assert_said '.result.structuredContent.findings | length == 2'
	for id in $(jq -r '.result.structuredContent.findings[].id' <<<"$answer"); do
		tool mark_finding "{\"gate\":\"quality\",\"finding\":\"$id\",\"status\":\"skipped\"}"
		assert_said '.result.isError'
		tool mark_finding "{\"gate\":\"quality\",\"finding\":\"$id\",\"status\":\"skipped\",\"reason\":\"as agreed\"}"
		assert_said '.result.isError == false'
	done
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed_with_warnings"'
	leave
}

@test "no call of a tool lets a failing stop pass, gives tries back, or ends a failure" {
	local kind
	for kind in native gauntlet; do
		cd "$BATS_TEST_TMPDIR" && rm -rf "$PROJECT" "$XDG_STATE_HOME" && mkdir "$PROJECT" && cd "$PROJECT"
		SESSION=$kind
		if [[ $kind == native ]]; then
			native 'gates: {test: "! grep BAD src/a.c", slow: "touch begun; test ! -e slow || sleep 300"}' 'tries: 3'
		else
			LOGS=gauntlet_logs gates test '! grep BAD src/a.c' slow 'touch begun; test ! -e slow || sleep 300'
			config 'stop_hook: {reverify: true, run_interval_minutes: 0}'
			echo BAD >>src/a.c
			holdfast trust >/dev/null </dev/null
		fi
		echo begun >.git/info/exclude
		prompt go
		hook
		assert_block '.status == "failed"'
		marked serve
		for i in 1 2 3; do tool run_gates; done
		tool run_gates '{"gates":["slow"]}'
		assert_said '.result.structuredContent.passed'
		touch slow && rm begun
		start_tool run_gates '{"gates":["test","slow"]}'
		eventually 10 test -e begun
		start_tool cancel_run
		answer_to "$ID"
		rm slow
		tool mark_finding '{"gate":"test","finding":"0123456789abcdef","status":"skipped","reason":"I want to stop"}'
		assert_said '.result.isError'
		tool status
		assert_said '.result.structuredContent | .tries_used == 1 and ([.failing[].gate] | index("test")) != null'
		assert_equal "$(tries)" 1
		hook '.stop_hook_active = true'
		assert_block '.status == "failed"'
		assert_equal "$(tries)" 2
		leave
	done
}

@test "nothing of a project that is not trusted is run" {
	native 'gates: {test: "touch ran"}'
	holdfast trust --revoke >/dev/null
	serve
	tool run_gates
	assert_said '.result.isError == true' '.result.content[0].text | contains("is not trusted")'
	leave
	[[ ! -e ran ]]
}

@test "an id that an answer can't repeat is refused" {
	serve
	say '{"jsonrpc":"2.0","id":"a\u0000b","method":"ping"}'
	hear
	assert_said '.id == null' '.error.code == -32600'
	leave
}

@test "a pinned definition is used, whatever the agent writes" {
	native 'gates: {test: "! grep BAD src/a.c"}'
	holdfast trust --pin >/dev/null </dev/null
	printf 'base: main\ngates: {test: "true"}\n' >holdfast.yml
	serve
	tool run_gates
	assert_said '.result.structuredContent.passed == false'
	tool list_gates
	assert_said '.result.structuredContent.checks[0].command | contains("grep")'
	leave
}

@test "on a terminal it says what it is for" {
	on_terminal holdfast mcp || :
	grep -q "holdfast init" "$OUT"
}
