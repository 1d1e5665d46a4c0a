// cursor.js - the values of each panel's lines: at the crosshair, else the last and the largest of the window
// SPDX-License-Identifier: MIT

import { $, el, rebuild, setText } from "./dom.js";
import { elided, isolated, plural, shortName, showInstance, signed, withUnit } from "./format.js";
import { otherProcesses } from "./incidents.js";
import { nearest } from "./lines.js";
import { barOf, otherBarOf, shown } from "./load.js";
import { drawSample, sample } from "./spark.js";
import { state } from "./state.js";
import { inkColor, quietColor } from "./theme.js";
import { showMoment } from "./time.js";
import { usualRange } from "./usual.js";

const ROW = 16; // pixels
const IN_ROW = 4; // values
const FEW = 2; // lines of a panel that have room for what is usual
const TEXT = 12;
const NAME = 60; // pixels of a name that are worth more than the maximum

// ---- What is shown ------------------------------------------------------------------------------

function valueText(line, i) {
	const { series } = line.counter;
	if (line.high[i] === null) return "no value";
	if (line.low[i] === line.high[i]) return withUnit(line.high[i], series);
	return `${withUnit(line.low[i], series)} … ${withUnit(line.high[i], series)}`;
}

// The point of a line at a time: {time_ms, text, on_axis, value}; null if it has none.
function pointAt(line, ms) {
	const i = nearest(line.times, ms + line.shift_ms);
	if (i < 0) return null;
	const value = line.high[i];
	return {
		time_ms: line.times[i] - line.shift_ms,
		text: valueText(line, i),
		on_axis: value === null ? -Infinity : value * line.factor,
		value: line.mean[i],
	};
}

// How many letters the counters of a panel have in common, in whole words: its title has them.
function commonStart({ lines }) {
	const [first, ...others] = lines.map((line) => line.counter.series.counter);
	let n = first.length;
	for (const other of others) while (!other.startsWith(first.slice(0, n))) n--;
	return first.lastIndexOf(" ", n - 1) + 1;
}

// What distinguishes a line from the others of its panel.
function nameIn(panel, { counter: { series }, other }) {
	const isOne = panel.lines.every((line) => line.counter.series.counter === series.counter);
	const parent = series.parent === null ? "" : `${isolated(series.parent)}/`;
	const whole = shortName(series).slice(isOne ? 0 : commonStart(panel));
	const name = isOne && series.instance !== null ? parent + showInstance(series) : whole;
	return other ? `${name}, other` : name;
}

// "+8 %": a line less the one that it is compared with.
function differenceAt(panel, line, point, ms) {
	const there = !line.other && panel.lines.find((one) => one.other && one.counter === line.counter);
	const other = there ? pointAt(there, ms) : null;
	if (typeof other?.value !== "number" || typeof point.value !== "number") return "";
	const difference = point.value - other.value;
	return signed(difference, withUnit(difference, line.counter.series));
}

function atCursor(panel, line, ms) {
	const point = pointAt(line, ms);
	if (!point) return { text: "–", more: "", size: -Infinity };
	return { text: point.text, more: differenceAt(panel, line, point, ms), size: point.on_axis };
}

function ofWindow(line) {
	const { counter } = line;
	const bar = line.other ? otherBarOf(counter) : barOf(counter);
	if (typeof bar?.maximum !== "number") return { text: "–", more: "", size: -Infinity };
	const [text, most] = [bar.last, bar.maximum].map((value) => withUnit(value, counter.series));
	return { text, more: `max ${most}`, size: bar.maximum * line.factor };
}

function usualText({ counter: { series } }) {
	const range = usualRange(series);
	return range && `usually ${range}`;
}

// "28 others 17 %", on the average of the incident.
function othersText({ counter: { series } }) {
	const others = otherProcesses();
	if (!others?.count) return "";
	return `${plural(others.count, "other", "others")} ${withUnit(others.average, series)}`;
}

// The values of a panel, the largest first: {line, text, more}. ms: the crosshair, or null.
function valuesOf(panel, ms) {
	const numbers = (line) => (ms === null ? ofWindow(line) : atCursor(panel, line, ms));
	return panel.lines
		.map((line) => ({ line, ...numbers(line) }))
		.sort((a, b) => b.size - a.size);
}

// Those that fit, with their names, and what stands below the last: [values, text].
function fitting(panel, ms) {
	const [values, rest] = firstOf(panel, ms);
	return [values.map((one) => ({ ...one, name: nameIn(panel, one.line) })), rest];
}

function firstOf(panel, ms) {
	const all = valuesOf(panel, ms);
	const room = panel.keys.y < panel.box.y ? IN_ROW : Math.max(1, Math.floor(panel.keys.height / ROW));
	const others = panel.isStack && ms === null ? othersText(all[0].line) : "";
	const isUsual = all.length <= FEW && room > all.length && !panel.isStack;
	if (all.length <= room) return [all, others || (isUsual && usualText(all[0].line)) || ""];
	return [all.slice(0, room - 1), room > 1 ? `and ${all.length - room + 1} more` : ""];
}

// ---- On the page --------------------------------------------------------------------------------

function item({ line, name, text, more }) {
	const { path } = line.counter;
	return el(
		"li",
		{ class: path === state.selected ? "selected" : null, title: path },
		drawSample(sample(), line.color, line.dash ?? []),
		el("span", {}, name),
		el("b", {}, text),
		more ? el("small", {}, more) : null,
	);
}

function listOf(panel, ms) {
	const [values, rest] = fitting(panel, ms);
	const { x, y, width, height } = panel.keys;
	const isRow = y < panel.box.y;
	const list = el("ul", { class: isRow ? "values row" : "values" }, ...values.map(item));
	if (rest && !isRow) list.append(el("li", { class: "rest" }, rest));
	Object.assign(list.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
	return list;
}

// The chart calls this when it is drawn, and when its crosshair moves; cursor is null without one.
export function showCursor(plot, cursor) {
	const lines = plot.panels.flatMap((panel) => panel.lines).filter((line) => !line.other);
	const first = lines.find((line) => line.counter.path === state.selected) ?? lines[0];
	const ms = cursor && first ? (pointAt(first, cursor.ms)?.time_ms ?? cursor.ms) : (cursor?.ms ?? null);
	const panels = plot.panels.filter(({ lines }) => lines.length > 0);
	rebuild($("values"), shown.data || shown.other?.data ? panels.map((panel) => listOf(panel, ms)) : []);
	setText($("cursor-time"), ms === null ? "" : showMoment(ms));
}

// The screen reader's text after keys moved the crosshair.
export function sayCursor(line, ms) {
	const point = pointAt(line, ms);
	const name = shortName(line.counter.series);
	setText($("said"), point ? `${showMoment(point.time_ms)}: ${name} ${point.text}` : "");
}

// ---- In a picture -------------------------------------------------------------------------------

// A name, shortened in the middle where it has no room.
function fitted(surface, name, room) {
	let letters = [...name].length;
	while (letters > 2 && surface.measure(elided(name, letters), TEXT) > room) letters--;
	return elided(name, letters);
}

// The same values, drawn.
export function drawValues(surface, plot) {
	for (const panel of plot.panels) {
		const [values, rest] = fitting(panel, null);
		const { x, y, width } = panel.keys;
		values.forEach(({ line, name, text, more }, i) => {
			const at = y + 11 + ROW * i;
			const free = (right) => width - 26 - surface.measure(right, TEXT);
			const whole = `${text}  ${more}`;
			const right = free(whole) >= Math.min(NAME, surface.measure(name, TEXT)) ? whole : text;
			const { color, dash } = line;
			const stroke = (path) => (path.moveTo(x, at - 4), path.lineTo(x + 14, at - 4));
			surface.curve(stroke, { color, width: 2.4, dash });
			surface.text(x + 20, at, fitted(surface, name, free(right)), { color: inkColor(), size: TEXT });
			surface.text(x + width, at, right, { color: inkColor(), size: TEXT, align: "right" });
		});
		if (rest) surface.text(x + 20, y + 11 + ROW * values.length, rest, { color: quietColor(), size: TEXT });
	}
}
