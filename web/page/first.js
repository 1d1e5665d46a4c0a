// first.js - the selection for a log that nobody has opened before
// SPDX-License-Identifier: MIT

import { ask } from "./api.js";
import { isAboveAxis, mainSet, scaled, shown } from "./load.js";
import { addCounters, change, state } from "./state.js";

const FIRST_MOST = 8;

let automatic = null; // the paths of the first selection, while nobody has changed it
let fitted = null; // the first selection whose scales have been looked at

const pathsNow = () => state.counters.map((counter) => counter.path).join("\n");

// Chosen again when the whole log is there, unless the reader has chosen by then.
async function choose(isAgain) {
	automatic ??= "";
	const { series } = await ask("first", { set: 0, max: FIRST_MOST });
	if (isAgain && pathsNow() !== automatic) return;
	if (isAgain && series.map((one) => one.path).join("\n") === automatic) return;
	state.counters = [];
	addCounters(series);
	automatic = pathsNow();
}

// A line of the first selection that would lie above the axis altogether is scaled, so that somebody
// who opens a log sees all that was chosen.
export function fitFirst() {
	if (automatic === null || fitted === automatic || pathsNow() !== automatic || !shown.data)
		return;
	fitted = automatic;
	change({
		counters: state.counters.map((counter) =>
			isAboveAxis(counter) ? scaled(counter) : counter,
		),
	});
}

// Called with each state of the log; `before` is the state before this one.
export async function selectFirst(before) {
	const set = mainSet();
	if (state.counters.length === 0 && automatic === null && set.samples > 0)
		await choose(false);
	else if (before === "loading" && set.state !== "loading" && automatic !== null)
		await choose(true);
}
