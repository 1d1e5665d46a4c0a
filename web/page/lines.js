// lines.js - the chart's lines, independent of the surface: the page, a picture, or an SVG
// SPDX-License-Identifier: MIT

import { otherPointsOf, pointsOf, scaleOf, shown, shownWindow } from "./load.js";
import { knownCounters, state } from "./state.js";
import { colorOf, dashOf, inkColor } from "./theme.js";
import { msOfIso } from "./time.js";

const THIN = 1.6;
const THICK = 3.2;
const FAINT = 0.3;
const ALONE = 2; // pixels on either side of a point without neighbours

// Lines in the order of drawing, {counter, times, low, high, mean, factor, shift_ms, color, dash, width, alpha,
// other}; values times the factor are in axis units. Highlighted lines are on top.
export function visibleLines() {
	const lines = knownCounters().filter((one) => !one.hidden).flatMap(linesOf);
	return lines.sort((a, b) => a.width - b.width);
}

function linesOf(counter) {
	const marked = state.highlight && counter.path === state.selected;
	const style = {
		counter,
		factor: state.view === "panels" ? counter.series.factor : scaleOf(counter),
		color: marked ? inkColor() : colorOf(counter.color),
		width: marked ? THICK : THIN,
		alpha: state.highlight && !marked ? FAINT : 1,
	};
	const here = pointsOf(counter);
	const there = otherPointsOf(counter);
	const lines = [];
	if (there)
		lines.push({ ...style, ...there, other: true, shift_ms: shown.other.shift_ms, dash: [2, 4] });
	if (here)
		lines.push({ ...style, ...here, other: false, shift_ms: 0, dash: dashOf(counter.color) });
	return lines;
}

// The other line minus this one at each time of this one; null if either has no value near it.
export function differenceLine(here, there) {
	const reach = Math.max(stepOf(here), stepOf(there));
	const values = here.times.map((ms, i) => {
		const at = nearest(there.times, ms + there.shift_ms);
		const isNear = at >= 0 && Math.abs(there.times[at] - there.shift_ms - ms) <= reach;
		const [a, b] = [here.mean[i], isNear ? there.mean[at] : null];
		return a === null || b === null ? null : b - a;
	});
	return { ...here, low: values, high: values, mean: values, difference: true };
}

// The usual time between two points.
function stepOf({ times }) {
	const steps = times.slice(1).map((ms, i) => ms - times[i]).sort((a, b) => a - b);
	return steps[steps.length >> 1] ?? 0;
}

// The range of the time axis: the window and the compared window.
export function axisWindow() {
	const window = shownWindow();
	const other = shown.other?.data;
	if (!window) return null;
	const end = other?.to ? msOfIso(other.to) - shown.other.shift_ms : window.to;
	const to = Math.max(window.to, end);
	// A moment is in the middle of a second.
	return to > window.from ? { from: window.from, to } : { from: window.from - 500, to: window.from + 500 };
}

export function gapsInMs(marks = shown.marks) {
	return (marks?.gaps ?? []).map((gap) => ({ from: msOfIso(gap.from), to: msOfIso(gap.to) }));
}

// ---- Tracing ------------------------------------------------------------------------------------

// The segments of a line between gaps: lists of point indexes.
function pieces(line, gaps) {
	const list = [];
	let piece = null;
	let before = 0; // the time of the previous point
	let gap = 0;
	line.times.forEach((time_ms, i) => {
		const ms = time_ms - line.shift_ms;
		if (line.high[i] === null) piece = null;
		else {
			if (piece && !line.other) {
				const middle = (before + ms) / 2;
				while (gap < gaps.length && gaps[gap].to < middle) gap++;
				if (gap < gaps.length && gaps[gap].from < middle) piece = null;
			}
			if (!piece) list.push((piece = []));
			piece.push(i);
		}
		before = ms;
	});
	return list;
}

// Draws a line to a path, which has moveTo and lineTo. A single point becomes a short stroke,
// because a dot as wide as the line is hard to see.
export function trace(line, gaps, xOf, yOf, path, values = line.mean) {
	for (const piece of pieces(line, gaps)) {
		const at = (i) => [xOf(line.times[i] - line.shift_ms), yOf(values[i] * line.factor)];
		const [x, y] = at(piece[0]);
		path.moveTo(piece.length === 1 ? x - ALONE : x, y);
		if (piece.length === 1) path.lineTo(x + ALONE, y);
		for (const i of piece.slice(1)) path.lineTo(...at(i));
	}
}

// Draws the band between the smallest and the largest value of each point, so that one sample among
// millions is visible. A single point becomes a bar.
export function traceBand(line, gaps, xOf, yOf, path) {
	for (const piece of pieces(line, gaps)) {
		const wide = piece.length === 1 ? 1 : 0;
		const at = (i, values, shift) => [
			xOf(line.times[i] - line.shift_ms) + shift,
			yOf(values[i] * line.factor),
		];
		path.moveTo(...at(piece[0], line.high, -wide));
		for (const i of wide ? piece : piece.slice(1)) path.lineTo(...at(i, line.high, wide));
		for (const i of piece.toReversed()) path.lineTo(...at(i, line.low, wide));
		path.lineTo(...at(piece[0], line.low, -wide));
		path.lineTo(...at(piece[0], line.high, -wide));
	}
}

// Draws the area between a line and the one that it is compared with, wherever both have a value.
export function traceBetween(line, there, xOf, yOf, path) {
	const { mean } = differenceLine(line, there);
	const high = mean.map((value, i) => (value === null ? null : line.mean[i] + value));
	const shape = { ...line, high, low: line.mean };
	traceBand(shape, [], xOf, yOf, path);
}

// True if a point represents several samples.
export const hasBand = (line) => line.low !== line.high;

// The index of the point nearest to a time; -1 if there is none.
export function nearest(times, ms) {
	let low = 0;
	let high = times.length - 1;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (times[middle] < ms) low = middle;
		else high = middle;
	}
	if (high < 0) return -1;
	return ms - times[low] <= times[high] - ms ? low : high;
}
