// report.js - the numbers as a report: a table for each object, next to each other where there is room
// SPDX-License-Identifier: MIT

import { $, el, rebuild } from "./dom.js";
import { isolated, showInstance } from "./format.js";
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
	return (series.parent === null ? "" : isolated(series.parent) + "/") + showInstance(series);
}

const counterOf = ({ series }) => isolated(series.counter ?? "");

function cell(counter) {
	if (!counter) return el("td");
	return el("td", {}, figureButton(`report ${counter.path}`, counter, barOf(counter), figureShown()));
}

// Counters down and instances across, or the other way if there are more instances than fit.
function tableOf(object, counters) {
	const byCounter = groupBy(counters, counterOf);
	const byInstance = groupBy(counters, instanceOf);
	const isTall = byInstance.size > byCounter.size && byInstance.size > 4;
	const [down, across] = isTall ? [byInstance, byCounter] : [byCounter, byInstance];
	const keyAcross = isTall ? counterOf : instanceOf;
	const unnamed = el("span", { class: "unseen" }, "Value");
	const head = [object, ...across.keys()].map((name) =>
		el("th", { scope: "col" }, name ? isolated(name) : unnamed.cloneNode(true)),
	);
	const rows = [...down].map(([name, list]) =>
		el(
			"tr",
			{},
			el("th", { scope: "row" }, name),
			...[...across.keys()].map((key) => cell(list.find((one) => keyAcross(one) === key))),
		),
	);
	return el(
		"div",
		{ class: "scroll" },
		el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
	);
}

export function drawReport() {
	const sections = [];
	for (const [machine, counters] of groupBy(knownCounters(), ({ series }) => series.machine)) {
		sections.push(el("h2", {}, machine === null ? "No machine is named" : `\\\\${isolated(machine)}`));
		for (const [object, list] of groupBy(counters, ({ series }) => series.object))
			sections.push(tableOf(object, list));
	}
	rebuild($("report"), sections);
}
