// SPDX-License-Identifier: MIT
// What a session test is made of: a throw-away project and HOME, a client that is run in it against a fake API, and
// expectations that say what was seen when they do not hold. Everything that a test starts carries a mark in its
// environment, by which it is found again, and ended when the test is over.
import fs from "node:fs";
import path from "node:path";
import { spawn, spawnSync } from "node:child_process";
import { catalog, quiet } from "./catalog.mjs";
import { FakeApi } from "./fake-api.mjs";

const session_ms = 90_000;
const said_bytes = 1 << 20;

export class Failure extends Error {}
export class Skipped extends Error {}

export function skip(why) {
	throw new Skipped(why);
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// A place of its own for one test, and what can be done in it.
export class Test {
	constructor(place, binary, programs) {
		this.place = place;
		this.binary = binary;
		this.programs = programs; // name of a client -> its file
		this.mark = `holdfast-test-${process.pid}-${path.basename(place)}`;
		this.project = path.join(place, "project");
		this.home = path.join(place, "home");
		this.bin = path.join(place, "bin");
		this.apis = [];
		this.sessions = [];
		for (const dir of [this.project, this.home, this.bin, path.join(place, "tmp"), path.join(place, "state")])
			fs.mkdirSync(dir, { recursive: true });
		for (const name of ["holdfast", "conclaude", "agent-gauntlet"])
			fs.symlinkSync(binary, path.join(this.bin, name));
		this.write_home(".gitconfig", "[user]\n\tname = test\n\temail = test@example.org\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n");
		this.write_home(".profile", `PATH="${this.bin}:$PATH"\n`); // for clients that use login shells
	}

	// Nothing of the machine's own settings gets in.
	get env() {
		return {
			PATH: `${this.bin}:${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: this.home, TMPDIR: path.join(this.place, "tmp"),
			LANG: "C.UTF-8", USER: "test", SHELL: "/bin/bash", TERM: "dumb", GIT_CONFIG_NOSYSTEM: "1",
			CONCLAUDE_STATE_DIR: path.join(this.place, "state"), HOLDFAST_TEST_MARK: this.mark,
		};
	}

	at(file) {
		return path.join(this.project, file);
	}

	write(file, text, mode) {
		fs.mkdirSync(path.dirname(this.at(file)), { recursive: true });
		fs.writeFileSync(this.at(file), text);
		if (mode)
			fs.chmodSync(this.at(file), mode);
	}

	write_home(file, text) {
		fs.mkdirSync(path.dirname(path.join(this.home, file)), { recursive: true });
		fs.writeFileSync(path.join(this.home, file), text);
	}

	has(file) {
		return fs.existsSync(this.at(file));
	}

	read(file) {
		return this.has(file) ? fs.readFileSync(this.at(file), "utf8") : "";
	}

	// Runs a command line in the project; it must succeed.
	shell(line, env = {}) {
		const done = spawnSync("bash", ["-e", "-c", line], { cwd: this.project, env: { ...this.env, ...env }, encoding: "utf8", timeout: 60_000 });
		if (done.status !== 0)
			throw new Failure(`'${line}' failed with ${done.status}:\n${done.stdout}${done.stderr}`);
		return done.stdout;
	}

	repository() {
		this.shell("git init -q . && git add -A && git commit -q --allow-empty -m start");
	}

	// Starts a session; the answer has `done`, a promise of {code, signal, stdout, stderr}. With `has_input`, its `input` is a stream
	// to the client; with `on_terminal`, the client has a terminal, and the stream is what is typed.
	async start(client, script, { prompt = "Begin.", args = [], env = {}, cwd = this.project, ms = session_ms, has_input = false, on_terminal = false } = {}) {
		const entry = catalog[client];
		const api = await new FakeApi(script, { is_side: entry.is_side, seconds: ms / 1000 + 30 }).start();
		this.apis.push(api);
		entry.prepare?.(api.url, this.home);
		const [program, ...argv] = on_terminal
			? ["script", "-qfec", `stty cols 150 rows 50; exec ${[this.programs[client], prompt, ...args].map(quoted).join(" ")}`, "/dev/null"]
			: [this.programs[client], ...entry.argv(prompt, args, api.url)];
		const child = spawn(program, argv, {
			cwd, env: { ...this.env, ...quiet(api.url), ...entry.env(api.url, this.home), ...(on_terminal ? { TERM: "xterm-256color" } : {}), ...env },
			stdio: [has_input || on_terminal ? "pipe" : "ignore", "pipe", "pipe"], detached: true,
		});
		const session = { client, api, input: child.stdin, pid: child.pid, stdout: "", stderr: "", code: null, signal: null, is_late: false };
		for (const name of ["stdout", "stderr"])
			child[name].on("data", (chunk) => (session[name] = (session[name] + chunk).slice(-said_bytes)));
		this.sessions.push(session);
		const alarm = setTimeout(() => {
			session.is_late = true;
			kill_group(child.pid);
		}, ms);
		session.done = new Promise((resolve) => {
			child.on("error", (error) => (session.stderr += error.message));
			child.on("exit", (code, signal) => {
				clearTimeout(alarm);
				Object.assign(session, { code, signal });
			});
			child.on("close", () => resolve(session));
		});
		return session;
	}

	// A client for an agent to start: its API, and the command line.
	async within(client, script, prompt = "Help.") {
		const entry = catalog[client];
		const api = await new FakeApi(script, { is_side: entry.is_side }).start();
		this.apis.push(api);
		entry.prepare?.(api.url, this.home);
		const file = path.join(this.place, `within-${this.apis.length}.sh`);
		const env = Object.entries({ ...quiet(api.url), ...entry.env(api.url, this.home) }).map(([name, value]) => `${name}=${quoted(value)}`);
		fs.writeFileSync(file, `export ${env.join(" ")}\nexec ${[this.programs[client], ...entry.argv(prompt, [], api.url)].map(quoted).join(" ")} </dev/null\n`);
		return { api, line: `bash ${file}` };
	}

	// Runs the client's own command, which must succeed without asking any model.
	async command(client, argv) {
		const api = await new FakeApi([]).start();
		this.apis.push(api);
		const child = spawn(this.programs[client], argv, {
			cwd: this.project, env: { ...this.env, ...quiet(api.url), ...catalog[client].env(api.url, this.home) }, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000,
		});
		let said = "";
		child.stdout.on("data", (chunk) => (said += chunk));
		child.stderr.on("data", (chunk) => (said += chunk));
		const code = await new Promise((resolve) => child.on("close", resolve));
		api.stop();
		if (code !== 0)
			throw new Failure(`${client} ${argv.join(" ")} failed with ${code}:\n${said}`);
		return said;
	}

	// A whole session, which must end by itself.
	async play(client, script, options) {
		const session = await (await this.start(client, script, options)).done;
		session.api.stop();
		if (session.is_late)
			throw new Failure(`${client} did not end`);
		if (session.api.problems.length)
			throw new Failure(`the fake API could not answer: ${session.api.problems.join("; ")}`);
		return session;
	}

	// The processes of this test that still live, as {pid, line}.
	alive() {
		const found = [];
		for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
			try {
				if (fs.readFileSync(`/proc/${pid}/environ`, "latin1").includes(`HOLDFAST_TEST_MARK=${this.mark}\0`))
					found.push({ pid: Number(pid), line: fs.readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim() });
			} catch {
				// It has gone, or is not ours to look at.
			}
		}
		return found;
	}

	// Waits until no process of this test lives whose command line matches; what is left after `ms` fails the test.
	async none_alive(pattern, ms = 5000) {
		const end = Date.now() + ms;
		let left;
		while ((left = this.alive().filter(({ line }) => pattern.test(line))).length && Date.now() < end)
			await pause(50);
		if (left.length)
			throw new Failure(`still alive: ${left.map(({ pid, line }) => `${pid} ${line}`).join("; ")}`);
	}

	// Ends everything that this test started.
	async end() {
		for (const api of this.apis)
			api.stop();
		for (let round = 0; round < 3; round++) {
			for (const { pid } of this.alive())
				try_kill(pid);
			await pause(20);
		}
	}

	// What a failed test shows of its sessions.
	account() {
		return this.sessions.map((session) => [
			`${session.client}: code ${session.code}, signal ${session.signal}, ${session.api.turns.length} turns, ${session.api.refused} tries to get out`,
			...session.api.turns.map((turn, index) => `  told ${index + 1}: ${JSON.stringify(turn.told.slice(-400))}`),
			...session.api.requests.filter((request) => !request.is_main).map((request) => `  aside: ${request.path}`),
			`  stdout: ${session.stdout.slice(-1500)}`, `  stderr: ${session.stderr.slice(-1500)}`,
		].join("\n")).join("\n");
	}
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function try_kill(pid) {
	try {
		process.kill(pid, "SIGKILL");
	} catch {
		// It has gone.
	}
}

export function kill_group(pid) {
	try_kill(-pid);
}

// Waits for a condition; false when it did not come true.
export async function until(condition, ms = 20_000) {
	const end = Date.now() + ms;
	while (!condition()) {
		if (Date.now() > end)
			return false;
		await pause(20);
	}
	return true;
}

export function expect(condition, what) {
	if (!condition)
		throw new Failure(what);
}

export function expect_equal(seen, expected, what) {
	if (seen !== expected)
		throw new Failure(`${what}: ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`);
}

export function expect_has(text, part, what) {
	if (!text.includes(part))
		throw new Failure(`${what} lacks ${JSON.stringify(part)}; it ends with ${JSON.stringify(text.slice(-600))}`);
}

export function expect_lacks(text, part, what) {
	if (text.includes(part))
		throw new Failure(`${what} has ${JSON.stringify(part)}`);
}

// The n-th turn (from 1) of a session was asked for with this in what the model was told last.
export function expect_told(session, n, part) {
	const turn = session.api.turns[n - 1];
	expect(turn, `turn ${n} was never asked for; there were ${session.api.turns.length}`);
	expect_has(turn.told, part, `what the model was told at turn ${n}`);
}

export function expect_turns(session, count) {
	expect_equal(session.api.turns.length, count, "turns of the model");
}
