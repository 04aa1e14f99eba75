# SPDX-License-Identifier: MIT
# What the tests of gates start from, on top of helper.bash: a project with checks, on a branch of its own, with a
# change in src/.
#
#     $LOGS   the log directory

LOGS=gauntlet_logs

# gates NAME COMMAND [NAME COMMAND]...: the project with these checks, in this order, at the entry point src. What
# $more_config has is added to config.yml; $more_check is added to each check's file.
gates() {
	local names=() name
	while (($#)); do
		check_file "$1" "$2" "${more_check-}"
		names+=("$1")
		shift 2
	done
	name=$(IFS=, && echo "${names[*]}")
	write .gauntlet/config.yml <<-CONFIG
	base_branch: main
	cli:
	  default_preference: [claude]
	entry_points:
	  - path: src
	    checks: [${name//,/, }]
	${more_config-}
	CONFIG
	mkdir -p src
	echo one >src/a.txt
	git_project
	git checkout -q -b work
	echo two >>src/a.txt
}

# check_file NAME COMMAND [LINES]: a check that runs in the project's root.
check_file() {
	COMMAND=$2 jq -nr --arg lines "${3-}" '"command: \(env.COMMAND | tojson)\nworking_directory: .\n\($lines)"' |
		write ".gauntlet/checks/$1.yml"
}

# config LINE...: further lines for config.yml.
config() { printf '%s\n' "$@" >>.gauntlet/config.yml; }

# Statuses and messages are those of the hook that is called as agent-gauntlet, too.
stop() { hook "${1:-.}" holdfast stop-hook; }

state() { jq -r "$1" "$LOGS/.execution_state"; }

# tries: how many the session has used, in all projects; blocks: how many of its stops in a row were blocked.
tries() { jq -r '[.tries[]?.used] | add // 0' "$XDG_STATE_HOME/holdfast/sessions/$SESSION.json"; }
blocks() { jq -r '.blocks // 0' "$XDG_STATE_HOME/holdfast/sessions/$SESSION.json"; }

# journal: the results journal of the project.
journal() { grep -lF "\"root\":\"$PWD\"" "$XDG_STATE_HOME"/holdfast/projects/*/results.jsonl; }

# edit_state [JQ-OPTION]... FILTER: changes the state that the last run left, in the journal and in .execution_state.
edit_state() {
	local file filter=${*: -1} options=("${@:1:$#-1}")
	file=$(journal)
	jq -c "${options[@]}" "if .event == \"run\" then .state |= ($filter) else . end" "$file" >"$TMPDIR/lines"
	cat "$TMPDIR/lines" >"$file"
	jq "${options[@]}" "$filter" "$LOGS/.execution_state" >"$TMPDIR/state" && cat "$TMPDIR/state" >"$LOGS/.execution_state"
}

# aged MINUTES: as if the last run had ended so long ago.
aged() {
	edit_state --arg time "$(date -u -d "-$1 minutes" +%Y-%m-%dT%H:%M:%S.000Z)" '.last_run_completed_at = $time'
}

# forget: as if holdfast had never run here; the log directory stays as it is.
forget() { rm -rf "$XDG_STATE_HOME/holdfast/projects"; }

# times NAME: how often the check has run; each run writes a line by `echo >>NAME.ran`.
times() { if [[ -e $1.ran ]]; then wc -l <"$1.ran"; else echo 0; fi; }

# eventually SECONDS COMMAND...: it is true within that time.
eventually() {
	local until=$((SECONDS + $1))
	shift
	until "$@" 2>/dev/null; do
		((SECONDS < until)) || return 1
		sleep 0.05
	done
}

# of_the_original: becomes a process that waits under the name of agent-gauntlet.
of_the_original() { exec -a agent-gauntlet sleep 60 3>&-; }

# marked COMMAND...: runs it so that everything it starts can be found again.
marked() { RUN_MARK=$BATS_TEST_TMPDIR "$@"; }
# The processes that a marked command has left.
survivors() { grep -lszx "RUN_MARK=$BATS_TEST_TMPDIR" /proc/[0-9]*/environ | tr -dc '0-9\n' | xargs; }
none_survives() { [[ -z $(survivors) ]]; }
assert_none_survives() { eventually "${1:-2}" none_survives || show "still running: $(ps -o pid,stat,args -p "$(survivors | tr ' ' ,)" 2>&1)"; }
# For teardown: what a failed test has left must not disturb the next.
end_survivors() { survivors | xargs -r kill -KILL 2>/dev/null || :; }
