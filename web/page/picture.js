// picture.js - the view as a picture to keep: the chart, and below it the table of numbers
// SPDX-License-Identifier: MIT

import { shortName, showScale, showValue } from "./format.js";
import { bars, figureShown } from "./histogram.js";
import { axisRange, axisWindow, gapsInMs, trace, visibleLines } from "./lines.js";
import { barOf, mainSet, shown } from "./load.js";
import { FIGURES } from "./numbers.js";
import { sortedCounters } from "./legend.js";
import { scaleOf, state } from "./state.js";
import { colorOf, gapColor, gridColor, inkColor, paperColor, quietColor } from "./theme.js";
import { showDuration, showMoment, tickLabels, timeTicks } from "./time.js";

const WIDTH = 1200;
const EDGE = 24;
const TITLE = 64;
const CHART = 460;
const AXIS = 48;
const ROW = 22;
const NUMBER = 104; // width of a column of numbers

const area = { x: EDGE + 32, y: TITLE, width: WIDTH - 2 * EDGE - 32, height: CHART };

function rowsShown() {
	return sortedCounters().filter((counter) => counter.series && !counter.hidden);
}

export function pictureSize() {
	const chart = state.view === "report" ? 0 : CHART + AXIS;
	return { width: WIDTH, height: TITLE + chart + ROW * (rowsShown().length + 1) + EDGE };
}

function title(surface) {
	const window = axisWindow();
	surface.text(EDGE, 30, mainSet()?.name ?? "", { size: 18, color: inkColor(), bold: true });
	if (window)
		surface.text(
			EDGE,
			50,
			`${showMoment(window.from)} to ${showMoment(window.to)}, ` +
				showDuration(shown.data?.duration_s),
			{ color: quietColor() },
		);
}

function valueAxis(surface, [min, max]) {
	for (let value = min; value <= max; value += 20) {
		const y = area.y + area.height * (1 - (value - min) / (max - min));
		surface.rule(area.x, y, area.x + area.width, y, gridColor());
		surface.text(area.x - 6, y + 4, String(value), { color: quietColor(), align: "right" });
	}
}

function timeAxis(surface, window, xOf) {
	const { step, ticks } = timeTicks(window.from, window.to, 10);
	tickLabels(ticks, step).forEach((label, i) => {
		const x = xOf(ticks[i]);
		surface.rule(x, area.y, x, area.y + area.height, gridColor());
		label.forEach((text, line) =>
			surface.text(x, area.y + area.height + 18 + 15 * line, text, {
				color: quietColor(),
				align: "center",
			}),
		);
	});
}

function lineChart(surface) {
	const window = axisWindow();
	const lines = visibleLines();
	const [min, max] = axisRange(lines);
	valueAxis(surface, [min, max]);
	if (!window) return;
	const xOf = (ms) => area.x + (area.width * (ms - window.from)) / (window.to - window.from);
	const inside = (x) => Math.min(area.x + area.width, Math.max(area.x, x));
	const yOf = (value) => area.y + area.height * (1 - (value - min) / (max - min));
	const gaps = gapsInMs();
	for (const gap of gaps) {
		const from = inside(xOf(gap.from));
		surface.rect(from, area.y, inside(xOf(gap.to)) - from, area.height, gapColor());
	}
	timeAxis(surface, window, xOf);
	for (const { color, width, dash, alpha, ...line } of lines)
		surface.curve((path) => trace(line, gaps, xOf, yOf, path), {
			color,
			width,
			dash,
			alpha,
			clip: area,
		});
}

function histogram(surface) {
	valueAxis(surface, [0, 100]);
	const list = bars();
	const step = area.width / Math.max(1, list.length);
	list.forEach(({ height, color }, i) => {
		const tall = (area.height * height) / 100;
		surface.rect(
			area.x + i * step + step * 0.15,
			area.y + area.height - tall,
			step * 0.7,
			tall,
			color,
		);
	});
	surface.text(area.x + area.width / 2, area.y + area.height + 22, figureShown(), {
		color: quietColor(),
		align: "center",
	});
}

function tableRow(surface, counter, y) {
	const right = WIDTH - EDGE;
	surface.rect(EDGE, y - 10, 12, 12, colorOf(counter.color));
	surface.text(EDGE + 22, y, `${shortName(counter.series)}   ${counter.series.object}`, {
		color: inkColor(),
	});
	surface.text(right - NUMBER * 5 - 20, y, showScale(scaleOf(counter)), {
		color: quietColor(),
		align: "right",
	});
	surface.text(right - NUMBER * 4 - 70, y, counter.series.unit, { color: quietColor() });
	FIGURES.forEach(([figure], i) => {
		surface.text(
			right - NUMBER * (FIGURES.length - 1 - i),
			y,
			showValue(barOf(counter)?.[figure], counter.series),
			{ color: inkColor(), align: "right" },
		);
	});
}

function table(surface, top) {
	const right = WIDTH - EDGE;
	const style = { color: quietColor(), align: "right", size: 11 };
	surface.text(EDGE + 22, top, "Counter", { ...style, align: "left" });
	surface.text(right - NUMBER * 5 - 20, top, "Scale", style);
	FIGURES.forEach(([, name], i) =>
		surface.text(right - NUMBER * (FIGURES.length - 1 - i), top, name, style),
	);
	rowsShown().forEach((counter, i) => tableRow(surface, counter, top + ROW * (i + 1)));
}

export function drawPicture(surface) {
	const { width, height } = pictureSize();
	surface.rect(0, 0, width, height, paperColor());
	title(surface);
	if (state.view === "line") lineChart(surface);
	else if (state.view === "histogram") histogram(surface);
	table(surface, state.view === "report" ? TITLE + 14 : TITLE + CHART + AXIS + 14);
}
