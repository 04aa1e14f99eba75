#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# conclaude validate and holdfast validate: what is right, what is wrong and where, what gets a warning. Also the schema.
load helper

validate() { run_command conclaude validate "$@"; }
# invalid YAML PLACE-AND-ERROR PHRASE...: is refused, with the place first and these words after it.
invalid() {
	local phrase
	write .conclaude.yaml <<<"$1"
	validate
	assert_status 1
	assert_stdout ''
	[[ $(head -1 "$ERR") == "$PROJECT/.conclaude.yaml:$2"* ]] || show "the first line is not: $2"
	assert_stderr_has 'Configuration validation failed'
	shift 2
	for phrase; do assert_stderr_has "$phrase"; done
}
# warned YAML PLACE-AND-WARNING...: is accepted, with these warnings.
warned() {
	local warning
	write .conclaude.yaml <<<"$1"
	validate
	assert_status 0
	shift
	for warning; do assert_stderr_has "$PROJECT/.conclaude.yaml:$warning"; done
	assert_equal "$(wc -l <"$ERR")" $#
}

@test "a valid file is summed up" {
	write .conclaude.yaml <<-'END'
		stop:
		  commands: [{run: a}, {run: b}]
		  infinite: false
		  rounds: 5
		  promptPrefixBlocking: {prefixes: [A*], messages: [{text: x, times: 2}, {text: y}]}
		preToolUse:
		  preventRootAdditions: false
	END
	validate
	assert_status 0
	assert_stderr_empty
	assert_stdout "[OK] Configuration is valid!
   Config file: $PROJECT/.conclaude.yaml

Configuration summary:
   Stop commands: 2
   Prompt prefix blocking: 1 pattern(s), 2 message(s), sent 3 time(s) in all
   Prevent root additions: false
   Uneditable files: 0 pattern(s)
   Tool usage validation: 0 rule(s)
   Infinite mode: false
   Rounds: 5
   Notifications enabled: false"
}

@test "an empty file is valid, and so are nulls" {
	: >.conclaude.yaml
	validate
	assert_status 0
	assert_stdout_has 'Prevent root additions: true'
	assert_stdout_lacks 'Rounds:'
	echo 'stop: {rounds: null, infiniteMessage: ~}' >.conclaude.yaml
	validate
	assert_status 0
	assert_stdout_lacks 'Rounds:'
}

@test "counts are those of the file" {
	echo 'preToolUse: {uneditableFiles: [a, {pattern: b}], toolUsageValidation: [{tool: Bash, pattern: x, action: block}]}
notifications: {enabled: true, hooks: ["*"]}' >.conclaude.yaml
	validate
	assert_status 0
	assert_stdout_has 'Uneditable files: 2 pattern(s)'
	assert_stdout_has 'Tool usage validation: 1 rule(s)'
	assert_stdout_has 'Notifications enabled: true'
	assert_stderr_empty
}

@test "a file of any name, and a directory to start from" {
	write deep/er/x <<<''
	write deep/my-config.txt <<<'stop: {rounds: 10}'
	write deep/.conclaude.yml <<<'stop: {infinite: true}'
	validate --config-path deep/my-config.txt
	assert_status 0
	assert_stdout_has 'Config file: deep/my-config.txt'
	assert_stdout_has 'Rounds: 10'
	validate --config-path=deep/er
	assert_status 0
	assert_stdout_has "Config file: $PROJECT/deep/.conclaude.yml"
	assert_stdout_has 'Infinite mode: true'
}

@test "the name that ends in yaml wins in a directory, and the nearest directory wins" {
	echo 'stop: {rounds: 2}' >.conclaude.yaml
	echo 'stop: {rounds: 3}' >.conclaude.yml
	validate
	assert_stdout_has 'Rounds: 2'
	mkdir below && echo 'stop: {rounds: 4}' >below/.conclaude.yml && cd below
	validate
	assert_stdout_has 'Rounds: 4'
}

@test "it is looked for in 12 directories, past package.json and past a repository" {
	echo 'stop: {rounds: 7}' >.conclaude.yaml
	mkdir -p 1/2/3/4/5/6/7/8/9/10/11/12 && cd 1/2/3/4/5/6/7/8/9/10/11
	echo '{}' >package.json
	mkdir .git
	validate
	assert_status 0
	assert_stdout_has 'Rounds: 7'
	cd 12
	validate
	assert_status 1
	assert_stderr_has 'Configuration file not found'
	assert_stderr_has "$PWD/.conclaude.yaml"
	assert_stderr_has "Run 'conclaude init'"
	CLAUDE_PROJECT_DIR=$PROJECT validate
	assert_status 0
}

@test "holdfast validate looks where holdfast does: not beyond the repository" {
	echo 'stop: {rounds: 7}' >.conclaude.yaml
	mkdir -p repo/.git && cd repo
	run_holdfast validate
	assert_status 1
	assert_stderr_has "there is no holdfast.yml, .gauntlet/config.yml or .conclaude.yaml in $PWD or above it; 'holdfast init'"
	assert_stderr_lacks 'conclaude init'
	echo 'stop: {rounds: 8}' >.conclaude.yaml
	run_holdfast validate
	assert_status 0
	assert_stdout_has 'Rounds: 8'
}

@test "a path that is not there, or is neither a file nor a directory" {
	validate --config-path nowhere
	assert_status 1
	assert_stderr_has 'Path not found: nowhere'
	validate --config-path /dev/null
	assert_status 1
	assert_stderr_has 'Path is not a regular file or directory: /dev/null'
	validate --config-path
	assert_status 1
	validate extra
	assert_status 1
}

@test "an unknown field" {
	invalid 'stop: {infinit: true}' '1:8: stop.infinit: unknown key' 'unknown field' "did you mean 'infinite'" \
		'Common causes:' 'Valid field names in stop:' 'commands, infinite, infiniteMessage, rounds, promptPrefixBlocking'
	invalid 'stopp: {}' '1:1: stopp: unknown key' 'unknown field' "'stop'" 'Valid field names at the top:' 'preToolUse, database'
	invalid 'stop: {commands: [{runn: x}]}' '1:20: stop.commands[0].runn: ' 'Valid field names in stop.commands[0]:' 'run, message'
	invalid 'setup: {commands: {"a.b": [{run: x, wxyz: 1}]}}' '1:37: ' 'Valid field names in setup.commands["a.b"][0]:' 'run, message'
	invalid 'notifications: {show_errors: true}' '1:17: ' 'unknown field' 'showErrors, showSuccess, showSystemEvents'
	invalid 'rules: {}' '1:' 'unknown field'
	invalid 'stop: {grepRules: []}' '1:' 'unknown field'
}

@test "a value of the wrong type" {
	invalid 'stop: {infinite: "true"}' '1:18: stop.infinite: expected a boolean' 'invalid type' 'Common causes:' 'Examples'
	invalid 'stop: {infinite: yes}' '1:18: ' 'invalid type'
	invalid 'stop: {rounds: "3"}' '1:16: ' 'invalid type'
	invalid 'stop: {commands: [{run: x, notifyPerCommand: 3}]}' '1:46: stop.commands[0].notifyPerCommand' 'invalid type'
	invalid 'stop: ~' '1:7: ' 'invalid type'
	invalid '- a' '1:1: ' 'invalid type for the document'
	invalid 'permissionRequest: {default: maybe}' '1:30: permissionRequest.default' 'allow' 'deny'
}

@test "a value out of range" {
	invalid 'stop: {rounds: 0}' '1:16: stop.rounds: ' 'Range validation failed for stop.rounds' 'Valid range: 1 to 4294967295'
	for value in 0 10001 -1; do
		invalid "stop: {commands: [{run: x, maxOutputLines: $value}]}" '1:44: stop.commands[0].maxOutputLines: ' \
			'Range validation failed for stop.commands[0].maxOutputLines' 'Valid range: 1 to 10000'
	done
	for value in 0 3601; do
		invalid "setup: {commands: {'*': [{run: x, timeout: $value}]}}" '1:44: setup.commands["*"][0].timeout: ' \
			'Range validation failed for setup.commands["*"][0].timeout' 'Valid range: 1 to 3600'
	done
}

@test "other mistakes" {
	invalid $'stop:\n\tinfinite: true' '2:1: ' 'YAML syntax error' 'Common causes:'
	invalid 'stop: [' '2:1: ' 'YAML syntax error'
	invalid $'stop: {}\nstop: {}' '2:1: stop: duplicate key' 'duplicate field'
	invalid 'stop: {commands: [{message: x}]}' "1:19: stop.commands[0].run: missing key 'run'" 'missing field in stop.commands[0]'
	invalid 'setup: {commands: {" ": []}}' '1:' 'Pattern key cannot be empty'
	invalid 'stop: {promptPrefixBlocking: {messages: [{text: " "}]}}' '1:49: stop.promptPrefixBlocking.messages[0].text: '
}

@test "words in the file's own name, or in a key, are not taken for the mistake" {
	write "expected a 5: b/.conclaude.yaml" <<<'stop: {rounds: 0}'
	validate --config-path "expected a 5: b/.conclaude.yaml"
	assert_status 1
	assert_stderr_has 'Configuration validation failed: Range validation failed for stop.rounds'
	assert_stderr_has 'Valid range: 1 to 4294967295'
	write "x: expected b/.conclaude.yaml" <<<'stop: {round: 0}'
	validate --config-path "x: expected b"
	assert_status 1
	assert_stderr_has 'Configuration validation failed: unknown field stop.round'
	assert_stderr_has 'Valid field names in stop'
	invalid 'subagentStop: {commands: {"unknown key ": [{run: x, timeout: 0}]}}' '1:62: ' \
		'Range validation failed for subagentStop.commands["unknown key "][0].timeout' 'Valid range: 1 to 3600'
}

@test "a malformed pattern" {
	invalid 'stop: {promptPrefixBlocking: {prefixes: ["A*", "[z"], messages: [{text: x}]}}' \
		'1:48: stop.promptPrefixBlocking.prefixes[1]: ' 'invalid pattern in stop.promptPrefixBlocking.prefixes[1]'
	invalid 'userPromptSubmit: {contextRules: [{pattern: a, prompt: b}, {pattern: "(", prompt: b}]}' \
		'1:70: userPromptSubmit.contextRules[1].pattern: ' 'invalid pattern in userPromptSubmit.contextRules[1].pattern'
	invalid 'preToolUse: {uneditableFiles: ["[", "a**"]}' '1:32: preToolUse.uneditableFiles[0]: ' ' and 1 more'
}

@test "a suspicious value is a warning" {
	warned 'stop: {rounds: 3, infinite: true}' '1:16: warning: stop.rounds: rounds and infinite are both set'
	warned 'stop: {rounds: 10}' '1:16: warning: stop.rounds: 9 stops in a row may be blocked (0 by messages, 9 by rounds), and Claude Code ends the turn after 8'
	assert_stderr_has CLAUDE_CODE_STOP_HOOK_BLOCK_CAP
	warned 'stop: {rounds: 9}'
	warned 'stop: {promptPrefixBlocking: {prefixes: [PLAN], messages: [{text: x}]}}' \
		'1:42: warning: stop.promptPrefixBlocking.prefixes[0]: matches only a prompt that is exactly'
	warned "stop: {promptPrefixBlocking: {prefixes: ['$(printf 'x%.0s' {1..101})*'], messages: [{text: x}]}}" \
		'1:42: warning: stop.promptPrefixBlocking.prefixes[0]: never matches'
	warned $'stop: {promptPrefixBlocking: {prefixes: [A*], messages: [{text: x}]}}\ndatabase: {enabled: false}' \
		'2:21: warning: database.enabled: is false'
	warned 'stop: {promptPrefixBlocking: {prefixes: [A*], messages: [{text: x, times: 0}]}}' \
		'1:30: warning: stop.promptPrefixBlocking: does nothing'
	warned 'stop: {promptPrefixBlocking: {prefixes: [A*], messages: [{text: x, times: 9}]}}' \
		'1:30: warning: stop.promptPrefixBlocking: 9 stops in a row may be blocked'
	warned 'stop: {promptPrefixBlocking: {prefixes: [A*], messages: [{text: x, times: 8}]}}'
}

@test "colour only where it is wanted" {
	echo 'stop: {}' >.conclaude.yaml
	validate
	assert_stdout_lacks $'\e['
	CLICOLOR_FORCE=1 validate
	assert_stdout_has $'\e[32m[OK]\e[0m'
}

@test "the schema is the one that the program's tables give" {
	run_command conclaude schema
	assert_status 0
	cmp "$OUT" "$ROOT/share/conclaude-schema.json" || show "run: conclaude schema >share/conclaude-schema.json"
	run_command conclaude --help
	assert_stdout_lacks schema
}

@test "the schema has every key, and each reference in it leads somewhere" {
	holdfast help --names | sed -n 's/^key\t//p' >keys
	[[ $(wc -l <keys) -gt 100 ]]
	jq -r '. as $root
		| def named: ltrimstr("#/definitions/");
		  def resolve: if has("$ref") then $root.definitions[."$ref" | named] else . end;
		  def item: if .items then .items | (if .anyOf then .anyOf[1] else . end) | resolve
			elif (.additionalProperties | type) == "object" then .additionalProperties | item else empty end;
		  def walk($path): (.properties // {}) | to_entries[] | ($path + .key) as $here
			| $here, (.value | walk($here + ".")), (.value | item | walk($here + "[]."));
		  walk("")' "$ROOT/share/conclaude-schema.json" | sort -u >in-schema
	assert_equal "$(comm -23 <(sort keys) in-schema)" ''
	jq -e '. as $root | [.. | objects | ."$ref" // empty | ltrimstr("#/definitions/")]
		| length > 0 and all(. as $name | $root.definitions | has($name))' "$ROOT/share/conclaude-schema.json"
}
