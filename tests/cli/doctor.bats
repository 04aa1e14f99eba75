#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# holdfast doctor: what is active here and why, and what is wrong.

load helper

# finding LEVEL TEXT: doctor says so at that level.
finding() {
	grep -qE "^  $1 +.*" "$OUT" && grep -E "^  $1 " "$OUT" | grep -qF -- "$2" || show "no $1: $2"
}
no_finding() { ! grep -E "^  $1 " "$OUT" | grep -qF -- "$2" || show "a $1: $2"; }

@test "nothing set up: the hook is missing, and the fix is named" {
	run_holdfast doctor
	assert_status 1
	finding error 'Stop is not registered'
	assert_stdout_has '-> holdfast init'
	finding note 'nothing: there is no holdfast.yml and no Ralph loop'
	finding note 'the agent may stop'
}

@test "after init nothing is wrong" {
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 0
	finding ok 'Stop: holdfast stop-hook (.claude/settings.json)'
	finding ok 'SessionEnd: holdfast hook SessionEnd (.claude/settings.json)'
	assert_stdout_has 'No problems found.'
}

@test "the user's settings count too, and the same line twice runs once" {
	holdfast init --user >/dev/null
	run_holdfast doctor
	assert_status 0
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 0
	sed -i 's|holdfast stop-hook"|holdfast stop-hook --deadline 590"|' .claude/settings.json
	run_holdfast doctor
	assert_status 1
	finding error 'Stop is registered 2 times'
}

@test "a program that can't be found is an error" {
	holdfast init >/dev/null
	sed -i 's|exec holdfast stop-hook"|exec /nowhere/holdfast stop-hook"|' .claude/settings.json
	run_holdfast doctor
	assert_status 1
	finding error "'/nowhere/holdfast stop-hook' can't run"
	holdfast init >/dev/null
	cp "$(readlink -f "$BIN/holdfast")" elsewhere
	rm "$BIN/holdfast"
	PATH=$BIN:/usr/bin:/bin run_command ./elsewhere doctor
	finding error 'holdfast is not in PATH'
}

@test "another hook for the same stop is an error" {
	holdfast init >/dev/null
	write "$CLAUDE_CONFIG_DIR/settings.json" <<<'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"conclaude Stop"}]}]}}'
	run_holdfast doctor
	assert_status 1
	finding error "conclaude is registered too: 'conclaude Stop'"
}

@test "another hook in place of ours is an error, with what to do" {
	write .claude/settings.json <<<'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"conclaude Stop"}]}]}}'
	run_holdfast doctor
	assert_status 1
	finding error "conclaude is registered instead of holdfast: 'conclaude Stop'"
	assert_stdout_has "remove that entry from the file, then run 'holdfast init'"
}

@test "a configuration that turns nothing on is not said to be missing" {
	holdfast init >/dev/null
	echo '# later' >.conclaude.yaml
	run_holdfast doctor
	assert_status 0
	finding note 'nothing: .conclaude.yaml turns nothing on'
}

@test "gates without a git repository are an error" {
	holdfast init --gates >/dev/null
	rm -rf .git
	run_holdfast doctor
	assert_status 1
	finding error 'gates: there is no git repository here'
	finding note 'gates: no gate can run'
}

@test "reviews that no installed reviewer can do are a warning" {
	git_project
	holdfast init --gates >/dev/null
	mkdir nothing
	printf '%s\n' 'base_branch: main' 'cli:' '  default_preference: [claude, codex, gemini]' 'entry_points:' \
		'  - path: .' '    reviews: [code-quality, taste]' >.gauntlet/config.yml
	rm -f .gauntlet/reviews/*
	printf -- '---\ncli_preference: [claude, codex]\n---\nLook.\n' >.gauntlet/reviews/code-quality.md
	printf -- '---\ncli_preference: [gemini]\n---\nLook.\n' >.gauntlet/reviews/taste.md
	for name in git bash sh env holdfast; do ln -s "$(command -v $name)" nothing/$name; done
	run_command env PATH="$PWD/nothing" holdfast doctor
	assert_status 1
	finding warning "gates: review 'code-quality' can't run: none of its reviewers is installed (looked for claude, codex)"
	finding warning "gates: review 'taste' can't run: none of its reviewers is installed (looked for gemini)"
	assert_stdout_has "-> install one of them, or name others under cli_preference; 'holdfast health' checks each of them"
	# one is enough
	printf '#!/bin/sh\n' >nothing/codex && chmod +x nothing/codex
	run_command env PATH="$PWD/nothing" holdfast doctor
	no_finding warning "review 'code-quality'"
	finding warning "review 'taste'"
	printf '#!/bin/sh\n' >nothing/gemini && chmod +x nothing/gemini
	run_command env PATH="$PWD/nothing" holdfast doctor
	no_finding warning 'review'
	# without reviews nobody is looked for
	rm -r .gauntlet/reviews nothing/codex nothing/gemini
	sed -i '/reviews:/d' .gauntlet/config.yml
	run_command env PATH="$PWD/nothing" holdfast doctor
	no_finding warning "can't be done"
}

@test "a failed gate is a warning, until it passes" {
	git_project
	holdfast init --gates >/dev/null
	printf '%s\n' 'base_branch: main' 'cli: {default_preference: [claude]}' 'entry_points:' '  - path: .' \
		'    checks: [lint]' >.gauntlet/config.yml
	echo 'command: "false"' >.gauntlet/checks/lint.yml
	rm -rf .gauntlet/reviews
	run_holdfast doctor
	assert_status 0
	finding note 'gates: runs the gates on changes since main'
	run_holdfast run
	assert_status 1
	before=$(ls -lA --time-style=full-iso gauntlet_logs)
	run_holdfast doctor
	assert_status 1
	finding warning 'gates: check:.:lint has failed and not passed since'
	assert_stdout_has "-> fix what failed, then run 'holdfast run'"
	finding note 'gates: runs the gates on changes since main'
	assert_equal "$(ls -lA --time-style=full-iso gauntlet_logs)" "$before"
	holdfast clean >/dev/null
	run_holdfast doctor
	finding warning 'gates: check:.:lint has failed and not passed since'
	echo 'command: "true"' >.gauntlet/checks/lint.yml
	holdfast run >/dev/null 2>&1
	run_holdfast doctor
	assert_status 0
	finding note 'gates: runs the gates on changes since main'
}

@test "gates that are not right are said not to run, behind the loop" {
	holdfast init --gates >/dev/null
	holdfast ralph start x --max-iterations 3 >/dev/null
	echo 'cli: [' >.gauntlet/config.yml
	run_holdfast doctor
	assert_status 1
	assert_stdout_has $'unless it keeps the promise: x\n  note     gates: no gate runs until the configuration is fixed'
}

@test "our plugin beside what init has registered leaves the decision to that" {
	write .claude/settings.local.json <<<'{"enabledPlugins":{"holdfast@holdfast":true}}'
	run_holdfast doctor
	assert_status 0
	finding ok "the plugin 'holdfast' is enabled"
	assert_stdout_lacks 'is not registered'
	assert_stdout_lacks 'leaves the decision'
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 0
	finding ok 'Stop: holdfast stop-hook (.claude/settings.json)'
	finding note 'the plugin leaves the decision to the registration in the settings'
	# then init can raise the limit on blocks
	printf 'stop:\n  rounds: 10\n' >.conclaude.yaml
	run_holdfast doctor
	assert_stdout_has '-> holdfast init'
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 0
	# with other events alone in the settings, the plugin decides
	jq 'del(.hooks.Stop)' .claude/settings.json >new && mv new .claude/settings.json
	run_holdfast doctor
	assert_stdout_lacks 'leaves the decision'
	assert_stdout_lacks 'Stop is not registered'
}

@test "another program's hook beside our plugin is an error, and init is not what helps" {
	write .claude/settings.json <<<'{"enabledPlugins":{"holdfast@holdfast":true},"hooks":{"Stop":[{"hooks":[{"type":"command","command":"conclaude Stop"}]}]}}'
	run_holdfast doctor
	assert_status 1
	finding error "Stop: conclaude is registered too: 'conclaude Stop' (.claude/settings.json); both check the same stop"
	assert_stdout_lacks "then 'holdfast init'"
}

@test "the Ralph plugin beside ours is an error" {
	holdfast init >/dev/null
	write .claude/settings.local.json <<<'{"enabledPlugins":{"ralph-loop@claude-plugins-official":true}}'
	run_holdfast doctor
	assert_status 1
	finding error "the plugin 'ralph-loop'"
	write .claude/settings.local.json <<<'{"enabledPlugins":{"ralph-loop@claude-plugins-official":false}}'
	run_holdfast doctor
	assert_status 0
}

@test "hooks that are switched off, and settings that do not parse, are errors" {
	holdfast init >/dev/null
	write .claude/settings.local.json <<<'{"disableAllHooks":true}'
	run_holdfast doctor
	finding error 'disableAllHooks'
	write .claude/settings.local.json <<<'{"a":}'
	run_holdfast doctor
	assert_status 1
	finding error '.claude/settings.local.json:1:6'
	# nobody knows what would be registered in it
	rm .claude/settings.local.json
	write .claude/settings.json <<<'{"a":}'
	run_holdfast doctor
	assert_status 1
	finding error '.claude/settings.json:1:6'
	assert_stdout_lacks 'is not registered'
}

@test "a timeout below what holdfast counts on is a warning" {
	holdfast init >/dev/null
	sed -i 's/600/599/' .claude/settings.json
	run_holdfast doctor
	assert_status 1
	finding warning 'gives up after 599 s'
	sed -i 's/599/600/' .claude/settings.json
	run_holdfast doctor
	assert_status 0
}

@test "a loop is shown with its pass, promise and what comes next" {
	holdfast ralph start 'Fix the tests' --max-iterations 5 --completion-promise DONE --session abc >/dev/null
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 0
	finding ok 'loop: .claude/ralph-loop.local.md: iteration 1 of 5, until <promise>DONE</promise>'
	finding note 'session abc gets the prompt again'
	holdfast ralph pause --session abc >/dev/null
	run_holdfast doctor
	finding ok 'paused'
}

@test "a loop that nothing ends is a warning, a corrupt one an error" {
	holdfast init >/dev/null
	printf -- '---\niteration: 1\nmax_iterations: 0\ncompletion_promise: null\n---\n\nwork\n' >.claude/ralph-loop.local.md
	run_holdfast doctor
	assert_status 1
	finding warning 'only you can end this loop'
	printf -- '---\niteration: 1\nmax_iterations: 0\npromises: {DONE: done, BLOCKED: stopped}\n---\n\nwork\n' >.claude/ralph-loop.local.md
	run_holdfast doctor
	finding ok 'until <promise>DONE</promise> or <promise>BLOCKED</promise>'
	! grep -q 'only you can end this loop' <<<"$stdout" || show 'a promise ends it'
	printf -- '---\niteration: many\nmax_iterations: 3\n---\n\nwork\n' >.claude/ralph-loop.local.md
	run_holdfast doctor
	assert_status 1
	finding error 'loop: .claude/ralph-loop.local.md'
}

@test "each policy of .conclaude.yaml is named with the file that turned it on" {
	holdfast init >/dev/null
	write .conclaude.yaml <<-'END'
		stop:
		  commands:
		    - run: "true"
		  rounds: 3
		  promptPrefixBlocking:
		    prefixes: ["a*"]
		    messages:
		      - text: more
	END
	run_holdfast doctor
	assert_status 0
	finding ok 'commands: .conclaude.yaml: 1 stop command'
	finding ok 'rounds: .conclaude.yaml: 3 a session'
	finding ok 'follow-ups: .conclaude.yaml: 1 message for 1 pattern'
	finding note 'rounds: blocks'
}

@test "follow-ups without their hook are an error" {
	write .conclaude.yaml <<<'{stop: {promptPrefixBlocking: {prefixes: ["a*"], messages: [{text: more}]}}}'
	holdfast init >/dev/null
	jq 'del(.hooks.UserPromptSubmit)' .claude/settings.json >new && mv new .claude/settings.json
	run_holdfast doctor
	assert_status 1
	finding error 'UserPromptSubmit is not registered'
}

@test "a configuration that does not parse, and one with suspicious values, are shown" {
	holdfast init >/dev/null
	printf 'stop:\n  comands: []\n' >.conclaude.yaml
	run_holdfast doctor
	assert_status 1
	finding error '.conclaude.yaml:2:3'
	write .conclaude.yaml <<<'{stop: {promptPrefixBlocking: {prefixes: ["a[", "b*"], messages: [{text: more}]}}}'
	run_holdfast doctor
	assert_status 1
	finding error 'stop.promptPrefixBlocking.prefixes[0]'
}

@test "a file that does not parse leads to validate" {
	echo 'stop: [' >.conclaude.yaml
	run_holdfast doctor
	assert_stdout_has "-> fix the file (see 'holdfast validate'); until then its policies are skipped"
}

@test "an event that is configured and not registered is an error, until init registers it" {
	holdfast init >/dev/null
	printf 'taskCompleted:\n  commands:\n    "*":\n      - run: "true"\n' >.conclaude.yaml
	run_holdfast doctor
	assert_status 1
	finding error 'TaskCompleted is configured, but not registered'
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 0
	finding ok 'TaskCompleted: holdfast hook TaskCompleted'
	assert_stdout_lacks 'no effect'
}

@test "a database that can't be written is an error" {
	holdfast init >/dev/null
	write .conclaude.yaml <<<'{stop: {promptPrefixBlocking: {prefixes: ["a*"], messages: [{text: more}]}}}'
	touch file
	CONCLAUDE_DATA_DIR=$PROJECT/file/x run_holdfast doctor
	assert_status 1
	finding error "the database is not writable"
}

@test "a database that is there is tried out, and left as it was" {
	holdfast init >/dev/null
	write .conclaude.yaml <<<'{stop: {promptPrefixBlocking: {prefixes: ["a*"], messages: [{text: more}]}}}'
	mkdir data
	sqlite3 data/conclaude.db 'CREATE TABLE t (x)'
	cp data/conclaude.db before
	CONCLAUDE_DATA_DIR=$PROJECT/data run_holdfast doctor
	assert_status 0
	finding ok "the database is $PROJECT/data/conclaude.db"
	cmp data/conclaude.db before
	printf 'this is no database, and long enough to be seen as none by its first bytes: %0200d' 0 >data/conclaude.db
	CONCLAUDE_DATA_DIR=$PROJECT/data run_holdfast doctor
	assert_status 1
	finding error "the database is not writable"
}

@test "a cap that is too low is a warning" {
	holdfast init >/dev/null
	printf 'stop:\n  rounds: 9\n' >.conclaude.yaml
	run_holdfast doctor
	no_finding warning 'stops in a row'
	printf 'stop:\n  rounds: 10\n' >.conclaude.yaml
	run_holdfast doctor
	assert_status 1
	finding warning '9 stops in a row may be blocked, and Claude Code ends the turn after 8'
	CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0 run_holdfast doctor
	no_finding warning 'stops in a row'
	holdfast init >/dev/null
	run_holdfast doctor
	no_finding warning 'stops in a row'
}

@test "a loop of N passes needs a cap of N - 1, and is told of as by init and ralph start" {
	local words
	holdfast init >/dev/null
	words='9 stops in a row may be blocked, and Claude Code ends the turn after 8 with no tool call between them'
	run_holdfast ralph start x --max-iterations 9
	assert_stderr_empty
	run_holdfast doctor
	assert_status 0
	run_holdfast ralph start x --force --max-iterations 10
	assert_stderr_has "$words"
	run_holdfast doctor
	finding warning "$words (its default)"
	assert_stdout_has '-> holdfast init'
	run_holdfast init
	assert_stdout_has "set       env CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=9: $words"
	run_holdfast doctor
	assert_status 0
	# init raises what it has set
	run_holdfast ralph start x --force --max-iterations 11
	assert_stderr_has '(CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in .claude/settings.json) -> holdfast init'
	run_holdfast doctor
	finding warning '10 stops in a row may be blocked, and Claude Code ends the turn after 9'
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 0
	# one that is not init's is the user's to raise
	CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=3 run_holdfast ralph start x --force --max-iterations 11
	assert_stderr_empty
	sed -i 's/"10"/"7"/' .claude/settings.json
	run_holdfast doctor
	assert_stdout_has '-> raise the number'
}

@test "--json is one object with the same findings" {
	run_holdfast doctor --json
	assert_status 1
	assert_json '.ok == false' '.findings | any(.level == "error" and .text == "Stop is not registered" and .fix == "holdfast init")'
	holdfast init >/dev/null
	run_holdfast doctor --json
	assert_status 0
	assert_json '.ok == true' '.findings | all(.level == "ok" or .level == "note")'
}

@test "nothing is changed by looking" {
	holdfast ralph start work --session abc >/dev/null
	holdfast init >/dev/null
	find . "$HOME" -type f -exec sha256sum {} + | sort >"$BATS_TEST_TMPDIR/before"
	run_holdfast doctor
	find . "$HOME" -type f -exec sha256sum {} + | sort | cmp "$BATS_TEST_TMPDIR/before" -
}

@test "what stands in a project's files does not command the terminal" {
	local command words
	write .claude/ralph-loop.local.md < <(printf -- '---\niteration: 1\nsession_id: "s\\e[5m"\ncompletion_promise: "A\\e]0;b\\a"\n---\nhello \033]0;owned\007 x\n')
	printf 'stop: {promptPrefixBlocking: {prefixes: ["\\e[2J[", "\\e]0;c\\a"], messages: [{text: a}]}}\n' >.conclaude.yaml
	for command in doctor validate 'ralph status' 'ralph list' 'ralph pause --session other' nothing$'\e]0;d\a'; do
		read -ra words <<<"$command"
		CLICOLOR_FORCE=1 on_terminal holdfast "${words[@]}" </dev/null || :
		sed 's/\x1b\[[0-9]*m//g' "$OUT" >"$TMPDIR/plain"
		grep -q '[[:print:]]' "$TMPDIR/plain" || show "$command says nothing"
		if grep -q $'[\x1b\x07]' "$TMPDIR/plain"; then cat -v "$TMPDIR/plain"; show "$command commands the terminal"; fi
	done
}

@test "on a terminal long lines are wrapped at words, below each other" {
	holdfast init >/dev/null
	on_terminal bash -c 'stty cols 60 && NO_COLOR=1 holdfast doctor' || :
	tr -d '\r' <"$OUT" >"$TMPDIR/plain"
	grep -qxF '           (.claude/settings.json)' "$TMPDIR/plain" || show 'not wrapped'
	if awk 'length($0) > 60' "$TMPDIR/plain" | grep .; then show 'too wide'; fi
	run_holdfast doctor
	assert_stdout_has 'UserPromptSubmit: holdfast hook UserPromptSubmit (.claude/settings.json)'
}

@test "a hook with a slip of the pen is named: an event or a command that does not exist" {
	holdfast init >/dev/null
	sed -i 's/"SessionEnd"/"sessionEnd"/; s/holdfast stop-hook"/holdfast stop-hok"/' .claude/settings.json
	run_holdfast doctor
	assert_status 1
	finding warning "Claude Code has no event 'sessionEnd', so 'holdfast hook SessionEnd' never runs"
	assert_stdout_has "-> rename it to 'SessionEnd'"
	finding warning ".claude/settings.json: Stop: 'holdfast stop-hok' is not a command of holdfast"
	write .claude/settings.json <<<'{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"holdfast ralph status"}]}]}}'
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 0
}

@test "a check whose program is not in PATH is told, one that nobody uses is not" {
	printf '%s\n' 'base_branch: main' 'cli: {default_preference: [claude]}' 'entry_points:' '  - {path: src, checks: [test, own]}' |
		write .gauntlet/config.yml
	echo 'command: no-such-program --all' | write .gauntlet/checks/test.yml
	echo 'command: ./no-such-script' | write .gauntlet/checks/own.yml
	echo 'command: no-such-other' | write .gauntlet/checks/spare.yml
	git_project
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 1
	finding warning "check 'test' can't run: 'no-such-program' is not in PATH"
	assert_stdout_has 'fix the command in .gauntlet/checks/test.yml'
	no_finding warning "'own'"
	no_finding warning "'spare' can't run"
	echo 'command: sh -c true' | write .gauntlet/checks/test.yml
	rm .gauntlet/checks/spare.yml
	run_holdfast doctor
	assert_status 0
}

@test "a base branch that does not exist is told, with what is taken instead" {
	printf '%s\n' 'base_branch: mian' 'cli: {default_preference: [claude]}' 'entry_points: [{path: src}]' | write .gauntlet/config.yml
	git_project
	holdfast init >/dev/null
	run_holdfast doctor
	finding note "base branch 'mian' does not exist: compared with 'main'"
	assert_stdout_has '-> set base_branch in .gauntlet/config.yml'
	finding note 'runs the gates on changes since main'
	sed -i 's/mian/main/' .gauntlet/config.yml
	run_holdfast doctor
	no_finding note 'does not exist'
}

@test "stop commands without bash, and logs that can't be written, are errors as at a stop" {
	local few=$BATS_TEST_TMPDIR/few
	mkdir "$few"
	ln -s "$(command -v git)" "$few/git"
	echo 'stop: {commands: [{run: "true"}]}' | write .conclaude.yaml
	printf '%s\n' 'base_branch: main' 'cli: {default_preference: [claude]}' 'entry_points: [{path: ., checks: [test]}]' \
		'log_dir: logs/of/gates' 'stop_hook: {reverify: true}' | write .gauntlet/config.yml
	echo 'command: "true"' | write .gauntlet/checks/test.yml
	git_project
	holdfast init >/dev/null
	run_holdfast doctor
	assert_status 0
	run_command env PATH="$few" "$BIN/holdfast" doctor
	assert_status 1
	finding error 'commands: bash is not in PATH'
	run_command env -u PATH "$BIN/holdfast" doctor
	no_finding error bash
	mkdir logs
	touch logs/of
	run_holdfast doctor
	assert_status 1
	finding error "the log directory is not writable: logs/of/gates"
	finding note 'no gate can run'
	rm logs/of
	ln -s nowhere logs/of
	run_holdfast doctor
	finding error "the log directory is not writable: logs/of/gates"
	rm logs/of
	run_holdfast doctor
	assert_status 0
}

# gates [LINE]...: a project with a check that passes, and these lines at the end of its configuration.
gates() {
	printf '%s\n' 'base_branch: main' 'cli: {default_preference: [claude]}' 'entry_points: [{path: ., checks: [lint]}]' "$@" |
		write .gauntlet/config.yml
	echo 'command: "true"' | write .gauntlet/checks/lint.yml
	git_project
	git checkout -q -b work
	holdfast init >/dev/null
}

@test "gates that never see a stop behind another policy's block are a warning, each policy named" {
	gates
	run_holdfast doctor
	assert_status 0
	finding note 'gates: the stop after a block is not checked, so fixes are never verified'
	holdfast ralph start x --max-iterations 3 >/dev/null
	run_holdfast doctor
	assert_status 1
	finding warning 'gates: the stop after a block is not checked, so gates do not run after an iteration of the loop'
	assert_stdout_has '-> set stop_hook.reverify: true in .gauntlet/config.yml'
	no_finding note 'so that a fix is not verified'
	holdfast ralph pause >/dev/null
	run_holdfast doctor
	assert_status 0
	holdfast ralph cancel >/dev/null
	write .conclaude.yaml <<-'Y'
		stop:
		  promptPrefixBlocking: {prefixes: ["x*"], messages: [{text: y}]}
		  commands: [{run: "true"}]
		  rounds: 2
	Y
	run_holdfast doctor
	assert_status 1
	finding warning 'so gates do not run after a follow-up, a failed stop command or a round'
	write .conclaude.yaml <<<$'stop:\n  rounds: 1\n  infinite: true'
	run_holdfast doctor
	finding warning 'so gates do not run after infinite mode sent the agent on'
	write .conclaude.yaml <<<$'stop:\n  rounds: 1'
	run_holdfast doctor
	assert_status 0
	echo 'stop_hook: {reverify: true}' >>.gauntlet/config.yml
	write .conclaude.yaml <<<$'stop:\n  rounds: 3'
	run_holdfast doctor
	assert_status 0
	assert_stdout_lacks 'behind a block'
}

@test "on the base branch, changes are counted from what the gates have seen" {
	gates 'stop_hook: {reverify: true}'
	git checkout -q main
	holdfast run 2>/dev/null
	run_holdfast doctor
	finding note 'gates: runs the gates on changes since main'
	seen=$(git rev-parse HEAD)
	echo more >more && git add more && git commit -q -m more
	run_holdfast doctor
	finding note "gates: runs the gates on changes since ${seen:0:12}"
}

@test "a review that no entry point names needs no reviewer" {
	gates 'stop_hook: {reverify: true}'
	printf -- '---\ncli_preference: [claude]\n---\nLook.\n' | write .gauntlet/reviews/spare.md
	mkdir nothing
	for name in git bash sh env true holdfast; do ln -s "$(type -P $name)" nothing/$name; done
	run_command env PATH="$PWD/nothing" holdfast doctor
	no_finding warning "review 'spare' "
	sed -i 's/checks: \[lint\]/&, reviews: [spare]/' .gauntlet/config.yml
	run_command env PATH="$PWD/nothing" holdfast doctor
	finding warning "review 'spare'"
}

@test "the same command with a shorter timeout in another settings file is told, with what mends it there" {
	holdfast init >/dev/null
	write .claude/settings.local.json <<<'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"holdfast stop-hook","timeout":300}]}]}}'
	run_holdfast doctor
	assert_status 1
	finding warning 'Stop: the client gives up after 300 s, but holdfast needs 600 s (.claude/settings.local.json)'
	assert_stdout_has '-> holdfast init --local'
	holdfast init --local >/dev/null
	run_holdfast doctor
	assert_status 0
	sed -i 's/600/60/' .claude/settings.local.json
	mkdir -p "$HOME/.claude" && mv .claude/settings.local.json "$HOME/.claude/settings.json"
	run_holdfast doctor
	assert_stdout_has '-> holdfast init --user'
}

@test "a holdfast.yml without gates needs no repository, and doctor says nothing about gates" {
	run_holdfast init
	echo 'rounds: 2' >holdfast.yml
	run_holdfast doctor
	assert_status 0
	assert_stdout_has 'rounds: holdfast.yml: 2 a session'
	assert_stdout_lacks 'gates:'
	assert_stdout_lacks 'git repository'
}
