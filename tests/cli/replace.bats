#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# init --replace: takes over from conclaude, agent-gauntlet and the Ralph plugin, and loses nothing.

load helper

setup() {
	setup_project
	git_project
	# holdfast alone, in a directory of its own; no program of another name is in PATH.
	rm "$BIN"/{holdfast,conclaude,agent-gauntlet}
	cp "${HOLDFAST_BIN:-$ROOT/build/holdfast}" "$BIN/holdfast"
	mkdir .claude
}

stops() { jq -c '[.hooks.Stop[]?.hooks[].command]' "$1"; }

@test "agent-gauntlet's hook in the local settings is replaced, with a copy of the file" {
	echo '{"a": 1, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "npx agent-gauntlet stop-hook", "timeout": 300}]}]}}' \
		>.claude/settings.local.json
	cp .claude/settings.local.json old
	run_holdfast init --replace
	assert_status 0
	assert_stdout_has $'.claude/settings.local.json\n  removed   Stop  npx agent-gauntlet stop-hook\n  kept      the file as it was; to restore it: cp '
	assert_equal "$(jq -c . .claude/settings.local.json)" '{"a":1}'
	assert_equal "$(jq '.hooks.Stop | length' .claude/settings.json)" 1
	[[ $stdout =~ 'the file as it was; to restore it: cp '([^$'\n']*) ]]
	local restore="cp ${BASH_REMATCH[1]}"
	run_holdfast init --replace
	assert_stdout_has 'No hook of conclaude, agent-gauntlet or the Ralph plugin was found to replace.'
	eval "$restore"
	cmp old .claude/settings.local.json
}

@test "conclaude's hooks for all events go" {
	write .claude/settings.json <<-'END'
		{
		  "hooks": {
		    "PreToolUse": [{ "hooks": [{ "type": "command", "command": "conclaude Hooks PreToolUse" }] }],
		    "Stop": [{ "hooks": [{ "type": "command", "command": "conclaude Hooks Stop" }, { "type": "command", "command": "mine" }] }],
		    "SessionEnd": [{ "hooks": [{ "type": "command", "command": "conclaude Hooks SessionEnd" }] }]
		  }
		}
	END
	run_holdfast init
	assert_status 1
	assert_stderr_has "--replace puts 'holdfast stop-hook' in its place and keeps a copy of the file"
	run_holdfast init --replace
	assert_status 0
	assert_stdout_has '  removed   Stop  conclaude Hooks Stop'
	assert_stdout_has '  removed   SessionEnd  conclaude Hooks SessionEnd'
	assert_stdout_has '  removed   PreToolUse  conclaude Hooks PreToolUse'
	assert_equal "$(jq -c '[.hooks.Stop[].hooks[].command | select(contains("holdfast") | not)]' .claude/settings.json)" '["mine"]'
	assert_equal "$(jq -r '.hooks.PreToolUse // "none"' .claude/settings.json)" none
	assert_stdout_has "conclaude: a link to holdfast was made: $BIN/conclaude"
	assert_equal "$(readlink "$BIN/conclaude")" holdfast
	assert_absent "$BIN/agent-gauntlet"
	run_holdfast doctor
	assert_stdout_lacks 'checked twice'
}

@test "no link is made over somebody's file" {
	echo '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "agent-gauntlet stop-hook"}]}]}}' >.claude/settings.json
	fake agent-gauntlet <<<'#!/bin/sh'
	run_holdfast init --replace
	assert_status 0
	assert_stdout_has "agent-gauntlet: $BIN/agent-gauntlet is another program and stays"
	assert_file "$BIN/agent-gauntlet" '#!/bin/sh'
}

@test "the Ralph plugin is disabled where it is enabled" {
	printf '{\n  // mine\n  "enabledPlugins": { "ralph-wiggum@claude-code-plugins": true, "other@x": true }\n}\n' >.claude/settings.json
	run_holdfast init --replace
	assert_status 0
	assert_stdout_has '  disabled  the plugin ralph-wiggum@claude-code-plugins'
	assert_file_has .claude/settings.json '"enabledPlugins": { "ralph-wiggum@claude-code-plugins": false, "other@x": true }'
	assert_file_has .claude/settings.json '// mine'
	assert_stdout_lacks 'has a Stop hook of its own'
}

@test "a dry run says the same and changes nothing" {
	echo '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "agent-gauntlet stop-hook"}]}]}}' >.claude/settings.json
	cp .claude/settings.json old
	run_holdfast init --replace --dry-run
	assert_status 0
	assert_stdout_has $'.claude/settings.json (dry run: nothing is written)\n  removed   Stop  agent-gauntlet stop-hook'
	assert_stdout_has "agent-gauntlet: would become a link to holdfast: $BIN/agent-gauntlet"
	cmp old .claude/settings.json
	assert_absent "$BIN/agent-gauntlet"
	assert_absent "$HOME/.local/state/holdfast/replaced"
}

@test "the user's settings for all projects are taken over with --user alone" {
	mkdir -p "$HOME/.claude"
	echo '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "conclaude Stop"}]}]}}' >"$HOME/.claude/settings.json"
	run_holdfast init --replace
	assert_equal "$(stops "$HOME/.claude/settings.json")" '["conclaude Stop"]'
	assert_stdout_has "'holdfast init --replace --user' removes it"
	run_holdfast uninstall
	run_holdfast init --replace --user
	assert_status 0
	assert_equal "$(jq '[.hooks.Stop[].hooks[].command | select(contains("conclaude"))] | length' "$HOME/.claude/settings.json")" 0
}

@test "where no copy can be kept, nothing changes" {
	echo '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "agent-gauntlet stop-hook"}]}]}}' >.claude/settings.json
	cp .claude/settings.json old
	mkdir -p "$HOME/.local/state/holdfast"
	echo in the way >"$HOME/.local/state/holdfast/replaced"
	run_holdfast init --replace
	assert_status 1
	cmp old .claude/settings.json
	assert_absent "$BIN/agent-gauntlet"
}
