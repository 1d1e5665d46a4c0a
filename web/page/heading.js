// heading.js - the open log, the window, and the state of the buttons
// SPDX-License-Identifier: MIT

import { $, setAttribute, setText } from "./dom.js";
import { isolated, plural, showBytes } from "./format.js";
import { mainSet, shown, shownWindow } from "./load.js";
import { state } from "./state.js";
import { msOfIso, showDate, showLength, showMoment, showRange, showTime } from "./time.js";

// What happened, as a toast. canUndo: it can be undone; code: a question and where it fails, in a fixed width.
export function status(text, isBad = false, canUndo = false, code = "") {
	const toast = $("status").parentElement;
	setText($("status"), text);
	$("status").classList.toggle("bad", isBad);
	setText($("status-code"), code);
	$("status-code").hidden = code === "";
	$("undo").hidden = !canUndo;
	$("status-close").hidden = text === "";
	toast.classList.remove("brief");
	void toast.offsetWidth; // so that the animation begins again
	toast.classList.toggle("brief", !isBad && !canUndo);
}

// A banner across the page; "" removes it.
export function banner(text) {
	setText($("banner"), text);
	$("banner").hidden = text === "";
}

// How much of a log is read: " 40 %", or "".
export const percentOf = ({ fraction }) => (fraction === null ? "" : ` ${Math.floor(100 * fraction)} %`);

function loadingText(set) {
	if (set.state === "loading") return `Loading${percentOf(set)} … `;
	return set.state === "failed" ? `Reading ended early: ${set.error}. ` : "";
}

// "UTC", "UTC−08:00"; "" if the log does not say.
export function zoneText({ utc_offset_min }) {
	if (utc_offset_min === null) return "";
	const minutes = Math.abs(utc_offset_min);
	const two = (n) => String(n).padStart(2, "0");
	const sign = utc_offset_min < 0 ? "−" : "+";
	return minutes === 0 ? "UTC" : `UTC${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export const damageOf = (set) =>
	set.losses ? `damaged: ${showBytes(set.bytes_lost)} lost in ${plural(set.losses, "place", "places")}` : null;

// The machine, or how many; without a name, the file.
export function subjectOf(set) {
	if (set.machines.length > 1) return `${set.machines.length} machines`;
	return set.machine || set.machines[0] || set.name;
}

// When, and how long.
function timesOf(set) {
	if (set.first_time === null) return [plural(set.samples, "sample", "samples")];
	const [from, to] = [msOfIso(set.first_time), msOfIso(set.last_time)];
	if (set.live) return [`${set.state === "live" ? "live" : "ended"}, since ${showMoment(from)}`];
	return [`${showRange(from, to)} ${zoneText(set)}`.trim(), showLength((to - from) / 1000)];
}

// The rest, for a tooltip.
function detailsOf(set) {
	return [
		set.name,
		[set.format, set.writer].filter((text) => text).join(", "),
		plural(set.samples, "sample", "samples"),
		set.interval_s ? `One every ${+set.interval_s.toPrecision(4)} s` : "",
		zoneText(set) && `Times are ${zoneText(set)}`,
		set.machines.length > 1 ? set.machines.join(", ") : "",
	];
}

export function drawHeading() {
	const set = mainSet();
	const facts = [...timesOf(set), plural(set.counters, "counter", "counters"), damageOf(set)];
	setText($("name"), isolated(subjectOf(set)));
	setText($("facts"), loadingText(set) + facts.filter((fact) => fact).join(" · "));
	const details = detailsOf(set).filter((text) => text).join("\n");
	for (const name of ["name", "facts"]) setAttribute($(name), "title", details);
	document.title = `${set.name} – pmon`;
	$("loading").hidden = set.state !== "loading";
	$("loading").value = set.fraction ?? 0;
	document.body.classList.toggle("live", set.live);
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
