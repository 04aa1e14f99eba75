#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# holdfast validate --prove: a gate that passes with broken files is named.

load helper

setup() {
	setup_project
	write holdfast.yml <<-'END'
		gates:
		  test: for f in src/*.sh; do sh -n "$f" || exit 1; done
		  idle: "true"
		  masked: sh -n src/a.sh || true
		  docs: {run: test -e README.md, files: ["*.md"]}
		  red: "false"
		  own: {run: sh ./check.sh, files: ["*.py"]}
	END
	mkdir -p src ignored
	echo 'echo a' >src/a.sh
	printf '#!/bin/sh\nexit 0\n' >src/b.sh
	echo 'test -e ignored/tool && ! grep -q planted src/*.py' >check.sh
	echo 'print(1)' >src/c.py
	echo x >README.md
	echo tool >ignored/tool
	echo ignored >.gitignore
	git_project
	echo 'echo uncommitted' >>src/a.sh
}

@test "gates that can't fail are named, and nothing in the project changes" {
	before=$(find . -type f ! -path './.git/*' | sort | xargs md5sum; git status --porcelain)
	run_holdfast validate --prove
	assert_status 1
	assert_stdout 'test: fails, as it should, with a syntax error in src/b.sh and 1 more
idle: PASSES with a syntax error in src/b.sh and 1 more
masked: PASSES with a syntax error in src/b.sh and 1 more
docs: not proved: no source file that it is for can be broken
red: not proved: it does not pass in a copy of the work tree as it is, so that a failure proves nothing
own: fails, as it should, with a syntax error in src/c.py
2 of 6 gates can'"'"'t fail.'
	[[ $(find . -type f ! -path './.git/*' | sort | xargs md5sum; git status --porcelain) == "$before" ]]
	[[ -z $(ls -A "$TMPDIR") ]] || show "left: $(ls -A "$TMPDIR")"
	[[ ! -e $HOME/.local/state/holdfast/projects ]]
}

@test "with gates that can fail the exit code is 0; JSON for scripts" {
	printf '%s\n' 'gates:' '  test: sh -n src/*.sh' >holdfast.yml
	run_holdfast validate --prove --json
	assert_status 0
	assert_json '.gates == [{gate: "test", broken: "fails", files: 4}]'
	run_holdfast validate --json
	assert_status 1
	assert_stderr_has '--json is for --prove'
}

@test "without gates there is nothing to prove" {
	echo 'rounds: 2' >holdfast.yml
	run_holdfast validate --prove
	assert_status 1
	assert_stderr_has 'there is no gate with a command, so that nothing can be proved'
}
