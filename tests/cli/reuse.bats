#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# With holdfast.yml, a pass counts for the content that passed, and stops share a run that is in progress.

load helper
load gates

setup() {
	setup_project
	RAN=$BATS_TEST_TMPDIR/ran
	export RAN
	mkdir src
	echo one >src/a.c
	echo one >notes.txt
	printf '#!/bin/sh\necho >>"$RAN"\nsleep "${DELAY:-0}"\n! grep -rq BAD src\n' >lint.sh
	chmod 755 lint.sh
	printf 'base: main\ngates:\n  lint: ./lint.sh\n' >holdfast.yml
	git_project
	git checkout -q -b work
	echo two >>src/a.c
}

ran() { if [[ -e $RAN ]]; then wc -l <"$RAN"; else echo 0; fi; }

@test "a stop on content that has passed runs no gate" {
	hook
	assert_allow '.status == "passed"'
	hook
	assert_allow '.status == "unchanged"'
	git commit -qam two
	hook
	assert_allow '.status == "unchanged"'
	git checkout -q -b another
	touch src/a.c
	hook
	assert_allow '.status == "unchanged"'
	assert_equal "$(ran)" 1
}

@test "the content of changed files is read without a process and with any name" {
	fake git <<-GIT
	#!/bin/sh
	echo "\$*" >>$BATS_TEST_TMPDIR/asked
	exec $(command -v git) "\$@"
	GIT
	echo new >$'src/two\nlines'
	hook
	assert_allow '.status == "passed"'
	[[ $(<"$BATS_TEST_TMPDIR/asked") != *hash-object* ]]
	grep -q status "$BATS_TEST_TMPDIR/asked"
}

@test "on the base branch, too, a stop on content that has passed runs no gate" {
	git checkout -q main
	hook
	assert_allow '.status == "passed"'
	hook
	assert_allow '.status == "unchanged"'
	git commit -qam two
	hook
	assert_allow '.status == "no_changes"'
	assert_equal "$(ran)" 1
}

# The gate covers src alone: holdfast.yml is not among its files, so that only the definition can be what has changed.
@test "changed content is checked, and so is a changed definition" {
	local definition number=2
	printf 'base: main\ngates:\n  lint: {run: ./lint.sh, files: [src]}\n' >holdfast.yml
	hook
	echo three >>src/a.c
	hook
	assert_allow '.status == "passed"'
	assert_equal "$(ran)" 2
	for definition in 'run: ./lint.sh --again' 'run: ./lint.sh, rerun: ./lint.sh' 'run: ./lint.sh, fix: "true"' \
		'run: ./lint.sh, timeout: 50s' 'run: ./lint.sh, retries: 1' 'run: ./lint.sh, hint: none'; do
		printf 'base: main\ngates:\n  lint: {%s, files: [src]}\n' "$definition" >holdfast.yml
		hook
		assert_allow '.status == "passed"'
		number=$((number + 1))
		assert_equal "$(ran)" $number
		hook
		assert_allow '.status == "unchanged"'
		assert_equal "$(ran)" $number
	done
	echo BAD >>src/a.c
	hook
	assert_block '.status == "failed"'
}

@test "a gate with reuse: false runs at every stop, and a run by hand always runs" {
	printf 'base: main\ngates:\n  lint: {run: ./lint.sh, reuse: false}\n' >holdfast.yml
	hook
	hook
	assert_equal "$(ran)" 2
	printf 'base: main\ngates:\n  lint: ./lint.sh\n' >holdfast.yml
	hook
	run_holdfast run
	assert_status 0
	assert_equal "$(ran)" 4
	run_holdfast run --all
	assert_status 0
	assert_equal "$(ran)" 5
}

@test "a pass of other content does not count" {
	echo BAD >>src/a.c
	hook
	assert_block
	git stash -q
	run_holdfast run
	assert_status 0
	git stash pop -q
	hook
	assert_block '.status == "failed"'
}

@test "a result is about the content that was there for the whole run" {
	printf '#!/bin/sh\necho >>"$RAN"\nsleep 1\n! grep -rq BAD src\n' >lint.sh
	echo BAD >>src/a.c
	holdfast run >/dev/null 2>&1 &
	eventually 10 test -e "$RAN"
	git stash -q
	wait
	git stash pop -q
	hook
	assert_block '.status == "failed"'
}

# twenty: twenty sessions stop at once; prints how many were blocked.
twenty() {
	local i
	for i in $(seq 20); do
		SESSION=session-$i event >"$BATS_TEST_TMPDIR/event.$i"
		DELAY=1 holdfast stop-hook <"$BATS_TEST_TMPDIR/event.$i" >"$BATS_TEST_TMPDIR/answer.$i" 2>/dev/null &
	done
	wait
	cat "$BATS_TEST_TMPDIR"/answer.* | jq -s 'if length == 20 then map(select(.decision == "block")) | length else "not 20 answers" end'
}

@test "twenty sessions that stop at once run the gates once, and each gets the result" {
	assert_equal "$(twenty)" 0
	assert_equal "$(ran)" 1
	echo BAD >>src/a.c
	assert_equal "$(twenty)" 20
	assert_equal "$(ran)" 2
}

# waiting_stop: a stop that comes when the gates have begun to run; prints its answer.
waiting_stop() {
	DELAY=1 holdfast run >/dev/null 2>&1 &
	eventually 10 test -e "$RAN"
	event | holdfast stop-hook 2>/dev/null
	wait
}

@test "a stop that waited shares a pass of a gate with reuse: false, and the next stop runs it" {
	printf 'base: main\ngates:\n  lint: {run: ./lint.sh, reuse: false}\n' >holdfast.yml
	assert_equal "$(waiting_stop | jq -r .status)" unchanged
	assert_equal "$(ran)" 1
	hook
	assert_allow '.status == "passed"'
	assert_equal "$(ran)" 2
}

@test "a stop that waited shares the results of the run also where the journal is a link" {
	local file
	printf 'base: main\ngates:\n  first: echo >>first; false\n' >holdfast.yml
	echo first >.git/info/exclude
	hook
	assert_block '.status == "failed"'
	file=$(echo "$XDG_STATE_HOME"/holdfast/projects/*/results.jsonl)
	mv "$file" "$TMPDIR/elsewhere" && ln -s "$TMPDIR/elsewhere" "$file"
	printf 'base: main\ngates:\n  first: echo >>first; test -e "$RAN" || { touch "$RAN"; sleep 1; }; false\n' >holdfast.yml
	rm first
	assert_equal "$(waiting_stop | jq -r .status)" failed
	assert_equal "$(wc -l <first)" 1
}

@test "a stop that waited shares all results of the run, also of a gate that had failed before the stop" {
	printf 'base: main\ngates:\n  first: echo >>first; false\n  lint: ./lint.sh\n' >holdfast.yml
	echo first >.git/info/exclude
	assert_equal "$(waiting_stop | jq -r .status)" failed
	assert_equal "$(wc -l <first)" 1
	assert_equal "$(ran)" 1
}

# run_held: a run whose gates do not end before $HELD is gone; run_ends lets them.
run_held() {
	HELD=$BATS_TEST_TMPDIR/held
	export HELD
	touch "$HELD"
	rm -f "$RAN"
	holdfast run --all >/dev/null 2>&1 3>&- &
	run=$!
	eventually 10 test -e "$RAN"
}
run_ends() { rm "$HELD" && wait "$run"; }

@test "a stop on content that has passed does not wait for a run that is in progress" {
	printf '#!/bin/sh\necho >>"$RAN"\nwhile [ -e "$HELD" ]; do sleep 0.05; done\n' >lint.sh
	HELD=none hook
	assert_allow '.status == "passed"'
	run_held
	hook
	assert_allow '.status == "unchanged"'
	kill -0 "$run"
	run_ends
	assert_equal "$(ran)" 1
}

@test "a stop that waits for a run sleeps in its lock, and asks git nothing more when it has ended" {
	fake git <<-GIT
	#!/bin/sh
	echo "\$PPID \$*" >>$BATS_TEST_TMPDIR/asked
	exec $(command -v git) "\$@"
	GIT
	printf '#!/bin/sh\necho >>"$RAN"\nwhile [ -e "$HELD" ]; do sleep 0.05; done\n' >lint.sh
	HELD=none hook
	echo three >>src/a.c
	run_held
	event >"$BATS_TEST_TMPDIR/event"
	holdfast stop-hook <"$BATS_TEST_TMPDIR/event" >"$OUT" 2>/dev/null 3>&- &
	waiter=$!
	until grep -q -- "-> FLOCK .*:$(stat -c %i .holdfast/.run.lock 2>/dev/null || echo none) " /proc/locks; do
		kill -0 "$waiter" || show 'it did not wait'
		sleep 0.05
	done
	asked=$(grep -c "^$waiter " "$BATS_TEST_TMPDIR/asked")
	run_ends
	wait "$waiter"
	jq -e '.status == "unchanged"' "$OUT"
	assert_equal "$(grep -c "^$waiter " "$BATS_TEST_TMPDIR/asked")" "$asked"
	assert_equal "$(ran)" 1
}

@test "a pass of an earlier run counts after the journal was compacted" {
	local file
	printf 'base: main\ngates:\n  lint: {run: ./lint.sh, files: [src]}\n  notes: {run: ./lint.sh, files: [notes.txt]}\n' >holdfast.yml
	hook
	assert_allow '.status == "passed"'
	echo two >>notes.txt
	hook
	assert_allow '.status == "passed"'
	assert_equal "$(ran)" 2
	file=$(echo "$XDG_STATE_HOME"/holdfast/projects/*/results.jsonl)
	for _ in $(seq 1500); do sed -n 2p "$file"; done >"$BATS_TEST_TMPDIR/lines"
	sed -i "1r $BATS_TEST_TMPDIR/lines" "$file"
	echo three >>notes.txt
	hook
	assert_allow '.status == "passed"'
	(($(wc -l <"$file") < 100)) || show 'the journal was not compacted'
	hook
	assert_allow '.status == "unchanged"'
	assert_equal "$(ran)" 3
}

@test "a gate that was unchanged while others ran is still unchanged, whatever it was compared with" {
	printf 'base: main\ngates:\n  lint: {run: ./lint.sh, files: [src]}\n  notes: {run: ./lint.sh, files: [notes.txt]}\n' >holdfast.yml
	git checkout -q main
	echo two >>notes.txt
	hook
	assert_allow '.status == "passed"'
	echo three >>notes.txt
	hook
	assert_allow '.status == "passed"'
	hook
	assert_allow '.status == "unchanged"'
	assert_equal "$(ran)" 3
}

@test "a file that is back after its deletion was committed is as it was in the base" {
	git rm -q notes.txt
	git commit -qam gone
	git show main:notes.txt >notes.txt
	hook
	assert_allow '.status == "passed"'
	hook
	assert_allow '.status == "unchanged"'
	assert_equal "$(ran)" 1
}

@test "work that breaks right after a pass is checked" {
	hook
	assert_allow '.status == "passed"'
	echo BAD >>src/a.c
	hook
	assert_block '.status == "failed"'
}

@test "the first commit on the base branch is checked, also if nothing was noted before" {
	git commit -qam two
	git checkout -q main
	echo BAD >>src/a.c
	git commit -qam bad
	hook
	assert_block '.status == "failed"'
}

# Each changes what is on disk in a way that git compares as equal. After `git add` it takes the file for unchanged.
@test "what git converts, or does not look at, is checked as it is on disk" {
	local name setting change
	printf '#!/bin/sh\n! grep -q BAD src/a.c && ! grep -q "$(printf "\\r")" src/a.c && test -e src/b.c && test -x lint.sh && { test ! -e src/l || test -L src/l; }\n' >lint.sh
	echo two >src/b.c
	git add -A && git commit -qm lint
	cp -a "$PROJECT" "$BATS_TEST_TMPDIR/template"
	while IFS=$'\t' read -r name setting change; do
		cd "$BATS_TEST_TMPDIR" && rm -rf "$PROJECT" && cp -a template "$PROJECT" && cd "$PROJECT"
		eval "$setting" && git add -A && git commit -q --allow-empty -m "$name"
		SESSION=$name hook
		assert_allow '.status == "passed"'
		sleep 0.02
		eval "$change"
		git add -A 2>/dev/null
		[[ -z $(git status --porcelain) ]] || show "$name: git shows it: $(git status --porcelain)"
		SESSION=$name hook
		[[ $stdout == '{"decision":"block"'* ]] || show "$name: $stdout"
	done <<-'WAYS'
	line ends	echo '* text=auto' >.gitattributes	sed -i 's/$/\r/' src/a.c
	line ends by an attribute that nobody commits	echo '*.c text' >.git/info/attributes	sed -i 's/$/\r/' src/a.c
	line ends by a setting	git config core.autocrlf true	sed -i 's/$/\r/' src/a.c
	line ends by an included setting	git config include.path "$PWD/../more"; printf '[core]\n\tautocrlf = input\n' >../more	sed -i 's/$/\r/' src/a.c
	line ends by a file of attributes below	echo '*.c text' >src/.gitattributes	sed -i 's/$/\r/' src/a.c
	a keyword	echo '*.c ident' >.gitattributes; echo '$Id$' >>src/a.c	sed -i 's/\$Id.*\$/$Id: BAD $/' src/a.c
	a filter	echo '*.c filter=x' >.gitattributes; git config filter.x.clean 'sed /BAD/d'	echo BAD >>src/a.c
	the mode	git config core.fileMode false; sed -i 's,./lint.sh,sh lint.sh,' holdfast.yml	chmod -x lint.sh
	a link	ln -s a.c src/l	git config core.symlinks false; rm src/l; printf a.c >src/l
	a file that is assumed to be unchanged	git update-index --assume-unchanged src/a.c	echo BAD >>src/a.c
	a file that is skipped	git update-index --skip-worktree src/a.c	echo BAD >>src/a.c
	a file that is skipped and gone	:	git update-index --skip-worktree src/b.c; rm src/b.c
	a sparse checkout	:	git sparse-checkout set --no-cone '/*' '!/src/b.c'
	WAYS
}

@test "a file whose line ends alone were changed is a change, and one that git wrote like that is none" {
	echo '* text=auto' >.gitattributes
	printf '#!/bin/sh\n! grep -q "$(printf "\\r")" src/a.c\n' >lint.sh
	git add -A && git commit -qm lint && git branch -f main HEAD
	sed -i 's/$/\r/' src/a.c
	git add -A 2>/dev/null
	hook
	assert_block
	git checkout -q . && sed -i 's/\r//' src/a.c
	hook
	assert_allow '.status == "passed"'
	printf '*.c eol=crlf\n' >.gitattributes
	git commit -qam crlf && git branch -f main HEAD
	rm src/a.c && git checkout -q src/a.c
	grep -q $'\r' src/a.c
	SESSION=another hook
	assert_allow '.status == "no_changes"'
}

@test "a mode that changes alone is a change where git does not compare modes" {
	printf 'base: main\ngates:\n  lint: test -x lint.sh\n' >holdfast.yml
	git config core.fileMode false
	git commit -qam modes && git branch -f main HEAD
	hook
	assert_allow '.status == "no_changes"'
	chmod -x lint.sh
	hook
	assert_block
}

@test "where git may convert, what passed is reused when it is staged and committed" {
	echo '* text=auto' >.git/info/attributes
	echo new >src/0.c
	hook
	assert_allow '.status == "passed"'
	git add -A
	hook
	assert_allow '.status == "unchanged"'
	git commit -qm work
	hook
	assert_allow '.status == "unchanged"'
	assert_equal "$(ran)" 1
}

# Nothing says where work on the base branch began, so all files count as changed until all gates have passed.
@test "on the base branch a run that was disturbed or of some gates alone is no first pass" {
	local name first
	git checkout -q main
	printf 'base: main\ngates:\n  lint: "true"\n  test: sh look\n' >holdfast.yml
	printf '! test -e disturb || { rm disturb; git reset -q --hard HEAD~1; ! grep -q BAD src/a.c; code=$?; git reset -q --hard main@{1}; exit $code; }\n! grep -q BAD src/a.c\n' >look
	git add -A && git commit -qm gates
	echo BAD >>src/a.c
	git commit -qam bad
	cp -a "$PROJECT" "$BATS_TEST_TMPDIR/template"
	while IFS=$'\t' read -r name first; do
		cd "$BATS_TEST_TMPDIR" && rm -rf "$PROJECT" "$XDG_STATE_HOME" && cp -a template "$PROJECT" && cd "$PROJECT"
		eval "$first"
		SESSION=$name hook
		[[ $stdout == '{"decision":"block"'* ]] || show "$name: $stdout"
	done <<-'WAYS'
	one gate by hand	holdfast run lint >/dev/null 2>&1
	disturbed	echo disturb >>.git/info/exclude; touch disturb; SESSION=before hook
	WAYS
}

# counted_git: from now on $ASKED has a line for each process of git, with its words.
counted_git() {
	local git
	git=$(command -v git)
	ASKED=$BATS_TEST_TMPDIR/asked
	mkdir -p "$BATS_TEST_TMPDIR/counting"
	printf '#!/bin/sh\necho "$*" >>%q\nexec %q "$@"\n' "$ASKED" "$git" >"$BATS_TEST_TMPDIR/counting/git"
	chmod 755 "$BATS_TEST_TMPDIR/counting/git"
	PATH=$BATS_TEST_TMPDIR/counting:$PATH
}

# asks WORD...: the processes of git that one stop starts, by their commands.
asks() {
	rm -f "$ASKED"
	hook
	assert_allow
	assert_equal "$(sed -E 's/(-c [^ ]+ )*([a-z-]+).*/\2/' "$ASKED" 2>/dev/null | sort | xargs)" "$*"
}

@test "a stop on content that has passed starts one process of git" {
	counted_git
	sed -i '/^base/d' holdfast.yml
	git commit -qam two
	echo three >>src/a.c
	hook
	assert_allow '.status == "passed"'
	hook
	asks status
	# in a work tree, with packed refs, and detached
	git pack-refs --all
	asks status
	# a stop that finds another branch takes the lock, to put logs away, and looks again
	git checkout -q --detach
	hook
	asks status
	git worktree add -q ../side work
	cd ../side
	hook
	hook
	asks status
	# on the base branch, and where only a remote has it
	cd "$OLDPWD"
	git checkout -q -f main
	sed -i '/^base/d' holdfast.yml
	hook
	hook
	asks status
	git checkout -q -b again
	git update-ref refs/remotes/origin/main main
	git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
	git branch -q -D main
	hook
	asks status
}
