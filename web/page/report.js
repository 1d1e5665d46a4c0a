// report.js - the numbers as a report: a table for each object, counters down, instances across
// SPDX-License-Identifier: MIT

import { $, el, rebuild } from "./dom.js";
import { showInstance } from "./format.js";
import { figureShown } from "./histogram.js";
import { barOf } from "./load.js";
import { figureButton } from "./numbers.js";
import { knownCounters } from "./state.js";

function groupBy(list, keyOf) {
	const groups = new Map();
	for (const item of list) {
		const key = keyOf(item);
		groups.set(key, [...(groups.get(key) ?? []), item]);
	}
	return groups;
}

function instanceOf({ series }) {
	return (series.parent === null ? "" : series.parent + "/") + showInstance(series);
}

function tableOf(object, counters) {
	const figure = figureShown();
	const instances = [...groupBy(counters, instanceOf).keys()];
	const head = el(
		"tr",
		{},
		el("th", { scope: "col" }, object),
		...instances.map((name) => el("th", { scope: "col" }, name)),
	);
	const body = [...groupBy(counters, ({ series }) => series.counter)].map(([name, row]) => {
		const { unit } = row[0].series;
		const cells = instances.map((instance) => {
			const counter = row.find((one) => instanceOf(one) === instance);
			return el(
				"td",
				{},
				counter
					? figureButton(
							`report ${counter.path}`,
							counter,
							barOf(counter),
							figure,
						)
					: "",
			);
		});
		return el(
			"tr",
			{},
			el(
				"th",
				{ scope: "row" },
				name,
				...(unit ? [el("small", {}, ` ${unit}`)] : []),
			),
			...cells,
		);
	});
	return el(
		"div",
		{ class: "scroll" },
		el("table", {}, el("thead", {}, head), el("tbody", {}, ...body)),
	);
}

export function drawReport() {
	const sections = [];
	for (const [machine, counters] of groupBy(
		knownCounters(),
		({ series }) => series.machine,
	)) {
		sections.push(
			el("h2", {}, machine === null ? "No machine is named" : `\\\\${machine}`),
		);
		for (const [object, list] of groupBy(counters, ({ series }) => series.object))
			sections.push(tableOf(object, list));
	}
	rebuild($("report"), sections);
}
