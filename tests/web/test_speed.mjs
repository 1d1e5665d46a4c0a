// test_speed.mjs - a log of 20,000 counters and 500 samples, and one of 50,000 counters: how long the page takes
// SPDX-License-Identifier: MIT
//
// Each time is printed. PMON_TEST_SLACK=1 on an idle machine compares it with the limit of docs/view.md; without it,
// as tests share the machine with others, what must hold is that all of it comes.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createWriteStream, rmSync } from "node:fs";
import { once } from "node:events";
import { finish, needView, openBrowser, openSession, pmon, serve, step, temporary } from "./lib.mjs";
import { writeManyCounters } from "./made_log.mjs";

const SLACK = Number(process.env.PMON_TEST_SLACK ?? Infinity);
const SERIES = 20000;
const SAMPLES = 500;
const ZOOMED = 64;
const START_MS = Date.parse("2026-03-02T10:00:00Z");
const MINUTE_MS = 60000;
const LIMITS_MS = { first: 1000, complete: 2000, zoom: 100, search: 200 };

needView();

function within(what, took_ms) {
	console.log(`      ${what}: ${took_ms} ms`);
	assert.ok(took_ms <= SLACK * LIMITS_MS[what], `${what} took ${took_ms} ms`);
}

const nameOf = (i) => `\\\\SRV\\Object ${i % 8}(instance ${Math.floor(i / 8)})\\% Processor Time`;

async function writeLarge(file) {
	const text = temporary("large.csv");
	const out = createWriteStream(text);
	const columns = Array.from({ length: SERIES }, (_, i) => i);
	out.write(`"(PDH-CSV 4.0) (UTC)(0)",${columns.map((i) => `"${nameOf(i)}"`).join(",")}\r\n`);
	for (let t = 0; t < SAMPLES; t++) {
		const time = new Date(START_MS + 15000 * t).toISOString();
		const [, year, month, day, clock] = /(\d+)-(\d+)-(\d+)T(.*)Z/.exec(time);
		const values = columns.map((i) => `"${(50 + 40 * Math.sin(t / 20 + i)).toFixed(3)}"`);
		const line = `"${month}/${day}/${year} ${clock}",${values.join(",")}\r\n`;
		if (!out.write(line)) await once(out, "drain");
	}
	out.end();
	await once(out, "close");
	execFileSync(pmon, ["relog", text, "-o", file], { stdio: "ignore" });
	rmSync(text);
	return file;
}

const browser = await openBrowser();
const server = await serve(await writeLarge(temporary("large.blg")));

await step("the first picture, and the whole log", async () => {
	const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
	page.setDefaultTimeout(120000);
	const start = Date.now();
	await page.goto(server.url, { waitUntil: "commit" });
	await page.waitForFunction(
		async () => (await import("/chart.js")).plotNow()?.panels.some((panel) => panel.lines.length > 0),
		null,
		{ polling: 20 },
	);
	within("first", Date.now() - start);
	await page.waitForFunction(
		() =>
			document.getElementById("loading").hidden &&
			document.getElementById("stage").getAttribute("aria-busy") === "false",
		null,
		{ polling: 20 },
	);
	within("complete", Date.now() - start);
	await page.context().close();
});

await step("a zoom of 64 series at the server", async () => {
	const { ask, loaded } = await openSession(server.url);
	await loaded();
	const ids = Array.from({ length: ZOOMED }, (_, i) => 300 * i).join();
	const [from, to] = [30, 60].map((minutes) => new Date(START_MS + minutes * MINUTE_MS).toISOString());
	const start = Date.now();
	const { series } = await ask("data", { ids, from, to, columns: 1000 });
	within("zoom", Date.now() - start);
	assert.equal(series.length, ZOOMED);
});

await server.stop();
await browser.close();

await step("a search among 50,000 counters", async () => {
	const many = await serve(await writeManyCounters(temporary("many.jsonl"), 50000));
	const { ask, loaded } = await openSession(many.url);
	await loaded();
	const start = Date.now();
	const { total } = await ask("select", { q: "instance 42 counter 17", limit: 100 });
	within("search", Date.now() - start);
	assert.ok(total > 0);
	await many.stop();
});

finish();
