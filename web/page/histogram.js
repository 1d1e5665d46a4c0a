// histogram.js - one bar for each counter, on the axis of the line view
// SPDX-License-Identifier: MIT

import { $, el, rebuild } from "./dom.js";
import { shortName, withUnit } from "./format.js";
import { barOf, mainSet, otherBarOf } from "./load.js";
import { change, knownCounters, scaleOf, state } from "./state.js";
import { colorOf, inkColor } from "./theme.js";

// Which number histogram and report show: as in Performance Monitor the average of a log, and the
// last value of a machine that is being watched.
export function figureShown() {
	if (state.figure !== "auto") return state.figure;
	return mainSet()?.live ? "last" : "average";
}

// The bars in the order of the counters: {counter, color, value, height, other}; heights are 0 to 100.
export function bars() {
	const figure = figureShown();
	const height = (counter, value) =>
		Math.min(100, Math.max(0, (value ?? 0) * scaleOf(counter)));
	return knownCounters()
		.filter((counter) => !counter.hidden)
		.map((counter) => {
			const value = barOf(counter)?.[figure] ?? null;
			const other = otherBarOf(counter)?.[figure] ?? null;
			const marked = state.highlight && counter.path === state.selected;
			return {
				counter,
				value,
				height: height(counter, value),
				color: marked ? inkColor() : colorOf(counter.color),
				other,
				otherHeight: other === null ? null : height(counter, other),
			};
		});
}

function column(bar) {
	const { counter } = bar;
	const name = shortName(counter.series);
	const text = withUnit(bar.value, counter.series);
	const fill = el("i", { class: "fill" });
	fill.style.height = `${bar.height}%`;
	fill.style.backgroundColor = bar.color;
	const parts = [fill];
	if (bar.otherHeight !== null) {
		const mark = el("i", { class: "other" });
		mark.style.bottom = `${bar.otherHeight}%`;
		parts.push(mark);
	}
	const selected = counter.path === state.selected;
	return el(
		"button",
		{
			type: "button",
			class: "bar",
			"data-key": counter.path,
			title: `${counter.path}\n${bar.value ?? "no value"}`,
			"aria-label": `${name}: ${text}`,
			"aria-pressed": String(selected),
			on: { click: () => change({ selected: counter.path }) },
		},
		el("span", { class: "column" }, ...parts),
		el("span", { class: "value" }, text),
		el("span", { class: "caption" }, name),
	);
}

export function drawHistogram() {
	rebuild($("bars"), bars().map(column));
}
