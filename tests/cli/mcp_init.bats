#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# How init registers holdfast mcp with the clients, and how uninstall removes it.

load helper

SERVER='{"command":"holdfast","args":["mcp"]}'
server() { jq -c .mcpServers.holdfast "${1:-.mcp.json}"; }

@test "init registers the server in the project, once, and uninstall removes it" {
	run_holdfast init
	assert_status 0
	assert_stdout_has '  added     mcpServers.holdfast  holdfast mcp'
	assert_stdout_has 'asks you once'
	assert_equal "$(jq -c . .mcp.json)" "{\"mcpServers\":{\"holdfast\":$SERVER}}"
	assert_mode .mcp.json 644
	cp .mcp.json before
	run_holdfast init
	assert_stdout_has '  kept      mcpServers.holdfast  holdfast mcp'
	cmp before .mcp.json
	run_holdfast uninstall
	assert_status 0
	assert_stdout_has "removed   the server 'holdfast mcp'"
	assert_absent .mcp.json
	assert_absent .claude
}

@test "the user's own text stays byte for byte" {
	local text
	git init -q .
	for text in '{}' $'{\n}\n' ' { "mcpServers" : { } } ' $'{\n\t"mcpServers": {\n\t\t"db": {"command": "db"} // ours\n\t},\n\t"x": [1,\n2]\n}' '{"mcpServers":{"a":{"command":"b","args":[]}}}' $'{\r\n  "other": 1\r\n}\r\n'; do
		printf '%s' "$text" >.mcp.json
		cp .mcp.json before
		run_holdfast init
		assert_status 0
		holdfast doctor | grep -qF "the agent's questions: holdfast mcp (.mcp.json)"
		run_holdfast init
		assert_stdout_has 'kept      mcpServers.holdfast'
		run_holdfast uninstall
		cmp before .mcp.json
	done
}

@test "--no-mcp leaves it out, as do settings that are not the project's" {
	local option
	for option in --no-mcp --local --user --dry-run; do
		run_holdfast init $option
		assert_status 0
		assert_absent .mcp.json
	done
	assert_stdout_has '.mcp.json (dry run: nothing is written)'
}

@test "a file that can't be edited is left alone, and the hooks are registered all the same" {
	local text
	for text in '{' '[]' '{"mcpServers": 1}'; do
		echo "$text" >.mcp.json
		run_holdfast init
		assert_status 0
		assert_stdout_has '.mcp.json:'
		assert_stdout_has 'was not registered'
		assert_file .mcp.json "$text"
		jq -e .hooks.Stop .claude/settings.json >/dev/null
	done
}

@test "a server of that name that starts something else is the user's" {
	echo '{"mcpServers":{"holdfast":{"command":"mine","args":["mcp"]}}}' >.mcp.json
	cp .mcp.json before
	run_holdfast init
	assert_stdout_has 'left alone'
	run_holdfast uninstall
	cmp before .mcp.json
}

@test "a server that came with a clone is kept, its program corrected, and only --all removes it" {
	echo '{"mcpServers":{"holdfast":{"command":"/old/bin/holdfast","args":["mcp"],"env":{"A":"b"}},"db":{}}}' >.mcp.json
	run_command holdfast doctor
	assert_stdout_has "/old/bin/holdfast mcp (.mcp.json) can't run"
	run_holdfast init
	assert_stdout_has 'updated   mcpServers.holdfast'
	assert_equal "$(server)" '{"command":"holdfast","args":["mcp"],"env":{"A":"b"}}'
	cp .mcp.json before
	run_holdfast uninstall
	assert_status 0
	assert_stdout_has "kept      the server 'holdfast mcp', which 'holdfast init' did not write like that; --all removes it too"
	cmp before .mcp.json
	run_holdfast uninstall --all
	assert_equal "$(jq -c . .mcp.json)" '{"mcpServers":{"db":{}}}'
}

@test "uninstall without a record removes what init writes, and leaves what the user wrote" {
	local text
	for text in '{"command":"holdfast","args":["mcp","--verbose"]}' '{"command":"holdfast","args":["mcp"],"env":{}}' '{"type":"stdio","command":"holdfast","args":["mcp"]}'; do
		echo "{\"mcpServers\":{\"holdfast\":$text}}" >.mcp.json
		cp .mcp.json before
		run_holdfast uninstall
		assert_status 0
		assert_stdout_has "kept      the server"
		cmp before .mcp.json
	done
	for text in holdfast /opt/bin/holdfast; do
		echo "{\"mcpServers\":{\"holdfast\":{\"command\":\"$text\",\"args\":[\"mcp\"]},\"db\":{}}}" >.mcp.json
		run_holdfast uninstall
		assert_stdout_has "removed   the server 'holdfast mcp'"
		assert_equal "$(jq -c . .mcp.json)" '{"mcpServers":{"db":{}}}'
	done
}

@test "an entry that the user has added to stays, and only --all removes it" {
	run_holdfast init
	jq '.mcpServers.holdfast.env = {A: "b"}' .mcp.json >new && mv new .mcp.json
	cp .mcp.json before
	run_holdfast uninstall
	assert_stdout_has "kept      the server 'holdfast mcp'"
	cmp before .mcp.json
	run_holdfast uninstall --all
	assert_stdout_has "removed   the server 'holdfast mcp'"
	assert_absent .mcp.json
}

@test "the other clients get it in their own file, where they have one that can be edited" {
	run_holdfast init --client gemini --client qwen --client cursor --client codex --client copilot --client antigravity
	assert_status 0
	for file in .gemini/settings.json .qwen/settings.json .cursor/mcp.json .github/mcp.json .agents/mcp_config.json; do
		assert_equal "$(server $file)" "$SERVER"
	done
	assert_absent .mcp.json
	run_holdfast doctor
	assert_stdout_has "Codex CLI, the agent's questions: holdfast mcp (.codex/config.toml)"
	assert_stdout_has "Gemini CLI, the agent's questions: holdfast mcp (.gemini/settings.json)"
	run_holdfast uninstall
	assert_equal "$(ls -A)" ''
}

@test "uninstall of one client leaves the others' servers" {
	run_holdfast init --client claude --client cursor
	run_holdfast uninstall --client cursor
	assert_absent .cursor
	assert_equal "$(server)" "$SERVER"
}

@test "Codex gets a table at the end of its file, and uninstall gives every byte back" {
	local text table=$'# Added by \'holdfast init\'; \'holdfast uninstall\' removes it.\n[mcp_servers.holdfast]\ncommand = "holdfast"\nargs = ["mcp"]'
	git init -q .
	run_holdfast init --client codex
	assert_status 0
	assert_stdout_has '  added     mcp_servers.holdfast  holdfast mcp'
	assert_stdout_has 'in a project that you have trusted'
	assert_equal "$(cat .codex/config.toml)" "$table"
	run_holdfast init --client codex
	assert_stdout_has '  kept      mcp_servers.holdfast  holdfast mcp'
	run_holdfast uninstall
	assert_stdout_has "removed   the server 'holdfast mcp'"
	assert_absent .codex
	mkdir .codex
	for text in '' $'\n' 'model = "m"' $'model = "m"\n[mcp_servers.db]\ncommand = "db"\n' $'a = 1\r\n'; do
		printf '%s' "$text" >.codex/config.toml
		cp .codex/config.toml before
		run_holdfast init --client codex
		assert_status 0
		assert_equal "$(tail -n 4 .codex/config.toml)" "$table"
		run_holdfast uninstall
		assert_status 0
		cmp before .codex/config.toml
	done
}

@test "a server of Codex that somebody else wrote is left alone" {
	local text
	mkdir .codex
	for text in $'[mcp_servers.holdfast]\ncommand = "mine"' 'mcp_servers = {}'; do
		echo "$text" >.codex/config.toml
		run_holdfast init --client codex
		assert_status 0
		assert_stdout_has '.codex/config.toml: it has a server'
		assert_stdout_has 'left alone'
		run_holdfast uninstall --all
		assert_file .codex/config.toml "$text"
	done
	rm .codex/config.toml
	run_holdfast init --client codex
	echo 'env = { A = "b" }' >>.codex/config.toml
	cp .codex/config.toml before
	run_holdfast uninstall
	assert_stdout_has "kept      the server 'holdfast', which somebody has changed"
	cmp before .codex/config.toml
}
