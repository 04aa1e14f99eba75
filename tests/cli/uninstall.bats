#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# holdfast uninstall: what init put in comes out, and nothing else.

load helper

SETTINGS=.claude/settings.json

@test "a file that init made goes away again" {
	run_holdfast init
	run_holdfast uninstall
	assert_status 0
	assert_stdout_has 'removed   3 hooks'
	assert_stdout_has 'removed   the file'
	assert_absent $SETTINGS
}

@test "a cap that init set comes out with the hooks, from every sample" {
	local sample
	printf 'stop:\n  rounds: 20\n' >.conclaude.yaml
	for sample in "$ROOT"/tests/cli/settings/*.json; do
		rm -rf .claude "$XDG_STATE_HOME"
		mkdir .claude
		cp "$sample" $SETTINGS
		run_holdfast init
		assert_status 0
		run_holdfast uninstall
		assert_status 0
		cmp "$sample" $SETTINGS || show "${sample##*/}: not given back"
	done
}

@test "what was added meanwhile stays" {
	run_holdfast init
	jq '.model = "opus" | .hooks.Stop[0].hooks += [{"type": "command", "command": "mine"}]' $SETTINGS >new
	mv new $SETTINGS
	run_holdfast uninstall
	assert_status 0
	assert_equal "$(jq -c . $SETTINGS)" '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]},"model":"opus"}'
}

@test "without a record everything that is recognised as holdfast's comes out" {
	mkdir .claude
	echo '{"model":"opus"}' >$SETTINGS
	run_holdfast init
	rm -r "$XDG_STATE_HOME"
	run_holdfast uninstall
	assert_status 0
	assert_file $SETTINGS '{"model":"opus"}'
}

@test "a hook that init did not put in stays, until --all" {
	write $SETTINGS <<<'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"holdfast stop-hook","timeout":600}]}]}}'
	cp $SETTINGS before
	run_holdfast init
	assert_stdout_has 'kept      Stop'
	run_holdfast uninstall
	assert_status 0
	assert_stdout_has 'removed   2 hooks'
	assert_stdout_has '--all'
	cmp before $SETTINGS
	run_holdfast init
	run_holdfast uninstall --all
	assert_equal "$(jq -c .hooks.Stop $SETTINGS)" '[]'
}

@test "where nothing is registered it says so" {
	run_holdfast uninstall
	assert_status 0
	assert_stdout_has 'Nothing of holdfast'
	run_holdfast uninstall --user
	assert_status 0
	assert_stdout_has 'Nothing of holdfast'
}

@test "the user's settings are only touched when they are meant" {
	run_holdfast init --user
	run_holdfast uninstall
	assert_file_has "$CLAUDE_CONFIG_DIR/settings.json" 'holdfast stop-hook'
	run_holdfast uninstall --user
	assert_absent "$CLAUDE_CONFIG_DIR/settings.json"
}

@test "project and local settings are both cleaned" {
	run_holdfast init
	run_holdfast init --local
	run_holdfast uninstall
	assert_absent $SETTINGS
	assert_absent .claude/settings.local.json
}

@test "a dry run changes nothing" {
	run_holdfast init
	cp $SETTINGS before
	run_holdfast uninstall --dry-run
	assert_status 0
	assert_stdout_has 'removed   3 hooks'
	cmp before $SETTINGS
	run_holdfast uninstall
	assert_absent $SETTINGS
}

@test "a read-only or broken file is left alone" {
	run_holdfast init
	chmod 444 $SETTINGS
	run_holdfast uninstall
	assert_status 1
	assert_stderr_has 'is read-only'
	chmod 644 $SETTINGS
	echo '{' >$SETTINGS
	run_holdfast uninstall
	assert_status 1
	assert_stderr_has '.claude/settings.json:'
	assert_file $SETTINGS '{'
}

@test "records of other projects stay" {
	run_holdfast init
	mkdir other && cd other && git init -q .
	run_holdfast init
	cd ..
	run_holdfast uninstall
	assert_equal "$(jq -r .settings "$XDG_STATE_HOME/holdfast/installed.jsonl")" "$PROJECT/other/.claude/settings.json"
	assert_mode "$XDG_STATE_HOME/holdfast/installed.jsonl" 600
}

@test "a line of the record that can't be read stays and does no harm" {
	run_holdfast init
	echo 'not json' >>"$XDG_STATE_HOME/holdfast/installed.jsonl"
	run_holdfast uninstall
	assert_status 0
	assert_absent $SETTINGS
	assert_file "$XDG_STATE_HOME/holdfast/installed.jsonl" 'not json'
}
