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

// Why there is no number: the bar's status, if any.
function absence(bar, figure) {
	const status = bar?.[`${figure}_status`];
	return status ? statusWords(status) : "no value";
}

// Describes an average that is not the type's own. The server decides the kind.
const MEANS = {
	latency: ", the total of all operations divided by their number",
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

// The number of a bar, null if there is none.
export const figureOf = (counter, bar, figure) => numberOf(counter, bar, figure)[0];

// The number as shown: with ≈ if it is not the average of the counter's type.
export function figureText(counter, bar, figure) {
	const [value, kind] = numberOf(counter, bar, figure);
	const mark = value !== null && kind && kind !== MEANS.latency ? "≈ " : "";
	return mark + withUnit(value, counter?.series);
}

// The label begins with the visible text, so that voice control users can say it.
function label(counter, bar, figure, text) {
	const [value, kind] = numberOf(counter, bar, figure);
	const exact = `${value} ${counter.series.unit}`.trim();
	const said = `${text}, ${value === null ? absence(bar, figure) : `exactly ${exact}`}`;
	return `${NAMES[figure]} of ${shortName(counter.series)}: ${said}${kind}. Why?`;
}

// Writes a number into its button. The title has all digits.
export function setFigure(button, counter, bar, figure) {
	const value = figureOf(counter, bar, figure);
	const text = figureText(counter, bar, figure);
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
		on: { click: () => showWhy(counter.path, figure, { other }) },
	});
	setFigure(button, counter, bar, figure);
	return button;
}
