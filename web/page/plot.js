// plot.js - the chart as a picture: panels, axes, lines and marks, on any surface
// SPDX-License-Identifier: MIT

import { isolated } from "./format.js";
import { isContext, openIncident } from "./incidents.js";
import { axisWindow, gapsInMs, hasBand, trace, traceBand, traceBetween, visibleLines } from "./lines.js";
import { shown } from "./load.js";
import { axisFor, containLimits, divide, extent, rangeOf, titleOf } from "./panels.js";
import { drawStacked, labelStacked, stack, stacksOf } from "./stack.js";
import { state } from "./state.js";
import {
	colorOf,
	damageColor,
	edgeColor,
	gapColor,
	gridColor,
	inkColor,
	paperColor,
	quietColor,
	severityColor,
} from "./theme.js";
import { dayTicks, msOfIso, tickLabels, timeTicks } from "./time.js";
import { showAmount } from "./units.js";
import { usualOf } from "./usual.js";

const TITLE = 20; // height of the line above a panel
const KEYS = 17; // of its values, where they have no room next to it
const BETWEEN = 8;
export const TIME_AXIS = 22;
const GUTTER = 46; // at least, so that the strip does not move
const RIGHT = 14;
const KEYS_PART = 0.18; // of the width, for the values next to the panels
const KEYS_LEAST = 150;
const KEYS_MOST = 250;
const LEAST_WIDTH = 720; // with values next to the panels
const TOP = 4;
const LEAST_HEIGHT = 74; // of a panel
const TICK_PX = 30;
const TEXT = 12;
const BAND_ALPHA = 0.28;
const EDGE_ALPHA = 0.55;
const INCIDENT_ALPHA = 0.08;
const USUAL_ALPHA = 0.14;
const OUTLIERS = 2; // times the width of what is usual: values that far away are no noise
const LEAST_NOISE = 0.02; // of a value
const DIFFERENCE_ALPHA = 0.25;
const LABEL_ALPHA = 0.8; // of what is behind a label
const LIMIT_PX = TEXT + 4; // between the labels of two limits

// ---- What is drawn ------------------------------------------------------------------------------

// One axis from 0 to 100 as in Performance Monitor, extended to -100 if a value is negative.
function classicPanel(lines) {
	const below = lines.some((line) => line.low.some((value) => value !== null && value < 0));
	const range = { low: below ? -100 : 0, high: 100, magnitude: 100 };
	return { title: "", lines, range, quantity: "count", limits: [], spans: [] };
}

// Processor time by process of a machine, on top of each other.
function stackPanel({ machine, lines }) {
	const stacked = stack(lines);
	const sizes = stacked.map((line) => extent(line.stacked)).filter((size) => size !== null);
	return {
		machine,
		heading: "CPU by process",
		subject: "Processes",
		quantity: "percent",
		lines: stacked,
		low: Math.min(0, ...sizes.map(({ low }) => low)),
		high: Math.max(0, ...sizes.map(({ high }) => high)),
		isStack: true,
	};
}

// The stacks are first where the processor is what was wrong: they tell who it was.
function panelsOf(lines) {
	const stacks = stacksOf(lines);
	const inStack = new Set(stacks.flatMap((one) => one.lines));
	const rest = divide(lines.filter((line) => !inStack.has(line)));
	const areas = stacks.map(stackPanel);
	return openIncident()?.resource === "processor" ? [...areas, ...rest] : [...rest, ...areas];
}

// The limits and spans of findings about the lines of a panel.
function withFindings(panel, findings) {
	const paths = new Map(panel.lines.map((line) => [line.counter.path, line]));
	const mine = findings.filter((one) => paths.has(one.path));
	panel.spans = mine.map((one) => ({ from: one.from_ms, to: one.to_ms }));
	const isOfValues = (one) => one.slope_per_hour === null && one.compared === undefined;
	const limits = new Map();
	for (const one of mine.filter(isOfValues)) {
		const value = one.limit * paths.get(one.path).factor;
		if (limits.get(value) !== "critical") limits.set(value, one.severity);
	}
	panel.marked = [...limits].map(([value, severity]) => ({ value, severity }));
	panel.limits = [...limits.keys()];
	return panel;
}

// The machine of a panel, if the log has several.
function machineOf({ machine }) {
	return machine && shown.sets[0]?.machines.length > 1 ? `${isolated(machine)} · ` : "";
}

// All that is drawn: {panels, window, gaps}. findings: episodes of the API, with from_ms and to_ms.
export function modelOf(findings = []) {
	const all = visibleLines();
	const unchanged = state.view === "panels" ? all.filter(isUnchanged) : [];
	const lines = all.filter((line) => !unchanged.includes(line));
	const panels = state.view === "panels" ? panelsOf(lines) : [classicPanel(lines)];
	for (const panel of panels) {
		if (state.view !== "panels") continue;
		withFindings(panel, findings);
		panel.title = machineOf(panel) + (panel.heading ?? titleOf(panel));
		containLimits(panel);
		if (panel.high < panel.low) [panel.low, panel.high] = [0, 0];
		panel.range = rangeOf(panel.low, panel.high, panel.quantity);
	}
	return { panels, unchanged, window: axisWindow(), gaps: gapsInMs(), incident: openIncident() };
}

// Of what is shown for comparison with an incident: it stayed within what is usual.
function isUnchanged({ counter, times, mean, other }) {
	const incident = openIncident();
	const usual = incident && !other && isContext(counter.path) ? usualOf(counter.series.id) : null;
	if (!usual) return false;
	const isDuring = (ms) => ms >= incident.from_ms && ms <= incident.to_ms;
	const during = mean.filter((value, i) => value !== null && isDuring(times[i]));
	const least = LEAST_NOISE * Math.max(Math.abs(usual.low), Math.abs(usual.high));
	const room = OUTLIERS * Math.max(least, usual.high - usual.low);
	return during.every((value) => value >= usual.low - room && value <= usual.high + room);
}

const isWide = (width) => width >= LEAST_WIDTH;

// The height of what stands above a panel.
function headOf(model, width) {
	return (model.panels.some((panel) => panel.title) ? TITLE : 0) + (isWide(width) ? 0 : KEYS);
}

// The height that a model needs.
export function leastHeight(model, width) {
	return TOP + model.panels.length * (headOf(model, width) + LEAST_HEIGHT + BETWEEN);
}

// Lays out the parts: each panel gets its axis and box; all share left and width. The values of its lines are at its
// right edge; where there is no room, above it.
export function layOut(surface, model, { x, y, width, height }) {
	const titled = headOf(model, width);
	const n = Math.max(1, model.panels.length);
	const each = (height - TOP - n * (titled + BETWEEN)) / n;
	const keys = isWide(width) ? Math.max(KEYS_LEAST, Math.min(KEYS_MOST, KEYS_PART * width)) : 0;
	let gutter = GUTTER;
	let top = y + TOP;
	for (const panel of model.panels) {
		top += titled;
		panel.axis = axisFor(panel.range, panel.quantity, each / TICK_PX);
		panel.box = { y: top, height: each };
		top += each + BETWEEN;
		for (const { text } of panel.axis.ticks) gutter = Math.max(gutter, surface.measure(text, TEXT) + 10);
	}
	const box = { x: x + gutter, width: Math.max(1, width - gutter - RIGHT - keys), bottom: y + height };
	for (const panel of model.panels) {
		Object.assign(panel.box, { x: box.x, width: box.width });
		panel.keys = keys
			? { x: box.x + box.width + RIGHT / 2, y: panel.box.y, width: keys, height: each + BETWEEN / 2 }
			: { x: box.x, y: panel.box.y - KEYS, width: box.width, height: KEYS };
	}
	return { ...model, box, outer: { x, y, width, height } };
}

export const xOf = (plot, ms) => {
	const { from, to } = plot.window;
	return plot.box.x + (plot.box.width * (ms - from)) / (to - from);
};

// Values beyond the axis, for example with a user's scale, are drawn at its edge.
export function yOf({ axis, box }, value) {
	const part = (value - axis.low) / (axis.high - axis.low);
	return box.y + box.height * (1 - Math.min(1, Math.max(0, part)));
}

// ---- Drawing ------------------------------------------------------------------------------------

function drawValueAxis(surface, panel) {
	const { box, axis } = panel;
	for (const { value, text } of axis.ticks) {
		const y = yOf(panel, value);
		surface.rule(box.x, y, box.x + box.width, y, gridColor());
		const inside = Math.min(box.y + box.height + 2, Math.max(box.y + 6, y + 4));
		surface.text(box.x - 6, inside, text, { color: quietColor(), align: "right", size: TEXT });
	}
	if (!panel.title) return;
	const unit = axis.unit ? `  ${axis.unit}` : "";
	const title = fitText(surface, panel.title, box.width - 60);
	const y = Math.min(box.y, panel.keys.y) - 6;
	surface.text(box.x, y, title, { color: inkColor(), size: TEXT, bold: true });
	surface.text(box.x + surface.measure(title, TEXT, true), y, unit, { color: quietColor(), size: TEXT });
}

// The longest prefix of a text that fits.
function fitText(surface, text, width) {
	let letters = [...text];
	if (surface.measure(text, TEXT, true) <= width) return text;
	while (letters.length > 1 && surface.measure(`${letters.join("")}…`, TEXT, true) > width)
		letters = letters.slice(0, -1);
	return `${letters.join("")}…`;
}

const ticksOf = ({ window, box }) => timeTicks(window.from, window.to, box.width / 95);

// Lines at the times that have a label, and stronger ones where a day begins.
function drawTimeGrid(surface, plot) {
	const rule = (color) => (ms) => {
		const x = xOf(plot, ms);
		for (const { box } of plot.panels) surface.rule(x, box.y, x, box.y + box.height, color);
	};
	ticksOf(plot).ticks.forEach(rule(gridColor()));
	dayTicks(plot.window.from, plot.window.to).forEach(rule(edgeColor()));
}

// The labels of the time axis, below y. They stay within the picture, and do not touch each other.
export function drawTimes(surface, plot, y) {
	const { outer } = plot;
	surface.rect(outer.x, y, outer.width, TIME_AXIS, paperColor());
	if (!plot.window) return;
	const { step, ticks } = ticksOf(plot);
	let free = outer.x;
	tickLabels(ticks, step).forEach((text, i) => {
		const x = xOf(plot, ticks[i]);
		const half = surface.measure(text, TEXT) / 2 + 2;
		const middle = Math.min(outer.x + outer.width - half, Math.max(outer.x + half, x));
		if (middle - half < free) return;
		free = middle + half + 6;
		surface.text(middle, y + 15, text, { color: quietColor(), align: "center", size: TEXT });
	});
}

function drawSpan(surface, plot, panel, { from, to }, color, alpha = 1) {
	const right = plot.box.x + plot.box.width;
	const clamp = (x) => Math.min(right, Math.max(plot.box.x, x));
	const [a, b] = [clamp(xOf(plot, from)), clamp(xOf(plot, to))];
	if (xOf(plot, to) < plot.box.x || xOf(plot, from) > right) return;
	surface.rect(a, panel.box.y, Math.max(1, b - a), panel.box.height, color, alpha);
}

// When the open incident was, in every panel: what did not change in it is seen too.
function drawIncident(surface, plot, panel) {
	const span = { from: plot.incident.from_ms, to: plot.incident.to_ms };
	drawSpan(surface, plot, panel, span, severityColor(plot.incident.severity), INCIDENT_ALPHA);
}

// What an incident consists of is tinted once, as the incident.
function isOfIncident({ incident }, { from, to }) {
	return incident !== null && from <= incident.to_ms && to >= incident.from_ms;
}

// What the lines of an incident are usually between.
function drawUsual(surface, panel) {
	if (panel.isStack) return;
	for (const { counter, factor, color, other } of panel.lines) {
		const usual = other ? null : usualOf(counter.series.id);
		if (!usual || usual.high * factor < panel.axis.low || usual.low * factor > panel.axis.high) continue;
		const [top, bottom] = [yOf(panel, usual.high * factor), yOf(panel, usual.low * factor)];
		const height = Math.max(2, bottom - top);
		const y = Math.min(top, panel.box.y + panel.box.height - 2);
		surface.rect(panel.box.x, y, panel.box.width, height, color, USUAL_ALPHA);
	}
}

// What lies between a line and the one that it is compared with.
function drawDifference(surface, plot, panel, line) {
	const there = panel.lines.find((one) => one.other && one.counter === line.counter);
	if (!there || line.other || line.stacked) return;
	const draw = (path) => traceBetween(line, there, (ms) => xOf(plot, ms), (value) => yOf(panel, value), path);
	surface.area(draw, { color: line.color, alpha: line.alpha * DIFFERENCE_ALPHA, clip: panel.box });
}

function drawLine(surface, plot, panel, line) {
	const { color, width, dash, alpha } = line;
	const clip = { ...panel.box, y: panel.box.y - 2, height: panel.box.height + 4 };
	const x = (ms) => xOf(plot, ms);
	const y = (value) => yOf(panel, value);
	if (line.stacked) return drawStacked(surface, line, plot.gaps, x, y, clip);
	const band = hasBand(line) && !line.other;
	if (band) {
		const draw = (path) => traceBand(line, plot.gaps, x, y, path);
		surface.area(draw, { color, alpha: alpha * BAND_ALPHA, clip });
		surface.curve(draw, { color, width: 1, alpha: alpha * EDGE_ALPHA, clip });
	}
	surface.curve((path) => trace(line, plot.gaps, x, y, path), { color, width, dash, alpha, clip });
}

// After all areas, so that none covers a name.
function drawLabels(surface, plot, panel) {
	const { from, to } = plot.window;
	const msAt = (x) => from + ((x - plot.box.x) / plot.box.width) * (to - from);
	const scale = { msAt, box: panel.box, y: (value) => yOf(panel, value) };
	for (const line of panel.lines) labelStacked(surface, line, scale, inkColor());
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
	for (const damage of shown.marks?.damage ?? [])
		if (damage.time) drawMark(surface, plot, panel, msOfIso(damage.time), damageColor(), "✕");
}

// Above all lines, on paper. Labels of limits that are close to each other are next to each other.
function drawLimits(surface, panel) {
	const limits = [...(panel.marked ?? [])].sort((a, b) => b.value - a.value);
	for (const { value, severity } of limits) {
		const y = yOf(panel, value);
		const draw = (path) => {
			path.moveTo(panel.box.x, y);
			path.lineTo(panel.box.x + panel.box.width, y);
		};
		surface.curve(draw, { color: severityColor(severity), width: 1, dash: [6, 4], alpha: 0.9 });
	}
	let before = { y: -Infinity, x: panel.box.x };
	for (const { value, severity } of limits) {
		const y = yOf(panel, value);
		const text = `${severity} ${showAmount(value, { quantity: panel.quantity, factor: 1 })}`;
		const label = y - 4 - TEXT >= panel.box.y ? y - 4 : y + TEXT;
		const x = label - before.y < LIMIT_PX ? before.x : panel.box.x + 4;
		const width = surface.measure(text, TEXT);
		surface.rect(x - 2, label - TEXT + 1, width + 4, TEXT + 2, paperColor(), LABEL_ALPHA);
		surface.text(x, label, text, { color: severityColor(severity), size: TEXT });
		before = { y: label, x: x + width + 12 };
	}
}

// Draws the result of layOut().
export function drawPlot(surface, plot) {
	const { outer } = plot;
	surface.rect(outer.x, outer.y, outer.width, outer.height, paperColor());
	if (!plot.window) return;
	for (const panel of plot.panels) {
		for (const gap of plot.gaps) drawSpan(surface, plot, panel, gap, gapColor());
		if (plot.incident) drawIncident(surface, plot, panel);
		const spans = panel.spans.filter((one) => !isOfIncident(plot, one));
		for (const span of spans) drawSpan(surface, plot, panel, span, damageColor(), 0.1);
		drawValueAxis(surface, panel);
	}
	drawTimeGrid(surface, plot);
	for (const panel of plot.panels) {
		drawUsual(surface, panel);
		for (const line of panel.lines) drawDifference(surface, plot, panel, line);
		for (const line of panel.lines) drawLine(surface, plot, panel, line);
		if (panel.isStack) drawLabels(surface, plot, panel);
		drawLimits(surface, panel);
		drawMarks(surface, plot, panel);
	}
}
