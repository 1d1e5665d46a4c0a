// test_share.mjs - the view as one HTML file: it opens from disk, without pmon and without a network
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { finish, openView, picture, settled, step, temporary, TOKEN } from "./lib.mjs";
import { writeLog } from "./made_log.mjs";

const { browser, server, page, errors } = await openView([await writeLog(temporary("made.jsonl"))]);
await page.waitForSelector("#legend-rows .maximum button[data-value]");
await settled(page);

const numbers = (where) =>
	where.$$eval("#legend-rows button.figure", (buttons) => buttons.map((one) => one.dataset.value ?? null));
const file = temporary("shared.html");
const expected = await numbers(page);

await step("the page is saved as one file, which has no secret and is small", async () => {
	await page.keyboard.press("e");
	const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-export=html]")]);
	await download.saveAs(file);
	const text = readFileSync(file, "utf8");
	const data = /<script type="application\/json" id="shared">(.*?)<\/script>/s.exec(text)[1];
	assert.ok(text.length - data.length <= 300 * 1024, `${text.length - data.length} bytes beside the data`);
	assert.ok(!text.includes(TOKEN));
	assert.deepEqual(errors, []);
});

await step("names of machines are replaced in each form, if one asks for it", async () => {
	for (const form of ["html", "svg", "csv"]) {
		await page.keyboard.press("e");
		await page.check("#redact");
		const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-export=${form}]`)]);
		await download.saveAs(temporary(`others.${form}`));
		const text = readFileSync(temporary(`others.${form}`), "utf8");
		const own = form === "html" ? /id="shared">(.*?)<\/script>/s.exec(text)[1] : text;
		assert.match(own, /machine1/, form);
		assert.doesNotMatch(own, /\bSRV\b/, form);
	}
	await page.keyboard.press("e");
	await page.uncheck("#redact");
	await page.keyboard.press("Escape");
});

await server.stop();

await step("with other names it is the same page", async () => {
	const other = await (await browser.newContext({ offline: true })).newPage();
	await other.goto(`file://${temporary("others.html")}`);
	await other.waitForSelector("#legend-rows .maximum button[data-value]");
	assert.equal(await other.textContent("#name"), "machine1");
	assert.deepEqual(await numbers(other), expected);
});

await step("it opens from disk, shows the same numbers, zooms, and asks nobody", async () => {
	const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, offline: true });
	const other = await context.newPage();
	const wrong = [];
	other.on("pageerror", (error) => wrong.push(error.stack));
	other.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
	other.on("request", (request) => /^(http|ws)/.test(request.url()) && wrong.push(request.url()));
	await other.goto(`file://${file}`);
	await other.waitForSelector("#legend-rows .maximum button[data-value]").catch(() => {});
	assert.deepEqual(wrong, []);
	assert.deepEqual(await numbers(other), expected);
	await picture(other, "shared");
	await other.keyboard.press("+");
	await settled(other);
	assert.notDeepEqual(await numbers(other), expected);
	await other.keyboard.press("0");
	await settled(other);
	assert.deepEqual(await numbers(other), expected);
	assert.deepEqual(wrong, []);
});

await browser.close();
finish();
