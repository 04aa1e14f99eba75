// SPDX-License-Identifier: MIT
// Guards as 'holdfast init' writes them, in every client: a line that would lose work is stopped, an ordinary one is not.
import { expect, expect_equal, expect_has, expect_lacks, expect_told } from "./lib.mjs";

const clients = ["claude", "codex", "gemini", "qwen", "copilot"];
const session = (client, name, play) => ({ name: `guards: ${client} ${name}`, topic: "guards", clients: [client], play });

// A tracked file with a change that only the working tree has.
function work(t) {
	t.write("work.txt", "committed\n");
	t.repository();
	t.write("work.txt", "not committed\n");
}

async function expect_guarded(t, client) {
	const s = await t.play(client, [{ run: "git checkout -- work.txt" }, { run: "echo fine >made.txt" }, "It is done."]);
	expect_equal(t.read("work.txt"), "not committed\n", "the file that is not committed");
	expect_equal(t.read("made.txt"), "fine\n", "what the ordinary line made");
	// Gemini's answer to a tool call is no text of the conversation, but it says it to the user as well.
	if (client === "gemini")
		expect_has(s.stderr, "work.txt", "what the client said");
	else
		expect_told(s, 2, "work.txt");
	return s;
}

export default clients.flatMap((client) => [
	session(client, "asks the guards that init --yes has written in a fresh project", async (t) => {
		work(t);
		t.shell(`holdfast init --yes --client ${client}`);
		await expect_guarded(t, client);
	}),

	session(client, "asks the guards of a clone, with init --user, once it is trusted", async (t) => {
		t.write("holdfast.yml", "guards:\n  use: [destructive, secrets]\n");
		work(t);
		t.shell("mv .git ../origin && git clone -q ../origin ../clone && mv ../clone/.git . && git status --short");
		t.shell(`holdfast init --user --client ${client}`);
		const before = await t.play(client, [{ run: "git stash list && git checkout -- work.txt" }, "It is done."]);
		expect_equal(t.read("work.txt"), "committed\n", "the file, before the clone is trusted");
		expect_lacks(before.stderr, "guard", "what the client said");
		t.write("work.txt", "not committed\n");
		expect_has(t.shell("holdfast trust"), "guards    destructive, secrets", "what trust shows");
		await expect_guarded(t, client);
	}),
]).concat([
	session("qwen", "tells the agent after a tool that a protected file has changed", async (t) => {
		t.write("holdfast.yml", "guards:\n  protect: [locked.txt]\n");
		t.write("locked.txt", "as it was\n");
		t.write("change.js", 'require("fs").writeFileSync("lock" + "ed.txt", "changed\\n");\n');
		t.repository();
		t.shell("holdfast init --client qwen");
		const s = await t.play("qwen", [{ run: "node change.js" }, { run: "git checkout -- locked.txt" }, "It is done."]);
		expect_equal(s.code, 0, "exit code");
		expect_told(s, 2, "locked.txt was changed");
		expect(t.has("locked.txt"), "the file is gone");
	}),
]);
