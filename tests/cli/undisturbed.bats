#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# A pass counts for content that stayed while the gates ran. What moved in between makes the result unknown, even if it came back:
# the gate runs again, and what is allowed is what was seen.

load helper
load gates
load mcp

# project GATES: holdfast.yml with these gates, on a branch with a good change. `sh look` fails where src has BAD, and waits for
# the other side before and after it has looked.
project() {
	mkdir -p src
	echo one | tee src/a.c >src/b.c
	write look <<-'SCRIPT'
	echo run >>"$HOLDFAST_TEST_DIR/runs"
	touch "$HOLDFAST_TEST_DIR/begun"
	[ ! -e "$HOLDFAST_TEST_DIR/held" ] || until [ -e "$HOLDFAST_TEST_DIR/look" ]; do sleep 0.01; done
	! grep -rn BAD src
	code=$?
	touch "$HOLDFAST_TEST_DIR/looked"
	[ ! -e "$HOLDFAST_TEST_DIR/held" ] || until [ -e "$HOLDFAST_TEST_DIR/end" ]; do sleep 0.01; done
	exit $code
	SCRIPT
	export HOLDFAST_TEST_DIR=$BATS_TEST_TMPDIR
	printf 'base: main\ngates:\n%s\n' "$1" >holdfast.yml
	LOGS=.holdfast
	git_project
	git checkout -q -b work
	echo two >>src/a.c
}

LOOK='  look: sh look'

runs() { [[ ! -e $HOLDFAST_TEST_DIR/runs ]] || wc -l <"$HOLDFAST_TEST_DIR/runs"; }

# meanwhile COMMAND: another process that acts after the gate has begun and before it looks; COMMAND2 after it has looked.
meanwhile() {
	touch "$HOLDFAST_TEST_DIR/held"
	(
		until [[ -e $HOLDFAST_TEST_DIR/begun ]]; do sleep 0.01; done
		eval "$1"
		touch "$HOLDFAST_TEST_DIR/look"
		until [[ -e $HOLDFAST_TEST_DIR/looked ]]; do sleep 0.01; done
		eval "$2"
		rm "$HOLDFAST_TEST_DIR/held"
		touch "$HOLDFAST_TEST_DIR/end"
	) >/dev/null 2>&1 3>&- &
	OTHER=$!
}

# Away before the gate looks, back before it ends: commands for both.
disturbances() {
	cat <<-'LIST'
	git stash -q	git stash pop -q
	git commit -qam bad; git checkout -q main	git checkout -q work
	cp src/a.c ../kept; git checkout -q src/a.c	cp ../kept src/a.c
	mv src/a.c ../kept; git checkout -q src/a.c	mv ../kept src/a.c
	sed -i s/BAD/good/ src/a.c	sed -i s/good/BAD/ src/a.c
	cp look ../kept; sed -i s/grep/false/ look	cp ../kept look
	mv src ../away; cp -r ../away src; sed -i s/BAD/good/ src/a.c	rm -r src; mv ../away src
	LIST
}

# A run by hand, or by another stop, while the bad content is away. $1 runs it.
no_known_failure_ends() {
	local away back
	project "$LOOK"
	echo BAD >>src/a.c
	git add -A
	hook
	assert_block
	cp -a "$PROJECT" "$BATS_TEST_TMPDIR/template"
	while IFS=$'\t' read -r away back; do
		echo "$away ... $back"
		cd "$BATS_TEST_TMPDIR" && rm -rf "$PROJECT" away begun held look looked end && cp -a template "$PROJECT" && cd "$PROJECT"
		meanwhile "$away" "$back"
		"$@" </dev/null >/dev/null 2>&1 || :
		wait "$OTHER"
		grep -q BAD src/a.c
		prompt 'go on'
		hook
		assert_block
	done < <(disturbances)
}

# The times of a directory do not tell this from a build that writes into it.
@test "a directory that was away, and into which something was written since, is not noticed" {
	project "$LOOK"
	echo BAD >>src/a.c
	hook
	assert_block
	rm "$HOLDFAST_TEST_DIR"/{begun,looked}
	meanwhile 'mv src ../away; cp -r ../away src; sed -i s/BAD/good/ src/a.c' 'rm -r src; mv ../away src; touch src/x; rm src/x'
	run_holdfast run
	wait "$OTHER"
	grep -q BAD src/a.c
	hook
	assert_allow '.status == "unchanged"'
}

@test "a run by hand during which the bad content is away ends no failure" { no_known_failure_ends holdfast run; }
@test "nor does a stop" { no_known_failure_ends hook; }
@test "nor does run_gates of the MCP server" {
	project "$LOOK"
	echo BAD >>src/a.c
	hook
	assert_block
	holdfast trust >/dev/null </dev/null
	rm "$HOLDFAST_TEST_DIR"/{begun,looked}
	meanwhile 'git stash -q' 'git stash pop -q'
	serve
	tool run_gates
	assert_said '.result.isError != true'
	leave
	wait "$OTHER"
	hook
	assert_block
}

@test "where no failure is known, content that was away is looked at again" {
	project "$LOOK"
	echo BAD >>src/a.c
	meanwhile 'sed -i s/BAD/good/ src/a.c' 'sed -i s/good/BAD/ src/a.c'
	hook
	wait "$OTHER"
	assert_block
	assert_equal "$(runs)" 2
}

@test "nor is content approved that was away in a file that git was told not to look at" {
	local flag
	for flag in skip-worktree assume-unchanged; do
		rm -rf "$PROJECT" "$BATS_TEST_TMPDIR"/{begun,held,look,looked,end,runs} && mkdir "$PROJECT" && cd "$PROJECT"
		project "$LOOK"
		git config core.fileMode false
		git update-index --$flag src/b.c
		echo BAD >>src/b.c
		meanwhile 'sed -i s/BAD/good/ src/b.c' 'sed -i s/good/BAD/ src/b.c'
		hook
		wait "$OTHER"
		assert_block
		assert_equal "$(runs)" 2
	done
}

@test "what a process writes after the gate has looked is looked at" {
	project "$LOOK"
	meanwhile : 'echo BAD >>src/b.c'
	hook
	wait "$OTHER"
	assert_block
	assert_equal "$(runs)" 2
}

@test "what a later gate writes is looked at by the gate before it, once more" {
	project "$LOOK"$'\n  codegen: {run: "echo BAD >src/gen.c", needs: [look]}'
	hook
	assert_block
	assert_stdout_has src/gen.c
}

@test "a fix that breaks a gate that had passed is noticed" {
	project "$LOOK"$'\n  style: {run: "! grep -q two src/a.c", fix: "echo BAD >src/a.c", needs: [look]}'
	hook
	assert_block
}

@test "a gate that had passed before, and whose files another gate changes, runs again" {
	project "$LOOK"$'\n  codegen: {run: "test ! -e go || echo BAD >src/gen.c", needs: [look], reuse: false}'
	printf 'go\n' >>.git/info/exclude
	hook
	assert_allow '.status == "passed"'
	touch go
	hook
	assert_block
}

@test "a formatter that settles at the second run passes" {
	project "$LOOK"$'\n  format: "sed -i s/two/three/ src/a.c"'
	hook
	assert_allow '.status == "passed"'
	grep -q three src/a.c
	hook
	assert_allow '.status == "unchanged"'
}

@test "files that the gates themselves write each time do not trap: they run twice, and the user is told" {
	project "$LOOK"$'\n  report: "date +%s%N >report.xml; cp src/b.c ../b && cp ../b src/b.c"'
	hook
	assert_allow '.status == "passed"'
	assert_equal "$(runs)" 2
	assert_stdout_has 'changes whenever the gates run'
	assert_stdout_has 'let git ignore it: report.xml, src/b.c'
}

@test "a gate that writes a new file each time passes, at a stop and by hand" {
	project "$LOOK"$'\n  report: "date >report-$(date +%s%N).xml"'
	run_holdfast run
	assert_status 0
	assert_equal "$(runs)" 2
	hook
	assert_allow '.status == "passed"'
	assert_stdout_has 'changes whenever the gates run'
}

@test "a failure that was known ends by such a pass, at a stop" {
	project "$LOOK"$'\n  report: "date +%s%N >report.xml; cp src/b.c ../b && cp ../b src/b.c"'
	echo BAD >>src/a.c
	hook
	assert_block
	sed -i /BAD/d src/a.c
	hook
	assert_allow '.status == "passed"'
	[[ $(state .outstanding) != true ]]
}

@test "content that never stays is not approved as passed: the user is told, and a known failure blocks" {
	project '  look: "sh look && date +%N >>src/b.c"'
	hook
	assert_allow '.status == "infrastructure_error"'
	assert_stdout_has 'files changed while the gates ran, so what passed is not what is there: src/b.c'
	assert_equal "$(runs)" 3
	echo BAD >>src/a.c
	hook
	assert_block '.status == "failed"'
	sed -i /BAD/d src/a.c
	hook
	assert_block '.message | contains("files changed while the gates ran")'
}

@test "a run by hand says that it runs a gate again" {
	project "$LOOK"
	meanwhile : 'echo good >>src/b.c'
	run_holdfast run
	wait "$OTHER"
	assert_status 0
	assert_stderr_has 'src/b.c changed while the gates ran: running look again'
	assert_equal "$(runs)" 2
	hook
	assert_allow '.status == "unchanged"'
}

@test "a run that is killed after a gate has passed has not ended the failure" {
	project "$LOOK"$'\n  slow: {run: "test ! -e hold || sleep 60", needs: [look]}'
	echo BAD >>src/a.c
	hook
	assert_block
	sed -i /BAD/d src/a.c
	printf 'hold\n' >>.git/info/exclude
	touch hold
	holdfast run >/dev/null 2>&1 3>&- &
	until grep -q '"gate":"look".*"outcome":"pass"' "$(journal)"; do sleep 0.02; done
	kill -KILL $!
	wait $! || :
	holdfast status --json >"$BATS_TEST_TMPDIR/status"
	grep -q look "$BATS_TEST_TMPDIR/status"
}
