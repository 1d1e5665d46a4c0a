// legend.js - the table of counters: show and hide, colour, scale, parts of the path, numbers
// SPDX-License-Identifier: MIT
//
// Rows live as long as their counter, and only changed texts are written. So an open list, the
// focus and a selection survive new samples.

import { $, el, setAttribute, setText } from "./dom.js";
import { isolated, shortName, showInstance, showScale, withUnit } from "./format.js";
import { status } from "./heading.js";
import { barOf, isOutside, scaleOf, shown } from "./load.js";
import { FIGURES, figureButton, setFigure } from "./numbers.js";
import { drawSample, drawSpark, sample, spark } from "./spark.js";
import { change, changeCounter, removeCounter, state } from "./state.js";
import { colorOf, dashOf } from "./theme.js";
import { showWhy } from "./why.js";

const NUMBERS = new Set([...FIGURES.map(([figure]) => figure), "p95"]);
const COLUMNS = [
	["show", "Show"],
	["color", "Colour"],
	["scale", "Scale"],
	["counter", "Counter"],
	["instance", "Instance"],
	["parent", "Parent"],
	["object", "Object"],
	["machine", "Machine"],
	...FIGURES,
	["p95", "p95"],
	["spark", "Course"],
	["why", "Why"],
	["remove", ""],
];
const FIXED = new Set(["show", "color", "spark", "why", "remove"]); // columns that cannot be sorted by
const NAMES = Object.fromEntries([...FIGURES, ["p95", "p95"]]); // labels next to the numbers on phones
const POWERS = [-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7];

const rows = new Map(); // path -> {row, cells}
const heads = new Map();

// ---- Sorting ------------------------------------------------------------------------------------

function keyOf(counter, column) {
	if (NUMBERS.has(column)) return barOf(counter)?.[column] ?? null;
	if (column === "scale") return scaleOf(counter);
	if (column === "instance" && counter.series) return showInstance(counter.series);
	return counter.series?.[column] ?? null;
}

function compareKeys(a, b) {
	if (a === null || b === null) return (a === null) - (b === null);
	return typeof a === "number"
		? a - b
		: String(a).localeCompare(String(b), undefined, { numeric: true });
}

// Counters in the table's order. Those without a value come last in either direction.
export function sortedCounters() {
	if (!state.sort) return state.counters;
	const { column, down } = state.sort;
	const pairs = state.counters.map((counter) => [keyOf(counter, column), counter]);
	pairs.sort(([a], [b]) =>
		down && a !== null && b !== null ? compareKeys(b, a) : compareKeys(a, b),
	);
	return pairs.map(([, counter]) => counter);
}

// Ascending, then descending, then insertion order.
function sortBy(column) {
	const { sort } = state;
	if (sort?.column !== column) change({ sort: { column, down: false } });
	else change({ sort: sort.down ? null : { column, down: true } });
}

function drawHeads() {
	for (const [column, head] of heads) {
		const sorted = state.sort?.column === column;
		const order = state.sort?.down ? "descending" : "ascending";
		setAttribute(head, "aria-sort", sorted ? order : null);
	}
}

// ---- Rows ---------------------------------------------------------------------------------------

function scaleSelect(path) {
	const select = el("select", {
		"aria-label": "Scale",
		on: {
			change: (event) =>
				changeCounter(path, {
					scale:
						event.target.value === ""
							? null
							: Number(event.target.value),
				}),
		},
	});
	select.append(
		el("option", { value: "" }, "Automatic"),
		...POWERS.map((n) =>
			el("option", { value: `1e${n}` }, showScale(Number(`1e${n}`))),
		),
	);
	return select;
}

function makeCells(counter) {
	const { path } = counter;
	const button = (name, attributes, act) =>
		el("button", { type: "button", ...attributes, on: { click: act } }, name);
	const cells = {
		show: el("input", {
			type: "checkbox",
			"aria-label": "Show",
			on: { change: ({ target }) => changeCounter(path, { hidden: !target.checked }) },
		}),
		color: el("input", {
			type: "color",
			"aria-label": "Colour",
			on: { change: ({ target }) => changeCounter(path, { color: target.value }) },
		}),
		dash: sample(),
		scale: scaleSelect(path),
		counter: button("", { class: "name", title: path }, () =>
			change({ selected: path }),
		),
		p95: el("span"),
		spark: spark(),
		why: button(
			"?",
			{ class: "why", title: "How was the average computed?", "aria-label": `Why? ${path}` },
			() => showWhy(path, "average"),
		),
		remove: button(
			"×",
			{
				class: "remove",
				title: "Remove this counter",
				"aria-label": `Remove ${path}`,
			},
			() => remove(state.counters.find((one) => one.path === path)),
		),
	};
	for (const column of ["instance", "parent", "object", "machine"])
		cells[column] = el("span");
	for (const [figure] of FIGURES)
		cells[figure] = figureButton(`${figure} ${path}`, counter, null, figure);
	return cells;
}

function makeRow(counter) {
	const cells = makeCells(counter);
	const select = (event) => {
		if (!event.target.closest("button, input, select")) change({ selected: counter.path });
	};
	const row = el("tr", { on: { click: select } });
	for (const [column] of COLUMNS) {
		const tag = column === "counter" ? "th" : "td";
		const scope = tag === "th" ? "row" : null;
		const attributes = { class: column, scope, "data-name": NAMES[column] ?? null };
		row.append(el(tag, attributes, cells[column], column === "color" ? cells.dash : null));
	}
	return { row, cells };
}

function fillScale(select, counter) {
	const value = counter.scale === null ? "" : `1e${Math.round(Math.log10(counter.scale))}`;
	setText(select.firstChild, `auto ${showScale(scaleOf({ ...counter, scale: null }))}`);
	select.title = isOutside(counter)
		? "With this scale some values are beyond the axis: they are drawn at its edge"
		: "Scale of the line; the numbers in the table are not scaled";
	select.classList.toggle("outside", isOutside(counter));
	if (![...select.options].some((option) => option.value === value))
		select.append(el("option", { value }, showScale(counter.scale)));
	if (select.value !== value) select.value = value;
}

function toHex(color) {
	return /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : "#808080";
}

function fillRow({ row, cells }, counter) {
	const selected = counter.path === state.selected;
	const { series } = counter;
	row.classList.toggle("selected", selected);
	row.classList.toggle("hidden-line", counter.hidden);
	row.classList.toggle("missing", series === null);
	setAttribute(cells.counter, "aria-pressed", String(selected));
	cells.show.checked = !counter.hidden;
	cells.color.value = toHex(colorOf(counter.color));
	cells.dash.classList.toggle("none", dashOf(counter.color).length === 0); // the colour is enough
	drawSample(cells.dash, colorOf(counter.color), dashOf(counter.color));
	fillScale(cells.scale, counter);
	setText(cells.counter, isolated(series?.counter ?? counter.path));
	setText(cells.instance, series ? showInstance(series) : "");
	for (const column of ["parent", "object", "machine"])
		setText(
			cells[column],
			isolated(series?.[column] ?? (column === "object" ? "not in this log" : "")),
		);
	for (const [figure] of FIGURES) setFigure(cells[figure], counter, barOf(counter), figure);
	const p95 = barOf(counter)?.p95 ?? null;
	setText(cells.p95, withUnit(p95, series));
	setAttribute(cells.p95, "title", p95 === null ? null : `${p95} ${series.unit}, to 0.5 %`);
	setAttribute(cells.p95, "data-value", p95 === null ? null : String(p95));
	drawSpark(cells.spark, counter);
}

export function drawLegend() {
	const body = $("legend-rows");
	const wanted = sortedCounters();
	for (const [path, { row }] of rows) {
		if (!wanted.some((counter) => counter.path === path)) {
			row.remove();
			rows.delete(path);
		}
	}
	wanted.forEach((counter, i) => {
		if (!rows.has(counter.path)) rows.set(counter.path, makeRow(counter));
		const entry = rows.get(counter.path);
		fillRow(entry, counter);
		if (body.children[i] !== entry.row)
			body.insertBefore(entry.row, body.children[i] ?? null);
	});
	drawHeads();
	const parents = state.counters.some((counter) => counter.series?.parent);
	$("legend").classList.toggle("no-parent", !parents);
	$("legend").classList.toggle("no-scale", state.view === "panels" || state.view === "report");
	$("legend").classList.toggle("no-machine", (shown.sets[0]?.machines.length ?? 0) < 2);
}

export function remove(counter) {
	removeCounter(counter.path);
	const name = counter.series ? shortName(counter.series) : counter.path;
	status(`${name} removed.`, false, true);
}

// Up and down move the selection in the table's order.
export function moveSelection(step) {
	const list = sortedCounters();
	const at = list.findIndex((counter) => counter.path === state.selected);
	const next = list[Math.min(list.length - 1, Math.max(0, at + step))];
	if (!next) return;
	change({ selected: next.path });
	const entry = rows.get(next.path);
	entry.row.scrollIntoView({ block: "nearest" });
	if ($("legend").contains(document.activeElement)) entry.cells.counter.focus();
}

export function startLegend() {
	const line = $("legend-heads");
	for (const [column, name] of COLUMNS) {
		const head = el("th", { class: column, scope: "col" });
		if (FIXED.has(column)) {
			head.append(
				el(
					"span",
					{ class: column === "remove" ? "unseen" : null },
					name || "Remove",
				),
			);
		} else {
			head.append(
				el(
					"button",
					{
						type: "button",
						title: `Sort by ${name.toLowerCase()}`,
						on: { click: () => sortBy(column) },
					},
					name,
				),
			);
			heads.set(column, head);
		}
		line.append(head);
	}
}
