// SPDX-License-Identifier: MIT
// The plugin in the real Claude Code, without init: from its folder and from a marketplace that is a folder, and the slash
// commands of it.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, expect_equal, expect_has, expect_told, expect_turns } from "./lib.mjs";

const session = (name, play) => ({ name: `claude plugin: ${name}`, topic: "plugin", clients: ["claude"], play });
const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "share", "claude-plugin");
const loop = ".claude/ralph-loop.local.md";

export default [
	session("from its folder, a failing stop command blocks without init", async (t) => {
		t.write(".conclaude.yaml", "stop:\n  commands:\n    - run: test -e fixed\n      message: The file fixed is not there.\n");
		t.repository();
		t.shell("holdfast trust");
		const s = await t.play("claude", ["It is done.", { run: "touch fixed" }, "Now it is done."], { args: ["--plugin-dir", folder] });
		expect_turns(s, 3);
		expect_told(s, 2, "The file fixed is not there.");
		expect(!t.has(".claude/settings.json"), "settings were written");
	}),

	session("installed from a local marketplace, follow-ups are sent", async (t) => {
		t.write(".conclaude.yaml", 'stop:\n  promptPrefixBlocking:\n    prefixes: ["Plan*"]\n    messages:\n      - text: Answer the open questions.\n');
		t.repository();
		t.shell("holdfast trust");
		await t.command("claude", ["plugin", "validate", folder]);
		await t.command("claude", ["plugin", "marketplace", "add", folder]);
		await t.command("claude", ["plugin", "install", "holdfast@holdfast"]);
		const s = await t.play("claude", ["Planned.", "Answered."], { prompt: "Plan an offline mode." });
		expect_turns(s, 2);
		expect_told(s, 2, "Answer the open questions.");
	}),

	session("beside what init has registered, a stop is decided once", async (t) => {
		t.write(".conclaude.yaml", "stop:\n  rounds: 4\n");
		t.repository();
		t.shell("holdfast init");
		const s = await t.play("claude", { then: "It is done." }, { args: ["--plugin-dir", folder] });
		expect_turns(s, 4);
		// Where the client is told to leave the project's settings out, nobody else is there.
		const alone = await t.play("claude", { then: "It is done." }, { args: ["--plugin-dir", folder, "--setting-sources", "user"] });
		expect_turns(alone, 4);
	}),

	session("/ralph-loop begins a loop of this session", async (t) => {
		t.repository();
		const s = await t.play("claude", ["One.", "Two.", "Three. <promise>ALL GREEN</promise>"], {
			prompt: '/holdfast:ralph-loop "Mend the next test." --max-iterations 9 --completion-promise "ALL GREEN"', args: ["--plugin-dir", folder],
		});
		expect_turns(s, 3);
		expect_told(s, 1, "Ralph loop started");
		expect_told(s, 2, "Mend the next test.");
		expect_told(s, 3, "Mend the next test.");
		expect(!t.has(loop), "the loop's file is still there");
	}),

	session("/ralph-loop feeds what was typed, whatever it is made of", async (t) => {
		t.repository();
		const typed = `don't run $(touch ran) or \`touch ran\`; "quoted" & $1 #not !important\n\n- [ ! -e x ] \\ wow! 100%%\n- é 日本 🎉`;
		const s = await t.play("claude", ["One.", "Two. <promise>ALL GREEN!</promise>"], {
			prompt: `/holdfast:ralph-loop ${typed} --completion-promise "ALL GREEN!"`, args: ["--plugin-dir", folder],
		});
		expect_turns(s, 2);
		expect_told(s, 2, typed);
		expect(!t.has("ran"), "a part of the prompt was run");
	}),

	session("/ralph-loop with three backquotes starts nothing and says why", async (t) => {
		t.repository();
		const s = await t.play("claude", ["There is none."], {
			prompt: "/holdfast:ralph-loop Do this:\n```sh\nmake\n```\nand that --max-iterations 3", args: ["--plugin-dir", folder],
		});
		expect_has(s.stdout, "the text is cut off", "what the client printed");
		expect(!t.has(loop), "a loop was started");
	}),

	session("/cancel-ralph ends the loop", async (t) => {
		t.repository();
		const id = "33333333-3333-4333-8333-333333333333";
		const env = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "2" };
		const first = await t.play("claude", { then: "Not yet." }, { prompt: '/holdfast:ralph-loop "Go on." --max-iterations 9', args: ["--plugin-dir", folder, "--session-id", id], env });
		expect_turns(first, 3); // the client's limit ends the turn, not the loop
		expect(t.has(loop), "the loop's file is gone");
		const second = await t.play("claude", ["It is cancelled."], { prompt: "/holdfast:cancel-ralph", args: ["--plugin-dir", folder, "--resume", id], env });
		expect_turns(second, 1);
		expect(!t.has(loop), "the loop's file is still there");
		expect_equal(second.code, 0, "exit code");
	}),

	session("/ralph-status tells the model of the loop", async (t) => {
		t.repository();
		t.shell('holdfast ralph start "Go on." --max-iterations 2 --session another');
		const s = await t.play("claude", ["There is one loop."], { prompt: "/holdfast:ralph-status", args: ["--plugin-dir", folder] });
		expect_turns(s, 1);
		expect_told(s, 1, "Go on.");
	}),

	session("/holdfast:setup tells the model how to write gates, and the next session has to pass them", async (t) => {
		t.shell("printf 'test:\\n\\t@test ! -e broken || { echo cart.c:7: error: no total; exit 1; }\\n' >Makefile");
		t.repository();
		const s = await t.play("claude", [{ run: "holdfast init --dry-run" }, { run: "holdfast init --yes" }, "Set up."], {
			prompt: "/holdfast:setup", args: ["--plugin-dir", folder],
		});
		expect_told(s, 1, "holdfast add gate NAME -- COMMAND");
		expect_told(s, 2, "test    make test");
		expect_told(s, 3, "test passed in");
		expect(t.has("holdfast.yml"), "there is no holdfast.yml");
		t.shell("touch broken");
		const next = await t.play("claude", ["Done.", { run: "rm broken" }, "Fixed."], { args: ["--plugin-dir", folder] });
		expect_turns(next, 3);
		expect_told(next, 2, "cart.c:7: error: no total");
	}),

	session("the commands have short names as commands of the project", async (t) => {
		t.shell(`mkdir -p .claude && cp -r '${folder}/commands' .claude/commands`);
		t.repository();
		t.shell("holdfast init");
		const s = await t.play("claude", ["One.", { text: "Two. ", run: "true" }, "Two. <promise>COMPLETE</promise>"], { prompt: '/ralph-loop "Mend the next test."' });
		expect_turns(s, 3);
		expect_told(s, 1, "Ralph loop started");
		expect_told(s, 2, "Mend the next test.");
	}),
];
