// made_log.mjs - logs of raw values as JSON lines (docs/reference/formats/jsonl.md), made for the tests
// SPDX-License-Identifier: MIT

import { createWriteStream, writeFileSync } from "node:fs";
import { once } from "node:events";

const START_MS = Date.parse("2026-01-05T08:00:00Z");
const TICKS_A_SECOND = 10000000;
const UTC_OFFSET_MIN = 60;

export const SAMPLES = 300;
export const GAP_AFTER = 150; // then nothing for a minute
export const GAP_S = 60;
export const RESET_AT = 200; // the counter is reset
export const SPIKE_AT = 77; // one second of everything
export const EVIL = '<img src=x onerror="document.title=1">&amp;';

export const momentOf = (i) => START_MS + 1000 * i + (i > GAP_AFTER ? GAP_S * 1000 : 0);

function line(path, type, i, first, extra = {}) {
	const time = new Date(momentOf(i)).toISOString().replace(".000Z", "Z");
	const ticks = BigInt(momentOf(i)) * 10000n;
	return JSON.stringify({
		path,
		type,
		time,
		status: "valid_data",
		first,
		second: String(ticks),
		multi: 1,
		time_base: TICKS_A_SECOND,
		sample: i,
		utc_offset_min: UTC_OFFSET_MIN,
		...extra,
	});
}

// Idle time of a processor, in ticks: busy for a third of each second, for all of one.
function idle(cpu) {
	let sum = 0;
	return (i) => {
		const length = i === GAP_AFTER + 1 ? GAP_S + 1 : 1;
		const busy = i === SPIKE_AT ? 1 : 0.3 + 0.2 * Math.sin(i / 20 + cpu);
		sum += Math.round(length * TICKS_A_SECOND * (1 - busy));
		return sum;
	};
}

function counters(shift) {
	const restarts = (i) => (i < RESET_AT ? 1000000 + i * (300 + shift) : (i - RESET_AT) * 300);
	const list = ["0", "1", "_Total"].map((cpu, n) => [
		`\\\\SRV\\Processor(${cpu})\\% Processor Time`,
		"PERF_100NSEC_TIMER_INV",
		idle(n + shift),
		{ scale: 0 },
	]);
	return [
		...list,
		[
			"\\\\SRV\\Memory\\Available MBytes",
			"PERF_COUNTER_RAWCOUNT",
			(i) => 4000 + ((i * 7 + shift) % 300),
			{ scale: 0 },
		],
		[
			"\\\\SRV\\Disk(0 C:)\\Writes/sec",
			"PERF_COUNTER_BULK_COUNT",
			restarts,
			{ scale: -1 },
		],
		[
			`\\\\SRV\\Process(${EVIL})\\Thread Count`,
			"PERF_COUNTER_RAWCOUNT",
			(i) => 20 + (i % 5),
			{
				scale: 0,
				machine: "SRV",
				object: "Process",
				instance: EVIL,
				index: 0,
				counter: "Thread Count",
			},
		],
	];
}

async function write(file, lines) {
	const out = createWriteStream(file);
	for (const text of lines) {
		if (!out.write(text + "\n")) await once(out, "drain");
	}
	out.end();
	await once(out, "close");
	return file;
}

// Five minutes of a machine, with a gap, a reset, a spike, and an instance that looks like HTML.
export function writeLog(file, shift = 0) {
	function* lines() {
		const list = counters(shift);
		for (let i = 0; i < SAMPLES; i++) {
			for (const [path, type, value, first] of list)
				yield line(path, type, i, value(i), i === 0 ? first : {});
		}
	}
	return write(file, lines());
}

// `count` counters of two samples: 10 objects, 50 counters each, as many instances as it takes.
export function writeManyCounters(file, count) {
	function* lines() {
		for (let i = 0; i < 2; i++) {
			for (let n = 0; n < count; n++) {
				const path =
					`\\\\SRV\\Object ${n % 10}(instance ${Math.floor(n / 500)})` +
					`\\Counter ${Math.floor(n / 10) % 50}`;
				yield line(path, "PERF_COUNTER_RAWCOUNT", i, n + i);
			}
		}
	}
	return write(file, lines());
}

// ---- Machines -----------------------------------------------------------------------------------

export const MACHINES = 26;
const FLEET_SAMPLES = 240;
export const BUSY = 17; // this machine is at 95 % in the second half, the others at 10 %
const START_OF_LOGS_MS = Date.parse("2026-03-02T10:00:00Z");

export const nameOf = (m) => `WEB${String(m + 1).padStart(2, "0")}`;
const valueOf = (m, t) => (m === BUSY && t >= FLEET_SAMPLES / 2 ? 95 : 10) + (t % 3);

// 26 machines for an hour.
export function writeFleet(file) {
	const machines = Array.from({ length: MACHINES }, (_, m) => m);
	const counters = ["Processor(_Total)\\% Processor Time", "Memory\\Available MBytes", "System\\Processes"];
	const names = machines.flatMap((m) => counters.map((counter) => `"\\\\${nameOf(m)}\\${counter}"`));
	const lines = [`"(PDH-CSV 4.0) (UTC)(0)",${names.join(",")}`];
	for (let t = 0; t < FLEET_SAMPLES; t++) {
		const time = new Date(START_OF_LOGS_MS + 15000 * t).toISOString();
		const [, year, month, day, clock] = /(\d+)-(\d+)-(\d+)T(.*)Z/.exec(time);
		const values = machines.flatMap((m) => [valueOf(m, t), 4000 + m, 100 + m]);
		lines.push(`"${month}/${day}/${year} ${clock}",${values.map((value) => `"${value}"`).join(",")}`);
	}
	writeFileSync(file, lines.join("\r\n") + "\r\n");
	return file;
}

// ---- Two days -----------------------------------------------------------------------------------

export const SHORT = 3; // spells of slow reads for some minutes

// Three hours with slow reads, little memory and a busy processor, and a second day with 8 more of what varies.
export function writeDays(first, second) {
	const spells = [[100, 112], [300, 420], [600, 606], [615, 621]];
	const isIn = (t, [from, to]) => t > from && t < to;
	const processes = Array.from({ length: 12 }, (_, i) => i);
	const names = [
		"PhysicalDisk(0 C:)\\Avg. Disk sec/Read",
		"Processor(_Total)\\% Processor Time",
		"Memory\\Available MBytes",
		"PhysicalDisk(0 C:)\\Disk Reads/sec",
		...processes.map((i) => `Process(p${i})\\% Processor Time`),
	];
	const valuesAt = (t, more) => [
		spells.some((spell) => isIn(t, spell)) ? 0.09 + more / 100 : 0.004,
		isIn(t, [499, 560]) ? 97 : 30 + more + (t % 9),
		isIn(t, [199, 206]) ? 40 : 2000 + 100 * Math.sin(t / 50),
		200,
		...processes.map((i) => (i * 3 + (t % 5)) / 2 + more),
	];
	const write = (file, more) => {
		const lines = [`"(PDH-CSV 4.0) (UTC)(0)",${names.map((name) => `"\\\\SRV\\${name}"`).join(",")}`];
		for (let t = 0; t < 720; t++) {
			const time = new Date(START_OF_LOGS_MS + 15000 * t).toISOString();
			const [, year, month, day, clock] = /(\d+)-(\d+)-(\d+)T(.*)Z/.exec(time);
			lines.push(`"${month}/${day}/${year} ${clock}",${valuesAt(t, more).map((value) => `"${value}"`).join(",")}`);
		}
		writeFileSync(file, lines.join("\r\n") + "\r\n");
		return file;
	};
	return [write(first, 0), write(second, 8)];
}
