// test_odd.mjs - logs with next to nothing in them, and one that is cut off
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	data,
	finish,
	needView,
	openBrowser,
	openPage,
	picture,
	serve,
	settled,
	step,
	temporary,
} from "./lib.mjs";

needView();
const browser = await openBrowser();

const HEADER = '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\Processor(_Total)\\% Processor Time"\r\n';

async function show(name, content, act) {
	const file = temporary(name);
	writeFileSync(file, content);
	const server = await serve(file);
	const { page, errors } = await openPage(browser, server.url);
	await page.waitForFunction(() => document.getElementById("name").textContent !== "");
	await settled(page);
	await act(page);
	await picture(page, name);
	assert.deepEqual(errors, []);
	await page.context().close();
	await server.stop();
}

const numbers = (n) => Array.from({ length: n }, (_, i) => String(i + 1).padStart(2, "0"));

await step("the heading counts the machines, and its title names all of them", () => {
	const names = numbers(70).map((n) => `M${n}`);
	const paths = names.map((name) => `"\\\\${name}\\System\\Processes"`);
	const values = numbers(70).map((n) => `"${n}"`);
	const log =
		`"(PDH-CSV 4.0) (UTC)(0)",${paths.join(",")}\r\n` +
		`"11/21/2026 07:00:00.000",${values.join(",")}\r\n`;
	return show("machines.csv", log, async (page) => {
		assert.equal(await page.textContent("#name"), "70 machines");
		assert.ok((await page.locator("#facts").getAttribute("title")).endsWith(names.join(", ")));
	});
});

await step("the heading names the only machine, without a number", () =>
	show("machine.csv", `${HEADER}"11/21/2026 07:00:00.000","12.5"\r\n`, async (page) => {
		assert.equal(await page.textContent("#name"), "A");
		assert.match(await page.textContent("#facts"), /^Sat 21 Nov 2026, 07:00:00–07:00:00 UTC · .* · 1 counter$/);
		assert.match(await page.locator("#name").getAttribute("title"), /^machine.csv\nPDH-CSV/);
	}),
);

await step("the only sample of a log is seen on the chart", () =>
	show("one.csv", `${HEADER}"11/21/2026 07:00:00.000","12.5"\r\n`, async (page) => {
		await page.waitForSelector("#legend-rows tr");
		await settled(page);
		// A lone value is in the middle of the axis, as a stroke of some pixels.
		const drawn = await page.evaluate(async () => {
			const { axisWindow, trace, visibleLines } = await import("/lines.js");
			const { from, to } = axisWindow();
			const xs = [];
			const note = (x) => xs.push(x);
			trace(
				visibleLines()[0],
				[],
				(ms) => ((ms - from) / (to - from)) * 1000,
				(value) => value,
				{ moveTo: note, lineTo: note },
			);
			return [Math.min(...xs), Math.max(...xs)];
		});
		assert.ok(drawn[1] - drawn[0] >= 3);
		assert.equal((drawn[0] + drawn[1]) / 2, 500);
	}),
);

await step("a log without samples is an empty page", () =>
	show("none.csv", HEADER, async (page) => {
		assert.match(await page.textContent("body"), /no samples/);
		assert.equal((await page.$$("#legend-rows tr")).length, 0);
	}),
);

const real = join(data, "blg/tx-BasicPerfCounters.blg");
if (existsSync(real)) {
	const whole = readFileSync(real);
	await step("a log that is cut off says so, and not that its beginning is missing", () =>
		show("half.blg", whole.subarray(0, whole.length >> 1), async (page) => {
			await page.waitForSelector("#marks-open:not([hidden])");
			assert.match(await page.textContent("#marks-open"), /1 damaged place/);
			await page.click("#marks-open");
			const words = await page.textContent("#marks-body");
			assert.match(words, /cut off/);
			assert.doesNotMatch(words, /before the first sample/);
		}),
	);
}

await browser.close();
finish();
