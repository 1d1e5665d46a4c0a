// reader.js - the crosshair of a report: the values of a chart at a time, by pointer and by keys
// SPDX-License-Identifier: MIT
//
// The build puts this after the page's own time.js and units.js. The report is complete without it. Names come from
// the tables of the report; the numbers of its charts are in the element "charts".

import { setClock, showMoment } from "./time.js";
import { showAmount } from "./units.js";

const data = JSON.parse(document.getElementById("charts").textContent);
const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 };
setClock(data.offset_min);

function make(tag, className, text = "") {
	const node = document.createElement(tag);
	node.className = className;
	node.textContent = text;
	return node;
}

// The column nearest to `at` that has a value; -1 if none has.
function nearest(chart, at) {
	const has = (i) => chart.series.some(({ high }) => (high[i] ?? null) !== null);
	for (let away = 0; away < data.columns; away++) {
		if (at + away < data.columns && has(at + away)) return at + away;
		if (at - away >= 0 && has(at - away)) return at - away;
	}
	return -1;
}

function textOf({ unit, low, high }, i) {
	if ((high[i] ?? null) === null) return "–";
	const most = showAmount(high[i], unit);
	const least = showAmount(low[i], unit);
	return least === most ? most : `${least} … ${most}`;
}

// The time in the middle of a column.
const timeOf = (i) => data.from + ((i + 0.5) / data.columns) * (data.to - data.from);

function follow(picture, chart) {
	const names = [...picture.parentElement.querySelectorAll("tbody tr")].map((row) => row.querySelector("th").textContent);
	const line = make("i", "crosshair");
	const readout = make("p", "readout", " ");
	let column = -1;
	readout.setAttribute("aria-live", "polite");
	picture.append(line);
	picture.after(readout);

	function show(at) {
		column = nearest(chart, Math.max(0, Math.min(data.columns - 1, at)));
		line.hidden = column < 0;
		if (column < 0) return;
		const share = data.left + ((column + 0.5) / data.columns) * data.width;
		line.style.left = `${share * picture.querySelector("svg").clientWidth}px`;
		const values = chart.series.map((series, i) => `${names[i].trim()} ${textOf(series, column)}`);
		readout.textContent = `${showMoment(timeOf(column))}  ${values.join(" · ")}`;
	}

	picture.addEventListener("pointermove", (event) => {
		const box = picture.querySelector("svg").getBoundingClientRect();
		const share = (event.clientX - box.left) / box.width;
		show(Math.floor(((share - data.left) / data.width) * data.columns));
	});
	picture.addEventListener("keydown", (event) => {
		const ends = { Home: 0, End: data.columns - 1 };
		const at = ends[event.key] ?? column + (STEPS[event.key] ?? NaN);
		if (Number.isNaN(at) || event.ctrlKey || event.altKey || event.metaKey) return;
		event.preventDefault();
		// Over columns without values in the direction of the key.
		const before = column;
		for (let next = at; next >= 0 && next < data.columns; next += Math.sign(at - before) || 1) {
			show(next);
			if (column !== before) return;
		}
	});
	return (ms) => show(Math.floor(((ms - data.from) / (data.to - data.from)) * data.columns));
}

const shows = new Map();
for (const picture of document.querySelectorAll("[data-chart]")) {
	const chart = data.charts[picture.dataset.chart];
	if (chart && picture.querySelector("svg")) shows.set(picture.dataset.chart, follow(picture, chart));
}

// An episode on the timeline leads to its card, with the crosshair in its middle.
for (const bar of document.querySelectorAll(".lane [data-at]"))
	bar.addEventListener("click", () => {
		const link = bar.closest("tr").querySelector("a");
		const card = document.querySelector(link.hash);
		const picture = card.querySelector("[data-chart]");
		card.scrollIntoView();
		shows.get(picture?.dataset.chart)?.(Number(bar.dataset.at));
		picture?.focus({ preventScroll: true });
	});
