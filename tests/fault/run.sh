#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command of holdfast-fault again and again; each time one more of its system calls fails. Prints TAP: one
# line for each way of failing, with the calls that were not survived below it.
#
#     tests/fault/run.sh [OPTION]... -- COMMAND [ARGUMENT]...
#
#     -n NAME    what is said in the output; else the command
#     -i FILE    its standard input; else nothing
#     -w WHATS   ways of failing, with blanks between; else "EIO ENOSPC EINTR SHORT TERM KILL"
#     -k KIND    the kind of call that fails; else *, any (see fault.c)
#     -e CODES   exit codes that are right, with blanks between; else "0"
#     -o WHAT    what is right on stdout: json (one object, the default), silent, either, any
#     -b SHELL   run before each try, for a fresh state
#     -a SHELL   run after each try: fails when something is wrong; OUT is the file with its stdout
#     -t SECONDS how long one try may take; else 20
#
# A command that is killed must have written nothing or a whole answer.
set -u
name='' input=/dev/null whats='EIO ENOSPC EINTR SHORT TERM KILL' kind='*' codes=0 output=json before=: after=: seconds=20
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
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
limit=3000

# try FAULT: one run; its code in $code, its stdout in $work/out, the kinds of its calls in $work/log.
try() {
	rm -f "$work/log" "$work/out"
	bash -c "$before" >"$work/before" 2>&1 || { echo "# before: $(<"$work/before")"; return 1; }
	{
		TMPDIR=$work/tmp HOLDFAST_FAULT=$1 HOLDFAST_FAULT_LOG=$work/log timeout -k 2 "$seconds" "${command[@]}" <"$input" \
			>"$work/out" 2>"$work/err"
	} 2>/dev/null # the shell's own word about a killed command
	code=$?
	touch "$work/log"
}

# Most answers were given before, and need not be parsed again.
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

# judge WHAT: what is wrong with the last run is in $fault, or nothing.
judge() {
	local right=$codes expected=$output
	fault=''
	if [[ $1 == KILL ]]; then
		right="$codes 137"
		[[ $output == json ]] && expected=either
	fi
	[[ " $right " == *" $code "* ]] || fault+="exit code $code;"
	is_output_right "$expected" || fault+="stdout '$(head -c 300 "$work/out" | tr '\n' ' ')';"
	OUT=$work/out bash -c "$after" >"$work/after" 2>&1 || fault+="afterwards: $(head -c 300 "$work/after" | tr '\n' ' ')"
}

# Those that could have been the one to fail.
calls() {
	if [[ $kind == '*' ]]; then grep -vx stdout "$work/log"; else grep -Fx -- "$kind" "$work/log"; fi
}

command=("$@")
set -- $whats
echo "1..$#"
failures=0 number=0
for what; do
	number=$((number + 1)) wrong='' n=1
	for (( ; n <= limit; n++)); do
		try "$kind:$n:$what" || { wrong+="# no fresh state"$'\n'; break; }
		# The last one: there was no n-th call.
		(($(calls | wc -l) < n)) && break
		judge "$what"
		[[ -z $fault ]] || wrong+="# call $n ($(calls | sed -n "${n}p")): $fault"$'\n'
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
