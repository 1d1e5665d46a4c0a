// test_live.mjs - this machine on the page: new samples, freezing, the span, the same numbers
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { addressOf, finish, openView, picture, settled, step, stepNoErrors } from "./lib.mjs";

const { browser, server, page, errors } = await openView(["-i", "250ms"], { colorScheme: "dark" });

const samples = async () =>
	Number(
		/([\d\u2009]+) samples/
			.exec(await page.textContent("#window"))[1]
			.replace(/\D/g, ""),
	);
const address = (name) => addressOf(page, name);
const setSamples = (count) =>
	page.waitForFunction(
		(least) =>
			Number(
				/([\d\u2009]+) samples/
					.exec(document.getElementById("window").textContent)?.[1]
					.replace(/\D/g, ""),
			) >= least,
		count,
	);

await step("samples arrive by themselves", async () => {
	await page.waitForFunction(() =>
		/ samples$/.test(document.getElementById("window").textContent),
	);
	await setSamples((await samples()) + 6);
	assert.match(await page.textContent("#facts"), /live/);
	assert.ok(await page.isVisible("#live-tools"));
});

await step("the chart is as wide as the span from the first second on, and says how busy the processor was", async () => {
	const { from, to } = await page.evaluate(async () => (await import("/chart.js")).plotNow().window);
	assert.ok(to - from >= 300000 - 1, `${to - from} ms`);
	await page.waitForFunction(() =>
		/Processor above 90 % for \d+:\d\d:\d\d of \d+:\d\d:\d\d/.test(document.getElementById("incidents-said").textContent),
	);
});

await step("processes are ranked all the time", async () => {
	// From now on the busiest of the server is said to be the process that it ranked last.
	const names = () => page.$$eval("#legend-rows .name", (list) => list.map(({ title }) => title).filter((path) => /\\Process\(/.test(path)));
	const before = await names();
	assert.ok(before.length > 0);
	await page.route("**/api/top?*", async (route) => {
		const answer = await (await route.fetch()).json();
		await route.fulfill({ json: { ...answer, rows: answer.rows.filter(({ series }) => series.path !== before[0]) } });
	});
	await page.waitForFunction((path) => ![...document.querySelectorAll("#legend-rows .name")].some(({ title }) => title === path), before[0]);
	await page.unroute("**/api/top?*");
});

await step("freezing holds what is shown, going on brings the rest", async () => {
	await page.keyboard.press("Space");
	await settled(page);
	const [count, bar] = [await samples(), await page.textContent("#legend-rows")];
	await page.waitForTimeout(1000);
	assert.equal(await samples(), count);
	assert.equal(await page.textContent("#legend-rows"), bar);
	await page.keyboard.press("Space");
	await setSamples(count + 3);
});

await step("a number of a frozen page is explained with its own digits", async () => {
	await page.keyboard.press("Space");
	await settled(page);
	const value = await page.getAttribute("#legend-rows .average button", "data-value");
	await page.click("#legend-rows .average button");
	await page.waitForSelector("#why .result");
	assert.equal((await page.textContent("#why .result")).split(" ")[0], value);
	await page.keyboard.press("Escape");
	await page.click("[data-command=pause]");
	await page.evaluate(() => document.activeElement.blur());
});

await step("zooming holds a window while the machine goes on", async () => {
	await page.keyboard.press("+");
	await settled(page);
	const text = await page.textContent("#window");
	assert.ok(address("from"));
	await page.waitForTimeout(800);
	assert.equal(await page.textContent("#window"), text);
	await page.keyboard.press("0");
	await settled(page);
	assert.equal(address("from"), null);
});

await step("the span and how often to look are kept in the address", async () => {
	await page.selectOption("#span", "60");
	await page.selectOption("#every", "2000");
	assert.equal(address("span"), "60");
	assert.equal(address("every"), "2000");
	// The first new number may have been on its way; the next is 2 s later, and has the samples of that time.
	const counts = await page.evaluate(
		() =>
			new Promise((done) => {
				const counts = [];
				const look = () => {
					const count = Number(/([\d\u2009]+) samples/.exec(document.getElementById("window").textContent)?.[1].replace(/\D/g, ""));
					if (count !== counts.at(-1)) counts.push(count);
					if (counts.length === 4) done(counts);
				};
				look();
				new MutationObserver(look).observe(document.getElementById("window"), { childList: true, characterData: true, subtree: true });
			}),
	);
	assert.ok(counts[3] - counts[2] > 1, `${counts}: as often as samples are taken`);
	await page.selectOption("#every", "");
	await setSamples(counts[3] + 4);
});

await step("an open choice and the focus survive new samples", async () => {
	await page.keyboard.press("4");
	await page.focus("#legend-rows select");
	await setSamples((await samples()) + 4);
	assert.ok(await page.evaluate(() => document.activeElement.matches("#legend-rows select")));
	await page.keyboard.press("Escape");
	await page.evaluate(() => document.activeElement.blur());
	await page.keyboard.press("1");
});

await step("histogram and report go on as well", async () => {
	await page.keyboard.press("3");
	await page.waitForSelector("#report .figure");
	await page.focus("#report .figure");
	const count = await samples();
	await setSamples(count + 3);
	assert.ok(await page.evaluate(() => document.activeElement.matches("#report .figure")));
	await page.evaluate(() => document.activeElement.blur());
	await page.keyboard.press("1");
	await settled(page);
	await picture(page, "live");
});

await stepNoErrors(errors);

await step("the end of the server is said", async () => {
	await server.stop();
	await page.waitForSelector("#banner:not([hidden])");
});

await browser.close();
finish();
