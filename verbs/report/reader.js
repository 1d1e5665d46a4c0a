// reader.js - what a report does where scripts run: the values of a chart at a time, and charts of a part of the time
// SPDX-License-Identifier: MIT
//
// The build puts this after the page's own time.js and units.js. The report is complete without it. Names come from
// the tables of the report; the numbers of its charts are in the element "charts". A click on a finding widens the
// lines of all charts, which are drawn already, and puts ticks of the shown time below them.

import { setClock, showMoment, showTime, tickLabels, timeTicks } from "./time.js";
import { showAmount } from "./units.js";

const data = JSON.parse(document.getElementById("charts").textContent);
const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 };
const TICKS = 9;
const NARROWEST = 10; // of the whole time: a column of a chart is then ten pixels wide
const WHOLE = { from: data.from, to: data.to };
let shown = WHOLE;
setClock(data.offset_min);

function make(tag, className, text = "") {
	const node = document.createElement(tag);
	node.className = className;
	node.textContent = text;
	return node;
}

function makeSvg(tag, attributes, text = "") {
	const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
	node.textContent = text;
	return node;
}

// ---- Times and columns ----------------------------------------------------------------------

const column_ms = (data.to - data.from) / data.columns;
const timeOf = (column) => data.from + (column + 0.5) * column_ms; // its middle
const columnOf = (ms) =>
	Math.max(0, Math.min(data.columns - 1, Math.floor((ms - data.from) / column_ms)));
const shareOf = (ms) => (ms - shown.from) / (shown.to - shown.from);
const isShown = (column) => timeOf(column) >= shown.from && timeOf(column) <= shown.to;

// "27:29.5" -> {low, high}; null: no value
function readValue(text, scale) {
	const [low, high = low] = text.split(":").map((number) => Number((number * scale).toPrecision(4)));
	return text === "" ? null : { low, high };
}

for (const { series: list } of data.charts)
	for (const series of list) series.values = series.values.split(",").map((text) => readValue(text, series.scale));

// The column nearest to `at` that is shown and has a value; -1 if none has.
function nearest(chart, at) {
	const has = (i) => isShown(i) && chart.series.some(({ values }) => values[i]);
	for (let away = 0; away < data.columns; away++) {
		if (at + away < data.columns && has(at + away)) return at + away;
		if (at - away >= 0 && has(at - away)) return at - away;
	}
	return -1;
}

function textOf({ unit, values }, i) {
	if (!values[i]) return "–";
	const most = showAmount(values[i].high, unit);
	const least = showAmount(values[i].low, unit);
	return least === most ? most : `${least} … ${most}`;
}

// ---- The crosshair --------------------------------------------------------------------------

// Returns what moves the crosshair to a time; null: away.
function follow(picture, chart) {
	const names = [...picture.parentElement.querySelectorAll("tbody tr")].map((row) => row.querySelector("th").textContent);
	const line = make("i", "crosshair");
	const readout = make("p", "readout", " ");
	let column = -1;
	readout.setAttribute("aria-live", "polite");
	picture.append(line);
	picture.after(readout);

	function show(at) {
		column = nearest(chart, at);
		line.hidden = column < 0;
		if (column < 0) return;
		const share = data.left + shareOf(timeOf(column)) * data.width;
		line.style.left = `${share * picture.querySelector("svg").clientWidth}px`;
		const values = chart.series.map((series, i) => `${names[i].trim()} ${textOf(series, column)}`);
		readout.textContent = `${showMoment(timeOf(column))}  ${values.join(" · ")}`;
	}

	picture.addEventListener("pointermove", (event) => {
		const box = picture.querySelector("svg").getBoundingClientRect();
		const share = ((event.clientX - box.left) / box.width - data.left) / data.width;
		show(columnOf(shown.from + share * (shown.to - shown.from)));
	});
	picture.addEventListener("keydown", (event) => {
		const ends = { Home: columnOf(shown.from), End: columnOf(shown.to) };
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
	return (ms) => {
		if (ms !== null) return show(columnOf(ms));
		line.hidden = true;
		readout.textContent = " ";
	};
}

// ---- A part of the time ---------------------------------------------------------------------

// Returns what draws the shown time in a chart.
function stretch(svg, number) {
	const { width: all, height } = svg.viewBox.baseVal;
	const left = data.left * all;
	const width = data.width * all;
	const times = svg.querySelector(".times");
	const parts = svg.querySelectorAll(".series, .beyond");
	const window = makeSvg("rect", { y: 0, height });
	const clip = makeSvg("clipPath", { id: `shown-${number}` });
	const label = times.querySelector("text");
	// The panels: from top to bottom of the lines of the first tick.
	const panels = [...new Set([...times.querySelectorAll("path")].map((path) => path.getAttribute("d").replace(/^M[\d.]+/, "")))];
	let ticks = null;
	clip.append(window);
	svg.append(clip);

	function drawTicks() {
		const { step, ticks: list } = timeTicks(shown.from, shown.to, TICKS);
		ticks = makeSvg("g", {});
		for (const [i, text] of tickLabels(list, step).entries()) {
			const x = left + shareOf(list[i]) * width;
			for (const panel of panels) ticks.append(makeSvg("path", { d: `M${x.toFixed(1)}${panel}`, style: "fill:none;stroke:var(--grid)" }));
			ticks.append(makeSvg("text", { x: Math.round(x), y: label.getAttribute("y"), "font-size": 11, "text-anchor": "middle", style: "fill:var(--muted)" }, text));
		}
		times.after(ticks);
	}

	return () => {
		const whole = shown === WHOLE;
		const times_wider = (data.to - data.from) / (shown.to - shown.from);
		const from = left + ((shown.from - data.from) / (data.to - data.from)) * width;
		window.setAttribute("x", from);
		window.setAttribute("width", width / times_wider);
		svg.classList.toggle("zoomed", !whole);
		ticks?.remove();
		if (!whole) drawTicks();
		for (const part of parts) {
			part.setAttribute("transform", `matrix(${times_wider} 0 0 1 ${left - from * times_wider} 0)`);
			part.setAttribute("clip-path", `url(#shown-${number})`);
			if (!whole) continue;
			part.removeAttribute("transform");
			part.removeAttribute("clip-path");
		}
	};
}

const crosshairs = new Map(); // by the number of the chart
const charts = [];
for (const picture of document.querySelectorAll("[data-chart]")) {
	const number = picture.dataset.chart;
	const svg = picture.querySelector("svg");
	crosshairs.set(number, follow(picture, data.charts[number]));
	charts.push(stretch(svg, number));
}

const bar = make("div", "shown");
const note = make("span", "");
const back = make("button", "", "Show all of the time (Esc)");
note.setAttribute("role", "status");
back.type = "button";
bar.hidden = true;
bar.append(note, back);
document.body.prepend(bar);

function show(part) {
	shown = part.from > data.from || part.to < data.to ? part : WHOLE;
	bar.hidden = shown === WHOLE;
	const end = showMoment(shown.from).slice(0, 10) === showMoment(shown.to).slice(0, 10) ? showTime : showMoment;
	note.textContent = shown === WHOLE ? "" : `Charts show ${showMoment(shown.from)} – ${end(shown.to)}; tables are of all of the time.`;
	for (const move of crosshairs.values()) move(null);
	for (const draw of charts) draw();
}

function showWhole() {
	if (shown === WHOLE) return;
	show(WHOLE);
	history.pushState(WHOLE, "");
}

// What Back leads to; a link within the page, whose state is null, shows what was shown before it.
history.replaceState(WHOLE, "");
addEventListener("popstate", ({ state }) => (state ? show(state) : history.replaceState(shown, "")));
back.addEventListener("click", showWhole);
addEventListener("keydown", ({ key }) => key === "Escape" && showWhole());

// ---- Findings -------------------------------------------------------------------------------

// An episode with room on both sides: half as long each, and a tenth of all of the time together.
function roomFor(from, to) {
	const least = (data.to - data.from) / NARROWEST;
	const room = Math.max((to - from) / 2, (least - (to - from)) / 2);
	return { from: Math.max(data.from, from - room), to: Math.min(data.to, to + room) };
}

// To the card of the finding, and with all charts to the episode, the crosshair in its middle.
function lead(row, episode) {
	const { hash } = row.querySelector("a");
	const picture = document.querySelector(`${hash} [data-chart]`);
	const [from, to] = [Number(episode.dataset.from), Number(episode.dataset.to)];
	history.pushState(roomFor(from, to), "", hash);
	show(roomFor(from, to));
	document.querySelector(hash).scrollIntoView();
	crosshairs.get(picture?.dataset.chart)?.((from + to) / 2);
	picture?.focus({ preventScroll: true });
}

// The bars of a finding are one stop of the Tab key; arrows go from one to the next.
function reachByKeys(row, episodes) {
	for (const [i, episode] of episodes.entries()) {
		episode.tabIndex = i === 0 ? 0 : -1;
		episode.setAttribute("role", "button");
		episode.setAttribute("aria-label", `${i + 1} of ${episodes.length}: ${episode.className}, ${showMoment(Number(episode.dataset.from))}`);
		episode.addEventListener("keydown", (event) => {
			const next = episodes[i + { ArrowLeft: -1, ArrowRight: 1 }[event.key]];
			if (event.key === "Enter" || event.key === " ") lead(row, episode);
			else if (!next) return;
			event.preventDefault();
			if (!next) return;
			[episode.tabIndex, next.tabIndex] = [-1, 0];
			next.focus();
		});
	}
}

for (const lane of document.querySelectorAll(".lane")) {
	const row = lane.closest("tr");
	const episodes = [...lane.children].sort((a, b) => a.dataset.from - b.dataset.from);
	const gravest = episodes.find((episode) => "gravest" in episode.dataset) ?? episodes[0];
	const link = row.querySelector("a");
	if (charts.length === 0 || !gravest || !link) continue;
	for (const episode of episodes) episode.addEventListener("click", () => lead(row, episode));
	reachByKeys(row, episodes);
	link.addEventListener("click", (event) => {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return;
		event.preventDefault();
		lead(row, gravest);
	});
}
