// machines.js - the load of several machines over time, to pick one
// SPDX-License-Identifier: MIT

import { ask, isStale, newest } from "./api.js";
import { $, el, rebuild, setText } from "./dom.js";
import { choiceOf } from "./first.js";
import { isolated, plural } from "./format.js";
import { status } from "./heading.js";
import { knownIncidents, shapeOf } from "./incidents.js";
import { mainSet } from "./load.js";
import { addCounters, knownCounters, state } from "./state.js";
import { showMoment } from "./time.js";
import { showNumber } from "./units.js";

// The first counter that a machine has, in the order of src/query/processors.h.
const BUSY = [
	"\\\\*\\Hyper-V Hypervisor Logical Processor(_Total)\\% Total Run Time",
	"\\\\*\\Processor Information(_Total)\\% Processor Time",
	"\\\\*\\Processor(_Total)\\% Processor Time",
];
const MOST = 256; // per request
const COLUMNS = 96;
const LIVE_PAUSE_MS = 30000;

const askBusy = newest();
let rows = []; // {machine, times, values, bar}
let span = { from: 0, to: 1 };
let asked_of = "";
let asked_ms = 0;

// One series of each machine that has any.
async function seriesOfMachines() {
	const found = new Map();
	const answers = await Promise.all(BUSY.map((pattern) => ask("select", { set: 0, pattern, limit: MOST })));
	for (const series of answers.flatMap((answer) => answer.series))
		if (!found.has(series.machine)) found.set(series.machine, series);
	return [...found.values()].slice(0, MOST);
}

async function load(set) {
	const series = await seriesOfMachines();
	const ids = series.map(({ id }) => id);
	const nothing = { series: [], times: [] };
	const data = ids.length > 0 ? await askBusy("data", { set: 0, ids, columns: COLUMNS }) : nothing;
	const ends = data.times.flatMap((times) => [times[0], times.at(-1)]);
	span = { from: Math.min(...ends), to: Math.max(...ends) };
	const names = new Set([...series.map(({ machine }) => machine), ...set.machines]);
	rows = [...names].map((machine) => {
		const one = data.series[series.findIndex((other) => other.machine === machine)];
		const values = one ? (one.value ?? one.mean) : [];
		return { machine, values, times: one ? data.times[one.times] : [], bar: one?.bar ?? null };
	});
}

// Those with an incident, the gravest first; then the busiest.
function sortedRows() {
	const at = new Map(knownIncidents().map((one, i) => [one.machine, i]).toReversed());
	const rank = ({ machine }) => at.get(machine) ?? Infinity;
	const busy = ({ bar }) => bar?.average ?? -1;
	return [...rows].sort((a, b) => (rank(a) === rank(b) ? busy(b) - busy(a) : rank(a) - rank(b)));
}

// Requested when a log is complete, and periodically for live machines.
export async function updateMachines() {
	const set = mainSet();
	const isOld = set?.live && Date.now() - asked_ms > LIVE_PAUSE_MS;
	if (!set || set.machines.length < 2 || set.state === "loading" || (set.state === asked_of && !isOld)) return;
	asked_of = set.state;
	asked_ms = Date.now();
	try {
		await load(set);
	} catch (error) {
		if (!isStale(error)) asked_of = "";
	}
	drawMachines();
}

// ---- Drawing ------------------------------------------------------------------------------------

// The colours of a row from left to right: the mean of each time slice.
function cells({ times, values }) {
	const sums = Array.from({ length: COLUMNS }, () => ({ sum: 0, n: 0 }));
	values.forEach((value, i) => {
		if (value === null) return;
		const at = Math.floor(((times[i] - span.from) / (span.to - span.from || 1)) * COLUMNS);
		const cell = sums[Math.min(COLUMNS - 1, at)];
		cell.sum += value;
		cell.n++;
	});
	const stops = [];
	let color = "transparent";
	sums.forEach(({ sum, n }, i) => {
		// Without a sample, as with long intervals, the previous value continues.
		const part = Math.min(100, Math.max(0, sum / n)).toFixed(0);
		if (n > 0) color = `color-mix(in srgb, var(--line-1) ${part}%, var(--gap))`;
		stops.push(`${color} ${((100 * i) / COLUMNS).toFixed(2)}% ${((100 * (i + 1)) / COLUMNS).toFixed(2)}%`);
	});
	return `linear-gradient(to right, ${stops.join(", ")})`;
}

const percent = (value) => (typeof value === "number" ? `${showNumber(value.toPrecision(2))} %` : "–");

function line(row, picked) {
	const course = el("span", { class: "course", "aria-hidden": "true" });
	course.style.backgroundImage = cells(row);
	return el(
		"button",
		{
			type: "button",
			class: "host",
			"data-key": `machine ${row.machine}`,
			"aria-pressed": String(row.machine === picked),
			on: { click: () => pick(row.machine).catch((error) => status(error.message, true)) },
		},
		el("span", { class: "caption" }, ...markOf(row), isolated(row.machine ?? "")),
		" ",
		course,
		" ",
		el("span", { class: "value" }, percent(row.bar?.average)),
		" ",
		el("span", { class: "value" }, percent(row.bar?.maximum)),
	);
}

// The shape of the gravest incident of a machine.
function markOf({ machine }) {
	const gravest = knownIncidents().find((one) => one.machine === machine);
	return gravest ? [shapeOf(gravest)] : [];
}

export function drawMachines() {
	const set = mainSet();
	$("machines").hidden = rows.length < 2;
	if ($("machines").hidden) return;
	const shown = new Set(knownCounters().map(({ series }) => series.machine));
	const picked = shown.size === 1 ? [...shown][0] : null;
	const more = set.machines.length - rows.length;
	const rest = more > 0 ? `; ${more} more are not shown` : "";
	const count = plural(set.machines.length, "machine", "machines");
	const troubled = new Set(knownIncidents().map(({ machine }) => machine)).size;
	const first = troubled > 0 ? `${troubled} with an incident first` : "the busiest first";
	setText($("machines-said"), `${count} by processor time, ${first}${rest}`);
	setText($("machines-from"), span.from < span.to ? showMoment(span.from) : "");
	setText($("machines-to"), span.from < span.to ? showMoment(span.to) : "");
	rebuild($("machines-rows"), sortedRows().map((row) => line(row, picked)));
}

// Replaces the shown counters by those of one machine.
async function pick(machine) {
	const series = await choiceOf(machine);
	state.counters = [];
	addCounters(series);
	status(`${isolated(machine)}: ${plural(series.length, "counter", "counters")}.`, false, true);
}
