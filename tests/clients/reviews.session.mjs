// SPDX-License-Identifier: MIT
// Reviews through the real command lines: each completes a review that holdfast asks for, and a whole session of Claude
// Code is reviewed by Claude Code.
import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { catalog, quiet } from "./catalog.mjs";
import { expect, expect_equal, expect_has } from "./lib.mjs";
import { FakeApi } from "./fake-api.mjs";

const verdict = (violations) => JSON.stringify(violations.length ? { status: "fail", violations } : { status: "pass", message: "No problems found." });
const violation = { file: "src/parser.c", line: 1, issue: "The parser parses nothing.", fix: "Write it.", priority: "high", status: "new" };

function reviewed_project(t, reviewer) {
	fs.symlinkSync(t.programs[reviewer], path.join(t.bin, reviewer));
	t.write(".gauntlet/config.yml", `base_branch: main\ncli:\n  default_preference: [${reviewer}]\nentry_points:\n  - path: src\n    reviews: [quality]\nstop_hook:\n  reverify: true\n`);
	t.write(".gauntlet/reviews/quality.md", "# Quality\n\nLook for functions without a body.\n");
	t.write(".gitignore", "gauntlet_logs/\n");
	t.repository();
	t.write("src/parser.c", "int parse(void);\n");
}

// holdfast review, while the reviewer talks to an API that gives the same answer to whatever is asked.
async function review(t, reviewer, answer) {
	const api = await new FakeApi({ then: answer }, { every: true }).start();
	t.apis.push(api);
	const entry = catalog[reviewer];
	entry.prepare?.(api.url, t.home);
	const child = spawn("holdfast", ["review"], {
		cwd: t.project, env: { ...t.env, ...quiet(api.url), ...entry.env(api.url, t.home), ...(entry.reviewer_env ?? {}) }, stdio: ["ignore", "pipe", "pipe"], timeout: 90_000,
	});
	let said = "";
	child.stdout.on("data", (chunk) => (said += chunk));
	child.stderr.on("data", (chunk) => (said += chunk));
	const code = await new Promise((resolve) => child.on("close", resolve));
	api.stop();
	const logs = fs.readdirSync(t.at("gauntlet_logs")).filter((name) => name.startsWith("review")).map((name) => `${name}: ${t.read(`gauntlet_logs/${name}`).slice(-1500)}`);
	return { code, said: `${said}\n${logs.join("\n")}`, asked: api.requests.map(({ body }) => JSON.stringify(body)).join("\n") };
}

export default [
	...["claude", "codex", "gemini"].flatMap((reviewer) => [
		{
			name: `${reviewer}: a review by it finds what is wrong, and the fix passes`, topic: "reviewer", clients: [reviewer],
			play: async (t) => {
				reviewed_project(t, reviewer);
				const first = await review(t, reviewer, `I looked at it.\n\n${verdict([violation])}`);
				expect_equal(first.code, 1, `exit code of holdfast review, which said:\n${first.said}\n`);
				expect_has(first.said, violation.issue, "what holdfast said");
				expect_has(first.asked, "Look for functions without a body.", "what the reviewer's model was asked");
				expect_has(first.asked, "+int parse(void);", "what the reviewer's model was asked");
				const log = fs.readdirSync(t.at("gauntlet_logs")).find((name) => name.startsWith("review") && name.endsWith(".json"));
				expect(log, "there is no JSON of the review");
				t.write(`gauntlet_logs/${log}`, t.read(`gauntlet_logs/${log}`).replace('"new"', '"fixed"'));
				t.write("src/parser.c", "int parse(void) { return 0; }\n");
				const second = await review(t, reviewer, verdict([]));
				expect_equal(second.code, 0, `exit code of the second holdfast review, which said:\n${second.said}\n`);
			},
		},
	]),

	{
		name: "claude: a session whose work is reviewed is held until the review passes", topic: "review gate", clients: ["claude"],
		play: async (t) => {
			reviewed_project(t, "claude");
			t.shell("holdfast init");
			// The agent and its reviewer ask the same API; the reviewer is the one that is shown a diff.
			const is_review = ({ body }) => JSON.stringify(body).includes("HOW TO ANSWER");
			let is_fixed = false;
			let turn = 0;
			const steps = [
				"It is done.",
				({ told }) => ({ text: "I fix it.", run: `sed -i 's/"new"/"fixed"/' ${told.match(/\/\S+\.json\b/)?.[0]}; echo 'int parse(void) { return 0; }' >src/parser.c` }),
				"Now it is done.",
			];
			const answer = (request) => {
				if (is_review(request))
					return verdict(is_fixed ? [] : [violation]);
				is_fixed = turn >= 1;
				const step = steps[Math.min(turn++, steps.length - 1)];
				return typeof step === "function" ? step(request) : step;
			};
			const s = await t.play("claude", { then: answer });
			const agent = s.api.turns.filter((request) => !is_review(request));
			expect_equal(agent.length, 3, "turns of the agent");
			expect_has(agent[1].told, violation.issue, "what the agent was told");
			expect_equal(s.code, 0, "exit code");
			expect_has(s.stdout, "Now it is done.", "what the client printed");
		},
	},
];
