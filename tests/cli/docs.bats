#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The manual against the program.

load helper

@test "every command, option, key, status and variable is in the man pages, and nothing else" {
	run_command "$ROOT/tests/check-man" "$BIN/holdfast"
	assert_stderr_empty
	assert_status 0
}

@test "the check of the man pages notices a page that lacks something" {
	cp -r "$ROOT/doc" "$ROOT/src" "$ROOT/tests" "$PROJECT/" 2>/dev/null
	sed -i '/^\.B no_config$/d' doc/man/holdfast.1
	sed -i '/max\\-iterations/d' doc/man/holdfast-ralph.1
	sed -i '/^\.B stop\.rounds$/d' doc/man/holdfast-config.5
	run_command tests/check-man "$BIN/holdfast"
	assert_status 1
	assert_stderr_has 'lacks the status no_config'
	assert_stderr_has "section 'holdfast ralph start' lacks --max-iterations"
	assert_stderr_has 'lacks the key stop.rounds'
}
