// plot.js - the chart as a picture: panels, axes, lines and marks, on any surface
// SPDX-License-Identifier: MIT

import { axisWindow, differenceLine, gapsInMs, hasBand, trace, traceBand, visibleLines } from "./lines.js";
import { shown } from "./load.js";
import { axisFor, divide, extent, rangeOf, titleOf } from "./panels.js";
import { state } from "./state.js";
import { colorOf, damageColor, gapColor, gridColor, inkColor, paperColor, quietColor } from "./theme.js";
import { msOfIso, tickLabels, timeTicks } from "./time.js";

const TITLE = 20; // height of the line above a panel
const BETWEEN = 8;
const TIME_AXIS = 40;
const RIGHT = 14;
const TOP = 6;
const LEAST_HEIGHT = 74; // of a panel
const TICK_PX = 30;
const TEXT = 12;
const BAND_ALPHA = 0.28;
const EDGE_ALPHA = 0.55;

// ---- What is drawn ------------------------------------------------------------------------------

// One axis from 0 to 100 as in Performance Monitor, and as much below where a value is negative.
function classicPanel(lines) {
	const below = lines.some((line) => line.low.some((value) => value !== null && value < 0));
	return { title: "", lines, low: below ? -100 : 0, high: 100, quantity: "count", limits: [], spans: [] };
}

// The limits and spans of findings about the lines of a panel.
function withFindings(panel, findings) {
	const paths = new Map(panel.lines.map((line) => [line.counter.path, line]));
	const mine = findings.filter((one) => paths.has(one.path));
	panel.spans = mine.map((one) => ({ from: one.from_ms, to: one.to_ms }));
	const limits = mine.filter((one) => typeof one.limit === "number");
	panel.limits = [...new Set(limits.map((one) => one.limit))];
	return panel;
}

// All that is drawn: {panels, window, gaps}. findings: [{path, from_ms, to_ms, limit}].
export function modelOf(findings = []) {
	const lines = visibleLines();
	const panels = state.view === "panels" ? divide(lines) : [classicPanel(lines)];
	for (const panel of panels) {
		if (state.view !== "panels") continue;
		withFindings(panel, findings);
		panel.title = titleOf(panel);
		if (panel.high < panel.low) [panel.low, panel.high] = [0, 0];
		[panel.low, panel.high] = rangeOf(panel.low, panel.high, panel.quantity);
	}
	const withDifference = (panel) => [panel, ...differenceOf(panel, lines)];
	const all = state.view === "panels" ? panels.flatMap(withDifference) : panels;
	return { panels: all, window: axisWindow(), gaps: gapsInMs() };
}

// What is compared with, less this, below the lines themselves. Each value stands against the nearest one in time.
function differenceOf(panel, all) {
	const lines = panel.lines.filter((one) => !one.other).flatMap((here) => {
		const there = all.find((one) => one.other && one.counter === here.counter);
		return there ? [differenceLine(here, there)] : [];
	});
	const sizes = lines.map(extent).filter((size) => size !== null);
	if (sizes.length === 0) return [];
	const [low, high] = [Math.min(0, ...sizes.map((one) => one.low)), Math.max(0, ...sizes.map((one) => one.high))];
	const [bottom, top] = low === high ? [-1, 1] : [low, high];
	const title = `Difference of ${panel.title}`;
	return [{ ...panel, title, lines, low: bottom, high: top, limits: [], spans: [], isDifference: true }];
}

// The height that a model needs.
export function leastHeight(model) {
	const each = (model.panels[0]?.title ? TITLE : 0) + LEAST_HEIGHT + BETWEEN;
	return TOP + model.panels.length * each + TIME_AXIS;
}

// Where everything is: each panel gets its axis and its box, all share left and width.
export function layOut(surface, model, { x, y, width, height }) {
	const titled = model.panels.some((panel) => panel.title) ? TITLE : 0;
	const n = Math.max(1, model.panels.length);
	const each = (height - TOP - TIME_AXIS - n * (titled + BETWEEN)) / n;
	let gutter = 24;
	let top = y + TOP;
	for (const panel of model.panels) {
		top += titled;
		panel.axis = axisFor(panel.low, panel.high, panel.quantity, each / TICK_PX);
		panel.box = { y: top, height: each };
		top += each + BETWEEN;
		for (const { text } of panel.axis.ticks) gutter = Math.max(gutter, surface.measure(text, TEXT) + 10);
	}
	const box = { x: x + gutter, width: Math.max(1, width - gutter - RIGHT), bottom: y + height - TIME_AXIS };
	for (const panel of model.panels) Object.assign(panel.box, { x: box.x, width: box.width });
	return { ...model, box, outer: { x, y, width, height } };
}

export const xOf = (plot, ms) => {
	const { from, to } = plot.window;
	return plot.box.x + (plot.box.width * (ms - from)) / (to - from);
};

// Values beyond the axis, as with a scale that somebody chose, are drawn at its edge.
export function yOf({ axis, box }, value) {
	const part = (value - axis.low) / (axis.high - axis.low);
	return box.y + box.height * (1 - Math.min(1, Math.max(0, part)));
}

// ---- Drawing ------------------------------------------------------------------------------------

function drawValueAxis(surface, panel) {
	const { box, axis } = panel;
	for (const { value, text } of axis.ticks) {
		const y = yOf(panel, value);
		const color = panel.isDifference && value === 0 ? quietColor() : gridColor();
		surface.rule(box.x, y, box.x + box.width, y, color);
		const inside = Math.min(box.y + box.height + 2, Math.max(box.y + 6, y + 4));
		surface.text(box.x - 6, inside, text, { color: quietColor(), align: "right", size: TEXT });
	}
	if (!panel.title) return;
	const unit = axis.unit ? `  ${axis.unit}` : "";
	const title = fitText(surface, panel.title, box.width - 60);
	surface.text(box.x, box.y - 6, title, { color: inkColor(), size: TEXT, bold: true });
	surface.text(box.x + surface.measure(title, TEXT, true), box.y - 6, unit, { color: quietColor(), size: TEXT });
}

// The beginning of a text that has room.
function fitText(surface, text, width) {
	let letters = [...text];
	if (surface.measure(text, TEXT, true) <= width) return text;
	while (letters.length > 1 && surface.measure(`${letters.join("")}…`, TEXT, true) > width)
		letters = letters.slice(0, -1);
	return `${letters.join("")}…`;
}

// Labels stay within the picture, and do not touch each other.
function drawTimeAxis(surface, plot) {
	const { window, box, outer } = plot;
	const { step, ticks } = timeTicks(window.from, window.to, box.width / 95);
	let free = outer.x;
	tickLabels(ticks, step).forEach((label, i) => {
		const x = xOf(plot, ticks[i]);
		for (const panel of plot.panels)
			surface.rule(x, panel.box.y, x, panel.box.y + panel.box.height, gridColor());
		const half = Math.max(...label.map((text) => surface.measure(text, TEXT))) / 2 + 2;
		const middle = Math.min(outer.x + outer.width - half, Math.max(outer.x + half, x));
		if (middle - half < free) return;
		free = middle + half + 6;
		label.forEach((text, line) =>
			surface.text(middle, box.bottom + 14 + 15 * line, text, {
				color: quietColor(),
				align: "center",
				size: TEXT,
			}),
		);
	});
}

function drawSpan(surface, plot, panel, { from, to }, color, alpha = 1) {
	const right = plot.box.x + plot.box.width;
	const clamp = (x) => Math.min(right, Math.max(plot.box.x, x));
	const [a, b] = [clamp(xOf(plot, from)), clamp(xOf(plot, to))];
	if (xOf(plot, to) < plot.box.x || xOf(plot, from) > right) return;
	surface.rect(a, panel.box.y, Math.max(1, b - a), panel.box.height, color, alpha);
}

function drawLine(surface, plot, panel, line) {
	const { color, width, dash, alpha } = line;
	const clip = { ...panel.box, y: panel.box.y - 2, height: panel.box.height + 4 };
	const x = (ms) => xOf(plot, ms);
	const y = (value) => yOf(panel, value);
	const band = hasBand(line) && !line.other;
	if (band) {
		const draw = (path) => traceBand(line, plot.gaps, x, y, path);
		surface.area(draw, { color, alpha: alpha * BAND_ALPHA, clip });
		surface.curve(draw, { color, width: 1, alpha: alpha * EDGE_ALPHA, clip });
	}
	surface.curve((path) => trace(line, plot.gaps, x, y, path), { color, width, dash, alpha, clip });
}

function drawMark(surface, plot, panel, ms, color, glyph) {
	const x = xOf(plot, ms);
	if (x < plot.box.x || x > plot.box.x + plot.box.width) return;
	const draw = (path) => {
		path.moveTo(x, panel.box.y);
		path.lineTo(x, panel.box.y + panel.box.height);
	};
	surface.curve(draw, { color, width: 1, dash: [2, 3] });
	surface.text(x, panel.box.y + 10, glyph, { color, align: "center", size: 11 });
}

function drawMarks(surface, plot, panel) {
	for (const reset of shown.marks?.resets ?? []) {
		const line = panel.lines.find((one) => one.counter.series.id === reset.id && !one.other);
		if (line) drawMark(surface, plot, panel, msOfIso(reset.time), colorOf(line.counter.color), "▼");
	}
	if (panel.isDifference) return;
	for (const damage of shown.marks?.damage ?? [])
		if (damage.time) drawMark(surface, plot, panel, msOfIso(damage.time), damageColor(), "✕");
}

function drawLimits(surface, panel) {
	for (const limit of panel.limits) {
		if (limit < panel.axis.low || limit > panel.axis.high) continue;
		const y = yOf(panel, limit);
		const draw = (path) => {
			path.moveTo(panel.box.x, y);
			path.lineTo(panel.box.x + panel.box.width, y);
		};
		surface.curve(draw, { color: damageColor(), width: 1, dash: [6, 4], alpha: 0.9 });
	}
}

// Draws what layOut() has placed.
export function drawPlot(surface, plot) {
	const { outer } = plot;
	surface.rect(outer.x, outer.y, outer.width, outer.height, paperColor());
	if (!plot.window) return;
	for (const panel of plot.panels) {
		for (const gap of plot.gaps) drawSpan(surface, plot, panel, gap, gapColor());
		for (const span of panel.spans) drawSpan(surface, plot, panel, span, damageColor(), 0.1);
		drawValueAxis(surface, panel);
	}
	drawTimeAxis(surface, plot);
	for (const panel of plot.panels) {
		for (const line of panel.lines) drawLine(surface, plot, panel, line);
		drawLimits(surface, panel);
		drawMarks(surface, plot, panel);
	}
}
