// marks.js - gaps, resets and damage in words, each a button that goes there
// SPDX-License-Identifier: MIT

import { setCursorTime } from "./chart.js";
import { $, el, setText } from "./dom.js";
import { plural, shortName, showBytes, statusWords } from "./format.js";
import { shown, shownWindow } from "./load.js";
import { state } from "./state.js";
import { msOfIso, showDuration, showMoment } from "./time.js";
import { showWindow } from "./zoom.js";

const AROUND = 0.05; // of the window, added on either side of the target

function summary(marks) {
	const parts = [];
	if (marks.gap_count) parts.push(plural(marks.gap_count, "gap", "gaps"));
	if (marks.reset_count) parts.push(plural(marks.reset_count, "reset", "resets"));
	if (marks.damage_count)
		parts.push(plural(marks.damage_count, "damaged place", "damaged places"));
	return parts.join(" · ");
}

export function drawMarksSummary() {
	const text = shown.marks ? summary(shown.marks) : "";
	setText($("marks-open"), text);
	$("marks-open").hidden = text === "";
}

function goTo(from_ms, to_ms) {
	const window = shownWindow();
	const margin = (window.to - window.from) * AROUND;
	$("marks").close();
	showWindow(from_ms - margin, to_ms + margin);
	setCursorTime(from_ms);
}

function item(from, to, text) {
	if (from === null) return el("li", {}, `found when the log was opened: ${text}`);
	const act = () => goTo(msOfIso(from), msOfIso(to));
	return el(
		"li",
		{},
		el(
			"button",
			{ type: "button", class: "link", on: { click: act } },
			showMoment(msOfIso(from)),
		),
		` ${text}`,
	);
}

function list(title, count, items) {
	if (count === 0) return [];
	const more = count - items.length;
	return [
		el("h3", {}, title),
		el("ul", {}, ...items),
		...(more > 0 ? [el("p", {}, `and ${more} more`)] : []),
	];
}

function resetText(reset) {
	const counter = state.counters.find((one) => one.series?.id === reset.id);
	return `${counter ? shortName(counter.series) : "a counter"}: ${statusWords(reset.status)}`;
}

export function openMarks() {
	const { marks } = shown;
	if (!marks) return;
	const gaps = marks.gaps.map((gap) =>
		item(
			gap.from,
			gap.to,
			`no samples for ${showDuration((msOfIso(gap.to) - msOfIso(gap.from)) / 1000)}`,
		),
	);
	const resets = marks.resets.map((reset) => item(reset.time, reset.time, resetText(reset)));
	const damage = marks.damage.map((one) =>
		item(
			one.time,
			one.time,
			one.text + (one.bytes === null ? "" : `, ${showBytes(one.bytes)} lost`),
		),
	);
	$("marks-body").replaceChildren(
		...list("Gaps", marks.gap_count, gaps),
		...list("Resets", marks.reset_count, resets),
		...list("Damage", marks.damage_count, damage),
	);
	$("marks").showModal();
}
