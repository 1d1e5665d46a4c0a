// histogram.js - one horizontal bar for each counter, the longest first, on the axis of the classic view
// SPDX-License-Identifier: MIT

import { $, el, rebuild } from "./dom.js";
import { isolated, shortName, withUnit } from "./format.js";
import { barOf, mainSet, otherBarOf, scaleOf } from "./load.js";
import { change, knownCounters, state } from "./state.js";
import { colorOf, inkColor } from "./theme.js";

// Which number histogram and report show: as in Performance Monitor the average of a log, and the
// last value of a machine that is being watched.
export function figureShown() {
	if (state.figure !== "auto") return state.figure;
	return mainSet()?.live ? "last" : "average";
}

// The bars, {counter, value, length, color, other, otherLength}; lengths are 0 to 100.
export function bars() {
	const figure = figureShown();
	const length = (counter, value) => Math.min(100, Math.abs(value ?? 0) * scaleOf(counter));
	const list = knownCounters()
		.filter((counter) => !counter.hidden)
		.map((counter) => {
			const value = barOf(counter)?.[figure] ?? null;
			const other = otherBarOf(counter)?.[figure] ?? null;
			const marked = state.highlight && counter.path === state.selected;
			return {
				counter,
				value,
				length: length(counter, value),
				color: marked ? inkColor() : colorOf(counter.color),
				other,
				otherLength: other === null ? null : length(counter, other),
			};
		});
	return list.sort((a, b) => b.length - a.length);
}

// "% Processor Time (0)", and the object.
export const barName = ({ series }) => `${shortName(series)} · ${isolated(series.object ?? "")}`;

function barRow(bar) {
	const { counter } = bar;
	const text = withUnit(bar.value, counter.series);
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
		el("span", { class: "value" }, text),
	);
}

export function drawHistogram() {
	rebuild($("bars"), bars().map(barRow));
}
