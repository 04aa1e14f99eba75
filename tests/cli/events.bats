# SPDX-License-Identifier: MIT
# Which events init registers: those that the configuration uses, for the tools that it names.

load helper

@test "init registers the events that .conclaude.yaml uses, each with the matcher that it needs" {
	write .conclaude.yaml <<-'END'
		preToolUse:
		  uneditableFiles: [a]
		  toolUsageValidation:
		    - {tool: Bash, commandPattern: "rm*", action: block}
		postToolUse:
		  commands:
		    - {run: "true", tool: Edit}
		    - {run: "true", tool: Write}
		taskCompleted:
		  commands:
		    "*": [{run: "true"}]
		setup:
		  commands:
		    init: [{run: "true"}]
	END
	run_holdfast init
	assert_status 0
	assert_equal "$(jq -c '.hooks | keys' .claude/settings.json)" \
		'["PostToolUse","PreToolUse","SessionEnd","Setup","Stop","TaskCompleted","UserPromptSubmit"]'
	assert_equal "$(jq -r '.hooks.PreToolUse[0].matcher' .claude/settings.json)" null
	assert_equal "$(jq -r '.hooks.PostToolUse[0].matcher' .claude/settings.json)" null
	assert_equal "$(jq -r '.hooks.Setup[0].matcher' .claude/settings.json)" init
	assert_equal "$(jq -r '.hooks.TaskCompleted[0].matcher' .claude/settings.json)" null
	cp .claude/settings.json before
	run_holdfast init
	cmp .claude/settings.json before
	printf 'postToolUse:\n  commands:\n    - {run: "true", tool: Edit}\n    - {run: "true", tool: Write}\n' >.conclaude.yaml
	run_holdfast init
	assert_equal "$(jq -r '.hooks.PostToolUse[0].matcher' .claude/settings.json)" 'Edit|Write'
	run_holdfast uninstall
	assert_status 0
	assert_absent .claude/settings.json
}

@test "a configuration that is only about stops registers no more than before" {
	printf 'stop:\n  rounds: 3\n' >.conclaude.yaml
	run_holdfast init
	assert_equal "$(jq -c '.hooks | keys' .claude/settings.json)" '["SessionEnd","Stop","UserPromptSubmit"]'
}

@test "each client gets the events that it has, under its own names" {
	printf 'preToolUse:\n  uneditableFiles: [a]\nsetup:\n  commands:\n    "*": [{run: "true"}]\n' >.conclaude.yaml
	for client in codex gemini qwen copilot cursor antigravity; do
		run_holdfast init --client "$client"
		assert_status 0
		grep -Eq 'has no event for what is configured at (PreToolUse, PostToolUse, )?Setup' "$OUT" || show "$client"
	done
	assert_stdout_has 'configured at PreToolUse, PostToolUse, Setup'
	assert_equal "$(jq -c '.holdfast | keys' .agents/hooks.json)" '["Stop"]'
	assert_equal "$(jq -c '.hooks | keys' .codex/hooks.json)" '["PostToolUse","PreToolUse","SessionEnd","Stop","UserPromptSubmit"]'
	assert_equal "$(jq -c '.hooks | keys' .gemini/settings.json)" '["AfterAgent","AfterTool","BeforeAgent","BeforeTool","SessionEnd"]'
	assert_equal "$(jq -c '.hooks | keys' .qwen/settings.json)" '["PostToolUse","PreToolUse","SessionEnd","Stop","UserPromptSubmit"]'
	assert_equal "$(jq -c '.hooks | keys' .github/hooks/holdfast.json)" '["agentStop","postToolUse","preToolUse","sessionEnd","userPromptSubmitted"]'
	assert_equal "$(jq -c '.hooks | keys' .cursor/hooks.json)" '["beforeSubmitPrompt","postToolUse","preToolUse","sessionEnd","stop"]'
	grep -q 'hook PreToolUse --client codex' .codex/hooks.json
}

@test "a formatter in the background is registered as one" {
	printf 'events:\n  post_tool_use:\n    - {run: "true", match: Edit, background: true}\n' >holdfast.yml
	run_holdfast init
	assert_status 0
	assert_equal "$(jq -c '.hooks.PostToolUse[0] | [.matcher, .hooks[0].async]' .claude/settings.json)" '["Edit",true]'
}

@test "a changed file is watched by its path, or by the directory before the first wildcard" {
	printf 'events:\n  file_changed:\n    - {run: "true", match: .env}\n    - {run: "true", match: src/*.c}\n    - {run: "true", match: /etc/hosts}\n' >holdfast.yml
	run_holdfast init
	assert_status 0
	assert_equal "$(jq -r '.hooks.FileChanged[0].matcher' .claude/settings.json)" './.env|./src|/etc/hosts|'
	printf 'fileChanged:\n  commands:\n    "*": [{run: "true"}]\n' >.conclaude.yaml
	rm holdfast.yml
	run_holdfast init
	assert_equal "$(jq -r '.hooks.FileChanged[0].matcher' .claude/settings.json)" '.|'
}
