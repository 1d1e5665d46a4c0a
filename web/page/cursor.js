// cursor.js - the values at the crosshair, unscaled and with their units, the largest first
// SPDX-License-Identifier: MIT

import { $, el, setText } from "./dom.js";
import { shortName, signed, withUnit } from "./format.js";
import { nearest } from "./lines.js";
import { drawSample, sample } from "./spark.js";
import { state } from "./state.js";
import { showMoment } from "./time.js";

const MOST_ROWS = 14;
const AWAY_PX = 16;

function valueText(line, i) {
	const { series } = line.counter;
	if (line.high[i] === null) return "no value";
	if (line.difference) return signed(line.high[i], withUnit(line.high[i], series));
	if (line.low[i] === line.high[i]) return withUnit(line.high[i], series);
	return `${withUnit(line.low[i], series)} … ${withUnit(line.high[i], series)}`;
}

// The point of a line at a time: {time_ms, text, on_axis}; null where it has none.
function pointAt(line, ms) {
	const i = nearest(line.times, ms + line.shift_ms);
	if (i < 0) return null;
	const value = line.high[i];
	return {
		time_ms: line.times[i] - line.shift_ms,
		text: valueText(line, i),
		on_axis: value === null ? -Infinity : value * line.factor,
	};
}

function row({ line, point }) {
	const swatch = drawSample(sample(), line.color, line.dash);
	return el(
		"li",
		{ class: line.counter.path === state.selected ? "selected" : null },
		swatch,
		el("span", {}, (line.difference ? "difference of " : "") + shortName(line.counter.series)),
		el("b", {}, point?.text ?? "–"),
	);
}

// Panel by panel, in each the largest value first. What is left out is said.
function rows(plot, ms, most) {
	const groups = plot.panels.map((panel) =>
		panel.lines
			.map((line) => ({ line, point: pointAt(line, ms) }))
			.sort((a, b) => (b.point?.on_axis ?? -Infinity) - (a.point?.on_axis ?? -Infinity)),
	);
	const all = groups.flat();
	if (all.length <= most) return [all, 0];
	const each = Math.max(1, Math.floor(most / groups.length));
	const kept = groups.flatMap((group) => group.slice(0, each)).slice(0, most);
	return [kept, all.length - kept.length];
}

// Beside the crosshair, on the side that has more room; where neither side has enough, above or below the pointer.
function place(box, { x, y }) {
	const { clientWidth: width } = $("plot");
	const top = Math.max(0, $("stage").getBoundingClientRect().top * -1) + 10;
	const isLeft = x > width / 2;
	const room = (isLeft ? x : width - x) - AWAY_PX;
	const fits = box.offsetWidth <= room;
	const left = isLeft ? x - AWAY_PX - box.offsetWidth : x + AWAY_PX;
	box.style.left = `${fits ? left : Math.max(0, Math.min(left, width - box.offsetWidth))}px`;
	const above = y - AWAY_PX - box.offsetHeight;
	box.style.top = `${fits ? top : above >= 0 ? above : y + AWAY_PX}px`;
}

// Called by the chart when its crosshair moved; plot is null when it is gone.
export function showCursor(plot, cursor) {
	const box = $("readout");
	const lines = plot?.panels.flatMap((panel) => panel.lines) ?? [];
	box.hidden = lines.length === 0;
	if (box.hidden) return;
	const own = lines.filter((line) => !line.other && !line.difference);
	const first = own.find((line) => line.counter.path === state.selected) ?? lines[0];
	const ms = pointAt(first, cursor.ms)?.time_ms ?? cursor.ms;
	const [list, more] = rows(plot, ms, own.length < lines.length ? 2 * MOST_ROWS : MOST_ROWS);
	box.replaceChildren(
		el("time", {}, showMoment(ms)),
		el("ul", {}, ...list.map(row)),
		...(more > 0 ? [el("p", {}, `and ${more} more`)] : []),
	);
	place(box, cursor);
}

// What a screen reader says after keys moved the crosshair.
export function sayCursor(line, ms) {
	const point = pointAt(line, ms);
	const name = shortName(line.counter.series);
	setText($("said"), point ? `${showMoment(point.time_ms)}: ${name} ${point.text}` : "");
}
