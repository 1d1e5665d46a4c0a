// test_machines.mjs - a log of 26 machines: a row of each over time, and a click shows one
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { atEachSize, finish, needView, openBrowser, picture, serve, settled, step, stepNoErrors, temporary } from "./lib.mjs";
import { BUSY, MACHINES, nameOf, writeFleet } from "./made_log.mjs";

needView();
const browser = await openBrowser();
const server = await serve(writeFleet(temporary("fleet.csv")));

await atEachSize(browser, server.url, async ({ page, errors, where, width, colorScheme }) => {
	await page.waitForSelector(".host");

	await step(`${where}: each machine has a row with its average and maximum`, async () => {
		const rows = await page.$$eval(".host", (list) => list.map((row) => row.textContent.split(/\s+/)));
		assert.equal(rows.length, MACHINES);
		assert.deepEqual(rows[1], [nameOf(0), "11", "%", "12", "%"]); // 10, 11, 12 by turns
		assert.deepEqual(rows[0], [`■Critical${nameOf(BUSY)}`, "54", "%", "97", "%"]); // (11 + 96) / 2 = 53.5
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

	await step(`${where}: the course of each machine is aligned with the strip and the panels`, async () => {
		const ends = (selector) =>
			page.$eval(selector, (node) => [node.getBoundingClientRect().left, node.getBoundingClientRect().right]);
		const [course, strip] = [await ends(".host .course"), await ends("#strip")];
		const panel = await page.evaluate(async () => {
			const { box } = (await import("/chart.js")).plotNow();
			const { left } = document.getElementById("plot").getBoundingClientRect();
			return [left + box.x, left + box.x + box.width];
		});
		for (const i of [0, 1]) {
			assert.ok(Math.abs(course[i] - panel[i]) <= 3, `${course} ${panel}`);
			assert.ok(Math.abs(strip[i] - panel[i]) <= 1, `${strip} ${panel}`);
		}
	});

	await step(`${where}: a panel is of one machine, and says which`, async () => {
		const panels = await page.evaluate(async () => {
			const { addCounters } = await import("/state.js");
			const { ask } = await import("/api.js");
			const { series } = await ask("select", { set: 0, pattern: "\\\\*\\Processor(*)\\*", limit: 3 });
			addCounters(series);
			const { plotNow } = await import("/chart.js");
			return plotNow().panels.map(({ title, lines }) => [title, [...new Set(lines.map((one) => one.counter.series.machine))]]);
		});
		for (const [title, machines] of panels) {
			assert.equal(machines.length, 1);
			assert.ok(title.startsWith(`${machines[0]} · `), title);
		}
		await page.goBack();
		await settled(page);
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
});

await server.stop();
await browser.close();
finish();
