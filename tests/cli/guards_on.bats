#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# holdfast init writes guards and registers what they need; who has guards without the hook for tools is told.

load helper

setup() {
	setup_project
	git_project
	clients=(claude codex gemini qwen copilot cursor)
}

make_target() { printf 'test:\n\ttrue\n' >Makefile; }
# The names of the hooks that are registered in a file, in its order.
hooks_in() { jq -r '.hooks | keys_unsorted | join(" ")' "$1"; }
claude_stop_alone() { jq '{hooks: {Stop: .hooks.Stop}}' "$1" >"$1.new" && mv "$1.new" "$1"; }
# tool COMMAND: before a line of the shell
tool() { hook ".hook_event_name = \"PreToolUse\" | .tool_name = \"Bash\" | .tool_input = {command: \"$1\"}" holdfast hook PreToolUse; }

@test "init --yes writes guards with the gates, says how to let a line through, and registers the hooks for tools" {
	make_target
	run_holdfast init --yes
	assert_status 0
	assert_stdout_has 'guards  against the loss of work'
	assert_file_has holdfast.yml 'use: [destructive, secrets, settings]'
	assert_file_has holdfast.yml 'A denial ends in the name of its rule'
	assert_equal "$(hooks_in .claude/settings.json)" 'Stop UserPromptSubmit SessionEnd PreToolUse PostToolUse'
	run_holdfast validate
	assert_status 0
	tool 'git reset --hard'
	assert_json '.hookSpecificOutput.permissionDecision == "deny"'
	tool 'git status'
	assert_stdout ''
	run_holdfast doctor
	assert_stdout_has 'guards: holdfast.yml: destructive, secrets, settings'
	run_holdfast init --yes
	assert_stdout_has 'Nothing to change.'
}

@test "what the comment in holdfast.yml shows turns off one rule, and lets another ask" {
	run_holdfast init --yes
	sed -n 's/^#   \(verdicts:.*\)/  \1/p' holdfast.yml >more
	cat more >>holdfast.yml
	run_holdfast trust
	tool 'git stash drop stash@{1}'
	assert_stdout ''
	tool 'git push --force'
	assert_json '.hookSpecificOutput.permissionDecision == "ask"'
	tool 'git reset --hard'
	assert_json '.hookSpecificOutput.permissionDecision == "deny"'
}

@test "a project without tests gets guards alone, and --no-guards gets none" {
	run_holdfast init --yes --no-guards
	assert_absent holdfast.yml
	assert_equal "$(hooks_in .claude/settings.json)" 'Stop UserPromptSubmit SessionEnd'
	run_holdfast init --yes
	assert_stdout_has 'No tests or linters were recognised here.'
	assert_file_has holdfast.yml 'use: [destructive, secrets, settings]'
	tool 'git reset --hard'
	assert_json '.hookSpecificOutput.permissionDecision == "deny"'
}

@test "without a terminal and without --yes, init only says that it would write guards" {
	make_target
	run_holdfast init
	assert_stdout_has "'holdfast init --yes' would write these to holdfast.yml:"
	assert_stdout_has '  guards  against the loss of work'
	assert_absent holdfast.yml
	printf 'rounds: 2\n' >holdfast.yml
	run_holdfast init
	assert_stdout_has "'holdfast init --yes' would add this to holdfast.yml:"
	run_holdfast init --yes --dry-run
	assert_stdout_has "'holdfast init --yes' would add this to holdfast.yml:"
	assert_file holdfast.yml 'rounds: 2'
	assert_equal "$(hooks_in .claude/settings.json)" 'Stop UserPromptSubmit SessionEnd'
}

@test "guards are added to a holdfast.yml in place, once, and nothing that somebody wrote changes" {
	printf '# ours\nrounds:   2 # as ever\n' >holdfast.yml
	run_holdfast trust --pin
	run_holdfast init --yes
	assert_stdout_has 'holdfast.yml: added guards'
	assert_stdout_has 'It is pinned'
	assert_equal "$(head -n 2 holdfast.yml)" $'# ours\nrounds:   2 # as ever'
	cp holdfast.yml before
	run_holdfast init --yes
	cmp before holdfast.yml
	tool 'git reset --hard'
	assert_json '.hookSpecificOutput.permissionDecision == "deny"'
	for own in 'guards: {protect: [a]}' 'guards: {tests: true}' '{rounds: 2}' 'rounds: ['; do
		printf '%s\n' "$own" >holdfast.yml
		run_holdfast init --yes
		assert_file holdfast.yml "$own"
	done
	rm holdfast.yml
	printf 'stop:\n  rounds: 2\n' >.conclaude.yaml
	run_holdfast init --yes
	assert_absent holdfast.yml
}

@test "on a terminal init asks about guards, and an empty answer is a yes" {
	make_target
	on_terminal holdfast init <<<$'\n\n\n'
	assert_file_has holdfast.yml 'use: [destructive, secrets, settings]'
	rm holdfast.yml
	on_terminal holdfast init <<<$'n\n\n\n'
	assert_file_lacks holdfast.yml guards
}

@test "init --user registers the hooks for tools with every client that has them, and uninstall takes them out" {
	local names client
	for client in "${clients[@]}"; do names+=" -c $client"; done
	mkdir -p "$HOME/.qwen" "$HOME/.codex"
	printf '{"theme": "dark"}' >"$HOME/.qwen/settings.json"
	printf '{"hooks":{"PreToolUse":[{"matcher":"x","hooks":[]}]}}\n' >"$HOME/.codex/hooks.json"
	cp -r "$HOME" "$BATS_TEST_TMPDIR/before"
	# shellcheck disable=SC2086 # words
	run_holdfast init --user $names
	assert_status 0
	assert_equal "$(jq -r '.hooks | [.PreToolUse[-1], .PostToolUse[-1]][].hooks[0].command' "$HOME/.codex/hooks.json" | grep -c 'holdfast hook P.*ToolUse --client codex')" 2
	assert_file_has "$HOME/.gemini/settings.json" 'hook PreToolUse --client gemini'
	assert_file_has "$HOME/.gemini/settings.json" 'hook PostToolUse --client gemini'
	assert_file_has "$HOME/.qwen/settings.json" 'hook PreToolUse --client qwen'
	assert_file_has "$HOME/.copilot/hooks/holdfast.json" 'hook PreToolUse --client copilot'
	assert_file_has "$HOME/.cursor/hooks.json" 'hook PreToolUse --client cursor'
	assert_equal "$(hooks_in "${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json")" 'Stop UserPromptSubmit SessionEnd PreToolUse PostToolUse'
	run_holdfast uninstall --user
	for client in qwen codex gemini copilot cursor; do
		[[ ! -e $BATS_TEST_TMPDIR/before/.$client && ! -e $HOME/.$client ]] ||
			diff -r "$BATS_TEST_TMPDIR/before/.$client" "$HOME/.$client"
	done
}

@test "in a clone, guards of a registration for all projects decide once it is trusted, and not before" {
	printf 'guards: {use: destructive}\n' >holdfast.yml
	run_holdfast init --user
	tool 'git reset --hard'
	assert_stdout ''
	run_holdfast trust
	assert_stdout_has '  guards    destructive'
	assert_stdout_lacks 'the guards are off'
	tool 'git reset --hard'
	assert_json '.hookSpecificOutput.permissionDecision == "deny"'
}

@test "guards without a hook for tools are told by trust, status, doctor and the first stop, with the command" {
	local line="in Claude Code, whose hook for tools is not registered: 'holdfast init --user' registers it"
	printf 'guards: {use: destructive}\n' >holdfast.yml
	run_holdfast init --user
	claude_stop_alone "${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json"
	run_holdfast trust
	assert_stdout_has "warning   the guards are off $line"
	run_holdfast status
	assert_stdout_has "guards    off $line"
	run_holdfast status --json
	assert_json '.guards_off | startswith("off in Claude Code")'
	run_holdfast doctor
	assert_status 1
	assert_stdout_has 'PreToolUse is not registered, so the guards are off'
	assert_stdout_has '-> holdfast init --user'
	hook . holdfast stop-hook
	assert_allow '.systemMessage | contains("the guards are off in Claude Code")'
	hook . holdfast stop-hook
	assert_allow '.systemMessage == null'
	run_holdfast init --user
	run_holdfast status
	assert_stdout_lacks 'guards  '
}

@test "guards of a project whose own settings lack the hook are told with the command for the project" {
	run_holdfast init --client codex
	printf 'guards: {use: destructive}\n' >holdfast.yml
	run_holdfast trust
	assert_stdout_has "off in Codex CLI, whose hook for tools is not registered: 'holdfast init --client codex' registers it"
	run_holdfast init --client codex
	run_holdfast trust
	assert_stdout_lacks 'are off'
}

@test "the plugin registers the hooks for tools, which are silent where nothing is configured" {
	local hooks=$ROOT/share/claude-plugin/hooks/hooks.json event
	for event in PreToolUse PostToolUse; do
		hook ".hook_event_name = \"$event\" | .tool_name = \"Bash\" | .tool_input = {command: \"git reset --hard\"}" \
			bash -c "$(jq -r ".hooks.$event[0].hooks[0].command" "$hooks")"
		assert_status 0
		assert_stdout ''
	done
	printf 'guards: {use: destructive}\n' >holdfast.yml
	holdfast trust >/dev/null
	hook '.hook_event_name = "PreToolUse" | .tool_name = "Bash" | .tool_input = {command: "git reset --hard"}' \
		bash -c "$(jq -r .hooks.PreToolUse[0].hooks[0].command "$hooks")"
	assert_json '.hookSpecificOutput.permissionDecision == "deny"'
}
