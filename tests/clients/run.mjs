#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Plays whole sessions with the real clients against a fake model API, and prints TAP.
//
//     tests/clients/run.mjs [PART-OF-A-NAME]...      all sessions, or those whose name has one of the parts
//
// HOLDFAST_BIN is the binary under test, build/holdfast unless set; KEEP=1 leaves the directories of the sessions.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { catalog, install } from "./catalog.mjs";
import { Skipped, Test } from "./lib.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..", "..");
const binary = path.resolve(process.env.HOLDFAST_BIN || path.join(root, "build", "holdfast"));
const at_once = 2;

if (!fs.existsSync(binary)) {
	console.error(`there is no ${binary}; run 'make' first`);
	process.exit(1);
}

// Each file of sessions exports a list of {name, clients, topic, play(test)}.
const files = fs.readdirSync(here).filter((name) => name.endsWith(".session.mjs")).sort();
const all = (await Promise.all(files.map((file) => import(path.join(here, file))))).flatMap((module) => module.default);
const parts = process.argv.slice(2);
const sessions = all.filter(({ name }) => !parts.length || parts.some((part) => name.includes(part)));
const work = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-clients."));
const counts = { passed: 0, failed: 0, skipped: 0 };
const exercised = Object.fromEntries(Object.keys(catalog).map((client) => [client, []]));
const started = Date.now();

const programs = {};
const absent = {};
for (const client of new Set(sessions.flatMap(({ clients }) => clients))) {
	const { file, why } = install(client);
	if (file)
		programs[client] = file;
	else {
		absent[client] = why;
		console.log(`# notice: ${why}; its sessions are skipped`);
	}
}

async function outcome(session, number) {
	const missing = session.clients.find((client) => absent[client]);
	if (missing)
		return { skipped: absent[missing] };
	const test = new Test(path.join(work, String(number)), binary, programs);
	try {
		await session.play(test);
		return {};
	} catch (error) {
		if (error instanceof Skipped)
			return { skipped: error.message };
		return { failed: `${error.constructor.name === "Failure" ? error.message : error.stack}\n${test.account()}` };
	} finally {
		await test.end();
	}
}

console.log(`1..${sessions.length}`);
async function worker(queue) {
	for (let next = queue.shift(); next; next = queue.shift()) {
		const { session, number } = next;
		const began = Date.now();
		const { failed, skipped } = await outcome(session, number);
		const line = `${number} - ${session.name}`;
		if (failed) {
			counts.failed++;
			console.log(`not ok ${line}\n${failed.replace(/^/gm, "#   ")}`);
		} else if (skipped) {
			counts.skipped++;
			console.log(`ok ${line} # SKIP ${skipped}`);
		} else {
			counts.passed++;
			session.clients.forEach((client) => exercised[client].push(session.topic));
			console.log(`ok ${line} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
		}
	}
}
const queue = sessions.map((session, index) => ({ session, number: index + 1 }));
await Promise.all(Array.from({ length: at_once }, () => worker(queue)));

for (const [client, topics] of Object.entries(exercised))
	if (topics.length)
		console.log(`# ${client} ${catalog[client].version}: ${[...new Set(topics)].join(", ")}`);
for (const [client, why] of Object.entries(absent))
	console.log(`# ${client}: not exercised, ${why}`);
if (!process.env.KEEP)
	fs.rmSync(work, { recursive: true, force: true, maxRetries: 3 });
else
	console.log(`# kept: ${work}`);
console.log(`# in ${Math.round((Date.now() - started) / 1000)} s`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed || !sessions.length ? 1 : 0);
