// test_axe.mjs - axe-core finds nothing on the page, in its dialogs, and in a report: any rule, any level
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { atEachSize, data, finish, needView, openBrowser, openPage, openReady, pmon, serve, settled, skip, step, temporary, useTool } from "./lib.mjs";
import { writeFleet, writeLog } from "./made_log.mjs";

const DIALOGS = {
	add: "a",
	why: "w",
	marks: "m",
	compare: "c",
	export: "e",
	help: "?",
};
const VIEWS = ["line", "histogram", "report", "panels"];

let axe;
try {
	axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
} catch {
	skip("axe-core is not here: tools/setup check brings it");
}
needView();
const real = join(data, "blg/pal-SampleLog.blg");
const log = existsSync(real) ? real : await writeLog(temporary("made.jsonl"));
const browser = await openBrowser();
const server = await serve(log);
const fleet = await serve(writeFleet(temporary("fleet.csv")));
const shared = await writeShared(temporary("shared.html"));
const report = temporary("report.html");
// Axe needs seconds for a long table. These have all that a report of everything has, in fewer rows.
const COUNTERS = [
	"\\PhysicalDisk(*)\\*",
	"\\Processor(*)\\*",
	"\\Memory\\*",
	"\\Process(*)\\% Processor Time",
	"\\Process(*)\\IO Data Bytes/sec",
];
const selection = log === real ? COUNTERS.flatMap((pattern) => ["-c", pattern]) : [];
execFileSync(pmon, ["report", "-o", report, ...selection, log], { stdio: "ignore" });

// The view as one file.
async function writeShared(file) {
	const { page } = await openReady(browser, server.url);
	await page.keyboard.press("e");
	const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-export=html]")]);
	await download.saveAs(file);
	await page.context().close();
	return file;
}

// "button-name (critical): <button ...>", of the page or of a part of it.
async function violations(page, part = "html") {
	return page.evaluate(async (part) => {
		const { violations: found } = await globalThis.axe.run(part, { resultTypes: ["violations"] });
		return found.flatMap(({ id, impact, nodes }) =>
			nodes.slice(0, 3).map(({ html, any }) => `${id} (${impact}): ${html.slice(0, 120)} ${any[0]?.message ?? ""}`),
		);
	}, part);
}

// A wide page in each theme and a phone's in dark have every part and every colour. PMON_TEST_FULL=1: a phone's in light too.
const isFull = Boolean(process.env.PMON_TEST_FULL);

await atEachSize(
	browser,
	server.url,
	async ({ page, where, width, height, colorScheme }) => {
		if (width < 500 && colorScheme === "light" && !isFull) return;
		await page.evaluate(axe);

		for (const view of VIEWS)
			await step(`${where}: ${view}`, async () => {
				await page.click(`[data-command=${view}]`);
				await settled(page);
				assert.deepEqual(await violations(page), []);
			});
		for (const [dialog, key] of Object.entries(DIALOGS))
			await step(`${where}: the dialog ${dialog}`, async () => {
				await page.evaluate(() => document.activeElement.blur());
				await page.keyboard.press(key);
				await page.waitForSelector(`#${dialog}[open]`);
				await page.waitForTimeout(250);
				const found = await violations(page, `#${dialog}`); // nothing else can be reached meanwhile
				await page.keyboard.press("Escape");
				assert.deepEqual(found, []);
			});
		await step(`${where}: a finding and what changed`, async () => {
			if (log !== real) return;
			await page.locator("#episodes .episode").first().click();
			await page.waitForTimeout(250);
			assert.deepEqual(await violations(page), []);
			await page.keyboard.press("Escape");
			await page.keyboard.press("0");
			await settled(page);
			await page.locator("#episodes .episode", { hasText: "Disk" }).first().click();
			await page.keyboard.press("Escape");
			await settled(page);
			await useTool(page, "changes");
			await page.waitForFunction(() => !/Asking/.test(document.getElementById("changes-body").textContent));
			assert.deepEqual(await violations(page), []);
			await page.keyboard.press("Escape");
		});
		await step(`${where}: a comparison`, async () => {
			await page.keyboard.press("c");
			await page.check("#compare-before");
			await page.click("#compare-form button[type=submit]");
			await settled(page);
			assert.deepEqual(await violations(page), []);
		});
		if (width < 500)
			await step(`${where}: all tools`, async () => {
				await page.click("#more");
				const found = await violations(page);
				await page.click("#more");
				assert.deepEqual(found, []);
			});
		await step(`${where}: the banner of a lost server`, async () => {
			await page.evaluate(async () => (await import("/heading.js")).banner("The server does not answer."));
			assert.deepEqual(await violations(page), []);
		});
		for (const [name, url] of [
			["the report", pathToFileURL(report).href],
			["the shared file", pathToFileURL(shared).href],
			["machines", fleet.url],
			["the page without a secret", new URL("/", server.url).href],
		])
			await step(`${where}: ${name}`, async () => {
				const hasToken = name === "machines";
				const opened = await openPage(browser, url, { viewport: { width, height }, colorScheme, hasToken });
				const { page: other, context } = opened;
				if (name === "machines") await other.waitForSelector(".host");
				if (name === "the page without a secret") await other.waitForSelector("#locked:not([hidden])");
				if (name === "the shared file") await other.waitForSelector("#legend-rows tr");
				await other.evaluate(axe);
				assert.deepEqual(await violations(other), []);
				await context.close();
			});
	},
	{ colorsMatter: true, reducedMotion: "reduce" },
);

await server.stop();
await fleet.stop();
await browser.close();
finish();
