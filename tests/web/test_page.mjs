// test_page.mjs - a log on the page of pmon view: every part of it once, with the mouse
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
	data,
	finish,
	openPage,
	openReady,
	openSession,
	openView,
	picture,
	pmon,
	pmonJson,
	serve,
	settled,
	step,
	stepNoErrors,
	temporary,
} from "./lib.mjs";
import { EVIL, writeLog } from "./made_log.mjs";

const made = await writeLog(temporary("made.jsonl"));
const second = await writeLog(temporary("second.jsonl"), 40);
const real = join(data, "blg/tx-BasicPerfCounters.blg");
const log = existsSync(real) ? real : made;

const FIGURES = ["last", "average", "minimum", "maximum", "p95"];
const { browser, server, page, errors } = await openView(
	[log, "--compare", existsSync(real) ? log : second],
);
await settled(page);

const address = () => new URLSearchParams(new URL(page.url()).hash.slice(1));
const paths = () => page.$$eval("#legend-rows .name", (names) => names.map((name) => name.title));
const press = (name) => page.click(`[data-command=${name}]`);
const plot = () => page.locator("#plot").boundingBox();

// All digits of the numbers on the page, by path.
async function numbers() {
	return page.$$eval(
		"#legend-rows tr",
		(rows, figures) =>
			Object.fromEntries(
				rows.map((row) => [
					row.querySelector(".name").title,
					figures.map(
						(figure) =>
							row.querySelector(`td.${figure} [data-value]`)
								?.dataset.value ?? null,
					),
				]),
			),
		FIGURES,
	);
}

// The same by the command, in the shortest form that reads back.
async function statsOf(file, from, to) {
	const window = [...(from ? ["--from", from] : []), ...(to ? ["--to", to] : [])];
	const { counters } = await pmonJson("stats", "--format", "json", "--percentile", "95", ...window, file);
	return Object.fromEntries(
		counters.map((counter) => [
			counter.path,
			FIGURES.map((figure) =>
				counter[figure] === null ? null : String(counter[figure]),
			),
		]),
	);
}

const windowOptions = () =>
	["from", "to"]
		.filter((name) => address().has(name))
		.flatMap((name) => [`--${name}`, address().get(name)]);

async function sameAsStats() {
	const expected = await statsOf(log, address().get("from"), address().get("to"));
	const shown = await numbers();
	assert.ok(Object.keys(shown).length > 0);
	for (const [path, values] of Object.entries(shown))
		assert.deepEqual(values, expected[path], path);
}

await step("the second log of --compare is there at once, with its values", async () => {
	assert.equal(address().get("compare"), "1:start");
	await page.waitForFunction(() => /^Dotted: /.test(document.getElementById("comparison-caption").textContent));
	const rows = page.locator("#comparison-rows tr");
	assert.equal(await rows.count(), (await paths()).length);
	for (const figure of await rows.first().locator("td:nth-of-type(2) button").all())
		assert.ok(await figure.getAttribute("data-value"));
	await picture(page, "compare-at-once");
	await page.click("#compare-end");
	await settled(page);
	assert.equal(address().get("compare"), null);
	await page.reload();
	await page.waitForSelector("#legend-rows tr");
	await settled(page);
	assert.equal(address().get("compare"), null); // the reader has ended it
});

await step("the log opens with a first selection and its name", async () => {
	assert.ok((await paths()).length >= 2);
	assert.equal(await page.textContent("#name"), "GEORGIS3");
	assert.match(await page.textContent("#facts"), /^Tue 19 Feb 2013, 18:50:17–19:00:17 UTC−08:00 · 10 min · 10 counters$/);
	assert.ok((await page.locator("#facts").getAttribute("title")).startsWith(log.split("/").at(-1)));
	assert.match(await page.title(), /pmon/);
	await picture(page, "line");
});

await step("the numbers of the whole log are those of pmon stats", sameAsStats);

await step("dragging over the chart zooms, and the numbers are those of that window", async () => {
	const box = await plot();
	await page.mouse.move(box.x + box.width * 0.31, box.y + 50);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.4, box.y + 60, { steps: 4 });
	await page.mouse.move(box.x + box.width * 0.53, box.y + 60, { steps: 4 });
	await page.mouse.up();
	await settled(page);
	assert.ok(address().get("from") && address().get("to"));
	await sameAsStats();
	await picture(page, "zoomed");
});

await step("the wheel scrolls the page", async () => {
	await page.setViewportSize({ width: 1280, height: 480 });
	await settled(page);
	const box = await plot();
	const from = address().get("from");
	await page.mouse.move(box.x + box.width / 2, box.y + 50);
	await page.mouse.wheel(0, 200);
	await page.waitForFunction(() => document.scrollingElement.scrollTop > 0);
	await settled(page);
	assert.equal(address().get("from"), from);
	assert.match(await page.textContent("#status"), /Ctrl/);
	await page.mouse.wheel(0, -400);
	await page.waitForFunction(() => document.scrollingElement.scrollTop === 0);
	await page.setViewportSize({ width: 1280, height: 800 });
	await settled(page);
});

await step("the wheel with Ctrl zooms, buttons pan, the whole log comes back", async () => {
	const box = await plot();
	const width = () => Date.parse(address().get("to")) - Date.parse(address().get("from"));
	const before = width();
	await page.mouse.move(box.x + box.width / 2, box.y + 50);
	await page.keyboard.down("Control");
	await page.mouse.wheel(0, -100);
	await page.keyboard.up("Control");
	await settled(page);
	assert.ok(width() < before);
	const from = address().get("from");
	await page.keyboard.press("PageDown");
	await settled(page);
	assert.ok(address().get("from") > from);
	await sameAsStats();
	await press("whole");
	await settled(page);
	assert.equal(address().get("from"), null);
});

await step("the strip of the whole log moves the window", async () => {
	const box = await page.locator("#overview").boundingBox();
	await page.mouse.move(box.x + box.width * 0.6, box.y + 20);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.8, box.y + 20, { steps: 5 });
	await page.mouse.up();
	await settled(page);
	assert.ok(address().get("from") && address().get("to"));
	await sameAsStats();
	const from = address().get("from");
	await page.mouse.move(box.x + box.width * 0.7, box.y + 20);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 5 });
	await page.mouse.up();
	await settled(page);
	assert.ok(address().get("from") < from);
	await page.dblclick("#plot", { position: { x: 300, y: 60 } });
	await settled(page);
	assert.equal(address().get("from"), null);
});

await step("hovering shows values with their units", async () => {
	const box = await plot();
	await page.mouse.move(box.x + box.width * 0.5, box.y + 80);
	await page.waitForSelector("#cursor-time:not([hidden])");
	const titles = await page.$$eval(".values li[title]", (list) => list.map(({ title }) => title));
	assert.deepEqual(titles.sort(), (await paths()).sort());
	assert.match(await page.textContent("#values"), /%/);
	await picture(page, "cursor");
});

await step("a counter is hidden and shown, coloured, scaled", async () => {
	const row = page.locator("#legend-rows tr").first();
	await row.locator("input[type=checkbox]").click();
	assert.match(address().get("o"), /hidden/);
	await row.locator("input[type=checkbox]").click();
	await row.locator("input[type=color]").fill("#123456");
	assert.match(address().get("o"), /color#123456/);
	await press("line");
	await press("scale");
	await row.locator("select").selectOption("1e-3");
	assert.match(address().get("o"), /x0\.001/);
	await sameAsStats(); // numbers are never scaled
	await press("panels");
});

await step("the selected counter is highlighted", async () => {
	await page.locator("#legend-rows .name").nth(1).click();
	assert.equal(address().get("selected"), (await paths())[1]);
	await page.keyboard.press("Control+h");
	assert.equal(await page.getAttribute("[data-command=highlight]", "aria-pressed"), "true");
	await picture(page, "highlight");
	await press("highlight");
});

await step("the legend is sorted by a number", async () => {
	await page.click("#legend-heads .maximum button");
	await page.click("#legend-heads .maximum button");
	const shown = await numbers();
	const maxima = (await paths()).map((path) => Number(shown[path][3]));
	assert.deepEqual(
		maxima,
		[...maxima].sort((a, b) => b - a),
	);
	await page.click("#legend-heads .maximum button");
	assert.equal(address().get("sort"), null);
});

await step("counters are removed, and added by a wildcard", async () => {
	const before = await paths();
	for (const path of before)
		await page.click(`[aria-label="Remove ${path.replaceAll("\\", "\\\\")}"]`);
	assert.deepEqual(await paths(), []);
	await press("add");
	await page.fill("#add-search", "*processor time");
	await page.waitForFunction(() =>
		/Add all [3-9] matches/.test(document.getElementById("add-matches").textContent),
	);
	await picture(page, "add");
	await page.click("#add-matches");
	await page.click("#add .foot [data-close]");
	await settled(page);
	const added = await paths();
	assert.ok(added.length >= 3);
	assert.ok(added.every((path) => path.endsWith("% Processor Time")));
	await sameAsStats();
});

await step("the tree opens level by level, explains, and adds", async () => {
	await page.keyboard.press("/");
	await page.waitForSelector("#add-tree [role=treeitem][aria-level='2']");
	await page.locator("#add-tree [aria-level='2']", { hasText: /Disk/ }).first().click();
	const counter = page.locator("#add-tree li", { has: page.locator(":scope > [aria-level='3']") }).first();
	await counter.locator("> .label").click();
	await counter.locator("[aria-level='4']").first().click();
	await page.waitForFunction(() =>
		document.getElementById("add-help").textContent.includes("Default scale"),
	);
	assert.match(await page.textContent("#add-said"), /1 counter added/);
	assert.equal(
		await counter.locator("[aria-level='4']").first().getAttribute("aria-selected"),
		"true",
	);
	await page.keyboard.press("Escape");
	await settled(page);
	assert.ok((await paths()).some((path) => path.includes("Disk")));
});

await step("why: the page says what pmon explain says", async () => {
	const path = (await paths()).at(-1);
	await page.locator("#legend-rows tr").last().locator("td.average button").click();
	await page.waitForSelector("#why .result");
	const [answer] = execFileSync(
		pmon,
		["explain", "--format", "json", ...windowOptions(), "-c", path, log],
		{ encoding: "utf8" },
	)
		.split("\n")
		.filter(Boolean)
		.map((one) => JSON.parse(one));
	const text = await page.textContent("#why-body section");
	assert.ok(text.includes(String(answer.average.value)), text);
	assert.ok(text.includes(answer.average.formula));
	for (const operand of answer.average.operands)
		assert.ok(text.includes(operand.text), operand.name);
	await picture(page, "why");
	await page.keyboard.press("Escape");
});

await step("histogram and report have the same numbers", async () => {
	const shown = await numbers();
	await press("histogram");
	const bars = await page.$$eval(".bar", (list) => list.map((bar) => bar.title.split("\n")));
	for (const [path, value] of bars) assert.equal(value, shown[path][1], path);
	await picture(page, "histogram");
	await page.selectOption("#figure", "maximum");
	await press("report");
	const report = await page.$$eval("#report .figure", (list) =>
		list.map((one) => [one.dataset.key, one.dataset.value]),
	);
	assert.equal(report.length, Object.keys(shown).length);
	for (const [key, value] of report)
		assert.equal(value, shown[key.replace("report ", "")][3]);
	await picture(page, "report");
	await page.selectOption("#figure", "auto");
	await press("line");
});

await step("compare: the second log, with differences", async () => {
	await press("compare");
	await page.click("#compare-form button[type=submit]");
	await settled(page);
	const theirs = await statsOf(existsSync(real) ? log : second);
	const ours = await statsOf(log);
	const rows = await page.$$eval("#comparison-rows tr", (list) =>
		list.map((row) => [
			row.querySelector("th").title,
			row.querySelector("td.delta").dataset.value,
		]),
	);
	assert.equal(rows.length, (await paths()).length);
	for (const [path, delta] of rows)
		assert.equal(delta, String(Number(ours[path][1]) - Number(theirs[path][1])), path);
});

await step("compare: an earlier time of the same log", async () => {
	await page.click("#compare-end");
	await settled(page);
	const box = await plot();
	await page.mouse.move(box.x + box.width * 0.5, box.y + 50);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.7, box.y + 50, { steps: 5 });
	await page.mouse.up();
	await settled(page);
	await press("compare");
	await page.check("#compare-before");
	await page.click("#compare-form button[type=submit]");
	await settled(page);
	assert.match(address().get("compare"), /^0:-\d+$/);
	const shift = Number(address().get("compare").slice(2)) / 10000;
	const move = (name) => new Date(Date.parse(address().get(name)) + shift).toISOString();
	const theirs = await statsOf(log, move("from"), move("to"));
	const rows = await page.$$eval("#comparison-rows tr", (list) =>
		list.map((row) => [
			row.querySelector("th").title,
			row.querySelectorAll("button")[1].dataset.value,
		]),
	);
	for (const [path, average] of rows) assert.equal(average, theirs[path][1], path);
	await picture(page, "compare");
});

await step("compare: a second range is picked on the strip with Shift", async () => {
	await page.click("#compare-end");
	await settled(page);
	const box = await page.locator("#overview").boundingBox();
	const from = address().get("from");
	await page.keyboard.down("Shift");
	await page.mouse.move(box.x + box.width * 0.1, box.y + 20);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.25, box.y + 20, { steps: 4 });
	await page.mouse.up();
	await page.keyboard.up("Shift");
	await settled(page);
	assert.equal(address().get("from"), from); // the window stays
	assert.match(address().get("compare"), /^0:-\d+$/);
	assert.match(await page.textContent("#comparison-caption"), /^Dotted: /);
	const { first_time, last_time } = (await page.evaluate(async () => (await import("/api.js")).ask("log"))).sets[0];
	const begin = Date.parse(first_time) + 0.1 * (Date.parse(last_time) - Date.parse(first_time));
	const shifted = Date.parse(from) + Number(address().get("compare").slice(2)) / 10000;
	const pixel = (Date.parse(last_time) - Date.parse(first_time)) / box.width;
	assert.ok(Math.abs(shifted - begin) < 3 * pixel, `${shifted - begin} ms`);
});

async function saved(form) {
	await press("export");
	const [download] = await Promise.all([
		page.waitForEvent("download"),
		page.click(`[data-export=${form}]`),
	]);
	const file = temporary(`saved.${form}`);
	await download.saveAs(file);
	return file;
}

// The page lists counters in the order of the legend, the command lists them in that of the log.
function unordered(form, text) {
	const lines = text.trim().split(/\r?\n/);
	if (form === "json") return lines.sort();
	const [head, ...rows] = lines.map((one) => one.slice(1, -1).split('","'));
	return rows.map((row) => Object.fromEntries(row.map((cell, i) => [head[i], cell])));
}

await step("export: CSV and JSON are those of the command", async () => {
	await page.click("#compare-end");
	await settled(page);
	const wanted = (await paths()).flatMap((path) => ["-c", path]);
	for (const form of ["csv", "json"]) {
		const ours = execFileSync(
			pmon,
			["values", "--format", form, ...windowOptions(), ...wanted, log],
			{ encoding: "utf8" },
		);
		const theirs = readFileSync(await saved(form), "utf8");
		assert.ok(theirs.length > 100);
		assert.deepEqual(unordered(form, theirs), unordered(form, ours), form);
	}
});

await step("export: SVG is whole and has the lines, PNG is a picture", async () => {
	const svg = readFileSync(await saved("svg"), "utf8");
	assert.match(svg, /^<svg /);
	assert.equal(
		await page.evaluate(
			(text) =>
				new DOMParser()
					.parseFromString(text, "image/svg+xml")
					.querySelector("parsererror")?.textContent ?? null,
			svg,
		),
		null,
	);
	assert.ok((svg.match(/clip-path="url/g) ?? []).length >= (await paths()).length);
	assert.equal(
		readFileSync(await saved("png"))
			.subarray(1, 4)
			.toString(),
		"PNG",
	);
	assert.ok(statSync(temporary("saved.png")).size > 10000);
});

await step("a link restores the view", async () => {
	await page.locator("#legend-rows .name").nth(1).click();
	await page.keyboard.press("h");
	await press("histogram");
	const url = page.url();
	const shown = await numbers();
	await page.goto("about:blank");
	await page.goto(url);
	await page.waitForSelector("#bars .bar");
	await settled(page);
	assert.equal(page.url(), url);
	assert.deepEqual(await numbers(), shown);
	assert.equal(await page.getAttribute("[data-command=highlight]", "aria-pressed"), "true");
	assert.equal(await page.getAttribute("[data-command=histogram]", "aria-pressed"), "true");
	await press("line");
});

await step("a counter that the log does not have is said, and the rest is shown", async () => {
	await page.goto(
		`${server.url}#c=%5C%5CNOBODY%5CO%5CC&c=${encodeURIComponent((await paths())[0])}`,
	);
	await page.waitForSelector("#legend-rows tr.missing");
	await settled(page);
	assert.match(await page.textContent("#legend-rows tr.missing"), /not in this log/);
	assert.equal((await paths()).length, 2);
});

await step("a time of a link that is none is ignored, and said", async () => {
	const path = (await paths())[1];
	for (const bad of ["from=yesterday-ish", "from=2030-01-01T00:00:00Z&to=2020-01-01T00:00:00Z"]) {
		await page.goto(`${server.url}#${bad}&c=${encodeURIComponent(path)}`);
		await page.waitForSelector("#status.bad");
		await page.waitForSelector("#legend-rows .maximum button[data-value]");
		await settled(page);
		assert.match(await page.textContent("#status"), /ignored/);
		assert.equal(address().get("from"), null);
		assert.equal(address().get("to"), null);
	}
});

await step("Ctrl+Z and Back undo what was done, one step at a time", async () => {
	const before = await paths();
	await page.keyboard.press("Shift+Delete");
	assert.deepEqual(await paths(), []);
	assert.match(await page.textContent("#status"), /^\d+ counters? removed/);
	await page.click("#undo");
	await page.waitForSelector("#legend-rows tr");
	assert.deepEqual(await paths(), before);
	await page.keyboard.press("+");
	await settled(page);
	assert.ok(address().get("from"));
	await page.keyboard.press("Control+z");
	await settled(page);
	assert.equal(address().get("from"), null);
	await page.keyboard.press("4");
	await page.goBack();
	await page.waitForSelector("[data-command=panels][aria-pressed=true]");
});

await step("zooming ends where two samples are left", async () => {
	for (let i = 0; i < 40; i++) await page.keyboard.press("+");
	await settled(page);
	await page.waitForTimeout(100);
	for (let i = 0; i < 10; i++) {
		await page.keyboard.press("+");
		await settled(page);
	}
	assert.match(await page.textContent("#window"), /, 2 samples$/);
	await sameAsStats();
	await press("whole");
	await settled(page);
});

await stepNoErrors(errors);
await server.stop();

// ---- The made-up log: gap, reset, spike, a name like HTML ---------------------------------------

const other = await serve(made);
const { page: odd, errors: oddErrors } = await openPage(browser, other.url);
await odd.waitForSelector("#legend-rows tr");

await step("a longer bar is a larger value of its unit", async () => {
	const { series } = await (await openSession(other.url)).ask("select", { q: "e", limit: 100 });
	const hash = new URLSearchParams([["view", "histogram"], ...series.map(({ path }) => ["c", path])]);
	await odd.goto(`${other.url}#${hash}`);
	await odd.waitForSelector("#bars .bar");
	await settled(odd);
	const bars = await odd.evaluate(async () => {
		const { barGroups } = await import("/histogram.js");
		return barGroups().flatMap(({ list }) => list).map(({ counter, value, length }) => ({
			unit: counter.series.quantity, size: Math.abs(Number(value ?? 0)) * counter.series.factor, length,
		}));
	});
	assert.ok(bars.length > 2);
	for (const a of bars)
		for (const b of bars.filter(({ unit }) => unit === a.unit))
			assert.equal(a.length < b.length, a.size < b.size, JSON.stringify([a, b]));
	const units = await odd.$$eval("#bars .unit", (list) => list.map((one) => one.querySelectorAll(".axis span").length));
	assert.deepEqual(units, [...new Set(bars.map(({ unit }) => unit))].map(() => 3), "an axis for each unit");
	await odd.goto(other.url);
	await odd.waitForSelector("#legend-rows tr");
	await settled(odd);
});

await step("names are text, never HTML", async () => {
	await odd.keyboard.press("a");
	await odd.fill("#add-search", "thread count");
	await odd.waitForFunction(() =>
		/Add the match/.test(document.getElementById("add-matches").textContent),
	);
	await odd.click("#add-matches");
	await odd.keyboard.press("Escape");
	await settled(odd);
	for (const view of ["1", "2", "3"]) {
		await odd.keyboard.press(view);
		await settled(odd);
		assert.equal(await odd.locator("img").count(), 0);
	}
	assert.ok((await odd.textContent("#legend-rows")).includes(EVIL));
	await odd.keyboard.press("1");
});

await step("gap and reset are marked, and one goes there", async () => {
	await odd.goto(`${other.url}#c=${encodeURIComponent("\\\\SRV\\Disk(0 C:)\\Writes/sec")}`);
	await odd.waitForFunction(
		() => document.getElementById("marks-open").textContent === "1 gap · 1 reset",
	);
	await settled(odd);
	await picture(odd, "marks");
	await odd.click("#marks-open");
	assert.match(await odd.textContent("#marks-body"), /no samples for 0:01:01/);
	assert.match(await odd.textContent("#marks-body"), /Writes\/sec \(0 C:\): reset/);
	await odd.locator("#marks-body button").last().click();
	await settled(odd);
	assert.ok(new URL(odd.url()).hash.includes("from="));
	await odd.keyboard.press("0");
});

// Elements that extend past the page's right edge, except those that can be scrolled.
const tooWide = (where) =>
	where.evaluate(() => {
		if (document.documentElement.scrollWidth <= innerWidth) return [];
		return [...document.querySelectorAll("body *")]
			.filter(
				(node) =>
					!node.closest(".scroll, dialog") &&
					node.getBoundingClientRect().right > innerWidth,
			)
			.map((node) => `${node.tagName} ${node.id} ${node.className}`);
	});

await step("a spike of one sample is seen on a narrow page", async () => {
	await odd.setViewportSize({ width: 360, height: 740 });
	await odd.goto(
		`${other.url}#c=${encodeURIComponent("\\\\SRV\\Processor(0)\\% Processor Time")}`,
	);
	await odd.waitForSelector("#legend-rows .maximum button[data-value]");
	await settled(odd);
	assert.equal(await odd.getAttribute("#legend-rows .maximum button", "data-value"), "100");
	const above = await odd.evaluate(async () => {
		// The highest row of the plot that has a pixel of the line's colour, below the top of its panel.
		const { plotNow } = await import("/chart.js");
		const canvas = document.querySelector("#plot canvas");
		const { width, height } = canvas;
		const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
		const { keys, box } = plotNow().panels[0];
		const first = Math.floor(Math.max(box.y - 3, keys.y) * devicePixelRatio) * width * 4;
		for (let i = first; i < pixels.length; i += 4) {
			if (pixels[i + 2] > 120 && pixels[i] < 60 && pixels[i + 3] > 80)
				return Math.floor(i / 4 / width) / devicePixelRatio - plotNow().panels[0].box.y;
		}
		return Infinity;
	});
	assert.ok(Math.abs(above) <= 3, `the line ends ${above} below the top`);
	assert.deepEqual(await tooWide(odd), []);
	await picture(odd, "phone");
});

await step("a server that does not respond is said, and found again", async () => {
	assert.deepEqual(oddErrors, []);
	await odd.context().setOffline(true);
	await odd.keyboard.press("+");
	await odd.waitForFunction(() =>
		document.getElementById("banner").textContent.includes("does not respond"),
	);
	await odd.context().setOffline(false);
	await odd.keyboard.press("0");
	await settled(odd);
	assert.ok(await odd.isHidden("#banner"));
	await other.stop();
	await odd.waitForFunction(() =>
		document.getElementById("banner").textContent.includes("reconnect "),
	);
});

await step("the latency of a log of displayed values follows from queue length and rate", async () => {
	const names = ["Avg. Disk sec/Read", "Avg. Disk Read Queue Length", "Disk Reads/sec"];
	const lines = [
		`"(PDH-CSV 4.0) (UTC)(0)",${names.map((name) => `"\\\\SRV\\PhysicalDisk(0 C:)\\${name}"`).join(",")}`,
	];
	for (let i = 0; i < 60; i++) {
		const rate = i % 2 ? 190 : 10;
		const minute = String(i).padStart(2, "0");
		lines.push(`"11/20/2026 00:${minute}:00.000","${(1 / rate).toFixed(9)}","1","${rate}"`);
	}
	writeFileSync(temporary("latency.csv"), lines.join("\r\n") + "\r\n");
	const of = await serve(temporary("latency.csv"));
	const opened = await openReady(browser, of.url);
	const row = opened.page.locator("#legend-rows tr", {
		has: opened.page.locator(".name[title*='sec/Read']"),
	});
	const figure = row.locator("td.average button");
	assert.equal(await figure.textContent(), "10 ms");
	assert.match(await figure.getAttribute("title"), /the total of all operations divided by their number/);
	await figure.click();
	await opened.page.waitForSelector("#why .result");
	assert.match(await opened.page.textContent("#why-body section"), /total \/ operations/);
	await picture(opened.page, "why-latency");
	await opened.page.keyboard.press("Escape");
	const shown = new URLSearchParams(names.map((name) => ["c", `\\\\SRV\\PhysicalDisk(0 C:)\\${name}`]));
	await opened.page.goto(`${of.url}#${shown}`);
	await opened.page.waitForFunction(() => /≈/.test(document.getElementById("legend-rows").textContent));
	await settled(opened.page);
	// Means of displayed values are marked in pictures as in the table.
	const marked = await opened.page.$$eval("#legend-rows td.average", (cells) =>
		cells.map((cell) => cell.textContent).filter((text) => text.startsWith("≈")));
	assert.ok(marked.length > 0);
	for (const view of ["1", "2"]) {
		await opened.page.keyboard.press(view);
		await settled(opened.page);
		await opened.page.keyboard.press("e");
		const [svg] = await Promise.all([
			opened.page.waitForEvent("download"),
			opened.page.click("[data-export=svg]"),
		]);
		const text = readFileSync(await svg.path(), "utf8");
		for (const one of marked) assert.ok(text.includes(one), `${one} in view ${view}`);
	}
	assert.deepEqual(opened.errors, []);
	await opened.page.context().close();
	await of.stop();
});

await browser.close();
finish();
