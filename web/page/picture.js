// picture.js - the view as a picture to keep: the chart, and below it the table of numbers
// SPDX-License-Identifier: MIT

import { elided, isolated, shortName, showScale, withUnit } from "./format.js";
import { shownEpisodes } from "./findings.js";
import { barName, bars, figureShown } from "./histogram.js";
import { axisWindow } from "./lines.js";
import { barOf, mainSet, scaleOf, shown } from "./load.js";
import { FIGURES } from "./numbers.js";
import { sortedCounters } from "./legend.js";
import { drawPlot, layOut, leastHeight, modelOf } from "./plot.js";
import { state } from "./state.js";
import { colorOf, gridColor, inkColor, paperColor, quietColor } from "./theme.js";
import { showDuration, showMoment } from "./time.js";

const WIDTH = 1200;
const EDGE = 24;
const TITLE = 64;
const CHART = 460;
const ROW = 22;
const NUMBER = 104; // width of a column of numbers
const NAME = 70; // characters

const rowsShown = () => sortedCounters().filter((counter) => counter.series && !counter.hidden);

function chartHeight() {
	if (state.view === "report") return 0;
	if (state.view === "histogram") return ROW * (bars().length + 1);
	return Math.max(CHART, leastHeight(modelOf(shownEpisodes())));
}

export function pictureSize() {
	return { width: WIDTH, height: TITLE + chartHeight() + ROW * (rowsShown().length + 2) + EDGE };
}

function title(surface) {
	const window = axisWindow();
	const name = isolated(mainSet()?.name ?? "");
	surface.text(EDGE, 30, elided(name, 110), { size: 18, color: inkColor(), bold: true });
	if (!window) return;
	const range = `${showMoment(window.from)} to ${showMoment(window.to)}`;
	surface.text(EDGE, 50, `${range}, ${showDuration(shown.data?.duration_s)}`, { color: quietColor() });
}

function chart(surface) {
	const box = { x: EDGE, y: TITLE, width: WIDTH - 2 * EDGE, height: chartHeight() };
	drawPlot(surface, layOut(surface, modelOf(shownEpisodes()), box));
}

function histogram(surface) {
	const width = WIDTH - 2 * EDGE - 560;
	bars().forEach(({ counter, length, color, value }, i) => {
		const y = TITLE + ROW * i;
		surface.text(EDGE, y + 15, elided(barName(counter), NAME), { color: inkColor() });
		surface.rect(EDGE + 450, y + 4, width, 14, gridColor());
		surface.rect(EDGE + 450, y + 4, (width * length) / 100, 14, color);
		const number = withUnit(value, counter.series);
		surface.text(WIDTH - EDGE, y + 15, number, { color: inkColor(), align: "right" });
	});
	surface.text(EDGE + 450, TITLE + ROW * bars().length + 14, figureShown(), { color: quietColor() });
}

function tableRow(surface, counter, y) {
	const right = WIDTH - EDGE;
	const quiet = { align: "right", color: quietColor() };
	const name = elided(`${shortName(counter.series)}   ${isolated(counter.series.object ?? "")}`, NAME);
	surface.rect(EDGE, y - 10, 12, 12, colorOf(counter.color));
	surface.text(EDGE + 22, y, name, { color: inkColor() });
	if (state.view === "line")
		surface.text(right - NUMBER * 5, y, showScale(scaleOf(counter)), quiet);
	FIGURES.forEach(([figure], i) => {
		const text = withUnit(barOf(counter)?.[figure], counter.series);
		const x = right - NUMBER * (FIGURES.length - 1 - i);
		surface.text(x, y, text, { color: inkColor(), align: "right" });
	});
}

function table(surface, top) {
	const right = WIDTH - EDGE;
	const style = { color: quietColor(), align: "right", size: 11 };
	surface.text(EDGE + 22, top, "Counter", { ...style, align: "left" });
	if (state.view === "line") surface.text(right - NUMBER * 5, top, "Scale", style);
	FIGURES.forEach(([, name], i) =>
		surface.text(right - NUMBER * (FIGURES.length - 1 - i), top, name, style),
	);
	rowsShown().forEach((counter, i) => tableRow(surface, counter, top + ROW * (i + 1)));
}

export function drawPicture(surface) {
	const { width, height } = pictureSize();
	surface.rect(0, 0, width, height, paperColor());
	title(surface);
	if (state.view === "histogram") histogram(surface);
	else if (state.view !== "report") chart(surface);
	table(surface, TITLE + chartHeight() + 24);
}
