// SPDX-License-Identifier: MIT
// The page of `holdfast report --html` in a real browser: nothing is asked for, the console is silent, texts are text, and everything
// can be read on a phone and on a desk, in light and dark, and on paper. SCREENSHOTS=DIR keeps its pictures there.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { with_browser } from "./browser.mjs";
import { expect, expect_equal } from "./lib.mjs";

const night = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "lib", "night");
const hostile = `<img src="https://example.invalid/a.png" onerror="console.error('hostile')"><script>console.error('hostile')</script>`;

function write_report(t) {
	t.shell(night);
	for (let i = 0; i < 4; i++)
		t.shell('git commit -q --allow-empty -m "$SUBJECT"', { SUBJECT: hostile });
	t.shell("holdfast stop-hook >/dev/null <<<\"$EVENT\"", { EVENT: JSON.stringify({
		session_id: hostile + "\u001b[31mred\r\n\u0007", cwd: t.project, hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: hostile }) });
	const file = path.join(t.place, "report.html");
	t.shell(`holdfast report --html ${file}`);
	return file;
}

const expect_silent = (page, what) => {
	expect_equal(page.requests.join(" "), "", `${what}: requests`);
	expect_equal(page.console.join("; "), "", `${what}: console`);
};

// Cells that can't be read: outside of the page, wider than their place, empty, or in too small a type.
const unreadable = `(() => {
	const bad = [];
	for (const cell of document.querySelectorAll("tbody td, tbody th")) {
		if (getComputedStyle(cell).display === "none")
			continue;
		const box = cell.getBoundingClientRect();
		if (box.left < 0 || box.right > innerWidth + 1 || box.height < 1 || cell.scrollWidth > cell.clientWidth + 1 || parseFloat(getComputedStyle(cell).fontSize) < 12 || !cell.textContent.trim())
			bad.push(cell.outerHTML.slice(0, 80));
	}
	return bad.join("; ");
})()`;

// What a person compares: the luminance of the text and of what is under it.
const contrast = `(() => {
	const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).map((x) => (x /= 255) <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
	const body = light(getComputedStyle(document.body).backgroundColor);
	let least = 99;
	for (const element of document.querySelectorAll("h1, p, td, th, small, .tag, .axis span, .legend li")) {
		const style = getComputedStyle(element), own = style.backgroundColor;
		const under = own === "rgba(0, 0, 0, 0)" ? body : light(own), over = light(style.color);
		least = Math.min(least, (Math.max(over, under) + .05) / (Math.min(over, under) + .05));
	}
	return least;
})()`;

export default [{
	name: "report: a night of 60 iterations in Chromium, with no request, no error and no markup from outside", topic: "report", clients: [],
	play: (t) => with_browser(t, async (browser) => {
		const file = write_report(t);
		const pictures = process.env.SCREENSHOTS || t.place;
		fs.mkdirSync(pictures, { recursive: true });
		for (const width of [390, 1280])
			for (const scheme of ["light", "dark"]) {
				const what = `${width} pixels, ${scheme}`;
				const page = await browser.open(file, { width, scheme, has_script: true });
				expect_silent(page, what);
				expect_equal(await page.ask("document.querySelectorAll('.stops tbody tr').length"), 61, `${what}: rows of stops`);
				expect_equal(await page.ask("document.querySelectorAll('img, iframe, object, link:not([rel=icon])').length"), 0, `${what}: elements that ask`);
				expect_equal(await page.ask("document.scripts.length"), 2, `${what}: scripts`);
				expect_equal(await page.ask("[...document.querySelectorAll('h2 code')].at(-1).textContent"), `${hostile}red \ufffd`, `${what}: the id of a session`);
				expect_equal(await page.ask("[...document.querySelectorAll('.lane a')].every((a) => document.querySelector(a.getAttribute('href')))"), true, `${what}: links`);
				expect(await page.ask("document.documentElement.scrollWidth <= innerWidth"), `${what}: the page is wider than the screen`);
				expect_equal(await page.ask(unreadable), "", `${what}: cells that can't be read`);
				expect((await page.ask(contrast)) >= 4.5, `${what}: a contrast of ${await page.ask(contrast)}`);
				const is_dark = (await page.ask("getComputedStyle(document.body).backgroundColor")) !== "rgb(255, 255, 255)";
				expect_equal(is_dark, scheme === "dark", `${what}: dark`);
				await page.picture(path.join(pictures, `report-${width}-${scheme}.png`));
				await page.close();
			}
		const paper = await browser.open(file, { width: 800, scheme: "dark", media: "print", has_script: true });
		expect_equal(await paper.ask("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)", "the colour of paper");
		await paper.picture(path.join(pictures, "report-print.png"), 0, 2000);
		const still = await browser.open(file, {});
		expect_silent(still, "without JavaScript");
		expect(/needs JavaScript.*holdfast report prints the same as text/.test(await still.ask("document.body.innerText")), "without JavaScript: what to do");
	}),
}, {
	name: "report: the page shows three commits of a stop and the last 300 results of a gate", topic: "report", clients: [],
	play: (t) => with_browser(t, async (browser) => {
		const file = path.join(t.place, "report.html");
		t.repository();
		const stop = (i, more) => JSON.stringify({ time: new Date(Date.now() + 1000 * i - 4e5).toISOString(), project: t.project, session: "s", client: "claude", event: "Stop", decision: "allow",
			message: "fine", ...more });
		const results = Array.from({ length: 310 }, (_, i) => stop(i, { gates: [{ gate: "test", in: ".", outcome: i < 10 || i === 309 ? "fail" : "pass", ms: 1 }] }));
		const journal = path.join(t.env.XDG_STATE_HOME ?? path.join(t.env.HOME, ".local", "state"), "holdfast", "decisions.jsonl");
		fs.mkdirSync(path.dirname(journal), { recursive: true });
		fs.writeFileSync(journal, results.join("\n") + "\n");
		for (let i = 0; i < 4; i++)
			t.shell(`git commit -q --allow-empty -m '<b>number</b> & ${i}'`);
		fs.appendFileSync(journal, stop(410) + "\n");
		t.shell(`holdfast report --html ${file}`);
		const page = await browser.open(file, { has_script: true });
		expect_silent(page, "the page");
		const count = (selector) => page.ask(`document.querySelectorAll("${selector}").length`);
		expect_equal(`${await count(".gate .pass")} ${await count(".gate .fail")} ${await count(".gate .idle")}`, "299 1 0", "results of the gate");
		const row = await page.ask("[...document.querySelectorAll('.stops .why')].at(-1).innerText");
		expect(/fine\n[0-9a-f]{7} start\n[0-9a-f]{7} <b>number<\/b> & 0\n.*\nand 2 more/.test(row), `the row of a stop: ${row}`);
	}),
}, {
	name: "report: the browser test sees a request and an error where there is one", topic: "report", clients: [],
	play: (t) => with_browser(t, async (browser) => {
		const planted = async (part, has_policy) => {
			const file = path.join(t.place, "planted.html");
			t.shell(`holdfast report --html ${file}`);
			const text = fs.readFileSync(file, "utf8");
			fs.writeFileSync(file, (has_policy ? text : text.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")).replace("</body>", `${part}</body>`));
			return browser.open(file, { has_script: true });
		};
		t.repository();
		expect_silent(await planted("", true), "an empty report");
		const asks = await planted('<img src="https://example.invalid/a.png">', false);
		expect_equal(asks.requests.join(" "), "https://example.invalid/a.png", "requests");
		const errs = await planted("<script>console.error('planted')</script>", false);
		expect_equal(errs.console.join(" "), "planted", "console");
		// The policy of the page itself refuses both, and says so on the console.
		const refused = await planted("<img src=\"https://example.invalid/a.png\"><script>console.error('planted')</script>", true);
		expect(refused.console.length >= 2 && !refused.console.includes("planted"), `the page's policy let it through: ${refused.console.join("; ")}`);
	}),
}];
