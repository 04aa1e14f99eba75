// SPDX-License-Identifier: MIT
// The fake API itself, without any client: what it can be trusted with.
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, expect_equal, expect_has, pause } from "./lib.mjs";
import { FakeApi } from "./fake-api.mjs";
import { dialects } from "./wire.mjs";

const check = (name, play) => ({ name: `fake API: ${name}`, topic: "", clients: [], play });

async function with_api(t, script, options, body) {
	const api = await new FakeApi(script, options).start();
	t.apis.push(api);
	await body(api);
	api.stop();
}

async function post(api, where, body) {
	const response = await fetch(`${api.url}${where}`, { method: "POST", body: JSON.stringify(body) });
	return { code: response.status, text: await response.text() };
}

// A request of each dialect that offers a shell, and where it goes; stream: with it, or the whole answer.
const asks = {
	anthropic: { tools: [{ name: "Bash" }], body: (ask) => ({ messages: [{ role: "user", content: ask }] }), whole: "/v1/messages", stream: "/v1/messages" },
	responses: { tools: [{ type: "function", name: "exec_command" }], body: (ask) => ({ input: [{ role: "user", content: ask }] }), whole: "/v1/responses", stream: "/v1/responses" },
	chat: { tools: [{ type: "function", function: { name: "bash" } }], body: (ask) => ({ messages: [{ role: "user", content: ask }] }), whole: "/v1/chat/completions", stream: "/v1/chat/completions" },
	gemini: {
		tools: [{ functionDeclarations: [{ name: "run_shell_command" }] }], body: (ask) => ({ contents: [{ role: "user", parts: [{ text: ask }] }] }),
		whole: "/v1beta/models/x:generateContent", stream: "/v1beta/models/x:streamGenerateContent",
	},
};

export default [
	check("every dialect says text and a command, whole and as events, and is recorded", async (t) => {
		expect_equal(Object.keys(asks).join(), dialects.map(({ name }) => name).join(), "dialects that are asked");
		for (const [name, ask] of Object.entries(asks))
			for (const form of ["whole", "stream"])
				await with_api(t, [{ text: "I run it.", run: "echo one" }], { record: t.place }, async (api) => {
					const { code, text } = await post(api, ask[form], { ...ask.body("What now?"), tools: ask.tools, stream: form === "stream" });
					const what = `the answer of ${name}, ${form}`;
					expect_equal(code, 200, what);
					expect_has(text, "I run it.", what);
					expect_has(text, "echo one", what);
					expect_equal(text.startsWith("{"), form === "whole", `${what}: is one object`);
					expect_equal(api.turns[0].told, "What now?", `${what}: what it was told`);
					expect_equal(JSON.parse(fs.readFileSync(path.join(t.place, "001.json"), "utf8")).told, "What now?", `${what}: the record`);
				});
	}),

	check("answers come in order, then the last one again and again; requests without tools have none of them", async (t) => {
		await with_api(t, { answers: ["One.", "Two."], then: "No more." }, {}, async (api) => {
			const ask = (tools) => post(api, "/v1/messages", { messages: [{ role: "user", content: "?" }], tools });
			for (const expected of ["One.", "Two.", "No more.", "No more."]) {
				expect_has((await ask([])).text, "Fine.", "the answer to a request without tools");
				expect_has((await ask([{ name: "Bash" }])).text, expected, "the answer");
			}
			expect_equal(api.turns.length, 4, "turns");
			expect_equal(api.requests.length, 8, "requests");
		});
	}),

	check("it is reached by loopback alone, and lets nothing through as a proxy", async (t) => {
		await with_api(t, [], {}, async (api) => {
			const port = new URL(api.url).port;
			const reaches = (host) => new Promise((resolve) => {
				const socket = net.connect({ host, port, timeout: 2000 });
				const end = (is_reached) => resolve(is_reached) || socket.destroy();
				socket.on("connect", () => end(true)).on("error", () => end(false)).on("timeout", () => end(false));
			});
			expect(await reaches("127.0.0.1"), "it is not reached by loopback");
			for (const { address, internal, family } of Object.values(os.networkInterfaces()).flat())
				if (!internal && family === "IPv4")
					expect(!(await reaches(address)), "it is reached from outside");
			const said = await new Promise((resolve) => {
				const socket = net.connect(port, "127.0.0.1", () => socket.write("CONNECT elsewhere.invalid:443 HTTP/1.1\r\nHost: elsewhere.invalid\r\n\r\n"));
				socket.on("data", (data) => resolve(data.toString()));
			});
			expect_has(said, "403", "the answer to CONNECT");
			expect_equal(api.refused, 1, "what was refused");
		});
	}),

	check("it ends by itself", async (t) => {
		await with_api(t, [], { seconds: 0.2 }, async (api) => {
			await pause(500);
			expect(!api.server.listening, "it still listens");
		});
	}),

	check("what can't be read or played is refused and told", async (t) => {
		await with_api(t, [{ run: "true" }], {}, async (api) => {
			expect_equal((await fetch(`${api.url}/v1/messages`, { method: "POST", body: "no JSON" })).status, 400, "the code for what is no JSON");
			expect_equal((await post(api, "/v1/messages", { messages: [], tools: [{ name: "Read" }] })).code, 400, "the code where no shell is offered");
			expect_equal((await post(api, "/elsewhere", {})).code, 404, "the code for another place");
			expect_equal(api.problems.length, 2, "problems");
		});
	}),
];
