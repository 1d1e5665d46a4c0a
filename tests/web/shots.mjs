// shots.mjs - pictures of the page, a chart and a report for README and docs: shots.mjs FOLDER, called by tools/screenshot
// SPDX-License-Identifier: MIT
//
// They show the log of the tutorial, so they are the same pictures each time.

import { execFileSync, execSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openPage, pmon, serve, settled, source, temporary } from "./lib.mjs";

// The commands of docs/tutorial.md.
const CHART = ["-c", "\\PhysicalDisk(1 D:)\\Avg. Disk sec/Read", "-c", "\\ASP.NET\\Request Execution Time", "--threshold", "20ms", "--size", "1000x420"];
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
await page.waitForSelector("#incident:not([hidden])");
await page.waitForSelector("#episodes *");
await settled(page);
await page.screenshot({ path: join(folder, "view.png") });
await server.stop();

execFileSync(pmon, ["chart", log, ...CHART, "-o", join(folder, "chart.png"), "-y"], { stdio: "ignore" });
const report = temporary("web01.html");
execFileSync(pmon, ["report", log, "-o", report], { stdio: "ignore" });
const sheet = await browser.newPage({ viewport: SIZE, colorScheme: "light" });
await sheet.goto(`file://${report}`);
await sheet.screenshot({ path: join(folder, "report.png") });
await browser.close();
