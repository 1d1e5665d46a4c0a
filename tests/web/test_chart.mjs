// test_chart.mjs - texts of the SVG of pmon chart fit, as a browser draws them
// SPDX-License-Identifier: MIT
//
// pmon measures texts with a table of widths. Here a browser measures what it draws: each text is inside of the picture,
// and no two texts of the legend, or of names beside bars, touch.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { finish, openBrowser, pmon, step, temporary } from "./lib.mjs";

const SECONDS = 30;
const SLACK = 1; // pixel, by which letters may lean out
const NAMES = {
	narrow: "ill,il.tj ".repeat(20),
	wide: "WMQ@%mw ".repeat(20),
	cyrillic: "Щукин Жданов Юлия ".repeat(8),
	accents: "Größe Événement ÆŒ ".repeat(8),
	ideographs: "磁盘性能计数器".repeat(12),
	short: "C:",
};

function logOf(name) {
	const file = temporary(`${name}.csv`);
	const paths = ["a", "b"].map((end) => `\\\\SRV\\PhysicalDisk(${NAMES[name].trim()} ${end})\\Avg. Disk sec/Read`);
	const time = (t) => `11/20/2026 10:00:${String(t).padStart(2, "0")}.000`;
	const lines = [`"(PDH-CSV 4.0) (UTC)(0)",${paths.map((path) => `"${path}"`).join(",")}`];
	for (let t = 0; t < SECONDS; t++) lines.push(`"${time(t)}","${(t % 7) * 12345.678}","${(t % 5) * 1e-7}"`);
	writeFileSync(file, lines.join("\r\n") + "\r\n");
	return file;
}

const browser = await openBrowser();
const page = await browser.newPage();

const boxesOf = (selector) =>
	page.$$eval(`svg ${selector} text`, (all) =>
		all.map((text) => {
			const { x, y, width, height } = text.getBBox();
			return { text: text.textContent, x, y, right: x + width, bottom: y + height };
		}),
	);

const touch = (a, b) =>
	a.x < b.right - SLACK && b.x < a.right - SLACK && a.y < b.bottom - 3 && b.y < a.bottom - 3;

for (const name of Object.keys(NAMES)) {
	const log = logOf(name);
	for (const kind of ["line", "stacked", "bar", "heatmap"]) {
		await step(`${name}, ${kind}: texts are inside and apart`, async () => {
			for (const width of [420, 900]) {
				const title = `${NAMES[name]} 1234567890`;
				const svg = execFileSync(pmon, ["chart", log, "-c", "\\*(*)\\*", "--kind", kind, "--title", title,
					"--size", `${width}x420`, "-o", "-"], { stdio: ["ignore", "pipe", "ignore"] }); // prettier-ignore
				await page.setContent(svg.toString().replace(/^<\?xml.*\n/, ""));
				const all = await boxesOf("");
				assert.ok(all.length > 5);
				for (const box of all)
					assert.ok(box.x >= -SLACK && box.right <= width + SLACK, `${width}: ${JSON.stringify(box)}`);
				const parts = kind === "bar" || kind === "heatmap" ? [await boxesOf(".panel .series")] : [await boxesOf(".legend")];
				for (const boxes of parts)
					for (const [i, a] of boxes.entries())
						for (const b of boxes.slice(i + 1))
							assert.ok(!touch(a, b), `${width}: ${JSON.stringify([a, b])}`);
			}
		});
	}
}

await browser.close();
finish();
