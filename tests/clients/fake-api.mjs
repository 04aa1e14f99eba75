#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// A model API that plays a script: it listens on 127.0.0.1 only, answers each request of a session with the next entry
// of a list, and keeps every request, so that a test can look up what the model was told. It never asks anybody else.
//
//     fake-api.mjs SCRIPT.json RECORD-DIRECTORY [SECONDS]      prints its address, and ends after SECONDS (120)
//
// A script is a list, or {"answers": [...], "then": ANSWER}: `then` (else the text "Done.") is said when the list is at
// its end. An answer is a text, or an object with any of
//
//     text    what the model says               run     a command that it runs by the client's shell tool
//     tool    any tool by its name, with        input   its input
//     status  an HTTP error instead             hang    true: nothing is answered until the client goes
//     delay   milliseconds before the answer
//
// A test that plays in this process may also put a function of the request, {told, body}, where an answer stands.
//
// Requests that offer no tools (titles, summaries) and those that `is_side` names get a short answer and leave the
// script alone, unless the script was made with `every: true`. It is also the proxy of the clients, and lets nothing through:
// whatever they look for beside it is refused at once, and counted.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import zlib from "node:zlib";
import { pathToFileURL } from "node:url";
import { dialects } from "./wire.mjs";

const limit = { body_bytes: 64 << 20, requests: 400, seconds: 120 };

// The shell tools of the clients and how each takes a command, by the name it has in a request.
const shells = {
	Bash: (command) => ({ command, description: "Runs it" }),
	exec_command: (cmd) => ({ cmd }),
	shell_command: (command) => ({ command }),
	shell: (command) => ({ command: ["bash", "-c", command] }),
	run_shell_command: (command) => ({ command, description: "Runs it", is_background: false }),
	bash: (command) => ({ command, description: "Runs it", initial_wait: 30, mode: "sync" }),
};

function turn_of(answer, offered, id) {
	const turn = { id, text: "", calls: [] };
	if (typeof answer === "string")
		return { ...turn, text: answer };
	turn.text = answer.text ?? "";
	if (answer.tool)
		turn.calls.push({ id: `${id}a`, name: answer.tool, input: answer.input ?? {} });
	if (answer.run) {
		const name = Object.keys(shells).find((shell) => offered.includes(shell));
		if (!name)
			throw new Error(`no shell tool is offered: ${offered.join(" ")}`);
		turn.calls.push({ id: `${id}b`, name, input: shells[name](answer.run) });
	}
	return turn;
}

function read_body(request) {
	return new Promise((resolve, reject) => {
		const chunks = [];
		let size = 0;
		request.on("data", (chunk) => {
			size += chunk.length;
			if (size > limit.body_bytes)
				return reject(new Error("the request is too large"));
			chunks.push(chunk);
		});
		request.on("error", reject);
		request.on("end", () => {
			const bytes = Buffer.concat(chunks);
			try {
				const plain = request.headers["content-encoding"] === "gzip" ? zlib.gunzipSync(bytes) : bytes;
				resolve(plain.length ? JSON.parse(plain.toString("utf8")) : {});
			} catch (error) {
				reject(new Error(`the request is not JSON: ${error.message}`));
			}
		});
	});
}

function send_json(response, code, value) {
	response.writeHead(code, { "content-type": "application/json" });
	response.end(JSON.stringify(value));
}

function send_events(response, events) {
	response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
	for (const { event, data } of events)
		response.write(`${event ? `event: ${event}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
	response.end();
}

// What clients ask beside the conversation.
function send_aside(response, where) {
	if (where.endsWith("/count_tokens") || where.endsWith(":countTokens"))
		return send_json(response, 200, { input_tokens: 16, totalTokens: 16 });
	if (where.endsWith("/models"))
		return send_json(response, 200, { object: "list", data: [{ id: "fake", object: "model", type: "model" }], models: [] });
	return send_json(response, 404, { error: { type: "not_found_error", message: `nothing is at ${where}` } });
}

export class FakeApi {
	// script: as above; options: every, is_side(body), record (a directory), seconds
	constructor(script, options = {}) {
		this.answers = [...(Array.isArray(script) ? script : (script.answers ?? []))];
		this.last = script.then ?? "Done.";
		this.options = options;
		this.requests = []; // {number, path, dialect, is_main, told, body}
		this.problems = [];
		this.refused = 0; // tries to get out
		this.waiting = [];
		this.server = http.createServer((request, response) => {
			this.answer(request, response).catch((error) => {
				this.problems.push(error.message);
				if (!response.headersSent)
					send_json(response, 400, { error: { type: "invalid_request_error", message: error.message } });
			});
		});
		this.server.on("connect", (request, socket) => {
			this.refused++;
			socket.on("error", () => {});
			socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
		});
	}

	start() {
		return new Promise((resolve, reject) => {
			this.server.once("error", reject);
			this.server.listen(0, "127.0.0.1", () => {
				this.url = `http://127.0.0.1:${this.server.address().port}`;
				this.alarm = setTimeout(() => this.stop(), (this.options.seconds ?? limit.seconds) * 1000);
				resolve(this);
			});
		});
	}

	stop() {
		clearTimeout(this.alarm);
		this.server.close();
		this.server.closeAllConnections?.();
	}

	// The requests of the conversation itself.
	get turns() {
		return this.requests.filter((request) => request.is_main);
	}

	// Resolves when the n-th turn (from 1) has been asked for.
	turn(n) {
		return new Promise((resolve) => {
			this.waiting.push({ n, resolve });
			this.notice();
		});
	}

	notice() {
		const count = this.turns.length;
		this.waiting = this.waiting.filter(({ n, resolve }) => count < n || resolve());
	}

	keep(request) {
		this.requests.push(request);
		if (this.options.record) {
			const name = `${String(request.number).padStart(3, "0")}.json`;
			fs.writeFileSync(path.join(this.options.record, name), JSON.stringify(request, null, 1));
		}
		this.notice();
	}

	async answer(request, response) {
		const where = request.url.split("?")[0];
		if (!where.startsWith("/")) {
			this.refused++;
			return send_json(response, 403, { error: "nothing is let through" });
		}
		const body = await read_body(request);
		const dialect = dialects.find((known) => known.owns(where));
		const number = this.requests.length + 1;
		if (number > limit.requests)
			return send_json(response, 400, { error: { type: "invalid_request_error", message: "too many requests for a test" } });
		if (!dialect || request.method !== "POST") {
			this.keep({ number, path: where, is_main: false, told: "", body });
			return send_aside(response, where);
		}
		const offered = dialect.tools(body);
		const is_main = this.options.every === true || (offered.length > 0 && !this.options.is_side?.(body, offered));
		let answer = is_main ? (this.answers.length ? this.answers.shift() : this.last) : "Fine.";
		const kept = { number, path: where, dialect: dialect.name, is_main, told: dialect.told(body), body };
		this.keep(kept);
		if (typeof answer === "function")
			answer = answer(kept);
		if (answer.hang)
			return;
		if (answer.delay)
			await new Promise((resolve) => setTimeout(resolve, answer.delay));
		if (answer.status)
			return send_json(response, answer.status, { type: "error", error: { type: "api_error", message: answer.text ?? "refused" } });
		const turn = turn_of(answer, offered, String(number));
		if (dialect.is_stream(where, body))
			send_events(response, dialect.events(turn, body));
		else
			send_json(response, 200, dialect.whole(turn, body));
	}
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
	const [script, record, seconds] = process.argv.slice(2);
	if (!script || !record) {
		console.error("usage: fake-api.mjs SCRIPT.json RECORD-DIRECTORY [SECONDS]");
		process.exit(1);
	}
	fs.mkdirSync(record, { recursive: true });
	const plan = JSON.parse(fs.readFileSync(script, "utf8"));
	const api = await new FakeApi(plan, { record, seconds: Number(seconds) || undefined, every: plan.every }).start();
	console.log(api.url);
}
