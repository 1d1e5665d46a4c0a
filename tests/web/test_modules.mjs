// test_modules.mjs - the modules of the page without a browser: syntax, rules, and the pure ones
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { finish, source, step } from "./lib.mjs";

const folder = join(source, "web/page");
const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));
const textOf = (name) => readFileSync(join(folder, name), "utf8");
const load = (name) => import(join(folder, name));

await step(
	"each module is valid, has a head, and fits into its columns and 300 lines",
	async () => {
		assert.ok(modules.length > 10);
		const check = (name) =>
			promisify(execFile)(process.execPath, ["--check", join(folder, name)]);
		await Promise.all(modules.map(check));
		for (const name of modules) {
			const lines = textOf(name).split("\n");
			assert.ok(
				lines[0].startsWith(`// ${name} - `),
				`${name}: its first line is its name and purpose`,
			);
			assert.equal(lines[1], "// SPDX-License-Identifier: MIT", name);
			assert.ok(lines.length <= 300, `${name} has ${lines.length} lines`);
			for (const [i, line] of lines.entries()) {
				const width = line.replaceAll("\t", "        ").length;
				assert.ok(width <= 120, `${name}:${i + 1} is ${width} wide`);
				assert.ok(!/\s$/.test(line), `${name}:${i + 1} ends in a blank`);
			}
		}
	},
);

await step("the page has at most 6,000 lines", () => {
	const files = readdirSync(folder).filter((name) => /\.(js|css|html)$/.test(name));
	const lines = files.reduce((sum, name) => sum + textOf(name).split("\n").length - 1, 0);
	assert.ok(lines <= 6000, `${lines} lines`);
});

await step("what the safety of the page rests on", () => {
	const forbidden =
		/(inner|outer|Adjacent)HTML|document\.write|\beval\(|new Function|javascript:|"style"/;
	for (const name of modules) assert.doesNotMatch(textOf(name), forbidden, name);
	assert.doesNotMatch(
		textOf("index.html"),
		/\sstyle=|\son\w+=|<script(?![^>]*src=)|https?:|\/\//,
	);
	assert.doesNotMatch(textOf("style.css"), /url\(|@import/);
});

await step("imports are used, and no module is left out", () => {
	const imported = new Set(["main.js"]);
	for (const name of modules) {
		const text = textOf(name);
		for (const [, names, file] of text.matchAll(
			/^import (?:\{([^}]*)\}|\w+) from "\.\/([\w.]+)";/gm,
		)) {
			imported.add(file);
			for (const one of names
				?.split(",")
				.map((word) => word.trim())
				.filter(Boolean) ?? [])
				assert.ok(
					text.split(
						new RegExp(
							`(?<![\\w$.])${one.replace("$", "\\$")}(?![\\w$])`,
						),
					).length > 2,
					`${name} does not use ${one}`,
				);
		}
	}
	assert.deepEqual(
		modules.filter((name) => !imported.has(name)),
		[],
	);
});

await step("times keep each of their 100 ns", async () => {
	const { ticksOfIso, isoOfTicks, isoOfMs, msOfIso, setClock, showExactMoment, showMoment, readMoment } =
		await load("time.js");
	for (const iso of [
		"2016-11-26T21:46:30.8741234Z",
		"2016-11-26T21:46:30Z",
		"1969-12-31T23:59:59.9999999Z",
	])
		assert.equal(isoOfTicks(ticksOfIso(iso)), iso);
	assert.equal(
		ticksOfIso("2016-11-26T21:46:30.8741234Z") -
			ticksOfIso("2016-11-26T21:46:30.8741233Z"),
		1n,
	);
	assert.equal(ticksOfIso("yesterday"), null);
	assert.equal(isoOfMs(Date.UTC(2026, 0, 5, 8) + 0.25), "2026-01-05T08:00:00.00025Z");
	setClock(-480);
	const ms = msOfIso("2016-11-26T21:46:30.874Z");
	assert.equal(showExactMoment(ms), "2016-11-26 13:46:30.874"); // as pmon info has it
	assert.equal(showMoment(ms), "2016-11-26 13:46:30");
	setClock(-480, 0.25); // samples closer than a second need its parts
	assert.equal(showMoment(ms), "2016-11-26 13:46:30.874");
	assert.equal(readMoment("2016-11-26 13:46:30.874", 0), ms);
	assert.equal(readMoment("13:46", ms), msOfIso("2016-11-26T21:46:00Z"));
	assert.equal(readMoment("soon", ms), null);
	setClock(0);
});

await step("ticks stand on round times of the log's clock", async () => {
	const { timeTicks, tickLabels, setClock } = await load("time.js");
	setClock(330); // India: half an hour off, so full hours there are not full hours of UTC
	const from = Date.UTC(2026, 0, 5, 8);
	const { step: width, ticks } = timeTicks(from, from + 6 * 3600000, 7);
	assert.equal(width, 3600000);
	assert.equal(ticks[0], Date.UTC(2026, 0, 5, 8, 30));
	assert.deepEqual(tickLabels(ticks, width)[0], ["14:00", "2026-01-05"]);
	assert.deepEqual(tickLabels(ticks, width)[1], ["15:00"]);
	setClock(0);
});

await step("durations are those of Performance Monitor, with what it leaves out", async () => {
	const { showDuration } = await load("time.js");
	const expected = [
		[599.996, "0:09:59.996"],
		[100, "0:01:40"],
		[90061, "1 d 1:01:01"],
		[0, "0:00:00"],
		[null, "–"],
	];
	for (const [seconds, text] of expected) assert.equal(showDuration(seconds), text);
});

await step("numbers have four digits and the multiple that suits, by the rules of draw/label.c", async () => {
	const { showAmount, showNumber } = await load("units.js");
	const { showScale } = await load("format.js");
	const expected = [
		[5309.188746893078, "5,309"],
		[999.94, "999.9"],
		[999.96, "1,000"],
		[173089140.36, "173,089,140"],
		[0, "0"],
		[0.016669623, "0.01667"],
		[0.000012346, "0.00001235"],
		[0.0000012346, "1.235e-6"],
		[-12345.678, "-12,346"],
		[12.5, "12.5"],
		[1.5e15, "1.5e+15"],
		[null, "–"],
		["9223372036854775807", "9.223e+18"],
	];
	for (const [value, text] of expected) assert.equal(showNumber(value), text);
	// Bytes go by 1024; a count has all digits up to ten million.
	const amounts = [
		[0.0612, { quantity: "seconds", factor: 1 }, "61.2 ms"],
		[0, { quantity: "seconds", factor: 1 }, "0 s"],
		[79, { quantity: "bytes", factor: 1048576 }, "79 MB"],
		[6442450944, { quantity: "bytes", factor: 1 }, "6 GB"],
		[1234, { quantity: "rate", factor: 1 }, "1.234 k/s"],
		[9999999, { quantity: "count", factor: 1 }, "9,999,999"],
		[12345678, { quantity: "count", factor: 1 }, "12.35 M"],
		[37, { quantity: "percent", factor: 1 }, "37 %"],
		[31, { quantity: "count", factor: 1, hex: true }, "0x1F"],
		[-1, { quantity: "count", factor: 1, hex: true }, "0xFFFFFFFFFFFFFFFF"],
		[null, { quantity: "count", factor: 1 }, "–"],
	];
	for (const [value, unit, text] of amounts) assert.equal(showAmount(value, unit), text);
	assert.deepEqual([1e-7, 0.01, 1, 1e7].map(showScale), ["0.0000001", "0.01", "1.0", "10000000.0"]);
});

await step("a classic line is on its axis by its own scale or by one that fits", async () => {
	const { defaultScale, scaleToFit } = await load("format.js");
	for (let power = -9; power <= 18; power++) {
		for (const digits of [1, 1.5, 2, 9.99, 9.999999]) {
			const largest = digits * 10 ** power;
			const fit = largest * scaleToFit(largest);
			assert.ok(fit <= 100 && fit > 9.999, `${largest} is at ${fit}`);
			for (const own of [1e-7, 1, 1e7]) {
				const at = largest * defaultScale(largest, own);
				assert.ok(at <= 100 && at >= 0.5, `${largest} is at ${at} with ${own}`);
			}
		}
	}
	assert.equal(defaultScale(42, 1), 1); // that of Performance Monitor stays where it fits
	assert.equal(defaultScale(0, 0.1), 0.1);
	assert.equal(scaleToFit(Infinity), 1);
});

await step("names that run from right to left do not reorder the text around them", async () => {
	const { isolated } = await load("format.js");
	assert.equal(isolated("sqlservr"), "sqlservr");
	assert.equal(isolated("\u05d3\u05d9\u05e1\u05e7"), "\u2068\u05d3\u05d9\u05e1\u05e7\u2069");
	assert.equal(isolated("a\u202egnp.exe"), "a\ufffdgnp.exe");
});

finish();
