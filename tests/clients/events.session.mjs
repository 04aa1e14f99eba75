// SPDX-License-Identifier: MIT
// What rules and commands do at the events of real clients other than a stop.
import { expect, expect_equal, expect_has, expect_told } from "./lib.mjs";

const session = (name, play, clients = ["claude"]) => ({ name: `events: ${name}`, topic: "events", clients, play });

export default [
	session("Claude Code does not let a tool do what a rule forbids, and tells the model why", async (t) => {
		t.write(".conclaude.yaml", `preToolUse:
  uneditableFiles: [{ pattern: locked.txt, message: That file is locked. }]
  toolUsageValidation: [{ tool: Bash, commandPattern: "rm *", action: block, message: Nothing is removed here. }]
`);
		t.write("locked.txt", "as it was\n");
		t.repository();
		t.shell("holdfast init");
		const s = await t.play("claude", [
			{ tool: "Write", input: { file_path: t.at("locked.txt"), content: "changed\n" } },
			{ run: "rm locked.txt" },
			"It is done.",
		]);
		expect_told(s, 2, "That file is locked.");
		expect_told(s, 3, "Nothing is removed here.");
		expect_equal(t.read("locked.txt"), "as it was\n", "the file");
	}),

	session("Claude Code keeps a subagent at work until its gate passes", async (t) => {
		t.write("holdfast.yml", "events:\n  subagent_stop:\n    - run: test -e proof\n      match: general-purpose\n      message: There is no proof.\n      gate: true\n");
		t.repository();
		t.shell("holdfast init --yes");
		const s = await t.play("claude", [
			({ body }) => {
				const name = (body.tools ?? []).map((tool) => tool.name).find((tool) => tool === "Agent" || tool === "Task");
				return { tool: name, input: { description: "Help", prompt: "Prove it.", subagent_type: "general-purpose", run_in_background: false } };
			},
			"Proved.",
			{ run: "touch proof" },
			"Proved now.",
			"It is done.",
		]);
		expect_equal(s.code, 0, "exit code");
		expect_told(s, 3, "There is no proof.");
		expect(t.has("proof"), "the subagent made no proof");
	}),

	session("Claude Code formats the files that a tool has changed", async (t) => {
		t.write("holdfast.yml", "events:\n  post_tool_use:\n    - run: sed -i 's/ *$//' {files}\n      match: Write\n      files: ['**/*.txt']\n");
		t.repository();
		t.shell("holdfast init --yes");
		await t.play("claude", [{ tool: "Write", input: { file_path: t.at("a.txt"), content: "word   \n" } }, "It is done."],
			{ args: ["--permission-mode", "acceptEdits"] });
		expect_equal(t.read("a.txt"), "word\n", "the file");
	}),

	...["codex", "gemini", "qwen", "copilot"].map((client) =>
		session(`${client} does not run a command that a rule forbids, and tells the model why`, async (t) => {
			t.write(".conclaude.yaml", "preToolUse:\n  toolUsageValidation:\n    - { tool: Bash, commandPattern: \"*locked*\", action: block, message: Leave that file. }\n");
			t.write("locked.txt", "as it was\n");
			t.repository();
			t.shell(`holdfast init --client ${client}`);
			const s = await t.play(client, [{ run: "echo changed >locked.txt" }, "It is done."]);
			expect_equal(t.read("locked.txt"), "as it was\n", "the file");
			// Gemini's answer to a tool call is no text of the conversation, but it says it to the user as well.
			if (client === "gemini")
				expect_has(s.stderr, "Leave that file.", "what the client said");
			else
				expect_told(s, 2, "Leave that file.");
		}, [client])),
];
