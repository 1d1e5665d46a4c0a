// cursor.js - the values at the cursor of the line view, unscaled and with their units
// SPDX-License-Identifier: MIT

import { $, el, setText } from "./dom.js";
import { shortName, showValue, withUnit } from "./format.js";
import { nearest } from "./lines.js";
import { state } from "./state.js";
import { showMoment } from "./time.js";

const MOST_ROWS = 12;
const AWAY_PX = 14;

function valueText(line, i) {
	const { series } = line.counter;
	const low = line.low[i];
	const high = line.high[i];
	if (high === null) return "no value";
	return low === high
		? withUnit(high, series)
		: `${showValue(low, series)} … ${withUnit(high, series)}`;
}

// The point of a line at a time: {time_ms, text}; null where it has none near by.
function pointAt(line, ms) {
	const i = nearest(line.times, ms + line.shift_ms);
	return i < 0 ? null : { time_ms: line.times[i], text: valueText(line, i) };
}

function row(line, ms) {
	const point = pointAt(line, ms);
	const swatch = el("i", { class: line.other ? "swatch other" : "swatch" });
	swatch.style.setProperty("--color", line.color);
	return el(
		"li",
		{ class: line.counter.path === state.selected ? "selected" : null },
		swatch,
		el("span", {}, shortName(line.counter.series)),
		el("b", {}, point?.text ?? "–"),
	);
}

// The selected counter first, then in the order of the legend, before what it is compared with.
function inOrder(lines) {
	const rank = (line) =>
		line.counter.path === state.selected ? -1 : state.counters.indexOf(line.counter);
	return [...lines].sort((a, b) => rank(a) - rank(b) || a.other - b.other);
}

// Beside the cursor, on the side that has more room.
function place(box, u) {
	const x = u.cursor.left + u.over.offsetLeft;
	const left = x > u.width / 2 ? x - AWAY_PX - box.offsetWidth : x + AWAY_PX;
	box.style.left = `${Math.max(0, Math.min(left, u.width - box.offsetWidth))}px`;
}

// Called by the chart whenever its cursor moved.
export function showCursor(u, lines) {
	const box = $("readout");
	const gone = u.cursor.left < 0 || lines.length === 0;
	box.hidden = gone;
	if (gone) return;
	const ordered = inOrder(lines);
	const at_ms = u.posToVal(u.cursor.left, "x");
	const ms = pointAt(ordered[0], at_ms)?.time_ms - ordered[0].shift_ms || at_ms;
	const more = ordered.length - MOST_ROWS;
	box.replaceChildren(
		el("time", {}, showMoment(ms)),
		el("ul", {}, ...ordered.slice(0, MOST_ROWS).map((line) => row(line, ms))),
		...(more > 0 ? [el("p", {}, `and ${more} more`)] : []),
	);
	place(box, u);
}

// What a screen reader says after keys moved the cursor.
export function sayCursor(line, ms) {
	const point = pointAt(line, ms);
	const name = shortName(line.counter.series);
	setText($("said"), point ? `${showMoment(point.time_ms)}: ${name} ${point.text}` : "");
}
