#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# conclaude init: the configuration, the settings, the agents' files, and the way back.
load helper

init() { run_command conclaude init "$@"; }
commands() { jq -r ".hooks.${1:-Stop}[].hooks[].command" .claude/settings.json; }

@test "an empty directory gets a configuration and the hooks that are acted on" {
	init
	assert_status 0
	assert_stderr_empty
	assert_equal "$(head -1 .conclaude.yaml)" \
		'# yaml-language-server: $schema=https://github.com/connerohnesorge/conclaude/releases/latest/download/conclaude-schema.json'
	for text in 'stop:' 'preToolUse:' 'preventRootAdditions: true' 'infinite: false' 'rounds:' 'promptPrefixBlocking:' \
		'infiniteMessage: "continue working on the task"'; do
		assert_file_has .conclaude.yaml "$text"
	done
	assert_equal "$(jq -c keys .claude/settings.json)" '["hooks"]'
	assert_equal "$(jq -c '.hooks | keys_unsorted' .claude/settings.json)" '["Stop","UserPromptSubmit","SessionEnd","PreToolUse"]'
	for name in Stop UserPromptSubmit SessionEnd; do
		assert_equal "$(jq -c ".hooks.$name" .claude/settings.json)" \
			"[{\"hooks\":[{\"type\":\"command\",\"command\":\"conclaude Hooks $name\",\"timeout\":600}]}]"
		assert_stdout_has "   - $name"
	done
	assert_stdout_has 'Schema URL: https://'
	assert_stdout_has 'You can now use Claude Code with conclaude hook handling.'
}

@test "what init writes is valid, as it is and without its comments" {
	init
	run_command conclaude validate
	assert_status 0
	assert_stderr_empty
	assert_stdout_has 'Prevent root additions: true'
	grep -v '^ *#' .conclaude.yaml >bare.yaml
	run_command conclaude validate --config-path bare.yaml
	assert_status 0
	assert_stderr_empty
}

@test "every example in the template is valid once it is no comment any more" {
	init
	# the line for editors and the sentences stay comments: an example has a key or a dash at its start
	sed -E '1d; /^ *commands: \[\]$/d; s/^( *)# (( *)(- |[a-zA-Z]+:( |$)|npm ).*)$/\1\2/' .conclaude.yaml >all.yaml
	run_command conclaude validate --config-path all.yaml
	assert_status 0
	assert_stderr_empty
	assert_stdout_has 'Stop commands: 2'
	assert_stdout_has 'Rounds: 3'
	assert_stdout_has 'Prompt prefix blocking: 2 pattern(s), 2 message(s), sent 3 time(s) in all'
}

@test "a stop works after init" {
	init
	hook '.transcript_path = "/none"' bash -c "$(commands)"
	assert_status 0
}

@test "a configuration that is there stays, and nothing else is touched" {
	echo 'stop: {}' >.conclaude.yaml
	init
	assert_status 1
	assert_stderr_has '.conclaude.yaml'
	assert_stderr_has 'Use --force to overwrite existing configuration.'
	assert_file .conclaude.yaml 'stop: {}'
	assert_absent .claude
	ln -s nowhere other.yaml
	init --config-path other.yaml
	assert_status 1
}

@test "a configuration under the other name is said to be read no more" {
	echo 'stop: {rounds: 3}' >.conclaude.yml
	init
	assert_status 0
	assert_stderr_has 'WARNING: .conclaude.yml is not read any more: .conclaude.yaml goes before it'
	assert_equal "$(cat .conclaude.yml)" 'stop: {rounds: 3}'
	mkdir sub
	init --config-path sub/other.yaml
	assert_status 0
	assert_stderr_empty
}

@test "--force overwrites it, and a second time changes no byte" {
	echo 'stop: {}' >.conclaude.yaml
	init --force
	assert_status 0
	assert_file_has .conclaude.yaml 'infinite: false'
	cp -r .claude first
	cp .conclaude.yaml first.yaml
	init -f
	assert_status 0
	cmp .conclaude.yaml first.yaml
	diff -r .claude first
}

@test "the paths and the schema can be chosen" {
	init --config-path conf/my.yaml --claude-path deep/claude --schema-url https://example.org/s.json
	assert_status 0
	assert_equal "$(head -1 conf/my.yaml)" '# yaml-language-server: $schema=https://example.org/s.json'
	assert_file_has deep/claude/settings.json 'conclaude Hooks Stop'
	assert_absent .conclaude.yaml
	assert_absent .claude
	assert_stdout_has 'Schema URL: https://example.org/s.json'
}

@test "a URL that would end the line is refused before anything is written" {
	for url in $'https://x\nstop: 1' 'a b' ''; do
		init "--schema-url=$url"
		assert_status 1
		assert_stderr_has '--schema-url'
	done
	assert_absent .conclaude.yaml
}

@test "mistakes in the command line end in 1, never in 2" {
	for arguments in --no-such-option 'more words' '--config-path=' '--claude-path='; do
		init $arguments
		assert_status 1
		[[ -s $ERR ]]
	done
	run_command conclaude invalid-command
	assert_status 1
	[[ -s $ERR ]]
	assert_absent .claude
}

@test "every other setting keeps its bytes" {
	write .claude/settings.json <<-'END'
		{
		    "$schema": "https://example.org/schema.json",
		    "env": {"A": "1"}, "model" : "opus",
		    "permissions": {"allow": ["Bash(ls:*)"], "ask": ["WebFetch"], "defaultMode": "plan"},
		    "hooks": {
		        "Stop": [{"hooks": [{"type": "prompt", "prompt": "done?"}, {"type": "command", "command": "mine"}]}],
		        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "http", "url": "http://localhost"}]}]
		    },
		    "number": 1.50
		}
	END
	cp .claude/settings.json before
	init
	assert_status 0
	while IFS= read -r line; do grep -qxF -- "$line" .claude/settings.json || show "lost: $line"; done \
		< <(grep -v '"hooks": {$\|^    },$\|"PreToolUse"\|"Stop"' before)
	assert_equal "$(jq -c '[.hooks.Stop[].hooks[] | .type]' .claude/settings.json)" '["prompt","command","command"]'
	assert_equal "$(jq -c 'del(.hooks)' .claude/settings.json)" "$(jq -c 'del(.hooks)' before)"
	assert_equal "$(jq -c '.hooks.PreToolUse[0]' .claude/settings.json)" "$(jq -c '.hooks.PreToolUse[0]' before)"
}

@test "settings without hooks, and empty ones, get nothing but hooks" {
	for text in '{}' '{"hooks":{}}' '{"permissions":{"allow":[],"deny":[]}}' ''; do
		rm -f .conclaude.yaml
		write .claude/settings.json <<<"$text"
		init
		assert_status 0
		assert_file_lacks .claude/settings.json null
		assert_equal "$(jq -c 'del(.hooks)' .claude/settings.json)" "$(jq -c 'del(.hooks)' <<<"${text:-"{}"}")"
	done
}

@test "people's hooks come first, in their groups, and older entries of conclaude are replaced once" {
	write .claude/settings.json <<-'END'
		{"hooks": {"Stop": [
		  {"hooks": [{"type": "command", "command": "conclaude Stop"}, {"type": "command", "command": "first"}]},
		  {"matcher": "", "hooks": [{"type": "command", "command": "conclaude Hooks Stop"}]},
		  {"hooks": [{"type": "command", "command": "second"}]}
		]}}
	END
	init
	assert_status 0
	assert_equal "$(commands)" $'first\nsecond\nconclaude Hooks Stop'
	assert_equal "$(jq '.hooks.Stop[-1].hooks[0].timeout' .claude/settings.json)" 600
	assert_equal "$(jq '.hooks.Stop | length' .claude/settings.json)" 3
}

@test "an older entry for a tool's event is replaced" {
	write .claude/settings.json <<<'{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "conclaude PreToolUse"}]}]}}'
	init
	assert_status 0
	assert_equal "$(commands PreToolUse)" 'conclaude Hooks PreToolUse'
	assert_stderr_empty
}

@test "an older entry that would leave Claude Code without worktrees is a warning" {
	write .claude/settings.json <<<'{"hooks": {"WorktreeCreate": [{"hooks": [{"type": "command", "command": "conclaude Hooks WorktreeCreate"}]}]}}'
	init
	assert_status 0
	assert_equal "$(commands WorktreeCreate)" 'conclaude Hooks WorktreeCreate'
	assert_stderr_has "WARNING: with 'conclaude Hooks WorktreeCreate' in the settings and no 'worktreeCreate.command', no worktree is made"
}

@test "an event that holdfast is registered for is left to it" {
	run_holdfast init
	cp .claude/settings.json before
	init
	assert_status 0
	assert_stderr_has "Stop is not registered: 'holdfast stop-hook' is"
	cmp .claude/settings.json before
}

@test "settings that do not parse are left alone and nothing is written" {
	write .claude/settings.json <<<'{"hooks": '
	init
	assert_status 1
	assert_stderr_has 'settings.json:2:1: '
	assert_file .claude/settings.json '{"hooks": '
	assert_absent .conclaude.yaml
	write .claude/settings.json <<<'{"hooks": []}'
	init
	assert_status 1
	assert_absent .conclaude.yaml
}

@test "uninstall gives back the bytes, of settings and of agents" {
	write .claude/settings.json <<<'{ "model": "opus" }'
	write .claude/agents/coder.md <<<$'---\nname: coder\n---\nbody'
	cp -r .claude before
	init
	assert_file_has .claude/agents/coder.md 'conclaude Hooks Stop --agent coder'
	init --force
	run_holdfast uninstall --dry-run
	assert_stdout_has 'agents/coder.md'
	assert_file_has .claude/agents/coder.md 'conclaude Hooks Stop --agent coder'
	run_holdfast uninstall
	assert_status 0
	diff -r .claude before
	rm .conclaude.yaml .claude/settings.json
	init
	run_holdfast uninstall
	assert_absent .claude/settings.json
}

@test "uninstall tells of the agents alone where the settings can't be written" {
	write .claude/settings.json <<<'{ "model": "opus" }'
	write .claude/agents/coder.md <<<$'---\nname: coder\n---\nbody'
	init
	chmod 444 .claude/settings.json
	run_holdfast uninstall
	assert_status 1
	assert_stderr_has 'is read-only'
	assert_stdout_has 'agents/coder.md'
	assert_stdout_lacks '3 hooks'
	assert_file_lacks .claude/agents/coder.md conclaude
}

@test "uninstall leaves hooks of conclaude that init did not put in" {
	write .claude/settings.json <<<'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "conclaude Stop"}]}]}}'
	run_holdfast uninstall
	assert_equal "$(commands)" 'conclaude Stop'
	run_holdfast uninstall --all
	assert_equal "$(commands)" 'conclaude Stop'
}

# ---- agents ----

agent() { write ".claude/agents/$1"; }

@test "an agent gets the hook for Stop alone, and its body and front matter stay" {
	agent coder.md <<-'END'
		---
		name: coder
		description: >
		  Writes: code
		tools: [Read, "Edit"] # few
		# last
		---

		Body with --- in it

		---
		and tabs	at the end
	END
	cp .claude/agents/coder.md before
	init
	assert_status 0
	assert_file_has .claude/agents/coder.md '          command: conclaude Hooks Stop --agent coder'
	assert_equal "$(grep -c conclaude .claude/agents/coder.md)" 1
	assert_file_has .claude/agents/coder.md 'timeout: 600'
	assert_equal "$(diff before .claude/agents/coder.md | grep -c '^<')" 0
	assert_equal "$(sed -n '/^---$/,$p' .claude/agents/coder.md | tail -6)" "$(tail -6 before)"
	assert_stdout_has "Agent 'coder'"
}

@test "an agent without a name is called after its file, however deep" {
	agent deep/er/reviewer.md <<<$'---\ndescription: x\n---\n'
	init
	assert_status 0
	assert_stderr_has 'reviewer.md: has no name'
	assert_file_has .claude/agents/deep/er/reviewer.md '--agent reviewer'
}

@test "an agent's name is quoted for the shell" {
	agent x.md <<<$'---\nname: "it\'s; $(touch owned) mine"\n---\n'
	init
	command=$(grep -o 'command: .*' .claude/agents/x.md)
	command=$(jq -r . <<<"${command#command: }")
	fake conclaude <<<$'#!/bin/sh\nprintf "%s\\n" "$@"'
	run_command bash -c "$command"
	assert_stdout $'Hooks\nStop\n--agent\nit\'s; $(touch owned) mine'
	assert_absent owned
}

@test "an agent that has hooks is left alone without --force" {
	agent a.md <<<$'---\nname: a\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: mine\n---\nbody'
	cp .claude/agents/a.md before
	init
	assert_status 0
	assert_stdout_has "   Agent 'a' already has hooks, skipping."
	cmp .claude/agents/a.md before
}

@test "with --force its own hooks stay first, an older entry is replaced once, and a second time changes no byte" {
	agent a.md <<-'END'
		---
		name: a
		hooks:
		  New:
		    - hooks:
		        - command: what
		  Stop:
		    - hooks:
		        - type: command
		          command: conclaude Hooks Stop --agent old
		    - hooks:
		        - type: command
		          command: mine
		---
		body
	END
	init --force
	assert_status 0
	assert_equal "$(grep -o ' command: .*' .claude/agents/a.md)" $' command: what\n command: mine\n command: conclaude Hooks Stop --agent a'
	assert_file_has .claude/agents/a.md 'timeout: 600'
	cp .claude/agents/a.md first
	init --force
	cmp .claude/agents/a.md first
}

@test "no agents, and none in the directory, are both fine" {
	init
	assert_status 0
	assert_stdout_has 'No agents directory found, skipping agent hook injection.'
	mkdir .claude/agents
	echo x >.claude/agents/notes.txt
	init --force
	assert_status 0
	assert_stdout_has 'No agent files found in .claude/agents'
}

@test "agents' files that are not right are said, left as they are, and no failure" {
	agent none.md <<<'# only text'
	agent open.md <<<$'---\nname: x'
	agent bad.md <<<$'---\nname: [x\n---'
	agent flow.md <<<$'---\nname: f\nhooks: {Stop: [{hooks: [{command: mine}]}]}\n---'
	agent good.md <<<$'---\nname: good\n---'
	cp -r .claude/agents before
	init --force
	assert_status 0
	assert_stderr_has 'none.md: has no front matter'
	assert_stderr_has '[ERROR] Failed to inject hooks into .claude/agents/open.md:1:1: '
	assert_stderr_has '[ERROR] Failed to inject hooks into .claude/agents/bad.md:3:1: '
	assert_stderr_has '[ERROR] Failed to inject hooks into .claude/agents/flow.md:3:15: '
	assert_stdout_has '3 agent files could not be changed.'
	assert_file_has .claude/agents/good.md '--agent good'
	for name in none open bad flow; do cmp ".claude/agents/$name.md" "before/$name.md"; done
}
