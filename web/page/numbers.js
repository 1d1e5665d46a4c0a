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

const isMean = (counter, figure) => figure === "average" && counter.series.average_kind !== "true";

// What such an average is. The kind is decided by the server.
const MEANS = {
	mean: ", the mean of displayed values, which is not the average of its type",
	unknown: ", the mean of displayed values of a counter of unknown type",
	inferred: ", the mean of displayed values of a counter whose type is inferred from its name",
};

// It begins with the text that is shown, so that who speaks to the page can name it.
function label(counter, bar, figure, text) {
	const value = bar?.[figure] ?? null;
	const exact = `${value} ${counter.series.unit}`.trim();
	const said = `${text}, ${value === null ? absence(bar, figure) : `exactly ${exact}`}`;
	const mean = isMean(counter, figure) ? MEANS[counter.series.average_kind] : "";
	return `${NAMES[figure]} of ${shortName(counter.series)}: ${said}${mean}. Why?`;
}

// Writes a number into its button. The title has all digits. Without a bar there is no counter either.
export function setFigure(button, counter, bar, figure) {
	const value = bar?.[figure] ?? null;
	const mark = value !== null && isMean(counter, figure) ? "≈ " : "";
	const text = mark + withUnit(value, counter?.series);
	setText(button, text);
	button.disabled = !bar;
	setAttribute(button, "title", bar ? label(counter, bar, figure, text) : null);
	setAttribute(button, "aria-label", bar ? label(counter, bar, figure, text) : null);
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
