// SPDX-License-Identifier: MIT
// Whole sessions with the real Claude Code: each policy, what the client's own limit does, two sessions at once, and a
// client that is killed.
import fs from "node:fs";
import path from "node:path";
import { expect, expect_equal, expect_has, expect_lacks, expect_told, expect_turns, until } from "./lib.mjs";

const session = (topic, name, play) => ({ name: `claude: ${name}`, topic, clients: ["claude"], play });
const cap = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";
const one = "11111111-1111-4111-8111-111111111111";
const two = "22222222-2222-4222-8222-222222222222";

// A project whose check fails until there is a file called fixed.
function checked_project(t) {
	t.write("check.sh", '#!/bin/sh\ntest -e fixed || { echo "FAIL: the file fixed is not there"; exit 1; }\n', 0o755);
}

function stop_command(t, more = "") {
	t.write(".conclaude.yaml", `stop:\n  commands:\n    - run: ./check.sh\n      message: The check fails.\n      showStdout: true\n${more}`);
}

function loops_ended(t) {
	const file = path.join(t.home, ".local", "state", "holdfast", "loops.jsonl");
	return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
}

// What the client has written of a session so far.
function conversation(t, id) {
	const all = path.join(t.home, ".claude", "projects");
	const files = fs.existsSync(all) ? fs.readdirSync(all).map((project) => path.join(all, project, `${id}.jsonl`)) : [];
	return files.filter((file) => fs.existsSync(file)).map((file) => fs.readFileSync(file, "utf8")).join("");
}

// N passes of a loop: the answers of the model, the last of which keeps the promise. The loop must allow more passes: in the last
// one that it allows, a promise that nobody sees would look the same as one that is kept.
function passes(count, answer) {
	return Array.from({ length: count }, (_, i) => answer(i + 1, i + 1 === count ? " <promise>COMPLETE</promise>" : "")).flat();
}
const with_tools = (n, end) => [{ text: `Pass ${n}.`, run: `echo ${n} >>passes` }, `Pass ${n} is over.${end}`];
const without_tools = (n, end) => [`Pass ${n} is over.${end}`];

export default [
	session("stop command", "a failing stop command blocks, the model is told why, and the fix passes", async (t) => {
		checked_project(t);
		stop_command(t);
		t.repository();
		t.shell("holdfast init");
		const s = await t.play("claude", ["It is done.", { text: "I fix it.", run: "touch fixed" }, "Now it is done."]);
		expect_equal(s.code, 0, "exit code");
		expect_turns(s, 3);
		expect_told(s, 2, "The check fails.");
		expect_told(s, 2, "FAIL: the file fixed is not there");
		expect(t.has("fixed"), "the fix was not made");
		expect_has(s.stdout, "Now it is done.", "what the client printed");
	}),

	session("daemon", "a stop command that leaves a daemon behind does not lose the block", async (t) => {
		checked_project(t);
		t.write("serve.sh", "#!/bin/sh\nsetsid sleep 600 &\nsleep 601 &\nexec ./check.sh\n", 0o755);
		t.write(".conclaude.yaml", "stop:\n  commands:\n    - run: ./serve.sh\n      showStdout: true\n");
		t.repository();
		t.shell("holdfast init");
		const s = await t.play("claude", ["It is done.", { run: "touch fixed" }, "Now it is done."]);
		expect_turns(s, 3);
		expect_told(s, 2, "FAIL: the file fixed is not there");
	}),

	session("long output", "a reason is bounded, and what was cut is in a file that it names", async (t) => {
		t.write("check.sh", '#!/bin/sh\ntest -e fixed && exit 0\nseq -f "line %06g of the output" 1 5000\nexit 1\n', 0o755);
		stop_command(t);
		t.repository();
		t.shell("holdfast init");
		const look = ({ told }) => ({ text: "I look at all of it.", run: `cp ${told.match(/\/\S+\.(?:txt|log)\b/)?.[0]} all; touch fixed` });
		const s = await t.play("claude", ["It is done.", look, "Now it is done."]);
		expect_turns(s, 3);
		const told = s.api.turns[1].told;
		expect(told.length < 2 * 9_500, `the reason, which this client sends twice, has ${told.length / 2} characters`);
		expect_lacks(told, "line 002500 of the output", "the reason");
		expect_has(t.read("all"), "line 002500 of the output", "the file that the reason names");
	}),

	session("loop with tools", "a loop of 12 passes with tools is not ended by the client", async (t) => {
		t.repository();
		t.shell("holdfast init");
		t.shell('holdfast ralph start "Do the next of twelve things." --max-iterations 20');
		const s = await t.play("claude", passes(12, with_tools), { env: { [cap]: "8" } });
		expect_equal(s.code, 0, "exit code");
		expect_turns(s, 24);
		expect_told(s, 3, "Do the next of twelve things.");
		expect_told(s, 23, "Do the next of twelve things.");
		expect_equal(t.read("passes").trim().split("\n").length, 12, "passes that were worked on");
		expect(!t.has(".claude/ralph-loop.local.md"), "the loop's file is still there");
		expect_equal(loops_ended(t).map(({ reason, iterations, passes: n }) => `${reason} ${iterations ?? n}`).join(), "complete 12", "loops that ended");
	}),

	session("loop without tools", "the client ends a loop without tools at its own limit, and the loop stays", async (t) => {
		t.repository();
		t.shell("holdfast init");
		expect_has(t.shell('holdfast ralph start "Think once more." --max-iterations 20 2>&1'), "Claude Code ends the turn after 8", "the warning at the start");
		const s = await t.play("claude", passes(12, without_tools), { args: ["--session-id", one] });
		expect_turns(s, 9);
		expect(t.has(".claude/ralph-loop.local.md"), "the loop's file is gone");
		const more = await t.play("claude", passes(4, without_tools), { args: ["--resume", one] });
		expect_told(more, 2, "Think once more.");
	}),

	session("loop without tools", "init sets the client's limit so that a loop of 12 passes without tools goes through", async (t) => {
		t.repository();
		t.shell('holdfast ralph start "Think once more." --max-iterations 20');
		t.shell("holdfast init");
		expect_has(t.read(".claude/settings.json"), cap, "the settings");
		const s = await t.play("claude", passes(12, without_tools));
		expect_turns(s, 12);
		expect_told(s, 12, "Think once more.");
		expect(!t.has(".claude/ralph-loop.local.md"), "the loop's file is still there");
	}),

	session("background shell", "a server in the background does not hold up a loop", async (t) => {
		t.repository();
		t.shell("holdfast init");
		t.shell('holdfast ralph start "Do the next thing." --max-iterations 9');
		const serves = { text: "I start the server.", tool: "Bash", input: { command: "sleep 20", description: "Serves", run_in_background: true } };
		const s = await t.play("claude", [serves, "Pass 1.", "Pass 2.", "Pass 3. <promise>COMPLETE</promise>"]);
		expect_told(s, 3, "Do the next thing.");
		expect_told(s, 4, "Do the next thing.");
		expect_equal(loops_ended(t).map(({ reason, passes: n }) => `${reason} ${n}`).join(), "complete 3", "loops that ended");
	}),

	session("loop limit", "a loop without a promise kept ends at its limit", async (t) => {
		t.repository();
		t.shell("holdfast init");
		t.shell('holdfast ralph start "Once more." --max-iterations 4');
		const s = await t.play("claude", { then: "Not yet." });
		expect_turns(s, 4);
		expect(!t.has(".claude/ralph-loop.local.md"), "the loop's file is still there");
	}),

	session("follow-ups", "the follow-up messages are sent one by one", async (t) => {
		t.write(".conclaude.yaml", 'stop:\n  promptPrefixBlocking:\n    prefixes: ["/plan*", "Plan*"]\n    messages:\n      - text: Answer the open questions.\n        times: 2\n      - text: Read it as a newcomer.\n');
		t.repository();
		t.shell("holdfast init");
		const s = await t.play("claude", ["Planned.", "Answered.", "Answered again.", "Read."], { prompt: "Plan an offline mode." });
		expect_turns(s, 4);
		expect_told(s, 2, "Answer the open questions.");
		expect_told(s, 3, "Answer the open questions.");
		expect_told(s, 4, "Read it as a newcomer.");
		const other = await t.play("claude", ["Hello."], { prompt: "Say hello." });
		expect_turns(other, 1);
	}),

	session("rounds", "the third of three rounds is the last", async (t) => {
		t.write(".conclaude.yaml", "stop:\n  rounds: 3\n");
		t.repository();
		t.shell("holdfast init");
		const s = await t.play("claude", ["One.", { text: "Two.", run: "true" }, "Two is over.", "Three."]);
		expect_turns(s, 4);
		expect_has(s.stdout, "Three.", "what the client printed");
		const again = await t.play("claude", ["One.", "Two.", "Three."]);
		expect_turns(again, 3);
	}),

	session("two sessions", "two sessions in one project count their own rounds and only the owner is held by a loop", async (t) => {
		t.write(".conclaude.yaml", "stop:\n  rounds: 4\n");
		t.repository();
		t.shell("holdfast init");
		t.shell(`holdfast ralph start "The loop of one." --max-iterations 3 --session ${one}`);
		const both = await Promise.all([
			t.play("claude", { then: { text: "Not yet.", delay: 100 } }, { args: ["--session-id", one] }),
			t.play("claude", { then: { text: "Mine.", delay: 100 } }, { args: ["--session-id", two] }),
		]);
		expect_turns(both[0], 6); // two more passes of the loop, then the third pass is round 1 of 4
		expect_told(both[0], 3, "The loop of one.");
		expect_turns(both[1], 4);
		expect_lacks(JSON.stringify(both[1].api.turns.map(({ told }) => told)), "The loop of one.", "what the other session was told");
	}),

	session("two sessions", "a loop each, side by side", async (t) => {
		t.repository();
		t.shell("holdfast init");
		t.shell(`holdfast ralph start "The loop of one." --max-iterations 5 --session ${one}`);
		t.shell(`holdfast ralph start "The loop of two." --max-iterations 3 --session ${two}`);
		const [first, second] = await Promise.all([
			t.play("claude", { then: { text: "Not yet.", delay: 50 } }, { args: ["--session-id", one] }),
			t.play("claude", { then: { text: "Not yet.", delay: 50 } }, { args: ["--session-id", two] }),
		]);
		expect_turns(first, 5);
		expect_turns(second, 3);
		expect_told(first, 5, "The loop of one.");
		expect_told(second, 3, "The loop of two.");
	}),

	session("cancelled loop", "a loop that is cancelled in the middle lets the agent stop", async (t) => {
		t.repository();
		t.shell("holdfast init");
		t.shell('holdfast ralph start "Go on." --max-iterations 12');
		const s = await t.play("claude", ["One.", "Two.", { text: "Enough.", run: "holdfast ralph cancel" }, "Cancelled."]);
		expect_turns(s, 4);
		expect_told(s, 2, "Go on.");
		expect_has(s.stdout, "Cancelled.", "what the client printed");
		expect_equal(loops_ended(t).at(-1)?.reason, "cancelled", "how the loop ended");
	}),

	session("agent within an agent", "a client that the agent starts does not take a loop that is nobody's yet", async (t) => {
		t.repository();
		t.shell("holdfast init");
		t.shell('holdfast ralph start "Go on." --max-iterations 3');
		const helper = await t.within("claude", { then: "I have helped." });
		const s = await t.play("claude", [{ text: "I ask for help.", run: helper.line }, "Pass 1.", "Pass 2.", "Pass 3."]);
		expect_told(s, 2, "I have helped.");
		expect_equal(helper.api.turns.length, 1, "turns of the client within");
		expect_turns(s, 4);
		expect_told(s, 4, "Go on.");
		expect(!t.has(".claude/ralph-loop.local.md"), "the loop's file is still there");
	}),

	session("killed client", "after a killed client nothing of ours lives, and the next session works", async (t) => {
		t.write("check.sh", "#!/bin/sh\necho $$ >begun\nsleep 300\n", 0o755);
		stop_command(t);
		t.repository();
		t.shell("holdfast init");
		const s = await t.start("claude", ["It is done."]);
		expect(await until(() => t.has("begun")), "the stop command was not run");
		process.kill(s.pid, "SIGKILL");
		await s.done;
		await t.none_alive(/holdfast (stop-hook|hook)|check\.sh|sleep 300/);
		checked_project(t);
		const next = await t.play("claude", ["It is done.", { run: "touch fixed" }, "Now it is done."]);
		expect_turns(next, 3);
		expect_told(next, 2, "FAIL: the file fixed is not there");
	}),

	session("killed client", "a loop goes on in the next session of a client that was killed", async (t) => {
		t.repository();
		t.shell("holdfast init");
		t.shell(`holdfast ralph start "Go on." --max-iterations 6 --session ${one}`);
		const s = await t.start("claude", ["One.", "Two.", { hang: true }], { args: ["--session-id", one] });
		await s.api.turn(3);
		// The client writes its conversation some time later; what it was killed before can't be resumed.
		expect(await until(() => conversation(t, one).includes("Two.")), "the client did not write its conversation");
		process.kill(s.pid, "SIGKILL");
		await s.done;
		await t.none_alive(/holdfast (stop-hook|hook)/);
		const next = await t.play("claude", { then: "Not yet." }, { args: ["--resume", one] });
		expect_turns(next, 4); // passes 3 to 6
		expect_told(next, 2, "Go on.");
	}),

	session("uninstalled", "after uninstall the agent is not held", async (t) => {
		checked_project(t);
		stop_command(t);
		t.repository();
		t.shell("holdfast init && holdfast uninstall");
		const s = await t.play("claude", ["It is done."]);
		expect_turns(s, 1);
		expect_equal(t.shell("git status --porcelain"), "", "what is left in the project");
	}),

	session("nothing configured", "a project without any configuration is not held", async (t) => {
		t.repository();
		t.shell("holdfast init");
		const s = await t.play("claude", ["Hello."]);
		expect_turns(s, 1);
		expect_has(s.stdout, "Hello.", "what the client printed");
	}),
];
