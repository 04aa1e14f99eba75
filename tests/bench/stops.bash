# SPDX-License-Identifier: MIT
# The stops that are measured: for tests/bench/run, which measures their time, and tests/bench/check, which counts their
# instructions. Whoever sources it has set `work`, an empty directory, and `holdfast`, and has defined fail MESSAGE.
plan=$work/plan
mkdir -p "$work/home" "$work/state" "$work/tmp"
environment=(
	"PATH=$PATH" "HOME=$work/home" "TMPDIR=$work/tmp" LANG=C.UTF-8 "CONCLAUDE_STATE_DIR=$work/state"
	"XDG_CONFIG_HOME=$work/home/.config" "XDG_DATA_HOME=$work/home/.local/share" "XDG_STATE_HOME=$work/home/.local/state"
)
clean() { env -i "${environment[@]}" "$@"; }

# ---- the contestants: a project each, and what its stop must answer ----

# event SESSION [JQ-FILTER]: a stop as Claude Code sends it.
event() {
	jq -nc --arg session "$1" --arg cwd "$work/$1" '{session_id: $session, transcript_path: ($cwd + "/transcript.jsonl"), cwd: $cwd,
		permission_mode: "default", hook_event_name: "Stop", stop_hook_active: false,
		last_assistant_message: "All the steps are done; the tests pass."} | '"${2:-.}"
}

# contestant NAME SESSION STATUS [JQ-FILTER]: its project $work/SESSION is made; answers once, and takes part if that is right.
contestant() {
	local name=$1 session=$2 status=$3 answer
	event "$session" "${4:-.}" >"$work/$session.json"
	answer=$(cd "$work/$session" && clean "$holdfast" stop-hook <"$work/$session.json" 2>"$work/err")
	if [[ $(jq -r .status <<<"$answer" 2>/dev/null) == "$status" ]]; then
		printf '%s\t%s\t%s\t%s\n' "$name" "$work/$session" "$work/$session.json" "$holdfast stop-hook" >>"$plan"
	else
		fail "$name: the answer is not $status: $answer $(head -c 300 "$work/err")"
	fi
}

project() { mkdir -p "$work/$1/.git" && [[ -z ${2-} ]] || cat >"$work/$1/$2"; }

loop() {
	mkdir -p "$work/$1/.git" "$work/$1/.claude"
	cat >"$work/$1/.claude/ralph-loop.local.md" <<-LOOP
	---
	active: true
	iteration: 1
	session_id: $1
	max_iterations: 2000000000
	completion_promise: "COMPLETE"
	started_at: "2026-01-01T00:00:00Z"
	---

	Go through the list in PLAN.md, do the next open step, run the tests, commit.
	LOOP
}

project nothing
contestant 'nothing configured' nothing no_config

project conclaude .conclaude.yaml <<'CONFIG'
stop:
  commands: []
  infinite: false
preToolUse:
  preventRootAdditions: false
  uneditableFiles:
    - .conclaude.yaml
  toolUsageValidation: []
notifications:
  enabled: false
CONFIG
contestant 'conclaude config, nothing due' conclaude no_config

# As long as the file that conclaude's own init writes, and like that most of it comments.
{
	sed 's/^  toolUsageValidation/  # Each rule names a tool, a pattern and what happens.\n&/' "$work/conclaude/.conclaude.yaml"
	for ((n = 1; n <= 200; n++)); do echo "# $n. What this key is for, with an example:  commands: [{run: \"make test-$n\"}]"; done
} | project long .conclaude.yaml
contestant 'conclaude config, 16 KB' long no_config

project rounds .conclaude.yaml <<<$'stop:\n  rounds: 4000000000'
contestant 'rounds' rounds round_completed

project queue .conclaude.yaml <<'CONFIG'
stop:
  promptPrefixBlocking:
    prefixes: ["ULTRATHINK*"]
    messages:
      - text: "Now check your work once more."
        times: 2000000000
CONFIG
event queue 'del(.last_assistant_message) | .hook_event_name = "UserPromptSubmit" | .prompt = "ULTRATHINK about it"' |
	(cd "$work/queue" && clean "$holdfast" hook UserPromptSubmit >/dev/null 2>&1) || fail 'the first prompt could not be stored'
contestant 'a queued message (SQLite)' queue follow_up

loop loop
contestant 'Ralph, message in the event' loop loop_continues

# gates SESSION LINE...: a project with gates whose branch is work, with further lines in its configuration.
gates() {
	mkdir -p "$work/$1/.git" "$work/$1/.gauntlet/checks" "$work/$1/gauntlet_logs"
	echo 'ref: refs/heads/work' >"$work/$1/.git/HEAD"
	printf '%s\n' 'base_branch: origin/main' 'log_dir: gauntlet_logs' 'cli:' '  default_preference: [claude, codex]' 'entry_points:' \
		'  - path: src' '    checks: [lint, test]' '  - path: .' '    reviews: [quality]' "${@:2}" >"$work/$1/.gauntlet/config.yml"
	jq -n --arg time "$(date -u +%Y-%m-%dT%H:%M:%S.000Z)" '{last_run_completed_at: $time, branch: "work", commit: ("a" * 40), working_tree_ref: ("b" * 40),
		commit_in_base: false, outstanding: false, attempts: 0}' >"$work/$1/gauntlet_logs/.execution_state"
}
gates gates-disabled 'stop_hook:' '  enabled: false'
contestant 'gates, disabled' gates-disabled stop_hook_disabled
gates gates-active
contestant 'gates, stop_hook_active' gates-active stop_hook_active '.stop_hook_active = true'

# guarded SESSION RULES: a project with so many rules, asked before a shell command that no rule stops.
guarded() {
	local i answer
	{
		printf '%s\n' guards: '  use: [destructive, secrets]' '  protect:'
		for ((i = 0; i < $2 * 6 / 10; i++)); do echo "    - src/generated/module$i/**"; done
		printf '%s\n' '  commands:' '    deny:'
		for ((i = 0; i < $2 * 4 / 10 - 2; i++)); do echo "      - tool$i deploy"; done
	} | project "$1" holdfast.yml
	event "$1" '.hook_event_name = "PreToolUse" | .tool_name = "Bash" | .tool_input = {command:
		"cd src && npm test 2>&1 | tail -n 40 >/tmp/log; git add -A && git commit -m \"Fix the parser\""}' >"$work/$1.json"
	answer=$(cd "$work/$1" && clean "$holdfast" hook PreToolUse <"$work/$1.json" 2>&1)
	[[ -z $answer ]] || fail "a guard with $2 rules: $answer"
	printf '%s\t%s\t%s\t%s\n' "before a tool, $2 rules" "$work/$1" "$work/$1.json" "$holdfast hook PreToolUse" >>"$plan"
}
guarded guarded-few 10
guarded guarded-many 1000
