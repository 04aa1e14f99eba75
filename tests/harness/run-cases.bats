# The case runner itself: each expectation can fail, and says why.

setup() {
	runner=$BATS_TEST_DIRNAME/../lib/run-cases
	export CASES_DIR=$BATS_TEST_TMPDIR/cases HOLDFAST_BIN=$BATS_TEST_TMPDIR/fake
	mkdir "$CASES_DIR"
	# Answers with what the first argument names.
	cat >"$HOLDFAST_BIN" <<-'FAKE'
	#!/bin/bash
	case $1 in
	echo) cat ;;
	say) printf "$2" ;;
	fail) echo '{}'; exit "$2" ;;
	env) printf '{"value":"%s"}\n' "${!2}" ;;
	name) printf '{"name":"%s"}\n' "${0##*/}" ;;
	write) echo "$3" >"$2"; echo '{}' ;;
	slow) sleep 60 ;;
	*) echo '{"decision":"approve","args":"'"$*"'"}' ;;
	esac
	FAKE
	chmod +x "$HOLDFAST_BIN"
}

# The case's text on stdin; passes when the case does.
passes() {
	cat >"$CASES_DIR/one.case"
	run "$runner"
	echo "$output"
	[ "$status" -eq 0 ] && [[ $output == *$'\nok 1 - '* ]]
}

# The case must fail with a line that has $1.
fails_with() {
	cat >"$CASES_DIR/one.case"
	run "$runner"
	echo "$output"
	[ "$status" -ne 0 ] && [[ $output == *$'\nnot ok 1 - '* ]] && [[ $output == *"$1"* ]]
}

@test "the default step is a stop-hook that gets a Stop event and answers one object" {
	passes <<-'CASE'
	title: default
	run
	json .args == "stop-hook"
	run holdfast echo
	json .hook_event_name == "Stop" and .session_id == "case" and .cwd == "@DIR@"
	CASE
}

@test "an exit code other than 0 fails, unless the case names it" {
	fails_with 'exit code 2, not 0' <<-'CASE'
	title: code
	run holdfast fail 2
	CASE
	passes <<-'CASE'
	title: code
	run holdfast fail 1
	exit 1
	CASE
	fails_with 'exit code 1, not 3' <<-'CASE'
	title: code
	run holdfast fail 1
	exit 3
	CASE
}

@test "two objects, an array, nothing and two lines are not one JSON object on one line" {
	for answer in '{}{}\n' '[]\n' '' 'word\n' '{\n}\n' '{}\n\n'; do
		fails_with 'stdout is not' <<-CASE
		title: shape
		run holdfast say '$answer'
		CASE
	done
}

@test "a JSON expression that is false, empty, broken or an error fails" {
	for expression in '.decision == "block"' 'empty' '.decision.x' '.decision ==' 'null'; do
		fails_with 'not ok' <<-CASE
		title: json
		run
		json $expression
		CASE
	done
}

@test "text expectations tell has from lacks and is from almost" {
	passes <<-'CASE'
	title: text
	run holdfast say 'one\ntwo\n'
	stdout has two
	stdout lacks three
	stdout is
	    one
	    two
	stderr empty
	CASE
	fails_with 'stdout lacks: three' <<-'CASE'
	title: text
	run holdfast say 'one\n'
	stdout has three
	CASE
	fails_with 'stdout has: one' <<-'CASE'
	title: text
	run holdfast say 'one\n'
	stdout lacks one
	CASE
	fails_with 'stdout is not: one' <<-'CASE'
	title: text
	run holdfast say 'one'
	stdout is one
	CASE
	fails_with 'stdout is not empty' <<-'CASE'
	title: text
	run holdfast say 'one'
	stdout empty
	CASE
}

@test "files are written as they stand, byte for byte, and with their mode" {
	passes <<-'CASE'
	title: files
	file a/b.txt
	    one

	      two
	exec tool
	    #!/bin/sh
	    echo '{}'
	bytes raw
	    \x00\xffa\n
	    b
	mode 0400 a/b.txt
	link l a/b.txt
	file big
	    @3*ab@
	run ./tool
	after a/b.txt is
	    one

	      two
	after a/b.txt mode 400
	after tool mode 755
	after big is ababab
	after l has two
	check [ "$(od -An -tx1 raw | tr -d ' \n')" = 00ff610a62 ]
	CASE
}

@test "files afterwards: absent, exists, unchanged and json can each fail" {
	for line in 'a absent' 'b exists' 'a unchanged' 'a is 1' 'a lacks 2' 'a json .x == 1' 'a mode 600' 'a empty'; do
		fails_with 'not ok' <<-CASE
		title: after
		file a
		    1
		sh chmod 644 a
		run holdfast write a 2
		after $line
		CASE
	done
	passes <<-'CASE'
	title: after
	file a
	    1
	run
	after a unchanged
	after b absent
	CASE
}

@test "a failing check or preparation fails the case" {
	fails_with 'check false' <<-'CASE'
	title: check
	run
	check false
	CASE
	fails_with 'line 2' <<-'CASE'
	title: check
	sh false
	run
	CASE
}

@test "the three forms of input arrive as they are" {
	passes <<-'CASE'
	title: input
	run holdfast echo
	stdin {"a":"@3*x@"}
	json .a == "xxx"
	bytes in
	    {"b":"\\u0001"}\n
	run holdfast echo
	stdin-bytes {"a":1}\n
	json .a == 1
	run holdfast echo
	stdin-file in
	json .b == "\u0001"
	run holdfast echo
	stdin
	stdout empty
	CASE
}

@test "variables are set and removed, and none leaks in" {
	LEAK=1 passes <<-'CASE'
	title: variables
	run holdfast env LEAK
	json .value == ""
	env LEAK=two words
	run holdfast env LEAK
	json .value == "two words"
	env LEAK
	run holdfast env LEAK
	json .value == ""
	run holdfast env HOME
	json .value == "@HOME@"
	CASE
}

@test "the binary answers under its other names" {
	passes <<-'CASE'
	title: names
	run conclaude name
	json .name == "conclaude"
	run agent-gauntlet name
	json .name == "agent-gauntlet"
	CASE
}

@test "a case with names is run under each of them, with the lines for that name" {
	passes <<-'CASE'
	title: names
	names: holdfast conclaude agent-gauntlet
	run
	holdfast: json .args == "stop-hook"
	agent-gauntlet: json .args == "stop-hook"
	conclaude: json .args == "Stop"
	run @NAME@ name
	json .name == "@NAME@"
	run @HOOK@ Other
	holdfast: stdout is
	    {"decision":"approve","args":"hook Other"}
	conclaude: stdout is
	    {"decision":"approve","args":"Other"}
	run @NAME@ echo
	conclaude: json .transcript_path == "/t.jsonl"
	holdfast: json .transcript_path == ""
	CASE
	[[ $output == 1..3* && $output == *'ok 2 - '*'one.case (conclaude): names'* && $output == *'ok 3 - '*'(agent-gauntlet)'* ]]
	[[ $output != *'not ok'* ]]
	cat >"$CASES_DIR/one.case" <<-'CASE'
	title: names
	names: holdfast conclaude
	run @NAME@ name
	conclaude: json .name == "holdfast"
	CASE
	run "$runner"
	[[ $status -ne 0 && $output == *$'\nok 1 - '* && $output == *$'\nnot ok 2 - '* ]]
}

@test "a case with a table is run for each row" {
	passes <<-'CASE'
	title: the word @WHAT@
	table WHAT TEXT
	    one | {"a":"1|2"}
	    none of it |
	    many | {"a":"@3*x@"}
	run holdfast echo
	stdin @TEXT@
	stdout has @TEXT@
	CASE
	[[ $output == 1..3* && $output == *'ok 1 - '*': the word one'* && $output == *'ok 2 - '*': the word none of it'* ]]
	[[ $output == *'ok 3 - '*': the word many'* ]]
	cat >"$CASES_DIR/one.case" <<-'CASE'
	title: @WHAT@
	table WHAT TEXT
	    one | two
	    three
	run
	json .args == "stop-hook"
	CASE
	run "$runner"
	[[ $status -ne 0 && $output == *$'\nok 1 - '* && $output == *'row 2 of the table has 1 cells for 2 columns'* ]]
}

@test "a step that hangs is killed and fails" {
	CASE_SECONDS=1 fails_with 'exit code 124' <<-'CASE'
	title: hang
	run holdfast slow
	stdout any
	CASE
}

@test "an unknown word, a missing title and a case that runs nothing fail" {
	fails_with "unknown word 'fille'" <<-'CASE'
	title: word
	fille x
	run
	CASE
	fails_with 'begins with title:' <<<run
	fails_with 'nothing is run' <<<'title: nothing'
}
