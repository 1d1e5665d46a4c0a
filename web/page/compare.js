// compare.js - comparison with a second log or another time of this one: the dialog and the table
// SPDX-License-Identifier: MIT

import { $, el, rebuild, setText } from "./dom.js";
import { closeCompared, compareWith } from "./drop.js";
import { elided, shortName, showBytes, signed, withUnit } from "./format.js";
import { damageOf } from "./heading.js";
import { barOf, mainSet, otherBarOf, shiftTicks, shown, shownWindow } from "./load.js";
import { FIGURES, figureButton, figureOf } from "./numbers.js";
import { showNumber } from "./units.js";
import { change, knownCounters, state } from "./state.js";
import {
	isoOfMs,
	msOfIso,
	readMoment,
	showDate,
	showExactMoment,
	showMoment,
	showTime,
	ticksOfIso,
} from "./time.js";

const DAY_TICKS = 864000000000n;
const COMPARED = FIGURES.filter(([figure]) => figure !== "last");

// ---- What to compare with -----------------------------------------------------------------------

// Whole days between two logs, so that equal times of day coincide.
function dayShift() {
	const shift = Number(
		ticksOfIso(shown.sets[1].first_time) - ticksOfIso(mainSet().first_time),
	);
	return BigInt(Math.round(shift / Number(DAY_TICKS))) * DAY_TICKS;
}

function shiftTo(ms) {
	return ticksOfIso(isoOfMs(ms)) - ticksOfIso(isoOfMs(shownWindow().from));
}

// Overlays the time from there on the window.
export function compareFrom(ms) {
	change({ compare: { set: 0, shift: String(shiftTo(ms)) } });
}

// The dialog's choices as {set, shift}; null if the field is not a valid time.
function meaning(choice) {
	const window = shownWindow();
	switch (choice) {
		case "other-start":
			return { set: 1, shift: "start" };
		case "other-day":
			return { set: 1, shift: String(dayShift()) };
		case "before":
			return {
				set: 0,
				shift: String(shiftTo(window.from - (window.to - window.from))),
			};
		case "day":
			return { set: 0, shift: String(-DAY_TICKS) };
		default: {
			const ms = readMoment($("compare-from").value, window.from);
			return ms === null ? null : { set: 0, shift: String(shiftTo(ms)) };
		}
	}
}

function accept(event) {
	event.preventDefault();
	const choice = new FormData($("compare-form")).get("with");
	const compare = meaning(choice);
	setText(
		$("compare-error"),
		compare ? "" : "Invalid time: write 17:30:15 or 2016-11-26 17:30:15.",
	);
	if (!compare) return;
	change({ compare });
	$("compare").close();
}

export function openCompare() {
	const window = shownWindow();
	if (!window) return;
	const second = shown.sets[1];
	const ready = second?.first_time;
	for (const choice of ["other-start", "other-day"]) $(`compare-${choice}`).disabled = !ready;
	setText(
		$("compare-second"),
		ready ? second.name : "a second log",
	);
	setText($("compare-second-day"), ready ? second.name : "a second log");
	$(ready ? "compare-other-start" : "compare-before").checked = true;
	$("compare-from").value = showExactMoment(window.from);
	setText($("compare-error"), "");
	$("compare-stop").hidden = state.compare === null;
	$("compare-close").hidden = !second;
	setText($("compare-close"), `Close ${elided(second?.name ?? "", 40)}`);
	$("compare-open").hidden = $("compare-most").hidden = shown.takes_bytes === null;
	setText($("compare-most"), `or drop it on the page (at most ${showBytes(shown.takes_bytes ?? 0)})`);
	if (!$("compare").open) $("compare").showModal();
}

function fail(text) {
	openCompare();
	setText($("compare-error"), text);
}

function onDrop(event) {
	event.preventDefault();
	const file = event.dataTransfer?.files[0];
	if (file && mainSet()) compareWith(file, fail);
}

function onFile({ target }) {
	if (target.files[0]) compareWith(target.files[0], fail);
	target.value = ""; // so that the same file can be chosen again
}

export function startCompare() {
	document.addEventListener("dragover", (event) => event.preventDefault());
	document.addEventListener("drop", onDrop);
	$("compare-file").addEventListener("change", onFile);
	$("compare-open").addEventListener("click", () => $("compare-file").click());
	$("compare-close").addEventListener("click", () => {
		closeCompared();
		$("compare").close();
	});
	$("compare-form").addEventListener("submit", accept);
	$("compare-stop").addEventListener("click", () => {
		change({ compare: null });
		$("compare").close();
	});
	$("compare-end").addEventListener("click", () => change({ compare: null }));
	$("compare-from").addEventListener("focus", () => {
		$("compare-at").checked = true;
	});
}

// ---- The table ----------------------------------------------------------------------------------

function percent(exact, there) {
	if (there === 0) return "";
	const share = Number(((100 * exact) / Math.abs(there)).toPrecision(3));
	return ` (${signed(share, showNumber(share))} %)`;
}

function difference(here, there, series) {
	if (typeof here !== "number" || typeof there !== "number")
		return { text: "–", exact: "no value on one side" };
	const exact = here - there; // this less what it is compared with
	const text = signed(exact, withUnit(exact, series)) + percent(exact, there);
	return { text, exact: String(exact) };
}

function cells(counter, figure) {
	const here = barOf(counter);
	const there = otherBarOf(counter);
	const [before, after] = [here, there].map((bar) => figureOf(counter, bar, figure));
	const delta = difference(before, after, counter.series);
	const key = `${figure} ${counter.path}`;
	return [
		el("td", {}, figureButton(`here ${key}`, counter, here, figure)),
		el("td", {}, figureButton(`there ${key}`, counter, there, figure, true)),
		el("td", { class: "delta", title: delta.exact, "data-value": delta.exact }, delta.text),
	];
}

function row(counter) {
	const missing = shown.other?.ids.get(counter.series.id) === null;
	return el(
		"tr",
		{},
		el(
			"th",
			{ scope: "row", title: counter.path },
			shortName(counter.series),
			...(missing ? [el("small", {}, " not in the other log")] : []),
		),
		...COMPARED.flatMap(([figure]) => cells(counter, figure)),
	);
}

// How much a counter differs, as a part of the larger average; -1 without both.
function changeOf(counter) {
	const [here, there] = [barOf(counter), otherBarOf(counter)].map((bar) => figureOf(counter, bar, "average"));
	if (typeof here !== "number" || typeof there !== "number") return -1;
	const larger = Math.max(Math.abs(here), Math.abs(there));
	return larger === 0 ? 0 : Math.abs(here - there) / larger;
}

// The counter that differs most comes first.
function rankedCounters() {
	const ranked = knownCounters().map((counter) => [changeOf(counter), counter]);
	return ranked.sort(([a], [b]) => b - a).map(([, counter]) => counter);
}

// Describes what is overlaid on what.
export function compareCaption() {
	const set = shown.sets[state.compare.set];
	const data = shown.other?.data;
	if (!set) return "The second log is not open: drop it on the page, or start pmon view with --compare.";
	if (!data?.from) return `${set.name} has no samples at that time.`;
	const [from, to] = [msOfIso(data.from), msOfIso(data.to)];
	const end = showDate(from) === showDate(to) ? showTime(to) : showMoment(to);
	const failure = set.error && `reading ended early: ${set.error}`;
	const facts = [`${showMoment(from)} to ${end}`, failure, damageOf(set)];
	return `Dotted: ${set.name}, ${facts.filter((fact) => fact).join(" · ")}`;
}

export function drawCompare() {
	const on = state.compare !== null;
	$("comparison").hidden = !on;
	if (!on) return;
	setText(
		$("comparison-caption"),
		shiftTicks() === null && shown.sets[state.compare.set]
			? "Waiting for the second log …"
			: compareCaption(),
	);
	rebuild($("comparison-rows"), rankedCounters().map(row));
}
