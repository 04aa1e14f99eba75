#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Plays a session of a coding agent in a throw-away repository and shows every event, every decision and what it means.
# The decisions are the built program's own, and an answer that is not the expected one ends the demo with an error.
#
#     tests/demo/demo.sh            DEMO_COLOUR=always|never; HOLDFAST_BIN names another binary
set -u
here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
holdfast=${HOLDFAST_BIN:-${here%/tests/demo}/build/holdfast}
[[ -x $holdfast ]] || { echo "demo: there is no $holdfast; run 'make' first" >&2; exit 1; }
work=$(mktemp -d "${TMPDIR:-/tmp}/holdfast-demo.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
project=$work/demo session=demo step=0 was_blocked=false

mkdir -p "$project/.claude" "$work/home" "$work/state" "$work/tmp" "$work/bin"
ln -s "$(realpath "$holdfast")" "$work/bin/holdfast"
cd "$project" || exit 1

# Nothing of the machine's own settings gets in, and nothing gets out of the throw-away directory.
clean() {
	env -i PATH="$work/bin:$PATH" HOME="$work/home" TMPDIR="$work/tmp" LANG=C.UTF-8 CONCLAUDE_STATE_DIR="$work/state" \
		GIT_CONFIG_NOSYSTEM=1 "$@"
}

# ---- what is shown ----

colour=${DEMO_COLOUR:-auto}
[[ $colour == auto && -t 1 && -z ${NO_COLOR-} && ${TERM-} != dumb ]] && colour=always
if [[ $colour == always ]]; then
	bold=$'\e[1m' dim=$'\e[2m' red=$'\e[1;31m' green=$'\e[1;32m' yellow=$'\e[33m' cyan=$'\e[36m' plain=$'\e[0m'
else
	bold='' dim='' red='' green='' yellow='' cyan='' plain=''
fi

title() {
	step=$((step + 1))
	printf '\n%s%d. %s%s\n' "$bold" "$step" "$1" "$plain"
}

# row NAME TEXT: a line that begins with who does it
row() { printf '   %s%-9s%s %s\n' "$cyan" "$1" "$plain" "$2"; }
means() { printf '   %s%-9s %s%s\n' "$dim" '=>' "$1" "$plain"; }
# folded WIDTH: without the way to the throw-away directory
folded() { sed "s|$work/||g" | fold -s -w "$1"; }
quote() { printf '%s\n' "$(cat)" | folded 82 | sed "s| *\$|$plain|; s|^|             $yellow\| |"; }

broken() {
	printf 'demo: %s\n' "$@" >&2
	exit 1
}

# shell LINE: a command as a person types it, and what it says, or the first lines of that
shell() {
	printf '   %s$%s %s\n' "$green" "$plain" "$1"
	clean bash -c "$1" >"$work/out" 2>&1 || broken "'$1' failed:" "$(cat "$work/out")"
	folded 92 <"$work/out" | sed "s|^|     |; s| *\$||; ${2:-\$}q"
}

# file PATH: text on stdin, written and shown
file() {
	tee "$1" | sed "s|^|     $dim|; s|\$|$plain|" | { printf '   %s%s%s\n' "$green" "$1" "$plain" && cat; }
}

# ---- what the client does ----

# field NAME: of the answer, with its escapes undone
field() { printf '%b' "$(sed -nE 's/.*"'"$1"'":"(([^"\\]|\\.)*)".*/\1/p' "$work/answer")"; }

# The text is plain, so that quoting it takes no more than this.
event() { printf '{"hook_event_name":"%s","session_id":"%s","cwd":"%s",%s}\n' "$1" "$session" "$project" "$2"; }

# stop SAYS DECISION STATUS [LINES]: the agent's last words, and what holdfast must answer; LINES, for sed -n, are those
# of a long reason that are shown. A client tells in its event that the stop follows a block.
stop() {
	local says="\"last_assistant_message\":\"$1\"" decision status
	row client "Stop {..., ${says/:/: }}"
	event Stop "\"stop_hook_active\":$was_blocked,$says" >"$work/event"
	clean holdfast stop-hook <"$work/event" >"$work/answer" 2>/dev/null || broken "the hook's exit code is not 0"
	decision=$(field decision) status=$(field status)
	if [[ $decision == block ]]; then
		was_blocked=true
		row holdfast "${red}BLOCK$plain    $status"
		field reason | sed -n "${4:-p}" | quote
	else
		was_blocked=false
		row holdfast "${green}APPROVE$plain  $status"
		field message | quote
	fi
	[[ $decision/$status == "$2/$3" ]] || broken "expected $2/$3, but the answer was:" "$(cat "$work/answer")"
}

# says TEXT: the reason, or the message, of the last answer has it
says() { [[ "$(field reason) $(field message)" == *"$1"* ]] || broken "the answer lacks '$1':" "$(cat "$work/answer")"; }

prompt() {
	row client "UserPromptSubmit {..., \"prompt\": \"$1\"}"
	event UserPromptSubmit "\"prompt\":\"$1\"" >"$work/event"
	clean holdfast hook UserPromptSubmit <"$work/event" >"$work/answer" 2>&1 || broken "the hook's exit code is not 0"
	[[ ! -s $work/answer ]] || broken 'a prompt was not answered by silence:' "$(cat "$work/answer")"
	row holdfast "${dim}(silence: the prompt goes on as it is)$plain"
}

# ---- the session ----

echo '{"model": "opus"}' >.claude/settings.json
printf 'test:\n\t@grep -q "price \* count" cart.c || { echo "cart.c:1: error: the total ignores the count"; exit 1; }\n' >Makefile
echo 'int total(int price, int count) { return price * count; }' >cart.c
clean git init -q -b main . && clean git add -A && clean git -c user.name=demo -c user.email=demo@example.org commit -qm start || exit 1

cat <<-END
${bold}holdfast keeps a coding agent at work until the work is done.$plain
When the agent wants to stop, its client sends an event to holdfast, and holdfast decides.
This is such a session, in a throw-away repository. The answers are real; only the agent is played.
END

title 'Set it up in a project whose Makefile has a target "test"'
shell "holdfast init --yes"
means 'Claude Code asks holdfast before the agent stops. All other settings stay as they were.'

title 'A gate: the tests must pass'
printf '   %sholdfast.yml%s\n' "$green" "$plain"
sed "/^#/d; s|^|     $dim|; s|\$|$plain|" holdfast.yml
row agent 'changes cart.c and does not run the tests'
echo 'int total(int price, int count) { return price; }' >cart.c
stop 'The cart is faster now.' block failed '1,/^  command/p; s/^  directory.*/  .../p; /error/p'
says 'cart.c:1: error: the total ignores the count'
means 'The agent may not stop. That text is its next instruction.'
row agent 'reads it and fixes the file'
echo 'int total(int price, int count) { return price * count; }' >cart.c
stop 'The total is right again.' approve passed
means 'The gate that failed has run again and passed: the agent may stop.'

title 'A Ralph loop: the same prompt again until the agent makes the promise'
shell 'holdfast ralph start "Translate the next page in docs/." --max-iterations 5' 4
row agent 'translates one page and stops'
echo 'une page' >page.txt
stop 'One page is translated.' block loop_continues
says 'Translate the next page'
means 'Iteration 2 of 5: the agent gets the prompt again.'
row agent 'translates another page and stops'
stop 'Two pages are translated.' block loop_continues 1p
means 'Iteration 3 of 5. The count is on disk before the answer is sent.'
row agent 'translates the last page and makes the promise'
stop 'All are translated. <promise>COMPLETE</promise>' approve passed
says 'complete after 3 iterations'
means 'The promise ends the loop. The gate has still checked this stop.'

title 'A stop command: it runs at every stop, whatever has changed'
shell 'holdfast trust --no-pin'
means 'init pins holdfast.yml, so no agent can loosen it. Without the pin, every edit counts.'
file holdfast.yml <<-'END'
	gates:
	  test: make test
	commands:
	  - { run: test -e CHANGES, message: Write into CHANGES what you did. }
END
session=changes
stop 'Done.' block command_failed
says 'Write into CHANGES'
row agent 'writes the file'
echo 'Translated three pages.' >CHANGES
stop 'It is in CHANGES now.' approve passed
means 'The command passes, and so does the gate, which is asked after it.'

title 'Follow-ups: messages for sessions that begin with certain words'
file holdfast.yml <<-'END'
	gates:
	  test: make test
	follow_ups:
	  when: ["/proposal*"]
	  messages:
	    - Look for open questions in the proposal and answer them.
	    - Now read it as somebody who is new to the project.
END
session=proposal
prompt '/proposal offline mode'
row agent 'writes the proposal and stops'
stop 'The proposal is written.' block follow_up
says 'Look for open questions'
stop 'The questions are answered.' block follow_up
says 'somebody who is new'
stop 'I read it again and made it shorter.' approve passed
means 'All messages have been sent, and the gate passes: the agent may stop.'

title 'Rounds: a number of rounds before the agent may stop'
file holdfast.yml <<-'END'
	gates:
	  test: make test
	rounds: { count: 3, message: "Round {round} of {rounds} is over. Make it better." }
END
session=night
stop 'First draft.' block round_completed
stop 'Second draft.' block round_completed
stop 'Third draft.' approve rounds_finished
means 'Two stops were blocked and the third was not. Each session has its own count.'

title 'What is active here, and what happens at the next stop'
shell "holdfast doctor"
means 'Run it when you wonder why the agent stopped, or why it did not.'

title 'Take it out again'
shell "holdfast uninstall"
clean git diff --exit-code --quiet -- .claude/settings.json || broken 'the settings are not as they were'
means 'The settings have the same bytes as before.'

printf '\n%sNext:%s make install, then holdfast init in your project; see doc/guide/getting-started.md.\n' "$bold" "$plain"
