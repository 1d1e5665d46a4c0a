// panels.js - which lines share a panel, and the axis of each: pure
// SPDX-License-Identifier: MIT
//
// A panel is for one unit and one subject. Lines whose variation would be invisible next to others
// get their own panel, so a varying line never looks flat.

import { isolated } from "./format.js";
import { grouped, multipleFor, spaced } from "./units.js";

const LEAST_PART = 0.04; // of the axis that the variation of a line takes

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

// A limit that all values are above or below is seen too.
export function containLimits(panel) {
	panel.low = Math.min(panel.low, ...panel.limits);
	panel.high = Math.max(panel.high, ...panel.limits);
}

// All parts of a whole have the same axis.
function fits(panel, { low, high }) {
	const range = rangeOf(Math.min(panel.low, low), Math.max(panel.high, high), panel.quantity);
	const part = (high - low) / (range.high - range.low);
	const least = Math.min(panel.variation, high > low ? high - low : Infinity) / (range.high - range.low);
	return isWhole(range, panel.quantity) || ((part === 0 || part >= LEAST_PART) && least >= LEAST_PART);
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
		machine: series.machine,
		quantity: series.quantity,
		hex: series.hex,
		lines: [],
		low: Infinity,
		high: -Infinity,
		variation: Infinity,
	};
}

// A panel is of one machine.
const keyOf = ({ series }) =>
	`${series.quantity} ${subjectOf(series)}${series.hex ? " hex" : ""} ${series.machine ?? ""}`;

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

// The value of a full-length bar, shared by all values of a unit.
export function fullBar(values, quantity) {
	const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
	return isWhole({ low: 0, high: largest }, quantity) ? 100 : largest || 1;
}

// ---- Axes ---------------------------------------------------------------------------------------

// The algorithm of draw/scale.h, where its rules are; tools/gen-axes computes ranges and ticks for the tests of both.

const SAME = 1e-11;
const LARGEST = 1e300;
const ABOVE_ALL = 100.05;
const VARIES = 0.2;
const FREE = 0.05;
const ALMOST = 1e-9; // of a step
const MOST_DECIMALS = 6;
const LARGEST_PLAIN = 1e15;

const isWhole = ({ low, high }, quantity) => quantity === "percent" && low >= 0 && high < ABOVE_ALL;

// {low, high, magnitude} of an axis for values from low to high.
export function rangeOf(low, high, quantity = "count") {
	low = Math.max(low, -LARGEST);
	high = Math.min(high, LARGEST);
	if (isWhole({ low, high }, quantity)) return { low: 0, high: 100, magnitude: 100 };
	const magnitude = Math.max(Math.abs(low), Math.abs(high));
	if (magnitude < 1 / LARGEST) return { low: 0, high: 1, magnitude: 1 };
	if (!(high - low > magnitude * SAME) || high - low >= magnitude * VARIES)
		[low, high] = [Math.min(low, 0), Math.max(high, 0)];
	const room = (high - low) * FREE;
	return { low: low === 0 ? 0 : low - room, high: high === 0 ? 0 : high + room, magnitude };
}

const decimal = (mantissa, exponent) => (exponent < 0 ? mantissa / 10 ** -exponent : mantissa * 10 ** exponent);

// %g of C: so many digits, with an exponent where there are more places.
function digitsOf(value, digits) {
	const [mantissa, power] = value.toExponential(digits - 1).split("e");
	const short = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
	const n = Number(power);
	return n < -4 || n >= digits ? `${short(mantissa)}e${power}` : short(value.toFixed(digits - 1 - n));
}

// All labels of an axis have the same number of decimals.
function tickText(value, { low, high, step, decimals }) {
	const places = (x) => Math.floor(Math.log10(x) + ALMOST);
	const digits = places(Math.max(Math.abs(low), Math.abs(high))) - places(step) + 1;
	if (Math.abs(value) >= LARGEST_PLAIN || decimals > MOST_DECIMALS) return digitsOf(value, Math.max(4, digits));
	const [whole, rest] = value.toFixed(decimals).split(".");
	return grouped(whole) + (rest ? `.${rest}` : "");
}

// {low, high, ticks: [{value, text}], unit} of a range, in about so many steps; values are in percent, seconds ...
export function axisFor({ low, high, magnitude }, quantity, steps) {
	const { size, name } = multipleFor(quantity, magnitude);
	const axis = { low: low / size, high: high / size };
	const least = ((axis.high - axis.low) / Math.max(1, steps)) * (1 - ALMOST);
	const exponent = Math.floor(Math.log10(least)) - 1;
	const stepAt = (i) => ({ mantissa: [1, 2, 5][i % 3], power: exponent + Math.floor(i / 3) });
	let [i, first, last] = [3, 0, 0];
	while (decimal(stepAt(i).mantissa, stepAt(i).power) < least) i++;
	do {
		const { mantissa, power } = stepAt(i--);
		axis.step = decimal(mantissa, power);
		axis.decimals = Math.max(0, -power);
		first = Math.ceil(axis.low / axis.step - ALMOST);
		last = Math.floor(axis.high / axis.step + ALMOST);
	} while (last <= first);
	const ticks = Array.from({ length: last - first + 1 }, (_, n) => {
		const value = (first + n) * axis.step;
		return { value: value * size, text: tickText(value, axis) };
	});
	return { low, high, ticks, unit: spaced(name).trim() };
}

// "Disk: Avg. Disk sec/Read, Avg. Disk sec/Write".
export function titleOf(panel) {
	const names = [...new Set(panel.lines.map((line) => isolated(line.counter.series.counter ?? "")))];
	const list = names.slice(0, 2).join(", ") + (names.length > 2 ? ` and ${names.length - 2} more` : "");
	return `${panel.subject}: ${list}`;
}
