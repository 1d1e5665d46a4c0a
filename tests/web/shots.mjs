// shots.mjs - the picture of the page for the README: shots.mjs FOLDER, called by tools/screenshot
// SPDX-License-Identifier: MIT

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openPage, serve, settled } from "./lib.mjs";

const SIZE = { width: 1080, height: 700 };
const SAMPLES = 60;
const COUNTERS = [
	"\\Processor(_Total)\\% Processor Time",
	"\\Memory\\% Committed Bytes In Use",
	"\\PhysicalDisk(_Total)\\Disk Bytes/sec",
	"\\System\\Context Switches/sec",
	"\\Memory\\Page Faults/sec",
];

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const server = await serve("-i", "500ms");
const browser = await openBrowser();

// The machine has a little to do, so that there is something to see.
const burn = setInterval(() => {
	const end = Date.now() + 400 * Math.abs(Math.sin(Date.now() / 4000));
	while (Date.now() < end);
}, 500);

async function addAll(page) {
	for (const path of await page.$$eval("#legend-rows .name", (names) =>
		names.map((one) => one.title),
	))
		await page.click(`[aria-label="Remove ${path.replaceAll("\\", "\\\\")}"]`);
	await page.click("[data-command=add]");
	for (const pattern of COUNTERS) {
		await page.fill("#add-search", pattern);
		await page.waitForFunction(() =>
			/^(\d+ counters match|1 counter matches)$/.test(
				document.getElementById("add-said").textContent,
			),
		);
		if (await page.isEnabled("#add-matches")) await page.click("#add-matches");
		await page.waitForTimeout(300);
	}
	await page.keyboard.press("Escape");
	await page.keyboard.press("S");
}

const { page } = await openPage(browser, server.url, { viewport: SIZE, colorScheme: "light" });
await page.waitForSelector("#legend-rows tr");
await addAll(page);
await page.waitForFunction(
	(least) =>
		Number(/(\d+) samples/.exec(document.getElementById("window").textContent)?.[1]) >=
		least,
	SAMPLES,
	{ timeout: 1000 * SAMPLES },
);
clearInterval(burn);
await page.keyboard.press("S");
await page.click("[data-command=pause]");
await settled(page);
await page.locator(".u-over").hover({ position: { x: 640, y: 120 } });
await page.screenshot({ path: join(folder, "view.png") });
await browser.close();
await server.stop();
