// why.js - why a number is what it is: formula, operands, steps and status, as the server sends them
// SPDX-License-Identifier: MIT

import { isStale, newest } from "./api.js";
import { $, el } from "./dom.js";
import { showDrawer } from "./drawer.js";
import { isolated, shortName, statusWords, withUnit } from "./format.js";
import { barOf, otherBarOf, shown } from "./load.js";
import { state } from "./state.js";
import { msOfIso, showExactMoment } from "./time.js";

const askWhy = newest();

const TITLES = {
	last: "last value",
	average: "average",
	minimum: "minimum",
	maximum: "maximum",
	value: "value",
};

// The moment whose value is the figure; null is the last one.
function momentOf(bar, figure, at) {
	if (figure === "value") return at;
	return figure === "minimum" || figure === "maximum"
		? (bar?.[`${figure}_time`] ?? null)
		: null;
}

function facts(entries) {
	const list = el("dl", { class: "facts" });
	for (const [name, text, kind] of entries) {
		if (text !== null && text !== undefined && text !== "")
			list.append(el("dt", {}, name), el("dd", { class: kind ?? null }, String(text)));
	}
	return list;
}

function table(caption, rows) {
	if (rows.length === 0) return null;
	const lines = rows.map(({ name, text, what }) =>
		el(
			"tr",
			{},
			el("th", { scope: "row" }, name),
			el("td", { class: "code" }, text),
			el("td", {}, what),
		),
	);
	return el(
		"div",
		{ class: "scroll" },
		el("table", {}, el("caption", {}, caption), el("tbody", {}, ...lines)),
	);
}

// All digits; of HEX types also in hexadecimal: "0x1F (31)".
function exact(value, series) {
	const text = series.hex ? withUnit(value, series) : "";
	return text.startsWith("0x") ? `${text} (${value})` : String(value);
}

function section(title, explanation, mean, series) {
	const { value, unit, status } = explanation;
	const number =
		value === null ? statusWords(status) : `${exact(value, series)} ${unit}`.trim();
	return el(
		"section",
		{},
		el("h3", {}, title),
		el("p", { class: "result" }, number),
		facts([
			["Status", explanation.status_text],
			["Formula", explanation.formula, "code"],
			["With operands", explanation.with_operands, "code"],
		]),
		table("Operands", explanation.operands),
		table("Steps", explanation.steps),
		facts([
			["Mean of displayed values", mean],
			["Type", explanation.type ?? "not known", "code"],
			["Policy", explanation.policy],
			["Note", explanation.note],
			["Source", explanation.source],
		]),
	);
}

// The explanation that was asked for comes first.
function content(answer, figure, series) {
	const help = answer.help ? [el("p", {}, answer.help)] : [];
	const value = section(
		`Value at ${showExactMoment(msOfIso(answer.time))}`,
		answer.value,
		null,
		series,
	);
	const average = section(
		"Average of the window",
		answer.average,
		answer.mean_of_displayed_values ?? null,
		series,
	);
	return [...help, ...(figure === "average" ? [average, value] : [value, average])];
}

function question(counter, figure, other, at, window) {
	const bar = other ? otherBarOf(counter) : barOf(counter);
	const { from, to } = window ?? (other ? shown.other.data : shown.data);
	const id = other ? shown.other.ids.get(counter.series.id) : counter.series.id;
	return { set: other ? state.compare.set : 0, id, from, to, at: momentOf(bar, figure, at) };
}

// Explains a figure of a counter, or its value at a time (figure "value"). The window is the one in
// effect, so that the explained number is the one on the page even if newer samples have come.
// `other` is true for the numbers of what is compared with. window: {from, to} in place of the one on the page.
export async function showWhy(path, figure, { other = false, at = null, window = null } = {}) {
	const counter = state.counters.find((one) => one.path === path);
	if (!counter?.series || !(other ? shown.other?.data : shown.data)) return;
	$("why-title").textContent = `Why? The ${TITLES[figure]} of ${shortName(counter.series)}`;
	$("why-path").textContent = isolated(counter.path);
	$("why-body").replaceChildren(el("p", {}, "Waiting for the server …"));
	showDrawer("why");
	try {
		const answer = await askWhy("explain", question(counter, figure, other, at, window));
		$("why-body").replaceChildren(...content(answer, figure, counter.series));
	} catch (error) {
		if (!isStale(error))
			$("why-body").replaceChildren(el("p", { class: "bad" }, error.message));
	}
}
