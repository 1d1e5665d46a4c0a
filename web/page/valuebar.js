// valuebar.js - Last, Average, Minimum, Maximum and Duration of the selected counter
// SPDX-License-Identifier: MIT

import { $, el, setText } from "./dom.js";
import { shortName } from "./format.js";
import { barOf, shown } from "./load.js";
import { FIGURES, setFigure } from "./numbers.js";
import { selectedCounter, state } from "./state.js";
import { showDuration } from "./time.js";
import { showWhy } from "./why.js";

const buttons = new Map();
let duration = null;

export function startValueBar() {
	const fields = FIGURES.map(([figure, name]) => {
		const button = el("button", {
			type: "button",
			class: "figure",
			"data-figure": figure,
			on: { click: () => showWhy(state.selected, figure) },
		});
		buttons.set(figure, button);
		return el("div", {}, el("dt", {}, name), el("dd", {}, button));
	});
	duration = el("dd", { "data-figure": "duration" });
	$("figures").append(...fields, el("div", {}, el("dt", {}, "Duration"), duration));
}

export function drawValueBar() {
	const counter = selectedCounter();
	const bar = counter ? barOf(counter) : null;
	setText(
		$("figures-of"),
		counter?.series ? shortName(counter.series) : "No counter selected",
	);
	for (const [figure, button] of buttons) setFigure(button, counter, bar, figure, true);
	setText(duration, showDuration(shown.data?.duration_s));
}
