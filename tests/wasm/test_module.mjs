// test_module.mjs - pmon-view.wasm answers with the numbers that the command prints
// SPDX-License-Identifier: MIT
//
//	node test_module.mjs PMON MODULE FOLDER		PMON is a native build, FOLDER has logs and other files

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { tmpdir } from "node:os";
import test from "node:test";

import { LogModule } from "../../web/alone/module.js";

const [pmon, path, folder] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(path));
const scratch = mkdtempSync(join(tmpdir(), "pmon-module-"));
process.on("exit", () => rmSync(scratch, { recursive: true }));
const FIGURES = ["last", "average", "minimum", "maximum", "minimum_time", "maximum_time", "samples", "invalid"];
const MOST_IDS = 200;

function native(...words) {
	try {
		return execFileSync(pmon, words, { env: { TZ: "UTC" }, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 }).toString();
	} catch (error) {
		return error.status === 3 ? error.stdout.toString() : ""; // damaged, but read; or not
	}
}

// A file as the module reads it.
function logOf(file) {
	const fd = openSync(file, "r");
	return { name: basename(file), source: { size: statSync(file).size, read: (at, into) => readSync(fd, into, 0, into.length, at) } };
}

async function opened(...files) {
	const logs = await LogModule.start(module);
	logs.open(files.map(logOf));
	while (logs.read(1000));
	return logs;
}

const asText = (answer) => new TextDecoder().decode(answer.bytes);

function ask(logs, endpoint, parameters = {}) {
	const answer = logs.ask(endpoint, Object.entries(parameters).map(([name, value]) => [name, String(value)]));
	assert.equal(answer.status, 200, asText(answer));
	return JSON.parse(asText(answer));
}

// The rows of pmon stats, from the API: by path, as several series may have the same.
function rowsOf(logs, set = 0) {
	const { counters } = ask(logs, "log").sets[set];
	const rows = [];
	for (let from = 0; from < counters; from += MOST_IDS) {
		const ids = Array.from({ length: Math.min(MOST_IDS, counters - from) }, (_, i) => from + i);
		const { series } = ask(logs, "series", { set, ids });
		const { series: drawn } = ask(logs, "data", { set, ids, columns: 10 });
		for (const [i, { path, unit }] of series.entries()) rows.push({ path, unit, ...drawn[i].bar });
	}
	return rows.filter(({ samples }) => samples > 0);
}

const picked = (row) => JSON.stringify([row.path, row.unit, ...FIGURES.map((figure) => row[figure])]);
const sorted = (rows) => rows.map(picked).sort();

// Counters that are texts have no numbers.
function statsOf(...files) {
	const { counters } = JSON.parse(native("stats", "--format", "json", ...files));
	return counters.filter(({ samples, last }) => samples > 0 && typeof last !== "string");
}

const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, name)).filter((file) => statSync(file).isFile());
const isLog = (file) => native("stats", "--format", "json", file) !== "";
const logFiles = files.filter(isLog);

// The command finds the names of a raw block in the file next to it; the page gets one file.
function aloneOf(file) {
	const folder = mkdtempSync(join(scratch, "log-"));
	copyFileSync(file, join(folder, basename(file)));
	return join(folder, basename(file));
}

for (const file of logFiles)
	test(`${basename(file)}: the numbers of pmon stats`, async () => {
		assert.deepEqual(sorted(rowsOf(await opened(file))), sorted(statsOf(aloneOf(file))));
	});

test("there are logs to compare", () => assert.ok(logFiles.length > 3));

test("what is no log ends with a message that names it", async () => {
	for (const file of files.filter((one) => !logFiles.includes(one))) {
		const logs = await LogModule.start(module);
		assert.throws(() => logs.open([logOf(file)]), (error) => error.message.includes(basename(file)), file);
	}
});

const log = files.find((file) => file.endsWith("CounterSamples.blg"));
const other = files.find((file) => file.endsWith("BasicPerfCounters.blg"));

test("an explanation and exports are those of the command", async () => {
	const logs = await opened(log);
	const [{ path: counter }] = ask(logs, "series", { ids: 0 }).series;
	for (const format of ["csv", "json"]) {
		const answer = logs.ask("export", [["ids", "0"], ["format", format]]);
		assert.equal(asText(answer), native("values", "--format", format, "-c", counter, log));
	}
	const { first_time: at } = ask(logs, "log").sets[0];
	const explained = native("explain", "--format", "json", "--at", at, "--from", at, "-c", counter, log);
	assert.deepEqual(ask(logs, "explain", { id: 0, at, from: at }), JSON.parse(explained.split("\n")[0]));
});

test("incidents are those of pmon health", async () => {
	const { incidents } = ask(await opened(other), "incidents");
	const mine = incidents.map(({ id, severity, headline }) => ({ id, severity, headline }));
	const theirs = JSON.parse(native("health", "--all", "--format", "json", other)).incidents;
	assert.deepEqual(mine, theirs.map(({ id, severity, headline }) => ({ id, severity, headline })));
});

test("several logs are merged", async () => {
	const logs = await opened(log, other);
	assert.deepEqual(ask(logs, "log").sets[0].files, [basename(log), basename(other)]);
	assert.deepEqual(sorted(rowsOf(logs)), sorted(statsOf(log, other)));
});

test("a second log is compared, replaced and removed", async () => {
	const logs = await opened(log);
	for (const file of [other, log]) {
		assert.equal(logs.compare(logOf(file)).status, 200);
		while (logs.read(1000));
		assert.equal(ask(logs, "log").sets[1].name, basename(file));
		assert.deepEqual(sorted(rowsOf(logs, 1)), sorted(statsOf(file)));
	}
	const foreign = join(scratch, "holiday.gif");
	writeFileSync(foreign, `GIF89a${"x".repeat(3000)}`);
	const refused = logs.compare(logOf(foreign));
	assert.equal(refused.status, 422);
	assert.match(JSON.parse(asText(refused)).error, /holiday\.gif/);
	assert.equal(ask(logs, "log").sets.length, 2, "the second log stays");
	assert.equal(logs.compare(null).status, 200);
	assert.equal(ask(logs, "log").sets.length, 1);
});

test("a damaged log is read as far as the command reads it, and the damage is counted", async () => {
	const cut = join(scratch, "cut.blg");
	writeFileSync(cut, readFileSync(other).subarray(0, statSync(other).size * 0.6));
	const logs = await opened(cut);
	const [info] = JSON.parse(native("info", "--format", "json", cut)).logs;
	assert.deepEqual(sorted(rowsOf(logs)), sorted(statsOf(cut)));
	assert.equal(ask(logs, "log").sets[0].losses, info.losses);
	assert.ok(info.losses > 0);
});

test("invalid questions are answered with an error", async () => {
	const logs = await opened(log);
	for (const [endpoint, parameters, status] of [
		["nothere", [], 404],
		["events", [], 404],
		["data", [["ids", "9999999"]], 404],
		["data", [["ids", "x"]], 400],
		["log", Array.from({ length: 40 }, (_, i) => [`p${i}`, "1"]), 200],
	])
		assert.equal(logs.ask(endpoint, parameters).status, status, endpoint);
});
