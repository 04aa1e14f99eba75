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
json_dense_numbers() { items "$1" '[' '1234567890123456789,' '1]'; }
json_dense_members() { items "$1" '{' '"12345678901234567":"12345678901234567",' '"":1}'; }
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

@test "settings are read and edited in 8 times their size, and restored" {
	local key
	event . >"$BATS_TEST_TMPDIR/event"
	DOCUMENT=.claude/settings.json
	mkdir .claude
	for shape in dense_numbers dense_members "${json_shapes[@]}"; do
		for key in '"a":' '"hooks":{"Stop":'; do
			json_document $((8 * MIB - 4096)) "{$key" "${key//[^\{]/}}" "$shape"
			[[ $key != *hooks* ]] || printf '}' >>"$DOCUMENT"
			cp "$DOCUMENT" was
			measured "$shape" holdfast init --client claude
			((status == 0)) || cmp -s was "$DOCUMENT" || WRONG+="$shape: init changed what it refused"$'\n'
			measured "$shape" holdfast doctor
			INPUT=$BATS_TEST_TMPDIR/event measured "$shape" holdfast stop-hook
			assert_answer
			measured "$shape" holdfast uninstall
			cmp -s was "$DOCUMENT" || WRONG+="$shape: uninstall did not restore it"$'\n'
		done
	done
	[[ -z $WRONG ]] || show "$WRONG"
}

@test "findings are read in 8 times their size" {
	review_project
	answers claude <<<'fails src/a.txt:2:high:Bad'
	run_holdfast review
	DOCUMENT=$PWD/$FINDINGS.1.json
	event . >"$BATS_TEST_TMPDIR/event"
	for shape in "${json_shapes[@]}"; do
		json_document $((16 * MIB)) '{"adapter":"claude","status":"fail","violations":' '}' "$shape"
		cp -a gauntlet_logs kept
		measured "$shape" holdfast review
		rm -rf gauntlet_logs && mv kept gauntlet_logs
		json_document $((16 * MIB)) '{"adapter":"claude","status":"fail","violations":[{"file":"src/a.txt","line":2,"issue":' '}]}' "$shape"
		INPUT=$BATS_TEST_TMPDIR/event measured "$shape" holdfast stop-hook
		assert_answer
	done
	[[ -z $WRONG ]] || show "$WRONG"
}

# Findings as dense as the limit for values allows, and findings that fit into a file again when they are written.
json_dense_findings() { items "$1" '[' "{\"file\":\"src/a.txt\",\"line\":2,\"issue\":\"$(bytes 128 x)\"}," '{}]'; }
json_loose_findings() { items "$1" '[' "{\"file\":  \"src/a.txt\",  \"line\":  2,  \"issue\":  \"$(bytes 70 x)\",  \"status\":  \"new\"$(bytes 80 ' ')}," '{}]'; }

@test "many findings are reviewed again in 8 times their size" {
	local saved=$BATS_TEST_TMPDIR/saved answer shape
	review_project
	answers claude <<<'fails src/a.txt:2:high:Bad'
	run_holdfast review
	DOCUMENT=$PWD/$FINDINGS.1.json
	mkdir "$saved" && cp -a gauntlet_logs "$HOME" "$saved"
	for shape in dense_findings loose_findings; do
		for answer in none pass 'fails src/a.txt:2:high:Bad'; do
			rm -rf gauntlet_logs "$HOME" && cp -a "$saved/gauntlet_logs" . && cp -a "$saved/${HOME##*/}" "$HOME"
			json_document $((15 * MIB)) '{"adapter":"claude","status":"fail","violations":' '}' "$shape"
			printf 'one\ntwo\n' >src/a.txt
			[[ $answer == none ]] || echo three >>src/a.txt
			answers claude <<<"$answer"
			measured "$shape, $answer" holdfast review
			! grep -q 'too many values' "$OUT" "$ERR" || WRONG+="$shape: it was not read"$'\n'
			: >"$OUT" >"$ERR" # too long to be shown
		done
	done
	[[ -z $WRONG ]] || show "$WRONG"
}

# Each prints a YAML value that follows `key:`, of at most so many bytes.
yaml_shapes=(flow flow_maps block_list block_map unknown_keys short_items short_keys long_text quoted_text block_text aliases
	too_deep comment invalid)
yaml_flow() { items "$1" ' [' '1,' ']'; }
yaml_flow_maps() { items "$1" ' [' '{},' ']'; }
yaml_block_list() { echo && yes '  - 1' | head -c "$(($1 / 6 * 6))"; }
yaml_block_map() { echo && yes '  a: 1' | head -c "$(($1 / 7 * 7))"; }
yaml_unknown_keys() { echo && seq $(($1 / 14)) | sed 's/.*/  k&: 1/'; }
yaml_short_items() { echo && yes '  - 1234567890123456789' | head -c "$(($1 / 24 * 24 - 24))"; }
yaml_short_keys() { echo && seq -f '  %038.0f: 12345' $(($1 / 50 - 1)); }
yaml_long_text() { items "$1" ' ' xxxxxxxx ''; }
yaml_quoted_text() { items "$1" ' "' '\n' '"'; }
yaml_block_text() { echo ' |' && yes '  x' | head -c "$(($1 / 4 * 4 - 4))"; }
yaml_aliases() { printf ' [&a [' && items $(($1 - 1000)) '' 'xxxxxxxxxxxxxxxxxxxxxxxx,' ']' && yes ,*a | head -n 90 | tr -d '\n' && printf ']'; }
yaml_too_deep() { printf ' ' && bytes $(($1 - 1)) '['; }
yaml_comment() { items "$1" ' 1 #' xxxxxxxx ''; }
yaml_invalid() { printf ' ' && bytes $(($1 - 1)) '\377'; }

# yaml_document BEFORE SHAPE: as large as a configuration file may be
yaml_document() {
	{ printf %s "$1" && "yaml_$2" $((MIB - ${#1} - 64)); } >"$DOCUMENT"
	(($(stat -c %s "$DOCUMENT") <= MIB)) || show "$2 is too large"
}

@test "a configuration file is read in 8 times its size" {
	local before
	gates lint true
	# To count the lines of a large file takes git more than that.
	git update-index --assume-unchanged .gauntlet/config.yml
	event . >"$BATS_TEST_TMPDIR/event"
	for shape in "${yaml_shapes[@]}"; do
		for before in a: $'stop:\n commands:' stop:; do
			DOCUMENT=.conclaude.yaml
			yaml_document "$before" "$shape"
			INPUT=$BATS_TEST_TMPDIR/event measured "$shape" holdfast stop-hook
			assert_answer
			measured "$shape" holdfast validate
		done
		rm .conclaude.yaml
		cp .gauntlet/config.yml was
		for before in a: entry_points:; do
			DOCUMENT=.gauntlet/config.yml
			yaml_document $'base_branch: main\n'"$before" "$shape"
			INPUT=$BATS_TEST_TMPDIR/event measured "$shape" holdfast stop-hook
			assert_answer
			measured "$shape" holdfast validate
		done
		mv was .gauntlet/config.yml
	done
	[[ -z $WRONG ]] || show "$WRONG"
}

@test "2,000 entry points with all their keys are read in 8 times their size" {
	gates lint true
	git update-index --assume-unchanged .gauntlet/config.yml
	event . >"$BATS_TEST_TMPDIR/event"
	DOCUMENT=.gauntlet/config.yml
	{
		printf 'cli: {default_preference: [claude]}\nentry_points:\n'
		seq -f '- {path: p%.0f, exclude: [x], checks: [lint, lint, lint], reviews: []}' 2000
	} >"$DOCUMENT"
	measured entry-points holdfast validate
	assert_status 0
	INPUT=$BATS_TEST_TMPDIR/event measured entry-points holdfast stop-hook
	assert_answer '.status == "no_applicable_gates" or .status == "no_changes"'
	[[ -z $WRONG ]] || show "$WRONG"
}

@test "the file of a loop is read in 8 times its size" {
	DOCUMENT=.claude/ralph-loop.local.md
	event '.session_id = "s" | .last_assistant_message = "x"' >"$BATS_TEST_TMPDIR/event"
	mkdir .claude
	for shape in "${yaml_shapes[@]}"; do
		{ printf -- '---\niteration: 1\nsession_id: s\nmax_iterations: 0\ncompletion_promise:' && "yaml_$shape" $((MIB / 4 - 200)) && printf '\n---\n\nGo on.\n'; } >"$DOCUMENT"
		INPUT=$BATS_TEST_TMPDIR/event measured "$shape" holdfast stop-hook
		assert_answer
	done
	loop_file
	yes 'Go on.' | head -c $((16 * MIB - 1024)) >>"$DOCUMENT"
	INPUT=$BATS_TEST_TMPDIR/event measured prompt holdfast stop-hook
	assert_answer
	[[ -z $WRONG ]] || show "$WRONG"
}

@test "a command line that names a directory twenty thousand times is decided in 160 MiB" {
	local names
	printf 'guards: {use: [secrets, destructive]}\n' >holdfast.yml
	mkdir e
	names=$(yes e | head -n 5000 | tr '\n' ' ')
	jq -n --arg cwd "$PWD" --arg command "x='$names'; grep -r x \$x \$x \$x \$x; git reset --hard" \
		'{hook_event_name: "PreToolUse", session_id: "s", cwd: $cwd, tool_name: "Bash", tool_input: {$command}}' >"$BATS_TEST_TMPDIR/event"
	run_command "$BATS_FILE_TMPDIR/peak" "$BATS_TEST_TMPDIR/peak" holdfast hook PreToolUse <"$BATS_TEST_TMPDIR/event"
	jq -e '.hookSpecificOutput.permissionDecision == "deny"' <<<"$stdout" >/dev/null || show 'the guards did not answer'
	(($(<"$BATS_TEST_TMPDIR/peak") < 160 * 1024)) || show "it takes $(<"$BATS_TEST_TMPDIR/peak") KiB"
}
