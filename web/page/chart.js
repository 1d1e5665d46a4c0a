// chart.js - the chart on the page: its canvas, the crosshair, dragging, wheel and touch
// SPDX-License-Identifier: MIT

import { showCursor } from "./cursor.js";
import { $, el, setText } from "./dom.js";
import { drawLane, shownEpisodes } from "./findings.js";
import { shortName, withUnit } from "./format.js";
import { hasChosen } from "./first.js";
import { status } from "./heading.js";
import { barOf, mainSet, refresh, shown } from "./load.js";
import { knownIncidents, openIncident } from "./incidents.js";
import { drawPlot, drawTimes, layOut, leastHeight, modelOf, TIME_AXIS } from "./plot.js";
import { drawSpark, spark } from "./spark.js";
import { knownCounters, state } from "./state.js";
import { CanvasSurface } from "./surface.js";
import { updateUsual } from "./usual.js";
import { pan, showWindow, zoom, zoomOut } from "./zoom.js";

const WHEEL_FACTOR = 1.25;
const MIN_DRAG_PX = 5;
const MOST_COLUMNS = 4000;

let plot = null; // as last drawn
let cursor = null; // {ms, y}: the crosshair's position
let drag = null; // {from_x, x}

export const isChart = () => state.view === "panels" || state.view === "line";

// ---- Drawing ------------------------------------------------------------------------------------

// The size of the element that holds a canvas, which never decides it.
function surfaceOn(canvas, width, height) {
	canvas.style.height = `${height}px`;
	return new CanvasSurface(width, height, devicePixelRatio, canvas);
}

// The strip of the whole log is as wide as the panels.
function alignStrip({ box, outer }) {
	const { style } = $("stage").parentElement;
	style.setProperty("--plot-left", `${Math.round(box.x)}px`);
	style.setProperty("--plot-right", `${Math.round(outer.width - box.x - box.width)}px`);
}

export function drawChart() {
	const box = $("plot");
	const width = box.clientWidth;
	if (!isChart() || width === 0) return;
	const model = modelOf(shownEpisodes());
	const least = leastHeight(model, width);
	box.style.minHeight = state.view === "panels" ? `${least}px` : "";
	const height = Math.max(box.clientHeight, least);
	const surface = surfaceOn($("canvas"), width, height);
	plot = layOut(surface, model, { x: 0, y: 0, width, height });
	drawPlot(surface, plot);
	for (const name of ["times-top", "times-bottom"]) drawTimes(surfaceOn($(name), width, TIME_AXIS), plot, 0);
	drawUnchanged(plot.unchanged);
	alignStrip(plot);
	drawLane(plot.box);
	drawEmpty();
	drawCursor();
	updateUsual(openIncident(), knownIncidents(), knownCounters().map(({ series }) => series.id))
		.then((isNew) => isNew && drawChart())
		.catch((error) => status(error.message, true));
}

// What an incident did not touch, in one row.
function drawUnchanged(lines) {
	const one = ({ counter }) => {
		const course = spark();
		drawSpark(course, counter);
		const value = withUnit(barOf(counter)?.average, counter.series);
		const name = `${shortName(counter.series)} `;
		return el("span", { title: counter.path }, name, course, el("b", {}, ` ${value}`));
	};
	$("unchanged").hidden = lines.length === 0;
	$("unchanged").replaceChildren("Unchanged: ", ...lines.map(one));
}

// Why there is nothing to see.
function whyEmpty(set) {
	if (set.live && !hasChosen()) return "Waiting for the first values …"; // a rate needs two samples
	return set.samples === 0 ? "This log has no samples." : "No counters are selected.";
}

function drawEmpty() {
	const set = mainSet();
	const isKnown = set && set.state !== "loading" && (set.live || set.samples === 0 || hasChosen());
	$("empty").hidden = state.counters.length > 0 || !isKnown;
	if ($("empty").hidden) return;
	$("empty-add").hidden = set.samples === 0 || !hasChosen();
	setText($("empty-said"), whyEmpty(set));
}

// The plot on the page: for tests and for elements placed next to it.
export const plotNow = () => plot;

const inBox = (x) => Math.min(plot.box.x + plot.box.width, Math.max(plot.box.x, x));

function msAt(x) {
	const { from, to } = plot.window;
	return from + ((inBox(x) - plot.box.x) / plot.box.width) * (to - from);
}

const xAt = (ms) => {
	const { from, to } = plot.window;
	return plot.box.x + ((ms - from) / (to - from)) * plot.box.width;
};

function drawCursor() {
	const isShown = cursor !== null && plot?.window && cursor.ms >= plot.window.from && cursor.ms <= plot.window.to;
	$("crosshair").hidden = !isShown;
	$("cursor-time").hidden = !isShown;
	if (isShown) for (const name of ["crosshair", "cursor-time"]) $(name).style.left = `${xAt(cursor.ms)}px`;
	if (plot) showCursor(plot, isShown ? cursor : null);
}

function drawSelection() {
	const { style } = $("selection");
	$("selection").hidden = drag === null;
	if (!drag) return;
	style.left = `${Math.min(drag.from_x, drag.x)}px`;
	style.width = `${Math.abs(drag.x - drag.from_x)}px`;
}

// ---- The crosshair ------------------------------------------------------------------------------

// The time at the crosshair, or null.
export const cursorTime = () => (cursor && plot?.window ? cursor.ms : null);

// Moves the crosshair to a time.
export function setCursorTime(ms) {
	cursor = { ms, y: 40 };
	drawCursor();
}

export function hideCursor() {
	cursor = null;
	drag = null;
	drawSelection();
	drawCursor();
}

function place(event) {
	const box = $("plot").getBoundingClientRect();
	return { x: event.clientX - box.left, y: event.clientY - box.top };
}

// ---- Pointer and size ---------------------------------------------------------------------------

function onMove(event) {
	if (!plot?.window) return;
	const { x, y } = place(event);
	if (drag) drag.x = inBox(x);
	cursor = { ms: msAt(x), y };
	drawSelection();
	drawCursor();
}

// A finger moves the crosshair. Only the mouse zooms by dragging; touch users zoom in the strip below.
function onDown(event) {
	if (!plot?.window) return;
	if (event.pointerType === "mouse" && event.button === 0) {
		const x = inBox(place(event).x);
		drag = { from_x: x, x };
		$("plot").setPointerCapture(event.pointerId);
	}
	onMove(event);
}

function onUp() {
	if (!drag) return;
	const [from, to] = [drag.from_x, drag.x].sort((a, b) => a - b);
	drag = null;
	drawSelection();
	if (to - from >= MIN_DRAG_PX) showWindow(msAt(from), msAt(to));
}

// The wheel alone scrolls the page, as over an embedded map; browsers report pinching as Ctrl+wheel.
function onWheel(event) {
	const isZoom = event.ctrlKey || event.metaKey;
	const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
	if (!plot?.window) return;
	if (!isZoom && !isPan) return status("Use Ctrl + mouse wheel to zoom.");
	event.preventDefault();
	if (isZoom) zoom(event.deltaY < 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR, msAt(place(event).x));
	else pan(Math.sign(event.deltaX || event.deltaY) * 0.1);
}

function onSize() {
	const width = $("plot").clientWidth;
	if (width === 0) return;
	const columns = Math.min(MOST_COLUMNS, Math.max(1, Math.round(width * devicePixelRatio)));
	if (Math.abs(columns - shown.columns) > 0.1 * columns) {
		shown.columns = columns;
		refresh();
	}
	drawChart();
}

export function startChart() {
	const box = $("plot");
	box.addEventListener("wheel", onWheel, { passive: false });
	box.addEventListener("pointerdown", onDown);
	box.addEventListener("pointermove", onMove);
	box.addEventListener("pointerup", onUp);
	box.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !drag && hideCursor());
	box.addEventListener("dblclick", zoomOut);
	new ResizeObserver(onSize).observe($("view-line"));
}
