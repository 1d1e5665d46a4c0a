// heading.js - what is open, which window is shown, and the state of the buttons
// SPDX-License-Identifier: MIT

import { $, setAttribute, setText } from "./dom.js";
import { isolated, plural, showBytes } from "./format.js";
import { mainSet, shown, shownWindow } from "./load.js";
import { state } from "./state.js";
import { showDate, showMoment, showTime } from "./time.js";

const MACHINES_TEXT = 128; // characters

// canUndo: what the text says can be taken back.
export function status(text, isBad = false, canUndo = false) {
	setText($("status"), text);
	$("status").classList.toggle("bad", isBad);
	$("undo").hidden = !canUndo;
}

// Across the page, until it is called with "".
export function banner(text) {
	setText($("banner"), text);
	$("banner").hidden = text === "";
}

function loadingText(set) {
	if (set.state === "loading") {
		const percent = set.fraction === null ? "" : ` ${Math.floor(100 * set.fraction)} %`;
		return `Loading${percent} … `;
	}
	return set.state === "failed" ? `Reading ended early: ${set.error}. ` : "";
}

function clockText(set) {
	const minutes = Math.abs(set.utc_offset_min);
	const two = (n) => String(n).padStart(2, "0");
	const sign = set.utc_offset_min < 0 ? "−" : "+";
	return `times in UTC${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

// Several machines by their number and as many names as there is room for, as in pmon chart.
export function machinesText(set) {
	const names = set.machines;
	if (names.length < 2) return set.machine || names[0] || null;
	let text = `${names.length} machines: ${names[0]}`;
	let n = 1;
	while (n < names.length && text.length + names[n].length + 6 < MACHINES_TEXT)
		text += `, ${names[n++]}`;
	return n < names.length ? `${text} ...` : text;
}

export const damageOf = (set) =>
	set.losses ? `damaged: ${showBytes(set.bytes_lost)} lost in ${plural(set.losses, "place", "places")}` : null;

export function drawHeading() {
	const set = mainSet();
	const facts = [
		machinesText(set),
		set.live ? (set.state === "live" ? "live" : "ended") : set.format,
		set.writer,
		plural(set.counters, "counter", "counters"),
		set.live ? null : plural(set.samples, "sample", "samples"),
		set.interval_s ? `one every ${+set.interval_s.toPrecision(4)} s` : null,
		set.utc_offset_min === null ? null : clockText(set),
		damageOf(set),
	];
	setText($("name"), isolated(set.name));
	setText($("facts"), loadingText(set) + facts.filter((fact) => fact).join(" · "));
	setAttribute($("facts"), "title", set.machines.length > 1 ? set.machines.join(", ") : null);
	document.title = `${set.name} – pmon`;
	$("loading").hidden = set.state !== "loading";
	$("loading").value = set.fraction ?? 0;
	$("live-tools").hidden = !set.live;
}

export function drawWindow() {
	const window = shownWindow();
	if (!window) return;
	const day = showDate(window.from) === showDate(window.to);
	const count = shown.data ? `, ${plural(shown.data.samples, "sample", "samples")}` : "";
	const end = day ? showTime(window.to) : showMoment(window.to);
	setText($("window"), `${showMoment(window.from)} – ${end}${count}`);
}

export function drawTools() {
	const isChart = state.view === "panels" || state.view === "line";
	$("view-line").hidden = !isChart;
	for (const view of ["histogram", "report"]) $(`view-${view}`).hidden = state.view !== view;
	const press = (name, on) =>
		setAttribute(document.querySelector(`[data-command=${name}]`), "aria-pressed", String(on));
	for (const view of ["panels", "line", "histogram", "report"]) press(view, state.view === view);
	press("highlight", state.highlight);
	press("pause", state.paused);
	press("compare", state.compare !== null);
	$("figure-tools").hidden = isChart;
	document.querySelector("[data-command=scale]").hidden = state.view !== "line";
	$("figure").value = state.figure;
	$("span").value = String(state.span_s ?? "");
	$("every").value = String(state.every_ms || "");
}
