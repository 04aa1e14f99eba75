#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# From a project as it is to the first block, in three commands: 'holdfast init --yes', a stop that is blocked, a stop that is
# allowed. The projects are in tests/fixtures/projects.

load helper

# Debian's npm has hundreds of packages; what 'npm test' and 'npm run' do is a line.
npm_or_like_it() {
	command -v npm >/dev/null || fake npm <<-'END'
		#!/bin/sh
		[ "$1" = run ] && shift
		exec sh -c "$(jq -r --arg name "$1" '.scripts[$name]' package.json)"
	END
}

# project NAME: a copy of it, in one commit, in the current directory.
project() { cp -a "$ROOT/tests/fixtures/projects/$1/." . && git_project; }

# front_door COMMAND FILE FROM TO PLACE...: the three commands. The gate 'test' is the COMMAND. FROM becomes TO in the FILE: the
# block has each PLACE.
front_door() {
	local command=$1 file=$2 from=$3 to=$4 place
	shift 4
	run_holdfast init --yes
	assert_status 0
	assert_stderr_empty
	assert_stdout_has "  test    $command"
	assert_stdout_has 'test passed in '
	assert_stdout_lacks failed
	assert_stdout_has 'Then commit these files and let your agent work'
	sed -i "s/$from/$to/" "$file"
	hook
	assert_block '.status == "failed"'
	for place; do assert_block ".reason | contains(\"$place\")"; done
	sed -i "s/$to/$from/" "$file"
	hook '.stop_hook_active = true'
	assert_allow '.status == "passed"'
}

@test "Node.js: scripts of package.json" {
	npm_or_like_it
	project node
	front_door 'npm test' src/cart.js '- discount' '+ discount' 'takes the discount off' 'test/cart.test.js:7:9'
	assert_file_has holdfast.yml $'\ngates:\n  test: npm test\n  lint: npm run lint'
}

@test "Python: unittest" {
	project python
	# Python takes a file for unchanged that has the same size and was changed in the same second.
	export PYTHONDONTWRITEBYTECODE=1
	front_door 'python3 -m unittest discover -s tests -t .' cart/__init__.py '- discount' '+ discount' \
		'FAIL: test_discount' 'tests/test_cart.py\", line 8' 'AssertionError: 4 != 2'
}

@test "C with make" {
	project make
	front_door 'make test' src/cart.c '- discount' '+ discount' 'tests/test_cart.c:20: error: expected 2, got 4'
}

@test "C with make: what does not compile is named" {
	project make
	front_door 'make test' src/cart.c 'int sum = 0;' 'int sun = 0;' 'src/cart.c:10:17: error: '
}

@test "CMake" {
	project cmake
	front_door 'cmake -S . -B build && cmake --build build && ctest' src/cart.c '- discount' '+ discount' \
		'tests/test_cart.c:20: error: expected 2, got 4'
}

@test "Meson" {
	project meson
	front_door '{ test -e build/build.ninja || meson setup build; } && meson test -C build' src/cart.c '- discount' '+ discount' \
		'tests/test_cart.c:20: error: expected 2, got 4'
}

@test "shell scripts: the commands of the CI" {
	project shell
	front_door 'sh tests/run.sh' bin/total 'sum + price' 'sum - price' 'tests/run.sh:3: expected 3, got -3'
}

@test "from a subdirectory it does the same, at the root" {
	project make
	cd tests
	run_holdfast init --yes
	assert_status 0
	assert_stdout_has 'test passed in '
	assert_file ../holdfast.yml
	assert_file ../.claude/settings.json
	assert_absent holdfast.yml
}

@test "what init writes is trusted and pinned: a loosened gate does not count" {
	project make
	run_holdfast init --yes
	assert_stdout_has 'It is pinned'
	holdfast trust --list | grep -q '  pinned since'
	sed -i 's/- discount/+ discount/' src/cart.c
	sed -i 's/make test/true/' holdfast.yml
	hook
	assert_block '.reason | contains("make test")'
	rm holdfast.yml && git add -A && git commit -q -m broken
	run_holdfast init --yes --no-pin
	assert_stdout_lacks 'It is pinned'
}

@test "a gate that fails is written, and the reason is shown" {
	project make
	sed -i 's/- discount/+ discount/' src/cart.c
	run_holdfast init --yes
	assert_status 0
	assert_stdout_has 'test failed in '
	assert_stdout_has 'exit code 2'
	assert_stdout_has '  tests/test_cart.c:20: error: expected 2, got 4'
	assert_stdout_has 'Then fix what failed'
	assert_file_has holdfast.yml '  test: make test'
}

@test "a gate whose program is missing is left out, and named" {
	project make
	rm Makefile && touch mix.exs .pre-commit-config.yaml
	mkdir other && ln -s "$(command -v git)" "$(command -v sh)" other
	PATH=$BIN:$PWD/other run_holdfast init --yes
	assert_status 0
	assert_stdout_has "Left out: test (mix test), because 'mix' is not installed."
	assert_stdout_has "'holdfast add gate test -- COMMAND' adds a gate"
	assert_file_lacks holdfast.yml gates:
}

@test "without a terminal and without --yes it only says what it would write" {
	project make
	run_holdfast init
	assert_status 0
	assert_stdout_has "'holdfast init --yes' would write these to holdfast.yml:"
	assert_stdout_has '  test    make test'
	assert_absent holdfast.yml
	assert_file .claude/settings.json
	run_holdfast init --dry-run --yes
	assert_stdout_has '  test    make test'
	assert_absent holdfast.yml
}

@test "on a terminal it asks for each gate, and whether to pin" {
	npm_or_like_it
	project node
	printf 'n\n\nn\nn\n' | on_terminal holdfast init
	assert_file_has holdfast.yml '  test: npm test'
	assert_file_lacks holdfast.yml lint
	grep -q "Add the gate 'lint' (npm run lint)?" "$OUT"
	grep -q 'test passed in' "$OUT"
	holdfast trust --list | grep -q '  trusted since'
	rm holdfast.yml
	printf 'n\nn\nn\n' | on_terminal holdfast init
	assert_absent holdfast.yml
	grep -q 'No gates were written' "$OUT"
}

@test "a project that has gates keeps them, and for all projects none are proposed" {
	project make
	run_holdfast init --user --yes
	assert_absent holdfast.yml
	echo 'gates: {mine: "true"}' >holdfast.yml
	run_holdfast init --yes
	assert_status 0
	assert_equal "$(head -n 1 holdfast.yml)" 'gates: {mine: "true"}'
	assert_file_lacks holdfast.yml 'make test'
	rm holdfast.yml
	printf 'stop: {commands: [{run: "true"}]}\n' >.conclaude.yaml
	run_holdfast init --yes
	assert_absent holdfast.yml
}

@test "an agent that runs init writes the file, and trusts nothing" {
	project make
	CLAUDECODE=1 run_holdfast init --yes
	assert_status 0
	assert_file holdfast.yml
	assert_stdout_has "type 'holdfast trust --pin' in a terminal of your own"
	assert_equal "$(holdfast trust --list)" 'No project is trusted.'
}

@test "the line for editors names a schema that is there, and no path of this machine" {
	project make
	run_holdfast init --yes
	assert_equal "$(head -n 1 holdfast.yml)" '# yaml-language-server: $schema=.holdfast/schema.json'
	cmp .holdfast/schema.json "$ROOT/share/holdfast-schema.json"
	# a colleague's clone does not have it until holdfast is used there
	rm -r .holdfast
	run_holdfast trust
	cmp .holdfast/schema.json "$ROOT/share/holdfast-schema.json"
	assert_equal "$(git status --porcelain .holdfast)" ''
}

@test "add gate: in place, and pinned again" {
	project make
	run_holdfast init --yes
	mkdir sub && cd sub
	run_holdfast add gate lint --files '*.c' --in src -- grep -q "a b" cart.c
	assert_status 0
	assert_stdout_has "/holdfast.yml: added the gate 'lint': grep -q 'a b' cart.c"
	cd ..
	assert_equal "$(sed -n '/^gates/,/^$/p' holdfast.yml)" "gates:
  test: make test
  lint:
    run: grep -q 'a b' cart.c
    files: [\"*.c\"]
    in: src"
	run_holdfast validate
	assert_status 0
	assert_equal "$(holdfast list --names | sort | xargs)" 'lint test'
	run_holdfast trust --list
	assert_stdout_has 'pinned since'
	assert_stdout_lacks 'changed since'
	run_holdfast add gate lint -- true
	assert_status 1
	assert_stderr_has "holdfast.yml:5:3: there is already a gate 'lint'"
}

@test "add gate: writes the file where there is none, and takes a line for the shell" {
	git_project
	run_holdfast add gate both -- 'true && true'
	assert_status 0
	assert_stdout_has 'It is pinned'
	assert_equal "$(tail -n 2 holdfast.yml)" $'gates:\n  both: true && true'
	touch new
	hook
	assert_allow '.status == "passed"'
	run_holdfast add gate nothing
	assert_status 1
	run_holdfast add gate ' ' -- true
	assert_status 1
}

@test "add gate: changes that were not accepted stay so" {
	project make
	run_holdfast init --yes
	sed -i 's/make test/true/' holdfast.yml
	run_holdfast add gate lint -- true
	assert_status 0
	assert_stdout_has 'not pinned yet, because these had changed before: holdfast.yml'
	sed -i 's/- discount/+ discount/' src/cart.c
	hook
	assert_block '.reason | contains("make test")'
	CLAUDECODE=1 run_holdfast add gate more -- true
	run_holdfast trust --list
	assert_stdout_has 'changed since: holdfast.yml'
}

@test "add gate: not beside gates of another kind" {
	git_project
	mkdir .gauntlet && printf 'base_branch: main\ncli: {default_preference: [claude]}\nentry_points: [{path: .}]\n' >.gauntlet/config.yml
	run_holdfast add gate test -- true
	assert_status 1
	assert_stderr_has '.gauntlet'
	assert_absent holdfast.yml
}
