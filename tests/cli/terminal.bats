#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What reaches a terminal: names, values, commands and outputs of a hostile project can't control it. Each command of the program
# is a row in `calls`.
load helper

# What a stranger can write wherever a name or a value stands: styles, titles, C1 controls, bidirectional overrides. The last two are
# UTF-8 whatever the locale is.
E=$'\033' BIDI=$'\xe2\x80\xae' C1=$'\xc2\x9b'

# hostile_project [LINE]: a valid holdfast.yml; with the line, an invalid one.
hostile_project() {
	local bad="$E]0;owned$E\\$E[41mred$BIDI${C1}2Jx"
	write holdfast.yml <<-'YML'
		base: "main"
		gates:
		  test:
		    run: "printf '%b' '\\033[41mFAIL \\033]0;t\\007 \\302\\2332J \\342\\200\\256 x.c:1: error: bad\\n'; exit 1 # \e[5m\u202e\u009b2J"
		    hint: "hint \e[5m\u202e"
		    files: ["**", "x\e[5]m\u202e"]
		  look: { review: "look\e[41m\u202e.md", by: [bot] }
		reviewers: { bot: { command: ["nobody\e[41m", "\u202e"] } }
		commands: [{ run: "false # \e[41m\u202e", message: "message \e[41m\u202e" }]
		follow_ups: { when: ["*"], messages: ["go \e[41m on \u202e"] }
		guards: { use: [destructive], protect: ["locked*"], commands: { deny: ["evil \e[41m"] } }
	YML
	echo "${1:-}" >>holdfast.yml
	echo 'Look.' >"look$E[41m$BIDI.md"
	git_project
	mkdir -p "dir$bad"
	echo x >"locked$E[41m$BIDI"
	echo x >"dir$bad/file$E[2J$BIDI.c"
	git add -A && git commit -qm "subject $E[41m$BIDI"
	git checkout -q -b work
	echo y >>"dir$bad/file$E[2J$BIDI.c"
}

# Fails if what the terminal was shown has anything but text, line ends and the styles of holdfast.
assert_harmless() {
	LC_ALL=C.UTF-8 python3 - "$OUT" "$1" <<-'PY'
		import re, sys
		text = open(sys.argv[1], encoding='utf-8', errors='replace', newline='').read()
		text = re.sub('\033\\[(0|1|2|3[1-5])m', '', text)
		text = re.sub('\r\033\\[[0-9]+A\033\\[J|\033\\[[?]7[lh]', '', text)  # of the live view of runs
		bad = re.search('[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', text)
		if bad:
		    sys.exit(f'{sys.argv[2]} writes {bad.group()!r}: ...{text[max(0, bad.start() - 60):bad.end() + 30]!r}')
	PY
}

# A line for each command: how it is called so that it shows something of the project.
calls() {
	cat <<-'CALLS'
		init --yes --dry-run
		add gate other true
		migrate --dry-run
		trust
		doctor
		validate
		uninstall --dry-run
		run
		run --all
		status
		watch --once
		log
		log --all
		report
		explain
		explain --command 'rm -rf dir*'
		restore --list
		restore --dry-run
		off
		on
		ralph list
		check
		review
		detect
		list
		config
		health
		clean
		ci list-jobs
		stop-hook
		stop-hook --client generic
		stop-hook --dry-run
		hook UserPromptSubmit
		mcp
		statusline
		completions bash
		help
		version
		schema holdfast
	CALLS
}

# Calls with arguments that somebody else chose, most of which are wrong.
hostile_calls() {
	local bad='$'"'"'x\e[41m\u202e\u009b2J\e]0;owned\a'"'" call
	for call in '' 'help' 'run' 'run --gate' 'status --' 'check' 'check --gate' 'review' 'list' 'config' 'detect' 'health' 'validate' 'add gate' \
		'restore' 'restore --dry-run' 'log --session' 'log --since' 'log --policy' 'log --project' 'report --html /nonexistent/' 'report --since' \
		'explain' 'explain --json --command' 'explain --command' 'trust' 'trust --revoke' 'init --client' 'uninstall --client' 'ralph' 'ralph status' \
		'ralph cancel --session' 'ralph steer' 'completions' 'schema' 'migrate' 'off' 'on' 'ci' 'ci list-jobs' 'hook' 'stop-hook --client' 'stop-hook --deadline' \
		'watch --once' 'statusline' 'mcp' 'clean' 'doctor' '--'; do
		echo "$call $bad"
	done
	echo "add gate $bad true"
	echo "ralph start --max-iterations 3 --completion-promise $bad $bad"
	printf '%s\n' 'ralph status' 'ralph history' 'ralph steer on' 'ralph cancel' 'trust --list' 'validate --prove' 'log --json' 'status --json' 'report --json'
}

# Calls every command in a hostile project, and looks at what each shows.
show_all() {
	local call shown=0
	hostile_project "$@"
	run_holdfast validate
	[[ $status == 0 || $1 ]] || show 'the configuration is invalid'
	prompt "do it $E[41m $BIDI"
	event '.hook_event_name = "PreToolUse" | .tool_name = "Bash" | .tool_input.command = "rm -rf dir* \u001b[41m \u202e"' |
		holdfast hook PreToolUse >/dev/null 2>&1 || :
	hook
	echo z >>"locked$E[41m$BIDI"
	while read -r -u 3 call; do
		: >"$BATS_TEST_TMPDIR/event"
		case $call in stop-hook* | hook* | statusline) event >"$BATS_TEST_TMPDIR/event" ;; esac
		on_terminal bash -c "holdfast $call <$BATS_TEST_TMPDIR/event" </dev/null || :
		[[ ! -s $OUT ]] || shown=$((shown + 1))
		assert_harmless "holdfast $call"
	done 3< <(calls && hostile_calls)
	((shown > 30)) || show "only $shown commands show anything"
}

@test "nothing in a hostile project controls the terminal, from any command" { show_all; }

@test "nothing in an invalid configuration does, either" { show_all 'nonsense "\e[41m\u202e": [}'; }

@test "the list of commands above is complete" {
	run_holdfast help
	diff <(sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p' "$OUT" | sort -u) <(calls | cut -d ' ' -f 1 | sort -u)
}

@test "conclaude and agent-gauntlet show nothing but text, either" {
	local call bad=$'x\e[41m\u202e\u009b2J'
	write .conclaude.yaml <<<$'stop: {commands: [{run: "false # \\e[41m\\u202e", message: "\\e[41m \\u202e", showStdout: true, nonsense\\e[41m: 1}]}'
	write .gauntlet/config.yml <<<$'base_branch: "main\\e[41m\\u202e"\nentry_points: [{path: ".", checks: ["a\\e[41m\\u202e"]}]'
	git_project
	for call in 'conclaude validate' 'conclaude visualize' 'conclaude visualize --rule' 'conclaude hooks' 'conclaude init' 'conclaude' \
		'agent-gauntlet run' 'agent-gauntlet list' 'agent-gauntlet validate' 'agent-gauntlet detect' 'agent-gauntlet health' 'agent-gauntlet'; do
		on_terminal bash -c "$call </dev/null" </dev/null || :
		assert_harmless "$call"
		on_terminal bash -c "$call $(printf %q "$bad") </dev/null" </dev/null || :
		assert_harmless "$call with an argument"
	done
}

@test "an untrusted clone shows nothing but text, either" {
	local call
	hostile_project
	holdfast init --user --yes --no-mcp >/dev/null 2>&1
	holdfast trust --revoke >/dev/null 2>&1 || :
	for call in validate doctor list detect config health status stop-hook 'stop-hook --client generic'; do
		event >"$BATS_TEST_TMPDIR/event"
		on_terminal bash -c "holdfast $call <$BATS_TEST_TMPDIR/event" </dev/null || :
		assert_harmless "holdfast $call"
	done
}
