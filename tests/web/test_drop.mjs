// test_drop.mjs - a log that is dropped on the page is laid over the first, at three widths, light and dark
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { addressOf, atEachSize, data, finish, needView, openBrowser, openReady, picture, serve, settled, step, temporary } from "./lib.mjs";
import { writeLog } from "./made_log.mjs";

needView();
const browser = await openBrowser();
const real = join(data, "blg/pal-SampleLog.blg");
const log = existsSync(real) ? real : await writeLog(temporary("made.jsonl"));
const server = await serve(log);
const compared = await serve(log, "--compare", log);

const foreign = temporary("holiday.gif");
writeFileSync(foreign, `GIF89a${"x".repeat(3000)}`);
const cut = temporary("cut.blg");
writeFileSync(cut, readFileSync(log).subarray(0, readFileSync(log).length * 0.6));

// Drops files from the disk, as a desktop does.
async function drop(page, file) {
	const bytes = readFileSync(file).toString("base64");
	const dataTransfer = await page.evaluateHandle(
		([text, name]) => {
			const transfer = new DataTransfer();
			transfer.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name));
			return transfer;
		},
		[bytes, basename(file)],
	);
	await page.dispatchEvent("body", "drop", { dataTransfer });
}

const shows = (page, pattern) =>
	page.waitForFunction((text) => new RegExp(text).test(document.getElementById("comparison-caption").textContent), pattern.source);
const cells = (page) => page.$$eval("#comparison-rows tr", (rows) => rows.map((row) => row.textContent));
const isLoaded = (page) =>
	page.waitForFunction(async () => (await import("/load.js")).shown.sets[1]?.state !== "loading");

// What the page shows of the same two logs that were opened by the command.
const { page: other } = await openReady(browser, compared.url);
await other.keyboard.press("c");
await other.click("#compare-form button[type=submit]");
await settled(other);
await isLoaded(other);
await settled(other);
const expected = { caption: await other.textContent("#comparison-caption"), cells: await cells(other) };
// A log alone would open on what was wrong in it.
const same = new URLSearchParams((await other.evaluate(() => location.hash)).slice(1));
same.delete("compare");
await other.context().close();
await compared.stop();

await atEachSize(browser, `${server.url}#${same}`, async ({ page, errors, where }) => {
	await step(`${where}: a log that is dropped is laid over the first as --compare does it`, async () => {
		await drop(page, log);
		await shows(page, /^Dotted: /);
		await isLoaded(page);
		await settled(page);
		assert.equal(addressOf(page, "compare"), "1:start");
		assert.equal(await page.textContent("#comparison-caption"), expected.caption);
		assert.deepEqual(await cells(page), expected.cells);
		await picture(page, `drop-${where.replace(" ", "-")}`);
	});

	await step(`${where}: a file that is no log is refused, and the comparison stays`, async () => {
		await drop(page, foreign);
		await page.waitForSelector("#compare[open]");
		assert.match(await page.textContent("#compare-error"), /^holiday\.gif: /);
		await picture(page, `drop-foreign-${where.replace(" ", "-")}`);
		await page.keyboard.press("Escape");
		assert.equal(await page.textContent("#comparison-caption"), expected.caption);
	});

	await step(`${where}: another log, which is damaged, takes its place; its damage is said`, async () => {
		await page.keyboard.press("c");
		const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#compare-open")]);
		await chooser.setFiles(cut);
		await shows(page, /^Dotted: cut\.blg.*damaged/);
		assert.equal(await page.isVisible("#compare"), false);
		assert.equal(addressOf(page, "compare"), "1:start");
	});

	await step(`${where}: a log that is larger than the server takes is not sent`, async () => {
		// Fixed: the page may be about to ask the server once more what it takes.
		await page.evaluate(async () =>
			Object.defineProperty((await import("/load.js")).shown, "takes_bytes", { get: () => 1000, set() {} }),
		);
		await drop(page, log);
		await page.waitForSelector("#compare[open]");
		assert.match(await page.textContent("#compare-error"), /at most 1,000 B; start: pmon view/);
		await page.keyboard.press("Escape");
		await shows(page, /cut\.blg/);
	});

	await step(`${where}: closing it ends the comparison, and frees it`, async () => {
		await page.keyboard.press("c");
		await page.click("#compare-close");
		await page.waitForFunction(() => document.getElementById("comparison").hidden);
		const { sets } = await page.evaluate(async () => (await import("/api.js")).ask("log"));
		assert.equal(sets.length, 1);
	});

	await step(`${where}: no error but the refusal that was provoked`, async () => {
		const rest = errors.filter((text) => !/422 .*\/api\/compare/.test(text));
		assert.deepEqual(rest, []);
	});
});

await server.stop();
await browser.close();
finish();
