// ask.js - questions of whole logs: what changed here, the busiest instances, presets, and conditions
// SPDX-License-Identifier: MIT

import { openAdd } from "./add.js";
import { ask } from "./api.js";
import { $, el } from "./dom.js";
import { endSearch, search } from "./findings.js";
import { isolated, plural, shortName, withUnit } from "./format.js";
import { status } from "./heading.js";
import { wantedWindow } from "./load.js";
import { addCounters, state } from "./state.js";
import { showMoment, msOfIso } from "./time.js";
import { showNumber } from "./units.js";

const TOP = 5;
const FEW = 12; // counters of a preset from one pattern

const PRESETS = {
	Processors: [
		"\\Processor*(*)\\% Processor Time",
		"\\System\\Processor Queue Length",
		"\\System\\Context Switches/sec",
	],
	Memory: [
		"\\Memory\\Available *Bytes",
		"\\Memory\\Committed Bytes",
		"\\Memory\\Pages*/sec",
		"\\Paging File(*)\\% Usage",
	],
	Disks: [
		"\\PhysicalDisk(*)\\Avg. Disk sec/Read",
		"\\PhysicalDisk(*)\\Avg. Disk sec/Write",
		"\\PhysicalDisk(*)\\Disk Bytes/sec",
		"\\PhysicalDisk(*)\\Current Disk Queue Length",
	],
	Network: ["\\Network *(*)\\Bytes Total/sec", "\\Network *(*)\\Output Queue Length"],
	"SQL Server": [
		"\\*:Buffer Manager*\\Page life expectancy",
		"\\*:SQL Statistics\\Batch Requests/sec",
		"\\*:Memory Manager\\Memory Grants Pending",
		"\\*:General Statistics\\User Connections",
	],
	IIS: [
		"\\Web Service(*)\\Current Connections",
		"\\Web Service(*)\\Get Requests/sec",
		"\\ASP.NET\\Requests Queued",
	],
};

const CONDITION = /^\\.*[<>]=?\s*-?[\d.]/;

function failed(error) {
	status(error.message, true);
}

// ---- Presets and the busiest --------------------------------------------------------------------

async function preset(name) {
	const lists = await Promise.all(
		PRESETS[name].map((pattern) => ask("select", { set: 0, pattern, limit: FEW })),
	);
	const series = lists.flatMap((one) => one.series).filter((one) => one.displayed);
	if (series.length === 0) return status(`This log has no counters of "${name}".`);
	state.counters = [];
	addCounters(series);
	status(`${name}: ${plural(series.length, "counter", "counters")}.`, false, true);
}

// Adds the instances of a pattern that used most in the window.
export async function addTop(pattern, max = TOP) {
	const { total, rows } = await ask("top", { set: 0, pattern, ...wantedWindow(), max });
	if (total === 0) return status(`No instance of ${pattern} has values here.`);
	addCounters(rows.map((row) => row.series));
	status(`The top ${rows.length} of ${total} by their total in this window.`, false, true);
}

// The same counter of all instances.
const siblings = ({ machine, object, counter }) =>
	(machine === null ? "" : `\\\\${machine}`) + `\\${object}(*)\\${counter}`;

export function topOfSelected(counter) {
	const { series } = counter;
	if (!series || series.instance === null) addTop("\\Process(*)\\% Processor Time").catch(failed);
	else addTop(siblings(series)).catch(failed);
}

// ---- What changed here? -------------------------------------------------------------------------

function changeRow({ before, after, factor, series }) {
	const button = el("button", { type: "button", on: { click: () => addOne() } }, "Add");
	const addOne = () => {
		addCounters([series]);
		button.disabled = true;
		button.textContent = "Added";
	};
	if (state.counters.some((one) => one.path === series.path)) {
		button.disabled = true;
		button.textContent = "Shown";
	}
	return el(
		"tr",
		{},
		el("td", {}, button),
		el(
			"th",
			{ scope: "row", title: series.path },
			shortName(series),
			el("small", {}, ` ${isolated(series.object ?? "")}`),
		),
		el("td", {}, withUnit(before.average, series)),
		el("td", {}, withUnit(after.average, series)),
		el("td", {}, factor === null ? "" : `× ${showNumber(factor.toPrecision(3))}`),
	);
}

export async function whatChanged() {
	const window = wantedWindow();
	if (window.from === null && window.to === null)
		return status("Drag over the chart first: the window is compared with the rest of the log.");
	$("changes-body").replaceChildren(el("tr", {}, el("td", { colspan: 5 }, "Asking the server …")));
	$("changes-said").textContent =
		`${window.from ? showMoment(msOfIso(window.from)) : "the beginning"} to ` +
		`${window.to ? showMoment(msOfIso(window.to)) : "the end"}, against the rest of the log`;
	$("changes").showModal();
	try {
		const { total, rows } = await ask("changes", { set: 0, ...window, max: 30 });
		$("changes-body").replaceChildren(...rows.map(changeRow));
		$("changes-said").textContent += `: ${plural(total, "counter differs", "counters differ")}`;
	} catch (error) {
		$("changes-said").textContent = error.message;
	}
}

// ---- The search box -----------------------------------------------------------------------------

// A condition is looked for in time; anything else in the names of counters.
async function submit(event) {
	event.preventDefault();
	const text = $("ask").value.trim();
	if (text === "") return endSearch();
	if (!CONDITION.test(text)) return openAdd(text);
	try {
		const total = await search(text);
		const words = `${plural(total, "episode", "episodes")}; they are above the chart.`;
		status(total ? words : "That never held.");
	} catch (error) {
		failed(error);
	}
}

export function startAsk() {
	$("ask-form").addEventListener("submit", submit);
	$("preset").append(...Object.keys(PRESETS).map((name) => el("option", { value: name }, name)));
	$("preset").addEventListener("change", (event) => {
		const name = event.target.value;
		event.target.value = "";
		if (name) preset(name).catch(failed);
	});
}
