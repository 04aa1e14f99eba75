// SPDX-License-Identifier: MIT
// holdfast mcp with the protocol's own SDK, and with the real Claude Code, whose model calls the tools.
import path from "node:path";
import { expect, expect_equal, expect_has, expect_told, expect_turns, until } from "./lib.mjs";

const reviewer = `#!/bin/sh
if grep -q '^+.*BAD'; then
	echo '{"status": "fail", "violations": [{"file": "src/a.c", "line": 2, "priority": "high", "issue": "a bad line"}]}'
else
	echo '{"status": "pass", "message": "fine"}'
fi
`;

// A check and a review that fail, and a gate that waits while the file .git/wait is there.
function project(t) {
	t.write("holdfast.yml", [
		"base: main", "gates:", '  lint: "! grep -n BAD src/a.c"', "  quality: { review: code-quality, by: [mine], files: ['src/**'] }",
		'  slow: "touch .git/begun; while test -e .git/wait; do sleep 0.1; done"', "reviewers:", "  mine: { command: [./reviewer] }", "",
	].join("\n"));
	t.write("reviewer", reviewer, 0o755);
	t.write("src/a.c", "int a;\n");
	t.repository();
	t.shell("git checkout -q -b work && holdfast init >/dev/null && git add -A && git commit -q -m holdfast");
	t.write("src/a.c", "int a;\nint BAD;\n");
}

async function connect(t) {
	const file = t.programs["mcp-sdk"];
	const { Client } = await import(file);
	const { StdioClientTransport } = await import(path.join(path.dirname(file), "stdio.js"));
	const client = new Client({ name: "test", version: "1" });
	const transport = new StdioClientTransport({ command: "holdfast", args: ["mcp"], cwd: t.project, env: t.env, stderr: "ignore" });
	await client.connect(transport);
	return { client, transport, call: (name, args = {}, options) => client.callTool({ name, arguments: args }, undefined, options) };
}

async function ask_everything(t) {
	project(t);
	const { client, transport, call } = await connect(t);
	expect_equal(client.getServerVersion().name, "holdfast", "the server's name");
	expect_has(client.getInstructions(), "run_gates", "the instructions");
	await client.ping();
	const { tools } = await client.listTools();
	expect_equal(tools.map(({ name }) => name).join(" "), "status list_gates run_gates cancel_run read_log mark_finding", "the tools");

	const list = await call("list_gates");
	expect_equal(list.structuredContent.checks.map(({ name }) => name).join(" "), "lint slow", "the checks");

	const steps = [];
	const run = await call("run_gates", {}, { onprogress: ({ message }) => steps.push(message) });
	expect_equal(run.structuredContent.passed, false, "whether the gates passed");
	expect_has(run.content[0].text, "2:int BAD;", "the text of the run");
	expect(steps.some((message) => message.includes("lint failed")), `there was no progress of lint: ${steps}`);

	const status = (await call("status")).structuredContent;
	expect_equal(status.failing.map(({ gate }) => gate).sort().join(" "), "lint quality", "what fails");
	expect_equal(status.findings[0].issue, "a bad line", "the finding");
	const log = await call("read_log", { gate: "lint", offset: -2000 });
	expect_has(log.content[0].text, "2:int BAD;", "the log");

	const refused = await call("mark_finding", { gate: "quality", finding: status.findings[0].id, status: "skipped" });
	expect(refused.isError, "a finding was skipped without a reason");
	const marked = await call("mark_finding", { gate: "quality", finding: status.findings[0].id, status: "skipped", reason: "as agreed" });
	expect_equal(marked.structuredContent?.marked, true, "whether the finding was marked");

	t.write(".git/wait", "");
	t.shell("rm .git/begun");
	const slow = call("run_gates", { gates: ["slow"] });
	expect(await until(() => t.has(".git/begun")), "the gate was not run");
	expect_equal((await call("cancel_run")).structuredContent.cancelled, true, "whether the run was cancelled");
	expect((await slow).isError, "a cancelled run looks like one that ended");

	t.shell("rm .git/begun");
	const abort = new AbortController();
	const again = call("run_gates", { gates: ["slow"] }, { signal: abort.signal }).catch((error) => error);
	expect(await until(() => t.has(".git/begun")), "the gate was not run again");
	abort.abort("enough");
	await again;
	await t.none_alive(/sleep 0\.1|holdfast run|exe run/);
	const missing = await client.request({ method: "resources/list" }, { parse: (x) => x }).catch((error) => error);
	expect_equal(missing.code, -32601, "the error of an unknown method");
	await transport.close();
	await t.none_alive(/holdfast mcp/);
}

// How the other clients call the tools of a server.
const names = { codex: (tool) => `mcp__holdfast.${tool}`, gemini: (tool) => `mcp_holdfast_${tool}`, qwen: (tool) => `mcp__holdfast__${tool}`, copilot: (tool) => `holdfast-${tool}` };

export default [
	{ name: "mcp: the SDK's client lists and calls every tool", topic: "MCP", clients: ["mcp-sdk"], play: ask_everything },

	{
		name: "claude: the model asks what holds it and runs the gates by the registered server", topic: "MCP", clients: ["claude"], play: async (t) => {
			project(t);
			t.shell("sed -i '/quality:/d; /slow:/d' holdfast.yml && holdfast trust >/dev/null </dev/null && git commit -qam fewer");
			expect_has(t.read(".mcp.json"), '"holdfast"', "the file for servers");
			t.write(".claude/settings.local.json", '{ "enabledMcpjsonServers": ["holdfast"] }\n'); // as after the user's approval
			const s = await t.play("claude", [
				"It is done.",
				{ tool: "mcp__holdfast__status", input: {} },
				{ text: "I fix it.", run: "echo 'int a;' >src/a.c && echo 'int b;' >>src/a.c" },
				{ tool: "mcp__holdfast__run_gates", input: {} },
				"Now it is done.",
			], { args: ["--allowedTools", "mcp__holdfast__status,mcp__holdfast__run_gates"] });
			expect_turns(s, 5);
			expect_told(s, 2, "lint: Exited with code 1");
			expect_told(s, 3, '"failing":[{"gate":"lint"');
			expect_told(s, 3, '"last_stop"');
			expect_told(s, 5, '"passed":true');
			expect_has(s.stdout, "Now it is done.", "what the client printed");
			await t.none_alive(/holdfast mcp/);
		},
	},

	...Object.entries(names).map(([client, name]) => ({
		name: `${client}: the model asks what holds it and runs the gates by the registered server`, topic: "MCP", clients: [client], play: async (t) => {
			t.write("holdfast.yml", 'base: main\ngates:\n  lint: "! grep -n BAD src/a.c"\n');
			t.write("src/a.c", "int a;\n");
			t.repository();
			t.shell(`git checkout -q -b work && holdfast init --client ${client} && git add -A && git commit -q -m holdfast`);
			t.write("src/a.c", "int BAD;\n");
			const s = await t.play(client, [{ tool: name("status"), input: {} }, { run: "echo 'int a;' >src/a.c" }, { tool: name("run_gates"), input: {} }, "It is done."]);
			expect_turns(s, 4);
			expect_told(s, 2, '"next":[{"id":"check:.:lint"');
			expect_told(s, 4, "lint passed");
		},
	})),
];
