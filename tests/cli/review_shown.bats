#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What a reviewer is shown of the change. It sees what it has to verify, and what it can't see is named in the prompt, in the
# log and to the user.
bats_require_minimum_version 1.5.0
load helper
load gates
load reviews

# The reviewer knows nothing but the prompt: it finds gets() where the diff adds it.
setup() {
	setup_project
	more_config=$'stop_hook:\n  reverify: true\n  run_interval_minutes: 0\nmax_retries: 9'
	review_project
	git checkout -q src
	answers claude <<-'ANSWER'
	if grep -aq '^+.*gets(' "$ASKED/$name.$n/prompt"; then fails src/g.c:2:high:'gets is unsafe'; else pass; fi
	ANSWER
}

offends() { printf 'char b[9];\nvoid f(void) { gets(b); }\n' >src/g.c; }
shows_gets() { prompt_of "claude.$1" | grep -q '^+void f(void) { gets(b); }$' || show "prompt $1 does not show it"; }
blocks() {
	stop "${1:-.}"
	assert_block '.status == "failed"'
}

# the guide's example.
@test "a file with an open finding is shown from the base on, whatever else was touched in it" {
	offends
	blocks
	echo '/* a comment */' >>src/g.c
	blocks '.stop_hook_active = true'
	assert_equal "$(asked claude)" 2
	shows_gets 2
	prompt_of claude.2 | grep -q '^+/\* a comment \*/$'
	# Each file once.
	assert_equal "$(prompt_of claude.2 | grep -c '^diff --git')" 1
	git add src && git commit -qm work
	echo '/* another */' >>src/g.c
	fixed 0
	blocks '.stop_hook_active = true'
	shows_gets 3
	sed -i '/gets/d' src/g.c
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"'
}

@test "a diff is text whatever attributes and settings say" {
	local how
	for how in 'echo "*.c -diff" >.gitattributes' 'echo "*.c binary" >.git/info/attributes' \
		'echo "*.c diff=hide" >.git/info/attributes; git config diff.hide.binary true' 'git config core.bigFileThreshold 1'; do
		rm -rf "$ASKED" .gitattributes .git/info/attributes && git config core.bigFileThreshold 1g
		offends
		eval "$how"
		echo "# $how"
		run_holdfast clean
		run_holdfast review
		assert_status 1
		shows_gets 1
		assert_stderr_lacks 'not shown'
		# also in what is committed
		git add -A && git commit -qm x
		rm -rf "$ASKED"
		run_holdfast clean
		run_holdfast review --commit HEAD
		shows_gets 1
		git reset -q --hard HEAD^
	done
}

# not_shown FILE WHY: the newest prompt, its log and the answer to the stop name the file.
not_shown() {
	prompt_of "claude.$(asked claude)" | grep -qxF -- "- $1 ($2)" || show "the prompt does not name $1"
	grep -rqF "Not shown to the reviewer: $1 ($2)" "$LOGS" || show "no log names $1"
	assert_json '.message | contains("the reviewer was not shown ")' ".message | contains(\"$1 ($2)\")"
}

@test "a binary file is named and not shown" {
	printf 'one\0\nvoid f(void) { gets(b); }\n' >src/g.c
	echo fine >src/fine.c
	stop
	assert_allow '.status == "passed"'
	not_shown src/g.c binary
	run -0 prompt_of claude.1
	[[ $output == *'+fine'* && $output != *gets* ]]
	# An attribute does not make it text.
	echo '*.c diff' >.gitattributes && echo more >>src/g.c
	stop
	not_shown src/g.c binary
	[[ $(prompt_of "claude.$(asked claude)") != *gets* ]]
}

@test "a repository in the project is named, with and without commits, tracked or not" {
	git init -q inner && offends && cp src/g.c inner/g.c && git -C inner add . && git -C inner commit -qm x
	git init -q empty && cp src/g.c empty/g.c
	rm src/g.c && echo fine >src/fine.c
	stop
	assert_allow
	not_shown inner 'a repository of its own'
	not_shown empty 'a repository of its own'
	git add inner 2>/dev/null && git commit -qm inner
	echo more >>inner/g.c && git -C inner commit -qam more
	stop
	assert_allow
	not_shown inner 'a repository of its own'
}

@test "what is too long to be shown is named" {
	seq 200000 >src/long.txt
	echo fine >src/fine.txt
	stop
	assert_allow
	assert_json '.message | contains("the reviewer was not shown src/long.txt (too long)")'
	grep -rqF "Not shown to the reviewer: src/long.txt (too long)" "$LOGS"
	prompt_of claude.1 | grep -qF 'src/long.txt'
}

@test "a finding that is not on an added line is told, and does not pass in silence" {
	local line
	printf 'one\ntwo\n' >src/a.txt
	for line in 1 3 99; do
		run_holdfast clean
		answers claude <<<"fails src/a.txt:$line:critical:'It is off'"
		stop
		assert_allow '.status == "passed_with_warnings"' ".message | contains(\"review:.:quality (claude@1) reports, but not on a line that the change adds: src/a.txt:$line - It is off\")"
		assert_file_has "$FINDINGS.1.log" "Not on a line that the change adds: src/a.txt:$line - It is off"
	done
	answers claude <<<"fails src/a.txt:2:high:'Two is wrong' src/b.txt:1:high:'It is old'"
	run_holdfast clean
	stop
	assert_block '.systemMessage | contains("src/b.txt:1 - It is old")'
}

@test "an untracked file that is too large is named, and never copied into the repository" {
	local before n
	truncate -s 17000000 src/data.bin
	echo fine >src/fine.c
	before=$(du -sk .git | cut -f1)
	for n in 1 2 3; do
		echo "$n" >>src/data.bin && echo "$n" >>src/fine.c
		stop
		assert_allow '.status == "passed"'
		not_shown src/data.bin 'larger than 16 MiB'
	done
	(($(du -sk .git | cut -f1) < before + 1000)) || show "$(du -ak .git | sort -n | tail -5)"
	# It is no change that a failed review waits for.
	offends
	blocks
	echo more >>src/data.bin
	n=$(asked claude)
	blocks '.stop_hook_active = true'
	assert_equal "$(asked claude)" "$n"
}

# git writes a pack for the first file, and the filter of the second does not end.
@test "a run that is killed while it takes a snapshot leaves no temporary packs" {
	local pid n
	echo small | tee src/a.bin >src/z.slow && git add src && git commit -qm files
	echo '*.slow filter=slow' >.git/info/attributes
	git config filter.slow.clean '[ -z "$GIT_INDEX_FILE" ] || sleep 60; cat'
	head -c 20000000 /dev/zero >src/a.bin
	echo more >>src/z.slow
	holdfast review >/dev/null 2>&1 &
	pid=$!
	for ((n = 0; n < 200; n++)); do
		[[ -n $(find .git/objects -name 'tmp_pack*') ]] && break
		sleep 0.05
	done
	((n < 200)) || show 'git writes no pack'
	kill -KILL "$pid"
	wait "$pid" || true
	for ((n = 0; n < 100; n++)); do
		[[ -z $(find .git/objects -name 'tmp_*') ]] && return
		sleep 0.05
	done
	show "$(find .git/objects -name 'tmp_*')"
}

@test "a review with files is shown only those, and a file with a finding" {
	rm -r .gauntlet
	printf '%s\n' 'gates:' '  quality:' '    review: code-quality' '    by: [claude]' '    files: ["*.c", "!old.c"]' >holdfast.yml
	git add -A && git commit -qm native
	holdfast trust >/dev/null
	offends
	echo 'a note' >src/note.txt
	echo 'int old;' >src/old.c
	blocks
	shows_gets 1
	assert_equal "$(prompt_of claude.1 | grep '^diff --git')" 'diff --git a/src/g.c b/src/g.c'
	echo 'another note' >src/note.txt
	sed -i '/gets/d' src/g.c
	stop '.stop_hook_active = true'
	assert_equal "$(prompt_of claude.2 | grep '^diff --git')" 'diff --git a/src/g.c b/src/g.c'
}
