// ask.js - queries over whole logs: changes, the busiest instances, presets, and conditions
// SPDX-License-Identifier: MIT

import { openAdd } from "./add.js";
import { ask } from "./api.js";
import { $, el } from "./dom.js";
import { showDrawer } from "./drawer.js";
import { endSearch, search } from "./findings.js";
import { isolated, plural, shortName, withUnit } from "./format.js";
import { status } from "./heading.js";
import { mainSet, wantedWindow } from "./load.js";
import { bestOf, placeOf, readQuestion } from "./question.js";
import { addCounters, state } from "./state.js";
import { isoOfMs, msOfIso, readMoment, showMoment, showRange } from "./time.js";
import { showNumber } from "./units.js";
import { aroundOf } from "./zoom.js";

const TOP = 5;
const FEW = 12; // counters of a preset from one pattern
const MOST_MATCHES = 2000; // of the words of a question
const MOST_FIRST = 8;
const MINUTE_MS = 60000;
const DAY_MS = 1440 * MINUTE_MS;

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

function failed(error) {
	status(error.message, true);
}

// ---- Presets and the busiest --------------------------------------------------------------------

async function preset(name) {
	const lists = await Promise.all(
		PRESETS[name].map((pattern) => ask("select", { set: 0, pattern, limit: FEW })),
	);
	const series = lists.flatMap((one) => one.series).filter((one) => one.displayed);
	if (series.length === 0) return status(`This log has no counters for "${name}".`);
	state.counters = [];
	addCounters(series);
	status(`${name}: ${plural(series.length, "counter", "counters")}.`, false, true);
}

// Adds the busiest instances of a pattern in the window.
export async function addTop(pattern, max = TOP) {
	const { total, rows } = await ask("top", { set: 0, pattern, ...wantedWindow(), max });
	if (total === 0) return status(`No instance of ${pattern} has values in this window.`);
	addCounters(rows.map((row) => row.series));
	status(`The top ${rows.length} of ${total} by total in this window.`, false, true);
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

// In the window, or in another one.
export async function whatChanged(window = wantedWindow()) {
	if (window.from === null && window.to === null)
		return status("Drag over the chart first: the window is compared with the rest of the log.");
	$("changes-body").replaceChildren(el("tr", {}, el("td", { colspan: 5 }, "Waiting for the server …")));
	$("changes-said").textContent =
		`${window.from ? showMoment(msOfIso(window.from)) : "the beginning"} to ` +
		`${window.to ? showMoment(msOfIso(window.to)) : "the end"}, compared with the rest of the log`;
	showDrawer("changes");
	try {
		const { total, rows } = await ask("changes", { set: 0, ...window, max: 30 });
		$("changes-body").replaceChildren(...rows.map(changeRow));
		$("changes-said").textContent += `: ${plural(total, "counter differs", "counters differ")}`;
	} catch (error) {
		$("changes-said").textContent = error.message;
	}
}

// ---- The question box ---------------------------------------------------------------------------

async function askCondition(text) {
	try {
		const total = await search(text);
		const words = `${plural(total, "episode", "episodes")}, shown above the chart.`;
		status(`Understood as ${text}: ${total ? words : "it never held."}`);
	} catch (error) {
		const place = placeOf(text, error.message);
		if (place) status(place.words, true, false, `${text}\n${" ".repeat(place.at)}^`);
		else failed(error);
	}
}

// Words and a limit: of the counters that the words match, the one whose unit suits.
async function askCompare({ words, limit, unit, quantities }) {
	const [{ series }, first] = await Promise.all([
		ask("select", { set: 0, q: words, limit: MOST_MATCHES }),
		ask("first", { set: 0, max: MOST_FIRST }),
	]);
	const pattern = bestOf(series, first.series, quantities);
	const kind = unit ? ` in a unit such as "${unit}"` : "";
	if (pattern) await askCondition(`${pattern} ${limit}`);
	else status(`No counter matches "${words}"${kind}.`, true);
}

// The times of a question: a minute if it names one, the window if none.
function timesOf({ at, until }) {
	if (at === null) return wantedWindow();
	const from = momentIn(at);
	const least = Math.max(MINUTE_MS, 1000 * (mainSet().interval_s ?? 0));
	const to = until === null ? from + least : momentIn(until);
	return from === null || to === null ? null : { from: isoOfMs(from), to: isoOfMs(to) };
}

// A time of day is on the first day of the log that has it.
function momentIn(text) {
	const { first_time } = mainSet();
	const ms = readMoment(text.padStart(5, "0"), msOfIso(first_time));
	return ms === null || ms >= msOfIso(first_time) - MINUTE_MS ? ms : ms + DAY_MS;
}

async function askWho(question) {
	const window = timesOf(question);
	if (window === null) return status(`"${question.at}" is not a time: write 11:35 or 2026-03-09 11:35.`, true);
	const { pattern, counter } = question;
	const { total, rows } = await ask("top", { set: 0, pattern, ...window, max: TOP });
	const when = question.at === null ? "in this window" : showRange(msOfIso(window.from), msOfIso(window.to));
	const understood = `Understood as: processes by ${counter}, ${when}.`;
	if (total === 0) return status(`${understood} None has values then.`, true);
	const who = rows.map(({ series, average }) => `${isolated(series.instance)} ${withUnit(average, series)}`);
	state.counters = [];
	if (question.at !== null) Object.assign(state, aroundOf(msOfIso(window.from), msOfIso(window.to), 1));
	addCounters(rows.map((row) => row.series));
	status(`${understood} ${who.join(", ")}.`, false, true);
}

const ANSWERS = {
	condition: ({ text }) => askCondition(text),
	compare: askCompare,
	who: askWho,
	words: ({ text }) => openAdd(text),
};

function submit(event) {
	event.preventDefault();
	const text = $("ask").value.trim();
	if (text === "") return endSearch();
	const question = readQuestion(text);
	Promise.resolve(ANSWERS[question.kind](question)).catch(failed);
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
