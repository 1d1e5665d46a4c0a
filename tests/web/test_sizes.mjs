// test_sizes.mjs - the page at three widths, light and dark: nothing is cut, nothing fails
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	addressOf,
	atEachSize,
	data,
	finish,
	needView,
	openBrowser,
	picture,
	serve,
	settled,
	step,
	stepNoErrors,
	temporary,
} from "./lib.mjs";
import { writeLog } from "./made_log.mjs";

const VIEWS = ["panels", "line", "histogram", "report"];

needView();
const browser = await openBrowser();
const real = join(data, "blg/pal-SampleLog.blg");
const server = await serve(existsSync(real) ? real : await writeLog(temporary("made.jsonl")));

const HEBREW = "\u05e9\u05e8\u05ea"; // a name that is written from right to left
const BLANKS = 5; // samples without any value
const START_MS = Date.parse("2026-03-02T10:00:00Z");

// Lines of one unit, of different sizes, with blank samples, and a name from right to left.
function writeOdd(file) {
	const names = ["Process(a)\\% Processor Time", "Process(b)\\% Processor Time", `Process(${HEBREW})\\% Processor Time`];
	const lines = [`"(PDH-CSV 4.0) (UTC)(0)",${names.map((name) => `"\\\\SRV\\${name}"`).join(",")}`];
	for (let t = 0; t < 120; t++) {
		const time = new Date(START_MS + 15000 * t).toISOString();
		const [, year, month, day, clock] = /(\d+)-(\d+)-(\d+)T(.*)Z/.exec(time);
		const blank = t >= 60 && t < 60 + BLANKS;
		const values = [20 + (t % 7), 60 + 2 * (t % 5), 40 + 4 * (t % 3)].map((value) => (blank ? " " : value));
		lines.push(`"${month}/${day}/${year} ${clock}",${values.map((value) => `"${value}"`).join(",")}`);
	}
	writeFileSync(file, lines.join("\r\n") + "\r\n");
	return file;
}

// Texts of the chart that reach beyond it, as a canvas would draw them.
const clippedTexts = (page) =>
	page.evaluate(async () => {
		const [{ plotNow }, { drawPlot }, { CanvasSurface }] = await Promise.all(
			["/chart.js", "/plot.js", "/surface.js"].map((name) => import(name)),
		);
		const plot = plotNow();
		const { width, height } = plot.outer;
		const clipped = [];
		class Recorder extends CanvasSurface {
			text(x, y, string, { size = 12, align = "left", bold = false }) {
				const wide = this.measure(string, size, bold);
				const left = { left: x, center: x - wide / 2, right: x - wide }[align];
				if (left < -0.5 || left + wide > width + 0.5 || y - size < -1 || y > height) clipped.push(string);
			}
		}
		drawPlot(new Recorder(width, height, 1), plot);
		return clipped;
	});

// Elements of the table of which a part is not seen: [what it is, by how many pixels].
const cutNumbers = (page) =>
	page.$$eval("#legend td[data-name]", (cells) => {
		const edge = document.querySelector("#legend .scroll").getBoundingClientRect().right;
		return cells
			.filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.getBoundingClientRect().right > edge + 1)
			.map((cell) => cell.textContent);
	});

await atEachSize(browser, server.url, async ({ page, errors, where, width, colorScheme }) => {
	await step(`${where}: the page is no wider than the screen, and no number of the table is cut`, async () => {
		for (const view of VIEWS) {
			await page.click(`[data-command=${view}]`);
			await settled(page);
			const wide = await page.evaluate(() => document.documentElement.scrollWidth);
			assert.ok(wide <= width, `${view}: ${wide} pixels`);
			if (view !== "line") assert.deepEqual(await cutNumbers(page), [], view);
			await picture(page, `${width}-${colorScheme}-${view}`);
		}
		await page.click("[data-command=panels]");
	});

	await step(`${where}: each row has its numbers, its course and its explanation`, async () => {
		const row = page.locator("#legend-rows tr").first();
		for (const column of ["last", "average", "minimum", "maximum", "p95"])
			assert.match(await row.locator(`td.${column} [data-value]`).textContent(), /\d/);
		assert.match(await row.locator(".spark path").getAttribute("d"), /^M[\d. ]+L/);
		if (width > 500) await row.locator(".why button").click();
		else await row.locator("td.average button").click();
		await page.waitForSelector("#why .result");
		await page.keyboard.press("Escape");
	});

	await step(`${where}: no label of the chart is clipped, at any zoom`, async () => {
		assert.deepEqual(await clippedTexts(page), []);
		for (let i = 0; i < 6; i++) {
			await page.keyboard.press("+");
			await settled(page);
			assert.deepEqual(await clippedTexts(page), []);
		}
		await page.keyboard.press("0");
		await settled(page);
	});

	await step(`${where}: zooming ends at two samples`, async () => {
		for (let i = 0; i < 12; i++) {
			await page.keyboard.press("+");
			await settled(page);
		}
		assert.match(await page.textContent("#window"), /, [23] samples$/);
		await page.keyboard.press("0");
		await settled(page);
	});

	await step(`${where}: a time of a link that is none is ignored, and said`, async () => {
		await page.evaluate(() => (location.hash = location.hash.replace(/^#/, "#from=yesterday&")));
		await page.waitForFunction(() => /ignored/.test(document.getElementById("status").textContent));
		assert.equal(addressOf(page, "from"), null);
	});

	await stepNoErrors(errors);

	await step(`${where}: a lost server is said, and found again`, async () => {
		await page.context().setOffline(true);
		await page.keyboard.press("+");
		await page.waitForFunction(() => /does not respond/.test(document.getElementById("banner").textContent));
		await page.context().setOffline(false);
		await page.keyboard.press("0");
		await page.waitForFunction(() => document.getElementById("banner").hidden);
		await settled(page);
	});
});

await server.stop();

const odd = await serve(writeOdd(temporary("odd.csv")));
await atEachSize(browser, odd.url, async ({ page, errors, where, width }) => {
	await step(`${where}: blank samples are holes, not marks`, async () => {
		assert.ok(await page.isHidden("#marks-open"), await page.textContent("#marks-open"));
	});

	await step(`${where}: the values at the cursor have the largest first, and are not over the lines`, async () => {
		const box = await page.locator("#plot").boundingBox();
		for (const part of [0.15, 0.5, 0.85]) {
			const at = { x: box.x + box.width * part, y: box.y + 60 };
			await page.mouse.move(at.x, at.y);
			await page.waitForSelector("#cursor-time:not([hidden])");
			const tip = await page.locator(".values").first().boundingBox();
			const panel = await page.evaluate(async () => (await import("/chart.js")).plotNow().panels[0].box);
			const isApart = tip.x >= box.x + panel.x + panel.width || tip.y + tip.height <= box.y + panel.y + 1;
			assert.ok(isApart, `${part}: ${JSON.stringify([panel, tip])}`);
			assert.ok(tip.x >= 0 && tip.x + tip.width <= width, `${part}: ${JSON.stringify(tip)}`);
			const lists = await page.$$eval(".values", (lists) =>
				lists.map((list) => [...list.querySelectorAll("b")].map((one) => parseFloat(one.textContent))),
			);
			for (const list of lists) {
				const numbers = list.filter((value) => !Number.isNaN(value));
				assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
			}
		}
	});

	await step(`${where}: a name from right to left is isolated`, async () => {
		const name = await page.$$eval("#legend-rows td.instance", (cells) => cells.map((cell) => cell.textContent));
		assert.ok(name.includes(`\u2068${HEBREW}\u2069`), name.join());
	});

	await stepNoErrors(errors);
});

await odd.stop();
await browser.close();
finish();
