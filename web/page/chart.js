// chart.js - the line view: uPlot has the axes, the cursor and the dragging; the lines are our own
// SPDX-License-Identifier: MIT

import uPlot from "./uPlot.js";
import { $ } from "./dom.js";
import { showCursor } from "./cursor.js";
import { axisRange, axisWindow, gapsInMs, trace, visibleLines } from "./lines.js";
import { refresh, shown } from "./load.js";
import { state } from "./state.js";
import { colorOf, damageColor, gapColor, gridColor, quietColor } from "./theme.js";
import { msOfIso, tickLabels, timeTicks } from "./time.js";
import { pan, showWindow, zoom, zoomOut } from "./zoom.js";

const WHEEL_FACTOR = 1.25;
const MIN_DRAG_PX = 5;
const FONT = "12px system-ui, sans-serif";

let plot = null;
let shape = ""; // what the plot was built for: it is built anew when this changes
let lines = [];

// ---- uPlot --------------------------------------------------------------------------------------

function timeAxis() {
	let step = 0;
	return {
		stroke: quietColor,
		font: FONT,
		size: 44,
		gap: 6,
		grid: { stroke: gridColor, width: 1 },
		ticks: { stroke: gridColor, width: 1, size: 5 },
		splits: (u, axis, min, max) => {
			const found = timeTicks(min, max, u.width / 95);
			step = found.step;
			return found.ticks;
		},
		// A log without samples has no time.
		values: (u, ticks) =>
			axisWindow()
				? tickLabels(ticks, step).map((label) => label.join("\n"))
				: [],
	};
}

function valueAxis() {
	return {
		stroke: quietColor,
		font: FONT,
		size: 40,
		gap: 4,
		grid: { stroke: gridColor, width: 1 },
		ticks: { show: false },
		incrs: [10, 20, 25, 50, 100],
		space: 28,
		values: (u, ticks) => ticks.map(String),
	};
}

function seriesOf(line, i) {
	return {
		show: true,
		scale: "y",
		auto: false,
		stroke: line.color,
		width: line.width,
		dash: line.dash,
		cap: "round",
		alpha: line.alpha,
		points: { show: false },
		paths: (u) => {
			const path = new Path2D();
			const xOf = (ms) => u.valToPos(ms, "x", true);
			const far = 20 * u.bbox.height; // canvases lose their way with larger numbers
			const yOf = (value) =>
				Math.min(far, Math.max(-far, u.valToPos(value, "y", true)));
			trace(lines[i], gapsInMs(), xOf, yOf, path);
			return { stroke: path, fill: null, clip: null, flags: 0 };
		},
	};
}

function options(box) {
	return {
		width: box.clientWidth,
		height: box.clientHeight,
		ms: 1,
		padding: [10, 14, 0, 0],
		legend: { show: false },
		cursor: {
			y: false,
			drag: { x: true, y: false, setScale: false, dist: MIN_DRAG_PX },
			points: { size: 7, width: 1.5 },
			hover: { skip: [undefined, null] },
			bind: {
				dblclick: () => () => {
					zoomOut();
					return null;
				},
			},
		},
		scales: {
			x: { time: false, range: () => range() },
			y: { range: () => axisRange(lines) },
		},
		axes: [timeAxis(), valueAxis()],
		series: [{}, ...lines.map(seriesOf)],
		hooks: {
			setSelect: [takeSelection],
			setCursor: [(u) => showCursor(u, lines)],
			drawClear: [drawGaps],
			draw: [drawMarks],
		},
	};
}

function range() {
	const window = axisWindow();
	return window ? [window.from, window.to] : [0, 1000];
}

function takeSelection(u) {
	const { left, width } = u.select;
	if (width >= MIN_DRAG_PX) showWindow(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
	u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function drawGaps(u) {
	const { left, top, width, height } = u.bbox;
	u.ctx.save();
	u.ctx.beginPath();
	u.ctx.rect(left, top, width, height);
	u.ctx.clip();
	u.ctx.fillStyle = gapColor();
	for (const gap of gapsInMs()) {
		const from = u.valToPos(gap.from, "x", true);
		u.ctx.fillRect(
			from,
			top,
			Math.max(1, u.valToPos(gap.to, "x", true) - from),
			height,
		);
	}
	u.ctx.restore();
}

function drawMark(u, ms, color, glyph) {
	const { left, top, width, height } = u.bbox;
	const x = Math.round(u.valToPos(ms, "x", true)) + 0.5;
	if (x < left || x > left + width) return;
	const { ctx } = u;
	ctx.strokeStyle = ctx.fillStyle = color;
	ctx.lineWidth = devicePixelRatio;
	ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
	ctx.beginPath();
	ctx.moveTo(x, top);
	ctx.lineTo(x, top + height);
	ctx.stroke();
	ctx.fillText(glyph, x, top);
}

function drawMarks(u) {
	const { ctx } = u;
	ctx.save();
	ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
	ctx.textAlign = "center";
	ctx.textBaseline = "top";
	for (const reset of shown.marks?.resets ?? []) {
		const counter = state.counters.find((one) => one.series?.id === reset.id);
		if (counter && !counter.hidden)
			drawMark(u, msOfIso(reset.time), colorOf(counter.color), "▼");
	}
	for (const damage of shown.marks?.damage ?? []) {
		if (damage.time) drawMark(u, msOfIso(damage.time), damageColor(), "✕");
	}
	ctx.restore();
}

// uPlot wants one axis for all: the times of every line. It draws no line from these numbers, but
// puts its cursor on them.
function aligned() {
	if (lines.length === 0) return [[]];
	return uPlot.join(
		lines.map((line) => [
			line.shift_ms ? line.times.map((ms) => ms - line.shift_ms) : line.times,
			line.high.map((value) => (value === null ? null : value * line.factor)),
		]),
	);
}

function shapeOf() {
	const styles = lines.map((line) => [
		line.counter.path,
		line.other,
		line.color,
		line.dash,
		line.width,
		line.alpha,
		line.factor,
	]);
	return JSON.stringify([styles, document.documentElement.dataset.theme]);
}

export function drawChart() {
	const box = $("plot");
	if (box.clientWidth === 0 || state.view !== "line") return;
	lines = visibleLines();
	const now = shapeOf();
	if (!plot || now !== shape) {
		const { left, top } = plot?.cursor ?? { left: -10, top: -10 };
		plot?.destroy();
		plot = new uPlot(options(box), aligned(), box);
		shape = now;
		plot.setCursor({ left, top }, true);
	} else {
		plot.setData(aligned(), true);
	}
	$("empty").hidden = state.counters.length > 0;
}

// ---- Pointer and size ---------------------------------------------------------------------------

// The time at the cursor of the chart, or null.
export function cursorTime() {
	return plot && plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : null;
}

// Puts the cursor on a time, and says so to those who listen.
export function setCursorTime(ms) {
	plot?.setCursor({ left: plot.valToPos(ms, "x"), top: plot.height / 2 }, true);
}

export function hideCursor() {
	plot?.setCursor({ left: -10, top: -10 }, true);
}

function onWheel(event) {
	if (!plot) return;
	event.preventDefault();
	const left = event.clientX - plot.over.getBoundingClientRect().left;
	if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
		pan(Math.sign(event.deltaX || event.deltaY) * 0.1);
	else zoom(event.deltaY < 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR, plot.posToVal(left, "x"));
}

// A finger moves the cursor: dragging to zoom is for the mouse, a finger has the strip below.
function onTouch(event) {
	if (event.pointerType === "mouse" || !plot) return;
	const left = event.clientX - plot.over.getBoundingClientRect().left;
	plot.setCursor({ left, top: plot.height / 2 }, true);
}

export function startChart() {
	const box = $("plot");
	box.addEventListener("wheel", onWheel, { passive: false });
	box.addEventListener("pointerdown", onTouch);
	box.addEventListener("pointermove", onTouch);
	new ResizeObserver(() => {
		if (box.clientWidth === 0) return;
		plot?.setSize({ width: box.clientWidth, height: box.clientHeight });
		const columns = Math.min(
			4000,
			Math.max(1, Math.round(box.clientWidth * devicePixelRatio)),
		);
		if (Math.abs(columns - shown.columns) > 0.1 * columns) {
			shown.columns = columns;
			refresh();
		}
		drawChart();
	}).observe(box);
}
