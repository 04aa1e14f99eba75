#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# init, uninstall and doctor with the settings of every client.

load helper

others='codex gemini qwen copilot cursor antigravity'

# file CLIENT: its settings in the project.
file() {
	case $1 in
	claude) echo .claude/settings.json ;;
	codex) echo .codex/hooks.json ;;
	gemini) echo .gemini/settings.json ;;
	qwen) echo .qwen/settings.json ;;
	copilot) echo .github/hooks/holdfast.json ;;
	cursor) echo .cursor/hooks.json ;;
	antigravity) echo .agents/hooks.json ;;
	esac
}

finding() {
	grep -E "^  $1 " "$OUT" | grep -qF -- "$2" || show "no $1: $2"
}

@test "each client gets its own hooks in its own file, and nothing else is made" {
	local client
	for client in $others; do
		run_holdfast init --client "$client"
		assert_status 0
		assert_stderr_empty
		assert_file "$(file "$client")"
		assert_stdout_has "$(file "$client")"
		assert_stdout_has 'Next: '
	done
	assert_absent .claude
	assert_equal "$(jq -c '[.hooks[] | .[0].hooks[0]] | map([.type, .command, .timeout])' .codex/hooks.json)" \
		'[["command","command -v holdfast >/dev/null || exit 0; exec holdfast stop-hook --client codex",600],["command","command -v holdfast >/dev/null || exit 0; exec holdfast hook UserPromptSubmit --client codex",30],["command","command -v holdfast >/dev/null || exit 0; exec holdfast hook SessionEnd --client codex",3]]'
	assert_equal "$(jq -c '.hooks | to_entries | map([.key, .value[0].hooks[0].command, .value[0].hooks[0].timeout])' .gemini/settings.json)" \
		'[["AfterAgent","command -v holdfast >/dev/null || exit 0; exec holdfast stop-hook --client gemini --deadline 590 2>/dev/null",600000],["BeforeAgent","command -v holdfast >/dev/null || exit 0; holdfast hook UserPromptSubmit --client gemini || true",30000],["SessionEnd","command -v holdfast >/dev/null || exit 0; holdfast hook SessionEnd --client gemini || true",30000]]'
	assert_equal "$(jq -c '.hooks.Stop' .qwen/settings.json)" \
		'[{"hooks":[{"type":"command","command":"command -v holdfast >/dev/null || exit 0; exec holdfast stop-hook --client qwen --deadline 590","timeout":600000}]}]'
	assert_equal "$(jq -c '[.version, .hooks.agentStop, (.hooks | keys)]' .github/hooks/holdfast.json)" \
		'[1,[{"type":"command","bash":"command -v holdfast >/dev/null || exit 0; exec holdfast stop-hook --client copilot --deadline 590","timeoutSec":600}],["agentStop","sessionEnd","userPromptSubmitted"]]'
	assert_equal "$(jq -c '[.version, .hooks.stop, (.hooks | keys)]' .cursor/hooks.json)" \
		'[1,[{"command":"command -v holdfast >/dev/null || exit 0; exec holdfast stop-hook --client cursor --deadline 590","timeout":600,"loop_limit":10}],["beforeSubmitPrompt","sessionEnd","stop"]]'
	assert_equal "$(jq -c . .agents/hooks.json)" \
		'{"holdfast":{"Stop":[{"type":"command","command":"command -v holdfast >/dev/null || exit 0; exec holdfast stop-hook --client antigravity --deadline 590","timeout":600}]}}'
}

@test "with every client and every sample: twice is once, and uninstall gives every byte back" {
	local sample name client target
	for sample in "$ROOT"/tests/cli/settings/*.json; do
		name=${sample##*/}
		rm -rf .codex .gemini .qwen .github .cursor .agents "$XDG_STATE_HOME"
		for client in $others; do
			target=$(file "$client")
			mkdir -p "${target%/*}" && cp "$sample" "$target"
		done
		run_holdfast init -c codex -c gemini -c qwen -c copilot -c cursor -c antigravity
		assert_status 0 || show "$name: init"
		for client in $others; do
			target=$(file "$client")
			grep -q "stop-hook --client $client" "$target" || show "$name: not registered with $client"
			cp "$target" "once.$client"
		done
		run_holdfast init -c codex -c gemini -c qwen -c copilot -c cursor -c antigravity
		assert_status 0
		for client in $others; do
			cmp "once.$client" "$(file "$client")" || show "$name: a second init changed it"
		done
		run_holdfast uninstall
		assert_status 0
		for client in $others; do
			cmp "$sample" "$(file "$client")" || show "$name: uninstall did not give it back to $client"
		done
	done
}

@test "several clients at once, one of which fails, leave the others registered" {
	mkdir .gemini
	echo '{ "a": }' >.gemini/settings.json
	run_holdfast init --client codex --client gemini --client cursor
	assert_status 1
	assert_stderr_has '.gemini/settings.json:1:8'
	assert_file .gemini/settings.json '{ "a": }'
	assert_file_has .codex/hooks.json 'holdfast stop-hook'
	assert_file_has .cursor/hooks.json 'holdfast stop-hook'
}

@test "the files for all projects are where each client looks" {
	run_holdfast init --user -c codex -c gemini -c qwen -c copilot -c cursor -c antigravity
	assert_status 0
	assert_file "$HOME/.codex/hooks.json"
	assert_file "$HOME/.gemini/settings.json"
	assert_file "$HOME/.qwen/settings.json"
	assert_file "$HOME/.copilot/hooks/holdfast.json"
	assert_file "$HOME/.cursor/hooks.json"
	assert_file_has "$HOME/.gemini/config/hooks.json" 'stop-hook --client antigravity --deadline 590 --user'
	CODEX_HOME=$PWD/elsewhere COPILOT_HOME=$PWD/another run_holdfast init --user -c codex -c copilot
	assert_file elsewhere/hooks.json
	assert_file another/hooks/holdfast.json
	run_holdfast uninstall --user
	assert_absent "$HOME/.codex/hooks.json"
	assert_absent "$HOME/.cursor/hooks.json"
	assert_absent "$HOME/.gemini"
	assert_file elsewhere/hooks.json
}

@test "a client that does not exist, or has no such settings, is a usage error" {
	run_holdfast init --client vim
	assert_status 1
	assert_stderr_has 'claude, codex, gemini, qwen, copilot, cursor, antigravity'
	run_holdfast init --client generic
	assert_status 1
	run_holdfast init --client codex --local
	assert_status 1
	assert_stderr_has '--local is for Claude Code'
	assert_absent .codex
}

@test "in a pipe it is Claude Code alone, and the others that are here are named" {
	mkdir "$HOME/.qwen"
	fake codex <<<'#!/bin/sh'
	run_holdfast init
	assert_status 0
	assert_file .claude/settings.json
	assert_absent .codex
	assert_absent .qwen
	assert_stdout_has 'holdfast init --client codex --client qwen'
	run_holdfast init --client claude
	assert_stdout_lacks '--client codex'
}

@test "on a terminal it asks for each client that is here" {
	mkdir "$HOME/.claude" "$HOME/.codex" "$HOME/.gemini"
	printf 'n\ny\n\n' | on_terminal holdfast init
	assert_absent .claude
	assert_file_has .codex/hooks.json 'holdfast stop-hook --client codex'
	assert_file_has .gemini/settings.json 'holdfast stop-hook --client gemini'
	grep -q 'Register holdfast with Codex CLI?' "$OUT"
}

@test "on a terminal with Claude Code alone nothing is asked" {
	mkdir "$HOME/.claude"
	on_terminal holdfast init </dev/null
	assert_file .claude/settings.json
	! grep -q 'Register' "$OUT"
}

@test "another program's hook for the same stop is refused with every client" {
	write .codex/hooks.json <<<'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"conclaude Stop"}]}]}}'
	write .cursor/hooks.json <<<'{"version":1,"hooks":{"stop":[{"command":"agent-gauntlet stop-hook","loop_limit":10}]}}'
	cp .codex/hooks.json codex.before
	cp .cursor/hooks.json cursor.before
	run_holdfast init -c codex -c cursor
	assert_status 1
	assert_stderr_has "conclaude is already registered for Stop"
	assert_stderr_has "agent-gauntlet is already registered for stop"
	cmp codex.before .codex/hooks.json
	cmp cursor.before .cursor/hooks.json
	run_holdfast init -c cursor --force
	assert_status 0
	assert_equal "$(jq '.hooks.stop | length' .cursor/hooks.json)" 2
	run_holdfast doctor
	finding error 'Cursor, stop: agent-gauntlet is registered too'
}

@test "uninstall can be about one client" {
	run_holdfast init -c claude -c codex -c copilot
	run_holdfast uninstall --client codex
	assert_status 0
	assert_absent .codex/hooks.json
	assert_file .claude/settings.json
	assert_file .github/hooks/holdfast.json
	run_holdfast uninstall
	assert_absent .claude/settings.json
	assert_absent .github/hooks/holdfast.json
}

@test "what was added beside ours stays, also the version that it needs" {
	run_holdfast init -c cursor
	jq '.hooks.afterFileEdit = [{"command": "mine"}]' .cursor/hooks.json >new && mv new .cursor/hooks.json
	run_holdfast uninstall
	assert_equal "$(jq -c . .cursor/hooks.json)" '{"version":1,"hooks":{"afterFileEdit":[{"command":"mine"}]}}'
}

@test "an older entry is brought to the wanted time in the client's own unit" {
	write .gemini/settings.json <<<'{"hooks":{"AfterAgent":[{"hooks":[{"type":"command","command":"holdfast stop-hook --deadline 590","timeout":60000}]}]}}'
	run_holdfast init -c gemini
	assert_stdout_has 'updated   AfterAgent'
	assert_equal "$(jq '.hooks.AfterAgent[0].hooks[0].timeout' .gemini/settings.json)" 600000
	run_holdfast doctor
	assert_status 0
}

@test "behind exec a program that has moved is found missing by doctor and put right by init" {
	run_holdfast init -c gemini
	sed -i 's|exec holdfast|exec /nowhere/holdfast|' .gemini/settings.json
	run_holdfast doctor
	assert_status 1
	finding error "'/nowhere/holdfast stop-hook --client gemini --deadline 590 2>/dev/null' can't run: there is no such file"
	run_holdfast init -c gemini
	assert_stdout_has 'updated   AfterAgent'
	assert_equal "$(jq -r '.hooks.AfterAgent[0].hooks[0].command' .gemini/settings.json)" \
		'command -v holdfast >/dev/null || exit 0; exec holdfast stop-hook --client gemini --deadline 590 2>/dev/null'
	run_holdfast doctor
	assert_status 0
}

@test "doctor: a client without Claude Code is enough" {
	local client
	for client in $others; do
		rm -rf .codex .gemini .qwen .github .cursor .agents
		holdfast init --client "$client" >/dev/null
		run_holdfast doctor
		assert_status 0
		finding ok "stop-hook --client $client"
		finding note 'Stop is not registered'
	done
}

@test "doctor: Codex's trust can't be seen, so it is said" {
	holdfast init --client codex >/dev/null
	run_holdfast doctor
	finding note 'Codex CLI: it runs a hook only once you have trusted it'
}

@test "doctor: a client that is here and has no hooks is a note" {
	holdfast init >/dev/null
	mkdir "$HOME/.gemini"
	run_holdfast doctor
	assert_status 0
	finding note 'Gemini CLI is installed'
	assert_stdout_has '-> holdfast init --client gemini'
}

@test "doctor: a client that gives up before holdfast answers is a warning" {
	holdfast init --client gemini >/dev/null
	sed -i 's/600000/590000/' .gemini/settings.json
	run_holdfast doctor
	assert_status 1
	finding warning 'Gemini CLI, AfterAgent: the client gives up after 590 s, but holdfast needs 590 s'
	sed -i 's/590000/591000/' .gemini/settings.json
	run_holdfast doctor
	assert_status 0
}

@test "doctor: a hook that is missing, twice there, or can't be run is an error with every client" {
	holdfast init --client copilot >/dev/null
	jq 'del(.hooks.agentStop)' .github/hooks/holdfast.json >new && mv new .github/hooks/holdfast.json
	run_holdfast doctor
	assert_status 1
	finding error 'Copilot CLI, agentStop is not registered'
	holdfast init --client copilot >/dev/null
	write .github/hooks/team.json <<<'{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"/nowhere/holdfast stop-hook --client copilot"}]}}'
	run_holdfast doctor
	finding error 'Copilot CLI, agentStop is registered 2 times'
	finding error "'/nowhere/holdfast stop-hook --client copilot' can't run"
}

@test "doctor: a hook that its own entry turns off is an error" {
	holdfast init --client antigravity >/dev/null
	jq '.holdfast.enabled = false' .agents/hooks.json >new && mv new .agents/hooks.json
	run_holdfast doctor
	assert_status 1
	finding error 'Antigravity, Stop is turned off by its own entry (.agents/hooks.json)'
	run_holdfast uninstall
	assert_equal "$(jq -c . .agents/hooks.json)" '{"holdfast":{"enabled":false}}'
}

@test "doctor: registered for the project and for all projects, it says who decides" {
	for client in codex copilot cursor; do
		holdfast init -c $client >/dev/null
		run_holdfast doctor
		assert_status 0
		assert_stdout_lacks 'leaves the decision'
		holdfast init --user -c $client >/dev/null
		run_holdfast doctor
		assert_status 0
		finding note "the project's registration leaves the decision to the one in your own settings"
		assert_stdout_has "holdfast stop-hook --client $client"
		# of two equal lines, each is run, and neither knows of the other
		sed -i 's/ --user//' "$HOME/.$client"/*.json "$HOME/.$client"/*/*.json 2>/dev/null || true
		run_holdfast doctor
		assert_status 1
		finding error 'is registered 2 times'
		holdfast uninstall --user -c $client >/dev/null
		holdfast uninstall -c $client >/dev/null
	done
}

@test "doctor: below the project's root, it says which clients do not see the registration when they are started there" {
	git init -q .
	mkdir -p sub/dir
	for client in claude gemini qwen; do
		holdfast init -c $client >/dev/null
		run_holdfast doctor
		assert_stdout_lacks 'is started in'
		cd sub/dir
		run_holdfast doctor
		assert_status 0
		finding note 'only reads the settings of the directory in which it is started'
		assert_stdout_has "start it in $(git rev-parse --show-toplevel), or 'holdfast init"
		assert_stdout_has " --user'"
		# one for all projects is seen everywhere, and one that is there
		holdfast init --user -c $client >/dev/null
		run_holdfast doctor
		assert_stdout_lacks 'is started in'
		holdfast uninstall --user -c $client >/dev/null
		cp -r ../../.$client .
		run_holdfast doctor
		assert_stdout_lacks 'is started in'
		rm -r .$client
		cd ../..
		holdfast uninstall -c $client >/dev/null
	done
	holdfast init -c codex -c copilot >/dev/null
	cd sub/dir
	run_holdfast doctor
	assert_stdout_lacks 'is started in'
}

@test "a Claude Code that was started by an agent of another one does not take a loop that is nobody's" {
	holdfast ralph start 'Go on.' >/dev/null 2>&1
	# the client's own environment, as it was started, has the session of the other
	CLAUDE_CODE_SESSION_ID=outer sources 2
	assert_stdout_has loop_not_owned
	CLAUDE_CODE_SESSION_ID='' sources 2
	assert_stdout_has loop_continues
}

# sources WORD...: what the plugin's hook says under a client that was started with these words.
sources() {
	local pipe=$BATS_TEST_TMPDIR/pipe client
	[[ -p $pipe ]] || mkfifo "$pipe"
	bash -c 'read -r _ <>"$0"' "$pipe" claude "$@" 3>&- &
	client=$!
	until tr '\0' ' ' <"/proc/$client/cmdline" | grep -q '^bash -c read'; do :; done
	CLAUDE_PID=$client hook . holdfast stop-hook --plugin
	kill "$client"
	wait "$client" || true
}

@test "the plugin's hook steps back only before settings that the client has not been told to leave out" {
	printf 'stop:\n  infinite: true\n' >.conclaude.yaml
	holdfast init >/dev/null
	for words in '' '--setting-sources user,project' '--setting-sources=project' '--model user --setting-sources local,user,project' \
		'--setting-sources user --setting-sources project'; do
		sources $words
		assert_stdout ''
	done
	sources --setting-sources ''
	assert_stdout_has '"decision":"block"'
	for words in '--setting-sources user' '--setting-sources=user,local' '--setting-sources=' '--setting-sources project --setting-sources user'; do
		sources $words
		assert_stdout_has '"decision":"block"'
	done
	# a client that can't be looked at is taken to read all of them
	for pid in 0 x 99999999 ''; do
		CLAUDE_PID=$pid hook . holdfast stop-hook --plugin
		assert_stdout ''
	done
}

@test "doctor: a line that stands twice is run once by Gemini CLI and Qwen Code" {
	holdfast init -c gemini -c qwen >/dev/null
	holdfast init --user -c gemini -c qwen >/dev/null
	run_holdfast doctor
	assert_status 0
}

@test "doctor: registered with Copilot and Claude Code, it says who decides" {
	holdfast init -c claude -c copilot >/dev/null
	run_holdfast doctor
	assert_status 0
	finding note "where Copilot CLI also runs the hooks in Claude Code's settings, holdfast leaves the decision to this"
}

@test "more blocks than a client lets through are said, and how to raise its limit" {
	printf 'stop:\n  rounds: 20\n' >.conclaude.yaml
	run_holdfast init -c codex -c qwen -c copilot
	assert_stdout_has 'raise it in the environment of Qwen Code: QWEN_CODE_STOP_HOOK_BLOCK_CAP=20'
	assert_stdout_has "Copilot CLI ends the turn after 8; that limit can't be raised"
	assert_stdout_lacks 'Codex CLI ends'
	run_holdfast doctor
	assert_status 1
	finding warning '19 stops in a row may be blocked, and Qwen Code ends the turn after 7'
	assert_stdout_has 'QWEN_CODE_STOP_HOOK_BLOCK_CAP=20'
	finding warning 'Copilot CLI ends the turn after 8'
	holdfast uninstall -c copilot >/dev/null
	QWEN_CODE_STOP_HOOK_BLOCK_CAP=19 run_holdfast doctor
	finding warning 'Qwen Code ends the turn after 18'
	QWEN_CODE_STOP_HOOK_BLOCK_CAP=20 run_holdfast doctor
	assert_status 0
}
