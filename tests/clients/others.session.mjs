// SPDX-License-Identifier: MIT
// The same whole sessions with Codex, Gemini CLI, Qwen Code and Copilot CLI, as far as each allows them. What differs
// between them is in the table; doc/clients.md tells people about it.
import { expect, expect_equal, expect_has, expect_lacks, expect_told, expect_turns, until } from "./lib.mjs";

// cap: after how many passes the client itself ends a loop, with tools or without; null: never. uncapped: what lifts that.
// names_session: it tells the commands that the agent runs which session they are of. command: the file of a slash command
// /plan, where it tells of the command as it was typed. tags: how it passes the tags of a promise on to the model, if not as they are.
const clients = {
	codex: { cap: null, names_session: true, tags: "&lt;promise&gt;COMPLETE&lt;/promise&gt;" },
	gemini: { cap: null },
	qwen: { cap: 8, names_session: true, uncapped: { QWEN_CODE_STOP_HOOK_BLOCK_CAP: "50" }, command: ".qwen/commands/plan.md" },
	copilot: { cap: 9 },
};

const loop = ".claude/ralph-loop.local.md";
const ours = /(^|[ /])holdfast (stop-hook|hook)|check\.sh|sleep 300/;

function stop_command(t, more = "") {
	t.write("check.sh", '#!/bin/sh\ntest -e fixed || { echo "FAIL: the file fixed is not there"; exit 1; }\n', 0o755);
	t.write(".conclaude.yaml", `stop:\n  commands:\n    - run: ./check.sh\n      message: The check fails.\n      showStdout: true\n${more}`);
}

function begin(t, client) {
	t.repository();
	t.shell(`holdfast init --client ${client}`);
}

// N passes of a loop, of which the last keeps the promise. The loop must allow more of them: in the last that it allows, a promise
// that nobody sees would look the same as one that is kept.
function passes(count, answer) {
	return Array.from({ length: count }, (_, i) => answer(i + 1, i + 1 === count ? " <promise>COMPLETE</promise>" : "")).flat();
}
const with_tools = (n, end) => [{ text: `Pass ${n} begins.`, run: `echo ${n} >>passes` }, `Pass ${n} is over.${end}`];
const without_tools = (n, end) => [`Pass ${n} is over, with ${n * n} things thought about.${end}`];

// [topic, name, play(t, client, row), applies(row)]: what is played with each client, or with those that it applies to
const plays = [
	["stop command", "a failing stop command blocks, the model is told why, and the fix passes", async (t, client) => {
		stop_command(t);
		begin(t, client);
		const s = await t.play(client, ["It is done.", { text: "I fix it.", run: "touch fixed" }, "Now it is done."]);
		expect_equal(s.code, 0, "exit code");
		expect_turns(s, 3);
		expect_told(s, 2, "The check fails.");
		expect_told(s, 2, "FAIL: the file fixed is not there");
		expect_has(s.stdout, "Now it is done.", "what the client printed");
	}],

	["gate", "a failing gate blocks, the model is told why, and the fix is verified", async (t, client) => {
		t.write(".gauntlet/config.yml", "base_branch: main\ncli:\n  default_preference: [claude]\nentry_points:\n  - path: src\n    checks: [lint]\nstop_hook:\n  reverify: true\n");
		t.write(".gauntlet/checks/lint.yml", 'command: "! grep -n UNFINISHED *.c"\n');
		t.write(".gitignore", "gauntlet_logs/\n");
		begin(t, client);
		t.write("src/parser.c", "int parse(void); /* UNFINISHED */\n");
		const s = await t.play(client, ["It is done.", "It is still done.", { text: "I fix it.", run: "echo 'int parse(void);' >src/parser.c" }, "Now it is done."]);
		expect_turns(s, 4);
		expect_told(s, 2, "lint: Exited with code 1");
		expect_told(s, 2, "int parse(void); /* UNFINISHED */");
		expect_told(s, 3, "lint: Exited with code 1");
	}],

	["long output", "a reason is bounded, and what was cut is in a file that it names", async (t, client) => {
		stop_command(t);
		t.write("check.sh", '#!/bin/sh\ntest -e fixed && exit 0\nseq -f "line %06g of the output" 1 5000\nexit 1\n', 0o755);
		begin(t, client);
		const look = ({ told }) => ({ text: "I look at all of it.", run: `cp ${told.match(/\/\S+\.(?:txt|log)\b/)?.[0]} all; touch fixed` });
		const s = await t.play(client, ["It is done.", look, "Now it is done."]);
		expect_turns(s, 3);
		const told = s.api.turns[1].told;
		expect(told.length < 9_500, `the reason has ${told.length} characters`);
		expect_lacks(told, "line 002500 of the output", "the reason");
		expect_has(told, "line 005000 of the output", "the reason");
		expect_has(t.read("all"), "line 002500 of the output", "the file that the reason names");
	}],

	["loop with tools", "a loop of 12 passes with tools goes as far as the client lets it", async (t, client, row) => {
		begin(t, client);
		t.shell('holdfast ralph start "Do the next of twelve things." --max-iterations 20');
		const s = await t.play(client, passes(12, with_tools));
		const count = row.cap ?? 12;
		expect_turns(s, 2 * count);
		expect_told(s, 3, "Do the next of twelve things.");
		expect_told(s, 2 * count - 1, "Do the next of twelve things.");
		expect_equal(t.read("passes").trim().split("\n").length, count, "passes that were worked on");
		expect_equal(t.has(loop), row.cap !== null, "the loop's file is there");
	}],

	["promise", "a promise in the middle of the allowed passes ends the loop", async (t, client, row) => {
		begin(t, client);
		t.shell('holdfast ralph start "Think once more." --max-iterations 9');
		const s = await t.play(client, passes(4, without_tools));
		expect_turns(s, 4);
		expect_told(s, 2, row.tags ?? "<promise>COMPLETE</promise>");
		expect(!t.has(loop), "the loop's file is still there");
	}],

	["promise", "a promise that is quoted before a tool call or denied does not end the loop", async (t, client) => {
		begin(t, client);
		t.shell('holdfast ralph start "Think once more." --max-iterations 9');
		const s = await t.play(client, [
			{ text: "I will say <promise>COMPLETE</promise> when it is done, not now.", run: "true" }, "One is over, it is not done.",
			"I must not say `<promise>COMPLETE</promise>` yet.", "Now it is done. <promise>COMPLETE</promise>",
		]);
		expect_turns(s, 4);
		expect_told(s, 3, "Think once more.");
		expect_told(s, 4, "Think once more.");
		expect(!t.has(loop), "the loop's file is still there");
	}],

	["loop without tools", "a loop of 12 passes without tools goes as far as the client lets it", async (t, client, row) => {
		begin(t, client);
		t.shell('holdfast ralph start "Think once more." --max-iterations 20');
		const s = await t.play(client, passes(12, without_tools));
		expect_turns(s, row.cap ?? 12);
		expect_told(s, 8, "Think once more.");
		expect_equal(t.has(loop), row.cap !== null, "the loop's file is there");
	}],

	["client's limit lifted", "a loop of 12 passes goes through where the client's limit is lifted", async (t, client, row) => {
		begin(t, client);
		t.shell('holdfast ralph start "Think once more." --max-iterations 20');
		const s = await t.play(client, passes(12, without_tools), { env: row.uncapped });
		expect_turns(s, 12);
		expect(!t.has(loop), "the loop's file is still there");
	}, (row) => row.uncapped],

	["loop limit", "a loop with a model that repeats itself ends at the loop's own limit", async (t, client) => {
		begin(t, client);
		t.shell('holdfast ralph start "Go on." --max-iterations 20');
		const s = await t.play(client, { then: "I go on." });
		// Gemini CLI notices the repetition and stops asking the model, but not the hook.
		expect(s.api.turns.length >= 10 && s.api.turns.length <= 20, `turns of the model: ${s.api.turns.length}`);
		expect(!t.has(loop), "the loop's file is still there");
	}, (row) => row.cap === null],

	["follow-ups", "the follow-up messages are sent one by one", async (t, client, row) => {
		if (row.command)
			t.write(row.command, "Write down {{args}}.\n");
		t.write(".conclaude.yaml", 'stop:\n  promptPrefixBlocking:\n    prefixes: ["/plan *", "Plan *"]\n    messages:\n      - text: Answer the open questions.\n        times: 2\n      - text: Read it as a newcomer.\n');
		begin(t, client);
		const s = await t.play(client, ["Planned.", "Answered.", "Answered again.", "Read."], { prompt: `${row.command ? "/plan" : "Plan"} an offline mode.` });
		expect_turns(s, 4);
		expect_told(s, 2, "Answer the open questions.");
		expect_told(s, 3, "Answer the open questions.");
		expect_told(s, 4, "Read it as a newcomer.");
	}],

	["rounds", "the third of three rounds is the last", async (t, client) => {
		t.write(".conclaude.yaml", "stop:\n  rounds: 3\n");
		begin(t, client);
		const s = await t.play(client, ["One.", { text: "Two.", run: "true" }, "Two is over.", "Three."]);
		expect_turns(s, 4);
	}],

	["two sessions", "two sessions in one project: each its rounds, and one of them the loop", async (t, client) => {
		t.write(".conclaude.yaml", "stop:\n  rounds: 2\n");
		begin(t, client);
		t.shell('holdfast ralph start "The loop of one." --max-iterations 3');
		const both = await Promise.all([1, 2].map((n) => t.play(client, { then: { text: `Session ${n} is not there yet.`, delay: 100 } })));
		// The owner has two more passes, and then the third pass is its first round of two.
		expect_equal(both.map((s) => s.api.turns.length).sort().join(), "2,4", "turns of the two sessions");
	}],

	["cancelled loop", "a loop that is cancelled in the middle lets the agent stop", async (t, client) => {
		begin(t, client);
		t.shell('holdfast ralph start "Go on." --max-iterations 12');
		const s = await t.play(client, ["One.", "Two.", { text: "Enough.", run: "holdfast ralph cancel" }, "Cancelled."]);
		expect_turns(s, 4);
		expect_told(s, 2, "Go on.");
		expect(!t.has(loop), "the loop's file is still there");
	}],

	["loop from inside", "a loop that the agent itself starts is its session's from the beginning", async (t, client) => {
		begin(t, client);
		let owned;
		const begins = { text: "I begin.", run: "holdfast ralph start 'Go on.' --max-iterations 3" };
		const s = await t.play(client, [begins, () => ((owned = t.read(loop)), "Pass 1."), "Pass 2.", "Pass 3."]);
		expect_has(owned, "session_id:", "the loop's file before the first stop");
		expect_turns(s, 4);
		expect_told(s, 4, "Go on.");
		expect(!t.has(loop), "the loop's file is still there");
	}, (row) => row.names_session],

	["uninstalled", "after uninstall the agent is not held", async (t, client) => {
		stop_command(t);
		begin(t, client);
		t.shell(`holdfast uninstall --client ${client}`);
		const s = await t.play(client, ["It is done."]);
		expect_turns(s, 1);
		expect_equal(t.shell("git status --porcelain"), "", "what is left in the project");
	}],

	["holdfast gone", "where holdfast is registered and not installed the agent is not held", async (t, client) => {
		stop_command(t);
		begin(t, client);
		t.shell("rm $(dirname $(command -v holdfast))/holdfast");
		const s = await t.play(client, ["It is done.", "It is still done."]);
		expect_turns(s, 1);
	}],

	["killed client", "after a killed client nothing of ours lives, and the next session works", async (t, client) => {
		stop_command(t);
		t.write("check.sh", "#!/bin/sh\necho $$ >begun\nsleep 300\n", 0o755);
		begin(t, client);
		const s = await t.start(client, ["It is done."]);
		expect(await until(() => t.has("begun"), 40_000), "the stop command was not run");
		for (const { pid, line } of t.alive())
			if (!ours.test(line))
				process.kill(pid, "SIGKILL");
		await t.none_alive(ours);
		await s.done;
		stop_command(t);
		const next = await t.play(client, ["It is done.", { run: "touch fixed" }, "Now it is done."]);
		expect_turns(next, 3);
		expect_told(next, 2, "FAIL: the file fixed is not there");
	}],
];

const limits = [
	{
		name: "codex: a hook that nobody has reviewed is not run", topic: "trust", clients: ["codex"],
		play: async (t) => {
			stop_command(t);
			begin(t, "codex");
			const s = await t.play("codex", ["It is done."], { args: ["--no-bypass"] });
			expect_turns(s, 1);
			expect_lacks(s.stderr, "clamping", "what the client says of the hooks");
		},
	},
	{
		name: "copilot: a subagent's stop is not held back and does not take the loop", topic: "subagent", clients: ["copilot"],
		play: async (t) => {
			begin(t, "copilot");
			t.shell('holdfast ralph start "Go on." --max-iterations 3');
			const asks = { text: "I ask.", tool: "task", input: { description: "Looks at it", prompt: "Look at it.", agent_type: "general-purpose", name: "look", mode: "sync" } };
			const s = await t.play("copilot", [asks, "I have looked.", "Pass 1.", "Pass 2.", "Pass 3."]);
			expect_told(s, 2, "Look at it.");
			expect_told(s, 3, "I have looked.");
			expect_turns(s, 5);
			expect_told(s, 5, "Go on.");
			expect(!t.has(loop), "the loop's file is still there");
		},
	},
	{
		name: "copilot: registered twice, a stop is decided once", topic: "registered twice", clients: ["copilot"],
		play: async (t) => {
			t.write(".conclaude.yaml", "stop:\n  rounds: 4\n");
			begin(t, "copilot");
			t.shell("holdfast init --client claude --force");
			const s = await t.play("copilot", { then: "It is done." });
			expect_turns(s, 4);
		},
	},
	...["codex", "copilot"].map((client) => ({
		name: `${client}: registered for the project and for all projects, a stop is decided once`, topic: "registered twice", clients: [client],
		play: async (t) => {
			t.write(".conclaude.yaml", "stop:\n  rounds: 4\n");
			begin(t, client);
			t.shell(`holdfast init --user --client ${client}`);
			const s = await t.play(client, { answers: Array(8).fill("It is done."), then: { status: 400 } });
			expect_turns(s, 4);
		},
	})),
];

export default [...Object.entries(clients).flatMap(([client, row]) => plays.filter(([, , , applies]) => !applies || applies(row)).map(([topic, name, play]) => ({
	name: `${client}: ${name}`, topic, clients: [client], play: (t) => play(t, client, row),
}))), ...limits];
