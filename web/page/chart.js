// chart.js - the chart on the page: its canvas, the crosshair, dragging, wheel and touch
// SPDX-License-Identifier: MIT

import { showCursor } from "./cursor.js";
import { $ } from "./dom.js";
import { drawLane, shownEpisodes } from "./findings.js";
import { status } from "./heading.js";
import { refresh, shown } from "./load.js";
import { drawPlot, layOut, leastHeight, modelOf } from "./plot.js";
import { state } from "./state.js";
import { CanvasSurface } from "./surface.js";
import { pan, showWindow, zoom, zoomOut } from "./zoom.js";

const WHEEL_FACTOR = 1.25;
const MIN_DRAG_PX = 5;
const MOST_COLUMNS = 4000;

let plot = null; // as it was drawn last
let cursor = null; // {ms, y}: where the crosshair is
let drag = null; // {from_x, x}

export const isChart = () => state.view === "panels" || state.view === "line";

// ---- Drawing ------------------------------------------------------------------------------------

export function drawChart() {
	const box = $("plot");
	if (!isChart() || box.clientWidth === 0) return;
	const model = modelOf(shownEpisodes());
	const least = leastHeight(model);
	$("view-line").style.minHeight = state.view === "panels" ? `${least}px` : "";
	const height = Math.max($("view-line").clientHeight, least);
	const canvas = $("canvas");
	canvas.style.height = `${height}px`;
	const surface = new CanvasSurface(box.clientWidth, height, devicePixelRatio, canvas);
	plot = layOut(surface, model, { x: 0, y: 0, width: box.clientWidth, height });
	drawPlot(surface, plot);
	drawLane(plot.box);
	$("empty").hidden = state.counters.length > 0;
	drawCursor();
}

// The plot as it is on the page: for tests, and for what is placed beside it.
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
	if (isShown) $("crosshair").style.left = `${xAt(cursor.ms)}px`;
	showCursor(isShown ? plot : null, isShown ? { ...cursor, x: xAt(cursor.ms) } : null);
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

// Puts the crosshair on a time.
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

// A finger moves the crosshair: dragging to zoom is for the mouse, a finger has the strip below.
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

// The wheel alone scrolls the page, as it does over a map; pinching comes as the wheel with Ctrl.
function onWheel(event) {
	const isZoom = event.ctrlKey || event.metaKey;
	const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
	if (!plot?.window) return;
	if (!isZoom && !isPan) return status("Hold Ctrl and turn the wheel to zoom.");
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
