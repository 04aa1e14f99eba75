#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# holdfast init: into Claude Code's settings, and nothing else there.

load helper

SETTINGS=.claude/settings.json

# settings NAME: the sample of that name as the project's settings.
settings() { mkdir -p .claude && cp "$ROOT/tests/cli/settings/$1.json" $SETTINGS; }

# commands EVENT: what is registered for the event, one a line.
commands() { jq -r --arg e "$1" '.hooks[$e][]?.hooks[]? | select(.type == "command") | .command' "${2:-$SETTINGS}"; }

GUARD='command -v holdfast >/dev/null || exit 0; exec'

@test "a project without settings gets a file with the three hooks" {
	run_holdfast init
	assert_status 0
	assert_stderr_empty
	assert_equal "$(commands Stop)" "$GUARD holdfast stop-hook"
	assert_equal "$(commands UserPromptSubmit)" "$GUARD holdfast hook UserPromptSubmit"
	assert_equal "$(commands SessionEnd)" "$GUARD holdfast hook SessionEnd"
	assert_equal "$(jq '.hooks.Stop[0].hooks[0].timeout' $SETTINGS)" 600
	assert_equal "$(jq -c '[keys, (.hooks | keys)]' $SETTINGS)" '[["hooks"],["SessionEnd","Stop","UserPromptSubmit"]]'
	assert_stdout_has 'added     Stop              holdfast stop-hook'
	assert_stdout_has 'Next: '
	assert_mode $SETTINGS 644
}

@test "who has the settings and not the program is not bothered" {
	local client file event
	holdfast init --client claude --client codex --client gemini --client qwen --client copilot --client cursor --client antigravity >/dev/null
	rm "$BIN/holdfast"
	for file in .claude/settings.json .codex/hooks.json .gemini/settings.json .qwen/settings.json .github/hooks/holdfast.json .cursor/hooks.json .agents/hooks.json; do
		jq -r '(.hooks // .holdfast)[][] | (.hooks[0] // .) | .command // .bash' $file >lines
		assert_equal "$file $(wc -l <lines)" "$file $([[ $file == .agents/* ]] && echo 1 || echo 3)"
		while IFS= read -r event; do
			for client in sh bash; do
				PATH=$BIN:/usr/bin:/bin run_command $client -c "$event" </dev/null
				assert_status 0 || show "$file: $event"
				assert_stdout ''
				assert_stderr_empty
			done
		done <lines
	done
}

@test "a line that init registered decides, through the shell that the client starts" {
	holdfast init >/dev/null
	assert_equal "$(echo '{"session_id":"s"}' | sh -c "$(commands Stop)" | jq -r .status)" no_config
}

@test "the hook names the gates in what Claude Code shows while it runs" {
	git init -q -b main
	printf 'test:\n\ttrue\nlint:\n\ttrue\n' >Makefile
	message() { jq -r '.hooks.Stop[0].hooks[0].statusMessage' $SETTINGS; }
	run_holdfast init --yes
	assert_equal "$(message)" 'holdfast: gates (test, lint)'
	assert_equal "$(jq -r '[.hooks.UserPromptSubmit[0].hooks[0].statusMessage, .hooks.SessionEnd[0].hooks[0].statusMessage][]' $SETTINGS)" $'null\nnull'
	run_holdfast init
	assert_stdout_has 'Nothing to change.'
	run_holdfast add gate spelling -- true
	assert_equal "$(message)" 'holdfast: gates (test, lint, spelling)'
	for gate in one-long-name two-long-names three-long-names four; do holdfast add gate $gate -- true >/dev/null; done
	assert_equal "$(message)" 'holdfast: gates (test, lint, spelling, one-long-name, two-long-names and 2 more)'
	run_holdfast uninstall
	assert_absent .claude
}

@test "running it again changes nothing" {
	run_holdfast init
	cp $SETTINGS before
	touch -d '2020-01-01' $SETTINGS
	run_holdfast init
	assert_status 0
	assert_stdout_has 'kept      Stop'
	assert_stdout_has 'Nothing to change.'
	cmp before $SETTINGS
	assert_equal "$(stat -c %Y $SETTINGS)" "$(date -d '2020-01-01' +%s)"
}

@test "every sample keeps what it had, twice is once, and uninstall gives every byte back" {
	local sample name
	for sample in "$ROOT"/tests/cli/settings/*.json; do
		name=${sample##*/}
		rm -rf .claude "$XDG_STATE_HOME"
		settings "${name%.json}"
		run_holdfast init
		assert_status 0 || show "$name: init"
		cp $SETTINGS once
		grep -q 'exec holdfast stop-hook"' once || show "$name: not registered"
		run_holdfast init
		assert_status 0
		cmp once $SETTINGS || show "$name: a second init changed it"
		run_holdfast uninstall
		assert_status 0
		cmp "$sample" $SETTINGS || show "$name: uninstall did not give it back"
	done
}

@test "other keys, their order and other people's hooks stay" {
	local sample name
	for sample in "$ROOT"/tests/cli/settings/*.json; do
		name=${sample##*/}
		[[ $(jq -r type "$sample" 2>/dev/null) == object ]] || continue
		rm -rf .claude
		settings "${name%.json}"
		run_holdfast init
		assert_equal "$(jq 'del(.hooks)' $SETTINGS)" "$(jq 'del(.hooks)' "$sample")"
		jq -e --slurpfile old "$sample" '($old[0].hooks // {}) as $o | .hooks as $n |
			all($o | keys[]; . as $k | $n[$k][:($o[$k] | length)] == $o[$k])' $SETTINGS >/dev/null || show "$name: hooks changed"
	done
}

@test "new lines have the indentation and the line ending of the file" {
	settings tabs
	run_holdfast init
	assert_file_has $SETTINGS $'\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{\n'
	settings four-spaces
	run_holdfast init
	assert_file_has $SETTINGS $'\n    "hooks": {\n        "Stop": [\n'
	settings crlf
	run_holdfast init
	assert_equal "$(grep -c $'\r$' $SETTINGS)" "$(wc -l <$SETTINGS)"
}

@test "a file that does not parse is left alone, and the place is named" {
	printf '{\n  "model": "opus",\n  "env": {\n}\n' >broken
	mkdir .claude && cp broken $SETTINGS
	run_holdfast init
	assert_status 1
	assert_stderr_has '.claude/settings.json:5:'
	cmp broken $SETTINGS
	printf '{\n  "model" "opus"\n}\n' >$SETTINGS
	run_holdfast init
	assert_status 1
	assert_stderr_has '.claude/settings.json:2:11'
}

@test "hooks that are no hooks are an error" {
	mkdir .claude
	local text
	for text in '[]' '{"hooks":[]}' '{"hooks":{"Stop":{}}}' '"x"'; do
		printf '%s' "$text" >$SETTINGS
		run_holdfast init
		assert_status 1
		assert_stderr_has '.claude/settings.json'
		assert_file $SETTINGS "$text"
	done
}

@test "a symbolic link stays one, and its target is changed" {
	mkdir .claude dotfiles
	echo '{ "model": "opus" }' >dotfiles/claude.json
	ln -s ../dotfiles/claude.json $SETTINGS
	run_holdfast init
	assert_status 0
	[[ -L $SETTINGS ]]
	assert_file_has dotfiles/claude.json 'holdfast stop-hook'
	run_holdfast uninstall
	[[ -L $SETTINGS ]]
	assert_file dotfiles/claude.json '{ "model": "opus" }'
}

@test "a read-only file is left alone and said to be one" {
	settings model-only
	chmod 444 $SETTINGS
	run_holdfast init
	assert_status 1
	assert_stderr_has '.claude/settings.json: is read-only'
	assert_stdout ''
	cmp "$ROOT/tests/cli/settings/model-only.json" $SETTINGS
	assert_mode $SETTINGS 444
}

@test "the mode of the file stays" {
	settings model-only
	chmod 600 $SETTINGS
	run_holdfast init
	assert_mode $SETTINGS 600
}

@test "no temporary file is left behind" {
	run_holdfast init
	assert_equal "$(ls -A .claude)" settings.json
}

@test "in a repository the file is at its root" {
	git_project
	mkdir -p a/b
	cd a/b
	run_holdfast init
	assert_status 0
	assert_file "$PROJECT/$SETTINGS"
	assert_absent .claude
}

@test "--local and --user choose the other files" {
	run_holdfast init --local
	assert_file .claude/settings.local.json
	assert_absent $SETTINGS
	run_holdfast init --user
	assert_file "$CLAUDE_CONFIG_DIR/settings.json"
	unset CLAUDE_CONFIG_DIR
	export HOME=$BATS_TEST_TMPDIR/other
	mkdir "$HOME"
	run_holdfast init --user
	assert_file "$HOME/.claude/settings.json"
}

@test "two places at once are a mistake" {
	run_holdfast init --local --user
	assert_status 1
	assert_stderr_has 'only one of'
	assert_absent .claude
}

@test "a dry run says what would be done and does nothing" {
	run_holdfast init --dry-run
	assert_status 0
	assert_stdout_has 'dry run'
	assert_stdout_has 'added     Stop'
	assert_absent .claude
	assert_absent "$XDG_STATE_HOME/holdfast"
}

@test "a dry run with --gates tells of the gates, too" {
	run_holdfast init --gates --dry-run
	assert_status 0
	assert_stdout_has $'.gauntlet (dry run: nothing is written)\n  added     a configuration, a review'
	assert_equal "$(ls -A .)" ''
	mkdir .gauntlet
	run_holdfast init --gates --dry-run
	assert_stdout_has '.gauntlet directory already exists.'
	assert_stdout_lacks 'a configuration, a review'
}

@test "without holdfast in PATH its own path is registered, quoted where it must be" {
	mkdir "$BATS_TEST_TMPDIR/my tools"
	cp "$(readlink -f "$BIN/holdfast")" "$BATS_TEST_TMPDIR/my tools/holdfast"
	rm "$BIN/holdfast"
	PATH=$BIN:/usr/bin:/bin run_command "$BATS_TEST_TMPDIR/my tools/holdfast" init
	assert_status 0
	local path="'$BATS_TEST_TMPDIR/my tools/holdfast'"
	assert_equal "$(commands Stop)" "command -v $path >/dev/null || exit 0; exec $path stop-hook"
	assert_equal "$(sh -c "$(commands Stop) --help" | head -n 1)" \
		'holdfast stop-hook: decide whether the agent may stop (the Stop hook)'
}

@test "an older path and another timeout are brought up to date in place" {
	run_holdfast init
	cp $SETTINGS right
	sed -i 's|holdfast\( .*\)holdfast stop-hook"|/old/holdfast\1/old/holdfast stop-hook"|; s/600/60/' $SETTINGS
	run_holdfast init
	assert_stdout_has 'updated   Stop'
	assert_stdout_has 'kept      SessionEnd'
	cmp right $SETTINGS
}

@test "options behind a registered command stay" {
	run_holdfast init
	sed -i 's|"[^"]*holdfast stop-hook"|"/old/holdfast stop-hook --deadline 100"|' $SETTINGS
	run_holdfast init
	assert_equal "$(commands Stop)" "$GUARD holdfast stop-hook --deadline 100"
}

@test "beside conclaude, agent-gauntlet or a Ralph script nothing is registered without --force" {
	local rival
	for rival in 'conclaude Stop' 'conclaude Hooks Stop' 'npx agent-gauntlet stop-hook' 'holdfast ralph hook' \
		'bash /plugins/ralph-loop/hooks/stop-hook.sh'; do
		rm -rf .claude
		write $SETTINGS <<<"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"$rival\"}]}]}}"
		cp $SETTINGS before
		run_holdfast init
		assert_status 1
		assert_stderr_has "'$rival'"
		assert_stderr_has "Nothing was changed. --replace puts 'holdfast stop-hook' in its place and keeps a copy of the file; --force registers holdfast in addition."
		assert_stderr_has '--force'
		cmp before $SETTINGS
		run_holdfast init --force
		assert_status 0
		assert_equal "$(commands Stop)" "$rival"$'\n'"$GUARD holdfast stop-hook"
	done
}

@test "a conclaude hook for an event that is not ours does no harm" {
	write $SETTINGS <<<'{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"conclaude PreToolUse"}]}]}}'
	run_holdfast init
	assert_status 0
	assert_equal "$(commands PreToolUse)" 'conclaude PreToolUse'
}

@test "the cap on blocks goes up with a loop, a queue or rounds that need more than 8" {
	local row expected
	loop() { printf -- '---\niteration: 1\nmax_iterations: %d\ncompletion_promise: "X"\n---\n\nwork\n' "$1" | write .claude/ralph-loop.local.md; }
	rounds() { printf 'stop:\n  rounds: %d\n' "$1" | write .conclaude.yaml; }
	queue() { printf 'stop:\n  promptPrefixBlocking:\n    prefixes: ["a*"]\n    messages:\n      - text: x\n        times: %d\n      - text: y\n' "$1" | write .conclaude.yaml; }
	for row in 'loop 9|null' 'loop 10|9' 'loop 50|49' 'loop 0|null' 'rounds 9|null' 'rounds 10|9' 'queue 7|null' 'queue 8|9'; do
		rm -rf .claude .conclaude.yaml "$XDG_STATE_HOME"
		${row%|*}
		run_holdfast init
		assert_status 0
		expected=${row#*|}
		[[ $expected == null ]] || expected="\"$expected\""
		assert_equal "$row: $(jq '.env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP' $SETTINGS)" "$row: $expected"
		[[ $expected == null ]] || assert_stdout_has 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'
	done
}

# cap_of FILE: what is set there; null where there is none
cap_of() { jq '.env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP' "$1"; }

@test "a cap that the user has set stays, and one that is too low is told of as by doctor" {
	local row file cap rounds expected words='stops in a row may be blocked, and Claude Code ends the turn after'
	for row in "$SETTINGS|3|4|" "$SETTINGS|3|5|4 $words 3 " "$SETTINGS|0|50|" "$SETTINGS|-1|50|" "$SETTINGS|19|20|" \
		"$SETTINGS|18|20|19 $words 18 " "$SETTINGS|many|9|" "$SETTINGS|many|10|9 $words 8 " \
		'.claude/settings.local.json|3|4|' ".claude/settings.local.json|3|20|19 $words 3 " \
		'.claude/settings.local.json|0|20|' "$HOME/.claude/settings.json|3|20|19 $words 3 " "$HOME/.claude/settings.json|0|20|"; do
		IFS='|' read -r file cap rounds expected <<<"$row"
		rm -rf .claude "$HOME/.claude" "$XDG_STATE_HOME"
		printf '{"env":{"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP":"%s"}}' "$cap" | write "$file"
		printf 'stop:\n  rounds: %d\n' "$rounds" >.conclaude.yaml
		run_holdfast init
		assert_status 0
		assert_equal "$row: $(cap_of "$file")" "$row: \"$cap\""
		[[ $file == "$SETTINGS" ]] || assert_equal "$row: $(cap_of $SETTINGS)" "$row: null"
		if [[ -z $expected ]]; then
			assert_stdout_lacks "$words"
			continue
		fi
		expected+="with no tool call between them (CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in $file)"
		assert_stdout_has "note      $expected; raise the number"
		run_holdfast doctor
		assert_stdout_has "$expected"
		run_holdfast init
		assert_stdout_has "$expected"
		assert_stdout_has 'Nothing to change.'
	done
}

@test "a cap in the environment stays, and one that is too low is told of" {
	printf 'stop:\n  rounds: 20\n' >.conclaude.yaml
	CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=4 run_holdfast init
	assert_equal "$(jq '.env' $SETTINGS)" null
	assert_stdout_has '(CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in the environment); raise the number'
	CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=19 run_holdfast init
	assert_equal "$(jq '.env' $SETTINGS)" null
	assert_stdout_lacks 'stops in a row'
}

@test "a value for the cap that is no text stays" {
	local value
	printf 'stop:\n  rounds: 20\n' >.conclaude.yaml
	for value in 3 null true '[]'; do
		printf '{"env":{"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP":%s}}' $value | write $SETTINGS
		run_holdfast init
		assert_status 0
		assert_equal "$(jq -c '.env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP' $SETTINGS)" $value
		assert_stdout_has 'note      19 stops in a row'
	done
}

@test "of a loop without a limit it is said that the cap ends it" {
	printf -- '---\nmax_iterations: 0\n---\n\nwork\n' | write .claude/ralph-loop.local.md
	run_holdfast init
	assert_stdout_has 'note      any number of stops in a row may be blocked'
	assert_stdout_has 'raise it in the environment of Claude Code: CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0'
	assert_equal "$(jq '.env' $SETTINGS)" null
}

@test "a cap of ours grows when more is needed" {
	printf 'stop:\n  rounds: 20\n' >.conclaude.yaml
	run_holdfast init
	printf 'stop:\n  rounds: 30\n' >.conclaude.yaml
	run_holdfast init
	assert_equal "$(jq -r '.env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP' $SETTINGS)" 29
	printf 'stop:\n  rounds: 10\n' >.conclaude.yaml
	run_holdfast init
	assert_equal "$(jq -r '.env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP' $SETTINGS)" 29
}

@test "a cap of ours grows inside a session, which has it in its environment" {
	printf 'stop:\n  rounds: 20\n' >.conclaude.yaml
	run_holdfast init
	printf 'stop:\n  rounds: 30\n' >.conclaude.yaml
	CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=19 run_holdfast init
	assert_stdout_has 'set       env CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=29: 29 stops in a row may be blocked'
	assert_equal "$(cap_of $SETTINGS)" '"29"'
}

@test "a cap of ours in the local settings is raised there, as doctor says" {
	printf 'stop:\n  rounds: 20\n' >.conclaude.yaml
	run_holdfast init --local
	printf 'stop:\n  rounds: 30\n' >.conclaude.yaml
	run_holdfast doctor
	assert_stdout_has '(CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in .claude/settings.local.json)'
	assert_stdout_has '-> holdfast init --local'
	run_holdfast init
	assert_stdout_has '(CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in .claude/settings.local.json); holdfast init --local'
	run_holdfast init --local
	assert_equal "$(cap_of .claude/settings.local.json)" '"29"'
	run_holdfast doctor
	assert_stdout_lacks 'stops in a row'
}

@test "a record that can't be written is a note, and init works all the same" {
	export XDG_STATE_HOME=$BATS_TEST_TMPDIR/file/state
	touch "$BATS_TEST_TMPDIR/file"
	run_holdfast init
	assert_status 0
	assert_stdout_has 'could not be recorded'
	assert_equal "$(commands Stop)" "$GUARD holdfast stop-hook"
}

@test "where .claude is a file, init says so and leaves it" {
	printf 'mine' >.claude
	run_holdfast init
	assert_status 1
	assert_stderr_has '/.claude: Not a directory'
	assert_stdout ''
	assert_equal "$(cat .claude)" 'mine'
}

@test "of an event that stands twice the last counts, as for the clients" {
	local hook='{"type":"command","command":"holdfast stop-hook","timeout":600}'
	mkdir -p .claude
	echo '{"hooks":{"Stop":[{"hooks":['"$hook"']}],"Stop":[]}}' >$SETTINGS
	cp $SETTINGS before
	for command in doctor 'uninstall --all'; do
		run_holdfast $command
		((status < 2)) || show "$command ended with $status"
		cmp before $SETTINGS
	done
	run_holdfast init
	assert_status 0
	assert_stdout_has 'added     Stop'
	assert_equal "$(commands Stop)" "$GUARD holdfast stop-hook"
	assert_equal "$(grep -o 'holdfast stop-hook"' $SETTINGS | wc -l)" 2
	run_holdfast uninstall
	assert_status 0
	cmp before $SETTINGS
}

# waits_for_record COMMAND...: runs it while the record is locked, and returns when it has read the settings and waits.
waits_for_record() {
	local lock=$XDG_STATE_HOME/holdfast/installed.jsonl.lock
	mkdir -p "${lock%/*}"
	exec {held}>"$lock"
	flock "$held"
	"$@" >"$OUT" 2>"$ERR" {held}>&- &
	# before it is the program, the process is a shell that still has ours open
	until [[ $(readlink /proc/$!/exe) == */holdfast ]] && ls -l /proc/$!/fd 2>/dev/null | grep -q 'installed\.jsonl\.lock'; do
		kill -0 $! || return 1
	done
}

@test "settings that somebody else changed meanwhile are not overwritten" {
	local command
	mkdir -p .claude
	for command in 'holdfast init' 'conclaude init'; do
		rm -f .conclaude.yaml
		echo '{"model":"a"}' >$SETTINGS
		waits_for_record $command
		echo '{"model":"b"}' >$SETTINGS
		exec {held}>&-
		wait $! && show "$command did as if nothing had happened"
		assert_file $SETTINGS '{"model":"b"}'
		grep -q 'settings.json: another program changed it just now' "$ERR" || show "$command does not say why"
	done
}

@test "settings that somebody else made meanwhile are not overwritten" {
	waits_for_record holdfast init
	echo '{"model":"b"}' >$SETTINGS
	exec {held}>&-
	wait $! && show 'it did as if nothing had happened'
	assert_file $SETTINGS '{"model":"b"}'
}

@test "without any home directory the project's settings can be registered in all the same" {
	needs_homeless
	run_command "${HOMELESS[@]}" init
	assert_status 0
	assert_stdout_has 'could not be recorded'
	assert_equal "$(commands Stop)" "$GUARD holdfast stop-hook"
}

@test "a line of ours in another file that is not the same is told of" {
	holdfast init --user >/dev/null
	run_holdfast init
	assert_stdout_lacks 'another command line'
	sed -i 's|holdfast stop-hook"|holdfast stop-hook --deadline 590"|' .claude/settings.json
	run_holdfast init --local
	assert_status 0
	assert_stdout_has "note      .claude/settings.json registers holdfast for Stop with another command line, and both run; keep one: 'holdfast uninstall' with --project, --local or --user removes the other"
	# a line that init itself brings up to date is none
	holdfast uninstall >/dev/null
	holdfast uninstall --local >/dev/null
	write .claude/settings.json <<<'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/gone/holdfast stop-hook"}]}]}}'
	run_holdfast init
	assert_stdout_has 'updated   Stop'
	assert_stdout_lacks 'another command line'
	# Codex runs equal lines too, and its user's line decides
	holdfast init --client codex --user >/dev/null
	run_holdfast init --client codex
	assert_stdout_lacks 'another command line'
}

@test "what keeps the hooks from working is said: a Ralph plugin, hooks that are switched off" {
	write "$CLAUDE_CONFIG_DIR/settings.json" <<<'{"enabledPlugins":{"ralph-wiggum@somewhere":true}}'
	write .claude/settings.local.json <<<'{"disableAllHooks":true}'
	run_holdfast init
	assert_status 0
	assert_stdout_has "note      the plugin 'ralph-wiggum' has a Stop hook of its own"
	assert_stdout_has 'note      disableAllHooks is true in .claude/settings.local.json'
	rm .claude/settings.local.json "$CLAUDE_CONFIG_DIR/settings.json"
	run_holdfast init
	assert_stdout_lacks note
}

@test "settings whose hooks are no object are left alone, and the place is said as in every file" {
	mkdir .claude
	echo '{ "hooks": [] }' >$SETTINGS
	run_holdfast init
	assert_failure
	assert_stderr_has "$PROJECT/.claude/settings.json:1:12: hooks: expected an object, found a list; the settings were not changed"
	assert_equal "$(<$SETTINGS)" '{ "hooks": [] }'
}

@test "a rival in another settings file of the client is told, with the file" {
	write .claude/settings.local.json <<<'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"agent-gauntlet stop-hook","timeout":300}]}]}}'
	run_holdfast init
	assert_status 0
	assert_stdout_has "note      agent-gauntlet is registered for Stop in .claude/settings.local.json: 'agent-gauntlet stop-hook'; each stop would be checked twice; 'holdfast init --replace' removes it"
	run_holdfast init --dry-run
	assert_stdout_has 'agent-gauntlet is registered for Stop in .claude/settings.local.json'
	rm .claude/settings.local.json
	run_holdfast init
	assert_stdout_lacks 'agent-gauntlet'
	write "$HOME/.claude/settings.json" <<<'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"conclaude Hooks Stop"}]}]}}'
	run_holdfast init
	assert_stdout_has "conclaude is registered for Stop in $HOME/.claude/settings.json"
	# another client's settings are another matter
	run_holdfast init --client codex
	assert_stdout_lacks conclaude
}
