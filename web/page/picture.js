// picture.js - export the view as a picture: the chart above the table of numbers
// SPDX-License-Identifier: MIT

import { compareCaption } from "./compare.js";
import { drawValues } from "./cursor.js";
import { elided, isolated, shortName, showScale } from "./format.js";
import { shownEpisodes } from "./findings.js";
import { subjectOf, zoneText } from "./heading.js";
import { barGroups, barName, figureShown } from "./histogram.js";
import { openIncident } from "./incidents.js";
import { axisWindow } from "./lines.js";
import { barOf, mainSet, scaleOf, shown } from "./load.js";
import { FIGURES, figureText } from "./numbers.js";
import { sortedCounters } from "./legend.js";
import { drawPlot, drawTimes, layOut, leastHeight, modelOf, TIME_AXIS } from "./plot.js";
import { state } from "./state.js";
import { colorOf, dashOf, gridColor, inkColor, paperColor, quietColor, severityColor } from "./theme.js";
import { showDuration, showMoment } from "./time.js";

const WIDTH = 1200;
const EDGE = 24;
const TITLE = 84;
const CHART = 460;
const ROW = 22;
const NUMBER = 104; // width of a column of numbers
const NAME = 70; // characters

const rowsShown = () => sortedCounters().filter((counter) => counter.series && !counter.hidden);

function chartHeight() {
	if (state.view === "report") return 0;
	if (state.view === "histogram") return ROW * (barGroups().flatMap(({ list }) => [null, ...list]).length + 1);
	return Math.max(CHART, leastHeight(modelOf(shownEpisodes()), WIDTH - 2 * EDGE) + 2 * TIME_AXIS);
}

export function pictureSize() {
	return { width: WIDTH, height: TITLE + chartHeight() + ROW * (rowsShown().length + 2) + EDGE };
}

// What it is of, when, in which zone, and the incident that it shows.
function title(surface) {
	const set = mainSet();
	const window = axisWindow();
	const file = subjectOf(set) === set.name ? "" : `   ${isolated(set.name)}`;
	const name = isolated(subjectOf(set));
	surface.text(EDGE, 30, elided(name, 60), { size: 18, color: inkColor(), bold: true });
	surface.text(EDGE + surface.measure(elided(name, 60), 18, true), 30, elided(file, 80), { color: quietColor() });
	if (!window) return;
	const range = `${showMoment(window.from)} to ${showMoment(window.to)} ${zoneText(set)}`.trim();
	const other = state.compare ? `   ${compareCaption()}` : "";
	const text = `${range}, ${showDuration(shown.data?.duration_s)}${other}`;
	surface.text(EDGE, 50, elided(text, 160), { color: quietColor() });
	const incident = openIncident();
	const machine = set.machines.length > 1 && incident?.machine ? `${isolated(incident.machine)}: ` : "";
	if (!incident) return;
	const headline = elided(machine + isolated(incident.headline), 140);
	surface.text(EDGE, 72, headline, { color: severityColor(incident.severity), size: 14, bold: true });
}

function chart(surface) {
	const height = chartHeight() - 2 * TIME_AXIS;
	const box = { x: EDGE, y: TITLE + TIME_AXIS, width: WIDTH - 2 * EDGE, height };
	const plot = layOut(surface, modelOf(shownEpisodes()), box);
	drawPlot(surface, plot);
	drawTimes(surface, plot, TITLE);
	drawTimes(surface, plot, TITLE + TIME_AXIS + height);
	drawValues(surface, plot);
}

function histogram(surface) {
	const width = WIDTH - 2 * EDGE - 560;
	let y = TITLE;
	for (const { name, ends, list } of barGroups()) {
		surface.text(EDGE, y + 15, name, { color: inkColor(), bold: true });
		surface.text(EDGE + 450, y + 15, ends[0], { color: quietColor() });
		surface.text(EDGE + 450 + width, y + 15, ends.at(-1), { color: quietColor(), align: "right" });
		y += ROW;
		for (const bar of list) {
			bars(surface, bar, y, width);
			y += ROW;
		}
	}
	surface.text(EDGE + 450, y + 14, figureShown(), { color: quietColor() });
}

function bars(surface, { counter, length, color, text, otherLength }, y, width) {
	surface.text(EDGE, y + 15, elided(barName(counter), NAME), { color: inkColor() });
	surface.rect(EDGE + 450, y + 4, width, 14, gridColor());
	surface.rect(EDGE + 450, y + 4, (width * length) / 100, 14, color);
	const other = EDGE + 450 + (width * (otherLength ?? 0)) / 100;
	if (otherLength !== null) surface.rect(other, y + 1, 2, 20, inkColor());
	surface.text(WIDTH - EDGE, y + 15, text, { color: inkColor(), align: "right" });
}

function tableRow(surface, counter, y) {
	const right = WIDTH - EDGE;
	const quiet = { align: "right", color: quietColor() };
	const name = elided(`${shortName(counter.series)}   ${isolated(counter.series.object ?? "")}`, NAME);
	const style = { color: colorOf(counter.color), width: 3, dash: dashOf(counter.color) };
	const stroke = (path) => (path.moveTo(EDGE, y - 4), path.lineTo(EDGE + 18, y - 4));
	surface.curve(stroke, style);
	surface.text(EDGE + 26, y, name, { color: inkColor() });
	if (state.view === "line")
		surface.text(right - NUMBER * 5, y, showScale(scaleOf(counter)), quiet);
	FIGURES.forEach(([figure], i) => {
		const text = figureText(counter, barOf(counter), figure);
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
