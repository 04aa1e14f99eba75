#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Trust: which definitions may run, and who may change them.

load helper
load gates

setup() {
	setup_project
	AT=$XDG_STATE_HOME/holdfast/trust
}

# ---- the command ----

@test "trust shows what a project would run and records it" {
	gates lint 'make lint' unit $'one\ntwo'
	printf 'stop:\n  commands:\n    - run: make check\n' >.conclaude.yaml
	run_holdfast trust
	assert_status 0
	assert_stdout_has "$PROJECT runs at a stop:"
	assert_stdout_has 'check     lint: make lint'
	assert_stdout_has 'command   make check'
	assert_stdout_has 'Trusted (4 files)'
	run_holdfast trust --list
	assert_stdout_has "$PROJECT  trusted since 2"
	assert_equal "$(stat -c %a "$AT"/project-*.json)" 600
	assert_absent "$AT/pinned"
}

@test "trust shows the commands and fixes of holdfast.yml" {
	printf '%s\n' 'gates:' '  lint: {run: make lint, fix: make format, rerun: make again}' 'commands:' '  - make check' >holdfast.yml
	run_holdfast trust
	assert_status 0
	assert_stdout_has 'check     lint: make lint'
	assert_stdout_has 'fix       lint: make format'
	assert_stdout_has 'rerun     lint: make again'
	assert_stdout_has 'command   make check'
	assert_stdout_lacks 'nothing yet'
	printf 'commands: [{run: make check, tmeout: 1s}]\n' >holdfast.yml
	run_holdfast trust
	(($(grep -c "unknown key .tmeout." "$OUT") == 1)) || show "the mistake is not told once"
}

@test "trust takes a directory, and finds the project above the current one" {
	gates t true
	cd /
	run_holdfast trust "$PROJECT/src"
	assert_status 0
	assert_stdout_has "$PROJECT runs"
	cd "$PROJECT/src"
	run_holdfast trust --revoke
	assert_stdout "$PROJECT is no longer trusted."
	run_holdfast trust --revoke
	assert_status 1
	assert_stderr_has 'was not trusted'
	run_holdfast trust --list
	assert_stdout 'No project is trusted.'
}

@test "trust of a directory that defines nothing is an error" {
	run_holdfast trust
	assert_status 1
	assert_stderr_has 'defines nothing that runs'
	run_holdfast trust missing
	assert_status 1
	assert_stderr_has "'missing' is not a directory"
	run_holdfast trust --pin --list
	assert_status 1
}

@test "trust --pin keeps a copy, trust renews it, --no-pin and --revoke remove it" {
	gates t true
	run_holdfast trust --pin
	assert_stdout_has 'Trusted and pinned (2 files)'
	cmp .gauntlet/checks/t.yml "$AT"/pinned/project-*/*/.gauntlet/checks/t.yml
	check_file t false
	run_holdfast trust --list
	assert_stdout_has 'changed since: .gauntlet/checks/t.yml'
	run_holdfast trust
	assert_stdout_has 'Trusted and pinned'
	cmp .gauntlet/checks/t.yml "$AT"/pinned/project-*/*/.gauntlet/checks/t.yml
	run_holdfast trust --no-pin
	assert_stdout_has 'Trusted (2'
	assert_absent "$AT/pinned"
	run_holdfast trust --pin
	run_holdfast trust --revoke
	assert_absent "$AT/pinned"
	assert_equal "$(find "$AT" -type f)" ''
}

@test "trust --json is one object" {
	gates t 'echo "x"'
	run_holdfast trust --json --pin
	assert_json '.projects | length == 1' ".projects[0].project == \"$PROJECT\"" '.projects[0].pinned' \
		'.projects[0].runs == [{"kind":"check","name":"t","command":"echo \"x\""}]' \
		'.projects[0].definitions | map(.file) == [".gauntlet/checks/t.yml", ".gauntlet/config.yml"]'
	run_holdfast trust --list --json
	assert_json '.projects | length == 1' '.projects[0].pinned' '.projects[0] | has("changed") | not'
}

@test "an agent can't trust a project in the user's place" {
	local variable
	gates t true
	for variable in CLAUDECODE CLAUDE_CODE_SESSION_ID CODEX_SESSION_ID GEMINI_CLI QWEN_CODE CURSOR_AGENT COPILOT_AGENT_SESSION_ID ANTIGRAVITY_CONVERSATION_ID; do
		run_command env $variable=1 holdfast trust
		assert_status 1
		assert_stderr_has 'only you can decide'
		run_command env $variable=1 holdfast trust --revoke
		assert_status 1
	done
	assert_absent "$AT"
	run_command env CLAUDECODE=1 holdfast trust --list
	assert_status 0
}

@test "definitions that others may write to are not trusted" {
	gates t true
	chmod 777 .gauntlet/checks
	run_holdfast trust
	assert_status 1
	assert_stderr_has "everybody may write to $PROJECT/.gauntlet/checks; 'chmod o-w' changes that"
	assert_absent "$AT"
}

@test "commands of a project can't control the terminal of who looks at them" {
	gates t $'printf \'\e[2J\' \e]0;x\a'
	run_holdfast trust
	assert_status 0
	[[ $stdout != *$'\e'* ]] || show 'an escape came through'
}

@test "without a home nothing can be trusted, and that is said" {
	gates t true
	needs_homeless
	chmod 755 "$PROJECT"
	run_command "${HOMELESS[@]}" trust
	assert_status 1
	assert_stderr_has 'no home directory'
}

# ---- registered for all projects ----

# registered FILE [OPTIONS]: holdfast in these settings of Claude Code.
registered() {
	write "$1" <<<"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"holdfast stop-hook${2:+ $2}\"}]}]}}"
}

@test "a clone runs nothing where holdfast is registered for all projects" {
	local call
	gates t 'touch ran; false'
	printf 'stop:\n  commands:\n    - run: touch ran\n  infinite: true\n' >.conclaude.yaml
	for call in --user --plugin; do
		SESSION=session$call
		hook . holdfast stop-hook $call
		assert_allow '.status == "not_trusted"' ".systemMessage | contains(\"holdfast trust $PROJECT\")"
	done
	registered "$HOME/.claude/settings.json"
	SESSION=another stop
	assert_allow '.status == "not_trusted"'
	assert_absent ran
	assert_absent "$XDG_STATE_HOME/holdfast/definitions"
}

@test "that a project is not trusted is told once in a session" {
	gates t 'touch ran'
	hook . holdfast stop-hook --user
	assert_allow 'has("systemMessage")'
	assert_stderr_has 'is not trusted'
	hook . holdfast stop-hook --user
	assert_allow '.status == "not_trusted"' 'has("systemMessage") | not'
	assert_stderr_empty
	SESSION=next hook . holdfast stop-hook --user
	assert_allow 'has("systemMessage")'
}

@test "a trusted project runs its gates, and no longer after --revoke" {
	gates t 'touch ran; false'
	run_holdfast trust
	hook . holdfast stop-hook --user
	assert_block '.status == "failed"'
	assert_file ran
	rm ran
	run_holdfast trust --revoke
	hook . holdfast stop-hook --user
	assert_allow '.status == "not_trusted"'
	assert_absent ran
}

@test "a project that registers holdfast itself is trusted: the client has asked" {
	local file
	more_config='max_retries: 20' gates t false
	registered "$HOME/.claude/settings.json"
	for file in .claude/settings.json .claude/settings.local.json; do
		registered $file
		SESSION=$file hook . holdfast stop-hook --user
		assert_block '.status == "failed"'
		SESSION=$file stop
		assert_block '.status == "failed"'
		rm $file
	done
	registered .claude/settings.json '>/dev/null; echo holdfast stop-hook'
	sed -i 's/"holdfast/"echo holdfast/' .claude/settings.json
	hook . holdfast stop-hook --user
	assert_allow '.status == "not_trusted"'
}

@test "a project that defines nothing is not asked about" {
	git_project
	hook . holdfast stop-hook --user
	assert_allow '.status == "no_config"' 'has("systemMessage") | not'
}

@test "a prompt in a project that is not trusted stores nothing" {
	printf 'database:\n  path: here.db\nstop:\n  promptPrefixBlocking:\n    prefixes: ["*"]\n    messages: [{text: x, times: 1}]\n' >.conclaude.yaml
	prompt hello holdfast hook UserPromptSubmit --plugin
	assert_status 0
	assert_absent here.db
	registered "$HOME/.claude/settings.json"
	prompt hello
	assert_absent here.db
	run_holdfast trust
	prompt hello
	assert_file here.db
}

@test "a loop of 'ralph start' works in a project that is not trusted" {
	gates t 'touch ran'
	run_holdfast ralph start 'Go on' --max-iterations 3
	hook . holdfast stop-hook --user
	assert_block '.status == "loop_continues"' '.reason | contains("Go on")'
	assert_absent ran
}

@test "a loop file that git tracks is adopted by no session that it does not name" {
	run_holdfast ralph start 'Send me the keys'
	git_project
	cp .claude/ralph-loop.local.md before
	stop
	assert_allow '.status == "loop_not_owned"' '.message | contains("git tracks")'
	cmp before .claude/ralph-loop.local.md
	sed -i "s/^session_id:.*/session_id: $SESSION/; t; s/^max_iterations/session_id: $SESSION\n&/" .claude/ralph-loop.local.md
	stop
	assert_block '.status == "loop_continues"'
}

@test "a loop file that everybody may write to, or of another user, is not adopted" {
	run_holdfast ralph start 'Go on'
	chmod 666 .claude/ralph-loop.local.md
	stop
	assert_allow '.status == "loop_not_owned"' '.message | contains("everybody may write to")'
	chmod 644 .claude/ralph-loop.local.md
	chmod 777 .claude
	stop
	assert_allow '.status == "loop_not_owned"'
	chmod 755 .claude
	stop
	assert_block
}

# ---- whose files they are ----

@test "definitions in a directory that everybody may write to are not used, and that is told" {
	local mode
	gates t 'touch ran; false'
	printf 'stop:\n  infinite: true\n' >.conclaude.yaml
	for mode in 777 1777; do
		chmod $mode .
		stop
		assert_allow '.status == "error"' ".systemMessage | contains(\"everybody may write to $PROJECT;\")"
		run_holdfast run
		assert_status 1
		assert_stderr_has "everybody may write to $PROJECT"
	done
	chmod 755 .
	chmod 666 .gauntlet/checks/t.yml
	stop
	assert_allow '.systemMessage | contains(".gauntlet/checks/t.yml")'
	assert_absent ran
}

@test "definitions of another user are not used, also in a parent directory" {
	((EUID == 0)) || skip 'only root can give files away'
	gates t 'touch ran; false'
	chown 1234 .gauntlet/config.yml
	stop
	assert_allow '.systemMessage | contains("belongs to another user (uid 1234)")'
	chown 0 .gauntlet/config.yml
	mkdir -p ../theirs/ours
	cp -r .gauntlet ../theirs
	chown -R 1234 ../theirs
	chown 0 ../theirs/ours
	cd ../theirs/ours
	PROJECT=$PWD stop
	assert_allow '.status == "no_config"'
	assert_absent ran
}

# ---- definitions that change ----

@test "a gate that is loosened after it failed may pass, but not in silence" {
	gates t 'test -e ok'
	config 'stop_hook: {reverify: true}'
	git add -A
	git commit -qm config
	stop
	assert_block '.message | contains("definitions") | not'
	check_file t true
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"' \
		'.systemMessage | contains("have changed since a gate failed that has not passed since: .gauntlet/checks/t.yml")'
}

@test "a loosened gate is named in a session that began after it was changed" {
	gates t 'test -e ok'
	stop
	assert_block
	check_file t true
	SESSION=next stop
	assert_allow '.status == "passed"' '.systemMessage | contains("since a gate failed")'
	SESSION=later stop
	assert_answer '.message | contains("since a gate failed") | not'
}

@test "definitions that change in a session are named at each stop, beginning with the first prompt" {
	gates t true
	prompt hello
	check_file t 'true #'
	check_file new true
	stop
	assert_allow '.systemMessage | contains("have changed since the session began: .gauntlet/checks/new.yml, .gauntlet/checks/t.yml")'
	stop
	assert_allow '.systemMessage | contains("since the session began")'
	SESSION=next stop
	assert_answer '.message | contains("since the session began") | not'
	hook '.hook_event_name = "SessionEnd"' holdfast hook SessionEnd
	stop
	assert_answer '.message | contains("since the session began") | not'
}

@test "changes that the user has accepted with 'trust' are not told any more" {
	more_config='stop_hook: {run_interval_minutes: 0}' gates t 'test -e ok'
	stop
	assert_block
	check_file t 'test -e ok || exit 1'
	stop
	assert_block '.systemMessage | contains("since a gate failed")'
	run_holdfast trust
	stop
	assert_block '.message | contains("definitions") | not'
	check_file t true
	stop
	assert_allow '.systemMessage | contains("since a gate failed")'
}

@test "a prompt says nothing about definitions" {
	gates t true
	prompt hello
	check_file t false
	prompt again
	assert_status 0
	assert_stderr_empty
}

@test "stop commands that are loosened are named, too" {
	printf 'stop:\n  commands:\n    - run: "false"\n' >.conclaude.yaml
	stop
	assert_block
	printf 'stop:\n  commands:\n    - run: "true"\n' >.conclaude.yaml
	stop
	assert_allow '.status == "commands_passed"' '.systemMessage | contains(".conclaude.yaml")'
}

@test "gates that are gone while a failure is outstanding are told" {
	gates t false
	stop
	assert_block
	rm -rf .gauntlet
	stop
	assert_allow '.status == "no_config"' ".systemMessage | contains(\"the gates of $PROJECT are gone\")"
	cd src
	stop ".cwd = \"$PWD\""
	assert_allow '.systemMessage | contains("are gone")'
}

# ---- pinned ----

@test "a pinned gate is used until the user accepts another" {
	gates t 'test -e ok'
	config 'stop_hook: {reverify: true}'
	run_holdfast trust --pin
	stop
	assert_block
	check_file t true
	stop '.stop_hook_active = true'
	assert_block ".systemMessage | contains(\"differ from the pinned ones, which are used: .gauntlet/checks/t.yml; 'holdfast trust $PROJECT' accepts\")"
	run_holdfast run
	assert_status 1
	assert_stderr_has 'differ from the pinned ones'
	run_holdfast trust
	stop '.stop_hook_active = true'
	assert_allow '.status == "passed"' '.message | contains("pinned") | not'
}

@test "a pinned gate runs though its file is gone, and though everybody may write to it" {
	gates t 'pwd >ran; false'
	run_holdfast trust --pin
	rm -rf .gauntlet
	stop
	assert_block '.systemMessage | contains(".gauntlet/config.yml")'
	assert_file ran "$PROJECT"
	rm ran
	run_holdfast run
	assert_status 1
	assert_file ran "$PROJECT"
	mkdir -m 777 .gauntlet
	stop
	assert_block
}

@test "pinned stop commands run in the project" {
	printf 'stop:\n  commands:\n    - run: pwd >ran; false\n' >.conclaude.yaml
	run_holdfast trust --pin
	rm .conclaude.yaml
	stop
	assert_block '.status == "command_failed"' '.systemMessage | contains("pinned")'
	assert_file ran "$PROJECT"
}

@test "a pinned copy that is gone is an error, and not a silent change back" {
	gates t false
	run_holdfast trust --pin
	rm -rf "$AT"/pinned/*/*
	stop
	assert_allow '.status == "error"' '.systemMessage | contains("the pinned copy of the definitions is gone")'
}

@test "a pin is renewed by what a fetch brings on the base branch of the remote, and by no other ref" {
	gates t 'test -e ok'
	run_holdfast trust --pin
	git init -q --bare ../remote
	git remote add origin ../remote
	git push -q origin main
	check_file t true
	git add -A
	git commit -qm 'A new gate'
	git push -q origin work
	git tag origin/main
	stop
	assert_block '.systemMessage | contains("differ from the pinned ones")'
	git push -q ../remote work:main
	stop
	assert_block
	git fetch -q
	touch .gauntlet/checks/untracked.yml
	stop
	assert_block
	rm .gauntlet/checks/untracked.yml
	stop
	assert_allow '.systemMessage | contains("origin/main has the same definitions, so they are pinned now: .gauntlet/checks/t.yml")'
	stop
	assert_answer '.message | contains("pinned") | not'
}

# ---- which configuration counts ----

@test "the project that the client names counts wherever the agent has gone to" {
	gates t 'touch ran; false'
	mkdir -p src/y/.gauntlet ../elsewhere
	printf 'base_branch: main\ncli: {default_preference: [claude]}\nentry_points: []\n' >src/y/.gauntlet/config.yml
	export CLAUDE_PROJECT_DIR=$PROJECT
	stop ".cwd = \"$PROJECT/src/y\""
	assert_block '.status == "failed"'
	stop ".cwd = \"$(realpath ../elsewhere)\""
	assert_block '.status == "failed"'
	unset CLAUDE_PROJECT_DIR
	GEMINI_PROJECT_DIR=$PROJECT hook ".cwd = \"$PROJECT/src/y\" | .timestamp = \"x\" | .hook_event_name = \"AfterAgent\"" holdfast stop-hook --client gemini
	assert_json '.decision == "block"'
}

@test "of two configurations the stricter answer wins" {
	gates t true
	git init -q nested
	mkdir -p nested/.gauntlet
	cp -r .gauntlet nested
	(cd nested && check_file t false && mkdir src && echo x >src/a && git checkout -q -b w)
	export CLAUDE_PROJECT_DIR=$PROJECT
	stop ".cwd = \"$PROJECT/nested\""
	assert_block '.status == "failed"'
	printf 'stop:\n  commands:\n    - run: touch ../outer\n' >.conclaude.yaml
	printf 'stop:\n  commands:\n    - run: touch ../../inner; false\n' >nested/.conclaude.yaml
	stop ".cwd = \"$PROJECT/nested\""
	assert_block '.status == "command_failed"'
	assert_file ../outer
	assert_file ../inner
}

@test "rounds are counted once where two configurations have them" {
	git init -q nested
	printf 'stop:\n  rounds: 3\n' | tee .conclaude.yaml >nested/.conclaude.yaml
	export CLAUDE_PROJECT_DIR=$PROJECT
	stop ".cwd = \"$PROJECT/nested\""
	assert_block '.message | contains("Round 1/3")'
	stop ".cwd = \"$PROJECT/nested\""
	assert_block '.message | contains("Round 2/3")'
}

# ---- the other commands ----

@test "init, typed in a project, trusts it; an agent's init does not" {
	printf 'stop:\n  rounds: 3\n' >.conclaude.yaml
	run_command env CLAUDECODE=1 holdfast init
	assert_status 0
	run_holdfast trust --list
	assert_stdout 'No project is trusted.'
	run_holdfast init --dry-run
	run_holdfast trust --list
	assert_stdout 'No project is trusted.'
	run_holdfast init
	assert_status 0
	run_holdfast trust --list
	assert_stdout_has "$PROJECT  trusted since"
	rm -r .claude
	hook . holdfast stop-hook --user
	assert_block '.status == "round_completed"'
}

@test "init --user trusts nothing, and says what to type" {
	printf 'stop:\n  rounds: 3\n' >.conclaude.yaml
	run_holdfast init --user
	assert_stdout_has "A project runs nothing until you trust it: 'holdfast trust' in the project."
	stop
	assert_allow '.status == "not_trusted"'
}

@test "doctor shows whether the project is trusted" {
	printf 'stop:\n  rounds: 3\n' >.conclaude.yaml
	run_holdfast init --user
	run_holdfast doctor
	assert_status 1
	assert_stdout_has "trust: $PROJECT is not trusted, and holdfast is registered for all projects"
	assert_stdout_has "-> holdfast trust $PROJECT"
	run_holdfast trust
	run_holdfast doctor
	assert_stdout_has "trust: $PROJECT is trusted since"
	run_holdfast trust --pin
	run_holdfast doctor
	assert_stdout_has "is pinned since"
	printf 'stop:\n  rounds: 2\n' >.conclaude.yaml
	run_holdfast doctor
	assert_stdout_has 'differ from the pinned ones, which are used: .conclaude.yaml'
	run_holdfast trust --no-pin
	chmod 666 .conclaude.yaml
	run_holdfast doctor
	assert_stdout_has "everybody may write to $PROJECT/.conclaude.yaml"
}

@test "gates that are disabled are told, with the place that disables them" {
	gates t false
	write "$XDG_CONFIG_HOME/agent-gauntlet/config.yml" <<<'stop_hook: {enabled: false}'
	stop
	assert_allow '.status == "stop_hook_disabled"' ".systemMessage | contains(\"($XDG_CONFIG_HOME/agent-gauntlet/config.yml), so no gate was run\")"
	GAUNTLET_STOP_HOOK_ENABLED=false stop
	assert_allow '.systemMessage | contains("(GAUNTLET_STOP_HOOK_ENABLED)")'
}

@test "under the name conclaude, too, a pinned copy is used and others' files are not" {
	printf 'stop:\n  commands:\n    - run: pwd >ran; false\n' >.conclaude.yaml
	run_holdfast trust --pin
	printf 'stop:\n  rounds: 0\n' >.conclaude.yaml
	hook '.transcript_path = "/t"' conclaude Stop
	assert_status 2
	assert_stderr_has 'differ from the pinned ones, which are used: .conclaude.yaml'
	assert_file ran "$PROJECT"
	run_holdfast trust --no-pin
	chmod 777 .
	hook '.transcript_path = "/t"' conclaude Stop
	assert_status 1
	assert_stderr_has 'everybody may write to'
}

@test "holdfast.yml and its prompts are trusted, pinned and compared as the other files are" {
	mkdir prompts
	echo 'Say pass.' >prompts/q.md
	printf 'base: main\ngates:\n  test: test -e ok\n' >holdfast.yml
	git_project
	git checkout -qb work
	touch a
	hook . holdfast stop-hook --user
	assert_allow '.status == "not_trusted"'
	run_holdfast trust --pin
	assert_stdout_has 'check     test: test -e ok'
	stop
	assert_block
	printf 'base: main\ngates:\n  test: "true"\n' >holdfast.yml
	stop
	assert_block '.systemMessage | contains("which are used: holdfast.yml;")'
	rm holdfast.yml
	stop
	assert_block '.systemMessage | contains("which are used: holdfast.yml;")'
	printf 'gates:\n  q: {review: prompts/q.md, by: [claude]}\n' >holdfast.yml
	run_holdfast trust
	assert_stdout_has 'Trusted and pinned (2 files)'
	echo 'Say fail.' >prompts/q.md
	run_holdfast trust --list
	assert_stdout_has 'changed since: prompts/q.md'
	run_holdfast list --names
	assert_stdout q
}

@test "guards, tests, restore, explain and the journal follow a pinned holdfast.yml" {
	write holdfast.yml <<<'{gates: {test: "true"}, journal: false, guards: {protect: [locked.txt], tests: true}}'
	write test/a.test.js <<<"it('adds', () => { expect(1).toBe(1) })"
	echo 1 >locked.txt
	git_project
	git checkout -q -b work
	run_holdfast trust --pin
	prompt 'Go on.'
	echo 2 >locked.txt
	run_holdfast explain --json --command 'echo 3 >locked.txt'
	assert_json '.verdict == "deny"'
	hook
	assert_block '.status == "protected_changed"'
	run_holdfast restore
	assert_file locked.txt 1
	sed -i 's/^it(/it.skip(/' test/a.test.js
	hook '.stop_hook_active = true'
	assert_block '.status == "tests_weakened"'
	assert_absent "$XDG_STATE_HOME/holdfast/decisions.jsonl"
}
