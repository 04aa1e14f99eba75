// SPDX-License-Identifier: MIT
// Chromium without a window, driven through a pipe by its DevTools protocol: what a page asks for, what its console says, and
// how it looks.
import fs from "node:fs";
import path from "node:path";
import { spawn } from "node:child_process";
import { Failure, kill_group, skip, until } from "./lib.mjs";

const answer_ms = 30_000;
const end_ms = 10_000;

function find_browser() {
	const dirs = (process.env.PATH ?? "").split(":");
	for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
		const dir = dirs.find((dir) => fs.existsSync(path.join(dir, name)));
		if (dir)
			return path.join(dir, name);
	}
	return null;
}

class Browser {
	constructor(program, place, env) {
		this.child = spawn(program, ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
			`--user-data-dir=${path.join(place, "browser")}`, "about:blank"], { env, stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"], detached: true });
		this.waiting = new Map();
		this.listeners = [];
		this.number = 0;
		this.said = "";
		this.child.stderr.on("data", (chunk) => (this.said = (this.said + chunk).slice(-2000)));
		this.child.on("exit", () => this.#fail_all());
		this.child.on("error", () => this.#fail_all());
		this.child.stdio[3].on("error", () => {});
		let rest = "";
		this.child.stdio[4].setEncoding("utf8").on("data", (chunk) => {
			const parts = (rest + chunk).split("\0");
			rest = parts.pop();
			parts.forEach((part) => this.#take(JSON.parse(part)));
		});
	}

	#take(message) {
		const waiter = this.waiting.get(message.id);
		this.waiting.delete(message.id);
		if (waiter)
			waiter(message);
		else
			this.listeners.forEach((listen) => listen(message));
	}

	#fail_all() {
		for (const waiter of this.waiting.values())
			waiter({ error: { message: `the browser has ended: ${this.said}` } });
	}

	async call(method, params = {}, session = undefined) {
		const id = ++this.number;
		const message = await new Promise((resolve) => {
			const alarm = setTimeout(() => resolve({ error: { message: `no answer: ${this.said}` } }), answer_ms);
			this.waiting.set(id, (answer) => (clearTimeout(alarm), resolve(answer)));
			this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId: session }) + "\0");
		});
		if (message.error)
			throw new Failure(`${method}: ${message.error.message}`);
		return message.result;
	}

	// Opens a file in a page of this width, without JavaScript unless it is wanted. The answer lists what the page asked for beyond
	// itself, and the errors and warnings on its console.
	async open(file, { width = 1280, scheme = "light", media = "", has_script = false } = {}) {
		const url = `file://${file}`;
		const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
		const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
		const page = { requests: [], console: [], call: (method, params) => this.call(method, params, sessionId) };
		let loaded;
		const has_loaded = new Promise((resolve) => (loaded = resolve));
		this.listeners.push(({ method, params, sessionId: from }) => {
			if (from !== sessionId)
				return;
			if (method === "Network.requestWillBeSent" && params.request.url !== url && !params.request.url.startsWith("data:"))
				page.requests.push(params.request.url);
			else if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
				page.console.push(params.args.map(({ value }) => value).join(" "));
			else if (method === "Runtime.exceptionThrown")
				page.console.push(params.exceptionDetails.text);
			else if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level))
				page.console.push(params.entry.text);
			else if (method === "Page.loadEventFired")
				loaded();
		});
		for (const domain of ["Page", "Network", "Runtime", "Log"])
			await page.call(`${domain}.enable`);
		await page.call("Emulation.setScriptExecutionDisabled", { value: !has_script });
		await page.call("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
		await page.call("Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: scheme }] });
		await page.call("Page.navigate", { url });
		await has_loaded;
		// An answer to another question comes after all events that the page has caused so far.
		await page.call("Page.getLayoutMetrics");
		page.ask = async (expression) => (await page.call("Runtime.evaluate", { expression, returnByValue: true })).result.value;
		page.picture = async (to, from = 0, height = 0) => {
			const { cssContentSize: size } = await page.call("Page.getLayoutMetrics");
			const clip = { x: 0, y: from, width, height: height || size.height - from, scale: 1 };
			const { data } = await page.call("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
			fs.writeFileSync(to, Buffer.from(data, "base64"));
		};
		page.close = () => this.call("Target.closeTarget", { targetId });
		return page;
	}

	// Returns when the last of its processes has ended, which may still write to its directory until then.
	async close() {
		await this.call("Browser.close").catch(() => {});
		await until(() => this.child.exitCode !== null || this.child.signalCode !== null, end_ms);
		kill_group(this.child.pid);
		await until(() => !has_members(this.child.pid), end_ms);
	}
}

// Does a process of the group live? One that nobody has waited for does not.
function has_members(group) {
	return fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).some((pid) => {
		try {
			const [state, , of] = fs.readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) /s, "").split(" ");
			return Number(of) === group && state !== "Z";
		} catch {
			return false; // It has gone.
		}
	});
}

// Calls use(browser), and ends the browser whatever happens.
export async function with_browser(t, use) {
	const browser = new Browser(find_browser() ?? skip("Chromium is not installed, and scripts/install-deps could not get Debian's package"), t.place, t.env);
	try {
		await use(browser);
	} finally {
		await browser.close();
	}
}
