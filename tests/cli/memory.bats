#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Memory: an event, a transcript line, settings, findings or a configuration file may take 8 times its size and 4 MiB,
# whatever is in it, and is answered as any other. Each is as large as it may be.
bats_require_minimum_version 1.5.0
load helper
load gates
load reviews

MIB=$((1 << 20))

setup_file() {
	cc -O1 -o "$BATS_FILE_TMPDIR/peak" "${BATS_TEST_DIRNAME%/cli}/lib/peak.c"
}

setup() {
	setup_project
	! grep -q __asan_init "$(readlink -f "$BIN/holdfast")" || skip 'a sanitizer takes memory of its own'
	DOCUMENT=$BATS_TEST_TMPDIR/document WRONG=''
}

# items BYTES BEGIN ITEM END: the item between the two as often as it fits into so many bytes
items() { printf %s "$2" && yes "$3" | head -n "$((($1 - ${#2} - ${#4}) / ${#3}))" | tr -d '\n' && printf %s "$4"; }
bytes() { head -c "$1" /dev/zero | tr '\0' "$2"; }

# Each prints one JSON value of at most so many bytes. The first lines are refused for the number of their values, the
# next have as many as are allowed.
json_shapes=(lists maps integers strings equal_keys keys nested short_numbers short_strings short_members short_maps short_lists
	long_string escaped_string unicode_string invalid_string invalid_escaped_string long_number blanks
	open_list open_string too_deep)
json_lists() { items "$1" '[' '[],' '[]]'; }
json_maps() { items "$1" '[' '{},' '{}]'; }
json_integers() { items "$1" '[' '1,' '1]'; }
json_strings() { items "$1" '[' '"",' '""]'; }
json_equal_keys() { items "$1" '{' '"a":1,' '"a":1}'; }
json_keys() { printf '{' && seq $(($1 / 14)) | sed 's/.*/"&":0,/' | tr -d '\n' && printf '"":0}'; }
json_nested() { items "$1" '[' "$(bytes 100 '[')$(bytes 100 ']')," '1]'; }
json_short_numbers() { items "$1" '[' '12345678901234567890123,' '1]'; }
json_short_strings() { items "$1" '[' '"123456789012345678901",' '1]'; }
json_short_members() { items "$1" '{' '"123456789012345678901":"123456789012345678901",' '"":1}'; }
json_short_maps() { items "$1" '[' "{\"0\":{\"1\":{\"2\":{\"3\":\"$(bytes 170 x)\"}}}}," '1]'; }
json_short_lists() { items "$1" '[' '[                     ],' '1]'; }
json_long_string() { items "$1" '"' xxxxxxxx '"'; }
json_escaped_string() { items "$1" '"' '\n' '"'; }
json_unicode_string() { items "$1" '"' '\u20ac' '"'; }
json_invalid_string() { printf '"' && bytes $(($1 - 2)) '\377' && printf '"'; }
json_invalid_escaped_string() { printf '"\\n' && bytes $(($1 - 4)) '\377' && printf '"'; }
json_long_number() { bytes "$1" 1; }
json_blanks() { items "$1" '[' '        ' ']'; }
json_open_list() { items "$1" '[' '1,' ''; }
json_open_string() { items "$1" '"' xxxxxxxx ''; }
json_too_deep() { bytes "$1" '['; }

# measured SHAPE COMMAND...: runs it, with the document in $DOCUMENT, and notes when that takes too much memory.
measured() {
	local size limit peak
	size=$(stat -c %s "$DOCUMENT") && limit=$((8 * size / 1024 + 4096))
	run_command "$BATS_FILE_TMPDIR/peak" "$BATS_TEST_TMPDIR/peak" "${@:2}" <"${INPUT:-/dev/null}"
	peak=$(<"$BATS_TEST_TMPDIR/peak")
	[[ -z ${BATS_SHOW_MEMORY-} ]] || echo "# $((peak / 1024)) of $((limit / 1024)) MiB, $((10 * peak * 1024 / size))/10: $1: ${*:2}" >&3
	((peak <= limit)) || WRONG+="$1: ${*:2}: $((peak / 1024)) MiB for $((size / 1024)) KiB"$'\n'
	((status < 128)) || WRONG+="$1: ${*:2}: exit code $status"$'\n'
}

# json_document LIMIT BEFORE AFTER SHAPE
json_document() {
	local around=${#2}+${#3}
	{ printf %s "$2" && "json_$4" $(($1 - around)) && printf %s "$3"; } >"$DOCUMENT"
	(($(stat -c %s "$DOCUMENT") <= $1)) || show "$4 is too large"
}

# A loop that waits for its promise, so that the last message is looked for in the transcript.
loop_file() { write .claude/ralph-loop.local.md <<<$'---\niteration: 1\nsession_id: s\nmax_iterations: 0\ncompletion_promise: "DONE"\n---\n\nGo on.'; }

@test "an event is read in 8 times its size" {
	loop_file
	for shape in "${json_shapes[@]}"; do
		json_document $((33 * MIB)) '{"hook_event_name":"Stop","session_id":"s","cwd":"'"$PROJECT"'","last_assistant_message":' '}' "$shape"
		INPUT=$DOCUMENT measured "$shape" holdfast stop-hook
		assert_answer 'has("status")'
	done
	[[ -z $WRONG ]] || show "$WRONG"
}

@test "a line of a transcript is read in 8 times its size" {
	local input=$BATS_TEST_TMPDIR/event
	event '.session_id = "s" | .transcript_path = "'"$DOCUMENT"'"' >"$input"
	for shape in "${json_shapes[@]}"; do
		loop_file
		json_document $((16 * MIB)) '{"type":"assistant","message":{"id":"m","role":"assistant","content":' '}}' "$shape"
		INPUT=$input measured "$shape" holdfast stop-hook
		assert_answer '.status == "loop_continues"'
		json_document $((16 * MIB)) '{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":' '}]}}' "$shape"
		INPUT=$input measured "$shape" holdfast stop-hook
		assert_answer '.status == "loop_continues"'
	done
	[[ -z $WRONG ]] || show "$WRONG"
}
