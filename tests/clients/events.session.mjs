// SPDX-License-Identifier: MIT
// The events of real clients other than a stop: a configuration with every section, and what each event does.
import { expect, expect_equal, expect_has, expect_told } from "./lib.mjs";

const session = (name, play, clients = ["claude"]) => ({ name: `events: ${name}`, topic: "events", clients, play });

// Every section of .conclaude.yaml has a command that notes the event.
const note = 'run: echo "$CONCLAUDE_HOOK_EVENT" >>"$CONCLAUDE_CONFIG_DIR/.git/seen"';
const by_pattern = ["subagentStop", "skillStart", "teammateIdle", "taskCompleted", "configChange", "setup", "postCompact", "cwdChanged", "fileChanged",
	"instructionsLoaded", "permissionDenied", "userPromptExpansion", "taskCreated", "elicitation", "elicitationResult"];
const every_section = `
stop:
  commands:
    - ${note}
preToolUse:
  preventRootAdditions: false
  uneditableFiles:
    - { pattern: locked.txt, message: That file is locked. }
  toolUsageValidation:
    - { tool: Bash, commandPattern: "rm *", action: block, message: Nothing is removed here. }
permissionRequest: { default: allow }
userPromptSubmit:
  contextRules:
    - { pattern: "(?i)begin", prompt: "Mind the style guide." }
  commands:
    - ${note}
stopFailure: { commands: [{ ${note} }] }
postToolUse: { commands: [{ ${note}, tool: "*" }] }
postToolBatch: { commands: [{ ${note} }] }
messageDisplay: { commands: [{ ${note} }] }
${by_pattern.map((section) => `${section}: { commands: { "*": [{ ${note} }] } }`).join("\n")}
`.replaceAll("{ run: echo \"$CONCLAUDE_HOOK_EVENT\" >>\"$CONCLAUDE_CONFIG_DIR/.git/seen\"", "{ run: 'echo \"$CONCLAUDE_HOOK_EVENT\" >>\"$CONCLAUDE_CONFIG_DIR/.git/seen\"'");

function configured(t) {
	t.write(".conclaude.yaml", every_section);
	t.write("CLAUDE.md", "Be brief.\n");
	t.write("locked.txt", "as it was\n");
	t.repository();
	t.shell("holdfast init");
}

const seen = (t) => new Set(t.read(".git/seen").split("\n").filter(Boolean));

export default [
	session("Claude Code runs the commands of each event that a session can provoke", async (t) => {
		configured(t);
		t.shell("holdfast validate && holdfast doctor");
		const s = await t.play("claude", [
			{ text: "First a file.", tool: "Write", input: { file_path: t.at("sub/new.txt"), content: "x\n" } },
			{ run: "mkdir -p deep && cd deep && pwd" },
			({ body }) => {
				const name = (body.tools ?? []).map((tool) => tool.name).find((tool) => tool === "Agent" || tool === "Task");
				return { tool: name, input: { description: "Help", prompt: "Say yes.", subagent_type: "general-purpose", run_in_background: false } };
			},
			"Yes.",
			"It is done.",
		]);
		expect_equal(s.code, 0, "exit code");
		expect_told(s, 1, "Mind the style guide.");
		const events = seen(t);
		for (const event of ["UserPromptSubmit", "InstructionsLoaded", "PostToolUse", "PostToolBatch", "SubagentStart", "SubagentStop", "MessageDisplay", "Stop"])
			expect(events.has(event), `${event} did not run its commands; these did: ${[...events].join(" ")}`);
	}),

	session("Claude Code does not let a tool do what a rule forbids, and tells the model why", async (t) => {
		configured(t);
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
