// test_sizes.mjs - the page at three widths, light and dark: nothing is cut, nothing fails
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { data, finish, needView, openBrowser, openPage, picture, serve, settled, step, stepNoErrors, temporary } from "./lib.mjs";
import { writeLog } from "./made_log.mjs";

const SIZES = [
	[1440, 900],
	[1024, 768],
	[390, 844],
];
const VIEWS = ["panels", "line", "histogram", "report"];

needView();
const browser = await openBrowser();
const real = join(data, "blg/pal-SampleLog.blg");
const server = await serve(existsSync(real) ? real : await writeLog(temporary("made.jsonl")));

// Elements of the table of which a part is not seen: [what it is, by how many pixels].
const cutNumbers = (page) =>
	page.$$eval("#legend td[data-name]", (cells) => {
		const edge = document.querySelector("#legend .scroll").getBoundingClientRect().right;
		return cells
			.filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.getBoundingClientRect().right > edge + 1)
			.map((cell) => cell.textContent);
	});

for (const [width, height] of SIZES) {
	for (const colorScheme of ["light", "dark"]) {
		const where = `${width} ${colorScheme}`;
		const options = { viewport: { width, height }, colorScheme, hasTouch: width < 500 };
		const { page, errors } = await openPage(browser, server.url, options);
		await page.waitForSelector("#legend-rows tr");
		await settled(page);

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

		await stepNoErrors(errors);
		await page.context().close();
	}
}

await server.stop();
await browser.close();
finish();
