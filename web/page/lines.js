// lines.js - what the line view draws, without saying on what: the page, a picture, or an SVG
// SPDX-License-Identifier: MIT

import { otherPointsOf, pointsOf, shown, shownWindow } from "./load.js";
import { knownCounters, scaleOf, state } from "./state.js";
import { colorOf, dashOf, inkColor } from "./theme.js";
import { msOfIso } from "./time.js";

const THIN = 1.6;
const THICK = 3.2;
const FAINT = 0.3;
const ALONE = 2; // pixels on either side of a point without neighbours

// Lines in the order of drawing, {counter, times, low, high, factor, shift_ms, color, dash, width,
// alpha, other}. Highlighted lines are on top of all.
export function visibleLines() {
	const lines = [];
	for (const counter of knownCounters().filter((one) => !one.hidden)) {
		lines.push(...linesOf(counter));
	}
	return lines.sort((a, b) => a.width - b.width);
}

function linesOf(counter) {
	const marked = state.highlight && counter.path === state.selected;
	const style = {
		counter,
		factor: scaleOf(counter),
		color: marked ? inkColor() : colorOf(counter.color),
		width: marked ? THICK : THIN,
		alpha: state.highlight && !marked ? FAINT : 1,
	};
	const here = pointsOf(counter);
	const there = otherPointsOf(counter);
	const lines = [];
	if (there)
		lines.push({
			...style,
			...there,
			other: true,
			shift_ms: shown.other.shift_ms,
			dash: [2, 4],
		});
	if (here)
		lines.push({
			...style,
			...here,
			other: false,
			shift_ms: 0,
			dash: dashOf(counter.color),
		});
	return lines;
}

// From when to when the axis goes: the window, and what is compared with it.
export function axisWindow() {
	const window = shownWindow();
	const other = shown.other?.data;
	if (!window) return null;
	const end = other?.to ? msOfIso(other.to) - shown.other.shift_ms : window.to;
	const to = Math.max(window.to, end);
	// A moment is in the middle of a second.
	return to > window.from
		? { from: window.from, to }
		: { from: window.from - 500, to: window.from + 500 };
}

// 0 to 100 as in Performance Monitor, and as much below where a value is negative.
export function axisRange(lines) {
	const below = lines.some((line) => line.low.some((value) => value !== null && value < 0));
	return [below ? -100 : 0, 100];
}

export function gapsInMs(marks = shown.marks) {
	return (marks?.gaps ?? []).map((gap) => ({ from: msOfIso(gap.from), to: msOfIso(gap.to) }));
}

// Draws a line to a path, which has moveTo and lineTo. A point with a low and a high end is drawn
// as a vertical stroke between them, so that one sample among millions is seen. Holes and gaps
// break the line; a point alone becomes a short stroke, as a dot of the width of the line is not
// seen.
export function trace(line, gaps, xOf, yOf, path) {
	let last = null; // {ms, y} of the point before, null after a break
	let gap = 0;
	line.times.forEach((time_ms, i) => {
		if (line.high[i] === null) {
			last = null;
			return;
		}
		const ms = time_ms - line.shift_ms;
		if (last && !line.other) {
			const middle = (last.ms + ms) / 2;
			while (gap < gaps.length && gaps[gap].to < middle) gap++;
			if (gap < gaps.length && gaps[gap].from < middle) last = null;
		}
		last = stroke(line, i, last, { ms, xOf, yOf, path });
	});
}

function stroke(line, i, last, { ms, xOf, yOf, path }) {
	const x = xOf(ms);
	let near = yOf(line.low[i] * line.factor);
	let far = yOf(line.high[i] * line.factor);
	if (last && Math.abs(far - last.y) < Math.abs(near - last.y)) [near, far] = [far, near];
	const alone = !last && (line.high[i + 1] ?? null) === null;
	if (last) path.lineTo(x, near);
	else path.moveTo(alone ? x - ALONE : x, near);
	if (alone) path.lineTo(x + ALONE, near);
	if (far !== near || !last) path.lineTo(x, far);
	return { ms, y: far };
}

// The number of the point nearest to a time; -1 when there is none.
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
