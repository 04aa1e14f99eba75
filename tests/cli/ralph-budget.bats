#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Limits of tokens and cost, counted in a transcript. Its lines are those that Claude Code has recorded, with other ids and counts.

load helper

LOOP=.claude/ralph-loop.local.md

setup() {
	setup_project
	TRANSCRIPT=$PROJECT/../transcript.jsonl
	RECORDED=$ROOT/tests/fixtures/claude/transcript.trimmed.jsonl
	ANSWER=$(grep -m 1 '"role": "assistant"' "$RECORDED")
}

# loop KEY: VALUE...: a loop with these keys, started at 02:00
loop() {
	{
		printf '%s\n' --- "session_id: $SESSION" 'max_iterations: 0' 'started_at: "2026-11-15T02:00:00Z"' "$@" ---
		echo; echo 'Go on.'
	} | write "$LOOP"
}

# message ID INPUT OUTPUT WRITTEN READ [TIME [MODEL]]: one line of a message
message() {
	jq -c --arg id "$1" --arg time "${6:-2026-11-15T02:30:00.000Z}" --arg model "${7:-claude-opus-5-5}" \
		--argjson in "$2" --argjson out "$3" --argjson write "$4" --argjson read "$5" '
		.timestamp = $time | .message.id = $id | .message.model = $model | .message.usage.input_tokens = $in |
		.message.usage.output_tokens = $out | .message.usage.cache_creation_input_tokens = $write |
		.message.usage.cache_read_input_tokens = $read' <<<"$ANSWER"
}

# Another line of the client's, with the word that such lines are found by.
other() { printf '{"type":"user","message":{"role":"user","content":"the \\"usage\\" of %s"},"timestamp":"2026-11-15T02:30:00Z"}\n' "$1"; }

stop() {
	jq -n --arg session "$SESSION" --arg cwd "$PROJECT" --arg path "$TRANSCRIPT" \
		'{session_id: $session, cwd: $cwd, transcript_path: $path, hook_event_name: "Stop", last_assistant_message: "Well."}' >"$TMPDIR/event"
	run_command holdfast stop-hook <"$TMPDIR/event"
}

# The straight count: the largest values of each distinct message since the loop began.
straight_tokens() {
	jq -s '[.[] | select(.type == "assistant" and .timestamp >= "2026-11-15T02:00:00")] | group_by(.message.id) |
		map([.[].message.usage] | (map(.input_tokens) | max) + (map(.output_tokens) | max) + (map(.cache_creation_input_tokens) | max)) | add // 0' "$TRANSCRIPT"
}
# Newer versions of jq print a number as it was written, 0.260000000, unless it is calculated with.
counted() { holdfast ralph status --json | jq ".[0].$1 + 0"; }

@test "tokens are those of a straight count over distinct messages, however a transcript is cut into stops" {
	local all=$TMPDIR/all n
	{
		cat "$RECORDED"
		message early 1000 1000 1000 1000 2026-11-15T01:59:59.000Z
		for n in {1..30}; do
			message "m$n" $((n + 5)) 1 $((n * 7)) 9000
			other "$n"
			message "m$n" $((n + 5)) $((n * 3)) $((n * 7)) 9000
			((n % 3)) || message "m$((n - 1))" $((n + 4)) $((n * 4)) $((n * 7)) 9000 # two at the same time
		done
	} >"$all"
	loop 'max_tokens: 1000000'
	for n in 20 33 45 46 47 70 71 90 1000; do
		head -n "$n" "$all" >"$TRANSCRIPT"
		# the client has written half of the next line
		sed -n "$((n + 1))p" "$all" | head -c 700 >>"$TRANSCRIPT"
		stop
		assert_block
		head -n "$n" "$all" >"$TRANSCRIPT"
		[[ $(counted tokens) == "$(straight_tokens)" ]] || show "after $n lines: $(counted tokens), not $(straight_tokens)"
	done
	(($(counted tokens) > 5000)) || show 'nothing was counted'
}

@test "a stop reads only what was added since the last one" {
	loop 'max_tokens: 1000000'
	message a 10 20 0 0 >"$TRANSCRIPT"
	{ other x; other y; other z; other w; other v; other u; } >>"$TRANSCRIPT"
	stop
	[[ $(counted tokens) == 30 ]] || show "$(counted tokens)"
	# Were the beginning read again, it would count twice.
	sed -i '1s/"id":"a"/"id":"b"/' "$TRANSCRIPT"
	message c 1 2 0 0 >>"$TRANSCRIPT"
	stop
	[[ $(counted tokens) == 33 ]] || show "$(counted tokens)"
}

@test "a transcript that was replaced or truncated is counted from its start" {
	loop 'max_tokens: 1000000'
	{ message a 10 20 0 0; message b 100 200 0 0; } >"$TRANSCRIPT"
	stop
	[[ $(counted tokens) == 330 ]] || show "$(counted tokens)"
	message a 10 20 0 0 >"$TRANSCRIPT"
	stop
	[[ $(counted tokens) == 30 ]] || show "truncated: $(counted tokens)"
	{ message c 1 2 0 0; message d 1 2 0 0; message e 1 2 0 0; } >"$TRANSCRIPT"
	stop
	[[ $(counted tokens) == 9 ]] || show "replaced: $(counted tokens)"
}

@test "the loop ends at its limit of tokens" {
	loop 'max_tokens: 100'
	message a 40 50 0 5000 >"$TRANSCRIPT"
	stop
	assert_block
	message b 5 5 0 5000 >>"$TRANSCRIPT"
	stop
	assert_json '.status == "loop_limit_reached" and (.message | contains("ended after 2 iterations, 100 tokens are used and its limit is 100"))'
	[[ ! -e $LOOP ]] || show 'the loop is still there'
	grep -q '"reason":"max_tokens"' "$XDG_STATE_HOME/holdfast/loops.jsonl" || show 'no reason'
}

@test "the loop ends at its limit of cost, by the price of each model" {
	loop 'max_cost_usd: 0.5'
	# 4 / 20 dollars per million, 5 for what is written to the cache, 0.20 for what is read from it
	message a 10000 5000 20000 100000 >"$TRANSCRIPT"
	stop
	assert_block
	[[ $(counted cost_usd) == 0.26 ]] || show "$(counted cost_usd)"
	message b 0 12000 0 0 >>"$TRANSCRIPT"
	stop
	assert_json '.status == "loop_limit_reached" and (.message | contains("it has cost $0.50 and its limit is $0.50"))'
	grep -q '"reason":"max_cost_usd"' "$XDG_STATE_HOME/holdfast/loops.jsonl" || show 'no reason'
}

@test "a model without a price is named, and the user may give it one" {
	loop 'max_cost_usd: 1'
	message a 1000000 1000000 0 0 2026-11-15T02:30:00.000Z new-model-7 >"$TRANSCRIPT"
	stop
	assert_block
	assert_json ".message | contains(\"max_cost_usd does not hold: the price of 'new-model-7' is not known; set it in \`prices\`\")"
	loop 'max_cost_usd: 1' 'prices: {new-model: {input: 0.25, output: 0.75}}'
	stop
	assert_json '.status == "loop_limit_reached" and (.message | contains("it has cost $1.00"))'
}

@test "tokens that cannot be counted are said to be so, and the loop goes on" {
	loop 'max_tokens: 100'
	stop
	assert_block
	assert_json '.message | contains("tokens are not counted: ") and contains("there is no transcript")'
}

@test "the loop ends when its minutes are used up" {
	loop 'max_minutes: 5'
	stop
	assert_json '.status == "loop_limit_reached" and (.message | contains("ended after 1 iteration, its 5 minutes are used up"))'
	grep -q '"reason":"max_minutes"' "$XDG_STATE_HOME/holdfast/loops.jsonl" || show 'no reason'
	holdfast ralph start 'Go on' --session "$SESSION" >/dev/null 2>&1
	sed -i 's/^iteration:/max_minutes: 5\n&/' "$LOOP"
	stop
	assert_block
}
