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
	"each module is valid, has a head, and fits into its columns",
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
			for (const [i, line] of lines.entries()) {
				const width = line.replaceAll("\t", "        ").length;
				assert.ok(width <= 120, `${name}:${i + 1} is ${width} wide`);
				assert.ok(!/\s$/.test(line), `${name}:${i + 1} ends in a blank`);
			}
		}
	},
);

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

await step("only the door and what it is made of contact the server", () => {
	const DOOR = ["door.js", "secret.js", "stream.js", "whole.js", "worker.js"];
	for (const name of modules.filter((one) => !DOOR.includes(one)))
		assert.doesNotMatch(textOf(name), /\bfetch\(|XMLHttpRequest|SharedWorker|EventSource|WebSocket|"\.\/(secret|stream)\.js"/, name);
});

await step("imports are used, and no module is left out", () => {
	const imported = new Set(["main.js"]);
	for (const name of modules) {
		const text = textOf(name);
		for (const [, file] of text.matchAll(/new SharedWorker\("([\w.]+)"/g)) imported.add(file);
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
	assert.deepEqual(tickLabels(ticks, width).slice(0, 2), ["Mon 5 Jan, 14:00", "15:00"]); // 2026-01-05 is a Monday
	setClock(0);
});

await step("questions are read as words, conditions and who", async () => {
	const { readQuestion, bestOf, placeOf } = await load("question.js");
	const PROCESS = "\\Process(*)\\";
	const expected = [
		["sqlservr", { kind: "words", text: "sqlservr" }],
		["\\A(*)\\B > 5 ms for 1m", { kind: "condition", text: "\\A(*)\\B > 5 ms for 1m" }],
		["disk read > 20 ms", { kind: "compare", words: "disk read", limit: "> 20 ms", unit: "ms", quantities: ["seconds"] }],
		["cpu>=90% for 2 min", { kind: "compare", words: "cpu", limit: ">= 90 % for 2 min", unit: "%", quantities: ["percent"] }],
		["queue > 3", { kind: "compare", words: "queue", limit: "> 3", unit: "", quantities: null }],
		["net < 10 MB/s", { kind: "compare", words: "net", limit: "< 10 MB/s", unit: "MB/s", quantities: ["byte_rate"] }],
		["who used the cpu at 11:35", { kind: "who", pattern: `${PROCESS}% Processor Time`, counter: "% Processor Time", at: "11:35", until: null }],
		["Who used the disk from 11:00 to 11:30?", { kind: "who", pattern: `${PROCESS}IO Data Bytes/sec`, counter: "IO Data Bytes/sec", at: "11:00", until: "11:30" }],
		["who uses the memory", { kind: "who", pattern: `${PROCESS}Private Bytes`, counter: "Private Bytes", at: null, until: null }],
		["who knows", { kind: "words", text: "who knows" }],
		["who used the cpu yesterday", { kind: "words", text: "who used the cpu yesterday" }],
	];
	for (const [text, meaning] of expected) assert.deepEqual(readQuestion(text), meaning, text);
	const series = (object, counter, quantity) => ({ object, counter, instance: "0", quantity, displayed: true });
	const [time, size, other] = [series("D", "sec/Read", "seconds"), series("D", "R", "bytes"), series("Disk", "sec/Read", "seconds")];
	assert.equal(bestOf([size, other, time], [], ["seconds"]), "\\D(*)\\sec/Read");
	assert.equal(bestOf([size, other, time], [other], ["seconds"]), "\\Disk(*)\\sec/Read", "one of the first selection");
	assert.equal(bestOf([size], [], ["seconds"]), null);
	assert.deepEqual(placeOf("ü > x", "byte 6: not a number"), { at: 4, words: "not a number" }); // ü has two bytes
	assert.equal(placeOf("x", "too long"), null);
});

await step("names become words by their type, the same name the same word", async () => {
	const { redaction, redacted, redactedHash } = await load("redact.js");
	const table = readFileSync(join(source, "tests/support/names.tsv"), "utf8").trimEnd().split("\n").slice(1);
	const rows = table.map((row) => row.split("\t"));
	const list = rows.map(([path]) => {
		const [, machine, object, instance] = /^\\\\([^\\]*)\\([^(]*)\((.*)\)\\/.exec(path);
		return { machine, object, instance, path };
	});
	const redact = redaction({ machine: null, machines: [] }, list);
	for (const [path, expected] of rows) assert.equal(redact(path), expected);
	const byPath = redaction({ machine: null, machines: [] }, list.map(({ path }) => ({ path })));
	for (const [path, expected] of rows) assert.equal(byPath(path), expected);
	const texts = [
		["web01_000001.blg of CORP\\jane", "machine1_000001.blg of user1"],
		["WEB012 and sqlservr, _Total", "WEB012 and sqlservr, _Total"], // other names, and what is no name
		["payroll is busy 97 % (limit 1 %)", "database1 is busy 97 % (limit 1 %)"],
	];
	for (const [text, expected] of texts) assert.equal(redact(text), expected);
	assert.deepEqual(redacted({ a: ["WEB01", 5, null], b: { c: true } }, redact), { a: ["machine1", 5, null], b: { c: true } });
	assert.equal(redactedHash("#c=%5C%5CWEB01%5CA&from=2", redact), "#c=%5C%5Cmachine1%5CA&from=2");
	const german = { machine: "A", object: "X:Datenbanken", instance: "Lohn", path: "\\\\A\\X:Datenbanken(Lohn)\\y" };
	const set = { machine: "A", machines: ["B", "A"] };
	const translated = redaction(set, [{ ...german, path_en: "\\\\A\\X:Databases(Lohn)\\y" }]);
	assert.equal(translated(`${german.path} of B`), "\\\\machine1\\X:Datenbanken(database1)\\y of machine2");
	assert.equal(redaction({ machine: null, machines: [] }, [])("WEB01"), "WEB01");
});

await step("days have their weekday, weeks begin on Monday, years are said where they begin", async () => {
	const { timeTicks, tickLabels, dayTicks, setClock } = await load("time.js");
	setClock(-480);
	const from = Date.UTC(2026, 2, 7, 8); // a Saturday, midnight there
	const hours = timeTicks(from, from + 48 * 3600000, 8);
	assert.deepEqual(tickLabels(hours.ticks, hours.step).slice(0, 6), ["Sat 7 Mar", "06:00", "12:00", "18:00", "Sun 8 Mar", "06:00"]);
	assert.deepEqual(dayTicks(from + 1, from + 48 * 3600000), [from + 24 * 3600000, from + 48 * 3600000]);
	const weeks = timeTicks(from, from + 60 * 86400000, 9);
	assert.equal(weeks.step, 7 * 86400000);
	assert.deepEqual(tickLabels(weeks.ticks, weeks.step).slice(0, 2), ["Mon 9 Mar 2026", "Mon 16 Mar"]);
	const years = timeTicks(Date.UTC(2025, 11, 30, 8), Date.UTC(2026, 0, 3, 8), 5);
	assert.deepEqual(tickLabels(years.ticks, years.step), ["Tue 30 Dec 2025", "Wed 31 Dec", "Thu 1 Jan 2026", "Fri 2 Jan", "Sat 3 Jan"]);
	setClock(0);
});

await step("ranges and lengths are said as people say them", async () => {
	const { showRange, showLength, setClock } = await load("time.js");
	setClock(0);
	const at = Date.UTC(2026, 2, 9, 9);
	assert.equal(showRange(at, at + 4 * 3600000), "Mon 9 Mar 2026, 09:00–13:00");
	assert.equal(showRange(at, at + 30000), "Mon 9 Mar 2026, 09:00:00–09:00:30");
	assert.equal(showRange(at, at + 24 * 3600000), "Mon 9 Mar 2026, 09:00 – Tue 10 Mar 2026, 09:00");
	const lengths = [[14400, "4 h"], [450, "7 min 30 s"], [86400, "1 d"], [86399.7, "1 d"], [15, "15 s"], [0.25, "0.25 s"], [3599.6, "1 h"]];
	for (const [seconds, text] of lengths) assert.equal(showLength(seconds), text);
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

await step("an axis has the range, unit and ticks that tools/gen-axes computed", async () => {
	const { axisFor, rangeOf } = await load("panels.js");
	const table = readFileSync(join(source, "tests/support/axes.tsv"), "utf8").trimEnd().split("\n").slice(1);
	assert.ok(table.length > 400);
	for (const row of table) {
		const [quantity, ...cells] = row.split("\t");
		const [low, high, steps, from, to] = cells.slice(0, 5).map(Number);
		const axis = axisFor(rangeOf(low, high, quantity), quantity, steps);
		const slack = 1e-9 * (to - from);
		assert.ok(Math.abs(axis.low - from) <= slack && Math.abs(axis.high - to) <= slack, row);
		assert.equal(axis.unit || "-", cells[5], row);
		assert.equal(axis.ticks.map(({ text }) => text).join(" "), cells[6], row);
	}
});

await step("an axis is never much larger than its values", async () => {
	const { axisFor, rangeOf } = await load("panels.js");
	for (const high of [101, 110, 151, 200.5, 579, 642, 3512, 1e9, 1e-9])
		for (let steps = 1; steps < 12; steps += 0.3) {
			const axis = axisFor(rangeOf(0, high, "percent"), "percent", steps);
			if (high > 100) assert.ok(axis.high >= high && axis.high <= 1.06 * high, `${axis.high} for ${high}`);
			else assert.equal(axis.high, 100);
		}
});

await step("an axis contains the limits of its panel", async () => {
	const { axisFor, containLimits, rangeOf } = await load("panels.js");
	for (const quantity of ["percent", "seconds", "bytes", "count"])
		for (const [low, high] of [[0, 1], [3, 3], [60, 99], [0, 579], [-5, -1], [0.06, 0.061]])
			for (const limits of [[], [0], [0.025], [90], [90, 80], [1e6], [-8]]) {
				const panel = { low, high, limits };
				containLimits(panel);
				const axis = axisFor(rangeOf(panel.low, panel.high, quantity), quantity, 4);
				const slack = 1e-9 * (axis.high - axis.low);
				for (const value of [low, high, ...limits]) {
					const where = `${value} with ${limits} on ${axis.low} to ${axis.high} ${quantity}`;
					assert.ok(value >= axis.low - slack && value <= axis.high + slack, where);
				}
			}
});

await step("of two bars of a unit the longer one is the larger value", async () => {
	const { fullBar } = await load("panels.js");
	const lists = [
		["count", [3512, 642]],
		["percent", [1.2, 579, 97]],
		["percent", [3, 100.02]],
		["bytes", [-5, 4, 0]],
		["rate", [0, 0]],
	];
	for (const [quantity, values] of lists) {
		const full = fullBar(values, quantity);
		for (const value of values) assert.ok(Math.abs(value) / full <= 1.001, `${value} of ${full}`);
		assert.ok(full > 0);
	}
	assert.equal(fullBar([3, 97], "percent"), 100);
	assert.equal(fullBar([642, 3512], "count"), 3512);
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
