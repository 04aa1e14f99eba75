# SPDX-License-Identifier: MIT
# What the benchmarks share. A script sources it with its own arguments and gets $holdfast, $work (removed at the end), a timer
# that starts the lines of $plan in turn, and a table. With --json the rows are objects of one JSON document. Every script exits
# with 1 if a bound was missed or something could not be run.

here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
root=${here%/tests/bench}
holdfast=${HOLDFAST_BIN:-$root/build/holdfast}
broken=0 json=
words=() # the arguments that are not --json
for word; do if [[ $word == --json ]]; then json=--json; else words+=("$word"); fi; done

# Files are kept in memory where a disk would be measured instead: begin memory. BENCH_DIR is another place.
begin() {
	local dir=${BENCH_DIR:-${TMPDIR:-/tmp}}
	[[ ${1-} != memory || ! -w /dev/shm ]] || dir=${BENCH_DIR:-/dev/shm}
	work=$(mktemp -d "$dir/holdfast-bench.XXXXXX") || exit 1
	trap 'rm -rf "$work"' EXIT
	plan=$work/plan
	: >"$plan" >"$work/json"
	mkdir "$work/home"
	environment=("PATH=$PATH" "HOME=$work/home" LANG=C.UTF-8 GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=b GIT_AUTHOR_EMAIL=b@b
		GIT_COMMITTER_NAME=b GIT_COMMITTER_EMAIL=b@b)
	"${CC:-cc}" -O2 -D_GNU_SOURCE -static-pie -fPIE -o "$work/timer" "$here/timer.c" || exit 1
}
clean() { env -i "${environment[@]}" "$@"; }
fail() { echo "bench: $1" >&2 && broken=1; }

# measure ROUNDS: of each line of the plan its name, the median in ns, the peak in KiB, how many runs failed, and the page faults, in
# $work/rows.
measure() {
	local name failures
	clean "$work/timer" "$1" "$plan" >"$work/rows" || exit 1
	while IFS=$'\t' read -r name _ _ failures _; do
		((failures == 0)) || fail "$name: $failures of $1 runs failed"
	done <"$work/rows"
}

# median NAME: of the last measurement, in ns; 0: there is no such row.
median() { awk -F '\t' -v name="$1" '$1 == name { ns = $2 } END { print ns + 0 }' "$work/rows"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'; }
ms() { awk -v ns="$1" 'BEGIN { printf "%.1f ms", ns / 1e6 }'; }
# holds EXPRESSION: yes or NO. The numbers may have fractions.
holds() { awk "BEGIN { print (($1) ? \"yes\" : \"NO\") }"; }

# title COLUMN...: begins a table. The last two columns are the bound and whether it was met.
title() {
	columns=("$@")
	print_row "$@"
}
print_row() {
	local format='%-32s' i
	[[ ! $json ]] || return 0
	for ((i = 1; i < $# - 2; i++)); do format+=' %12s'; done
	# shellcheck disable=SC2059
	printf "$format   %-34s %s\n" "$@"
}
row() {
	local i args=()
	[[ ${!#} != NO* ]] || broken=1
	print_row "$@"
	for ((i = 0; i < $#; i++)); do args+=("${columns[i]}" "${@:i+1:1}"); done
	jq -nc '[$ARGS.positional | range(0; length; 2) as $i | {(.[$i]): .[$i + 1]}] | add' --args "${args[@]}" >>"$work/json"
}
# finish: the end of a script.
finish() {
	[[ ! $json ]] || jq -s '{rows: .}' "$work/json"
	exit "$broken"
}
