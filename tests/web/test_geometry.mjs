// test_geometry.mjs - where lines are drawn: inside their panel, never flat where they vary, with every extreme
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { data, finish, needView, openBrowser, openPage, serve, settled, step, temporary } from "./lib.mjs";

needView();
const browser = await openBrowser();

const MOST = 64; // counters of a log, spread over all of them
const MOST_REAL = process.env.PMON_TEST_FULL ? MOST : 16; // of a real one

// All that is wrong with the drawn lines of a page, as sentences. A surface that only notes coordinates is drawn on.
function faultsOf(page) {
	return page.evaluate(async () => {
		const { plotNow, drawChart } = await import("/chart.js");
		const { state } = await import("/state.js");
		const { barOf } = await import("/load.js");
		const { hasBand, trace, traceBand } = await import("/lines.js");
		const { xOf, yOf } = await import("/plot.js");
		drawChart();
		const plot = plotNow();
		const faults = [];
		let drawn = 0;
		for (const panel of plot.panels) {
			for (const line of panel.lines) {
				const ys = [];
				const xs = [];
				const note = (x, y) => (xs.push(x), ys.push(y));
				const path = { moveTo: note, lineTo: note };
				const at = [(ms) => xOf(plot, ms), (value) => yOf(panel, value), path];
				const shape = line.stacked ?? line;
				trace(shape, plot.gaps, ...at);
				if (hasBand(shape)) traceBand(shape, plot.gaps, ...at);
				if (ys.length === 0) continue;
				drawn++;
				const { box } = panel;
				const name = line.counter.path;
				const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
				const inside = (a, b, from, to) => a >= from - 0.01 && b <= to + 0.01;
				if (!ys.every(Number.isFinite) || !inside(top, bottom, box.y, box.y + box.height))
					faults.push(`${name}: from ${top} to ${bottom}, outside of its panel`);
				if (!inside(Math.min(...xs), Math.max(...xs), box.x - 3, box.x + box.width + 3))
					faults.push(`${name}: outside of its panel in time`);
				const bar = barOf(line.counter);
				if (line.stacked) continue; // its extremes are above others
				// A percentage that hardly varies is seen to: its axis goes to 100.
				const isWhole = panel.quantity === "percent" && panel.axis.low === 0 && panel.axis.high === 100;
				if (state.view === "panels" && bar.minimum < bar.maximum && bottom - top < 1.5 && !isWhole)
					faults.push(`${name}: flat, though from ${bar.minimum} to ${bar.maximum}`);
				const highest = yOf(panel, bar.maximum * line.factor);
				if (Math.abs(highest - top) > 1) faults.push(`${name}: its maximum is not drawn`);
				const lowest = yOf(panel, bar.minimum * line.factor);
				if (Math.abs(lowest - bottom) > 1) faults.push(`${name}: its minimum is not drawn`);
				if (state.view === "line" && bar.maximum * line.factor > 100.0001)
					faults.push(`${name}: beyond the classic axis`);
			}
		}
		return { faults, drawn };
	});
}

async function check(file, most) {
	const server = await serve(file);
	const { page, errors } = await openPage(browser, server.url);
	await page.waitForFunction(() => document.getElementById("name").textContent !== "pmon");
	await page.waitForFunction(() => document.getElementById("loading").hidden, null, { timeout: 300000 });
	await page.evaluate(async (most) => {
		const { ask } = await import("/api.js");
		const { addCounters, change } = await import("/state.js");
		const { series } = await ask("select", { set: 0, q: "*", limit: 2000 });
		const every = Math.max(1, Math.floor(series.length / most));
		change({ counters: [] });
		addCounters(series.filter((one, i) => one.displayed && i % every === 0).slice(0, most));
	}, most);
	await settled(page);
	let all = 0;
	for (const view of ["1", "4"]) {
		for (const keys of [["0"], ["+"], ["+", "+", "+"]]) {
			for (const key of [...keys, view]) await page.keyboard.press(key);
			await settled(page);
			await page.waitForTimeout(60);
			const { faults, drawn } = await faultsOf(page);
			assert.deepEqual(faults.slice(0, 5), []);
			all += drawn;
		}
	}
	assert.deepEqual(errors, []);
	await page.context().close();
	await server.stop();
	return all;
}

// ---- Magnitudes ---------------------------------------------------------------------------------

// Counters of each power of ten from 1e-9 to 1e18, some of them negative, far from zero, or constant.
function magnitudes() {
	const columns = [];
	for (let power = -9; power <= 18; power++) {
		columns.push([`Rate(e${power})\\Things/sec`, (i) => (1 + (i % 7)) * 10 ** power]);
		columns.push([`Level(e${power})\\Depth`, (i) => 10 ** power * (1 + 0.001 * Math.sin(i))]);
		columns.push([`Memory\\Bytes e${power}`, (i) => 10 ** power * (i % 50 === 3 ? 5 : 1)]);
		columns.push([`Below(e${power})\\Sum`, (i) => (i % 2 ? -1 : 0.5) * 10 ** power]);
		columns.push([`Constant(e${power})\\Level`, () => 10 ** power]);
	}
	const rows = Array.from({ length: 120 }, (_, i) => {
		const time = new Date(Date.UTC(2026, 0, 5, 8) + i * 15000).toISOString();
		const stamp = `${time.slice(5, 7)}/${time.slice(8, 10)}/2026 ${time.slice(11, 19)}.000`;
		return `"${stamp}",${columns.map(([, value]) => `"${value(i)}"`).join(",")}`;
	});
	const paths = columns.map(([path]) => `"\\\\A\\${path}"`);
	return `"(PDH-CSV 4.0) (UTC)(0)",${paths.join(",")}\r\n${rows.join("\r\n")}\r\n`;
}

await step("magnitudes from 1e-9 to 1e18 lie inside their panels, are not flat, and show their extremes", async () => {
	const file = temporary("magnitudes.csv");
	writeFileSync(file, magnitudes());
	assert.equal(await check(file, MOST), 6 * MOST); // each in two views at three zooms
});

// ---- Real logs ----------------------------------------------------------------------------------

const FOLDERS = ["blg", "pdh-text"];
for (const folder of FOLDERS.filter((name) => existsSync(join(data, name)))) {
	for (const name of readdirSync(join(data, folder)).filter((one) => /\.(blg|csv|tsv)$/.test(one) && !/Corrupt/.test(one)))
		await step(`${folder}/${name}: every line is inside its panel, and not flat`, async () => {
			await check(join(data, folder, name), MOST_REAL);
		});
}

await browser.close();
finish();
