# SPDX-License-Identifier: MIT
# A fake reviewer: keeps what it was asked, then does what $ANSWERS/NAME says, a piece of shell that knows $name, $n (how
# often this one was asked) and the functions below. It is sourced by a script that has set $name.
#
#     $ASKED/NAME.N/{prompt,argv,env,dir}

n=1
mkdir -p "$ASKED"
until mkdir "$ASKED/$name.$n" 2>/dev/null; do n=$((n + 1)); done
printf '%s\n' "$@" >"$ASKED/$name.$n/argv"
env >"$ASKED/$name.$n/env"
pwd >"$ASKED/$name.$n/dir"

# The prompt comes as standard input, or as the last argument.
if [[ -n ${takes_argument-} ]]; then
	printf '%s' "${*: -1}" >"$ASKED/$name.$n/prompt"
else
	cat >"$ASKED/$name.$n/prompt"
fi

pass() { printf '{"status": "pass", "message": "%s"}\n' "${1:-No problems found}"; }

# fails FILE:LINE:PRIORITY:ISSUE...: an answer with these violations
fails() {
	local v file line priority issue all=()
	for v in "$@"; do
		IFS=: read -r file line priority issue <<<"$v"
		all+=("{\"file\": \"$file\", \"line\": $line, \"issue\": \"$issue\", \"fix\": \"Undo it\", \"priority\": \"$priority\", \"status\": \"new\"}")
	done
	(IFS=, && printf '{"status": "fail", "violations": [%s]}\n' "${all[*]}")
}

. "$ANSWERS/$name"
