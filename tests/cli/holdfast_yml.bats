#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# holdfast.yml, the native configuration: what it turns on, which commands read it, and in which words they answer.

load helper
load reviews

# native < holdfast.yml: a project with it, on a branch of its own, with one change.
native() {
	write holdfast.yml
	git_project
	git checkout -q -b work
	echo change >change.txt
}

@test "a gate that fails blocks with its command, its output and its log, and nothing about a gauntlet" {
	native <<<'gates: {test: echo 1 failing; test -e ok}'
	hook
	assert_block '.status == "failed"' '.message == "✗ test failed"' '.systemMessage == "holdfast: ✗ test failed"' \
		'.reason | startswith("A gate of this project failed. Fix it; holdfast runs the gates again when you stop.")' \
		'.reason | contains("command: echo 1 failing; test -e ok")' '.reason | contains("    1 failing\n")' \
		".reason | contains(\"$PROJECT/.holdfast/check_._test.1.log\")" \
		'[.. | strings] | join(" ") | ascii_downcase | contains("gauntlet") | not'
	assert_stderr_lacks auntlet
	touch ok
	hook '.stop_hook_active = true'
	assert_allow '.status == "passed"' '.message == "✓ gates passed"'
}

@test "fixes are always verified, and the tries bound the blocks" {
	native <<-'END'
		gates: {test: "false"}
		tries: 2
	END
	hook
	assert_block
	hook '.stop_hook_active = true'
	assert_block
	hook '.stop_hook_active = true'
	assert_allow '.status == "retry_limit_exceeded"' '.message | contains("tries used: 2 of 2")'
}

@test "there is no interval: a change after a pass is checked" {
	native <<<'gates: {test: test ! -e broken}'
	hook
	assert_allow '.status == "passed"'
	touch broken
	hook
	assert_block
}

@test "a gate that passed is not run again while its files are unchanged" {
	native <<-'END'
		gates:
		  text: { run: echo text >>"$HOME/ran", files: ["*.txt"] }
		  each: { run: echo each >>"$HOME/ran", reuse: false }
	END
	hook
	assert_allow '.status == "passed"'
	echo other >other.c
	hook
	assert_allow '.status == "passed"'
	assert_equal "$(sort "$HOME/ran" | uniq -c | tr -s ' \n' ' ')" ' 2 each 1 text '
	echo again >>change.txt
	hook
	assert_allow '.status == "passed"'
	assert_equal "$(sort "$HOME/ran" | uniq -c | tr -s ' \n' ' ')" ' 3 each 2 text '
}

@test "without changes, and without a gate for them, there is nothing to check" {
	native <<<'gates: {js: {run: "false", files: ["*.js"]}}'
	hook
	assert_allow '.status == "no_applicable_gates"' '.message == "nothing to check: no gate is for these changes"'
	rm change.txt
	hook
	assert_allow '.status == "no_changes"' '.message == "nothing to check: no changes"'
	echo x >a.js
	hook
	assert_block
}

@test "a gate in a pattern runs in each directory with changes" {
	mkdir -p packages/{a,b}
	echo 1 >packages/a/f
	echo 1 >packages/b/f
	native <<<'gates: {build: {run: "false", in: packages/*}}'
	echo 2 >packages/b/f
	hook
	assert_block '.reason | contains("/packages/b\n")' '.reason | contains("packages/a") | not'
}

@test "a gate that takes too long has failed" {
	native <<<'gates: {slow: {run: sleep 30, timeout: 200ms}}'
	hook
	assert_block '.reason | contains("slow: Timed out")'
}

@test "the base is the branch of origin, else main or master" {
	write holdfast.yml <<-'END'
		gates:
		  test: echo ${BASE_BRANCH}; false
		tries: 9
	END
	git init -q -b master .
	git add -A
	git commit -q -m one
	git checkout -q -b work
	echo x >x
	hook
	assert_block '.reason | contains("    master\n")'
	assert_stderr_lacks 'does not exist'
	git branch main
	hook
	assert_block '.reason | contains("    main\n")'
	git update-ref refs/remotes/origin/trunk HEAD
	git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/trunk
	hook
	assert_block '.reason | contains("    origin/trunk\n")'
}

@test "a review is a gate too, and the agent learns how to answer its findings" {
	export ANSWERS=$BATS_TEST_TMPDIR/answers ASKED=$BATS_TEST_TMPDIR/asked
	mkdir -p "$ANSWERS" prompts
	echo 'Look for bugs in the words.' >prompts/words.md
	native <<<'gates: {words: {review: prompts/words.md, by: [codex, claude], files: ["*.txt"]}}'
	answers claude <<<'fails "change.txt:1:high:a bad word"'
	hook
	assert_block '.reason | startswith("A gate of this project failed.")' \
		'.reason | contains("words (claude@1): ")' '.reason | contains("change.txt:1 - a bad word")' \
		".reason | contains(\"findings: $PROJECT/.holdfast/review_._words_claude@1.1.json\")" \
		'.reason | contains("For each finding, fix the code")' \
		'[.. | strings] | join(" ") | ascii_downcase | contains("gauntlet") | not'
	grep -q 'Look for bugs in the words.' "$ASKED/claude.1/prompt"
	jq '.violations[0].status = "fixed" | .violations[0].result = "a better word"' .holdfast/*.1.json >x && mv x .holdfast/review_._words_claude@1.1.json
	echo better >change.txt
	answers claude <<<pass
	hook '.stop_hook_active = true'
	assert_allow '.status == "passed"'
}

@test "logs are in .holdfast, which git ignores" {
	native <<<'gates: {test: "false"}'
	run_holdfast run
	assert_status 1
	assert_file .holdfast/.gitignore '*'
	assert_file .holdfast/check_._test.1.log
	assert_equal "$(git status --porcelain)" '?? change.txt'
	assert_absent gauntlet_logs
	run_holdfast clean
	assert_status 0
	assert_file .holdfast/previous/check_._test.1.log
	assert_file .holdfast/.gitignore
}

@test "every command about gates reads it, from a directory below it too" {
	mkdir sub
	native <<-'END'
		gates:
		  test: npm test
		  lint: { run: npx eslint ., files: ["*.js"] }
		  build: { run: make, in: packages/* }
	END
	cd sub
	run_holdfast list
	assert_stdout $'test   npm test\nlint   npx eslint .  (for *.js)\nbuild  make  (in packages/*)'
	run_holdfast list --names
	assert_stdout $'test\nlint\nbuild'
	run_holdfast detect
	assert_stdout_has $'Would run 1 gate:\n  test  (change.txt changed)'
	run_holdfast validate
	assert_status 0
	assert_stdout "$PROJECT/holdfast.yml: valid"
	run_holdfast config
	assert_stdout_has 'gates.test.run             "npm test"  (project, '
	assert_stdout_has 'tries                      3  (default)'
	run_holdfast health
	assert_stdout_has '  holdfast.yml'
	assert_stdout_has 'No gate is a review'
	run_holdfast doctor
	assert_stdout_has 'holdfast.yml: 3 checks, 0 reviews'
	assert_stdout_lacks auntlet
	run_holdfast ci list-jobs
	assert_status 1
	assert_stderr_has "let the CI job call 'holdfast run'"
}

@test "check and run say nothing about a gauntlet" {
	native <<<'gates: {test: "true"}'
	run_holdfast check
	assert_status 0
	assert_stderr_lacks auntlet
	assert_stdout_lacks auntlet
	run_holdfast run --gate tset
	assert_stderr_lacks auntlet
	assert_stderr_has "did you mean 'test'?"
	rm change.txt
	run_holdfast run
	assert_stderr_has 'nothing to check: no changes since '
	assert_stderr_lacks auntlet
}

@test "old files beside it have no effect, and validate and doctor name them" {
	write .gauntlet/config.yml <<<'no: config'
	write .conclaude.yaml <<-'END'
		stop:
		  commands: [{run: "touch ran; false"}]
	END
	native <<<'gates: {test: "true"}'
	hook
	assert_allow '.status == "passed"'
	assert_absent ran
	run_holdfast validate
	assert_status 0
	assert_stderr_has "$PROJECT/.gauntlet/config.yml: warning: has no effect: holdfast.yml configures this project alone"
	assert_stderr_has "$PROJECT/.conclaude.yaml: warning: has no effect"
	run_holdfast doctor
	assert_stdout_has '.gauntlet/config.yml has no effect'
	assert_stdout_has '.conclaude.yaml has no effect'
	assert_stdout_lacks 'stop command'
}

@test "a nearer .gauntlet is a project of its own" {
	native <<<'gates: {test: "false"}'
	write sub/.gauntlet/config.yml <<-'END'
		base_branch: main
		cli: {default_preference: [claude]}
		entry_points: [{path: ., checks: [ok]}]
	END
	write sub/.gauntlet/checks/ok.yml <<<'command: "true"'
	hook ".cwd = \"$PROJECT/sub\""
	assert_allow '.status == "passed"' '.message | startswith("✓ Gauntlet passed")'
}

@test "an error has its place and a suggestion, everywhere" {
	native <<-'END'
		gates:
		  test: { run: "true", timout: 5m }
	END
	local expected="holdfast.yml:2:24: gates.test.timout: unknown key 'timout', did you mean 'timeout'?"
	run_holdfast validate
	assert_status 1
	assert_stderr_has "$PROJECT/$expected"
	run_holdfast run
	assert_status 1
	assert_stderr_has "$expected"
	run_holdfast doctor
	assert_stdout_has "gates.test.timout: unknown key 'timout'"
	hook
	assert_allow '.status == "error"' ".message | contains(\"gates were not checked: $PROJECT/$expected\")"
}

@test "init --gates writes no .gauntlet beside it" {
	native <<<'gates: {test: "true"}'
	run_holdfast init --gates
	assert_stdout_has 'holdfast.yml is there and configures the gates'
	assert_absent .gauntlet
}

@test "agent-gauntlet's commands and hook read it as well" {
	native <<<'gates: {test: "false"}'
	hook . agent-gauntlet stop-hook
	assert_block '.message == "✗ test failed"'
	run_command agent-gauntlet list
	assert_stdout 'test  false'
}

@test "the schemas for editors are those that the program's tables give, with every key" {
	for name in holdfast conclaude gauntlet gauntlet-check gauntlet-review gauntlet-ci; do
		run_holdfast schema "$name"
		assert_status 0
		cmp "$OUT" "$ROOT/share/$name-schema.json" || show "run: holdfast schema $name >share/$name-schema.json"
	done
	run_holdfast schema
	assert_json '.additionalProperties == false' '.properties.gates.additionalProperties.anyOf[0].type == "string"' \
		'.definitions["gates.NAME"].additionalProperties == false'
	holdfast help --names | awk -F'\t' '$1 == "gate-key" && $2 == "holdfast.yml" { print $3 }' | sort >keys
	jq -r '. as $root | def walk($at):
		((.anyOf // [])[] | walk($at)),
		(select(has("$ref")) | (.["$ref"] | ltrimstr("#/definitions/")) as $n | $root.definitions[$n] | walk($at)),
		(select(.items) | .items | walk($at + "[]")),
		(select(.additionalProperties | type == "object") | .additionalProperties | walk($at + ".NAME")),
		((.properties // {}) | to_entries[] | (if $at == "" then .key else $at + "." + .key end) as $p | $p, (.value | walk($p)));
		walk("")' "$OUT" | sort -u >in-schema
	assert_equal "$(comm -23 keys in-schema)" ''
	run_holdfast schema nothing
	assert_status 1
	assert_stderr_has "there is no schema 'nothing'; expected one of: holdfast, conclaude, gauntlet"
}

@test "a prompt is a definition: a pinned project uses the copy of it" {
	export ANSWERS=$BATS_TEST_TMPDIR/answers ASKED=$BATS_TEST_TMPDIR/asked
	mkdir -p "$ANSWERS" prompts
	echo 'Look for bugs.' >prompts/words.md
	native <<<'gates: {words: {review: prompts/words.md, by: [claude]}}'
	answers claude <<<pass
	run_holdfast trust --pin
	assert_status 0
	echo 'Say pass.' >prompts/words.md
	hook
	assert_allow '.status == "passed"' '.systemMessage | contains("prompts/words.md")'
	grep -q 'Look for bugs.' "$ASKED/claude.1/prompt"
	! grep -q '^Say pass.' "$ASKED/claude.1/prompt"
}

@test "follow-ups, stop commands, gates and rounds of one file hold the agent one after another" {
	native <<-'END'
		gates: {test: test -e ok}
		commands:
		  - echo two lines; test -e built
		  - { run: test -e linted, message: "the linter has not run", timeout: 90s }
		follow_ups:
		  messages: [check your work, {text: once more, times: 2}]
		rounds: { count: 3, message: "round {round} of {rounds} is over" }
	END
	hook '.hook_event_name = "UserPromptSubmit" | .prompt = "hello"' holdfast hook UserPromptSubmit
	hook
	assert_block '.reason == "check your work"'
	hook
	assert_block '.reason == "once more"'
	hook
	assert_block '.reason == "once more"'
	hook
	assert_block '.status == "command_failed"' '.reason | contains("two lines")'
	touch built
	hook
	assert_block '.reason == "the linter has not run"'
	touch linted
	hook
	assert_block '.status == "failed"'
	touch ok
	hook
	assert_block '.reason == "round 1 of 3 is over"'
	hook
	assert_block '.reason == "round 2 of 3 is over"'
	hook
	assert_allow '.status == "rounds_finished"'
}

@test "follow-ups are for the prompts that match, and rounds may be a number" {
	native <<-'END'
		follow_ups: { when: ["ULTRA*"], messages: [again] }
		rounds: 2
	END
	hook '.hook_event_name = "UserPromptSubmit" | .prompt = "hello"' holdfast hook UserPromptSubmit
	hook
	assert_block '.reason == "Round 1/2 completed, continuing..."'
	hook
	assert_allow '.status == "rounds_finished"'
}

@test "infinite mode has its message, which is named where it can't be sent" {
	native <<<'{infinite: true, infinite_message: find more bugs}'
	hook
	assert_block '.status == "infinite"' '.reason == "find more bugs"'
	echo '{rounds: 2, infinite_message: find more bugs}' >holdfast.yml
	run_holdfast validate
	assert_stderr_has "holdfast.yml:1:31: warning: infinite_message: without 'infinite: true' it is never sent"
}

@test "a mistake in a policy is told once, with its place, and nothing of the file runs" {
	native <<-'END'
		gates: {test: touch ran}
		rounds: none
	END
	hook
	assert_allow '.message | [scan("holdfast.yml:2:9")] | length == 1' '.message | contains("expected an integer")'
	assert_absent ran
}

@test "doctor says what a holdfast.yml turns on besides its gates" {
	native <<-'END'
		commands: ["true"]
		rounds: 4
	END
	run_holdfast doctor
	assert_stdout_has 'commands: holdfast.yml: 1 stop command'
	assert_stdout_has 'rounds: holdfast.yml: 4 a session'
}

@test "a fix is tried once, then the gate itself decides" {
	native <<-'END'
		gates:
		  format: { run: test -e formatted, fix: 'echo fix >>"$HOME/ran"; touch formatted' }
	END
	hook
	assert_allow '.status == "passed"' '.systemMessage | contains("the fix of format changed ")'
	assert_file "$HOME/ran" fix
	write holdfast.yml <<-'END'
		gates:
		  format: { run: test -e other, fix: 'echo again >>"$HOME/ran"' }
	END
	hook
	assert_block '.reason | contains("format: Exited with code 1")'
	assert_file "$HOME/ran" $'fix\nagain'
}

@test "a fix that hangs is ended with the gate's time limit, and the failure stays known" {
	native <<-'END'
		gates:
		  format: { run: test -e formatted, fix: sleep 60, timeout: 1s }
	END
	hook
	assert_block '.reason | contains("format: Exited with code 1")'
}

@test "a pass on a retry counts and is told to be flaky; without one left the failure counts" {
	native <<-'END'
		gates:
		  flaky: { run: 'echo x >>"$HOME/ran"; [ $(wc -l <"$HOME/ran") -ge 3 ]', retries: 2 }
	END
	hook
	assert_allow '.systemMessage | contains("flaky passed on a retry: it is flaky")'
	echo other >change.txt
	rm "$HOME/ran"
	sed -i 's/retries: 2/retries: 1/' holdfast.yml
	hook
	assert_block
	assert_equal "$(wc -l <"$HOME/ran")" 2
}

@test "a gate waits for those it needs, and is skipped where one of them has not passed" {
	native <<-'END'
		gates:
		  test: { run: 'test -e built && echo test >>"$HOME/ran"', needs: [build] }
		  last: { run: 'echo last >>"$HOME/ran"', needs: [test, broken] }
		  build: sleep 0.2; touch built
		  broken: "false"
	END
	hook
	assert_block '.reason | contains("broken: Exited")' '.reason | contains("last: ") | not'
	assert_file "$HOME/ran" test
}

@test "gates run in parallel, an exclusive one alone" {
	native <<-'END'
		gates:
		  alone: { run: 'mkdir "$HOME/lock" && sleep 0.2 && rmdir "$HOME/lock"', exclusive: true }
		  one: { run: '[ ! -e "$HOME/lock" ] && touch "$HOME/one" && for i in $(seq 200); do [ -e "$HOME/two" ] && exit; sleep 0.02; done; exit 1' }
		  two: { run: '[ ! -e "$HOME/lock" ] && touch "$HOME/two" && for i in $(seq 200); do [ -e "$HOME/one" ] && exit; sleep 0.02; done; exit 1' }
	END
	hook
	assert_allow '.status == "passed"'
}

@test "a gate that needs itself, or one that is not there, is an error with its place" {
	native <<-'END'
		gates:
		  a: { run: x, needs: [b] }
		  b: { run: x, needs: [a] }
		  c: { run: x, needs: [bb] }
		  d: { review: p.md, retries: 1 }
	END
	echo look >p.md
	run_holdfast validate
	assert_status 1
	assert_stderr_has 'holdfast.yml:2:23: gates.a.needs: the gate needs itself'
	assert_stderr_has "holdfast.yml:4:23: gates.c.needs: there is no gate 'bb'"
	assert_stderr_has 'gates.d.retries: only a command has it, and this gate is a review'
}

@test "rounds alone need neither gates nor git" {
	mkdir "$BATS_TEST_TMPDIR/plain" && cd "$BATS_TEST_TMPDIR/plain"
	echo 'rounds: 2' >holdfast.yml
	hook ".cwd = \"$PWD\""
	assert_block '.reason == "Round 1/2 completed, continuing..."'
	hook ".cwd = \"$PWD\""
	assert_allow '.status == "rounds_finished"' '.message == "all 2 rounds are finished"'
	echo 'round: 2' >holdfast.yml
	hook ".cwd = \"$PWD\""
	assert_allow '.message | contains("unknown key")'
}

@test "{files} is the changed files that the gate is for, each one word, seen from its directory" {
	native <<-'END'
		gates:
		  all: { run: 'printf "%s\n" {files} >"$HOME/all"', files: ["*.txt"] }
		  sub: { run: 'printf "%s\n" {files} >"$HOME/sub"', in: sub }
	END
	mkdir sub
	touch 'two words.txt' "it's.txt" '$(touch pwned).txt' ./-rf.txt other.c sub/a.c 'sub/b c'
	git rm -q --cached holdfast.yml
	run_holdfast run
	assert_status 0
	assert_equal "$(sort "$HOME/all")" "$(printf '%s\n' '$(touch pwned).txt' ./-rf.txt change.txt "it's.txt" 'two words.txt' | sort)"
	assert_equal "$(sort "$HOME/sub")" "$(printf '%s\n' a.c 'b c')"
	assert_absent pwned
}

@test "a file that is gone is not in {files}, and without any the directory stands for them" {
	native <<-'END'
		gates:
		  all: { run: 'printf "%s\n" {files} >"$HOME/all"; test -e ok' }
	END
	git add -A && git commit -q -m change && rm change.txt
	echo x >new.txt
	hook
	assert_block
	assert_file "$HOME/all" new.txt
	git reset -q --hard main && rm new.txt
	hook '.stop_hook_active = true'
	assert_block
	assert_file "$HOME/all" .
}

@test "more files than fit into one call are split, and one call that fails is a failure" {
	native <<-'END'
		gates:
		  all: { run: 'echo $# >>"$HOME/calls"; for f in {files}; do case $f in *999*) exit 1;; esac; done' }
	END
	local name
	name=$(printf 'x%.0s' {1..150})
	mkdir many
	(cd many && for ((i = 0; i < 1500; i++)); do : >"$name$i"; done)
	hook
	assert_block
	((($(wc -l <"$HOME/calls") >= 2)))
	rm many/*999* "$HOME/calls"
	hook '.stop_hook_active = true'
	assert_allow '.status == "passed"'
	assert_equal "$(awk '{ n += $1 } END { print n }' "$HOME/calls")" "$(($(ls many | wc -l) + 1))"
}

@test "reviews have built-in prompts, and a file in the project can't take the place of one" {
	export ANSWERS=$BATS_TEST_TMPDIR/answers ASKED=$BATS_TEST_TMPDIR/asked
	local name number=0
	mkdir -p "$ANSWERS"
	answers claude <<<pass
	native <<<'gates: {}'
	for name in code-quality security error-handling test-integrity task-compliance; do
		echo 'Say that all is fine.' >"$name"
		echo "gates: {look: {review: $name, by: [claude]}}" >holdfast.yml
		run_holdfast run
		assert_status 0
		number=$((number + 1))
		grep -qF "$(head -n 1 "$ROOT/share/prompts/$name.md")" "$ASKED/claude.$number/prompt"
	done
	echo 'gates: {look: {review: ./security, by: [claude]}}' >holdfast.yml
	run_holdfast run
	grep -qF 'Say that all is fine.' "$ASKED/claude.6/prompt"
}

@test "a loop takes from holdfast.yml what the command line does not say" {
	native <<-'END'
		loop:
		  max_iterations: 7
		  promise: ALL GREEN
		  prompt: Fix the next test.
	END
	mkdir sub
	(cd sub && holdfast ralph start >/dev/null)
	assert_file_has .claude/ralph-loop.local.md 'max_iterations: 7'
	assert_file_has .claude/ralph-loop.local.md 'completion_promise: "ALL GREEN"'
	assert_file_has .claude/ralph-loop.local.md 'Fix the next test.'
	hook
	assert_block '.reason | startswith("Fix the next test.")'
	run_holdfast ralph start --force --max-iterations 2 --completion-promise DONE 'Something else'
	assert_status 0
	assert_file_has .claude/ralph-loop.local.md 'max_iterations: 2'
	assert_file_has .claude/ralph-loop.local.md 'completion_promise: "DONE"'
	assert_file_lacks .claude/ralph-loop.local.md 'Fix the next test.'
	echo '  max_iteration: 7' >>holdfast.yml
	run_holdfast ralph start --force Again
	assert_status 1
	assert_stderr_has "holdfast.yml:5:3: loop.max_iteration: unknown key 'max_iteration', did you mean 'max_iterations'?"
}

@test "mistakes in guards are named with line and column" {
	cat >holdfast.yml <<-'END'
		guards:
		  use: [destructive, secret]
		  protect: [package.json, {path: "locked/**", mesage: x}]
		  commands: {deny: git push, ask: [{message: x}]}
		  unknown: maybe
		  tests: {allow: [{file: a}]}
	END
	run_holdfast validate
	assert_status 1
	assert_stderr_has 'holdfast.yml:2:22: guards.use[1]: expected one of destructive, secrets, settings'
	assert_stderr_has "holdfast.yml:3:47: guards.protect[1].mesage: unknown key 'mesage', did you mean 'message'?"
	assert_stderr_has "holdfast.yml:4:36: guards.commands.ask[0].command: missing key 'command'"
	assert_stderr_has 'holdfast.yml:5:12: guards.unknown: expected one of allow, ask, deny'
	assert_stderr_has "holdfast.yml:6:19: guards.tests.allow[0].reason: missing key 'reason'"
}

@test "the hint of a gate that failed is told to the agent, and that of .gauntlet, too" {
	git_project
	printf 'gates:\n  test:\n    run: "false"\n    hint: start the database first\n' >holdfast.yml
	holdfast trust >/dev/null
	hook
	assert_block '.reason | contains("\n  hint: start the database first\n")'
	rm holdfast.yml
	mkdir -p .gauntlet/checks
	printf 'base_branch: main\ncli: {default_preference: [claude]}\nentry_points: [{path: ., checks: [t]}]\nstop_hook: {reverify: true}\n' >.gauntlet/config.yml
	printf 'command: "false"\nfix_instructions: fix.md\n' >.gauntlet/checks/t.yml
	echo 'ask Kim' >.gauntlet/fix.md
	holdfast trust >/dev/null
	hook
	assert_block '.reason | contains("\n  hint: ask Kim\n")' '.reason | contains("\n  this gate alone: holdfast run t\n")' '.reason | utf8bytelength < 600'
	run_holdfast run t
	assert_status 1
}

@test "rounds beside infinite mode are a warning of validate" {
	printf 'rounds: 3\ninfinite: true\n' >holdfast.yml
	run_holdfast validate
	assert_status 0
	assert_stderr_has 'holdfast.yml:1:9: warning: rounds: rounds and infinite are both set'
}

@test "validate --config-path reads a holdfast.yml as one" {
	mkdir other
	printf 'gates: {test: make test}\n' >other/holdfast.yml
	for path in other/holdfast.yml other; do
		run_holdfast validate --config-path $path
		assert_status 0
		assert_stdout "$PROJECT/other/holdfast.yml: valid"
	done
	printf 'gates: {test: {rum: make test}}\n' >other/holdfast.yml
	run_holdfast validate --config-path other/holdfast.yml
	assert_status 1
	assert_stderr_has "other/holdfast.yml:1:16: gates.test.rum: unknown key 'rum', did you mean 'run'?"
}

@test "a stop after a block of somebody else is told of in plain words" {
	printf 'rounds: 1\n' >holdfast.yml
	holdfast trust >/dev/null
	hook '.stop_hook_active = true | del(.session_id)'
	assert_allow '.status == "stop_hook_active"' '.message | contains("cycle") | not'
	GAUNTLET_STOP_HOOK_ACTIVE=1 hook
	assert_allow '.status == "stop_hook_active"' '.message | contains("a gate or a review runs this agent")'
}

@test "who reads of a gate that failed before is told its name, and where it runs" {
	mkdir -p src
	git_project
	printf 'gates:\n  test: {run: "false", parallel: false}\n  lint: {run: "false", parallel: false, in: src}\n' >holdfast.yml
	touch src/new
	holdfast trust >/dev/null
	hook
	assert_block '.status == "failed"'
	run_holdfast doctor
	assert_stdout_has 'gates: test, lint in src have failed and not passed since'
	hook && hook && hook
	assert_allow '.status == "retry_limit_exceeded"' '.message | contains("test, lint in src still fail;")'
}

@test "a log directory that a killed run left without its .gitignore gets one, and an own one stays" {
	write holdfast.yml <<<'gates: {test: "true"}'
	git_project
	mkdir .holdfast
	echo x >a.c
	run_holdfast run
	assert_file .holdfast/.gitignore '*'
	: >.holdfast/.gitignore
	echo y >a.c
	run_holdfast run
	assert_file .holdfast/.gitignore ''
}

@test "each try of a gate has the same environment" {
	cat >holdfast.yml <<-'END'
		gates:
		  test:
		    run: tr '\0' '\n' </proc/$$/environ | grep -c ^GAUNTLET_STOP_HOOK_ACTIVE= >>../marks; exit 1
		    retries: 2
	END
	git_project
	hook
	assert_json '.status == "failed"'
	[[ $(sort -u ../marks) == 1 && $(wc -l <../marks) == 3 ]]
}
