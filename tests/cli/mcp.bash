# SPDX-License-Identifier: MIT
# A client of `holdfast mcp` for tests: starts it, asks, and reads the answers.
#
#     serve              starts the server in the project; $SERVER_PID
#     ask METHOD [JSON]  a request; its answer is $answer, and every line before it is in $notes
#     tool NAME [JSON]   a call of a tool with these arguments
#     say TEXT           a line as it is; hear: the next line of the server, as $answer
#     leave              ends its input, and waits for its end

serve() {
	coproc SERVER { exec holdfast mcp 2>"$ERR" 3>&-; }
	ID=0 notes=
	ask initialize "{\"protocolVersion\":\"${1:-2025-11-25}\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}"
	say '{"jsonrpc":"2.0","method":"notifications/initialized"}'
}

say() { printf '%s\n' "$1" >&"${SERVER[1]}"; }
hear() { answer='' && read -r -t 20 answer <&"${SERVER[0]}" || show "the server said nothing; $(<"$ERR")"; }

ask() {
	ID=$((ID + 1))
	say "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"method\":\"$1\"${2:+,\"params\":$2}}"
	answer_to "$ID"
}

# answer_to ID: reads until the answer to this request
answer_to() {
	notes=
	while hear; do
		[[ $answer != "{\"jsonrpc\":\"2.0\",\"id\":$1,"* ]] || return 0
		notes+=$answer$'\n'
	done
	return 1
}

tool() { ask tools/call "{\"name\":\"$1\",\"arguments\":${2-"{}"}}"; }
# start_tool NAME [JSON]: the same without waiting; its id is $ID
start_tool() {
	ID=$((ID + 1))
	say "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"method\":\"tools/call\",\"params\":{\"name\":\"$1\",\"arguments\":${2-"{}"}}}"
}

leave() {
	local pid=$SERVER_PID
	exec {SERVER[1]}>&-
	wait "$pid"
}

# assert_said EXPRESSION...: each jq expression is true for the answer
assert_said() {
	local all
	printf -v all '(%s) and ' "$@" # in one program: to start jq takes longer than to run it
	jq -e "$all true" <<<"$answer" >/dev/null 2>&1 || show "not true: $*: ${answer:0:2000}"
}
