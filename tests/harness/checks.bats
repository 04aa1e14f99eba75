# The checks themselves: each finds what it is there for, in a small tree of its own.

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p tests/unit tests/cases src/base src/os src/doc src/conf src/git src/cmd src/ui doc/man
	cp "$BATS_TEST_DIRNAME"/../check-* "$BATS_TEST_DIRNAME"/../gen-scenarios "$BATS_TEST_DIRNAME"/../layers.txt \
		"$BATS_TEST_DIRNAME"/../banned.txt tests/
	: >CONTRIBUTING.md
}

c_file() { { echo '/* SPDX-License-Identifier: MIT */'; cat; } >"$1"; }

layers() { printf '%s\n' "$@" >tests/layers.txt; }

@test "a row says which folders a folder includes, and has a row for each subfolder" {
	mkdir -p src/cmd/watch
	layers 'base' 'os base' 'cmd os' 'cmd/watch base cmd'
	c_file src/base/a.c <<<'#include <stdio.h>'
	c_file src/os/a.c <<<$'#include "os/a.h"\n#include "base/str.h"'
	c_file src/cmd/a.c <<<'#include "os/fs.h"'
	c_file src/cmd/watch/a.c <<<$'#include "cmd/command.h"\n#include "base/str.h"'
	tests/check-layers
}

@test "an include that is not in the row is an error, and so is a folder in a row that nobody includes" {
	layers 'base' 'os base' 'doc base os'
	c_file src/base/a.c </dev/null
	c_file src/os/a.c <<<'#include "base/str.h"'
	c_file src/doc/a.c <<<'#include "base/str.h"'
	run tests/check-layers
	[ "$status" -ne 0 ]
	[ "$output" = 'src/doc no longer includes src/os: remove it from the row in tests/layers.txt, or run tests/check-layers --write' ]
	layers 'base' 'os' 'doc base'
	run tests/check-layers
	[ "$status" -ne 0 ]
	[ "$output" = 'src/os now includes src/base (src/os/a.c includes "base/str.h"): if that is meant, add base to the row of os in tests/layers.txt, or run tests/check-layers --write' ]
	tests/check-layers --write
	tests/check-layers
	[ "$(<tests/layers.txt)" = $'base\nos   base\ndoc  base' ]
}

@test "a folder includes only folders above it, so that there are no cycles" {
	layers 'base os' 'os base'
	c_file src/base/a.c <<<'#include "os/fs.h"'
	c_file src/os/a.c <<<'#include "base/str.h"'
	run tests/check-layers
	[ "$status" -ne 0 ]
	[ "$output" = 'src/base includes src/os, which is below it in tests/layers.txt (src/base/a.c includes "os/fs.h"): a folder includes only folders above it' ]
}

@test "a stop hook includes nothing of install, not even through another header" {
	mkdir -p src/cmd/hook src/policy src/install
	layers 'install' 'policy install' 'cmd/hook policy' 'never cmd/hook install'
	c_file src/install/c.h </dev/null
	c_file src/policy/b.h </dev/null
	c_file src/policy/b.c <<<'#include "install/c.h"'
	c_file src/cmd/hook/a.c <<<$'#include "cmd/hook/a.h"\n#include "policy/b.h"'
	tests/check-layers
	c_file src/policy/b.h <<<'#include "install/c.h"'
	run tests/check-layers
	[ "$status" -ne 0 ]
	[ "$output" = 'src/cmd/hook/a.c must not include install/c.h, not even through policy/b.h' ]
}

@test "a library is included by one file only" {
	layers 'doc' 'library yaml.h'
	c_file src/doc/yaml.c <<<'#include <yaml.h>'
	tests/check-layers
	c_file src/doc/yaml_other.c <<<'#include <yaml.h>'
	run tests/check-layers
	[ "$status" -ne 0 ]
	[[ $output == *'already included by src/doc/yaml.c' ]]
}

@test "a folder that the table does not know is an error" {
	layers 'base'
	mkdir src/misc
	c_file src/base/a.c </dev/null
	c_file src/misc/a.c <<<'#include "base/str.h"'
	run tests/check-layers
	[ "$status" -ne 0 ]
	[ "$output" = 'src/misc has no row in tests/layers.txt: add it, or run tests/check-layers --write' ]
}

@test "a banned call is found outside its file, but not in a comment, a string or another name" {
	c_file src/base/arena.c <<<'void f(void) { free(malloc(1)); }'
	c_file src/base/str.c <<<$'/* free(x), then exit(1) */\nvoid g(void) { say("free(x)"); arena_free(a); a->free(b); _exit(1); }'
	tests/check-banned
	c_file src/base/buf.c <<<$'\nvoid h(void) { free (x); }'
	run tests/check-banned
	[ "$status" -ne 0 ]
	[ "$output" = 'src/base/buf.c:3: free() is banned here' ]
}

@test "a // comment and a missing licence line are found, an address in a string is not" {
	c_file src/base/a.c <<<'const char *url = "http://example.org"; /* see https://example.org */'
	tests/check-banned
	c_file tests/unit/a.c <<<'int x; // no'
	echo 'int x;' >src/base/b.c
	run tests/check-banned
	[ "$status" -ne 0 ]
	[[ $output == *'tests/unit/a.c:2: a // comment'* && $output == *'src/base/b.c:1: the first line is not'* ]]
}

@test "a long file is a remark, not a failure" {
	c_file src/base/a.c < <(yes 'int f(void);' | head -600)
	run tests/check-banned
	[ "$status" -eq 0 ]
	[ "$output" = '# src/base/a.c has 601 lines' ]
}

@test "a header that needs another one first is found" {
	c_file src/base/a.h <<<'#include <stddef.h>'
	c_file src/base/b.h <<<'struct a { size_t n; };'
	run tests/check-headers
	[ "$status" -ne 0 ]
	[[ $output == *size_t* ]]
	c_file src/base/b.h <<<'struct a { unsigned n; };'
	tests/check-headers
}

@test "a link to nothing, or to a heading that is not there, is found" {
	git init -q .
	echo '[a](tests/layers.txt) [b](https://example.org/x) [c](#there)' >README.md
	printf '%s\n' 'make demo, make test' '## `There`' >>README.md
	tests/check-docs
	echo '[d](gone.md)' >>README.md
	run tests/check-docs
	[ "$status" -ne 0 ]
	[ "$output" = "./README.md: 'gone.md' does not exist" ]
	printf '# A, b: c\n```\n# d\n```\n[x](#a-b-c)\n' >gone.md
	echo '[e](gone.md#a-b-c)' >>README.md
	tests/check-docs
	echo '[f](gone.md#d)' >>README.md
	run tests/check-docs
	[ "$status" -ne 0 ]
	[ "$output" = "./README.md: './gone.md' has no heading '#d'" ]
}

@test "a line of the security page without a test, or with one that does not exist, is found" {
	git init -q .
	mkdir -p doc tests/cli tests/cases/a tests/unit/b
	echo '@test "it holds" {' >tests/cli/x.bats
	echo 'TEST(it_holds)' >tests/unit/b/test.c
	touch tests/cases/a/b.case
	printf '%s\n' '| who | may |' '| --- | --- |' '| a | b |' '' '| way | test |' '| --- | --- |' \
		'| a | `x.bats` "it holds"; `unit/b/test.c` "it_holds" |' '| b | `cases/a/b.case` |' >doc/security.md
	tests/check-docs
	echo '| c | `x.bats` "it held" |' >>doc/security.md
	echo '| d | `cases/a/c.case`; `unit/b/test.c` "it" |' >>doc/security.md
	echo '| e | of course |' >>doc/security.md
	run tests/check-docs
	[ "$status" -ne 0 ]
	[ "$output" = "doc/security.md: there is no test \`x.bats\` \"it held\"
doc/security.md: there is no test \`cases/a/c.case\`
doc/security.md: there is no test \`unit/b/test.c\` \"it\"
doc/security.md: not a list of tests: | e | of course |" ]
}

scenarios() {
	printf '000-01\tfirst\n003-01\tsecond\n004-AC1\tthird\n009-01\tfourth\n' >tests/scenarios.txt
	mkdir -p tests/cases/a tests/cli
	printf 'title: a case\nscenario: 000-01\nrun\n' >tests/cases/a/x.case
	printf '# scenario: 003-01\n@test "a sentence" {\n}\n' >tests/cli/x.bats
	printf '/* scenario: 004-AC1 000-01 */\nTEST(a_name)\n' >tests/unit/x.c
}

@test "the page of scenarios names the test of each marker" {
	scenarios
	tests/gen-scenarios
	grep -qxF '| 000-01 | first | cases/a/x.case: a case<br>unit/x.c: a name |' tests/SCENARIOS.md
	grep -qxF '| 003-01 | second | cli/x.bats: a sentence |' tests/SCENARIOS.md
	grep -qxF '| 004-AC1 | third | unit/x.c: a name |' tests/SCENARIOS.md
	grep -qxF '| 009-01 | fourth | not yet |' tests/SCENARIOS.md
	tests/gen-scenarios --check
}

@test "an old page, an unknown scenario and one without a test are errors" {
	scenarios
	run tests/gen-scenarios --check
	[ "$status" -ne 0 ]
	[[ $output == *'out of date'* ]]
	printf 'title: b\nscenario: 000-99\nrun\n' >tests/cases/a/y.case
	tests/gen-scenarios 2>/dev/null
	run tests/gen-scenarios --check
	[ "$status" -ne 0 ]
	[[ $output == *'no scenario is called 000-99' ]]
	rm tests/cases/a/y.case tests/cli/x.bats
	tests/gen-scenarios 2>/dev/null
	run tests/gen-scenarios --check
	[ "$status" -ne 0 ]
	[[ $output == '003-01: no test proves it: second' ]]
}

@test "other tools are named in their rooms, and elsewhere only in as many lines as are listed" {
	mkdir -p src/import
	echo 'base/a.c 1' >tests/names.txt
	c_file src/base/a.c <<<'/* agent-gauntlet */'
	c_file src/import/a.c <<<'/* conclaude, and conclaude */'
	tests/check-names
	echo '/* Ralph */' >>src/base/a.c
	run tests/check-names
	[[ $status == 1 && $output == 'src/base/a.c names another tool in 2 lines, 1 are listed' ]]
	run tests/check-names --write
	[[ $status == 1 && $(<tests/names.txt) == 'base/a.c 1' ]]
	c_file src/base/a.c </dev/null
	run tests/check-names
	[[ $status == 1 && $output == *'run tests/check-names --write' ]]
	tests/check-names --write
	! grep -q base tests/names.txt
}

@test "a file, a function or a folder that is too large is an error" {
	c_file src/base/a.c < <(yes '/* */' | head -600)
	run tests/check-weight
	[[ $status == 1 && $output == *'src/base/a.c has 601 lines, the limit is 520'* ]]
}
