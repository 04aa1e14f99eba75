#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command of holdfast-fault again and again: the first time its first system call fails, then its second, and so
# on. Prints TAP: one line for each way of failing, followed by the calls whose failure was not handled.
#
#     tests/fault/run.sh [OPTION]... -- COMMAND [ARGUMENT]...
#
#     -n NAME    the name in the output; the command by default
#     -i FILE    its standard input; empty by default
#     -w WHATS   ways of failing, separated by blanks; by default "EIO ENOSPC EINTR SHORT TERM KILL", for git
#                "EXIT KILL HANG"
#     -k KIND    the kind of call that fails (see fault.c); by default *, any. git: the git programs that it starts
#     -e CODES   the exit codes that are right, separated by blanks; "0" by default
#     -o WHAT    what is right on stdout: json (one object, the default), silent, either, any
#     -b SHELL   run before each try, to restore the state
#     -a SHELL   run after each try: exits with an error when something is wrong. OUT is the file with the command's
#                stdout, HOLDFAST_FAULT_WHAT the way of failing
#     -t SECONDS how long one try may take; 300 by default
#
# A command that is killed must have written either nothing or a complete answer.
set -u
name='' input=/dev/null whats='' kind='*' codes=0 output=json before=: after=: seconds=300
while getopts n:i:w:k:e:o:b:a:t: option; do
	case $option in
	n) name=$OPTARG ;;
	i) input=$OPTARG ;;
	w) whats=$OPTARG ;;
	k) kind=$OPTARG ;;
	e) codes=$OPTARG ;;
	o) output=$OPTARG ;;
	b) before=$OPTARG ;;
	a) after=$OPTARG ;;
	t) seconds=$OPTARG ;;
	*) exit 1 ;;
	esac
done
shift $((OPTIND - 1))
(($#)) || { echo 'run.sh: no command' >&2; exit 1; }
[[ -n $name ]] || name=$*
if [[ $kind == git ]]; then
	[[ -n $whats ]] || whats='EXIT KILL HANG'
	PATH=$(cd "${BASH_SOURCE[0]%/*}" && pwd)/bin:$PATH
fi
[[ -n $whats ]] || whats='EIO ENOSPC EINTR SHORT TERM KILL'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
limit=3000

# try FAULT: runs the command once. Sets $code; its stdout is in $work/out, the kinds of its calls in $work/log.
try() {
	rm -f "$work/log" "$work/log.git" "$work/out"
	bash -c "$before" >"$work/before" 2>&1 || { echo "# before: $(<"$work/before")"; return 1; }
	{
		TMPDIR=$work/tmp HOLDFAST_FAULT=$1 HOLDFAST_FAULT_LOG=$work/log timeout -k 2 "$seconds" "${command[@]}" <"$input" \
			>"$work/out" 2>"$work/err"
	} 2>/dev/null # the shell's own message about a killed command
	code=$?
	touch "$work/log"
}

# Most answers repeat an earlier one, and are not parsed again.
declare -A objects=()
is_object() {
	local text
	{ text=$(<"$work/out"); } 2>/dev/null
	[[ -z $text || -z ${objects[$text]-} ]] || return 0
	jq -es 'length == 1 and (.[0] | type) == "object"' "$work/out" >/dev/null 2>&1 && objects[$text]=1
}

is_output_right() {
	case $1 in
	json) is_object ;;
	silent) [[ ! -s $work/out ]] ;;
	either) [[ ! -s $work/out ]] || is_object ;;
	any) true ;;
	esac
}

# judge WHAT: sets $fault to what is wrong with the last run, or to nothing.
judge() {
	local right=$codes expected=$output
	fault=''
	if [[ $1 == KILL && $kind != git ]]; then
		right="$codes 137"
		[[ $output == json ]] && expected=either
	fi
	[[ " $right " == *" $code "* ]] || fault+="exit code $code;"
	is_output_right "$expected" || fault+="stdout '$(head -c 300 "$work/out" | tr '\n' ' ')';"
	OUT=$work/out HOLDFAST_FAULT_WHAT=$1 bash -c "$after" >"$work/after" 2>&1 || fault+="afterwards: $(head -c 300 "$work/after" | tr '\n' ' ')"
}

# The calls that were candidates to fail, one on a line.
calls() {
	if [[ $kind == '*' ]]; then grep -vx stdout "$work/log"; else grep -Fx -- "$kind" "$work/log"; fi
}
call_name() {
	if [[ $kind == git ]]; then sed -n "$1p" "$work/log.git"; else calls | sed -n "$1p"; fi
}

command=("$@")
set -- $whats
echo "1..$#"
failures=0 number=0
for what; do
	number=$((number + 1)) wrong='' n=1
	for (( ; n <= limit; n++)); do
		try "$kind:$n:$what" || { wrong+="# the state could not be restored"$'\n'; break; }
		# The command makes fewer than n calls: all have failed once.
		(($(calls | wc -l) < n)) && break
		judge "$what"
		[[ -z $fault ]] || wrong+="# call $n ($(call_name $n)): $fault"$'\n'
	done
	((n > 1)) || wrong+='# no such call is made'$'\n'
	((n <= limit)) || wrong+="# more than $limit calls"$'\n'
	if [[ -z $wrong ]]; then
		echo "ok $number - $name: $what at each of $((n - 1)) calls"
	else
		failures=$((failures + 1))
		printf 'not ok %d - %s: %s at each of %d calls\n%s' "$number" "$name" "$what" $((n - 1)) "$wrong"
	fi
done
((failures == 0))
