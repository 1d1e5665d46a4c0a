// histogram.js - one horizontal bar for each counter, by unit, the longest first
// SPDX-License-Identifier: MIT

import { $, el, rebuild } from "./dom.js";
import { isolated, shortName } from "./format.js";
import { barOf, mainSet, otherBarOf } from "./load.js";
import { figureOf, figureText } from "./numbers.js";
import { fullBar } from "./panels.js";
import { change, knownCounters, state } from "./state.js";
import { colorOf, inkColor } from "./theme.js";
import { showAmount } from "./units.js";

// The number in histogram and report: as in Performance Monitor, the average of a log and the last
// value of a live machine.
export function figureShown() {
	if (state.figure !== "auto") return state.figure;
	return mainSet()?.live ? "last" : "average";
}

// In percent, seconds, bytes ...
const sizeOf = ({ series }, value) => Number(value ?? 0) * series.factor;

function barOfCounter(counter) {
	const figure = figureShown();
	const value = figureOf(counter, barOf(counter), figure);
	const other = figureOf(counter, otherBarOf(counter), figure);
	const marked = state.highlight && counter.path === state.selected;
	return {
		counter,
		value,
		text: figureText(counter, barOf(counter), figure),
		size: sizeOf(counter, value),
		color: marked ? inkColor() : colorOf(counter.color),
		other,
		otherSize: other === null ? null : sizeOf(counter, other),
	};
}

const TITLES = {
	count: "Counts",
	rate: "Per second",
	percent: "Percent",
	seconds: "Time",
	bytes: "Bytes",
	time_rate: "Time per second",
	bit_rate: "Bits per second",
	frequency: "Frequency",
	byte_rate: "Bytes per second",
};

// The bars by unit, {name, ends, list}: each unit has an axis of its own, from 0 to the largest value or 100 %. A bar
// is {counter, value, text, length, color, other, otherLength}; lengths are 0 to 100. Units are ordered by their first
// counter.
export function barGroups() {
	const units = new Map();
	for (const bar of knownCounters().filter((counter) => !counter.hidden).map(barOfCounter)) {
		const { quantity } = bar.counter.series;
		if (!units.has(quantity)) units.set(quantity, []);
		units.get(quantity).push(bar);
	}
	return [...units].map(([quantity, list]) => {
		const full = fullBar(list.flatMap(({ size, otherSize }) => [size, otherSize ?? 0]), quantity);
		const length = (size) => Math.min(100, (100 * Math.abs(size)) / full);
		for (const bar of list) {
			bar.length = length(bar.size);
			bar.otherLength = bar.otherSize === null ? null : length(bar.otherSize);
		}
		list.sort((a, b) => b.length - a.length);
		const ends = [0, full / 2, full].map((value) => showAmount(value, { quantity, factor: 1 }));
		return { name: TITLES[quantity] ?? quantity, ends, list };
	});
}

// "% Processor Time (0)", and the object.
export const barName = ({ series }) => `${shortName(series)} · ${isolated(series.object ?? "")}`;

function barRow(bar) {
	const { counter } = bar;
	const fill = el("i", { class: "fill" });
	fill.style.width = `${bar.length}%`;
	fill.style.backgroundColor = bar.color;
	const parts = [fill];
	if (bar.otherLength !== null) {
		const mark = el("i", { class: "other" });
		mark.style.left = `${bar.otherLength}%`;
		parts.push(mark);
	}
	return el(
		"button",
		{
			type: "button",
			class: "bar",
			"data-key": counter.path,
			title: `${counter.path}\n${bar.value ?? "no value"}`,
			"aria-pressed": String(counter.path === state.selected),
			on: { click: () => change({ selected: counter.path }) },
		},
		el("span", { class: "caption" }, barName(counter)),
		" ",
		el("span", { class: "track" }, ...parts),
		" ",
		el("span", { class: "value" }, bar.text),
	);
}

function axisRow({ name, ends }) {
	const marks = el("span", { class: "axis" }, ...ends.map((text) => el("span", {}, text)));
	return el("div", { class: "unit" }, el("h3", {}, name), marks);
}

export function drawHistogram() {
	const groups = barGroups();
	rebuild($("bars"), groups.flatMap((group) => [axisRow(group), ...group.list.map(barRow)]));
}
