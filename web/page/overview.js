// overview.js - a strip of the whole log that marks the current window
// SPDX-License-Identifier: MIT

import { isStale, newest } from "./api.js";
import { compareFrom } from "./compare.js";
import { $, setAttribute } from "./dom.js";
import { gapsInMs, trace, traceBand } from "./lines.js";
import { knownIncidents } from "./incidents.js";
import { mainSet, shownWindow } from "./load.js";
import { knownCounters, state } from "./state.js";
import { colorOf, severityColor } from "./theme.js";
import { msOfIso, showMoment } from "./time.js";
import { pan, showWindow, zoomOut } from "./zoom.js";

const MOST_LINES = 6; // the strip shows where things happen, not every detail
const LIVE_PAUSE_MS = 5000;
const MARK_PX = 4;
const HANDLE_PX = 10;
const LEAST_PX = 4;

const askStrip = newest();
const askGaps = newest();
let strip = null; // the answer of /api/data for the whole log
let gaps = [];
let stripOf = ""; // its request
let asked_ms = 0;

function counters() {
	const list = knownCounters().filter((counter) => !counter.hidden);
	list.sort((a, b) => (b.path === state.selected) - (a.path === state.selected));
	return list.slice(0, MOST_LINES);
}

const whole = () => (strip?.from ? { from: msOfIso(strip.from), to: msOfIso(strip.to) } : null);

// Requests again when the counters change, while a log is loading, and periodically when live.
async function load() {
	const ids = counters().map((counter) => counter.series.id);
	const set = mainSet();
	const loaded = Math.round(set.fraction * 20);
	const now = JSON.stringify([[...ids].sort(), set.state, loaded]);
	const old = set.live && Date.now() - asked_ms > LIVE_PAUSE_MS && !state.paused;
	if (ids.length === 0 || (now === stripOf && !old)) return;
	stripOf = now;
	asked_ms = Date.now();
	const columns = Math.max(1, $("strip").clientWidth);
	const [data, marks] = await Promise.all([
		askStrip("data", { set: 0, ids, columns }),
		askGaps("marks", { set: 0 }),
	]);
	strip = data;
	gaps = gapsInMs(marks);
}

export async function updateOverview() {
	if (!mainSet()) return;
	try {
		await load();
	} catch (error) {
		// The chart asks the same server and reports the error; here the request is retried.
		if (!isStale(error)) stripOf = "";
		return;
	}
	drawOverview();
}

// ---- Drawing ------------------------------------------------------------------------------------

export function drawOverview() {
	const canvas = $("strip");
	const ratio = devicePixelRatio;
	canvas.width = canvas.clientWidth * ratio;
	canvas.height = canvas.clientHeight * ratio;
	const time = whole();
	if (time) {
		const context = canvas.getContext("2d");
		for (const counter of counters()) drawLine(context, canvas, counter, time);
		for (const one of knownIncidents().toReversed()) drawIncident(context, canvas, one, time);
	}
	placeWindow(time);
}

// A mark above the lines, the gravest on top.
function drawIncident(context, canvas, one, time) {
	const xOf = (ms) => ((ms - time.from) / (time.to - time.from || 1)) * canvas.width;
	const [from, to] = [xOf(one.from_ms), xOf(one.to_ms)];
	context.globalAlpha = 1;
	context.fillStyle = severityColor(one.severity);
	context.fillRect(from, 0, Math.max(3 * devicePixelRatio, to - from), MARK_PX * devicePixelRatio);
}

// Each line spans the full height: from 0, or a negative minimum, to its maximum.
function drawLine(context, canvas, counter, time) {
	const series = strip.series.find((one) => one.id === counter.series.id);
	if (!series) return;
	const low = series.exact ? series.value : series.min;
	const high = series.exact ? series.value : series.max;
	const bottom = Math.min(0, series.bar.minimum ?? 0);
	const top = Math.max(series.bar.maximum ?? 1, bottom) || 1;
	const xOf = (ms) => ((ms - time.from) / (time.to - time.from || 1)) * canvas.width;
	const yOf = (value) =>
		canvas.height * (0.95 - (0.88 * (value - bottom)) / (top - bottom || 1));
	const line = {
		times: strip.times[series.times],
		low,
		high,
		factor: 1,
		shift_ms: 0,
		other: false,
	};
	context.beginPath();
	(series.exact ? trace : traceBand)({ ...line, mean: low }, gaps, xOf, yOf, context);
	context.strokeStyle = colorOf(counter.color);
	context.globalAlpha = counter.path === state.selected ? 0.9 : 0.45;
	context.lineWidth = devicePixelRatio;
	context.stroke();
}

function placeWindow(time) {
	const pane = $("pane");
	const window = shownWindow();
	pane.hidden = !time || !window;
	if (pane.hidden) return;
	const width = time.to - time.from || 1;
	const from = Math.max(0, (window.from - time.from) / width);
	const to = Math.min(1, (window.to - time.from) / width);
	pane.style.left = `${100 * from}%`;
	pane.style.width = `${100 * (to - from)}%`;
	setAttribute(pane, "aria-valuenow", String(Math.round(50 * (from + to))));
	setAttribute(
		pane,
		"aria-valuetext",
		`from ${showMoment(window.from)} to ${showMoment(window.to)}`,
	);
}

// ---- Pointer ------------------------------------------------------------------------------------

// What a press at x begins: moving the window, moving an end of it, or a new one.
function gesture(x, from, to, full) {
	if (Math.abs(x - from) < HANDLE_PX) return "from";
	if (Math.abs(x - to) < HANDLE_PX) return "to";
	return x > from && x < to && !full ? "move" : "new";
}

function dragged(drag, x) {
	const shift = x - drag.x;
	if (drag.kind === "move") return [drag.from + shift, drag.to + shift];
	if (drag.kind === "new" || drag.kind === "second") return [Math.min(drag.x, x), Math.max(drag.x, x)];
	const ends = drag.kind === "from" ? [x, drag.to] : [drag.from, x];
	return ends.sort((a, b) => a - b);
}

function begin(event) {
	const box = $("overview").getBoundingClientRect();
	const pane = $("pane").getBoundingClientRect();
	const [from, to] = [pane.left - box.left, pane.right - box.left];
	const x = event.clientX - box.left;
	const full = from < LEAST_PX && to > box.width - LEAST_PX;
	const kind = event.shiftKey ? "second" : gesture(x, from, to, full);
	return { kind, x, from, to, width: box.width, left: box.left };
}

function showDrag(ends, width) {
	$("pane").style.left = `${(100 * Math.max(0, ends[0])) / width}%`;
	$("pane").style.width =
		`${(100 * (Math.min(width, ends[1]) - Math.max(0, ends[0]))) / width}%`;
}

// A second range is laid over the window by its beginning: it is as long as the window.
function finish(ends, { width, kind }) {
	const time = whole();
	if (kind === "second" || ends[1] - ends[0] < LEAST_PX) placeWindow(time);
	if (ends[1] - ends[0] < LEAST_PX) return;
	const msOf = (x) => time.from + (x / width) * (time.to - time.from);
	if (kind === "second") compareFrom(msOf(ends[0]));
	else showWindow(msOf(ends[0]), msOf(ends[1]));
}

function onPointerDown(event) {
	if (!whole() || event.button !== 0) return;
	const box = $("overview");
	const drag = begin(event);
	let ends = [drag.from, drag.to];
	const move = (next) => {
		ends = dragged(drag, next.clientX - drag.left);
		showDrag(ends, drag.width);
	};
	const up = () => {
		box.removeEventListener("pointermove", move);
		finish(ends, drag);
	};
	box.setPointerCapture(event.pointerId);
	box.addEventListener("pointermove", move);
	box.addEventListener("pointerup", up, { once: true });
}

function onKey(event) {
	const steps = { ArrowLeft: -0.1, ArrowRight: 0.1 };
	if (!(event.key in steps)) return;
	event.stopPropagation();
	event.preventDefault();
	pan(steps[event.key]);
}

export function startOverview() {
	$("overview").addEventListener("pointerdown", onPointerDown);
	$("overview").addEventListener("dblclick", zoomOut);
	$("pane").addEventListener("keydown", onKey);
	new ResizeObserver(() => {
		stripOf = "";
		updateOverview();
	}).observe($("strip"));
}
