#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `holdfast report`: text, JSON and HTML. How the page looks in a browser is tested in tests/clients.

load helper

setup() {
	setup_project
	write holdfast.yml <<<'gates: {test: test -e ok}'
	GIT_COMMITTER_DATE=2020-01-01T00:00:00Z git_project # long before any session
	git checkout -q -b work
	JOURNAL=$XDG_STATE_HOME/holdfast/decisions.jsonl
	PAGE=$BATS_TEST_TMPDIR/report.html
}

# A block by the gates, a commit, then a pass.
play_two_stops() {
	echo x >a.c
	hook
	assert_block
	touch ok b.c
	git add -A && git commit -q -m second
	hook '.stop_hook_active = true'
	assert_allow '.status == "passed"'
}

# assert_report EXPRESSION...: about what --json prints
assert_report() {
	run_holdfast report --json
	assert_status 0
	assert_json "$@"
}

# assert_page FILE [EXPRESSION]...: every tag is closed by its own, nothing is asked for from elsewhere, the policy allows the one
# script and nothing else, and its facts, of which jq says whether the expressions are true, are all between two tags.
assert_page() {
	python3 - "$1" >"$BATS_TEST_TMPDIR/facts.json" <<-'END' || show "$1 is not the page that it should be"
	import base64, hashlib, html.parser, json, sys
	class Page(html.parser.HTMLParser):
	    empty, open, scripts, policy = {"meta", "link"}, [], [], ""
	    def handle_starttag(self, tag, attributes):
	        names = dict(attributes)
	        assert not {"src", "srcset", "onload", "onerror"} & names.keys(), (tag, attributes)
	        assert tag not in {"img", "iframe", "object", "embed", "form", "base"}, tag
	        assert names.get("href", "#").startswith(("#", "data:,")), attributes
	        if tag == "script": self.scripts.append((names, ""))
	        if names.get("http-equiv") == "Content-Security-Policy": self.policy = names["content"]
	        if tag not in self.empty: self.open.append(tag)
	    def handle_data(self, data):
	        if self.open and self.open[-1] == "script":
	            names, before = self.scripts.pop()
	            self.scripts.append((names, before + data))
	    def handle_endtag(self, tag):
	        assert self.open and self.open[-1] == tag, (self.open, tag, self.getpos())
	        self.open.pop()
	page = Page()
	page.feed(open(sys.argv[1], encoding="utf-8").read())
	page.close()
	assert not page.open, page.open
	(facts_names, facts), (script_names, script) = page.scripts
	assert facts_names == {"type": "application/json", "id": "facts"} and script_names == {}, page.scripts
	assert not set("<>&\u2028\u2029") & set(facts), "a mark of HTML in the facts"
	digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
	assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:;" in page.policy, f"the script has sha256-{digest}"
	print(json.dumps(json.loads(facts)["facts"]))
	END
	! sed 's|http://www.w3.org/2000/svg||' "$1" | grep -E 'https?://|url\(|@import' || show "$1 refers to something outside"
	for expression in "${@:2}"; do
		jq -e "$expression" "$BATS_TEST_TMPDIR/facts.json" >/dev/null || show "$expression is not true in $1"
	done
}

@test "a project without decisions has an empty report in each format" {
	run_holdfast report
	assert_status 0
	assert_stdout "no decision on record in $PROJECT"
	assert_report '.sessions == [] and .loops == [] and .gates == [] and .stops == 0'
	run_holdfast report --html "$PAGE"
	assert_status 0
	assert_stdout "wrote $PAGE"
	assert_page "$PAGE" '.sessions == [] and .stops == 0'
	assert_file_has "$PAGE" '<noscript><p>This page needs JavaScript. <code>holdfast report</code> prints the same as text.</p></noscript>'
}

@test "a report has each stop with its decision, its gates and what was committed before it" {
	play_two_stops
	assert_report '.stops == 2 and .blocks == 1 and .commits == 1 and .files == 3' \
		'.sessions | length == 1 and .[0].session == "test-session" and .[0].client == "claude"' \
		'.sessions[0].iterations[0] | .decision == "block" and .status == "failed" and .gates[0].outcome == "fail" and (has("took_ms") | not)' \
		'.sessions[0].iterations[1] | .decision == "allow" and .commits == 1 and .files == 3 and .took_ms >= 0 and (.commit_list | length == 1 and .[0].subject == "second")' \
		'.gates | length == 1 and (.[0] | .gate == "test" and .runs == 2 and .failed == 1 and .passed == 1 and .flaky == 0)'
	run_holdfast report
	assert_stdout_has '1 session, 2 stops: 1 blocked, 1 allowed'
	assert_stdout_has 'test failed'
	assert_stdout_has '1 commit in 3 files'
}

@test "an amended commit counts once, and a checkout makes none" {
	echo x >a.c
	hook
	git add -A && git commit -q -m first
	echo y >>a.c
	git commit -q -a --amend -m better
	git checkout -q -b other
	hook '.stop_hook_active = true'
	assert_report '.commits == 1 and .sessions[0].iterations[1].files == 1'
}

@test "the page has the same facts as --json, of which none is markup" {
	echo x >a.c
	hook
	for i in 1 2; do git commit -q --allow-empty -m "<script>alert($i)</script> & </script><!-- more"; done
	hook '.stop_hook_active = true'
	run_holdfast report --html "$PAGE"
	assert_page "$PAGE" '.sessions[0].iterations[1].commit_list | map(.subject) == ["<script>alert(1)</script> & </script><!-- more", "<script>alert(2)</script> & </script><!-- more"]'
	assert_file_has "$PAGE" '\u003cscript\u003ealert(1)\u003c/script\u003e \u0026 \u003c/script\u003e\u003c!-- more'
	run_holdfast report --json
	assert_equal "$(jq -S 'del(.made)' "$BATS_TEST_TMPDIR/facts.json")" "$(jq -S 'del(.made)' "$OUT")"
}

@test "a night of 60 iterations: loops, gates, tokens and times, in 80 columns" {
	cd "$BATS_TEST_TMPDIR" && mkdir night && cd night
	"$ROOT/tests/lib/night"
	PROJECT=$PWD
	run_holdfast report --json
	assert_json '.stops == 60 and (.sessions | map(.iterations | length)) == [44, 12, 4]' \
		'.loops | map(.reason) == ["complete", "max_iterations"]' \
		'.loops[0] | .iterations == 12 and .tokens > 0 and .started == "2026-11-15T23:20:00.000Z"' \
		'.gates | map({(.gate): .flaky}) | add == {lint: 0, test: 0, e2e: 4}' \
		'.gates | map(.runs > 30 and .median_ms > 0 and .p95_ms >= .median_ms) | all' \
		'.sessions | map(.commits) | add > 40' '.tokens > 300000 and .cost_usd > 7' \
		'.sessions[0].iterations | map(.took_ms) | min > 60000'
	run_holdfast report --json --session c02e
	assert_json '.stops == 4 and .commits == 4 and (.loops | map(.reason)) == ["max_iterations"]'
	run_holdfast report
	assert_stdout_has 'complete: the agent made its promise'
	assert_stdout_has 'max_iterations: all iterations were used'
	assert_stdout_has 'flakiest: e2e, 4 times'
	assert_equal "$(python3 -c 'print(max(len(line.rstrip("\n")) for line in open("'"$OUT"'", encoding="utf-8")) <= 80)')" True
	run_holdfast report --html "$PAGE" --since 2026-11-15T22:00:00Z
	assert_page "$PAGE" '.sessions | map(.iterations | length) | add == 59'
	assert_file_has "$PAGE" '<meta name="viewport"'
	assert_file_has "$PAGE" 'prefers-color-scheme'
	assert_file_has "$PAGE" '@media print'
}

@test "markup and escape sequences from the journals are shown, and do nothing" {
	local bad='"<script>alert(1)</script>&\u0027\"\u001b[31mred"'
	mkdir -p "${JOURNAL%/*}"
	for i in 1 2; do
		jq -cn --arg dir "$PROJECT" "$bad as \$x"' | {time: "2026-11-15T04:17:39.000Z", project: $dir, session: $x, client: $x, event: "Stop", policy: $x, decision: "allow",
			status: $x, message: $x, gates: [{gate: $x, in: $x, reviewer: $x, outcome: "fail", ms: 5}], transcript: $x, ms: 3}'
		jq -cn --arg dir "$PROJECT" "$bad as \$x"' | {time: "2026-11-15T05:17:39.000Z", project: $dir, session: $x, client: $x, event: "Stop", policy: $x, decision: "block", status: $x, message: $x, ms: 3}'
	done >"$JOURNAL"
	jq -cn --arg dir "$PROJECT" "$bad as \$x"' | {time: "2026-11-15T04:17:39Z", project: $dir, session: $x, state_file: $x, passes: 3, reason: $x}' >"${JOURNAL%/*}/loops.jsonl"
	run_holdfast report --html "$PAGE"
	assert_status 0
	assert_file_has "$PAGE" '\u003cscript\u003ealert(1)\u003c/script\u003e\u0026'
	assert_file_lacks "$PAGE" '<script>alert'
	assert_file_lacks "$PAGE" $'\033'
	assert_page "$PAGE" '.sessions[0].session | test("^<script>.*red$")'
	run_holdfast report
	assert_stdout_has '<script>'
	assert_stdout_lacks $'\033'
	assert_report '.sessions[0].session | test("^<script>")'
}

@test "the project's own name is escaped, too" {
	PROJECT=$BATS_TEST_TMPDIR/'a <b>&"c"'
	mkdir "$PROJECT" && cd "$PROJECT"
	write holdfast.yml <<<'rounds: 3'
	hook
	run_holdfast report --html "$PAGE" --all
	assert_file_has "$PAGE" 'a \u003cb\u003e\u0026\"c\"'
	assert_page "$PAGE" '.sessions[0].project | endswith("/a <b>&\"c\"")'
}

@test "--html replaces a file, prints to standard output, and says what it can't write" {
	play_two_stops
	echo old >"$PAGE"
	run_holdfast report --html "$PAGE"
	assert_status 0
	assert_file_has "$PAGE" '</html>'
	run_holdfast report --html -
	assert_stdout_has '</html>'
	mkdir "$BATS_TEST_TMPDIR/dir"
	run_holdfast report --html "$BATS_TEST_TMPDIR/dir"
	assert_status 1
	assert_stderr_has "$BATS_TEST_TMPDIR/dir is a directory"
	run_holdfast report --html "$BATS_TEST_TMPDIR/none/report.html"
	assert_status 1
	assert_stderr_has "$BATS_TEST_TMPDIR/none"
	run_holdfast report --html "$PAGE" --json
	assert_status 1
	assert_stderr_has 'exclude each other'
}

@test "a report is about a project, a session and a time" {
	play_two_stops
	hook '.session_id = "other"'
	run_holdfast report --json --session other
	assert_json '.sessions | map(.session) == ["other"]'
	run_holdfast report --json --since 1h
	assert_json '.sessions | length == 2'
	run_holdfast report --json --until 2020-01-01
	assert_json '.sessions == []'
	cd "$BATS_TEST_TMPDIR"
	run_holdfast report --json --all
	assert_json '.sessions | length == 2'
	run_holdfast report --all
	assert_stdout_has "$PROJECT"
	run_holdfast report --json --project "$PROJECT"
	assert_json '.stops == 3'
	run_holdfast report --since soon
	assert_status 1
	assert_stderr_has "--since: 'soon' is no time"
}

@test "a loop that has not ended is running" {
	run_holdfast ralph start --max-iterations 5 --completion-promise DONE work
	hook
	assert_block
	assert_report '.loops | length == 1 and (.[0] | .reason == "running" and .iterations == 1 and .max_iterations == 5)' \
		'.sessions[0].iterations[0].number == 2'
	run_holdfast report
	assert_stdout_has 'running: it has not ended'
	assert_stdout_has 'block  iteration 1 of 5'
}

@test "tools that the guards denied are counted, and are no stops" {
	write holdfast.yml <<<'guards: {protect: [locked.txt]}'
	hook '.hook_event_name = "PreToolUse" | .tool_name = "Write" | .tool_input = {file_path: "locked.txt", content: "x"}' holdfast hook PreToolUse
	assert_report '.stops == 0 and .denied == 1 and .sessions[0].iterations == []'
	run_holdfast report
	assert_stdout_has 'tools denied: 1'
	run_holdfast report --html "$PAGE"
	assert_page "$PAGE" '.denied == 1'
}

@test "a gate that passed on a retry is flaky" {
	write holdfast.yml <<<'gates: {test: {run: "test -e ../once || { touch ../once; exit 1; }", retries: 1}}'
	echo x >a.c
	hook
	assert_allow
	assert_report '.gates[0] | .flaky == 1 and .failed == 0'
}

@test "a journal that can't be read is an error, and anything else that can't is a note" {
	play_two_stops
	mkdir "${JOURNAL%/*}/loops.jsonl"
	assert_report '.stops == 2 and (.notes | length == 1 and (.[0] | test("loops.jsonl")))'
	run_holdfast report
	assert_stdout_has 'not read: '
	rm "$JOURNAL" && mkdir "$JOURNAL"
	run_holdfast report
	assert_status 1
	assert_stderr_has decisions.jsonl
}
