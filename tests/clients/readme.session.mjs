// SPDX-License-Identifier: MIT
// The README's own steps, taken from it as they stand, lead to a blocked stop under the real Claude Code.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { spawnSync } from "node:child_process";
import { expect, expect_has, expect_told, Failure } from "./lib.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

// The commands in the fenced blocks of a section: all lines of a sh block, those after "$ " of a console block.
function commands(section) {
	const found = [];
	let language = null;
	for (const line of section.split("\n"))
		if (line.startsWith("```"))
			language = language === null ? line.slice(3) : null;
		else if (language === "sh" && line.trim())
			found.push(line);
		else if (language === "console" && line.startsWith("$ "))
			found.push(line.slice(2));
	return found;
}

export default [{
	name: "claude: from nothing to a blocked stop by the README's own steps", topic: "README", clients: ["claude"],
	play: async (t) => {
		const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
		const steps = commands(readme.split("\n## Install and get started\n")[1]?.split("\n## ")[0] ?? "");
		expect(steps.length >= 3, `the README has only these steps: ${steps.join("; ")}`);
		const [install, ...rest] = steps;
		expect_has(install, "make install", "the README's first step");
		// What is installed goes below the place of the test, and is found there before all else.
		const prefix = path.join(t.place, "root");
		const done = spawnSync("bash", ["-e", "-c", install], { cwd: root, env: { ...process.env, DESTDIR: prefix }, encoding: "utf8", timeout: 300_000 });
		if (done.status !== 0)
			throw new Failure(`'${install}' failed:\n${done.stdout}${done.stderr}`);
		t.bin = path.join(prefix, "usr", "local", "bin");
		t.repository();
		for (const step of rest)
			t.shell(step);
		expect_has(rest.join("\n"), "holdfast init", "the README's steps");
		// The agent breaks what the README's project tests.
		t.shell("printf 'test:\\n\\t@echo cart.c:7: error: no total; exit 1\\n' >Makefile");
		const s = await t.play("claude", { then: "I have done something." });
		expect_told(s, 2, "cart.c:7: error: no total");
	},
}];
