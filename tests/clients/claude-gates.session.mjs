// SPDX-License-Identifier: MIT
// Gates under the real Claude Code: a check that fails, its fix, and what is left of it all.
import { expect, expect_equal, expect_has, expect_told, expect_turns, until } from "./lib.mjs";

const session = (topic, name, play) => ({ name: `claude: ${name}`, topic, clients: ["claude"], play });

function gates(t, command, more = "") {
	t.write(".gauntlet/config.yml", `base_branch: main\ncli:\n  default_preference: [claude]\nentry_points:\n  - path: src\n    checks: [lint]\nstop_hook:\n  reverify: true\n${more}`);
	t.write(".gauntlet/checks/lint.yml", `command: ${JSON.stringify(command)}\n`);
	t.write(".gitignore", "gauntlet_logs/\n");
	t.repository();
	t.shell("holdfast init");
	t.write("src/parser.c", "int parse(void); /* UNFINISHED */\n");
}
const lint = "! grep -n UNFINISHED *.c";

export default [
	session("gate", "a failing gate blocks, the model is told why, and the fix is verified", async (t) => {
		gates(t, lint);
		const s = await t.play("claude", ["It is done.", "It is still done.", { text: "I fix it.", run: "echo 'int parse(void);' >src/parser.c" }, "Now it is done."]);
		expect_turns(s, 4);
		expect_told(s, 2, "lint: Exited with code 1");
		expect_told(s, 2, "int parse(void); /* UNFINISHED */");
		expect_told(s, 3, "lint: Exited with code 1");
		expect_has(s.stdout, "Now it is done.", "what the client printed");
		expect_equal(t.read("src/parser.c"), "int parse(void);\n", "the file that was mended");
	}),

	session("gate", "a gate that is never mended lets the agent stop after its retries", async (t) => {
		gates(t, lint, "max_retries: 2\n");
		const s = await t.play("claude", { then: "It is done." });
		expect(s.api.turns.length >= 3 && s.api.turns.length <= 4, `turns of the model: ${s.api.turns.length}`);
	}),

	session("gate", "a change that no gate is for is not held back", async (t) => {
		gates(t, lint);
		t.shell("rm -r src && mkdir doc && echo text >doc/page.md");
		const s = await t.play("claude", ["It is written."]);
		expect_turns(s, 1);
	}),

	session("killed client", "a gate dies with its client, and the next session is gated again", async (t) => {
		gates(t, "test -e ../quick || { touch ../begun; sleep 300; }; ! grep -n UNFINISHED *.c");
		const s = await t.start("claude", ["It is done."]);
		expect(await until(() => t.has("begun")), "the gate was not run");
		process.kill(s.pid, "SIGKILL");
		await s.done;
		await t.none_alive(/holdfast (stop-hook|hook)|sleep 300/);
		t.write("quick", "");
		const next = await t.play("claude", ["It is done.", { run: "echo 'int parse(void);' >src/parser.c" }, "Now it is done."]);
		expect_turns(next, 3);
		expect_told(next, 2, "lint: Exited with code 1");
	}),
];
