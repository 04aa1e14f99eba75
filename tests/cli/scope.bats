#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What doc/security.md calls only reported or out of scope: that it is as it says there.

load helper
load gates

# native COMMAND: holdfast.yml with one gate, which does not fail yet, and a branch.
native() {
	printf 'base: main\ngates:\n  lint: "%s"\n' "$1" >holdfast.yml
	mkdir -p src
	echo one >src/a.c
	git_project
	hook
	assert_allow
	git checkout -q -b work
}

@test "what git ignores is not part of the work" {
	native '! grep -rq BAD src'
	echo src/new.c >>.git/info/exclude
	echo BAD >src/new.c
	hook
	assert_allow '.status == "no_changes"'
	# once something else changes, the gate sees it as it sees every file
	echo two >>src/a.c
	hook
	assert_block
}

@test "untracked files in a submodule are not part of the work, and all else in it is" {
	git init -q ../library
	(cd ../library && echo one >a.c && git_project)
	git init -q .
	git -c protocol.file.allow=always submodule --quiet add "$BATS_TEST_TMPDIR/library" src/library
	native '! grep -rq BAD src'
	echo BAD >src/library/new.c
	hook
	assert_allow '.status == "no_changes"'
	rm src/library/new.c
	git config submodule.src/library.ignore all # which counts for git alone
	echo BAD >>src/library/a.c
	hook
	assert_block
}

@test "a test that is weakened passes" {
	native './lint.sh'
	printf '#!/bin/sh\nexit 1\n' >lint.sh
	chmod 755 lint.sh
	hook
	assert_block
	printf '#!/bin/sh\nexit 0\n' >lint.sh
	hook
	assert_allow '.status == "passed"'
}

@test "a hook that is killed by KILL answers nothing, and the failure stays outstanding" {
	native '! grep -rq BAD src'
	echo BAD >>src/a.c
	hook
	assert_block
	cp holdfast.yml ../before
	printf 'base: main\ngates:\n  lint: "kill -KILL $PPID; sleep 1"\n' >holdfast.yml
	hook
	[ "$status" -ne 0 ]
	assert_stdout ''
	cp ../before holdfast.yml
	git commit -qam x && git checkout -q main && git merge -q work
	SESSION=other
	hook
	assert_block
}

@test "whoever deletes the record of results deletes the failures in it" {
	gates lint false
	stop
	assert_block
	git commit -qam x && git checkout -q main && git merge -q work
	stop
	assert_block
	rm -rf "$XDG_STATE_HOME/holdfast" "$LOGS"
	SESSION=other
	stop
	assert_allow '.status == "no_changes"'
}

@test "what a filter hides alone, and git add has taken for unchanged, is no change" {
	native '! grep -rq BAD src'
	git config filter.x.clean 'sed /BAD/d'
	echo '*.c filter=x' >.git/info/attributes
	git checkout -q .
	echo BAD >>src/a.c
	git add src/a.c
	hook
	assert_allow '.status == "no_changes"'
	echo two >src/b.c
	hook
	assert_block
}

@test "programs that the repository's own git configuration names are run, as git runs them" {
	native true
	git config filter.x.clean 'touch ran; cat'
	echo '*.c filter=x' >.gitattributes
	tr a-z A-Z <src/a.c >new && cat new >src/a.c && rm new # of the same size, so that git reads it
	hook
	assert_allow '.status == "passed"'
	assert_file ran
}

@test "calls of the hook by the agent itself are stops" {
	printf 'stop:\n  rounds: 3\n' >.conclaude.yaml
	hook
	hook
	hook
	assert_allow '.status == "rounds_finished"'
}

@test "a changed file that git tracks is copied into the repository for a review, however large it is" {
	fake claude <<-'REVIEWER'
	#!/bin/sh
	cat >/dev/null
	echo '{"status": "pass"}'
	REVIEWER
	head -c 17000000 /dev/zero >data.bin
	printf 'base: main\ngates:\n  r: {review: prompt.md}\n' >holdfast.yml
	echo 'Look.' >prompt.md
	git_project
	git checkout -q -b work
	echo two >>data.bin
	hook
	assert_answer '.status | startswith("passed")'
	object=$(git hash-object data.bin)
	git cat-file -e "$object"
}

@test "within the interval of a .gauntlet configuration changed files are told" {
	gates lint '! grep -q BAD src/a.txt'
	stop
	assert_allow '.status == "passed"'
	stop
	assert_allow '.status == "interval_not_elapsed"' '.message | contains("may have changed") | not'
	echo BAD >>src/a.txt
	stop
	assert_allow '.status == "interval_not_elapsed"' '.systemMessage | contains("the files may have changed since the gates last ran; the gates have not checked them")'
}

@test "after work that is in the base already, reviews are shown what came after it" {
	export PROMPT=$BATS_TEST_TMPDIR/prompt
	fake claude <<-'REVIEWER'
	#!/bin/sh
	cat >"$PROMPT"
	echo '{"status": "pass"}'
	REVIEWER
	printf 'base: main\ngates:\n  r: {review: prompt.md}\n' >holdfast.yml
	echo 'Look.' >prompt.md
	git_project
	hook
	prompt 'do it'
	echo first >a.c && git add -A && git commit -qm x && git checkout -q -b work
	hook
	assert_allow '.status == "passed"'
	assert_file_has "$PROMPT" +first
	SESSION=other
	git checkout -q main
	prompt 'do it'
	echo second >>a.c && git commit -qam x && git checkout -q -b more
	echo third >b.c
	hook
	assert_allow '.status == "passed"'
	assert_file_has "$PROMPT" +third
	assert_file_lacks "$PROMPT" +second
}

@test "without the client's word, the project is where the agent is" {
	native '! grep -rq BAD src'
	echo BAD >>src/a.c
	mkdir ../elsewhere
	hook ".cwd = \"$BATS_TEST_TMPDIR/elsewhere\"" bash -c 'cd ../elsewhere; exec holdfast stop-hook'
	assert_allow '.status == "no_config"'
	CLAUDE_PROJECT_DIR=$PROJECT hook ".cwd = \"$BATS_TEST_TMPDIR/elsewhere\""
	assert_block
}

@test "a prompt that the agent sends itself counts as the user's" {
	write holdfast.yml <<<'{tries: 1, gates: {test: "false"}, guards: {protect: [locked.txt]}}'
	echo 1 >locked.txt
	git_project
	prompt 'Go on.'
	echo x >a.c
	hook
	assert_block '.status == "failed"'
	hook '.stop_hook_active = true'
	assert_allow '.status == "retry_limit_exceeded"'
	echo 2 >locked.txt
	prompt 'Go on.'
	hook
	assert_block '.status == "failed"'
	run_holdfast restore --list
	assert_stdout_lacks locked.txt
}

@test "with .gauntlet, the first commits on the base branch count as seen where nobody has noted a start" {
	gates lint '! grep -rq BAD .'
	git checkout -q main
	echo BAD >>src/a.txt
	git commit -qam bad
	hook
	assert_allow '.status == "no_changes"'
}

@test "what a link leads to outside of the project is not part of the work" {
	echo one >../elsewhere
	mkdir src
	ln -s ../../elsewhere src/link
	native '! grep -rq BAD src/link'
	echo two >src/a.c
	hook
	assert_allow '.status == "passed"'
	echo BAD >../elsewhere
	hook
	assert_allow '.status == "unchanged"'
}

@test "an agent that hides that it is one turns holdfast off, and the user is told at each stop" {
	native '! grep -rq BAD src'
	echo BAD >>src/a.c
	CLAUDECODE='' run_holdfast off
	assert_stdout_has 'holdfast is off in'
	hook
	assert_allow '.status == "off"' '.systemMessage | contains("so nothing was checked")'
}

@test "a file in the log directory with the name of a gate's log is taken for one" {
	native true
	touch .holdfast/check_mine.1.log .holdfast/mine.log
	echo two >>src/a.c
	hook
	assert_allow '.status == "passed"'
	echo three >>src/a.c
	hook
	assert_allow '.status == "passed"'
	assert_absent .holdfast/check_mine.1.log
	assert_absent .holdfast/previous/check_mine.1.log
	assert_file .holdfast/mine.log
}
