// test_same.mjs - what the API finds is what the command finds, in real logs and in a made one
// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { data, finish, needView, openSession, pmonJson, serve, step, temporary } from "./lib.mjs";

const REAL = [
	"blg/pal-SampleLog.blg",
	"blg/tx-BasicPerfCounters.blg",
	"blg/pwsh-CounterSamples.blg",
	"pdh-text/sirisaac_Sample01.csv",
];
const PARTS = [
	[0, 0.4],
	[0.5, 0.85],
	[0.6, 1],
]; // of a log, that are compared with the rest

needView();

// As text: an hour of samples of 10 s. From sample 200 to 260 the disk is twelve times slower, and the volume on it
// too; a processor is busier, and its share in user mode with it. Memory stays as it is.
function writePlanted(file) {
	const start = Date.parse("2026-03-02T10:00:00Z");
	const names = [
		"PhysicalDisk(0 C:)\\Avg. Disk sec/Read",
		"LogicalDisk(C:)\\Avg. Disk sec/Read",
		"Processor(0)\\% Processor Time",
		"Processor(0)\\% User Time",
		"Processor(_Total)\\% Processor Time",
		"Memory\\Available MBytes",
	];
	const lines = [`"(PDH-CSV 4.0) (UTC)(0)",${names.map((name) => `"\\\\SRV\\${name}"`).join(",")}`];
	for (let i = 0; i < 360; i++) {
		const time = new Date(start + 10000 * i).toISOString().replace(/(\d+)-(\d+)-(\d+)T(.*)Z/, "$2/$3/$1 $4");
		const bad = i >= 200 && i < 260;
		const wobble = 1 + (((7 * i) % 5) - 2) / 100;
		const values = [bad ? 0.06 : 0.005, bad ? 0.06 : 0.005, bad ? 88 : 20, bad ? 80 : 15, bad ? 88 : 20, 4000];
		lines.push([`"${time}"`, ...values.map((value) => `"${value * wobble}"`)].join(","));
	}
	writeFileSync(file, lines.join("\r\n") + "\r\n");
	return file;
}

function windowOf({ first_time, last_time }, parts) {
	const [from, to] = [first_time, last_time].map((time) => Date.parse(time));
	return parts.map((part) => new Date(from + part * (to - from)).toISOString());
}

// What both say of some windows; answers what pmon changes does, for all of them.
async function compare(file, windowsOf) {
	const server = await serve(file);
	const { ask, loaded } = await openSession(server.url);
	const windows = windowsOf(await loaded());
	const pick = ({ path, before, after, factor, effect }) => ({ path, before, after, factor, effect });
	const found = [];
	for (const [from, to] of windows) {
		const theirs = (await pmonJson("changes", "--from", from, "--to", to, "--format", "json", file)).series;
		const answer = await ask("changes", { from, to, max: 100 });
		assert.equal(answer.total, theirs.length);
		assert.deepEqual(
			answer.rows.map((row) => pick({ ...row, path: row.series.path })),
			theirs.slice(0, 100).map(pick),
		);
		found.push(...theirs);
	}
	await server.stop();
	return found;
}

// What both find of the whole log.
async function compareFindings(file) {
	const server = await serve(file);
	const { ask, loaded } = await openSession(server.url);
	await loaded();
	const answer = await ask("findings");
	assert.deepEqual(await ask("findings"), answer); // the answer that was kept
	await server.stop();
	const health = await pmonJson("health", "--format", "json", file);
	assert.equal(answer.within, health.summary.within);
	assert.equal(answer.not_judged, health.summary.not_judged);
	assert.equal(answer.beyond, health.summary.beyond);
	assert.equal(answer.samples_used, health.samples_used);
	assert.equal(answer.findings, health.findings.length);
	assert.equal(answer.left_out, 0);
	const fields = ["path", "from", "to", "average", "worst", "samples", "operations", "excess"];
	const pick = (one) => Object.fromEntries(fields.map((field) => [field, one[field]]));
	for (const finding of health.findings) {
		// A series that crossed both limits is one finding, of its critical episodes.
		const mine = answer.episodes.filter(
			({ rule, path, severity }) =>
				answer.rules[rule].name === finding.rule && path === finding.path && severity === finding.severity,
		);
		assert.equal(mine.length, finding.episodes.length);
		assert.deepEqual(pick(mine.find(({ from }) => from === finding.from)), pick(finding));
	}
	return health.findings.length;
}

// The incidents of the whole log; those of the page also have the numbers of their series.
async function compareIncidents(file) {
	const server = await serve(file);
	const { ask, loaded } = await openSession(server.url);
	await loaded();
	const answer = await ask("incidents");
	assert.deepEqual(await ask("incidents"), answer); // the answer that was kept
	for (const part of answer.incidents.flatMap(({ evidence, who }) => [...evidence, ...who])) {
		const { series } = await ask("series", { ids: part.id });
		assert.equal(series[0].path, part.path);
		delete part.id;
	}
	await server.stop();
	const health = await pmonJson("health", "--all", "--format", "json", file);
	for (const [key, value] of Object.entries(health)) assert.deepEqual(answer[key], value, key);
	return answer.incidents.length + answer.events.length;
}

let listed = 0;
for (const name of REAL) {
	const file = join(data, name);
	if (!existsSync(file)) continue;
	await step(`${name}: the counters and numbers of pmon changes`, async () => {
		listed += (await compare(file, (set) => PARTS.map((parts) => windowOf(set, parts)))).length;
	});
	await step(`${name}: the findings of pmon health`, async () => {
		listed += await compareFindings(file);
	});
	await step(`${name}: the incidents of pmon health`, async () => {
		listed += await compareIncidents(file);
	});
}
if (existsSync(data)) await step("there was something to compare", () => assert.ok(listed > 10));

await step("a planted change is found, and what repeats it is left out", async () => {
	const window = ["2026-03-02T10:33:20Z", "2026-03-02T10:43:10Z"];
	const found = await compare(writePlanted(temporary("planted.csv")), () => [window]);
	assert.deepEqual(
		found.map(({ path, before, after }) => [path, (after.average / before.average).toFixed(1)]),
		[
			["\\\\SRV\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read", "12.0"],
			["\\\\SRV\\Processor(0)\\% Processor Time", "4.4"],
		],
	);
});

await step("a rule that asks for more time than was observed is not within its limits", async () => {
	const file = temporary("brief.csv");
	const lines = ['"(PDH-CSV 4.0) (UTC)(0)","\\\\SRV\\Processor(_Total)\\% Interrupt Time"'];
	for (let i = 0; i < 4; i++) lines.push(`"03/02/2026 10:0${i}:00.000","100"`);
	writeFileSync(file, lines.join("\r\n") + "\r\n");
	const { summary, beyond } = await pmonJson("health", "--format", "json", file);
	assert.equal(summary.within, 0);
	assert.deepEqual(beyond, [
		{ rule: "Interrupt time", machine: "SRV", reason: "beyond the limit throughout, but too short for the rule" },
	]);
	assert.equal(await compareFindings(file), 0);
});

await step("a window of two samples is refused with the reason", async () => {
	const file = writePlanted(temporary("short.csv"));
	const server = await serve(file);
	const { ask, loaded } = await openSession(server.url);
	await loaded();
	const answer = await ask("changes", { from: "2026-03-02T10:00:00Z", to: "2026-03-02T10:00:10Z" });
	await server.stop();
	assert.match(answer.error, /2 samples inside of the window; 3 are needed/);
});

finish();
