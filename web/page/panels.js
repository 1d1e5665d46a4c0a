// panels.js - which lines share a panel, and the axis of each: pure
// SPDX-License-Identifier: MIT
//
// A panel is for one unit and one subject. Lines whose variation would be lost beside others get a panel of their
// own, so a line that varies is never flat.

import { isolated } from "./format.js";
import { grouped, multipleFor, spaced } from "./units.js";

const LEAST_PART = 0.04; // of the axis that the variation of a line takes
const FROM_ZERO = 0.2; // an axis begins at 0 where the values vary by this part of the largest

const SUBJECTS = [
	[/processor|cpu/i, "Processor"],
	[/disk/i, "Disk"],
	[/memory|paging file|cache/i, "Memory"],
	[/network|tcp|udp|^ip/i, "Network"],
	[/^process|^thread|^job object/i, "Processes"],
];

export function subjectOf({ object }) {
	const known = SUBJECTS.find(([pattern]) => pattern.test(object ?? ""));
	return known ? known[1] : isolated(object ?? "");
}

// {low, high} of what a line shows, in its unit; null if it shows nothing.
export function extent(line) {
	let low = Infinity;
	let high = -Infinity;
	for (let i = 0; i < line.high.length; i++) {
		if (line.high[i] === null) continue;
		low = Math.min(low, line.low[i] * line.factor);
		high = Math.max(high, line.high[i] * line.factor);
	}
	return high < low ? null : { low, high };
}

// The range of an axis for values from low to high.
export function rangeOf(low, high, quantity = "count") {
	if (low === high) {
		if (low === 0) return [0, 1];
		return low > 0 ? [0, low * 1.25] : [low * 1.25, 0];
	}
	const varies = (high - low) / Math.max(Math.abs(low), Math.abs(high));
	if (varies >= FROM_ZERO && low > 0) low = 0;
	if (varies >= FROM_ZERO && high < 0) high = 0;
	if (quantity === "percent" && low === 0 && high > 50 && high <= 100) high = 100;
	return [low, high];
}

function fits(panel, { low, high }) {
	const bottom = Math.min(panel.low, low);
	const top = Math.max(panel.high, high);
	const [from, to] = rangeOf(bottom, top, panel.quantity);
	const part = (high - low) / (to - from);
	const least = Math.min(panel.variation, high > low ? high - low : Infinity);
	return (part === 0 || part >= LEAST_PART) && least / (to - from) >= LEAST_PART;
}

function join(panel, line, { low, high }) {
	panel.lines.push(line);
	panel.low = Math.min(panel.low, low);
	panel.high = Math.max(panel.high, high);
	if (high > low) panel.variation = Math.min(panel.variation, high - low);
}

function newPanel(key, line) {
	const { series } = line.counter;
	return {
		key,
		subject: subjectOf(series),
		quantity: series.quantity,
		hex: series.hex,
		lines: [],
		low: Infinity,
		high: -Infinity,
		variation: Infinity,
	};
}

const keyOf = ({ series }) => `${series.quantity} ${subjectOf(series)}${series.hex ? " hex" : ""}`;

// The panels of some lines, in the order in which the counters were added. A line without values is in the first
// of its unit and subject.
export function divide(lines) {
	const panels = [];
	const sized = lines.map((line, i) => ({ line, i, size: extent(line) }));
	const largest = ({ size }) => (size ? Math.max(Math.abs(size.low), Math.abs(size.high)) : -1);
	for (const { line, i, size } of [...sized].sort((a, b) => largest(b) - largest(a))) {
		const key = keyOf(line.counter);
		const mine = panels.filter((panel) => panel.key === key);
		let panel = size ? mine.find((one) => fits(one, size)) : mine[0];
		if (!panel) {
			panel = newPanel(key, line);
			panels.push(panel);
		}
		panel.first = Math.min(panel.first ?? i, i);
		if (size) join(panel, line, size);
		else panel.lines.push(line);
	}
	const order = (a, b) => a.width - b.width || lines.indexOf(a) - lines.indexOf(b);
	for (const panel of panels) panel.lines.sort(order);
	return panels.sort((a, b) => a.first - b.first);
}

// ---- Axes ---------------------------------------------------------------------------------------

export function niceStep(least) {
	const power = 10 ** Math.floor(Math.log10(least));
	const times = [1, 2, 5, 10].find((n) => n * power >= least * (1 - 1e-9));
	return times * power;
}

// {low, high, ticks: [{value, text}], unit} for about so many steps; values are in percent, seconds ...
export function axisFor(low, high, quantity, steps) {
	const multiple = multipleFor(quantity, Math.max(Math.abs(low), Math.abs(high)));
	const step = niceStep((high - low) / multiple.size / Math.max(1, steps));
	const first = Math.floor(low / multiple.size / step + 1e-9);
	const last = Math.ceil(high / multiple.size / step - 1e-9);
	const decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
	const ticks = [];
	// Beside an offset of 2^52 steps, doubles have no room for ticks between the ends.
	if (!(Math.max(Math.abs(first), Math.abs(last)) < 2 ** 52)) {
		const text = (value) => (value / multiple.size).toExponential(3);
		const ends = [low, high].map((value) => ({ value, text: text(value) }));
		return { low, high, ticks: ends, unit: spaced(multiple.name).trim() };
	}
	for (let n = first; n <= last; n++) {
		const [whole, rest] = (n * step).toFixed(decimals).split(".");
		const text = Math.abs(n * step) < 1e15 ? grouped(whole) + (rest ? `.${rest}` : "") : String(n * step);
		ticks.push({ value: n * step * multiple.size, text });
	}
	return {
		low: first * step * multiple.size,
		high: last * step * multiple.size,
		ticks,
		unit: spaced(multiple.name).trim(),
	};
}

// "Disk: Avg. Disk sec/Read, Avg. Disk sec/Write".
export function titleOf(panel) {
	const names = [...new Set(panel.lines.map((line) => isolated(line.counter.series.counter ?? "")))];
	const list = names.slice(0, 2).join(", ") + (names.length > 2 ? ` and ${names.length - 2} more` : "");
	return `${panel.subject}: ${list}`;
}
