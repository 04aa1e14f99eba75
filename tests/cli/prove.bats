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
	assert_stdout_has 'unittest: fails, as it should, with a failing test in tests/test_add.py (1 of 3 planted failures was noticed) and a syntax error in '
	assert_stdout_has 'script: fails, as it should, with a failing test in tests/test_add.py (1 of 3 planted failures was noticed)'
	assert_stdout_has 'node: fails, as it should, with a failing test in tests/a.test.js (1 of 3 planted failures was noticed)'
	assert_stdout_has 'shell: fails, as it should, with a failing test in tests/test_b.sh (1 of 3 planted failures was noticed)'
	assert_stdout_has 'lint: fails, as it should, with a syntax error in '
	assert_stdout_has '; passes with a failing test in tests/a.test.js and 2 more'
	assert_stdout_has 'idle: PASSES with a failing test in tests/a.test.js and 2 more and a syntax error in '
	assert_stdout_has "1 of 6 gates can't fail."
	[[ -z $(git status --porcelain tests | grep -v '^A  ') ]]
	[[ -z $(ls -A "$TMPDIR") ]] || show "left: $(ls -A "$TMPDIR")"
	run_holdfast validate --prove --json
	assert_json '[.gates[] | [.gate, .broken, .test]] == [["unittest","fails","fails"],["script","fails","fails"],["node","fails","fails"],["shell","fails","fails"],["lint","fails","passes"],["idle","passes","passes"]]'
}

# A go that builds all test files of a directory together, as the real one does, and runs the tests that -run names.
fake_go() {
	fake go <<-'END'
		#!/bin/sh
		! grep -q 'a break here' *.go || { echo 'syntax error'; exit 1; }
		twice=$(cat *_test.go | sed -n 's/^func \(Test[A-Za-z0-9]*\).*/\1/p' | sort | uniq -d)
		[ -z "$twice" ] || { echo "$twice redeclared in this block"; exit 1; }
		[ "$1" != vet ] || exit 0
		case $* in *-run*) echo 'ok [no tests to run]'; exit 0 ;; esac
		! sed -n 's/.*t.Fatal("\(.*\)").*/    a_test.go:9: \1/p' *_test.go | grep . || { echo FAIL; exit 1; }
	END
	git rm -qrf --cached . && rm -rf src ignored README.md check.sh
	echo 'package a' >a.go
	printf 'package a\nimport "testing"\nfunc TestA(t *testing.T) {}\n' >a_test.go
	printf 'package a\nimport "testing"\nfunc TestB(t *testing.T) {}\n' >b_test.go
	printf '%s\n' 'gates:' '  none: go test -run NoSuchTest ./...' '  vet: go vet ./...' '  all: go test ./...' >holdfast.yml
	git add -A
}

@test "tests planted into files of one package have names of their own, so that a gate that runs none passes with them" {
	fake_go
	run_holdfast validate --prove
	assert_status 0
	assert_stdout 'none: fails, as it should, with a syntax error in a.go and 2 more; passes with a failing test in a_test.go and 1 more
vet: fails, as it should, with a syntax error in a.go and 2 more; passes with a failing test in a_test.go and 1 more
all: fails, as it should, with a failing test in a_test.go (2 of 2 planted failures were noticed) and a syntax error in a.go and 2 more'
	run_holdfast validate --prove --json
	assert_json '[.gates[] | [.gate, .test, .planted, .noticed]] == [["none","passes",null,null],["vet","passes",null,null],["all","fails",2,2]]'
}

@test "a gate that fails with passing tests planted as well does not build them, and failing ones prove nothing" {
	fake_go
	printf '%s\n' 'gates:' '  strict: "! grep -q HoldfastPlanted b_test.go"' \
		'  build: "! grep -q HoldfastPlanted b_test.go && ! grep -q break a*.go"' >holdfast.yml
	run_holdfast validate --prove
	assert_status 0
	assert_stdout 'strict: not proved: it fails with passing tests planted, too, so that failing ones prove nothing
build: fails, as it should, with a syntax error in a.go and 1 more; failing tests prove nothing, as it fails with passing ones planted, too'
	run_holdfast validate --prove --json
	assert_json '[.gates[] | [.gate, .broken, .test]] == [["strict","unknown",null],["build","fails","unknown"]]'
}

@test "it says how many of the planted tests were noticed, also if a gate stops at the first one or prints nothing" {
	mkdir tests
	for i in a b c d; do printf '#!/bin/sh\ntrue\n' >"tests/test_$i.sh"; done
	write holdfast.yml <<-'END'
		gates:
		  first: for t in tests/*_[a-c].sh; do sh "$t" || exit 1; done
		  silent: for t in tests/*_[bc].sh; do sh "$t" >/dev/null 2>&1 || exit 1; done
		  one: sh tests/test_d*
	END
	git add -A
	run_holdfast validate --prove
	assert_status 0
	assert_stdout_has 'first: fails, as it should, with a failing test in tests/test_a.sh (3 of 4 planted failures were noticed)'
	assert_stdout_has 'silent: fails, as it should, with a failing test (at least 1 of 4 planted failures was noticed)'
	assert_stdout_has 'one: fails, as it should, with a failing test in tests/test_d.sh (1 of 4 planted failures was noticed)'
}

@test "test programs in C: those that are built and run are noticed, and one that is only compiled is not" {
	mkdir tests
	for i in a b c; do echo 'int main(void) { return 0; }' >"tests/test_$i.c"; done
	write holdfast.yml <<-'END'
		gates:
		  run: for t in a b; do cc -Wall -Werror -o $t.out tests/test_$t.? && ./$t.out || exit 1; done
		  compile: cc -Wall -Werror -c -o c.o tests/test_?.c 2>/dev/null || for t in tests/*.c; do cc -Wall -Werror -c -o c.o "$t" || exit 1; done
	END
	git add -A
	run_holdfast validate --prove
	assert_status 0
	assert_stdout_has 'run: fails, as it should, with a failing test in tests/test_a.c (2 of 3 planted failures were noticed) and a syntax error in '
	assert_stdout_has 'compile: fails, as it should, with a syntax error in '
	assert_stdout_has '; passes with a failing test in tests/test_a.c and 2 more'
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

@test "the copy has the index of the project, and stores only what is not committed" {
	local seen=$BATS_TEST_TMPDIR/seen
	for i in {1..30}; do echo "$i" >"file$i"; done
	git add -A && git commit -q -m more
	echo untracked >new
	chmod 600 file1
	cp -a .git/index "$seen.index"
	write holdfast.yml <<-END
		gates:
		  seen: "{ git ls-files; find .git/objects -type f ! -path '*/info/*' | wc -l; stat -c %a file1; git diff --quiet || echo changed; } >>$seen"
	END
	run_holdfast validate --prove
	assert_equal "$(cat "$seen")" "$(for i in 1 2; do
		git ls-files --cached --others --exclude-standard | LC_ALL=C sort
		echo 2 # holdfast.yml and new
		echo 600
		((i == 1)) || echo changed
	done)"
	cmp .git/index "$seen.index"
}

@test "in a directory of a repository the copy is a repository of its own" {
	mkdir sub && cd sub && PROJECT=$PWD
	echo 'echo a' >a.sh
	printf '%s\n' 'gates:' '  test: git ls-files | grep -q "^a[.]" && sh -n *.sh' >holdfast.yml
	git add -A
	run_holdfast validate --prove
	assert_status 0
	assert_stdout 'test: fails, as it should, with a syntax error in a.sh'
}
