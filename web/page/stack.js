// stack.js - processor time by process as areas on top of each other, so that one sees who it was
// SPDX-License-Identifier: MIT

import { isolated } from "./format.js";
import { hasBand, nearest, trace, traceBand } from "./lines.js";

const LEAST = 2; // lines of a stack
const TEXT = 12;
const CELL = 8; // pixels between the places where a label is tried
const FILL_ALPHA = 0.45;
const BAND_ALPHA = 0.25;

const swing = (line) => {
	const values = line.mean.filter((value) => value !== null);
	return values.reduce((a, b) => Math.max(a, b), 0) - values.reduce((a, b) => Math.min(a, b), Infinity);
};

// The machine whose stack a line belongs to; null: none. Sums of processes, and what is idle, belong to no stack.
function machineOf({ counter: { series } }) {
	const isPart = /^process$/i.test(series.object) && /^% processor time$/i.test(series.counter);
	return isPart && !/^(_total|idle)$/i.test(series.instance ?? "") ? (series.machine ?? "") : null;
}

// The lines of each machine that are stacked: those with points at the same times. Nothing
// is stacked while a second log is compared: its lines would hide the areas.
export function stacksOf(lines) {
	const stacks = [];
	if (lines.some((line) => line.other)) return [];
	for (const line of lines) {
		const machine = machineOf(line);
		if (machine === null) continue;
		const mine = stacks.find((one) => one.machine === machine && one.lines[0].times === line.times);
		if (mine) mine.lines.push(line);
		else stacks.push({ machine, lines: [line] });
	}
	return stacks.filter((one) => one.lines.length >= LEAST);
}

// Adds to each line `stacked`: the same line on top of those below it, in units of the axis, and `base`, where it
// begins. Steady lines go to the bottom. A process takes no room while it does not exist.
export function stack(lines) {
	const order = lines.map((line) => ({ line, size: swing(line) })).sort((a, b) => a.size - b.size);
	let top = lines[0].times.map(() => 0);
	return order.map(({ line }) => {
		const base = top;
		const above = (value, i) => (value === null ? null : base[i] + value * line.factor);
		const on = (values) => values.map(above);
		const mean = on(line.mean);
		const [low, high] = line.high === line.low ? [mean, mean] : [on(line.low), on(line.high)];
		top = mean.map((value, i) => value ?? base[i]);
		return { ...line, stacked: { ...line, base, low, high, mean, factor: 1 } };
	});
}

export function drawStacked(surface, line, gaps, x, y, clip) {
	const { stacked, color, width, dash, alpha } = line;
	const fill = (shape, part) =>
		surface.area((path) => traceBand(shape, gaps, x, y, path), { color, alpha: alpha * part, clip });
	fill({ ...stacked, low: stacked.base, high: stacked.mean }, FILL_ALPHA);
	if (hasBand(stacked)) fill(stacked, BAND_ALPHA);
	surface.curve((path) => trace(stacked, gaps, x, y, path), { color, width, dash, alpha, clip });
}

// Where the area of a line is at each cell of its box: [top, bottom] in pixels, null where it has no value.
function roomsOf({ stacked }, { times, msAt, box, y }) {
	const cells = Math.floor(box.width / CELL);
	return Array.from({ length: cells }, (_, n) => {
		const i = nearest(times, msAt(box.x + n * CELL));
		return i < 0 || stacked.mean[i] === null ? null : [y(stacked.mean[i]), y(stacked.base[i])];
	});
}

// The middle of the widest place for a text of so many cells: {cell, y}; null if it fits nowhere.
function placeFor(rooms, cells) {
	let best = null;
	for (let from = 0; from + cells <= rooms.length; from++) {
		const part = rooms.slice(from, from + cells);
		if (part.includes(null)) continue;
		const top = Math.max(...part.map((room) => room[0]));
		const bottom = Math.min(...part.map((room) => room[1]));
		if (bottom - top < TEXT + 4 || bottom - top <= (best?.room ?? 0)) continue;
		best = { room: bottom - top, cell: from + cells / 2, y: (top + bottom) / 2 };
	}
	return best;
}

// The name of a process on its area, where it has room.
export function labelStacked(surface, line, scale, color) {
	const text = isolated(line.counter.series.instance ?? "");
	const cells = Math.ceil((surface.measure(text, TEXT, true) + 8) / CELL);
	const place = placeFor(roomsOf(line, { ...scale, times: line.times }), cells);
	if (!place) return;
	const x = scale.box.x + place.cell * CELL;
	surface.text(x, place.y + TEXT / 3, text, { size: TEXT, bold: true, align: "center", color });
}
