#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# guards.tests: at a stop, a change may not make tests or gates weaker. Which changes do is a table of its own, in
# tests/fixtures/weakened.

load helper

setup() {
	setup_project
	write holdfast.yml <<-'END'
		gates: {test: test -e test/cart.test.js}
		guards: {tests: true}
	END
	write test/cart.test.js <<-'END'
		it('adds', () => {
		  expect(total(1, 2)).toBe(3);
		  expect(count(1, 2)).toBe(2);
		});
	END
	git_project
	git checkout -q -b work
	prompt go
}

weaken() { sed -i /count/d test/cart.test.js; }

@test "an assertion that is gone blocks with its file and line, until it is back" {
	weaken
	hook
	assert_block '.status == "tests_weakened"' \
		'.reason | contains("test/cart.test.js:3: an assertion is gone, and none replaces it: '"'expect(count(1, 2)).toBe(2)'"' (the line before the change)")'
	git commit -q -a -m weaker
	hook
	assert_block '.status == "tests_weakened"'
	git revert --no-edit HEAD >/dev/null
	hook
	assert_allow
}

@test "an allow entry with a reason lets it pass, and the user is told" {
	weaken
	printf '%s\n' 'gates: {test: test -e test/cart.test.js}' 'guards: {tests: {allow: [{file: "test/*.js", reason: count is gone}]}}' >holdfast.yml
	hook
	assert_allow '.status == "passed"'
	assert_stdout_has 'test/cart.test.js weakens tests, which guards.tests allows: count is gone'
}

@test "a change of the definitions that the user made before the session is no finding, and the agent's is" {
	printf '%s\n' 'gates: {lint: "true"}' 'guards: {tests: true}' >holdfast.yml
	SESSION=other prompt go
	SESSION=other hook
	assert_allow
	hook
	assert_block '.status == "tests_weakened"' '.reason | contains("holdfast.yml:1: the gate '"'test'"' is gone")'
}

@test "it is bounded by the tries, and the user is told that it was not fixed" {
	weaken
	for _ in 1 2 3; do
		hook
		assert_block '.status == "tests_weakened"'
	done
	hook
	assert_allow '.systemMessage | contains("tests or gates were weakened (1 finding); the agent may stop: tries used: 3 of 3")'
	prompt again
	hook
	assert_block '.status == "tests_weakened"'
}

@test "off, or without guards, nothing is compared" {
	weaken
	sed -i 's/tests: true/tests: false/' holdfast.yml
	hook
	assert_allow '.status == "passed"'
}

@test "tests that were skipped before anything was seen are no finding" {
	git checkout -q main
	sed -i 's/^it(/it.skip(/' test/cart.test.js
	git commit -q -a -m skipped
	hook
	assert_allow
	echo "it.only('b', () => {})" >>test/cart.test.js
	hook
	assert_block '.reason | contains("test/cart.test.js:5: only this test runs")'
}

@test "a file that is renamed, and an untracked one that has the test, are no loss" {
	git mv test/cart.test.js test/basket.test.js
	sed -i 's/test -e [^}]*/test -e test/' holdfast.yml
	hook
	assert_allow
	cp test/basket.test.js test/other.test.js
	git rm -qf test/basket.test.js
	hook
	assert_allow
	rm test/other.test.js
	hook
	assert_block '.reason | contains("test/cart.test.js:1: the file is deleted")'
}

@test "a test file that git was told not to look at, or that a sparse checkout has left out, is missed" {
	git update-index --skip-worktree test/cart.test.js
	rm test/cart.test.js
	hook
	assert_block '.status == "tests_weakened"' '.reason | contains("test/cart.test.js:1: the file is deleted")'
	git update-index --no-skip-worktree test/cart.test.js
	git checkout -q test
	weaken
	git update-index --assume-unchanged test/cart.test.js
	hook
	assert_block '.status == "tests_weakened"' '.reason | contains("an assertion is gone")'
	git update-index --no-assume-unchanged test/cart.test.js
	git checkout -q test
	git sparse-checkout set --no-cone '/*' '!/test/'
	assert_absent test
	hook
	assert_block '.status == "tests_weakened"' '.reason | contains("the file is deleted")'
	# a session that begins there has nothing to do with it
	printf '%s\n' 'gates: {test: "true"}' 'guards: {tests: true}' >holdfast.yml
	SESSION=next prompt go
	SESSION=next hook
	assert_allow '.status == "passed"' '.message | contains("test/cart.test.js")'
}
