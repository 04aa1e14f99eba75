// SPDX-License-Identifier: MIT
// A clone with the project's own registration that nobody has accepted, a worktree of one, and a second clone on another branch: whoever
// loosens holdfast.yml there is held by what the team has, and the user is told.
import path from "node:path";
import { expect_has, expect_told, expect_turns, pause, until } from "./lib.mjs";

const loosen = `sed -i 's/test -e ok/"true"/' holdfast.yml`;
const loosens = { text: "I loosen the gate.", run: loosen };
const fixed = [{ text: "I fix it.", run: "touch ok" }, "Now it is done."];

// Where each begins from a clone, which is in ../fresh, and what the agent does there before it stops.
const places = [
	["a fresh clone", "fresh", "git checkout -q -b work", [loosens]],
	["a worktree of a clone", "tree", "git worktree add -q -b more ../tree", [loosens]],
	["a second clone on another branch", "second",
		`git clone -q ../project ../second; cd ../second; git checkout -q -b other; ${loosen}; git commit -qam "A loose gate"`, []],
];

const held = ["were accepted by nobody, so those of origin/main are pinned", "the definitions differ from the pinned ones, which are used: holdfast.yml"];
const bare = (text) => text.replace(/\x1b\[[0-9;?]*[A-Za-z]|\s|[│└╭╰─]/g, "");

// Plays a session and returns it, with what its user was shown. `codex exec` shows nothing of what a hook has to say; its screen does.
const clients = {
	async claude(t, script, cwd) {
		const s = await t.play("claude", script, { cwd, args: ["--output-format", "stream-json", "--verbose"] });
		const shown = s.stdout.split("\n").filter((line) => line.includes('"informational"'));
		return { s, shown: bare(shown.join("\n")) };
	},
	async codex(t, script, cwd) {
		const s = await t.start("codex", script, {
			cwd, on_terminal: true,
			args: ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"],
		});
		// It asks whether the folder is trusted, and loses keys while it starts.
		for (let tries = 0; tries < 60 && !s.api.turns.length; tries++) {
			await pause(500);
			if (!s.api.turns.length && bare(s.stdout).includes(bare("Trust and continue")))
				s.input.write("\r");
		}
		await until(() => s.api.turns.length === script.length && bare(s.stdout).includes(bare("gates passed")), 40_000);
		return { s, shown: bare(s.stdout) };
	},
};

const sessions = Object.entries(clients).flatMap(([client, play]) => places.map(([what, name, begin, does]) => ({
	name: `${client}: in ${what}, a loosened gate is not used, and the user is told`, topic: "clones", clients: [client],
	async play(t) {
		t.write("holdfast.yml", "base: main\ngates:\n  test: test -e ok\n");
		t.repository();
		t.shell(`holdfast init --client ${client} && git add -A && git commit -q -m hooks`);
		t.shell(`git clone -q . ../fresh; cd ../fresh; ${begin}`);
		const script = [...does, "It is done.", ...fixed];
		const { s, shown } = await play(t, script, path.join(t.place, name));
		expect_turns(s, script.length);
		expect_told(s, does.length + 2, "test: Exited with code 1");
		for (const words of held)
			expect_has(shown, bare(words), "what the client showed");
	},
})));

export default sessions;
