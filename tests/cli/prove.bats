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
	assert_json '.gates == [{gate: "test", broken: "fails", files: 4, syntax: "fails"}]'
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

@test "a gate that runs tests is proved by a failing test, a linter by a syntax error" {
	mkdir -p tests
	mkdir lib
	echo 'def add(a, b): return a + b' >lib/sums.py
	printf 'import unittest\nfrom sums import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n\nif __name__ == "__main__":\n    unittest.main()\n' >tests/test_add.py
	printf 'const test = require("node:test");\ntest("a", () => {});\n' >tests/a.test.js
	printf '#!/bin/sh\ntest 1 = 1\n' >tests/test_b.sh
	write holdfast.yml <<-'END'
		gates:
		  unittest: PYTHONPATH=lib python3 -m unittest discover -s tests -q
		  script: PYTHONPATH=lib python3 tests/test_add.py
		  node: node --test tests/
		  shell: for t in tests/test_*.sh; do sh "$t" || exit 1; done
		  lint: PYTHONDONTWRITEBYTECODE=1 python3 -m compileall -fq lib
		  idle: "true"
	END
	git add -A
	run_holdfast validate --prove
	assert_status 1
	assert_stdout_has 'unittest: fails, as it should, with a failing test in tests/a.test.js and 2 more and a syntax error in '
	assert_stdout_has 'script: fails, as it should, with a failing test in '
	assert_stdout_has 'node: fails, as it should, with a failing test in '
	assert_stdout_has 'shell: fails, as it should, with a failing test in '
	assert_stdout_has 'lint: fails, as it should, with a syntax error in '
	assert_stdout_has '; passes with a failing test in tests/a.test.js and 2 more'
	assert_stdout_has 'idle: PASSES with a failing test in tests/a.test.js and 2 more and a syntax error in '
	assert_stdout_has "1 of 6 gates can't fail."
	[[ -z $(git status --porcelain tests | grep -v '^A  ') ]]
	[[ -z $(ls -A "$TMPDIR") ]] || show "left: $(ls -A "$TMPDIR")"
	run_holdfast validate --prove --json
	assert_json '[.gates[] | [.gate, .broken, .test]] == [["unittest","fails","fails"],["script","fails","fails"],["node","fails","fails"],["shell","fails","fails"],["lint","fails","passes"],["idle","passes","passes"]]'
}

@test "what a killed proof has planted is removed with its copy" {
	mkdir -p tests
	printf '#!/bin/sh\nexit 0\n' >tests/test_b.sh
	printf '%s\n' 'gates:' '  test: sh -c "echo started >>$PWD.log; sleep 60"' >holdfast.yml
	before=$(find . -type f ! -path './.git/*' | sort | xargs md5sum)
	holdfast validate --prove >/dev/null 2>&1 &
	pid=$!
	for ((i = 0; i < 400; i++)); do
		! compgen -G "$TMPDIR/holdfast.*/copy.log" >/dev/null || break
		sleep 0.05
	done
	compgen -G "$TMPDIR/holdfast.*/copy.log" >/dev/null
	kill -KILL "$pid"
	wait "$pid" || true
	for ((i = 0; i < 400; i++)); do
		[[ -n $(ls -A "$TMPDIR") ]] || break
		sleep 0.05
	done
	[[ -z $(ls -A "$TMPDIR") ]] || show "left: $(ls -A "$TMPDIR")"
	[[ $(find . -type f ! -path './.git/*' | sort | xargs md5sum) == "$before" ]]
}
