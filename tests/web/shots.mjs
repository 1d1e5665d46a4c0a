// shots.mjs - the picture of the page for the README: shots.mjs FOLDER, called by tools/screenshot
// SPDX-License-Identifier: MIT
//
// It shows the log of the tutorial, so it is the same picture each time.

import { execFileSync, execSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openPage, pmon, serve, settled, source, temporary } from "./lib.mjs";

const SIZE = { width: 1080, height: 860 };

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const log = temporary("web01.blg");
const text = execSync(join(source, "share/examples/slow-server"), { maxBuffer: 1 << 28 });
execFileSync(pmon, ["relog", "-", "-o", log], { input: text });
const server = await serve(log);
const browser = await openBrowser();
const { page } = await openPage(browser, server.url, { viewport: SIZE, colorScheme: "light" });
await page.waitForSelector("#legend-rows tr");
await page.waitForSelector("#episodes *");
await settled(page);
await page.locator("#canvas").hover({ position: { x: 700, y: 60 } });
await page.waitForTimeout(300);
await page.screenshot({ path: join(folder, "view.png") });
await browser.close();
await server.stop();
