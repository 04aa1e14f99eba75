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

@test "a directory that init made goes too, of every client and with its parents" {
	local client
	for client in claude codex gemini qwen copilot cursor antigravity; do
		run_holdfast init --client $client
		assert_status 0
		[[ -n $(ls -A .) ]] || show "$client: init made nothing"
		run_holdfast uninstall
		assert_status 0
		assert_stdout_has 'which init had created'
		assert_equal "$client:$(ls -A .)" "$client:"
	done
	run_holdfast init --client claude --client copilot --client gemini
	run_holdfast uninstall
	assert_equal "$(ls -A .)" ''
}

@test "in a home directory, whose settings are a project's too, all that init made goes again" {
	local client
	export HOME=$PWD
	mkdir .git
	printf 'gates:\n  test: make test\n' >holdfast.yml
	for client in gemini qwen claude; do
		run_holdfast init --client $client
		assert_status 0
		! grep -q 'changed it just now\|keep one' <<<"$stdout$stderr" || show "$client: the file counts as two"
		run_holdfast uninstall
		assert_status 0
		assert_absent .$client/settings.json
	done
}

@test "a hook of an event with a NUL in its name goes too" {
	mkdir .claude
	printf '%s' '{"hooks": {"Stop": [], "Stop\u0000x": [{"hooks": [{"type": "command", "command": "holdfast stop-hook", "timeout": 5}]}]}}' >$SETTINGS
	run_holdfast uninstall --all
	assert_status 0
	assert_stdout_has 'removed   1 hook'
}

@test "a directory that was there before init stays, and so does its parent" {
	mkdir .claude .github
	run_holdfast init --client claude --client copilot
	run_holdfast uninstall
	assert_status 0
	assert_equal "$(ls -A .)" $'.claude\n.github'
	assert_equal "$(ls -A .claude .github)" $'.claude:\n\n.github:'
}

@test "a directory into which somebody put something stays" {
	run_holdfast init --client claude --client copilot
	echo mine >.claude/notes
	mkdir .github/workflows
	run_holdfast uninstall
	assert_status 0
	assert_stdout_lacks '.claude, which'
	assert_file .claude/notes mine
	assert_absent .github/hooks
	assert_equal "$(ls -A .github)" workflows
}

@test "a settings file that holds more than ours keeps its directory" {
	run_holdfast init
	jq '.model = "opus"' $SETTINGS >new && mv new $SETTINGS
	run_holdfast uninstall
	assert_file_has $SETTINGS opus
}

@test "the directory of two settings files goes with the last of them" {
	run_holdfast init
	run_holdfast init --local
	run_holdfast uninstall
	assert_absent .claude
	run_holdfast init
	run_holdfast init --local
	run_holdfast uninstall --project
	assert_file .claude/settings.local.json
	run_holdfast uninstall --local
	assert_absent .claude
}

@test "a directory that somebody made anew is not init's any more" {
	run_holdfast init
	rm -r .claude
	mkdir .claude
	run_holdfast init
	run_holdfast init --local
	run_holdfast uninstall
	assert_status 0
	assert_equal "$(ls -A .)" .claude
}

@test "where the file was deleted by hand, the directory goes all the same" {
	run_holdfast init
	rm $SETTINGS
	run_holdfast uninstall
	assert_status 0
	assert_stdout_has '.claude, which init had created'
	assert_stdout_lacks 'holdfast is not registered'
	assert_absent .claude
	run_holdfast uninstall
	assert_stdout_has 'holdfast is not registered'
}

@test "a link in the place of the directory stays" {
	run_holdfast init
	mv .claude elsewhere
	ln -s elsewhere .claude
	run_holdfast uninstall
	assert_status 0
	[[ -L .claude && -d elsewhere ]]
}

@test "the directory of the user's settings goes too" {
	assert_absent "$CLAUDE_CONFIG_DIR"
	run_holdfast init --user
	run_holdfast uninstall --user
	assert_absent "$CLAUDE_CONFIG_DIR"
	assert_absent .claude
}

@test "what conclaude init made goes too, but for its configuration" {
	run_command conclaude init
	assert_status 0
	run_holdfast uninstall
	assert_equal "$(ls -A .)" .conclaude.yaml
}

@test "a dry run tells of the directory and leaves it" {
	run_holdfast init --client copilot
	run_holdfast uninstall --dry-run
	assert_stdout_has 'removed   .github/hooks, which init had created'
	assert_stdout_has 'removed   .github, which init had created'
	assert_file .github/hooks/holdfast.json
	touch .github/mine
	run_holdfast uninstall --dry-run
	assert_stdout_has '.github/hooks, which init had created'
	assert_stdout_lacks '.github, which init had created'
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
	assert_stdout_has 'updated   Stop              command -v holdfast >/dev/null || exit 0; exec holdfast stop-hook (command was "holdfast stop-hook")'
	run_holdfast uninstall
	assert_status 0
	assert_stdout_has 'removed   2 hooks'
	assert_stdout_has 'restored  1 hook'
	assert_stdout_has '--all'
	cmp before $SETTINGS
	run_holdfast init
	run_holdfast uninstall --all
	assert_equal "$(jq -c .hooks.Stop $SETTINGS)" '[]'
}

@test "a record of conclaude's hooks alone takes none of holdfast's out" {
	run_command conclaude init
	jq '.hooks.PreCompact = [{hooks: [{type: "command", command: "holdfast hook PreCompact"}]}]' $SETTINGS >with
	mv with $SETTINGS
	run_holdfast uninstall
	assert_stdout_has 'removed   4 hooks'
	assert_stdout_has 'kept      1 hook'
	assert_file_has $SETTINGS 'holdfast hook PreCompact'
}

@test "where nothing is registered it says so" {
	run_holdfast uninstall
	assert_status 0
	assert_stdout_has 'holdfast is not registered'
	run_holdfast uninstall --user
	assert_status 0
	assert_stdout_has 'holdfast is not registered'
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
	run_holdfast init --no-mcp
	chmod 444 $SETTINGS
	run_holdfast uninstall
	assert_status 1
	assert_stderr_has 'is read-only'
	assert_stdout ""
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
	assert_equal "$(jq -r .settings "$XDG_STATE_HOME/holdfast/installed.jsonl")" "$PROJECT/other/.claude/settings.json"$'\n'"$PROJECT/other/.mcp.json"
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
