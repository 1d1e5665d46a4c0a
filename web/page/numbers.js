// numbers.js - a number of the value bar as a button that explains itself
// SPDX-License-Identifier: MIT

import { el, setAttribute, setText } from "./dom.js";
import { shortName, statusWords, withUnit } from "./format.js";
import { showWhy } from "./why.js";

export const FIGURES = [
	["last", "Last"],
	["average", "Average"],
	["minimum", "Minimum"],
	["maximum", "Maximum"],
];

const NAMES = Object.fromEntries(FIGURES);

// Why there is no number: the status, where the bar has one.
function absence(bar, figure) {
	const status = bar?.[`${figure}_status`];
	return status ? statusWords(status) : "no value";
}

// What an average is that is not that of its type. The kind is decided by the server.
const MEANS = {
	latency: ", the mean queue length divided by the mean rate",
	mean: ", the mean of displayed values, which is not the average of its type",
	unknown: ", the mean of displayed values of a counter of unknown type",
	inferred: ", the mean of displayed values of a counter whose type is inferred from its name",
};

// [value, what kind of average it is]: a latency may follow from other counters of the log.
function numberOf(counter, bar, figure) {
	if (figure !== "average") return [bar?.[figure] ?? null, ""];
	if (bar?.latency != null) return [bar.latency, MEANS.latency];
	return [bar?.average ?? null, MEANS[counter?.series?.average_kind] ?? ""];
}

// It begins with the text that is shown, so that who speaks to the page can name it.
function label(counter, bar, figure, text) {
	const [value, kind] = numberOf(counter, bar, figure);
	const exact = `${value} ${counter.series.unit}`.trim();
	const said = `${text}, ${value === null ? absence(bar, figure) : `exactly ${exact}`}`;
	return `${NAMES[figure]} of ${shortName(counter.series)}: ${said}${kind}. Why?`;
}

// Writes a number into its button. The title has all digits. Without a bar there is no counter either.
export function setFigure(button, counter, bar, figure) {
	const [value, kind] = numberOf(counter, bar, figure);
	const mark = value !== null && kind && kind !== MEANS.latency ? "≈ " : "";
	const text = mark + withUnit(value, counter?.series);
	const said = bar ? label(counter, bar, figure, text) : null;
	setText(button, text);
	button.disabled = !bar;
	setAttribute(button, "title", said);
	setAttribute(button, "aria-label", said);
	setAttribute(button, "data-value", value === null ? null : String(value));
}

// other: it is a number of what is compared with.
export function figureButton(key, counter, bar, figure, other = false) {
	const button = el("button", {
		type: "button",
		class: "figure",
		"data-key": key,
		on: { click: () => showWhy(counter.path, figure, other) },
	});
	setFigure(button, counter, bar, figure);
	return button;
}
