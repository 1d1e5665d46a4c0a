// test_machines.mjs - a log of 26 machines: a row of each over time, and a click shows one
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { finish, needView, openBrowser, openPage, picture, serve, settled, step, stepNoErrors, temporary } from "./lib.mjs";

const MACHINES = 26;
const SAMPLES = 240;
const BUSY = 17; // this machine is at 95 % in the second half, the others at 10 %
const START_MS = Date.parse("2026-03-02T10:00:00Z");

const nameOf = (m) => `WEB${String(m + 1).padStart(2, "0")}`;
const valueOf = (m, t) => (m === BUSY && t >= SAMPLES / 2 ? 95 : 10) + (t % 3);

function writeFleet(file) {
	const machines = Array.from({ length: MACHINES }, (_, m) => m);
	const counters = ["Processor(_Total)\\% Processor Time", "Memory\\Available MBytes", "System\\Processes"];
	const names = machines.flatMap((m) => counters.map((counter) => `"\\\\${nameOf(m)}\\${counter}"`));
	const lines = [`"(PDH-CSV 4.0) (UTC)(0)",${names.join(",")}`];
	for (let t = 0; t < SAMPLES; t++) {
		const time = new Date(START_MS + 15000 * t).toISOString();
		const [, year, month, day, clock] = /(\d+)-(\d+)-(\d+)T(.*)Z/.exec(time);
		const values = machines.flatMap((m) => [valueOf(m, t), 4000 + m, 100 + m]);
		lines.push(`"${month}/${day}/${year} ${clock}",${values.map((value) => `"${value}"`).join(",")}`);
	}
	writeFileSync(file, lines.join("\r\n") + "\r\n");
	return file;
}

needView();
const browser = await openBrowser();
const server = await serve(writeFleet(temporary("fleet.csv")));

for (const [width, height] of [
	[1440, 900],
	[1024, 768],
	[390, 844],
]) {
	for (const colorScheme of ["light", "dark"]) {
		const where = `${width} ${colorScheme}`;
		const { page, errors } = await openPage(browser, server.url, { viewport: { width, height }, colorScheme });
		await page.waitForSelector(".host");
		await settled(page);

		await step(`${where}: each machine has a row with its average and maximum`, async () => {
			const rows = await page.$$eval(".host", (list) => list.map((row) => row.textContent.split(/\s+/)));
			assert.equal(rows.length, MACHINES);
			assert.deepEqual(rows[1], [nameOf(0), "11", "%", "12", "%"]); // 10, 11, 12 by turns
			assert.deepEqual(rows[0], [nameOf(BUSY), "54", "%", "97", "%"]); // (11 + 96) / 2 = 53.5
			assert.match(await page.textContent("#machines-said"), /^26 machines/);
			assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
		});

		await step(`${where}: the busy half is darker`, async () => {
			const row = page.locator(".host").first().locator(".course");
			const image = await row.evaluate((node) => node.style.backgroundImage);
			const parts = [...image.matchAll(/var\(--line-1\) (\d+)%/g)].map(([, part]) => Number(part));
			assert.ok(parts[10] < 20 && parts.at(-10) > 90, image.slice(0, 200));
			await picture(page, `machines-${width}-${colorScheme}`);
		});

		await step(`${where}: a click shows the counters of that machine, and can be undone`, async () => {
			await page.locator(".host").first().click();
			const paths = () => page.$$eval("#legend-rows .name", (names) => names.map((name) => name.title));
			await page.waitForFunction(() => document.querySelector(".host[aria-pressed=true]"));
			assert.ok((await paths()).length >= 2);
			assert.ok((await paths()).every((path) => path.startsWith(`\\\\${nameOf(BUSY)}\\`)));
			await page.click("#undo");
			await page.waitForFunction(() => !document.querySelector(".host[aria-pressed=true]"));
		});

		await stepNoErrors(errors);
		await page.context().close();
	}
}

await server.stop();
await browser.close();
finish();
