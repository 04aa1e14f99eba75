# SPDX-License-Identifier: MIT
# What every CLI test starts from: an empty project of its own, a clean environment, and short ways to say what is
# expected. A test file begins with `load helper`; one that needs more in setup() calls setup_project first.
#
#     $PROJECT   the project, also the current directory     $HOME, $XDG_*, $TMPDIR   in the test's own directory
#     $STATE     where the rounds files are                  $BIN                     holdfast, conclaude, agent-gauntlet
#
# After `hook` or `run_holdfast`: $status, $stdout and $stderr, also as the files $OUT and $ERR.

setup() { setup_project; }

setup_project() {
	ROOT=${BATS_TEST_DIRNAME%/tests/*}
	PROJECT=$BATS_TEST_TMPDIR/project STATE=$BATS_TEST_TMPDIR/state BIN=$BATS_TEST_TMPDIR/bin
	OUT=$BATS_TEST_TMPDIR/out ERR=$BATS_TEST_TMPDIR/err SESSION=test-session

	source "$ROOT/tests/lib/environment.bash"
	export SHELL=/bin/sh TERM=xterm
	use_home "$BATS_TEST_TMPDIR/home"
	export TMPDIR=$BATS_TEST_TMPDIR/tmp LANG=C.UTF-8 USER=test XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/tmp
	export CONCLAUDE_STATE_DIR=$STATE GIT_CONFIG_NOSYSTEM=1 PATH=$BIN:$PATH
	[[ -d $BATS_FILE_TMPDIR/start ]] || make_start "$BATS_FILE_TMPDIR/start"
	cp -a "$BATS_FILE_TMPDIR/start/." "$BATS_TEST_TMPDIR"
	cd "$PROJECT" || return 1
}

# Made once for all tests of a file: each begins with a copy.
make_start() {
	local binary=${HOLDFAST_BIN:-$ROOT/build/holdfast} name
	[[ $binary == /* ]] || binary=$ROOT/$binary
	mkdir -p "$1"/{project,state,bin,home,tmp}
	for name in holdfast conclaude agent-gauntlet; do ln -s "$binary" "$1/bin/$name"; done
	printf '[user]\n\tname = test\n\temail = test@example.org\n[init]\n\tdefaultBranch = main\n' >"$1/home/.gitconfig"
}

# ---- the project ----

# Makes the project a repository with all that is in it in one commit.
git_project() { git init -q . && git add -A && git commit -q --allow-empty -m "${1:-start}"; }

# write PATH < text
write() {
	[[ $1 != */* || -d ${1%/*} ]] || mkdir -p "${1%/*}"
	cat >"$1"
}

# fake NAME < script: a program of that name, found before all others
fake() { rm -f "$BIN/$1" && cat >"$BIN/$1" && chmod 755 "$BIN/$1"; }

# ---- running ----

# Runs a command; nothing that it prints or returns fails the test by itself.
run_command() {
	status=0
	"$@" >"$OUT" 2>"$ERR" || status=$?
	{ stdout=$(<"$OUT") stderr=$(<"$ERR"); } 2>/dev/null # bash tells of each NUL that it leaves out
}

run_holdfast() { run_command holdfast "$@"; }

# on_terminal COMMAND ARGUMENT...: runs it on a terminal of its own; what it shows there is in $OUT.
on_terminal() { SHELL=$BASH script -qec "$(printf '%q ' "$@")" /dev/null >"$OUT"; }

# event [FILTER]: a Stop event of $SESSION in the project, changed by a jq filter such as '.stop_hook_active = true'.
event() {
	local session=${SESSION//\\/\\\\} cwd=${PROJECT//\\/\\\\}
	local event='{"session_id":"'${session//\"/\\\"}'","transcript_path":"","cwd":"'${cwd//\"/\\\"}'","hook_event_name":"Stop","stop_hook_active":false}'
	if [[ ${1:-.} == . ]]; then echo "$event"; else jq -c "$1" <<<"$event"; fi
}

# hook [FILTER [COMMAND...]]: feeds that event to holdfast stop-hook, or to another command.
hook() {
	local filter=${1:-.} input=$BATS_TEST_TMPDIR/event
	(($#)) && shift
	(($#)) || set -- holdfast stop-hook
	event "$filter" >"$input"
	run_command "$@" <"$input"
}

# prompt TEXT [COMMAND...]: the user's prompt, as UserPromptSubmit.
prompt() {
	local text=$1
	shift
	(($#)) || set -- holdfast hook UserPromptSubmit
	hook ".hook_event_name = \"UserPromptSubmit\" | .prompt = $(jq -nc --arg t "$text" '$t')" "$@"
}

# raw_hook TEXT: exactly this on stdin, printf escapes put in.
raw_hook() {
	printf '%b' "$1" >"$BATS_TEST_TMPDIR/event"
	run_command holdfast stop-hook <"$BATS_TEST_TMPDIR/event"
}

# ---- expectations: each prints what was seen when it does not hold ----

show() {
	printf '%s\n' "$1" "--- exit code: ${status-}" "--- stdout: ${stdout-}" "--- stderr: ${stderr-}" >&2
	return 1
}

assert_status() { [[ $status == "$1" ]] || show "exit code is not $1"; }
assert_failure() { [[ $status != 0 && $status != 2 ]] || show "exit code is not that of an error"; }

# assert_json EXPRESSION...: stdout is one JSON object for which each jq expression is true.
assert_json() {
	local expression list='' wrong
	# All of them in one program: to start jq takes longer than to run it.
	for expression; do
		list+="(try ([$expression] | length > 0 and (.[-1] | . != null and . != false)) catch false),"
	done
	wrong=$(jq -rs 'if length != 1 or (.[0] | type) != "object" then "stdout is not one JSON object" else
		[.[0] | '"${list:-true,}"'true] | index(false) // empty | "not true: " + $ARGS.positional[.] end' \
		"$OUT" --args -- "$@" 2>&1) || wrong="is it jq, and JSON? $* $wrong"
	[[ -z $wrong ]] || show "$wrong"
}

# The answer of a hook: exit 0 and one JSON object on one line.
assert_answer() {
	local line rest
	assert_status 0
	{ read -r line && ! read -r rest && [[ -z $rest ]]; } <"$OUT" 2>/dev/null || show "stdout is not one line"
	assert_json "$@"
}
assert_block() { assert_answer '.decision == "block"' '.reason | length > 0' "$@"; }
assert_allow() { assert_answer '.decision == "approve"' 'has("reason") | not' "$@"; }

assert_stdout() { [[ $stdout == "$1" ]] || show "stdout is not: $1"; }
assert_stdout_has() { [[ $stdout == *"$1"* ]] || show "stdout lacks: $1"; }
assert_stdout_lacks() { [[ $stdout != *"$1"* ]] || show "stdout has: $1"; }
assert_stderr_has() { [[ $stderr == *"$1"* ]] || show "stderr lacks: $1"; }
assert_stderr_lacks() { [[ $stderr != *"$1"* ]] || show "stderr has: $1"; }
assert_stderr_empty() { [[ ! -s $ERR ]] || show "stderr is not empty"; }

# assert_file PATH [TEXT]: is there; holds exactly TEXT and a newline.
assert_file() {
	[[ -f $1 ]] || show "$1 is not there"
	(($# < 2)) || [[ $(<"$1") == "$2" ]] || show "$1 is not: $2"$'\n'"but: $(<"$1")"
}
assert_file_has() { [[ -f $1 && $(<"$1") == *"$2"* ]] || show "$1 lacks: $2"$'\n'"it is: $(cat "$1" 2>&1)"; }
assert_file_lacks() { [[ -f $1 && $(<"$1") != *"$2"* ]] || show "$1 has: $2"; }
assert_absent() { [[ ! -e $1 && ! -L $1 ]] || show "$1 is there"; }
assert_mode() { [[ $(stat -c %a "$1") == "$2" ]] || show "$1 has mode $(stat -c %a "$1"), not $2"; }
assert_equal() { [[ $1 == "$2" ]] || show "'$1' is not '$2'"; }

# needs_homeless: makes HOMELESS, a command: holdfast as run by a user who has no home, not even in the user database.
needs_homeless() {
	local binary=$BATS_TEST_TMPDIR/holdfast
	HOMELESS=(env -u HOME -u XDG_DATA_HOME -u XDG_STATE_HOME)
	if ((EUID == 0)); then
		cp "$(readlink -f "$BIN/holdfast")" "$binary"
		chmod 755 "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/test" "$BATS_TEST_TMPDIR"
		chown 54321 "$PROJECT"
		HOMELESS+=(setpriv --reuid 54321 --clear-groups "$binary")
	else
		unshare --user --map-user=54321 true 2>/dev/null || skip 'only root can become a user without a home where there are no user namespaces'
		HOMELESS+=(unshare --user --map-user=54321 "$BIN/holdfast")
	fi
}
